// The look of the 3-D view: kinds of bodies, poses and wheels of the scene graph, shadows, cameras, what is said without WebGL.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { assert, finish, test } from "./studio.mjs";

const folder = mkdtempSync(`${tmpdir()}/motorcade-look-`);
writeFileSync(
  `${folder}/kinds.yaml`,
  `motorcade: scenario
name: seven kinds
time: {end: 60, step: 0.02, record: 0.1}
road: {lanes: 2, headway: 0.6, distance: 3}
models:
  town_car: {kind: powertrain}
  compact: {kind: point, length: 4.3, width: 1.7, height: 1.42}
  minivan: {kind: point, length: 4.8, width: 1.88, height: 1.76}
  pickup: {kind: point, length: 5.8, width: 2.03, height: 1.93}
  hmmwv: {kind: point, length: 4.57, width: 2.16, height: 1.83}
  truck: {kind: point, length: 8.4, width: 2.5, height: 3.45}
  trailer: {kind: point, length: 13.6, width: 2.55, height: 4}
controllers:
  follow: {law: acc}
platoons:
  - leader: {model: town_car, profile: moderate}
    cars:
      - {model: trailer, name: t1, controller: follow}
      - {model: truck, name: t2, controller: follow}
      - {model: minivan, name: v1, controller: follow}
      - {model: pickup, name: p1, controller: follow}
      - {model: hmmwv, name: h1, controller: follow}
      - {model: compact, name: c1, controller: follow}
      - {model: town_car, name: s1, controller: follow}
`,
);
const kinds = { scenario: `${folder}/kinds.yaml` };

async function open3d(s) {
  await s.page.keyboard.press("t");
  await s.until((a) => a.space && a.space.script > 0 && !a.space.fleet.building, "the vehicles", undefined, 60000);
  await s.frames();
}
// Mean brightness of a few pixels at a place of the picture; null: not in sight.
const light = (s, x, y, z) =>
  s.app(
    (a, q) => {
      const p = a.space;
      p.draw();
      if (!p.project(q.x, q.y, q.z)) return null;
      const gl = p.renderer.getContext();
      const px = Math.round((p.v.x / p.box.w) * gl.drawingBufferWidth);
      const py = Math.round((1 - p.v.y / p.box.h) * gl.drawingBufferHeight);
      const d = new Uint8Array(4 * 9);
      gl.readPixels(px - 1, py - 1, 3, 3, gl.RGBA, gl.UNSIGNED_BYTE, d);
      let sum = 0;
      for (let i = 0; i < d.length; i += 4) sum += d[i] + d[i + 1] + d[i + 2];
      return sum / 27;
    },
    { x, y, z },
  );

await test.core(
  "seven kinds have seven bodies; the platoon is in the picture from behind its last car",
  kinds,
  async (s) => {
    await s.runTo(15);
    await s.seek(14);
    await s.app((a) => a.select(0, "v1"));
    await open3d(s);
    const bodies = await s.app((a) =>
      ["sedan", "compact", "van", "pickup", "offroader", "truck", "trailer"].map((k) => {
        const i = a.space.fleet.instances(k, 0);
        return i ? i.mesh.geometry.getAttribute("position").count : 0;
      }),
    );
    assert.ok(
      bodies.every((n) => n > 500),
      `bodies of ${bodies} vertices`,
    );
    assert.equal(new Set(bodies).size, 7);
    await s.app((a) => a.space.setCamera("platoon"));
    await s.until((a) => !a.space.camera.moving, "the camera");
    await s.sees(async () => {
      const inside = await s.app((a) => {
        const p = a.space;
        p.draw();
        const f = a.frame(0);
        return [...f.x].map((x, i) => p.project(x - p.origin, f.field("y")[i], 0.7));
      });
      assert.ok(inside.length === 8 && inside.every(Boolean), `${inside}`);
    });
    const cost = await s.app((a) => {
      a.space.setQuality(3);
      a.space.draw();
      const { calls } = a.space.renderer.info.render;
      a.space.setQuality(-1);
      return { calls, step: a.space.quality().step };
    });
    assert.ok(cost.calls <= 100, `${cost.calls} draw calls`);
    assert.equal(cost.step, 0, "software rendering is on plain");
  },
);

await test(
  "bodies and wheels are where the state says, relative to the reference car",
  { scenario: "step_steer.yaml" },
  async (s) => {
    await s.runTo(4);
    await open3d(s);
    let steered = 0;
    for (const t of [0.5, 1.5, 2, 3, 4]) {
      await s.seek(t);
      await s.frames();
      const off = await s.app((a) => {
        const p = a.space;
        p.draw();
        const f = a.frame(0);
        const { fleet } = p;
        let worst = 0;
        let cars = 0;
        let wheels = 0;
        let turned = 0;
        for (const name of ["sedan", "compact"]) {
          const near = fleet.instances(name, 0);
          const w = fleet.instances(name, "wheels");
          for (let n = 0; near && n < near.count; n++) {
            const m = near.matrix.subarray(16 * n, 16 * n + 16);
            // Whose it is: the car at this place.
            let i = -1;
            let best = Infinity;
            for (let k = 0; k < f.n; k++) {
              const d = Math.hypot(f.x[k] - p.origin - m[12], f.field("y")[k] - m[13]);
              if (d < best) [best, i] = [d, k];
            }
            const psi = f.field("psi")[i];
            const reach = Math.max(1, Math.abs(m[12]));
            worst = Math.max(worst, best / reach, Math.abs(Math.atan2(m[1], m[0]) - psi));
            cars++;
            const kind = fleet.kind(name);
            const steer = f.field("steer")?.[i] ?? 0;
            kind.wheels.forEach((q, j) => {
              const o = w.matrix.subarray(16 * (n * kind.wheels.length + j));
              const side = q.y > 0 ? 1 : -1;
              const angle = Math.atan2(-side * o[4], side * o[5]) - psi; // of the axle
              worst = Math.max(worst, Math.abs(angle - (q.steered ? steer : 0)));
              wheels++;
            });
            turned = Math.max(turned, Math.abs(steer));
          }
        }
        return { worst, cars, wheels, turned };
      });
      assert.ok(off.cars > 0 && off.wheels === 4 * off.cars, JSON.stringify(off));
      assert.ok(off.worst < 1e-6, `at ${t} s off by ${off.worst}`);
      steered = Math.max(steered, off.turned);
    }
    assert.ok(steered > 1e-4, "no wheel was steered");
  },
);

await test(
  "a dark patch lies at every wheel, and a body is of many colours",
  { scenario: "two_gains.yaml" },
  async (s) => {
    await s.runTo(7);
    await s.seek(6);
    await s.app((a) => a.select(0, "car3"));
    await open3d(s);
    await s.app((a) => {
      a.space.setCamera("top");
      a.space.camera.orbit.distance = 22;
      a.emit("frame");
    });
    await s.frames();
    const car = await s.app((a) => {
      const v = a.world(0).vehicles.find((q) => q.name === "car3");
      const k = a.space.fleet.kind("sedan");
      return {
        w: v.width,
        x: k.wheels.map((q) => (q.x * v.length) / k.size[0]),
        y: k.wheels.map((q) => Math.sign(q.y)),
      };
    });
    for (let k = 0; k < car.x.length; k++) {
      const dark = await light(s, car.x[k], car.y[k] * (0.5 * car.w + 0.12), 0);
      const road = await light(s, car.x[k], car.y[k] * (0.5 * car.w + 0.62), 0);
      assert.ok(dark !== null && road !== null && dark < road - 8, `wheel ${k}: ${dark}, the road ${road}`);
    }
    for (const camera of ["platoon", "chase", "contact", "driver", "top", "free"]) {
      const colours = await s.app((a, kind) => {
        a.space.setCamera(kind);
        a.space.draw();
        const gl = a.space.renderer.getContext();
        const [w, h] = [gl.drawingBufferWidth, gl.drawingBufferHeight];
        const d = new Uint8Array(4 * w * h);
        gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, d);
        const seen = new Set();
        for (let i = 0; i < d.length; i += 4) seen.add((d[i] << 16) | (d[i + 1] << 8) | d[i + 2]);
        return seen.size;
      }, camera);
      assert.ok(colours > 300, `${camera}: ${colours} colours`);
    }
  },
);

await test("no body is of one flat colour, from behind, from the side and from above", kinds, async (s) => {
  await s.runTo(9);
  await s.seek(8);
  await open3d(s);
  for (const name of ["t1", "t2", "h1", "s1"]) {
    await s.app((a, n) => a.select(0, n), name);
    for (const [camera, turn] of [
      ["chase", 0],
      ["free", 1.2],
      ["top", 0],
    ]) {
      const seen = await s.app(
        async (a, q) => {
          const p = a.space;
          p.setCamera(q.camera);
          if (q.turn) Object.assign(p.camera.orbit, { azimuth: q.turn, height: 0.3, distance: 14 });
          if (q.camera === "top") p.camera.orbit.distance = 22;
          p.labels.element.hidden = true;
          await window.drawn(2, 0);
          while (p.camera.moving) await window.drawn(1, 0);
          p.draw();
          const f = a.frame(0);
          const v = a.world(0).vehicles.find((o) => o.name === q.name);
          const i = f.index(v.id);
          const gl = p.renderer.getContext();
          const [w, h] = [gl.drawingBufferWidth, gl.drawingBufferHeight];
          // The middle of its box: nothing but the vehicle is in there.
          const [lo, hi] = [
            [Infinity, Infinity],
            [-Infinity, -Infinity],
          ];
          for (let k = 0; k < 8; k++) {
            const at = [
              (k & 1 ? 0.35 : -0.35) * v.length,
              (k & 2 ? 0.35 : -0.35) * v.width,
              (k & 4 ? 0.8 : 0.3) * v.height,
            ];
            if (!p.project(f.x[i] - p.origin + at[0], f.field("y")[i] + at[1], at[2])) continue;
            const px = [(p.v.x / p.box.w) * w, (1 - p.v.y / p.box.h) * h];
            for (let e = 0; e < 2; e++) [lo[e], hi[e]] = [Math.min(lo[e], px[e]), Math.max(hi[e], px[e])];
          }
          const [x, y] = lo.map((b) => Math.max(0, Math.round(b)));
          const [wide, high] = [Math.min(w, Math.round(hi[0])) - x, Math.min(h, Math.round(hi[1])) - y];
          if (!(wide > 8 && high > 8)) return { wide, high };
          const d = new Uint8Array(4 * wide * high);
          gl.readPixels(x, y, wide, high, gl.RGBA, gl.UNSIGNED_BYTE, d);
          const count = new Map();
          for (let k = 0; k < d.length; k += 4) {
            const c = (d[k] << 16) | (d[k + 1] << 8) | d[k + 2];
            count.set(c, (count.get(c) ?? 0) + 1);
          }
          const [colour, most] = [...count].reduce((p, q) => (q[1] > p[1] ? q : p));
          return { wide, high, colours: count.size, most: most / (wide * high), colour: colour.toString(16) };
        },
        { name, camera, turn },
      );
      const few = camera === "top" ? 5 : 20; // a roof is level: its shades are few
      assert.ok(seen.colours > few && seen.most < 0.3, `${name} by ${camera}: ${JSON.stringify(seen)}`);
    }
  }
});

await test("the free camera is never inside a body", { scenario: "two_gains.yaml" }, async (s) => {
  await s.runTo(3);
  await s.seek(2);
  await s.app((a) => a.select(0, "car3"));
  await open3d(s);
  const inside = await s.app((a) => {
    const p = a.space;
    p.setCamera("free");
    const f = a.frame(0);
    const v = a.world(0).vehicles.find((q) => q.name === "car3");
    const i = f.index(v.id);
    let n = 0;
    for (let k = 0; k < 60; k++) {
      Object.assign(p.camera.orbit, { azimuth: 0.3 * k, height: 0.02 * k, distance: 1.5 + 0.05 * k });
      p.draw();
      const e = p.camera.camera.position;
      if (Math.abs(e.x) < v.length / 2 && Math.abs(e.y - f.field("y")[i]) < v.width / 2 && e.z < v.height) n++;
    }
    return n;
  });
  assert.equal(inside, 0);
});

await test("a lost context is said and the page continues", { scenario: "two_gains.yaml" }, async (s) => {
  await s.runTo(3);
  await open3d(s);
  const status = s.page.locator(".s3-lost");
  assert.equal(await status.isVisible(), false);
  await s.app((a) => {
    window.lose = a.space.renderer.getContext().getExtension("WEBGL_lose_context");
    window.lose.loseContext();
  });
  await status.waitFor();
  assert.match(await status.innerText(), /context was lost/);
  await s.seek(1);
  assert.equal(await s.app((a) => a.frame(0).time), 1);
  await s.app(() => window.lose.restoreContext());
  await s.until(() => document.querySelector(".s3-lost").hidden, "the picture again");
});

await test(
  "without WebGL the view says so and the rest of the page works",
  { scenario: "two_gains.yaml" },
  async (s) => {
    await s.app(() => {
      const get = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
        return String(kind).startsWith("webgl") ? null : get.call(this, kind, ...rest);
      };
    });
    await s.page.keyboard.press("t");
    await s.page.getByText("needs WebGL").waitFor();
    await s.runTo(3);
    await s.seek(2);
    assert.equal(await s.app((a) => a.frame(0).time), 2);
  },
);

await finish();
