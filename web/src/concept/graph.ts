// graph.ts - bodies of a concept and what connects them, as a graph, and the masses of its assemblies as bars.
import { figures } from "../base/units.ts";
import { fill, h, svg } from "../ui/dom.ts";
import type { ConceptAnswer } from "../wire/protocol.ts";
import { groupsOf, hue } from "./tree.ts";

export class GraphCard {
  readonly element: HTMLElement;
  private readonly words = h("span", { class: "me-sum" });
  private readonly host = h("div", { class: "co-graph" });
  constructor() {
    this.element = h(
      "section",
      { class: "card" },
      h("header", { class: "cd-head" }, h("h3", { class: "cd-title" }, "Connections"), this.words),
      this.host,
    );
  }
  set(a: ConceptAnswer): void {
    const edges = a.edges.filter((e) => e.from !== e.to);
    this.words.textContent = `${a.bodies.length} bodies from ${a.parts.length} parts`;
    const n = a.bodies.length;
    const at = a.bodies.map((_, k) => {
      const turn = (2 * Math.PI * (k - 1)) / Math.max(n - 1, 1);
      return k === 0 ? { x: 150, y: 80 } : { x: 150 + 112 * Math.cos(turn), y: 80 + 60 * Math.sin(turn) };
    });
    const place = (k: number) => at[k] ?? { x: 150, y: 154 };
    const lines = edges.map((e) => {
      const p = place(e.from);
      const q = place(e.to);
      const soft = /spring|damper|bushing/.test(e.kind);
      return svg(
        "line",
        { x1: p.x, y1: p.y, x2: q.x, y2: q.y, class: soft ? "co-soft" : "co-joint" },
        svg("title", null, `${e.name}: ${e.kind}`),
      );
    });
    const nodes = a.bodies.map((b, k) =>
      svg("text", { x: place(k).x, y: place(k).y + 3, class: "co-node", "text-anchor": "middle" }, b.name),
    );
    fill(
      this.host,
      svg(
        "svg",
        {
          viewBox: "0 0 300 160",
          role: "img",
          "aria-label": `${n} bodies, ${edges.length} connections: ${edges.map((e) => `${e.name} ${e.kind}`).join(", ")}`,
        },
        ...lines,
        ...nodes,
      ),
    );
  }
}

export class MassCard {
  readonly element: HTMLElement;
  private readonly host = h("div", { class: "co-masses", tabindex: "0", role: "region", "aria-label": "Masses" });
  constructor() {
    this.element = h(
      "section",
      { class: "card co-mass" },
      h("header", { class: "cd-head" }, h("h3", { class: "cd-title" }, "Mass"), h("span", { class: "me-sum" }, "kg")),
      this.host,
    );
  }
  set(a: ConceptAnswer): void {
    const rows = groupsOf(a)
      .map((g) => ({ g, mass: a.parts.filter((p) => p.group === g).reduce((m, p) => m + (p.mass ?? 0), 0) }))
      .sort((p, q) => q.mass - p.mass);
    const all = a.whole.mass ?? 1;
    const c = a.whole.centre;
    fill(
      this.host,
      ...rows.map((r) =>
        h(
          "div",
          { class: "co-bar-row" },
          h("span", null, r.g),
          h("b", null, figures(r.mass, 4)),
          h("span", { class: "me-dim" }, `${Math.round((100 * r.mass) / all)} %`),
          h("span", { class: "co-bar", style: `--part:${(100 * r.mass) / all}%;--hue:${hue(a, r.g)}` }),
        ),
      ),
      h(
        "p",
        { class: "co-all" },
        `All ${figures(all, 5)} kg, centre ${figures(c[0] ?? 0, 3)}, ${figures(c[1] ?? 0, 3)}, ${figures(c[2] ?? 0, 3)} m`,
      ),
      h(
        "table",
        { class: "co-loads" },
        h("caption", { class: "sr" }, "Axle loads"),
        h(
          "tbody",
          null,
          ...a.axles.map((x) =>
            h(
              "tr",
              null,
              h("th", { scope: "row" }, x.name),
              h("td", null, x.load === null ? "–" : `${figures(x.load / 1000, 4)} kN`),
            ),
          ),
        ),
      ),
      ...(a.why ? [h("p", { class: "co-wrong" }, a.why)] : []),
    );
  }
}
