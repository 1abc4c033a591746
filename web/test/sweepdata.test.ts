// Values of a sweep's axis stand for a distribution.
import assert from "node:assert/strict";
import test from "node:test";
import { normalAt, valuesOf, varyText, type SweepAxis } from "../src/bench/sweepdata.ts";

const axis: SweepAxis = { name: "mass", unit: "kg", from: 1000, to: 2000, count: 5 };

test("the normal distribution where tables have it", () => {
  for (const [p, z] of [
    [0.5, 0],
    [0.975, 1.959963985],
    [0.025, -1.959963985],
    [0.001, -3.090232306],
    [0.8413447461, 1],
  ] as const)
    assert.ok(Math.abs(normalAt(p) - z) < 1e-7, `${p}: ${normalAt(p)}`);
});

test("even steps, equally likely parts, or a list", () => {
  assert.deepEqual(valuesOf(axis), [1000, 1250, 1500, 1750, 2000]);
  assert.deepEqual(valuesOf({ ...axis, kind: "list", list: [3, 5] }), [3, 5]);
  const v = valuesOf({ ...axis, kind: "normal", mean: 1500, deviation: 100, count: 200 });
  const mean = v.reduce((p, q) => p + q, 0) / v.length;
  const deviation = Math.sqrt(v.reduce((p, q) => p + (q - mean) ** 2, 0) / v.length);
  assert.ok(Math.abs(mean - 1500) < 0.01 && Math.abs(deviation - 100) < 1, `${mean}, ${deviation}`);
  assert.equal(varyText({ ...axis, kind: "list", list: [3, 5] }), "mass=3,5");
});
