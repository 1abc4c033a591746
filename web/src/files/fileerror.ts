// fileerror.ts - what is wrong with a file that cannot be opened.
import { h } from "../ui/dom.ts";
import { icon } from "../ui/icons.ts";
import type { Rejection } from "../wire/protocol.ts";

// path:line:column, the line with a caret, what was expected. The old scenario keeps running.
export function showFileError(name: string, a: Rejection): void {
  const back = document.activeElement as HTMLElement | null;
  const where = [a.file ?? name, a.line, a.column].filter((p) => p !== undefined && p !== 0).join(":");
  const caret = a.text && `${a.text}\n${a.column ? " ".repeat(a.column - 1) + "^" : ""}`;
  const close = () => {
    box.remove();
    back?.focus({ preventScroll: true });
  };
  const button = h("button", { class: "btn", onclick: close }, "Close");
  const box = h(
    "div",
    {
      class: "float fe",
      role: "alertdialog",
      "aria-label": "File error",
      onkeydown: (e: KeyboardEvent) => {
        if (e.key === "Escape") close();
      },
    },
    h("h2", null, icon("warning", 16), " Cannot open this file"),
    h("p", { class: "mono fe-where" }, where),
    h("p", null, a.reason),
    caret && h("pre", { class: "mono" }, caret),
    h("p", { class: "mut" }, "The previous run is still running."),
    button,
  );
  document.querySelector(".fe")?.remove();
  document.body.appendChild(box);
  button.focus();
}
