// The inspector's tab Lateral, steering by hand, lateral plots.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { replayed } from "./inspect.mjs";
import { assert, finish, test, valueOf } from "./studio.mjs";

// Planar cars on three lanes: one changes lanes at 2 s between two others, on a road of friction 0.5 from 30 m on.
const file = join(mkdtempSync(join(tmpdir(), "lateral-")), "planar.yaml");
const text = `motorcade: scenario
name: Planar
time: {end: 120, step: 0.02, record: 0.1}
road: {lanes: 3, lane_width: 3.6, speed: 20, friction: [{from: 30, to: 5000, mu: 0.5}]}
models: {car: planar}
controllers: {hold: {law: cruise, speed: 20, steering: lqr}}
vehicles:
  - {model: car, name: one, lane: 2, x: 0, v: 20, controller: hold}
  - {model: car, name: ahead, lane: 1, x: 60, v: 20, controller: hold}
  - {model: car, name: behind, lane: 1, x: -60, v: 20, controller: hold}
events: [{at: 2, vehicle: one, lane: 1}]
`;
writeFileSync(file, text);
// The same without cars that would hit one that stops.
const free = file.replace("planar", "free");
writeFileSync(
  free,
  text
    .replace("lane: 2, x: 0", "lane: 3, x: 300")
    .replace("x: -60", "x: 400")
    .replace(/events.*/, ""),
);
const planar = { scenario: file };
const read = (s, car, field) => s.app(valueOf, { world: 0, car, field });
const number = (text) => Number(text.replace("−", "-"));
const tab = async (s, car) => {
  await s.app((a, name) => a.select(0, name), car);
  await s.page.getByRole("tab", { name: "Lateral" }).click();
  await s.page.locator(".la").waitFor();
};

await test(
  "Lateral: wheels, yaw rate, place, friction circles and the plan are those of the run",
  planar,
  async (s) => {
    await s.runTo(4);
    await tab(s, "one");
    const asked = await s.ask("lateral", { world: 0, vehicle: "one", t: 4 });
    assert.equal(asked.plan.from, 2);
    assert.equal(asked.plan.to, 1);
    await s.sees(async () => {
      assert.match(await s.page.locator(".la-plan h4").innerText(), /Lane change 2 → 1\s+33 % of 6\.00 s/);
    });
    const figures = await s.page.locator(".la-plan dd b").allInnerTexts();
    // Of the quintic over 3.6 m in 6 s: 10/sqrt(3) D/T^2 and 60 D/T^3; gaps are those of three cars at one speed.
    assert.equal(figures[0], (((10 / Math.sqrt(3)) * 3.6) / 36).toFixed(2));
    assert.equal(figures[1], "1.00");
    for (const gap of figures[2].split(" / ")) assert.ok(Math.abs(number(gap) - 55) < 1.5, figures[2]);
    const yaw = await read(s, "one", "yaw_rate");
    const steer = await read(s, "one", "steer");
    assert.ok(yaw > 0.003, `it turns left: ${yaw}`);
    const bars = await s.page.locator(".la-bar b").allInnerTexts();
    assert.ok(Math.abs(number(bars[0]) - (steer * 16 * 180) / Math.PI) < 0.06, bars[0]);
    assert.ok(Math.abs(number(bars[1]) - (steer * 180) / Math.PI) < 0.006, bars[1]);
    assert.ok(Math.abs(number(bars[2]) - (yaw * 180) / Math.PI) < 0.006, bars[2]);
    assert.match(
      await s.page.locator(".la-steer svg[aria-label*=Yaw]").getAttribute("aria-label"),
      /asked for [+−]?\d/,
    );
    assert.equal(await s.page.locator(".la-who").innerText(), "law steers: lqr");
    // Circles: the wheels of the answer, on the wet half of the road.
    assert.match(await s.page.locator('.la section[aria-label="Tyres"] h4').innerText(), /μ 0\.50/);
    const shares = await s.page.locator(".la-tyre b").allInnerTexts();
    assert.equal(shares.length, 4);
    asked.wheels.forEach((w, q) => {
      assert.equal(number(shares[q].replace(" %", "")), Math.round(100 * w.use));
      assert.ok(Math.abs(w.use - Math.hypot(w.fx, w.fy) / (0.5 * w.fz)) < 1e-9);
    });
    const radius = await s.page.locator(".la-rim").evaluateAll((all) => all.map((c) => Number(c.getAttribute("r"))));
    asked.wheels.forEach((w, q) => {
      const ratio = (radius[q] / radius[0]) ** 2; // the area is the load
      assert.ok(Math.abs(ratio - w.fz / asked.wheels[0].fz) < 0.02, `${ratio} against ${w.fz / asked.wheels[0].fz}`);
    });
    assert.match(await s.page.locator('.la svg[aria-label*="to go"]').getAttribute("aria-label"), /^\d\.\d\d m to go/);
    // Time goes back: it keeps its lane then.
    await s.seek(1);
    await s.sees(async () => assert.match(await s.page.locator(".la-plan h4").innerText(), /No lane change/));
    assert.match(await s.page.locator(".la-row b").innerText(), /m off middle, lane 2/);
  },
);

await test("lane buttons send the car there and back", planar, async (s) => {
  await s.live(0.5);
  await tab(s, "ahead");
  await s.page.getByRole("button", { name: "Lane 2 ▸" }).click();
  await s.sees(async () => assert.match(await s.page.locator(".la-plan h4").innerText(), /Lane change 1 → 2/));
  await s.page.getByRole("button", { name: "Abort" }).click();
  await s.sees(async () => assert.match(await s.page.locator(".la-plan h4").innerText(), /Lane change 2 → 1|No lane/));
  const log = (await s.ask("log", { world: 0 })).entries.map((e) => `${e.event} ${e.value}`);
  assert.deepEqual(log.slice(0, 2), ["lane 2", "lane 1"]);
});

await test.core(
  "the wheel docks under the scene: you steer, the car slides, stops and stands; the log repeats it",
  { scenario: free },
  async (s) => {
    await s.runTo(4);
    await tab(s, "ahead");
    await s.page.getByRole("button", { name: "Drive", exact: true }).last().click();
    const wheel = s.page.getByRole("slider", { name: "Steering wheel" });
    await wheel.waitFor();
    const box = await wheel.boundingBox();
    assert.ok(Math.abs(box.width - 160) < 1 && Math.abs(box.height - 160) < 1, `${box.width} x ${box.height}`);
    assert.equal(await s.page.locator(".dr-hands").innerText(), "law steers");
    // Full lock at 20 m/s on a wet road, by the stick of a gamepad: the front slides.
    await s.page.evaluate(() => {
      const buttons = Array.from({ length: 17 }, () => ({ value: 0, pressed: false }));
      window.pad = { connected: true, axes: [-1, 0], buttons };
      navigator.getGamepads = () => [window.pad];
    });
    await s.until((a) => a.frame(0).field("steer")[1] > 0.3, "full lock");
    assert.equal(await s.page.locator(".dr-hands").innerText(), "you steer");
    assert.equal(await s.page.locator(".la-who").innerText(), "you steer, below");
    assert.ok(await s.page.locator(".la-wheel.docked").count());
    await s.sees(async () => assert.match((await s.page.locator(".la-tyre").allInnerTexts()).join(), /slides/));
    // The brake: it stops somewhere and stands.
    await s.page.evaluate(() => {
      window.pad.buttons[6].value = 1;
    });
    await s.until((a) => Math.abs(a.frame(0).field("v")[1]) < 0.02, "it to stop", null, 40000);
    const still = await read(s, "ahead", "y");
    await s.until((a, t) => a.clock.t > t + 2, "two seconds", await s.app((a) => a.clock.t));
    assert.ok(Math.abs((await read(s, "ahead", "y")) - still) < 0.02, "it does not stand");
    assert.ok(Math.abs(await read(s, "ahead", "yaw_rate")) < 1e-3);
    await s.page.evaluate(() => {
      navigator.getGamepads = () => [];
    });
    await s.page.keyboard.press("Escape");
    await s.sees(async () => assert.equal(await s.page.locator(".la-who").innerText(), "law steers: lqr"));
    await s.rest();
    const worst = await replayed(s, 0, free);
    assert.ok(worst < 1e-5, `the log gives other speeds, by ${worst} m/s`);
  },
);

await test("keys turn the wheel less at speed than at a crawl", planar, async (s) => {
  await s.live(1);
  await s.app((a) => a.select(0, "behind"));
  await s.page.keyboard.press("d");
  await s.page.keyboard.down("ArrowRight");
  // 12 m/s² at 20 m/s over 2.8 m.
  await s.until((a) => Math.abs(a.frame(0).field("steer")[2] + 0.084) < 0.01, "what a key turns at speed");
  await s.frames(6);
  assert.ok((await read(s, "behind", "steer")) > -0.15);
  await s.page.keyboard.down("ArrowDown");
  await s.until((a) => a.frame(0).field("v")[2] < 3 && a.frame(0).field("steer")[2] < -0.3, "full lock", null, 40000);
  await s.page.keyboard.up("ArrowRight");
  await s.page.keyboard.up("ArrowDown");
});

await test("two fingers turn the wheel", { ...planar, context: { hasTouch: true } }, async (s) => {
  await s.live(1);
  await s.app((a) => a.select(0, "one"));
  await s.page.keyboard.press("d");
  const wheel = s.page.getByRole("slider", { name: "Steering wheel" });
  const box = await wheel.boundingBox();
  const [cx, cy, r] = [box.x + box.width / 2, box.y + box.height / 2, 0.3 * box.width];
  const touch = (type, id, angle) =>
    wheel.evaluate(
      (e, q) => {
        e.setPointerCapture = () => undefined;
        e.dispatchEvent(
          new PointerEvent(q.type, {
            pointerId: q.id,
            pointerType: "touch",
            clientX: q.x,
            clientY: q.y,
            bubbles: true,
          }),
        );
      },
      { type, id, x: cx + r * Math.cos(angle), y: cy + r * Math.sin(angle) },
    );
  await touch("pointerdown", 11, 0);
  await touch("pointerdown", 12, Math.PI);
  for (let k = 1; k <= 4; k++) {
    await touch("pointermove", 11, 0.2 * k);
    await touch("pointermove", 12, Math.PI + 0.2 * k);
  }
  // 0.8 rad to the right, over 16.
  await s.until((a) => Math.abs(a.frame(0).field("steer")[0] + 0.05) < 0.003, "the road wheels to follow");
  await touch("pointerup", 11, 0.8);
  await touch("pointerup", 12, Math.PI + 0.8);
  await s.until((a) => Math.abs(a.frame(0).field("steer")[0]) < 0.002, "the wheel to come back");
});

await test("lateral quantities can be plotted; friction use where there are wheels", planar, async (s) => {
  await s.runTo(6);
  const fields = ["y", "yaw_rate", "side_slip", "a_y", "lane", "friction_use", "fy_lf"];
  const a = await s.ask("series", { worlds: [0], vehicles: ["one"], fields, from: 0, to: 6, points: 400 });
  const curve = (f) => a.values[`0/one/${f}`];
  for (const f of fields) assert.ok(curve(f).every(Number.isFinite), f);
  assert.ok(Math.max(...curve("a_y")) > 0.4 && Math.max(...curve("friction_use")) > 0.04);
  assert.equal(curve("lane")[0], 2);
  await s.app((a) => a.select(0, "one"));
  const chip = () => s.page.locator(".cd-is-plot .pl-chip").first().innerText();
  const at = 5;
  await s.seek(at);
  const now = async (field) =>
    (
      await s.ask("series", { worlds: [0], vehicles: ["one"], fields: [field], from: at - 0.01, to: at, points: 2 })
    ).values[`0/one/${field}`].at(-1);
  for (const [field, title, unit, factor] of [
    ["y", "Lateral position", "m", 1],
    ["yaw_rate", "Yaw rate", "°/s", 180 / Math.PI],
    ["side_slip", "Slip angle at the mass centre", "°", 180 / Math.PI],
    ["a_y", "Lateral acceleration", "m/s²", 1],
    ["friction_use", "horizontal tyre forces over loads", "", 1],
  ]) {
    for (const [label, value] of [
      ["Quantity", field],
      ["Cars", "one"],
    ]) {
      await s.page.locator(".cd-is-plot .cd-choice").click();
      await s.page.getByRole("dialog").getByLabel(label, { exact: true }).selectOption(value);
      await s.page.keyboard.press("Escape");
    }
    await s.sees(async () => {
      assert.match(await s.page.locator(".cd-is-plot .cd-choice").innerText(), new RegExp(title));
      const shown = /([+−-]?[\d.]+)\s*([^\d\s]*)$/.exec((await chip()).trim());
      const value = factor * (await now(field));
      assert.ok(
        shown && Math.abs(number(shown[1]) - value) < 0.01 + 0.01 * Math.abs(value),
        `${field}: ${await chip()} against ${value}`,
      );
      if (unit) assert.equal(shown[2], unit);
    });
  }
});

await finish();
