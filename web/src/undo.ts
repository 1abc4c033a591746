// undo.ts - Undo and Redo walk the input log on the server; the toast says what was taken back.
import { Refused } from "./app.ts";
import { sentence, type Core } from "./core.ts";

export function startUndo(app: Core): void {
  const walk = async (kind: "undo" | "redo") => {
    try {
      const done = await app.ask(kind);
      const text = typeof done.text === "string" && done.text ? `: ${done.text}` : "";
      app.toast(`${kind === "undo" ? "Undone" : "Done again"}${text}`, { label: kind === "undo" ? "Redo" : "Undo", run: () => app.run(kind === "undo" ? "redo" : "undo") });
    } catch (e) {
      if (e instanceof Refused) app.toast(sentence(e.answer.reason));
    }
  };
  const may = () => app.connected && !app.readOnly;
  app.command({ name: "undo", title: "Undo", keys: ["Ctrl+Z"], group: "Worlds", help: "Takes the last change back: it leaves the log and the world is simulated without it.", when: may, run: () => void walk("undo") });
  app.command({ name: "redo", title: "Redo", keys: ["Ctrl+Shift+Z", "Ctrl+Y"], group: "Worlds", help: "Makes the change again.", when: may, run: () => void walk("redo") });
}
