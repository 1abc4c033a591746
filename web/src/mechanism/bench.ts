// bench.ts - the vehicle bench: a mechanism under the lamp.
//
// A file is read by the server, simulated and sent as rows of poses; the bench plays them, plots any of its columns,
// lists its modes and shows them moving, and runs it again with other parameters. The run before stays as a pale line.
import { figures, fixed, parse, unitText } from "../base/units.ts";
import type { App, Part } from "../core/app.ts";
import { Axis, Face, colours, drawGrid, line, text, watch } from "../draw/chart.ts";
import { fill, h } from "../ui/dom.ts";
import { icon } from "../ui/icons.ts";
import type { MechanismRun, ModesAnswer, Settable } from "../wire/protocol.ts";
import { motionOf, numbers, poseAt, rowAt, POSE, type Motion } from "./poses.ts";
import type { Stage } from "./stage.ts";

const MODE_PERIOD = 1.6; // s of real time for one period of a mode
const SLOW_MS = 300; // between pictures while it plays without a graphics card

interface Plotted {
  t: Float64Array;
  y: Float64Array;
}

export function mountMechanism(host: HTMLElement, app: App): Part {
  return new MechanismBench(host, app);
}

export class MechanismBench implements Part {
  stage: Stage | null = null;
  run: MechanismRun | null = null;
  motion: Motion | null = null;
  t = 0;
  playing = false;
  private readonly app: App;
  private files: string[] = [];
  private file = "";
  private values: Record<string, number> = {};
  private numbersOf: Float64Array = new Float64Array(0);
  private before: Plotted | null = null;
  private column = "";
  private modes: ModesAnswer | null = null;
  private mode = 0;
  private modeMotion: Motion | null = null;
  private pose = new Float64Array(0);
  private place = new Float64Array(0);
  private asked = 0;
  private at = 0;
  private dirty = true;
  private drawnAt = 0;
  private readonly scene = h("div", { class: "me-stage" });
  private readonly word = h("p", { class: "me-word", role: "status" });
  private readonly pick = h("select", { class: "field", "aria-label": "Mechanism" });
  private readonly button = h("button", { class: "btn me-play", title: "Play or pause", "aria-label": "Play" });
  private readonly slide = h("input", { type: "range", min: "0", max: "1", step: "any", "aria-label": "Time" });
  private readonly clock = h("output", { class: "me-clock" });
  private readonly filter = h("input", {
    class: "field",
    type: "search",
    placeholder: "Filter by name",
    "aria-label": "Filter parameters",
  });
  private readonly list = h("div", { class: "me-list" });
  private readonly table = h("table", { class: "fg-table me-modes" });
  private readonly choose = h("select", { class: "field", "aria-label": "Plotted quantity" });
  private readonly face: Face;
  private readonly x = new Axis(0, 1, 0, 1);
  private readonly y = new Axis(0, 1, 0, 1);
  private readonly off: (() => void)[] = [];

  constructor(host: HTMLElement, app: App) {
    this.app = app;
    const plot = h("div", { class: "me-plot" });
    host.append(
      h(
        "div",
        { class: "me-bench" },
        h(
          "div",
          { class: "card me-left" },
          h(
            "header",
            { class: "cd-head" },
            h("h3", { class: "cd-title" }, "Mechanism"),
            this.pick,
            h("button", { class: "btn", title: "Look at all of it", onclick: () => this.stage?.home() }, "Home"),
          ),
          this.scene,
          h("div", { class: "me-bar" }, this.button, this.slide, this.clock),
          this.word,
        ),
        h(
          "div",
          { class: "me-right" },
          h(
            "section",
            { class: "card" },
            h("header", { class: "cd-head" }, h("h3", { class: "cd-title" }, "Plot"), this.choose),
            plot,
          ),
          h(
            "section",
            { class: "card me-grow" },
            h("header", { class: "cd-head" }, h("h3", { class: "cd-title" }, "Modes")),
            h("div", { class: "me-scroll" }, this.table),
          ),
          h(
            "section",
            { class: "card me-grow" },
            h("header", { class: "cd-head" }, h("h3", { class: "cd-title" }, "Parameters and start"), this.filter),
            h("div", { class: "me-scroll" }, this.list),
          ),
        ),
      ),
    );
    this.face = new Face(plot, "The chosen quantity over time");
    this.pick.addEventListener("change", () => this.open(this.pick.value));
    this.choose.addEventListener("change", () => {
      this.column = this.choose.value;
      this.before = null;
      this.touch();
    });
    this.filter.addEventListener("input", () => this.showValues());
    this.button.addEventListener("click", () => this.play(!this.playing));
    this.slide.addEventListener("input", () => this.seek(Number(this.slide.value)));
    this.off.push(
      watch(app, plot, () => this.touch()),
      watch(app, this.scene, () => this.touch()),
      app.on("state", (d) => {
        if (d?.option === "mechanism" && this.files.length) this.openKept();
      }),
      app.on("theme", () => {
        this.stage?.theme(colours().dark);
        this.touch();
      }),
    );
    Object.assign(app, { benchPart: this }); // for tests
    this.play(false);
    void this.begin();
  }

  private touch(): void {
    this.dirty = true;
    this.app.touch();
  }

  // ---- asking ----

  private async begin(): Promise<void> {
    try {
      const { folders } = await this.app.ask("files", {});
      for (const folder of folders)
        for (const f of folder.files) if (f.kind === "mechanism") this.files.push(`${folder.name}/${f.file}`);
    } catch (e) {
      this.say(reasonOf(e));
      return;
    }
    fill(this.pick, ...this.files.map((f) => h("option", { value: f }, f)));
    if (!this.files.length) {
      this.say("No mechanism in the folders of this studio: start it with --folder DIR.");
      return;
    }
    this.openKept();
  }

  // The one that was chosen last, here or in a list of files, which names it without its folder.
  private openKept(): void {
    const kept = this.app.option<string>("mechanism") ?? "";
    const file = this.files.find((f) => f === kept || f.endsWith(`/${kept}`)) ?? this.files[0]!;
    if (file !== this.file) void this.open(file);
  }

  async open(file: string): Promise<void> {
    this.file = this.pick.value = file;
    this.app.option("mechanism", file);
    this.values = {};
    this.before = null;
    this.column = "";
    this.t = 0;
    await this.again(true);
  }

  // Runs the mechanism with the values given. False: they were rejected, and the last run stays.
  private async again(fresh: boolean): Promise<boolean> {
    const mine = ++this.asked;
    this.say("Deriving and simulating…");
    this.stop();
    try {
      const run = await this.app.ask("mechanism", { file: this.file, values: this.values });
      if (mine !== this.asked) return true;
      if (!fresh) this.before = this.plotted();
      await this.take(run, fresh);
    } catch (e) {
      if (mine === this.asked) this.say(reasonOf(e));
      return false;
    }
    try {
      const modes = await this.app.ask("modes", { file: this.file, values: this.values });
      if (mine === this.asked) this.modes = modes;
    } catch (e) {
      if (mine !== this.asked) return true;
      this.modes = null;
      this.say(`No modes: ${reasonOf(e)}`);
    }
    this.showModes();
    return true;
  }

  private async take(run: MechanismRun, fresh: boolean): Promise<void> {
    this.run = run;
    this.motion = motionOf(run);
    this.numbersOf = numbers(run.values);
    this.pose = new Float64Array(run.bodies.length * POSE);
    this.place = new Float64Array(run.points.length * 3);
    this.slide.max = String(this.motion.t[this.motion.rows - 1] ?? 1);
    this.t = Math.min(this.t, Number(this.slide.max));
    if (!run.columns.some((c) => c.name === this.column)) this.column = run.columns[0]?.name ?? "";
    fill(this.choose, ...run.columns.map((c) => h("option", { value: c.name, title: c.doc }, c.name)));
    this.choose.value = this.column;
    await this.show3d(run);
    this.showValues();
    const r = run.report;
    this.say(
      run.failed ??
        `${run.bodies.length} bodies, ${r.steps} steps of ${r.method} in ${figures(r.seconds, 2)} s` +
          (r.stopped ? `; stopped at ${fixed(r.time, 2)} s: it takes too long for the bench` : "") +
          (r.conserves ? `; energy kept to ${figures(r.drift, 2)}` : ""),
    );
    if (fresh) this.play(true);
    this.touch();
  }

  private async show3d(run: MechanismRun): Promise<void> {
    if (!this.stage) {
      const { Stage } = await import("./stage.ts");
      try {
        this.stage ??= new Stage(this.scene, () => this.touch());
        this.stage.theme(colours().dark);
      } catch {
        fill(this.scene, h("p", { class: "s3-none" }, "The picture needs WebGL, which this browser does not provide."));
        return;
      }
    }
    this.stage.canvas.setAttribute("aria-label", `${run.name} in 3-D. Arrow keys turn it, plus and minus zoom.`);
    this.stage.set(run, this.motion!);
  }

  private say(words: string): void {
    this.word.textContent = words;
  }

  // ---- values ----

  private showValues(): void {
    const word = this.filter.value.trim().toLowerCase();
    const rows = (this.run?.settable ?? []).filter((s) => s.name.toLowerCase().includes(word));
    fill(this.list, ...rows.slice(0, 200).map((s) => this.row(s)));
  }

  private row(s: Settable): HTMLElement {
    const unit = unitText(s.unit);
    const field = h("input", {
      class: "field bf-number",
      type: "text",
      inputmode: "decimal",
      value: s.value === null ? "" : String(Number(s.value.toPrecision(8))),
      "aria-label": `${s.name}, ${unit}`,
      title: s.doc,
    });
    field.addEventListener("change", () => {
      const value = parse(field.value, s.unit);
      field.toggleAttribute("aria-invalid", value === null);
      if (value === null) return;
      const before = this.values;
      this.values = { ...before, [s.name]: value };
      void this.again(false).then((good) => {
        if (good) return;
        this.values = before; // a value that cannot be does not stay behind the next one
        field.setAttribute("aria-invalid", "true");
      });
    });
    const own = s.name in this.values ? " me-own" : "";
    return h(
      "label",
      { class: `me-row${own}`, title: s.doc },
      h("span", { class: "me-name" }, s.name),
      h("span", { class: "me-group" }, s.group === "parameter" ? "" : s.group),
      field,
      h("span", { class: "bf-unit" }, unit),
    );
  }

  // ---- modes ----

  private showModes(): void {
    const all = (this.modes?.modes ?? []).filter((m) => m.imaginary >= 0);
    const modes = [...all.filter((m) => !m.rigid), ...all.filter((m) => m.rigid)];
    const head = h("tr", null, ...["", "Hz", "damping", "moves"].map((t) => h("th", { scope: "col" }, t)));
    const rows = modes.map((m) =>
      h(
        "tr",
        { "aria-selected": String(this.mode === m.number), class: this.mode === m.number ? "on" : "" },
        h(
          "td",
          null,
          h(
            "button",
            { class: "btn", title: `Show mode ${m.number}`, onclick: () => void this.showMode(m.number) },
            String(m.number),
          ),
        ),
        h("td", null, m.rigid ? "rigid" : figures(m.frequency, 4)),
        h("td", null, m.rigid ? "" : figures(m.damping, 3)),
        h("td", null, m.moves),
      ),
    );
    const note =
      this.modes && !this.modes.rest
        ? [h("caption", null, "Not about an equilibrium: it finds none from its start.")]
        : [];
    fill(this.table, ...note, h("thead", null, head), h("tbody", null, ...rows));
  }

  async showMode(number: number): Promise<void> {
    if (this.mode === number) {
      this.stop();
      this.showModes();
      return;
    }
    try {
      const a = await this.app.ask("modes", { file: this.file, values: this.values, mode: number });
      this.mode = number;
      this.modeMotion = motionOf(a);
      this.play(true);
      this.say(`Mode ${number}, largest entry 0.1 m or rad: not the motion`);
      this.showModes();
    } catch (e) {
      this.say(reasonOf(e));
    }
  }

  private stop(): void {
    this.mode = 0;
    this.modeMotion = null;
  }

  // ---- time ----

  play(on: boolean): void {
    this.playing = on;
    this.at = performance.now();
    fill(this.button, icon(on ? "pause" : "play"));
    this.button.setAttribute("aria-label", on ? "Pause" : "Play");
    this.touch();
  }

  seek(t: number): void {
    this.play(false);
    this.stop();
    this.t = t;
    this.touch();
  }

  private advance(): void {
    const now = performance.now();
    const passed = Math.min((now - this.at) / 1000, 0.25);
    this.at = now;
    if (!this.playing || !this.motion) return;
    this.dirty = true;
    this.app.touch();
    if (this.modeMotion) return;
    const end = this.motion.t[this.motion.rows - 1] ?? 0;
    this.t += passed;
    if (this.t > end) this.t = end > 0 ? this.t % end : 0;
  }

  draw(): void {
    this.advance();
    if (!this.dirty || !this.motion) return;
    // A processor that draws in place of a graphics card keeps time for the rest of the page.
    if (this.playing && this.stage?.slow && performance.now() - this.drawnAt < SLOW_MS) return;
    this.drawnAt = performance.now();
    this.dirty = false;
    const m = this.modeMotion ?? this.motion;
    if (this.modeMotion) {
      const phase = ((performance.now() / 1000 / MODE_PERIOD) % 1) * m.rows;
      const row = Math.floor(phase) % m.rows;
      poseAt(m, row, row + 1 < m.rows ? phase - row : 0, this.pose, this.place);
    } else {
      const [row, part] = rowAt(m.t, m.rows, this.t);
      poseAt(m, row, part, this.pose, this.place);
    }
    this.stage?.pose(this.pose, this.place);
    this.stage?.draw(this.scene.clientWidth, this.scene.clientHeight);
    this.slide.value = String(this.t);
    this.clock.textContent = `${fixed(this.t, 2)} s`;
    this.drawPlot();
  }

  // ---- the plot ----

  private plotted(): Plotted | null {
    const run = this.run;
    const k = run?.columns.findIndex((c) => c.name === this.column) ?? -1;
    if (!run || !this.motion || k < 0) return null;
    const y = new Float64Array(this.motion.rows);
    for (let row = 0; row < y.length; row++) y[row] = this.numbersOf[row * run.columns.length + k]!;
    return { t: this.motion.t, y };
  }

  private drawPlot(): void {
    const now = this.plotted();
    if (!now || !this.face.fit()) return;
    const c = colours();
    const { g, width, height } = this.face;
    const shown = this.before ? [this.before, now] : [now];
    let low = Infinity;
    let high = -Infinity;
    for (const p of shown)
      for (const v of p.y) {
        if (v < low) low = v;
        if (v > high) high = v;
      }
    const pad = 0.08 * (high - low) || Math.max(Math.abs(high), 1e-3) * 0.1;
    this.x.set(0, Number(this.slide.max) || 1, 52, width - 20);
    this.y.set(low - pad, high + pad, height - 20, 8);
    drawGrid(g, this.x, this.y, "s", 26);
    for (const p of shown) {
      g.strokeStyle = p === now ? c.a : c.ink3;
      g.lineWidth = p === now ? 1.6 : 1;
      g.beginPath();
      for (let k = 0; k < p.t.length; k++) g.lineTo(this.x.pixel(p.t[k]!), this.y.pixel(p.y[k]!));
      g.stroke();
    }
    const at = this.x.pixel(this.t);
    line(g, at, 8, at, height - 20, c.focus);
    const column = this.run!.columns.find((k) => k.name === this.column);
    text(g, `${this.column}, ${unitText(column?.unit ?? "") || "-"}`, 58, 14, c.ink2);
  }

  destroy(): void {
    this.asked++;
    for (const off of this.off) off();
    this.stage?.close();
  }
}

function reasonOf(e: unknown): string {
  return e instanceof Error ? e.message : String(e);
}
