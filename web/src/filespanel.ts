// filespanel.ts - files of the folders given at start, to open or to lay beside; and what can be saved.
import { Refused, type App } from "./app";
import { h } from "./dom";
import { saveText } from "./files";
import { icon } from "./icons";

interface Entry { file: string; kind: string; title: string; doc: string; size: number }

// A refusal as a person reads it: place, line with a caret, what is wrong.
export function refusalText(e: unknown): string {
  if (!(e instanceof Refused)) return e instanceof Error ? e.message : String(e);
  const a = e.answer;
  const place = [a.file, a.line, a.column].filter((x) => x !== undefined && x !== null && x !== "").join(":");
  const caret = a.text && a.column ? `\n${a.text}\n${" ".repeat(Math.max(0, Number(a.column) - 1))}^` : "";
  return `${place ? `${place}: ` : ""}${a.reason}${caret}`;
}

const SAVES: [string, string, string][] = [
  ["state", "State", "scenario and everything done to it: opened again, it is simulated to this instant and goes on"],
  ["scenario", "Scenario", "the version that runs now, as a file to share; without the log, whose edits it has"],
  ["log", "Input log", "log.csv and start.yaml, the scenario at the start: motorcade run start.yaml --replay-log log.csv"],
  ["csv", "CSV", "all cars, every stored row"],
  ["dynavis", "DYNAVIS data", "data file of the report"],
];

function saving(app: App, message: HTMLElement): HTMLElement {
  const save = (what: string): void => {
    const world = app.current()?.world ?? 0;
    message.textContent = "";
    app.ask("export", { what, world, ...(what === "csv" && app.selection ? { vehicle: app.selection.vehicle } : {}) }).then(
      (a) => {
        saveText(a.name, a.text, a.type ?? "text/plain");
        if (a.with) saveText(a.with.name, a.with.text); // the file it belongs to
        app.toast(`${a.name}${a.with ? ` and ${a.with.name}` : ""} saved`);
      },
      (e) => (message.textContent = refusalText(e)));
  };
  return h("section", { class: "in-body", "aria-label": "Save" }, h("h3", {}, "Save"),
    h("div", { class: "fi-saves" }, ...SAVES.map(([what, label, title]) => h("button", { type: "button", class: "in-action", title, "data-export": what, onclick: () => save(what) }, label))));
}

export function filesPanel(host: HTMLElement, app: App): void {
  const list = h("div", { class: "fi-list" });
  const message = h("pre", { class: "fi-message", role: "alert" });
  const off = app.readOnly;
  const open = (file: string, beside: boolean): void => {
    message.textContent = "";
    app.ask("open", { file, beside }).then(
      () => app.toast(beside ? `${file} runs beside` : `${file} is open`),
      (e) => (message.textContent = refusalText(e)),
    );
  };
  app.ask("files").then((answer) => {
    for (const folder of answer.folders as { name: string; files: Entry[] }[]) {
      list.append(h("h3", {}, folder.name));
      for (const f of folder.files) {
        const go = h("button", { type: "button", class: "fi-open", title: f.doc, disabled: off, onclick: () => open(f.file, false) }, h("b", {}, f.title || f.file), h("span", {}, `${f.file} · ${f.kind}`));
        const beside = h("button", { type: "button", class: "in-icon", "aria-label": `open ${f.file} beside`, title: "open beside, on the same clock", disabled: off, onclick: () => open(f.file, true) }, icon("branch", 16));
        list.append(h("div", { class: "fi-row" }, go, beside));
      }
    }
    if (!list.childElementCount) list.append(h("p", { class: "in-note" }, "No folders were given at start (--folder)."));
  }, (e) => (message.textContent = refusalText(e)));
  const pick = h("button", { type: "button", class: "in-action", disabled: off, title: "scenario, HDF5 results, data.asc, DYNAVIS data and parameters, CSV", onclick: () => app.run("open.file") }, "Open a file of this computer…");
  host.replaceChildren(
    h("header", { class: "in-head" }, h("div", {}, h("h2", {}, "Files"), h("span", { class: "in-sub" }, "or drop files anywhere on the page"))),
    saving(app, message), message, h("section", { class: "in-body", "aria-label": "Open" }, h("h3", {}, "Open"), h("div", { class: "in-actions" }, pick, h("button", { type: "button", class: "in-action", title: "examples as pictures, what was open last (Ctrl O)", onclick: () => app.run("start screen") }, "Examples as pictures…")), list));
}
