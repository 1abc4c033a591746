// poses.ts - what the server answers about a mechanism, as numbers: rows of poses, places, columns.
import { numbers } from "../wire/numbers.ts";
import type { BodyPart, MechanismParts, Shape } from "../wire/protocol.ts";

export const POSE = 7; // x, y, z, and the quaternion w, x, y, z

export interface Motion {
  t: Float64Array;
  rows: number;
  bodies: number;
  points: number;
  poses: Float64Array; // rows of bodies
  places: Float64Array; // rows of points
}

export function motionOf(
  a: MechanismParts & { rows: number; t: string | null; poses: string | null; places: string | null },
): Motion {
  return {
    rows: a.rows,
    bodies: a.bodies.length,
    points: a.points.length,
    t: numbers(a.t),
    poses: numbers(a.poses),
    places: numbers(a.places),
  };
}

// The row at or before an instant, and how far it is to the next: 0 .. 1.
export function rowAt(t: Float64Array, rows: number, at: number): [number, number] {
  if (rows < 2 || at <= t[0]!) return [0, 0];
  if (at >= t[rows - 1]!) return [rows - 2, 1];
  let low = 0;
  let high = rows - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (t[middle]! <= at) low = middle;
    else high = middle;
  }
  return [low, (at - t[low]!) / (t[low + 1]! - t[low]!)];
}

// Poses and places between two rows: positions by a straight line, quaternions by the shorter arc's chord.
export function poseAt(m: Motion, row: number, part: number, pose: Float64Array, place: Float64Array): void {
  const next = Math.min(row + 1, m.rows - 1);
  const width = m.bodies * POSE;
  for (let b = 0; b < m.bodies; b++) {
    const p = row * width + b * POSE;
    const q = next * width + b * POSE;
    const o = b * POSE;
    let dot = 0;
    for (let k = 0; k < 3; k++) pose[o + k] = m.poses[p + k]! + part * (m.poses[q + k]! - m.poses[p + k]!);
    for (let k = 3; k < POSE; k++) dot += m.poses[p + k]! * m.poses[q + k]!;
    const sign = dot < 0 ? -1 : 1;
    let square = 0;
    for (let k = 3; k < POSE; k++) {
      const value = m.poses[p + k]! + part * (sign * m.poses[q + k]! - m.poses[p + k]!);
      pose[o + k] = value;
      square += value * value;
    }
    for (let k = 3; k < POSE; k++) pose[o + k] = pose[o + k]! / Math.sqrt(square);
  }
  for (let k = 0; k < m.points * 3; k++) {
    const a = m.places[row * m.points * 3 + k]!;
    place[k] = a + part * (m.places[next * m.points * 3 + k]! - a);
  }
}

// The box around everything in the first row: its diagonal, m, at least 0.1, its middle, and half of it along each axis.
export function boundsOf(m: Motion, bodies: BodyPart[]): { size: number; middle: number[]; half: number[] } {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  const take = (p: number[]) => {
    for (let k = 0; k < 3; k++) {
      low[k] = Math.min(low[k]!, p[k]!);
      high[k] = Math.max(high[k]!, p[k]!);
    }
  };
  for (let b = 0; b < m.bodies; b++) {
    const o = b * POSE;
    const at = (v: number[]) => {
      const r = turned(m.poses, o + 3, v);
      return r.map((x, k) => x + m.poses[o + k]!);
    };
    take(at([0, 0, 0]));
    for (const s of bodies[b]?.shapes ?? []) for (const corner of cornersOf(s)) take(at(corner));
  }
  for (let p = 0; p < m.points; p++) take([m.places[3 * p]!, m.places[3 * p + 1]!, m.places[3 * p + 2]!]);
  const d = Math.hypot(high[0]! - low[0]!, high[1]! - low[1]!, high[2]! - low[2]!);
  if (!Number.isFinite(d)) return { size: 1, middle: [0, 0, 0], half: [0.5, 0.5, 0.5] };
  return {
    size: Math.max(d, 0.1),
    middle: low.map((x, k) => (x + high[k]!) / 2),
    half: low.map((x, k) => (high[k]! - x) / 2),
  };
}

// A vector turned by the quaternion (w, x, y, z) at a place of an array.
export function turned(q: ArrayLike<number>, o: number, v: number[]): number[] {
  const [w, x, y, z] = [q[o]!, q[o + 1]!, q[o + 2]!, q[o + 3]!];
  const t = [2 * (y * v[2]! - z * v[1]!), 2 * (z * v[0]! - x * v[2]!), 2 * (x * v[1]! - y * v[0]!)];
  return [
    v[0]! + w * t[0]! + y * t[2]! - z * t[1]!,
    v[1]! + w * t[1]! + z * t[0]! - x * t[2]!,
    v[2]! + w * t[2]! + x * t[1]! - y * t[0]!,
  ];
}

// In the axes of the body.
function cornersOf(s: Shape): number[][] {
  const turn = s.turn.map((x) => x ?? 0);
  const place = (v: number[]) => turned(turn, 0, v).map((x, k) => x + (s.at[k] ?? 0));
  if (s.points) {
    const out: number[][] = [];
    for (let k = 0; k + 2 < s.points.length; k += 3) out.push(place(s.points.slice(k, k + 3).map((x) => x ?? 0)));
    return out;
  }
  return [0, 1, 2, 3, 4, 5, 6, 7].map((k) =>
    place([0, 1, 2].map((axis) => ((k >> axis) & 1 ? 0.5 : -0.5) * (s.size[axis] ?? 0))),
  );
}
