// grade.ts - the strip below the road: its height along s, and the hill editor.
//
// The violet window is what the scene shows: drag it to travel. A drag up or down on free road makes
// a hill; a hill has handles for its start and end and a knob for its percent, and a small form with
// the same numbers. What is dragged is drawn at once and sent when the pointer is released.

import type { App, Part } from "../core/app.ts";
import { Pace } from "../core/pace.ts";
import { alpha, fit, FONT, palette, plain, sheet, signed, type Sheet } from "../draw/paint.ts";
import { h, place } from "../ui/dom.ts";
import type { Grade, World } from "../wire/protocol.ts";
import {
  angle,
  fitted,
  fixedBy,
  heights,
  hillAt,
  inOrder,
  MIN_LENGTH,
  percent,
  STEEPEST,
  storedHeights,
} from "./hills.ts";
import { drawnSpacing } from "./road.ts";
import { lengthText, lengthTyped, viewOf } from "./view.ts";

const POINTS = 400;
const LEFT = 62;
const RIGHT = 14; // px beside the profile
const PERCENT_A_PIXEL = 0.1;

type Drag =
  | { kind: "none" }
  | { kind: "window"; grip: number }
  | { kind: "new"; x: number; y: number; at: number }
  | { kind: "hill"; part: "from" | "to" | "grade"; k: number; y: number; grade: number };

export function mountGrade(host: HTMLElement, app: App): Part {
  return new GradeStrip(host, app);
}

export class GradeStrip implements Part {
  private paper: Sheet;
  private canvas: HTMLCanvasElement;
  private drag: Drag = { kind: "none" };
  private mine: Grade[] | null = null; // while a hill is dragged or has been sent
  private chosen = -1; // hill with handles
  private hover = -1;
  private form: HTMLElement | null = null;
  private z = new Float64Array(POINTS);
  private range: [number, number] = [0, 1000];
  private box = { w: 0, h: 0 };
  private sizer: ResizeObserver;
  private off: () => void;
  private readonly pace: Pace;
  private handled = true; // by a hand: drawn at once
  private seen = { length: 0, anchor: 0 }; // of the view

  constructor(
    host: HTMLElement,
    private app: App,
  ) {
    this.canvas = h("canvas", {
      tabindex: 0,
      role: "img",
      "aria-label": "Height of the road",
      title: "Drag up or down to make a hill; drag the window to move along the road; Enter adds a hill at the window",
    });
    host.append(h("span", { class: "gr-name", id: "gr-name" }, "Grade"), this.canvas);
    this.paper = sheet(this.canvas);
    this.sizer = new ResizeObserver(() => {
      this.box.w = host.clientWidth;
      this.box.h = host.clientHeight;
    });
    this.sizer.observe(host);
    this.pace = new Pace(app);
    for (const type of [
      "pointerdown",
      "pointermove",
      "pointerup",
      "pointercancel",
      "pointerleave",
      "dblclick",
      "keydown",
    ])
      this.canvas.addEventListener(type, () => {
        this.handled = true;
      });
    this.canvas.addEventListener("pointerdown", (e) => this.down(e));
    this.canvas.addEventListener("pointermove", (e) => this.move(e));
    this.canvas.addEventListener("pointerup", (e) => this.up(e));
    this.canvas.addEventListener("pointercancel", () => {
      this.drag = { kind: "none" };
      this.mine = null;
    });
    this.canvas.addEventListener("dblclick", (e) => this.edit(e));
    this.canvas.addEventListener("keydown", (e) => this.key(e));
    this.off = app.on("world", () => this.shown());
  }

  destroy(): void {
    this.off();
    this.sizer.disconnect();
    this.form?.remove();
  }

  // The world whose road is shown: the selected one, the branch a hill made, or the first.
  private world(): World | undefined {
    const sel = this.app.selection?.world ?? this.branch;
    const shown = this.app.shown();
    return shown.find((w) => w.world === sel) ?? shown[0];
  }
  private branch = -1;

  private grades(): Grade[] {
    return this.mine ?? this.world()?.road.grades ?? [];
  }
  private px(x: number): number {
    return LEFT + ((x - this.range[0]) / (this.range[1] - this.range[0])) * (this.box.w - LEFT - RIGHT);
  }
  private metres(px: number): number {
    return this.range[0] + ((px - LEFT) / (this.box.w - LEFT - RIGHT)) * (this.range[1] - this.range[0]);
  }

  // All hills, the scene's window and a kilometre at least.
  private span(w: World): void {
    if (this.drag.kind !== "none") return;
    const view = viewOf(this.app);
    const shown = view.window(w.world);
    const p = w.road.profile;
    let lo = Math.min(0, shown[0]);
    let hi = Math.max(1000, shown[1] + 100);
    if (p && p.z?.length > 1) {
      lo = Math.min(lo, p.from);
      hi = Math.max(hi, p.from + p.step * (p.z.length - 1));
    }
    for (const g of this.grades()) {
      lo = Math.min(lo, g.from - 100);
      hi = Math.max(hi, g.to + 200);
    }
    const nice = drawnSpacing(100, 1, (hi - lo) / 12);
    this.range = [Math.floor(lo / nice) * nice, Math.ceil(hi / nice) * nice];
  }

  draw(): void {
    const sized = this.box.w !== this.paper.w || this.box.h !== this.paper.h;
    const view = viewOf(this.app);
    if (
      !sized &&
      !this.handled &&
      this.seen.length === view.length &&
      this.seen.anchor === view.anchor &&
      !this.pace.due()
    )
      return;
    if (!fit(this.paper, this.box.w, this.box.h)) return;
    this.handled = this.drag.kind !== "none";
    this.seen.length = view.length;
    this.seen.anchor = view.anchor;
    const w = this.world();
    const c = this.paper.ctx;
    c.clearRect(0, 0, this.box.w, this.box.h);
    if (!w) return;
    this.span(w);
    const top = 16;
    const bottom = this.box.h - 14;
    this.ruler(c, bottom);
    this.profile(c, w, top, bottom);
    this.window(c, w, bottom);
    this.hills(c, top, bottom);
  }

  private ruler(c: CanvasRenderingContext2D, bottom: number): void {
    const p = palette();
    const step = drawnSpacing(100, (this.box.w - LEFT - RIGHT) / (this.range[1] - this.range[0]), 90);
    c.font = FONT.axis;
    c.textAlign = "center";
    c.textBaseline = "bottom";
    for (let x = Math.ceil(this.range[0] / step) * step; x <= this.range[1]; x += step) {
      const px = Math.round(this.px(x));
      c.fillStyle = p.line2;
      c.fillRect(px - 0.5, bottom, 1, 4);
      c.fillStyle = p.ink3;
      if (px > LEFT + 8 && px < this.box.w - 24)
        c.fillText(lengthText(Math.abs(x)).replace(/^/, x < 0 ? "−" : ""), px, this.box.h);
    }
  }

  private profile(c: CanvasRenderingContext2D, w: World, top: number, bottom: number): void {
    const p = palette();
    const n = POINTS;
    const step = (this.range[1] - this.range[0]) / (n - 1);
    if (w.road.formula) storedHeights(w.road.profile, this.range[0], step, n, this.z);
    else heights(this.grades(), this.range[0], step, n, this.z);
    let lo = 0;
    let hi = 0;
    for (let i = 0; i < n; i++) {
      lo = Math.min(lo, this.z[i]!);
      hi = Math.max(hi, this.z[i]!);
    }
    const scale = (bottom - top - 4) / Math.max(5, hi - lo);
    const y = (i: number): number => bottom - 2 - (this.z[i]! - lo) * scale;
    c.beginPath();
    c.moveTo(this.px(this.range[0]), bottom);
    for (let i = 0; i < n; i++) c.lineTo(this.px(this.range[0] + i * step), y(i));
    c.lineTo(this.px(this.range[1]), bottom);
    c.closePath();
    c.fillStyle = p.sunk;
    c.fill();
    c.beginPath();
    for (let i = 0; i < n; i++) c.lineTo(this.px(this.range[0] + i * step), y(i));
    c.strokeStyle = p.ink3;
    c.lineWidth = 1.5;
    c.stroke();
  }

  private window(c: CanvasRenderingContext2D, w: World, bottom: number): void {
    const p = palette();
    const [a, b] = viewOf(this.app).window(w.world);
    const x0 = Math.max(LEFT - 4, this.px(a));
    const x1 = Math.min(this.box.w - 2, Math.max(this.px(b), this.px(a) + 4));
    c.fillStyle = alpha(p.focus, 0.14);
    c.strokeStyle = p.focus;
    c.lineWidth = 1.5;
    c.beginPath();
    c.roundRect(x0, 4, x1 - x0, bottom - 2, 3);
    c.fill();
    c.stroke();
  }

  private hills(c: CanvasRenderingContext2D, top: number, bottom: number): void {
    const p = palette();
    const list = this.grades();
    c.textBaseline = "middle";
    let taken = -Infinity;
    list.forEach((g, k) => {
      const x0 = this.px(g.from);
      const x1 = this.px(g.to);
      const on = k === this.chosen || k === this.hover;
      const text = `${signed(percent(g.grade), 1)} %`;
      c.font = FONT.smallBold;
      const wide = c.measureText(text).width;
      const mid = Math.max((x0 + x1) / 2, taken + wide / 2 + 8);
      c.fillStyle = on ? p.focus : p.ink2;
      c.textAlign = "center";
      if (Math.abs(mid - (x0 + x1) / 2) < (x1 - x0) / 2 + 20 && mid + wide / 2 < this.box.w) {
        c.fillText(text, mid, top - 6);
        taken = mid + wide / 2;
      }
      if (!on) return;
      c.fillStyle = alpha(p.focus, 0.08);
      c.fillRect(x0, top, x1 - x0, bottom - top);
      c.fillStyle = p.focus;
      c.fillRect(x0 - 1.5, top, 3, bottom - top);
      c.fillRect(x1 - 1.5, top, 3, bottom - top);
      c.beginPath();
      c.arc((x0 + x1) / 2, (top + bottom) / 2, 5, 0, 7);
      c.fill();
      c.fillStyle = p.surface;
      c.fillRect((x0 + x1) / 2 - 0.6, (top + bottom) / 2 - 3, 1.2, 6);
    });
  }

  // ---- hands ----

  private at(e: MouseEvent): { x: number; y: number } {
    const r = this.canvas.getBoundingClientRect();
    return { x: e.clientX - r.left, y: e.clientY - r.top };
  }

  private hillUnder(x: number): number {
    const s = this.metres(x);
    const slack = Math.abs(this.metres(x + 5) - s);
    return this.grades().findIndex((g) => s >= g.from - slack && s <= g.to + slack);
  }

  private overWindow(x: number): boolean {
    const w = this.world();
    if (!w) return false;
    const [a, b] = viewOf(this.app).window(w.world);
    return x >= this.px(a) - 3 && x <= Math.max(this.px(b), this.px(a) + 4) + 3;
  }

  private down(e: PointerEvent): void {
    if (e.button !== 0) return;
    e.preventDefault();
    this.canvas.setPointerCapture(e.pointerId);
    const { x, y } = this.at(e);
    const w = this.world();
    if (!w || x < LEFT - 6) return;
    const k = this.hillUnder(x);
    const g = k >= 0 ? this.grades()[k]! : null;
    if (g && (this.chosen === k || !this.overWindow(x))) {
      const part = Math.abs(x - this.px(g.from)) < 6 ? "from" : Math.abs(x - this.px(g.to)) < 6 ? "to" : "grade";
      this.chosen = k;
      this.mine = this.grades().map((q) => ({ ...q }));
      this.drag = { kind: "hill", part, k, y, grade: g.grade };
      return;
    }
    this.chosen = -1;
    this.closeForm();
    if (this.overWindow(x)) this.drag = { kind: "window", grip: this.metres(x) - viewOf(this.app).window(w.world)[0] };
    else if (w.road.formula) this.app.toast(fixedBy(w.road));
    else this.drag = { kind: "new", x, y, at: this.metres(x) };
  }

  private move(e: PointerEvent): void {
    const { x, y } = this.at(e);
    const d = this.drag;
    if (d.kind === "none") {
      this.hovered(x);
      return;
    }
    if (d.kind === "window") {
      this.travel(this.metres(x) - d.grip);
      return;
    }
    if (d.kind === "new") {
      this.newHill(d, x, y);
      return;
    }
    const list = this.mine!;
    const g = { ...list[d.k]! };
    const step = this.range[1] - this.range[0] > 3000 ? 10 : 1;
    if (d.part === "grade") g.grade = angle(Math.round((percent(d.grade) + (d.y - y) * PERCENT_A_PIXEL) * 10) / 10);
    else g[d.part] = Math.round(this.metres(x) / step) * step;
    list[d.k] = fitted(list, d.k, g);
    this.showForm();
  }

  // Up or down: a hill; sideways: nothing, the strip is not panned.
  private newHill(d: { x: number; y: number; at: number }, x: number, y: number): void {
    if (Math.abs(y - d.y) < 4) {
      if (!this.mine) return;
    }
    const base = this.world()?.road.grades ?? [];
    const grade = angle(Math.max(-20, Math.min(20, Math.round((d.y - y) * PERCENT_A_PIXEL * 10) / 10)));
    const wide = Math.max(200, 2 * Math.abs(this.metres(x) - d.at), (this.range[1] - this.range[0]) / 10);
    const hill = hillAt(base, d.at, wide, grade);
    if (!hill) return;
    this.mine = inOrder([...base.map((g) => ({ ...g })), hill]);
    this.chosen = this.mine.findIndex((g) => g.from === hill.from);
    this.showForm();
  }

  private travel(from: number): void {
    const app = this.app;
    const view = viewOf(app);
    const w = this.world();
    if (!w) return;
    if (app.reference !== "road") {
      view.freeze(w.world);
      app.reference = "road";
      app.emit("layout");
    }
    view.roadAt = from + view.anchor * view.length;
  }

  private up(e: PointerEvent): void {
    const d = this.drag;
    if (d.kind !== "none") this.move(e); // where it is let go counts, whatever moves came before
    this.drag = { kind: "none" };
    if (d.kind === "hill" || (d.kind === "new" && this.mine)) this.send();
    else if (d.kind === "new") this.mine = null;
  }

  private hovered(x: number): void {
    this.hover = this.hillUnder(x);
    const g = this.hover >= 0 ? this.grades()[this.hover]! : null;
    const end = g && (Math.abs(x - this.px(g.from)) < 6 || Math.abs(x - this.px(g.to)) < 6);
    this.canvas.style.cursor = end
      ? "ew-resize"
      : g && !this.overWindow(x)
        ? "ns-resize"
        : this.overWindow(x)
          ? "grab"
          : x > LEFT
            ? "row-resize"
            : "";
  }

  // Sends the hills as drawn; if they are rejected, the drawing is undone.
  private send(): void {
    const w = this.world();
    const list = this.mine;
    if (!w || !list) return;
    // Enter in a field is a key and a change: one of them is enough.
    const text = JSON.stringify(list);
    if (text === (this.underWay ? this.lastSent : JSON.stringify(w.road.grades))) {
      this.shown();
      this.showForm();
      return;
    }
    this.lastSent = text;
    const at = this.app.clock.t;
    this.underWay++;
    this.sent = this.sent.then(() => this.change(list, at)); // one after the other: each knows what became of the last
  }
  private sent: Promise<void> = Promise.resolve();
  private underWay = 0; // changes that are not answered
  private lastSent = "";

  // The road's own hills are drawn again once it has those that were sent. Until then its world may be one that is
  // being removed, or the parent: a hand that takes a hill must take it as it was drawn.
  private shown(): void {
    if (this.drag.kind === "none" && this.underWay === 0) this.mine = null;
  }

  // Behind the live end a change makes a branch. The next one at the same instant takes its place:
  // the branch is removed and made again with all hills, so dragging leaves one world, not ten.
  private async change(list: Grade[], at: number): Promise<void> {
    const app = this.app;
    const made = this.made;
    const w = this.world();
    if (!w) return;
    let world = w.world;
    try {
      if (made && made.world === world && made.at === at && !app.clock.live) {
        world = made.parent;
        if (app.selection?.world === made.world) app.select(world, app.selection.vehicle);
        this.made = null;
        await app.ask("worlds", { op: "discard", world: made.world });
      }
      const done = await app.change("grades", { world, grades: list });
      if (done.branched) {
        this.branch = Number(done.world);
        this.made = { world: this.branch, parent: world, at };
      }
      this.underWay--;
      this.shown();
    } catch {
      this.underWay--;
      this.mine = null;
      this.drag = { kind: "none" };
      this.chosen = -1;
      this.closeForm();
    }
  }
  private made: { world: number; parent: number; at: number } | null = null;

  private edit(e: MouseEvent): void {
    const { x } = this.at(e);
    const k = this.hillUnder(x);
    if (k >= 0) {
      this.chosen = k;
      this.showForm();
    }
  }

  // Enter: a hill in the middle of the window, or the form of the chosen one; Delete removes it.
  private key(e: KeyboardEvent): void {
    const w = this.world();
    if (!w) return;
    if (e.key === "Escape") {
      this.chosen = -1;
      this.closeForm();
      return;
    }
    if (e.key === "Delete" && this.chosen >= 0) {
      e.stopPropagation();
      this.remove();
      return;
    }
    if (e.key !== "Enter") return;
    e.preventDefault();
    if (w.road.formula) return void this.app.toast(fixedBy(w.road));
    const list = w.road.grades;
    const [a, b] = viewOf(this.app).window(w.world);
    const mid = 0.5 * (a + b);
    const under = list.findIndex((g) => mid > g.from && mid < g.to);
    if (under >= 0) this.chosen = under;
    else {
      const hill = hillAt(list, mid, 400, angle(3));
      if (!hill) return;
      this.mine = inOrder([...list, hill]);
      this.chosen = this.mine.indexOf(hill);
      this.send();
    }
    this.showForm();
    this.form?.querySelector("input")?.focus();
  }

  private remove(): void {
    this.mine = this.grades().filter((_, k) => k !== this.chosen);
    this.chosen = -1;
    this.closeForm();
    this.send();
  }

  // ---- the form ----

  private closeForm(): void {
    this.form?.remove();
    this.form = null;
  }

  private showForm(): void {
    const g = this.grades()[this.chosen];
    if (!g) {
      this.closeForm();
      return;
    }
    if (!this.form) {
      this.form = this.makeForm();
      document.body.appendChild(this.form);
    }
    const values: Record<string, string> = {
      from: `${Math.round(g.from * 10) / 10} m`,
      to: `${Math.round(g.to * 10) / 10} m`,
      grade: `${plain(percent(g.grade), 1)} %`,
      transition: `${Math.round(g.transition * 10) / 10} m`,
    };
    for (const input of this.form.querySelectorAll("input"))
      if (document.activeElement !== input) input.value = values[input.name]!;
    const r = this.canvas.getBoundingClientRect();
    place(
      this.form,
      r.left + this.px(0.5 * (g.from + g.to)) - this.form.offsetWidth / 2,
      r.top - this.form.offsetHeight - 6,
    );
  }

  private makeForm(): HTMLElement {
    const row = (name: string, label: string, title: string): HTMLElement => {
      const input = h("input", { class: "field", name, title, size: 8, autocomplete: "off", "aria-label": label });
      input.addEventListener("change", () => this.typed(input));
      input.addEventListener("keydown", (e) => {
        if (e.key === "Enter") this.typed(input);
        if (e.key === "Escape") {
          this.closeForm();
          this.chosen = -1;
          this.canvas.focus();
        }
        e.stopPropagation();
      });
      return h("label", null, h("span", null, label), input);
    };
    return h(
      "div",
      { class: "float gr-form", role: "group", "aria-label": "Hill" },
      row(
        "grade",
        "Grade",
        `rise over run, ${-Math.round(percent(STEEPEST))} to ${Math.round(percent(STEEPEST))} %, uphill positive`,
      ),
      row("from", "From", "where it begins, m along the road"),
      row("to", "To", `where it ends; at least ${MIN_LENGTH} m long`),
      row(
        "transition",
        "Rounding",
        "length over which the slope builds up and fades at each end; at most half of the hill",
      ),
      h("button", { type: "button", class: "btn", onclick: () => this.remove() }, "Remove"),
    );
  }

  private typed(input: HTMLInputElement): void {
    const list = this.grades().map((g) => ({ ...g }));
    const g = list[this.chosen];
    if (!g) return;
    const v =
      input.name === "grade"
        ? Number(input.value.replace(/[%\s]/g, "").replace("−", "-").replace(",", "."))
        : lengthTyped(input.value.replace("−", "-"));
    const desired = { ...g, [input.name]: input.name === "grade" ? angle(v) : v };
    const good = Number.isFinite(v) && JSON.stringify(fitted(list, this.chosen, desired)) === JSON.stringify(desired);
    input.setAttribute("aria-invalid", String(!good));
    if (!good) {
      this.app.toast(
        input.name === "grade"
          ? `Grade: ${-Math.round(percent(STEEPEST))} to ${Math.round(percent(STEEPEST))} %`
          : "The hill would overlap another, be shorter than 20 m, or have transitions longer than half of it",
      );
      return;
    }
    list[this.chosen] = desired;
    this.mine = list;
    this.send();
  }
}
