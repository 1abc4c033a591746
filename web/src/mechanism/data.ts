// data.ts - what the bench knows of its worlds: the run of each, its numbers, and what is chosen.
import type { App } from "../core/app.ts";
import type { BodyPart, JointPart, MechanismRun, SpringPart, World } from "../wire/protocol.ts";
import { numbers } from "../wire/numbers.ts";
import { motionOf, rowAt, type Motion } from "./poses.ts";

export interface Loaded {
  world: number;
  version: number;
  run: MechanismRun;
  motion: Motion;
  values: Float64Array; // rows of columns
  loads: Float64Array; // rows of bodies: six each; none of what switches
  column: Map<string, number>;
}
export type Kind = "body" | "joint" | "loop" | "spring" | "spot";
export interface Chosen {
  kind: Kind;
  name: string;
}

export function loaded(w: World, run: MechanismRun): Loaded {
  return {
    world: w.world,
    version: w.version,
    run,
    motion: motionOf(run),
    values: numbers(run.values),
    loads: numbers(run.loads),
    column: new Map(run.columns.map((c, k) => [c.name, k])),
  };
}

// The value of a column at an instant; NaN: there is none.
export function valueAt(l: Loaded, name: string, t: number): number {
  const c = l.column.get(name);
  if (c === undefined) return NaN;
  const n = l.run.columns.length;
  const [row, part] = rowAt(l.motion.t, l.motion.rows, t);
  const a = l.values[row * n + c]!;
  const b = l.values[Math.min(row + 1, l.motion.rows - 1) * n + c]!;
  return a + part * (b - a);
}
// Six loads of the joint of a body at an instant: force and torque in the axes of the joint.
export function loadAt(l: Loaded, body: number, t: number, out: number[]): boolean {
  if (!l.loads.length) return false;
  const n = 6 * l.motion.bodies;
  const [row, part] = rowAt(l.motion.t, l.motion.rows, t);
  const next = Math.min(row + 1, l.motion.rows - 1);
  for (let k = 0; k < 6; k++) {
    const a = l.loads[row * n + 6 * body + k]!;
    out[k] = a + part * (l.loads[next * n + 6 * body + k]! - a);
  }
  return true;
}
const PARTS = ["force_x", "force_y", "force_z", "torque_x", "torque_y", "torque_z"];
// The same of a joint beside the tree, from its columns.
export function loopLoadAt(l: Loaded, joint: JointPart, t: number, out: number[]): boolean {
  let any = false;
  PARTS.forEach((p, k) => {
    const v = valueAt(l, `${joint.name}.${p}`, t);
    any ||= Number.isFinite(v);
    out[k] = v;
  });
  return any;
}
// Largest and smallest of each of six loads over the run.
export function loadPeaks(l: Loaded, what: BodyPart | JointPart): { low: number[]; high: number[] } {
  const low = Array<number>(6).fill(Infinity);
  const high = Array<number>(6).fill(-Infinity);
  const body = "shapes" in what ? l.run.bodies.indexOf(what) : -1;
  const n = l.run.columns.length;
  for (let k = 0; k < 6; k++) {
    const c = l.column.get(`${what.name}.${PARTS[k]!}`);
    for (let row = 0; row < l.motion.rows; row++) {
      const v =
        body >= 0 ? l.loads[row * 6 * l.motion.bodies + 6 * body + k] : c === undefined ? NaN : l.values[row * n + c];
      if (v === undefined || Number.isNaN(v)) continue;
      low[k] = Math.min(low[k]!, v);
      high[k] = Math.max(high[k]!, v);
    }
  }
  return { low, high };
}
export const springForce = (l: Loaded, s: SpringPart, t: number): number => valueAt(l, `${s.name}.force`, t);

// Which of the six loads a joint cannot carry: those along the freedoms it leaves.
export function freeLoads(kind: string, axis: (number | null)[]): boolean[] {
  const along = axis.map((a) => Math.abs(a ?? 0) > 0.99);
  const off = [false, false, false];
  const on = [true, true, true];
  if (kind === "free") return [...on, ...on];
  if (kind === "hinge") return [...off, ...along];
  if (kind === "prism") return [...along, ...off];
  if (kind === "cylinder") return [...along, ...along];
  if (kind === "ball" || kind === "distance") return [...off, ...on];
  return [...off, ...off];
}
export const number3 = (v: (number | null)[]): [number, number, number] => [v[0] ?? 0, v[1] ?? 0, v[2] ?? 0];

// Runs of the worlds on the bench, fetched when one is new or was simulated again.
export class Runs {
  private readonly known = new Map<number, Loaded>();
  private readonly asked = new Map<number, number>();
  constructor(
    private readonly app: App,
    private readonly arrived: (l: Loaded) => void,
    private readonly failed: (world: number, reason: unknown) => void,
  ) {}
  get(world: number): Loaded | undefined {
    return this.known.get(world);
  }
  refresh(worlds: World[]): void {
    for (const n of [...this.known.keys()]) if (!this.app.world(n)) this.known.delete(n);
    for (const w of worlds) {
      if (this.known.get(w.world)?.version === w.version || this.asked.get(w.world) === w.version) continue;
      this.asked.set(w.world, w.version);
      const version = w.version;
      this.app.ask("mechanism", { world: w.world }).then(
        (run) => {
          if (this.asked.get(w.world) !== version) return; // a later one is under way
          const l = loaded(w, run);
          this.known.set(w.world, l);
          this.arrived(l);
        },
        (e) => {
          this.asked.delete(w.world);
          if (this.app.world(w.world)) this.failed(w.world, e);
        },
      );
    }
  }
}
