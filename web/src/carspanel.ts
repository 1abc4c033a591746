// carspanel.ts - all cars of a world: a table, what a new car is to be, cars that come and go.
import type { App, Vehicle, World } from "./app";
import { carTypes, catalogue } from "./catalogue";
import { h } from "./dom";
import { makeChoice } from "./form";
import { follows } from "./inspector";
import { fixedWhy, given } from "./law";

const MOST = 200; // rows

function newCar(app: App, world: World): HTMLElement {
  const names = given(world).map((c) => c.name), types = carTypes(world);
  const pick = (key: string, all: string[]): string => { const v = app.option<string>(key); return v && all.includes(v) ? v : all[0] ?? ""; };
  const controller = pick("cars.controller", names);
  const beside = world.vehicles.find((v) => v.name === app.selection?.vehicle) ?? world.vehicles[world.vehicles.length - 1];
  const section = h("section", { class: "in-body", "aria-label": "New car" });
  const message = h("p", { class: "fo-error", role: "alert" });
  const add = (where: "front" | "behind"): void => {
    const type = types.find((m) => m.name === model())!;
    void app.change("car", { world: world.world, op: "add", model: type.name, controller: pick("cars.controller", names), beside: beside?.name, where, define: type.define ?? undefined }).then((a) => { if (typeof a.vehicle === "string") app.select(a.world ?? world.world, a.vehicle); }, (e: Error) => (message.textContent = e.message));
  };
  const button = (label: string, title: string, where: "front" | "behind"): HTMLElement => h("button", { type: "button", class: "in-action", title, disabled: !beside, onclick: () => add(where) }, label);
  const model = (): string => pick("cars.model", types.map((m) => m.name));
  const models = (): HTMLElement => catalogue(app, world, model(), (name) => {
    app.option("cars.model", name);
    section.querySelector(".cp-models")!.replaceWith(models());
    section.querySelector<HTMLElement>('[aria-checked="true"]')?.focus();
  });
  section.append(h("h3", {}, "New car"), h("p", { class: "in-note" }, "Drag one onto the road, or onto a car to replace it."), models(),
    makeChoice("Controller", names, controller, (name) => app.option("cars.controller", name), "the law that drives the new car"),
    h("div", { class: "in-actions" }, h("button", { type: "button", class: "in-action", title: "click where it is to stand, or arrow keys and Enter (+)", onclick: () => app.run("add car") }, "+ on the road"), button(`+ in front of ${beside?.name ?? ""}`, "where there is room for it", "front"), button(`+ behind ${beside?.name ?? ""}`, "at the distance its headway asks for, where there is room", "behind")), message);
  return section;
}

function row(app: App, world: World, v: Vehicle, fixed: boolean): HTMLElement {
  const gone = h("button", { type: "button", class: "in-icon", "aria-label": `remove ${v.name}`, title: `remove ${v.name}`, onclick: () => void app.change("car", { world: world.world, op: "remove", vehicle: v.name }).catch(() => undefined) }, "×");
  return h("tr", { "aria-current": v.name === app.selection?.vehicle || app.also.includes(v.name) ? "true" : null }, h("td", {}, h("button", { type: "button", class: "in-link", title: "Shift or Ctrl: chosen with the others", onclick: (e: MouseEvent) => (e.shiftKey || e.ctrlKey || e.metaKey ? app.selectMore(world.world, v.name) : app.select(world.world, v.name)) }, v.name)), h("td", {}, v.model), h("td", {}, follows(v)), h("td", {}, fixed ? "" : gone));
}

export function carsPanel(app: App, world: World): HTMLElement[] {
  const fixed = fixedWhy(app, world);
  return [
    h("header", { class: "in-head" }, h("div", {}, h("h2", {}, "Cars"), h("span", { class: "in-sub" }, `${world.vehicles.length} in ${world.name}`))),
    fixed ? h("p", { class: "in-note" }, `Cars cannot be changed: ${fixed}.`) : newCar(app, world),
    h("div", { class: "in-cars" }, h("table", { class: "in-table" }, h("thead", {}, h("tr", {}, ...["Car", "Model", "Follows"].map((t) => h("th", { scope: "col" }, t)), h("td", {}))), h("tbody", {}, ...world.vehicles.slice(0, MOST).map((v) => row(app, world, v, fixed !== undefined)))),
      world.vehicles.length > MOST ? h("p", { class: "in-note" }, `and ${world.vehicles.length - MOST} more`) : null),
  ];
}
