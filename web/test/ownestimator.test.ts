// A user-defined estimator, line by line, as the map of a scenario.
import assert from "node:assert/strict";
import test from "node:test";
import { methodOf } from "../src/inspector/ownestimator.ts";

test("parameters, variables, states with unit and start, and the words of estimators", () => {
  assert.deepEqual(
    methodOf(
      "K := 2 [1/s] # gain\nF = v - z\n\nz' = K*F + 5 [m/s^2] [m/s]\nz(0) = v\nw' = F*3 [1/s]\nestimate = z [m/s]\nactive = braking\nrestart = z, w\nparameter = mass",
    ),
    {
      parameters: { K: "2 [1/s]" },
      variables: { F: "v - z" },
      states: { z: { rate: "K*F + 5 [m/s^2]", unit: "m/s", start: "v" }, w: { rate: "F*3", unit: "1/s" } },
      estimate: "z",
      unit: "m/s",
      active: "braking",
      restart: ["z", "w"],
      parameter: "mass",
    },
  );
});

test("what is wrong is said with its line", () => {
  assert.match(methodOf("K := 2\nnonsense") as string, /^line 2: "nonsense"; expected/);
  assert.match(methodOf("q(0) = 1\nestimate = v") as string, /^line 1: q\(0\) needs a line q' = rate/);
  assert.match(methodOf("F = v") as string, /no line estimate/);
});
