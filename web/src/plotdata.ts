// plotdata.ts - the numbers behind a plot: one column a time, one row a curve, in arrays that are
// made once and then only written to.
//
// The past comes from the server (`series`, thinned by least and greatest); what is simulated while
// the page looks on is appended from its frames. Columns behind `n` have the time 1e300 and no
// values, so that the arrays keep their length and the plot its views.
import type { App } from "./app.ts";
import { carsOf, type Quantity } from "./fields.ts";

const NEVER = 1e300;

export interface Line { world: number; name: string; id: number; place: number; minus: number } // minus: world to subtract; -1: none

export class PlotData {
  x: Float64Array;
  y: Float64Array[] = [];       // of the plotted quantity, one a line
  across: Float64Array[] = [];  // of the x axis' quantity; empty: time
  n = 0;
  from = 0;
  to = 0;
  lines: Line[] = [];
  ends = new Map<number, number>(); // of the worlds, when their past was fetched
  private step = 0.1;
  private asked = 0;

  constructor(readonly most: number) {
    this.x = new Float64Array(most).fill(NEVER);
  }

  // Which curves. Keeps nothing of the old ones.
  take(lines: Line[], withAcross: boolean): void {
    this.lines = lines;
    this.y = lines.map(() => new Float64Array(this.most).fill(NaN));
    this.across = withAcross ? lines.map(() => new Float64Array(this.most).fill(NaN)) : [];
    this.clear();
  }
  private clear(): void {
    this.x.fill(NEVER);
    for (const y of this.y) y.fill(NaN);
    for (const y of this.across) y.fill(NaN);
    this.n = 0;
  }

  // Fetches from .. to. False: overtaken by a later call, or the server does not know.
  async load(app: App, q: Quantity, xq: Quantity | null, from: number, to: number, points: number): Promise<boolean> {
    const call = ++this.asked;
    const lines = this.lines;
    this.step = Math.max((to - from) / points, 1e-4);
    if (!lines.length || !(to >= from)) return false;
    const worlds = new Set<number>();
    for (const line of lines) { worlds.add(line.world); if (line.minus >= 0) worlds.add(line.minus); }
    const fields = xq ? [q.name, xq.name] : [q.name];
    const vehicles = [...new Set(lines.map((line) => line.name))];
    const ends = new Map<number, number>([...worlds].map((n) => [n, app.world(n)?.end ?? 0]));
    const answer = await app.ask("series", { worlds: [...worlds], vehicles, fields, from, to, points });
    if (call !== this.asked || lines !== this.lines) return false;
    this.ends = ends;
    this.fill(app, answer.t, answer.values, q, xq);
    this.from = from;
    this.to = Math.max(to, this.n ? this.x[this.n - 1]! : to);
    return true;
  }

  // A world that is behind the others (a branch that is being simulated) has got on since.
  grewBehind(app: App, until: number): boolean {
    for (const [n, end] of this.ends) { const now = app.world(n)?.end ?? end; if (end < until - 0.1 && now > end + 0.05 && now < app.clock.end + 1e-9 && end < app.clock.end - 1) return true; }
    return false;
  }

  private fill(app: App, t: number[], values: Record<string, (number | null)[]>, q: Quantity, xq: Quantity | null): void {
    const late = this.n ? this.x[this.n - 1]! : -NEVER; // appended meanwhile: fetched again below
    this.clear();
    const n = Math.min(t.length, this.most - 16);
    for (let k = 0; k < n; k++) this.x[k] = t[k]!;
    this.lines.forEach((line, i) => {
      copy(this.y[i]!, values, line, q, n);
      if (xq) copy(this.across[i]!, values, { ...line, minus: -1 }, xq, n);
      this.hideBeforeFork(app, line, i);
    });
    this.n = n;
    if (late > (n ? this.x[n - 1]! : -NEVER)) this.append(app, late, q, xq);
  }

  // A branch is its parent until the fork: drawn once.
  private hideBeforeFork(app: App, line: Line, i: number): void {
    const w = app.world(line.world);
    if (!w || w.parent < 0 || line.minus >= 0 || !app.shown().some((o) => o.world === w.parent)) return;
    for (let k = 0; k < this.most && this.x[k]! < w.fork; k++) this.y[i]![k] = NaN;
  }

  // Adds the columns up to `until` from the page's own frames; true: something was added.
  append(app: App, until: number, q: Quantity, xq: Quantity | null): boolean {
    if (!q.of || (xq && !xq.of) || !this.n || until - this.x[this.n - 1]! > 2) return false; // a gap: load it
    let added = false;
    for (let t = this.x[this.n - 1]! + this.step; t <= until; t += this.step) {
      if (this.n === this.most) this.drop();
      this.column(app, t, q, xq);
      added = true;
    }
    if (added) this.to = Math.max(this.to, this.x[this.n - 1]!);
    return added;
  }

  private column(app: App, t: number, q: Quantity, xq: Quantity | null): void {
    const k = this.n++;
    this.x[k] = t;
    for (let i = 0; i < this.lines.length; i++) {
      const line = this.lines[i]!;
      let value = valueAt(app, line.world, line.id, t, q);
      if (line.minus >= 0) value -= valueAt(app, line.minus, line.id, t, q);
      this.y[i]![k] = value;
      if (xq) this.across[i]![k] = valueAt(app, line.world, line.id, t, xq);
    }
  }

  // Forgets the oldest quarter.
  private drop(): void {
    const quarter = this.most >> 2;
    const shift = (a: Float64Array, empty: number) => { a.copyWithin(0, quarter); a.fill(empty, this.most - quarter); };
    shift(this.x, NEVER);
    for (const y of this.y) shift(y, NaN);
    for (const y of this.across) shift(y, NaN);
    this.n -= quarter;
    this.from = this.x[0]!;
  }

  // Value of a curve at t between its columns.
  at(i: number, t: number): number {
    let lo = 0, hi = this.n - 1;
    if (hi < 1 || t < this.x[0]! || t > this.x[hi]!) return NaN;
    while (hi - lo > 1) {
      const mid = (lo + hi) >> 1;
      if (this.x[mid]! <= t) lo = mid; else hi = mid;
    }
    const y = this.y[i]!, span = this.x[hi]! - this.x[lo]!;
    return span > 0 ? y[lo]! + ((y[hi]! - y[lo]!) * (t - this.x[lo]!)) / span : y[lo]!;
  }
}

function copy(out: Float64Array, values: Record<string, (number | null)[]>, line: Line, q: Quantity, n: number): void {
  const factor = q.factor ?? 1;
  const own = values[line.world + "/" + line.name + "/" + q.name];
  const other = line.minus >= 0 ? values[line.minus + "/" + line.name + "/" + q.name] : null;
  for (let k = 0; k < n; k++) {
    const v = own?.[k] ?? NaN;
    out[k] = factor * (other ? v - (other[k] ?? NaN) : line.minus >= 0 ? NaN : v);
  }
}

export function valueAt(app: App, world: number, id: number, t: number, q: Quantity): number {
  const frame = app.frame(world, t);
  if (!frame || !q.of || Math.abs(frame.time - t) > 0.5) return NaN; // the page has nothing near t
  const i = frame.index(id);
  return i < 0 ? NaN : q.of(frame, i) * (q.factor ?? 1);
}

// The curves for a choice of cars: "followers", "all", "leaders", "selected", or names. At most
// `most` a world, evenly picked, the last always; left: how many were left out.
export function chooseLines(app: App, cars: string | string[], difference: boolean, most = 12): { lines: Line[]; left: number } {
  const worlds = app.shown();
  const lines: Line[] = [];
  let left = 0;
  const base = worlds[0];
  for (const w of worlds) {
    if (difference && w === base) continue;
    const all = carsOf(app, w.world).filter((car) => wanted(app, car, cars));
    const step = Math.max(1, Math.ceil(all.length / most));
    for (let k = all.length - 1; k >= 0; k -= step) {
      const car = all[k]!;
      if (difference && !base!.vehicles.some((v) => v.name === car.name)) continue;
      lines.push({ world: w.world, name: car.name, id: car.id, place: car.place, minus: difference ? base!.world : -1 });
    }
    left += all.length - Math.ceil(all.length / step);
  }
  return { lines: lines.reverse(), left };
}

function wanted(app: App, car: { name: string; leader: boolean }, cars: string | string[]): boolean {
  if (Array.isArray(cars)) return cars.includes(car.name);
  if (cars === "followers") return !car.leader;
  if (cars === "leaders") return car.leader;
  if (cars === "selected") return app.selection ? car.name === app.selection.vehicle : !car.leader;
  return true;
}
