// The 3-D view: cars, cameras, deformed bodies, contacts, the collision report and its cards.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { assert, finish, root, test } from "./studio.mjs";

const folder = mkdtempSync(`${tmpdir()}/motorcade-3d-`);
// Deformable cars; one loses its brakes and runs into the next.
writeFileSync(
  `${folder}/soft.yaml`,
  `motorcade: scenario
name: soft crash
time: {end: 30, step: 0.02, record: 0.02}
road: {lanes: 2, headway: 0.8, distance: 4}
contact: {restitution: 0.2, friction: 0.4}
profiles:
  emergency: {table: [[0, 25], [3, 25], [8, 0], [30, 0]]}
models:
  soft_car: {kind: cosserat, file: ${root}/scenarios/medusa/model.dat, tyre: brush}
controllers:
  follow: {law: acc, avoid: true}
platoons:
  - leader: {model: soft_car, profile: emergency}
    cars: [{model: soft_car, name: car, count: 3, controller: follow}]
events:
  - {at: 1, vehicle: car2, brake_lost: 0}
`,
);
const soft = { scenario: `${folder}/soft.yaml` };
const hits = (a) => a.events(0).filter((e) => e.type === "collision");

async function open3d(s) {
  await s.page
    .getByRole("tab", { name: "3-D" })
    .or(s.page.getByRole("button", { name: "3-D" }))
    .first()
    .click();
  await s.until((a) => a.space && a.space.script > 0, "the first 3-D picture", undefined, 30000);
}
async function toHit(s, after = 0.02) {
  await s.app((a) => a.option("stopAtCollision", false));
  await s.runTo(9.1);
  await s.until((a) => a.events(0).some((e) => e.type === "collision"), "a collision");
  const t = await s.app((a) => a.events(0).find((e) => e.type === "collision").t);
  await s.app((a, to) => a.clock.seek(to), t + after);
  await s.until(
    (a, to) => {
      const f = a.frame(0);
      return f && f.exact && Math.abs(f.time - to) < 0.011;
    },
    "the exact frame",
    t + after,
    20000,
  );
  return t;
}
// Share of pixels of the 3-D picture near a colour. The picture is drawn and read in one go.
const painted = (s, box) =>
  s.app((a, q) => {
    const space = a.space;
    const gl = space.renderer.getContext();
    const w = gl.drawingBufferWidth;
    const h = gl.drawingBufferHeight;
    space.draw();
    const x = Math.round(q.x * w);
    const y = Math.round((1 - q.y - q.h) * h);
    const bw = Math.max(1, Math.round(q.w * w));
    const bh = Math.max(1, Math.round(q.h * h));
    const d = new Uint8Array(4 * bw * bh);
    gl.readPixels(x, y, bw, bh, gl.RGBA, gl.UNSIGNED_BYTE, d);
    let blue = 0;
    let red = 0;
    for (let i = 0; i < d.length; i += 4) {
      if (d[i + 2] > d[i] + 30 && d[i + 2] > 60) blue++;
      if (d[i] > d[i + 2] + 50 && d[i] > d[i + 1] + 50) red++;
    }
    return { blue: blue / (bw * bh), red: red / (bw * bh) };
  }, box);
// Where a point of the road is in the picture, as shares of it.
const project = (s, i, dz) =>
  s.app(
    (a, q) => {
      const p = a.space;
      const f = a.frame(0);
      return p.project(f.x[q.i] - p.origin, f.field("y")[q.i], q.dz)
        ? { x: p.v.x / p.box.w, y: p.v.y / p.box.h }
        : null;
    },
    { i, dz },
  );

await test.core(
  "rigid cars stand in the picture where the frame puts them; the camera turns and comes nearer",
  { scenario: "two_gains.yaml" },
  async (s) => {
    await s.runTo(4);
    await s.seek(3);
    await s.app((a) => a.select(0, "car3"));
    await open3d(s);
    await s.frames();
    await s.sees(async () => {
      const p = await project(s, 3, 0.7);
      assert.ok(p && p.x > 0.2 && p.x < 0.8 && p.y > 0.2 && p.y < 0.9, JSON.stringify(p));
      // Paint between glass and lamps.
      const at = await painted(s, { x: p.x - 0.02, y: p.y - 0.03, w: 0.04, h: 0.06 });
      const off = await painted(s, { x: 0.02, y: 0.02, w: 0.05, h: 0.1 });
      assert.ok(at.blue > 0.2 && off.blue < 0.02, JSON.stringify([at, off]));
    });
    const canvas = s.page.locator(".s3-stage > canvas");
    const box = await canvas.boundingBox();
    const place = () => s.app((a) => a.space.camera.camera.position.toArray());
    const before = await place();
    await s.page.mouse.move(box.x + 300, box.y + 150);
    await s.page.mouse.down();
    await s.page.mouse.move(box.x + 420, box.y + 150, { steps: 5 });
    await s.page.mouse.up();
    await s.until((a, b) => Math.abs(a.space.camera.camera.position.y - b[1]) > 1, "the camera to turn", before);
    const far = Math.hypot(...(await place()));
    await s.page.mouse.wheel(0, -800);
    await s.until(
      (a, d) => Math.hypot(...a.space.camera.camera.position.toArray()) < d - 2,
      "the camera to come nearer",
      far,
    );
    await canvas.focus();
    await s.page.keyboard.press("Home");
    await s.until(
      (a, b) => Math.hypot(...a.space.camera.camera.position.toArray().map((v, k) => v - b[k])) < 0.2,
      "the camera at its place",
      before,
    );
    await s.sees(async () => {
      const labels = await s.page.locator(".s3-label:not([hidden])").allInnerTexts();
      const v = await s.app((a) => a.frame(0).field("v")[3].toFixed(2));
      assert.ok(
        labels.some((t) => t.includes(`${v} m/s`)),
        `${v} is not in ${labels}`,
      );
    });
  },
);

await test(
  "a deformable car is the affine image of its ellipsoid; deformation x 10 magnifies the strain alone",
  soft,
  async (s) => {
    await toHit(s);
    await open3d(s);
    await s.until(
      (a) => a.frame(0).bodies.length === 4 && a.space.bodies.drawn.length === 4,
      "four bodies",
      undefined,
      20000,
    );
    const read = () =>
      s.app((a) => {
        const f = a.frame(0);
        a.space.draw();
        return f.bodies.map((b) => {
          const d = a.space.bodies.drawn.find((q) => q.id === b.id);
          const m = d.skin.bodies.instanceMatrix.array.subarray(16 * d.at);
          const stand = f.stands.find((q) => q.id === b.id);
          const w = d.skin.wheels.instanceMatrix.array;
          // Steer of each wheel from the heading on the road, and its angle, as drawn.
          const wheels = d.skin.hubs.map((hub, j) => {
            const o = w.subarray(16 * (d.wheel + j));
            const side = hub.v > 0 ? 1 : -1;
            const size = Math.hypot(o[0], o[1], o[2]);
            return {
              yaw: Math.atan2(-side * o[4], side * o[5]),
              angle: Math.atan2((-side * o[2]) / size, o[10] / size),
              steer: stand.wheels[4 * j + 1],
              turned: stand.wheels[4 * j + 2],
            };
          });
          return {
            axes: [...b.axes],
            rest: b.rest,
            drawn: [0, 4, 8, 1, 5, 9, 2, 6, 10].map((k) => m[k]),
            strain: d.skin.strain[d.at],
            wheels,
          };
        });
      });
    const one = await read();
    for (const b of one)
      for (let k = 0; k < 9; k++) assert.ok(Math.abs(b.axes[k] - b.drawn[k]) < 1e-6, "drawn as the frame says");
    // Wheels turn and steer as the state says; the heading is that of the first director.
    const wrapped = (v) => Math.abs(v - 2 * Math.PI * Math.round(v / (2 * Math.PI)));
    for (const b of one) {
      const heading = Math.atan2(b.axes[3], b.axes[0]);
      assert.equal(b.wheels.length, 4);
      for (const w of b.wheels) {
        assert.ok(wrapped(w.yaw - heading - w.steer) < 2e-3, `steered by ${w.yaw - heading}, not ${w.steer}`);
        assert.ok(wrapped(w.angle - w.turned) < 1e-6, `turned by ${w.angle}, not ${w.turned}`);
      }
    }
    assert.ok(new Set(one.flatMap((b) => b.wheels.map((w) => w.turned.toFixed(3)))).size > 2, "no wheel has turned");
    assert.ok(Math.max(...one.map((b) => b.strain)) > 0.1, "no strain is shown");
    await s.page.getByText("Equivalent strain").waitFor();
    await s.page.locator(".s3-bar input[type=range]").evaluate((e) => {
      e.value = String(Math.round((1000 * Math.log(10)) / Math.log(20)));
      e.dispatchEvent(new Event("input"));
    });
    const ten = await read();
    const strain = (b, m) => Math.abs(Math.hypot(m[0], m[3], m[6]) - b.rest[0]);
    const bent = one.map((b) => strain(b, b.drawn));
    const worst = bent.indexOf(Math.max(...bent));
    assert.ok(bent[worst] > 0.005, `bodies are bent by ${bent} m`);
    const ratio = strain(ten[worst], ten[worst].drawn) / bent[worst];
    assert.ok(ratio > 7 && ratio < 13, `ten times the strain is ${ratio} times`);
  },
);

await test.core(
  "the collision: contact, arrows, report, ledger and force; the report's figures are the server's",
  soft,
  async (s) => {
    const t = await toHit(s);
    await open3d(s);
    await s.page.locator(".s3-bar .sc-menu", { hasText: "Camera" }).click();
    await s.page.getByRole("menuitemcheckbox", { name: "contact" }).click();
    const report = s.page.locator(".cr");
    await report.getByText("Closing speed").waitFor();
    const a = (await s.ask("collision", { world: 0, index: 0 })).collision;
    const text = await report.innerText();
    for (const figure of [
      a.closing.toFixed(2),
      (1000 * a.duration).toFixed(1),
      a.relative_after.toFixed(2),
      `${t.toFixed(3)} s`,
    ])
      assert.ok(text.includes(figure), `${figure} is not in the report: ${text}`);
    const energy =
      (((0.5 * (a.cars[0].mass * a.cars[1].mass)) / (a.cars[0].mass + a.cars[1].mass)) * a.relative_before ** 2) / 1000;
    assert.ok(
      text.includes(`Where ${Number(energy.toPrecision(4))} kJ went`) ||
        text.includes(`Where ${energy.toFixed(2)} kJ went`),
      text,
    );
    await s.sees(async () => {
      const arrows = await s.app((app) => ({ n: app.space.arrows.count, scale: app.space.arrows.perMetre }));
      assert.equal(arrows.n, 2, "the impulse on both");
      const legend = await s.page.locator(".s3-legend").innerText();
      assert.ok(legend.includes(`1 m is ${arrows.scale / 1000} kN s`), legend);
      const red = await painted(s, { x: 0.3, y: 0.3, w: 0.4, h: 0.5 });
      assert.ok(red.red > 0.001, `no crimson near the contact: ${red.red}`);
    });
    // Ledger and force are drawn: their colours are on the cards.
    await s.sees(async () => {
      await s.frames();
      const cards = await s.app(() =>
        [...document.querySelectorAll(".cr-cards canvas")].map((c) => {
          const d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
          const seen = new Set();
          for (let i = 0; i < d.length; i += 4) if (d[i + 3] > 250) seen.add((d[i] << 16) | (d[i + 1] << 8) | d[i + 2]);
          return [...seen];
        }),
      );
      assert.equal(cards.length, 2);
      assert.ok(cards[0].includes(0x0f6cbd) && cards[0].includes(0xb85c00), "motion and vibration in the ledger");
      assert.ok(
        cards[1].some((c) => c >> 16 > 180 && (c & 255) < 90),
        "the force's line",
      );
      assert.match(await s.page.locator(".s3-clock").innerText(), /\+\d+\.\d ms/);
    });
  },
);

await test("Branch 2 s before makes a world that forks there", soft, async (s) => {
  const t = await toHit(s);
  await open3d(s);
  const button = s.page.getByRole("button", { name: "Branch 2 s before" });
  await button.click();
  await s.until((a) => a.worlds.length === 2, "the branch", undefined, 20000);
  const fork = await s.app((a) => a.worlds[1].fork);
  assert.ok(Math.abs(fork - (t - 2)) < 0.021, `forks at ${fork}, the hit is at ${t}`);
});

await finish();
