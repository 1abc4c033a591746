// strips.ts - surfaces along the road, collected row by row: lanes, shoulders, gores, rails.
import { BufferGeometry, Float32BufferAttribute } from "three";
import { newSpot, type Ground } from "./ground3d.ts";

// What a lane's surface carries along: see roadshader.ts.
export interface Surface {
  left: number; // what is painted at its edges
  right: number;
  field: number;
}

export class Strips {
  private position: number[] = [];
  private lane: number[] = [];
  private edge: number[] = [];
  private index: number[] = [];
  private open = false; // the last row is joined to the next one
  private spot = newSpot();

  constructor(
    private ground: Ground,
    private over = 0, // m above the road
  ) {}

  cut(): void {
    this.open = false;
  }

  // One row from left to right, at x and offsets of a path.
  row(x: number, station: number, path: number, left: number, right: number, of: Surface): void {
    this.corner(x, left, path);
    this.corner(x, right, path);
    this.join(station, 0.5 * (left - right), of);
  }

  // One row between places of two paths.
  between(
    xl: number,
    left: number,
    pathL: number,
    xr: number,
    right: number,
    pathR: number,
    s: number,
    of: Surface,
  ): void {
    this.corner(xl, left, pathL);
    this.corner(xr, right, pathR);
    const p = this.position;
    const n = p.length;
    this.join(s, 0.5 * Math.hypot(p[n - 6] - p[n - 3], p[n - 5] - p[n - 2]), of);
  }

  private corner(x: number, y: number, path: number): void {
    const s = this.ground.spot(x, y, path, this.spot);
    this.position.push(s.x, s.y, s.z + this.over);
  }

  private join(s: number, half: number, of: Surface): void {
    this.lane.push(s, half, half, of.field, s, -half, half, of.field);
    this.edge.push(of.left, of.right, of.left, of.right);
    const b = this.position.length / 3 - 2;
    if (this.open) this.index.push(b - 2, b - 1, b + 1, b - 2, b + 1, b);
    this.open = true;
  }

  geometry(): BufferGeometry {
    const g = new BufferGeometry();
    g.setAttribute("position", new Float32BufferAttribute(this.position, 3));
    g.setAttribute("lane", new Float32BufferAttribute(this.lane, 4));
    g.setAttribute("edge", new Float32BufferAttribute(this.edge, 2));
    g.setIndex(this.index);
    g.computeVertexNormals();
    return g;
  }
}

// A profile of (offset, height) swept along the road, in runs.
export class Sweep {
  private position: number[] = [];
  private index: number[] = [];
  private open = false;
  private spot = newSpot();

  constructor(
    private ground: Ground,
    private profile: readonly (readonly [number, number])[],
  ) {}

  cut(): void {
    this.open = false;
  }

  row(x: number, offset: number, side: number, path = 0): void {
    const n = this.profile.length;
    for (const [dy, dz] of this.profile) {
      const s = this.ground.spot(x, offset + side * dy, path, this.spot);
      this.position.push(s.x, s.y, s.z + dz);
    }
    const b = this.position.length / 3 - n;
    if (this.open)
      for (let k = 0; k + 1 < n; k++) this.index.push(b + k - n, b + k, b + k + 1, b + k - n, b + k + 1, b + k + 1 - n);
    this.open = true;
  }

  geometry(): BufferGeometry {
    const g = new BufferGeometry();
    g.setAttribute("position", new Float32BufferAttribute(this.position, 3));
    g.setIndex(this.index);
    g.computeVertexNormals();
    return g;
  }
}
