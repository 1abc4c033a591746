// The start screen: examples as pictures of what is in them, files dropped or chosen, recent files.
import { assert, finish, test } from "./studio.mjs";

const two = { scenario: "two_gains.yaml" };
const open = async (s) => {
  await s.page.keyboard.press("Control+o");
  await s.page.locator(".st-card").first().waitFor();
};
const card = (s, title) => s.page.locator(".st section:not(.hidden) .st-card", { hasText: title }).first();

await test.core(
  "examples are pictures of their cars; a click opens one, and the old one is under Open last",
  two,
  async (s) => {
    await s.live(1);
    await open(s);
    await card(s, "adaptive, scheduled, fixed").scrollIntoViewIfNeeded();
    await s.until(
      () =>
        [...document.querySelectorAll(".st-card")]
          .find((c) => /adaptive, scheduled/.test(c.textContent))
          ?.querySelector(".st-count")?.textContent === "15 cars",
      "its number of cars",
      null,
      20000,
    );
    // Three platoons: three colours, five cars of each in the picture or as many as are within its reach.
    const colours = () =>
      s.page.evaluate(() => {
        const canvas = [...document.querySelectorAll(".st-card")]
          .find((c) => /adaptive, scheduled/.test(c.textContent))
          .querySelector("canvas");
        const d = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
        const n = {};
        for (let i = 0; i < d.length; i += 4) {
          const k = `${d[i]},${d[i + 1]},${d[i + 2]}`;
          if (d[i + 3] === 255) n[k] = (n[k] ?? 0) + 1;
        }
        return n;
      });
    await s.sees(async () => {
      const seen = await colours();
      for (const c of ["15,108,189", "184,92,0", "89,21,78"])
        assert.ok(seen[c] > 60, `no cars of the colour ${c}: ${JSON.stringify(seen)}`);
    });
    assert.ok(await s.app((a) => a.clock.playing), "it stopped the clock");
    assert.equal(await s.page.locator(".st [aria-label='Open last']").isVisible(), false);
    await card(s, "hill.yaml").locator(".st-open").click();
    await s.until((a) => a.file === "hill.yaml" && a.worlds.length === 1, "the hill", null, 15000);
    await s.until(() => document.querySelector(".st") === null, "the start screen to go");
    await open(s);
    await s.sees(async () =>
      assert.match(await s.page.locator(".st [aria-label='Open last']").innerText(), /two_gains\.yaml/),
    );
    await card(s, "two_gains.yaml")
      .getByRole("button", { name: /beside/ })
      .click();
    await s.until((a) => a.worlds.length === 2, "it beside the hill", null, 15000);
  },
);

await test(
  "keyboard alone opens and closes it; files can be chosen; nothing outside the folders is shown",
  two,
  async (s) => {
    await s.live(1);
    await s.page.locator(".tp-play").focus();
    await open(s);
    await s.page.keyboard.press("Tab"); // from Close to the list
    assert.ok(await s.page.evaluate(() => document.querySelector(".st").contains(document.activeElement)));
    const [chooser] = await Promise.all([
      s.page.waitForEvent("filechooser"),
      s.page.getByRole("button", { name: "Choose files…" }).click(),
    ]);
    await chooser.setFiles({
      name: "drive.csv",
      mimeType: "text/csv",
      buffer: Buffer.from("t,x,v\n0,0,10\n1,10,10\n2,20,10\n"),
    });
    await s.until((a) => a.worlds.length === 1 && a.worlds[0].kind === "replay", "the chosen file");
    await open(s);
    await s.page.keyboard.press("Escape");
    assert.equal(await s.page.locator(".st").count(), 0);
    for (const file of ["../../etc/passwd", "/etc/hosts", "nothing.yaml", ""])
      assert.equal((await s.ask("preview", { file })).kind, "refused", file);
    assert.match((await s.ask("preview", { file: "medusa/model.dat" })).reason, /\w{4}/);
  },
);

await finish();
