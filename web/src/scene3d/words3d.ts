// words3d.ts - what is written over the 3-D picture: vehicles, the contact, the closest pair.
import type { Roster } from "../core/roster.ts";
import { plain, signed } from "../draw/paint.ts";
import type { Contact, Frame } from "../wire/frame.ts";
import { touchSpot, type Placed } from "./placed.ts";
import { exchanges } from "./arrows3d.ts";
import type { Pair } from "./closest3d.ts";
import { newSpot } from "./ground3d.ts";
import type { Labels } from "./labels3d.ts";
import { deformation, rotation, shortening, yawOf } from "./strain.ts";

const REACH = 60; // m about the focus
const FAR = 70; // m from the camera

// A place of the picture on the stage, px, and its distance from the camera; null: not in sight.
export type Project = (x: number, y: number, z: number) => { x: number; y: number; depth: number } | null;

export function newest(contacts: Contact[]): Contact | null {
  let best: Contact | null = null;
  for (const c of contacts) if (!best || c.age < best.age) best = c;
  return best;
}

function energyText(e: number): string {
  return e >= 1e6 ? `${plain(e / 1e6, 2)} MJ` : `${plain(e / 1000, 1)} kJ`;
}

export class Words {
  private f = new Float64Array(9);
  private r = new Float64Array(9);
  private spot = newSpot();

  constructor(
    private labels: Labels,
    private project: Project,
  ) {}

  // inside: the vehicle the camera is in; -1: none. wide: farther ones, too.
  vehicles(frame: Frame, roster: Roster, at: Placed, inside: number, wide: boolean, fresh: boolean): void {
    const v = frame.field("v");
    const y = frame.field("y");
    const psi = frame.field("psi");
    const path = frame.field("path");
    const energy = frame.field("energy");
    const reach = wide ? 4 * REACH : REACH;
    for (let i = 0; i < frame.n; i++) {
      const x = frame.x[i]!;
      if (Math.abs(x - at.focus) > reach || i === inside) continue;
      const slot = roster.slot(frame.id[i]!);
      if (slot < 0) continue;
      const q = at.ground.spot(x, y ? y[i]! : 0, path ? path[i]! : 0, this.spot);
      const p = this.project(q.x, q.y, q.z + (roster.vehicles[slot]!.height || 1.45) + 0.05);
      if (!p || p.depth > (wide ? 3 * FAR : FAR)) continue;
      const body = frame.bodies.find((b) => b.id === frame.id[i]);
      let more = `${signed(((psi ? psi[i]! : 0) * 180) / Math.PI, 1)}°`;
      if (body) {
        deformation(body.axes, body.rest, this.f);
        rotation(this.f, this.r);
        more = `yaw ${signed((yawOf(this.r) * 180) / Math.PI, 1)}°`;
      }
      more += energy && Number.isFinite(energy[i]!) ? `   energy ${energyText(energy[i]!)}` : "";
      const speed = plain(v ? v[i]! : NaN, 2);
      // Of a whole platoon the near ones say how fast, the far ones who they are.
      const far = wide && p.depth > 90;
      const head = far ? roster.labels[slot]! : `${roster.labels[slot]}   ${speed} m/s`;
      if (wide) more = "";
      this.labels.put(p.x, p.y, 34, head, more, false, fresh);
    }
  }

  closest(n: Pair, frame: Frame, roster: Roster, fresh: boolean): void {
    const p = n.i >= 0 ? this.project(n.x, n.y, n.z) : null;
    if (!p) return;
    const name = (i: number): string => roster.labels[roster.slot(frame.id[i]!)] ?? "";
    const soon = n.closing > 0.01 ? n.distance / n.closing : Infinity;
    this.labels.put(
      p.x,
      p.y,
      80,
      `${name(n.i)} → ${name(n.j)}   ${plain(n.distance, 2)} m`,
      soon < 100 ? `closing ${plain(n.closing, 2)} m/s, touch in ${plain(soon, 2)} s` : "not closing",
      soon < 2,
      fresh,
    );
  }

  contact(frame: Frame, roster: Roster, at: Placed, fresh: boolean): void {
    const c = newest(frame.contacts);
    if (!c) return;
    const q = touchSpot(frame, c, at, this.spot);
    const p = this.project(q.x, q.y, q.z);
    if (!p) return;
    const short = Math.max(
      0,
      ...frame.bodies
        .filter((b) => b.id === c.id || b.id === c.id2)
        .map((b) => shortening(deformation(b.axes, b.rest, this.f), b.rest)),
    );
    const name = (id: number): string => {
      const s = roster.slot(id);
      return s >= 0 ? roster.labels[s]! : String(id);
    };
    const pair = exchanges(frame.contacts).find((e) => e.newest.id === c.id && e.newest.id2 === c.id2);
    const more = `${plain((pair?.total ?? c.impulse) / 1000, 2)} kN s, closing ${plain(c.closing, 2)} m/s${short > 0.001 ? `, shorter by ${plain(short, 2)} m` : ""}`;
    this.labels.put(p.x, p.y, 120, `Contact ${name(c.id)} → ${name(c.id2)}`, more, true, fresh);
  }
}
