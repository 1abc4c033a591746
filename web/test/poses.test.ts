// Rows of a mechanism: numbers from text, instants between rows, shapes from inertia.
import assert from "node:assert/strict";
import { test } from "node:test";
import { boxOf, discOf, numbers, poseAt, rowAt, sizeOf, type Motion } from "../src/mechanism/poses.ts";

const motion: Motion = {
  rows: 2,
  bodies: 1,
  points: 1,
  t: Float64Array.of(0, 2),
  poses: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 4, 2, 0, 0, 0, 0, -1),
  places: Float64Array.of(1, 0, 0, 3, 0, 0),
};

test("numbers are doubles, lowest byte first", () => {
  const bytes = Buffer.from(Float64Array.of(1.5, -2).buffer);
  assert.deepEqual([...numbers(bytes.toString("base64"))], [1.5, -2]);
  assert.equal(numbers(null).length, 0);
});

test("an instant lies between two rows, or at an end", () => {
  const t = Float64Array.of(0, 1, 3);
  assert.deepEqual(rowAt(t, 3, -1), [0, 0]);
  assert.deepEqual(rowAt(t, 3, 2), [1, 0.5]);
  assert.deepEqual(rowAt(t, 3, 9), [1, 1]);
  assert.deepEqual(rowAt(t, 1, 9), [0, 0]);
});

test("between rows positions are linear, quaternions of length 1 on the shorter way", () => {
  const pose = new Float64Array(7);
  const place = new Float64Array(3);
  poseAt(motion, 0, 0.5, pose, place);
  assert.deepEqual([...pose.slice(0, 3)], [2, 1, 0]);
  assert.ok(Math.abs(Math.hypot(...pose.slice(3)) - 1) < 1e-12);
  assert.deepEqual([...place], [2, 0, 0]);
  poseAt(motion, 0, 1, pose, place);
  assert.ok(Math.abs(Math.abs(pose[6]!) - 1) < 1e-12);
});

test("a box and a disc have the inertia they were made from", () => {
  const m = 12;
  const box = boxOf(
    m,
    [m * (4 + 9), m * (1 + 9), m * (1 + 4)].map((x) => x / 12),
    1,
  );
  box.forEach((edge, k) => assert.ok(Math.abs(edge - (k + 1)) < 1e-12));
  const [r, w] = discOf(
    m,
    [m * (3 * 0.25 + 0.04), 6 * m * 0.25, m * (3 * 0.25 + 0.04)].map((x) => x / 12),
    1,
    1,
  );
  assert.ok(Math.abs(r - 0.5) < 1e-12 && Math.abs(w - 0.2) < 1e-12);
  assert.ok(boxOf(1, [0, 0, 0], 2).every((edge) => edge > 0)); // a point mass is seen
});

test("a mechanism has a size", () => {
  assert.ok(sizeOf(motion) >= 0.1);
});
