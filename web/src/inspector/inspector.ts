// inspector.ts - the right column: the selected car, or the world when nothing is selected; or one of
// the rail's panels.
//
// A column is rebuilt only when its rows differ (another car, tab or version of the scenario);
// otherwise only its numbers are updated, so that what the user is editing is not lost.
import type { App, Chosen, Page, Scenario, Server, Time } from "../core/app.ts";
import { follows, fixedWhy, given, modelOf } from "../core/facts.ts";
import { rosterOf } from "../core/roster.ts";
import { filesPanel } from "../files/filespanel.ts";
import { carType } from "../scene/cartypes.ts";
import { startPlacing } from "../scene/placing.ts";
import { h } from "../ui/dom.ts";
import { makeChoice, plain, short, unitText } from "../ui/form.ts";
import type { Vehicle, World } from "../wire/protocol.ts";
import { carForm, modelCard, type LiveForm } from "./carform.ts";
import { carPicture } from "./carpicture.ts";
import { carsPanel } from "./carspanel.ts";
import { checkinBar } from "./checkinbar.ts";
import { disturbForm } from "./disturb.ts";
import { forgetEditors } from "./formula.ts";
import { lateralForm, type LateralForm } from "./lateral.ts";
import { cardKey, controllerCard, type ControllerCard } from "./law.ts";
import { chosen, manyForm } from "./manyform.ts";
import { modeNow } from "./modenow.ts";
import { roadPanel } from "./roadedit.ts";
import { onBench, toBench } from "./tobench.ts";

type Tab = "car" | "controller" | "lateral" | "disturb" | "model";
const TABS: [Tab, string][] = [
  ["car", "Car"],
  ["controller", "Controller"],
  ["lateral", "Lateral"],
  ["disturb", "Disturb"],
  ["model", "Model"],
];

// Puts a new column in and gives the focus back to the same control, if there is one.
export function swap(host: HTMLElement, parts: (HTMLElement | null)[]): void {
  const active = host.contains(document.activeElement) ? (document.activeElement as HTMLElement) : null;
  const label = active?.getAttribute("aria-label");
  const scroll = host.scrollTop;
  const range = active instanceof HTMLTextAreaElement ? [active.selectionStart, active.selectionEnd] : null;
  host.replaceChildren(...parts.filter((p): p is HTMLElement => p !== null));
  host.scrollTop = scroll;
  if (!active) return;
  const again = host.contains(active)
    ? active
    : label
      ? host.querySelector<HTMLElement>(`[aria-label="${CSS.escape(label)}"]`)
      : null;
  again?.focus({ preventScroll: true });
  if (range && again instanceof HTMLTextAreaElement) again.setSelectionRange(range[0]!, range[1]!);
}
function hidden(host: HTMLElement): boolean {
  return host.classList.contains("hidden");
}
// The user is typing in here.
function busy(host: HTMLElement): boolean {
  const e = document.activeElement;
  return (
    host.contains(e) &&
    e instanceof HTMLInputElement &&
    e.type !== "range" &&
    e.value !== e.defaultValue &&
    e.classList.contains("fo-number")
  );
}

export function mountInspector(host: HTMLElement, app: App) {
  let tab: Tab = "controller";
  let picture: ReturnType<typeof carPicture> | null = null;
  let check: ReturnType<typeof checkinBar> | null = null;
  let card: ControllerCard | null = null;
  let form: LiveForm | null = null;
  let lateral: LateralForm | null = null;
  let key = "";
  let late = false;

  const target = (): { world: World; vehicle: Vehicle } | null => {
    const s = app.selection;
    const world = s ? app.world(s.world) : undefined;
    const vehicle = world?.vehicles.find((v) => v.name === s?.vehicle);
    return world && vehicle ? { world, vehicle } : null;
  };
  const keyNow = (): string => {
    const t = target();
    const w = t?.world ?? app.current();
    if (!w) return "";
    const letter = app.letter(w.world);
    const colour = app.colour(w.world);
    const worlds = app
      .shown()
      .map((o) => o.world)
      .join();
    if (!t)
      return [
        "world",
        w.name,
        letter,
        colour,
        worlds,
        w.vehicles.map((v) => v.name + v.model + v.controller).join(),
        cardKey(w, given(w)[0]),
      ].join("/");
    const many = chosen(app);
    if (many)
      return [
        "many",
        letter,
        colour,
        w.world,
        w.version,
        many.vehicles.map((v) => v.name + v.model + v.controller).join(),
      ].join("/");
    const c = w.controllers.find((o) => o.name === t.vehicle.controller);
    return [
      tab,
      letter,
      colour,
      worlds,
      t.vehicle.name,
      t.vehicle.model,
      t.vehicle.profile,
      t.vehicle.place,
      t.vehicle.platoon,
      tab === "car" ? [t.vehicle.lane, w.platoons.map((p) => p.name)].join() : "",
      w.vehicles.filter((v) => v.controller === t.vehicle.controller).length,
      tab === "controller" ? cardKey(w, c) : `${w.world}.${w.version}`,
    ].join("/");
  };
  const refresh = (): void => {
    if (hidden(host)) return; // show() does it: an editor belongs to the form that is seen
    const t = target();
    const w = t?.world ?? app.current();
    if (keyNow() !== key) {
      if (busy(host)) return void (late = true);
      return build();
    }
    if (w) card?.update(w);
  };
  const build = (): void => {
    key = keyNow();
    late = false;
    card = null;
    form = null;
    picture = null;
    check = null;
    lateral?.end();
    lateral = null;
    const t = target();
    const many = chosen(app);
    if (many) {
      const made = manyForm(app, many.world, many.vehicles);
      form = made.form;
      return swap(host, made.parts);
    }
    swap(host, t ? carParts(t.world, t.vehicle) : worldParts());
  };

  const carParts = (world: World, vehicle: Vehicle): HTMLElement[] => {
    picture = carPicture(app, world, vehicle);
    check = checkinBar(app, world, vehicle);
    const body = h("div", {
      class: "in-body",
      role: "tabpanel",
      id: "in-panel",
      "aria-label": TABS.find(([n]) => n === tab)![1],
    });
    if (tab === "controller") {
      card = controllerCard(app, world, vehicle.controller);
      body.append(...controllerChoice(world, vehicle));
      if (world.kind === "run" && vehicle.controller && modelOf(world, vehicle)?.pedals !== false) {
        const now = modeNow(app, world, vehicle);
        form = now;
        body.append(now.root);
      }
      body.append(card.root);
    } else if (tab === "lateral") {
      form = lateral = lateralForm(app, world, vehicle);
      body.append(lateral.root);
    } else if (tab === "disturb") body.append(disturbForm(app, world, vehicle));
    else form = tab === "car" ? carForm(app, body, world, vehicle) : modelCard(app, body, world, vehicle);
    return [head(world, vehicle), picture.root, check.root, actions(world, vehicle), tabs(), body];
  };
  const choose = (to: Tab, focus: boolean): void => {
    tab = app.option<Tab>("inspector.tab", to);
    build();
    if (focus) host.querySelector<HTMLElement>('[role=tab][aria-selected="true"]')?.focus();
  };
  const tabs = (): HTMLElement => {
    const row = h(
      "div",
      { class: "in-tabs", role: "tablist", "aria-label": "about this car", "data-arrows": "" },
      ...TABS.map(([name, title]) =>
        h(
          "button",
          {
            type: "button",
            role: "tab",
            "aria-selected": String(name === tab),
            "aria-controls": "in-panel",
            tabindex: name === tab ? "0" : "-1",
            onclick: (e: MouseEvent) => choose(name, e.detail === 0), // by the mouse: Space stays that of time
          },
          title,
        ),
      ),
    );
    row.addEventListener("keydown", (e) => {
      const step = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0;
      if (!step) return;
      e.stopPropagation();
      choose(TABS[(TABS.findIndex(([n]) => n === tab) + step + TABS.length) % TABS.length]![0], true);
    });
    return row;
  };
  const head = (world: World, vehicle: Vehicle): HTMLElement => {
    const badge = h(
      "span",
      { class: "in-badge" },
      rosterOf(app, world).labels[world.vehicles.indexOf(vehicle)] ?? vehicle.name,
    );
    badge.style.background = app.colour(world.world);
    return h(
      "header",
      { class: "in-head" },
      badge,
      h("div", {}, h("h2", {}, `${vehicle.name}, ${world.name}`), modelChoice(app, world, vehicle, build)),
      h(
        "span",
        { class: "in-pill", title: "kind of dynamic model" },
        vehicle.driven ? `driven by ${vehicle.driven}` : vehicle.kind,
      ),
    );
  };
  const actions = (world: World, vehicle: Vehicle): HTMLElement => {
    const off = fixedWhy(app, world);
    const button = (label: string, help: string, run: () => void, main = false): HTMLElement =>
      h(
        "button",
        {
          type: "button",
          class: main ? "in-action main" : "in-action",
          title: off ?? help,
          disabled: off !== undefined,
          onclick: run,
        },
        label,
      );
    const add = (where: "front" | "behind"): void => addCar(app, world, vehicle, where);
    return h(
      "div",
      { class: "in-actions" },
      button("Drive", "take throttle, brake and steering (D)", () => app.run("drive"), true),
      button("+ Front", "a car like this in front of it", () => add("front")),
      button("+ Behind", "a car like this behind it", () => add("behind")),
      button("Remove", "take this car off the road (Del)", () => app.run("remove car")),
    );
  };
  // Which controller drives this car.
  const controllerChoice = (world: World, vehicle: Vehicle): HTMLElement[] => {
    const names = given(world).map((c) => c.name);
    const shared = sharing(world, vehicle);
    if (names.length < 1 || (names.length === 1 && names[0] === vehicle.controller)) return shared ? [shared] : [];
    const now = names.includes(vehicle.controller) ? names : [vehicle.controller, ...names];
    const pick = makeChoice(
      "Controller",
      now.map((n) => n),
      vehicle.controller,
      (name) => {
        app.change("car", { world: world.world, op: "controller", vehicle: vehicle.name, name }).catch(() => build());
      },
      "another controller for this car alone",
    );
    for (const o of pick.querySelectorAll("option"))
      if (o.value.startsWith("(") || o.value === "")
        o.textContent = vehicle.profile ? `profile ${vehicle.profile}` : "none";
    return shared ? [pick, shared] : [pick];
  };
  // What is changed below is changed for all cars of the controller, unless this one gets its own.
  const sharing = (world: World, vehicle: Vehicle): HTMLElement | null => {
    const cars = world.vehicles.filter((v) => v.controller === vehicle.controller).length;
    if (cars < 2 || !vehicle.controller || vehicle.controller.startsWith("(")) return null;
    return h(
      "p",
      { class: "in-note in-shared" },
      `Law and gains of ${vehicle.controller} are those of ${cars} cars. `,
      h(
        "button",
        {
          type: "button",
          class: "in-link",
          disabled: fixedWhy(app, world) !== undefined,
          title: "A new controller, a copy of this one, for this car alone",
          onclick: () =>
            void app.change("car", { world: world.world, op: "own", vehicle: vehicle.name }).catch(() => undefined),
        },
        `New controller for ${vehicle.name} alone`,
      ),
    );
  };

  // Nothing selected: the world.
  const worldParts = (): HTMLElement[] => {
    const world = app.current();
    if (!world) return [h("p", { class: "in-empty" }, "No world yet.")];
    const badge = h("span", { class: "in-badge" }, app.letter(world.world));
    badge.style.background = app.colour(world.world);
    const parts = [
      h(
        "header",
        { class: "in-head" },
        badge,
        h(
          "div",
          {},
          h("h2", {}, world.name),
          h(
            "span",
            { class: "in-sub" },
            world.kind === "replay"
              ? "recording"
              : `${world.vehicles.length} cars, step ${plain(world.step * 1000)} ms`,
          ),
        ),
      ),
    ];
    const main = given(world)[0];
    if (main) {
      card = controllerCard(app, world, main.name);
      parts.push(h("div", { class: "in-body" }, h("h3", {}, `Controller ${main.name}`), card.root));
    }
    parts.push(worldFigures(app, world), carTable(app, world));
    return parts;
  };

  startCommands(app, target);
  for (const topic of ["select", "world", "theme"] as const) app.on(topic, refresh);
  app.on("worlds", (d) => {
    if (d?.reset) {
      forgetEditors();
      tab = app.option<Tab>("inspector.tab") ?? "controller";
      if (!TABS.some(([n]) => n === tab)) tab = "controller";
      key = "?";
    }
    refresh();
  });
  host.addEventListener("focusout", () => {
    if (late) window.setTimeout(refresh, 0);
  });
  build();
  return {
    show: (visible: boolean) => visible && refresh(),
    draw() {
      picture?.draw();
      check?.draw();
      form?.draw();
    },
  };
}

function modelChoice(app: Scenario & Server, world: World, vehicle: Vehicle, back: () => void): HTMLElement {
  const names = world.models.includes(vehicle.model) ? world.models : [vehicle.model, ...world.models];
  const pick = makeChoice(
    "Model",
    names,
    vehicle.model,
    (name) => {
      app.change("car", { world: world.world, op: "model", vehicle: vehicle.name, name }).catch(back);
    },
    "another model: the car keeps its motion",
  );
  pick.querySelector("select")!.disabled = fixedWhy(app, world) !== undefined;
  return pick;
}

function addCar(app: Server & Page, world: World, vehicle: Vehicle, where: "front" | "behind"): void {
  const controller =
    vehicle.controller.startsWith("(") || !vehicle.controller ? given(world)[0]?.name : vehicle.controller;
  void app
    .change("car", { world: world.world, op: "add", model: vehicle.model, controller, beside: vehicle.name, where })
    .then(
      (a) => {
        if (a.vehicle) app.speak(`${a.vehicle} added`);
      },
      () => undefined,
    );
}

// The followers of the selected car's platoon, all at once.
function choosePlatoon(app: App): void {
  const world = app.current();
  const s = app.selection;
  if (!world) return;
  const platoon =
    world.vehicles.find((v) => v.name === s?.vehicle)?.platoon ??
    world.vehicles.find((v) => v.platoon >= 0)?.platoon ??
    -1;
  const all = world.vehicles.filter((v) => v.platoon === platoon && !v.leader);
  if (!all.length) return;
  app.selection = { world: world.world, vehicle: all[0]!.name };
  app.also = all.slice(1).map((v) => v.name);
  app.emit("select");
  app.speak(`${all.length} cars chosen`);
}

function startCommands(app: App, target: () => { world: World; vehicle: Vehicle } | null): void {
  app.command({
    name: "choose platoon",
    title: "Choose all followers of the platoon",
    group: "Cars",
    help: "One form for all of them. Shift-click, or Shift and arrows on the road, adds cars one by one.",
    keys: ["Ctrl+A"],
    run: () => choosePlatoon(app),
  });
  const free = (): boolean => {
    const t = target();
    return t !== null && fixedWhy(app, t.world) === undefined;
  };
  app.command({
    name: "remove car",
    title: "Remove the selected car",
    group: "Cars",
    help: "Takes the car off the road immediately; undo brings it back.",
    keys: ["Delete"],
    when: () => free() && !app.also.length,
    run: () => {
      const t = target();
      if (t)
        app.change("car", { world: t.world.world, op: "remove", vehicle: t.vehicle.name }).then(
          () => app.select(t.world.world, null),
          () => undefined,
        );
    },
  });
  app.command({
    name: "car to bench",
    title: "The selected car on the vehicle bench",
    group: "Cars",
    help: "A car that is made of a mechanism, as it is at the playhead; what is changed there can be brought back.",
    when: () => !app.also.length && onBench(target()?.vehicle ?? null),
    run: () => {
      const t = target();
      if (t) void toBench(app, t.world, t.vehicle);
    },
  });
  startPlacing(app, (world) => carType(world, app.option<string | undefined>("cars.model"), target()?.vehicle));
  for (const where of ["behind", "front"] as const)
    app.command({
      name: `add car ${where}`,
      title: `Add a car ${where === "behind" ? "behind" : "in front of"} the selected one`,
      group: "Cars",
      help: "A car of the same model and controller, at the distance its headway requires.",
      when: free,
      run: () => {
        const t = target();
        if (t) addCar(app, t.world, t.vehicle, where);
      },
    });
}

function worldFigures(app: Time & Server, world: World): HTMLElement {
  const figures = h("div", { class: "in-short", role: "group", "aria-label": "figures of this world" });
  app.ask("figures", { worlds: [world.world], ...(app.clock.live ? {} : { to: app.clock.t }) }).then(
    (answer) => {
      for (const row of answer.rows.slice(0, 10))
        if (row.values[0] !== null)
          figures.append(
            h(
              "div",
              { class: "in-pair", title: row.doc },
              h("span", {}, row.name.replace(/_/g, " ")),
              h("b", {}, short(row.values[0])),
              h("span", { class: "fo-unit" }, unitText(row.unit)),
            ),
          );
    },
    () => undefined,
  );
  return figures;
}

function carTable(app: Chosen, world: World): HTMLElement {
  const rows = world.vehicles
    .slice(0, 40)
    .map((v) =>
      h(
        "tr",
        {},
        h(
          "td",
          {},
          h("button", { type: "button", class: "in-link", onclick: () => app.select(world.world, v.name) }, v.name),
        ),
        h("td", {}, v.model),
        h("td", {}, follows(v)),
      ),
    );
  return h(
    "div",
    { class: "in-cars" },
    h(
      "table",
      { class: "in-table" },
      h("caption", {}, "Cars"),
      h("thead", {}, h("tr", {}, ...["Car", "Model", "Follows"].map((t) => h("th", { scope: "col" }, t)))),
      h("tbody", {}, ...rows),
    ),
    world.vehicles.length > 40 ? h("p", { class: "in-note" }, `and ${world.vehicles.length - 40} more`) : null,
  );
}
// Panels of the rail in the inspector's place.
export function mountPanel(host: HTMLElement, app: App, which: string) {
  let cards: ControllerCard[] = [];
  let key = "";
  let form: LiveForm | null = null;
  const now = (): World | undefined => app.current();
  const keyNow = (world: World | undefined): string => {
    if (!world || which === "files") return which;
    const select = [app.selection?.vehicle ?? "", ...app.also].join();
    const own = [app.letter(world.world), app.colour(world.world), app.shown().length];
    if (which === "road") return JSON.stringify([world.world, own, { ...world.road, profile: 0 }, world.name]);
    if (which === "cars")
      return JSON.stringify([
        world.world,
        own,
        world.vehicles.map((v) => [v.name, v.model, follows(v)]),
        select,
        world.models,
        given(world).map((c) => c.name),
      ]);
    if (which === "control") return JSON.stringify([own, given(world).map((c) => cardKey(world, c))]);
    return JSON.stringify([world.world, own, select, world.version, world.vehicles.length]);
  };
  const control = (world: World): void => {
    cards = given(world).map((c) => controllerCard(app, world, c.name));
    swap(host, [
      h(
        "header",
        { class: "in-head" },
        h("div", {}, h("h2", {}, "Controllers"), h("span", { class: "in-sub" }, world.name)),
      ),
      ...cards.map((c) => h("section", { class: "in-body" }, h("h3", {}, c.root.dataset.controller ?? ""), c.root)),
      cards.length ? null : h("p", { class: "in-empty" }, "No controllers here."),
    ]);
  };
  const vehicle = (world: World): void => {
    const v =
      world.vehicles.find((o) => o.name === app.selection?.vehicle) ??
      world.vehicles.find((o) => o.leader) ??
      world.vehicles[0];
    if (!v) return swap(host, [h("p", { class: "in-empty" }, "No car.")]);
    const body = h("div", { class: "in-body" });
    form = modelCard(app, body, world, v);
    swap(host, [
      h(
        "header",
        { class: "in-head" },
        h("div", {}, h("h2", {}, `Dynamic model of ${v.name}`), modelChoice(app, world, v, build)),
      ),
      body,
    ]);
  };
  const build = (): void => {
    if (hidden(host)) return;
    const world = now();
    const next = keyNow(world);
    if (next === key || busy(host)) {
      if (world) for (const c of cards) c.update(world);
      return;
    }
    key = next;
    cards = [];
    form = null;
    if (which === "files") return filesPanel(host, app);
    if (!world) return swap(host, [h("p", { class: "in-empty" }, "No world yet.")]);
    if (which === "road") swap(host, roadPanel(app, world));
    else if (which === "cars") swap(host, carsPanel(app, world));
    else if (which === "control") control(world);
    else vehicle(world);
  };
  const offs = (["world", "worlds", "select", "theme"] as const).map((t) => app.on(t, build));
  build();
  return {
    show: (visible: boolean) => visible && build(),
    draw: () => form?.draw(),
    destroy: () => offs.forEach((off) => off()),
  };
}
