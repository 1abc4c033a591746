// Time: play, pause, back, frame by frame, speeds, loops, events, exact states.
import { Studio, assert, finish, root, test, valueOf } from "./studio.mjs";

const two = { scenario: "two_gains.yaml" };

await test.core("opens running; Space stops and starts time", { ...two, playing: true }, async (s) => {
  await s.until((a) => a.clock.t >= 1, "time to run by itself", null, 30000);
  const t0 = await s.app((a) => a.clock.t);
  await s.live(t0 + 0.5);
  await s.page.keyboard.press("Space");
  await s.until((a) => !a.clock.playing, "the pause");
  await s.until(() => /Paused/.test(document.querySelector(".pill").textContent), "the pill to say Paused");
  await s.rest(); // the server has heard of it
  const stopped = await s.app((a) => a.clock.t);
  const end = await s.app((a) => a.clock.end);
  await s.page.waitForTimeout(600);
  assert.equal(await s.app((a) => a.clock.t), stopped, "time advances although it is stopped");
  assert.equal(await s.app((a) => a.clock.end), end, "the simulation runs although no page plays");
  await s.page.keyboard.press("Space");
  await s.live(stopped + 0.5);
  await s.until(() => /Live/.test(document.querySelector(".pill").textContent), "the pill to say Live");
});

await test("the live picture keeps real time", two, async (s) => {
  await s.live(1);
  // Where the simulation has to wait for the machine, its clock waits too; what came late is caught up. Never
  // faster over some time, and in every picture not far behind the newest frame.
  const seen = await s.app(
    (a) =>
      new Promise((done) => {
        const end = a.clock.end;
        const n = performance.now();
        const behind = [];
        const look = () => {
          behind.push(a.store.newest() - a.clock.t);
          const past = (performance.now() - n) / 1000;
          const rate = (a.clock.end - end) / past;
          if (past < 5 || ((rate < 0.5 || rate > 1.15) && past < 60)) return requestAnimationFrame(look);
          behind.sort((p, q) => p - q);
          done({ rate, behind: behind[behind.length >> 1] });
        };
        requestAnimationFrame(look);
      }),
  );
  assert.ok(seen.rate > 0.1 && seen.rate < 1.15, `runs at ${seen.rate} x`);
  assert.ok(seen.behind >= 0 && seen.behind < 0.5, `${seen.behind} s behind`);
});

await test.core("comma and period step one stored frame, Alt arrow one simulation step", two, async (s) => {
  await s.runTo(5);
  await s.seek(3);
  await s.page.keyboard.press(".");
  assert.ok(Math.abs((await s.app((a) => a.clock.t)) - 3.02) < 1e-9);
  await s.page.keyboard.press(",");
  await s.page.keyboard.press(",");
  assert.ok(Math.abs((await s.app((a) => a.clock.t)) - 2.98) < 1e-9);
  await s.page.keyboard.press("Alt+ArrowRight");
  assert.ok(Math.abs((await s.app((a) => a.clock.t)) - 2.99) < 1e-9);
  await s.page.keyboard.press("Shift+ArrowLeft");
  assert.ok(Math.abs((await s.app((a) => a.clock.t)) - 1.99) < 1e-9);
  await s.until(
    () => document.querySelector("button.tp-clock").textContent === "00:01.990",
    "the clock to show 00:01.990",
  );
});

await test("J K L shuttle backwards, stop, forwards, faster when pressed again", two, async (s) => {
  await s.runTo(12);
  await s.seek(10);
  await s.page.keyboard.press("j");
  await s.until((a) => a.clock.t < 9.5, "time to run back");
  assert.equal(await s.app((a) => a.clock.rate), -1);
  await s.page.keyboard.press("j");
  await s.page.keyboard.press("j");
  assert.equal(await s.app((a) => a.clock.rate), -4);
  await s.until((a) => a.clock.t < 7, "time to run back faster");
  await s.page.keyboard.press("k");
  assert.equal(await s.app((a) => a.clock.playing), false);
  await s.page.keyboard.press("l");
  assert.equal(await s.app((a) => a.clock.rate), 1);
});

await test.core("backwards shows the same motion as forwards", two, async (s) => {
  await s.runTo(8);
  await s.seek(4);
  const ahead = await s.app(valueOf, { world: 0, car: "car4", field: "middle" });
  await s.app((a) => {
    a.clock.seek(6);
    a.clock.setRate(-1);
    a.clock.play(true);
  });
  await s.until((a) => a.clock.t < 4.2, "4 s");
  await s.app((a) => {
    a.clock.play(false);
    a.clock.seek(4);
  });
  await s.until((a) => a.frame(0).exact, "the exact state");
  assert.ok(Math.abs((await s.app(valueOf, { world: 0, car: "car4", field: "middle" })) - ahead) < 1e-3);
});

await test.core("any instant again is the same state to the bit", two, async (s) => {
  await s.runTo(20);
  const hash = () => s.app((a) => a.frame(0).hash.toString());
  await s.seek(7.31);
  await s.until((a) => a.frame(0).exact && a.frame(0).hash !== 0n, "the exact state");
  const first = await hash();
  await s.seek(15);
  await s.until((a) => a.frame(0).exact && Math.abs(a.frame(0).time - 15) < 0.006, "the exact state at 15 s");
  assert.notEqual(await hash(), first);
  await s.seek(7.31);
  await s.until((a) => a.frame(0).exact && Math.abs(a.frame(0).time - 7.31) < 0.006, "the exact state at 7.31 s");
  assert.equal(await hash(), first);
});

await test("speed 1/1000 to 100 by slider and keys", two, async (s) => {
  await s.live(0.5);
  const slider = s.page.getByRole("slider", { name: "Speed" });
  await slider.focus();
  await s.page.keyboard.press("Home");
  assert.equal(await s.app((a) => a.clock.rate), 0.001);
  await s.sees(async () => assert.match(await s.page.locator(".tp-field").first().innerText(), /1\/1000/));
  await s.page.keyboard.press("End");
  assert.equal(await s.app((a) => a.clock.rate), 100);
  await s.live(60);
  await s.page.locator(".tl-canvas").focus();
  await s.page.keyboard.press("\\");
  assert.equal(await s.app((a) => a.clock.rate), 1);
  await s.page.keyboard.press("]");
  assert.equal(await s.app((a) => a.clock.rate), 2);
  await s.page.keyboard.press("[");
  await s.page.keyboard.press("[");
  assert.equal(await s.app((a) => a.clock.rate), 0.5);
});

await test.core("I and O make a loop that repeats, P goes to and fro", two, async (s) => {
  await s.runTo(10);
  await s.seek(4);
  await s.page.keyboard.press("i");
  await s.seek(5);
  await s.page.keyboard.press("o");
  assert.deepEqual(await s.app((a) => a.clock.loop), [4, 5]);
  await s.app((a) => a.clock.play(true));
  const seen = await s.app(
    (a) =>
      new Promise((done) => {
        let low = 99;
        let high = 0;
        let wraps = 0;
        let last = a.clock.t;
        const look = () => {
          const t = a.clock.t;
          low = Math.min(low, t);
          high = Math.max(high, t);
          if (t < last - 0.3) wraps++;
          last = t;
          if (wraps < 2) requestAnimationFrame(look);
          else done({ low, high });
        };
        look();
      }),
  );
  assert.ok(seen.low >= 3.99 && seen.high <= 5.01, JSON.stringify(seen));
  await s.page.keyboard.press("p");
  for (const way of [-1, 1, -1])
    await s.until((a, sign) => Math.sign(a.clock.rate) === sign, way < 0 ? "time to run back" : "and on again", way);
});

await test("a time is typed into the clock", two, async (s) => {
  await s.runTo(8);
  await s.page.locator("button.tp-clock").click();
  await s.page.locator("input.tp-clock").fill("0:03.5");
  await s.page.keyboard.press("Enter");
  assert.equal(await s.app((a) => a.clock.t), 3.5);
  await s.page.locator("button.tp-clock").click();
  await s.page.locator("input.tp-clock").fill("soon");
  await s.page.keyboard.press("Enter");
  await s.sees(async () => assert.match(await s.toast(), /'soon' is not a time/));
  assert.equal(await s.app((a) => a.clock.t), 3.5);
});

await test("a time ahead that is typed into the clock is simulated, and time pauses there", two, async (s) => {
  await s.runTo(2);
  await s.app((a) => a.clock.setRate(20));
  await s.page.locator("button.tp-clock").click();
  await s.page.locator("input.tp-clock").fill("9");
  await s.page.keyboard.press("Enter");
  await s.sees(async () => assert.match(await s.toast(), /Runs to 00:09\.000 and pauses there/));
  await s.until((a) => !a.clock.playing && !a.load.running, "it to pause");
  await s.sees(async () =>
    assert.ok(Math.abs((await s.app((a) => a.clock.end)) - 9) < 1e-6, "at 9 s, and no step further"),
  );
  await s.until((a) => Math.abs(a.clock.t - 9) < 0.02, "the playhead at 9 s");
});

await test("a car between stored rows is where its speed takes it", two, async (s) => {
  await s.runTo(6);
  await s.seek(4);
  const gap = await s.app((a) => {
    const f = (t) => {
      const o = a.frame(0, t);
      return { x: o.x[3], v: o.field("v")[3], i: o.interpolated };
    };
    const p = f(4.0);
    const q = f(4.02);
    const m = f(4.01);
    return { inside: m.i, off: m.x - (p.x + q.x) / 2 - ((p.v - q.v) * 0.02) / 8, moved: m.x - p.x };
  });
  assert.equal(gap.inside, true);
  assert.ok(gap.moved > 0.05 && Math.abs(gap.off) < 1e-4, JSON.stringify(gap));
});

await test("the simulation step and the animation step have sliders of their own", two, async (s) => {
  await s.live(1);
  const anim = s.page.getByRole("slider", { name: "Animation step" });
  await anim.focus();
  await s.page.keyboard.press("End"); // 1 s
  await s.frames();
  const seen = await s.app(
    (a) =>
      new Promise((done) => {
        const all = new Set();
        const look = () => {
          all.add(a.clock.t);
          if (all.size < 3) requestAnimationFrame(look);
          else done([...all]);
        };
        requestAnimationFrame(look);
      }),
  );
  assert.ok(
    seen.every((t) => Math.abs(t - Math.round(t)) < 1e-6),
    seen.join(),
  );
  const label = s.page.locator(".tp-field").nth(1);
  assert.match(await label.innerText(), /10 ms/);
  const before = await s.app((a) => a.worlds[0].step);
  const step = s.page.getByRole("slider", { name: "Simulation step" });
  await step.focus();
  for (let i = 0; i < 3; i++) await s.page.keyboard.press("PageDown");
  await s.until((a, was) => a.worlds[0].step < was, "a smaller simulation step", before);
});

await test(
  "time stops at the first touch of a collision, and it can be watched in 3-D slowly",
  { scenario: "brake_loss.yaml", errors: true, playing: true },
  async (s) => {
    await s.app((a) => a.clock.setRate(10));
    await s.until((a) => a.events(0).some((e) => e.type === "collision"), "the collision", null, 60000);
    await s.until((a) => !a.clock.playing, "time to stop");
    const touch = await s.app((a) => a.events(0).find((e) => e.type === "collision").t);
    await s.until((a, at) => Math.abs(a.clock.t - at) < 0.02, "the playhead at the touch", touch);
    await s.sees(async () => assert.match(await s.toast(), new RegExp(`hit .* at ${touch.toFixed(3)} s`)));
    await s.page.getByRole("button", { name: "Watch in 3-D" }).click();
    assert.deepEqual(await s.app((a) => [a.layout.view, a.clock.playing, a.clock.rate]), ["3d", true, 0.02]);
    await s.until(() => {
      const k = document.querySelector(".tl-canvas").tracks;
      return k.to - k.from < 1;
    }, "the timeline to show less than a second");
  },
);

await test.core(
  "a recording with uneven steps replays; a frame is a recorded instant",
  { scenario: "dynavis/demo4.dat", args: ["--with", `${root}/scenarios/dynavis/demo4.par`], playing: true },
  async (s) => {
    assert.equal(await s.app((a) => a.worlds[0].kind), "replay");
    await s.until((a) => a.clock.playing && a.clock.t > 0.5, "it to play");
    await s.until(() => /Replay/.test(document.querySelector(".pill").textContent), "the pill to say Replay");
    await s.rows(3);
    const steps = [];
    for (let i = 0, last = 3; i < 6; i++) {
      await s.page.keyboard.press(".");
      const t = await s.app((a) => a.clock.t);
      steps.push(t - last);
      last = t;
      assert.equal(await s.app((a) => a.frame(0).interpolated), false);
    }
    assert.ok(new Set(steps.slice(1).map((d) => d.toFixed(4))).size > 2, `even steps: ${steps}`);
    assert.equal(await s.page.locator(".tp-branch").isDisabled(), true);
  },
);

await test("a page behind another window, which draws nothing, plays on", two, async (s) => {
  await s.live(2);
  await s.page.evaluate(() => {
    window.requestAnimationFrame = () => 0;
  });
  const from = await s.app((a) => a.clock.end);
  await s.until((a, was) => a.clock.end > was + 1, "it to advance", from);
  const drawn = await s.app((a) => a.stage.frames);
  // The server stops for pages that are silent for 10 s.
  await s.until((a, was) => a.clock.end > was + 12, "it to advance further", from, 30000);
  assert.equal(await s.app((a) => a.stage.frames), drawn, "nothing is drawn");
});

await test("what came while the page could not draw is drawn as soon as it can", two, async (s) => {
  await s.runTo(2);
  for (let k = 0; k < 3; k++) {
    const drawn = await s.app(
      (a) =>
        new Promise((done) => {
          const busy = () => {
            const before = a.stage.frames;
            a.touch(1);
            for (const end = performance.now() + 700; performance.now() < end;);
            requestAnimationFrame(() => requestAnimationFrame(() => done(a.stage.frames - before)));
          };
          requestAnimationFrame(busy);
        }),
    );
    assert.ok(drawn > 0, "nothing is drawn");
  }
});

await test.core("two pages have a playhead each and one set of worlds", two, async (s) => {
  await s.runTo(8);
  await s.seek(3);
  const other = await Studio.open(s.server);
  await other.seek(6);
  assert.equal(await s.app((a) => a.clock.t), 3);
  await other.page.keyboard.press("b");
  await s.until((a) => a.worlds.length === 2, "the branch of the other page");
  assert.equal(await s.app((a) => a.clock.t), 3);
  await other.page.context().close();
});

await test(
  "Space plays and pauses after a click on a button; reached by keyboard the button keeps it",
  two,
  async (s) => {
    await s.runTo(3);
    await s.seek(2);
    await s.page.getByRole("button", { name: "Branch here" }).click();
    await s.until((a) => a.worlds.length === 2, "the branch");
    await s.page.keyboard.press("Space");
    await s.until((a) => a.clock.playing, "time to run");
    await s.page.keyboard.press("Space");
    await s.until((a) => !a.clock.playing, "time to stop");
    assert.equal(await s.app((a) => a.worlds.length), 2, "Space made another branch");
    await s.seek(2);
    await s.page.keyboard.press("Shift+Tab");
    await s.page.keyboard.press("Tab");
    await s.page.keyboard.press("Space");
    await s.until((a) => a.worlds.length === 3, "a branch by keyboard");
  },
);

await test(
  "joining does not start what rests, and a paused page stays where it is while another plays",
  two,
  async (s) => {
    await s.live(1);
    await s.page.keyboard.press("Space");
    await s.until((a) => !a.load.running, "the simulation to rest");
    const at = await s.app((a) => a.load.live);
    await s.until((a, t) => Math.abs(a.clock.t - t) < 1e-9, "the playhead at the live end", at);
    const other = await Studio.open(s.server);
    assert.equal(await other.app((a) => a.clock.playing), false, "the new page is paused, too");
    assert.ok(Math.abs((await other.app((a) => a.load.live || a.clock.t)) - at) < 1e-9, "joining started it");
    await other.page.keyboard.press("Space");
    await other.live(at + 1);
    await s.until((a) => a.load.running && a.load.live > 2, "the first page to hear of it");
    const mine = await s.app((a) => ({ t: a.clock.t, live: a.clock.live, playing: a.clock.playing }));
    assert.deepEqual(mine, { t: at, live: false, playing: false });
    await other.page.context().close();
  },
);

await test(
  "a world that has ended shows no values after its end; the pill says so, and Run on continues",
  { scenario: "identification.yaml" },
  async (s) => {
    const pill = () => s.page.locator(".pill").innerText();
    await s.runTo(19.9);
    await s.app((a) => a.clock.goLive());
    await s.until((a) => a.worlds[0].state === "ended", "the end");
    await s.until(() => /Ended at 20\.0 s/.test(document.querySelector(".pill").textContent), "the pill to say Ended");
    await s.ask("open", { file: "two_gains.yaml", beside: true });
    await s.until((a) => a.worlds.length === 2 && a.worlds[1].end > 21, "the world beside to continue", null, 40000);
    await s.app((a) => a.clock.goLive());
    await s.live(21);
    await s.sees(async () =>
      assert.deepEqual(await s.app((a) => [a.over(0), a.frame(0), a.frame(a.worlds[1].world) !== null]), [
        true,
        null,
        true,
      ]),
    );
    await s.sees(async () => assert.match(await pill(), /Live/));
    await s.page.keyboard.press("Space");
    await s.until(() => /Paused at \d/.test(document.querySelector(".pill").textContent), "the pill to say Paused");
    await s.app((a) => a.run("run on"));
    await s.until((a) => a.worlds[0].end > 21, "the ended world to continue");
    await s.until((a) => !a.over(0) && a.frame(0) !== null, "its values");
  },
);

await finish();
