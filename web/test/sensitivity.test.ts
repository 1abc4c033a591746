// Bars of sensitivities: the largest first, all about one zero.
import { strict as assert } from "node:assert";
import { test } from "node:test";
import { sensitivityRows } from "../src/mechanism/sensitivity.ts";

test("sorted by size, scaled together, without those that move nothing", () => {
  const rows = sensitivityRows({
    mode: 1,
    left_out: 0,
    parameters: [
      { name: "small", value: 1, real: 0.1, imaginary: 0 },
      { name: "none", value: 1, real: 0, imaginary: 0 },
      { name: "large", value: 1, real: -1, imaginary: 3 },
    ],
  });
  assert.deepEqual(
    rows.map((r) => r.name),
    ["large", "small"],
  );
  // From -1 to 3: the zero is at a quarter.
  assert.deepEqual(rows[0]!.left, [0, 0.25]);
  assert.deepEqual(rows[0]!.width, [0.25, 0.75]);
  assert.ok(Math.abs(rows[1]!.left[0]! - 0.25) < 1e-12 && Math.abs(rows[1]!.width[0]! - 0.025) < 1e-12);
});
