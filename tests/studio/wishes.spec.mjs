// Wishes of one car: its own headway, and back to what the roadway says.
import { assert, finish, test } from "./studio.mjs";
import { card, choose, replayed, type } from "./inspect.mjs";

const two = { scenario: "two_gains.yaml" };
const field = (s, name) => s.page.locator(`#in-panel [data-group="wishes"] [data-param="${name}"]`);
const own = async (s, car, name) => (await s.ask("card", { world: 0, vehicle: car })).groups.find((g) => g.group === "wishes").rows.find((r) => r.name === name).own;

await test("a headway of its own is marked, and taken back by 'as roadway'; the log repeats both", two, async (s) => {
  await s.live(1);
  await choose(s, "car3", "Car");
  const back = s.page.getByRole("button", { name: "distance: as roadway" });
  assert.equal(await back.isVisible(), false, "nothing to take back yet");
  const was = await card(s, "car3", "wishes", "distance");
  await type(field(s, "distance"), String(was + 3));
  await s.until((a) => a.events(0).some((e) => /distance/.test(e.text)), "the change");
  await s.live(3);
  assert.equal(await own(s, "car3", "distance"), true);
  assert.equal(await card(s, "car3", "wishes", "distance"), was + 3);
  await back.click();
  await s.until((a) => a.events(0).some((e) => /distance of car3 as the roadway/.test(e.text)), "the wish to be taken back");
  await s.live((await s.app((a) => a.clock.t)) + 1);
  assert.equal(await own(s, "car3", "distance"), false);
  assert.equal(await card(s, "car3", "wishes", "distance"), was);
  assert.equal(await back.isVisible(), false);
  assert.ok((await replayed(s, 0, "two_gains.yaml")) < 1e-5);
});

await test("a car that goes back to the roadway follows what the roadway commands later", two, async (s) => {
  await s.live(1);
  await s.ask("set", { world: 0, vehicle: "car2", param: "headway", value: 2 });
  await s.ask("road", { world: 0, headway: 0.8 });
  await s.live(2);
  assert.equal(await card(s, "car2", "wishes", "headway"), 2);
  assert.equal((await s.ask("set", { world: 0, vehicle: "car2", param: "wishes.headway", value: null })).kind, "done");
  await s.live((await s.app((a) => a.clock.t)) + 1);
  assert.equal(await card(s, "car2", "wishes", "headway"), 0.8);
  for (const [param, value] of [["mass", null], ["k3", null], ["user1", null]]) assert.equal((await s.ask("set", { world: 0, vehicle: "car2", param, value })).kind, "refused", param);
});

await finish();
