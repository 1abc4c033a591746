// lanes3d.ts - the lanes of a path as the 3-D view needs them, and the stations it is made at.
import type { RoadPlan, Side } from "../scene/plan.ts";

const BEHIND = 480; // m about the focus
export const AHEAD = 1600;

// A path's lanes: of a plan, or of a road of equal lanes.
export interface Lanes {
  count: number;
  path: number;
  base: number;
  from: number; // m, stations
  to: number;
  lap: number; // m, of a circuit; Infinity: it is none
  sides(lane: number, s: number, out: Side): Side;
  edges(s: number, out: Side): Side;
}

export function equalLanes(count: number, width: number): Lanes {
  return {
    count,
    path: 0,
    base: 0,
    from: -Infinity,
    to: Infinity,
    lap: Infinity,
    sides(lane, _, out) {
      out.left = (0.5 - lane) * width;
      out.right = (-0.5 - lane) * width;
      return out;
    },
    edges(_, out) {
      out.left = 0.5 * width;
      out.right = (0.5 - count) * width;
      return out;
    },
  };
}

export function lanesOf(plan: RoadPlan, k: number): Lanes {
  const p = plan.paths[k];
  const endless = p.closed || !Number.isFinite(p.length);
  return {
    count: p.lanes.length,
    path: k,
    base: p.base,
    from: endless ? -Infinity : 0,
    to: endless ? Infinity : p.length,
    lap: p.closed ? p.length : Infinity,
    sides: (lane, s, out) => p.sides(lane, s, out),
    edges: (s, out) => p.edges(s, out),
  };
}

// Stations about the focus, fine where it is near; on a grid of the road, so that nothing crawls.
export function stationsAbout(focus: number, fine: number, p: Lanes): number[] {
  const out: number[] = [];
  // Of a circuit not more than one lap.
  const behind = Math.min(BEHIND, 0.3 * p.lap);
  const lo = Math.max(p.from, focus - behind);
  const hi = Math.min(p.to, focus + Math.min(AHEAD, p.lap - behind));
  if (!(hi > lo)) return out;
  let s = lo;
  out.push(lo);
  for (;;) {
    const d = Math.abs(s - focus);
    const step = fine * (d < 240 ? 1 : d < 560 ? 2 : 4);
    s = (Math.floor(s / step + 1e-9) + 1) * step;
    if (s >= hi) break;
    out.push(s);
  }
  out.push(hi);
  return out;
}
