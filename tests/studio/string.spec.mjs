// The String stability card: what the law promises against `motorcade stability`, what was measured
// against the run itself.
import { execFileSync } from "node:child_process";
import { assert, finish, root, test } from "./studio.mjs";

const program = process.env.MOTORCADE ?? `${root}/build/motorcade`;
const two = { scenario: "two_gains.yaml" };
const card = ".cd-is-string";

// Peak and its frequency by the command line.
function promised(k3) {
  const text = execFileSync(
    program,
    [
      "stability",
      "--law",
      "platoon",
      "--set",
      "k1=0.8",
      "--set",
      "k2=2",
      "--set",
      `k3=${k3}`,
      "--headway",
      "0.3",
      "--distance",
      "1",
      "--speed",
      "20",
    ],
    { encoding: "utf8" },
  );
  const m = /L2\s+string (\w+): \|G\| is at most ([\d.]+)(?:, at ([\d.]+) rad\/s)?/.exec(text);
  return { stable: m[1] === "stable", peak: Number(m[2]), w: m[3] ? Number(m[3]) : 0 };
}
// What the card says of a world, from the words it gives to screen readers.
async function said(s, letter) {
  const label = await s.page.locator(`${card} .ch-face`).getAttribute("aria-label");
  const m = new RegExp(`${letter}: peak ([\\d.]+) at ([\\d.]+) rad/s, (amplifies|does not amplify)`).exec(label);
  return m
    ? {
        peak: Number(m[1]),
        w: Number(m[2]),
        amplifies: m[3] === "amplifies",
        tail: Number(new RegExp(`${letter}: [^.]*\\.[^;]*;? ?measured head to tail ([\\d.]+)`).exec(label)?.[1] ?? NaN),
        label,
      }
    : { label };
}
const until = (s, letter, good, what) =>
  s.sees(async () => {
    const now = await said(s, letter);
    assert.ok(now.peak !== undefined && good(now), `${what}: ${now.label}`);
    return now;
  });

await test.core("the peak is that of motorcade stability, before and after the gain is changed", two, async (s) => {
  const want4 = promised(4);
  const want16 = promised(1.6);
  assert.ok(want4.stable && !want16.stable);
  await s.runTo(20);
  await s.seek(12);
  const a = await until(s, "A", () => true, "the first verdict");
  assert.ok(
    Math.abs(a.peak - want4.peak) < 0.0011 && !a.amplifies,
    `${JSON.stringify(a)} against ${JSON.stringify(want4)}`,
  );
  await s.sees(async () => assert.match(await s.page.locator(`${card} .cd-pill`).first().innerText(), /A peak 1\.00/));
  await s.app((app) => app.change("set", { world: 0, controller: "follow", param: "k3", value: 1.6 }));
  const b = await until(s, "B", (r) => r.amplifies, "the branch to amplify");
  assert.ok(
    Math.abs(b.peak - want16.peak) < 0.0011 && Math.abs(b.w - want16.w) < 0.0011,
    `${JSON.stringify(b)} against ${JSON.stringify(want16)}`,
  );
  const pill = s.page.locator(`${card} .cd-pill`).nth(1);
  await s.sees(async () => {
    assert.match(await pill.innerText(), /B peak 1\.15/);
    assert.match(await pill.getAttribute("class"), /cd-bad/);
  });
  assert.equal((await said(s, "A")).amplifies, false, "world A changed, too");
});

await test("the curve follows while k3 is dragged, before anything is changed", two, async (s) => {
  await s.runTo(20);
  await s.seek(12);
  await until(s, "A", (r) => !r.amplifies, "the verdict");
  await s.app((a) => a.select(0, "car3"));
  const slider = s.page.locator('.fo-field[data-param="k3"] input[type=range]').first();
  if (!(await slider.isVisible())) await s.page.getByRole("tab", { name: "Controller" }).click();
  await slider.waitFor();
  await s.frames();
  const box = await slider.boundingBox();
  const worlds = await s.app((a) => a.worlds.length);
  const at = Number(await slider.inputValue()) / 1000;
  await s.page.mouse.move(box.x + 6 + at * (box.width - 12), box.y + box.height / 2);
  await s.page.mouse.down();
  await s.page.mouse.move(box.x + 6 + 0.4 * at * (box.width - 12), box.y + box.height / 2, { steps: 4 });
  await until(s, "A", (r) => r.amplifies, "the tried gain to amplify");
  assert.equal(await s.app((a) => a.worlds.length), worlds, "the gain was changed though it is only being tried");
  const k3 = Number(
    (await s.page.locator('.fo-field[data-param="k3"] input:not([type=range])').first().inputValue()).replace(
      "\u2212",
      "-",
    ),
  );
  const want = promised(k3);
  await until(s, "A", (r) => Math.abs(r.peak - want.peak) < 0.002, `the peak ${want.peak} of k3 = ${k3}`);
  await s.page.mouse.up();
  await s.until((a) => a.worlds.length === 2, "the branch");
});

await test("measured gains are those of the run", two, async (s) => {
  await s.runTo(80);
  await s.seek(66);
  await s.app((a) => a.clock.setLoop(40, 80));
  await until(s, "A", (r) => r.tail === r.tail, "the measured gains");
  // L2 of speed about its mean, last car against the leader, from the rows themselves.
  const want = await s.app(async (a) => {
    const r = await a.ask("series", {
      worlds: [0],
      vehicles: ["leader", "car7"],
      fields: ["v"],
      from: 40,
      to: 80,
      points: 2000,
    });
    const norm = (y) => {
      const n = y.length;
      const mean = y.reduce((p, q) => p + q, 0) / n;
      let sum = 0;
      for (let k = 1; k < n; k++) sum += ((y[k] - mean) ** 2 + (y[k - 1] - mean) ** 2) * 0.5 * (r.t[k] - r.t[k - 1]);
      return Math.sqrt(sum);
    };
    return norm(r.values["0/car7/v"]) / norm(r.values["0/leader/v"]);
  });
  await until(s, "A", (r) => Math.abs(r.tail - want) < 0.011, `head to tail ${want}`);
});

await test(
  "says where there is not enough excitation, and which window it took",
  { scenario: "mileage_light.yaml" },
  async (s) => {
    await s.runTo(12); // light traffic: no car changes speed
    const label = async () => s.page.locator(`${card} .ch-face`).getAttribute("aria-label");
    await s.sees(async () => assert.match(await label(), /not enough excitation/));
  },
);

await test("L2 and L-infinity are a click apart and kept", two, async (s) => {
  await s.runTo(50);
  await s.app((a) => a.clock.setLoop(30, 50));
  await until(s, "A", (r) => r.tail === r.tail, "the measured gains");
  const button = s.page.locator(".st-norm");
  assert.match(await button.innerText(), /L2/);
  await button.click();
  await s.sees(async () => assert.match(await button.innerText(), /L∞/));
  assert.equal(await s.app((a) => a.option("cards").find((c) => c.kind === "string").set.norm), "l_inf");
});

await finish();
