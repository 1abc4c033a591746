// planroad.ts - a curved road under the cars: lanes as offsets of its line, tapers, gores, ramps, marks.
//
// The stretch in sight is sampled once per drawing; lanes are strips between their edges at these stations. Colours
// say what a lane is used for, in the same words as the strip of the whole road.
import { automatedLanes } from "../core/ersc.ts";
import { FONT, hatch, mix, palette } from "../draw/paint.ts";
import type { PlanRamp } from "../wire/protocol.ts";
import type { Camera } from "./camera.ts";
import { useColour, useOf, useStripes, USE_WORDS, type Use } from "./lanecolours.ts";
import type { Path, Pose, RoadPlan, Side } from "./plan.ts";
import { drawnSpacing } from "./road.ts";
import { GLYPH_SCALE } from "./view.ts";

const STEP = 14; // px between samples
const MAX = 2048; // samples of a path

// A path on the screen: stations, and the line with its normal there.
class Course {
  n = 0;
  s = new Float64Array(MAX);
  px = new Float64Array(MAX);
  py = new Float64Array(MAX);
  nx = new Float64Array(MAX); // px per m to the left
  ny = new Float64Array(MAX);

  trace(cam: Camera, path: Path, from: number, to: number): void {
    const step = Math.max((to - from) / (MAX - 2), Math.min(STEP / cam.scale, 20));
    this.n = 0;
    const { breaks } = path;
    let next = 0; // break
    const lap = path.closed ? Math.floor(from / path.length) * path.length : 0;
    while (next < breaks.length && breaks[next]! + lap <= from) next++;
    // On a grid of the road, so that marks and edges do not crawl as the view moves; and where lanes change.
    this.add(cam, path, from);
    for (let k = Math.floor(from / step) + 1; this.n < MAX - 1; k++) {
      const s = Math.min(to, k * step);
      while (next < breaks.length && breaks[next]! + lap < s && this.n < MAX - 1)
        this.add(cam, path, breaks[next++]! + lap);
      this.add(cam, path, s);
      if (s >= to) return;
    }
  }

  private add(cam: Camera, path: Path, s: number): void {
    const p = path.place(s, 0, pose);
    const i = this.n++;
    this.s[i] = s;
    this.px[i] = cam.px(p.x, p.y);
    this.py[i] = cam.py(p.x, p.y);
    const a = cam.angle(p);
    this.nx[i] = -Math.sin(a) * cam.scale;
    this.ny[i] = -Math.cos(a) * cam.scale;
  }
}
const pose: Pose = { x: 0, y: 0, c: 1, s: 0 };
const side: Side = { left: 0, right: 0 };
const course = new Course();
const edgeL = new Float64Array(MAX);
const edgeR = new Float64Array(MAX);

export interface PlanLook {
  markers: number; // m
  laws: number; // bit k: a law drives in lane k
  ersc: number; // level
  width: number;
  top: number;
  height: number; // px, of the area
}

let ersc = 0; // level, of what is being drawn
let mainRoad: Path | null = null;

export function drawPlanRoad(c: CanvasRenderingContext2D, plan: RoadPlan, cam: Camera, look: PlanLook): void {
  ersc = look.ersc;
  mainRoad = plan.main;
  c.save();
  c.beginPath();
  c.rect(0, look.top, look.width, look.height);
  c.clip();
  for (let k = 1; k < plan.paths.length; k++) {
    const path = plan.paths[k]!;
    if (!inSight(cam, path, look)) continue;
    course.trace(cam, path, 0, path.length);
    drawLanes(c, path, look.laws, false);
    drawEdges(c, path, cam.scale);
  }
  const main = plan.main;
  const from = main.closed ? cam.from : Math.max(cam.from, 0);
  const to = Number.isFinite(main.length) && !main.closed ? Math.min(cam.to, main.length) : cam.to;
  if (to > from) {
    course.trace(cam, main, from, to);
    drawLanes(c, main, look.laws, true);
    for (const r of plan.ramps) if (r.main === 0) drawGore(c, plan, cam, r);
    course.trace(cam, main, from, to);
    drawEdges(c, main, cam.scale);
    if (cam.scale >= GLYPH_SCALE) drawDashes(c, main, cam, look.markers, from, to);
    else drawLaneLines(c, main);
    drawPosts(c, main, cam, look, from, to);
    drawWords(c, main, look);
  }
  names.length = 0;
  for (const r of plan.ramps) drawRampName(c, plan, cam, r, look);
  c.restore();
}

function inSight(cam: Camera, path: Path, look: PlanLook): boolean {
  const reach = path.length;
  const p = path.place(reach / 2, 0, pose);
  const x = cam.px(p.x, p.y);
  const y = cam.py(p.x, p.y);
  const r = 0.6 * reach * cam.scale;
  return x > -r && x < look.width + r && y > look.top - r && y < look.top + look.height + r;
}

// Edges of a lane at the samples; false: it is nowhere in sight.
function trace(path: Path, lane: number): boolean {
  let any = false;
  for (let i = 0; i < course.n; i++) {
    path.sides(lane, course.s[i]!, side);
    edgeL[i] = side.left;
    edgeR[i] = side.right;
    any ||= side.left === side.left;
  }
  return any;
}

function strip(c: CanvasRenderingContext2D, i0: number, i1: number): void {
  for (let i = i0; i <= i1; i++) {
    const x = course.px[i]! + edgeL[i]! * course.nx[i]!;
    const y = course.py[i]! + edgeL[i]! * course.ny[i]!;
    if (i === i0) c.moveTo(x, y);
    else c.lineTo(x, y);
  }
  for (let i = i1; i >= i0; i--)
    c.lineTo(course.px[i]! + edgeR[i]! * course.nx[i]!, course.py[i]! + edgeR[i]! * course.ny[i]!);
  c.closePath();
}

// Strips of lanes, each stretch in the colour of its use.
function drawLanes(c: CanvasRenderingContext2D, path: Path, laws: number, main: boolean): void {
  const p = palette();
  for (let lane = 0; lane < path.lanes.length; lane++) {
    if (!trace(path, lane)) continue;
    let i = 0;
    while (i < course.n) {
      if (edgeL[i] !== edgeL[i]) {
        i++;
        continue;
      }
      const use = useAt(path, lane, course.s[i]!);
      let j = i;
      while (
        j + 1 < course.n &&
        edgeL[j + 1] === edgeL[j + 1] &&
        useAt(path, lane, 0.5 * (course.s[j]! + course.s[j + 1]!)) === use
      )
        j++;
      if (j > i) {
        c.beginPath();
        strip(c, i, j);
        c.fillStyle =
          use === "any" && main && laws & (1 << Math.min(30, lane))
            ? mix(p.asphalt, useColour("automated"), 0.35)
            : useColour(use);
        c.fill();
        const lines = useStripes(use);
        if (lines) {
          c.fillStyle = hatch(c, lines);
          c.fill();
        }
      }
      i = Math.max(j, i + 1);
      if (i === course.n - 1) break;
    }
  }
}

function useAt(path: Path, lane: number, s: number): Use {
  const use = useOf(path.rule(lane, s));
  if (!ersc || use !== "any" || path !== mainRoad) return use;
  return lane < automatedLanes(ersc) ? "automated" : "manual";
}

// The outer edges, white inside and dark outside.
function drawEdges(c: CanvasRenderingContext2D, path: Path, scale: number): void {
  const p = palette();
  for (let i = 0; i < course.n; i++) {
    path.edges(course.s[i]!, side);
    edgeL[i] = side.left;
    edgeR[i] = side.right;
  }
  const line = (edge: Float64Array, by: number): void => {
    c.beginPath();
    let on = false;
    for (let i = 0; i < course.n; i++) {
      const o = edge[i]! + by;
      if (!Number.isFinite(o)) {
        on = false;
        continue;
      }
      // A lane that begins or ends at once, at a gore.
      if (i > 0 && Math.abs(edge[i]! - edge[i - 1]!) > 1.2 && course.s[i]! - course.s[i - 1]! < 0.1) on = false;
      const x = course.px[i]! + o * course.nx[i]!;
      const y = course.py[i]! + o * course.ny[i]!;
      if (on) c.lineTo(x, y);
      else c.moveTo(x, y);
      on = true;
    }
    c.stroke();
  };
  c.lineJoin = "round";
  c.strokeStyle = p.edge;
  c.lineWidth = 1.5;
  const out = Math.max(1, 0.5 * scale) / scale;
  line(edgeL, scale >= GLYPH_SCALE ? out : 0);
  line(edgeR, scale >= GLYPH_SCALE ? -out : 0);
  if (scale < GLYPH_SCALE) return;
  c.strokeStyle = p.mark;
  c.lineWidth = Math.max(1, Math.min(4, 0.12 * scale));
  line(edgeL, 0);
  line(edgeR, 0);
}

// Dashes between lanes that both exist, at the marker spacing.
function drawDashes(
  c: CanvasRenderingContext2D,
  path: Path,
  cam: Camera,
  markers: number,
  from: number,
  to: number,
): void {
  const step = drawnSpacing(markers, cam.scale, 7);
  const dash = Math.max(0.3, Math.min(3.5, 0.35 * step));
  c.strokeStyle = palette().mark;
  c.lineWidth = Math.max(1, Math.min(6, 0.16 * cam.scale));
  c.lineCap = "butt";
  c.beginPath();
  for (let lane = 1; lane < path.lanes.length; lane++)
    for (let k = Math.floor(from / step); k * step < to; k++) {
      const s = k * step;
      path.sides(lane, s, side);
      if (side.left !== side.left) continue;
      const o = side.left;
      path.sides(lane - 1, s, side);
      if (side.left !== side.left) continue;
      const a = path.place(s, o, pose);
      const ax = cam.px(a.x, a.y);
      const ay = cam.py(a.x, a.y);
      if (ax < -80 || ax > cam.scale * 1e5) continue;
      const b = path.place(s + dash, o, pose);
      c.moveTo(ax, ay);
      c.lineTo(cam.px(b.x, b.y), cam.py(b.x, b.y));
    }
  c.stroke();
}

function drawLaneLines(c: CanvasRenderingContext2D, path: Path): void {
  c.strokeStyle = palette().mark;
  c.lineWidth = 1;
  c.beginPath();
  for (let lane = 1; lane < path.lanes.length; lane++) {
    if (!trace(path, lane)) continue;
    let on = false;
    for (let i = 0; i < course.n; i++) {
      if (edgeL[i] !== edgeL[i]) {
        on = false;
        continue;
      }
      const x = course.px[i]! + edgeL[i]! * course.nx[i]!;
      const y = course.py[i]! + edgeL[i]! * course.ny[i]!;
      if (on) c.lineTo(x, y);
      else c.moveTo(x, y);
      on = true;
    }
  }
  c.stroke();
}

// The gore: between the edge of the lanes that go through and the ramp, from the nose to where they meet.
function drawGore(c: CanvasRenderingContext2D, plan: RoadPlan, cam: Camera, r: PlanRamp): void {
  const ramp = plan.paths[r.path];
  if (!ramp || Math.abs(r.at - r.nose) * cam.scale < 4) return;
  const n = 12;
  c.beginPath();
  for (let k = 0; k <= n; k++) {
    const s = r.nose + ((r.at - r.nose) * k) / n;
    plan.main.sides(r.lane - 2, s, side);
    if (side.right !== side.right) return;
    const p = plan.main.place(s, side.right, pose);
    if (k === 0) c.moveTo(cam.px(p.x, p.y), cam.py(p.x, p.y));
    else c.lineTo(cam.px(p.x, p.y), cam.py(p.x, p.y));
  }
  const meets = r.on ? ramp.length : 0;
  for (let k = n; k >= 0; k--) {
    const s = r.ramp_nose + ((meets - r.ramp_nose) * k) / n;
    ramp.sides(0, s, side);
    const p = ramp.place(s, side.left, pose);
    c.lineTo(cam.px(p.x, p.y), cam.py(p.x, p.y));
  }
  c.closePath();
  c.fillStyle = useColour("any");
  c.fill();
  if (cam.scale < GLYPH_SCALE) return;
  c.fillStyle = hatch(c, palette().mark);
  c.fill();
}

// Posts left of the road at the markers, distances beside some.
function drawPosts(
  c: CanvasRenderingContext2D,
  path: Path,
  cam: Camera,
  look: PlanLook,
  from: number,
  to: number,
): void {
  const p = palette();
  const step = drawnSpacing(look.markers, cam.scale, 9);
  const wide = drawnSpacing(step * 5, cam.scale, 190);
  c.strokeStyle = p.line2;
  c.lineWidth = 1;
  c.font = FONT.axis;
  c.fillStyle = p.ink3;
  c.textAlign = "left";
  c.textBaseline = "bottom";
  c.beginPath();
  for (let k = Math.ceil(from / step); k * step <= to; k++) {
    const s = k * step;
    path.edges(s, side);
    if (!Number.isFinite(side.left)) continue;
    const label = Math.abs(s / wide - Math.round(s / wide)) < 1e-6;
    const tall = (label ? 11 : k % 5 === 0 ? 8 : 5) / cam.scale;
    const gap = 3 / cam.scale;
    const a = path.place(s, side.left + gap, pose);
    const ax = cam.px(a.x, a.y);
    const ay = cam.py(a.x, a.y);
    if (ax < -20 || ax > look.width + 20) continue;
    const b = path.place(s, side.left + gap + tall, pose);
    const bx = cam.px(b.x, b.y);
    const by = cam.py(b.x, b.y);
    c.moveTo(ax, ay);
    c.lineTo(bx, by);
    if (label && ax > 4 && ax < look.width - 50) c.fillText(stationText(s, wide), bx + 3, by + 6);
  }
  c.stroke();
}

const texts = new Map<number, string>();
function stationText(s: number, step: number): string {
  const known = texts.get(s);
  if (known !== undefined) return known;
  if (texts.size > 2000) texts.clear();
  const r = Math.round(s * 100) / 100;
  const text = step >= 1000 ? `${r / 1000} km` : `${String(r).replace(/\B(?=(\d{3})+$)/g, "\u2009")} m`;
  texts.set(s, text);
  return text;
}

// At the left edge: which lane, and what it is used for.
function drawWords(c: CanvasRenderingContext2D, path: Path, look: PlanLook): void {
  const p = palette();
  let i = 0;
  while (i < course.n && course.px[i]! < 10) i++;
  if (i >= course.n) return;
  c.font = FONT.axis;
  c.textAlign = "left";
  c.textBaseline = "middle";
  for (let lane = 0; lane < path.lanes.length; lane++) {
    path.sides(lane, course.s[i]!, side);
    const high = (side.left - side.right) * Math.hypot(course.nx[i]!, course.ny[i]!);
    if (!(high >= 13)) continue;
    const use = useAt(path, lane, course.s[i]!);
    const o = 0.5 * (side.left + side.right);
    const word = use === "any" ? (look.laws & (1 << Math.min(30, lane)) ? "automated" : "") : USE_WORDS[use];
    const text = `lane ${lane + 1} ${word}`;
    const x = 12;
    const y = course.py[i]! + o * course.ny[i]! + (x - course.px[i]!) * slope(i);
    c.fillStyle = use === "closed" ? p.danger : p.ink3;
    c.fillText(text, x, y);
  }
}
function slope(i: number): number {
  const j = Math.min(course.n - 1, i + 1);
  const d = course.px[j]! - course.px[i]!;
  return Math.abs(d) > 1 ? (course.py[j]! - course.py[i]!) / d : 0;
}

// Where names of ramps were written last, px: left, top, right, bottom each. Tags keep out of them.
export const names: number[] = [];

// Beside its nose, away from the road: name, ON or OFF, where.
function drawRampName(c: CanvasRenderingContext2D, plan: RoadPlan, cam: Camera, r: PlanRamp, look: PlanLook): void {
  const ramp = plan.paths[r.path];
  if (!ramp || cam.scale < 0.4) return;
  ramp.sides(0, r.ramp_nose, side);
  const p = ramp.place(r.ramp_nose, (Number.isFinite(side.right) ? side.right : -2) - 14 / cam.scale, pose);
  const x = cam.px(p.x, p.y);
  const y = cam.py(p.x, p.y) + 8;
  if (x < -160 || x > look.width - 10 || y < look.top + 10 || y > look.top + look.height - 14) return;
  const q = palette();
  c.font = FONT.smallBold;
  c.textAlign = "left";
  c.textBaseline = "middle";
  c.fillStyle = q.ink2;
  const title = `${r.on ? "↗" : "↘"} ${r.name}`;
  c.fillText(title, Math.max(8, x), y);
  names.push(Math.max(8, x), y - 8, Math.max(8, x) + Math.max(76, c.measureText(title).width), y + 20);
  c.font = FONT.axis;
  c.fillText(`${r.on ? "ON" : "OFF"}, ${(r.at / 1000).toFixed(2)} km`, Math.max(8, x), y + 12);
}
