// carform.ts - forms of one car, made from the server's card of it: every feature in groups, user
// variables, what it measures now; and its dynamic model: states, poles, frequency response.
//
// A number a running car can take is set on that car alone. Others belong to the car's model: then the
// car gets a model of its own, like the old one but for that number, or, if "all" is chosen, the model is
// changed for all cars that have it. They carry their state over.
import type { App, Scenario, Server, Time } from "../core/app.ts";
import { laneRequest } from "../core/ersc.ts";
import { fixedWhy } from "../core/facts.ts";
import { h } from "../ui/dom.ts";
import { dragField } from "../ui/dragfield.ts";
import { fitLabels, makeChoice, makeField, makeSearch, plain, short, unitText, type Field } from "../ui/form.ts";
import type { Card, CardRow, Dynamics, Field as FrameField, Row, Vehicle, World } from "../wire/protocol.ts";
import { makeCurve, tablesOf, type Curve } from "./curve.ts";
import { estimatorBox, type EstimatorBox } from "./estimator.ts";
import { roadFloor, setGain } from "./law.ts";
import { platoonBox } from "./platooning.ts";
import { benchButton, onBench } from "./tobench.ts";

export interface LiveForm {
  draw(): void;
}

const TITLES: Record<string, string> = {
  desired: "Desired spacing and speed",
  model: "Car",
  user: "User variables",
  estimator: "Estimator",
  inner: "From desired acceleration to pedals",
  sensor: "Range sensor",
  avoid: "Collision avoidance",
  radio: "Radio",
  fallback: "Law while the radio is silent",
};
const FIRST = ["desired", "model", "user"];
const LAST = ["inner", "sensor", "avoid", "radio", "fallback"] as const; // of the car's controller
const OPEN = new Set(FIRST); // groups that are open; kept while the page is

// Groups of cards in their order: other groups of the car's type are in the middle.
export function inOrder(groups: string[]): string[] {
  const own = [...new Set(groups)].filter((g) => !FIRST.includes(g) && !LAST.some((l) => l === g) && g !== "law");
  return [...FIRST, ...own, ...LAST].filter((g) => groups.includes(g));
}
// A group of a vehicle type is called by its key.
export const groupTitle = (group: string): string => TITLES[group] ?? group[0]!.toUpperCase() + group.slice(1);
export const isOpen = (group: string): boolean => OPEN.has(group);
export function keepOpen(group: string, open: boolean): void {
  if (open) OPEN.add(group);
  else OPEN.delete(group);
}
const EVERY = 1000; // ms between two questions for the numbers of now

export function carForm(app: App, body: HTMLElement, world: World, vehicle: Vehicle): LiveForm {
  let fields: Field[] = [];
  let curves: { group: string; curve: Curve }[] = [];
  const cells = new Map<string, HTMLElement>();
  let estimator: EstimatorBox | null = null;
  const ask = asker(app, world, vehicle);
  const build = (answer: Card): void => {
    fields = [];
    curves = [];
    cells.clear();
    body.replaceChildren();
    const all = answer.groups.filter((g) => g.rows.length);
    const groups = inOrder(all.map((g) => g.group)).flatMap((name) => all.filter((g) => g.group === name));
    const sections = groups.map((g) => {
      const { tables, others } = tablesOf(g.rows);
      const list = others.map((row) => field(app, world, vehicle, g.group, row));
      const drawn = tables.map((t) => makeCurve(t, curveOptions(app, world, vehicle, g.group, t.rows)));
      fields.push(...list);
      curves.push(...drawn.map((curve) => ({ group: g.group, curve })));
      const kind = kindChoice(app, world, vehicle, g.group, g.rows);
      const inner = fitLabels(
        h("div", {}, ...kind, ...list.map((f) => f.root), ...drawn.map((c) => c.root)),
        list.map((f) => f.row.name.replace(/_/g, " ")),
        6.6,
      );
      const box = h(
        "details",
        { class: "in-group", "data-group": g.group, open: OPEN.has(g.group) },
        h("summary", {}, groupTitle(g.group)),
        inner,
      );
      box
        .querySelector("summary")!
        .addEventListener("click", () => void (box.open ? OPEN.delete(g.group) : OPEN.add(g.group)));
      return box;
    });
    if (fields.length > 8)
      body.append(
        searching(
          fields,
          curves.map((c) => c.curve),
          sections,
        ),
      );
    if (vehicle.profile && world.profiles.length) body.append(profileChoice(app, world, vehicle));
    if (vehicle.leader) body.append(...leadChoice(app, world, vehicle));
    if (vehicle.controller && world.road.lanes > 1) body.append(laneChoice(app, world, vehicle));
    const platoon = platoonBox(app, world, vehicle);
    if (platoon) body.append(platoon);
    if (onBench(vehicle)) body.append(benchButton(app, world, vehicle));
    estimator = estimatorBox(app, world, vehicle, answer, load);
    body.append(estimator.root, ...sections, measured(answer, cells));
  };
  const load = (): void => void ask.first(body).then((answer) => answer && build(answer));
  load();
  return {
    draw: ask.every((answer) => {
      estimator?.update(answer);
      for (const g of answer.groups)
        for (const row of g.rows) {
          const f = fields.find((q) => q.row.name === row.name && q.root.closest("details")?.dataset.group === g.group);
          f?.set(row.value ?? f0(row));
          for (const c of curves) if (c.group === g.group) c.curve.set(row.name, row.value ?? f0(row));
          const back = g.group === "desired" ? f?.root.querySelector<HTMLElement>(".fo-back") : null;
          if (back && document.activeElement !== back) back.hidden = row.own !== true;
        }
      for (const c of answer.channels) {
        const cell = cells.get(c.name);
        const text = short(c.value);
        if (cell && cell.textContent !== text) cell.textContent = text;
      }
    }),
  };
}
function f0(row: Row): number {
  return row.default ?? 0;
}

// The card, asked once at the start and once a second at most while the car is shown; at rest it is that of the
// instant shown.
export function asker(app: App, world: World, vehicle: Vehicle) {
  let next = performance.now() + EVERY;
  let asking = false;
  let failed = false;
  let asked = "";
  const shown = (): string => `${app.clock.t} ${app.world(world.world)?.version}`;
  const ask = (): Promise<Card> => {
    asked = shown();
    return app.ask("card", {
      world: world.world,
      vehicle: vehicle.name,
      ...(app.clock.live ? {} : { t: app.clock.t }),
    });
  };
  return {
    first: (body: HTMLElement): Promise<Card | null> =>
      ask().then(
        (a) => (body.isConnected ? a : null),
        (e: Error) => {
          failed = true;
          body.append(h("p", { class: "in-empty" }, e.message));
          return null;
        },
      ),
    every: (take: (a: Card) => void) => (): void => {
      const now = performance.now();
      if (failed || document.hidden || !app.connected) return;
      if (now < next || asking) {
        if (asked !== shown()) app.touch(EVERY); // soon
        return;
      }
      next = now + EVERY;
      asking = true;
      ask()
        .then(take, () => undefined)
        .finally(() => (asking = false));
    },
  };
}

function helpOf(app: Scenario, group: string, name: string): string | undefined {
  const table = app.tables.find((t) => t.group === group && t.rows.some((r) => r.name === name));
  return table ? `${table.name}/${name}` : undefined;
}

// How `set` names a number of a model: those of its own map and of its powertrain without their group.
const BARE = ["model", "powertrain"];

export function field(app: App, world: World, vehicle: Vehicle, group: string, row: CardRow): Field {
  const own = row.live;
  const part = own ? undefined : LAST.find((p) => p === group);
  const shared = !own && !part && group !== "desired" && group !== "user" && group !== "law";
  const profile = part && (!vehicle.controller || vehicle.controller.startsWith("("));
  const off = fixedWhy(app, world) ?? (profile ? "comes with the car's speed profile" : undefined);
  const others = world.vehicles.filter((v) => v.model === vehicle.model).length;
  let forAll = others < 2;
  const made = makeField(row, {
    value: row.value ?? row.default ?? 0,
    label: row.name.replace(/_/g, " "),
    colour: app.colour(world.world),
    disabled: off,
    help: helpOf(app, group, row.name),
    ...roadFloor(world, row.name, row),
    send(value, done) {
      if (!done && (!app.clock.live || !own)) return;
      if (shared && !forAll && group === "model")
        return app.change("car", {
          world: world.world,
          op: "model",
          vehicle: vehicle.name,
          name: ownModel(world, vehicle),
          define: { like: vehicle.model, [row.name]: value },
        });
      if (shared) {
        const name = BARE.includes(group) ? row.name : `${group}.${row.name}`;
        return app.change("edit", { world: world.world, edit: { set: `${vehicle.model}.${name}=${value}` } });
      }
      if (part)
        return app.change("car", {
          world: world.world,
          op: part,
          controller: vehicle.controller,
          values: { [row.name]: value },
        });
      return setGain(app, world, { vehicle: vehicle.name }, `${group}.${row.name}`, value);
    },
  });
  if (group === "desired") made.root.append(backButton(app, world, vehicle, row, off));
  if (shared && group === "model" && others > 1) {
    const which = h("button", { type: "button", class: "in-link fo-all" });
    const show = (): void => {
      which.textContent = forAll ? ` all ${others}` : " this car";
      which.title = forAll
        ? `for all ${others} cars with the model ${vehicle.model}; click: for ${vehicle.name} alone`
        : `for ${vehicle.name} alone; click: for all ${others} cars with the model ${vehicle.model}`;
    };
    which.addEventListener("click", () => {
      forAll = !forAll;
      show();
    });
    show();
    const label = made.root.querySelector(".fo-label")!;
    const cell = h("span", { class: "fo-named" });
    label.replaceWith(cell);
    cell.append(label, which);
  } else if (shared || part)
    made.root.querySelector(".fo-label")!.append(
      h(
        "span",
        {
          class: "fo-all",
          title: shared
            ? `all cars with the model ${vehicle.model}`
            : `all cars with the controller ${vehicle.controller}`,
        },
        " all",
      ),
    );
  return made;
}

// Points of a table are set one by one, on this car alone, as its other numbers are.
function curveOptions(app: App, world: World, vehicle: Vehicle, group: string, rows: CardRow[]) {
  const fixed = rows.every((r) => r.live) ? undefined : "belongs to the model: it cannot change during the run";
  return {
    colour: app.colour(world.world),
    disabled: fixedWhy(app, world) ?? fixed,
    help: (row: CardRow) => helpOf(app, group, row.name),
    send: (row: CardRow, value: number) =>
      setGain(app, world, { vehicle: vehicle.name }, `${group}.${row.name}`, value),
  };
}

// Which kind of a part, where the server has tables of several. Another kind is a model of this car's own.
function kindChoice(app: App, world: World, vehicle: Vehicle, group: string, rows: CardRow[]): HTMLElement[] {
  const kinds = group === "model" ? [] : app.tables.filter((t) => t.group === group);
  const names = (list: Row[]): string => list.map((r) => r.name).join();
  const now = kinds.find((t) => names(t.rows) === names(rows));
  if (!now || kinds.length < 2 || fixedWhy(app, world)) return [];
  return [
    makeChoice(
      "Kind",
      kinds.map((t) => t.name),
      now.name,
      (kind) =>
        void app
          .change("car", {
            world: world.world,
            op: "model",
            vehicle: vehicle.name,
            name: ownModel(world, vehicle),
            define: { like: vehicle.model, [group]: { kind } },
          })
          .catch(() => undefined),
      `${group} of ${vehicle.name}; another kind has its default values`,
    ),
  ];
}

function ownModel(world: World, vehicle: Vehicle): string {
  const name = `${vehicle.model}_${vehicle.name}`;
  let free = name;
  for (let n = 2; world.models.includes(free); n++) free = `${name}_${n}`;
  return free;
}

// A value desired by this car alone can be cleared: then it follows its controller or the roadway.
function backButton(app: Server, world: World, vehicle: Vehicle, row: CardRow, off: string | undefined): HTMLElement {
  const back = h("button", {
    type: "button",
    class: "fo-reset fo-back",
    "aria-label": `${row.name}: as roadway`,
    title: "as roadway: clears the value of this car alone",
    disabled: off !== undefined,
    hidden: row.own !== true,
    onclick: () =>
      void app
        .change("set", { world: world.world, vehicle: vehicle.name, param: `desired.${row.name}`, value: null })
        .then(
          () => (back.hidden = true),
          () => undefined,
        ),
  });
  return back;
}

function searching(fields: Field[], curves: Curve[], sections: HTMLElement[]): HTMLElement {
  const box = makeSearch(fields);
  const was = sections.map((s) => (s as HTMLDetailsElement).open);
  box.addEventListener("input", () => {
    const word = (box as HTMLInputElement).value.trim();
    const has = (c: Curve): boolean =>
      c.table.rows.some((r) => `${r.name} ${r.doc}`.toLowerCase().includes(word.toLowerCase()));
    for (const c of curves) c.root.hidden = word !== "" && !has(c);
    sections.forEach((s, i) => {
      const any = [...s.querySelectorAll<HTMLElement>(".fo-field, .cv")].some(
        (f) => !f.hidden && !f.closest(".cv[hidden]"),
      );
      s.hidden = !any;
      (s as HTMLDetailsElement).open = word ? any : was[i]!;
    });
  });
  return box;
}

function profileChoice(app: Server, world: World, vehicle: Vehicle): HTMLElement {
  const names = world.profiles.includes(vehicle.profile) ? world.profiles : [vehicle.profile, ...world.profiles];
  return makeChoice(
    "Profile",
    names,
    vehicle.profile,
    (name) => {
      void app.change("car", { world: world.world, op: "profile", vehicle: vehicle.name, name }).catch(() => undefined);
    },
    "speed profile of the leader: traffic",
  );
}

// Where it is sent; the road shows where it is.
function laneChoice(app: Server & Time, world: World, vehicle: Vehicle): HTMLElement {
  const names = Array.from({ length: world.road.lanes }, (_, k) => `lane ${k + 1}`);
  return makeChoice(
    "Go to",
    ["", ...names],
    "",
    (name) => {
      const lane = names.indexOf(name) + 1;
      if (lane)
        void app
          .change(laneRequest(app, world, vehicle), { world: world.world, vehicle: vehicle.name, lane })
          .catch(() => undefined);
    },
    "the car changes to this lane; 1 is the leftmost",
  );
}

// By itself, or as another platoon with a leader of the same model does.
function leadChoice(app: Server, world: World, vehicle: Vehicle): HTMLElement[] {
  const own = world.platoons.find((p) => p.platoon === vehicle.platoon);
  const model = (name: string): string | undefined => world.vehicles.find((v) => v.name === name)?.model;
  const others = world.platoons.filter(
    (p) => p !== own && p.platoon >= 0 && !p.leads_as && model(p.leader) === vehicle.model,
  );
  if (!own || (!own.leads_as && !others.length)) return [];
  const label = (n: number): string => (n ? `as platoon ${n}` : "by itself");
  const numbers = [...new Set([0, own.leads_as, ...others.map((p) => p.platoon + 1)])];
  return [
    makeChoice(
      "Leads",
      numbers.map(label),
      label(own.leads_as),
      (text) => {
        const platoon = numbers.find((n) => label(n) === text) ?? 0;
        void app.change("lead", { world: world.world, vehicle: vehicle.name, platoon }).catch(() => undefined);
      },
      "as another platoon: its leader has the pedals and the steering of that one",
    ),
  ];
}

function measured(answer: Card, cells: Map<string, HTMLElement>): HTMLElement {
  const list = h("div", { class: "in-short", role: "group", "aria-label": "measured now" });
  for (const c of answer.channels) {
    const value = h("b", {}, short(c.value));
    cells.set(c.name, value);
    const pair = h(
      "div",
      { class: "in-pair", title: c.doc },
      h("span", {}, c.name.replace(/_/g, " ")),
      value,
      h("span", { class: "fo-unit" }, unitText(c.unit)),
    );
    dragField(pair, c.name);
    list.append(pair);
  }
  return list;
}

// ---- dynamic model ----

interface Signal {
  name: string;
  unit?: string;
  value?: number | null;
  doc?: string;
}
const signal = (s: string | Signal): Signal => (typeof s === "string" ? { name: s } : s);

function signals(
  title: string,
  list: (string | Signal)[] | undefined,
  cells?: Map<string, HTMLElement>,
): HTMLElement | null {
  if (!list?.length) return null;
  return h(
    "table",
    { class: "in-table in-states" },
    h("caption", {}, title),
    h(
      "tbody",
      {},
      ...list.map(signal).map((s) => {
        const value = h("td", { class: "num" }, s.value === undefined ? "" : short(s.value));
        cells?.set(s.name, value);
        return h(
          "tr",
          { title: s.doc },
          h("th", { scope: "row" }, s.name.replace(/_/g, " ")),
          value,
          h("td", {}, unitText(s.unit ?? "")),
        );
      }),
    ),
  );
}

function poleTable(poles: [number, number][]): HTMLElement {
  const rows = poles.map((p) => {
    const grows = p[0] > 1e-6;
    const stays = Math.abs(p[0]) <= 1e-6;
    return h(
      "tr",
      {},
      h("td", { class: "num" }, `${short(p[0])}${p[1] ? ` ${p[1] < 0 ? "−" : "+"} ${plain(Math.abs(p[1]), 4)}i` : ""}`),
      h("td", { class: grows ? "bad" : "" }, grows ? "▲ grows" : stays ? "stays" : `fades in ${plain(-1 / p[0], 3)} s`),
    );
  });
  return h("table", { class: "in-table in-poles" }, h("caption", {}, "Poles, 1/s"), h("tbody", {}, ...rows));
}

// What goes into the car and comes out of it now.
const INPUTS: [FrameField, string, string][] = [
  ["throttle", "throttle", ""],
  ["brake", "brake", ""],
  ["steer", "steer", "rad"],
  ["a_desired", "desired acceleration", "m/s^2"],
];
const OUTPUTS: [FrameField, string, string][] = [
  ["middle", "position", "m"],
  ["v", "speed", "m/s"],
  ["a", "acceleration", "m/s^2"],
  ["y", "lateral position", "m"],
  ["psi", "heading", "rad"],
];
function present(app: Time, world: World, vehicle: Vehicle, list: [FrameField, string, string][]): Signal[] {
  const frame = app.frame(world.world);
  const i = frame ? frame.index(vehicle.id) : -1;
  return list.map(([field, name, unit]) => ({
    name,
    unit,
    value: frame && i >= 0 ? (field === "middle" ? frame.x[i]! : (frame.field(field)?.[i] ?? NaN)) : NaN,
  }));
}

// The ways through the car that the server knows: by a pedal, or behind another car under its law.
type Way = "dynamics" | "brake_dynamics" | "follow_dynamics";
const WAYS: [Way, string][] = [
  ["dynamics", "the car itself"],
  ["brake_dynamics", "the car, braking"],
  ["follow_dynamics", "car and law"],
];

// Inputs, outputs, states, poles and frequency response of the car as it drives now.
export function modelCard(app: App, body: HTMLElement, world: World, vehicle: Vehicle): LiveForm {
  const ask = asker(app, world, vehicle);
  const part = h("div", {});
  const values = new Map<string, HTMLElement>();
  let drawn = "";
  let last: Card | null = null;
  let way = app.option<Way | undefined>("model.way") ?? "dynamics";
  const show = (answer: Card): void => {
    last = answer;
    for (const s of [
      ...answer.channels,
      ...present(app, world, vehicle, INPUTS),
      ...present(app, world, vehicle, OUTPUTS),
    ].map(signal)) {
      const cell = values.get(s.name);
      if (cell && s.value !== undefined) cell.textContent = short(s.value);
    }
    const d = answer[way] ?? answer.dynamics;
    const text = JSON.stringify([way, d.text, d.poles?.map((p) => p.map((x) => Number(x.toPrecision(3))))]);
    if (text !== drawn) part.replaceChildren(...response(d));
    drawn = text;
  };
  void ask.first(body).then((answer) => {
    if (!answer) return;
    const there = WAYS.filter(([name]) => answer[name]);
    if (!there.some(([name]) => name === way)) way = "dynamics";
    const outputs = [...present(app, world, vehicle, OUTPUTS), ...answer.channels];
    const pick = makeChoice(
      "Linear model",
      there.map(([, title]) => title),
      there.find(([name]) => name === way)?.[1] ?? "",
      (title) => {
        way = app.option("model.way", there.find(([, t]) => t === title)![0]);
        if (last) show(last);
      },
      "small motions about the present state",
    );
    body.append(
      h(
        "p",
        { class: "in-note" },
        `Model ${vehicle.model}, ${vehicle.kind}. If the model is changed while the car drives, it keeps its motion.`,
      ),
      signals("Inputs", present(app, world, vehicle, INPUTS), values)!,
      signals("Outputs", outputs, values)!,
      there.length ? pick : h("p", { class: "in-empty" }, "This car has no linear model."),
      part,
    );
    show(answer);
  });
  return { draw: ask.every(show) };
}
function response(d: Dynamics): HTMLElement[] {
  if (!d.w?.length) return [h("p", { class: "in-empty" }, d.text || "No linear model about the present state.")];
  const unit = (u: string | undefined): string => (u && unitText(u) ? `, ${unitText(u)}` : "");
  const about = d.about ? ` about ${short(d.about.v)} m/s` : "";
  const delay = d.delay ? `, delay ${plain(d.delay, 3)} s` : "";
  const table = d.states?.length ? signals(`States, ${d.states.length}`, d.states) : null;
  return [
    h(
      "p",
      { class: "in-note" },
      `From ${d.input}${unit(d.input_unit)} to ${d.output}${unit(d.output_unit)}${about}${delay}.`,
    ),
    ...(table ? [table] : []),
    poleTable(d.poles ?? []),
    bode(
      "Gain, dB",
      d.w,
      (d.gain ?? []).map((g) => 20 * Math.log10(g)),
    ),
    bode(
      "Phase, °",
      d.w,
      unwrap(d.phase ?? []).map((p) => (p * 180) / Math.PI),
    ),
  ];
}

export function unwrap(phase: number[]): number[] {
  const out: number[] = [];
  for (const p of phase) {
    const last = out.length ? out[out.length - 1]! : p;
    out.push(p + 2 * Math.PI * Math.round((last - p) / (2 * Math.PI)));
  }
  return out;
}

// A curve over log frequency with lines at the decades and its ends written.
function bode(title: string, w: number[], y: number[]): HTMLElement {
  const good = y.filter((v) => Number.isFinite(v));
  let low = Math.min(...good);
  let high = Math.max(...good);
  if (high - low < 1) {
    low -= 1;
    high += 1;
  }
  const at = (x: number): number => (236 * Math.log(x / w[0]!)) / Math.log(w[w.length - 1]! / w[0]!) + 34;
  const up = (v: number): number => 70 - (62 * (v - low)) / (high - low);
  const points = w
    .map((x, i) => (Number.isFinite(y[i]) ? `${at(x).toFixed(1)},${up(y[i]!).toFixed(1)}` : ""))
    .join(" ");
  const svg = (tag: string, props: Record<string, string | number>, text = ""): SVGElement => {
    const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [k, v] of Object.entries(props)) e.setAttribute(k, String(v));
    e.textContent = text;
    return e;
  };
  const picture = svg("svg", {
    viewBox: "0 0 276 86",
    role: "img",
    "aria-label": `${title} from ${plain(low, 3)} to ${plain(high, 3)}`,
  });
  for (let k = Math.ceil(Math.log10(w[0]!) - 1e-9); 10 ** k <= w[w.length - 1]! * 1.001; k++)
    picture.append(
      svg("line", { x1: at(10 ** k), x2: at(10 ** k), y1: 6, y2: 72, class: "grid" }),
      svg("text", { x: at(10 ** k), y: 83, "text-anchor": at(10 ** k) > 262 ? "end" : "middle" }, plain(10 ** k)),
    );
  const ends = (v: number): string => short(Number(v.toFixed(high - low > 20 ? 0 : 1)));
  if (low < 0 && high > 0) picture.append(svg("line", { x1: 34, x2: 270, y1: up(0), y2: up(0), class: "zero" }));
  picture.append(
    svg("text", { x: 30, y: 12, "text-anchor": "end" }, ends(high)),
    svg("text", { x: 30, y: 72, "text-anchor": "end" }, ends(low)),
    svg("polyline", { points, class: "curve" }),
  );
  return h(
    "figure",
    { class: "in-bode" },
    h("figcaption", {}, h("b", {}, title), h("span", {}, "rad/s")),
    picture as unknown as HTMLElement,
  );
}
