// kinds3d.ts - the kinds of vehicles that are drawn: which one a vehicle is, and its geometry in levels of detail.
//
// A kind is built once, at its usual size; a vehicle of another size is the same body scaled along its axes. Building is a
// list of short steps, so that no frame waits for all of it. Add a kind: one row of KINDS.
import type { BufferGeometry, Texture } from "three";
import type { Model, Vehicle } from "../wire/protocol.ts";
import { farTruck, fitCar, fitOffroader, fitTrailer, fitTruck } from "./fittings.ts";
import { paintCab, paintCompact, paintOffroader, paintPickup, paintSedan, paintVan } from "./livery.ts";
import { Loft, type Proportions, type Wheel } from "./loft.ts";
import { at, Mesher } from "./mesher.ts";
import { cab, compact, offroader, pickup, sedan, van } from "./proportions.ts";
import { Sheet } from "./sheet.ts";
import { isRubber, wheelGeometry } from "./wheel3d.ts";
import { Vector3 } from "three";

export const KIND_NAMES = ["sedan", "compact", "van", "pickup", "offroader", "truck", "trailer"] as const;
export type KindName = (typeof KIND_NAMES)[number];
export const LEVELS = 3; // near, middle, far; beyond them a brick for all kinds

type Size = readonly [number, number, number];
interface Row {
  size: Size; // m: length, width, height
  shape: ((L: number, W: number, H: number) => Proportions) | null;
  paint: (s: Sheet, b: Loft) => void;
  head: number; // m, height of the head lamps
  tail: number;
}
const KINDS: Record<KindName, Row> = {
  sedan: { size: [5.3, 1.93, 1.43], shape: sedan, paint: paintSedan, head: 0.62, tail: 0.78 },
  compact: { size: [4.34, 1.7, 1.42], shape: compact, paint: paintCompact, head: 0.66, tail: 0.78 },
  van: { size: [4.83, 1.88, 1.76], shape: van, paint: paintVan, head: 0.7, tail: 1.05 },
  pickup: { size: [5.8, 2.03, 1.93], shape: pickup, paint: paintPickup, head: 0.98, tail: 1.0 },
  offroader: { size: [4.57, 2.16, 1.83], shape: offroader, paint: paintOffroader, head: 0.93, tail: 0.93 },
  truck: { size: [8.4, 2.5, 3.45], shape: cab, paint: paintCab, head: 0.8, tail: 1.04 },
  trailer: { size: [13.6, 2.55, 4.0], shape: null, paint: () => undefined, head: 0, tail: 1.04 },
};

export interface WheelPlace {
  x: number;
  y: number;
  steered: boolean;
}
export interface Kind {
  name: string; // a KindName, or OWN and the name of a model
  size: Size;
  head: number;
  tail: number;
  wheel: Wheel;
  wheels: WheelPlace[];
  levels: BufferGeometry[];
  wheelShape: BufferGeometry;
  map: Texture;
  data: Texture;
}

const TRAILER_WHEEL: Wheel = { r: 0.5, w: 0.32, rim: 0.285, track: 2.04, steel: true };
const SHEET = 1024; // px

// The steps that build a kind; the last one gives it.
export function* building(name: KindName): Generator<null, Kind> {
  const row = KINDS[name];
  const [L, W, H] = row.size;
  const loft = row.shape ? new Loft(row.shape(L, W, H)) : null;
  const sheet = new Sheet(loft ? { ...loft.p } : { L, W, H, x0: L / 2 }, row.shape ? SHEET : 256);
  if (loft) row.paint(sheet, loft);
  const wheel = loft?.p.wheel ?? TRAILER_WHEEL;
  const axles = loft?.p.axles ?? [1.3, 2.65, 4].map((d) => d - L / 2);
  const wheels: WheelPlace[] = [];
  for (const [i, x] of axles.entries())
    for (const k of [1, -1]) wheels.push({ x, y: (k * wheel.track) / 2, steered: loft !== null && i === 0 });
  yield null;
  const levels: BufferGeometry[] = [];
  for (let q = LEVELS - 1; q >= 0; q--) {
    const m = new Mesher();
    if (loft) loft.mesh(m, sheet, q);
    if (name === "truck") (q === 2 ? farTruck : fitTruck)(m, sheet, loft!, row.size);
    else if (name === "trailer") fitTrailer(m, sheet, axles, row.size, q === 2);
    else if (name === "offroader" && q < 2) fitOffroader(m, sheet, loft!);
    else if (q < 2) fitCar(m, sheet, loft!);
    if (q > 0) for (const p of wheels) addWheel(m, sheet, wheel, p, q);
    // The inner ones of twin wheels do not turn.
    if (name === "truck")
      for (const p of wheels)
        if (!p.steered) addWheel(m, sheet, wheel, { ...p, y: p.y - Math.sign(p.y) * 0.33 }, Math.max(1, q));
    yield null;
    levels[q] = m.build(loft?.p.crease ?? 30);
    yield null;
  }
  const wheelShape = wheelGeometry(wheel);
  return {
    name,
    size: row.size,
    head: row.head,
    tail: row.tail,
    wheel,
    wheels,
    levels,
    wheelShape,
    ...sheet.textures(),
  };
}

// The tyre and rim of a far vehicle, painted with swatches.
function addWheel(m: Mesher, sheet: Sheet, w: Wheel, p: WheelPlace, quality: number): void {
  const g = wheelGeometry(w, quality).toNonIndexed();
  const grey = g.getAttribute("extra");
  const position = g.getAttribute("position");
  const place = at(p.x, p.y, w.r, 0, 0, p.y > 0 ? 0 : Math.PI);
  const v = new Vector3();
  for (let i = 0; i < position.count; i += 3) {
    const c = [0, 1, 2].map((k) =>
      v
        .fromBufferAttribute(position, i + k)
        .applyMatrix4(place)
        .toArray(),
    );
    const t = sheet.swatch(isRubber(grey.getX(i)) ? "rubber" : "rim");
    m.tri(c[0], c[1], c[2], t, t, t);
  }
}

export const WORDS: [RegExp, KindName][] = [
  [/trailer/i, "trailer"],
  [/pick.?up/i, "pickup"],
  [/hmmwv|humvee|off.?road/i, "offroader"],
  [/\bvan\b|minivan|villager/i, "van"],
  [/truck|lorry|cab.?over/i, "truck"],
  [/compact|hatch|escort|sentra/i, "compact"],
  [/sedan|saloon|town.?car/i, "sedan"],
];

export const OWN = "own:"; // before the name of a model that has a file of its own

// What a vehicle is drawn as; null: a plain box. The server's word for its type counts first, then the model's name,
// then its size.
export function kindOf(v: Vehicle, model: Model | undefined): string | null {
  const look = model?.look ?? "car";
  if (look === "box") return null;
  if (look === "file") return OWN + v.model;
  if ((KIND_NAMES as readonly string[]).includes(look)) return look as KindName;
  const name = v.model.replaceAll("_", " ");
  for (const [word, kind] of WORDS) if (word.test(name)) return kind;
  return kindOfSize(v.length, v.width, v.height);
}

export function kindOfSize(length: number, width: number, height: number): KindName {
  if (length > 6.6 || height > 2.6) return "truck";
  if (width > 2.08 && length < 5.3) return "offroader";
  if (height > 1.65) return length > 5.3 ? "pickup" : "van";
  return length < 4.7 ? "compact" : "sedan";
}
