// hills.test.ts - the height of a road that is a formula, from the profile the server sends.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fixedBy, storedHeights } from "../src/scene/hills.ts";
import type { Road } from "../src/wire/protocol.ts";

const profile = { from: -10, step: 10, z: [1, 3, 7] };

test("heights between the points of a profile, from the first place on, and constant beyond its ends", () => {
  const z = storedHeights(profile, -20, 5, 8, new Float64Array(8));
  assert.deepEqual([...z], [0, 0, 0, 1, 2, 4, 6, 6]);
});

test("a profile of one point is level", () => {
  assert.deepEqual([...storedHeights({ from: 0, step: 10, z: [4] }, 0, 5, 3, new Float64Array(3))], [0, 0, 0]);
});

test("a road with a formula says why it takes no hills", () => {
  const road = { profile, formula: "z = 2*sin(s)" } as unknown as Road;
  assert.match(fixedBy(road), /z = 2\*sin\(s\)/);
  assert.equal(fixedBy({ ...road, formula: null }), "");
  assert.equal(fixedBy(undefined), "");
});
