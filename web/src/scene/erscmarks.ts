// erscmarks.ts - what the ERSC shows on the road: lamps of cars that are checked in, rings about those that flash
// because they may not be in their lane, wedges where a car is in a blind spot, and the words for it.
import { BLIND_LEFT, BLIND_RIGHT, blindWords, CHECKED_IN, FLASHES, flashWords } from "../core/ersc.ts";
import { alpha, FONT, palette, stillMotion } from "../draw/paint.ts";
import { Boxes, tagBoxes } from "./plantags.ts";
import type { Strip } from "./strip.ts";
import { GLYPH_SCALE, type View } from "./view.ts";

const LAMP = 4.5; // px, radius
const FLASH = 500; // ms, one flash: 2 Hz
const BEHIND = 5; // m, the default of blind_spot
const MANY = 300; // cars in sight above which there are only rings
const FEW = 12; // up to which every blind spot is written

// 0 .. 1: how bright a flashing ring is. It stands still while time does, and for those who asked for less motion.
function brightness(playing: boolean): number {
  return stillMotion() || !playing || performance.now() % FLASH < FLASH / 2 ? 1 : 0.25;
}

function any(s: Strip, bits: number): boolean {
  const f = s.frame;
  if (!f || s.visible > 2000) return false;
  for (let k = 0; k < s.visible; k++) if (f.status[s.index[k]!]! & bits) return true;
  return false;
}

// Under the cars: the grounds of flashing rings, and wedges of blind spots.
export function drawGrounds(c: CanvasRenderingContext2D, s: Strip, view: View): void {
  if (any(s, FLASHES)) drawFlashes(c, s, view);
  if (s.scale >= GLYPH_SCALE && s.visible <= MANY && any(s, BLIND_LEFT | BLIND_RIGHT)) drawBlindSpots(c, s, view);
}

function drawFlashes(c: CanvasRenderingContext2D, s: Strip, view: View): void {
  const bright = brightness(s.app.clock.playing);
  const glyphs = s.scale < GLYPH_SCALE;
  c.save();
  c.beginPath();
  c.rect(0, s.roadTop - 14, view.width, s.roadHeight + 18);
  c.clip();
  for (let k = 0; k < s.visible; k++) {
    const slot = s.slot[k]!;
    if (slot < 0 || !(s.frame!.status[s.index[k]!]! & FLASHES)) continue;
    const hl = glyphs ? 3 : 0.5 * s.roster.length[slot]! * s.scale;
    const hw = glyphs ? 2 : 0.5 * s.roster.width[slot]! * s.scale;
    flash(c, s.cx[k]!, s.cy[k]!, s.angle[k]!, hl, hw, bright);
  }
  c.restore();
}

function drawBlindSpots(c: CanvasRenderingContext2D, s: Strip, view: View): void {
  const p = palette();
  const psi = s.frame!.field("psi");
  c.save();
  c.beginPath();
  c.rect(0, s.roadTop, view.width, s.roadHeight);
  c.clip();
  c.fillStyle = alpha(p.warn, p.dark ? 0.3 : 0.4);
  c.strokeStyle = p.warnInk;
  c.lineWidth = 1;
  for (let k = 0; k < s.visible; k++) {
    const slot = s.slot[k]!;
    const status = s.frame!.status[s.index[k]!]!;
    if (slot < 0 || !(status & (BLIND_LEFT | BLIND_RIGHT))) continue;
    const hl = 0.5 * s.roster.length[slot]! * s.scale;
    const hw = 0.5 * s.roster.width[slot]! * s.scale;
    const far = s.laneWidth() * s.scale + 0.8 * hw;
    const base = c.getTransform();
    c.translate(s.cx[k]!, s.cy[k]!);
    c.rotate(-(s.angle[k]! + (psi ? psi[s.index[k]!]! : 0)));
    c.beginPath();
    for (const side of [status & BLIND_LEFT ? -1 : 0, status & BLIND_RIGHT ? 1 : 0]) {
      if (!side) continue;
      c.moveTo(0.25 * hl, side * hw);
      c.lineTo(0.9 * hl, side * far);
      c.lineTo(-hl - BEHIND * s.scale, side * far);
      c.lineTo(-0.7 * hl, side * hw);
      c.closePath();
    }
    c.fill();
    c.stroke();
    c.setTransform(base);
  }
  c.restore();
}

// The lamp of a car that is checked in: a ring with a dot.
function drawLamp(c: CanvasRenderingContext2D, x: number, y: number, r: number, colour: string, ground: string): void {
  c.fillStyle = ground;
  c.strokeStyle = colour;
  c.lineWidth = 0.36 * r;
  c.beginPath();
  c.arc(x, y, r, 0, 7);
  c.fill();
  c.stroke();
  c.fillStyle = colour;
  c.beginPath();
  c.arc(x, y, 0.42 * r, 0, 7);
  c.fill();
}

// Over the cars and their tags: lamps and words.
export function drawLamps(
  c: CanvasRenderingContext2D,
  s: Strip,
  view: View,
  level: number,
  selected: string | null,
): void {
  if (!any(s, CHECKED_IN | FLASHES | BLIND_LEFT | BLIND_RIGHT)) return;
  if (s.scale < GLYPH_SCALE || s.visible > MANY) return;
  const p = palette();
  c.save();
  c.beginPath();
  c.rect(0, s.roadTop - 14, view.width, s.roadHeight + 18);
  c.clip();
  for (let k = 0; k < s.visible; k++) {
    const slot = s.slot[k]!;
    if (slot < 0 || !(s.frame!.status[s.index[k]!]! & CHECKED_IN)) continue;
    const back = 0.5 * s.roster.length[slot]! * s.scale + LAMP + 4;
    const x = s.cx[k]! - back * Math.cos(s.angle[k]!);
    drawLamp(c, x, s.cy[k]! + back * Math.sin(s.angle[k]!), LAMP, p.ok, p.surface);
  }
  c.restore();
  drawWords(c, s, view, level, selected);
}

function flash(
  c: CanvasRenderingContext2D,
  x: number,
  y: number,
  angle: number,
  hl: number,
  hw: number,
  bright: number,
): void {
  const p = palette();
  c.beginPath();
  c.ellipse(x, y, hl + 9, hw + 7, -angle, 0, 7);
  c.fillStyle = alpha(p.warn, 0.45 * bright);
  c.fill();
  c.setLineDash(DASH);
  c.lineWidth = 2;
  c.strokeStyle = alpha(p.warnInk, bright);
  c.stroke();
  c.setLineDash(SOLID);
}
const DASH = [5, 3];
const SOLID: number[] = [];

// ---- words ----

const boxes = new Boxes();
const HIGH = 15; // px
interface Words {
  text: string;
  ok: boolean;
  above: boolean; // where they stand first, away from what is in the blind spot
}

function wordsOf(s: Strip, k: number, level: number, selected: boolean, few: boolean): Words {
  const status = s.frame!.status[s.index[k]!]!;
  const label = s.roster.labels[s.slot[k]!]!;
  const why = flashWords(status, level);
  const blind = few || selected || why ? blindWords(status) : "";
  if (why || blind) {
    const key = selected && why === "not checked in" ? ", press C" : "";
    return {
      text: `${label} ${[why + key, blind].filter(Boolean).join("; ")}`,
      ok: false,
      above: (status & BLIND_RIGHT) !== 0,
    };
  }
  return { text: selected && status & CHECKED_IN ? `${label} checked in` : "", ok: true, above: false };
}

function drawWords(c: CanvasRenderingContext2D, s: Strip, view: View, level: number, selected: string | null): void {
  boxes.n = 0;
  let warned = 0;
  for (let k = 0; k < s.visible; k++) {
    const slot = s.slot[k]!;
    if (slot < 0) continue;
    const r = 0.5 * s.roster.length[slot]! * s.scale + (s.frame!.status[s.index[k]!]! & CHECKED_IN ? 14 : 2);
    const w = 0.5 * s.roster.width[slot]! * s.scale + 1;
    boxes.take(s.cx[k]! - r, s.cy[k]! - w, s.cx[k]! + r, s.cy[k]! + w);
    if (s.frame!.status[s.index[k]!]! & (BLIND_LEFT | BLIND_RIGHT)) warned++;
  }
  if (s.curved)
    for (let k = 0; k < tagBoxes.n; k++) boxes.take(tagBoxes.x0[k]!, tagBoxes.y0[k]!, tagBoxes.x1[k]!, tagBoxes.y1[k]!);
  const mine = selected ? s.visibleOf(selected) : -1;
  if (mine >= 0) write(c, s, view, mine, wordsOf(s, mine, level, true, true));
  for (let k = 0; k < s.visible; k++)
    if (k !== mine && s.slot[k]! >= 0) write(c, s, view, k, wordsOf(s, k, level, false, warned <= FEW));
}

// At the nearest free place about the car; where there is none, over the road below it.
function write(c: CanvasRenderingContext2D, s: Strip, view: View, k: number, words: Words): void {
  if (!words.text) return;
  const p = palette();
  const slot = s.slot[k]!;
  const x = s.cx[k]!;
  const y = s.cy[k]!;
  c.font = FONT.tagBold;
  const icon = words.ok ? 0 : 15;
  const wide = c.measureText(words.text).width + icon + 10;
  const hl = 0.5 * s.roster.length[slot]! * s.scale + 20;
  const hw = 0.5 * s.roster.width[slot]! * s.scale + 9 + HIGH / 2;
  if (x < -10 || x > view.width + 10) return;
  const inside = (px: number): number => Math.max(4, Math.min(view.width - wide - 4, px));
  let left = inside(x - wide / 2);
  let top = y + hw - HIGH / 2;
  for (const [dx, dy] of PLACES) {
    const px = inside(x - wide / 2 + dx * (hl + wide / 2));
    const py = y + (words.above ? -dy : dy) * hw - HIGH / 2;
    if (py < s.roadTop - 2 || py + HIGH > s.roadTop + s.roadHeight + (s.curved ? 2 : 12)) continue;
    if (!boxes.free(px, py, px + wide, py + HIGH)) continue;
    left = px;
    top = py;
    break;
  }
  boxes.take(left, top, left + wide, top + HIGH);
  c.fillStyle = words.ok ? p.surface : p.warnGround;
  c.globalAlpha = 0.94;
  c.beginPath();
  c.roundRect(left, top, wide, HIGH, 4);
  c.fill();
  c.globalAlpha = 1;
  const colour = words.ok ? p.ok : p.warnInk;
  if (icon) {
    c.strokeStyle = colour;
    c.lineWidth = 1.4;
    c.beginPath();
    c.moveTo(left + 10, top + 3);
    c.lineTo(left + 15, top + HIGH - 3.5);
    c.lineTo(left + 5, top + HIGH - 3.5);
    c.closePath();
    c.stroke();
  }
  c.fillStyle = colour;
  c.textAlign = "left";
  c.textBaseline = "middle";
  c.fillText(words.text, left + 5 + icon, top + HIGH / 2 + 0.5);
}
// In halves of the car and of the words: below, above (or the other way round), behind, in front, further away.
const PLACES = [
  [0, 1],
  [0, -1],
  [-1, 0],
  [1, 0],
  [0, 2],
  [0, -2],
  [-1, 1],
  [-1, -1],
] as const;
