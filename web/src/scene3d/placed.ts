// placed.ts - where things of a frame stand in the picture.
import type { Color } from "three";
import type { Body, Contact, Frame } from "../wire/frame.ts";
import type { Ground, Spot } from "./ground3d.ts";

export const CLEARANCE = 0.16; // m under the floor

export interface Placed {
  ground: Ground;
  focus: number; // m along the road
  colour: (i: number, slot: number) => Color;
}

// A body's z counts from where its middle is at rest; this is how high that is above the road.
export function standing(b: Body): number {
  return b.rest[2] + CLEARANCE;
}

// Height of a contact: bodies know theirs; cars that move along a line touch at the bumper.
export function bumper(frame: Frame, c: Contact): number {
  const b = frame.bodies.find((q) => q.id === c.id || q.id === c.id2);
  return b ? c.point[2] + standing(b) : 0.5;
}

// A contact in the picture, with the road's direction there.
export function touchSpot(frame: Frame, c: Contact, at: Placed, out: Spot): Spot {
  const path = frame.field("path");
  const i = frame.index(c.id);
  at.ground.spot(c.point[0], c.point[1], path && i >= 0 ? path[i] : 0, out);
  out.z += bumper(frame, c);
  return out;
}
