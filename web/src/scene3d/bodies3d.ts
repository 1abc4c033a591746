// bodies3d.ts - cars of the 3-D view as instances: rigid ones near and far, deformable ones as affine
// images of a painted ball with wheels, their rest shapes dashed, contacts with their arrows.

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
  MeshPhongMaterial,
  SphereGeometry,
  ConeGeometry,
  CylinderGeometry,
  Vector3,
  Vector4,
} from "three";
import type { Roster } from "../core/roster.ts";
import { palette } from "../draw/paint.ts";
import type { Body, Contact, Frame } from "../wire/frame.ts";
import { ballShape, carShape, farShape, wheelShape } from "./mesh3d.ts";
import { deformation, magnified, rotation } from "./strain.ts";

export const NEAR = 130; // m from the camera up to which cars are drawn in full
export const FOG = 900; // m at which the fog hides everything
const BEHIND = 12; // m: a car's length and more
const CLEARANCE = 0.16; // m under the floor
const MAX_NEAR = 160;
const BALLS = 256;
const WHEELS = 4 * BALLS;
const RESTS = 24;
const RING = 64;
const TINTS = 4;
const ARROWS = 16;

// Fills a column-major 4 x 4: rows of the car's frame scaled by its size.
function putCar(
  m: Float32Array,
  at: number,
  x: number,
  y: number,
  z: number,
  psi: number,
  pitch: number,
  l: number,
  w: number,
  h: number,
): void {
  const c = Math.cos(psi);
  const s = Math.sin(psi);
  const cp = Math.cos(pitch);
  const sp = Math.sin(pitch);
  m[at] = c * cp * l;
  m[at + 1] = s * cp * l;
  m[at + 2] = sp * l;
  m[at + 3] = 0;
  m[at + 4] = -s * w;
  m[at + 5] = c * w;
  m[at + 6] = 0;
  m[at + 7] = 0;
  m[at + 8] = -c * sp * h;
  m[at + 9] = -s * sp * h;
  m[at + 10] = cp * h;
  m[at + 11] = 0;
  m[at + 12] = x;
  m[at + 13] = y;
  m[at + 14] = z;
  m[at + 15] = 1;
}

// eye: where the camera stands, m along the road and in the picture's y and z; look: its direction.
export interface Eye {
  x: number;
  y: number;
  z: number;
  look: Vector3;
}
export interface Placed {
  eye: Eye;
  origin: number;
  focus: number;
  z: (x: number) => number;
  slope: (x: number) => number;
  colour: (i: number, slot: number) => Color;
  lateral: number;
}

export class Bodies3d {
  group = new Group();
  deformation = 1; // magnification
  restShapes = true;
  arrows = true;
  private near: InstancedMesh;
  private far: InstancedMesh;
  private balls: InstancedMesh;
  private wheels: InstancedMesh;
  private rest: LineSegments;
  private tints: Vector4[] = Array.from({ length: TINTS }, () => new Vector4(0, 0, -1000, 0));
  private danger = { value: new Color("#ff5f7e") };
  private points: Mesh[] = [];
  private shafts: Mesh[] = [];
  private tips: Mesh[] = [];
  private paint = new MeshBasicMaterial({ color: "#ff5f7e", depthTest: false, transparent: true });
  private deformed = new Set<number>();
  private f = new Float64Array(9);
  private r = new Float64Array(9);
  private a = new Float64Array(9);
  private matrix = new Matrix4();
  private v = new Vector3();
  private w = new Vector3();

  constructor() {
    const skin = new MeshPhongMaterial({ vertexColors: true, shininess: 60, specular: new Color("#3a3f46") });
    const plain = new MeshLambertMaterial({ vertexColors: true });
    skin.onBeforeCompile = plain.onBeforeCompile = paintWhite;
    this.near = this.instances(carShape(), skin, MAX_NEAR);
    this.far = this.instances(farShape(), plain, 1024);
    this.balls = this.instances(ballShape(), this.tinted(), BALLS);
    this.wheels = this.instances(wheelShape(), new MeshLambertMaterial({ vertexColors: true }), WHEELS);
    const g = new BufferGeometry();
    g.setAttribute("position", new BufferAttribute(new Float32Array(RESTS * 2 * RING * 2 * 3), 3));
    g.setAttribute("lineDistance", new BufferAttribute(new Float32Array(RESTS * 2 * RING * 2), 1));
    this.rest = new LineSegments(g, new LineDashedMaterial({ dashSize: 0.14, gapSize: 0.1, color: "#ffffff" }));
    this.rest.frustumCulled = false;
    this.group.add(this.rest);
    for (let k = 0; k < ARROWS; k++) this.makeArrow();
  }

  private instances(g: BufferGeometry, material: MeshLambertMaterial | MeshPhongMaterial, n: number): InstancedMesh {
    const m = new InstancedMesh(g, material, n);
    m.setColorAt(0, new Color("#fff"));
    m.count = 0;
    m.frustumCulled = false;
    this.group.add(m);
    return m;
  }

  // The skin of deformable bodies turns to the danger colour within a metre of a contact.
  private tinted(): MeshPhongMaterial {
    const m = new MeshPhongMaterial({ vertexColors: true, shininess: 90, specular: new Color("#4a4f56") });
    m.onBeforeCompile = (shader) => {
      paintWhite(shader);
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
          "#include <color_fragment>",
          `#include <color_fragment>
          for (int k = 0; k < ${TINTS}; k++) { float d = distance(where, contacts[k].xyz); diffuseColor.rgb = mix(diffuseColor.rgb, danger, contacts[k].w * exp(-d * d * 3.5)); }`,
        );
    };
    return m;
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
    this.danger.value.set(p.danger);
    this.paint.color.set(p.danger);
    (this.rest.material as LineDashedMaterial).color.set(p.dark ? "#ffffff" : "#161a20");
  }

  // All cars of a frame about the focus. What is deformable is left to bodies().
  cars(frame: Frame, roster: Roster, at: Placed): void {
    this.deformed.clear();
    for (const b of frame.bodies) this.deformed.add(b.id);
    this.grow(Math.min(frame.n, 20000));
    const y = frame.field("y");
    const psi = frame.field("psi");
    const near = this.near.instanceMatrix.array as Float32Array;
    const far = this.far.instanceMatrix.array as Float32Array;
    const nearColour = this.near.instanceColor!.array as Float32Array;
    const farColour = this.far.instanceColor!.array as Float32Array;
    let n = 0;
    let m = 0;
    const fx = frame.x;
    const eye = at.eye;
    const look = eye.look;
    const count = frame.n;
    for (let i = 0; i < count; i++) {
      const x = fx[i]!;
      const ahead = x - eye.x;
      if (ahead > FOG || ahead < -FOG) continue;
      const z = at.z(x);
      const slot = roster.slot(frame.id[i]!);
      const d = Math.abs(x - at.focus);
      if (ahead * look.x + ((y ? y[i]! : 0) - eye.y) * look.y + (z - eye.z) * look.z < -BEHIND) continue; // behind the camera
      if (slot < 0 || (d < 400 && this.deformed.size > 0 && this.deformed.has(frame.id[i]!))) continue;
      const close = d < NEAR && n < MAX_NEAR && !roster.box[slot];
      const c = at.colour(i, slot);
      const l = roster.length[slot]!;
      const w = roster.width[slot]!;
      const h = roster.vehicles[slot]!.height || 1.45;
      if (close) {
        putCar(near, 16 * n, x - at.origin, y ? y[i]! : 0, z, psi ? psi[i]! : 0, at.slope(x), l, w, h);
        nearColour[3 * n] = c.r;
        nearColour[3 * n + 1] = c.g;
        nearColour[3 * n + 2] = c.b;
        n++;
      } else {
        putCar(far, 16 * m, x - at.origin, y ? y[i]! : 0, z, psi ? psi[i]! : 0, 0, l, w, h);
        farColour[3 * m] = c.r;
        farColour[3 * m + 1] = c.g;
        farColour[3 * m + 2] = c.b;
        m++;
      }
    }
    show(this.near, n);
    show(this.far, m);
  }

  private grow(n: number): void {
    if (n <= this.far.instanceMatrix.count) return;
    const old = this.far;
    this.group.remove(old);
    this.far = this.instances(old.geometry as BufferGeometry, old.material as MeshLambertMaterial, Math.ceil(1.2 * n));
    old.dispose();
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
      const lift = at.z(x) + standing(b);
      affine(array, 16 * n, this.a, x - at.origin, b.centre[1], b.centre[2] + lift);
      const c = at.colour(i, slot);
      colours[3 * n] = c.r;
      colours[3 * n + 1] = c.g;
      colours[3 * n + 2] = c.b;
      wheels = this.putWheels(b, at, at.z(x), wheels);
      if (this.restShapes && rests < RESTS && Math.abs(x - at.focus) < 60) rests = this.putRest(b, at, lift, rests);
      n++;
    }
    show(this.balls, n);
    show(this.wheels, wheels);
    this.rest.geometry.setDrawRange(0, rests * 2 * RING * 2);
    this.rest.geometry.getAttribute("position").needsUpdate = true;
    this.rest.geometry.getAttribute("lineDistance").needsUpdate = true;
  }

  // Four wheels hang at material points of the floor and stand on the road.
  private putWheels(b: Body, at: Placed, lift: number, n: number): number {
    const array = this.wheels.instanceMatrix.array as Float32Array;
    const colours = this.wheels.instanceColor!.array as Float32Array;
    const a = this.a;
    const r = this.r;
    for (const u of [-0.58, 0.58])
      for (const v of [-0.72, 0.72]) {
        if (n >= WHEELS) return n;
        const x = b.centre[0] + a[0]! * u + a[1]! * v;
        const y = b.centre[1] + a[3]! * u + a[4]! * v;
        this.matrix.set(r[0]!, r[1]!, r[2]!, x - at.origin, r[3]!, r[4]!, r[5]!, y, 0, 0, 1, lift + 0.32, 0, 0, 0, 1);
        this.matrix.toArray(array, 16 * n);
        colours.fill(1, 3 * n, 3 * n + 3);
        n++;
      }
    return n;
  }

  // The rest shape, turned with the body: its outline from the side and from above, dashed.
  private putRest(b: Body, at: Placed, lift: number, k: number): number {
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
          p[3 * at3] = b.centre[0] - at.origin + r[0]! * u + r[w]! * q;
          p[3 * at3 + 1] = b.centre[1] + r[3]! * u + r[3 + w]! * q;
          p[3 * at3 + 2] = b.centre[2] + lift + r[6]! * u + r[6 + w]! * q;
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
      if (c)
        this.tints[k]!.set(
          c.point[0] - at.origin,
          c.point[1],
          bumper(frame, c) + at.z(c.point[0]),
          Math.max(0, 0.85 * Math.exp(-c.age / 0.4)),
        );
      else this.tints[k]!.w = 0;
    }
    let used = 0;
    for (const c of list) {
      if (!this.arrows || used + 1 >= ARROWS || Math.abs(c.point[0] - at.focus) > 200 || c.age > 0.3 || older(list, c))
        continue;
      const length = Math.max(0.35, Math.min(3.5, Math.abs(c.impulse) / 3000));
      for (const side of [1, -1]) this.putArrow(used++, c, bumper(frame, c), at, side, length);
    }
    for (let k = 0; k < ARROWS; k++)
      this.points[k]!.visible = this.shafts[k]!.visible = this.tips[k]!.visible = k < used;
  }

  private putArrow(k: number, c: Contact, z: number, at: Placed, side: number, length: number): void {
    const from = this.v.set(c.point[0] - at.origin, c.point[1], z + at.z(c.point[0]));
    const along = this.w.set(c.normal[0], c.normal[1], c.normal[2]).multiplyScalar(side).normalize();
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

// A body's z counts from where its middle is at rest; this is how high that is above the road.
export function standing(b: Body): number {
  return b.rest[2] + CLEARANCE;
}

// What is white gets the car's colour; glass, tyres and lamps keep theirs.
function paintWhite(shader: { vertexShader: string }): void {
  shader.vertexShader = shader.vertexShader.replace(
    "#include <color_vertex>",
    `vColor = vec4(color, 1.0);
    #ifdef USE_INSTANCING_COLOR
      if (min(color.r, min(color.g, color.b)) > 0.99) vColor.rgb = instanceColor.rgb;
    #endif`,
  );
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
