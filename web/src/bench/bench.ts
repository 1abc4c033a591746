// bench.ts - the benches: whole layouts for one question, in the scene's place.
import type { App, Part } from "../core/app.ts";
import { mountIdentify } from "./identify.ts";
import { mountMileage } from "./mileage.ts";
import { mountSweep } from "./sweep.ts";

export function mountBench(host: HTMLElement, app: App, which: "identify" | "mileage" | "sweep"): Part {
  if (which === "identify") return mountIdentify(host, app);
  return which === "mileage" ? mountMileage(host, app) : mountSweep(host, app);
}
