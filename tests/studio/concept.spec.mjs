// concept.spec.mjs - concepts on the bench: shown, edited, rejected, undone, saved, run over their road.
import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { assert, finish, program, root, test } from "./studio.mjs";

const folders = ["--folder", `${root}/concepts`, "--paused"];
const pickup = { scenario: `${root}/concepts/pickup.yaml`, args: folders };
const ready = (s) => s.until((a) => a.benchPart?.concept.answer && a.benchPart.run, "the concept", null, 30000);
const answer = (s, f) => s.app(`(a) => (${f})(a.benchPart.concept.answer)`);
const cli = (...args) => {
  const out = spawnSync(program, args, { encoding: "utf8" });
  assert.equal(out.status, 0, out.stderr);
  return out.stdout;
};
const field = (s, name) => s.page.getByRole("textbox", { name, exact: true });
const type = async (s, name, value) => {
  await field(s, name).fill(value);
  await field(s, name).press("Enter");
};

await test.core("a concept opens on the bench: tree, masses, axle loads, modes, mechanism", pickup, async (s) => {
  await ready(s);
  const a = await answer(s, (c) => ({ mass: c.whole.mass, loads: c.axles.map((x) => x.load), modes: c.modes.length }));
  const said = cli("concept", `${root}/concepts/pickup.yaml`);
  const loads = [...said.matchAll(/^(?:front|rear)\s+\S+\s+\S+\s+\S+\s+(\S+)/gm)].map((m) => Number(m[1]));
  assert.equal(loads.length, 2);
  loads.forEach((l, k) => assert.ok(Math.abs(l - a.loads[k]) < 0.01, `${l} and ${a.loads[k]}`));
  assert.match(await s.page.locator(".co-tree").innerText(), /engine/);
  assert.match(await s.page.locator(".co-mass").innerText(), /kN/);
  await s.page.getByRole("button", { name: "Mechanism", exact: true }).click();
  await s.sees(async () => /Mechanism/.test(await s.page.locator(".me-parts").innerText()), "the mechanism");
  await s.page.getByRole("button", { name: "Concept", exact: true }).click();
  await s.page.locator(".co-tree").waitFor();
  if (process.env.LOOKS) await s.shot(`${process.env.LOOKS}/concept-light.png`);
});

await test(
  "a value is typed: loads, modes, run; a wrong one is rejected at its field; undo; saved as it runs",
  pickup,
  async (s) => {
    await ready(s);
    await s.page.getByRole("treeitem", { name: /engine/ }).click();
    const before = await answer(s, (c) => c.axles.map((x) => x.load));
    await type(s, "mass", "335 kg");
    await s.until((a) => /335 kg/.test(a.benchPart.concept.answer.text), "the new mass");
    const after = await answer(s, (c) => ({ loads: c.axles.map((x) => x.load), derived: c.derived }));
    assert.equal(after.derived, false);
    const more = after.loads[0] + after.loads[1] - before[0] - before[1];
    assert.ok(Math.abs(more - 120 * 9.81) < 1, `100 kg with build-out 1.2 weigh ${more} N more`);
    await type(s, "mass", "335 bananas");
    await s.sees(async () => /banana/.test(await s.page.locator(".co-inspect").innerText()), "the reader's words");
    assert.match(await answer(s, (c) => c.text), /335 kg/);
    await type(s, "mass", "335 kg");
    // What is saved is what runs.
    const [download] = await Promise.all([
      s.page.waitForEvent("download"),
      s.page.getByRole("button", { name: "Save", exact: true }).click(),
    ]);
    const file = `${mkdtempSync(`${tmpdir()}/concept-`)}/saved.yaml`;
    await download.saveAs(file);
    const said = cli("concept", file);
    const loads = [...said.matchAll(/^(?:front|rear)\s+\S+\s+\S+\s+\S+\s+(\S+)/gm)].map((m) => Number(m[1]));
    loads.forEach((l, k) => assert.ok(Math.abs(l - after.loads[k]) < 0.01, `${l} and ${after.loads[k]}`));
    await s.page.getByRole("button", { name: "Undo edit" }).click();
    await s.until((a) => /mass: 235 kg/.test(a.benchPart.concept.answer.text), "the mass before");
  },
);

await test("edits are quick: modes and loads, and the run over the bumps", pickup, async (s) => {
  await ready(s);
  const times = await s.app(async (a) => {
    const text = a.benchPart.concept.answer.text;
    const at = async (kind, args) => {
      const begun = performance.now();
      await a.ask(kind, args);
      return performance.now() - begun;
    };
    await at("concept", { text });
    const tries = [];
    for (const k of [36, 37, 38, 39, 40])
      tries.push(await at("concept", { text, changes: [{ path: "axles.rear.spring.stiffness", value: `${k} kN/m` }] }));
    const run = await at("concept_change", {
      world: a.current().world,
      text: text.replace("34 kN/m", "40 kN/m"),
      again: true,
    });
    return { fastest: Math.min(...tries), run };
  });
  console.log(`          modes and loads ${times.fastest.toFixed(0)} ms, run ${times.run.toFixed(0)} ms of real time`);
  // 100 ms and 1 s on a free machine (tests/concept_study/test_live.c has processor times); here pages share two cores.
  assert.ok(times.fastest < 1000 && times.run < 20000, JSON.stringify(times));
});

await test(
  "another template keeps wheel centres and says what it could not keep; the rig follows",
  pickup,
  async (s) => {
    await ready(s);
    await s.page.getByRole("treeitem", { name: /^rear / }).click();
    await s.page.getByRole("combobox", { name: "Template of rear" }).selectOption("trailing_arm");
    await s.until(
      (a) => /template: trailing_arm/.test(a.benchPart.concept.answer.text),
      "the new template",
      null,
      30000,
    );
    assert.match(await s.page.getByRole("list", { name: "Not kept" }).innerText(), /eye_front has no place/);
    assert.deepEqual(await answer(s, (c) => [c.axles[1].x, c.axles[1].track]), [-3.55, 1.64]);
  },
);

await test("a bump is moved by keys; one is added", pickup, async (s) => {
  await ready(s);
  const handle = s.page.locator(".co-handle").first();
  await handle.focus();
  await handle.press("ArrowUp");
  await s.until((a) => a.benchPart.concept.answer.road.bumps[0].height === 0.055, "a higher bump");
  await s.page.getByRole("button", { name: "+ Bump" }).click();
  await s.until((a) => a.benchPart.concept.answer.road.bumps.length === 4, "one more");
});

await test("the engine is dragged in the picture: loads and modes follow, then the run", pickup, async (s) => {
  await ready(s);
  await s.page.getByRole("treeitem", { name: /engine/ }).click();
  const grip = s.page.locator(".co-grip").first();
  await grip.waitFor();
  const at = (c) =>
    [0, 1, 2].map((k) => Number(c.values.find((v) => v.path === `assemblies.frame.components.engine.at.${k}`).text));
  const before = await s.app((a) => a.benchPart.concept.answer);
  const box = await grip.boundingBox();
  await s.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await s.page.mouse.down();
  await s.page.mouse.move(box.x + 60, box.y + 10, { steps: 4 });
  await s.until((a, t) => a.benchPart.concept.answer.text !== t, "what follows while it is held", before.text);
  const dragged = await s.app((a) => a.benchPart.concept.answer);
  assert.equal(dragged.derived, false);
  assert.ok(Math.hypot(...at(dragged).map((x, k) => x - at(before)[k])) > 0.05, "the engine is elsewhere");
  assert.ok(Math.abs(dragged.axles[0].load - before.axles[0].load) > 1, "the axle loads followed");
  const version = await s.app((a) => a.current().version);
  await s.page.mouse.up();
  await s.until((a, v) => a.current().version !== v, "the run", version, 30000);
  await s.page.getByRole("button", { name: "Undo edit" }).click();
  await s.until((a, t) => a.benchPart.concept.answer.text === t, "the text before", before.text, 30000);
});

await test("a row of the table of analyses by its form; the road scaled has a verdict", pickup, async (s) => {
  await ready(s);
  const card = s.page.locator(".co-analyses");
  await card.getByRole("textbox", { name: /^rows/ }).fill("5");
  await card.getByRole("button", { name: "Run", exact: true }).click();
  await s.sees(async () => /axle front, double_wishbone/.test(await card.innerText()), "the rig");
  await card.getByRole("combobox", { name: "Analysis", exact: true }).selectOption("axles");
  await card.getByRole("button", { name: "Run", exact: true }).click();
  await s.sees(async () => /front\s*10857/.test(await card.innerText()), "axle loads");
  const linearity = s.page.locator(".co-linearity");
  await linearity.getByRole("button", { name: "Test" }).click();
  await s.sees(async () => /not linear here/.test(await linearity.innerText()), "the verdict");
});

for (const theme of ["light", "dark"])
  await test(`nothing is wrong for readers of the page, ${theme}`, { ...pickup, theme }, async (s) => {
    await ready(s);
    await s.frames(3);
    await s.accessible(theme);
    if (process.env.LOOKS) await s.shot(`${process.env.LOOKS}/concept-${theme}.png`);
  });

await test("on a phone the concept can be used", { ...pickup, width: 390, height: 844 }, async (s) => {
  await ready(s);
  await s.frames(3);
  assert.ok(await s.app(() => document.documentElement.scrollWidth <= 390), "it is wider than the screen");
  await s.page.getByRole("treeitem", { name: /engine/ }).click();
  await type(s, "mass", "240 kg");
  await s.until((a) => /240 kg/.test(a.benchPart.concept.answer.text), "the new mass");
  if (process.env.LOOKS) await s.shot(`${process.env.LOOKS}/concept-phone.png`);
});

await finish();
