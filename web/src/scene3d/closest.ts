// closest.ts - the two nearest points of two bodies, ellipsoids or boxes.
//
// A body is c + A u: u in the unit ball (an ellipsoid) or in the cube of half side 1 (a box), the
// columns of A its semi-axes. The distance |c1 + A1 u - c2 - A2 v| is convex in (u, v). It is
// minimised by a projected gradient with Nesterov's steps, restarted whenever they lead uphill.

export class Solid {
  c = new Float64Array(3);
  a = new Float64Array(9); // row major
  round = false;

  // A box that stands upright: half length, half width, half height, heading.
  box(x: number, y: number, z: number, psi: number, l: number, w: number, h: number): this {
    const co = Math.cos(psi);
    const si = Math.sin(psi);
    const a = this.a;
    this.c[0] = x;
    this.c[1] = y;
    this.c[2] = z;
    a[0] = co * l;
    a[1] = -si * w;
    a[2] = 0;
    a[3] = si * l;
    a[4] = co * w;
    a[5] = 0;
    a[6] = 0;
    a[7] = 0;
    a[8] = h;
    this.round = false;
    return this;
  }

  ellipsoid(x: number, y: number, z: number, axes: ArrayLike<number>): this {
    this.c[0] = x;
    this.c[1] = y;
    this.c[2] = z;
    for (let k = 0; k < 9; k++) this.a[k] = axes[k]!;
    this.round = true;
    return this;
  }
}

const STEPS = 400;
const ENOUGH = 1e-9;

export class Closest {
  p = new Float64Array(3); // on the first
  q = new Float64Array(3); // on the second
  distance = 0;
  private u = new Float64Array(6);
  private y = new Float64Array(6);
  private next = new Float64Array(6);
  private r = new Float64Array(3);

  solve(one: Solid, two: Solid): number {
    const { u, y, next } = this;
    if (straight(one) && straight(two)) return this.beside(one, two);
    u.fill(0);
    y.fill(0);
    const step = 1 / Math.max(1e-12, size(one.a) + size(two.a));
    let t = 1;
    for (let k = 0; k < STEPS; k++) {
      this.residual(one, two, y);
      descend(next, y, 0, one.a, this.r, -step);
      descend(next, y, 3, two.a, this.r, step);
      keep(next, 0, one.round);
      keep(next, 3, two.round);
      let uphill = 0;
      let moved = 0;
      for (let i = 0; i < 6; i++) {
        uphill += (y[i]! - next[i]!) * (next[i]! - u[i]!);
        moved = Math.max(moved, Math.abs(next[i]! - u[i]!));
      }
      const t1 = uphill > 0 ? 1 : 0.5 * (1 + Math.sqrt(1 + 4 * t * t));
      const m = uphill > 0 ? 0 : (t - 1) / t1;
      for (let i = 0; i < 6; i++) {
        y[i] = next[i]! + m * (next[i]! - u[i]!);
        u[i] = next[i]!;
      }
      t = t1;
      if (moved < ENOUGH) break;
    }
    this.residual(one, two, u);
    return (this.distance = Math.hypot(this.r[0]!, this.r[1]!, this.r[2]!));
  }

  // Two boxes along the axes: each coordinate for itself; where they overlap in one, the middle of that.
  private beside(one: Solid, two: Solid): number {
    let sum = 0;
    for (let i = 0; i < 3; i++) {
      const c = one.c[i]!;
      const d = two.c[i]!;
      const p = one.a[4 * i]!;
      const q = two.a[4 * i]!;
      const low = Math.max(c - p, d - q);
      const high = Math.min(c + p, d + q);
      this.p[i] = low <= high ? 0.5 * (low + high) : c < d ? c + p : c - p;
      this.q[i] = low <= high ? 0.5 * (low + high) : c < d ? d - q : d + q;
      sum += (this.p[i]! - this.q[i]!) ** 2;
    }
    return (this.distance = Math.sqrt(sum));
  }

  // r = p - q, with p and q of z.
  private residual(one: Solid, two: Solid, z: Float64Array): void {
    for (let i = 0; i < 3; i++) {
      this.p[i] = one.c[i]! + one.a[3 * i]! * z[0]! + one.a[3 * i + 1]! * z[1]! + one.a[3 * i + 2]! * z[2]!;
      this.q[i] = two.c[i]! + two.a[3 * i]! * z[3]! + two.a[3 * i + 1]! * z[4]! + two.a[3 * i + 2]! * z[5]!;
      this.r[i] = this.p[i]! - this.q[i]!;
    }
  }
}

function straight(s: Solid): boolean {
  return !s.round && Math.abs(s.a[3]!) < 1e-6 * s.a[0]!;
}
function size(a: Float64Array): number {
  let s = 0;
  for (let k = 0; k < 9; k++) s += a[k]! * a[k]!;
  return s;
}

function descend(out: Float64Array, y: Float64Array, at: number, a: Float64Array, r: Float64Array, step: number): void {
  for (let j = 0; j < 3; j++) out[at + j] = y[at + j]! + step * (a[j]! * r[0]! + a[3 + j]! * r[1]! + a[6 + j]! * r[2]!);
}

// Back into the ball, or the cube.
function keep(z: Float64Array, at: number, round: boolean): void {
  if (!round) {
    for (let j = at; j < at + 3; j++) z[j] = Math.max(-1, Math.min(1, z[j]!));
    return;
  }
  const n = Math.hypot(z[at]!, z[at + 1]!, z[at + 2]!);
  if (n > 1) for (let j = at; j < at + 3; j++) z[j]! /= n;
}
