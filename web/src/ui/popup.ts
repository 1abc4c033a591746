// popup.ts - a small panel that opens at a button: settings of the instruments (menus: dom.ts).
//
//     button.onclick = () => openPopup(button, "Plot", selectRow(...), checkRow(...));
//
// One is open at a time. Escape, a click elsewhere or Tab out of it closes it and gives the focus
// back to its button.
import { h, place } from "./dom.ts";

let open: { panel: HTMLElement; anchor: HTMLElement; off: () => void } | null = null;

export function closePopup(giveBack = true): void {
  if (!open) return;
  const { panel, anchor, off } = open;
  open = null;
  off();
  panel.remove();
  anchor.setAttribute("aria-expanded", "false");
  if (giveBack) anchor.focus();
}

export function openPopup(anchor: HTMLElement, label: string, ...rows: HTMLElement[]): void {
  if (open?.anchor === anchor) return closePopup();
  closePopup(false);
  const panel = h("div", { class: "float pu-panel", role: "dialog", "aria-label": label }, ...rows);
  document.body.append(panel);
  const a = anchor.getBoundingClientRect();
  place(panel, a.left, a.bottom + 4, a.top - 4);
  const outside = (e: Event) => {
    if (!panel.contains(e.target as Node) && !anchor.contains(e.target as Node)) closePopup(false);
  };
  const keys = (e: KeyboardEvent) => pressed(panel, e);
  document.addEventListener("pointerdown", outside, true);
  panel.addEventListener("keydown", keys);
  open = { panel, anchor, off: () => document.removeEventListener("pointerdown", outside, true) };
  anchor.setAttribute("aria-expanded", "true");
  focusable(panel)[0]?.focus();
}

function focusable(panel: HTMLElement): HTMLElement[] {
  return [...panel.querySelectorAll<HTMLElement>("button, select, input")].filter(
    (e) => !(e as HTMLButtonElement).disabled,
  );
}

function pressed(panel: HTMLElement, e: KeyboardEvent): void {
  e.stopPropagation(); // letters typed here are not commands
  if (e.key === "Escape") return closePopup();
  const list = focusable(panel);
  const at = list.indexOf(document.activeElement as HTMLElement);
  if (e.key === "Tab" && ((!e.shiftKey && at === list.length - 1) || (e.shiftKey && at === 0))) {
    e.preventDefault();
    closePopup();
  }
}

// ---- rows -----------------------------------------------------------------------------------------

let rowNumber = 0;

export function selectRow(
  label: string,
  value: string,
  options: [string, string][],
  set: (value: string) => void,
  title = "",
): HTMLElement {
  const id = "pu-" + ++rowNumber;
  const list = h("select", { id, class: "pu-select", title }) as HTMLSelectElement;
  for (const [name, words] of options) list.append(new Option(words, name, false, name === value));
  list.addEventListener("change", () => set(list.value));
  return h("div", { class: "pu-row" }, h("label", { for: id }, label), list);
}

export function checkRow(label: string, value: boolean, set: (value: boolean) => void, title = ""): HTMLElement {
  const box = h("input", { type: "checkbox", class: "pu-check" }) as HTMLInputElement;
  box.checked = value;
  box.addEventListener("change", () => set(box.checked));
  return h("label", { class: "pu-row pu-tick", title }, box, h("span", {}, label));
}
