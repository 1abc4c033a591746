// frame.ts - binary frames (docs/protocol.md, Frames) as typed-array views on the received bytes.
//
// Packed holds one instant of one world; nothing is copied but x and s, which become absolute
// doubles the first time they are asked for. Mixed is an instant between two of them.
import {
  mixBodies,
  NO_BLOCKS,
  readBlocks,
  StandMixer,
  type Blocks,
  type Body,
  type Contact,
  type Stand,
} from "./blocks.ts";
import { FIELDS, type Field } from "./protocol.ts";

export type { Body, Contact, Stand } from "./blocks.ts";

// One instant of one world. Arrays are by index; index(id) finds a vehicle. x and s are absolute
// (origin added, f64).
export interface Frame {
  world: number;
  time: number;
  exact: boolean;
  hash: bigint;
  interpolated: boolean;
  n: number;
  id: Uint32Array;
  status: Uint32Array;
  x: Float64Array;
  s: Float64Array;
  field(name: Field): Float32Array | Float64Array | null; // null: not subscribed
  index(id: number): number; // -1: not there
  bodies: Body[];
  contacts: Contact[];
  stands: Stand[]; // of vehicles with wheels
}
export const LIVE = 1;
export const EXACT = 2;
export const PARTIAL = 4;
export const ANSWER = 8;
export const LAST = 16;
export const INSTANT = 32; // of a collision, between two steps
const MAGIC = 0x3146434d; // "MCF1", little-endian
const HEAD = 64;
const pad8 = (n: number) => (n + 7) & ~7;

const BIT: Record<Field, number> = Object.fromEntries(FIELDS.map((f, i) => [f, i])) as Record<Field, number>;

export class Packed implements Frame {
  readonly interpolated = false;
  private lazyX: Float64Array | null = null;
  private lazyS: Float64Array | null = null;
  private lazyBlocks: Blocks | null = null;
  private places: Places | null = null;
  constructor(
    private readonly buffer: ArrayBuffer,
    private readonly at: number,
    readonly bytes: number,
    readonly world: number,
    readonly seq: number,
    readonly flags: number,
    readonly time: number,
    readonly step: number,
    readonly origin: number,
    readonly hash: bigint,
    readonly mask: number,
    readonly n: number,
    private readonly blocksAt: number,
    private readonly blockCount: number,
    readonly id: Uint32Array,
    readonly status: Uint32Array,
    private readonly arrays: (Float32Array | null)[],
  ) {}
  get exact(): boolean {
    return (this.flags & EXACT) !== 0;
  }
  get instant(): boolean {
    return (this.flags & INSTANT) !== 0;
  }
  // It was asked for without bodies, or there are none.
  get bare(): boolean {
    return this.blockCount === 0;
  }
  get x(): Float64Array {
    return (this.lazyX ??= absolute(this.arrays[BIT.middle], this.origin, this.n));
  }
  get s(): Float64Array {
    return (this.lazyS ??= absolute(this.arrays[BIT.target], this.origin, this.n));
  }
  field(name: Field): Float32Array | Float64Array | null {
    if (name === "middle") return this.arrays[BIT.middle] ? this.x : null;
    if (name === "target") return this.arrays[BIT.target] ? this.s : null;
    return this.arrays[BIT[name]];
  }
  index(id: number): number {
    if (this.n < 24) return this.id.indexOf(id);
    const at = (this.places ??= placesOf(this.id)).at;
    return id < at.length ? at[id] : -1;
  }
  // x or s from the origin, as it came.
  raw(name: "middle" | "target"): Float32Array | null {
    return this.arrays[BIT[name]];
  }
  get bodies(): Body[] {
    return this.blocks().bodies;
  }
  get contacts(): Contact[] {
    return this.blocks().contacts;
  }
  get stands(): Stand[] {
    return this.blocks().stands;
  }
  private blocks(): Blocks {
    if (this.lazyBlocks) return this.lazyBlocks;
    this.lazyBlocks =
      this.blocksAt && this.blockCount
        ? readBlocks(this.buffer, this.at, this.bytes, this.blocksAt, this.blockCount, this.origin)
        : NO_BLOCKS;
    return this.lazyBlocks;
  }
}

// Where each id stands. Frames of the same cars, which most are, share one table.
interface Places {
  id: Uint32Array;
  at: Int32Array;
}
const recent: Places[] = [];
function placesOf(id: Uint32Array): Places {
  for (const p of recent) if (equal(p.id, id)) return p;
  let max = 0;
  for (let i = 0; i < id.length; i++) if (id[i] > max) max = id[i];
  const at = new Int32Array(max + 1).fill(-1);
  for (let i = 0; i < id.length; i++) at[id[i]] = i;
  const p = { id: id.slice(), at };
  recent.unshift(p);
  if (recent.length > 4) recent.pop();
  return p;
}
function equal(p: Uint32Array, q: Uint32Array): boolean {
  if (p.length !== q.length) return false;
  for (let i = 0; i < p.length; i++) if (p[i] !== q[i]) return false;
  return true;
}

function absolute(from: Float32Array | null, origin: number, n: number): Float64Array {
  const out = new Float64Array(n);
  if (!from) out.fill(NaN);
  else for (let i = 0; i < n; i++) out[i] = from[i] + origin;
  return out;
}

// All frames of a message. Throws with a reason when the bytes are no frames.
export function decode(buffer: ArrayBuffer): Packed[] {
  const view = new DataView(buffer);
  const frames: Packed[] = [];
  for (let at = 0; at < buffer.byteLength;) {
    if (buffer.byteLength - at < HEAD) throw new Error(`frame at byte ${at} has no whole head`);
    if (view.getUint32(at, true) !== MAGIC) throw new Error(`no frame at byte ${at}`);
    const bytes = view.getUint32(at + 4, true);
    const mask = view.getUint32(at + 48, true);
    const n = view.getUint32(at + 52, true);
    if (bytes < HEAD || bytes % 8 || at + bytes > buffer.byteLength)
      throw new Error(`frame at byte ${at} has the length ${bytes}`);
    let p = HEAD;
    const lane = pad8(4 * n);
    const need = HEAD + lane * (2 + bitCount(mask));
    if (need > bytes) throw new Error(`frame at byte ${at} is ${bytes} bytes long, ${n} vehicles need ${need}`);
    const id = new Uint32Array(buffer, at + p, n);
    p += lane;
    const status = new Uint32Array(buffer, at + p, n);
    p += lane;
    const arrays: (Float32Array | null)[] = [];
    for (let bit = 0; bit < 32; bit++) {
      if (!(mask & (1 << bit))) {
        if (bit < FIELDS.length) arrays.push(null);
        continue;
      }
      const lanes = new Float32Array(buffer, at + p, n);
      p += lane;
      if (bit < FIELDS.length) arrays.push(lanes);
    }
    frames.push(
      new Packed(
        buffer,
        at,
        bytes,
        view.getUint16(at + 12, true),
        view.getUint32(at + 8, true),
        view.getUint16(at + 14, true),
        view.getFloat64(at + 16, true),
        view.getFloat64(at + 24, true),
        view.getFloat64(at + 32, true),
        view.getBigUint64(at + 40, true),
        mask,
        n,
        view.getUint32(at + 56, true),
        view.getUint32(at + 60, true),
        id,
        status,
        arrays,
      ),
    );
    at += bytes;
  }
  return frames;
}
function bitCount(v: number): number {
  let c = 0;
  for (; v; v &= v - 1) c++;
  return c;
}

// Between two instants: x by the cubic that has both positions and speeds, v by the cubic of v and
// a where a is known (else the slope of x), the error s - x and all others along the straight line.
// A field is mixed when it is first asked for: of ten thousand cars most pictures need few of them.
// Arrays are kept and reused: one Mixed costs no memory from frame to frame.
export class Mixed implements Frame {
  world = 0;
  time = NaN;
  readonly exact = false;
  readonly hash = 0n;
  readonly interpolated = true;
  n = 0;
  id: Uint32Array = new Uint32Array(0);
  status: Uint32Array = new Uint32Array(0);
  private a: Packed | null = null;
  private b: Packed | null = null;
  private u = 0;
  private dt = 0;
  private room = 0;
  private roomX = new Float64Array(0);
  private roomS = new Float64Array(0);
  private ownX = new Float64Array(0);
  private ownS = new Float64Array(0);
  private rooms: (Float32Array | null)[] = FIELDS.map(() => null);
  private shown: (Float32Array | null)[] = FIELDS.map(() => null);
  private done = new Uint8Array(FIELDS.length); // which fields are those of this instant
  private partner = new Int32Array(0);
  private same = false; // both instants have the same cars in the same order
  private mixedBodies: Body[] | null = null;
  private mixer = new StandMixer();
  private standsDone = false;

  // The instant it holds; true: it is the one between a and b at t already.
  holds(a: Packed, b: Packed, t: number): boolean {
    return this.a === a && this.b === b && this.time === t;
  }
  index(id: number): number {
    return this.a ? this.a.index(id) : -1;
  }
  get x(): Float64Array {
    if (!this.done[BIT.middle]) this.mixX();
    return this.ownX;
  }
  get s(): Float64Array {
    if (!this.done[BIT.target]) this.mixS();
    return this.ownS;
  }
  get bodies(): Body[] {
    return (this.mixedBodies ??= this.near().bodies.length
      ? mixBodies(this.a!.bodies, this.b!.bodies, this.u)
      : NO_BLOCKS.bodies);
  }
  get contacts(): Contact[] {
    return this.a ? this.near().contacts : NO_BLOCKS.contacts;
  }
  get stands(): Stand[] {
    if (!this.standsDone) this.mixer.mix(this.a!.stands, this.b!.stands, this.u, this.dt);
    this.standsDone = true;
    return this.mixer.all;
  }
  field(name: Field): Float32Array | Float64Array | null {
    if (name === "middle") return this.x;
    if (name === "target") return this.a?.raw("target") ? this.s : null;
    const k = BIT[name];
    const out = this.shown[k];
    if (out && !this.done[k]) {
      if (name === "v") this.mixV(out);
      else this.straight(name, out);
      this.done[k] = 1;
    }
    return out;
  }
  mix(a: Packed, b: Packed, t: number): this {
    if (this.a !== a || this.b !== b) this.prepare(a, b);
    else if (this.time === t) return this;
    this.dt = b.time - a.time;
    this.u = this.dt > 0 ? Math.min(1, Math.max(0, (t - a.time) / this.dt)) : 0;
    this.time = t;
    this.done.fill(0);
    this.mixedBodies = null;
    this.standsDone = false;
    this.status = this.near().status;
    return this;
  }
  private near(): Packed {
    return this.u < 0.5 || this.b!.n !== this.a!.n ? this.a! : this.b!;
  }
  private prepare(a: Packed, b: Packed): void {
    const n = (this.n = a.n);
    this.a = a;
    this.b = b;
    this.world = a.world;
    if (n > this.room) {
      this.room = Math.ceil(n * 1.25);
      this.roomX = new Float64Array(this.room);
      this.roomS = new Float64Array(this.room);
      this.partner = new Int32Array(this.room);
      this.rooms.fill(null);
    }
    if (this.ownX.length !== n || this.ownX.buffer !== this.roomX.buffer) {
      this.ownX = this.roomX.subarray(0, n);
      this.ownS = this.roomS.subarray(0, n);
    }
    this.id = a.id;
    for (let k = 0; k < FIELDS.length; k++) {
      if (FIELDS[k] === "middle" || FIELDS[k] === "target" || !a.field(FIELDS[k])) {
        this.shown[k] = null;
        continue;
      }
      const room = (this.rooms[k] ??= new Float32Array(this.room));
      if (!this.shown[k] || this.shown[k]!.length !== n || this.shown[k]!.buffer !== room.buffer)
        this.shown[k] = room.subarray(0, n);
    }
    this.same = equal(a.id, b.id);
    for (let i = 0; i < n; i++) this.partner[i] = this.same ? i : b.index(a.id[i]); // -1: it left
  }
  // Hermite: h00 p0 + h10 dt m0 + h01 p1 + h11 dt m1
  private mixX(): void {
    this.done[BIT.middle] = 1;
    const a = this.a!;
    const b = this.b!;
    const u = this.u;
    const dt = this.dt;
    const ax = a.raw("middle");
    const bx = b.raw("middle");
    const av = a.field("v");
    const bv = b.field("v");
    const out = this.ownX;
    const partner = this.partner;
    const n = this.n;
    if (!ax || !bx) {
      out.set(a.x);
      return;
    }
    const u2 = u * u;
    const u3 = u2 * u;
    const h00 = 2 * u3 - 3 * u2 + 1;
    const h10 = (u3 - 2 * u2 + u) * dt;
    const h01 = 3 * u2 - 2 * u3;
    const h11 = (u3 - u2) * dt;
    const oa = a.origin;
    const ob = b.origin;
    if (this.same && av && bv) {
      // h00 + h01 = 1: the origins are added once
      const base = h00 * oa + h01 * ob;
      for (let i = 0; i < n; i++) out[i] = base + h00 * ax[i] + h10 * av[i] + h01 * bx[i] + h11 * bv[i];
      return;
    }
    for (let i = 0; i < n; i++) {
      const j = partner[i];
      const x0 = ax[i] + oa;
      if (j < 0) out[i] = x0 + (av ? av[i] * u * dt : 0);
      else {
        const x1 = bx[j] + ob;
        out[i] = av && bv ? h00 * x0 + h10 * av[i] + h01 * x1 + h11 * bv[j] : x0 + u * (x1 - x0);
      }
    }
  }
  private mixS(): void {
    const x = this.x;
    const a = this.a!;
    const b = this.b!;
    const u = this.u;
    const out = this.ownS;
    const ax = a.raw("middle");
    const bx = b.raw("middle");
    const as = a.raw("target");
    const bs = b.raw("target");
    const partner = this.partner;
    this.done[BIT.target] = 1;
    if (!as || !bs || !ax || !bx) {
      out.fill(NaN);
      return;
    }
    for (let i = 0; i < this.n; i++) {
      const j = partner[i];
      if (j < 0) {
        out[i] = as[i] + a.origin;
        continue;
      }
      const e0 = as[i] - ax[i];
      const e1 = bs[j] - bx[j]; // both from the same origin
      out[i] = x[i] + (e0 !== e0 ? e1 : e1 !== e1 ? e0 : e0 + u * (e1 - e0));
    }
  }
  private mixV(out: Float32Array): void {
    const u = this.u;
    const dt = this.dt;
    const av = this.a!.field("v")!;
    const bv = this.b!.field("v");
    const aa = this.a!.field("a");
    const ba = this.b!.field("a");
    const partner = this.partner;
    const u2 = u * u;
    const u3 = u2 * u;
    const h00 = 2 * u3 - 3 * u2 + 1;
    const h10 = (u3 - 2 * u2 + u) * dt;
    const h01 = 3 * u2 - 2 * u3;
    const h11 = (u3 - u2) * dt;
    for (let i = 0; i < this.n; i++) {
      const j = partner[i];
      if (j < 0 || !bv) out[i] = av[i];
      else out[i] = aa && ba ? h00 * av[i] + h10 * aa[i] + h01 * bv[j] + h11 * ba[j] : av[i] + u * (bv[j] - av[i]);
    }
  }
  private straight(name: Field, out: Float32Array): void {
    const from = this.a!.field(name)!;
    const to = this.b!.field(name) ?? from;
    const u = this.u;
    const angle = name === "psi" || name === "side_slip";
    const whole = name === "lane"; // there is nothing between two lanes
    const partner = this.partner;
    // From one path of the road to another there is no way between: y and psi are those of the nearer instant.
    const across = name === "path" || name === "y" || angle;
    const a = across ? this.a!.field("path") : null;
    const b = across ? this.b!.field("path") : null;
    for (let i = 0; i < this.n; i++) {
      const j = partner[i];
      const p = from[i];
      const q = j < 0 ? p : to[j];
      if (a && b && j >= 0 && a[i] !== b[j]) {
        out[i] = u < 0.5 ? p : q;
        continue;
      }
      let d = q - p;
      if (angle) d -= 2 * Math.PI * Math.round(d / (2 * Math.PI));
      out[i] = p !== p ? q : q !== q ? p : whole ? (u < 0.5 ? p : q) : p + u * d;
    }
  }
}
