// tags.ts - what is written around the cars: digital meters that travel with them.
//
// Texts are made ten times a second while time runs, so that an eye can read them, and exactly when
// it rests. A tag loses its unit, then its jerk as its neighbours come closer. Where cars are closer
// than tags are wide (side by side, or after a collision) a tag stands aside, with a line to its car,
// as long as the row has room for all; texts never overlap. What is selected is written first.

import { FONT, palette, plain, signed } from "../draw/paint.ts";
import type { Strip } from "./strip.ts";
import { GLYPH_SCALE, type View } from "./view.ts";

export const TAG_KINDS = ["v", "v a", "v a j", "off"] as const;
export type TagKind = (typeof TAG_KINDS)[number];

// Pitches, px: below FULL no unit, below JERK no jerk, below MIN_PITCH the tag stands aside.
const FULL = 94;
const JERK = 84;
const MIN_PITCH = 50;
const GAP = 6;
const ASIDE = 160; // px that a tag may stand from its car

export interface TagLook {
  kind: TagKind;
  factor: number;
  errorLimit: number;
  jerkLimit: number;
  selected: string | null;
  headerWidth: number;
  colourOf: (slot: number) => string;
  fresh: boolean;
  hidden: (vehicle: string) => boolean;
  ring: boolean;
  units: boolean;
}

// Texts of one world's cars, by slot.
export class Texts {
  v: string[] = [];
  a: string[] = [];
  j: string[] = [];
  e: string[] = [];
  jBad = new Uint8Array(0);
  eBad = new Uint8Array(0);
  label: number[] = []; // width of the label, px
  level = new Uint8Array(0); // 0 full, 1 no unit, 2 no jerk, 3 none; kept for hysteresis
  constructor(n: number) {
    this.jBad = new Uint8Array(n);
    this.eBad = new Uint8Array(n);
    this.level = new Uint8Array(n).fill(3);
  }
}
const kept = new WeakMap<object, Texts>();

function textsOf(s: Strip): Texts {
  let t = kept.get(s.roster);
  if (!t) kept.set(s.roster, (t = new Texts(s.roster.count)));
  return t;
}

export function refresh(s: Strip, look: TagLook, all: boolean): Texts {
  const t = textsOf(s);
  const f = s.frame!;
  const v = f.field("v");
  const a = f.field("a");
  const j = f.field("jerk");
  for (let k = 0; k < s.visible; k++) {
    const slot = s.slot[k]!;
    const i = s.index[k]!;
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
  if (t.n < t.left.length) {
    t.left[t.n] = left;
    t.right[t.n] = right;
    t.n++;
  }
}

export function drawTags(c: CanvasRenderingContext2D, s: Strip, view: View, look: TagLook): void {
  s.tagAt.fill(NaN, 0, s.visible);
  if (!s.frame || look.kind === "off" || s.visible > 2000) return;
  const t = refresh(s, look, look.fresh);
  taken[0]!.n = taken[1]!.n = 0;
  take(0, -100, look.headerWidth);
  c.textBaseline = "alphabetic";
  const mine = look.selected ? s.visibleOf(look.selected) : -1;
  if (mine >= 0)
    drawTag(c, s, view, t, look, mine, view.scale < GLYPH_SCALE ? 0 : Math.min(1, t.level[s.slot[mine]!]!), 0);
  if (view.scale < GLYPH_SCALE) return;
  for (let zone = 0; zone < 2; zone++) {
    const count = drawZone(c, s, view, t, look, zone, mine);
    const row = view.width - (zone === 0 ? look.headerWidth : 0);
    if (count * (MIN_PITCH + GAP) <= row) drawAside(c, s, view, t, look, zone);
  }
}

function zoneOf(s: Strip, slot: number): number {
  return s.low && s.roster.vehicles[slot]!.lane >= s.roster.lowLane ? 1 : 0;
}
// Without room below the road only the upper platoons carry tags.
function untagged(s: Strip, slot: number): boolean {
  return !s.low && s.roster.vehicles[slot]!.lane >= s.roster.lowLane;
}
function carries(s: Strip, k: number, zone: number): boolean {
  const slot = s.slot[k]!;
  return slot >= 0 && s.roster.tagged[slot] === 1 && zoneOf(s, slot) === zone && !untagged(s, slot);
}

// Cars of a zone from left to right; the pitch is the distance to the nearer neighbour of the zone. Returns how many
// cars of the zone carry tags.
function drawZone(
  c: CanvasRenderingContext2D,
  s: Strip,
  view: View,
  t: Texts,
  look: TagLook,
  zone: number,
  mine: number,
): number {
  let before = -1;
  let here = -1;
  let count = 0;
  for (let m = 0; m <= s.visible; m++) {
    let next = -1;
    if (m < s.visible) {
      next = s.order[m]!;
      if (!carries(s, next, zone)) continue;
      count++;
    }
    if (here >= 0) {
      const left = before >= 0 ? s.cx[here]! - s.cx[before]! : Infinity;
      const right = next >= 0 ? s.cx[next]! - s.cx[here]! : Infinity;
      const level = levelOf(t, s.slot[here]!, Math.min(left, right));
      if (here !== mine && level < 3 && !look.hidden(s.vehicle(here))) drawTag(c, s, view, t, look, here, level, 0);
    }
    before = here;
    here = next;
  }
  return count;
}

// Tags of cars whose own place is taken: at the nearest free place of the row.
function drawAside(c: CanvasRenderingContext2D, s: Strip, view: View, t: Texts, look: TagLook, zone: number): void {
  for (let m = 0; m < s.visible; m++) {
    const k = s.order[m]!;
    if (!carries(s, k, zone) || s.tagAt[k] === s.tagAt[k] || look.hidden(s.vehicle(k))) continue;
    let drawn = false;
    for (let far = 0; far <= ASIDE && !drawn; far += GAP)
      drawn = drawTag(c, s, view, t, look, k, 2, -far) || (far > 0 && drawTag(c, s, view, t, look, k, 2, far));
  }
}

// Pitch to level with 3 px of hysteresis, so that a tag on the edge does not flicker.
function levelOf(t: Texts, slot: number, pitch: number): number {
  const old = t.level[slot]!;
  const at = (limit: number, level: number): number => (old > level ? limit + 3 : limit);
  const level = pitch >= at(FULL, 0) ? 0 : pitch >= at(JERK, 1) ? 1 : pitch >= at(MIN_PITCH, 2) ? 2 : 3;
  t.level[slot] = level;
  return level;
}

// aside: px from the place above the car. False: that place is taken, or the car is out of sight.
function drawTag(
  c: CanvasRenderingContext2D,
  s: Strip,
  view: View,
  t: Texts,
  look: TagLook,
  k: number,
  level: number,
  aside: number,
): boolean {
  const p = palette();
  const slot = s.slot[k]!;
  const label = s.roster.labels[slot]!;
  c.font = FONT.tagBold;
  const lw = t.label[slot] ?? (t.label[slot] = c.measureText(label).width);
  const kind = level >= 2 && look.kind === "v a j" ? "v a" : look.kind;
  const unit = level === 0 && look.units;
  const wide = Math.max(kind === "v a j" ? (level === 0 ? 86 : 80) : 42, lw + (unit ? 58 : 34));
  const zone = s.roster.tagged[slot] ? zoneOf(s, slot) : 0;
  const right = Math.max(wide + 6, Math.min(view.width - 8, s.cx[k]! + aside + wide / 2));
  const left = right - wide;
  if (s.cx[k]! < 0 || s.cx[k]! > view.width || !free(zone, left, right)) return false;
  take(zone, left, right);
  s.tagAt[k] = 0.5 * (left + right);
  const y = zone === 0 ? s.tagTop + 13 : s.lowTop + 14;
  if (aside) leaderLine(c, s, view, k, zone, y);
  c.textAlign = "left";
  c.fillStyle = look.colourOf(slot);
  c.fillText(label, left, y);
  c.textAlign = "right";
  c.fillStyle = p.ink;
  c.fillText(unit ? t.v[slot]! + " m/s" : t.v[slot]!, right, y);
  if (look.ring) {
    c.strokeStyle = p.ink3;
    c.lineWidth = 1;
    c.beginPath();
    c.arc(left + lw + 5, y - 4, 1.8, 0, 7);
    c.stroke();
  }
  if (kind === "v a" && t.jBad[slot] && look.kind === "v a j") value(c, t.j[slot]!, true, right, y + 13, "right");
  else if (kind === "v a") value(c, t.a[slot]!, false, right, y + 13, "right");
  else if (kind !== "v") {
    value(c, t.a[slot]!, false, left, y + 13, "left");
    value(c, t.j[slot]!, t.jBad[slot] === 1, right, y + 13, "right");
  }
  return true;
}

// From a tag that stands aside to its car.
function leaderLine(c: CanvasRenderingContext2D, s: Strip, view: View, k: number, zone: number, y: number): void {
  const half = 0.5 * s.roster.width[s.slot[k]!]! * view.scale;
  c.strokeStyle = palette().ink3;
  c.lineWidth = 1;
  c.beginPath();
  c.moveTo(s.tagAt[k]!, zone === 0 ? y + 17 : y - 11);
  c.lineTo(s.cx[k]!, zone === 0 ? s.cy[k]! - half - 1 : s.cy[k]! + half + 1);
  c.stroke();
}

function value(
  c: CanvasRenderingContext2D,
  text: string,
  bad: boolean,
  x: number,
  y: number,
  align: CanvasTextAlign,
): void {
  const p = palette();
  c.font = bad ? FONT.tagBold : FONT.tag;
  c.fillStyle = bad ? p.danger : p.ink2;
  c.textAlign = align;
  c.fillText(text, x, y);
}
