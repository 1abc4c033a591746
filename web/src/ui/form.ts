// form.ts - fields made from rows of the parameter tables: label, slider, number, unit, reset dot.
//
// A field never sends what is out of range: it turns red and says what is allowed. While a slider is
// dragged send(value, false) is called at most ten times a second; send(value, true) ends the drag.
import { MINUS, parse, unitText as unitSign } from "../base/units.ts";
import type { Row } from "../wire/protocol.ts";
import { h } from "./dom.ts";

// As a person would type it: six figures, no zeros behind.
export function plain(value: number | null | undefined, count = 6): string {
  return value === null || value === undefined || !Number.isFinite(value)
    ? ""
    : String(Number(value.toPrecision(count)));
}
// The same to be read: true minus sign, four figures, an en dash for nothing.
export function short(value: number | null | undefined, count = 4): string {
  return plain(value, count).replace(/-/g, MINUS) || "–";
}
export function unitText(unit: string): string {
  const sign = unitSign(unit);
  return sign === "–" ? "" : sign;
}

export interface FieldOptions {
  value: number; // NaN: none, or several cars that differ; shown as a dash
  base?: number; // where arrows and the slider start from then
  dash?(): string; // what the dash stands for
  label?: string;
  colour?: string; // of the world, when the value is not the default
  others?: { value: number; colour: string; name: string }[]; // values of other worlds: ticks
  floor?: number; // a floor above row.min, with the reason
  floorReason?: string;
  disabled?: string; // why it cannot be changed
  help?: string; // "table/name" of a card of help.ts; without it the row's doc is the tooltip
  send(value: number, done: boolean): void | Promise<unknown>;
}

export interface Field {
  root: HTMLElement;
  row: Row;
  value(): number;
  set(value: number): void; // from outside: not while the user has it in hand
  fail(text: string): void; // the server rejected it: shown under the field
}

// Ends of the slider. Tables allow far more than is useful: a slider goes to four times the
// larger of default and value, the number beside it takes the whole range.
export function sliderEnds(row: Row, value: number): { low: number; high: number; log: boolean } {
  const log = row.min > 0 && row.max / row.min > 1000;
  const size = Math.max(Math.abs(row.default ?? 0), Math.abs(value));
  let low = row.min;
  let high = row.max;
  if (log) {
    const middle = size > 0 ? size : Math.sqrt(row.min * row.max);
    low = Math.max(row.min, middle / 30);
    high = Math.min(row.max, middle * 30);
    return { low, high, log: high / low > 100 };
  }
  if (size > 0) {
    const reach = nice(4 * size);
    high = Math.min(high, reach);
    low = Math.max(low, row.min < 0 ? -reach : row.min);
  } else if (high - low > 100) {
    high = Math.min(high, 10);
    low = Math.max(low, row.min < 0 ? -10 : row.min);
  }
  return { low, high, log: false };
}

// The next of 1, 2, 5 times a power of ten.
export function nice(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const lead = value / power;
  return power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
}

// One unit of the last digit shown, for wheel and arrow keys.
function lastDigit(text: string): number {
  const digits = text.replace(/[eE].*$/, "");
  const dot = digits.indexOf(".");
  return dot < 0 ? 1 : 10 ** -(digits.length - dot - 1);
}

export function makeField(row: Row, o: FieldOptions): Field {
  const name = o.label ?? row.name;
  const start = (): number => (Number.isFinite(value) ? value : (o.base ?? row.default ?? floor));
  const ends = sliderEnds(row, Number.isFinite(o.value) ? o.value : (o.base ?? 0));
  const floor = Math.max(row.min, o.floor ?? -Infinity);
  let value = o.value;
  let held = false; // the user has it in hand
  let timer = 0;
  let pending: number | null = null;

  const toSlider = (v: number): number => {
    const at = ends.log
      ? Math.log(v / ends.low) / Math.log(ends.high / ends.low)
      : (v - ends.low) / (ends.high - ends.low);
    return Math.round(1000 * Math.min(1, Math.max(0, at)));
  };
  const fromSlider = (p: number): number => {
    const at = p / 1000;
    const v = ends.log ? ends.low * (ends.high / ends.low) ** at : ends.low + at * (ends.high - ends.low);
    const step = 10 ** (Math.floor(Math.log10(Math.max(Math.abs(v), (ends.high - ends.low) / 1000))) - 2);
    return Number((Math.round(v / step) * step).toPrecision(6));
  };

  const help = o.help ? undefined : `${row.doc} (${rangeText(row, floor)})`;
  const slider = h("input", {
    type: "range",
    min: "0",
    max: "1000",
    step: "1",
    class: "fo-slider",
    "aria-label": name,
    title: help,
  }) as HTMLInputElement;
  const number = h("input", {
    type: "text",
    inputmode: "decimal",
    class: "fo-number",
    "aria-label": `${name}${unitText(row.unit) ? ` in ${unitText(row.unit)}` : ""}`,
    title: help,
    autocomplete: "off",
  }) as HTMLInputElement;
  const reset = h("button", {
    type: "button",
    class: "fo-reset",
    "aria-label": `${name}: back to the default`,
    title: "back to the default",
  }) as HTMLButtonElement;
  const error = h("div", { class: "fo-error", role: "alert" });
  const ticks = (o.others ?? []).map((other) => {
    const tick = h("span", { class: "fo-tick", title: `${other.name}: ${plain(other.value)} ${unitText(row.unit)}` });
    tick.style.left = `calc(7px + (100% - 14px) * ${toSlider(other.value) / 1000})`;
    tick.style.background = other.colour;
    return tick;
  });
  const label = h("label", { class: "fo-label", title: help }, breakable(name));
  const root = h(
    "div",
    { class: "fo-field", "data-param": row.name, "data-help": o.help },
    label,
    h("span", { class: "fo-rail" }, slider, ...ticks),
    number,
    h("span", { class: "fo-unit" }, unitText(row.unit)),
    reset,
    error,
  );
  number.id = `fo-${++counter}`;
  label.setAttribute("for", number.id);

  const paint = (): void => {
    slider.value = String(toSlider(start()));
    const mixed = Number.isNaN(value);
    root.classList.toggle("mixed", mixed);
    if (mixed) number.value = "–";
    if (mixed && o.dash) number.title = o.dash();
    const at = Number(slider.value) / 10;
    slider.style.setProperty("--v", `${at}%`);
    const changed =
      row.default !== null && !mixed && Math.abs(value - row.default) > 1e-9 * Math.max(1, Math.abs(row.default));
    root.classList.toggle("changed", changed);
    if (o.colour) root.style.setProperty("--own", o.colour);
    reset.hidden = !changed;
    slider.setAttribute("aria-valuetext", mixed ? (o.dash?.() ?? "–") : `${plain(value)} ${unitText(row.unit)}`);
  };
  const fail = (text: string): void => {
    root.classList.toggle("wrong", text !== "");
    error.textContent = text;
  };
  const send = (v: number, done: boolean): void => {
    const answer = o.send(v, done);
    if (answer instanceof Promise) answer.catch((e: Error) => fail(e.message));
  };
  // What is typed out of range is not sent; a slider stops at the floor.
  const take = (v: number, done: boolean, typed = false): void => {
    if (v < floor || v > row.max) {
      const why = v < floor && o.floorReason && floor > row.min ? `: ${o.floorReason}` : "";
      fail(`${rangeText(row, floor)}${why}`);
      if (!typed && v < floor && o.floorReason && floor > row.min) v = floor;
      else return;
    } else fail("");
    value = v;
    paint();
    if (done) {
      window.clearTimeout(timer);
      timer = 0;
      pending = null;
      send(v, true);
      return;
    }
    pending = v;
    if (!timer)
      timer = window.setTimeout(() => {
        timer = 0;
        if (pending !== null) send(pending, false);
        pending = null;
      }, 100);
  };

  slider.addEventListener("pointerdown", () => (held = true));
  for (const end of ["pointerup", "pointercancel", "blur"])
    slider.addEventListener(end, () => window.setTimeout(() => (held = false), 0));
  slider.addEventListener("keydown", (e) => {
    const sign = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1 }[e.key];
    if (!sign) return;
    e.preventDefault();
    nudge(sign, e.shiftKey, e.altKey);
  });
  slider.addEventListener("input", () => {
    const v = fromSlider(Number(slider.value));
    number.value = plain(v);
    take(v, false);
  });
  slider.addEventListener("change", () => {
    held = false;
    take(fromSlider(Number(slider.value)), true);
    number.value = plain(value);
  });
  const typed = (): void => {
    const v = parse(number.value, row.unit);
    if (Number.isNaN(value) && /^\s*[–-]?\s*$/.test(number.value)) return paint(); // still the dash
    if (v === null)
      return fail(
        `"${number.value.trim()}" is not a number${unitText(row.unit) ? ` in ${unitText(row.unit)}` : ""}; such as ${plain(row.default ?? start())}`,
      );
    take(v, true, true);
    number.value = plain(value);
  };
  number.addEventListener("focus", () => (held = true));
  number.addEventListener("blur", () => (held = false));
  number.addEventListener("change", typed);
  number.addEventListener("keydown", (e) => {
    if (e.key === "Enter") window.setTimeout(() => number.blur(), 0); // after its change was taken
    if (e.key === "Escape") {
      number.value = Number.isNaN(value) ? "–" : plain(value);
      fail("");
      number.blur();
    }
    if (e.key !== "ArrowUp" && e.key !== "ArrowDown") return;
    e.preventDefault();
    nudge(e.key === "ArrowUp" ? 1 : -1, e.shiftKey, e.altKey);
  });
  const nudge = (sign: number, coarse: boolean, fine: boolean): void => {
    const step = lastDigit(Number.isFinite(value) ? number.value : plain(start(), 4)) * (coarse ? 10 : fine ? 0.1 : 1);
    const v = Number((start() + sign * step).toPrecision(9));
    take(v, true);
    number.value = plain(value);
  };
  number.addEventListener(
    "wheel",
    (e) => {
      if (document.activeElement !== number) return;
      e.preventDefault();
      nudge(e.deltaY < 0 ? 1 : -1, e.shiftKey, e.altKey);
    },
    { passive: false },
  );
  reset.addEventListener("click", () => {
    if (row.default === null) return;
    take(row.default, true);
    number.value = plain(value);
  });

  if (o.disabled) {
    slider.disabled = number.disabled = reset.disabled = true;
    root.title = o.disabled;
    root.classList.add("off");
  }
  number.value = plain(value);
  paint();
  return {
    root,
    row,
    value: () => value,
    set(v: number) {
      if (held || v === value || (Number.isNaN(v) && Number.isNaN(value))) return;
      value = v;
      number.value = plain(v);
      paint();
    },
    fail,
  };
}
let counter = 0;

// A long name may break behind its underscores.
function breakable(name: string): (string | HTMLElement)[] {
  return name.split("_").flatMap((part, i, all) => (i < all.length - 1 ? [`${part}_`, h("wbr")] : [part]));
}

// One width for all labels of a form: they fit, or their longest word does.
export function fitLabels(host: HTMLElement, labels: string[], wide = 6.3): HTMLElement {
  const width = (text: string): number => Math.ceil(wide * text.length) + 2;
  const needs = labels.map((l) => (width(l) <= MAX_LABEL ? width(l) : Math.max(...l.split(/(?<=_)| /).map(width))));
  host.style.setProperty("--label", `${Math.min(MAX_LABEL, Math.max(26, ...needs))}px`);
  return host;
}
const MAX_LABEL = 88; // px

export function rangeText(row: Row, floor = row.min): string {
  const unit = unitText(row.unit);
  return `${plain(floor)} to ${plain(row.max)}${unit ? ` ${unit}` : ""}`;
}

// A menu of names.
export function makeChoice(
  label: string,
  names: readonly string[],
  value: string,
  take: (name: string) => void,
  title = "",
): HTMLElement {
  const select = h("select", {
    class: "fo-choice",
    "aria-label": label,
    title: title || undefined,
  }) as HTMLSelectElement;
  for (const name of names) select.append(h("option", { value: name }, name));
  select.value = value;
  select.addEventListener("change", () => take(select.value));
  return h("label", { class: "fo-line" }, h("span", { class: "fo-label" }, label), select);
}

// A search box above long forms: fields whose name or help does not match are hidden.
export function makeSearch(fields: Field[]): HTMLElement {
  const box = h("input", {
    type: "search",
    class: "fo-search",
    placeholder: "Find a parameter",
    "aria-label": "Find a parameter",
  }) as HTMLInputElement;
  box.addEventListener("input", () => {
    const word = box.value.trim().toLowerCase();
    for (const f of fields) f.root.hidden = word !== "" && !`${f.row.name} ${f.row.doc}`.toLowerCase().includes(word);
  });
  return box;
}
