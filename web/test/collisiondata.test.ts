// The ledger of a collision is of the pair's relative motion, also while both brake for seconds after they met.
import { strict as assert } from "node:assert";
import { test } from "node:test";
import { readCollision } from "../src/collision/collisiondata.ts";
import type { CollisionReport, LedgerRow } from "../src/wire/protocol.ts";

const m = 1000;
// Two cars of mass m at v1 and v2, with 3 kJ in their wheels.
const row = (t: number, v1: number, v2: number): LedgerRow => ({
  t,
  kinetic: 0.5 * m * (v1 ** 2 + v2 ** 2) + 3000,
  common: 0.25 * m * (v1 + v2) ** 2,
  elastic: 0,
  damped: 0,
  crushed: 0,
  friction: 0,
});

test("kinetic energy of the ledger is that of the relative motion, whatever the pair does together", () => {
  const report = {
    vehicle: "a",
    other: "b",
    cars: [
      { vehicle: "a", delta_v: 4, mass: m },
      { vehicle: "b", delta_v: 4, mass: m },
    ],
    relative_before: 10,
    relative_after: 2,
    ledger: [row(0, 30, 20), row(0, 24, 26), row(2.5, 6, 8), row(3, 0, 1)],
    force: [],
    points: [],
  } as unknown as CollisionReport;
  const kinetic = readCollision(report).ledger.map((r) => r.kinetic);
  const expected = [10, 2, 2, 1].map((w) => 0.25 * m * w ** 2);
  kinetic.forEach((k, i) => assert.ok(Math.abs(k - expected[i]!) < 1e-6, `${k} ${expected[i]}`));
});
