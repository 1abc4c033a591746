// manyform.ts - several cars chosen at once: one form for all of them. A value they do not share is
// a dash; what is typed goes to every one of them, as one change that is undone at once.
import type { App, Chosen, Scenario, Server } from "../core/app.ts";
import { fixedWhy, given } from "../core/facts.ts";
import { h } from "../ui/dom.ts";
import { fitLabels, makeChoice, makeField, makeSearch, plain, unitText, type Field } from "../ui/form.ts";
import type { Card, CardRow, Row, Vehicle, World } from "../wire/protocol.ts";
import { groupTitle, inOrder, isOpen, keepOpen, type LiveForm } from "./carform.ts";
import { roadFloor } from "./law.ts";

const MAX_CARS = 64; // cars of one change
const EVERY = 2000; // ms between updates of all of them
const DASH = "–";

interface Shared {
  group: string;
  row: CardRow;
  values: number[];
}

// The cars that are chosen, the first chosen one first.
export function chosen(app: Scenario & Chosen): { world: World; vehicles: Vehicle[] } | null {
  const s = app.selection;
  const world = s ? app.world(s.world) : undefined;
  if (!s || !world || !app.also.length) return null;
  const vehicles = [s.vehicle, ...app.also].flatMap((n) => world.vehicles.find((v) => v.name === n) ?? []);
  return vehicles.length > 1 ? { world, vehicles } : null;
}

// Rows that all the cards have.
function common(cards: Card[]): Shared[] {
  const rows = (a: Card): { group: string; row: CardRow }[] =>
    a.groups.flatMap((g) => g.rows.map((row) => ({ group: g.group, row })));
  const others = cards.slice(1).map((a) => new Map(rows(a).map((o) => [`${o.group}.${o.row.name}`, o.row])));
  return rows(cards[0]!).flatMap(({ group, row }) => {
    const same = others.map((m) => m.get(`${group}.${row.name}`));
    return same.every(Boolean)
      ? [{ group, row, values: [row, ...(same as CardRow[])].map((r) => r.value ?? r.default ?? 0) }]
      : [];
  });
}
// What all have; NaN: they differ.
const shared = (v: number[]): number =>
  v.every((x) => Math.abs(x - v[0]!) <= 1e-9 * Math.max(1, Math.abs(v[0]!))) ? v[0]! : NaN;

function fieldOf(app: App, world: World, vehicles: Vehicle[], s: Shared): Field {
  const names = vehicles.map((v) => v.name);
  const row = s.row;
  const off = fixedWhy(app, world) ?? (row.live ? undefined : "belongs to the model or the controller: choose one car");
  const mean = s.values.reduce((p, q) => p + q, 0) / s.values.length;
  return makeField(row, {
    value: shared(s.values),
    base: mean,
    label: row.name.replace(/_/g, " "),
    colour: app.colour(world.world),
    disabled: off,
    ...roadFloor(world, row.name, row),
    dash: () => `they differ: ${spread(s, row)}`,
    send: (value, done) =>
      done || app.clock.live
        ? app.change("set", { world: world.world, vehicles: names, param: `${s.group}.${row.name}`, value })
        : undefined,
  });
}
function spread(s: Shared, row: Row): string {
  return `${plain(Math.min(...s.values), 4)} to ${plain(Math.max(...s.values), 4)} ${unitText(row.unit)}`.trim();
}

function choiceFor(
  app: Scenario & Server,
  world: World,
  vehicles: Vehicle[],
  label: string,
  op: "model" | "controller",
  names: string[],
  now: (v: Vehicle) => string,
): HTMLElement | null {
  if (!names.length) return null;
  const values = new Set(vehicles.map(now));
  const one = values.size === 1 ? [...values][0]! : DASH;
  const all = names.includes(one) ? names : [one, ...names];
  const pick = makeChoice(
    label,
    all,
    one,
    (name) => {
      if (name !== DASH)
        app
          .change("car", { world: world.world, op, vehicles: vehicles.map((v) => v.name), name })
          .catch(() => undefined);
    },
    `for all ${vehicles.length} cars`,
  );
  pick.querySelector("select")!.disabled = fixedWhy(app, world) !== undefined;
  return pick;
}

export function manyForm(app: App, world: World, vehicles: Vehicle[]): { parts: HTMLElement[]; form: LiveForm } {
  const body = h("div", { class: "in-body", role: "group", "aria-label": `${vehicles.length} cars` });
  const badge = h("span", { class: "in-badge" }, String(vehicles.length));
  badge.style.background = app.colour(world.world);
  const head = h(
    "header",
    { class: "in-head" },
    badge,
    h("div", {}, h("h2", {}, `${vehicles.length} cars, ${world.name}`), h("span", { class: "in-sub" }, list(vehicles))),
  );
  const one = h(
    "button",
    { type: "button", class: "in-action", onclick: () => app.select(world.world, vehicles[0]!.name) },
    `Only ${vehicles[0]!.name}`,
  );
  const parts = [head, h("div", { class: "in-actions" }, one)];
  if (vehicles.length > MAX_CARS)
    return {
      parts: [...parts, h("p", { class: "in-empty" }, `At most ${MAX_CARS} cars can be changed at once.`)],
      form: { draw: () => undefined },
    };
  const fields = new Map<string, { field: Field; shared: Shared }>();
  const ask = (): Promise<Card[]> =>
    Promise.all(
      vehicles.map((v) =>
        app.ask("card", { world: world.world, vehicle: v.name, ...(app.clock.live ? {} : { t: app.clock.t }) }),
      ),
    );
  ask().then(
    (cards) => {
      if (body.isConnected) build(cards);
    },
    (e: Error) => body.append(h("p", { class: "in-empty" }, e.message)),
  );

  const build = (cards: Card[]): void => {
    const rows = common(cards);
    const sections: HTMLElement[] = [];
    for (const group of inOrder(rows.map((r) => r.group))) {
      const own = rows.filter((r) => r.group === group && r.row.live);
      if (!own.length) continue;
      const made = own.map((s) => {
        const field = fieldOf(app, world, vehicles, s);
        fields.set(`${group}.${s.row.name}`, { field, shared: s });
        return field;
      });
      const box = h(
        "details",
        { class: "in-group", "data-group": group, open: isOpen(group) },
        h("summary", {}, groupTitle(group)),
        fitLabels(
          h("div", {}, ...made.map((f) => f.root)),
          made.map((f) => f.row.name.replace(/_/g, " ")),
          6.6,
        ),
      );
      box.querySelector("summary")!.addEventListener("click", () => keepOpen(group, !box.open));
      sections.push(box);
    }
    const all = [...fields.values()].map((o) => o.field);
    if (all.length > 8) body.append(makeSearch(all));
    for (const pick of [
      choiceFor(app, world, vehicles, "Model", "model", world.models, (v) => v.model),
      choiceFor(
        app,
        world,
        vehicles,
        "Controller",
        "controller",
        given(world).map((c) => c.name),
        (v) => v.controller,
      ),
    ])
      if (pick) body.append(pick);
    body.append(
      ...(sections.length
        ? sections
        : [h("p", { class: "in-empty" }, "These cars have no parameter in common that can be changed.")]),
    );
  };
  let next = performance.now() + EVERY;
  let asking = false;
  let asked = "";
  const look = (): void => {
    const now = performance.now();
    if (!fields.size || document.hidden || !app.connected) return;
    const shown = `${app.clock.t} ${app.world(world.world)?.version}`;
    if (now < next || asking) {
      if (asked !== shown) app.touch(EVERY); // soon
      return;
    }
    next = now + EVERY * Math.max(1, vehicles.length / 8);
    asked = shown;
    asking = true;
    ask()
      .then(
        (cards) => {
          for (const s of common(cards)) {
            const f = fields.get(`${s.group}.${s.row.name}`);
            if (f) {
              f.shared.values = s.values;
              f.field.set(shared(s.values));
            }
          }
        },
        () => undefined,
      )
      .finally(() => (asking = false));
  };
  return { parts: [...parts, body], form: { draw: look } };
}
function list(vehicles: Vehicle[]): string {
  const names = vehicles.map((v) => v.name);
  return names.length > 6 ? `${names.slice(0, 5).join(", ")} and ${names.length - 5} more` : names.join(", ");
}
