// carpicture.ts - the selected car from above with its heads, and its motion in numbers.
import { signed } from "../base/units.ts";
import type { App } from "../core/app.ts";
import { palette } from "../draw/paint.ts";
import { drawPortrait, headOffset } from "../scene/cars.ts";
import { choice } from "../scene/options.ts";
import { h, surface } from "../ui/dom.ts";
import type { Vehicle, World } from "../wire/protocol.ts";

export function carPicture(app: App, world: World, vehicle: Vehicle): { root: HTMLElement; draw(): void } {
  const root = h("div", { class: "in-picture", role: "img", "aria-label": `${vehicle.name} from above` });
  const numbers = h("dl", { class: "in-motion" });
  const cells: ["v" | "a" | "jerk", HTMLElement][] = [];
  for (const [field, label] of [
    ["v", "v"],
    ["a", "a"],
    ["jerk", "j"],
  ] as const) {
    const value = h("dd", {}, "–");
    cells.push([field, value]);
    numbers.append(h("dt", {}, label), value);
  }
  let s: ReturnType<typeof surface> | null = null;
  let next = 0;
  const draw = (): void => {
    if (!s) {
      // reading an element's width costs a layout: once, then an observer reports it
      if (!root.isConnected || root.clientWidth === 0) return;
      s = surface(root);
      root.append(numbers);
    }
    s.fit();
    if (!root.isConnected || s.w === 0) return;
    const frame = app.frame(world.world);
    const i = frame ? frame.index(vehicle.id) : -1;
    const p = palette();
    const c = s.c;
    c.clearRect(0, 0, s.w, s.h);
    c.fillStyle = p.mark;
    const x = frame && i >= 0 ? frame.x[i]! : 0;
    const scale = Math.min((s.w - 92) / vehicle.length, (s.h - 36) / vehicle.width);
    const offset = (((-x * scale) % 60) + 60) % 60; // dashes run past with the road
    for (let k = -1; k * 60 < s.w + 60; k++) {
      c.fillRect(k * 60 + offset, 6, 32, 2);
      c.fillRect(k * 60 + offset, s.h - 8, 32, 2);
    }
    if (!frame || i < 0) return;
    const braking = (frame.field("brake")?.[i] ?? 0) > 0.02;
    drawPortrait(
      c,
      {
        length: vehicle.length,
        width: vehicle.width,
        leader: vehicle.leader,
        braking,
        steer: frame.field("steer")?.[i] ?? 0,
        colour: app.colour(world.world),
        pattern: 0,
        driver: headOffset(app, world.world, vehicle.id, "jerk", frame.time, choice(app, "head")),
        passenger: headOffset(app, world.world, vehicle.id, "a", frame.time, choice(app, "head")),
      },
      scale,
      (s.w - 70) / 2,
      s.h / 2,
    );
    const now = performance.now();
    if (app.clock.playing && now < next) return; // numbers ten times a second
    next = now + 100;
    for (const [field, cell] of cells) {
      const value = frame.field(field)?.[i] ?? NaN;
      const text = field === "v" ? value.toFixed(2) : signed(value);
      if (cell.textContent !== text) cell.textContent = text;
    }
  };
  return { root, draw };
}
