// stage.ts - a mechanism in 3-D: its bodies, what is between them, its loads, outlines of a mode, in the room of the bench.
import {
  ACESFilmicToneMapping,
  Group,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  Scene,
  TorusGeometry,
  Vector3,
  WebGLRenderer,
} from "three";
import { deviceName, isProcessor } from "../draw/device.ts";
import { Governor, STEPS } from "../scene3d/quality.ts";
import { Bodies, repaint, type Paint } from "./bodies.ts";
import { Centres } from "./centres.ts";
import { number3, type Chosen, type Loaded } from "./data.ts";
import { Links } from "./links.ts";
import { Loads, type Reaction, type Shown } from "./loads.ts";
import { Orbit } from "./orbit.ts";
import { Outline } from "./outline.ts";
import { boundsOf, poseAt, type Motion } from "./poses.ts";
import { Posed } from "./posed.ts";
import { Room } from "./room.ts";

export { conceptMarks, marksOf, wheelMarks } from "./marks.ts";

const VIOLET = { light: "#5B4BC4", dark: "#A79BFF" };
const COARSE = 0.6; // of the points of the screen while a processor draws what moves

export interface Hit {
  body: number;
  at: Vector3; // in the axes of the body
  point: Vector3; // in the world
}
// What is drawn of one mechanism.
interface Set3d {
  l: Loaded;
  at: Posed;
  bodies: Bodies;
  links: Links;
  loads: Loads;
  outline: Outline;
  chosen: Outline;
}

export class Stage {
  readonly canvas: HTMLCanvasElement;
  calls = 0;
  readonly slow: boolean; // drawn by the processor
  size = 1;
  lost = false;
  onPick: (hit: Hit | null) => void = () => undefined;
  onPush: ((hit: Hit, force: Vector3, phase: "begin" | "move" | "end") => void) | null = null;
  paint: Paint = () => null;
  onLost: (lost: boolean) => void = () => undefined;
  readonly orbit: Orbit;
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly root = new Group();
  private readonly room: Room;
  private readonly governor: Governor;
  private quality = -1; // -1: by the governor
  private set3d: Set3d | null = null;
  private centres: Centres | null = null;
  private readonly ring = new Mesh(
    new TorusGeometry(0.035, 0.005, 8, 32),
    new MeshBasicMaterial({ toneMapped: false }),
  );
  private chosen: Chosen | null = null;
  private held: Hit | null = null;
  private dark = false;
  private follow = false;
  private floorZ = NaN;
  private readonly homeOrigin = new Vector3();
  private readonly middle = new Vector3();
  private readonly half = new Vector3();
  private readonly p = new Vector3();
  private readonly wheels: Matrix4[] = [];

  constructor(
    host: HTMLElement,
    private readonly changed: () => void,
  ) {
    const device = deviceName();
    if (device === null) throw new Error("no WebGL");
    this.slow = isProcessor(device);
    this.renderer = new WebGLRenderer({ antialias: !this.slow });
    this.renderer.toneMapping = ACESFilmicToneMapping;
    this.renderer.toneMappingExposure = 0.92;
    this.governor = new Governor(this.slow ? 0 : STEPS.length - 1, this.slow ? 0 : undefined);
    this.canvas = this.renderer.domElement;
    this.canvas.className = "me-canvas";
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    this.ring.visible = false;
    this.scene.add(this.root);
    this.room = new Room(this.renderer, this.scene);
    this.room.setStep(STEPS[this.step]);
    this.orbit = new Orbit(this.canvas, {
      changed,
      home: () => this.home(this.set3d?.l.motion),
      hold: (e, push) => this.hold(e, push),
      drag: (e) => this.pull(e, "move"),
      drop: (e) => this.pull(e, "end"),
      pick: (e) => this.onPick(this.hit(e)),
    });
    host.append(this.canvas);
    this.canvas.addEventListener("webglcontextlost", (e) => {
      e.preventDefault();
      this.onLost((this.lost = true));
    });
    this.canvas.addEventListener("webglcontextrestored", () => {
      this.onLost((this.lost = false));
      this.changed();
    });
  }

  // ---- what is shown ----

  // again: the same mechanism with other numbers; the camera stays.
  set(l: Loaded, again: boolean): void {
    this.clear();
    const { run, motion } = l;
    const bounds = boundsOf(motion, run.bodies);
    this.size = bounds.size;
    this.middle.set(bounds.middle[0]!, bounds.middle[1]!, bounds.middle[2]!);
    this.half.set(bounds.half[0]!, bounds.half[1]!, bounds.half[2]!);
    const at = new Posed(run);
    const places = new Float64Array(run.points.length * 3);
    poseAt(motion, 0, 0, at.pose, places);
    at.take(at.pose.slice(), places);
    const { root, size, dark } = this;
    this.set3d = {
      l,
      at,
      bodies: new Bodies(root, at, size, dark, this.middle, (body, shape) => this.paint(body, shape)),
      links: new Links(root, at, size, dark),
      loads: new Loads(root, l, size),
      outline: new Outline(run.bodies, true),
      chosen: new Outline(run.bodies, false),
    };
    this.centres = new Centres(root);
    this.ring.scale.setScalar(size);
    root.add(this.set3d.outline.lines, this.set3d.chosen.lines, this.ring);
    this.wheels.length = 0;
    for (const _ of this.set3d.bodies.wheels) this.wheels.push(new Matrix4());
    this.room.lay(size, this.wheels.length);
    this.floorZ = NaN;
    this.follow = run.bodies.some((b) => b.joint === "free");
    this.orbit.resize(size);
    if (!again) this.home(motion);
    this.theme(dark);
  }
  private clear(): void {
    this.set3d = null;
    this.root.remove(this.ring);
    this.root.traverse((o) => {
      const part = o as unknown as { geometry?: { dispose(): void }; material?: unknown; dispose?: () => void };
      part.geometry?.dispose();
      for (const m of [part.material].flat()) (m as MeshBasicMaterial | undefined)?.dispose();
      if (part.geometry) part.dispose?.();
    });
    this.root.clear();
    this.room.clear();
  }
  home(motion?: Motion): void {
    if (motion) this.homeOrigin.set(motion.poses[0] ?? 0, motion.poses[1] ?? 0, motion.poses[2] ?? 0);
    this.orbit.home(this.size, this.middle, this.half);
  }
  set pushing(on: boolean) {
    this.orbit.pushing = on;
  }

  // ---- loads ----

  get scale(): number {
    return this.set3d?.loads.scale ?? 0;
  }
  get unit(): number {
    return this.set3d?.loads.unit ?? 0;
  }
  get arrows(): number {
    return this.set3d?.loads.count ?? 0;
  }
  // How long the scale bar is on the screen, px.
  barLength(height: number): number {
    return this.orbit.pixels(this.unit * this.scale, height);
  }
  // Loads of axles, and mass centres; places in the world.
  mark(reactions: Reaction[], centres: { at: Vector3; whole: boolean }[]): void {
    this.set3d?.loads.react(reactions);
    this.centres?.set(centres);
  }
  showPush(hit: Hit | null, force: number[]): void {
    const push = hit && { body: hit.body, at: hit.at, force: new Vector3(force[0], force[1], force[2]) };
    if (this.set3d) this.set3d.loads.push = push;
    this.changed();
  }

  // ---- a pose ----

  pose(pose: Float64Array, places: Float64Array, t: number, shown: Shown): void {
    const s = this.set3d;
    if (!s) return;
    s.at.take(pose, places);
    this.root.position.copy(s.at.origin);
    this.root.updateMatrix();
    s.bodies.update();
    s.links.update();
    s.loads.draw(s.at, t, shown, this.chosen);
    this.centres?.update(s.at.origin);
    this.showChosen(s);
    this.ground(s);
  }
  // The outline of another pose, such as that of a mode; null: none.
  outlineAt(pose: Float64Array | null): void {
    const s = this.set3d;
    s?.outline.set(pose, s.at.origin);
  }
  private ground(s: Set3d): void {
    const { origin } = s.at;
    if (Number.isNaN(this.floorZ)) {
      const low = s.bodies.lowest();
      this.floorZ = (Number.isFinite(low) ? low : 0) + origin.z;
    }
    // The floor goes down with what falls, and along with what travels.
    const z = this.floorZ + (this.follow ? Math.min(0, origin.z - this.homeOrigin.z) : 0);
    const moved = (axis: "x" | "y") => this.middle[axis] + (this.follow ? origin[axis] - this.homeOrigin[axis] : 0);
    this.room.stand(moved("x"), moved("y"), z);
    s.bodies.wheels.forEach((w, k) => this.wheels[k]!.multiplyMatrices(s.at.frames[w.body]!, w.local));
    this.room.darken(this.root, this.wheels);
  }

  // Where a body is drawn, from the scene: x, y, z and the quaternion w, x, y, z of its frame; for tests.
  drawn(k: number): number[] {
    return this.set3d?.bodies.drawn(k) ?? [];
  }

  // ---- what is chosen ----

  choose(c: Chosen | null): void {
    this.chosen = c;
    this.changed();
  }
  // A place in the axes of the group; null: it is nowhere.
  private placeOf(s: Set3d, c: Chosen): Vector3 | null {
    const { at } = s;
    const { run } = at;
    const body = run.bodies.find((b) => b.name === c.name);
    if (c.kind === "body" && body) return at.onBody(at.bodyNamed(c.name), new Vector3(...number3(body.centre)));
    if (c.kind === "joint" && body) return at.onBody(at.bodyNamed(body.inboard), new Vector3(...number3(body.at)));
    const joint = run.joints.find((j) => j.name === c.name);
    if (c.kind === "loop" && joint) return at.onBody(at.bodyNamed(joint.from), new Vector3(...number3(joint.at)));
    if (c.kind === "spot" && at.pointNamed(c.name) >= 0) return at.point(at.pointNamed(c.name));
    const spring = run.springs.find((o) => o.name === c.name);
    if (c.kind === "spring" && spring)
      return at
        .point(Math.max(at.pointNamed(spring.from), 0))
        .lerp(at.point(Math.max(at.pointNamed(spring.to), 0)), 0.5);
    return null;
  }
  private showChosen(s: Set3d): void {
    const place = this.chosen && this.placeOf(s, this.chosen);
    const body = this.chosen?.kind === "body";
    this.ring.visible = place !== null && !body;
    if (place) this.ring.position.copy(place);
    s.chosen.set(body ? s.at.pose : null, s.at.origin, body ? s.at.bodyNamed(this.chosen!.name) : -2);
  }
  // Where a thing is on the picture, 0 .. 1 from its left upper corner; null: it is not.
  onScreen(what: Chosen | Vector3 | null): { x: number; y: number } | null {
    const s = this.set3d;
    const at = what && s ? (what instanceof Vector3 ? what.clone() : this.placeOf(s, what)?.add(s.at.origin)) : null;
    if (!at) return null;
    at.project(this.orbit.camera);
    return at.z < 1 ? { x: 0.5 + 0.5 * at.x, y: 0.5 - 0.5 * at.y } : null;
  }
  // A place in the axes of a body on the picture, 0 .. 1 from its left upper corner; null: behind the eye.
  screenOf(body: number, at: [number, number, number]): { x: number; y: number } | null {
    const s = this.set3d;
    return s ? this.onScreen(s.at.onBody(body, new Vector3(...at)).add(s.at.origin)) : null;
  }
  // The place under the pointer in the plane of two axes of the body, through `at`, that faces the eye most.
  underPointer(
    body: number,
    at: [number, number, number],
    e: { clientX: number; clientY: number },
  ): [number, number, number] | null {
    const s = this.set3d;
    if (!s) return null;
    const back = s.at.frames[body]!.clone().invert();
    const { origin, direction } = this.orbit.ray(e).ray;
    const from = origin.clone().sub(s.at.origin).applyMatrix4(back);
    const way = direction.clone().transformDirection(back);
    const d = [way.x, way.y, way.z];
    const k = [0, 1, 2].reduce((best, i) => (Math.abs(d[i]!) > Math.abs(d[best]!) ? i : best), 0);
    const far = (at[k]! - from.getComponent(k)) / d[k]!;
    if (!(far > 0)) return null;
    const to = from.addScaledVector(way, far);
    return [to.x, to.y, to.z];
  }
  // Directions of x, y, z on the screen, for the little axes.
  axes(): { x: number; y: number }[] {
    return this.orbit.axes();
  }
  private hit(e: { clientX: number; clientY: number }): Hit | null {
    const s = this.set3d;
    const found = s?.bodies.strike(this.orbit.ray(e));
    if (!s || !found) return null;
    const at = found.point.clone().sub(s.at.origin).applyMatrix4(s.at.frames[found.body]!.clone().invert());
    return { body: found.body, at, point: found.point };
  }
  private hold(e: PointerEvent, push: boolean): boolean {
    const hit = push && this.onPush ? this.hit(e) : null;
    if (!hit) return false;
    this.held = hit;
    this.onPush!(hit, new Vector3(), "begin");
    return true;
  }
  // The force grows with how far the pointer is from the point: four weights at the size of the mechanism.
  private pull(e: PointerEvent, phase: "move" | "end"): void {
    const s = this.set3d;
    const { held } = this;
    if (phase === "end") this.held = null;
    if (!s || !held) return;
    const point = s.at.onBody(held.body, held.at.clone()).add(s.at.origin);
    const mass = s.at.run.bodies.reduce((m, b) => m + (b.mass ?? 0), 0);
    const force = this.orbit.reach(e, point).multiplyScalar((4 * 9.81 * Math.max(mass, 1e-6)) / this.size);
    this.onPush!(held, force, phase);
  }

  // ---- the picture ----

  private get step(): number {
    return this.quality >= 0 ? this.quality : this.governor.step;
  }
  // k: a step of quality; -1: by itself, from how long pictures take.
  setQuality(k: number): void {
    this.quality = k;
    this.governor.rest();
    this.room.setStep(STEPS[this.step]);
    this.changed();
  }
  theme(dark: boolean): void {
    this.dark = dark;
    this.room.theme(dark);
    const violet = dark ? VIOLET.dark : VIOLET.light;
    (this.ring.material as MeshBasicMaterial).color.set(violet);
    const s = this.set3d;
    if (s) {
      s.bodies.theme(dark);
      for (const mesh of s.links.meshes) repaint(mesh, dark);
      s.loads.dark = dark;
      s.outline.colour(violet);
      s.chosen.colour(violet);
    }
    this.changed();
  }

  draw(width: number, height: number, moving: boolean): void {
    if (width < 8 || height < 8 || this.lost) return;
    const full = Math.min(STEPS[this.step].pixels, window.devicePixelRatio || 1);
    this.renderer.setPixelRatio(this.slow && moving ? COARSE * full : full);
    this.renderer.setSize(width, height, false);
    const moved = new Vector3();
    if (this.follow && this.set3d) moved.copy(this.set3d.at.origin).sub(this.homeOrigin);
    const centre = this.orbit.look(width / height, moved, this.p);
    const { camera } = this.orbit;
    this.ring.quaternion.copy(camera.quaternion);
    this.room.light(centre, camera.position.distanceTo(centre));
    this.renderer.render(this.scene, camera);
    this.calls = this.renderer.info.render.calls;
    if (this.quality >= 0 || !moving) this.governor.rest();
    else if (this.governor.drawn(performance.now())) this.room.setStep(STEPS[this.step]);
  }

  close(): void {
    this.clear();
    this.room.close();
    this.ring.geometry.dispose();
    (this.ring.material as MeshBasicMaterial).dispose();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
    this.canvas.remove();
  }
}
