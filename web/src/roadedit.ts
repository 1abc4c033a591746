// roadedit.ts - the road's panel: commands to all automatic cars, hills as a table.
import type { App, Grade, Road, Row, World } from "./app";
import { h } from "./dom";
import { parse } from "./units";
import { fitLabels, makeField, plain, type Field } from "./form";
import { fixedWhy } from "./law";

const row = (app: App, name: string, unit: string, min: number, max: number, doc: string): Row =>
  app.tables.find((t) => t.name === "road")?.rows.find((r) => r.name === name) ?? { name, unit, default: null, min, max, doc };

// What is wrong with a list of hills; "" if nothing. Stretches may not overlap.
export function checkGrades(grades: Grade[]): string {
  const sorted = [...grades].sort((a, b) => a.from - b.from);
  for (const [i, g] of sorted.entries()) {
    if (!(g.to > g.from)) return `a hill must end behind its start: ${plain(g.from)} to ${plain(g.to)} m`;
    if (Math.abs(g.grade) > 0.8) return `${plain(100 * Math.tan(g.grade))} % is too steep: at most 0.8 rad`;
    if (2 * g.transition > g.to - g.from + 1e-9) return `from ${plain(g.from)} m: the transitions of ${plain(g.transition)} m do not fit into ${plain(g.to - g.from)} m`;
    const next = sorted[i + 1];
    if (next && next.from < g.to) return `hills overlap between ${plain(next.from)} and ${plain(Math.min(g.to, next.to))} m`;
  }
  return "";
}

function commands(app: App, world: World, off: string | undefined): HTMLElement {
  const command = (name: "speed" | "headway" | "distance", unit: string, max: number, doc: string): Field =>
    makeField(row(app, name, unit, 0, max, doc), {
      value: world.road[name], label: name, disabled: off, colour: app.colour(world.world), help: `road/${name}`,
      send: (value, done) => (done || app.clock.live ? app.change("road", { world: world.world, [name]: value }) : undefined),
    });
  const fields = [command("speed", "m/s", 150, "commanded speed"), command("headway", "s", 60, "commanded time headway"), command("distance", "m", 1000, "commanded gap at rest")];
  return fitLabels(h("section", { class: "in-body", "aria-label": "Commands" }, h("h3", {}, "Commands to automatic cars"),
    h("p", { class: "in-note" }, "A car may keep a longer headway or distance, never a shorter one."), ...fields.map((f) => f.root)), fields.map((f) => f.row.name));
}

function hillCell(road: Road, g: Grade, i: number, key: keyof Grade, label: string, off: boolean, say: (text: string) => void, send: (grades: Grade[]) => void): HTMLElement {
  const show = (): string => (key === "grade" ? plain(100 * Math.tan(g.grade), 3) : plain(g[key]));
  const input = h("input", { type: "text", inputmode: "decimal", class: "fo-number", value: show(), "aria-label": `hill ${i + 1}: ${label}`, disabled: off });
  input.addEventListener("change", () => {
    const v = key === "grade" ? parse(input.value.replace("%", ""), "-") : parse(input.value, "m");
    input.classList.toggle("bad", v === null);
    if (v === null) return say(`${label}: "${input.value}" is not a number; such as ${show()}`);
    const value = input.value === show() ? g[key] : key === "grade" ? Math.atan(v / 100) : v; // what is shown is rounded
    send(road.grades.map((other, k) => (k === i ? { ...other, [key]: value } : other)));
  });
  return h("td", {}, input);
}

// A hill of 4 % over 400 m, 100 m in front of the first car or behind the hills that are there.
function hillAhead(app: App, world: World): Grade {
  const frame = app.frame(world.world);
  let front = 0;
  if (frame) for (let i = 0; i < frame.n; i++) front = Math.max(front, frame.x[i]!);
  let from = 50 * Math.ceil((front + 100) / 50);
  for (const g of [...world.road.grades].sort((a, b) => a.from - b.from)) if (g.from < from + 400 && g.to > from) from = g.to;
  return { from, to: from + 400, grade: Math.atan(0.04), transition: 50 };
}

function hills(app: App, world: World, off: string | undefined): HTMLElement {
  const road = world.road;
  const message = h("p", { class: "fo-error", role: "alert" });
  const say = (text: string): void => void (message.textContent = text);
  const send = (grades: Grade[]): void => {
    const wrong = checkGrades(grades);
    say(wrong);
    if (!wrong && JSON.stringify(grades) !== JSON.stringify(road.grades)) app.change("grades", { world: world.world, grades }).catch((e: Error) => say(e.message));
  };
  const columns: [keyof Grade, string][] = [["from", "from"], ["to", "to"], ["grade", "grade in percent"], ["transition", "transition"]];
  const rows = road.grades.map((g, i) => h("tr", {}, ...columns.map(([key, label]) => hillCell(road, g, i, key, label, off !== undefined, say, send)),
    h("td", {}, h("button", { type: "button", class: "in-icon", "aria-label": `remove hill ${i + 1}`, title: "remove", disabled: off !== undefined, onclick: () => send(road.grades.filter((_, k) => k !== i)) }, "×"))));
  const table = h("table", { class: "in-table in-hills" }, h("thead", {}, h("tr", {}, ...["from, m", "to, m", "%", "ends, m"].map((t) => h("th", { scope: "col" }, t)), h("td", {}))), h("tbody", {}, ...rows));
  return h("section", { class: "in-body", "aria-label": "Hills" }, h("h3", {}, "Hills"),
    road.grades.length ? table : h("p", { class: "in-note" }, "Level. Drag up or down on the grade strip, or:"), message,
    h("div", { class: "in-actions" }, h("button", { type: "button", class: "in-action", disabled: off !== undefined, title: "4 % over 400 m, 100 m in front of the first car", onclick: () => send([...road.grades, hillAhead(app, world)].sort((a, b) => a.from - b.from)) }, "+ Hill ahead")));
}

export function roadPanel(app: App, world: World): HTMLElement[] {
  const off = fixedWhy(app, world), road = world.road;
  return [
    h("header", { class: "in-head" }, h("div", {}, h("h2", {}, "Road"), h("span", { class: "in-sub" }, `${world.name}: ${road.lanes} ${road.lanes === 1 ? "lane" : "lanes"} of ${plain(road.lane_width)} m`))),
    commands(app, world, off), hills(app, world, off)];
}
