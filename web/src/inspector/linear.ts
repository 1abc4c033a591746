// linear.ts - a linear controller of any order as a form: inputs, and the matrices of
// z' = A z + B e, desired acceleration = C z + D e.
import type { Server } from "../core/app.ts";
import { h } from "../ui/dom.ts";
import type { Controller, World } from "../wire/protocol.ts";
import { Rejected } from "../wire/wire.ts";

export interface Linear {
  inputs: string[];
  A: number[][];
  B: number[][];
  C: number[];
  D: number[];
}

// Rows by lines, numbers by blanks or commas. A text: what is wrong with it.
export function parseMatrix(text: string): number[][] | string {
  const rows: number[][] = [];
  for (const [i, line] of text.split("\n").entries()) {
    const words = line
      .trim()
      .split(/[\s,;]+/)
      .filter((w) => w !== "");
    if (!words.length) continue;
    const numbers = words.map((w) => Number(w.replace("−", "-")));
    const bad = numbers.findIndex((n) => !Number.isFinite(n));
    if (bad >= 0) return `row ${i + 1}: "${words[bad]}" is not a number`;
    if (rows.length && rows[0]!.length !== numbers.length)
      return `row ${i + 1} has ${numbers.length} numbers; expected ${rows[0]!.length} as in row 1`;
    rows.push(numbers);
  }
  return rows;
}

// The controller, or what does not fit together.
export function readLinear(texts: { inputs: string; A: string; B: string; C: string; D: string }): Linear | string {
  const inputs = texts.inputs
    .split("\n")
    .map((l) => l.trim())
    .filter((l) => l !== "");
  if (!inputs.length) return "inputs: expected one or more, such as v_front - v";
  const m: Record<string, number[][]> = {};
  for (const name of ["A", "B", "C", "D"] as const) {
    const parsed = parseMatrix(texts[name]);
    if (typeof parsed === "string") return `${name}: ${parsed}`;
    m[name] = parsed;
  }
  const n = m.A!.length;
  const k = inputs.length;
  const size = (name: string, rows: number, columns: number): string => {
    const x = m[name]!;
    const have = `${x.length} x ${x[0]?.length ?? 0}`;
    return (rows === 0 && x.length === 0) || (x.length === rows && (x[0]?.length ?? 0) === columns)
      ? ""
      : `${name} is ${have}; expected ${rows} x ${columns} for ${n} states and ${k} inputs`;
  };
  const wrong =
    size("A", n, n) ||
    size("B", n, n ? k : 0) ||
    (n ? size("C", 1, n) : m.C!.length ? "C: there are no states" : "") ||
    (m.D!.length ? size("D", 1, k) : "");
  if (wrong) return wrong;
  return { inputs, A: m.A!, B: m.B!, C: m.C![0] ?? [], D: m.D![0] ?? inputs.map(() => 0) };
}

export function linearForm(app: Server, world: World, c: Controller): HTMLElement {
  const message = h("div", { class: "fo-error", role: "alert" });
  const area = (label: string, rows: number, value: string, title: string): HTMLTextAreaElement => {
    const a = h("textarea", {
      class: "ln-area",
      rows: String(rows),
      spellcheck: "false",
      "aria-label": label,
      title,
    }) as HTMLTextAreaElement;
    a.value = value;
    a.addEventListener("keydown", (e) => e.stopPropagation());
    return a;
  };
  const boxes = {
    inputs: area("inputs, one per line", 2, "gap - distance - headway*v\nv_front - v", "signals or formulas of them"),
    A: area("A", 1, "-2", "states by states"),
    B: area("B", 1, "2 0", "states by inputs"),
    C: area("C", 1, "0.4", "one row by states"),
    D: area("D", 1, "0 0.9", "one row by inputs"),
  };
  const use = h("button", { type: "button", class: "in-action" }, "Use these matrices") as HTMLButtonElement;
  use.addEventListener("click", () => {
    const linear = readLinear({
      inputs: boxes.inputs.value,
      A: boxes.A.value,
      B: boxes.B.value,
      C: boxes.C.value,
      D: boxes.D.value,
    });
    if (typeof linear === "string") return void (message.textContent = linear);
    message.textContent = "";
    app
      .change("car", { world: world.world, op: "linear", controller: c.name, linear })
      .catch((e: unknown) => (message.textContent = e instanceof Rejected ? e.answer.reason : String(e)));
  });
  return h(
    "details",
    { class: "la-more" },
    h("summary", {}, "By matrices"),
    h("p", {}, "z' = A z + B e, desired acceleration = C z + D e, where e are the inputs."),
    ...Object.entries(boxes).map(([name, box]) =>
      h("label", { class: "ln-row" }, h("span", {}, name === "inputs" ? "e" : name), box),
    ),
    message,
    use,
  );
}
