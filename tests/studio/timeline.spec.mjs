// The timeline: scrub, zoom, events, loop by hand, branches and what can be done with worlds.
import { assert, finish, test, valueOf } from "./studio.mjs";

const two = { scenario: "two_gains.yaml" };
const canvas = ".tl-canvas";
// Where an instant stands on the timeline, in page coordinates.
const place = async (s, t, y = 40) => {
  const box = await s.page.locator(canvas).boundingBox();
  const [from, to] = await s.app(() => {
    const c = document.querySelector(".tl-canvas").tracks;
    return [c.from, c.to];
  });
  return { x: box.x + 150 + ((t - from) / (to - from)) * (box.width - 214), y: box.y + y };
};

await test.core("dragging on the track scrubs; the picture follows at once and becomes exact", two, async (s) => {
  await s.runTo(20);
  const a = await place(s, 12);
  const b = await place(s, 5);
  await s.page.mouse.move(a.x, a.y);
  await s.page.mouse.down();
  await s.page.mouse.move(b.x, b.y, { steps: 8 });
  const t = await s.app((o) => o.clock.t);
  assert.ok(Math.abs(t - 5) < 0.1, `at ${t}`);
  assert.ok(Math.abs((await s.app((o) => o.frame(0).time)) - t) < 0.6, "nothing is drawn while scrubbing");
  await s.page.mouse.up();
  await s.until((o) => o.frame(0).exact && Math.abs(o.frame(0).time - o.clock.t) < 0.006, "the exact state");
  assert.equal(await s.app((o) => o.clock.playing), false);
  await s.sees(async () => assert.match(await s.page.locator(".tp-behind").innerText(), /behind live/));
});

await test("the wheel zooms at the pointer, F fits again", two, async (s) => {
  await s.runTo(20);
  const view = () =>
    s.app(() => {
      const k = document.querySelector(".tl-canvas").tracks;
      return [k.from, k.to];
    });
  const [first, last] = await view();
  const p = await place(s, 10);
  await s.page.mouse.move(p.x, p.y);
  await s.page.evaluate(() => {
    window.turned = 0;
    addEventListener("wheel", (e) => (window.turned += e.deltaY));
  });
  const turn = async (n, by) => {
    for (let i = 0; i < n; i++) await s.page.mouse.wheel(0, by);
    await s.until((a, all) => window.turned === all, "the wheel to turn", n * by);
    await s.page.evaluate(() => (window.turned = 0));
    await s.frames();
  };
  await turn(6, -300);
  const [from, to] = await view();
  assert.ok(to - from < 0.05 * (last - first) && from < 10 && to > 10, `${from} .. ${to}`);
  await turn(30, -400);
  const fine = await view();
  assert.ok(Math.abs(fine[1] - fine[0] - 1e-3) < 1e-6, `finest view is ${fine[1] - fine[0]} s`);
  await s.page.keyboard.press("f");
  await s.frames();
  const all = await view();
  assert.ok(all[0] === 0 && all[1] >= 20);
});

await test("Shift-drag draws a loop and its handle moves it", two, async (s) => {
  await s.runTo(20);
  const a = await place(s, 5);
  const b = await place(s, 8);
  await s.page.keyboard.down("Shift");
  await s.page.mouse.move(a.x, a.y);
  await s.page.mouse.down();
  await s.page.mouse.move(b.x, b.y, { steps: 5 });
  await s.page.mouse.up();
  await s.page.keyboard.up("Shift");
  const loop = await s.app((o) => o.clock.loop);
  assert.ok(Math.abs(loop[0] - 5) < 0.1 && Math.abs(loop[1] - 8) < 0.1, String(loop));
  await s.frames();
  const handle = await place(s, loop[1], 21);
  const to = await place(s, 12, 21);
  await s.page.mouse.move(handle.x, handle.y);
  await s.page.mouse.down();
  await s.page.mouse.move(to.x, to.y, { steps: 5 });
  await s.page.mouse.up();
  const moved = await s.app((o) => o.clock.loop);
  assert.ok(Math.abs(moved[0] - loop[0]) < 1e-9 && Math.abs(moved[1] - 12) < 0.1, String(moved));
  await s.sees(async () => {
    const colours = await s.colours(".tl-base", (await place(s, 9, 0)).x - 4, 20, 8, 4);
    assert.ok(
      Object.keys(colours).some((c) => c === "#5b4bdb"),
      `no loop bar: ${JSON.stringify(colours)}`,
    );
  });
});

await test.core("B branches; nothing changed gives the same states to the bit", two, async (s) => {
  await s.runTo(20);
  await s.seek(8);
  await s.page.keyboard.press("b");
  await s.until((a) => a.worlds.length === 2, "the branch");
  await s.sees(async () => assert.match(await s.toast(), /Branched from Main at 8\.00 s/));
  await s.until((a) => a.worlds[1].end >= a.worlds[0].end - 0.03, "the branch to be level");
  assert.ok(Math.abs((await s.app((a) => a.worlds[1].fork)) - 8) < 0.011);
  await s.seek(16);
  const hashes = await s.app((a) => [0, 1].map((k) => a.frame(a.worlds[k].world).hash.toString()));
  assert.notEqual(hashes[0], "0");
  assert.equal(hashes[0], hashes[1]);
  await s.until((a) => a.worlds[1].same === true, "'= Main'");
  await s.until(() => /= Main/.test(document.querySelector(".tl-gutter").textContent), "'= Main' beside the track");
});

await test.core("a gain changed in the past branches by itself, and both worlds stand on one clock", two, async (s) => {
  await s.runTo(40);
  await s.seek(20);
  const name = await s.app((a) => a.worlds[0].controllers[0].name);
  await s.app((a, c) => a.change("set", { controller: c, param: "k3", value: 1.6 }), name);
  await s.until((a) => a.worlds.length === 2 && a.worlds[1].end >= 39.9, "the branch to be level");
  await s.sees(async () => assert.match(await s.toast(), /Branched from Main at 20\.00 s.*k3/));
  const before = await s.app((a) => a.worlds.map((w) => a.frame(w.world, 15).x[3]));
  assert.equal(before[0], before[1], "the past before the fork differs");
  await s.seek(38);
  const after = await s.app((a) => a.worlds.map((w) => a.frame(w.world).x[3]));
  assert.ok(Math.abs(after[0] - after[1]) > 1e-3, `no difference after the fork: ${after}`);
  await s.until((a) => a.worlds[1].differs !== null && a.worlds[1].differs >= 20, "the first instant that differs");
  // Its track has its own colour right of the fork only.
  await s.until((a) => document.querySelector(".tl-canvas").tracks.tracks.length === 2, "two tracks");
  const y = await s.app(() => {
    const k = document.querySelector(".tl-canvas").tracks.tracks[1];
    return k.y + k.h - 2;
  });
  const orange = async (t) =>
    Object.keys(await s.colours(".tl-base", (await place(s, t, 0)).x, y, 3, 1)).some((c) => c !== "none");
  await s.sees(async () => assert.deepEqual([await orange(30), await orange(10)], [true, false]));
});

await test.core("Undo removes a branch, Redo makes it again", two, async (s) => {
  await s.runTo(12);
  await s.seek(6);
  await s.page.keyboard.press("b");
  await s.until((a) => a.worlds.length === 2, "the branch");
  await s.page.keyboard.press("Control+z");
  await s.until((a) => a.worlds.length === 1, "the branch to go");
  await s.page.keyboard.press("Control+Shift+z");
  await s.until((a) => a.worlds.length === 2, "the branch to come back");
});

await test.core("N and Shift N go from event to event; the menu leaves kinds out", two, async (s) => {
  await s.runTo(60);
  await s.seek(0);
  const times = await s.app((a) =>
    [
      ...new Set(
        a
          .events(0)
          .map((e) => e.t)
          .filter((t) => t > 1e-6),
      ),
    ].sort((p, q) => p - q),
  );
  assert.ok(times.length >= 2, `only ${times.length} events in 60 s`);
  await s.page.keyboard.press("n");
  assert.ok(Math.abs((await s.app((a) => a.clock.t)) - times[0]) < 1e-6);
  await s.page.keyboard.press("n");
  assert.ok(Math.abs((await s.app((a) => a.clock.t)) - times[1]) < 1e-6);
  await s.page.keyboard.press("Shift+N");
  assert.ok(Math.abs((await s.app((a) => a.clock.t)) - times[0]) < 1e-6);
  const kind = await s.app((a) => a.events(0).find((e) => Math.abs(e.t - a.clock.t) < 1e-6).type);
  const label = {
    brake: "Brake",
    throttle: "Throttle",
    command: "Command",
    edit: "Edit",
    fault: "Fault",
    warning: "Warning",
    jerk: "Peak jerk",
  }[kind];
  await s.page.locator(".tl-pick", { hasText: "Events" }).click();
  await s.page.getByRole("menuitemcheckbox", { name: label }).click();
  await s.seek(0);
  await s.page.keyboard.press("n");
  assert.notEqual(await s.app((a) => a.events(0).find((e) => Math.abs(e.t - a.clock.t) < 1e-6)?.type), kind);
});

await test("a world is renamed, hidden, shown alone and removed from its menu", two, async (s) => {
  await s.runTo(6);
  await s.seek(3);
  await s.page.keyboard.press("b");
  await s.until((a) => a.worlds.length === 2, "the branch");
  await s.page.locator(".tl-world").nth(1).click();
  await s.page.getByRole("menuitem", { name: "Rename…" }).click();
  await s.page.getByRole("textbox", { name: "Name of the world" }).fill("Softer");
  await s.page.keyboard.press("Enter");
  await s.until((a) => a.worlds[1].name === "Softer", "the new name");
  await s.until(() => /Softer/.test(document.querySelector(".tl-gutter").textContent), "the new name beside the track");
  await s.page.locator(".tl-world").nth(1).click();
  await s.page.getByRole("menuitem", { name: "Hide" }).click();
  await s.until((a) => a.shown().length === 1, "one world to be shown");
  await s.page.getByRole("button", { name: "1 hidden worlds" }).click();
  await s.page.getByRole("menuitem", { name: /Softer/ }).click();
  await s.until((a) => a.shown().length === 2, "both worlds to be shown");
  await s.page
    .locator(".tl-world")
    .nth(1)
    .click({ modifiers: ["Alt"] });
  await s.sees(async () => assert.deepEqual(await s.app((a) => a.shown().map((w) => w.name)), ["Softer"]));
  await s.page
    .locator(".tl-world")
    .nth(0)
    .click({ modifiers: ["Alt"] });
  await s.page.locator(".tl-world").nth(1).click();
  await s.page.getByRole("menuitem", { name: "Remove" }).click();
  await s.until((a) => a.worlds.length === 1, "the world to go");
});

await test.core("a command's flag is dragged, changed and removed: history is simulated again", two, async (s) => {
  await s.runTo(30);
  const name = await s.app((a) => a.worlds[0].controllers[0].name);
  await s.app((a) => a.clock.goLive());
  await s.app((a, c) => a.change("set", { controller: c, param: "k3", value: 1.5 }), name);
  await s.runTo(40);
  await s.until((a) => a.events(0).some((e) => e.log >= 0 && e.t > 25), "the command's event");
  const flag = await s.app(
    (a) =>
      a
        .events(0)
        .filter((e) => e.log >= 0)
        .pop().t,
  );
  await s.seek(flag + 4);
  const y = await s.app(() => {
    const k = document.querySelector(".tl-canvas").tracks.tracks[0];
    return k.y + 8;
  });
  const before = await s.app(valueOf, { world: 0, car: "car5", field: "middle" });
  await s.frames();
  const from = await place(s, flag, y);
  const to = await place(s, 12, y);
  await s.page.mouse.move(from.x, from.y);
  await s.page.mouse.down();
  await s.page.mouse.move(to.x, to.y, { steps: 6 });
  await s.page.mouse.up();
  await s.until((a) => a.events(0).some((e) => e.log >= 0 && Math.abs(e.t - 12) < 0.2), "the command at 12 s");
  await s.until((a, t) => a.worlds[0].end >= t, "the world to be simulated again", flag + 4.5);
  await s.seek(flag + 4);
  const moved = await s.app(valueOf, { world: 0, car: "car5", field: "middle" });
  assert.notEqual(moved, before);
  const at = await place(
    s,
    await s.app(
      (a) =>
        a
          .events(0)
          .filter((e) => e.log >= 0)
          .pop().t,
    ),
    y,
  );
  await s.page.mouse.dblclick(at.x, at.y);
  await s.page.getByRole("dialog").getByRole("textbox", { name: /k3/ }).fill("4");
  await s.page.keyboard.press("Enter");
  await s.until((a) => /k3 is 4/.test(document.querySelector(".toasts").textContent), "the changed value");
  await s.until((a) => a.events(0).some((e) => e.log >= 0 && Math.abs(e.t - 12) < 0.2), "its event again");
  await s.frames();
  await s.page.mouse.click(at.x, at.y);
  await s.page.keyboard.press("Delete");
  await s.until((a) => !a.events(0).some((e) => e.log >= 0 && Math.abs(e.t - 12) < 0.2), "the command to go");
});

await test("the track is filled by the measure chosen", two, async (s) => {
  await s.runTo(60);
  const height = async () => {
    const k = await s.app(() => {
      const o = document.querySelector(".tl-canvas").tracks.tracks[0];
      return [o.y, o.h];
    });
    let n = 0;
    for (let t = 2; t < 58; t += 4) {
      const c = await s.colours(".tl-base", (await place(s, t, 0)).x, k[0] + 2, 1, k[1] - 3);
      n += Object.values(c).sort((p, q) => q - p)[0] ?? 0;
    }
    return n;
  };
  await s.until((a) => document.querySelector(".tl-canvas").tracks.value(0, 30) >= 0, "the track");
  const error = await s.app(() => document.querySelector(".tl-canvas").tracks.value(0, 30));
  await height();
  await s.page.locator(".tl-pick").first().click();
  await s.page.getByRole("menuitemcheckbox", { name: "Energy" }).click();
  await s.until(
    (a, was) => {
      const v = document.querySelector(".tl-canvas").tracks.value(0, 30);
      return v > 1000 && v !== was;
    },
    "the energy track",
    error,
  );
  await s.until(() => /Energy/.test(document.querySelector(".tl-head").textContent), "its name");
});

await test("hovering shows the road at that time, also where the page has no frames of it", two, async (s) => {
  await s.runTo(30);
  await s.page.reload(); // its memory of frames is empty now
  await s.until((a) => a.connected && a.worlds.length === 1 && a.frame(0) !== null, "the page again");
  await s.seek(26);
  const picture = () =>
    s.page.evaluate(() => {
      const c = document.querySelector(".tl-tip:not(.hidden) .tl-thumb:not(.waiting)");
      if (!c) return null;
      const d = c.getContext("2d").getImageData(0, c.height / 2, c.width, 1).data;
      const at = [];
      for (let x = 0, on = false; x < c.width; x++) {
        const blue = d[4 * x + 2] - d[4 * x] > 100;
        if (blue && !on) at.push(x / c.width);
        on = blue;
      }
      return { cars: at, text: document.querySelector(".tl-tip").innerText };
    });
  // The server's answers are slow, so that the pointer has moved on before the first is here.
  await s.app((a) => {
    const overview = a.store.overview.bind(a.store);
    a.store.overview = (...q) => new Promise((go) => setTimeout(go, 300)).then(() => overview(...q));
  });
  for (const t of [3, 11]) {
    const p = await place(s, t);
    await s.page.mouse.move(p.x, p.y, { steps: 3 });
    const seen = await s.sees(async () => {
      const now = await picture();
      return now && Math.abs(Number(/[\d.]+/.exec(now.text)[0]) - t) < 0.2 ? now : null;
    }, `a picture at ${t} s`);
    assert.ok(seen.cars.length >= 7 && seen.cars.length <= 9, `${seen.cars.length} cars in the picture`); // a car may be crossed by its tick
    const shown = Number(/[\d.]+/.exec(seen.text)[0]);
    // Its cars stand as the simulated ones do: the platoon's length over that of the picture.
    const x = await s.app(
      (a, t) =>
        a.ask("seek", { world: 0, t, fields: ["middle"] }).then((r) => {
          const f = r.frames[0];
          const xs = [...f.x];
          return Math.max(...xs) - Math.min(...xs);
        }),
      shown,
    );
    const wide = (seen.cars[seen.cars.length - 1] - seen.cars[0]) * 176;
    const scale = 172 / Math.max(60, x + 10);
    assert.ok(Math.abs(wide - x * scale) < 3, `${wide} px for ${x} m at ${scale} px/m`);
  }
});

await finish();
