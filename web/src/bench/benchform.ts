// benchform.ts - forms of the benches: a parameter of a table as slider, number and unit, with a dot
// that puts it back to its default; help is the table's text.
import { figures, parse, unitText } from "../base/units.ts";
import { h, slider, type Slider } from "../ui/dom.ts";
import type { Row } from "../wire/protocol.ts";

export interface Knob {
  root: HTMLElement;
  value: number;
  set(value: number): void;
  slider: Slider;
  rail: HTMLElement;
}

// title: what is written; from, to: ends of the slider where the table's are too wide.
export function knob(
  row: Row,
  options: { title?: string; from?: number; to?: number; log?: boolean; value?: number },
  changed: (value: number, done: boolean) => void,
): Knob {
  const from = options.from ?? row.min;
  const to = options.to ?? row.max;
  const start = options.value ?? row.default ?? from;
  const title = options.title ?? row.name;
  const unit = unitText(row.unit);
  const field = h("input", {
    class: "field bf-number",
    type: "text",
    inputmode: "decimal",
    "aria-label": `${title}, ${unit}`,
    title: `${row.doc}; ${short(row.min)} to ${short(row.max)} ${unit}`,
  });
  const back = h("button", {
    class: "bf-back",
    type: "button",
    title: `Back to ${short(row.default ?? from)} ${unit}`,
    "aria-label": `${title}: back to its default`,
  });
  const k: Knob = {
    root: h("div", { class: unit.length > 6 ? "bf-row bf-wide" : "bf-row" }),
    value: start,
    set,
    slider: null as unknown as Slider,
    rail: h("div", { class: "bf-rail" }),
  };
  k.slider = slider({
    label: title,
    title: row.doc,
    min: from,
    max: to,
    log: options.log ?? false,
    value: start,
    text: (v) => `${figures(v, 3)} ${unit}`,
    input: (v) => take(round(v), false),
    done: (v) => take(round(v), true),
  });
  k.rail.append(k.slider.input);
  k.root.append(
    h("span", { class: "bf-name", title: row.doc }, title, back),
    k.rail,
    field,
    h("span", { class: "bf-unit" }, unit),
  );

  function show(): void {
    field.value = short(k.value);
    field.removeAttribute("aria-invalid");
    back.classList.toggle(
      "bf-off",
      row.default === null || Math.abs(k.value - row.default) <= 1e-9 * Math.abs(row.default),
    );
  }
  function set(value: number): void {
    k.value = value;
    k.slider.set(value);
    show();
  }
  function take(value: number, done: boolean): void {
    k.value = value;
    show();
    changed(value, done);
  }
  field.addEventListener("change", () => {
    const value = parse(field.value, row.unit);
    if (value === null || value < row.min || value > row.max) {
      field.setAttribute("aria-invalid", "true");
      field.title = value === null ? "Not a number of this unit" : `${short(row.min)} to ${short(row.max)} ${unit}`;
      return;
    }
    k.slider.set(value);
    take(value, true);
  });
  back.addEventListener("click", () => {
    if (row.default !== null) {
      set(row.default);
      changed(row.default, true);
    }
  });
  show();
  return k;
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}
function short(value: number): string {
  return value !== 0 && (Math.abs(value) < 1e-3 || Math.abs(value) >= 1e6)
    ? value
        .toExponential(2)
        .replace(/\.?0+e/, "e")
        .replace("e+", "e")
    : String(Number(value.toPrecision(6)));
}

export function section(title: string, ...children: (Node | string | null)[]): HTMLElement {
  return h("section", { class: "bf-section" }, h("h3", null, title), ...children);
}

export function tick(label: string, help: string, on: boolean, changed: (on: boolean) => void): HTMLElement {
  const box = h("input", { type: "checkbox" });
  box.checked = on;
  box.addEventListener("change", () => changed(box.checked));
  return h("label", { class: "bf-tick", title: help }, box, h("span", null, label));
}

// A row of a table by its name; a made-up one where the server has no such table.
export function rowOf(rows: Row[] | undefined, name: string, unit = "", value = 0): Row {
  return (
    rows?.find((r) => r.name === name) ?? {
      name,
      unit,
      default: value,
      min: 0,
      max: Math.max(10 * value, 1),
      doc: name,
    }
  );
}
