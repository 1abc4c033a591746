// layout.ts - the regions of the page and what is open in them.
//
// Top bar 44, rail 56, scene, instruments 280, inspector 308, timeline 152 at 1440 x 900. A lower
// window folds the instruments to their title bars; a narrower one makes the inspector a drawer.
import type { Bench, Layout, Panel, View } from "../core/app.ts";
import type { Core } from "../core/core.ts";
import { h } from "../ui/dom.ts";

export interface Regions {
  top: HTMLElement;
  rail: HTMLElement;
  main: HTMLElement;
  road: HTMLElement;
  space: HTMLElement;
  timespace: HTMLElement;
  bench: HTMLElement;
  drive: HTMLElement;
  cards: HTMLElement;
  aside: HTMLElement;
  inspector: HTMLElement;
  panel: HTMLElement;
  timeline: HTMLElement;
}
const SHORT = 820;
const NARROW = 1100;

export function buildRegions(root: HTMLElement): Regions {
  const r: Regions = {
    top: h("header", { class: "top" }),
    rail: h("nav", { class: "rail", "aria-label": "Panels" }),
    road: h("section", { class: "card view", "aria-label": "Road" }),
    space: h("section", { class: "card view", "aria-label": "3-D view" }),
    timespace: h("section", { class: "card view", "aria-label": "Time-space diagram" }),
    bench: h("section", { class: "view bench", "aria-label": "Bench" }),
    drive: h("section", { class: "drivedock", "aria-label": "Pedals and steering wheel" }),
    cards: h("section", { class: "instruments", "aria-label": "Instruments" }),
    inspector: h("div", { class: "inspector" }),
    panel: h("div", { class: "inspector panel", tabindex: 0, role: "group", "aria-label": "Panel" }),
    main: h("main", { class: "centre", id: "centre", tabindex: -1 }),
    aside: h("aside", { class: "aside", "aria-label": "Inspector" }),
    timeline: h("footer", { class: "timeline", "aria-label": "Timeline" }),
  };
  r.main.append(r.road, r.space, r.timespace, r.bench, r.drive, r.cards);
  r.aside.append(r.inspector, r.panel);
  root.append(r.top, r.rail, r.main, r.aside, r.timeline);
  root.classList.add("app");
  return r;
}

export class LayoutState implements Layout {
  view: View = "road";
  bench: Bench = "identify";
  panel: Panel | null = null;
  inspector = true;
  instruments = true;
  driving = false;
  short = false;
  narrow = false;
  constructor(
    private readonly app: Core,
    private readonly root: HTMLElement,
    private readonly r: Regions,
    private readonly changed: (was: LayoutState) => void,
  ) {
    const measure = () => {
      const short = innerHeight < SHORT;
      const narrow = innerWidth <= NARROW;
      if (narrow && !this.narrow) this.inspector = false;
      if (!narrow && this.narrow) this.inspector = true;
      this.short = short;
      this.narrow = narrow;
      this.apply();
      this.app.emit("resize");
    };
    addEventListener("resize", measure);
    measure();
  }
  set(change: Partial<Omit<Layout, "set">>): void {
    const was = Object.assign(Object.create(null), this) as LayoutState;
    Object.assign(this, change);
    if (change.panel !== undefined && change.panel !== null) this.inspector = true;
    this.apply();
    this.changed(was);
    this.app.emit("layout");
  }
  state(): object {
    return {
      view: this.view,
      bench: this.bench,
      panel: this.panel,
      inspector: this.inspector,
      instruments: this.instruments,
    };
  }
  restore(kept: unknown): void {
    if (!kept || typeof kept !== "object") return;
    const s = kept as Partial<LayoutState>; // as state() wrote it, possibly in another version: words are checked
    const views: View[] = ["road", "3d", "timespace", "bench"];
    const benches: Bench[] = ["identify", "mileage", "sweep", "mechanism"];
    const panels: Panel[] = ["road", "cars", "control", "vehicle", "files"];
    this.set({
      view: views.find((v) => v === s.view) ?? this.view,
      bench: benches.find((b) => b === s.bench) ?? this.bench,
      panel: panels.find((p) => p === s.panel) ?? null,
      instruments: s.instruments !== false,
      ...(this.narrow ? {} : { inspector: s.inspector !== false }),
    });
  }
  private apply(): void {
    const c = this.root.classList;
    const bench = this.view === "bench";
    const mechanism = bench && this.bench === "mechanism"; // has an inspector of its own
    c.toggle("short", this.short);
    c.toggle("narrow", this.narrow);
    c.toggle("no-inspector", !this.inspector || (mechanism && this.panel === null));
    c.toggle("no-instruments", !this.instruments || bench);
    c.toggle("bench-view", bench);
    const show = (e: HTMLElement, on: boolean) => e.classList.toggle("hidden", !on);
    show(this.r.road, this.view === "road");
    show(this.r.space, this.view === "3d");
    show(this.r.timespace, this.view === "timespace");
    show(this.r.bench, bench);
    show(this.r.cards, this.instruments && !bench);
    show(this.r.drive, this.driving);
    show(this.r.inspector, this.panel === null);
    show(this.r.panel, this.panel !== null);
    show(this.r.aside, this.inspector && !(mechanism && this.panel === null));
    this.app.stand(mechanism ? "bench" : "road");
  }
}
