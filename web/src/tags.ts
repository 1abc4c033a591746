// tags.ts - what is written around the cars: digital meters that travel with them, and the rail of
// magnified errors under the road.
//
// Texts are made ten times a second while time runs, so that an eye can read them, and exactly when
// it rests. A tag loses its unit, then its jerk, then itself as its neighbours come closer, so that
// texts never overlap. What is selected is written first.

import type { Frame } from "./app.ts";
import { FONT, hatch, palette, plain, signed } from "./paint.ts";
import { RAIL_ROW, type Strip } from "./strip.ts";
import { GLYPH_SCALE, type View } from "./view.ts";

export const TAG_KINDS = ["v", "v a", "v a j", "off"] as const;
export type TagKind = (typeof TAG_KINDS)[number];

// Pitches, px: below FULL no unit, below JERK no jerk, below LEAST no tag.
const FULL = 94, JERK = 84, LEAST = 50;
const GAP = 6;

export interface TagLook {
  kind: TagKind; factor: number; errorLimit: number; jerkLimit: number; selected: string | null; headerWidth: number;
  colourOf: (slot: number) => string; fresh: boolean; hidden: (vehicle: string) => boolean; ring: boolean; units: boolean;
}

// Texts of one world's cars, by slot.
class Texts {
  v: string[] = []; a: string[] = []; j: string[] = []; e: string[] = [];
  jBad = new Uint8Array(0); eBad = new Uint8Array(0);
  label: number[] = []; // width of the label, px
  level = new Uint8Array(0); // 0 full, 1 no unit, 2 no jerk, 3 none; kept for hysteresis
  constructor(n: number) { this.jBad = new Uint8Array(n); this.eBad = new Uint8Array(n); this.level = new Uint8Array(n).fill(3); }
}
const kept = new WeakMap<object, Texts>();

function textsOf(s: Strip): Texts {
  let t = kept.get(s.roster);
  if (!t) kept.set(s.roster, (t = new Texts(s.roster.count)));
  return t;
}

function refresh(s: Strip, look: TagLook, all: boolean): Texts {
  const t = textsOf(s), f = s.frame!;
  const v = f.field("v"), a = f.field("a"), j = f.field("jerk");
  for (let k = 0; k < s.visible; k++) {
    const slot = s.slot[k]!, i = s.index[k]!;
    if (slot < 0 || (!all && t.v[slot] !== undefined)) continue;
    t.v[slot] = plain(v ? v[i]! : NaN, 2);
    t.a[slot] = "a " + signed(a ? a[i]! : NaN, 2);
    t.j[slot] = "j " + signed(j ? j[i]! : NaN, 2);
    t.jBad[slot] = j && Math.abs(j[i]!) > look.jerkLimit ? 1 : 0;
    const e = f.s[i]! - f.x[i]!;
    t.e[slot] = Number.isFinite(e) ? signed(e, Math.abs(e) < 9.995 ? 2 : 1) : "";
    t.eBad[slot] = Math.abs(e) > look.errorLimit ? 1 : 0;
  }
  return t;
}

// ---- tags ----

const taken: { left: Float32Array; right: Float32Array; n: number }[] = [
  { left: new Float32Array(256), right: new Float32Array(256), n: 0 },
  { left: new Float32Array(256), right: new Float32Array(256), n: 0 },
];

function free(zone: number, left: number, right: number): boolean {
  const t = taken[zone]!;
  for (let k = 0; k < t.n; k++) if (left < t.right[k]! + GAP && right > t.left[k]! - GAP) return false;
  return true;
}

function take(zone: number, left: number, right: number): void {
  const t = taken[zone]!;
  if (t.n < t.left.length) { t.left[t.n] = left; t.right[t.n] = right; t.n++; }
}

export function drawTags(c: CanvasRenderingContext2D, s: Strip, view: View, look: TagLook): void {
  if (!s.frame || look.kind === "off" || s.visible > 2000) return;
  const t = refresh(s, look, look.fresh);
  taken[0]!.n = taken[1]!.n = 0;
  take(0, -100, look.headerWidth);
  c.textBaseline = "alphabetic";
  const mine = look.selected ? s.visibleOf(look.selected) : -1;
  if (mine >= 0) drawTag(c, s, view, t, look, mine, view.scale < GLYPH_SCALE ? 0 : Math.min(1, t.level[s.slot[mine]!]!));
  if (view.scale < GLYPH_SCALE) return;
  for (let zone = 0; zone < 2; zone++) drawZone(c, s, view, t, look, zone, mine);
}

function zoneOf(s: Strip, slot: number): number { return s.low && s.roster.vehicles[slot]!.lane >= s.roster.lowLane ? 1 : 0; }
// Without room below the road only the upper platoons carry tags.
function untagged(s: Strip, slot: number): boolean { return !s.low && s.roster.vehicles[slot]!.lane >= s.roster.lowLane; }
function rowOf(s: Strip, slot: number): number { return s.lowRail && s.roster.vehicles[slot]!.lane >= s.roster.lowLane ? 1 : 0; }

// Cars of a zone from left to right; the pitch is the distance to the nearer neighbour of the zone.
function drawZone(c: CanvasRenderingContext2D, s: Strip, view: View, t: Texts, look: TagLook, zone: number, mine: number): void {
  let before = -1, here = -1;
  for (let m = 0; m <= s.visible; m++) {
    let next = -1;
    if (m < s.visible) {
      next = s.order[m]!;
      const slot = s.slot[next]!;
      if (slot < 0 || !s.roster.tagged[slot] || zoneOf(s, slot) !== zone || untagged(s, slot)) continue;
    }
    if (here >= 0) {
      const left = before >= 0 ? s.cx[here]! - s.cx[before]! : Infinity;
      const right = next >= 0 ? s.cx[next]! - s.cx[here]! : Infinity;
      const level = levelOf(t, s.slot[here]!, Math.min(left, right));
      if (here !== mine && level < 3 && !look.hidden(s.vehicle(here))) drawTag(c, s, view, t, look, here, level);
    }
    before = here; here = next;
  }
}

// Pitch to level with 3 px of hysteresis, so that a tag on the edge does not flicker.
function levelOf(t: Texts, slot: number, pitch: number): number {
  const old = t.level[slot]!;
  const at = (limit: number, level: number): number => (old > level ? limit + 3 : limit);
  const level = pitch >= at(FULL, 0) ? 0 : pitch >= at(JERK, 1) ? 1 : pitch >= at(LEAST, 2) ? 2 : 3;
  t.level[slot] = level;
  return level;
}

function drawTag(c: CanvasRenderingContext2D, s: Strip, view: View, t: Texts, look: TagLook, k: number, level: number): void {
  const p = palette(), slot = s.slot[k]!;
  const label = s.roster.labels[slot]!;
  c.font = FONT.tagBold;
  const lw = t.label[slot] ?? (t.label[slot] = c.measureText(label).width);
  const kind = level >= 2 && look.kind === "v a j" ? "v a" : look.kind;
  const unit = level === 0 && look.units;
  const wide = Math.max(kind === "v a j" ? (level === 0 ? 86 : 80) : 42, lw + (unit ? 58 : 34));
  const zone = s.roster.tagged[slot] ? zoneOf(s, slot) : 0;
  const right = Math.max(wide + 6, Math.min(view.width - 8, s.cx[k]! + wide / 2)), left = right - wide;
  if (s.cx[k]! < 0 || s.cx[k]! > view.width || !free(zone, left, right)) return;
  take(zone, left, right);
  const y = zone === 0 ? s.tagTop + 13 : s.lowTop + 14;
  c.textAlign = "left";
  c.fillStyle = look.colourOf(slot);
  c.fillText(label, left, y);
  c.textAlign = "right";
  c.fillStyle = p.ink;
  c.fillText(unit ? t.v[slot]! + " m/s" : t.v[slot]!, right, y);
  if (look.ring) { c.strokeStyle = p.ink3; c.lineWidth = 1; c.beginPath(); c.arc(left + lw + 5, y - 4, 1.8, 0, 7); c.stroke(); }
  if (kind === "v") return;
  if (kind === "v a" && t.jBad[slot] && look.kind === "v a j") { value(c, t.j[slot]!, true, right, y + 13, "right"); return; }
  if (kind === "v a") { value(c, t.a[slot]!, false, right, y + 13, "right"); return; }
  value(c, t.a[slot]!, false, left, y + 13, "left");
  value(c, t.j[slot]!, t.jBad[slot] === 1, right, y + 13, "right");
}

function value(c: CanvasRenderingContext2D, text: string, bad: boolean, x: number, y: number, align: CanvasTextAlign): void {
  const p = palette();
  c.font = bad ? FONT.tagBold : FONT.tag;
  c.fillStyle = bad ? p.danger : p.ink2;
  c.textAlign = align;
  c.fillText(text, x, y);
}

// ---- the error rail ----

const DENSE = 9; // px a car below which bars stand upright in columns

// Under the road: a tick at each nose, a bar of length factor * e towards the desired place, the
// number in metres as it is. Beyond the limit hatched, crimson, bold. Platoons in lower lanes have a
// row of their own.
export function drawRail(c: CanvasRenderingContext2D, s: Strip, view: View, look: TagLook): void {
  if (!s.frame) return;
  if (s.visible > 2000 || s.visible * DENSE > view.width * Math.max(1, s.roster.lanes)) { drawDenseRail(c, s, view, look); return; }
  const t = refresh(s, look, look.fresh && look.kind === "off");
  c.textBaseline = "middle";
  for (let zone = 0; zone < (s.lowRail ? 2 : 1); zone++) drawRailRow(c, s, view, t, look, zone);
}

// From left to right; a number is written where it touches neither the car before it nor its number.
function drawRailRow(c: CanvasRenderingContext2D, s: Strip, view: View, t: Texts, look: TagLook, zone: number): void {
  const f = s.frame!, y = s.railTop + 9 + zone * RAIL_ROW;
  let busy = 90; // px up to which the row is taken
  for (let m = 0; m < s.visible; m++) {
    const k = s.order[m]!, slot = s.slot[k]!;
    if (slot < 0 || !s.roster.tagged[slot] || rowOf(s, slot) !== zone) continue;
    const e = f.s[s.index[k]!]! - f.x[s.index[k]!]!;
    if (!Number.isFinite(e)) continue;
    const nose = s.cx[k]! + (view.scale < GLYPH_SCALE ? 0 : 0.5 * s.roster.length[slot]! * view.scale);
    const bar = e * look.factor * view.scale, bad = t.eBad[slot] === 1;
    const x0 = Math.min(nose, nose + bar), x1 = Math.max(nose, nose + bar);
    if (x0 > view.width + 20 || x1 < -20) continue;
    drawError(c, look, slot, x0, x1, nose, y, bad);
    if (x0 - 40 > busy && x0 < view.width + 4) {
      const p = palette();
      c.font = bad ? FONT.tagBold : FONT.tag;
      c.fillStyle = bad ? p.danger : p.ink2;
      c.textAlign = "right";
      c.fillText(t.e[slot]!, x0 - 5, y + 5);
    }
    busy = Math.max(busy, x1 + 2);
  }
}

function drawError(c: CanvasRenderingContext2D, look: TagLook, slot: number, x0: number, x1: number, nose: number, y: number, bad: boolean): void {
  const p = palette(), wide = Math.max(0.8, x1 - x0), hgt = 9;
  if (bad) {
    c.fillStyle = hatch(c, p.danger);
    c.fillRect(x0, y, wide, hgt);
    c.strokeStyle = p.danger;
    c.lineWidth = 1;
    c.strokeRect(x0 + 0.5, y + 0.5, Math.max(1, wide - 1), hgt - 1);
  } else {
    c.fillStyle = look.colourOf(slot);
    c.fillRect(x0, y + 1.5, wide, hgt - 3);
  }
  c.fillStyle = p.ink3;
  c.fillRect(Math.round(nose) - 0.5, y - 3, 1, hgt + 6);
}

let most = new Float32Array(0);

// Too many cars for bars along the road: the greatest |error| of each column stands upright, as high
// as the rail at 10 m / factor; beyond the limit crimson, twice as wide a foot.
function drawDenseRail(c: CanvasRenderingContext2D, s: Strip, view: View, look: TagLook): void {
  const f = s.frame!, p = palette(), n = Math.ceil(view.width / 3) + 1, bottom = s.railTop + 26;
  if (most.length < n) most = new Float32Array(n);
  most.fill(0, 0, n);
  for (let k = 0; k < s.visible; k++) {
    const col = (s.cx[k]! / 3) | 0, i = s.index[k]!;
    const e = Math.abs(f.s[i]! - f.x[i]!);
    if (col >= 0 && col < n && e > most[col]!) most[col] = e;
  }
  for (let pass = 0; pass < 2; pass++) {
    c.beginPath();
    for (let k = 30; k < n; k++) {
      const e = most[k]!;
      if (e === 0 || (e > look.errorLimit) !== (pass === 1)) continue;
      const hgt = Math.max(1, Math.min(20, 2 * e * look.factor));
      c.rect(3 * k, bottom - hgt, 2, hgt);
      if (pass === 1) c.rect(3 * k, bottom + 1, 3, 2);
    }
    c.fillStyle = pass === 1 ? p.danger : p.ink3;
    c.fill();
  }
}

// Error x so that the greatest error reaches half a gap: 1, 2, 5, 10 ... 200.
export function autoFactor(frames: (Frame | null)[]): number {
  let most = 0, gaps = 0, n = 0;
  for (const f of frames) {
    if (!f) continue;
    const gap = f.field("gap");
    for (let i = 0; i < f.n; i++) {
      const e = Math.abs(f.s[i]! - f.x[i]!);
      if (e > most) most = e;
      if (gap && gap[i]! > 0) { gaps += gap[i]!; n++; }
    }
  }
  const half = 0.5 * (n > 0 ? gaps / n : 8);
  const wanted = most > 0 ? half / most : 200;
  let best = 1;
  for (const k of [1, 2, 5, 10, 20, 50, 100, 200]) if (k <= wanted) best = k;
  return best;
}
