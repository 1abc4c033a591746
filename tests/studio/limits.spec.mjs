// Limits for highlighting, the law of the heads, sound with captions.
import { assert, finish, test } from "./studio.mjs";
import { choose, type } from "./inspect.mjs";

const two = { scenario: "two_gains.yaml" };
async function openLimits(s) {
  await s.page.locator(".sc-menu", { hasText: "Meters" }).click();
  await s.page.getByRole("menuitem", { name: "Limits and heads" }).click();
  await s.page.getByRole("dialog", { name: "Limits and heads" }).waitFor();
}
const field = (s, name) => s.page.locator(`.pu-panel [data-param="${name}"]`);

await test(
  "a smaller limit of the error turns the rail's number and bar crimson, and the meter's arc grows",
  two,
  async (s) => {
    await s.runTo(26);
    await s.seek(24);
    await s.frames();
    const rail = () =>
      s.app((a) => {
        const st = a.scene.strips[0];
        return { y: st.railTop, w: a.scene.view.width };
      });
    const red = async () => {
      const r = await rail();
      const c = await s.colours(".sc-canvas", 95, r.y + 6, r.w - 100, 20);
      return Object.entries(c)
        .filter(
          ([k]) =>
            k !== "none" &&
            parseInt(k.slice(1, 3), 16) > parseInt(k.slice(5), 16) + 60 &&
            parseInt(k.slice(1, 3), 16) > parseInt(k.slice(3, 5), 16) + 60,
        )
        .reduce((n, [, m]) => n + m, 0);
    };
    const max = await s.app((a) => {
      const f = a.frame(0);
      let m = 0;
      for (let i = 0; i < f.n; i++) m = Math.max(m, Math.abs(f.s[i] - f.x[i]) || 0);
      return m;
    });
    assert.ok(max > 0.03 && max < 0.5, `the maximum error is ${max} m`);
    assert.equal(await red(), 0, "nothing is beyond half a metre");
    await openLimits(s);
    await type(field(s, "errorLimit"), "0.02");
    await s.frames();
    assert.ok((await red()) > 20, "beyond 2 cm is not crimson");
    await s.page.keyboard.press("Escape");
    await openLimits(s);
    assert.equal(await field(s, "errorLimit").locator("input.fo-number").inputValue(), "0.02");
    await type(field(s, "errorLimit"), "-1");
    assert.match(await field(s, "errorLimit").locator(".fo-error").innerText(), /to/);
  },
);

await test("a softer neck leans farther: the passenger's head by 2 a / w^2", two, async (s) => {
  await s.runTo(26);
  await s.seek(24);
  await s.app((a) => a.select(0, "leader"));
  await s.page.keyboard.press("1");
  await s.frames();
  // The passenger's head by its colour, as metres ahead of the car's middle.
  const head = () =>
    s.app((a) => {
      const st = a.scene.strips[0];
      const k = st.visibleOf("leader");
      const scale = a.scene.view.scale;
      const c = a.scene.canvas;
      const q = c.width / c.getBoundingClientRect().width;
      const w = Math.round(3 * scale * q);
      const x0 = Math.round((st.cx[k] - 1.5 * scale) * q);
      const y0 = Math.round(st.cy[k] * q);
      const h = Math.round(0.9 * scale * q);
      const d = c.getContext("2d").getImageData(x0, y0, w, h).data;
      let n = 0;
      let sum = 0;
      for (let i = 0; i < d.length; i += 4)
        if (Math.abs(d[i] - 255) < 6 && Math.abs(d[i + 1] - 217) < 6 && Math.abs(d[i + 2] - 168) < 6) {
          n++;
          sum += (i / 4) % w;
        }
      return { n, x: (sum / n + x0) / q / scale - st.cx[k] / scale };
    });
  const before = await head();
  assert.ok(before.n > 50, "no head is seen");
  const past = await s.ask("series", {
    worlds: [0],
    vehicles: ["leader"],
    fields: ["a"],
    from: 20,
    to: 24,
    points: 400,
  });
  const a = past.values["0/leader/a"];
  const t = past.t;
  // The law of studio.md by small steps, from rest under the first value of the last 2 s.
  const lean = (w, z = 0.45) => {
    let p = null;
    let v = 0;
    for (let k = 1; k < t.length; k++) {
      if (t[k] < 22) continue;
      if (p === null) p = -a[k] / (w * w);
      const n = 200;
      const dt = (t[k] - t[k - 1]) / n;
      for (let i = 0; i < n; i++) {
        const u = a[k - 1] + ((a[k] - a[k - 1]) * (i + 0.5)) / n;
        const f = -u - 2 * z * w * v - w * w * p;
        v += f * dt;
        p += v * dt;
      }
    }
    return Math.max(-0.42, Math.min(0.42, 2 * p));
  };
  await openLimits(s);
  await type(field(s, "head_w"), "2");
  await s.page.keyboard.press("Escape");
  await s.frames();
  const after = await head();
  const moved = after.x - before.x;
  const expected = lean(2) - lean(6);
  assert.ok(Math.abs(expected) > 0.03, `the lean changes by ${expected} m only`);
  assert.ok(Math.abs(moved - expected) < 0.02, `the head moved by ${moved} m, the law says ${expected} m`);
});

await test(
  "sound is off at first; switched on, a contact clicks and is captioned",
  { scenario: "brake_loss.yaml" },
  async (s) => {
    await s.page.evaluate(() => {
      window.tones = 0;
      window.captions = []; // each stays for a few seconds only
      const caption = document.querySelector(".so-caption");
      new MutationObserver(() => caption.hidden || window.captions.push(caption.textContent)).observe(caption, {
        attributes: true,
        attributeFilter: ["hidden"],
      });
      const node = () => ({
        connect: (to) => to,
        type: "",
        frequency: { value: 0 },
        gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} },
        start() {
          window.tones++;
        },
        stop() {},
      });
      window.AudioContext = class {
        currentTime = 0;
        destination = {};
        createOscillator() {
          return node();
        }
        createGain() {
          return node();
        }
        resume() {
          return Promise.resolve();
        }
      };
    });
    await s.app((a) => a.option("stopAtCollision", false));
    await s.runTo(22); // the first contacts, in silence
    assert.ok((await s.app((a) => a.events(0).filter((e) => e.type === "collision").length)) > 0);
    assert.equal(await s.page.evaluate(() => window.tones), 0);
    await s.page.locator('.rail [data-panel="files"]').click();
    await s.page.locator(".fi-open", { hasText: "brake_loss.yaml" }).click();
    await s.until((a) => a.clock.end < 5, "the scenario from its start");
    await s.app((a) => a.clock.play(false));
    await s.page.keyboard.press("Control+k");
    await s.page.keyboard.type("Sound");
    await s.page.keyboard.press("Enter");
    await s.until(() => /Sound is on/.test(document.querySelector(".toasts").textContent), "it to be on");
    await s.app((a) => {
      a.option("stopAtCollision", false);
      a.clock.setRate(4);
      a.clock.goLive();
    });
    await s.until(() => window.captions.length > 0, "the caption", undefined, 40000);
    assert.match((await s.page.evaluate(() => window.captions))[0], /^♪ contact: .*car\d into (car\d|leader)/);
    assert.equal((await s.page.evaluate(() => window.tones)) % 2, 0);
    await s.until(() => document.querySelector(".so-caption").hidden, "the caption to go", undefined, 20000);
  },
);

for (const theme of ["light", "dark"])
  await test(
    `axe-core finds nothing in disturbances, limits, catalogue, log and 3-D, ${theme}`,
    { scenario: "brake_loss.yaml", theme },
    async (s) => {
      await s.app((a) => a.option("stopAtCollision", false));
      await s.runTo(22);
      const look = (what) => s.accessible(what);
      await choose(s, "car2", "Disturb");
      for (const shape of ["Step", "Pulse", "Sine", "Noise"]) {
        await s.page.locator(".di-box").getByRole("radio", { name: shape, exact: true }).click();
        await look(shape);
      }
      await choose(s, "car2", "Car");
      await look("desired");
      await openLimits(s);
      await look("limits");
      await s.page.keyboard.press("Escape");
      for (const panel of ["cars", "files"]) {
        await s.app((a, p) => a.layout.set({ panel: p }), panel);
        await s.page.waitForTimeout(500);
        await look(panel);
      }
      await s.page.keyboard.press("+");
      await look("a car in the hand");
      await s.page.keyboard.press("Escape");
      await s.page.keyboard.press("t");
      await s.until((a) => a.space && a.space.script > 0, "the first 3-D picture", undefined, 30000);
      await s.app((a) => a.clock.seek(a.events(0).find((e) => e.type === "collision").t - 0.2));
      await s.page.waitForTimeout(1500);
      await look("3-D before a collision");
      await s.page.locator(".s3-bar .sc-menu", { hasText: "Draw" }).click();
      await look("what is drawn in 3-D");
    },
  );

await finish();
