// identifydraw.ts - the pictures of the identification bench: four cars in two lanes, the mass over
// time with its band, speed and excitation below.
import { fixed } from "../base/units.ts";
import { Axis, BOLD_FONT, Face, TAG_FONT, colours, drawBelow, line, spread, text } from "../draw/chart.ts";
import { alpha, hatch } from "../draw/paint.ts";
import type { Run } from "./identifydata.ts";

export const CLAIM = 0.3; // m/s^2, excitation below which nothing is claimed

// ---- four cars ------------------------------------------------------------------------------------

const CAR = 5.0;
const WIDE = 1.9;
const LANE = 3.4;

export function drawCars(face: Face, run: Run, k: number, world: [string, string]): void {
  const g = face.g;
  const c = colours();
  const col = run.col;
  const scale = Math.min(face.width / 66, (face.height - 34) / (2 * LANE));
  const top = 20;
  const right = face.width - 84;
  const lane = (i: number) => top + (i + 0.5) * LANE * scale;
  g.fillStyle = c.sunk;
  g.fillRect(0, top, face.width, 2 * LANE * scale);
  g.setLineDash([12, 10]);
  line(g, 0, top + LANE * scale, face.width, top + LANE * scale, c.line2, 1.5);
  g.setLineDash([]);
  const brakes = col.braking[k]! > 0;
  const nose = [right, right - (CAR + col.distance[k]!) * scale, right - (CAR + col.distance_model[k]!) * scale];
  car(g, right, lane(0), scale, c.manual, false, false);
  car(g, nose[1]!, lane(0), scale, world[0], brakes, false);
  car(g, right, lane(1), scale, c.manual, false, false);
  car(g, nose[2]!, lane(1), scale, world[1], brakes, true);
  gap(g, right - CAR * scale, nose[1]!, lane(0), col.distance[k]!);
  gap(g, right - CAR * scale, nose[2]!, lane(1), col.distance_model[k]!);
  text(g, "target pair", 8, 10, c.ink3);
  text(g, "imaginary pair: same leader, estimated mass", 8, top + 2 * LANE * scale + 9, c.ink3);
  beside(g, right + 8, lane(0), "car 1", `${fixed(col.v_leader[k], 1)} m/s`);
  beside(g, right + 8, lane(1), "car 3", `${fixed(col.v_leader[k], 1)} m/s`);
  under(
    g,
    nose[1]! - CAR * scale - 8,
    lane(0),
    `car 2, true ${fixed(col.mass_true[k], 0)} kg`,
    `${fixed(col.v[k], 2)} m/s`,
    world[0],
  );
  under(
    g,
    nose[2]! - CAR * scale - 8,
    lane(1),
    `car 4, estimate ${fixed(col.mass[k], 0)} kg`,
    `${fixed(col.v_model[k], 2)} m/s`,
    world[1],
  );
}

function car(
  g: CanvasRenderingContext2D,
  nose: number,
  y: number,
  scale: number,
  colour: string,
  brakes: boolean,
  imagined: boolean,
): void {
  const long = CAR * scale;
  const wide = WIDE * scale;
  const c = colours();
  g.beginPath();
  g.roundRect(nose - long, y - wide / 2, long, wide, 0.35 * wide);
  if (imagined) {
    g.setLineDash([4, 3]);
    g.strokeStyle = colour;
    g.lineWidth = 1.6;
    g.stroke();
    g.setLineDash([]);
    g.fillStyle = alpha(colour, 0.25);
    g.fill();
  } else {
    g.fillStyle = colour;
    g.fill();
  }
  g.fillStyle = alpha(c.ink, 0.45);
  g.fillRect(nose - 0.36 * long, y - 0.36 * wide, 0.1 * long, 0.72 * wide);
  g.fillRect(nose - 0.82 * long, y - 0.34 * wide, 0.08 * long, 0.68 * wide);
  if (brakes) {
    g.fillStyle = c.danger;
    g.fillRect(nose - long - 1, y - 0.46 * wide, 4, 0.26 * wide);
    g.fillRect(nose - long - 1, y + 0.2 * wide, 4, 0.26 * wide);
  }
}

function gap(g: CanvasRenderingContext2D, from: number, to: number, y: number, metres: number): void {
  const c = colours();
  if (from - to < 50) return;
  line(g, to + 4, y, from - 4, y, c.line2, 1);
  g.font = TAG_FONT;
  const words = `${fixed(metres, 2)} m`;
  const half = g.measureText(words).width / 2 + 5;
  g.fillStyle = c.sunk;
  g.fillRect((from + to) / 2 - half, y - 8, 2 * half, 16);
  text(g, words, (from + to) / 2, y, c.ink2, "center", TAG_FONT);
}
function beside(g: CanvasRenderingContext2D, x: number, y: number, name: string, value: string): void {
  text(g, name, x, y - 7, colours().ink2, "left", BOLD_FONT);
  text(g, value, x, y + 7, colours().ink3, "left", TAG_FONT);
}
function under(g: CanvasRenderingContext2D, x: number, y: number, name: string, value: string, colour: string): void {
  text(g, name, x, y - 7, colour, "right", BOLD_FONT);
  text(g, value, x, y + 7, colours().ink3, "right", TAG_FONT);
}

// ---- mass over time -------------------------------------------------------------------------------

export interface MassView {
  x: Axis;
  y: Axis;
}

// end: last row that has happened; rows behind it are drawn faint (future of a scripted run).
export function drawMass(
  face: Face,
  view: MassView,
  run: Run,
  end: number,
  squares: boolean,
  ink: [string, string],
): void {
  const g = face.g;
  const c = colours();
  const col = run.col;
  const left = 50;
  const right = face.width - 98;
  const top = 12;
  const bottom = face.height - 22;
  const last = Math.max(col.t[run.n - 1] ?? 1, 1);
  view.x.set(0, last, left, right);
  const [low, high] = massEnds(run, squares);
  view.y.set(low, high, bottom, top);
  shadeBraking(g, view, run, top, bottom);
  view.y.make(30);
  view.y.ticks.forEach((v, i) => {
    const y = Math.round(view.y.pixel(v)) + 0.5;
    line(g, left, y, right, y, c.line);
    text(g, i === view.y.ticks.length - 1 ? `${view.y.labels[i]} kg` : view.y.labels[i]!, left - 6, y, c.ink3, "right");
  });
  drawBelow(g, view.x, bottom, "s");
  g.save();
  g.beginPath();
  g.rect(left, top, right - left, bottom - top);
  g.clip();
  for (const [from, to, faint] of [
    [0, end, false],
    [end, run.n - 1, true],
  ] as const) {
    g.globalAlpha = faint ? 0.25 : 1;
    if (squares) curve(g, view, run, "squares", "squares_band", ink[1], from, to);
    curve(g, view, run, "mass", "band", ink[0], from, to);
  }
  g.globalAlpha = 1;
  g.setLineDash([6, 4]);
  trace(g, view, run, "mass_true", c.ink, 1.4, 0, run.n - 1);
  g.setLineDash([]);
  g.restore();
  labels(g, view, run, end, squares, ink, right, top, bottom);
}

function massEnds(run: Run, squares: boolean): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (let k = 0; k < run.n; k++) {
    for (const v of [run.col.mass_true[k]!, run.col.mass[k]!, squares ? run.col.squares[k]! : NaN]) {
      if (v < low) low = v;
      if (v > high) high = v;
    }
    const half = Math.min(run.col.band[k]!, 0.6 * run.col.mass_true[k]!);
    if (run.col.mass[k]! - half < low) low = run.col.mass[k]! - half;
    if (run.col.mass[k]! + half > high) high = run.col.mass[k]! + half;
  }
  if (!(low < high)) return [0, 3000];
  const truth = run.col.mass_true[run.n - 1]!;
  low = Math.max(low, 0.2 * truth);
  high = Math.min(high, 2.6 * truth);
  const pad = 0.06 * (high - low);
  return [low - pad, high + pad];
}

function shadeBraking(g: CanvasRenderingContext2D, view: MassView, run: Run, top: number, bottom: number): void {
  const c = colours();
  let from = -1;
  for (let k = 0; k <= run.n; k++) {
    const brakes = k < run.n && run.col.braking[k]! > 0;
    if (brakes && from < 0) from = k;
    if (!brakes && from >= 0) {
      const a = view.x.pixel(run.col.t[from]!);
      const b = view.x.pixel(run.col.t[Math.min(k, run.n - 1)]!);
      g.fillStyle = alpha(c.focus, 0.08);
      g.fillRect(a, top, b - a, bottom - top);
      if (b - a > 40) text(g, "brakes", a + 5, top + 8, c.ink3);
      from = -1;
    }
  }
}

function trace(
  g: CanvasRenderingContext2D,
  view: MassView,
  run: Run,
  name: "mass" | "squares" | "mass_true",
  colour: string,
  width: number,
  from: number,
  to: number,
): void {
  g.strokeStyle = colour;
  g.lineWidth = width;
  g.beginPath();
  let pen = false;
  for (let k = from; k <= to; k++) {
    const v = run.col[name][k]!;
    if (v !== v) {
      pen = false;
      continue;
    }
    const x = view.x.pixel(run.col.t[k]!);
    const y = view.y.pixel(v);
    if (pen) g.lineTo(x, y);
    else g.moveTo(x, y);
    pen = true;
  }
  g.stroke();
}

function curve(
  g: CanvasRenderingContext2D,
  view: MassView,
  run: Run,
  name: "mass" | "squares",
  band: "band" | "squares_band",
  colour: string,
  from: number,
  to: number,
): void {
  const m = run.col[name];
  const b = run.col[band];
  const t = run.col.t;
  g.beginPath();
  let any = false;
  for (let k = from; k <= to; k++)
    if (m[k] === m[k] && b[k] === b[k]) {
      g.lineTo(view.x.pixel(t[k]!), view.y.pixel(m[k]! + b[k]!));
      any = true;
    }
  for (let k = to; k >= from; k--)
    if (m[k] === m[k] && b[k] === b[k]) g.lineTo(view.x.pixel(t[k]!), view.y.pixel(m[k]! - b[k]!));
  if (any) {
    g.fillStyle = alpha(colour, 0.14);
    g.fill();
  }
  trace(g, view, run, name, colour, 1.8, from, to);
}

function labels(
  g: CanvasRenderingContext2D,
  view: MassView,
  run: Run,
  end: number,
  squares: boolean,
  ink: [string, string],
  right: number,
  top: number,
  bottom: number,
): void {
  const c = colours();
  const tags = [
    { words: "true mass", colour: c.ink, v: run.col.mass_true[end]! },
    { words: "observer M\u0302", colour: ink[0], v: run.col.mass[end]! },
  ];
  if (squares) tags.push({ words: "least squares", colour: ink[1], v: run.col.squares[end]! });
  const shown = tags.filter((tag) => tag.v === tag.v);
  const heights = shown.map((tag) => view.y.pixel(tag.v));
  const order = shown.map((_, k) => k);
  spread(heights, order, 14, top + 6, bottom - 6);
  shown.forEach((tag, k) => text(g, tag.words, right + 6, heights[k]!, tag.colour, "left", BOLD_FONT));
}

// ---- speed and excitation -------------------------------------------------------------------------

export function drawBelowMass(face: Face, x: Axis, v: Axis, e: Axis, run: Run, ink: [string, string]): void {
  const g = face.g;
  const c = colours();
  const half = Math.floor(face.height / 2);
  const right = face.width - 98;
  let fastest = 1;
  let max = 0.5;
  for (let k = 0; k < run.n; k++) {
    fastest = Math.max(fastest, run.col.v_leader[k]!, run.col.v[k]!);
    if (run.col.excitation[k]! > max) max = run.col.excitation[k]!;
  }
  v.set(0, fastest * 1.05, half - 8, 6);
  e.set(0, max * 1.1, face.height - 8, half + 6);
  strip(g, x, v, right);
  strip(g, x, e, right);
  const claim = e.pixel(CLAIM);
  g.fillStyle = hatch(g, alpha(c.ink3, 0.35));
  g.fillRect(x.a, claim, right - x.a, e.a - claim);
  rows(g, x, v, run, "v_leader", c.manual, 1.2);
  rows(g, x, v, run, "v", ink[0], 1.4);
  rows(g, x, e, run, "excitation", c.ink, 1.4);
  text(g, "speed", right + 6, 12, c.ink2, "left", BOLD_FONT);
  text(g, "m/s", right + 6, 25, c.ink3);
  text(g, "excitation", right + 6, half + 12, c.ink2, "left", BOLD_FONT);
  text(g, "m/s\u00b2", right + 6, half + 25, c.ink3);
  text(g, "too little", right + 6, Math.max(claim + 5, half + 38), c.ink3);
}

function strip(g: CanvasRenderingContext2D, x: Axis, y: Axis, right: number): void {
  const c = colours();
  y.make(16);
  y.ticks.forEach((v, i) => {
    const p = Math.round(y.pixel(v)) + 0.5;
    line(g, x.a, p, right, p, c.line);
    text(g, y.labels[i]!, x.a - 6, p, c.ink3, "right");
  });
}

function rows(
  g: CanvasRenderingContext2D,
  x: Axis,
  y: Axis,
  run: Run,
  name: "v_leader" | "v" | "excitation",
  colour: string,
  width: number,
): void {
  g.strokeStyle = colour;
  g.lineWidth = width;
  g.beginPath();
  for (let k = 0; k < run.n; k++) {
    const v = run.col[name][k]!;
    if (v === v) g.lineTo(x.pixel(run.col.t[k]!), y.pixel(v));
  }
  g.stroke();
}
