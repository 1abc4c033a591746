// bench3d.spec.mjs - cars and concepts on the vehicle bench: they stand, are pushed, are taken through their travel with one
// click, and are drawn with what carries them.
import { assert, finish, root, test } from "./studio.mjs";

const models = ["--folder", `${root}/models`, "--folder", `${root}/concepts`];
const car = { scenario: `${root}/models/hmmwv_loops.yaml`, args: models };
const truck = { scenario: `${root}/concepts/truck_5t.yaml`, args: models };
const G = 9.81;

async function shown(s) {
  await s.until((a) => a.benchPart?.run, "the mechanism", null, 30000);
  await s.until((a) => a.benchPart.stage?.calls > 0, "the picture", null, 30000);
  await s.app((a) => a.clock.play(false));
}
const word = (s) => s.page.locator(".me-word").innerText();
const mass = (s) => s.app((a) => a.benchPart.run.run.bodies.reduce((m, b) => m + b.mass, 0));
// A pixel of the picture on a body whose name fits.
const on = (s, pattern) =>
  s.app(async (a, text) => {
    await window.drawn(3, 350);
    const { stage, run } = a.benchPart;
    const r = stage.canvas.getBoundingClientRect();
    for (let y = 0.95; y > 0.1; y -= 0.04)
      for (let x = 0.1; x < 0.9; x += 0.04) {
        const e = { clientX: r.left + x * r.width, clientY: r.top + y * r.height };
        const hit = stage.hit(e);
        if (hit && new RegExp(text).test(run.run.bodies[hit.body].name)) return { x: e.clientX, y: e.clientY };
      }
    return null;
  }, pattern);
async function push(s, pattern) {
  const at = await on(s, pattern);
  assert.ok(at, `no ${pattern} in the picture`);
  const worlds = await s.app((a) => a.worlds.length);
  await s.page.getByRole("button", { name: "Push", exact: true }).click();
  await s.page.mouse.move(at.x, at.y);
  await s.page.mouse.down();
  await s.page.mouse.move(at.x + 50, at.y - 40, { steps: 4 });
  await s.until((a, n) => a.worlds.length > n, "the branch", worlds, 60000);
  await s.page.mouse.up();
  await s.until(
    (a) =>
      a.benchPart.run.run.entries
        .filter((e) => e.force)
        .at(-1)
        ?.force.every((f) => f === 0),
    "let go",
    null,
    60000,
  );
  const { first, moved } = await s.app((a) => {
    const { run, motion } = a.benchPart.run;
    const before = a.benchPart.runs.get(a.worlds[0].world).motion;
    const last = (m) => [...m.poses.slice((m.rows - 1) * m.bodies * 7, m.rows * m.bodies * 7)];
    const [p, q] = [last(motion), last(before)];
    return { first: run.entries.find((e) => e.force), moved: Math.max(...p.map((v, k) => Math.abs(v - q[k]))) };
  });
  assert.match(first.name, new RegExp(pattern));
  assert.ok(moved > 1e-4, `it moves by ${moved}`);
}

await test(
  "a car that nothing carries stands on its wheels with one click; its travel is one click",
  car,
  async (s) => {
    await shown(s);
    const weight = G * (await mass(s));
    await s.page.getByRole("button", { name: "Equilibrium" }).click();
    await s.sees(async () => /on its wheels/.test(await word(s)), "the equilibrium", 20000);
    const loads = await s.app((a) => a.benchPart.restLoads.map((l) => l.force));
    assert.equal(loads.length, 4);
    const sum = loads.reduce((x, y) => x + y, 0);
    assert.ok(Math.abs(sum / weight - 1) < 1e-6, `the wheels carry ${sum} of ${weight} N`);
    // As motorcade kinematics finds them (docs/hmmwv.md): 6492.12 N in front.
    assert.ok(Math.abs(loads[0] - 6492.12) < 0.02, `${loads}`);
    await s.frames(3);
    assert.ok(await s.app((a) => a.benchPart.stage.arrows >= 4));
    await s.page.getByRole("button", { name: "Run", exact: true }).click();
    await s.until((a) => a.benchPart.travel.answer?.rows > 10, "travel", null, 20000);
    assert.equal(await s.app((a) => a.benchPart.travel.answer.failed), null);
    // The other two cars, and one that has no wheels.
    for (const name of ["hmmwv", "hmmwv10"]) {
      const a = await s.ask("rest", { file: `models/${name}.yaml`, end: 0.01, rows: 1, stand: true });
      assert.ok(a.rest && a.loads.length === 4 && a.residual < 1e-6, `${name}: ${a.why}`);
    }
    const none = await s.ask("rest", { file: "models/pendulum.yaml", end: 0.01, rows: 1, stand: true });
    assert.ok(!none.rest && /three wheels/.test(none.why), JSON.stringify(none));
  },
);

await test("a wheel of a car is pushed, and the car with it", car, async (s) => {
  await shown(s);
  await push(s, "^wheel");
});

await test(
  "a concept is pushed; its axle loads are arrows that sum to its weight, and panels are clear",
  truck,
  async (s) => {
    await shown(s);
    await s.until((a) => a.benchPart.concept.answer, "the concept", null, 30000);
    await s.frames(3);
    const seen = await s.app((a) => {
      const { stage } = a.benchPart;
      const clear = [];
      stage.root.traverse((o) => {
        if (o.isMesh && o.userData.finish === "own" && !o.material.depthWrite) clear.push(o.material.opacity);
      });
      return { arrows: stage.set3d.loads.reactions.map((r) => r.force.z), clear };
    });
    const weight = G * (await mass(s));
    const sum = seen.arrows.reduce((x, y) => x + y, 0);
    assert.ok(seen.arrows.length >= 4 && Math.abs(sum / weight - 1) < 1e-3, `${seen.arrows} of ${weight}`);
    assert.ok(
      seen.clear.every((o) => o < 0.5),
      `${seen.clear}`,
    );
    await push(s, ".");
  },
);

await test("the floor is darker under each wheel", car, async (s) => {
  await shown(s);
  const pairs = await s.app(async (a) => {
    await window.drawn(3, 350);
    const { stage } = a.benchPart;
    stage.orbit.turn(0, 0.5);
    a.benchPart.shown.forces = false;
    a.touch();
    await window.drawn(3, 350);
    const gl = stage.renderer.getContext();
    const { at, bodies } = stage.set3d;
    const light = (v) => {
      stage.renderer.render(stage.scene, stage.orbit.camera);
      const p = stage.onScreen(v);
      const d = new Uint8Array(4 * 9);
      const x = Math.round(p.x * gl.drawingBufferWidth);
      const y = Math.round((1 - p.y) * gl.drawingBufferHeight);
      gl.readPixels(x - 1, y - 1, 3, 3, gl.RGBA, gl.UNSIGNED_BYTE, d);
      let sum = 0;
      for (let i = 0; i < 36; i += 4) sum += d[i] + d[i + 1] + d[i + 2];
      return sum / 27;
    };
    return bodies.wheels.map((w) => {
      const m = at.frames[w.body].clone().multiply(w.local).elements;
      const [x, y] = [m[12] + at.origin.x, m[13] + at.origin.y];
      const floor = at.origin.clone();
      const side = y > 0 ? 1 : -1;
      const z = stage.room.height;
      return [light(floor.clone().set(x, y + side * 0.28, z)), light(floor.clone().set(x, y + side * 1.2, z))];
    });
  });
  assert.equal(pairs.length, 4);
  // Wheels at the far side are seen through the car: the near ones are what is looked at.
  const near = pairs
    .slice()
    .sort((p, q) => q[1] - q[0] - (p[1] - p[0]))
    .slice(0, 2);
  for (const [dark, bright] of near) assert.ok(dark < bright - 6, JSON.stringify(pairs));
});

for (const [width, height] of [
  [390, 844],
  [720, 450],
])
  await test(
    `axe finds nothing at ${width} x ${height}: the bench, a concept`,
    { ...car, width, height },
    async (s) => {
      const fits = async (what) => {
        const wide = await s.page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= width, `${what} is ${wide} px wide`);
        await s.accessible(what);
      };
      await shown(s);
      await fits("the bench");
      await s.app((a) => a.benchPart.open("concepts/truck_5t.yaml"));
      await s.until((a) => a.benchPart.concept.answer, "the concept", null, 30000);
      await s.frames(3);
      await fits("the concept");
    },
  );

for (const [width, height] of [
  [390, 844],
  [720, 450],
])
  await test(
    `axe finds nothing in the 3-D view at ${width} x ${height}`,
    { scenario: "demo.yaml", width, height },
    async (s) => {
      await s.runTo(3);
      await s.app((a) => a.layout.set({ view: "3d" }));
      await s.until((a) => a.space && a.space.script > 0, "the 3-D view", undefined, 60000);
      await s.frames();
      const wide = await s.page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `${wide} px wide`);
      await s.accessible("the 3-D view");
    },
  );

await finish();
