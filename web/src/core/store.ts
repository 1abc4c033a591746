// store.ts - what the page keeps of every world: frames by time, and interpolation between them.
//
// Live frames and fetched rows are in one list per world, ordered by time; those farthest from the
// playhead are dropped first when there are too many (60 s of live frames, or a bound in bytes).
// While the playhead is not at the live end, fetch() asks the server for the rows around it, in
// blocks of 128 on a grid, thinned by powers of two at high rates, mostly on the side the playhead is
// moving to. When it rests, the exact state is requested and replaces the interpolated one.
//
// A collision has instants of its own, between the rows (flag INSTANT). They come with live frames and
// with rows; where one happened, short blocks fetch all of them while time is slow or rests.
import type { Frame } from "../wire/frame.ts";
import { Mixed, type Packed } from "../wire/frame.ts";
import type { Ask, Field, World } from "../wire/protocol.ts";
import type { Answer } from "../wire/wire.ts";

const BLOCK = 128; // rows per block
const SHORT = 8; // rows per block where there are instants between them
const INSTANTS = 512; // rows and instants of a block
const BYTES = 48 << 20; // per world
const FRAMES = 12000;
const SAME = 1e-9;
const NEAR = 1e-6; // s, instants closer than this are one

export interface StoreHost {
  world(n: number): World | undefined;
  list(): World[];
  ask<K extends "rows" | "seek">(kind: K, args: Ask<K>): Promise<Answer<K>>;
  fields(): Field[];
  bodies(): boolean;
  collided(world: number, from: number, to: number): boolean; // vehicles hit each other about then
  arrived(): void; // something new to draw
}

// Samples of one quantity, in arrays that are kept.
export class Past {
  t = new Float64Array(256);
  y = new Float64Array(256);
  grow(n: number): void {
    const size = 2 ** Math.ceil(Math.log2(n));
    const t = new Float64Array(size);
    const y = new Float64Array(size);
    t.set(this.t);
    y.set(this.y);
    this.t = t;
    this.y = y;
  }
}

class Memory {
  frames: Packed[] = [];
  bytes = 0;
  exact: Packed | null = null;
  blocks = new Map<string, "asked" | "got">();
  newest = -Infinity; // of live frames
  seq = 0;
  acked = 0;
  mixed = new Mixed();
  extra = [new Mixed(), new Mixed(), new Mixed(), new Mixed()];
  turn = 0;

  // First place whose time is > t.
  after(t: number): number {
    let lo = 0;
    let hi = this.frames.length;
    while (lo < hi) {
      const mid = (lo + hi) >> 1;
      if (this.frames[mid].time > t + SAME) hi = mid;
      else lo = mid + 1;
    }
    return lo;
  }
  put(f: Packed): void {
    const list = this.frames;
    const last = list.length ? list[list.length - 1] : null;
    if (!last || f.time > last.time + SAME) {
      list.push(f);
      this.bytes += f.bytes;
      return;
    }
    const i = this.after(f.time);
    if (i > 0 && Math.abs(list[i - 1].time - f.time) <= SAME) {
      const old = list[i - 1];
      if (old.exact && !f.exact && (f.bare || !old.bare)) return; // live ones may have come without bodies
      if (((old.mask & ~f.mask) !== 0 || (f.bare && !old.bare)) && !f.exact) return; // the old one knows more
      this.bytes += f.bytes - old.bytes;
      list[i - 1] = f;
    } else {
      list.splice(i, 0, f);
      this.bytes += f.bytes;
    }
  }
  // The exact state, if it is the one of t: half a step away at most, and no stored instant is nearer.
  exactAt(t: number, step: number): Packed | null {
    const e = this.exact;
    if (!e || Math.abs(e.time - t) >= Math.max(0.51 * step, SAME)) return null;
    const before = this.after(Math.min(e.time, t) + (e.time < t ? NEAR : -NEAR));
    const behind = this.after(Math.max(e.time, t) + (e.time < t ? NEAR : -NEAR));
    return before < behind ? null : e;
  }
  // Forgets frames after t: they are being simulated again.
  cut(t: number): void {
    const i = this.after(t);
    for (let k = i; k < this.frames.length; k++) this.bytes -= this.frames[k].bytes;
    this.frames.length = i;
    this.blocks.clear();
    this.newest = Math.min(this.newest, t);
    if (this.exact && this.exact.time > t) this.exact = null;
  }
  shrink(around: number): void {
    while (this.frames.length > FRAMES || this.bytes > BYTES) {
      const first = this.frames[0];
      const last = this.frames[this.frames.length - 1];
      const front = around - first.time >= last.time - around;
      const count = Math.max(1, Math.min(BLOCK, this.frames.length >> 3));
      const gone = front ? this.frames.splice(0, count) : this.frames.splice(this.frames.length - count, count);
      for (const f of gone) this.bytes -= f.bytes;
      if (this.blocks.size) this.blocks.clear();
      if (this.frames.length < 4) break;
    }
  }
}

export class Store {
  private memory = new Map<number, Memory>();
  private seeking = new Map<number, number>(); // world -> time asked
  private nextFetch = 0;
  private asked = 0;
  constructor(private readonly host: StoreHost) {}

  of(world: number): Memory {
    let m = this.memory.get(world);
    if (!m) this.memory.set(world, (m = new Memory()));
    return m;
  }
  clear(): void {
    this.memory.clear();
    this.seeking.clear();
  }
  remove(world: number): void {
    this.memory.delete(world);
  }
  cut(world: number, t: number): void {
    this.of(world).cut(t);
    this.seeking.delete(world);
  }
  newest(): number {
    let t = -Infinity;
    for (const m of this.memory.values()) t = Math.max(t, m.newest);
    return t;
  }
  bytes(): number {
    let b = 0;
    for (const m of this.memory.values()) b += m.bytes;
    return b;
  }

  live(f: Packed): void {
    const m = this.of(f.world);
    m.put(f);
    m.newest = Math.max(m.newest, f.time);
    m.seq = Math.max(m.seq, f.seq);
    m.shrink(f.time);
  }
  // Sequence numbers drawn since the last call, to be acknowledged.
  acks(each: (world: number, seq: number) => void): void {
    for (const [world, m] of this.memory)
      if (m.seq !== m.acked) {
        m.acked = m.seq;
        each(world, m.seq);
      }
  }
  restart(): void {
    for (const m of this.memory.values()) m.seq = m.acked = 0;
  }

  // The instant t of a world; `main` is the one drawn at the playhead, others share four places.
  at(world: number, t: number, main: boolean): Frame | null {
    const w = this.host.world(world);
    if (w && t < w.fork - SAME && w.parent >= 0 && w.parent !== world && this.host.world(w.parent))
      return this.at(w.parent, t, main);
    const m = this.of(world);
    const list = m.frames;
    const exact = m.exactAt(t, w?.step ?? 0);
    if (exact) return exact;
    if (!list.length) return m.exact;
    const i = m.after(t);
    if (i === 0) return list[0];
    const a = list[i - 1];
    if (i === list.length || Math.abs(a.time - t) <= SAME) return a;
    if (main) return m.mixed.mix(a, list[i], t);
    for (const e of m.extra) if (e.holds(a, list[i], t)) return e; // asked for car after car
    return m.extra[(m.turn = (m.turn + 1) & 3)].mix(a, list[i], t);
  }

  // What the page has of a car's field in from .. to, into the room's arrays; the number of samples.
  past(world: number, vehicle: number, field: Field, from: number, to: number, room: Past, head = 0): number {
    const w = this.host.world(world);
    if (w && from < w.fork && w.parent >= 0 && w.parent !== world && this.host.world(w.parent)) {
      head = this.past(w.parent, vehicle, field, from, Math.min(to, w.fork), room, head);
      from = w.fork;
    } else from -= 2 * SAME;
    const m = this.of(world);
    const start = m.after(from);
    const end = m.after(to);
    if (room.t.length < head + end - start) room.grow(head + end - start);
    const { t, y } = room;
    let i = -1;
    let n = head;
    for (let k = start; k < end; k++, n++) {
      const f = m.frames[k];
      const lane = f.field(field);
      if (i < 0 || f.id[i] !== vehicle) i = f.index(vehicle); // cars mostly keep their place
      t[n] = f.time;
      y[n] = i < 0 || !lane ? NaN : lane[i];
    }
    return n;
  }
  history(
    world: number,
    vehicle: number,
    field: Field,
    from: number,
    to: number,
  ): { t: Float64Array; y: Float64Array } {
    const n = this.past(world, vehicle, field, from, to, this.room);
    return { t: this.room.t.slice(0, n), y: this.room.y.slice(0, n) };
  }
  private room = new Past();

  // The stored instant before or after t; null: none near.
  neighbour(world: number, t: number, way: 1 | -1): number | null {
    const m = this.of(world);
    const i = m.after(t);
    const f =
      way > 0
        ? m.frames[i]
        : m.frames[i - 1] && Math.abs(m.frames[i - 1].time - t) <= 1e-6
          ? m.frames[i - 2]
          : m.frames[i - 1];
    return f ? f.time : null;
  }

  // The instant of a collision before or after t; null: none before the next row, at `row` s.
  instant(world: number, t: number, way: 1 | -1, row: number): number | null {
    const m = this.of(world);
    const next = (way > 0 ? Math.floor(t / row + 1e-6) + 1 : Math.ceil(t / row - 1e-6) - 1) * row;
    for (let i = way > 0 ? m.after(t + NEAR) : m.after(t - NEAR) - 1; m.frames[i]; i += way) {
      const f = m.frames[i];
      if (way > 0 ? f.time > next - NEAR : f.time < next + NEAR) break;
      if (f.instant) return f.time;
    }
    return null;
  }

  // Asks for what will be needed; called often, does something ten times a second at most.
  fetch(now: number, t: number, rate: number, playing: boolean, live: boolean): void {
    if (live && playing) return;
    if (now < this.nextFetch) return;
    this.nextFetch = now + 100;
    for (const w of this.host.list()) {
      if (t < w.fork - SAME && w.parent >= 0 && w.parent !== w.world) {
        if (this.host.world(w.parent)) continue;
      }
      if (t > w.end + SAME && w.end < Infinity) {
        this.block(w, w.end, w.row);
        continue;
      }
      const fine = Math.max(w.row || 0.02, (playing ? Math.abs(rate) : 0) / 60);
      const level = Math.max(0, Math.ceil(Math.log2(fine / (w.row || 0.02)) - 1e-9));
      const dt = (w.row || 0.02) * 2 ** level;
      const span = dt * BLOCK;
      if (level === 0) this.instants(w, t, playing ? Math.sign(rate) || 1 : 0);
      this.block(w, t, dt);
      if (!playing) {
        this.block(w, t - span / 2, dt);
        this.block(w, t + span / 2, dt);
        continue;
      }
      const ahead = Math.sign(rate) || 1;
      this.block(w, t + ahead * span * 0.6, dt);
      this.block(w, t + ahead * span * 1.2, dt);
      this.block(w, t - ahead * span * 0.3, dt);
    }
  }
  // A few coarse rows over an interval: for a view that needs all of it at once.
  overview(world: number, from: number, to: number, max: number): Promise<void> {
    return this.host.ask("rows", { world, from, to, most: max, fields: this.host.fields(), bodies: false }).then(
      (a) => {
        this.take(world, a);
      },
      () => undefined,
    );
  }
  // The instants of a collision around t, and those to come.
  private instants(w: World, t: number, way: number): void {
    const span = (w.row || 0.02) * SHORT;
    for (const at of way ? [t, t + way * span] : [t])
      if (this.host.collided(w.world, at - 1.5 * span, at + 1.5 * span)) this.block(w, at, w.row || 0.02, SHORT);
  }
  private block(w: World, t: number, dt: number, rows = BLOCK): void {
    const span = dt * rows;
    const k = Math.floor((t - w.start) / span);
    const from = w.start + k * span;
    const to = Math.min(from + span, w.end);
    if (k < 0 || from > w.end || this.asked >= 6) return;
    const m = this.of(w.world);
    const bodies = this.host.bodies() && w.vehicles.some((v) => v.deformable);
    const key = `${dt.toPrecision(6)}:${rows}:${k}${bodies ? ":bodies" : ""}`;
    const done = to < from + span ? `${key}:${to.toFixed(3)}` : key;
    if (m.blocks.has(done) || (rows === BLOCK && this.dense(m, from, to, dt, bodies))) return;
    m.blocks.set(done, "asked");
    this.asked++;
    this.host
      .ask("rows", {
        world: w.world,
        from,
        to,
        most: dt > (w.row || 0.02) ? BLOCK + 2 : INSTANTS,
        fields: this.host.fields(),
        bodies: this.host.bodies(),
      })
      .then(
        (a) => {
          m.blocks.set(done, "got");
          this.take(w.world, a);
        },
        () => {
          m.blocks.delete(done);
        },
      )
      .finally(() => {
        this.asked--;
      });
  }
  private take(world: number, a: Answer<"rows">): void {
    const m = this.of(world);
    for (const f of a.frames ?? []) m.put(f);
    this.host.arrived();
  }
  private dense(m: Memory, from: number, to: number, dt: number, bodies: boolean): boolean {
    let i = m.after(from - dt * 1.6);
    let last = from - dt;
    for (; i < m.frames.length && m.frames[i].time <= to + dt; i++) {
      const t = m.frames[i].time;
      if (t - last > dt * 1.75 && t > from) return false;
      last = t;
      if (m.frames[i].mask === 0 || (bodies && m.frames[i].bare)) return false;
    }
    return to - last <= dt * 1.75;
  }

  // The exact state at t of every world that is there then.
  settle(t: number): void {
    for (const w of this.host.list()) {
      if (t < w.start - SAME || t > w.end + w.step) continue;
      if (t < w.fork - SAME && w.parent >= 0 && w.parent !== w.world) continue;
      const m = this.of(w.world);
      if (m.exactAt(t, w.step)) continue;
      if (this.seeking.get(w.world) === t) continue;
      const busy = this.seeking.has(w.world);
      this.seeking.set(w.world, t);
      if (!busy) this.seek(w.world);
    }
  }
  // Resolves when every world has its exact state at t, or was rejected.
  async ready(t: number): Promise<void> {
    this.settle(t);
    while (this.host.list().some((w) => this.seeking.has(w.world) && !this.settled(w, t)))
      await new Promise((go) => setTimeout(go, 4));
  }
  private settled(w: World, t: number): boolean {
    if (t < w.start - SAME || t > w.end + w.step || (t < w.fork - SAME && w.parent >= 0)) return true;
    return this.of(w.world).exactAt(t, w.step) !== null;
  }
  unsettle(): void {
    for (const m of this.memory.values()) m.exact = null;
  }
  private seek(world: number): void {
    const t = this.seeking.get(world)!;
    this.host
      .ask("seek", { world, t, fields: this.host.fields() })
      .then(
        (a) => {
          const f = (a.frames as Packed[] | undefined)?.[0];
          if (f) {
            const m = this.of(world);
            m.exact = f;
            this.host.arrived();
          }
        },
        () => undefined,
      )
      .finally(() => {
        const next = this.seeking.get(world);
        if (next === undefined) return;
        if (next !== t) this.seek(world);
        else this.seeking.delete(world);
      });
  }
}
