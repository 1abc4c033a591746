#!/usr/bin/env node
// load.mjs - what the page costs a frame: the real server, a real browser, 300 and 10,000 cars.
//
//     node tests/studio/load.mjs [CARS ...] [--seconds 10] [--view road|all|3d] [--profile]
//
// For every number of cars and every view (road: the scene as it opens; all: the whole road in
// sight; 3d) it lets time run live and reads the browser's own trace of the page's main thread. A
// frame goes from one animation frame to the next. Its script time is all that JavaScript did in it:
// animation frames, messages of the socket (decoding), timers, promises, the collection of garbage.
// Nothing in the page is changed or wrapped. `cpu` is the same in processor time of the thread, which
// other programs on the machine do not lengthen; `main` adds what the browser does on that thread
// besides: layout, painting, handing over.
//
// --profile prints the functions with most time of their own and the heaviest frames. The end is 1
// if a goal of docs/performance.md is missed. Environment as in studio.mjs: MOTORCADE, PAGE, CHROMIUM.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { closeBrowser, openBrowser, startServer, Studio } from "./studio.mjs";

const words = process.argv.slice(2);
const option = (name, other) => { const k = words.indexOf(name); return k < 0 ? other : words.splice(k, 2)[1]; };
const flag = (name) => { const k = words.indexOf(name); if (k >= 0) words.splice(k, 1); return k >= 0; };
const seconds = Number(option("--seconds", 10)), only = option("--view", ""), profile = flag("--profile");
const sizes = words.length ? words.map(Number) : [300, 10000];
if (!sizes.every((n) => n >= 8) || !(seconds > 0)) { console.error("load.mjs: usage: load.mjs [CARS ...] [--seconds S] [--view road|all|3d] [--profile]"); process.exit(2); }

// Powertrain cars in platoons on four lanes, as tests/studio/load.c.
function scenario(cars) {
  const platoons = cars >= 400 ? 40 : 4, each = Math.floor(cars / platoons);
  const rows = Array.from({ length: platoons }, (_, k) =>
    `  - {lane: ${(k % 4) + 1}, x: ${-Math.floor(k / 4) * each * 45}, v: 20, leader: {model: car, name: l${k}, profile: 20}, cars: [{model: car, name: c${k}_, count: ${each - 1}, controller: follow}]}\n`);
  return "motorcade: scenario\nname: many\ntime: {end: 600, step: 0.01, record: 0.1}\nroad: {lanes: 4, headway: 1.2, distance: 2}\n" +
    "models: {car: {kind: powertrain}}\ncontrollers: {follow: acc}\nplatoons:\n" + rows.join("");
}

const VIEWS = {
  road: async (s) => { await s.app((a) => a.layout.set({ view: "road" })); },
  all: async (s) => { await s.app((a) => { a.layout.set({ view: "road" }); a.scene.showAll(); }); },
  "3d": async (s) => { await s.app((a) => a.layout.set({ view: "3d" })); await s.until((a) => Boolean(a.space), "the 3-D view", undefined, 60000); },
};

// ---- the trace ----

const SCRIPT_NAMES = new Set(["v8.callFunction", "FunctionCall", "FireAnimationFrame", "EvaluateScript", "EventDispatch", "TimerFire", "RunMicrotasks", "MinorGC", "MajorGC", "WebSocketReceive", "XHRReadyStateChange", "FireIdleCallback"]);
const SCRIPT = (name) => SCRIPT_NAMES.has(name) || name.startsWith("V8.GC");

async function trace(page, ms) {
  const cdp = await page.context().newCDPSession(page), events = [];
  cdp.on("Tracing.dataCollected", (d) => { for (const e of d.value) events.push(e); });
  if (profile) { await cdp.send("Profiler.enable"); await cdp.send("Profiler.setSamplingInterval", { interval: 200 }); await cdp.send("Profiler.start"); }
  await cdp.send("Tracing.start", { transferMode: "ReportEvents", traceConfig: { includedCategories: ["devtools.timeline", "toplevel", "v8", "blink.user_timing"], excludedCategories: ["*"] } });
  await page.waitForTimeout(ms);
  const done = new Promise((go) => cdp.once("Tracing.tracingComplete", go));
  await cdp.send("Tracing.end");
  await done;
  const profiled = profile ? (await cdp.send("Profiler.stop")).profile : null;
  await cdp.detach();
  return { events, profiled };
}

// Outermost events of a kind on one thread, in order: [start, end, cpu] in ms.
function outermost(events, wanted) {
  const list = events.filter((e) => e.ph === "X" && wanted(e.name)).sort((a, b) => a.ts - b.ts || b.dur - a.dur), out = [];
  let until = -Infinity;
  for (const e of list) {
    if (e.ts < until) continue;
    until = e.ts + (e.dur ?? 0);
    out.push([e.ts / 1000, until / 1000, (e.tdur ?? 0) / 1000, e]);
  }
  return out;
}

// Per frame: milliseconds of script (wall and processor) and of the whole main thread.
function framesOf(events) {
  const ticks = events.filter((e) => e.name === "FireAnimationFrame");
  if (!ticks.length) throw new Error("the page drew no frame");
  const per = new Map();
  for (const e of ticks) { const k = `${e.pid}/${e.tid}`; per.set(k, (per.get(k) ?? 0) + 1); }
  const main = [...per.entries()].sort((a, b) => b[1] - a[1])[0][0], mine = events.filter((e) => `${e.pid}/${e.tid}` === main);
  const starts = [...new Set(ticks.filter((e) => `${e.pid}/${e.tid}` === main).map((e) => e.ts / 1000))].sort((a, b) => a - b);
  const frames = starts.slice(0, -1).map((t, k) => ({ t, length: starts[k + 1] - t, script: 0, cpu: 0, main: 0, parts: [] }));
  const frameOf = (t) => { let lo = 0, hi = starts.length; while (lo < hi) { const m = (lo + hi) >> 1; if (starts[m] <= t) lo = m + 1; else hi = m; } return frames[lo - 1]; };
  for (const [a, b, cpu, e] of outermost(mine, SCRIPT)) { const f = frameOf(a); if (f) { f.script += b - a; f.cpu += cpu; f.parts.push([e.name, b - a]); } }
  for (const [a, b] of outermost(mine, (n) => n === "ThreadControllerImpl::RunTask" || n === "RunTask")) { const f = frameOf(a); if (f) f.main += b - a; }
  return { frames, mine };
}

const quantile = (list, q) => { const s = [...list].sort((a, b) => a - b); return s[Math.min(s.length - 1, Math.floor(q * s.length))] ?? NaN; };
const three = (list) => [0.5, 0.95, 1].map((q) => quantile(list, q).toFixed(1).padStart(6)).join(" ");

// Time in functions: with all they call, and of their own.
function printProfile(p, frames) {
  const parent = new Map(), nodes = new Map(p.nodes.map((n) => [n.id, n])), own = new Map(), all = new Map();
  for (const n of p.nodes) for (const c of n.children ?? []) parent.set(c, n.id);
  const nameOf = (n) => `${n.callFrame.functionName || "(anonymous)"} ${n.callFrame.url.split("/").pop()}:${n.callFrame.lineNumber + 1}`;
  const add = (map, key, ms) => map.set(key, (map.get(key) ?? 0) + ms);
  p.samples.forEach((id, k) => {
    const ms = (p.timeDeltas[k] ?? 0) / 1000, seen = new Set();
    add(own, nameOf(nodes.get(id)), ms);
    for (let at = id; at !== undefined; at = parent.get(at)) seen.add(nameOf(nodes.get(at)));
    for (const n of seen) add(all, n, ms);
  });
  const top = (map) => [...map].sort((a, b) => b[1] - a[1]).slice(0, 40);
  const left = top(all), right = top(own), text = ([n, ms] = ["", 0]) => `${(ms / frames).toFixed(3).padStart(8)}  ${n}`;
  console.log("        ms a frame: with what they call                        of their own");
  left.forEach((l, k) => console.log(`      ${text(l).padEnd(54)} ${text(right[k])}`));
}

// The functions a frame spent most time in, by the samples taken in it.
function sampled(p, f) {
  const self = new Map(), nodes = new Map(p.nodes.map((n) => [n.id, n]));
  let at = p.startTime;
  p.samples.forEach((id, k) => {
    at += p.timeDeltas[k] ?? 0;
    if (at / 1000 < f.t || at / 1000 >= f.t + f.length) return;
    const name = nodes.get(id).callFrame.functionName || "(anonymous)";
    self.set(name, (self.get(name) ?? 0) + (p.timeDeltas[k] ?? 0) / 1000);
  });
  return `; samples: ${[...self].sort((a, b) => b[1] - a[1]).slice(0, 6).map(([n, ms]) => `${n} ${ms.toFixed(1)}`).join(", ")}`;
}

function printHeaviest(frames, mine, p) {
  for (const f of [...frames].sort((a, b) => b.main - a.main).slice(0, 5)) {
    const own = new Map();
    for (const e of mine) if (e.ph === "X" && e.ts / 1000 >= f.t && e.ts / 1000 < f.t + f.length && e.dur > 1000) own.set(e.name, (own.get(e.name) ?? 0) + e.dur / 1000);
    const inside = p ? sampled(p, f) : "";
    console.log(`      frame of ${f.length.toFixed(1)} ms, main ${f.main.toFixed(1)}: ${[...own].sort((a, b) => b[1] - a[1]).slice(0, 9).map(([n, ms]) => `${n} ${ms.toFixed(1)}`).join(", ")}${inside}`);
  }
}

// ---- goals, docs/performance.md ----

const GOALS = [
  { cars: 300, view: "road", what: "script, median", most: 8, of: (r) => r.script },
  { cars: 300, view: "all", what: "script, median", most: 8, of: (r) => r.script },
  { cars: 300, view: "3d", what: "script, median", most: 8, of: (r) => r.script },
  { cars: 10000, view: "road", what: "ms a frame, median", most: 1000 / 30, of: (r) => r.frame },
  { cars: 10000, view: "all", what: "ms a frame, median", most: 1000 / 30, of: (r) => r.frame },
  { cars: 10000, view: "3d", what: "script, median", most: 8, of: (r) => r.script },
];

async function measure(s, cars, view) {
  await VIEWS[view](s);
  await s.app((a) => a.clock.goLive());
  await s.page.waitForTimeout(3000); // pictures of glyphs, compiled code
  const now = () => s.app((a) => ({ t: a.clock.end, at: performance.now() / 1000 }));
  const from = await now(), { events, profiled } = await trace(s.page, seconds * 1000), to = await now();
  const { frames, mine } = framesOf(events), span = frames.reduce((n, f) => n + f.length, 0) / 1000;
  console.log(`${String(cars).padStart(6)}  ${view.padEnd(5)} ${(frames.length / span).toFixed(1).padStart(5)}  ${three(frames.map((f) => f.length))}  ${three(frames.map((f) => f.script))}  ${three(frames.map((f) => f.cpu))}  ${three(frames.map((f) => f.main))}  ${((to.t - from.t) / (to.at - from.at)).toFixed(2).padStart(5)}`);
  if (profiled) { printProfile(profiled, frames.length); printHeaviest(frames, mine, profiled); }
  return { cars, view, frame: quantile(frames.map((f) => f.length), 0.5), script: quantile(frames.map((f) => f.script), 0.5) };
}

const folder = mkdtempSync(`${tmpdir()}/motorcade-load-`), results = [];
let missed = 0;
console.log("                      frame, ms           script, ms           cpu, ms              main, ms\n  cars  view    fps    50 %   95 %    max    50 %   95 %    max    50 %   95 %    max    50 %   95 %    max   x real time");
try {
  for (const cars of sizes) {
    const file = `${folder}/many.yaml`;
    writeFileSync(file, scenario(cars));
    await openBrowser();
    const server = await startServer({ scenario: file, patience: 300000 });
    try {
      const began = Date.now(), s = await Studio.open(server, { patience: 300000 });
      if (profile) console.log(`        opened in ${((Date.now() - began) / 1000).toFixed(1)} s`);
      for (const view of Object.keys(VIEWS)) if (!only || only === view) results.push(await measure(s, cars, view));
      if (s.errors.length) { console.log(`        the page reported: ${s.errors.slice(0, 3).join(" | ")}`); missed++; }
    } finally { await server.stop(); await closeBrowser(); }
  }
} finally { rmSync(folder, { recursive: true, force: true }); await closeBrowser(); }
for (const g of GOALS) for (const r of results) {
  if (r.cars !== g.cars || r.view !== g.view) continue;
  const value = g.of(r);
  if (!(value <= g.most)) missed++;
  console.log(`${value <= g.most ? "ok     " : "MISSED "} ${g.cars} cars, ${g.view}: ${g.what} ${value.toFixed(1)}, goal ${g.most.toFixed(1)}`);
}
process.exitCode = missed ? 1 : 0;
