#!/usr/bin/env node
// load.mjs - what the page costs per frame: the real server, a real browser, 300 and 10,000 cars.
//
//     node tests/studio/load.mjs [CARS ...] [--seconds 10] [--view road|all|3d] [--profile]
//
// For every number of cars and every view (road: the scene as it opens; all: the whole road in
// view; 3d) it lets time run live and reads the browser's trace (trace.mjs). `script` is all that
// JavaScript did in a frame; `cpu` is the same in processor time of the thread, which other programs
// on the machine do not lengthen; `main` adds the browser's other work on that thread: layout,
// painting, compositing.
//
// --profile prints the functions with the most self time and the heaviest frames. The exit code is 1
// if a goal of docs/performance.md is missed. Environment as in studio.mjs: MOTORCADE, PAGE, CHROMIUM.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { closeBrowser, openBrowser, startServer, Studio } from "./studio.mjs";
import { quantile, scenario, VIEWS, watch } from "./trace.mjs";

const words = process.argv.slice(2);
const option = (name, other) => {
  const k = words.indexOf(name);
  return k < 0 ? other : words.splice(k, 2)[1];
};
const flag = (name) => {
  const k = words.indexOf(name);
  if (k >= 0) words.splice(k, 1);
  return k >= 0;
};
const seconds = Number(option("--seconds", 10));
const only = option("--view", "");
const profile = flag("--profile");
const sizes = words.length ? words.map(Number) : [300, 10000];
if (!sizes.every((n) => n >= 8) || !(seconds > 0) || (only && !VIEWS[only])) {
  console.error("load.mjs: usage: load.mjs [CARS ...] [--seconds S] [--view road|all|3d] [--profile]");
  process.exit(2);
}

const three = (list) => [0.5, 0.95, 1].map((q) => quantile(list, q).toFixed(1).padStart(6)).join(" ");

// Time in functions: with all they call, and of their own.
function printProfile(p, frames) {
  const parent = new Map();
  const nodes = new Map(p.nodes.map((n) => [n.id, n]));
  const own = new Map();
  const all = new Map();
  for (const n of p.nodes) for (const c of n.children ?? []) parent.set(c, n.id);
  const nameOf = (n) =>
    `${n.callFrame.functionName || "(anonymous)"} ${n.callFrame.url.split("/").pop()}:${n.callFrame.lineNumber + 1}`;
  const add = (map, key, ms) => map.set(key, (map.get(key) ?? 0) + ms);
  p.samples.forEach((id, k) => {
    const ms = (p.timeDeltas[k] ?? 0) / 1000;
    const seen = new Set();
    add(own, nameOf(nodes.get(id)), ms);
    for (let at = id; at !== undefined; at = parent.get(at)) seen.add(nameOf(nodes.get(at)));
    for (const n of seen) add(all, n, ms);
  });
  const top = (map) => [...map].sort((a, b) => b[1] - a[1]).slice(0, 40);
  const left = top(all);
  const right = top(own);
  const text = ([n, ms] = ["", 0]) => `${(ms / frames).toFixed(3).padStart(8)}  ${n}`;
  console.log("        ms per frame: total time                               self time");
  left.forEach((l, k) => console.log(`      ${text(l).padEnd(54)} ${text(right[k])}`));
}

// The functions in which a frame spent most of its time, by the samples taken in it.
function sampled(p, f) {
  const self = new Map();
  const nodes = new Map(p.nodes.map((n) => [n.id, n]));
  let at = p.startTime;
  p.samples.forEach((id, k) => {
    at += p.timeDeltas[k] ?? 0;
    if (at / 1000 < f.t || at / 1000 >= f.t + f.length) return;
    const name = nodes.get(id).callFrame.functionName || "(anonymous)";
    self.set(name, (self.get(name) ?? 0) + (p.timeDeltas[k] ?? 0) / 1000);
  });
  return `; samples: ${[...self]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 6)
    .map(([n, ms]) => `${n} ${ms.toFixed(1)}`)
    .join(", ")}`;
}

function printHeaviest(frames, mine, p) {
  for (const f of [...frames].sort((a, b) => b.main - a.main).slice(0, 5)) {
    const own = new Map();
    for (const e of mine)
      if (e.ph === "X" && e.ts / 1000 >= f.t && e.ts / 1000 < f.t + f.length && e.dur > 1000)
        own.set(e.name, (own.get(e.name) ?? 0) + e.dur / 1000);
    const inside = p ? sampled(p, f) : "";
    console.log(
      `      frame of ${f.length.toFixed(1)} ms, main ${f.main.toFixed(1)}: ${[...own]
        .sort((a, b) => b[1] - a[1])
        .slice(0, 9)
        .map(([n, ms]) => `${n} ${ms.toFixed(1)}`)
        .join(", ")}${inside}`,
    );
  }
}

// ---- goals, docs/performance.md ----

const GOALS = [
  { cars: 300, view: "road", what: "script, median", max: 8, of: (r) => r.script },
  { cars: 300, view: "all", what: "script, median", max: 8, of: (r) => r.script },
  { cars: 300, view: "3d", what: "script, median", max: 8, of: (r) => r.script },
  { cars: 10000, view: "road", what: "ms per frame, median", max: 1000 / 30, of: (r) => r.frame },
  { cars: 10000, view: "all", what: "ms per frame, median", max: 1000 / 30, of: (r) => r.frame },
  { cars: 10000, view: "3d", what: "script, median", max: 8, of: (r) => r.script },
];

async function measure(s, cars, view) {
  const { frames, mine, profiled, realTime } = await watch(s, view, seconds, profile);
  const span = frames.reduce((n, f) => n + f.length, 0) / 1000;
  console.log(
    `${String(cars).padStart(6)}  ${view.padEnd(5)} ${(frames.length / span).toFixed(1).padStart(5)}  ${three(frames.map((f) => f.length))}  ${three(frames.map((f) => f.script))}  ${three(frames.map((f) => f.cpu))}  ${three(frames.map((f) => f.main))}  ${realTime.toFixed(2).padStart(5)}`,
  );
  if (profiled) {
    printProfile(profiled, frames.length);
    printHeaviest(frames, mine, profiled);
  }
  return {
    cars,
    view,
    frame: quantile(
      frames.map((f) => f.length),
      0.5,
    ),
    script: quantile(
      frames.map((f) => f.script),
      0.5,
    ),
  };
}

const folder = mkdtempSync(`${tmpdir()}/motorcade-load-`);
const results = [];
let missed = 0;
console.log(
  "                      frame, ms           script, ms           cpu, ms              main, ms\n  cars  view    fps    50 %   95 %    max    50 %   95 %    max    50 %   95 %    max    50 %   95 %    max   x real time",
);
try {
  for (const cars of sizes) {
    const file = `${folder}/many.yaml`;
    writeFileSync(file, scenario(cars));
    await openBrowser();
    const server = await startServer({ scenario: file, patience: 300000 });
    try {
      const began = Date.now();
      const s = await Studio.open(server, { patience: 300000 });
      if (profile) console.log(`        opened in ${((Date.now() - began) / 1000).toFixed(1)} s`);
      for (const view of Object.keys(VIEWS)) if (!only || only === view) results.push(await measure(s, cars, view));
      if (s.errors.length) {
        console.log(`        the page reported: ${s.errors.slice(0, 3).join(" | ")}`);
        missed++;
      }
    } finally {
      await server.stop();
      await closeBrowser();
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
  await closeBrowser();
}
for (const g of GOALS)
  for (const r of results) {
    if (r.cars !== g.cars || r.view !== g.view) continue;
    const value = g.of(r);
    if (!(value <= g.max)) missed++;
    console.log(
      `${value <= g.max ? "ok     " : "MISSED "} ${g.cars} cars, ${g.view}: ${g.what} ${value.toFixed(1)}, goal ${g.max.toFixed(1)}`,
    );
  }
process.exitCode = missed ? 1 : 0;
