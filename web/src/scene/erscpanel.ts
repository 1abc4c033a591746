// erscpanel.ts - the line of the ERSC above the road: its level as a switch, the functions of each level, how many
// lanes are automated. Shown for roads that have the ERSC; the panel Road switches it on elsewhere.
import type { App, Part } from "../core/app.ts";
import { FUNCTIONS, hasErsc, lanesText, LEVELS, levelAt } from "../core/ersc.ts";
import { fixedWhy } from "../core/facts.ts";
import { Pace } from "../core/pace.ts";
import { h, svg } from "../ui/dom.ts";
import { icon } from "../ui/icons.ts";
import type { World } from "../wire/protocol.ts";
import { sendLevel } from "./checkin.ts";

// Off and the four levels as buttons.
export function levelSwitch(
  app: App,
  world: () => World | undefined,
): { root: HTMLElement; show(level: number): void } {
  const buttons = [0, ...LEVELS].map((level) =>
    h(
      "button",
      {
        type: "button",
        "data-level": level,
        "aria-pressed": "false",
        "aria-label": level ? `Level ${level}` : "Off",
        onclick: () => {
          const w = world();
          if (w) sendLevel(app, w, level);
        },
      },
      level ? String(level) : "Off",
    ),
  );
  const root = h("div", { class: "er-levels", role: "group", "aria-label": "ERSC level" }, ...buttons);
  return {
    root,
    show(level) {
      const w = world();
      const why = w && fixedWhy(app, w);
      buttons.forEach((b, k) => {
        const title = why ?? (k ? `ERSC level ${k} (Alt ${k})` : "ERSC off: every car is checked out");
        if (b.title !== title) b.title = title;
        b.disabled = why !== undefined;
        b.setAttribute("aria-pressed", String(k === level));
      });
    },
  };
}

// A ring with a tick, or an empty one.
function tick(): SVGElement {
  return svg(
    "svg",
    { viewBox: "0 0 16 16", class: "er-tick", "aria-hidden": "true" },
    svg("circle", { cx: 8, cy: 8, r: 6.2 }),
    svg("path", { d: "M5 8.3l2.1 2.1L11.2 6" }),
  );
}

export function mountErscPanel(host: HTMLElement, app: App): Part {
  const world = (): World | undefined => app.current();
  const levels = levelSwitch(app, world);
  const title = h("h3", null, "ERSC level");
  const lanes = h("span", { class: "er-lanes" });
  const rows = FUNCTIONS.map((f) => {
    const state = h("span", { class: "sr" });
    return {
      f,
      state,
      root: h("li", { title: f.doc }, tick(), state, h("span", null, f.name), h("small", null, `from ${f.from}`)),
    };
  });
  const list = h(
    "ul",
    { class: "er-list", id: "er-list", "aria-label": "Functions of this level" },
    ...rows.map((r) => r.root),
  );
  const fold = h("button", {
    type: "button",
    class: "er-fold",
    "aria-controls": "er-list",
    onclick: () => {
      app.option("scene.ersc", isOpen() ? "folded" : "open");
      pace.hurry();
      app.emit("resize");
    },
  });
  host.append(h("div", { class: "er-head" }, title, levels.root, lanes, fold), list);
  const isOpen = (): boolean =>
    (app.option<string | undefined>("scene.ersc") ?? (app.layout.short || innerWidth < 700 ? "folded" : "open")) ===
    "open";
  const pace = new Pace(app);
  let shown = "";
  return {
    draw() {
      if (!pace.due()) return;
      const w = world();
      const on = w !== undefined && hasErsc(app, w);
      if (host.hidden === on) host.hidden = !on;
      if (!w || !on) return;
      const level = levelAt(app, w);
      const open = isOpen();
      const several = app.shown().length > 1 ? `ERSC level of ${app.letter(w.world)}` : "ERSC level";
      const key = [level, open, several, w.road.lanes, fixedWhy(app, w)].join();
      if (key === shown) return;
      shown = key;
      title.textContent = several;
      lanes.textContent = lanesText(level, w.road.lanes);
      levels.show(level);
      for (const r of rows) {
        const has = level >= r.f.from;
        r.root.classList.toggle("on", has);
        r.state.textContent = has ? "on: " : "off: ";
      }
      list.hidden = !open;
      host.classList.toggle("er-folded", !open);
      fold.replaceChildren(icon(open ? "up" : "down", 16));
      fold.setAttribute("aria-expanded", String(open));
      fold.setAttribute("aria-label", "Functions of the level");
      fold.title = open ? "Hide the functions" : "Show the functions of this level";
    },
  };
}
