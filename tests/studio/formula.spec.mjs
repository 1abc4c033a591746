// A user-defined law, typed while the platoon drives.
import { assert, finish, test } from "./studio.mjs";
import { choose, replayed, type } from "./inspect.mjs";

const two = { scenario: "two_gains.yaml" };
const LAW = "kp := 0.3 [1/s^2]\nkv := 0.9 [1/s]\nerror = gap - distance - headway*v\na = kp*error + kv*(v_front - v)";

async function edit(s) {
  await choose(s, "car3", "Controller");
  await s.page.getByRole("button", { name: "Edit as formula" }).click();
  return s.page.locator("textarea.fm-area");
}

await test.core(
  "an error is underlined at its column and the old law drives on; Ctrl Enter swaps; new names are sliders",
  two,
  async (s) => {
    await s.live(1);
    const area = await edit(s);
    assert.match(await area.inputValue(), /k1 := 0\.8 \[1\/s\^3\][\s\S]*desired' = /);
    await area.fill(LAW.replace("v_front", "v_frnt"));
    await s.page.locator(".fm-wavy").waitFor();
    assert.deepEqual(
      await s.page.locator(".fm-wavy").evaluate((e) => [e.textContent, e.dataset.line, e.dataset.column]),
      ["v_frnt", "4", String("a = kp*error + kv*(".length + 1)],
    );
    await s.sees(async () => assert.match(await s.page.locator(".fm-message").innerText(), /Line 4: .*v_front/));
    await area.press("Control+Enter");
    await s.page.waitForTimeout(300);
    assert.equal(await s.app((a) => a.world(0).controllers[0].law), "platoon");
    assert.match(await s.page.locator(".fm-running").innerText(), /version 1/);
    await area.fill(LAW);
    await s.until(() => /Valid/.test(document.querySelector(".fm-message").textContent), "the law to be valid");
    await area.press("Control+Enter");
    await s.until((a) => a.world(0).controllers[0].own, "the new law to drive");
    await s.until(() => /version 2/.test(document.querySelector(".fm-running").textContent), "version 2");
    await s.sees(async () =>
      assert.deepEqual(
        await s.page.locator("#in-panel .la-gains .fo-field").evaluateAll((l) => l.map((f) => f.dataset.param)),
        ["kp", "kv"],
      ),
    );
    await type(s.page.locator('#in-panel .la-gains [data-param="kp"]'), "0.5");
    await s.until((a) => a.world(0).controllers[0].gains.kp === 0.5, "kp = 0.5");
    await s.page.getByRole("combobox", { name: "versions of this law" }).selectOption({ index: 0 });
    await s.sees(async () =>
      assert.match(await s.page.locator(".fm-changes").innerText(), /^- kp := 0\.5[\s\S]*\+ k1 := 0\.8/m),
    );
    await s.until((a) => a.events(0).some((e) => e.type === "edit"), "the flag of the swap on the timeline");
    await s.live(3);
    const worst = await replayed(s, 0, "two_gains.yaml");
    assert.ok(worst < 1e-5, `the log gives other speeds, by ${worst} m/s`);
  },
);

const WRONG = [
  "a = ",
  "b = 1",
  "a = v",
  "a = kp*gap",
  "a == 3",
  "3 = a",
  "a = (v_front - v",
  "a = sqrt(-",
  "k := x\na = 0",
  "a = 1 [furlong]",
  "z' = gap [m]\na = z",
  "a = gap; v",
];
await test("invalid laws: each is rejected with its line, none drives", two, async (s) => {
  await s.live(1);
  const area = await edit(s);
  for (const text of WRONG) {
    // Else the message of the text before would do.
    await s.page.evaluate(() => {
      document.querySelector(".fm-message").className = "fm-message";
      document.querySelector(".fm-use").disabled = false;
    });
    await area.fill(text);
    await s.until(
      () => document.querySelector(".fm-message.bad") && document.querySelector(".fm-use").disabled,
      `a rejection of "${text}"`,
    );
    assert.match(await s.page.locator(".fm-message").innerText(), /^Line \d+: ./, text);
  }
  assert.equal((await s.ask("log", { world: 0 })).entries.length, 0);
  assert.equal(await s.app((a) => a.world(0).state), "running");
});

await test("names are completed with their units; Escape closes", two, async (s) => {
  await s.live(1);
  const area = await edit(s);
  await area.fill("a = 0.5 [1/s]*(");
  await area.press("End");
  await area.pressSequentially("v_fr");
  assert.match(await s.page.locator(".fm-names li").first().innerText(), /v_front.*m\/s/);
  await area.press("Tab");
  assert.match(await area.inputValue(), /\(v_front$/);
  await area.press("Escape");
  assert.equal(await s.page.locator("textarea.fm-area").count(), 0);
  assert.equal(await s.page.locator(".la-equation").count(), 1);
});

await test(
  "a law that does not return a number is undone, time stops there, and its inputs are named",
  two,
  async (s) => {
    await s.live(1);
    const area = await edit(s);
    await area.fill("kv := 0.9 [1/s]\na = kv*(v_front - v) + 1 [m/s^2]*sqrt(16 - (v/(1 [m/s])))"); // no root above 16 m/s
    await s.until(() => /Valid/.test(document.querySelector(".fm-message").textContent), "the law to be valid");
    await area.press("Control+Enter");
    await s.until(
      () =>
        /no finite acceleration for car\d at [\d.]+ s, with .*v = [\d.]+ m\/s/.test(
          document.querySelector(".fm-message").textContent,
        ),
      "the word of it",
      null,
      30000,
    );
    const message = await s.page.locator(".fm-message").innerText();
    assert.match(message, /Line 2: .*v_front = [\d.]+ m\/s.*Version 1 drives again/);
    assert.ok(Number(/ v = ([\d.]+) m\/s/.exec(message)[1]) > 15.5, message);
    await s.sees(async () => assert.match(await s.page.locator(".fm-running").innerText(), /version 1/));
    const t = Number(/at ([\d.]+) s/.exec(message)[1]);
    await s.until((a, at) => !a.clock.playing && Math.abs(a.clock.t - at) < 0.02, `time to stop at ${t} s`, t);
    await s.until(
      (a) => a.world(0).controllers[0].law === "platoon" && a.world(0).state === "running",
      "the old law to drive",
    );
    assert.match(await area.inputValue(), /sqrt/, "what was typed is gone");
    await s.app((a) => a.clock.goLive());
    await s.until((a, t) => a.world(0).end > t + 1 && a.world(0).state === "running", "the run to continue", t, 20000);
  },
);

await test("the editor stays with the form that is seen when Control was open on the rail before", two, async (s) => {
  await s.live(1);
  await s.page.keyboard.press("Space");
  const rail = s.page.locator('.rail [data-panel="control"]');
  await rail.click();
  await s.page.locator(".panel .la-card").first().waitFor();
  await rail.click();
  const area = await edit(s);
  await area.fill(LAW);
  await area.press("Control+Enter");
  await s.until((a) => a.world(0).controllers[0].own, "the new law to drive");
  await s.page.locator("#in-panel .fm-editor").waitFor();
  await rail.click();
  await s.page.locator(".panel .fm-editor").waitFor();
  assert.match(await s.page.locator(".panel .fm-running").innerText(), /version 2/);
  await rail.click();
  await s.page.locator("#in-panel").getByRole("button", { name: "Edit as formula" }).click();
  assert.equal(await s.page.locator("#in-panel textarea.fm-area").inputValue(), LAW);
});

await finish();
