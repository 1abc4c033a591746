// The selected car: its forms, every feature changed while it drives, what is rejected, how it looks.
import { assert, finish, test } from "./studio.mjs";
import { card, choose, difference, type } from "./inspect.mjs";

const two = { scenario: "two_gains.yaml" };

const row = (s, group, param) => s.page.locator(`[data-group="${group}"] [data-param="${param}"]`);
await test.core(
  "headway of one car, live: its gap grows, and less than the roadway's is rejected with the reason",
  two,
  async (s) => {
    await s.live(1);
    await choose(s, "car3", "Car");
    const before = await s.app((a) => a.frame(0).field("gap")[3]);
    await type(row(s, "desired", "headway"), "0.9 s");
    await s.sees(async () => assert.equal(await card(s, "car3", "desired", "headway"), 0.9));
    await type(row(s, "desired", "headway"), "0.1");
    assert.match(
      await row(s, "desired", "headway").locator(".fo-error").innerText(),
      /roadway commands 0\.3 s.*more, not less/,
    );
    await s.app((a) => a.clock.setRate(20));
    await s.until((a, b) => a.frame(0).field("gap")[3] > b + 5, "a longer gap", before, 20000);
    const rejected = await s.ask("set", { world: 0, vehicle: "car3", param: "headway", value: 0.1 });
    assert.match(rejected.reason, /at least the roadway's 0\.3 s/);
    assert.equal(await s.app((a) => a.world(0).state), "running");
  },
);

await test("the headway of a whole platoon, and of the road, from their own places", two, async (s) => {
  await s.live(1);
  await s.page.locator('.rail [data-panel="control"]').click();
  await type(s.page.locator('.panel [data-controller="follow"] [data-param="headway"]'), "0.6");
  await s.until((a) => a.world(0).controllers[0].headway === 0.6, "the world to tell 0.6 s");
  for (const car of ["car1", "car4", "car7"]) assert.equal(await card(s, car, "desired", "headway"), 0.6);
  await s.page.locator('.rail [data-panel="road"]').click();
  await type(s.page.locator('.panel [data-param="headway"]'), "0.8");
  await s.until((a) => a.world(0).road.headway === 0.8, "the road to command 0.8 s");
  await s.page.locator('.rail [data-panel="control"]').click();
  const field = s.page.locator('.panel [data-controller="follow"] [data-param="headway"]');
  await field.waitFor();
  await s.frames();
  await type(field, "0.7");
  await s.sees(async () => assert.match(await field.locator(".fo-error").innerText(), /roadway commands 0\.8 s/));
});

// What each field must change, with a value that bites. Steered ones are seen while the car is steered.
const BITES = {
  model: {
    mass: [2600, "x"],
    max_acceleration: [0.03, "x"],
    max_brake: [0.02, "x"],
    max_speed: [15, "x"],
    nominal_mass: [2600, "x"],
    drag_0: [400, "x"],
    drag_1: [30, "x"],
    drag_2: [3, "x"],
    grip: [0.02, "x"],
    brake_rate: [1, "x"],
    brake_delay: [0.4, "x"],
  },
  powertrain: {
    as_printed: [1, "x"],
    idle_angle: [9, "x"],
    power_scale: [0.5, "x"],
    engine_scale: [0.6, "x"],
    air_fuel_ratio: [18, "fuel"],
  },
  radio: { delay: [0.3, "x"], loss: [1, "x"] },
  sensor: {
    range_bias: [1, "x"],
    range_noise: [0.5, "x"],
    speed_bias: [0.5, "x"],
    speed_noise: [0.5, "x"],
    delay: [0.3, "x"],
    reach: [5, "x"],
  },
  desired: { headway: [0.6, "x"], distance: [3, "x"] }, // speed acts only without a car in front
};
await test("every live number of a car changes how it drives", { ...two, width: 1440 }, async (s) => {
  await s.runTo(40);
  await s.seek(8);
  const a = await s.ask("card", { world: 0, vehicle: "car3" });
  const dead = [];
  for (const [group, names] of Object.entries(BITES))
    for (const [name, [value, field]] of Object.entries(names)) {
      assert.equal(
        a.groups.find((g) => g.group === group)?.rows.find((r) => r.name === name)?.live,
        true,
        `${group}.${name} is not live`,
      );
      const done = await s.ask("set", { world: 0, at: 8, vehicle: "car3", param: `${group}.${name}`, value });
      assert.equal(done.branched, true, `${group}.${name}: ${done.reason}`);
      await s.until((p, n) => p.world(n)?.end > 39, `the branch of ${name}`, done.world, 20000);
      if (!((await difference(s, [0, done.world], "car3", field, 8, 39)) > 1e-4)) dead.push(`${group}.${name}`);
      await s.ask("worlds", { op: "remove", world: done.world });
    }
  assert.deepEqual(dead, [], "numbers that change nothing");
});

await test("numbers of the whole model and of the controller are changed for all their cars", two, async (s) => {
  await s.live(1);
  await choose(s, "car3", "Car");
  await type(row(s, "model", "length"), "5.1");
  await s.until((a) => a.world(0).vehicles.find((v) => v.name === "car3").length === 5.1, "car3 alone 5.1 m long");
  assert.equal(await s.app((a) => a.world(0).vehicles.filter((v) => v.length === 5.1).length), 1, "one car");
  await choose(s, "car4", "Car");
  await row(s, "model", "length").locator(".fo-all").click();
  await type(row(s, "model", "length"), "6.4");
  await s.until(
    (a) => a.world(0).vehicles.every((v) => v.length === (v.name === "car3" ? 5.1 : 6.4)),
    "all cars of the model 6.4 m long",
  );
  await s.page.locator('[data-group="inner"] summary').click();
  await type(row(s, "inner", "hysteresis"), "0.3");
  await s.sees(async () => assert.equal(await card(s, "car5", "inner", "hysteresis"), 0.3));
  const log = await s.ask("log", { world: 0 });
  assert.equal(log.entries.filter((e) => e.event === "edit").length, 3);
});

await test("user variables reach a user-defined law", two, async (s) => {
  await s.live(1);
  const done = await s.ask("law", {
    world: 0,
    controller: "follow",
    text: "a = 0.4 [1/s^2]*(gap - distance - headway*v) + 0.9 [1/s]*(v_front - v) - user1*1 [m/s^2]",
  });
  assert.equal(done.kind, "done", done.reason);
  await choose(s, "car3", "Car");
  await type(row(s, "user", "user1"), "0.5");
  await s.app((a) => a.clock.setRate(20));
  await s.until(
    (a) => a.frame(0).s[3] - a.frame(0).x[3] > 0.8,
    "car3 to fall behind by the law's new term",
    null,
    15000,
  );
});

await test.core("a running car gets another dynamic model and keeps its motion", two, async (s) => {
  await s.runTo(6);
  await choose(s, "car3", "Model");
  await s.page.locator(".in-poles").waitFor();
  assert.match(
    await s.page.locator("#in-panel").innerText(),
    /Inputs[\s\S]*throttle[\s\S]*Outputs[\s\S]*engine power[\s\S]*From throttle[\s\S]*States[\s\S]*Poles/,
  );
  await s.sees(async () => assert.equal(await s.page.locator(".in-bode .curve").count(), 2));
  await s.page.getByRole("combobox", { name: "Linear model" }).selectOption("car and law");
  const told = (await s.ask("card", { world: 0, vehicle: "car3" })).follow_dynamics.poles;
  await s.sees(async () => {
    assert.match(await s.page.locator("#in-panel").innerText(), /From motion of the car in front to own motion/);
    assert.equal((await s.page.locator(".in-poles td.num").allInnerTexts()).length, told.length);
  });
  await s.seek(4);
  await s.page.getByRole("combobox", { name: "Model", exact: true }).selectOption("heavy");
  await s.until(
    (a) => a.worlds.length === 2 && a.world(1).vehicles[3].model === "heavy" && a.world(1).end > 5.9,
    "a branch with the other model",
  );
  assert.equal(await s.app((a) => a.world(0).vehicles[3].model), "town_car");
  assert.ok((await card(s, "car3", "model", "mass", 1)) > 2000);
  await s.seek(4.02);
  const v = await s.app((a) => [0, 1].map((w) => a.frame(w).field("v")[3]));
  assert.ok(Math.abs(v[0] - v[1]) < 0.05, `at the change v is ${v}`);
  assert.ok((await difference(s, [0, 1], "car3", "x", 4, 5.8)) > 1e-3, "the heavy car drives as the light one");
});

const WRONG = ["", "fast", "0.1 kg", "-1", "1e9", "NaN", "1..2", "0.5 m/s", "--3", "1,5,2"];
await test("ten wrong inputs: the field says what is allowed, nothing is sent", two, async (s) => {
  await s.live(1);
  await choose(s, "car3", "Controller");
  const field = s.page.locator('[data-controller="follow"] [data-param="k3"]');
  for (const text of WRONG) {
    await type(field, text);
    assert.match(await field.locator(".fo-error").innerText(), /is not a number|0 to 100 s/, `"${text}"`);
    assert.ok(await field.evaluate((e) => e.classList.contains("wrong")), `"${text}" is not marked`);
  }
  assert.equal((await s.ask("log", { world: 0 })).entries.length, 0);
  await type(field, "2,5");
  await s.until((a) => a.world(0).controllers[0].gains.k3 === 2.5, "k3 = 2.5");
  await s.sees(async () => assert.equal(await field.locator(".fo-error").innerText(), ""));
});

await test("help of a field comes from its table, by hovering and by F1", two, async (s) => {
  await s.live(1);
  await choose(s, "car3", "Controller");
  await s.page.locator('[data-param="k3"] .fo-label').hover();
  await s.page.locator("#help-card:not(.hidden)").waitFor();
  await s.sees(async () =>
    assert.match(await s.page.locator("#help-card").innerText(), /gain of the acceleration difference[\s\S]*0 to 100/),
  );
  await s.page.mouse.move(500, 500);
  await s.page.getByRole("tab", { name: "Car", exact: true }).click();
  await row(s, "model", "mass").locator("input.fo-number").focus();
  await s.page.keyboard.press("F1");
  await s.sees(async () => assert.match(await s.page.locator("#help-card").innerText(), /mass[\s\S]*kg/i));
});

for (const [width, height, theme] of [
  [1440, 900, "light"],
  [1280, 720, "dark"],
])
  await test(
    `no label is cut and nothing overlaps, ${width} x ${height} ${theme}; axe finds nothing`,
    { ...two, width, height, theme },
    async (s) => {
      await s.live(1);
      await s.rest();
      const look = async (what) => {
        const bad = await s.page.evaluate(() => {
          const out = [];
          for (const f of document.querySelectorAll(".aside .fo-field, .aside .in-pair, .aside .la-links")) {
            if (!f.offsetParent) continue;
            const boxes = [...f.children]
              .filter(
                (c) =>
                  c.offsetParent &&
                  c.textContent + c.tagName !== "" &&
                  c.getBoundingClientRect().width > 0 &&
                  !c.classList.contains("fo-error"),
              )
              .map((c) => [c, c.getBoundingClientRect()]);
            for (const [c] of boxes)
              if (c.scrollWidth > c.clientWidth + 1 && !c.matches("input,.fo-rail"))
                out.push(`${f.dataset.param ?? f.className}: ${c.className} is cut`);
            for (let i = 0; i < boxes.length; i++)
              for (let k = i + 1; k < boxes.length; k++) {
                const p = boxes[i][1];
                const q = boxes[k][1];
                if (p.right - 1 > q.left && q.right - 1 > p.left && p.bottom - 1 > q.top && q.bottom - 1 > p.top)
                  out.push(
                    `${f.dataset.param ?? f.className}: ${boxes[i][0].className} lies over ${boxes[k][0].className}`,
                  );
              }
            for (const n of f.querySelectorAll("input.fo-number"))
              if (n.scrollWidth > n.clientWidth + 1) out.push(`${f.dataset.param}: ${n.value} does not fit`);
          }
          const aside = document.querySelector(".aside").getBoundingClientRect();
          for (const e of document.querySelectorAll(
            ".aside button, .aside select, .aside input, .aside p, .aside pre",
          )) {
            const r = e.getBoundingClientRect();
            if (e.offsetParent && r.width && (r.right > aside.right + 1 || r.left < aside.left - 1))
              out.push(`${e.className || e.tagName} leaves the column`);
          }
          return out;
        });
        assert.deepEqual(bad, [], what);
        await s.accessible(what, ".aside");
      };
      await look("world");
      for (const tab of ["Car", "Controller", "Disturb", "Model"]) {
        await choose(s, "car3", tab);
        await s.page.evaluate(() => document.querySelectorAll(".aside details").forEach((d) => (d.open = true)));
        await s.page.waitForTimeout(200);
        await look(tab);
      }
      for (const panel of ["road", "cars", "control", "vehicle", "files"]) {
        await s.page.locator(`.rail [data-panel="${panel}"]`).click();
        await s.page.waitForTimeout(250);
        await look(panel);
      }
    },
  );

await finish();
