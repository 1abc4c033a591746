// back.ts - what was changed on the bench returns to the car that the mechanism was made from: one change of its world,
// from the instant on at which it was taken off the road, in the log, undone at once.
import type { Core } from "../core/core.ts";
import { h } from "../ui/dom.ts";
import type { MechanismRun, World } from "../wire/protocol.ts";

// Parameters as they are at the end of a run, by name.
export function lastValues(run: Pick<MechanismRun, "settable" | "entries">): Map<string, number> {
  const values = new Map<string, number>();
  for (const s of run.settable) if (s.group === "parameter" && s.value !== null) values.set(s.name, s.value);
  for (const e of run.entries) if (e.value !== undefined && values.has(e.name)) values.set(e.name, Number(e.value));
  return values;
}

// Those that differ from the ones it came with.
export function changedValues(
  came: Pick<MechanismRun, "settable" | "entries">,
  now: Pick<MechanismRun, "settable" | "entries">,
): Record<string, number> {
  const before = lastValues(came);
  const out: Record<string, number> = {};
  for (const [name, value] of lastValues(now)) if (value !== before.get(name)) out[name] = value;
  return out;
}

export class BackButton {
  readonly element: HTMLButtonElement;
  constructor(
    private readonly app: Core,
    private readonly world: () => World | undefined,
    private readonly say: (words: string) => void,
  ) {
    this.element = h("button", { class: "btn hidden", onclick: () => void this.back() });
  }
  refresh(): void {
    const source = this.world()?.source;
    this.element.classList.toggle("hidden", !source || this.app.readOnly);
    if (!source) return;
    this.element.textContent = `Back to ${source.vehicle}`;
    this.element.title = `What was changed here is set in ${source.vehicle}, from the instant at which it was taken off the road`;
  }
  private root(w: World): World {
    const parent = this.app.worldList.parent(w);
    return parent?.source ? this.root(parent) : w;
  }
  async back(): Promise<void> {
    const w = this.world();
    const source = w?.source;
    if (!w || !source) return;
    try {
      const came = await this.app.ask("mechanism", { world: this.root(w).world });
      const now = await this.app.ask("mechanism", { world: w.world });
      const values = changedValues(came, now);
      if (!this.app.world(source.world)) {
        this.say(`The world of ${source.vehicle} was removed.`);
        return;
      }
      this.app.layout.set({ view: "road" });
      this.app.clock.play(false);
      this.app.clock.seek(source.t);
      if (!Object.keys(values).length) {
        this.app.select(source.world, source.vehicle);
        this.app.toast(`Nothing was changed on the bench: ${source.vehicle} stays as it is.`);
        return;
      }
      const done = await this.app.change("set", { world: source.world, vehicle: source.vehicle, values });
      this.app.select(done.world, source.vehicle);
    } catch (e) {
      this.say(e instanceof Error ? e.message : String(e));
    }
  }
}
