// sweep.ts - the robustness bench: two parameters varied over a grid of runs, a figure as a map.
//
// Cells fill in as runs finish; Stop keeps the results so far. A click on a cell opens that run as a
// world; a box dragged over cells asks for a finer grid there. With the keyboard: arrows move over
// the map, Enter opens, Shift and arrows draw the box, F refines it.
import { figures, parse, unitText } from "../base/units.ts";
import type { App, Part } from "../core/app.ts";
import { AXIS_FONT, Axis, BOLD_FONT, Face, TAG_FONT, colours, fieldColour, line, text, watch } from "../draw/chart.ts";
import { alpha, hatch } from "../draw/paint.ts";
import { fill, h } from "../ui/dom.ts";
import type { Pushes } from "../wire/protocol.ts";
import { DISTRIBUTIONS, Grid, valuesOf, variables, varyText, type Distribution, type SweepAxis } from "./sweepdata.ts";

const MAX_RUNS = 41 * 41;
const LEFT = 64;
const TOP = 58;
const RIGHT = 176;
const BOTTOM = 44;

export function mountSweep(host: HTMLElement, app: App): Part {
  return new Sweep(host, app);
}

class Sweep implements Part {
  private axes: [SweepAxis, SweepAxis];
  private figure: string;
  private end: number; // s, how long a run is
  private grid: Grid | null = null;
  private number = -1;
  private running = false;
  private began = 0;
  private dirty = true;
  private cursor: [number, number] = [0, 0];
  private box: [number, number, number, number] | null = null;
  private readonly x = new Axis(0, 1, 0, 1);
  private readonly y = new Axis(0, 1, 0, 1);
  private readonly face: Face;
  private readonly map = h("div", {
    class: "sw-map",
    tabindex: "0",
    role: "application",
    "aria-label": "Map of the sweep: arrows move, Enter opens the run, Shift and arrows select a box, F refines it",
  });
  private readonly told = h("p", { class: "sw-told", role: "status" });
  private readonly progress = h("progress", { class: "sw-progress", max: 1, value: 0, "aria-label": "Runs done" });
  private readonly left_text = h("span", { class: "sw-left" });
  private readonly note = h("p", { class: "id-note", role: "alert" });
  private readonly runButton = h("button", { class: "btn primary", type: "button" }, "Run");
  private readonly stopButton = h("button", { class: "btn", type: "button", disabled: true }, "Stop");
  private readonly finer = h(
    "button",
    { class: "btn", type: "button", disabled: true, title: "A finer grid of the selected box (F)" },
    "Finer grid of the box",
  );
  private readonly form = h("div", { class: "sw-form" });
  private readonly off: (() => void)[] = [];

  constructor(
    private readonly host: HTMLElement,
    private readonly app: App,
  ) {
    const kept = app.option<{ axes?: [SweepAxis, SweepAxis]; figure?: string; end?: number }>("sweep") ?? {};
    this.axes = kept.axes ?? this.guess();
    this.figure = kept.figure ?? "largest.spacing_error";
    this.end = kept.end ?? 60;
    host.append(
      h(
        "div",
        { class: "sw-bench" },
        h(
          "div",
          { class: "card sw-side" },
          h("header", { class: "cd-head mi-head" }, h("h2", { class: "cd-title" }, "Sweep")),
          this.form,
          h("div", { class: "sw-buttons" }, this.runButton, this.stopButton, this.finer),
          h("div", { class: "sw-state" }, this.progress, this.left_text),
          this.note,
        ),
        h("div", { class: "card sw-main" }, this.map, this.told),
      ),
    );
    this.face = new Face(this.map, "Map of the sweep");
    this.runButton.addEventListener("click", () => void this.start());
    this.stopButton.addEventListener("click", () => this.stop());
    this.finer.addEventListener("click", () => this.runBox());
    this.off.push(
      watch(app, this.map, () => {
        this.dirty = true;
      }),
      app.on("changed", (m) => {
        if (m?.kind === "cells") this.take(m);
      }),
      app.on("worlds", (d) => {
        if (d?.reset) {
          this.axes = this.guess();
          this.writeForm();
        }
      }),
    );
    this.pointer();
    this.keys();
    this.writeForm();
  }

  // ---- form --------------------------------------------------------------------------------------

  private guess(): [SweepAxis, SweepAxis] {
    const all = variables(this.app);
    const pick = (test: (name: string) => boolean, spare: number) =>
      all.find((v) => test(v.name)) ?? all[spare] ?? { name: "mass", unit: "kg", value: 1800, doc: "" };
    const span = (v: { name: string; unit: string; value: number }): SweepAxis => ({
      name: v.name,
      unit: v.unit,
      from: Number((0.5 * v.value).toPrecision(3)),
      to: Number((1.5 * v.value || 1).toPrecision(3)),
      count: 9,
    });
    const mass = pick((n) => n === "mass", 0);
    const other = pick((n) => n.endsWith(".headway") || n.endsWith(".k3"), 1);
    return [span(mass), span(other)];
  }

  private writeForm(): void {
    const figures_ = this.app.figures.length
      ? this.app.figures
      : [{ name: this.figure, unit: "", doc: "", better: -1 }];
    const figure = h(
      "select",
      { class: "pu-select", id: "sw-figure", value: this.figure },
      figures_.map((f) =>
        h(
          "option",
          { value: f.name, title: f.doc },
          `${f.name.replace(/[._]/g, " ")}${f.unit && f.unit !== "-" ? ", " + unitText(f.unit) : ""}`,
        ),
      ),
    );
    figure.addEventListener("change", () => {
      this.figure = figure.value;
      this.keep();
      this.dirty = true;
    });
    const names = h(
      "datalist",
      { id: "sw-names" },
      variables(this.app).map((v) => h("option", { value: v.name }, v.doc)),
    );
    const end = h("input", {
      class: "field sw-number",
      id: "sw-end",
      inputmode: "decimal",
      value: String(this.end),
      title: "Duration of each run, s",
    });
    end.addEventListener("change", () => {
      const v = parse(end.value, "s");
      const good = v !== null && v >= 1 && v <= 3600;
      end.setAttribute("aria-invalid", String(!good));
      if (good) {
        this.end = v;
        this.keep();
      }
    });
    fill(
      this.form,
      this.axisForm(0, "Across"),
      this.axisForm(1, "Up"),
      h("div", { class: "sw-row" }, h("label", { for: "sw-figure" }, "Figure"), figure),
      h(
        "div",
        { class: "sw-row" },
        h("label", { for: "sw-end" }, "Runs to"),
        h("span", { class: "sw-pair" }, end, h("span", { class: "mut" }, "s")),
      ),
      names,
    );
    this.size();
  }

  private axisForm(k: 0 | 1, title: string): HTMLElement {
    const a = this.axes[k];
    const id = `sw-${k}`;
    const name = h("input", {
      class: "field",
      id: `${id}-name`,
      list: "sw-names",
      value: a.name,
      autocomplete: "off",
      spellcheck: "false",
    });
    name.addEventListener("change", () => {
      const known = variables(this.app).find((v) => v.name === name.value.trim());
      this.axes[k] = {
        ...a,
        name: name.value.trim(),
        unit: known?.unit ?? a.unit,
        kind: "uniform",
        mean: undefined,
        deviation: undefined,
        list: undefined,
        ...(known
          ? { from: Number((0.5 * known.value).toPrecision(3)), to: Number((1.5 * known.value || 1).toPrecision(3)) }
          : {}),
      };
      this.keep();
      this.writeForm();
    });
    return h(
      "fieldset",
      { class: "sw-axis" },
      h("legend", null, title),
      h("div", { class: "sw-row" }, h("label", { for: `${id}-name` }, "Parameter"), name),
      h("div", { class: "sw-row" }, h("label", { for: `${id}-kind` }, "Values"), this.kindChoice(k)),
      ...this.valueRows(k, title),
    );
  }

  // How the values are distributed: even, normal, or as typed.
  private kindChoice(k: 0 | 1): HTMLElement {
    const a = this.axes[k];
    const kind = h(
      "select",
      { class: "pu-select", id: `sw-${k}-kind`, title: "Distribution of the values; all of them are equally likely" },
      DISTRIBUTIONS.map((d) => h("option", { value: d }, d)),
    );
    kind.value = a.kind ?? "uniform";
    kind.addEventListener("change", () => {
      a.kind = kind.value as Distribution;
      a.mean ??= Number(((a.from + a.to) / 2).toPrecision(6));
      a.deviation ??= Number(((a.to - a.from) / 6).toPrecision(3));
      a.list ??= valuesOf({ ...a, kind: "uniform", count: Math.min(a.count, 5) });
      this.keep();
      this.writeForm();
    });
    return kind;
  }

  private valueRows(k: 0 | 1, title: string): HTMLElement[] {
    const a = this.axes[k];
    const row = (words: string, ...fields: HTMLElement[]) =>
      h(
        "div",
        { class: "sw-row" },
        h("span", { class: "mut" }, words),
        fields.length > 1
          ? h("span", { class: "sw-pair" }, ...fields, h("span", { class: "mut" }, unitText(a.unit)))
          : fields[0]!,
      );
    const count = row("Number", this.numberField(k, title, "count", "number of values"));
    if (a.kind === "list")
      return [row(unitText(a.unit) === "\u2013" ? "List" : `List, ${unitText(a.unit)}`, this.listField(k, title))];
    if (a.kind === "normal")
      return [
        row(
          "Mean, dev.",
          this.numberField(k, title, "mean", "mean"),
          this.numberField(k, title, "deviation", "standard deviation"),
        ),
        count,
      ];
    return [row("From, to", this.numberField(k, title, "from", "from"), this.numberField(k, title, "to", "to")), count];
  }

  private numberField(
    k: 0 | 1,
    title: string,
    key: "from" | "to" | "count" | "mean" | "deviation",
    label: string,
  ): HTMLElement {
    const a = this.axes[k];
    const f = h("input", {
      class: "field sw-number",
      inputmode: "decimal",
      id: `sw-${k}-${key}`,
      "aria-label": `${title}: ${label}`,
      value: String(a[key] ?? ""),
    });
    f.addEventListener("change", () => {
      const v = key === "count" ? Math.round(Number(f.value)) : parse(f.value, a.unit || "-");
      const good =
        v !== null && Number.isFinite(v) && (key !== "count" || (v >= 2 && v <= 200)) && (key !== "deviation" || v > 0);
      f.setAttribute("aria-invalid", String(!good));
      if (!good) return;
      this.axes[k][key] = v;
      this.keep();
      this.size();
    });
    return f;
  }

  private listField(k: 0 | 1, title: string): HTMLElement {
    const a = this.axes[k];
    const f = h("input", {
      class: "field",
      id: `sw-${k}-list`,
      "aria-label": `${title}: values`,
      title: "2 to 200 different values, separated by spaces",
      value: (a.list ?? []).join(" "),
    });
    f.addEventListener("change", () => {
      const list = f.value
        .split(/[\s;]+/)
        .filter(Boolean)
        .map((t) => parse(t, a.unit || "-"));
      const good =
        list.length >= 2 && list.length <= 200 && list.every((v) => v !== null) && new Set(list).size === list.length;
      f.setAttribute("aria-invalid", String(!good));
      if (!good) return;
      this.axes[k].list = (list as number[]).sort((p, q) => p - q);
      this.keep();
      this.size();
    });
    return f;
  }

  private keep(): void {
    this.app.option("sweep", { axes: this.axes.map((a) => ({ ...a })), figure: this.figure, end: this.end });
  }
  private size(): void {
    const runs = valuesOf(this.axes[0]).length * valuesOf(this.axes[1]).length;
    if (!this.running) this.runButton.textContent = `Run ${runs} runs`;
    this.runButton.disabled = this.running || runs > MAX_RUNS || runs < 1;
    this.runButton.title = runs > MAX_RUNS ? `${runs} runs, at most ${MAX_RUNS}` : "";
  }

  // ---- running -----------------------------------------------------------------------------------

  private async start(): Promise<void> {
    this.note.textContent = "";
    const axes: [SweepAxis, SweepAxis] = [{ ...this.axes[0] }, { ...this.axes[1] }];
    const early: Pushes["cells"][] = [];
    const listen = this.app.on("changed", (m) => {
      if (m?.kind === "cells") early.push(m);
    });
    try {
      const answer = await this.app.ask("sweep", {
        vary: axes.map(varyText),
        end: this.end,
        world: this.app.selection?.world ?? this.app.shown()[0]?.world ?? 0,
      });
      this.grid = new Grid(axes);
      this.number = answer.sweep;
      this.box = null;
      this.cursor = [0, 0];
      this.began = performance.now();
      this.run(true);
      for (const m of early) this.take(m);
    } catch (e) {
      this.note.textContent = (e as Error).message;
    } finally {
      listen();
    }
    this.dirty = true;
    this.app.touch();
  }

  private stop(): void {
    this.app.ask("sweep_stop", { sweep: this.number }).catch((e: Error) => {
      this.note.textContent = e.message;
    });
    this.run(false);
  }

  private run(on: boolean): void {
    this.running = on;
    this.stopButton.disabled = !on;
    this.size();
    this.tell();
  }

  private take(m: Pushes["cells"]): void {
    const grid = this.grid;
    if (!grid || m.sweep !== this.number) return;
    for (const cell of m.cells) grid.take(cell.i[0]!, cell.i[1]!, cell.values);
    if (m.reason && m.reason !== "stopped") this.note.textContent = m.reason;
    if (m.over || grid.done >= grid.state.length) this.run(false);
    this.tell();
    this.dirty = true;
    this.app.touch();
  }

  private tell(): void {
    const grid = this.grid;
    const runs = grid?.state.length ?? 0;
    const done = grid?.done ?? 0;
    this.progress.value = runs ? done / runs : 0;
    const spent = (performance.now() - this.began) / 1000;
    const left = done ? (spent / done) * (runs - done) : NaN;
    this.left_text.textContent = !runs
      ? ""
      : this.running
        ? `${done} of ${runs}${left === left ? `, ${figures(Math.max(left, 0), 2)} s left` : ""}`
        : done < runs
          ? `stopped: ${done} of ${runs} kept`
          : `${runs} runs done`;
  }

  private runBox(): void {
    const grid = this.grid;
    const b = this.box;
    if (!grid || !b || this.running) return;
    const cut = (a: SweepAxis, values: number[], i: number, j: number): SweepAxis => ({
      ...a,
      kind: "uniform",
      from: values[Math.min(i, j)]!,
      to: values[Math.max(i, j)]!,
      count: Math.max(a.count, 3),
    });
    this.axes = [cut(grid.axes[0], grid.x, b[0], b[2]), cut(grid.axes[1], grid.y, b[1], b[3])];
    this.keep();
    this.writeForm();
    void this.start();
  }

  private open(i: number, j: number): void {
    const grid = this.grid;
    if (!grid || !grid.state[grid.at(i, j)]) return;
    this.app
      .ask("sweep_open", { sweep: this.number, i: [i, j] })
      .then(() => {
        this.app.toast(`Opened ${this.words(i, j)} as a world`);
        this.app.layout.set({ view: "road" });
      })
      .catch((e: Error) => {
        this.note.textContent = e.message;
      });
  }

  // ---- map ---------------------------------------------------------------------------------------

  private cell(px: number, py: number): [number, number] | null {
    const grid = this.grid;
    if (!grid || px < this.x.a || px >= this.x.b || py > this.y.a || py <= this.y.b) return null;
    return [Math.floor(this.x.value(px)), Math.floor(this.y.value(py))];
  }

  private pointer(): void {
    const canvas = this.face.canvas;
    let from: [number, number] | null = null;
    let moved = false;
    canvas.addEventListener("pointerdown", (e) => {
      from = this.cell(e.offsetX, e.offsetY);
      moved = false;
      if (from) canvas.setPointerCapture(e.pointerId);
    });
    canvas.addEventListener("pointermove", (e) => {
      const at = this.cell(e.offsetX, e.offsetY);
      if (!at) return;
      this.point(at);
      if (from && (at[0] !== from[0] || at[1] !== from[1])) {
        moved = true;
        this.choose([from[0], from[1], at[0], at[1]]);
      }
    });
    canvas.addEventListener("pointerup", (e) => {
      const at = this.cell(e.offsetX, e.offsetY);
      if (from && at && !moved) this.open(at[0], at[1]);
      from = null;
    });
  }

  private keys(): void {
    this.map.addEventListener("keydown", (e) => {
      const grid = this.grid;
      if (!grid || e.ctrlKey || e.altKey || e.metaKey) return;
      const step: Record<string, [number, number]> = {
        ArrowLeft: [-1, 0],
        ArrowRight: [1, 0],
        ArrowUp: [0, 1],
        ArrowDown: [0, -1],
      };
      const s = step[e.key];
      if (s) {
        const at: [number, number] = [
          clamp(this.cursor[0] + s[0], grid.x.length),
          clamp(this.cursor[1] + s[1], grid.y.length),
        ];
        if (e.shiftKey)
          this.choose(
            this.box ? [this.box[0], this.box[1], at[0], at[1]] : [this.cursor[0], this.cursor[1], at[0], at[1]],
          );
        this.point(at);
      } else if (e.key === "Enter") this.open(this.cursor[0], this.cursor[1]);
      else if (e.key === "f" || e.key === "F") this.runBox();
      else if (e.key === "Escape") this.choose(null);
      else return;
      e.preventDefault();
      e.stopPropagation();
    });
  }

  private choose(box: [number, number, number, number] | null): void {
    this.box = box;
    this.finer.disabled = !box || this.running;
    this.dirty = true;
    this.app.touch();
  }

  private point(at: [number, number]): void {
    if (at[0] === this.cursor[0] && at[1] === this.cursor[1] && this.told.textContent) return;
    this.cursor = at;
    this.told.textContent = this.words(at[0], at[1]);
    this.dirty = true;
    this.app.touch();
  }

  private words(i: number, j: number): string {
    const grid = this.grid!;
    const [a, b] = grid.axes;
    const k = grid.at(i, j);
    const f = this.app.figures.find((q) => q.name === this.figure);
    const v = grid.row(this.figure)[k]!;
    const unit = unitText(f?.unit ?? "");
    const what =
      grid.state[k] === 0
        ? "not run"
        : v === v
          ? `${figures(v, 4)}${unit && unit !== "\u2013" ? " " + unit : ""}`
          : "no value: the run failed, or has no such figure";
    return `${a.name} ${figures(grid.x[i], 4)} ${unitText(a.unit)}, ${b.name} ${figures(grid.y[j], 4)} ${unitText(b.unit)}: ${what}`;
  }

  draw(_t: number): void {
    if (!this.dirty || !this.face.fit()) return;
    this.dirty = false;
    const g = this.face.g;
    const c = colours();
    const grid = this.grid;
    if (!grid)
      return text(
        g,
        "Choose two parameters, then Run. Click a cell to open its run.",
        this.face.width / 2,
        this.face.height / 2,
        c.ink3,
        "center",
        TAG_FONT,
      );
    this.x.set(0, grid.x.length, LEFT, this.face.width - RIGHT);
    this.y.set(0, grid.y.length, this.face.height - BOTTOM, TOP);
    const ends = grid.ends(this.figure);
    this.drawCells(grid, ends);
    this.drawNames(grid);
    this.drawMargins(grid, ends);
    this.drawScale(ends);
    this.drawMarks(grid);
  }

  private drawCells(grid: Grid, [low, high]: [number, number]): void {
    const g = this.face.g;
    const c = colours();
    const row = grid.row(this.figure);
    const hits = grid.values.get("collisions");
    for (let i = 0; i < grid.x.length; i++)
      for (let j = 0; j < grid.y.length; j++) {
        const k = grid.at(i, j);
        const v = row[k]!;
        const x = this.x.pixel(i);
        const y = this.y.pixel(j + 1);
        const w = this.x.pixel(i + 1) - x + 0.5;
        const t = this.y.pixel(j) - y + 0.5;
        g.fillStyle =
          grid.state[k] === 0 ? c.sunk : v === v ? fieldColour(high > low ? (v - low) / (high - low) : 0.5) : c.raised;
        g.fillRect(x, y, w, t);
        if (grid.state[k] === 2 || (grid.state[k] === 1 && v !== v)) {
          g.fillStyle = hatch(g, alpha(c.ink3, 0.6));
          g.fillRect(x, y, w, t);
        }
        if (hits && hits[k]! > 0) {
          g.fillStyle = hatch(g, c.danger);
          g.fillRect(x, y, w, t);
        }
      }
  }

  private drawNames(grid: Grid): void {
    const g = this.face.g;
    const c = colours();
    const [a, b] = grid.axes;
    const everyX = Math.max(1, Math.ceil(44 / (this.x.pixel(1) - this.x.pixel(0))));
    const everyY = Math.max(1, Math.ceil(16 / (this.y.pixel(0) - this.y.pixel(1))));
    for (let i = 0; i < grid.x.length; i += everyX)
      text(g, figures(grid.x[i], 3), this.x.pixel(i + 0.5), this.y.a + 11, c.ink3, "center");
    for (let j = 0; j < grid.y.length; j += everyY)
      text(g, figures(grid.y[j], 3), this.x.a - 6, this.y.pixel(j + 0.5), c.ink3, "right");
    text(g, `${a.name}, ${unitText(a.unit)}`, (this.x.a + this.x.b) / 2, this.y.a + 29, c.ink2, "center", BOLD_FONT);
    g.save();
    g.translate(13, (this.y.a + this.y.b) / 2);
    g.rotate(-Math.PI / 2);
    text(g, `${b.name}, ${unitText(b.unit)}`, 0, 0, c.ink2, "center", BOLD_FONT);
    g.restore();
  }

  // Means over rows and columns, as lines beside the map.
  private drawMargins(grid: Grid, [low, high]: [number, number]): void {
    const g = this.face.g;
    const c = colours();
    const over = grid.margin(this.figure, 0);
    const beside = grid.margin(this.figure, 1);
    const u = (v: number) => (high > low ? (v - low) / (high - low) : 0.5);
    const top = TOP - 8;
    const right = this.x.b + 8;
    g.strokeStyle = c.ink2;
    g.lineWidth = 1.6;
    g.beginPath();
    over.forEach((v, i) => {
      if (v === v) g.lineTo(this.x.pixel(i + 0.5), top - 38 * u(v));
    });
    g.stroke();
    g.beginPath();
    beside.forEach((v, j) => {
      if (v === v) g.lineTo(right + 54 * u(v), this.y.pixel(j + 0.5));
    });
    g.stroke();
    line(g, this.x.a, top + 0.5, this.x.b, top + 0.5, c.line2);
    line(g, right + 0.5, this.y.a, right + 0.5, this.y.b, c.line2);
    text(g, "mean", this.x.a - 6, top - 19, c.ink3, "right", AXIS_FONT);
    text(g, "mean", right + 27, this.y.a + 11, c.ink3, "center", AXIS_FONT);
  }

  private drawScale([low, high]: [number, number]): void {
    const g = this.face.g;
    const c = colours();
    const x = this.face.width - 92;
    const top = TOP;
    const tall = Math.min(this.y.a - TOP, 220);
    const f = this.app.figures.find((q) => q.name === this.figure);
    for (let k = 0; k < tall; k++) {
      g.fillStyle = fieldColour(1 - k / (tall - 1));
      g.fillRect(x, top + k, 12, 1.5);
    }
    for (const s of [0, 0.25, 0.5, 0.75, 1])
      text(g, figures(low + s * (high - low), 3), x + 18, top + (1 - s) * tall, c.ink3);
    const unit = unitText(f?.unit ?? "");
    text(g, this.figure.replace(/[._]/g, " "), this.face.width - 10, 16, c.ink, "right", BOLD_FONT);
    text(
      g,
      `${unit === "\u2013" ? "" : unit}${f && f.better ? `  ${f.better < 0 ? "less" : "more"} is better` : ""}`,
      this.face.width - 10,
      32,
      c.ink3,
      "right",
    );
  }

  private drawMarks(grid: Grid): void {
    const g = this.face.g;
    const c = colours();
    const frame = (i: number, j: number, i2: number, j2: number, colour: string, width: number) => {
      const x = this.x.pixel(Math.min(i, i2));
      const y = this.y.pixel(Math.max(j, j2) + 1);
      g.strokeStyle = colour;
      g.lineWidth = width;
      g.strokeRect(x + 0.5, y + 0.5, this.x.pixel(Math.max(i, i2) + 1) - x - 1, this.y.pixel(Math.min(j, j2)) - y - 1);
    };
    if (this.cursor[0] < grid.x.length && this.cursor[1] < grid.y.length)
      (frame(this.cursor[0], this.cursor[1], this.cursor[0], this.cursor[1], c.surface, 4),
        frame(this.cursor[0], this.cursor[1], this.cursor[0], this.cursor[1], c.focus, 2));
    if (this.box) (frame(...this.box, c.surface, 5), frame(...this.box, c.focus, 2.5));
  }

  show(visible: boolean): void {
    if (visible) this.dirty = true;
  }
  destroy(): void {
    for (const off of this.off) off();
    this.host.replaceChildren();
  }
}

function clamp(i: number, n: number): number {
  return Math.min(Math.max(i, 0), n - 1);
}
