// law.ts - the card of a controller: law, equation, gains as sliders, verdict, cars received, radio,
// the platoon's headway; the law as formulas or by matrices.
//
// A gain that is dragged behind the live end is only tried (the string-stability card follows); when
// it is let go the world branches there.
import type { App, Scenario, Server } from "../core/app.ts";
import { fixedWhy } from "../core/facts.ts";
import { onTrial, tryGains } from "../core/trying.ts";
import { h } from "../ui/dom.ts";
import { fitLabels, makeChoice, makeField, plain, type Field } from "../ui/form.ts";
import type { Changed, Controller, Law, Row, World } from "../wire/protocol.ts";
import { closeEditor, editorOf, followEditor, forgetEditor, lawText, openEditor } from "./formula.ts";
import { linearForm } from "./linear.ts";

// Sets a number of a controller (of all cars that have it) or of one car; GROUP.NAME where a name
// alone could mean another one.
export function setGain(
  app: Server,
  world: World,
  target: { controller?: string; vehicle?: string },
  param: string,
  value: number,
): Promise<Changed> {
  return app.change("set", { world: world.world, ...target, param, value });
}

export function lawOf(app: Scenario, name: string): Law | undefined {
  return app.laws.find((l) => l.name === name);
}

function here(world: World | undefined, name: string): Controller | undefined {
  return world?.controllers.find((c) => c.name === name);
}

export interface ControllerCard {
  root: HTMLElement;
  key: string;
  update(world: World): void;
}
// What must be the same for a card to be updated instead of rebuilt.
export function cardKey(world: World, c: Controller | undefined): string {
  return c
    ? [world.world, c.name, c.law, c.own, c.lines.map((l) => l.formula).join(";"), Object.keys(c.gains).join()].join(
        "|",
      )
    : `${world.world}|none`;
}

// Fields of all gains; the same controller in the other worlds shown is a tick.
function gainFields(app: App, world: World, c: Controller): Field[] {
  return c.rows.map((row) => {
    const others = app
      .shown()
      .filter((w) => w.world !== world.world)
      .flatMap((w) => {
        const value = here(w, c.name)?.gains[row.name];
        return value === undefined ? [] : [{ value, colour: app.colour(w.world), name: w.name }];
      });
    return makeField(row, {
      value: c.gains[row.name] ?? row.default ?? 0,
      colour: app.colour(world.world),
      others,
      disabled: fixedWhy(app, world),
      help: c.own ? undefined : `${c.law}/${row.name}`,
      send(value, done) {
        tryGains(app, world.world, done ? null : { [row.name]: value }, c.name);
        return done || app.clock.live
          ? setGain(app, world, { controller: c.name }, ofModel(app, row.name) ? `law.${row.name}` : row.name, value)
          : undefined;
      },
    });
  });
}
const CONTROL = ["desired", "inner", "radio", "sensor", "avoid"]; // groups of tables that are not of vehicles
// Cars have a number of that name too.
function ofModel(app: Scenario, name: string): boolean {
  return app.tables.some((t) => t.group && !CONTROL.includes(t.group) && t.rows.some((r) => r.name === name));
}

// Headway and distance of all cars of a controller: never below what the roadway commands.
function headwayFields(app: App, world: World, c: Controller): Field[] {
  return (["headway", "distance"] as const).map((name) => {
    const row = app.tables.find((t) => t.name === "vehicle")?.rows.find((r) => r.name === name) ?? {
      name,
      unit: name === "headway" ? "s" : "m",
      default: null,
      min: 0,
      max: 1000,
      doc: "",
    };
    return makeField(row, {
      ...roadFloor(world, name, row),
      value: c[name] ?? world.road[name] ?? NaN,
      label: name,
      colour: app.colour(world.world),
      disabled: fixedWhy(app, world),
      help: `vehicle/${name}`,
      send(value, done) {
        tryGains(app, world.world, done ? null : { [name]: value }, c.name);
        return done || app.clock.live ? setGain(app, world, { controller: c.name }, name, value) : undefined;
      },
    });
  });
}
// The headway and distance that the roadway commands are minima.
export function roadFloor(world: World, name: string, row: Row): { floor?: number; floorReason?: string } {
  if ((name !== "headway" && name !== "distance") || !world.road.commanded.includes(name)) return {};
  const floor = world.road[name];
  if (floor === null) return {};
  return {
    floor,
    floorReason: `the roadway commands ${plain(floor)} ${row.unit}; a car may keep more, not less`,
  };
}

// The typeset law: the short equation of a built-in one, all lines of a user-defined one.
function equationBlock(app: Scenario, c: Controller): HTMLElement {
  const names = Object.keys(c.gains);
  const short = c.own ? "" : (lawOf(app, c.law)?.equation ?? "");
  const text = short
    ? short.replace(/(;|,) {2}/g, "$1\n").replace(/\) \+ /g, ")\n   + ")
    : lawText({ ...c, gains: {} });
  const block = h("pre", { class: "la-equation", "aria-label": "law", tabindex: "0" });
  for (const part of text.split(/([A-Za-z_][A-Za-z_0-9]*)/)) {
    if (names.includes(part)) block.append(h("b", { "data-gain": part }, part));
    else block.append(part);
  }
  return block;
}

// Cars received by radio: one box per position; a click changes it.
const PLACES: [string, string][] = [
  ["leader", "the platoon's leader"],
  ["3", "the third car ahead"],
  ["2", "the second car ahead"],
  ["front", "the car in front"],
  ["behind", "the car behind"],
];
function topology(app: Scenario & Server, world: World, c: Controller): HTMLElement {
  const heard = new Set(c.listen.map((l) => (l === -1 ? "behind" : String(l))));
  const off = fixedWhy(app, world);
  const boxes = PLACES.map(([place, words]) => {
    const on = heard.has(place);
    const box = h(
      "button",
      {
        type: "button",
        class: "la-link",
        "aria-pressed": String(on),
        disabled: off !== undefined,
        title: `${words}: ${on ? "heard" : "not heard"} by radio`,
      },
      /\d/.test(place) ? `+${place}` : place,
    );
    box.addEventListener("click", () => {
      const listen = PLACES.map(([p]) => p)
        .filter((p) => (p === place ? !on : heard.has(p)))
        .map((p) => (/\d/.test(p) ? Number(p) : p));
      void app.change("car", { world: world.world, op: "listen", controller: c.name, listen }).catch(() => undefined);
    });
    return box;
  });
  return h(
    "div",
    { class: "la-links", role: "group", "aria-label": "cars received by radio" },
    h("span", { class: "fo-label" }, "hears"),
    ...boxes,
  );
}

function radioFields(app: Scenario & Server, world: World, c: Controller): Field[] {
  const rows = app.tables.find((t) => t.name === "radio")?.rows ?? [];
  return rows.map((row) =>
    makeField(row, {
      value: c.radio[row.name] ?? row.default ?? 0,
      label: `radio ${row.name}`,
      help: `radio/${row.name}`,
      disabled: fixedWhy(app, world),
      colour: app.colour(world.world),
      send: (value, done) =>
        done
          ? app.change("car", { world: world.world, op: "radio", controller: c.name, values: { [row.name]: value } })
          : undefined,
    }),
  );
}

// Does it amplify? Asked again when a gain is tried or changed.
function verdict(app: App, world: World, name: string): { root: HTMLElement; ask(): void } {
  const head = h("div", { class: "la-verdict-head" });
  const line = h("div", { class: "la-verdict-line" });
  const root = h("div", { class: "la-verdict", "data-verdict": "" }, head, line);
  let asked = 0;
  let busy = false;
  let next: (Record<string, number> | undefined)[] = [];
  const say = (kind: string, title: string, text: string): void => {
    root.dataset.verdict = kind;
    head.textContent = title;
    line.textContent = text;
  };
  const show = (tried?: Record<string, number>): void => {
    if (busy) return void (next = [tried]);
    const mine = ++asked;
    busy = true;
    app
      .ask("string", {
        worlds: [world.world],
        controller: name,
        try: tried,
        from: Math.max(app.clock.start, app.clock.end - 60),
        to: app.clock.end,
        // The gains above are those of this world, also while the playhead stands before its fork.
        ...(app.clock.live ? {} : { t: Math.max(app.clock.t, world.fork ?? 0) }),
      })
      .then(
        (answer) => {
          const r = answer.worlds[0];
          if (mine !== asked || !r) return;
          if (r.verdict === "stable") say("stable", "● String stable", r.text);
          else if (r.verdict === "unknown") say("unknown", "No verdict", r.text);
          else say("unstable", "▲ Amplifies disturbances", r.text);
        },
        (e: Error) => say("unknown", "No verdict", e.message),
      )
      .finally(() => {
        busy = false;
        if (next.length) show(next.pop());
        next = [];
      });
  };
  const off = onTrial(app, (trial) => {
    if (!root.isConnected) return off();
    if (trial.world === world.world && trial.controller === name) show(trial.params ?? undefined);
  });
  return { root, ask: () => show() };
}

function about(law: Law): HTMLElement {
  const rows = (
    [
      ["Source", law.source],
      ["Stability", law.stability],
      ["Limits", law.limits],
    ] as const
  ).filter(([, text]) => text);
  return h(
    "details",
    { class: "la-more" },
    h("summary", {}, "About this law"),
    h("p", {}, law.doc),
    h("dl", {}, ...rows.flatMap(([name, text]) => [h("dt", {}, name), h("dd", {}, text)])),
  );
}

// The law: chosen by name, shown as an equation, or typed as formulas in the equation's place.
function lawHead(app: App, world: World, c: Controller): HTMLElement[] {
  const off = fixedWhy(app, world);
  const law = lawOf(app, c.law);
  const names = app.laws.map((l) => l.name);
  const pick = makeChoice(
    "Law",
    c.own ? ["own law", ...names] : names,
    c.own ? "own law" : c.law,
    (to) => {
      if (to === "own law") return;
      forgetEditor(c.name);
      app
        .change("car", { world: world.world, op: "law", controller: c.name, name: to })
        .catch(() => (select.value = c.own ? "own law" : c.law));
    },
    law ? undefined : "your own formulas",
  );
  const select = pick.querySelector("select")!;
  select.disabled = off !== undefined;
  if (law && !c.own) pick.setAttribute("data-help", c.law);
  const place = h("div", {});
  const edit = h("button", { type: "button", class: "in-link", disabled: off !== undefined }, "Edit as formula");
  const equation = (): void => {
    place.replaceChildren(equationBlock(app, c));
    edit.hidden = false;
  };
  const close = (): void => {
    closeEditor(c.name);
    equation();
    edit.focus();
  };
  const open = (focus: boolean): void => {
    const editor = openEditor(app, world, c, close, equation);
    place.replaceChildren(editor);
    edit.hidden = true;
    if (focus) editor.querySelector("textarea")?.focus();
  };
  edit.addEventListener("click", () => open(true));
  if (editorOf(c.name)) open(false);
  else place.append(equationBlock(app, c));
  return [h("div", { class: "la-head" }, pick, edit), place];
}

export function controllerCard(app: App, world: World, name: string): ControllerCard {
  const c = here(world, name);
  const key = cardKey(world, c);
  if (!c)
    return {
      root: h(
        "p",
        { class: "in-empty" },
        world.kind === "replay"
          ? "A recording has no controllers."
          : "This car has no controller: it follows a speed profile or rolls freely.",
      ),
      key,
      update: () => undefined,
    };
  if (c.name.startsWith("(")) return profileCard(app, world, c, key);
  const law = lawOf(app, c.law);
  const gains = gainFields(app, world, c);
  const keeps = headwayFields(app, world, c);
  const radio = radioFields(app, world, c);
  const v = verdict(app, world, c.name);
  let links = topology(app, world, c);
  const all = [...gains, ...keeps, ...radio];
  const root = h(
    "div",
    { class: "la-card", "data-controller": c.name },
    ...lawHead(app, world, c),
    h("div", { class: "la-gains" }, ...gains.map((f) => f.root)),
    v.root,
    ...keeps.map((f) => f.root),
    links,
    ...radio.map((f) => f.root),
    law && !c.own ? about(law) : null,
    linearForm(app, world, c),
  );
  fitLabels(
    root,
    all.map((f) => f.root.querySelector(".fo-label")?.textContent ?? ""),
  );
  v.ask();
  let last = JSON.stringify([c.gains, c.headway, c.distance]);
  return {
    root,
    key,
    update(now) {
      const n = here(now, name);
      if (!n) return;
      followEditor(n);
      for (const f of gains) f.set(n.gains[f.row.name] ?? f.value());
      for (const f of keeps) f.set(n[f.row.name as "headway"] ?? now.road[f.row.name as "headway"] ?? NaN);
      for (const f of radio) f.set(n.radio[f.row.name] ?? f.value());
      const fresh = topology(app, now, n);
      if (fresh.textContent !== links.textContent || fresh.innerHTML !== links.innerHTML) {
        links.replaceWith(fresh);
        links = fresh;
      }
      const text = JSON.stringify([n.gains, n.headway, n.distance]);
      if (text !== last) v.ask();
      last = text;
    },
  };
}

// A car with a speed profile: the law that follows it.
function profileCard(app: App, world: World, c: Controller, key: string): ControllerCard {
  const fields = gainFields(app, world, c);
  const law = lawOf(app, c.law);
  const root = h(
    "div",
    { class: "la-card", "data-controller": c.name },
    h("p", { class: "in-note" }, `Follows its speed profile by the law ${c.law}.`),
    equationBlock(app, c),
    ...fields.map((f) => f.root),
    law ? about(law) : null,
  );
  fitLabels(
    root,
    fields.map((f) => f.row.name),
  );
  return {
    root,
    key,
    update: (now) => {
      for (const f of fields) f.set(here(now, c.name)?.gains[f.row.name] ?? f.value());
    },
  };
}
