// identifydata.ts - a run of the identification bench as arrays, and what is read from it.
import type { Answer } from "./app.ts";

export const COLUMNS = ["t", "v_leader", "v", "v_model", "distance", "distance_model", "braking", "mass_true", "mass", "band", "squares", "squares_band", "excitation", "memory", "claimed", "squares_claimed"] as const;
export type Column = (typeof COLUMNS)[number];

export interface Run { n: number; col: Record<Column, Float64Array>; ratio: number; safe: number; convergent: number; forceBand: number; limited: boolean }

// The server's rows: a list of objects, a list of lists with `columns`, or one list a column.
export function runOf(answer: Answer): Run {
  const rows = answer.rows ?? {}, col = {} as Record<Column, Float64Array>;
  const names: string[] = answer.columns ?? COLUMNS as unknown as string[];
  const n: number = Array.isArray(rows) ? rows.length : (rows.t ?? []).length;
  for (const name of COLUMNS) {
    const out = new Float64Array(n).fill(NaN), at = names.indexOf(name);
    for (let k = 0; k < n; k++) {
      const v = Array.isArray(rows) ? (Array.isArray(rows[k]) ? rows[k][at] : rows[k][name]) : rows[name]?.[k];
      out[k] = v === null || v === undefined ? NaN : Number(v);
    }
    col[name] = out;
  }
  const b = answer.bounds ?? answer;
  return { n, col, ratio: b.ratio ?? NaN, safe: b.safe ?? NaN, convergent: b.convergent ?? NaN, forceBand: answer.force_band ?? NaN, limited: answer.limited === true };
}

// Row at or before t.
export function rowAt(run: Run, t: number): number {
  let lo = 0, hi = run.n - 1;
  if (hi < 0 || t <= run.col.t[0]!) return 0;
  while (hi - lo > 1) { const mid = (lo + hi) >> 1; if (run.col.t[mid]! <= t) lo = mid; else hi = mid; }
  return run.col.t[hi]! <= t ? hi : lo;
}

// Since when an estimate has stayed within 2 % of the true mass, up to row `end`; NaN: it is not.
export function timeTo2(run: Run, name: "mass" | "squares", end: number): number {
  const m = run.col[name], truth = run.col.mass_true;
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
