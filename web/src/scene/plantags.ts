// plantags.ts - tags on a road with bends: above the cars of platoons, below the others, with a line to the car.
//
// A tag takes the nearest place where it covers no other tag; where there is none, only the selected car keeps its tag.
// Texts are those of tags.ts, so that an eye can read them while time runs.
import { FONT, palette } from "../draw/paint.ts";
import { names } from "./planroad.ts";
import type { Strip } from "./strip.ts";
import { refresh, type TagLook, type Texts } from "./tags.ts";
import { GLYPH_SCALE, type View } from "./view.ts";

const HIGH = 14; // px, one line
const MANY = 60; // cars in sight above which only the selected one is written

export class Boxes {
  n = 0;
  x0 = new Float32Array(512);
  y0 = new Float32Array(512);
  x1 = new Float32Array(512);
  y1 = new Float32Array(512);
  free(x0: number, y0: number, x1: number, y1: number): boolean {
    for (let k = 0; k < this.n; k++)
      if (x0 < this.x1[k]! && x1 > this.x0[k]! && y0 < this.y1[k]! && y1 > this.y0[k]!) return false;
    return true;
  }
  take(x0: number, y0: number, x1: number, y1: number): void {
    if (this.n >= this.x0.length) return;
    this.x0[this.n] = x0;
    this.y0[this.n] = y0;
    this.x1[this.n] = x1;
    this.y1[this.n++] = y1;
  }
}
export const tagBoxes = new Boxes(); // of the tags drawn last, and the cars
const taken = tagBoxes;

export function drawPlanTags(c: CanvasRenderingContext2D, s: Strip, view: View, look: TagLook): void {
  s.tagAt.fill(NaN, 0, s.visible);
  taken.n = 0;
  if (!s.frame || look.kind === "off" || s.visible > 2000) return;
  const t = refresh(s, look, look.fresh);
  taken.take(0, s.tagTop, look.headerWidth, s.tagTop + 40);
  for (let k = 0; k + 3 < names.length; k += 4) taken.take(names[k]!, names[k + 1]!, names[k + 2]!, names[k + 3]!);
  if (s.scale >= GLYPH_SCALE)
    for (let k = 0; k < s.visible; k++) {
      const r = 0.55 * s.scale * 2;
      taken.take(s.cx[k]! - 2 * r, s.cy[k]! - r, s.cx[k]! + 2 * r, s.cy[k]! + r);
    }
  c.textBaseline = "middle";
  const mine = look.selected ? s.visibleOf(look.selected) : -1;
  if (mine >= 0) put(c, s, view, t, look, mine, true);
  if (s.scale < GLYPH_SCALE || s.visible > MANY) return;
  for (let m = s.visible - 1; m >= 0; m--) {
    const k = s.order[m]!;
    if (k !== mine && s.slot[k]! >= 0 && !look.hidden(s.vehicle(k))) put(c, s, view, t, look, k, false);
  }
}

const ROWS = [0, 1, -0.6, 2, 3];

function put(
  c: CanvasRenderingContext2D,
  s: Strip,
  view: View,
  t: Texts,
  look: TagLook,
  k: number,
  whole: boolean,
): void {
  const p = palette();
  const slot = s.slot[k]!;
  const label = s.roster.labels[slot]!;
  c.font = FONT.tagBold;
  const lw = t.label[slot] ?? (t.label[slot] = c.measureText(label).width);
  const more =
    look.kind === "v" || (!whole && s.visible > 24)
      ? ""
      : look.kind === "v a"
        ? t.a[slot]!
        : `${t.a[slot]}  ${t.j[slot]}`;
  const wide = Math.max(lw + 36, more ? (look.kind === "v a" ? 44 : 84) : 0) + 8;
  const high = more ? 2 * HIGH : HIGH;
  const up = s.roster.tagged[slot] === 1;
  const x = Math.max(wide / 2 + 2, Math.min(view.width - wide / 2 - 2, s.cx[k]!));
  if (s.cx[k]! < -10 || s.cx[k]! > view.width + 10) return;
  const off = 0.5 * s.roster.width[slot]! * s.scale + 8;
  for (const side of up ? SIDES_UP : SIDES_DOWN)
    for (const row of ROWS) {
      const y = s.cy[k]! + side * (off + 10 + high / 2 + row * (high + 3));
      const x0 = x - wide / 2;
      const y0 = y - high / 2;
      if (y0 < s.roadTop + 2 || y0 + high > s.roadTop + s.roadHeight - 2) continue;
      if (!taken.free(x0, y0, x0 + wide, y0 + high)) continue;
      taken.take(x0, y0, x0 + wide, y0 + high);
      s.tagAt[k] = x;
      c.strokeStyle = look.colourOf(slot);
      c.globalAlpha = 0.6;
      c.lineWidth = 1;
      c.beginPath();
      c.moveTo(x, side < 0 ? y0 + high : y0);
      c.lineTo(s.cx[k]!, s.cy[k]! + side * off * 0.7);
      c.stroke();
      c.globalAlpha = 1;
      c.fillStyle = p.surface;
      c.globalAlpha = 0.86;
      c.beginPath();
      c.roundRect(x0, y0, wide, high, 4);
      c.fill();
      c.globalAlpha = 1;
      const line = y0 + HIGH / 2 + 0.5;
      c.font = FONT.tagBold;
      c.textAlign = "left";
      c.fillStyle = up ? look.colourOf(slot) : p.ink2;
      c.fillText(label, x0 + 4, line);
      c.textAlign = "right";
      c.fillStyle = p.ink;
      c.fillText(t.v[slot]!, x0 + wide - 4, line);
      if (more) {
        c.font = t.jBad[slot] && look.kind === "v a j" ? FONT.tagBold : FONT.tag;
        c.fillStyle = t.jBad[slot] && look.kind === "v a j" ? p.danger : p.ink2;
        c.fillText(more, x0 + wide - 4, line + HIGH);
      }
      return;
    }
}
const SIDES_UP = [-1, 1];
const SIDES_DOWN = [1, -1];
