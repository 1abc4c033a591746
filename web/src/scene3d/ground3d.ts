// ground3d.ts - where places of the road are in the picture.
//
// A place is (x, y) on a path: m along it and to the left, as in frames. The picture's origin moves with a vehicle, its
// x axis along the road there, so that single precision is enough far from the start. A straight road is the case
// x - origin, y; a curved one is placed by its plan.
import type { Object3D } from "three";
import type { Pose, RoadPlan } from "../scene/plan.ts";
import type { Road } from "../wire/protocol.ts";

// Height at x from the stored profile; straight between its points.
export function heightAt(road: Road, x: number): number {
  const p = road.profile;
  if (!p || !p.z || p.z.length < 2 || !(p.step > 0)) return 0;
  const u = Math.max(0, Math.min(p.z.length - 1.000001, (x - p.from) / p.step));
  const k = Math.floor(u);
  return p.z[k]! + (u - k) * (p.z[k + 1]! - p.z[k]!);
}

// A place in the picture, with the road's direction there (cosine, sine) and its slope in rad.
export interface Spot {
  x: number;
  y: number;
  z: number;
  c: number;
  s: number;
  slope: number;
}
export const newSpot = (): Spot => ({ x: 0, y: 0, z: 0, c: 1, s: 0, slope: 0 });

// The picture's frame in the plane of the road's plan.
export interface Anchor {
  x: number;
  y: number;
  c: number;
  s: number;
  height: number; // m, exaggerated
}

export class Ground {
  origin = 0; // m along the road
  plan: RoadPlan | null = null; // of a road that is not one straight line
  anchor: Anchor = { x: 0, y: 0, c: 1, s: 0, height: 0 };
  private road: Road | null = null;
  private times = 1;
  private pose: Pose = { x: 0, y: 0, c: 1, s: 0 };

  set(road: Road, plan: RoadPlan | null, x: number, path: number, exaggeration: number): void {
    this.road = road;
    this.plan = plan && (plan.curved || plan.paths.length > 1) ? plan : null;
    this.times = exaggeration;
    this.origin = x;
    const a = this.anchor;
    a.height = exaggeration * heightAt(road, x);
    if (this.plan) {
      const on = this.plan.path(path);
      const p = on.place(x - on.base, 0, this.pose);
      a.x = p.x;
      a.y = p.y;
      a.c = p.c;
      a.s = p.s;
    } else {
      a.x = x;
      a.y = 0;
      a.c = 1;
      a.s = 0;
    }
  }

  get closed(): boolean {
    return this.plan !== null && this.plan.main.closed;
  }

  // m above the picture's origin
  z(x: number): number {
    return this.times * heightAt(this.road!, x) - this.anchor.height;
  }
  slope(x: number): number {
    return Math.atan((this.z(x + 2) - this.z(x - 2)) / 4);
  }

  spot(x: number, y: number, path: number, out: Spot): Spot {
    out.z = this.z(x);
    out.slope = 0;
    if (!this.plan) {
      out.x = x - this.origin;
      out.y = y;
      out.c = 1;
      out.s = 0;
      return out;
    }
    const on = this.plan.path(path);
    const p = on.place(x - on.base, y, this.pose);
    const a = this.anchor;
    const dx = p.x - a.x;
    const dy = p.y - a.y;
    out.x = a.c * dx + a.s * dy;
    out.y = a.c * dy - a.s * dx;
    out.c = a.c * p.c + a.s * p.s;
    out.s = a.c * p.s - a.s * p.c;
    return out;
  }

  // Puts what was made with another anchor where it belongs now.
  move(group: Object3D, made: Anchor): void {
    const a = this.anchor;
    const dx = made.x - a.x;
    const dy = made.y - a.y;
    group.position.set(a.c * dx + a.s * dy, a.c * dy - a.s * dx, made.height - a.height);
    group.rotation.z = Math.atan2(a.c * made.s - a.s * made.c, a.c * made.c + a.s * made.s);
  }
}
