// bodies.ts - the bodies of a mechanism as their shapes: parts of one kind are instances of one mesh, so that a car is drawn
// with some thirty calls.
import {
  BufferGeometry,
  DoubleSide,
  Float32BufferAttribute,
  InstancedMesh,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  Mesh,
  MeshStandardMaterial,
  Quaternion,
  Vector3,
  type Group,
  type Raycaster,
} from "three";
import type { BodyPart, Shape } from "../wire/protocol.ts";
import { number3 } from "./data.ts";
import type { Posed } from "./posed.ts";
import {
  between,
  edgesOf,
  FINISHES,
  finishMaterial,
  instances,
  merge,
  meshOf,
  PAINTS,
  shapeMatrix,
  unitBox,
  unitCylinder,
  unitWheel,
  wheelMaterial,
  type Finish,
} from "./shapes.ts";

// One kind of part: instances, and which body each belongs to.
type Parts = { body: number; local: Matrix4 }[];
interface Batch {
  mesh: InstancedMesh;
  of: Parts;
}
export interface Struck {
  body: number;
  distance: number;
  point: Vector3; // in the world
}
// What a shape with points is painted with; null: as its body. clear: it is seen through, with its edges.
export type Paint = (body: string, shape: number) => { colour: string; clear: boolean } | null;

const CLEAR = 0.3; // opacity of what is seen through
const FLIP = new Matrix4().makeRotationX(Math.PI);

export class Bodies {
  readonly wheels: Parts = []; // unit wheels about z
  private readonly batches: Batch[] = [];
  private readonly meshes: { mesh: Mesh; body: number }[] = [];
  private readonly edges: { lines: LineSegments; body: number }[] = [];
  private readonly probes: { mesh: InstancedMesh | Mesh; index: number; back: Matrix4 }[] = [];
  private readonly m = new Matrix4();

  constructor(
    private readonly root: Group,
    private readonly at: Posed,
    private readonly size: number,
    private readonly dark: boolean,
    middle: Vector3,
    paint: Paint,
  ) {
    const { bodies } = at.run;
    const boxes = new Map<Finish, Parts>();
    const rounds = new Map<Finish, Parts>();
    const put = (map: Map<Finish, Parts>, f: Finish, part: Parts[number]) => {
      if (!map.has(f)) map.set(f, []);
      map.get(f)!.push(part);
    };
    const rough: Parts[] = [[], []];
    bodies.forEach((b, body) => {
      const solid = new Map<string, Shape[]>(); // by finish and paint
      for (const [k, s] of b.shapes.entries()) {
        const local = shapeMatrix(s);
        const own = paint(b.name, k);
        const key = `${s.finish} ${own?.colour ?? ""} ${own?.clear ? "clear" : ""}`;
        if (s.points) solid.set(key, [...(solid.get(key) ?? []), s]);
        else if (s.kind === "wheel") {
          const part = { body, local: this.faced(body, local, middle) };
          rough[(s.size[2] ?? 0) > 0.26 * (s.size[0] ?? 1) ? 1 : 0]!.push(part);
          this.wheels.push(part);
        } else if (s.kind === "box" || (s.kind === "beam" && !s.round)) put(boxes, s.finish, { body, local });
        else put(rounds, s.finish, { body, local });
      }
      for (const [key, shapes] of solid) {
        const [finish, colour, clear] = key.split(" ");
        this.addMesh(shapes, finish as Finish, body, b, colour!, clear === "clear");
      }
    });
    for (const f of FINISHES) {
      this.add(unitBox, f, boxes.get(f) ?? []);
      this.add(unitCylinder, f, rounds.get(f) ?? []);
    }
    rough.forEach((parts, k) => {
      if (parts.length) this.batch(unitWheel(k === 1), wheelMaterial(), parts);
    });
    this.layRods(bodies);
    bodies.forEach((_, body) => this.probe(body));
  }

  // A wheel's face is away from the middle of the mechanism at the start.
  private faced(body: number, local: Matrix4, middle: Vector3): Matrix4 {
    const place = new Matrix4().multiplyMatrices(this.at.frames[body]!, local);
    const out = new Vector3().setFromMatrixPosition(place).add(this.at.origin).sub(middle);
    const axis = new Vector3().setFromMatrixColumn(place, 2);
    return axis.dot(out) < 0 ? local.multiply(FLIP) : local;
  }
  private add(geometry: () => BufferGeometry, finish: Finish, parts: Parts): void {
    if (!parts.length) return;
    const mesh = this.batch(geometry(), finishMaterial(finish, this.dark), parts);
    mesh.userData.finish = finish;
    mesh.castShadow = finish !== "glass";
    if (finish === "paint") parts.forEach((p, k) => mesh.setColorAt(k, PAINTS[p.body % PAINTS.length]!));
  }
  private batch(geometry: BufferGeometry, material: MeshStandardMaterial, of: Parts): InstancedMesh {
    const mesh = instances(this.root, geometry, material, of.length);
    this.batches.push({ mesh, of });
    return mesh;
  }

  // Bodies without a shape of their own are held together by rods: from the joint to the mass centre and to points.
  private layRods(bodies: BodyPart[]): void {
    const rods: Parts = [];
    const wide = 0.016 * this.size;
    const add = (body: number, to: Vector3) => {
      if (to.length() > 1e-6) rods.push({ body, local: between(new Vector3(), to, wide, new Matrix4()) });
    };
    bodies.forEach((b, k) => {
      if (b.shapes.some((s) => !s.made)) return;
      add(k, new Vector3(...number3(b.centre)));
      for (const child of bodies) if (child.inboard === b.name) add(k, new Vector3(...number3(child.at)));
    });
    if (rods.length) this.add(() => unitCylinder().translate(0, 0, 0.5), "steel", rods);
  }

  private addMesh(shapes: Shape[], finish: Finish, body: number, b: BodyPart, colour: string, clear: boolean): void {
    const material = finishMaterial(finish, this.dark);
    const glass = finish === "glass";
    if (finish === "paint") material.color.copy(PAINTS[body % PAINTS.length]!);
    if (colour && !glass) material.color.set(colour);
    if (clear && !glass) {
      material.transparent = true;
      material.opacity = CLEAR;
      material.depthWrite = false;
    }
    material.side = DoubleSide;
    const mesh = new Mesh(merge(shapes.map(meshOf)), material);
    mesh.userData.finish = glass ? "glass" : colour ? "own" : finish;
    mesh.matrixAutoUpdate = false;
    mesh.castShadow = !glass;
    mesh.receiveShadow = !clear;
    mesh.frustumCulled = false;
    this.root.add(mesh);
    this.meshes.push({ mesh, body });
    if (!glass && !clear) return;
    const lines = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ transparent: true, opacity: 0.75 }));
    lines.geometry.setAttribute("position", new Float32BufferAttribute(edgesOf({ ...b, shapes }), 3));
    lines.matrixAutoUpdate = false;
    lines.frustumCulled = false;
    lines.userData.colour = clear && !glass ? colour : "";
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

  update(): void {
    const { frames } = this.at;
    for (const { mesh, of } of this.batches) {
      of.forEach((o, k) => mesh.setMatrixAt(k, this.m.multiplyMatrices(frames[o.body]!, o.local)));
      mesh.instanceMatrix.needsUpdate = true;
    }
    for (const { mesh, body } of this.meshes) mesh.matrix.copy(frames[body]!);
    for (const { lines, body } of this.edges) lines.matrix.copy(frames[body]!);
  }

  theme(dark: boolean): void {
    for (const mesh of [...this.batches.map((b) => b.mesh), ...this.meshes.map((m) => m.mesh)]) repaint(mesh, dark);
    for (const { lines } of this.edges)
      (lines.material as LineBasicMaterial).color.set(
        (lines.userData.colour as string) || (dark ? "#9fb4cb" : "#51667d"),
      );
  }

  // Where a body is drawn: x, y, z and the quaternion w, x, y, z of its frame; nothing if no part is drawn.
  drawn(k: number): number[] {
    const probe = this.probes[k];
    if (!probe) return [];
    const m = new Matrix4();
    if (probe.mesh instanceof InstancedMesh) probe.mesh.getMatrixAt(probe.index, m);
    else m.copy(probe.mesh.matrix);
    const [p, q] = [new Vector3(), new Quaternion()];
    m.multiply(probe.back).premultiply(this.root.matrix).decompose(p, q, new Vector3());
    return [p.x, p.y, p.z, q.w, q.x, q.y, q.z];
  }

  // The lowest corner at the instant that is drawn, m in the axes of the group.
  lowest(): number {
    let low = Infinity;
    const corner = new Vector3();
    for (const { of } of this.batches)
      for (const o of of)
        for (let k = 0; k < 8; k++) {
          corner.set(k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, k & 4 ? 0.5 : -0.5).applyMatrix4(o.local);
          low = Math.min(low, corner.applyMatrix4(this.at.frames[o.body]!).z);
        }
    return low;
  }

  strike(ray: Raycaster): Struck | null {
    this.root.updateMatrixWorld(true);
    let best: Struck | null = null;
    const see = (distance: number, body: number, point: Vector3) => {
      if (!best || distance < best.distance) best = { distance, body, point };
    };
    for (const { mesh, of } of this.batches) {
      mesh.computeBoundingSphere(); // of where its instances are now
      for (const h of ray.intersectObject(mesh)) see(h.distance, of[h.instanceId ?? 0]!.body, h.point);
    }
    for (const { mesh, body } of this.meshes)
      if (mesh.userData.finish !== "glass") for (const h of ray.intersectObject(mesh)) see(h.distance, body, h.point);
    return best;
  }
}

// The colour of a finish in a theme; what has a colour of its own keeps it.
export function repaint(mesh: Mesh, dark: boolean): void {
  const finish = mesh.userData.finish as Finish | "own" | undefined;
  if (!finish || finish === "paint" || finish === "own") return;
  const like = finishMaterial(finish, dark);
  const own = mesh.material as MeshStandardMaterial;
  own.color.copy(like.color);
  own.opacity = like.opacity;
  like.dispose();
}
