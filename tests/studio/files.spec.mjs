// Files: opened, laid beside, refused with line and caret, saved; a state saved and gone on with.
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { assert, finish, test } from "./studio.mjs";

const two = { scenario: "two_gains.yaml" };
const open = async (s) => { await s.live(1); await s.page.locator('.rail [data-panel="files"]').click(); await s.page.locator(".fi-open").first().waitFor(); };
const folder = mkdtempSync(`${tmpdir()}/motorcade-files-`);

// Clicks a button that saves, and gives the file's name and text.
async function saved(s, what) {
  const [file] = await Promise.all([s.page.waitForEvent("download"), s.page.locator(`[data-export="${what}"]`).click()]);
  const path = `${folder}/${file.suggestedFilename()}`;
  await file.saveAs(path);
  return { path, name: file.suggestedFilename(), text: readFileSync(path, "utf8") };
}

await test("scenario, log, CSV and DYNAVIS data are saved", two, async (s) => {
  await open(s);
  await s.ask("set", { world: 0, controller: "follow", param: "k3", value: 2 });
  await s.live(2);
  assert.match((await saved(s, "scenario")).text, /motorcade: scenario/);
  assert.match((await saved(s, "log")).text, /set.*k3/);
  assert.match((await saved(s, "csv")).text, /^t,/);
  assert.ok((await saved(s, "dynavis")).text.length > 1000);
});

await test("a state is saved and gone on with, the same to the bit", two, async (s) => {
  await open(s);
  await s.ask("set", { world: 0, controller: "follow", param: "k3", value: 2 });
  await s.live(2);
  await s.ask("car", { world: 0, op: "remove", vehicle: "car7" });
  await s.live(3);
  await s.app((a) => a.clock.play(false));
  await s.page.waitForTimeout(400);
  const state = await saved(s, "state");
  assert.match(state.name, /^two_gains-[\d.]+s\.mcstate$/);
  const { t, hash } = JSON.parse(state.text);
  await s.ask("open", { file: (await s.ask("files")).folders[0].files.find((f) => f.kind === "scenario").file });
  await s.page.waitForTimeout(300);
  const [chooser] = await Promise.all([s.page.waitForEvent("filechooser"), s.page.getByRole("button", { name: /Open a file/ }).click()]);
  await chooser.setFiles(state.path);
  await s.until((a, t) => a.file === "two_gains.yaml" && a.worlds.length === 1 && a.worlds[0].end >= t - 1e-6 && a.worlds[0].vehicles.length === 7, "the state", t, 20000);
  await s.until((a) => a.events(a.worlds[0].world).some((e) => /same to the bit/.test(e.text)), "the word that it is the same");
  const again = await s.app((a, t) => a.ask("seek", { world: a.worlds[0].world, t, fields: ["x"] }).then((r) => r.frames[0].hash.toString(16).padStart(16, "0")), t);
  assert.equal(again, hash);
});

await test("a scenario is opened, another laid beside it; a broken one is shown with line and caret", two, async (s) => {
  await open(s);
  const files = (await s.ask("files")).folders[0].files.filter((f) => f.kind === "scenario" && f.file !== "two_gains.yaml");
  await s.page.getByRole("button", { name: `open ${files[0].file} beside`, exact: true }).click();
  await s.until((a) => a.worlds.length === 2, "a world beside", null, 20000);
  const bad = `${folder}/broken.yaml`;
  writeFileSync(bad, readFileSync(new URL("../../scenarios/two_gains.yaml", import.meta.url), "utf8").replace(/law: platoon/, "law: plattoon"));
  const [chooser] = await Promise.all([s.page.waitForEvent("filechooser"), s.page.getByRole("button", { name: /Open a file/ }).click()]);
  await chooser.setFiles(bad);
  await s.page.locator(".fe").waitFor();
  assert.match(await s.page.locator(".fe").innerText(), /broken\.yaml:\d+:\d+[\s\S]*platoon[\s\S]*\^/);
  assert.equal(await s.app((a) => a.worlds.length), 2);
  await s.page.keyboard.press("Escape");
});

await test("ten files that are none: each refused with a reason, the run goes on", { ...two, errors: true }, async (s) => {
  await open(s);
  const wrong = [{ file: "../../etc/passwd" }, { file: "nothing.yaml" }, { file: "/etc/hosts" }, { upload: "00000000" }, { text: "" }, { text: "motorcade: scenario" }, { text: "{", name: "x.yaml" }, { text: "models: {car: {file: /etc/passwd}}" }, { file: "two_gains.yaml", upload: "1" }, {}];
  for (const q of wrong) {
    const a = await s.ask("open", q);
    assert.ok(a.kind === "refused" && a.reason.length > 5, JSON.stringify([q, a]));
  }
  for (const [name, text] of [["x.mcstate", "{}"], ["y.mcstate", "nonsense"], ["z.csv", "a,b\n1"], ["w.asc", "1 2 3"], ["v.h5", "no"]]) {
    const key = await s.page.evaluate(([name, text]) => fetch(`/upload?name=${name}`, { method: "POST", body: text }).then((r) => r.json()).then((r) => r.upload), [name, text]);
    const a = await s.ask("open", { upload: key, name });
    assert.ok(a.kind === "refused" && a.reason.length > 5, `${name}: ${JSON.stringify(a)}`);
  }
  assert.equal(await s.app((a) => a.world(0).state), "running");
  assert.equal((await s.ask("export", { what: "soup" })).kind, "refused");
});

await finish();
