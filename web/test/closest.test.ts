// Nearest points against closed forms, and against the conditions every nearest pair fulfils.
import assert from "node:assert/strict";
import test from "node:test";
import { Closest, Solid } from "../src/scene3d/closest.ts";

const c = new Closest();
const close = (a: number, b: number, e = 1e-6) => assert.ok(Math.abs(a - b) < e, `${a} is not ${b}`);

test("two balls: the distance of the middles less both radii", () => {
  const a = new Solid().ellipsoid(0, 0, 0, [1, 0, 0, 0, 1, 0, 0, 0, 1]);
  const b = new Solid().ellipsoid(3, 4, 0, [2, 0, 0, 0, 2, 0, 0, 0, 2]);
  close(c.solve(a, b), 2);
  close(c.p[0]!, 0.6);
  close(c.p[1]!, 0.8);
  close(c.q[0]!, 3 - 1.2);
  close(c.q[1]!, 4 - 1.6);
});

test("two boxes behind each other: bumper to bumper, in the middle of both", () => {
  const a = new Solid().box(0, 0, 0.55, 0, 2.5, 0.95, 0.3);
  const b = new Solid().box(7, 0, 0.55, 0, 2.2, 0.9, 0.3);
  close(c.solve(a, b), 7 - 2.5 - 2.2);
  close(c.p[0]!, 2.5);
  close(c.q[0]!, 4.8);
  close(c.p[1]!, 0);
  close(c.p[2]!, 0.55);
});

test("the closed form for aligned boxes agrees with the solver, which a tiny rotation selects", () => {
  for (const [x, y, z] of [
    [7, 0.4, 0.1],
    [7, 3, 0],
    [1, 3, 0.2],
    [-6, -2.5, 1],
  ] as const) {
    const a = new Solid().box(0, 0, 0.55, 0, 2.5, 0.95, 0.3);
    const b = new Solid().box(x, y, 0.55 + z, 0, 2.2, 0.9, 0.3);
    const turned = new Solid().box(0, 0, 0.55, 2e-6, 2.5, 0.95, 0.3);
    const d = c.solve(a, b);
    close(c.solve(turned, b), d, 1e-4);
  }
});

test("a turned box: its corner is nearest", () => {
  const a = new Solid().box(0, 0, 0, Math.PI / 4, 1, 1, 0.5);
  const b = new Solid().box(5, 0, 0, 0, 1, 3, 0.5);
  close(c.solve(a, b), 4 - Math.SQRT2);
  close(c.p[0]!, Math.SQRT2);
  close(c.p[1]!, 0);
});

test("an ellipsoid beside a box: its vertex", () => {
  const a = new Solid().ellipsoid(0, 0, 0, [2.8, 0, 0, 0, 1, 0, 0, 0, 0.7]);
  const b = new Solid().box(6, 0, 0, 0, 2, 1, 0.7);
  close(c.solve(a, b), 6 - 2.8 - 2);
});

test("what overlaps has distance 0", () => {
  const a = new Solid().ellipsoid(0, 0, 0, [2, 0, 0, 0, 1, 0, 0, 0, 1]);
  const b = new Solid().ellipsoid(2.5, 0.2, 0, [2, 0, 0, 0, 1, 0, 0, 0, 1]);
  assert.ok(c.solve(a, b) < 1e-4);
});

// Two convex bodies are apart by d when planes at right angles to the line, through its ends, have them on either side.
test("sheared ellipsoids in any place: no point of either lies beyond the planes through the nearest points", () => {
  let seed = 7;
  const rand = () => ((seed = (seed * 16807) % 2147483647) / 2147483647) * 2 - 1;
  for (let trial = 0; trial < 12; trial++) {
    const axes = () => [
      2.5 + rand() * 0.4,
      rand() * 0.4,
      rand() * 0.2,
      rand() * 0.5,
      0.9 + rand() * 0.1,
      rand() * 0.1,
      rand() * 0.2,
      rand() * 0.1,
      0.7 + rand() * 0.1,
    ];
    const A = axes();
    const B = axes();
    const a = new Solid().ellipsoid(0, 0, 0, A);
    const b = new Solid().ellipsoid(6.5 + rand(), 1.5 * rand(), 0.3 * rand(), B);
    const d = c.solve(a, b);
    const p = [...c.p];
    const q = [...c.q];
    const dir = p.map((v, i) => (q[i]! - v) / d);
    assert.ok(
      support(a, dir) <= dot(p, dir) + 1e-4 &&
        support(
          b,
          dir.map((v) => -v),
        ) <=
          -dot(q, dir) + 1e-4,
      `trial ${trial}: a point lies beyond`,
    );
  }
});
function dot(a: number[], b: number[]): number {
  return a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
}
// max over the ellipsoid of dir . x = dir . c + |A^T dir|: if it is at p, p is the farthest along dir.
function support(s: Solid, dir: number[]): number {
  let n = 0;
  for (let j = 0; j < 3; j++) n += (s.a[j]! * dir[0]! + s.a[3 + j]! * dir[1]! + s.a[6 + j]! * dir[2]!) ** 2;
  return dot([...s.c], dir) + Math.sqrt(n);
}
