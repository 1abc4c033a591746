// inspect.ts - the inspector of the bench: loads of a joint, facts of a body, a spring, a point; parameters below.
import { figures, fixed, parse, unitText } from "../base/units.ts";
import { fill, h } from "../ui/dom.ts";
import type { BodyPart, JointPart, Settable } from "../wire/protocol.ts";
import { freeLoads, loadAt, loadPeaks, loopLoadAt, springForce, valueAt, type Chosen, type Loaded } from "./data.ts";
import { POSE, rowAt } from "./poses.ts";

const AXES = ["x", "y", "z"];

export class Inspector {
  readonly element: HTMLElement;
  private readonly title = h("h3", { class: "cd-title" }, "Parameters");
  private readonly sub = h("span", { class: "me-sum" });
  private readonly body = h("div", { class: "me-facts" });
  private readonly filter = h("input", {
    class: "field",
    type: "search",
    placeholder: "Filter by name",
    "aria-label": "Filter parameters",
  });
  private readonly list = h("div", { class: "me-list" });
  private l: Loaded | null = null;
  private other: Loaded | null = null;
  private chosen: Chosen | null = null;
  private rows: { bar: HTMLElement; value: HTMLElement }[] = [];
  private facts: { value: HTMLElement; read: (t: number) => string }[] = [];
  private peak = 1;
  private moment = 1;
  private shown = 0;

  constructor(private readonly set: (name: string, value: number) => Promise<boolean>) {
    this.element = h(
      "section",
      { class: "card me-inspect" },
      h("header", { class: "cd-head" }, this.title, this.sub),
      h(
        "div",
        { class: "me-scroll", tabindex: "0", role: "group", "aria-label": "What is chosen" },
        this.body,
        h("div", { class: "me-params" }, h("h4", null, "Parameters and start"), this.filter),
        this.list,
      ),
    );
    this.filter.addEventListener("input", () => this.values());
  }
  take(l: Loaded, other: Loaded | null, chosen: Chosen | null): void {
    const moved = chosen?.name !== this.chosen?.name || chosen?.kind !== this.chosen?.kind;
    this.l = l;
    this.other = other;
    this.chosen = chosen;
    if (moved) this.filter.value = "";
    this.show();
    this.values();
  }

  private show(): void {
    const run = this.l!.run;
    const c = this.chosen;
    this.rows = [];
    this.facts = [];
    const body = run.bodies.find((b) => b.name === c?.name);
    const joint = run.joints.find((j) => j.name === c?.name);
    const spring = run.springs.find((s) => s.name === c?.name);
    this.title.textContent = c?.name ?? run.name;
    if (c?.kind === "joint" && body) this.joint(body, body.joint, body.inboard, body.name);
    else if (c?.kind === "loop" && joint) this.joint(joint, joint.kind, joint.from, joint.to);
    else if (c?.kind === "body" && body) this.bodyFacts(body);
    else if (c?.kind === "spring" && spring) {
      this.sub.textContent = `${spring.from} to ${spring.to}`;
      const name = spring.name;
      this.put([
        ["Length", (t) => `${fixed(valueAt(this.l!, `${name}.length`, t), 4)} m`],
        ["Force, pushing apart", (t) => `${fixed(springForce(this.l!, spring, t) / 1000, 3)} kN`],
        ["Relaxed length", () => (spring.length ? `${figures(spring.length, 4)} m` : "-")],
        [
          "Stiffness",
          () => (spring.stiffness ? `${figures(spring.stiffness / 1000, 4)} kN/m` : spring.formula ? "formula" : "0"),
        ],
        ["Damping", () => (spring.damping ? `${figures(spring.damping / 1000, 4)} kN s/m` : "0")],
      ]);
    } else if (c?.kind === "spot") {
      this.sub.textContent = `on ${run.points.find((p) => p.name === c.name)?.body ?? "the ground"}`;
      this.put(AXES.map((a) => [a, (t) => `${fixed(valueAt(this.l!, `${c.name}.${a}`, t), 4)} m`]));
    } else this.whole();
  }
  private put(list: [string, (t: number) => string][]): void {
    fill(
      this.body,
      ...list.map(([label, read]) => {
        const value = h("b");
        this.facts.push({ value, read });
        return h("div", { class: "me-fact" }, h("span", null, label), value);
      }),
    );
    this.shown = 0;
  }
  private whole(): void {
    const r = this.l!.run;
    this.sub.textContent = r.file;
    this.put([
      ["Bodies", () => String(r.bodies.length)],
      ["Degrees of freedom", () => String(r.freedoms)],
      ["Rows of constraints", () => String(r.constraints)],
      ["Redundant rows", () => String(r.redundant)],
      ["Flops of a rate", () => String(r.flops)],
      ["Derived in", () => `${fixed(1000 * r.derive, 1)} ms`],
      ["Integrated by", () => (r.report.recorded ? "recorded" : `${r.report.method}, ${r.report.steps} steps`)],
      ["Energy kept to", () => (r.report.conserves && r.report.drift !== null ? figures(r.report.drift, 2) : "-")],
    ]);
  }
  private bodyFacts(b: BodyPart): void {
    const l = this.l!;
    const k = l.run.bodies.indexOf(b);
    this.sub.textContent = b.inboard ? `${b.joint} on ${b.inboard}` : b.joint;
    const place = (axis: number) => (t: number) => {
      const [row, part] = rowAt(l.motion.t, l.motion.rows, t);
      const at = (r: number) => l.motion.poses[(r * l.motion.bodies + k) * POSE + axis] ?? NaN;
      return `${fixed(at(row) + part * (at(Math.min(row + 1, l.motion.rows - 1)) - at(row)), 4)} m`;
    };
    this.put([
      ["Mass", () => `${figures(b.mass ?? 0, 5)} kg`],
      ["Mass centre", () => b.centre.map((v) => figures(v ?? 0, 3)).join(", ") + " m"],
      [
        "Inertia xx, yy, zz",
        () =>
          b.inertia
            .slice(0, 3)
            .map((v) => figures(v ?? 0, 4))
            .join(", ") + " kg m²",
      ],
      ["Shapes", () => (b.shapes.length ? b.shapes.map((s) => s.kind).join(", ") : "none")],
      ...AXES.map((a, i): [string, (t: number) => string] => [`Origin ${a}`, place(i)]),
    ]);
  }
  // Six loads about zero, with their extremes over the run; the free ones are said to be free.
  private joint(j: BodyPart | JointPart, kind: string, from: string | null, to: string | null): void {
    const l = this.l!;
    this.sub.textContent = `${kind.replaceAll("_", " ")}, ${from ?? "ground"} to ${to ?? "ground"}`;
    if ("shapes" in j && !l.loads.length) {
      fill(this.body, h("p", { class: "mut" }, "Loads of joints are not known where others switch on and off."));
      return;
    }
    const free = freeLoads(kind, j.axis);
    const { low, high } = loadPeaks(l, j);
    const largest = (from: number) =>
      Math.max(
        1e-9,
        ...[0, 1, 2]
          .map((k) => Math.max(Math.abs(low[from + k]!), Math.abs(high[from + k]!)) || 0)
          .filter(Number.isFinite),
      );
    this.peak = largest(0);
    this.moment = largest(3);
    const where = (v: number, k: number) => 50 + (50 * v) / (k < 3 ? this.peak : this.moment);
    fill(
      this.body,
      h("p", { class: "mut" }, `On ${to ?? "the ground"}, in the axes of the joint; ticks: extremes of the run`),
      ...AXES.concat(AXES).map((a, k) => {
        const name = `${k < 3 ? "F" : "M"}${a}`;
        const bar = h("i");
        const value = h("b");
        this.rows.push({ bar, value });
        const known = Number.isFinite(low[k]!) && Number.isFinite(high[k]!);
        return h(
          "div",
          { class: `me-load${free[k] ? " me-free" : ""}` },
          h("span", null, name),
          h(
            "span",
            { class: "me-bar6" },
            free[k] ? h("em", null, k < 3 ? `free: moves along ${a}` : `free: turns about ${a}`) : bar,
            known && !free[k] && h("u", { style: `left:${where(low[k]!, k)}%` }),
            known && !free[k] && h("u", { style: `left:${where(high[k]!, k)}%` }),
          ),
          value,
          h("span", { class: "me-sum" }, k < 3 ? "kN" : "kN m"),
        );
      }),
    );
    this.shown = 0;
  }
  draw(t: number): void {
    const now = performance.now();
    if (now < this.shown || !this.l) return; // the eye reads no more
    this.shown = now + 60;
    for (const f of this.facts) f.value.textContent = f.read(t);
    if (!this.rows.length) return;
    const six: number[] = [];
    const run = this.l.run;
    const body = run.bodies.findIndex((b) => b.name === this.chosen?.name);
    const joint = run.joints.find((j) => j.name === this.chosen?.name);
    if (this.chosen?.kind === "joint") loadAt(this.l, body, t, six);
    else if (joint) loopLoadAt(this.l, joint, t, six);
    this.rows.forEach(({ bar, value }, k) => {
      const v = six[k] ?? NaN;
      const known = Number.isFinite(v);
      const part = known ? Math.max(-50, Math.min(50, (50 * v) / (k < 3 ? this.peak : this.moment))) : 0;
      bar.style.left = `${50 + Math.min(part, 0)}%`;
      bar.style.width = `${Math.abs(part)}%`;
      value.textContent = known ? fixed(v / 1000, 2) : "";
    });
  }

  // ---- parameters ----

  // The field of a parameter, found by its name.
  focus(name: string): void {
    this.filter.value = "";
    this.values();
    this.element.querySelector<HTMLInputElement>(`input[aria-label^="${CSS.escape(name)}, "]`)?.focus();
  }
  private values(): void {
    const word = this.filter.value.trim().toLowerCase();
    const all = this.l?.run.settable ?? [];
    const own = this.chosen ? all.filter((s) => s.name.startsWith(`${this.chosen!.name}.`)) : [];
    const rows = word
      ? all.filter((s) => s.name.toLowerCase().includes(word))
      : [...own, ...all.filter((s) => !own.includes(s) && (s.group !== "start" || !this.chosen))];
    fill(this.list, ...rows.slice(0, 120).map((s) => this.row(s)));
  }
  private row(s: Settable): HTMLElement {
    const unit = unitText(s.unit);
    const other = this.other?.run.settable.find((o) => o.name === s.name)?.value;
    const differs = other !== undefined && other !== null && other !== s.value;
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
      void this.set(s.name, value).then((good) => {
        if (!good) field.setAttribute("aria-invalid", "true");
      });
    });
    const slide = s.group !== "start" && s.value ? this.slider(s, field) : null;
    return h(
      "label",
      {
        class: `me-row${differs ? " me-own" : ""}`,
        title: differs ? `${s.doc} (other world: ${figures(other, 4)})` : s.doc,
      },
      h("span", { class: "me-name" }, s.name),
      slide ?? h("span", { class: "me-group" }, s.group === "parameter" ? "" : s.group),
      field,
      h("span", { class: "bf-unit" }, unit),
    );
  }
  // From half of it to twice it.
  private slider(s: Settable, field: HTMLInputElement): HTMLElement {
    const slide = h("input", {
      type: "range",
      min: "-1",
      max: "1",
      step: "0.01",
      value: "0",
      "aria-label": `${s.name} slider`,
      tabindex: "-1",
    });
    const value = () => s.value! * 2 ** Number(slide.value);
    slide.addEventListener("input", () => (field.value = String(Number(value().toPrecision(4)))));
    slide.addEventListener("change", () => void this.set(s.name, Number(value().toPrecision(4))));
    return slide;
  }
}
