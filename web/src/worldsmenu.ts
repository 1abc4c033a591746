// worldsmenu.ts - what can be done with a world: rename, hide, solo, make main, export, remove.
import { alignItems } from "./align.ts";
import { Refused, type World } from "./app.ts";
import { sentence, type Core } from "./core.ts";
import { h, menu, place } from "./dom.ts";
import { saveText } from "./files.ts";
import { bytesText } from "./units.ts";

// A small field beside an element; Enter takes it, Escape or a click outside does not.
export function askText(at: Element | { x: number; y: number }, label: string, value: string, done: (text: string) => void): void {
  const back = document.activeElement as HTMLElement | null;
  const input = h("input", { class: "field", value, "aria-label": label, style: "width:180px" });
  const box = h("div", { class: "float", style: "padding:8px;display:flex;flex-direction:column;gap:6px", role: "dialog", "aria-label": label }, h("label", { class: "mut" }, label, h("br"), input));
  let open = true;
  const close = (take: boolean) => {
    if (!open) return;
    open = false;
    box.remove();
    back?.focus({ preventScroll: true });
    if (take && input.value.trim() && input.value !== value) done(input.value.trim());
  };
  input.addEventListener("keydown", (e) => { e.stopPropagation(); if (e.key === "Enter") close(true); if (e.key === "Escape") close(false); });
  input.addEventListener("blur", () => close(false));
  document.body.appendChild(box);
  const r = at instanceof Element ? at.getBoundingClientRect() : { left: at.x, bottom: at.y, top: at.y };
  place(box, r.left, r.bottom + 4, r.top - 4);
  input.focus(); input.select();
}

export function ask(app: Core, kind: string, args: object, said?: string): Promise<unknown> {
  return app.ask(kind, args).then((a) => { if (said) app.toast(said); return a; }, (e) => { if (e instanceof Refused) app.toast(sentence(e.answer.reason)); });
}
export async function exportWorld(app: Core, what: "scenario" | "log" | "csv" | "dynavis", world: number, vehicle?: string): Promise<void> {
  const a = (await ask(app, "export", { what, world, ...(vehicle ? { vehicle } : {}) })) as { name?: string; type?: string; text?: string } | undefined;
  if (a?.text !== undefined) saveText(a.name ?? `motorcade.${what}`, a.text, a.type ?? "text/plain");
}

export function worldsMenu(at: Element, app: Core, w: World): void {
  const only = app.shown().length <= 1, main = app.worlds[0]?.world === w.world, off = !app.connected || app.readOnly;
  menu(at, [
    { label: "Rename…", disabled: off, run: () => askText(at, "Name of the world", w.name, (name) => void ask(app, "worlds", { op: "rename", world: w.world, name })) },
    { label: "Hide", disabled: only, run: () => { app.worldList.hide(w.world, true); app.emit("worlds"); } },
    { label: app.worldList.soloed(w.world) ? "Show the others again" : "Solo", hint: "Alt click", disabled: app.worlds.length < 2, run: () => { app.worldList.setSolo(w.world); app.emit("worlds"); } },
    { label: "Make main", disabled: off || main, run: () => void ask(app, "worlds", { op: "main", world: w.world }) },
    { label: "Move up", disabled: main, run: () => { app.worldList.move(w.world, app.worldList.place(w.world) - 1); app.emit("worlds"); } },
    ...alignItems(at, app, w),
    "-",
    { label: "Export as scenario", disabled: off, run: () => void exportWorld(app, "scenario", w.world) },
    { label: "Export input log", disabled: off, run: () => void exportWorld(app, "log", w.world) },
    { label: "Export CSV", disabled: off, run: () => void exportWorld(app, "csv", w.world) },
    "-",
    { label: "Remove", disabled: off || main, title: `${bytesText(w.memory)} of memory`, run: () => void ask(app, "worlds", { op: "remove", world: w.world }, `${w.name} removed`) },
  ], `World ${w.name}`);
}
export function hiddenMenu(at: Element, app: Core): void {
  menu(at, app.worlds.filter((w) => app.worldList.hidden.has(w.world)).map((w) => ({
    label: `${app.letter(w.world)}  ${w.name}`, run: () => { app.worldList.hide(w.world, false); app.emit("worlds"); },
  })), "Hidden worlds");
}
