// sweepdata.ts - the grid of a sweep: axes, cells as they come, sums along rows and columns.
import type { App } from "./app.ts";

export interface SweepAxis { name: string; unit: string; from: number; to: number; count: number }

export function valuesOf(a: SweepAxis): number[] {
  const n = Math.max(1, Math.round(a.count));
  return Array.from({ length: n }, (_, k) => Number((n === 1 ? a.from : a.from + ((a.to - a.from) * k) / (n - 1)).toPrecision(6)));
}

// As the server and `motorcade sweep --vary` take it: SI, the unit of the parameter.
export function varyText(a: SweepAxis): string {
  return `${a.name}=${valuesOf(a).join(",")}`;
}

export class Grid {
  readonly x: number[];
  readonly y: number[];
  readonly values: Map<string, Float64Array> = new Map(); // by figure, NaN: not there
  readonly state: Uint8Array;                              // 0: missing, 1: done, 2: failed
  done = 0;
  constructor(readonly axes: [SweepAxis, SweepAxis]) {
    this.x = valuesOf(axes[0]);
    this.y = valuesOf(axes[1]);
    this.state = new Uint8Array(this.x.length * this.y.length);
  }
  at(i: number, j: number): number { return i * this.y.length + j; }
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
    let low = Infinity, high = -Infinity;
    for (const v of this.row(figure)) { if (v < low) low = v; if (v > high) high = v; }
    return low <= high ? [low, high] : [0, 1];
  }
  // Mean over the other axis at each value of one.
  margin(figure: string, along: 0 | 1): Float64Array {
    const n = along === 0 ? this.x.length : this.y.length, out = new Float64Array(n), row = this.row(figure);
    for (let a = 0; a < n; a++) {
      let sum = 0, count = 0;
      for (let b = 0; b < (along === 0 ? this.y.length : this.x.length); b++) {
        const v = row[along === 0 ? this.at(a, b) : this.at(b, a)]!;
        if (v === v) { sum += v; count++; }
      }
      out[a] = count ? sum / count : NaN;
    }
    return out;
  }
}

// What can be varied: gains and headways of controllers, features of cars; with a range to start from.
export function variables(app: App): { name: string; unit: string; value: number; doc: string }[] {
  const w = app.shown()[0], out: { name: string; unit: string; value: number; doc: string }[] = [];
  if (!w) return out;
  for (const c of w.controllers) {
    const law = app.laws.find((l) => l.name === c.law);
    for (const row of law?.rows ?? []) out.push({ name: `${c.name}.${row.name}`, unit: row.unit, value: c.gains[row.name] ?? row.default ?? 1, doc: row.doc });
    if (c.headway !== null) out.push({ name: `${c.name}.headway`, unit: "s", value: c.headway, doc: "time headway" });
  }
  const car = app.tables.find((t) => /car|vehicle|powertrain/.test(t.name) && t.rows.some((r) => r.name === "mass"));
  for (const row of car?.rows ?? []) if (row.default !== null) out.push({ name: row.name, unit: row.unit, value: row.name === "mass" ? w.vehicles[0]?.mass ?? row.default : row.default, doc: row.doc });
  if (!out.some((v) => v.name === "mass")) out.push({ name: "mass", unit: "kg", value: w.vehicles[0]?.mass ?? 1800, doc: "mass of all cars" });
  return out;
}
