// hits3d.ts - collisions in the 3-D view: which one is looked at, its report and ledger beside the picture, and time that
// runs slowly while it lasts.
import { mountCollision, mountCollisionCards, type CollisionPart } from "../collision/collision.ts";
import type { App, Event } from "../core/app.ts";
import { h } from "../ui/dom.ts";
import type { World } from "../wire/protocol.ts";
import type { Hit } from "./bar3d.ts";

const NEAR = 1.5; // s around a collision in which the view speaks of it
const TAKES = 4; // s of real time that a collision takes
const AROUND = 0.02; // s before the first impact and after the last one
const COAST = 2; // 1/s: how fast time gets slower towards it

export function hitAt(app: App, w: World): Hit | null {
  const t = app.clock.t;
  let best: Event | null = null;
  let index = -1;
  let count = 0;
  for (const e of app.events(w.world)) {
    if (e.type !== "collision") continue;
    if (Math.abs(e.t - t) < NEAR && (!best || Math.abs(e.t - t) < Math.abs(best.t - t))) {
      best = e;
      index = count;
    }
    count++;
  }
  return best ? { event: best, index, count, world: w.world } : null;
}

// The rate of time at t near impacts from `first` to `last`: `rate` far from them, and as much slower within as makes
// them take TAKES seconds; between, in proportion to the distance.
export function slowed(t: number, rate: number, spans: { first: number; last: number }[]): number {
  let slow = Math.abs(rate);
  for (const s of spans) {
    const from = s.first - AROUND;
    const to = s.last + AROUND;
    const away = Math.max(0, from - t, t - to);
    slow = Math.min(slow, (to - from) / TAKES + COAST * away);
  }
  return Math.sign(rate) * slow;
}

// Slow motion through collisions, at the instants of their impacts.
export class SlowMotion {
  on = true;
  private spans: { first: number; last: number }[] = [];
  private key = "";

  constructor(private app: App) {}

  // While the view is seen and time runs in the past: live, the simulation has its own pace.
  show(visible: boolean): void {
    this.app.clock.ease = visible ? (t, rate) => (this.on ? slowed(t, rate, this.spans) : rate) : null;
  }
  // Asks for the impacts when others are known.
  update(w: World): void {
    const hits = this.app.events(w.world).filter((e) => e.type === "collision");
    const key = `${w.world}/${w.version}/${hits.length}/${hits.at(-1)?.t ?? 0}`;
    if (key === this.key) return;
    this.key = key;
    this.spans = hits.map((e) => ({ first: e.t, last: e.t }));
    if (hits.length)
      this.app.ask("collision", { world: w.world }).then(
        (a) => {
          if (this.key === key)
            this.spans = a.collisions.map((c) => ({ first: c.t, last: c.t + Math.min(1, c.duration) }));
        },
        () => undefined,
      );
  }
}

// While a collision is looked at its report replaces the inspector, its energy and force the instruments.
export class Reports {
  private shown = "";
  private parts: CollisionPart[] | null = null;
  private aside: HTMLElement | null = null;
  private centre: HTMLElement | null = null;

  constructor(private app: App) {}

  tell(hit: Hit | null): void {
    const key = hit ? `${hit.world}/${hit.index}` : "";
    if (key !== this.shown) {
      this.shown = key;
      this.parts ??= this.make();
      this.aside?.classList.toggle("has-collision", hit !== null);
      this.centre?.classList.toggle("has-collision", hit !== null);
      for (const r of this.parts) r.show(hit !== null);
    }
    if (hit)
      for (const r of this.parts!) {
        r.set(hit.world, hit.index);
        r.draw?.(this.app.clock.t);
      }
  }

  private make(): CollisionPart[] {
    this.aside = document.querySelector<HTMLElement>("aside.aside");
    this.centre = document.querySelector<HTMLElement>("main.centre");
    const made: CollisionPart[] = [];
    if (this.aside) {
      const host = h("div", { class: "inspector cr-host" });
      this.aside.append(host);
      made.push(mountCollision(host, this.app));
    }
    if (this.centre) {
      const host = h("section", { class: "cr-cards", "aria-label": "Energy and force of the collision" });
      this.centre.append(host);
      made.push(mountCollisionCards(host, this.app));
    }
    return made;
  }
}
