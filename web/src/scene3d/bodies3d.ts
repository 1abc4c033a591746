// bodies3d.ts - deformable vehicles of the 3-D view: the skin of their look under the map of their directors, coloured by
// strain, on wheels that turn and steer as the state says. Rigid ones are in fleet3d.ts.
import { Group } from "three";
import type { Roster } from "../core/roster.ts";
import { palette } from "../draw/paint.ts";
import { ANGLE, LIFT, PER_WHEEL, STEER, type Stand } from "../wire/blocks.ts";
import type { Body, Frame } from "../wire/frame.ts";
import type { AnyKind } from "./fleet3d.ts";
import { newSpot, type Spot } from "./ground3d.ts";
import { Outlines } from "./outline3d.ts";
import { CLEARANCE, standing, type Placed } from "./placed.ts";
import { STEPS, type Step } from "./quality.ts";
import { Skin } from "./skin3d.ts";
import { deformation, magnified, rotation } from "./strain.ts";
import { closeAbove, equivalentStrain, Scale } from "./straincolour.ts";
import { axleOf, putWheel, standOf } from "./wheels3d.ts";

const REACH = 400; // m from the focus
const OUTLINED = 60;
const LEAST = 0.01; // strain at the end of the shortest scale

// Where the body of a frame is drawn: of which skin, at which place of it.
export interface DrawnBody {
  id: number;
  skin: Skin;
  at: number;
  wheel: number; // of its first wheel
}

export class Bodies3d {
  group = new Group();
  outlines = new Outlines();
  deformation = 1; // magnification
  colours = true; // of strain
  scale = 0; // strain at the end of the colours; 0: none is shown
  drawn: DrawnBody[] = [];
  shade: ((b: Body, r: Float64Array, q: Spot) => void) | null = null; // the dark under a body
  private skins = new Map<string, { kind: AnyKind | null; skin: Skin }>();
  private step: Step = STEPS[0];
  private range = new Scale(LEAST, closeAbove);
  private evening = false;
  private spot = newSpot();
  private f = new Float64Array(9);
  private r = new Float64Array(9);
  private a = new Float64Array(9);
  private m = new Float32Array(16);

  constructor() {
    this.group.add(this.outlines.group);
  }

  setStep(step: Step): void {
    this.step = step;
    for (const { skin } of this.skins.values()) skin.setStep(step);
  }
  repaint(): void {
    this.evening = palette().dark;
    this.outlines.repaint(this.evening);
  }

  // look: the kind of a slot by name, and what is built of it. key: of the collision that is looked at.
  update(
    frame: Frame,
    roster: Roster,
    at: Placed,
    look: (slot: number) => { name: string; kind: AnyKind | null },
    key: string,
  ): void {
    this.outlines.begin();
    this.drawn.length = 0;
    for (const { skin } of this.skins.values()) skin.begin();
    let largest = 0;
    for (const b of frame.bodies) largest = Math.max(largest, equivalentStrain(deformation(b.axes, b.rest, this.f)));
    this.scale = this.colours && frame.bodies.length ? this.range.hold(largest, key) : 0;
    for (const b of frame.bodies) {
      if (Math.abs(b.centre[0] - at.focus) > REACH) continue;
      const slot = roster.slot(b.id);
      const { name, kind } = look(slot);
      this.put(frame, b, slot, this.skinOf(name, kind), at);
    }
    for (const { skin } of this.skins.values()) skin.show();
    this.outlines.show();
  }

  // Until a kind is built its bodies are painted balls.
  private skinOf(name: string, kind: AnyKind | null): Skin {
    const known = this.skins.get(name);
    if (known && known.kind === kind) return known.skin;
    known?.skin.destroy();
    const skin = new Skin(this.group, kind);
    skin.setStep(this.step);
    this.skins.set(name, { kind, skin });
    return skin;
  }

  // The skin under (R + k (F - R)) diag(rest).
  private put(frame: Frame, b: Body, slot: number, skin: Skin, at: Placed): void {
    const n = skin.next();
    if (n < 0) return;
    const i = frame.index(b.id);
    const path = frame.field("path");
    const brake = frame.field("brake");
    deformation(b.axes, b.rest, this.f);
    rotation(this.f, this.r);
    magnified(this.f, this.r, this.deformation, b.rest, this.a);
    const q = at.ground.spot(b.centre[0], b.centre[1], path && i >= 0 ? path[i]! : 0, this.spot);
    turn(this.a, q);
    turn(this.r, q);
    const z = q.z + standing(b) + b.centre[2];
    affine(skin.bodies.instanceMatrix.array as Float32Array, 16 * n, this.a, q.x, q.y, z);
    skin.lamps[4 * n] = brake && i >= 0 && brake[i]! > 0.02 ? 1 : this.evening ? 0.28 : 0;
    skin.lamps[4 * n + 1] = this.evening ? 1 : 0;
    skin.strain[n] = this.scale > 0 ? equivalentStrain(this.f) / this.scale : -1;
    at.colour(i, slot).toArray(skin.bodies.instanceColor!.array, 3 * n);
    this.drawn.push({ id: b.id, skin, at: n, wheel: skin.wheels.count });
    this.wheels(b, skin, standOf(frame, b.id), frame.field("steer")?.[i] ?? 0, frame.x[i] ?? b.centre[0]);
    this.shade?.(b, this.r, q);
    if (Math.abs(b.centre[0] - at.focus) < OUTLINED) this.outlines.put(this.r, b.rest, this.a, q.x, q.y, z);
  }

  // Wheels hang at material points of the floor and stand on the road.
  private wheels(b: Body, skin: Skin, stand: Stand | null, steer: number, x: number): void {
    const { a, r, m } = this;
    const k = skin.tyre.tall ? (2 * b.rest[2] + CLEARANCE) / skin.tyre.tall : 1;
    const radius = k * skin.tyre.r;
    // Axes of the heading on the road.
    const size = Math.hypot(r[0]!, r[3]!) || 1;
    m[0] = m[5] = r[0]! / size;
    m[1] = r[3]! / size;
    m[4] = -m[1];
    m[2] = m[6] = m[8] = m[9] = 0;
    m[10] = 1;
    for (const [j, hub] of skin.hubs.entries()) {
      const n = skin.nextWheel();
      if (n < 0) return;
      const w = stand ? PER_WHEEL * axleOf(j, skin.hubs.length, stand.wheels.length / PER_WHEEL) : 0;
      m[12] = this.spot.x + a[0]! * hub.u + a[1]! * hub.v;
      m[13] = this.spot.y + a[3]! * hub.u + a[4]! * hub.v;
      m[14] = this.spot.z + radius + (stand ? stand.wheels[w + LIFT]! : 0);
      const steered = stand ? stand.wheels[w + STEER]! : hub.steered ? steer : 0;
      const angle = stand ? stand.wheels[w + ANGLE]! : (x / radius) % (2 * Math.PI);
      putWheel(skin.wheels.instanceMatrix.array as Float32Array, 16 * n, m, k, hub.v > 0 ? 1 : -1, steered, angle);
    }
  }
}

// The first two rows of a matrix turned by the road's direction.
function turn(a: Float64Array, q: Spot): void {
  for (let k = 0; k < 3; k++) {
    const x = a[k]!;
    const y = a[3 + k]!;
    a[k] = q.c * x - q.s * y;
    a[3 + k] = q.s * x + q.c * y;
  }
}

function affine(m: Float32Array, at: number, a: Float64Array, x: number, y: number, z: number): void {
  for (let k = 0; k < 3; k++) {
    m[at + 4 * k] = a[k]!;
    m[at + 4 * k + 1] = a[3 + k]!;
    m[at + 4 * k + 2] = a[6 + k]!;
    m[at + 4 * k + 3] = 0;
  }
  m[at + 12] = x;
  m[at + 13] = y;
  m[at + 14] = z;
  m[at + 15] = 1;
}
