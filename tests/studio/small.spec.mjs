// Small windows: text at 200 %, a phone. Nothing is cut off that cannot be reached.
import { assert, finish, test } from "./studio.mjs";

// Every control of these bars comes into sight when it gets the focus, and is what lies there.
const lost = (s, bars) =>
  s.page.evaluate((list) => {
    const out = [];
    for (const bar of list)
      for (const e of document.querySelector(bar).querySelectorAll("button, input, select")) {
        if (
          e.disabled ||
          e.offsetParent === null ||
          getComputedStyle(e).visibility === "hidden" ||
          e.closest(".hidden")
        )
          continue;
        e.focus();
        e.scrollIntoView({ block: "nearest", inline: "nearest" });
        const r = e.getBoundingClientRect();
        const x = r.left + r.width / 2;
        const y = r.top + r.height / 2;
        const top = x >= 0 && y >= 0 && x < innerWidth && y < innerHeight ? document.elementFromPoint(x, y) : null;
        if (!top || !(e.contains(top) || top.contains(e)))
          out.push(`${bar}: ${e.getAttribute("aria-label") ?? e.textContent} at ${Math.round(x)}, ${Math.round(y)}`);
      }
    document.activeElement?.blur();
    return out;
  }, bars);

// Controls that stand outside of the window, without any scrolling.
const outside = (s, bars) =>
  s.page.evaluate(
    (list) =>
      list
        .flatMap((bar) => [...document.querySelector(bar).querySelectorAll("button, input, select")])
        .filter((e) => e.offsetParent !== null && getComputedStyle(e).visibility !== "hidden")
        .filter((e) => {
          const r = e.getBoundingClientRect();
          return r.left < -1 || r.right > innerWidth + 1 || r.top < -1 || r.bottom > innerHeight + 1;
        })
        .map((e) => e.getAttribute("aria-label") ?? e.textContent),
    bars,
  );

// Controls and headings that stand out of the window at its sides.
const sideways = (s) =>
  s.page.evaluate(() =>
    [...document.querySelectorAll("button, input, select, h2, h3, .pill")]
      .filter((e) => e.offsetParent !== null && getComputedStyle(e).visibility !== "hidden" && !e.closest(".hidden"))
      .filter((e) => {
        const r = e.getBoundingClientRect();
        return r.width > 0 && (r.left < -1 || r.right > innerWidth + 1);
      })
      .map((e) => `${e.className}: ${e.getAttribute("aria-label") ?? e.textContent}`),
  );

await test(
  "text twice as large (a window of 720 x 450): every control can be reached",
  { scenario: "two_gains.yaml", width: 720, height: 450 },
  async (s) => {
    await s.live(1);
    await s.app((a) => a.clock.play(false));
    assert.deepEqual(await outside(s, [".top", ".sc-bar", ".tp"]), []);
    assert.deepEqual(await lost(s, [".top", ".rail", ".sc-bar", ".tp"]), []);
    const stage = await s.page.locator(".sc-stage").boundingBox();
    assert.ok(stage.height >= 90, `the road has ${stage.height} px`);
    const names = await s.page.locator(".tp").innerText();
    for (const what of ["Speed", "Simulation step", "Animation step", "Check", "Branch here"])
      assert.ok(names.includes(what), `${what} is not in "${names}"`);
    await s.app((a) => a.select(0, "car3"));
    await s.page.keyboard.press("h");
    await s.frames();
    await s.sees(async () => {
      const drawer = await s.page.locator("aside.aside").boundingBox();
      assert.ok(drawer === null || drawer.x + drawer.width <= 721, JSON.stringify(drawer));
    });
    const page = await s.page.evaluate(() => ({
      w: document.documentElement.scrollWidth,
      h: document.documentElement.scrollHeight,
    }));
    assert.ok(page.w <= 720 && page.h <= 450, `the page itself scrolls: ${JSON.stringify(page)}`);
  },
);

await test.core(
  "a phone: scene and transport, nothing else; it plays and scrubs",
  { scenario: "two_gains.yaml", width: 390, height: 844 },
  async (s) => {
    await s.live(2);
    for (const gone of [".rail", ".instruments", ".tp-branch"])
      assert.equal(await s.page.locator(gone).first().isVisible(), false, `${gone} is there`);
    assert.deepEqual(await outside(s, [".top", ".sc-bar", ".tp"]), []);
    assert.deepEqual(await lost(s, [".top", ".sc-bar", ".tp"]), []);
    await s.page.locator(".tp-play").click();
    assert.equal(await s.app((a) => a.clock.playing), false);
    const canvas = await s.page.locator(".sc-canvas").boundingBox();
    assert.ok(canvas.width > 360 && canvas.height > 300, JSON.stringify(canvas));
  },
);

for (const [width, height] of [
  [390, 844],
  [720, 450],
])
  await test(
    `every view in a window of ${width} x ${height}: no bar runs out of it, pictures have room`,
    { scenario: "two_gains.yaml", width, height },
    async (s) => {
      await s.runTo(3);
      for (const [view, bench, picture] of [
        ["road", "", ".sc-canvas"],
        ["3d", "", ".view:not(.hidden) canvas"],
        ["timespace", "", ".view:not(.hidden) canvas"],
        ["bench", "identify", ".id-mass canvas"],
        ["bench", "mileage", ".mi-dials canvas"],
        ["bench", "sweep", ".sw-map canvas"],
      ]) {
        await s.app((a, l) => a.layout.set(l), bench ? { view, bench } : { view });
        const canvas = s.page.locator(picture).first();
        await canvas.waitFor();
        await s.sees(async () => {
          const size = await canvas.boundingBox();
          assert.ok(size?.width > 250 && size.height > 90, `${view} ${bench}: ${size?.width} x ${size?.height}`);
          assert.deepEqual(await sideways(s), [], `${view} ${bench}`);
        });
      }
    },
  );

await finish();
