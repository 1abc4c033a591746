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
import type { Frame } from "../wire/frame.ts";
import type { World } from "../wire/protocol.ts";
import { newSpot, type Ground } from "./ground3d.ts";
import { Instances } from "./instances.ts";
import { building, KIND_NAMES, kindOf, LEVELS, type Kind, type KindName } from "./kinds3d.ts";
import { Lamps } from "./lamps3d.ts";
import { farShape } from "./mesh3d.ts";
import { bodyMaterials, paintWhite, wheelMaterials, type BodyMaterial } from "./paintshader.ts";
import type { Step } from "./quality.ts";

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

interface Built {
  kind: Kind;
  levels: Instances[];
  wheels: Instances;
  materials: BodyMaterial[];
}

export class Fleet {
  group = new Group();
  lamps: Lamps;
  drawn = 0; // vehicles in the last picture
  private built = new Map<KindName, Built>();
  private queue: { name: KindName; steps: Generator<null, Kind> }[] = [];
  private bricks: Instances;
  private brickMaterials: BodyMaterial[];
  private rubber = wheelMaterials();
  private kinds: (KindName | null)[] = []; // by slot
  private kindsOf: Roster | null = null;
  private step: Step | null = null;
  private spot = newSpot();
  private m = new Float32Array(16); // of the vehicle at hand, without scale

  constructor(parent: Object3D) {
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
    for (const t of [b.kind.map, b.kind.data]) sharpen(t, step.anisotropy);
  }

  get building(): boolean {
    return this.queue.length > 0;
  }
  kind(name: KindName): Kind | null {
    return this.built.get(name)?.kind ?? null;
  }
  // The drawn instances, for those who look: name of the kind, level or "wheels".
  instances(name: KindName, level: number | "wheels"): Instances | null {
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
    const materials = bodyMaterials(kind.map, kind.data, kind.size[2]);
    const b: Built = {
      kind,
      materials,
      levels: kind.levels.map((g) => new Instances(this.group, g, materials[0], true, true)),
      wheels: new Instances(this.group, kind.wheelShape, this.rubber[0], false, false),
    };
    this.built.set(kind.name, b);
    this.dress(b);
  }

  need(name: KindName): void {
    if (!this.built.has(name) && !this.queue.some((q) => q.name === name))
      this.queue.push({ name, steps: building(name) });
  }

  private sort(world: World, roster: Roster): void {
    if (this.kindsOf === roster) return;
    this.kindsOf = roster;
    const models = new Map((world.catalogue ?? []).map((m) => [m.name, m]));
    this.kinds = roster.vehicles.map((v) => kindOf(v, models.get(v.model)));
    for (const k of KIND_NAMES) if (this.kinds.includes(k)) this.need(k);
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
        const n = put(on, this.m, kl, kw, kh, c);
        on.lamps[4 * n] = Math.max(pressed, this.lamps.evening ? 0.28 : 0);
        on.lamps[4 * n + 1] = this.lamps.evening ? 1 : 0;
        on.lamps[4 * n + 2] = signal;
        on.lamps[4 * n + 3] = at.pattern(slot);
        if (level === 0) this.wheels(b, kl, kw, kh, x[i], steer ? steer[i] : 0);
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

  // Four or more wheels at their places in the scaled body: they stay round, their radius is scaled with the height.
  private wheels(b: Built, kl: number, kw: number, kh: number, x: number, steer: number): void {
    const { m } = this;
    const r = b.kind.wheel.r * kh;
    const spin = (x / r) % (2 * Math.PI);
    for (const p of b.kind.wheels) {
      const at = 16 * b.wheels.next();
      const o = b.wheels.matrix;
      const side = p.y > 0 ? 1 : -1;
      const c = Math.cos(p.steered ? steer : 0) * side;
      const s = Math.sin(p.steered ? steer : 0) * side;
      const cs = Math.cos(side * spin);
      const ss = Math.sin(side * spin);
      for (let k = 0; k < 3; k++) {
        const forward = m[k] * c + m[4 + k] * s;
        const up = m[8 + k];
        o[at + k] = kh * (forward * cs - up * ss);
        o[at + 4 + k] = kh * (m[4 + k] * c - m[k] * s);
        o[at + 8 + k] = kh * (forward * ss + up * cs);
        o[at + 12 + k] = m[12 + k] + m[k] * p.x * kl + m[4 + k] * p.y * kw + up * r;
      }
      o[at + 3] = o[at + 7] = o[at + 11] = 0;
      o[at + 15] = 1;
    }
  }

  private shine(kind: Kind, l: number, w: number, h: number, brake: number, d: number): void {
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
