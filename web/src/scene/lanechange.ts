// lanechange.ts - changing lanes by hand: a car is dragged sideways onto a lane, or sent with Shift and an arrow.
//
// While it is dragged, the path it would take is drawn (the curve of docs/lanes.md, a polynomial of fifth degree), with
// a ring at its end, and the slot it needs in the other lane: green where there is room, hatched and with the reason
// in words where there is none. A car that is sent waits for room, so nothing is rejected here; rules of the road are
// for the server to say. Cars on their way, by whatever decided it, show the rest of their path too.
import type { App } from "../core/app.ts";
import { laneRequest } from "../core/ersc.ts";
import { fixedWhy } from "../core/facts.ts";
import { Past } from "../core/store.ts";
import { alpha, FONT, hatch, palette, plain } from "../draw/paint.ts";
import type { Frame } from "../wire/frame.ts";
import type { Vehicle } from "../wire/protocol.ts";
import { USE_WORDS, useOf } from "./lanecolours.ts";
import type { Spot, Strip } from "./strip.ts";
import type { View } from "./view.ts";

// Numbers of a controller's lane_change, with the defaults of docs/lanes.md until the car's card has come.
interface Bounds {
  max_lateral_acceleration: number;
  max_lateral_jerk: number;
  safe_braking: number;
  reaction: number;
}
const DEFAULTS: Bounds = { max_lateral_acceleration: 1, max_lateral_jerk: 1, safe_braking: 3, reaction: 0.5 };

export interface Room {
  free: boolean;
  reason: string; // "": there is room
  from: number;
  to: number; // m, of the slot that is needed
}
interface Pull {
  // a car that is being dragged
  strip: Strip;
  vehicle: string;
  lane: number; // it is over, from 1; 0: none
  own: number; // the one it is in
}
interface Sent {
  vehicle: string;
  back: number; // lane it came from
  lane: number;
  at: number; // s
}

// Duration of a change by D metres from rest: the shortest within the bounds.
export function duration(d: number, acceleration: number, jerk: number): number {
  const w = Math.abs(d);
  return Math.max(Math.sqrt(((10 / Math.sqrt(3)) * w) / acceleration), Math.cbrt((60 * w) / jerk), 0.5);
}

// The polynomial of fifth degree from (y0, v0) to rest at 0 within T: its value at t.
export function quintic(y0: number, v0: number, T: number, t: number): number {
  const u = Math.min(1, Math.max(0, t / T));
  const u3 = u * u * u;
  // From rest: 1 - 10 u^3 + 15 u^4 - 6 u^5; the speed adds T (u - 6 u^3 + 8 u^4 - 3 u^5).
  return y0 * (1 - u3 * (10 - u * (15 - 6 * u))) + v0 * T * (u - u3 * (6 - u * (8 - 3 * u)));
}

// m that a car keeps so that it can stop behind one that brakes as hard, after its reaction time.
export function safeGap(v: number, front: number, reaction: number, braking: number): number {
  return v * reaction + Math.max(0, v * v - front * front) / (2 * braking);
}

const spot: Spot = { px: 0, py: 0, angle: 0 };
const under = { x: 0, y: 0, lane: 0 };
const pastY = new Past();
const GREEN = "#0A7A4D";

export class LaneChange {
  pull: Pull | null = null;
  sent: Sent | null = null;
  private bounds = new Map<string, Bounds>();

  constructor(private app: App) {
    const go = (way: number) => () => this.step(way);
    const when = (): boolean => app.selection !== null && (app.current()?.road.lanes ?? 1) > 1;
    app.command({
      name: "lane_left",
      title: "Change to the lane on the left",
      help: "Sends the selected car one lane to the left; it sets out as soon as there is room.",
      keys: ["Shift+ArrowUp"],
      when,
      run: go(-1),
    });
    app.command({
      name: "lane_right",
      title: "Change to the lane on the right",
      help: "Sends the selected car one lane to the right; it sets out as soon as there is room.",
      keys: ["Shift+ArrowDown"],
      when,
      run: go(1),
    });
  }

  // ---- lanes ----

  lanes(s: Strip): number {
    return s.curved ? s.plan!.main.lanes.length : s.laneCount();
  }
  // m, the middle of a lane (from 1) at x; NaN: it does not exist there.
  private centre(s: Strip, lane: number, x: number): number {
    return s.curved ? s.plan!.main.centre(lane - 1, x) : -(lane - 1) * s.laneWidth();
  }
  laneOf(s: Strip, f: Frame, i: number): number {
    const y = f.field("y")?.[i] ?? 0;
    if (s.curved) return s.plan!.main.laneAt(f.x[i]!, y) + 1;
    return Math.max(1, Math.min(s.laneCount(), Math.round(-y / s.laneWidth()) + 1));
  }
  private laneUnder(s: Strip, view: View, px: number, py: number): number {
    s.road(view, px, py, under);
    return under.lane + 1;
  }

  private car(s: Strip, name: string): { v: Vehicle; i: number; slot: number } | null {
    const slot = s.roster.slotOf(name);
    const v = s.roster.vehicles[slot];
    const i = v && s.frame ? s.frame.index(v.id) : -1;
    return v && i >= 0 ? { v, i, slot } : null;
  }

  // ---- by hand ----

  // A car that is pulled sideways: false if it cannot be sent.
  begin(s: Strip, name: string): boolean {
    const car = this.car(s, name);
    if (!car || this.lanes(s) < 2 || fixedWhy(this.app, s.world) || this.onRamp(s, car.i)) return false;
    const own = this.laneOf(s, s.frame!, car.i);
    this.pull = { strip: s, vehicle: name, lane: 0, own };
    this.learn(s, name);
    return true;
  }
  private onRamp(s: Strip, i: number): boolean {
    return (s.frame!.field("path")?.[i] ?? 0) > 0;
  }
  over(view: View, px: number, py: number): void {
    const w = this.pull;
    if (!w) return;
    const lane = this.laneUnder(w.strip, view, px, py);
    w.lane = lane === w.own ? 0 : lane;
    this.app.touch();
  }
  // What is said beside the pointer.
  words(): string {
    const w = this.pull;
    if (!w) return "";
    if (!w.lane) return "onto a lane";
    const room = this.room(w.strip, w.vehicle, w.lane);
    const driver = this.how(w.strip.world.world, w.vehicle) === "driver_lane" ? ", steered by its driver" : "";
    return room.free ? `to lane ${w.lane}${driver}` : `lane ${w.lane}: waits, ${room.reason}`;
  }
  end(take: boolean): void {
    const w = this.pull;
    this.pull = null;
    this.app.touch();
    if (take && w?.lane) this.send(w.strip.world.world, w.vehicle, w.lane, w.own);
  }

  private send(world: number, vehicle: string, lane: number, back: number): void {
    this.sent = { vehicle, lane, back, at: this.app.clock.t };
    const how = this.how(world, vehicle);
    this.app.change(how, { world, vehicle, lane }).then(
      () =>
        this.app.speak(how === "lane" ? `${vehicle} goes to lane ${lane}` : `${vehicle} is steered to lane ${lane}`),
      () => (this.sent = null),
    );
  }

  // With the ERSC the driver changes lanes where the car does not.
  private how(world: number, vehicle: string): "lane" | "driver_lane" {
    const w = this.app.world(world);
    const v = w?.vehicles.find((o) => o.name === vehicle);
    return w && v ? laneRequest(this.app, w, v) : "lane";
  }

  // Shift and an arrow: one lane to the left or right of where it is, or is going.
  step(way: number): void {
    const sel = this.app.selection;
    const s = this.strips().find((q) => q.world.world === sel?.world);
    const car = sel && s ? this.car(s, sel.vehicle) : null;
    if (!sel || !s || !car) return;
    const why = fixedWhy(this.app, s.world) ?? (this.onRamp(s, car.i) ? `${sel.vehicle} is on a ramp` : "");
    if (why) {
      this.app.toast(why);
      return;
    }
    const own = this.laneOf(s, s.frame!, car.i);
    const lane = own + way;
    if (lane < 1 || lane > this.lanes(s) || !Number.isFinite(this.centre(s, lane, s.frame!.x[car.i]!))) {
      this.app.toast(`There is no lane ${way < 0 ? "left" : "right"} of ${sel.vehicle}`);
      return;
    }
    this.send(s.world.world, sel.vehicle, lane, own);
  }
  strips: () => Strip[] = () => [];

  // Escape: a drag ends, or a car that was sent from here goes back. False: there was none of both.
  abort(): boolean {
    if (this.pull) {
      this.end(false);
      return true;
    }
    const b = this.sent;
    const s = this.strips().find((q) => q.roster.slotOf(b?.vehicle ?? "") >= 0);
    const car = b && s ? this.car(s, b.vehicle) : null;
    this.sent = null;
    if (!b || !s || !car) return false;
    const at = this.centre(s, b.lane, s.frame!.x[car.i]!);
    const y = s.frame!.field("y")?.[car.i] ?? 0;
    if (Math.abs(y - at) < 0.3) return false; // it has arrived
    this.app
      .change(this.how(s.world.world, b.vehicle), { world: s.world.world, vehicle: b.vehicle, lane: b.back })
      .catch(() => undefined);
    this.app.speak(`${b.vehicle} goes back to lane ${b.back}`);
    return true;
  }

  // ---- room ----

  private learn(s: Strip, name: string): void {
    const c = this.car(s, name)?.v.controller ?? "";
    const key = `${s.world.world} ${c}`;
    if (this.bounds.has(key)) return;
    this.bounds.set(key, { ...DEFAULTS });
    this.app.ask("card", { world: s.world.world, vehicle: name }).then(
      (card) => {
        const b = this.bounds.get(key)!;
        for (const g of card.groups)
          for (const r of g.rows)
            if (g.group === "lane_change" && r.name in b && typeof r.value === "number")
              b[r.name as keyof Bounds] = r.value;
        this.app.touch();
      },
      () => this.bounds.delete(key),
    );
  }
  private boundsOf(s: Strip, v: Vehicle): Bounds {
    return this.bounds.get(`${s.world.world} ${v.controller}`) ?? DEFAULTS;
  }

  // The slot a car needs in a lane, by the gaps of docs/lanes.md, and what is in it.
  room(s: Strip, name: string, lane: number): Room {
    const out: Room = { free: true, reason: "", from: NaN, to: NaN };
    const car = this.car(s, name);
    const f = s.frame;
    if (!car || !f) return { ...out, free: false, reason: "the car has left" };
    const b = this.boundsOf(s, car.v);
    const speeds = f.field("v");
    const paths = f.field("path");
    const x = f.x[car.i]!;
    const v = speeds ? speeds[car.i]! : 0;
    const half = 0.5 * s.roster.length[car.slot]!;
    out.from = x - half - safeGap(v, v, b.reaction, b.safe_braking);
    out.to = x + half + safeGap(v, v, b.reaction, b.safe_braking);
    if (s.curved) {
      const use = useOf(s.plan!.main.rule(lane - 1, x));
      const enter = s.plan!.main.rule(lane - 1, x)?.enter;
      if (!Number.isFinite(this.centre(s, lane, x))) return { ...out, free: false, reason: "it does not exist here" };
      if (use === "closed") return { ...out, free: false, reason: "it is closed here" };
      if (enter === "closed") return { ...out, free: false, reason: `it may not be entered here (${USE_WORDS[use]})` };
    }
    for (let i = 0; i < f.n; i++) {
      if (i === car.i || (paths && paths[i]! > 0) || Math.abs(f.x[i]! - x) > 200) continue;
      const slot = s.roster.slot(f.id[i]!);
      if (slot < 0 || this.laneOf(s, f, i) !== lane) continue;
      const other = speeds ? speeds[i]! : 0;
      const ahead = f.x[i]! >= x;
      const gap = Math.abs(f.x[i]! - x) - half - 0.5 * s.roster.length[slot]!;
      const need = ahead
        ? safeGap(v, other, b.reaction, b.safe_braking)
        : safeGap(other, v, b.reaction, b.safe_braking);
      if (ahead) out.to = Math.max(out.to, x + half + need);
      else out.from = Math.min(out.from, x - half - need);
      if (gap >= need) continue;
      out.free = false;
      out.reason =
        gap < 0
          ? `${s.roster.labels[slot]} is beside it`
          : `${s.roster.labels[slot]} is ${plain(need - gap, 1)} m too near`;
    }
    return out;
  }

  // ---- drawing ----

  draw(c: CanvasRenderingContext2D, s: Strip, view: View): void {
    if (s.visible > 2000 || !s.frame || s.scale < 1) return;
    c.save();
    c.beginPath();
    c.rect(0, s.roadTop, view.width, s.roadHeight);
    c.clip();
    const w = this.pull;
    if (w && w.strip === s && w.lane) this.drawPull(c, s, view, w);
    this.drawUnderWay(c, s, view);
    c.restore();
  }

  private drawPull(c: CanvasRenderingContext2D, s: Strip, view: View, w: Pull): void {
    const car = this.car(s, w.vehicle);
    if (!car) return;
    const room = this.room(s, w.vehicle, w.lane);
    this.drawSlot(c, s, view, room, w.lane);
    const b = this.boundsOf(s, car.v);
    const f = s.frame!;
    const y = f.field("y")?.[car.i] ?? 0;
    const d = y - this.centre(s, w.lane, f.x[car.i]!);
    const rate = this.rate(f, car.i);
    const T = duration(d, b.max_lateral_acceleration, b.max_lateral_jerk);
    this.drawPath(c, s, view, car.i, w.lane, d, rate, 0, T, room.free ? palette().ink : palette().danger);
  }

  private rate(f: Frame, i: number): number {
    return (f.field("v")?.[i] ?? 0) * Math.sin(f.field("psi")?.[i] ?? 0);
  }

  // From t (s since its start) to T: d and rate are those at its start, relative to the middle of the lane.
  private drawPath(
    c: CanvasRenderingContext2D,
    s: Strip,
    view: View,
    i: number,
    lane: number,
    d: number,
    rate: number,
    t: number,
    T: number,
    colour: string,
  ): void {
    const f = s.frame!;
    const v = Math.max(1, f.field("v")?.[i] ?? 0);
    const x0 = f.x[i]!;
    const n = 24;
    c.strokeStyle = colour;
    c.lineWidth = 2;
    c.setLineDash(DASHES);
    c.beginPath();
    for (let k = 0; k <= n; k++) {
      const at = t + ((T - t) * k) / n;
      const x = x0 + v * (at - t);
      const y = this.centre(s, lane, x);
      if (!Number.isFinite(y)) break;
      s.at(view, x, y + quintic(d, rate, T, at), 0, spot);
      if (k === 0) c.moveTo(spot.px, spot.py);
      else c.lineTo(spot.px, spot.py);
    }
    c.stroke();
    c.setLineDash(SOLID);
    c.fillStyle = palette().surface;
    c.beginPath();
    c.arc(spot.px, spot.py, 4, 0, 7);
    c.fill();
    c.stroke();
  }

  private drawSlot(c: CanvasRenderingContext2D, s: Strip, view: View, room: Room, lane: number): void {
    const p = palette();
    const half = 0.42 * s.laneWidth();
    const n = 8;
    c.beginPath();
    for (const side of [1, -1])
      for (let k = 0; k <= n; k++) {
        const u = side > 0 ? k / n : 1 - k / n;
        const x = room.from + (room.to - room.from) * u;
        const y = this.centre(s, lane, x);
        s.at(view, x, (Number.isFinite(y) ? y : this.centre(s, lane, s.frame!.x[0]!)) + side * half, 0, spot);
        if (k === 0 && side > 0) c.moveTo(spot.px, spot.py);
        else c.lineTo(spot.px, spot.py);
      }
    c.closePath();
    const colour = room.free ? (p.dark ? p.ok : GREEN) : p.danger;
    c.fillStyle = room.free ? alpha(colour, 0.22) : hatch(c, colour);
    c.fill();
    c.strokeStyle = colour;
    c.lineWidth = 1.5;
    c.setLineDash(room.free ? DASHES : SOLID);
    c.stroke();
    c.setLineDash(SOLID);
    if (room.free) return;
    s.at(view, room.from, this.centre(s, lane, room.from), 0, spot);
    c.font = FONT.smallBold;
    c.textAlign = "left";
    c.textBaseline = "middle";
    const wide = c.measureText(room.reason).width + 8;
    const x = Math.max(4, Math.min(view.width - wide - 4, spot.px));
    const y = spot.py - half * s.scale - 10;
    c.fillStyle = p.surface;
    c.fillRect(x, y - 8, wide, 16);
    c.fillStyle = p.danger;
    c.fillText(room.reason, x + 4, y);
  }

  // Cars that set out within the last seconds: the rest of their path.
  private drawUnderWay(c: CanvasRenderingContext2D, s: Strip, view: View): void {
    const t = s.frame!.time;
    const events = this.app.events(s.world.world);
    for (let k = events.length - 1; k >= 0 && events[k]!.t > t - 12; k--) {
      const e = events[k]!;
      if (e.t > t || !e.text.endsWith("lane_begins")) continue;
      const car = this.car(s, e.vehicle);
      const lane = Math.round(e.value ?? 0);
      if (!car || lane < 1 || this.onRamp(s, car.i)) continue;
      this.learn(s, e.vehicle);
      const n = this.app.past(s.world.world, car.v.id, "y", e.t - 0.2, e.t + 0.2, pastY);
      const y0 = n > 0 ? pastY.y[n >> 1]! : NaN;
      const d = y0 - this.centre(s, lane, s.frame!.x[car.i]!);
      const b = this.boundsOf(s, car.v);
      const T = duration(d, b.max_lateral_acceleration, b.max_lateral_jerk);
      if (!(t < e.t + T)) continue;
      const colour = s.roster.tagged[car.slot] ? palette().ink : palette().worlds[2]!;
      this.drawPath(c, s, view, car.i, lane, d, 0, t - e.t, T, colour);
    }
  }
}
const DASHES = [7, 4];
const SOLID: number[] = [];
