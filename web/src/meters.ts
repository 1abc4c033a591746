// meters.ts - the bank of analog meters: one needle a world in the world's colour.
//
// Two layouts: "this position" shows the chosen kinds for the selected car and the cars at the same
// position of the other worlds; "wall" has a column a car, rightmost the first, a row a kind. Values
// are renewed ten times a second while time runs, exactly when it rests. A click on a meter forgets
// its peaks.

import type { App, Field, Frame, Part, World } from "./app.ts";
import { drawDial, type DialKind, type Needle } from "./dial.ts";
import { h, menu, type Item } from "./dom.ts";
import { choice } from "./options.ts";
import { fit, FONT, niceAbove, palette, plain, sheet, signed, type Sheet } from "./paint.ts";
import { rosterOf, samePlace } from "./roster.ts";
import { referenceVehicle } from "./view.ts";

const EYE_MS = 80;
const MOST_NEEDLES = 6;
const WALL_COLUMN = 92, WALL_ROW = 104; // px

type Kind = DialKind & { read(f: Frame, i: number, w: World): number };
const of = (field: Field, scale = 1) => (f: Frame, i: number): number => { const v = f.field(field); return v ? v[i]! * scale : NaN; };

// m/l to miles a gallon: the report's unit.
const MPG = 1 / (1609.344 / 3.785411784);

export const METERS: Kind[] = [
  { kind: "v", title: "Speed", unit: "m/s", low: 0, high: 40, digits: 2, sign: false, danger: [], doc: "speed along the road", read: of("v") },
  { kind: "a", title: "Acceleration", unit: "m/s²", low: -6, high: 6, digits: 2, sign: true, danger: [[-6, -4]], doc: "acceleration; crimson: beyond comfortable braking", read: of("a") },
  { kind: "jerk", title: "Jerk", unit: "m/s³", low: -5, high: 5, digits: 2, sign: true, danger: [[-5, -2.5], [2.5, 5]], doc: "rate of change of acceleration; crimson: beyond 2.5", read: of("jerk") },
  { kind: "gap", title: "Time gap", unit: "s", low: 0, high: 4, digits: 2, sign: false, danger: [[0, 0.2]], doc: "bumper to bumper divided by own speed", read: timeGap },
  { kind: "error", title: "Error", unit: "m", low: -1, high: 1, digits: 2, sign: true, danger: [[-1, -0.5], [0.5, 1]], doc: "desired minus actual place; crimson: beyond the limit", read: (f, i) => f.s[i]! - f.x[i]! },
  { kind: "rpm", title: "Engine", unit: "1/min", low: 0, high: 6000, digits: 0, sign: false, danger: [[5000, 6000]], doc: "speed of the engine", read: of("rpm") },
  { kind: "throttle", title: "Throttle", unit: "%", low: 0, high: 100, digits: 0, sign: false, danger: [], doc: "opening of the throttle", read: of("throttle", 100) },
  { kind: "brake", title: "Brake", unit: "%", low: 0, high: 100, digits: 0, sign: false, danger: [[80, 100]], doc: "share of the brake's limit", read: of("brake", 100) },
  { kind: "mileage", title: "Mileage", unit: "mpg", low: 0, high: 60, digits: 1, sign: false, danger: [], doc: "distance by fuel over the last window (eq 13)", read: of("mileage", MPG) },
];

function timeGap(f: Frame, i: number): number {
  const gap = f.field("gap"), v = f.field("v");
  return gap && v && v[i]! > 0.5 ? gap[i]! / v[i]! : NaN;
}

// Arcs of danger begin at the limits the scene has.
const JERK = METERS.find((m) => m.kind === "jerk")!, ERROR = METERS.find((m) => m.kind === "error")!;
function limitArcs(k: Kind, limit: number): void {
  if (k.danger[1]![0] === limit && k.danger[1]![1] === k.high) return;
  k.danger = [[k.low, -limit], [limit, k.high]];
}

interface Settings { kinds: string[]; layout: "position" | "wall"; analog: boolean }
const DEFAULTS: Settings = { kinds: ["v", "a", "jerk", "mileage"], layout: "position", analog: true };

export function mountMeters(host: HTMLElement, app: App): Part { return new Meters(host, app); }

class Meters implements Part {
  private canvas: HTMLCanvasElement;
  private paper: Sheet;
  private box = { w: 0, h: 0 };
  private sizer: ResizeObserver;
  private note: HTMLElement | null;
  private table: HTMLElement; // the same values for those who do not see
  private button: HTMLElement;
  private scroll: HTMLElement;
  private made = -Infinity;
  private madeAt = NaN;
  private needles: Needle[][] = []; // by meter, reused
  private texts: string[][] = [];
  private counts: number[] = [];
  private peaks = new Map<string, number>(); // "kind/world/vehicle"
  private off: (() => void)[] = [];
  private full = { ...DEFAULTS };

  constructor(host: HTMLElement, private app: App) {
    this.canvas = h("canvas", { role: "img", "aria-label": "Analog meters", tabindex: 0, title: "Click forgets the peaks" });
    this.table = h("div", { class: "sr" });
    this.scroll = h("div", { class: "mt-scroll" }, this.canvas);
    this.button = h("button", { type: "button", class: "mt-menu", "aria-haspopup": "menu", title: "Which meters are shown, and how" }, "Meters ▾");
    this.button.addEventListener("click", () => menu(this.button, this.items(), "Meters"));
    host.classList.add("mt");
    host.append(this.scroll, this.table);
    const card = host.closest(".cd-card");
    this.note = card?.querySelector<HTMLElement>(".cd-note") ?? null;
    if (this.note?.parentElement) this.note.after(this.button);
    else host.append(this.button);
    this.paper = sheet(this.canvas);
    this.sizer = new ResizeObserver(() => { this.box.w = this.scroll.clientWidth; this.box.h = this.scroll.clientHeight; });
    this.sizer.observe(this.scroll);
    this.canvas.addEventListener("click", (e) => this.reset(e));
    this.canvas.addEventListener("keydown", (e) => { if (e.key === "Enter") { this.peaks.clear(); this.made = -Infinity; } });
    const again = (): void => { this.made = -Infinity; };
    this.off.push(app.on("select", again), app.on("worlds", again), app.on("theme", again), app.on("state", again));
    app.command({ name: "dials", title: "Analog meters", help: "Needles or figures in the Meters card.", keys: ["M"], run: () => this.set({ analog: !this.settings().analog }) });
  }

  destroy(): void { for (const f of this.off) f(); this.sizer.disconnect(); this.button.remove(); this.app.want("meters", null); }

  private settings(): Settings {
    const kept = this.app.option<Partial<Settings> | undefined>("meters");
    return Object.assign(this.full, DEFAULTS, kept ?? null);
  }

  private set(change: Partial<Settings>): void {
    this.app.option("meters", { ...this.settings(), ...change });
    this.made = -Infinity;
    this.app.emit("layout");
  }

  private items(): (Item | "-")[] {
    const s = this.settings();
    const flip = (k: string): string[] => METERS.map((m) => m.kind).filter((q) => (q === k ? !s.kinds.includes(q) : s.kinds.includes(q)));
    return [
      ...METERS.map((m): Item => ({ label: m.title, checked: s.kinds.includes(m.kind), title: m.doc, run: () => this.set({ kinds: flip(m.kind) }) })),
      "-", { label: "This position", checked: s.layout === "position", run: () => this.set({ layout: "position" }) },
      { label: "Wall: a column a car", checked: s.layout === "wall", run: () => this.set({ layout: "wall" }) },
      { label: "Needles", hint: "M", checked: s.analog, run: () => this.set({ analog: !s.analog }) },
      "-", { label: "Forget the peaks", run: () => { this.peaks.clear(); this.made = -Infinity; } },
    ];
  }

  // The car whose position is shown: the selected one, or the second of the first platoon.
  private position(): { world: World; slot: number } | null {
    const app = this.app, shown = app.shown(), sel = app.selection;
    const world = shown.find((w) => w.world === sel?.world) ?? shown[0];
    if (!world) return null;
    const roster = rosterOf(app, world);
    let slot = sel ? roster.slotOf(sel.vehicle) : -1;
    if (slot < 0) slot = Math.max(0, roster.vehicles.findIndex((v) => !v.leader && v.platoon >= 0));
    if (slot < 0 || !roster.vehicles[slot]) slot = roster.slot(referenceVehicle(app, world));
    return slot >= 0 ? { world, slot } : null;
  }

  draw(): void {
    const s = this.settings(), kinds = METERS.filter((m) => s.kinds.includes(m.kind));
    this.wish(s.kinds);
    limitArcs(JERK, choice(this.app, "jerkLimit"));
    limitArcs(ERROR, choice(this.app, "errorLimit"));
    const wall = s.layout === "wall", cars = wall ? this.wallCars() : 1;
    const w = wall ? Math.max(this.box.w, cars * WALL_COLUMN + 46) : this.box.w, hgt = wall ? Math.max(this.box.h, kinds.length * WALL_ROW + 20) : this.box.h;
    if (!fit(this.paper, w, hgt)) return;
    this.scroll.style.overflow = wall ? "auto" : "hidden";
    const now = performance.now(), app = this.app;
    const fresh = app.clock.playing ? now - this.made >= EYE_MS : now - this.made >= EYE_MS || app.clock.t !== this.madeAt;
    if (!fresh) return;
    this.made = now; this.madeAt = app.clock.t;
    const c = this.paper.ctx;
    c.clearRect(0, 0, w, hgt);
    if (!kinds.length) { this.empty(c); return; }
    if (wall) this.drawWall(c, kinds, s.analog);
    else this.drawPosition(c, kinds, s.analog);
  }

  // With very many cars the page gets only the fields that are asked for.
  private wish(kinds: string[]): void {
    const key = kinds.join();
    if (key === this.wished) return;
    this.wished = key;
    const fields: Field[] = [];
    for (const k of kinds) if (k === "gap" || k === "rpm" || k === "throttle" || k === "brake" || k === "mileage") fields.push(k);
    this.app.want("meters", { fields });
  }
  private wished = "";

  private empty(c: CanvasRenderingContext2D): void {
    c.font = FONT.body;
    c.fillStyle = palette().ink3;
    c.textAlign = "center";
    c.textBaseline = "middle";
    c.fillText("all meters are switched off", this.box.w / 2, this.box.h / 2);
  }

  // ---- this position ----

  private drawPosition(c: CanvasRenderingContext2D, kinds: Kind[], analog: boolean): void {
    const at = this.position();
    if (!at) return;
    const roster = rosterOf(this.app, at.world), v = roster.vehicles[at.slot]!;
    const label = v.platoon >= 0 ? `position ${roster.labels[at.slot]!.replace(/^[A-Z]/, "")}` : v.name;
    if (this.note && this.note.textContent !== label) this.note.textContent = label;
    const columns = kinds.length <= 1 ? 1 : this.box.w < 200 ? 1 : Math.min(kinds.length, Math.max(2, Math.floor(this.box.w / 150)));
    const rows = Math.ceil(kinds.length / columns), cw = this.box.w / columns, rh = this.box.h / rows;
    kinds.forEach((kind, k) => {
      this.read(k, kind, at);
      const x = cw * ((k % columns) + 0.5), top = rh * Math.floor(k / columns);
      if (analog) this.analog(c, kind, k, x, top, cw, rh);
      else this.digital(c, kind, k, x, top, rh);
    });
    this.describe(kinds);
  }

  // Values of one kind at a position, one a world.
  private read(k: number, kind: Kind, at: { world: World; slot: number }): void {
    const app = this.app, from = rosterOf(app, at.world);
    const list = (this.needles[k] ??= []), texts = (this.texts[k] ??= []);
    let n = 0;
    for (const w of app.shown()) {
      const f = n < MOST_NEEDLES ? app.frame(w.world) : null;
      if (!f) continue;
      const i = samePlace(from, at.slot, rosterOf(app, w), f);
      if (i < 0) continue;
      this.put(list, texts, n++, kind, kind.read(f, i, w), w.world, f.id[i]!);
    }
    this.counts[k] = n;
    if (n > 0) this.widen(kind, list, n);
  }

  private put(list: Needle[], texts: string[], n: number, kind: Kind, value: number, world: number, id: number): void {
    const needle = (list[n] ??= { value: NaN, colour: "", peak: NaN });
    const key = `${kind.kind}/${world}/${id}`, old = this.peaks.get(key);
    const off = (v: number): number => Math.abs(v - (kind.sign ? 0 : kind.low));
    if (Number.isFinite(value) && (old === undefined || off(value) > off(old))) this.peaks.set(key, value);
    needle.value = value;
    needle.colour = this.app.colour(world);
    needle.peak = this.peaks.get(key) ?? NaN;
    texts[n] = kind.sign ? signed(value, kind.digits) : plain(value, kind.digits);
  }

  // A scale that is too small grows in steps of 1, 2, 5 and says so by its ticks.
  private widen(kind: Kind, list: Needle[], n: number): void {
    let most = 0;
    for (let k = 0; k < n; k++) if (Number.isFinite(list[k]!.value)) most = Math.max(most, Math.abs(list[k]!.value));
    if (most <= kind.high * 1.001) return;
    kind.high = niceAbove(most);
    if (kind.sign) kind.low = -kind.high;
    kind.danger = kind.danger.map(([a, b]) => [a < 0 ? kind.low : a, b > 0 ? kind.high : b]);
  }

  private analog(c: CanvasRenderingContext2D, kind: Kind, k: number, x: number, top: number, cw: number, rh: number): void {
    const r = Math.max(14, Math.min(cw * 0.38, (rh - 40) / 1.75, 64));
    const y = top + r + Math.max(6, (rh - 1.75 * r - 36) / 2);
    drawDial(c, kind, x, y, r, this.needles[k]!, this.counts[k]!);
    this.caption(c, kind, x, y + 0.8 * r + 8);
    this.values(c, k, x, y + 0.8 * r + 23, FONT.smallBold);
  }

  private digital(c: CanvasRenderingContext2D, kind: Kind, k: number, x: number, top: number, rh: number): void {
    this.caption(c, kind, x, top + rh / 2 - 12);
    this.values(c, k, x, top + rh / 2 + 8, '600 16px Inter, "Segoe UI", sans-serif');
  }

  private caption(c: CanvasRenderingContext2D, kind: Kind, x: number, y: number): void {
    const p = palette();
    c.textBaseline = "middle";
    c.font = FONT.smallBold;
    const a = c.measureText(kind.title).width;
    c.font = FONT.axis;
    const b = c.measureText(kind.unit).width, x0 = x - (a + b + 5) / 2;
    c.textAlign = "left";
    c.fillStyle = p.ink3;
    c.fillText(kind.unit, x0 + a + 5, y);
    c.font = FONT.smallBold;
    c.fillStyle = p.ink;
    c.fillText(kind.title, x0, y);
  }

  private values(c: CanvasRenderingContext2D, k: number, x: number, y: number, font: string): void {
    const n = this.counts[k]!, texts = this.texts[k]!, list = this.needles[k]!;
    c.font = font;
    c.textBaseline = "middle";
    c.textAlign = "left";
    let wide = 0;
    for (let m = 0; m < n; m++) wide += c.measureText(texts[m]!).width + (m ? 12 : 0);
    let at = x - wide / 2;
    for (let m = 0; m < n; m++) {
      c.fillStyle = list[m]!.colour;
      c.fillText(texts[m]!, at, y);
      at += c.measureText(texts[m]!).width + 12;
    }
  }

  private describe(kinds: Kind[]): void {
    const text = kinds.map((m, k) => `${m.title} ${(this.texts[k] ?? []).slice(0, this.counts[k]).join(", ")} ${m.unit}`).join("; ");
    if (!this.app.clock.playing && this.table.textContent !== text) this.table.textContent = text;
  }

  // ---- the wall ----

  private wallCars(): number { let n = 0; for (const w of this.app.shown()) n = Math.max(n, w.vehicles.length); return Math.min(n, 40); }

  private drawWall(c: CanvasRenderingContext2D, kinds: Kind[], analog: boolean): void {
    const app = this.app, world = app.shown()[0];
    if (!world) return;
    if (this.note && this.note.textContent !== "all positions") this.note.textContent = "all positions";
    const roster = rosterOf(app, world), cars = Math.min(roster.count, 40), w = this.paper.w, p = palette();
    kinds.forEach((kind, row) => {
      const top = row * WALL_ROW;
      c.save();
      c.translate(13, top + WALL_ROW / 2);
      c.rotate(-Math.PI / 2);
      this.caption(c, kind, 0, 0);
      c.restore();
      for (let slot = 0; slot < cars; slot++) {
        const x = w - (slot + 0.5) * WALL_COLUMN;
        this.read(row, kind, { world, slot });
        if (analog) drawDial(c, kind, x, top + 40, 32, this.needles[row]!, this.counts[row]!);
        this.values(c, row, x, analog ? top + 78 : top + 50, FONT.tagBold);
        if (row === kinds.length - 1) {
          c.font = FONT.axis; c.fillStyle = p.ink3; c.textAlign = "center"; c.textBaseline = "middle";
          c.fillText(roster.labels[slot]!.replace(/^[A-Z]/, ""), x, kinds.length * WALL_ROW + 6);
        }
      }
    });
  }

  private reset(e: MouseEvent): void {
    const s = this.settings(), kinds = METERS.filter((m) => s.kinds.includes(m.kind));
    if (s.layout === "wall" || kinds.length < 2) this.peaks.clear();
    else {
      const r = this.canvas.getBoundingClientRect();
      const columns = this.box.w < 200 ? 1 : Math.min(kinds.length, Math.max(2, Math.floor(this.box.w / 150))), rows = Math.ceil(kinds.length / columns);
      const k = Math.floor(((e.clientY - r.top) / this.box.h) * rows) * columns + Math.floor(((e.clientX - r.left) / this.box.w) * columns);
      const kind = kinds[k];
      if (kind) for (const key of [...this.peaks.keys()]) if (key.startsWith(kind.kind + "/")) this.peaks.delete(key);
    }
    this.made = -Infinity;
  }
}
