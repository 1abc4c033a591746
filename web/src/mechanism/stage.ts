// stage.ts - a mechanism in three dimensions: bodies as boxes of their inertia, rods from joint to joint, springs
// as coils that shorten, on a floor with a grid.
//
// Everything that moves is an instance of five meshes (bodies, rods, joints, coils, masses), so that a mechanism of
// any size takes a handful of draw calls. Axes as everywhere: x forward, y left, z up. Loaded when first needed.
import {
  BoxGeometry,
  BufferGeometry,
  Color,
  Curve,
  CylinderGeometry,
  DirectionalLight,
  DoubleSide,
  EdgesGeometry,
  GridHelper,
  HemisphereLight,
  InstancedMesh,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  Mesh,
  MeshStandardMaterial,
  PerspectiveCamera,
  PlaneGeometry,
  Quaternion,
  Scene,
  ShadowMaterial,
  SphereGeometry,
  TubeGeometry,
  Vector3,
  WebGLRenderer,
} from "three";
import { deviceName, isProcessor } from "../draw/device.ts";
import { POSE, boxOf, discOf, sizeOf, type Motion } from "./poses.ts";
import type { MechanismParts } from "../wire/protocol.ts";

class Coil extends Curve<Vector3> {
  constructor() {
    super();
  }
  override getPoint(u: number, out = new Vector3()): Vector3 {
    const turns = 7;
    const ends = 0.08; // straight at both ends
    const v = Math.min(Math.max((u - ends) / (1 - 2 * ends), 0), 1);
    const wide = Math.min(v, 1 - v) > 0 ? 1 : 0;
    const angle = 2 * Math.PI * turns * v;
    return out.set(wide * Math.cos(angle), wide * Math.sin(angle), u);
  }
}

interface Rod {
  body: number;
  from: Vector3; // in the axes of the body
  to: Vector3;
}

const UP = new Vector3(0, 0, 1);
const NOTHING = new Matrix4().makeScale(0, 0, 0);
// Turns the y axis, about which cylinders are round, to x, y or z.
const AXIS = [new Matrix4().makeRotationZ(-Math.PI / 2), new Matrix4(), new Matrix4().makeRotationX(Math.PI / 2)];

function disc(axis: number, radius: number, width: number): BufferGeometry {
  return new CylinderGeometry(radius, radius, width, 40).applyMatrix4(AXIS[axis]!);
}

export class Stage {
  readonly canvas: HTMLCanvasElement;
  calls = 0;
  readonly slow: boolean; // drawn by the processor: no shadows, coarser
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly camera = new PerspectiveCamera(32, 2, 0.01, 2000);
  private readonly sun = new DirectionalLight(0xfff2e0, 2.6);
  private readonly sky = new HemisphereLight(0xdfe9f5, 0x8a8378, 1.5);
  private floor: Mesh | null = null;
  private grid: GridHelper | null = null;
  private boxes: InstancedMesh | null = null;
  private discs: InstancedMesh | null = null;
  private edges: LineSegments[] = [];
  private rodMesh: InstancedMesh | null = null;
  private jointMesh: InstancedMesh | null = null;
  private coils: InstancedMesh | null = null;
  private parts: MechanismParts | null = null;
  private rods: Rod[] = [];
  private sizes: [number, number, number][] = [];
  private springs: [number, number][] = [];
  private size = 1;
  private dark = false;
  private orbit = { azimuth: -0.9, height: 0.32, distance: 3 };
  private readonly target = new Vector3();
  private readonly m = new Matrix4();
  private readonly local = new Matrix4();
  private readonly q = new Quaternion();
  private readonly p = new Vector3();
  private readonly s = new Vector3();

  constructor(
    host: HTMLElement,
    private readonly changed: () => void,
  ) {
    this.slow = isProcessor(deviceName());
    this.renderer = new WebGLRenderer({ antialias: !this.slow });
    this.renderer.shadowMap.enabled = !this.slow;
    this.canvas = this.renderer.domElement;
    this.canvas.className = "me-canvas";
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    this.camera.up.copy(UP);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(1024, 1024);
    this.scene.add(this.sun, this.sun.target, this.sky);
    host.append(this.canvas);
    this.listen();
  }

  // ---- what is shown ----

  set(parts: MechanismParts, motion: Motion): void {
    this.clear();
    this.parts = parts;
    this.size = sizeOf(motion);
    this.sizes = parts.bodies.map((b) => {
      const inertia = b.inertia.map((x) => x ?? 0);
      if (b.round < 0) return boxOf(b.mass ?? 0, inertia, this.size);
      const [radius, width] = discOf(b.mass ?? 0, inertia, b.round, this.size);
      return [radius, width, radius];
    });
    this.rods = rodsOf(parts, motion);
    this.springs = parts.springs.map((s) => [pointOf(parts, s.from), pointOf(parts, s.to)]);
    const radius = 0.012 * this.size;
    const body = new MeshStandardMaterial({
      color: 0xffffff,
      roughness: 0.4,
      metalness: 0.1,
      transparent: true,
      opacity: 0.55,
    });
    const rubber = new MeshStandardMaterial({ color: 0x33383f, roughness: 0.8, transparent: true, opacity: 0.7 });
    const steel = new MeshStandardMaterial({ color: 0x59616d, roughness: 0.35, metalness: 0.6 });
    const brass = new MeshStandardMaterial({ color: 0xb08a3c, roughness: 0.4, metalness: 0.5 });
    const red = new MeshStandardMaterial({ color: 0x1f8f86, roughness: 0.4, metalness: 0.4 });
    this.boxes = this.instances(new BoxGeometry(1, 1, 1), body, parts.bodies.length);
    this.discs = this.instances(new CylinderGeometry(1, 1, 1, 40), rubber, parts.bodies.length);
    this.rodMesh = this.instances(
      new CylinderGeometry(radius, radius, 1, 12).rotateX(Math.PI / 2).translate(0, 0, 0.5),
      steel,
      this.rods.length,
    );
    this.jointMesh = this.instances(new SphereGeometry(1.7 * radius, 16, 12), brass, parts.bodies.length);
    this.coils = this.instances(new TubeGeometry(new Coil(), 160, 0.16, 6), red, this.springs.length);
    const hues = ["#3E7CB1", "#C4703A", "#4E9B6F", "#8A5FA8", "#B5A33C", "#5C8CA8", "#A85F6B"];
    parts.bodies.forEach((_, k) => this.boxes!.setColorAt(k, new Color(hues[k % hues.length]!)));
    parts.bodies.forEach((b, k) => {
      const [x, y, z] = this.sizes[k]!;
      const shape = b.round < 0 ? new BoxGeometry(x, y, z) : disc(b.round, x, y);
      const e = new LineSegments(
        new EdgesGeometry(shape, 30),
        new LineBasicMaterial({ transparent: true, opacity: 0.5 }),
      );
      shape.dispose();
      e.matrixAutoUpdate = false;
      this.edges.push(e);
      this.scene.add(e);
    });
    this.lay();
    this.home(motion);
  }

  private instances(geometry: BufferGeometry, material: MeshStandardMaterial, count: number): InstancedMesh {
    const mesh = new InstancedMesh(geometry, material, Math.max(count, 1));
    mesh.count = count;
    mesh.frustumCulled = false;
    mesh.castShadow = true;
    this.scene.add(mesh);
    return mesh;
  }

  private lay(): void {
    const wide = 12 * this.size;
    this.floor = new Mesh(new PlaneGeometry(wide, wide), new ShadowMaterial({ opacity: 0.25, side: DoubleSide }));
    this.floor.receiveShadow = true;
    this.grid = new GridHelper(wide, 48, 0xffffff, 0xffffff);
    this.grid.rotateX(Math.PI / 2);
    this.scene.add(this.floor, this.grid);
    this.theme(this.dark);
  }

  private clear(): void {
    for (const part of [
      this.boxes,
      this.discs,
      this.rodMesh,
      this.jointMesh,
      this.coils,
      this.floor,
      this.grid,
      ...this.edges,
    ])
      if (part) {
        this.scene.remove(part);
        part.geometry.dispose();
        for (const material of [part.material].flat()) material.dispose();
      }
    this.edges = [];
  }

  home(motion?: Motion): void {
    this.orbit = { azimuth: -0.9, height: 0.32, distance: 2.6 * this.size + 0.4 };
    if (motion) {
      this.target.set(0, 0, 0);
      const n = Math.max(motion.bodies, 1);
      for (let b = 0; b < motion.bodies; b++)
        this.target.add(
          this.p.set(motion.poses[b * POSE]! / n, motion.poses[b * POSE + 1]! / n, motion.poses[b * POSE + 2]! / n),
        );
    }
    this.changed();
  }

  // ---- a pose ----

  pose(pose: Float64Array, place: Float64Array): void {
    const parts = this.parts;
    if (!parts || !this.boxes || !this.discs || !this.rodMesh || !this.jointMesh || !this.coils) return;
    let low = Infinity;
    parts.bodies.forEach((b, k) => {
      this.bodyMatrix(pose, k);
      this.p.set(pose[k * POSE]!, pose[k * POSE + 1]!, pose[k * POSE + 2]!);
      this.jointMesh!.setMatrixAt(k, this.local.makeTranslation(this.p.x, this.p.y, this.p.z));
      const [x, y, z] = this.sizes[k]!;
      this.local.makeTranslation(b.centre[0] ?? 0, b.centre[1] ?? 0, b.centre[2] ?? 0).premultiply(this.m);
      this.edges[k]!.matrix.copy(this.local);
      low = Math.min(low, this.local.elements[14]! - (b.round < 0 ? 0.5 : 1) * Math.max(x, y, z));
      const other = b.round < 0 ? this.discs! : this.boxes!;
      other.setMatrixAt(k, NOTHING);
      if (b.round < 0) this.boxes!.setMatrixAt(k, this.local.scale(this.s.set(x, y, z)));
      else this.discs!.setMatrixAt(k, this.local.multiply(AXIS[b.round]!).scale(this.s.set(x, y, x)));
    });
    this.rods.forEach((r, k) => {
      this.bodyMatrix(pose, r.body);
      this.rodMesh!.setMatrixAt(k, between(r.from, r.to, 1, this.local).premultiply(this.m));
    });
    this.springs.forEach(([a, b], k) => {
      const from = new Vector3(place[3 * a], place[3 * a + 1], place[3 * a + 2]);
      const to = new Vector3(place[3 * b], place[3 * b + 1], place[3 * b + 2]);
      this.coils!.setMatrixAt(k, between(from, to, 0.03 * this.size, this.local));
    });
    for (const mesh of [this.boxes, this.discs, this.rodMesh, this.jointMesh, this.coils])
      mesh.instanceMatrix.needsUpdate = true;
    this.ground(low);
  }

  private floorZ = NaN;
  private ground(low: number): void {
    if (Number.isNaN(this.floorZ) || low < this.floorZ) this.floorZ = low;
    this.floor?.position.setZ(this.floorZ);
    this.grid?.position.setZ(this.floorZ);
  }

  private bodyMatrix(pose: Float64Array, k: number): void {
    const o = k * POSE;
    this.q.set(pose[o + 4]!, pose[o + 5]!, pose[o + 6]!, pose[o + 3]!);
    this.m.compose(this.p.set(pose[o]!, pose[o + 1]!, pose[o + 2]!), this.q, this.s.set(1, 1, 1));
  }

  // Where a body is drawn: x, y, z and the quaternion w, x, y, z of its frame, for tests.
  drawn(k: number): number[] {
    const b = this.parts?.bodies[k];
    if (!b) return [];
    this.m.copy(this.edges[k]!.matrix);
    this.local.makeTranslation(-(b.centre[0] ?? 0), -(b.centre[1] ?? 0), -(b.centre[2] ?? 0));
    this.m.multiply(this.local).decompose(this.p, this.q, this.s);
    return [this.p.x, this.p.y, this.p.z, this.q.w, this.q.x, this.q.y, this.q.z];
  }

  // ---- the picture ----

  theme(dark: boolean): void {
    this.dark = dark;
    this.scene.background = new Color(dark ? 0x1b222b : 0xe9eef3);
    this.sky.intensity = dark ? 2.4 : 1.5;
    if (this.grid) this.grid.material.color.set(dark ? 0x39434f : 0xa9b2bc);
    for (const e of this.edges) (e.material as LineBasicMaterial).color.set(dark ? 0xaab6c4 : 0x2a3138);
    this.changed();
  }

  draw(width: number, height: number): void {
    if (width < 8 || height < 8) return;
    this.renderer.setPixelRatio(this.slow ? 0.75 : Math.min(window.devicePixelRatio || 1, 2));
    this.renderer.setSize(width, height, false);
    const o = this.orbit;
    const c = Math.cos(o.height) * o.distance;
    this.camera.aspect = width / height;
    this.camera.near = 0.01 * this.size;
    this.camera.far = 100 * this.size + 10;
    this.camera.updateProjectionMatrix();
    this.camera.position
      .set(c * Math.cos(o.azimuth), c * Math.sin(o.azimuth), Math.sin(o.height) * o.distance)
      .add(this.target);
    this.camera.lookAt(this.target);
    this.light();
    this.renderer.render(this.scene, this.camera);
    this.calls = this.renderer.info.render.calls;
  }

  private light(): void {
    const reach = 2 * this.size;
    this.sun.target.position.copy(this.target);
    this.sun.position.copy(this.target).add(this.p.set(-reach, 0.8 * reach, 1.8 * reach));
    const shadow = this.sun.shadow.camera;
    shadow.left = shadow.bottom = -1.5 * this.size;
    shadow.right = shadow.top = 1.5 * this.size;
    shadow.near = 0.1 * this.size;
    shadow.far = 8 * this.size;
    shadow.updateProjectionMatrix();
  }

  private listen(): void {
    const c = this.canvas;
    let from: { x: number; y: number } | null = null;
    c.addEventListener("pointerdown", (e) => {
      c.setPointerCapture(e.pointerId);
      from = { x: e.clientX, y: e.clientY };
    });
    c.addEventListener("pointermove", (e) => {
      if (!from) return;
      this.turn(-(e.clientX - from.x) * 0.006, (e.clientY - from.y) * 0.005);
      from = { x: e.clientX, y: e.clientY };
    });
    for (const end of ["pointerup", "pointercancel"]) c.addEventListener(end, () => (from = null));
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
      else if (e.key === "Home") this.home();
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

  private dolly(f: number): void {
    this.orbit.distance = Math.max(0.6 * this.size, Math.min(40 * this.size, this.orbit.distance * f));
    this.changed();
  }

  close(): void {
    this.clear();
    this.renderer.dispose();
    this.canvas.remove();
  }
}

// ---- parts ----

function pointOf(parts: MechanismParts, name: string): number {
  return Math.max(
    parts.points.findIndex((p) => p.name === name),
    0,
  );
}

// From the joint of a body to its centre of mass, to its points and to the joints of the bodies that hang on it, as
// they stand in the first row.
function rodsOf(parts: MechanismParts, motion: Motion): Rod[] {
  const rods: Rod[] = [];
  const add = (body: number, to: Vector3) => {
    if (to.length() > 1e-6) rods.push({ body, from: new Vector3(), to });
  };
  parts.bodies.forEach((b, k) => {
    const o = k * POSE;
    const p = motion.poses;
    const back = new Quaternion(p[o + 4], p[o + 5], p[o + 6], p[o + 3]).invert();
    const origin = new Vector3(p[o], p[o + 1], p[o + 2]);
    const local = (x: number, y: number, z: number) => new Vector3(x, y, z).sub(origin).applyQuaternion(back);
    add(k, new Vector3(b.centre[0] ?? 0, b.centre[1] ?? 0, b.centre[2] ?? 0));
    parts.points.forEach((point, i) => {
      const at = motion.places;
      if (point.body === b.name) add(k, local(at[3 * i]!, at[3 * i + 1]!, at[3 * i + 2]!));
    });
    parts.bodies.forEach((child, i) => {
      if (child.inboard === b.name) add(k, local(p[i * POSE]!, p[i * POSE + 1]!, p[i * POSE + 2]!));
    });
    for (const joint of parts.joints)
      if (joint.from === b.name) add(k, new Vector3(joint.at[0] ?? 0, joint.at[1] ?? 0, joint.at[2] ?? 0));
  });
  return rods;
}

// The matrix that lays a part of length 1 along z between two points; wide: its scale across.
function between(from: Vector3, to: Vector3, wide: number, out: Matrix4): Matrix4 {
  const way = new Vector3().subVectors(to, from);
  const length = Math.max(way.length(), 1e-9);
  const turn = new Quaternion().setFromUnitVectors(UP, way.divideScalar(length));
  return out.compose(from, turn, new Vector3(wide, wide, length));
}
