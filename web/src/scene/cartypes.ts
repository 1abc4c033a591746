// cartypes.ts - types of cars one can put on the road: those of the scenario, and the cars of the report's appendix B.
import { palette } from "../draw/paint.ts";
import { h } from "../ui/dom.ts";
import type { Vehicle, World } from "../wire/protocol.ts";
import { drawPortrait } from "./cars.ts";

// define: what the scenario needs before a car can be of this type; null: it has the type.
export interface CarType {
  name: string;
  title: string;
  kind: string;
  length: number;
  width: number;
  mass: number;
  define: object | null;
}

const POUND = 0.45359237;
const INCH = 0.0254;
const MPH = 0.44704;
// The report's car file: weight lb, length in, width in, top speed mph, acceleration g, brake g, power hp, engine l.
const REPORT: [string, string, number, number, number, number, number, number, number, number][] = [
  ["ford_escort", "Ford Escort 4 (S)", 2530, 171, 67, 100, 0.5, 0.6, 127, 1.8],
  ["lincoln_town_car", "Lincoln Town Car V8 (L)", 4055, 219, 77, 150, 0.6, 0.8, 210, 4.6],
  ["mercury_villager", "Mercury Villager V6 (V)", 3395, 190, 74, 135, 0.6, 0.9, 151, 3.0],
  ["nissan_sentra", "Nissan Sentra 4 (S)", 2545, 170, 66, 90, 0.4, 0.6, 110, 1.6],
];

function ofReport([
  name,
  title,
  weight,
  length,
  width,
  speed,
  accelerate,
  brake,
  power,
  engine,
]: (typeof REPORT)[number]): CarType {
  const mass = weight * POUND;
  return {
    name,
    title,
    kind: "car of the DYNAVIS report",
    length: length * INCH,
    width: width * INCH,
    mass,
    define: {
      // the usual type and powertrain; the report's engine has 210 hp and 4.6 litre
      doc: `${title}, of the DYNAVIS report`,
      mass,
      length: length * INCH,
      width: width * INCH,
      max_speed: speed * MPH,
      max_acceleration: accelerate,
      max_brake: brake,
      powertrain: { power_scale: power / 210, engine_scale: engine / 4.6 },
    },
  };
}

export function carTypes(world: World): CarType[] {
  const own = (world.catalogue ?? []).map((m): CarType => {
    const v = world.vehicles.find((o) => o.model === m.name);
    return {
      name: m.name,
      title: m.name,
      kind: m.kind,
      length: v?.length ?? m.length,
      width: v?.width ?? m.width,
      mass: v?.mass ?? m.mass ?? NaN,
      define: null,
    };
  });
  return [...own, ...REPORT.map(ofReport).filter((r) => !own.some((m) => m.name === r.name))];
}

// The type of a name; of a car that is there when the name is none.
export function carType(world: World, name: string | undefined, like?: Vehicle): CarType | undefined {
  const all = carTypes(world);
  return all.find((m) => m.name === name) ?? all.find((m) => m.name === like?.model) ?? all[0];
}

export function sizeText(m: CarType): string {
  return `${m.length.toFixed(2)} × ${m.width.toFixed(2)} m${Number.isFinite(m.mass) ? `, ${Math.round(m.mass)} kg` : ""}`;
}

// A canvas of `w` by `tall` px with the car from above, nose to the right.
export function picture(
  m: CarType,
  scale: number,
  w: number,
  tall: number,
  colour = palette().manual,
): HTMLCanvasElement {
  const ratio = Math.min(3, devicePixelRatio || 1);
  const canvas = h("canvas", {
    width: Math.round(w * ratio),
    height: Math.round(tall * ratio),
    style: `width:${w}px;height:${tall}px`,
    "aria-hidden": "true",
  });
  const c = canvas.getContext("2d")!;
  c.scale(ratio, ratio);
  drawPortrait(
    c,
    {
      length: m.length,
      width: m.width,
      leader: false,
      braking: false,
      steer: 0,
      colour,
      pattern: 0,
      driver: 0,
      passenger: 0,
    },
    scale,
    w / 2,
    tall / 2,
  );
  return canvas;
}
