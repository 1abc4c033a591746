// status.ts - the top bar: title, state pill, view switch, finder, theme and help.
import { fixed } from "../base/units.ts";
import type { Part, View } from "../core/app.ts";
import type { Core } from "../core/core.ts";
import { h, svg } from "../ui/dom.ts";
import { icon } from "../ui/icons.ts";
import { startFollow } from "./follow.ts";

export interface PillText {
  state: "live" | "replay" | "paused" | "ended" | "lost" | "slow";
  text: string;
  title: string;
}

// What the pill says, from the state alone.
export function pillText(app: Core, now: number): PillText {
  const cars = app.shown().reduce((n, w) => n + w.vehicles.length, 0);
  const worlds = app.shown().length;
  const many =
    app.worldList.ground === "bench"
      ? `${worlds} ${worlds === 1 ? "world" : "worlds"} on the bench`
      : `${cars} ${cars === 1 ? "car" : "cars"}`;
  if (!app.connected) {
    const wait = Math.max(0, (app.lost.retry - now) / 1000);
    return {
      state: "lost",
      text: `Lost, trying again${wait > 0.05 ? ` in ${wait < 1 ? fixed(wait, 1) : Math.ceil(wait)} s` : ""}`,
      title: `No connection to the server${app.lost.reason ? `: ${app.lost.reason}` : ""}. What the page has received can still be played. Click to try now`,
    };
  }
  const c = app.clock;
  if (app.following)
    return {
      state: "replay",
      text: `Following ${app.following.name}  ·  ${many}`,
      title: "This playhead follows that of another page. Click, or move time, to end it",
    };
  // Time has nowhere to go: no world can continue, and the playhead is at the end of the last one.
  const runs = app.worlds.filter((w) => w.kind === "run");
  if (runs.length && runs.every((w) => w.state !== "running") && (c.live || c.t >= c.end - 1e-6))
    return {
      state: "ended",
      text: `Ended at ${fixed(c.end, 1)} s  ·  ${many}`,
      title:
        runs.find((w) => w.message)?.message ??
        "The scenario is over. Click, or the command Run on, to simulate a further minute",
    };
  if (!c.playing) return { state: "paused", text: `Paused at ${fixed(c.t, 1)} s  ·  ${many}`, title: "Space resumes" };
  if (!c.live)
    return {
      state: "replay",
      text: `${app.worldList.ground === "bench" ? "Plays" : "Replay"}  ·  ${many}`,
      title: "The past is shown; End goes to the live end",
    };
  let headroom = Infinity;
  for (const w of app.load.worlds ?? [])
    if (w.state === "running") headroom = Math.min(headroom, w.headroom ?? Infinity);
  if (headroom < Math.abs(c.rate))
    return {
      state: "slow",
      text: `${fixed(headroom, 1)} × real time  ·  ${many}`,
      title:
        "The simulation cannot keep up. A larger animation step costs less; the simulation step is never changed by itself",
    };
  const room = Number.isFinite(headroom)
    ? `  ·  headroom ${headroom >= 10 ? Math.round(headroom) : fixed(headroom, 1)}×`
    : "";
  return {
    state: "live",
    text: `Live  ·  ${many}${room}`,
    title: "Simulated now. Headroom: how many times faster than real time it could run",
  };
}

const VIEWS: [View, string, string][] = [
  ["road", "Road", "Top view"],
  ["3d", "3-D", "Three-dimensional view (T)"],
  ["timespace", "Time–space", "Paths of all cars over time"],
  ["bench", "Bench", "Identify, mileage, sweep"],
];

export function mountTopbar(host: HTMLElement, app: Core): Part {
  const title = h("h1");
  const file = h("span");
  const pillLabel = h("span");
  const pill = h(
    "button",
    {
      class: "pill",
      "aria-label": "State",
      onclick: () => {
        if (!app.connected) app.wire.retry();
        else if (app.following) app.byHand?.();
        else if (pill.dataset.state === "ended") app.run("run on");
        else app.run("play");
      },
    },
    h("i", { class: "tb-dot" }),
    pillLabel,
    icon("lock", 12),
  );
  const lock = pill.lastElementChild as SVGElement;
  const tabs = VIEWS.map(([view, name, doc]) =>
    h(
      "button",
      {
        role: "tab",
        title: doc,
        "data-view": view,
        "aria-controls": "centre",
        onclick: () => app.layout.set({ view }),
      },
      name,
    ),
  );
  const list = h("div", { class: "seg", role: "tablist", "aria-label": "View" }, tabs);
  list.addEventListener("keydown", (e) => {
    const i = tabs.indexOf(document.activeElement as HTMLButtonElement);
    const d = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0;
    if (!d || i < 0) return;
    e.preventDefault();
    e.stopPropagation();
    const to = tabs[(i + d + tabs.length) % tabs.length];
    to.focus();
    to.click();
  });
  host.append(
    logo(),
    h("div", { class: "tb-title" }, title, file),
    h("span", { class: "tb-sep" }),
    pill,
    h("span", { class: "grow" }),
    list,
    h("span", { class: "grow" }),
    h(
      "button",
      { class: "tb-find", title: "Find any command, car, parameter or help (Ctrl K)", onclick: () => app.run("find") },
      icon("search", 14),
      h("span", null, "Do anything…"),
      h("span", { class: "grow" }),
      h("kbd", null, "Ctrl K"),
    ),
    startFollow(app),
    h(
      "button",
      {
        class: "iconbtn",
        title: "Share: link, picture, data, video",
        "aria-label": "Share",
        id: "share",
        onclick: () => app.run("share"),
      },
      icon("share"),
    ),
    h(
      "button",
      { class: "iconbtn", title: "Light or dark", "aria-label": "Light or dark", onclick: () => app.run("theme") },
      icon("theme"),
    ),
    h(
      "button",
      { class: "iconbtn", title: "Keys and help (?)", "aria-label": "Help", onclick: () => app.run("keys") },
      icon("help"),
    ),
  );
  const show = () => {
    title.textContent = app.title || "Motorcade Studio";
    file.textContent = app.file;
    document.title = app.title ? `${app.title} - Motorcade Studio` : "Motorcade Studio";
    for (const t of tabs) {
      const on = t.dataset.view === app.layout.view;
      t.setAttribute("aria-selected", String(on));
      t.tabIndex = on ? 0 : -1;
    }
  };
  let last = "";
  let next = 0;
  app.on("worlds", show);
  app.on("layout", show);
  show();
  for (const topic of ["clock", "worlds"] as const)
    app.on(topic, () => {
      next = 0;
    });
  return {
    draw() {
      const now = performance.now();
      if (now < next) return;
      next = now + 100;
      const p = pillText(app, now);
      const key = p.state + p.text + app.readOnly;
      if (key === last) return;
      last = key;
      pill.dataset.state = p.state;
      pillLabel.textContent = p.text;
      pill.title = p.title;
      pill.setAttribute("aria-label", `${p.text.replace(/\s+·\s+/g, ", ")}. ${p.title}`);
      lock.style.display = app.readOnly ? "" : "none";
      document.getElementById("app")!.classList.toggle("lost", p.state === "lost");
    },
  };
}
function logo(): HTMLElement {
  const car = (x: number, fill: string) => svg("rect", { x, y: 6, width: 8, height: 6, rx: 2.2, fill });
  return h(
    "div",
    { class: "tb-logo", "aria-hidden": "true" },
    svg(
      "svg",
      { width: 30, height: 18, viewBox: "0 0 30 18" },
      car(0, "var(--manual)"),
      car(11, "var(--b)"),
      car(22, "var(--a)"),
      svg("path", { d: "M0 15.5h30M0 2.5h30", stroke: "var(--line2)", "stroke-width": 1.4, "stroke-dasharray": "4 3" }),
    ),
  );
}
