// paint.ts - what every canvas of the page needs: the colours of the theme as strings, a canvas
// that fits its box at the screen's resolution, hatches, and numbers as text.
//
// Colours come from the CSS variables of the theme, so a canvas and an element beside it never
// differ. They are read once and again when the theme changes: palette() costs nothing in a frame.
import { SANS } from "../base/opening.ts";

export interface Palette {
  dark: boolean;
  bg: string;
  surface: string;
  raised: string;
  sunk: string;
  line: string;
  line2: string;
  ink: string;
  ink2: string;
  ink3: string;
  worlds: string[]; // a, b, c, d
  danger: string;
  ok: string;
  warn: string; // with a hollow triangle and words only
  warnInk: string;
  warnGround: string;
  focus: string;
  selection: string;
  asphalt: string;
  edge: string;
  manual: string;
  mark: string;
  glass: string;
  verge: string;
  head: string;
  skin: string;
}

export const MONO = '"JetBrains Mono", ui-monospace, monospace';
export const FONT = {
  // sizes of the design: axis, tag, secondary, body, title
  axis: `500 9.5px ${SANS}`,
  tag: `500 10.5px ${SANS}`,
  tagBold: `600 10.5px ${SANS}`,
  small: `400 11px ${SANS}`,
  smallBold: `600 11px ${SANS}`,
  body: `400 12px ${SANS}`,
  bodyBold: `600 12px ${SANS}`,
};

let now: Palette | null = null;

export function palette(): Palette {
  return now ?? (now = read());
}
export function rereadPalette(): Palette {
  return (now = read());
}

function read(): Palette {
  const style = getComputedStyle(document.documentElement);
  const of = (name: string, fallback: string): string => style.getPropertyValue(name).trim() || fallback;
  const bg = of("--bg", "#EEF0F3");
  const dark = luminance(bg) < 0.3;
  return {
    dark,
    bg,
    surface: of("--surface", "#FFFFFF"),
    raised: of("--raised", "#F6F7F9"),
    sunk: of("--sunk", "#ECEFF3"),
    line: of("--line", "#DCE0E6"),
    line2: of("--line2", "#C5CCD6"),
    ink: of("--ink", "#161A20"),
    ink2: of("--ink2", "#505A68"),
    ink3: of("--ink3", "#6C7685"),
    worlds: [of("--a", "#0F6CBD"), of("--b", "#B85C00"), of("--c", "#59154E"), of("--d", "#0B7F6A")],
    danger: of("--danger", "#C0143C"),
    ok: of("--ok", "#0A7A4D"),
    warn: of("--warn", "#F5C400"),
    warnInk: of("--warnink", "#6F5200"),
    warnGround: of("--warnbg", "#FDF4CF"),
    focus: of("--focus", "#5B4BDB"),
    selection: of("--selection", "#ECE9FD"),
    asphalt: of("--asphalt", "#DFE3E9"),
    edge: of("--edge", "#B9C1CC"),
    manual: of("--manual", "#788290"),
    mark: dark ? "#5d6775" : "#ffffff",
    glass: dark ? "#0a0e13" : "#1f2b37",
    verge: dark ? "#12161b" : "#f3f5f7",
    head: "#fdfdfd",
    skin: "#ffd9a8",
  };
}

// A colour token as it is now, for canvases.
export function token(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

// "#rgb", "#rrggbb" or "rgb(r, g, b)" to 0 .. 255 each; anything else is mid grey.
export function rgb(colour: string): [number, number, number] {
  const m = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(colour.trim());
  if (!m) {
    const n = colour.match(/[\d.]+/g);
    return n && n.length >= 3 ? [Number(n[0]), Number(n[1]), Number(n[2])] : [128, 128, 128];
  }
  const h = m[1]!.length === 3 ? m[1]!.replace(/./g, "$&$&") : m[1]!;
  return [parseInt(h.slice(0, 2), 16), parseInt(h.slice(2, 4), 16), parseInt(h.slice(4, 6), 16)];
}

export function luminance(colour: string): number {
  const [r, g, b] = rgb(colour);
  return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;
}

export function alpha(colour: string, a: number): string {
  const [r, g, b] = rgb(colour);
  return `rgba(${r},${g},${b},${a})`;
}

export function mix(one: string, two: string, share: number): string {
  const p = rgb(one);
  const q = rgb(two);
  const c = p.map((v, i) => Math.round(v + (q[i]! - v) * share));
  return `#${c.map((v) => v.toString(16).padStart(2, "0")).join("")}`;
}

// `count` colours along the stops.
export function ramp(stops: string[], count: number): string[] {
  const out: string[] = [];
  for (let i = 0; i < count; i++) {
    const u = (i / Math.max(1, count - 1)) * (stops.length - 1);
    const k = Math.min(stops.length - 2, Math.floor(u));
    out.push(mix(stops[k]!, stops[k + 1]!, u - k));
  }
  return out;
}

export interface Sheet {
  canvas: HTMLCanvasElement;
  ctx: CanvasRenderingContext2D;
  w: number;
  h: number;
  ratio: number;
}

// A canvas that fills its parent's box; fit() before each drawing, false while it has no size.
export function sheet(canvas: HTMLCanvasElement): Sheet {
  const ctx = canvas.getContext("2d", { alpha: true })!;
  return { canvas, ctx, w: 0, h: 0, ratio: 1 };
}

export function fit(s: Sheet, w: number, h: number): boolean {
  const ratio = Math.min(3, window.devicePixelRatio || 1);
  if (w < 2 || h < 2) return false;
  if (w !== s.w || h !== s.h || ratio !== s.ratio) {
    s.w = w;
    s.h = h;
    s.ratio = ratio;
    s.canvas.width = Math.round(w * ratio);
    s.canvas.height = Math.round(h * ratio);
    s.canvas.style.width = `${w}px`;
    s.canvas.style.height = `${h}px`;
  }
  s.ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  return true;
}

const hatches = new Map<string, CanvasPattern>();

// Diagonal lines in a colour, 3 px apart: the sign of "beyond the limit" that does not need colour.
export function hatch(c: CanvasRenderingContext2D, colour: string): CanvasPattern {
  const known = hatches.get(colour);
  if (known) return known;
  const tile = document.createElement("canvas"); // at twice the size, for fine screens
  tile.width = tile.height = 12;
  const g = tile.getContext("2d")!;
  g.strokeStyle = colour;
  g.lineWidth = 2;
  g.beginPath();
  for (let k = -12; k <= 24; k += 6) {
    g.moveTo(k, 12);
    g.lineTo(k + 12, 0);
  }
  g.stroke();
  const pattern = c.createPattern(tile, "repeat")!;
  pattern.setTransform(new DOMMatrix().scale(0.5));
  hatches.set(colour, pattern);
  return pattern;
}

// -0.004 with two digits is "0.00": a sign belongs to a value that is shown as different from zero.
export function plain(v: number, digits: number): string {
  if (!Number.isFinite(v)) return "–";
  const s = Math.abs(v).toFixed(digits);
  return v < 0 && Number(s) !== 0 ? `−${s}` : s;
}

export function signed(v: number, digits: number): string {
  if (!Number.isFinite(v)) return "–";
  const s = Math.abs(v).toFixed(digits);
  return Number(s) === 0 ? s : (v < 0 ? "−" : "+") + s;
}

// 1, 2 or 5 times a power of ten, not below v.
export function niceAbove(v: number): number {
  if (!(v > 0)) return 1;
  const p = 10 ** Math.floor(Math.log10(v) + 1e-9);
  const m = v / p;
  return (m <= 1 + 1e-9 ? 1 : m <= 2 + 1e-9 ? 2 : m <= 5 + 1e-9 ? 5 : 10) * p;
}

let reduced: MediaQueryList | null = null; // asked once: it is live
export function stillMotion(): boolean {
  if (!reduced && typeof matchMedia === "function") reduced = matchMedia("(prefers-reduced-motion: reduce)");
  return reduced?.matches ?? false;
}
