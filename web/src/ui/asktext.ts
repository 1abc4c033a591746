// asktext.ts - a small field beside an element, for one word or number.
import { h, place } from "./dom.ts";

// Enter takes it, Escape or a click outside does not.
export function askText(
  at: Element | { x: number; y: number },
  label: string,
  value: string,
  done: (text: string) => void,
): void {
  const back = document.activeElement as HTMLElement | null;
  const input = h("input", { class: "field", value, "aria-label": label, style: "width:180px" });
  const box = h(
    "div",
    {
      class: "float",
      style: "padding:8px;display:flex;flex-direction:column;gap:6px",
      role: "dialog",
      "aria-label": label,
    },
    h("label", { class: "mut" }, label, h("br"), input),
  );
  let open = true;
  const close = (take: boolean) => {
    if (!open) return;
    open = false;
    box.remove();
    back?.focus({ preventScroll: true });
    if (take && input.value.trim() && input.value !== value) done(input.value.trim());
  };
  input.addEventListener("keydown", (e) => {
    e.stopPropagation();
    if (e.key === "Enter") close(true);
    if (e.key === "Escape") close(false);
  });
  input.addEventListener("blur", () => close(false));
  document.body.appendChild(box);
  const r = at instanceof Element ? at.getBoundingClientRect() : { left: at.x, bottom: at.y, top: at.y };
  place(box, r.left, r.bottom + 4, r.top - 4);
  input.focus();
  input.select();
}
