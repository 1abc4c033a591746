// The road: cars where the frames say, tags, ghosts, rail, reference, zoom, markers, ruler, menu,
// colours, keys. What is drawn is read back from the canvas.
import { assert, finish, test } from "./studio.mjs";

const two = { scenario: "two_gains.yaml" };
const BLUE = [15, 108, 189]; // world A, light

// Where a car's middle is drawn, by the arithmetic of the view and not by what the strip kept.
const placeOf = `(a, q) => {
  const s = a.scene.strips.find((k) => k.world.world === q.world), f = a.frame(q.world), w = a.world(q.world);
  const i = f.index(w.vehicles.find((v) => v.name === q.car).id), ref = f.index(w.vehicles.find((v) => v.name === (a.reference ?? "leader")).id);
  const view = a.scene.view, scale = view.width / view.length;
  return { x: view.anchor * view.width + (f.x[i] - f.x[ref]) * scale, y: s.py(f.field("y")[i]), scale, s: f.s[i], at: f.x[i], v: f.field("v")[i] };
}`;
const place = (s, car, world = 0) => s.app(placeOf, { car, world });
const near = (hex, [r, g, b], d = 40) => {
  const n = parseInt(hex.slice(1), 16);
  return Math.abs((n >> 16) - r) + Math.abs(((n >> 8) & 255) - g) + Math.abs((n & 255) - b) < d;
};
const share = (counts, rgb, d) => {
  let hit = 0;
  let all = 0;
  for (const [k, n] of Object.entries(counts)) {
    all += n;
    if (k !== "none" && near(k, rgb, d)) hit += n;
  }
  return hit / all;
};
const drawn = (s, x, y, w, h) => s.colours(".sc-canvas", x - w / 2, y - h / 2, w, h);
const wheel = async (s, x, y, dy) => {
  const box = await s.page.locator(".sc-canvas").boundingBox();
  await s.page.mouse.move(box.x + x, box.y + y);
  await s.page.mouse.wheel(0, dy);
  await s.frames();
};
async function stopped(s, t = 6) {
  await s.runTo(t + 0.5);
  await s.seek(t);
  await s.frames();
}
const canvasBox = (s) => s.page.locator(".sc-canvas").boundingBox();

await test.core(
  "every car is drawn in its world's colour at the frame's place, and the gap between two is road",
  two,
  async (s) => {
    await stopped(s);
    for (const car of ["leader", "car1", "car3", "car6"]) {
      const p = await place(s, car);
      const hood = await drawn(s, p.x + 1.55 * p.scale, p.y, 0.4 * p.scale, 0.6 * p.scale);
      assert.ok(share(hood, BLUE) > 0.6, `${car}: ${JSON.stringify(hood)}`);
      assert.ok(share(await drawn(s, p.x + 3.8 * p.scale, p.y, 4, 4), BLUE) === 0, `nothing before ${car}`);
    }
  },
);

await test("cars are to scale: body 5.56 m long and 1.96 m wide on the screen", two, async (s) => {
  await stopped(s);
  const p = await place(s, "car2");
  const row = await s.page.evaluate(
    ({ x, y, reach }) => {
      const c = document.querySelector(".sc-canvas");
      const k = c.width / c.getBoundingClientRect().width;
      const d = c
        .getContext("2d")
        .getImageData(Math.round((x - reach) * k), Math.round(y * k), Math.round(2 * reach * k), 1).data;
      const on = [];
      for (let i = 0; i < d.length / 4; i++) {
        const r = d[4 * i];
        const b = d[4 * i + 2];
        on.push(r < 60 && b > 20 ? 1 : 0);
      } // blue, or the glass
      return { first: on.indexOf(1) / k - reach, last: on.lastIndexOf(1) / k - reach };
    },
    { x: p.x, y: p.y - 0.75 * p.scale, reach: 4.5 * p.scale },
  );
  const length = (row.last - row.first) / p.scale;
  assert.ok(Math.abs(length - 5.1) < 0.6, `a line 0.75 m off the middle is ${length} m long`); // the nose is round there
});

await test.core("a tag carries the frame's speed, and its figures are those of the paused frame", two, async (s) => {
  await stopped(s);
  const texts = await s.app((a) => {
    const seen = [];
    const c = a.scene.canvas.getContext("2d");
    const old = c.fillText;
    c.fillText = function (t, x, y) {
      seen.push([t, x, y]);
      return old.apply(this, arguments);
    };
    return new Promise((done) => {
      a.emit("layout");
      window.drawn().then(() => {
        c.fillText = old;
        done(seen);
      });
    });
  });
  for (const car of ["car2", "car5"]) {
    const p = await place(s, car);
    const name = await s.app((a, c) => `A${a.world(0).vehicles.find((v) => v.name === c).place - 1}`, car);
    const label = texts.find((t) => t[0] === name);
    assert.ok(label, `no tag of ${car}`);
    const beside = texts.filter((t) => t[2] === label[2] && t[1] > label[1] && t[1] < label[1] + 110).map((t) => t[0]);
    assert.ok(beside.includes(`${p.v.toFixed(2)} m/s`), `${car}: ${p.v} is not among ${beside}`);
    assert.ok(Math.abs(label[1] - p.x) < 60, "the tag stands over its car");
  }
});

await test("V cycles the tags and none overlaps another at any zoom", two, async (s) => {
  await stopped(s);
  assert.equal(await s.app((a) => a.option("scene.tags") ?? "v a j"), "v a j");
  await s.page.keyboard.press("v");
  assert.equal(await s.app((a) => a.option("scene.tags")), "off");
  await s.page.keyboard.press("v");
  await s.page.keyboard.press("v");
  await s.page.keyboard.press("v");
  assert.equal(await s.app((a) => a.option("scene.tags")), "v a j");
  for (const length of [60, 125, 160, 260, 700]) {
    const boxes = await s.app((a, m) => {
      a.scene.view.setLength(m);
      const seen = [];
      const c = a.scene.canvas.getContext("2d");
      const old = c.fillText;
      c.fillText = function (t, x, y) {
        const w = c.measureText(t).width;
        const l = c.textAlign === "right" ? x - w : c.textAlign === "center" ? x - w / 2 : x;
        seen.push([t, l, l + w, y]);
        return old.apply(this, arguments);
      };
      return new Promise((done) => {
        a.emit("layout");
        window.drawn().then(() => {
          c.fillText = old;
          done(seen.filter((t) => /[0-9]/.test(t[0])));
        });
      });
    }, length);
    const last = new Map();
    for (const b of boxes) last.set(`${b[0]}|${Math.round(b[3])}`, b); // one picture: the last of each
    const list = [...last.values()].sort((p, q) => p[3] - q[3] || p[1] - q[1]);
    for (let k = 1; k < list.length; k++)
      if (list[k][3] === list[k - 1][3])
        assert.ok(list[k][1] >= list[k - 1][2] - 0.5, `${length} m: "${list[k - 1][0]}" runs into "${list[k][0]}"`);
    assert.ok(length > 500 || list.length > 4, `${length} m: only ${list.length} texts`);
  }
});

await test("the error rail's bar is the error times the factor, towards the desired place", two, async (s) => {
  await stopped(s, 12);
  await s.page.fill(".sc-error .sc-value", "100");
  await s.page.keyboard.press("Enter");
  await s.frames();
  const strip = await s.app((a) => ({ rail: a.scene.strips[0].railTop }));
  for (const car of ["car2", "car4"]) {
    const p = await place(s, car);
    const e = p.s - p.at;
    const nose = p.x + 2.78 * p.scale;
    const bar = e * 100 * p.scale;
    if (Math.abs(bar) < 8) continue;
    const mid = nose + bar / 2;
    const inside = await drawn(s, mid, strip.rail + 13.5, Math.min(6, Math.abs(bar) / 2), 3);
    const beyond = await drawn(s, nose + bar + Math.sign(bar) * 4, strip.rail + 13.5, 3, 3);
    assert.ok(
      1 - (inside.none ?? 0) / Object.values(inside).reduce((x, y) => x + y, 0) > 0.9,
      `${car}: no bar of ${bar.toFixed(1)} px at ${mid.toFixed(1)}: ${JSON.stringify(inside)}`,
    );
    assert.ok(share(beyond, BLUE) < 0.2, `${car}: the bar runs on beyond ${bar.toFixed(1)} px`);
  }
});

await test("G hides the ghosts; they stand at x + factor * error", two, async (s) => {
  await stopped(s, 12);
  await s.page.fill(".sc-error .sc-value", "60");
  await s.page.keyboard.press("Enter");
  await s.frames();
  const p = await place(s, "car3");
  const g = p.x + (p.s - p.at) * 60 * p.scale;
  const edge = g + Math.sign(p.s - p.at) * 2.78 * p.scale;
  assert.ok(Math.abs(edge - p.x) > 3 * p.scale, `error of ${p.s - p.at} m is too small for this test`);
  const count = async () => {
    const c = await drawn(s, edge, p.y, 5, 1.6 * p.scale);
    return Object.entries(c)
      .filter(([k]) => k !== "none" && parseInt(k.slice(1, 3), 16) < 195)
      .reduce((n, [, m]) => n + m, 0);
  };
  assert.ok((await count()) > 4, "the ghost's edge is missing");
  await s.page.keyboard.press("g");
  await s.frames();
  assert.equal(await count(), 0, "the ghost is still there");
});

await test.core("the wheel zooms at the pointer; typed lengths; 1, 2, 3 and 0", two, async (s) => {
  await stopped(s);
  const p = await place(s, "car3");
  await wheel(s, p.x, p.y, -600);
  const q = await place(s, "car3");
  assert.ok(q.scale > 1.8 * p.scale, `${p.scale} to ${q.scale} px/m`);
  assert.ok(Math.abs(q.x - p.x) < 2, `the car under the pointer moved by ${q.x - p.x} px`);
  await s.page.fill(".sc-length .sc-value", "80 m");
  await s.page.keyboard.press("Enter");
  await s.frames();
  assert.ok(Math.abs((await s.app((a) => a.scene.view.length)) - 80) < 1e-6);
  await s.page.fill(".sc-length .sc-value", "0.25 km");
  await s.page.keyboard.press("Enter");
  assert.ok(Math.abs((await s.app((a) => a.scene.view.length)) - 250) < 1e-6);
  await s.page.fill(".sc-length .sc-value", "far");
  await s.page.keyboard.press("Enter");
  assert.ok(await s.page.locator(".sc-length .sc-value.bad").count(), "nonsense is marked");
  assert.ok(Math.abs((await s.app((a) => a.scene.view.length)) - 250) < 1e-6, "and changes nothing");
  await s.page.locator(".sc-length .sc-value").press("Escape");
  await s.app((a) => a.select(0, "car4"));
  await s.page.keyboard.press("1");
  await s.frames();
  const one = await place(s, "car4");
  const width = await s.app((a) => a.scene.view.width);
  assert.ok(Math.abs(one.x - width / 2) < 3 && one.scale > 50, `car4 at ${one.x} of ${width}, ${one.scale} px/m`);
  await s.page.keyboard.press("0");
  await s.frames();
  assert.ok(Math.abs((await s.app((a) => a.scene.view.length)) - 250) < 1e-6, "back to the view before");
  await s.page.keyboard.press("2");
  await s.frames();
  for (const car of ["leader", "car7"]) {
    const c = await place(s, car);
    assert.ok(c.x > 0 && c.x < width, `${car} is in sight`);
  }
});

await test(
  "double-click makes a car the reference; dragging it along the screen takes the others with it; Escape",
  two,
  async (s) => {
    await stopped(s);
    const box = await canvasBox(s);
    const before = await place(s, "car4");
    const other = await place(s, "car2");
    await s.page.mouse.dblclick(box.x + before.x, box.y + before.y);
    await s.frames();
    assert.equal(await s.app((a) => a.reference), "car4");
    const now = await place(s, "car4");
    assert.ok(Math.abs(now.x - before.x) < 1, "it stays where it was");
    assert.match(await s.page.locator(".sc-menu", { hasText: "Reference" }).innerText(), /car4/);
    await s.page.mouse.move(box.x + now.x, box.y + now.y);
    await s.page.mouse.down();
    await s.page.mouse.move(box.x + now.x + 40, box.y + now.y, { steps: 4 });
    await s.page.mouse.move(box.x + now.x + 90, box.y + now.y, { steps: 4 });
    await s.page.mouse.up();
    await s.frames();
    const moved = await place(s, "car4");
    const follower = await place(s, "car2");
    assert.ok(Math.abs(moved.x - now.x - 90) < 2, `moved by ${moved.x - now.x} px`);
    assert.ok(Math.abs(follower.x - other.x - 90) < 3, "the others follow");
    assert.ok(share(await drawn(s, moved.x + 1.55 * moved.scale, moved.y, 4, 4), BLUE) > 0.6, "drawn there");
    await s.app((a) => a.clock.play(true));
    await s.page.waitForTimeout(500);
    await s.app((a) => a.clock.play(false));
    await s.frames();
    assert.ok(Math.abs((await place(s, "car4")).x - moved.x) < 1, "it stands still while time runs");
    await s.page.keyboard.press("Escape");
    await s.frames();
    assert.equal(await s.app((a) => a.reference), null);
  },
);

await test("road as reference: the cars pass by", two, async (s) => {
  await stopped(s);
  await s.page.locator(".sc-menu", { hasText: "Reference" }).click();
  await s.page.getByRole("menuitemcheckbox", { name: /Road/ }).click();
  await s.frames();
  const px = () => s.app((a) => a.scene.strips[0].cx[a.scene.strips[0].visibleOf("car3")]);
  const x0 = await px();
  const t0 = await s.app((a) => a.frame(0).x[3]);
  await s.seek(6.3);
  await s.frames();
  const x1 = await px();
  const t1 = await s.app((a) => a.frame(0).x[3]);
  const scale = await s.app((a) => a.scene.view.scale);
  assert.ok(t1 - t0 > 4 && Math.abs(x1 - x0 - (t1 - t0) * scale) < 1, `${x1 - x0} px for ${t1 - t0} m`);
});

await test("markers: posts stand at whole multiples of the spacing that is typed", two, async (s) => {
  await stopped(s);
  await s.page.fill(".sc-markers .sc-value", "20 m");
  await s.page.keyboard.press("Enter");
  await s.frames();
  const look = (m) =>
    s.app((a, x) => {
      const st = a.scene.strips[0];
      const px = a.scene.view.px(0, x);
      const c = a.scene.canvas;
      const k = c.width / c.getBoundingClientRect().width;
      const d = c
        .getContext("2d")
        .getImageData(
          Math.round((px - 1.5) * k),
          Math.round((st.roadTop - 3) * k),
          Math.max(1, Math.round(3 * k)),
          1,
        ).data;
      let n = 0;
      for (let i = 3; i < d.length; i += 4) if (d[i] > 40) n++;
      return n;
    }, m);
  const [from, to] = await s.app((a) => a.scene.view.window(0));
  const first = Math.ceil((from + 5) / 20) * 20;
  for (let x = first; x < to - 5; x += 20) {
    assert.ok((await look(x)) > 0, `no post at ${x} m`);
    if (x + 10 < to) assert.equal(await look(x + 10), 0, `a post at ${x + 10} m`);
  }
});

await test("the ruler reads metres, seconds and time to collision between two bumpers", two, async (s) => {
  await stopped(s);
  const a = await place(s, "car4");
  const b = await place(s, "car3");
  const box = await canvasBox(s);
  await s.page.keyboard.press("q");
  await s.page.mouse.move(box.x + a.x + 2.78 * a.scale - 2, box.y + a.y);
  await s.page.mouse.down();
  await s.page.mouse.move(box.x + b.x - 2.78 * b.scale + 2, box.y + b.y, { steps: 6 });
  await s.page.mouse.up();
  await s.frames();
  const r = await s.app((app) => app.scene.ruler.read(app.scene.strips[0]));
  const gap = b.at - a.at - 5.5626;
  assert.ok(Math.abs(r.metres - gap) < 1e-3, `${r.metres} m, the gap is ${gap}`);
  assert.ok(Math.abs(r.seconds - gap / a.v) < 1e-3);
  if (a.v > b.v + 1e-6) assert.ok(Math.abs(r.ttc - gap / (a.v - b.v)) < 0.01 * r.ttc);
  await s.page.keyboard.press("q");
});

await test("colour by speed: the same speed the same colour, with its legend", two, async (s) => {
  await stopped(s);
  await s.page.locator(".sc-menu", { hasText: "Colour" }).click();
  await s.page.getByRole("menuitemcheckbox", { name: "speed" }).click();
  await s.frames();
  const p = await place(s, "car2");
  const counts = await drawn(s, p.x + 1.55 * p.scale, p.y, 4, 4);
  assert.ok(share(counts, BLUE, 30) < 0.1, "no longer blue");
  const expected = await s.app((a) => {
    const c = a.scene.colouring;
    const f = a.frame(0);
    return c.colours[c.step(f.field("v")[2])];
  });
  assert.ok(
    share(
      counts,
      [1, 3, 5].map((i) => parseInt(expected.slice(i, i + 2), 16)),
      24,
    ) > 0.6,
    `${expected} is not in ${JSON.stringify(counts)}`,
  );
  assert.match(await s.page.locator(".sc-legend").innerText(), /0[\s\S]*m\/s/);
});

await test.core("the menu of a car: select, remove; right click and Shift F10", two, async (s) => {
  await s.live(2);
  await s.rest();
  const box = await canvasBox(s);
  const p = await place(s, "car5");
  await s.page.mouse.click(box.x + p.x, box.y + p.y, { button: "right" });
  assert.equal(await s.app((a) => a.selection?.vehicle), "car5");
  await s.page.getByRole("menuitemcheckbox", { name: "Tag" }).click();
  assert.deepEqual(await s.app((a) => a.option("scene.noTags")), ["car5"]);
  await s.page.locator(".sc-canvas").focus();
  await s.page.keyboard.press("Shift+F10");
  await s.page.getByRole("menuitem", { name: /Remove/ }).click();
  await s.until((a) => a.worlds.some((w) => !w.vehicles.some((v) => v.name === "car5")), "a world without car5");
});

await test("arrow keys on the canvas walk from car to car; elsewhere they step time", two, async (s) => {
  await stopped(s);
  await s.app((a) => a.select(0, "car3"));
  await s.page.locator(".sc-canvas").focus();
  const t = await s.app((a) => a.clock.t);
  await s.page.keyboard.press("ArrowRight");
  assert.equal(await s.app((a) => a.selection.vehicle), "car2", "cars drive to the right: the next is in front");
  await s.page.keyboard.press("ArrowLeft");
  await s.page.keyboard.press("ArrowLeft");
  assert.equal(await s.app((a) => a.selection.vehicle), "car4");
  assert.equal(await s.app((a) => a.clock.t), t, "time stands");
  const label = await s.page.locator(".sc-canvas").getAttribute("aria-label");
  assert.match(label, /Selected: car4/);
});

await test("dragging a ghost sets the fixed headway of that car", two, async (s) => {
  await stopped(s, 12);
  await s.page.fill(".sc-error .sc-value", "60");
  await s.page.keyboard.press("Enter");
  await s.frames();
  const p = await place(s, "car3");
  const box = await canvasBox(s);
  const e = p.s - p.at;
  const g = p.x + e * 60 * p.scale;
  const grip = g + Math.sign(e) * 2.4 * p.scale;
  await s.page.mouse.move(box.x + grip, box.y + p.y);
  await s.page.mouse.down();
  const shift = -60 * p.scale * 0.5; // half a metre farther back, magnified
  await s.page.mouse.move(box.x + grip + shift, box.y + p.y, { steps: 5 });
  await s.sees(async () =>
    assert.match(await s.page.locator(".sc-tip").innerText(), /fixed headway 1\.50 m \(\+0\.50\)/),
  );
  await s.page.mouse.up();
  await s.until((a) => a.worlds.length > 1, "the branch with the headway");
  const log = await s.ask("log", { world: await s.app((a) => a.worlds.at(-1).world) });
  const entry = log.entries.find((k) => k.vehicle === "car3");
  assert.ok(entry && Math.abs(entry.value - 1.5) < 1e-9, JSON.stringify(log.entries));
});

await test.core("two worlds stand as two strips on one scale with their letters and gains", two, async (s) => {
  await s.runTo(6);
  await s.seek(4);
  await s.app((a) => a.change("set", { world: 0, controller: "follow", param: "k3", value: 1.6 }));
  await s.until((a) => a.shown().length === 2 && a.frame(a.shown()[1].world) !== null, "the branch");
  await s.frames();
  await s.sees(async () => {
    const heads = await s.page.locator(".sc-head").allInnerTexts();
    assert.equal(heads.length, 2);
    assert.match(heads[0], /A[\s\S]*k3 = 4/);
    assert.match(heads[1], /B[\s\S]*k3 = 1\.6/);
  });
  const w = await s.app((a) => a.shown()[1].world);
  const p = await place(s, "car3");
  const q = await place(s, "car3", w);
  assert.equal(p.scale, q.scale);
  assert.ok(q.y > p.y + 60, "below each other");
  assert.ok(share(await drawn(s, q.x + 1.55 * q.scale, q.y, 4, 4), [184, 92, 0]) > 0.6, "B is orange");
});

await finish();
