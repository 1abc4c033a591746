// commands.ts - every action of the page by name: keys, the finder (Ctrl K), menus and help use it.
import type { Command } from "./app.ts";

export class Commands {
  private all = new Map<string, Command>();
  private watchers = new Set<() => void>();
  ran: ((name: string) => void) | null = null; // called for every command run: the guided first minute waits for them
  add(c: Command): void {
    this.all.set(c.name, c);
    for (const w of this.watchers) w();
  }
  get(name: string): Command | undefined {
    return this.all.get(name);
  }
  list(): Command[] {
    return [...this.all.values()];
  }
  enabled(c: Command): boolean {
    return !c.when || c.when();
  }
  run(name: string): void {
    const c = this.all.get(name);
    if (!c) {
      console.error(`no command '${name}'`);
      return;
    }
    if (!this.enabled(c)) return;
    c.run();
    this.ran?.(name);
  }
  watch(w: () => void): void {
    this.watchers.add(w);
  }
}
