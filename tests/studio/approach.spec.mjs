// Before and after the touch in 3-D: the closest points of two cars, the marks their tyres leave.
import { assert, finish, test } from "./studio.mjs";

const crash = { scenario: "brake_loss.yaml" };
async function toHit(s, after) {
  await s.app((a) => a.option("stopAtCollision", false));
  await s.runTo(22.6);
  await s.until((a) => a.events(0).some((e) => e.type === "collision"), "a collision");
  const t = await s.app((a) => a.events(0).find((e) => e.type === "collision").t);
  await s.page.keyboard.press("t");
  await s.until((a) => a.space && a.space.script > 0, "the first 3-D picture", undefined, 30000);
  await go(s, t + after);
  return t;
}
async function go(s, t) {
  await s.app((a, to) => a.clock.seek(to), t);
  await s.until(
    (a, to) => {
      const f = a.frame(0);
      return f && f.exact && Math.abs(f.time - to) < 0.011;
    },
    "the exact frame",
    t,
    20000,
  );
  await s.frames();
}
// Mean brightness of a patch of the picture about a point of the road (m along it, m to the left); null: out of sight.
const light = (s, x, y, z = 0.01, r = 1) =>
  s.app(
    (a, q) => {
      const p = a.space;
      const gl = p.renderer.getContext();
      p.draw();
      if (!p.project(q.x - p.origin, q.y, q.z)) return null;
      const k = gl.drawingBufferWidth / p.box.w;
      const d = new Uint8Array(4 * (2 * q.r + 1) ** 2);
      gl.readPixels(
        Math.round(p.v.x * k) - q.r,
        Math.round(gl.drawingBufferHeight - p.v.y * k) - q.r,
        2 * q.r + 1,
        2 * q.r + 1,
        gl.RGBA,
        gl.UNSIGNED_BYTE,
        d,
      );
      let sum = 0;
      for (let i = 0; i < d.length; i += 4) sum += d[i] + d[i + 1] + d[i + 2];
      return sum / (d.length / 4) / 3;
    },
    { x, y, z, r },
  );

await test(
  "closest points before the touch: at the recorded gap, with the time to it; gone when switched off",
  crash,
  async (s) => {
    const t = await toHit(s, -0.3);
    await s.app((a) => a.space.setCamera("contact"));
    await s.until((a) => a.space.closest.count === 1, "the line between the two");
    const read = await s.app((a) => {
      const n = a.space.closest.nearest;
      const f = a.frame(0);
      const w = a.world(0);
      const of = (i) => w.vehicles.find((v) => v.id === f.id[i]).name;
      return {
        ...n,
        behind: of(n.i),
        front: of(n.j),
        gap: f.field("gap")[n.i],
        dv: f.field("v")[n.i] - f.field("v")[n.j],
      };
    });
    assert.deepEqual([read.behind, read.front], ["car3", "car2"]);
    assert.ok(Math.abs(read.distance - read.gap) < 1e-3, `${read.distance} m, the gap is ${read.gap}`);
    assert.ok(Math.abs(read.closing - read.dv) < 1e-3, `closing ${read.closing}, the speeds differ by ${read.dv}`);
    assert.ok(Math.abs(read.distance / read.closing - 0.3) < 0.06, `it touches 0.3 s later, at ${t}`);
    await s.app((a) => {
      a.touch(2000);
      a.emit("frame");
    });
    await s.until(
      (_, gap) =>
        [...document.querySelectorAll(".s3-label:not([hidden])")].some(
          (e) => e.textContent.includes("→") && e.textContent.includes(gap),
        ),
      "the label",
      `${read.gap.toFixed(2)} m`,
    );
    await s.sees(async () => {
      const label = (await s.page.locator(".s3-label:not([hidden])").allInnerTexts()).find(
        (x) => x.includes("→") && x.includes("touch in"),
      );
      assert.ok(
        label &&
          label.includes(`${read.gap.toFixed(2)} m`) &&
          label.includes(`touch in ${(read.distance / read.closing).toFixed(2)} s`),
        `${label}`,
      );
    });
    const ends = await s.app((a) => a.space.closest.points.filter((m) => m.visible).map((m) => m.position.toArray()));
    assert.equal(ends.length, 2);
    const dot = await s.app((a) => a.space.origin).then((o) => light(s, ends[0][0] + o, ends[0][1], ends[0][2]));
    await s.page.locator(".s3-bar .sc-menu", { hasText: "Draw" }).click();
    await s.page.getByRole("menuitemcheckbox", { name: "Closest points" }).click();
    await s.until((a) => a.space.closest.count === 0, "them to go");
    const without = await s.app((a) => a.space.origin).then((o) => light(s, ends[0][0] + o, ends[0][1], ends[0][2]));
    assert.ok(dot < without - 15, `the point is ${dot} where ${without} is without it`);
    await s.sees(async () =>
      assert.equal(
        (await s.page.locator(".s3-label:not([hidden])").allInnerTexts()).filter((x) => x.includes("m/s, touch in"))
          .length,
        0,
      ),
    );
  },
);

await test("skid marks lie where a car braked hard, not where it rolled, and not before it did", crash, async (s) => {
  const t = await toHit(s, 1.5);
  await s.app((a) => a.select(0, "car2"));
  await s.until((a) => a.space.skids.quads > 40, "marks", undefined, 15000);
  const track = await s.ask("series", {
    worlds: [0],
    vehicles: ["car2"],
    fields: ["x", "y", "a", "brake"],
    from: t - 6,
    to: t + 1.5,
    points: 800,
  });
  const a = track.values["0/car2/a"];
  const x = track.values["0/car2/x"];
  const hard = a.map((v, k) => v < -0.68 * 9.81 || track.values["0/car2/brake"][k] > 0.92);
  assert.ok(hard.filter(Boolean).length > 10, "it does not brake hard in this run");
  const runs = await s.app((app) => {
    const k = app.space.skids.tracks.find((q) => q.id === app.world(0).vehicles.find((v) => v.name === "car2").id);
    return Array.from({ length: k.n }, (_, m) => [k.t[m], k.x[m], k.slides[m]]);
  });
  for (let k = 0; k < x.length; k += 7) {
    // what was kept is what the server has
    const near = runs.reduce((b, r) => (Math.abs(r[0] - track.t[k]) < Math.abs(b[0] - track.t[k]) ? r : b));
    if (Math.abs(near[0] - track.t[k]) < 1e-6)
      assert.ok(Math.abs(near[1] - x[k]) < 0.01, `at ${track.t[k]} s: ${near[1]} and ${x[k]} m`);
  }
  // From above: the mark is darker than the road between the wheels at the same place.
  await s.app((app) => {
    const c = app.space.camera;
    app.space.setCamera("free");
    c.orbit.height = 1.5;
    c.orbit.distance = 70;
    c.from = { ...c.orbit };
    app.emit("frame");
  });
  await s.frames();
  const v = await s.app((app) => app.world(0).vehicles.find((q) => q.name === "car2"));
  const side = 0.5 * v.width - 0.16;
  const reach = 0.31 * v.length;
  const first = hard.indexOf(true);
  const soft = a.findIndex((q, k) => k < first - 30 && q > -3);
  const cars = await s.app((app) => [...app.frame(0).x.subarray(0, app.frame(0).n)]);
  const free = x
    .filter((q, k) => hard[k] && k % 5 === 0 && cars.every((c) => Math.abs(c - q) > 5))
    .map((q) => q - reach);
  let seen = 0;
  for (const at of free) {
    const dark = await light(s, at, side);
    const between = await light(s, at, 0);
    if (dark === null || between === null) continue;
    seen++;
    assert.ok(dark < between - 10, `at ${at.toFixed(1)} m the mark is ${dark}, the road ${between}`);
  }
  assert.ok(seen > 0, `the marks are out of sight: ${free}`);
  if (soft >= 0) {
    const far = await light(s, x[soft], side);
    const middle = await light(s, x[soft], 0);
    if (far !== null && middle !== null)
      assert.ok(Math.abs(far - middle) < 8, `a mark where it rolled: ${far}, ${middle}`);
  }
  await go(s, t - 8);
  await s.until((app) => app.space.skids.quads === 0, "no marks 8 s before");
  await go(s, t + 1.5);
  await s.until((app) => app.space.skids.quads > 40, "the marks again");
  await s.page.locator(".s3-bar .sc-menu", { hasText: "Draw" }).click();
  await s.page.getByRole("menuitemcheckbox", { name: "Skid marks" }).click();
  assert.equal(
    await s.app((app) => {
      app.space.draw();
      return app.space.skids.mesh.visible;
    }),
    false,
  );
});

await test("marks grow while it is watched", crash, async (s) => {
  const t = await toHit(s, -3);
  const before = await s.app((a) => a.space.skids.quads);
  await s.app((a) => {
    a.clock.setRate(2);
    a.clock.play(true);
  });
  await s.until((a, n) => a.space.skids.quads > n + 20, "more marks", before, 15000);
});

await finish();
