// facts.ts - what is read off a world: its controllers, what drives a car, why nothing can be changed.
import type { Controller, Model, Vehicle, World } from "../wire/protocol.ts";
import type { Scenario } from "./app.ts";

// Controllers the scenario names; those in brackets come with a speed profile.
export function given(world: World): Controller[] {
  return world.controllers.filter((c) => !c.name.startsWith("("));
}
export function fixedWhy(app: Scenario, world: World): string | undefined {
  return world.kind === "replay"
    ? "a recording cannot be changed"
    : app.readOnly
      ? "this page is read-only"
      : undefined;
}

// It ended before t, by more than its rows are apart.
export function isOver(w: World, t: number): boolean {
  return (w.kind === "replay" || w.state !== "running") && t > w.end + 2 * Math.max(w.row, w.step) + 1e-6;
}
// What the model of a car is like; a recording has none.
export function modelOf(world: World, v: Vehicle): Model | undefined {
  return world.catalogue?.find((m) => m.name === v.model);
}
export function follows(v: Vehicle): string {
  return v.driven
    ? `hands of ${v.driven}`
    : v.controller && !v.controller.startsWith("(")
      ? v.controller
      : v.profile
        ? `profile ${v.profile}`
        : "rolls";
}
