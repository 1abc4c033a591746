// Controllers: gains with a verdict, another law for a running platoon, matrices, cars received by radio.
import { assert, finish, test } from "./studio.mjs";
import { card, choose, difference, replayed, type } from "./inspect.mjs";

const two = { scenario: "two_gains.yaml" };

await test.core("a gain dragged behind the live end branches; both run on; the verdict follows", two, async (s) => {
  await s.runTo(12);
  await s.seek(6);
  await choose(s, "car3", "Controller");
  await s.page.locator('.la-verdict[data-verdict="stable"]').waitFor();
  const slider = s.page.locator('#in-panel [data-param="k3"] input[type=range]');
  await s.frames();
  const box = await slider.boundingBox();
  const at = await slider.evaluate((e) => Number(e.value) / 1000);
  await s.page.mouse.move(box.x + 7 + (box.width - 14) * at, box.y + box.height / 2);
  await s.page.mouse.down();
  await s.page.mouse.move(box.x + 12, box.y + box.height / 2, { steps: 4 });
  await s.page.locator('.la-verdict[data-verdict="unstable"]').waitFor(); // while it is only tried
  assert.equal(await s.app((a) => a.worlds.length), 1);
  await s.page.mouse.up();
  await s.until((a) => a.worlds.length === 2 && a.world(1).end > 11.5, "a branch");
  const k3 = await s.app((a) => [0, 1].map((w) => a.world(w).controllers[0].gains.k3));
  assert.ok(k3[0] === 4 && k3[1] < 3, `k3 is ${k3}`);
  assert.match(await s.app((a) => a.world(1).change), /k3 4 -> /);
  assert.ok((await difference(s, [0, 1], "car5", "x", 6, 11.5)) > 1e-3, "both worlds are the same");
  await s.sees(async () =>
    assert.equal(
      await s.page.locator('#in-panel [data-param="k3"] .fo-tick').count(),
      1,
      "the other world's value is no tick",
    ),
  );
});

await test.core("a running platoon gets another law, and the log repeats it", two, async (s) => {
  await s.live(2);
  await choose(s, "car3", "Controller");
  for (const law of ["idm", "ploeg", "acc"]) {
    await s.page.getByRole("combobox", { name: "Law" }).selectOption(law);
    await s.until(
      (a, law) => a.world(0).controllers[0].law === law && a.world(0).vehicles[4].law === law,
      `the law ${law}`,
      law,
    );
  }
  await s.sees(async () =>
    assert.match(await s.page.locator(".la-equation").innerText(), /k1 \(gap - distance - headway v\)/),
  );
  await s.until(
    (a) =>
      document.querySelector('#in-panel [data-param="k2"]') && !document.querySelector('#in-panel [data-param="k3"]'),
    "sliders of the new law",
  );
  await type(s.page.locator('#in-panel [data-param="k2"]'), "0.8");
  await s.live(4);
  const worst = await replayed(s, 0, "two_gains.yaml");
  assert.ok(worst < 1e-5, `the log gives other speeds, by ${worst} m/s`);
});

await test("a linear controller by its matrices; wrong ones are explained", two, async (s) => {
  await s.live(1);
  await choose(s, "car3", "Controller");
  await s.page.getByText("By matrices").click();
  const area = (name) => s.page.getByRole("textbox", { name, exact: true });
  const use = s.page.getByRole("button", { name: "Use these matrices" });
  const wrong = [
    ["A", "1 2", /A is 1 x 2/],
    ["A", "x", /not a number/],
    ["B", "1", /B is 1 x 1/],
    ["B", "", /B is 0 x 0/],
    ["C", "1 2", /C is 1 x 2/],
    ["C", "", /C is 0 x 0/],
    ["D", "1", /D is 1 x 1/],
    ["D", "1 2 3", /D is 1 x 3/],
    ["inputs, one per line", " ", /one or more/],
    ["inputs, one per line", "v_frnt - v\ngap", /v_front/],
    ["A", "-2\n1", /A is 2 x 1/],
  ];
  for (const [name, text, message] of wrong) {
    const was = await area(name).inputValue();
    await area(name).fill(text);
    await use.click();
    await s.until(
      (a, m) => new RegExp(m).test(document.querySelector(".la-more .fo-error").textContent),
      `a message for ${name} = "${text}"`,
      message.source,
    );
    await area(name).fill(was);
  }
  assert.equal(await s.app((a) => a.world(0).controllers[0].own), false);
  await use.click();
  await s.until((a) => a.world(0).controllers[0].own, "the linear controller");
  assert.equal(await s.app((a) => a.world(0).controllers[0].lines.some((l) => l.kind === "state")), true);
});

await test("the cars received by radio are changed by a click, the radio by a number", two, async (s) => {
  await s.live(1);
  await choose(s, "car3", "Controller");
  await s.page.getByRole("button", { name: "leader", exact: true }).click();
  await s.until(
    (a) => JSON.stringify(a.world(0).controllers[0].listen) === '["front"]',
    "only the car in front to be heard",
  );
  await s.page.getByRole("button", { name: "+2", exact: true }).click();
  await s.until((a) => a.world(0).controllers[0].listen.includes(2), "the second car ahead to be heard");
  await s.sees(async () =>
    assert.equal(await s.page.getByRole("button", { name: "+2", exact: true }).getAttribute("aria-pressed"), "true"),
  );
  await type(s.page.locator('#in-panel [data-param="delay"]'), "80 ms");
  await s.until((a) => a.world(0).controllers[0].radio.delay === 0.08, "a delay of 80 ms");
  assert.equal(await s.app((a) => a.world(0).controllers[0].gains.k3), 4);
});

await test(
  "the pedal in use and its place in the band of the switch are those of the instant shown",
  two,
  async (s) => {
    await s.runTo(40);
    await choose(s, "car3", "Controller");
    const seen = { brake: 0, throttle: 0 };
    for (const t of [4, 16, 20, 28, 36]) {
      await s.seek(t);
      const want = await s.app((a) => {
        const f = a.frame(0);
        const i = f.index(a.world(0).vehicles.find((v) => v.name === "car3").id);
        return { brake: f.field("brake")[i], throttle: f.field("throttle")[i] };
      });
      const pedal = want.brake > 0.001 ? "brake" : want.throttle > 0.001 ? "throttle" : "none";
      const per = 100 * Math.max(want.brake, want.throttle);
      await s.until(
        (a, q) => {
          const m = document.querySelector(".mn");
          const n = Number(/([\d.]+) %/.exec(m.textContent)?.[1] ?? 0);
          return m.dataset.pedal === q.pedal && Math.abs(n - (q.pedal === "none" ? 0 : q.per)) <= 0.01 * q.per + 0.05;
        },
        `${pedal} ${per} % at ${t} s`,
        { pedal, per },
      );
      const p = await s.ask("pedals", { world: 0, vehicle: "car3", t });
      const above = p.asked - p.coast;
      await s.sees(async () => {
        const cx = Number(await s.page.locator(".mn-point").getAttribute("cx"));
        assert.equal(
          Math.sign(Math.round(cx - 132)),
          Math.sign(Math.round(1e3 * above)),
          `${above} m/s² stands at ${cx}`,
        );
        if (Math.abs(above) < p.hysteresis) assert.ok(Math.abs(cx - 132 - (52 * above) / p.hysteresis) < 0.2);
      });
      if (pedal !== "none") {
        seen[pedal]++;
        assert.equal(p.pedal, pedal);
      }
    }
    assert.ok(seen.brake && seen.throttle, `both pedals: ${JSON.stringify(seen)}`);
    await s.app((a) => a.select(0, "leader"));
  },
);

await test("the form of a car has the numbers of the instant shown, not of the live end", two, async (s) => {
  await s.runTo(3);
  const was = await card(s, "car3", "model", "mass");
  const at = await s.app((a) => a.clock.end);
  await s.app((a) => a.ask("set", { world: 0, vehicle: "car3", param: "model.mass", value: 2222 }));
  await s.runTo(at + 5);
  await s.seek(at + 3);
  await choose(s, "car3", "Car");
  const box = s.page.locator('#in-panel [data-group="model"] .fo-field[data-param="mass"] .fo-number');
  await s.until(
    () => document.querySelector('#in-panel [data-group="model"] [data-param="mass"] .fo-number')?.value === "2222",
    "the mass after the change",
  );
  // The playhead moves right after the form has asked, when it may not ask again yet.
  await s.app(
    (a, t) =>
      new Promise((done) => {
        const ask = a.ask.bind(a);
        a.ask = (kind, args) => {
          if (kind === "card") {
            a.ask = ask;
            setTimeout(() => done(a.clock.seek(t)), 50);
          }
          return ask(kind, args);
        };
        a.clock.seek(t + 3);
      }),
    at - 1,
  );
  await s.until(
    (a, was) =>
      Math.abs(
        Number(document.querySelector('#in-panel [data-group="model"] [data-param="mass"] .fo-number').value) - was,
      ) < 0.01,
    `the mass before it, ${was} kg`,
    was,
  );
  assert.ok(Math.abs(Number(await box.inputValue()) - was) < 0.01);
});

await test("the verdict under a branch's gains is that of its own law, also just before its fork", two, async (s) => {
  await s.runTo(5);
  for (const [t, k3] of [
    [3, 2],
    [3.5, 1],
  ]) {
    await s.seek(t);
    await s.app((a, value) => a.change("set", { controller: "follow", param: "k3", value }), k3);
  }
  await s.until((a) => a.world(2)?.end > 4.9, "the branch of the branch");
  const right = (await s.ask("string", { worlds: [2], controller: "follow", t: 4 })).worlds[0].text;
  await s.app((a) => a.clock.seek(3.499));
  await s.app((a) => a.select(2, "car3"));
  await s.until(() => document.querySelector("#in-panel .la-verdict-line")?.textContent, "the verdict");
  await s.sees(async () => assert.equal(await s.page.locator("#in-panel .la-verdict-line").textContent(), right));
});

await test("one car gets a controller of its own; what is changed there leaves the others", two, async (s) => {
  await s.live(1);
  await s.app((a) => a.select(0, "car3"));
  await s.page.getByText("Law and gains of follow are those of 7 cars").waitFor();
  await s.page.getByRole("button", { name: "New controller for car3 alone" }).click();
  await s.until((a) => a.world(0).vehicles.find((v) => v.name === "car3").controller === "follow_car3", "its own");
  await s.page.locator("#in-panel .la-card select").first().selectOption("acc");
  await s.until((a) => a.world(0).controllers.find((c) => c.name === "follow_car3").law === "acc", "another law");
  assert.equal(await s.app((a) => a.world(0).controllers.find((c) => c.name === "follow").law), "platoon");
  assert.equal(await s.app((a) => a.world(0).vehicles.filter((v) => v.controller === "follow").length), 6);
});

await finish();
