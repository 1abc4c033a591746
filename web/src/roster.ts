// roster.ts - the cars of a world as arrays: what does not change from frame to frame, found by the
// id in a frame without looking anything up by name.

import type { App, Frame, Vehicle, World } from "./app.ts";

export class Roster {
  readonly count: number;
  readonly vehicles: Vehicle[];
  readonly labels: string[]; // "A6": letter of the world, place (1: leader); "A2.6" with several platoons
  readonly length: Float32Array;
  readonly width: Float32Array;
  readonly platoon: Uint16Array;
  readonly tagged: Uint8Array; // driven by a law or a profile as part of a platoon: carries a tag
  readonly leader: Uint8Array;
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
    let most = 0;
    for (const c of v) most = Math.max(most, c.id);
    this.slots = new Int32Array(most + 1).fill(-1);
    const many = world.platoons.length > 1;
    const lanes = new Set<number>();
    this.labels = v.map((c, k) => {
      this.slots[c.id] = k;
      this.length[k] = c.length > 0 ? c.length : 5;
      this.width[k] = c.width > 0 ? c.width : 1.9;
      this.platoon[k] = Math.max(0, c.platoon);
      this.leader[k] = c.leader ? 1 : 0;
      this.tagged[k] = c.platoon >= 0 ? 1 : 0;
      if (c.platoon >= 0) lanes.add(c.lane);
      if (c.platoon < 0) return c.name;
      return many ? `${letter}${c.platoon + 1}.${c.place}` : `${letter}${c.place}`;
    });
    let mask = 0;
    for (const c of v) if (c.controller) mask |= 1 << Math.max(0, Math.min(30, c.lane - 1));
    this.lawLanes = mask;
    this.lanes = lanes.size;
    const order = [...lanes].sort((a, b) => a - b);
    this.lowLane = order.length > 1 ? order[Math.ceil(order.length / 2)]! : Infinity;
  }

  slot(id: number): number { return id < this.slots.length ? this.slots[id]! : -1; }
  slotOf(name: string): number {
    if (!this.names) { this.names = new Map(); for (let k = this.count - 1; k >= 0; k--) this.names.set(this.vehicles[k]!.name, k); }
    return this.names.get(name) ?? -1;
  }
  private names: Map<string, number> | null = null;
}

const known = new WeakMap<Vehicle[], { letter: string; platoons: number; roster: Roster }>();

export function rosterOf(app: App, world: World): Roster {
  const letter = app.letter(world.world);
  const k = known.get(world.vehicles);
  if (k && k.letter === letter && k.platoons === world.platoons.length && k.roster.count === world.vehicles.length) return k.roster;
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
