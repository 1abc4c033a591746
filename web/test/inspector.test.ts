// Parts of the inspector that need no page: scales of sliders, footwork, hills, formulas, refusals.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Refused, type Controller, type Row } from "../src/app";
import { FOOT, HAND, LIFT, STEER_MOST, footwork } from "../src/drive";
import { refusalText } from "../src/filespanel";
import { nice, plain, rangeText, short, sliderEnds } from "../src/form";
import { compareLines, lawText, wordAt } from "../src/formula";
import { parseMatrix, readLinear } from "../src/linear";
import { checkGrades } from "../src/roadedit";

const row = (min: number, max: number, fallback: number | null): Row => ({ name: "k", unit: "1/s", default: fallback, min, max, doc: "" });

test("a slider covers what anyone wants, never more than is allowed", () => {
  assert.deepEqual(sliderEnds(row(0, 100, 0.8), 0.8), { low: 0, high: 5, log: false });
  assert.deepEqual(sliderEnds(row(0, 2, 0.8), 0.8), { low: 0, high: 2, log: false });
  assert.deepEqual(sliderEnds(row(-100, 100, 0), 3), { low: -20, high: 20, log: false });
  const mass = sliderEnds(row(100, 1e6, 2000), 2000);
  assert.ok(mass.log && mass.low === 100 && mass.high === 60000);
  for (const [min, max, d] of [[0, 1e9, 1], [1e-3, 1e3, 1], [-1, 1, 0.5]] as const) {
    const e = sliderEnds(row(min, max, d), d);
    assert.ok(e.low >= min && e.high <= max && e.low <= d && e.high >= d);
  }
});

test("nice numbers are 1, 2, 5 times a power of ten, not below", () => {
  for (const [from, to] of [[1, 1], [1.2, 2], [3.2, 5], [6, 10], [0.03, 0.05], [4000, 5000]] as const) assert.ok(Math.abs(nice(from) - to) < 1e-9 * to);
});

test("numbers as text", () => {
  assert.equal(plain(0.1 + 0.2), "0.3");
  assert.equal(plain(-1839.3171), "-1839.32");
  assert.equal(short(-0.5), "−0.5");
  assert.equal(short(NaN), "–");
  assert.equal(rangeText(row(0, 100, 1)), "0 to 100 s⁻¹");
});

test("a key moves a pedal at the speed of a foot and it comes back by itself", () => {
  const held = { up: true, down: false, left: false, right: true };
  let p = { throttle: 0, brake: 0, steer: 0 };
  for (let i = 0; i < 10; i++) p = footwork(p, held, 0.02);
  assert.ok(Math.abs(p.throttle - FOOT * 0.2) < 1e-12);
  assert.ok(Math.abs(p.steer + HAND * 0.2) < 1e-12);
  for (let i = 0; i < 500; i++) p = footwork(p, held, 0.02);
  assert.deepEqual(p, { throttle: 1, brake: 0, steer: -STEER_MOST });
  p = footwork(p, { up: false, down: true, left: false, right: false }, 0.1);
  assert.ok(Math.abs(p.throttle - (1 - LIFT * 0.1)) < 1e-12 && Math.abs(p.brake - FOOT * 0.1) < 1e-12);
  p = footwork(p, { up: true, down: true, left: true, right: true }, 0.1);
  assert.ok(p.throttle < 1 - LIFT * 0.1, "the brake wins over the throttle");
});

test("hills that cannot be are refused with the reason", () => {
  const hill = { from: 100, to: 300, grade: 0.04, transition: 20 };
  assert.equal(checkGrades([hill]), "");
  assert.equal(checkGrades([hill, { ...hill, from: 300, to: 500 }]), "");
  assert.match(checkGrades([hill, { ...hill, from: 250, to: 500 }]), /overlap between 250 and 300/);
  assert.match(checkGrades([{ ...hill, to: 90 }]), /end behind its start/);
  assert.match(checkGrades([{ ...hill, transition: 150 }]), /do not fit/);
  assert.match(checkGrades([{ ...hill, grade: 1.2 }]), /too steep/);
});

test("a law as lines, and what changed between two of them", () => {
  const c: Controller = { name: "mine", law: "", own: true, gains: { kp: 0.3 }, headway: null, distance: null, radio: {}, listen: [], lines: [
    { kind: "variable", name: "error", unit: "m", formula: "gap - distance", start: "" },
    { kind: "state", name: "z", unit: "m*s", formula: "error", start: "" },
    { kind: "acceleration", name: "", unit: "m/s^2", formula: "kp*error", start: "" }] };
  assert.equal(lawText(c), "kp := 0.3\nerror = gap - distance\nz' = error [m*s]\na = kp*error");
  assert.deepEqual(compareLines(["a", "b", "c"], ["a", "x", "c"]), [[" ", "a"], ["-", "b"], ["+", "x"], [" ", "c"]]);
  assert.deepEqual(compareLines([], ["a"]), [["+", "a"]]);
  assert.equal(wordAt("a = v_fr", 8), "v_fr");
  assert.equal(wordAt("a = ", 4), "");
});

test("a refusal names the place and shows the line", () => {
  const e = new Refused({ kind: "refused", reason: "unknown key", file: "x.yaml", line: 3, column: 5, text: "  hedway: 1" });
  assert.equal(refusalText(e), "x.yaml:3:5: unknown key\n  hedway: 1\n    ^");
});

test("matrices that do not fit are named with the size they must have", () => {
  assert.deepEqual(parseMatrix("1 2\n3, −4\n"), [[1, 2], [3, -4]]);
  assert.equal(parseMatrix("1 2\n3"), "row 2 has 1 numbers, the first has 2");
  assert.equal(parseMatrix("1 x"), 'row 1: "x" is not a number');
  const good = { inputs: "gap\nv_front - v", A: "-2", B: "2 0", C: "0.4", D: "0 0.9" };
  assert.deepEqual(readLinear(good), { inputs: ["gap", "v_front - v"], A: [[-2]], B: [[2, 0]], C: [0.4], D: [0, 0.9] });
  assert.deepEqual(readLinear({ ...good, A: "", B: "", C: "" }), { inputs: ["gap", "v_front - v"], A: [], B: [], C: [], D: [0, 0.9] });
  assert.match(readLinear({ ...good, B: "2" }) as string, /B is 1 x 1, with 1 states and 2 inputs it must be 1 x 2/);
  assert.match(readLinear({ ...good, A: "" }) as string, /B is 1 x 2/);
  assert.match(readLinear({ ...good, inputs: " " }) as string, /at least one/);
});
