// plotmarks.ts - what a plot draws under and over its curves: the loop, forks, zero, and the names at the right end.
import { platoonColour } from "../scene/colour.ts";
import { numberAt } from "../core/roster.ts";
import uPlot from "uplot";
import type { App } from "../core/app.ts";
import { BOLD_FONT, FONT, colours, spread } from "../draw/chart.ts";
import { alpha } from "../draw/paint.ts";
import { carLabel, type Quantity } from "./fields.ts";
import type { PlotData } from "./plotdata.ts";

// The plot as its marks see it.
export interface Plotted {
  readonly app: App;
  readonly data: PlotData;
  readonly xq: Quantity | null; // null: against time
  readonly q2: Quantity | null; // on the right axis
  readonly low: number;
  readonly high: number;
  visible(): [number, number]; // first and last column
}

export function shortName(plot: Plotted, i: number): string {
  const line = plot.data.lines[i]!;
  return carLabel(plot.app, line.world, line.name).slice(0, 6);
}

export class PlotMarks {
  private forks: { name: string; x: number; right: boolean }[] = [];
  constructor(private readonly plot: Plotted) {}

  under(u: uPlot): void {
    const g = u.ctx;
    const box = u.bbox;
    const c = colours();
    if (this.plot.xq) return;
    const loop = this.plot.app.clock.loop;
    if (loop) {
      const a = u.valToPos(Math.max(loop[0], u.scales.x!.min!), "x", true);
      const b = u.valToPos(Math.min(loop[1], u.scales.x!.max!), "x", true);
      if (b > a) {
        g.fillStyle = alpha(c.focus, this.plot.app.clock.loopOn ? 0.08 : 0.03);
        g.fillRect(a, box.top, b - a, box.height);
      }
    }
    const ratio = uPlot.pxRatio;
    this.forks.length = 0;
    for (const w of this.plot.app.shown()) {
      if (w.parent < 0 || w.fork <= u.scales.x!.min! || w.fork >= u.scales.x!.max!) continue;
      const x = Math.round(u.valToPos(w.fork, "x", true));
      g.save();
      g.setLineDash([3 * ratio, 3 * ratio]);
      g.strokeStyle = c.line2;
      g.lineWidth = ratio;
      g.beginPath();
      g.moveTo(x, box.top);
      g.lineTo(x, box.top + box.height);
      g.stroke();
      g.restore();
      g.font = `400 ${9.5 * ratio}px ${FONT}`;
      g.textBaseline = "middle";
      const name = w.name.toLowerCase();
      const right = x + 5 * ratio + g.measureText(name).width < box.left + box.width;
      this.forks.push({ name, x: x + (right ? 4 : -4) * ratio, right });
    }
  }
  // Names of the forks, over the grid.
  private forkNames(u: uPlot): void {
    const g = u.ctx;
    const c = colours();
    const ratio = uPlot.pxRatio;
    const y = u.bbox.top + 7 * ratio;
    g.font = `400 ${9.5 * ratio}px ${FONT}`;
    g.textBaseline = "middle";
    for (const f of this.forks) {
      const wide = g.measureText(f.name).width;
      g.fillStyle = c.surface;
      g.fillRect(f.right ? f.x - 1 : f.x - wide - 1, y - 6 * ratio, wide + 2, 12 * ratio);
      g.fillStyle = c.ink3;
      g.textAlign = f.right ? "left" : "right";
      g.fillText(f.name, f.x, y);
    }
  }

  // "B2-8" at the right end of each world's curves; single cars where there are few.
  over(u: uPlot): void {
    const g = u.ctx;
    const ratio = uPlot.pxRatio;
    const box = u.bbox;
    const tags = this.tags(u);
    if (!this.plot.xq) this.forkNames(u);
    const order = tags.map((_, k) => k);
    const heights = tags.map((tag) => tag.y);
    spread(heights, order, 13 * ratio, box.top + 6 * ratio, box.top + box.height - 6 * ratio);
    g.font = BOLD_FONT.replace("10.5", String(10.5 * ratio));
    g.textAlign = "left";
    g.textBaseline = "middle";
    // With an axis at the right they stand inside, before the curves.
    if (this.plot.q2) {
      g.textAlign = "right";
      g.strokeStyle = colours().surface;
      g.lineWidth = 3 * ratio;
      g.lineJoin = "round";
    }
    const x = box.left + box.width + (this.plot.q2 ? -4 : 4) * ratio;
    tags.forEach((tag, k) => {
      if (this.plot.q2) g.strokeText(tag.words, x, heights[k]!);
      g.fillStyle = tag.colour;
      g.fillText(tag.words, x, heights[k]!);
    });
    g.strokeStyle = alpha(colours().ink3, 0.5);
    g.lineWidth = ratio;
    if (this.plot.low < 0 && this.plot.high > 0) {
      const y = Math.round(u.valToPos(0, "y", true)) + 0.5;
      g.beginPath();
      g.moveTo(box.left, y);
      g.lineTo(box.left + box.width, y);
      g.stroke();
    }
  }

  private tags(u: uPlot): { words: string; colour: string; y: number }[] {
    const groups = new Map<string, number[]>(); // by colour: a world's, or a platoon's
    this.plot.data.lines.forEach((line, i) => {
      if (line.second) return;
      const key = `${line.world} ${platoonColour(this.plot.app, line.world, line.platoon)}`;
      const list = groups.get(key) ?? [];
      list.push(i);
      groups.set(key, list);
    });
    const out: { words: string; colour: string; y: number }[] = [];
    for (const list of groups.values()) {
      const { world, platoon } = this.plot.data.lines[list[0]!]!;
      const colour = platoonColour(this.plot.app, world, platoon);
      const single = this.plot.data.lines.length <= (this.plot.q2 ? 10 : 5);
      const ends = list.map((i) => this.lastValue(i)).filter((v) => v === v);
      if (!ends.length) continue;
      if (single)
        list.forEach((i) => {
          const v = this.lastValue(i);
          if (v === v) out.push({ words: shortName(this.plot, i), colour, y: u.valToPos(v, "y", true) });
        });
      else
        out.push({
          words: this.span(world, list),
          colour,
          y: u.valToPos(ends.reduce((p, q) => p + q, 0) / ends.length, "y", true),
        });
    }
    return out;
  }
  // "A1-7", in a world of several platoons "A2" (cars are A2.1, A2.2 ..); the world's letter where they share a colour.
  private span(world: number, list: number[]): string {
    const letter = this.plot.app.letter(world);
    if ((this.plot.app.world(world)?.platoons.length ?? 1) > 1) {
      const platoons = new Set(list.map((i) => this.plot.data.lines[i]!.platoon));
      const [only = -1] = platoons;
      return platoons.size === 1 && only >= 0 ? `${letter}${only + 1}` : letter;
    }
    const places = list.map((i) => numberAt(this.plot.data.lines[i]!.place));
    const from = Math.min(...places);
    const to = Math.max(...places);
    const words = to > from ? `${from}\u2013${to}` : String(from);
    return letter + (words.length > 4 ? "" : words); // no room for more
  }
  private lastValue(i: number): number {
    const [first, last] = this.plot.visible();
    const y = this.plot.data.y[i]!;
    for (let k = last; k >= first; k--) if (y[k] === y[k]) return y[k]!;
    return NaN;
  }
}
