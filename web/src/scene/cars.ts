// cars.ts - the cars of a strip: bodies, heads, ghosts, marks, trails; glyphs and bands from afar.
//
// A car is drawn in its own metres (x forward, y left) by a transform, with paths made once for a
// length and width. How much is drawn depends on the scale: below GLYPH_SCALE px/m six-pixel glyphs, one
// path a colour; where there are more glyphs than pixels, bands that show how dense the traffic is.

import type { Time } from "../core/app.ts";
import { Past } from "../core/store.ts";
import { alpha, hatch, mix, palette } from "../draw/paint.ts";
import type { Frame } from "../wire/frame.ts";
import { patternOf, type Colouring } from "./colour.ts";
import {
  driverGain,
  HEAD_CLAMP,
  HEAD_LAW,
  HEAD_WINDOW,
  headAt,
  passengerGain,
  type HeadLaw,
  type Pose,
} from "./heads.ts";
import type { Spot, Strip } from "./strip.ts";
import { GLYPH_SCALE, type View } from "./view.ts";

export const GHOST_SCALE = 2.5; // px/m; below it errors are only on the rail
export const HEAD_SCALE = 5; // px/m from which heads are drawn
export const WHEEL_SCALE = 14;
const REST_SCALE = 20;
const BANDS_FROM = 1500; // visible cars above which glyphs become bands
const HEAD_GAIN = 2; // heads are drawn at twice their offset

export interface CarLook {
  colouring: Colouring;
  worldIndex: number;
  ratio: number; // device pixels per CSS pixel
  ghosts: boolean;
  trailTime: number; // s, of the trails; 0: none
  factor: number;
  lateral: number;
  heads: HeadLaw;
}

interface Shape {
  body: Path2D;
  nose: Path2D;
  glass: Path2D;
  roof: Path2D;
  marks: Path2D[];
}
const shapes = new Map<number, Shape>();

function shapeOf(length: number, width: number): Shape {
  const key = Math.round(length * 100) * 10000 + Math.round(width * 100);
  let s = shapes.get(key);
  if (!s) shapes.set(key, (s = makeShape(length, width)));
  return s;
}

function makeShape(l: number, w: number): Shape {
  const f = l / 2;
  const b = -l / 2;
  const s = w / 2;
  const body = new Path2D();
  body.moveTo(b + 0.35, s);
  body.lineTo(f - 1.25, s);
  body.bezierCurveTo(f - 0.35, s, f, 0.62 * s, f, 0.3 * s);
  body.lineTo(f, -0.3 * s);
  body.bezierCurveTo(f, -0.62 * s, f - 0.35, -s, f - 1.25, -s);
  body.lineTo(b + 0.35, -s);
  body.bezierCurveTo(b + 0.1, -s, b, -0.8 * s, b, -0.62 * s);
  body.lineTo(b, 0.62 * s);
  body.bezierCurveTo(b, 0.8 * s, b + 0.1, s, b + 0.35, s);
  body.closePath();
  const nose = new Path2D();
  nose.moveTo(f - 0.75, 0.9 * s);
  nose.bezierCurveTo(f - 0.2, 0.82 * s, f, 0.55 * s, f, 0.3 * s);
  nose.lineTo(f, -0.3 * s);
  nose.bezierCurveTo(f, -0.55 * s, f - 0.2, -0.82 * s, f - 0.75, -0.9 * s);
  nose.closePath();
  const glass = new Path2D();
  windscreen(glass, 0.1 * l, 0.19 * l, s);
  windscreen(glass, -0.3 * l, -0.37 * l, s);
  const roof = new Path2D();
  roof.roundRect(-0.235 * l, -0.66 * s, 0.285 * l, 1.32 * s, 0.16);
  return { body, nose, glass, roof, marks: patterns(l, s) };
}

// A pane from x0 at the roof to x1 outside, bent outwards.
function windscreen(path: Path2D, x0: number, x1: number, s: number): void {
  path.moveTo(x0, 0.66 * s);
  path.lineTo(x1, 0.84 * s);
  path.quadraticCurveTo(x1 + 0.12 * Math.sign(x1), 0, x1, -0.84 * s);
  path.lineTo(x0, -0.66 * s);
  path.quadraticCurveTo(x0 + 0.08 * Math.sign(x1), 0, x0, 0.66 * s);
  path.closePath();
}

// What tells platoons apart without colour, on bonnet and boot: plain, stripes, chevrons, dots.
function patterns(l: number, s: number): Path2D[] {
  const stripe = new Path2D();
  const chevron = new Path2D();
  const dots = new Path2D();
  for (const y of [-0.3 * s, 0.3 * s]) {
    stripe.rect(0.24 * l, y - 0.09 * s, 0.2 * l, 0.18 * s);
    stripe.rect(-0.48 * l, y - 0.09 * s, 0.09 * l, 0.18 * s);
    dots.moveTo(0.29 * l + 0.14, y);
    dots.arc(0.29 * l, y, 0.14, 0, 7);
    dots.moveTo(0.37 * l + 0.14, y);
    dots.arc(0.37 * l, y, 0.14, 0, 7);
    dots.moveTo(-0.435 * l + 0.14, y);
    dots.arc(-0.435 * l, y, 0.14, 0, 7);
  }
  for (const x of [0.26 * l, 0.34 * l, -0.47 * l]) {
    chevron.moveTo(x, 0.6 * s);
    chevron.lineTo(x + 0.35, 0);
    chevron.lineTo(x, -0.6 * s);
    chevron.lineTo(x + 0.16, -0.6 * s);
    chevron.lineTo(x + 0.51, 0);
    chevron.lineTo(x + 0.16, 0.6 * s);
    chevron.closePath();
  }
  return [new Path2D(), stripe, chevron, dots];
}

export function drawCars(c: CanvasRenderingContext2D, s: Strip, view: View, look: CarLook): void {
  if (!s.frame || s.visible === 0) return;
  c.save();
  c.beginPath();
  c.rect(0, s.roadTop, view.width, s.roadHeight);
  c.clip();
  if (look.trailTime > 0 && s.visible <= 120) drawTrails(c, s, view, look);
  if (s.scale < GLYPH_SCALE) {
    if (s.visible > BANDS_FROM && !s.curved) drawBands(c, s, view, look);
    else drawGlyphs(c, s, look);
  } else {
    if (look.ghosts && s.scale >= GHOST_SCALE) drawGhosts(c, s, view);
    drawBodies(c, s, view, look);
  }
  c.restore();
}

// ---- from afar ----

let counts = new Float32Array(0);
let sums = new Float32Array(0);

function drawGlyphs(c: CanvasRenderingContext2D, s: Strip, look: CarLook): void {
  const f = s.frame!;
  const colours = look.colouring.colours;
  for (let b = 0; b < colours.length; b++) {
    let any = false;
    for (let k = 0; k < s.visible; k++) {
      if (look.colouring.bucket(f, s.index[k]!, s.roster, s.slot[k]!, look.worldIndex) !== b) continue;
      if (!any) {
        c.beginPath();
        any = true;
      }
      c.rect(s.cx[k]! - 3, s.cy[k]! - 2, 6, 4);
    }
    if (any) {
      c.fillStyle = colours[b]!;
      c.fill();
    }
  }
}

// Columns of two pixels for each lane: height by the number of cars, colour by their mean.
function drawBands(c: CanvasRenderingContext2D, s: Strip, view: View, look: CarLook): void {
  const f = s.frame!;
  const lanes = s.laneCount();
  const columns = Math.ceil(view.width / 2) + 1;
  const size = lanes * columns;
  if (counts.length < size) {
    counts = new Float32Array(size);
    sums = new Float32Array(size);
  }
  counts.fill(0, 0, size);
  sums.fill(0, 0, size);
  const top = s.py(0.5 * s.laneWidth());
  for (let k = 0; k < s.visible; k++) {
    const col = (s.cx[k]! / 2) | 0;
    const lane = ((s.cy[k]! - top) / s.laneHeight) | 0;
    if (col < 0 || col >= columns || lane < 0 || lane >= lanes) continue;
    counts[lane * columns + col]! += 1;
    sums[lane * columns + col]! += look.colouring.bucket(f, s.index[k]!, s.roster, s.slot[k]!, look.worldIndex);
  }
  // A lane packed bumper to bumper would hold this many in two pixels.
  const full = Math.max(1, 2 / (7 * s.scale));
  for (let b = 0; b < look.colouring.colours.length; b++) {
    let any = false;
    for (let k = 0; k < size; k++) {
      const n = counts[k]!;
      if (n === 0 || Math.round(sums[k]! / n) !== b) continue;
      if (!any) {
        c.beginPath();
        any = true;
      }
      const hgt = Math.max(2, (s.laneHeight - 2) * Math.min(1, n / full));
      const lane = (k / columns) | 0;
      c.rect((k % columns) * 2, top + (lane + 0.5) * s.laneHeight - hgt / 2, 2, hgt);
    }
    if (any) {
      c.fillStyle = look.colouring.colours[b]!;
      c.fill();
    }
  }
}

// ---- from near ----

function drawGhosts(c: CanvasRenderingContext2D, s: Strip, view: View): void {
  const p = palette();
  c.beginPath();
  for (let k = 0; k < s.visible; k++) {
    const g = s.ghost[k]!;
    const slot = s.slot[k]!;
    if (!Number.isFinite(g) || slot < 0 || s.roster.leader[slot]) continue;
    const hl = 0.5 * s.roster.length[slot]! * s.scale;
    const hw = 0.5 * s.roster.width[slot]! * s.scale + 1;
    const round = Math.min(0.4 * s.scale, 8);
    if (s.curved) turned(c, g, s.ghostY[k]!, s.angle[k]!, hl, hw, round);
    else c.roundRect(g - hl, s.cy[k]! - hw, 2 * hl, 2 * hw, round);
  }
  c.setLineDash(DASH);
  c.lineWidth = 1;
  c.strokeStyle = p.ink2;
  c.stroke();
  c.setLineDash(SOLID);
}
// A rounded box about a point, turned to the left.
function turned(
  c: CanvasRenderingContext2D,
  x: number,
  y: number,
  angle: number,
  hl: number,
  hw: number,
  round: number,
): void {
  const t = c.getTransform();
  c.translate(x, y);
  c.rotate(-angle);
  c.roundRect(-hl, -hw, 2 * hl, 2 * hw, round); // points are taken with the transform of now
  c.setTransform(t);
}
const DASH = [3, 2];
const SOLID: number[] = [];

const pose: Pose = { offset: 0, rate: 0 };
const room = new Past();

function drawBodies(c: CanvasRenderingContext2D, s: Strip, view: View, look: CarLook): void {
  const f = s.frame!;
  const psi = f.field("psi");
  for (let k = 0; k < s.visible; k++) {
    const i = s.index[k]!;
    const slot = s.slot[k]!;
    const bucket = look.colouring.bucket(f, i, s.roster, slot, look.worldIndex);
    const turn = s.angle[k]! + (psi ? psi[i]! * look.lateral : 0);
    place(c, look.ratio * s.scale, s.cx[k]! * look.ratio, s.cy[k]! * look.ratio, turn);
    drawBody(c, s, s.scale, f, i, slot, look.colouring.colours[bucket]!, patternOf(s.roster, slot, look.worldIndex));
    if (slot >= 0 && s.roster.box[slot]) continue; // a box has no occupants
    if (s.scale >= HEAD_SCALE) drawHeads(c, s, s.scale, look, f, slot);
    else drawAccelerationBar(c, f, i, s.roster.length[Math.max(0, slot)]!);
  }
  c.setTransform(look.ratio, 0, 0, look.ratio, 0, 0);
}

// The car's metres to device pixels; y left is up on the screen.
function place(c: CanvasRenderingContext2D, k: number, px: number, py: number, psi: number): void {
  const co = k * Math.cos(psi);
  const si = k * Math.sin(psi);
  c.setTransform(co, -si, -si, -co, px, py);
}

function drawBody(
  c: CanvasRenderingContext2D,
  s: Strip,
  scale: number,
  f: Frame,
  i: number,
  slot: number,
  colour: string,
  pattern: number,
): void {
  const p = palette();
  const l = slot >= 0 ? s.roster.length[slot]! : 5;
  const w = slot >= 0 ? s.roster.width[slot]! : 1.9;
  const shape = shapeOf(l, w);
  if (slot >= 0 && s.roster.box[slot]) {
    c.fillStyle = colour;
    c.fillRect(-l / 2, -w / 2, l, w);
    return;
  }
  if (scale >= WHEEL_SCALE) drawWheels(c, l, w, f.field("steer")?.[i] ?? 0);
  c.fillStyle = colour;
  c.fill(shape.body);
  if (scale >= HEAD_SCALE) {
    c.strokeStyle = alphaOf(p.dark);
    c.lineWidth = 0.7 / scale;
    c.stroke(shape.body);
  }
  if (pattern > 0) {
    c.fillStyle = p.dark ? "rgba(10,14,19,.62)" : "rgba(255,255,255,.78)";
    c.fill(shape.marks[pattern]!);
  }
  if (slot >= 0 && s.roster.leader[slot]) {
    c.fillStyle = p.glass;
    c.fill(shape.nose);
  }
  c.fillStyle = p.glass;
  c.fill(shape.glass);
  if (scale >= HEAD_SCALE) {
    c.fillStyle = p.dark ? "rgba(8,11,15,.72)" : "rgba(30,42,54,.72)";
    c.fill(shape.roof);
  }
  if (f.status[i]! & 64 || (f.field("brake")?.[i] ?? 0) > 0.02) drawBrakeLights(c, l, w, scale);
}
const alphaOf = (dark: boolean): string => (dark ? "rgba(0,0,0,.45)" : "rgba(0,0,0,.28)");

function drawBrakeLights(c: CanvasRenderingContext2D, l: number, w: number, scale: number): void {
  const p = palette();
  const wide = Math.max(0.16, 2 / scale);
  c.fillStyle = p.danger;
  c.fillRect(-l / 2 - 0.06, 0.22 * w, wide, 0.24 * w);
  c.fillRect(-l / 2 - 0.06, -0.46 * w, wide, 0.24 * w);
}

function drawWheels(c: CanvasRenderingContext2D, l: number, w: number, steer: number): void {
  c.fillStyle = palette().dark ? "#05070a" : "#2a323c";
  const x = 0.31 * l;
  const y = w / 2 - 0.04;
  for (const side of SIDES) {
    c.fillRect(-x - 0.32, side * y - 0.11, 0.64, 0.22);
    c.translate(x, side * y);
    c.rotate(Number.isFinite(steer) ? steer : 0);
    c.fillRect(-0.32, -0.11, 0.64, 0.22);
    c.rotate(Number.isFinite(steer) ? -steer : 0);
    c.translate(-x, -side * y);
  }
}
const SIDES = [-1, 1];

// Heads by the last two seconds: the driver on the left, the passenger on the right.
function drawHeads(c: CanvasRenderingContext2D, s: Strip, scale: number, look: CarLook, f: Frame, slot: number): void {
  if (slot < 0) return;
  const p = palette();
  const l = s.roster.length[slot]!;
  const w = s.roster.width[slot]!;
  const x = -0.09 * l;
  const y = 0.19 * w;
  const r = Math.max(0.16, 1.5 / scale);
  const id = s.roster.vehicles[slot]!.id;
  const d = headOffset(s.app, s.world.world, id, "jerk", f.time, look.heads);
  const a = headOffset(s.app, s.world.world, id, "a", f.time, look.heads);
  if (scale >= REST_SCALE) {
    c.strokeStyle = "rgba(255,255,255,.55)";
    c.lineWidth = 1 / scale;
    c.setLineDash(REST_DASH);
    c.beginPath();
    c.arc(x, y, r, 0, 7);
    c.moveTo(x + r, -y);
    c.arc(x, -y, r, 0, 7);
    c.stroke();
    c.setLineDash(SOLID);
  }
  c.fillStyle = p.head;
  c.beginPath();
  c.arc(x + d, y, r, 0, 7);
  c.fill();
  c.fillStyle = p.skin;
  c.beginPath();
  c.arc(x + a, -y, r, 0, 7);
  c.fill();
}
const REST_DASH = [0.06, 0.06];

// As drawn: twice the offset, at most HEAD_CLAMP.
export function headOffset(
  app: Time,
  world: number,
  id: number,
  field: "a" | "jerk",
  t: number,
  law: HeadLaw = HEAD_LAW,
): number {
  const n = app.past(world, id, field, t - HEAD_WINDOW, t, room);
  headAt(pose, room.t, room.y, n, t, field === "a" ? passengerGain() : driverGain(law), law);
  return Math.max(-HEAD_CLAMP, Math.min(HEAD_CLAMP, HEAD_GAIN * pose.offset));
}

// Where heads are too small: a bar on the roof, forwards when the car gains speed.
function drawAccelerationBar(c: CanvasRenderingContext2D, f: Frame, i: number, l: number): void {
  const a = f.field("a")?.[i] ?? 0;
  if (!(Math.abs(a) > 0.02)) return;
  const len = Math.max(-0.3 * l, Math.min(0.3 * l, a * 0.4));
  c.fillStyle = palette().head;
  c.fillRect(-0.09 * l + Math.min(0, len), -0.3, Math.abs(len), 0.6);
}

const trailX = new Past();
const trailY = new Past();
const trailP = new Past();
const spot: Spot = { px: 0, py: 0, angle: 0 };
const FADES = 4; // pieces of a trail, the older the paler
export const TRAIL_MAX = 3; // s

// The path of the last seconds on the road: shows what a car does sideways.
function drawTrails(c: CanvasRenderingContext2D, s: Strip, view: View, look: CarLook): void {
  const t = s.frame!.time;
  const from = t - look.trailTime;
  c.lineWidth = 1.5;
  c.lineJoin = "round";
  for (let k = 0; k < s.visible; k++) {
    const slot = s.slot[k]!;
    if (slot < 0) continue;
    const id = s.roster.vehicles[slot]!.id;
    const n = Math.min(
      s.app.past(s.world.world, id, "middle", from, t, trailX),
      s.app.past(s.world.world, id, "y", from, t, trailY),
    );
    if (n < 2) continue;
    const paths = s.curved ? s.app.past(s.world.world, id, "path", from, t, trailP) : 0;
    const colour =
      look.colouring.colours[look.colouring.bucket(s.frame!, s.index[k]!, s.roster, slot, look.worldIndex)]!;
    let age = -1;
    for (let m = 0; m < n; m++) {
      const path = m < paths ? trailP.y[m]! : 0;
      let yy = trailY.y[m]!;
      if (look.lateral !== 1 && !s.curved) {
        const mid = Math.round(yy / s.laneWidth()) * s.laneWidth();
        yy = mid + (yy - mid) * look.lateral;
      }
      s.at(view, trailX.y[m]!, yy, path, spot);
      const piece = Math.min(FADES - 1, Math.floor((FADES * (trailX.t[m]! - from)) / look.trailTime));
      if (m > 0) c.lineTo(spot.px, spot.py);
      if (piece !== age || m === n - 1) {
        if (m > 0) c.stroke();
        age = piece;
        c.strokeStyle = alpha(colour, 0.12 + (0.5 * (piece + 1)) / FADES);
        c.beginPath();
        c.moveTo(spot.px, spot.py);
      }
    }
  }
}

// ---- marks on cars: selected, reference, driven by hand, hit; the other world's cars as outlines ----

export function drawMarks(
  c: CanvasRenderingContext2D,
  s: Strip,
  view: View,
  reference: number,
  selected: string | null,
  hover: number,
): void {
  if (!s.frame || s.visible > 2000) return;
  const p = palette();
  c.save();
  c.beginPath();
  c.rect(0, s.roadTop - 14, view.width, s.roadHeight + 18);
  c.clip();
  for (let k = 0; k < s.visible; k++) {
    const slot = s.slot[k]!;
    const i = s.index[k]!;
    if (slot < 0) continue;
    const v = s.roster.vehicles[slot]!;
    const status = s.frame.status[i]!;
    const glyph = s.scale < GLYPH_SCALE;
    const hl = glyph ? 3 : 0.5 * s.roster.length[slot]! * s.scale;
    const hw = glyph ? 2 : 0.5 * s.roster.width[slot]! * s.scale;
    const x = s.cx[k]!;
    const y = s.cy[k]!;
    if (v.name === selected || (selected !== null && s.app.also.length > 0 && s.app.also.includes(v.name)))
      ring(c, x, y, s.angle[k]!, hl + 4, hw + 4, p.focus, 2);
    else if (k === hover) ring(c, x, y, s.angle[k]!, hl + 3, hw + 3, p.line2, 1.5);
    if (status & 16) struck(c, x, y, s.angle[k]!, hl, hw);
    if (status & 2) triangle(c, x + hl + 4, y, Math.max(4, Math.min(8, hw)), p.ink);
    if (v.id === reference && s.app.reference !== "road") pin(c, x, Math.max(y - hw - 3, s.roadTop - 3), p.ink);
  }
  c.restore();
}

function ring(
  c: CanvasRenderingContext2D,
  x: number,
  y: number,
  angle: number,
  hl: number,
  hw: number,
  colour: string,
  width: number,
): void {
  c.strokeStyle = colour;
  c.lineWidth = width;
  c.beginPath();
  if (angle) turned(c, x, y, angle, hl, hw, 5);
  else c.roundRect(x - hl, y - hw, 2 * hl, 2 * hw, 5);
  c.stroke();
}

function struck(c: CanvasRenderingContext2D, x: number, y: number, angle: number, hl: number, hw: number): void {
  const p = palette();
  c.fillStyle = hatch(c, p.danger);
  c.beginPath();
  if (angle) turned(c, x, y, angle, hl, hw, 4);
  else c.roundRect(x - hl, y - hw, 2 * hl, 2 * hw, 4);
  c.fill();
}

function triangle(c: CanvasRenderingContext2D, x: number, y: number, r: number, colour: string): void {
  c.fillStyle = colour;
  c.beginPath();
  c.moveTo(x, y - r);
  c.lineTo(x + 1.5 * r, y);
  c.lineTo(x, y + r);
  c.fill();
}

function pin(c: CanvasRenderingContext2D, x: number, y: number, colour: string): void {
  c.fillStyle = colour;
  c.beginPath();
  c.moveTo(x, y + 2);
  c.lineTo(x - 3, y - 3);
  c.lineTo(x + 3, y - 3);
  c.closePath();
  c.moveTo(x + 3.6, y - 5);
  c.arc(x, y - 5, 3.6, 0, 7);
  c.fill();
  c.fillStyle = palette().surface;
  c.beginPath();
  c.arc(x, y - 5, 1.3, 0, 7);
  c.fill();
}

// Difference mode: another world's cars as outlines at their places against this world's reference.
export function drawOthers(c: CanvasRenderingContext2D, s: Strip, view: View, other: Strip, colour: string): void {
  const f = other.frame;
  if (!f || s.scale < GLYPH_SCALE) return;
  const y = f.field("y");
  const path = f.field("path");
  c.strokeStyle = mix(colour, palette().asphalt, 0.15);
  c.lineWidth = 1.4;
  c.beginPath();
  for (let i = 0; i < f.n; i++) {
    const { px, py, angle } = s.at(view, f.x[i]!, y ? y[i]! : 0, path ? path[i]! : 0, spot);
    const slot = other.roster.slot(f.id[i]!);
    if (slot < 0 || px < -60 || px > view.width + 60) continue;
    const hl = 0.5 * other.roster.length[slot]! * s.scale;
    const hw = 0.5 * other.roster.width[slot]! * s.scale;
    const round = Math.min(0.4 * s.scale, 8);
    if (angle) turned(c, px, py, angle, hl, hw, round);
    else c.roundRect(px - hl, py - hw, 2 * hl, 2 * hw, round);
  }
  c.stroke();
}

// One car by itself, as large as it fits: the inspector's picture. Drawn about (px, py), `scale` px/m.
export interface Portrait {
  length: number;
  width: number;
  leader: boolean;
  braking: boolean;
  steer: number;
  colour: string;
  pattern: number;
  driver: number;
  passenger: number;
}
export function drawPortrait(c: CanvasRenderingContext2D, v: Portrait, scale: number, px: number, py: number): void {
  const p = palette();
  const shape = shapeOf(v.length, v.width);
  c.save();
  c.translate(px, py);
  c.scale(scale, -scale);
  drawWheels(c, v.length, v.width, v.steer);
  c.fillStyle = v.colour;
  c.fill(shape.body);
  c.strokeStyle = alphaOf(p.dark);
  c.lineWidth = 1 / scale;
  c.stroke(shape.body);
  if (v.pattern > 0) {
    c.fillStyle = p.dark ? "rgba(10,14,19,.62)" : "rgba(255,255,255,.78)";
    c.fill(shape.marks[v.pattern]!);
  }
  c.fillStyle = p.glass;
  if (v.leader) c.fill(shape.nose);
  c.fill(shape.glass);
  c.fillStyle = p.dark ? "rgba(8,11,15,.72)" : "rgba(30,42,54,.72)";
  c.fill(shape.roof);
  if (v.braking) drawBrakeLights(c, v.length, v.width, scale);
  const x = -0.09 * v.length;
  const y = 0.19 * v.width;
  const r = 0.17;
  for (const [side, lean, colour] of [
    [1, v.driver, p.head],
    [-1, v.passenger, p.skin],
  ] as const) {
    c.strokeStyle = "rgba(255,255,255,.55)";
    c.lineWidth = 1 / scale;
    c.setLineDash(REST_DASH);
    c.beginPath();
    c.arc(x, side * y, r, 0, 7);
    c.stroke();
    c.setLineDash([]);
    c.fillStyle = colour;
    c.beginPath();
    c.arc(x + lean, side * y, r, 0, 7);
    c.fill();
  }
  c.restore();
}
