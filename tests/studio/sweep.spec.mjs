// The sweep bench: cells are runs; a cell opened is that run again.
import { assert, finish, test } from "./studio.mjs";

const two = { scenario: "two_gains.yaml" };
const open = (s) => s.page.getByRole("button", { name: "Sweep" }).click();
async function form(s, q) {
  for (const [id, value] of Object.entries(q)) {
    const f = s.page.locator(`#sw-${id}`);
    await f.fill(String(value));
    await f.press("Enter");
    await f.blur();
  }
}
const small = {
  "0-name": "follow.k3",
  "0-from": 1.6,
  "0-to": 4,
  "0-count": 3,
  "1-name": "mass",
  "1-from": 1500,
  "1-to": 2400,
  "1-count": 2,
  end: 20,
};
async function map(s) {
  const box = await s.page.locator(".sw-map canvas").boundingBox();
  return {
    box,
    x: (i, n) => box.x + 64 + ((i + 0.5) / n) * (box.width - 64 - 176),
    y: (j, n) => box.y + box.height - 44 - ((j + 0.5) / n) * (box.height - 44 - 58),
  };
}
const told = (s) => s.page.locator(".sw-told").innerText();
const state = (s) => s.page.locator(".sw-left").innerText();
const until = (s, good, what) => s.sees(good, what, 60000);

await test.core("a cell's figure is that of the run it opens", two, async (s) => {
  await s.runTo(1);
  await open(s);
  await form(s, small);
  await s.sees(async () => assert.match(await s.page.locator(".sw-buttons .primary").innerText(), /Run 6 runs/));
  await s.page.locator(".sw-buttons .primary").click();
  await until(s, async () => /6 runs done/.test(await state(s)), "all runs");
  const m = await map(s);
  const value = async (i, j, pattern) => {
    await s.page.mouse.move(m.x(i, 3), m.y(j, 2));
    return s.sees(async () => {
      assert.match(await told(s), pattern);
      return told(s);
    });
  };
  const soft = await value(0, 0, /follow\.k3 1\.600? s⁻¹, mass 1500 kg: [\d.]+ m/);
  const stiff = await value(2, 0, /follow\.k3 4\.000? s⁻¹, mass 1500 kg: [\d.]+ m/);
  const figure = (t) => Number(/: ([\d.]+) m$/.exec(t)[1]);
  assert.notEqual(figure(soft), figure(stiff));
  const worlds = await s.app((a) => a.worlds.length);
  await s.page.mouse.click(m.x(0, 3), m.y(0, 2));
  await s.until((a, n) => a.worlds.length === n + 1, "the world of the cell", worlds);
  assert.match(await s.app((a) => a.worlds.at(-1).name), /=/, "the world is named by its cell");
  const born = await s.app((a) => {
    const w = a.worlds.at(-1);
    return { world: w.world, k3: w.controllers.find((c) => c.name === "follow").gains.k3, mass: w.vehicles[1].mass };
  });
  assert.ok(Math.abs(born.k3 - 1.6) < 1e-9 && Math.abs(born.mass - 1500) < 1e-6, JSON.stringify(born));
  await s.runTo(20);
  await s.until((a, w) => a.world(w).end >= 20 - 1e-6, "its 20 s", born.world, 30000);
  const again = await s.app(
    async (a, w) =>
      (await a.ask("figures", { worlds: [w], from: 0, to: 20 })).rows.find((r) => r.name === "largest.spacing_error")
        .values[0],
    born.world,
  );
  assert.ok(Math.abs(again - figure(soft)) < 0.02 * figure(soft) + 0.002, `${again} against ${figure(soft)}`);
});

await test("Stop keeps what is there", two, async (s) => {
  await s.runTo(1);
  await open(s);
  await form(s, { ...small, "0-count": 9, "1-count": 45, end: 60 });
  await s.page.locator(".sw-buttons .primary").click();
  await until(s, async () => /^[3-9]\d* of 405|^\d\d of 405/.test(await state(s)), "some runs");
  await s.sees(async () => assert.match(await state(s), /s left/));
  await s.page.getByRole("button", { name: "Stop" }).click();
  await until(s, async () => /stopped: \d+ of 405 kept/.test(await state(s)), "the stop");
  const kept = Number(/stopped: (\d+)/.exec(await state(s))[1]);
  assert.ok(kept > 0 && kept < 405);
  await s.page.waitForTimeout(1500);
  assert.ok(Number(/(\d+) of 405/.exec(await state(s))[1]) - kept <= 2, "it did not stop");
  // The map shows them: coloured cells on the left, empty ones on the right.
  const m = await map(s);
  await s.page.mouse.move(m.x(0, 9), m.y(0, 45));
  await s.sees(async () => assert.match(await told(s), /: [\d.]+ m$/));
  await s.page.mouse.move(m.x(8, 9), m.y(44, 45));
  await s.sees(async () => assert.match(await told(s), /not run/));
});

await test("a box dragged over cells is swept finer", two, async (s) => {
  await s.runTo(1);
  await open(s);
  await form(s, { ...small, "1-count": 3, end: 3 });
  await s.page.locator(".sw-buttons .primary").click();
  await until(s, async () => /9 runs done/.test(await state(s)), "all runs");
  const m = await map(s);
  await s.page.mouse.move(m.x(0, 3), m.y(0, 3));
  await s.page.mouse.down();
  await s.page.mouse.move(m.x(1, 3), m.y(1, 3), { steps: 5 });
  await s.page.mouse.up();
  await s.page.getByRole("button", { name: /Finer grid/ }).click();
  await until(
    s,
    async () => /runs done/.test(await state(s)) && (await s.page.locator("#sw-0-to").inputValue()) === "2.8",
    "the finer grid",
  );
  assert.equal(await s.page.locator("#sw-1-to").inputValue(), "1950");
});

await test("values can be normally distributed or a list; the server gets these values", two, async (s) => {
  await s.runTo(1);
  await open(s);
  await form(s, { "0-name": "follow.k3", "1-name": "mass", end: 2 });
  await s.page.locator("#sw-0-kind").selectOption("normal");
  await form(s, { "0-mean": 3, "0-deviation": 0.5, "0-count": 3 });
  await s.page.locator("#sw-1-kind").selectOption("list");
  await form(s, { "1-list": "2200 1500 4055lb" });
  await s.sees(async () => assert.match(await s.page.locator(".sw-buttons .primary").innerText(), /Run 9 runs/));
  await s.app((a) => {
    const ask = a.ask.bind(a);
    a.ask = (kind, args) => ask(kind, args).then((r) => (kind === "sweep" && (window.axes = r.axes), r));
  });
  await s.page.locator(".sw-buttons .primary").click();
  await until(s, async () => /9 runs done/.test(await state(s)), "all runs");
  const axes = await s.page.evaluate(() => window.axes.map((x) => x.values));
  // Equally likely thirds of N(3, 0.5): their middles are at 1/6, 1/2, 5/6.
  axes[0].forEach((v, k) =>
    assert.ok(Math.abs(v - [3 - 0.5 * 0.967422, 3, 3 + 0.5 * 0.967422][k]) < 1e-4, `${axes[0]}`),
  );
  assert.deepEqual(
    axes[1].map((v) => Math.round(v)),
    [1500, 1839, 2200],
  );
  await form(s, { "1-list": "1500 1500" });
  await s.sees(async () => assert.equal(await s.page.locator("#sw-1-list").getAttribute("aria-invalid"), "true"));
});

await test("the map is reached by keyboard", two, async (s) => {
  await s.runTo(1);
  await open(s);
  await form(s, { ...small, end: 3 });
  await s.page.locator(".sw-buttons .primary").click();
  await until(s, async () => /6 runs done/.test(await state(s)), "all runs");
  await s.page.locator(".sw-map").focus();
  await s.page.keyboard.press("ArrowRight");
  await s.page.keyboard.press("ArrowUp");
  await s.sees(async () => assert.match(await told(s), /follow\.k3 2\.80+ s⁻¹, mass 2400 kg/));
  const worlds = await s.app((a) => a.worlds.length);
  await s.page.keyboard.press("Enter");
  await s.until((a, n) => a.worlds.length === n + 1, "the world of the cell", worlds);
});

await test("an unknown parameter is rejected by name", two, async (s) => {
  await s.runTo(1);
  await open(s);
  await form(s, { ...small, "0-name": "follow.k9" });
  await s.page.locator(".sw-buttons .primary").click();
  await until(s, async () => /k9/.test(await s.page.locator(".sw-side .id-note").innerText()), "the rejection");
});

await finish();
