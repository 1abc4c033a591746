// medusa.ts - platoons of MEDUSA as running worlds: which file of several is the platoon, and how it is to run.
//
// Scheme, contact law and equilibrium are chosen when a platoon is opened; choosing others opens it again from the start.
// What was opened last is remembered: a file of the server, or files that were dropped.
import type { Core } from "../core/core.ts";
import { openDialog } from "../ui/dialog.ts";
import { h } from "../ui/dom.ts";
import type { OpenRequest } from "../wire/protocol.ts";
import { Rejected } from "../wire/wire.ts";
import { showFileError } from "./fileerror.ts";

export type MedusaChoice = Pick<OpenRequest, "scheme" | "contact" | "equilibrium">;
const CHOICES: { key: keyof MedusaChoice; label: string; words: [string, string][] }[] = [
  {
    key: "scheme",
    label: "Scheme",
    words: [
      ["exponential", "exponential: fourth order, elastic modes exact"],
      ["published", "published: eq 1.45 of the report, corrected"],
    ],
  },
  {
    key: "contact",
    label: "Contact law",
    words: [
      ["", "that of the scheme"],
      ["impulses", "impulses: micro-impacts at their instants"],
      ["penalty", "penalty: the report's multipliers"],
      ["none", "none: vehicles pass through each other"],
    ],
  },
  {
    key: "equilibrium",
    label: "Equilibrium at the start",
    words: [
      ["file", "as in the model file"],
      ["solved", "solved"],
    ],
  },
];

// The first word of a platoon file, after comments.
export function isPlatoon(start: string): boolean {
  return /^(\s*%[^\n]*\n|\s+)*NUMBER_OF_VEHICLES\b/.test(start);
}

let again: ((choice: MedusaChoice) => Promise<unknown>) | null = null;
let chosen: MedusaChoice = {};

// To be told of everything that is opened; null: something else than a platoon.
export function rememberPlatoon(open: ((choice: MedusaChoice) => Promise<unknown>) | null): void {
  again = open;
  chosen = {};
}

// The file that the studio was started with, if the folders have one platoon of that name.
async function fromFolders(app: Core): Promise<typeof again> {
  const { folders } = await app.ask("files", {});
  const same = folders
    .flatMap((f) => f.files)
    .filter((e) => e.kind === "medusa" && e.file.split("/").at(-1) === app.file);
  return same.length === 1 ? (choice) => app.ask("open", { file: same[0]!.file, ...choice }) : null;
}

async function choose(app: Core): Promise<void> {
  again ??= await fromFolders(app);
  const open = again;
  if (!open) {
    app.toast("Open a platoon file of MEDUSA from the start screen, or drop it with its model file");
    return;
  }
  const fields = CHOICES.map((c) => {
    const select = h(
      "select",
      { "aria-label": c.label },
      ...c.words.map(([word, text]) => h("option", { value: word, selected: (chosen[c.key] ?? "") === word }, text)),
    );
    return { c, select, row: h("label", { class: "md-row" }, h("span", null, c.label), select) };
  });
  const go = h("button", { class: "btn primary" }, "Run from the start");
  const body = h("div", { class: "md", tabindex: -1 }, ...fields.map((f) => f.row), go);
  const close = openDialog("MEDUSA run", h("h2", null, "MEDUSA run"), body, () => undefined);
  go.addEventListener("click", () => {
    const choice: MedusaChoice = {};
    for (const f of fields) if (f.select.value) choice[f.c.key] = f.select.value;
    close();
    open(choice).then(
      () => {
        chosen = choice;
        app.toast(`MEDUSA: ${Object.values(choice).join(", ")}`);
      },
      (e) => {
        if (e instanceof Rejected) showFileError(app.file, e.answer);
        else app.toast(e instanceof Error ? e.message : String(e));
      },
    );
  });
}

export function startMedusa(app: Core): void {
  app.command({
    name: "medusa.choose",
    title: "MEDUSA: scheme, contact law, equilibrium…",
    group: "Files",
    help: "How the platoon file that is open runs: it starts again with what is chosen.",
    when: () => app.connected && !app.readOnly && /\.dat$/i.test(app.file),
    run: () => void choose(app),
  });
}
