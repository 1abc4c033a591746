// modenow.ts - what the controller's lower half does now: the pedal in use, and how far what is asked
// for lies above or below what the coasting car does, in the band of the switch between the pedals.
import { fixed } from "../base/units.ts";
import type { App } from "../core/app.ts";
import { h, svg } from "../ui/dom.ts";
import { short } from "../ui/form.ts";
import type { Pedals, Vehicle, World } from "../wire/protocol.ts";

const EVERY = 200; // ms between two questions while time runs
const WIDE = 264;
const MIDDLE = WIDE / 2;

// Where a value stands: to scale within the band, compressed beyond it.
export function placeOf(above: number, hysteresis: number): number {
  const band = 52;
  const u = above / Math.max(hysteresis, 1e-6);
  return (
    MIDDLE +
    (Math.abs(u) <= 1
      ? band * u
      : Math.sign(u) * (band + (MIDDLE - band - 8) * (1 - 1 / (1 + 0.12 * (Math.abs(u) - 1)))))
  );
}

export function modeNow(app: App, world: World, vehicle: Vehicle): { root: HTMLElement; draw(): void } {
  const point = svg("circle", { r: 5, cy: 15, cx: MIDDLE, class: "mn-point" });
  const band = svg("rect", { x: MIDDLE - 52, y: 8, width: 104, height: 14, rx: 4, class: "mn-band" });
  const text = (x: number, anchor: string, words: string) => svg("text", { x, y: 36, "text-anchor": anchor }, words);
  const picture = svg(
    "svg",
    { viewBox: `0 0 ${WIDE} 40`, role: "img" },
    svg("line", { x1: 4, x2: WIDE - 4, y1: 15, y2: 15, class: "mn-axis" }),
    band,
    svg("line", { x1: MIDDLE, x2: MIDDLE, y1: 6, y2: 24, class: "mn-axis" }),
    point,
    text(4, "start", "brake"),
    text(MIDDLE, "middle", "coasting"),
    text(WIDE - 4, "end", "throttle"),
  );
  const words = h("b", {}, "–");
  const figures = h("span", { class: "mn-figures" });
  const root = h(
    "div",
    {
      class: "mn",
      "aria-label": "Pedals now",
      role: "group",
      title: "Desired acceleration minus that of the coasting car. Within the band the pedal in use stays: hysteresis",
    },
    h("div", { class: "mn-head" }, words, figures),
    picture as unknown as HTMLElement,
  );
  let last: Pedals | null = null;
  let next = 0;
  let asking = false;
  let askedAt = NaN;
  let asked = -1;
  const show = (a: Pedals): void => {
    root.hidden = a.pedal === undefined;
    if (a.pedal === undefined) return;
    const { asked: desired = NaN, coast = NaN, hysteresis = NaN } = a;
    const above = desired - coast;
    const frame = app.frame(world.world);
    const i = frame ? frame.index(vehicle.id) : -1;
    const pressed = frame && i >= 0 ? (frame.field(a.pedal)?.[i] ?? 0) : 0;
    const said =
      pressed > 0.001 ? `${a.pedal === "brake" ? "Brake" : "Throttle"} ${short(100 * pressed, 3)} %` : "Coasting";
    root.dataset.pedal = pressed > 0.001 ? a.pedal : "none";
    words.textContent = said;
    figures.textContent = `desired ${fixed(desired, 2)}, coasting ${fixed(coast, 2)} m/s²`;
    point.setAttribute("cx", placeOf(above, hysteresis).toFixed(1));
    const label = `${said}; desired is ${short(above, 3)} m/s² from coasting, the band is ${short(hysteresis, 3)}`;
    if (picture.getAttribute("aria-label") !== label) picture.setAttribute("aria-label", label);
  };
  return {
    root,
    draw(): void {
      const now = performance.now();
      const t = app.clock.t;
      const version = app.world(world.world)?.version ?? 0;
      if (!app.connected || document.hidden) return;
      if (now < next || asking) {
        if (t !== askedAt || version !== asked) app.touch(EVERY); // soon
        return;
      }
      next = now + EVERY;
      if (t === askedAt && version === asked) {
        if (last) show(last);
        return;
      } // the frame may have become the exact one
      asking = true;
      askedAt = t;
      asked = version;
      app
        .ask("pedals", {
          world: world.world,
          vehicle: vehicle.name,
          ...(app.clock.live && app.clock.playing ? {} : { t }),
        })
        .then(
          (a) => {
            last = a;
            show(a);
            app.touch(600);
          },
          () => {
            root.hidden = true;
          },
        )
        .finally(() => {
          asking = false;
        });
    },
  };
}
