import assert from "node:assert/strict";
import { test } from "node:test";
import type { Quantity } from "../src/cards/fields.ts";
import { PlotData, type Line } from "../src/cards/plotdata.ts";
import type { App } from "../src/core/app.ts";
import type { Frame } from "../src/wire/frame.ts";
import type { Ask } from "../src/wire/protocol.ts";

// Two worlds whose v is known for every t; frames stand on a grid of 0.02 s up to each world's end.
const value = (world: number, t: number) => Math.sin(0.7 * t) + 3 * world;
const q: Quantity = { name: "v", title: "v", unit: "m/s", symbol: "v", needs: ["v"], of: (f, i) => f.field("v")![i]! };
const onServer: Quantity = { name: "v", title: "v", unit: "m/s", symbol: "v", needs: [] };
const lines: Line[] = [
  { world: 0, name: "car", id: 7, place: 2, platoon: 0, minus: -1 },
  { world: 1, name: "car", id: 7, place: 2, platoon: 0, minus: -1 },
];

function setUp() {
  const worlds = [0, 1].map((world) => ({ world, parent: -1, fork: 0, start: 0, end: 10, step: 0.01, frames: 10 })); // frames: up to when the page has them
  const asked: Ask<"series">[] = [];
  const app = {
    worlds,
    world: (n: number) => worlds[n],
    shown: () => worlds,
    frame: (n: number, t: number) =>
      ({
        time: Math.min(t, worlds[n]!.frames),
        index: () => 0,
        field: () => [value(n, Math.min(t, worlds[n]!.frames))],
      }) as unknown as Frame,
    ask: (_kind: string, a: Ask<"series">) => {
      asked.push(a);
      const t: number[] = [];
      const values: Record<string, (number | null)[]> = {};
      for (let k = 0; k < a.points; k++) t.push(a.from + ((a.to - a.from) * k) / (a.points - 1));
      for (const w of a.worlds)
        values[`${w}/car/v`] = t.map((at) => (at <= worlds[w]!.end + 1e-9 ? value(w, at) : null));
      return Promise.resolve({ t, values });
    },
  };
  return { app: app as unknown as App, worlds, asked };
}
function isRight(d: PlotData, row: number, world: number, to: number): void {
  for (let k = 0; k < d.n && d.x[k]! <= to; k++)
    assert.ok(Math.abs(d.y[row]![k]! - value(world, d.x[k]!)) < 2e-3, `world ${world} at ${d.x[k]}: ${d.y[row]![k]}`);
}

test("what is simulated is appended from frames, nothing is asked for", async () => {
  const { app, worlds, asked } = setUp();
  const d = new PlotData(2000);
  d.take(lines, false);
  assert.equal(await d.load(app, q, null, 0, 10, 0.05), true);
  for (const w of worlds) w.end = w.frames = 11.5;
  assert.equal(d.missing(app, 11.5, q), null);
  assert.equal(d.append(app, 11.5, q, null), true);
  assert.ok(d.x[d.n - 1]! > 11.4);
  isRight(d, 0, 0, 12);
  isRight(d, 1, 1, 12);
  assert.equal(asked.length, 1);
});
test("a column waits for its frame", async () => {
  const { app, worlds } = setUp();
  const d = new PlotData(2000);
  d.take(lines, false);
  await d.load(app, q, null, 0, 10, 0.05);
  for (const w of worlds) w.end = 11;
  worlds[0]!.frames = 11;
  worlds[1]!.frames = 10.4;
  d.append(app, 11, q, null);
  assert.ok(d.x[d.n - 1]! <= 10.4 + 0.01, `${d.x[d.n - 1]}`);
  isRight(d, 1, 1, 11);
});
test("a gap is asked for once, and only it", async () => {
  const { app, worlds, asked } = setUp();
  const d = new PlotData(2000);
  d.take(lines, false);
  await d.load(app, q, null, 0, 10, 0.05);
  for (const w of worlds) w.end = w.frames = 25;
  assert.equal(d.append(app, 25, q, null), false);
  const p = d.missing(app, 25, q)!;
  assert.ok(Math.abs(p.from - 10) < 1e-9 && p.to === 25 && p.worlds.length === 2);
  await d.fetch(app, q, null, p);
  assert.ok(Math.abs(d.x[d.n - 1]! - 25) < 0.06);
  assert.equal(d.missing(app, 25, q), null);
  for (let k = 1; k < d.n; k++) assert.ok(d.x[k]! > d.x[k - 1]!, "columns in order");
  isRight(d, 0, 0, 25);
  isRight(d, 1, 1, 25);
  assert.ok(asked[1].from >= 10 - 1e-9 && asked[1].points <= 15 / 0.05 + 3);
});
test("a branch that was behind is filled into the columns that are there", async () => {
  const { app, worlds, asked } = setUp();
  const d = new PlotData(2000);
  worlds[1]!.end = worlds[1]!.frames = 4;
  d.take(lines, false);
  await d.load(app, q, null, 0, 10, 0.05);
  assert.ok(Number.isNaN(d.y[1]![d.n - 1]!));
  worlds[1]!.end = 7;
  const n = d.n;
  const p = d.missing(app, 10, q)!;
  assert.deepEqual(p, { from: 4, to: 7, worlds: [1] });
  await d.fetch(app, q, null, p);
  assert.equal(d.n, n);
  isRight(d, 1, 1, 7);
  isRight(d, 0, 0, 10);
  assert.equal(d.missing(app, 10, q), null, "nothing new since");
  worlds[1]!.end = 10;
  await d.fetch(app, q, null, d.missing(app, 10, q)!);
  isRight(d, 1, 1, 10);
  assert.equal(asked.length, 3);
});
test("what only the server knows comes in pieces", async () => {
  const { app, worlds, asked } = setUp();
  const d = new PlotData(2000);
  d.take(lines.slice(0, 1), false);
  await d.load(app, onServer, null, 0, 10, 0.05);
  for (let end = 10.6; end < 14; end += 0.6) {
    worlds[0]!.end = end;
    const p = d.missing(app, end, onServer)!;
    assert.ok(p.to - p.from < 0.7);
    await d.fetch(app, onServer, null, p);
  }
  isRight(d, 0, 0, 14);
  assert.ok(asked.slice(1).every((a) => a.to - a.from < 0.7));
});
test("an overtaken piece is thrown away", async () => {
  const { app, worlds } = setUp();
  const d = new PlotData(2000);
  d.take(lines, false);
  await d.load(app, q, null, 0, 10, 0.05);
  worlds[0]!.end = worlds[1]!.end = 20;
  const late = d.fetch(app, q, null, d.missing(app, 20, q)!);
  d.take(lines.slice(0, 1), false);
  assert.equal(await late, false);
  assert.equal(d.n, 0);
});
