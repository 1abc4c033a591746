// places.ts - places of a concept file that can be dragged: where parts are, corners of beams, hardpoints, ends of springs.
import type { ConceptAnswer } from "../wire/protocol.ts";
import { pathOf } from "./fields.ts";
import type { Picked } from "./tree.ts";

export type Triple = [number, number, number];
export interface Place {
  path: string; // of the list of three numbers
  name: string;
  at: Triple; // m, in the axes of the vehicle
  from: Triple; // origin of its numbers
}

const UNITS: Record<string, number> = { "": 1, m: 1, cm: 0.01, mm: 0.001 };

// Metres; NaN: not a length.
export function metres(text: string): number {
  const m = /^\s*(-?\d*\.?\d+(?:e[-+]?\d+)?)\s*(m|cm|mm)?\s*$/i.exec(text);
  return m ? Number(m[1]) * UNITS[m[2] ?? ""]! : NaN;
}

// All lists of three lengths under one of the paths.
function under(a: ConceptAnswer, of: (path: string) => boolean, from: Triple): Place[] {
  const values = new Map(a.values.map((v) => [v.path, v.text]));
  return a.values.flatMap((v) => {
    const path = v.path.slice(0, -2);
    if (!v.path.endsWith(".0") || !of(path) || values.has(`${path}.3`)) return [];
    const own = [0, 1, 2].map((k) => metres(values.get(`${path}.${k}`) ?? ""));
    if (own.some((x) => !Number.isFinite(x))) return [];
    const at = own.map((x, k) => x + from[k]!) as Triple;
    return [{ path, name: path.split(".").slice(-2).join(" "), at, from }];
  });
}

export function placesOf(a: ConceptAnswer, picked: Picked): Place[] {
  const path = pathOf(a, picked);
  const zero: Triple = [0, 0, 0];
  if (picked.kind === "axle") {
    const origin = under(a, (p) => p === `${path}.at`, zero)[0]?.at ?? zero;
    return under(a, (p) => p.startsWith(`${path}.hardpoints.`), origin);
  }
  if (picked.kind === "part")
    return under(a, (p) => p.startsWith(`${path}.`) && /\.(at|(polyline|arc|spline|polygon)\.\d+)$/.test(p), zero);
  // Springs and joints of an assembly, those to others among them.
  const ends = a.values.filter(
    (v) => /^connections\.[^.]+\.(from|to)$/.test(v.path) && v.text.split(".")[0] === picked.name,
  );
  const edges = new Set(ends.map((v) => v.path.split(".").slice(0, 2).join(".")));
  return under(
    a,
    (p) =>
      /\.(at|to_at)$/.test(p) &&
      (p.startsWith(`${path}.connections.`) || edges.has(p.split(".").slice(0, 2).join("."))),
    zero,
  );
}

// The numbers of a place moved to `to`, in whole millimetres.
export function moved(place: Place, to: Triple): { path: string; value: string }[] {
  return to.flatMap((x, k) => {
    const now = Math.round(1000 * (x - place.from[k]!)) / 1000;
    const before = place.at[k]! - place.from[k]!;
    return Math.abs(now - before) < 5e-5 ? [] : [{ path: `${place.path}.${k}`, value: String(now) }];
  });
}
