// camera.ts - the plane of a curved road on the screen: places to pixels and back.
//
// The station in the middle of the view stays in the middle of the strip, and the plane is turned so that the stretch
// in view runs from left to right. Where it would leave the strip at the top or bottom, the scale is reduced.
import { type Path, type Pose, type RoadPlan, type Side } from "./plan.ts";

const ROOM = 14; // px that the road keeps from the edges of the strip
const SAMPLES = 12; // of the stretch in view

export class Camera {
  scale = 1; // px/m
  station = 0; // of the main road, in the middle of the screen
  from = 0; // m, stations of the main road that can be in sight
  to = 0;
  private x0 = 0;
  private y0 = 0;
  private c = 1;
  private s = 0;
  private px0 = 0;
  private py0 = 0;

  // station: in the middle; width, height: of the area, px, whose top is at `top`.
  aim(plan: RoadPlan, station: number, scale: number, width: number, top: number, height: number, lanes: Side): void {
    const main = plan.main;
    const half = (0.5 * width) / scale;
    const middle = 0.5 * (lanes.left + lanes.right);
    const at = main.place(station, middle, here);
    this.x0 = at.x;
    this.y0 = at.y;
    this.direction(main, station, half);
    this.station = station;
    let up = 0;
    let down = 0;
    const reach = main.closed ? Math.min(half, 0.5 * main.length) : half;
    for (let k = 0; k <= SAMPLES; k++) {
      const p = main.place(station + reach * ((2 * k) / SAMPLES - 1), middle, there);
      const y = -(p.x - this.x0) * this.s + (p.y - this.y0) * this.c;
      if (y > up) up = y;
      if (y < down) down = y;
    }
    const room = Math.max(40, height - 2 * ROOM - Math.min(0.4 * height, (lanes.left - lanes.right) * scale));
    const tall = up - down;
    this.scale = tall * scale > room ? Math.max(room / tall, 0.2 * scale) : scale;
    this.px0 = width / 2;
    // The stretch in the middle of the strip, as far as it does not hide the station looked at.
    this.py0 = top + height / 2 + 0.5 * (up + down) * this.scale;
    const seen = (0.5 * Math.hypot(width, height)) / this.scale + 60;
    const most = main.closed ? 0.5 * main.length : Infinity;
    this.from = station - Math.min(1.7 * seen, most);
    this.to = station + Math.min(1.7 * seen, most);
  }

  // From the left end of the view to the right one; on a circuit, where they meet, along the road.
  private direction(main: Path, station: number, half: number): void {
    const t = main.place(station, 0, here);
    const tx = t.c;
    const ty = t.s;
    const reach = main.closed ? Math.min(half, 0.25 * main.length) : half;
    const a = main.place(station - reach, 0, here);
    const ax = a.x;
    const ay = a.y;
    const b = main.place(station + reach, 0, here);
    const x = (b.x - ax) / (2 * reach) + 0.02 * tx;
    const y = (b.y - ay) / (2 * reach) + 0.02 * ty;
    const l = Math.hypot(x, y);
    this.c = l > 1e-6 ? x / l : tx;
    this.s = l > 1e-6 ? y / l : ty;
  }

  px(x: number, y: number): number {
    return this.px0 + this.scale * ((x - this.x0) * this.c + (y - this.y0) * this.s);
  }
  py(x: number, y: number): number {
    return this.py0 - this.scale * (-(x - this.x0) * this.s + (y - this.y0) * this.c);
  }
  // rad, of a direction in the plane, left from the screen's right.
  angle(p: Pose): number {
    return Math.atan2(p.s * this.c - p.c * this.s, p.c * this.c + p.s * this.s);
  }
  // The plane under a pixel.
  planeX(px: number, py: number): number {
    const u = (px - this.px0) / this.scale;
    const v = (this.py0 - py) / this.scale;
    return this.x0 + u * this.c - v * this.s;
  }
  planeY(px: number, py: number): number {
    const u = (px - this.px0) / this.scale;
    const v = (this.py0 - py) / this.scale;
    return this.y0 + u * this.s + v * this.c;
  }
  // The station and offset of the main road under a pixel: the nearest place of the stretch in sight.
  find(plan: RoadPlan, px: number, py: number, out: { station: number; offset: number }): void {
    const x = this.planeX(px, py);
    const y = this.planeY(px, py);
    const main = plan.main;
    let best = this.station;
    let min = Infinity;
    const steps = 96;
    for (let k = 0; k <= steps; k++) {
      const s = this.from + ((this.to - this.from) * k) / steps;
      const p = main.place(s, 0, here);
      const d = (p.x - x) ** 2 + (p.y - y) ** 2;
      if (d < min) {
        min = d;
        best = s;
      }
    }
    for (let k = 0; k < 20; k++) {
      const p = main.place(best, 0, here);
      const along = (x - p.x) * p.c + (y - p.y) * p.s;
      best += along;
      if (Math.abs(along) < 1e-4) break;
    }
    const p = main.place(best, 0, here);
    out.station = best;
    out.offset = -(x - p.x) * p.s + (y - p.y) * p.c;
  }
}
const here: Pose = { x: 0, y: 0, c: 1, s: 0 };
const there: Pose = { x: 0, y: 0, c: 1, s: 0 };
