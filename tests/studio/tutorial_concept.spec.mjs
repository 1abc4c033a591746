// docs/tutorial-concept.md, step by step: a pickup from a blank file to modes and a bump, by mouse and keyboard only. The
// texts that are typed, and the figures that are seen, are those of the page of the manual.
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { assert, finish, root, test } from "./studio.mjs";

const text = readFileSync(`${root}/docs/tutorial-concept.md`, "utf8");
const [first, rest] = [...text.matchAll(/```yaml file=\w+\.yaml\n([\s\S]*?)```/g)].map((m) => m[1]);
const says = (pattern) => {
  const m = pattern.exec(text);
  assert.ok(m, `the tutorial does not say ${pattern}`);
  return m[1];
};

const options = {
  scenario: `${root}/concepts/pickup.yaml`,
  args: ["--folder", `${root}/concepts`, "--paused"],
};
await test("the tutorial of concepts: masses, axles, modes, a bump, a softer rear", options, async (s) => {
  const button = (name) => s.page.getByRole("button", { name, exact: true });
  const file = s.page.getByRole("textbox", { name: "File", exact: true });
  const holds = (words, what) => s.until((a, w) => a.benchPart.concept.answer?.text.includes(w), what, words, 60000);
  // 1. A blank concept.
  await s.until((a) => a.benchPart?.concept.answer, "the pickup", null, 30000);
  await button("New concept").click();
  await holds("name: new_concept", "the blank concept");
  await s.sees(async () => /new_concept/.test(await file.inputValue()), "its text");
  // 2. Masses.
  await file.fill(first);
  await button("Apply").click();
  await holds("my_pickup", "the masses");
  const mass = s.page.locator(".co-mass");
  await s.sees(async () => (await mass.innerText()).includes(says(/\*(All [\d.]+ kg)\*/)), "the mass");
  const tree = s.page.locator(".co-tree");
  await s.sees(async () => (await tree.innerText()).includes(says(/two rails of ([\d.]+) kg/)), "the rails");
  assert.ok((await s.page.locator(".co-cards").innerText()).includes(says(/\*(1 bodies from 6 parts)\*/)));
  // 3. Axles.
  await file.fill(first + rest);
  await button("Apply").click();
  await holds("seat:", "the axles");
  await s.sees(async () => /kN/.test(await mass.innerText()), "axle loads");
  const modes = s.page.locator(".me-modes tbody");
  await s.sees(async () => (await modes.innerText()).includes(says(/between (1\.\d+)/)), "the modes", 30000);
  assert.ok((await modes.innerText()).includes(says(/and (2\.\d+) Hz/)));
  await modes.getByRole("button").first().click();
  await s.until((a) => a.benchPart.mode > 0, "a mode that moves", null, 20000);
  await modes.getByRole("button").first().click();
  // 4. Bumps.
  await button("+ Bump").click();
  await s.until((a) => a.benchPart.concept.answer.road.bumps[0]?.height === 0.06, "the bump", null, 30000);
  const moved = (a) => {
    const l = a.benchPart.run;
    const n = l.run.columns.length;
    const k = l.column.get("seat.z");
    let most = 0;
    for (let row = 0; row < l.motion.rows; row++) most = Math.max(most, Math.abs(l.values[row * n + k] - l.values[k]));
    return most > 0.01;
  };
  await s.until(moved, "the seat to be lifted by the bump", null, 60000);
  await s.page.keyboard.press("Space");
  await s.until((a) => a.clock.t > 0.3, "the bump to pass", null, 30000);
  await s.page.keyboard.press("Space");
  await s.page.locator(".co-handle").first().focus();
  await s.page.keyboard.press("ArrowUp");
  await s.until((a) => a.benchPart.concept.answer.road.bumps[0].height === 0.065, "5 mm higher", null, 30000);
  // 5. A softer rear.
  await s.page.getByRole("treeitem", { name: /^rear / }).click();
  const field = s.page.getByRole("textbox", { name: "spring stiffness", exact: true });
  await field.fill(says(/\*spring stiffness\* to `([^`]+)`/));
  await field.press("Enter");
  await holds("22 kN/m", "the softer spring");
  await field.fill(says(/Type `([^`]+)`/));
  await field.press("Enter");
  await s.sees(async () =>
    /kg/.test(
      await s.page
        .locator(".co-fields .co-wrong")
        .allInnerTexts()
        .then((t) => t.join()),
    ),
  );
  await button("Undo edit").click();
  await holds("30 kN/m", "the spring before");
  // 6. Save.
  const [download] = await Promise.all([s.page.waitForEvent("download"), button("Save").click()]);
  const copy = `${mkdtempSync(`${tmpdir()}/concept-`)}/saved.yaml`;
  await download.saveAs(copy);
  const saved = readFileSync(copy, "utf8");
  assert.ok(saved.startsWith(first + rest) && /^road: /m.test(saved), saved.slice(-300));
  if (process.env.LOOKS) await s.shot(`${process.env.LOOKS}/tutorial-concept.png`);
});

await finish();
