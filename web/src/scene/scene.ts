// scene.ts - the moving picture: one strip per world on one scale and one clock.
//
// mountScene puts the scene bar, the stage (one canvas, headers of strips as elements above it) and
// the grade strip into its host. draw() repaints everything; nothing is allocated per car.
// Gestures on the canvas are in hands.ts, the drawing of the parts in road.ts, cars.ts, tags.ts.

import { fixed } from "../base/units.ts";
import type { App, Part } from "../core/app.ts";
import { levelAt } from "../core/ersc.ts";
import { fit, FONT, palette, rereadPalette, sheet, type Sheet } from "../draw/paint.ts";
import { h } from "../ui/dom.ts";
import type { Frame } from "../wire/frame.ts";
import type { World } from "../wire/protocol.ts";
import { startErsc } from "./checkin.ts";
import { drawCars, drawMarks, drawOthers, TRAIL_MAX, type CarLook } from "./cars.ts";
import { Colouring, platoonColour, worldIndexOf, type ColourBy } from "./colour.ts";
import { drawGrounds, drawLamps } from "./erscmarks.ts";
import { mountErscPanel } from "./erscpanel.ts";
import { mountGrade } from "./grade.ts";
import { Hands } from "./hands.ts";
import { HEAD_LAW } from "./heads.ts";
import { LaneChange } from "./lanechange.ts";
import { mountLaneStrip, type LaneStrip } from "./lanestrip.ts";
import { choice, choose } from "./options.ts";
import { Placing } from "./placing.ts";
import { drawPlanRoad, type PlanLook } from "./planroad.ts";
import { planOf } from "./plans.ts";
import { drawPlanTags } from "./plantags.ts";
import { autoFactor, drawRail } from "./rail.ts";
import { drawRoad } from "./road.ts";
import { Ruler } from "./ruler.ts";
import { mountSceneBar } from "./scenebar.ts";
import { keepScene, type SceneView } from "./sceneview.ts";
import { Strip } from "./strip.ts";
import { drawTags, type TagKind, type TagLook } from "./tags.ts";
import { referenceVehicle, span, trimmed, viewOf, type View } from "./view.ts";

const MIN_STRIP = 112; // px; with less the stage scrolls
const EYE_MS = 100; // texts are renewed ten times a second while time runs

export function mountScene(host: HTMLElement, app: App): Part {
  const scene = new Scene(host, app);
  keepScene(scene);
  Object.assign(app, { scene }); // for tests and the browser's console
  return scene;
}

export class Scene implements Part, SceneView {
  view: View;
  canvas: HTMLCanvasElement;
  strips: Strip[] = [];
  ruler = new Ruler();
  private placing: Placing;
  colouring = new Colouring();
  script = 0;
  grade: Part;
  hover: { world: number; k: number } = { world: -1, k: -1 };
  dragText = ""; // written beside the pointer while a ghost is dragged
  private stage: HTMLElement;
  private heads: HTMLElement;
  private paper: Sheet;
  private parts: Part[] = [];
  lanes: LaneStrip;
  change: LaneChange;
  private gradeHost: HTMLElement;
  private texts = -Infinity; // when texts were made
  private textsAt = NaN; // simulated time of the texts
  private stop: (() => void)[] = [];
  private observer: ResizeObserver;
  private box = { w: 0, h: 0 };
  private started = false;
  private headerWidth = 150;

  constructor(
    host: HTMLElement,
    public app: App,
  ) {
    this.view = viewOf(app);
    this.canvas = h("canvas", { class: "sc-canvas", role: "img", tabindex: 0, "aria-label": "Road seen from above" });
    this.heads = h("div", { class: "sc-heads" });
    this.stage = h("div", { class: "sc-stage" }, this.canvas, this.heads);
    const bar = h("div", { class: "sc-bar", role: "toolbar", "aria-label": "Scene" });
    const lanes = h("section", { class: "sc-lanes", "aria-label": "Whole road" });
    const grade = (this.gradeHost = h("div", { class: "sc-grade" }));
    host.classList.add("sc");
    const ersc = h("section", { class: "er", "aria-label": "Automated lanes", hidden: true });
    host.append(bar, ersc, this.stage, lanes, grade);
    this.paper = sheet(this.canvas);
    this.grade = mountGrade(grade, app);
    this.lanes = mountLaneStrip(lanes, app);
    startErsc(app);
    this.parts.push(mountSceneBar(bar, app, this), mountErscPanel(ersc, app), this.lanes, this.grade);
    this.observer = new ResizeObserver(() => {
      this.box.w = this.stage.clientWidth;
      this.box.h = this.stage.clientHeight;
    });
    this.observer.observe(this.stage);
    this.change = new LaneChange(app);
    this.change.strips = () => this.strips;
    this.placing = new Placing(this);
    new Hands(this, this.stage, this.placing);
    this.stop.push(
      app.on("worlds", () => this.restrip()),
      app.on("world", () => this.restrip()),
      app.on("select", () => this.label()),
      app.on("theme", () => {
        rereadPalette();
        this.headers();
      }),
    );
    this.restrip();
  }

  destroy(): void {
    for (const f of this.stop) f();
    this.observer.disconnect();
    for (const p of this.parts) p.destroy?.();
  }

  // Worlds were added, removed or changed: rebuilds strips and headers.
  restrip(): void {
    this.strips = this.app.shown().map((w) => new Strip(this.app, w));
    if (this.box.w) {
      // A click may come before the next picture: the cars are where they were.
      this.gather();
      this.locate();
    }
    this.headers();
    this.label();
    this.texts = -Infinity;
  }

  private label(): void {
    const cars = this.strips
      .map((s) => `${this.app.letter(s.world.world)} ${s.world.name}, ${s.roster.count} cars`)
      .join("; ");
    const sel = this.app.selection;
    this.canvas.setAttribute(
      "aria-label",
      `Road seen from above: ${cars}.${sel ? ` Selected: ${sel.vehicle}.` : ""} Arrow keys choose a car, Shift F10 opens its menu.`,
    );
  }

  private headers(): void {
    this.heads.replaceChildren(...this.strips.map((s) => this.header(s.world)));
    this.headerWidth = 0;
  }

  private header(w: World): HTMLElement {
    const app = this.app;
    const badge = h(
      "span",
      { class: "sc-badge", style: `background:${app.colour(w.world)}`, "aria-hidden": "true" },
      app.letter(w.world),
    );
    const head = h(
      "div",
      { class: "sc-head", title: w.change || w.name, "data-world": w.world },
      badge,
      h(
        "span",
        { class: "sc-name" },
        h("b", null, w.name),
        h(
          "span",
          null,
          gainText(
            w,
            this.strips.map((s) => s.world),
          ),
        ),
      ),
    );
    if (this.strips.length > 1) dragHeader(head, w, this);
    return head;
  }

  // Moves a strip's world to another place in the order.
  reorder(world: number, place: number): void {
    const list = this.app.worlds;
    const shown = this.app.shown();
    const from = list.findIndex((w) => w.world === world);
    const target = shown[Math.max(0, Math.min(shown.length - 1, place))];
    const to = target ? list.indexOf(target) : -1;
    if (from < 0 || to < 0 || from === to) return;
    list.splice(to, 0, ...list.splice(from, 1));
    this.app.emit("worlds");
  }

  draw(t: number): void {
    const began = performance.now();
    if (!this.box.w) {
      this.box.w = this.stage.clientWidth;
      this.box.h = this.stage.clientHeight;
    }
    if (!fit(this.paper, this.box.w, this.stripHeight() * Math.max(1, this.strips.length))) return;
    this.view.width = this.box.w;
    this.view.ease(began);
    this.gather();
    this.locate();
    this.paint(this.paper.ctx, began);
    // The profile is the second page of the whole road, where that is shown.
    const page = this.lanes.visible() && !this.lanes.grade;
    if (this.gradeHost.hidden !== page) this.gradeHost.hidden = page;
    for (const p of this.parts) p.draw?.(t);
    this.script = performance.now() - began;
  }

  private stripHeight(): number {
    return Math.max(this.box.h / Math.max(1, this.strips.length), MIN_STRIP);
  }

  // Lays out the strips, and finds the cars in sight on each.
  private locate(): void {
    const each = this.stripHeight();
    const tags = this.tagKind() !== "off";
    this.strips.forEach((s, k) => {
      s.plan = planOf(this.app, s.world);
      s.ersc = levelAt(this.app, s.world);
      s.lay(this.view, k * each, each, tags, this.hasRail(s));
      s.look(this.view, this.factor(), choice(this.app, "lateral"));
    });
  }

  // Frames of all strips, the reference's place, the whole road's length.
  private gather(): void {
    let longest = 200;
    for (const s of this.strips) {
      const w = s.world.world;
      const frame = (s.frame = this.app.over(w) ? this.app.frame(w, s.world.end) : this.app.frame(w));
      if (frame) this.begin(s, frame);
      this.view.follow(this.app, s.world, frame);
      const road = s.world.road.profile;
      if (road && road.z) longest = Math.max(longest, road.step * (road.z.length - 1));
      if (s.curved && Number.isFinite(s.plan!.main.length)) longest = Math.max(longest, s.plan!.main.length);
      if (frame && frame.n > 1) longest = Math.max(longest, 1.1 * Math.abs(frame.x[0]! - frame.x[frame.n - 1]!));
    }
    const digit = 10 ** Math.floor(Math.log10(longest) - 1); // two figures: a platoon that stretches does not change it all the time
    this.view.longest = Math.ceil(longest / digit) * digit;
  }

  // The first frame: the platoon fills the screen, but cars stay large enough to be cars.
  private begin(s: Strip, frame: Frame): void {
    if (this.started || frame.n === 0) return;
    this.started = true;
    const kept = choice(this.app, "length");
    const all = span(frame, () => true);
    const free = Math.max(0.5, 1 - 190 / this.box.w); // the header stands at the left
    this.view.length = kept > 0 ? kept : Math.max(40, Math.min(150, all ? ((all[1] - all[0]) * 1.06 + 4) / free : 120));
    this.view.anchor = 1 - Math.max(0.05, 6.5 / this.view.length);
    if (this.app.reference === "road" && all) this.view.roadAt = all[1];
  }

  factor(): number {
    if (!choice(this.app, "autoFactor")) return choice(this.app, "factor");
    const now = performance.now();
    if (now - this.autoAt > 500 || !this.app.clock.playing) {
      this.autoAt = now;
      this.auto = autoFactor(this.strips.map((s) => s.frame));
    }
    return this.auto;
  }
  private auto = 5;
  private autoAt = -Infinity;

  private paint(c: CanvasRenderingContext2D, now: number): void {
    const app = this.app;
    const p = palette();
    const fresh = !app.clock.playing
      ? app.clock.t !== this.textsAt || now - this.texts > EYE_MS
      : now - this.texts >= EYE_MS;
    if (fresh) {
      this.texts = now;
      this.textsAt = app.clock.t;
    }
    this.subscribe(choice(app, "colour"));
    this.colouring.prepare(choice(app, "colour"), this.strips.length);
    if (fresh) for (const s of this.strips) if (s.frame) this.colouring.grow(s.frame);
    c.clearRect(0, 0, this.paper.w, this.paper.h);
    this.strips.forEach((s, k) => {
      this.paintStrip(c, s, k, fresh);
      if (k > 0) {
        c.fillStyle = p.line;
        c.fillRect(0, Math.round(s.top), this.paper.w, 1);
      }
    });
    this.placeHeaders();
  }

  // With very many cars the page gets only what is asked for.
  private subscribe(by: ColourBy): void {
    if (by === this.subscribed) return;
    this.subscribed = by;
    this.app.want("scene", { fields: by === "energy" || by === "fuel" ? [by] : [] });
  }
  private subscribed: ColourBy | "" = "";

  private paintStrip(c: CanvasRenderingContext2D, s: Strip, k: number, fresh: boolean): void {
    const app = this.app;
    const view = this.view;
    const colour = app.colour(s.world.world);
    if (s.curved) this.paintPlan(c, s);
    else drawRoad(c, s, view, choice(app, "markers"), colour);
    const look = this.carLook(s);
    if (choice(app, "difference") && k > 0)
      drawOthers(c, s, view, this.strips[0]!, app.colour(this.strips[0]!.world.world));
    drawGrounds(c, s, view);
    drawCars(c, s, view, look);
    const selected =
      app.selection &&
      (app.selection.world === s.world.world || !this.strips.some((q) => q.world.world === app.selection!.world))
        ? app.selection.vehicle
        : null;
    drawMarks(
      c,
      s,
      view,
      referenceVehicle(app, s.world),
      selected,
      this.hover.world === s.world.world ? this.hover.k : -1,
    );
    const tags = this.tagLook(s, look, selected, fresh);
    if (s.curved) drawPlanTags(c, s, view, tags);
    else drawTags(c, s, view, tags);
    if (this.hasRail(s)) {
      drawRail(c, s, view, tags);
      this.railLabel(c, s);
    }
    this.change.draw(c, s, view);
    drawLamps(c, s, view, s.ersc, selected);
    this.placing.draw(c, s, view);
    this.ruler.draw(c, s, view);
    if (!s.frame) this.waiting(c, s, "no data at this time");
    else if (app.over(s.world.world)) this.ended(c, s);
  }

  // Bends need the room of the rail, so it is there only if it was asked for.
  private hasRail(s: Strip): boolean {
    return s.curved ? this.app.option<boolean | undefined>("scene.rail") === true : choice(this.app, "rail");
  }
  railOn(): boolean {
    return this.strips.some((s) => this.hasRail(s));
  }
  // The same for the outlines of desired places.
  ghostsOn(): boolean {
    const chosen = this.app.option<boolean | undefined>("scene.ghosts");
    return chosen ?? (this.strips.some((s) => s.curved) ? false : choice(this.app, "ghosts"));
  }
  // On a road with bends cars have trails from the start.
  trailTime(): number {
    const curved = this.strips.some((s) => s.curved);
    const on = this.app.option<boolean | undefined>("scene.trails") ?? curved;
    return on ? (this.app.option<number | undefined>("scene.trailTime") ?? (curved ? 1.8 : TRAIL_MAX)) : 0;
  }

  private paintPlan(c: CanvasRenderingContext2D, s: Strip): void {
    const l = this.planLook;
    l.markers = choice(this.app, "markers");
    l.laws = s.roster.lawLanes;
    l.ersc = s.ersc;
    l.width = this.view.width;
    l.top = s.roadTop;
    l.height = s.roadHeight;
    c.fillStyle = palette().verge;
    c.fillRect(0, s.top, this.view.width, this.hasRail(s) ? s.railTop - s.top : s.height);
    drawPlanRoad(c, s.plan!, s.camera, l);
  }
  private planLook: PlanLook = { markers: 10, laws: 0, ersc: 0, width: 0, top: 0, height: 0 };

  // The looks are filled again for each strip; no objects are allocated per frame.
  private carLook(s: Strip): CarLook {
    const app = this.app;
    const l = this.cars;
    l.worldIndex = worldIndexOf(app, s.world.world);
    l.ratio = this.paper.ratio;
    l.ghosts = this.ghostsOn();
    l.trailTime = this.trailTime();
    l.factor = this.factor();
    l.lateral = choice(app, "lateral");
    l.heads = choice(app, "head");
    return l;
  }

  private tagLook(s: Strip, look: CarLook, selected: string | null, fresh: boolean): TagLook {
    const app = this.app;
    const l = this.tags;
    this.tagged = s;
    l.kind = this.tagKind();
    l.factor = look.factor;
    l.errorLimit = choice(app, "errorLimit");
    l.jerkLimit = choice(app, "jerkLimit");
    l.selected = selected;
    l.headerWidth = this.headerWidth;
    l.fresh = fresh;
    l.ring = !!s.frame?.interpolated && !app.clock.playing;
    l.units = this.paper.w > 900;
    return l;
  }
  private tagged: Strip | null = null; // whose tags are being drawn
  private cars: CarLook = {
    colouring: this.colouring,
    worldIndex: 0,
    ratio: 1,
    ghosts: true,
    trailTime: 0,
    factor: 1,
    lateral: 1,
    heads: HEAD_LAW,
  };
  private tags: TagLook = {
    kind: "off",
    factor: 1,
    errorLimit: 0.5,
    jerkLimit: 2.5,
    selected: null,
    headerWidth: 0,
    fresh: true,
    ring: false,
    units: true,
    hidden: (v) => choice(this.app, "noTags").includes(v),
    colourOf: (slot) => {
      const s = this.tagged!;
      return platoonColour(this.app, s.world.world, s.roster.platoon[slot]!);
    },
  };

  private railLabel(c: CanvasRenderingContext2D, s: Strip): void {
    const p = palette();
    c.fillStyle = p.surface; // bars of cars beyond the left edge do not run under the text
    c.fillRect(0, s.railTop + 2, 88, 24);
    c.font = FONT.smallBold;
    c.fillStyle = p.ink2;
    c.textAlign = "left";
    c.textBaseline = "middle";
    c.fillText(`Error × ${trimmed(this.factor())}`, 12, s.railTop + 14);
  }

  // Its last state, pale: the cars stand where they were, their numbers are of that instant.
  private ended(c: CanvasRenderingContext2D, s: Strip): void {
    c.fillStyle = palette().surface;
    c.globalAlpha = 0.6;
    c.fillRect(0, s.top, this.paper.w, s.height);
    c.globalAlpha = 1;
    const why = s.world.state === "failed" ? `failed at ${fixed(s.world.end, 2)} s` : "";
    this.waiting(c, s, why || `ended at ${fixed(s.world.end, 2)} s; its last state is shown`);
  }

  private waiting(c: CanvasRenderingContext2D, s: Strip, text: string): void {
    c.font = FONT.body;
    c.fillStyle = palette().ink;
    c.textAlign = "center";
    c.textBaseline = "middle";
    c.fillText(text, this.paper.w / 2, s.roadTop + s.roadHeight / 2);
  }

  // Headers are elements; they only move when the layout does.
  private placeHeaders(): void {
    this.strips.forEach((s, k) => {
      const e = this.heads.children[k] as HTMLElement | undefined;
      const top = `${s.tagTop + 4}px`;
      if (e && e.style.top !== top) e.style.top = top;
    });
    if (this.headerWidth === 0 && this.strips.length) {
      for (const e of this.heads.children)
        this.headerWidth = Math.max(this.headerWidth, (e as HTMLElement).offsetWidth + 14);
    }
  }

  // Above, between and below the strips there is nothing to work on.
  free(): { left: number; top: number; width: number; height: number } | null {
    const r = this.stage.getBoundingClientRect();
    let best = { top: 0, height: 0 };
    let from = this.stage.scrollTop;
    const end = from + this.box.h;
    for (let k = 0; k <= this.strips.length; k++) {
      const to = Math.min(end, this.strips[k]?.tagTop ?? end);
      if (to - from > best.height) best = { top: r.top + from - this.stage.scrollTop, height: to - from };
      from = Math.max(from, this.strips[k]?.bottom ?? end);
    }
    return best.height > 0 ? { left: r.left, width: r.width, ...best } : null;
  }

  // ---- looks ----

  // The strip of the selection, or the first.
  current(): Strip | undefined {
    const sel = this.app.selection;
    return this.strips.find((s) => s.world.world === sel?.world) ?? this.strips[0];
  }

  showCar(): void {
    const s = this.current();
    const f = s?.frame;
    if (!s || !f) return;
    const name = this.app.selection?.vehicle;
    const slot = name ? s.roster.slotOf(name) : -1;
    const i = f.index(slot >= 0 ? s.roster.vehicles[slot]!.id : referenceVehicle(this.app, s.world));
    if (i >= 0) this.view.show(s.world.world, f.x[i]! - 7, f.x[i]! + 7);
  }

  showPlatoon(): void {
    const s = this.current();
    const f = s?.frame;
    if (!s || !f) return;
    const slot = this.app.selection ? s.roster.slotOf(this.app.selection.vehicle) : -1;
    const platoon = slot >= 0 ? s.roster.platoon[slot]! : 0;
    const r = span(f, (i) => {
      const k = s.roster.slot(f.id[i]!);
      return k >= 0 && s.roster.tagged[k] === 1 && s.roster.platoon[k] === platoon;
    });
    if (r) this.view.show(s.world.world, r[0] - 0.16 * (r[1] - r[0]), r[1] + 3);
  }

  showAll(): void {
    const s = this.current();
    let lo = Infinity;
    let hi = -Infinity;
    for (const q of this.strips) {
      const r = q.frame ? span(q.frame, () => true) : null;
      if (r) {
        lo = Math.min(lo, r[0]);
        hi = Math.max(hi, r[1]);
      }
    }
    if (s && hi > lo) this.view.show(s.world.world, lo - 0.05 * (hi - lo), hi + 0.05 * (hi - lo));
  }

  setReference(name: string | null, world?: number): void {
    const w = world ?? this.current()?.world.world;
    if (w === undefined) return;
    const s = this.strips.find((q) => q.world.world === w);
    if (name === "road") this.view.freeze(w);
    else if (s) {
      const k = name ? s.visibleOf(name) : -1;
      if (k >= 0) this.view.anchorAt(s.curved ? this.view.px(w, s.frame!.x[s.index[k]!]!) : s.cx[k]!);
      else this.view.anchorAt(this.view.width * (1 - Math.max(0.05, 6.5 / this.view.length)));
    }
    this.app.reference = name;
    this.app.emit("layout");
  }

  // Among the cars of a bend there is room for names and speeds, unless more was asked for.
  tagKind(): TagKind {
    const chosen = this.app.option<TagKind | undefined>("scene.tags");
    return chosen ?? (this.strips.some((s) => s.curved) ? "v" : choice(this.app, "tags"));
  }
  cycleTags(): void {
    const kinds = ["v", "v a", "v a j", "off"] as const;
    const k = kinds.indexOf(this.tagKind());
    choose(this.app, "tags", kinds[(k + 1) % kinds.length]!);
    this.texts = -Infinity;
  }

  retext(): void {
    this.texts = -Infinity;
  }

  png(): Promise<Blob | null> {
    return new Promise((done) => this.canvas.toBlob(done, "image/png"));
  }
}

// "k3 = 1.6" where the shown worlds differ in k3, else the law.
function gainText(w: World, worlds: World[]): string {
  for (const other of [w, ...worlds]) {
    const m = /^(\S+)\s.*(?:->|→)\s*(\S+)/.exec(other.change ?? "");
    if (!m) continue;
    if (other === w) return `${m[1]} = ${m[2]}`;
    for (const c of w.controllers) {
      const v = c.gains?.[m[1]!];
      if (v !== undefined) return `${m[1]} = ${Number(v.toPrecision(4))}`;
    }
  }
  const law = w.controllers[0];
  return w.change || (law ? `${law.name}: ${law.law}` : w.kind === "replay" ? "recording" : "");
}

// A header dragged up or down puts its strip there.
function dragHeader(head: HTMLElement, w: World, scene: Scene): void {
  head.addEventListener("pointerdown", (e) => {
    if (e.button !== 0) return;
    head.setPointerCapture(e.pointerId);
    const up = (ev: PointerEvent): void => {
      head.removeEventListener("pointerup", up);
      const y = ev.clientY - scene.canvas.getBoundingClientRect().top;
      const k = scene.strips.findIndex((s) => s.contains(y));
      if (k >= 0 && scene.strips[k]!.world.world !== w.world) scene.reorder(w.world, k);
    };
    head.addEventListener("pointerup", up);
  });
}
