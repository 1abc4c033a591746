// Geometry of roads from above, lane use as an editor paints it, the path of a lane change.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Camera } from "../src/scene/camera.ts";
import { duration, quintic, safeGap } from "../src/scene/lanechange.ts";
import { RoadPlan } from "../src/scene/plan.ts";
import { freeName, moveEnd, newRamp, paint, segments, type Written } from "../src/scene/sections.ts";
import type { Plan, PlanRule } from "../src/wire/protocol.ts";

const rule = (from: number, to: number, use: PlanRule["use"], enter: PlanRule["enter"] = "any"): PlanRule => ({
  from,
  to,
  use,
  enter,
  speed: null,
  headway: null,
  separation: null,
});

// A quarter of a circle to the left, R = 100 m, with samples every tenth of it; lane 2 begins at half of it.
function quarter(): RoadPlan {
  const length = (Math.PI / 2) * 100;
  const s = Array.from({ length: 11 }, (_, k) => (length * k) / 10);
  const plan: Plan = {
    world: 0,
    plan: 1,
    curved: true,
    ramps: [],
    written: { sections: [], ramps: [] },
    paths: [
      {
        name: "main",
        length,
        closed: false,
        base: 0,
        line: {
          s,
          x: s.map((v) => 100 * Math.sin(v / 100)),
          y: s.map((v) => 100 * (1 - Math.cos(v / 100))),
          heading: s.map((v) => v / 100),
        },
        lanes: [
          { s: [0, length], centre: [0, 0], width: [3.6, 3.6], rules: [rule(0, length, "any")] },
          {
            s: [0, length / 2, length / 2 + 0.001, length],
            centre: [null, null, -3.6, -3.6],
            width: [0, 0, 3.6, 3.6],
            rules: [rule(length / 2, length, "any")],
          },
        ],
      },
    ],
  };
  return new RoadPlan(plan);
}

test("cubics between the samples are the arc: 0.1 mm, headings 1e-4 rad", () => {
  const main = quarter().main;
  const p = { x: 0, y: 0, c: 1, s: 0 };
  for (let s = 0; s <= 157; s += 0.7) {
    main.place(s, 2, p);
    const r = 98; // 2 m to the left is inside
    assert.ok(Math.hypot(p.x - r * Math.sin(s / 100), p.y - (100 - r * Math.cos(s / 100))) < 1e-3, `at ${s}`);
    assert.ok(Math.abs(Math.atan2(p.s, p.c) - s / 100) < 1e-4);
  }
  assert.ok(Math.abs(main.curvature(80) - 0.01) < 1e-4);
  main.place(-10, 0, p); // before its start it is straight
  assert.deepEqual([p.x, p.y], [-10, 0]);
});

test("lanes that begin on the way: edges, the lane of an offset", () => {
  const main = quarter().main;
  const e = { left: 0, right: 0 };
  assert.deepEqual(main.edges(20, e), { left: 1.8, right: -1.8 });
  assert.ok(Number.isNaN(main.sides(1, 20, e).left));
  assert.deepEqual([main.edges(120, e).left, Math.round(10 * e.right) / 10], [1.8, -5.4]);
  assert.equal(main.laneAt(120, -3), 1);
  assert.equal(main.laneAt(20, -3), 0, "the nearest that exists");
  assert.ok(Number.isNaN(main.centre(1, 20)));
});

test("the camera keeps lengths and right angles, and finds the place under a pixel", () => {
  const plan = quarter();
  const cam = new Camera();
  cam.aim(plan, 78, 4, 800, 10, 400, { left: 1.8, right: -5.4 });
  const a = plan.main.place(60, 0, { x: 0, y: 0, c: 1, s: 0 });
  const b = plan.main.place(100, -3, { x: 0, y: 0, c: 1, s: 0 });
  const drawn = Math.hypot(cam.px(a.x, a.y) - cam.px(b.x, b.y), cam.py(a.x, a.y) - cam.py(b.x, b.y));
  assert.ok(Math.abs(drawn - cam.scale * Math.hypot(a.x - b.x, a.y - b.y)) < 1e-9);
  assert.ok(Math.abs(cam.angle(b) - cam.angle(a) - 0.4) < 1e-4, "turned by s/R");
  const out = { station: 0, offset: 0 };
  cam.find(plan, cam.px(b.x, b.y), cam.py(b.x, b.y), out);
  assert.ok(Math.abs(out.station - 100) < 1e-3 && Math.abs(out.offset + 3) < 1e-3, JSON.stringify(out));
  // What is in view stays inside the strip.
  for (let s = 0; s <= 157; s += 5) {
    const p = plan.main.place(s, 0, { x: 0, y: 0, c: 1, s: 0 });
    const x = cam.px(p.x, p.y);
    const y = cam.py(p.x, p.y);
    if (x >= 0 && x <= 800) assert.ok(y > 10 && y < 410, `${s} m at ${y} px`);
  }
});

test("segments are divided where the use changes and where one cut them", () => {
  const rules = [rule(0, 300, "any"), rule(300, 500, "automated", "closed"), rule(500, 1000, "any")];
  const plain = segments(2, rules, 0, 1000, []);
  assert.deepEqual(
    plain.map((s) => [s.from, s.to, s.use]),
    [
      [0, 300, "any"],
      [300, 500, "automated"],
      [500, 1000, "any"],
    ],
  );
  assert.equal(segments(2, rules, 0, 1000, [700]).length, 4);
  assert.deepEqual(
    segments(1, [], 0, 400, []).map((s) => [s.from, s.to, s.use]),
    [[0, 400, "any"]],
  );
});

test("painting keeps what else a section says, and other lanes", () => {
  const list: Written[] = [
    { lane: 1, from: 0, to: 1000, use: "automated", enter: "closed", headway: 0.6 },
    { lane: 2, from: 100, to: 200, use: "closed" },
  ];
  const out = paint(list, 1, 400, 600, "manual");
  assert.deepEqual(out, [
    { lane: 1, from: 0, to: 1000, headway: 0.6 },
    { lane: 2, from: 100, to: 200, use: "closed" },
    { lane: 1, from: 0, to: 400, use: "automated", enter: "closed" },
    { lane: 1, from: 600, to: 1000, use: "automated", enter: "closed" },
    { lane: 1, from: 400, to: 600, use: "manual" },
  ]);
  // Painted back, its pieces become one again; "any" leaves no section.
  const back = paint(out, 1, 400, 600, "automated");
  assert.deepEqual(
    back.filter((s) => s["use"] === "automated"),
    [{ lane: 1, from: 0, to: 1000, use: "automated", enter: "closed" }],
  );
  assert.deepEqual(paint([{ lane: 1, from: 0, to: 50, use: "closed" }], 1, 0, 50, "any"), []);
});

test("an end that is moved takes from its neighbour, or gives to it", () => {
  const list: Written[] = [{ lane: 1, from: 300, to: 500, use: "closed" }];
  const all = segments(1, [rule(0, 300, "any"), rule(300, 500, "closed"), rule(500, 900, "any")], 0, 900, []);
  assert.deepEqual(moveEnd(list, all, 1, "to", 600), [{ lane: 1, from: 300, to: 600, use: "closed" }]);
  assert.deepEqual(moveEnd(list, all, 1, "to", 450), [{ lane: 1, from: 300, to: 450, use: "closed" }]);
  assert.deepEqual(moveEnd(list, all, 1, "from", 350), [{ lane: 1, from: 350, to: 500, use: "closed" }]);
  assert.deepEqual(moveEnd(list, all, 0, "to", 400), [{ lane: 1, from: 400, to: 500, use: "closed" }]);
});

test("new ramps: names that are free, lines in the direction of travel", () => {
  assert.equal(freeName([{ name: "Ramp 2" }]), "Ramp 3");
  const on = newRamp("A", true, false, 123.4);
  assert.deepEqual([on["kind"], on["at"], Object.keys((on["line"] as object[])[0]!)[0]], ["on", 123, "straight"]);
  const off = newRamp("B", false, true, 10);
  assert.deepEqual([off["connector"], Object.keys((off["line"] as object[])[0]!)[0]], [true, "clothoid"]);
});

test("the path of a change: from place and speed to rest, within its bounds", () => {
  const T = duration(3.6, 1, 1);
  assert.ok(Math.abs(T - Math.max(Math.sqrt((10 / Math.sqrt(3)) * 3.6), Math.cbrt(216))) < 1e-12, `${T} s`);
  assert.equal(quintic(3.6, 0, T, 0), 3.6);
  assert.ok(Math.abs(quintic(3.6, 0, T, T)) < 1e-12);
  assert.ok(Math.abs(quintic(3.6, 0, T, T / 2) - 1.8) < 1e-12, "half way in half the time");
  const h = 1e-5;
  const slope = (t: number, v0: number) => (quintic(3.6, v0, T, t + h) - quintic(3.6, v0, T, t - h)) / (2 * h);
  assert.ok(Math.abs((quintic(3.6, -0.4, T, h) - 3.6) / h + 0.4) < 1e-4, "it begins with its speed");
  assert.ok(Math.abs(slope(T - h, -0.4)) < 1e-6, "it ends at rest");
  let peak = 0;
  for (let t = 0.01; t < T; t += 0.01)
    peak = Math.max(
      peak,
      Math.abs(quintic(3.6, 0, T, t + 0.01) - 2 * quintic(3.6, 0, T, t) + quintic(3.6, 0, T, t - 0.01)) / 1e-4,
    );
  assert.ok(peak < 1.001, `lateral acceleration ${peak}`);
});

test("the gap that is kept: reaction, and the difference of the braking distances", () => {
  assert.equal(safeGap(20, 25, 0.5, 3), 10);
  assert.equal(safeGap(25, 20, 0.5, 3), 12.5 + 225 / 6);
});
