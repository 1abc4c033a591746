// limits.ts - what counts as too much, and how the heads swing: a popup of the scene bar's Meters.
import type { App } from "./app.ts";
import { h } from "./dom.ts";
import { makeField } from "./form.ts";
import { HEAD_LAW, type HeadLaw } from "./heads.ts";
import { choice, choose, SCENE_DEFAULTS } from "./options.ts";
import { openPopup } from "./popup.ts";

export function openLimits(app: App, anchor: HTMLElement): void {
  const limit = (name: "errorLimit" | "jerkLimit", label: string, unit: string, max: number, doc: string): HTMLElement =>
    makeField({ name, unit, default: SCENE_DEFAULTS[name], min: 0.001, max, doc }, { value: choice(app, name), label, send: (v) => { choose(app, name, v); app.emit("layout"); } }).root;
  const head = (name: keyof HeadLaw, label: string, unit: string, min: number, max: number, doc: string): HTMLElement =>
    makeField({ name: `head_${name}`, unit, default: HEAD_LAW[name], min, max, doc }, { value: choice(app, "head")[name], label, send: (v) => { choose(app, "head", { ...choice(app, "head"), [name]: v }); app.emit("layout"); } }).root;
  openPopup(anchor, "Limits and heads",
    h("h3", { class: "li-title" }, "Shown as too much"),
    limit("errorLimit", "Spacing error", "m", 100, "errors beyond it are hatched and crimson on the rail, in tags and meters"),
    limit("jerkLimit", "Jerk", "m/s^3", 100, "jerk beyond it is bold and crimson in tags and meters"),
    h("h3", { class: "li-title" }, "Heads under the sunroof"),
    head("w", "Frequency w", "rad/s", 1, 30, "of the neck as a spring; at constant a the passenger leans by a/w²"),
    head("z", "Damping z", "-", 0.05, 0.95, "1: no more swinging"),
    head("T", "Driver T", "s", 0, 2, "the driver holds the wheel and feels T times the jerk"));
}
