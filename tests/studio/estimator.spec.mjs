// Estimators of cars: switched on and off in the inspector, gains and start edited, drawn as a quantity.
import { assert, finish, test } from "./studio.mjs";
import { card, choose, replayed, type } from "./inspect.mjs";

const choice = (s) => s.page.getByRole("combobox", { name: "Estimator", exact: true });
const note = (s) => s.page.locator("[data-estimate]").innerText();

await test(
  "an estimator is switched on, finds the mass, is held when it is off; its gains and start are fields",
  { scenario: "identification.yaml" },
  async (s) => {
    await s.runTo(12);
    await choose(s, "car2", "Car");
    await choice(s).waitFor();
    assert.equal(await choice(s).inputValue(), "weight");
    await s.sees(async () => assert.match(await note(s), /^mass: \d+ ± [\d.]+ kg; (working|waiting)/));
    const found = (await s.ask("card", { world: 0, vehicle: "car2" })).estimate;
    assert.ok(Math.abs(found.value - 2000) < found.band, `${found.value} within ${found.band}`);
    const image = await card(s, "car4", "model", "mass");
    assert.ok(Math.abs(image - found.value) < 1e-6, "car 4 has the estimated mass");
    assert.equal(await card(s, "car2", "user", "user1"), 1e-6);
    await choice(s).selectOption("none");
    await s.runTo(13);
    await s.until(() => /held$/.test(document.querySelector("[data-estimate]")?.textContent ?? ""), "held");
    const held = (await s.ask("card", { world: 0, vehicle: "car2" })).estimate;
    assert.ok(!held.on && !held.active);
    await choice(s).selectOption("mass_squares");
    await s.until((a) => a.events(0).some((e) => /mass_squares/.test(e.text)), "the command");
    await s.runTo(18);
    const squares = (await s.ask("card", { world: 0, vehicle: "car2" })).estimate;
    assert.equal(squares.name, "mass_squares");
    const a = await s.ask("series", {
      worlds: [0],
      vehicles: ["car2"],
      fields: ["estimate"],
      from: 5,
      to: 12,
      points: 50,
    });
    assert.ok(
      a.values["0/car2/estimate"].every((v) => v > 1500 && v < 2500),
      "drawn as a quantity",
    );
  },
);

await test("any car of any scenario: one that is not mentioned there", { scenario: "two_gains.yaml" }, async (s) => {
  await s.runTo(5);
  await choose(s, "car3", "Car");
  await choice(s).selectOption("mass");
  await s.until((a) => a.events(0).some((e) => /mass/.test(e.text) && e.vehicle === "car3"), "the command");
  await s.runTo(6);
  await s.page.locator('[data-group="estimator"] summary').click();
  await type(s.page.locator('[data-group="estimator"] [data-param="start"]'), "1400");
  await s.until((a) => a.events(0).some((e) => /1400/.test(e.text)), "the start to be taken");
  await s.runTo(7);
  const e = (await s.ask("card", { world: 0, vehicle: "car3" })).estimate;
  assert.ok(e.on && e.parameter === "mass" && Math.abs(e.value - 1400) < 500);
});

await test(
  "formulas of your own are an estimator: checked, used, listed, repeated by the program",
  {
    scenario: "two_gains.yaml",
  },
  async (s) => {
    await s.runTo(5);
    await s.ask("set", { world: 0, vehicle: "car3", param: "user1", value: 1e-6 });
    await s.ask("set", { world: 0, vehicle: "car3", param: "user2", value: 5e-11 });
    await s.runTo(6);
    await choose(s, "car3", "Car");
    const own = s.page.locator(".oe");
    await own.locator("summary").click();
    const text = own.getByRole("textbox", { name: "Estimator as formulas" });
    const shipped = await text.inputValue();
    const use = own.getByRole("button", { name: "Use it" });
    await text.fill("what is this");
    await use.click();
    await s.sees(async () =>
      assert.match(await own.getByRole("alert").innerText(), /^line 1: "what is this"; expected such as/),
    );
    await text.fill(shipped.replace("coast_force", "coast_fource"));
    await use.click();
    await s.until(() => /coast_force/.test(document.querySelector(".oe [role=alert]").textContent), "the suggestion");
    assert.deepEqual(
      (await s.ask("log", { world: 0 })).entries.filter((e) => e.event === "edit"),
      [],
    );
    await text.fill(shipped);
    await use.click();
    await s.until((a) => a.events(0).some((e) => /mine/.test(e.text) && e.vehicle === "car3"), "it to be switched on");
    await s.runTo(60);
    await s.until(
      () => document.querySelector("select[aria-label=Estimator]")?.value === "mine",
      "its name in the list",
    );
    const e = (await s.ask("card", { world: 0, vehicle: "car3" })).estimate;
    assert.ok(e.on && e.parameter === "mass" && e.unit === "kg", JSON.stringify(e));
    assert.ok(
      e.value > 1200 && e.value < 2400 && Math.abs(e.value - 1400) > 1,
      `it worked while the car braked: ${e.value} kg`,
    );
    assert.ok((await replayed(s, 0, "two_gains.yaml")) < 1e-5);
  },
);

await finish();
