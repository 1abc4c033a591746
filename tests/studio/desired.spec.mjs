// Desired spacing of one car: its own headway, and back to that of the roadway.
import { assert, finish, test } from "./studio.mjs";
import { card, choose, replayed, type } from "./inspect.mjs";

const two = { scenario: "two_gains.yaml" };
const field = (s, name) => s.page.locator(`#in-panel [data-group="desired"] [data-param="${name}"]`);
const own = async (s, car, name) =>
  (await s.ask("card", { world: 0, vehicle: car })).groups
    .find((g) => g.group === "desired")
    .rows.find((r) => r.name === name).own;

await test.core(
  "a value set for one car is marked, and cleared by 'as roadway'; the log repeats both",
  two,
  async (s) => {
    await s.live(1);
    await choose(s, "car3", "Car");
    const back = s.page.getByRole("button", { name: "distance: as roadway" });
    assert.equal(await back.isVisible(), false, "nothing to clear yet");
    const was = await card(s, "car3", "desired", "distance");
    await type(field(s, "distance"), String(was + 3));
    await s.until((a) => a.events(0).some((e) => /distance/.test(e.text)), "the change");
    await s.live(3);
    assert.equal(await own(s, "car3", "distance"), true);
    assert.equal(await card(s, "car3", "desired", "distance"), was + 3);
    await back.click();
    await s.until(
      (a) => a.events(0).some((e) => /distance of car3 as the roadway/.test(e.text)),
      "the value of the car to be cleared",
    );
    await s.live((await s.app((a) => a.clock.t)) + 1);
    assert.equal(await own(s, "car3", "distance"), false);
    assert.equal(await card(s, "car3", "desired", "distance"), was);
    await s.sees(async () => assert.equal(await back.isVisible(), false));
    assert.ok((await replayed(s, 0, "two_gains.yaml")) < 1e-5);
  },
);

await test("a car that goes back to the roadway follows what the roadway commands later", two, async (s) => {
  await s.live(1);
  await s.ask("set", { world: 0, vehicle: "car2", param: "headway", value: 2 });
  await s.ask("road", { world: 0, headway: 0.8 });
  await s.live(2);
  assert.equal(await card(s, "car2", "desired", "headway"), 2);
  assert.equal((await s.ask("set", { world: 0, vehicle: "car2", param: "desired.headway", value: null })).kind, "done");
  await s.live((await s.app((a) => a.clock.t)) + 1);
  assert.equal(await card(s, "car2", "desired", "headway"), 0.8);
  for (const [param, value] of [
    ["mass", null],
    ["k3", null],
    ["user1", null],
  ])
    assert.equal((await s.ask("set", { world: 0, vehicle: "car2", param, value })).kind, "refused", param);
});

await test(
  "a driver who keeps no spacing has no ghost and no error; the lane is not called automated",
  { scenario: "demo1.yaml" },
  async (s) => {
    await s.page.evaluate(() => {
      window.words = new Map(); // text: heights on the road's canvas
      const fill = CanvasRenderingContext2D.prototype.fillText;
      CanvasRenderingContext2D.prototype.fillText = function (t, x, y) {
        if (this.canvas.classList.contains("sc-canvas"))
          window.words.set(String(t), (window.words.get(String(t)) ?? new Set()).add(Math.round(y)));
        return fill.call(this, t, x, y);
      };
    });
    await s.runTo(12);
    await s.seek(10);
    await s.app((a) => a.scene.showAll());
    await s.until((a) => a.scene.strips[0].visible === a.worlds[0].vehicles.length, "all cars in sight");
    const cars = await s.app((a) => {
      const p = a.scene.strips[0];
      const target = p.frame.field("target");
      return [...Array(p.visible).keys()].map((k) => ({
        law: p.roster.vehicles[p.slot[k]].law,
        ghost: p.ghost[k],
        error: target[p.index[k]] - p.frame.field("middle")[p.index[k]],
      }));
    });
    const of = (law) => cars.filter((c) => c.law === law);
    assert.ok(of("pipes").length >= 5 && of("platoon").length >= 5, JSON.stringify(cars));
    for (const c of of("pipes"))
      assert.ok(Number.isNaN(c.ghost ?? NaN) && Number.isNaN(c.error ?? NaN), JSON.stringify(c));
    for (const c of of("platoon")) assert.ok(Number.isFinite(c.ghost) && Number.isFinite(c.error), JSON.stringify(c));
    await s.app((a) => a.scene.showCar());
    await s.page.evaluate(() => window.words.clear());
    await s.until(() => window.words.has("automated"), "the automated lane's name");
    assert.equal(await s.page.evaluate(() => window.words.get("automated").size), 1, "one of two lanes is automated");
  },
);

await finish();
