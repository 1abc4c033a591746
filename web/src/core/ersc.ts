// ersc.ts - the evolutionary roadway system for cars (docs/ersc.md): levels, their functions, and the state of a car
// in a frame.
import type { Frame } from "../wire/frame.ts";
import type { Vehicle, World } from "../wire/protocol.ts";
import type { Event, Time } from "./app.ts";
import { eventName } from "./eventwords.ts";

// Bits of a frame's status.
export const CHECKED_IN = 256;
export const FLASHES = 512;
export const BLIND_LEFT = 1024;
export const BLIND_RIGHT = 2048;

export const LEVELS = [1, 2, 3, 4];
export interface ErscFunction {
  name: string;
  from: number; // level
  doc: string;
}
export const FUNCTIONS: ErscFunction[] = [
  {
    name: "Adaptive cruise control",
    from: 1,
    doc: "The controller of the ERSC drives cars that are checked in, and brakes no harder than is comfortable",
  },
  { name: "Blind-spot warning", from: 1, doc: "A wedge shows the side where a car is beside this one or just behind" },
  { name: "Check-in and check-out", from: 1, doc: "A driver hands the car over, if its tests pass, and gets it back" },
  { name: "Collision avoidance", from: 2, doc: "A car that is checked in can always stop behind the one in front" },
  { name: "Lane keeping", from: 3, doc: "The car steers itself; below this level its driver does" },
  { name: "Automatic lane change", from: 4, doc: "Cars that are checked in change lanes by themselves" },
];

// Lanes from the left that are automated.
export function automatedLanes(level: number): number {
  return level >= 4 ? 2 : level > 0 ? 1 : 0;
}
export function lanesText(level: number, lanes: number): string {
  const n = Math.min(lanes, automatedLanes(level));
  if (n === 0) return "no automated lanes";
  return `${n} automated lane${n > 1 ? "s" : ""}, ${lanes - n} manual`;
}

const changes = new WeakMap<Event[], Event[]>(); // of the level, of one list of events
function levelChanges(events: Event[]): Event[] {
  let list = changes.get(events);
  if (!list) changes.set(events, (list = events.filter((e) => !e.vehicle && eventName(e) === "ersc")));
  return list;
}

// The level at an instant: that of the scenario until an event or a command switches it.
export function levelAt(app: Time, world: World, t = app.clock.t): number {
  let level = world.road.ersc_start;
  for (const e of levelChanges(app.events(world.world))) if (e.t <= t + 1e-9) level = Math.round(e.value ?? level);
  return level;
}
// Whether its road has the ERSC at some time.
export function hasErsc(app: Time, world: World): boolean {
  return (
    world.kind === "run" &&
    (world.road.ersc_start > 0 || world.road.ersc > 0 || levelChanges(app.events(world.world)).length > 0)
  );
}

export function statusOf(frame: Frame | null, v: Vehicle): number {
  const i = frame ? frame.index(v.id) : -1;
  return i >= 0 ? frame!.status[i]! : 0;
}
export function blindWords(status: number): string {
  const left = status & BLIND_LEFT;
  const right = status & BLIND_RIGHT;
  return left && right ? "blind spot: left and right" : left ? "blind spot: left" : right ? "blind spot: right" : "";
}
// Why a car flashes; "": it does not.
export function flashWords(status: number, level: number): string {
  if (!(status & FLASHES)) return "";
  return level > 0 && !(status & CHECKED_IN) ? "not checked in" : "in a lane it may not use";
}

// How a car is sent to another lane: by itself where the ERSC changes lanes for it, otherwise by its driver.
export function laneRequest(app: Time, world: World, v: Vehicle): "lane" | "driver_lane" {
  const level = levelAt(app, world);
  if (level === 0) return "lane";
  return level >= 4 && statusOf(app.frame(world.world), v) & CHECKED_IN ? "lane" : "driver_lane";
}
