// docs/tutorial-lanes.md, step by step, by mouse and keyboard only: a car merges, the driver takes the wheel, two gains
// of the steering law are compared. The page is asked for what it shows, never told what to do.
import { readFileSync } from "node:fs";
import { assert, finish, root, test } from "./studio.mjs";

const text = readFileSync(`${root}/docs/tutorial-lanes.md`, "utf8");

async function place(s, t) {
  const box = await s.page.locator(".tl-canvas").boundingBox();
  const [from, to] = await s.app(() => {
    const c = document.querySelector(".tl-canvas").tracks;
    return [c.from, c.to];
  });
  return { x: box.x + 150 + ((t - from) / (to - from)) * (box.width - 214), y: box.y + 10 };
}
async function dragFlag(s, t) {
  await s.frames();
  const from = await place(s, await s.app((a) => a.clock.t));
  const to = await place(s, t);
  await s.page.mouse.move(from.x, from.y);
  await s.page.mouse.down();
  await s.page.mouse.move(to.x, to.y, { steps: 12 });
  await s.page.mouse.up();
  await s.until((a, q) => Math.abs(a.clock.t - q) < 0.5 && a.frame(0).exact, `the exact state at ${t} s`, t);
}
const stop = async (s) => {
  await s.page.keyboard.press("Space");
  await s.until(
    (a) => !a.clock.playing && !a.load.running && Math.abs(a.clock.t - a.load.live) < 1e-9,
    "the simulation to rest",
  );
};
const offset = (s) =>
  s.app((a) => {
    const f = a.frame(0);
    return f.field("y")[f.index(a.world(0).vehicles.find((v) => v.name === "guest").id)] + 3.6;
  });
// When the car of a world is within 10 cm of the middle of lane 2 for good, after t.
async function backAt(s, world, t, to) {
  const a = await s.ask("series", { worlds: [world], vehicles: ["guest"], fields: ["y"], from: t, to, points: 2000 });
  const y = a.values[`${world}/guest/y`];
  let k = y.length;
  while (k > 0 && Math.abs(y[k - 1] + 3.6) < 0.1) k--;
  assert.ok(k > 0 && k < y.length, `world ${world} never left, or never came back: ${y.length} rows`);
  return a.t[k];
}

await test(
  "the tutorial of lanes: merge, take the wheel, two gains",
  { scenario: "merge.yaml", playing: true },
  async (s) => {
    // 2. Watch the merge.
    await s.page.locator(".in-cars").getByRole("button", { name: "guest" }).click();
    await s.page.getByRole("tab", { name: "Lateral" }).click();
    for (let k = 0; k < 3; k++) await s.page.keyboard.press("]");
    await s.until((a) => a.clock.t >= 30, "half a minute", null, 60000);
    await stop(s);
    await dragFlag(s, 21);
    const plan = s.page.locator(".la-plan");
    await s.sees(async () =>
      assert.match(await plan.locator("h4").innerText(), /Lane change 3 → 2\s+\d+ % of 6\.00 s/),
    );
    const said = /(\d\.\d\d) m\/s², its largest jerk\s+(\d\.\d\d) m\/s³/.exec(text);
    assert.deepEqual((await plan.locator("dd b").allInnerTexts()).slice(0, 2), [said[1], said[2]]);
    assert.match(await plan.locator("dl").innerText(), /car3 \/ car4/);
    assert.equal(await s.page.locator(".la-who").innerText(), "law steers: lqr");
    // 3. Take the wheel.
    await s.page.keyboard.press("End");
    await s.page.keyboard.press("\\");
    const began = await s.app((a) => a.clock.end);
    await s.page.keyboard.press("d");
    await s.page.locator(".dr-wheel").waitFor();
    await s.page.keyboard.press("ArrowLeft", { delay: 150 });
    await s.until((a) => (a.frame(0).status[8] & 2) === 2, "the car to be in our hands");
    assert.equal(await s.page.locator(".dr-hands").innerText(), "you steer");
    await s.sees(async () => Math.abs(await offset(s)) > 0.3, "the car to leave the middle of its lane");
    await s.page.keyboard.press("Escape");
    await s.sees(async () => assert.equal(await s.page.locator(".la-who").innerText(), "law steers: lqr"));
    const over = await s.app((a) => a.clock.end);
    await s.until((a, t) => a.clock.t > t + 10, "ten seconds", over, 60000);
    await stop(s);
    // 4. Another gain.
    assert.ok(began > 29.5, `the wheel was taken at ${began} s`);
    await dragFlag(s, 29);
    const field = s.page.locator('.la .fo-field[data-param="weight_steer"] .fo-number').first();
    await s.sees(async () => assert.equal(Number(await field.inputValue()), 400));
    await field.fill("100000");
    await field.press("Enter");
    await s.until(
      (a) => a.worlds.length === 2 && a.worlds[1].end >= a.worlds[0].end - 0.1,
      "the branch at the live end",
      null,
      60000,
    );
    // 5. Compare both.
    await s.page.getByRole("button", { name: "Add an instrument" }).click();
    await s.page.getByRole("menuitem", { name: "Plot" }).click();
    for (const [label, value] of [
      ["Quantity", { label: "Lateral position, m" }],
      ["Cars", "guest"],
    ]) {
      await s.page.locator(".cd-is-plot .cd-choice").click();
      await s.page.getByRole("dialog").getByLabel(label, { exact: true }).selectOption(value);
      await s.page.keyboard.press("Escape");
    }
    await s.sees(async () =>
      assert.match(await s.page.locator(".cd-is-plot .cd-choice").innerText(), /Lateral position/),
    );
    await s.sees(async () => {
      const chip = await s.page.locator(".cd-is-plot .pl-chip").innerText();
      assert.match(chip, /^guest −3\.\d+ m$/); // the middle of lane 2 is 3.6 m to the right of that of lane 1
    });
    const end = await s.app((a) => Math.min(...a.worlds.map((w) => w.end)));
    const [a, b] = [await backAt(s, 0, began, end), await backAt(s, 1, began, end)];
    assert.ok(b - over > 1.3 * (a - over), `the new gain is not slower: ${a - over} and ${b - over} s after the hands`);
    console.log(`          back after ${(a - over).toFixed(1)} and ${(b - over).toFixed(1)} s`);
    if (process.env.SHOTS) await s.shot(`${process.env.SHOTS}/tutorial-lanes.png`);
  },
);

await finish();
