// studio.mjs - a real server, a real browser, and words for tests to use the page as a person does.
//
//     import { test, assert } from "./studio.mjs";
//     await test("Space stops time", { scenario: "two_gains.yaml" }, async (s) => {
//       await s.live(2);                                   // the page shows t >= 2 s
//       await s.page.keyboard.press("Space");
//       assert.equal(await s.app((a) => a.clock.playing), false);
//     });
//
// A test fails when the server sends what web/src/wire/protocol.ts does not describe (messages.mjs), or when the page
// reports an error.
//
// Every test has a server of its own on a free port and a fresh browser context. Time rests until the test lets it
// run, by live, runTo or the page itself; with the option playing: true it runs from the start. s.app(f, argument)
// runs f(window.motorcade, argument) in the page: the App object of web/src/core/app.ts.
//
// MOTORCADE: the program (build/motorcade). PAGE: a folder to serve instead of the embedded page.
// SHOTS: a folder for a picture of every failed test. BROWSER: the address of a browser that
// tests/studio/run started for several files; without it a file starts its own. LATE: ms that the server's messages
// may be late, each by another time, to find what depends on when they come.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Conversation } from "./messages.mjs";

export { assert };
export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
export const require = createRequire(`${root}/web/package.json`);
const { chromium } = require("playwright-core");
export const program = process.env.MOTORCADE ?? `${root}/build/motorcade`;
// The headless shell is Chromium without windows and menus: a page opens in a third of the time.
const browserPath =
  process.env.CHROMIUM ??
  ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]
    .map((name) => `/usr/bin/${name}`)
    .find(existsSync);

const browserOptions = {
  executablePath: browserPath,
  args: ["--no-sandbox", "--enable-unsafe-swiftshader", "--disable-dev-shm-usage"],
};

// Times to wait are those of a free machine, times this (SLACK). Only a test that fails waits them out.
const slack = Number(process.env.SLACK ?? 6);

// Before the page's own script: drawn(n, ms) promises n pictures by all parts of the page that are seen, the last of them
// ms from now or later; and messages, which a person reads within 6 s, stay as long as a test on a busy machine may need.
function prepare() {
  window.drawn = (n = 2, ms = 120) =>
    new Promise((done) => {
      const a = window.motorcade;
      const end = performance.now() + ms;
      let to = a.stage.frames + n;
      const look = () => {
        if (performance.now() < end) to = Math.max(to, a.stage.frames + 1);
        if (a.stage.frames >= to) return done(true);
        a.touch();
        requestAnimationFrame(look);
      };
      look();
    });
  const later = window.setTimeout.bind(window);
  window.setTimeout = (f, ms = 0, ...rest) => later(f, ms >= 6000 ? 20 * ms : ms, ...rest);
}

// Messages come in order, each up to ms after it was here.
function delay(ms) {
  let due = 0;
  window.WebSocket = class extends WebSocket {
    set onmessage(take) {
      super.onmessage = (e) => {
        due = Math.max(due, performance.now() + ms * Math.random());
        window.setTimeout(() => take(e), due - performance.now());
      };
    }
  };
}

let browser = null;
export async function openBrowser() {
  return (browser ??= await (process.env.BROWSER
    ? chromium.connect(process.env.BROWSER)
    : chromium.launch(browserOptions)));
}
export const startBrowser = () => chromium.launchServer(browserOptions);
export async function closeBrowser() {
  await browser?.close();
  browser = null;
}
let passed = 0;
let failed = 0;
const only = process.env.ONLY ?? "";

export async function startServer(options = {}) {
  const file = options.scenario
    ? options.scenario.startsWith("/")
      ? options.scenario
      : `${root}/scenarios/${options.scenario}`
    : null;
  const args = [
    ...(options.call ?? ["studio", ...(file ? [file] : [])]),
    "--no-open",
    "--port",
    String(options.port ?? 0),
    ...(options.playing ? [] : ["--paused"]), // else a slow machine opens the page at a later time than a fast one
    ...(process.env.PAGE ? ["--page", process.env.PAGE] : []),
    ...(options.args ?? []),
  ];
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  const address = await new Promise((yes, no) => {
    const patience = slack * (options.patience ?? 15000);
    const timer = setTimeout(
      () => no(new Error(`the server did not start within ${patience / 1000} s: ${text}`)),
      patience,
    );
    const look = (data) => {
      text += data;
      const m = /https?:\/\/\S+/.exec(text);
      if (m) {
        clearTimeout(timer);
        yes(m[0]);
      }
    };
    child.stdout.on("data", look);
    child.stderr.on("data", look);
    child.on("exit", (code) => {
      clearTimeout(timer);
      no(new Error(`the server ended with ${code}: ${text}`));
    });
  });
  return {
    address,
    child,
    output: () => text,
    port: Number(new URL(address).port),
    stop: () =>
      new Promise((done) => {
        if (child.exitCode !== null) {
          done();
          return;
        }
        child.on("exit", done);
        child.kill("SIGTERM");
        setTimeout(() => child.kill("SIGKILL"), 3000).unref();
      }),
  };
}

export const talks = []; // of all pages of the test that runs, one per connection

export class Studio {
  constructor(page, server) {
    this.page = page;
    this.server = server;
    this.errors = [];
    this.dark = false;
  }
  static async open(server, options = {}) {
    const context = await browser.newContext({
      viewport: { width: options.width ?? 1440, height: options.height ?? 900 },
      colorScheme: options.theme ?? "light",
      acceptDownloads: true,
      reducedMotion: "reduce",
      ...(options.context ?? {}),
    });
    const page = await context.newPage();
    const s = new Studio(page, server);
    s.dark = options.theme === "dark";
    page.setDefaultTimeout(slack * 30000);
    page.on("console", (m) => {
      if (m.type() === "error") s.errors.push(m.text());
    });
    page.on("pageerror", (e) => s.errors.push(e.message));
    page.on("websocket", (socket) => {
      const talk = new Conversation();
      talks.push(talk);
      socket.on("framesent", (frame) => talk.sent(frame.payload));
      socket.on("framereceived", (frame) => talk.received(frame.payload));
    });
    await page.addInitScript(prepare);
    if (process.env.LATE) await page.addInitScript(delay, Number(process.env.LATE));
    if (options.hints !== true) await page.addInitScript(() => localStorage.setItem("motorcade.hints", "3"));
    await page.goto(server.address + (options.hash ?? ""));
    await s.until(
      (a) =>
        a.connected && a.worlds.length > 0 && (a.worlds[0].kind === "mechanism" || a.frame(a.worlds[0].world) !== null),
      "the first frame",
      undefined,
      options.patience,
    );
    return s;
  }
  app(f, argument) {
    return this.page.evaluate(`(${f})(window.motorcade, ${JSON.stringify(argument) ?? "undefined"})`);
  }
  // Waits until f(app, argument) is true, or promises it. What it looks at may not be there yet: then it fails and is
  // asked again. (Asked from outside: the page's policy allows no eval.)
  async until(f, what, argument, timeout = 10000) {
    const value = `(${f})(window.motorcade, ${JSON.stringify(argument) ?? "undefined"})`;
    const expression = `(async () => window.motorcade && (await ${value}) ? "" : "it did not happen")().catch(String)`;
    for (const end = Date.now() + slack * timeout; ; await new Promise((go) => setTimeout(go, 40))) {
      const why = await this.page.evaluate(expression);
      if (why === "") return;
      if (Date.now() > end) throw new Error(`waited ${(slack * timeout) / 1000} s for ${what}: ${why}`);
    }
  }
  // Waits until check() fails no assertion and gives nothing false; gives what it gave last. What it reads may be on
  // its way yet.
  async sees(check, what = "", timeout = 10000) {
    for (const end = Date.now() + slack * timeout; ; await new Promise((go) => setTimeout(go, 40))) {
      const late = Date.now() > end;
      try {
        const got = await check();
        if (got !== false && got !== null) return got;
        if (late) throw new Error(`waited ${(slack * timeout) / 1000} s for ${what}: it did not happen`);
      } catch (e) {
        if (late || e?.name !== "AssertionError") throw e;
      }
    }
  }
  // Waits until all parts of the page that are seen have drawn n times from now; numbers are written ten times a second.
  frames(n = 2) {
    return this.app((_, k) => window.drawn(k), n);
  }
  // Where a car is drawn on the canvas of the road of the first world. After an edit it is on no road until the frame
  // of the new version has come.
  async car(name) {
    await this.until((a, n) => a.scene.strips[0].visibleOf(n) >= 0, `${name} on the road`, name);
    return this.app((a, n) => {
      const strip = a.scene.strips[0];
      const k = strip.visibleOf(n);
      const half = 0.5 * strip.roster.length[strip.slot[k]] * a.scene.view.scale;
      return { x: strip.cx[k], y: strip.cy[k], half };
    }, name);
  }
  // Pauses, and waits until the simulation rests, too, and is drawn as it rests.
  async rest() {
    await this.app((a) => a.clock.play(false));
    await this.until(
      (a) =>
        !a.load.running && (!a.clock.live || a.load.live === undefined || Math.abs(a.clock.t - a.load.live) < 1e-9),
      "the simulation to rest",
    );
    await this.frames();
  }
  // Lets time run if it rests, as it does when a page opens.
  async live(t) {
    await this.app((a) => a.clock.playing || a.clock.play(true));
    return this.until((a, to) => a.clock.t >= to, `t = ${t} s`, t, 20000 + 2000 * t);
  }
  // Runs the simulation to t as fast as the page may ask for; time rests there, at the live end. What
  // is beyond t on any machine is beyond it on all. Where t is not on a step, the end is the step next to it.
  async runTo(t) {
    await this.app((a, to) => {
      a.clock.setRate(100);
      if (a.clock.end < to - 1e-6) a.clock.runTo(to);
      else {
        a.clock.goLive();
        a.clock.play(false);
      }
    }, t);
    await this.until(
      (a, to) => a.clock.end > to - Math.max(1e-6, ...a.worlds.map((w) => 0.75 * w.step)) && !a.clock.playing,
      `the simulation at ${t} s`,
      t,
      30000,
    );
    await this.app((a) => {
      a.clock.setRate(1);
      return window.drawn(2, 0);
    });
  }
  async seek(t) {
    await this.app((a, to) => {
      a.clock.play(false);
      a.clock.seek(to);
    }, t);
    await this.until(
      (a, to) =>
        a.shown().every((w) => {
          if (a.over(w.world)) return true;
          const f = a.frame(w.world);
          return (
            f !== null &&
            (w.kind === "replay" || to > w.end || f.exact) &&
            Math.abs(f.time - Math.min(to, w.end)) < 0.51 * Math.max(w.step, 0.001) + 1e-9
          );
        }),
      `frames at ${t} s`,
      t,
    );
    await this.app(() => window.drawn(2, 0));
  }
  // The same of a recording; all rows about t are here then.
  async rows(t) {
    await this.seek(t);
    await this.app(() => window.drawn(2, 250)); // they are asked for ten times a second
    await this.until(
      (a) => a.shown().every((w) => [...a.store.of(w.world).blocks.values()].every((b) => b === "got")),
      `the rows about ${t} s`,
    );
  }
  ask(kind, args = {}) {
    return this.app(
      (a, q) =>
        a.ask(q.kind, q.args).then(
          (r) => ({ ...r, frames: r.frames?.length }),
          (e) => ({ kind: "refused", ...e.answer }),
        ),
      { kind, args },
    );
  }
  toast() {
    return this.page.locator(".toast").last().innerText();
  }
  // axe-core finds nothing wrong in the page, or in the part of it that a selector names. In the dark only colours are
  // looked at: the rest is what it is in the light.
  async accessible(what, part) {
    if (!(await this.page.evaluate("!!window.axe")))
      await this.page.evaluate(readFileSync(require.resolve("axe-core/axe.min.js"), "utf8") + ";0");
    const found = await this.page.evaluate(
      ({ part, dark }) =>
        window.axe
          .run(part ? document.querySelector(part) : document, {
            runOnly: dark
              ? ["color-contrast", "link-in-text-block"]
              : ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
            rules: part ? { region: { enabled: false } } : {},
            resultTypes: ["violations"],
          })
          .then((r) => r.violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 120)).join(" | ")}`)),
      { part, dark: this.dark },
    );
    assert.deepEqual(found, [], `${what}: ${found.join("\n")}`);
  }
  async shot(name) {
    await this.page.screenshot({ path: name });
  }
  // Colours of a canvas inside a box (CSS pixels from its corner): counts of "#rrggbb".
  colours(selector, x, y, w, h) {
    return this.page.evaluate(
      ({ selector, x, y, w, h }) => {
        const canvas = document.querySelector(selector);
        const k = canvas.width / canvas.getBoundingClientRect().width;
        const copy = document.createElement("canvas");
        copy.width = Math.max(1, Math.round(w * k));
        copy.height = Math.max(1, Math.round(h * k));
        const c = copy.getContext("2d");
        c.drawImage(canvas, -Math.round(x * k), -Math.round(y * k));
        const d = c.getImageData(0, 0, copy.width, copy.height).data;
        const counts = {};
        for (let i = 0; i < d.length; i += 4) {
          const key =
            d[i + 3] < 8
              ? "none"
              : "#" + [d[i], d[i + 1], d[i + 2]].map((v) => v.toString(16).padStart(2, "0")).join("");
          counts[key] = (counts[key] ?? 0) + 1;
        }
        return counts;
      },
      { selector, x, y, w, h },
    );
  }
}

// Reads a frame's value of a car: s.app(valueOf, { world, car, field }).
export const valueOf = `(a, q) => { const w = a.world(q.world), f = a.frame(q.world), v = w.vehicles.find((o) => o.name === q.car); const i = f.index(v.id); return f.field(q.field)[i]; }`;

// test.core: the tests that `make test` runs; `make check` runs the rest (TESTS=core or rest, else
// all). A test has one try: what fails and then passes is broken.
export function test(name, options, body) {
  return run(name, options, body, false);
}
test.core = (name, options, body) => run(name, options, body, true);

async function run(name, options, body, core) {
  const which = process.env.TESTS;
  if ((only && !name.includes(only)) || (which === "core" && !core) || (which === "rest" && core)) return;
  const began = Date.now();
  const problem = await tryIt(name, options, body);
  if (problem) failed++;
  else passed++;
  console.log(
    problem
      ? `  FAILED  ${name}\n          ${String(problem?.stack ?? problem)
          .split("\n")
          .slice(0, 6)
          .join("\n          ")}`
      : `  ok      ${name} (${Date.now() - began} ms)`,
  );
}

async function tryIt(name, options, body) {
  let server = null;
  let s = null;
  talks.length = 0;
  try {
    await openBrowser();
    server = await startServer(options);
    s = await Studio.open(server, options);
    await body(s);
    if (options.errors !== true && s.errors.length)
      throw new Error(`the page reported: ${s.errors.slice(0, 3).join(" | ")}`);
    const wrong = talks.flatMap((talk) => talk.wrong);
    if (wrong.length) throw new Error(`not as in protocol.ts: ${wrong.slice(0, 3).join(" | ")}`);
    return null;
  } catch (e) {
    if (s && process.env.SHOTS) {
      mkdirSync(process.env.SHOTS, { recursive: true });
      await s.shot(`${process.env.SHOTS}/${name.replace(/[^a-z0-9]+/gi, "_")}.png`).catch(() => undefined);
    }
    return e;
  } finally {
    await s?.page
      .context()
      .close()
      .catch(() => undefined);
    await server?.stop();
  }
}

// Called by each spec file at its end.
export async function finish() {
  await closeBrowser();
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed ? 1 : 0;
}
