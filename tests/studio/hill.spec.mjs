// The grade strip: hills drawn from the road, made by a drag, typed, removed; the window travels.
import { assert, finish, test } from "./studio.mjs";

const two = { scenario: "two_gains.yaml" };
const strip = (s) => s.page.locator(".sc-grade canvas");
// px in the strip of a place along the road.
const px = (s, x) =>
  s.app((a, m) => {
    const g = a.scene.grade;
    return g.px(m);
  }, x);
const last = (s) => s.app((a) => a.worlds.at(-1).road.grades);
async function stopped(s, t = 5) {
  await s.runTo(t + 0.3);
  await s.seek(t);
  await s.frames();
}

await test("the profile is the road's height and the grades carry their percents", two, async (s) => {
  await stopped(s);
  const seen = await s.app((a) => {
    const c = document.querySelector(".sc-grade canvas").getContext("2d");
    const texts = [];
    const old = c.fillText;
    c.fillText = function (t, x) {
      texts.push([t, x]);
      return old.apply(this, arguments);
    };
    return new Promise((done) => {
      a.emit("layout");
      window.drawn().then(() => {
        c.fillText = old;
        done(texts);
      });
    });
  });
  for (const [text, middle] of [
    ["+3.0 %", 1000],
    ["−3.0 %", 1900],
    ["+2.0 %", 5500],
    ["−2.0 %", 7500],
  ]) {
    const at = await px(s, middle);
    const found = seen.find((t) => t[0] === text);
    assert.ok(found && Math.abs(found[1] - at) < 12, `${text} at ${middle} m: ${JSON.stringify(found)}`);
  }
  // Heights as drawn against the server's profile: scale from two points, a third must fit.
  const h = await s.app((a) => {
    const g = a.scene.grade;
    const p = a.worlds[0].road.profile;
    const z = (x) => {
      const u = (x - p.from) / p.step;
      const k = Math.floor(u);
      return p.z[k] + (u - k) * (p.z[k + 1] - p.z[k]);
    };
    const n = g.z.length;
    const at = (x) => g.z[Math.round(((x - g.range[0]) / (g.range[1] - g.range[0])) * (n - 1))];
    return [1450, 1000, 1900, 6500].map((x) => [z(x) - z(0), at(x) - at(0)]);
  });
  for (const [server, page] of h) assert.ok(Math.abs(server - page) < 0.7, JSON.stringify(h)); // a point every 25 m
});

await test.core(
  "a drag upwards on free road makes a hill of 0.1 % per pixel; the world branches, the main one keeps its road",
  two,
  async (s) => {
    await stopped(s, 5);
    const box = await strip(s).boundingBox();
    const x = await px(s, 3500);
    await s.page.mouse.move(box.x + x, box.y + 30);
    await s.page.mouse.down();
    await s.page.mouse.move(box.x + x, box.y + 20, { steps: 3 });
    await s.page.mouse.move(box.x + x, box.y - 10, { steps: 3 });
    await s.page.mouse.up();
    await s.until((a) => a.worlds.length > 1, "the branch");
    await s.until((a) => a.worlds.at(-1).road.grades.some((g) => g.from < 3500 && g.to > 3500), "its hill");
    const hill = (await last(s)).find((g) => g.from < 3500 && g.to > 3500);
    assert.ok(Math.abs(100 * Math.tan(hill.grade) - 4) < 0.15, `40 px are 4 %, got ${100 * Math.tan(hill.grade)}`);
    assert.equal((await s.app((a) => a.worlds[0].road.grades)).length, 4, "the main world keeps its road");
  },
);

await test("handles move a hill's end, its form takes typed values and rejects what does not fit", two, async (s) => {
  await stopped(s, 5);
  const box = await strip(s).boundingBox();
  const mid = await px(s, 5500);
  await s.page.mouse.dblclick(box.x + mid, box.y + 25);
  const form = s.page.locator(".gr-form");
  await form.waitFor();
  assert.equal(await form.locator("[name=grade]").inputValue(), "2.0 %");
  assert.equal(await form.locator("[name=from]").inputValue(), "5000 m");
  await form.locator("[name=grade]").fill("5 %");
  await s.page.keyboard.press("Enter");
  await s.until(
    (a) => a.worlds.at(-1).road.grades.some((g) => g.from === 5000 && Math.abs(100 * Math.tan(g.grade) - 5) < 1e-6),
    "5 %",
  );
  const worlds = await s.app((a) => a.worlds.length);
  await form.locator("[name=from]").fill("2000 m");
  await s.page.keyboard.press("Enter");
  await s.sees(async () =>
    assert.equal(
      await form.locator("[name=from]").getAttribute("aria-invalid"),
      "true",
      "it would overlap the hill that ends at 2200 m",
    ),
  );
  await form.locator("[name=from]").fill("4800 m");
  await s.page.keyboard.press("Enter");
  await s.until((a) => a.worlds.at(-1).road.grades.some((g) => g.from === 4800), "the new start");
  await s.until((a, n) => a.worlds.length === n, "one branch for all that is typed", worlds);
  await s.frames();
  const end = await px(s, 6000);
  const to = await px(s, 6400);
  await s.page.mouse.move(box.x + end, box.y + 25);
  await s.page.mouse.down();
  await s.page.mouse.move(box.x + to, box.y + 25, { steps: 5 });
  await s.page.mouse.up();
  await s.until(
    (a) => a.worlds.at(-1).road.grades.some((g) => g.from === 4800 && Math.abs(g.to - 6400) < 30),
    "the end at 6400 m",
  );
  const kept = (await last(s)).find((g) => g.from === 4800);
  assert.ok(Math.abs(100 * Math.tan(kept.grade) - 5) < 1e-6, "what was typed before is kept");
});

await test("a hill taken while the last change is under way is taken as it was drawn", two, async (s) => {
  await stopped(s, 5);
  const box = await strip(s).boundingBox();
  await s.page.mouse.dblclick(box.x + (await px(s, 5500)), box.y + 25);
  const form = s.page.locator(".gr-form");
  await form.locator("[name=grade]").fill("5 %");
  await s.page.keyboard.press("Enter");
  await s.until((a) => a.worlds.length === 2, "the branch");
  await s.frames();
  const [end, to] = [await px(s, 6000), await px(s, 6400)];
  // The answers are held back until the end of the hill is in the hand.
  await s.page.evaluate(() => {
    const a = window.motorcade;
    const ask = a.ask.bind(a);
    const free = new Promise((go) => (window.free = go));
    a.ask = (kind, args) => ask(kind, args).then((r) => (kind === "grades" ? free.then(() => r) : r));
  });
  await form.locator("[name=from]").fill("4800 m");
  await s.page.keyboard.press("Enter");
  await s.until((a) => a.worlds.at(-1).road.grades.some((g) => g.from === 4800), "the new start");
  await s.ask("worlds", { op: "rename", world: await s.app((a) => a.worlds.at(-1).world), name: "Hill" });
  await s.until((a) => a.worlds.at(-1).name === "Hill", "news of the world, such as come at any time");
  await s.page.mouse.move(box.x + end, box.y + 25);
  await s.page.mouse.down();
  await s.page.evaluate(() => window.free());
  await s.page.mouse.move(box.x + to, box.y + 25, { steps: 5 });
  await s.page.mouse.up();
  await s.until(
    (a) => a.worlds.at(-1).road.grades.some((g) => g.from === 4800 && Math.abs(g.to - 6400) < 30),
    "the end at 6400 m and the start that was typed",
  );
  assert.equal(await s.app((a) => a.worlds.length), 2, "one branch for all of it");
});

await test("Remove takes a hill away, Undo brings it back", two, async (s) => {
  await stopped(s, 5);
  const box = await strip(s).boundingBox();
  await s.page.mouse.dblclick(box.x + (await px(s, 7500)), box.y + 25);
  await s.page.locator(".gr-form button").click();
  await s.until((a) => a.worlds.at(-1).road.grades.length === 3, "three hills");
  await s.app((a) => a.run("undo"));
  await s.until((a) => a.worlds.at(-1).road.grades.length === 4, "four hills again");
});

await test("the window is dragged along the road and the scene travels there", two, async (s) => {
  await stopped(s, 5);
  const box = await strip(s).boundingBox();
  const [from, to] = await s.app((a) => a.scene.view.window(0));
  const x = await px(s, (from + to) / 2);
  const goal = await px(s, 3000);
  await s.page.mouse.move(box.x + x, box.y + 25);
  await s.page.mouse.down();
  await s.page.mouse.move(box.x + goal, box.y + 25, { steps: 6 });
  await s.page.mouse.up();
  await s.frames();
  assert.equal(await s.app((a) => a.reference), "road");
  const [f2, t2] = await s.app((a) => a.scene.view.window(0));
  assert.ok(f2 < 3000 && t2 > 3000 && Math.abs(t2 - f2 - (to - from)) < 1e-6, `${f2} .. ${t2}`);
});

await finish();
