// scene3d.ts - the 3-D view (three.js): one world in the round, made for looking at contacts.
//
// Rigid cars are bodies of their size, deformable ones the affine image of their ellipsoid; the skin,
// the rest shape and the arrows show strain and impulse. Heights of hills may be exaggerated, which is
// written. Values stand as labels over the picture. Loaded only when first opened.

import { AmbientLight, Color, DirectionalLight, Fog, HemisphereLight, Scene, Vector3, WebGLRenderer } from "three";
import { mountCollision, mountCollisionCards, type CollisionPart } from "../collision/collision.ts";
import type { App, Event, Part } from "../core/app.ts";
import { rosterOf, type Roster } from "../core/roster.ts";
import { palette, plain, signed } from "../draw/paint.ts";
import { Colouring, worldIndexOf } from "../scene/colour.ts";
import { choice } from "../scene/options.ts";
import { referenceVehicle } from "../scene/view.ts";
import { h, menu, slider, type Item } from "../ui/dom.ts";
import type { Contact, Frame } from "../wire/frame.ts";
import type { World } from "../wire/protocol.ts";
import { Bodies3d, bumper, FOG, type Placed } from "./bodies3d.ts";
import { Camera3d, CAMERAS, type CameraKind } from "./camera3d.ts";
import { Closest3d } from "./closest3d.ts";
import { Labels } from "./labels3d.ts";
import { AMBIENT, heightAt, Road3d, SKY, SUN } from "./road3d.ts";
import { Skids } from "./skids.ts";
import { deformation, rotation, shortening, yawOf } from "./strain.ts";

const EYE_MS = 100;
const COARSE = 0.7; // of the points of the screen
const CONTACT_NEAR = 1.5; // s around a collision in which the view speaks of it

export function mountScene3d(host: HTMLElement, app: App): Part {
  host.classList.add("s3");
  let renderer: WebGLRenderer;
  const slow = software();
  try {
    renderer = new WebGLRenderer({ antialias: !slow, powerPreference: "high-performance" });
  } catch {
    host.append(
      h(
        "p",
        { class: "s3-none" },
        "The 3-D view needs WebGL, which this browser does not provide. The Road view shows everything except the deformation of bodies.",
      ),
    );
    return {};
  }
  return new Space(host, app, renderer, slow);
}

// A processor that draws in place of a graphics card: smooth edges would cost it most of its time.
function software(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2");
  const info = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = gl && info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software/i.test(name);
}

interface Hit {
  event: Event;
  index: number;
  count: number;
  world: number;
}

class Space implements Part {
  script = 0;
  origin = 0; // m along the road at x = 0 of the picture
  private scene = new Scene();
  private road = new Road3d();
  private bodies = new Bodies3d();
  private closest = new Closest3d();
  private skids: Skids;
  private camera: Camera3d;
  private labels = new Labels();
  private colouring = new Colouring();
  private colours: Color[] = [];
  private colourKey = "";
  private stage: HTMLElement;
  private bar: Bar;
  private clock: HTMLElement;
  private triad: HTMLElement;
  private box = { w: 0, h: 0 };
  private size = "";
  private made = -Infinity;
  private madeAt = NaN;
  private exaggeration = 1;
  private focus = new Vector3();
  private v = new Vector3();
  private off: (() => void)[] = [];
  private sizer: ResizeObserver;
  private f = new Float64Array(9);
  private r = new Float64Array(9);
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
    this.stage = h("div", { class: "s3-stage" }, canvas, this.labels.element, this.triad, this.clock);
    this.camera = new Camera3d(canvas, () => app.emit("frame"));
    this.bar = makeBar(this, app);
    host.append(this.bar.element, this.stage);
    this.skids = new Skids(app);
    this.scene.add(this.road.group, this.skids.mesh, this.bodies.group, this.closest.group);
    this.light();
    this.sizer = new ResizeObserver(() => {
      this.box.w = this.stage.clientWidth;
      this.box.h = this.stage.clientHeight;
    });
    this.sizer.observe(this.stage);
    canvas.addEventListener("click", (e) => {
      if (e.detail === 2) this.pick(e);
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
    app.want("3d", { bodies: true, fields: ["energy", "brake"] });
    this.repaint();
  }

  show(visible: boolean): void {
    this.app.want("3d", visible ? { bodies: true, fields: ["energy", "brake"] } : null);
    if (!visible) this.tell(null);
  }
  destroy(): void {
    for (const f of this.off) f();
    this.app.want("3d", null);
    this.sizer.disconnect();
    this.renderer.dispose();
  }

  private light(): void {
    const sun = new DirectionalLight(SUN.colour, SUN.strength);
    sun.position.set(...SUN.at);
    this.scene.add(new HemisphereLight(SKY.sky, SKY.ground, SKY.strength), new AmbientLight("#ffffff", AMBIENT), sun);
  }

  private repaint(): void {
    const p = palette();
    const sky = p.dark ? "#161b22" : "#eef1f5";
    this.scene.background = new Color(sky);
    this.scene.fog = new Fog(sky, 120, FOG);
    this.road.repaint();
    this.bodies.repaint();
    this.closest.repaint();
    this.skids.repaint();
    this.colourKey = "";
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
    const now = began;
    const playing = this.app.clock.playing;
    const fresh = now - this.made >= EYE_MS || (!playing && this.app.clock.t !== this.madeAt);
    if (fresh) {
      this.made = now;
      this.madeAt = this.app.clock.t;
    }
    const i = this.subject(w, frame, roster, hit);
    const at = this.placed(w, frame, roster, i);
    this.origin = at.origin;
    this.aim(w, frame, i, hit, at);
    this.see(at);
    this.road.update(w, at.origin, at.focus, choice(this.app, "markers"), this.exaggeration, at.z);
    this.road.seenFrom(this.camera.camera.position.y);
    this.bodies.cars(frame, roster, at);
    this.bodies.bodies(frame, roster, at);
    this.bodies.contacts(frame, at);
    this.approach(frame, roster, at, hit);
    this.skids.update(w, frame, roster, at, fresh);
    this.words(w, frame, roster, i, hit, at, fresh);
    if (fresh) {
      this.bar.refresh(this, w, frame, roster, i, hit);
      this.tell(hit);
    }
    this.script = performance.now() - began;
    this.renderer.render(this.scene, this.camera.camera);
    if (this.camera.moving) this.app.emit("frame");
  }

  private fit(): boolean {
    const { w, h: hgt } = this.box;
    if (w < 8 || hgt < 8) return false;
    const full = Math.min(2, devicePixelRatio || 1);
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
    const road = w.road;
    const k = this.exaggeration;
    const base = heightAt(road, frame.x[i]!);
    this.colouring.prepare(choice(this.app, "colour"), this.app.shown().length);
    this.colouring.grow(frame);
    const key = this.colouring.colours.join();
    if (key !== this.colourKey) {
      this.colourKey = key;
      this.colours = this.colouring.colours.map((c) => new Color(c));
    }
    const index = worldIndexOf(this.app, w.world);
    const z = (x: number): number => k * (heightAt(road, x) - base);
    return {
      eye: this.eye,
      origin: frame.x[i]!,
      focus: frame.x[i]!,
      z,
      slope: (x) => Math.atan((z(x + 2) - z(x - 2)) / 4),
      lateral: 1,
      colour: (n, slot) => this.colours[this.colouring.bucket(frame, n, roster, slot, index)] ?? this.colours[0]!,
    };
  }

  private see(at: Placed): void {
    const c = this.camera.camera;
    this.eye.x = at.origin + c.position.x;
    this.eye.y = c.position.y;
    this.eye.z = c.position.z;
    c.getWorldDirection(this.eye.look);
  }
  private eye = { x: 0, y: 0, z: 0, look: new Vector3() };

  private aim(w: World, frame: Frame, i: number, hit: Hit | null, at: Placed): void {
    const y = frame.field("y");
    const psi = frame.field("psi");
    const touch = this.camera.kind === "contact" ? this.contactPoint(w, frame, hit) : null;
    if (touch) this.focus.set(touch[0] - at.origin, touch[1], touch[2] + at.z(touch[0]));
    else this.focus.set(0, y ? y[i]! : 0, 0.7);
    this.camera.place(this.focus, psi ? psi[i]! : 0, at.z(at.origin + this.camera.camera.position.x));
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

  private words(
    w: World,
    frame: Frame,
    roster: Roster,
    subject: number,
    hit: Hit | null,
    at: Placed,
    fresh: boolean,
  ): void {
    this.labels.begin(this.box.w, this.box.h);
    if (hit && this.bodies.arrows) this.contactWord(frame, roster, hit, at, fresh);
    if (this.closest.on) this.closestWord(frame, roster, fresh);
    const v = frame.field("v");
    const y = frame.field("y");
    const psi = frame.field("psi");
    const energy = frame.field("energy");
    for (let i = 0; i < frame.n; i++) {
      const x = frame.x[i]!;
      if (Math.abs(x - at.focus) > 60 || (this.camera.kind === "driver" && i === subject)) continue;
      const slot = roster.slot(frame.id[i]!);
      if (slot < 0 || !this.project(x - at.origin, y ? y[i]! : 0, at.z(x) + 1.5) || this.depth() > 70) continue;
      const body = frame.bodies.find((b) => b.id === frame.id[i]);
      let more = `${signed(((psi ? psi[i]! : 0) * 180) / Math.PI, 1)}°`;
      if (body) {
        deformation(body.axes, body.rest, this.f);
        rotation(this.f, this.r);
        more = `yaw ${signed((yawOf(this.r) * 180) / Math.PI, 1)}°`;
      }
      more += energy && Number.isFinite(energy[i]!) ? `   energy ${energyText(energy[i]!)}` : "";
      this.labels.put(
        this.v.x,
        this.v.y,
        34,
        `${roster.labels[slot]}   ${plain(v ? v[i]! : NaN, 2)} m/s`,
        more,
        false,
        fresh,
      );
    }
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

  private closestWord(frame: Frame, roster: Roster, fresh: boolean): void {
    const n = this.closest.nearest;
    if (n.i < 0 || !this.project(n.x, n.y, n.z)) return;
    const name = (i: number): string => roster.labels[roster.slot(frame.id[i]!)] ?? "";
    const soon = n.closing > 0.01 ? n.distance / n.closing : Infinity;
    this.labels.put(
      this.v.x,
      this.v.y,
      80,
      `${name(n.i)} → ${name(n.j)}   ${plain(n.distance, 2)} m`,
      soon < 100 ? `closing ${plain(n.closing, 2)} m/s, touch in ${plain(soon, 2)} s` : "not closing",
      soon < 2,
      fresh,
    );
  }

  private contactWord(frame: Frame, roster: Roster, hit: Hit, at: Placed, fresh: boolean): void {
    const c = newest(frame.contacts);
    if (!c || !this.project(c.point[0] - at.origin, c.point[1], bumper(frame, c) + at.z(c.point[0]))) return;
    const short = Math.max(
      0,
      ...frame.bodies
        .filter((b) => b.id === c.id || b.id === c.id2)
        .map((b) => shortening(deformation(b.axes, b.rest, this.f), b.rest)),
    );
    const name = (id: number): string => {
      const s = roster.slot(id);
      return s >= 0 ? roster.labels[s]! : String(id);
    };
    const more = `${plain(c.impulse / 1000, 2)} kN s, closing ${plain(c.closing, 2)} m/s${short > 0.001 ? `, shorter by ${plain(short, 2)} m` : ""}`;
    this.labels.put(this.v.x, this.v.y, 120, `Contact ${name(c.id)} → ${name(c.id2)}`, more, true, fresh);
    void hit;
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
    const origin = frame.x[this.subject(w, frame, roster, this.hit(w))]!;
    let best = 60;
    let name = "";
    for (let i = 0; i < frame.n; i++) {
      if (Math.abs(frame.x[i]! - origin) > 300 || !this.project(frame.x[i]! - origin, y ? y[i]! : 0, 0.7)) continue;
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
  getDeformation(): number {
    return this.bodies.deformation;
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
  draws(): { rest: boolean; arrows: boolean; labels: boolean; closest: boolean; skids: boolean } {
    return {
      rest: this.bodies.restShapes,
      arrows: this.bodies.arrows,
      labels: !this.labels.element.hidden,
      closest: this.closest.on,
      skids: this.skids.on,
    };
  }
  setDraws(what: "rest" | "arrows" | "labels" | "closest" | "skids", on: boolean): void {
    if (what === "rest") this.bodies.restShapes = on;
    else if (what === "arrows") this.bodies.arrows = on;
    else if (what === "closest") this.closest.on = on;
    else if (what === "skids") this.skids.on = on;
    else this.labels.element.hidden = !on;
    this.app.emit("frame");
  }
  pixels(): number {
    return this.renderer.info.render.triangles;
  }
}

function newest(contacts: Contact[]): Contact | null {
  let best: Contact | null = null;
  for (const c of contacts) if (!best || c.age < best.age) best = c;
  return best;
}

function energyText(e: number): string {
  return e >= 1e6 ? `${plain(e / 1e6, 2)} MJ` : `${plain(e / 1000, 1)} kJ`;
}

interface Bar {
  element: HTMLElement;
  refresh(s: Space, w: World, frame: Frame, roster: Roster, i: number, hit: Hit | null): void;
}

function makeBar(space: Space, app: App): Bar {
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
      { label: "Rest shape", checked: d.rest, run: () => space.setDraws("rest", !d.rest) },
      { label: "Contacts and impulses", checked: d.arrows, run: () => space.setDraws("arrows", !d.arrows) },
      { label: "Closest points before a touch", checked: d.closest, run: () => space.setDraws("closest", !d.closest) },
      { label: "Skid marks", checked: d.skids, run: () => space.setDraws("skids", !d.skids) },
      { label: "Labels", checked: d.labels, run: () => space.setDraws("labels", !d.labels) },
      "-",
      ...[1, 2, 5, 10, 20].map((k): Item => ({
        label: `Height of hills × ${k}`,
        checked: space.getExaggeration() === k,
        run: () => space.setExaggeration(k),
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
            : "") + (z > 1 ? `, heights × ${z}` : ""),
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
