// timeline.ts - the timeline: transport above, ruler and tracks below. Gestures on it: gestures.ts.
import type { Part } from "../core/app.ts";
import { sentence, type Core } from "../core/core.ts";
import { h, menu, surface } from "../ui/dom.ts";
import { icon } from "../ui/icons.ts";
import type { World } from "../wire/protocol.ts";
import { offsetText } from "./align.ts";
import { Gestures, goTo } from "./gestures.ts";
import { KINDS, nextEvent } from "./marks.ts";
import { MEASURES, Tracks, type Measure } from "./tracks.ts";
import { mountTransport } from "./transport.ts";
import { hiddenMenu, worldsMenu } from "./worldsmenu.ts";

const BASE_MS = 100;
const OVER_MS = 50;

export function mountTimeline(host: HTMLElement, app: Core): Part {
  const transportHost = h("div", { class: "tp", role: "toolbar", "aria-label": "Transport" });
  const body = h("div", { class: "tl-body" });
  host.append(transportHost, body);
  const transport = mountTransport(transportHost, app);
  const base = surface(body, { class: "tl-base", "aria-hidden": "true" });
  const s = surface(body, {
    class: "tl-canvas",
    role: "slider",
    tabindex: 0,
    "aria-label": "Playhead",
    "aria-valuemin": 0,
    "aria-valuemax": 1,
    "aria-valuenow": 0,
    "aria-orientation": "horizontal",
  });
  const gutter = h("div", { class: "tl-gutter" });
  const tip = h("div", { class: "float tl-tip hidden", role: "presentation" });
  body.append(gutter);
  document.body.appendChild(tip);
  const tracks = new Tracks(app);
  Object.assign(s.canvas, { tracks }); // for those who look: tests
  const head = gutterHead(app, tracks);
  const rows = h("div");
  gutter.append(head.element, rows);
  new Gestures(app, tracks, s.canvas, tip);
  timeCommands(app, tracks);

  const layRows = () => {
    tracks.layTracks();
    gutterRows(app, tracks, rows);
    head.show();
    body.style.setProperty("--extra", String(Math.max(0, app.shown().length - 4)));
  };
  app.on("worlds", (d) => {
    tracks.stale(d?.world);
    tracks.regroup = true;
    if (d?.reset) {
      tracks.fit = true;
      tracks.selected = null;
    }
    layRows();
  });
  app.on("world", (d) => {
    tracks.stale(d?.world);
    layRows();
  });
  app.on("events", () => {
    tracks.regroup = true;
  });
  app.on("state", (d) => {
    if (Array.isArray(d?.zoom)) tracks.show(d.zoom[0], d.zoom[1]);
  });
  app.on("theme", () => {
    tracks.readColours();
    layRows();
  });
  app.on("select", layRows);
  const over = { x: NaN, next: 0 }; // where the playhead was drawn, and when its figures are due
  let rowsKey = "";
  let spoken = 0;
  let stale = true;
  let next = 0;
  let from = NaN;
  let to = NaN;
  for (const topic of ["worlds", "world", "events", "theme", "select", "state", "clock", "layout"] as const)
    app.on(topic, () => {
      stale = true;
    });
  const drawBase = (t: number, now: number) => {
    const sized = base.fit();
    tracks.width = s.w;
    tracks.height = s.h;
    // The live end moves all the time: ten times a second are enough for it.
    if (!stale && !sized && now < next) return;
    tracks.follow(t);
    if (!stale && !sized && tracks.from === from && tracks.to === to && !tracks.regroup) {
      next = now + BASE_MS;
      return;
    }
    from = tracks.from;
    to = tracks.to;
    stale = false;
    next = now + BASE_MS;
    over.x = NaN;
    tracks.drawBase(base.c);
    const key = `${s.w}x${s.h}:${tracks.tracks.length}`;
    if (key !== rowsKey) {
      rowsKey = key;
      layRows();
    }
  };
  return {
    draw(t) {
      const now = performance.now();
      transport.draw?.(t);
      if (s.fit()) over.x = NaN;
      if (tracks.from !== from || tracks.to !== to) stale = true; // zoomed or panned by hand
      drawBase(t, now);
      tracks.refresh(now);
      const x = tracks.x(t);
      if (!app.clock.playing || tracks.hover || tracks.moving || !(Math.abs(x - over.x) < 1) || now >= over.next) {
        over.x = x;
        over.next = now + OVER_MS;
        tracks.drawOver(s.c, t);
      }
      if (now < spoken) return;
      spoken = now + 500;
      s.canvas.setAttribute("aria-valuemin", app.clock.start.toFixed(2));
      s.canvas.setAttribute("aria-valuemax", app.clock.end.toFixed(2));
      s.canvas.setAttribute("aria-valuenow", t.toFixed(2));
      s.canvas.setAttribute("aria-valuetext", `${t.toFixed(2)} seconds`);
    },
  };
}

// The left margin ----------------------------------------------------------------------------------
// The measure of the tracks that was chosen; 0.1 called the first one "error".
function measureOf(app: Core): Measure {
  const kept = app.option<Measure>("tl.measure");
  return MEASURES.find((m) => m.measure === kept)?.measure ?? "spacing_error";
}

function gutterHead(app: Core, tracks: Tracks): { element: HTMLElement; show(): void } {
  const kinds = () => app.option<string[]>("tl.off") ?? [];
  tracks.kinds = (k) => !kinds().includes(k);
  tracks.measure = measureOf(app);
  const measure = h("button", {
    class: "tl-pick",
    title: "What fills the tracks",
    "aria-haspopup": "menu",
    onclick: (e: MouseEvent) =>
      menu(
        e.currentTarget as Element,
        MEASURES.map((m) => ({
          label: m.name,
          title: m.doc,
          checked: tracks.measure === m.measure,
          run: () => {
            app.option("tl.measure", m.measure);
          },
        })),
        "What fills the tracks",
      ),
  });
  const events = h(
    "button",
    {
      class: "tl-pick",
      title: "Events: next N, previous Shift N; choose the kinds",
      "aria-haspopup": "menu",
      onclick: (e: MouseEvent) =>
        menu(
          e.currentTarget as Element,
          [
            { label: "Next event", hint: "N", run: () => app.run("event.next") },
            { label: "Previous event", hint: "Shift N", run: () => app.run("event.previous") },
            "-",
            ...KINDS.map((k) => ({
              label: k.name,
              title: k.shape,
              checked: !kinds().includes(k.kind),
              run: () =>
                app.option(
                  "tl.off",
                  kinds().includes(k.kind) ? kinds().filter((o) => o !== k.kind) : [...kinds(), k.kind],
                ),
            })),
          ],
          "Events",
        ),
    },
    "Events",
    icon("down", 12),
  );
  const hidden = h("button", {
    class: "tl-pick hidden",
    onclick: (e: MouseEvent) => hiddenMenu(e.currentTarget as Element, app),
  });
  const show = () => {
    tracks.measure = measureOf(app);
    measure.replaceChildren(MEASURES.find((m) => m.measure === tracks.measure)?.name ?? "Error", icon("down", 12));
    const n = app.worlds.length - app.shown().length;
    hidden.classList.toggle("hidden", n === 0);
    hidden.replaceChildren(icon("eyeoff", 14), String(n));
    hidden.title = `${n} hidden`;
    hidden.setAttribute("aria-label", `${n} hidden worlds`);
  };
  app.on("state", (d) => {
    if (d?.option === "tl.measure" || d?.option === "tl.off") {
      tracks.regroup = true;
      show();
    }
  });
  show();
  return { element: h("div", { class: "tl-head" }, measure, events, hidden), show };
}

// "k3 4 -> 1.6" gives the values of both the parent and the branch.
export function sideNote(w: World, worlds: World[]): string {
  const parse = (o: World) => /^(.*?)\s+(\S+)\s*->\s*(\S+)$/.exec(o.change ?? "");
  if (w.same) return `= ${worlds.find((o) => o.world === w.parent)?.name ?? "Main"}`;
  const own = w.parent >= 0 && w.parent !== w.world ? parse(w) : null;
  if (own) return `${lastWord(own[1])} ${own[3]}`;
  const child = worlds.find((o) => o.parent === w.world && o.world !== w.world && parse(o));
  const m = child && parse(child);
  return m
    ? `${lastWord(m[1])} ${m[2]}`
    : w.kind === "replay"
      ? w.offset
        ? `recording ${offsetText(w.offset)}`
        : "recording"
      : "";
}
const lastWord = (s: string) => s.split(/\s+/).pop() ?? s;

function gutterRows(app: Core, tracks: Tracks, host: HTMLElement): void {
  host.replaceChildren(
    ...tracks.tracks.map(({ world: w, y, h: height }) => {
      const open = (e: MouseEvent) => {
        if (e.altKey) {
          app.worldList.setSolo(w.world);
          app.emit("worlds");
          return;
        }
        worldsMenu(e.currentTarget as Element, app, w);
      };
      return h(
        "div",
        { class: "tl-row", style: `top:${y}px;height:${height}px` },
        h(
          "button",
          {
            class: "tl-world",
            title: `${w.name}${w.change ? `: ${w.change.replace("->", "→")}` : ""} (click: menu, Alt-click: alone)`,
            "aria-haspopup": "menu",
            onclick: open,
          },
          h("span", { class: "badge", style: `background:var(${app.worldList.token(w.world)})` }, app.letter(w.world)),
          h("b", null, w.name),
          h("span", { class: "tl-note" }, sideNote(w, app.worlds)),
        ),
        app.shown().length > 1 &&
          h(
            "button",
            {
              class: "iconbtn tl-eye",
              "aria-label": `Hide ${w.name}`,
              title: "Hide",
              onclick: () => {
                app.worldList.hide(w.world, true);
                app.emit("worlds");
              },
            },
            icon("eye", 14),
          ),
      );
    }),
  );
}

// Commands of time -----------------------------------------------------------------------------------
function timeCommands(app: Core, tracks: Tracks): void {
  const c = app.clock;
  const add = (name: string, title: string, keys: string[], help: string, run: () => void) =>
    app.command({ name, title, keys, help, group: "Time", run });
  add("start", "To the start", ["Home"], "Puts the playhead at the first instant.", () => {
    c.seek(c.start);
  });
  add("live", "To the live end", ["End"], "Follows the simulation again.", () => c.goLive());
  app.command({
    name: "run on",
    title: "Run on: a further minute of every world that has ended",
    help: "Gives the scenario a later end and continues. An entry in the log; it can be undone.",
    group: "Time",
    when: () => app.connected && !app.readOnly && app.worlds.some((w) => w.kind === "run" && w.state === "ended"),
    run: () => void runOn(app),
  });
  add("frame.back", "One frame back", [",", "ArrowLeft"], "The stored frame before this one.", () => c.step(-1));
  add("frame.on", "One frame forward", [".", "ArrowRight"], "The next stored frame.", () => c.step(1));
  add("second.back", "One second back", ["Shift+ArrowLeft"], "A second back.", () => c.seek(c.t - 1));
  add("second.on", "One second forward", ["Shift+ArrowRight"], "A second on.", () => c.seek(c.t + 1));
  add("step.back", "One simulation step back", ["Alt+ArrowLeft"], "Exactly one step of the simulation back.", () =>
    c.stepSim(-1),
  );
  add("step.on", "One simulation step forward", ["Alt+ArrowRight"], "Exactly one step of the simulation forward.", () =>
    c.stepSim(1),
  );
  add("shuttle.back", "Play backwards", ["J"], "Backwards; again: twice as fast, up to 8 ×.", () => c.shuttle(-1));
  add("shuttle.stop", "Stop", ["K"], "Stops time.", () => c.shuttle(0));
  add("shuttle.on", "Play forwards", ["L"], "Forwards; again: twice as fast, up to 8 ×.", () => c.shuttle(1));
  add("slower", "Slower", ["["], "The next lower speed: 5, 2, 1, 1/2 ...", () => c.setRate(stepRate(c.rate, -1)));
  add("faster", "Faster", ["]"], "The next higher speed: 2, 5, 10 ...", () => c.setRate(stepRate(c.rate, 1)));
  add("rate.one", "Speed 1 ×", ["\\"], "Real time.", () => c.setRate(c.rate < 0 ? -1 : 1));
  add("loop.in", "Loop from here", ["I"], "The loop begins at the playhead.", () =>
    c.setLoop(c.t, c.loop && c.loop[1] > c.t ? c.loop[1] : c.end),
  );
  add("loop.out", "Loop to here", ["O"], "The loop ends at the playhead.", () =>
    c.setLoop(c.loop && c.loop[0] < c.t ? c.loop[0] : c.start, c.t),
  );
  add("loop", "Loop on or off", [], "Repeats the interval; the whole run if there is none.", () => {
    if (!c.loop) {
      c.setLoop(c.start, c.end);
      return;
    }
    c.loopOn = !c.loopOn;
    app.emit("clock");
  });
  add("pingpong", "Ping-pong", ["P"], "To the end of the loop and back again.", () => {
    c.pingPong = !c.pingPong;
    app.toast(c.pingPong ? "Ping-pong" : "Loop");
    app.emit("clock");
  });
  add("fit", "Fit the whole run", ["F"], "The timeline shows everything.", () => {
    tracks.fit = true;
    app.emit("clock");
  });
  const jump = (way: 1 | -1) => {
    const e = nextEvent(
      app.shown().map((w) => app.events(w.world)),
      c.t,
      way,
      tracks.kinds,
    );
    if (!e) {
      app.toast(way > 0 ? "No event after this one" : "No event before this one");
      return;
    }
    goTo(app, tracks, e);
  };
  add(
    "event.next",
    "Next event",
    ["N"],
    "To the next brake, command, collision...; the Events menu says which kinds.",
    () => jump(1),
  );
  add("event.previous", "Previous event", ["Shift+N"], "To the previous event.", () => jump(-1));
  app.command({
    name: "branch",
    title: "Branch here",
    keys: ["B"],
    group: "Worlds",
    help: "A second world from this instant with nothing changed; then change it and watch both.",
    when: () => app.connected && !app.readOnly && ["run", "mechanism"].includes(app.current()?.kind ?? ""),
    run: () => {
      const w = app.current();
      if (w?.kind === "mechanism") void branchMechanism(app, w.world, c.t, branchName(app));
      else app.change("branch", { name: branchName(app), at: c.t }).catch(() => undefined);
    },
  });
}
async function branchMechanism(app: Core, world: number, at: number, name: string): Promise<void> {
  try {
    app.attended = (await app.ask("mechanism_change", { world, at, name })).world;
    app.emit("select");
  } catch (e) {
    app.toast(e instanceof Error ? sentence(e.message) : String(e));
  }
}
export function branchName(app: Core): string {
  for (let i = 1; ; i++) {
    const name = i === 1 ? "Branch" : `Branch ${i}`;
    if (!app.worlds.some((w) => w.name === name)) return name;
  }
}
function stepRate(rate: number, way: 1 | -1): number {
  const nice = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];
  const r = Math.abs(rate);
  const to =
    way > 0 ? (nice.find((v) => v > r * 1.001) ?? 100) : ([...nice].reverse().find((v) => v < r / 1.001) ?? 0.001);
  return rate < 0 ? -to : to;
}

// All worlds that ended end a minute after the farthest of them: they share one clock.
async function runOn(app: Core): Promise<void> {
  const list = app.worlds.filter((w) => w.kind === "run" && w.state === "ended");
  const end = Math.max(...list.map((w) => w.limit)) + 60;
  try {
    for (const w of list) await app.ask("end", { world: w.world, end });
    app.clock.goLive();
  } catch (e) {
    app.toast(e instanceof Error ? sentence(e.message) : String(e));
  }
}
