// skids.ts - marks of sliding tyres on the road of the 3-D view.
//
// A car leaves marks where it brakes near what the road can hold (by more than 0.65 mu g, or with the
// brake beyond 90 %), and where it moves more than 6 degrees off its heading. What is drawn comes
// from the frames that were shown; after a jump in time the seconds before are asked for. Marks
// belong to a time: those after the playhead are not drawn.

import { BufferAttribute, BufferGeometry, Color, Mesh, MeshBasicMaterial } from "three";
import type { App } from "../core/app.ts";
import type { Roster } from "../core/roster.ts";
import { palette } from "../draw/paint.ts";
import type { Frame } from "../wire/frame.ts";
import type { Road, World } from "../wire/protocol.ts";
import type { Placed } from "./placed.ts";
import { newSpot, type Anchor } from "./ground3d.ts";

const G = 9.81;
const HARD = 0.65;
const FULL = 0.9;
const ANGLE = 0.105; // shares of mu g and of the brake; rad
const REACH = 150;
const CARS = 32;
const SAMPLES = 512;
const QUADS = 6000; // m about the focus; cars; of each; all together
const STEP = 0.03;
const BREAK = 0.6;
const BEFORE = 12; // s between samples; that part two marks; asked for after a jump
const WHEEL = 0.1; // m, half the width of a mark

class Track {
  id = -1;
  n = 0;
  path = 0;
  t = new Float64Array(SAMPLES);
  x = new Float64Array(SAMPLES);
  y = new Float64Array(SAMPLES);
  psi = new Float64Array(SAMPLES);
  slides = new Uint8Array(SAMPLES);
  // Samples in order of time; what is later than the new one was another future. The oldest go when it is full.
  add(t: number, x: number, y: number, psi: number, slides: boolean): void {
    while (this.n > 0 && this.t[this.n - 1]! >= t - 1e-9) this.n--;
    if (this.n === SAMPLES) {
      for (const a of [this.t, this.x, this.y, this.psi]) a.copyWithin(0, SAMPLES / 2);
      this.slides.copyWithin(0, SAMPLES / 2);
      this.n = SAMPLES / 2;
    }
    const k = this.n++;
    this.t[k] = t;
    this.x[k] = x;
    this.y[k] = y;
    this.psi[k] = psi;
    this.slides[k] = slides ? 1 : 0;
  }
}

export function frictionAt(road: Road, x: number): number {
  for (const f of road.friction ?? []) if (x >= f.from && x <= f.to) return f.mu;
  return 1;
}

// vx, vy: how it moved since the last sample, m/s.
export function slides(road: Road, x: number, psi: number, a: number, brake: number, vx: number, vy: number): boolean {
  const v = Math.hypot(vx, vy);
  if (v < 1) return false;
  const off = Math.atan2(vy, vx) - psi;
  const turned = Math.abs(off - 2 * Math.PI * Math.round(off / (2 * Math.PI)));
  return a < -HARD * frictionAt(road, x) * G || brake > FULL || turned > ANGLE;
}

export class Skids {
  mesh: Mesh;
  on = true;
  quads = 0;
  private base = 0; // m along the road, about which they were drawn
  private tracks: Track[] = [];
  private world = -1;
  private version = -1;
  private last = NaN; // time of the newest sample
  private drawnAt = NaN;
  private drawnZ = NaN;
  private asked = "";
  private made: Anchor = { x: 0, y: 0, c: 1, s: 0, height: 0 }; // the picture's frame of the marks
  private spot = newSpot();
  private paint = new MeshBasicMaterial({
    transparent: true,
    opacity: 0.42,
    depthWrite: false,
    polygonOffset: true,
    polygonOffsetFactor: -2,
    polygonOffsetUnits: -2,
  });

  constructor(private app: App) {
    const g = new BufferGeometry();
    const index = new Uint32Array(6 * QUADS);
    g.setAttribute("position", new BufferAttribute(new Float32Array(12 * QUADS), 3));
    for (let k = 0; k < QUADS; k++) {
      const i = 6 * k;
      const v = 4 * k;
      index[i] = v;
      index[i + 1] = v + 2;
      index[i + 2] = v + 1;
      index[i + 3] = v + 1;
      index[i + 4] = v + 2;
      index[i + 5] = v + 3;
    }
    g.setIndex(new BufferAttribute(index, 1));
    g.setDrawRange(0, 0);
    this.mesh = new Mesh(g, this.paint);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 1;
  }

  repaint(): void {
    this.paint.color = new Color(palette().dark ? "#000000" : "#20262e");
    this.paint.opacity = palette().dark ? 0.6 : 0.42;
  }

  update(w: World, frame: Frame, roster: Roster, at: Placed, fresh: boolean): void {
    if (w.world !== this.world || w.version !== this.version) this.forget(w);
    const t = frame.time;
    const gone = t - this.last;
    if (!(gone > -BREAK && gone < BREAK)) this.jump(w, frame, roster, at, t);
    else if (gone >= STEP) {
      this.sample(w, frame, roster, at);
      this.last = t;
    }
    this.mesh.visible = this.on;
    at.ground.move(this.mesh, this.made);
    const { ground } = at;
    if (fresh && this.on && (t !== this.drawnAt || ground.z(this.base + 100) - ground.z(this.base) !== this.drawnZ))
      this.rebuild(roster, at, t);
  }

  private forget(w: World): void {
    this.world = w.world;
    this.version = w.version;
    for (const k of this.tracks) k.n = 0;
    this.last = this.drawnAt = NaN;
    this.asked = "";
  }

  private trackOf(id: number): Track | null {
    let free: Track | null = null;
    for (const k of this.tracks) {
      if (k.id === id) return k;
      if (k.n === 0) free = k;
    }
    if (!free && this.tracks.length < CARS) this.tracks.push((free = new Track()));
    if (free) {
      free.id = id;
      free.n = 0;
    }
    return free;
  }

  private sample(w: World, frame: Frame, roster: Roster, at: Placed): void {
    const y = frame.field("y");
    const psi = frame.field("psi");
    const v = frame.field("v");
    const a = frame.field("a");
    const brake = frame.field("brake");
    const path = frame.field("path");
    for (let i = 0; i < frame.n; i++) {
      const x = frame.x[i]!;
      const id = frame.id[i]!;
      if (Math.abs(x - at.focus) > REACH || roster.slot(id) < 0) continue;
      const k = this.trackOf(id);
      if (!k) continue;
      k.path = path ? path[i]! : 0;
      const yy = y ? y[i]! : 0;
      const h = psi ? psi[i]! : 0;
      const m = k.n - 1;
      const dt = m >= 0 ? frame.time - k.t[m]! : 0;
      const steady = dt > 1e-3 && dt < BREAK;
      const vx = steady ? (x - k.x[m]!) / dt : (v ? v[i]! : 0) * Math.cos(h);
      const vy = steady ? (yy - k.y[m]!) / dt : (v ? v[i]! : 0) * Math.sin(h);
      k.add(frame.time, x, yy, h, slides(w.road, x, h, a ? a[i]! : 0, brake ? brake[i]! : 0, vx, vy));
    }
  }

  // The seconds before this instant, of the cars about the focus, from the server.
  private jump(w: World, frame: Frame, roster: Roster, at: Placed, t: number): void {
    this.last = t;
    for (const k of this.tracks) k.n = 0;
    const names: string[] = [];
    for (let i = 0; i < frame.n && names.length < CARS; i++) {
      const slot = roster.slot(frame.id[i]!);
      if (slot >= 0 && Math.abs(frame.x[i]! - at.focus) < REACH) names.push(roster.vehicles[slot]!.name);
    }
    const key = `${w.world}/${w.version}/${t}`;
    if (!names.length || key === this.asked) return;
    this.asked = key;
    this.app
      .ask("series", {
        worlds: [w.world],
        vehicles: names,
        fields: ["middle", "y", "psi", "a", "brake"],
        from: Math.max(w.start, t - BEFORE),
        to: t,
        points: SAMPLES - 8,
      })
      .then(
        (answer) => {
          if (key !== this.asked || w.world !== this.world) return;
          this.take(w, roster, names, answer.t as number[], answer.values as Record<string, (number | null)[]>);
          this.drawnAt = NaN;
          this.app.touch(300);
        },
        () => undefined,
      );
  }

  private take(
    w: World,
    roster: Roster,
    names: string[],
    t: number[],
    values: Record<string, (number | null)[]>,
  ): void {
    for (const name of names) {
      const slot = roster.slotOf(name);
      const of = (f: string): (number | null)[] => values[`${w.world}/${name}/${f}`] ?? [];
      const x = of("middle");
      const y = of("y");
      const psi = of("psi");
      const a = of("a");
      const brake = of("brake");
      const k = slot >= 0 && x.length ? this.trackOf(roster.vehicles[slot]!.id) : null;
      if (!k) continue;
      const later: number[] = []; // what was drawn meanwhile stays behind it
      for (let m = 0; m < k.n; m++) later.push(k.t[m]!, k.x[m]!, k.y[m]!, k.psi[m]!, k.slides[m]!);
      k.n = 0;
      for (let m = 0; m < t.length; m++) {
        if (x[m] === null || x[m] === undefined) continue;
        const b = m > 0 ? m - 1 : 1;
        const dt = t[m]! - (t[b] ?? NaN);
        const vx = (x[m]! - (x[b] ?? NaN)) / dt;
        const vy = ((y[m] ?? 0) - (y[b] ?? 0)) / dt;
        k.add(
          t[m]!,
          x[m]!,
          y[m] ?? 0,
          psi[m] ?? 0,
          slides(w.road, x[m]!, psi[m] ?? 0, a[m] ?? 0, brake[m] ?? 0, vx, vy),
        );
      }
      for (let m = 0; m < later.length; m += 5)
        if (later[m]! > (t[t.length - 1] ?? -Infinity))
          k.add(later[m]!, later[m + 1]!, later[m + 2]!, later[m + 3]!, later[m + 4] === 1);
    }
  }

  // All marks up to t as quads on the road, one strip a wheel.
  private rebuild(roster: Roster, at: Placed, t: number): void {
    this.drawnAt = t;
    this.base = Math.round(at.focus);
    this.drawnZ = at.ground.z(this.base + 100) - at.ground.z(this.base);
    Object.assign(this.made, at.ground.anchor);
    const array = (this.mesh.geometry.getAttribute("position") as BufferAttribute).array as Float32Array;
    let n = 0;
    for (const k of this.tracks) {
      const slot = k.n > 0 ? roster.slot(k.id) : -1;
      if (slot < 0) continue;
      const reach = 0.31 * roster.length[slot]!;
      const side = 0.5 * roster.width[slot]! - 0.16;
      for (let m = 1; m < k.n && k.t[m]! <= t + 1e-6; m++) {
        if (!k.slides[m] || k.t[m]! - k.t[m - 1]! > BREAK || Math.abs(k.x[m]! - at.focus) > 400) continue;
        for (let q = 0; q < 4 && n < QUADS; q++)
          this.quad(array, n++, k, m, q & 1 ? reach : -reach, q & 2 ? side : -side, at);
      }
    }
    this.quads = n;
    this.mesh.geometry.setDrawRange(0, 6 * n);
    this.mesh.geometry.getAttribute("position").needsUpdate = true;
    at.ground.move(this.mesh, this.made);
  }

  private quad(array: Float32Array, n: number, k: Track, m: number, along: number, across: number, at: Placed): void {
    for (let end = 0; end < 2; end++) {
      const s = m - 1 + end;
      const co = Math.cos(k.psi[s]!);
      const si = Math.sin(k.psi[s]!);
      const x = k.x[s]! + along * co - across * si;
      const y = k.y[s]! + along * si + across * co;
      const p = at.ground.spot(x, y, k.path, this.spot);
      const ex = k.x[m]! - k.x[m - 1]!;
      const ey = k.y[m]! - k.y[m - 1]!;
      const d = Math.max(1e-6, Math.hypot(ex, ey));
      const dx = p.c * ex - p.s * ey;
      const dy = p.s * ex + p.c * ey;
      for (let edge = 0; edge < 2; edge++) {
        const o = 12 * n + 6 * end + 3 * edge;
        const w = edge ? WHEEL : -WHEEL;
        array[o] = p.x - (w * dy) / d;
        array[o + 1] = p.y + (w * dx) / d;
        array[o + 2] = p.z + 0.009;
      }
    }
  }
}
