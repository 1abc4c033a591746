// Rows of a mechanism: numbers from text, instants between rows, the box around it all.
import assert from "node:assert/strict";
import { test } from "node:test";
import { boundsOf, poseAt, rowAt, type Motion } from "../src/mechanism/poses.ts";
import { numbers } from "../src/wire/numbers.ts";
import type { BodyPart } from "../src/wire/protocol.ts";

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

test("a mechanism has a size and a middle, its shapes included", () => {
  const shape = { kind: "box", finish: "paint", round: false, made: false } as const;
  const body = {
    shapes: [{ ...shape, at: [0, 0, 1], turn: [Math.SQRT1_2, 0, 0, Math.SQRT1_2], size: [4, 2, 2] }],
  } as unknown as BodyPart;
  const { size, middle } = boundsOf(motion, [body]);
  assert.ok(Math.abs(size - Math.hypot(2, 4, 2)) < 1e-12); // turned by 90 degrees about z
  assert.ok(Math.abs(middle[0]!) < 1e-12 && Math.abs(middle[2]! - 1) < 1e-12);
});
