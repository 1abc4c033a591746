// offset.ts - lateral offset: where cars are across the lanes over time, and the path of a lane change as planned.
//
// The selected car, and those that change lanes about now. Solid: driven; pale: after the playhead; dashed: the curve
// of docs/lanes.md from where the car set out. Lanes are bands in the colour of their use.
import type { App, Part } from "../core/app.ts";
import { Axis, BOLD_FONT, colours, Face, line, text } from "../draw/chart.ts";
import { palette } from "../draw/paint.ts";
import { platoonColour } from "../scene/colour.ts";
import { useColour, useOf } from "../scene/lanecolours.ts";
import { duration, quintic } from "../scene/lanechange.ts";
import type { CardFrame } from "./card.ts";
import { AFTER, BEFORE, laneCentre, laneCount, laneData, looked, type Track } from "./lanedata.ts";

const LEFT = 36;
const RIGHT = 40;
const TOP = 8;
const BOTTOM = 18;
const MOST = 4; // cars

export function makeOffset(frame: CardFrame, app: App): Part {
  return new Offset(frame, app);
}

class Offset implements Part {
  private face: Face;
  private x = new Axis(0, 1, 0, 1);
  private y = new Axis(0, 1, 0, 1);

  constructor(
    frame: CardFrame,
    private app: App,
  ) {
    this.face = new Face(frame.body, "Lateral offset over time");
    frame.note.textContent = "y from lane 1, m; dashed: plan";
  }

  draw(): void {
    const data = laneData(this.app);
    data.refresh();
    const w = this.app.current();
    const f = w ? this.app.frame(w.world) : null;
    if (!w || !f || !f.n || !this.face.fit()) return;
    const g = this.face.g;
    const c = colours();
    const t = this.app.clock.t;
    const x0 = f.x[looked(this.app, w, f)]!;
    const right = this.face.width - RIGHT;
    const bottom = this.face.height - BOTTOM;
    const lanes = laneCount(data.plan, w);
    const width = w.road.lane_width > 0 ? w.road.lane_width : 3.4;
    const low = laneCentre(data.plan, w, lanes, x0) - 0.6 * width;
    this.x.set(t - BEFORE, t + AFTER, LEFT, right);
    this.y.set(Math.min(low, -(w.road.lanes - 0.4) * width), 0.6 * width, bottom, TOP);
    for (let lane = 1; lane <= lanes; lane++) {
      const y = laneCentre(data.plan, w, lane, x0);
      const a = this.y.pixel(y + width / 2);
      const b = this.y.pixel(y - width / 2);
      const use = useOf(data.plan?.main.rule(lane - 1, x0) ?? null);
      g.fillStyle = use === "any" ? (lane % 2 ? palette().raised : palette().sunk) : useColour(use);
      g.fillRect(LEFT, a, right - LEFT, b - a);
      line(g, LEFT, this.y.pixel(y), right, this.y.pixel(y), c.line2, 1);
      text(g, `lane ${lane}`, LEFT + 4, a + 9, c.ink3);
      text(g, (Math.round(10 * y) / 10).toFixed(1).replace("-", "−"), LEFT - 5, this.y.pixel(y), c.ink3, "right");
    }
    this.x.make(44);
    for (let k = 0; k < this.x.ticks.length; k++)
      text(g, this.x.labels[k]! + (k === 0 ? " s" : ""), this.x.pixel(this.x.ticks[k]!), bottom + 9, c.ink3, "center");
    g.save();
    g.beginPath();
    g.rect(LEFT, TOP, right - LEFT, bottom - TOP);
    g.clip();
    const shown = this.chosen();
    for (const q of shown) this.curve(g, q, t);
    for (const q of shown) this.plan(g, q, t);
    g.restore();
    line(g, this.x.pixel(t), TOP, this.x.pixel(t), bottom, c.ink, 1);
    this.labels(g, shown, t, right);
  }

  // The selected car first, then those that change lanes in the window.
  private chosen(): Track[] {
    const data = laneData(this.app);
    const name = this.app.selection?.vehicle;
    const out = data.tracks.filter((q) => q.name === name);
    for (const q of data.tracks)
      if (
        out.length < MOST &&
        q.name !== name &&
        q.lane.some((l, k) => k > 0 && l > 0 && q.lane[k - 1]! > 0 && l !== q.lane[k - 1])
      )
        out.push(q);
    return out.length ? out : data.tracks.slice(0, 1);
  }

  private colour(q: Track): string {
    const data = laneData(this.app);
    return data.roster!.tagged[q.slot] === 1
      ? platoonColour(this.app, data.world!.world, data.roster!.platoon[q.slot]!)
      : palette().worlds[2]!;
  }

  private curve(g: CanvasRenderingContext2D, q: Track, t: number): void {
    const data = laneData(this.app);
    g.strokeStyle = this.colour(q);
    g.lineWidth = 1.8;
    for (const pale of [true, false]) {
      g.globalAlpha = pale ? 0.35 : 1;
      g.beginPath();
      let on = false;
      for (let k = 0; k < q.y.length; k++) {
        // From a ramp to the road offsets jump: they count from another line.
        const here = q.y[k] != null && q.lane[k]! > 0 && data.t[k]! > t === pale;
        if (!here) {
          on = false;
          continue;
        }
        const px = this.x.pixel(data.t[k]!);
        const py = this.y.pixel(q.y[k]!);
        if (on) g.lineTo(px, py);
        else g.moveTo(px, py);
        on = true;
      }
      g.stroke();
    }
    g.globalAlpha = 1;
  }

  // From where it set out: events lane_begins of this car.
  private plan(g: CanvasRenderingContext2D, q: Track, t: number): void {
    const data = laneData(this.app);
    const w = data.world!;
    for (const e of this.app.events(w.world)) {
      if (e.vehicle !== q.name || !e.text.endsWith("lane_begins") || e.t < t - BEFORE - 8 || e.t > t + AFTER) continue;
      let k = 0;
      while (k + 1 < data.t.length && (data.t[k]! < e.t || q.lane[k] === 0)) k++;
      const y0 = q.y[k];
      const x0 = q.x[k];
      if (y0 == null || x0 == null || Math.abs(data.t[k]! - e.t) > 1) continue;
      const to = laneCentre(data.plan, w, Math.round(e.value ?? 1), x0);
      const T = duration(y0 - to, 1, 1);
      g.strokeStyle = palette().ink;
      g.lineWidth = 1.4;
      g.setLineDash([5, 4]);
      g.beginPath();
      for (let m = 0; m <= 30; m++) {
        const at = (T * m) / 30;
        const px = this.x.pixel(e.t + at);
        const py = this.y.pixel(to + quintic(y0 - to, 0, T, at));
        if (m === 0) g.moveTo(px, py);
        else g.lineTo(px, py);
      }
      g.stroke();
      g.setLineDash([]);
    }
  }

  private labels(g: CanvasRenderingContext2D, shown: Track[], t: number, right: number): void {
    const data = laneData(this.app);
    const taken: number[] = [];
    for (const q of shown) {
      let k = q.y.length - 1;
      while (k > 0 && (q.y[k] == null || data.t[k]! > t + AFTER)) k--;
      const y = q.y[k];
      if (y == null) continue;
      let py = this.y.pixel(y);
      while (taken.some((o) => Math.abs(o - py) < 12)) py += 12;
      taken.push(py);
      text(g, q.label, right + 4, py, this.colour(q), "left", BOLD_FONT);
    }
  }
}
