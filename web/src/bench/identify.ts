// identify.ts - the identification bench: the mass of a car found while it brakes (report, section
// 3.2; docs/identification.md).
//
// Four cars in two lanes; car 2 has the true mass, car 4 drives with the estimate. Every change of
// a parameter runs the bench again on the server (milliseconds). It is a rig next to the worlds, with
// a clock of its own, and says so: cars of a world are identified by their estimators.
// Driven by hand, the leaders' pedals and the true mass are what was pressed, second by second.
import { figures, fixed } from "../base/units.ts";
import { pill } from "../cards/card.ts";
import type { App, Part } from "../core/app.ts";
import { Axis, Face, colours, watch } from "../draw/chart.ts";
import { fill, h } from "../ui/dom.ts";
import { icon } from "../ui/icons.ts";
import type { Identified, Row } from "../wire/protocol.ts";
import { knob, rowOf, section, tick, type Knob } from "./benchform.ts";
import { brakedFor, rowAt, runOf, timeTo2, type Run } from "./identifydata.ts";
import { CLAIM, drawBelowMass, drawCars, drawMass } from "./identifydraw.ts";

const PULL = 1.0; // m/s^2, throttle of the leaders
const FINE = 0.002; // s, the small step
// Sliders: [name in the table, words, from, to, log]
const GAINS: Slide[] = [
  ["gamma1", "\u03b31", 1e-8, 1e-4, true],
  ["gamma2", "\u03b32", 1e-12, 1e-8, true],
];
const CARS: Slide[] = [
  ["true", "true mass", 1000, 4000],
  ["start", "first estimate", 500, 4000],
  ["nominal", "assumed M0", 1000, 4000],
  ["headway", "headway", 0.2, 3],
  ["k1", "k1", 0, 3],
  ["k2", "k2", 0, 1],
];
const LEADERS: Slide[] = [
  ["speed", "speed", 5, 50],
  ["deceleration", "deceleration", 0, 5],
  ["wave", "wave", 0, 3],
  ["brake", "brakes for", 1, 40],
  ["release", "brakes again", 0, 60],
  ["duration", "run", 10, 200],
];
const WRONG: Slide[] = [
  ["noise", "noise of v", 0, 0.5],
  ["drive_bias", "drive force", -0.5, 0.5],
  ["drag_bias", "drag force", -0.5, 0.5],
  ["force_error", "allowed for", 0, 0.9],
];
type Slide = [string, string, number, number, boolean?];

export function mountIdentify(host: HTMLElement, app: App): Part {
  return new Identify(host, app);
}

class Identify implements Part {
  private params: Record<string, number>;
  private run: Run | null = null;
  private t = 0;
  private playing = true;
  private last = performance.now();
  private dirty = true;
  private busy = false;
  private stale = true;
  private driven = false;
  private hands: [number, number, number][] = []; // s, m/s^2 of the leaders, kg of car 2: from then on
  private squares = true;
  private lampOn: boolean | null = null;
  private resultText = "";
  private readonly knobs = new Map<string, Knob>();
  private rows: Row[] | undefined; // the table of parameters; comes with the first answer
  private readonly panel: HTMLElement;
  private readonly cars: Face;
  private readonly mass: Face;
  private readonly below: Face;
  private readonly view = { x: new Axis(0, 1, 0, 1), y: new Axis(0, 1, 0, 1) };
  private readonly vAxis = new Axis(0, 1, 0, 1);
  private readonly eAxis = new Axis(0, 1, 0, 1);
  private readonly head = h("div", { class: "ts-line" });
  private readonly lamp = h("span", { class: "id-lamp", role: "status" });
  private readonly result = h("div", { class: "id-result", role: "status", "aria-live": "off" });
  private readonly verdict = h("div", { class: "id-verdict" });
  private readonly meter = h("div", { class: "id-meter" });
  private readonly clock = h("span", { class: "id-clock mono" }, "0.0 s");
  private readonly about = h("p", { class: "id-about" });
  private readonly playButton: HTMLButtonElement;
  private readonly note = h("p", { class: "id-note", role: "alert" });
  private readonly off: (() => void)[] = [];

  constructor(
    private readonly host: HTMLElement,
    private readonly app: App,
  ) {
    this.params = { ...(app.option<Record<string, number>>("identify") ?? {}) };
    this.rows = app.tables.find((t) => t.name === "identify")?.rows;
    this.playButton = h("button", {
      class: "iconbtn",
      type: "button",
      "aria-label": "Play or pause the bench",
      title: "Play or pause the bench",
      onclick: () => this.play(!this.playing),
    });
    const carsHost = h("div", { class: "id-cars" });
    const massHost = h("div", { class: "id-mass" });
    const belowHost = h("div", { class: "id-below" });
    const main = h("div", { class: "card id-main" }, this.bar(), this.about, carsHost, massHost, belowHost);
    this.panel = h(
      "div",
      { class: "card id-side", tabindex: "0", role: "region", "aria-label": "Parameters of the bench" },
      this.note,
    );
    host.append(h("div", { class: "id-bench" }, main, this.panel));
    if (this.rows) fill(this.panel, ...this.side());
    this.cars = new Face(carsHost, "Four cars: target pair and imaginary pair");
    this.mass = new Face(massHost, "Estimated mass over time");
    this.below = new Face(belowHost, "Speed and excitation over time");
    massHost.append(this.head);
    this.scrub(this.mass.canvas);
    for (const place of [carsHost, massHost, belowHost])
      this.off.push(
        watch(app, place, () => {
          this.dirty = true;
        }),
      );
    this.play(true);
    this.ask();
  }

  // ---- controls ----------------------------------------------------------------------------------

  private bar(): HTMLElement {
    const again = h(
      "button",
      {
        class: "iconbtn",
        type: "button",
        "aria-label": "From the start",
        title: "From the start",
        onclick: () => {
          this.t = 0;
          this.play(true);
        },
      },
      icon("first"),
    );
    return h(
      "header",
      { class: "id-bar" },
      h("h2", null, "Mass identification"),
      again,
      this.playButton,
      h("span", { class: "id-time" }, "bench time", this.clock),
      this.lamp,
      h("span", { class: "grow" }),
      this.result,
    );
  }

  private side(): HTMLElement[] {
    const brake = this.pedal("Brake", () => -Math.max(this.value("deceleration"), 0.5));
    const pull = this.pedal("Throttle", () => PULL);
    const three = h(
      "button",
      {
        class: "btn primary",
        type: "button",
        title: "The leaders brake for 3 s from now, then keep driving",
        onclick: () => this.brakeFor(3),
      },
      "Brake 3 s",
    );
    const script = h(
      "button",
      {
        class: "btn",
        type: "button",
        title: "The leaders drive as the parameters below say",
        onclick: () => this.script(),
      },
      "By script",
    );
    return [
      section("Leaders' pedals", h("div", { class: "id-pedals" }, three, brake, pull, script)),
      section("Gains of the observer", ...this.slides(GAINS), this.verdict, this.legend()),
      section("Excitation", this.meter),
      section("Cars", ...this.slides(CARS)),
      section(
        "Estimators",
        tick(
          "small step while braking",
          `control step ${FINE * 1e3} ms while car 2 brakes, ${figures(this.value("step") * 1e3, 3)} ms otherwise`,
          this.value("fine") > 0,
          (on) => this.set("fine", on ? FINE : 0, true),
        ),
        tick("with least squares", "recursive least squares on the same measurements", true, (on) => {
          this.squares = on;
          this.dirty = true;
        }),
      ),
      section("Leaders' script", ...this.slides(LEADERS)),
      section("Told wrong", ...this.slides(WRONG)),
      this.note,
    ];
  }

  private slides(list: Slide[]): HTMLElement[] {
    return list.map(([name, title, from, to, log]) => {
      const row = rowOf(this.rows, name);
      const k = knob(
        row,
        { title, from, to, log: log === true, value: this.params[name] ?? row.default ?? from },
        (value, done) => this.set(name, value, done),
      );
      this.knobs.set(name, k);
      return k.root;
    });
  }

  private legend(): HTMLElement {
    return h(
      "p",
      { class: "id-legend" },
      h("i", { class: "id-safe" }),
      "proven safe below",
      h("i", { class: "id-none" }),
      "no convergence",
    );
  }

  // Pressed and held: pointer, Space or Enter.
  private pedal(name: string, acceleration: () => number): HTMLElement {
    const b = h("button", { class: "btn", type: "button", title: `${name} of the leaders: press and hold` }, name);
    const down = () => {
      b.setAttribute("aria-pressed", "true");
      this.press(acceleration());
    };
    const up = () => {
      if (b.getAttribute("aria-pressed") === "true") {
        b.setAttribute("aria-pressed", "false");
        this.press(0);
      }
    };
    b.addEventListener("pointerdown", down);
    for (const type of ["pointerup", "pointerleave", "pointercancel", "blur"]) b.addEventListener(type, up);
    b.addEventListener("keydown", (e) => {
      if ((e.key === " " || e.key === "Enter") && !e.repeat) {
        e.preventDefault();
        e.stopPropagation();
        down();
      }
    });
    b.addEventListener("keyup", (e) => {
      if (e.key === " " || e.key === "Enter") {
        e.preventDefault();
        e.stopPropagation();
        up();
      }
    });
    return b;
  }

  private value(name: string): number {
    return this.params[name] ?? rowOf(this.rows, name).default ?? 0;
  }

  private set(name: string, value: number, done: boolean): void {
    if (name === "true" && this.driven) this.load(this.t, value);
    else this.params[name] = value;
    if (done) this.app.option("identify", { ...this.params });
    this.ask();
  }

  // ---- driving -----------------------------------------------------------------------------------

  private startDriving(): void {
    if (this.driven) return;
    this.driven = true;
    this.hands = [[0, 0, this.value("true")]];
    this.t = 0;
    this.play(true);
  }
  private awaited = false; // what the hands did is not in the run yet: time waits for it
  // From t on; what was planned for later is dropped. A mass set at this very instant stays: time
  // waits for an answer, so the next click can come at the same t.
  private hand(t: number, a: number): void {
    let mass = 0;
    while (this.hands.length > 1 && this.hands[this.hands.length - 1]![0] >= t) {
      const [at, , set] = this.hands.pop()!;
      if (at === t) mass = set;
    }
    this.hands.push([t, a, mass]);
    this.awaited = true;
  }
  // From t on; the pedals stay as they are and as planned.
  private load(t: number, mass: number): void {
    const next = this.hands.findIndex(([at]) => at > t);
    const k = (next < 0 ? this.hands.length : next) - 1;
    const [at, a] = this.hands[k]!;
    if (at === t) this.hands[k] = [t, a, mass];
    else this.hands.splice(k + 1, 0, [t, a, mass]);
    this.awaited = true;
  }
  private press(a: number): void {
    this.startDriving();
    this.hand(this.t, a);
    this.play(true);
    this.ask();
  }
  private brakeFor(seconds: number): void {
    this.startDriving();
    this.hand(this.t, -Math.max(this.value("deceleration"), 0.5));
    this.hand(this.t + seconds, 0);
    this.play(true);
    this.ask();
  }
  private script(): void {
    this.driven = false;
    this.t = 0;
    this.play(true);
    this.ask();
  }

  // ---- asking ------------------------------------------------------------------------------------

  private ask(): void {
    if (this.busy) {
      this.stale = true;
      return;
    }
    this.busy = true;
    this.stale = false;
    const args: Record<string, unknown> = { params: { ...this.params } };
    if (this.driven)
      Object.assign(args, {
        hands: this.hands.map(([t, acceleration, mass]) => ({ t, acceleration, mass })),
        params: { ...this.params, duration: Math.max(20, Math.ceil((this.t + 8) / 10) * 10) },
      });
    this.app
      .ask("identify", args)
      .then((a) => this.take(a))
      .catch((e: Error) => {
        this.note.textContent = e.message;
      })
      .finally(() => {
        this.busy = false;
        if (this.stale) this.ask();
        else this.awaited = false;
      });
  }

  private take(answer: Identified): void {
    this.run = runOf(answer);
    if (!this.rows) {
      this.rows = answer.table;
      fill(this.panel, ...this.side());
    }
    this.note.textContent = "";
    this.dirty = true;
    this.marks();
    this.app.touch();
  }

  // Marks on the rails of the gains, and what the ratio means.
  private marks(): void {
    const run = this.run!;
    const g1 = this.value("gamma1");
    const g2 = this.value("gamma2");
    this.mark("gamma2", GAINS[1]!, g1 * run.safe, g1 * run.convergent, true);
    this.mark("gamma1", GAINS[0]!, g2 / run.safe, g2 / run.convergent, false);
    const state = run.ratio < run.safe ? "ok" : run.ratio < run.convergent ? "plain" : "bad";
    const words = state === "ok" ? "proven safe" : state === "plain" ? "converges, not proven safe" : "no convergence";
    fill(
      this.verdict,
      pill(words, state),
      h(
        "span",
        { class: "mut" },
        ` \u03b32/\u03b31 = ${run.ratio.toExponential(2)} s/kg; safe below ${run.safe.toExponential(2)}, none above ${run.convergent.toExponential(2)}`,
      ),
    );
  }
  private mark(name: string, [, , from, to]: Slide, safe: number, bound: number, above: boolean): void {
    const rail = this.knobs.get(name)!.rail;
    rail.querySelectorAll(".id-mark, .id-hatch").forEach((e) => e.remove());
    const place = (v: number) => Math.min(1, Math.max(0, Math.log(v / from) / Math.log(to / from)));
    const at = (p: number) => `calc(6px + ${p.toFixed(4)} * (100% - 12px))`;
    if (safe > from && safe < to)
      rail.append(h("i", { class: "id-mark", title: "proven safe on this side", style: `left:${at(place(safe))}` }));
    const p = place(bound);
    rail.append(
      h("i", {
        class: "id-hatch",
        title: "no convergence",
        style: above ? `left:${at(p)};right:6px` : `left:6px;right:calc(100% - 6px - ${p.toFixed(4)} * (100% - 12px))`,
      }),
    );
  }

  // ---- time --------------------------------------------------------------------------------------

  private play(on: boolean): void {
    this.playing = on;
    this.last = performance.now();
    fill(this.playButton, icon(on ? "pause" : "play"));
    this.playButton.setAttribute("aria-pressed", String(on));
    this.app.touch(1000);
  }

  private scrub(canvas: HTMLCanvasElement): void {
    const go = (e: PointerEvent) => {
      this.t = Math.min(Math.max(this.view.x.value(e.offsetX), 0), this.length());
      this.dirty = true;
    };
    canvas.addEventListener("pointerdown", (e) => {
      canvas.setPointerCapture(e.pointerId);
      this.play(false);
      go(e);
      canvas.addEventListener("pointermove", go);
    });
    canvas.addEventListener("pointerup", () => canvas.removeEventListener("pointermove", go));
  }

  private length(): number {
    return this.run?.n ? this.run.col.t[this.run.n - 1]! : 0;
  }

  private advance(): void {
    const now = performance.now();
    if (this.playing && this.awaited) this.app.touch(300);
    else if (this.playing && this.run) {
      this.t += Math.min(0.2, (now - this.last) / 1000);
      if (this.driven && this.t > this.length() - 4)
        this.ask(); // more road ahead
      else if (!this.driven && this.t >= this.length()) {
        this.t = this.length();
        this.play(false);
      }
      this.dirty = true;
      this.app.touch(300);
    }
    this.last = now;
  }

  draw(_t: number): void {
    this.advance();
    if (!this.dirty || !this.run?.n) return;
    this.dirty = false;
    const run = this.run;
    const k = rowAt(run, this.t);
    const c = colours();
    const ink: [string, string] = [c.a, c.d];
    if (this.cars.fit()) drawCars(this.cars, run, k, [c.a, c.a]);
    if (this.mass.fit()) drawMass(this.mass, this.view, run, k, this.squares, ink);
    if (this.below.fit()) drawBelowMass(this.below, this.view.x, this.vAxis, this.eAxis, run, ink);
    this.head.style.transform = `translateX(${this.view.x.pixel(this.t)}px)`;
    this.head.style.height = "100%";
    this.write(run, k);
  }

  private write(run: Run, k: number): void {
    const braking = run.col.braking[k]! > 0;
    if (braking !== this.lampOn) {
      this.lampOn = braking;
      this.lamp.classList.toggle("id-on", braking);
      this.lamp.textContent = braking ? "identifying" : "not braking: at rest";
    }
    this.clock.textContent = `${fixed(this.t, 1)} s`;
    const about = `A rig next to the worlds with a clock of its own, 0 to ${fixed(this.length(), 0)} s; the timeline below is that of the worlds. A car of a world is identified by its estimator (Inspector, Car).`;
    if (this.about.textContent !== about) this.about.textContent = about;
    const claimed = run.col.claimed[k]! > 0;
    const since = timeTo2(run, "mass", k);
    const words = claimed
      ? `${fixed(run.col.mass[k], 0)} kg \u00b1 ${fixed(run.col.band[k], 0)} kg (95 %)`
      : `no claim yet (${fixed(run.col.mass[k], 0)} kg \u00b1 ${fixed(run.col.band[k], 0)})`;
    const squares =
      run.col.squares_claimed[k]! > 0 && this.squares
        ? `${fixed(run.col.squares[k], 0)} kg \u00b1 ${fixed(run.col.squares_band[k], 0)} kg`
        : "\u2013";
    const all = `${words}|${squares}|${fixed(since, 1)}`;
    if (all !== this.resultText) {
      this.resultText = all;
      fill(
        this.result,
        h("span", null, "mass ", h("b", null, words)),
        h("span", null, "least squares ", h("b", null, squares)),
        h(
          "span",
          null,
          "within 2 % ",
          h(
            "b",
            null,
            since === since
              ? `since ${fixed(since, 1)} s, ${fixed(brakedFor(run, rowAt(run, since)), 1)} s of braking`
              : "not yet",
          ),
        ),
      );
      this.mass.label(`Estimated mass: ${words}; true ${fixed(run.col.mass_true[k], 0)} kg; least squares ${squares}`);
    }
    this.writeMeter(run.col.excitation[k]!);
  }

  private writeMeter(e: number): void {
    const full = 3;
    const percent = Math.min(100, (100 * Math.max(e, 0)) / full);
    const enough = e >= CLAIM;
    this.meter.style.setProperty("--level", percent.toFixed(1) + "%");
    this.meter.style.setProperty("--claim", ((100 * CLAIM) / full).toFixed(1) + "%");
    this.meter.classList.toggle("id-weak", !enough);
    this.meter.textContent = `${fixed(e, 2)} m/s\u00b2 ${enough ? "enough" : `below ${CLAIM} m/s\u00b2: nothing is claimed`}`;
  }

  show(visible: boolean): void {
    if (visible) {
      this.dirty = true;
      this.last = performance.now();
    }
  }
  destroy(): void {
    for (const off of this.off) off();
    this.host.replaceChildren();
  }
}
