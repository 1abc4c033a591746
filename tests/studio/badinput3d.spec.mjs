// badinput3d.spec.mjs - what cannot be drawn is said in a sentence, and the rest of the page continues: numbers that are not
// finite in recordings of vehicles and of mechanisms, looks that are broken or too large.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { assert, finish, program, root, test } from "./studio.mjs";

const folder = mkdtempSync(`${tmpdir()}/motorcade-bad-`);
mkdirSync(`${folder}/bad`);
const file = (name) => `${folder}/bad/${name}`;
execFileSync(program, ["run", `${root}/scenarios/mixed.yaml`, "-q", "--end", "3", "-o", file("run.h5")]);
execFileSync(program, ["simulate", `${root}/models/pendulum.yaml`, "-q", "--end", "1", "-o", file("swing.h5")]);
// From the middle on, one vehicle is nowhere; so is the pendulum.
execFileSync("/usr/bin/python3", [
  "-c",
  `import h5py
with h5py.File("${file("run.h5")}", "a") as f:
    f["motion"][15:, 2, :] = float("nan")
    f["pose"][15:, 2, :] = float("nan")
with h5py.File("${file("swing.h5")}", "a") as f:
    def poison(name, data):
        if isinstance(data, h5py.Dataset) and data.dtype.kind == "f" and data.ndim > 1 and data.shape[0] > 20 and "time" not in name:
            data[10] = float("nan")
    f.visititems(poison)`,
]);
const good = readFileSync(`${root}/scenarios/looks/bus.glb`);
writeFileSync(file("cut.glb"), good.subarray(0, good.length / 2));
for (const [name, look] of [
  ["cut.yaml", "cut.glb"],
  ["missing.yaml", "nowhere.glb"],
])
  writeFileSync(
    file(name),
    `motorcade: scenario\nname: ${look}\ntime: {end: 5, step: 0.02}\nmodels:\n  odd: {kind: point, look: ${look}}\nvehicles:\n  - {model: odd, x: 0, v: 10}\n`,
  );

const platoon = {
  scenario: "two_gains.yaml",
  args: ["--paused", "--folder", `${folder}/bad`, "--folder", `${root}/models`],
};

async function open3d(s) {
  await s.app((a) => a.layout.set({ view: "3d" }));
  await s.until((a) => a.space && a.space.script > 0, "the 3-D view", undefined, 30000);
}
// What is drawn is somewhere, however many there are.
const drawn = (s) =>
  s.app((a) => {
    const p = a.space;
    p.draw();
    let all = 0;
    let finite = 0;
    for (const name of ["sedan", "compact", "van", "pickup", "offroader", "truck", "trailer"])
      for (const part of [0, 1, 2, "wheels"]) {
        const i = p.fleet.instances(name, part);
        for (let k = 0; i && k < 16 * i.count; k++, all++) finite += Number.isFinite(i.matrix[k]) ? 1 : 0;
      }
    return { all, finite, vehicles: a.frame(a.worlds[0].world)?.n };
  });

await test(
  "a vehicle that is nowhere in a recording is left out; the others are drawn and move",
  platoon,
  async (s) => {
    await open3d(s);
    const opened = await s.ask("open", { file: "bad/run.h5" });
    assert.notEqual(opened.kind, "refused", opened.reason);
    await s.until((a) => a.worlds[0]?.kind === "replay" && a.frame(a.worlds[0].world), "the recording");
    await s.seek(0.5);
    const first = await drawn(s);
    await s.seek(2.5);
    const last = await drawn(s);
    assert.ok(first.finite === first.all && last.finite === last.all, JSON.stringify([first, last]));
    assert.ok(first.all > 0 && last.all > 0, JSON.stringify([first, last]));
  },
);

await test("a mechanism that is nowhere in its results is rejected with the instant", platoon, async (s) => {
  const answer = await s.ask("open", { file: "bad/swing.h5" });
  assert.equal(answer.kind, "refused");
  assert.match(answer.reason, /finite|not a number/);
  assert.equal(await s.app((a) => a.worlds[0].kind), "run", "the platoon stays");
});

await test("a broken look is named with its file, and what was open stays", platoon, async (s) => {
  await open3d(s);
  for (const [name, words] of [
    ["cut.yaml", /cut\.glb|bytes|ends/],
    ["missing.yaml", /nowhere\.glb/],
  ]) {
    const answer = await s.ask("open", { file: `bad/${name}` });
    assert.equal(answer.kind, "refused", name);
    assert.match(answer.reason, words);
  }
  await s.runTo(1);
  const now = await drawn(s);
  assert.ok(now.all > 0 && now.finite === now.all && now.vehicles > 4, JSON.stringify(now));
});

await finish();
