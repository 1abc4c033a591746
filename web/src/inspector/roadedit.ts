// roadedit.ts - the road's panel: commands to automatic cars, of all lanes or of one; lanes; hills and stretches of
// other friction as tables.
import { parse } from "../base/units.ts";
import type { App, Scenario, Server, Time } from "../core/app.ts";
import { hasErsc } from "../core/ersc.ts";
import { fixedWhy } from "../core/facts.ts";
import { MIN_LANES } from "../scene/checkin.ts";
import { levelSwitch } from "../scene/erscpanel.ts";
import { fixedBy } from "../scene/hills.ts";
import { h } from "../ui/dom.ts";
import { fitLabels, makeChoice, makeField, plain, type Field } from "../ui/form.ts";
import type { Changed, Friction, Grade, Road, Row, World } from "../wire/protocol.ts";

const row = (app: Scenario, name: string, unit: string, min: number, max: number, doc: string): Row =>
  app.tables.find((t) => t.name === "road")?.rows.find((r) => r.name === name) ?? {
    name,
    unit,
    default: null,
    min,
    max,
    doc,
  };

// What is wrong with a list of hills; "" if nothing. Stretches may not overlap.
export function checkGrades(grades: Grade[]): string {
  const sorted = [...grades].sort((a, b) => a.from - b.from);
  for (const [i, g] of sorted.entries()) {
    if (!(g.to > g.from)) return `a hill must end after its start: ${plain(g.from)} to ${plain(g.to)} m`;
    if (Math.abs(g.grade) > 0.8) return `${plain(100 * Math.tan(g.grade))} % is too steep: at most 0.8 rad`;
    if (2 * g.transition > g.to - g.from + 1e-9)
      return `from ${plain(g.from)} m: the transitions of ${plain(g.transition)} m do not fit into ${plain(g.to - g.from)} m`;
    const next = sorted[i + 1];
    if (next && next.from < g.to)
      return `hills overlap between ${plain(next.from)} and ${plain(Math.min(g.to, next.to))} m`;
  }
  return "";
}

// The automatic cars of a lane are commanded one by one: the roadway's command is for all lanes.
const MAX_CARS = 64; // in one request
let lane = 0; // that is commanded; 0: all

function commandLane(app: App, world: World, name: string, value: number): Promise<Changed> {
  const cars = world.vehicles.filter((v) => v.lane === lane && v.controller && !v.controller.startsWith("("));
  if (!cars.length || cars.length > MAX_CARS) {
    app.toast(cars.length ? `Lane ${lane} has more than ${MAX_CARS} cars` : `No automatic car drives in lane ${lane}`);
    return Promise.reject(new Error("no car"));
  }
  return app.change("set", {
    world: world.world,
    vehicles: cars.map((v) => v.name),
    param: `desired.${name}`,
    value,
  });
}

function laneChoice(world: World): HTMLElement | null {
  if (world.road.lanes < 2) return null;
  if (lane > world.road.lanes) lane = 0;
  const names = ["all lanes", ...Array.from({ length: world.road.lanes }, (_, i) => `lane ${i + 1}`)];
  return makeChoice("for", names, names[lane]!, (to) => (lane = names.indexOf(to)), "which cars a command is for");
}

function commands(app: App, world: World, off: string | undefined): HTMLElement {
  const command = (name: "speed" | "headway" | "distance", unit: string, max: number, doc: string): Field =>
    makeField(row(app, name, unit, 0, max, doc), {
      value: world.road[name] ?? NaN,
      label: name,
      disabled: off,
      colour: app.colour(world.world),
      help: `road/${name}`,
      send: (value, done) =>
        lane
          ? done
            ? commandLane(app, world, name, value)
            : undefined
          : done || app.clock.live
            ? app.change("road", { world: world.world, [name]: value })
            : undefined,
    });
  const fields = [
    command("speed", "m/s", 150, "commanded speed"),
    command("headway", "s", 60, "commanded time headway"),
    command("distance", "m", 1000, "commanded gap at rest"),
  ];
  return fitLabels(
    h(
      "section",
      { class: "in-body", "aria-label": "Commands" },
      h("h3", {}, "Commands to automatic cars"),
      h("p", { class: "in-note" }, "A car may keep a longer headway or distance, never a shorter one."),
      laneChoice(world),
      ...fields.map((f) => f.root),
    ),
    fields.map((f) => f.row.name),
  );
}

function hillCell(
  road: Road,
  g: Grade,
  i: number,
  key: keyof Grade,
  label: string,
  off: boolean,
  say: (text: string) => void,
  send: (grades: Grade[]) => void,
): HTMLElement {
  const show = (): string => (key === "grade" ? plain(100 * Math.tan(g.grade), 3) : plain(g[key]));
  const input = h("input", {
    type: "text",
    inputmode: "decimal",
    class: "fo-number",
    value: show(),
    "aria-label": `hill ${i + 1}: ${label}`,
    disabled: off,
  });
  input.addEventListener("change", () => {
    const v = key === "grade" ? parse(input.value.replace("%", ""), "-") : parse(input.value, "m");
    input.classList.toggle("bad", v === null);
    if (v === null) return say(`${label}: "${input.value}" is not a number; such as ${show()}`);
    const value = input.value === show() ? g[key] : key === "grade" ? Math.atan(v / 100) : v; // what is shown is rounded
    send(road.grades.map((other, k) => (k === i ? { ...other, [key]: value } : other)));
  });
  return h("td", {}, input);
}

// A hill of 4 % over 400 m, 100 m in front of the first car or after the last hill.
function hillAhead(app: Time, world: World): Grade {
  const frame = app.frame(world.world);
  let front = 0;
  if (frame) for (let i = 0; i < frame.n; i++) front = Math.max(front, frame.x[i]!);
  let from = 50 * Math.ceil((front + 100) / 50);
  for (const g of [...world.road.grades].sort((a, b) => a.from - b.from))
    if (g.from < from + 400 && g.to > from) from = g.to;
  return { from, to: from + 400, grade: Math.atan(0.04), transition: 50 };
}

function hills(app: Time & Server, world: World, off: string | undefined): HTMLElement {
  const road = world.road;
  if (road.formula)
    return h(
      "section",
      { class: "in-body", "aria-label": "Hills" },
      h("h3", {}, "Profile"),
      h("p", { class: "in-note" }, `${fixedBy(road)}.`),
    );
  const message = h("p", { class: "fo-error", role: "alert" });
  const say = (text: string): void => void (message.textContent = text);
  const send = (grades: Grade[]): void => {
    const wrong = checkGrades(grades);
    say(wrong);
    if (!wrong && JSON.stringify(grades) !== JSON.stringify(road.grades))
      app.change("grades", { world: world.world, grades }).catch((e: Error) => say(e.message));
  };
  const columns: [keyof Grade, string][] = [
    ["from", "from"],
    ["to", "to"],
    ["grade", "grade in percent"],
    ["transition", "transition"],
  ];
  const rows = road.grades.map((g, i) =>
    h(
      "tr",
      {},
      ...columns.map(([key, label]) => hillCell(road, g, i, key, label, off !== undefined, say, send)),
      h(
        "td",
        {},
        h(
          "button",
          {
            type: "button",
            class: "in-icon",
            "aria-label": `remove hill ${i + 1}`,
            title: "remove",
            disabled: off !== undefined,
            onclick: () => send(road.grades.filter((_, k) => k !== i)),
          },
          "×",
        ),
      ),
    ),
  );
  const table = h(
    "table",
    { class: "in-table in-hills" },
    h(
      "thead",
      {},
      h("tr", {}, ...["from, m", "to, m", "%", "ends, m"].map((t) => h("th", { scope: "col" }, t)), h("td", {})),
    ),
    h("tbody", {}, ...rows),
  );
  return h(
    "section",
    { class: "in-body", "aria-label": "Hills" },
    h("h3", {}, "Hills"),
    road.grades.length ? table : h("p", { class: "in-note" }, "Level. Drag up or down on the grade strip, or:"),
    message,
    h(
      "div",
      { class: "in-actions" },
      h(
        "button",
        {
          type: "button",
          class: "in-action",
          disabled: off !== undefined,
          title: "4 % over 400 m, 100 m in front of the first car",
          onclick: () => send([...road.grades, hillAhead(app, world)].sort((a, b) => a.from - b.from)),
        },
        "+ Hill ahead",
      ),
    ),
  );
}

const MAX_LANES = 16;

function lanes(app: Scenario & Server, world: World, off: string | undefined): HTMLElement {
  const used = Math.max(1, ...world.vehicles.map((v) => v.lane));
  const set = (n: number): void =>
    void app.change("edit", { world: world.world, edit: { road: { lanes: n } } }).catch(() => undefined);
  const button = (label: string, title: string, n: number, ok: boolean): HTMLElement =>
    h(
      "button",
      { type: "button", class: "in-action", title, disabled: off !== undefined || !ok, onclick: () => set(n) },
      label,
    );
  const n = world.road.lanes;
  return h(
    "section",
    { class: "in-body", "aria-label": "Lanes" },
    h("h3", {}, "Lanes"),
    h(
      "div",
      { class: "in-actions" },
      button("− Lane", n > used ? "takes the rightmost lane away" : `lane ${used} has cars`, n - 1, n > used),
      h("span", { class: "in-count" }, String(n)),
      button("+ Lane", "a lane at the right", n + 1, n < MAX_LANES),
    ),
  );
}

// What is wrong with a list of stretches; "" if nothing.
export function checkFriction(list: Friction[]): string {
  const sorted = [...list].sort((a, b) => a.from - b.from);
  for (const [i, f] of sorted.entries()) {
    if (!(f.to > f.from)) return `a stretch must end after its start: ${plain(f.from)} to ${plain(f.to)} m`;
    if (!(f.mu >= 0.001 && f.mu <= 2)) return `friction is ${plain(f.mu)}; expected 0.001 to 2`;
    const next = sorted[i + 1];
    if (next && next.from < f.to)
      return `stretches overlap between ${plain(next.from)} and ${plain(Math.min(f.to, next.to))} m`;
  }
  return "";
}

function friction(app: Time & Server, world: World, off: string | undefined): HTMLElement {
  const list = world.road.friction;
  const message = h("p", { class: "fo-error", role: "alert" });
  const send = (next: Friction[]): void => {
    const wrong = checkFriction(next);
    message.textContent = wrong;
    if (!wrong && JSON.stringify(next) !== JSON.stringify(list))
      app
        .change("edit", { world: world.world, edit: { friction: next } })
        .catch((e: Error) => (message.textContent = e.message));
  };
  const cell = (f: Friction, i: number, key: "from" | "to" | "mu"): HTMLElement => {
    const input = h("input", {
      type: "text",
      inputmode: "decimal",
      class: "fo-number",
      value: plain(f[key]),
      "aria-label": `stretch ${i + 1}: ${key === "mu" ? "friction" : key}`,
      disabled: off !== undefined,
    });
    input.addEventListener("change", () => {
      const v = parse(input.value, key === "mu" ? "-" : "m");
      input.classList.toggle("bad", v === null);
      if (v === null) message.textContent = `"${input.value}" is not a number; such as ${plain(f[key])}`;
      else send(list.map((other, k) => (k === i ? { ...other, [key]: v } : other)));
    });
    return h("td", {}, input);
  };
  const rows = list.map((f, i) =>
    h(
      "tr",
      {},
      cell(f, i, "from"),
      cell(f, i, "to"),
      cell(f, i, "mu"),
      h(
        "td",
        {},
        h(
          "button",
          {
            type: "button",
            class: "in-icon",
            "aria-label": `remove stretch ${i + 1}`,
            title: "remove",
            disabled: off !== undefined,
            onclick: () => send(list.filter((_, k) => k !== i)),
          },
          "×",
        ),
      ),
    ),
  );
  const ahead = (): Friction => {
    const { from } = hillAhead(app, {
      ...world,
      road: { ...world.road, grades: list.map((f) => ({ ...f, grade: 0 })) },
    });
    return { from, to: from + 100, mu: 0.3, transition: 5 };
  };
  return h(
    "section",
    { class: "in-body", "aria-label": "Friction" },
    h("h3", {}, "Friction"),
    list.length
      ? h(
          "table",
          { class: "in-table in-hills" },
          h(
            "thead",
            {},
            h("tr", {}, ...["from, m", "to, m", "friction"].map((t) => h("th", { scope: "col" }, t)), h("td", {})),
          ),
          h("tbody", {}, ...rows),
        )
      : h("p", { class: "in-note" }, "Dry everywhere: friction 1."),
    message,
    h(
      "div",
      { class: "in-actions" },
      h(
        "button",
        {
          type: "button",
          class: "in-action",
          disabled: off !== undefined,
          title: "friction 0.3 over 100 m, 100 m in front of the first car",
          onclick: () => send([...list, ahead()].sort((a, b) => a.from - b.from)),
        },
        "+ Slippery patch ahead",
      ),
    ),
  );
}

// Automated lanes are switched on here; their level is then above the road.
function automated(app: App, world: World): HTMLElement | null {
  if (world.kind !== "run" || world.road.lanes < MIN_LANES) return null;
  const on = hasErsc(app, world);
  const levels = levelSwitch(app, () => app.world(world.world));
  levels.show(world.road.ersc);
  return h(
    "section",
    { class: "in-body", "aria-label": "Automated lanes" },
    h("h3", {}, "Automated lanes (ERSC)"),
    h(
      "p",
      { class: "in-note" },
      on
        ? "The level at the playhead and its functions are above the road."
        : "A level makes the left lanes automated: cars check in before they drive there.",
    ),
    on ? null : levels.root,
  );
}

export function roadPanel(app: App, world: World): HTMLElement[] {
  const off = fixedWhy(app, world);
  const road = world.road;
  return [
    h(
      "header",
      { class: "in-head" },
      h(
        "div",
        {},
        h("h2", {}, "Road"),
        h(
          "span",
          { class: "in-sub" },
          `${world.name}: ${road.lanes} ${road.lanes === 1 ? "lane" : "lanes"} of ${plain(road.lane_width)} m`,
        ),
      ),
    ),
    commands(app, world, off),
    ...[automated(app, world)].filter((e) => e !== null),
    lanes(app, world, off),
    hills(app, world, off),
    friction(app, world, off),
  ];
}
