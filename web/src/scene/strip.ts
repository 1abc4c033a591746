// strip.ts - one world's strip of the scene: where its parts lie and which cars are in sight.
//
// A strip is a stack: tags, road, (tags below), error rail. The road is to scale; what does not fit
// is cut off evenly about the car in view, what is left over is free space around the stack. A road with bends takes
// all the room there is above the rail, seen from above by a camera (camera.ts).

import type { App } from "../core/app.ts";
import type { Roster } from "../core/roster.ts";
import { rosterOf } from "../core/roster.ts";
import type { Frame } from "../wire/frame.ts";
import type { World } from "../wire/protocol.ts";
import { Camera } from "./camera.ts";
import type { Pose, RoadPlan, Side } from "./plan.ts";
import { GLYPH_SCALE, type View } from "./view.ts";

export const TAG_HEIGHT = 42; // px: two rows of a tag, posts and distances
export const RAIL_HEIGHT = 30;
export const RAIL_ROW = 15; // px more for platoons in lower lanes
export const LOW_TAG_HEIGHT = 34;
export const GLYPH_LANE = 8; // px, a lane below GLYPH_SCALE

export interface Spot {
  px: number;
  py: number;
  angle: number; // rad, of the road there
}
const pose: Pose = { x: 0, y: 0, c: 1, s: 0 };
const lanes: Side = { left: 0, right: 0 };
const under = { station: 0, offset: 0 };

export class Strip {
  frame: Frame | null = null;
  roster: Roster;
  top = 0;
  height = 0; // px in the canvas
  tagTop = 0;
  roadTop = 0;
  roadHeight = 0;
  lowTop = 0;
  railTop = 0;
  bottom = 0;
  laneHeight = 0; // px
  low = false; // tags below the road for platoons in lower lanes
  lowRail = false; // a second row of the rail for them
  private zeroY = 0; // px of y = 0
  visible = 0;
  index = new Int32Array(64); // of visible cars, in the frame
  slot = new Int32Array(64);
  order = new Int32Array(64); // visible cars from left to right
  cx = new Float32Array(64); // px, middle of the box
  cy = new Float32Array(64);
  ghost = new Float32Array(64); // px of the ghost's middle; NaN: none
  ghostY = new Float32Array(64); // the same across the screen
  angle = new Float32Array(64); // rad, of the road at the car, left from the screen's right
  tagAt = new Float32Array(64); // px of the middle of its tag as drawn last; NaN: none
  plan: RoadPlan | null = null; // of its road; null: not known, or none
  readonly camera = new Camera(); // of a road with bends
  scale = 1; // px/m
  ersc = 0; // level at the playhead

  constructor(
    public app: App,
    public world: World,
  ) {
    this.roster = rosterOf(app, world);
  }

  // Seen from above, with bends; else the road is straight, or unrolled.
  get curved(): boolean {
    return this.plan !== null && this.plan.shaped;
  }
  laneWidth(): number {
    return this.world.road.lane_width > 0 ? this.world.road.lane_width : 3.4;
  }
  laneCount(): number {
    return Math.max(1, this.world.road.lanes | 0);
  }

  // Puts the parts into [top, top + height). tags, rail: whether these parts are shown. Where room is
  // short the lower rows go first, then the road is cut.
  lay(view: View, top: number, height: number, tags: boolean, rail: boolean): void {
    this.top = top;
    this.height = height;
    this.scale = view.scale;
    if (this.curved) {
      this.layPlan(view, rail);
      return;
    }
    this.laneHeight = view.scale >= GLYPH_SCALE ? this.laneWidth() * view.scale : GLYPH_LANE;
    const margin = Math.max(5, Math.min(10, 0.9 * view.scale));
    const full = this.laneCount() * this.laneHeight + 2 * margin;
    const tagH = tags ? TAG_HEIGHT : 16;
    const railH = rail ? RAIL_HEIGHT : 8;
    const two = this.roster.lanes > 1 && view.scale >= GLYPH_SCALE;
    const spare0 = height - tagH - railH - Math.min(full, 90);
    this.lowRail = two && rail && spare0 >= RAIL_ROW;
    this.low = two && tags && spare0 - RAIL_ROW >= LOW_TAG_HEIGHT;
    const lowH = this.low ? LOW_TAG_HEIGHT : 0;
    const rowH = this.lowRail ? RAIL_ROW : 0;
    const room = Math.max(24, height - tagH - lowH - railH - rowH);
    this.roadHeight = Math.round(Math.min(full, room));
    this.tagTop = Math.round(top + Math.max(0, (room - this.roadHeight) / 2));
    this.roadTop = this.tagTop + tagH;
    this.lowTop = this.roadTop + this.roadHeight;
    this.railTop = this.lowTop + lowH;
    this.bottom = this.railTop + railH + rowH;
    this.zeroY = this.roadTop + (full <= room ? margin + 0.5 * this.laneHeight : this.cutZero(full, margin));
  }

  // Bends need room: tags stand among the cars.
  private layPlan(view: View, rail: boolean): void {
    const railH = rail ? RAIL_HEIGHT : 8;
    this.low = this.lowRail = false;
    this.tagTop = this.top;
    this.roadTop = this.top + 1;
    this.roadHeight = Math.max(24, Math.round(this.height - railH - 2));
    this.lowTop = this.railTop = this.roadTop + this.roadHeight;
    this.bottom = this.railTop + railH;
    // The lanes that go through are in the middle, whatever begins and ends beside them.
    lanes.left = 0.5 * this.laneWidth();
    lanes.right = (0.5 - this.laneCount()) * this.laneWidth();
    // Lanes that do not all fit: those about the car in view.
    if ((lanes.left - lanes.right) * view.scale > this.roadHeight) lanes.left = lanes.right = this.focusY();
    const middle = view.metres(this.world.world, view.width / 2);
    this.camera.aim(this.plan!, middle, view.scale, view.width, this.roadTop, this.roadHeight, lanes);
    this.scale = this.camera.scale;
    this.laneHeight = Math.max(GLYPH_LANE, this.laneWidth() * this.scale);
    this.zeroY = this.roadTop + this.roadHeight / 2;
  }

  // Where a place of the road is on the screen: x along it, y to the left, on a path.
  at(view: View, x: number, y: number, path: number, out: Spot): Spot {
    if (!this.curved) {
      out.px = view.px(this.world.world, x);
      out.py = this.py(y);
      out.angle = 0;
      return out;
    }
    const on = this.plan!.path(path);
    const p = on.place(x - on.base, y, pose);
    out.px = this.camera.px(p.x, p.y);
    out.py = this.camera.py(p.x, p.y);
    out.angle = this.camera.angle(p);
    return out;
  }

  // The place of the main road under a pixel: x along it, y to the left, and its lane, from 0; -1: beside the lanes.
  road(view: View, px: number, py: number, out: { x: number; y: number; lane: number }): void {
    if (!this.curved) {
      out.x = view.metres(this.world.world, px);
      const lane = Math.floor((py - this.py(0.5 * this.laneWidth())) / this.laneHeight);
      out.lane = lane >= 0 && lane < this.laneCount() ? lane : -1;
      out.y = -lane * this.laneWidth();
      return;
    }
    this.camera.find(this.plan!, px, py, under);
    const main = this.plan!.main;
    const lane = main.laneAt(under.station, under.offset);
    const middle = main.centre(lane, under.station);
    out.x = under.station;
    out.y = middle;
    out.lane = Math.abs(under.offset - middle) < this.laneWidth() ? lane : -1;
  }

  // The road does not fit: keep the middle car's lane in the middle, but never show beyond the edges.
  private cutZero(full: number, margin: number): number {
    const focus = this.focusY();
    const free = 0.5 * this.roadHeight + (focus * this.laneHeight) / this.laneWidth();
    const min = this.roadHeight - full + margin + 0.5 * this.laneHeight;
    const max = margin + 0.5 * this.laneHeight;
    return this.laneCount() > 1 || full > this.roadHeight ? Math.max(min, Math.min(max, free)) : max;
  }

  private focusY(): number {
    const y = this.frame?.field("y");
    if (!this.frame || !y) return 0;
    const s = this.app.selection;
    const name = s && s.world === this.world.world ? s.vehicle : this.app.reference;
    const v = name ? this.roster.slotOf(name) : -1;
    const i = v >= 0 ? this.frame.index(this.roster.vehicles[v]!.id) : -1;
    return i >= 0 ? y[i]! : this.frame.n > 0 ? y[0]! : 0;
  }

  py(y: number): number {
    return this.zeroY - (y * this.laneHeight) / this.laneWidth();
  }

  // Finds the cars in sight of `frame`. lateral: magnification of the offset from the lane's middle.
  look(view: View, factor: number, lateral: number): void {
    const frame = this.frame;
    this.visible = 0;
    if (!frame) return;
    this.reserve(frame.n);
    if (this.curved) {
      this.lookPlan(view, frame, factor, lateral);
      return;
    }
    const { index, slot, cx, cy, ghost } = this;
    const fx = frame.x;
    const fs = frame.s;
    const y = frame.field("y");
    const scale = view.scale;
    const width = this.laneWidth();
    const zero = view.px(this.world.world, 0);
    const reach = 14 * Math.max(scale, 1) + 8;
    let n = 0;
    for (let i = 0; i < frame.n; i++) {
      const px = zero + fx[i]! * scale;
      const e = fs[i]! - fx[i]!;
      const g = px + e * factor * scale;
      if ((px < -reach || px > view.width + reach) && !(g > -reach && g < view.width + reach)) continue;
      let yy = y ? y[i]! : 0;
      if (lateral !== 1) {
        const c = Math.round(yy / width) * width;
        yy = c + (yy - c) * lateral;
      }
      index[n] = i;
      slot[n] = this.roster.slot(frame.id[i]!);
      cx[n] = px;
      cy[n] = this.ghostY[n] = this.py(yy);
      ghost[n] = g;
      this.angle[n] = 0;
      n++;
    }
    this.visible = n;
    this.sort();
  }

  private lookPlan(view: View, frame: Frame, factor: number, lateral: number): void {
    const plan = this.plan!;
    const cam = this.camera;
    const y = frame.field("y");
    const path = frame.field("path");
    const reach = 14 * Math.max(cam.scale, 1) + 8;
    const ring = plan.main.closed;
    let n = 0;
    for (let i = 0; i < frame.n; i++) {
      const x = frame.x[i]!;
      if (!ring && (x < cam.from - 300 || x > cam.to + 300)) continue; // ramps are shorter than that, or come into sight later
      const on = plan.path(path ? path[i]! : 0);
      let yy = y ? y[i]! : 0;
      if (lateral !== 1) {
        const lane = on.laneAt(x - on.base, yy);
        const c = lane >= 0 ? on.centre(lane, x - on.base) : 0;
        yy = c + (yy - c) * lateral;
      }
      const p = on.place(x - on.base, yy, pose);
      const px = cam.px(p.x, p.y);
      const py = cam.py(p.x, p.y);
      if (px < -reach || px > view.width + reach || py < this.roadTop - reach || py > this.lowTop + reach) continue;
      this.index[n] = i;
      this.slot[n] = this.roster.slot(frame.id[i]!);
      this.cx[n] = px;
      this.cy[n] = py;
      this.angle[n] = cam.angle(p);
      const e = frame.s[i]! - x;
      this.ghost[n] = NaN;
      if (Number.isFinite(e)) {
        const g = on.place(x + e * factor - on.base, yy, pose);
        this.ghost[n] = cam.px(g.x, g.y);
        this.ghostY[n] = cam.py(g.x, g.y);
      }
      n++;
    }
    this.visible = n;
    this.sort();
  }

  private reserve(n: number): void {
    if (n <= this.index.length) return;
    const size = Math.max(n, 2 * this.index.length);
    this.index = new Int32Array(size);
    this.slot = new Int32Array(size);
    this.order = new Int32Array(size);
    this.cx = new Float32Array(size);
    this.cy = new Float32Array(size);
    this.ghost = new Float32Array(size);
    this.ghostY = new Float32Array(size);
    this.angle = new Float32Array(size);
    this.tagAt = new Float32Array(size);
  }

  // Left to right, for neighbours' distances. Frames keep the order of cars: insertion is linear.
  private sort(): void {
    const { order, cx, visible } = this;
    if (visible > 2000) return; // only glyphs and bands are drawn of so many
    for (let k = 0; k < visible; k++) order[k] = visible - 1 - k; // platoons are listed leader first
    for (let k = 1; k < visible; k++) {
      const v = order[k]!;
      let m = k - 1;
      while (m >= 0 && cx[order[m]!]! > cx[v]!) {
        order[m + 1] = order[m]!;
        m--;
      }
      order[m + 1] = v;
    }
  }

  // The visible car under a point; -1: none.
  hit(_view: View, px: number, py: number): number {
    const scale = this.scale;
    let best = -1;
    let min = Infinity;
    for (let k = 0; k < this.visible; k++) {
      const s = this.slot[k]!;
      const hl = Math.max(6, 0.5 * scale * (s >= 0 ? this.roster.length[s]! : 5));
      const hw = Math.max(6, 0.5 * scale * (s >= 0 ? this.roster.width[s]! : 2));
      const co = Math.cos(this.angle[k]!);
      const si = Math.sin(this.angle[k]!);
      const u = px - this.cx[k]!;
      const v = py - this.cy[k]!;
      const dx = Math.abs(u * co - v * si);
      const dy = Math.abs(u * si + v * co);
      if (dx > hl + 2 || dy > hw + 2 || dx + dy >= min) continue;
      best = k;
      min = dx + dy;
    }
    return best;
  }

  // The visible car whose ghost is under a point and stands out of the car; -1: none.
  hitGhost(_view: View, px: number, py: number): number {
    const scale = this.scale;
    for (let k = 0; k < this.visible; k++) {
      const s = this.slot[k]!;
      if (s < 0 || !Number.isFinite(this.ghost[k]!)) continue;
      const hl = 0.5 * scale * this.roster.length[s]!;
      const hw = 0.5 * scale * this.roster.width[s]!;
      if (Math.abs(px - this.ghost[k]!) < hl + 3 && Math.abs(py - this.ghostY[k]!) < Math.max(5, hw)) return k;
    }
    return -1;
  }

  contains(py: number): boolean {
    return py >= this.top && py < this.top + this.height;
  }
  vehicle(k: number): string {
    const s = this.slot[k]!;
    return s >= 0 ? this.roster.vehicles[s]!.name : "";
  }
  visibleOf(name: string): number {
    for (let k = 0; k < this.visible; k++) if (this.vehicle(k) === name) return k;
    return -1;
  }
}
