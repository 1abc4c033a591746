// meters.ts - the bank of analog meters: one needle per world in the world's colour; where one world is shown, one per
// platoon.
//
// Two layouts: "this position" shows the chosen kinds for the selected car and the cars at the same
// position in the other worlds; "wall" has one column per car, the first at the right, and one row
// per kind. Values are updated ten times a second while time runs and are exact when it stands still.
// A click on a meter resets its peaks.

import { SANS } from "../base/opening.ts";
import type { App, Part } from "../core/app.ts";
import { type Roster, rosterOf, samePlace } from "../core/roster.ts";
import { FigureMeters } from "./figuremeters.ts";
import { drawDial, type DialKind, type Needle } from "../draw/dial.ts";
import { fit, FONT, niceAbove, palette, plain, sheet, signed, type Sheet } from "../draw/paint.ts";
import { platoonColour } from "../scene/colour.ts";
import { choice } from "../scene/options.ts";
import { referenceVehicle } from "../scene/view.ts";
import { h, menu, type Item } from "../ui/dom.ts";
import type { Frame } from "../wire/frame.ts";
import type { Field, World } from "../wire/protocol.ts";

const EYE_MS = 80;
const MAX_NEEDLES = 6;
const WALL_COLUMN = 92;
const WALL_ROW = 104; // px
const VALUE_ROW = 12; // px between rows of values
const VALUE_GAP = 12; // px between values of a row

// figure: of the last minute, by its name, instead of a value of the frame.
type Kind = DialKind & { read(f: Frame, i: number, w: World): number; figure?: string };
const of =
  (field: Field, scale = 1) =>
  (f: Frame, i: number): number => {
    const v = f.field(field);
    return v ? v[i]! * scale : NaN;
  };

export const METERS: Kind[] = [
  {
    kind: "v",
    title: "Speed",
    unit: "m/s",
    low: 0,
    high: 40,
    digits: 2,
    sign: false,
    danger: [],
    doc: "speed along the road",
    read: of("v"),
  },
  {
    kind: "a",
    title: "Acceleration",
    unit: "m/s²",
    low: -6,
    high: 6,
    digits: 2,
    sign: true,
    danger: [[-6, -4]],
    doc: "acceleration; crimson: beyond comfortable braking",
    read: of("a"),
  },
  {
    kind: "jerk",
    title: "Jerk",
    unit: "m/s³",
    low: -5,
    high: 5,
    digits: 2,
    sign: true,
    danger: [
      [-5, -2.5],
      [2.5, 5],
    ],
    doc: "rate of change of acceleration; crimson: beyond 2.5",
    read: of("jerk"),
  },
  {
    kind: "gap",
    title: "Time gap",
    unit: "s",
    low: 0,
    high: 4,
    digits: 2,
    sign: false,
    danger: [[0, 0.2]],
    doc: "bumper to bumper distance divided by the speed",
    read: timeGap,
  },
  {
    kind: "error",
    title: "Error",
    unit: "m",
    low: -1,
    high: 1,
    digits: 2,
    sign: true,
    danger: [
      [-1, -0.5],
      [0.5, 1],
    ],
    doc: "desired minus actual position; crimson: beyond the limit",
    read: (f, i) => f.s[i]! - f.x[i]!,
  },
  {
    kind: "rpm",
    title: "Engine",
    unit: "1/min",
    low: 0,
    high: 6000,
    digits: 0,
    sign: false,
    danger: [[5000, 6000]],
    doc: "speed of the engine",
    read: of("n"),
  },
  {
    kind: "throttle",
    title: "Throttle",
    unit: "%",
    low: 0,
    high: 100,
    digits: 0,
    sign: false,
    danger: [],
    doc: "opening of the throttle",
    read: of("throttle", 100),
  },
  {
    kind: "brake",
    title: "Brake",
    unit: "%",
    low: 0,
    high: 100,
    digits: 0,
    sign: false,
    danger: [[80, 100]],
    doc: "share of the brake's limit",
    read: of("brake", 100),
  },
  {
    kind: "mileage",
    title: "Mileage",
    unit: "mpg",
    low: 0,
    high: 60,
    digits: 1,
    sign: false,
    danger: [],
    doc: "distance per fuel over the last window (eq. 13)",
    read: of("mileage"),
  },
  {
    kind: "ride",
    title: "Ride",
    unit: "m/s²",
    low: 0,
    high: 2,
    digits: 3,
    sign: false,
    danger: [[1, 2]],
    doc: "ride quality: rms of the acceleration of the last minute weighted by ISO 2631-1 (Wd); crimson: uncomfortable",
    read: () => NaN,
    figure: "weighted.acceleration",
  },
  {
    kind: "string",
    title: "String",
    unit: "-",
    low: 0,
    high: 2,
    digits: 3,
    sign: false,
    danger: [[1, 2]],
    doc: "string stability: speed deviation of the last minute over that of the car in front; crimson: it grows",
    read: () => NaN,
    figure: "gain.speed.l2",
  },
];

function timeGap(f: Frame, i: number): number {
  const gap = f.field("gap");
  const v = f.field("v");
  return gap && v && v[i]! > 0.5 ? gap[i]! / v[i]! : NaN;
}

// Arcs of danger begin at the limits the scene has.
const JERK = METERS.find((m) => m.kind === "jerk")!;
const ERROR = METERS.find((m) => m.kind === "error")!;
function limitArcs(k: Kind, limit: number): void {
  if (k.danger[1]![0] === limit && k.danger[1]![1] === k.high) return;
  k.danger = [
    [k.low, -limit],
    [limit, k.high],
  ];
}

// How many texts of these widths stand in each row, in as few rows as it takes, evenly.
export function inRows(wide: number[], gap: number, width: number): number[] {
  const longest = Math.max(1, ...wide);
  const fit = Math.max(1, Math.floor((width + gap) / (longest + gap)));
  const rows = Math.ceil(wide.length / fit);
  return Array.from(
    { length: rows },
    (_, k) => Math.ceil(((k + 1) * wide.length) / rows) - Math.ceil((k * wide.length) / rows),
  );
}

interface Settings {
  kinds: string[];
  layout: "position" | "wall";
  analog: boolean;
}
const DEFAULTS: Settings = { kinds: ["v", "a", "jerk", "mileage"], layout: "position", analog: true };

export function mountMeters(host: HTMLElement, app: App): Part {
  return new Meters(host, app);
}

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
  private figures: FigureMeters;

  constructor(
    host: HTMLElement,
    private app: App,
  ) {
    this.figures = new FigureMeters(app);
    this.canvas = h("canvas", {
      role: "img",
      "aria-label": "Analog meters",
      tabindex: 0,
      title: "Click to reset the peaks",
    });
    this.table = h("div", { class: "sr" });
    this.scroll = h("div", { class: "mt-scroll" }, this.canvas);
    this.button = h(
      "button",
      { type: "button", class: "mt-menu", "aria-haspopup": "menu", title: "Which meters are shown, and how" },
      "Meters ▾",
    );
    this.button.addEventListener("click", () => menu(this.button, this.items(), "Meters"));
    host.classList.add("mt");
    host.append(this.scroll, this.table);
    const card = host.closest(".cd-card");
    this.note = card?.querySelector<HTMLElement>(".cd-note") ?? null;
    if (this.note?.parentElement) this.note.after(this.button);
    else host.append(this.button);
    this.paper = sheet(this.canvas);
    this.sizer = new ResizeObserver(() => {
      this.box.w = this.scroll.clientWidth;
      this.box.h = this.scroll.clientHeight;
    });
    this.sizer.observe(this.scroll);
    this.canvas.addEventListener("click", (e) => this.reset(e));
    this.canvas.addEventListener("keydown", (e) => {
      if (e.key === "Enter") {
        this.peaks.clear();
        this.made = -Infinity;
      }
    });
    const again = (): void => {
      this.made = -Infinity;
    };
    this.off.push(app.on("select", again), app.on("worlds", again), app.on("theme", again), app.on("state", again));
    app.command({
      name: "dials",
      title: "Analog meters",
      help: "Needles or figures in the Meters card.",
      keys: ["M"],
      run: () => this.set({ analog: !this.settings().analog }),
    });
  }

  destroy(): void {
    for (const f of this.off) f();
    this.sizer.disconnect();
    this.button.remove();
    this.app.want("meters", null);
  }

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
    const flip = (k: string): string[] =>
      METERS.map((m) => m.kind).filter((q) => (q === k ? !s.kinds.includes(q) : s.kinds.includes(q)));
    return [
      ...METERS.map((m): Item => ({
        label: m.title,
        checked: s.kinds.includes(m.kind),
        title: m.doc,
        run: () => this.set({ kinds: flip(m.kind) }),
      })),
      "-",
      { label: "This position", checked: s.layout === "position", run: () => this.set({ layout: "position" }) },
      { label: "Wall: one column per car", checked: s.layout === "wall", run: () => this.set({ layout: "wall" }) },
      { label: "Needles", hint: "M", checked: s.analog, run: () => this.set({ analog: !s.analog }) },
      "-",
      {
        label: "Reset the peaks",
        run: () => {
          this.peaks.clear();
          this.made = -Infinity;
        },
      },
    ];
  }

  // The car whose position is shown: the selected one, or the second of the first platoon.
  private position(): { world: World; slot: number } | null {
    const app = this.app;
    const shown = app.shown();
    const sel = app.selection;
    const world = shown.find((w) => w.world === sel?.world) ?? shown[0];
    if (!world) return null;
    const roster = rosterOf(app, world);
    let slot = sel ? roster.slotOf(sel.vehicle) : -1;
    if (slot < 0)
      slot = Math.max(
        0,
        roster.vehicles.findIndex((v) => !v.leader && v.platoon >= 0),
      );
    if (slot < 0 || !roster.vehicles[slot]) slot = roster.slot(referenceVehicle(app, world));
    return slot >= 0 ? { world, slot } : null;
  }

  draw(): void {
    const s = this.settings();
    const kinds = METERS.filter((m) => s.kinds.includes(m.kind));
    this.subscribe(s.kinds);
    limitArcs(JERK, choice(this.app, "jerkLimit"));
    limitArcs(ERROR, choice(this.app, "errorLimit"));
    this.figures.refresh(
      kinds.flatMap((k) => (k.figure ? [k.figure] : [])),
      () => {
        this.made = -Infinity;
        this.app.touch();
      },
    );
    const wall = s.layout === "wall";
    const cars = wall ? this.wallCars() : 1;
    const w = wall ? Math.max(this.box.w, cars * WALL_COLUMN + 46) : this.box.w;
    const hgt = wall ? Math.max(this.box.h, kinds.length * WALL_ROW + 20) : this.box.h;
    if (!fit(this.paper, w, hgt)) return;
    this.scroll.style.overflow = wall ? "auto" : "hidden";
    const now = performance.now();
    const app = this.app;
    const fresh = app.clock.playing
      ? now - this.made >= EYE_MS
      : now - this.made >= EYE_MS || app.clock.t !== this.madeAt;
    if (!fresh) return;
    this.made = now;
    this.madeAt = app.clock.t;
    const c = this.paper.ctx;
    c.clearRect(0, 0, w, hgt);
    if (!kinds.length) {
      this.empty(c);
      return;
    }
    if (wall) this.drawWall(c, kinds, s.analog);
    else this.drawPosition(c, kinds, s.analog);
  }

  // With very many cars the page gets only the fields that are asked for.
  private subscribe(kinds: string[]): void {
    const key = kinds.join();
    if (key === this.subscribed) return;
    this.subscribed = key;
    const fields: Field[] = [];
    for (const k of kinds)
      if (k === "gap" || k === "throttle" || k === "brake" || k === "mileage") fields.push(k);
      else if (k === "rpm") fields.push("n");
    this.app.want("meters", { fields });
  }
  private subscribed = "";

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
    const roster = rosterOf(this.app, at.world);
    const v = roster.vehicles[at.slot]!;
    const label = v.platoon >= 0 ? `position ${roster.labels[at.slot]!.replace(/^[A-Z]/, "")}` : v.name;
    if (this.note && this.note.textContent !== label) this.note.textContent = label;
    const columns =
      kinds.length <= 1 ? 1 : this.box.w < 200 ? 1 : Math.min(kinds.length, Math.max(2, Math.floor(this.box.w / 150)));
    const rows = Math.ceil(kinds.length / columns);
    const cw = this.box.w / columns;
    const rh = this.box.h / rows;
    kinds.forEach((kind, k) => this.read(k, kind, at));
    const more = VALUE_ROW * (Math.max(...kinds.map((_, k) => this.rows(c, k, cw, FONT.smallBold).length)) - 1);
    kinds.forEach((kind, k) => {
      const x = cw * ((k % columns) + 0.5);
      const top = rh * Math.floor(k / columns);
      if (analog) this.analog(c, kind, k, x, top, cw, rh, more);
      else this.digital(c, kind, k, x, top, cw, rh);
    });
    this.describe(kinds);
  }

  // Values of one kind at a position, one per world.
  private read(k: number, kind: Kind, at: { world: World; slot: number }): void {
    const app = this.app;
    const from = rosterOf(app, at.world);
    const list = (this.needles[k] ??= []);
    const texts = (this.texts[k] ??= []);
    let n = 0;
    for (const w of app.shown()) {
      const f = n < MAX_NEEDLES ? app.frame(w.world) : null;
      if (!f) continue;
      for (const i of this.indices(from, at.slot, w, f)) {
        if (i < 0 || n >= MAX_NEEDLES) continue;
        const value = kind.figure ? this.figureOf(w, f.id[i]!, kind.figure) : kind.read(f, i, w);
        this.put(list, texts, n++, kind, value, w, f.id[i]!);
      }
    }
    this.counts[k] = n;
    if (n > 0) this.widen(kind, list, n);
  }

  private figureOf(w: World, id: number, figure: string): number {
    const v = w.vehicles.find((q) => q.id === id);
    return v ? this.figures.value(w.world, v.name, figure) : NaN;
  }

  // In the frame: the car at the position; of a world that is shown alone, the one in each platoon.
  private indices(from: Roster, slot: number, w: World, f: Frame): number[] {
    const v = from.vehicles[slot];
    if (this.app.shown().length > 1 || w.platoons.length < 2 || !v || v.platoon < 0)
      return [samePlace(from, slot, rosterOf(this.app, w), f)];
    return w.platoons.map((p) => {
      const same = w.vehicles.find((o) => o.platoon === p.platoon && o.place === v.place);
      return same ? f.index(same.id) : -1;
    });
  }

  private put(list: Needle[], texts: string[], n: number, kind: Kind, value: number, w: World, id: number): void {
    const needle = (list[n] ??= { value: NaN, colour: "", peak: NaN });
    const key = `${kind.kind}/${w.world}/${id}`;
    const roster = rosterOf(this.app, w);
    const slot = roster.slot(id);
    const old = this.peaks.get(key);
    const off = (v: number): number => Math.abs(v - (kind.sign ? 0 : kind.low));
    if (Number.isFinite(value) && (old === undefined || off(value) > off(old))) this.peaks.set(key, value);
    needle.value = value;
    needle.colour = platoonColour(this.app, w.world, slot < 0 ? -1 : roster.platoon[slot]!);
    needle.peak = this.peaks.get(key) ?? NaN;
    texts[n] = kind.sign ? signed(value, kind.digits) : plain(value, kind.digits);
  }

  // A scale that is too small grows in steps of 1, 2, 5 and says so by its ticks.
  private widen(kind: Kind, list: Needle[], n: number): void {
    let max = 0;
    for (let k = 0; k < n; k++) if (Number.isFinite(list[k]!.value)) max = Math.max(max, Math.abs(list[k]!.value));
    if (max <= kind.high * 1.001) return;
    kind.high = niceAbove(max);
    if (kind.sign) kind.low = -kind.high;
    kind.danger = kind.danger.map(([a, b]) => [a < 0 ? kind.low : a, b > 0 ? kind.high : b]);
  }

  private analog(
    c: CanvasRenderingContext2D,
    kind: Kind,
    k: number,
    x: number,
    top: number,
    cw: number,
    rh: number,
    more: number, // px that further rows of values take, the same for all dials
  ): void {
    const r = Math.max(14, Math.min(cw * 0.38, (rh - 40 - more) / 1.75, 64));
    const y = top + r + Math.max(6, (rh - 1.75 * r - 36 - more) / 2);
    drawDial(c, kind, x, y, r, this.needles[k]!, this.counts[k]!);
    this.caption(c, kind, x, y + 0.8 * r + 8);
    this.values(c, k, x, y + 0.8 * r + 23, cw, FONT.smallBold);
  }

  private digital(
    c: CanvasRenderingContext2D,
    kind: Kind,
    k: number,
    x: number,
    top: number,
    cw: number,
    rh: number,
  ): void {
    this.caption(c, kind, x, top + rh / 2 - 12);
    const large = `600 16px ${SANS}`;
    this.values(c, k, x, top + rh / 2 + 8, cw, this.rows(c, k, cw, large).length > 1 ? FONT.smallBold : large);
  }

  private caption(c: CanvasRenderingContext2D, kind: Kind, x: number, y: number): void {
    const p = palette();
    c.textBaseline = "middle";
    c.font = FONT.smallBold;
    const a = c.measureText(kind.title).width;
    c.font = FONT.axis;
    const b = c.measureText(kind.unit).width;
    const x0 = x - (a + b + 5) / 2;
    c.textAlign = "left";
    c.fillStyle = p.ink3;
    c.fillText(kind.unit, x0 + a + 5, y);
    c.font = FONT.smallBold;
    c.fillStyle = p.ink;
    c.fillText(kind.title, x0, y);
  }

  // Values of a meter by row, each the number of values in it: as many as fit into the width.
  private rows(c: CanvasRenderingContext2D, k: number, width: number, font: string): number[] {
    c.font = font;
    const wide = this.texts[k]!.slice(0, this.counts[k]).map((t) => c.measureText(t).width);
    return inRows(wide, VALUE_GAP, width - VALUE_GAP);
  }

  private values(c: CanvasRenderingContext2D, k: number, x: number, y: number, width: number, font: string): void {
    const texts = this.texts[k]!;
    const list = this.needles[k]!;
    c.textBaseline = "middle";
    c.textAlign = "left";
    let m = 0;
    for (const count of this.rows(c, k, width, font)) {
      let wide = VALUE_GAP * (count - 1);
      for (let q = m; q < m + count; q++) wide += c.measureText(texts[q]!).width;
      let at = x - wide / 2;
      for (const end = m + count; m < end; m++) {
        c.fillStyle = list[m]!.colour;
        c.fillText(texts[m]!, at, y);
        at += c.measureText(texts[m]!).width + VALUE_GAP;
      }
      y += VALUE_ROW;
    }
  }

  private describe(kinds: Kind[]): void {
    const text = kinds
      .map((m, k) => `${m.title} ${(this.texts[k] ?? []).slice(0, this.counts[k]).join(", ")} ${m.unit}`)
      .join("; ");
    if (!this.app.clock.playing && this.table.textContent !== text) this.table.textContent = text;
  }

  // ---- the wall ----

  private wallCars(): number {
    let n = 0;
    for (const w of this.app.shown()) n = Math.max(n, w.vehicles.length);
    return Math.min(n, 40);
  }

  private drawWall(c: CanvasRenderingContext2D, kinds: Kind[], analog: boolean): void {
    const app = this.app;
    const world = app.shown()[0];
    if (!world) return;
    if (this.note && this.note.textContent !== "all positions") this.note.textContent = "all positions";
    const roster = rosterOf(app, world);
    const cars = Math.min(roster.count, 40);
    const w = this.paper.w;
    const p = palette();
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
        this.values(c, row, x, analog ? top + 78 : top + 50, WALL_COLUMN, FONT.tagBold);
        if (row === kinds.length - 1) {
          c.font = FONT.axis;
          c.fillStyle = p.ink3;
          c.textAlign = "center";
          c.textBaseline = "middle";
          c.fillText(roster.labels[slot]!.replace(/^[A-Z]/, ""), x, kinds.length * WALL_ROW + 6);
        }
      }
    });
  }

  private reset(e: MouseEvent): void {
    const s = this.settings();
    const kinds = METERS.filter((m) => s.kinds.includes(m.kind));
    if (s.layout === "wall" || kinds.length < 2) this.peaks.clear();
    else {
      const r = this.canvas.getBoundingClientRect();
      const columns = this.box.w < 200 ? 1 : Math.min(kinds.length, Math.max(2, Math.floor(this.box.w / 150)));
      const rows = Math.ceil(kinds.length / columns);
      const k =
        Math.floor(((e.clientY - r.top) / this.box.h) * rows) * columns +
        Math.floor(((e.clientX - r.left) / this.box.w) * columns);
      const kind = kinds[k];
      if (kind) for (const key of [...this.peaks.keys()]) if (key.startsWith(kind.kind + "/")) this.peaks.delete(key);
    }
    this.made = -Infinity;
  }
}
