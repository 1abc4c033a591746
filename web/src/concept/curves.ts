// curves.ts - a small plot of curves of the server: the rig over travel, acceleration over time, spectra with modes.
import { fixed } from "../base/units.ts";
import { Axis, colours, drawGrid, Face, line, text } from "../draw/chart.ts";
import { fill, h } from "../ui/dom.ts";

export interface Curve {
  name: string;
  unit: string;
  x: ArrayLike<number>;
  y: ArrayLike<number>;
  dashed?: boolean;
  colour?: number;
}
export class CurvesCard {
  readonly element: HTMLElement;
  readonly tools = h("span", { class: "co-tools" });
  private readonly face: Face;
  private readonly note = h("p", { class: "co-note" });
  private readonly x = new Axis(0, 1, 0, 1);
  private readonly y = new Axis(0, 1, 0, 1);
  private curves: Curve[] = [];
  private marks: { at: number; label: string }[] = [];
  private unit = "";
  constructor(
    private readonly title: string,
    private readonly log = false,
  ) {
    const host = h("div", { class: "me-plot" });
    this.element = h(
      "section",
      { class: "card" },
      h("header", { class: "cd-head" }, h("h3", { class: "cd-title" }, title), this.tools),
      host,
      this.note,
    );
    this.face = new Face(host, title);
  }
  set(curves: Curve[], unit: string, note = "", marks: { at: number; label: string }[] = []): void {
    this.curves = curves;
    this.unit = unit;
    this.marks = marks;
    fill(this.note, note);
  }
  draw(t = NaN): void {
    if (!this.face.fit() || !this.curves.length) return;
    const { g, width, height } = this.face;
    const c = colours();
    const of = (v: number) => (this.log ? Math.log10(Math.max(v, 1e-12)) : v);
    let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
    for (const k of this.curves)
      for (let i = 0; i < k.x.length; i++) {
        const px = k.x[i]!;
        const py = of(k.y[i]!);
        if (!Number.isFinite(py) || (this.log && !(px > 0))) continue;
        [x0, x1] = [Math.min(x0, px), Math.max(x1, px)];
        [y0, y1] = [Math.min(y0, py), Math.max(y1, py)];
      }
    if (!(x0 < x1)) return;
    if (this.log) y0 = Math.max(y0, y1 - 4);
    const pad = 0.08 * (y1 - y0) || 0.1;
    this.x.set(x0, x1, 48, width - 12);
    this.y.set(y0 - pad, y1 + pad, height - 22, 14);
    drawGrid(g, this.x, this.y, this.unit, 22, this.log ? "log10" : (this.curves[0]?.unit ?? ""));
    const palette = [c.a, c.b, c.c, c.d, c.ink2];
    this.curves.forEach((k, n) => {
      g.strokeStyle = palette[(k.colour ?? n) % palette.length]!;
      g.setLineDash(k.dashed ? [5, 4] : []);
      g.lineWidth = 1.5;
      g.beginPath();
      let on = false;
      for (let i = 0; i < k.x.length; i++) {
        const py = of(k.y[i]!);
        if (!Number.isFinite(py) || (this.log && (!(k.x[i]! > 0) || py < y0))) {
          on = false;
          continue;
        }
        if (on) g.lineTo(this.x.pixel(k.x[i]!), this.y.pixel(py));
        else g.moveTo(this.x.pixel(k.x[i]!), this.y.pixel(py));
        on = true;
      }
      g.stroke();
      g.setLineDash([]);
    });
    for (const m of this.marks) {
      if (m.at < x0 || m.at > x1) continue;
      const px = this.x.pixel(m.at);
      g.setLineDash([2, 3]);
      line(g, px, this.y.b, px, this.y.a, c.focus);
      g.setLineDash([]);
      text(g, m.label, px, 9, c.focus, "center");
    }
    if (Number.isFinite(t)) line(g, this.x.pixel(t), this.y.b, this.x.pixel(t), this.y.a, c.ink);
    this.face.label(
      `${this.title}: ${this.curves.map((k) => `${k.name} from ${fixed(k.y[0] ?? NaN, 3)} to ${fixed(k.y[k.y.length - 1] ?? NaN, 3)} ${k.unit}`).join("; ")}`,
    );
  }
}
