// aim3d.ts - what the camera of the 3-D view looks at, and where it may not stand: inside of a body.
import { Vector3 } from "three";
import type { Roster } from "../core/roster.ts";
import type { Frame } from "../wire/frame.ts";
import type { Hit } from "./bar3d.ts";
import type { Camera3d } from "./camera3d.ts";
import { newSpot, type Ground } from "./ground3d.ts";
import { bumper } from "./placed.ts";
import { newest } from "./words3d.ts";

const MARGIN = 0.6; // m between the camera and a body
const ROUNDS = 4; // out of one body may be into the next

export class Aim {
  focus = new Vector3();
  private others: Vector3[] = []; // what the picture of a platoon has to hold
  private room: Vector3[] = [];
  private spot = newSpot();

  constructor(
    private camera: Camera3d,
    private ground: Ground,
  ) {}

  // i: the car that the camera belongs to.
  at(frame: Frame, roster: Roster, i: number, hit: Hit | null): void {
    const { camera, focus } = this;
    const y = frame.field("y");
    const psi = frame.field("psi");
    const touch = camera.kind === "contact" ? this.contactPoint(frame, roster, hit) : null;
    let heading = psi ? psi[i]! : 0;
    this.others.length = 0;
    if (touch) {
      const q = this.ground.spot(touch[0], touch[1], 0, this.spot);
      focus.set(q.x, q.y, touch[2] + q.z);
    } else focus.set(0, y ? y[i]! : 0, 0.7);
    const slot = roster.slot(frame.id[i]!);
    const tall = (slot >= 0 && roster.vehicles[slot]!.height) || 1.45;
    camera.eyes = tall > 2.4 ? 0.62 * tall : 0.82 * tall;
    if (camera.kind === "platoon") heading = this.gather(frame, roster, i, heading);
    camera.place(
      focus,
      heading,
      (x) => this.ground.z(this.ground.origin + x),
      this.others,
      (eye) => {
        for (let k = 0; k < ROUNDS && this.keepOut(eye, frame, roster); k++);
      },
    );
    camera.camera.updateMatrixWorld();
  }

  // The cars of the subject's platoon, from the last to the first, as others; the last is the focus. Its heading.
  private gather(frame: Frame, roster: Roster, i: number, heading: number): number {
    const y = frame.field("y");
    const path = frame.field("path");
    const own = roster.slot(frame.id[i]!);
    const platoon = own >= 0 ? roster.vehicles[own]!.platoon : -1;
    const list: number[] = [];
    for (let k = 0; k < frame.n; k++) {
      const slot = roster.slot(frame.id[k]!);
      if (k === i || (platoon >= 0 && slot >= 0 && roster.vehicles[slot]!.platoon === platoon)) list.push(k);
    }
    list.sort((a, b) => frame.x[a]! - frame.x[b]!);
    for (const k of list) {
      const p = (this.room[this.others.length] ??= new Vector3());
      const q = this.ground.spot(frame.x[k]!, y ? y[k]! : 0, path ? path[k]! : 0, this.spot);
      p.set(q.x, q.y, q.z + 0.7);
      if (k === list[0]) {
        this.focus.copy(p);
        heading = Math.atan2(q.s, q.c);
      }
      this.others.push(p);
    }
    return heading;
  }

  // Moves the eye out of the bodies about it, to the nearest side or above; true: it was in one.
  private keepOut(eye: Vector3, frame: Frame, roster: Roster): boolean {
    const y = frame.field("y");
    const psi = frame.field("psi");
    const path = frame.field("path");
    let moved = false;
    for (let i = 0; i < frame.n; i++) {
      if (Math.abs(frame.x[i]! - this.ground.origin - eye.x) > 200 && !this.ground.plan) continue;
      const slot = roster.slot(frame.id[i]!);
      if (slot < 0) continue;
      const q = this.ground.spot(frame.x[i]!, y ? y[i]! : 0, path ? path[i]! : 0, this.spot);
      if (Math.abs(q.x - eye.x) > 30 || Math.abs(q.y - eye.y) > 30) continue;
      const a = Math.atan2(q.s, q.c) + (psi ? psi[i]! : 0);
      const c = Math.cos(a);
      const s = Math.sin(a);
      const along = c * (eye.x - q.x) + s * (eye.y - q.y);
      const across = c * (eye.y - q.y) - s * (eye.x - q.x);
      const dl = 0.5 * roster.length[slot]! + MARGIN - Math.abs(along);
      const dw = 0.5 * roster.width[slot]! + MARGIN - Math.abs(across);
      const dh = (roster.vehicles[slot]!.height || 1.45) + MARGIN - (eye.z - q.z);
      if (dl <= 1e-9 || dw <= 1e-9 || dh <= 1e-9) continue;
      moved = true;
      if (dh <= dl && dh <= dw) eye.z += dh;
      else {
        const [n, out] = dl < dw ? [dl * (along < 0 ? -1 : 1), 0] : [0, dw * (across < 0 ? -1 : 1)];
        eye.x += n * c - out * s;
        eye.y += n * s + out * c;
      }
    }
    return moved;
  }

  // The newest contact of the hit pair, or the middle between the two cars before they touch.
  private contactPoint(frame: Frame, roster: Roster, hit: Hit | null): [number, number, number] | null {
    const best = newest(frame.contacts);
    if (best) return [best.point[0], best.point[1], bumper(frame, best)];
    if (!hit) return null;
    const y = frame.field("y");
    const a = roster.slotOf(hit.event.vehicle);
    const b = roster.slotOf(hit.event.other);
    const i = a >= 0 ? frame.index(roster.vehicles[a]!.id) : -1;
    const j = b >= 0 ? frame.index(roster.vehicles[b]!.id) : -1;
    if (i < 0) return null;
    const xj = j >= 0 ? frame.x[j]! : frame.x[i]! + 3;
    const yj = j >= 0 && y ? y[j]! : 0;
    return [0.5 * (frame.x[i]! + xj), 0.5 * ((y ? y[i]! : 0) + yj), 0.7];
  }
}
