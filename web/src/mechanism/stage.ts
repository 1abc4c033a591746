// stage.ts - a mechanism in 3-D: bodies by their shapes, joints by their kind, springs that compress, dampers, points,
// loads as arrows of one scale, outlines of a mode.
//
// Everything hangs in one group that stands where the first body is, so that the numbers of the graphics card, which are
// short, are small. Parts of one kind are instances of one mesh: a car is drawn with some thirty calls.
import {
  BufferGeometry,
  Color,
  ConeGeometry,
  Curve,
  CylinderGeometry,
  DirectionalLight,
  DoubleSide,
  Float32BufferAttribute,
  GridHelper,
  Group,
  HemisphereLight,
  InstancedMesh,
  LineBasicMaterial,
  LineDashedMaterial,
  LineSegments,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  PerspectiveCamera,
  PlaneGeometry,
  Quaternion,
  Raycaster,
  Scene,
  ShadowMaterial,
  SphereGeometry,
  TorusGeometry,
  TubeGeometry,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";
import { deviceName, isProcessor } from "../draw/device.ts";
import type { BodyPart } from "../wire/protocol.ts";
import { loadAt, loopLoadAt, number3, springForce, type Chosen, type Loaded } from "./data.ts";
import { boundsOf, POSE, type Motion } from "./poses.ts";
import {
  edgesOf,
  FINISHES,
  finishMaterial,
  merge,
  meshOf,
  PAINTS,
  shapeMatrix,
  unitBox,
  unitCylinder,
  unitRim,
  unitTyre,
  type Finish,
} from "./shapes.ts";

class Coil extends Curve<Vector3> {
  constructor() {
    super();
  }
  override getPoint(u: number, out = new Vector3()): Vector3 {
    const turns = 7;
    const ends = 0.06; // straight at both ends
    const v = Math.min(Math.max((u - ends) / (1 - 2 * ends), 0), 1);
    const wide = Math.min(v, 1 - v) > 0 ? 1 : 0;
    const angle = 2 * Math.PI * turns * v;
    return out.set(wide * Math.cos(angle), wide * Math.sin(angle), u);
  }
}

const UP = new Vector3(0, 0, 1);
const NOTHING = new Matrix4().makeScale(0, 0, 0);
const ARROWS = 256;
export const TEAL = { light: "#1F8F86", dark: "#5FE0C4" }; // forces of springs
export const PLUM = { light: "#8E4A9B", dark: "#EBC3F5" }; // loads of constraints
export const PUSH = { light: "#B85C00", dark: "#F2A33A" };
const VIOLET = { light: "#5B4BC4", dark: "#A79BFF" };

// One kind of part: instances, and which body or other thing each belongs to.
interface Batch {
  mesh: InstancedMesh;
  of: { body: number; local: Matrix4 }[];
}
interface Link {
  from: () => Vector3;
  to: () => Vector3;
  wide: number;
  mesh: InstancedMesh;
  index: number;
}
export interface Hit {
  body: number;
  at: Vector3; // in the axes of the body
  point: Vector3; // in the world
}
export interface Shown {
  forces: boolean;
  loads: "none" | "chosen" | "all";
}

export class Stage {
  readonly canvas: HTMLCanvasElement;
  calls = 0;
  readonly slow: boolean; // drawn by the processor: no shadows, coarser
  size = 1;
  scale = 0; // m of arrow per N
  unit = 0; // N, of the scale bar
  lost = false;
  onPick: (hit: Hit | null) => void = () => undefined;
  onPush: ((hit: Hit, force: Vector3, phase: "begin" | "move" | "end") => void) | null = null;
  paint: (body: string, shape: number) => string | null = () => null; // of a mesh; null: that of its body
  pushing = false; // a drag pushes the body under it
  onLost: (lost: boolean) => void = () => undefined;
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly root = new Group();
  private readonly camera = new PerspectiveCamera(32, 2, 0.01, 2000);
  private readonly sun = new DirectionalLight(0xfff2e0, 2.4);
  private readonly fill = new DirectionalLight(0xbcd2ff, 0.7);
  private readonly sky = new HemisphereLight(0xdfe9f5, 0x8a8378, 1.5);
  private floor: Mesh | null = null;
  private grid: GridHelper | null = null;
  private batches: Batch[] = [];
  private meshes: { mesh: Mesh; body: number }[] = [];
  private edges: { lines: LineSegments; body: number }[] = [];
  private links: Link[] = [];
  private spots: { mesh: InstancedMesh; index: number; at: () => Matrix4 }[] = [];
  private outline: Outline | null = null;
  private chosenLines: Outline | null = null;
  private shaft!: InstancedMesh;
  private head!: InstancedMesh;
  private ring!: Mesh;
  private probes: { mesh: InstancedMesh | Mesh; index: number; back: Matrix4 }[] = [];
  private l: Loaded | null = null;
  private chosen: Chosen | null = null;
  private push: { hit: Hit; force: Vector3 } | null = null;
  private dark = false;
  private orbit = { azimuth: -0.9, height: 0.3, distance: 3 };
  private readonly target = new Vector3();
  private readonly origin = new Vector3();
  private follow = false;
  private poseNow = new Float64Array(0);
  private placeNow = new Float64Array(0);
  private readonly frames: Matrix4[] = [];
  private arrows = 0;
  private readonly m = new Matrix4();
  private readonly q = new Quaternion();
  private readonly p = new Vector3();
  private readonly s = new Vector3();

  constructor(
    host: HTMLElement,
    private readonly changed: () => void,
  ) {
    const device = deviceName();
    if (device === null) throw new Error("no WebGL");
    this.slow = isProcessor(device);
    this.renderer = new WebGLRenderer({ antialias: !this.slow });
    this.renderer.shadowMap.enabled = !this.slow;
    this.canvas = this.renderer.domElement;
    this.canvas.className = "me-canvas";
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    this.camera.up.copy(UP);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.normalBias = 0.02;
    this.scene.add(this.sun, this.sun.target, this.fill, this.sky, this.root);
    host.append(this.canvas);
    this.canvas.addEventListener("webglcontextlost", (e) => {
      e.preventDefault();
      this.onLost((this.lost = true));
    });
    this.canvas.addEventListener("webglcontextrestored", () => {
      this.onLost((this.lost = false));
      this.changed();
    });
    this.listen();
  }

  // ---- what is shown ----

  // again: the same mechanism with other numbers; the camera stays.
  set(l: Loaded, again: boolean): void {
    this.clear();
    this.l = l;
    const { run, motion } = l;
    const bounds = boundsOf(motion, run.bodies);
    this.size = bounds.size;
    this.middle.set(bounds.middle[0]!, bounds.middle[1]!, bounds.middle[2]!);
    this.frames.length = 0;
    run.bodies.forEach(() => this.frames.push(new Matrix4()));
    this.poseNow = new Float64Array(run.bodies.length * POSE);
    this.placeNow = new Float64Array(run.points.length * 3);
    this.layShapes(run.bodies);
    this.laySprings(l);
    this.layJoints(l);
    this.shaft = this.instances(
      new CylinderGeometry(1, 1, 1, 10).rotateX(Math.PI / 2).translate(0, 0, 0.5),
      glow(),
      ARROWS,
    );
    this.head = this.instances(new ConeGeometry(1, 1, 14).rotateX(Math.PI / 2).translate(0, 0, 0.5), glow(), ARROWS);
    this.shaft.castShadow = this.head.castShadow = false;
    for (const mesh of [this.shaft, this.head]) for (let k = 0; k < ARROWS; k++) mesh.setColorAt(k, new Color());
    this.ring = new Mesh(new TorusGeometry(0.035 * this.size, 0.005 * this.size, 8, 32), new MeshBasicMaterial());
    this.ring.visible = false;
    this.root.add(this.ring);
    this.outline = new Outline(run.bodies, true);
    this.chosenLines = new Outline(run.bodies, false);
    this.root.add(this.outline.lines, this.chosenLines.lines);
    this.scaleLoads(l);
    this.lay();
    this.follow = run.bodies.some((b) => b.joint === "free");
    if (!again) this.home(motion);
    this.theme(this.dark);
  }

  private layShapes(bodies: BodyPart[]): void {
    type Parts = { body: number; local: Matrix4 }[];
    const boxes = new Map<Finish, Parts>();
    const rounds = new Map<Finish, Parts>();
    const wheels: Parts = [];
    const put = (map: Map<Finish, Parts>, f: Finish, part: Parts[number]) => {
      if (!map.has(f)) map.set(f, []);
      map.get(f)!.push(part);
    };
    bodies.forEach((b, body) => {
      const solid = new Map<string, BufferGeometry[]>(); // by finish and colour
      for (const [k, s] of b.shapes.entries()) {
        const local = shapeMatrix(s);
        const key = `${s.finish} ${this.paint(b.name, k) ?? ""}`;
        if (s.points) solid.set(key, [...(solid.get(key) ?? []), meshOf(s)]);
        else if (s.kind === "wheel") wheels.push({ body, local });
        else if (s.kind === "box" || (s.kind === "beam" && !s.round)) put(boxes, s.finish, { body, local });
        else put(rounds, s.finish, { body, local });
      }
      for (const [key, parts] of solid) {
        const [finish, colour] = key.split(" ");
        this.addMesh(merge(parts), finish as Finish, body, b, colour);
      }
    });
    const add = (geometry: BufferGeometry, finish: Finish, parts: Parts) => {
      if (!parts.length) {
        geometry.dispose();
        return;
      }
      const mesh = this.instances(geometry, finishMaterial(finish, this.dark), parts.length);
      mesh.userData.finish = finish;
      if (finish === "paint") parts.forEach((p, k) => mesh.setColorAt(k, PAINTS[p.body % PAINTS.length]!));
      this.batches.push({ mesh, of: parts });
    };
    for (const f of FINISHES) {
      add(unitBox(), f, boxes.get(f) ?? []);
      add(unitCylinder(), f, rounds.get(f) ?? []);
    }
    add(unitTyre(), "rubber", wheels);
    add(unitRim(), "steel", wheels);
    this.layRods(bodies);
    bodies.forEach((_, body) => this.probe(body));
  }

  // Bodies without a shape of their own are held together by rods: from the joint to the mass centre and to points.
  private layRods(bodies: BodyPart[]): void {
    const rods: { body: number; local: Matrix4 }[] = [];
    const wide = 0.016 * this.size;
    const add = (body: number, to: Vector3) => {
      if (to.length() > 1e-6) rods.push({ body, local: between(new Vector3(), to, wide, new Matrix4()) });
    };
    bodies.forEach((b, k) => {
      if (b.shapes.some((s) => !s.made)) return;
      add(k, new Vector3(...number3(b.centre)));
      for (const child of bodies) if (child.inboard === b.name) add(k, new Vector3(...number3(child.at)));
    });
    if (!rods.length) return;
    const mesh = this.instances(unitCylinder().translate(0, 0, 0.5), finishMaterial("steel", this.dark), rods.length);
    mesh.userData.finish = "steel";
    this.batches.push({ mesh, of: rods });
  }

  private addMesh(geometry: BufferGeometry, finish: Finish, body: number, b: BodyPart, colour = ""): void {
    const material = finishMaterial(finish, this.dark);
    if (finish === "paint") material.color.copy(PAINTS[body % PAINTS.length]!);
    if (colour) material.color.set(colour);
    material.side = DoubleSide;
    const mesh = new Mesh(geometry, material);
    mesh.userData.finish = finish;
    mesh.matrixAutoUpdate = false;
    mesh.castShadow = finish !== "glass" && !this.slow;
    mesh.frustumCulled = false;
    this.root.add(mesh);
    this.meshes.push({ mesh, body });
    if (finish !== "glass") return;
    const lines = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ transparent: true, opacity: 0.75 }));
    lines.geometry.setAttribute(
      "position",
      new Float32BufferAttribute(
        edgesOf({ ...b, shapes: b.shapes.filter((s) => s.points && s.finish === "glass") }),
        3,
      ),
    );
    lines.matrixAutoUpdate = false;
    lines.frustumCulled = false;
    this.root.add(lines);
    this.edges.push({ lines, body });
  }

  // What tells where a body is drawn: its first part.
  private probe(body: number): void {
    for (const { mesh, of } of this.batches) {
      const index = of.findIndex((o) => o.body === body);
      if (index < 0) continue;
      this.probes[body] = { mesh, index, back: of[index]!.local.clone().invert() };
      return;
    }
    const mesh = this.meshes.find((m) => m.body === body)?.mesh;
    if (mesh) this.probes[body] = { mesh, index: -1, back: new Matrix4() };
  }

  private instances(
    geometry: BufferGeometry,
    material: MeshStandardMaterial | MeshBasicMaterial,
    count: number,
  ): InstancedMesh {
    const mesh = new InstancedMesh(geometry, material, Math.max(count, 1));
    mesh.count = count;
    mesh.frustumCulled = false;
    mesh.castShadow = mesh.receiveShadow = !this.slow;
    this.root.add(mesh);
    return mesh;
  }

  private place(k: number, out = new Vector3()): Vector3 {
    return out.set(this.placeNow[3 * k]!, this.placeNow[3 * k + 1]!, this.placeNow[3 * k + 2]!).sub(this.origin);
  }

  private laySprings(l: Loaded): void {
    const { run } = l;
    const point = (name: string) =>
      Math.max(
        run.points.findIndex((p) => p.name === name),
        0,
      );
    const steel = () => finishMaterial("steel", this.dark);
    const teal = new MeshStandardMaterial({ color: 0x35b0a2, roughness: 0.35, metalness: 0.1 });
    const ends = run.springs.map((s) => {
      const [a, b] = [point(s.from), point(s.to)];
      return { s, from: () => this.place(a), to: () => this.place(b) };
    });
    // A prism with a spring of its own: between the middles of its two bodies.
    const own = run.bodies.flatMap((b, k) => {
      if (b.joint !== "prism" || !(b.stiffness || b.damping)) return [];
      const inboard = run.bodies.findIndex((o) => o.name === b.inboard);
      const middle = (body: number) => {
        const shape = run.bodies[body]?.shapes[0];
        return new Vector3(...number3(shape ? shape.at : [0, 0, 0]));
      };
      const [low, high] = [middle(inboard), middle(k)];
      const at = (body: number, v: Vector3) =>
        body < 0 ? v.clone().sub(this.origin) : v.clone().applyMatrix4(this.frames[body]!);
      return [
        {
          s: { stiffness: b.stiffness, damping: b.damping, formula: false },
          from: () => at(inboard, low),
          to: () => at(k, high),
        },
      ];
    });
    const all = [...ends, ...own];
    const coils = all.filter(({ s }) => s.stiffness || s.formula);
    const dampers = all.filter(({ s }) => s.damping);
    const wide = Math.min(0.032 * this.size, 0.09);
    if (coils.length) {
      const mesh = this.instances(new TubeGeometry(new Coil(), 180, 0.15, 6), teal, coils.length);
      coils.forEach((c, index) => this.links.push({ ...c, wide, mesh, index }));
    }
    if (!dampers.length) return;
    // The tube is in the lower half and the rod in the upper: both are as long as half of what there is.
    const tube = this.instances(unitCylinder().translate(0, 0, 0.5), finishMaterial("dark", this.dark), dampers.length);
    const rod = this.instances(unitCylinder().translate(0, 0, 0.5), steel(), dampers.length);
    tube.userData.finish = "dark";
    rod.userData.finish = "steel";
    const part = (a: Vector3, b: Vector3, u: number) => a.clone().lerp(b, u);
    dampers.forEach((d, index) => {
      this.links.push({ from: () => part(d.to(), d.from(), 0.55), to: d.to, wide: 1.0 * wide, mesh: tube, index });
      this.links.push({ from: d.from, to: d.to, wide: 0.45 * wide, mesh: rod, index });
    });
  }

  private layJoints(l: Loaded): void {
    const { run } = l;
    const brass = () => new MeshStandardMaterial({ color: 0xc9a85e, roughness: 0.35, metalness: 0.15 });
    const r = Math.min(0.014 * this.size, 0.05);
    const balls: (() => Matrix4)[] = [];
    const pins: (() => Matrix4)[] = [];
    const slides: (() => Matrix4)[] = [];
    const bodyOf = (name: string | null) => run.bodies.findIndex((b) => b.name === name);
    const glyph = (
      kind: string,
      inboard: number,
      j: { at: (number | null)[]; frame: (number | null)[]; axis: (number | null)[] },
    ) => {
      if (kind === "free" || kind === "gear" || kind === "rack") return;
      const q = new Quaternion(j.frame[1] ?? 0, j.frame[2] ?? 0, j.frame[3] ?? 0, j.frame[0] ?? 1);
      const axis = new Vector3(...number3(j.axis));
      if (axis.length() > 0.5) q.multiply(new Quaternion().setFromUnitVectors(UP, axis.normalize()));
      const local = (size: Vector3) => new Matrix4().compose(new Vector3(...number3(j.at)), q, size);
      const at = (m: Matrix4) => () =>
        inboard < 0 ? m.clone().premultiply(this.back()) : m.clone().premultiply(this.frames[inboard]!);
      if (kind === "hinge" || kind === "cylinder") pins.push(at(local(new Vector3(2.2 * r, 2.2 * r, 5.5 * r))));
      else if (kind === "prism" || kind === "fixed") slides.push(at(local(new Vector3(2.4 * r, 2.4 * r, 3.6 * r))));
      else balls.push(at(local(new Vector3(r, r, r).multiplyScalar(1.5))));
    };
    for (const b of run.bodies) glyph(b.joint, bodyOf(b.inboard), b);
    for (const j of run.joints) glyph(j.kind, bodyOf(j.from), j);
    // Points: small, they only mark.
    run.points.forEach((_, k) =>
      balls.push(() => new Matrix4().compose(this.place(k), new Quaternion(), new Vector3(0.7 * r, 0.7 * r, 0.7 * r))),
    );
    const put = (geometry: BufferGeometry, list: (() => Matrix4)[]) => {
      if (!list.length) return geometry.dispose();
      const mesh = this.instances(geometry, brass(), list.length);
      list.forEach((at, index) => this.spots.push({ mesh, index, at }));
    };
    put(new SphereGeometry(1, 14, 10), balls);
    put(unitCylinder(), pins);
    put(unitBox(), slides);
    // Rods without mass.
    const rods = run.joints.filter((j) => j.kind === "distance");
    if (!rods.length) return;
    const mesh = this.instances(unitCylinder().translate(0, 0, 0.5), finishMaterial("steel", this.dark), rods.length);
    mesh.userData.finish = "steel";
    rods.forEach((j, index) => {
      const end = (name: string | null, at: (number | null)[]) => {
        const b = bodyOf(name);
        return () => this.onBody(b, new Vector3(...number3(at)));
      };
      this.links.push({
        from: end(j.from, j.at),
        to: end(j.to, j.to_at),
        wide: 0.5 * Math.min(0.032 * this.size, 0.09),
        mesh,
        index,
      });
    });
  }

  private back(): Matrix4 {
    return new Matrix4().makeTranslation(-this.origin.x, -this.origin.y, -this.origin.z);
  }
  // A point of a body (-1: the ground) in the axes of the group.
  private onBody(body: number, v: Vector3): Vector3 {
    return body < 0 ? v.sub(this.origin) : v.applyMatrix4(this.frames[body]!);
  }

  private lay(): void {
    const wide = 14 * this.size;
    this.floor = new Mesh(
      new PlaneGeometry(wide, wide),
      new ShadowMaterial({ opacity: 0.28, side: DoubleSide, depthWrite: false }),
    );
    this.floor.receiveShadow = true;
    this.grid = new GridHelper(wide, 56, 0xffffff, 0xffffff);
    this.grid.rotateX(Math.PI / 2);
    this.floorZ = NaN;
    this.scene.add(this.floor, this.grid);
  }

  private clear(): void {
    const all: { geometry: BufferGeometry; material: unknown }[] = [];
    this.root.traverse((o) => {
      const part = o as unknown as { geometry?: BufferGeometry; material?: unknown };
      if (part.geometry) all.push(part as { geometry: BufferGeometry; material: unknown });
    });
    for (const part of [this.floor, this.grid]) if (part) all.push(part);
    for (const part of all) {
      part.geometry.dispose();
      for (const m of [part.material].flat()) (m as MeshBasicMaterial).dispose();
      if (part instanceof InstancedMesh) part.dispose();
    }
    this.root.clear();
    if (this.floor) this.scene.remove(this.floor);
    if (this.grid) this.scene.remove(this.grid);
    this.batches = [];
    this.meshes = [];
    this.edges = [];
    this.links = [];
    this.spots = [];
    this.probes = [];
  }

  home(motion?: Motion): void {
    this.orbit = { azimuth: -0.9, height: 0.26, distance: 1.3 * this.size + 0.2 };
    if (motion) {
      this.target.copy(this.middle);
      this.homeOrigin.set(motion.poses[0] ?? 0, motion.poses[1] ?? 0, motion.poses[2] ?? 0);
    }
    this.changed();
  }
  private readonly homeOrigin = new Vector3();
  private readonly middle = new Vector3();

  // ---- loads ----

  // The largest force of the run is six tenths of the size; the bar shows a round one.
  private scaleLoads(l: Loaded): void {
    let largest = 0;
    const see = (v: number) => {
      if (Number.isFinite(v)) largest = Math.max(largest, Math.abs(v));
    };
    const n = l.run.columns.length;
    for (const s of l.run.springs) {
      const c = l.column.get(`${s.name}.force`);
      if (c !== undefined) for (let row = 0; row < l.motion.rows; row++) see(l.values[row * n + c]!);
    }
    if (!largest)
      for (let k = 0; k < l.loads.length; k += 6) see(Math.hypot(l.loads[k]!, l.loads[k + 1]!, l.loads[k + 2]!));
    this.scale = largest > 0 ? (0.45 * this.size) / largest : 0;
    const raw = largest / 2.5;
    const power = 10 ** Math.floor(Math.log10(Math.max(raw, 1e-12)));
    this.unit = power * (raw / power >= 5 ? 5 : raw / power >= 2 ? 2 : 1);
  }
  // How long the scale bar is on the screen, px.
  barLength(height: number): number {
    return (this.unit * this.scale * height) / (2 * Math.tan((16 * Math.PI) / 180) * this.orbit.distance);
  }

  private arrow(from: Vector3, force: Vector3, colour: Color): void {
    const length = force.length() * this.scale;
    if (this.arrows >= ARROWS || !(length > 0.004 * this.size)) return;
    const k = this.arrows++;
    const wide = 0.006 * this.size;
    const head = Math.min(0.05 * this.size, 0.5 * length);
    const to = from.clone().addScaledVector(force, this.scale);
    const neck = to.clone().addScaledVector(force, (-head * this.scale) / length);
    this.shaft.setMatrixAt(k, between(from, neck, wide, this.m));
    this.head.setMatrixAt(k, between(neck, to, 2.6 * wide, this.m));
    this.shaft.setColorAt(k, colour);
    this.head.setColorAt(k, colour);
  }

  private drawLoads(t: number, shown: Shown): void {
    const l = this.l!;
    this.arrows = 0;
    const pick = (c: { light: string; dark: string }) => new Color(this.dark ? c.dark : c.light);
    const teal = pick(TEAL);
    const plum = pick(PLUM);
    const points = new Map(l.run.points.map((p, k) => [p.name, k]));
    if (shown.forces)
      for (const s of l.run.springs) {
        const force = springForce(l, s, t);
        const from = this.place(points.get(s.from) ?? 0);
        const to = this.place(points.get(s.to) ?? 0);
        const way = to.clone().sub(from).normalize().multiplyScalar(force);
        this.arrow(to, way, teal); // it pushes its ends apart
        this.arrow(from, way.clone().negate(), teal);
      }
    const six: number[] = [];
    const load = (inboard: number, at: (number | null)[], frame: (number | null)[]) => {
      const q = new Quaternion(frame[1] ?? 0, frame[2] ?? 0, frame[3] ?? 0, frame[0] ?? 1);
      const f = new Vector3(six[0] || 0, six[1] || 0, six[2] || 0).applyQuaternion(q);
      if (inboard >= 0) f.applyQuaternion(this.turnOf(inboard));
      this.arrow(this.onBody(inboard, new Vector3(...number3(at))), f, plum);
    };
    const is = (kind: string, name: string) =>
      shown.loads === "all" ||
      (shown.loads === "chosen" &&
        this.chosen?.name === name &&
        (this.chosen.kind === kind || this.chosen.kind === "body"));
    const bodyOf = (name: string | null) => l.run.bodies.findIndex((b) => b.name === name);
    l.run.bodies.forEach((b, k) => {
      if (is("joint", b.name) && b.joint !== "free" && loadAt(l, k, t, six)) load(bodyOf(b.inboard), b.at, b.frame);
    });
    for (const j of l.run.joints)
      if (is("loop", j.name) && loopLoadAt(l, j, t, six)) load(bodyOf(j.from), j.at, j.frame);
    if (this.push) {
      const { hit, force } = this.push;
      this.arrow(this.onBody(hit.body, hit.at.clone()), force, pick(PUSH));
    }
    this.shaft.count = this.head.count = this.arrows;
    for (const mesh of [this.shaft, this.head]) {
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
  }
  private turnOf(body: number): Quaternion {
    const o = body * POSE;
    const p = this.poseNow;
    return new Quaternion(p[o + 4], p[o + 5], p[o + 6], p[o + 3]);
  }
  showPush(hit: Hit | null, force: number[]): void {
    this.push = hit ? { hit, force: new Vector3(force[0], force[1], force[2]) } : null;
    this.changed();
  }

  // ---- a pose ----

  pose(pose: Float64Array, place: Float64Array, t: number, shown: Shown): void {
    const l = this.l;
    if (!l) return;
    this.poseNow.set(pose);
    this.placeNow.set(place);
    this.origin.set(pose[0] ?? 0, pose[1] ?? 0, pose[2] ?? 0);
    this.root.position.copy(this.origin);
    this.root.updateMatrix();
    l.run.bodies.forEach((_, k) => this.bodyMatrix(pose, k, this.frames[k]!));
    for (const { mesh, of } of this.batches) {
      of.forEach((o, k) => mesh.setMatrixAt(k, this.m.multiplyMatrices(this.frames[o.body]!, o.local)));
      mesh.instanceMatrix.needsUpdate = true;
    }
    for (const { mesh, body } of this.meshes) mesh.matrix.copy(this.frames[body]!);
    for (const { lines, body } of this.edges) lines.matrix.copy(this.frames[body]!);
    for (const k of this.links) {
      k.mesh.setMatrixAt(k.index, between(k.from(), k.to(), k.wide, this.m));
      k.mesh.instanceMatrix.needsUpdate = true;
    }
    for (const s of this.spots) {
      s.mesh.setMatrixAt(s.index, s.at());
      s.mesh.instanceMatrix.needsUpdate = true;
    }
    this.drawLoads(t, shown);
    this.showChosen();
    this.ground();
  }

  // The outline of another pose, such as that of a mode; null: none.
  outlineAt(pose: Float64Array | null): void {
    this.outline?.set(pose, this.origin);
  }

  private floorZ = NaN;
  private ground(): void {
    if (Number.isNaN(this.floorZ)) {
      let low = Infinity;
      const corner = new Vector3();
      for (const { of } of this.batches)
        for (const o of of)
          for (let k = 0; k < 8; k++) {
            corner.set(k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, k & 4 ? 0.5 : -0.5).applyMatrix4(o.local);
            low = Math.min(low, corner.applyMatrix4(this.frames[o.body]!).z);
          }
      this.floorZ = (Number.isFinite(low) ? low : 0) + this.origin.z;
    }
    // The floor goes down with what falls.
    const z = Math.min(this.floorZ, this.floorZ + (this.follow ? this.origin.z - this.homeOrigin.z : 0));
    for (const part of [this.floor, this.grid]) {
      part?.position.setZ(z);
      if (this.follow) part?.position.setX(this.origin.x - (this.origin.x % (this.size / 4)));
      if (this.follow) part?.position.setY(this.origin.y - (this.origin.y % (this.size / 4)));
    }
  }

  private bodyMatrix(pose: Float64Array, k: number, out: Matrix4): Matrix4 {
    const o = k * POSE;
    this.q.set(pose[o + 4]!, pose[o + 5]!, pose[o + 6]!, pose[o + 3]!);
    this.p.set(pose[o]!, pose[o + 1]!, pose[o + 2]!).sub(this.origin);
    return out.compose(this.p, this.q, this.s.set(1, 1, 1));
  }

  // Where a body is drawn, from the scene: x, y, z and the quaternion w, x, y, z of its frame; for tests. A body
  // that has no part of its own is not drawn.
  drawn(k: number): number[] {
    const probe = this.probes[k];
    if (!probe) return [];
    const m = new Matrix4();
    if (probe.mesh instanceof InstancedMesh) probe.mesh.getMatrixAt(probe.index, m);
    else m.copy(probe.mesh.matrix);
    m.multiply(probe.back).premultiply(this.root.matrix).decompose(this.p, this.q, this.s);
    return [this.p.x, this.p.y, this.p.z, this.q.w, this.q.x, this.q.y, this.q.z];
  }

  // ---- what is chosen ----

  choose(c: Chosen | null): void {
    this.chosen = c;
    this.changed();
  }
  // The place of what is chosen, in the axes of the group; null: it is nowhere.
  private chosenAt(): Vector3 | null {
    const l = this.l;
    const c = this.chosen;
    if (!l || !c) return null;
    const bodyOf = (name: string | null) => l.run.bodies.findIndex((b) => b.name === name);
    const body = l.run.bodies.find((b) => b.name === c.name);
    if (c.kind === "body" && body) return this.onBody(bodyOf(c.name), new Vector3(...number3(body.centre)));
    if (c.kind === "joint" && body) return this.onBody(bodyOf(body.inboard), new Vector3(...number3(body.at)));
    const joint = l.run.joints.find((j) => j.name === c.name);
    if (c.kind === "loop" && joint) return this.onBody(bodyOf(joint.from), new Vector3(...number3(joint.at)));
    const index = (name: string) => l.run.points.findIndex((p) => p.name === name);
    if (c.kind === "spot" && index(c.name) >= 0) return this.place(index(c.name));
    const spring = l.run.springs.find((s) => s.name === c.name);
    if (c.kind === "spring" && spring)
      return this.place(Math.max(index(spring.from), 0)).lerp(this.place(Math.max(index(spring.to), 0)), 0.5);
    return null;
  }
  private showChosen(): void {
    const at = this.chosenAt();
    const body = this.chosen?.kind === "body";
    this.ring.visible = at !== null && !body;
    if (at) this.ring.position.copy(at);
    const only = body ? (this.l?.run.bodies.findIndex((b) => b.name === this.chosen!.name) ?? -1) : -2;
    this.chosenLines?.set(body ? this.poseNow : null, this.origin, only);
  }
  // Where what is chosen is on the picture, 0 .. 1 from its left upper corner; null: it is not.
  chosenOnScreen(): { x: number; y: number } | null {
    const at = this.chosenAt();
    if (!at) return null;
    at.add(this.origin).project(this.camera);
    return at.z < 1 ? { x: 0.5 + 0.5 * at.x, y: 0.5 - 0.5 * at.y } : null;
  }
  // Directions of x, y, z on the screen, for the little axes.
  axes(): { x: number; y: number }[] {
    const q = this.camera.quaternion.clone().invert();
    return [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)].map((v) => {
      v.applyQuaternion(q);
      return { x: v.x, y: -v.y };
    });
  }

  private ray(e: { clientX: number; clientY: number }): Raycaster {
    const r = this.canvas.getBoundingClientRect();
    const caster = new Raycaster();
    caster.setFromCamera(
      new Vector2((2 * (e.clientX - r.left)) / r.width - 1, 1 - (2 * (e.clientY - r.top)) / r.height),
      this.camera,
    );
    return caster;
  }
  private hit(e: { clientX: number; clientY: number }): Hit | null {
    const caster = this.ray(e);
    this.root.updateMatrixWorld(true);
    let best: { distance: number; body: number; point: Vector3 } | null = null;
    const see = (distance: number, body: number, point: Vector3) => {
      if (!best || distance < best.distance) best = { distance, body, point };
    };
    for (const { mesh, of } of this.batches) {
      mesh.computeBoundingSphere(); // of where its instances are now
      for (const h of caster.intersectObject(mesh)) see(h.distance, of[h.instanceId ?? 0]!.body, h.point);
    }
    for (const { mesh, body } of this.meshes)
      if (mesh.userData.finish !== "glass")
        for (const h of caster.intersectObject(mesh)) see(h.distance, body, h.point);
    const found = best as { distance: number; body: number; point: Vector3 } | null;
    if (!found) return null;
    const at = found.point.clone().sub(this.origin).applyMatrix4(this.frames[found.body]!.clone().invert());
    return { body: found.body, at, point: found.point };
  }

  // ---- the picture ----

  theme(dark: boolean): void {
    this.dark = dark;
    this.scene.background = new Color(dark ? 0x171e27 : 0xe6ebf1);
    this.sky.intensity = dark ? 2.1 : 1.9;
    this.sun.intensity = dark ? 3.2 : 2.6;
    if (this.grid) this.grid.material.color.set(dark ? 0x2a343f : 0xbcc4cd);
    const all = [
      ...this.batches.map((b) => b.mesh),
      ...this.meshes.map((m) => m.mesh),
      ...this.links.map((k) => k.mesh),
    ];
    for (const mesh of new Set(all)) {
      const finish = mesh.userData.finish as Finish | undefined;
      if (!finish || finish === "paint") continue;
      const like = finishMaterial(finish, dark);
      const own = mesh.material as MeshStandardMaterial;
      own.color.copy(like.color);
      own.opacity = like.opacity;
      like.dispose();
    }
    for (const e of this.edges) (e.lines.material as LineBasicMaterial).color.set(dark ? 0x9fb4cb : 0x51667d);
    const violet = dark ? VIOLET.dark : VIOLET.light;
    this.outline?.colour(violet);
    this.chosenLines?.colour(violet);
    if (this.ring) (this.ring.material as MeshBasicMaterial).color.set(violet);
    this.changed();
  }

  draw(width: number, height: number): void {
    if (width < 8 || height < 8 || this.lost) return;
    this.renderer.setPixelRatio(this.slow ? 0.75 : Math.min(window.devicePixelRatio || 1, 2));
    this.renderer.setSize(width, height, false);
    const o = this.orbit;
    const c = Math.cos(o.height) * o.distance;
    this.camera.aspect = width / height;
    this.camera.near = 0.01 * this.size;
    this.camera.far = 100 * this.size + 10;
    this.camera.updateProjectionMatrix();
    const centre = this.p.copy(this.target);
    if (this.follow) centre.add(this.origin).sub(this.homeOrigin);
    const tall = Math.max(1, 1.25 / this.camera.aspect); // narrow windows see all of it, too
    this.camera.position
      .set(c * Math.cos(o.azimuth), c * Math.sin(o.azimuth), Math.sin(o.height) * o.distance)
      .multiplyScalar(tall)
      .add(centre);
    this.camera.lookAt(centre);
    this.ring.quaternion.copy(this.camera.quaternion);
    this.light(centre);
    this.renderer.render(this.scene, this.camera);
    this.calls = this.renderer.info.render.calls;
  }

  private light(centre: Vector3): void {
    const reach = 2 * this.size;
    this.sun.target.position.copy(centre);
    this.sun.position.copy(centre).add(this.s.set(-0.5 * reach, 0.9 * reach, 1.9 * reach));
    this.fill.position.copy(centre).add(this.s.set(reach, -reach, 0.4 * reach));
    const shadow = this.sun.shadow.camera;
    shadow.left = shadow.bottom = -1.3 * this.size;
    shadow.right = shadow.top = 1.3 * this.size;
    shadow.near = 0.1 * this.size;
    shadow.far = 9 * this.size;
    shadow.updateProjectionMatrix();
  }

  // ---- hands ----

  private listen(): void {
    const c = this.canvas;
    const fingers = new Map<number, { x: number; y: number }>();
    let moved = 0;
    let held: { hit: Hit } | null = null;
    const force = (e: PointerEvent, hit: Hit): Vector3 => {
      // How far the pointer is from the point, in the plane of the screen through it.
      const caster = this.ray(e);
      const point = this.onBody(hit.body, hit.at.clone()).add(this.origin);
      const normal = this.camera.getWorldDirection(new Vector3());
      const d = point.clone().sub(caster.ray.origin).dot(normal) / caster.ray.direction.dot(normal);
      const to = caster.ray.origin.clone().addScaledVector(caster.ray.direction, d);
      const mass = this.l!.run.bodies.reduce((m, b) => m + (b.mass ?? 0), 0);
      return to.sub(point).multiplyScalar((4 * 9.81 * Math.max(mass, 1e-6)) / this.size);
    };
    c.addEventListener("pointerdown", (e) => {
      c.setPointerCapture(e.pointerId);
      fingers.set(e.pointerId, { x: e.clientX, y: e.clientY });
      moved = 0;
      const hit = (this.pushing || e.shiftKey) && this.onPush ? this.hit(e) : null;
      if (hit) {
        held = { hit };
        this.onPush!(hit, new Vector3(), "begin");
      }
    });
    c.addEventListener("pointermove", (e) => {
      const from = fingers.get(e.pointerId);
      if (!from) return;
      const dx = e.clientX - from.x;
      const dy = e.clientY - from.y;
      moved += Math.abs(dx) + Math.abs(dy);
      if (held) this.onPush!(held.hit, force(e, held.hit), "move");
      else if (fingers.size === 2) {
        const [a, b] = [...fingers.values()] as [{ x: number; y: number }, { x: number; y: number }];
        const before = Math.hypot(a.x - b.x, a.y - b.y);
        fingers.set(e.pointerId, { x: e.clientX, y: e.clientY });
        const [p, q] = [...fingers.values()] as [{ x: number; y: number }, { x: number; y: number }];
        this.dolly(before / Math.max(Math.hypot(p.x - q.x, p.y - q.y), 1));
        this.pan(dx / 2, dy / 2);
      } else if (e.buttons & 4 || e.ctrlKey) this.pan(dx, dy);
      else this.turn(-dx * 0.006, dy * 0.005);
      fingers.set(e.pointerId, { x: e.clientX, y: e.clientY });
    });
    const end = (e: PointerEvent, click: boolean) => {
      fingers.delete(e.pointerId);
      if (held) {
        this.onPush!(held.hit, force(e, held.hit), "end");
        held = null;
      } else if (click && moved < 4) this.onPick(this.hit(e));
    };
    c.addEventListener("pointerup", (e) => end(e, true));
    c.addEventListener("pointercancel", (e) => end(e, false));
    c.addEventListener(
      "wheel",
      (e) => {
        e.preventDefault();
        this.dolly(Math.exp(e.deltaY * 0.0012));
      },
      { passive: false },
    );
    c.addEventListener("keydown", (e) => {
      const way = { ArrowLeft: [0.08, 0], ArrowRight: [-0.08, 0], ArrowUp: [0, 0.05], ArrowDown: [0, -0.05] }[e.key];
      if (way) this.turn(way[0]!, way[1]!);
      else if (e.key === "+" || e.key === "=") this.dolly(0.85);
      else if (e.key === "-") this.dolly(1 / 0.85);
      else if (e.key === "Home") this.home(this.l?.motion);
      else return;
      e.preventDefault();
      e.stopPropagation();
    });
  }

  private turn(azimuth: number, height: number): void {
    this.orbit.azimuth += azimuth;
    this.orbit.height = Math.max(-0.3, Math.min(1.5, this.orbit.height + height));
    this.changed();
  }
  private pan(dx: number, dy: number): void {
    const k = (0.57 * this.orbit.distance) / Math.max(this.canvas.clientHeight, 1);
    this.target.addScaledVector(new Vector3(1, 0, 0).applyQuaternion(this.camera.quaternion), -dx * k);
    this.target.addScaledVector(new Vector3(0, 1, 0).applyQuaternion(this.camera.quaternion), dy * k);
    this.changed();
  }
  private dolly(f: number): void {
    this.orbit.distance = Math.max(0.4 * this.size, Math.min(40 * this.size, this.orbit.distance * f));
    this.changed();
  }

  close(): void {
    this.clear();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
    this.canvas.remove();
  }
}

// ---- parts ----

const glow = () => new MeshBasicMaterial({ color: 0xffffff });

// Edges of all bodies as one set of lines, moved to a pose.
class Outline {
  readonly lines: LineSegments;
  private readonly local: Float32Array[];
  private readonly dashed: boolean;
  constructor(bodies: BodyPart[], dashed: boolean) {
    this.dashed = dashed;
    this.local = bodies.map(edgesOf);
    const count = this.local.reduce((n, e) => n + e.length, 0);
    const g = new BufferGeometry();
    g.setAttribute("position", new Float32BufferAttribute(new Float32Array(count), 3));
    this.lines = new LineSegments(
      g,
      dashed ? new LineDashedMaterial({ dashSize: 0.05, gapSize: 0.03 }) : new LineBasicMaterial({ depthTest: false }),
    );
    this.lines.frustumCulled = false;
    this.lines.visible = false;
  }
  colour(c: string): void {
    (this.lines.material as LineBasicMaterial).color.set(c);
  }
  // only: of this body alone.
  set(pose: Float64Array | null, origin: Vector3, only = -1): void {
    this.lines.visible = pose !== null;
    if (!pose) return;
    const at = this.lines.geometry.getAttribute("position");
    const out = at.array as Float32Array;
    const m = new Matrix4();
    const v = new Vector3();
    let n = 0;
    this.local.forEach((edge, b) => {
      if (only >= 0 && b !== only) return;
      const o = b * POSE;
      m.compose(
        v.set(pose[o]!, pose[o + 1]!, pose[o + 2]!).sub(origin),
        new Quaternion(pose[o + 4], pose[o + 5], pose[o + 6], pose[o + 3]),
        new Vector3(1, 1, 1),
      );
      for (let k = 0; k < edge.length; k += 3) {
        v.set(edge[k]!, edge[k + 1]!, edge[k + 2]!).applyMatrix4(m);
        out[n++] = v.x;
        out[n++] = v.y;
        out[n++] = v.z;
      }
    });
    this.lines.geometry.setDrawRange(0, n / 3);
    at.needsUpdate = true;
    if (this.dashed) this.lines.computeLineDistances();
  }
}

// The matrix that lays a part of length 1 along z between two points; wide: its scale across.
function between(from: Vector3, to: Vector3, wide: number, out: Matrix4): Matrix4 {
  const way = new Vector3().subVectors(to, from);
  const length = way.length();
  if (!(length > 1e-9)) return out.copy(NOTHING);
  const turn = new Quaternion().setFromUnitVectors(UP, way.divideScalar(length));
  return out.compose(from, turn, new Vector3(wide, wide, length));
}
