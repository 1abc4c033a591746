// fleet3d.ts - all rigid vehicles of the picture: one instanced mesh per kind and level of detail, one per kind of wheel.
//
// Poses are those of the frame: the middle of the vehicle's box on the road, its yaw on top of the road's direction, its
// pitch that of the road. Wheels turn by the way travelled and steer by the angle of the state. Kinds are built when
// they are first needed, a step per picture; until then, and far away, a vehicle is a brick of its size. Nothing is
// allocated per frame.
import {
  type Color,
  Group,
  MeshLambertMaterial,
  MeshStandardMaterial,
  type Object3D,
  type Texture,
  type Vector3,
} from "three";
import type { Roster } from "../core/roster.ts";
import { ANGLE, LIFT, PER_WHEEL, STEER } from "../wire/blocks.ts";
import type { Frame, Stand } from "../wire/frame.ts";
import type { LookMesh, World } from "../wire/protocol.ts";
import { newSpot, type Ground } from "./ground3d.ts";
import { Instances } from "./instances.ts";
import { building, kindOf, LEVELS, OWN, type Kind, type KindName } from "./kinds3d.ts";
import { Lamps } from "./lamps3d.ts";
import { farShape } from "./mesh3d.ts";
import { ownKind, ownMaterials } from "./own3d.ts";
import { bodyMaterials, paintWhite, wheelMaterials, type BodyMaterial } from "./paintshader.ts";
import type { Step } from "./quality.ts";
import { axleOf, putWheel, standOf } from "./wheels3d.ts";

export const REACH = 1600; // m from the focus: beyond it haze hides everything
const LIMITS = [26, 75, 260]; // m up to which a level is drawn, times the step's detail or reach
const SHADED = 400; // m up to which the dark under a vehicle is drawn
const BRAKES = 0.02; // of the pedal, from which the lamps light
const LATERAL = 0.3; // m/s sideways from which it signals
const FLASH = 0.7; // s, on and off

// Where the camera stands in the picture and looks to.
export interface Eye {
  x: number;
  y: number;
  z: number;
  look: Vector3;
}
export interface Crowd {
  eye: Eye;
  ground: Ground;
  focus: number;
  zoom: number; // of the lens, 1 for 38 degrees
  skip: number; // id of the vehicle the camera is in; -1: none
  deformed: Set<number>; // ids of bodies that are drawn otherwise
  colour: (i: number, slot: number) => Color;
  pattern: (slot: number) => number;
}

export type AnyKind = Omit<Kind, "map" | "data"> & Partial<Kind>; // a body from a file has no sheets
interface Built {
  kind: AnyKind;
  levels: Instances[];
  wheels: Instances;
  materials: BodyMaterial[];
}

export class Fleet {
  group = new Group();
  lamps: Lamps;
  drawn = 0; // vehicles in the last picture
  private built = new Map<string, Built>();
  private asked = new Set<string>();
  private queue: { name: KindName; steps: Generator<null, Kind> }[] = [];
  private bricks: Instances;
  private brickMaterials: BodyMaterial[];
  private rubber = wheelMaterials();
  private kinds: (string | null)[] = []; // by slot
  private kindsOf: Roster | null = null;
  private step: Step | null = null;
  private spot = newSpot();
  private m = new Float32Array(16); // of the vehicle at hand on the road, without scale
  private leant = new Float32Array(16); // the same of its body, on its springs
  private hub = new Float32Array(16); // of a wheel

  // ask: the triangles of a model that has a file of its own.
  constructor(
    parent: Object3D,
    private ask: (world: number, model: string) => Promise<LookMesh>,
  ) {
    const plain = new MeshLambertMaterial({ vertexColors: true });
    const standard = new MeshStandardMaterial({ vertexColors: true, roughness: 0.45, metalness: 0.2 });
    plain.onBeforeCompile = standard.onBeforeCompile = paintWhite;
    this.brickMaterials = [plain, standard, standard];
    this.bricks = new Instances(this.group, farShape(), plain, true, false);
    this.lamps = new Lamps(this.group);
    parent.add(this.group);
  }

  setStep(step: Step): void {
    this.step = step;
    this.bricks.mesh.material = this.brickMaterials[step.material];
    for (const b of this.built.values()) this.dress(b);
  }

  private dress(b: Built): void {
    const step = this.step!;
    b.levels.forEach((l, k) => {
      l.mesh.material = b.materials[k < 2 ? step.material : Math.min(1, step.material)];
      l.mesh.castShadow = k < 2;
      l.mesh.receiveShadow = k < 2;
    });
    b.wheels.mesh.material = this.rubber[step.material];
    b.wheels.mesh.castShadow = b.wheels.mesh.receiveShadow = true;
    for (const t of [b.kind.map, b.kind.data]) if (t) sharpen(t, step.anisotropy);
  }

  get building(): boolean {
    return this.queue.length > 0;
  }
  kind(name: string): AnyKind | null {
    return this.built.get(name)?.kind ?? null;
  }
  // How a vehicle is drawn: the name of its kind, and the kind once it is built. Deformable ones have no bricks.
  lookOf(slot: number): { name: string; kind: AnyKind | null } {
    const name = this.kinds[slot] ?? "";
    return { name, kind: this.kind(name) };
  }
  // The drawn instances, for those who look: name of the kind, level or "wheels".
  instances(name: string, level: number | "wheels"): Instances | null {
    const b = this.built.get(name);
    return b ? (level === "wheels" ? b.wheels : b.levels[level]) : null;
  }

  // A step of what is to be built.
  build(): void {
    const next = this.queue[0];
    if (!next) return;
    const r = next.steps.next();
    if (!r.done) return;
    this.queue.shift();
    const kind = r.value;
    this.add(kind, bodyMaterials(kind.map, kind.data, kind.size[2]));
  }

  private add(kind: AnyKind, materials: BodyMaterial[]): void {
    const b: Built = {
      kind,
      materials,
      levels: kind.levels.map((g) => new Instances(this.group, g, materials[0], true, true)),
      wheels: new Instances(this.group, kind.wheelShape, this.rubber[0], false, false),
    };
    this.built.set(kind.name, b);
    this.dress(b);
  }

  // A vehicle whose file does not come stays a brick of its size.
  private need(name: string, world: number): void {
    if (this.asked.has(name)) return;
    this.asked.add(name);
    if (!name.startsWith(OWN)) this.queue.push({ name: name as KindName, steps: building(name as KindName) });
    else
      this.ask(world, name.slice(OWN.length)).then(
        (look) => this.add(ownKind(name, look), ownMaterials()),
        () => this.asked.delete(name),
      );
  }

  private sort(world: World, roster: Roster): void {
    if (this.kindsOf === roster) return;
    this.kindsOf = roster;
    const models = new Map((world.catalogue ?? []).map((m) => [m.name, m]));
    this.kinds = roster.vehicles.map((v) => kindOf(v, models.get(v.model)));
    for (const k of new Set(this.kinds)) if (k) this.need(k, world.world);
  }

  update(world: World, frame: Frame, roster: Roster, at: Crowd): void {
    this.sort(world, roster);
    this.bricks.count = 0;
    this.drawn = 0;
    for (const b of this.built.values()) {
      for (const l of b.levels) l.count = 0;
      b.wheels.count = 0;
    }
    this.lamps.begin();
    const { eye, ground } = at;
    const { look } = eye;
    const x = frame.x;
    const y = frame.field("y");
    const psi = frame.field("psi");
    const path = frame.field("path");
    const steer = frame.field("steer");
    const brake = frame.field("brake");
    const v = frame.field("v");
    const closed = ground.closed;
    const detail = this.step!.detail / at.zoom;
    const reach = this.step!.reach / this.step!.detail;
    const flashing = frame.time % FLASH < FLASH / 2;
    for (let i = 0; i < frame.n; i++) {
      if (!closed && Math.abs(x[i] - at.focus) > REACH) continue;
      const s = ground.spot(x[i], y ? y[i] : 0, path ? path[i] : 0, this.spot);
      const dx = s.x - eye.x;
      const dy = s.y - eye.y;
      const dz = s.z - eye.z;
      const ahead = dx * look.x + dy * look.y + dz * look.z;
      if (ahead < -12) continue; // behind the camera: a car's length and more, for the shadow
      const slot = roster.slot(frame.id[i]);
      if (slot < 0 || at.deformed.has(frame.id[i])) continue;
      const far = Math.hypot(dx, dy, dz);
      if (closed && far > REACH) continue;
      const d = far / detail;
      const turn = psi ? psi[i] : 0;
      const l = roster.length[slot];
      const w = roster.width[slot];
      const h = roster.vehicles[slot].height || 1.45;
      pose(this.m, s.x, s.y, s.z, s.c, s.s, turn, d < LIMITS[1] ? ground.slope(x[i]) : 0);
      const name = this.kinds[slot];
      const b = name ? this.built.get(name) : undefined;
      const c = at.colour(i, slot);
      const pressed = brake !== null && brake[i] > BRAKES ? 1 : 0;
      const sideways = v && psi ? v[i] * Math.sin(turn) : 0;
      const signal = flashing && Math.abs(sideways) > LATERAL ? Math.sign(sideways) : 0;
      if (frame.id[i] === at.skip) {
        if (b && this.lamps.evening) this.lamps.shine(this.m, 0, l);
        continue;
      }
      this.drawn++;
      const level = d < LIMITS[0] ? 0 : d < LIMITS[1] * reach ? 1 : d < LIMITS[2] * reach ? 2 : LEVELS;
      if (!b || level === LEVELS) put(this.bricks, this.m, l, w, h, c);
      else {
        const kl = l / b.kind.size[0];
        const kw = w / b.kind.size[1];
        const kh = h / b.kind.size[2];
        const on = b.levels[level];
        const stand = d < LIMITS[1] ? standOf(frame, frame.id[i]) : null;
        const n = put(on, stand ? lean(this.leant, this.m, stand, 0.5 * h) : this.m, kl, kw, kh, c);
        on.lamps[4 * n] = Math.max(pressed, this.lamps.evening ? 0.28 : 0);
        on.lamps[4 * n + 1] = this.lamps.evening ? 1 : 0;
        on.lamps[4 * n + 2] = signal;
        on.lamps[4 * n + 3] = at.pattern(slot);
        if (level === 0) this.wheels(b, kl, kw, kh, x[i], steer ? steer[i] : 0, stand);
      }
      if (d < SHADED) this.lamps.shade(this.m, 0, l, w);
      if (this.lamps.evening && b && d < 600) this.shine(b.kind, l, w, h, pressed, d);
    }
    this.bricks.show();
    for (const b of this.built.values()) {
      for (const k of b.levels) k.show();
      b.wheels.show();
    }
  }

  // Wheels in the arches of the scaled body: they stay round, their radius is scaled with the height. What the state
  // says of them holds: lift, steer and angle; else they roll along the road and the front ones steer.
  private wheels(b: Built, kl: number, kw: number, kh: number, x: number, steer: number, stand: Stand | null): void {
    const { m, hub } = this;
    const r = b.kind.wheel.r * kh;
    const rolled = (x / r) % (2 * Math.PI);
    hub.set(m);
    for (const [j, p] of b.kind.wheels.entries()) {
      const w = stand ? PER_WHEEL * axleOf(j, b.kind.wheels.length, stand.wheels.length / PER_WHEEL) : 0;
      const up = r + (stand ? stand.wheels[w + LIFT]! : 0);
      for (let k = 0; k < 3; k++) hub[12 + k] = m[12 + k]! + m[k]! * p.x * kl + m[4 + k]! * p.y * kw + m[8 + k]! * up;
      const angle = stand ? stand.wheels[w + ANGLE]! : rolled;
      const turned = stand ? stand.wheels[w + STEER]! : p.steered ? steer : 0;
      putWheel(b.wheels.matrix, 16 * b.wheels.next(), hub, kh, p.y > 0 ? 1 : -1, turned, angle);
    }
  }

  private shine(kind: AnyKind, l: number, w: number, h: number, brake: number, d: number): void {
    const { m, lamps } = this;
    const kh = h / kind.size[2];
    for (const side of [1, -1]) {
      if (kind.head) lamps.lamp(m, 0, l / 2 + 0.03, side * w * 0.34, kind.head * kh, 0.85, 1, 1, 0.93, 0.8);
      const red = 0.35 + 0.75 * brake;
      const size = 0.4 + 0.45 * brake;
      lamps.lamp(m, 0, -l / 2 - 0.03, side * w * 0.36, kind.tail * kh, size, -1, red, 0.01 + 0.02 * brake, 0.008);
    }
    if (d < 220 && kind.head) lamps.shine(m, 0, l);
  }
}

// A vehicle's axes and place: the road's direction (c, s), its own yaw on top, pitched with the road.
export function pose(
  m: Float32Array,
  x: number,
  y: number,
  z: number,
  c: number,
  s: number,
  psi: number,
  pitch: number,
): void {
  const cy = Math.cos(psi);
  const sy = Math.sin(psi);
  const co = c * cy - s * sy;
  const si = s * cy + c * sy;
  const cp = Math.cos(pitch);
  const sp = Math.sin(pitch);
  m[0] = co * cp;
  m[1] = si * cp;
  m[2] = sp;
  m[4] = -si;
  m[5] = co;
  m[6] = 0;
  m[8] = -co * sp;
  m[9] = -si * sp;
  m[10] = cp;
  m[12] = x;
  m[13] = y;
  m[14] = z;
  m[15] = 1;
}

// A body on its springs: risen by its heave, pitched and rolled about its middle, which is at height `middle`.
export function lean(out: Float32Array, m: Float32Array, stand: Stand, middle: number): Float32Array {
  const cp = Math.cos(stand.pitch);
  const sp = Math.sin(stand.pitch);
  const cr = Math.cos(stand.roll);
  const sr = Math.sin(stand.roll);
  for (let k = 0; k < 3; k++) {
    const [x, y, z] = [m[k], m[4 + k], m[8 + k]];
    out[k] = x * cp - z * sp;
    out[4 + k] = x * sp * sr + y * cr + z * cp * sr;
    out[8 + k] = x * sp * cr - y * sr + z * cp * cr;
    out[12 + k] = m[12 + k] + z * (stand.heave + middle) - middle * out[8 + k];
  }
  out[15] = 1;
  return out;
}

function put(on: Instances, m: Float32Array, l: number, w: number, h: number, c: Color): number {
  const n = on.next();
  const at = 16 * n;
  const o = on.matrix;
  for (let k = 0; k < 3; k++) {
    o[at + k] = m[k] * l;
    o[at + 4 + k] = m[4 + k] * w;
    o[at + 8 + k] = m[8 + k] * h;
    o[at + 12 + k] = m[12 + k];
  }
  o[at + 3] = o[at + 7] = o[at + 11] = 0;
  o[at + 15] = 1;
  on.colour[3 * n] = c.r;
  on.colour[3 * n + 1] = c.g;
  on.colour[3 * n + 2] = c.b;
  return n;
}

export function sharpen(t: Texture, anisotropy: number): void {
  if (t.anisotropy === anisotropy) return;
  t.anisotropy = anisotropy;
  t.needsUpdate = true;
}
