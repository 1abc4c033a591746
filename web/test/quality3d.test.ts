// The steps of the 3-D view's quality, the kinds of vehicles and where they are in the picture.
import assert from "node:assert/strict";
import test from "node:test";
import { Ground, newSpot } from "../src/scene3d/ground3d.ts";
import { building, KIND_NAMES, kindOf, kindOfSize, type Kind } from "../src/scene3d/kinds3d.ts";
import { Governor, STEPS } from "../src/scene3d/quality.ts";
import type { Model, Road, Vehicle } from "../src/wire/protocol.ts";

function run(g: Governor, from: number, ms: number, frames: number): number {
  let t = from;
  for (let k = 0; k < frames; k++) g.drawn((t += ms));
  return t;
}

test("slow frames go down a step at once; fast ones up only after three windows, and not to a step that failed", () => {
  const g = new Governor(STEPS.length - 1);
  let t = run(g, 0, 40, 31);
  assert.equal(g.step, 2);
  t = run(g, t, 40, 30);
  assert.equal(g.step, 1);
  t = run(g, t, 10, 95);
  assert.equal(g.step, 1, "the step above was too slow less than a minute ago");
  t = run(g, t, 16, 4000);
  assert.ok(g.step > 1, "after a minute it is tried again");
});

test("a pause between pictures says nothing, and software rendering stays on plain", () => {
  const g = new Governor(2);
  run(g, 0, 1000, 100);
  assert.equal(g.step, 2);
  const plain = new Governor(0, 0);
  run(plain, 0, 5, 1000);
  assert.equal(plain.step, 0);
});

test("a vehicle is drawn by its type's look, then by its model's name, then by its size", () => {
  const of = (model: string, length: number, width: number, height: number, look = "car"): string | null =>
    kindOf({ model, length, width, height } as Vehicle, { look } as Model);
  assert.equal(of("anything", 4, 2, 1, "box"), null);
  assert.equal(of("anything", 4, 2, 1, "pickup"), "pickup");
  assert.equal(of("bus", 4, 2, 1, "file"), "own:bus");
  assert.equal(of("mercury_villager", 4.83, 1.88, 1.4), "van");
  assert.equal(of("hmmwv", 4.6, 2.2, 1.8), "offroader");
  assert.deepEqual(
    [
      [5.3, 1.93, 1.43],
      [4.3, 1.7, 1.4],
      [4.8, 1.9, 1.8],
      [5.8, 2, 1.9],
      [8.4, 2.5, 3.4],
    ].map(([l, w, h]) => kindOfSize(l, w, h)),
    ["sedan", "compact", "van", "pickup", "truck"],
  );
});

// A canvas that takes everything: geometry does not depend on paint.
function paperCanvas(): void {
  const pen = new Proxy({}, { get: () => () => ({ addColorStop: () => undefined }), set: () => true });
  (globalThis as { document?: unknown }).document = { createElement: () => ({ getContext: () => pen }) };
}

test("every kind has a near body below 6,000 triangles with its wheels, less farther away, of its size", () => {
  paperCanvas();
  for (const name of KIND_NAMES) {
    const steps = building(name);
    let r = steps.next();
    while (!r.done) r = steps.next();
    const k = r.value as Kind;
    const triangles = k.levels.map((g) => g.index!.count / 3);
    const wheels = (k.wheels.length * k.wheelShape.index!.count) / 3;
    assert.ok(triangles[0] + wheels <= 6000, `${name}: ${triangles[0]} and ${wheels} of wheels`);
    assert.ok(
      triangles[1] < 0.75 * (triangles[0] + wheels) && triangles[2] < 0.5 * triangles[1],
      `${name}: ${triangles}`,
    );
    k.levels[0].computeBoundingBox();
    const b = k.levels[0].boundingBox!;
    const size = [b.max.x - b.min.x, b.max.y - b.min.y, b.max.z];
    assert.ok(Math.abs(size[0] - k.size[0]) < 0.3, `${name} is ${size} m, not ${k.size}`);
    assert.ok(Math.abs(size[1] - k.size[1]) < 0.75, `${name} with its mirrors is ${size[1]} m wide`);
    assert.ok(Math.abs(size[2] - k.size[2]) < 0.12, `${name} is ${size[2]} m high`);
  }
});

test("on a straight road a place is x from the origin and y; heights are those of the profile, exaggerated", () => {
  const g = new Ground();
  const road = { profile: { from: 0, step: 100, z: [0, 5, 5] } } as unknown as Road;
  g.set(road, null, 50, 0, 2);
  const s = g.spot(120, -3.4, 0, newSpot());
  assert.deepEqual([s.x, s.y, s.c, s.s], [70, -3.4, 1, 0]);
  assert.ok(Math.abs(s.z - 5) < 1e-9, `${s.z}`);
});
