// Roads with bends from above, the strip of the whole road and its editors, lane changes by hand, cards of lanes.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { assert, finish, program, root, test } from "./studio.mjs";

const merge = { scenario: "merge.yaml" };

// The line of scenarios/merge.yaml by itself: headings and places by small steps, from its curvature.
function centre(s) {
  const k = (u) => (u < 500 ? 0 : u < 600 ? (u - 500) / 100 / 600 : u < 1200 ? 1 / 600 : 0);
  let x = 0;
  let y = 0;
  let h = 0;
  const n = 20000;
  const d = s / n;
  for (let i = 0; i < n; i++) {
    const mid = h + 0.5 * d * k((i + 0.5) * d);
    x += d * Math.cos(mid);
    y += d * Math.sin(mid);
    h += d * k((i + 0.5) * d);
  }
  return { x, y, h };
}
function place(s, offset) {
  const p = centre(s);
  return { x: p.x - offset * Math.sin(p.h), y: p.y + offset * Math.cos(p.h), h: p.h };
}
const planned = (s) => s.until((a) => a.scene.strips[0].plan?.curved === true, "the plan of the road");
async function stopped(s, t) {
  await s.runTo(t);
  await planned(s);
  await s.frames();
}
// Where a car is drawn, and where the frame says it is.
const drawn = (s) =>
  s.app((a) => {
    const q = a.scene.strips[0];
    const f = q.frame;
    return Array.from({ length: q.visible }, (_, k) => {
      const i = q.index[k];
      return {
        name: q.vehicle(k),
        px: q.cx[k],
        py: q.cy[k],
        angle: q.angle[k],
        x: f.x[i],
        y: f.field("y")[i],
        path: f.field("path")[i],
        scale: q.scale,
      };
    });
  });

await test.core(
  "a road with bends is drawn from above: places and headings are those of its line",
  merge,
  async (s) => {
    await stopped(s, 20);
    const cars = (await drawn(s)).filter((c) => c.path === 0);
    assert.ok(cars.length >= 3, `cars in sight: ${cars.length}`);
    const a = cars[0];
    const b = cars.at(-1);
    const p = place(a.x, a.y);
    const q = place(b.x, b.y);
    assert.ok(a.x > 600 && b.x > 600, "both are in the bend");
    // Straight distance, not that along the road; and the turn between them.
    const metres = Math.hypot(p.x - q.x, p.y - q.y);
    const pixels = Math.hypot(a.px - b.px, a.py - b.py);
    assert.ok(Math.abs(pixels / a.scale - metres) < 0.05, `${pixels / a.scale} m drawn, ${metres} m`);
    assert.ok(Math.abs(a.angle - b.angle - (p.h - q.h)) < 2e-3, `${a.angle - b.angle} rad drawn, ${p.h - q.h}`);
    assert.ok(Math.abs(p.h - q.h) > 0.1, "the road turns between them");
  },
);

await test("a car on the ramp stands on the ramp, and no car jumps where it joins", merge, async (s) => {
  await stopped(s, 26);
  await s.seek(2);
  const before = await s.app((a) => {
    a.select(0, "guest");
    const f = a.frame(0);
    const i = f.index(a.worlds[0].vehicles.find((v) => v.name === "guest").id);
    return { path: f.field("path")[i], x: f.x[i] };
  });
  assert.equal(before.path, 1);
  assert.ok(before.x < 700, "its x continues where the ramp joins");
  // Frame by frame through the place where it joins: the drawn place moves by v dt.
  const jumps = await s.app(async (a) => {
    const out = [];
    const q = a.scene.strips[0];
    a.scene.setReference("road", 0);
    a.scene.view.show(0, 640, 800);
    await window.drawn(3, 400);
    let last = null;
    for (let t = 14; t < 24; t += 0.1) {
      a.clock.seek(t);
      await new Promise((go) => setTimeout(go, 30));
      await window.drawn(1, 0);
      const k = q.visibleOf("guest");
      const f = q.frame;
      if (k < 0 || !f || Math.abs(f.time - t) > 0.02) {
        last = null;
        continue;
      }
      const v = f.field("v")[q.index[k]];
      const at = { px: q.cx[k], py: q.cy[k], t: f.time, path: f.field("path")[q.index[k]] };
      if (last)
        out.push({
          d: Math.hypot(at.px - last.px, at.py - last.py) / q.scale,
          v: v * (at.t - last.t),
          from: last.path,
          to: at.path,
        });
      last = at;
    }
    return out;
  });
  assert.ok(
    jumps.some((j) => j.from === 1 && j.to === 0),
    "it joins the road in this time",
  );
  for (const j of jumps) assert.ok(Math.abs(j.d - j.v) < 0.6, `moved ${j.d} m in the time of ${j.v} m`);
});

await test("a straight road stays as it was, without the strip of lanes", { scenario: "two_gains.yaml" }, async (s) => {
  await s.runTo(2);
  await s.until((a) => a.scene.strips[0].plan !== null, "the plan");
  assert.equal(await s.app((a) => a.scene.strips[0].curved), false);
  assert.equal(await s.page.locator(".sc-lanes").isVisible(), false);
  assert.equal(await s.page.locator(".sc-grade").isVisible(), true);
});

await test("a recording shows the road it was driven on", {}, async (s) => {
  const folder = mkdtempSync(`${tmpdir()}/lanes-`);
  try {
    execFileSync(program, ["run", `${root}/scenarios/merge.yaml`, "-o", `${folder}/merge.h5`], { stdio: "ignore" });
    const { startServer, Studio } = await import("./studio.mjs");
    void Studio;
    const server = await startServer({ scenario: `${folder}/merge.h5` });
    try {
      await s.page.goto(server.address);
      await s.until((a) => a.worlds[0]?.kind === "replay" && a.worlds[0].road.plan === 1, "the recording");
      await s.seek(2);
      await planned(s);
      const car = (await drawn(s)).find((c) => c.name === "guest") ?? null;
      const seen = await s.app((a) => {
        const f = a.frame(0);
        return f.field("path")[f.index(a.worlds[0].vehicles.find((v) => v.name === "guest").id)];
      });
      assert.equal(seen, 1, JSON.stringify(car));
      assert.match(await s.page.locator(".ls-chosen").innerText(), /a recording cannot be changed/);
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

// ---- the whole road ----

const strip = (s) => s.page.locator(".ls-body");
async function at(s, metres, lane) {
  const px = await s.app((a, m) => a.scene.lanes.px(m), metres);
  const box = await strip(s).boundingBox();
  return { x: box.x + px, y: box.y + (lane ? 18 + (lane - 0.5) * 15 : 9) };
}
const ramps = (s, world = 0) => s.ask("plan", { world }).then((p) => p.ramps.map((r) => [r.name, r.on, r.at]));
const sections = (s) => s.ask("plan", { world: 0 }).then((p) => p.written.sections);

await test.core("a ramp is moved by its tick, by mouse and keyboard; undo brings it back", merge, async (s) => {
  await stopped(s, 1);
  const from = await at(s, 700);
  const to = await at(s, 800);
  await s.page.mouse.move(from.x, from.y);
  await s.page.mouse.down();
  await s.page.mouse.move((from.x + to.x) / 2, to.y, { steps: 3 });
  await s.page.mouse.move(to.x, to.y, { steps: 3 });
  await s.page.mouse.up();
  const moved = await s.sees(async () => {
    const [ramp] = await ramps(s);
    return Math.abs(ramp[2] - 800) < 6 && ramp[2];
  }, "the ramp at 800 m");
  await s.until((a, m) => a.scene.strips[0].plan.ramps[0].at === m, "the page's plan", moved);
  // It is an edit in the log.
  const log = await s.ask("log", { world: 0 });
  assert.deepEqual(
    log.entries.map((e) => e.event),
    ["edit"],
  );
  await s.page.locator('.ls-ramp[data-key="ramp Vermont"]').focus();
  await s.page.keyboard.press("ArrowRight");
  await s.sees(async () => (await ramps(s))[0][2] === moved + 10, "10 m further");
  await s.until((a, m) => a.scene.strips[0].plan.ramps[0].at === m, "the page to know it", moved + 10);
  await s.page.keyboard.press("Shift+ArrowLeft");
  await s.sees(async () => (await ramps(s))[0][2] === moved - 90, "100 m back");
  for (const expected of [moved + 10, moved, 700]) {
    await s.app((a) => a.run("undo"));
    await s.sees(async () => (await ramps(s))[0][2] === expected, `undone to ${expected}`);
  }
});

await test(
  "ramps are added by a double click, renamed and turned in their menu, removed with Delete",
  merge,
  async (s) => {
    await stopped(s, 1);
    const p = await at(s, 2500);
    await s.page.mouse.dblclick(p.x, p.y);
    await s.sees(async () => (await ramps(s)).length === 2, "another ramp");
    const added = (await ramps(s))[1];
    assert.equal(added[0], "Ramp 2");
    assert.ok(Math.abs(added[2] - 2500) < 6);
    await s.until((a) => a.scene.strips[0].plan.ramps.length === 2, "the page's plan");
    await s.frames();
    await s.page.mouse.click(p.x, p.y, { button: "right" });
    await s.page.getByRole("menuitem", { name: /Name/ }).click();
    await s.page.keyboard.type("Hoover St");
    await s.page.keyboard.press("Enter");
    await s.sees(async () => (await ramps(s))[1][0] === "Hoover St", "its name");
    await s.until((a) => a.scene.strips[0].plan.ramps[1].name === "Hoover St", "the page's plan");
    await s.frames();
    await s.page.mouse.click(p.x, p.y, { button: "right" });
    await s.page
      .getByRole("menuitemcheckbox", { name: "OFF" })
      .or(s.page.getByRole("menuitem", { name: "OFF" }))
      .click();
    await s.sees(async () => (await ramps(s))[1][1] === false, "an off-ramp");
    await s.until((a) => a.scene.strips[0].plan.ramps[1].on === false, "the page's plan");
    await s.frames();
    await s.page.locator('.ls-ramp[data-key="ramp Hoover St"]').focus();
    await s.page.keyboard.press("Delete");
    await s.sees(async () => (await ramps(s)).length === 1, "it is gone");
  },
);

await test("a ramp that cannot be there is rejected with the reason, and the road stays", merge, async (s) => {
  await stopped(s, 1);
  await s.page.locator('.ls-ramp[data-key="ramp Vermont"]').focus();
  const from = await at(s, 700);
  const to = await at(s, 4290);
  await s.page.mouse.move(from.x, from.y);
  await s.page.mouse.down();
  await s.page.mouse.move(to.x, to.y, { steps: 4 });
  await s.page.mouse.up();
  await s.sees(async () => /ramp|Vermont|road/i.test(await s.toast()), "the reason");
  assert.equal((await ramps(s))[0][2], 700);
});

await test("lane use is painted: segments divided, painted, their ends moved, joined again", merge, async (s) => {
  await stopped(s, 1);
  const cut = await at(s, 2000, 1);
  await s.page.mouse.dblclick(cut.x, cut.y);
  await s.until((a) => a.scene.lanes.segs.filter((g) => g.lane === 1).length === 2, "two segments");
  const right = await at(s, 3000, 1);
  await s.page.mouse.click(right.x, right.y);
  await s.sees(async () => /selected: lane 1, any car/.test(await s.page.locator(".ls-chosen").innerText()));
  await s.page.locator('.ls-paint[data-use="automated"]').click();
  const first = await s.sees(async () => {
    const list = await sections(s);
    return list.length === 1 && list[0];
  }, "a section");
  assert.deepEqual([first.lane, first.use, first.enter], [1, "automated", "closed"]);
  assert.ok(Math.abs(first.from - 2000) < 6 && first.to === 4300, JSON.stringify(first));
  await s.until((a) => a.scene.lanes.segs.some((g) => g.use === "automated"), "the page's segments");
  await s.sees(async () => /lane 1, automated, /.test(await s.page.locator(".ls-chosen").innerText()));
  // Its start is dragged to 2.5 km.
  const start = await at(s, first.from, 1);
  const to = await at(s, 2500, 1);
  await s.page.mouse.move(start.x, start.y);
  await s.page.mouse.down();
  await s.page.mouse.move(to.x, to.y, { steps: 4 });
  await s.page.mouse.up();
  await s.sees(async () => Math.abs((await sections(s))[0].from - 2500) < 6, "its start at 2.5 km");
  await s.until(
    (a) => a.scene.lanes.segs.some((g) => g.use === "automated" && Math.abs(g.from - 2500) < 6),
    "segments",
  );
  await s.frames();
  // By keyboard: the next use, then it joins its neighbour.
  await s.page.locator('.ls-seg[aria-label^="lane 1, automated"]').focus();
  await s.page.keyboard.press("u");
  await s.sees(async () => (await sections(s))[0].enter === "automated", "the next use: entry");
  await s.until((a) => a.scene.lanes.segs.some((g) => g.use === "entry"), "segments");
  await s.frames();
  await s.page.locator('.ls-seg[aria-label^="lane 1, automated, entry"]').focus();
  await s.page.keyboard.press("Delete");
  await s.sees(async () => (await sections(s)).length === 0, "one segment again");
});

await test("the window of the scene is dragged along the road", merge, async (s) => {
  await stopped(s, 1);
  const w = await s.app((a) => a.scene.view.window(0));
  const from = await at(s, 0.5 * (w[0] + w[1]), 1);
  const to = await at(s, 3000, 1);
  await s.page.mouse.move(from.x, from.y);
  await s.page.mouse.down();
  await s.page.mouse.move(to.x, to.y, { steps: 4 });
  await s.page.mouse.up();
  const middle = await s.app((a) => 0.5 * (a.scene.view.window(0)[0] + a.scene.view.window(0)[1]));
  assert.ok(Math.abs(middle - 3000) < 8, `${middle} m`);
  assert.equal(await s.app((a) => a.reference), "road");
  assert.equal((await ramps(s))[0][2], 700, "nothing was edited");
});

// ---- lane changes ----

const laneEvents = (s, world = 0) => s.ask("log", { world }).then((l) => l.entries.filter((e) => e.event === "lane"));
const carAt = (s, name) =>
  s.app((a, n) => {
    const q = a.scene.strips[0];
    const k = q.visibleOf(n);
    const r = a.scene.canvas.getBoundingClientRect();
    return { x: r.left + q.cx[k], y: r.top + q.cy[k], lane: q.laneHeight };
  }, name);

await test.core(
  "a car dragged sideways goes to that lane; Escape before it is dropped does nothing",
  merge,
  async (s) => {
    await stopped(s, 22);
    const p = await carAt(s, "car2");
    const pull = async () => {
      await s.page.mouse.move(p.x, p.y);
      await s.page.mouse.down();
      await s.page.mouse.move(p.x, p.y - 8, { steps: 3 });
      await s.page.mouse.move(p.x, p.y - p.lane, { steps: 4 });
      await s.until((a) => a.scene.change.pull?.lane === 1, "lane 1 under the pointer");
    };
    await pull();
    assert.match(await s.page.locator(".sc-tip").innerText(), /^to lane 1$/);
    await s.page.keyboard.press("Escape");
    await s.page.mouse.up();
    assert.deepEqual(await laneEvents(s), []);
    await pull();
    await s.page.mouse.up();
    const [sent] = await s.sees(async () => {
      const list = await laneEvents(s);
      return list.length === 1 && list;
    }, "the command");
    assert.deepEqual([sent.vehicle, sent.value], ["car2", 1]);
    await s.runTo(32);
    const y = await s.app((a) => {
      const f = a.frame(0);
      return f.field("y")[f.index(a.worlds[0].vehicles.find((v) => v.name === "car2").id)];
    });
    assert.ok(Math.abs(y) < 0.4, `it drives in lane 1: y = ${y}`);
  },
);

await test("Shift and the arrows send the selected car, Escape calls it back", merge, async (s) => {
  await stopped(s, 5);
  await s.app((a) => a.select(0, "car3"));
  await s.page.keyboard.press("Shift+ArrowUp");
  await s.sees(async () => (await laneEvents(s)).length === 1, "the command");
  await s.runTo(7);
  await s.page.keyboard.press("Escape");
  const list = await s.sees(async () => {
    const l = await laneEvents(s);
    return l.length === 2 && l;
  }, "the way back");
  assert.deepEqual(
    list.map((e) => [e.vehicle, e.value]),
    [
      ["car3", 1],
      ["car3", 2],
    ],
  );
});

await test("no room: the slot names the car that is too near", { scenario: "lane_change.yaml" }, async (s) => {
  await s.runTo(1);
  await s.frames();
  // From beside a car of the platoon there is no room; the reason names it.
  const said = await s.app((a) => {
    const q = a.scene.strips[0];
    const f = q.frame;
    const guest = a.worlds[0].vehicles.find((v) => v.name === "guest");
    const x = f.x[f.index(guest.id)];
    const mate = q.roster.vehicles
      .filter((v) => v.name !== "guest")
      .sort((p, r) => Math.abs(f.x[f.index(p.id)] - x) - Math.abs(f.x[f.index(r.id)] - x))[0];
    // The nearest car of the other lane is moved beside it in this picture only.
    f.x[f.index(mate.id)] = x + 3;
    const room = a.scene.change.room(q, "guest", 1);
    return { room, label: q.roster.labels[q.roster.slotOf(mate.name)] };
  });
  assert.equal(said.room.free, false);
  assert.equal(said.room.reason, `${said.label} is beside it`);
});

// ---- cards ----

await test("a road with bends opens with the cards of lanes; gaps are those of the cars", merge, async (s) => {
  await stopped(s, 22);
  await s.until(() => document.querySelectorAll(".cd-card").length === 3, "three cards");
  const kinds = await s.page.locator(".cd-card").evaluateAll((l) => l.map((c) => c.getAttribute("aria-label")));
  assert.deepEqual(kinds, ["Time–space, by lane", "Lateral offset", "Gaps"]);
  const rows = await s.sees(async () => {
    const list = await s.page.locator(".gp-row:visible").evaluateAll((l) =>
      l.map((r) => ({
        cars: r.querySelector(".gp-cars").textContent,
        gap: Number(r.querySelector(".gp-bar em").textContent),
        closing: Number(r.querySelector(".gp-closing").textContent.replace("−", "-")),
        words: r.querySelector(".gp-ttc").textContent,
      })),
    );
    return list.length >= 7 && list;
  }, "the rows");
  const expected = await s.app((a) => {
    const f = a.frame(0);
    const q = a.scene.strips[0].roster;
    const at = (label) => f.index(q.vehicles[q.labels.indexOf(label)].id);
    const of = (back, front) => ({
      gap: f.field("gap")[at(back)],
      closing: f.field("v")[at(back)] - f.field("v")[at(front)],
    });
    return { a2: of("A2", "A1"), a6: of("A6", "A5") };
  });
  for (const [cars, e] of [
    ["A2 → A1", expected.a2],
    ["A6 → A5", expected.a6],
  ]) {
    const row = rows.find((r) => r.cars === cars);
    assert.ok(row, `${cars} among ${rows.map((r) => r.cars)}`);
    assert.ok(Math.abs(row.gap - e.gap) < 0.06, `${cars}: ${row.gap} m shown, ${e.gap} m`);
    assert.ok(Math.abs(row.closing - e.closing) < 0.06, `${cars}: ${row.closing} m/s shown, ${e.closing}`);
    if (e.closing > 0.1)
      assert.ok(Math.abs(parseFloat(row.words) - e.gap / e.closing) < 0.2 + 0.01 * (e.gap / e.closing));
  }
  await s.page.locator(".gp-row", { hasText: "A6 → A5" }).click();
  assert.deepEqual(
    await s.app((a) => [a.selection.vehicle, ...a.also]),
    await s.app((a) => {
      const q = a.scene.strips[0].roster;
      return ["A6", "A5"].map((l) => q.vehicles[q.labels.indexOf(l)].name);
    }),
  );
});

await test("time-space by lane: the car that merges leaves one panel and enters the next", merge, async (s) => {
  await stopped(s, 30);
  await s.seek(23);
  await s.app((a) => a.select(0, "guest"));
  const texts = await s.sees(async () => {
    const list = await s.app(
      (a) =>
        new Promise((done) => {
          const c = document.querySelector(".cd-is-lanespace canvas").getContext("2d");
          const out = [];
          const old = c.fillText;
          c.fillText = function (t, x) {
            out.push([t, x]);
            return old.apply(this, arguments);
          };
          a.emit("layout");
          window.drawn(3, 300).then(() => {
            c.fillText = old;
            done(out);
          });
        }),
    );
    return list.filter((t) => t[0] === "guest").length >= 2 && list;
  }, "its marks in two panels");
  for (const lane of ["Lane 1", "Lane 2", "Lane 3"])
    assert.ok(
      texts.some((t) => t[0] === lane),
      lane,
    );
  const second = texts.find((t) => t[0] === "Lane 2")[1];
  const third = texts.find((t) => t[0] === "Lane 3")[1];
  const marks = texts.filter((t) => t[0] === "guest").map((t) => t[1]);
  assert.ok(
    marks.some((x) => x > second && x < third) && marks.some((x) => x > third),
    `marks at ${marks}, panels at ${second} and ${third}`,
  );
});

await test("trails: seconds in the bar, Y switches them off and on", merge, async (s) => {
  await stopped(s, 10);
  const field = s.page.locator(".sc-trails input.sc-value");
  await s.sees(async () => assert.equal(await field.inputValue(), "1.8 s"));
  await field.fill("0.5");
  await field.press("Enter");
  await s.until((a) => a.scene.trailTime() === 0.5, "half a second");
  await s.page.keyboard.press("y");
  await s.until((a) => a.scene.trailTime() === 0, "no trails");
  await s.page.keyboard.press("y");
  await s.until((a) => a.scene.trailTime() === 0.5, "trails again");
  await field.fill("7");
  await field.press("Enter");
  assert.ok(await field.evaluate((e) => e.classList.contains("bad")), "more than 3 s are not taken");
});

await finish();
