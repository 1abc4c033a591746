// disturb.ts - robustness by hand: a force on a car or an error of its measured gap, as a step, a
// pulse, a sine or noise; and what can go wrong with it: brake, throttle, sensor, radio. Each is an
// event of the log, made at the playhead.
import type { App, Row, Vehicle, World } from "./app";
import { h, svg } from "./dom";
import { fitLabels, makeField, plain, type Field } from "./form";
import { fixedWhy } from "./law";

interface Fault { event: string; label: string; row: Row }
const row = (name: string, unit: string, fallback: number, min: number, max: number, doc: string): Row => ({ name, unit, default: fallback, min, max, doc });
// The ranges are those of docs/scenarios.md's table of events; the server checks them again.
const FAULTS: Fault[] = [
  { event: "brake_lost", label: "Brake left", row: row("brake_lost", "-", 1, 0, 1, "share of the brake that still works") },
  { event: "throttle_stuck", label: "Throttle stuck at", row: row("throttle_stuck", "-", 0.3, 0, 1, "where the throttle stays") },
  { event: "sensor_bias", label: "Sensor bias", row: row("sensor_bias", "m", 0, -100, 100, "added to the measured gap") },
  { event: "sensor_noise", label: "Sensor noise", row: row("sensor_noise", "m", 0, 0, 10, "standard deviation of the measured gap") },
  { event: "radio_delay", label: "Radio delay", row: row("radio_delay", "s", 0, 0, 10, "delay of the messages it hears") },
  { event: "radio_loss", label: "Radio loss", row: row("radio_loss", "-", 0, 0, 1, "share of the messages it does not hear") },
];

export type Shape = "step" | "pulse" | "sine" | "noise";
export interface Disturbance { on: "push" | "sensor_bias"; shape: Shape; push: number; gap: number; frequency: number; lasting: number }
const FIRST: Disturbance = { on: "push", shape: "step", push: 0.5, gap: 1, frequency: 0.2, lasting: 5 };
const SHAPES: [Shape, string, string][] = [["step", "Step", "from now on"], ["pulse", "Pulse", "for a while"], ["sine", "Sine", "of one frequency"], ["noise", "Noise", "new at every step; the size is its standard deviation"]];

// The words the server reads: "", "for 5 s", "sine 0.2 Hz for 5 s".
export function shapeText(d: Disturbance): string {
  const what = d.shape === "sine" ? `sine ${plain(d.frequency)} Hz` : d.shape === "noise" ? "noise" : "";
  const end = d.shape !== "step" && d.lasting > 0 ? `for ${plain(d.lasting)} s` : "";
  return [what, end].filter(Boolean).join(" ");
}

export function disturbForm(app: App, world: World, vehicle: Vehicle): HTMLElement {
  const off = fixedWhy(app, world);
  const send = (event: string, value: number, shape = ""): Promise<unknown> => app.change("fault", { world: world.world, vehicle: vehicle.name, event, value, ...(shape ? { shape } : {}) });
  const lose = h("button", { type: "button", class: "in-action danger", title: off ?? "the brake of this car fails now", disabled: off !== undefined, onclick: () => void send("brake_lost", 0).catch(() => undefined) }, "▲ Brake fails now");
  const fields = FAULTS.map((f) => makeField(f.row, { value: now(app, world, vehicle, f), label: f.label, disabled: off, send: (value, done) => (done ? send(f.event, value) : undefined) }));
  return fitLabels(h("div", { class: "di-form" },
    h("p", { class: "in-note" }, "From the playhead on. Behind the live end it starts a branch, so the run as it was stays beside it."),
    h("h3", {}, "Disturbance"), disturbance(app, vehicle, off, send),
    h("h3", {}, "Faults"), h("div", { class: "in-actions" }, lose), ...fields.map((f) => f.root)), FAULTS.map((f) => f.label), 6.6);
}

function disturbance(app: App, vehicle: Vehicle, off: string | undefined, send: (event: string, value: number, shape?: string) => Promise<unknown>): HTMLElement {
  const d: Disturbance = { ...FIRST, ...(app.option<Partial<Disturbance> | undefined>("disturb") ?? {}) };
  const box = h("div", { class: "di-box" });
  const keep = (change: Partial<Disturbance>, anew: boolean): void => {
    Object.assign(d, change);
    app.option("disturb", { ...d });
    if (!anew) return tell();
    const focus = (document.activeElement as HTMLElement | null)?.dataset.choice;
    build();
    box.querySelector<HTMLElement>(`[data-choice="${focus}"]`)?.focus();
  };
  let note: HTMLElement, sketch: HTMLElement;
  const tell = (): void => {
    const force = d.on === "push" && Number.isFinite(vehicle.mass) ? `${plain(d.push, 3)} m/s² on ${Math.round(vehicle.mass)} kg: ${plain(d.push * vehicle.mass, 3)} N. Its law and the radio do not know of it; pedals give it, as far as they can.` : "Added to the gap it measures; the true gap is another.";
    note.textContent = force;
    sketch.replaceChildren(drawing(d));
  };
  const build = (): void => {
    const field = (r: Row, label: string, value: number, take: (v: number) => void): Field => makeField(r, { value, label, disabled: off, send: (v) => take(v) });
    const size = d.on === "push" ? field(row("push", "m/s^2", 0.5, -20, 20, "acceleration the push would give alone; forward positive"), "Size", d.push, (v) => keep({ push: v }, false))
      : field(row("gap", "m", 1, -100, 100, "added to the measured gap"), "Size", d.gap, (v) => keep({ gap: v }, false));
    const frequency = field(row("frequency", "Hz", 0.2, 0.001, 100, "of the sine"), "Frequency", d.frequency, (v) => keep({ frequency: v }, false));
    const lasting = field(row("lasting", "s", 5, d.shape === "pulse" ? 0.01 : 0, 1e6, d.shape === "pulse" ? "how long it lasts" : "how long it lasts; 0: without end"), "Lasts", d.lasting, (v) => keep({ lasting: v }, false));
    note = h("p", { class: "in-note" });
    sketch = h("div", { class: "di-sketch", "aria-hidden": "true" });
    const start = (): void => void send(d.on, d.on === "push" ? d.push : d.gap, shapeText(d)).then(() => app.speak(`${vehicle.name} is disturbed`), () => undefined);
    const end = (): void => void send(d.on, 0, d.on === "push" ? "" : "step").then(() => app.speak("the disturbance ends"), () => undefined);
    box.replaceChildren(
      choices("What is disturbed", [["push", "Force", "a force on the car"], ["sensor_bias", "Measured gap", "an error of its range sensor"]], d.on, (on) => keep({ on: on as Disturbance["on"] }, true)),
      choices("Shape", SHAPES, d.shape, (shape) => keep({ shape: shape as Shape, ...(shape === "pulse" && !(d.lasting > 0) ? { lasting: FIRST.lasting } : {}) }, true)), sketch,
      size.root, ...(d.shape === "sine" ? [frequency.root] : []), ...(d.shape === "step" ? [] : [lasting.root]), note,
      h("div", { class: "in-actions" },
        h("button", { type: "button", class: "in-action main", title: off ?? "at the playhead", disabled: off !== undefined, onclick: start }, "Disturb now"),
        h("button", { type: "button", class: "in-action", title: off ?? "no more of it from the playhead on", disabled: off !== undefined, onclick: end }, "End it")));
    tell();
  };
  build();
  return box;
}

// A row of exclusive choices with roving focus.
function choices(label: string, all: [string, string, string][], chosen: string, take: (name: string) => void): HTMLElement {
  const group = h("div", { class: "di-choices", role: "radiogroup", "aria-label": label }, ...all.map(([name, title, doc]) =>
    h("button", { type: "button", role: "radio", "aria-checked": String(name === chosen), tabindex: name === chosen ? 0 : -1, title: doc, "data-choice": label, onclick: () => take(name) }, title)));
  for (const b of group.children) if (b.getAttribute("aria-checked") !== "true") b.removeAttribute("data-choice");
  group.addEventListener("keydown", (e) => {
    const step = e.key === "ArrowRight" || e.key === "ArrowDown" ? 1 : e.key === "ArrowLeft" || e.key === "ArrowUp" ? -1 : 0;
    if (!step) return;
    e.preventDefault();
    e.stopPropagation();
    take(all[(all.findIndex(([n]) => n === chosen) + step + all.length) % all.length]![0]);
  });
  return group;
}

// What it looks like over ten seconds, or twice as long as it lasts.
function drawing(d: Disturbance): SVGElement {
  const lasting = d.shape === "step" ? 0 : d.lasting, span = lasting > 0 ? 2 * lasting : d.shape === "sine" ? 4 / d.frequency : 10, w = 268, mid = 17, points: string[] = [];
  const up = Math.sign((d.on === "push" ? d.push : d.gap) || 1) * 12;
  for (let k = 0; k <= 240; k++) {
    const t = (k / 240) * span - 0.12 * span, on = t >= 0 && (lasting <= 0 || t < lasting);
    const v = !on ? 0 : d.shape === "sine" ? Math.sin(2 * Math.PI * d.frequency * t) : d.shape === "noise" ? 0.8 * Math.sin(k * 12.9898) * Math.sin(k * 78.233) : 1;
    points.push(`${((k / 240) * w).toFixed(1)},${(mid - up * v).toFixed(1)}`);
  }
  return svg("svg", { viewBox: `0 0 ${w} 34` }, svg("line", { x1: 0, x2: w, y1: mid, y2: mid }), svg("polyline", { points: points.join(" ") }));
}

// The last fault of its kind that happened to this car. One with a shape is a disturbance.
function now(app: App, world: World, vehicle: Vehicle, f: Fault): number {
  const before = app.events(world.world).filter((e) => e.type === "fault" && e.vehicle === vehicle.name && e.text.includes(f.event) && !/ (sine|noise|step|for) ?/.test(e.text.replace(f.event, "")) && e.t <= app.clock.t);
  return before[before.length - 1]?.value ?? f.row.default ?? 0;
}
