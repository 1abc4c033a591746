// Pictures and video of the scene: every frame from the exact state, whatever the machine is doing.
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { assert, finish, test } from "./studio.mjs";

const two = { scenario: "two_gains.yaml" };
const folder = mkdtempSync(`${tmpdir()}/motorcade-film-`);
// Chooses from the Share menu and takes what is saved.
async function share(s, item) {
  await s.page.getByRole("button", { name: "Share", exact: true }).click();
  const [d] = await Promise.all([
    s.page.waitForEvent("download"),
    s.page.getByRole("menuitem", { name: item }).click(),
  ]);
  const path = `${folder}/${Date.now()}-${d.suggestedFilename()}`;
  await d.saveAs(path);
  return { name: d.suggestedFilename(), bytes: readFileSync(path) };
}
// The files of a zip that only stores.
function unzip(b) {
  const out = [];
  for (let p = 0; b.readUInt32LE(p) === 0x04034b50;) {
    const size = b.readUInt32LE(p + 18);
    const name = b.readUInt16LE(p + 26);
    const from = p + 30 + name;
    out.push({ name: b.subarray(p + 30, from).toString(), bytes: b.subarray(from, from + size) });
    p = from + size;
  }
  return out;
}
const still = (s, t) =>
  s.until((a, t) => !a.clock.playing && Math.abs(a.clock.t - t) < 1e-9, "the playhead where it was", t, 60000);

await test("video frames: one each thirtieth of a second, the same bytes every time", two, async (s) => {
  await s.runTo(8);
  await s.seek(6);
  await s.app((a) => a.clock.setLoop(3, 3.5));
  const first = await share(s, "Video frames (PNG, zip)");
  const files = unzip(first.bytes);
  assert.equal(first.name, "two_gains-frames.zip");
  assert.equal(files.length, 16);
  assert.deepEqual([files[0].name, files[15].name], ["two_gains-0000.png", "two_gains-0015.png"]);
  for (let i = 1; i < files.length; i++)
    assert.ok(!files[i].bytes.equals(files[i - 1].bytes), `pictures ${i - 1} and ${i} are the same`);
  await still(s, 6);
  assert.equal(await s.app((a) => a.clock.loopOn), true);
  const again = unzip((await share(s, "Video frames (PNG, zip)")).bytes);
  for (let i = 0; i < files.length; i++)
    assert.ok(again[i].bytes.equals(files[i].bytes), `picture ${i} is another one the second time`);
});

await test("video: length, size and pictures are those of the loop at the clock's speed", two, async (s) => {
  await s.runTo(8);
  await s.page.keyboard.press("b");
  await s.until((a) => a.worlds.length === 2, "the branch");
  await s.app((a) => {
    a.clock.play(false);
    a.clock.setRate(2);
  });
  await s.seek(6);
  await s.app((a) => a.clock.setLoop(2, 5));
  const film = await share(s, "Video (webm)");
  assert.equal(film.name, "two_gains.webm");
  assert.equal(film.bytes.readUInt32BE(0), 0x1a45dfa3);
  await still(s, 6);
  // A picture at the same instant as a frame of the video.
  await s.seek(2 + (20 / 30) * 2);
  const still20 = await share(s, "Picture of the scene (PNG)");
  const size = [still20.bytes.readUInt32BE(16), still20.bytes.readUInt32BE(20)];
  await s.seek(2);
  const still0 = await share(s, "Picture of the scene (PNG)");
  const player = await s.page.context().newPage();
  const seen = await player.evaluate(
    async ({ film, pictures, size }) => {
      const video = document.createElement("video");
      video.muted = true;
      video.src = URL.createObjectURL(
        new Blob([Uint8Array.from(atob(film), (c) => c.charCodeAt(0))], { type: "video/webm" }),
      );
      await new Promise((yes, no) => {
        video.onloadeddata = yes;
        video.onerror = () => no(new Error(video.error.message));
      });
      const canvas = document.createElement("canvas");
      const c = canvas.getContext("2d", { willReadFrequently: true });
      canvas.width = size[0];
      canvas.height = size[1];
      const pixels = (from) => {
        c.drawImage(from, 0, 0, size[0], size[1]);
        return c.getImageData(0, 0, size[0], size[1]).data;
      };
      const stills = [];
      for (const p of pictures) {
        const i = new Image();
        i.src = "data:image/png;base64," + p;
        await i.decode();
        stills.push(pixels(i));
      }
      const far = (p, q) => {
        let sum = 0;
        for (let i = 0; i < p.length; i++) sum += Math.abs(p[i] - q[i]);
        return sum / p.length;
      };
      video.currentTime = 20.5 / 30;
      await new Promise((yes) => {
        video.onseeked = yes;
      });
      // A busy browser may have sought the frame and not decoded it: then it draws nothing, or the one before.
      let mid = null;
      for (const end = Date.now() + 10000; Date.now() < end; await new Promise((yes) => setTimeout(yes, 50))) {
        c.clearRect(0, 0, size[0], size[1]);
        mid = pixels(video);
        if (far(mid, stills[0]) < 1.5) break;
      }
      return {
        duration: video.duration,
        width: video.videoWidth,
        height: video.videoHeight,
        same: far(mid, stills[0]),
        other: far(mid, stills[1]),
      };
    },
    { film: film.bytes.toString("base64"), pictures: [still20, still0].map((f) => f.bytes.toString("base64")), size },
  );
  await player.close();
  assert.ok(Math.abs(seen.duration - 46 / 30) < 0.002, `${seen.duration} s: 3 s at twice the speed, 46 frames`);
  assert.deepEqual([seen.width, seen.height], size);
  assert.ok(
    seen.same < 1.5 && seen.other > 2 * seen.same,
    `frame 20 is ${seen.same} from its picture, ${seen.other} from that of frame 0`,
  );
});

await test("the picture has the names of the worlds and the instant; a film can be stopped", two, async (s) => {
  await s.runTo(12);
  await s.seek(4);
  const head = await s.page.locator(".sc-badge").first().boundingBox();
  const view = await s.page.locator(".view:not(.hidden)").first().boundingBox();
  const blue = await s.page
    .locator(".sc-badge")
    .first()
    .evaluate((e) => getComputedStyle(e).backgroundColor);
  const png = await share(s, "Picture of the scene (PNG)");
  const colour = await s.page.evaluate(
    async ({ png, x, y }) => {
      const i = new Image();
      i.src = "data:image/png;base64," + png;
      await i.decode();
      const c = document.createElement("canvas").getContext("2d");
      c.drawImage(i, -x, -y);
      return [...c.getImageData(0, 0, 1, 1).data];
    },
    {
      png: png.bytes.toString("base64"),
      x: Math.round(head.x - view.x + 4),
      y: Math.round(head.y - view.y + head.height / 2),
    },
  );
  assert.equal(`rgb(${colour.slice(0, 3).join(", ")})`, blue, "the world's letter is not in the picture");
  await s.app((a) => a.clock.setLoop(1, 11));
  await s.page.getByRole("button", { name: "Share", exact: true }).click();
  const saved = s.page.waitForEvent("download");
  await s.page.getByRole("menuitem", { name: "Video frames (PNG, zip)" }).click();
  await s.until(() => document.querySelector(".film progress")?.value > 0.005, "the first pictures", null, 30000);
  await s.page.locator(".film").getByRole("button", { name: "Stop" }).click();
  const d = await saved;
  await d.saveAs(`${folder}/part.zip`);
  const n = unzip(readFileSync(`${folder}/part.zip`)).length;
  assert.ok(n >= 2 && n < 301, `${n} pictures`);
  await s.until(() => document.querySelector(".film") === null, "its box to go");
  await still(s, 4);
});

await test(
  "a picture, video frames and a video of every camera of the 3-D view, each another view",
  { ...two, width: 700, height: 480, args: ["--paused"] },
  async (s) => {
    await s.runTo(3);
    await s.seek(2);
    await s.app((a) => {
      a.select(0, "car2");
      a.layout.set({ view: "3d" });
      a.clock.setLoop(2, 2.04);
    });
    await s.until((a) => a.space && a.space.script > 0, "the 3-D view", undefined, 30000);
    const seen = new Map();
    const films = [];
    for (const camera of ["platoon", "chase", "contact", "driver", "top", "free"]) {
      await s.app((a, c) => a.space.setCamera(c), camera);
      await s.until((a) => !a.space.camera.moving, `the camera ${camera}`, null, 30000);
      const picture = await share(s, "Picture of the scene (PNG)");
      assert.equal(picture.bytes.toString("latin1", 1, 4), "PNG", camera);
      assert.ok(picture.bytes.length > 8000, `${camera}: ${picture.bytes.length} bytes`);
      if (!["contact", "free"].includes(camera))
        // without a contact it is the chase; free begins where the last one was
        for (const [other, bytes] of seen)
          assert.ok(!bytes.equals(picture.bytes), `${camera} shows what ${other} does`);
      seen.set(camera, picture.bytes);
      const files = unzip((await share(s, "Video frames (PNG, zip)")).bytes);
      assert.equal(files.length, 2, camera);
      assert.ok(!files[0].bytes.equals(files[1].bytes), `${camera}: nothing moves`);
      films.push(await share(s, "Video (webm)"));
    }
    // Every video is one that a browser plays: its size, its length, more than one colour.
    const player = await s.page.context().newPage();
    for (const [k, film] of films.entries()) {
      assert.equal(film.bytes.readUInt32BE(0), 0x1a45dfa3);
      const seen = await player.evaluate(async (bytes) => {
        const video = document.createElement("video");
        video.muted = true;
        const blob = new Blob([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))], { type: "video/webm" });
        video.src = URL.createObjectURL(blob);
        await new Promise((yes, no) => {
          video.onloadeddata = yes;
          video.onerror = () => no(new Error(video.error.message));
        });
        const c = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
        let colours = 0;
        video.currentTime = 1.5 / 30;
        // A busy browser may not have decoded it yet.
        for (const end = Date.now() + 20000; colours < 2 && Date.now() < end;) {
          await new Promise((yes) => setTimeout(yes, 50));
          c.drawImage(video, 0, 0, 300, 150);
          colours = new Set(new Uint32Array(c.getImageData(0, 0, 300, 150).data.buffer)).size;
        }
        return { seconds: video.duration, width: video.videoWidth, colours };
      }, film.bytes.toString("base64"));
      assert.ok(Math.abs(seen.seconds - 2 / 30) < 0.005, `${k}: ${seen.seconds} s`);
      assert.ok(seen.width > 300 && seen.colours > 200, `${k}: ${seen.width} px, ${seen.colours} colours`);
    }
    await player.close();
  },
);

await finish();
