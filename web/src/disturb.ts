// disturb.ts - what can go wrong with a car: brake, throttle, sensor, radio. Each is an event of the
// log, made at the playhead.
import type { App, Row, Vehicle, World } from "./app";
import { h } from "./dom";
import { fitLabels, makeField } from "./form";
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

export function disturbForm(app: App, world: World, vehicle: Vehicle): HTMLElement {
  const off = fixedWhy(app, world);
  const send = (event: string, value: number): Promise<unknown> => app.change("fault", { world: world.world, vehicle: vehicle.name, event, value });
  const lose = h("button", { type: "button", class: "in-action danger", title: off ?? "the brake of this car fails now", disabled: off !== undefined, onclick: () => void send("brake_lost", 0).catch(() => undefined) }, "▲ Brake fails now");
  const fields = FAULTS.map((f) => makeField(f.row, { value: now(app, world, vehicle, f), label: f.label, disabled: off, send: (value, done) => (done ? send(f.event, value) : undefined) }));
  return fitLabels(h("div", { class: "di-form" },
    h("p", { class: "in-note" }, "Faults of this car from the playhead on. Behind the live end they start a branch, so the healthy run stays beside it."),
    h("div", { class: "in-actions" }, lose), ...fields.map((f) => f.root)), FAULTS.map((f) => f.label), 6.6);
}

// The last fault of its kind that happened to this car.
function now(app: App, world: World, vehicle: Vehicle, f: Fault): number {
  const before = app.events(world.world).filter((e) => e.type === "fault" && e.vehicle === vehicle.name && e.text.includes(f.event) && e.t <= app.clock.t);
  return before[before.length - 1]?.value ?? f.row.default ?? 0;
}
