// links.ts - what is between bodies: springs as coils that compress, dampers, rods without mass, and joints by their kind.
import {
  Curve,
  MeshStandardMaterial,
  Matrix4,
  Quaternion,
  SphereGeometry,
  TubeGeometry,
  Vector3,
  type BufferGeometry,
  type Group,
  type InstancedMesh,
} from "three";
import { number3 } from "./data.ts";
import type { Posed } from "./posed.ts";
import { between, finishMaterial, instances, unitBox, unitCylinder } from "./shapes.ts";

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
interface Link {
  from: () => Vector3;
  to: () => Vector3;
  wide: number;
  mesh: InstancedMesh;
  index: number;
}

export class Links {
  readonly meshes: InstancedMesh[] = [];
  private readonly links: Link[] = [];
  private readonly spots: { mesh: InstancedMesh; index: number; at: () => Matrix4 }[] = [];
  private readonly m = new Matrix4();

  constructor(
    private readonly root: Group,
    private readonly at: Posed,
    private readonly size: number,
    private readonly dark: boolean,
  ) {
    this.laySprings();
    this.layJoints();
    this.layRods();
  }
  private add(geometry: BufferGeometry, material: MeshStandardMaterial, count: number, finish = ""): InstancedMesh {
    const mesh = instances(this.root, geometry, material, count);
    if (finish) mesh.userData.finish = finish;
    this.meshes.push(mesh);
    return mesh;
  }
  private get wide(): number {
    return Math.min(0.032 * this.size, 0.09);
  }

  private laySprings(): void {
    const { at } = this;
    const { run } = at;
    const ends = run.springs.map((s) => {
      const [a, b] = [Math.max(at.pointNamed(s.from), 0), Math.max(at.pointNamed(s.to), 0)];
      return { s, from: () => at.point(a), to: () => at.point(b) };
    });
    // A prism with a spring of its own: between the middles of its two bodies.
    const own = run.bodies.flatMap((b, k) => {
      if (b.joint !== "prism" || !(b.stiffness || b.damping)) return [];
      const inboard = at.bodyNamed(b.inboard);
      const middle = (body: number) => new Vector3(...number3(run.bodies[body]?.shapes[0]?.at ?? [0, 0, 0]));
      const [low, high] = [middle(inboard), middle(k)];
      return [
        {
          s: { stiffness: b.stiffness, damping: b.damping, formula: false },
          from: () => at.onBody(inboard, low.clone()),
          to: () => at.onBody(k, high.clone()),
        },
      ];
    });
    const all = [...ends, ...own];
    const coils = all.filter(({ s }) => s.stiffness || s.formula);
    const dampers = all.filter(({ s }) => s.damping);
    const { wide } = this;
    if (coils.length) {
      const teal = new MeshStandardMaterial({ color: 0x35b0a2, roughness: 0.35, metalness: 0.1 });
      const mesh = this.add(new TubeGeometry(new Coil(), 180, 0.15, 6), teal, coils.length);
      coils.forEach((c, index) => this.links.push({ ...c, wide, mesh, index }));
    }
    if (!dampers.length) return;
    // The tube is in the lower half and the rod in the upper: both are as long as half of what there is.
    const bar = () => unitCylinder().translate(0, 0, 0.5);
    const tube = this.add(bar(), finishMaterial("dark", this.dark), dampers.length, "dark");
    const rod = this.add(bar(), finishMaterial("steel", this.dark), dampers.length, "steel");
    dampers.forEach((d, index) => {
      this.links.push({ from: () => d.to().lerp(d.from(), 0.55), to: d.to, wide, mesh: tube, index });
      this.links.push({ from: d.from, to: d.to, wide: 0.45 * wide, mesh: rod, index });
    });
  }

  private layJoints(): void {
    const { at } = this;
    const { run } = at;
    const r = Math.min(0.014 * this.size, 0.05);
    const balls: (() => Matrix4)[] = [];
    const pins: (() => Matrix4)[] = [];
    const slides: (() => Matrix4)[] = [];
    const glyph = (
      kind: string,
      inboard: number,
      j: { at: (number | null)[]; frame: (number | null)[]; axis: (number | null)[] },
    ) => {
      if (kind === "free" || kind === "gear" || kind === "rack") return;
      const q = new Quaternion(j.frame[1] ?? 0, j.frame[2] ?? 0, j.frame[3] ?? 0, j.frame[0] ?? 1);
      const axis = new Vector3(...number3(j.axis));
      if (axis.length() > 0.5) q.multiply(new Quaternion().setFromUnitVectors(UP, axis.normalize()));
      const put = (list: (() => Matrix4)[], x: number, y: number, z: number) => {
        const local = new Matrix4().compose(new Vector3(...number3(j.at)), q, new Vector3(x * r, y * r, z * r));
        list.push(() => at.placed(inboard, local.clone()));
      };
      if (kind === "hinge" || kind === "cylinder") put(pins, 2.2, 2.2, 5.5);
      else if (kind === "prism" || kind === "fixed") put(slides, 2.4, 2.4, 3.6);
      else put(balls, 1.5, 1.5, 1.5);
    };
    for (const b of run.bodies) glyph(b.joint, at.bodyNamed(b.inboard), b);
    for (const j of run.joints) glyph(j.kind, at.bodyNamed(j.from), j);
    // Points: small, they only mark.
    run.points.forEach((_, k) =>
      balls.push(() => new Matrix4().makeScale(0.7 * r, 0.7 * r, 0.7 * r).setPosition(at.point(k))),
    );
    const lay = (geometry: BufferGeometry, list: (() => Matrix4)[]) => {
      if (!list.length) return geometry.dispose();
      const brass = new MeshStandardMaterial({ color: 0xc9a85e, roughness: 0.35, metalness: 0.15 });
      const mesh = this.add(geometry, brass, list.length);
      list.forEach((place, index) => this.spots.push({ mesh, index, at: place }));
    };
    lay(new SphereGeometry(1, 14, 10), balls);
    lay(unitCylinder(), pins);
    lay(unitBox(), slides);
  }

  // Rods without mass.
  private layRods(): void {
    const { at } = this;
    const rods = at.run.joints.filter((j) => j.kind === "distance");
    if (!rods.length) return;
    const bar = unitCylinder().translate(0, 0, 0.5);
    const mesh = this.add(bar, finishMaterial("steel", this.dark), rods.length, "steel");
    rods.forEach((j, index) => {
      const end = (name: string | null, place: (number | null)[]) => {
        const body = at.bodyNamed(name);
        return () => at.onBody(body, new Vector3(...number3(place)));
      };
      this.links.push({ from: end(j.from, j.at), to: end(j.to, j.to_at), wide: 0.5 * this.wide, mesh, index });
    });
  }

  update(): void {
    for (const k of this.links) k.mesh.setMatrixAt(k.index, between(k.from(), k.to(), k.wide, this.m));
    for (const s of this.spots) s.mesh.setMatrixAt(s.index, s.at());
    for (const mesh of this.meshes) mesh.instanceMatrix.needsUpdate = true;
  }
}
