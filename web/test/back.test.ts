// What returns from the bench to a car: parameters that were changed there, nothing else.
import { strict as assert } from "node:assert";
import { test } from "node:test";
import { changedValues } from "../src/mechanism/back.ts";
import type { MechanismRun } from "../src/wire/protocol.ts";

const settable = [
  { name: "k", group: "parameter", unit: "N/m", doc: "", value: 10 },
  { name: "c", group: "parameter", unit: "N s/m", doc: "", value: 2 },
  { name: "road_fl", group: "input", unit: "m", doc: "", value: 0 },
  { name: "arm.angle", group: "start", unit: "rad", doc: "", value: 0 },
];
const run = (entries: { t: number; name: string; value?: string }[]) =>
  ({ settable, entries }) as unknown as Pick<MechanismRun, "settable" | "entries">;

test("the last value of each parameter that differs", () => {
  const came = run([{ t: 0, name: "k", value: "11" }]);
  assert.deepEqual(changedValues(came, came), {});
  const now = run([
    { t: 0, name: "k", value: "11" },
    { t: 1, name: "c", value: "3" },
    { t: 2, name: "c", value: "4" },
    { t: 2, name: "road_fl", value: "0.1" },
    { t: 0, name: "arm.angle", value: "0.2" },
    { t: 1.5, name: "chassis" },
  ]);
  assert.deepEqual(changedValues(came, now), { c: 4 });
});
