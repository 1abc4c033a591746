// The vehicle bench: every shipped mechanism opens, moves and is drawn where its state is.
import { readdirSync } from "node:fs";
import { assert, finish, root, test } from "./studio.mjs";

const two = { scenario: "two_gains.yaml" };
const open = (s) => s.page.getByRole("button", { name: "Bench", exact: true }).click();
const word = (s) => s.page.locator(".me-word").innerText();
const ready = (s, text = /bodies, \d+ steps/) => s.sees(async () => text.test(await word(s)), "the run", 15000);
const pick = async (s, file) => {
  await s.page.getByRole("combobox", { name: "Mechanism" }).selectOption(file);
  await ready(s);
};

await test.core("a mechanism is opened, drawn where its state is, and plays", two, async (s) => {
  await open(s);
  await pick(s, "models/double_pendulum.yaml");
  const moved = await s.app(async (a) => {
    const b = a.benchPart;
    b.play(false);
    const seen = [];
    for (const t of [0, 0.5]) {
      b.seek(t);
      await window.drawn(2);
      const [row] = [b.motion.t.findIndex((x) => Math.abs(x - t) < 1e-9)];
      const width = b.motion.bodies * 7;
      for (let k = 0; k < b.motion.bodies; k++)
        seen.push({
          drawn: b.stage.drawn(k),
          is: [...b.motion.poses.slice(row * width + 7 * k, row * width + 7 * k + 7)],
        });
    }
    return { seen, calls: b.stage.calls, rows: b.motion.rows };
  });
  for (const { drawn, is } of moved.seen) {
    const sign = drawn[3] * is[3] + drawn[4] * is[4] + drawn[5] * is[5] + drawn[6] * is[6] < 0 ? -1 : 1;
    is.forEach((v, k) => assert.ok(Math.abs((k < 3 ? 1 : sign) * drawn[k] - v) < 1e-6, `${drawn} against ${is}`));
  }
  assert.ok(moved.calls <= 40, `${moved.calls} draw calls`);
});

await test("every model opens and moves or is at rest", two, async (s) => {
  await open(s);
  for (const name of readdirSync(`${root}/models`).filter((f) => f.endsWith(".yaml"))) {
    await pick(s, `models/${name}`);
    const found = await s.app((a) => ({
      bodies: a.benchPart.run.bodies.length,
      drawn: a.benchPart.run.bodies.map((_, k) => a.benchPart.stage.drawn(k)),
    }));
    assert.ok(found.bodies > 0 && found.drawn.flat().every(Number.isFinite), name);
  }
});

await test("another value runs it again, and the run before stays pale", two, async (s) => {
  await open(s);
  await pick(s, "models/pendulum.yaml");
  const field = s.page.getByRole("textbox", { name: /^length, / });
  await field.fill("2");
  await field.press("Enter");
  await s.sees(() => s.app((a) => a.benchPart.run.settable.find((v) => v.name === "length").value === 2), "2 m");
  await ready(s);
  const mode = await s.page.locator(".me-modes tbody tr").first().innerText();
  assert.match(mode, /0\.3525/, "sqrt(9.81/2)/(2 pi) Hz");
  await s.page.getByRole("button", { name: "1", exact: true }).click();
  await s.sees(async () => /Mode 1/.test(await word(s)), "the mode");
});

await test("a value that is not a number is marked, one that cannot be is answered with its range", two, async (s) => {
  await open(s);
  await pick(s, "models/quarter_car.yaml");
  const field = s.page.getByRole("textbox", { name: /^m_body, / });
  await field.fill("nonsense");
  await field.press("Enter");
  assert.equal(await field.getAttribute("aria-invalid"), "");
  await field.fill("-3");
  await field.press("Enter");
  await s.sees(async () => /m_body.*-3.*0/.test(await word(s)), "the reason");
});

await test("a mechanism in the list of files opens on the bench", two, async (s) => {
  await s.page.getByRole("button", { name: "Files", exact: true }).click();
  await s.page.locator(".fi-open", { hasText: "four_bar.yaml" }).click();
  await ready(s);
  assert.equal(await s.page.getByRole("combobox", { name: "Mechanism" }).inputValue(), "models/four_bar.yaml");
});

await finish();
