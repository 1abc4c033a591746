// sensitivity.ts - what moves the eigenvalue of the chosen mode: its change for 10 % more of each parameter, real and
// imaginary part as bars, the largest first.
import { figures } from "../base/units.ts";
import { fill, h } from "../ui/dom.ts";
import type { SensitivityAnswer } from "../wire/protocol.ts";

const SHOWN = 6;

export interface SensitivityRow {
  name: string;
  real: number;
  imaginary: number;
  left: number[]; // of the bars of both parts, and
  width: number[]; // how wide they are, as shares of the whole
}

// The largest changes, as bars about a common zero.
export function sensitivityRows(answer: SensitivityAnswer, shown = SHOWN): SensitivityRow[] {
  const list = answer.parameters
    .map((p) => ({ ...p, size: Math.hypot(p.real, p.imaginary) }))
    .sort((a, b) => b.size - a.size)
    .slice(0, shown)
    .filter((p) => p.size > 0);
  const parts = list.flatMap((p) => [p.real, p.imaginary]);
  const from = Math.min(0, ...parts);
  const span = Math.max(0, ...parts) - from || 1;
  return list.map(({ name, real, imaginary }) => ({
    name,
    real,
    imaginary,
    left: [real, imaginary].map((v) => (Math.min(v, 0) - from) / span),
    width: [real, imaginary].map((v) => Math.abs(v) / span),
  }));
}

export class SensitivityList {
  readonly element = h("div", { class: "me-sens hidden" });
  constructor(private readonly choose: (parameter: string) => void) {}
  show(answer: SensitivityAnswer | null): void {
    this.element.classList.toggle("hidden", !answer);
    if (!answer) return;
    const rows = sensitivityRows(answer);
    const left = answer.left_out ? ` ${answer.left_out} parameters left out: too slow` : "";
    fill(
      this.element,
      h("h4", {}, `Mode ${answer.mode}, dλ`),
      h("p", { class: "mut" }, `for +10 %, 1/s.${left}`),
      ...rows.map((r) => this.row(r)),
      h("p", { class: "mut me-sens-key" }, rows.length ? "Re upper, Im lower bar" : "No parameter moves this mode."),
    );
  }
  private row(r: SensitivityRow): HTMLElement {
    const bar = (k: number) =>
      h("i", {
        class: k ? "me-im" : "me-re",
        style: `left:${(100 * r.left[k]!).toFixed(1)}%;width:${Math.max(1, 100 * r.width[k]!).toFixed(1)}%`,
      });
    const words = `${r.name}: real part ${figures(r.real, 3)}, imaginary part ${figures(r.imaginary, 3)} per second`;
    return h(
      "button",
      { class: "me-sens-row", title: words, onclick: () => this.choose(r.name) },
      h("span", {}, r.name),
      h("span", { class: "me-sens-value" }, `${r.real > 0 ? "+" : ""}${figures(r.real, 2)}`),
      h("span", { class: "me-sens-bars", "aria-hidden": "true" }, bar(0), bar(1)),
    );
  }
}
