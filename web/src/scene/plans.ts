// plans.ts - the plans of the worlds' roads: asked for when a world says that it has another one.
import type { App } from "../core/app.ts";
import type { World } from "../wire/protocol.ts";
import { RoadPlan } from "./plan.ts";

interface Kept {
  asked: number; // version that was asked for last
  plan: RoadPlan | null;
}
const all = new WeakMap<App, Map<number, Kept>>();

// The plan of a world's road as far as it is known; null: none yet, or the road has none. While another one comes, the
// one before is shown.
export function planOf(app: App, world: World): RoadPlan | null {
  let plans = all.get(app);
  if (!plans) {
    all.set(app, (plans = new Map()));
    app.on("worlds", (d) => {
      if (d?.reset) plans!.clear();
    });
  }
  let kept = plans.get(world.world);
  if (!kept) plans.set(world.world, (kept = { asked: 0, plan: null }));
  const version = world.road.plan ?? 0;
  if (version > 0 && kept.asked !== version && app.connected) ask(app, world.world, version, kept);
  return kept.plan;
}

function ask(app: App, world: number, version: number, kept: Kept): void {
  kept.asked = version;
  app.ask("plan", { world }).then(
    (p) => {
      if (kept.plan && kept.plan.version >= p.plan) return;
      kept.plan = new RoadPlan(p);
      app.emit("frame", {});
    },
    () => {
      if (!app.connected) kept.asked = 0; // again with the next connection
    },
  );
}
