// arrows3d.ts - contacts: a point where two vehicles touch, and the impulse on each of them as an arrow.
//
// A collision is many micro-impacts. The arrow is their sum over the last half second, on either side along its
// direction; its length is the impulse over a scale that the legend gives.
import {
  ConeGeometry,
  CylinderGeometry,
  Group,
  InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
  Quaternion,
  SphereGeometry,
  Vector3,
  type BufferGeometry,
} from "three";
import { niceAbove } from "../draw/paint.ts";
import type { Contact, Frame } from "../wire/frame.ts";
import { touchSpot, type Placed } from "./placed.ts";
import { newSpot } from "./ground3d.ts";
import { Scale } from "./straincolour.ts";

const ARROWS = 16;
const REACH = 200; // m from the focus
const LONGEST = 2.5; // m
const SHOWN = 0.3; // s since the last impact of a pair
const TIP = 0.26;
const UP = new Vector3(0, 1, 0); // axis of three's cylinders

// What a pair of vehicles has exchanged of late.
export interface Exchange {
  newest: Contact;
  impacts: number;
  impulse: [number, number, number]; // N s, on id2, in the axes of the road
  total: number; // N s, its size
}

// One entry per pair, of contacts of the last half second.
export function exchanges(contacts: Contact[]): Exchange[] {
  const all = new Map<string, Exchange>();
  for (const c of contacts) {
    const forward = c.id < c.id2;
    const key = forward ? `${c.id}/${c.id2}` : `${c.id2}/${c.id}`;
    let e = all.get(key);
    if (!e) all.set(key, (e = { newest: c, impacts: 0, impulse: [0, 0, 0], total: 0 }));
    const sign = c.id === e.newest.id ? 1 : -1;
    if (c.age <= e.newest.age && sign > 0) e.newest = c;
    e.impacts++;
    for (let k = 0; k < 3; k++) e.impulse[k]! += sign * c.impulse * c.normal[k]!;
  }
  for (const e of all.values()) e.total = Math.hypot(...e.impulse);
  return [...all.values()];
}

export class Arrows {
  group = new Group();
  on = true;
  count = 0; // arrows drawn
  perMetre = 0; // N s; 0: nothing is drawn
  readonly tips: InstancedMesh;
  private points: InstancedMesh;
  private shafts: InstancedMesh;
  private paint = new MeshBasicMaterial({ depthTest: false, transparent: true });
  private scale = new Scale(500, (v) => niceAbove(v / LONGEST));
  private spot = newSpot();
  private along = new Vector3();
  private from = new Vector3();
  private place = new Vector3();
  private size = new Vector3();
  private turn = new Quaternion();
  private m = new Matrix4();

  constructor() {
    this.points = this.make(new SphereGeometry(0.07, 12, 8));
    this.shafts = this.make(new CylinderGeometry(0.03, 0.03, 1, 8));
    this.tips = this.make(new ConeGeometry(0.09, TIP, 12));
  }
  private make(g: BufferGeometry): InstancedMesh {
    const m = new InstancedMesh(g, this.paint, ARROWS);
    m.count = 0;
    m.visible = false;
    m.frustumCulled = false;
    m.renderOrder = 5;
    this.group.add(m);
    return m;
  }
  repaint(colour: string): void {
    this.paint.color.set(colour);
  }

  // key: of the collision that is looked at; the scale holds while it is.
  update(frame: Frame, at: Placed, key: string): void {
    this.count = 0;
    const near = this.on && frame.contacts.length ? exchanges(frame.contacts) : [];
    const shown = near.filter((e) => e.newest.age <= SHOWN && Math.abs(e.newest.point[0] - at.focus) <= REACH);
    let largest = 0;
    for (const e of shown) largest = Math.max(largest, e.total);
    this.perMetre = shown.length ? this.scale.hold(largest, key) : 0;
    for (const e of shown) {
      if (this.count + 2 > ARROWS) break;
      touchSpot(frame, e.newest, at, this.spot);
      for (const side of [1, -1]) this.put(e, side);
    }
    for (const m of [this.points, this.shafts, this.tips]) {
      m.count = this.count;
      m.visible = this.count > 0;
      m.instanceMatrix.needsUpdate = this.count > 0;
    }
  }

  private put(e: Exchange, side: number): void {
    const { x, y, z, c, s } = this.spot;
    const [nx, ny, nz] = e.impulse;
    const length = Math.max(TIP + 0.05, e.total / this.perMetre);
    this.from.set(x, y, z);
    this.along.set(c * nx - s * ny, s * nx + c * ny, nz).multiplyScalar(side);
    if (this.along.lengthSq() < 1e-12) return;
    this.along.normalize();
    this.turn.setFromUnitVectors(UP, this.along);
    const k = this.count++;
    const shaft = length - TIP;
    this.points.setMatrixAt(k, this.m.makeTranslation(x, y, z));
    this.place.copy(this.from).addScaledVector(this.along, shaft / 2);
    this.shafts.setMatrixAt(k, this.m.compose(this.place, this.turn, this.size.set(1, shaft, 1)));
    this.place.copy(this.from).addScaledVector(this.along, length - TIP / 2);
    this.tips.setMatrixAt(k, this.m.compose(this.place, this.turn, this.size.set(1, 1, 1)));
  }
}
