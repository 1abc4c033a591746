// lanestrip.ts - the whole road: its lanes as rows in the colours of their use, ramps as ticks, cars, and the window of
// the scene.
//
// The window is dragged to travel. A tick is dragged, or moved with the arrows, to move its ramp; a double click above
// the lanes adds one, on a lane it divides a segment. A segment is selected by a click; its ends are dragged, a kind of
// use is painted by its button. All of it by keyboard too: Tab goes through ramps and segments. What is dragged is drawn
// at once and sent, as one edit of the scenario, when the pointer is released.
import type { App, Part } from "../core/app.ts";
import { automatedLanes, levelAt } from "../core/ersc.ts";
import { fixedWhy } from "../core/facts.ts";
import { Pace } from "../core/pace.ts";
import { alpha, fit, FONT, hatch, palette, sheet, type Sheet } from "../draw/paint.ts";
import { askText } from "../ui/asktext.ts";
import { h, menu, type Item } from "../ui/dom.ts";
import type { PlanRamp, World } from "../wire/protocol.ts";
import { USES, useColour, useStripes, USE_WORDS, type Use } from "./lanecolours.ts";
import { choice, choose } from "./options.ts";
import type { RoadPlan } from "./plan.ts";
import { planOf } from "./plans.ts";
import { drawnSpacing } from "./road.ts";
import { freeName, moveEnd, newRamp, paint, rampNames, segments, type Segment, type Written } from "./sections.ts";
import { viewOf } from "./view.ts";

const LEFT = 56; // px: names of the lanes
const RIGHT = 16;
const NAMES = 18; // px: names of ramps above the lanes
const ROW = 15; // px, a lane
const AXIS = 16;
const GRIP = 6; // px around ticks and ends
const MILE = 1609.344;

type Drag =
  | { kind: "none" }
  | { kind: "window"; grip: number; moved: boolean; x: number; y: number }
  | { kind: "ramp"; name: string; at: number; from: number }
  | { kind: "end"; k: number; end: "from" | "to"; at: number };

export function mountLaneStrip(host: HTMLElement, app: App): LaneStrip {
  return new LaneStrip(host, app);
}

export class LaneStrip implements Part {
  private canvas = h("canvas", { "aria-hidden": "true" });
  private body = h("div", { class: "ls-body", tabindex: -1 });
  private facts = h("span", { class: "ls-facts" });
  private chosenText = h("span", { class: "ls-chosen", role: "status" });
  private marks = h("div", { class: "ls-marks" });
  private paints: HTMLElement;
  private page: HTMLButtonElement;
  private paper: Sheet;
  private pace: Pace;
  private box = { w: 0, h: 0 };
  private drag: Drag = { kind: "none" };
  private segs: Segment[] = [];
  private automated = 0; // lanes, by the level of the ERSC
  private cuts = new Map<number, number[]>(); // by lane: where the user divided segments
  private chosen: { lane: number; at: number } | null = null; // a place in the selected segment
  private drawnFor = "";
  private range = 1000; // m
  private first = 0;
  private sizer: ResizeObserver;
  private handled = true;
  private seen = { length: 0, anchor: 0 };
  shown = false;

  constructor(
    private host: HTMLElement,
    private app: App,
  ) {
    this.paints = h(
      "div",
      { class: "ls-paints", role: "group", "aria-label": "Paint lane use" },
      h("span", { class: "mut" }, "Paint lane use"),
      ...USES.map((u) =>
        h(
          "button",
          {
            class: "ls-paint",
            type: "button",
            "data-use": u,
            title: `The selected segment: ${USE_WORDS[u]}`,
            onclick: () => this.paintChosen(u),
          },
          h("i", { "data-use": u, "aria-hidden": "true" }),
          u,
        ),
      ),
    );
    this.page = h("button", { class: "ls-page", type: "button", onclick: () => this.turnPage() }, "Grade");
    host.append(
      h(
        "div",
        { class: "ls-head" },
        h("h3", null, "Whole road"),
        this.facts,
        this.chosenText,
        h("span", { class: "grow" }),
        this.paints,
        this.page,
      ),
      this.body,
    );
    this.body.append(this.canvas, this.marks);
    this.paper = sheet(this.canvas);
    this.pace = new Pace(app);
    this.sizer = new ResizeObserver(() => {
      this.box.w = this.body.clientWidth;
      this.handled = true;
    });
    this.sizer.observe(this.body);
    const b = this.body;
    b.addEventListener("pointerdown", (e) => this.down(e));
    b.addEventListener("pointermove", (e) => this.move(e));
    b.addEventListener("pointerup", (e) => this.up(e));
    b.addEventListener("pointercancel", () => this.cancel());
    b.addEventListener("dblclick", (e) => this.double(e));
    b.addEventListener("contextmenu", (e) => this.context(e));
    this.host.hidden = true;
    app.command({
      name: "lane_map",
      title: "Whole road with its lanes",
      help: "Shows or hides the strip of the whole road: ramps, lane use, the window of the scene.",
      run: () => {
        choose(app, "map", this.shown ? "off" : "on");
        app.emit("layout");
      },
    });
  }

  destroy(): void {
    this.sizer.disconnect();
  }

  // The world whose road is shown: the selected one, or the first.
  private world(): World | undefined {
    const shown = this.app.shown();
    return shown.find((w) => w.world === this.app.selection?.world) ?? this.app.current() ?? shown[0];
  }

  // True: the strip is shown, and the grade strip gives way to it unless it is the page that was chosen.
  visible(): boolean {
    const w = this.world();
    const plan = w ? planOf(this.app, w) : null;
    const map = choice(this.app, "map");
    this.shown = plan !== null && map !== "off" && (map === "on" || plan.shaped);
    return this.shown;
  }
  get grade(): boolean {
    return choice(this.app, "mapPage") === "grade";
  }
  private turnPage(): void {
    choose(this.app, "mapPage", this.grade ? "lanes" : "grade");
    this.app.emit("layout");
    this.handled = true;
  }

  // ---- scale ----

  private px(x: number): number {
    return LEFT + ((x - this.first) / (this.range - this.first)) * (this.box.w - LEFT - RIGHT);
  }
  private metres(px: number): number {
    return this.first + ((px - LEFT) / (this.box.w - LEFT - RIGHT)) * (this.range - this.first);
  }
  private rows(w: World): number {
    return Math.max(1, w.road.lanes);
  }

  // ---- drawing ----

  draw(): void {
    const visible = this.visible();
    if (this.host.hidden === visible) {
      this.host.hidden = !visible;
      this.handled = true;
    }
    if (!visible) return;
    const view = viewOf(this.app);
    const still = this.seen.length === view.length && this.seen.anchor === view.anchor;
    if (!this.handled && still && !this.pace.due()) return;
    this.handled = this.drag.kind !== "none";
    this.seen.length = view.length;
    this.seen.anchor = view.anchor;
    const w = this.world()!;
    const plan = planOf(this.app, w)!;
    const high = NAMES + this.rows(w) * ROW + AXIS;
    if (this.box.h !== high) {
      this.box.h = high;
      this.body.style.height = `${high}px`;
    }
    this.body.hidden = this.grade;
    this.paints.hidden = this.grade;
    const label = this.grade ? "Lanes" : "Grade";
    if (this.page.textContent !== label) this.page.textContent = label;
    this.words(w, plan);
    if (this.grade || !fit(this.paper, this.box.w, high)) return;
    this.scale(w, plan);
    const key = `${w.world} ${plan.version} ${this.box.w} ${this.range} ${JSON.stringify(this.chosen)} ${[...this.cuts]}`;
    if (key !== this.drawnFor) {
      this.drawnFor = key;
      this.divide(w, plan);
      this.buttons(w, plan);
    }
    this.paintAll(w, plan);
  }

  private scale(w: World, plan: RoadPlan): void {
    if (this.drag.kind !== "none") return;
    this.first = 0;
    if (Number.isFinite(plan.main.length)) {
      this.range = plan.main.length;
      return;
    }
    const to = Math.max(plan.extent, viewOf(this.app).window(w.world)[1] + 100);
    const nice = drawnSpacing(100, 1, to / 12);
    this.range = Math.ceil(to / nice) * nice;
  }

  private divide(w: World, plan: RoadPlan): void {
    this.segs = [];
    for (let lane = 1; lane <= this.rows(w); lane++)
      this.segs.push(
        ...segments(lane, plan.main.lanes[lane - 1]?.rules ?? [], 0, this.range, this.cuts.get(lane) ?? []),
      );
  }

  private words(w: World, plan: RoadPlan): void {
    const road = Number.isFinite(plan.main.length) ? `${(plan.main.length / 1000).toFixed(1)} km, ` : "";
    const n = plan.ramps.length;
    const text = `${road}${w.vehicles.length} car${w.vehicles.length === 1 ? "" : "s"}, ${n} ramp${n === 1 ? "" : "s"}`;
    if (this.facts.textContent !== text) this.facts.textContent = text;
    const s = this.chosenSegment();
    const why = this.fixed(w, plan);
    const said = s ? `selected: ${segmentWords(s)}` : why ? `cannot be edited: ${why}` : "";
    if (this.chosenText.textContent !== said) this.chosenText.textContent = said;
    for (const b of this.paints.querySelectorAll<HTMLButtonElement>("button")) {
      b.disabled = !s || why !== "";
      b.setAttribute("aria-pressed", String(s?.use === b.dataset["use"]));
    }
  }

  private fixed(w: World, plan: RoadPlan): string {
    const why = fixedWhy(this.app, w);
    if (why) return why;
    if (!this.app.connected) return "the connection is lost";
    return plan.written ? "" : "the road comes from a file";
  }

  private paintAll(w: World, plan: RoadPlan): void {
    const c = this.paper.ctx;
    const p = palette();
    const rows = this.rows(w);
    const bottom = NAMES + rows * ROW;
    c.clearRect(0, 0, this.box.w, this.box.h);
    c.font = FONT.tag;
    c.textBaseline = "middle";
    c.textAlign = "left";
    for (let lane = 1; lane <= rows; lane++) {
      c.fillStyle = p.ink2;
      c.fillText(`lane ${lane}`, 12, NAMES + (lane - 0.5) * ROW);
    }
    this.automated = automatedLanes(levelAt(this.app, w));
    for (const s of this.preview()) this.paintSegment(c, s);
    this.paintAxis(c, bottom);
    this.paintCars(c, w, rows);
    for (const r of plan.ramps) this.paintRamp(c, r, bottom);
    this.paintWindow(c, w, bottom);
    this.paintHandles(c);
  }

  // Segments as they are, or as they would be when the end that is dragged is released.
  private preview(): Segment[] {
    const d = this.drag;
    if (d.kind !== "end") return this.segs;
    return this.segs.map((s, k) => {
      const next = d.end === "to" ? d.k + 1 : d.k - 1;
      if (k === d.k) return { ...s, [d.end]: d.at };
      if (k === next && this.segs[k]!.lane === this.segs[d.k]!.lane)
        return { ...s, [d.end === "to" ? "from" : "to"]: d.at };
      return s;
    });
  }

  private paintSegment(c: CanvasRenderingContext2D, s: Segment): void {
    const y = NAMES + (s.lane - 1) * ROW + 1;
    const x0 = this.px(s.from);
    const x1 = this.px(s.to);
    if (x1 <= x0) return;
    if (!s.rule) {
      // There is no such lane here.
      c.fillStyle = palette().line;
      c.fillRect(x0, y + (ROW - 2) / 2, x1 - x0, 1);
      return;
    }
    c.fillStyle = useColour(s.use === "any" && s.lane <= this.automated ? "automated" : s.use);
    c.beginPath();
    c.roundRect(x0 + 0.5, y, Math.max(1, x1 - x0 - 1), ROW - 2, 2);
    c.fill();
    const lines = useStripes(s.use);
    if (lines) {
      c.fillStyle = hatch(c, lines);
      c.fill();
    }
    if (s.use === "closed" && x1 - x0 > 50) {
      const p = palette();
      c.font = FONT.tagBold;
      c.textAlign = "center";
      const wide = c.measureText("closed").width + 8;
      c.fillStyle = p.surface;
      c.fillRect((x0 + x1 - wide) / 2, y + 1, wide, ROW - 4);
      c.fillStyle = p.danger;
      c.fillText("closed", (x0 + x1) / 2, y + ROW / 2 - 0.5);
    }
  }

  private paintAxis(c: CanvasRenderingContext2D, bottom: number): void {
    const p = palette();
    const miles = choice(this.app, "mapUnit") === "mi";
    const unit = miles ? MILE : 1000;
    const step = drawnSpacing(0.1 * unit, (this.box.w - LEFT - RIGHT) / (this.range - this.first), 70);
    c.font = FONT.axis;
    c.textAlign = "center";
    c.textBaseline = "top";
    for (let k = Math.ceil(this.first / step); k * step <= this.range; k++) {
      const x = Math.round(this.px(k * step));
      c.fillStyle = p.line2;
      c.fillRect(x - 0.5, bottom, 1, 3);
      c.fillStyle = p.ink3;
      const v = Number(((k * step) / unit).toPrecision(4));
      c.fillText(k === 0 ? "0" : `${v} ${miles ? "mi" : "km"}`, x, bottom + 4);
    }
    c.textBaseline = "middle";
  }

  // One rectangle per car, one path per colour.
  private paintCars(c: CanvasRenderingContext2D, w: World, rows: number): void {
    const f = this.app.over(w.world) ? this.app.frame(w.world, w.end) : this.app.frame(w.world);
    if (!f) return;
    const y = f.field("y");
    const path = f.field("path");
    const width = w.road.lane_width > 0 ? w.road.lane_width : 3.4;
    const perMetre = (this.box.w - LEFT - RIGHT) / (this.range - this.first);
    const wide = Math.max(1.5, Math.min(4, 4.5 * perMetre));
    const p = palette();
    for (const colour of [0, 1]) {
      c.beginPath();
      for (let i = 0; i < f.n; i++) {
        const selected = this.isSelected(f.id[i]!, w);
        if (selected !== (colour === 1)) continue;
        const ramp = path !== null && path[i]! > 0;
        const lane = ramp ? rows : Math.max(0, Math.min(rows, Math.round(-(y ? y[i]! : 0) / width)));
        const x = LEFT + (f.x[i]! - this.first) * perMetre;
        if (x < LEFT - 1 || x > this.box.w - RIGHT + 2) continue;
        if (lane >= rows) c.rect(x - wide / 2, NAMES + rows * ROW - 2, wide, 3);
        else c.rect(x - wide / 2, NAMES + lane * ROW + 4, wide, ROW - 8);
      }
      c.fillStyle = colour === 1 ? p.focus : p.ink2;
      c.fill();
    }
  }
  private isSelected(id: number, w: World): boolean {
    if (this.app.selection?.world !== w.world) return false;
    if (this.selectedFor !== this.app.selection.vehicle || this.selectedIn !== w.vehicles) {
      this.selectedFor = this.app.selection.vehicle;
      this.selectedIn = w.vehicles;
      this.selectedId = w.vehicles.find((v) => v.name === this.selectedFor)?.id ?? -1;
    }
    return id === this.selectedId;
  }
  private selectedFor = "";
  private selectedIn: World["vehicles"] | null = null;
  private selectedId = -1;

  private paintRamp(c: CanvasRenderingContext2D, r: PlanRamp, bottom: number): void {
    const p = palette();
    const d = this.drag;
    const at = d.kind === "ramp" && d.name === r.name ? d.at : r.at;
    const x = Math.round(this.px(at)) + 0.5;
    c.strokeStyle = d.kind === "ramp" && d.name === r.name ? p.focus : p.ink2;
    c.lineWidth = 1;
    c.beginPath();
    c.moveTo(x, 2);
    c.lineTo(x, bottom);
    c.stroke();
    c.font = FONT.tag;
    c.textAlign = "left";
    c.fillStyle = p.ink2;
    const text = `${r.on ? "↗" : "↘"} ${r.name} ${r.on ? "ON" : "OFF"}`;
    const wide = c.measureText(text).width;
    const left = x + 4 + wide > this.box.w - 2;
    c.textAlign = left ? "right" : "left";
    c.fillText(text, left ? x - 4 : x + 4, 9);
  }

  private paintWindow(c: CanvasRenderingContext2D, w: World, bottom: number): void {
    const p = palette();
    const [a, b] = viewOf(this.app).window(w.world);
    const x0 = Math.max(LEFT - 2, this.px(a));
    const x1 = Math.min(this.box.w - RIGHT + 2, this.px(b));
    if (x1 < x0) return;
    c.fillStyle = alpha(p.focus, 0.12);
    c.strokeStyle = p.focus;
    c.lineWidth = 1.5;
    c.beginPath();
    c.roundRect(x0, NAMES - 3, Math.max(4, x1 - x0), bottom - NAMES + 6, 3);
    c.fill();
    c.stroke();
  }

  private paintHandles(c: CanvasRenderingContext2D): void {
    const k = this.chosenIndex();
    const s = this.preview()[k];
    if (!s) return;
    const p = palette();
    const y = NAMES + (s.lane - 1) * ROW;
    const x0 = this.px(s.from);
    const x1 = this.px(s.to);
    c.strokeStyle = p.ink;
    c.lineWidth = 1.5;
    c.strokeRect(x0, y, x1 - x0, ROW);
    c.fillStyle = p.surface;
    for (const x of [x0, x1]) {
      c.beginPath();
      c.roundRect(x - 2.5, y - 2, 5, ROW + 4, 2);
      c.fill();
      c.stroke();
    }
  }

  // ---- what the keyboard and readers see: a button per ramp and segment ----

  private buttons(w: World, plan: RoadPlan): void {
    const focus = (document.activeElement as HTMLElement | null)?.dataset?.["key"] ?? "";
    const list: HTMLElement[] = [];
    for (const r of [...plan.ramps].sort((a, b) => a.at - b.at))
      list.push(
        this.button(
          `ramp ${r.name}`,
          `${r.on ? "on" : "off"}-ramp ${r.name} at ${Math.round(r.at)} m. Arrows move it by 10 m, with Shift by 100 m; Delete removes it; Shift F10 opens its menu.`,
          "ls-ramp",
          this.px(r.at) - 3,
          0,
          7,
          NAMES + this.rows(w) * ROW,
          (e) => this.rampKey(e, r),
        ),
      );
    this.segs.forEach((s, k) =>
      list.push(
        this.button(
          `segment ${s.lane} ${s.from}`,
          `${segmentWords(s)}. Left and Right move its end, U changes its use, Delete joins it to its neighbour.`,
          "ls-seg",
          this.px(s.from),
          NAMES + (s.lane - 1) * ROW,
          Math.max(3, this.px(s.to) - this.px(s.from)),
          ROW,
          (e) => this.segmentKey(e, k),
        ),
      ),
    );
    this.marks.replaceChildren(...list);
    if (focus) list.find((b) => b.dataset["key"] === focus)?.focus({ preventScroll: true });
  }

  private button(
    key: string,
    label: string,
    cls: string,
    x: number,
    y: number,
    w: number,
    high: number,
    press: (e: KeyboardEvent) => void,
  ): HTMLElement {
    const b = h("button", {
      class: cls,
      type: "button",
      "data-key": key,
      "aria-label": label,
      style: `left:${x}px;top:${y}px;width:${w}px;height:${high}px`,
    });
    b.addEventListener("keydown", press);
    return b;
  }

  private rampKey(e: KeyboardEvent, r: PlanRamp): void {
    const way = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0;
    if (way) this.changeRamp(r.name, { at: r.at + way * (e.shiftKey ? 100 : 10) });
    else if (e.key === "Delete" || e.key === "Backspace") this.removeRamp(r.name);
    else if (e.key === "Enter" || e.key === "ContextMenu" || (e.shiftKey && e.key === "F10")) {
      const b = (e.target as HTMLElement).getBoundingClientRect();
      this.rampMenu(r, b.left, b.bottom);
    } else return;
    e.preventDefault();
    e.stopPropagation();
  }

  private segmentKey(e: KeyboardEvent, k: number): void {
    const s = this.segs[k];
    if (!s) return;
    const way = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0;
    if (way) this.moveSegment(k, "to", s.to + way * (e.shiftKey ? 100 : 10));
    else if (e.key === "Enter" || e.key === " ") this.choose(s);
    else if (e.key === "u" || e.key === "U") {
      this.choose(s);
      this.paintChosen(USES[(USES.indexOf(s.use) + 1) % USES.length]!);
    } else if (e.key === "Delete" || e.key === "Backspace") this.joinSegment(k);
    else return;
    e.preventDefault();
    e.stopPropagation();
  }

  // ---- edits: one request each, logged and undone as one ----

  private lists(): { w: World; sections: Written[]; ramps: Written[] } | null {
    const w = this.world();
    const plan = w ? planOf(this.app, w) : null;
    if (!w || !plan) return null;
    const why = this.fixed(w, plan);
    if (why || !plan.written) {
      this.app.toast(`The road cannot be edited: ${why}`);
      return null;
    }
    return { w, sections: plan.written.sections, ramps: plan.written.ramps };
  }

  private send(w: World, road: { sections?: Written[]; ramps?: Written[] }): void {
    this.app.change("edit", { world: w.world, edit: { road } }).catch(() => {
      this.handled = true; // the toast says why; what is shown is what there is
      this.drawnFor = "";
    });
  }

  private changeRamp(name: string, keys: Written): void {
    const l = this.lists();
    if (!l) return;
    const ramps = l.ramps.map((r) => (String(r["name"]) === name ? { ...r, ...keys } : r));
    this.send(l.w, { ramps });
  }
  private removeRamp(name: string): void {
    const l = this.lists();
    if (l) this.send(l.w, { ramps: l.ramps.filter((r) => String(r["name"]) !== name) });
  }
  private addRamp(at: number): void {
    const l = this.lists();
    if (l) this.send(l.w, { ramps: [...l.ramps, newRamp(freeName(l.ramps), true, false, at)] });
  }
  private turnRamp(r: PlanRamp, on: boolean, connector: boolean): void {
    const l = this.lists();
    if (!l) return;
    const ramps = l.ramps.map((q) => (String(q["name"]) === r.name ? newRamp(r.name, on, connector, r.at) : q));
    this.send(l.w, { ramps });
  }

  private rampMenu(r: PlanRamp, x: number, y: number): void {
    const miles = choice(this.app, "mapUnit") === "mi";
    const items: (Item | "-")[] = [
      {
        label: "Name…",
        run: () =>
          askText({ x, y }, "Name of the ramp", r.name, (text) => {
            if (rampNames(this.lists()?.ramps ?? []).includes(text)) this.app.toast(`There is a ramp ${text} already`);
            else this.changeRamp(r.name, { name: text });
          }),
      },
      {
        label: `Place… (${miles ? "mi" : "km"})`,
        run: () => {
          const unit = miles ? MILE : 1000;
          askText({ x, y }, `Place, ${miles ? "mi" : "km"}`, String(Number((r.at / unit).toFixed(4))), (text) => {
            const v = Number(text.replace(",", "."));
            if (Number.isFinite(v)) this.changeRamp(r.name, { at: Number((v * unit).toFixed(3)) });
            else this.app.toast(`"${text}" is not a number`);
          });
        },
      },
      "-",
      { label: "ON", checked: r.on, run: () => (r.on ? undefined : this.turnRamp(r, true, r.connector)) },
      { label: "OFF", checked: !r.on, run: () => (r.on ? this.turnRamp(r, false, r.connector) : undefined) },
      { label: "Connector", checked: r.connector, run: () => this.turnRamp(r, r.on, !r.connector) },
      "-",
      { label: "Miles", checked: miles, run: () => choose(this.app, "mapUnit", miles ? "km" : "mi") },
      { label: "Remove", hint: "Del", run: () => this.removeRamp(r.name) },
    ];
    menu({ x, y }, items, r.name);
  }

  private chosenIndex(): number {
    const c = this.chosen;
    return c ? this.segs.findIndex((s) => s.lane === c.lane && c.at >= s.from && c.at < s.to) : -1;
  }
  private chosenSegment(): Segment | null {
    return this.segs[this.chosenIndex()] ?? null;
  }
  private choose(s: Segment | null): void {
    this.chosen = s ? { lane: s.lane, at: 0.5 * (s.from + s.to) } : null;
    this.handled = true;
    if (s) this.app.speak(segmentWords(s));
    this.app.touch();
  }

  private paintChosen(use: Use): void {
    const s = this.chosenSegment();
    const l = s && s.use !== use ? this.lists() : null;
    if (s && l) this.send(l.w, { sections: paint(l.sections, s.lane, s.from, s.to, use) });
  }
  private moveSegment(k: number, end: "from" | "to", at: number): void {
    const s = this.segs[k]!;
    const next = this.segs[end === "to" ? k + 1 : k - 1];
    if (!next || next.lane !== s.lane) return;
    const low = end === "to" ? s.from + 5 : next.from + 5;
    const high = end === "to" ? next.to - 5 : s.to - 5;
    const l = this.lists();
    if (!l) return;
    const cuts = this.cuts.get(s.lane);
    if (cuts)
      this.cuts.set(
        s.lane,
        cuts.filter((c) => Math.abs(c - s[end]) > 1),
      );
    const to = Math.max(low, Math.min(high, at));
    const sections = moveEnd(l.sections, this.segs, k, end, to);
    if (JSON.stringify(sections) !== JSON.stringify(l.sections)) this.send(l.w, { sections });
  }
  private joinSegment(k: number): void {
    const s = this.segs[k]!;
    const before = this.segs[k - 1];
    const after = this.segs[k + 1];
    const to = before?.lane === s.lane ? before : after?.lane === s.lane ? after : null;
    if (!to) return;
    this.cuts.delete(s.lane);
    const l = to.use === s.use ? null : this.lists();
    if (l) this.send(l.w, { sections: paint(l.sections, s.lane, s.from, s.to, to.use) });
    this.drawnFor = "";
    this.handled = true;
  }

  // ---- pointer ----

  private at(e: MouseEvent): { x: number; y: number } {
    const r = this.body.getBoundingClientRect();
    return { x: e.clientX - r.left, y: e.clientY - r.top };
  }
  private rampAt(x: number, y: number): PlanRamp | null {
    const w = this.world();
    const plan = w ? planOf(this.app, w) : null;
    let best: PlanRamp | null = null;
    let min = GRIP;
    for (const r of plan?.ramps ?? []) {
      const d = x - this.px(r.at);
      const over = y < NAMES && d > 0 ? Math.max(0, d - 40) : Math.abs(d); // its name too
      if (over < min) {
        min = over;
        best = r;
      }
    }
    return best;
  }
  private segmentAt(x: number, y: number): number {
    const lane = Math.floor((y - NAMES) / ROW) + 1;
    const m = this.metres(x);
    return this.segs.findIndex((s) => s.lane === lane && m >= s.from && m < s.to);
  }
  private endAt(x: number, y: number): "from" | "to" | null {
    const s = this.chosenSegment();
    if (!s || y < NAMES + (s.lane - 1) * ROW - 3 || y > NAMES + s.lane * ROW + 3) return null;
    return Math.abs(x - this.px(s.to)) < GRIP ? "to" : Math.abs(x - this.px(s.from)) < GRIP ? "from" : null;
  }

  private down(e: PointerEvent): void {
    if (e.button !== 0) return;
    const w = this.world();
    if (!w) return;
    const { x, y } = this.at(e);
    this.body.setPointerCapture(e.pointerId);
    this.handled = true;
    const end = this.endAt(x, y);
    const ramp = this.rampAt(x, y);
    if (end) {
      const s = this.chosenSegment()!;
      this.drag = { kind: "end", k: this.chosenIndex(), end, at: s[end] };
    } else if (ramp && (y < NAMES || Math.abs(x - this.px(ramp.at)) < 4)) {
      this.drag = { kind: "ramp", name: ramp.name, at: ramp.at, from: ramp.at };
    } else {
      const [a, b] = viewOf(this.app).window(w.world);
      const m = this.metres(x);
      const grip = m >= a && m <= b ? m - 0.5 * (a + b) : 0;
      this.drag = { kind: "window", grip, moved: false, x, y };
    }
    e.preventDefault();
  }

  private move(e: PointerEvent): void {
    const { x, y } = this.at(e);
    const d = this.drag;
    this.handled = true;
    if (d.kind === "none") {
      const end = this.endAt(x, y);
      this.body.style.cursor = end || this.rampAt(x, y) ? "ew-resize" : y > NAMES ? "grab" : "";
      return;
    }
    this.app.touch();
    if (d.kind === "ramp") d.at = Math.max(0, Math.round(this.metres(x)));
    else if (d.kind === "end") {
      const s = this.segs[d.k]!;
      const next = this.segs[d.end === "to" ? d.k + 1 : d.k - 1];
      const low = d.end === "to" ? s.from + 5 : next?.lane === s.lane ? next.from + 5 : s.from;
      const high = d.end === "to" ? (next?.lane === s.lane ? next.to - 5 : s.to) : s.to - 5;
      d.at = Math.max(low, Math.min(high, Math.round(this.metres(x))));
    } else {
      if (!d.moved && Math.abs(x - d.x) < 3) return;
      d.moved = true;
      this.travel(this.metres(x) - d.grip);
    }
  }

  // The scene goes there; the road becomes the reference, so that it stays there.
  private travel(middle: number): void {
    const w = this.world();
    if (!w) return;
    const view = viewOf(this.app);
    if (this.app.reference !== "road") {
      view.freeze(w.world);
      this.app.reference = "road";
      this.app.emit("layout");
    }
    view.pan((0.5 * (view.window(w.world)[0] + view.window(w.world)[1]) - middle) * view.scale);
  }

  private up(e: PointerEvent): void {
    const d = this.drag;
    this.drag = { kind: "none" };
    this.handled = true;
    this.body.style.cursor = "";
    if (d.kind === "ramp" && d.at !== d.from) this.changeRamp(d.name, { at: d.at });
    if (d.kind === "end" && this.segs[d.k] && d.at !== this.segs[d.k]![d.end]) this.moveSegment(d.k, d.end, d.at);
    if (d.kind === "window" && !d.moved) {
      const { x, y } = this.at(e);
      this.choose(this.segs[this.segmentAt(x, y)] ?? null);
    }
  }
  private cancel(): void {
    this.drag = { kind: "none" };
    this.handled = true;
  }

  private double(e: MouseEvent): void {
    const { x, y } = this.at(e);
    const k = this.segmentAt(x, y);
    if (y < NAMES || k < 0) {
      if (!this.rampAt(x, y)) this.addRamp(this.metres(x));
      return;
    }
    const s = this.segs[k]!;
    this.cuts.set(s.lane, [...(this.cuts.get(s.lane) ?? []), Math.round(this.metres(x))]);
    this.handled = true;
    this.app.touch();
  }

  private context(e: MouseEvent): void {
    e.preventDefault();
    const { x, y } = this.at(e);
    const r = this.rampAt(x, y);
    if (r) {
      this.rampMenu(r, e.clientX, e.clientY);
      return;
    }
    const k = this.segmentAt(x, y);
    const s = this.segs[k];
    const items: (Item | "-")[] = [
      { label: `Add a ramp at ${Math.round(this.metres(x))} m`, run: () => this.addRamp(this.metres(x)) },
    ];
    if (s) {
      this.choose(s);
      items.push("-");
      for (const u of USES) items.push({ label: USE_WORDS[u], checked: s.use === u, run: () => this.paintChosen(u) });
    }
    menu({ x: e.clientX, y: e.clientY }, items, "Road");
  }
}

export function segmentWords(s: Segment): string {
  const km = (m: number): string => (m / 1000).toFixed(2);
  const r = s.rule;
  const limits = [
    r?.speed != null ? `${r.speed} m/s` : "",
    r?.headway != null ? `headway ${r.headway} s` : "",
    r?.separation != null ? `${r.separation} m between platoons` : "",
  ].filter(Boolean);
  return `lane ${s.lane}, ${USE_WORDS[s.use]}, ${km(s.from)} to ${km(s.to)} km${limits.length ? `, ${limits.join(", ")}` : ""}`;
}
