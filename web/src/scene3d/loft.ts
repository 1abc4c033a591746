// loft.ts - a vehicle's body as one lofted skin.
//
// Stations run from the nose (u = 0) to the tail (u = 1). Half a section has, from the sill upwards:
//   side   sill to belt     widest at zm, tumblehome above, tucked in below
//   ledge  belt to glass    a step of 2 cm that catches light
//   house  glass to rail    straight, then a rounded corner
//   top    rail to middle   crowned: roof, bonnet, boot, windscreen, rear window
// The sill climbs over the wheels: arches are circular openings with a wheel house behind them, and stations are dense
// there. Nose and tail are closed by patches. Texture coordinates are projections from the side, above, front and rear
// onto a sheet in metres (sheet.ts). Metres; x forward, y left, z up.
import { clamp, smooth } from "./noise.ts";
import type { Mesher, Point, Uv } from "./mesher.ts";

export type Curve = (t: number) => number;

// Cubic through the points without overshoot: a bonnet stays flat beside a windscreen.
export function curve(points: [number, number][]): Curve {
  const n = points.length;
  const x = points.map((p) => p[0]);
  const y = points.map((p) => p[1]);
  const d = points.slice(1).map((_, i) => (y[i + 1] - y[i]) / (x[i + 1] - x[i]));
  const m = new Array<number>(n).fill(0);
  m[0] = d[0];
  m[n - 1] = d[n - 2];
  for (let i = 1; i < n - 1; i++) {
    if (d[i - 1] * d[i] <= 0) continue;
    const h0 = x[i] - x[i - 1];
    const h1 = x[i + 1] - x[i];
    const w0 = 2 * h1 + h0;
    const w1 = h1 + 2 * h0;
    m[i] = (w0 + w1) / (w0 / d[i - 1] + w1 / d[i]);
  }
  return (t) => {
    if (t <= x[0]) return y[0];
    if (t >= x[n - 1]) return y[n - 1];
    let i = 0;
    while (t > x[i + 1]) i++;
    const h = x[i + 1] - x[i];
    const s = (t - x[i]) / h;
    const s2 = s * s;
    const s3 = s2 * s;
    return (
      y[i] * (2 * s3 - 3 * s2 + 1) +
      h * m[i] * (s3 - 2 * s2 + s) +
      y[i + 1] * (3 * s2 - 2 * s3) +
      h * m[i + 1] * (s3 - s2)
    );
  };
}

export interface Wheel {
  r: number; // m
  w: number;
  rim: number;
  track: number;
  offroad?: boolean;
  steel?: boolean;
}

// Proportions of a body. Curves are over u; heights are shares of H, half widths shares of W / 2.
export interface Proportions {
  L: number;
  W: number;
  H: number;
  x0?: number; // m, the foremost point; else L / 2
  wheel: Wheel;
  axles: number[]; // m, x
  arch: number; // m, radius
  archUp?: number;
  floor: number; // m above the road
  tuck: number; // m, the sill rises at both ends
  zm: number; // where it is widest
  crease: number; // degrees
  zc: Curve; // crown
  zs: Curve; // belt
  yr: Curve; // roof rail
  q: Curve; // height of the rail between belt and crown
  w: Curve; // plan
  nose: Curve; // m over z / H
  tail: Curve;
  keys: number[];
  screen: [number, number];
  back: [number, number] | null;
  windows: [number, number];
  pillars: [number, number][];
  doors: number[];
  hatch?: boolean;
  bedFrom?: number;
  bed?: (u: number, y: number, z: number, body: Loft) => Point;
  bowF?: number;
  bowR?: number;
  inset?: number;
  k1?: number;
  k2?: number;
  flare?: number;
  cornerA?: number;
  cornerC?: number;
  steep?: number;
}

const USUAL = {
  bowF: 0.07,
  bowR: 0.05,
  inset: 0.02,
  k1: 0.06,
  k2: 0.05,
  flare: 0.016,
  cornerA: 0.3,
  cornerC: 0.25,
  steep: 1,
  archUp: 0,
};

export interface Projections {
  side(x: number, z: number): Uv;
  top(x: number, y: number): Uv;
  front(y: number, z: number): Uv;
  rear(y: number, z: number): Uv;
  swatch(name: string): Uv;
}
type Strip = "under" | "side" | "ledge" | "house" | "top" | "front" | "rear";
type Section = Record<"under" | "side" | "ledge" | "house" | "top", Point[]>;
type Patch = (strip: Strip, a: Point, b: Point, c: Point, d: Point) => void;
const ROWS = [
  { side: 5, house: 2, top: 2 },
  { side: 3, house: 1, top: 1 },
  { side: 1, house: 1, top: 1 },
];

export class Loft {
  readonly p: Proportions & typeof USUAL & { x0: number };
  readonly length: number; // between the first and the last station

  constructor(p: Proportions) {
    this.p = { ...USUAL, x0: p.L / 2, ...p };
    this.length = p.L - this.p.bowF - this.p.bowR;
  }

  x(u: number): number {
    return this.p.x0 - this.p.bowF - u * this.length;
  }
  u(x: number): number {
    return (this.p.x0 - this.p.bowF - x) / this.length;
  }
  half(u: number): number {
    return (this.p.W / 2) * this.p.w(u);
  }
  belt(u: number): number {
    return this.p.zs(u) * this.p.H;
  }
  crown(u: number): number {
    return this.p.zc(u) * this.p.H;
  }

  // Half width of the side at height z, a little flared around each arch.
  side(u: number, z: number): number {
    const p = this.p;
    const zm = p.zm * p.H;
    const over = clamp((z - zm) / Math.max(this.belt(u) - zm, 0.05), 0, 1.3);
    let y = this.half(u) - (z < zm ? p.k1 * ((zm - z) / (zm - p.floor)) ** 2 : p.k2 * over ** 1.7);
    for (const a of p.axles) {
      const d = Math.hypot(this.x(u) - a, z - p.wheel.r);
      y += p.flare * Math.exp(-(((d - p.arch) / 0.08) ** 2));
    }
    return y;
  }

  // The lower edge: the sill, or the arch above a wheel.
  sill(u: number): number {
    const p = this.p;
    let z = p.floor + this.lift(u);
    for (const a of p.axles) {
      const dx = Math.abs(this.x(u) - a);
      if (dx < p.arch) z = Math.max(z, p.wheel.r + p.archUp + Math.sqrt(p.arch ** 2 - dx * dx));
    }
    return Math.min(z, this.belt(u) - 0.04);
  }
  private lift(u: number): number {
    return this.p.tuck * (smooth(0.08, 0, u) * 0.5 + smooth(0.9, 1, u));
  }

  // Where roof and side meet: y, z.
  rail(u: number): Point {
    const zb = this.belt(u);
    const y = Math.min((this.p.yr(u) * this.p.W) / 2, this.side(u, zb) - 0.012);
    return [y, zb + (this.crown(u) - zb) * this.p.q(u)];
  }

  // A point of the skin with the shape of nose and tail.
  place(u: number, y: number, z: number): Point {
    const p = this.p;
    const s = u * this.length;
    const r = (1 - u) * this.length;
    const f = Math.min(1, Math.abs(y) / this.half(u));
    const b = 1 - f * f;
    const x =
      this.x(u) +
      p.bowF * b * Math.exp(-s / 0.45) +
      p.nose(z / p.H) * Math.exp(-s / 0.28) -
      p.bowR * b * Math.exp(-r / 0.45) -
      p.tail(z / p.H) * Math.exp(-r / 0.28);
    return [x, y, z];
  }

  // Half a section: strips of (y, z) that share their ends.
  private section(u: number, rows: (typeof ROWS)[number]): Section {
    const p = this.p;
    const zb = this.sill(u);
    const zt = this.belt(u);
    const side: Point[] = [];
    for (let i = 0; i <= rows.side; i++) {
      const t = i / rows.side;
      const z = zb + (zt - zb) * (t * (1.25 - 0.25 * t));
      side.push([this.side(u, z), z]);
    }
    const zc = this.crown(u);
    const glass = smooth(0.05, 0.16, zc - zt);
    const a = [this.side(u, zt) - p.inset * glass - 0.002, zt + 0.012 * glass + 0.001];
    const B = this.rail(u);
    const roof = (y: number): number => zc - (zc - B[1]) * clamp(y / B[0]) ** 2.2;
    const B1 = [B[0] + (a[0] - B[0]) * p.cornerA, B[1] + (a[1] - B[1]) * p.cornerA];
    const y2 = B[0] * (1 - p.cornerC);
    const B2 = [y2, roof(y2)];
    const house = [a];
    for (let i = 1; i <= rows.house; i++) {
      const t = i / rows.house;
      house.push([a[0] + (B1[0] - a[0]) * t + 0.064 * glass * t * (1 - t), a[1] + (B1[1] - a[1]) * t]);
    }
    const bend = [
      0.25 * B1[0] + 0.5 * B[0] + 0.25 * B2[0],
      0.25 * B1[1] + 0.5 * (B[1] + 0.25 * (B2[1] - B[1])) + 0.25 * B2[1],
    ];
    house.push(bend);
    const top = [bend, B2];
    for (let i = 1; i <= rows.top; i++) {
      const y = y2 * (1 - i / rows.top);
      top.push(p.bed ? p.bed(u, y, roof(y), this) : [y, roof(y)]);
    }
    if (p.bed) top[1] = p.bed(u, top[1][0], top[1][1], this);
    // Below: lip, wall of the wheel house, floor.
    const inner = Math.min(p.wheel.track / 2 - p.wheel.w * 0.75, side[0][0] - 0.03);
    const floor = p.floor + this.lift(u);
    const under = [
      [0, floor],
      [inner, floor],
      [inner, zb],
      [side[0][0], zb],
    ];
    return { under, side, ledge: [side[rows.side], a], house, top };
  }

  private stations(quality: number): number[] {
    const p = this.p;
    const list = [0, 1, ...(quality === 2 ? p.keys.filter((_, i) => p.bed || i % 2) : p.keys)];
    const n = [8, 4, 0][quality];
    if (quality === 0) list.push(0.006, 0.018, 0.04, 0.075, 0.994, 0.982, 0.96, 0.93);
    if (quality === 1) list.push(0.02, 0.98);
    for (const a of n ? p.axles : []) {
      const t0 = Math.asin(clamp((p.floor - p.wheel.r - p.archUp) / p.arch, -1, 1));
      for (let i = 0; i <= n; i++) list.push(this.u(a + p.arch * Math.cos(t0 + ((Math.PI - 2 * t0) * i) / n) * 0.9999));
      list.push(this.u(a + p.arch * 1.06), this.u(a - p.arch * 1.06));
    }
    const arches = list.filter((u) => p.axles.some((a) => Math.abs(this.x(u) - a) < p.arch * 1.01));
    const rest = list.filter((u) => !arches.includes(u) && !arches.some((v) => Math.abs(u - v) < 0.006));
    const out: number[] = [];
    for (const u of [...arches, ...rest].filter((v) => v >= 0 && v <= 1).sort((a, b) => a - b))
      if (!out.length || u - out[out.length - 1] > (quality === 2 ? 0.012 : 0.0035)) out.push(u);
    return out;
  }

  // Adds the skin. quality: 0 near, 1 middle, 2 far.
  mesh(m: Mesher, sheet: Projections, quality: number): void {
    const st = this.stations(quality);
    const sections = st.map((u) => this.section(u, ROWS[quality]));
    const dark = sheet.swatch("dark");
    const patch: Patch = (strip, a, b, c, d) => {
      for (const s of [1, -1]) {
        const q = [a, b, c, d].map((v) => [v[0], v[1] * s, v[2]]);
        if (s < 0) q.reverse();
        m.quad(q, strip === "under" ? [dark, dark, dark, dark] : this.project(strip, q, sheet));
      }
    };
    for (let i = 0; i + 1 < st.length; i++)
      for (const strip of ["under", "side", "ledge", "house", "top"] as const) {
        const A = sections[i][strip];
        const B = sections[i + 1][strip];
        const on = (u: number, q: Point): Point => this.place(u, q[0], q[1]);
        for (let j = 0; j + 1 < A.length; j++)
          patch(strip, on(st[i], A[j]), on(st[i + 1], B[j]), on(st[i + 1], B[j + 1]), on(st[i], A[j + 1]));
      }
    this.cap(patch, st[0], sections[0], 1);
    this.cap(patch, st[st.length - 1], sections[sections.length - 1], -1);
  }

  // Nose or tail: between the side, the upper section and the plane of symmetry; and the edge of the floor below.
  private cap(patch: Patch, u: number, s: Section, sign: number): void {
    const edge = [s.side[s.side.length - 1], ...s.house, ...s.top.slice(1)];
    const left = s.side;
    const zb = left[0][1];
    const [ya, za] = edge[0];
    const on = (r: number, k: number): Point =>
      this.place(u, (left[r][0] * edge[k][0]) / ya, zb + ((left[r][1] - zb) / (za - zb)) * (edge[k][1] - zb));
    for (let k = 0; k + 1 < edge.length; k++) {
      for (let r = 0; r + 1 < left.length; r++) {
        const c = [on(r, k), on(r, k + 1), on(r + 1, k + 1), on(r + 1, k)];
        if (sign > 0) c.reverse();
        patch(sign > 0 ? "front" : "rear", c[0], c[1], c[2], c[3]);
      }
      const a = on(0, k);
      const b = on(0, k + 1);
      const c = [a, b, [b[0] - sign * 0.12, b[1], this.p.floor], [a[0] - sign * 0.12, a[1], this.p.floor]];
      if (sign < 0) c.reverse();
      patch("under", c[0], c[1], c[2], c[3]);
    }
  }

  // The view a patch is painted in: by its strip and by where it faces.
  private project(strip: Strip, q: Point[], sheet: Projections): Uv[] {
    const a = q[2].map((v, k) => v - q[0][k]);
    const b = q[3].map((v, k) => v - q[1][k]);
    const n = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    const l = Math.hypot(n[0], n[1], n[2]) || 1;
    const nx = n[0] / l;
    const end = nx > 0 ? "front" : "rear";
    const view =
      strip === "top"
        ? Math.abs(nx) > Math.abs(n[2] / l) * this.p.steep
          ? end
          : "top"
        : strip === "front" || strip === "rear"
          ? strip
          : Math.abs(nx) > 0.78
            ? end
            : "side";
    return q.map((v) =>
      view === "side"
        ? sheet.side(v[0], v[2])
        : view === "top"
          ? sheet.top(v[0], Math.abs(v[1]))
          : view === "front"
            ? sheet.front(v[1], v[2])
            : sheet.rear(v[1], v[2]),
    );
  }
}
