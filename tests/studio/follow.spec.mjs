// Several people on one simulation: their names, following another's playhead, one log.
import { Studio, assert, finish, test } from "./studio.mjs";

const two = { scenario: "two_gains.yaml" };
const menu = async (s, item) => {
  await s.page.locator(".tb-people").click();
  await s.page.getByRole("menu", { name: "Pages" }).getByText(item).click();
};
const same = () => (a, to) => !a.clock.playing && Math.abs(a.clock.t - to) < 1e-6;

await test("a page follows another's playhead, rate and car until a hand moves time", two, async (s) => {
  await s.runTo(20);
  assert.equal(await s.page.locator(".tb-people").isVisible(), false, "a single page has no other to follow");
  const other = await Studio.open(s.server);
  try {
    await s.page.locator(".tb-people").waitFor();
    await menu(s, /My name/);
    await s.page.getByRole("textbox", { name: "Name of this page, seen by the others" }).fill("Ann");
    await s.page.keyboard.press("Enter");
    await s.until(
      () => /others see you as Ann/.test(document.querySelector(".toasts").textContent),
      "the name to be taken",
    );
    await s.seek(7);
    await s.app((a) => a.select(0, "car4"));
    await menu(other, "Follow Ann");
    await other.until(same(), "Ann's instant", 7);
    await other.until((a) => a.selection?.vehicle === "car4", "Ann's car");
    await other.until(() => /Following Ann/.test(document.querySelector(".pill").textContent), "the pill to say so");

    // Ann scrubs on the timeline, then plays backwards at half speed.
    const box = await s.page.locator(".tl-canvas").boundingBox();
    await s.page.mouse.move(box.x + 300, box.y + 40);
    await s.page.mouse.down();
    await s.page.mouse.move(box.x + 700, box.y + 40, { steps: 12 });
    await s.page.mouse.up();
    const t = await s.app((a) => a.clock.t);
    assert.ok(t > 7.5 || t < 6.5);
    await other.until(same(), `Ann's instant ${t}`, t);
    await other.until(
      (a) => a.frame(0)?.exact && Math.abs(a.frame(0).time - a.clock.t) < 0.006,
      "the exact picture of it",
    );
    await s.app((a) => {
      a.clock.setRate(-0.5);
      a.clock.play(true);
    });
    await other.until(
      (a, t) => a.clock.playing && a.clock.rate === -0.5 && a.clock.t < t - 0.3,
      "going back with Ann",
      t,
    );
    // Both are asked one after the other, and time runs between.
    await s.sees(async () => {
      const apart = Math.abs((await s.app((a) => a.clock.t)) - (await other.app((a) => a.clock.t)));
      assert.ok(apart < 0.4, `${apart} s apart`);
    });
    await s.page.keyboard.press("Space");
    const rest = await s.app((a) => a.clock.t);
    await other.until(same(), "Ann's rest", rest);

    // A hand on the other page ends it; Ann then moves alone.
    await other.page.keyboard.press("ArrowLeft");
    await other.until(
      () => /No longer following Ann/.test(document.querySelector(".toasts").textContent),
      "the word that it ended",
    );
    const own = await other.app((a) => a.clock.t);
    await s.seek(3);
    await other.page.waitForTimeout(700);
    assert.equal(await other.app((a) => a.clock.t), own);
    assert.deepEqual(other.errors, []);
  } finally {
    await other.page.context().close();
  }
  await s.until(() => document.querySelector(".tb-people").classList.contains("hidden"), "to be alone again");
});

await test("the followed page leaves: the follower stays where it is and says so", two, async (s) => {
  await s.runTo(10);
  const other = await Studio.open(s.server);
  await other.seek(4);
  await s.page.locator(".tb-people").waitFor();
  await menu(s, /Follow page/);
  await s.until(same(), "4 s", 4);
  await other.page.context().close();
  await s.until(() => /has left/.test(document.querySelector(".toasts").textContent), "the word that it left");
  assert.equal(await s.app((a) => a.clock.t), 4);
  assert.equal(await s.app((a) => a.following), null);
});

await finish();
