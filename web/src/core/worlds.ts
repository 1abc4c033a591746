// worlds.ts - the worlds of the page: order of strips, letters, colours, hidden ones, the tree.
import type { World } from "../wire/protocol.ts";

const TOKENS = ["--a", "--b", "--c", "--d"];

// Vehicles on a road and mechanisms on the bench have nothing in common but the page: what is listed are those of one
// place, and so are clock and timeline.
export type Ground = "road" | "bench";
export const groundOf = (w: World): Ground => (w.kind === "mechanism" ? "bench" : "road");

export class Worlds {
  list: World[] = []; // those of the ground
  ground: Ground = "road";
  private all: World[] = [];
  hidden = new Set<number>();
  private solo: { was: number[] } | null = null;
  private colours = new Map<string, string>();

  reset(list: World[]): void {
    for (const w of list) w.name ||= "Recording";
    this.all = list.slice();
    this.hidden.clear();
    this.solo = null;
    this.sift();
  }
  // Lists those of another ground.
  stand(ground: Ground): void {
    this.ground = ground;
    this.solo = null;
    this.sift();
  }
  private sift(): void {
    this.list = this.all.filter((w) => groundOf(w) === this.ground);
  }
  on(ground: Ground): World[] {
    return this.all.filter((w) => groundOf(w) === ground);
  }
  get(n: number): World | undefined {
    return this.all.find((w) => w.world === n);
  }
  shown(): World[] {
    return this.list.filter((w) => !this.hidden.has(w.world));
  }
  place(n: number): number {
    return this.list.findIndex((w) => w.world === n);
  }
  update(w: World): boolean {
    w.name ||= "Recording";
    const i = this.all.findIndex((o) => o.world === w.world);
    if (i < 0) this.all.push(w);
    else this.all[i] = w;
    this.sift();
    return i < 0;
  }
  remove(n: number): void {
    this.all = this.all.filter((w) => w.world !== n);
    this.sift();
    this.hidden.delete(n);
  }
  hide(n: number, on: boolean): void {
    if (on && this.shown().length <= 1) return; // one always stays
    if (on) this.hidden.add(n);
    else this.hidden.delete(n);
  }
  soloed(n: number): boolean {
    return this.shown().length === 1 && !this.hidden.has(n) && this.list.length > 1;
  }
  setSolo(n: number): void {
    if (this.solo && this.soloed(n)) {
      this.hidden = new Set(this.solo.was);
      this.solo = null;
      return;
    }
    this.solo ??= { was: [...this.hidden] };
    this.hidden = new Set(this.list.filter((w) => w.world !== n).map((w) => w.world));
  }
  move(n: number, to: number): void {
    const from = this.place(n);
    if (from < 0) return;
    const list = this.list.slice();
    const [w] = list.splice(from, 1);
    list.splice(Math.max(0, Math.min(to, list.length)), 0, w);
    this.all = [...list, ...this.all.filter((o) => !list.includes(o))];
    this.sift();
  }
  letter(n: number): string {
    const i = Math.max(0, this.place(n));
    return i < 26 ? String.fromCharCode(65 + i) : `${String.fromCharCode(65 + (i % 26))}${Math.floor(i / 26)}`;
  }
  token(n: number): string {
    return TOKENS[Math.max(0, this.place(n)) % TOKENS.length];
  }
  colour(n: number): string {
    const token = this.token(n);
    let c = this.colours.get(token);
    if (!c) {
      c = getComputedStyle(document.documentElement).getPropertyValue(token).trim();
      this.colours.set(token, c);
    }
    return c;
  }
  forgetColours(): void {
    this.colours.clear();
  }
  parent(w: World): World | undefined {
    return w.parent === w.world || w.parent < 0 ? undefined : this.get(w.parent);
  }
  span(): [number, number] {
    let from = Infinity;
    let to = -Infinity;
    for (const w of this.list) {
      from = Math.min(from, w.start);
      to = Math.max(to, w.end);
    }
    return from <= to ? [from, to] : [0, 0];
  }
}
