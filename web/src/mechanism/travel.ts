// travel.ts - kinematics: one coordinate is taken through values, another quantity drawn over it.
import { figures, fixed, parse, unitText } from "../base/units.ts";
import { Axis, colours, drawGrid, Face, line, text } from "../draw/chart.ts";
import { fill, h } from "../ui/dom.ts";
import type { TravelAnswer } from "../wire/protocol.ts";
import { valueAt, type Loaded } from "./data.ts";
import { numbers } from "../wire/numbers.ts";

export interface TravelAsk {
  drive: string;
  from: number;
  to: number;
}

export class TravelCard {
  readonly element: HTMLElement;
  private readonly drive = h("select", { class: "field", "aria-label": "Taken through its travel" });
  private readonly over = h("select", { class: "field", "aria-label": "Drawn over the travel" });
  private readonly from = h("input", { class: "field bf-number", "aria-label": "From", inputmode: "decimal" });
  private readonly to = h("input", { class: "field bf-number", "aria-label": "To", inputmode: "decimal" });
  private readonly word = h("span", { class: "me-sum", role: "status" });
  private readonly face: Face;
  private readonly x = new Axis(0, 1, 0, 1);
  private readonly y = new Axis(0, 1, 0, 1);
  private answer: TravelAnswer | null = null;
  private values: Float64Array = new Float64Array(0);
  private shownOf = "";
  private unit = "";
  constructor(
    private readonly ask: (a: TravelAsk) => Promise<TravelAnswer>,
    private readonly touch: () => void,
  ) {
    const host = h("div", { class: "me-plot" });
    const go = h(
      "button",
      { class: "btn", title: "Close the mechanism at each value", onclick: () => void this.run() },
      "Run",
    );
    this.element = h(
      "section",
      { class: "card" },
      h("header", { class: "cd-head" }, h("h3", { class: "cd-title" }, "Kinematics"), this.word),
      h("div", { class: "me-travel" }, this.drive, this.from, "to", this.to, go, this.over),
      host,
    );
    this.face = new Face(host, "A quantity over travel");
    this.drive.addEventListener("change", () => this.range());
    this.over.addEventListener("change", () => this.touch());
  }
  // Coordinates that can be driven: all but those of free bodies.
  set(l: Loaded): void {
    const free = l.run.bodies.filter((b) => b.joint === "free").map((b) => b.name);
    const names = l.run.settable
      .filter((s) => s.group === "start" && !/\.(q[wxyz]|w[xyz]|v[xyz]|\w+_rate)$/.test(s.name))
      .filter((s) => !free.some((f) => s.name.startsWith(`${f}.`)));
    if (this.shownOf === names.map((s) => s.name).join()) return;
    this.shownOf = names.map((s) => s.name).join();
    this.answer = null;
    fill(this.drive, ...names.map((s) => h("option", { value: s.name, "data-unit": s.unit }, s.name)));
    const steered = names.find((s) => !/wheel/.test(s.name));
    if (steered) this.drive.value = steered.name;
    this.range();
  }
  private range(): void {
    const option = this.drive.selectedOptions[0];
    this.unit = option?.dataset.unit ?? "";
    const angle = unitText(this.unit).startsWith("rad") || unitText(this.unit).startsWith("°");
    this.from.value = angle ? "-0.15" : "-0.05";
    this.to.value = angle ? "0.15" : "0.05";
  }
  async run(): Promise<void> {
    const [from, to] = [parse(this.from.value, this.unit), parse(this.to.value, this.unit)];
    this.from.toggleAttribute("aria-invalid", from === null);
    this.to.toggleAttribute("aria-invalid", to === null);
    if (from === null || to === null || !this.drive.value) return;
    try {
      this.word.textContent = "closing…";
      const a = await this.ask({ drive: this.drive.value, from, to });
      this.answer = a;
      this.values = numbers(a.values);
      const kept = this.over.value;
      const rest = a.columns.filter((c) => c.name !== this.drive.value);
      fill(this.over, ...rest.map((c) => h("option", { value: c.name, title: c.doc }, c.name)));
      const moves = rest.find((c) => this.varies(a, c.name));
      this.over.value = rest.some((c) => c.name === kept) ? kept : ((moves ?? rest[0])?.name ?? "");
      this.word.textContent = a.failed ?? "";
    } catch (e) {
      this.word.textContent = e instanceof Error ? e.message : String(e);
    }
    this.touch();
  }
  private varies(a: TravelAnswer, name: string): boolean {
    const k = a.columns.findIndex((c) => c.name === name);
    const n = a.columns.length;
    const first = this.values[k]!;
    for (let row = 1; row < a.rows; row++) if (Math.abs(this.values[row * n + k]! - first) > 1e-6) return true;
    return false;
  }
  draw(l: Loaded | undefined, t: number): void {
    if (!this.face.fit()) return;
    const { g, width, height } = this.face;
    const c = colours();
    const a = this.answer;
    const [i, k] = [
      a?.columns.findIndex((o) => o.name === this.drive.value) ?? -1,
      a?.columns.findIndex((o) => o.name === this.over.value) ?? -1,
    ];
    if (!a || i < 0 || k < 0) {
      text(g, "Run: positions over travel, loops closed", width / 2, height / 2, c.ink3, "center");
      return;
    }
    const n = a.columns.length;
    let low = Infinity;
    let high = -Infinity;
    for (let row = 0; row < a.rows; row++) {
      low = Math.min(low, this.values[row * n + k]!);
      high = Math.max(high, this.values[row * n + k]!);
    }
    const pad = 0.1 * (high - low) || 1e-3 * Math.max(1, Math.abs(high));
    this.x.set(this.values[i]!, this.values[(a.rows - 1) * n + i]!, 52, width - 12);
    this.y.set(low - pad, high + pad, height - 22, 10);
    drawGrid(g, this.x, this.y, "", 26, unitText(a.columns[k]!.unit));
    g.strokeStyle = c.ink;
    g.lineWidth = 1.7;
    g.beginPath();
    for (let row = 0; row < a.rows; row++) {
      const [px, py] = [this.x.pixel(this.values[row * n + i]!), this.y.pixel(this.values[row * n + k]!)];
      if (row) g.lineTo(px, py);
      else g.moveTo(px, py);
    }
    g.stroke();
    const now = l ? valueAt(l, this.drive.value, t) : NaN;
    const at = this.x.pixel(now);
    if (at >= this.x.a && at <= this.x.b) line(g, at, this.y.b, at, this.y.a, c.focus);
    this.face.label(
      `${this.over.value} from ${figures(low, 3)} to ${figures(high, 3)} while ${this.drive.value} goes from ${fixed(this.x.from, 3)} to ${fixed(this.x.to, 3)}`,
    );
  }
}
