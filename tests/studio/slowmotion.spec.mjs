// Slow motion through a collision: it is shown at instants of its own, between the steps of the simulation.
import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { Studio, assert, finish, program, root, startServer, test } from "./studio.mjs";

const folder = mkdtempSync(`${tmpdir()}/motorcade-slow-`);
// A deformable car runs into another one that stands.
writeFileSync(
  `${folder}/soft.yaml`,
  `motorcade: scenario
name: soft crash
time: {end: 4, step: 0.05, record: 0.05}
road: {lanes: 1}
contact: {restitution: 0.8, friction: 0.3}
models:
  soft_car: {kind: cosserat, file: ${root}/scenarios/medusa/model.dat, tyre: brush}
controllers:
  none: {law: {acceleration: 0 m/s^2}}
vehicles:
  - {name: ahead, model: soft_car, controller: none, x: 0, v: 0}
  - {name: behind, model: soft_car, controller: none, x: -12, v: 10}
`,
);
execFileSync(program, ["run", `${folder}/soft.yaml`, "-q", "-o", `${folder}/soft.h5`]);
const STEP = 0.05;

async function open3d(s) {
  await s.page.keyboard.press("t");
  await s.until((a) => a.space && a.space.script > 0, "the first 3-D picture", undefined, 30000);
}
// The first touch. A recording has it from the start, a run is simulated beyond it.
async function touch(s, run) {
  await s.app((a) => a.option("stopAtCollision", false));
  if (run) await s.runTo(3);
  await s.until((a) => a.events(0).some((e) => e.type === "collision"), "the collision");
  return s.app((a) => a.events(0).find((e) => e.type === "collision").t);
}
// The instants of the collision that the page has, once it rests there.
async function instants(s, t) {
  await s.app((a, to) => {
    a.clock.play(false);
    a.clock.seek(to);
  }, t);
  await s.until(
    (a, q) => {
      const all = a.store.of(0).frames.filter((f) => Math.abs(f.time - q.t) < q.step && f.bodies.length);
      return all.filter((f) => f.instant).length > 8 && all.filter((f) => !f.instant).length > 1;
    },
    "the instants of the collision, and the steps around them",
    { t, step: STEP },
  );
  return s.app((a) =>
    a.store
      .of(0)
      .frames.filter((f) => f.instant)
      .map((f) => f.time),
  );
}
// Semi-axes along the road, and places, of both cars as they are drawn at t.
const picture = (s, times) =>
  s.app(
    (a, list) =>
      list.map((t) => {
        const f = a.frame(0, t);
        return { t, x: [...f.x], axis: f.bodies.map((b) => b.axes[0]), rest: f.bodies.map((b) => b.rest[0]) };
      }),
    times,
  );
const different = (values, by) => new Set(values.map((v) => Math.round(v / by))).size;

await test(
  "slow motion shows a collision that is shorter than a step",
  { scenario: `${folder}/soft.yaml` },
  async (s) => {
    const t = await touch(s, true);
    await open3d(s);
    const times = await instants(s, t);
    const within = times.filter((at) => at >= t - 1e-9 && at < t + STEP);
    assert.ok(within.length >= 10, `${within.length} instants within a step after the touch`);
    assert.ok(within.every((at, k) => k === 0 || at > within[k - 1]));
    const seen = await picture(s, within);
    const axes = seen.map((p) => p.axis[0]);
    assert.ok(different(axes, 1e-4) >= 8, `lengths ${axes}`);
    // Not a straight line from step to step: the car is compressed and springs back within one.
    const steps = await picture(s, [STEP * Math.floor(t / STEP), STEP * Math.ceil(t / STEP)]);
    const [from, to] = steps.map((p) => p.axis[0]);
    const off = seen
      .filter((p) => p.t < steps[1].t)
      .map((p) => Math.abs(p.axis[0] - (from + ((p.t - steps[0].t) / STEP) * (to - from))));
    assert.ok(Math.max(...off) > 0.005 * seen[0].rest[0], `at most ${Math.max(...off)} m from the straight line`);
    // At 1/50, as it is drawn: a screen frame is 5 ms at most, however slow the machine is.
    const drawn = await s.app(
      (a, from) =>
        new Promise((done) => {
          const list = [];
          a.clock.seek(from - 0.005);
          a.clock.setRate(1 / 50);
          a.clock.play(true);
          const look = () => {
            const f = a.frame(0);
            if (f?.bodies.length && a.clock.t > from) list.push([a.clock.t, f.x[1], f.bodies[0].axes[0]]);
            if (a.clock.t < from + 0.03) requestAnimationFrame(look);
            else done(list);
          };
          look();
        }),
      t,
    );
    assert.ok(
      different(
        drawn.map((d) => d[1]),
        1e-5,
      ) >= 5,
      `drawn at ${drawn.map((d) => d[1])}`,
    );
    assert.ok(
      different(
        drawn.map((d) => d[2]),
        1e-5,
      ) >= 5,
      `drawn with ${drawn.map((d) => d[2])}`,
    );
  },
);

await test(
  "frame by frame goes through the instants of a collision",
  { scenario: `${folder}/soft.yaml` },
  async (s) => {
    const t = await touch(s, true);
    await open3d(s);
    const times = await instants(s, t);
    await s.seek(STEP * Math.floor(t / STEP));
    const next = times.filter((at) => at > STEP * Math.floor(t / STEP) + 1e-6);
    for (let k = 0; k < 6; k++) {
      await s.page.keyboard.press(".");
      await s.until((a, at) => Math.abs(a.clock.t - at) < 1e-6 && a.frame(0).exact, `instant ${k}`, next[k]);
      assert.ok(Math.abs((await s.app((a) => a.frame(0).time)) - next[k]) < 1e-9);
    }
    for (let k = 4; k >= 0; k--) {
      await s.page.keyboard.press(",");
      await s.until((a, at) => Math.abs(a.clock.t - at) < 1e-6, `instant ${k} again`, next[k]);
    }
    await s.page.keyboard.press(",");
    assert.ok(Math.abs((await s.app((a) => a.clock.t)) - STEP * Math.floor(t / STEP)) < 1e-9);
  },
);

await test("the results file of a run shows the same collision", { scenario: `${folder}/soft.yaml` }, async (s) => {
  const t = await touch(s, true);
  await open3d(s);
  const run = await picture(s, await instants(s, t));
  assert.ok(run.length >= 10, `${run.length} instants`);
  const server = await startServer({ scenario: `${folder}/soft.h5` });
  const r = await Studio.open(server, {});
  try {
    assert.equal(await r.app((a) => a.worlds[0].kind), "replay");
    assert.ok(Math.abs((await touch(r, false)) - t) < 1e-9);
    await open3d(r);
    const times = await instants(r, t);
    assert.deepEqual(
      times.map((at) => at.toFixed(6)),
      run.map((p) => p.t.toFixed(6)),
    );
    for (const [k, p] of (await picture(r, times)).entries())
      for (let c = 0; c < 2; c++) {
        assert.ok(Math.abs(p.x[c] - run[k].x[c]) < 1e-4, `car ${c} at ${p.t} s`);
        assert.ok(Math.abs(p.axis[c] - run[k].axis[c]) < 0.002 * p.rest[c], `length of car ${c} at ${p.t} s`);
      }
    assert.deepEqual(r.errors, []);
  } finally {
    await r.page.context().close();
    await server.stop();
  }
});

await finish();
