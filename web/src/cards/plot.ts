// plot.ts - the Plot card: any quantity of any cars of all shown worlds, against time or against
// another quantity (uPlot).
//
// Drag a box: zoom; double click: back. Shift and drag: the interval that is looped. The playhead
// can be taken and moved; a click sets it, a click on a curve selects its car. A field dropped on
// the card is shown: on the right side as a second quantity with an axis of its own (dashed curves),
// below as what the others are plotted against. The window follows the playhead.
import { platoonColour } from "../scene/colour.ts";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { figures, fixed, text as withUnit, unitText } from "../base/units.ts";
import type { App, Part } from "../core/app.ts";
import { onChange } from "../core/trying.ts";
import { FONT, colours, forgetColours } from "../draw/chart.ts";
import { alpha } from "../draw/paint.ts";
import { h } from "../ui/dom.ts";
import { FIELD_TYPE, droppedField } from "../ui/dragfield.ts";
import { openPopup, selectRow } from "../ui/popup.ts";
import type { CardFrame } from "./card.ts";
import { QUANTITIES, carLabel, channels, quantity, type Quantity } from "./fields.ts";
import { PlotData, chooseLines, valueAt, type Line, type Piece } from "./plotdata.ts";
import { PlotMarks, shortName, type Plotted } from "./plotmarks.ts";

const RIGHT = 40; // px right of the curves for their labels
const MAX_COLUMNS = 2400; // columns
const FAR_SPANS: [string, string][] = [
  ["10", "last 10 s"],
  ["30", "last 30 s"],
  ["60", "last 60 s"],
  ["300", "last 5 min"],
  ["0", "whole run"],
];
const STEPS = Array.from({ length: 13 }, (_, p) =>
  [1, 2, 5].map((f) => Number((f * 10 ** (p - 6)).toPrecision(1))),
).flat(); // between ticks
const CARS: [string, string][] = [
  ["followers", "all that follow"],
  ["all", "all"],
  ["leaders", "leaders"],
  ["selected", "the selected one"],
];

export function makePlot(frame: CardFrame, app: App): Part {
  return new PlotCard(frame, app);
}

class PlotCard implements Part, Plotted {
  private u: uPlot | null = null;
  data = new PlotData(MAX_COLUMNS);
  private q: Quantity = QUANTITIES[0]!;
  xq: Quantity | null = null;
  q2: Quantity | null = null; // on the right axis
  private low2 = -1;
  private high2 = 1;
  private own: Quantity[] = []; // channels of the selected car
  private left = 0; // cars not drawn
  private window: [number, number] = [0, 60];
  private zoom: [number, number, number, number] | null = null; // t or x from, to; y from, to
  low = -1;
  high = 1;
  private drawn = 0; // when, ms
  private loading = false;
  private loadedAt = -1000;
  private wide = 0;
  private tall = 0; // px of the card's body; 0: not to be seen
  private stale = true;
  private chipText = "";
  private readonly head = h("div", {
    class: "pl-head",
    role: "slider",
    tabindex: "0",
    "aria-label": "Playhead",
    "aria-valuenow": "0",
    title: "Drag: moves the playhead",
  });
  private readonly chip = h("span", { class: "pl-chip" });
  private readonly dot = h("i", { class: "pl-dot", "aria-hidden": "true" });
  private readonly tip = h("div", { class: "pl-tip hidden", role: "status" });
  private readonly marks = new PlotMarks(this);
  private readonly off: (() => void)[] = [];
  private readonly title: HTMLButtonElement;

  constructor(
    private readonly frame: CardFrame,
    readonly app: App,
  ) {
    this.title = h("button", {
      class: "cd-choice",
      type: "button",
      "aria-haspopup": "dialog",
      title: "What is plotted: quantity, cars, x axis, window",
    });
    frame.title.replaceChildren(this.title);
    this.title.addEventListener("click", () => void this.settings());
    Object.assign(frame.body, { plot: this }); // for those who look: tests
    this.listen();
    this.choose();
  }

  // ---- what is plotted ---------------------------------------------------------------------------

  private get difference(): boolean {
    return this.app.option<boolean>("difference") === true && this.app.shown().length > 1;
  }
  private find(name: string): Quantity {
    return this.own.find((q) => q.name === name) ?? quantity(name);
  }

  private choose(): void {
    const kept = this.frame.kept;
    this.q = this.find(kept.field ?? "spacing_error");
    this.xq = kept.x && kept.x !== "time" ? this.find(kept.x) : null;
    const { lines, left } = chooseLines(this.app, kept.cars ?? "followers", this.difference);
    this.left = left;
    this.q2 =
      kept.second && kept.second !== "none" && kept.second !== this.q.name && !this.xq ? this.find(kept.second) : null;
    this.data.second = this.q2;
    this.data.take(this.withSecond(lines), this.xq !== null);
    this.zoom = null;
    this.name();
    this.build();
    this.stale = true;
  }

  // The same cars again for the right axis.
  private withSecond(lines: Line[]): Line[] {
    return this.q2 ? [...lines, ...lines.map((l) => ({ ...l, second: true }))] : lines;
  }
  private scaleOf(i: number): "y" | "y2" {
    return this.data.lines[i]!.second ? "y2" : "y";
  }
  private quantityOf(i: number): Quantity {
    return this.data.lines[i]!.second && this.q2 ? this.q2 : this.q;
  }

  // A world changed: other cars mean other curves, anything else other values.
  private check(): void {
    const { lines } = chooseLines(this.app, this.frame.kept.cars ?? "followers", this.difference);
    if (JSON.stringify(this.withSecond(lines)) === JSON.stringify(this.data.lines)) {
      this.stale = true;
      this.name();
    } else this.choose();
  }

  private name(): void {
    const worlds = this.app.shown();
    const minus = this.difference
      ? `, ${this.app.letter(worlds[1]!.world)} \u2212 ${this.app.letter(worlds[0]!.world)}`
      : "";
    this.title.textContent = this.q.title + (this.q2 ? ` and ${this.q2.title.toLowerCase()}` : "") + minus;
    const unit = unitText(this.q.unit);
    const against = this.xq ? ` against ${this.xq.symbol}, ${unitText(this.xq.unit)}` : "";
    const axes = this.q2 ? `${unit}; right ${unitText(this.q2.unit)}` : `${this.q.symbol}, ${unit}`;
    this.frame.note.title = this.q2
      ? `left: ${this.q.symbol}, ${unit}; right, dashed: ${this.q2.symbol}, ${unitText(this.q2.unit)}`
      : "";
    this.frame.note.textContent = `${axes}${against}${this.left ? ` (${this.left} cars not drawn)` : ""}`;
  }

  private async settings(): Promise<void> {
    const kept = this.frame.kept;
    const s = this.app.selection;
    if (s && !this.own.length) this.own = await channels(this.app, s.world, s.vehicle);
    const all = [...QUANTITIES, ...this.own].map((q): [string, string] => [
      q.name,
      `${q.title}${q.unit ? ", " + unitText(q.unit) : ""}`,
    ]);
    const cars = this.app.shown()[0]?.vehicles.map((v): [string, string] => [v.name, v.name]) ?? [];
    const set = (name: string, value: string) => {
      kept[name] = name === "cars" && cars.some(([c]) => c === value) ? [value] : value;
      this.frame.keep();
      this.choose();
    };
    openPopup(
      this.title,
      "What is plotted",
      selectRow("Quantity", this.q.name, all, (v) => set("field", v)),
      selectRow(
        "Second",
        kept.second ?? "none",
        [["none", "none"], ...all],
        (v) => set("second", v),
        "On an axis of its own at the right, dashed; against time only",
      ),
      selectRow("Against", kept.x ?? "time", [["time", "time, s"], ...all], (v) => set("x", v)),
      selectRow("Cars", Array.isArray(kept.cars) ? kept.cars[0] : (kept.cars ?? "followers"), [...CARS, ...cars], (v) =>
        set("cars", v),
      ),
      selectRow("Window", String(kept.span ?? 60), FAR_SPANS, (v) => {
        kept.span = Number(v);
        this.frame.keep();
        this.zoom = null;
        this.stale = true;
      }),
    );
  }

  // ---- uPlot -------------------------------------------------------------------------------------

  private build(): void {
    this.u?.destroy();
    this.low2 = Infinity;
    this.high2 = -Infinity;
    const body = this.frame.body;
    const size = { width: Math.max(body.clientWidth, 40), height: Math.max(body.clientHeight, 40) };
    const room = (_u: uPlot, words: string[] | null) =>
      Math.max(38, 10 + 5.5 * Math.max(0, ...(words ?? []).map((w) => w.length)));
    const axis = {
      stroke: () => colours().ink3,
      font: `9.5px ${FONT}`,
      grid: { stroke: () => colours().line, width: 1 },
      ticks: { show: false },
      incrs: STEPS,
    };
    const options: uPlot.Options = {
      ...size,
      mode: this.xq ? 2 : 1,
      legend: { show: false },
      padding: [10, this.q2 ? 4 : RIGHT, 0, 0],
      scales: {
        x: { time: false, auto: false, range: () => this.rangeX() },
        y: { auto: false, range: () => [this.low, this.high] },
        ...(this.q2 ? { y2: { auto: false, range: (): [number, number] => [this.low2, this.high2] } } : {}),
      },
      axes: [
        {
          ...axis,
          size: 22,
          gap: 4,
          space: 56,
          grid: { show: false },
          values: (_u, ticks) => ticks.map((t) => `${tick(t, ticks)} ${this.xq ? "" : "s"}`.trim()),
        },
        { ...axis, size: room, gap: 6, space: 28, values: (_u, ticks) => ticks.map((t) => tick(t, ticks)) },
        ...(this.q2
          ? [
              {
                ...axis,
                scale: "y2",
                side: 1 as const,
                size: room,
                gap: 6,
                space: 28,
                grid: { show: false },
                values: (_u: uPlot, ticks: number[]) => ticks.map((t) => tick(t, ticks)),
              },
            ]
          : []),
      ],
      series: [
        this.xq ? (null as unknown as uPlot.Series) : {},
        ...this.data.lines.map((line, i) => this.series(line, i)),
      ],
      cursor: {
        y: false,
        points: { show: false },
        drag: { x: true, y: true, uni: 24, dist: 6, setScale: false },
        bind: {
          dblclick: () => () => {
            this.zoom = null;
            this.stale = true;
            return null;
          },
        },
      },
      hooks: {
        drawClear: [(u) => apart(u, () => this.marks.under(u))],
        draw: [(u) => apart(u, () => this.marks.over(u))],
        setSelect: [(u) => this.selected(u)],
        setCursor: [(u) => this.hover(u)],
      },
    };
    if (this.xq)
      options.series = [
        {},
        ...this.data.lines.map((line, i) => ({
          ...this.series(line, i),
          facets: [
            { scale: "x", auto: false },
            { scale: "y", auto: false },
          ],
        })),
      ];
    this.u = new uPlot(options, this.table(), body);
    this.u.over.append(this.head, this.dot);
    this.head.append(this.chip);
    body.append(this.tip);
    this.head.classList.toggle("hidden", this.xq !== null);
    this.click(this.u.over);
  }

  private table(): uPlot.AlignedData {
    const d = this.data;
    if (!this.xq) return [d.x, ...d.y] as unknown as uPlot.AlignedData;
    return [null, ...d.y.map((y, i) => [d.across[i], y])] as unknown as uPlot.AlignedData;
  }

  private series(line: Line, i: number): uPlot.Series {
    return {
      label: carLabel(this.app, line.world, line.name),
      scale: line.second ? "y2" : "y",
      width: 1.1,
      points: { show: false },
      ...(line.second ? { dash: [4, 3] } : {}),
      stroke: () => this.strokeOf(line),
      paths: (u) => this.path(u, i),
    };
  }

  private strokeOf(line: Line): string {
    const colour = platoonColour(this.app, line.world, line.platoon);
    const s = this.app.selection;
    return s && s.vehicle === line.name ? colour : alpha(colour, 0.75);
  }

  // One curve as a path; no values leave a gap.
  private path(u: uPlot, i: number): uPlot.Series.Paths {
    const d = this.data;
    const y = d.y[i];
    // A plot of other curves may still be drawn before it is built again.
    if (!y || !d.lines[i]) return pathsOf(new Path2D());
    const x = this.xq ? d.across[i]! : d.x;
    const sx = u.scales.x!;
    const sy = u.scales[this.scaleOf(i)]!;
    const box = u.bbox;
    const kx = box.width / (sx.max! - sx.min!);
    const ky = box.height / (sy.max! - sy.min!);
    const path = new Path2D();
    const [first, last] = this.visible();
    let pen = false;
    for (let k = first; k <= last; k++) {
      const px = box.left + (x[k]! - sx.min!) * kx;
      const py = box.top + box.height - (y[k]! - sy.min!) * ky;
      if (!(px === px && py === py)) {
        pen = false;
        continue;
      }
      if (pen) path.lineTo(px, py);
      else path.moveTo(px, py);
      pen = true;
    }
    return pathsOf(path);
  }

  // Columns of the window, one more at either end.
  visible(): [number, number] {
    const d = this.data;
    const [from, to] = this.times();
    let first = 0;
    let last = d.n - 1;
    while (first < last && d.x[first + 1]! < from) first++;
    while (last > first && d.x[last - 1]! > to) last--;
    return [first, last];
  }

  private times(): [number, number] {
    return this.zoom && !this.xq ? [this.zoom[0], this.zoom[1]] : this.window;
  }
  private rangeX(): [number, number] {
    if (!this.xq) return this.times();
    if (this.zoom) return [this.zoom[0], this.zoom[1]];
    return padded(this.extent(this.data.across));
  }

  private extent(rows: Float64Array[]): [number, number] {
    let low = Infinity;
    let high = -Infinity;
    const [first, last] = this.visible();
    for (const row of rows)
      for (let k = first; k <= last; k++) {
        const v = row[k]!;
        if (v < low) low = v;
        if (v > high) high = v;
      }
    return low <= high ? [low, high] : [-1, 1];
  }

  // The y axis grows at once, and shrinks only when less than half of it is used.
  private fitY(): void {
    if (this.zoom && this.zoom[3] > this.zoom[2]) {
      this.low = this.zoom[2];
      this.high = this.zoom[3];
      return;
    }
    if (this.q2) this.fitRight();
    const [low, high] = padded(this.extent(this.q2 ? this.data.y.slice(0, this.data.y.length / 2) : this.data.y));
    const used = high - low;
    const have = this.high - this.low;
    if (low < this.low || high > this.high || used < 0.6 * have) {
      this.low = low;
      this.high = high;
    }
  }

  private fitRight(): void {
    const [low, high] = padded(this.extent(this.data.y.slice(this.data.y.length / 2)));
    if (low < this.low2 || high > this.high2 || high - low < 0.6 * (this.high2 - this.low2)) {
      this.low2 = low;
      this.high2 = high;
    }
  }

  // ---- pointer -----------------------------------------------------------------------------------

  private selected(u: uPlot): void {
    const s = { ...u.select }; // uPlot's own is emptied below
    if (s.width < 6 && s.height < 6) return;
    const from = u.posToVal(s.left, "x");
    const to = u.posToVal(s.left + s.width, "x");
    const y0 = u.posToVal(s.top + s.height, "y");
    const y1 = u.posToVal(s.top, "y");
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    if (this.shift && !this.xq) {
      this.app.clock.setLoop(Math.max(from, this.app.clock.start), Math.min(to, this.app.clock.end));
    } else {
      const whole = s.height >= u.over.clientHeight - 2;
      this.zoom = s.width < 6 ? [...this.rangeX(), y0, y1] : [from, to, whole ? 0 : y0, whole ? 0 : y1];
    }
    this.stale = true;
  }
  private shift = false;

  private click(over: HTMLElement): void {
    let x = 0;
    let y = 0;
    over.addEventListener("pointerdown", (e) => {
      x = e.clientX;
      y = e.clientY;
      this.shift = e.shiftKey;
      over.classList.add("pl-boxing"); // a box may be drawn across the playhead
      window.addEventListener("pointerup", () => over.classList.remove("pl-boxing"), { once: true });
    });
    over.addEventListener("click", (e) => {
      if (Math.hypot(e.clientX - x, e.clientY - y) > 4 || !this.u) return;
      const r = over.getBoundingClientRect();
      const i = this.nearest(e.clientX - r.left, e.clientY - r.top, 5);
      if (i >= 0) this.app.select(this.data.lines[i]!.world, this.data.lines[i]!.name);
      else if (!this.xq) this.app.clock.seek(this.u.posToVal(e.clientX - r.left, "x"));
    });
    over.addEventListener("pointerleave", () => this.tip.classList.add("hidden"));
  }

  // Curve within `reach` pixels of a place; -1: none.
  private nearest(px: number, py: number, reach: number): number {
    const u = this.u!;
    const t = u.posToVal(px, "x");
    let best = -1;
    let closest = reach;
    for (let i = 0; i < this.data.lines.length; i++) {
      const far = this.xq ? this.farFrom(i, px, py) : Math.abs(u.valToPos(this.data.at(i, t), this.scaleOf(i)) - py);
      if (far < closest) {
        closest = far;
        best = i;
      }
    }
    return best;
  }
  private farFrom(i: number, px: number, py: number): number {
    const u = this.u!;
    const [first, last] = this.visible();
    let closest = Infinity;
    for (let k = first; k <= last; k++)
      closest = Math.min(
        closest,
        Math.hypot(u.valToPos(this.data.across[i]![k]!, "x") - px, u.valToPos(this.data.y[i]![k]!, "y") - py),
      );
    return closest;
  }

  private hover(u: uPlot): void {
    const { left, top } = u.cursor;
    if (left === undefined || top === undefined || left < 0) return this.tip.classList.add("hidden");
    const i = this.nearest(left, top, 12);
    this.tip.classList.toggle("hidden", i < 0);
    if (i < 0) return;
    const x = u.posToVal(left, "x");
    const y = this.xq ? u.posToVal(top, "y") : this.data.at(i, x);
    this.tip.textContent = `${carLabel(this.app, this.data.lines[i]!.world, this.data.lines[i]!.name)}  ${withUnit(y, this.quantityOf(i).unit)} at ${this.xq ? withUnit(x, this.xq.unit) : fixed(x, 2) + " s"}`;
    const host = this.frame.body.getBoundingClientRect();
    const over = u.over.getBoundingClientRect();
    this.tip.style.left = Math.min(over.left - host.left + left + 10, host.width - this.tip.offsetWidth - 4) + "px";
    this.tip.style.top = Math.max(over.top - host.top + top - 24, 0) + "px";
  }

  private takeHead(): void {
    this.head.addEventListener("pointerdown", (e) => {
      e.stopPropagation();
      e.preventDefault();
      this.head.focus({ preventScroll: true });
      this.head.setPointerCapture(e.pointerId);
      const move = (m: PointerEvent) => {
        if (this.u) this.app.clock.seek(this.u.posToVal(m.clientX - this.u.over.getBoundingClientRect().left, "x"));
      };
      this.head.addEventListener("pointermove", move);
      this.head.addEventListener("lostpointercapture", () => this.head.removeEventListener("pointermove", move), {
        once: true,
      });
    });
    this.head.addEventListener("mousedown", (e) => e.stopPropagation()); // uPlot would start a box
    this.head.addEventListener("click", (e) => e.stopPropagation());
    this.head.addEventListener("keydown", (e) => {
      const way = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0;
      if (!way) return;
      e.preventDefault();
      e.stopPropagation();
      if (e.shiftKey) this.app.clock.seek(this.app.clock.t + way);
      else this.app.clock.step(way);
    });
  }

  // Where a field is dropped says what it becomes; the places are shown while it is over the card.
  private takeDrops(): void {
    const card = this.frame.body.parentElement!;
    const places = (["field", "second", "x"] as const).map((role, k) =>
      h("div", { class: `pl-place pl-${role}`, "data-role": role }, ["Quantity", "Second", "Against"][k]!),
    );
    const veil = h("div", { class: "pl-places hidden", "aria-hidden": "true" }, ...places);
    card.append(veil);
    const over = (e: DragEvent): "field" | "second" | "x" => {
      const r = card.getBoundingClientRect();
      const x = (e.clientX - r.left) / r.width;
      const y = (e.clientY - r.top) / r.height;
      return y > 0.76 ? "x" : x > 0.64 ? "second" : "field";
    };
    const leave = () => {
      card.classList.remove("cd-drop");
      veil.classList.add("hidden");
    };
    card.addEventListener("dragover", (e) => {
      if (!e.dataTransfer?.types.includes(FIELD_TYPE) && droppedField(e) === null) return;
      e.preventDefault();
      card.classList.add("cd-drop");
      veil.classList.remove("hidden");
      for (const p of places) p.classList.toggle("on", p.dataset.role === over(e));
    });
    card.addEventListener("dragleave", (e) => {
      if (!card.contains(e.relatedTarget as Node)) leave();
    });
    card.addEventListener("drop", (e) => {
      const name = droppedField(e);
      const role = over(e);
      leave();
      if (!name) return;
      e.preventDefault();
      e.stopPropagation();
      void this.take(role, name);
    });
  }

  // A channel that only the selected car has is listed in its card.
  private async take(role: "field" | "second" | "x", name: string): Promise<void> {
    const s = this.app.selection;
    const kept = this.frame.kept;
    if (s && !QUANTITIES.some((q) => q.name === name) && !this.own.length)
      this.own = await channels(this.app, s.world, s.vehicle);
    if (role === "second") kept.x = "time";
    kept[role] = name;
    this.frame.keep();
    this.choose();
    this.app.speak(`${this.title.textContent} plotted`);
  }

  // ---- life --------------------------------------------------------------------------------------

  private listen(): void {
    const on = this.app.on.bind(this.app);
    this.off.push(
      on("worlds", () => this.choose()),
      on("world", () => this.check()),
      on("state", (d) => {
        if (d?.option === "difference") this.choose();
      }),
      on("select", () => {
        this.own = [];
        if ((this.frame.kept.cars ?? "") === "selected") this.choose();
        else this.redraw();
      }),
      onChange(this.app, () => {
        this.stale = true;
      }),
      on("clock", () => this.checkLoop()),
      on("theme", () => {
        forgetColours();
        this.redraw();
      }),
    );
    const size = new ResizeObserver(() => {
      const b = this.frame.body;
      this.tall = b.clientHeight;
      this.wide = b.clientWidth;
      if (b.clientWidth > 40 && b.clientHeight > 40) this.u?.setSize({ width: b.clientWidth, height: b.clientHeight });
    });
    size.observe(this.frame.body);
    this.off.push(() => size.disconnect());
    this.takeHead();
    this.takeDrops();
  }

  private loopDrawn = "";
  private checkLoop(): void {
    const c = this.app.clock;
    const now = c.loop ? `${c.loop[0]} ${c.loop[1]} ${c.loopOn}` : "";
    if (now !== this.loopDrawn) {
      this.loopDrawn = now;
      this.redraw();
    }
  }
  private redraw(): void {
    this.u?.redraw(true, false);
  }

  draw(t: number): void {
    if (!this.u || !this.tall) return;
    const moved = this.follow(t);
    const now = performance.now();
    const grew = this.data.append(this.app, Math.min(this.app.clock.end, this.window[1]), this.q, this.xq);
    if (moved || grew || this.stale || this.missing() !== null) this.refresh(now);
    if (this.xq) this.placeDot(t);
    else this.placeHead(t);
  }

  private refresh(now: number): void {
    const reload = this.stale || this.window[0] < this.data.from - 1e-6 || this.desiredStep() > 2.2 * this.data.step; // the window grew: coarser columns do
    const piece = reload ? null : this.missing();
    if (reload) this.load();
    else if (piece) this.fetch(piece);
    if (now - this.drawn < 60 && !this.stale) return; // 16 a second is enough for curves that grow
    this.drawn = now;
    this.refreshData();
  }

  private missing(): Piece | null {
    return this.data.missing(this.app, Math.min(this.app.clock.end, this.times()[1]), this.q);
  }
  private fetch(piece: Piece): void {
    const now = performance.now();
    if (this.loading || now - this.loadedAt < 200) {
      this.app.touch(300);
      return;
    }
    this.loading = true;
    this.loadedAt = now;
    this.data
      .fetch(this.app, this.q, this.xq, piece)
      .then((ok) => {
        if (ok) {
          this.refreshData();
          this.app.touch();
        }
      })
      .catch((e: Error) => {
        this.frame.note.textContent = e.message;
      })
      .finally(() => {
        this.loading = false;
      });
  }
  // Interval between columns, s: two per pixel, and a spare quarter at either side.
  private desiredStep(): number {
    const [from, to] = this.times();
    return (1.5 * (to - from)) / Math.min(1200, Math.max(200, 2 * this.wide));
  }

  // The window ends where the simulation does, and goes back with the playhead. True: it changed.
  private follow(t: number): boolean {
    const clock = this.app.clock;
    const span = this.frame.kept.span ?? 60;
    let from = clock.start;
    let to = Math.max(clock.end, clock.start + 5);
    if (span > 0) {
      const wide = Math.min(span, Math.max(clock.end - clock.start, 10)); // grows with the run
      to = Math.max(clock.end, clock.start + wide);
      if (t < to - wide) to = Math.max(t + 0.5 * wide, clock.start + wide);
      if (
        !clock.live &&
        t >= this.window[0] &&
        t <= this.window[1] &&
        Math.abs(this.window[1] - this.window[0] - wide) < 1e-9 &&
        this.window[1] <= to + wide
      )
        return false;
      from = to - wide;
    }
    if (from === this.window[0] && to === this.window[1]) return false;
    this.window = [from, to];
    return true;
  }

  private load(): void {
    const now = performance.now();
    if (this.loading || now - this.loadedAt < 200) {
      this.stale = true;
      this.app.touch(300);
      return;
    } // asked again soon
    this.loading = true;
    this.stale = false;
    this.loadedAt = now;
    const [from, to] = this.times();
    const spare = 0.25 * (to - from);
    const start = Math.max(this.app.clock.start, from - spare);
    const end = Math.min(this.app.clock.end, to + spare);
    this.data
      .load(this.app, this.q, this.xq, start, end, this.desiredStep())
      .then((ok) => {
        if (ok) {
          this.refreshData();
          this.app.touch();
        }
      })
      .catch((e: Error) => {
        this.frame.note.textContent = e.message;
      })
      .finally(() => {
        this.loading = false;
      });
  }
  private refreshData(): void {
    if (!this.u) return;
    this.fitY();
    const [from, to] = this.rangeX();
    this.u.batch(() => {
      this.u!.setData(this.table(), false);
      this.u!.setScale("x", { min: from, max: to });
      this.u!.setScale("y", { min: this.low, max: this.high });
      if (this.q2) this.u!.setScale("y2", { min: this.low2, max: this.high2 });
    });
  }

  private placeHead(t: number): void {
    const u = this.u!;
    const [from, to] = this.times();
    const inside = t >= from && t <= to;
    this.head.classList.toggle("hidden", !inside);
    const x = u.valToPos(t, "x");
    this.head.style.transform = `translateX(${x}px)`;
    this.head.classList.toggle("pl-left", x > u.bbox.width / uPlot.pxRatio - 90);
    const s = this.app.selection;
    const line = s ? this.data.lines.findIndex((l) => l.name === s.vehicle && l.world === s.world) : -1;
    const value = line < 0 ? NaN : this.valueAtHead(line, t);
    this.dot.classList.toggle("hidden", !inside || value !== value);
    this.chip.classList.toggle("hidden", value !== value);
    if (value !== value) return;
    const y = u.valToPos(value, "y");
    this.dot.style.transform = `translate(${x}px,${y}px)`;
    this.dot.style.borderColor = this.strokeOf(this.data.lines[line]!);
    const second = this.q2 ? this.data.at(line + this.data.lines.length / 2, t) : NaN;
    const words = `${shortName(this, line)} ${withUnit(value, this.q.unit)}${second === second ? `, ${withUnit(second, this.q2!.unit)}` : ""}`;
    if (words !== this.chipText) {
      this.chipText = words;
      this.chip.textContent = words;
      this.head.setAttribute("aria-valuetext", `${fixed(t, 2)} s, ${words}`);
      this.head.setAttribute("aria-valuenow", fixed(t, 2));
    }
  }
  // Against another quantity there is no line at the playhead, only the selected car's point.
  private placeDot(t: number): void {
    const u = this.u!;
    const s = this.app.selection;
    const line = s ? this.data.lines.findIndex((l) => l.name === s.vehicle && l.world === s.world) : -1;
    const l = this.data.lines[line];
    const x = l && this.xq ? valueAt(this.app, l.world, l.id, t, this.xq) : NaN;
    const y = l ? this.valueAtHead(line, t) : NaN;
    const there = x === x && y === y;
    this.dot.classList.toggle("hidden", !there);
    if (!there) return;
    this.dot.style.transform = `translate(${u.valToPos(x, "x")}px,${u.valToPos(y, "y")}px)`;
    this.dot.style.borderColor = this.strokeOf(l!);
  }

  private valueAtHead(i: number, t: number): number {
    const line = this.data.lines[i]!;
    if (!this.q.of) return this.data.at(i, t);
    const own = valueAt(this.app, line.world, line.id, t, this.q);
    return line.minus >= 0 ? own - valueAt(this.app, line.minus, line.id, t, this.q) : own;
  }

  destroy(): void {
    for (const off of this.off) off();
    this.u?.destroy();
  }
}

// uPlot remembers the font and colours it has set: what a hook sets must not stay.
function apart(u: uPlot, paint: () => void): void {
  u.ctx.save();
  paint();
  u.ctx.restore();
}

function tick(value: number, all: number[]): string {
  const step = all.length > 1 ? Math.abs(all[1]! - all[0]!) : 1;
  return step >= 1e6 ? figures(value, 3) : fixed(value, Math.min(6, Math.max(0, -Math.floor(Math.log10(step) + 1e-9))));
}

function padded([low, high]: [number, number]): [number, number] {
  const span = Math.max(high - low, 1e-3 * Math.max(Math.abs(low), Math.abs(high)), 4e-3);
  const middle = 0.5 * (low + high); // less has no room for its figures
  return [middle - 0.58 * span, middle + 0.58 * span];
}

const pathsOf = (stroke: Path2D): uPlot.Series.Paths =>
  ({ stroke, fill: null, clip: null, band: null, gaps: null, flags: 1 }) as unknown as uPlot.Series.Paths;
