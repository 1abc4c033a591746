// fields.ts - what can be plotted of a car: name, title, unit, and how a frame gives it.
//
// Frame fields come from the frames themselves; the ones made of two (error, time gap) are computed
// here; whatever else a vehicle has (its own channels) only the server knows, by `series`.
import type { Scenario, Server } from "../core/app.ts";
import { rosterOf } from "../core/roster.ts";
import type { Frame } from "../wire/frame.ts";
import type { Field } from "../wire/protocol.ts";

export interface Quantity {
  name: string;
  title: string;
  unit: string; // as it is shown
  factor?: number; // from the protocol's unit to the shown one; 1
  symbol: string; // for axes and notes
  needs: Field[]; // of the frame; empty: the server must be asked
  of?(frame: Frame, i: number): number;
}

function direct(name: Field, title: string, unit: string, symbol: string): Quantity {
  return {
    name,
    title,
    unit,
    symbol,
    needs: [name],
    of: (frame, i) => {
      const f = frame.field(name);
      return f ? f[i]! : NaN;
    },
  };
}

export const QUANTITIES: Quantity[] = [
  {
    name: "spacing_error",
    title: "Spacing error",
    unit: "m",
    symbol: "e = desired \u2212 actual",
    needs: ["middle", "target"],
    of: (frame, i) => frame.s[i]! - frame.x[i]!,
  },
  direct("v", "Speed", "m/s", "v"),
  direct("a", "Acceleration", "m/s^2", "a"),
  direct("jerk", "Jerk", "m/s^3", "j"),
  direct("gap", "Gap, bumper to bumper", "m", "gap"),
  {
    name: "time_gap",
    title: "Time gap",
    unit: "s",
    symbol: "gap / v",
    needs: ["gap", "v"],
    of: (frame, i) => {
      const gap = frame.field("gap");
      const v = frame.field("v");
      return gap && v && v[i]! > 0.1 ? gap[i]! / v[i]! : NaN;
    },
  },
  { name: "ttc", title: "Time to collision", unit: "s", symbol: "TTC", needs: [] },
  direct("a_desired", "Desired acceleration", "m/s^2", "a of the law"),
  direct("throttle", "Throttle", "-", "throttle"),
  direct("brake", "Brake", "-", "brake"),
  direct("steer", "Steering", "rad", "\u03b4"),
  direct("n", "Engine speed", "1/min", "n"),
  { ...direct("fuel", "Fuel used", "g", "fuel"), factor: 1e3 }, // of kg
  direct("mileage", "Mileage", "mpg", "distance / fuel"),
  direct("estimate", "Estimate", "", "of the estimator"),
  { ...direct("energy", "Energy", "kJ", "E"), factor: 1e-3 },
  { name: "middle", title: "Position", unit: "m", symbol: "x", needs: ["middle"], of: (frame, i) => frame.x[i]! },
  direct("y", "Lateral position", "m", "y"),
  direct("psi", "Heading", "rad", "\u03c8"),
  { ...direct("yaw_rate", "Yaw rate", "deg/s", "r"), factor: 180 / Math.PI },
  { ...direct("side_slip", "Slip angle at the mass centre", "deg", "\u03b2"), factor: 180 / Math.PI },
  direct("a_y", "Lateral acceleration", "m/s^2", "a_y"),
  direct("lane", "Lane", "-", "lane, 1 is the leftmost"),
];

// Names of 0.1, which layouts that were kept may still have.
const RENAMED: Record<string, string> = { error: "spacing_error", rpm: "n", x: "middle", wanted: "a_desired" }; // old names

export function quantity(word: string): Quantity {
  const name = RENAMED[word] ?? word;
  return QUANTITIES.find((q) => q.name === name) ?? { name, title: name, unit: "", symbol: name, needs: [] };
}

// Channels of a vehicle's own, beside the common ones. Empty where the server does not say.
export async function channels(app: Server, world: number, vehicle: string): Promise<Quantity[]> {
  try {
    const card = await app.ask("card", { world, vehicle });
    const known = new Set(QUANTITIES.map((q) => q.name));
    return (card.channels ?? [])
      .filter((c: { name: string }) => !known.has(c.name))
      .map((c: { name: string; unit: string; doc: string }) => ({
        name: c.name,
        title: c.doc || c.name,
        unit: c.unit,
        symbol: c.name,
        needs: [],
      }));
  } catch {
    return [];
  }
}

export interface Car {
  id: number;
  name: string;
  place: number;
  leader: boolean;
  platoon: number;
}

// Cars of a world in order of platoon and place, from the front; the leader's place is 1.
// Manual traffic, in no platoon, is left out unless there is nothing else, or cars are meant by name.
export function carsOf(app: Scenario, world: number, named = false): Car[] {
  const w = app.world(world);
  if (!w) return [];
  const inPlatoon = !named && w.vehicles.some((v) => v.platoon >= 0);
  const all = w.vehicles
    .filter((v) => !inPlatoon || v.platoon >= 0)
    .sort((p, q) => p.platoon - q.platoon || p.place - q.place);
  return all.map((v) => ({ id: v.id, name: v.name, place: v.place, leader: v.leader, platoon: v.platoon }));
}

// "B6": as in the scene.
export function carLabel(app: Scenario, world: number, name: string): string {
  const w = app.world(world);
  if (!w) return name;
  const roster = rosterOf(app, w);
  const slot = roster.slotOf(name);
  return slot < 0 ? name : roster.labels[slot]!;
}
