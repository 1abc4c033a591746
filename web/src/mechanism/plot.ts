// plot.ts - one quantity of the mechanism over time, of every world that is shown, with the playhead.
import { fixed, unitText } from "../base/units.ts";
import type { App } from "../core/app.ts";
import { Axis, colours, drawGrid, Face, line, text } from "../draw/chart.ts";
import { fill, h } from "../ui/dom.ts";
import type { Loaded } from "./data.ts";
import { valueAt } from "./data.ts";

export class PlotCard {
  readonly element: HTMLElement;
  private readonly choose: HTMLSelectElement;
  private readonly face: Face;
  private readonly x = new Axis(0, 1, 0, 1);
  private readonly y = new Axis(0, 1, 0, 1);
  private names = "";
  constructor(
    private readonly app: App,
    private readonly option: string,
    private readonly fallback: (l: Loaded) => string,
    label: string,
  ) {
    this.choose = h("select", { class: "field", "aria-label": label });
    const host = h("div", { class: "me-plot" });
    this.element = h(
      "section",
      { class: "card" },
      h("header", { class: "cd-head" }, h("h3", { class: "cd-title" }, "Plot"), this.choose),
      host,
    );
    this.face = new Face(host, label);
    this.choose.addEventListener("change", () => this.app.option(this.option, this.choose.value));
    host.addEventListener("pointerdown", (e) => {
      const r = host.getBoundingClientRect();
      this.app.clock.seek(this.x.value(e.clientX - r.left));
    });
  }
  draw(list: Loaded[], t: number): void {
    const first = list[0];
    if (!first) return;
    const names = first.run.columns.map((c) => c.name).join();
    if (names !== this.names) {
      this.names = names;
      fill(this.choose, ...first.run.columns.map((c) => h("option", { value: c.name, title: c.doc }, c.name)));
    }
    const kept = this.app.option<string>(this.option) ?? "";
    const name = first.column.has(kept) ? kept : this.fallback(first);
    if (this.choose.value !== name) this.choose.value = name;
    if (!this.face.fit()) return;
    const { g, width, height } = this.face;
    const c = colours();
    let low = Infinity;
    let high = -Infinity;
    let end = 0;
    for (const l of list) {
      const k = l.column.get(name);
      end = Math.max(end, l.motion.t[l.motion.rows - 1] ?? 0);
      if (k === undefined) continue;
      for (let row = 0; row < l.motion.rows; row++) {
        const v = l.values[row * l.run.columns.length + k]!;
        if (v < low) low = v;
        if (v > high) high = v;
      }
    }
    if (!(low <= high)) return;
    const pad = 0.08 * (high - low) || Math.max(Math.abs(high), 1e-3) * 0.1;
    this.x.set(0, end || 1, 54, width - 14);
    this.y.set(low - pad, high + pad, height - 22, 10);
    const unit = unitText(first.run.columns[first.column.get(name)!]!.unit);
    drawGrid(g, this.x, this.y, "s", 26, unit);
    for (const l of list) this.curve(l, name, this.app.colour(l.world));
    const at = this.x.pixel(t);
    line(g, at, this.y.b, at, this.y.a, c.ink);
    const now = list.map((l) => valueAt(l, name, t));
    text(g, now.map((v) => fixed(v, 3)).join("  "), Math.min(at + 6, width - 60), 12, c.ink, "left");
    this.face.label(`${name}, ${unit}: ${now.map((v) => fixed(v, 3)).join(" and ")} at ${fixed(t, 2)} s`);
  }
  private curve(l: Loaded, name: string, colour: string): void {
    const k = l.column.get(name);
    if (k === undefined) return;
    const { g } = this.face;
    g.strokeStyle = colour;
    g.lineWidth = 1.6;
    g.beginPath();
    for (let row = 0; row < l.motion.rows; row++) {
      const px = this.x.pixel(l.motion.t[row]!);
      const py = this.y.pixel(l.values[row * l.run.columns.length + k]!);
      if (row) g.lineTo(px, py);
      else g.moveTo(px, py);
    }
    g.stroke();
  }
}
