// trace.mjs - what the page costs a frame, by the browser's own trace of its main thread.
//
// A frame goes from one animation frame to the next. Its script time is all that JavaScript did in
// it: animation frames, messages of the socket (decoding), timers, promises, the collection of
// garbage. Nothing in the page is changed or wrapped.

// Powertrain cars in platoons on four lanes, as tests/studio/load.c.
export function scenario(cars) {
  const platoons = cars >= 400 ? 40 : 4;
  const each = Math.floor(cars / platoons);
  const rows = Array.from(
    { length: platoons },
    (_, k) =>
      `  - {lane: ${(k % 4) + 1}, x: ${-Math.floor(k / 4) * each * 45}, v: 20, leader: {model: car, name: l${k}, profile: 20}, cars: [{model: car, name: c${k}_, count: ${each - 1}, controller: follow}]}\n`,
  );
  return (
    "motorcade: scenario\nname: many\ntime: {end: 600, step: 0.01, record: 0.1}\nroad: {lanes: 4, headway: 1.2, distance: 2}\n" +
    "models: {car: {kind: powertrain}}\ncontrollers: {follow: acc}\nplatoons:\n" +
    rows.join("")
  );
}

export const VIEWS = {
  road: async (s) => {
    await s.app((a) => a.layout.set({ view: "road" }));
  },
  all: async (s) => {
    await s.app((a) => {
      a.layout.set({ view: "road" });
      a.scene.showAll();
    });
  },
  "3d": async (s) => {
    // From a car in the middle of a platoon: traffic up to the fog in front of the camera.
    await s.app((a) => {
      const v = a.worlds[0].vehicles;
      const p = v.filter((c) => c.platoon === v[v.length >> 1].platoon);
      a.select(0, p[p.length >> 1].name);
      a.layout.set({ view: "3d" });
    });
    await s.until((a) => Boolean(a.space), "the 3-D view", undefined, 60000);
  },
};

const SCRIPT_NAMES = new Set([
  "v8.callFunction",
  "FunctionCall",
  "FireAnimationFrame",
  "EvaluateScript",
  "EventDispatch",
  "TimerFire",
  "RunMicrotasks",
  "MinorGC",
  "MajorGC",
  "WebSocketReceive",
  "XHRReadyStateChange",
  "FireIdleCallback",
]);
const SCRIPT = (name) => SCRIPT_NAMES.has(name) || name.startsWith("V8.GC");

export async function trace(page, ms, profile = false) {
  const cdp = await page.context().newCDPSession(page);
  const events = [];
  cdp.on("Tracing.dataCollected", (d) => {
    for (const e of d.value) events.push(e);
  });
  if (profile) {
    await cdp.send("Profiler.enable");
    await cdp.send("Profiler.setSamplingInterval", { interval: 200 });
    await cdp.send("Profiler.start");
  }
  await cdp.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: {
      includedCategories: ["devtools.timeline", "toplevel", "v8", "blink.user_timing"],
      excludedCategories: ["*"],
    },
  });
  const drawn = () => page.evaluate("window.motorcade.stage.frames");
  const from = await drawn();
  await page.waitForTimeout(ms);
  for (const end = Date.now() + 120000; (await drawn()) < from + 16 && Date.now() < end;)
    await page.waitForTimeout(250);
  const done = new Promise((go) => cdp.once("Tracing.tracingComplete", go));
  await cdp.send("Tracing.end");
  await done;
  const profiled = profile ? (await cdp.send("Profiler.stop")).profile : null;
  await cdp.detach();
  return { events, profiled };
}

// Outermost events of a kind on one thread, in order: [start, end, cpu] in ms.
function outermost(events, isChosen) {
  const list = events.filter((e) => e.ph === "X" && isChosen(e.name)).sort((a, b) => a.ts - b.ts || b.dur - a.dur);
  const out = [];
  let until = -Infinity;
  for (const e of list) {
    if (e.ts < until) continue;
    until = e.ts + (e.dur ?? 0);
    out.push([e.ts / 1000, until / 1000, (e.tdur ?? 0) / 1000, e]);
  }
  return out;
}

// Per frame: milliseconds of script (wall and processor) and of the whole main thread.
export function framesOf(events) {
  const ticks = events.filter((e) => e.name === "FireAnimationFrame");
  if (!ticks.length) throw new Error("the page drew no frame");
  const per = new Map();
  for (const e of ticks) {
    const k = `${e.pid}/${e.tid}`;
    per.set(k, (per.get(k) ?? 0) + 1);
  }
  const main = [...per.entries()].sort((a, b) => b[1] - a[1])[0][0];
  const mine = events.filter((e) => `${e.pid}/${e.tid}` === main);
  const tasks = outermost(mine, (n) => n === "ThreadControllerImpl::RunTask" || n === "RunTask");
  const before = (list, t, of) => {
    let lo = 0;
    let hi = list.length;
    while (lo < hi) {
      const m = (lo + hi) >> 1;
      if (of(list[m]) <= t) lo = m + 1;
      else hi = m;
    }
    return lo - 1;
  };
  // Callbacks of one animation frame run in one task: they are one frame.
  const seen = new Set();
  const starts = [];
  for (const e of mine.filter((o) => o.name === "FireAnimationFrame").sort((p, q) => p.ts - q.ts)) {
    const task = before(tasks, e.ts / 1000, (o) => o[0]);
    if (!seen.has(task)) {
      seen.add(task);
      starts.push(e.ts / 1000);
    }
  }
  const frames = starts.slice(0, -1).map((t, k) => ({ t, length: starts[k + 1] - t, script: 0, cpu: 0, main: 0 }));
  const frameOf = (t) => frames[before(starts, t, (o) => o)];
  for (const [a, b, cpu] of outermost(mine, SCRIPT)) {
    const f = frameOf(a);
    if (f) {
      f.script += b - a;
      f.cpu += cpu;
    }
  }
  for (const [a, b] of tasks) {
    const f = frameOf(a);
    if (f) f.main += b - a;
  }
  return { frames, mine };
}

// The longest script of one task, ms of processor time, and what it was. Compiling a shader is none: the thread waits for it.
export function longest(mine) {
  let best = { ms: 0, what: "" };
  for (const [, , cpu, e] of outermost(mine, SCRIPT)) if (cpu > best.ms) best = { ms: cpu, what: e.name };
  return best;
}

export const quantile = (list, q) => {
  const s = [...list].sort((a, b) => a - b);
  return s[Math.min(s.length - 1, Math.floor(q * s.length))] ?? NaN;
};

// Lets time run live in a view and looks on: { frames: [{ t, length, script, cpu, main }], mine,
// profiled, realTime }, ms; cpu: script in processor time of the thread, which other programs on the
// machine do not lengthen; main: what else the browser does on that thread is in it too.
export async function watch(s, view, seconds, profile = false) {
  await VIEWS[view](s);
  await s.app((a) => a.clock.goLive());
  await s.page.waitForTimeout(3000); // pictures of glyphs, compiled code
  const now = () => s.app((a) => ({ t: a.clock.end, at: performance.now() / 1000 }));
  const from = await now();
  const { events, profiled } = await trace(s.page, seconds * 1000, profile);
  const to = await now();
  return { ...framesOf(events), profiled, realTime: (to.t - from.t) / (to.at - from.at) };
}
