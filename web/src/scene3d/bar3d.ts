// bar3d.ts - the bar of the 3-D view: what is looked at, deformation, world, camera, what is drawn, quality.
import type { App, Event } from "../core/app.ts";
import type { Roster } from "../core/roster.ts";
import { h, menu, slider, type Item } from "../ui/dom.ts";
import type { Frame } from "../wire/frame.ts";
import type { World } from "../wire/protocol.ts";
import { CAMERAS, type CameraKind } from "./camera3d.ts";
import { STEPS } from "./quality.ts";

// A collision near the playhead.
export interface Hit {
  event: Event;
  index: number;
  count: number;
  world: number;
}
export type Drawn = "rest" | "ellipsoid" | "strain" | "arrows" | "labels" | "closest" | "skids" | "slow";
// What the bar changes.
export interface View3d {
  setDeformation(k: number): void;
  setExaggeration(k: number): void;
  getExaggeration(): number;
  cameraKind(): CameraKind;
  setCamera(k: CameraKind): void;
  draws(): Record<Drawn, boolean>;
  setDraws(what: Drawn, on: boolean): void;
  world(): World | undefined;
  quality(): { chosen: number; step: number; software: boolean };
  setQuality(k: number): void; // -1: by itself
}

export interface Bar {
  element: HTMLElement;
  refresh(s: View3d, w: World, frame: Frame, roster: Roster, i: number, hit: Hit | null): void;
}

export function makeBar(space: View3d, app: App): Bar {
  const title = h("h2");
  const note = h("span", { class: "mut" });
  const amount = h("b", null, "× 1");
  const deform = slider({
    label: "Deformation",
    title: "How many times the deformation of bodies is magnified, 1 to 20",
    min: 1,
    max: 20,
    log: true,
    value: 1,
    text: (v) => `${Math.round(v)} times`,
    input: (v) => {
      const k = Math.round(v);
      amount.textContent = `× ${k}`;
      space.setDeformation(k);
    },
  });
  const field = (name: string, hint: string, items: () => (Item | "-")[]): { box: HTMLElement; value: HTMLElement } => {
    const value = h("b");
    const box = h(
      "button",
      { type: "button", class: "sc-field sc-menu", title: hint, "aria-haspopup": "menu" },
      h("span", null, name),
      value,
    );
    box.addEventListener("click", () => menu(box, items(), name));
    return { box, value };
  };
  const camera = field("Camera", "Where the view looks from", () => [
    ...CAMERAS.map((k): Item => ({ label: k, checked: space.cameraKind() === k, run: () => space.setCamera(k) })),
    "-",
    { label: "Reset the camera", hint: "Home", run: () => space.setCamera(space.cameraKind()) },
  ]);
  const draws = field("Draw", "What is drawn of bodies and contacts", () => {
    const d = space.draws();
    return [
      { label: "Strain as colour", checked: d.strain, run: () => space.setDraws("strain", !d.strain) },
      { label: "Rest shape", checked: d.rest, run: () => space.setDraws("rest", !d.rest) },
      { label: "Deformed ellipsoid", checked: d.ellipsoid, run: () => space.setDraws("ellipsoid", !d.ellipsoid) },
      { label: "Contacts and impulses", checked: d.arrows, run: () => space.setDraws("arrows", !d.arrows) },
      { label: "Closest points before a touch", checked: d.closest, run: () => space.setDraws("closest", !d.closest) },
      { label: "Skid marks", checked: d.skids, run: () => space.setDraws("skids", !d.skids) },
      { label: "Slow motion through collisions", checked: d.slow, run: () => space.setDraws("slow", !d.slow) },
      { label: "Labels", checked: d.labels, run: () => space.setDraws("labels", !d.labels) },
      "-",
      ...[1, 2, 5, 10, 20].map((k): Item => ({
        label: `Height of hills × ${k}`,
        checked: space.getExaggeration() === k,
        run: () => space.setExaggeration(k),
      })),
      "-",
      {
        label: `Quality: automatic (${STEPS[space.quality().step].name})`,
        checked: space.quality().chosen < 0,
        run: () => space.setQuality(-1),
      },
      ...STEPS.map((q, k): Item => ({
        label: `Quality: ${q.name}`,
        checked: space.quality().chosen === k,
        run: () => space.setQuality(k),
      })),
    ];
  });
  const world = field("World", "Which world is shown", () =>
    app.shown().map((w): Item => ({
      label: `${app.letter(w.world)} ${w.name}`,
      checked: space.world()?.world === w.world,
      run: () => {
        app.option("space.world", w.world);
        if (app.selection) app.select(w.world, app.selection.vehicle);
      },
    })),
  );
  const deformBox = h("label", { class: "sc-field" }, h("span", null, "Deformation"), amount, deform.input);
  const element = h(
    "div",
    { class: "sc-bar s3-bar", role: "toolbar", "aria-label": "3-D view" },
    title,
    note,
    h("span", { class: "grow" }),
    deformBox,
    world.box,
    camera.box,
    draws.box,
  );
  const put = (e: HTMLElement, text: string): void => {
    if (e.textContent !== text) e.textContent = text;
  };
  return {
    element,
    refresh(s, w, frame, roster, i, hit) {
      put(title, hit ? `Collision ${hit.index + 1} of ${hit.count}` : "3-D");
      const slot = roster.slot(frame.id[i]!);
      const z = s.getExaggeration();
      put(
        note,
        (hit
          ? hit.event.text || `${hit.event.vehicle} into ${hit.event.other}`
          : slot >= 0
            ? `${roster.labels[slot]}  ${roster.vehicles[slot]!.model}`
            : "") +
          (z > 1 ? `, heights × ${z}` : "") +
          (s.quality().software ? ", software rendering" : ""),
      );
      put(camera.value, s.cameraKind());
      const d = s.draws();
      put(draws.value, ["bodies", d.rest && "rest shape", d.arrows && "impulse"].filter(Boolean).join(", "));
      put(world.value, app.letter(w.world));
      world.box.hidden = app.shown().length < 2;
      deformBox.hidden = frame.bodies.length === 0;
    },
  };
}
