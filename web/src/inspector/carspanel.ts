// carspanel.ts - all cars of a world: a table, what a new car is to be, cars that come and go.
import type { App, Chosen, Server } from "../core/app.ts";
import { fixedWhy, given, follows } from "../core/facts.ts";
import { type CarType, carTypes } from "../scene/cartypes.ts";
import { h } from "../ui/dom.ts";
import { makeChoice } from "../ui/form.ts";
import type { Changed, Vehicle, World } from "../wire/protocol.ts";
import { catalogue } from "./catalogue.ts";

const MAX_ROWS = 200; // rows

const NEW_PLATOON = 4; // cars, with the leader

// A platoon behind the last car of the emptiest lane, as fast as the first leader drives.
function addPlatoon(app: App, world: World, type: CarType, controller: string): Promise<Changed> {
  const frame = app.frame(world.world);
  const lanes = Array.from({ length: world.road.lanes }, (_, k) => world.vehicles.filter((v) => v.lane === k + 1));
  const lane = lanes.indexOf([...lanes].sort((a, b) => a.length - b.length)[0]!);
  let x = 0;
  let v = 25;
  if (frame)
    for (const [i, car] of world.vehicles.entries()) {
      const k = frame.index(car.id);
      if (k < 0) continue;
      if (i === 0) v = frame.field("v")?.[k] ?? v;
      if (i === 0 && !lanes[lane]!.length) x = frame.x[k]!;
      if (lanes[lane]!.includes(car)) x = Math.min(x || Infinity, frame.x[k]! - 100);
    }
  let n = world.platoons.length + 1;
  while (world.vehicles.some((o) => o.name === `leader${n}`)) n++;
  const name = `leader${n}`;
  const first = world.vehicles.find((o) => o.leader);
  const car = { model: type.name, controller, platoon: name };
  const leads = { model: type.name, profile: first?.profile || "moderate", platoon: "new", name, lane: lane + 1, x, v };
  return app.change("edit", {
    world: world.world,
    edit: {
      ...(type.define ? { models: { [type.name]: type.define } } : {}),
      add: [leads, ...Array.from({ length: NEW_PLATOON - 1 }, () => car)],
    },
  });
}

function newCar(app: App, world: World): HTMLElement {
  const names = given(world).map((c) => c.name);
  const types = carTypes(world);
  const pick = (key: string, all: string[]): string => {
    const v = app.option<string>(key);
    return v && all.includes(v) ? v : (all[0] ?? "");
  };
  const controller = pick("cars.controller", names);
  const beside =
    world.vehicles.find((v) => v.name === app.selection?.vehicle) ?? world.vehicles[world.vehicles.length - 1];
  const section = h("section", { class: "in-body", "aria-label": "New car" });
  const message = h("p", { class: "fo-error", role: "alert" });
  const add = (where: "front" | "behind"): void => {
    const type = types.find((m) => m.name === model())!;
    void app
      .change("car", {
        world: world.world,
        op: "add",
        model: type.name,
        controller: pick("cars.controller", names),
        beside: beside?.name,
        where,
        define: type.define ?? undefined,
      })
      .then(
        (a) => {
          if (a.vehicle) app.select(a.world, a.vehicle);
        },
        (e: Error) => (message.textContent = e.message),
      );
  };
  const button = (label: string, title: string, where: "front" | "behind"): HTMLElement =>
    h("button", { type: "button", class: "in-action", title, disabled: !beside, onclick: () => add(where) }, label);
  const model = (): string =>
    pick(
      "cars.model",
      types.map((m) => m.name),
    );
  const models = (): HTMLElement =>
    catalogue(app, world, model(), (name) => {
      app.option("cars.model", name);
      section.querySelector(".cp-models")!.replaceWith(models());
      section.querySelector<HTMLElement>('[aria-checked="true"]')?.focus();
    });
  const platoon = (): void => {
    const type = types.find((m) => m.name === model())!;
    void addPlatoon(app, world, type, pick("cars.controller", names)).catch(
      (e: Error) => (message.textContent = e.message),
    );
  };
  section.append(
    h("h3", {}, "New car"),
    h("p", { class: "in-note" }, "Drag one onto the road, or onto a car to replace it."),
    models(),
    makeChoice(
      "Controller",
      names,
      controller,
      (name) => app.option("cars.controller", name),
      "the law that drives the new car",
    ),
    h(
      "div",
      { class: "in-actions" },
      h(
        "button",
        {
          type: "button",
          class: "in-action",
          title: "click where to place it, or use arrow keys and Enter (+)",
          onclick: () => app.run("add car"),
        },
        "+ on the road",
      ),
      button(`+ in front of ${beside?.name ?? ""}`, "where there is room for it", "front"),
      button(`+ behind ${beside?.name ?? ""}`, "at the distance its headway requires, where there is room", "behind"),
      h(
        "button",
        {
          type: "button",
          class: "in-action",
          disabled: !names.length,
          title: `${NEW_PLATOON} cars of this model in the emptiest lane, under this controller`,
          onclick: platoon,
        },
        "+ Platoon",
      ),
    ),
    message,
  );
  return section;
}

function row(app: Chosen & Server, world: World, v: Vehicle, fixed: boolean): HTMLElement {
  const gone = h(
    "button",
    {
      type: "button",
      class: "in-icon",
      "aria-label": `remove ${v.name}`,
      title: `remove ${v.name}`,
      onclick: () =>
        void app.change("car", { world: world.world, op: "remove", vehicle: v.name }).catch(() => undefined),
    },
    "×",
  );
  return h(
    "tr",
    { "aria-current": v.name === app.selection?.vehicle || app.also.includes(v.name) ? "true" : null },
    h(
      "td",
      {},
      h(
        "button",
        {
          type: "button",
          class: "in-link",
          title: "Shift or Ctrl: add to the selection",
          onclick: (e: MouseEvent) =>
            e.shiftKey || e.ctrlKey || e.metaKey
              ? app.selectMore(world.world, v.name)
              : app.select(world.world, v.name),
        },
        v.name,
      ),
    ),
    h("td", {}, v.model),
    h("td", {}, follows(v)),
    h("td", {}, fixed ? "" : gone),
  );
}

export function carsPanel(app: App, world: World): HTMLElement[] {
  const fixed = fixedWhy(app, world);
  return [
    h(
      "header",
      { class: "in-head" },
      h("div", {}, h("h2", {}, "Cars"), h("span", { class: "in-sub" }, `${world.vehicles.length} in ${world.name}`)),
    ),
    fixed ? h("p", { class: "in-note" }, `Cars cannot be changed: ${fixed}.`) : newCar(app, world),
    h(
      "div",
      { class: "in-cars" },
      h(
        "table",
        { class: "in-table" },
        h(
          "thead",
          {},
          h("tr", {}, ...["Car", "Model", "Follows"].map((t) => h("th", { scope: "col" }, t)), h("td", {})),
        ),
        h("tbody", {}, ...world.vehicles.slice(0, MAX_ROWS).map((v) => row(app, world, v, fixed !== undefined))),
      ),
      world.vehicles.length > MAX_ROWS
        ? h("p", { class: "in-note" }, `and ${world.vehicles.length - MAX_ROWS} more`)
        : null,
    ),
  ];
}
