// Places of a concept that can be dragged: which there are, and what of the file changes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { metres, moved, placesOf } from "../src/concept/places.ts";

const values = Object.entries({
  "assemblies.frame.components.engine.at.0": "0.1",
  "assemblies.frame.components.engine.at.1": "0",
  "assemblies.frame.components.engine.at.2": "750 mm",
  "assemblies.frame.beams.rail.polyline.0.0": "1",
  "assemblies.frame.beams.rail.polyline.0.1": "0.4",
  "assemblies.frame.beams.rail.polyline.0.2": "0.5",
  "axles.front.at.0": "2",
  "axles.front.at.1": "0",
  "axles.front.at.2": "0",
  "axles.front.hardpoints.wheel.0": "0.05",
  "axles.front.hardpoints.wheel.1": "0.8",
  "axles.front.hardpoints.wheel.2": "0.35",
  "connections.mount.from": "frame",
  "connections.mount.at.0": "0",
  "connections.mount.at.1": "1 kg",
  "connections.mount.at.2": "0",
  "connections.guide.to": "frame.engine",
  "connections.guide.at.0": "0",
  "connections.guide.at.1": "0",
  "connections.guide.at.2": "1",
}).map(([path, text], line) => ({ path, text, line }));
const answer = {
  values,
  parts: [
    { name: "frame.engine", group: "frame" },
    { name: "frame.rail_l", group: "frame" },
  ],
};

test("lengths have units or are metres", () => {
  assert.equal(metres("750 mm"), 0.75);
  assert.equal(metres("-1e-2"), -0.01);
  assert.ok(Number.isNaN(metres("1 kg")));
});

test("a part has its place, a beam its corners, an axle its hardpoints, an assembly the ends of its connections", () => {
  const of = (kind, name) => placesOf(answer, { kind, name }).map((p) => [p.path, ...p.at]);
  assert.deepEqual(of("part", "frame.engine"), [["assemblies.frame.components.engine.at", 0.1, 0, 0.75]]);
  assert.deepEqual(of("part", "frame.rail_l"), [["assemblies.frame.beams.rail.polyline.0", 1, 0.4, 0.5]]);
  assert.deepEqual(of("axle", "front"), [["axles.front.hardpoints.wheel", 2.05, 0.8, 0.35]]);
  assert.deepEqual(of("assembly", "frame"), [["connections.guide.at", 0, 0, 1]]); // kg is not one
});

test("what is moved changes in whole millimetres from its own origin", () => {
  const [wheel] = placesOf(answer, { kind: "axle", name: "front" });
  assert.deepEqual(moved(wheel, [2.0604, 0.8, 0.35]), [{ path: "axles.front.hardpoints.wheel.0", value: "0.06" }]);
  assert.deepEqual(moved(wheel, [2.05, 0.8, 0.35]), []);
});
