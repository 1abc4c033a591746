// "Check" beside the simulation step: what halving it changes, against the program's own two runs.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { assert, finish, root, test } from "./studio.mjs";

const program = process.env.MOTORCADE ?? `${root}/build/motorcade`;
// x of every car at whole tenths of a second, simulated by the command with a step of its own.
function run(step, end) {
  const folder = mkdtempSync(`${tmpdir()}/motorcade-step-`);
  const text = readFileSync(`${root}/scenarios/two_gains.yaml`, "utf8");
  assert.match(text, /step: 0\.01\b/);
  writeFileSync(`${folder}/s.yaml`, text.replace(/step: 0\.01\b/, `step: ${step}`));
  try {
    execFileSync(program, ["run", `${folder}/s.yaml`, "--end", String(end), "--csv", `${folder}/out`, "-q"], {
      cwd: folder,
    });
  } catch (e) {
    if (e.status !== 3) throw e;
  }
  const out = {};
  for (const file of readdirSync(`${folder}/out`).filter((f) => f.endsWith(".csv"))) {
    const lines = readFileSync(`${folder}/out/${file}`, "utf8")
      .trim()
      .split("\n")
      .filter((l) => !l.startsWith("#"));
    const names = lines[0].split(",").map((n) => n.trim().replace(/ .*/, ""));
    if (names.indexOf("x") < 0) continue;
    for (const l of lines.slice(1)) {
      const v = l.split(",").map(Number);
      const t = v[names.indexOf("t")];
      if (Math.abs(t * 10 - Math.round(t * 10)) < 1e-6)
        out[`${file.replace(/^.*?-?([a-z]+\d*)\.csv$/, "$1")}/${Math.round(t * 10)}`] = v[names.indexOf("x")];
    }
  }
  rmSync(folder, { recursive: true, force: true });
  return out;
}

await test(
  "the difference it tells is that of two runs by the command; nothing stays behind",
  { scenario: "two_gains.yaml" },
  async (s) => {
    await s.runTo(20);
    const end = await s.app((a) => a.world(0).end);
    const log = (await s.ask("log", { world: 0 })).entries.length;
    await s.page.getByRole("button", { name: "Check", exact: true }).click();
    await s.until((a) => a.stepError, "the result", undefined, 60000);
    const e = await s.app((a) => a.stepError);
    const one = run(0.01, end);
    const half = run(0.005, end);
    const both = Object.keys(one).filter((k) => k in half);
    assert.ok(both.length > 500, `${both.length} places to compare`);
    const worst = Math.max(...both.map((k) => Math.abs(one[k] - half[k])));
    assert.ok(worst > 1e-7, "the two runs do not differ: nothing is tested");
    assert.ok(
      e.x > 0.7 * worst && e.x < 1.5 * worst,
      `told ${e.x} m, two runs differ by ${worst} m at tenths of a second`,
    );
    await s.until(
      () => /moves no car by more than [\d.]+ (µm|mm|m)/.test(document.querySelector(".toasts")?.textContent ?? ""),
      "it to be told",
    );
    await s.until((a) => a.worlds.length === 1, "the branch to be gone");
    assert.equal((await s.ask("log", { world: 0 })).entries.length, log);
    assert.equal(await s.app((a) => a.world(0).step), 0.01);
  },
);

await test("a coarse step shows, and the finer run can be kept beside", { scenario: "two_gains.yaml" }, async (s) => {
  await s.live(1); // not from the start: what is compared begins where the step was changed
  await s.ask("step", { world: 0, step: 0.05 });
  await s.runTo(20);
  await s.app((a) => a.run("check step"));
  await s.until((a) => a.stepError, "the result", undefined, 60000);
  const coarse = await s.app((a) => a.stepError.x);
  await s.app((a) => {
    a.stepError = null;
  });
  await s.until((a) => a.worlds.length === 1, "the branch to be gone");
  await s.page.getByRole("button", { name: "Keep it beside" }).last().click();
  await s.until(
    (a) => a.worlds.length === 2 && Math.abs(a.worlds[1].step - 0.025) < 1e-9,
    "the world with half the step",
  );
  assert.ok(coarse > 1e-4, `${coarse} m`);
});

await finish();
