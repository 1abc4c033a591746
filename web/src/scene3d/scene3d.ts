// scene3d.ts - the 3-D view (three.js): one world in the round.
//
// Rigid vehicles are bodies of their kind and size, deformable ones the affine image of their ellipsoid; the skin, the
// rest shape and the arrows show strain and impulse. Heights of hills may be exaggerated, which is written. Values stand
// as labels over the picture. Loaded only when first opened.

import { Color, Scene, Vector3, WebGLRenderer } from "three";
import { mountCollision, mountCollisionCards, type CollisionPart } from "../collision/collision.ts";
import type { App, Event, Part } from "../core/app.ts";
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
import { makeBar, type Bar, type Drawn, type Hit, type View3d } from "./bar3d.ts";
import { Bodies3d, bumper, type Placed } from "./bodies3d.ts";
import { Cabin } from "./cabin3d.ts";
import { Camera3d, CAMERAS, type CameraKind } from "./camera3d.ts";
import { Closest3d } from "./closest3d.ts";
import { Fleet, pose, type Crowd } from "./fleet3d.ts";
import { Ground, newSpot } from "./ground3d.ts";
import { kindOfSize } from "./kinds3d.ts";
import { Labels } from "./labels3d.ts";
import { Governor, STEPS } from "./quality.ts";
import { Road3d } from "./road3d.ts";
import { Skids } from "./skids.ts";
import { DAY, EVENING, Sky } from "./sky3d.ts";
import { newest, Words } from "./words3d.ts";

const EYE_MS = 100;
const COARSE = 0.55; // of the points of the screen
const CONTACT_NEAR = 1.5; // s around a collision in which the view speaks of it
const MARGIN = 0.6; // m between the camera and a body
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
  private focus = new Vector3();
  private v = new Vector3();
  private spot = newSpot();
  private matrix = new Float32Array(16);
  private deformed = new Set<number>();
  private off: (() => void)[] = [];
  private sizer: ResizeObserver;
  private shownHit = "";

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
    this.stage = h("div", { class: "s3-stage" }, canvas, this.labels.element, this.triad, this.clock, this.lost);
    this.governor = new Governor(slow ? 0 : STEPS.length - 1, slow ? 0 : undefined);
    this.camera = new Camera3d(canvas, () => app.emit("frame"));
    this.words = new Words(this.labels, (x, y, z) =>
      this.project(x, y, z) ? { x: this.v.x, y: this.v.y, depth: this.depth() } : null,
    );
    this.bar = makeBar(this, app);
    host.append(this.bar.element, this.stage);
    this.sky = new Sky(renderer, this.scene);
    this.skids = new Skids(app);
    this.scene.add(this.road.group, this.skids.mesh, this.bodies.group, this.closest.group, this.cabin.group);
    this.fleet = new Fleet(this.scene);
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
    this.repaint();
  }

  show(visible: boolean): void {
    this.app.want("3d", visible ? { bodies: true, fields: [...FIELDS] } : null);
    this.governor.rest();
    if (!visible) this.tell(null);
  }
  destroy(): void {
    for (const f of this.off) f();
    this.app.want("3d", null);
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

  // The collision nearest in time among those near the playhead.
  private hit(w: World): Hit | null {
    const list = this.app.events(w.world);
    const t = this.app.clock.t;
    let best: Event | null = null;
    let index = -1;
    let count = 0;
    for (const e of list) {
      if (e.type !== "collision") continue;
      if (Math.abs(e.t - t) < CONTACT_NEAR && (!best || Math.abs(e.t - t) < Math.abs(best.t - t))) {
        best = e;
        index = count;
      }
      count++;
    }
    return best ? { event: best, index, count, world: w.world } : null;
  }

  draw(): void {
    const began = performance.now();
    const w = this.world();
    const frame = w ? this.app.frame(w.world) : null;
    if (!this.fit() || !w || !frame || frame.n === 0) return;
    const roster = rosterOf(this.app, w);
    const hit = this.hit(w);
    const playing = this.app.clock.playing;
    const fresh = began - this.made >= EYE_MS || (!playing && this.app.clock.t !== this.madeAt);
    if (fresh) {
      this.made = began;
      this.madeAt = this.app.clock.t;
    }
    const i = this.subject(w, frame, roster, hit);
    const at = this.placed(w, frame, roster, i);
    this.aim(w, frame, roster, i, hit);
    this.sit(frame, roster, i, at);
    this.sky.follow(this.ground.anchor, this.focus.x, this.focus.y, this.focus.z);
    const plan = planOf(this.app, w);
    this.road.update(w, plan, this.ground, at.focus, choice(this.app, "markers"), this.exaggeration);
    this.road.seenFrom(this.camera.camera.position.y);
    this.fleet.build();
    if (frame.bodies.length) {
      const [l, w, up] = frame.bodies[0]!.rest;
      const name = kindOfSize(2 * l, 2 * w, 2 * up);
      this.fleet.need(name);
      const skin = this.fleet.kind(name);
      if (skin) this.bodies.dress(skin);
    }
    this.fleet.update(w, frame, roster, this.crowd(w, frame, roster, i, at));
    this.bodies.bodies(frame, roster, at);
    this.fleet.lamps.show();
    this.bodies.contacts(frame, at);
    this.approach(frame, roster, at, hit);
    this.skids.update(w, frame, roster, at, fresh);
    this.write(frame, roster, i, hit, at, fresh);
    if (fresh) {
      this.bar.refresh(this, w, frame, roster, i, hit);
      this.tell(hit);
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

  // ---- the camera ----

  private aim(w: World, frame: Frame, roster: Roster, i: number, hit: Hit | null): void {
    const y = frame.field("y");
    const psi = frame.field("psi");
    const touch = this.camera.kind === "contact" ? this.contactPoint(w, frame, hit) : null;
    let heading = psi ? psi[i]! : 0;
    this.others.length = 0;
    if (touch) {
      const q = this.ground.spot(touch[0], touch[1], 0, this.spot);
      this.focus.set(q.x, q.y, touch[2] + q.z);
    } else this.focus.set(0, y ? y[i]! : 0, 0.7);
    const slot = roster.slot(frame.id[i]!);
    const tall = (slot >= 0 && roster.vehicles[slot]!.height) || 1.45;
    this.camera.eyes = tall > 2.4 ? 0.62 * tall : 0.82 * tall;
    if (this.camera.kind === "platoon") heading = this.gather(frame, roster, i, heading);
    this.camera.place(
      this.focus,
      heading,
      (x) => this.ground.z(this.ground.origin + x),
      this.others,
      (eye) => this.keepOut(eye, frame, roster),
    );
    this.camera.camera.updateMatrixWorld();
  }
  private others: Vector3[] = [];
  private room: Vector3[] = [];

  // The cars of the subject's platoon, from the last to the first, as others; the last is the focus. Its heading.
  private gather(frame: Frame, roster: Roster, i: number, heading: number): number {
    const y = frame.field("y");
    const path = frame.field("path");
    const own = roster.slot(frame.id[i]!);
    const platoon = own >= 0 ? roster.vehicles[own]!.platoon : -1;
    const list: number[] = [];
    for (let k = 0; k < frame.n; k++) {
      const slot = roster.slot(frame.id[k]!);
      if (k === i || (platoon >= 0 && slot >= 0 && roster.vehicles[slot]!.platoon === platoon)) list.push(k);
    }
    list.sort((a, b) => frame.x[a]! - frame.x[b]!);
    for (const k of list) {
      const p = (this.room[this.others.length] ??= new Vector3());
      const q = this.ground.spot(frame.x[k]!, y ? y[k]! : 0, path ? path[k]! : 0, this.spot);
      p.set(q.x, q.y, q.z + 0.7);
      if (k === list[0]) {
        this.focus.copy(p);
        heading = Math.atan2(q.s, q.c);
      }
      this.others.push(p);
    }
    return heading;
  }

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

  // Moves the eye out of the bodies about it, to the nearest side or above.
  private keepOut(eye: Vector3, frame: Frame, roster: Roster): void {
    const y = frame.field("y");
    const psi = frame.field("psi");
    const path = frame.field("path");
    for (let i = 0; i < frame.n; i++) {
      if (Math.abs(frame.x[i]! - this.ground.origin - eye.x) > 200 && !this.ground.plan) continue;
      const slot = roster.slot(frame.id[i]!);
      if (slot < 0) continue;
      const q = this.ground.spot(frame.x[i]!, y ? y[i]! : 0, path ? path[i]! : 0, this.spot);
      if (Math.abs(q.x - eye.x) > 30 || Math.abs(q.y - eye.y) > 30) continue;
      const a = Math.atan2(q.s, q.c) + (psi ? psi[i]! : 0);
      const c = Math.cos(a);
      const s = Math.sin(a);
      const along = c * (eye.x - q.x) + s * (eye.y - q.y);
      const across = c * (eye.y - q.y) - s * (eye.x - q.x);
      const dl = 0.5 * roster.length[slot]! + MARGIN - Math.abs(along);
      const dw = 0.5 * roster.width[slot]! + MARGIN - Math.abs(across);
      const dh = (roster.vehicles[slot]!.height || 1.45) + MARGIN - (eye.z - q.z);
      if (dl <= 0 || dw <= 0 || dh <= 0) continue;
      if (dh <= dl && dh <= dw) eye.z += dh;
      else {
        const [n, out] = dl < dw ? [dl * (along < 0 ? -1 : 1), 0] : [0, dw * (across < 0 ? -1 : 1)];
        eye.x += n * c - out * s;
        eye.y += n * s + out * c;
      }
    }
  }

  // The newest contact of the hit pair, or the middle between the two cars before they touch.
  private contactPoint(w: World, frame: Frame, hit: Hit | null): [number, number, number] | null {
    const best = newest(frame.contacts);
    if (best) return [best.point[0], best.point[1], bumper(frame, best)];
    if (!hit) return null;
    const roster = rosterOf(this.app, w);
    const y = frame.field("y");
    const a = roster.slotOf(hit.event.vehicle);
    const b = roster.slotOf(hit.event.other);
    const i = a >= 0 ? frame.index(roster.vehicles[a]!.id) : -1;
    const j = b >= 0 ? frame.index(roster.vehicles[b]!.id) : -1;
    if (i < 0) return null;
    const xj = j >= 0 ? frame.x[j]! : frame.x[i]! + 3;
    const yj = j >= 0 && y ? y[j]! : 0;
    return [0.5 * (frame.x[i]! + xj), 0.5 * ((y ? y[i]! : 0) + yj), 0.7];
  }

  // ---- words ----

  private write(frame: Frame, roster: Roster, subject: number, hit: Hit | null, at: Placed, fresh: boolean): void {
    this.labels.begin(this.box.w, this.box.h);
    if (hit && this.bodies.arrows) this.words.contact(frame, roster, at, fresh);
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

  // While a collision is selected its report replaces the inspector, and its energy and force replace
  // the instruments.
  private tell(hit: Hit | null): void {
    const key = hit ? `${hit.world}/${hit.index}` : "";
    if (key !== this.shownHit) {
      this.shownHit = key;
      this.reports ??= this.makeReports();
      this.aside?.classList.toggle("has-collision", hit !== null);
      this.centre?.classList.toggle("has-collision", hit !== null);
      for (const r of this.reports) r.show(hit !== null);
    }
    if (hit)
      for (const r of this.reports!) {
        r.set(hit.world, hit.index);
        r.draw?.(this.app.clock.t);
      }
  }
  private reports: CollisionPart[] | null = null;
  private aside: HTMLElement | null = null;
  private centre: HTMLElement | null = null;

  private makeReports(): CollisionPart[] {
    this.aside = document.querySelector<HTMLElement>("aside.aside");
    this.centre = document.querySelector<HTMLElement>("main.centre");
    const made: CollisionPart[] = [];
    if (this.aside) {
      const host = h("div", { class: "inspector cr-host" });
      this.aside.append(host);
      made.push(mountCollision(host, this.app));
    }
    if (this.centre) {
      const host = h("section", { class: "cr-cards", "aria-label": "Energy and force of the collision" });
      this.centre.append(host);
      made.push(mountCollisionCards(host, this.app));
    }
    return made;
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
      rest: this.bodies.restShapes,
      arrows: this.bodies.arrows,
      labels: !this.labels.element.hidden,
      closest: this.closest.on,
      skids: this.skids.on,
    };
  }
  setDraws(what: Drawn, on: boolean): void {
    if (what === "rest") this.bodies.restShapes = on;
    else if (what === "arrows") this.bodies.arrows = on;
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
