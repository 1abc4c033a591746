// filespanel.ts - files of the folders given at start, to open or to open beside the run; and what can be saved.
import { type App } from "../core/app.ts";
import { h } from "../ui/dom.ts";
import { icon } from "../ui/icons.ts";
import type { Ask } from "../wire/protocol.ts";
import { Rejected } from "../wire/wire.ts";
import { openMechanism } from "./mechanism.ts";
import { rememberPlatoon } from "./medusa.ts";
import { saveWorld } from "./save.ts";

// A rejection in readable form: place, what is wrong, the line with a caret.
export function rejectionText(e: unknown): string {
  if (!(e instanceof Rejected)) return e instanceof Error ? e.message : String(e);
  const a = e.answer;
  const place = [a.file, a.line, a.column].filter((x) => x !== undefined).join(":");
  const caret = a.text && a.column ? `\n${a.text}\n${" ".repeat(Math.max(0, a.column - 1))}^` : "";
  return `${place ? `${place}: ` : ""}${a.reason}${caret}`;
}

type What = Ask<"export">["what"];
const SAVES: [What, string, string][] = [
  [
    "state",
    "State",
    "the scenario and all changes to it: when opened, it is simulated up to this instant and continues from there",
  ],
  [
    "scenario",
    "Scenario",
    "the initial scenario with the log of everything done to it, in one file: motorcade run repeats it",
  ],
  [
    "log",
    "Input log",
    "log.csv and start.yaml, the scenario at the start: motorcade run start.yaml --replay-log log.csv",
  ],
  ["results", "Results (HDF5)", "the file that motorcade run -o writes, of this world up to where it is simulated"],
  ["csv", "CSV", "every stored row of the selected car; of all cars while none is selected"],
  ["dynavis", "DYNAVIS data", "data file of the report"],
];

function saving(app: App, message: HTMLElement): HTMLElement {
  const save = (what: What): void => {
    const world = app.current()?.world ?? 0;
    message.textContent = "";
    const vehicle = what === "csv" && app.selection ? { vehicle: app.selection.vehicle } : {};
    saveWorld(app, { what, world, ...vehicle }).then(
      (names) => app.toast(`${names} saved`),
      (e) => (message.textContent = rejectionText(e)),
    );
  };
  return h(
    "section",
    { class: "in-body", "aria-label": "Save" },
    h("h3", {}, "Save"),
    h(
      "div",
      { class: "fi-saves" },
      ...SAVES.map(([what, label, title]) =>
        h(
          "button",
          { type: "button", class: "in-action", title, "data-export": what, onclick: () => save(what) },
          label,
        ),
      ),
    ),
  );
}

export function filesPanel(host: HTMLElement, app: App): void {
  const list = h("div", { class: "fi-list" });
  const message = h("pre", { class: "fi-message", role: "alert" });
  const off = app.readOnly;
  const open = (file: string, kind: string, beside: boolean): void => {
    message.textContent = "";
    if (kind === "mechanism") {
      openMechanism(app, file, beside).catch((e) => (message.textContent = rejectionText(e)));
      return;
    }
    app.ask("open", { file, beside }).then(
      (done) => {
        if (!beside) rememberPlatoon(kind === "medusa" ? (choice) => app.ask("open", { file, ...choice }) : null);
        app.opened(done.world); // results of simulate belong on the bench
        app.toast(beside ? `${file} runs beside` : `${file} is open`);
      },
      (e) => (message.textContent = rejectionText(e)),
    );
  };
  app.ask("files", {}).then(
    (answer) => {
      for (const folder of answer.folders) {
        list.append(h("h3", {}, folder.name));
        for (const f of folder.files) {
          const go = h(
            "button",
            {
              type: "button",
              class: "fi-open",
              title: f.doc,
              disabled: off,
              onclick: () => open(f.file, f.kind, false),
            },
            h("b", {}, f.title || f.file),
            h("span", {}, `${f.file} · ${f.kind}`),
          );
          const beside = h(
            "button",
            {
              type: "button",
              class: "in-icon",
              "aria-label": `open ${f.file} beside`,
              title: "open beside, on the same clock",
              disabled: off,
              onclick: () => open(f.file, f.kind, true),
            },
            icon("branch", 16),
          );
          list.append(h("div", { class: "fi-row" }, go, beside));
        }
      }
      if (!list.childElementCount)
        list.append(h("p", { class: "in-note" }, "No folders were given at start (--folder)."));
    },
    (e) => (message.textContent = rejectionText(e)),
  );
  const pick = h(
    "button",
    {
      type: "button",
      class: "in-action",
      disabled: off,
      title: "scenario, HDF5 results, data.asc, DYNAVIS data and parameters, CSV",
      onclick: () => app.run("open.file"),
    },
    "Open a file from this computer…",
  );
  host.replaceChildren(
    h(
      "header",
      { class: "in-head" },
      h("div", {}, h("h2", {}, "Files"), h("span", { class: "in-sub" }, "or drop files anywhere on the page")),
    ),
    saving(app, message),
    message,
    h(
      "section",
      { class: "in-body", "aria-label": "Open" },
      h("h3", {}, "Open"),
      h(
        "div",
        { class: "in-actions" },
        pick,
        h(
          "button",
          {
            type: "button",
            class: "in-action",
            title: "examples as pictures, recent files (Ctrl O)",
            onclick: () => app.run("start screen"),
          },
          "Examples as pictures…",
        ),
      ),
      list,
    ),
  );
}
