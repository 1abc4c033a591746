// Cars that come, go and change; faults.
import { assert, finish, test } from "./studio.mjs";
import { choose, difference, replayed, type } from "./inspect.mjs";

const two = { scenario: "two_gains.yaml" };

await test.core(
  "cars are added in front and behind, removed, brought back by undo; the log repeats it",
  two,
  async (s) => {
    await s.live(1);
    await s.page.locator('.rail [data-panel="cars"]').click();
    const pick = (name) => s.page.locator(".panel .in-table").getByRole("button", { name, exact: true }).click();
    await pick("car7");
    await s.page.getByRole("radio", { name: "heavy" }).click();
    await s.page.getByRole("button", { name: "+ behind car7" }).click();
    await s.until((a) => a.world(0).vehicles.length === 9, "nine cars");
    const fresh = await s.app((a) => a.world(0).vehicles.at(-1));
    assert.equal(fresh.model, "heavy");
    await s.until(
      (a, id) => {
        const f = a.frame(0);
        return f.index(id) >= 0 && f.x[f.index(id)] < f.x[f.index(7)];
      },
      "the new car behind car7",
      fresh.id,
    );
    await pick("leader");
    await s.page.getByRole("button", { name: "+ in front of leader" }).click();
    await s.until((a) => a.world(0).vehicles.length === 10, "ten cars");
    await pick("car3"); // between two cars 0.3 s apart there is no room
    await s.page.getByRole("button", { name: "+ behind car3" }).click();
    await s.until((a) => a.world(0).vehicles.length === 11, "eleven cars");
    await s.sees(async () => assert.match(await s.toast(), /no room behind car3: place it behind car8/i));
    await s.app((a) => a.select(0, "car7"));
    await s.page.keyboard.press("Delete");
    await s.until((a) => !a.world(0).vehicles.some((v) => v.name === "car7"), "car7 to be gone");
    await s.page.keyboard.press("Control+z");
    await s.until((a) => a.world(0).vehicles.some((v) => v.name === "car7"), "car7 to be back", null, 20000);
    await s.live(3);
    const worst = await replayed(s, 0, "two_gains.yaml");
    assert.ok(worst < 1e-5, `the log gives other speeds, by ${worst} m/s`);
  },
);

await test.core("a brake that fails behind the live end makes a branch; the healthy run stays", two, async (s) => {
  await s.runTo(30);
  await s.seek(10);
  await choose(s, "car4", "Disturb");
  await s.page.getByRole("button", { name: "Brake fails now" }).click();
  await s.until((a) => a.worlds.length === 2 && a.world(1).end > 29, "a branch", null, 20000);
  await s.until((a) => a.events(1).some((e) => e.type === "fault" && e.vehicle === "car4"), "the fault as an event");
  await s.app((a) => a.select(1, "car4"));
  await type(s.page.locator('.di-form > [data-param="sensor_bias"]'), "1.5");
  await s.until((a) => a.worlds.length === 3 && a.world(2).end > 29, "a second branch", null, 20000);
  assert.ok((await difference(s, [1, 2], "car4", "x", 10, 29)) > 0.5, "the bias changes nothing");
});

await test("ten invalid fault values are rejected", two, async (s) => {
  await s.live(1);
  await choose(s, "car4", "Disturb");
  const wrong = [
    ["brake_lost", "2"],
    ["brake_lost", "-0.1"],
    ["brake_lost", "half"],
    ["throttle_stuck", "1.5"],
    ["throttle_stuck", "x"],
    ["sensor_bias", "1000"],
    ["sensor_bias", "1 kg"],
    ["sensor_noise", "-1"],
    ["radio_delay", "99"],
    ["radio_loss", "3"],
  ];
  for (const [name, text] of wrong) {
    const field = s.page.locator(`.di-form > [data-param="${name}"]`);
    await type(field, text);
    await s.sees(async () =>
      assert.match(await field.locator(".fo-error").innerText(), /to|number/, `${name} = ${text}`),
    );
  }
  assert.equal((await s.ask("log", { world: 0 })).entries.length, 0);
  const a = await s.ask("car", { op: "remove", vehicle: "car99" });
  assert.match(a.reason, /unknown vehicle "car99"/);
});

await test("a platoon is added while the others drive", { scenario: "two_gains.yaml" }, async (s) => {
  await s.live(1);
  await s.page.locator('.rail [data-panel="cars"]').click();
  await s.page.getByRole("button", { name: "+ Platoon" }).click();
  await s.until((a) => a.world(0).platoons.length === 2, "two platoons");
  const cars = await s.app((a) => a.world(0).vehicles.filter((v) => v.platoon === 1));
  assert.deepEqual([cars.length, cars.filter((v) => v.leader).length], [4, 1]);
  await s.until((a) => a.frame(0).n === 12, "all of them on the road");
  const t = await s.app((a) => a.clock.t);
  await s.live(t + 3);
  assert.deepEqual(await s.app((a) => [a.world(0).state, a.events(0).filter((e) => e.type === "collision").length]), [
    "running",
    0,
  ]);
});

await finish();
