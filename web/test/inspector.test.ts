// Parts of the inspector that need no page: scales of sliders, footwork, hills, faults, formulas, rejections.
import assert from "node:assert/strict";
import { test } from "node:test";
import { rejectionText } from "../src/files/filespanel.ts";
import { faultsOf, faultValue, noteText, readDisturbance, shapeText } from "../src/inspector/disturb.ts";
import { compareLines, lawText, wordAt } from "../src/inspector/formula.ts";
import { parseMatrix, readLinear } from "../src/inspector/linear.ts";
import { checkGrades } from "../src/inspector/roadedit.ts";
import { FOOT, HAND, LIFT, MAX_STEER, footwork, keyLock } from "../src/scene/drive.ts";
import { nice, plain, rangeText, short, sliderEnds } from "../src/ui/form.ts";
import type { Event } from "../src/core/app.ts";
import type { Controller, EventKind, Row } from "../src/wire/protocol.ts";
import { Rejected } from "../src/wire/wire.ts";

const row = (min: number, max: number, fallback: number | null): Row => ({
  name: "k",
  unit: "1/s",
  default: fallback,
  min,
  max,
  doc: "",
});

test("a slider covers what anyone wants, never more than is allowed", () => {
  assert.deepEqual(sliderEnds(row(0, 100, 0.8), 0.8), { low: 0, high: 5, log: false });
  assert.deepEqual(sliderEnds(row(0, 2, 0.8), 0.8), { low: 0, high: 2, log: false });
  assert.deepEqual(sliderEnds(row(-100, 100, 0), 3), { low: -20, high: 20, log: false });
  const mass = sliderEnds(row(100, 1e6, 2000), 2000);
  assert.ok(mass.log && mass.low === 100 && mass.high === 60000);
  for (const [min, max, d] of [
    [0, 1e9, 1],
    [1e-3, 1e3, 1],
    [-1, 1, 0.5],
  ] as const) {
    const e = sliderEnds(row(min, max, d), d);
    assert.ok(e.low >= min && e.high <= max && e.low <= d && e.high >= d);
  }
});

test("nice numbers are 1, 2, 5 times a power of ten, not below", () => {
  for (const [from, to] of [
    [1, 1],
    [1.2, 2],
    [3.2, 5],
    [6, 10],
    [0.03, 0.05],
    [4000, 5000],
  ] as const)
    assert.ok(Math.abs(nice(from) - to) < 1e-9 * to);
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
  assert.deepEqual(p, { throttle: 1, brake: 0, steer: -MAX_STEER });
  p = footwork(p, { up: false, down: true, left: false, right: false }, 0.1);
  assert.ok(Math.abs(p.throttle - (1 - LIFT * 0.1)) < 1e-12 && Math.abs(p.brake - FOOT * 0.1) < 1e-12);
  p = footwork(p, { up: true, down: true, left: true, right: true }, 0.1);
  assert.ok(p.throttle < 1 - LIFT * 0.1, "the brake wins over the throttle");
});

test("impossible hills are rejected with the reason", () => {
  const hill = { from: 100, to: 300, grade: 0.04, transition: 20 };
  assert.equal(checkGrades([hill]), "");
  assert.equal(checkGrades([hill, { ...hill, from: 300, to: 500 }]), "");
  assert.match(checkGrades([hill, { ...hill, from: 250, to: 500 }]), /overlap between 250 and 300/);
  assert.match(checkGrades([{ ...hill, to: 90 }]), /end after its start/);
  assert.match(checkGrades([{ ...hill, transition: 150 }]), /do not fit/);
  assert.match(checkGrades([{ ...hill, grade: 1.2 }]), /too steep/);
});

// A table of events as the server sends it, with a fault that this version of the page cannot know.
const kind = (name: string, label: string, more: Partial<EventKind> = {}, ...rows: Row[]): EventKind => ({
  name,
  label,
  fault: true,
  shaped: false,
  rows,
  ...more,
});
const KINDS = [
  kind("brake_lost", "Brake left", {}, { ...row(0, 1, 0), name: "brake_lost" }),
  kind("steer_stuck", "", {}, { ...row(-1, 1, null), name: "steer_stuck", doc: "angle of the wheels" }),
  kind("wind", "Wind", { shaped: true }, { ...row(-0.5, 0.5, null), name: "wind", doc: "from the side" }),
  kind("push", "Push", { shaped: true }, { ...row(-20, 20, null), unit: "m/s^2", doc: "forward positive" }),
  kind("set", "", { fault: false }),
];

test("faults and disturbances are those of the server's table", () => {
  const faults = faultsOf(KINDS);
  assert.deepEqual(
    faults.map((f) => [f.event, f.label, f.row.max]),
    [
      ["brake_lost", "Brake left", 1],
      ["steer_stuck", "steer_stuck", 1],
      ["wind", "Wind", 0.5],
      ["push", "Push", 20],
    ],
  );
  assert.equal(noteText(faults[2], 0.25, 2000), "From the side.");
  assert.equal(noteText(faults[3], 0.8, 1839), "0.8 m/s² on 1839 kg: 1470 N. Forward positive.");
  const d = readDisturbance(
    undefined,
    faults.filter((f) => f.shaped),
  );
  assert.equal(d.on, "push");
  assert.deepEqual(d.sizes, { wind: 0.5, push: 1 });
});

test("a disturbance that was kept is read, also in its old form and when its event is gone", () => {
  const shaped = faultsOf(KINDS).filter((f) => f.shaped);
  const old = readDisturbance({ on: "push", shape: "sine", push: 0.8, gap: 2, frequency: 0.5, lasting: 3 }, shaped);
  assert.deepEqual(old, {
    on: "push",
    shape: "sine",
    sizes: { wind: 0.5, push: 0.8, sensor_bias: 2 },
    frequency: 0.5,
    lasting: 3,
  });
  assert.equal(shapeText(old), "sine 0.5 Hz for 3 s");
  assert.deepEqual(readDisturbance({ ...old, sizes: { wind: 0.1 } }, shaped).sizes, { wind: 0.1, push: 1 });
  assert.equal(readDisturbance({ on: "fog" }, shaped).on, "wind");
  assert.equal(readDisturbance({ on: "fog" }, []).on, "");
});

test("a fault has the value of the last one of this car that lasts", () => {
  const at = (t: number, vehicle: string, text: string, value: number | null): Event => ({
    t,
    type: "fault",
    vehicle,
    other: "",
    text,
    value,
    log: 0,
    world: 0,
  });
  const events = [
    at(1, "car1", "car1: brake_lost 0.5", 0.5),
    at(2, "car1", "car1: brake_lost", null),
    at(3, "car2", "car2: brake_lost 0.7", 0.7),
    at(4, "car1", "car1: push 0.8", 0.8),
    at(5, "car1", "car1: push 2 sine 0.2 Hz", 2),
    at(6, "car1", "car1: push noise", 3),
    at(7, "car1", "car1: push 0 step", 0),
  ];
  const [brake, , , push] = faultsOf(KINDS);
  assert.ok(Number.isNaN(faultValue(events, "car1", brake!, 0.5)), "none yet");
  assert.equal(faultValue(events, "car1", brake!, 1), 0.5);
  assert.equal(faultValue(events, "car1", brake!, 9), 0, "without a number the default is in force");
  assert.equal(faultValue(events, "car1", push!, 6.5), 0.8);
  assert.equal(faultValue(events, "car1", push!, 7), 0);
});

test("a law as lines, and what changed between two of them", () => {
  const c: Controller = {
    name: "mine",
    law: "",
    own: true,
    gains: { kp: 0.3 },
    rows: [],
    headway: null,
    distance: null,
    radio: {},
    listen: [],
    lines: [
      { kind: "variable", name: "error", unit: "m", formula: "gap - distance", start: "" },
      { kind: "state", name: "z", unit: "m*s", formula: "error", start: "" },
      { kind: "acceleration", name: "", unit: "m/s^2", formula: "kp*error", start: "" },
    ],
  };
  assert.equal(lawText(c), "kp := 0.3\nerror = gap - distance\nz' = error [m*s]\na = kp*error");
  assert.deepEqual(compareLines(["a", "b", "c"], ["a", "x", "c"]), [
    [" ", "a"],
    ["-", "b"],
    ["+", "x"],
    [" ", "c"],
  ]);
  assert.deepEqual(compareLines([], ["a"]), [["+", "a"]]);
  assert.equal(wordAt("a = v_fr", 8), "v_fr");
  assert.equal(wordAt("a = ", 4), "");
});

test("a rejection names the place and shows the line", () => {
  const e = new Rejected({
    reason: "unknown key",
    file: "x.yaml",
    line: 3,
    column: 5,
    text: "  hedway: 1",
  });
  assert.equal(rejectionText(e), "x.yaml:3:5: unknown key\n  hedway: 1\n    ^");
});

test("matrices that do not fit are named with the size they must have", () => {
  assert.deepEqual(parseMatrix("1 2\n3, −4\n"), [
    [1, 2],
    [3, -4],
  ]);
  assert.equal(parseMatrix("1 2\n3"), "row 2 has 1 numbers; expected 2 as in row 1");
  assert.equal(parseMatrix("1 x"), 'row 1: "x" is not a number');
  const good = { inputs: "gap\nv_front - v", A: "-2", B: "2 0", C: "0.4", D: "0 0.9" };
  assert.deepEqual(readLinear(good), { inputs: ["gap", "v_front - v"], A: [[-2]], B: [[2, 0]], C: [0.4], D: [0, 0.9] });
  assert.deepEqual(readLinear({ ...good, A: "", B: "", C: "" }), {
    inputs: ["gap", "v_front - v"],
    A: [],
    B: [],
    C: [],
    D: [0, 0.9],
  });
  assert.match(readLinear({ ...good, B: "2" }) as string, /B is 1 x 1; expected 1 x 2 for 1 states and 2 inputs/);
  assert.match(readLinear({ ...good, A: "" }) as string, /B is 1 x 2/);
  assert.match(readLinear({ ...good, inputs: " " }) as string, /one or more/);
});

test("keys turn the wheels less at speed", () => {
  assert.equal(keyLock(0), MAX_STEER);
  assert.ok(Math.abs(keyLock(20) - 0.084) < 1e-3 && keyLock(100) === 0.02);
  const held = { up: false, down: false, left: true, right: false };
  let p = { throttle: 0, brake: 0, steer: 0 };
  for (let i = 0; i < 500; i++) p = footwork(p, held, 0.02, keyLock(20));
  assert.ok(Math.abs(p.steer - keyLock(20)) < 1e-9);
});
