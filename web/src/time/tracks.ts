// tracks.ts - the picture of the timeline: ruler, one track per world filled with its measure, forks,
// the loop, marks, live end and playhead. timeline.ts has the gestures.
import { SANS } from "../base/opening.ts";
import { fixed } from "../base/units.ts";
import type { Event } from "../core/app.ts";
import type { Core } from "../core/core.ts";
import { eventName } from "../core/eventwords.ts";
import { token } from "../draw/paint.ts";
import type { World } from "../wire/protocol.ts";
import { drawCount, drawMark, dangerous, merge, type Ink, type Kind, type Mark } from "./marks.ts";

export const LEFT = 150;
export const RIGHT = 64;
export const RULER = 24;
export const SHORTEST = 1e-3; // s, the finest view
export type Measure = "spacing_error" | "jerk" | "energy" | "ttc";
export const MEASURES: { measure: Measure; name: string; unit: string; doc: string }[] = [
  { measure: "spacing_error", name: "Error", unit: "m", doc: "Maximum spacing error of any car" },
  { measure: "jerk", name: "Jerk", unit: "m/s^3", doc: "Maximum jerk of any car" },
  { measure: "energy", name: "Energy", unit: "J", doc: "Energy of motion and deformation" },
  {
    measure: "ttc",
    name: "TTC",
    unit: "s",
    doc: "Minimum time to collision; full height is 0 s, empty is 10 s or more",
  },
];

export interface Track {
  world: World;
  y: number;
  h: number;
}
interface Fill {
  measure: Measure;
  from: number;
  to: number;
  values: Float64Array;
  top: number;
  asked: number;
  busy: boolean;
  stale: boolean;
}

export interface Colours extends Ink {
  ink3: string;
  line: string;
  line2: string;
  ok: string;
  sunk: string;
}

// Steps of the ruler: a number and its subdivision, so that labels are at least 64 px apart.
export function rulerStep(span: number, width: number): [number, number] {
  const raw = (span * 64) / Math.max(1, width);
  const size = Math.pow(10, Math.floor(Math.log10(raw)));
  for (const [m, sub] of [
    [1, 5],
    [2, 4],
    [5, 5],
    [10, 5],
  ] as const)
    if (m * size >= raw - 1e-15) return [m * size, (m * size) / sub];
  return [10 * size, 2 * size];
}

export class Tracks {
  from = 0;
  to = 10;
  fit = true;
  width = 0;
  height = 0;
  tracks: Track[] = [];
  marks = new Map<number, Mark[]>();
  hover: { x: number; world: number; mark: Mark | null } | null = null;
  selected: Event | null = null;
  moving: { world: number; t: number; end?: number } | null = null; // a command or fork being dragged
  colours!: Colours;
  regroup = true;
  private grouped = { from: 0, scale: 0, width: 0, next: 0 };
  private fills = new Map<number, Fill>();
  measure: Measure = "spacing_error";
  kinds: (k: Kind) => boolean = () => true;
  constructor(private readonly app: Core) {
    this.readColours();
  }

  readColours(): void {
    const k = (n: string) => token(`--${n}`);
    this.colours = {
      ink: k("ink"),
      ink2: k("ink2"),
      ink3: k("ink3"),
      line: k("line"),
      line2: k("line2"),
      danger: k("danger"),
      surface: k("surface"),
      focus: k("focus"),
      ok: k("ok"),
      sunk: k("sunk"),
    };
  }
  x(t: number): number {
    return LEFT + ((t - this.from) / (this.to - this.from)) * (this.width - LEFT - RIGHT);
  }
  t(x: number): number {
    return this.from + ((x - LEFT) / (this.width - LEFT - RIGHT)) * (this.to - this.from);
  }
  zoom(about: number, factor: number): void {
    const c = this.app.clock;
    const whole = Math.max(1, c.end - c.start);
    const span = Math.min(whole, Math.max(SHORTEST, (this.to - this.from) * factor));
    const u = (about - this.from) / (this.to - this.from);
    this.from = about - u * span;
    this.to = this.from + span;
    this.fit = span >= whole * 0.999;
    this.bound();
  }
  pan(by: number): void {
    if (this.fit) return;
    this.from += by;
    this.to += by;
    this.bound();
  }
  show(from: number, to: number): void {
    this.fit = false;
    this.from = from;
    this.to = Math.max(from + SHORTEST, to);
    this.bound();
  }
  private bound(): void {
    const c = this.app.clock;
    const span = this.to - this.from;
    if (this.from < c.start) {
      this.from = c.start;
      this.to = c.start + span;
    }
    if (this.to > Math.max(c.end, c.start + span)) {
      this.to = Math.max(c.end, c.start + span);
      this.from = this.to - span;
    }
  }
  // Follows the run: the whole of it, or so that the playhead stays in sight.
  follow(t: number): void {
    const c = this.app.clock;
    if (this.fit) {
      this.from = c.start;
      this.to = Math.max(c.end, c.start + 1);
      return;
    }
    const span = this.to - this.from;
    if (c.playing && (t < this.from || t > this.to)) {
      this.from = c.rate < 0 ? t - span * 0.95 : t - (c.live ? span * 0.95 : span * 0.05);
      this.to = this.from + span;
      this.bound();
    }
  }
  layTracks(): void {
    const shown = this.app.shown();
    const n = Math.max(1, shown.length);
    const room = this.height - RULER - 4;
    const pitch = Math.max(18, Math.min(38, Math.floor(room / n)));
    const h = pitch > 30 ? pitch - 11 : pitch - 4;
    this.tracks = shown.map((world, i) => ({ world, y: RULER + 7 + i * pitch, h }));
  }
  trackAt(y: number): Track | undefined {
    return this.tracks.find((k) => y >= k.y - 3 && y < k.y + k.h + 5);
  }

  // What fills the tracks ---------------------------------------------------------------------------
  stale(world?: number): void {
    for (const [n, f] of this.fills) if (world === undefined || n === world) f.stale = true;
  }
  refresh(now: number): void {
    if (!this.app.connected) return;
    for (const { world } of this.tracks) {
      let f = this.fills.get(world.world);
      if (!f || f.measure !== this.measure)
        this.fills.set(
          world.world,
          (f = {
            measure: this.measure,
            from: 0,
            to: 0,
            values: new Float64Array(0),
            top: 0,
            asked: -1e9,
            busy: false,
            stale: true,
          }),
        );
      const grown = world.end > f.to + Math.max(2, (world.end - world.start) * 0.02);
      if (f.busy || !(f.stale || grown)) continue;
      const wait = f.asked + (f.stale ? 400 : 2000) - now;
      if (wait > 0) {
        this.app.touch(wait); // looked at again then
        continue;
      }
      f.busy = true;
      f.stale = false;
      f.asked = now;
      const kept = f;
      this.app
        .ask("track", {
          world: world.world,
          measure: this.measure,
          bins: Math.max(8, Math.min(1200, Math.floor((world.end - world.start) / (2 * (world.row || 0.02))))),
        })
        .then(
          (a) => {
            kept.from = a.from ?? 0;
            kept.to = a.to ?? 0;
            kept.values = Float64Array.from(a.values, (v) => v ?? NaN);
            const n = kept.values.length;
            const holes = n > 8 && kept.values.subarray(n - (n >> 3) - 1).every(Number.isNaN);
            if (holes && this.measure !== "ttc") kept.stale = true; // it is being simulated again
            kept.top = kept.values.reduce((g, v) => (v > g ? v : g), 0);
            this.app.emit("state", { track: world.world });
          },
          () => undefined,
        )
        .finally(() => {
          kept.busy = false;
        });
    }
  }
  value(world: number, t: number): number {
    const f = this.fills.get(world);
    if (!f || !f.values.length || t < f.from || t > f.to) return NaN;
    return f.values[Math.min(f.values.length - 1, Math.floor(((t - f.from) / (f.to - f.from || 1)) * f.values.length))];
  }
  private greatest(): number {
    let g = this.measure === "spacing_error" ? 0.2 : 1;
    if (this.measure === "energy") g = 1e-9;
    for (const { world } of this.tracks) g = Math.max(g, this.fills.get(world.world)?.top ?? 0);
    return g;
  }

  // Drawing -----------------------------------------------------------------------------------------
  // Two layers: what stands (drawn when it changed), and what moves over it.
  drawBase(c: CanvasRenderingContext2D): void {
    c.clearRect(0, 0, this.width, this.height);
    this.layTracks();
    this.drawRuler(c);
    c.save();
    c.beginPath();
    c.rect(LEFT - 8, 0, this.width - LEFT - RIGHT + 16, this.height);
    c.clip();
    const top = this.greatest();
    for (const k of this.tracks) this.drawTrack(c, k, top);
    this.drawLoop(c);
    for (const k of this.tracks) this.drawFork(c, k);
    this.groupMarks();
    for (const k of this.tracks) this.drawMarks(c, k);
    c.restore();
    this.drawLive(c);
  }
  drawOver(c: CanvasRenderingContext2D, t: number): void {
    c.clearRect(0, 0, this.width, this.height);
    if (this.moving) this.drawMoving(c);
    this.drawHover(c);
    this.drawPlayhead(c, t);
  }
  private drawRuler(c: CanvasRenderingContext2D): void {
    const k = this.colours;
    const w = this.width - LEFT - RIGHT;
    const [big, small] = rulerStep(this.to - this.from, w);
    const digits = Math.max(0, -Math.floor(Math.log10(big) + 1e-9));
    const ms = this.to - this.from < 0.5;
    c.fillStyle = k.ink3;
    c.strokeStyle = k.line2;
    c.lineWidth = 1;
    c.font = `10px ${SANS}`;
    c.textAlign = "center";
    c.textBaseline = "alphabetic";
    const end = LEFT + w;
    c.beginPath();
    for (let i = Math.ceil(this.from / small - 1e-6); i * small <= this.to + 1e-9; i++) {
      const v = i * small;
      const x = Math.round(this.x(v)) + 0.5;
      const main = Math.abs(v / big - Math.round(v / big)) < 1e-6;
      c.moveTo(x, main ? 15 : 18);
      c.lineTo(x, 21);
      if (!main || x > end + 30) continue;
      const label = ms ? fixed(v * 1000, Math.max(0, digits - 3)) : fixed(v, digits);
      c.fillText(i === Math.ceil(this.from / small - 1e-6) || v === 0 ? `${label} ${ms ? "ms" : "s"}` : label, x, 11);
    }
    c.stroke();
  }
  private drawTrack(c: CanvasRenderingContext2D, { world, y, h }: Track, top: number): void {
    const colour = this.app.colour(world.world);
    const x0 = Math.max(
      LEFT - 8,
      this.x(Math.max(world.start, world.parent >= 0 && world.parent !== world.world ? world.fork : world.start)),
    );
    const x1 = Math.min(this.width - RIGHT + 8, this.x(world.end));
    if (x1 <= x0) return;
    c.save();
    c.beginPath();
    c.roundRect(x0, y, x1 - x0, h, 5);
    c.clip();
    c.globalAlpha = 0.13;
    c.fillStyle = colour;
    c.fillRect(x0, y, x1 - x0, h);
    c.globalAlpha = 0.55;
    c.beginPath();
    c.moveTo(x0, y + h);
    for (let x = Math.floor(x0); x <= x1; x += 1.5) {
      const v = this.tallest(world.world, this.t(x), this.t(x + 1.5));
      if (!Number.isNaN(v)) c.lineTo(x, y + h - 1 - this.share(v, top) * (h - 4));
    }
    c.lineTo(x1, y + h);
    c.fill();
    c.restore();
    c.globalAlpha = 1;
    if (world.kind === "replay" && this.grips() && this.x(world.start) > LEFT - 8)
      this.drawGrip(c, this.x(world.start), y, h, colour);
    if (world.state === "failed") {
      c.fillStyle = this.colours.danger;
      c.fillRect(this.x(world.end) - 1, y, 2, h);
    }
  }
  // Recordings beside other worlds have a handle at their start: they can be moved in time.
  grips(): boolean {
    return this.tracks.length > 1 && !this.app.readOnly;
  }
  private drawGrip(c: CanvasRenderingContext2D, x: number, y: number, h: number, colour: string): void {
    c.fillStyle = colour;
    c.beginPath();
    c.roundRect(x, y, 9, h, [5, 0, 0, 5]);
    c.fill();
    c.fillStyle = this.colours.surface;
    for (const dx of [3, 5.5]) c.fillRect(x + dx, y + h / 2 - 4, 1.2, 8);
  }
  private share(v: number, top: number): number {
    return this.measure === "ttc" ? Math.max(0, 1 - v / 10) : Math.min(1, v / top);
  }
  private tallest(world: number, a: number, b: number): number {
    const f = this.fills.get(world);
    if (!f || !f.values.length) return NaN;
    const n = f.values.length;
    const k = n / (f.to - f.from || 1);
    let i = Math.floor((a - f.from) * k);
    let j = Math.floor((b - f.from) * k);
    let best = NaN;
    if (j < 0 || i >= n) return NaN;
    i = Math.max(0, i);
    j = Math.min(n - 1, j);
    if (i === j && (b - a) * k < 0.5 && i + 1 < n) {
      // finer than the bins: along the straight line
      const u = (a - f.from) * k - i - 0.5;
      const o = u < 0 ? Math.max(0, i - 1) : i + 1;
      const v = f.values[i] + Math.abs(u) * (f.values[o] - f.values[i]);
      return Number.isNaN(v) ? f.values[i] : v;
    }
    const isMin = this.measure === "ttc";
    for (let q = i; q <= j; q++) {
      const v = f.values[q];
      if (Number.isNaN(best) || (isMin ? v < best : v > best)) best = v;
    }
    return best;
  }
  private drawLoop(c: CanvasRenderingContext2D): void {
    const l = this.app.clock.loop;
    if (!l) return;
    const a = this.x(l[0]);
    const b = this.x(l[1]);
    const k = this.colours;
    const on = this.app.clock.loopOn;
    c.fillStyle = k.focus;
    c.globalAlpha = on ? 0.12 : 0.05;
    c.fillRect(a, RULER - 2, b - a, this.height - RULER - 2);
    c.globalAlpha = on ? 1 : 0.45;
    c.beginPath();
    c.roundRect(a, RULER - 4, b - a, 4, 2);
    c.fill();
    for (const x of [a, b]) {
      c.beginPath();
      c.roundRect(x - 3, RULER - 7, 6, 10, 2);
      c.fill();
    }
    c.globalAlpha = 1;
  }
  private drawFork(c: CanvasRenderingContext2D, { world, y, h }: Track): void {
    if (world.parent < 0 || world.parent === world.world) return;
    const parent = this.tracks.find((k) => k.world.world === world.parent);
    const colour = this.app.colour(world.world);
    const x = this.x(world.fork);
    const k = this.colours;
    if (x < LEFT - 8 || x > this.width - RIGHT + 8) return;
    const y0 = parent ? parent.y + parent.h : y;
    c.strokeStyle = colour;
    c.lineWidth = 2;
    c.beginPath();
    c.moveTo(x, y0);
    c.lineTo(x, y + h - 1);
    c.stroke();
    c.fillStyle = k.surface;
    c.beginPath();
    c.arc(x, y0, 4, 0, 7);
    c.fill();
    c.stroke();
    const label = world.same ? `= ${parent?.world.name ?? "Main"}` : (world.change || "branch").replace("->", "→");
    const roomLeft = x - LEFT > 110;
    const tall = h > 24;
    c.textBaseline = "alphabetic";
    c.textAlign = roomLeft ? "right" : "left";
    const tx = roomLeft ? x - 10 : x + 8;
    const ty = tall ? y + 11 : y + h - 4;
    this.label(c, short(label, 40), tx, ty, colour, `600 11px ${SANS}`, !roomLeft);
    if (tall) this.label(c, `${fixed(world.fork, 2)} s`, tx, ty + 12, k.ink3, `10px ${SANS}`, !roomLeft);
    if (world.differs !== null && !world.same) this.drawDiffers(c, world, y, h);
  }
  private drawDiffers(c: CanvasRenderingContext2D, world: World, y: number, h: number): void {
    const x = this.x(world.differs!);
    const k = this.colours;
    if (x < LEFT - 8 || x > this.width - RIGHT) return;
    c.strokeStyle = k.ink2;
    c.lineWidth = 1;
    c.beginPath();
    c.moveTo(x + 0.5, y + h - 5);
    c.lineTo(x + 0.5, y + h + 3);
    c.stroke();
    c.textAlign = "left";
    c.textBaseline = "middle";
    c.fillStyle = k.ink2;
    c.font = `600 10px ${SANS}`;
    c.fillText("≠", x + 3, y + h - 1);
  }
  private label(
    c: CanvasRenderingContext2D,
    text: string,
    x: number,
    y: number,
    colour: string,
    font: string,
    over: boolean,
  ): void {
    c.font = font;
    if (over) {
      c.strokeStyle = this.colours.surface;
      c.lineWidth = 3;
      c.lineJoin = "round";
      c.strokeText(text, x, y);
    }
    c.fillStyle = colour;
    c.fillText(text, x, y);
  }
  // Groups are rebuilt when the scale or the events change, not for every frame.
  private groupMarks(): void {
    const now = performance.now();
    const scale = (this.width - LEFT - RIGHT) / (this.to - this.from);
    const moved =
      Math.abs(this.from - this.grouped.from) * scale > 40 ||
      Math.abs(scale / this.grouped.scale - 1) > 0.01 ||
      this.grouped.width !== this.width;
    if (!this.regroup && !(moved && now > this.grouped.next)) return;
    this.regroup = false;
    this.grouped = { from: this.from, scale, width: this.width, next: now + 60 };
    for (const { world } of this.tracks)
      this.marks.set(
        world.world,
        merge(
          this.app
            .events(world.world)
            .filter((e) => this.kinds(e.type) && !(world.parent >= 0 && e.t < world.fork - 1e-6)),
          (t) => this.x(t),
          LEFT - 100,
          this.width - RIGHT + 100,
        ),
      );
  }
  private drawMarks(c: CanvasRenderingContext2D, { world, y, h }: Track): void {
    const list = this.marks.get(world.world) ?? [];
    const my = y + Math.min(8, h / 2);
    for (const m of list) {
      m.x = this.x(m.event.t);
      if (m.count > 1)
        drawCount(
          c,
          m.x,
          my,
          m.count,
          m.events.some((e) => dangerous(e.type)),
          this.colours,
        );
      else
        drawMark(
          c,
          m.x,
          my,
          m.event.type,
          this.colours,
          this.selected !== null &&
            m.event.t === this.selected.t &&
            m.event.type === this.selected.type &&
            m.event.world === this.selected.world,
          eventName(m.event),
        );
    }
  }
  private drawMoving(c: CanvasRenderingContext2D): void {
    const k = this.tracks.find((o) => o.world.world === this.moving!.world);
    if (!k) return;
    const x = this.x(this.moving!.t);
    if (this.moving!.end !== undefined) {
      c.fillStyle = this.colours.focus;
      c.globalAlpha = 0.18;
      c.fillRect(x, k.y, this.x(this.moving!.end) - x, k.h);
      c.globalAlpha = 1;
    }
    c.strokeStyle = this.colours.focus;
    c.lineWidth = 2;
    c.setLineDash([3, 3]);
    c.beginPath();
    c.moveTo(x, k.y - 4);
    c.lineTo(x, k.y + k.h + 4);
    c.stroke();
    c.setLineDash([]);
  }
  private drawLive(c: CanvasRenderingContext2D): void {
    const end = this.app.clock.end;
    const x = this.x(end);
    const k = this.colours;
    const first = this.tracks[0];
    if (x > this.width - RIGHT + 8 || x < LEFT || !first) return;
    const running = this.app.worlds.some((w) => w.kind === "run" && w.state === "running");
    c.fillStyle = running ? k.ok : k.line2;
    c.fillRect(x - 1, RULER - 2, 2, this.height - RULER);
    c.textAlign = "left";
    c.textBaseline = "alphabetic";
    c.font = `600 11px ${SANS}`;
    c.fillStyle = running ? k.ok : k.ink2;
    c.fillText(running ? "live" : "end", x + 7, first.y + 12);
    c.font = `10px ${SANS}`;
    c.fillStyle = k.ink3;
    c.fillText(`${fixed(end, 1)} s`, x + 7, first.y + 25);
  }
  private drawHover(c: CanvasRenderingContext2D): void {
    if (!this.hover || this.hover.x < LEFT || this.hover.x > this.width - RIGHT) return;
    c.fillStyle = this.colours.ink3;
    c.globalAlpha = 0.5;
    c.fillRect(Math.round(this.hover.x), RULER - 2, 1, this.height - RULER);
    c.globalAlpha = 1;
  }
  flagText(t: number): string {
    const span = this.to - this.from;
    return fixed(t, span < 2 ? 4 : span < 20 ? 3 : 2);
  }
  private drawPlayhead(c: CanvasRenderingContext2D, t: number): void {
    const x = this.x(this.app.clock.live ? Math.min(t, this.to) : t);
    const k = this.colours; // at the live line, which is drawn less often
    if (x < LEFT - 1 || x > this.width - RIGHT + 12) return;
    c.fillStyle = k.ink;
    c.fillRect(x - 0.8, 8, 1.6, this.height - 11);
    c.font = `600 10.5px ${SANS}`;
    const text = this.flagText(t);
    const w = Math.max(44, text.length * 6.6 + 10);
    c.beginPath();
    c.roundRect(x - w / 2, 0, w, 15, 4);
    c.fill();
    c.fillStyle = k.surface;
    c.textAlign = "center";
    c.textBaseline = "alphabetic";
    c.fillText(text, x, 11);
  }
}
function short(s: string, n: number): string {
  return s.length > n ? s.slice(0, n - 1) + "…" : s;
}
