// mechanism.spec.mjs - the vehicle bench: mechanisms and their recordings open, move where their states are, branch, are
// pushed, and say what is wrong.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { assert, finish, program, root, test } from "./studio.mjs";

const models = ["--folder", `${root}/models`, "--folder", `${root}/scenarios`];
const pendulum = { scenario: `${root}/models/double_pendulum.yaml`, args: models };
const quarter = { scenario: `${root}/models/quarter_car.yaml`, args: models };
const car = { scenario: `${root}/models/hmmwv_loops.yaml`, args: models };
const platoon = { scenario: "two_gains.yaml", args: models };

const shown = (s, name) =>
  s.until((a, n) => a.benchPart?.run && (!n || a.benchPart.run.run.name === n), "the mechanism", name, 30000);
const drawn = (s) => s.until((a) => a.benchPart.stage?.calls > 0, "the picture", null, 30000);
const word = (s) => s.page.locator(".me-word").innerText();

// Every body where its state is: the numbers of the scene against those of the server, at several instants.
async function compare(s, instants) {
  const seen = await s.app(async (a, list) => {
    const b = a.benchPart;
    const out = [];
    for (const part of list) {
      a.clock.play(false);
      const m = b.run.motion;
      const row = Math.round(part * (m.rows - 1));
      a.clock.seek(m.t[row]);
      await window.drawn(3, 350);
      for (let k = 0; k < m.bodies; k++) {
        const at = (row * m.bodies + k) * 7;
        out.push({ body: b.run.run.bodies[k], drawn: b.stage.drawn(k), is: [...m.poses.slice(at, at + 7)] });
      }
    }
    return out;
  }, instants);
  let largest = 0;
  for (const { body, drawn, is } of seen) {
    if (!body.shapes.length) continue;
    const sign = drawn[3] * is[3] + drawn[4] * is[4] + drawn[5] * is[5] + drawn[6] * is[6] < 0 ? -1 : 1;
    is.forEach((v, k) => (largest = Math.max(largest, Math.abs((k < 3 ? 1 : sign) * drawn[k] - v))));
  }
  assert.ok(largest < 1e-6, `poses differ by ${largest}`);
  return seen;
}

await test.core("the command opens a mechanism on the bench, drawn where its state is", pendulum, async (s) => {
  await shown(s, "double_pendulum");
  await drawn(s);
  assert.equal(await s.app((a) => a.layout.bench), "mechanism");
  await compare(s, [0, 0.37, 1]);
});

await test("a car of 18 bodies: poses, draw calls, tree, loads, modes with what is held", car, async (s) => {
  await shown(s);
  await drawn(s);
  await compare(s, [0, 0.5]);
  assert.ok((await s.app((a) => a.benchPart.stage.calls)) <= 40);
  await s.page.getByRole("treeitem", { name: /lower_fr hinge/ }).click();
  await s.sees(
    async () => /free: turns about x/.test(await s.page.locator(".me-inspect").innerText()),
    "its six loads",
  );
  await s.sees(
    async () => /Not about an equilibrium/.test(await s.page.locator(".me-rest").innerText()),
    "no rest",
    20000,
  );
  await s.page.getByRole("button", { name: "all of chassis" }).click();
  await s.sees(
    async () => /About the equilibrium, 4 held/.test(await s.page.locator(".me-rest").innerText()),
    "at rest",
    20000,
  );
  const first = s.page.locator(".me-modes tbody button").first();
  await first.click();
  await s.until((a) => a.benchPart.mode > 0, "a mode", null, 20000);
});

await test(
  "another value branches from the playhead; both worlds are on the timeline; a branch is removed",
  pendulum,
  async (s) => {
    await shown(s);
    await s.app((a) => {
      a.clock.play(false);
      a.clock.seek(2);
    });
    const field = s.page.getByRole("textbox", { name: /^lower, / });
    await field.fill("1.6");
    await field.press("Enter");
    await s.until(
      (a) => a.worlds.length === 2 && a.benchPart.run.world === a.worlds[1].world,
      "the branch",
      null,
      30000,
    );
    const both = await s.app((a) => ({
      fork: a.worlds[1].fork,
      change: a.worlds[1].change,
      value: a.benchPart.run.run.settable.find((v) => v.name === "lower").value,
      marks: a.events(a.worlds[1].world).length,
    }));
    assert.ok(Math.abs(both.fork - 2) < 1e-6 && /lower 0.8 -> 1.6/.test(both.change), JSON.stringify(both));
    await s.page.keyboard.press("b");
    await s.until((a) => a.worlds.length === 3, "branch here", null, 20000);
    await s.app((a) => a.ask("worlds", { op: "remove", world: a.worlds[2].world }));
    await s.until((a) => a.worlds.length === 2, "removed", null, 20000);
  },
);

await test("a body is dragged: a force while it is held, logged, so that the run repeats", pendulum, async (s) => {
  await shown(s);
  await drawn(s);
  const hit = await s.app(async (a) => {
    a.clock.play(false);
    a.clock.seek(0.5);
    await window.drawn(3, 350);
    const b = a.benchPart;
    const r = b.stage.canvas.getBoundingClientRect();
    for (let y = 0.05; y < 1; y += 0.02)
      for (let x = 0.1; x < 0.9; x += 0.02) {
        const e = { clientX: r.left + x * r.width, clientY: r.top + y * r.height };
        if (b.stage.hit(e)) return { x: e.clientX, y: e.clientY };
      }
    return null;
  });
  assert.ok(hit, "nothing to push");
  await s.page.getByRole("button", { name: "Push", exact: true }).click();
  await s.page.mouse.move(hit.x, hit.y);
  await s.page.mouse.down();
  await s.page.mouse.move(hit.x + 60, hit.y - 30, { steps: 4 });
  await s.until((a) => a.worlds.length === 2, "the branch", null, 30000);
  await s.page.mouse.up();
  await s.until(
    (a) =>
      a.benchPart.run.run.entries
        .filter((e) => e.force)
        .at(-1)
        ?.force.every((f) => f === 0),
    "let go",
    null,
    30000,
  );
  const pushes = await s.app((a) => a.benchPart.run.run.entries.filter((e) => e.force));
  assert.ok(pushes.length >= 2 && pushes[0].force.some((f) => f !== 0));
});

await test("every model opens beside a platoon and moves where it moves", platoon, async (s) => {
  await s.page.getByRole("button", { name: "Bench", exact: true }).first().click();
  for (const name of readdirSync(`${root}/models`).filter((f) => f.endsWith(".yaml"))) {
    await s.page.getByRole("combobox", { name: "Mechanism" }).selectOption(`models/${name}`);
    await shown(s, name.replace(".yaml", ""));
    await drawn(s);
    const seen = await compare(s, [0, 1]);
    const n = seen.length / 2;
    const moved = Math.max(...seen.slice(0, n).flatMap((a, k) => a.is.map((v, i) => Math.abs(v - seen[n + k].is[i]))));
    assert.ok(/^(iltis|ride_)/.test(name) || moved > 1e-6, `${name} stands still`);
    assert.ok((await s.app((a) => a.benchPart.stage.calls)) <= 40, name);
  }
  await s.app((a) => a.layout.set({ view: "road" }));
  await s.until((a) => a.worlds.length === 1 && a.worlds[0].kind === "run", "the platoon is still there");
});

await test("results of simulate open with their recorded motion; one that lacks states says so", platoon, async (s) => {
  const folder = mkdtempSync(`${tmpdir()}/bench-`);
  const make = (file, ...more) =>
    spawnSync(program, [
      "simulate",
      `${root}/models/four_bar.yaml`,
      "-q",
      "--end",
      "2",
      "-o",
      `${folder}/${file}`,
      ...more,
    ]);
  make("good.h5");
  make("few.h5", "--record", "crank.angle");
  const drop = (name) =>
    s.app(
      (a, f) =>
        a.emit("layout", { drop: [new File([Uint8Array.from(atob(f.bytes), (c) => c.charCodeAt(0))], f.name)] }),
      {
        name,
        bytes: readFileSync(`${folder}/${name}`).toString("base64"),
      },
    );
  await drop("few.h5");
  await s.sees(async () => /has no column/.test(await s.page.locator(".fe").innerText()), "what is missing", 20000);
  await s.page.keyboard.press("Escape");
  await drop("good.h5");
  await shown(s, "four_bar");
  await drawn(s);
  assert.ok(await s.app((a) => a.benchPart.run.run.report.recorded));
  await compare(s, [0, 1]);
  writeFileSync(`${folder}/broken.yaml`, "motorcade: multibody\nbodies:\n  rod: {joint: hinge, mas: 3}\n");
  await drop("broken.yaml");
  await s.sees(
    async () => /broken.yaml:3:23/.test(await s.page.locator(".fe").innerText()),
    "where it is wrong",
    20000,
  );
});

await test("what moves a mode is shown as bars, the largest first", quarter, async (s) => {
  await shown(s);
  const modes = await s.app(
    async (a) => (await a.ask("modes", { world: a.worlds[0].world, hold: ["distance"] })).modes,
  );
  const slow = modes.filter((m) => m.imaginary > 0).sort((p, q) => p.frequency - q.frequency)[0];
  const at = async (values) => {
    const a = await s.ask("modes", { file: "models/quarter_car.yaml", end: 0.01, rows: 1, hold: ["distance"], values });
    const near = a.modes.filter((m) => m.imaginary > 0).sort((p, q) => p.frequency - q.frequency)[0];
    return [near.real, near.imaginary];
  };
  const { parameters } = await s.ask("sensitivity", {
    file: "models/quarter_car.yaml",
    end: 0.01,
    rows: 1,
    hold: ["distance"],
    mode: slow.number,
  });
  assert.ok(parameters.length >= 4, JSON.stringify(parameters));
  // Against the eigenvalues of the changed model itself.
  for (const p of parameters.filter((o) => Math.hypot(o.real, o.imaginary) > 1e-3)) {
    const [up, down] = [await at({ [p.name]: p.value * 1.001 }), await at({ [p.name]: p.value * 0.999 })];
    const by = [0, 1].map((k) => (up[k] - down[k]) * 50);
    const off = Math.hypot(by[0] - p.real, by[1] - p.imaginary) / Math.hypot(p.real, p.imaginary);
    assert.ok(off < 1e-4, `${p.name}: ${by}, found ${p.real} ${p.imaginary}`);
  }
  await s.app(async (a) => {
    const all = await a.ask("modes", { world: a.worlds[0].world }); // as the bench shows them, with nothing held
    await a.benchPart.showMode(all.modes.find((m) => m.imaginary > 0).number);
  });
  await s.until((_) => document.querySelectorAll(".me-sens:not(.hidden) .me-sens-row").length > 2, "bars", null, 20000);
  await s.accessible("the bars", ".me-bench");
  await s.page.locator(".me-sens-row").first().click();
  assert.match(await s.page.evaluate(() => document.activeElement.getAttribute("aria-label") ?? ""), /, /);
  if (process.env.SHOTS) await s.shot(`${process.env.SHOTS}/sensitivity.png`);
});

await test("equilibrium and kinematics with one click; a value that cannot be is answered", pendulum, async (s) => {
  await shown(s);
  await s.page.getByRole("button", { name: "Equilibrium" }).click();
  await s.sees(async () => /^Equilibrium/.test(await word(s)), "rest", 20000);
  await s.page.getByRole("button", { name: "Run", exact: true }).click();
  await s.until((a) => a.benchPart.travel.answer?.rows > 10, "travel", null, 20000);
  const field = s.page.getByRole("textbox", { name: /^m_upper, / });
  await field.fill("nonsense");
  await field.press("Enter");
  assert.equal(await field.getAttribute("aria-invalid"), "");
  await field.fill("-3");
  await field.press("Enter");
  await s.sees(async () => /mass/.test(await word(s)), "the reason", 20000);
});

await test("without WebGL, and when it is lost, the rest of the bench continues", pendulum, async (s) => {
  await shown(s);
  await drawn(s);
  await s.app((a) => a.benchPart.stage.canvas.dispatchEvent(new Event("webglcontextlost", { cancelable: true })));
  await s.sees(async () => /graphics card was lost/.test(await word(s)), "a word");
  await s.page.addInitScript(() => {
    const real = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
      return kind.startsWith("webgl") ? null : real.call(this, kind, ...rest);
    };
  });
  await s.page.reload();
  await shown(s);
  await s.sees(async () => /needs WebGL/.test(await s.page.locator(".me-stage").innerText()), "a word", 20000);
  assert.ok((await s.page.locator(".me-modes tbody tr").count()) > 0);
});

for (const theme of ["light", "dark"])
  await test(`axe finds nothing on the bench, ${theme}`, { ...car, theme }, async (s) => {
    await shown(s);
    await drawn(s);
    await s.app((a) => a.benchPart.choose({ kind: "joint", name: "lower_fr" }));
    await s.sees(async () => /Not about/.test(await s.page.locator(".me-rest").innerText()), "the modes", 20000);
    await s.accessible("the bench");
  });

await test("on a telephone, and with nothing for axe to find", { ...car, width: 390, height: 844 }, async (s) => {
  await shown(s);
  await drawn(s);
  const wide = await s.page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 390, `${wide} px`);
  await s.accessible("the bench on a telephone");
});

await finish();
