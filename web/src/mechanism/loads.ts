// loads.ts - forces as arrows, all to one scale: of springs and dampers, of joints and constraints, of axles on the road,
// of the hand that pushes.
import {
  Color,
  ConeGeometry,
  CylinderGeometry,
  InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
  Quaternion,
  Vector3,
  type Group,
} from "three";
import { loadAt, loopLoadAt, number3, springForce, type Chosen, type Loaded } from "./data.ts";
import type { Posed } from "./posed.ts";
import { between, instances } from "./shapes.ts";

const ARROWS = 256;
const USUAL = 0.15; // of the size: the length of a usual force
const TEAL = { light: "#1F8F86", dark: "#5FE0C4" }; // forces of springs
const PLUM = { light: "#8E4A9B", dark: "#EBC3F5" }; // loads of constraints
const PUSH = { light: "#B85C00", dark: "#F2A33A" };
const BLUE = { light: "#1668C7", dark: "#6FB1FF" }; // of the road on axles

export interface Shown {
  forces: boolean;
  loads: "none" | "chosen" | "all";
}
// A force that the bench knows from elsewhere: where, in the world, and N.
export interface Reaction {
  at: Vector3;
  force: Vector3;
}

export class Loads {
  scale = 0; // m of arrow per N
  unit = 0; // N, of the scale bar
  dark = false;
  count = 0; // arrows that are drawn
  push: { body: number; at: Vector3; force: Vector3 } | null = null;
  reactions: Reaction[] = [];
  private readonly shaft: InstancedMesh;
  private readonly head: InstancedMesh;
  private readonly m = new Matrix4();

  constructor(
    root: Group,
    private readonly l: Loaded,
    private readonly size: number,
  ) {
    const glow = () => new MeshBasicMaterial({ color: 0xffffff, toneMapped: false, fog: false });
    const along = (g: CylinderGeometry) => g.rotateX(Math.PI / 2).translate(0, 0, 0.5);
    this.shaft = instances(root, along(new CylinderGeometry(1, 1, 1, 10)), glow(), ARROWS);
    this.head = instances(root, along(new ConeGeometry(1, 1, 14)), glow(), ARROWS);
    for (const mesh of [this.shaft, this.head]) {
      mesh.castShadow = mesh.receiveShadow = false;
      for (let k = 0; k < ARROWS; k++) mesh.setColorAt(k, new Color());
    }
    this.fit();
  }

  // Four of five forces of the run are at most 0.15 of the size, and none is longer than 0.3 of it; the bar shows a round
  // one.
  private fit(): void {
    const { l } = this;
    const all: number[] = [];
    const see = (v: number) => {
      if (Number.isFinite(v) && v !== 0) all.push(Math.abs(v));
    };
    const n = l.run.columns.length;
    for (const s of l.run.springs) {
      const c = l.column.get(`${s.name}.force`);
      if (c !== undefined) for (let row = 0; row < l.motion.rows; row++) see(l.values[row * n + c]!);
    }
    if (!all.length)
      for (let k = 0; k < l.loads.length; k += 6) see(Math.hypot(l.loads[k]!, l.loads[k + 1]!, l.loads[k + 2]!));
    if (!all.length) return;
    all.sort((p, q) => p - q);
    const [usual, largest] = [all[Math.floor(0.8 * (all.length - 1))]!, all[all.length - 1]!];
    this.scale = Math.min((USUAL * this.size) / usual, (2 * USUAL * this.size) / largest);
    this.unit = round((0.18 * this.size) / this.scale);
  }
  // Reactions are drawn to a scale of their own where nothing else gives one, and shorten all where they are large.
  react(list: Reaction[]): void {
    this.reactions = list;
    const largest = Math.max(0, ...list.map((r) => r.force.length()));
    if (!(largest > 0) || (this.scale > 0 && largest * this.scale <= 2 * USUAL * this.size)) return;
    this.scale = (USUAL * this.size) / largest;
    this.unit = round((0.18 * this.size) / this.scale);
  }

  private arrow(from: Vector3, force: Vector3, colour: Color): void {
    const length = force.length() * this.scale;
    if (this.count >= ARROWS || !(length > 0.004 * this.size)) return;
    const k = this.count++;
    const wide = 0.006 * this.size;
    const head = Math.min(0.05 * this.size, 0.5 * length);
    const to = from.clone().addScaledVector(force, this.scale);
    const neck = to.clone().addScaledVector(force, (-head * this.scale) / length);
    this.shaft.setMatrixAt(k, between(from, neck, wide, this.m));
    this.head.setMatrixAt(k, between(neck, to, 2.6 * wide, this.m));
    this.shaft.setColorAt(k, colour);
    this.head.setColorAt(k, colour);
  }

  draw(at: Posed, t: number, shown: Shown, chosen: Chosen | null): void {
    this.count = 0;
    const pick = (c: { light: string; dark: string }) => new Color(this.dark ? c.dark : c.light);
    if (shown.forces) {
      this.springs(at, t, pick(TEAL));
      const blue = pick(BLUE);
      for (const r of this.reactions) this.arrow(r.at.clone().sub(at.origin), r.force, blue);
    }
    this.joints(at, t, shown, chosen, pick(PLUM));
    if (this.push) this.arrow(at.onBody(this.push.body, this.push.at.clone()), this.push.force, pick(PUSH));
    this.shaft.count = this.head.count = this.count;
    for (const mesh of [this.shaft, this.head]) {
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
  }
  private springs(at: Posed, t: number, colour: Color): void {
    for (const s of this.l.run.springs) {
      const force = springForce(this.l, s, t);
      const from = at.point(Math.max(at.pointNamed(s.from), 0));
      const to = at.point(Math.max(at.pointNamed(s.to), 0));
      const way = to.clone().sub(from).normalize().multiplyScalar(force);
      this.arrow(to, way, colour); // it pushes its ends apart
      this.arrow(from, way.clone().negate(), colour);
    }
  }
  private joints(at: Posed, t: number, shown: Shown, chosen: Chosen | null, colour: Color): void {
    const { l } = this;
    const six: number[] = [];
    const load = (inboard: number, place: (number | null)[], frame: (number | null)[]) => {
      const q = new Quaternion(frame[1] ?? 0, frame[2] ?? 0, frame[3] ?? 0, frame[0] ?? 1);
      const f = new Vector3(six[0] || 0, six[1] || 0, six[2] || 0).applyQuaternion(q);
      if (inboard >= 0) f.applyQuaternion(at.turnOf(inboard));
      this.arrow(at.onBody(inboard, new Vector3(...number3(place))), f, colour);
    };
    const is = (kind: string, name: string) =>
      shown.loads === "all" ||
      (shown.loads === "chosen" && chosen?.name === name && (chosen.kind === kind || chosen.kind === "body"));
    l.run.bodies.forEach((b, k) => {
      if (is("joint", b.name) && b.joint !== "free" && loadAt(l, k, t, six))
        load(at.bodyNamed(b.inboard), b.at, b.frame);
    });
    for (const j of l.run.joints)
      if (is("loop", j.name) && loopLoadAt(l, j, t, six)) load(at.bodyNamed(j.from), j.at, j.frame);
  }
}

// 1, 2 or 5 times a power of ten, not above v.
function round(v: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(v, 1e-12)));
  return power * (v / power >= 5 ? 5 : v / power >= 2 ? 2 : 1);
}
