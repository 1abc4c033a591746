// estimator.ts - the estimator of a car: which one is on, and what it has found.
import type { App } from "../core/app.ts";
import { fixedWhy } from "../core/facts.ts";
import { h } from "../ui/dom.ts";
import { makeChoice, short, unitText } from "../ui/form.ts";
import { ownEstimator } from "./ownestimator.ts";
import type { Card, Estimate, Vehicle, World } from "../wire/protocol.ts";

const NONE = "none";

// "mass 1998 ± 71 kg, working": ASCII apart from the sign of the band.
export function estimateText(e: Estimate | undefined): string {
  if (!e) return "";
  const value =
    e.value === null ? "nothing is known yet" : `${short(e.value)}${e.band === null ? "" : ` ± ${short(e.band)}`}`;
  const unit = e.value === null ? "" : ` ${unitText(e.unit)}`;
  const state = !e.on ? "held" : e.active ? "working" : "waiting";
  const trust = e.on && e.value !== null && !e.claimed ? ", not certain yet" : "";
  return `${e.parameter ? `${e.parameter}: ` : ""}${value}${unit}; ${state}${trust}`;
}

export interface EstimatorBox {
  root: HTMLElement;
  update(card: Card): void;
}

// again: the form has other parameters now.
export function estimatorBox(app: App, world: World, vehicle: Vehicle, card: Card, again: () => void): EstimatorBox {
  const what = (c: Card): string => `${c.estimator}/${c.estimate?.name ?? ""}`;
  const shown = what(card);
  const note = h("div", { class: "in-note", "data-estimate": "" }, estimateText(card.estimate));
  const choice = makeChoice(
    "Estimator",
    [NONE, ...card.estimators],
    card.estimator,
    (estimator) =>
      void app.change("estimator", { world: world.world, vehicle: vehicle.name, estimator }).then(again, again),
    "finds a parameter of this car while it drives; its parameters are below",
  );
  const select = choice.querySelector("select")!;
  const off = fixedWhy(app, world);
  select.disabled = off !== undefined;
  if (off) select.title = off;
  return {
    root: h("div", { class: "in-estimator" }, choice, note, ownEstimator(app, world, vehicle, again)),
    update: (c) => {
      note.textContent = estimateText(c.estimate);
      if (what(c) !== shown && document.activeElement !== select) again();
    },
  };
}
