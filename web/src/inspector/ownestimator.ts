// ownestimator.ts - an estimator typed as formulas, line by line as laws are:
//
//     K := 2299.1 [kg/s]        a parameter
//     F = coast_force + e_b     a variable
//     q' = F*e_b [1/kg]         a state by its rate, with its unit
//     q(0) = 1/start            where a state begins
//     estimate = 1/q [kg]       the result
//     active = braking          states move while this is above 0 (default: always)
//     restart = v_hat, e_b      states that begin again whenever active rises
//     parameter = mass          the parameter of the car that it estimates
import type { App } from "../core/app.ts";
import { fixedWhy } from "../core/facts.ts";
import { h } from "../ui/dom.ts";
import type { Vehicle, World } from "../wire/protocol.ts";

export interface Method {
  parameters?: Record<string, string>;
  variables?: Record<string, string>;
  states?: Record<string, { rate: string; unit?: string; start?: string }>;
  estimate?: string;
  unit?: string;
  active?: string;
  restart?: string[];
  parameter?: string;
}

// The mass by eqs (9) to (12), as the built-in method has it.
const EXAMPLE = `start := 1400 [kg]
K := 2299.1 [kg/s]
F = coast_force - brake_force + e_b
v_hat' = F*q [m/s]
v_hat(0) = v
e_b' = 5 [1/s]*(K*(v - v_hat) - e_b) [N]
q' = F*(user1*(v - v_hat) - user2*e_b) [1/kg]
q(0) = 1/start
estimate = 1/q [kg]
active = braking
restart = v_hat, e_b
parameter = mass`;

// Lines as the section `estimators` of a scenario; a text: what is wrong, with its line.
export function methodOf(text: string): Method | string {
  const m: Method = {};
  const units = (s: string): [string, string | undefined] => {
    const tail = /^(.*\S)\s*\[([^[\]]+)\]$/.exec(s);
    return tail && !/[*/+(,-]$/.test(tail[1]!) ? [tail[1]!, tail[2]!] : [s, undefined];
  };
  for (const [k, whole] of text.split("\n").entries()) {
    const line = whole.replace(/#.*/, "").trim();
    if (!line) continue;
    const found = /^([A-Za-z_]\w*)\s*('|\(0\)|)\s*(:?=)\s*(\S.*)$/.exec(line);
    if (!found) return `line ${k + 1}: "${line}"; expected such as F = v - v_hat, q' = F [1/kg], K := 2 [1/s]`;
    const [, name, mark, sign, formula] = found as unknown as [string, string, string, string, string];
    if (sign === ":=") (m.parameters ??= {})[name] = formula;
    else if (mark === "'") {
      const [rate, unit] = units(formula);
      (m.states ??= {})[name] = { ...m.states?.[name], rate, ...(unit ? { unit } : {}) };
    } else if (mark) {
      const state = m.states?.[name];
      if (!state) return `line ${k + 1}: ${name}(0) needs a line ${name}' = rate above it`;
      state.start = formula;
    } else if (name === "estimate") [m.estimate, m.unit] = units(formula);
    else if (name === "restart") m.restart = formula.split(/[\s,]+/).filter(Boolean);
    else if (name === "active" || name === "parameter") m[name] = formula;
    else (m.variables ??= {})[name] = formula;
  }
  if (!m.estimate) return "there is no line estimate = formula [unit]";
  if (!m.unit) delete m.unit;
  return m;
}

let kept = { name: "mine", text: EXAMPLE }; // while the page is open

// defined: the scenario has it now; again: the form's list is another one.
export function ownEstimator(app: App, world: World, vehicle: Vehicle, again: () => void): HTMLElement {
  const off = fixedWhy(app, world);
  const name = h("input", { class: "field oe-name", "aria-label": "Name of the estimator", value: kept.name });
  const area = h("textarea", {
    class: "oe-text mono",
    rows: 12,
    spellcheck: "false",
    "aria-label": "Estimator as formulas",
  }) as HTMLTextAreaElement;
  area.value = kept.text;
  const message = h("div", { class: "fo-error oe-error", role: "alert" });
  const use = h("button", { type: "button", class: "btn", title: "Ctrl Enter", disabled: off !== undefined }, "Use it");
  const keep = (): void => {
    kept = { name: name.value.trim(), text: area.value };
  };
  const run = async (): Promise<void> => {
    keep();
    const method = methodOf(kept.text);
    message.textContent = typeof method === "string" ? method : "";
    if (typeof method === "string") return;
    try {
      const edit = { estimators: { [kept.name]: { method } } };
      const done = await app.change("edit", { world: world.world, edit });
      // A branch that was made by this has it; there it is chosen like any other.
      if (!done.branched)
        await app.change("estimator", { world: world.world, vehicle: vehicle.name, estimator: kept.name });
      again();
    } catch (e) {
      message.textContent = (e as Error).message;
    }
  };
  use.addEventListener("click", () => void run());
  for (const field of [name, area]) field.addEventListener("input", keep);
  area.addEventListener("keydown", (e) => {
    if (e.key === "Enter" && e.ctrlKey) void run();
    e.stopPropagation();
  });
  return h(
    "details",
    { class: "oe" },
    h("summary", {}, "An estimator of your own"),
    h("div", { class: "oe-head" }, h("span", { class: "fo-label" }, "Name"), name, use),
    area,
    message,
    h("div", { class: "in-note" }, "Signals: v, a, gap, v_front, throttle, brake, braking, brake_force, coast_force …"),
  );
}
