// Controllers: gains with a verdict, another law for a running platoon, matrices, who is heard.
import { assert, finish, test } from "./studio.mjs";
import { choose, difference, replayed, type } from "./inspect.mjs";

const two = { scenario: "two_gains.yaml" };

await test("a gain dragged behind the live end branches; both run on; the verdict follows", two, async (s) => {
  await s.runTo(12);
  await s.seek(6);
  await choose(s, "car3", "Controller");
  await s.page.locator('.la-verdict[data-verdict="stable"]').waitFor();
  const slider = s.page.locator('#in-panel [data-param="k3"] input[type=range]'), box = await slider.boundingBox();
  const at = await slider.evaluate((e) => Number(e.value) / 1000);
  await s.page.mouse.move(box.x + 7 + (box.width - 14) * at, box.y + box.height / 2);
  await s.page.mouse.down();
  await s.page.mouse.move(box.x + 12, box.y + box.height / 2, { steps: 4 });
  await s.page.locator('.la-verdict[data-verdict="unstable"]').waitFor(); // while it is only tried
  assert.equal(await s.app((a) => a.worlds.length), 1);
  await s.page.mouse.up();
  await s.until((a) => a.worlds.length === 2 && a.world(1).end > 11.5, "a branch");
  const k3 = await s.app((a) => [0, 1].map((w) => a.world(w).controllers[0].gains.k3));
  assert.ok(k3[0] === 4 && k3[1] < 3, `k3 is ${k3}`);
  assert.match(await s.app((a) => a.world(1).change), /k3 4 -> /);
  assert.ok((await difference(s, [0, 1], "car5", "x", 6, 11.5)) > 1e-3, "both worlds are the same");
  assert.equal(await s.page.locator('#in-panel [data-param="k3"] .fo-tick').count(), 1, "the other world's value is no tick");
});

await test("a running platoon gets another law, and the log repeats it", two, async (s) => {
  await s.live(2);
  await choose(s, "car3", "Controller");
  for (const law of ["idm", "ploeg", "acc"]) {
    await s.page.getByRole("combobox", { name: "Law" }).selectOption(law);
    await s.until((a, law) => a.world(0).controllers[0].law === law && a.world(0).vehicles[4].law === law, `the law ${law}`, law);
  }
  assert.match(await s.page.locator(".la-equation").innerText(), /k1 \(gap - distance - headway v\)/);
  await s.until((a) => document.querySelector('#in-panel [data-param="k2"]') && !document.querySelector('#in-panel [data-param="k3"]'), "sliders of the new law");
  await type(s.page.locator('#in-panel [data-param="k2"]'), "0.8");
  await s.live(4);
  const worst = await replayed(s, 0, "two_gains.yaml");
  assert.ok(worst < 1e-5, `the log gives other speeds, by ${worst} m/s`);
});

await test("a linear controller by its matrices; wrong ones are explained", two, async (s) => {
  await s.live(1);
  await choose(s, "car3", "Controller");
  await s.page.getByText("By matrices").click();
  const area = (name) => s.page.getByRole("textbox", { name, exact: true });
  const use = s.page.getByRole("button", { name: "Use these matrices" });
  const wrong = [["A", "1 2", /A is 1 x 2/], ["A", "x", /not a number/], ["B", "1", /B is 1 x 1/], ["B", "", /B is 0 x 0/], ["C", "1 2", /C is 1 x 2/], ["C", "", /C is 0 x 0/], ["D", "1", /D is 1 x 1/], ["D", "1 2 3", /D is 1 x 3/], ["inputs, one a line", " ", /at least one/], ["inputs, one a line", "v_frnt - v\ngap", /v_front/], ["A", "-2\n1", /A is 2 x 1/]];
  for (const [name, text, message] of wrong) {
    const was = await area(name).inputValue();
    await area(name).fill(text);
    await use.click();
    await s.until((a, m) => new RegExp(m).test(document.querySelector(".la-more .fo-error").textContent), `a message for ${name} = "${text}"`, message.source);
    await area(name).fill(was);
  }
  assert.equal(await s.app((a) => a.world(0).controllers[0].own), false);
  await use.click();
  await s.until((a) => a.world(0).controllers[0].own, "the linear controller");
  assert.equal(await s.app((a) => a.world(0).controllers[0].lines.some((l) => l.kind === "state")), true);
});

await test("who is heard, and the radio, are changed by a click and a number", two, async (s) => {
  await s.live(1);
  await choose(s, "car3", "Controller");
  await s.page.getByRole("button", { name: "leader", exact: true }).click();
  await s.until((a) => JSON.stringify(a.world(0).controllers[0].listen) === '["front"]', "only the car in front to be heard");
  await s.page.getByRole("button", { name: "+2", exact: true }).click();
  await s.until((a) => a.world(0).controllers[0].listen.includes(2), "the second car ahead to be heard");
  assert.equal(await s.page.getByRole("button", { name: "+2", exact: true }).getAttribute("aria-pressed"), "true");
  await type(s.page.locator('#in-panel [data-param="delay"]'), "80 ms");
  await s.until((a) => a.world(0).controllers[0].radio.delay === 0.08, "a delay of 80 ms");
  assert.equal(await s.app((a) => a.world(0).controllers[0].gains.k3), 4);
});

await finish();
