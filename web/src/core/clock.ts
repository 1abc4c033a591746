// clock.ts - the playhead of this page: where it stands, how fast it goes, whether it follows live.
//
// tick(dt) is called once an animation frame. While live the playhead glides a little behind the
// newest frame, so that there is always one on either side of it; otherwise it runs by itself at
// `rate` between start and end, in the loop if there is one. Rates are 1/1000 .. 100, both ways.
import type { Clock } from "./app.ts";

export const SLOWEST = 1 / 1000;
export const FASTEST = 100;

export interface ClockWorld {
  span(): [number, number]; // first and farthest instant of any world
  newest(): number; // time of the newest live frame the page has
  liveRate?(): number; // live frames per second; 60
  canContinue(): boolean; // some world is still simulated
  frameStep(): number; // the step between stored rows
  simStep(): number; // the simulation step
  neighbour(t: number, way: 1 | -1): number | null; // next recorded instant where steps are uneven; null: even
  changed(what: "seek" | "state"): void;
}

export class Playhead implements Clock {
  t = 0;
  playing = true;
  live = true;
  rate = 1;
  loop: [number, number] | null = null;
  loopOn = false;
  loopOnce = false;
  pingPong = false;
  animationStep = 0; // s of simulated time a drawn frame advances at least; 0: every screen frame
  ticking = false; // what changes now, time changes by itself
  ease: ((t: number, rate: number) => number) | null = null; // the rate at t, where it is not `rate`
  until = Infinity; // where the simulation is to rest, s; see runTo
  private rest = Infinity; // where the simulation rests while this page is paused at the live end, s
  private run = 0; // where it really is; t is this, in whole animation steps
  private shown = 0; // t as tick() left it: when it differs, it was set from outside
  private settled = -1;
  constructor(private readonly w: ClockWorld) {}
  get start(): number {
    return this.w.span()[0];
  }
  get end(): number {
    return this.w.span()[1];
  }

  play(on = !this.playing): void {
    if (on && !this.live && this.rate > 0 && this.t >= this.end - 1e-9 && !this.looping()) {
      if (this.w.canContinue()) this.live = true;
      else this.t = this.start;
    }
    if (on && this.rate < 0 && this.live) this.live = false;
    if (on && this.rate < 0 && this.t <= this.start + 1e-9) this.t = this.end;
    this.playing = on;
    this.rest = this.until = Infinity;
    this.w.changed("state");
  }
  // What the server tells of the live end: it rests at t, or another page lets it run. A paused page
  // then stays where it is, behind the live end.
  liveRests(t: number): void {
    if (!this.playing && this.live) this.rest = t;
  }
  liveReaches(t: number): void {
    if (this.playing && this.live && t > this.until - this.w.simStep()) this.play(false);
  }
  liveLeaves(): void {
    if (this.playing || !this.live) return;
    this.seek(Math.min(this.t, this.rest));
    this.w.changed("state");
  }
  seek(t: number): void {
    this.run = this.t = this.shown = Math.min(this.end, Math.max(this.start, t));
    this.live = false;
    this.until = Infinity;
    this.settled = -1;
    this.w.changed("seek");
  }
  // Simulates as far as t and pauses there; an instant that was simulated already is shown.
  runTo(t: number): void {
    if (t <= this.end || !this.w.canContinue()) {
      this.seek(t);
      return;
    }
    this.goLive();
    this.until = t;
    this.w.changed("state");
  }
  goLive(): void {
    this.live = true;
    if (this.rate < 0) this.rate = 1;
    this.t = Math.max(this.start, this.w.newest() > -Infinity ? Math.max(this.w.newest(), this.end) : this.end);
    this.playing = true;
    this.until = Infinity;
    this.w.changed("state");
  }
  setRate(rate: number): void {
    const r = Math.min(FASTEST, Math.max(SLOWEST, Math.abs(rate)));
    this.rate = rate < 0 ? -r : r;
    if (this.rate < 0) this.live = false;
    this.w.changed("state");
  }
  // One stored frame on (or back); exact instants of the grid of rows.
  step(frames: number): void {
    const way = frames < 0 ? -1 : 1;
    const to = this.w.neighbour(this.t, way);
    if (to === null) {
      this.nudge(frames * this.w.frameStep(), this.w.frameStep());
      return;
    }
    this.playing = false;
    this.seek(to);
    this.w.changed("state");
  }
  stepSim(steps: number): void {
    this.nudge(steps * this.w.simStep(), this.w.simStep());
  }
  private nudge(by: number, grid: number): void {
    if (this.playing) this.playing = false;
    const from = this.t / grid;
    // From between two frames the first step goes to the next one, not past it.
    const on = by > 0 ? Math.floor(from + 1e-6) : Math.ceil(from - 1e-6);
    this.seek((on + Math.round(by / grid)) * grid);
    this.w.changed("state");
  }
  // J K L: back, stop, on; pressed again twice as fast, up to 8 x.
  shuttle(way: -1 | 0 | 1): void {
    if (way === 0) {
      this.play(false);
      return;
    }
    const same = this.playing && Math.sign(this.rate) === way;
    const next = same ? Math.min(8, Math.max(1, Math.abs(this.rate) * 2)) : 1;
    if (way < 0) this.live = false;
    this.setRate(way * next);
    this.play(true);
  }
  setLoop(from: number, to: number): void {
    this.loop = from < to ? [from, to] : [to, from];
    this.loopOn = true;
    this.w.changed("state");
  }
  looping(): boolean {
    return this.loop !== null && this.loopOn && !(this.live && this.playing);
  }

  tick(dt: number): void {
    if (this.t !== this.shown) this.run = this.t;
    this.ticking = true;
    if (this.live) this.followLive(dt);
    else if (this.playing) this.move(this.pace() * Math.min(dt, 0.25));
    this.t = this.shown = this.playing ? this.whole(this.run) : this.run;
    this.ticking = false;
  }
  // The rate at this instant.
  private pace(): number {
    return this.ease ? this.ease(this.run, this.rate) : this.rate;
  }
  // In whole animation steps, where these are longer than a screen frame and time is not slowed.
  private whole(t: number): number {
    const step = this.animationStep;
    if (step <= Math.abs(this.rate) / 58 || this.pace() !== this.rate) return t;
    return Math.max(this.start, Math.floor(t / step + 1e-9) * step);
  }
  private move(d: number): void {
    const t = this.run + d;
    if (this.looping()) {
      const [a, b] = this.loop!;
      if (t > b || t < a) {
        this.turn(t, a, b);
        return;
      }
    }
    if (t >= this.end && d > 0) {
      this.run = this.t = this.end;
      if (this.w.canContinue()) {
        this.live = true;
        this.w.changed("state");
      } else this.play(false);
    } else if (t <= this.start && d < 0) {
      this.run = this.t = this.start;
      this.play(false);
    } else this.run = t;
  }
  // At an end of the loop: back to the other, the other way, or stop.
  private turn(t: number, a: number, b: number): void {
    const over = t > b;
    if (this.pingPong) {
      this.run = over ? Math.min(b, Math.max(a, 2 * b - t)) : Math.min(b, Math.max(a, 2 * a - t));
      this.rate = over ? -Math.abs(this.rate) : Math.abs(this.rate);
      this.w.changed("state");
    } else if (this.loopOnce) {
      this.run = this.t = over ? b : a;
      this.play(false);
    } else {
      this.run = this.t = this.shown = this.rate > 0 ? a : b;
      this.w.changed("state");
    } // who follows must know
  }
  private followLive(dt: number): void {
    const newest = this.w.newest();
    if (newest === -Infinity) return;
    if (!this.playing) {
      const end = this.rest < Infinity ? this.rest : newest; // its last frame may never have come
      if (this.settled !== end) {
        this.settled = end;
        this.run = end;
      }
      return;
    }
    this.settled = -1;
    if (this.rate < 1 && this.w.simStep() > (2 * this.rate) / (this.w.liveRate?.() ?? 60)) {
      this.followSteps(newest, dt);
      return;
    }
    const behind = Math.min(0.5, (2.04 / (this.w.liveRate?.() ?? 60)) * Math.max(1, this.rate)); // two live frames
    const aim = newest - behind;
    const off = aim - this.run;
    if (Math.abs(off) > 0.35 * Math.max(1, this.rate)) this.run = Math.max(this.start, aim);
    else this.run = Math.min(newest, Math.max(this.run, this.run + this.rate * dt + off * Math.min(1, 4 * dt)));
  }
  // In slow motion steps come one by one: time runs evenly through the last one, until the next one comes.
  private followSteps(newest: number, dt: number): void {
    const step = this.w.simStep();
    const late = Math.max(0, newest - this.run - 1.5 * step);
    const to = this.run + this.rate * dt + late * Math.min(1, 4 * dt);
    this.run = late > 0.35 ? newest - step : Math.min(newest, Math.max(this.run, to));
  }
}
