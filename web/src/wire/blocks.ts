// blocks.ts - the blocks of a frame (docs/protocol.md, Frames): deformed bodies, contacts, how vehicles stand on their
// wheels; and what lies between two instants of them.
export interface Body {
  id: number;
  centre: [number, number, number];
  axes: Float32Array;
  rest: [number, number, number];
}
export interface Contact {
  id: number;
  id2: number;
  point: [number, number, number];
  normal: [number, number, number];
  impulse: number;
  closing: number;
  age: number;
}
export const LIFT = 0; // m, of the tyre above the road; below 0: pressed in
export const STEER = 1; // rad, left positive
export const ANGLE = 2; // rad it has turned by, 0 .. 2 pi
export const RATE = 3; // rad/s
export const PER_WHEEL = 4;
// A vehicle on its wheels, left before right from the front.
export interface Stand {
  id: number;
  heave: number; // m above its place at rest
  pitch: number; // rad, nose down
  roll: number; // rad, right side down
  wheels: Float32Array; // PER_WHEEL each
}
export interface Blocks {
  bodies: Body[];
  contacts: Contact[];
  stands: Stand[];
}
export const NO_BLOCKS: Blocks = { bodies: [], contacts: [], stands: [] };

export function readBlocks(
  buffer: ArrayBuffer,
  at: number,
  bytes: number,
  from: number,
  count: number,
  origin: number,
): Blocks {
  const view = new DataView(buffer, at, bytes);
  const out: Blocks = { bodies: [], contacts: [], stands: [] };
  let p = from;
  for (let k = 0; k < count && p + 16 <= bytes; k++) {
    const type = view.getUint32(p, true);
    const size = view.getUint32(p + 4, true);
    const id = view.getUint32(p + 8, true);
    const id2 = view.getUint32(p + 12, true);
    if (size < 16 || p + size > bytes) break;
    const f = (i: number): number => view.getFloat32(p + 16 + 4 * i, true);
    if (type === 1)
      out.bodies.push({
        id,
        centre: [f(0) + origin, f(1), f(2)],
        axes: new Float32Array(buffer, at + p + 28, 9),
        rest: [f(12), f(13), f(14)],
      });
    if (type === 2)
      out.contacts.push({
        id,
        id2,
        point: [f(0) + origin, f(1), f(2)],
        normal: [f(3), f(4), f(5)],
        impulse: f(6),
        closing: f(7),
        age: f(8),
      });
    if (type === 3 && 32 + 4 * PER_WHEEL * id2 <= size)
      out.stands.push({
        id,
        heave: f(0),
        pitch: f(1),
        roll: f(2),
        wheels: new Float32Array(buffer, at + p + 32, PER_WHEEL * id2),
      });
    p += size;
  }
  return out;
}

// Deformed bodies move by the straight line: between stored rows they turn by little.
export function mixBodies(a: Body[], b: Body[], u: number): Body[] {
  if (u <= 0) return a;
  return a.map((p, k) => {
    const q = b[k]?.id === p.id ? b[k] : b.find((o) => o.id === p.id);
    if (!q) return p;
    const axes = new Float32Array(9);
    for (let i = 0; i < 9; i++) axes[i] = p.axes[i]! + u * (q.axes[i]! - p.axes[i]!);
    const c = (i: number): number => p.centre[i]! + u * (q.centre[i]! - p.centre[i]!);
    return { id: p.id, centre: [c(0), c(1), c(2)], axes, rest: p.rest };
  });
}

const TURN = 2 * Math.PI;

// How a wheel turns between two instants: whole turns as its rates say.
export function turnBetween(from: number, to: number, rate0: number, rate1: number, dt: number): number {
  const d = to - from;
  return d + TURN * Math.round((0.5 * dt * (rate0 + rate1) - d) / TURN);
}

// Vehicles on their wheels between two instants. Its objects are kept and filled again: nothing is allocated per frame.
export class StandMixer {
  all: Stand[] = [];
  private kept: Stand[] = [];

  mix(a: Stand[], b: Stand[], u: number, dt: number): void {
    this.all.length = a.length;
    for (let k = 0; k < a.length; k++) {
      const p = a[k]!;
      const q = b[k]?.id === p.id ? b[k] : b.find((o) => o.id === p.id);
      this.all[k] = q && q.wheels.length === p.wheels.length ? this.between(k, p, q, u, dt) : p;
    }
  }

  private between(k: number, p: Stand, q: Stand, u: number, dt: number): Stand {
    let o = this.kept[k];
    if (!o || o.wheels.length !== p.wheels.length)
      o = this.kept[k] = { id: 0, heave: 0, pitch: 0, roll: 0, wheels: new Float32Array(p.wheels.length) };
    o.id = p.id;
    o.heave = p.heave + u * (q.heave - p.heave);
    o.pitch = p.pitch + u * (q.pitch - p.pitch);
    o.roll = p.roll + u * (q.roll - p.roll);
    for (let i = 0; i < p.wheels.length; i++) {
      const [from, to] = [p.wheels[i]!, q.wheels[i]!];
      o.wheels[i] =
        i % PER_WHEEL === ANGLE
          ? from + u * turnBetween(from, to, p.wheels[i + 1]!, q.wheels[i + 1]!, dt)
          : from + u * (to - from);
    }
    return o;
  }
}
