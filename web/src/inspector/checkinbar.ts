// checkinbar.ts - the selected car and the ERSC: its lamp, since when it is checked in, why not, what is in its
// blind spot, and the button that checks it in or out.
import { fixed } from "../base/units.ts";
import type { App, Event } from "../core/app.ts";
import { sentence } from "../core/core.ts";
import { automatedLanes, blindWords, CHECKED_IN, flashWords, hasErsc, levelAt, statusOf } from "../core/ersc.ts";
import { eventName, eventReason } from "../core/eventwords.ts";
import { fixedWhy } from "../core/facts.ts";
import { checkIn } from "../scene/checkin.ts";
import { h, svg } from "../ui/dom.ts";
import { icon } from "../ui/icons.ts";
import type { Vehicle, World } from "../wire/protocol.ts";

const CHECKS = ["check_in", "check_out", "checked_in", "checked_out", "check_in_refused", "check_out_refused"];
const WRONG = ["not_checked_in", "wrong_lane"];

// The last of these that happened to a car up to t.
function lastOf(events: Event[], vehicle: string, t: number, names: string[]): Event | undefined {
  let last: Event | undefined;
  for (const e of events) if (e.vehicle === vehicle && e.t <= t + 1e-9 && names.includes(eventName(e))) last = e;
  return last;
}

type State = "off" | "in" | "out" | "flash";

export function checkinBar(app: App, world: World, vehicle: Vehicle): { root: HTMLElement; draw(): void } {
  const lamp = svg(
    "svg",
    { viewBox: "0 0 16 16", class: "ci-lamp", "aria-hidden": "true" },
    svg("circle", { cx: 8, cy: 8, r: 6, class: "ci-ring" }),
    svg("circle", { cx: 8, cy: 8, r: 2.6, class: "ci-dot" }),
  );
  const title = h("b", {});
  const detail = h("span", {});
  const label = h("span", {});
  const button = h(
    "button",
    {
      type: "button",
      class: "in-action ci-button",
      onclick: () => checkIn(app, world, vehicle.name, root.dataset.state === "in"),
    },
    label,
    h("kbd", { "aria-hidden": "true" }, "C"),
  ) as HTMLButtonElement;
  const note = h("p", { class: "ci-note" });
  const blind = h("p", { class: "ci-blind" }, icon("warning", 14), h("span", {}));
  const root = h(
    "div",
    { class: "ci", role: "group", "aria-label": "Check-in", hidden: true },
    h(
      "div",
      { class: "ci-row" },
      lamp as unknown as HTMLElement,
      h("div", { class: "ci-words" }, title, detail),
      button,
    ),
    note,
    blind,
  );
  let shown = "";
  const draw = (): void => {
    const now = app.world(world.world);
    const on = now !== undefined && hasErsc(app, now);
    if (root.hidden === on) root.hidden = !on;
    if (!now || !on) return;
    const frame = app.frame(world.world);
    const status = statusOf(frame, vehicle);
    const level = levelAt(app, now);
    const last = lastOf(app.events(world.world), vehicle.name, app.clock.t, CHECKS);
    const flashing = flashWords(status, level);
    // It may be with a part in that lane only.
    const entered = flashing ? lastOf(app.events(world.world), vehicle.name, app.clock.t, WRONG) : undefined;
    const lane = entered?.value ?? 0;
    const why = fixedWhy(app, now);
    const key = [status & 0xf00, level, lane, last?.t, last?.text, why, app.clock.live, app.clock.playing].join("|");
    if (key === shown) return;
    shown = key;
    const state: State = flashing ? "flash" : status & CHECKED_IN ? "in" : level === 0 ? "off" : "out";
    root.dataset.state = state;
    title.textContent =
      state === "flash"
        ? sentence(flashing)
        : state === "in"
          ? "Checked in"
          : state === "off"
            ? "The ERSC is off"
            : "Not checked in";
    const name = last ? eventName(last) : "";
    detail.textContent =
      state === "in"
        ? name === "checked_in"
          ? `since ${fixed(last!.t, 2)} s`
          : ""
        : state === "flash"
          ? lane > 0
            ? `in ${lane <= automatedLanes(level) ? "automated " : ""}lane ${lane}`
            : ""
          : "";
    label.textContent = state === "in" || (status & CHECKED_IN) !== 0 ? "Check out" : "Check in";
    button.hidden = state === "off";
    button.disabled = why !== undefined;
    button.title = why ?? (state === "in" ? "gives the car back to its driver (C)" : "the ERSC takes the car over (C)");
    note.textContent = last ? noteText(last, name) : "";
    note.hidden = !note.textContent;
    note.classList.toggle("bad", /_refused$/.test(name));
    blind.hidden = !blindWords(status);
    blind.lastElementChild!.textContent = sentence(blindWords(status));
  };
  const noteText = (e: Event, name: string): string => {
    if (name === "check_in_refused") return `Check-in rejected at ${fixed(e.t, 2)} s: ${eventReason(e)}.`;
    if (name === "check_out_refused") return `Check-out rejected at ${fixed(e.t, 2)} s: ${eventReason(e)}.`;
    const waits = (name === "check_in" || name === "check_out") && app.clock.live && !app.clock.playing;
    return waits ? `Asks to ${name === "check_in" ? "check in" : "check out"} as soon as time runs.` : "";
  };
  return { root, draw };
}
