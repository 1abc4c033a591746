// analyses.ts - two cards of the table of analyses: any row of it with a form made from its parameters, and whether the
// concept answers to its road in proportion.
import { figures } from "../base/units.ts";
import type { Core } from "../core/core.ts";
import { fill, h } from "../ui/dom.ts";
import { numbers } from "../wire/numbers.ts";
import type { AnalysisRow, AnalysisTable } from "../wire/protocol.ts";
import { CurvesCard } from "./curves.ts";
import { reason } from "./draft.ts";

const ROWS = 60; // of a table that are shown
const COLUMNS = 12;

function cells(t: AnalysisTable): (row: number, column: number) => number {
  const v = numbers(t.values);
  return (row, column) => v[row * t.columns.length + column]!;
}
const column = (t: AnalysisTable, k: number): number[] => {
  const of = cells(t);
  return Array.from({ length: t.rows }, (_, i) => of(i, k));
};

export class AnalysesCard {
  readonly curves = new CurvesCard("Analysis");
  private readonly which = h("select", { class: "field", "aria-label": "Analysis" });
  private readonly of = h("select", { class: "field", "aria-label": "Curve of the analysis", hidden: true });
  private readonly form = h("div", { class: "co-form" });
  private readonly out = h("div", { class: "co-out", tabindex: "0", role: "region", "aria-label": "Result" });
  private rows: AnalysisRow[] = [];
  private table: AnalysisTable | null = null;
  private notes: string[] = [];
  constructor(
    private readonly app: Core,
    private readonly world: () => number,
    private readonly changed: () => void,
  ) {
    const run = h("button", { class: "btn", onclick: () => void this.run() }, "Run");
    this.curves.tools.append(this.which, this.of, run);
    this.curves.element.classList.add("co-analyses");
    this.curves.element.querySelector(".cd-head")!.after(this.form);
    this.curves.element.append(this.out);
    this.which.addEventListener("change", () => this.lay());
    this.of.addEventListener("change", () => this.plot());
  }
  get element(): HTMLElement {
    return this.curves.element;
  }
  async open(): Promise<void> {
    if (this.rows.length) return;
    try {
      this.rows = (await this.app.ask("analyses", {})).rows;
    } catch {
      return; // asked again with the next world
    }
    fill(
      this.which,
      ...this.rows.map((r) => h("option", { value: r.name, title: r.doc }, r.name.replaceAll("_", " "))),
    );
    this.which.value = "rig";
    this.lay();
  }
  private get row(): AnalysisRow | undefined {
    return this.rows.find((r) => r.name === this.which.value);
  }
  private lay(): void {
    this.form.title = this.row?.doc ?? "";
    fill(
      this.form,
      ...(this.row?.parameters ?? []).map((p) =>
        h(
          "label",
          { class: "co-label", title: p.doc },
          `${p.name.replaceAll("_", " ")}${p.unit ? `, ${p.unit}` : ""}`,
          h("input", {
            class: "field",
            type: "text",
            name: p.name,
            placeholder: p.fallback ?? (p.needed ? "needed" : ""),
            spellcheck: "false",
          }),
        ),
      ),
    );
  }
  private async run(): Promise<void> {
    const row = this.row;
    const world = this.world();
    if (!row || world < 0) return;
    const values: Record<string, string | string[]> = {};
    for (const p of row.parameters) {
      const text = this.form.querySelector<HTMLInputElement>(`input[name="${p.name}"]`)?.value.trim();
      if (text) values[p.name] = p.form === "texts" ? text.split(/\s*;\s*/) : text;
    }
    fill(this.out, "Running…");
    try {
      const r = await this.app.ask("analyse", { world, name: row.name, values });
      this.notes = r.notes;
      this.table = r.tables.find((t) => t.curves) ?? null;
      const names = this.table?.columns.slice(1) ?? [];
      fill(this.of, ...names.map((c, k) => h("option", { value: String(k + 1) }, c.name.replaceAll("_", " "))));
      this.of.hidden = !names.length;
      fill(this.out, ...r.tables.filter((t) => !t.curves).map(tableOf));
      this.plot();
    } catch (e) {
      this.curves.set([], "");
      fill(this.out, h("p", { class: "co-wrong", role: "alert" }, reason(e)));
    }
    this.changed();
  }
  private plot(): void {
    const t = this.table;
    const k = Number(this.of.value) || 1;
    const c = t?.columns[k];
    if (t && c)
      this.curves.set(
        [{ name: c.name, unit: c.unit, x: column(t, 0), y: column(t, k) }],
        t.columns[0]!.unit,
        this.notes[0] ?? "",
      );
    else this.curves.set([], "", this.notes.join("; "));
    this.changed();
  }
}

function tableOf(t: AnalysisTable): HTMLElement {
  const of = cells(t);
  const shown = t.columns.slice(0, COLUMNS);
  const said = (v: number) => (Number.isFinite(v) ? figures(v, 4) : "–");
  return h(
    "table",
    { class: "co-table" },
    h("caption", null, t.title),
    h(
      "thead",
      null,
      h(
        "tr",
        null,
        h("th", { scope: "col" }, h("span", { class: "sr" }, "Row")),
        ...shown.map((c) => h("th", { scope: "col" }, c.unit ? `${c.name}, ${c.unit}` : c.name)),
      ),
    ),
    h(
      "tbody",
      null,
      ...Array.from({ length: Math.min(t.rows, ROWS) }, (_, i) =>
        h(
          "tr",
          null,
          h("th", { scope: "row" }, t.labels[i] ?? String(i + 1)),
          ...shown.map((_c, k) => h("td", null, said(of(i, k)))),
        ),
      ),
    ),
  );
}

// Departure from proportion for scaled roads, and a verdict.
export class LinearityCard {
  readonly element: HTMLElement;
  private readonly host = h("div", { class: "co-bars" });
  private readonly verdict = h("span", { class: "me-sum", role: "status" });
  private readonly test: HTMLButtonElement;
  constructor(
    private readonly app: Core,
    private readonly world: () => number,
  ) {
    this.test = h(
      "button",
      { class: "btn", title: "Eight runs over the road, 0.05 to 2 times as high", onclick: () => void this.run() },
      "Test",
    );
    this.element = h(
      "section",
      { class: "card co-linearity" },
      h("header", { class: "cd-head" }, h("h3", { class: "cd-title" }, "Linearity"), this.verdict, this.test),
      this.host,
    );
    this.forget();
  }
  // The concept is another one: what was found is not of it.
  forget(): void {
    this.verdict.textContent = "";
    fill(this.host, h("p", { class: "co-note" }, "Departure from proportion when the road is scaled: Test runs it."));
  }
  private async run(): Promise<void> {
    this.test.disabled = true;
    this.verdict.textContent = "testing…";
    try {
      const { tables, notes } = await this.app.ask("analyse", { world: this.world(), name: "scaled_road" });
      const t = tables[0]!;
      const of = cells(t);
      const most = Math.max(0.1, ...column(t, 1));
      const [homogeneity, end, additivity] = [0, 1, 2].map((k) => cells(tables[1]!)(0, k));
      this.verdict.textContent = tables[1]!.labels[0] ?? "";
      const percent = (v: number) => (Number.isFinite(v) ? `${figures(100 * v, 2)} %` : "–");
      fill(
        this.host,
        ...Array.from({ length: t.rows }, (_, i) =>
          h(
            "div",
            { class: "co-bar-row" },
            h("span", null, `×${of(i, 0)}`),
            h("b", null, percent(of(i, 1))),
            h("span", { class: "me-dim" }, t.labels[i] ?? ""),
            h("span", { class: "co-bar", style: `--part:${(100 * of(i, 1)) / most}%;--hue:var(--a)` }),
          ),
        ),
        h(
          "p",
          { class: "co-note" },
          `Homogeneity ${percent(homogeneity!)}, holds to ×${Number.isFinite(end!) ? figures(end!, 2) : "2 and more"}; additivity ${percent(additivity!)}. ${notes[0] ?? ""}`,
        ),
      );
    } catch (e) {
      this.verdict.textContent = "";
      fill(this.host, h("p", { class: "co-wrong", role: "alert" }, reason(e)));
    }
    this.test.disabled = false;
  }
}
