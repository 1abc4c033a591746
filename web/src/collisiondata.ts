// collisiondata.ts - the answer to `collision` as the page uses it, and what is worked out from it.

import type { Answer } from "./app.ts";

export const LEDGER = ["kinetic", "elastic", "damped", "crushed", "friction"] as const;
export type LedgerPart = (typeof LEDGER)[number];
export const LEDGER_WORDS: Record<LedgerPart, string> = { kinetic: "Motion", elastic: "Vibration", damped: "Damping", crushed: "Crushing", friction: "Friction, restitution" };
export type LedgerRow = Record<LedgerPart | "t", number>;
export interface ForceRow { t: number; force: number }

// Speeds m/s, impulses N s, energies J. Energies of the ledger are those of the pair's relative motion:
// what both have in common does not change in a collision and would dwarf the rest.
export interface Collision {
  striking: string; struck: string; t: number; lane: number; place: number;
  closing: number; separation: number; offset: number; duration: number; impacts: number; restitution: number;
  impulse: number; hardest: number; peak: number; deltaStriking: number; deltaStruck: number;
  momentumError: number; energyError: number; before: number; ledger: LedgerRow[]; force: ForceRow[]; forceStep: number; went: Share[];
}
export interface Share { name: string; part: LedgerPart; energy: number; share: number }

const number = (a: Answer, name: string): number => (typeof a[name] === "number" ? (a[name] as number) : NaN);

export function readCollision(answer: Answer, laneWidth = 3.4): Collision {
  const a = (answer.collision ?? answer) as Answer;
  const rows = (v: unknown): Record<string, any>[] => (Array.isArray(v) ? v : []);
  const cars = rows(a.cars), striking = String(a.vehicle ?? ""), struck = String(a.other ?? "");
  const of = (name: string): Record<string, any> => cars.find((c) => c.vehicle === name) ?? {};
  const m1 = Number(of(striking).mass ?? NaN), m2 = Number(of(struck).mass ?? NaN), reduced = (m1 * m2) / (m1 + m2);
  const before = 0.5 * reduced * number(a, "relative_before") ** 2, after = 0.5 * reduced * number(a, "relative_after") ** 2;
  const ledger = rows(a.ledger).map((r): LedgerRow => ({ t: r.t ?? NaN, kinetic: r.kinetic ?? 0, elastic: r.elastic ?? 0, damped: r.damped ?? 0, crushed: r.crushed ?? 0, friction: r.friction ?? 0 }));
  const common = ledger.length && Number.isFinite(before) ? ledger[0]!.kinetic - before : 0;
  for (const r of ledger) r.kinetic = Math.max(0, r.kinetic - common);
  return {
    striking, struck, t: number(a, "t"), lane: Math.round(-number(a, "point_y") / laneWidth) + 1, place: number(a, "point_x"),
    closing: number(a, "closing"), separation: number(a, "relative_after"), offset: number(a, "offset"), duration: number(a, "duration"), impacts: number(a, "impacts"), restitution: number(a, "restitution"),
    impulse: number(a, "impulse"), hardest: number(a, "impulse_largest"), peak: number(a, "peak_force"), deltaStriking: Number(of(striking).delta_v ?? NaN), deltaStruck: Number(of(struck).delta_v ?? NaN),
    momentumError: number(a, "momentum_error"), energyError: number(a, "energy_error"), before, ledger,
    force: rows(a.force).map((r) => ({ t: r.t ?? NaN, force: r.force ?? NaN })), forceStep: number(a, "force_step"), went: shares(a, after),
  };
}

// Where the energy of the relative motion went, of the sum of all that is known.
function shares(a: Answer, after: number): Share[] {
  const all: [string, LedgerPart, number][] = [["Separation", "kinetic", after], ["Vibration of bodies", "elastic", number(a, "vibration")], ["Damping", "damped", number(a, "damped")], ["Crushing", "crushed", number(a, "crushed")],
    ["Friction between them", "friction", number(a, "friction_loss")], ["Restitution below 1", "crushed", number(a, "restitution_loss")]];
  const there = all.filter(([, , e]) => e > 1e-6), sum = there.reduce((s, [, , e]) => s + e, 0);
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
