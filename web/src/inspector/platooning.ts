// platooning.ts - what a car can do with platoons: join one, leave its own, split it, merge it with the one in front.
// Rejections come with the reason from the server (docs/platoons.md, Manoeuvres).
import type { App } from "../core/app.ts";
import { fixedWhy } from "../core/facts.ts";
import { h } from "../ui/dom.ts";
import { makeField } from "../ui/form.ts";
import type { Row, Vehicle, World } from "../wire/protocol.ts";

const GAP: Row = {
  name: "split_gap",
  unit: "m",
  default: null,
  min: 1,
  max: 1000,
  doc: "distance that the rear part falls back after a split",
};
let gap = NaN; // of the next split; NaN: that of the lane

export function platoonBox(app: App, world: World, vehicle: Vehicle): HTMLElement | null {
  const off = fixedWhy(app, world);
  const at = { world: world.world, vehicle: vehicle.name };
  const button = (label: string, title: string, run: () => Promise<unknown>): HTMLElement =>
    h(
      "button",
      {
        type: "button",
        class: "in-action",
        title: off ?? title,
        disabled: off !== undefined,
        onclick: () =>
          void run().then(
            () => app.speak(`${vehicle.name}: ${label}`),
            () => undefined,
          ),
      },
      label,
    );
  const parts: HTMLElement[] = [];
  if (vehicle.platoon < 0) {
    if (!vehicle.controller) return null;
    parts.push(
      ...world.platoons
        .slice(0, 8)
        .map((p) =>
          button(`Join ${p.name}`, `from behind as its last car, or from another lane where there is room`, () =>
            app.change("join", { ...at, platoon: p.platoon + 1 }),
          ),
        ),
    );
  } else {
    const size = world.vehicles.filter((v) => v.platoon === vehicle.platoon).length;
    if (!vehicle.leader) {
      if (size > 1)
        parts.push(
          button("Split here", "this car and those behind it become a platoon of their own", () =>
            app.change("split", { ...at, ...(Number.isFinite(gap) ? { gap } : {}) }),
          ),
        );
      const last = vehicle.place === size;
      for (let lane = Math.max(1, vehicle.lane - 1); lane <= Math.min(world.road.lanes, vehicle.lane + 1); lane++)
        if (lane !== vehicle.lane || last)
          parts.push(
            button(
              lane === vehicle.lane ? "Fall back and leave" : `Leave to lane ${lane}`,
              lane === vehicle.lane ? "leaves the platoon in its own lane" : "the cars behind it close up",
              () => app.change("leave", { ...at, lane }),
            ),
          );
    } else if (world.platoons.length > 1)
      parts.push(
        button("Merge with the one in front", "its platoon becomes part of the platoon in front of it", () =>
          app.change("merge", at),
        ),
      );
  }
  if (!parts.length) return null;
  const field =
    vehicle.platoon >= 0 && !vehicle.leader
      ? makeField(GAP, {
          value: gap,
          base: 40,
          dash: () => "the separation of the lane, or 40 m",
          label: "split gap",
          disabled: off,
          send: (v) => void (gap = v),
        })
      : null;
  return h(
    "section",
    { class: "pl", "aria-label": "Platoon" },
    h("h3", {}, "Platoon"),
    h("div", { class: "in-actions" }, ...parts),
    field?.root ?? null,
  );
}
