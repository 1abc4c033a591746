// tree.ts - what a mechanism is made of, as a tree: bodies as they hang on each other, joints, loops, springs, points.
import { figures } from "../base/units.ts";
import { fill, h } from "../ui/dom.ts";
import type { Chosen, Kind, Loaded } from "./data.ts";

export class Tree {
  readonly element: HTMLElement;
  private readonly list = h("div", { class: "me-tree", role: "tree", "aria-label": "Parts of the mechanism" });
  private readonly head = h("span", { class: "me-sum" });
  private readonly filter = h("input", {
    class: "field",
    type: "search",
    placeholder: "Filter by name",
    "aria-label": "Filter parts",
  });
  private l: Loaded | null = null;
  private chosen: Chosen | null = null;
  private readonly folded = new Set<string>(["spot"]);

  constructor(private readonly choose: (c: Chosen) => void) {
    this.element = h(
      "section",
      { class: "card me-parts" },
      h("header", { class: "cd-head" }, h("h3", { class: "cd-title" }, "Mechanism"), this.head),
      this.filter,
      h("div", { class: "me-scroll" }, this.list),
    );
    this.filter.addEventListener("input", () => this.show());
    this.list.addEventListener("keydown", (e) => this.key(e));
  }
  set(l: Loaded): void {
    this.l = l;
    const mass = l.run.bodies.reduce((m, b) => m + (b.mass ?? 0), 0);
    this.head.textContent = mass > 0 ? `${figures(mass, 4)} kg` : "";
    this.show();
  }
  mark(c: Chosen | null): void {
    this.chosen = c;
    this.show();
  }
  private show(): void {
    const run = this.l?.run;
    if (!run) return;
    const word = this.filter.value.trim().toLowerCase();
    const depth = new Map<string, number>();
    for (const b of run.bodies) depth.set(b.name, b.inboard === null ? 0 : (depth.get(b.inboard) ?? 0) + 1);
    const kg = (m: number | null) => (m ? `${figures(m, 3)} kg` : "");
    const joints = run.bodies.filter((b) => b.joint !== "free");
    const group = (kind: Kind, title: string, rows: [string, string, number][]) => {
      const found = rows.filter(([name]) => name.toLowerCase().includes(word));
      if (!found.length) return [];
      const open = word !== "" || !this.folded.has(kind);
      const head = h(
        "div",
        {
          class: "me-group-head",
          role: "treeitem",
          tabindex: "-1",
          "aria-expanded": String(open),
          "aria-level": "1",
          onclick: () => {
            if (open) this.folded.add(kind);
            else this.folded.delete(kind);
            this.show();
          },
        },
        `${open ? "▾" : "▸"} ${title}`,
        h("span", { class: "me-sum" }, String(rows.length)),
      );
      return [head, ...(open ? found.map((r) => this.row(kind, ...r)) : [])];
    };
    fill(
      this.list,
      ...group(
        "body",
        "Bodies",
        run.bodies.map((b) => [b.name, kg(b.mass), depth.get(b.name) ?? 0]),
      ),
      ...group(
        "joint",
        "Joints",
        joints.map((b) => [b.name, b.joint, 0]),
      ),
      ...group(
        "loop",
        "Loops",
        run.joints.map((j) => [j.name, j.kind.replaceAll("_", " "), 0]),
      ),
      ...group(
        "spring",
        "Springs",
        run.springs.map((s) => [
          s.name,
          s.stiffness ? `${figures(s.stiffness / 1000, 3)} kN/m` : s.formula ? "formula" : "damper",
          0,
        ]),
      ),
      ...group(
        "spot",
        "Points",
        run.points.map((p) => [p.name, p.body ?? "ground", 0]),
      ),
    );
    const first =
      this.list.querySelector<HTMLElement>('[aria-selected="true"]') ??
      this.list.querySelector<HTMLElement>("[role=treeitem]");
    if (first) first.tabIndex = 0;
  }
  private row(kind: Kind, name: string, note: string, level: number): HTMLElement {
    const on = this.chosen?.kind === kind && this.chosen.name === name;
    return h(
      "div",
      {
        class: `me-part${on ? " on" : ""}`,
        role: "treeitem",
        tabindex: "-1",
        "aria-level": String(2 + level),
        "aria-selected": String(on),
        style: `padding-left:${14 + 10 * level}px`,
        onclick: () => this.choose({ kind, name }),
      },
      h("i", { class: `me-glyph me-${kind}`, "aria-hidden": "true" }),
      h("span", { class: "me-name" }, name),
      h("span", { class: "me-sum" }, note),
    );
  }
  private key(e: KeyboardEvent): void {
    const rows = [...this.list.querySelectorAll<HTMLElement>("[role=treeitem]")];
    const at = rows.indexOf(document.activeElement as HTMLElement);
    if (at < 0) return;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[e.key];
    if (to !== undefined) rows[Math.min(Math.max(to, 0), rows.length - 1)]!.focus();
    else if (e.key === "Enter" || e.key === " ") rows[at]!.click();
    else return;
    e.preventDefault();
    e.stopPropagation();
  }
}
