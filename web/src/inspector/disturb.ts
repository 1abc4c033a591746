// disturb.ts - robustness by hand: a disturbance of a car as a step, a pulse, a sine or noise, and
// faults of its brake, throttle, sensor and radio. Each is an event of the log at the playhead.
//
// Which faults exist, their labels, units, ranges and help come from the server's table of events
// (the welcome message), so that a new fault needs no edit here.
import type { App, Event, Page } from "../core/app.ts";
import { sentence } from "../core/core.ts";
import { fixedWhy } from "../core/facts.ts";
import { h, svg } from "../ui/dom.ts";
import { fitLabels, makeField, plain, type Field } from "../ui/form.ts";
import type { EventKind, Row, Vehicle, World } from "../wire/protocol.ts";

export interface Fault {
  event: string;
  label: string;
  row: Row;
  shaped: boolean; // may vary with time: a disturbance
}

export function faultsOf(kinds: EventKind[]): Fault[] {
  return kinds.flatMap((k) =>
    k.fault && k.rows[0] ? [{ event: k.name, label: k.label || k.name, row: k.rows[0], shaped: k.shaped }] : [],
  );
}

// The value of the last such fault of this car up to t; NaN: none. A disturbance that varies with
// time or ends by itself does not count.
export function faultValue(happened: Event[], vehicle: string, fault: Fault, t: number): number {
  const last = happened
    .filter((e) => {
      const [event, ...rest] = e.text.slice(e.text.lastIndexOf(": ") + 2).split(" ");
      const own = e.type === "fault" && e.vehicle === vehicle && event === fault.event && e.t <= t;
      return own && !rest.some((word) => /^(sine|noise|for)$/.test(word));
    })
    .at(-1);
  return last ? (last.value ?? fault.row.default ?? NaN) : NaN;
}

export type Shape = "step" | "pulse" | "sine" | "noise";
export interface Disturbance {
  on: string; // an event
  shape: Shape;
  sizes: Record<string, number>; // by event
  frequency: number;
  lasting: number;
}
const FIRST: Disturbance = { on: "push", shape: "step", sizes: {}, frequency: 0.2, lasting: 5 };

// As it was kept; `push` and `gap` were the sizes when only these two could be disturbed.
type Kept = Partial<Disturbance> & { push?: number; gap?: number };
export function readDisturbance(kept: Kept | undefined, shaped: Fault[]): Disturbance {
  const { push, gap, ...rest } = kept ?? {};
  const first = shaped.map((f): [string, number] => [f.event, f.row.unit === "N" ? 1000 : Math.min(1, f.row.max)]);
  const old = { ...(push === undefined ? {} : { push }), ...(gap === undefined ? {} : { sensor_bias: gap }) };
  const d = { ...FIRST, ...rest, sizes: { ...Object.fromEntries(first), ...old, ...rest.sizes } };
  return { ...d, on: shaped.some((f) => f.event === d.on) ? d.on : (shaped[0]?.event ?? "") };
}

const SHAPES: [Shape, string, string][] = [
  ["step", "Step", "from now on"],
  ["pulse", "Pulse", "for a while"],
  ["sine", "Sine", "at one frequency"],
  ["noise", "Noise", "a new value at every step; the size is its standard deviation"],
];

// The words the server reads: "", "for 5 s", "sine 0.2 Hz for 5 s".
export function shapeText(d: Disturbance): string {
  const what = d.shape === "sine" ? `sine ${plain(d.frequency)} Hz` : d.shape === "noise" ? "noise" : "";
  const end = d.shape !== "step" && d.lasting > 0 ? `for ${plain(d.lasting)} s` : "";
  return [what, end].filter(Boolean).join(" ");
}

type Send = (event: string, value: number, shape?: string) => Promise<unknown>;

export function disturbForm(app: App, world: World, vehicle: Vehicle): HTMLElement {
  const off = fixedWhy(app, world);
  const send: Send = (event, value, shape = "") =>
    app.change("fault", { world: world.world, vehicle: vehicle.name, event, value, ...(shape ? { shape } : {}) });
  const faults = faultsOf(app.eventKinds);
  const fields = faults.map((f) =>
    makeField(
      { ...f.row, default: null }, // the default is what a fault without a number does, not a healthy car
      {
        value: faultValue(app.events(world.world), vehicle.name, f, app.clock.t),
        base: Math.min(f.row.max, Math.max(f.row.min, 0)),
        dash: () => "no such fault so far",
        label: f.label,
        disabled: off,
        send: (value, done) => (done ? send(f.event, value) : undefined),
      },
    ),
  );
  return fitLabels(
    h(
      "div",
      { class: "di-form" },
      h(
        "p",
        { class: "in-note" },
        "Starts at the playhead. Behind the live end it starts a branch, and the original run is kept.",
      ),
      h("h3", {}, "Disturbance"),
      disturbance(
        app,
        vehicle,
        faults.filter((f) => f.shaped),
        off,
        send,
      ),
      h("h3", {}, "Faults"),
      h(
        "div",
        { class: "in-actions" },
        button("in-action danger", "▲ Brake fails now", "the brake of this car fails now", off, () => {
          send("brake_lost", 0).catch(() => undefined);
        }),
      ),
      ...fields.map((f) => f.root),
    ),
    faults.map((f) => f.label),
    6.6,
  );
}

function button(look: string, text: string, title: string, off: string | undefined, onclick: () => void): HTMLElement {
  return h("button", { type: "button", class: look, title: off ?? title, disabled: off !== undefined, onclick }, text);
}

function disturbance(app: Page, vehicle: Vehicle, shaped: Fault[], off: string | undefined, send: Send): HTMLElement {
  const d = readDisturbance(app.option("disturb"), shaped);
  const box = h("div", { class: "di-box" });
  const chosen = (): Fault | undefined => shaped.find((f) => f.event === d.on);
  const size = (): number => d.sizes[d.on] ?? 0;
  const note = h("p", { class: "in-note" });
  const sketch = h("div", { class: "di-sketch", "aria-hidden": "true" });
  const tell = (): void => {
    note.textContent = noteText(chosen(), size(), vehicle.mass);
    sketch.replaceChildren(drawing(d, size()));
  };
  const keep = (change: Partial<Disturbance>): void => {
    Object.assign(d, change);
    app.option("disturb", { ...d });
    tell();
  };
  const choose = (change: Partial<Disturbance>): void => {
    keep(change);
    const focus = (document.activeElement as HTMLElement | null)?.dataset.choice;
    build();
    box.querySelector<HTMLElement>(`[data-choice="${focus}"]`)?.focus();
  };
  const apply = (value: number, shape: string, said: string): void =>
    void send(d.on, value, shape).then(
      () => app.speak(said),
      () => undefined,
    );
  const build = (): void => {
    const what = shaped.map((f): [string, string, string] => [f.event, f.label, f.row.doc]);
    box.replaceChildren(
      choices("What is disturbed", what, d.on, (on) => choose({ on })),
      choices("Shape", SHAPES, d.shape, (shape) =>
        choose({
          shape: shape as Shape,
          ...(shape === "pulse" && !(d.lasting > 0) ? { lasting: FIRST.lasting } : {}),
        }),
      ),
      sketch,
      ...numbers(d, chosen(), off, keep).map((f) => f.root),
      note,
      h(
        "div",
        { class: "in-actions" },
        button("in-action main", "Disturb now", "at the playhead", off, () =>
          apply(size(), shapeText(d), `${vehicle.name} is disturbed`),
        ),
        button("in-action", "End it", "ends at the playhead", off, () => apply(0, "", "the disturbance ends")),
      ),
    );
    tell();
  };
  build();
  return box;
}

// Size, and what the shape needs: frequency, duration.
function numbers(
  d: Disturbance,
  fault: Fault | undefined,
  off: string | undefined,
  keep: (change: Partial<Disturbance>) => void,
): Field[] {
  const field = (row: Row, label: string, value: number, take: (v: number) => void): Field =>
    makeField(row, { value, label, disabled: off, send: take });
  const fields: Field[] = [];
  if (fault)
    fields.push(
      field(fault.row, "Size", d.sizes[fault.event]!, (v) => keep({ sizes: { ...d.sizes, [fault.event]: v } })),
    );
  if (d.shape === "sine") fields.push(field(FREQUENCY, "Frequency", d.frequency, (v) => keep({ frequency: v })));
  if (d.shape !== "step") {
    const row = d.shape === "pulse" ? { ...LASTING, min: 0.01, doc: "how long it lasts" } : LASTING;
    fields.push(field(row, "Lasts", d.lasting, (v) => keep({ lasting: v })));
  }
  return fields;
}
const FREQUENCY: Row = { name: "frequency", unit: "Hz", default: 0.2, min: 0.001, max: 100, doc: "of the sine" };
const LASTING: Row = {
  name: "lasting",
  unit: "s",
  default: 5,
  min: 0,
  max: 1e6,
  doc: "how long it lasts; 0: no end",
};

// An acceleration is also shown as a force.
export function noteText(fault: Fault | undefined, size: number, mass: number | null): string {
  if (!fault) return "";
  const doc = `${sentence(fault.row.doc)}.`;
  if (fault.row.unit !== "m/s^2" || mass === null) return doc;
  return `${plain(size, 3)} m/s² on ${Math.round(mass)} kg: ${plain(size * mass, 3)} N. ${doc}`;
}

// A row of exclusive choices with roving focus.
function choices(
  label: string,
  all: [string, string, string][],
  chosen: string,
  take: (name: string) => void,
): HTMLElement {
  const group = h(
    "div",
    { class: "di-choices", role: "radiogroup", "aria-label": label },
    ...all.map(([name, title, doc]) =>
      h(
        "button",
        {
          type: "button",
          role: "radio",
          "aria-checked": String(name === chosen),
          tabindex: name === chosen ? 0 : -1,
          title: doc,
          "data-choice": label,
          onclick: () => take(name),
        },
        title,
      ),
    ),
  );
  for (const b of group.children) if (b.getAttribute("aria-checked") !== "true") b.removeAttribute("data-choice");
  group.addEventListener("keydown", (e) => {
    const step =
      e.key === "ArrowRight" || e.key === "ArrowDown" ? 1 : e.key === "ArrowLeft" || e.key === "ArrowUp" ? -1 : 0;
    if (!step) return;
    e.preventDefault();
    e.stopPropagation();
    take(all[(all.findIndex(([n]) => n === chosen) + step + all.length) % all.length]![0]);
  });
  return group;
}

// Its shape over ten seconds, or over twice its duration.
function drawing(d: Disturbance, size: number): SVGElement {
  const lasting = d.shape === "step" ? 0 : d.lasting;
  const span = lasting > 0 ? 2 * lasting : d.shape === "sine" ? 4 / d.frequency : 10;
  const w = 268;
  const mid = 17;
  const points: string[] = [];
  const up = Math.sign(size || 1) * 12;
  for (let k = 0; k <= 240; k++) {
    const t = (k / 240) * span - 0.12 * span;
    const on = t >= 0 && (lasting <= 0 || t < lasting);
    const v = !on
      ? 0
      : d.shape === "sine"
        ? Math.sin(2 * Math.PI * d.frequency * t)
        : d.shape === "noise"
          ? 0.8 * Math.sin(k * 12.9898) * Math.sin(k * 78.233)
          : 1;
    points.push(`${((k / 240) * w).toFixed(1)},${(mid - up * v).toFixed(1)}`);
  }
  return svg(
    "svg",
    { viewBox: `0 0 ${w} 34` },
    svg("line", { x1: 0, x2: w, y1: mid, y2: mid }),
    svg("polyline", { points: points.join(" ") }),
  );
}
