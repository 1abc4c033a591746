// The programs of the DYNAVIS report: each opens the page on its own instruments.
import { assert, finish, root, test } from "./studio.mjs";

const data = `${root}/scenarios/dynavis`;
const option = (s, name) => s.app((a, n) => a.option(n), name);
const cards = (s) => s.page.locator(".cd-card").evaluateAll((list) => list.map((c) => c.getAttribute("aria-label")));

await test(
  "version 1 opens with the bank of analog meters and no tags",
  { call: ["dynavis1", `${data}/demo5.dat`, `${data}/demo5.par`] },
  async (s) => {
    assert.deepEqual(await cards(s), ["Meters"]);
    const meters = await option(s, "meters");
    assert.equal(meters.layout, "wall");
    assert.equal(meters.analog, true);
    assert.equal(await option(s, "scene.tags"), "off");
    // One dial per car and quantity is drawn: as wide as the window, all positions.
    await s.sees(async () => assert.match(await s.page.locator(".cd-is-meters .cd-note").innerText(), /all positions/));
    const box = await s.page.locator(".cd-is-meters").boundingBox();
    const row = await s.page.locator(".cd-row").boundingBox();
    assert.ok(box.width > row.width - 30, `the bank is ${box.width} px wide`);
  },
);

await test("version 2 opens with tags on the cars", { call: ["dynavis2"] }, async (s) => {
  assert.equal(await option(s, "scene.tags"), "v a j");
  assert.ok((await cards(s)).length > 1);
});

await test("the other two open on their benches", { call: ["dynavisiden"] }, async (s) => {
  assert.equal(await s.app((a) => `${a.layout.view} ${a.layout.bench}`), "bench identify");
  assert.ok(await s.page.locator(".id-result").isVisible());
});
await test("gas mileage opens on its bench", { call: ["dynavis-gas"] }, async (s) => {
  assert.equal(await s.app((a) => `${a.layout.view} ${a.layout.bench}`), "bench mileage");
});

await test(
  "-t sets the font of texts and numbers",
  { call: ["dynavis2", "-t", "-misc-liberation mono-x"] },
  async (s) => {
    const family = await s.page.evaluate(() => getComputedStyle(document.body).fontFamily);
    assert.match(family, /^"liberation mono", Inter/i);
  },
);

await finish();
