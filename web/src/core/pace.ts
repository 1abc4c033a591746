// pace.ts - how often something is drawn while time runs: numbers ten times a second, at rest and
// when something happened at once.
//
//     private pace = new Pace(app);
//     draw(): void { if (!this.pace.due()) return; ...
//
// Paces keep their beat and start apart from each other, so that what is slow does not all fall
// into one animation frame.
import type { App, Topic } from "./app.ts";

const HAPPENINGS: Topic[] = ["worlds", "world", "select", "clock", "theme", "layout", "state", "resize"];
let count = 0;

export class Pace {
  private next: number;
  constructor(
    private readonly app: App,
    private readonly ms = 100,
    happenings: Topic[] = HAPPENINGS,
  ) {
    this.next = performance.now() + ((count++ * 37) % ms);
    for (const topic of happenings)
      app.on(topic, (d) => {
        if (!(d && "load" in d && d.load)) this.hurry(); // load: only the server's figures
      });
  }
  hurry(): void {
    this.next = Math.min(this.next, performance.now());
  }
  // True: draw now.
  due(now = performance.now()): boolean {
    if (this.app.clock.playing && now < this.next) return false;
    this.next += this.ms * Math.max(1, Math.ceil((now - this.next) / this.ms));
    return true;
  }
}
