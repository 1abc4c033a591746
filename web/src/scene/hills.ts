// hills.ts - the road's height from its grades, and grades that fit: for drawing a hill while it is
// being dragged and for sending only what the road accepts.
//
// As in the simulation: the slope (rad) rises along a straight line over `transition` metres inside
// from .. to, is constant, and falls again; stretches do not overlap; x runs along the road, so the
// height is the integral of sin(slope).

import type { Grade, Road } from "../wire/protocol.ts";

export const STEEPEST = 0.35; // rad by hand; files may say more
export const MIN_LENGTH = 20; // m

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
  let z = 0;
  let before = Math.sin(slopeAt(grades, from));
  out[0] = 0;
  for (let i = 1; i < n; i++) {
    const middle = Math.sin(slopeAt(grades, from + (i - 0.5) * step));
    const next = Math.sin(slopeAt(grades, from + i * step));
    z += (step * (before + 4 * middle + next)) / 6;
    out[i] = z;
    before = next;
  }
  return out;
}

// The same for a road whose height is a formula: from the stored profile, straight between its points.
export function storedHeights(
  profile: Road["profile"],
  from: number,
  step: number,
  n: number,
  out: Float64Array,
): Float64Array {
  const last = profile.z.length - 1;
  for (let i = 0; i < n; i++) {
    const u = Math.max(0, Math.min(last, (from + i * step - profile.from) / profile.step));
    const k = Math.min(Math.floor(u), Math.max(0, last - 1));
    const z = profile.z[k] ?? 0;
    out[i] = z + (u - k) * ((profile.z[k + 1] ?? z) - z);
  }
  const first = out[0]!;
  for (let i = 0; i < n; i++) out[i] = out[i]! - first;
  return out;
}

// What is said instead of a hill where a formula gives the height; "": hills may be made.
export function fixedBy(road: Road | undefined): string {
  return road?.formula
    ? `The road's height is a formula, ${road.formula}: it is changed in the scenario's road, under profile`
    : "";
}

export function percent(grade: number): number {
  return 100 * Math.tan(grade);
}
export function angle(percents: number): number {
  return Math.atan(percents / 100);
}

// The free road around x between the other hills: [from, to]; null: x is on one of them.
export function roomAt(grades: Grade[], x: number, except = -1): [number, number] | null {
  let lo = -1e7;
  let hi = 1e7;
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
export function fitted(grades: Grade[], k: number, desired: Grade): Grade {
  const old = grades[k]!;
  const room = roomAt(grades, 0.5 * (old.from + old.to), k) ?? [old.from, old.to];
  let from = Math.max(room[0], Math.min(desired.from, desired.to - MIN_LENGTH));
  let to = Math.min(room[1], Math.max(desired.to, from + MIN_LENGTH));
  if (to - from < MIN_LENGTH) {
    from = old.from;
    to = old.to;
  }
  const grade = Math.max(-STEEPEST, Math.min(STEEPEST, desired.grade));
  return { from, to, grade, transition: Math.max(0.001, Math.min(desired.transition, 0.5 * (to - from))) };
}

// A new hill about x as long as fits, or null where there is a hill already.
export function hillAt(grades: Grade[], x: number, length: number, grade: number): Grade | null {
  const room = roomAt(grades, x);
  if (!room) return null;
  const from = Math.max(room[0], x - length / 2);
  const to = Math.min(room[1], x + length / 2);
  if (to - from < MIN_LENGTH) return null;
  return { from: Math.round(from), to: Math.round(to), grade, transition: Math.min(20, 0.25 * (to - from)) };
}

export function inOrder(grades: Grade[]): Grade[] {
  return grades.slice().sort((a, b) => a.from - b.from);
}
