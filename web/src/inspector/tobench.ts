// tobench.ts - a car that is made of a mechanism goes to the vehicle bench, as it is at the playhead. What is changed
// there comes back by the bench's own button (mechanism/back.ts).
import type { App } from "../core/app.ts";
import { h } from "../ui/dom.ts";
import type { Vehicle, World } from "../wire/protocol.ts";

export const onBench = (vehicle: Vehicle | null): boolean => vehicle?.mechanism === true;

export async function toBench(app: App, world: World, vehicle: Vehicle): Promise<void> {
  try {
    const done = await app.ask("to_bench", { world: world.world, vehicle: vehicle.name, t: app.clock.t });
    app.opened(done.world);
  } catch (e) {
    app.toast(e instanceof Error ? e.message : String(e));
  }
}

export function benchButton(app: App, world: World, vehicle: Vehicle): HTMLElement {
  return h(
    "button",
    {
      class: "btn in-bench",
      title: "Its mechanism on the vehicle bench, as it is at the playhead, on the springs of its tyres",
      onclick: () => void toBench(app, world, vehicle),
    },
    "To the bench",
  );
}
