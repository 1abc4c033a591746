// tobench.spec.mjs - a car of a platoon goes to the vehicle bench as it is, and what is changed there comes back to it.
import { assert, finish, test } from "./studio.mjs";

const platoon = { scenario: "wishbones.yaml", args: ["--paused"] };

// Rotation about x and y from the quaternion of a body, and what its suspension does: none of it depends on the axes.
const lean = ([, , , w, x, y, z]) => ({
  roll: Math.atan2(2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
  pitch: -Math.asin(2 * (x * z - w * y)),
});

await test("a car goes to the bench as it is, and comes back with what was changed", platoon, async (s) => {
  await s.runTo(2);
  await s.app((a) => a.select(0, "lumped"));
  await s.seek(1.5);
  const card = await s.ask("card", { world: 0, vehicle: "lumped", t: 1.5 });
  const channel = (name) => card.channels.find((c) => c.name === name).value;
  await s.page.getByRole("tab", { name: "Car", exact: true }).click();
  await s.page.getByRole("button", { name: "To the bench" }).click();
  await s.until((a) => a.benchPart?.run && a.benchPart.world()?.source, "the mechanism", null, 40000);
  const bench = await s.app((a) => {
    const { run, motion } = a.benchPart.run;
    const k = run.bodies.findIndex((b) => b.name === "chassis");
    return {
      source: a.benchPart.world().source,
      pose: [...motion.poses.slice(7 * k, 7 * k + 7)],
      settable: run.settable,
      failed: run.failed,
    };
  });
  assert.equal(bench.failed, null);
  assert.equal(bench.source.vehicle, "lumped");
  assert.ok(Math.abs(bench.source.t - 1.5) < 1e-9);
  const own = lean(bench.pose);
  assert.ok(Math.abs(own.pitch - channel("pitch")) < 1e-9, `pitch ${own.pitch} ${channel("pitch")}`);
  assert.ok(Math.abs(own.roll - channel("roll")) < 1e-9, `roll ${own.roll} ${channel("roll")}`);
  assert.ok(Math.abs(own.roll) > 1e-5, `it leans while it turns: ${own.roll}`);
  const spin = bench.settable.find((v) => v.name === "wheel_fl.angle_rate").value;
  assert.ok(Math.abs(spin - channel("w_lf")) < 1e-9, `${spin} ${channel("w_lf")}`);

  if (process.env.SHOTS) await s.shot(`${process.env.SHOTS}/tobench.png`);

  // Another spring on the bench, then back: one change of the car's world, in the log, undone at once.
  const k = bench.settable.find((v) => v.name === "k_front").value;
  await s.app((a) => {
    a.clock.play(false);
    a.clock.seek(0.3);
  });
  const field = s.page.getByRole("textbox", { name: /^k_front, / });
  await field.fill(String(k * 2));
  await field.press("Enter");
  await s.until((a) => a.worlds.length === 2, "the branch on the bench", null, 40000);
  await s.page.getByRole("button", { name: "Back to lumped" }).click();
  await s.until((a) => a.worldList.ground === "road" && a.worlds.length === 2, "a branch on the road", null, 20000);
  const { log, world } = await s.app(async (a) => {
    const w = a.worlds[1];
    return { world: w.world, log: (await a.ask("log", { world: w.world })).entries };
  });
  const set = log.filter((e) => e.event === "set");
  assert.equal(set.length, 1, JSON.stringify(log));
  assert.deepEqual([set[0].vehicle, set[0].param, set[0].value], ["lumped", "k_front", 2 * k]);
  assert.ok(Math.abs(set[0].t - 1.5) < 0.03, `at ${set[0].t}`);
  await s.ask("undo");
  await s.until((a, w) => a.worlds.length === 1 && !a.worlds.some((o) => o.world === w), "undone", world);
});

await test(
  "a car without a mechanism has no such button, and the request says why",
  { ...platoon, scenario: "two_gains.yaml" },
  async (s) => {
    const name = await s.app((a) => a.worlds[0].vehicles[1].name);
    await s.app((a, v) => a.select(a.worlds[0].world, v), name);
    await s.page.getByRole("tab", { name: "Car", exact: true }).click();
    await s.until((_) => document.querySelector(".in-group"), "its form");
    assert.equal(await s.page.getByRole("button", { name: "To the bench" }).count(), 0);
    const world = await s.app((a) => a.worlds[0].world);
    const answer = await s.ask("to_bench", { world, vehicle: name });
    assert.match(answer.reason, /only one made of a mechanism/);
    const wrong = await s.ask("set", { world, vehicle: name, values: { nonsense: 3 } });
    assert.match(wrong.reason, /has no parameter "nonsense"/);
  },
);

await finish();
