// skin3d.ts - the skin of deformable vehicles of one look: its body scaled to the box of the unit ball, so that the map
// that deforms the ball deforms it, and its wheels.
import {
  InstancedBufferAttribute,
  InstancedMesh,
  MeshLambertMaterial,
  MeshStandardMaterial,
  Vector3,
  type BufferGeometry,
  type Object3D,
} from "three";
import type { AnyKind } from "./fleet3d.ts";
import { ballShape, wheelShape } from "./mesh3d.ts";
import { bodyMaterials, paintWhite, wheelMaterials, type BodyMaterial } from "./paintshader.ts";
import { CLEARANCE } from "./placed.ts";
import type { Step } from "./quality.ts";
import { patchStrain } from "./straincolour.ts";

const BODIES = 64; // as many as the server keeps (docs/protocol.md)
const WHEELS = 6 * BODIES;

export interface Hub {
  u: number; // in half lengths and half widths of the body
  v: number;
  steered: boolean;
}

export class Skin {
  readonly bodies: InstancedMesh;
  readonly wheels: InstancedMesh;
  readonly lamps = new Float32Array(4 * BODIES);
  readonly strain = new Float32Array(BODIES);
  readonly hubs: Hub[];
  readonly tyre: { r: number; tall: number }; // m, of a body as tall as this; 0: of any
  private skins: BodyMaterial[];
  private rubber: BodyMaterial[];

  // kind: null: not built yet, a painted ball.
  constructor(parent: Object3D, kind: AnyKind | null) {
    const [l, w] = kind ? [0.5 * kind.size[0], 0.5 * kind.size[1]] : [1, 1];
    this.skins = kind?.map && kind.data ? bodyMaterials(kind.map, kind.data, 10, patchStrain) : vertexPaint();
    this.rubber = kind ? wheelMaterials() : greyWheels();
    this.bodies = instances(parent, kind ? inUnitBox(kind) : ballShape(), this.skins[0]!, BODIES);
    this.bodies.geometry.setAttribute("lamps", new InstancedBufferAttribute(this.lamps, 4));
    this.bodies.geometry.setAttribute("strain", new InstancedBufferAttribute(this.strain, 1));
    this.wheels = instances(parent, kind ? kind.wheelShape : wheelShape(), this.rubber[0]!, WHEELS);
    this.tyre = kind ? { r: kind.wheel.r, tall: kind.size[2] } : { r: 0.32, tall: 0 };
    this.hubs = kind
      ? kind.wheels.map((q) => ({ u: q.x / l, v: q.y / w, steered: q.steered }))
      : [0.58, -0.58].flatMap((u) => [0.72, -0.72].map((v) => ({ u, v, steered: u > 0 })));
  }

  setStep(step: Step): void {
    this.bodies.material = this.skins[step.material]!;
    this.wheels.material = this.rubber[step.material]!;
  }
  begin(): void {
    this.bodies.count = this.wheels.count = 0;
  }
  // Places in the arrays; -1: there are no more.
  next(): number {
    return this.bodies.count < BODIES ? this.bodies.count++ : -1;
  }
  nextWheel(): number {
    return this.wheels.count < WHEELS ? this.wheels.count++ : -1;
  }
  // Only what is shown goes to the graphics card.
  show(): void {
    const g = this.bodies.geometry;
    for (const m of [this.bodies, this.wheels]) {
      m.visible = m.count > 0;
      if (!m.count) continue;
      part(m.instanceMatrix, 16 * m.count);
      part(m.instanceColor!, 3 * m.count);
    }
    part(g.getAttribute("lamps") as InstancedBufferAttribute, 4 * this.bodies.count);
    part(g.getAttribute("strain") as InstancedBufferAttribute, this.bodies.count);
  }
  destroy(): void {
    for (const m of [this.bodies, this.wheels]) {
      m.removeFromParent();
      m.dispose();
    }
    this.bodies.geometry.dispose();
    for (const m of [...this.skins, ...this.rubber]) m.dispose();
  }
}

function instances(parent: Object3D, g: BufferGeometry, material: BodyMaterial, n: number): InstancedMesh {
  const m = new InstancedMesh(g, material, n);
  m.instanceColor = new InstancedBufferAttribute(new Float32Array(3 * n).fill(1), 3);
  m.count = 0;
  m.visible = false;
  m.frustumCulled = false;
  m.castShadow = m.receiveShadow = true;
  parent.add(m);
  return m;
}

function inUnitBox(kind: AnyKind): BufferGeometry {
  const [l, w, h] = kind.size.map((v) => 0.5 * v) as [number, number, number];
  const up = h - 0.5 * CLEARANCE;
  const g = kind.levels[0]!.clone();
  const p = g.getAttribute("position");
  const n = g.getAttribute("normal");
  const v = new Vector3();
  for (let i = 0; i < p.count; i++) {
    p.setXYZ(i, p.getX(i) / l, p.getY(i) / w, (p.getZ(i) - h - 0.5 * CLEARANCE) / up);
    v.set(n.getX(i) * l, n.getY(i) * w, n.getZ(i) * up).normalize();
    n.setXYZ(i, v.x, v.y, v.z);
  }
  return g;
}

function vertexPaint(): BodyMaterial[] {
  const standard = new MeshStandardMaterial({ vertexColors: true, roughness: 0.35, metalness: 0.2 });
  const all = [new MeshLambertMaterial({ vertexColors: true }), standard, standard];
  for (const m of all) {
    m.onBeforeCompile = (shader) => {
      paintWhite(shader);
      patchStrain(shader);
    };
    m.customProgramCacheKey = () => "soft";
  }
  return all;
}

function greyWheels(): BodyMaterial[] {
  const matt = new MeshStandardMaterial({ vertexColors: true, roughness: 0.8 });
  return [new MeshLambertMaterial({ vertexColors: true }), matt, matt];
}

function part(a: InstancedBufferAttribute, n: number): void {
  a.clearUpdateRanges();
  a.addUpdateRange(0, n);
  a.needsUpdate = n > 0;
}
