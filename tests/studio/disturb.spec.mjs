// Disturbances by hand: step, pulse, sine and noise on the force and on the measured gap.
import { assert, finish, test } from "./studio.mjs";
import { choose, replayed, type } from "./inspect.mjs";

const two = { scenario: "two_gains.yaml" };
const pick = (s, name) => s.page.locator(".di-box").getByRole("radio", { name, exact: true }).click();
const field = (s, name) => s.page.locator(`.di-box [data-param="${name}"]`);
const now = (s) => s.page.getByRole("button", { name: "Disturb now" }).click();
async function branch(s, n) {
  await s.until((a, k) => a.worlds.length === k && a.worlds[k - 1].end > 29, "the branch", n, 20000);
  await s.until((a) => a.events(a.worlds.at(-1).world).some((e) => e.type === "fault"), "its event");
  return s.app((a) => a.worlds.at(-1).world);
}
// Branch less Main, of one car and field.
async function less(s, world, car, name, from, to) {
  const a = await s.ask("series", { worlds: [0, world], vehicles: [car], fields: [name], from, to, points: 2000 });
  return a.t.map((t, k) => [t, a.values[`${world}/${car}/${name}`][k] - a.values[`0/${car}/${name}`][k]]);
}

await test.core(
  "a pulse on the force: the car is faster while it lasts, those behind follow, and it is over again",
  two,
  async (s) => {
    await s.runTo(30);
    await s.seek(10);
    await choose(s, "car4", "Disturb");
    await pick(s, "Pulse");
    await type(field(s, "push"), "0.8");
    await type(field(s, "lasting"), "3");
    assert.match(await s.page.locator(".di-box .in-note").innerText(), /0\.8 m\/s² on 1839 kg: 1470 N/);
    await now(s);
    const w = await branch(s, 2);
    const e = await s.app((a, n) => a.events(n).find((q) => q.type === "fault"), w);
    assert.equal(e.text, "car4: push 0.8 for 3 s");
    assert.ok(Math.abs(e.t - 10) < 0.011 && e.vehicle === "car4");
    const a = await less(s, w, "car4", "a", 10.05, 30);
    const early = a.filter(([t]) => t < 10.8);
    const late = a.filter(([t]) => t > 25);
    assert.ok(Math.max(...early.map((p) => p[1])) > 0.3, `pushed by ${Math.max(...early.map((p) => p[1]))} m/s²`);
    assert.ok(Math.max(...late.map((p) => Math.abs(p[1]))) < 0.05, "it has not ended");
    const ahead = await less(s, w, "car3", "v", 10, 30);
    const behind = await less(s, w, "car6", "v", 10, 30);
    assert.ok(Math.max(...ahead.map((p) => Math.abs(p[1]))) < 1e-6, "cars in front do not know of it");
    assert.ok(Math.max(...behind.map((p) => Math.abs(p[1]))) > 0.01, "cars behind follow");
    assert.ok((await replayed(s, w, "two_gains.yaml")) < 1e-5, "the log repeats it");
  },
);

await test(
  "a sine on the measured gap: the car swings at that frequency; another amplitude replaces it in the same branch",
  two,
  async (s) => {
    await s.runTo(30);
    await s.seek(5);
    await choose(s, "car3", "Disturb");
    await pick(s, "Sensor bias");
    await pick(s, "Sine");
    await type(field(s, "sensor_bias"), "0.5");
    await type(field(s, "frequency"), "0.25");
    await type(field(s, "lasting"), "0");
    await now(s);
    const w = await branch(s, 2);
    const d = await less(s, w, "car3", "x", 13, 29); // four periods of 4 s
    const of = (f) => {
      let c = 0;
      let q = 0;
      for (const [t, v] of d) {
        c += v * Math.cos(2 * Math.PI * f * t);
        q += v * Math.sin(2 * Math.PI * f * t);
      }
      return (2 * Math.hypot(c, q)) / d.length;
    };
    // Law (8) by itself: x = k1 n / (s^3 + (k3 + k2 h) s^2 + (k2 + k1 h) s + k1); engine and brake come on top.
    const { k1, k2, k3, h } = await s.app((a) => {
      const c = a.world(0).controllers.find((q) => q.name === "follow");
      return { ...c.gains, h: c.headway ?? a.world(0).road.headway };
    });
    const u = 2 * Math.PI * 0.25;
    const alone = (0.5 * k1) / Math.hypot(k1 - (k3 + k2 * h) * u * u, (k2 + k1 * h) * u - u ** 3);
    assert.ok(Math.abs(of(0.25) / alone - 1) < 0.3, `it swings by ${of(0.25)} m, the law alone gives ${alone} m`);
    assert.ok(of(0.5) < 0.2 * of(0.25) && of(0.125) < 0.4 * of(0.25), `${of(0.125)}, ${of(0.25)}, ${of(0.5)} m`);
    await type(field(s, "sensor_bias"), "1");
    await now(s);
    await s.until(
      (a, n) => a.events(n).some((e) => e.type === "fault" && e.value === 1),
      "the other amplitude",
      w,
      15000,
    );
    assert.equal(await s.app((a) => a.worlds.length), 2);
  },
);

await test("noise now, ended by its button; the choices by keyboard; kept for the scenario", two, async (s) => {
  await s.runTo(2);
  await choose(s, "car2", "Disturb");
  await s.page.locator(".di-box").getByRole("radio", { name: "Step", exact: true }).focus();
  for (let k = 0; k < 3; k++) await s.page.keyboard.press("ArrowRight");
  assert.equal(await s.page.evaluate(() => document.activeElement.textContent), "Noise");
  await type(field(s, "push"), "2");
  await type(field(s, "lasting"), "0");
  await now(s);
  await s.until((a) => a.events(0).some((e) => e.type === "fault" && /push 2 noise/.test(e.text)), "the event");
  await s.runTo((await s.app((a) => a.clock.end)) + 3);
  await s.page.getByRole("button", { name: "End it" }).click();
  await s.until((a) => a.events(0).filter((e) => e.type === "fault").length === 2, "its end");
  const t1 = await s.app((a) => a.events(0).filter((e) => e.type === "fault")[1].t);
  await s.runTo(t1 + 4);
  const jerk = async (from, to) => {
    const a = await s.ask("series", { worlds: [0], vehicles: ["car2"], fields: ["jerk"], from, to, points: 2000 });
    const v = a.values["0/car2/jerk"];
    return Math.sqrt(v.reduce((n, q) => n + q * q, 0) / v.length);
  };
  const during = await jerk(t1 - 2.5, t1);
  const after = await jerk(t1 + 2, t1 + 4);
  assert.ok(during > 5 * after, `jerk ${during} during it, ${after} after it`);
  await s.page.getByRole("tab", { name: "Car", exact: true }).click();
  await s.page.getByRole("tab", { name: "Disturb", exact: true }).click();
  assert.equal(
    await s.page.locator(".di-box").getByRole("radio", { name: "Noise", exact: true }).getAttribute("aria-checked"),
    "true",
  );
});

await test("invalid disturbances are rejected", two, async (s) => {
  await s.live(1);
  await choose(s, "car4", "Disturb");
  await pick(s, "Sine");
  for (const [name, text] of [
    ["push", "30"],
    ["push", "x"],
    ["push", "1 kg"],
    ["frequency", "0"],
    ["frequency", "200"],
    ["lasting", "-1"],
  ]) {
    await type(field(s, name), text);
    assert.match(await field(s, name).locator(".fo-error").innerText(), /to|number/, `${name} = ${text}`);
  }
  for (const [event, value, shape] of [
    ["push", 21, ""],
    ["push", 1, "square"],
    ["push", 1, "sine 0 Hz"],
    ["push", 1, "sine 0.2 Hz for good"],
    ["sensor_bias", 1, "noise 3"],
    ["push", 1, "x".repeat(80)],
    ["radio_loss", 3, ""],
  ]) {
    const a = await s.ask("fault", { world: 0, vehicle: "car4", event, value, ...(shape ? { shape } : {}) });
    assert.equal(a.kind, "refused", `${event} ${value} ${shape}`);
  }
  assert.equal((await s.ask("log", { world: 0 })).entries.length, 0);
});

await test("the form has the faults of the server's table, with their labels, units and help", two, async (s) => {
  await s.live(1);
  await s.app((a) =>
    a.eventKinds.push({
      name: "horn_stuck",
      label: "Horn stuck at",
      fault: true,
      shaped: true,
      rows: [{ name: "horn_stuck", unit: "s", default: null, min: 0, max: 7, doc: "how long it sounds" }],
    }),
  );
  await choose(s, "car4", "Disturb");
  const told = await s.app((a) => a.eventKinds.filter((k) => k.fault));
  assert.ok(told.length >= 8, `${told.length} faults`);
  for (const { name, label, rows } of told) {
    const shown = s.page.locator(`.di-form > [data-param="${name}"]`);
    assert.equal(await shown.locator(".fo-label").innerText(), label);
    assert.ok((await shown.locator(".fo-label").getAttribute("title")).startsWith(rows[0].doc), name);
    assert.equal(await shown.locator(".fo-number").inputValue(), "–", `${name}: no fault yet`);
  }
  assert.equal(await s.page.locator(".di-form > [data-param]").count(), told.length);
  await pick(s, "Horn stuck at");
  await type(field(s, "horn_stuck"), "8");
  assert.match(await field(s, "horn_stuck").locator(".fo-error").innerText(), /0 to 7 s/);
});

await finish();
