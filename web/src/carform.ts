// carform.ts - forms of one car, made from the server's card of it: every feature in groups, user
// variables, what it measures now; and its dynamic model: states, poles, frequency response.
//
// A number a running car can take is set on that car alone. Others belong to the car's model: then
// the model is changed, for all cars that have it, and they carry their state over.
import type { Answer, App, Field as FrameField, Row, Vehicle, World } from "./app";
import { h } from "./dom";
import { dragField } from "./dragfield";
import { fitLabels, makeChoice, makeField, makeSearch, plain, short, unitText, type Field } from "./form";
import { fixedWhy, roadFloor, setGain } from "./law";

export interface LiveForm { draw(): void }
interface Group { group: string; rows: Row[] }

const TITLES: Record<string, string> = {
  wishes: "Wishes", model: "Car", user: "User variables", drive: "Wheels, brakes and axles", powertrain: "Powertrain",
  inner: "From wanted acceleration to pedals", sensor: "Range sensor", avoid: "Collision avoidance", radio: "Radio", fallback: "Law while the radio is silent",
};
const ORDER = ["wishes", "model", "user", "drive", "powertrain", "inner", "sensor", "avoid", "radio", "fallback"];
const OPEN = new Set(["wishes", "model", "user"]); // groups that are open; kept while the page is
export const GROUPS: readonly string[] = ORDER;
export const groupTitle = (group: string): string => TITLES[group] ?? group;
export const isOpen = (group: string): boolean => OPEN.has(group);
export function keepOpen(group: string, open: boolean): void { if (open) OPEN.add(group); else OPEN.delete(group); }
const EVERY = 1000; // ms between two questions for the numbers of now

export function carForm(app: App, body: HTMLElement, world: World, vehicle: Vehicle): LiveForm {
  let fields: Field[] = [];
  const cells = new Map<string, HTMLElement>();
  const ask = asker(app, world, vehicle);
  void ask.first(body).then((answer) => {
    if (!answer) return;
    const groups = ORDER.flatMap((name) => ((answer.groups ?? []) as Group[]).filter((g) => g.group === name && g.rows.length));
    const sections = groups.map((g) => {
      const list = g.rows.filter((row) => vehicle.kind === "point" || !row.doc.startsWith("point car")).map((row) => field(app, world, vehicle, g.group, row));
      fields.push(...list);
      const inner = fitLabels(h("div", {}, ...list.map((f) => f.root)), list.map((f) => f.row.name.replace(/_/g, " ")), 6.6);
      const box = h("details", { class: "in-group", "data-group": g.group, open: OPEN.has(g.group) }, h("summary", {}, TITLES[g.group] ?? g.group), inner);
      box.querySelector("summary")!.addEventListener("click", () => void (box.open ? OPEN.delete(g.group) : OPEN.add(g.group)));
      return box;
    });
    if (fields.length > 8) body.append(searching(fields, sections));
    if (vehicle.profile && world.profiles.length) body.append(profileChoice(app, world, vehicle));
    body.append(...sections, measured(answer, cells));
  });
  return {
    draw: ask.every((answer) => {
      for (const g of (answer.groups ?? []) as Group[]) for (const row of g.rows) {
        const f = fields.find((q) => q.row.name === row.name && q.root.closest("details")?.dataset.group === g.group);
        f?.set(row.value ?? f0(row));
        const back = g.group === "wishes" ? f?.root.querySelector<HTMLElement>(".fo-back") : null;
        if (back && document.activeElement !== back) back.hidden = row.own !== true;
      }
      for (const c of answer.channels ?? []) {
        const cell = cells.get(c.name), text = short(c.value);
        if (cell && cell.textContent !== text) cell.textContent = text;
      }
    }),
  };
}
function f0(row: Row): number { return row.default ?? 0; }

// The card, asked once at the start and once a second while the car is shown and time runs.
function asker(app: App, world: World, vehicle: Vehicle) {
  let next = performance.now() + EVERY, asking = false, failed = false;
  const ask = (): Promise<Answer> => app.ask("card", { world: world.world, vehicle: vehicle.name, ...(app.clock.live ? {} : { t: app.clock.t }) });
  return {
    first: (body: HTMLElement): Promise<Answer | null> => ask().then(
      (a) => (body.isConnected ? a : null),
      (e: Error) => { failed = true; body.append(h("p", { class: "in-empty" }, e.message)); return null; }),
    every: (take: (a: Answer) => void) => (): void => {
      const now = performance.now();
      if (now < next || asking || failed || document.hidden || !app.connected) return;
      next = now + EVERY;
      asking = true;
      ask().then(take, () => undefined).finally(() => (asking = false));
    },
  };
}

function helpOf(app: App, group: string, vehicle: Vehicle, name: string): string | undefined {
  const tables = group === "wishes" ? ["vehicle"] : group === "model" ? ["car", "cosserat"] : group === "powertrain" ? ["converter", "manifold", "gears"] : [group];
  const table = tables.find((t) => app.tables.find((o) => o.name === t)?.rows.some((r) => r.name === name));
  return table ? `${table}/${name}` : undefined;
}

const PARTS = ["inner", "radio", "sensor", "avoid", "fallback"]; // of a controller
const MODEL = ["model", "drive", "powertrain"];

function field(app: App, world: World, vehicle: Vehicle, group: string, row: Row): Field {
  const own = row.live === true, part = !own && PARTS.includes(group), shared = !own && MODEL.includes(group);
  const profile = part && (!vehicle.controller || vehicle.controller.startsWith("("));
  const off = fixedWhy(app, world) ?? (profile ? "comes with the car's speed profile" : undefined);
  const made = makeField(row, {
    value: row.value ?? row.default ?? 0, label: row.name.replace(/_/g, " "), colour: app.colour(world.world), disabled: off, help: helpOf(app, group, vehicle, row.name),
    ...roadFloor(world, row.name, row),
    send(value, done) {
      if (!done && (!app.clock.live || !own)) return;
      if (shared) return app.change("edit", { world: world.world, edit: { set: `${vehicle.model}.${row.name}=${value}` } });
      if (part) return app.change("car", { world: world.world, op: group, controller: vehicle.controller, values: { [row.name]: value } });
      return setGain(app, world, { vehicle: vehicle.name }, `${group}.${row.name}`, value);
    },
  });
  if (group === "wishes") made.root.append(backButton(app, world, vehicle, row, off));
  if (shared || part) made.root.querySelector(".fo-label")!.append(h("span", { class: "fo-all", title: shared ? `all cars with the model ${vehicle.model}` : `all cars with the controller ${vehicle.controller}` }, " all"));
  return made;
}

// A wish of this car alone can be taken back: then it keeps what its controller or the roadway says.
function backButton(app: App, world: World, vehicle: Vehicle, row: Row, off: string | undefined): HTMLElement {
  const back = h("button", { type: "button", class: "fo-reset fo-back", "aria-label": `${row.name}: as roadway`, title: "as roadway: takes this car's own wish back", disabled: off !== undefined, hidden: row.own !== true,
    onclick: () => void app.change("set", { world: world.world, vehicle: vehicle.name, param: `wishes.${row.name}`, value: null }).then(() => (back.hidden = true), () => undefined) });
  return back;
}

function searching(fields: Field[], sections: HTMLElement[]): HTMLElement {
  const box = makeSearch(fields);
  const was = sections.map((s) => (s as HTMLDetailsElement).open);
  box.addEventListener("input", () => {
    const word = (box as HTMLInputElement).value.trim();
    sections.forEach((s, i) => {
      const any = [...s.querySelectorAll<HTMLElement>(".fo-field")].some((f) => !f.hidden);
      s.hidden = !any;
      (s as HTMLDetailsElement).open = word ? any : was[i]!;
    });
  });
  return box;
}

function profileChoice(app: App, world: World, vehicle: Vehicle): HTMLElement {
  const names = world.profiles.includes(vehicle.profile) ? world.profiles : [vehicle.profile, ...world.profiles];
  return makeChoice("Profile", names, vehicle.profile, (name) => {
    void app.change("car", { world: world.world, op: "profile", vehicle: vehicle.name, name }).catch(() => undefined);
  }, "how the leader's speed goes: traffic");
}

function measured(answer: Answer, cells: Map<string, HTMLElement>): HTMLElement {
  const list = h("div", { class: "in-short", role: "group", "aria-label": "measured now" });
  for (const c of (answer.channels ?? []) as { name: string; unit: string; doc: string; value: number }[]) {
    const value = h("b", {}, short(c.value));
    cells.set(c.name, value);
    const pair = h("div", { class: "in-pair", title: c.doc }, h("span", {}, c.name.replace(/_/g, " ")), value, h("span", { class: "fo-unit" }, unitText(c.unit)));
    dragField(pair, c.name);
    list.append(pair);
  }
  return list;
}

// ---- dynamic model ----

interface Signal { name: string; unit?: string; value?: number; doc?: string }
const signal = (s: string | Signal): Signal => (typeof s === "string" ? { name: s } : s);

function signals(title: string, list: (string | Signal)[] | undefined, cells?: Map<string, HTMLElement>): HTMLElement | null {
  if (!list?.length) return null;
  return h("table", { class: "in-table in-states" }, h("caption", {}, title), h("tbody", {}, ...list.map(signal).map((s) => {
    const value = h("td", { class: "num" }, s.value === undefined ? "" : short(s.value));
    cells?.set(s.name, value);
    return h("tr", { title: s.doc }, h("th", { scope: "row" }, s.name.replace(/_/g, " ")), value, h("td", {}, unitText(s.unit ?? "")));
  })));
}

function poleTable(poles: [number, number][]): HTMLElement {
  const rows = poles.map((p) => {
    const grows = p[0] > 1e-6, stays = Math.abs(p[0]) <= 1e-6;
    return h("tr", {}, h("td", { class: "num" }, `${short(p[0])}${p[1] ? ` ${p[1] < 0 ? "−" : "+"} ${plain(Math.abs(p[1]), 4)}i` : ""}`), h("td", { class: grows ? "bad" : "" }, grows ? "▲ grows" : stays ? "stays" : `fades in ${plain(-1 / p[0], 3)} s`));
  });
  return h("table", { class: "in-table in-poles" }, h("caption", {}, "Poles, 1/s"), h("tbody", {}, ...rows));
}

// What goes into the car and comes out of it now.
const INPUTS: [FrameField, string, string][] = [["throttle", "throttle", ""], ["brake", "brake", ""], ["steer", "steer", "rad"], ["wanted", "wanted acceleration", "m/s^2"]];
const OUTPUTS: [FrameField, string, string][] = [["x", "position", "m"], ["v", "speed", "m/s"], ["a", "acceleration", "m/s^2"], ["y", "lateral position", "m"], ["psi", "heading", "rad"]];
function present(app: App, world: World, vehicle: Vehicle, list: [FrameField, string, string][]): Signal[] {
  const frame = app.frame(world.world), i = frame ? frame.index(vehicle.id) : -1;
  return list.map(([field, name, unit]) => ({ name, unit, value: frame && i >= 0 ? (field === "x" ? frame.x[i]! : frame.field(field)?.[i] ?? NaN) : NaN }));
}

// The ways through the car that the server knows: by a pedal, or behind another car under its law.
const WAYS: [string, string][] = [["dynamics", "the car itself"], ["brake_dynamics", "the car, braking"], ["follow_dynamics", "car and law"]];

// Inputs, outputs, states, poles and frequency response of the car as it drives now.
export function modelCard(app: App, body: HTMLElement, world: World, vehicle: Vehicle): LiveForm {
  const ask = asker(app, world, vehicle), part = h("div", {}), values = new Map<string, HTMLElement>();
  let drawn = "", last: Answer | null = null, way = app.option<string>("model.way") ?? "dynamics";
  const show = (answer: Answer): void => {
    last = answer;
    for (const s of [...(answer.channels ?? []), ...present(app, world, vehicle, INPUTS), ...present(app, world, vehicle, OUTPUTS)].map(signal)) {
      const cell = values.get(s.name);
      if (cell && s.value !== undefined) cell.textContent = short(s.value);
    }
    const d = answer[way] ?? answer.dynamics;
    const text = JSON.stringify([way, d?.text, d?.poles?.map((p: number[]) => p.map((x) => Number(x.toPrecision(3))))]);
    if (text !== drawn) part.replaceChildren(...response(d));
    drawn = text;
  };
  void ask.first(body).then((answer) => {
    if (!answer) return;
    const there = WAYS.filter(([name]) => answer[name]);
    if (!there.some(([name]) => name === way)) way = "dynamics";
    const outputs = [...present(app, world, vehicle, OUTPUTS), ...((answer.channels ?? []) as Signal[])];
    const pick = makeChoice("Linear model", there.map(([, title]) => title), there.find(([name]) => name === way)?.[1] ?? "", (title) => {
      way = app.option("model.way", there.find(([, t]) => t === title)![0]);
      if (last) show(last);
    }, "small motions about the present state");
    body.append(h("p", { class: "in-note" }, `Model ${vehicle.model}, ${vehicle.kind}. Another model takes over while it drives: the car keeps its motion.`),
      signals("Inputs", present(app, world, vehicle, INPUTS), values)!, signals("Outputs", outputs, values)!, there.length ? pick : h("p", { class: "in-empty" }, "This car gives no linear model."), part);
    show(answer);
  });
  return { draw: ask.every(show) };
}
function response(d: any): HTMLElement[] {
  if (!d) return [];
  if (!d.w?.length) return [h("p", { class: "in-empty" }, d.text || "No linear model about the present state.")];
  const unit = (u: unknown): string => (typeof u === "string" && unitText(u) ? `, ${unitText(u)}` : "");
  const about = d.about ? ` about ${short(d.about.v)} m/s` : "", delay = d.delay ? `, delay ${plain(d.delay, 3)} s` : "";
  const table = d.states?.length ? signals(`States, ${d.states.length}`, d.states) : null;
  return [h("p", { class: "in-note" }, `From ${d.input}${unit(d.input_unit)} to ${d.output}${unit(d.output_unit)}${about}${delay}.`), ...(table ? [table] : []), poleTable(d.poles ?? []),
    bode("Gain, dB", d.w, d.gain.map((g: number) => 20 * Math.log10(g))), bode("Phase, °", d.w, unwrap(d.phase).map((p) => (p * 180) / Math.PI))];
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
  let low = Math.min(...good), high = Math.max(...good);
  if (high - low < 1) { low -= 1; high += 1; }
  const at = (x: number): number => (236 * Math.log(x / w[0]!)) / Math.log(w[w.length - 1]! / w[0]!) + 34;
  const up = (v: number): number => 70 - (62 * (v - low)) / (high - low);
  const points = w.map((x, i) => (Number.isFinite(y[i]) ? `${at(x).toFixed(1)},${up(y[i]!).toFixed(1)}` : "")).join(" ");
  const svg = (tag: string, props: Record<string, string | number>, text = ""): SVGElement => {
    const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [k, v] of Object.entries(props)) e.setAttribute(k, String(v));
    e.textContent = text;
    return e;
  };
  const picture = svg("svg", { viewBox: "0 0 276 86", role: "img", "aria-label": `${title} from ${plain(low, 3)} to ${plain(high, 3)}` });
  for (let k = Math.ceil(Math.log10(w[0]!) - 1e-9); 10 ** k <= w[w.length - 1]! * 1.001; k++)
    picture.append(svg("line", { x1: at(10 ** k), x2: at(10 ** k), y1: 6, y2: 72, class: "grid" }), svg("text", { x: at(10 ** k), y: 83, "text-anchor": at(10 ** k) > 262 ? "end" : "middle" }, plain(10 ** k)));
  const ends = (v: number): string => short(Number(v.toFixed(high - low > 20 ? 0 : 1)));
  if (low < 0 && high > 0) picture.append(svg("line", { x1: 34, x2: 270, y1: up(0), y2: up(0), class: "zero" }));
  picture.append(svg("text", { x: 30, y: 12, "text-anchor": "end" }, ends(high)), svg("text", { x: 30, y: 72, "text-anchor": "end" }, ends(low)), svg("polyline", { points, class: "curve" }));
  return h("figure", { class: "in-bode" }, h("figcaption", {}, h("b", {}, title), h("span", {}, "rad/s")), picture as unknown as HTMLElement);
}
