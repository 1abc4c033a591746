// collisiondata.ts - the answer to `collision` as the page uses it, and what is worked out from it.

import type { CollisionReport, LedgerRow } from "../wire/protocol.ts";

export const LEDGER = ["kinetic", "elastic", "damped", "crushed", "friction"] as const;
export type LedgerPart = (typeof LEDGER)[number];
export const LEDGER_WORDS: Record<LedgerPart, string> = {
  kinetic: "Motion",
  elastic: "Vibration",
  damped: "Damping",
  crushed: "Crushing",
  friction: "Friction, restitution",
};

// Speeds m/s, impulses N s, energies J. Energies of the ledger are those of the pair's relative motion:
// what both have in common does not change in a collision and would dwarf the rest.
export interface Collision {
  striking: string;
  struck: string;
  t: number;
  lane: number;
  place: number;
  closing: number;
  separation: number;
  offset: number;
  duration: number;
  impacts: number;
  restitution: number;
  impulse: number;
  hardest: number;
  peak: number;
  deltaStriking: number;
  deltaStruck: number;
  momentumError: number;
  energyError: number;
  before: number;
  ledger: LedgerRow[];
  force: CollisionReport["force"];
  forceStep: number;
  went: Share[];
}
export interface Share {
  name: string;
  part: LedgerPart;
  energy: number;
  share: number;
}

const number = (v: number | null): number => v ?? NaN;

export function readCollision(a: CollisionReport, laneWidth = 3.4): Collision {
  const striking = a.cars.find((c) => c.vehicle === a.vehicle);
  const struck = a.cars.find((c) => c.vehicle === a.other);
  const m1 = striking?.mass ?? NaN;
  const m2 = struck?.mass ?? NaN;
  const reduced = (m1 * m2) / (m1 + m2);
  const before = 0.5 * reduced * number(a.relative_before) ** 2;
  const after = 0.5 * reduced * number(a.relative_after) ** 2;
  const ledger = a.ledger.map((r) => ({ ...r }));
  // What is neither common nor relative motion, such as wheels that spin, is taken as it was at the first touch.
  const first = ledger[0];
  const other = first && Number.isFinite(before) ? first.kinetic - first.common - before : 0;
  for (const r of ledger) r.kinetic = Math.max(0, r.kinetic - r.common - other);
  return {
    striking: a.vehicle,
    struck: a.other,
    t: a.t,
    lane: Math.round(-number(a.point_y) / laneWidth) + 1,
    place: number(a.point_x),
    closing: number(a.closing),
    separation: number(a.relative_after),
    offset: number(a.offset),
    duration: a.duration,
    impacts: a.impacts,
    restitution: number(a.restitution),
    impulse: number(a.impulse),
    hardest: number(a.impulse_largest),
    peak: a.peak_force,
    deltaStriking: striking?.delta_v ?? NaN,
    deltaStruck: struck?.delta_v ?? NaN,
    momentumError: number(a.momentum_error),
    energyError: number(a.energy_error),
    before,
    ledger,
    force: a.force,
    forceStep: a.force_step,
    went: shares(a, after),
  };
}

// Where the energy of the relative motion went, of the sum of all that is known.
function shares(a: CollisionReport, after: number): Share[] {
  const all: [string, LedgerPart, number][] = [
    ["Separation", "kinetic", after],
    ["Vibration of bodies", "elastic", number(a.vibration)],
    ["Damping", "damped", number(a.damped)],
    ["Crushing", "crushed", number(a.crushed)],
    ["Friction between them", "friction", number(a.friction_loss)],
    ["Restitution below 1", "crushed", number(a.restitution_loss)],
  ];
  const there = all.filter(([, , e]) => e > 1e-6);
  const sum = there.reduce((s, [, , e]) => s + e, 0);
  return there.map(([name, part, energy]) => ({ name, part, energy, share: energy / sum }));
}

// 3e-15 as "3 × 10⁻¹⁵".
export function powerText(v: number): string {
  if (!Number.isFinite(v)) return "–";
  if (v === 0) return "0";
  const e = Math.floor(Math.log10(Math.abs(v)));
  const sup = String(e).replace(/[-0-9]/g, (c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(c)]!));
  return `${Math.round(Math.abs(v) / 10 ** e)} × 10${sup}`;
}
