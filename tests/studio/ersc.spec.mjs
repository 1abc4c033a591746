// Automated lanes on the page: levels and their functions, check-in and its rejections, flashing cars, blind spots,
// manoeuvres of platoons.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { assert, finish, test } from "./studio.mjs";

const ersc = { scenario: "ersc.yaml" };
const CHECKED_IN = 256;
const FLASHES = 512;

// Two cars side by side in manual lanes; no events.
const folder = mkdtempSync(`${tmpdir()}/ersc-`);
const scenario = (name, road) => {
  writeFileSync(
    `${folder}/${name}`,
    `motorcade: scenario
time: {end: 60, step: 0.02, record: 0.1}
road: {lanes: 3, lane_width: 3.6, speed: 26${road}}
models: {car: {kind: bicycle}}
controllers:
  cruise: {law: acc, headway: 1, distance: 4}
  human: {law: idm, headway: 1.4, distance: 3, speed: 26, manual: true}
vehicles:
  - {model: car, name: ann, lane: 2, x: 0, v: 26, controller: human}
  - {model: car, name: bob, lane: 3, x: -4, v: 26, controller: human}
  - {model: car, name: cy, lane: 2, x: -60, v: 26, controller: cruise}
`,
  );
  return { scenario: `${folder}/${name}` };
};
const beside = scenario("beside.yaml", ", ersc: {level: 1, controller: cruise}");
const without = scenario("without.yaml", "");

const level = (s) => s.page.locator('.er-levels [aria-pressed="true"]').first().innerText();
const functions = (s) => s.page.locator(".er-list li.on > span:not(.sr)").allInnerTexts();
const bar = (s) => s.page.locator(".ci");
const status = (s, car) =>
  s.app((a, name) => {
    const f = a.frame(0);
    return f.status[f.index(a.worlds[0].vehicles.find((v) => v.name === name).id)];
  }, car);
const select = (s, car) => s.app((a, name) => a.select(0, name), car);
// Colours of the road about a car.
async function about(s, car, half = 40) {
  await s.frames();
  const at = await s.car(car);
  return s.colours(".sc-canvas", at.x - half, at.y - 20, 2 * half, 40);
}
// Pixels of the warning colour, whatever lies under it.
const yellow = (counts) =>
  Object.entries(counts).reduce((sum, [colour, n]) => {
    const [r, , b] = [1, 3, 5].map((k) => parseInt(colour.slice(k, k + 2), 16));
    return r > 180 && b < 160 && r - b > 88 ? sum + n : sum;
  }, 0);
const token = (s, name) =>
  s.page.evaluate((n) => getComputedStyle(document.documentElement).getPropertyValue(n).trim(), name);

await test.core("levels are switched by mouse and keyboard, and say their functions", ersc, async (s) => {
  await s.runTo(1);
  assert.equal(await level(s), "1");
  assert.deepEqual(await functions(s), ["Adaptive cruise control", "Blind-spot warning", "Check-in and check-out"]);
  assert.match(await s.page.locator(".er-lanes").innerText(), /^1 automated lane, 2 manual$/);
  await s.page.getByRole("group", { name: "ERSC level" }).getByRole("button", { name: "Level 3" }).click();
  await s.sees(async () => (await level(s)) === "3", "level 3");
  assert.equal((await functions(s)).length, 5);
  await s.page.keyboard.press("Alt+4");
  await s.sees(async () => (await level(s)) === "4", "level 4");
  await s.sees(async () => (await functions(s)).at(-1) === "Automatic lane change", "its function");
  assert.match(await s.page.locator(".er-lanes").innerText(), /^2 automated lanes, 1 manual$/);
  const log = await s.ask("log", { world: 0 });
  assert.deepEqual(
    log.entries.map((e) => [e.event, e.value]),
    [
      ["ersc", 3],
      ["ersc", 4],
    ],
  );
});

await test("the level is that of the playhead; a level in the past makes a branch", ersc, async (s) => {
  await s.runTo(41);
  await s.sees(async () => (await level(s)) === "4", "the level at 41 s");
  await s.seek(10);
  await s.sees(async () => (await level(s)) === "1", "the level at 10 s");
  await s.page.keyboard.press("Alt+2");
  await s.until((a) => a.worlds.length === 2 && a.current().world === 1, "the branch");
  await s.sees(async () => (await level(s)) === "2", "its level");
  assert.match(await s.page.locator(".er-head h3").innerText(), /of B$/);
});

await test("a car checks in and out with C; its lamp and its form show it", beside, async (s) => {
  await s.runTo(1);
  await select(s, "cy");
  await s.sees(async () => /Not checked in/.test(await bar(s).innerText()), "its state");
  const ok = await token(s, "--ok");
  assert.equal((await about(s, "cy"))[ok] ?? 0, 0, "no lamp yet");
  await s.page.keyboard.press("c");
  await s.sees(async () => /as soon as time runs/.test(await bar(s).innerText()), "what happens next");
  await s.runTo(1.4);
  await s.sees(async () => ((await status(s, "cy")) & CHECKED_IN) !== 0, "check-in");
  await s.sees(async () => /Checked in\s+since 1\.0/.test(await bar(s).innerText()), "since when");
  assert.equal(await bar(s).getAttribute("data-state"), "in");
  assert.ok(((await about(s, "cy"))[ok] ?? 0) > 5, "its lamp is drawn");
  await s.page.getByRole("button", { name: "Check out" }).click();
  await s.sees(async () => (await s.ask("log", { world: 0 })).entries.length === 2, "the command");
  await s.runTo(1.8);
  await s.sees(async () => /Not checked in/.test(await bar(s).innerText()), "checked out");
  await s.until(
    (a) => a.worlds[0].vehicles.every((v) => !v.checked_in),
    "the description of the world, which says so, too",
  );
});

await test("a rejected check-in says why, in a message and in the form", beside, async (s) => {
  await s.runTo(1);
  await select(s, "ann");
  await s.ask("fault", { world: 0, vehicle: "ann", event: "brake_lost", value: 0.5 });
  await s.runTo(1.4);
  await s.page.getByRole("button", { name: "Check in" }).click();
  await s.sees(async () => (await s.ask("log", { world: 0 })).entries.length === 2, "the command");
  await s.runTo(1.8);
  await s.sees(async () => /^Ann is not checked in: its brakes are faulty/.test(await s.toast()), "the message");
  await s.sees(async () => /Check-in rejected at 1\.4\d s: its brakes are faulty\./.test(await bar(s).innerText()));
});

await test("a driver who enters an automated lane without check-in flashes", beside, async (s) => {
  await s.runTo(1);
  await select(s, "ann");
  await s.page.keyboard.press("Shift+ArrowUp");
  const [sent] = await s.sees(async () => {
    const { entries } = await s.ask("log", { world: 0 });
    return entries.length === 1 && entries;
  }, "the command");
  assert.deepEqual([sent.event, sent.value], ["driver_lane", 1]);
  await s.runTo(4);
  await s.sees(async () => ((await status(s, "ann")) & FLASHES) !== 0, "it flashes");
  await s.sees(async () => /Not checked in\s+in automated lane 1/.test(await bar(s).innerText()), "the words");
  assert.equal(await bar(s).getAttribute("data-state"), "flash");
  assert.ok(yellow(await about(s, "ann")) > 100, "its ring is drawn");
});

await test("a car in the blind spot is shown as a wedge and in words", beside, async (s) => {
  await s.runTo(1);
  await select(s, "ann");
  await s.sees(async () => /Blind spot: right/.test(await bar(s).innerText()), "the words");
  await select(s, "cy");
  await s.sees(async () => !(await s.page.locator(".ci-blind").isVisible()), "none beside cy");
  assert.ok(yellow(await about(s, "ann", 60)) > 100, "the wedge is drawn");
  assert.equal(yellow(await about(s, "cy")), 0);
});

await test("the Road panel switches the ERSC on", without, async (s) => {
  await s.runTo(1);
  assert.equal(await s.page.locator(".er").isVisible(), false);
  await s.app((a) => a.layout.set({ panel: "road" }));
  await s.page.locator(".aside").getByRole("button", { name: "Level 2" }).click();
  await s.sees(async () => await s.page.locator(".er").isVisible(), "the line above the road");
  await s.sees(async () => (await level(s)) === "2", "its level");
});
await test(
  "a road of two lanes cannot have the ERSC, and the page says why",
  { scenario: "manoeuvres.yaml" },
  async (s) => {
    await s.runTo(1);
    await s.page.keyboard.press("Alt+1");
    await s.sees(async () => /needs a road with at least 3 lanes/.test(await s.toast()), "the reason");
    assert.equal(await s.page.locator(".er").isVisible(), false);
  },
);

await test("a platoon splits and merges by the form of a car", { scenario: "manoeuvres.yaml" }, async (s) => {
  await s.runTo(2);
  await select(s, "car3");
  await s.page.getByRole("tab", { name: "Car" }).click();
  await s.page.getByRole("button", { name: "Split here" }).click();
  await s.sees(async () => (await s.ask("log", { world: 0 })).entries.length === 1, "the command");
  await s.runTo(2.4);
  await s.until((a) => a.worlds[0].platoons.length === 2, "two platoons");
  await s.page.getByRole("button", { name: "Merge with the one in front" }).click();
  await s.sees(async () => (await s.ask("log", { world: 0 })).entries.at(-1)?.event === "merge", "the command");
  await s.app((a) => a.select(0, "behind"));
  await s.page.getByRole("button", { name: "Join platoon 1" }).waitFor();
});

await test("on a phone the levels fit, and the functions unfold", { ...ersc, width: 390, height: 844 }, async (s) => {
  await s.runTo(1);
  assert.equal(await s.page.locator(".er-list").isVisible(), false);
  await s.page.getByRole("button", { name: "Functions of the level" }).click();
  await s.sees(async () => await s.page.locator(".er-list").isVisible(), "the functions");
  const box = await s.page.locator(".er").boundingBox();
  assert.ok(box.x >= 0 && box.x + box.width <= 390, JSON.stringify(box));
  const wide = await s.page.evaluate(() =>
    [...document.querySelectorAll(".er button, .er li")].every((e) => e.getBoundingClientRect().right <= 390),
  );
  assert.ok(wide, "nothing runs out of the window");
});

for (const theme of ["light", "dark"])
  await test(
    `axe finds nothing in the levels and in the form of a flashing car, ${theme}`,
    { ...ersc, theme },
    async (s) => {
      await s.runTo(10);
      await select(s, "bob");
      await s.sees(async () => (await bar(s).getAttribute("data-state")) === "flash", "it flashes");
      for (const part of [".er", ".aside"]) await s.accessible(part, part);
    },
  );

await finish();
rmSync(folder, { recursive: true });
