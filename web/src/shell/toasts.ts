// toasts.ts - messages that go by themselves: after 6 s, when their action is taken, or when one works
// where they stand.
//
// They stand where the scene is empty, if it has a band high enough, otherwise side by side over the
// titles of the instruments, without those above the timeline. A press or a wheel on a message goes to
// what lies under it, and the message makes way.
import type { App } from "../core/app.ts";
import { h } from "../ui/dom.ts";
import { icon } from "../ui/icons.ts";

export interface Band {
  left: number;
  top: number;
  width: number;
  height: number;
} // px of the window

const MARGIN = 8; // px

// free: the largest empty band of what is shown; null: there is none. titles: where they stand then, and the bottom
// edge of the last.
export function startToasts(
  root: HTMLElement,
  free: () => Band | null,
  titles: () => { middle: number; bottom: number },
): App["toast"] {
  const box = h("div", { class: "toasts", role: "status", "aria-label": "Messages" });
  const closing = new Map<Element, () => void>();
  root.appendChild(box);
  let looking = 0; // the layout moves under a message, as when it tells of a new strip
  const place = (): void => {
    const band = free();
    const all = [...box.children] as HTMLElement[];
    for (const toast of all) toast.hidden = false;
    box.classList.remove("in-row");
    const fits = band && box.offsetHeight + 2 * MARGIN <= band.height && box.offsetWidth + 2 * MARGIN <= band.width;
    const at = fits
      ? { middle: band.left + band.width / 2, bottom: band.top + (band.height + box.offsetHeight) / 2 }
      : titles();
    box.classList.toggle("in-row", !fits);
    // The oldest wait while there is no room for all.
    for (const toast of all.slice(0, -1)) if (!fits && box.offsetWidth > 2 * (at.middle - MARGIN)) toast.hidden = true;
    box.style.left = `${at.middle}px`;
    box.style.top = `${Math.max(MARGIN, at.bottom - box.offsetHeight)}px`;
  };
  const look = (): void => {
    clearInterval(looking);
    if (!box.children.length) return;
    place();
    looking = setInterval(place, 100) as unknown as number;
  };
  for (const type of ["pointerdown", "wheel"] as const)
    document.addEventListener(
      type,
      (e) => {
        for (const [toast, close] of [...closing]) {
          const r = toast.getBoundingClientRect();
          const on = e.clientX >= r.left && e.clientX <= r.right && e.clientY >= r.top && e.clientY <= r.bottom;
          if (on && !toast.contains(e.target as Node)) close();
        }
      },
      { capture: true, passive: true },
    );
  return (text, action) => {
    for (const old of [...box.children]) if ((old as HTMLElement).dataset.text === text) closing.get(old)!();
    while (box.children.length > 3) closing.get(box.firstElementChild!)!();
    const close = () => {
      clearTimeout(timer);
      closing.delete(toast);
      toast.remove();
      look();
    };
    const act = () => {
      close();
      action!.run();
    };
    const toast = h(
      "div",
      { class: "toast", "data-text": text },
      h("span", null, text),
      action && h("button", { class: "toast-act", onclick: act }, action.label),
      h("button", { class: "toast-close", "aria-label": "Dismiss", onclick: close }, icon("close", 14)),
    );
    let timer = 0;
    const start = () => {
      timer = setTimeout(close, Math.max(6000, text.length * 80)) as unknown as number;
    };
    toast.addEventListener("pointerenter", () => clearTimeout(timer));
    toast.addEventListener("pointerleave", start);
    start();
    closing.set(toast, close);
    box.appendChild(toast);
    look();
  };
}
