// scene3d.ts - the 3-D view (three.js): one world in the round.
//
// Rigid vehicles are bodies of their kind and size, deformable ones the affine image of their ellipsoid; the skin, the
// rest shape and the arrows show strain and impulse. Heights of hills may be exaggerated, which is written. Values stand
// as labels over the picture. Loaded only when first opened.

import { Color, Scene, Vector3, WebGLRenderer } from "three";
import type { App, Part } from "../core/app.ts";
import { rosterOf, type Roster } from "../core/roster.ts";
import { deviceName, isProcessor } from "../draw/device.ts";
import { palette, signed } from "../draw/paint.ts";
import { Colouring, patternOf, worldIndexOf } from "../scene/colour.ts";
import { choice } from "../scene/options.ts";
import { planOf } from "../scene/plans.ts";
import { referenceVehicle } from "../scene/view.ts";
import { h } from "../ui/dom.ts";
import type { Frame } from "../wire/frame.ts";
import type { World } from "../wire/protocol.ts";
import { Aim } from "./aim3d.ts";
import { Arrows } from "./arrows3d.ts";
import { makeBar, type Bar, type Drawn, type Hit, type View3d } from "./bar3d.ts";
import { Bodies3d } from "./bodies3d.ts";
import { Cabin } from "./cabin3d.ts";
import { Camera3d, CAMERAS, type CameraKind } from "./camera3d.ts";
import { Closest3d } from "./closest3d.ts";
import { Fleet, pose, type Crowd } from "./fleet3d.ts";
import { Ground, newSpot } from "./ground3d.ts";
import { hitAt, Reports, SlowMotion } from "./hits3d.ts";
import { Labels } from "./labels3d.ts";
import type { Placed } from "./placed.ts";
import { Governor, STEPS } from "./quality.ts";
import { Road3d } from "./road3d.ts";
import { Skids } from "./skids.ts";
import { DAY, EVENING, Sky } from "./sky3d.ts";
import { Legend } from "./straincolour.ts";
import { Words } from "./words3d.ts";

const EYE_MS = 100;
const COARSE = 0.55; // of the points of the screen
const FIELDS = ["energy", "brake", "steer", "path"] as const;
const NO_WEBGL =
  "The 3-D view needs WebGL, which this browser does not provide. The Road view shows everything except the deformation of bodies.";
const LOST =
  "The graphics context was lost. The 3-D view continues when the browser restores it; the other views are not affected.";

export function mountScene3d(host: HTMLElement, app: App): Part {
  host.classList.add("s3");
  const device = deviceName();
  const slow = isProcessor(device);
  let renderer: WebGLRenderer | null = null;
  try {
    // Where a processor draws, smooth edges would cost it most of its time.
    if (device !== null) renderer = new WebGLRenderer({ antialias: !slow, powerPreference: "high-performance" });
  } catch {
    renderer = null;
  }
  if (renderer) return new Space(host, app, renderer, slow);
  host.append(h("p", { class: "s3-none", role: "status" }, NO_WEBGL));
  return {};
}

class Space implements Part, View3d {
  script = 0;
  origin = 0; // m along the road at x = 0 of the picture
  readonly fleet: Fleet;
  private scene = new Scene();
  private ground = new Ground();
  private sky: Sky;
  private road = new Road3d();
  private bodies = new Bodies3d();
  private arrows = new Arrows();
  private legend = new Legend();
  private reports: Reports;
  private slowMotion: SlowMotion;
  private aim: Aim;
  private cabin = new Cabin();
  private closest = new Closest3d();
  private skids: Skids;
  private camera: Camera3d;
  private labels = new Labels();
  private words: Words;
  private colouring = new Colouring();
  private colours: Color[] = [];
  private greys = ["#8d959f", "#c9ced4", "#3c434c", "#e6e8ea", "#59616b"].map((c) => new Color(c));
  private colourKey = "";
  private stage: HTMLElement;
  private bar: Bar;
  private clock: HTMLElement;
  private triad: HTMLElement;
  private lost: HTMLElement;
  private box = { w: 0, h: 0 };
  private size = "";
  private made = -Infinity;
  private madeAt = NaN;
  private exaggeration = 1;
  private governor: Governor;
  private chosen = -1; // quality; -1: by the governor
  private pictures = 0;
  private v = new Vector3();
  private spot = newSpot();
  private matrix = new Float32Array(16);
  private deformed = new Set<number>();
  private off: (() => void)[] = [];
  private sizer: ResizeObserver;

  constructor(
    host: HTMLElement,
    private app: App,
    private renderer: WebGLRenderer,
    private slow: boolean,
  ) {
    const canvas = renderer.domElement;
    canvas.setAttribute("role", "img");
    canvas.setAttribute(
      "aria-label",
      "Cars in 3-D. Arrow keys turn the camera, plus and minus zoom in and out, Home resets it.",
    );
    canvas.tabIndex = 0;
    this.clock = h("div", { class: "s3-clock", hidden: true }, h("b"), h("span", null, "since first touch"));
    this.triad = h(
      "div",
      { class: "s3-triad", "aria-hidden": "true" },
      ...["x", "y", "z"].map((n) => h("i", { class: `s3-${n}` }, n)),
    );
    this.lost = h("p", { class: "s3-none s3-lost", role: "status", hidden: true }, LOST);
    this.stage = h(
      "div",
      { class: "s3-stage" },
      canvas,
      this.labels.element,
      this.triad,
      this.legend.element,
      this.clock,
      this.lost,
    );
    this.governor = new Governor(slow ? 0 : STEPS.length - 1, slow ? 0 : undefined);
    this.camera = new Camera3d(canvas, () => app.emit("frame"));
    this.aim = new Aim(this.camera, this.ground);
    this.reports = new Reports(app);
    this.slowMotion = new SlowMotion(app);
    this.words = new Words(this.labels, (x, y, z) =>
      this.project(x, y, z) ? { x: this.v.x, y: this.v.y, depth: this.depth() } : null,
    );
    this.bar = makeBar(this, app);
    host.append(this.bar.element, this.stage);
    this.sky = new Sky(renderer, this.scene);
    this.skids = new Skids(app);
    this.scene.add(
      this.road.group,
      this.skids.mesh,
      this.bodies.group,
      this.arrows.group,
      this.closest.group,
      this.cabin.group,
    );
    this.fleet = new Fleet(this.scene, (world, model) => {
      const mesh = app.ask("look", { world, model });
      mesh.then(
        () => app.emit("frame"),
        (e: Error) => app.toast(`The look of ${model} cannot be drawn: ${e.message}`),
      );
      return mesh;
    });
    this.bodies.shade = (b, r, q) => {
      pose(this.matrix, q.x, q.y, q.z, r[0]!, r[3]!, 0, 0);
      this.fleet.lamps.shade(this.matrix, 0, 2 * b.rest[0], 2 * b.rest[1]);
    };
    this.sizer = new ResizeObserver(() => {
      this.box.w = this.stage.clientWidth;
      this.box.h = this.stage.clientHeight;
    });
    this.sizer.observe(this.stage);
    canvas.addEventListener("click", (e) => {
      if (e.detail === 2) this.pick(e);
    });
    canvas.addEventListener("webglcontextlost", (e) => {
      e.preventDefault();
      this.lost.hidden = false;
    });
    canvas.addEventListener("webglcontextrestored", () => {
      this.lost.hidden = true;
      app.emit("frame");
    });
    this.off.push(app.on("theme", () => this.repaint()));
    app.command({
      name: "camera_home",
      title: "Reset the 3-D camera",
      help: "Moves the camera back to its initial place.",
      run: () => this.camera.home(),
    });
    for (const k of CAMERAS)
      app.command({
        name: `camera_${k}`,
        title: `3-D camera: ${k}`,
        help: "Where the 3-D view looks from.",
        run: () => this.camera.set(k),
      });
    Object.assign(app, { space: this });
    app.want("3d", { bodies: true, fields: [...FIELDS] });
    this.slowMotion.show(true);
    this.repaint();
  }

  show(visible: boolean): void {
    this.app.want("3d", visible ? { bodies: true, fields: [...FIELDS] } : null);
    this.governor.rest();
    this.slowMotion.show(visible);
    if (!visible) this.reports.tell(null);
  }
  destroy(): void {
    for (const f of this.off) f();
    this.app.want("3d", null);
    this.slowMotion.show(false);
    this.sizer.disconnect();
    this.renderer.dispose();
  }

  private get step(): number {
    return this.chosen >= 0 ? this.chosen : this.governor.step;
  }

  // The theme's light, and the step's materials.
  private repaint(): void {
    const step = STEPS[this.step];
    const dark = palette().dark;
    this.renderer.shadowMap.enabled = step.shadow > 0;
    this.renderer.shadowMap.autoUpdate = step.shadowEvery === 1;
    this.sky.set(dark ? EVENING : DAY, step);
    this.road.setStep(step);
    this.road.repaint(this.sky, dark);
    this.fleet.setStep(step);
    this.cabin.setStep(step);
    this.bodies.setStep(step);
    this.fleet.lamps.evening = dark;
    this.bodies.repaint();
    this.arrows.repaint(palette().danger);
    this.closest.repaint();
    this.skids.repaint();
    this.colourKey = "";
    this.size = "";
    this.app.emit("frame");
  }

  // ---- what is looked at ----

  world(): World | undefined {
    const shown = this.app.shown();
    const chosen = this.app.option<number | undefined>("space.world");
    return (
      shown.find((w) => w.world === this.app.selection?.world) ?? shown.find((w) => w.world === chosen) ?? shown[0]
    );
  }

  draw(): void {
    const began = performance.now();
    const w = this.world();
    const frame = w ? this.app.frame(w.world) : null;
    if (!this.fit() || !w || !frame || frame.n === 0) return;
    const roster = rosterOf(this.app, w);
    const hit = hitAt(this.app, w);
    const playing = this.app.clock.playing;
    const fresh = began - this.made >= EYE_MS || (!playing && this.app.clock.t !== this.madeAt);
    if (fresh) {
      this.made = began;
      this.madeAt = this.app.clock.t;
    }
    const i = this.subject(w, frame, roster, hit);
    const at = this.placed(w, frame, roster, i);
    this.aim.at(frame, roster, i, hit);
    this.sit(frame, roster, i, at);
    this.sky.follow(this.ground.anchor, this.aim.focus.x, this.aim.focus.y, this.aim.focus.z);
    const plan = planOf(this.app, w);
    this.road.update(w, plan, this.ground, at.focus, choice(this.app, "markers"), this.exaggeration);
    this.road.seenFrom(this.camera.camera.position.y);
    this.fleet.build();
    this.fleet.update(w, frame, roster, this.crowd(w, frame, roster, i, at));
    const key = hit ? `${hit.world}/${hit.index}` : String(w.world);
    this.bodies.update(frame, roster, at, (slot) => this.fleet.lookOf(slot), key);
    this.fleet.lamps.show();
    this.arrows.update(frame, at, key);
    this.approach(frame, roster, at, hit);
    this.skids.update(w, frame, roster, at, fresh);
    this.write(frame, roster, i, hit, at, fresh);
    if (fresh) {
      this.bar.refresh(this, w, frame, roster, i, hit);
      this.reports.tell(hit);
      this.slowMotion.update(w);
      this.explain(frame, hit);
    }
    this.script = performance.now() - began;
    const every = STEPS[this.step].shadowEvery;
    if (every > 1 && (!playing || this.pictures % every === 0)) this.renderer.shadowMap.needsUpdate = true;
    this.pictures++;
    this.renderer.render(this.scene, this.camera.camera);
    if (this.chosen < 0 && playing && this.governor.drawn(began)) this.repaint();
    if (this.camera.moving || this.fleet.building) this.app.emit("frame");
  }

  private fit(): boolean {
    const { w, h: hgt } = this.box;
    if (w < 8 || hgt < 8) return false;
    const full = Math.min(STEPS[this.step].pixels, devicePixelRatio || 1);
    const ratio = this.slow && this.app.clock.playing ? COARSE * full : full;
    const key = `${w}x${hgt}x${ratio}`;
    if (key !== this.size) {
      this.size = key;
      this.renderer.setPixelRatio(ratio); // where a processor draws, fewer points while time runs
      this.renderer.setSize(w, hgt);
      this.camera.camera.aspect = w / hgt;
      this.camera.camera.updateProjectionMatrix();
    }
    return true;
  }

  // The car the camera belongs to: selected, else the one that hits, else the reference.
  private subject(w: World, frame: Frame, roster: Roster, hit: Hit | null): number {
    const sel = this.app.selection;
    const name = sel && sel.world === w.world ? sel.vehicle : hit ? hit.event.vehicle : "";
    const slot = name ? roster.slotOf(name) : -1;
    const i = frame.index(slot >= 0 ? roster.vehicles[slot]!.id : referenceVehicle(this.app, w));
    return Math.max(0, i);
  }

  private placed(w: World, frame: Frame, roster: Roster, i: number): Placed {
    this.colouring.prepare(choice(this.app, "colour"), this.app.shown().length);
    this.colouring.grow(frame);
    const key = this.colouring.colours.join();
    if (key !== this.colourKey) {
      this.colourKey = key;
      this.colours = this.colouring.colours.map((c) => deeper(new Color(c)));
    }
    const index = worldIndexOf(this.app, w.world);
    const x = frame.x[i]!;
    const path = frame.field("path");
    this.ground.set(w.road, planOf(this.app, w), x, path ? path[i]! : 0, this.exaggeration);
    this.origin = x;
    const platoons = this.colouring.by === "platoon";
    return {
      ground: this.ground,
      focus: x,
      colour: (n, slot) => {
        const b = this.colouring.bucket(frame, n, roster, slot, index);
        if (platoons && b === this.colouring.manual) return this.greys[frame.id[n]! % this.greys.length]!;
        return this.colours[b] ?? this.colours[0]!;
      },
    };
  }

  private crowd(w: World, frame: Frame, roster: Roster, i: number, at: Placed): Crowd {
    const c = this.camera.camera;
    const index = worldIndexOf(this.app, w.world);
    this.deformed.clear();
    for (const b of frame.bodies) this.deformed.add(b.id);
    this.eye.x = c.position.x;
    this.eye.y = c.position.y;
    this.eye.z = c.position.z;
    c.getWorldDirection(this.eye.look);
    return {
      ...at,
      eye: this.eye,
      zoom: 1,
      skip: this.camera.kind === "driver" ? frame.id[i]! : -1,
      deformed: this.deformed,
      pattern: (slot) => patternOf(roster, slot, index),
    };
  }
  private eye = { x: 0, y: 0, z: 0, look: new Vector3() };

  // The inside of the car the camera is in.
  private sit(frame: Frame, roster: Roster, i: number, at: Placed): void {
    const inside = this.camera.kind === "driver" && !this.camera.moving;
    this.cabin.group.visible = inside;
    const slot = roster.slot(frame.id[i]!);
    if (!inside || slot < 0) return;
    const psi = frame.field("psi");
    const steer = frame.field("steer");
    this.cabin.update(this.camera.camera.position, psi ? psi[i]! : 0, steer ? steer[i]! : 0, at.colour(i, slot));
  }

  // ---- words ----

  private write(frame: Frame, roster: Roster, subject: number, hit: Hit | null, at: Placed, fresh: boolean): void {
    this.labels.begin(this.box.w, this.box.h);
    if (hit && this.arrows.on) this.words.contact(frame, roster, at, fresh);
    if (this.closest.on) this.words.closest(this.closest.nearest, frame, roster, fresh);
    const { kind } = this.camera;
    this.words.vehicles(
      frame,
      roster,
      at,
      kind === "driver" ? subject : -1,
      kind === "platoon" || kind === "top",
      fresh,
    );
    this.labels.end();
    this.turnTriad();
    const since = hit ? this.app.clock.t - hit.event.t : NaN;
    this.clock.hidden = !(since >= -0.2);
    if (!this.clock.hidden && fresh)
      (this.clock.firstChild as HTMLElement).textContent = Math.abs(since) < 10 ? `${signed(since * 1000, 1)} ms` : "";
  }

  // Colours, outlines and arrows are explained while there are some.
  private explain(frame: Frame, hit: Hit | null): void {
    const soft = frame.bodies.length > 0 && (hit !== null || this.bodies.deformation > 1);
    const { outlines, scale } = this.bodies;
    this.legend.show(soft ? scale : 0, soft && outlines.rest, soft && outlines.ellipsoid, this.arrows.perMetre);
    this.labels.keep.left = this.box.w - this.legend.size.w;
    this.labels.keep.bottom = this.legend.size.h;
  }

  // The pair of a collision to come is watched from farther away.
  private approach(frame: Frame, roster: Roster, at: Placed, hit: Hit | null): void {
    if (!hit || frame.time >= hit.event.t - 1e-6) {
      this.closest.update(frame, roster, at, -1, -1);
      return;
    }
    const a = roster.slotOf(hit.event.vehicle);
    const b = roster.slotOf(hit.event.other);
    this.closest.update(frame, roster, at, a >= 0 ? roster.vehicles[a]!.id : -1, b >= 0 ? roster.vehicles[b]!.id : -1);
  }

  // To px of the stage, in this.v; false: behind the camera or far outside.
  private project(x: number, y: number, z: number): boolean {
    this.v.set(x, y, z).project(this.camera.camera);
    if (this.v.z > 1 || Math.abs(this.v.x) > 1 || Math.abs(this.v.y) > 1) return false;
    this.last.set(x, y, z);
    this.v.set((0.5 + 0.5 * this.v.x) * this.box.w, (0.5 - 0.5 * this.v.y) * this.box.h, this.v.z);
    return true;
  }
  private last = new Vector3();
  private depth(): number {
    return this.last.distanceTo(this.camera.camera.position);
  }

  // The axes as seen from here.
  private turnTriad(): void {
    const e = this.camera.camera.matrixWorldInverse.elements;
    for (let k = 0; k < 3; k++) {
      const arm = this.triad.children[k] as HTMLElement;
      const x = e[4 * k]! * 26;
      const y = -e[4 * k + 1]! * 26;
      arm.style.setProperty("--l", `${Math.hypot(x, y).toFixed(1)}px`);
      arm.style.setProperty("--r", `${Math.atan2(y, x).toFixed(3)}rad`);
    }
  }

  // Double-click: the car under the pointer is selected.
  private pick(e: MouseEvent): void {
    const w = this.world();
    const frame = w ? this.app.frame(w.world) : null;
    if (!w || !frame) return;
    const r = this.stage.getBoundingClientRect();
    const roster = rosterOf(this.app, w);
    const y = frame.field("y");
    const path = frame.field("path");
    let best = 60;
    let name = "";
    for (let i = 0; i < frame.n; i++) {
      const q = this.ground.spot(frame.x[i]!, y ? y[i]! : 0, path ? path[i]! : 0, this.spot);
      if (Math.hypot(q.x, q.y) > 300 || !this.project(q.x, q.y, q.z + 0.7)) continue;
      const d = Math.hypot(this.v.x - (e.clientX - r.left), this.v.y - (e.clientY - r.top));
      const slot = roster.slot(frame.id[i]!);
      if (d < best && slot >= 0) {
        best = d;
        name = roster.vehicles[slot]!.name;
      }
    }
    if (name) this.app.select(w.world, name);
  }

  // ---- choices of the bar ----

  setDeformation(k: number): void {
    this.bodies.deformation = k;
    this.app.emit("frame");
  }
  setExaggeration(k: number): void {
    this.exaggeration = k;
    this.app.emit("frame");
  }
  getExaggeration(): number {
    return this.exaggeration;
  }
  cameraKind(): CameraKind {
    return this.camera.kind;
  }
  setCamera(k: CameraKind): void {
    this.camera.set(k);
  }
  quality(): { chosen: number; step: number; software: boolean } {
    return { chosen: this.chosen, step: this.step, software: this.slow };
  }
  setQuality(k: number): void {
    this.chosen = k;
    this.governor.rest();
    this.repaint();
  }
  draws(): Record<Drawn, boolean> {
    return {
      rest: this.bodies.outlines.rest,
      ellipsoid: this.bodies.outlines.ellipsoid,
      strain: this.bodies.colours,
      slow: this.slowMotion.on,
      arrows: this.arrows.on,
      labels: !this.labels.element.hidden,
      closest: this.closest.on,
      skids: this.skids.on,
    };
  }
  setDraws(what: Drawn, on: boolean): void {
    if (what === "rest" || what === "ellipsoid") this.bodies.outlines[what] = on;
    else if (what === "strain") this.bodies.colours = on;
    else if (what === "slow") this.slowMotion.on = on;
    else if (what === "arrows") this.arrows.on = on;
    else if (what === "closest") this.closest.on = on;
    else if (what === "skids") this.skids.on = on;
    else this.labels.element.hidden = !on;
    this.app.emit("frame");
  }
}

// Paint is darker than the same colour as ink: light lifts it.
function deeper(c: Color): Color {
  const hsl = { h: 0, s: 0, l: 0 };
  c.getHSL(hsl);
  return hsl.l > 0.46 && hsl.s > 0.3 ? c.setHSL(hsl.h, hsl.s, 0.46) : c;
}
