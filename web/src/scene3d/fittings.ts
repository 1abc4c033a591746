// fittings.ts - what is added to the skins: mirrors, bumpers, frames, cargo boxes.
import { at, block, type Mesher } from "./mesher.ts";
import type { Loft, Projections } from "./loft.ts";
import { CAB } from "./proportions.ts";

type Size = readonly [number, number, number];
const SIDES = [1, -1];

function box(
  m: Mesher,
  s: Projections,
  swatch: string,
  x: number,
  y: number,
  z: number,
  lx: number,
  ly: number,
  lz: number,
  bevel = 0.01,
): void {
  m.add(block(lx, ly, lz, bevel), at(x, y, z), s.swatch(swatch));
}

function mirrors(m: Mesher, s: Projections, b: Loft, u: number, size: Size, swatch: string): void {
  const x = b.x(u);
  const z = b.belt(u) + 0.075;
  const y = b.side(u, b.belt(u));
  for (const k of SIDES) {
    m.add(
      block(size[0], size[1], size[2], 0.035),
      at(x, k * (y + size[1] * 0.45), z, 0, 0, k * -0.15),
      s.swatch(swatch),
    );
    box(m, s, "trim", x + 0.01, k * y, z - 0.05, 0.06, 0.12, 0.03);
  }
}

export function fitCar(m: Mesher, s: Projections, b: Loft): void {
  const { floor, L, W, x0, wheel, windows } = b.p;
  mirrors(m, s, b, windows[0] + 0.028, [0.1, 0.2, 0.13], "paint");
  box(m, s, "dark", 0, 0, floor + 0.12, L * 0.72, wheel.track - wheel.w * 1.7, 0.22, 0.02);
  for (const k of SIDES) box(m, s, "metal", x0 - L + 0.1, k * W * 0.28, floor + 0.03, 0.16, 0.05, 0.05, 0.02);
}

export function fitOffroader(m: Mesher, s: Projections, b: Loft): void {
  const { L, W, H, x0 } = b.p;
  mirrors(m, s, b, 0.385, [0.07, 0.2, 0.26], "trim");
  box(m, s, "trim", x0 + 0.02, 0, 0.56, 0.12, W * 0.77, 0.13, 0.02);
  box(m, s, "trim", x0 - L - 0.01, 0, 0.56, 0.1, W * 0.79, 0.11, 0.02);
  for (const k of SIDES) {
    box(m, s, "metal", x0 + 0.1, k * 0.45, 0.56, 0.1, 0.04, 0.08);
    box(m, s, "trim", 0, k * (W / 2 - 0.03), 0.455, 0.37 * L, 0.08, 0.07);
    box(m, s, "paint", b.x(0.02), k * (W / 2 - 0.13), 0.93, 0.1, 0.18, 0.05);
  }
  box(m, s, "dark", 0, 0, 0.5, 0.9 * L, 0.85, 0.22);
  box(m, s, "trim", -0.55, 0, H + 0.015, 0.75, 0.75, 0.04, 0.02);
  box(m, s, "trim", b.x(0.36), -W / 2 + 0.18, H * 0.8, 0.12, 0.1, 0.5, 0.03);
}

const BED = 1.16; // m, the floor of a cargo box

// A cargo box between two x: rails, ribs, a band in the car's colour, reflectors, doors, rear lamps.
function cargo(m: Mesher, s: Projections, x0: number, x1: number, W: number, H: number): void {
  const l = x1 - x0;
  const c = (x0 + x1) / 2;
  const zc = (H + BED) / 2;
  m.add(block(l, W, H - BED, 0.035), at(c, 0, zc), s.swatch("white"));
  for (const k of SIDES) {
    const y = k * (W / 2 + 0.004);
    box(m, s, "paint", c, y, BED + 0.52, l - 0.16, 0.02, 0.4);
    box(m, s, "metal", c, y, BED + 0.05, l, 0.03, 0.12);
    box(m, s, "metal", c, y, H - 0.05, l, 0.03, 0.1);
    for (let i = 0; i <= 7; i++)
      box(m, s, "white", x0 + 0.06 + (i * (l - 0.12)) / 7, y, zc, 0.05, 0.022, H - BED - 0.22);
    for (let i = 0; i < 9; i++)
      box(m, s, i % 2 ? "white" : "red", x0 + 0.4 + (i * (l - 0.8)) / 8, y + k * 0.012, BED + 0.05, 0.28, 0.008, 0.05);
    box(m, s, "metal", x0 - 0.012, k * (W / 2 - 0.04), zc, 0.03, 0.08, H - BED - 0.02);
    box(m, s, "metal", x0 - 0.02, k * 0.28, zc, 0.03, 0.035, H - BED - 0.2);
    box(m, s, "trim", x0 + 0.04, k * (W / 2 - 0.22), BED - 0.12, 0.06, 0.4, 0.17);
    box(m, s, "red", x0 - 0.02, k * (W / 2 - 0.14), BED - 0.12, 0.05, 0.2, 0.13);
    box(m, s, "amber", x0 - 0.02, k * (W / 2 - 0.32), BED - 0.12, 0.05, 0.12, 0.13);
    box(m, s, "trim", c - 0.1 * l, k * (W / 2 - 0.05), 0.75, 0.3 * l, 0.04, 0.1);
    box(m, s, "trim", c - 0.1 * l, k * (W / 2 - 0.05), 0.52, 0.3 * l, 0.04, 0.1);
  }
  box(m, s, "trim", x0 + 0.05, 0, 0.56, 0.1, 0.88 * W, 0.12, 0.02);
  box(m, s, "red", x0 - 0.03, 0, 0.62, 0.05, 0.64 * W, 0.05);
}

export function fitTruck(m: Mesher, s: Projections, b: Loft, size: Size): void {
  const [L, W, H] = size;
  const p = b.p;
  const rear = -L / 2;
  cargo(m, s, rear, p.x0 - CAB - 0.22, W, H);
  for (const k of SIDES) {
    box(m, s, "grey", (p.x0 - 0.6 + rear) / 2, k * 0.43, 0.92, L - 0.9, 0.09, 0.26);
    box(m, s, "metal", p.axles[0] - 1.75, k * 0.88, 0.72, 1.15, 0.52, 0.5, 0.09);
    box(m, s, "trim", p.axles[1], k * 1, 1.1, 1.15, 0.56, 0.035);
    box(m, s, "trim", p.axles[1] - 0.72, k * 1, 0.72, 0.03, 0.54, 0.62);
    box(m, s, "trim", p.x0 - 0.16, k * (p.W / 2 + 0.17), p.H * 0.72, 0.09, 0.2, 0.46, 0.03);
    for (const z of [0.8, 0.64]) box(m, s, "trim", p.x0 - 0.14, k * (p.W / 2 + 0.03), p.H * z, 0.05, 0.22, 0.04);
  }
  box(m, s, "dark", p.axles[1], 0, 0.52, 0.3, 1.4, 0.26, 0.05);
  box(m, s, "trim", p.x0 + 0.02, 0, p.H * 0.925, 0.2, p.W * 0.8, 0.04, 0.015);
  box(m, s, "grey", p.x0 - CAB - 0.1, 0.75, 1.9, 0.14, 0.2, 2.1, 0.05);
  deflector(m, s, b, H);
}

// On the roof of the cab, up to the cargo box.
function deflector(m: Mesher, s: Projections, b: Loft, H: number): void {
  const p = b.p;
  const c = s.swatch("paint");
  const uv = [c, c, c, c];
  const xf = p.x0 - 0.75;
  const xt = p.x0 - CAB + 0.05;
  const zt = Math.min(H - 0.05, p.H + 0.55);
  const zf = p.H - 0.01;
  const y = p.W * 0.4;
  const q = p.W * 0.36;
  const front = [
    [xf, -y, zf],
    [xf, y, zf],
    [xt, q, zt],
    [xt, -q, zt],
  ];
  const back = [
    [xt, -y, zf],
    [xt, -q, zt],
    [xt, q, zt],
    [xt, y, zf],
  ];
  m.quad(front, uv);
  m.quad(back, uv);
  m.tri([xf, y, zf], [xt, y, zf], [xt, q, zt], c, c, c);
  m.tri([xf, -y, zf], [xt, -q, zt], [xt, -y, zf], c, c, c);
}

export function farTruck(m: Mesher, s: Projections, b: Loft, size: Size): void {
  const [L, W, H] = size;
  const x0 = -L / 2;
  const x1 = b.p.x0 - CAB - 0.22;
  farCargo(m, s, x0, x1, W, H);
  box(m, s, "grey", 0, 0, 0.92, L - 0.9, 0.9, 0.26);
}

function farCargo(m: Mesher, s: Projections, x0: number, x1: number, W: number, H: number): void {
  const c = (x0 + x1) / 2;
  box(m, s, "white", c, 0, (H + BED) / 2, x1 - x0, W, H - BED);
  for (const k of SIDES) {
    box(m, s, "paint", c, (k * W) / 2, BED + 0.52, x1 - x0 - 0.16, 0.02, 0.4);
    box(m, s, "red", x0 - 0.02, k * (W / 2 - 0.18), BED - 0.12, 0.05, 0.26, 0.13);
  }
}

// A semi-trailer: box, frame, legs, guards over its axles.
export function fitTrailer(m: Mesher, s: Projections, axles: number[], size: Size, far: boolean): void {
  const [L, W, H] = size;
  if (far) farCargo(m, s, -L / 2, L / 2, W, H);
  else cargo(m, s, -L / 2, L / 2, W, H);
  box(m, s, "grey", 0, 0, 0.98, L - 0.6, 0.9, 0.26);
  if (far) return;
  for (const k of SIDES) {
    box(m, s, "grey", L / 2 - 2.6, k * 0.7, 0.6, 0.14, 0.14, 0.9);
    box(m, s, "trim", L / 2 - 2.6, k * 0.7, 0.13, 0.3, 0.26, 0.06);
    for (const x of axles) box(m, s, "trim", x, k * (W / 2 - 0.3), 1.09, 1.1, 0.5, 0.035);
  }
  for (const x of axles) box(m, s, "dark", x, 0, 0.5, 0.2, W - 0.8, 0.2, 0.05);
}
