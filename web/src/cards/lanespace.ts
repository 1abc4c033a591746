// lanespace.ts - time-space by lane: one panel per lane on one axis, so that a change of lanes is seen.
//
// Distances are relative to a steady speed, so that a metre is visible. Where a car leaves a lane its line ends in a
// chevron; where it comes in, its line begins with a dot. After the playhead lines are pale. A click selects the car,
// a drag along time makes a loop.
import type { App, Part } from "../core/app.ts";
import { Axis, BOLD_FONT, colours, Face, line, text } from "../draw/chart.ts";
import { platoonColour } from "../scene/colour.ts";
import { useColour, useOf } from "../scene/lanecolours.ts";
import { palette } from "../draw/paint.ts";
import type { CardFrame } from "./card.ts";
import { AFTER, BEFORE, laneCount, laneData, looked, type Track } from "./lanedata.ts";

const LEFT = 34;
const TOP = 20;
const BOTTOM = 18;
const GAP = 8;

export function makeLaneSpace(frame: CardFrame, app: App): Part {
  return new LaneSpace(frame, app);
}

class LaneSpace implements Part {
  private face: Face;
  private x = new Axis(0, 1, 0, 1);
  private y = new Axis(0, 1, 0, 1);
  private panels: { lane: number; a: number; b: number }[] = [];
  private speed = 0; // m/s, taken off
  private zero = { t: 0, x: 0 };
  private press: { px: number; t: number } | null = null;

  constructor(
    private frame: CardFrame,
    private app: App,
  ) {
    this.face = new Face(frame.body, "Time-space diagram by lane");
    const c = this.face.canvas;
    c.addEventListener("pointerdown", (e) => this.down(e));
    c.addEventListener("pointerup", (e) => this.up(e));
  }

  draw(): void {
    const data = laneData(this.app);
    data.refresh();
    const w = this.app.current();
    const f = w ? this.app.frame(w.world) : null;
    if (!w || !f || !f.n || !this.face.fit()) return;
    const t = this.app.clock.t;
    const i = looked(this.app, w, f);
    this.speed = Math.round(f.field("v")?.[i] ?? 0);
    this.zero = { t, x: Math.round(f.x[i]! / 10) * 10 };
    const note = `s − ${this.speed} t, m; time in s`;
    if (this.frame.note.textContent !== note) this.frame.note.textContent = note;
    this.lay(w.road.lanes, laneCount(data.plan, w), data.tracks, t);
    const g = this.face.g;
    const c = colours();
    this.y.make(26);
    const bottom = this.face.height - BOTTOM;
    for (let k = 0; k < this.y.ticks.length; k++)
      text(g, this.y.labels[k]!, LEFT - 5, this.y.pixel(this.y.ticks[k]!), c.ink3, "right");
    for (const p of this.panels) this.panel(g, p, t, bottom);
  }

  // Panels of the lanes that go through, and of others that a car is in; the range of distances about the cars now.
  private lay(through: number, all: number, tracks: Track[], t: number): void {
    const used = new Set<number>();
    for (const q of tracks) for (const l of q.lane) if (l > 0) used.add(l);
    const lanes: number[] = [];
    for (let l = 1; l <= all; l++) if (l <= Math.max(1, through) || used.has(l)) lanes.push(l);
    const wide = (this.face.width - LEFT - 6 - GAP * (lanes.length - 1)) / lanes.length;
    this.panels = lanes.map((lane, k) => ({ lane, a: LEFT + k * (wide + GAP), b: LEFT + k * (wide + GAP) + wide }));
    let lo = Infinity;
    let hi = -Infinity;
    for (const q of tracks)
      for (let k = 0; k < q.x.length; k += 8) {
        const d = this.distance(q, k);
        if (d < lo) lo = d;
        if (d > hi) hi = d;
      }
    if (!(hi > lo)) {
      lo = -50;
      hi = 50;
    }
    const room = Math.max(4, 0.05 * (hi - lo));
    this.y.set(lo - room, hi + room, this.face.height - BOTTOM, TOP);
    this.x.set(t - BEFORE, t + AFTER, 0, wide);
  }

  private distance(q: Track, k: number): number {
    const x = q.x[k];
    return x == null ? NaN : x - this.zero.x - this.speed * (laneData(this.app).t[k]! - this.zero.t);
  }

  private panel(
    g: CanvasRenderingContext2D,
    p: { lane: number; a: number; b: number },
    t: number,
    bottom: number,
  ): void {
    const data = laneData(this.app);
    const c = colours();
    const w = data.world;
    if (!w) return;
    const rule = data.plan?.main.rule(p.lane - 1, this.zero.x) ?? null;
    const use = useOf(rule);
    g.fillStyle = use === "any" ? palette().raised : useColour(use);
    g.globalAlpha = use === "any" ? 1 : 0.5;
    g.fillRect(p.a, TOP, p.b - p.a, bottom - TOP);
    g.globalAlpha = 1;
    text(g, `Lane ${p.lane}`, p.a, 9, c.ink, "left", BOLD_FONT);
    if (use !== "any" && p.b - p.a > 90) text(g, use, p.b, 9, c.ink3, "right");
    this.x.make(40);
    for (let k = 0; k < this.x.ticks.length; k++) {
      const px = p.a + this.x.pixel(this.x.ticks[k]!);
      if (px > p.a + 6 && px < p.b - 6) text(g, this.x.labels[k]!, px, bottom + 9, c.ink3, "center");
    }
    g.save();
    g.beginPath();
    g.rect(p.a, TOP, p.b - p.a, bottom - TOP);
    g.clip();
    for (const q of data.tracks) this.track(g, p, q, t);
    g.restore();
    line(g, p.a + this.x.pixel(t), TOP - 4, p.a + this.x.pixel(t), bottom, c.ink, 1);
  }

  private track(g: CanvasRenderingContext2D, p: { lane: number; a: number }, q: Track, t: number): void {
    const data = laneData(this.app);
    const w = data.world!;
    const slot = q.slot;
    const tagged = data.roster!.tagged[slot] === 1;
    const chosen = this.app.selection?.vehicle === q.name;
    const colour = tagged ? platoonColour(this.app, w.world, data.roster!.platoon[slot]!) : palette().worlds[2]!;
    const n = q.lane.length;
    for (const pale of [true, false]) {
      g.strokeStyle = g.fillStyle = colour;
      g.lineWidth = chosen ? 2.2 : 1.3;
      g.globalAlpha = pale ? 0.35 : 1;
      g.beginPath();
      let on = false;
      for (let k = 0; k < n; k++) {
        const here = q.lane[k] === p.lane && data.t[k]! > t === pale;
        if (!here) {
          on = false;
          continue;
        }
        const px = p.a + this.x.pixel(data.t[k]!);
        const py = this.y.pixel(this.distance(q, k));
        if (on) g.lineTo(px, py);
        else g.moveTo(px, py);
        on = true;
      }
      g.stroke();
    }
    g.globalAlpha = 1;
    for (let k = 1; k < n; k++) {
      if (q.lane[k] === q.lane[k - 1] || q.lane[k] === 0 || q.lane[k - 1] === 0) continue;
      const px = p.a + this.x.pixel(data.t[k]!);
      const py = this.y.pixel(this.distance(q, k));
      if (q.lane[k] === p.lane) {
        g.beginPath();
        g.arc(px, py, 3, 0, 7);
        g.fill();
        text(g, q.label, px + 5, py - 8, colour, "left", BOLD_FONT);
      } else if (q.lane[k - 1] === p.lane) {
        g.lineWidth = 2;
        g.beginPath();
        g.moveTo(px - 3, py - 4);
        g.lineTo(px + 1, py);
        g.lineTo(px - 3, py + 4);
        g.stroke();
        text(g, q.label, px - 6, py - 9, colour, "right", BOLD_FONT);
      }
    }
  }

  // ---- pointer ----

  private where(e: PointerEvent): { lane: number; px: number; py: number; t: number } | null {
    const r = this.face.canvas.getBoundingClientRect();
    const px = e.clientX - r.left;
    const p = this.panels.find((q) => px >= q.a && px <= q.b);
    return p ? { lane: p.lane, px, py: e.clientY - r.top, t: this.x.value(px - p.a) } : null;
  }
  private down(e: PointerEvent): void {
    const at = this.where(e);
    this.press = at ? { px: at.px, t: at.t } : null;
  }
  private up(e: PointerEvent): void {
    const at = this.where(e);
    const from = this.press;
    this.press = null;
    if (!at || !from) return;
    if (Math.abs(at.px - from.px) > 6) {
      this.app.clock.setLoop(Math.min(from.t, at.t), Math.max(from.t, at.t));
      return;
    }
    const data = laneData(this.app);
    let best: Track | null = null;
    let min = 8;
    for (const q of data.tracks)
      for (let k = 0; k < q.lane.length; k++) {
        if (q.lane[k] !== at.lane || Math.abs(data.t[k]! - at.t) > 0.3) continue;
        const d = Math.abs(this.y.pixel(this.distance(q, k)) - at.py);
        if (d < min) {
          min = d;
          best = q;
        }
      }
    if (best && data.world) this.app.select(data.world.world, best.name);
  }
}
