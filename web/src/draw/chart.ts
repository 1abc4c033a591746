// chart.ts - what the instruments draw with: a canvas that fits its element, the colours of the
// theme, axes with round ticks, and numbers as they are written on the page.
//
//     const face = new Face(host, "Spacing error over time");
//     face.fit() && ...                       // true: the size in CSS pixels is known, cleared
//     const x = new Axis(0, 60, left, right); // value to pixel and back
//     drawGrid(face, x, y, ...)
//
// Nothing is allocated while drawing but what the canvas itself needs; ticks are kept in the Axis
// until its ends change.
import { SANS } from "../base/opening.ts";
import { fixed } from "../base/units.ts";
import type { Page } from "../core/app.ts";
import { luminance, rgb } from "./paint.ts";

// ---- colours --------------------------------------------------------------------------------------

const NAMES = [
  "bg",
  "surface",
  "raised",
  "sunk",
  "line",
  "line2",
  "ink",
  "ink2",
  "ink3",
  "danger",
  "ok",
  "focus",
  "selection",
  "a",
  "b",
  "c",
  "d",
  "manual",
] as const;
export type Palette = Record<(typeof NAMES)[number], string> & { dark: boolean };

let kept: Palette | null = null;
let keptFor = "";

// The colours now. Read once a theme; forgetColours() after a change of it.
export function colours(): Palette {
  const theme = document.documentElement.dataset.theme ?? "";
  if (kept && theme === keptFor) return kept;
  const style = getComputedStyle(document.documentElement);
  const p = {} as Palette;
  for (const name of NAMES) p[name] = style.getPropertyValue("--" + name).trim() || "#888888";
  p.dark = luminance(p.surface) < 0.3;
  kept = p;
  keptFor = theme;
  return p;
}

export function forgetColours(): void {
  kept = null;
}

// Ramps: 0 .. 1 for fields, -1 .. 1 for signed ones.
const FIELD_RAMP = ["#00224E", "#575C6D", "#A69D75", "#FEE838"].map(rgb);

function between(ramp: [number, number, number][], u: number): string {
  const at = Math.min(Math.max(u, 0), 1) * (ramp.length - 1);
  const i = Math.min(Math.floor(at), ramp.length - 2);
  const f = at - i;
  const p = ramp[i]!;
  const q = ramp[i + 1]!;
  return `rgb(${Math.round(p[0] + f * (q[0] - p[0]))},${Math.round(p[1] + f * (q[1] - p[1]))},${Math.round(p[2] + f * (q[2] - p[2]))})`;
}

// For lines: the middle must be seen against the card.
const LINE_LIGHT = ["#0F6CBD", "#A9B2BF", "#B85C00"].map(rgb);
const LINE_DARK = ["#5AA9F0", "#566170", "#F2A33A"].map(rgb);

// 64 steps, made once: drawing picks from the list and makes no strings.
function steps(make: (u: number) => string): string[] {
  return Array.from({ length: 65 }, (_, i) => make(i / 64));
}
const fieldSteps = steps((u) => between(FIELD_RAMP, u));

const lineLight = steps((u) => between(LINE_LIGHT, u));
const lineDark = steps((u) => between(LINE_DARK, u));

export function signedLine(u: number): string {
  return (colours().dark ? lineDark : lineLight)[Math.round((Math.min(Math.max(u, -1), 1) + 1) * 32)]!;
}
export function fieldColour(u: number): string {
  return fieldSteps[Math.round(Math.min(Math.max(u, 0), 1) * 64)]!;
}

// ---- axes -----------------------------------------------------------------------------------------

export function niceStep(range: number, count: number): number {
  const raw = Math.max(range, 1e-12) / Math.max(count, 1);
  const power = 10 ** Math.floor(Math.log10(raw));
  const f = raw / power;
  return power * (f <= 1 ? 1 : f <= 2 ? 2 : f <= 5 ? 5 : 10);
}

export class Axis {
  ticks: number[] = [];
  labels: string[] = [];
  step = 0;
  private madeFor = NaN;
  private madeTo = NaN;
  private madeCount = 0;
  // from, to: values; a, b: pixels of them. log: by decades.
  constructor(
    public from: number,
    public to: number,
    public a: number,
    public b: number,
    public log = false,
  ) {}

  set(from: number, to: number, a: number, b: number): this {
    this.from = from;
    this.to = to;
    this.a = a;
    this.b = b;
    return this;
  }
  pixel(value: number): number {
    const u = this.log
      ? (Math.log10(value) - Math.log10(this.from)) / (Math.log10(this.to) - Math.log10(this.from))
      : (value - this.from) / (this.to - this.from);
    return this.a + u * (this.b - this.a);
  }
  value(pixel: number): number {
    const u = (pixel - this.a) / (this.b - this.a);
    return this.log ? this.from * (this.to / this.from) ** u : this.from + u * (this.to - this.from);
  }
  // Ticks at round values, about one every `apart` pixels.
  make(apart: number): this {
    const count = Math.max(Math.floor(Math.abs(this.b - this.a) / apart), 1);
    if (this.madeFor === this.from && this.madeTo === this.to && this.madeCount === count) return this;
    this.madeFor = this.from;
    this.madeTo = this.to;
    this.madeCount = count;
    this.ticks.length = this.labels.length = 0;
    if (this.log) this.makeDecades();
    else this.makeEven(count);
    return this;
  }
  private makeEven(count: number): void {
    const lo = Math.min(this.from, this.to);
    const hi = Math.max(this.from, this.to);
    this.step = niceStep(hi - lo, count);
    const decimals = Math.max(0, -Math.floor(Math.log10(this.step) + 1e-9));
    for (let k = Math.ceil(lo / this.step - 1e-9); k * this.step <= hi + 1e-9 * this.step; k++) {
      this.ticks.push(k * this.step);
      this.labels.push(fixed(k * this.step, Math.min(decimals, 8)));
    }
  }
  private makeDecades(): void {
    for (let p = Math.ceil(Math.log10(this.from) - 1e-9); p <= Math.log10(this.to) + 1e-9; p++) {
      const v = 10 ** p;
      this.ticks.push(v);
      this.labels.push(p >= -3 && p <= 4 ? String(Number(v.toPrecision(1))) : "1e" + fixed(p, 0));
    }
  }
}

// ---- canvas ---------------------------------------------------------------------------------------

export class Face {
  readonly canvas: HTMLCanvasElement;
  readonly g: CanvasRenderingContext2D;
  width = 0;
  height = 0;
  private ratio = 0;
  constructor(host: HTMLElement, label: string) {
    this.canvas = document.createElement("canvas");
    this.canvas.className = "ch-face";
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", label);
    host.append(this.canvas);
    this.g = this.canvas.getContext("2d")!;
  }
  // Takes the element's size and clears. False: nothing to draw on.
  fit(): boolean {
    const width = this.canvas.clientWidth;
    const height = this.canvas.clientHeight;
    const ratio = window.devicePixelRatio || 1;
    if (width < 8 || height < 8) return false;
    if (width !== this.width || height !== this.height || ratio !== this.ratio) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
      this.width = width;
      this.height = height;
      this.ratio = ratio;
    }
    this.g.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.g.clearRect(0, 0, width, height);
    return true;
  }
  label(text: string): void {
    this.canvas.setAttribute("aria-label", text);
  }
}

export const FONT = SANS;
export const AXIS_FONT = `400 9.5px ${FONT}`;
export const TAG_FONT = `500 10.5px ${FONT}`;
export const BOLD_FONT = `600 10.5px ${FONT}`;

// The first of these texts that is at most `width` px wide in the font of g; "": none.
export function fitting(g: { measureText(t: string): { width: number } }, width: number, texts: string[]): string {
  return texts.find((t) => g.measureText(t).width <= width) ?? "";
}

// Words in lines of at most `width` px, centred about (x, y).
export function wrapped(
  g: CanvasRenderingContext2D,
  words: string,
  x: number,
  y: number,
  width: number,
  colour: string,
  font: string,
): void {
  g.font = font;
  const lines: string[] = [];
  for (const word of words.split(" ")) {
    const longer = lines.length ? `${lines[lines.length - 1]!} ${word}` : word;
    if (lines.length && g.measureText(longer).width <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  lines.forEach((t, k) => text(g, t, x, y + 14 * (k - (lines.length - 1) / 2), colour, "center", font));
}

export function text(
  g: CanvasRenderingContext2D,
  what: string,
  x: number,
  y: number,
  colour: string,
  align: CanvasTextAlign = "left",
  font = AXIS_FONT,
): void {
  g.font = font;
  g.fillStyle = colour;
  g.textAlign = align;
  g.textBaseline = "middle";
  g.fillText(what, x, y);
}

export function line(
  g: CanvasRenderingContext2D,
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  colour: string,
  width = 1,
): void {
  g.strokeStyle = colour;
  g.lineWidth = width;
  g.beginPath();
  g.moveTo(x1, y1);
  g.lineTo(x2, y2);
  g.stroke();
}

// Lines of the y ticks with their numbers left, numbers of the x ticks below. unit goes behind the
// numbers of x, as in "40 s"; yUnit behind the uppermost of y.
export function drawGrid(g: CanvasRenderingContext2D, x: Axis, y: Axis, unit = "", apart = 22, yUnit = ""): void {
  const c = colours();
  y.make(apart);
  for (let i = 0; i < y.ticks.length; i++) {
    const p = Math.round(y.pixel(y.ticks[i]!)) + 0.5;
    line(g, x.a, p, x.b, p, c.line);
    text(g, yUnit && i === y.ticks.length - 1 ? `${y.labels[i]} ${yUnit}` : y.labels[i]!, x.a - 6, p, c.ink3, "right");
  }
  drawBelow(g, x, y.a, unit);
}

export function drawBelow(g: CanvasRenderingContext2D, x: Axis, bottom: number, unit = ""): void {
  const c = colours();
  x.make(unit ? 52 : 40);
  for (let i = 0; i < x.ticks.length; i++)
    text(g, unit ? x.labels[i] + " " + unit : x.labels[i]!, x.pixel(x.ticks[i]!), bottom + 11, c.ink3, "center");
}

// Moves label heights apart so that none is nearer than `apart`, in place; order by height is kept.
export function spread(heights: number[], order: number[], apart: number, top: number, bottom: number): void {
  order.sort((p, q) => heights[p]! - heights[q]!);
  for (let k = 0; k < order.length; k++) {
    const min = k ? heights[order[k - 1]!]! + apart : top;
    if (heights[order[k]!]! < min) heights[order[k]!] = min;
  }
  for (let k = order.length - 1; k >= 0; k--) {
    const max = k < order.length - 1 ? heights[order[k + 1]!]! - apart : bottom;
    if (heights[order[k]!]! > max) heights[order[k]!] = max;
  }
}

// Draws when asked and at every change of theme or size; parts keep one each.
export function watch(app: Page, host: HTMLElement, again: () => void): () => void {
  const off = app.on("theme", () => {
    forgetColours();
    again();
  });
  const size = new ResizeObserver(() => again());
  size.observe(host);
  return () => {
    off();
    size.disconnect();
  };
}
