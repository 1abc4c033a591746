// plotdata.ts - the numbers behind a plot: one column per time, one row per curve, in arrays that are
// allocated once and then only written to.
//
// The past comes once from the server (`series`, thinned to minima and maxima); what is simulated
// while the page watches is appended from its frames. Where frames are missing only that piece is
// requested. Columns after `n` have the time 1e300 and no values, so that the arrays keep their
// length and the plot its views.
import type { App, Chosen, Scenario, Server, Time } from "../core/app.ts";
import { carsOf, type Quantity } from "./fields.ts";

const NEVER = 1e300;

export interface Line {
  world: number;
  name: string;
  id: number;
  place: number;
  platoon: number; // -1: none
  minus: number;
  second?: boolean;
} // minus: world to subtract; -1: none. second: of the quantity on the right axis

export interface Piece {
  from: number;
  to: number;
  worlds: number[];
}
type Values = Record<string, (number | null)[]>;

export class PlotData {
  x: Float64Array;
  y: Float64Array[] = []; // of the plotted quantity, one array for each line
  across: Float64Array[] = []; // of the x axis' quantity; empty: time
  n = 0;
  from = 0;
  to = 0;
  lines: Line[] = [];
  second: Quantity | null = null; // of the lines that are marked so
  step = 0.1; // s between columns
  private known = new Map<number, number>(); // world -> up to when its curves are there
  private asked = 0;

  constructor(readonly maxColumns: number) {
    this.x = new Float64Array(maxColumns).fill(NEVER);
  }

  // Which curves. Keeps nothing of the old ones.
  take(lines: Line[], withAcross: boolean): void {
    this.lines = lines;
    this.y = lines.map(() => new Float64Array(this.maxColumns).fill(NaN));
    this.across = withAcross ? lines.map(() => new Float64Array(this.maxColumns).fill(NaN)) : [];
    this.clear();
  }
  private clear(): void {
    this.x.fill(NEVER);
    for (const y of this.y) y.fill(NaN);
    for (const y of this.across) y.fill(NaN);
    this.n = 0;
  }

  // Fetches from .. to again, in columns of `step` s. False: overtaken by a later call, or there is
  // nothing to fetch.
  async load(app: App, q: Quantity, xq: Quantity | null, from: number, to: number, step: number): Promise<boolean> {
    const call = ++this.asked;
    const lines = this.lines;
    this.step = Math.max(step, 1e-4);
    if (!lines.length || !(to >= from)) return false;
    const answer = await this.ask(app, q, xq, { from, to, worlds: this.worlds() });
    if (call !== this.asked || lines !== this.lines) return false;
    this.fill(app, answer.t, answer.values, q, xq);
    this.known = new Map([...answer.ends].map(([n, end]) => [n, Math.min(end, to)]));
    this.from = from;
    this.to = Math.max(to, this.n ? this.x[this.n - 1]! : to);
    return true;
  }

  // Columns from the page's own frames, until the server has answered. At most `columns` of them: a frame between two
  // others is computed for all cars of its world.
  seed(app: App, q: Quantity, xq: Quantity | null, from: number, to: number, columns: number): void {
    if (this.n || !this.appends(q, xq)) return;
    const step = Math.max((to - from) / columns, 1e-3);
    for (let t = from; t <= to + 1e-9 && this.n < columns + 1; t += step) {
      this.column(app, t, q, xq);
      if (this.y.every((y) => Number.isNaN(y[this.n - 1]!))) this.x[--this.n] = NEVER;
    }
    this.lines.forEach((line, i) => this.hideBeforeFork(app, line, i));
  }

  private worlds(): number[] {
    const all = new Set<number>();
    for (const line of this.lines) {
      all.add(line.world);
      if (line.minus >= 0) all.add(line.minus);
    }
    return [...all];
  }
  private async ask(
    app: Scenario & Server,
    q: Quantity,
    xq: Quantity | null,
    p: Piece,
  ): Promise<{ t: number[]; values: Values; ends: Map<number, number> }> {
    const vehicles = [
      ...new Set(
        this.lines
          .filter((line) => p.worlds.includes(line.world) || p.worlds.includes(line.minus))
          .map((line) => line.name),
      ),
    ];
    const ends = new Map(p.worlds.map((n) => [n, app.world(n)?.end ?? 0]));
    const points = Math.max(2, Math.min(this.maxColumns - 16, Math.ceil((p.to - p.from) / this.step) + 2));
    const answer = await app.ask("series", {
      worlds: p.worlds,
      vehicles,
      fields: [q, xq, this.second].flatMap((o) => (o ? [o.name] : [])),
      from: p.from,
      to: p.to,
      points,
    });
    return { t: answer.t, values: answer.values, ends };
  }

  // What appending cannot give: the end, when the page slept or only the server knows it; and what a
  // world that is behind the others (a branch that is being simulated) has got on since.
  missing(app: Scenario, until: number, q: Quantity): Piece | null {
    if (!this.n)
      return this.lines.length && until > this.from + 0.1
        ? { from: this.from, to: until, worlds: this.worlds() }
        : null;
    const last = this.x[this.n - 1]!;
    if (until - last > (this.appends(q, null) ? 2 : 0.5)) return { from: last, to: until, worlds: this.worlds() };
    for (const [n, has] of this.known) {
      const end = Math.min(app.world(n)?.end ?? has, last);
      if (has < last - 0.1 && end > has + 0.05) return { from: has, to: end, worlds: this.with(n) };
    }
    return null;
  }
  // A world, and those it is subtracted from or that are subtracted from it.
  private with(n: number): number[] {
    return this.worlds().filter(
      (o) =>
        o === n ||
        this.lines.some((line) => (line.world === n && line.minus === o) || (line.world === o && line.minus === n)),
    );
  }

  // Asks for such a piece only and puts it where it belongs. False: overtaken.
  async fetch(app: App, q: Quantity, xq: Quantity | null, p: Piece): Promise<boolean> {
    const call = this.asked;
    const lines = this.lines;
    const last = this.n ? this.x[this.n - 1]! : p.from;
    const answer = await this.ask(app, q, xq, p);
    if (call !== this.asked || lines !== this.lines) return false;
    if (p.from < last - 1e-9) this.patch(app, answer.t, answer.values, p, q, xq);
    else this.extend(answer.t, answer.values, q, xq);
    for (const [n, end] of answer.ends) this.known.set(n, Math.max(this.known.get(n) ?? -NEVER, Math.min(end, p.to)));
    if (this.n) this.to = Math.max(this.to, this.x[this.n - 1]!);
    return true;
  }
  // Columns behind the last one.
  private extend(t: number[], values: Values, q: Quantity, xq: Quantity | null): void {
    const rows = this.lines.map(
      (line) => [curve(values, line, this.of(line, q)), xq ? curve(values, { ...line, minus: -1 }, xq) : null] as const,
    );
    for (let k = 0; k < t.length; k++) {
      if (this.n && t[k]! <= this.x[this.n - 1]! + 1e-9) continue;
      if (this.n === this.maxColumns) this.drop();
      const at = this.n++;
      this.x[at] = t[k]!;
      rows.forEach(([y, across], i) => {
        this.y[i]![at] = y(k);
        if (across) this.across[i]![at] = across(k);
      });
    }
  }
  // Fills existing columns in (from, to] for the worlds that lagged behind.
  private patch(app: App, t: number[], values: Values, p: Piece, q: Quantity, xq: Quantity | null): void {
    this.lines.forEach((line, i) => {
      if (!p.worlds.includes(line.world) || !t.length) return;
      const y = curve(values, line, this.of(line, q));
      const across = xq ? curve(values, { ...line, minus: -1 }, xq) : null;
      for (let k = 0, m = 0; k < this.n; k++) {
        const at = this.x[k]!;
        if (at <= p.from || at > p.to + 1e-9) continue;
        while (m + 1 < t.length - 1 && t[m + 1]! < at) m++;
        const next = Math.min(m + 1, t.length - 1);
        const wide = t[next]! - t[m]!;
        const u = wide > 0 ? Math.max(0, Math.min(1, (at - t[m]!) / wide)) : 0;
        this.y[i]![k] = between(y(m), y(next), u);
        if (across) this.across[i]![k] = between(across(m), across(next), u);
      }
      this.hideBeforeFork(app, line, i);
    });
  }

  private fill(app: App, t: number[], values: Values, q: Quantity, xq: Quantity | null): void {
    this.clear();
    const n = Math.min(t.length, this.maxColumns - 16);
    for (let k = 0; k < n; k++) this.x[k] = t[k]!;
    this.lines.forEach((line, i) => {
      const y = curve(values, line, this.of(line, q));
      const across = xq ? curve(values, { ...line, minus: -1 }, xq) : null;
      for (let k = 0; k < n; k++) {
        this.y[i]![k] = y(k);
        if (across) this.across[i]![k] = across(k);
      }
      this.hideBeforeFork(app, line, i);
    });
    this.n = n;
  }

  // A branch is its parent until the fork: drawn once.
  private hideBeforeFork(app: Scenario, line: Line, i: number): void {
    const w = app.world(line.world);
    if (!w || w.parent < 0 || line.minus >= 0 || !app.shown().some((o) => o.world === w.parent)) return;
    for (let k = 0; k < this.maxColumns && this.x[k]! < w.fork; k++) this.y[i]![k] = NaN;
  }

  // Frames have all that is plotted.
  private appends(q: Quantity, xq: Quantity | null): boolean {
    return [q, xq, this.second].every((o) => !o || o.of);
  }

  // Adds the columns up to `until` from the page's own frames; true: something was added.
  append(app: App, until: number, q: Quantity, xq: Quantity | null): boolean {
    if (!this.appends(q, xq) || !this.n || until - this.x[this.n - 1]! > 2) return false; // missing() says what to request
    let added = false;
    for (let t = this.x[this.n - 1]! + this.step; t <= until && this.has(app, t); t += this.step) {
      if (this.n === this.maxColumns) this.drop();
      const before = this.x[this.n - 1]!;
      this.column(app, t, q, xq);
      for (const [n, known] of this.known)
        if (known >= before - 1e-6 && (app.world(n)?.end ?? t) >= t - 1e-6) this.known.set(n, t);
      added = true;
    }
    if (added) this.to = Math.max(this.to, this.x[this.n - 1]!);
    return added;
  }
  // Frames of t have come of all worlds that are that far.
  private has(app: Scenario & Time, t: number): boolean {
    for (const n of this.known.keys()) {
      const w = app.world(n);
      const f = w && w.end >= t - 1e-6 ? app.frame(n, t) : null;
      if (w && w.end >= t - 1e-6 && (!f || f.time < t - 0.51 * w.step - 1e-6)) return false;
    }
    return true;
  }

  private column(app: Time, t: number, q: Quantity, xq: Quantity | null): void {
    const k = this.n++;
    this.x[k] = t;
    for (let i = 0; i < this.lines.length; i++) {
      const line = this.lines[i]!;
      const own = this.of(line, q);
      let value = valueAt(app, line.world, line.id, t, own);
      if (line.minus >= 0) value -= valueAt(app, line.minus, line.id, t, own);
      this.y[i]![k] = value;
      if (xq) this.across[i]![k] = valueAt(app, line.world, line.id, t, xq);
    }
  }

  private of(line: Line, q: Quantity): Quantity {
    return line.second && this.second ? this.second : q;
  }

  // Forgets the oldest quarter.
  private drop(): void {
    const quarter = this.maxColumns >> 2;
    const shift = (a: Float64Array, empty: number) => {
      a.copyWithin(0, quarter);
      a.fill(empty, this.maxColumns - quarter);
    };
    shift(this.x, NEVER);
    for (const y of this.y) shift(y, NaN);
    for (const y of this.across) shift(y, NaN);
    this.n -= quarter;
    this.from = this.x[0]!;
  }

  // Value of a curve at t between its columns.
  at(i: number, t: number): number {
    let lo = 0;
    let hi = this.n - 1;
    if (hi < 1 || t < this.x[0]! || t > this.x[hi]!) return NaN;
    while (hi - lo > 1) {
      const mid = (lo + hi) >> 1;
      if (this.x[mid]! <= t) lo = mid;
      else hi = mid;
    }
    const y = this.y[i]!;
    const span = this.x[hi]! - this.x[lo]!;
    return span > 0 ? y[lo]! + ((y[hi]! - y[lo]!) * (t - this.x[lo]!)) / span : y[lo]!;
  }
}

// The values of a line in an answer, by column.
function curve(values: Values, line: Line, q: Quantity): (k: number) => number {
  const factor = q.factor ?? 1;
  const own = values[line.world + "/" + line.name + "/" + q.name];
  if (line.minus < 0) return (k) => factor * (own?.[k] ?? NaN);
  const other = values[line.minus + "/" + line.name + "/" + q.name];
  return (k) => factor * ((own?.[k] ?? NaN) - (other?.[k] ?? NaN));
}
function between(a: number, b: number, u: number): number {
  return u <= 0 ? a : u >= 1 ? b : a + u * (b - a);
}

export function valueAt(app: Time, world: number, id: number, t: number, q: Quantity): number {
  const frame = app.frame(world, t);
  if (!frame || !q.of || Math.abs(frame.time - t) > 0.5) return NaN; // the page has nothing near t
  const i = frame.index(id);
  return i < 0 ? NaN : q.of(frame, i) * (q.factor ?? 1);
}

// The curves for a choice of cars: "followers", "all", "leaders", "selected", or names. At most
// `capacity` a world, evenly picked, the last always; left: how many were left out.
export function chooseLines(
  app: Scenario & Chosen,
  cars: string | string[],
  difference: boolean,
  max = 12,
): { lines: Line[]; left: number } {
  const worlds = app.shown();
  const lines: Line[] = [];
  let left = 0;
  const base = worlds[0];
  for (const w of worlds) {
    if (difference && w === base) continue;
    const named = Array.isArray(cars) || (cars === "selected" && app.selection !== null);
    const all = carsOf(app, w.world, named).filter((car) => isChosen(app, car, cars));
    const step = Math.max(1, Math.ceil(all.length / max));
    for (let k = all.length - 1; k >= 0; k -= step) {
      const car = all[k]!;
      if (difference && !base!.vehicles.some((v) => v.name === car.name)) continue;
      lines.push({
        world: w.world,
        name: car.name,
        id: car.id,
        place: car.place,
        platoon: car.platoon,
        minus: difference ? base!.world : -1,
      });
    }
    left += all.length - Math.ceil(all.length / step);
  }
  return { lines: lines.reverse(), left };
}

function isChosen(app: Chosen, car: { name: string; leader: boolean }, cars: string | string[]): boolean {
  if (Array.isArray(cars)) return cars.includes(car.name);
  if (cars === "followers") return !car.leader;
  if (cars === "leaders") return car.leader;
  if (cars === "selected") return app.selection ? car.name === app.selection.vehicle : !car.leader;
  return true;
}
