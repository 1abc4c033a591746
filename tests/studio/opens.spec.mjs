// Everything opens: every file that ships, and results of every kind, in one page; its vehicles are in the 3-D picture and
// move where the model moves.
import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { assert, finish, program, root, test } from "./studio.mjs";

const folder = mkdtempSync(`${tmpdir()}/motorcade-opens-`);
const made = `${folder}/made`;
execFileSync("mkdir", [made]);
const run = (...words) => execFileSync(program, words, { cwd: made, stdio: "ignore" });
run("run", `${root}/scenarios/mixed.yaml`, "-q", "--end", "3", "-o", "mixed.h5");
run("run", `${root}/scenarios/merge.yaml`, "-q", "--end", "3", "-o", "merge.h5");
run(
  "medusa",
  "-t2",
  "--models",
  `${root}/scenarios/medusa/model.dat`,
  `-f${root}/scenarios/medusa/platoon.dat`,
  "--hdf5",
  "medusa.h5",
);
run("run", `${root}/scenarios/two_gains.yaml`, "-q", "--end", "3", "--csv", "csv");

// What is drawn now: places of vehicles in the picture, by whatever draws them.
const places = (s) =>
  s.app((a) => {
    const p = a.space;
    p.draw();
    const f = a.frame(a.worlds[0].world);
    return {
      n: f.n,
      time: f.time,
      x: [...f.x],
      v: [...(f.field("v") ?? [])],
      drawn: p.fleet.drawn + p.bodies.drawn.length,
      finite: p.bodies.drawn.every((b) =>
        [...b.skin.bodies.instanceMatrix.array.slice(16 * b.at, 16 * b.at + 16)].every(Number.isFinite),
      ),
    };
  });

async function look(s, file) {
  const before = await s.app(() => window.resets);
  const opened = await s.ask("open", { file });
  if (opened.kind === "refused") throw new Error(`${file}: ${opened.reason}`);
  await s.until(
    (a, n) => window.resets > n && a.worlds.length > 0 && a.frame(a.worlds[0].world) !== null,
    `the world of ${file}`,
    before,
  );
  const replay = await s.app((a) => a.worlds[0].kind === "replay");
  await s.app((a) => a.option("stopAtCollision", false)); // options are kept by file
  const [start, end] = await s.app((a) => [a.worlds[0].start, a.worlds[0].limit]);
  const to = Math.min(start + 1.2, end);
  if (!replay) await s.runTo(to);
  await s.seek(start + 0.2);
  await s.until((a) => a.space.script > 0, "the picture");
  const first = await places(s);
  await s.seek(to);
  const last = await places(s);
  return { first, last };
}

await test(
  "every scenario, platoon and results file has its vehicles in the 3-D picture, and they move",
  {
    scenario: "two_gains.yaml",
    width: 480,
    height: 420,
    args: ["--folder", `${root}/scenarios`, "--folder", made],
    patience: 60000,
  },
  async (s) => {
    await s.app((a) => {
      window.resets = 0; // worlds that replaced all others
      a.on("worlds", (d) => {
        if (d?.reset) window.resets++;
      });
    });
    await s.app((a) => a.layout.set({ view: "3d" }));
    await s.until((a) => a.space && a.space.script > 0, "the 3-D view", undefined, 60000);
    await s.app((a) => a.space.setQuality(0));
    const { folders } = await s.ask("files");
    const files = folders.flatMap((f) => f.files.map((e) => ({ ...e, file: `${f.name}/${e.file}` })));
    const kinds = new Set(files.map((f) => f.kind));
    for (const kind of ["scenario", "medusa", "results", "dynavis", "data.asc", "csv"])
      assert.ok(kinds.has(kind), `no file of kind ${kind}`);
    let count = 0;
    for (const { file, kind } of files) {
      if (!["scenario", "medusa", "results", "dynavis", "data.asc", "csv"].includes(kind) || /parts?\.yaml$/.test(file))
        continue;
      if (/\bfmu\//.test(file)) continue; // names a unit that has to be made first (docs/fmu.md)
      const { first, last } = await look(s, file);
      assert.ok(first.n > 0 && last.n > 0, `${file}: no vehicle`);
      assert.ok(first.drawn > 0 && last.drawn > 0, `${file}: nothing is drawn`);
      assert.ok(first.finite && last.finite, `${file}: a body is nowhere`);
      const moves = first.v.some((v) => Math.abs(v) > 0.5);
      const moved = last.x.some((x, i) => Math.abs(x - (first.x[i] ?? x)) > 0.1);
      assert.ok(!moves || moved, `${file}: nothing moves`);
      count++;
    }
    console.log(`  ${count} files`);
    assert.ok(count > 30, `${count} files`);
  },
);

await finish();
