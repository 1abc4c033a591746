// docs/tutorial.md, step by step, by mouse and keyboard only: from the first page to two gains on one
// clock. The page is asked for what it shows, never told what to do.
import { readFileSync } from "node:fs";
import { assert, finish, root, test } from "./studio.mjs";

const text = readFileSync(`${root}/docs/tutorial.md`, "utf8");

// Where an instant stands on the timeline, in page coordinates.
async function place(s, t) {
  const box = await s.page.locator(".tl-canvas").boundingBox();
  const [from, to] = await s.app(() => {
    const c = document.querySelector(".tl-canvas").tracks;
    return [c.from, c.to];
  });
  return { x: box.x + 150 + ((t - from) / (to - from)) * (box.width - 214), y: box.y + 10 };
}
// The maximum |error| of a world's cars from 58 to 62 s, m.
async function worst(s, world) {
  const vehicles = await s.app((a, w) => a.world(w).vehicles.map((v) => v.name), world);
  const fields = ["spacing_error"];
  const a = await s.ask("series", { worlds: [world], vehicles, fields, from: 58, to: 62, points: 200 });
  return Math.max(...Object.values(a.values).flat().map(Math.abs).filter(Number.isFinite));
}

await test.core(
  "the tutorial: go back, change a gain, see both on one clock",
  { hints: true, playing: true },
  async (s) => {
    const began = Date.now();
    let hands = 0;
    const press = async (key) => {
      hands++;
      await s.page.keyboard.press(key);
    };
    // 2. Let it run, then stop time.
    for (let k = 0; k < 3; k++) await press("]");
    assert.equal(await s.app((a) => a.clock.rate), 10);
    await s.until((a) => a.clock.t >= 60, "a minute of driving", null, 60000);
    await press("Space");
    assert.equal(await s.app((a) => a.clock.playing), false);
    await s.until((a) => !a.load.running && Math.abs(a.clock.t - a.load.live) < 1e-9, "the simulation to rest");
    await s.frames();
    // 3. Go back: the black flag is dragged.
    const now = await s.app((a) => a.clock.t);
    const flag = await place(s, now);
    const to = await place(s, 38);
    hands++;
    await s.page.mouse.move(flag.x, flag.y);
    await s.page.mouse.down();
    await s.page.mouse.move(to.x, to.y, { steps: 12 });
    await s.page.mouse.up();
    await s.until((a) => Math.abs(a.clock.t - 38) < 0.5 && a.frame(0).exact, "the exact state at 38 s");
    // 4. Change a gain.
    const field = s.page.locator('.inspector .fo-field[data-param="k3"] .fo-number').first();
    await s.sees(async () => assert.equal(Number(await field.inputValue()), 4));
    hands++;
    await field.fill("1.6");
    await field.press("Enter");
    await s.until(
      (a) => a.worlds.length === 2 && a.worlds[1].end >= a.worlds[0].end - 0.1,
      "the branch at the live end",
      null,
      60000,
    );
    await s.page
      .locator(".inspector")
      .filter({ hasText: /Amplifies disturbances/ })
      .first()
      .waitFor(); // its own request
    assert.ok(Math.abs((await s.app((a) => a.worlds[1].fork)) - 38) < 0.5);
    // 5. Watch both.
    await press("Space");
    await s.until((a) => a.clock.t >= 62 && a.worlds.every((w) => w.end > 62), "both to drive on", null, 60000);
    const [a, b] = [await worst(s, 0), await worst(s, 1)];
    assert.ok(b > 2 * a, `the errors of the new gain do not grow: ${a} and ${b} m`);
    const label = await s.sees(async () => {
      const text = await s.page.locator(".cd-is-string .ch-face").getAttribute("aria-label");
      assert.match(text, /B: peak ([\d.]+) at ([\d.]+) rad\/s/);
      return text;
    });
    const peak = /B: peak ([\d.]+) at ([\d.]+) rad\/s/.exec(label);
    const said = /rises to ([\d.]+) at ([\d.]+) rad\/s/.exec(text);
    assert.ok(
      Math.abs(Number(peak[1]) - Number(said[1])) < 0.006 && Math.abs(Number(peak[2]) - Number(said[2])) < 0.006,
      `${label} against ${said[0]}`,
    );
    const took = (Date.now() - began) / 1000;
    // With a minute for the build, 200 words read a minute and 4 s for each thing to do it is three
    // minutes at most; the simulation at 10 x and the branch are what was not waited for by reading.
    const words = text.slice(text.indexOf("## 1."), text.indexOf("In the orange one")).split(/\s+/).length;
    assert.ok(60 + (words / 200) * 60 + 4 * hands <= 180, `${words} words, ${hands} things to do`);
    console.log(`          ${words} words, ${hands} things to do; the page took ${took.toFixed(0)} s for them`);
  },
);

await finish();
