// The Plot card and the row of instruments: what is drawn is what was simulated.
import { assert, finish, test } from "./studio.mjs";

const two = { scenario: "two_gains.yaml" };
const plot = ".cd-is-plot";
const chip = (s) => s.page.locator(`${plot} .pl-chip`).innerText();
// Error of a car in the frame at the playhead.
const errorOf = (a, q) => {
  const w = a.world(q.world);
  const f = a.frame(q.world);
  const i = f.index(w.vehicles.find((v) => v.name === q.car).id);
  return f.s[i] - f.x[i];
};

async function choose(s, label, value) {
  await s.page.locator(`${plot} .cd-choice`).click();
  await s.page.getByRole("dialog").getByLabel(label, { exact: true }).selectOption(value);
  await s.page.keyboard.press("Escape");
}
// Waits until read() gives what good() takes.
const settle = (s, read, good, what) =>
  s.sees(async () => {
    const now = await read();
    assert.ok(good(now), `${what}: ${JSON.stringify(now)}`);
    return now;
  });
// Waits until all of the run is in the plot.
async function whole(s) {
  await s.until((a) => {
    const p = document.querySelector(".cd-is-plot .cd-body").plot;
    const { min, max } = p?.u?.scales.x ?? {};
    return p && !p.loading && !p.stale && min <= a.clock.start && Math.abs(max - a.clock.end) < 0.02 * a.clock.end;
  }, "the whole run in the plot");
  await s.frames();
}
const over = (s) => s.page.locator(`${plot} .u-over`);

await test.core("the plot's value at the playhead is the frame's", two, async (s) => {
  await s.runTo(30);
  await s.app((a) => a.select(0, "car5"));
  for (const t of [6.5, 12.34, 25]) {
    await s.seek(t);
    const want = await s.app(errorOf, { world: 0, car: "car5" });
    await s.until(
      (a, w) => {
        const m = /([\u2212-]?[\d.]+) m$/.exec(document.querySelector(".cd-is-plot .pl-chip").textContent);
        return m && Math.abs(Number(m[1].replace("\u2212", "-")) - w) <= 0.0006 + 0.006 * Math.abs(w);
      },
      `the chip to show ${want} m`,
      want,
    );
  }
  assert.match(await chip(s), /^A\d+ /);
});

await test.core("curves are where the simulated values are", two, async (s) => {
  await s.runTo(40);
  await choose(s, "Cars", "car5");
  await s.seek(20);
  await s.app((a) => a.select(0, "car5"));
  const blue = (c) =>
    Object.entries(c)
      .filter(([k]) => {
        const n = parseInt(k.slice(1), 16);
        return k !== "none" && (n & 255) > 120 && n >> 16 < 120;
      })
      .reduce((p, [, n]) => p + n, 0);
  // The dot stands at the value; the curve of the world's colour runs through it.
  const look = async () => {
    const dot = await s.page.locator(`${plot} .pl-dot`).boundingBox();
    const box = await over(s).boundingBox();
    const canvas = await s.page.locator(`${plot} canvas`).boundingBox();
    if (!dot || dot.x <= box.x || dot.x >= box.x + box.width) return null;
    const x = dot.x + dot.width / 2 - canvas.x;
    const y = dot.y + dot.height / 2 - canvas.y;
    const at = (dy) => s.colours(`${plot} canvas`, x - 3, y - 3 + dy, 6, 6);
    return { near: blue(await at(0)), far: blue(await at(y > 100 ? -67 : 73)) };
  };
  const seen = await settle(s, look, (l) => l && l.near > 2, "the curve at the dot");
  assert.equal(seen.far, 0, "colour where no curve is");
});

await test("grows while the simulation runs, without asking for everything again", two, async (s) => {
  await s.live(3);
  // A piece the page missed may be asked for (a busy machine); nothing that it has.
  const began = await s.app((a) => {
    window.asked = [];
    const ask = a.ask.bind(a);
    const t = a.clock.end;
    a.ask = (k, q) => {
      if (k === "series") window.asked.push([q.from, q.to]);
      return ask(k, q);
    };
    return t;
  });
  await s.live(7);
  const asked = await s.page.evaluate(() => window.asked);
  assert.ok(
    asked.every(([from]) => from >= began - 0.1),
    `requested again what it had at ${began} s: ${JSON.stringify(asked)}`,
  );
  for (let k = 1; k < asked.length; k++)
    assert.ok(asked[k][0] >= asked[k - 1][1] - 0.1, `pieces overlap: ${JSON.stringify(asked)}`);
  // The right end of the blue curve follows the live end.
  await s.rest();
  const width = () =>
    s.page.evaluate(() => {
      const o = document.querySelector(".cd-is-plot .u-over").getBoundingClientRect();
      const c = document.querySelector(".cd-is-plot canvas");
      const k = c.width / c.getBoundingClientRect().width;
      const r = c.getBoundingClientRect();
      const d = c.getContext("2d").getImageData((o.left - r.left) * k, (o.top - r.top) * k, o.width * k, o.height * k);
      let max = 0;
      for (let y = 0; y < d.height; y++)
        for (let x = 0; x < d.width; x++) {
          const i = 4 * (y * d.width + x);
          if (d.data[i + 3] > 100 && d.data[i + 2] > 120 && d.data[i] < 110) max = Math.max(max, x);
        }
      return max / d.width;
    });
  const end = await s.app((a) => a.clock.end / Math.max(10, a.clock.end));
  await settle(s, width, (w) => Math.abs(w - end) < 0.06, `the curve's end, at ${end} of the width`);
});

await test("dragging the playhead in the plot moves the playhead of the page", two, async (s) => {
  await s.runTo(30);
  await choose(s, "Window", "0");
  await s.seek(20);
  await whole(s);
  const head = await s.page.locator(`${plot} .pl-head`).boundingBox();
  const box = await over(s).boundingBox();
  const from = head.x + head.width / 2;
  const perSecond = (from - box.x) / 20; // the window starts at 0 s
  await s.page.mouse.move(from, box.y + 60);
  await s.page.mouse.down();
  await s.page.mouse.move(from - 5 * perSecond, box.y + 60, { steps: 5 });
  await s.page.mouse.up();
  await s.until((a) => Math.abs(a.clock.t - 15) < 0.5, "15 s");
  await s.page.locator(`${plot} .pl-head`).focus();
  const t = await s.app((a) => a.clock.t);
  await s.page.keyboard.press("Shift+ArrowLeft");
  assert.ok(Math.abs((await s.app((a) => a.clock.t)) - (t - 1)) < 0.03);
});

await test("a box zooms, double click goes back, Shift and drag loops", two, async (s) => {
  await s.runTo(40);
  await choose(s, "Window", "0");
  await s.seek(20);
  await whole(s);
  const box = await over(s).boundingBox();
  const label = () =>
    s.page.evaluate(() => {
      const h = document.querySelector(".cd-is-plot .pl-head").style.transform;
      return Number(/[\d.]+/.exec(h)[0]);
    });
  const before = await label();
  const drag = async (a, b, key) => {
    if (key) await s.page.keyboard.down(key);
    await s.page.mouse.move(box.x + a * box.width, box.y + 0.3 * box.height);
    await s.page.mouse.down();
    await s.page.mouse.move(box.x + b * box.width, box.y + 0.33 * box.height, { steps: 6 });
    await s.page.mouse.up();
    if (key) await s.page.keyboard.up(key);
    await s.frames();
  };
  const at = (t) => ((before / 20) * t) / box.width; // the window starts at 0 s
  await drag(at(8), at(32));
  await settle(s, label, (x) => Math.abs(x / box.width - 0.5) < 0.04, "20 s in the middle");
  await s.seek(22);
  await settle(s, label, (x) => Math.abs(x / box.width - 14 / 24) < 0.03, "22 s right of the middle");
  await s.page.mouse.dblclick(box.x + 0.2 * box.width, box.y + 0.8 * box.height);
  await s.seek(20);
  await settle(s, label, (x) => Math.abs(x - before) < 2, "the whole run again");
  await drag(at(10), at(20), "Shift");
  const loop = await s.app((a) => ({ loop: a.clock.loop, on: a.clock.loopOn }));
  assert.ok(loop.on && Math.abs(loop.loop[0] - 10) < 0.6 && Math.abs(loop.loop[1] - 20) < 0.6, JSON.stringify(loop));
});

await test("any quantity, against time or against another", two, async (s) => {
  await s.runTo(20);
  await s.app((a) => a.select(0, "car3"));
  await choose(s, "Quantity", "v");
  await s.sees(async () => {
    assert.match(await s.page.locator(`${plot} .cd-choice`).innerText(), /Speed/);
    assert.match(await s.page.locator(`${plot} .cd-note`).innerText(), /m\/s/);
  });
  await s.seek(12);
  const v = await s.app((a) => {
    const f = a.frame(0);
    return f.field("v")[f.index(a.world(0).vehicles.find((c) => c.name === "car3").id)];
  });
  await s.until(
    (a, w) =>
      Math.abs(Number(/([\d.]+) m\/s/.exec(document.querySelector(".cd-is-plot .pl-chip").textContent)?.[1]) - w) <
      0.06,
    `${v} m/s`,
    v,
  );
  await choose(s, "Against", "a");
  await s.sees(async () => {
    assert.match(await s.page.locator(`${plot} .cd-note`).innerText(), /against a, m\/s²/);
    const seen = await s.colours(`${plot} canvas`, 40, 10, 240, 180);
    const blue = Object.entries(seen)
      .filter(([k]) => {
        const n = parseInt(k.slice(1), 16);
        return k !== "none" && (n & 255) > 120 && n >> 16 < 120;
      })
      .reduce((p, [, n]) => p + n, 0);
    assert.ok(blue > 60, "no curve");
  });
});

await test("a dropped field is shown and kept", two, async (s) => {
  await s.runTo(5);
  await s.page.evaluate(() => {
    const data = new DataTransfer();
    const card = document.querySelector(".cd-is-plot");
    data.setData("application/x-motorcade-field", "jerk");
    card.dispatchEvent(new DragEvent("dragover", { dataTransfer: data, bubbles: true, cancelable: true }));
    card.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  });
  assert.match(await s.page.locator(`${plot} .cd-choice`).innerText(), /Jerk/);
  assert.equal(await s.app((a) => a.option("cards").find((c) => c.kind === "plot").set.field), "jerk");
});

await test("cards are added, moved by keyboard and mouse, closed, and kept over a reload", two, async (s) => {
  const titles = () =>
    s.page.evaluate(() => [...document.querySelectorAll(".cd-card")].map((c) => /cd-is-(\w+)/.exec(c.className)[1]));
  assert.deepEqual(await titles(), ["meters", "plot", "string"]);
  await s.page.getByRole("button", { name: "Add an instrument" }).click();
  await s.page.getByRole("menuitem", { name: "Figures" }).click();
  assert.deepEqual(await titles(), ["meters", "plot", "string", "figures"]);
  await s.page.locator(".cd-is-figures .cd-head").focus();
  await s.page.keyboard.press("Alt+ArrowLeft");
  await s.page.keyboard.press("Alt+ArrowLeft");
  assert.deepEqual(await titles(), ["meters", "figures", "plot", "string"]);
  await s.page.evaluate(() => {
    document.querySelector(".cd-row").scrollLeft = 0;
  });
  const from = await s.page.locator(".cd-is-meters .cd-title").boundingBox();
  const to = await s.page.locator(".cd-is-plot").boundingBox();
  await s.page.mouse.move(from.x + 5, from.y + 8);
  await s.page.mouse.down();
  await s.page.mouse.move(to.x + 40, from.y + 8, { steps: 12 });
  await s.page.mouse.up();
  await settle(s, titles, (now) => now.indexOf("meters") > 0, "the meters farther right");
  await s.page.locator(".cd-is-figures .cd-more").click();
  await s.page.getByRole("menuitem", { name: "Close" }).click();
  const left = await titles();
  assert.equal(left.length, 3);
  await s.page.reload();
  await s.until((a) => a.connected && a.worlds.length > 0, "the page again");
  await s.sees(async () => assert.deepEqual(await titles(), left));
});

await test(
  "in a low window the row folds to heads and a click opens one card over the scene",
  { ...two, width: 1280, height: 720 },
  async (s) => {
    await s.live(2);
    const row = await s.page.locator(".cd-host").boundingBox();
    assert.ok(row.height < 44, `the row is ${row.height} px high`);
    assert.equal(await s.page.locator(`${plot} .cd-body`).isVisible(), false);
    await s.page.locator(".cd-is-string .cd-title").click();
    await settle(
      s,
      () => s.page.locator(".cd-is-string .cd-body").boundingBox(),
      (body) =>
        body &&
        body.height > 200 &&
        body.y + body.height <= row.y + 1 &&
        body.x >= row.x - 1 &&
        body.x + body.width <= row.x + row.width + 1,
      "the card over the scene",
    );
    await s.page.keyboard.press("Escape");
    await s.page.mouse.click(600, 200);
    await s.page.locator(".cd-is-string .cd-body").waitFor({ state: "hidden" });
  },
);

await test("X shows B minus A", two, async (s) => {
  await s.runTo(12);
  await s.seek(6);
  await s.page.keyboard.press("b");
  await s.until((a) => a.worlds.length === 2, "the branch");
  await s.app((a) => a.change("set", { world: 1, controller: "follow", param: "k3", value: 1.6 }));
  await s.until((a) => a.worlds.length >= 2 && a.shown().every((w) => w.end >= 11.9), "both worlds at 12 s");
  await s.page.locator(".tl-canvas").focus();
  await s.page.keyboard.press("x");
  await s.sees(async () => {
    assert.match(await s.page.locator(`${plot} .cd-choice`).innerText(), /B . A/);
    assert.equal(await s.page.locator(".cd-is-figures").count(), 1);
  });
  const last = await s.app((a) => a.shown()[1].world);
  await s.app((a, w) => a.select(w, "car6"), last);
  await s.seek(9);
  const want = await s.app((a, w) => {
    const e = (n) => {
      const f = a.frame(n);
      const i = f.index(a.world(n).vehicles.find((v) => v.name === "car6").id);
      return f.s[i] - f.x[i];
    };
    return e(w) - e(0);
  }, last);
  await s.until(
    (a, w) => {
      const m = /([\u2212-]?[\d.]+) m$/.exec(document.querySelector(".cd-is-plot .pl-chip").textContent);
      return m && Math.abs(Number(m[1].replace("\u2212", "-")) - w) <= 0.0006 + 0.006 * Math.abs(w);
    },
    `the chip to show ${want} m`,
    want,
  );
});

// What a plot shows of a car at the playhead: the frame's value, and whether its curve is drawn there.
const drawnAt = (a, q) => {
  const p = document.querySelector(".cd-is-plot .cd-body").plot;
  const u = p.u;
  const w = a.world(q.world);
  const f = a.frame(q.world);
  const i = f.index(w.vehicles.find((v) => v.name === q.car).id);
  const value = q.field === "error" ? f.s[i] - f.x[i] : f.field(q.field)[i];
  const canvas = document.querySelector(".cd-is-plot canvas");
  const k = canvas.width / canvas.getBoundingClientRect().width;
  const x = Math.round(u.bbox.left + u.valToPos(a.clock.t, "x") * k);
  const y = Math.round(u.bbox.top + u.valToPos(value, q.scale) * k);
  const g = canvas.getContext("2d");
  let near = 0;
  const d = g.getImageData(x - 6, y - 3, 12, 7).data; // dashes leave gaps of 3
  for (let j = 0; j < d.length; j += 4) if (d[j + 3] > 60 && d[j + 2] - d[j] > 60) near++;
  return { value, near, low: u.scales[q.scale].min, high: u.scales[q.scale].max };
};

await test("two quantities in one plot, each on its own axis", two, async (s) => {
  await s.runTo(30);
  await s.app((a) => a.select(0, "car3"));
  await choose(s, "Cars", "car3");
  await choose(s, "Second", "v");
  assert.match(await s.page.locator(`${plot} .cd-choice`).innerText(), /Spacing error and speed/);
  for (const t of [9, 16.5, 24]) {
    await s.seek(t);
    const v = await s.app((a) => {
      const f = a.frame(0);
      return f.field("v")[f.index(a.world(0).vehicles.find((c) => c.name === "car3").id)];
    });
    await s.until(
      (a, w) =>
        Math.abs(Number(/, ([\d.]+) m\/s/.exec(document.querySelector(".cd-is-plot .pl-chip").textContent)?.[1]) - w) <
        0.06,
      `${v} m/s beside the error`,
      v,
    );
    for (const [field, scale] of [
      ["error", "y"],
      ["v", "y2"],
    ])
      await s.sees(async () => {
        const d = await s.app(drawnAt, { world: 0, car: "car3", field, scale });
        assert.ok(d.near > 2, `${field} = ${d.value} is not drawn at ${t} s: ${JSON.stringify(d)}`);
        assert.ok(d.low < d.value && d.high > d.value && d.high - d.low < 60, JSON.stringify(d));
      });
  }
  await choose(s, "Second", "none");
  assert.equal(
    await s.page
      .locator(`${plot} .cd-choice`)
      .innerText()
      .then((t) => / and /.test(t)),
    false,
  );
});

await test("a value of the car's form dropped on the plot is plotted, beside or below", two, async (s) => {
  await s.runTo(20);
  await s.app((a) => a.select(0, "car3"));
  await s.page.getByRole("tab", { name: "Car", exact: true }).click();
  const pair = s.page.locator(".in-pair.fd-drag").first();
  await pair.scrollIntoViewIfNeeded();
  const name = await pair.evaluate((e) => e.querySelector("span").textContent.replace(/ /g, "_"));
  const card = await s.page.locator(plot).boundingBox();
  await pair.dragTo(s.page.locator(plot), { targetPosition: { x: card.width * 0.8, y: card.height * 0.4 } });
  await s.until(
    (a, name) => a.option("cards").find((c) => c.kind === "plot").set.second === name,
    `${name} as the second quantity`,
    name,
  );
  await s.until(() => {
    const p = document.querySelector(".cd-is-plot .cd-body").plot;
    return p.data.lines.some((l, i) => l.second && p.data.n > 20 && Number.isFinite(p.data.y[i][10]));
  }, "its values");
  await pair.dragTo(s.page.locator(plot), { targetPosition: { x: card.width * 0.5, y: card.height * 0.9 } });
  await s.until(
    (a, name) => document.querySelector(".cd-is-plot .cd-note").textContent.includes("against"),
    "the x axis of it",
    name,
  );
  await pair.dragTo(s.page.locator(plot), { targetPosition: { x: card.width * 0.3, y: card.height * 0.4 } });
  await s.until(
    (a, name) => a.option("cards").find((c) => c.kind === "plot").set.field === name,
    "it as the quantity",
    name,
  );
});

await finish();
