// trying.ts - gains that are only being tried: while a slider is dragged, before the change is sent.
//
// The form calls tryGains(app, world, {k3: 1.6}, controller) at every movement and with null when it
// lets go; the change itself is then on its way. Instruments that can follow listen.
import type { Page, Trial } from "./app.ts";

export function tryGains(app: Page, world: number, params: Record<string, number> | null, controller: string): void {
  app.emit("try", { world, params, controller } satisfies Trial);
}

export function onTrial(app: Page, listener: (trial: Trial) => void): () => void {
  return app.on("try", (detail) => {
    if (detail) listener(detail);
  });
}

// A change of any page that really happened; not the cells of a sweep.
export function onChange(app: Page, listener: () => void): () => void {
  return app.on("changed", (detail) => {
    if ((detail?.kind ?? "changed") === "changed") listener();
  });
}
