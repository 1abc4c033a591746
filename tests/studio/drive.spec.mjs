// Driving by hand: keys, mouse, touch, gamepad; one page per car.
import { assert, finish, test } from "./studio.mjs";
import { replayed } from "./inspect.mjs";
import { Studio } from "./studio.mjs";

const two = { scenario: "two_gains.yaml" };
const inputs = (s, car) =>
  s.app((a, car) => {
    const f = a.frame(0);
    const i = f.index(a.world(0).vehicles.find((v) => v.name === car).id);
    return {
      throttle: f.field("throttle")[i],
      brake: f.field("brake")[i],
      steer: f.field("steer")[i],
      status: f.status[i],
      v: f.field("v")[i],
      y: f.field("y")[i],
    };
  }, car);

await test.core(
  "arrow keys drive the leader: throttle, brake, steering; the car has its triangle; the log repeats it",
  two,
  async (s) => {
    await s.live(1);
    await s.page.keyboard.press("d");
    await s.page.locator(".dr-dock").waitFor();
    assert.match(await s.page.locator(".dr-title").innerText(), /leader/);
    await s.page.keyboard.down("ArrowUp");
    await s.until((a) => a.frame(0).field("throttle")[0] > 0.6, "the throttle");
    assert.ok(((await inputs(s, "leader")).status & 2) === 2, "the car is not marked as driven");
    await s.page.keyboard.up("ArrowUp");
    await s.page.keyboard.down("ArrowLeft");
    await s.until((a) => a.frame(0).field("steer")[0] > 0.02, "the steering");
    await s.page.keyboard.up("ArrowLeft");
    await s.page.keyboard.down("ArrowDown");
    await s.until((a) => a.frame(0).field("brake")[0] > 0.5, "the brake");
    const v = (await inputs(s, "leader")).v;
    await s.until((a, v) => a.frame(0).field("v")[0] < v - 2, "it to slow down", v);
    await s.page.keyboard.up("ArrowDown");
    await s.page.keyboard.press("Escape");
    await s.until((a) => (a.frame(0).status[0] & 2) === 0, "the car to return to its law");
    assert.equal(await s.app((a) => a.layout.driving), false);
    const log = (await s.ask("log", { world: 0 })).entries.map((e) => e.event);
    assert.ok(log.filter((e) => e === "drive").length > 5 && log.at(-1) === "release");
    const worst = await replayed(s, 0, "two_gains.yaml");
    assert.ok(worst < 1e-5, `the log gives other speeds, by ${worst} m/s`);
  },
);

await test("mouse on pedals and wheel, for any car; another page cannot take it", two, async (s) => {
  await s.live(1);
  await s.app((a) => a.select(0, "car4"));
  await s.page.getByRole("button", { name: "Drive", exact: true }).last().click();
  const bar = await s.page.getByRole("slider", { name: "Throttle" }).boundingBox();
  await s.page.mouse.move(bar.x + 8, bar.y + bar.height / 2);
  await s.page.mouse.down();
  await s.page.mouse.move(bar.x + bar.width * 0.5, bar.y + bar.height / 2, { steps: 3 });
  await s.until((a) => Math.abs(a.frame(0).field("throttle")[4] - 0.5) < 0.12, "half throttle");
  await s.page.mouse.up();
  await s.until((a) => a.frame(0).field("throttle")[4] < 0.05, "the pedal to come back");
  const wheel = await s.page.getByRole("slider", { name: "Steering wheel" }).boundingBox();
  const cx = wheel.x + wheel.width / 2;
  const cy = wheel.y + wheel.height / 2;
  const r = wheel.width * 0.4;
  await s.page.mouse.move(cx + r, cy);
  await s.page.mouse.down();
  for (let k = 1; k <= 4; k++) await s.page.mouse.move(cx + r * Math.cos(-k * 0.3), cy + r * Math.sin(-k * 0.3));
  await s.until((a) => a.frame(0).field("steer")[4] > 0.03, "the wheel to turn the car left");
  await s.page.mouse.up();
  const other = await Studio.open(s.server);
  await other.app((a) => a.select(0, "car4"));
  await other.page.keyboard.press("d");
  await other.until(
    () => [...document.querySelectorAll(".toast")].some((t) => /driven by/.test(t.textContent)),
    "a rejection that names the driver",
  );
  assert.equal(await other.app((a) => a.layout.driving), false);
  assert.equal(await other.app((a) => a.world(0).vehicles[4].driven !== ""), true);
  await other.page.context().close();
});

await test("Drive on the rail takes nothing and starts nothing before the first pedal", two, async (s) => {
  await s.live(1);
  await s.page.keyboard.press("Space");
  await s.until((a) => !a.load.running, "the simulation to rest");
  const at = await s.app((a) => a.load.live);
  await s.page.locator('.rail [data-panel="drive"]').click();
  assert.match(await s.page.locator(".dr-title").innerText(), /Ready to drive leader/);
  await s.page.waitForTimeout(400);
  assert.equal((await s.ask("log", { world: 0 })).entries.length, 0, "a car was taken");
  assert.deepEqual(await s.app((a) => [a.clock.playing, a.load.live]), [false, at]);
  await s.page.keyboard.down("ArrowUp");
  await s.until((a) => a.clock.playing && a.frame(0).field("throttle")[0] > 0.3, "the throttle");
  await s.page.keyboard.up("ArrowUp");
  await s.page.keyboard.press("Escape");
});

await test("a gamepad's triggers and stick", two, async (s) => {
  await s.live(1);
  await s.page.evaluate(() => {
    window.pad = {
      connected: true,
      axes: [0, 0],
      buttons: Array.from({ length: 17 }, () => ({ value: 0, pressed: false })),
    };
    navigator.getGamepads = () => [window.pad];
  });
  await s.page.keyboard.press("d");
  await s.page.evaluate(() => {
    window.pad.buttons[7].value = 0.7;
  });
  await s.until((a) => Math.abs(a.frame(0).field("throttle")[0] - 0.7) < 0.02, "the right trigger");
  await s.page.evaluate(() => {
    window.pad.buttons[7].value = 0;
    window.pad.buttons[6].value = 0.4;
    window.pad.axes[0] = -0.8;
  });
  await s.until(
    (a) => Math.abs(a.frame(0).field("brake")[0] - 0.4) < 0.02 && a.frame(0).field("steer")[0] > 0.1,
    "the left trigger and the stick",
  );
});

await test(
  "touch holds a pedal; a car without input for two seconds returns to its law",
  { ...two, context: { hasTouch: true } },
  async (s) => {
    await s.live(1);
    await s.app((a) => a.select(0, "car2"));
    await s.page.keyboard.press("d");
    const bar = await s.page.getByRole("slider", { name: "Brake", exact: true }).boundingBox();
    const fingers = await s.page.context().newCDPSession(s.page);
    await fingers.send("Input.dispatchTouchEvent", {
      type: "touchStart",
      touchPoints: [{ x: bar.x + bar.width * 0.8, y: bar.y + bar.height / 2 }],
    });
    await s.until((a) => a.frame(0).field("brake")[2] > 0.2, "the brake by touch");
    await s.until((a) => (a.frame(0).status[2] & 2) === 2, "the car to be driven by hand");
    await s.page.evaluate(() => {
      const a = window.motorcade;
      const tell = a.tell.bind(a);
      a.tell = (kind, args) => {
        if (kind !== "drive") tell(kind, args);
      };
    }); // its pedals fall silent
    await s.until((a) => (a.frame(0).status[2] & 2) === 0, "the car to return to its law", null, 15000);
  },
);

await test(
  "a point car is driven too: speed and heading follow, and the dock says that it has no pedals",
  { scenario: "demo1.yaml" },
  async (s) => {
    await s.live(1);
    await s.app((a) => a.select(0, "leader"));
    await s.page.keyboard.press("d");
    await s.page.locator(".dr-without").waitFor();
    assert.match(await s.page.locator(".dr-without").innerText(), /no pedals/i);
    await s.page.keyboard.down("ArrowUp");
    await s.until((a) => a.frame(0).field("v")[0] > 26, "it to speed up");
    await s.page.keyboard.up("ArrowUp");
    await s.page.keyboard.down("ArrowDown");
    await s.until((a) => a.frame(0).field("v")[0] < 20, "it to slow down");
    await s.page.keyboard.up("ArrowDown");
    await s.page.keyboard.down("ArrowRight");
    await s.until((a) => a.frame(0).field("y")[0] < -0.3, "it to turn right");
    await s.page.keyboard.up("ArrowRight");
  },
);

await test(
  "a platoon leads as another: who drives one leader drives both alike",
  { scenario: "demo1.yaml" },
  async (s) => {
    await s.live(1);
    await s.app((a) => a.select(0, "auto_leader"));
    await s.page.getByRole("tab", { name: "Car", exact: true }).click();
    await s.page.getByRole("combobox", { name: "Leads" }).selectOption("as platoon 1");
    await s.until((a) => a.world(0).platoons[1].leads_as === 1, "the platoon to lead as the other");
    await s.app((a) => a.select(0, "manual_leader"));
    await s.page.keyboard.press("d");
    await s.page.keyboard.down("ArrowUp");
    await s.until((a) => a.frame(0).field("v")[0] > 26, "it to speed up");
    await s.page.keyboard.up("ArrowUp");
    await s.page.keyboard.press("Escape");
    const [first, second] = await s.app((a) => {
      const f = a.frame(0);
      const at = (name) => f.field("v")[f.index(a.world(0).vehicles.find((v) => v.name === name).id)];
      return [at("manual_leader"), at("auto_leader")];
    });
    assert.equal(first, second);
  },
);

await finish();
