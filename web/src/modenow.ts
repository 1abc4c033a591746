// modenow.ts - what the controller's lower half does now: the pedal in use, and how far what is asked
// for lies above or below what the coasting car does, in the band of the switch between the pedals.
import type { App, Vehicle, World } from "./app";
import { h, svg } from "./dom";
import { short } from "./form";
import { fixed } from "./units";

const EVERY = 200; // ms between two questions while time runs
const WIDE = 264, MIDDLE = WIDE / 2;

interface Pedals { pedal?: "throttle" | "brake"; asked: number; coast: number; hysteresis: number }

// Where a value stands: to scale within the band, compressed beyond it.
export function placeOf(above: number, hysteresis: number): number {
  const band = 52, u = above / Math.max(hysteresis, 1e-6);
  return MIDDLE + (Math.abs(u) <= 1 ? band * u : Math.sign(u) * (band + (MIDDLE - band - 8) * (1 - 1 / (1 + 0.12 * (Math.abs(u) - 1)))));
}

export function modeNow(app: App, world: World, vehicle: Vehicle): { root: HTMLElement; draw(): void } {
  const point = svg("circle", { r: 5, cy: 15, cx: MIDDLE, class: "mn-point" }), band = svg("rect", { x: MIDDLE - 52, y: 8, width: 104, height: 14, rx: 4, class: "mn-band" });
  const text = (x: number, anchor: string, words: string) => svg("text", { x, y: 36, "text-anchor": anchor }, words);
  const picture = svg("svg", { viewBox: `0 0 ${WIDE} 40`, role: "img" }, svg("line", { x1: 4, x2: WIDE - 4, y1: 15, y2: 15, class: "mn-axis" }), band, svg("line", { x1: MIDDLE, x2: MIDDLE, y1: 6, y2: 24, class: "mn-axis" }), point,
    text(4, "start", "brake"), text(MIDDLE, "middle", "coasting"), text(WIDE - 4, "end", "throttle"));
  const words = h("b", {}, "–"), figures = h("span", { class: "mn-figures" });
  const root = h("div", { class: "mn", "aria-label": "Pedals now", role: "group", title: "Asked for minus what the coasting car does. In the band the pedal that was in use stays: hysteresis" }, h("div", { class: "mn-head" }, words, figures), picture as unknown as HTMLElement);
  let last: Pedals | null = null, next = 0, asking = false, askedAt = NaN, asked = -1;
  const show = (a: Pedals): void => {
    root.hidden = a.pedal === undefined;
    if (a.pedal === undefined) return;
    const above = a.asked - a.coast, frame = app.frame(world.world), i = frame ? frame.index(vehicle.id) : -1;
    const pressed = frame && i >= 0 ? frame.field(a.pedal)?.[i] ?? 0 : 0, said = pressed > 0.001 ? `${a.pedal === "brake" ? "Brake" : "Throttle"} ${short(100 * pressed, 3)} %` : "Coasting";
    root.dataset.pedal = pressed > 0.001 ? a.pedal : "none";
    words.textContent = said;
    figures.textContent = `asked ${fixed(a.asked, 2)}, coasting ${fixed(a.coast, 2)} m/s²`;
    point.setAttribute("cx", placeOf(above, a.hysteresis).toFixed(1));
    const label = `${said}; asked for lies ${short(above, 3)} m/s² from coasting, the band is ${short(a.hysteresis, 3)}`;
    if (picture.getAttribute("aria-label") !== label) picture.setAttribute("aria-label", label);
  };
  return {
    root,
    draw(): void {
      const now = performance.now(), t = app.clock.t, version = app.world(world.world)?.version ?? 0;
      if (now < next || asking || !app.connected || document.hidden) return;
      next = now + EVERY;
      if (t === askedAt && version === asked) { if (last) show(last); return; } // the frame may have become the exact one
      asking = true; askedAt = t; asked = version;
      app.ask("pedals", { world: world.world, vehicle: vehicle.name, ...(app.clock.live && app.clock.playing ? {} : { t }) })
        .then((a) => { last = a as unknown as Pedals; show(last); app.touch(600); }, () => { root.hidden = true; }).finally(() => { asking = false; });
    },
  };
}
