import assert from "node:assert/strict";
import { test } from "node:test";
import { clockText, fixed, parse, rateText, signed, stepText, unitText } from "../src/base/units.ts";

test("numbers have a true minus and never a negative zero", () => {
  assert.equal(fixed(-0.085), "−0.09");
  assert.equal(fixed(-0.001), "0.00");
  assert.equal(signed(2.9), "+2.90");
  assert.equal(signed(0), "0.00");
  assert.equal(fixed(NaN), "–");
});
test("typed values convert to the field's unit", () => {
  assert.ok(Math.abs(parse("4055 lb", "kg")! - 1839.317) < 1e-3);
  assert.ok(Math.abs(parse("60 mph", "m/s")! - 26.8224) < 1e-9);
  assert.ok(Math.abs(parse("0,8 g", "m/s^2")! - 7.848) < 1e-9);
  assert.ok(Math.abs(parse("500 g", "kg")! - 0.5) < 1e-12);
  assert.equal(parse("−3", "m"), -3);
  assert.equal(parse("3 kg", "m"), null);
  assert.equal(parse("abc", "m"), null);
});
test("clock, rate and steps", () => {
  assert.equal(clockText(66.3), "01:06.300");
  assert.equal(clockText(59.9996), "01:00.000");
  assert.equal(clockText(3612.5, 1), "1:00:12.5");
  assert.equal(rateText(1), "1 ×");
  assert.equal(rateText(0.001), "1/1000 ×");
  assert.equal(rateText(-2), "−2 ×");
  assert.equal(stepText(0.01), "10 ms");
  assert.equal(stepText(0.0167), "16.7 ms");
  assert.equal(unitText("1/s^3"), "s⁻³");
});
