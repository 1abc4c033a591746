// roster.ts - the cars of a world as arrays: what does not change from frame to frame, found by the
// id in a frame without looking anything up by name.

import type { Frame } from "../wire/frame.ts";
import type { Controller, Vehicle, World } from "../wire/protocol.ts";
import type { Scenario } from "./app.ts";

// The number a car carries wherever it is shown: followers count from 1, as their names do; 0 is the leader, whose
// place is 1.
export function numberAt(place: number): number {
  return place - 1;
}

// Whether a law knows a desired spacing; a driver's that only follows speeds does not, and is not automation.
function keepsSpacing(c: Controller): boolean {
  return !c.name.startsWith("(") && c.lines.some((l) => /\b(headway|distance|position_error)\b/.test(l.formula));
}

export class Roster {
  readonly count: number;
  readonly vehicles: Vehicle[];
  readonly labels: string[]; // "A6": letter of the world, number (0: leader); "A2.6" with several platoons
  readonly length: Float32Array;
  readonly width: Float32Array;
  readonly platoon: Uint16Array;
  readonly tagged: Uint8Array; // driven by a law or a profile as part of a platoon: carries a tag
  readonly leader: Uint8Array;
  readonly box: Uint8Array; // drawn as a plain box
  readonly lanes: number; // different lanes with tagged cars
  readonly lowLane: number; // tagged cars in this lane or right of it carry their tag below the road
  readonly lawLanes: number; // bit k: a law drives a car of lane k (0: leftmost)
  private slots: Int32Array;

  constructor(world: World, letter: string) {
    const v = (this.vehicles = world.vehicles);
    this.count = v.length;
    this.length = new Float32Array(v.length);
    this.width = new Float32Array(v.length);
    this.platoon = new Uint16Array(v.length);
    this.tagged = new Uint8Array(v.length);
    this.leader = new Uint8Array(v.length);
    this.box = new Uint8Array(v.length);
    const boxes = new Set((world.catalogue ?? []).filter((m) => m.look === "box").map((m) => m.name));
    let max = 0;
    for (const c of v) max = Math.max(max, c.id);
    this.slots = new Int32Array(max + 1).fill(-1);
    const many = world.platoons.length > 1;
    const lanes = new Set<number>();
    this.labels = v.map((c, k) => {
      this.slots[c.id] = k;
      this.length[k] = c.length > 0 ? c.length : 5;
      this.width[k] = c.width > 0 ? c.width : 1.9;
      this.platoon[k] = Math.max(0, c.platoon);
      this.leader[k] = c.leader ? 1 : 0;
      this.box[k] = boxes.has(c.model) ? 1 : 0;
      this.tagged[k] = c.platoon >= 0 ? 1 : 0;
      if (c.platoon >= 0) lanes.add(c.lane);
      if (c.platoon < 0) return c.name;
      return many ? `${letter}${c.platoon + 1}.${numberAt(c.place)}` : `${letter}${numberAt(c.place)}`;
    });
    let mask = 0;
    const drivers = new Set(world.controllers.filter((c) => !keepsSpacing(c)).map((c) => c.name));
    for (const c of v)
      if (c.controller && !drivers.has(c.controller)) mask |= 1 << Math.max(0, Math.min(30, c.lane - 1));
    this.lawLanes = mask;
    this.lanes = lanes.size;
    const order = [...lanes].sort((a, b) => a - b);
    this.lowLane = order.length > 1 ? order[Math.ceil(order.length / 2)]! : Infinity;
  }

  slot(id: number): number {
    return id < this.slots.length ? this.slots[id]! : -1;
  }
  slotOf(name: string): number {
    if (!this.names) {
      this.names = new Map();
      for (let k = this.count - 1; k >= 0; k--) this.names.set(this.vehicles[k]!.name, k);
    }
    return this.names.get(name) ?? -1;
  }
  private names: Map<string, number> | null = null;
}

const known = new WeakMap<Vehicle[], { letter: string; platoons: number; roster: Roster }>();

export function rosterOf(app: Scenario, world: World): Roster {
  const letter = app.letter(world.world);
  const k = known.get(world.vehicles);
  if (k && k.letter === letter && k.platoons === world.platoons.length && k.roster.count === world.vehicles.length)
    return k.roster;
  const roster = new Roster(world, letter);
  known.set(world.vehicles, { letter, platoons: world.platoons.length, roster });
  return roster;
}

// Index in the frame of the car at the same platoon and place as `slot` of another world's roster.
export function samePlace(from: Roster, slot: number, to: Roster, frame: Frame): number {
  const v = from.vehicles[slot];
  if (!v) return -1;
  const byName = frame.index(v.id);
  if (byName >= 0) return byName;
  for (const w of to.vehicles) if (w.platoon === v.platoon && w.place === v.place) return frame.index(w.id);
  return -1;
}
