// Bars of the error rail: none covers the number of another car.
import assert from "node:assert/strict";
import test from "node:test";
import { Spans } from "../src/scene/rail.ts";

function cut(...cars: [nose: number, bar: number][]): Spans {
  const s = new Spans();
  cars.forEach(([nose, bar], slot) => s.add(slot, nose, bar));
  s.cut();
  return s;
}
const NUMBER = 40;

test("a bar that fits is as long as the magnified error", () => {
  const s = cut([200, 30], [300, -25], [400, 10]);
  assert.deepEqual([...s.x0.slice(0, 3)], [200, 275, 400]);
  assert.deepEqual([...s.x1.slice(0, 3)], [230, 300, 410]);
  assert.deepEqual([...s.number.slice(0, 3)], [1, 1, 1]);
  assert.ok(![0, 1, 2].some((k) => s.isCut(k)));
});

test("a long bar ends before the number of the next car, on either side, and is marked as cut", () => {
  for (const [a, b] of [
    [900, 0],
    [0, -900],
    [900, -900],
    [900, -5],
  ] as const) {
    const s = cut([200, a], [320, b]);
    assert.ok(s.x0[1] - NUMBER >= s.x1[0], `${a}, ${b}: ${s.x1[0]} runs into the number left of ${s.x0[1]}`);
    assert.equal(s.number[1], 1);
    assert.equal(s.isCut(0), a > 100);
    assert.equal(s.isCut(1), b < -100);
  }
});

test("noses without room between them have no number, and bars that stay apart", () => {
  const s = cut([200, 500], [230, -500], [500, 0]);
  assert.equal(s.number[1], 0);
  assert.ok(s.x1[0] <= s.x0[1]);
  assert.ok(s.x1[1] <= s.x0[2] - NUMBER);
});

test("cars side by side share a place: one number, bars up to the next car", () => {
  const s = cut([200, 60], [203, 500], [300, 0]);
  assert.deepEqual([...s.number.slice(0, 3)], [1, 0, 1]);
  assert.equal(s.x1[0], 260 - 3); // no nearer to the number of the third than the other bar
  assert.equal(s.x1[1], 260);
  assert.equal(cut([200, 5e3]).x1[0], 5200, "nothing to the right of the last");
});
