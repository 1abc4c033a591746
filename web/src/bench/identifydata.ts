// identifydata.ts - a run of the identification bench as arrays, and what is read from it.
import type { Identified } from "../wire/protocol.ts";

export const COLUMNS = [
  "t",
  "v_leader",
  "v",
  "v_model",
  "distance",
  "distance_model",
  "braking",
  "mass_true",
  "mass",
  "band",
  "squares",
  "squares_band",
  "excitation",
  "memory",
  "claimed",
  "squares_claimed",
] as const;
export type Column = (typeof COLUMNS)[number];

export interface Run {
  n: number;
  col: Record<Column, Float64Array>;
  ratio: number;
  safe: number;
  convergent: number;
  forceBand: number;
  limited: boolean;
}

export function runOf(answer: Identified): Run {
  const col = {} as Record<Column, Float64Array>;
  const n = answer.rows.t?.length ?? 0;
  for (const name of COLUMNS) col[name] = Float64Array.from({ length: n }, (_, k) => answer.rows[name]?.[k] ?? NaN);
  return { n, col, ...answer.bounds, forceBand: answer.force_band, limited: answer.limited };
}

// Row at or before t.
export function rowAt(run: Run, t: number): number {
  let lo = 0;
  let hi = run.n - 1;
  if (hi < 0 || t <= run.col.t[0]!) return 0;
  while (hi - lo > 1) {
    const mid = (lo + hi) >> 1;
    if (run.col.t[mid]! <= t) lo = mid;
    else hi = mid;
  }
  return run.col.t[hi]! <= t ? hi : lo;
}

// Since when an estimate has stayed within 2 % of the true mass, up to row `end`; NaN: it is not.
export function timeTo2(run: Run, name: "mass" | "squares", end: number): number {
  const m = run.col[name];
  const truth = run.col.mass_true;
  let since = NaN;
  for (let k = end; k >= 0; k--) {
    if (!(Math.abs(m[k]! - truth[k]!) <= 0.02 * truth[k]!)) break;
    since = run.col.t[k]!;
  }
  return since;
}

// Seconds of braking up to row `end`.
export function brakedFor(run: Run, end: number): number {
  let sum = 0;
  for (let k = 1; k <= end; k++) if (run.col.braking[k]) sum += run.col.t[k]! - run.col.t[k - 1]!;
  return sum;
}
