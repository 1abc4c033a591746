// sheet.ts - the painted sheet of one kind of vehicle: two canvases drawn together.
//   colour  albedo; white where the car's own colour shows
//   data    r: mask of the car's paint, g: roughness, b: lamps
// Drawing is in metres on four views. Glass, seams, lamps and plates cost no triangles and follow every deformation.
import type { Texture } from "three";
import type { Projections } from "./loft.ts";
import type { Uv } from "./mesher.ts";
import { sheetOf, textureOf } from "./noise.ts";

export type View = "side" | "top" | "front" | "rear";
// c: colour; paint, lamp: 0 .. 1, of the masks; amber lamps are 0.5.
export interface Coat {
  c: string;
  paint?: number;
  rough?: number;
  lamp?: number;
}
export const TURN = 0.5; // lamp mask of a turn light
type Dot = [number, number];
// What a sheet has to know of a body.
export interface Outline {
  L: number;
  W: number;
  H: number;
  x0: number;
}

const SWATCHES: Record<string, Coat> = {
  dark: { c: "#050607", rough: 0.95 },
  trim: { c: "#14171a", rough: 0.6 },
  metal: { c: "#6b7178", rough: 0.45 },
  white: { c: "#dfe2e4", rough: 0.42 },
  paint: { c: "#ffffff", paint: 1, rough: 0.36 },
  rubber: { c: "#17191b", rough: 0.9 },
  red: { c: "#8d0712", rough: 0.25, lamp: 1 },
  lamp: { c: "#e8eef2", rough: 0.15, lamp: 1 },
  glass: { c: "#0b1117", rough: 0.05 },
  amber: { c: "#c46a10", rough: 0.3, lamp: TURN },
  rim: { c: "#a4aab1", rough: 0.35 },
  grey: { c: "#3a3f45", rough: 0.6 },
};
const NAMES = Object.keys(SWATCHES);
const byte = (v: number): number => Math.round(255 * v);
const dataOf = (s: Coat): string => `rgb(${byte(s.paint ?? 0)},${byte(s.rough ?? 0.5)},${byte(s.lamp ?? 0)})`;

export class Sheet implements Projections {
  readonly k: number; // px per m
  private origin: Record<View, Dot>;
  private colour: HTMLCanvasElement;
  private data: HTMLCanvasElement;
  private cx: CanvasRenderingContext2D;
  private dx: CanvasRenderingContext2D;
  private sw: number; // px of a swatch

  constructor(
    private body: Outline,
    private size: number,
  ) {
    const { L, W, H } = body;
    const pad = 6;
    const s = size - 2 * pad;
    this.sw = size / 43;
    this.k = Math.min(s / L, s / (2 * W + 0.1), (s - 1.7 * this.sw) / (2 * H + W / 2 + 0.15));
    const k = this.k;
    const low = pad + (H + W / 2) * k + 16;
    this.origin = {
      side: [pad, pad],
      top: [pad, pad + H * k + 8],
      front: [pad, low],
      rear: [pad + W * k + 10, low],
    };
    this.colour = sheetOf(size, size);
    this.data = sheetOf(size, size);
    this.cx = this.colour.getContext("2d")!;
    this.dx = this.data.getContext("2d")!;
    this.cx.fillStyle = "#fff";
    this.cx.fillRect(0, 0, size, size);
    this.dx.fillStyle = "rgb(255,92,0)";
    this.dx.fillRect(0, 0, size, size);
    NAMES.forEach((name, i) => {
      this.cx.fillStyle = SWATCHES[name].c;
      this.dx.fillStyle = dataOf(SWATCHES[name]);
      for (const c of [this.cx, this.dx])
        c.fillRect(4 + i * this.sw, size - 1.1 * this.sw, 0.92 * this.sw, 0.92 * this.sw);
    });
  }

  swatch(name: string): Uv {
    return [(4 + (NAMES.indexOf(name) + 0.46) * this.sw) / this.size, (0.64 * this.sw) / this.size];
  }

  // Metres to px; the nose is at the left in the views from the side and from above.
  private px(view: View, a: number, z: number): Dot {
    const [ox, oy] = this.origin[view];
    const { W, H, x0 } = this.body;
    const k = this.k;
    if (view === "side") return [ox + (x0 - a) * k, oy + (H - z) * k];
    if (view === "top") return [ox + (x0 - a) * k, oy + z * k];
    return [ox + (W / 2 + (view === "front" ? a : -a)) * k, oy + (H - z) * k];
  }
  private uv(view: View, a: number, z: number): Uv {
    const p = this.px(view, a, z);
    return [p[0] / this.size, 1 - p[1] / this.size];
  }
  side(x: number, z: number): Uv {
    return this.uv("side", x, z);
  }
  top(x: number, y: number): Uv {
    return this.uv("top", x, y);
  }
  front(y: number, z: number): Uv {
    return this.uv("front", y, z);
  }
  rear(y: number, z: number): Uv {
    return this.uv("rear", y, z);
  }

  private trace(c: CanvasRenderingContext2D, view: View, dots: number[][], close: boolean): void {
    c.beginPath();
    dots.forEach((d, i) => {
      const q = this.px(view, d[0], d[1]);
      if (i) c.lineTo(q[0], q[1]);
      else c.moveTo(q[0], q[1]);
    });
    if (close) c.closePath();
  }

  fill(view: View, dots: number[][], coat: Coat): void {
    this.trace(this.cx, view, dots, true);
    this.cx.fillStyle = coat.c;
    this.cx.fill();
    this.trace(this.dx, view, dots, true);
    this.dx.fillStyle = dataOf(coat);
    this.dx.fill();
  }

  // coat: also in the data; without it the line only darkens.
  line(view: View, dots: number[][], width: number, colour = "rgba(0,0,0,0.62)", coat: Coat | null = null): void {
    const stroke = (c: CanvasRenderingContext2D, style: string): void => {
      this.trace(c, view, dots, false);
      c.lineWidth = Math.max(1, width * this.k);
      c.lineJoin = c.lineCap = "round";
      c.strokeStyle = style;
      c.stroke();
    };
    stroke(this.cx, colour);
    if (coat) stroke(this.dx, dataOf(coat));
  }

  rect(view: View, a0: number, z0: number, a1: number, z1: number, r: number, coat: Coat): void {
    const dots: Dot[] = [];
    const [x0, x1] = a0 < a1 ? [a0, a1] : [a1, a0];
    const [y0, y1] = z0 < z1 ? [z0, z1] : [z1, z0];
    const arc = (cx: number, cz: number, from: number): void => {
      for (let i = 0; i <= 5; i++) {
        const t = from + ((Math.PI / 2) * i) / 5;
        dots.push([cx + r * Math.cos(t), cz + r * Math.sin(t)]);
      }
    };
    arc(x1 - r, y1 - r, 0);
    arc(x0 + r, y1 - r, Math.PI / 2);
    arc(x0 + r, y0 + r, Math.PI);
    arc(x1 - r, y0 + r, 1.5 * Math.PI);
    this.fill(view, dots, coat);
  }

  disc(view: View, a: number, z: number, r: number, coat: Coat): void {
    const dots = Array.from({ length: 28 }, (_, i) => [
      a + r * Math.cos((i / 14) * Math.PI),
      z + r * Math.sin((i / 14) * Math.PI),
    ]);
    this.fill(view, dots, coat);
  }

  text(view: View, a: number, z: number, tall: number, text: string, colour: string): void {
    const [x, y] = this.px(view, a, z);
    const c = this.cx;
    c.font = `700 ${tall * this.k}px Inter, sans-serif`;
    c.textAlign = "center";
    c.textBaseline = "middle";
    c.fillStyle = colour;
    c.fillText(text, x, y);
  }

  // Darker towards z0: what little light comes from below.
  shade(view: View, a0: number, a1: number, z0: number, z1: number, alpha: number): void {
    const [x0, y0] = this.px(view, a0, z0);
    const [x1, y1] = this.px(view, a1, z1);
    const g = this.cx.createLinearGradient(0, y0, 0, y1);
    g.addColorStop(0, `rgba(0,0,0,${alpha})`);
    g.addColorStop(1, "rgba(0,0,0,0)");
    this.cx.fillStyle = g;
    this.cx.fillRect(Math.min(x0, x1), Math.min(y0, y1), Math.abs(x1 - x0), Math.abs(y1 - y0));
  }

  textures(): { map: Texture; data: Texture } {
    return { map: textureOf(this.colour, true, false), data: textureOf(this.data, false, false) };
  }
}
