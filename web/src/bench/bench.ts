// bench.ts - the benches: whole layouts for one question, in the scene's place.
import type { App, Bench, Part } from "../core/app.ts";
import { mountMechanism } from "../mechanism/bench.ts";
import { mountIdentify } from "./identify.ts";
import { mountMileage } from "./mileage.ts";
import { mountSweep } from "./sweep.ts";

const BENCHES: Record<Bench, (host: HTMLElement, app: App) => Part> = {
  identify: mountIdentify,
  mileage: mountMileage,
  sweep: mountSweep,
  mechanism: mountMechanism,
};

export function mountBench(host: HTMLElement, app: App, which: Bench): Part {
  return BENCHES[which](host, app);
}
