// rail.ts - the error rail under the road: a tick at each nose, a bar towards the desired place, the
// number beside it.
//
// A bar is as long as the magnified error, up to the number of the next car: a longer one ends there
// in an arrow, so that no bar covers another car's number. The number is in metres, not magnified.
// Beyond the limit it is hatched, crimson, bold. Platoons in lower lanes have a row of their own.

import { FONT, hatch, palette } from "../draw/paint.ts";
import type { Frame } from "../wire/frame.ts";
import { RAIL_ROW, type Strip } from "./strip.ts";
import { refresh, type TagLook, type Texts } from "./tags.ts";
import { GLYPH_SCALE, type View } from "./view.ts";

const DENSE = 9; // px per car below which bars are upright columns
const LABEL = 90; // px at the left that the rail's own label takes
const NUMBER = 40; // px that a number takes
const BESIDE = 12; // px; noses closer than this are of cars side by side, whose bars share a place

export function drawRail(c: CanvasRenderingContext2D, s: Strip, view: View, look: TagLook): void {
  if (!s.frame) return;
  if (s.visible > 2000 || s.visible * DENSE > view.width * Math.max(1, s.roster.lanes)) {
    drawDenseRail(c, s, view, look);
    return;
  }
  const t = refresh(s, look, look.fresh && look.kind === "off");
  c.textBaseline = "middle";
  for (let zone = 0; zone < (s.lowRail ? 2 : 1); zone++) drawRailRow(c, s, view, t, look, zone);
}

function rowOf(s: Strip, slot: number): number {
  return s.lowRail && s.roster.vehicles[slot]!.lane >= s.roster.lowLane ? 1 : 0;
}

// Bars of one row, from left to right, px. Reused from frame to frame.
export class Spans {
  n = 0;
  nose = new Float32Array(64);
  bar = new Float32Array(64); // factor * error, as long as it is
  slot = new Int32Array(64);
  x0 = new Float32Array(64); // what is drawn
  x1 = new Float32Array(64);
  number = new Uint8Array(64); // there is room for its number, left of x0

  add(slot: number, nose: number, bar: number): void {
    if (this.n === this.nose.length) this.grow();
    this.slot[this.n] = slot;
    this.nose[this.n] = nose;
    this.bar[this.n++] = bar;
  }
  private grow(): void {
    const larger = <T extends Float32Array | Int32Array | Uint8Array>(a: T, b: T): T => (b.set(a), b);
    const size = 2 * this.nose.length;
    this.nose = larger(this.nose, new Float32Array(size));
    this.bar = larger(this.bar, new Float32Array(size));
    this.slot = larger(this.slot, new Int32Array(size));
    this.x0 = new Float32Array(size);
    this.x1 = new Float32Array(size);
    this.number = new Uint8Array(size);
  }

  // The gap between two noses holds the bar of the left car, the number of the right one and its bar,
  // in this order. Bars that do not fit share what the number leaves.
  cut(): void {
    const { n, nose, bar, x0, x1, number } = this;
    for (let k = 0; k < n; k++) {
      x0[k] = nose[k]! + Math.min(0, bar[k]!);
      x1[k] = nose[k]! + Math.max(0, bar[k]!);
    }
    let before = -1; // the last car that is not beside this one
    for (let k = 0; k < n; k++) {
      if (k > 0 && nose[k]! - nose[k - 1]! >= BESIDE) before = k - 1;
      const gap = nose[k]! - (before < 0 ? LABEL : nose[before]!);
      const fits = gap >= NUMBER + BESIDE;
      const room = Math.max(0, fits ? gap - NUMBER : gap - 4);
      number[k] = fits && before === k - 1 ? 1 : 0;
      let right = 0; // bars that come from the left car and those beside it
      for (let m = before; this.isBeside(m, before); m--) right = Math.max(right, bar[m]!);
      const left = Math.max(0, -bar[k]!);
      x0[k] = Math.max(x0[k]!, nose[k]! - Math.max(room / 2, room - right));
      for (let m = before; this.isBeside(m, before); m--)
        x1[m] = Math.min(x1[m]!, nose[m]! + Math.max(room / 2, room - left));
    }
  }
  private isBeside(m: number, k: number): boolean {
    return m >= 0 && this.nose[k]! - this.nose[m]! < BESIDE;
  }
  isCut(k: number): boolean {
    return this.x1[k]! - this.x0[k]! < Math.abs(this.bar[k]!) - 0.5;
  }
}
const spans = new Spans();

function drawRailRow(c: CanvasRenderingContext2D, s: Strip, view: View, t: Texts, look: TagLook, zone: number): void {
  const f = s.frame!;
  const y = s.railTop + 9 + zone * RAIL_ROW;
  spans.n = 0;
  for (let m = 0; m < s.visible; m++) {
    const k = s.order[m]!;
    const slot = s.slot[k]!;
    if (slot < 0 || !s.roster.tagged[slot] || rowOf(s, slot) !== zone) continue;
    const e = f.s[s.index[k]!]! - f.x[s.index[k]!]!;
    if (!Number.isFinite(e)) continue;
    const nose = s.cx[k]! + (view.scale < GLYPH_SCALE ? 0 : 0.5 * s.roster.length[slot]! * view.scale);
    spans.add(slot, nose, e * look.factor * view.scale);
  }
  spans.cut();
  const p = palette();
  for (let k = 0; k < spans.n; k++) {
    const slot = spans.slot[k]!;
    const x0 = spans.x0[k]!;
    if (x0 > view.width + 20 || spans.x1[k]! < -20) continue;
    const bad = t.eBad[slot] === 1;
    drawError(c, look, k, y, bad);
    if (!spans.number[k] || x0 - NUMBER < LABEL || x0 > view.width + 4) continue;
    c.font = bad ? FONT.tagBold : FONT.tag;
    c.fillStyle = bad ? p.danger : p.ink2;
    c.textAlign = "right";
    c.fillText(t.e[slot]!, x0 - 5, y + 5);
  }
}

function drawError(c: CanvasRenderingContext2D, look: TagLook, k: number, y: number, bad: boolean): void {
  const p = palette();
  const x0 = spans.x0[k]!;
  const wide = Math.max(0.8, spans.x1[k]! - x0);
  const hgt = 9;
  const colour = bad ? p.danger : look.colourOf(spans.slot[k]!);
  if (bad) {
    c.fillStyle = hatch(c, p.danger);
    c.fillRect(x0, y, wide, hgt);
    c.strokeStyle = p.danger;
    c.lineWidth = 1;
    c.strokeRect(x0 + 0.5, y + 0.5, Math.max(1, wide - 1), hgt - 1);
  } else {
    c.fillStyle = colour;
    c.fillRect(x0, y + 1.5, wide, hgt - 3);
  }
  if (spans.isCut(k) && wide > 6) arrow(c, spans.bar[k]! > 0 ? spans.x1[k]! : x0, Math.sign(spans.bar[k]!), y, colour);
  c.fillStyle = p.ink3;
  c.fillRect(Math.round(spans.nose[k]!) - 0.5, y - 3, 1, hgt + 6);
}

// The bar is longer than its place: its end points on.
function arrow(c: CanvasRenderingContext2D, x: number, way: number, y: number, colour: string): void {
  c.fillStyle = palette().surface;
  c.fillRect(Math.min(x, x - 6 * way), y - 1, 6, 11);
  c.fillStyle = colour;
  c.beginPath();
  c.moveTo(x, y + 4.5);
  c.lineTo(x - 6 * way, y - 1);
  c.lineTo(x - 6 * way, y + 10);
  c.fill();
}

let max = new Float32Array(0);

// Too many cars for bars along the road: the maximum |error| of each column is an upright bar, as high
// as the rail at 10 m / factor; beyond the limit it is crimson, with a foot twice as wide.
function drawDenseRail(c: CanvasRenderingContext2D, s: Strip, view: View, look: TagLook): void {
  const f = s.frame!;
  const p = palette();
  const n = Math.ceil(view.width / 3) + 1;
  const bottom = s.railTop + 26;
  if (max.length < n) max = new Float32Array(n);
  max.fill(0, 0, n);
  for (let k = 0; k < s.visible; k++) {
    const col = (s.cx[k]! / 3) | 0;
    const i = s.index[k]!;
    const e = Math.abs(f.s[i]! - f.x[i]!);
    if (col >= 0 && col < n && e > max[col]!) max[col] = e;
  }
  for (let pass = 0; pass < 2; pass++) {
    c.beginPath();
    for (let k = 30; k < n; k++) {
      const e = max[k]!;
      if (e === 0 || e > look.errorLimit !== (pass === 1)) continue;
      const hgt = Math.max(1, Math.min(20, 2 * e * look.factor));
      c.rect(3 * k, bottom - hgt, 2, hgt);
      if (pass === 1) c.rect(3 * k, bottom + 1, 3, 2);
    }
    c.fillStyle = pass === 1 ? p.danger : p.ink3;
    c.fill();
  }
}

// The error factor with which the largest error reaches half a gap: 1, 2, 5, 10 ... 200.
export function autoFactor(frames: (Frame | null)[]): number {
  let max = 0;
  let gaps = 0;
  let n = 0;
  for (const f of frames) {
    if (!f) continue;
    const gap = f.field("gap");
    for (let i = 0; i < f.n; i++) {
      const e = Math.abs(f.s[i]! - f.x[i]!);
      if (e > max) max = e;
      if (gap && gap[i]! > 0) {
        gaps += gap[i]!;
        n++;
      }
    }
  }
  const half = 0.5 * (n > 0 ? gaps / n : 8);
  const factor = max > 0 ? half / max : 200;
  let best = 1;
  for (const k of [1, 2, 5, 10, 20, 50, 100, 200]) if (k <= factor) best = k;
  return best;
}
