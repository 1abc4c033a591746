// The page itself: coming back, lost connections, keys, finder, files, sharing, help, access for all.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { assert, finish, program, root, startServer, test } from "./studio.mjs";

const two = { scenario: "two_gains.yaml" };

await test.core("a reloaded page comes back where it was", two, async (s) => {
  await s.runTo(10);
  await s.seek(4.5);
  await s.app((a) => {
    const tell = a.tell.bind(a);
    a.tell = (kind, args) => {
      if (kind === "time") window.told = args; // once a second
      tell(kind, args);
    };
    a.select(0, "car4");
    a.clock.setLoop(4, 6);
    a.layout.set({ view: "timespace" });
  });
  await s.until(
    () => window.told?.select === "car4" && window.told.ui.loop && window.told.ui.layout.view === "timespace",
    "the server to be told",
  );
  await s.page.reload();
  await s.until((a) => a.connected && a.frame(0) !== null, "frames");
  await s.sees(async () =>
    assert.deepEqual(
      await s.app((a) => ({
        t: a.clock.t,
        playing: a.clock.playing,
        live: a.clock.live,
        car: a.selection?.vehicle,
        loop: a.clock.loop,
        view: a.layout.view,
      })),
      { t: 4.5, playing: false, live: false, car: "car4", loop: [4, 6], view: "timespace" },
    ),
  );
});

await test.core(
  "a lost connection is said, the past can be watched, and it comes back by itself",
  { ...two, errors: true },
  async (s) => {
    await s.live(3);
    const port = s.server.port;
    await s.server.stop();
    await s.until(() => /Lost, trying again/.test(document.querySelector(".pill").textContent), "the pill to say Lost");
    await s.sees(() => s.page.locator(".tp-branch").isDisabled(), "Branch here to be switched off");
    await s.page.locator(".tl-canvas").click({ position: { x: 600, y: 50 } });
    const t = await s.app((a) => a.clock.t);
    assert.ok(t > 0.3 && Math.abs((await s.app((a) => a.frame(0).time)) - t) < 0.2, "the past cannot be watched");
    const again = await startServer({ ...two, port });
    try {
      await s.until((a) => a.connected, "the connection", null, 15000);
      await s.until(() => !/Lost/.test(document.querySelector(".pill").textContent), "the pill");
      await s.sees(async () => assert.match(await s.toast(), /server was restarted: this is a new run/));
      await s.app((a) => a.clock.goLive());
      await s.live(0.5);
    } finally {
      await again.stop();
    }
  },
);

await test.core("Ctrl K finds commands, cars and parameters and does them", two, async (s) => {
  await s.live(0.5);
  await s.page.keyboard.press("Control+k");
  await s.page.keyboard.type("dark");
  await s.page.keyboard.press("Enter");
  assert.equal(await s.page.evaluate("document.documentElement.dataset.theme"), "dark");
  await s.page.keyboard.press("Control+k");
  await s.page.keyboard.type("car4");
  assert.match(await s.page.locator(".fi-list li").first().innerText(), /car4/);
  await s.page.keyboard.press("Enter");
  assert.equal(await s.app((a) => a.selection?.vehicle), "car4");
  for (const [typed, title] of [
    ["A5", /^car5/], // a tag is another name of its car, with the same number
    ["layout", /layout/i],
    ["friction", /Friction/],
  ]) {
    await s.page.keyboard.press("Control+k");
    await s.page.keyboard.type(typed);
    assert.match(await s.page.locator(".fi-list li .fi-title").first().innerText(), title);
    await s.page.keyboard.press("Escape");
  }
  await s.page.keyboard.press("Control+k");
  await s.page.keyboard.type("k3");
  assert.ok(
    (await s.page.locator(".fi-list li").allInnerTexts()).some((t) => /^k3/.test(t)),
    "k3 is not found",
  );
  await s.page.keyboard.press("Escape");
  await s.page.keyboard.press("Control+k");
  await s.page.keyboard.type("0.25");
  await s.page.keyboard.press("Enter");
  assert.equal(await s.app((a) => a.clock.t), 0.25);
});

await test.core("? lists the keys; a key can be changed and switched off, and stays so", two, async (s) => {
  await s.live(0.5);
  await s.page.keyboard.press("?");
  const row = s.page.locator(".kl-row", { hasText: "Inspector" });
  await row.getByRole("button").click();
  await s.page.keyboard.press("u");
  assert.match(await row.innerText(), /U/);
  await s.page.keyboard.press("Escape");
  await s.page.keyboard.press("u");
  assert.equal(await s.app((a) => a.layout.inspector), false);
  await s.page.keyboard.press("h");
  assert.equal(await s.app((a) => a.layout.inspector), false);
  await s.page.reload();
  await s.until((a) => a.connected && a.worlds.length, "the page");
  const was = await s.app((a) => a.layout.inspector);
  await s.page.keyboard.press("u");
  assert.equal(await s.app((a) => a.layout.inspector), !was);
});

await test("the about box has the program's version and the licences of all the page is made of", two, async (s) => {
  const version = execFileSync(program, ["--version"], { encoding: "utf8" }).trim().split(" ")[1];
  await s.page.keyboard.press("?");
  await s.page.getByRole("button", { name: "About Motorcade" }).click();
  const box = s.page.getByRole("dialog", { name: "About Motorcade" });
  assert.equal(await box.getByRole("heading", { level: 2 }).innerText(), `Motorcade ${version}`);
  await box.locator("details").first().waitFor();
  assert.deepEqual((await box.locator("summary b").allInnerTexts()).sort(), [
    "@fontsource/inter",
    "@fontsource/jetbrains-mono",
    "three",
    "uplot",
  ]);
  for (const licence of await box.locator("pre").allTextContents())
    assert.match(licence, /Copyright[\s\S]*(WITHOUT WARRANTY OF ANY KIND)/i);
  assert.match(await box.locator("pre").first().innerText(), /MIT License/);
  await box.getByText("three", { exact: true }).click();
  await s.page.getByText("three.js authors").waitFor();
  await s.page.keyboard.press("Escape");
  assert.equal(await box.count(), 0);
});

await test("letters are inactive in text fields", two, async (s) => {
  await s.runTo(2);
  await s.page.locator("button.tp-clock").click();
  await s.page.keyboard.type("bh");
  assert.equal(await s.app((a) => a.worlds.length), 1);
  assert.equal(await s.app((a) => a.layout.inspector), true);
});

await test("H, Shift I, T and the view switch change the layout", two, async (s) => {
  await s.live(0.3);
  const size = (q, what) =>
    s.page
      .locator(q)
      .boundingBox()
      .then((b) => b[what]);
  const wide = await size(".centre", "width");
  await s.page.keyboard.press("h");
  await s.sees(async () => (await size(".centre", "width")) > wide + 300, "the room of the inspector");
  await s.page.keyboard.press("h");
  await s.sees(async () => (await size(".centre", "width")) === wide, "the inspector again");
  const high = await size(".view:not(.hidden)", "height");
  await s.page.keyboard.press("Shift+I");
  await s.sees(async () => (await size(".view:not(.hidden)", "height")) > high + 270, "the room of the instruments");
  await s.page.keyboard.press("Shift+I");
  await s.page.getByRole("tab", { name: "Time–space" }).click();
  assert.equal(await s.app((a) => a.layout.view), "timespace");
  await s.page.locator('.rail [data-panel="mileage"]').click();
  assert.deepEqual(await s.app((a) => [a.layout.view, a.layout.bench]), ["bench", "mileage"]);
});

await test("the layout is kept for the scenario", two, async (s) => {
  await s.app((a) => a.layout.set({ inspector: false, view: "timespace" }));
  await s.page.evaluate(() => sessionStorage.clear()); // a new visit, not a reload
  await s.page.reload();
  await s.until((a) => a.connected && a.worlds.length > 0, "the page");
  assert.deepEqual(await s.app((a) => [a.layout.inspector, a.layout.view]), [false, "timespace"]);
});

await test.core("regions have the sizes of the design at 1440 x 900", two, async (s) => {
  const box = async (q) => {
    const b = await s.page.locator(q).boundingBox();
    return [b.x, b.y, b.width, b.height].map(Math.round);
  };
  assert.deepEqual(await box(".top"), [0, 0, 1440, 44]);
  assert.deepEqual(await box(".rail"), [0, 44, 56, 704]);
  assert.deepEqual(await box(".aside"), [1132, 44, 308, 704]);
  assert.deepEqual(await box(".timeline"), [0, 748, 1440, 152]);
  assert.deepEqual(await box(".instruments"), [64, 460, 1060, 280]);
});

await test(
  "1280 x 720 folds the instruments, a tablet makes the inspector a drawer",
  { ...two, width: 1280, height: 720 },
  async (s) => {
    assert.equal(Math.round((await s.page.locator(".instruments").boundingBox()).height), 36);
    const scene = (await s.page.locator(".view:not(.hidden)").boundingBox()).height;
    assert.ok(scene >= 0.4 * 720, `the scene is ${scene} px high`);
    await s.page.setViewportSize({ width: 1024, height: 768 });
    await s.until((a) => a.layout.narrow && !a.layout.inspector, "the narrow layout");
    assert.equal(await s.page.locator(".aside").isVisible(), false);
    await s.page.keyboard.press("h");
    await s.sees(async () => {
      const b = await s.page.locator(".aside").boundingBox();
      return b !== null && Math.round(b.x + b.width) === 1024;
    }, "the drawer at the right edge");
    assert.ok((await s.page.locator(".centre").boundingBox()).width > 900, "the drawer takes room from the scene");
    assert.equal(await s.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), true);
  },
);

await test.core("a scenario dropped on the window opens; a wrong one is shown with its place", two, async (s) => {
  await s.live(0.5);
  const drop = (name, text) =>
    s.page.evaluate(
      ({ name, text }) => {
        const data = new DataTransfer();
        data.items.add(new File([text], name));
        for (const type of ["dragenter", "dragover", "drop"])
          document.body.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
      },
      { name, text },
    );
  const text = readFileSync(`${root}/scenarios/two_gains.yaml`, "utf8");
  await drop("wrong.yaml", text.replace("headway: 0.3", "headway: fast"));
  await s.page.locator(".fe").waitFor();
  assert.match(await s.page.locator(".fe").innerText(), /wrong\.yaml:13:\d+[^]*headway: fast/);
  await s.page.keyboard.press("Escape");
  const t = await s.app((a) => a.clock.t);
  await s.live(t + 0.3); // what ran before still runs
  await drop("mine.yaml", text.replace(/^name:.*$/m, "name: Dropped here"));
  await s.until((a) => a.title === "Dropped here", "the dropped scenario");
  await s.live(0.2);
});

await test("picture, table, scenario, state, log and video frames are saved", two, async (s) => {
  await s.runTo(2);
  await s.ask("set", { world: 0, controller: "follow", param: "k3", value: 1.6 });
  await s.runTo(4);
  await s.seek(2);
  const folder = mkdtempSync(`${tmpdir()}/motorcade-`);
  const save = async (name) => {
    const [d] = await Promise.all([
      s.page.waitForEvent("download"),
      s.app((a, n) => {
        a.run(n);
      }, name),
    ]);
    const path = `${folder}/${d.suggestedFilename()}`;
    await d.saveAs(path);
    return readFileSync(path);
  };
  const png = await save("share.png");
  assert.equal(png.subarray(1, 4).toString(), "PNG");
  assert.ok(png.readUInt32BE(16) >= 1000 && png.length > 10000, "the picture is small");
  assert.ok((await save("share.csv")).toString().split("\n").length > 50);
  const scenario = await save("share.scenario");
  writeFileSync(`${folder}/again.yaml`, scenario);
  assert.match(scenario.toString(), /^platoons:/m);
  assert.match(scenario.toString(), /^log: \|\n  step,event,.*\n  \d+,set,@follow,k3,1\.6,/m);
  assert.match(JSON.parse((await save("share.state")).toString()).log, /set,@follow,k3,1\.6,/);
  await save("share.log");
  await s.app((a) => a.clock.setLoop(1, 1.3));
  const zip = await save("share.frames");
  assert.equal(zip.readUInt32LE(0), 0x04034b50);
  assert.equal(zip.readUInt16LE(zip.length - 12), 10, "0.3 s at 30 a second are 10 pictures");
});

await test.core("a shared link opens the same instant, car and view", two, async (s) => {
  await s.runTo(8);
  await s.seek(5);
  await s.app((a) => {
    a.select(0, "car3");
    a.option("error.factor", 20);
  });
  await s.app((a) => {
    a.run("share.link");
  });
  await s.until(() => /[#&]o=/.test(location.hash), "the link");
  const link = await s.page.evaluate("location.href");
  const other = await s.page.context().browser().newContext();
  const page = await other.newPage();
  await page.goto(link);
  const seen =
    "window.motorcade && { t: motorcade.clock.t, car: motorcade.selection?.vehicle, playing: motorcade.clock.playing, factor: motorcade.option('error.factor') }";
  await s.sees(async () =>
    assert.deepEqual(await page.evaluate(seen), { t: 5, car: "car3", playing: false, factor: 20 }),
  );
  await other.close();
});

await test("the first minute waits for the real actions", two, async (s) => {
  await s.live(3);
  await s.app((a) => a.run("minute"));
  assert.match(await s.page.locator(".fm").innerText(), /1 of 7/);
  await s.page.waitForTimeout(600);
  assert.match(await s.page.locator(".fm").innerText(), /1 of 7/);
  await s.page.keyboard.press("Space");
  await s.until(() => /2 of 7/.test(document.querySelector(".fm").textContent), "step 2");
  await s.page.locator(".tl-canvas").click({ position: { x: 400, y: 50 } });
  await s.until(() => /3 of 7/.test(document.querySelector(".fm").textContent), "step 3");
  await s.app((a) => a.select(0, "car4"));
  await s.until(() => /4 of 7/.test(document.querySelector(".fm").textContent), "step 4");
});

await test("three hints on the first visit, each goes when it is followed", { ...two, hints: true }, async (s) => {
  await s.live(2.5);
  assert.match(await s.page.locator(".hint").innerText(), /Space stops time/);
  await s.page.keyboard.press("Space");
  await s.until(() => /Go back, drag k3/.test(document.querySelector(".hint").textContent), "the second hint");
  await s.page.getByRole("button", { name: "Dismiss the hint" }).click();
  await s.sees(async () => assert.match(await s.page.locator(".hint").innerText(), /Press \? for keys/));
  await s.page.keyboard.press("?");
  await s.until(() => document.querySelector(".hint") === null, "the last hint to go");
});

await test("F1 explains what has the focus, from the tables", two, async (s) => {
  await s.live(0.5);
  await s.page.evaluate(() => {
    const e = document.createElement("button");
    e.dataset.help = "k3";
    e.textContent = "k3";
    e.id = "probe";
    document.querySelector(".top").append(e);
    e.focus();
  });
  await s.page.keyboard.press("F1");
  await s.sees(async () => assert.match(await s.page.locator(".hc").innerText(), /k3[\s\S]*Range/));
});

await test.core("cars can be read and chosen by keyboard alone", two, async (s) => {
  await s.live(1);
  await s.page.locator(".sp-cars tbody tr").first().focus();
  await s.page.keyboard.press("ArrowDown");
  await s.page.keyboard.press("ArrowDown");
  await s.until(() => /\d/.test(document.activeElement.cells[1].textContent), "its values");
  const name = await s.page.evaluate("document.activeElement.dataset.car");
  await s.page.keyboard.press("Enter");
  assert.equal(await s.app((a) => a.selection.vehicle), name);
  await s.until(() => /selected/.test(document.querySelector('[role="log"]').textContent), "it to be spoken");
});

for (const theme of ["light", "dark"])
  await test(`axe-core finds nothing, ${theme}`, { ...two, theme }, async (s) => {
    await s.runTo(5);
    await s.seek(3);
    await s.page.keyboard.press("b");
    await s.until((a) => a.worlds.length === 2, "the branch");
    const look = (what) => s.accessible(what);
    await look("nothing selected");
    await s.app((a) => a.select(0, "car4"));
    await s.page.waitForTimeout(400);
    await look("a car selected");
    await s.app((a) => {
      a.run("choose platoon");
      a.run("card-log");
      a.run("card-figures");
    });
    await s.page.waitForTimeout(1200);
    await look("several cars, the log");
    await s.app((a) => a.run("start screen"));
    await s.page.locator(".st-card").first().waitFor();
    await look("the start screen");
    await s.page.keyboard.press("Escape");
    await s.app((a) => a.select(0, "car4"));
    for (const panel of ["road", "cars", "control", "vehicle", "files"]) {
      await s.app((a, p) => a.layout.set({ panel: p }), panel);
      await s.page.waitForTimeout(200);
      await look(`panel ${panel}`);
    }
    for (const bench of ["identify", "mileage", "sweep"]) {
      await s.app((a, b) => a.layout.set({ panel: null, view: "bench", bench: b }), bench);
      await s.page.waitForTimeout(300);
      await look(`bench ${bench}`);
    }
    await s.app((a) => a.layout.set({ view: "timespace" }));
    await look("time-space");
    await s.page.keyboard.press("Control+k");
    await look("the finder");
    await s.page.keyboard.press("Escape");
    await s.app((a) => a.run("about"));
    await s.page.locator(".ab-body summary").first().click();
    await look("the about box");
    await s.page.keyboard.press("Escape");
    await s.page.keyboard.press("?");
    await look("the list of keys");
  });

await test("a layout is saved by name and opened again", two, async (s) => {
  await s.live(0.5);
  await s.app((a) => a.layout.set({ view: "timespace", panel: "road" }));
  await s.app((a) => a.run("layout.save"));
  await s.page.getByLabel("Name of the layout").last().fill("Road and paths");
  await s.page.keyboard.press("Enter");
  await s.app((a) => a.layout.set({ view: "road", panel: null }));
  await s.page.reload();
  await s.until((a) => a.connected && a.frame(0), "the page");
  await s.page.keyboard.press("Control+k");
  await s.page.keyboard.type("road and paths");
  await s.page.keyboard.press("Enter");
  await s.until((a) => a.layout.view === "timespace" && a.layout.panel === "road", "the layout");
});

await test("help topics: all in a box, each found by Ctrl K", two, async (s) => {
  await s.live(0.5);
  await s.app((a) => a.run("help.topics"));
  assert.ok((await s.page.locator(".tp-topics summary").count()) >= 10);
  await s.page.keyboard.press("Escape");
  await s.page.keyboard.press("Control+k");
  await s.page.keyboard.type("driving by hand");
  await s.page.keyboard.press("Enter");
  assert.match(await s.page.locator('[data-topic="drive"] p').first().innerText(), /arrow up is throttle/);
  assert.equal(await s.page.locator('[data-topic="drive"]').evaluate((e) => e.open), true);
});

await finish();
