// The catalogue of cars: pictures to scale, dragged onto the road or onto a car; + and a click, or
// the keyboard alone. What came of it is read from the server's worlds and frames.
import { assert, finish, test } from "./studio.mjs";
import { replayed } from "./inspect.mjs";

const two = { scenario: "two_gains.yaml" };
const canvasBox = (s) => s.page.locator(".sc-canvas").boundingBox();
const at = (s, car) =>
  s.app((a, name) => {
    const st = a.scene.strips[0];
    const k = st.visibleOf(name);
    const f = st.frame;
    const i = st.index[k];
    return { x: st.cx[k], y: st.cy[k], m: f.x[i], scale: a.scene.view.scale, v: f.field("v")[i] };
  }, car);
async function still(s, t = 2) {
  await s.live(t);
  await s.rest();
}
const openCars = (s) => s.page.locator('.rail [data-panel="cars"]').click();
const card = (s, name) => s.page.locator(`.cp-model[data-model="${name}"]`);
async function dragTo(s, name, x, y) {
  await card(s, name).scrollIntoViewIfNeeded();
  const b = await card(s, name).boundingBox();
  await s.page.mouse.move(b.x + b.width / 2, b.y + b.height / 2);
  await s.page.mouse.down();
  await s.page.mouse.move(x - 40, y + 5, { steps: 6 });
  await s.page.mouse.move(x, y, { steps: 4 });
}

await test("the pictures are to scale: as long against each other as the cars are", two, async (s) => {
  await still(s);
  await openCars(s);
  await card(s, "ford_escort").waitFor();
  await s.frames();
  const long = await s.page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll(".cp-model")].map((b) => {
        const c = b.querySelector("canvas");
        const d = c.getContext("2d").getImageData(0, Math.round(c.height / 2), c.width, 1).data;
        let first = -1;
        let last = -1;
        for (let i = 0; i < c.width; i++)
          if (d[4 * i + 3] > 128) {
            if (first < 0) first = i;
            last = i;
          }
        return [b.dataset.model, last - first + 1];
      }),
    ),
  );
  assert.ok(long.ford_escort > 40, JSON.stringify(long));
  assert.ok(Math.abs(long.lincoln_town_car / long.ford_escort - 219 / 171) < 0.04, JSON.stringify(long));
  assert.ok(Math.abs(long.mercury_villager / long.nissan_sentra - 190 / 170) < 0.04, JSON.stringify(long));
});

await test(
  "a car of the catalogue dragged onto a car replaces it; it keeps its motion; the log repeats it",
  two,
  async (s) => {
    await still(s);
    await openCars(s);
    const box = await canvasBox(s);
    const p = await at(s, "car3");
    await dragTo(s, "ford_escort", box.x + p.x, box.y + p.y);
    await s.sees(async () => {
      assert.match(await s.page.locator(".sc-carry").innerText(), /in place of car3/);
      const glow = await s.colours(".sc-canvas", p.x - 2.78 * p.scale - 6, p.y - 4, 8, 8); // the ring in the colour of selection
      assert.ok(
        Object.keys(glow).some((k) => {
          const n = parseInt(k.slice(1), 16);
          return k !== "none" && (n & 255) > (n >> 16) + 50 && (n & 255) > ((n >> 8) & 255) + 60;
        }),
        JSON.stringify(glow),
      );
    });
    await s.page.mouse.up();
    await s.until((a) => a.world(0).vehicles.find((v) => v.name === "car3").model === "ford_escort", "the new type");
    const v = await s.app((a) => a.world(0).vehicles.find((q) => q.name === "car3"));
    assert.ok(
      Math.abs(v.mass - 2530 * 0.45359237) < 0.01 && Math.abs(v.length - 171 * 0.0254) < 1e-4,
      JSON.stringify(v),
    );
    await s.sees(async () => {
      const q = await at(s, "car3");
      assert.ok(Math.abs(q.v - p.v) < 0.05, `${p.v} became ${q.v} m/s`);
      assert.equal(await s.page.locator(".sc-carry").isVisible(), false);
    });
    assert.equal((await s.ask("log", { world: 0 })).entries.length, 1, "one change, one entry");
    await s.app((a) => a.clock.goLive());
    await s.live(4);
    assert.ok((await replayed(s, 0, "two_gains.yaml")) < 1e-5);
  },
);

await test(
  "dropped behind the last car it joins the platoon; on an empty lane it stands just there; beside the road nothing happens",
  two,
  async (s) => {
    await still(s);
    await openCars(s);
    const box = await canvasBox(s);
    const p = await at(s, "car7");
    await dragTo(s, "nissan_sentra", box.x + p.x - 6 * p.scale, box.y + p.y);
    await s.sees(async () => assert.match(await s.page.locator(".sc-carry").innerText(), /behind car7/));
    await s.page.mouse.up();
    await s.until((a) => a.world(0).vehicles.length === 9, "nine cars");
    const joined = await s.app((a) => a.world(0).vehicles.find((v) => v.model === "nissan_sentra"));
    assert.equal(joined.platoon, 0);
    await s.until((a, name) => a.selection?.vehicle === name, "it to be selected", joined.name);
    await s.frames();
    const lane2 = await s.app((a) => {
      const st = a.scene.strips[0];
      return { y: st.py(-st.laneWidth()), x: 500, m: a.scene.view.metres(0, 500) };
    });
    await dragTo(s, "mercury_villager", box.x + lane2.x, box.y + lane2.y);
    await s.sees(async () => assert.match(await s.page.locator(".sc-carry").innerText(), /lane 2/));
    await s.page.mouse.up();
    await s.until((a) => a.world(0).vehicles.length === 10, "ten cars");
    const alone = await s.app((a) => {
      const v = a.world(0).vehicles.find((q) => q.model === "mercury_villager");
      return v;
    });
    assert.equal(alone.lane, 2);
    await s.sees(async () => {
      const pale = await s.colours(".sc-canvas", lane2.x + 1.2 * p.scale, lane2.y - 3, 6, 6); // time stands still: it is drawn where it will be
      assert.ok(
        Object.keys(pale).every((k) => k !== "none" && parseInt(k.slice(5), 16) > parseInt(k.slice(1, 3), 16) + 30),
        JSON.stringify(pale),
      );
    });
    await dragTo(s, "ford_escort", box.x + 300, box.y - 20); // the scene bar
    await s.page.mouse.up();
    await s.page.waitForTimeout(300);
    assert.equal(await s.app((a) => a.world(0).vehicles.length), 10);
    const t0 = await s.app((a) => a.frame(0).time);
    await s.app((a) => a.clock.goLive());
    await s.until((a, id) => a.frame(0).index(id) >= 0, "it in the picture", alone.id);
    const x = await s.app((a, id) => {
      const f = a.frame(0);
      return { x: f.x[f.index(id)], v: f.field("v")[f.index(id)], t: f.time };
    }, alone.id);
    assert.ok(
      Math.abs(x.x - x.v * (x.t - t0) - lane2.m) < 1,
      `put at ${lane2.m.toFixed(1)} m, stands at ${x.x.toFixed(1)} m`,
    );
  },
);

await test("+ and a click; + and the keyboard alone: arrows, Enter, Escape", two, async (s) => {
  await still(s);
  await s.app((a) => a.select(0, "leader"));
  await s.page.keyboard.press("+");
  await s.until((a) => a.scene.placing.on, "a car in the hand");
  const box = await canvasBox(s);
  const p = await at(s, "car7");
  await s.page.mouse.move(box.x + p.x - 8 * p.scale, box.y + p.y);
  await s.page.mouse.click(box.x + p.x - 8 * p.scale, box.y + p.y);
  await s.until((a) => a.world(0).vehicles.length === 9, "nine cars");
  await s.until((a) => a.selection.vehicle !== "leader", "it to be selected");
  const model = await s.app((a) => a.world(0).vehicles.find((v) => v.name === a.selection.vehicle).model);
  assert.equal(model, await s.app((a) => a.world(0).vehicles[0].model), "of the type of the car that was selected");
  await s.app((a) => a.select(0, "leader"));
  await s.page.keyboard.press("+");
  await s.page.keyboard.press("ArrowRight"); // the leader itself
  assert.equal(await s.app((a) => `${a.scene.placing.at.where} ${a.scene.placing.at.vehicle}`), "replace leader");
  await s.page.keyboard.press("ArrowRight");
  assert.equal(await s.app((a) => `${a.scene.placing.at.where} ${a.scene.placing.at.vehicle}`), "front leader");
  await s.until(() => /in front of leader/.test(document.querySelector('[role="log"]').textContent), "it to be spoken");
  await s.page.keyboard.press("Enter");
  await s.until((a) => a.world(0).vehicles.length === 10, "ten cars");
  await s.page.keyboard.press("+");
  await s.page.keyboard.press("Escape");
  assert.equal(await s.app((a) => a.scene.placing.on), false);
  assert.equal(await s.app((a) => a.world(0).vehicles.length), 10);
});

await test("behind the live end a dropped car makes a branch, in one change", two, async (s) => {
  await s.runTo(12);
  await s.seek(6);
  await openCars(s);
  const box = await canvasBox(s);
  const p = await at(s, "car5");
  await dragTo(s, "ford_escort", box.x + p.x, box.y + p.y);
  await s.page.mouse.up();
  await s.until((a) => a.worlds.length === 2 && a.world(1).end > 11, "a branch", null, 20000);
  assert.equal(await s.app((a) => a.world(1).vehicles.find((v) => v.name === "car5").model), "ford_escort");
  assert.notEqual(await s.app((a) => a.world(0).vehicles.find((v) => v.name === "car5").model), "ford_escort");
});

await test("invalid types are rejected and change nothing", two, async (s) => {
  await still(s);
  for (const define of [
    { kind: "balloon" },
    { kind: "powertrain", mass: -5 },
    { kind: "powertrain", wings: 2 },
    { kind: "cosserat", file: "/etc/passwd" },
    { kind: "powertrain", car_file: "x" },
    7,
  ]) {
    const a = await s.ask("car", { world: 0, op: "model", vehicle: "car3", name: "odd", define });
    assert.equal(a.kind, "refused", JSON.stringify(define));
    assert.ok(a.reason.length > 10, a.reason);
    const b = await s.ask("car", {
      world: 0,
      op: "add",
      model: "odd",
      controller: "follow",
      beside: "car7",
      where: "behind",
      define,
    });
    assert.equal(b.kind, "refused", JSON.stringify(define));
  }
  assert.equal((await s.ask("log", { world: 0 })).entries.length, 0);
});

await finish();
