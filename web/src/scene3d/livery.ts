// livery.ts - what is painted on the sheets: glass, seams, lamps, grilles, plates. Metres on the views of sheet.ts.
import type { Loft } from "./loft.ts";
import { TURN, type Coat, type Sheet } from "./sheet.ts";

const GLASS: Coat = { c: "#0c1319", rough: 0.04 };
const FRAME: Coat = { c: "#07090b", rough: 0.14 };
const TRIM: Coat = { c: "#15181b", rough: 0.62 };
const CHROME: Coat = { c: "#b8bfc6", rough: 0.18 };
const HEAD: Coat = { c: "#eef3f6", rough: 0.08, lamp: 1 };
const TAIL: Coat = { c: "#a50a17", rough: 0.12, lamp: 1 };
const TAIL_BED: Coat = { c: "#2a0508", rough: 0.12 };
const AMBER: Coat = { c: "#d0761a", rough: 0.2, lamp: TURN };
const BUCKET: Coat = { c: "#1a1e22", rough: 0.12 };
const PLATE: Coat = { c: "#e9ebec", rough: 0.5 };
const INK = "#25303c";

// m: heights of lamps, half width and heights of the grille.
interface Trim {
  lamp: [number, number];
  tailLamp: [number, number];
  grille: [number, number, number];
  seats?: number[];
  crease?: number;
  tailBand?: Coat;
  tailInner?: number;
  tailWrap?: number;
  plate?: number;
  rub?: number;
  low?: number;
  chrome?: boolean;
  sunroof?: boolean;
  tall?: boolean;
  archTrim?: boolean;
  backTop?: boolean;
}
interface SideTrim {
  skirt?: number;
  archTrim?: boolean;
  straightDoors?: boolean;
  handles?: boolean;
  chrome?: boolean;
  rub?: number;
  crease?: number;
}

// A line of points between two stations.
function along(b: Loft, u0: number, u1: number, f: (u: number) => number, n = 28): number[][] {
  return Array.from({ length: n + 1 }, (_, i) => {
    const u = u0 + ((u1 - u0) * i) / n;
    return [b.x(u), f(u)];
  });
}

function plate(s: Sheet, view: "front" | "rear", z: number, text = "4MTR 127"): void {
  s.rect(view, -0.17, z - 0.05, 0.17, z + 0.05, 0.01, PLATE);
  s.text(view, 0, z, 0.062, text, INK);
}

function paintGlass(s: Sheet, b: Loft, low: number, frame: number, seats: number[]): void {
  const lo = (u: number): number => b.belt(u) + low;
  const hi =
    (d: number) =>
    (u: number): number =>
      Math.max(lo(u) + 0.001, b.rail(u)[1] - d);
  const [u0, u1] = b.p.windows;
  const shape = (d: number, e: number): number[][] => [
    ...along(b, u0 + e, u1 - e, (u) => lo(u) + e * 1.5),
    ...along(b, u0 + e, u1 - e, hi(d)).reverse(),
  ];
  s.fill("side", shape(frame, 0), FRAME);
  s.fill("side", shape(frame + 0.026, 0.007), GLASS);
  for (const [u, w] of b.p.pillars) {
    const x = b.x(u);
    const top = b.rail(u)[1];
    const dots = [
      [x + w * 0.62, b.belt(u)],
      [x - w * 0.42, b.belt(u)],
      [x - w * 0.62, top],
      [x + w * 0.36, top],
    ];
    s.fill("side", dots, FRAME);
  }
  // Head restraints show as lighter patches.
  for (const u of seats)
    s.rect("side", b.x(u) - 0.12, lo(u) + 0.02, b.x(u) + 0.12, lo(u) + 0.2, 0.05, { c: "#1a232b", rough: 0.04 });
}

function paintScreens(s: Sheet, b: Loft, backTop: boolean): void {
  const wide =
    (d: number) =>
    (u: number): number =>
      Math.max(0.02, b.rail(u)[0] - d);
  const pane = (u0: number, u1: number, d: number, coat: Coat): void =>
    s.fill("top", [...along(b, u0, u1, wide(d)), [b.x(u1), -0.01], [b.x(u0), -0.01]], coat);
  const [c, c1] = b.p.screen;
  pane(c - 0.012, c1 + 0.008, 0.012, FRAME);
  pane(c, c1, 0.05, GLASS);
  if (b.p.back && backTop) {
    pane(b.p.back[0] - 0.008, b.p.back[1] + 0.008, 0.03, FRAME);
    pane(b.p.back[0], b.p.back[1], 0.075, GLASS);
  }
  // The cowl with the wipers, the seams of the bonnet.
  pane(c - 0.022, c - 0.004, 0.03, TRIM);
  s.line(
    "top",
    along(b, 0.02, c - 0.024, (u) => b.rail(u)[0] * 0.985),
    0.007,
  );
  const seam = [
    [b.x(c - 0.024), 0],
    [b.x(c - 0.024), b.rail(c)[0]],
  ];
  s.line("top", seam, 0.007);
}

function paintDoors(s: Sheet, b: Loft, o: SideTrim, low: number): void {
  const { doors, axles, wheel, arch, bedFrom } = b.p;
  doors.forEach((u, i) => {
    const x = b.x(u);
    const top = b.belt(u) + 0.02;
    const straight = [
      [x, top],
      [x + 0.01, (top + low) / 2],
      [x, low],
    ];
    if (i === doors.length - 1 && !bedFrom && !o.straightDoors) {
      // Around the arch of the rear wheel.
      const r = arch + 0.05;
      const round: number[][] = [];
      for (let k = 0; k <= 8; k++) {
        const t = 0.5 + 0.95 * (1 - k / 8);
        const q = [axles[1] + r * Math.cos(t), wheel.r + r * Math.sin(t)];
        if (q[1] > low && q[1] < top - 0.05) round.push(q);
      }
      s.line("side", [[x, top], ...(round.length ? round : straight), [axles[1] + r + 0.03, low]], 0.008);
    } else s.line("side", straight, 0.008);
    if (i === 0 || o.handles === false) return;
    const hx = x + 0.14;
    const hz = b.belt(u) - 0.125;
    s.rect("side", hx - 0.09, hz, hx + 0.09, hz + 0.03, 0.012, o.chrome ? CHROME : { c: "#101214", rough: 0.3 });
  });
  const end = b.x(doors[doors.length - 1]) + (bedFrom ? 0 : 0.16);
  const sill = [
    [b.x(doors[0]), low],
    [end, low],
  ];
  s.line("side", sill, 0.007);
}

function paintSide(s: Sheet, b: Loft, o: SideTrim): void {
  const { x0, L, floor, axles, arch, wheel, archUp } = b.p;
  const sill = floor + (o.skirt ?? 0.06);
  s.shade("side", x0, x0 - L, floor - 0.02, floor + 0.42, 0.42);
  s.rect("side", x0 - L, floor - 0.1, x0, sill, 0, TRIM);
  for (const w of axles) {
    const arc = (r: number): number[][] =>
      Array.from({ length: 27 }, (_, i) => {
        const t = -0.25 + ((Math.PI + 0.5) * i) / 26;
        return [w + r * Math.cos(t), wheel.r + archUp + r * Math.sin(t)];
      });
    s.line("side", arc(arch), 0.03, o.archTrim ? TRIM.c : "rgba(0,0,0,0.55)", o.archTrim ? TRIM : null);
    if (o.archTrim) s.line("side", arc(arch + 0.03), 0.05, TRIM.c, TRIM);
  }
  paintDoors(s, b, o, sill + 0.02);
  if (o.rub) {
    const strip = [
      [axles[0] - arch - 0.05, o.rub],
      [axles[1] + arch + 0.05, o.rub],
    ];
    s.line("side", strip, 0.045, "#1a1d20", TRIM);
  }
  if (o.chrome)
    s.line(
      "side",
      along(b, b.p.windows[0], b.p.windows[1], (u) => b.belt(u) + 0.012),
      0.014,
      "#c3c9cf",
      CHROME,
    );
  // A dark and a light hairline read as a pressed crease.
  if (o.crease) {
    const z = (u: number): number => b.belt(u) - o.crease!;
    s.line("side", along(b, 0.06, 0.96, z), 0.01, "rgba(0,0,0,0.20)");
    s.line(
      "side",
      along(b, 0.06, 0.96, (u) => z(u) + 0.012),
      0.008,
      "rgba(255,255,255,0.22)",
    );
  }
}

function paintNose(s: Sheet, b: Loft, o: Trim): void {
  const { floor, x0 } = b.p;
  const W = b.p.W / 2;
  const y1 = W * 0.93;
  const [l0, l1] = o.lamp;
  const [gy, g0, g1] = o.grille;
  s.shade("front", -W, W, floor - 0.05, floor + 0.35, 0.4);
  s.rect("front", -W, 0, W, floor + 0.07, 0, TRIM);
  const seam = [
    [-W, l0 - 0.05],
    [W, l0 - 0.05],
  ];
  s.line("front", seam, 0.008);
  s.rect("front", -W * 0.52, floor + 0.06, W * 0.52, floor + 0.15, 0.03, { c: "#0a0c0e", rough: 0.8 });
  for (const k of [-1, 1]) {
    // A lamp: bucket, lens, turn light; it wraps around the corner in the view from the side.
    s.rect("front", k * (gy + 0.035), l0, k * y1, l1, 0.03, BUCKET);
    s.rect("front", k * (gy + 0.055), l0 + 0.018, k * (y1 - 0.2), l1 - 0.016, 0.025, HEAD);
    s.rect("front", k * (y1 - 0.18), l0 + 0.018, k * (y1 - 0.02), l1 - 0.016, 0.02, AMBER);
    s.disc("front", k * (W * 0.7), floor + 0.115, 0.045, { c: "#cfd6da", rough: 0.15 });
  }
  const lx = b.x(0.055);
  const wrap = (d: number, e: number): number[][] => [
    [x0, l0 + d],
    [lx + 0.05 + e, l0 + 0.015 + d],
    [lx + e, l1 - 0.01 - d],
    [x0, l1 - d],
  ];
  s.fill("side", wrap(0, 0), BUCKET);
  s.fill("side", wrap(0.016, 0.02), AMBER);
  s.rect("front", -gy, g0, gy, g1, 0.025, CHROME);
  s.rect("front", -gy + 0.014, g0 + 0.014, gy - 0.014, g1 - 0.014, 0.02, { c: "#08090b", rough: 0.5 });
  for (let z = g0 + 0.04; z < g1 - 0.02; z += 0.03) {
    const slat = [
      [-gy + 0.03, z],
      [gy - 0.03, z],
    ];
    s.line("front", slat, 0.007, "#4b5157");
  }
  plate(s, "front", l0 - 0.125);
}

function paintTail(s: Sheet, b: Loft, o: Trim): void {
  const { floor, x0, L } = b.p;
  const W = b.p.W / 2;
  const [t0, t1] = o.tailLamp;
  const y1 = W * 0.95;
  const inner = o.tailInner ?? W * 0.42;
  s.shade("rear", -W, W, floor - 0.05, floor + 0.35, 0.4);
  s.rect("rear", -W, 0, W, floor + 0.1, 0, TRIM);
  const seam = [
    [-W, t0 - 0.06],
    [W, t0 - 0.06],
  ];
  s.line("rear", seam, 0.009);
  if (o.tailBand) s.rect("rear", -inner, t0 + 0.01, inner, t1 - 0.01, 0.012, o.tailBand);
  for (const k of [-1, 1]) {
    s.rect("rear", k * inner, t0, k * y1, t1, 0.025, TAIL_BED);
    s.rect("rear", k * (inner + 0.015), t0 + 0.014, k * (y1 - 0.015), t1 - 0.014, 0.018, TAIL);
    if (o.tall) s.rect("rear", k * (inner + 0.03), t0 + 0.03, k * (y1 - 0.03), t0 + 0.1, 0.012, AMBER);
    else {
      s.rect("rear", k * (inner + 0.02), t0 + 0.02, k * (inner + 0.11), t1 - 0.02, 0.014, {
        c: "#e6dcdc",
        rough: 0.15,
      });
      s.rect("rear", k * (y1 - 0.13), t0 + 0.02, k * (y1 - 0.02), t1 - 0.02, 0.014, AMBER);
    }
    s.rect("rear", k * W * 0.6, floor + 0.17, k * W * 0.82, floor + 0.2, 0.01, { c: "#7a0d15", rough: 0.3 });
  }
  const x1 = x0 - L;
  const lx = b.x(o.tailWrap ?? 0.95);
  const wrap = (d: number): number[][] => [
    [x1, t0 + d],
    [lx - d, t0 + 0.01 + d],
    [lx - d, t1 - 0.01 - d],
    [x1, t1 - d],
  ];
  s.fill("side", wrap(0), TAIL_BED);
  s.fill("side", wrap(0.013), TAIL);
  const pz = o.plate ?? t0 - 0.16;
  s.rect("rear", -0.26, pz - 0.075, 0.26, pz + 0.075, 0.03, { c: "#101316", rough: 0.5 });
  plate(s, "rear", pz);
  for (const k of [-1, 1]) {
    const lid = [
      [k * W * 0.86, t1 + 0.02],
      [k * W * 0.84, t0 - 0.05],
      [k * W * 0.2, t0 - 0.055],
    ];
    s.line("rear", lid, 0.007);
  }
}

function paintCar(s: Sheet, b: Loft, o: Trim): void {
  const { x0, L, axles, arch, back, hatch } = b.p;
  paintSide(s, b, o);
  paintGlass(s, b, o.low ?? 0.02, 0.022, o.seats ?? []);
  paintScreens(s, b, o.backTop !== false);
  paintNose(s, b, o);
  paintTail(s, b, o);
  if (back && !hatch) {
    const u = back[1] + 0.025;
    const lid = [
      [b.x(u), 0],
      [b.x(u), b.rail(u)[0] * 0.98],
      [b.x(0.985), b.rail(0.98)[0] * 0.97],
    ];
    s.line("top", lid, 0.007);
  }
  if (o.sunroof) s.rect("top", b.x(0.535) - 0.3, -0.1, b.x(0.535) + 0.22, 0.4, 0.06, { c: "#0a0d10", rough: 0.06 });
  for (const [from, to, z] of [
    [x0 - 0.02, axles[0] + arch + 0.02, o.lamp[0] - 0.05],
    [x0 - L + 0.02, axles[1] - arch - 0.02, o.tailLamp[0] - 0.06],
  ]) {
    const seam = [
      [from, z],
      [to, z],
    ];
    s.line("side", seam, 0.008);
  }
}

export function paintSedan(s: Sheet, b: Loft): void {
  paintCar(s, b, {
    lamp: [0.565, 0.69],
    tailLamp: [0.7, 0.86],
    grille: [0.36, 0.55, 0.715],
    chrome: true,
    seats: [0.5, 0.66],
    crease: 0.16,
    tailBand: { c: "#7d0811", rough: 0.14 },
    sunroof: true,
    tailWrap: 0.965,
    rub: 0.47,
  });
}

export function paintCompact(s: Sheet, b: Loft): void {
  paintCar(s, b, {
    lamp: [0.6, 0.715],
    tailLamp: [0.66, 0.9],
    grille: [0.22, 0.61, 0.7],
    seats: [0.48, 0.68],
    crease: 0.15,
    tailInner: 0.52,
    tall: true,
    tailWrap: 0.955,
    plate: 0.62,
    rub: 0.46,
  });
}

export function paintVan(s: Sheet, b: Loft): void {
  paintCar(s, b, {
    lamp: [0.64, 0.77],
    tailLamp: [0.78, 1.3],
    grille: [0.3, 0.64, 0.77],
    seats: [0.42, 0.62, 0.8],
    crease: 0.2,
    tailInner: 0.7,
    tall: true,
    tailWrap: 0.968,
    plate: 0.82,
    rub: 0.5,
    backTop: false,
  });
  const { H } = b.p;
  const W = b.p.W / 2;
  s.rect("rear", -W * 0.72, H * 0.635, W * 0.72, H * 0.93, 0.08, FRAME);
  s.rect("rear", -W * 0.68, H * 0.65, W * 0.68, H * 0.915, 0.06, GLASS);
}

export function paintPickup(s: Sheet, b: Loft): void {
  paintCar(s, b, {
    lamp: [0.9, 1.06],
    tailLamp: [0.86, 1.16],
    grille: [0.5, 0.8, 1.06],
    archTrim: true,
    seats: [0.4, 0.5],
    crease: 0.14,
    tailInner: 0.8,
    tall: true,
    tailWrap: 0.983,
    plate: 0.6,
    backTop: false,
  });
  const { H } = b.p;
  const W = b.p.W / 2;
  s.rect("rear", -W * 0.62, H * 0.72, W * 0.62, H * 0.925, 0.05, GLASS);
  s.text("rear", 0, 1, 0.13, "MOTORCADE", "rgba(0,0,0,0.45)");
  s.rect("rear", -W * 0.92, 0.5, W * 0.92, 0.68, 0.04, { c: "#2b3035", rough: 0.45 });
  plate(s, "rear", 0.6);
  s.rect("top", b.x(0.98), -0.1, b.x(0.572), W * 0.8, 0, { c: "#1b1e21", rough: 0.8 });
}

export function paintOffroader(s: Sheet, b: Loft): void {
  const { H, floor } = b.p;
  const W = b.p.W / 2;
  const dark: Coat = { c: "#15181a", rough: 0.6 };
  paintSide(s, b, { skirt: 0.03, straightDoors: true, handles: false });
  const lo = (u: number): number => b.belt(u) + 0.035;
  for (const [u0, u1] of [
    [0.392, 0.545],
    [0.582, 0.725],
  ]) {
    const pane = (d: number, e: number): number[][] => [
      [b.x(u0 + e), lo(u0) + d],
      [b.x(u1 - e), lo(u1) + d],
      [b.x(u1 - e), b.rail(u1)[1] - 0.05 - d],
      [b.x(u0 + e) - (u0 < 0.4 ? 0.1 : 0), b.rail(u0 + 0.03)[1] - 0.05 - d],
    ];
    s.fill("side", pane(0, 0), dark);
    s.fill("side", pane(0.025, 0.006), GLASS);
    s.rect("side", b.x(u1) - 0.02, b.belt(u1) - 0.16, b.x(u1) + 0.12, b.belt(u1) - 0.11, 0.015, TRIM);
    // Doors are pressed with an X.
    const z0 = floor + 0.12;
    const z1 = b.belt(u0) - 0.2;
    for (const [za, zb] of [
      [z0, z1],
      [z1, z0],
    ])
      for (const [up, width, ink] of [
        [0, 0.035, "rgba(0,0,0,0.13)"],
        [0.016, 0.01, "rgba(255,255,255,0.16)"],
      ] as const) {
        const bar = [
          [b.x(u0) - 0.08, za + up],
          [b.x(u1) + 0.08, zb + up],
        ];
        s.line("side", bar, width, ink);
      }
  }
  for (const k of [-1, 1]) {
    s.rect("front", k * 0.035, H * 0.775, k * W * 0.7, H * 0.955, 0.03, dark);
    s.rect("front", k * 0.06, H * 0.79, k * W * 0.675, H * 0.945, 0.02, GLASS);
  }
  const bonnet = [
    [b.x(0.02), W * 0.66],
    [b.x(0.335), W * 0.72],
    [b.x(0.335), 0],
  ];
  s.line("top", bonnet, 0.008);
  s.rect("top", b.x(0.3), -0.1, b.x(0.2), 0.38, 0.01, { c: "#191c1f", rough: 0.8 });
  for (let x = b.x(0.295); x < b.x(0.205); x += 0.045) {
    const louvre = [
      [x, 0],
      [x, 0.36],
    ];
    s.line("top", louvre, 0.012, "#3a4046");
  }
  // Seven slots, round lamps, markers.
  s.rect("front", -W * 0.88, 0.58, W * 0.88, H * 0.63, 0.03, { c: "#ffffff", paint: 1, rough: 0.5 });
  for (let i = -3; i <= 3; i++)
    s.rect("front", i * 0.13 - 0.042, 0.66, i * 0.13 + 0.042, H * 0.6, 0.03, { c: "#07080a", rough: 0.8 });
  for (const k of [-1, 1]) {
    s.disc("front", k * 0.7, 0.93, 0.125, { c: "#17191c", rough: 0.5 });
    s.disc("front", k * 0.7, 0.93, 0.095, HEAD);
    s.disc("front", k * 0.7, 0.73, 0.045, AMBER);
    s.rect("rear", k * 0.62, 0.86, k * 0.95, 1, 0.02, TRIM);
    s.disc("rear", k * 0.84, 0.93, 0.055, TAIL);
    s.disc("rear", k * 0.71, 0.93, 0.045, AMBER);
  }
  const gate = [
    [-W * 0.8, 0.6],
    [-W * 0.8, 1.16],
    [W * 0.8, 1.16],
    [W * 0.8, 0.6],
  ];
  s.line("rear", gate, 0.01);
  plate(s, "rear", 0.705, "MC 1097");
}

export function paintCab(s: Sheet, b: Loft): void {
  const { H, x0, L, floor } = b.p;
  const W = b.p.W / 2;
  s.shade("side", x0, x0 - L, floor, floor + 0.5, 0.4);
  s.shade("front", -W, W, floor, floor + 0.5, 0.35);
  paintGlass(s, b, 0.02, 0.1, []);
  const xa = b.x(0.13);
  const xb = b.x(0.86);
  const door = [
    [xa, b.belt(0.5) + 0.06],
    [xa, floor + 0.3],
    [xa - 0.1, floor + 0.1],
    [xb, floor + 0.1],
    [xb, b.crown(0.8) - 0.12],
  ];
  s.line("side", door, 0.012);
  s.rect("side", xb + 0.05, b.belt(0.6) - 0.24, xb + 0.24, b.belt(0.6) - 0.19, 0.015, TRIM);
  s.rect("side", x0 - L, floor - 0.1, x0, floor + 0.04, 0, TRIM);
  s.rect("front", -W * 0.885, H * 0.555, W * 0.885, H * 0.915, 0.1, FRAME);
  s.rect("front", -W * 0.85, H * 0.572, W * 0.85, H * 0.9, 0.08, GLASS);
  s.rect("front", -W * 0.6, H * 0.375, W * 0.6, H * 0.5, 0.03, { c: "#0a0c0e", rough: 0.6 });
  for (let z = H * 0.39; z < H * 0.5; z += 0.055) {
    const slat = [
      [-W * 0.57, z],
      [W * 0.57, z],
    ];
    s.line("front", slat, 0.022, "#2c3136");
  }
  s.text("front", 0, H * 0.528, 0.09, "MOTORCADE", "#e6eaee");
  s.rect("front", -W, 0.4, W, H * 0.345, 0, { c: "#24282c", rough: 0.55 });
  for (const k of [-1, 1]) {
    s.rect("front", k * W * 0.56, H * 0.255, k * W * 0.93, H * 0.325, 0.03, { c: "#0c0e10", rough: 0.15 });
    s.rect("front", k * W * 0.58, H * 0.263, k * W * 0.8, H * 0.317, 0.02, HEAD);
    s.rect("front", k * W * 0.82, H * 0.263, k * W * 0.91, H * 0.317, 0.02, AMBER);
  }
  plate(s, "front", H * 0.275, "7MC 3091");
}
