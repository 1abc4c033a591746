// noise.ts - repeatable randomness and the textures made from it: every picture of a scene is the same.
import {
  CanvasTexture,
  ClampToEdgeWrapping,
  LinearMipmapLinearFilter,
  NoColorSpace,
  RepeatWrapping,
  SRGBColorSpace,
  type Texture,
} from "three";

export const clamp = (x: number, a = 0, b = 1): number => Math.min(b, Math.max(a, x));
export const lerp = (a: number, b: number, t: number): number => a + (b - a) * t;
export const smooth = (a: number, b: number, x: number): number => {
  const t = clamp((x - a) / (b - a));
  return t * t * (3 - 2 * t);
};

// mulberry32
export function random(seed: number): () => number {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export type Noise = (u: number, v: number) => number;

// Value noise whose lattice of `cells` repeats over the unit square: textures tile. 0 .. 1.
export function tileNoise(seed: number, cells: number): Noise {
  const r = random(seed);
  const g = new Float32Array(cells * cells).map(() => r());
  const wrap = (i: number): number => ((i % cells) + cells) % cells;
  return (u, v) => {
    const x = u * cells;
    const y = v * cells;
    const i = Math.floor(x);
    const j = Math.floor(y);
    const fx = x - i;
    const fy = y - j;
    const sx = fx * fx * (3 - 2 * fx);
    const sy = fy * fy * (3 - 2 * fy);
    const i0 = wrap(i);
    const i1 = wrap(i + 1);
    const j0 = wrap(j) * cells;
    const j1 = wrap(j + 1) * cells;
    return lerp(lerp(g[j0 + i0], g[j0 + i1], sx), lerp(g[j1 + i0], g[j1 + i1], sx), sy);
  };
}

// Sum of octaves, 0 .. 1.
export function fractal(seed: number, cells: number, octaves: number): Noise {
  const layers: Noise[] = [];
  for (let k = 0; k < octaves; k++) layers.push(tileNoise(seed + 17 * k, cells << k));
  return (u, v) => {
    let s = 0;
    let a = 0.5;
    let total = 0;
    for (const f of layers) {
      s += a * f(u, v);
      total += a;
      a *= 0.5;
    }
    return s / total;
  };
}

export function sheetOf(w: number, h: number): HTMLCanvasElement {
  const c = document.createElement("canvas");
  c.width = w;
  c.height = h;
  return c;
}

export function textureOf(c: HTMLCanvasElement, srgb: boolean, repeat: boolean): Texture {
  const t = new CanvasTexture(c);
  t.colorSpace = srgb ? SRGBColorSpace : NoColorSpace;
  t.wrapS = t.wrapT = repeat ? RepeatWrapping : ClampToEdgeWrapping;
  t.minFilter = LinearMipmapLinearFilter;
  return t;
}

// A texture from a function of the unit square, 0 .. 255 in four channels written to `out`.
export function textureFrom(
  size: number,
  fill: (u: number, v: number, out: number[]) => void,
  srgb = false,
  repeat = true,
): Texture {
  const c = sheetOf(size, size);
  const x = c.getContext("2d")!;
  const img = x.createImageData(size, size);
  const p = [0, 0, 0, 255];
  for (let j = 0, k = 0; j < size; j++)
    for (let i = 0; i < size; i++, k += 4) {
      p[3] = 255;
      fill(i / size, j / size, p);
      for (let e = 0; e < 4; e++) img.data[k + e] = p[e];
    }
  x.putImageData(img, 0, 0);
  return textureOf(c, srgb, repeat);
}

let grains: Texture | null = null;
// What asphalt, grass and leaves are made of. r: grains, g: patches, b: large patches.
export function groundNoise(): Texture {
  if (grains) return grains;
  const grain = tileNoise(3, 64);
  const fine = tileNoise(9, 128);
  const mid = fractal(4, 6, 4);
  const low = fractal(8, 3, 4);
  grains = textureFrom(256, (u, v, p) => {
    p[0] = 255 * (0.55 * grain(u, v) + 0.45 * fine(u, v));
    p[1] = 255 * mid(u, v);
    p[2] = 255 * low(u, v);
  });
  return grains;
}
