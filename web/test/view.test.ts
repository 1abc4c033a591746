// The view's arithmetic, typed lengths, hills, marker spacing.
import assert from "node:assert/strict";
import test from "node:test";
import { angle, fitted, heights, hillAt, percent, roomAt, slopeAt } from "../src/scene/hills.ts";
import { drawnSpacing } from "../src/scene/road.ts";
import { lengthText, lengthTyped, View } from "../src/scene/view.ts";

(globalThis as { matchMedia?: unknown }).matchMedia ??= () => ({ matches: true });

test("zooming keeps the metre under the pointer", () => {
  const v = new View();
  v.width = 1000;
  v.length = 100;
  v.anchor = 0.9;
  for (const [factor, px] of [
    [0.5, 300],
    [3, 950],
    [0.07, 20],
  ] as const) {
    const x = v.metres(0, px);
    v.zoom(factor, px);
    assert.ok(Math.abs(v.metres(0, px) - x) < 1e-9);
  }
});

test("lengths stay between a bumper and the whole road; px and metres are inverse", () => {
  const v = new View();
  v.width = 800;
  v.longest = 5000;
  v.setLength(1e9);
  assert.equal(v.length, 5000);
  v.setLength(0.1);
  assert.equal(v.length, 2);
  v.setLength(NaN);
  assert.equal(v.length, 2);
  v.setLength(124);
  v.roadAt = 2214;
  assert.ok(Math.abs(v.metres(0, v.px(0, 2213.37)) - 2213.37) < 1e-9);
  const [a, b] = v.window(0);
  assert.ok(Math.abs(b - a - 124) < 1e-9);
});

test("typed lengths with units, and invalid ones", () => {
  for (const [text, m] of [
    ["120 m", 120],
    ["120", 120],
    ["1,5 km", 1500],
    ["0.5 mi", 804.672],
    ["300ft", 91.44],
    ["250 cm", 2.5],
  ] as const)
    assert.ok(Math.abs(lengthTyped(text) - m) < 1e-9, text);
  for (const bad of ["", "m", "far", "12 kg", "1 2", "--3", "0x10"]) assert.ok(Number.isNaN(lengthTyped(bad)), bad);
  assert.equal(lengthText(124.3), "124 m");
  assert.equal(lengthText(2.5), "2.5 m");
  assert.equal(lengthText(12345), "12.3 km");
});

test("markers thin out to 2, 5, 10 times the spacing, never closer than asked", () => {
  assert.equal(drawnSpacing(10, 8, 7), 10);
  assert.deepEqual(
    [1, 0.5, 0.2, 0.1, 0.01].map((scale) => drawnSpacing(10, scale, 9)),
    [10, 20, 50, 100, 1000],
  );
});

test("height is the integral of sin(slope): a long hill against its closed form", () => {
  const g = [{ from: 100, to: 500, grade: 0.05, transition: 50 }];
  const out = new Float64Array(601);
  heights(g, 0, 1, 601, out);
  // Over a transition the slope is u L, u 0..1: the integral of sin is (1 - cos L) / (L / t).
  const ramp = ((1 - Math.cos(0.05)) / 0.05) * 50;
  const want = 2 * ramp + Math.sin(0.05) * 300;
  assert.ok(Math.abs(out[600] - want) < 1e-9, `${out[600]} against ${want}`);
  assert.equal(slopeAt(g, 99), 0);
  assert.ok(Math.abs(slopeAt(g, 125) - 0.025) < 1e-12);
  assert.ok(Math.abs(percent(angle(3)) - 3) < 1e-12);
});

test("hills keep out of each other and their rounding fits", () => {
  const g = [
    { from: 100, to: 500, grade: 0.03, transition: 50 },
    { from: 900, to: 1200, grade: -0.03, transition: 50 },
  ];
  assert.equal(roomAt(g, 300), null);
  assert.deepEqual(roomAt(g, 700), [500, 900]);
  assert.equal(hillAt(g, 300, 200, 0.02), null);
  const h = hillAt(g, 700, 1000, 0.02)!;
  assert.deepEqual([h.from, h.to], [500, 900]);
  assert.equal(fitted(g, 0, { ...g[0], to: 2000 }).to, 900);
  assert.equal(fitted(g, 1, { ...g[1], transition: 400 }).transition, 150);
  assert.equal(fitted(g, 1, { ...g[1], grade: 3 }).grade, 0.35);
  assert.ok(fitted(g, 0, { ...g[0], to: 90 }).to - fitted(g, 0, { ...g[0], to: 90 }).from >= 20);
});
