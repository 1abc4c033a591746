// The time-space diagram: one line per car, where the car was.
import { assert, finish, test } from "./studio.mjs";

const two = { scenario: "two_gains.yaml" };
const view = "section[aria-label='Time-space diagram']";
const open = (s) =>
  s.page
    .getByRole("tab", { name: /Time.space/ })
    .or(s.page.getByRole("button", { name: /^Time.space$/ }))
    .first()
    .click();

// Pixel of an instant and a place from the ticks' own numbers: read off by asking the diagram's words.
async function wordsAt(s, x, y) {
  const box = await s.page.locator(`${view} canvas`).boundingBox();
  await s.page.mouse.move(box.x + x, box.y + y);
  return s.page.locator(`${view} canvas`).getAttribute("title");
}

await test.core("the line under the pointer is where that car was", two, async (s) => {
  await s.runTo(30);
  await s.seek(20);
  await open(s);
  await s.frames();
  const box = await s.page.locator(`${view} canvas`).boundingBox();
  const seen = await s.sees(async () => {
    for (let y = 20; y < box.height - 40; y += 3) {
      const w = await wordsAt(s, box.width * 0.4, y);
      if (w) return w;
    }
    return null;
  }, "a line along a column");
  const m = /^A(\d+) at ([\d.]+) s: ([\d.,]+) m$/.exec(seen);
  assert.ok(m, seen);
  const want = await s.app(
    async (a, q) => {
      const name = a.world(0).vehicles.find((v) => v.place === q.place + 1).name;
      const r = await a.ask("series", {
        worlds: [0],
        vehicles: [name],
        fields: ["middle"],
        from: q.t - 0.2,
        to: q.t + 0.2,
        points: 100,
      });
      const x = r.values[`0/${name}/middle`];
      let k = 0;
      while (k + 2 < r.t.length && r.t[k + 1] < q.t) k++;
      return x[k] + ((x[k + 1] - x[k]) * (q.t - r.t[k])) / (r.t[k + 1] - r.t[k]);
    },
    { place: Number(m[1]), t: Number(m[2]) },
  );
  assert.ok(Math.abs(Number(m[3]) - want) < 1.5, `${seen}, but it was at ${want}`);
});

await test("it shows what the page has at once, before the server has answered", two, async (s) => {
  await s.runTo(30);
  await s.seek(20);
  await s.app((a) => {
    const ask = a.ask.bind(a);
    window.held = [];
    a.ask = (kind, args) =>
      kind === "series" ? new Promise((go) => window.held.push(() => go(ask(kind, args)))) : ask(kind, args);
  });
  await open(s);
  const lines = async () => {
    const box = await s.page.locator(`${view} canvas`).boundingBox();
    let n = 0;
    for (let y = 20; y < box.height - 40; y += 6) if (await wordsAt(s, box.width * 0.4, y)) n++;
    return n;
  };
  await s.until(() => window.held.length > 0, "the request");
  await s.sees(async () => assert.ok((await lines()) > 2, "nothing is drawn while the answer is under way"));
  await s.page.evaluate(() => window.held.forEach((go) => go()));
});

await test("a click moves the playhead, wheel zooms, double click shows everything", two, async (s) => {
  await s.runTo(30);
  await s.seek(5);
  await open(s);
  await s.frames();
  const box = await s.page.locator(`${view} canvas`).boundingBox();
  const end = await s.app((a) => a.clock.end);
  const line = () =>
    s.page.evaluate((v) => {
      const e = document.querySelector(`${v} .ts-line`);
      return e.classList.contains("hidden") ? null : Number(/[\d.]+/.exec(e.style.transform)[0]);
    }, view);
  const left = 52;
  const right = box.width - 92;
  const span = Math.max(60, 0);
  const from = Math.max(0, end - span);
  const at = (t) => left + ((t - from) / Math.max(span, end - from)) * (right - left);
  await s.page.mouse.click(box.x + at(Math.min(20, end)), box.y + 8);
  await s.until((a) => a.clock.t > 10, "the playhead to move");
  const t = await s.app((a) => a.clock.t);
  const before = await s.sees(async () => {
    const now = await line();
    assert.ok(Math.abs(now - at(t)) < 3, `the line is at ${now} px, expected ${at(t)}`);
    return now;
  });
  await s.page.mouse.move(box.x + before + 60, box.y + 100);
  await s.page.mouse.wheel(0, -400);
  await s.sees(async () => {
    const zoomed = await line();
    assert.ok(zoomed === null || zoomed < before - 5, `after zooming right of it the line is at ${zoomed}`);
  });
  await s.page.mouse.dblclick(box.x + right - 5, box.y + box.height - 30);
  await s.sees(async () => {
    const t2 = await s.app((a) => a.clock.t);
    assert.ok(Math.abs((await line()) - at(t2)) < 3);
  });
});

await test("lines carry the colours of the scale that is chosen", two, async (s) => {
  await s.runTo(30);
  await open(s);
  const colours = async () => Object.keys(await s.colours(`${view} canvas`, 60, 20, 600, 400)).length;
  await s.sees(async () => assert.ok((await colours()) > 8, "one colour only though coloured by the error"));
  await s.page.locator(`${view} .cd-choice`).click();
  await s.page.getByRole("dialog").getByLabel("Colour by").selectOption("world");
  await s.page.keyboard.press("Escape");
  await s.sees(async () => {
    const counts = await s.colours(`${view} canvas`, 60, 20, 600, 400);
    assert.ok(counts["#0f6cbd"] > 100, "no line in the world's colour");
    assert.match(await s.page.locator(`${view} .cd-note`).innerText(), /position over time$/);
  });
});

await finish();
