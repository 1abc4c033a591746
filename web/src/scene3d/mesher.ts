// mesher.ts - collects triangles and gives a geometry: corners at one place share a normal up to a
// crease angle, equal corners one vertex.
import { BoxGeometry, BufferGeometry, Euler, Float32BufferAttribute, Matrix4, Quaternion, Vector3 } from "three";

export type Point = number[]; // x, y, z
export type Uv = number[]; // u, v
const NO_UV: Uv = [0, 0];
const GRID = 2500; // 1/m: corners nearer than 0.4 mm are one

interface Corner {
  p: Point;
  t: Uv;
  n: Point; // of its triangle, as long as twice its area
  e: Point | null; // what else its vertices carry, four numbers
  at: number; // key of its place
}

const keyOf = (p: Point): number =>
  ((Math.round(p[0] * GRID) + 32768) * 65536 + Math.round(p[1] * GRID) + 32768) * 65536 +
  Math.round(p[2] * GRID) +
  32768;

export class Mesher {
  private corners: Corner[] = [];

  get triangles(): number {
    return this.corners.length / 3;
  }

  tri(a: Point, b: Point, c: Point, ta = NO_UV, tb = NO_UV, tc = NO_UV, e: Point | null = null): void {
    const ux = b[0] - a[0];
    const uy = b[1] - a[1];
    const uz = b[2] - a[2];
    const vx = c[0] - a[0];
    const vy = c[1] - a[1];
    const vz = c[2] - a[2];
    const n = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    if (Math.hypot(n[0], n[1], n[2]) < 1e-9) return;
    this.corners.push(
      { p: a, t: ta, n, e, at: keyOf(a) },
      { p: b, t: tb, n, e, at: keyOf(b) },
      { p: c, t: tc, n, e, at: keyOf(c) },
    );
  }

  quad(p: Point[], t: Uv[] = [NO_UV, NO_UV, NO_UV, NO_UV], e: Point | null = null): void {
    this.tri(p[0], p[1], p[2], t[0], t[1], t[2], e);
    this.tri(p[0], p[2], p[3], t[0], t[2], t[3], e);
  }

  // A geometry of three.js, moved, all of it with one uv.
  add(geometry: BufferGeometry, matrix: Matrix4 | null, uv: Uv = NO_UV, e: Point | null = null): void {
    const g = geometry.index ? geometry.toNonIndexed() : geometry;
    const p = g.getAttribute("position");
    const q = new Vector3();
    for (let i = 0; i < p.count; i += 3) {
      const c = [0, 1, 2].map((k) => {
        q.fromBufferAttribute(p, i + k);
        if (matrix) q.applyMatrix4(matrix);
        return [q.x, q.y, q.z];
      });
      this.tri(c[0], c[1], c[2], uv, uv, uv, e);
    }
  }

  build(crease = 40): BufferGeometry {
    const limit = Math.cos((crease * Math.PI) / 180);
    const places = new Map<number, { normals: Point[]; made: number[] }>();
    for (const c of this.corners) {
      const at = places.get(c.at);
      if (at) at.normals.push(c.n);
      else places.set(c.at, { normals: [c.n], made: [] });
    }
    const position: number[] = [];
    const normal: number[] = [];
    const uv: number[] = [];
    const extra: number[] = [];
    const index: number[] = [];
    const more = this.corners.some((c) => c.e);
    for (const c of this.corners) {
      const at = places.get(c.at)!;
      const [x, y, z] = mean(c.n, at.normals, limit);
      let found = -1;
      for (const i of at.made)
        if (
          Math.abs(normal[3 * i] - x) + Math.abs(normal[3 * i + 1] - y) + Math.abs(normal[3 * i + 2] - z) < 0.02 &&
          Math.abs(uv[2 * i] - c.t[0]) + Math.abs(uv[2 * i + 1] - c.t[1]) < 2e-4 &&
          (!more || extra[4 * i] === (c.e?.[0] ?? 0))
        ) {
          found = i;
          break;
        }
      if (found < 0) {
        found = position.length / 3;
        at.made.push(found);
        position.push(c.p[0], c.p[1], c.p[2]);
        normal.push(x, y, z);
        uv.push(c.t[0], c.t[1]);
        if (more) extra.push(...(c.e ?? [0, 0, 0, 0]));
      }
      index.push(found);
    }
    const g = new BufferGeometry();
    g.setAttribute("position", new Float32BufferAttribute(position, 3));
    g.setAttribute("normal", new Float32BufferAttribute(normal, 3));
    g.setAttribute("uv", new Float32BufferAttribute(uv, 2));
    if (more) g.setAttribute("extra", new Float32BufferAttribute(extra, 4));
    g.setIndex(index);
    return g;
  }
}

// Mean of the normals at a place that differ from n by less than the crease angle, weighted by area.
function mean(n: Point, all: Point[], limit: number): Point {
  let x = 0;
  let y = 0;
  let z = 0;
  const l = Math.hypot(n[0], n[1], n[2]);
  for (const m of all) {
    const cosine = (n[0] * m[0] + n[1] * m[1] + n[2] * m[2]) / (l * Math.hypot(m[0], m[1], m[2]));
    if (cosine <= limit) continue;
    x += m[0];
    y += m[1];
    z += m[2];
  }
  const s = 1 / (Math.hypot(x, y, z) || 1);
  return [x * s, y * s, z * s];
}

// A box about the origin with bevelled edges, 44 triangles; plain below a bevel of 12 mm.
export function block(lx: number, ly: number, lz: number, bevel: number): BufferGeometry {
  const r = Math.min(bevel, lx / 3, ly / 3, lz / 3);
  if (bevel <= 0.012) return new BoxGeometry(lx, ly, lz);
  const m = new Mesher();
  const half = [lx / 2, ly / 2, lz / 2];
  // The corner of signs s, drawn back from the face k.
  const corner = (s: number[], k: number): Point => s.map((v, d) => v * (half[d] - (d === k ? 0 : r)));
  for (let k = 0; k < 3; k++) {
    const a = (k + 1) % 3;
    const b = (k + 2) % 3;
    const signs = (u: number, v: number, w: number): number[] => {
      const s = [0, 0, 0];
      s[k] = u;
      s[a] = v;
      s[b] = w;
      return s;
    };
    for (const side of [1, -1]) {
      const c = [signs(side, -1, -1), signs(side, 1, -1), signs(side, 1, 1), signs(side, -1, 1)];
      const face = c.map((s) => corner(s, k));
      m.quad(side < 0 ? face.reverse() : face);
    }
    for (const v of [-1, 1])
      for (const w of [-1, 1]) {
        const c = [
          corner(signs(-1, v, w), a),
          corner(signs(1, v, w), a),
          corner(signs(1, v, w), b),
          corner(signs(-1, v, w), b),
        ];
        m.quad(v * w < 0 ? c : c.reverse());
      }
  }
  for (const sx of [-1, 1])
    for (const sy of [-1, 1])
      for (const sz of [-1, 1]) {
        const c = [0, 1, 2].map((k) => corner([sx, sy, sz], k));
        if (sx * sy * sz < 0) c.reverse();
        m.tri(c[0], c[1], c[2]);
      }
  return m.build(30);
}

// A place, with angles about x, y, z.
export function at(x: number, y: number, z: number, rx = 0, ry = 0, rz = 0): Matrix4 {
  return new Matrix4().compose(
    new Vector3(x, y, z),
    new Quaternion().setFromEuler(new Euler(rx, ry, rz)),
    new Vector3(1, 1, 1),
  );
}
