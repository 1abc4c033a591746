// mesh3d.ts - simple shapes of the 3-D view, made once: a far car of unit length, width and height, the material ball that
// becomes a deformable body, a wheel.
//
// Axes as everywhere: x forward, y left, z up. Colours sit on the vertices: white takes the car's
// colour, dark stays dark (glass, tyres), so one instanced mesh draws all cars.

import { BufferAttribute, BufferGeometry, LatheGeometry, SphereGeometry, Vector2 } from "three";

type Paint = [number, number, number];
const BODY: Paint = [1, 1, 1];
const GLASS: Paint = [0.05, 0.07, 0.1];
const TYRE: Paint = [0.06, 0.06, 0.07];
const LAMP: Paint = [0.75, 0.08, 0.14];
const LIGHT: Paint = [0.95, 0.95, 0.85];

class Builder {
  position: number[] = [];
  colour: number[] = [];
  index: number[] = [];
  point(x: number, y: number, z: number, c: Paint): number {
    this.position.push(x, y, z);
    this.colour.push(...c);
    return this.position.length / 3 - 1;
  }
  face(p: [number, number, number][], c: Paint): void {
    const k = p.map(([x, y, z]) => this.point(x, y, z, c));
    for (let i = 2; i < k.length; i++) this.index.push(k[0]!, k[i - 1]!, k[i]!);
  }
  done(): BufferGeometry {
    const g = new BufferGeometry();
    g.setAttribute("position", new BufferAttribute(new Float32Array(this.position), 3));
    g.setAttribute("color", new BufferAttribute(new Float32Array(this.colour), 3));
    g.setIndex(this.index);
    g.computeVertexNormals();
    return g;
  }
}

// From afar: two boxes.
export function farShape(): BufferGeometry {
  const b = new Builder();
  box(b, -0.5, 0.5, -0.5, 0.5, 0.12, 0.6, BODY);
  box(b, -0.28, 0.16, -0.4, 0.4, 0.6, 1, GLASS);
  return b.done();
}

function box(b: Builder, x0: number, x1: number, y0: number, y1: number, z0: number, z1: number, c: Paint): void {
  b.face(
    [
      [x0, y0, z1],
      [x1, y0, z1],
      [x1, y1, z1],
      [x0, y1, z1],
    ],
    c,
  );
  b.face(
    [
      [x0, y0, z0],
      [x1, y0, z0],
      [x1, y0, z1],
      [x0, y0, z1],
    ],
    c,
  );
  b.face(
    [
      [x1, y1, z0],
      [x0, y1, z0],
      [x0, y1, z1],
      [x1, y1, z1],
    ],
    c,
  );
  b.face(
    [
      [x0, y1, z0],
      [x0, y0, z0],
      [x0, y0, z1],
      [x0, y1, z1],
    ],
    c,
  );
  b.face(
    [
      [x1, y0, z0],
      [x1, y1, z0],
      [x1, y1, z1],
      [x1, y0, z1],
    ],
    c,
  );
}

// The material of a deformable body: the unit ball with windows painted on it, so that strain shows.
export function ballShape(): BufferGeometry {
  const g = new SphereGeometry(1, 72, 48);
  g.rotateX(Math.PI / 2); // poles along z
  const p = g.getAttribute("position");
  const colour = new Float32Array(p.count * 3);
  for (let k = 0; k < p.count; k++) {
    const c = skin(p.getX(k), p.getY(k), p.getZ(k));
    colour.set(c, 3 * k);
  }
  g.setAttribute("color", new BufferAttribute(colour, 3));
  return g;
}

function skin(x: number, y: number, z: number): Paint {
  const round = Math.atan2(y, x); // 0 forward
  if (z > 0.3 && z < 0.66) {
    const sides = Math.abs(Math.abs(round) - Math.PI / 2); // 0 straight to a side
    const post = Math.abs(sides - 0.42) < 0.05 || Math.abs(sides - 1.02) < 0.06 || sides < 0.035;
    return post ? BODY : GLASS;
  }
  if (z > -0.12 && z < 0.08 && Math.abs(y) > 0.3 && Math.abs(y) < 0.62) {
    if (x > 0.7) return LIGHT;
    if (x < -0.7) return LAMP;
  }
  return z < -0.62 ? [0.16, 0.17, 0.19] : BODY;
}

export function wheelShape(): BufferGeometry {
  const g = new LatheGeometry(
    [
      [0, 0.11],
      [0.19, 0.1],
      [0.2, 0.11],
      [0.3, 0.11],
      [0.32, 0.09],
      [0.32, -0.09],
      [0.3, -0.11],
      [0.2, -0.11],
      [0.19, -0.1],
      [0, -0.11],
    ].map(([r, y]) => new Vector2(r, y)),
    24,
  );
  const p = g.getAttribute("position");
  const colour = new Float32Array(p.count * 3);
  const n = g.getAttribute("normal");
  const rim = (k: number): boolean => Math.abs(n.getY(k)) > 0.9 && Math.hypot(p.getX(k), p.getZ(k)) < 0.25;
  for (let k = 0; k < p.count; k++) colour.set(rim(k) ? [0.6, 0.63, 0.68] : TYRE, 3 * k);
  g.setAttribute("color", new BufferAttribute(colour, 3));
  return g;
}
