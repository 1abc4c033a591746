// road3d.ts - the road of the 3-D view: a ribbon that follows the hills, lines, dashes, barriers.
//
// Everything is relative to an origin near the camera (m along the road), so that single precision is
// enough far from the start. The stretch around the camera is rebuilt every REACH metres, or when the
// road changes; in between it only moves. The number of vertices does not change.

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  Group,
  InstancedMesh,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  BoxGeometry,
  Object3D,
  PlaneGeometry,
} from "three";
import { palette } from "../draw/paint.ts";
import type { Road, World } from "../wire/protocol.ts";

// The lights of the 3-D view: what scene3d.ts hangs up, and what they give a surface that lies flat,
// (sun cos + half sky, half ground + ambient) / pi by Lambert's law.
export const SUN = { colour: "#ffffff", strength: 2.1, at: [-30, 40, 70] as const };
export const SKY = { sky: "#ffffff", ground: "#667080", strength: 1.2 };
export const AMBIENT = 0.25;
const FLAT = new Color(SKY.sky)
  .add(new Color(SKY.ground))
  .multiplyScalar(0.5 * SKY.strength)
  .add(new Color(SUN.colour).multiplyScalar((SUN.strength * SUN.at[2]) / Math.hypot(...SUN.at)))
  .addScalar(AMBIENT)
  .multiplyScalar(1 / Math.PI);

const BEHIND = 240;
const AHEAD = 520;
const STEP = 10; // m
const POINTS = (BEHIND + AHEAD) / STEP + 1;
const POST = 4;
const POSTS = 90; // barrier posts of a side
const DASHES = 400;
const SHOULDER = 1.6;
const REACH = 40; // m

// Height at x from the stored profile; straight between its points.
export function heightAt(road: Road, x: number): number {
  const p = road.profile;
  if (!p || !p.z || p.z.length < 2 || !(p.step > 0)) return 0;
  const u = Math.max(0, Math.min(p.z.length - 1.000001, (x - p.from) / p.step));
  const k = Math.floor(u);
  return p.z[k]! + (u - k) * (p.z[k + 1]! - p.z[k]!);
}

export class Road3d {
  group = new Group();
  private ribbons: { mesh: Mesh; y: () => [number, number]; z: number }[] = [];
  private walls: Mesh[]; // left, right
  private posts: InstancedMesh[];
  private dashes: InstancedMesh;
  private dummy = new Object3D();
  // A flat surface has one shade: it is computed here and not for every pixel, which is
  // most of the picture.
  private asphalt = new MeshBasicMaterial({ side: DoubleSide });
  private line = new MeshBasicMaterial({ side: DoubleSide });
  private dash = new MeshBasicMaterial(); // of instances: a material used both ways is compiled again and again
  private rail = new MeshLambertMaterial({ side: DoubleSide });
  private post = new MeshBasicMaterial();
  private verge = new MeshBasicMaterial({ side: DoubleSide });
  private lanes = 1;
  private width = 3.4;

  constructor() {
    const right = (): number => -(this.lanes - 0.5) * this.width;
    const left = (): number => 0.5 * this.width;
    this.ribbon(this.verge, () => [right() - 300, right() - SHOULDER], 0);
    this.ribbon(this.verge, () => [left() + SHOULDER, left() + 300], 0);
    this.ribbon(this.asphalt, () => [right() - SHOULDER, left() + SHOULDER], 0);
    this.ribbon(this.line, () => [left() - 0.06, left() + 0.06], 0.012);
    this.ribbon(this.line, () => [right() - 0.06, right() + 0.06], 0.012);
    this.walls = [this.wall(() => left() + SHOULDER), this.wall(() => right() - SHOULDER)];
    this.posts = [0, 1].map(() => new InstancedMesh(new BoxGeometry(0.14, 0.08, 0.62), this.post, POSTS));
    this.dashes = new InstancedMesh(new PlaneGeometry(3, 0.12), this.dash, DASHES);
    for (const m of [...this.posts, this.dashes]) {
      m.frustumCulled = false;
      this.group.add(m);
    }
  }

  repaint(): void {
    const p = palette();
    const dark = p.dark;
    this.asphalt.color = new Color(dark ? "#232932" : "#c9ced6").multiply(FLAT);
    this.line.color = this.dash.color = new Color(dark ? "#8a94a3" : "#ffffff").multiply(FLAT);
    this.rail.color = new Color(dark ? "#3f4855" : "#a2abb8");
    this.post.color = this.rail.color.clone().multiply(FLAT).multiplyScalar(0.45); // the sides of a post, in the mean
    this.verge.color = new Color(dark ? "#11151a" : "#e4e8ec").multiply(FLAT);
  }

  private ribbon(material: MeshBasicMaterial, y: () => [number, number], z: number): void {
    this.ribbons.push({ mesh: this.strip(material), y, z });
  }

  // The beam of a barrier: a standing ribbon, 0.45 to 0.75 m high.
  private wall(y: () => number): Mesh {
    const mesh = this.strip(this.rail);
    this.ribbons.push({ mesh, y: () => [y(), y()], z: 0.6 });
    return mesh;
  }

  // A barrier between the camera and the road is left out.
  seenFrom(y: number): void {
    this.walls[0]!.visible = this.posts[0]!.visible = y < 0.5 * this.width + SHOULDER;
    this.walls[1]!.visible = this.posts[1]!.visible = y > -(this.lanes - 0.5) * this.width - SHOULDER;
  }

  private strip(material: MeshLambertMaterial | MeshBasicMaterial): Mesh {
    const g = new BufferGeometry();
    g.setAttribute("position", new BufferAttribute(new Float32Array(POINTS * 2 * 3), 3));
    const normal = new Float32Array(POINTS * 2 * 3);
    for (let k = 2; k < normal.length; k += 3) normal[k] = 1;
    g.setAttribute("normal", new BufferAttribute(normal, 3));
    const index: number[] = [];
    for (let k = 0; k + 1 < POINTS; k++) index.push(2 * k, 2 * k + 2, 2 * k + 1, 2 * k + 1, 2 * k + 2, 2 * k + 3);
    g.setIndex(index);
    const mesh = new Mesh(g, material);
    mesh.frustumCulled = false;
    this.group.add(mesh);
    return mesh;
  }

  // z: height of the road at x, `exaggerated` times. origin: m at x = 0 of the picture.
  update(
    world: World,
    origin: number,
    focus: number,
    markers: number,
    exaggerated: number,
    z: (x: number) => number,
  ): void {
    const m = this.made;
    if (
      m.road !== world.road ||
      m.markers !== markers ||
      m.exaggerated !== exaggerated ||
      !(Math.abs(focus - m.focus) < REACH)
    ) {
      m.road = world.road;
      m.markers = markers;
      m.exaggerated = exaggerated;
      m.focus = focus;
      m.origin = origin;
      m.z = z(origin);
      this.make(world, origin, focus, markers, z);
    }
    this.group.position.set(m.origin - origin, 0, z(m.origin) - m.z);
  }
  private made = { road: null as Road | null, markers: 0, exaggerated: 0, focus: NaN, origin: 0, z: 0 };

  private make(world: World, origin: number, focus: number, markers: number, z: (x: number) => number): void {
    this.lanes = Math.max(1, world.road.lanes);
    this.width = world.road.lane_width > 0 ? world.road.lane_width : 3.4;
    const from = Math.floor((focus - BEHIND) / STEP) * STEP;
    for (const r of this.ribbons) {
      const p = r.mesh.geometry.getAttribute("position") as BufferAttribute;
      const [a, b] = r.y();
      const tall = a === b ? 0.15 : 0;
      for (let k = 0; k < POINTS; k++) {
        const x = from + k * STEP;
        const h = z(x) + r.z;
        p.setXYZ(2 * k, x - origin, a, h - tall);
        p.setXYZ(2 * k + 1, x - origin, b, h + tall);
      }
      p.needsUpdate = true;
    }
    this.putPosts(origin, focus, z);
    this.putDashes(origin, focus, markers, z);
  }

  private putPosts(origin: number, focus: number, z: (x: number) => number): void {
    const d = this.dummy;
    const first = Math.floor((focus - 120) / POST);
    this.posts.forEach((posts, side) => {
      const y = side === 0 ? 0.5 * this.width + SHOULDER + 0.06 : -(this.lanes - 0.5) * this.width - SHOULDER - 0.06;
      for (let k = 0; k < POSTS; k++) {
        const x = (first + k) * POST;
        d.position.set(x - origin, y, z(x) + 0.31);
        d.updateMatrix();
        posts.setMatrixAt(k, d.matrix);
      }
      posts.instanceMatrix.needsUpdate = true;
    });
  }

  private putDashes(origin: number, focus: number, markers: number, z: (x: number) => number): void {
    const d = this.dummy;
    const step = Math.max(4, markers);
    const from = Math.floor((focus - 160) / step) * step;
    let n = 0;
    for (let lane = 1; lane < this.lanes; lane++) {
      for (let x = from; x < focus + AHEAD && n < DASHES; x += step) {
        d.position.set(x + 1.5 - origin, -(lane - 0.5) * this.width, z(x) + 0.016);
        d.updateMatrix();
        this.dashes.setMatrixAt(n++, d.matrix);
      }
    }
    this.dashes.count = n;
    this.dashes.instanceMatrix.needsUpdate = true;
  }
}
