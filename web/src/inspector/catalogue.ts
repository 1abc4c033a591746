// catalogue.ts - the types of cars as pictures from above, all to one scale, to choose or to drag onto the road.
import type { App } from "../core/app.ts";
import { carTypes, picture, sizeText, type CarType } from "../scene/cartypes.ts";
import { placingOf } from "../scene/placing.ts";
import { h } from "../ui/dom.ts";
import type { World } from "../wire/protocol.ts";

const WIDE = 112;
const TALL = 40; // px of a picture

// A click chooses the type of the next car; a drag takes it to the road.
export function catalogue(app: App, world: World, chosen: string, choose: (type: string) => void): HTMLElement {
  const all = carTypes(world);
  const scale = Math.min(
    (WIDE - 6) / Math.max(5, ...all.map((m) => m.length)),
    (TALL - 4) / Math.max(2, ...all.map((m) => m.width)),
  );
  const boxes = all.map((m) => {
    const box = h(
      "button",
      {
        type: "button",
        class: "cp-model",
        role: "radio",
        "aria-checked": String(m.name === chosen),
        "aria-label": m.title,
        tabindex: m.name === chosen ? 0 : -1,
        "data-model": m.name,
        title: `${m.title}, ${m.kind}, ${sizeText(m)}. Drag it onto the road, or onto a car to replace it.`,
        onclick: () => choose(m.name),
      },
      picture(m, scale, WIDE, TALL),
      h("span", { class: "cp-title" }, m.title),
      h("span", { class: "cp-size" }, sizeText(m)),
    );
    takeable(app, world, m, box);
    return box;
  });
  const group = h("div", { class: "cp-models", role: "radiogroup", "aria-label": "Type of the new car" }, ...boxes);
  group.addEventListener("keydown", (e) => {
    const step =
      e.key === "ArrowRight" || e.key === "ArrowDown" ? 1 : e.key === "ArrowLeft" || e.key === "ArrowUp" ? -1 : 0;
    const at = all.findIndex((m) => m.name === chosen);
    if (!step) return;
    e.preventDefault();
    e.stopPropagation();
    choose(all[(at + step + all.length) % all.length]!.name);
  });
  return group;
}

// A drag of a few pixels picks the car up; dropped over the road it is placed there.
function takeable(app: App, world: World, m: CarType, box: HTMLElement): void {
  box.addEventListener("pointerdown", (down) => {
    if (down.button !== 0) return;
    const placing = placingOf(app);
    let carried = false;
    const move = (e: PointerEvent): void => {
      if (!carried && Math.hypot(e.clientX - down.clientX, e.clientY - down.clientY) < 5) return;
      if (!carried) {
        carried = true;
        placing?.begin(m, true);
      }
      placing?.over(e.clientX, e.clientY);
    };
    const end = (e: PointerEvent): void => {
      window.removeEventListener("pointermove", move);
      window.removeEventListener("pointerup", end);
      window.removeEventListener("pointercancel", end);
      if (!carried) return;
      window.addEventListener("click", swallow, { capture: true, once: true }); // the drag was no click
      window.setTimeout(() => window.removeEventListener("click", swallow, { capture: true }), 0);
      if (e.type === "pointerup") placing?.put();
      else placing?.end();
    };
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", end);
    window.addEventListener("pointercancel", end);
  });
  box.style.touchAction = "none";
  void world;
}
function swallow(e: Event): void {
  e.stopPropagation();
  e.preventDefault();
}
