import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { crc32, zip } from "../src/base/zip.ts";
import type { Event } from "../src/core/app.ts";
import { mainFile, readLink } from "../src/files/files.ts";
import { isPlatoon } from "../src/files/medusa.ts";
import { score, search, type Found } from "../src/shell/finder.ts";
import { keyName, keyText } from "../src/shell/keys.ts";
import { merge, nextEvent } from "../src/time/marks.ts";
import { rulerStep } from "../src/time/tracks.ts";
import { parseTime } from "../src/time/transport.ts";

const event = (t: number, type: Event["type"] = "brake", log = -1): Event => ({
  t,
  type,
  vehicle: "car1",
  other: "",
  text: "",
  value: null,
  log,
  world: 0,
});

test("marks within 6 px become one with a count, shown as the weightiest", () => {
  const marks = merge([event(1), event(1.3, "collision"), event(1.55), event(3)], (t) => t * 10, 0, 100);
  assert.deepEqual(
    marks.map((m) => [m.count, m.event.type]),
    [
      [3, "collision"],
      [1, "brake"],
    ],
  );
  assert.equal(merge([event(1), event(1.6)], (t) => t * 10, 0, 100).length, 2);
  assert.equal(merge([event(50)], (t) => t * 10, 0, 100).length, 0);
});
test("the next event is the nearest of the chosen kinds, in any world", () => {
  const lists = [[event(1), event(5, "throttle")], [event(3, "collision")]];
  assert.equal(nextEvent(lists, 1, 1, () => true)!.t, 3);
  assert.equal(nextEvent(lists, 1, 1, (k) => k === "throttle")!.t, 5);
  assert.equal(nextEvent(lists, 3, -1, () => true)!.t, 1);
  assert.equal(
    nextEvent(lists, 5, 1, () => true),
    null,
  );
});
test("ruler labels are at least 64 px apart and round", () => {
  for (const span of [1e-3, 0.037, 1, 8.4, 84, 600, 36000]) {
    const [big, small] = rulerStep(span, 1200);
    const px = (big / span) * 1200;
    assert.ok(px >= 63.99 && px < 64 * 2.6, `${span}: ${px}`);
    assert.ok(Math.abs(big / small - Math.round(big / small)) < 1e-9);
  }
});
test("keys have one name each", () => {
  const k = (key: string, more = {}) =>
    keyName({ key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...more });
  assert.equal(k(" "), "Space");
  assert.equal(k("n"), "N");
  assert.equal(k("N", { shiftKey: true }), "Shift+N");
  assert.equal(k("?", { shiftKey: true }), "?");
  assert.equal(k("k", { metaKey: true }), "Ctrl+K");
  assert.equal(k("ArrowLeft", { altKey: true }), "Alt+ArrowLeft");
  assert.equal(k("¡", { altKey: true, code: "Digit1" }), "Alt+1");
  assert.equal(keyText("Shift+ArrowLeft"), "Shift ←");
  assert.equal(keyText("+"), "+");
});
test("typed times", () => {
  assert.deepEqual(["66.3", "1:06.3", "1:00:12", "66300 ms", "66,3 s", "soon", "1:x"].map(parseTime), [
    66.3,
    66.3,
    3612,
    66.3,
    66.3,
    null,
    null,
  ]);
});
test("the finder prefers beginnings of words and whole words", () => {
  assert.equal(score("xyz", "play"), 0);
  assert.ok(score("br", "Branch here") > score("br", "Number"));
  assert.ok(score("bh", "Branch here") > 0);
  const list: Found[] = ["Loop from here", "Play or pause", "Mileage", "k3"].map((title) => ({
    title,
    kind: "Time",
    note: "",
    run: () => undefined,
  }));
  assert.equal(search(list, "loop")[0].title, "Loop from here");
  assert.equal(search(list, "k3")[0].title, "k3");
  assert.equal(search(list, "qqq").length, 0);
  assert.equal(score("layout", "Play or pause, from here out"), 0, "letters scattered over other words");
  assert.ok(score("plfr", "Play forwards") > 0);
});
test("the file to open is the scenario, then results, then data", () => {
  assert.equal(mainFile(["ramps.txt", "a.yaml", "x.h5"]), 1);
  assert.equal(mainFile(["par1", "data1"]), 1);
  const parts = ["model.yaml", "driver.csv", "run.yaml"];
  assert.equal(
    mainFile(parts, (i) => i === 2),
    2,
  );
});
test("a link gives its instant, car and layout back, and nothing when it is broken", () => {
  assert.deepEqual(readLink("#o=%7B%7D&t=5.5&layout=%7B%22view%22%3A%223d%22%7D&car=1%2Fcar%203"), {
    t: 5.5,
    layout: { view: "3d" },
    car: [1, "car 3"],
  });
  assert.deepEqual(readLink("#t=x&layout={"), {});
});
test("the archive is one that others can read", () => {
  assert.equal(crc32(new TextEncoder().encode("123456789")), 0xcbf43926); // the check value of CRC-32
  const folder = mkdtempSync(`${tmpdir()}/motorcade-zip-`);
  try {
    writeFileSync(
      `${folder}/a.zip`,
      zip([
        { name: "one.txt", bytes: new TextEncoder().encode("first") },
        { name: "zwölf.bin", bytes: new Uint8Array(1000).fill(7) },
      ]),
    );
    const r = spawnSync(
      "python3",
      [
        "-c",
        "import zipfile,sys; z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print([(i.filename,i.file_size) for i in z.infolist()], z.read('one.txt'))",
        `${folder}/a.zip`,
      ],
      { encoding: "utf8" },
    );
    if (r.error) return; // no python here; CI has one
    assert.equal(r.stdout.trim(), "[('one.txt', 5), ('zwölf.bin', 1000)] b'first'", r.stderr);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("of dropped files the platoon of MEDUSA is opened, its models go with it", () => {
  const starts = ["% models\nNUMBER_OF_MODELS 1", "% a\n\n% b\nNUMBER_OF_VEHICLES 2"];
  const platoon = (i: number): boolean => isPlatoon(starts[i]!);
  assert.equal(mainFile(["model.dat", "platoon.dat"], undefined, platoon), 1);
  assert.equal(mainFile(["a.dat", "b.dat"]), 0);
  assert.equal(isPlatoon("1 2 3\nNUMBER_OF_VEHICLES 2"), false);
});
