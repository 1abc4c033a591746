// wheel3d.ts - a wheel about the y axis, its outer face towards +y. Vertices carry (grey, metalness, roughness, 0).
import { BoxGeometry, BufferGeometry, Float32BufferAttribute } from "three";
import type { Wheel } from "./loft.ts";
import { at, Mesher, type Point } from "./mesher.ts";

const RUBBER = [0.012, 0, 0.92, 0];
const DISC = [0.1, 0.8, 0.42, 0];
const HUB = [0.02, 0.2, 0.6, 0];
const ALLOY = [0.62, 0.92, 0.26, 0];
const STEEL = [0.62, 0.25, 0.42, 0];
const BLACK = [0.05, 0.1, 0.6, 0];
export const isRubber = (grey: number): boolean => grey < 0.04;

// quality: 0 near; 1, 2: of far bodies, which carry their wheels.
export function wheelGeometry(w: Wheel, quality = 0): BufferGeometry {
  const { r, rim, offroad, steel } = w;
  const m = new Mesher();
  const h = w.w / 2;
  const n = [offroad ? 18 : steel ? 22 : 24, 12, 8][quality];
  const paint = steel ? STEEL : offroad ? BLACK : ALLOY;
  const lathe = (profile: number[][], e: Point): void => {
    for (let i = 0; i < n; i++) {
      const a = (2 * Math.PI * i) / n;
      const b = (2 * Math.PI * (i + 1)) / n;
      const p = (t: number, q: number[]): Point => [q[1] * Math.cos(t), q[0], q[1] * Math.sin(t)];
      for (let k = 0; k + 1 < profile.length; k++)
        m.quad([p(a, profile[k]), p(a, profile[k + 1]), p(b, profile[k + 1]), p(b, profile[k])], undefined, e);
    }
  };
  const tyre = [
    [-h, (rim + r) / 2],
    [-h * 0.94, r * 0.955],
    [-h * 0.74, r],
    [h * 0.74, r],
    [h * 0.94, r * 0.955],
    [h, (rim + r) / 2],
    [h * 0.84, rim],
  ];
  const middle = [tyre[0], tyre[2], tyre[3], tyre[5], tyre[6]];
  lathe(quality === 2 ? [tyre[1], tyre[4], tyre[6]] : quality ? middle : tyre, RUBBER);
  if (quality) {
    const face = [
      [h * 0.84, rim],
      [h * 0.5, 0.001],
    ];
    lathe(face, paint);
    return m.build(35);
  }
  const inside = [
    [-h * 0.3, 0.001],
    [-h, (rim + r) / 2],
  ];
  lathe(inside, RUBBER);
  const well = [
    [h * 0.84, rim],
    [h * 0.8, rim * 0.95],
    [h * 0.1, rim * 0.9],
  ];
  lathe(well, paint);
  if (steel || offroad) pressed(m, lathe, w, paint);
  else spoked(m, lathe, w, paint);
  if (offroad) lugs(m, w);
  return m.build(32);
}

type Lathe = (profile: number[][], e: Point) => void;

// A pressed steel wheel with five nuts.
function pressed(m: Mesher, lathe: Lathe, w: Wheel, paint: Point): void {
  const h = w.w / 2;
  const face = w.steel ? h * 0.2 : h * 0.45;
  const dish = [
    [h * 0.3, w.rim * 0.9],
    [face, w.rim * 0.72],
    [face + 0.02, w.rim * 0.42],
    [face + 0.075, w.rim * 0.34],
    [face + 0.08, 0.001],
  ];
  lathe(dish, paint);
  for (let i = 0; i < 5; i++) {
    const t = (2 * Math.PI * i) / 5;
    const place = at(w.rim * 0.52 * Math.cos(t), face + 0.025, w.rim * 0.52 * Math.sin(t));
    m.add(new BoxGeometry(0.03, 0.03, 0.03), place, undefined, HUB);
  }
}

// Five twin spokes, slightly dished, over a brake disc.
function spoked(m: Mesher, lathe: Lathe, w: Wheel, paint: Point): void {
  const h = w.w / 2;
  const { rim } = w;
  const face = h * 0.62;
  const disc = [
    [h * 0.1, rim * 0.9],
    [h * 0.06, 0.001],
  ];
  lathe(disc, DISC);
  for (let i = 0; i < 10; i++) {
    const t = (2 * Math.PI * Math.floor(i / 2)) / 5 + (i % 2 ? 0.17 : -0.17);
    const c = Math.cos(t);
    const s = Math.sin(t);
    const pair = (q: number, wide: number, y: number): Point[] => [
      [q * c - wide * s, y, q * s + wide * c],
      [q * c + wide * s, y, q * s - wide * c],
    ];
    const [a0, a1] = pair(rim * 0.16, 0.02, face);
    const [b0, b1] = pair(rim * 0.93, 0.014, h * 0.76);
    const [c0, c1] = pair(rim * 0.16, 0.024, face - 0.05);
    const [d0, d1] = pair(rim * 0.93, 0.02, h * 0.76 - 0.05);
    m.quad([a0, b0, b1, a1], undefined, paint);
    m.quad([a1, b1, d1, c1], undefined, paint);
    m.quad([c0, d0, b0, a0], undefined, paint);
  }
  const hub = [
    [h * 0.1, rim * 0.24],
    [face + 0.004, rim * 0.22],
    [face + 0.012, rim * 0.12],
    [face + 0.012, 0.001],
  ];
  lathe(hub, paint);
}

// Tread blocks, without the face that sticks in the tyre.
function lugs(m: Mesher, w: Wheel): void {
  const g = new BoxGeometry(0.05, w.w * 0.36, 0.1).toNonIndexed().getAttribute("position");
  const keep: number[] = [];
  for (let i = 0; i < g.count; i++) if (i < 6 || i >= 12) keep.push(g.getX(i), g.getY(i), g.getZ(i));
  const lug = new BufferGeometry().setAttribute("position", new Float32BufferAttribute(keep, 3));
  for (let i = 0; i < 12; i++)
    for (const s of [-1, 1]) {
      const t = (2 * Math.PI * (i + (s > 0 ? 0 : 0.5))) / 12;
      const reach = w.r - 0.01;
      const place = at(reach * Math.cos(t), s * w.w * 0.27, reach * Math.sin(t), 0, -t, 0);
      m.add(lug, place, undefined, RUBBER);
    }
}
