// look.ts - what the 3-D view is made of, as named arrays for programs that draw without a browser: bodies in their
// levels of detail, wheels, the strokes of the painted sheets, trees, light, colours, cameras. The page's own modules
// make all of it, so that there is one description of the look. docs/picture.md names the arrays.
import type { BufferGeometry } from "three";
import { readFileSync, writeFileSync } from "node:fs";

type Style = string | Gradient;
class Gradient {
  stops: number[][] = [];
  constructor(public ends: number[]) {}
  addColorStop(_: number, colour: string): void {
    this.stops.push(rgba(colour));
  }
}

// "#rrggbb", "#rgb", "rgb()" and "rgba()" as 0 .. 1.
function rgba(text: string): number[] {
  const hex = /^#(..)(..)(..)$/.exec(text.replace(/^#(.)(.)(.)$/, "#$1$1$2$2$3$3"));
  if (hex) return [...hex.slice(1).map((h) => parseInt(h, 16) / 255), 1];
  const n = text.match(/[\d.]+/g)!.map(Number);
  return [n[0] / 255, n[1] / 255, n[2] / 255, n[3] ?? 1];
}

const FILL = 1;
const STROKE = 2;
const GRADIENT = 3;
const TEXT = 4;

// A canvas that keeps what is drawn on it as numbers instead of drawing it.
class Canvas {
  width = 0;
  height = 0;
  strokes: number[] = [];
  fillStyle: Style = "#000";
  strokeStyle = "#000";
  lineWidth = 1;
  font = "";
  private path: number[] = [];
  getContext(): this {
    return this;
  }
  beginPath(): void {
    this.path = [];
  }
  moveTo(x: number, y: number): void {
    this.path.push(x, y);
  }
  lineTo(x: number, y: number): void {
    this.path.push(x, y);
  }
  closePath(): void {}
  fill(): void {
    this.strokes.push(FILL, ...rgba(this.fillStyle as string), this.path.length / 2, ...this.path);
  }
  stroke(): void {
    this.strokes.push(STROKE, ...rgba(this.strokeStyle), this.lineWidth, this.path.length / 2, ...this.path);
  }
  fillRect(x: number, y: number, w: number, h: number): void {
    if (this.fillStyle instanceof Gradient) {
      const g = this.fillStyle;
      this.strokes.push(GRADIENT, x, y, w, h, ...g.ends, ...g.stops[0], ...g.stops[1]);
      return;
    }
    this.path = [x, y, x + w, y, x + w, y + h, x, y + h];
    this.fill();
  }
  createLinearGradient(...ends: number[]): Gradient {
    return new Gradient(ends);
  }
  fillText(text: string, x: number, y: number): void {
    const tall = parseFloat(this.font.split(" ")[1]);
    const codes = [...text].map((c) => c.charCodeAt(0));
    this.strokes.push(TEXT, ...rgba(this.fillStyle as string), tall, x, y, codes.length, ...codes);
  }
  createImageData(w: number, h: number): { data: Uint8ClampedArray } {
    return { data: new Uint8ClampedArray(4 * w * h) };
  }
  putImageData(): void {}
}
(globalThis as Record<string, unknown>).document = { createElement: () => new Canvas() };

// The modules that draw are loaded only now that there is something to draw on.
const { building, KIND_NAMES, WORDS } = await import("../src/scene3d/kinds3d.ts");
const { DAY, EVENING } = await import("../src/scene3d/sky3d.ts");
const { HOME } = await import("../src/scene3d/camera3d.ts");
const { BEAM, SHOULDER, RAMP_SHOULDER, POST } = await import("../src/scene3d/road3d.ts");
const { BARRIER, KILOMETRES, MEDIAN, SHARPEST } = await import("../src/scene3d/scenery3d.ts");
const terrain = await import("../src/scene3d/terrain3d.ts");
const { RAMP } = await import("../src/scene3d/straincolour.ts");
const cabin = await import("../src/scene3d/cabin3d.ts");
const { farShape } = await import("../src/scene3d/mesh3d.ts");
const { Color } = await import("three");

const files: [string, string, ArrayBufferView][] = []; // name, type, numbers
const floats = (name: string, values: ArrayLike<number>): void => {
  files.push([name, "f", Float32Array.from(Array.from(values))]);
};
const text = (name: string, value: string): void => {
  files.push([name, "c", new TextEncoder().encode(value)]);
};

// Places in 16 bits of the box around them, normals in 8.
function mesh(name: string, g: BufferGeometry): void {
  const p = g.getAttribute("position");
  const low = [0, 1, 2].map((k) => Math.min(...Array.from({ length: p.count }, (_, i) => p.array[3 * i + k])));
  const high = [0, 1, 2].map((k) => Math.max(...Array.from({ length: p.count }, (_, i) => p.array[3 * i + k])));
  const span = high.map((h, k) => Math.max(h - low[k], 1e-6));
  floats(`${name}/box`, [...low, ...span]);
  files.push([
    `${name}/position`,
    "h",
    Uint16Array.from(p.array, (v, i) => Math.round(((v - low[i % 3]) / span[i % 3]) * 65535)),
  ]);
  files.push([
    `${name}/normal`,
    "b",
    Int8Array.from(g.getAttribute("normal").array, (v) => Math.round(Math.max(-1, Math.min(1, v)) * 127)),
  ]);
  const uv = g.getAttribute("uv");
  if (uv && name.includes("/level"))
    files.push([`${name}/uv`, "h", Uint16Array.from(uv.array, (v) => Math.round(v * 65535))]);
  const extra = g.getAttribute("extra");
  if (extra) files.push([`${name}/extra`, "h", Uint16Array.from(extra.array, (v) => Math.round(v * 65535))]);
  const colour = g.getAttribute("color");
  if (colour) files.push([`${name}/colour`, "h", Uint16Array.from(colour.array, (v) => Math.round(v * 32768))]);
  files.push([`${name}/index`, "h", Uint16Array.from(g.index!.array)]);
}

function kind(name: (typeof KIND_NAMES)[number]): void {
  const steps = building(name);
  let made = steps.next();
  while (!made.done) made = steps.next();
  const k = made.value;
  floats(`${name}/size`, [...k.size, k.head, k.tail]);
  floats(`${name}/wheel`, [k.wheel.r, k.wheel.w, k.wheel.rim, k.wheel.track]);
  floats(
    `${name}/wheels`,
    k.wheels.flatMap((w) => [w.x, w.y, w.steered ? 1 : 0]),
  );
  k.levels.forEach((g, q) => mesh(`${name}/level${q}`, g));
  mesh(`${name}/wheel`, k.wheelShape);
  for (const [sheet, texture] of [
    ["colour", k.map],
    ["data", k.data],
  ] as const) {
    const canvas = texture.image as unknown as Canvas;
    floats(`${name}/${sheet}`, [canvas.width, ...canvas.strokes]);
  }
}

const hex = (v: number): number[] => [v >> 16, (v >> 8) & 255, v & 255].map((b) => b / 255);
function light(name: string, l: typeof DAY): void {
  const colours = [l.zenith, l.mid, l.horizon, l.ground, l.glow, l.cloud, l.sunColour].flatMap(hex);
  const numbers = [l.clouds, ...l.sun, ...l.glowAt, l.sunPower, l.ambient, l.wash, l.exposure, l.fog, l.stars];
  floats(`light/${name}`, [...colours, ...numbers, l.glowPower]);
}

// Inks of a theme, and the paint of vehicles made from them: platoons, then traffic.
function inks(name: string, block: string): void {
  const of = (v: string): string => new RegExp(`--${v}: (#[0-9a-f]{6})`).exec(block)![1];
  for (const v of ["ink", "ink2", "surface", "line", "danger", "focus", "a", "b", "c", "d"])
    floats(`ink/${name}/${v}`, rgba(of(v)).slice(0, 3));
  const paints = ["a", "b", "c", "d"].map((v) => {
    const c = new Color(of(v));
    const hsl = { h: 0, s: 0, l: 0 };
    c.getHSL(hsl);
    return hsl.l > 0.46 && hsl.s > 0.3 ? c.setHSL(hsl.h, hsl.s, 0.46) : c;
  });
  const greys = ["#8d959f", "#c9ced4", "#3c434c", "#e6e8ea", "#59616b"].map((c) => new Color(c));
  floats(
    `paint/${name}`,
    [...paints, ...greys].flatMap((c) => [c.r, c.g, c.b]),
  );
}

text("kinds", KIND_NAMES.join("\n"));
text("words", WORDS.map(([word, name]) => `${word.source}\t${name}`).join("\n"));
for (const name of KIND_NAMES) kind(name);
mesh("brick", farShape());
light("day", DAY);
light("evening", EVENING);
const css = readFileSync("src/style/base.css", "utf8");
inks("day", css.slice(css.indexOf("--bg:"), css.indexOf('[data-theme="dark"]')));
inks("evening", css.slice(css.indexOf('[data-theme="dark"]')));
for (const [name, o] of Object.entries(HOME)) floats(`camera/${name}`, [o.azimuth, o.height, o.distance]);
mesh("cabin/inside", cabin.insideShape());
mesh("cabin/wheel", cabin.wheelShape());
mesh("cabin/bonnet", cabin.bonnetShape());
floats("strain/ramp", RAMP.flat());
floats("cabin/ratio", [cabin.RATIO]);
floats("road/beam", BEAM.flat());
floats("road/numbers", [SHOULDER, RAMP_SHOULDER, POST]);
floats("scenery/barrier", BARRIER.flat());
floats("scenery/numbers", [MEDIAN, SHARPEST, KILOMETRES, 0]);
floats("land/columns", terrain.COLUMNS);
floats("land/numbers", [terrain.VERGE, terrain.PERIOD, terrain.CELL]);
[terrain.treeShape(1, 1), terrain.treeShape(2, 1), terrain.firShape()].forEach((g, k) => mesh(`land/tree${k}`, g));
terrain.RINGS.forEach((r, k) => mesh(`land/ring${k}`, terrain.ringShape(r.radius, r.height)));

const parts: Uint8Array[] = [new TextEncoder().encode("motorcade look 1")];
for (const [name, type, data] of files) {
  const head = Buffer.alloc(40);
  head.write(name.padEnd(31, "\0"), 0, "latin1");
  head.write(type, 31, "latin1");
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  head.writeUInt32LE(bytes.length / { f: 4, h: 2, b: 1, c: 1 }[type]!, 32);
  const padded = Buffer.alloc((bytes.length + 7) & ~7);
  bytes.copy(padded);
  head.writeUInt32LE(padded.length, 36);
  if (name.length > 30) throw new Error(`the name ${name} is too long`);
  parts.push(head, padded);
}
writeFileSync(process.argv[2], Buffer.concat(parts));
