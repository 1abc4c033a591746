// fields.ts - the inspector of a concept: the values of what is chosen, as in the file, each with a slider.
import { fill, h } from "../ui/dom.ts";
import type { ConceptAnswer } from "../wire/protocol.ts";
import type { Edit } from "./draft.ts";
import type { Picked } from "./tree.ts";

export interface FieldsDo {
  attempt(edit: Edit): Promise<string>;
  commit(edit: Edit, words: string): Promise<string>;
}

// The path of what is chosen in the file.
export function pathOf(a: ConceptAnswer, p: Picked): string {
  if (p.kind === "axle") return `axles.${p.name}`;
  if (p.kind === "assembly") return `assemblies.${p.name}`;
  const part = a.parts.find((q) => q.name === p.name);
  if (!part) return "";
  const own = part.name.slice(part.group.length + 1);
  for (const name of [own, own.replace(/_[lr]$/, "")])
    for (const kind of ["beams", "panels", "components"]) {
      const path = `assemblies.${part.group}.${kind}.${name}`;
      if (a.values.some((v) => v.path.startsWith(`${path}.`))) return path;
    }
  return `axles.${part.group}`;
}

export class Fields {
  readonly element: HTMLElement;
  private readonly head = h("h3", { class: "cd-title" }, "Concept");
  private readonly top = h("div", { class: "co-template" });
  private readonly list = h("div", { class: "co-fields" });
  private readonly lost = h("ul", { class: "co-lost", "aria-label": "Not kept" });
  private shown = "";
  private held = false; // a slider is being dragged
  constructor(private readonly doing: FieldsDo) {
    this.element = h(
      "section",
      { class: "card co-inspect" },
      h("header", { class: "cd-head" }, this.head),
      h(
        "div",
        { class: "me-scroll", tabindex: "0", role: "region", "aria-label": "Values" },
        this.top,
        this.lost,
        this.list,
      ),
    );
  }
  set(a: ConceptAnswer, p: Picked): void {
    const path = pathOf(a, p);
    this.head.textContent = p.name;
    const own = a.values.filter(
      (v) =>
        v.path.startsWith(`${path}.`) &&
        (p.kind !== "assembly" || !/\.(beams|panels|components|connections)\./.test(v.path.slice(path.length))),
    );
    const key = `${path}|${own.map((v) => v.path).join()}`;
    if (a.lost.length) fill(this.lost, ...a.lost.map((l) => h("li", null, l)));
    if (key === this.shown) {
      this.refresh(own);
      return;
    }
    this.shown = key;
    if (!a.lost.length) fill(this.lost);
    fill(this.top, ...(p.kind === "axle" ? this.templates(a, p.name, path) : []));
    fill(this.list, ...own.filter((v) => !v.path.endsWith(".template")).map((v) => this.field(v.path, path, v.text)));
  }
  private refresh(own: { path: string; text: string }[]): void {
    for (const v of own) {
      const i = this.list.querySelector<HTMLInputElement>(`input[data-path="${v.path}"]`);
      if (i && document.activeElement !== i && i.value !== v.text) i.value = v.text;
      const r = this.list.querySelector<HTMLInputElement>(`input[data-slides="${v.path}"]`);
      if (r && !this.held) setRange(r, v.text);
    }
  }
  private templates(a: ConceptAnswer, axle: string, path: string): HTMLElement[] {
    const now = a.values.find((v) => v.path === `${path}.template`)?.text ?? "";
    const select = h("select", { class: "field", "aria-label": `Template of ${axle}` });
    for (const t of a.templates)
      select.append(h("option", { value: t.name, title: t.doc }, t.name.replaceAll("_", " ")));
    select.value = now;
    const say = h("p", { class: "co-wrong", role: "alert" });
    select.addEventListener("change", () => {
      void this.doing.commit({ template: { axle, to: select.value } }, `${axle}: ${select.value}`).then((why) => {
        say.textContent = why;
        if (why) select.value = now;
      });
    });
    return [h("label", { class: "co-label" }, "Template", select), say];
  }
  private field(path: string, root: string, text: string): HTMLElement {
    const name = path
      .slice(root.length + 1)
      .replace(/^hardpoints\./, "")
      .replace(/\.0$/, " x")
      .replace(/\.1$/, " y")
      .replace(/\.2$/, " z")
      .replaceAll(".", " ");
    const wrong = h("p", { class: "co-wrong", role: "alert" });
    const input = h("input", {
      class: "field co-value",
      type: "text",
      value: text,
      "data-path": path,
      "aria-label": name,
      spellcheck: "false",
    });
    let latest = 0; // a run that ends late does not speak for a value typed since
    const done = (value: string) => {
      const own = ++latest;
      void this.doing.commit({ changes: [{ path, value }] }, `${name} ${value}`).then((why) => {
        if (own !== latest) return;
        wrong.textContent = why;
        input.setAttribute("aria-invalid", String(why !== ""));
      });
    };
    input.addEventListener("change", () => done(input.value));
    const row = h("div", { class: "co-field" }, h("span", { class: "co-name" }, name));
    const m = /^(-?[\d.]+(?:e-?\d+)?)(\s*\D.*)?$/i.exec(text);
    if (m && Number(m[1]) !== 0) {
      const slider = h("input", {
        type: "range",
        class: "co-slider",
        "data-slides": path,
        "aria-label": `${name}, slider`,
      });
      setRange(slider, text);
      slider.addEventListener("input", () => {
        this.held = true;
        input.value = `${Number(Number(slider.value).toPrecision(4))}${unitOf(input.value)}`;
        void this.doing.attempt({ changes: [{ path, value: input.value }] }).then((why) => (wrong.textContent = why));
      });
      slider.addEventListener("change", () => {
        this.held = false;
        done(input.value);
      });
      row.append(slider);
    }
    row.append(input, wrong);
    return row;
  }
}
const unitOf = (text: string) => /^-?[\d.]+(?:e-?\d+)?(\s*\D.*)?$/i.exec(text)?.[1] ?? "";
function setRange(r: HTMLInputElement, text: string): void {
  const v = parseFloat(text);
  const wide = Math.abs(v) * 0.5;
  r.min = String(v - wide);
  r.max = String(v + wide);
  r.step = String(wide / 100 || 0.01);
  r.value = String(v);
}
