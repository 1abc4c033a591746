// marks.ts - what is marked in the picture of a mechanism: mass centres, loads of axles, and words at a few things.
import { Vector3 } from "three";
import { figures, fixed } from "../base/units.ts";
import type { ConceptAnswer, ConceptMass } from "../wire/protocol.ts";
import { number3, springForce, valueAt, type Chosen, type Loaded } from "./data.ts";
import type { Reaction } from "./loads.ts";
import { POSE, turned } from "./poses.ts";

export interface Note {
  at: Chosen | Vector3; // in the world
  words: string;
  small?: string; // second line
}
export interface Marks {
  reactions: Reaction[];
  centres: { at: Vector3; whole: boolean }[];
  notes: Note[];
}

const kN = (v: number) => `${fixed(v / 1000, 2)} kN`;

// A point of a body at a pose, in the world.
function onBody(pose: Float64Array, body: number, v: number[]): Vector3 {
  const o = body * POSE;
  const r = turned(pose, o + 3, v);
  return new Vector3(pose[o]! + r[0]!, pose[o + 1]! + r[1]!, pose[o + 2]! + r[2]!);
}

// The mass centre of all bodies, kg and where; null: no mass.
export function wholeCentre(l: Loaded, pose: Float64Array): { mass: number; at: Vector3 } | null {
  const at = new Vector3();
  let mass = 0;
  l.run.bodies.forEach((b, k) => {
    at.addScaledVector(onBody(pose, k, number3(b.centre)), b.mass ?? 0);
    mass += b.mass ?? 0;
  });
  return mass > 0 ? { mass, at: at.divideScalar(mass) } : null;
}

// Of a mechanism: the centre of what moves freely, and the springs that press most in this run.
export function marksOf(l: Loaded, pose: Float64Array, t: number): Marks {
  const out: Marks = { reactions: [], centres: [], notes: [] };
  const whole = l.run.bodies.some((b) => b.joint === "free") ? wholeCentre(l, pose) : null;
  if (whole) out.centres.push({ at: whole.at, whole: true });
  for (const name of hardest(l, 2)) {
    const spring = l.run.springs.find((s) => s.name === name)!;
    const length = valueAt(l, `${name}.length`, t);
    out.notes.push({
      at: { kind: "spring", name },
      words: `${name}  ${kN(springForce(l, spring, t))}`,
      small: Number.isFinite(length) ? `${fixed(1000 * length, 1)} mm long` : "",
    });
  }
  return out;
}
const known = new WeakMap<Loaded, string[]>();
// Names of the springs with the largest forces of the run.
function hardest(l: Loaded, count: number): string[] {
  const before = known.get(l);
  if (before) return before;
  const n = l.run.columns.length;
  const peaks = l.run.springs.map((s) => {
    const c = l.column.get(`${s.name}.force`);
    let peak = 0;
    if (c !== undefined)
      for (let row = 0; row < l.motion.rows; row++) peak = Math.max(peak, Math.abs(l.values[row * n + c]!) || 0);
    return { name: s.name, peak };
  });
  const names = peaks
    .filter((p) => p.peak > 0)
    .sort((a, b) => b.peak - a.peak)
    .slice(0, count)
    .map((p) => p.name);
  known.set(l, names);
  return names;
}

// Of a concept: mass centres of its assemblies and of the whole, and the static loads of its axles on the road.
export function conceptMarks(l: Loaded, a: ConceptAnswer, pose: Float64Array): Marks {
  const out: Marks = { reactions: [], centres: [], notes: [] };
  // Bodies of the mechanism by their number in the concept, and their origins in its axes.
  const index = a.bodies.map((b) => l.run.bodies.findIndex((o) => o.name === b.name));
  const place = (body: number, p: (number | null)[]): Vector3 | null => {
    const k = index[body] ?? -1;
    const own = l.run.bodies[k];
    if (!own) return null;
    const [at, centre, local] = [number3(p), number3(a.bodies[body]!.centre), number3(own.centre)];
    return onBody(
      pose,
      k,
      [0, 1, 2].map((i) => at[i]! - centre[i]! + local[i]!),
    );
  };
  for (const s of a.assemblies) {
    const body = a.parts.find((p) => p.group === s.name && p.body >= 0)?.body ?? -1;
    const at = s.mass ? place(body, s.centre) : null;
    if (at) out.centres.push({ at, whole: false });
  }
  const whole = wholeCentre(l, pose);
  if (whole) {
    out.centres.push({ at: whole.at, whole: true });
    out.notes.push({ at: whole.at, words: `Whole vehicle  ${figures(whole.mass, 4)} kg`, small: whereText(a.whole) });
  }
  for (const axle of a.axles) {
    const wheels = a.parts.filter((p) => p.kind === "wheel" && p.group === axle.name);
    const feet = wheels.flatMap((p) => {
      const at = place(p.body, p.centre);
      return at ? [outside(l, at.setZ(at.z - axle.radius), pose, 0.6 * axle.radius)] : [];
    });
    if (!feet.length || !(axle.load && axle.load > 0)) continue;
    for (const at of feet) out.reactions.push({ at, force: new Vector3(0, 0, axle.load / feet.length) });
    const nearest = feet.reduce((p, q) => (q.y < p.y ? q : p));
    out.notes.push({ at: nearest, words: `${axle.name} axle  ${kN(axle.load)}`, small: "at rest on the road" });
  }
  return out;
}
// Beside a wheel of this width, on the side away from the middle: an arrow in the wheel would not be seen.
function outside(l: Loaded, at: Vector3, pose: Float64Array, wide: number): Vector3 {
  const middle = wholeCentre(l, pose)?.at ?? new Vector3();
  const k = Math.max(
    l.run.bodies.findIndex((b) => b.joint === "free"),
    0,
  );
  const left = onBody(pose, k, [0, 1, 0]).sub(onBody(pose, k, [0, 0, 0]));
  return at.addScaledVector(left, 0.7 * wide * (left.dot(at.clone().sub(middle)) < 0 ? -1 : 1));
}

// The loads of the road on wheels in an equilibrium, at the pose of it.
export function wheelMarks(l: Loaded, pose: Float64Array, loads: { body: string; force: number }[], out: Marks): void {
  out.notes = [];
  for (const { body, force } of loads) {
    const k = l.run.bodies.findIndex((b) => b.name === body);
    const shape = l.run.bodies[k]?.shapes.find((s) => s.kind === "wheel");
    if (!shape) continue;
    const at = outside(l, onBody(pose, k, number3(shape.at)), pose, shape.size[2] ?? 0);
    at.z -= (shape.size[0] ?? 0) / 2;
    out.reactions.push({ at, force: new Vector3(0, 0, force) });
    out.notes.push({ at, words: `${body}  ${kN(force)}`, small: "of the road, at rest" });
  }
}
function whereText(whole: ConceptMass): string {
  const [x, , z] = number3(whole.centre);
  return `x ${fixed(x, 2)} m, z ${fixed(z, 2)} m`;
}
