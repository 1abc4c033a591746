// string.ts - the String stability card: does a disturbance grow from car to car?
//
// Left the law's gain |G(jw)| from car to car, of each world; above 1 it amplifies (hatched, peak and
// frequency written). Right what was measured in the run: each car's gain against the car in front,
// as a bar from 1. The left part follows a gain while it is dragged; the right one is dimmed until
// the run with the new gain has arrived.
import { numberAt } from "../core/roster.ts";
import { fixed } from "../base/units.ts";
import type { App, Part, Trial } from "../core/app.ts";
import { onChange, onTrial } from "../core/trying.ts";
import {
  AXIS_FONT,
  Axis,
  BOLD_FONT,
  Face,
  TAG_FONT,
  colours,
  drawGrid,
  fitting,
  line,
  spread,
  text,
  watch,
  wrapped,
} from "../draw/chart.ts";
import { alpha, hatch } from "../draw/paint.ts";
import { h } from "../ui/dom.ts";
import type { StringRequest, StringResult } from "../wire/protocol.ts";
import { pill, type CardFrame } from "./card.ts";
import { carsOf } from "./fields.ts";

const WINDOW = 60; // s: the last ones when live, else about the playhead; a looped interval comes first

type Result = StringResult & Required<Pick<StringResult, "measured" | "w" | "gain">>;

export function makeString(frame: CardFrame, app: App): Part {
  return new StringCard(frame, app);
}

class StringCard implements Part {
  private results: Result[] = [];
  private trial: Trial | null = null;
  private trials = new Map<number, Result>();
  private waiting = false; // for the re-run of a change
  private busy = false;
  private stale = false;
  private dirty = true;
  private askedEnd = -1;
  private askedAt = 0;
  private reason = "";
  private readonly ends = new Map<number, number>(); // of the worlds, when they were measured
  private readonly face: Face;
  private readonly norm: HTMLButtonElement;
  private readonly off: (() => void)[] = [];
  private readonly wx = new Axis(0.1, 10, 0, 1, true);
  private readonly gy = new Axis(0, 1.25, 0, 1);
  private readonly by = new Axis(0.8, 1.2, 0, 1);

  constructor(
    private readonly frame: CardFrame,
    private readonly app: App,
  ) {
    this.face = new Face(frame.body, "String stability");
    this.norm = h("button", {
      class: "st-norm",
      type: "button",
      title: "Which gain is measured: L2 (energy) or L-infinity (peak value). Click to switch",
    });
    this.norm.addEventListener("click", () => {
      frame.kept.norm = this.infinite ? "l2" : "l_inf";
      frame.keep();
      this.nameNorm();
      this.dirty = true;
    });
    frame.body.append(this.norm);
    this.nameNorm();
    const again = () => {
      this.dirty = true;
    };
    this.off.push(
      watch(app, frame.body, again),
      app.on("worlds", () => this.ask()),
      app.on("world", () => this.ask()),
      app.on("clock", again),
      onTrial(app, (trial) => this.try(trial)),
      onChange(app, () => {
        this.waiting = true;
        this.ask();
      }),
    );
    this.ask();
  }

  private get infinite(): boolean {
    return this.frame.kept.norm === "l_inf";
  }
  private nameNorm(): void {
    const short = this.face.width > 0 && this.face.width < 280;
    this.norm.textContent = `${this.infinite ? "L\u221e" : "L2"} gain${short ? "" : ", car to car"}`;
  }

  // ---- asking ------------------------------------------------------------------------------------

  private window(): [number, number] {
    const clock = this.app.clock;
    if (clock.loop && clock.loopOn) return [clock.loop[0], clock.loop[1]];
    const to = clock.live ? clock.end : Math.min(clock.end, Math.max(clock.t + WINDOW / 2, clock.start + WINDOW));
    return [Math.max(clock.start, to - WINDOW), to];
  }

  private ask(): void {
    if (this.busy) {
      this.stale = true;
      return;
    }
    const worlds = this.app.shown().map((w) => w.world);
    if (!worlds.length) return;
    this.busy = true;
    const [from, to] = this.window();
    const trial = this.trial;
    const args: StringRequest = { worlds, from, to, ...(this.app.clock.live ? {} : { t: this.app.clock.t }) };
    if (trial?.params) {
      args.worlds = [trial.world];
      args.try = trial.params;
      args.controller = trial.controller;
    }
    this.askedEnd = to;
    for (const w of this.app.shown()) this.ends.set(w.world, w.end);
    this.askedAt = performance.now();
    this.app
      .ask("string", args)
      .then((answer) => this.take(answer.worlds.map(resultOf), trial))
      .catch((e: Error) => {
        this.reason = e.message;
        this.dirty = true;
      })
      .finally(() => {
        this.busy = false;
        if (this.stale) {
          this.stale = false;
          this.ask();
        }
      });
  }

  private behindAll(): boolean {
    return this.app.shown().some((w) => w.state === "running" && (this.ends.get(w.world) ?? -1) < this.askedEnd - 0.1);
  }
  // A world that had not been simulated to the window's end has got on since.
  private behind(): boolean {
    return this.app.shown().some((w) => {
      const end = this.ends.get(w.world) ?? -1;
      return end < this.askedEnd - 0.1 && w.end > end + 0.1;
    });
  }

  private take(list: Result[], trial: Trial | null): void {
    this.reason = "";
    if (trial) for (const r of list) this.trials.set(r.world, r);
    else {
      this.results = list;
      if (!this.trial) {
        this.trials.clear();
        this.waiting = this.behindAll();
      }
    }
    this.dirty = true;
    this.app.touch();
    this.pills();
  }

  private try(trial: Trial): void {
    this.trial = trial.params ? trial : null;
    this.waiting = true; // the change itself comes next; the tried curve stays until then
    if (this.trial) this.ask();
  }

  // The curve of a world: of the gains being tried, where there are some.
  private curve(r: Result): Result {
    return this.trials.get(r.world) ?? r;
  }

  private pills(): void {
    this.frame.pills.replaceChildren(
      ...this.results.map((r) => {
        const c = this.curve(r);
        const letter = this.app.letter(r.world);
        const p = pill(
          c.peak === null || c.peak === undefined
            ? `${letter} ${c.verdict || "no analysis"}`
            : `${letter} |peak |${fixed(c.peak, 2)}`,
          (c.peak ?? null) === null ? "plain" : amplifies(c) ? "bad" : "ok",
        );
        p.title = c.text || c.verdict;
        return p;
      }),
    );
  }

  // ---- drawing -----------------------------------------------------------------------------------

  draw(_t: number): void {
    const [, to] = this.window();
    const past = performance.now() - this.askedAt;
    if (past < 400 || this.behind()) this.app.touch(500);
    if (
      !this.busy &&
      past > 300 &&
      ((Math.abs(to - this.askedEnd) > 0.05 && (past > 1000 || !this.app.clock.live)) || this.behind())
    )
      this.ask();
    if (!this.dirty || !this.face.fit()) return;
    this.dirty = false;
    const split = Math.round(this.face.width * 0.6);
    this.drawCurves(36, split - 12, 26, this.face.height - 38);
    this.drawBars(split + 34, this.face.width - 14, 26, this.face.height - 38);
    this.drawFoot();
    this.norm.style.left = split + 6 + "px";
    this.nameNorm();
    this.describe();
  }

  private drawCurves(left: number, right: number, top: number, bottom: number): void {
    const g = this.face.g;
    const c = colours();
    const list = this.results.map((r) => this.curve(r)).filter((r) => r.w?.length);
    text(g, "|G(j\u03c9)|", left, 11, c.ink2, "left", BOLD_FONT);
    if (!list.length)
      return wrapped(
        g,
        this.reason || "no law with a linear model",
        (left + right) / 2,
        (top + bottom) / 2,
        right - left,
        c.ink3,
        TAG_FONT,
      );
    let peak = 1.16;
    let from = Infinity;
    let to = 0;
    for (const r of list) {
      peak = Math.max(peak, r.peak ?? 0);
      from = Math.min(from, r.w[0]!);
      to = Math.max(to, r.w[r.w.length - 1]!);
    }
    this.wx.set(Math.max(from, 0.05), Math.min(to, 20), left, right);
    this.gy.set(0, Math.min(peak * 1.08, 4), bottom, top);
    const one = this.gy.pixel(1);
    g.fillStyle = alpha(c.danger, 0.07);
    g.fillRect(left, top, right - left, one - top);
    drawGrid(g, this.wx, this.gy);
    text(g, "rad/s", right, 11, c.ink3, "right");
    g.setLineDash([4, 3]);
    line(g, left, one, right, one, c.danger, 1.2);
    g.setLineDash([]);
    g.save();
    g.beginPath();
    g.rect(left, top, right - left, bottom - top);
    g.clip();
    for (const r of list) this.drawCurve(r, one);
    g.restore();
    this.drawPeaks(list, left, right, top);
  }

  private drawCurve(r: Result, one: number): void {
    const g = this.face.g;
    const c = colours();
    if (amplifies(r)) {
      g.beginPath();
      for (let k = 0; k < r.w.length; k++) g.lineTo(this.wx.pixel(r.w[k]!), Math.min(this.gy.pixel(r.gain[k]!), one));
      g.lineTo(this.wx.pixel(r.w[r.w.length - 1]!), one);
      g.lineTo(this.wx.pixel(r.w[0]!), one);
      g.fillStyle = hatch(g, alpha(c.danger, 0.7));
      g.fill();
    }
    g.strokeStyle = this.app.colour(r.world);
    g.lineWidth = 1.8;
    g.lineJoin = "round";
    g.beginPath();
    for (let k = 0; k < r.w.length; k++) g.lineTo(this.wx.pixel(r.w[k]!), this.gy.pixel(r.gain[k]!));
    g.stroke();
  }

  // "1.15 at 0.94" above each peak over 1.
  private drawPeaks(list: Result[], left: number, right: number, top: number): void {
    const g = this.face.g;
    const shown = list.filter((r) => amplifies(r) && (r.peak_w ?? 0) > 0);
    const heights = shown.map((r) => Math.max(this.gy.pixel(r.peak!) - 9, top + 6));
    const order = shown.map((_, k) => k);
    spread(heights, order, 12, top + 6, this.gy.pixel(1) + 30);
    shown.forEach((r, k) => {
      g.font = BOLD_FONT;
      const words = `${fixed(r.peak, 2)} at ${fixed(r.peak_w, 2)}`;
      const half = g.measureText(words).width / 2 + 2;
      text(
        g,
        words,
        Math.min(Math.max(this.wx.pixel(r.peak_w!), left + half), right - half),
        heights[k]!,
        this.app.colour(r.world),
        "center",
        BOLD_FONT,
      );
    });
  }

  private gainOf(m: Result["measured"][number]): number {
    const v = this.infinite ? m.l_inf : m.l2;
    return v ?? NaN;
  }

  private drawBars(left: number, right: number, top: number, bottom: number): void {
    const g = this.face.g;
    const c = colours();
    const list = this.results.filter((r) => r.enough && r.measured?.length);
    if (!list.length) {
      if (this.results.length)
        wrapped(g, "not enough excitation", (left + right) / 2, (top + bottom) / 2, right - left, c.ink3, TAG_FONT);
      return;
    }
    const stale = this.waiting || this.trial !== null;
    g.globalAlpha = stale ? 0.35 : 1;
    let low = 1;
    let high = 1;
    let cars = 0;
    for (const r of list) {
      for (const m of r.measured) {
        const v = this.gainOf(m);
        if (v < low) low = v;
        if (v > high) high = v;
      }
      cars = Math.max(cars, r.measured.length);
    }
    this.by.set(Math.min(0.98, 1 - (1 - low) * 1.15), Math.max(1.02, Math.min(1 + (high - 1) * 1.15, 4)), bottom, top);
    const one = this.by.pixel(1);
    g.fillStyle = alpha(c.danger, 0.07);
    g.fillRect(left, top, right - left, one - top);
    const x = new Axis(0, cars, left, right);
    this.by.make(22);
    for (let i = 0; i < this.by.ticks.length; i++) {
      const y = Math.round(this.by.pixel(this.by.ticks[i]!)) + 0.5;
      line(g, left, y, right, y, c.line);
      text(g, this.by.labels[i]!, left - 6, y, c.ink3, "right");
    }
    list.forEach((r, k) => this.drawWorldBars(r, k, list.length, x, one));
    g.setLineDash([4, 3]);
    line(g, left, one, right, one, c.danger, 1.2);
    g.setLineDash([]);
    this.drawPlaces(list[0]!, x, bottom);
    g.globalAlpha = 1;
    if (stale) text(g, "runs again", (left + right) / 2, top + 10, c.ink2, "center", TAG_FONT);
  }

  private drawWorldBars(r: Result, k: number, worlds: number, x: Axis, one: number): void {
    const g = this.face.g;
    const slot = x.pixel(1) - x.pixel(0);
    const wide = Math.max(1, Math.min(7, (slot - 2) / worlds - 1));
    const colour = this.app.colour(r.world);
    const danger = colours().danger;
    for (let i = 0; i < r.measured.length; i++) {
      const v = this.gainOf(r.measured[i]!);
      if (!(v === v)) continue;
      const px = x.pixel(i + 0.5) + (k - (worlds - 1) / 2) * (wide + 1) - wide / 2;
      const py = Math.max(this.by.pixel(v), this.by.b);
      g.fillStyle = colour;
      g.fillRect(px, Math.min(py, one), wide, Math.abs(one - py));
      if (v > 1) {
        g.fillStyle = danger;
        g.fillRect(px, py - 1.5, wide, 3);
      }
    }
  }

  // Places of the cars, as many as fit.
  private drawPlaces(r: Result, x: Axis, bottom: number): void {
    const cars = carsOf(this.app, r.world);
    const wide = 8 + 6 * String(r.measured.length).length; // px of the longest number, with a space
    const every = Math.max(1, Math.ceil(wide / (x.pixel(1) - x.pixel(0))));
    for (let i = 0; i < r.measured.length; i += every) {
      const place = cars.find((car) => car.name === r.measured[i]!.vehicle)?.place ?? i + 2;
      text(this.face.g, String(numberAt(place)), x.pixel(i + 0.5), bottom + 11, colours().ink3, "center");
    }
  }

  // What was measured and when; the product of all gains.
  private drawFoot(): void {
    const g = this.face.g;
    const c = colours();
    const y = this.face.height - 12;
    const measured = this.results.filter((r) => r.measured.length > 0);
    let x = this.face.width - 14;
    for (let k = measured.length - 1; k >= 0; k--) {
      const r = measured[k]!;
      const words = `${this.app.letter(r.world)} ${r.enough ? fixed(this.product(r), 2) : "\u2013"}`;
      text(g, words, x, y, this.app.colour(r.world), "right", BOLD_FONT);
      x -= g.measureText(words).width + 8;
    }
    if (measured.length) {
      const words = "head to tail";
      text(g, words, x, y, c.ink3, "right");
      x -= g.measureText(words).width + 8;
    }
    const first = this.results.find((r) => r.signal);
    if (!first) return;
    const when = windowText(first.window);
    const what = `${first.signal}, ${when}`;
    g.font = AXIS_FONT;
    text(g, fitting(g, x - 12, [`measured: ${what}`, what, when]), 12, y, c.ink3, "left", AXIS_FONT);
  }

  private product(r: Result): number {
    if (!this.infinite) return r.head_to_tail ?? NaN;
    return r.head_to_tail_inf ?? r.measured.reduce((p, m) => p * (m.l_inf ?? NaN), 1);
  }

  // The same in words, for those who do not see the picture.
  private describe(): void {
    this.face.label(
      this.results
        .map((r) => {
          const c = this.curve(r);
          const letter = this.app.letter(r.world);
          return (
            `${letter}: ${(c.peak ?? null) === null ? c.verdict : `peak ${fixed(c.peak, 3)} at ${fixed(c.peak_w, 3)} rad/s, ${amplifies(c) ? "amplifies" : "does not amplify"}`}` +
            (r.enough ? `; measured head to tail ${fixed(this.product(r), 2)}` : "; not enough excitation")
          );
        })
        .join(". "),
    );
  }

  destroy(): void {
    for (const off of this.off) off();
  }
}

function amplifies(r: Result): boolean {
  return r.verdict ? /unstable|amplif/i.test(r.verdict) : (r.peak ?? 0) > 1.0005;
}

function windowText(w: [number, number] | undefined): string {
  return w ? `${fixed(w[0], w[1] - w[0] < 10 ? 1 : 0)}\u2013${fixed(w[1], w[1] - w[0] < 10 ? 1 : 0)} s` : "";
}

// A result with lists where the server has nothing to say.
export function resultOf(r: StringResult): Result {
  return { ...r, measured: r.measured ?? [], w: r.w ?? [], gain: r.gain ?? [] };
}
