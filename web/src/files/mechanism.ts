// mechanism.ts - a mechanism is not a world: it opens on the vehicle bench.
import type { App } from "../core/app.ts";

export function openMechanism(app: App, file: string): void {
  app.option("mechanism", file);
  app.layout.set({ view: "bench", bench: "mechanism" });
}
