// rail.ts - the row of buttons on the left: panels in the inspector's place, benches, driving.
import type { Part } from "../core/app.ts";
import type { Core } from "../core/core.ts";
import { h } from "../ui/dom.ts";
import { icon } from "../ui/icons.ts";

const ITEMS: [string, string, string][] = [
  ["road", "Road", "Lanes, hills, friction, commands of the roadway"],
  ["cars", "Cars", "All cars; add, remove, change models"],
  ["control", "Control", "Controllers and their gains"],
  ["drive", "Drive", "Pedals and steering wheel (D)"],
  ["identify", "Identify", "Bench: find a mass while driving"],
  ["mileage", "Mileage", "Bench: fuel of two controllers"],
  ["sweep", "Sweep", "Bench: where does the law break?"],
  ["mechanism", "Bench", "Bench: a mechanism in motion, its modes and loads"],
  ["vehicle", "Vehicle", "The dynamic model of a car: states, poles, response"],
  ["files", "Files", "Open, examples, save, export"],
];
const BENCHES = ["identify", "mileage", "sweep", "mechanism"];

export function mountRail(host: HTMLElement, app: Core): Part {
  const lay = () => app.layout;
  const on = (name: string) =>
    name === "drive"
      ? lay().driving
      : BENCHES.includes(name)
        ? lay().view === "bench" && lay().bench === name
        : lay().panel === name && lay().inspector;
  const click = (name: string) => {
    if (name === "drive") app.run("drive");
    else if (BENCHES.includes(name))
      lay().set(on(name) ? { view: "road" } : { view: "bench", bench: name as "identify" });
    else lay().set({ panel: on(name) ? null : (name as "road") });
  };
  const buttons = ITEMS.map(([name, label, doc]) => {
    const b = h(
      "button",
      { title: doc, "data-panel": name, "aria-pressed": "false", onclick: () => click(name) },
      icon(name),
      label,
    );
    app.command({ name: `open.${name}`, title: `Open ${label}`, help: doc, group: "Panels", run: () => click(name) });
    return b;
  });
  host.append(...buttons);
  const show = () => {
    for (const b of buttons) b.setAttribute("aria-pressed", String(on(b.dataset.panel!)));
  };
  app.on("layout", show);
  show();
  return {};
}
