// mileagedata.ts - fuel economy over a moving window, eq (13) of the report, and its units.
//
// Samples every T seconds; windows of T0 = N T begin at samples 0, N, 2N, ... GM follows miles by
// gallon since the window began through a low pass of rate alpha; a window is left two samples after
// the next one has begun (k0 is the largest integer below (k-1) T / T0).
import type { Scenario, Server, Time } from "../core/app.ts";
import type { Vehicle } from "../wire/protocol.ts";

export const STEP = 0.5; // s, T
export const DENSITY = 745; // g/l, of the fuel (docs/figures.md)
const MILE = 1609.344;
const GALLON = 3.785411784; // m, l
const MIN_FUEL = 1e-3; // gal that must be burnt in the window
const START = 10; // mpg, GM(0)

export interface Filter {
  window: number;
  alpha: number;
}
export const USUAL: Filter = { window: 100, alpha: 0.1 };

// distance m and fuel g at samples of STEP: mpg at each.
export function mileageOf(distance: Float64Array, fuel: Float64Array, filter: Filter): Float64Array {
  const n = Math.max(Math.round(filter.window / STEP), 2);
  const out = new Float64Array(distance.length);
  const share = Math.min(filter.alpha * STEP, 1);
  let value = START;
  let baseX = distance[0] ?? 0;
  let baseFuel = fuel[0] ?? 0;
  let nextX = baseX;
  let nextFuel = baseFuel;
  for (let k = 0; k < distance.length; k++) {
    const after = k % n;
    if (k > 2 && (n === 2 ? after === 0 : after === 2)) {
      baseX = nextX;
      baseFuel = nextFuel;
    }
    if (k > 0 && after === 0) {
      nextX = distance[k]!;
      nextFuel = fuel[k]!;
    }
    const gallons = (fuel[k]! - baseFuel) / DENSITY / GALLON;
    if (k > 0 && gallons >= MIN_FUEL && gallons > 0)
      value = (1 - share) * value + (share * (distance[k]! - baseX)) / MILE / gallons;
    out[k] = fuel[k] === fuel[k] ? value : NaN;
  }
  return out;
}

export type Unit = "mpg" | "L/100 km" | "g/km";
export const UNITS: Unit[] = ["mpg", "L/100 km", "g/km"];
export function inUnit(mpg: number, unit: Unit): number {
  if (unit === "mpg") return mpg;
  const litres = 1e5 / ((mpg * MILE) / GALLON); // for 100 km
  return unit === "L/100 km" ? litres : (litres * DENSITY) / 100;
}

// ---- groups of cars that are compared: each platoon of each shown world ----------------------------

export interface Group {
  world: number;
  platoon: number;
  name: string;
  colour: string;
  controller: string;
  cars: Vehicle[];
}

export function groupsOf(app: Scenario): Group[] {
  const worlds = app.shown();
  const style = getComputedStyle(document.documentElement);
  const inks = ["--a", "--b", "--c", "--d"];
  const out: Group[] = [];
  for (const w of worlds)
    for (const p of w.platoons) {
      const cars = w.vehicles.filter((v) => v.platoon === p.platoon).sort((a, b) => a.place - b.place);
      const follower = cars.find((v) => !v.leader);
      if (!follower) continue;
      const letter = app.letter(w.world);
      out.push({
        world: w.world,
        platoon: p.platoon,
        cars,
        controller: follower.controller,
        name: `${letter} ${follower.controller || p.name}`,
        colour: "",
      });
    }
  const shown = out.slice(0, 4);
  shown.forEach((g, k) => {
    g.colour =
      worlds.length > 1 && worlds.length === shown.length
        ? app.colour(g.world)
        : style.getPropertyValue(inks[k]!).trim();
  });
  return shown;
}

// ---- the past of all cars -------------------------------------------------------------------------

export interface Past {
  n: number;
  fuel: Float64Array;
  distance: Float64Array;
  mileage: Float64Array;
}

// Values at k STEP from the run's start, by straight lines between the server's points.
export function even(t: number[], y: (number | null)[], from: number, n: number): Float64Array {
  const out = new Float64Array(n).fill(NaN);
  let i = 0;
  for (let k = 0; k < n; k++) {
    const at = from + k * STEP;
    while (i + 1 < t.length && t[i + 1]! < at) i++;
    const a = y[i];
    const b = y[Math.min(i + 1, t.length - 1)];
    const dt = (t[Math.min(i + 1, t.length - 1)] ?? 0) - (t[i] ?? 0);
    if (a === null || a === undefined) continue;
    out[k] = b !== null && b !== undefined && dt > 0 ? a + ((b - a) * Math.min(Math.max(at - t[i]!, 0), dt)) / dt : a;
  }
  return out;
}

export async function pastOf(app: Time & Server, groups: Group[], filter: Filter): Promise<Map<string, Past>> {
  const out = new Map<string, Past>();
  const from = app.clock.start;
  const to = app.clock.end;
  const n = Math.floor((to - from) / STEP) + 1;
  if (n < 2 || !groups.length) return out;
  const worlds = [...new Set(groups.map((g) => g.world))];
  const vehicles = [...new Set(groups.flatMap((g) => g.cars.map((c) => c.name)))];
  const answer = await app.ask("series", {
    worlds,
    vehicles,
    fields: ["x", "fuel"],
    from,
    to,
    points: Math.min(2000, Math.max(50, Math.floor(1e5 / (2 * worlds.length * vehicles.length)))),
  });
  for (const g of groups)
    for (const car of g.cars) {
      const key = `${g.world}/${car.name}`;
      const distance = even(answer.t, answer.values[key + "/x"] ?? [], from, n);
      const fuel = even(answer.t, answer.values[key + "/fuel"] ?? [], from, n).map((kg) => 1e3 * kg); // g
      out.set(key, { n, distance, fuel, mileage: mileageOf(distance, fuel, filter) });
    }
  return out;
}

export function pastAt(row: Float64Array, start: number, t: number): number {
  const k = (t - start) / STEP;
  const i = Math.min(Math.max(Math.floor(k), 0), row.length - 1);
  const j = Math.min(i + 1, row.length - 1);
  return row[i]! + (row[j]! - row[i]!) * Math.min(Math.max(k - i, 0), 1);
}
