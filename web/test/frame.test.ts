import assert from "node:assert/strict";
import { test } from "node:test";
import { decode, EXACT, Mixed } from "../src/wire/frame.ts";
import { pack } from "./pack.ts";

const one = (o: Parameters<typeof pack>[0]) => decode(pack(o).buffer)[0];

test("a frame is read by the table of the protocol", () => {
  const f = one({
    world: 3,
    seq: 9,
    flags: EXACT,
    time: 66.3,
    origin: 1000,
    hash: 0xfeedn,
    id: [7, 9, 4],
    values: { middle: [1, 2, 3], v: [20, 21, 22], target: [1.5, NaN, 3] },
  });
  assert.deepEqual([f.world, f.seq, f.time, f.origin, f.hash, f.n, f.exact], [3, 9, 66.3, 1000, 0xfeedn, 3, true]);
  assert.deepEqual([...f.x], [1001, 1002, 1003]);
  assert.equal(f.s[0], 1001.5);
  assert.ok(Number.isNaN(f.s[1]));
  assert.deepEqual([...f.field("v")!], [20, 21, 22]);
  assert.equal(f.field("n"), null);
  assert.equal(f.index(4), 2);
  assert.equal(f.index(5), -1);
});
test("several frames stand behind each other in a message", () => {
  const a = pack({ time: 1, id: [1], values: { middle: [5] } });
  const b = pack({ time: 2, id: [1, 2], values: { middle: [6, 7] } });
  const all = new Uint8Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  assert.deepEqual(
    decode(all.buffer).map((f) => [f.time, f.n, f.x[0]]),
    [
      [1, 1, 5],
      [2, 2, 6],
    ],
  );
});
test("an invalid frame is reported", () => {
  const good = pack({ time: 1, id: [1], values: { middle: [5] } });
  assert.throws(() => decode(good.buffer.slice(0, 40)), /no whole head/);
  const bad = good.slice();
  bad[0] = 0;
  assert.throws(() => decode(bad.buffer), /no frame at byte 0/);
  const many = good.slice();
  new DataView(many.buffer).setUint32(52, 1000, true);
  assert.throws(() => decode(many.buffer), /1000 vehicles need/);
});
test("bodies come with the origin added", () => {
  const f = one({
    time: 0,
    origin: 500,
    id: [1],
    values: { middle: [0] },
    bodies: [{ id: 1, centre: [2, 3, 0.7], axes: [1, 0, 0, 0, 2, 0, 0, 0, 3], rest: [1, 2, 3] }],
  });
  assert.equal(f.bodies.length, 1);
  assert.equal(f.bodies[0].centre[0], 502);
  assert.equal(f.bodies[0].axes[8], 3);
  assert.deepEqual(f.bodies[0].rest, [1, 2, 3]);
});

// x(t) = t^3 has v = 3 t^2: the cubic of Hermite must give it exactly.
test("between two instants x is the cubic of both positions and speeds", () => {
  const at = (t: number) =>
    one({
      time: t,
      origin: 100,
      id: [1],
      values: { middle: [t ** 3], v: [3 * t * t], a: [6 * t], target: [t ** 3 + t] },
    });
  const m = new Mixed();
  for (const t of [1.1, 1.25, 1.5, 1.9]) {
    const f = m.mix(at(1), at(2), t);
    assert.ok(Math.abs(f.x[0] - 100 - t ** 3) < 1e-5, `x(${t})`);
    assert.ok(Math.abs(f.field("v")![0] - 3 * t * t) < 1e-5, `v(${t})`);
    assert.ok(Math.abs(f.s[0] - f.x[0] - t) < 1e-5, `error(${t})`);
    assert.equal(f.interpolated, true);
  }
});
test("cars that come and go between two instants are matched by id", () => {
  const a = one({ time: 0, id: [1, 2, 3], values: { middle: [0, 10, 20], v: [10, 10, 10], brake: [0, 0, 1] } });
  const b = one({ time: 1, id: [3, 1], values: { middle: [30, 10], v: [10, 10], brake: [0, 1] } });
  const f = new Mixed().mix(a, b, 0.5);
  assert.deepEqual([...f.id], [1, 2, 3]);
  assert.ok(Math.abs(f.x[0] - 5) < 1e-6 && Math.abs(f.x[2] - 25) < 1e-6);
  assert.ok(Math.abs(f.x[1] - 15) < 1e-6, "a car that left continues at its speed");
  assert.ok(Math.abs(f.field("brake")![2] - 0.5) < 1e-6);
});
test("headings take the short way round and NaN takes the other value", () => {
  const a = one({ time: 0, id: [1], values: { middle: [0], v: [0], psi: [3.1], gap: [NaN] } });
  const b = one({ time: 1, id: [1], values: { middle: [0], v: [0], psi: [-3.1], gap: [4] } });
  const f = new Mixed().mix(a, b, 0.5);
  assert.ok(Math.abs(Math.abs(f.field("psi")![0]) - Math.PI) < 1e-3);
  assert.equal(f.field("gap")![0], 4);
});
