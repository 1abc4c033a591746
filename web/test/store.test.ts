import assert from "node:assert/strict";
import { test } from "node:test";
import { Store } from "../src/core/store.ts";
import { decode } from "../src/wire/frame.ts";
import type { Ask, World } from "../src/wire/protocol.ts";
import { pack } from "./pack.ts";

const frame = (world: number, t: number, flags = 1) =>
  decode(pack({ world, time: t, flags, id: [5], values: { middle: [20 * t], v: [20], target: [20 * t] } }).buffer)[0];
function setUp(over: Partial<World> = {}, hit = NaN) {
  const w = {
    world: 0,
    parent: -1,
    fork: 0,
    start: 0,
    end: 100,
    step: 0.01,
    row: 0.02,
    kind: "run",
    vehicles: [],
    ...over,
  } as World;
  const b = { ...w, world: 1, parent: 0, fork: 40 } as World;
  const asked: { kind: string; args: Ask<"rows"> & Ask<"seek"> }[] = []; // of both, what each has
  const store = new Store({
    world: (n) => [w, b].find((o) => o.world === n),
    list: () => [w],
    fields: () => ["middle", "v", "target"],
    bodies: () => false,
    collided: (_, from, to) => hit > from && hit < to,
    arrived: () => undefined,
    ask: (kind: "rows" | "seek", args: Ask<"rows"> | Ask<"seek">) => {
      asked.push({ kind, args: args as Ask<"rows"> & Ask<"seek"> });
      if ("t" in args)
        return Promise.resolve({
          frames: [frame(args.world, Math.round(args.t * 100) / 100, 2)],
        });
      const n = Math.min(args.most, Math.floor((args.to - args.from) / 0.02 + 1e-6) + 1);
      const step = (args.to - args.from) / Math.max(1, n - 1);
      return Promise.resolve({
        frames: Array.from({ length: n }, (_, i) => frame(args.world, args.from + i * step)),
      });
    },
  });
  return { store, asked, w, b };
}

test("frames stand in order of time however they come", () => {
  const { store } = setUp();
  for (const t of [1, 3, 2, 2, 5, 4]) store.live(frame(0, t));
  assert.deepEqual(
    store.of(0).frames.map((f) => f.time),
    [1, 2, 3, 4, 5],
  );
  assert.equal(store.newest(), 5);
  assert.ok(Math.abs(store.at(0, 2.5, true)!.x[0] - 50) < 1e-3);
  assert.equal(store.at(0, 0, true)!.time, 1);
  assert.equal(store.at(0, 9, true)!.time, 5);
});
test("before its fork a branch is its parent", () => {
  const { store } = setUp();
  for (let t = 30; t < 50; t++) {
    store.live(frame(0, t));
    if (t >= 40) store.live(frame(1, t));
  }
  assert.equal(store.at(1, 35, true)!.world, 0);
  assert.equal(store.at(1, 45, true)!.world, 1);
  const h = store.history(1, 5, "middle", 35, 45);
  assert.equal(h.t[0], 35);
  assert.equal(h.t[h.t.length - 1], 45);
  assert.ok(h.t.every((t, i) => i === 0 || t > h.t[i - 1]));
});
test("while it replays, rows around the playhead are asked for once", async () => {
  const { store, asked } = setUp();
  store.fetch(0, 50, 1, true, false);
  await new Promise((go) => setTimeout(go));
  const first = asked.length;
  assert.ok(first >= 1 && asked.every((q) => q.kind === "rows" && q.args.most <= 2000));
  assert.ok(asked.some((q) => q.args.from <= 50 && q.args.to >= 50));
  store.fetch(1000, 50, 1, true, false);
  assert.equal(asked.length, first, "asked again for the same");
  assert.ok(Math.abs(store.at(0, 50.005, true)!.x[0] - 1000.1) < 1e-2);
});
test("backwards the rows before the playhead are asked for; at 100 x they are thinned", async () => {
  const { store, asked } = setUp({ end: 1e4 });
  store.fetch(0, 5000, -100, true, false);
  await new Promise((go) => setTimeout(go));
  const first = Math.min(...asked.map((q) => q.args.from));
  const span = asked[0].args.to - asked[0].args.from;
  assert.ok(first < 4800, `farthest back ${first}`);
  assert.ok(span > 100 && asked[0].args.most < 200, "as many rows as at 1 x");
});
test("live and playing asks for nothing", () => {
  const { store, asked } = setUp();
  store.fetch(0, 50, 1, true, true);
  assert.equal(asked.length, 0);
});
test("a resting playhead gets the exact state", async () => {
  const { store } = setUp();
  store.live(frame(0, 10));
  store.live(frame(0, 11));
  assert.equal(store.at(0, 10.5, true)!.exact, false);
  await store.ready(10.5);
  assert.equal(store.at(0, 10.5, true)!.exact, true);
  assert.equal(store.at(0, 10.7, true)!.exact, false);
});
test("a picture waits for an exact state that is late, and not for one that is rejected", async () => {
  const w = {
    world: 0,
    parent: -1,
    fork: 0,
    start: 0,
    end: 100,
    step: 0.01,
    row: 0.02,
    vehicles: [],
  } as unknown as World;
  const store = (answer: () => Promise<object>) =>
    new Store({
      world: () => w,
      list: () => [w],
      fields: () => [],
      bodies: () => false,
      collided: () => false,
      arrived: () => undefined,
      ask: (_kind: string, args: object) => answer().then(() => ({ frames: [frame(0, (args as Ask<"seek">).t, 2)] })),
    } as unknown as ConstructorParameters<typeof Store>[0]);
  const late = store(() => new Promise((go) => setTimeout(go, 1200, {})));
  await late.ready(10);
  assert.equal(late.at(0, 10, true)?.exact, true);
  await store(() => Promise.reject(new Error("no"))).ready(10);
});
test("what is simulated again is forgotten", () => {
  const { store } = setUp();
  for (let t = 0; t < 10; t++) store.live(frame(0, t));
  store.cut(0, 4.5);
  assert.equal(store.newest(), 4.5);
  assert.equal(store.at(0, 9, true)!.time, 4);
});
test("old frames go when there are too many, far ones first", () => {
  const { store } = setUp();
  for (let k = 0; k < 14000; k++) store.live(frame(0, k * 0.02));
  const list = store.of(0).frames;
  assert.ok(list.length <= 12000);
  assert.equal(list[list.length - 1].time, 13999 * 0.02);
});
test("where a collision happened the instants between rows are asked for, and shown", async () => {
  const { store, asked } = setUp({ step: 0.02 }, 10.005);
  for (let t = 0; t < 20; t += 0.02) store.live(frame(0, t)); // nothing else is missing
  store.fetch(0, 12, 1 / 50, true, false);
  assert.equal(asked.length, 0);
  store.fetch(1000, 10, 1 / 50, true, false);
  assert.ok(asked.length > 0 && asked.every((q) => q.args.to - q.args.from < 0.2 && q.args.most > 128));
  await Promise.resolve();
  store.fetch(2000, 10, 1 / 50, true, false);
  const once = asked.length;
  store.fetch(3000, 10, 1 / 50, true, false);
  assert.equal(asked.length, once);
  for (const t of [10.005, 10.008]) store.live(frame(0, t, 1 | 32));
  assert.equal(store.at(0, 10.008, true)!.time, 10.008);
  assert.deepEqual(
    [store.instant(0, 10, 1, 0.02), store.instant(0, 10.005, 1, 0.02), store.instant(0, 10.008, 1, 0.02)],
    [10.005, 10.008, null],
  );
  assert.deepEqual([store.instant(0, 10.02, -1, 0.02), store.instant(0, 10.005, -1, 0.02)], [10.008, null]);
});
test("the exact state of a step is not shown where an instant of a collision is nearer", async () => {
  const { store } = setUp({ step: 0.02 });
  for (const t of [10, 10.02]) store.live(frame(0, t));
  store.settle(10.009);
  await new Promise((done) => setTimeout(done));
  store.of(0).exact = frame(0, 10, 2);
  assert.equal(store.at(0, 10.009, true)!.exact, true);
  store.live(frame(0, 10.008, 1 | 32));
  assert.deepEqual([store.at(0, 10.009, true)!.exact, store.at(0, 10.001, true)!.exact], [false, true]);
});
test("a frame with bodies is not replaced by one that was asked for without them", () => {
  const { store } = setUp();
  const bodies = [{ id: 5, centre: [0, 0, 0], axes: [1, 0, 0, 0, 1, 0, 0, 0, 1], rest: [1, 1, 1] }];
  const values = { middle: [1], v: [20], target: [1] };
  store.live(decode(pack({ time: 1, id: [5], values, bodies }).buffer)[0]);
  store.live(frame(0, 1));
  assert.equal(store.at(0, 1, true)!.bodies.length, 1);
  store.live(frame(0, 2, 3)); // exact, but without them
  store.live(decode(pack({ time: 2, flags: 8, id: [5], values, bodies }).buffer)[0]);
  assert.equal(store.at(0, 2, true)!.bodies.length, 1);
});
