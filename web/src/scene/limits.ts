// limits.ts - what counts as too much, and how the heads swing: a popup of the scene bar's Meters.
import type { Page } from "../core/app.ts";
import { h } from "../ui/dom.ts";
import { makeField } from "../ui/form.ts";
import { openPopup } from "../ui/popup.ts";
import { HEAD_LAW, type HeadLaw } from "./heads.ts";
import { choice, choose, SCENE_DEFAULTS } from "./options.ts";

export function openLimits(app: Page, anchor: HTMLElement): void {
  const limit = (
    name: "errorLimit" | "jerkLimit",
    label: string,
    unit: string,
    max: number,
    doc: string,
  ): HTMLElement =>
    makeField(
      { name, unit, default: SCENE_DEFAULTS[name], min: 0.001, max, doc },
      {
        value: choice(app, name),
        label,
        send: (v) => {
          choose(app, name, v);
          app.emit("layout");
        },
      },
    ).root;
  const head = (name: keyof HeadLaw, label: string, unit: string, min: number, max: number, doc: string): HTMLElement =>
    makeField(
      { name: `head_${name}`, unit, default: HEAD_LAW[name], min, max, doc },
      {
        value: choice(app, "head")[name],
        label,
        send: (v) => {
          choose(app, "head", { ...choice(app, "head"), [name]: v });
          app.emit("layout");
        },
      },
    ).root;
  openPopup(
    anchor,
    "Limits and heads",
    h("h3", { class: "li-title" }, "Highlighting limits"),
    limit(
      "errorLimit",
      "Spacing error",
      "m",
      100,
      "errors beyond it are hatched and crimson on the rail, in tags and meters",
    ),
    limit("jerkLimit", "Jerk", "m/s^3", 100, "jerk beyond it is bold and crimson in tags and meters"),
    h("h3", { class: "li-title" }, "Heads under the sunroof"),
    head("w", "Frequency w", "rad/s", 1, 30, "of the neck as a spring; at constant a the passenger leans by a/w²"),
    head("z", "Damping z", "-", 0.05, 0.95, "1: no oscillation"),
    head("T", "Driver T", "s", 0, 2, "the driver holds the wheel and feels T times the jerk"),
  );
}
