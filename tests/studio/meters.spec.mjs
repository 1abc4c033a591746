// Analog meters: needles where the values are, one per world, switches, layouts, peaks.
import { assert, finish, test } from "./studio.mjs";

const two = { scenario: "two_gains.yaml" };
const value = (s, car, field, world = 0) =>
  s.app(
    (a, q) => {
      const f = a.frame(q.world);
      const i = f.index(a.world(q.world).vehicles.find((v) => v.name === q.car).id);
      return f.field(q.field)[i];
    },
    { car, field, world },
  );

// What the card writes and where its needles end: recorded from the canvas while it draws once.
const record = (s) =>
  s.app((a) => {
    const canvas = document.querySelector(".mt canvas");
    const c = canvas.getContext("2d");
    const texts = [];
    const lines = [];
    const fillText = c.fillText;
    const moveTo = c.moveTo;
    const lineTo = c.lineTo;
    const stroke = c.stroke;
    let from = null;
    let to = null;
    c.fillText = function (t, x, y) {
      texts.push({ t, x, y, colour: c.fillStyle });
      return fillText.apply(this, arguments);
    };
    c.moveTo = function (x, y) {
      from = [x, y];
      return moveTo.apply(this, arguments);
    };
    c.lineTo = function (x, y) {
      to = [x, y];
      return lineTo.apply(this, arguments);
    };
    c.stroke = function () {
      if (from && to) lines.push({ from, to, wide: c.lineWidth, colour: c.strokeStyle });
      from = to = null;
      return stroke.apply(this, arguments);
    };
    return new Promise((done) => {
      a.emit("select");
      window.drawn().then(() => {
        c.fillText = fillText;
        c.moveTo = moveTo;
        c.lineTo = lineTo;
        c.stroke = stroke;
        done({ texts, lines });
      });
    });
  });
const needles = (r) => r.lines.filter((l) => Math.abs(l.wide - 2.6) < 1e-6);
// Angle of a needle as a share of the 252 degrees.
const share = (l) => {
  let a = Math.atan2(l.to[1] - l.from[1], l.to[0] - l.from[0]);
  if (a < 0.5 * Math.PI) a += 2 * Math.PI;
  return (a - 0.8 * Math.PI) / (1.4 * Math.PI);
};

async function stopped(s, t = 8) {
  await s.runTo(t + 0.3);
  await s.seek(t);
  await s.app((a) => a.select(0, "car3"));
  await s.frames();
}

await test.core("the speed needle points at the frame's speed and the figures below say it", two, async (s) => {
  await stopped(s);
  const v = await value(s, "car3", "v");
  const a = await value(s, "car3", "a");
  const r = await record(s);
  const [speed, acceleration] = needles(r);
  assert.ok(Math.abs(share(speed) - v / 40) < 0.004, `needle at ${share(speed)}, speed ${v}`);
  assert.ok(
    Math.abs(share(acceleration) - (a + 6) / 12) < 0.004,
    `needle at ${share(acceleration)}, acceleration ${a}`,
  );
  assert.ok(
    r.texts.some((t) => t.t === v.toFixed(2)),
    `${v.toFixed(2)} is not among ${r.texts.map((t) => t.t)}`,
  );
  await s.sees(async () => assert.match(await s.page.locator(".cd-is-meters .cd-note").innerText(), /position 3/));
});

await test("two worlds: two needles in their colours at the same position", two, async (s) => {
  await stopped(s, 6);
  await s.app((a) => {
    a.clock.seek(3);
    return a.change("set", { world: 0, controller: "follow", param: "k3", value: 1.2 });
  });
  await s.until((a) => a.shown().length === 2 && a.shown()[1].end > 6, "the branch to be level");
  await s.seek(6);
  await s.frames();
  const w = await s.app((a) => a.shown()[1].world);
  const r = await record(s);
  const speed = needles(r).slice(0, 2);
  assert.deepEqual(
    speed.map((l) => l.colour),
    ["#0f6cbd", "#b85c00"],
  );
  const va = await value(s, "car3", "v");
  const vb = await value(s, "car3", "v", w);
  assert.ok(Math.abs(share(speed[0]) - va / 40) < 0.004 && Math.abs(share(speed[1]) - vb / 40) < 0.004);
  assert.ok(r.texts.some((t) => t.t === vb.toFixed(2) && t.colour === "#b85c00"));
});

await test("each meter has its switch; the error's needle and its danger", two, async (s) => {
  await stopped(s);
  await s.page.locator(".mt-menu").click();
  await s.page.getByRole("menuitemcheckbox", { name: "Error" }).click();
  await s.page.locator(".mt-menu").click();
  await s.page.getByRole("menuitemcheckbox", { name: "Speed" }).click();
  await s.frames();
  const r = await record(s);
  const titles = r.texts.map((t) => t.t);
  assert.ok(titles.includes("Error") && !titles.includes("Speed"), titles.join());
  const e = await s.app((a) => {
    const f = a.frame(0);
    const i = f.index(a.world(0).vehicles.find((v) => v.name === "car3").id);
    return f.s[i] - f.x[i];
  });
  const at = needles(r).map(share);
  assert.ok(
    at.some((u) => Math.abs(u - (e + 1) / 2) < 0.004),
    `error ${e}, needles at ${at}`,
  );
  assert.deepEqual(await s.app((a) => a.option("meters").kinds), ["a", "jerk", "error", "mileage"]);
});

await test("M changes to figures; the wall has one column per car, the first at the right", two, async (s) => {
  await stopped(s);
  await s.page.keyboard.press("m");
  await s.frames();
  assert.equal(needles(await record(s)).length, 0);
  await s.page.keyboard.press("m");
  await s.page.locator(".mt-menu").click();
  await s.page.getByRole("menuitemcheckbox", { name: /Wall/ }).click();
  await s.frames();
  const r = await record(s);
  const speeds = needles(r).slice(0, 8);
  assert.equal(speeds.length, 8);
  for (const [k, car] of ["leader", "car1", "car2"].entries()) {
    const v = await value(s, car, "v");
    assert.ok(Math.abs(share(speeds[k]) - v / 40) < 0.004, car);
    if (k) assert.ok(speeds[k].from[0] < speeds[k - 1].from[0], "the next car stands to the left");
  }
});

await test("the peak is held until a click resets it", two, async (s) => {
  await s.app((a) => a.select(0, "car3"));
  await s.live(3);
  await s.rest();
  await s.frames();
  const ticks = (r) => r.lines.filter((l) => l.wide === 2);
  const before = ticks(await record(s)).length;
  assert.ok(before >= 4, "a tick a meter");
  const peak = (r) => ticks(r)[0];
  const v = await value(s, "car3", "v");
  assert.ok(share(peak(await record(s))) >= v / 40 - 0.004);
  await s.seek(1);
  await s.frames();
  await s.page.locator(".mt canvas").click({ position: { x: 60, y: 60 } });
  await s.frames();
  const now = await value(s, "car3", "v");
  assert.ok(Math.abs(share(peak(await record(s))) - now / 40) < 0.004, "the peak restarts at the value");
});

// The meters of the last minute say what the figures of that stretch say.
async function ofFigures(s, world, car, t) {
  const a = await s.ask("figures", { worlds: [world], from: t - 60, to: t });
  const v = a.cars[0].find((c) => c.vehicle === car).values;
  return [v["weighted.acceleration"], v["gain.speed.l2"]];
}
const spoken = (s) => s.page.locator(".cd-is-meters .sr").first().innerText();

await test("ride quality and string stability are meters", two, async (s) => {
  await s.app((a) => a.option("meters", { kinds: ["ride", "string"], layout: "position", analog: true }));
  await stopped(s, 20);
  const [ride, gain] = await ofFigures(s, 0, "car3", 20);
  assert.ok(ride > 0.01 && gain > 0.1, `${ride} and ${gain}`);
  const said = `Ride ${ride.toFixed(3)} m/s²; String ${gain.toFixed(3)} -`;
  await s.until((a, text) => document.querySelector(".cd-is-meters .sr")?.textContent === text, said, said);
  assert.equal((await spoken(s)).trim(), said);
});

await test("the same of a recording", two, async (s) => {
  const rows = () => {
    const lines = ["t [s],x [m],v [m/s],a [m/s^2]"];
    for (let k = 0; k <= 400; k++) {
      const t = k * 0.1;
      const x = 20 * t - 4 * Math.cos(0.5 * t);
      lines.push(`${t.toFixed(1)},${x},${20 + 2 * Math.sin(0.5 * t)},${Math.cos(0.5 * t)}`);
    }
    return lines.join("\n");
  };
  await s.runTo(21); // before the recording makes the time that is shown longer than the run
  await s.app((a) => a.option("meters", { kinds: ["ride", "string"], layout: "position", analog: true }));
  await s.page.evaluate((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], "drive.csv"));
    const send = (type, at) =>
      at.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data }));
    send("dragenter", document.body);
    const beside = document.querySelectorAll(".drop-zone")[1];
    send("dragover", beside);
    send("drop", beside);
  }, rows());
  await s.until((a) => a.worlds.length === 2 && a.worlds[1].kind === "replay", "the recording", null, 15000);
  await stopped(s, 20);
  const car = await s.app((a) => a.world(1).vehicles[0].name);
  await s.app((a, name) => a.select(1, name), car);
  const [ride] = await ofFigures(s, 1, car, 20);
  assert.ok(ride > 0.01, `${ride}`);
  await s.until(
    (a, text) => document.querySelector(".cd-is-meters .sr")?.textContent.includes(text),
    "the recording's ride",
    ride.toFixed(3),
  );
});
await test(
  "two platoons in one world: a needle and a curve colour for each; a driver without desired place has no error",
  { scenario: "demo1.yaml" },
  async (s) => {
    await s.live(2);
    await s.rest();
    await s.app((a) => a.select(0, "auto3"));
    const seen = await s.app((a) => {
      const f = a.frame(0);
      const of = (name) => f.index(a.world(0).vehicles.find((v) => v.name === name).id);
      const errors = (word) =>
        a
          .world(0)
          .vehicles.filter((v) => v.name.startsWith(word) && !v.leader)
          .map((v) => f.s[of(v.name)] - f.x[of(v.name)]);
      return { manual: errors("manual"), auto: errors("auto") };
    });
    assert.ok(seen.auto.length > 3 && seen.auto.every((e) => Number.isFinite(e)), JSON.stringify(seen.auto));
    assert.ok(seen.manual.length > 3 && seen.manual.every((e) => !Number.isFinite(e)), "drivers have errors");
    // The words for screen readers have one value per needle.
    await s.sees(async () => assert.match(await s.page.locator(".mt .sr").innerText(), /Speed[^\n]*\d[^\n]*\d/));
    await s.until(
      () =>
        [0, 1].every((k) =>
          document
            .querySelector(".cd-is-plot .cd-body")
            .plot?.data.lines.some((l) => l.platoon === k && l.name !== "auto3"),
        ),
      "curves of both platoons",
    );
    const colours = await s.page.evaluate(() => {
      const p = document.querySelector(".cd-is-plot .cd-body").plot;
      return [0, 1].map((k) => p.strokeOf(p.data.lines.find((l) => l.platoon === k && l.name !== "auto3")));
    });
    assert.notEqual(colours[0], colours[1], "curves of both platoons have one colour");
  },
);

await finish();
