// posed.ts - where bodies and points are at the instant that is drawn.
//
// Everything hangs in one group that stands where the first body is, so that the numbers of the graphics card, which are
// short, are small: places here are in the axes of that group.
import { Matrix4, Quaternion, Vector3 } from "three";
import type { MechanismRun } from "../wire/protocol.ts";
import { POSE } from "./poses.ts";

const ONE = new Vector3(1, 1, 1);

export class Posed {
  readonly origin = new Vector3(); // of the group, in the world
  readonly frames: Matrix4[] = []; // of the bodies
  pose = new Float64Array(0);
  private places = new Float64Array(0);
  private readonly p = new Vector3();
  private readonly q = new Quaternion();

  constructor(readonly run: MechanismRun) {
    run.bodies.forEach(() => this.frames.push(new Matrix4()));
    this.pose = new Float64Array(run.bodies.length * POSE);
    this.places = new Float64Array(run.points.length * 3);
  }
  take(pose: Float64Array, places: Float64Array): void {
    this.pose.set(pose);
    this.places.set(places);
    this.origin.set(pose[0] ?? 0, pose[1] ?? 0, pose[2] ?? 0);
    this.frames.forEach((frame, k) => {
      const o = k * POSE;
      this.q.set(pose[o + 4]!, pose[o + 5]!, pose[o + 6]!, pose[o + 3]!);
      this.p.set(pose[o]!, pose[o + 1]!, pose[o + 2]!).sub(this.origin);
      frame.compose(this.p, this.q, ONE);
    });
  }
  bodyNamed(name: string | null): number {
    return this.run.bodies.findIndex((b) => b.name === name);
  }
  pointNamed(name: string): number {
    return this.run.points.findIndex((p) => p.name === name);
  }
  point(k: number): Vector3 {
    return new Vector3(this.places[3 * k], this.places[3 * k + 1], this.places[3 * k + 2]).sub(this.origin);
  }
  // A point of a body (-1: the ground); v is changed.
  onBody(body: number, v: Vector3): Vector3 {
    return body < 0 ? v.sub(this.origin) : v.applyMatrix4(this.frames[body]!);
  }
  // Something that is fixed to a body (-1: the ground); m is changed.
  placed(body: number, m: Matrix4): Matrix4 {
    if (body >= 0) return m.premultiply(this.frames[body]!);
    return m.premultiply(new Matrix4().makeTranslation(-this.origin.x, -this.origin.y, -this.origin.z));
  }
  turnOf(body: number): Quaternion {
    const o = body * POSE;
    const p = this.pose;
    return new Quaternion(p[o + 4], p[o + 5], p[o + 6], p[o + 3]);
  }
}
