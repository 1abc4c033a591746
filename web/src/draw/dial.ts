// dial.ts - an analog meter: an arc of 252 degrees, five main ticks, one needle per world, danger
// arcs, and a tick that holds the peak.

import { alpha, FONT, palette } from "./paint.ts";

export interface DialKind {
  kind: string;
  title: string;
  unit: string;
  low: number;
  high: number;
  digits: number;
  sign: boolean;
  danger: [number, number][]; // stretches of the scale, in its units
  doc: string;
}

const START = 0.8 * Math.PI;
const SWEEP = 1.4 * Math.PI; // 252 degrees, open at the bottom
const MAIN = 5;

export function dialAngle(kind: DialKind, v: number): number {
  const u = (v - kind.low) / (kind.high - kind.low);
  return START + SWEEP * Math.max(-0.02, Math.min(1.02, u));
}

export interface Needle {
  value: number;
  colour: string;
  peak: number;
}

// Centre (x, y), radius r. Needles whose value is not a number are omitted.
export function drawDial(
  c: CanvasRenderingContext2D,
  kind: DialKind,
  x: number,
  y: number,
  r: number,
  needles: Needle[],
  n: number,
): void {
  const p = palette();
  c.lineCap = "butt";
  c.lineWidth = Math.max(3, 0.09 * r);
  c.strokeStyle = p.sunk;
  c.beginPath();
  c.arc(x, y, r, START, START + SWEEP);
  c.stroke();
  c.strokeStyle = alpha(p.danger, p.dark ? 0.7 : 0.55);
  for (const [a, b] of kind.danger) {
    c.beginPath();
    c.arc(x, y, r, dialAngle(kind, Math.max(a, kind.low)), dialAngle(kind, Math.min(b, kind.high)));
    c.stroke();
  }
  drawTicks(c, kind, x, y, r);
  for (let k = 0; k < n; k++) drawPeak(c, kind, x, y, r, needles[k]!);
  for (let k = 0; k < n; k++) drawNeedle(c, kind, x, y, r, needles[k]!);
  c.fillStyle = p.ink;
  c.beginPath();
  c.arc(x, y, Math.max(2.5, 0.065 * r), 0, 7);
  c.fill();
}

function drawTicks(c: CanvasRenderingContext2D, kind: DialKind, x: number, y: number, r: number): void {
  const p = palette();
  c.strokeStyle = p.ink3;
  c.lineWidth = 1;
  c.font = FONT.axis;
  c.fillStyle = p.ink3;
  c.textAlign = "center";
  c.textBaseline = "middle";
  for (let k = 0; k < MAIN; k++) {
    const v = kind.low + ((kind.high - kind.low) * k) / (MAIN - 1);
    const a = dialAngle(kind, v);
    const co = Math.cos(a);
    const si = Math.sin(a);
    c.beginPath();
    c.moveTo(x + co * (r - 0.045 * r - 1), y + si * (r - 0.045 * r - 1));
    c.lineTo(x + co * (r - 0.045 * r - 6), y + si * (r - 0.045 * r - 6));
    c.stroke();
    if (r > 26) c.fillText(tickText(v), x + co * (r - 0.045 * r - 15), y + si * (r - 0.045 * r - 13));
  }
}

const texts = new Map<number, string>();
function tickText(v: number): string {
  let t = texts.get(v);
  if (t === undefined) texts.set(v, (t = (v < 0 ? "−" : "") + String(Number(Math.abs(v).toPrecision(3)))));
  return t;
}

function drawNeedle(c: CanvasRenderingContext2D, kind: DialKind, x: number, y: number, r: number, n: Needle): void {
  if (!Number.isFinite(n.value)) return;
  const a = dialAngle(kind, n.value);
  c.strokeStyle = n.colour;
  c.lineWidth = 2.6;
  c.lineCap = "round";
  c.beginPath();
  c.moveTo(x - Math.cos(a) * 0.14 * r, y - Math.sin(a) * 0.14 * r);
  c.lineTo(x + Math.cos(a) * 0.8 * r, y + Math.sin(a) * 0.8 * r);
  c.stroke();
}

// The maximum deviation since the last reset: a tick outside the arc.
function drawPeak(c: CanvasRenderingContext2D, kind: DialKind, x: number, y: number, r: number, n: Needle): void {
  if (!Number.isFinite(n.peak)) return;
  const a = dialAngle(kind, n.peak);
  c.strokeStyle = n.colour;
  c.lineWidth = 2;
  c.lineCap = "butt";
  c.beginPath();
  c.moveTo(x + Math.cos(a) * (r + 0.05 * r), y + Math.sin(a) * (r + 0.05 * r));
  c.lineTo(x + Math.cos(a) * (r + 0.05 * r + 5), y + Math.sin(a) * (r + 0.05 * r + 5));
  c.stroke();
}
