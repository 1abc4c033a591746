// hands.ts - what hands do on the scene: wheel and pinch zoom, drags (road, reference car, ghost,
// ruler), clicks, the menu of a car, keys.

import type { Command } from "../core/app.ts";
import { plain, signed } from "../draw/paint.ts";
import { h, menu, type Item } from "../ui/dom.ts";
import { GHOST_SCALE } from "./cars.ts";
import { choice, choose } from "./options.ts";
import type { Placing } from "./placing.ts";
import type { SceneView } from "./sceneview.ts";
import type { Strip } from "./strip.ts";
import { referenceVehicle } from "./view.ts";

type Drag =
  | { kind: "none" }
  | { kind: "pan"; x: number; y: number; moved: boolean; strip: Strip; car: number; name: string }
  | { kind: "lane"; strip: Strip }
  | { kind: "ghost"; strip: Strip; vehicle: string; grip: number; distance: number; error: number; value: number }
  | { kind: "ruler"; strip: Strip };

export class Hands {
  private drag: Drag = { kind: "none" };
  private touches = new Map<number, { x: number; y: number }>();
  private pinch = 0;
  private eHeld = false;
  private tip = h("div", { class: "sc-tip", role: "status" });

  constructor(
    private scene: SceneView,
    private stage: HTMLElement,
    private placing: Placing,
  ) {
    const c = scene.canvas;
    stage.appendChild(this.tip);
    this.tip.hidden = true;
    c.addEventListener("pointerdown", (e) => this.down(e));
    c.addEventListener("pointermove", (e) => this.move(e));
    c.addEventListener("pointerup", (e) => this.up(e));
    c.addEventListener("pointercancel", (e) => this.up(e));
    c.addEventListener("pointerleave", () => {
      scene.hover.world = -1;
    });
    c.addEventListener("dblclick", (e) => this.double(e));
    c.addEventListener("contextmenu", (e) => this.context(e));
    c.addEventListener("wheel", (e) => this.wheel(e), { passive: false });
    c.addEventListener("keydown", (e) => this.key(e));
    window.addEventListener("keydown", (e) => {
      if (e.key === "e" || e.key === "E") this.eHeld = true;
    });
    window.addEventListener("keyup", (e) => {
      if (e.key === "e" || e.key === "E") this.eHeld = false;
    });
    this.commands();
  }

  private at(e: MouseEvent): { x: number; y: number; strip: Strip | undefined } {
    const r = this.scene.canvas.getBoundingClientRect();
    const x = e.clientX - r.left;
    const y = e.clientY - r.top;
    return { x, y, strip: this.scene.strips.find((s) => s.contains(y)) };
  }

  // ---- pointer ----

  private down(e: PointerEvent): void {
    if (e.button !== 0) return;
    e.preventDefault(); // the keys stay where they were: arrows step frames unless one tabs to the road
    this.scene.canvas.setPointerCapture(e.pointerId);
    this.touches.set(e.pointerId, { x: e.clientX, y: e.clientY });
    if (this.touches.size === 2) {
      this.pinch = this.spread();
      this.drag = { kind: "none" };
      return;
    }
    const { x, y, strip } = this.at(e);
    const scene = this.scene;
    const view = scene.view;
    if (this.placing.on) {
      this.placing.over(e.clientX, e.clientY);
      this.placing.put();
      return;
    }
    if (!strip) return;
    if (scene.ruler.on) {
      scene.ruler.down(strip, view, x, y);
      this.drag = { kind: "ruler", strip };
      return;
    }
    const car = strip.hit(view, x, y);
    const ghost = car < 0 && scene.ghostsOn() && view.scale >= GHOST_SCALE ? strip.hitGhost(view, x, y) : -1;
    if (ghost >= 0 && this.grip(strip, ghost, x)) return;
    if (car >= 0 && (e.shiftKey || e.ctrlKey || e.metaKey)) {
      scene.app.selectMore(strip.world.world, strip.vehicle(car));
      return;
    }
    if (car >= 0) scene.app.select(strip.world.world, strip.vehicle(car));
    this.drag = { kind: "pan", x, y, moved: false, strip, car, name: car >= 0 ? strip.vehicle(car) : "" };
  }

  // A ghost taken by hand sets the fixed headway of its car.
  private grip(strip: Strip, k: number, x: number): boolean {
    const f = strip.frame;
    const slot = strip.slot[k]!;
    if (!f || slot < 0 || strip.roster.leader[slot]) return false;
    const v = strip.roster.vehicles[slot]!;
    const c = strip.world.controllers.find((q) => q.name === v.controller);
    const distance = c?.distance ?? strip.world.road.distance;
    if (distance === null) return false;
    const error = f.s[strip.index[k]!]! - f.x[strip.index[k]!]!;
    this.scene.app.select(strip.world.world, v.name);
    this.drag = { kind: "ghost", strip, vehicle: v.name, grip: x - strip.ghost[k]!, distance, error, value: distance };
    return true;
  }

  private move(e: PointerEvent): void {
    const touch = this.touches.get(e.pointerId);
    if (touch) {
      touch.x = e.clientX;
      touch.y = e.clientY;
    }
    const scene = this.scene;
    const d = this.drag;
    const { x, y, strip } = this.at(e);
    if (this.touches.size === 2) {
      this.pinched();
      return;
    }
    if (this.placing.on) {
      this.placing.over(e.clientX, e.clientY);
      scene.canvas.style.cursor = "copy";
      return;
    }
    if (d.kind === "none") {
      this.hovered(x, y, strip);
      return;
    }
    if (d.kind === "ruler") {
      scene.ruler.move(d.strip, scene.view, x, y);
      return;
    }
    if (d.kind === "ghost") {
      this.dragGhost(d, x, e);
      return;
    }
    if (d.kind === "lane") {
      scene.change.over(scene.view, x, y);
      this.say(scene.change.words(), e);
      return;
    }
    if (!d.moved && this.sideways(d, x, y)) return;
    if (!d.moved && Math.abs(x - d.x) < 3) return;
    d.moved = true;
    scene.canvas.style.cursor = "grabbing";
    scene.view.pan(x - d.x);
    d.x = x;
  }

  // A car that is pulled across the road is sent to another lane.
  private sideways(d: Extract<Drag, { kind: "pan" }>, x: number, y: number): boolean {
    const k = d.car >= 0 ? d.strip.visibleOf(d.name) : -1;
    if (k < 0) return false;
    const co = Math.cos(d.strip.angle[k]!);
    const si = Math.sin(d.strip.angle[k]!);
    const along = (x - d.x) * co - (y - d.y) * si;
    const across = (x - d.x) * si + (y - d.y) * co;
    if (Math.abs(across) < 6 || Math.abs(across) < 1.2 * Math.abs(along)) return false;
    if (!this.scene.change.begin(d.strip, d.name)) return false;
    this.drag = { kind: "lane", strip: d.strip };
    return true;
  }

  // The ghost follows the pointer; the headway shrinks as the desired place moves forward.
  private dragGhost(d: Extract<Drag, { kind: "ghost" }>, x: number, e: PointerEvent): void {
    const scene = this.scene;
    const view = scene.view;
    const k = d.strip.visibleOf(d.vehicle);
    if (k < 0) return;
    const error = (x - d.grip - d.strip.cx[k]!) / (view.scale * scene.factor());
    d.value = Math.max(0, Math.round((d.distance - (error - d.error)) * 20) / 20);
    this.say(`fixed headway ${plain(d.value, 2)} m (${signed(d.value - d.distance, 2)})`, e);
  }

  private say(text: string, e: MouseEvent): void {
    const r = this.stage.getBoundingClientRect();
    this.tip.hidden = false;
    if (this.tip.textContent !== text) this.tip.textContent = text;
    this.tip.style.transform = `translate(${Math.min(e.clientX - r.left + 12, r.width - 190)}px, ${e.clientY - r.top + this.stage.scrollTop - 34}px)`;
  }

  private up(e: PointerEvent): void {
    this.touches.delete(e.pointerId);
    const d = this.drag;
    const scene = this.scene;
    this.drag = { kind: "none" };
    this.tip.hidden = true;
    scene.canvas.style.cursor = "";
    if (d.kind === "lane") scene.change.end(e.type === "pointerup");
    if (d.kind === "ruler") scene.ruler.up();
    if (d.kind === "ghost" && Math.abs(d.value - d.distance) >= 0.025) {
      void scene.app.change("set", {
        world: d.strip.world.world,
        vehicle: d.vehicle,
        param: "distance",
        value: d.value,
      });
    }
    if (d.kind === "pan" && !d.moved && d.car < 0) scene.app.select(d.strip.world.world, null);
  }

  private hovered(x: number, y: number, strip: Strip | undefined): void {
    const scene = this.scene;
    const k = strip ? strip.hit(scene.view, x, y) : -1;
    scene.hover.world = k >= 0 ? strip!.world.world : -1;
    scene.hover.k = k;
    const ghost =
      strip && k < 0 && scene.ghostsOn() && scene.view.scale >= GHOST_SCALE ? strip.hitGhost(scene.view, x, y) : -1;
    const fixed =
      k >= 0 &&
      strip!.slot[k]! >= 0 &&
      strip!.roster.vehicles[strip!.slot[k]!]!.id === referenceVehicle(scene.app, strip!.world);
    scene.canvas.style.cursor = scene.ruler.on
      ? "crosshair"
      : ghost >= 0
        ? "ew-resize"
        : fixed
          ? "grab"
          : k >= 0
            ? "pointer"
            : "";
  }

  private spread(): number {
    const [a, b] = [...this.touches.values()];
    return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
  }

  private pinched(): void {
    const now = this.spread();
    const [a, b] = [...this.touches.values()];
    if (!a || !b || now < 8 || this.pinch < 8) return;
    const mid = (a.x + b.x) / 2 - this.scene.canvas.getBoundingClientRect().left;
    this.scene.view.zoom(this.pinch / now, mid);
    this.pinch = now;
    this.keepLength();
  }

  private wheel(e: WheelEvent): void {
    e.preventDefault();
    const scene = this.scene;
    const { x } = this.at(e);
    const step = e.deltaMode === 1 ? 30 : 1;
    if (this.eHeld) {
      this.scaleError(Math.exp(-e.deltaY * step * 0.002));
      return;
    }
    if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) {
      scene.view.pan(-(e.deltaX || e.deltaY) * step);
      return;
    }
    scene.view.zoom(Math.exp(e.deltaY * step * (e.ctrlKey ? 0.01 : 0.0016)), x);
    this.keepLength();
  }

  private scaleError(factor: number): void {
    const app = this.scene.app;
    choose(app, "autoFactor", false);
    choose(app, "factor", Math.max(1, Math.min(200, choice(app, "factor") * factor)));
    app.emit("layout");
  }

  private keepLength(): void {
    choose(this.scene.app, "length", Number(this.scene.view.length.toPrecision(3)));
  }

  private double(e: MouseEvent): void {
    const { x, y, strip } = this.at(e);
    const k = strip ? strip.hit(this.scene.view, x, y) : -1;
    if (strip && k >= 0) this.scene.setReference(strip.vehicle(k), strip.world.world);
  }

  // ---- the menu of a car ----

  private context(e: MouseEvent): void {
    e.preventDefault();
    if (this.drag.kind === "lane") {
      this.scene.change.abort();
      this.drag = { kind: "none" };
      return;
    }
    const { x, y, strip } = this.at(e);
    const k = strip ? strip.hit(this.scene.view, x, y) : -1;
    if (strip && k >= 0) this.openMenu(strip, strip.vehicle(k), e.clientX, e.clientY);
    else if (strip) this.roadMenu(strip, e.clientX, e.clientY);
  }

  private openMenu(strip: Strip, name: string, x: number, y: number): void {
    const scene = this.scene;
    const app = scene.app;
    const world = strip.world.world;
    const v = strip.world.vehicles.find((q) => q.name === name);
    if (!v) return;
    app.select(world, name);
    const hidden = choice(app, "noTags");
    const off = hidden.includes(name);
    const add = (where: "front" | "behind"): void =>
      void app.change("car", { op: "add", world, model: v.model, controller: v.controller, beside: name, where });
    const items: (Item | "-")[] = [
      { label: "Make it the reference", hint: "R", run: () => scene.setReference(name, world) },
      { label: "Fill the view", hint: "1", run: () => scene.showCar() },
      { label: "Drive it", hint: "D", run: () => app.run("drive") },
      {
        label: "Tag",
        checked: !off,
        run: () => choose(app, "noTags", off ? hidden.filter((q) => q !== name) : [...hidden, name]),
      },
      "-",
      { label: "Add a car in front", run: () => add("front") },
      { label: "Add a car behind", run: () => add("behind") },
      { label: "Remove", hint: "Del", run: () => void app.change("car", { op: "remove", world, vehicle: name }) },
    ];
    menu({ x, y }, items, `${name}`);
  }

  private roadMenu(strip: Strip, x: number, y: number): void {
    const scene = this.scene;
    menu(
      { x, y },
      [
        { label: "Show the platoon", hint: "2", run: () => scene.showPlatoon() },
        { label: "Show all", hint: "3", run: () => scene.showAll() },
        {
          label: "Road as reference",
          checked: scene.app.reference === "road",
          run: () => scene.setReference(scene.app.reference === "road" ? null : "road", strip.world.world),
        },
        { label: "Ruler", hint: "Q", checked: scene.ruler.on, run: () => scene.app.run("ruler") },
      ],
      "Road",
    );
  }

  // ---- keys ----

  // With the focus on the canvas: arrows walk from car to car, up and down from strip to strip.
  private key(e: KeyboardEvent): void {
    const scene = this.scene;
    const app = scene.app;
    if (this.placing.on && this.placing.key(e)) return;
    if ((e.shiftKey && e.key === "F10") || e.key === "ContextMenu") {
      this.keyMenu(e);
      return;
    }
    if (e.altKey || e.ctrlKey || e.metaKey) return;
    if (e.shiftKey && e.key !== "ArrowRight" && e.key !== "ArrowLeft") return;
    const side = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0;
    const level = e.key === "ArrowDown" ? 1 : e.key === "ArrowUp" ? -1 : 0;
    if (!side && !level) return;
    if (app.option<boolean>("driving")) return; // arrows belong to the driver
    e.preventDefault();
    e.stopPropagation();
    const at = Math.max(
      0,
      scene.strips.findIndex((s) => s.world.world === app.selection?.world),
    );
    const strip = scene.strips[Math.max(0, Math.min(scene.strips.length - 1, at + level))];
    if (strip?.frame) this.step(strip, side, e.shiftKey);
  }

  // more: the next one is chosen too.
  private step(strip: Strip, side: number, more = false): void {
    const app = this.scene.app;
    const f = strip.frame!;
    const order = strip.world.vehicles
      .filter((v) => f.index(v.id) >= 0)
      .sort((a, b) => f.x[f.index(a.id)]! - f.x[f.index(b.id)]!);
    const from = more && app.also.length ? app.also[app.also.length - 1] : app.selection?.vehicle;
    const at = order.findIndex((v) => v.name === from);
    const v = order[at < 0 ? order.length - 1 : Math.max(0, Math.min(order.length - 1, at + side))];
    if (!v) return;
    if (more && v.name !== from) app.selectMore(strip.world.world, v.name);
    else if (!more) app.select(strip.world.world, v.name);
    const i = f.index(v.id);
    const px = this.scene.view.px(strip.world.world, f.x[i]!);
    if (px < 20 || px > this.scene.view.width - 20) this.scene.view.pan(this.scene.view.width / 2 - px);
    app.speak(
      `${strip.roster.labels[strip.roster.slot(v.id)]}, ${plain(f.field("v")?.[i] ?? NaN, 1)} metres per second, error ${plain(f.s[i]! - f.x[i]!, 2)} metres`,
    );
  }

  private keyMenu(e: KeyboardEvent): void {
    const sel = this.scene.app.selection;
    const strip = this.scene.strips.find((s) => s.world.world === sel?.world);
    if (!sel || !strip) return;
    e.preventDefault();
    const k = strip.visibleOf(sel.vehicle);
    const r = this.scene.canvas.getBoundingClientRect();
    this.openMenu(
      strip,
      sel.vehicle,
      r.left + (k >= 0 ? strip.cx[k]! : 100),
      r.top + (k >= 0 ? strip.cy[k]! + 12 : 60),
    );
  }

  private commands(): void {
    const scene = this.scene;
    const app = scene.app;
    const toggle = (name: "ghosts" | "trails") => () => {
      choose(app, name, name === "trails" ? scene.trailTime() === 0 : !scene.ghostsOn());
      app.emit("layout");
    };
    const list: Command[] = [
      {
        name: "view_car",
        title: "Show one car",
        help: "The selected car, or the reference, fills the road.",
        keys: ["1"],
        run: () => scene.showCar(),
      },
      {
        name: "view_platoon",
        title: "Show the platoon",
        help: "The selected car's platoon fills the road.",
        keys: ["2"],
        run: () => scene.showPlatoon(),
      },
      {
        name: "view_all",
        title: "Show all cars",
        help: "Every car of every world.",
        keys: ["3"],
        run: () => scene.showAll(),
      },
      {
        name: "view_back",
        title: "Previous view",
        help: "Back to the length and place before.",
        keys: ["0"],
        run: () => scene.view.back(),
      },
      {
        name: "reference",
        title: "Make the selected car the reference",
        help: "It stands still on the screen; the others move relative to it. Double-click does the same.",
        keys: ["R"],
        run: () => scene.setReference(app.selection?.vehicle ?? null, app.selection?.world),
      },
      {
        name: "reference_leader",
        title: "Leader as reference",
        help: "Back to the leader as the car that stands still.",
        keys: ["Escape"],
        run: () => {
          if (this.placing.on) this.placing.end();
          else if (scene.change.abort()) this.drag = { kind: "none" };
          else if (scene.ruler.on) scene.ruler.toggle();
          else scene.setReference(null);
        },
      },
      {
        name: "reference_road",
        title: "Road as reference",
        help: "The road stands still and the cars pass by.",
        run: () => scene.setReference("road"),
      },
      {
        name: "ghosts",
        title: "Ghosts",
        help: "Dashed outlines where the cars should be, errors magnified.",
        keys: ["G"],
        run: toggle("ghosts"),
      },
      {
        name: "error_factor",
        title: "Error factor",
        help: "Focuses the magnification of errors. Hold E and turn the wheel over the road to change it.",
        keys: ["E"],
        run: () => document.querySelector<HTMLElement>(".sc-error input[type=range]")?.focus(),
      },
      {
        name: "tags",
        title: "Tags: v, v a, v a j, off",
        help: "What is written above the cars.",
        keys: ["V"],
        run: () => {
          scene.cycleTags();
          app.emit("layout");
          app.speak(`tags ${scene.tagKind()}`);
        },
      },
      {
        name: "trails",
        title: "Trails",
        help: "The path of the last seconds; how many is set in the bar above a road with bends.",
        keys: ["Y"],
        run: toggle("trails"),
      },
      {
        name: "ruler",
        title: "Ruler",
        help: "Drag between two bumpers: metres, seconds, time to collision.",
        keys: ["Q"],
        run: () => {
          scene.ruler.toggle();
          app.speak(scene.ruler.on ? "ruler on" : "ruler off");
          app.emit("layout");
        },
      },
    ];
    for (const c of list) app.command(c);
  }
}
