// Polar decomposition and magnified strain against matrices that are known.
import assert from "node:assert/strict";
import test from "node:test";
import { deformation, determinant, magnified, rotation, shortening, yawOf } from "../src/scene3d/strain.ts";

const m = () => new Float64Array(9);
function times(a: ArrayLike<number>, b: ArrayLike<number>): Float64Array {
  const out = m();
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++) for (let k = 0; k < 3; k++) out[3 * i + j] += a[3 * i + k] * b[3 * k + j];
  return out;
}
function turn(z: number, y: number): Float64Array {
  const rz = [Math.cos(z), -Math.sin(z), 0, Math.sin(z), Math.cos(z), 0, 0, 0, 1];
  const ry = [Math.cos(y), 0, Math.sin(y), 0, 1, 0, -Math.sin(y), 0, Math.cos(y)];
  return times(rz, ry);
}
const near = (a: ArrayLike<number>, b: ArrayLike<number>, e = 1e-10) => {
  for (let i = 0; i < 9; i++) assert.ok(Math.abs(a[i] - b[i]) < e, `${i}: ${a[i]} ${b[i]}`);
};

test("the rotation of R U is R for a symmetric stretch U", () => {
  const r = turn(0.7, -0.2);
  const u = [0.8, 0.05, 0.02, 0.05, 1.1, -0.03, 0.02, -0.03, 1.04];
  near(rotation(times(r, u), m()), r);
  assert.ok(Math.abs(yawOf(turn(0.7, 0)) - 0.7) < 1e-14);
});

test("a rotation is its own nearest rotation and has determinant 1", () => {
  const r = turn(2.9, 0.4);
  const out = rotation(r, m());
  near(out, r);
  assert.ok(Math.abs(determinant(out) - 1) < 1e-12);
});

test("factor 1 gives the deformed axes back, 0 the rest shape turned, 3 three times the strain", () => {
  const rest = [2.78, 0.98, 0.72];
  const r = turn(0.3, 0.1);
  const u = [0.9, 0, 0, 0, 1.03, 0, 0, 0, 1.02];
  const f0 = times(r, u);
  const axes = times(f0, [rest[0], 0, 0, 0, rest[1], 0, 0, 0, rest[2]]);
  const f = deformation(axes, rest, m());
  const rot = rotation(f, m());
  near(magnified(f, rot, 1, rest, m()), axes);
  near(magnified(f, rot, 0, rest, m()), times(r, [rest[0], 0, 0, 0, rest[1], 0, 0, 0, rest[2]]));
  near(magnified(f, rot, 3, rest, m()), times(r, [0.7 * rest[0], 0, 0, 0, 1.09 * rest[1], 0, 0, 0, 1.06 * rest[2]]));
  assert.ok(Math.abs(shortening(f, rest) - 2 * 2.78 * 0.1) < 1e-12);
});

test("a flat body does not hang or give numbers that are not numbers", () => {
  const out = rotation(new Float64Array([1, 0, 0, 0, 1, 0, 0, 0, 0]), m());
  for (const v of out) assert.ok(Number.isFinite(v));
});
