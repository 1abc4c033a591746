// figuremeters.ts - meters of ride quality and string stability: figures over the last minute of what
// is shown, of simulated worlds and of recordings alike. The server computes them from its rows, so a
// meter shows what a figure of the same stretch says (docs/figures.md).
import type { App } from "../core/app.ts";

export const WINDOW = 60; // s
const EVERY = 1000; // ms between two questions

// The stretch whose end is t; it begins at the first row at the earliest.
export function stretch(t: number, begin: number): { from: number; to: number } {
  return { from: Math.max(begin, t - WINDOW), to: t };
}

export class FigureMeters {
  private values = new Map<string, number>(); // "world/vehicle/figure"
  private next = -Infinity;
  private asked = ""; // the stretch and worlds of the last answer
  private asking = false;

  constructor(private app: App) {}

  value(world: number, vehicle: string, figure: string): number {
    return this.values.get(`${world}/${vehicle}/${figure}`) ?? NaN;
  }

  // Asks where the answer can be another one than the last. then: after an answer.
  refresh(figures: readonly string[], then: () => void): void {
    const app = this.app;
    const worlds = app.shown().map((w) => w.world);
    const t = app.clock.t;
    const key = `${worlds.join()}@${t.toFixed(3)}`;
    const now = performance.now();
    if (!figures.length || !worlds.length || key === this.asked || !app.connected) return;
    if (this.asking || now < this.next) return app.touch(EVERY); // soon
    this.next = now + EVERY;
    this.asking = true;
    app
      .ask("figures", { worlds, ...stretch(t, -1e9) })
      .then(
        (a) => {
          this.asked = key;
          this.values.clear();
          a.worlds.forEach((world, k) => {
            for (const car of a.cars[k] ?? [])
              for (const f of figures) this.values.set(`${world}/${car.vehicle}/${f}`, car.values[f] ?? NaN);
          });
          then();
        },
        () => undefined,
      )
      .finally(() => (this.asking = false));
  }
}
