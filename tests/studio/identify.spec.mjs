// The identification bench: its numbers are those of `motorcade identify`; its marks are the bounds.
import { execFileSync } from "node:child_process";
import { assert, finish, root, test } from "./studio.mjs";

const program = process.env.MOTORCADE ?? `${root}/build/motorcade`;
const two = { scenario: "two_gains.yaml" };
const open = (s) => s.page.getByRole("button", { name: "Identify" }).click();
const setTo = async (s, label, value) => {
  const f = s.page.getByRole("textbox", { name: new RegExp(`^${label}, `) });
  await f.fill(String(value));
  await f.press("Enter");
};
const result = (s) => s.page.locator(".id-result").innerText();
const until = (s, good, what) => s.sees(good, what, 15000);
// Moves the bench's own playhead by a click on the plot.
async function at(s, share) {
  const box = await s.page.locator(".id-mass canvas").boundingBox();
  const left = 50;
  const right = box.width - 98;
  await s.page.mouse.click(box.x + left + share * (right - left), box.y + box.height / 2);
  await s.frames();
}

await test("the estimate and its band are those of motorcade identify", two, async (s) => {
  await open(s);
  await until(s, async () => /mass/.test(await result(s)), "the first run");
  await at(s, 1);
  const text = execFileSync(program, ["identify", "--every", "65"], { encoding: "utf8" });
  const want = /mass ([\d.]+) kg \+- ([\d.]+) kg/.exec(text);
  const squares = / squares: ([\d.]+) kg \+- ([\d.]+) kg/.exec(text);
  const got = /mass ([\d]+) kg ± ([\d]+) kg \(95 %\)/.exec(await result(s));
  const other = /least squares ([\d]+) kg ± ([\d]+) kg/.exec(await result(s));
  assert.ok(got && other, await result(s));
  assert.ok(Math.abs(got[1] - want[1]) <= 0.6 && Math.abs(got[2] - want[2]) <= 1.5, `${got} against ${want}`);
  assert.ok(
    Math.abs(other[1] - squares[1]) <= 0.6 && Math.abs(other[2] - squares[2]) <= 1.5,
    `${other} against ${squares}`,
  );
  assert.match(await result(s), /within 2 % since [\d.]+ s/);
});

await test("the lamp is on only while car 2 brakes", two, async (s) => {
  await open(s);
  await until(s, async () => /mass/.test(await result(s)), "the first run");
  const rows = await s.app(async (a) => (await a.ask("identify", { params: {} })).rows);
  for (const share of [0.1, 0.25, 0.5, 0.62, 0.8]) {
    await at(s, share);
    const t = Number(/([\d.]+) s/.exec(await s.page.locator(".id-clock").innerText())[1]);
    let k = 0;
    while (k + 1 < rows.t.length && rows.t[k + 1] <= t + 0.05) k++;
    assert.equal(/identifying/.test(await s.page.locator(".id-lamp").innerText()), rows.braking[k] > 0, `at ${t} s`);
  }
});

await test("both bounds of the gains are marked where they are, and crossing them is told", two, async (s) => {
  await open(s);
  await until(s, async () => (await s.page.locator(".id-verdict").innerText()).includes("proven safe"), "the verdict");
  const bounds = await s.app(async (a) => (await a.ask("identify", { params: {} })).bounds);
  const rail = s.page.locator(".bf-row", { hasText: "γ2" }).locator(".bf-rail");
  const box = await rail.boundingBox();
  const where = (value) => box.x + 6 + (Math.log(value / 1e-12) / Math.log(1e-8 / 1e-12)) * (box.width - 12);
  const mark = await rail.locator(".id-mark").boundingBox();
  const hatch = await rail.locator(".id-hatch").boundingBox();
  assert.ok(Math.abs(mark.x + mark.width / 2 - where(1e-6 * bounds.safe)) < 1.5, "the mark of the safe gain");
  assert.ok(Math.abs(hatch.x - where(1e-6 * bounds.convergent)) < 1.5, "the start of the hatched part");
  assert.ok(Math.abs(1 / bounds.convergent - 1839.317 * 1.25) < 1, "1/(M0 (k1 + k2 h))");
  assert.ok(Math.abs(1 / bounds.safe - (5 * 2000 + 1839.317 * 1.25)) < 1, "1/(5 M + M0 (k1 + k2 h))");
  await setTo(s, "γ2", "2e-10");
  await until(
    s,
    async () => /converges, not proven safe/.test(await s.page.locator(".id-verdict").innerText()),
    "the middle verdict",
  );
  await setTo(s, "γ2", "9e-10");
  await until(
    s,
    async () =>
      /no convergence/.test(
        await s.page
          .locator(".id-verdict .cd-bad")
          .innerText()
          .catch(() => ""),
      ),
    "the last verdict",
  );
  await at(s, 0.9999);
  await s.sees(async () => assert.match(await result(s), /no claim/));
});

await test("Brake 3 s brakes the leaders for 3 s and the observer works in them", two, async (s) => {
  await open(s);
  await until(s, async () => /mass/.test(await result(s)), "the first run");
  await s.app((a) => {
    const ask = a.ask.bind(a);
    window.hands = [];
    a.ask = (k, q) => {
      if (k === "identify") window.hands.push(q.hands ?? null);
      return ask(k, q);
    };
  });
  await s.page.getByRole("button", { name: "Brake 3 s" }).click();
  await until(s, async () => /identifying/.test(await s.page.locator(".id-lamp").innerText()), "the lamp");
  await until(s, async () => !/identifying/.test(await s.page.locator(".id-lamp").innerText()), "the end of braking");
  const hands = await s.page.evaluate(() => window.hands.filter((h) => h).pop());
  assert.ok(
    hands.length >= 3 && Math.abs(hands[2].t - hands[1].t - 3) < 1e-9 && hands[1].acceleration === -1.2,
    JSON.stringify(hands),
  );
  // Heavier now: the next braking finds it.
  const clock = async () => Number(/([\d.]+) s/.exec(await s.page.locator(".id-clock").innerText())[1]);
  await setTo(s, "deceleration", 4);
  for (let k = 0; k < 2; k++) {
    if (k === 0)
      // Both at one instant of the bench, whose time waits for an answer: neither is lost.
      await s.page.evaluate(() => {
        const mass = document.querySelector('input[aria-label^="true mass, "]');
        mass.value = "2600";
        mass.dispatchEvent(new Event("change"));
        [...document.querySelectorAll("button")].find((b) => b.textContent === "Brake 3 s").click();
      });
    else await s.page.getByRole("button", { name: "Brake 3 s" }).click();
    const began = await clock();
    await until(s, async () => (await clock()) > began + 4, "the end of braking");
  }
  await s.sees(async () => {
    const found = Number(/least squares (\d+) kg/.exec(await result(s))?.[1] ?? NaN);
    assert.ok(Math.abs(found - 2600) < 60, await result(s));
  });
});

await test(
  "the bench says that its clock is not that of the worlds, and the timeline does not move it",
  two,
  async (s) => {
    await s.runTo(8);
    await open(s);
    await until(s, async () => /mass/.test(await result(s)), "the first run");
    assert.match(await s.page.locator(".id-bar").innerText(), /bench time\s*[\d.]+ s/);
    assert.match(
      await s.page.locator(".id-about").innerText(),
      /clock of its own, 0 to 65 s; the timeline below is that of the worlds.*estimator/,
    );
    await at(s, 0.5);
    const time = await s.page.locator(".id-clock").innerText();
    await s.seek(3);
    assert.equal(await s.page.locator(".id-clock").innerText(), time);
  },
);

await test("the pedal works while it is held, by mouse and by keyboard", { ...two, playing: true }, async (s) => {
  await open(s);
  await until(s, async () => /mass/.test(await result(s)), "the first run");
  const brake = s.page.getByRole("button", { name: "Brake", exact: true });
  await brake.hover();
  await s.page.mouse.down();
  await until(s, async () => /identifying/.test(await s.page.locator(".id-lamp").innerText()), "the lamp");
  await s.page.mouse.up();
  assert.equal(await brake.getAttribute("aria-pressed"), "false");
  await until(s, async () => !/identifying/.test(await s.page.locator(".id-lamp").innerText()), "the end of braking");
  await brake.focus();
  await s.page.keyboard.down(" ");
  await until(s, async () => /identifying/.test(await s.page.locator(".id-lamp").innerText()), "the lamp again");
  await s.page.keyboard.up(" ");
  assert.equal(await s.app((a) => a.clock.playing), true, "Space went to the page's clock");
});

await test("a value out of range is rejected at the field and not sent", two, async (s) => {
  await open(s);
  await until(s, async () => /mass/.test(await result(s)), "the first run");
  const f = s.page.getByRole("textbox", { name: /^true mass, / });
  await f.fill("5");
  await f.press("Enter");
  assert.equal(await f.getAttribute("aria-invalid"), "true");
  assert.match(await f.getAttribute("title"), /^100 to 100000 kg/);
  await f.fill("5000 lb");
  await f.press("Enter");
  await until(
    s,
    async () => Number(await f.inputValue()) > 2267 && Number(await f.inputValue()) < 2269,
    "pounds as kilograms",
  );
});

await finish();
