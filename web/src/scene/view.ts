// view.ts - which part of the road is on the screen, and what is under the pointer.
//
// One scale for all strips: px = anchor * width + (x - x_ref) * scale. x_ref is the place of the
// reference car in that world (the leader, a car of choice), or a fixed point of the road. The
// anchor, a share of the width, is where the reference stands on the screen: dragging the reference
// along the screen or panning moves it. y grows to the left, so to the top of the screen.

import type { App, Chosen } from "../core/app.ts";
import { stillMotion } from "../draw/paint.ts";
import type { Frame } from "../wire/frame.ts";
import type { Vehicle, World } from "../wire/protocol.ts";

export const GLYPH_SCALE = 1.5; // px/m; below it cars are glyphs
export const SHORTEST = 2; // m on the screen
const EASE_MS = 200;

export interface Look {
  length: number;
  anchor: number;
}

export class View {
  width = 1000; // px of the stage
  length = 124; // m over the width
  anchor = 0.93;
  roadAt = 0; // m at the anchor when the road is the reference
  longest = 4000; // m: the whole road
  private refs = new Map<number, number>();
  private before: Look | null = null;
  private from: Look = { length: 124, anchor: 0.93 };
  private to: Look | null = null;
  private since = 0;

  get scale(): number {
    return this.width / this.length;
  }

  // Before a frame is drawn: where the reference stands in each world.
  follow(app: App, world: World, frame: Frame | null): void {
    this.refs.set(world.world, this.referenceX(app, world, frame));
  }

  private referenceX(app: Chosen, world: World, frame: Frame | null): number {
    if (app.reference === "road") return this.roadAt;
    if (!frame || frame.n === 0) return this.refs.get(world.world) ?? this.roadAt;
    const id = referenceVehicle(app, world);
    const i = id < 0 ? -1 : frame.index(id);
    if (i >= 0) return frame.x[i]!;
    let best = -Infinity; // the reference is not in this world: its foremost car
    for (let k = 0; k < frame.n; k++) if (frame.x[k]! > best) best = frame.x[k]!;
    return best;
  }

  reference(world: number): number {
    return this.refs.get(world) ?? this.roadAt;
  }
  px(world: number, x: number): number {
    return this.anchor * this.width + (x - this.reference(world)) * this.scale;
  }
  metres(world: number, px: number): number {
    return this.reference(world) + (px - this.anchor * this.width) / this.scale;
  }
  window(world: number): [number, number] {
    return [this.metres(world, 0), this.metres(world, this.width)];
  }

  // The road becomes the reference without a jump of the picture.
  freeze(world: number): void {
    this.roadAt = this.reference(world);
  }

  // Another car becomes the reference without a jump: the anchor goes to where it stands now.
  anchorAt(px: number): void {
    this.stop();
    this.anchor = px / this.width;
  }

  zoom(factor: number, px: number): void {
    this.stop();
    const length = this.clampLength(this.length * factor);
    const f = length / this.length;
    this.anchor = (px + (this.anchor * this.width - px) / f) / this.width;
    this.length = length;
  }

  // A typed length or the slider: the anchor stays on the screen, or comes back to it.
  setLength(length: number): void {
    this.stop();
    const middle = this.anchor >= 0 && this.anchor <= 1 ? this.anchor * this.width : this.width / 2;
    this.zoom(this.clampLength(length) / this.length, middle);
  }

  pan(dx: number): void {
    this.stop();
    this.anchor += dx / this.width;
  }

  // Shows [from, to] (m) of a world.
  show(world: number, from: number, to: number): void {
    const length = this.clampLength(to - from);
    const middle = 0.5 * (from + to);
    this.go({ length, anchor: 0.5 + (this.reference(world) - middle) / length });
  }

  back(): void {
    if (this.before) this.go(this.before);
  }

  private go(look: Look): void {
    this.before = { length: this.length, anchor: this.anchor };
    if (stillMotion()) {
      this.length = look.length;
      this.anchor = look.anchor;
      return;
    }
    this.from = { length: this.length, anchor: this.anchor };
    this.to = look;
    this.since = performance.now();
  }

  private stop(): void {
    this.to = null;
  }
  get moving(): boolean {
    return this.to !== null;
  }

  // The camera's ease of 200 ms; lengths change by ratio so that zooming looks even.
  ease(now: number): void {
    if (!this.to) return;
    const u = Math.min(1, (now - this.since) / EASE_MS);
    const k = 1 - (1 - u) ** 3;
    this.length = this.from.length * (this.to.length / this.from.length) ** k;
    this.anchor = this.from.anchor + (this.to.anchor - this.from.anchor) * k;
    if (u >= 1) {
      this.length = this.to.length;
      this.anchor = this.to.anchor;
      this.to = null;
    }
  }

  clampLength(length: number): number {
    return Number.isFinite(length) ? Math.max(SHORTEST, Math.min(Math.max(this.longest, 50), length)) : this.length;
  }
}

// id of the reference car in a world; -1: none.
export function referenceVehicle(app: Chosen, world: World): number {
  const name = app.reference;
  const vehicles = world.vehicles;
  const k = references.get(vehicles);
  if (k && k.name === name && k.count === vehicles.length && k.leader === world.platoons[0]?.leader) return k.id;
  const id = findReference(name, world);
  references.set(vehicles, { name, count: vehicles.length, leader: world.platoons[0]?.leader, id });
  return id;
}
const references = new WeakMap<
  Vehicle[],
  { name: string | null; count: number; leader: string | undefined; id: number }
>();
function findReference(name: string | null, world: World): number {
  if (name && name !== "road") {
    for (const v of world.vehicles) if (v.name === name) return v.id;
  }
  const platoon = world.platoons[0];
  for (const v of world.vehicles) if (platoon && v.name === platoon.leader) return v.id;
  for (const v of world.vehicles) if (v.leader) return v.id;
  return world.vehicles.length ? world.vehicles[0]!.id : -1;
}

// "120 m", "1.5 km", "0.5 mi", "300 ft", "120": metres, or NaN.
export function lengthTyped(text: string): number {
  const m = /^\s*([+-]?\d*[.,]?\d+(?:e[+-]?\d+)?)\s*(mm|cm|m|km|mi|ft)?\s*$/i.exec(text.replace(/[ \u00a0]/g, " "));
  if (!m) return NaN;
  const unit: Record<string, number> = { mm: 1e-3, cm: 1e-2, m: 1, km: 1000, mi: 1609.344, ft: 0.3048 };
  return Number(m[1]!.replace(",", ".")) * unit[(m[2] ?? "m").toLowerCase()]!;
}

export function lengthText(m: number): string {
  if (m < 10) return `${Number(m.toPrecision(2))} m`;
  if (m < 1000) return `${Math.round(m)} m`;
  return `${Number((m / 1000).toPrecision(3))} km`;
}

export function trimmed(v: number): string {
  return String(Number(v.toPrecision(v < 10 ? 2 : 3)));
}

// The span of a frame's cars (all, or those the filter keeps), bumper to bumper.
export function span(frame: Frame, keep: (i: number) => boolean): [number, number] | null {
  let lo = Infinity;
  let hi = -Infinity;
  for (let i = 0; i < frame.n; i++) {
    if (!keep(i)) continue;
    if (frame.x[i]! < lo) lo = frame.x[i]!;
    if (frame.x[i]! > hi) hi = frame.x[i]!;
  }
  return hi >= lo ? [lo - 4, hi + 4] : null;
}

// One view a page: the scene's owner puts it here, exports and other parts read it.
const views = new WeakMap<App, View>();
export function viewOf(app: App): View {
  let v = views.get(app);
  if (!v) views.set(app, (v = new View()));
  return v;
}
