// lanedata.ts - cars and their lanes about the playhead, for the cards of lanes: one question to the server serves all.
import type { App } from "../core/app.ts";
import { rosterOf, type Roster } from "../core/roster.ts";
import type { RoadPlan } from "../scene/plan.ts";
import { planOf } from "../scene/plans.ts";
import type { Frame } from "../wire/frame.ts";
import type { World } from "../wire/protocol.ts";

export const BEFORE = 10; // s shown before the playhead
export const AFTER = 6; // and after it, where that is simulated
const CARS = 40;
const REACH = 400; // m from the car that is looked at
const AGAIN_MS = 700;

export interface Track {
  id: number;
  name: string;
  label: string;
  slot: number;
  x: (number | null)[];
  y: (number | null)[];
  lane: Int8Array; // from 1; 0: on a ramp, or not there
}

// The lane of a place, from 1; 0: on a ramp.
export function laneAt(plan: RoadPlan | null, world: World, x: number, y: number, path: number): number {
  if (path > 0) return 0;
  if (plan?.shaped) return plan.main.laneAt(x, y) + 1;
  const width = world.road.lane_width > 0 ? world.road.lane_width : 3.4;
  return Math.max(1, Math.min(Math.max(1, world.road.lanes), Math.round(-y / width) + 1));
}

// m, the middle of a lane (from 1) at x.
export function laneCentre(plan: RoadPlan | null, world: World, lane: number, x: number): number {
  const width = world.road.lane_width > 0 ? world.road.lane_width : 3.4;
  const y = plan?.shaped ? plan.main.centre(lane - 1, x) : NaN;
  return Number.isFinite(y) ? y : -(lane - 1) * width;
}

export function laneCount(plan: RoadPlan | null, world: World): number {
  return plan?.shaped ? Math.max(1, plan.main.lanes.length) : Math.max(1, world.road.lanes);
}

// The car that is looked at: the selected one, else the reference, else the first of the frame.
export function looked(app: App, world: World, f: Frame): number {
  const name = app.selection?.world === world.world ? app.selection.vehicle : app.reference;
  const v = name ? world.vehicles.find((q) => q.name === name) : undefined;
  const i = v ? f.index(v.id) : -1;
  return i >= 0 ? i : 0;
}

export class LaneData {
  world: World | null = null;
  plan: RoadPlan | null = null;
  roster: Roster | null = null;
  t: number[] = [];
  tracks: Track[] = [];
  version = 0; // counts answers
  private from = NaN;
  private to = NaN;
  private askedFor = "";
  private at = -Infinity;
  private under = false;

  constructor(private app: App) {
    app.on("changed", () => {
      this.askedFor = "";
    });
  }

  // Asks for what is missing, at most every AGAIN_MS.
  refresh(): void {
    const app = this.app;
    const w = app.current();
    const f = w ? app.frame(w.world) : null;
    if (!w || !f || !f.n) return;
    const t = app.clock.t;
    const from = Math.max(w.start, t - BEFORE);
    const to = Math.min(w.end, t + AFTER);
    const key = `${w.world} ${w.version} ${w.road.plan} ${app.selection?.vehicle ?? ""} ${w.vehicles.length}`;
    const covered = from >= this.from - 0.5 && to <= this.to + 0.3 && t - this.from < BEFORE + 4;
    if (this.under || (key === this.askedFor && covered)) return;
    const now = performance.now();
    if (now - this.at < AGAIN_MS) {
      app.touch(AGAIN_MS);
      return;
    }
    this.at = now;
    this.askedFor = key;
    this.ask(w, f, from, to);
  }

  private ask(w: World, f: Frame, from: number, to: number): void {
    const roster = rosterOf(this.app, w);
    const middle = f.x[looked(this.app, w, f)]!;
    const near: { slot: number; d: number }[] = [];
    for (let i = 0; i < f.n; i++) {
      const slot = roster.slot(f.id[i]!);
      const d = Math.abs(f.x[i]! - middle);
      if (slot >= 0 && d < REACH) near.push({ slot, d });
    }
    near.sort((a, b) => a.d - b.d);
    const slots = near.slice(0, CARS).map((q) => q.slot);
    const names = slots.map((k) => roster.vehicles[k]!.name);
    this.under = true;
    this.app
      .ask("series", {
        worlds: [w.world],
        vehicles: names,
        fields: ["middle", "y", "path"],
        from,
        to,
        points: 320,
      })
      .then(
        (r) => {
          this.under = false;
          this.take(w, roster, slots, r);
          this.from = from;
          this.to = to;
          this.app.touch();
        },
        () => {
          this.under = false;
          this.askedFor = "";
        },
      );
  }

  private take(
    w: World,
    roster: Roster,
    slots: number[],
    r: { t: number[]; values: Record<string, (number | null)[]>; thinned: boolean },
  ): void {
    // Thinned curves have two points per interval, for peaks; lines of cars need the first of each.
    const every = r.thinned ? 2 : 1;
    const thin = <T>(list: T[]): T[] => (every === 1 ? list : list.filter((_, k) => k % every === 0));
    this.world = w;
    this.roster = roster;
    this.plan = planOf(this.app, w);
    const times = (this.t = thin(r.t));
    this.tracks = slots.map((slot) => {
      const v = roster.vehicles[slot]!;
      const of = (field: string): (number | null)[] => thin(r.values[`${w.world}/${v.name}/${field}`] ?? []);
      const x = of("middle");
      const y = of("y");
      const path = of("path");
      const lane = new Int8Array(times.length);
      for (let k = 0; k < times.length; k++)
        lane[k] = x[k] == null || y[k] == null ? 0 : laneAt(this.plan, w, x[k]!, y[k]!, path[k] ?? 0);
      return { id: v.id, name: v.name, label: roster.labels[slot]!, slot, x, y, lane };
    });
    this.version++;
  }
}

const kept = new WeakMap<App, LaneData>();
export function laneData(app: App): LaneData {
  let d = kept.get(app);
  if (!d) kept.set(app, (d = new LaneData(app)));
  return d;
}
