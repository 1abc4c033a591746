// bodies3d.ts - deformable vehicles of the 3-D view as affine images of a painted ball with wheels, their rest shapes
// dashed, contacts with their arrows. Rigid ones are in fleet3d.ts.

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  Group,
  InstancedBufferAttribute,
  InstancedMesh,
  LineDashedMaterial,
  LineSegments,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  MeshStandardMaterial,
  SphereGeometry,
  ConeGeometry,
  CylinderGeometry,
  Vector3,
  Vector4,
} from "three";
import type { Roster } from "../core/roster.ts";
import { palette } from "../draw/paint.ts";
import type { Body, Contact, Frame } from "../wire/frame.ts";
import { newSpot, type Ground, type Spot } from "./ground3d.ts";
import { ballShape, wheelShape } from "./mesh3d.ts";
import type { Kind } from "./kinds3d.ts";
import { bodyMaterials, paintWhite, wheelMaterials, type BodyMaterial, type Shader } from "./paintshader.ts";
import { STEPS, type Step } from "./quality.ts";
import { deformation, magnified, rotation } from "./strain.ts";

const CLEARANCE = 0.16; // m under the floor
const BALLS = 256;
const WHEELS = 4 * BALLS;
const RESTS = 24;
const RING = 64;
const TINTS = 4;
const ARROWS = 16;

export interface Placed {
  ground: Ground;
  focus: number; // m along the road
  colour: (i: number, slot: number) => Color;
}

export class Bodies3d {
  group = new Group();
  deformation = 1; // magnification
  restShapes = true;
  arrows = true;
  private balls: InstancedMesh;
  private wheels: InstancedMesh;
  private skins: BodyMaterial[];
  private rubber: BodyMaterial[];
  private lamps = new Float32Array(4 * BALLS);
  private dressed = false;
  private tyre = { r: 0.32, tall: 0 }; // m, of a body as tall as this; 0: of any
  private step: Step = STEPS[0];
  private hubs = [-0.58, 0.58].flatMap((u) => [-0.72, 0.72].map((v) => [u, v])); // of wheels, in half lengths and widths
  private rest: LineSegments;
  private tints: Vector4[] = Array.from({ length: TINTS }, () => new Vector4(0, 0, -1000, 0));
  private danger = { value: new Color("#ff5f7e") };
  private points: Mesh[] = [];
  private shafts: Mesh[] = [];
  private tips: Mesh[] = [];
  private paint = new MeshBasicMaterial({ color: "#ff5f7e", depthTest: false, transparent: true });
  shade: ((b: Body, r: Float64Array, q: Spot) => void) | null = null; // the dark under a body
  private evening = false;
  private spot = newSpot();
  private f = new Float64Array(9);
  private r = new Float64Array(9);
  private a = new Float64Array(9);
  private matrix = new Matrix4();
  private v = new Vector3();
  private w = new Vector3();

  constructor() {
    const matt = new MeshStandardMaterial({ vertexColors: true, roughness: 0.8 });
    this.rubber = [new MeshLambertMaterial({ vertexColors: true }), matt, matt];
    this.skins = this.tinted();
    this.balls = this.instances(ballShape(), this.skins[0], BALLS);
    this.wheels = this.instances(wheelShape(), this.rubber[0], WHEELS);
    const g = new BufferGeometry();
    g.setAttribute("position", new BufferAttribute(new Float32Array(RESTS * 2 * RING * 2 * 3), 3));
    g.setAttribute("lineDistance", new BufferAttribute(new Float32Array(RESTS * 2 * RING * 2), 1));
    this.rest = new LineSegments(g, new LineDashedMaterial({ dashSize: 0.14, gapSize: 0.1, color: "#ffffff" }));
    this.rest.frustumCulled = false;
    this.group.add(this.rest);
    for (let k = 0; k < ARROWS; k++) this.makeArrow();
  }

  private instances(g: BufferGeometry, material: BodyMaterial, n: number): InstancedMesh {
    const m = new InstancedMesh(g, material, n);
    m.setColorAt(0, new Color("#fff"));
    m.count = 0;
    m.frustumCulled = false;
    m.castShadow = m.receiveShadow = true;
    this.group.add(m);
    return m;
  }

  // The skin of deformable bodies turns to the danger colour within a metre of a contact.
  private tint = (shader: Shader): void => {
    shader.uniforms.contacts = { value: this.tints };
    shader.uniforms.danger = this.danger;
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nvarying vec3 where;")
      .replace(
        "#include <begin_vertex>",
        "#include <begin_vertex>\nwhere = (instanceMatrix * vec4(transformed, 1.0)).xyz;",
      );
    shader.fragmentShader = shader.fragmentShader
      .replace(
        "#include <common>",
        `#include <common>\nvarying vec3 where;\nuniform vec4 contacts[${TINTS}];\nuniform vec3 danger;`,
      )
      .replace(
        "#include <alphamap_fragment>",
        `#include <alphamap_fragment>
        for (int k = 0; k < ${TINTS}; k++) { float d = distance(where, contacts[k].xyz); diffuseColor.rgb = mix(diffuseColor.rgb, danger, contacts[k].w * exp(-d * d * 3.5)); }`,
      );
  };

  private tinted(): BodyMaterial[] {
    const standard = new MeshStandardMaterial({ vertexColors: true, roughness: 0.35, metalness: 0.2 });
    const all = [new MeshLambertMaterial({ vertexColors: true }), standard, standard];
    for (const m of all)
      m.onBeforeCompile = (shader) => {
        paintWhite(shader);
        this.tint(shader);
      };
    return all;
  }

  // The skin of a kind in place of the painted ball: scaled to the ball's box, so that the same affine map deforms it.
  dress(kind: Kind): void {
    if (this.dressed) return;
    this.dressed = true;
    const [l, w, h] = kind.size.map((v) => 0.5 * v);
    const up = h - 0.5 * CLEARANCE;
    const g = kind.levels[0].clone();
    const p = g.getAttribute("position");
    const n = g.getAttribute("normal");
    for (let i = 0; i < p.count; i++) {
      p.setXYZ(i, p.getX(i) / l, p.getY(i) / w, (p.getZ(i) - h - 0.5 * CLEARANCE) / up);
      this.v.set(n.getX(i) * l, n.getY(i) * w, n.getZ(i) * up).normalize();
      n.setXYZ(i, this.v.x, this.v.y, this.v.z);
    }
    g.setAttribute("lamps", new InstancedBufferAttribute(this.lamps, 4));
    this.balls.geometry.dispose();
    this.balls.geometry = g;
    this.skins = bodyMaterials(kind.map, kind.data, 10, this.tint);
    this.hubs = kind.wheels.map((q) => [q.x / l, q.y / w]);
    this.wheels.geometry.dispose();
    this.wheels.geometry = kind.wheelShape;
    this.rubber = wheelMaterials();
    this.tyre = { r: kind.wheel.r, tall: kind.size[2] };
    this.setStep(this.step);
  }

  setStep(step: Step): void {
    this.step = step;
    this.balls.material = this.skins[step.material];
    this.wheels.material = this.rubber[step.material];
  }

  private makeArrow(): void {
    const point = new Mesh(new SphereGeometry(0.07, 12, 8), this.paint);
    const shaft = new Mesh(new CylinderGeometry(0.03, 0.03, 1, 8), this.paint);
    const tip = new Mesh(new ConeGeometry(0.09, 0.26, 12), this.paint);
    for (const [m, list] of [
      [point, this.points],
      [shaft, this.shafts],
      [tip, this.tips],
    ] as const) {
      m.visible = false;
      m.renderOrder = 5;
      m.frustumCulled = false;
      list.push(m);
      this.group.add(m);
    }
  }

  repaint(): void {
    const p = palette();
    this.evening = p.dark;
    this.danger.value.set(p.danger);
    this.paint.color.set(p.danger);
    (this.rest.material as LineDashedMaterial).color.set(p.dark ? "#ffffff" : "#161a20");
  }

  // Deformable bodies: the ball under (R + k (F - R)) diag(rest), wheels, rest shape.
  bodies(frame: Frame, roster: Roster, at: Placed): void {
    const list = frame.bodies;
    const array = this.balls.instanceMatrix.array as Float32Array;
    const colours = this.balls.instanceColor!.array as Float32Array;
    let n = 0;
    let wheels = 0;
    let rests = 0;
    for (const b of list) {
      const x = b.centre[0];
      if (Math.abs(x - at.focus) > 400 || n >= BALLS) continue;
      const slot = roster.slot(b.id);
      const i = frame.index(b.id);
      deformation(b.axes, b.rest, this.f);
      rotation(this.f, this.r);
      magnified(this.f, this.r, this.deformation, b.rest, this.a);
      const path = frame.field("path");
      const q = at.ground.spot(x, b.centre[1], path && i >= 0 ? path[i] : 0, this.spot);
      turn(this.a, q);
      turn(this.r, q);
      affine(array, 16 * n, this.a, q.x, q.y, q.z + standing(b) + b.centre[2]);
      const brake = frame.field("brake");
      this.lamps[4 * n] = brake && i >= 0 && brake[i] > 0.02 ? 1 : this.evening ? 0.28 : 0;
      this.lamps[4 * n + 1] = this.evening ? 1 : 0;
      const c = at.colour(i, slot);
      colours[3 * n] = c.r;
      colours[3 * n + 1] = c.g;
      colours[3 * n + 2] = c.b;
      wheels = this.putWheels(b, wheels);
      this.shade?.(b, this.r, q);
      if (this.restShapes && rests < RESTS && Math.abs(x - at.focus) < 60) rests = this.putRest(b, rests);
      n++;
    }
    show(this.balls, n);
    if (this.dressed) part(this.balls.geometry.getAttribute("lamps") as InstancedBufferAttribute, 4 * n);
    show(this.wheels, wheels);
    this.rest.geometry.setDrawRange(0, rests * 2 * RING * 2);
    this.rest.geometry.getAttribute("position").needsUpdate = true;
    this.rest.geometry.getAttribute("lineDistance").needsUpdate = true;
  }

  // Four wheels hang at material points of the floor and stand on the road.
  private putWheels(b: Body, n: number): number {
    const array = this.wheels.instanceMatrix.array as Float32Array;
    const colours = this.wheels.instanceColor!.array as Float32Array;
    const a = this.a;
    const r = this.r;
    for (const [u, v] of this.hubs) {
      if (n >= WHEELS) return n;
      const x = this.spot.x + a[0]! * u + a[1]! * v;
      const y = this.spot.y + a[3]! * u + a[4]! * v;
      const k = this.tyre.tall ? (2 * b.rest[2] + CLEARANCE) / this.tyre.tall : 1;
      const f = v < 0 ? -k : k; // its outer face is outside
      const z = this.spot.z + k * this.tyre.r;
      this.matrix.set(f * r[0]!, f * r[1]!, k * r[2]!, x, f * r[3]!, f * r[4]!, k * r[5]!, y, 0, 0, k, z, 0, 0, 0, 1);
      this.matrix.toArray(array, 16 * n);
      colours.fill(1, 3 * n, 3 * n + 3);
      n++;
    }
    return n;
  }

  // The rest shape, turned with the body: its outline from the side and from above, dashed.
  private putRest(b: Body, k: number): number {
    const p = (this.rest.geometry.getAttribute("position") as BufferAttribute).array as Float32Array;
    const d = (this.rest.geometry.getAttribute("lineDistance") as BufferAttribute).array as Float32Array;
    const r = this.r;
    for (let ring = 0; ring < 2; ring++) {
      let run = 0;
      for (let m = 0; m < RING; m++)
        for (let end = 0; end < 2; end++) {
          const angle = (2 * Math.PI * (m + end)) / RING;
          const u = 1.02 * b.rest[0] * Math.cos(angle);
          const q = 1.02 * Math.sin(angle) * (ring ? b.rest[1] : b.rest[2]); // just outside the skin
          const w = ring ? 1 : 2;
          const at3 = ((k * 2 + ring) * RING + m) * 2 + end;
          p[3 * at3] = this.spot.x + r[0]! * u + r[w]! * q;
          p[3 * at3 + 1] = this.spot.y + r[3]! * u + r[3 + w]! * q;
          p[3 * at3 + 2] = this.spot.z + standing(b) + b.centre[2] + r[6]! * u + r[6 + w]! * q;
          if (end) run += ((2 * Math.PI * b.rest[0]) / RING) * 0.75;
          d[at3] = run;
        }
    }
    return k + 1;
  }

  // Contacts: a point, the impulse on both sides along the normal, and the tint on the skin.
  contacts(frame: Frame, at: Placed): void {
    const list = frame.contacts;
    for (let k = 0; k < TINTS; k++) {
      const c = list[k];
      if (c) {
        const q = touchSpot(frame, c, at, this.spot);
        this.tints[k]!.set(q.x, q.y, q.z, Math.max(0, 0.85 * Math.exp(-c.age / 0.4)));
      } else this.tints[k]!.w = 0;
    }
    let used = 0;
    for (const c of list) {
      if (!this.arrows || used + 1 >= ARROWS || Math.abs(c.point[0] - at.focus) > 200 || c.age > 0.3 || older(list, c))
        continue;
      const length = Math.max(0.35, Math.min(3.5, Math.abs(c.impulse) / 3000));
      touchSpot(frame, c, at, this.spot);
      for (const side of [1, -1]) this.putArrow(used++, c, side, length);
    }
    for (let k = 0; k < ARROWS; k++)
      this.points[k]!.visible = this.shafts[k]!.visible = this.tips[k]!.visible = k < used;
  }

  private putArrow(k: number, c: Contact, side: number, length: number): void {
    const q = this.spot;
    const from = this.v.set(q.x, q.y, q.z);
    const [nx, ny, nz] = c.normal;
    const along = this.w
      .set(q.c * nx - q.s * ny, q.s * nx + q.c * ny, nz)
      .multiplyScalar(side)
      .normalize();
    this.points[k]!.position.copy(from);
    const shaft = this.shafts[k]!;
    const tip = this.tips[k]!;
    shaft.position.copy(from).addScaledVector(along, length / 2);
    shaft.quaternion.setFromUnitVectors(UP, along);
    shaft.scale.set(1, length, 1);
    tip.position.copy(from).addScaledVector(along, length + 0.1);
    tip.quaternion.copy(shaft.quaternion);
  }
}
// Only the newest contact of a pair is drawn.
function older(list: Contact[], c: Contact): boolean {
  for (const o of list)
    if (o !== c && o.age < c.age && ((o.id === c.id && o.id2 === c.id2) || (o.id === c.id2 && o.id2 === c.id)))
      return true;
  return false;
}

// Height of a contact: bodies know theirs; cars that move along a line touch at the bumper.
export function bumper(frame: Frame, c: Contact): number {
  const b = frame.bodies.find((q) => q.id === c.id || q.id === c.id2);
  return b ? c.point[2] + standing(b) : 0.5;
}

// A contact in the picture, with the road's direction there.
export function touchSpot(frame: Frame, c: Contact, at: Placed, out: Spot): Spot {
  const path = frame.field("path");
  const i = frame.index(c.id);
  at.ground.spot(c.point[0], c.point[1], path && i >= 0 ? path[i] : 0, out);
  out.z += bumper(frame, c);
  return out;
}

// The first two rows of a matrix turned by the road's direction.
function turn(a: Float64Array, q: Spot): void {
  for (let k = 0; k < 3; k++) {
    const x = a[k]!;
    const y = a[3 + k]!;
    a[k] = q.c * x - q.s * y;
    a[3 + k] = q.s * x + q.c * y;
  }
}

// A body's z counts from where its middle is at rest; this is how high that is above the road.
export function standing(b: Body): number {
  return b.rest[2] + CLEARANCE;
}

const UP = new Vector3(0, 1, 0); // axis of three's cylinders

function affine(m: Float32Array, at: number, a: Float64Array, x: number, y: number, z: number): void {
  m[at] = a[0]!;
  m[at + 1] = a[3]!;
  m[at + 2] = a[6]!;
  m[at + 3] = 0;
  m[at + 4] = a[1]!;
  m[at + 5] = a[4]!;
  m[at + 6] = a[7]!;
  m[at + 7] = 0;
  m[at + 8] = a[2]!;
  m[at + 9] = a[5]!;
  m[at + 10] = a[8]!;
  m[at + 11] = 0;
  m[at + 12] = x;
  m[at + 13] = y;
  m[at + 14] = z;
  m[at + 15] = 1;
}

// Only what is shown goes to the graphics card.
function show(m: InstancedMesh, n: number): void {
  m.count = n;
  m.visible = n > 0;
  if (n === 0) return;
  part(m.instanceMatrix, 16 * n);
  if (m.instanceColor) part(m.instanceColor, 3 * n);
}

function part(a: InstancedBufferAttribute, n: number): void {
  a.clearUpdateRanges();
  a.addUpdateRange(0, n);
  a.needsUpdate = true;
}
