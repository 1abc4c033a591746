// hills.ts - the road's height from its grades, and grades that fit: for drawing a hill while it is
// being dragged and for sending only what the road accepts.
//
// As in the simulation: the slope (rad) rises along a straight line over `transition` metres inside
// from .. to, is constant, and falls again; stretches do not overlap; x runs along the road, so the
// height is the integral of sin(slope).

import type { Grade } from "./app.ts";

export const STEEPEST = 0.35; // rad by hand; files may say more
export const LEAST_LENGTH = 20; // m

export function slopeAt(grades: Grade[], x: number): number {
  for (const g of grades) {
    if (x <= g.from || x >= g.to) continue;
    const t = Math.max(1e-3, Math.min(g.transition, 0.5 * (g.to - g.from)));
    return g.grade * Math.min(1, (x - g.from) / t, (g.to - x) / t);
  }
  return 0;
}

// Heights at from, from + step, ... by Simpson's rule; 0 at the first point.
export function heights(grades: Grade[], from: number, step: number, n: number, out: Float64Array): Float64Array {
  let z = 0, before = Math.sin(slopeAt(grades, from));
  out[0] = 0;
  for (let i = 1; i < n; i++) {
    const middle = Math.sin(slopeAt(grades, from + (i - 0.5) * step)), next = Math.sin(slopeAt(grades, from + i * step));
    z += (step * (before + 4 * middle + next)) / 6;
    out[i] = z;
    before = next;
  }
  return out;
}

export function percent(grade: number): number { return 100 * Math.tan(grade); }
export function angle(percents: number): number { return Math.atan(percents / 100); }

// The free road around x between the other hills: [from, to]; null: x is on one of them.
export function roomAt(grades: Grade[], x: number, except = -1): [number, number] | null {
  let lo = -1e7, hi = 1e7;
  for (let k = 0; k < grades.length; k++) {
    if (k === except) continue;
    const g = grades[k]!;
    if (x > g.from && x < g.to) return null;
    if (g.to <= x) lo = Math.max(lo, g.to);
    if (g.from >= x) hi = Math.min(hi, g.from);
  }
  return [lo, hi];
}

// One hill changed so that it does not run into its neighbours and its transitions fit.
export function fitted(grades: Grade[], k: number, wanted: Grade): Grade {
  const old = grades[k]!;
  const room = roomAt(grades, 0.5 * (old.from + old.to), k) ?? [old.from, old.to];
  let from = Math.max(room[0], Math.min(wanted.from, wanted.to - LEAST_LENGTH)), to = Math.min(room[1], Math.max(wanted.to, from + LEAST_LENGTH));
  if (to - from < LEAST_LENGTH) { from = old.from; to = old.to; }
  const grade = Math.max(-STEEPEST, Math.min(STEEPEST, wanted.grade));
  return { from, to, grade, transition: Math.max(0.001, Math.min(wanted.transition, 0.5 * (to - from))) };
}

// A new hill about x as long as fits, or null where there is a hill already.
export function hillAt(grades: Grade[], x: number, length: number, grade: number): Grade | null {
  const room = roomAt(grades, x);
  if (!room) return null;
  const from = Math.max(room[0], x - length / 2), to = Math.min(room[1], x + length / 2);
  if (to - from < LEAST_LENGTH) return null;
  return { from: Math.round(from), to: Math.round(to), grade, transition: Math.min(20, 0.25 * (to - from)) };
}

export function inOrder(grades: Grade[]): Grade[] { return grades.slice().sort((a, b) => a.from - b.from); }
