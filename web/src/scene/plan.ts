// plan.ts - the road from above, as geometry: places of stations and offsets, lanes along a path.
//
// A path is a line of samples with cubics between them (docs/protocol.md, plan), and lanes as offsets from it. x of a
// car is its station plus the base of its path, so that it continues from a ramp to the road. Nothing here draws.
import type { Plan, PlanLane, PlanPath, PlanRamp, PlanRule } from "../wire/protocol.ts";

export interface Pose {
  x: number;
  y: number;
  c: number; // cosine and sine of the heading
  s: number;
}
export interface Side {
  left: number; // m, offsets of the edges; NaN: there is no such lane here
  right: number;
}

export class Path {
  readonly name: string;
  readonly length: number; // m; Infinity: without an end
  readonly closed: boolean;
  readonly base: number;
  readonly lanes: PlanLane[];
  readonly breaks: Float64Array; // stations, rising, at which a lane may begin, end or bend
  private s: Float64Array;
  private x: Float64Array;
  private y: Float64Array;
  private c: Float64Array;
  private n: Float64Array;

  constructor(p: PlanPath) {
    this.name = p.name;
    this.length = p.length ?? Infinity;
    this.closed = p.closed;
    this.base = p.base;
    this.lanes = p.lanes;
    this.breaks = Float64Array.from(new Set(p.lanes.flatMap((l) => l.s))).sort();
    this.s = Float64Array.from(p.line.s);
    this.x = Float64Array.from(p.line.x);
    this.y = Float64Array.from(p.line.y);
    this.c = Float64Array.from(p.line.heading, Math.cos);
    this.n = Float64Array.from(p.line.heading, Math.sin);
  }

  // Stations of a circuit come round again.
  wrap(station: number): number {
    return this.closed ? station - this.length * Math.floor(station / this.length) : station;
  }

  // The place `offset` to the left of a station; beyond the ends the line is straight.
  place(station: number, offset: number, out: Pose): Pose {
    const { s, x, y, c, n } = this;
    const last = s.length - 1;
    const at = this.wrap(station);
    if (at <= s[0]! || at >= s[last]! || last < 1) {
      const k = at <= s[0]! ? 0 : last;
      const d = at - s[k]!;
      out.c = c[k]!;
      out.s = n[k]!;
      out.x = x[k]! + d * out.c - offset * out.s;
      out.y = y[k]! + d * out.s + offset * out.c;
      return out;
    }
    const i = below(s, at);
    const d = s[i + 1]! - s[i]!;
    const u = (at - s[i]!) / d;
    const u2 = u * u;
    const h01 = u2 * (3 - 2 * u);
    const h10 = d * u * (1 - u) * (1 - u);
    const h11 = d * u2 * (u - 1);
    const px = x[i]! + h01 * (x[i + 1]! - x[i]!) + h10 * c[i]! + h11 * c[i + 1]!;
    const py = y[i]! + h01 * (y[i + 1]! - y[i]!) + h10 * n[i]! + h11 * n[i + 1]!;
    // The derivative is the tangent.
    const g01 = (6 * u * (1 - u)) / d;
    const g10 = 1 - 4 * u + 3 * u2;
    const g11 = 3 * u2 - 2 * u;
    const tx = g01 * (x[i + 1]! - x[i]!) + g10 * c[i]! + g11 * c[i + 1]!;
    const ty = g01 * (y[i + 1]! - y[i]!) + g10 * n[i]! + g11 * n[i + 1]!;
    const l = 1 / Math.hypot(tx, ty);
    out.c = tx * l;
    out.s = ty * l;
    out.x = px - offset * out.s;
    out.y = py + offset * out.c;
    return out;
  }

  // 1/m, left positive, over a metre.
  curvature(station: number): number {
    const a = this.place(station - 0.5, 0, probeA);
    const h = Math.atan2(a.s, a.c);
    const b = this.place(station + 0.5, 0, probeB);
    const d = Math.atan2(b.s, b.c) - h;
    return d - 2 * Math.PI * Math.round(d / (2 * Math.PI));
  }

  // The edges of a lane at a station.
  sides(lane: number, station: number, out: Side): Side {
    const l = this.lanes[lane];
    out.left = out.right = NaN;
    if (!l || !l.s.length) return out;
    const s = this.wrap(station);
    const last = l.s.length - 1;
    const i = s <= l.s[0]! ? 0 : s >= l.s[last]! ? last : below(l.s, s);
    const j = Math.min(last, i + 1);
    const p = l.centre[i];
    const q = l.centre[j];
    const d = l.s[j]! - l.s[i]!;
    const u = d > 0 ? Math.min(1, Math.max(0, (s - l.s[i]!) / d)) : 0;
    if (p == null && q == null) return out;
    const centre = p == null ? q! : q == null ? p : p + u * (q - p);
    const width = l.width[i]! + u * (l.width[j]! - l.width[i]!);
    if (p == null || q == null) {
      if (!(width > 0.02)) return out;
    }
    if (!(width > 0)) return out;
    out.left = centre + width / 2;
    out.right = centre - width / 2;
    return out;
  }

  // The outer edges of all lanes.
  edges(station: number, out: Side): Side {
    let left = -Infinity;
    let right = Infinity;
    for (let k = 0; k < this.lanes.length; k++) {
      this.sides(k, station, probe);
      if (probe.left > left) left = probe.left;
      if (probe.right < right) right = probe.right;
    }
    out.left = left;
    out.right = right;
    return out;
  }

  // The lane of an offset, from 0: the one it is in, else the nearest; -1: there is none.
  laneAt(station: number, offset: number): number {
    let best = -1;
    let min = Infinity;
    for (let k = 0; k < this.lanes.length; k++) {
      this.sides(k, station, probe);
      const d = Math.abs(offset - 0.5 * (probe.left + probe.right)) - 0.5 * (probe.left - probe.right);
      if (d < min) {
        min = d;
        best = k;
      }
    }
    return best;
  }

  // m, the middle of a lane; NaN: it does not exist there.
  centre(lane: number, station: number): number {
    this.sides(lane, station, probe);
    return 0.5 * (probe.left + probe.right);
  }

  rule(lane: number, station: number): PlanRule | null {
    const s = this.wrap(station);
    const rules = this.lanes[lane]?.rules ?? [];
    return (
      rules.find((r) => s >= r.from && s < r.to) ??
      (s >= (rules[rules.length - 1]?.to ?? Infinity) ? rules[rules.length - 1]! : null)
    );
  }
}
const probe: Side = { left: 0, right: 0 };
const probeA: Pose = { x: 0, y: 0, c: 1, s: 0 };
const probeB: Pose = { x: 0, y: 0, c: 1, s: 0 };

// The last index whose value is not above v; values rise and v lies between them.
function below(values: ArrayLike<number>, v: number): number {
  let lo = 0;
  let hi = values.length - 1;
  while (hi - lo > 1) {
    const mid = (lo + hi) >> 1;
    if (values[mid]! <= v) lo = mid;
    else hi = mid;
  }
  return lo;
}

function isShaped(l: PlanLane): boolean {
  return l.width.some((w) => w !== l.width[0]) || l.rules.length > 1 || l.rules.some((r) => r.use !== "any");
}

export class RoadPlan {
  readonly paths: Path[];
  readonly ramps: PlanRamp[];
  readonly curved: boolean;
  readonly version: number;
  readonly written: Plan["written"];
  readonly shaped: boolean; // there is more to it than straight lanes of one width and use: it is drawn from above

  constructor(p: Plan) {
    this.paths = p.paths.map((q) => new Path(q));
    this.ramps = p.ramps;
    this.curved = p.curved;
    this.version = p.plan;
    this.written = p.written;
    this.shaped = p.curved || this.main.lanes.some(isShaped);
  }
  get main(): Path {
    return this.paths[0]!;
  }
  path(k: number): Path {
    return this.paths[k] ?? this.main;
  }
  // m, as far as there is something to see: its length, or behind the last thing on it.
  get extent(): number {
    if (Number.isFinite(this.main.length)) return this.main.length;
    let to = 1000;
    for (const l of this.main.lanes) for (const r of l.rules) if (r.from > 0) to = Math.max(to, r.from + 400);
    for (const r of this.ramps) to = Math.max(to, r.to + 400);
    return to;
  }
}
