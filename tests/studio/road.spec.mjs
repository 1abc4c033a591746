// The road's panel: commands to all cars, hills as a table.
import { assert, finish, test } from "./studio.mjs";
import { type } from "./inspect.mjs";

const two = { scenario: "two_gains.yaml" };
const open = async (s) => {
  await s.live(1);
  await s.page.locator('.rail [data-panel="road"]').click();
};
const cell = (s, k, what) => s.page.getByRole("textbox", { name: `hill ${k}: ${what}`, exact: true });
const put = async (box, text) => {
  await box.click();
  await box.fill(text);
  await box.press("Enter");
};

await test("a headway command makes all cars keep more", two, async (s) => {
  await open(s);
  await type(s.page.locator('.panel [data-param="headway"]'), "0.8");
  await s.until((a) => a.world(0).road.headway === 0.8, "the command");
  await s.app((a) => a.clock.setRate(20));
  await s.until(
    (a) => [1, 2, 3].every((i) => a.frame(0).field("gap")[i] / a.frame(0).field("v")[i] > 0.75),
    "gaps of 0.8 s",
    null,
    30000,
  );
  assert.equal((await s.ask("log", { world: 0 })).entries[0].event, "headway");
});

await test.core("a hill in the table changes the road the cars drive on", two, async (s) => {
  await open(s);
  await put(cell(s, 1, "grade in percent"), "6");
  await s.until((a) => Math.abs(Math.tan(a.world(0).road.grades[0].grade) - 0.06) < 1e-6, "6 %");
  const top = await s.app((a) => Math.max(...a.world(0).road.profile.z));
  assert.ok(top > 25, `the hill is ${top} m high`);
  await s.page.getByRole("button", { name: "+ Hill ahead" }).click();
  await s.until((a) => a.world(0).road.grades.length === 5, "a fifth hill");
  await s.page.getByRole("button", { name: "remove hill 2" }).click();
  await s.until((a) => a.world(0).road.grades.length === 4, "four hills again");
});

await test("ten invalid hills and commands are rejected with the reason", two, async (s) => {
  await open(s);
  const say = () => s.page.locator('.panel section[aria-label="Hills"] .fo-error').innerText();
  const wrong = [
    ["from", "1500", /end after its start/],
    ["to", "600", /end after its start/],
    ["to", "1700", /overlap/],
    ["grade in percent", "steep", /not a number/],
    ["grade in percent", "900", /too steep/],
    ["transition", "400", /do not fit/],
    ["from", "", /not a number/],
    ["from", "1 kg", /not a number/],
    ["transition", "-5", /./],
  ];
  for (const [what, text, message] of wrong) {
    const was = await cell(s, 1, what).inputValue();
    await put(cell(s, 1, what), text);
    await s.sees(async () => assert.match(await say(), message, `${what} = "${text}"`));
    await cell(s, 1, what).fill(was);
  }
  await type(s.page.locator('.panel [data-param="speed"]'), "400");
  assert.match(await s.page.locator('.panel [data-param="speed"] .fo-error').innerText(), /0 to 150 m\/s/);
  assert.equal((await s.ask("log", { world: 0 })).entries.length, 0);
  assert.equal(await s.app((a) => a.world(0).road.grades[0].to), 1300);
});

await test(
  "lanes, a slippery patch and commands for one lane in the Road panel",
  { scenario: "demo3.yaml" },
  async (s) => {
    await s.live(0.5);
    await s.app((a) => a.run("friction"));
    const panel = s.page.locator(".panel");
    const lanes = await s.app((a) => a.world(0).road.lanes);
    await panel.getByRole("button", { name: "+ Lane" }).click();
    await s.until((a, n) => a.world(0).road.lanes === n + 1, "one lane more", lanes);
    await panel.getByRole("button", { name: "+ Slippery patch ahead" }).click();
    await s.until((a) => a.world(0).road.friction.some((f) => f.mu === 0.3), "the patch");
    await panel.getByLabel("stretch 1: friction").fill("0.2");
    await s.page.keyboard.press("Enter");
    await s.until((a) => a.world(0).road.friction.some((f) => f.mu === 0.2), "friction 0.2");
    const lane = await s.app((a) => a.world(0).vehicles.find((v) => !v.leader && v.platoon === 1).lane);
    await panel.getByLabel("for", { exact: true }).selectOption(`lane ${lane}`);
    await panel.locator('[data-param="headway"] input:not([type=range])').fill("1.7");
    await s.page.keyboard.press("Enter");
    const headway = async (platoon) => {
      const car = await s.app((a, p) => a.world(0).vehicles.find((v) => !v.leader && v.platoon === p).name, platoon);
      const card = await s.ask("card", { world: 0, vehicle: car });
      return card.groups.find((g) => g.group === "desired").rows.find((r) => r.name === "headway").value;
    };
    await s.sees(async () => assert.equal(await headway(1), 1.7));
    assert.notEqual(await headway(0), 1.7, "the other lane was commanded, too");
  },
);

await finish();
