// tree.ts - the architecture of a concept as a tree: assemblies and axles with their parts and masses.
import { figures } from "../base/units.ts";
import { fill, h } from "../ui/dom.ts";
import type { ConceptAnswer } from "../wire/protocol.ts";

export const HUES = ["#0B6BC2", "#7A8796", "#A87900", "#1F8F86", "#8E4A9B", "#B85C00", "#5B4BC4", "#4E7A27"];
const KINDS: Record<string, string> = { beam: "╱", panel: "▱", component: "■", link: "⟋", wheel: "◉" };

export const groupsOf = (a: ConceptAnswer): string[] => [...new Set(a.parts.map((p) => p.group))];
export const hue = (a: ConceptAnswer, group: string): string =>
  HUES[Math.max(groupsOf(a).indexOf(group), 0) % HUES.length]!;

// kind: assembly, axle or part; name as in the answer.
export interface Picked {
  kind: "assembly" | "axle" | "part";
  name: string;
}

export class ConceptTree {
  readonly element: HTMLElement;
  private readonly list = h("div", { class: "me-tree", role: "tree", "aria-label": "Architecture" });
  private readonly sum = h("span", { class: "me-sum" });
  private readonly folded = new Set<string>();
  private a: ConceptAnswer | null = null;
  private picked: Picked | null = null;
  constructor(private readonly choose: (p: Picked) => void) {
    this.element = h(
      "section",
      { class: "card co-tree" },
      h("header", { class: "cd-head" }, h("h3", { class: "cd-title" }, "Architecture"), this.sum),
      h("div", { class: "me-scroll" }, this.list),
    );
    this.list.addEventListener("keydown", (e) => {
      const rows = [...this.list.querySelectorAll<HTMLElement>("[role=treeitem]")];
      const at = rows.indexOf(document.activeElement as HTMLElement);
      if (e.key === "ArrowDown") rows[Math.min(at + 1, rows.length - 1)]?.focus();
      else if (e.key === "ArrowUp") rows[Math.max(at - 1, 0)]?.focus();
      else if (e.key === "Enter" || e.key === " ") (document.activeElement as HTMLElement).click();
      else return;
      e.preventDefault();
    });
  }
  set(a: ConceptAnswer, picked: Picked | null): void {
    this.a = a;
    this.picked = picked;
    this.sum.textContent = `${figures(a.whole.mass ?? 0, 5)} kg`;
    this.show();
  }
  private row(p: Picked, level: number, label: string, mass: number, colour: string, open?: boolean): HTMLElement {
    const on = this.picked?.kind === p.kind && this.picked.name === p.name;
    return h(
      "div",
      {
        class: `me-row co-row co-level-${level}`,
        role: "treeitem",
        tabindex: on || (!this.picked && level === 1) ? "0" : "-1",
        "aria-level": String(level),
        "aria-selected": String(on),
        ...(open === undefined ? {} : { "aria-expanded": String(open) }),
        onclick: () => this.choose(p),
        ondblclick: () => {
          if (this.folded.has(p.name)) this.folded.delete(p.name);
          else this.folded.add(p.name);
          this.show();
        },
      },
      h("span", { class: "co-mark", style: `color:${colour}`, "aria-hidden": "true" }, label.slice(0, 1)),
      h("span", { class: "co-name" }, label.slice(2)),
      h("span", { class: "me-dim" }, figures(mass, 4)),
    );
  }
  private show(): void {
    const a = this.a;
    if (!a) return;
    const rows: HTMLElement[] = [];
    for (const g of groupsOf(a)) {
      const parts = a.parts.filter((p) => p.group === g);
      const mass = parts.reduce((m, p) => m + (p.mass ?? 0), 0);
      const open = !this.folded.has(g);
      const kind = a.axles.some((x) => x.name === g) ? "axle" : "assembly";
      rows.push(this.row({ kind, name: g }, 1, `${open ? "▾" : "▸"} ${g}`, mass, hue(a, g), open));
      if (!open) continue;
      for (const p of parts)
        rows.push(
          this.row(
            { kind: "part", name: p.name },
            2,
            `${KINDS[p.kind] ?? "·"} ${p.name.replace(`${g}.`, "")}`,
            p.mass ?? 0,
            hue(a, g),
          ),
        );
    }
    fill(this.list, ...rows);
  }
}
