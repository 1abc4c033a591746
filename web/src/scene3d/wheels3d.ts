// wheels3d.ts - where a wheel is drawn: steered about the vertical of its vehicle, turned about its axle.
import type { Frame, Stand } from "../wire/frame.ts";

// How a vehicle stands on its wheels; null: its type does not say.
export function standOf(frame: Frame, id: number): Stand | null {
  const all = frame.stands;
  for (let k = 0; k < all.length; k++) if (all[k]!.id === id) return all[k]!;
  return null;
}

// Which wheel of the state moves wheel j of a look: both go left before right from the front; a look with more axles has
// its further ones on the last.
export function axleOf(j: number, drawn: number, known: number): number {
  if (drawn <= known) return j;
  return Math.min(j >> 1, (known >> 1) - 1) * 2 + (j & 1);
}

// m: axes of the vehicle and the centre of the wheel, column major; size: times the wheel as it is built; side: 1 left, -1
// right, whose outer face looks the other way.
export function putWheel(
  out: Float32Array,
  at: number,
  m: Float32Array,
  size: number,
  side: number,
  steer: number,
  angle: number,
): void {
  const c = Math.cos(steer) * side;
  const s = Math.sin(steer) * side;
  const ca = Math.cos(side * angle);
  const sa = Math.sin(side * angle);
  for (let k = 0; k < 3; k++) {
    const forward = m[k]! * c + m[4 + k]! * s;
    const up = m[8 + k]!;
    out[at + k] = size * (forward * ca - up * sa);
    out[at + 4 + k] = size * (m[4 + k]! * c - m[k]! * s);
    out[at + 8 + k] = size * (forward * sa + up * ca);
    out[at + 12 + k] = m[12 + k]!;
  }
  out[at + 3] = out[at + 7] = out[at + 11] = 0;
  out[at + 15] = 1;
}
