// dialog.ts - a box over a veil that holds the focus: Escape, a press on the veil or its button closes it, and the
// focus goes back where it was.
import { h, type Child } from "./dom.ts";
import { icon } from "./icons.ts";

export function openDialog(label: string, head: Child, body: HTMLElement, closed: () => void): () => void {
  const back = document.activeElement as HTMLElement | null;
  const close = () => {
    box.remove();
    veil.remove();
    back?.focus({ preventScroll: true });
    closed();
  };
  const box = h(
    "div",
    { class: "float kl", role: "dialog", "aria-modal": "true", "aria-label": label },
    h(
      "div",
      { class: "kl-head" },
      head,
      h("button", { class: "iconbtn", "aria-label": "Close", onclick: close }, icon("close")),
    ),
    body,
  );
  const veil = h("div", { class: "veil", onpointerdown: close });
  box.addEventListener("keydown", (e) => {
    if (e.key === "Escape" || e.key === "?") {
      e.preventDefault();
      close();
    }
    if (e.key === "Tab") trap(box, e);
    e.stopPropagation();
  });
  document.body.append(veil, box);
  body.focus();
  return close;
}
function trap(box: HTMLElement, e: KeyboardEvent): void {
  const all = [...box.querySelectorAll<HTMLElement>("button, [tabindex='0'], input, summary, a")];
  const first = all[0];
  const last = all[all.length - 1];
  if (e.shiftKey && document.activeElement === first) {
    e.preventDefault();
    last.focus();
  } else if (!e.shiftKey && document.activeElement === last) {
    e.preventDefault();
    first.focus();
  }
}
