// road.ts - the road under the cars: asphalt, lanes, dashes, posts, stretches of other friction.
//
// Dashes, posts and labels share the marker spacing; where markers would stand closer than a few
// pixels only every second, fifth, tenth ... is drawn.

import { automatedLanes } from "../core/ersc.ts";
import { alpha, FONT, mix, palette } from "../draw/paint.ts";
import { useColour } from "./lanecolours.ts";
import type { Strip } from "./strip.ts";
import { GLYPH_SCALE, type View } from "./view.ts";

// The spacing in fact drawn: a multiple 1, 2, 5, 10 ... of `spacing` at least `min` px wide.
export function drawnSpacing(spacing: number, scale: number, min: number): number {
  let m = spacing;
  for (let k = 0; m * scale < min; k++) m *= k % 3 === 1 ? 2.5 : 2;
  return m;
}

export function drawRoad(c: CanvasRenderingContext2D, s: Strip, view: View, markers: number, colour: string): void {
  const p = palette();
  const top = s.roadTop;
  const bottom = s.roadTop + s.roadHeight;
  const w = view.width;
  c.save();
  c.beginPath();
  c.rect(0, top, w, s.roadHeight);
  c.clip();
  c.fillStyle = p.asphalt;
  c.fillRect(0, top, w, s.roadHeight);
  tintLanes(c, s, w, colour);
  drawFriction(c, s, view);
  if (view.scale >= GLYPH_SCALE) drawDashes(c, s, view, markers);
  else drawLaneLines(c, s, w);
  c.restore();
  c.fillStyle = p.edge;
  c.fillRect(0, top - 0.5, w, 1.5);
  c.fillRect(0, bottom - 1, w, 1.5);
  drawPosts(c, s, view, markers);
}

// Lanes in which a law drives are tinted in the world's colour and say so at the left edge. With the ERSC its level
// says which are automated.
function tintLanes(c: CanvasRenderingContext2D, s: Strip, w: number, colour: string): void {
  const p = palette();
  for (let lane = 0; lane < s.laneCount(); lane++) {
    const y = s.py(-(lane - 0.5) * s.laneWidth());
    const automated = s.ersc ? lane < automatedLanes(s.ersc) : s.roster.lawLanes & (1 << Math.min(30, lane));
    if (automated) {
      c.fillStyle = s.ersc ? useColour("automated") : alpha(colour, p.dark ? 0.06 : 0.04);
      c.fillRect(0, y, w, s.laneHeight);
    }
    if (s.laneHeight < 16 || !(automated || s.ersc)) continue;
    c.font = FONT.axis;
    c.fillStyle = p.ink3;
    c.textAlign = "left";
    c.textBaseline = "middle";
    const word = automated ? "automated" : "manual";
    c.fillText(s.ersc ? `lane ${lane + 1} ${word}` : word, 12, y + s.laneHeight / 2);
  }
}

function drawFriction(c: CanvasRenderingContext2D, s: Strip, view: View): void {
  const p = palette();
  for (const f of s.world.road.friction ?? []) {
    const x0 = view.px(s.world.world, f.from);
    const x1 = view.px(s.world.world, f.to);
    if (x1 < 0 || x0 > view.width) continue;
    c.fillStyle = alpha(p.worlds[0]!, 0.1);
    c.fillRect(x0, s.roadTop, x1 - x0, s.roadHeight);
    if (x1 - x0 < 60) continue;
    c.font = FONT.axis;
    c.fillStyle = p.ink2;
    c.textAlign = "left";
    c.textBaseline = "bottom";
    c.fillText(`µ ${f.mu}`, Math.max(x0, 0) + 6, s.roadTop + s.roadHeight - 3);
  }
}

function drawDashes(c: CanvasRenderingContext2D, s: Strip, view: View, markers: number): void {
  const p = palette();
  const step = drawnSpacing(markers, view.scale, 7);
  const dash = Math.max(0.3, Math.min(3.5, 0.35 * step));
  const world = s.world.world;
  const thick = Math.max(1, Math.min(6, 0.16 * view.scale));
  const edge = Math.max(1, Math.min(4, 0.12 * view.scale));
  const [from, to] = view.window(world);
  c.fillStyle = p.mark;
  c.beginPath();
  for (let lane = 1; lane < s.laneCount(); lane++) {
    const y = s.py(-(lane - 0.5) * s.laneWidth());
    if (y < s.roadTop - thick || y > s.roadTop + s.roadHeight + thick) continue;
    for (let x = Math.floor(from / step) * step; x < to; x += step)
      c.rect(view.px(world, x), y - thick / 2, dash * view.scale, thick);
  }
  // One lane has no dashes of its own: its markers stand on the lane's right edge.
  const left = s.py(0.5 * s.laneWidth());
  const right = s.py(-(s.laneCount() - 0.5) * s.laneWidth());
  c.rect(0, left - edge / 2, view.width, edge);
  c.rect(0, right - edge / 2, view.width, edge);
  c.fill();
  if (s.laneCount() > 1) return;
  c.fillStyle = mix(p.asphalt, p.ink3, 0.35);
  c.beginPath();
  for (let x = Math.floor(from / step) * step; x < to; x += step)
    c.rect(view.px(world, x), right - edge * 1.5, Math.max(1, dash * 0.4 * view.scale), edge * 2);
  c.fill();
}

function drawLaneLines(c: CanvasRenderingContext2D, s: Strip, w: number): void {
  const p = palette();
  c.fillStyle = p.mark;
  c.beginPath();
  for (let lane = 1; lane < s.laneCount(); lane++)
    c.rect(0, Math.round(s.py(-(lane - 0.5) * s.laneWidth())) - 0.5, w, 1);
  c.fill();
}

// Posts above the road at the markers, every fifth taller; distances beside some.
function drawPosts(c: CanvasRenderingContext2D, s: Strip, view: View, markers: number): void {
  const p = palette();
  const world = s.world.world;
  const step = drawnSpacing(markers, view.scale, 9);
  const [from, to] = view.window(world);
  c.fillStyle = p.line2;
  c.beginPath();
  const first = Math.floor(from / step);
  for (let k = first; k * step <= to; k++) {
    const tall = k % 5 === 0 ? 7 : 4;
    c.rect(Math.round(view.px(world, k * step)) - 0.5, s.roadTop - tall, 1, tall);
  }
  c.fill();
  drawDistances(c, s, view, step * 5, from, to);
}

function drawDistances(
  c: CanvasRenderingContext2D,
  s: Strip,
  view: View,
  step: number,
  from: number,
  to: number,
): void {
  const p = palette();
  const wide = drawnSpacing(step, view.scale, 190);
  c.font = FONT.axis;
  c.fillStyle = p.ink3;
  c.textAlign = "left";
  c.textBaseline = "bottom";
  for (let k = Math.ceil(from / wide); k * wide <= to; k++) {
    const x = k * wide;
    const px = view.px(s.world.world, x);
    if (px > view.width - 50 || px < 4) continue;
    c.fillText(distanceText(x, wide), Math.round(px) + 3, s.roadTop - 1);
    c.fillRect(Math.round(px) - 0.5, s.roadTop - 10, 1, 10);
  }
}

const texts = new Map<number, string>();

// "2 210 m", "1.5 km"; kept, because the same few are drawn again every frame.
function distanceText(x: number, step: number): string {
  const known = texts.get(x);
  if (known !== undefined) return known;
  if (texts.size > 4000) texts.clear();
  const r = Math.round(x * 100) / 100;
  const text =
    step >= 1000
      ? `${r / 1000} km`
      : `${String(r)
          .replace("-", "−")
          .replace(/\B(?=(\d{3})+$)/g, "\u2009")} m`;
  texts.set(x, text);
  return text;
}
