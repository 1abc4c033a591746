// Tables among the parameters of a group, and what their points may be.
import assert from "node:assert/strict";
import test from "node:test";
import { limitsOf, tablesOf } from "../src/inspector/curve.ts";
import type { CardRow } from "../src/wire/protocol.ts";

const row = (name: string, value: number, doc = ""): CardRow =>
  ({ name, unit: "-", default: value, min: 0, max: 10, doc, value, live: true }) as CardRow;

test("names that end in growing places are a table; few of them, or places in disorder, are not", () => {
  const mixture = [3, 5, 7, 9].map((x) => row(`mda_${x}`, x, `mixture at a throttle angle of ${x} deg (table 1)`));
  const drag = [0, 1, 2].map((k) => row(`drag_${k}`, k));
  const odd = [1, 3, 2, 4].map((k) => row(`odd_${k}`, k));
  const { tables, others } = tablesOf([...drag, ...mixture, row("power_scale", 1), ...odd]);
  assert.deepEqual(
    tables.map((t) => [t.name, t.at, t.unit]),
    [["mda", [3, 5, 7, 9], "deg"]],
  );
  assert.deepEqual(
    others.map((r) => r.name),
    ["drag_0", "drag_1", "drag_2", "power_scale", "odd_1", "odd_3", "odd_2", "odd_4"],
  );
});

test("a point of a growing table stays between its neighbours, of another in the range of its row", () => {
  const rows = [0, 1, 2, 3].map((k) => row(`t_${k}`, k));
  const [low, high] = limitsOf(rows, [1, 2, 3, 4], 1);
  assert.ok(low > 1 && low < 1.01 && high < 3 && high > 2.99);
  assert.deepEqual(limitsOf(rows, [1, 2, 3, 4], 0)[0], 0);
  assert.deepEqual(limitsOf(rows, [1, 2, 3, 4], 3)[1], 10);
  assert.deepEqual(limitsOf(rows, [2.4, 2.4, 1, 0.7], 1), [0, 10]);
  // The point itself may be out of order: the others tell.
  assert.ok(limitsOf(rows, [1, 9, 3, 4], 1)[1] < 3);
});
