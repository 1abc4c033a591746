// undo.ts - Undo and Redo walk the input log on the server; the toast says what was undone.
import { sentence, type Core } from "../core/core.ts";
import { Rejected } from "../wire/wire.ts";

export function startUndo(app: Core): void {
  const walk = async (kind: "undo" | "redo") => {
    try {
      const done = await app.ask(kind, {});
      const text = done.text ? `: ${done.text}` : "";
      app.toast(`${kind === "undo" ? "Undone" : "Done again"}${text}`, {
        label: kind === "undo" ? "Redo" : "Undo",
        run: () => app.run(kind === "undo" ? "redo" : "undo"),
      });
    } catch (e) {
      if (e instanceof Rejected) app.toast(sentence(e.answer.reason));
    }
  };
  const may = () => app.connected && !app.readOnly;
  app.command({
    name: "undo",
    title: "Undo",
    keys: ["Ctrl+Z"],
    group: "Worlds",
    help: "Undoes the last change: it is removed from the log and the world is simulated without it.",
    when: may,
    run: () => void walk("undo"),
  });
  app.command({
    name: "redo",
    title: "Redo",
    keys: ["Ctrl+Shift+Z", "Ctrl+Y"],
    group: "Worlds",
    help: "Repeats the change that was undone.",
    when: may,
    run: () => void walk("redo"),
  });
}
