// Numbers of the 3-D view of collisions: strain, impulses of pairs, slow motion, wheels between two instants.
import assert from "node:assert/strict";
import test from "node:test";
import { exchanges } from "../src/scene3d/arrows3d.ts";
import { slowed } from "../src/scene3d/hits3d.ts";
import { equivalentStrain, Scale } from "../src/scene3d/straincolour.ts";
import { axleOf, putWheel } from "../src/scene3d/wheels3d.ts";
import { StandMixer, turnBetween, type Contact, type Stand } from "../src/wire/blocks.ts";

const near = (a: number, b: number, by = 1e-12): void => assert.ok(Math.abs(a - b) <= by, `${a} is not ${b}`);

test("equivalent strain: 0 at rest, of turns and of swelling; 2/3 e of a stretch; of a shear", () => {
  near(equivalentStrain(new Float64Array([1, 0, 0, 0, 1, 0, 0, 0, 1])), 0);
  const c = Math.cos(0.7);
  const s = Math.sin(0.7);
  near(equivalentStrain(new Float64Array([c, -s, 0, s, c, 0, 0, 0, 1])), 0);
  near(equivalentStrain(new Float64Array([1.1, 0, 0, 0, 1.1, 0, 0, 0, 1.1])), 0);
  const e = 0.5 * (0.9 ** 2 - 1); // Green's strain of a bar shortened to 0.9, nothing across
  near(equivalentStrain(new Float64Array([0.9, 0, 0, 0, 1, 0, 0, 0, 1])), (2 / 3) * Math.abs(e));
  const g = 0.02; // simple shear: E12 = g/2, E22 = g^2/2
  const d = (g * g) / 2;
  const dev = 2 * (g / 2) ** 2 + (d - d / 3) ** 2 + 2 * (d / 3) ** 2;
  near(equivalentStrain(new Float64Array([1, g, 0, 0, 1, 0, 0, 0, 1])), Math.sqrt((2 / 3) * dev));
});

test("a scale grows to round numbers and holds while the same thing is looked at", () => {
  const s = new Scale(0.01, (v) => Math.ceil(v * 10) / 10);
  assert.equal(s.hold(0.001, "a"), 0.1);
  assert.equal(s.hold(0.34, "a"), 0.4);
  assert.equal(s.hold(0, "a"), 0.4);
  assert.equal(s.hold(0.05, "b"), 0.1);
});

const contact = (id: number, id2: number, impulse: number, age: number, x = 1): Contact => ({
  id,
  id2,
  point: [0, 0, 0],
  normal: [x, 0, 0],
  impulse,
  closing: 1,
  age,
});

test("impulses of a pair add up, whichever of the two is named first", () => {
  const all = exchanges([
    contact(1, 2, 100, 0.2),
    contact(2, 1, 50, 0.1, -1),
    contact(1, 2, 25, 0),
    contact(3, 4, 7, 0),
  ]);
  assert.equal(all.length, 2);
  const pair = all.find((e) => e.newest.id === 1)!;
  assert.equal(pair.total, 175);
  assert.equal(pair.impacts, 3);
  assert.equal(pair.newest.age, 0);
});

test("time runs slowly through impacts, at its rate far from them, and backwards alike", () => {
  const spans = [{ first: 10, last: 10.06 }];
  assert.equal(slowed(0, 1, spans), 1);
  near(slowed(10.03, 1, spans), 0.1 / 4);
  near(slowed(10.03, -1, spans), -0.1 / 4);
  near(slowed(9.88, 1, spans), 0.1 / 4 + 2 * 0.1, 1e-9);
  assert.equal(slowed(10.03, 0.001, spans), 0.001); // slower is slower
  assert.equal(slowed(5, 2, []), 2);
  // The impacts take four seconds.
  let t = 9.98;
  let took = 0;
  for (; t < 10.08 - 1e-9; took += 1e-3) t += 1e-3 * slowed(t, 1, spans);
  near(took, 4, 0.01);
});

test("a wheel turns between two instants as fast as its rates say", () => {
  near(turnBetween(6.2, 0.1, 5, 5, 0.04), 0.1 - 6.2 + 2 * Math.PI);
  near(turnBetween(1, 1.5, 250, 250, 0.1), 0.5 + 8 * Math.PI); // 25 rad: four turns and a half radian
  near(turnBetween(1, 0.5, -5, -5, 0.1), -0.5);
  const stand = (angle: number, rate: number): Stand => ({
    id: 4,
    heave: 0.1,
    pitch: 0,
    roll: 0,
    wheels: new Float32Array([0, 0.2, angle, rate]),
  });
  const m = new StandMixer();
  m.mix([stand(6.2, 5)], [stand(0.1, 5)], 0.5, 0.04);
  near(m.all[0]!.wheels[2]!, 6.2 + 0.5 * (0.1 - 6.2 + 2 * Math.PI), 1e-6);
  const kept = m.all[0];
  m.mix([stand(0, 0)], [stand(0, 0)], 0.5, 0.04);
  assert.equal(m.all[0], kept, "objects are used again");
});

test("a wheel is steered about the vertical, turned about its axle, and stays of its size", () => {
  const m = new Float32Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 3, 4, 5, 1]);
  const o = new Float32Array(16);
  for (const side of [1, -1])
    for (const [steer, angle] of [
      [0, 0],
      [0.3, 2],
      [-0.2, 5],
    ] as const) {
      putWheel(o, 0, m, 0.9, side, steer, angle);
      near(Math.atan2(-side * o[4]!, side * o[5]!), steer, 1e-6);
      for (let k = 0; k < 3; k++) near(Math.hypot(o[4 * k]!, o[4 * k + 1]!, o[4 * k + 2]!), 0.9, 1e-6);
      // A point of the rim that was ahead goes down as it rolls forward.
      const ahead = [side * Math.cos(steer), side * Math.sin(steer)];
      near((o[0]! * ahead[0]! + o[1]! * ahead[1]!) / 0.9, Math.cos(angle), 1e-6);
      near((side * o[2]!) / 0.9, -Math.sin(angle), 1e-6);
      assert.deepEqual([o[12], o[13], o[14]], [3, 4, 5]);
    }
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5].map((j) => axleOf(j, 6, 4)),
    [0, 1, 2, 3, 2, 3],
  );
});
