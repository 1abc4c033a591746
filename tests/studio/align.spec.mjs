// Recordings beside a run: dropped on the page, moved in time by handle, by number, by event.
import { assert, finish, test, valueOf } from "./studio.mjs";

const two = { scenario: "two_gains.yaml" };
// A drive at 10 Hz that brakes from 3 s to 5 s: its speed tells what instant of it is shown.
const drive = () => {
  const lines = ["t,x,v,a"];
  let x = 0;
  let v = 25;
  for (let k = 0; k <= 120; k++) {
    const t = k / 10;
    const a = t > 2.95 && t < 4.95 ? -2 : 0;
    lines.push([t.toFixed(1), x.toFixed(6), v.toFixed(6), a].join());
    x += 0.1 * v + 0.005 * a;
    v += 0.1 * a;
  }
  return lines.join("\n");
};
const speedOfDrive = (t) => 25 - 2 * Math.min(2, Math.max(0, t - 3));

async function dropBeside(s, name, text) {
  await s.page.evaluate(
    ({ name, text }) => {
      const data = new DataTransfer();
      data.items.add(new File([text], name));
      const send = (type, at) =>
        at.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data }));
      send("dragenter", document.body);
      const beside = document.querySelectorAll(".drop-zone")[1];
      send("dragover", beside);
      send("drop", beside);
    },
    { name, text },
  );
  await s.until(
    (a) => a.worlds.length === 2 && a.worlds[1].kind === "replay",
    "the recording beside the run",
    null,
    15000,
  );
}
const shown = (s) => s.app(valueOf, { world: 1, car: "road_test", field: "v" });
const menuOf = async (s, item) => {
  await s.page.locator(".tl-world").nth(1).click();
  await s.page.getByRole("menu").getByText(item).click();
};
const offset = (a, want) => Math.abs((a.worlds[1].offset ?? 0) - want) < 0.06;
const place = async (s, t) => {
  const box = await s.page.locator(".tl-canvas").boundingBox();
  const k = await s.app(() => {
    const c = document.querySelector(".tl-canvas").tracks;
    return { from: c.from, to: c.to, y: c.tracks[1].y + c.tracks[1].h / 2 };
  });
  return { x: box.x + 150 + ((t - k.from) / (k.to - k.from)) * (box.width - 214), y: box.y + k.y };
};

await test("a dropped drive is aligned by its first brake, by number, and put back", two, async (s) => {
  await s.runTo(30);
  await dropBeside(s, "road_test.csv", drive());
  await s.seek(4);
  await s.sees(async () => assert.ok(Math.abs((await shown(s)) - speedOfDrive(4)) < 0.05));
  await s.until((a) => [1, 0].every((w) => a.events(w).some((e) => e.type === "brake")), "both brakes");
  const [own, other] = await s.app((a) => [1, 0].map((w) => a.events(w).find((e) => e.type === "brake").t));
  assert.ok(Math.abs(own - 3) < 1e-6, `it brakes at ${own} s`);
  await menuOf(s, /Align by first brake/);
  await s.until(offset, "the offset", other - own);
  await s.sees(async () => assert.match(await s.toast(), /s later than recorded/));
  await s.until(
    (a, t) => a.events(1).some((e) => e.type === "brake" && Math.abs(e.t - t) < 1e-3),
    "its brake on that of the run",
    other,
  );
  await s.sees(async () => assert.match(await s.page.locator(".tl-row").nth(1).innerText(), /recording \+\d/));
  for (const after of [-1, 0.5, 1.5, 4]) {
    // around the common brake
    await s.seek(other + after);
    await s.until(
      (a, q) => {
        const f = a.frame(1);
        const i = f?.index(a.world(1).vehicles[0].id) ?? -1;
        return i >= 0 && Math.abs(f.field("v")[i] - q) < 0.06;
      },
      `its speed ${after} s after the brake`,
      speedOfDrive(3 + after),
    );
  }
  await menuOf(s, /^Offset/);
  await s.page.getByRole("textbox", { name: "Offset in time, s" }).fill("-500 ms");
  await s.page.keyboard.press("Enter");
  await s.until(offset, "half a second earlier", -0.5);
  await s.seek(3);
  await s.until(
    (a, q) => {
      const f = a.frame(1);
      const i = f?.index(a.world(1).vehicles[0].id) ?? -1;
      return i >= 0 && Math.abs(f.field("v")[i] - q) < 0.06;
    },
    "the speed of 3.5 s",
    speedOfDrive(3.5),
  );
  await menuOf(s, "Align by time");
  await s.until(offset, "its own times", 0);
});

await test("the handle at the start of a recording moves it along its track", two, async (s) => {
  await s.runTo(30);
  await dropBeside(s, "road_test.csv", drive());
  await s.until(() => document.querySelector(".tl-canvas").tracks.tracks.length === 2, "its track");
  await s.frames();
  const from = await place(s, 0);
  const to = await place(s, 6);
  await s.page.mouse.move(from.x + 4, from.y);
  await s.page.mouse.down();
  await s.page.mouse.move(to.x + 4, to.y, { steps: 8 });
  await s.sees(async () => assert.match(await s.page.locator(".tl-tip").innerText(), /\+[56]\.\d+ s/));
  await s.page.mouse.up();
  await s.until(
    (a) => Math.abs(a.worlds[1].offset - 6) < 0.15 && Math.abs(a.worlds[1].start - a.worlds[1].offset) < 1e-9,
    "6 s later",
  );
  const moved = await s.app((a) => a.worlds[1].offset);
  // The track is drawn where it now is: its colour from 6 s on, nothing before.
  const box = await s.page.locator(".tl-canvas").boundingBox();
  const colours = async (t) => {
    const p = await place(s, t);
    return s.colours(".tl-base", p.x - box.x - 2, p.y - box.y - 3, 4, 6);
  };
  await s.sees(async () => {
    assert.deepEqual(Object.keys(await colours(3)), ["none"]);
    assert.ok(!("none" in (await colours(8))), "no track at 8 s");
  });
  await s.seek(moved + 4);
  await s.until(
    (a, q) => {
      const f = a.frame(1);
      const i = f?.index(a.world(1).vehicles[0].id) ?? -1;
      return i >= 0 && Math.abs(f.field("v")[i] - q) < 0.06;
    },
    "the speed of 4 s",
    speedOfDrive(4),
  );
});

await finish();
