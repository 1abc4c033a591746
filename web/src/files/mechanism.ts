// mechanism.ts - a mechanism, and the recorded motion of one, opens on the bench, beside what is on the road.
import type { App } from "../core/app.ts";

export async function openMechanism(app: App, file: string, beside = false): Promise<void> {
  const { world } = await app.ask("open", { file, beside });
  app.opened(world);
}
