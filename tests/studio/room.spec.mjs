// Nothing covers what one works on: messages, help, tags, cards and texts keep out of each other's way.
import { writeFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { assert, finish, test } from "./studio.mjs";
import { scenario } from "./trace.mjs";

const two = { scenario: "two_gains.yaml" };
const overlap = (a, b) =>
  a.x < b.x + b.width - 1 && b.x < a.x + a.width - 1 && a.y < b.y + b.height - 1 && b.y < a.y + a.height - 1;
const box = (s, selector) => s.page.locator(selector).first().boundingBox();

const covered = async (s, selectors) => {
  await s.app((a) => a.toast("A message")); // again: it does not go meanwhile
  const toast = await s.page.locator(".toasts").boundingBox();
  assert.ok(toast.height > 20, "there is no message");
  const out = [];
  for (const selector of selectors)
    for (const e of await s.page.locator(selector).all()) {
      const r = await e.boundingBox();
      if (r && overlap(toast, r)) out.push(`${selector} ${JSON.stringify(r)}`);
    }
  const strips = await s.app((a) => {
    const top = a.scene.canvas.getBoundingClientRect();
    return a.scene.strips.map((p) => ({
      x: top.x,
      y: top.y + p.tagTop,
      width: top.width,
      height: p.bottom - p.tagTop,
    }));
  });
  return [...out, ...strips.filter((r) => overlap(toast, r)).map((r) => `strip ${JSON.stringify(r)}`)];
};

await test("a message covers no car, no curve, no bar, also when a strip is added under it", two, async (s) => {
  const work = [".cd-body", ".tp", ".sc-bar", ".sc-grade", ".aside", ".tl-body"];
  await s.runTo(20);
  await s.seek(10);
  await s.app((a) => a.toast("A message"));
  await s.sees(async () =>
    assert.deepEqual(await covered(s, [...work, ".instruments"]), [], "one strip leaves room in the scene"),
  );
  await s.app((a) => a.change("set", { world: 0, at: 10, controller: "follow", param: "k3", value: 1.6 }));
  await s.until((a) => a.scene.strips.length === 2 && a.scene.strips[1].bottom > 0, "two strips");
  await s.sees(async () => assert.deepEqual(await covered(s, work), []));
});

await test("a press on a message goes to what lies under it, and the message makes way", two, async (s) => {
  await s.runTo(10);
  await s.seek(5);
  await s.app((a) => a.layout.set({ view: "timespace" }));
  await s.app((a) => a.toast("A message of some length, which stands over the instruments"));
  const toast = await s.sees(async () => {
    const at = await box(s, ".toast");
    assert.ok(
      overlap(at, await box(s, ".instruments")),
      "there is no empty band in this view: it stands above the timeline",
    );
    return at;
  });
  await s.page.evaluate(() => {
    window.pressed = [];
    document
      .querySelector(".instruments")
      .addEventListener("pointerdown", (e) => window.pressed.push(e.target.tagName));
  });
  await s.page.mouse.click(toast.x + 40, toast.y + 12);
  assert.equal(await s.page.evaluate(() => window.pressed.length), 1, "the press did not reach the card");
  assert.equal(await s.page.locator(".toast").count(), 0);
  let ran = 0;
  await s.page.exposeFunction("acted", () => void ran++);
  await s.app((a) => a.toast("With an action", { label: "Do it", run: () => window.acted() }));
  await s.page.getByRole("button", { name: "Do it" }).click();
  assert.equal(ran, 1);
});

await test("help stands beside the form, and the first minute beside what it asks for", two, async (s) => {
  await s.runTo(3);
  await s.app((a) => a.select(0, "car5"));
  const field = s.page.locator('.inspector .fo-field[data-param="k2"]').first();
  await field.locator("input").last().focus();
  await s.page.keyboard.press("F1");
  await s.page.locator("#help-card").waitFor();
  const card = await box(s, "#help-card");
  const form = await box(s, "aside.aside");
  assert.ok(!overlap(card, form), `${JSON.stringify(card)} covers the form ${JSON.stringify(form)}`);
  await s.page.keyboard.press("Escape");
  await s.app((a) => a.run("minute"));
  const targets = [
    ".tp-play",
    ".tl-body",
    ".view:not(.hidden)",
    ".aside",
    ".tp-play",
    ".view:not(.hidden)",
    ".tb-find",
  ];
  const seen = new Set();
  for (;;) {
    // A step may be done already (time rests): then the next one comes by itself.
    const now = await s.page.evaluate((list) => {
      const rect = (e) => e.getBoundingClientRect().toJSON();
      const fm = document.querySelector(".fm");
      if (!fm) return null;
      const step = Number(/(\d) of 7/.exec(fm.textContent)[1]);
      return { step, help: rect(fm), target: rect(document.querySelector(list[step - 1])) };
    }, targets);
    if (!now) break;
    if (!seen.has(now.step)) {
      assert.ok(
        !overlap(now.help, now.target),
        `step ${now.step} covers ${targets[now.step - 1]}: ${JSON.stringify(now)}`,
      );
      assert.ok(now.help.left >= 0 && now.help.top >= 0 && now.help.right <= 1440 && now.help.bottom <= 900);
      seen.add(now.step);
      await s.page.evaluate((step) => {
        const fm = document.querySelector(".fm"); // skips this step only: the next one may be there by itself
        if (fm && fm.textContent.includes(`${step} of 7`))
          [...fm.querySelectorAll("button")].find((b) => b.textContent === "Skip")?.click();
      }, now.step);
    }
  }
  assert.ok(seen.size >= 5 && seen.has(2) && seen.has(4), `steps ${[...seen]}`);
});

await test(
  "cars that have collided keep their tags; they stand aside, none on another",
  { scenario: "demo.yaml" },
  async (s) => {
    await s.app((a) => {
      a.clock.setRate(100);
      a.clock.goLive();
    });
    await s.until((a) => a.events(0).some((e) => e.type === "collision"), "the collision", null, 120000);
    await s.app((a) => {
      a.clock.setRate(1);
      a.clock.play(false);
    });
    const t = await s.app((a) => a.events(0).find((e) => e.type === "collision").t);
    await s.app((a) => a.option("stopAtCollision", false));
    await s.runTo(Math.ceil(t + 0.4));
    await s.seek(t + 0.2);
    await s.frames();
    const tags = await s.app((a) => {
      const p = a.scene.strips[0];
      return [...Array(p.visible).keys()]
        .filter((k) => p.cx[k] >= 0 && p.cx[k] <= a.scene.view.width)
        .map((k) => ({ car: p.vehicle(k), at: p.tagAt[k], x: p.cx[k], hit: (p.frame.status[p.index[k]] & 16) > 0 }));
    });
    const hit = tags.filter((t) => t.hit);
    assert.equal(hit.length, 2, JSON.stringify(tags));
    assert.ok(Math.abs(hit[0].x - hit[1].x) < 50, "they are closer than two tags are wide");
    for (const t of tags) assert.ok(t.at === t.at && Math.abs(t.at - t.x) < 200, `${t.car} has no tag near it`);
    const at = tags.map((t) => t.at).sort((p, q) => p - q);
    for (let k = 1; k < at.length; k++) assert.ok(at[k] - at[k - 1] >= 42, `tags at ${at}`);
  },
);

await test("four cards stand whole in the row; of more, whole ones are seen", two, async (s) => {
  await s.runTo(10);
  for (const more of ["figures", "log"]) {
    await s.app((a, kind) => a.run(`card-${kind}`), more);
    await s.page.locator(".cd-row").evaluate((e) => e.scrollTo({ left: 0, behavior: "instant" }));
    const row = await box(s, ".cd-row");
    const cards = await s.page.locator(".cd-card").evaluateAll((list) =>
      list.map((e) => {
        const r = e.getBoundingClientRect();
        return [r.left, r.right];
      }),
    );
    const cut = cards.filter(([a, b]) => a < row.x + row.width - 1.5 && b > row.x + row.width + 1.5);
    assert.deepEqual(cut, [], `cut by the end of the row at ${row.x + row.width}`);
    assert.equal(cards.filter(([, b]) => b <= row.x + row.width + 1.5).length, 4);
  }
});

const folder = mkdtempSync(`${tmpdir()}/motorcade-room-`);
writeFileSync(`${folder}/many.yaml`, scenario(10000));
await test(
  "ten thousand cars in forty platoons: no text on a canvas overprints another",
  { scenario: `${folder}/many.yaml` },
  async (s) => {
    // Every text that the page draws from here on, with the box it takes.
    await s.page.evaluate(() => {
      const kept = (window.texts = new Map());
      const fill = CanvasRenderingContext2D.prototype.fillText;
      const clear = CanvasRenderingContext2D.prototype.clearRect;
      CanvasRenderingContext2D.prototype.clearRect = function (...q) {
        kept.set(this.canvas, []);
        return clear.apply(this, q);
      };
      CanvasRenderingContext2D.prototype.fillText = function (t, x, y) {
        const m = this.measureText(t);
        const k = this.getTransform();
        if (String(t).trim() && Math.abs(k.b) < 1e-9)
          (kept.get(this.canvas) ?? kept.set(this.canvas, []).get(this.canvas)).push({
            t,
            x: k.e / k.a + x - m.actualBoundingBoxLeft,
            y: k.f / k.d + y - m.actualBoundingBoxAscent,
            width: m.actualBoundingBoxLeft + m.actualBoundingBoxRight,
            height: m.actualBoundingBoxAscent + m.actualBoundingBoxDescent,
          });
        return fill.call(this, t, x, y);
      };
    });
    await s.runTo(2);
    await s.app((a) => a.scene.showAll());
    await s.seek(1.5);
    await s.until(() => [...window.texts.values()].flat().length > 40, "texts of the cards");
    const clash = await s.page.evaluate(() => {
      const out = [];
      for (const [canvas, list] of window.texts) {
        if (!canvas.isConnected || canvas.closest(".timeline")) continue; // the playhead's flag covers the ruler
        list.forEach((a, i) => {
          if (a.x < -1 || a.x + a.width > canvas.clientWidth + 1) out.push(`${a.t} runs out of its card`);
          for (const b of list.slice(i + 1))
            if (
              a.x < b.x + b.width - 1 &&
              b.x < a.x + a.width - 1 &&
              a.y < b.y + b.height - 1 &&
              b.y < a.y + a.height - 1
            )
              out.push(`${a.t} on ${b.t} at ${Math.round(a.x)}, ${Math.round(a.y)}`);
        });
      }
      return out;
    });
    assert.deepEqual([...new Set(clash)], []);
  },
);

await finish();
