// Files: opened, opened beside the run, rejected with line and caret, saved; a state saved and resumed.
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { assert, finish, test } from "./studio.mjs";

const two = { scenario: "two_gains.yaml" };
const open = async (s) => {
  await s.live(1);
  await s.page.locator('.rail [data-panel="files"]').click();
  await s.page.locator(".fi-open").first().waitFor();
};
const folder = mkdtempSync(`${tmpdir()}/motorcade-files-`);

// Clicks a button that saves, and gives the file's name and text.
async function saved(s, what) {
  const [file] = await Promise.all([
    s.page.waitForEvent("download"),
    s.page.locator(`[data-export="${what}"]`).click(),
  ]);
  const path = `${folder}/${file.suggestedFilename()}`;
  await file.saveAs(path);
  return { path, name: file.suggestedFilename(), text: readFileSync(path, "utf8") };
}

await test.core("scenario, log, CSV and DYNAVIS data are saved", two, async (s) => {
  await open(s);
  await s.ask("set", { world: 0, controller: "follow", param: "k3", value: 2 });
  await s.live(2);
  assert.match((await saved(s, "scenario")).text, /motorcade: scenario/);
  assert.match((await saved(s, "log")).text, /set.*k3/);
  const csv = await saved(s, "csv");
  assert.match(csv.text, /^# units: t s, x m, .*\nt,vehicle,x,/);
  assert.equal(csv.name, "two_gains-Main.csv", "scenario and world are in the name");
  const dynavis = await saved(s, "dynavis");
  assert.ok(dynavis.text.length > 1000 && dynavis.name === "two_gains-Main.dat");
});

await test.core("a state is saved and resumed, identical to the bit", two, async (s) => {
  await open(s);
  await s.ask("set", { world: 0, controller: "follow", param: "k3", value: 2 });
  await s.live(2);
  await s.ask("car", { world: 0, op: "remove", vehicle: "car7" });
  await s.live(3);
  await s.rest();
  const state = await saved(s, "state");
  assert.match(state.name, /^two_gains-[\d.]+s\.mcstate$/);
  const { t, hash } = JSON.parse(state.text);
  const { file } = (await s.ask("files")).folders[0].files.find(
    (f) => f.kind === "scenario" && f.file !== "two_gains.yaml",
  );
  await s.ask("open", { file });
  await s.until((a, name) => a.file === name && a.frame(a.worlds[0].world) !== null, `${file} to be open`, file);
  const [chooser] = await Promise.all([
    s.page.waitForEvent("filechooser"),
    s.page.getByRole("button", { name: /Open a file/ }).click(),
  ]);
  await chooser.setFiles(state.path);
  await s.until(
    (a, t) =>
      a.file === "two_gains.yaml" &&
      a.worlds.length === 1 &&
      a.worlds[0].end >= t - 1e-6 &&
      a.worlds[0].vehicles.length === 7,
    "the state",
    t,
    20000,
  );
  await s.until(
    (a) => a.events(a.worlds[0].world).some((e) => /bit-identical/.test(e.text)),
    "the word that it is the same",
  );
  const again = await s.app(
    (a, t) =>
      a
        .ask("seek", { world: a.worlds[0].world, t, fields: ["middle"] })
        .then((r) => r.frames[0].hash.toString(16).padStart(16, "0")),
    t,
  );
  assert.equal(again, hash);
});

await test.core(
  "a scenario is opened, then another beside it; a broken one is shown with line and caret",
  two,
  async (s) => {
    await open(s);
    const files = (await s.ask("files")).folders[0].files.filter(
      (f) => f.kind === "scenario" && f.file !== "two_gains.yaml",
    );
    await s.page.getByRole("button", { name: `open ${files[0].file} beside`, exact: true }).click();
    await s.until((a) => a.worlds.length === 2, "a world beside", null, 20000);
    const bad = `${folder}/broken.yaml`;
    writeFileSync(
      bad,
      readFileSync(new URL("../../scenarios/two_gains.yaml", import.meta.url), "utf8").replace(
        /law: platoon/,
        "law: plattoon",
      ),
    );
    const [chooser] = await Promise.all([
      s.page.waitForEvent("filechooser"),
      s.page.getByRole("button", { name: /Open a file/ }).click(),
    ]);
    await chooser.setFiles(bad);
    await s.page.locator(".fe").waitFor();
    assert.match(await s.page.locator(".fe").innerText(), /broken\.yaml:\d+:\d+[\s\S]*platoon[\s\S]*\^/);
    assert.equal(await s.app((a) => a.worlds.length), 2);
    await s.page.keyboard.press("Escape");
  },
);

await test.core(
  "ten invalid files: each is rejected with a reason, the run continues",
  { ...two, errors: true },
  async (s) => {
    await open(s);
    const wrong = [
      { file: "../../etc/passwd" },
      { file: "nothing.yaml" },
      { file: "/etc/hosts" },
      { upload: "00000000" },
      { text: "" },
      { text: "motorcade: scenario" },
      { text: "{", name: "x.yaml" },
      { text: "models: {car: {file: /etc/passwd}}" },
      { file: "two_gains.yaml", upload: "1" },
      {},
    ];
    for (const q of wrong) {
      const a = await s.ask("open", q);
      assert.ok(a.kind === "refused" && a.reason.length > 5, JSON.stringify([q, a]));
    }
    for (const [name, text] of [
      ["x.mcstate", "{}"],
      ["y.mcstate", "nonsense"],
      ["z.csv", "a,b\n1"],
      ["w.asc", "1 2 3"],
      ["v.h5", "no"],
    ]) {
      const key = await s.page.evaluate(
        ([name, text]) =>
          fetch(`/upload?name=${name}`, { method: "POST", body: text })
            .then((r) => r.json())
            .then((r) => r.upload),
        [name, text],
      );
      const a = await s.ask("open", { upload: key, name });
      assert.ok(a.kind === "refused" && a.reason.length > 5, `${name}: ${JSON.stringify(a)}`);
    }
    assert.equal(await s.app((a) => a.world(0).state), "running");
    assert.equal((await s.ask("export", { what: "soup" })).kind, "refused");
  },
);

await test("the list offers no file that it cannot open: MEDUSA's are not DYNAVIS data", two, async (s) => {
  const files = (await s.ask("files")).folders.flatMap((f) => f.files);
  const data = files.filter((f) => f.kind === "dynavis");
  assert.deepEqual(data.map((f) => f.file.split("/").pop()).sort(), ["demo4.dat", "demo5.dat"]);
  for (const f of data) {
    const count = await s.app((a) => a.worlds.length);
    await s.ask("open", { file: f.file, beside: true });
    await s.until((a, n) => a.worlds.length > n, `${f.file} to open`, count, 20000);
  }
});

await test("a scenario is opened with the files it names, and from among these alone", two, async (s) => {
  await open(s);
  const drop = (files) =>
    s.page.evaluate((list) => {
      const data = new DataTransfer();
      for (const [name, text] of list) data.items.add(new File([text], name));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, cancelable: true, bubbles: true }));
    }, files);
  const scenario = (driver) => `motorcade: scenario
name: Dropped together
time: {end: 20, step: 0.02}
models: {car: {kind: powertrain}}
vehicles:
  - {name: first, model: car, x: 0, v: 20, driver: ${driver}}
`;
  await drop([
    ["driver.csv", "t,throttle,brake,steer\n0,0.9,0,0\n20,0.9,0,0\n"],
    ["dropped.yaml", scenario("drivers/driver.csv")],
  ]);
  await s.until((a) => a.title === "Dropped together" && a.worlds[0].vehicles.length === 1, "the scenario");
  await s.app((a) => a.clock.goLive());
  await s.until((a) => a.frame(a.worlds[0].world)?.field("throttle")[0] > 0.8, "the driver's file to be used");
  await drop([
    ["driver.csv", "t,throttle,brake,steer\n0,0.9,0,0\n"],
    ["dropped.yaml", scenario("/etc/passwd")],
  ]);
  await s.page.locator(".fe").waitFor();
  assert.match(await s.page.locator(".fe").innerText(), /passwd is not among the files that came with the scenario/);
});

await test(
  "a world is saved as a results file: opened again, it is the world with its commands",
  { scenario: "two_gains.yaml" },
  async (s) => {
    await s.runTo(4);
    await s.ask("set", { world: 0, controller: "follow", param: "k3", value: 1.6 });
    await s.runTo(10);
    const saved = await s.ask("export", { what: "results", world: 0 });
    assert.match(saved.name, /^two_gains-Main\.h5$/);
    assert.equal(saved.encoding, "base64");
    await s.page.locator("nav.rail").getByText("Files", { exact: true }).click();
    const [download] = await Promise.all([
      s.page.waitForEvent("download"),
      s.page.getByRole("button", { name: "Results (HDF5)" }).click(),
    ]);
    await download.saveAs(`${folder}/run.h5`);
    const bytes = readFileSync(`${folder}/run.h5`);
    assert.deepEqual([...bytes.subarray(1, 4)], [...Buffer.from("HDF")]);
    const upload = await (
      await fetch(new URL("/upload?name=run.h5", s.server.address), { method: "POST", body: bytes })
    ).json();
    assert.equal((await s.ask("open", { upload: upload.upload, name: "run.h5", beside: true })).kind, "done");
    await s.until((a) => a.worlds.length === 2, "the recording as a world");
    const there = await s.app((a) => a.worlds[1].world);
    const q = { vehicles: ["car5"], fields: ["v", "spacing_error"], from: 0, to: 10, points: 100 };
    const [run, replay] = [
      await s.ask("series", { worlds: [0], ...q }),
      await s.ask("series", { worlds: [there], ...q }),
    ];
    for (const field of q.fields) {
      const [a, b] = [run.values[`0/car5/${field}`], replay.values[`${there}/car5/${field}`]];
      assert.ok(a.length > 20 && a.length === b.length, `${a.length} and ${b.length} values of ${field}`);
      const worst = Math.max(...a.map((v, k) => Math.abs(v - b[k])));
      assert.ok(worst < 1e-4, `${field} differs by ${worst}`);
    }
    assert.match((await s.ask("export", { what: "results", world: there })).reason, /is a recording/);
    await s.ask("worlds", { op: "discard", world: there });
    await s.runTo(240);
    assert.match(
      (await s.ask("export", { what: "results", world: 0 })).reason,
      /too long .* motorcade run SCENARIO -o/,
    );
  },
);

await finish();
