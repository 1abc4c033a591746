// bench.ts - the vehicle bench: a mechanism under the lamp.
//
// Mechanisms are worlds of the server, on a ground of their own (core/worlds.ts): clock, timeline and branches are those
// of the page. The bench fetches the rows of every world that is shown, draws the one that is looked at, and asks for
// modes, rest and travel of it. A value that is changed makes a branch from the instant that is shown.
import { figures, fixed } from "../base/units.ts";
import type { App, Part } from "../core/app.ts";
import type { Core } from "../core/core.ts";
import { BLANK, ConceptBench } from "../concept/concept.ts";
import { colours, watch } from "../draw/chart.ts";
import { branchName } from "../time/timeline.ts";
import { fill, h } from "../ui/dom.ts";
import type { MechanismPush, ModesAnswer, RestAnswer, World } from "../wire/protocol.ts";
import { BackButton } from "./back.ts";
import { Callouts, type Callout } from "./callouts.ts";
import { loadAt, loopLoadAt, Runs, springForce, type Chosen, type Loaded } from "./data.ts";
import { Inspector } from "./inspect.ts";
import type { Shown } from "./loads.ts";
import type { Marks } from "./marks.ts";
import { EigenCard, ModesCard } from "./modes.ts";
import { PlotCard } from "./plot.ts";
import { motionOf, poseAt, POSE, rowAt, type Motion } from "./poses.ts";
import type { Hit, Stage } from "./stage.ts";
import { SensitivityList } from "./sensitivity.ts";
import { TravelCard } from "./travel.ts";
import { Tree } from "./tree.ts";

const MODE_PERIOD = 1.6; // s of real time for one period of a mode
const SLOW_MS = 300; // between pictures while it plays without a graphics card
const HOLD_TRIES = 12;
const PUSH_MS = 160; // between two forces that are sent while a body is pushed

export function mountMechanism(host: HTMLElement, app: App): Part {
  return new MechanismBench(host, app as Core);
}

export class MechanismBench implements Part {
  stage: Stage | null = null;
  readonly runs: Runs;
  chosen: Chosen | null = null;
  mode = 0;
  private modeMotion: Motion | null = null;
  private modeMoves = true;
  private amplitude = 0.1;
  private held: string[] = [];
  private readonly modes = new Map<string, ModesAnswer>();
  private restPose: Float64Array | null = null;
  private restLoads: RestAnswer["loads"] = []; // of the wheels in it
  private shownRun: Loaded | null = null;
  private shownName = "";
  private pose = new Float64Array(0);
  private place = new Float64Array(0);
  private readonly shown: Shown = { forces: true, loads: "chosen" };
  private dirty = true;
  private drawnAt = 0;
  private drawnT = NaN;
  private lastChange = { name: "", at: NaN, world: -1 };
  private closed = false;
  private readonly scene = h("div", { class: "me-stage" });
  private readonly notes = new Callouts();
  private marks: Pick<typeof import("./stage.ts"), "conceptMarks" | "marksOf" | "wheelMarks"> | null = null;
  private readonly triad = h("canvas", { class: "me-triad", width: "128", height: "128", "aria-hidden": "true" });
  private readonly word = h("p", { class: "me-word", role: "status" });
  private readonly pick = h("select", { class: "field", "aria-label": "Mechanism" });
  private readonly chips = h("span", { class: "me-chips", role: "group", "aria-label": "World" });
  private readonly bar = h("span", { class: "me-scale" });
  private readonly axleKey = h("span", { class: "me-key me-blue", hidden: true }, "loads of the road at rest");
  private readonly tree = new Tree((c) => this.choose(c));
  private readonly inspector = new Inspector((name, value) => this.setValue(name, value));
  private readonly modesCard: ModesCard;
  private readonly eigen: EigenCard;
  readonly sensitivity: SensitivityList;
  private readonly travel: TravelCard;
  private readonly plots: PlotCard[];
  private readonly back: BackButton;
  private readonly off: (() => void)[] = [];
  readonly concept: ConceptBench;
  private readonly bench = h("div", { class: "me-bench" });

  constructor(
    host: HTMLElement,
    private readonly app: Core,
  ) {
    this.runs = new Runs(
      app,
      (l) => void this.arrived(l),
      (world, e) => this.say(`World ${app.letter(world)}: ${reasonOf(e)}`),
    );
    this.back = new BackButton(
      app,
      () => this.world(),
      (words) => this.say(words),
    );
    this.modesCard = new ModesCard({
      show: (n) => void this.showMode(n),
      hold: (names) => {
        this.held = names;
        this.modes.clear();
        this.stop();
        void this.askModes();
      },
      animate: (on) => {
        this.modeMoves = on;
        this.touch();
      },
      amplitude: (v) => {
        this.amplitude = v;
        this.touch();
      },
    });
    this.concept = new ConceptBench(
      app,
      () => this.conceptChanged(),
      (words) => this.say(words),
    );
    this.sensitivity = new SensitivityList((name) => this.inspector.focus(name));
    this.eigen = new EigenCard(app, (n) => void this.showMode(n), this.sensitivity.element);
    this.travel = new TravelCard(
      (a) => app.ask("travel", { world: this.world()!.world, ...a, hold: this.freeBodies() }),
      () => this.touch(),
    );
    this.plots = [
      new PlotCard(app, "me.plot", (l) => l.run.columns[0]?.name ?? "", "Plotted quantity"),
      new PlotCard(
        app,
        "me.plot2",
        (l) => l.run.columns.find((c) => /\.force$|energy\.total/.test(c.name))?.name ?? "",
        "Second plotted quantity",
      ),
    ];
    this.bench.append(
      h("h2", { class: "sr" }, "Vehicle bench"),
      this.tree.element,
      this.sceneCard(),
      this.modesCard.element,
      this.inspector.element,
      h("div", { class: "me-cards" }, this.eigen.element, this.travel.element, ...this.plots.map((p) => p.element)),
      ...this.concept.elements,
    );
    host.append(this.bench);
    this.listen();
    Object.assign(app, { benchPart: this }); // for tests
    void this.begin();
  }

  private sceneCard(): HTMLElement {
    const toggle = (label: string, title: string, on: boolean, flip: (on: boolean) => void) => {
      const b = h("button", { class: "btn me-toggle", title, "aria-pressed": String(on) }, label);
      b.addEventListener("click", () => {
        const now = b.getAttribute("aria-pressed") !== "true";
        b.setAttribute("aria-pressed", String(now));
        flip(now);
        this.touch();
      });
      return b;
    };
    const loads = h("select", { class: "field", "aria-label": "Constraint loads" });
    for (const [value, label] of [
      ["chosen", "loads: chosen"],
      ["all", "loads: all"],
      ["none", "loads: none"],
    ])
      loads.append(h("option", { value }, label));
    loads.addEventListener("change", () => {
      this.shown.loads = loads.value as Shown["loads"];
      this.touch();
    });
    return h(
      "section",
      { class: "card me-left" },
      h(
        "header",
        { class: "cd-head me-tools" },
        this.pick,
        h("button", { class: "btn", title: "A blank concept", onclick: () => void this.blank() }, "New concept"),
        this.concept.switch,
        this.chips,
        this.back.element,
        toggle("Forces", "Forces of springs and dampers as arrows", true, (on) => (this.shown.forces = on)),
        loads,
        toggle("Push", "Drag a body to push it (or Shift-drag): a force for as long as you hold it", false, (on) => {
          if (this.stage) this.stage.pushing = on;
        }),
        h(
          "button",
          { class: "btn", title: "Find the equilibrium from here", onclick: () => void this.rest() },
          "Equilibrium",
        ),
        h(
          "button",
          { class: "btn", title: "Simulate this world 5 s further", onclick: () => void this.longer() },
          "+5 s",
        ),
        h(
          "button",
          { class: "btn", title: "Look at all of it", onclick: () => this.stage?.home(this.shownRun?.motion) },
          "Home",
        ),
      ),
      this.scene,
      h(
        "div",
        { class: "me-legend" },
        h("span", { class: "me-key me-teal" }, "springs and dampers"),
        h("span", { class: "me-key me-plum" }, "constraint loads"),
        this.axleKey,
        h("span", { class: "me-key me-violet" }, "mode, never the motion"),
        this.bar,
      ),
      this.word,
    );
  }

  private listen(): void {
    const app = this.app;
    this.pick.addEventListener("change", () => void this.open(this.pick.value));
    const again = () => this.refresh();
    this.off.push(
      watch(app, this.scene, () => this.touch()),
      app.on("worlds", again),
      app.on("world", again),
      app.on("select", again),
      app.on("state", () => this.touch()),
      app.on("clock", () => this.touch()),
      app.on("theme", () => {
        this.stage?.theme(colours().dark);
        this.touch();
      }),
    );
  }
  private touch(): void {
    this.dirty = true;
    this.app.touch();
  }
  private say(words: string): void {
    this.word.textContent = words;
  }

  // ---- worlds ----

  private async begin(): Promise<void> {
    const files: string[] = [];
    try {
      const { folders } = await this.app.ask("files", {});
      for (const folder of folders)
        for (const f of folder.files) if (f.kind === "mechanism") files.push(`${folder.name}/${f.file}`);
    } catch (e) {
      this.say(reasonOf(e));
    }
    if (this.closed) return;
    fill(this.pick, h("option", { value: "" }, "Open…"), ...files.map((f) => h("option", { value: f }, f)));
    this.refresh();
    if (this.app.worldList.on("bench").length) return;
    if (!files.length)
      this.say("No mechanism in the folders of this studio: start it with --folder DIR, or drop a file here.");
    else if (!this.app.readOnly) await this.open(files.find((f) => /hmmwv_loops|quarter_car/.test(f)) ?? files[0]!);
  }
  private async blank(): Promise<void> {
    try {
      const { world } = await this.app.ask("open", { text: BLANK, name: "new_concept.yaml" });
      this.app.opened(world);
    } catch (e) {
      this.say(reasonOf(e));
    }
  }
  // The concept has new figures, or the mechanism is to be shown instead of it.
  private painted = "";
  private conceptChanged(): void {
    const on = this.concept.on && !!this.world()?.concept;
    this.bench.classList.toggle("is-concept", on);
    const a = this.concept.answer;
    const key = `${on}:${this.shownRun?.world}:${a?.parts.map((p) => p.group + p.shape).join()}`;
    if (key !== this.painted && this.stage && this.shownRun) {
      this.painted = key;
      this.stage.set(this.shownRun, true);
    }
    this.touch();
  }
  async open(file: string): Promise<void> {
    if (!file) return;
    this.say("Deriving and simulating…");
    try {
      const { world } = await this.app.ask("open", { file });
      this.app.opened(world);
      this.pick.value = file;
    } catch (e) {
      this.say(reasonOf(e)); // the last good one stays
    }
  }
  world(): World | undefined {
    const w = this.app.current();
    return w?.kind === "mechanism" ? w : undefined;
  }
  get run(): Loaded | null {
    return this.shownRun;
  }
  private shownRuns(): Loaded[] {
    return this.app.shown().flatMap((w) => this.runs.get(w.world) ?? []);
  }
  private other(): Loaded | null {
    const own = this.world()?.world;
    return this.shownRuns().find((l) => l.world !== own) ?? null;
  }
  private refresh(): void {
    if (this.app.worldList.ground !== "bench") return;
    this.runs.refresh(this.app.shown());
    this.showChips();
    this.back.refresh();
    const w = this.world();
    this.concept.look(w);
    this.bench.classList.toggle("is-concept", this.concept.on && !!w?.concept);
    const l = w && this.runs.get(w.world);
    if (l && l !== this.shownRun) void this.put(l);
    if (w) void this.askModes();
    this.touch();
  }
  private showChips(): void {
    const own = this.world()?.world;
    fill(
      this.chips,
      ...this.app.shown().map((w) =>
        h(
          "button",
          {
            class: "badge me-chip",
            style: `background:var(${this.app.worldList.token(w.world)})`,
            "aria-pressed": String(w.world === own),
            title: `${w.name}${w.change ? `: ${w.change.replace("->", "→")}` : ""}`,
            onclick: () => {
              this.app.attended = w.world;
              this.app.emit("select");
            },
          },
          this.app.letter(w.world),
        ),
      ),
    );
  }
  private async arrived(l: Loaded): Promise<void> {
    if (this.closed) return;
    if (l.world === this.world()?.world) await this.put(l);
    this.touch();
  }
  private async put(l: Loaded): Promise<void> {
    const again =
      this.shownName === l.run.name &&
      this.shownRun !== null &&
      this.shownRun.run.bodies.length === l.run.bodies.length;
    this.shownRun = l;
    if (!again) {
      this.held = [];
      this.chosen = null;
      this.modes.clear();
      this.stop();
    }
    this.shownName = l.run.name;
    this.restPose = null;
    this.restLoads = [];
    this.pose = new Float64Array(l.run.bodies.length * POSE);
    this.place = new Float64Array(l.run.points.length * 3);
    this.tree.set(l);
    this.travel.set(l);
    this.showChosen();
    await this.show3d(l, again);
    const r = l.run.report;
    this.say(
      l.run.failed ??
        `${l.run.bodies.length} bodies, ${r.recorded ? "recorded" : `${r.steps} steps of ${r.method} in ${figures(r.seconds, 2)} s`}` +
          (r.stopped ? `; stopped at ${fixed(r.time, 2)} s: it takes too long for the bench` : "") +
          (r.conserves && r.drift !== null ? `; energy kept to ${figures(r.drift, 2)}` : ""),
    );
    void this.askModes();
    this.touch();
  }
  private async show3d(l: Loaded, again: boolean): Promise<void> {
    if (!this.stage) {
      const made = await import("./stage.ts");
      if (this.closed || this.stage) return;
      this.marks = made;
      try {
        this.stage = new made.Stage(this.scene, () => this.touch());
      } catch {
        fill(this.scene, h("p", { class: "s3-none" }, "The picture needs WebGL, which this browser does not provide."));
        return;
      }
      this.scene.append(this.notes.element, this.triad, this.concept.handles.element);
      this.stage.theme(colours().dark);
      this.stage.paint = (body, shape) => this.concept.paint(body, shape);
      this.stage.onPick = (hit) => this.picked(hit);
      this.stage.onPush = (hit, force, phase) => void this.pushed(hit, [force.x, force.y, force.z], phase);
      this.stage.onLost = (lost) =>
        this.say(
          lost
            ? "The graphics card was lost; the picture comes back with it. Everything else works."
            : "The picture is back.",
        );
      if (this.shownRun) l = this.shownRun;
    }
    this.stage.canvas.setAttribute("aria-label", `${l.run.name} in 3-D. Arrow keys turn it, plus and minus zoom.`);
    this.stage.set(l, again);
  }

  // ---- what is chosen ----

  choose(c: Chosen | null): void {
    this.chosen = c;
    this.showChosen();
    this.touch();
  }
  private showChosen(): void {
    this.tree.mark(this.chosen);
    this.stage?.choose(this.chosen);
    if (this.shownRun) this.inspector.take(this.shownRun, this.other(), this.chosen);
  }
  private picked(hit: Hit | null): void {
    const body = hit && this.shownRun?.run.bodies[hit.body];
    if (!body) {
      this.choose(null);
      return;
    }
    // A second click on the same body takes its joint.
    const joint = this.chosen?.kind === "body" && this.chosen.name === body.name && body.joint !== "free";
    this.choose({ kind: joint ? "joint" : "body", name: body.name });
  }
  private chosenWords(l: Loaded, t: number): string {
    const c = this.chosen;
    if (!c) return "";
    const six: number[] = [];
    const k = l.run.bodies.findIndex((b) => b.name === c.name);
    const j = l.run.joints.find((o) => o.name === c.name);
    const spring = l.run.springs.find((s) => s.name === c.name);
    const kN = (v: number) => `${fixed(v / 1000, 2)} kN`;
    if (c.kind === "spring" && spring) return `${c.name}  ${kN(springForce(l, spring, t))}`;
    if ((c.kind === "joint" && loadAt(l, k, t, six)) || (c.kind === "loop" && j && loopLoadAt(l, j, t, six)))
      return `${c.name}  ${kN(Math.hypot(six[0] || 0, six[1] || 0, six[2] || 0))}`;
    const body = l.run.bodies[k];
    return c.kind === "body" && body ? `${c.name}  ${figures(body.mass ?? 0, 4)} kg` : c.name;
  }

  // ---- changes ----

  // Another value from the instant that is shown on: a branch, or the same branch again.
  private async setValue(name: string, value: number): Promise<boolean> {
    const w = this.world();
    const s = this.shownRun?.run.settable.find((o) => o.name === name);
    if (!w || !s || this.app.readOnly) return false;
    const at = s.group === "start" ? 0 : Math.max(this.app.clock.t, w.start);
    const last = this.lastChange;
    const again = last.world === w.world && last.name === name && Math.abs(last.at - at) < 1e-9;
    return this.change({ at, values: { [name]: value }, again }, name);
  }
  private async change(
    what: { at: number; values?: Record<string, number>; pushes?: MechanismPush[]; again?: boolean; end?: number },
    name: string,
  ): Promise<boolean> {
    const w = this.world();
    if (!w) return false;
    try {
      const done = await this.app.ask("mechanism_change", { world: w.world, ...what, name: branchName(this.app) });
      this.lastChange = { name, at: what.at, world: done.world };
      if (done.branched) {
        this.app.attended = done.world;
        this.app.emit("select");
      }
      return true;
    } catch (e) {
      this.say(reasonOf(e));
      return false;
    }
  }
  private async longer(): Promise<void> {
    const w = this.world();
    if (w) await this.change({ at: w.end, end: w.limit + 5, again: true }, "end");
  }

  // A force while a body is dragged: the first one makes a branch, later ones continue it, the last one is none.
  private push: { hit: Hit; sent: number; busy: boolean; next: number[] | null; world: number } | null = null;
  async pushed(hit: Hit, force: number[], phase: "begin" | "move" | "end"): Promise<void> {
    const body = this.shownRun?.run.bodies[hit.body];
    if (!body || this.app.readOnly) return;
    if (phase === "begin") {
      this.push = { hit, sent: 0, busy: false, next: null, world: -1 };
      this.choose({ kind: "body", name: body.name });
      return;
    }
    const p = this.push;
    if (!p) return;
    p.next = phase === "end" ? [0, 0, 0] : force;
    this.stage?.showPush(phase === "end" ? null : hit, force);
    if (phase === "end") this.push = null;
    await this.sendPush(p, body.name, phase === "end");
  }
  private async sendPush(p: NonNullable<MechanismBench["push"]>, body: string, last: boolean): Promise<void> {
    while (last && p.busy) await new Promise((done) => setTimeout(done, 30));
    if (p.busy || !p.next || (!last && performance.now() - p.sent < PUSH_MS)) return;
    p.busy = true;
    p.sent = performance.now();
    const force = p.next;
    p.next = null;
    const t = this.app.clock.t;
    if (!this.app.clock.playing) this.app.clock.play(true); // it moves while it is pushed
    await this.change(
      {
        at: t,
        pushes: [{ t, body, at: [p.hit.at.x, p.hit.at.y, p.hit.at.z], force }],
        again: p.world === this.world()?.world,
      },
      `push ${body}`,
    );
    p.world = this.lastChange.world;
    p.busy = false;
  }

  // ---- rest and modes ----

  freeBodies(): string[] {
    return (this.shownRun?.run.bodies ?? []).filter((b) => b.joint === "free").map((b) => b.name);
  }
  private key(w: World): string {
    return `${w.world}:${w.version}:${this.held.join()}`;
  }
  private asking = new Set<string>();
  private async askModes(): Promise<void> {
    for (const w of this.app.shown()) {
      if (w.kind !== "mechanism" || !this.runs.get(w.world)) continue;
      const key = this.key(w);
      if (this.modes.has(key) || this.asking.has(key)) continue;
      this.asking.add(key);
      try {
        const a = await this.app.ask("modes", { world: w.world, hold: this.held });
        if (this.modes.size > 40) this.modes.clear();
        this.modes.set(key, a);
      } catch (e) {
        if (w.world === this.world()?.world) this.say(`No modes: ${reasonOf(e)}`);
        if (this.held.length) this.held = [];
      } finally {
        this.asking.delete(key);
      }
    }
    this.showModes();
  }
  modesOf(w: World | undefined): ModesAnswer | undefined {
    return w && this.modes.get(this.key(w));
  }
  private showModes(): void {
    const own = this.world();
    const other = this.app.shown().find((w) => w.world !== own?.world);
    this.modesCard.set(this.modesOf(own), this.modesOf(other), this.mode, this.held);
    this.touch();
  }
  async showMode(number: number): Promise<void> {
    const w = this.world();
    if (this.mode === number || !w) {
      this.stop();
      this.showModes();
      return;
    }
    try {
      const a = await this.app.ask("modes", { world: w.world, hold: this.held, mode: number, amplitude: 0.1 });
      this.mode = number;
      this.modeMoves = true;
      this.modeMotion = motionOf(a);
      this.say(`Mode ${number} in violet: not the motion`);
      void this.askSensitivity(w, number);
    } catch (e) {
      this.say(reasonOf(e));
    }
    this.showModes();
  }
  private async askSensitivity(w: World, mode: number): Promise<void> {
    const a = await this.app.ask("sensitivity", { world: w.world, hold: this.held, mode }).catch(() => null);
    if (this.mode === mode && w.world === this.world()?.world) this.sensitivity.show(a);
    this.touch();
  }
  private stop(): void {
    this.mode = 0;
    this.sensitivity.show(null);
    this.modeMotion = null;
    this.restPose = null;
    this.restLoads = [];
  }
  async rest(): Promise<void> {
    const w = this.world();
    if (!w) return;
    try {
      const a = await this.findRest(w);
      this.stop();
      this.restPose = motionOf({ ...this.shownRun!.run, ...a.answer }).poses;
      this.restLoads = a.answer.loads;
      const start = () => {
        const values: Record<string, number> = {};
        for (const c of a.answer.coordinates) values[c.name] = c.value;
        void this.change({ at: 0, values }, "rest");
      };
      const hold = () => {
        this.held = a.hold;
        this.modes.clear();
        void this.askModes();
      };
      this.say(a.words);
      if (a.answer.rest && !this.app.readOnly)
        this.word.append(" ", h("button", { class: "btn", onclick: start }, "Start from it"));
      if (a.hold.length > this.held.length)
        this.word.append(" ", h("button", { class: "btn", onclick: hold }, "Hold it for the modes, too"));
    } catch (e) {
      this.say(reasonOf(e));
    }
    this.touch();
  }
  // As it is; else on its wheels; else with what floats held, and then whatever still accelerates.
  private async findRest(w: World): Promise<{ answer: RestAnswer; hold: string[]; words: string }> {
    const at = this.app.clock.t;
    const left = (a: RestAnswer) => `outlined in violet; ${figures(a.residual, 2)} of acceleration is left`;
    const first = await this.app.ask("rest", { world: w.world, at, hold: this.held });
    if (first.rest) return { answer: first, hold: this.held, words: `Equilibrium, ${left(first)}` };
    const floats = first.holdable.filter((o) => o.free).map((o) => o.name);
    if (floats.length) {
      const on = await this.app.ask("rest", { world: w.world, at, stand: true });
      const loads = on.loads.map((o) => `${o.body} ${figures(o.force / 1000, 4)} kN`).join(", ");
      if (on.rest)
        return {
          answer: on,
          hold: this.held,
          words: `Equilibrium on its wheels, held at their height, and at its place and yaw: ${loads}; ${left(on)}`,
        };
      const hold = [...new Set([...this.held, ...floats])];
      for (let k = 0; k < HOLD_TRIES; k++) {
        const answer = await this.app.ask("rest", { world: w.world, at, hold });
        const bodies = [...new Set(hold.map((name) => name.replace(/\.[^.]*$/, "")))].join(", ");
        if (answer.rest) return { answer, hold, words: `Equilibrium with ${bodies} held, ${left(answer)}` };
        const worst = answer.holdable.find((o) => o.name === answer.worst && !hold.includes(o.name));
        if (!worst) break;
        hold.push(worst.name);
      }
    }
    const why = first.why ?? `${first.worst} accelerates by ${figures(first.residual, 3)}`;
    return { answer: first, hold: this.held, words: `No equilibrium: ${why}. Hold something under Modes.` };
  }

  // ---- drawing ----

  draw(t: number): void {
    const l = this.shownRun;
    if (this.mode && this.modeMoves) this.touch();
    if (!l || this.app.worldList.ground !== "bench") return;
    if (!this.dirty && t === this.drawnT) return;
    // A processor that draws in place of a graphics card keeps time for the rest of the page.
    const moving = this.app.clock.playing || (this.mode > 0 && this.modeMoves);
    if (moving && this.stage?.slow && performance.now() - this.drawnAt < SLOW_MS) return;
    this.drawnAt = performance.now();
    this.drawnT = t;
    this.dirty = false;
    const [row, part] = rowAt(l.motion.t, l.motion.rows, t);
    poseAt(l.motion, row, part, this.pose, this.place);
    if (this.stage) this.draw3d(l, t, moving);
    this.inspector.draw(t);
    const list = this.shownRuns();
    for (const p of this.plots) p.draw(list, t);
    this.travel.draw(l, t);
    this.concept.draw(t);
    this.eigen.draw(
      this.app.shown().flatMap((w) => {
        const modes = this.modesOf(w);
        return modes ? [{ world: w.world, modes }] : [];
      }),
      this.world()?.world ?? -1,
      this.mode,
    );
  }
  private draw3d(l: Loaded, t: number, moving: boolean): void {
    const stage = this.stage!;
    const [width, height] = [this.scene.clientWidth, this.scene.clientHeight];
    const { answer } = this.concept;
    const concept = this.concept.on && this.world()?.concept ? answer : null;
    const marks = concept ? this.marks!.conceptMarks(l, concept, this.pose) : this.marks!.marksOf(l, this.pose, t);
    if (this.restPose && this.restLoads.length) this.marks!.wheelMarks(l, this.restPose, this.restLoads, marks);
    stage.mark(marks.reactions, marks.centres);
    stage.pose(this.pose, this.place, t, this.shown);
    stage.outlineAt(this.modePose() ?? this.restPose);
    stage.draw(width, height, moving);
    this.bar.textContent = stage.scale > 0 ? forceText(stage.unit) : "";
    this.bar.style.setProperty("--bar", `${Math.round(stage.barLength(height))}px`);
    this.axleKey.hidden = !marks.reactions.length;
    this.callOut(stage, marks, l, t, width, height);
    this.concept.drawHandles(
      stage,
      l.run.bodies.findIndex((b) => b.joint === "free"),
    );
    this.drawTriad(stage.axes());
  }
  // What is chosen, and at most four things more.
  private callOut(stage: Stage, marks: Marks, l: Loaded, t: number, width: number, height: number): void {
    const list: Callout[] = [];
    const add = (at: { x: number; y: number } | null, words: string, small: string, strong: boolean) => {
      if (at && at.x > 0 && at.x < 1 && at.y > 0 && at.y < 1)
        list.push({ x: at.x * width, y: at.y * height, words, small, strong });
    };
    const c = this.chosen;
    if (c) add(stage.onScreen(c), this.chosenWords(l, t), "", true);
    if (width > 420)
      for (const n of marks.notes.slice(0, 4)) {
        const same = c && "kind" in n.at && n.at.kind === c.kind && n.at.name === c.name;
        if (!same && (this.shown.forces || !("kind" in n.at))) add(stage.onScreen(n.at), n.words, n.small ?? "", false);
      }
    this.notes.show(list, width, height);
  }
  private drawTriad(axes: { x: number; y: number }[]): void {
    const g = this.triad.getContext("2d");
    if (!g) return;
    g.setTransform(2, 0, 0, 2, 0, 0);
    g.clearRect(0, 0, 64, 64);
    const c = colours();
    [c.danger, c.ok, c.a].forEach((colour, k) => {
      const a = axes[k]!;
      g.strokeStyle = g.fillStyle = colour;
      g.lineWidth = 2;
      g.beginPath();
      g.moveTo(32, 36);
      g.lineTo(32 + 20 * a.x, 36 + 20 * a.y);
      g.stroke();
      g.font = "600 10px sans-serif";
      g.fillText("xyz"[k]!, 29 + 27 * a.x, 39 + 27 * a.y);
    });
  }
  // The pose of the mode at this phase, its amplitude scaled about the equilibrium.
  private modeBuffer = new Float64Array(0);
  private modePose(): Float64Array | null {
    const m = this.modeMotion;
    if (!m) return null;
    if (this.modeBuffer.length !== m.bodies * POSE) this.modeBuffer = new Float64Array(m.bodies * POSE);
    const phase = this.modeMoves ? ((performance.now() / 1000 / MODE_PERIOD) % 1) * m.rows : 0;
    const row = Math.floor(phase) % m.rows;
    const next = (row + 1) % m.rows;
    const half = Math.floor(m.rows / 2);
    const part = phase - Math.floor(phase);
    const k = this.amplitude / 0.1;
    const width = m.bodies * POSE;
    for (let i = 0; i < width; i++) {
      // Half a period later it is at the other side: the middle of both is the equilibrium.
      const at = (r: number) => m.poses[r * width + i]!;
      const here = at(row) + part * (at(next) - at(row));
      const there = at((row + half) % m.rows) + part * (at((next + half) % m.rows) - at((row + half) % m.rows));
      const middle = (here + there) / 2;
      this.modeBuffer[i] = middle + k * (here - middle);
    }
    for (let b = 0; b < m.bodies; b++) {
      const o = b * POSE + 3;
      const n =
        Math.hypot(this.modeBuffer[o]!, this.modeBuffer[o + 1]!, this.modeBuffer[o + 2]!, this.modeBuffer[o + 3]!) || 1;
      for (let i = 0; i < 4; i++) this.modeBuffer[o + i] = this.modeBuffer[o + i]! / n;
    }
    return this.modeBuffer;
  }

  destroy(): void {
    this.closed = true;
    for (const f of this.off) f();
    this.stage?.close();
    this.stage = null;
  }
}

function forceText(n: number): string {
  return n >= 1000 ? `${figures(n / 1000, 1)} kN` : `${figures(n, 1)} N`;
}
function reasonOf(e: unknown): string {
  const text = e instanceof Error ? e.message : String(e);
  return text ? text[0]!.toUpperCase() + text.slice(1) : text;
}
