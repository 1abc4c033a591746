// poses.ts - what the server answers about a mechanism, as numbers: rows of poses, places, columns.
import type { MechanismParts } from "../wire/protocol.ts";

export const POSE = 7; // x, y, z, and the quaternion w, x, y, z

// Numbers of a text in base64: doubles, lowest byte first.
export function numbers(base64: string | null | undefined): Float64Array {
  const text = atob(base64 ?? "");
  const bytes = new Uint8Array(text.length);
  for (let k = 0; k < text.length; k++) bytes[k] = text.charCodeAt(k);
  return new Float64Array(bytes.buffer, 0, Math.floor(bytes.length / 8));
}

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

// Edges of the box of constant density that has a body's mass and moments about its own axes; a point mass is a
// small cube. Products of inertia are left out.
export function boxOf(mass: number, inertia: number[], size: number): [number, number, number] {
  const smallest = 0.03 * size;
  const edge = (a: number, b: number, c: number) =>
    mass > 0 ? Math.max(Math.sqrt(Math.max((6 * (b + c - a)) / mass, 0)), smallest) : smallest;
  const [x, y, z] = [inertia[0] ?? 0, inertia[1] ?? 0, inertia[2] ?? 0];
  return [edge(x, y, z), edge(y, z, x), edge(z, x, y)];
}

// Radius and width of the disc of constant density that has a round body's mass and moments.
export function discOf(mass: number, inertia: number[], axis: number, size: number): [number, number] {
  const about = inertia[axis] ?? 0;
  const across = inertia[(axis + 1) % 3] ?? 0;
  if (!(mass > 0)) return [0.03 * size, 0.03 * size];
  const radius = Math.max(Math.sqrt((2 * about) / mass), 0.02 * size);
  return [radius, Math.max(Math.sqrt(Math.max((12 * across) / mass - 3 * radius * radius, 0)), 0.15 * radius)];
}

// How large the mechanism is: the diagonal of everything in the first row, m; at least 0.1.
export function sizeOf(m: Motion): number {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  const take = (a: Float64Array, at: number) => {
    for (let k = 0; k < 3; k++) {
      low[k] = Math.min(low[k]!, a[at + k]!);
      high[k] = Math.max(high[k]!, a[at + k]!);
    }
  };
  for (let b = 0; b < m.bodies; b++) take(m.poses, b * POSE);
  for (let p = 0; p < m.points; p++) take(m.places, p * 3);
  const d = Math.hypot(high[0]! - low[0]!, high[1]! - low[1]!, high[2]! - low[2]!);
  return Number.isFinite(d) ? Math.max(d, 0.1) : 1;
}
