// colour.ts - what the colour of a car means: its platoon, or the value of something.
//
// A colouring gives every car a bucket, so that thousands of cars are drawn with one path a colour.

import type { Scenario } from "../core/app.ts";
import type { Roster } from "../core/roster.ts";
import { niceAbove, palette, ramp } from "../draw/paint.ts";
import type { Frame } from "../wire/frame.ts";

export const COLOURS = ["platoon", "speed", "error", "jerk", "energy", "fuel", "mode"] as const;
export type ColourBy = (typeof COLOURS)[number];
export const COLOUR_TITLES: Record<ColourBy, string> = {
  platoon: "platoon",
  speed: "speed",
  error: "spacing error",
  jerk: "jerk",
  energy: "energy",
  fuel: "fuel used",
  mode: "mode",
};
const UNITS: Record<ColourBy, string> = {
  platoon: "",
  speed: "m/s",
  error: "m",
  jerk: "m/s³",
  energy: "kJ",
  fuel: "g",
  mode: "",
};
const FIELD_STOPS = ["#00224E", "#575C6D", "#A69D75", "#FEE838"];
const STEPS = 33; // odd: the middle of a signed ramp is white

export interface Legend {
  kind: "none" | "ramp" | "list";
  colours: string[];
  from: string;
  to: string;
  unit: string;
  names: string[];
}

const MODES = ["throttle", "brake", "neither", "fallback law", "by hand"];

export class Colouring {
  by: ColourBy = "platoon";
  colours: string[] = [];
  manual = 0; // bucket of a car without a platoon
  private low = 0;
  private high = 1;
  private theme = "";
  private single = true;
  private grown = 0;

  // Once a frame, before bucket(): reads theme and number of worlds.
  prepare(by: ColourBy, worlds: number): void {
    const p = palette();
    const theme = `${by}${p.dark}${p.worlds.join()}${worlds > 1}`;
    if (theme === this.theme) return;
    this.theme = theme;
    if (by !== this.by) {
      this.high = 0;
      this.grown = 0;
    }
    this.by = by;
    this.frame = null;
    this.single = worlds <= 1;
    if (by === "platoon") this.colours = [...p.worlds, p.manual];
    else if (by === "mode") this.colours = [p.ok, p.danger, p.manual, p.focus, p.ink];
    else if (by === "error" || by === "jerk")
      this.colours = ramp([p.worlds[0]!, p.dark ? "#F6F7F9" : "#F6F7F9", p.worlds[1]!], STEPS);
    else this.colours = ramp(FIELD_STOPS, STEPS);
    this.manual = this.colours.length - 1;
  }

  // The range follows the maximum so far, in steps of 1, 2, 5; it shrinks only when another quantity is chosen.
  grow(frame: Frame): void {
    if (this.by === "platoon" || this.by === "mode") return;
    let max = 0;
    for (let i = 0; i < frame.n; i++) {
      const v = Math.abs(this.value(frame, i));
      if (v > max) max = v;
    }
    const min = this.by === "error" ? 0.1 : this.by === "jerk" ? 2.5 : 1e-3;
    if (max > this.grown) {
      this.grown = max;
      this.high = niceAbove(Math.max(max, min));
    }
    if (!(this.high > 0)) this.high = min;
    this.low = this.by === "error" || this.by === "jerk" ? -this.high : 0;
  }

  // The frame whose cars value() and bucket() are asked for next.
  private bind(frame: Frame): void {
    if (this.frame === frame && this.time === frame.time) return;
    this.frame = frame;
    this.time = frame.time;
    this.values =
      this.by === "speed"
        ? frame.field("v")
        : this.by === "jerk"
          ? frame.field("jerk")
          : this.by === "energy"
            ? frame.field("energy")
            : this.by === "fuel"
              ? frame.field("fuel")
              : null;
    this.x = frame.x;
    this.s = frame.s;
  }
  private frame: Frame | null = null;
  private time = NaN;
  private values: ArrayLike<number> | null = null;
  private x: ArrayLike<number> = [];
  private s: ArrayLike<number> = [];

  value(frame: Frame, i: number): number {
    this.bind(frame);
    if (this.by === "error") return this.s[i]! - this.x[i]!;
    const v = this.values ? this.values[i]! : NaN;
    return this.by === "energy" ? v / 1000 : this.by === "fuel" ? v * 1000 : v; // kJ, g
  }

  bucket(frame: Frame, i: number, roster: Roster, slot: number, worldIndex: number): number {
    if (this.by === "platoon") {
      if (slot < 0 || !roster.tagged[slot]) return this.manual;
      return (this.single ? roster.platoon[slot]! : worldIndex) & 3;
    }
    if (this.by === "mode") return modeOf(frame.status[i]!);
    return this.step(this.value(frame, i));
  }

  step(v: number): number {
    if (!Number.isFinite(v)) return this.by === "error" ? (STEPS - 1) / 2 : 0;
    const u = (v - this.low) / (this.high - this.low);
    return Math.max(0, Math.min(STEPS - 1, Math.round(u * (STEPS - 1))));
  }

  legend(): Legend {
    const none: Legend = { kind: "none", colours: [], from: "", to: "", unit: "", names: [] };
    if (this.by === "platoon") return none;
    if (this.by === "mode") return { ...none, kind: "list", colours: this.colours, names: MODES };
    const text = (v: number): string =>
      (v < 0 ? "−" : v > 0 && this.low < 0 ? "+" : "") + Number(Math.abs(v).toPrecision(3));
    return {
      ...none,
      kind: "ramp",
      colours: this.colours,
      from: text(this.low),
      to: text(this.high),
      unit: UNITS[this.by],
    };
  }
}

export function modeOf(status: number): number {
  if (status & 2) return 4;
  if (status & 32) return 3;
  if (status & 64) return 1;
  return status & 128 ? 0 : 2;
}

export function patternOf(roster: Roster, slot: number, worldIndex: number): number {
  return slot < 0 ? 0 : (roster.platoon[slot]! + (worldIndex >> 2)) & 3;
}

export function worldIndexOf(app: Scenario, world: number): number {
  const i = app.letter(world).charCodeAt(0) - 65;
  return i >= 0 && i < 64 ? i : 0;
}

// The colour of a platoon: where one world is shown its platoons differ, else all are in the world's colour.
export function platoonColour(app: Scenario, world: number, platoon: number): string {
  const w = app.world(world);
  return app.shown().length <= 1 && w && w.platoons.length > 1 && platoon >= 0
    ? palette().worlds[platoon & 3]!
    : app.colour(world);
}
