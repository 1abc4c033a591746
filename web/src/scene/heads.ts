// heads.ts - how far the two heads under the sunroof lean: an intuitive display of acceleration and
// jerk.
//
// Offset from the seat, forward positive, m:
//     passenger   p'' + 2 z w p' + w^2 p = -a(t)
//     driver      d'' + 2 z w d' + w^2 d = -T j(t)      (holds the wheel: feels jerk only)
// At constant a the passenger leans by -a/w^2, the driver sits straight.
//
// A pose is a function of simulated time, not of how the page came there: the law is run over the
// last WINDOW seconds of a(t) and j(t). It starts at rest under the first value (p = -a/w^2, d =
// -T j/w^2), and what it forgets of earlier times has decayed by exp(-z w WINDOW) = 0.5 %.
// Between samples the input is a straight line; for that input the step is exact: with u(t) = u0 +
// m t the particular solution is q = u0/w^2 - 2 z m/w^3 + m t/w^2 and the rest is a damped
// oscillation, so the length of the samples' steps does not matter.

export interface HeadLaw {
  w: number;
  z: number;
  T: number;
}
export const HEAD_LAW: HeadLaw = { w: 6, z: 0.45, T: 0.35 };
export const HEAD_WINDOW = 2; // s
export const HEAD_CLAMP = 0.42; // m, as drawn

export interface Pose {
  offset: number;
  rate: number;
}

// Coefficients of the free motion over h: [p, p'] -> M [p, p'].
interface Free {
  h: number;
  w: number;
  z: number;
  c11: number;
  c12: number;
  c21: number;
  c22: number;
}

function freeMotion(out: Free, h: number, w: number, z: number): Free {
  const wd = w * Math.sqrt(1 - z * z); // z < 1: the law is an oscillator
  const e = Math.exp(-z * w * h);
  const c = Math.cos(wd * h);
  const s = Math.sin(wd * h);
  out.h = h;
  out.w = w;
  out.z = z;
  out.c11 = e * (c + ((z * w) / wd) * s);
  out.c12 = (e * s) / wd;
  out.c21 = (-e * w * w * s) / wd;
  out.c22 = e * (c - ((z * w) / wd) * s);
  return out;
}

// Steps are multiples of the simulation step: a few lengths come again and again.
const known: Free[] = Array.from({ length: 8 }, () => ({ h: -1, w: 0, z: 0, c11: 1, c12: 0, c21: 0, c22: 1 }));
let turn = 0;
let last = known[0]!;
function freeOver(h: number, w: number, z: number): Free {
  if (Math.abs(h - last.h) < 1e-12 && w === last.w && z === last.z) return last;
  for (const f of known) if (Math.abs(h - f.h) < 1e-12 && w === f.w && z === f.z) return (last = f);
  return (last = freeMotion(known[(turn = (turn + 1) & 7)]!, h, w, z));
}

// One step of q'' + 2 z w q' + w^2 q = u, u a line from u0 to u1 over h. Changes `pose`.
export function headStep(pose: Pose, h: number, u0: number, u1: number, w: number, z: number): void {
  if (!(h > 0)) return;
  const f = freeOver(h, w, z);
  const m = (u1 - u0) / h;
  const w2 = w * w;
  const start = u0 / w2 - (2 * z * m) / (w2 * w);
  const slope = m / w2;
  const q = pose.offset - start;
  const r = pose.rate - slope;
  pose.offset = f.c11 * q + f.c12 * r + start + slope * h;
  pose.rate = f.c21 * q + f.c22 * r + slope;
}

// Runs the law over samples (t, y) up to time `at` with u = gain * y. Samples outside
// [at - WINDOW, at] only give the value at the ends; beyond the last sample its value holds.
export function headAt(
  pose: Pose,
  t: ArrayLike<number>,
  y: ArrayLike<number>,
  n: number,
  at: number,
  gain: number,
  law: HeadLaw = HEAD_LAW,
): Pose {
  pose.offset = 0;
  pose.rate = 0;
  if (n <= 0) return pose;
  const from = at - HEAD_WINDOW;
  let i = 0;
  while (i + 1 < n && t[i + 1]! <= from) i++;
  let time = Math.max(from, Math.min(t[i]!, at));
  let u = gain * sampleAt(t, y, n, i, time);
  pose.offset = u / (law.w * law.w);
  while (time < at) {
    const next = i + 1 < n ? Math.min(t[i + 1]!, at) : at;
    const v = gain * sampleAt(t, y, n, i, next);
    headStep(pose, next - time, u, v, law.w, law.z);
    time = next;
    u = v;
    if (i + 1 < n) {
      i++;
      u = gain * sampleAt(t, y, n, i, time);
    } // two samples at one instant are a jump
  }
  return pose;
}

// Value at `at` on the line from sample i to i + 1; before the first and after the last it holds.
function sampleAt(t: ArrayLike<number>, y: ArrayLike<number>, n: number, i: number, at: number): number {
  const y0 = Number.isFinite(y[i]!) ? y[i]! : 0;
  if (i + 1 >= n || at <= t[i]!) return y0;
  const y1 = Number.isFinite(y[i + 1]!) ? y[i + 1]! : y0;
  const h = t[i + 1]! - t[i]!;
  return h > 0 ? y0 + (y1 - y0) * Math.min(1, (at - t[i]!) / h) : y1;
}

export function passengerGain(): number {
  return -1;
}
export function driverGain(law: HeadLaw = HEAD_LAW): number {
  return -law.T;
}
