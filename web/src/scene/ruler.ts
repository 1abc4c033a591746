// ruler.ts - the ruler tool: a drag from one bumper to another reads metres, seconds and the time
// to collision between the two cars.

import { FONT, palette, plain } from "../draw/paint.ts";
import type { Spot, Strip } from "./strip.ts";
import type { View } from "./view.ts";

const SNAP = 14; // px

// An end of the ruler: a bumper of a car, or a point of the road.
interface End {
  vehicle: string;
  front: boolean;
  x: number;
  y: number;
}
export interface Reading {
  metres: number;
  seconds: number;
  ttc: number;
}

export class Ruler {
  on = false;
  private world = -1;
  private from: End | null = null;
  private to: End | null = null;
  private dragging = false;

  toggle(): void {
    this.on = !this.on;
    if (!this.on) this.from = this.to = null;
  }

  down(s: Strip, view: View, px: number, py: number): void {
    this.world = s.world.world;
    this.from = snap(s, view, px, py);
    this.to = null;
    this.dragging = true;
  }
  move(s: Strip, view: View, px: number, py: number): void {
    if (this.dragging && s.world.world === this.world) this.to = snap(s, view, px, py);
  }
  up(): void {
    this.dragging = false;
  }

  // What the ruler says now: it follows its cars.
  read(s: Strip): Reading | null {
    if (!this.from || !this.to || s.world.world !== this.world) return null;
    const a = placeOf(s, this.from);
    const b = placeOf(s, this.to);
    const rear = a.x <= b.x ? a : b;
    const front = a.x <= b.x ? b : a;
    const metres = front.x - rear.x;
    const closing = rear.v - front.v;
    return {
      metres,
      seconds: rear.v > 0.01 ? metres / rear.v : NaN,
      ttc: closing > 1e-6 ? metres / closing : Infinity,
    };
  }

  draw(c: CanvasRenderingContext2D, s: Strip, view: View): void {
    const r = this.read(s);
    if (!r || !this.from || !this.to) return;
    const p = palette();
    const a = placeOf(s, this.from);
    const b = placeOf(s, this.to);
    const x0 = s.at(view, a.x, a.y, 0, spotted).px;
    const y0 = spotted.py - 0.5;
    const x1 = s.at(view, b.x, s.curved ? b.y : a.y, 0, spotted).px;
    const y1 = s.curved ? spotted.py - 0.5 : y0;
    c.strokeStyle = p.focus;
    c.lineWidth = 1.5;
    c.beginPath();
    c.moveTo(x0, y0 - 8);
    c.lineTo(x0, y0 + 8);
    c.moveTo(x1, y1 - 8);
    c.lineTo(x1, y1 + 8);
    c.moveTo(x0, y0);
    c.lineTo(x1, y1);
    c.stroke();
    const text = readingText(r);
    c.font = FONT.smallBold;
    const w = c.measureText(text).width + 14;
    const mid = Math.max(w / 2 + 4, Math.min(view.width - w / 2 - 4, (x0 + x1) / 2));
    const top = s.roadTop + s.roadHeight - 24;
    c.fillStyle = p.ink;
    c.beginPath();
    c.roundRect(mid - w / 2, top, w, 20, 5);
    c.fill();
    c.fillStyle = p.surface;
    c.textAlign = "center";
    c.textBaseline = "middle";
    c.fillText(text, mid, top + 10.5);
  }
}

export function readingText(r: Reading): string {
  const ttc = Number.isFinite(r.ttc) ? `TTC ${plain(r.ttc, r.ttc < 100 ? 1 : 0)} s` : "not closing";
  return `${plain(r.metres, 2)} m   ${plain(r.seconds, 2)} s   ${ttc}`;
}

function snap(s: Strip, view: View, px: number, py: number): End {
  const f = s.frame;
  let best = SNAP;
  let end: End | null = null;
  for (let k = 0; f && k < s.visible; k++) {
    const slot = s.slot[k]!;
    if (slot < 0 || Math.abs(py - s.cy[k]!) > Math.max(20, s.laneHeight)) continue;
    const half = 0.5 * s.roster.length[slot]! * s.scale * Math.cos(s.angle[k]!);
    for (const front of [false, true]) {
      const d = Math.abs(px - (s.cx[k]! + (front ? half : -half)));
      if (d < best) {
        best = d;
        end = { vehicle: s.vehicle(k), front, x: 0, y: 0 };
      }
    }
  }
  s.road(view, px, py, under);
  return end ?? { vehicle: "", front: false, x: under.x, y: s.curved ? under.y : 0 };
}

const under = { x: 0, y: 0, lane: 0 };
const spotted: Spot = { px: 0, py: 0, angle: 0 };
const spot = { x: 0, y: 0, v: 0 };

function placeOf(s: Strip, e: End): { x: number; y: number; v: number } {
  const slot = e.vehicle ? s.roster.slotOf(e.vehicle) : -1;
  const f = s.frame;
  const i = slot >= 0 && f ? f.index(s.roster.vehicles[slot]!.id) : -1;
  if (i < 0 || !f) return { ...spot, x: e.x, y: e.y };
  const half = 0.5 * s.roster.length[slot]!;
  return { x: f.x[i]! + (e.front ? half : -half), y: f.field("y")?.[i] ?? 0, v: f.field("v")?.[i] ?? 0 };
}
