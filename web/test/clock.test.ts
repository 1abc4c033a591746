import assert from "node:assert/strict";
import { test } from "node:test";
import { Playhead } from "../src/core/clock.ts";

function setUp(o: { end?: number; on?: boolean; newest?: number; step?: number } = {}) {
  const s = { end: o.end ?? 100, on: o.on ?? true, newest: o.newest ?? o.end ?? 100, told: 0 };
  const c = new Playhead({
    span: () => [0, s.end],
    newest: () => s.newest,
    canContinue: () => s.on,
    frameStep: () => 0.02,
    simStep: () => o.step ?? 0.01,
    neighbour: () => null,
    changed: () => {
      s.told++;
    },
  });
  c.live = false;
  c.playing = false;
  return { c, s };
}
const run = (c: Playhead, seconds: number) => {
  for (let k = 0; k < Math.round(seconds * 60); k++) c.tick(1 / 60);
};

test("plays at its rate both ways", () => {
  const { c } = setUp();
  c.seek(10);
  c.play(true);
  run(c, 2);
  assert.ok(Math.abs(c.t - 12) < 1e-9);
  c.setRate(-0.5);
  run(c, 2);
  assert.ok(Math.abs(c.t - 11) < 1e-9);
});
test("rates stay between 1/1000 and 100", () => {
  const { c } = setUp();
  c.setRate(1e6);
  assert.equal(c.rate, 100);
  c.setRate(-1e-9);
  assert.equal(c.rate, -0.001);
});
test("at the end it follows live, or stops when nothing is simulated any more", () => {
  const { c, s } = setUp();
  c.seek(99.5);
  c.play(true);
  run(c, 1);
  assert.equal(c.live, true);
  s.on = false;
  c.seek(99.5);
  c.play(true);
  run(c, 1);
  assert.deepEqual([c.live, c.playing, c.t], [false, false, 100]);
});
test("runs to an instant ahead and pauses there", () => {
  const { c, s } = setUp({ end: 10 });
  c.runTo(4); // simulated already
  assert.deepEqual([c.t, c.live, c.until], [4, false, Infinity]);
  c.runTo(12);
  assert.deepEqual([c.live, c.playing, c.until], [true, true, 12]);
  c.liveReaches(11.98);
  assert.equal(c.playing, true);
  c.liveReaches(11.995);
  assert.deepEqual([c.live, c.playing, c.until], [true, false, Infinity]);
  c.runTo(20);
  c.seek(5);
  assert.equal(c.until, Infinity);
  s.on = false; // nothing is simulated any more
  c.runTo(20);
  assert.deepEqual([c.t, c.live], [10, false]);
});
test("live glides behind the newest frame and never before it", () => {
  const { c, s } = setUp({ end: 10 });
  c.live = true;
  c.playing = true;
  for (let k = 0; k < 300; k++) {
    s.newest += 1 / 60 + (k % 3 === 0 ? 0.01 : -0.005);
    s.end = s.newest;
    c.tick(1 / 60);
    assert.ok(c.t <= s.newest + 1e-12);
  }
  assert.ok(s.newest - c.t < 0.08, `${s.newest - c.t} s behind`);
});
test("frame by frame goes to the grid from between", () => {
  const { c } = setUp();
  c.seek(3.013);
  c.step(1);
  assert.ok(Math.abs(c.t - 3.02) < 1e-12);
  c.seek(3.013);
  c.step(-1);
  assert.ok(Math.abs(c.t - 3.0) < 1e-12);
  c.stepSim(1);
  assert.ok(Math.abs(c.t - 3.01) < 1e-12);
  assert.equal(c.playing, false);
});
test("loop, once, ping-pong", () => {
  const { c } = setUp();
  c.setLoop(6, 4);
  assert.deepEqual(c.loop, [4, 6]);
  c.seek(5.9);
  c.play(true);
  run(c, 0.2);
  assert.ok(c.t >= 4 && c.t < 4.2);
  c.pingPong = true;
  c.seek(5.9);
  run(c, 0.2);
  assert.ok(c.rate === -1 && Math.abs(c.t - 5.9) < 0.02);
  run(c, 2);
  assert.equal(c.rate, 1);
  c.pingPong = false;
  c.loopOnce = true;
  c.seek(5.9);
  run(c, 0.5);
  assert.deepEqual([c.playing, c.t], [false, 6]);
});
test("shuttle doubles up to 8 and turns round", () => {
  const { c } = setUp();
  c.seek(50);
  for (const rate of [-1, -2, -4, -8, -8]) {
    c.shuttle(-1);
    assert.equal(c.rate, rate);
  }
  c.shuttle(1);
  assert.equal(c.rate, 1);
  c.shuttle(0);
  assert.equal(c.playing, false);
});
test("an animation step longer than a screen frame is taken whole", () => {
  const { c } = setUp();
  c.animationStep = 0.25;
  c.seek(10);
  c.play(true);
  const seen = new Set<number>();
  for (let k = 0; k < 120; k++) {
    c.tick(1 / 60);
    seen.add(c.t);
  }
  assert.ok(seen.size <= 9 && [...seen].every((t) => Math.abs(t * 4 - Math.round(t * 4)) < 1e-9), [...seen].join());
});
test("live slow motion runs evenly through steps that come one by one", () => {
  const { c, s } = setUp({ end: 10, step: 0.05 });
  c.goLive();
  c.setRate(1 / 50);
  const moved: number[] = [];
  for (let k = 0; k < 1500; k++) {
    if (k % 150 === 0) s.newest = s.end += 0.05; // a step every 2.5 s
    const t = c.t;
    c.tick(1 / 60);
    if (k > 300) moved.push(c.t - t);
  }
  const even = 1 / 50 / 60;
  assert.ok(
    moved.every((d) => d > 0.5 * even && d < 2 * even),
    `moves ${Math.min(...moved)} to ${Math.max(...moved)}`,
  );
  assert.ok(c.t <= s.newest && c.t > s.newest - 0.11);
});
test("paused at the live end it stands where the simulation rests, also without its last frame", () => {
  const { c } = setUp({ end: 6, newest: 5 });
  c.goLive();
  c.play(false);
  c.tick(1 / 60);
  assert.equal(c.t, 5);
  c.liveRests(6);
  c.tick(1 / 60);
  assert.equal(c.t, 6);
});
