// catalogue.ts - types of cars one can put on the road: those of the scenario, and the cars of the
// report's appendix B, each with its picture from above, all to one scale.
import type { App, Vehicle, World } from "./app";
import { drawPortrait } from "./cars";
import { h } from "./dom";
import { palette } from "./paint";
import { placingOf } from "./placing";

// define: what the scenario must be told before a car can be of this type; null: it knows it.
export interface CarType { name: string; title: string; kind: string; length: number; width: number; mass: number; define: object | null }

const POUND = 0.45359237, INCH = 0.0254, MPH = 0.44704;
// The report's car file: weight lb, length in, width in, top speed mph, acceleration g, brake g, power hp, engine l.
const REPORT: [string, string, number, number, number, number, number, number, number, number][] = [
  ["ford_escort", "Ford Escort 4 (S)", 2530, 171, 67, 100, 0.5, 0.6, 127, 1.8],
  ["lincoln_town_car", "Lincoln Town Car V8 (L)", 4055, 219, 77, 150, 0.6, 0.8, 210, 4.6],
  ["mercury_villager", "Mercury Villager V6 (V)", 3395, 190, 74, 135, 0.6, 0.9, 151, 3.0],
  ["nissan_sentra", "Nissan Sentra 4 (S)", 2545, 170, 66, 90, 0.4, 0.6, 110, 1.6],
];

function ofReport([name, title, weight, length, width, speed, accelerate, brake, power, engine]: (typeof REPORT)[number]): CarType {
  const mass = weight * POUND;
  return {
    name, title, kind: "powertrain", length: length * INCH, width: width * INCH, mass,
    define: { // the report's engine has 210 hp and 4.6 litre
      kind: "powertrain", doc: `${title}, of the DYNAVIS report`, mass, length: length * INCH, width: width * INCH, speed_most: speed * MPH, acceleration_most: accelerate, brake_most: brake,
      powertrain: { kind: "converter", power_scale: power / 210, engine_scale: engine / 4.6 },
    },
  };
}

export function carTypes(world: World): CarType[] {
  const own = (world.catalogue ?? []).map((m): CarType => {
    const v = world.vehicles.find((o) => o.model === m.name);
    return { name: m.name, title: m.name, kind: m.kind, length: v?.length ?? m.length, width: v?.width ?? m.width, mass: v?.mass ?? m.mass ?? NaN, define: null };
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
export function picture(m: CarType, scale: number, w: number, tall: number, colour = palette().manual): HTMLCanvasElement {
  const ratio = Math.min(3, devicePixelRatio || 1);
  const canvas = h("canvas", { width: Math.round(w * ratio), height: Math.round(tall * ratio), style: `width:${w}px;height:${tall}px`, "aria-hidden": "true" });
  const c = canvas.getContext("2d")!;
  c.scale(ratio, ratio);
  drawPortrait(c, { length: m.length, width: m.width, leader: false, braking: false, steer: 0, colour, pattern: 0, driver: 0, passenger: 0 }, scale, w / 2, tall / 2);
  return canvas;
}

const WIDE = 112, TALL = 40; // px of a picture

// A click chooses the type of the next car; a drag takes it to the road.
export function catalogue(app: App, world: World, chosen: string, choose: (type: string) => void): HTMLElement {
  const all = carTypes(world), scale = Math.min((WIDE - 6) / Math.max(5, ...all.map((m) => m.length)), (TALL - 4) / Math.max(2, ...all.map((m) => m.width)));
  const boxes = all.map((m) => {
    const box = h("button", { type: "button", class: "cp-model", role: "radio", "aria-checked": String(m.name === chosen), "aria-label": m.title, tabindex: m.name === chosen ? 0 : -1, "data-model": m.name,
      title: `${m.title}, ${m.kind}, ${sizeText(m)}. Drag it onto the road, or onto a car to replace it.`, onclick: () => choose(m.name) },
      picture(m, scale, WIDE, TALL), h("span", { class: "cp-title" }, m.title), h("span", { class: "cp-size" }, sizeText(m)));
    takeable(app, world, m, box);
    return box;
  });
  const group = h("div", { class: "cp-models", role: "radiogroup", "aria-label": "Type of the new car" }, ...boxes);
  group.addEventListener("keydown", (e) => {
    const step = e.key === "ArrowRight" || e.key === "ArrowDown" ? 1 : e.key === "ArrowLeft" || e.key === "ArrowUp" ? -1 : 0, at = all.findIndex((m) => m.name === chosen);
    if (!step) return;
    e.preventDefault();
    e.stopPropagation();
    choose(all[(at + step + all.length) % all.length]!.name);
  });
  return group;
}

// Pulled off its place by a few pixels the car is in the hand; let go over the road it is put there.
function takeable(app: App, world: World, m: CarType, box: HTMLElement): void {
  box.addEventListener("pointerdown", (down) => {
    if (down.button !== 0) return;
    const placing = placingOf(app);
    let carried = false;
    const move = (e: PointerEvent): void => {
      if (!carried && Math.hypot(e.clientX - down.clientX, e.clientY - down.clientY) < 5) return;
      if (!carried) { carried = true; placing?.begin(m, true); }
      placing?.over(e.clientX, e.clientY);
    };
    const end = (e: PointerEvent): void => {
      window.removeEventListener("pointermove", move);
      window.removeEventListener("pointerup", end);
      window.removeEventListener("pointercancel", end);
      if (!carried) return;
      window.addEventListener("click", swallow, { capture: true, once: true }); // the drag was no click
      window.setTimeout(() => window.removeEventListener("click", swallow, { capture: true }), 0);
      if (e.type === "pointerup") placing?.put();
      else placing?.end();
    };
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", end);
    window.addEventListener("pointercancel", end);
  });
  box.style.touchAction = "none";
  void world;
}
function swallow(e: Event): void { e.stopPropagation(); e.preventDefault(); }
