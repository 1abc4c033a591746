// closest3d.ts - cars about to touch: the nearest points of each pair and the line between them.
//
// Deformable bodies count as their ellipsoids, the others as boxes of their size. Shown for pairs
// that are near and come nearer, and for the pair of the collision that is looked at, before it
// happens. Nothing is allocated per frame.

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  SphereGeometry,
} from "three";
import type { Roster } from "../core/roster.ts";
import { palette } from "../draw/paint.ts";
import type { Body, Frame } from "../wire/frame.ts";
import { standing, type Placed } from "./placed.ts";
import { Closest, Solid } from "./closest.ts";
import { newSpot, type Spot } from "./ground3d.ts";

const REACH = 60;
const SHOWN = 6;
const WATCHED = 30;
const TOUCHING = 0.004; // m: about the focus; distance shown; of the pair that will collide; touching
const MAX_PAIRS = 8;
const CARS = 64;
const DASHES = 9;

export interface Pair {
  i: number;
  j: number;
  distance: number;
  closing: number;
  x: number;
  y: number;
  z: number;
} // i behind j; the middle, in the picture

export class Closest3d {
  group = new Group();
  on = true;
  count = 0;
  nearest: Pair = { i: -1, j: -1, distance: Infinity, closing: 0, x: 0, y: 0, z: 0 };
  private near = new Int32Array(CARS);
  private heading = new Float64Array(CARS); // rad, in the picture
  private axes = new Float32Array(9);
  private spot = newSpot();
  private solids = Array.from({ length: CARS }, () => new Solid());
  private solver = new Closest();
  private line: LineSegments;
  private points: Mesh[] = [];
  private ink = new MeshBasicMaterial({ depthTest: false, transparent: true });
  private dash = new LineBasicMaterial({ depthTest: false, transparent: true });

  constructor() {
    const g = new BufferGeometry();
    g.setAttribute("position", new BufferAttribute(new Float32Array(MAX_PAIRS * DASHES * 2 * 3), 3));
    this.line = new LineSegments(g, this.dash);
    this.line.frustumCulled = false;
    this.line.renderOrder = 4;
    const ball = new SphereGeometry(0.06, 12, 8);
    for (let k = 0; k < 2 * MAX_PAIRS; k++) {
      const m = new Mesh(ball, this.ink);
      m.visible = false;
      m.renderOrder = 4;
      this.points.push(m);
      this.group.add(m);
    }
    this.group.add(this.line);
  }

  repaint(): void {
    const c = new Color(palette().dark ? "#ffffff" : "#161a20");
    this.ink.color = c;
    this.dash.color = c;
  }

  // first, second: ids of the pair a collision is coming for; -1: none.
  update(frame: Frame, roster: Roster, at: Placed, first: number, second: number): void {
    const n = this.on ? this.gather(frame, roster, at) : 0;
    const y = frame.field("y");
    this.count = 0;
    this.nearest.i = -1;
    this.nearest.distance = Infinity;
    for (let a = 0; a < n; a++)
      for (let b = a + 1; b < n && this.count < MAX_PAIRS; b++) {
        const i = this.near[a]!;
        const j = this.near[b]!;
        const watched =
          (frame.id[i] === first && frame.id[j] === second) || (frame.id[j] === first && frame.id[i] === second);
        const reach = watched ? WATCHED : SHOWN;
        const l = 0.5 * (roster.length[roster.slot(frame.id[i]!)]! + roster.length[roster.slot(frame.id[j]!)]!);
        if (Math.abs(frame.x[i]! - frame.x[j]!) > l + reach || (y && Math.abs(y[i]! - y[j]!) > 4)) continue;
        if (!watched && this.passing(frame, roster, i, j)) continue;
        const d = this.solver.solve(this.solids[a]!, this.solids[b]!);
        const closing = this.closing(frame, a, b, d);
        if (d < TOUCHING || d > reach || (!watched && closing < 0.05)) continue;
        this.put(frame, i, j, d, closing);
      }
    this.line.geometry.setDrawRange(0, this.count * DASHES * 2);
    this.line.geometry.getAttribute("position").needsUpdate = true;
    for (let k = 0; k < 2 * MAX_PAIRS; k++) this.points[k]!.visible = k < 2 * this.count;
  }

  // Cars that keep to lanes of their own go by each other.
  private passing(frame: Frame, roster: Roster, i: number, j: number): boolean {
    const y = frame.field("y");
    const psi = frame.field("psi");
    if (!y || (psi && (Math.abs(psi[i]!) > 0.02 || Math.abs(psi[j]!) > 0.02))) return false;
    return (
      Math.abs(y[i]! - y[j]!) >
      0.5 * (roster.width[roster.slot(frame.id[i]!)]! + roster.width[roster.slot(frame.id[j]!)]!) + 0.2
    );
  }

  // The cars about the focus, each as its solid.
  private gather(frame: Frame, roster: Roster, at: Placed): number {
    const y = frame.field("y");
    const psi = frame.field("psi");
    const path = frame.field("path");
    let n = 0;
    for (let i = 0; i < frame.n && n < CARS; i++) {
      const x = frame.x[i]!;
      const slot = roster.slot(frame.id[i]!);
      if (slot < 0 || Math.abs(x - at.focus) > REACH) continue;
      const body = bodyOf(frame, frame.id[i]!);
      const s = this.solids[n]!;
      const q = at.ground.spot(x, body ? body.centre[1] : y ? y[i]! : 0, path ? path[i]! : 0, this.spot);
      this.heading[n] = Math.atan2(q.s, q.c) + (psi ? psi[i]! : 0);
      if (body) s.ellipsoid(q.x, q.y, body.centre[2] + standing(body) + q.z, turned(body.axes, q, this.axes));
      else s.box(q.x, q.y, q.z + 0.55, this.heading[n]!, 0.5 * roster.length[slot]!, 0.5 * roster.width[slot]!, 0.3);
      this.near[n++] = i;
    }
    return n;
  }

  // How fast the two points come together, m/s.
  private closing(frame: Frame, first: number, second: number, d: number): number {
    const v = frame.field("v");
    const i = this.near[first]!;
    const j = this.near[second]!;
    const { p, q } = this.solver;
    if (!v || d < TOUCHING) return 0;
    const a = this.heading[first]!;
    const b = this.heading[second]!;
    return (
      ((q[0]! - p[0]!) * (v[i]! * Math.cos(a) - v[j]! * Math.cos(b)) +
        (q[1]! - p[1]!) * (v[i]! * Math.sin(a) - v[j]! * Math.sin(b))) /
      d
    );
  }

  private put(frame: Frame, i: number, j: number, d: number, closing: number): void {
    const { p, q } = this.solver;
    const k = this.count++;
    const a = (this.line.geometry.getAttribute("position") as BufferAttribute).array as Float32Array;
    this.points[2 * k]!.position.set(p[0]!, p[1]!, p[2]!);
    this.points[2 * k + 1]!.position.set(q[0]!, q[1]!, q[2]!);
    for (let m = 0; m < 2 * DASHES; m++) {
      // dashes as long as the gaps between them
      const u = m / (2 * DASHES - 1);
      const at = 3 * (2 * DASHES * k + m);
      for (let e = 0; e < 3; e++) a[at + e] = p[e]! + u * (q[e]! - p[e]!);
    }
    if (d >= this.nearest.distance) return;
    const behind = frame.x[i]! <= frame.x[j]!;
    const w = this.nearest;
    w.i = behind ? i : j;
    w.j = behind ? j : i;
    w.distance = d;
    w.closing = closing;
    w.x = 0.5 * (p[0]! + q[0]!);
    w.y = 0.5 * (p[1]! + q[1]!);
    w.z = 0.5 * (p[2]! + q[2]!);
  }
}

// Axes of a body, turned with the road.
function turned(axes: Float32Array, q: Spot, out: Float32Array): Float32Array {
  for (let k = 0; k < 3; k++) {
    out[k] = q.c * axes[k]! - q.s * axes[3 + k]!;
    out[3 + k] = q.s * axes[k]! + q.c * axes[3 + k]!;
    out[6 + k] = axes[6 + k]!;
  }
  return out;
}

function bodyOf(frame: Frame, id: number): Body | null {
  for (let k = 0; k < frame.bodies.length; k++) if (frame.bodies[k]!.id === id) return frame.bodies[k]!;
  return null;
}
