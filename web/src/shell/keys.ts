// keys.ts - from a key press to a command; remapping and switching off, kept in localStorage.
//
// A key is written "N", "Shift+N", "Ctrl+K", "Alt+ArrowLeft", "Space", "?" (Shift is not written
// for signs that need it anyway). Letters do nothing in text fields. A slider keeps its arrows, a button reached by
// keyboard (not one that was clicked) keeps Space and Enter, and a hand-driven car keeps the arrow keys.
import type { Command } from "../core/app.ts";
import type { Core } from "../core/core.ts";
import { typing } from "../ui/dom.ts";

const KEPT = "motorcade.keys";

export interface Press {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  code?: string;
}
export function keyName(e: Press): string {
  let key = e.key === " " ? "Space" : e.key;
  if (/^[a-zäöü]$/i.test(key)) key = key.toUpperCase();
  if (e.altKey && e.code && /^(Key[A-Z]|Digit\d)$/.test(e.code)) key = e.code.slice(-1); // Alt makes other signs
  const sign = key.length === 1 && !/[A-ZÄÖÜ]/.test(key);
  return `${e.ctrlKey || e.metaKey ? "Ctrl+" : ""}${e.altKey ? "Alt+" : ""}${e.shiftKey && !sign ? "Shift+" : ""}${key}`;
}
const NAMES: Record<string, string> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  Delete: "Del",
  Escape: "Esc",
  " ": "Space",
};
export function keyText(name: string): string {
  return name
    .split(/\+(?=.)/)
    .map((k) => NAMES[k] ?? k)
    .join(" ");
}

export class Keys {
  private map: Record<string, string[]> = {};
  private index = new Map<string, Command[]>();
  listen = true; // false while a new key is being chosen
  private clicked: Element | null = null; // what the pointer focused last: Space is not for it
  constructor(private readonly app: Core) {
    try {
      this.map = JSON.parse(localStorage.getItem(KEPT) ?? "{}");
    } catch {
      this.map = {};
    }
    app.commands.watch(() => this.index.clear());
    addEventListener("keydown", (e) => this.press(e));
    // Chromium shows the focus ring of a clicked button as soon as a key is pressed, so the ring does not tell
    // who reached it by keyboard.
    addEventListener("pointerdown", (e) => (this.clicked = control(e.target)), { capture: true });
    addEventListener("keydown", (e) => e.key === "Tab" && (this.clicked = null), { capture: true });
    // Firefox presses a button when Space is let go, whatever became of the key going down.
    addEventListener("keyup", (e) => e.key === " " && this.isClicked(e.target) && e.preventDefault());
  }
  of(c: Command): string[] {
    return this.map[c.name] ?? c.keys ?? [];
  }
  changed(c: Command): boolean {
    return c.name in this.map;
  }
  set(c: Command, keys: string[] | null): void {
    if (keys === null) delete this.map[c.name];
    else this.map[c.name] = keys;
    this.keep();
  }
  reset(): void {
    this.map = {};
    this.keep();
  }
  private keep(): void {
    this.index.clear();
    try {
      localStorage.setItem(KEPT, JSON.stringify(this.map));
    } catch {
      /* for this visit only */
    }
  }
  find(name: string): Command[] {
    if (!this.index.size)
      for (const c of this.app.commands.list())
        for (const k of this.of(c)) this.index.set(k, [...(this.index.get(k) ?? []), c]);
    return this.index.get(name) ?? [];
  }
  private press(e: KeyboardEvent): void {
    if (!this.listen || e.defaultPrevented || e.isComposing) return;
    const name = keyName(e);
    const t = e.target as HTMLElement | null;
    if (typing(e) && !(e.ctrlKey || e.metaKey) && name !== "F1") return;
    if (typing(e) && /^Ctrl\+(Shift\+)?[ZYACVX]$/.test(name)) return;
    if (ownsKey(t, name, this.isClicked(t))) return;
    if (this.app.layout.driving && /^(Shift\+)?Arrow(Up|Down)$|^Arrow(Left|Right)$/.test(name)) return;
    const c = this.find(name).find((o) => this.app.commands.enabled(o));
    if (!c) return;
    e.preventDefault();
    this.app.run(c.name);
  }
  private isClicked(t: EventTarget | null): boolean {
    return this.clicked !== null && this.clicked === control(t);
  }
}
function control(t: EventTarget | null): Element | null {
  return t instanceof Element ? t.closest("button, a, summary, input, label") : null;
}
function ownsKey(t: HTMLElement | null, name: string, clicked: boolean): boolean {
  if (!t?.tagName) return false;
  if (t.closest('[role="menu"], [role="dialog"], [role="listbox"]') && name !== "Ctrl+K") return true;
  const arrows = /^(Shift\+|Alt\+)?(Arrow|Home$|End$|Page)/.test(name);
  if (
    arrows &&
    (t.tagName === "INPUT" || t.closest('[role="grid"], [role="tree"], [role="radiogroup"], [data-arrows]'))
  )
    return true;
  if (arrows && t.getAttribute("role") === "slider" && !t.classList.contains("tl-canvas")) return true;
  if (name === "Delete" && t.closest("[data-delete]")) return true;
  const presses =
    t.tagName === "BUTTON" ||
    t.tagName === "A" ||
    t.tagName === "SUMMARY" ||
    (t.tagName === "INPUT" && (t as HTMLInputElement).type === "checkbox");
  return presses && (name === "Space" || name === "Enter") && !clicked && t.matches(":focus-visible");
}
