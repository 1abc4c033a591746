// Tables of a powertrain as curves: points dragged and typed are commands like any other.
import { assert, finish, test } from "./studio.mjs";
import { card, choose, replayed, type } from "./inspect.mjs";

const two = { scenario: "two_gains.yaml" };
const curve = (s, name) => s.page.locator(`.cv[data-table="${name}"]`);
const value = (s, param, world = 0) => card(s, "car3", "powertrain", param, world);

// Gives car3 the tables of the report, in its form.
async function withTables(s) {
  await choose(s, "car3", "Car");
  const group = s.page.locator('[data-group="powertrain"]');
  if (!(await group.evaluate((e) => e.open))) await group.locator("summary").click();
  await s.page.getByRole("combobox", { name: "Kind", exact: true }).selectOption("lookup_tables");
  await curve(s, "mda").waitFor();
}
async function drag(s, name, k, dy) {
  const dot = curve(s, name).locator(".cv-point").nth(k);
  await dot.scrollIntoViewIfNeeded();
  await s.frames();
  const r = await dot.boundingBox();
  const [x, y] = [r.x + r.width / 2, r.y + r.height / 2];
  await s.page.mouse.move(x, y);
  await s.page.mouse.down();
  await s.page.mouse.move(x, y + dy / 2, { steps: 4 });
  await s.page.mouse.move(x, y + dy, { steps: 4 });
  await s.page.mouse.up();
}
const told = (s, pattern) =>
  s.until((a, p) => a.events(0).some((e) => new RegExp(p).test(e.text)), `a command ${pattern}`, pattern);

await test(
  "a point is dragged, another typed; both are logged, undone, and repeated by the program",
  two,
  async (s) => {
    await s.runTo(3);
    await withTables(s);
    await s.runTo(4);
    assert.deepEqual([await value(s, "kv_18"), await value(s, "mda_21")], [0.67, 3.9]);
    await drag(s, "kv", 7, -20); // at 18 m/s
    await told(s, "kv_18 0\\.67 -> ");
    await s.runTo(5);
    const dragged = await value(s, "kv_18");
    assert.ok(dragged > 0.9 && dragged < 1.5, `0.67 dragged up by 20 px: ${dragged}`);
    await curve(s, "mda").locator(".cv-point").nth(9).click();
    await type(curve(s, "mda").locator(".fo-field"), "4.25");
    await told(s, "mda_21 3\\.9 -> 4\\.25");
    await s.runTo(6);
    assert.equal(await value(s, "mda_21"), 4.25);
    assert.equal(await s.app((a) => a.worlds.length), 1, "at the live end nothing branches");
    assert.ok((await replayed(s, 0, "two_gains.yaml")) < 1e-5);
    await s.app((a) => a.run("undo"));
    await s.until(
      async (a) =>
        (await a.ask("card", { world: 0, vehicle: "car3" })).groups
          .find((g) => g.group === "powertrain")
          .rows.find((r) => r.name === "mda_21").value === 3.9,
      "the mixture as it was",
    );
    assert.equal(await value(s, "kv_18"), dragged);
  },
);

await test("in the past a dragged point branches; a table that grows keeps growing", two, async (s) => {
  await s.runTo(3);
  await withTables(s);
  await s.runTo(8);
  await curve(s, "mda").locator(".cv-point").nth(9).click();
  await type(curve(s, "mda").locator(".fo-field"), "6"); // 4.8 at the next angle
  await s.sees(async () =>
    assert.match(await curve(s, "mda").locator(".fo-error").innerText(), /3\.15\d* to 4\.79\d*: mda keeps growing/),
  );
  assert.equal(await value(s, "mda_21"), 3.9);
  await s.seek(5);
  await drag(s, "mda", 9, -80);
  await s.until((a) => a.worlds.length === 2, "the branch");
  assert.match(await s.app((a) => a.worlds[1].change), /mda_21/);
  const there = await s.app((a) => a.worlds[1].world);
  await s.until((a, w) => a.world(w).end >= 8 - 1e-6, "the branch to be simulated", there);
  const now = await value(s, "mda_21", there);
  assert.ok(now > 4.7 && now < 4.8, `dragged far beyond the next point, which has 4.8: ${now}`);
  assert.equal(await value(s, "mda_21"), 3.9);
});

await test("by keyboard: left and right choose a point, up and down change it", two, async (s) => {
  await s.runTo(3);
  await withTables(s);
  await s.runTo(4);
  await curve(s, "kv").locator(".cv-picture").focus();
  await s.page.keyboard.press("ArrowRight");
  await s.page.keyboard.press("ArrowUp");
  await told(s, "kv_2 2\\.4 -> ");
  await s.runTo(5);
  assert.ok((await value(s, "kv_2")) > 2.4);
  assert.equal(await value(s, "kv_0"), 2.4);
});

await finish();
