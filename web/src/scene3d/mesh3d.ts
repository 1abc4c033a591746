// mesh3d.ts - shapes of the 3-D view, made once: a car of unit length, width and height, a far car,
// the material ball that becomes a deformable body, a wheel.
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
  quad(a: number, b: number, c: number, d: number): void {
    this.index.push(a, b, c, a, c, d);
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

// Outline from the side: stations along x with half width, height of the waist and of the roof.
const STATIONS = [
  [-0.5, 0.4, 0.52, 0.52],
  [-0.47, 0.47, 0.6, 0.6],
  [-0.36, 0.5, 0.62, 0.63],
  [-0.27, 0.5, 0.63, 0.9],
  [-0.1, 0.5, 0.63, 1.0],
  [0.04, 0.5, 0.62, 0.98],
  [0.19, 0.5, 0.61, 0.62],
  [0.36, 0.49, 0.56, 0.57],
  [0.46, 0.44, 0.5, 0.5],
  [0.5, 0.34, 0.42, 0.42],
] as const;
const SILL = 0.16;

// A saloon in a unit box on the ground: x -0.5 .. 0.5, y -0.5 .. 0.5, z 0 .. 1.
export function carShape(): BufferGeometry {
  const b = new Builder();
  for (let k = 0; k + 1 < STATIONS.length; k++) {
    const [x0, w0, m0, r0] = STATIONS[k]!;
    const [x1, w1, m1, r1] = STATIONS[k + 1]!;
    const cabin = r0 - m0 > 0.2 || r1 - m1 > 0.2;
    for (const s of [-1, 1]) {
      side(
        b,
        [
          [x0, s * w0, SILL],
          [x1, s * w1, SILL],
          [x1, s * w1, m1],
          [x0, s * w0, m0],
        ],
        s,
        BODY,
      );
      if (cabin)
        side(
          b,
          [
            [x0, s * w0, m0],
            [x1, s * w1, m1],
            [x1, s * w1 * 0.78, r1],
            [x0, s * w0 * 0.78, r0],
          ],
          s,
          pillar(k) ? BODY : GLASS,
        );
    }
    const c = cabin ? 0.78 : 1;
    const steep = Math.abs(r1 - r0) > 0.2;
    b.face(
      [
        [x0, -w0 * (cabin ? c : 1), r0],
        [x1, -w1 * (cabin ? c : 1), r1],
        [x1, w1 * (cabin ? c : 1), r1],
        [x0, w0 * (cabin ? c : 1), r0],
      ],
      steep ? GLASS : BODY,
    );
  }
  ends(b);
  for (const x of [-0.31, 0.31]) for (const s of [-1, 1]) wheel(b, x, s * 0.47, 0.225, 0.06, 0.22);
  return b.done();
}
function pillar(k: number): boolean {
  return k === 2;
}

function side(b: Builder, p: [number, number, number][], s: number, c: Paint): void {
  b.face(s > 0 ? p.reverse() : p, c);
}

function ends(b: Builder): void {
  const [xr, wr, mr] = STATIONS[0]!;
  const [xf, wf, mf] = STATIONS[STATIONS.length - 1]!;
  b.face(
    [
      [xr, wr, SILL],
      [xr, -wr, SILL],
      [xr, -wr, mr],
      [xr, wr, mr],
    ],
    BODY,
  );
  b.face(
    [
      [xf, -wf, SILL],
      [xf, wf, SILL],
      [xf, wf, mf],
      [xf, -wf, mf],
    ],
    BODY,
  );
  for (const s of [-1, 1]) {
    b.face(
      order(
        [
          [xr - 0.002, s * wr, 0.36],
          [xr - 0.002, s * wr * 0.55, 0.36],
          [xr - 0.002, s * wr * 0.55, 0.48],
          [xr - 0.002, s * wr, 0.48],
        ],
        -s,
      ),
      LAMP,
    );
    b.face(
      order(
        [
          [xf + 0.002, s * wf, 0.3],
          [xf + 0.002, s * wf * 0.6, 0.3],
          [xf + 0.002, s * wf * 0.6, 0.39],
          [xf + 0.002, s * wf, 0.39],
        ],
        s,
      ),
      LIGHT,
    );
  }
}
function order(p: [number, number, number][], s: number): [number, number, number][] {
  return s > 0 ? p.reverse() : p;
}

// A tyre of radius r (of the height), seen from the side; xr is the radius in lengths.
function wheel(b: Builder, x: number, y: number, r: number, xr: number, wide: number): void {
  const n = 14;
  const s = Math.sign(y);
  const out = y + s * 0.035;
  const inside = y - s * wide * 0.5;
  const rim: number[] = [];
  const back: number[] = [];
  for (let k = 0; k < n; k++) {
    const a = (2 * Math.PI * k) / n;
    rim.push(b.point(x + xr * Math.cos(a), out, r + r * Math.sin(a), TYRE));
    back.push(b.point(x + xr * Math.cos(a), inside, r + r * Math.sin(a), TYRE));
  }
  const hub = b.point(x, out + s * 0.004, r, [0.55, 0.58, 0.62]);
  for (let k = 0; k < n; k++) {
    const m = (k + 1) % n;
    if (s > 0) {
      b.quad(rim[k]!, back[k]!, back[m]!, rim[m]!);
      b.index.push(hub, rim[m]!, rim[k]!);
    } else {
      b.quad(rim[m]!, back[m]!, back[k]!, rim[k]!);
      b.index.push(hub, rim[k]!, rim[m]!);
    }
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
