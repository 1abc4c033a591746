// The head laws against closed forms of the damped oscillator.
import assert from "node:assert/strict";
import test from "node:test";
import { HEAD_LAW, headAt, headStep, type Pose } from "../src/scene/heads.ts";

const { w, z } = HEAD_LAW;
const wd = w * Math.sqrt(1 - z * z);
const pose = (): Pose => ({ offset: 0, rate: 0 });
const samples = (from: number, to: number, step: number, f: (t: number) => number) => {
  const t: number[] = [];
  const y: number[] = [];
  for (let i = 0; from + i * step <= to + 1e-9; i++) {
    t.push(from + i * step);
    y.push(f(from + i * step));
  }
  return { t, y };
};

test("constant acceleration: the passenger leans by -a/w^2, 83 mm at 3 m/s2", () => {
  const s = samples(0, 5, 0.02, () => 3);
  const p = headAt(pose(), s.t, s.y, s.t.length, 5, -1);
  assert.ok(Math.abs(p.offset + 3 / 36) < 1e-12);
  assert.ok(Math.abs(p.rate) < 1e-12);
});

test("the driver leans by -T j/w^2 at constant jerk and sits straight without jerk", () => {
  const none = samples(0, 5, 0.02, () => 0);
  const two = samples(0, 5, 0.02, () => 2);
  assert.ok(headAt(pose(), none.t, none.y, none.t.length, 4.999, -HEAD_LAW.T).offset === 0);
  const d = headAt(pose(), two.t, two.y, two.t.length, 4.999, -HEAD_LAW.T).offset;
  assert.ok(Math.abs(d + (0.35 * 2) / 36) < 1e-12);
});

test("free motion is the damped oscillation exp(-z w t)(cos + z w/wd sin)", () => {
  for (const h of [0.003, 0.02, 0.31]) {
    const p = { offset: 0.1, rate: 0 };
    let t = 0;
    while (t < 1.5 - 1e-9) {
      const d = Math.min(h, 1.5 - t);
      headStep(p, d, 0, 0, w, z);
      t += d;
    }
    const want = 0.1 * Math.exp(-z * w * t) * (Math.cos(wd * t) + ((z * w) / wd) * Math.sin(wd * t));
    assert.ok(Math.abs(p.offset - want) < 1e-12, `step ${h}: ${p.offset} against ${want}`);
  }
});

test("step of a: p = -(a/w^2)(1 - exp(-z w t)(cos wd t + z w/wd sin wd t)) for any sampling", () => {
  for (const step of [0.004, 0.05]) {
    const s = samples(-2, 3, step, () => 0);
    s.t.push(3, 3.6);
    s.y.push(2, 2); // a jump at t = 3: two samples at one instant
    const t = 0.6;
    const want = (-2 / (w * w)) * (1 - Math.exp(-z * w * t) * (Math.cos(wd * t) + ((z * w) / wd) * Math.sin(wd * t)));
    assert.ok(Math.abs(headAt(pose(), s.t, s.y, s.t.length, 3.6, -1).offset - want) < 1e-9);
  }
});

test("ramp of a: the particular solution -(m t/w^2 - 2 z m/w^3) is reached and steps do not matter", () => {
  const coarse = samples(0, 4, 0.5, (t) => 0.7 * t);
  const fine = samples(0, 4, 0.001, (t) => 0.7 * t);
  const p = headAt(pose(), coarse.t, coarse.y, coarse.t.length, 4, -1);
  const q = headAt(pose(), fine.t, fine.y, fine.t.length, 4, -1);
  assert.ok(Math.abs(p.offset - q.offset) < 1e-10, "exact for a straight line");
  const want = -((0.7 * 4) / (w * w) - (2 * z * 0.7) / (w * w * w));
  assert.ok(Math.abs(p.offset - want) < (0.7 / (w * w * w)) * 0.02, "decayed start");
});

test("sine of a: amplitude and phase of the oscillator's transfer function", () => {
  const om = 5;
  const s = samples(0, 40, 0.002, (t) => Math.sin(om * t));
  const re = w * w - om * om;
  const im = 2 * z * w * om;
  const d = re * re + im * im;
  let worst = 0;
  for (let at = 30; at < 32; at += 0.037) {
    const want = -(re * Math.sin(om * at) - im * Math.cos(om * at)) / d;
    worst = Math.max(worst, Math.abs(headAt(pose(), s.t, s.y, s.t.length, at, -1).offset - want));
  }
  assert.ok(worst < 0.01 * (1 / Math.sqrt(d)) + 1e-5, `worst ${worst}`); // 0.5 % from the window's start
});

test("the pose at an instant is the same forwards, backwards and after a seek", () => {
  const s = samples(0, 20, 0.02, (t) => Math.sin(3 * t) + 0.4 * Math.cos(11 * t));
  const at = [4.013, 7.5, 12.345, 12.351];
  const forth = at.map((t) => headAt(pose(), s.t, s.y, s.t.length, t, -1).offset);
  const back = at
    .slice()
    .reverse()
    .map((t) => headAt(pose(), s.t, s.y, s.t.length, t, -1).offset)
    .reverse();
  assert.deepEqual(back, forth);
  // Only the last two seconds count: a longer past changes nothing.
  const cut = s.t.findIndex((t) => t >= 9.9);
  const short = headAt(pose(), s.t.slice(cut), s.y.slice(cut), s.t.length - cut, 12.345, -1).offset;
  assert.equal(short, forth[2]);
});

test("no samples, one sample, samples that are not numbers", () => {
  assert.equal(headAt(pose(), [], [], 0, 1, -1).offset, 0);
  assert.ok(Math.abs(headAt(pose(), [0.5], [3], 1, 1, -1).offset + 3 / 36) < 1e-12);
  assert.ok(Number.isFinite(headAt(pose(), [0, 1, 2], [1, NaN, 1], 3, 2, -1).offset));
});
