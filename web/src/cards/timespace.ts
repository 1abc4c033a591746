// timespace.ts - the time-space diagram: where every car was, and when. One line per car; its
// colour is the error, the speed, or the world. It is a card of the row, and a view of its own.
//
// Wheel: zoom at the pointer (Shift: time only); drag: pan; double click: everything; click: moves
// the playhead there, or selects the car whose line it is on. "Less a steady speed" shears the
// picture, so that a moving platoon stays in it and waves stand out.
import { figures, fixed, text as withUnit, unitText } from "../base/units.ts";
import type { App, Part } from "../core/app.ts";
import { onChange } from "../core/trying.ts";
import {
  Axis,
  BOLD_FONT,
  Face,
  colours,
  drawGrid,
  fieldColour,
  signedLine,
  spread,
  text,
  watch,
} from "../draw/chart.ts";
import { h } from "../ui/dom.ts";
import { openPopup, selectRow } from "../ui/popup.ts";
import type { CardFrame } from "./card.ts";
import { carLabel, quantity, type Quantity } from "./fields.ts";
import { PlotData, chooseLines, type Piece } from "./plotdata.ts";

const COLOURS: [string, string][] = [
  ["spacing_error", "spacing error"],
  ["v", "speed"],
  ["a", "acceleration"],
  ["world", "world"],
];
const POSITION = quantity("middle");
const DASHES: number[][] = [[], [6, 3], [2, 3], [8, 3, 2, 3]];

export function makeTimeSpace(frame: CardFrame, app: App): Part {
  return new TimeSpace(frame, app, "mean");
}

// The whole view: the same diagram with a bar of its own.
export function mountTimeSpace(host: HTMLElement, app: App): Part {
  const title = h("h2", { class: "cd-title" }, "Time\u2013space");
  const note = h("span", { class: "cd-note" });
  const pills = h("span", { class: "cd-pills" });
  const body = h("div", { class: "cd-body" });
  host.append(h("header", { class: "cd-head ts-head" }, title, note, pills), body);
  const kept = app.option<Record<string, unknown>>("timespace") ?? {};
  return new TimeSpace(
    {
      title,
      note,
      pills,
      body,
      kept,
      keep: () => {
        app.option("timespace", { ...kept });
      },
    },
    app,
    "no",
  );
}

const SEED = 60; // columns that are drawn at once, before the server has answered

class TimeSpace implements Part {
  private readonly face: Face;
  private readonly data = new PlotData(1600);
  private shade: Quantity | null = null;
  private reach = 1; // of the colours: maximum |error|, or the range of speeds below
  private ends: [number, number] = [0, 1];
  private view: { t: [number, number]; s: [number, number] } | null = null; // null: everything
  private dirty = true;
  private loading = false;
  private loadedEnd = -1;
  private loadedAt = 0;
  private paintedAt = 0;
  private drift = 0; // m/s, taken off
  private readonly x = new Axis(0, 1, 0, 1);
  private readonly y = new Axis(0, 1, 0, 1);
  private readonly head = h("div", { class: "ts-line", "aria-hidden": "true" });
  private readonly title: HTMLButtonElement;
  private readonly off: (() => void)[] = [];

  constructor(
    private readonly frame: CardFrame,
    private readonly app: App,
    private readonly steady: "no" | "mean",
  ) {
    this.face = new Face(frame.body, "Time-space diagram");
    frame.body.append(this.head);
    this.title = h(
      "button",
      { class: "cd-choice", type: "button", "aria-haspopup": "dialog", title: "Colour, cars, steady speed, window" },
      "Time\u2013space",
    );
    frame.title.replaceChildren(this.title);
    this.title.addEventListener("click", () => this.settings());
    const again = () => {
      this.dirty = true;
    };
    this.off.push(
      watch(app, frame.body, again),
      app.on("worlds", () => this.choose()),
      app.on("world", () => this.choose()),
      app.on("select", again),
      onChange(app, () => {
        this.loadedEnd = -1;
      }),
    );
    this.pointer();
    this.choose();
  }

  private get less(): string {
    return (this.frame.kept.less as string | undefined) ?? this.steady;
  }

  private settings(): void {
    const kept = this.frame.kept;
    const set = (name: string) => (value: string) => {
      kept[name] = value;
      this.frame.keep();
      this.view = null;
      this.choose();
    };
    openPopup(
      this.title,
      "Time-space diagram",
      selectRow("Colour by", kept.colour ?? "spacing_error", COLOURS, set("colour")),
      selectRow(
        "Cars",
        kept.cars ?? "all",
        [
          ["all", "all"],
          ["followers", "all that follow"],
          ["leaders", "leaders"],
        ],
        set("cars"),
      ),
      selectRow(
        "Position",
        this.less,
        [
          ["no", "from the road's start"],
          ["mean", "less a steady speed"],
        ],
        set("less"),
      ),
      selectRow(
        "Window",
        kept.span ?? "60",
        [
          ["20", "last 20 s"],
          ["60", "last 60 s"],
          ["300", "last 5 min"],
          ["0", "whole run"],
        ],
        set("span"),
      ),
    );
  }

  private choose(): void {
    const name = (this.frame.kept.colour as string | undefined) ?? "spacing_error";
    this.shade = name === "world" ? null : quantity(name);
    const { lines, left } = chooseLines(this.app, (this.frame.kept.cars as string | undefined) ?? "all", false, 60);
    this.data.take(lines, this.shade !== null);
    this.frame.note.textContent = `position over time${this.shade ? `, colour: ${COLOURS.find((c) => c[0] === name)![1]}` : ""}${left ? ` (${left} cars not drawn)` : ""}`;
    this.loadedEnd = -1;
    this.dirty = true;
  }

  private span(): [number, number] {
    const clock = this.app.clock;
    const span = Number(this.frame.kept.span ?? 60);
    if (!span) return [clock.start, Math.max(clock.end, clock.start + 1)];
    let to = Math.max(clock.end, clock.start + span);
    if (clock.t < to - span) to = Math.max(clock.t + span / 2, clock.start + span);
    return [to - span, to];
  }

  private load(): void {
    if (this.loading || !this.data.lines.length) return;
    this.loading = true;
    const [from, to] = this.view?.t ?? this.span();
    const clock = this.app.clock;
    this.loadedEnd = clock.end;
    this.loadedAt = performance.now();
    if (!this.data.n) {
      this.data.seed(this.app, POSITION, this.shade, Math.max(clock.start, from), Math.min(clock.end, to), SEED);
      this.measure();
      this.dirty = true;
    }
    this.data
      .load(
        this.app,
        POSITION,
        this.shade,
        Math.max(clock.start, from),
        Math.min(clock.end, to),
        this.desiredStep(from, to),
      )
      .then(() => {
        this.measure();
        this.dirty = true;
        this.app.touch();
      })
      .catch((e: Error) => {
        this.frame.note.textContent = e.message;
      })
      .finally(() => {
        this.loading = false;
      });
  }

  private fetch(piece: Piece): void {
    if (this.loading) return;
    this.loading = true;
    this.loadedAt = performance.now();
    this.data
      .fetch(this.app, POSITION, this.shade, piece)
      .then(() => {
        this.measure();
        this.dirty = true;
        this.app.touch();
      })
      .catch((e: Error) => {
        this.frame.note.textContent = e.message;
      })
      .finally(() => {
        this.loading = false;
      });
  }
  private desiredStep(from: number, to: number): number {
    return (to - from) / (this.data.lines.length > 24 ? 400 : 1200);
  }

  // Ends of the colours, and the speed that is taken off.
  private measure(): void {
    let reach = 0;
    let low = Infinity;
    let high = -Infinity;
    let first = NaN;
    let last = NaN;
    for (const row of this.data.across)
      for (let k = 0; k < this.data.n; k++) {
        const v = row[k]!;
        if (Math.abs(v) > reach) reach = Math.abs(v);
        if (v < low) low = v;
        if (v > high) high = v;
      }
    const lead = this.data.y[0];
    if (lead)
      for (let k = 0; k < this.data.n; k++)
        if (lead[k] === lead[k]) {
          if (first !== first) first = k;
          last = k;
        }
    const dt = lead && last > first ? this.data.x[last]! - this.data.x[first]! : 0;
    this.drift = this.less === "mean" && dt > 0 ? (lead![last]! - lead![first]!) / dt : 0;
    this.reach = Math.max(reach, 1e-3);
    this.ends = low < high ? [low, high] : [0, 1];
  }

  private place(t: number, s: number): number {
    return s - this.drift * (t - this.x.from);
  }

  draw(t: number): void {
    if (!this.face.canvas.clientHeight) return;
    const clock = this.app.clock;
    const [from, to] = this.view?.t ?? this.span();
    const old = performance.now() - this.loadedAt > 300;
    const piece = this.data.missing(this.app, Math.min(clock.end, to), POSITION);
    if (
      this.loadedEnd < 0 ||
      (old && (from < this.data.from - 0.01 || this.desiredStep(from, to) > 2.2 * this.data.step))
    )
      this.load();
    else if (piece && old) this.fetch(piece);
    if (piece) this.app.touch(600); // looked at again soon
    if (
      performance.now() - this.paintedAt > 100 &&
      this.data.append(this.app, Math.min(clock.end, to), POSITION, this.shade)
    )
      this.dirty = true;
    if (this.x.from !== from || this.x.to !== to) this.dirty = true;
    if (this.dirty && this.face.fit()) {
      this.dirty = false;
      this.paintedAt = performance.now();
      this.paint(from, to);
    }
    const px = this.x.pixel(t);
    const inside = px >= this.x.a && px <= this.x.b;
    this.head.classList.toggle("hidden", !inside);
    if (inside) this.head.style.transform = `translateX(${px}px)`;
  }

  private paint(from: number, to: number): void {
    const g = this.face.g;
    const left = 52;
    const right = this.face.width - 92;
    const top = 10;
    const bottom = this.face.height - 24;
    this.x.set(from, to, left, right);
    const [low, high] = this.view?.s ?? this.extent();
    this.y.set(low, high, bottom, top);
    drawGrid(g, this.x, this.y, "s", 32, "m");
    g.save();
    g.beginPath();
    g.rect(left, top, right - left, bottom - top);
    g.clip();
    for (let i = 0; i < this.data.lines.length; i++) this.paintLine(i);
    g.restore();
    this.head.style.top = top + "px";
    this.head.style.height = bottom - top + "px";
    this.paintEnds(right, top, bottom);
    this.paintScale(right + 50, top, bottom);
  }

  private extent(): [number, number] {
    let low = Infinity;
    let high = -Infinity;
    for (const row of this.data.y)
      for (let k = 0; k < this.data.n; k++) {
        const v = this.place(this.data.x[k]!, row[k]!);
        if (v < low) low = v;
        if (v > high) high = v;
      }
    const pad = 0.04 * (high - low);
    return low < high ? [low - pad, high + pad] : [0, 100];
  }

  // A new stroke where the colour changes.
  private paintLine(i: number): void {
    const g = this.face.g;
    const d = this.data;
    const line = d.lines[i]!;
    const y = d.y[i]!;
    const shade = this.shade ? d.across[i]! : null;
    const s = this.app.selection;
    const chosen = s && s.vehicle === line.name && s.world === line.world;
    const order = this.app.shown().findIndex((w) => w.world === line.world);
    g.lineWidth = chosen ? 2.6 : 1.4;
    g.setLineDash(shade ? DASHES[order % 4]! : []);
    g.strokeStyle = this.app.colour(line.world);
    let colour = shade ? "" : (g.strokeStyle as string);
    let pen = false;
    g.beginPath();
    for (let k = 0; k < d.n; k++) {
      const v = y[k]!;
      if (v !== v) {
        pen = false;
        continue;
      }
      const px = this.x.pixel(d.x[k]!);
      const py = this.y.pixel(this.place(d.x[k]!, v));
      if (!pen) g.moveTo(px, py);
      else g.lineTo(px, py);
      pen = true;
      const next = shade ? this.tint(shade[k]!) : colour;
      if (next !== colour) {
        g.stroke();
        g.strokeStyle = colour = next;
        g.beginPath();
        g.moveTo(px, py);
      }
    }
    g.stroke();
    g.setLineDash([]);
  }

  private get signed(): boolean {
    return this.shade?.name === "spacing_error" || this.shade?.name === "a";
  }
  private tint(v: number): string {
    if (v !== v) return colours().line2;
    return this.signed ? signedLine(v / this.reach) : fieldColour((v - this.ends[0]) / (this.ends[1] - this.ends[0]));
  }

  private paintEnds(right: number, top: number, bottom: number): void {
    const tags = this.app
      .shown()
      .map((w) => {
        const list = this.data.lines.map((l, i) => ({ l, i })).filter(({ l }) => l.world === w.world);
        const last = list.length ? list[list.length - 1]! : null;
        const at = last
          ? this.place(this.data.x[this.data.n - 1] ?? 0, this.data.y[last.i]![this.data.n - 1] ?? NaN)
          : NaN;
        return { words: this.app.letter(w.world), colour: this.app.colour(w.world), y: this.y.pixel(at) };
      })
      .filter((tag) => tag.y === tag.y);
    const heights = tags.map((tag) => tag.y);
    const order = tags.map((_, k) => k);
    spread(heights, order, 13, top + 6, bottom - 6);
    tags.forEach((tag, k) => text(this.face.g, tag.words, right + 5, heights[k]!, tag.colour, "left", BOLD_FONT));
  }

  private paintScale(left: number, top: number, bottom: number): void {
    if (!this.shade) return;
    const g = this.face.g;
    const c = colours();
    const from = top + 16;
    const tall = Math.min(bottom - top - 20, 140);
    const [low, high] = this.signed ? [-this.reach, this.reach] : this.ends;
    for (let k = 0; k < tall; k++) {
      const u = 1 - k / (tall - 1);
      g.fillStyle = this.signed ? signedLine(2 * u - 1) : fieldColour(u);
      g.fillRect(left, from + k, 7, 1.5);
    }
    text(g, unitText(this.shade.unit), left, top + 4, c.ink3);
    text(g, figures(high, 2), left + 11, from + 4, c.ink3);
    text(g, figures((low + high) / 2, 2), left + 11, from + tall / 2, c.ink3);
    text(g, figures(low, 2), left + 11, from + tall - 4, c.ink3);
  }

  // ---- pointer -----------------------------------------------------------------------------------

  private pointer(): void {
    const canvas = this.face.canvas;
    canvas.addEventListener(
      "wheel",
      (e) => {
        e.preventDefault();
        this.zoom(e.offsetX, e.offsetY, Math.exp(e.deltaY * 0.0015), e.shiftKey);
      },
      { passive: false },
    );
    canvas.addEventListener("dblclick", () => {
      this.view = null;
      this.dirty = true;
    });
    canvas.addEventListener("pointerdown", (e) => this.drag(e));
    canvas.addEventListener("pointermove", (e) => {
      const i = this.nearest(e.offsetX, e.offsetY);
      canvas.title = i < 0 ? "" : this.words(i, e.offsetX);
    });
  }

  private words(i: number, px: number): string {
    const l = this.data.lines[i]!;
    const t = this.x.value(px);
    return `${carLabel(this.app, l.world, l.name)} at ${fixed(t, 2)} s: ${withUnit(this.data.at(i, t), "m", 1)}`;
  }

  private zoom(px: number, py: number, by: number, timeOnly: boolean): void {
    const t = this.x.value(px);
    const s = this.y.value(py);
    const from = t + (this.x.from - t) * by;
    const to = t + (this.x.to - t) * by;
    const low = timeOnly ? this.y.from : s + (this.y.from - s) * by;
    const high = timeOnly ? this.y.to : s + (this.y.to - s) * by;
    if (to - from < 0.05 || high - low < 0.5 || to - from > 1e5) return;
    this.view = { t: [from, to], s: [low, high] };
    this.dirty = true;
  }

  private drag(e: PointerEvent): void {
    if (e.button !== 0) return;
    const canvas = this.face.canvas;
    const x0 = e.clientX;
    const y0 = e.clientY;
    const t: [number, number] = [this.x.from, this.x.to];
    const s: [number, number] = [this.y.from, this.y.to];
    let moved = false;
    canvas.setPointerCapture(e.pointerId);
    const move = (m: PointerEvent) => {
      if (!moved && Math.hypot(m.clientX - x0, m.clientY - y0) < 4) return;
      moved = true;
      const dt = ((x0 - m.clientX) / (this.x.b - this.x.a)) * (t[1] - t[0]);
      const ds = ((y0 - m.clientY) / (this.y.b - this.y.a)) * (s[1] - s[0]);
      this.view = { t: [t[0] + dt, t[1] + dt], s: [s[0] + ds, s[1] + ds] };
      this.dirty = true;
    };
    const up = (m: PointerEvent) => {
      canvas.removeEventListener("pointermove", move);
      if (!moved) this.click(m.offsetX, m.offsetY);
    };
    canvas.addEventListener("pointermove", move);
    canvas.addEventListener("pointerup", up, { once: true });
  }

  private click(px: number, py: number): void {
    const i = this.nearest(px, py);
    if (i >= 0) this.app.select(this.data.lines[i]!.world, this.data.lines[i]!.name);
    if (px >= this.x.a && px <= this.x.b) this.app.clock.seek(this.x.value(px));
  }

  private nearest(px: number, py: number): number {
    const t = this.x.value(px);
    let best = -1;
    let closest = 6;
    for (let i = 0; i < this.data.lines.length; i++) {
      const far = Math.abs(this.y.pixel(this.place(t, this.data.at(i, t))) - py);
      if (far < closest) {
        closest = far;
        best = i;
      }
    }
    return best;
  }

  show(visible: boolean): void {
    if (visible) this.dirty = true;
  }
  destroy(): void {
    for (const off of this.off) off();
  }
}
