// Several cars chosen at once: one form, a dash where they differ, one change for all of them.
import { assert, finish, test } from "./studio.mjs";
import { card, type } from "./inspect.mjs";

const two = { scenario: "two_gains.yaml" };
// Clicks a car on the road, with a key held or not.
async function click(s, car, modifiers = []) {
  const { x, y } = await s.car(car);
  await s.page.locator(".sc-canvas").click({ position: { x, y }, modifiers });
}
const field = (s, name) => s.page.locator(`.inspector [data-group] .fo-field[data-param="${name}"]`).first();
const mass = (s, car, world = 0) => card(s, car, "model", "mass", world);

await test("Shift-click chooses further cars; what differs is a dash; a value goes to all of them", two, async (s) => {
  await s.runTo(6);
  const usual = await mass(s, "car2");
  await s.ask("set", { world: 0, vehicle: "car3", param: "model.mass", value: 2000 });
  await click(s, "car2");
  await click(s, "car3", ["Shift"]);
  await click(s, "car5", ["Control"]);
  await s.page.getByRole("heading", { name: "3 cars, Main" }).waitFor();
  assert.match(await s.page.locator(".in-head .in-sub").first().innerText(), /car2, car3, car5/);
  const box = field(s, "mass").locator(".fo-number");
  await s.sees(async () => assert.equal(await box.inputValue(), "–"));
  assert.match(await box.getAttribute("title"), /differ: 1839.* to 2000 kg/);
  assert.notEqual(await field(s, "headway").locator(".fo-number").inputValue(), "–");
  // All three are ringed on the road, the fourth is not.
  const ring = async (car) => {
    const { x, y, half } = await s.car(car);
    const c = await s.colours(".sc-canvas", x - half - 6, y - 2, 4, 4);
    return Object.keys(c).includes("#5b4bdb");
  };
  await s.sees(async () => {
    for (const car of ["car2", "car3", "car5"]) assert.ok(await ring(car), `${car} has no ring`);
    assert.equal(await ring("car4"), false);
  });

  await s.app((a) => a.clock.goLive());
  await type(field(s, "mass"), "4055 lb");
  await s.until(
    (a) => document.querySelector('.inspector [data-param="mass"] .fo-number').value === "1839.32",
    "pounds in kilograms",
  );
  await type(field(s, "mass"), "2100");
  await s.live((await s.app((a) => a.clock.end)) + 0.5);
  await s.app((a) => a.clock.play(false));
  await s.sees(async () => assert.ok(Math.abs((await mass(s, "car5")) - 2100) < 1e-6));
  for (const [car, want] of [
    ["car2", 2100],
    ["car3", 2100],
    ["car4", usual],
    ["car5", 2100],
  ])
    assert.ok(Math.abs((await mass(s, car)) - want) < 1e-6, `${car}: ${await mass(s, car)}`);
  await s.app((a) => a.clock.seek(a.clock.end));
  await s.page.locator(".sc-canvas").focus();
  await s.page.keyboard.press("Control+z"); // one undo takes all three back
  await s.until(
    () => /Undone: mass of 3 cars/.test(document.querySelector(".toasts").textContent),
    "the word that it was undone",
  );
  await s.sees(async () => assert.ok(Math.abs((await mass(s, "car5")) - 1839.3185) < 0.01));
  await s.page.getByRole("button", { name: "Only car2" }).click();
  await s.page.getByRole("tab", { name: "Controller" }).waitFor();
});

await test("in the past it is one branch for all, and out of range nothing is sent", two, async (s) => {
  await s.runTo(20);
  await s.seek(8);
  await s.page.keyboard.press("Control+a");
  await s.page.getByRole("heading", { name: "7 cars, Main" }).waitFor();
  await type(field(s, "mass"), "10");
  assert.match(await field(s, "mass").locator(".fo-error").innerText(), /to .* kg/);
  assert.equal(await s.app((a) => a.worlds.length), 1);
  await type(field(s, "mass"), "2400");
  await s.until((a) => a.worlds.length === 2 && a.worlds[1].end > 18, "one branch", null, 20000);
  assert.equal(await s.app((a) => a.worlds[1].change), "mass of 7 cars = 2400");
  await s.page.waitForTimeout(500);
  assert.equal(await s.app((a) => a.worlds.length), 2);
  await s.until(
    (a) => a.selection.world === a.worlds[1].world && a.also.length === 6,
    "the choice to go to the branch",
  );
  for (const car of ["car1", "car7"]) assert.ok(Math.abs((await mass(s, car, 1)) - 2400) < 1e-6);
  assert.ok(Math.abs((await mass(s, "leader", 1)) - 2400) > 100);
});

await test("Shift and arrows on the road choose further cars by keyboard", two, async (s) => {
  await s.runTo(3);
  await s.page.locator(".sc-canvas").focus();
  await s.page.keyboard.press("ArrowLeft");
  const first = await s.app((a) => a.selection.vehicle);
  await s.page.keyboard.press("Shift+ArrowLeft");
  await s.page.keyboard.press("Shift+ArrowLeft");
  assert.deepEqual(await s.app((a) => [a.selection.vehicle, a.also.length]), [first, 2]);
  await s.page.getByRole("heading", { name: "3 cars, Main" }).waitFor();
  await s.page.keyboard.press("ArrowLeft");
  assert.equal(await s.app((a) => a.also.length), 0);
});

await finish();
