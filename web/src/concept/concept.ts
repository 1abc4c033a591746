// concept.ts - a concept on the bench: architecture, values, connections, masses, road, rig, spectrum and file, around the
// picture and the modes of the mechanism that is derived from it. All figures come from the server.
import { fixed } from "../base/units.ts";
import type { Core } from "../core/core.ts";
import { numbers } from "../wire/numbers.ts";
import { h } from "../ui/dom.ts";
import type { ConceptAnswer, World } from "../wire/protocol.ts";
import { AnalysesCard, LinearityCard } from "./analyses.ts";
import { CurvesCard } from "./curves.ts";
import { Draft, reason } from "./draft.ts";
import { Fields } from "./fields.ts";
import { GraphCard, MassCard } from "./graph.ts";
import { Handles, type Projection } from "./handles.ts";
import { placesOf } from "./places.ts";
import { RoadCard } from "./road.ts";
import { SourceCard } from "./source.ts";
import { ConceptTree, hue, type Picked } from "./tree.ts";

export const BLANK = `motorcade: concept
name: new_concept
assemblies:
  frame:
    components:
      mass: {box: [1, 1, 1], at: [0, 0, 1], mass: 100 kg}
`;
const RIG = ["camber", "toe", "ratio", "wheel_rate", "roll_centre"];

export class ConceptBench {
  readonly switch: HTMLElement;
  readonly elements: HTMLElement[];
  readonly draft: Draft;
  on = true; // the concept is shown, not the mechanism
  private picked: Picked | null = null;
  private readonly tree = new ConceptTree((p) => this.choose(p));
  private readonly fields: Fields;
  private readonly graph = new GraphCard();
  private readonly mass = new MassCard();
  private readonly road: RoadCard;
  private readonly rig = new CurvesCard("Rig");
  private readonly ride = new CurvesCard("Acceleration");
  private readonly spectrum = new CurvesCard("Spectrum", true);
  private readonly source: SourceCard;
  private readonly linearity: LinearityCard;
  private readonly analyses: AnalysesCard;
  readonly handles: Handles;
  private readonly rigOf = h("select", { class: "field", "aria-label": "Curve of the rig" });
  private readonly buttons: HTMLButtonElement[];
  private readonly undo = h("button", { class: "btn", title: "Take the last change of the concept back" }, "Undo edit");
  private readonly redo = h("button", { class: "btn", title: "Make it again" }, "Redo edit");
  private version = "";
  private rigAnswer: {
    columns: { name: string; unit: string; doc: string }[];
    rows: number;
    values: (number | null)[];
  } | null = null;

  constructor(
    private readonly app: Core,
    private readonly changed: () => void,
    say: (words: string) => void,
  ) {
    this.draft = new Draft(app, () => this.show(), say);
    const doing = {
      attempt: (e: Parameters<Draft["attempt"]>[0]) => this.draft.attempt(e),
      commit: (e: Parameters<Draft["attempt"]>[0], words: string) => this.draft.commit(e, words),
    };
    this.fields = new Fields(doing);
    this.road = new RoadCard(doing);
    this.source = new SourceCard(doing);
    this.handles = new Handles(doing, say);
    this.linearity = new LinearityCard(app, () => this.draft.world);
    this.analyses = new AnalysesCard(
      app,
      () => this.draft.world,
      () => this.changed(),
    );
    this.undo.addEventListener("click", () => void this.draft.back());
    this.redo.addEventListener("click", () => void this.draft.forth());
    this.rig.tools.append(this.rigOf);
    for (const name of RIG) this.rigOf.append(h("option", { value: name }, name.replaceAll("_", " ")));
    this.rigOf.addEventListener("change", () => this.showRig());
    this.ride.tools.append(
      h(
        "button",
        {
          class: "btn",
          title: "What it would be if everything moved slowly, dashed",
          onclick: () => void this.askRide(true),
        },
        "Quasi-static",
      ),
    );
    this.buttons = ["Concept", "Mechanism"].map((label, k) =>
      h(
        "button",
        { class: "btn me-toggle", "aria-pressed": String(k === 0), onclick: () => this.turn(k === 0) },
        label,
      ),
    );
    this.switch = h(
      "span",
      { class: "co-switch", role: "group", "aria-label": "Shown as" },
      ...this.buttons,
      this.undo,
      this.redo,
    );
    this.elements = [
      this.tree.element,
      this.fields.element,
      h(
        "div",
        { class: "co-cards" },
        this.road.element,
        this.mass.element,
        this.graph.element,
        this.ride.element,
        this.spectrum.element,
        this.rig.element,
        this.source.element,
        this.linearity.element,
        this.analyses.element,
      ),
    ];
  }
  private turn(on: boolean): void {
    this.on = on;
    this.buttons.forEach((b, k) => b.setAttribute("aria-pressed", String((k === 0) === on)));
    this.changed();
  }
  // A world is looked at; undefined: it is not a concept.
  look(w: World | undefined): void {
    const version = w?.concept ? `${w.world}:${w.version}` : "";
    this.switch.hidden = !version;
    if (version === this.version) return;
    this.version = version;
    this.linearity.forget();
    if (!w || !version) return;
    void this.analyses.open();
    void this.follow(w.world);
  }
  private async follow(world: number): Promise<void> {
    if (this.draft.world !== world || !this.draft.now) await this.draft.open(world);
    await this.askRide(false);
    await this.askSpectrum();
  }
  get answer(): ConceptAnswer | null {
    return this.draft.now;
  }
  // The colour of a shape of a body, by the assembly of its part; panels are seen through.
  paint(body: string, shape: number): { colour: string; clear: boolean } | null {
    const a = this.draft.now;
    if (!a || !this.on) return null;
    const k = a.bodies.findIndex((b) => b.name === body);
    const part = a.parts.find((p) => p.body === k && p.shape === shape);
    return part && part.kind !== "wheel" ? { colour: hue(a, part.group), clear: part.kind === "panel" } : null;
  }
  private choose(p: Picked): void {
    this.picked = p;
    this.show();
    if (p.kind === "axle" || this.draft.now?.axles.some((x) => x.name === p.name)) void this.askRig();
  }
  private show(): void {
    const a = this.draft.now;
    if (!a) return;
    const known =
      this.picked &&
      (this.picked.kind === "part" ? a.parts : [...a.assemblies, ...a.axles]).some((q) => q.name === this.picked!.name);
    if (!known)
      this.picked = a.axles[0]
        ? { kind: "axle", name: a.axles[0].name }
        : { kind: "assembly", name: a.assemblies[0]?.name ?? "" };
    this.tree.set(a, this.picked);
    this.fields.set(a, this.picked!);
    this.graph.set(a);
    this.mass.set(a);
    this.road.set(a);
    this.source.set(a);
    this.handles.set(placesOf(a, this.picked!));
    this.undo.disabled = !this.draft.canUndo;
    this.redo.disabled = !this.draft.canRedo;
    this.markModes();
    if (a.axles.length) void this.askRig();
    this.changed();
  }

  // ---- rig, acceleration, spectrum ----

  private rigBusy = false;
  private rigKey = "";
  private async askRig(): Promise<void> {
    const a = this.draft.now;
    if (!a || this.rigBusy) return;
    const axle = a.axles.find((x) => x.name === this.picked?.name)?.name ?? a.axles[0]?.name;
    const key = `${axle}|${a.text}`;
    if (!axle || key === this.rigKey) return;
    this.rigKey = key;
    this.rigBusy = true;
    try {
      this.rigAnswer = await this.app.ask("concept_rig", { text: a.text, axle });
    } catch (e) {
      this.rigAnswer = null;
      this.rig.set([], "", reason(e));
    }
    this.rigBusy = false;
    this.showRig();
    if (this.draft.now && this.draft.now.text !== a.text) void this.askRig();
  }
  private showRig(): void {
    const r = this.rigAnswer;
    if (!r) return;
    const column = r.columns.findIndex((c) => c.name.includes(this.rigOf.value));
    const of = (k: number) => Array.from({ length: r.rows }, (_, i) => r.values[i * r.columns.length + k] ?? NaN);
    if (column < 0) {
      this.rig.set([], "", "not defined for this suspension");
      return;
    }
    const c = r.columns[column]!;
    this.rig.set(
      [{ name: c.name, unit: c.unit, x: of(0), y: of(column) }],
      "m of travel",
      `${c.name.replaceAll("_", " ")}, ${c.unit}: ${c.doc}`,
    );
    this.changed();
  }
  private point(): { acceleration: string; place: string } {
    const path = this.draft.now?.values.find((v) => v.path.startsWith("points."))?.path;
    const name = path?.split(".")[1] ?? "chassis";
    return { acceleration: `${name}.acceleration.z`, place: `${name}.z` };
  }
  private async askRide(slow: boolean): Promise<void> {
    const world = this.draft.world;
    if (world < 0 || !this.draft.now?.axles.length) return;
    const column = this.point().acceleration;
    try {
      const r = await this.app.ask("analyse", {
        world,
        name: "response",
        values: { column: [column], step: slow ? "0.04" : "0.01", quasi_static: slow ? "1" : "0" },
      });
      const t = r.tables[0]!;
      const v = numbers(t.values);
      const of = (k: number) => Array.from({ length: t.rows }, (_, i) => v[i * t.columns.length + k]!);
      this.ride.set(
        t.columns.slice(1).map((c, k) => ({
          name: c.name,
          unit: "m/s²",
          x: of(0),
          y: of(k + 1),
          dashed: k > 0,
          colour: k > 0 ? 4 : 0,
        })),
        "s",
        `${column}, m/s²${slow ? "; dashed: quasi-static" : ""}`,
      );
    } catch (e) {
      this.ride.set([], "s", reason(e));
    }
    this.changed();
  }
  private spectrumCurve: { x: number[]; y: number[]; unit: string; note: string } | null = null;
  private async askSpectrum(): Promise<void> {
    const world = this.draft.world;
    if (world < 0 || !this.draft.now?.axles.length) return;
    try {
      const r = await this.app.ask("analyse", {
        world,
        name: "spectrum",
        values: { column: this.point().place, derivative: "2" },
      });
      const t = r.tables.find((q) => q.curves) ?? r.tables[0]!;
      const v = numbers(t.values);
      const of = (k: number) => Array.from({ length: t.rows }, (_, i) => v[i * t.columns.length + k]!);
      this.spectrumCurve = { x: of(0), y: of(1), unit: t.columns[1]?.unit ?? "", note: r.notes[0] ?? "" };
    } catch (e) {
      this.spectrumCurve = null;
      this.spectrum.set([], "Hz", reason(e));
    }
    this.markModes();
  }
  private markModes(): void {
    const s = this.spectrumCurve;
    const a = this.draft.now;
    if (!s || !a) return;
    const keep = s.x.map((f, i) => [f, s.y[i]!] as const).filter(([f]) => f > 0 && f <= 30);
    const marks = a.modes.filter((m) => m.imaginary > 0).map((m, k) => ({ at: m.frequency, label: String(k + 1) }));
    this.spectrum.set(
      [{ name: "amplitude", unit: s.unit, x: keep.map((p) => p[0]), y: keep.map((p) => p[1]) }],
      "Hz",
      s.note,
      marks,
    );
    this.changed();
  }

  // Handles over the picture; body: that the axes of the vehicle are fixed to.
  drawHandles(picture: Projection, body: number): void {
    this.handles.element.hidden = !this.on || !this.version || body < 0;
    if (!this.handles.element.hidden) this.handles.draw(picture, body);
  }
  draw(t: number): void {
    if (!this.on || !this.version) return;
    this.analyses.curves.draw();
    this.road.draw(t);
    this.rig.draw();
    this.ride.draw(t);
    this.spectrum.draw();
  }
  words(): string {
    const a = this.draft.now;
    return a ? `modes and loads in ${fixed(this.draft.took, 0)} ms${a.derived ? ", derived" : ""}` : "";
  }
}
