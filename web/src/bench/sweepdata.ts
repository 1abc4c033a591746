// sweepdata.ts - the grid of a sweep: axes, cells as they come, sums along rows and columns.
import type { Scenario } from "../core/app.ts";

export const DISTRIBUTIONS = ["uniform", "normal", "list"] as const;
export type Distribution = (typeof DISTRIBUTIONS)[number];

export interface SweepAxis {
  name: string;
  unit: string;
  from: number;
  to: number;
  count: number;
  kind?: Distribution; // uniform if it is not said
  mean?: number; // of a normal one
  deviation?: number;
  list?: number[];
}

// Values that stand for a distribution, all equally likely, so that means over them are means over it: of a normal
// one the middles of equally likely parts, otherwise even steps from end to end, or the values that were typed.
export function valuesOf(a: SweepAxis): number[] {
  if (a.kind === "list") return [...(a.list ?? [])];
  const n = Math.max(1, Math.round(a.count));
  const at = (k: number): number => {
    if (a.kind === "normal") return (a.mean ?? a.from) + (a.deviation ?? 0) * normalAt((k + 0.5) / n);
    return n === 1 ? a.from : a.from + ((a.to - a.from) * k) / (n - 1);
  };
  return Array.from({ length: n }, (_, k) => Number(at(k).toPrecision(6)));
}

// Where the standard normal distribution reaches p (Acklam's rational approximation, relative error below 1.2e-9).
export function normalAt(p: number): number {
  const a = [
    -39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716, 2.506628277459239,
  ];
  const b = [-54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572];
  const c = [
    -0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968,
    2.938163982698783,
  ];
  const d = [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416];
  const poly = (k: number[], x: number): number => k.reduce((sum, q) => sum * x + q, 0);
  if (p > 0.5) return -normalAt(1 - p);
  if (p < 0.02425) {
    const q = Math.sqrt(-2 * Math.log(p));
    return poly(c, q) / poly([...d, 1], q);
  }
  const q = p - 0.5;
  return (poly(a, q * q) * q) / poly([...b, 1], q * q);
}

// As the server and `motorcade sweep --vary` take it: SI, the unit of the parameter.
export function varyText(a: SweepAxis): string {
  return `${a.name}=${valuesOf(a).join(",")}`;
}

export class Grid {
  readonly x: number[];
  readonly y: number[];
  readonly values: Map<string, Float64Array> = new Map(); // by figure, NaN: not there
  readonly state: Uint8Array; // 0: missing, 1: done, 2: failed
  done = 0;
  constructor(readonly axes: [SweepAxis, SweepAxis]) {
    this.x = valuesOf(axes[0]);
    this.y = valuesOf(axes[1]);
    this.state = new Uint8Array(this.x.length * this.y.length);
  }
  at(i: number, j: number): number {
    return i * this.y.length + j;
  }
  row(figure: string): Float64Array {
    let row = this.values.get(figure);
    if (!row) this.values.set(figure, (row = new Float64Array(this.state.length).fill(NaN)));
    return row;
  }
  take(i: number, j: number, values: Record<string, number | null>): void {
    const k = this.at(i, j);
    if (k < 0 || k >= this.state.length) return;
    if (!this.state[k]) this.done++;
    this.state[k] = Object.values(values).some((v) => v !== null) ? 1 : 2;
    for (const [name, v] of Object.entries(values)) this.row(name)[k] = v ?? NaN;
  }
  ends(figure: string): [number, number] {
    let low = Infinity;
    let high = -Infinity;
    for (const v of this.row(figure)) {
      if (v < low) low = v;
      if (v > high) high = v;
    }
    return low <= high ? [low, high] : [0, 1];
  }
  // Mean over the other axis at each value of one.
  margin(figure: string, along: 0 | 1): Float64Array {
    const n = along === 0 ? this.x.length : this.y.length;
    const out = new Float64Array(n);
    const row = this.row(figure);
    for (let a = 0; a < n; a++) {
      let sum = 0;
      let count = 0;
      for (let b = 0; b < (along === 0 ? this.y.length : this.x.length); b++) {
        const v = row[along === 0 ? this.at(a, b) : this.at(b, a)]!;
        if (v === v) {
          sum += v;
          count++;
        }
      }
      out[a] = count ? sum / count : NaN;
    }
    return out;
  }
}

// What can be varied: gains and headways of controllers, features of cars; with a range to start from.
export function variables(app: Scenario): { name: string; unit: string; value: number; doc: string }[] {
  const w = app.shown()[0];
  const out: { name: string; unit: string; value: number; doc: string }[] = [];
  if (!w) return out;
  for (const c of w.controllers) {
    const law = app.laws.find((l) => l.name === c.law);
    for (const row of law?.rows ?? [])
      out.push({
        name: `${c.name}.${row.name}`,
        unit: row.unit,
        value: c.gains[row.name] ?? row.default ?? 1,
        doc: row.doc,
      });
    if (c.headway !== null) out.push({ name: `${c.name}.headway`, unit: "s", value: c.headway, doc: "time headway" });
  }
  const car = app.tables.find((t) => t.group === "model" && t.rows.some((r) => r.name === "mass"));
  for (const row of car?.rows ?? [])
    if (row.default !== null)
      out.push({
        name: row.name,
        unit: row.unit,
        value: row.name === "mass" ? (w.vehicles[0]?.mass ?? row.default) : row.default,
        doc: row.doc,
      });
  if (!out.some((v) => v.name === "mass"))
    out.push({ name: "mass", unit: "kg", value: w.vehicles[0]?.mass ?? 1800, doc: "mass of all cars" });
  return out;
}
