// timeline.ts - the timeline: transport above, ruler and tracks below, and all gestures on them.
//
// Drag scrubs; Shift-drag draws a loop, its handles and bar move it; the wheel zooms at the pointer,
// Shift-wheel, a sideways wheel or dragging the ruler pans; a click on a mark goes there; a command's
// flag or a fork is dragged along its track (the world is simulated again), double-clicked to change
// its value, removed by Del.
import type { Event, Part, World } from "./app.ts";
import { offsetText, shiftRecording } from "./align.ts";
import type { Core } from "./core.ts";
import { h, menu, surface } from "./dom.ts";
import { icon } from "./icons.ts";
import { KINDS, kindName, nextEvent, tooltip, type Kind, type Mark } from "./marks.ts";
import { LEFT, MEASURES, RIGHT, RULER, Tracks, type Measure } from "./tracks.ts";
import { thumb } from "./thumb.ts";
import { mountTransport } from "./transport.ts";
import { fixed, parse, text, unitText } from "./units.ts";
import { ask, askText, hiddenMenu, worldsMenu } from "./worldsmenu.ts";

const BASE_MS = 100, OVER_MS = 50;

type Drag = { kind: "scrub" | "pan" | "loop" | "loop-a" | "loop-b" | "loop-bar" | "move" | "shift"; x: number; t: number; was: [number, number]; moved: boolean; event?: Event; world?: number; playing: boolean };

export function mountTimeline(host: HTMLElement, app: Core): Part {
  const transportHost = h("div", { class: "tp", role: "toolbar", "aria-label": "Transport" });
  const body = h("div", { class: "tl-body" });
  host.append(transportHost, body);
  const transport = mountTransport(transportHost, app);
  const base = surface(body, { class: "tl-base", "aria-hidden": "true" });
  const s = surface(body, { class: "tl-canvas", role: "slider", tabindex: 0, "aria-label": "Playhead", "aria-valuemin": 0, "aria-valuemax": 1, "aria-valuenow": 0, "aria-orientation": "horizontal" });
  const gutter = h("div", { class: "tl-gutter" }), tip = h("div", { class: "float tl-tip hidden", role: "presentation" });
  body.append(gutter);
  document.body.appendChild(tip);
  const tracks = new Tracks(app);
  Object.assign(s.canvas, { tracks }); // for those who look: tests
  const head = gutterHead(app, tracks);
  const rows = h("div");
  gutter.append(head.element, rows);
  new Gestures(app, tracks, s.canvas, tip);
  timeCommands(app, tracks);

  const layRows = () => { tracks.layTracks(); gutterRows(app, tracks, rows); head.show(); body.style.setProperty("--extra", String(Math.max(0, app.shown().length - 4))); };
  app.on("worlds", (d) => { tracks.stale(d?.world); tracks.regroup = true; if (d?.reset) { tracks.fit = true; tracks.selected = null; } layRows(); });
  app.on("world", (d) => { tracks.stale(d?.world); layRows(); });
  app.on("events", () => { tracks.regroup = true; });
  app.on("state", (d) => { if (Array.isArray(d?.zoom)) tracks.show(d.zoom[0], d.zoom[1]); });
  app.on("theme", () => { tracks.readColours(); layRows(); });
  app.on("select", layRows);
  const over = { x: NaN, next: 0 }; // where the playhead was drawn, and when its figures are due
  let rowsKey = "", spoken = 0, stale = true, next = 0, from = NaN, to = NaN;
  for (const topic of ["worlds", "world", "events", "theme", "select", "state", "clock", "layout"] as const) app.on(topic, () => { stale = true; });
  const drawBase = (t: number, now: number) => {
    const sized = base.fit();
    tracks.width = s.w; tracks.height = s.h;
    // The live end moves all the time: ten times a second are enough for it.
    if (!stale && !sized && now < next) return;
    tracks.follow(t);
    if (!stale && !sized && tracks.from === from && tracks.to === to && !tracks.regroup) { next = now + BASE_MS; return; }
    from = tracks.from; to = tracks.to; stale = false; next = now + BASE_MS; over.x = NaN;
    tracks.drawBase(base.c);
    const key = `${s.w}x${s.h}:${tracks.tracks.length}`;
    if (key !== rowsKey) { rowsKey = key; layRows(); }
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
        over.x = x; over.next = now + OVER_MS;
        tracks.drawOver(s.c, t);
      }
      if (now < spoken) return;
      spoken = now + 500;
      s.canvas.setAttribute("aria-valuemin", app.clock.start.toFixed(2)); s.canvas.setAttribute("aria-valuemax", app.clock.end.toFixed(2));
      s.canvas.setAttribute("aria-valuenow", t.toFixed(2)); s.canvas.setAttribute("aria-valuetext", `${t.toFixed(2)} seconds`);
    },
  };
}

// The left margin ----------------------------------------------------------------------------------
function gutterHead(app: Core, tracks: Tracks): { element: HTMLElement; show(): void } {
  const kinds = () => app.option<string[]>("tl.off") ?? [];
  tracks.kinds = (k) => !kinds().includes(k);
  tracks.measure = app.option<Measure>("tl.measure") ?? "error";
  const measure = h("button", { class: "tl-pick", title: "What fills the tracks", "aria-haspopup": "menu", onclick: (e: MouseEvent) => menu(e.currentTarget as Element, MEASURES.map((m) => ({
    label: m.name, title: m.doc, checked: tracks.measure === m.measure, run: () => { app.option("tl.measure", m.measure); },
  })), "What fills the tracks") });
  const events = h("button", { class: "tl-pick", title: "Events: next N, previous Shift N; choose the kinds", "aria-haspopup": "menu", onclick: (e: MouseEvent) => menu(e.currentTarget as Element, [
    { label: "Next event", hint: "N", run: () => app.run("event.next") }, { label: "Previous event", hint: "Shift N", run: () => app.run("event.previous") }, "-",
    ...KINDS.map((k) => ({ label: k.name, title: k.shape, checked: !kinds().includes(k.kind), run: () => app.option("tl.off", kinds().includes(k.kind) ? kinds().filter((o) => o !== k.kind) : [...kinds(), k.kind]) })),
  ], "Events") }, "Events", icon("down", 12));
  const hidden = h("button", { class: "tl-pick hidden", onclick: (e: MouseEvent) => hiddenMenu(e.currentTarget as Element, app) });
  const show = () => {
    tracks.measure = app.option<Measure>("tl.measure") ?? "error";
    measure.replaceChildren(MEASURES.find((m) => m.measure === tracks.measure)?.name ?? "Error", icon("down", 12));
    const n = app.worlds.length - app.shown().length;
    hidden.classList.toggle("hidden", n === 0);
    hidden.replaceChildren(icon("eyeoff", 14), String(n)); hidden.title = `${n} hidden`; hidden.setAttribute("aria-label", `${n} hidden worlds`);
  };
  app.on("state", (d) => { if (d?.option === "tl.measure" || d?.option === "tl.off") { tracks.regroup = true; show(); } });
  show();
  return { element: h("div", { class: "tl-head" }, measure, events, hidden), show };
}

// "k3 4 -> 1.6" tells both what the branch has and what its parent has.
export function sideNote(w: World, worlds: World[]): string {
  const parse = (o: World) => /^(.*?)\s+(\S+)\s*->\s*(\S+)$/.exec(o.change ?? "");
  if (w.same) return `= ${worlds.find((o) => o.world === w.parent)?.name ?? "Main"}`;
  const own = w.parent >= 0 && w.parent !== w.world ? parse(w) : null;
  if (own) return `${lastWord(own[1])} ${own[3]}`;
  const child = worlds.find((o) => o.parent === w.world && o.world !== w.world && parse(o));
  const m = child && parse(child);
  return m ? `${lastWord(m[1])} ${m[2]}` : w.kind === "replay" ? (w.offset ? `recording ${offsetText(w.offset)}` : "recording") : "";
}
const lastWord = (s: string) => s.split(/\s+/).pop() ?? s;

function gutterRows(app: Core, tracks: Tracks, host: HTMLElement): void {
  host.replaceChildren(...tracks.tracks.map(({ world: w, y, h: height }) => {
    const open = (e: MouseEvent) => {
      if (e.altKey) { app.worldList.setSolo(w.world); app.emit("worlds"); return; }
      worldsMenu(e.currentTarget as Element, app, w);
    };
    return h("div", { class: "tl-row", style: `top:${y}px;height:${height}px` },
      h("button", { class: "tl-world", title: `${w.name}${w.change ? `: ${w.change.replace("->", "→")}` : ""} (click: menu, Alt-click: alone)`, "aria-haspopup": "menu", onclick: open },
        h("span", { class: "badge", style: `background:var(${app.worldList.token(w.world)})` }, app.letter(w.world)), h("b", null, w.name), h("span", { class: "tl-note" }, sideNote(w, app.worlds))),
      app.shown().length > 1 && h("button", { class: "iconbtn tl-eye", "aria-label": `Hide ${w.name}`, title: "Hide", onclick: () => { app.worldList.hide(w.world, true); app.emit("worlds"); } }, icon("eye", 14)));
  }));
}

// Commands of time -----------------------------------------------------------------------------------
function timeCommands(app: Core, tracks: Tracks): void {
  const c = app.clock, add = (name: string, title: string, keys: string[], help: string, run: () => void) => app.command({ name, title, keys, help, group: "Time", run });
  add("start", "To the start", ["Home"], "Puts the playhead at the first instant.", () => { c.seek(c.start); });
  add("live", "To the live end", ["End"], "Follows the simulation again.", () => c.goLive());
  add("frame.back", "One frame back", [",", "ArrowLeft"], "The stored frame before this one.", () => c.step(-1));
  add("frame.on", "One frame on", [".", "ArrowRight"], "The next stored frame.", () => c.step(1));
  add("second.back", "One second back", ["Shift+ArrowLeft"], "A second back.", () => c.seek(c.t - 1));
  add("second.on", "One second on", ["Shift+ArrowRight"], "A second on.", () => c.seek(c.t + 1));
  add("step.back", "One simulation step back", ["Alt+ArrowLeft"], "One step of the simulation back, exactly.", () => c.stepSim(-1));
  add("step.on", "One simulation step on", ["Alt+ArrowRight"], "One step of the simulation on, exactly.", () => c.stepSim(1));
  add("shuttle.back", "Play backwards", ["J"], "Backwards; again: twice as fast, up to 8 ×.", () => c.shuttle(-1));
  add("shuttle.stop", "Stop", ["K"], "Stops time.", () => c.shuttle(0));
  add("shuttle.on", "Play forwards", ["L"], "Forwards; again: twice as fast, up to 8 ×.", () => c.shuttle(1));
  add("slower", "Slower", ["["], "The next lower speed: 5, 2, 1, 1/2 ...", () => c.setRate(stepRate(c.rate, -1)));
  add("faster", "Faster", ["]"], "The next higher speed: 2, 5, 10 ...", () => c.setRate(stepRate(c.rate, 1)));
  add("rate.one", "Speed 1 ×", ["\\"], "Real time.", () => c.setRate(c.rate < 0 ? -1 : 1));
  add("loop.in", "Loop from here", ["I"], "The loop begins at the playhead.", () => c.setLoop(c.t, c.loop && c.loop[1] > c.t ? c.loop[1] : c.end));
  add("loop.out", "Loop to here", ["O"], "The loop ends at the playhead.", () => c.setLoop(c.loop && c.loop[0] < c.t ? c.loop[0] : c.start, c.t));
  add("loop", "Loop on or off", [], "Repeats the interval; the whole run if there is none.", () => {
    if (!c.loop) { c.setLoop(c.start, c.end); return; }
    c.loopOn = !c.loopOn;
    app.emit("clock");
  });
  add("pingpong", "Ping-pong", ["P"], "To the end of the loop and back again.", () => { c.pingPong = !c.pingPong; app.toast(c.pingPong ? "Ping-pong" : "Loop"); app.emit("clock"); });
  add("fit", "Fit the whole run", ["F"], "The timeline shows everything.", () => { tracks.fit = true; app.emit("clock"); });
  const jump = (way: 1 | -1) => {
    const e = nextEvent(app.shown().map((w) => app.events(w.world)), c.t, way, tracks.kinds);
    if (!e) { app.toast(way > 0 ? "No event after this one" : "No event before this one"); return; }
    goTo(app, tracks, e);
  };
  add("event.next", "Next event", ["N"], "To the next brake, command, collision...; the Events menu says which kinds.", () => jump(1));
  add("event.previous", "Previous event", ["Shift+N"], "To the event before.", () => jump(-1));
  app.command({ name: "branch", title: "Branch here", keys: ["B"], group: "Worlds", help: "A second world from this instant with nothing changed; then change it and watch both.", when: () => app.connected && !app.readOnly && app.current()?.kind === "run",
    run: () => { app.change("branch", { name: branchName(app), at: c.t }).catch(() => undefined); } });
}
function branchName(app: Core): string {
  for (let i = 1; ; i++) { const name = i === 1 ? "Branch" : `Branch ${i}`; if (!app.worlds.some((w) => w.name === name)) return name; }
}
function stepRate(rate: number, way: 1 | -1): number {
  const nice = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100], r = Math.abs(rate);
  const to = way > 0 ? nice.find((v) => v > r * 1.001) ?? 100 : [...nice].reverse().find((v) => v < r / 1.001) ?? 0.001;
  return rate < 0 ? -to : to;
}
export function goTo(app: Core, tracks: Tracks, e: Event): void {
  app.clock.seek(e.t);
  if (e.t < tracks.from || e.t > tracks.to) { const half = (tracks.to - tracks.from) / 2; tracks.show(e.t - half, e.t + half); }
  tracks.selected = e;
  if (e.vehicle && app.world(e.world)?.vehicles.some((v) => v.name === e.vehicle)) app.select(e.world, e.vehicle);
  app.emit("select", { event: e });
  app.speak(`${kindName(e.type)}, ${e.text || e.vehicle}, ${fixed(e.t, 2)} seconds`);
}

// The one command of a mark that can be moved; null: none, or several.
function movable(m: Mark): Event | null {
  const all = m.events.filter((e) => e.log >= 0);
  return all.length === 1 ? all[0] : null;
}

// Gestures -------------------------------------------------------------------------------------------
class Gestures {
  private drag: Drag | null = null;
  constructor(private readonly app: Core, private readonly k: Tracks, private readonly canvas: HTMLCanvasElement, private readonly tip: HTMLElement) {
    canvas.addEventListener("pointerdown", (e) => this.down(e));
    canvas.addEventListener("pointermove", (e) => this.move(e));
    canvas.addEventListener("pointerup", (e) => this.up(e));
    canvas.addEventListener("pointercancel", () => { this.drag = null; this.k.moving = null; });
    canvas.addEventListener("pointerleave", () => { if (!this.drag) { this.k.hover = null; this.hideTip(); this.app.touch(); } });
    canvas.addEventListener("dblclick", (e) => this.double(e));
    canvas.addEventListener("wheel", (e) => this.wheel(e), { passive: false });
    canvas.addEventListener("keydown", (e) => this.key(e));
    canvas.addEventListener("contextmenu", (e) => this.context(e));
  }
  private at(e: MouseEvent): { x: number; y: number } { const r = this.canvas.getBoundingClientRect(); return { x: e.clientX - r.left, y: e.clientY - r.top }; }
  private markAt(x: number, y: number): { mark: Mark; world: number } | null {
    const track = this.k.trackAt(y);
    if (!track || y > track.y + 20) return null;
    for (const mark of this.k.marks.get(track.world.world) ?? []) if (Math.abs(mark.x - x) <= 8) return { mark, world: track.world.world };
    return null;
  }
  private forkAt(x: number, y: number): World | null {
    for (const { world, y: top, h: height } of this.k.tracks) {
      if (world.parent < 0 || world.parent === world.world) continue;
      const fx = this.k.x(world.fork), parent = this.k.tracks.find((o) => o.world.world === world.parent);
      if (Math.abs(fx - x) <= 6 && y > (parent ? parent.y + parent.h - 6 : top) && y < top + height) return world;
    }
    return null;
  }
  // The handle at the start of a recording.
  private gripAt(x: number, y: number): World | null {
    const k = this.k.trackAt(y);
    return k && k.world.kind === "replay" && this.k.grips() && x - this.k.x(k.world.start) > -4 && x - this.k.x(k.world.start) < 14 ? k.world : null;
  }
  private pick(x: number, y: number, e: PointerEvent): Pick<Drag, "kind" | "event" | "world"> {
    const loop = this.app.clock.loop;
    if (e.shiftKey) return { kind: "loop" };
    if (e.button === 1) return { kind: "pan" };
    if (loop && y > RULER - 10 && y < RULER + 6) {
      if (Math.abs(x - this.k.x(loop[0])) < 7) return { kind: "loop-a" };
      if (Math.abs(x - this.k.x(loop[1])) < 7) return { kind: "loop-b" };
      if (x > this.k.x(loop[0]) && x < this.k.x(loop[1]) && y > RULER - 6 && y < RULER + 2) return { kind: "loop-bar" };
    }
    const m = this.markAt(x, y);
    const command = m && movable(m.mark);
    if (m && command && this.may()) return { kind: "move", event: command, world: m.world };
    const grip = m ? null : this.gripAt(x, y);
    if (grip && this.may()) return { kind: "shift", world: grip.world };
    const fork = m ? null : this.forkAt(x, y);
    if (fork && this.may()) return { kind: "move", world: fork.world };
    if (y < RULER - 4 && !this.k.fit && Math.abs(x - this.k.x(this.app.clock.t)) > 24) return { kind: "pan" };
    return { kind: "scrub" };
  }
  private may(): boolean { return this.app.connected && !this.app.readOnly; }

  private down(e: PointerEvent): void {
    const { x, y } = this.at(e);
    if (e.button === 2 || x < LEFT - 12 || x > this.k.width - RIGHT + 40) return;
    this.canvas.setPointerCapture(e.pointerId);
    const c = this.app.clock, hit = this.markAt(x, y);
    this.drag = { ...this.pick(x, y, e), x, t: this.k.t(x), was: c.loop ? [...c.loop] : [0, 0], moved: false, playing: c.playing };
    if (this.drag.kind === "scrub") {
      if (hit) { this.drag.event = hit.mark.event; return; } // a click on a mark goes there; a drag scrubs
      if (c.playing) c.play(false);
      c.seek(this.k.t(x));
    }
  }
  private move(e: PointerEvent): void {
    const { x, y } = this.at(e), d = this.drag;
    if (!d) { this.hoverAt(x, y, e); return; }
    if (Math.abs(x - d.x) > 3) d.moved = true;
    const c = this.app.clock, t = this.bounded(this.k.t(x));
    if (d.kind === "scrub" && (d.moved || !d.event)) { if (c.playing) c.play(false); c.seek(t); this.k.hover = null; this.showTime(e, t); }
    else if (d.kind === "pan") { this.k.pan(d.t - this.k.t(x)); this.app.touch(); }
    else if (d.kind === "loop" && d.moved) c.setLoop(d.t, t);
    else if (d.kind === "loop-a") c.setLoop(Math.min(t, d.was[1] - 1e-3), d.was[1]);
    else if (d.kind === "loop-b") c.setLoop(d.was[0], Math.max(t, d.was[0] + 1e-3));
    else if (d.kind === "loop-bar" && d.moved) { const by = this.k.t(x) - d.t; c.setLoop(d.was[0] + by, d.was[1] + by); }
    else if (d.kind === "shift" && d.moved) { const w = this.app.world(d.world!)!, by = this.k.t(x) - d.t; this.k.moving = { world: d.world!, t: w.start + by, end: w.end + by }; this.showLines(e, [offsetText((w.offset ?? 0) + by), `${w.name} moves in time`]); this.app.touch(); }
    else if (d.kind === "move" && d.moved) { this.k.moving = { world: d.world!, t }; this.showTime(e, t); this.app.touch(); }
  }
  private up(e: PointerEvent): void {
    const d = this.drag, { x } = this.at(e);
    this.drag = null;
    this.hideTip();
    if (!d) return;
    if (d.kind === "scrub" && d.event && !d.moved) goTo(this.app, this.k, d.event);
    else if (d.kind === "pan" && !d.moved) this.app.clock.seek(this.k.t(x));
    else if (d.kind === "shift") {
      this.k.moving = null;
      const w = this.app.world(d.world!);
      if (d.moved && w) shiftRecording(this.app, w, (w.offset ?? 0) + this.k.t(x) - d.t);
    } else if (d.kind === "move") {
      this.k.moving = null;
      if (d.moved) void this.moveEntry(d.world!, d.event, this.bounded(this.k.t(x)));
      else if (d.event) goTo(this.app, this.k, d.event);
      else this.app.clock.seek(this.app.world(d.world!)!.fork);
    }
  }
  private bounded(t: number): number { return Math.min(this.app.clock.end, Math.max(this.app.clock.start, t)); }

  // A command's entry, or the one that made the fork, at another instant.
  private async moveEntry(world: number, event: Event | undefined, t: number): Promise<void> {
    let index = event?.log ?? -1;
    if (!event) {
      const fork = this.app.world(world)?.fork ?? 0;
      const log = (await ask(this.app, "log", { world })) as { entries?: { index: number; t: number }[] } | undefined;
      index = (log?.entries ?? []).find((o) => Math.abs(o.t - fork) < 0.5 * (this.app.world(world)?.step ?? 0.01) + 1e-6)?.index ?? -1;
      if (index < 0) { this.app.toast("Nothing was changed at this fork, so there is nothing to move"); return; }
    }
    const done = await ask(this.app, "log_move", { world, index, t });
    if (done) { this.app.store.cut(world, Math.min(t, event?.t ?? this.app.world(world)?.fork ?? 0)); this.app.toast(`Moved to ${fixed(t, 2)} s`, { label: "Undo", run: () => this.app.run("undo") }); }
  }
  private async editEntry(world: number, index: number, at: { x: number; y: number }): Promise<void> {
    const log = (await ask(this.app, "log", { world })) as { entries?: any[] } | undefined;
    const entry = (log?.entries ?? []).find((o) => o.index === index);
    if (!entry) return;
    if (typeof entry.value !== "number") { this.app.toast(`${entry.text || entry.event} has no value to change`); return; }
    const unit = this.unitOf(entry.param ?? "");
    askText(at, `${entry.param || entry.event}${unit ? `, ${unitText(unit)}` : ""} at ${fixed(entry.t, 2)} s`, String(entry.value), (typed) => {
      const value = parse(typed, unit || "-");
      if (value === null) { this.app.toast(`'${typed}' is no value in ${unit || "plain numbers"}`); return; }
      void ask(this.app, "log_change", { world, index, value }, `${entry.param || entry.event} is ${text(value, unit)} from ${fixed(entry.t, 2)} s on`)
        .then(() => this.app.store.cut(world, entry.t));
    });
  }
  private unitOf(param: string): string {
    for (const t of [...this.app.tables, ...this.app.laws]) { const r = t.rows.find((o) => o.name === param); if (r) return r.unit; }
    return "";
  }
  removeSelected(): boolean {
    const e = this.k.selected;
    if (!e || e.log < 0 || !this.may()) return false;
    void ask(this.app, "log_remove", { world: e.world, index: e.log }).then((done) => {
      if (!done) return;
      this.app.store.cut(e.world, e.t);
      this.k.selected = null;
      this.app.toast(`Removed: ${e.text}`, { label: "Undo", run: () => this.app.run("undo") });
    });
    return true;
  }
  private key(e: KeyboardEvent): void {
    if ((e.key === "Delete" || e.key === "Backspace") && this.removeSelected()) { e.preventDefault(); e.stopPropagation(); }
    if (e.key === "Enter" && this.k.selected && this.k.selected.log >= 0) {
      const r = this.canvas.getBoundingClientRect();
      void this.editEntry(this.k.selected.world, this.k.selected.log, { x: r.left + this.k.x(this.k.selected.t), y: r.top });
      e.preventDefault();
    }
  }
  private double(e: MouseEvent): void {
    const { x, y } = this.at(e), m = this.markAt(x, y), fork = m ? null : this.forkAt(x, y);
    if (m && m.mark.count > 1) { const ts = m.mark.events.map((o) => o.t), pad = Math.max(0.01, (Math.max(...ts) - Math.min(...ts)) * 0.5); this.k.show(Math.min(...ts) - pad, Math.max(...ts) + pad); this.app.touch(); return; }
    if (m && m.mark.event.log >= 0) { void this.editEntry(m.world, m.mark.event.log, { x: e.clientX, y: e.clientY }); return; }
    if (!fork) return;
    void (ask(this.app, "log", { world: fork.world }) as Promise<{ entries?: { index: number; t: number }[] } | undefined>).then((log) => {
      const entry = (log?.entries ?? []).find((o) => Math.abs(o.t - fork.fork) < 0.5 * fork.step + 1e-6);
      if (entry) void this.editEntry(fork.world, entry.index, { x: e.clientX, y: e.clientY });
    });
  }
  private context(e: MouseEvent): void {
    const { x, y } = this.at(e), m = this.markAt(x, y), t = this.bounded(this.k.t(x)), app = this.app;
    e.preventDefault();
    const at = { x: e.clientX, y: e.clientY };
    menu(at, [
      ...(m && m.mark.event.log >= 0 ? [
        { label: "Change the value…", disabled: !this.may(), run: () => void this.editEntry(m.world, m.mark.event.log, at) },
        { label: "Remove", hint: "Del", disabled: !this.may(), run: () => { this.k.selected = m.mark.event; this.removeSelected(); } }, "-" as const] : []),
      { label: `Go to ${fixed(t, 2)} s`, run: () => app.clock.seek(t) },
      { label: `Branch at ${fixed(t, 2)} s`, hint: "B", disabled: !this.may(), run: () => { app.clock.seek(t); app.run("branch"); } },
      { label: "Loop from here", hint: "I", run: () => { app.clock.seek(t); app.run("loop.in"); } },
      { label: "Loop to here", hint: "O", run: () => { app.clock.seek(t); app.run("loop.out"); } },
      { label: "Fit the whole run", hint: "F", run: () => app.run("fit") },
    ], "Timeline");
  }
  private wheel(e: WheelEvent): void {
    e.preventDefault();
    const { x } = this.at(e), span = this.k.to - this.k.from, unit = e.deltaMode === 1 ? 16 : 1;
    if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) this.k.pan(((e.shiftKey && !e.deltaX ? e.deltaY : e.deltaX) * unit * span) / Math.max(1, this.k.width - LEFT - RIGHT));
    else this.k.zoom(this.bounded(this.k.t(x)), Math.exp(e.deltaY * unit * 0.002));
    this.app.touch();
  }

  // Hover: the time, what is there, and a small picture of the road at that time.
  private hoverAt(x: number, y: number, e: PointerEvent): void {
    const inside = x >= LEFT && x <= this.k.width - RIGHT, m = this.markAt(x, y), fork = this.forkAt(x, y), loop = this.app.clock.loop;
    this.k.hover = inside ? { x, world: this.k.trackAt(y)?.world.world ?? -1, mark: m?.mark ?? null } : null;
    const handle = loop && y > RULER - 10 && y < RULER + 6 && (Math.abs(x - this.k.x(loop[0])) < 7 || Math.abs(x - this.k.x(loop[1])) < 7);
    this.canvas.style.cursor = handle || fork || (!m && this.gripAt(x, y)) || (m && movable(m.mark)) ? "ew-resize" : m ? "pointer" : inside ? "text" : "default";
    if (!inside) { this.hideTip(); return; }
    if (m) this.showLines(e, tooltip(m.mark)); else this.showTime(e, this.k.t(x));
  }
  private showLines(e: PointerEvent, lines: string[]): void {
    this.tip.replaceChildren(...lines.map((l, i) => h(i ? "div" : "b", null, l)));
    this.placeTip(e);
  }
  private shownTime = NaN; // s, of the tip
  private showTime(e: PointerEvent, t: number, again = false): void {
    if (again && this.shownTime !== t) return;
    this.shownTime = t;
    const { app, k } = this, lines = [h("b", null, `${k.flagText(t)} s`)] as Node[];
    const m = MEASURES.find((o) => o.measure === k.measure)!;
    for (const { world } of k.tracks) {
      const v = k.value(world.world, t);
      if (t >= world.start && t <= world.end) lines.push(h("div", { class: "tl-tiprow" }, h("span", { class: "badge", style: `background:var(${app.worldList.token(world.world)})` }, app.letter(world.world)), Number.isNaN(v) ? "–" : text(v, m.unit, m.measure === "energy" ? 0 : 2), thumb(app, world, t, () => { if (this.shownTime === t && !this.tip.classList.contains("hidden")) this.showTime(e, t, true); })));
    }
    this.tip.replaceChildren(...lines);
    this.placeTip(e);
  }
  private placeTip(e: PointerEvent): void {
    this.tip.classList.remove("hidden");
    const r = this.canvas.getBoundingClientRect(), w = this.tip.offsetWidth;
    this.tip.style.left = `${Math.max(8, Math.min(innerWidth - w - 8, e.clientX - w / 2))}px`;
    this.tip.style.top = `${r.top - this.tip.offsetHeight - 8}px`;
  }
  private hideTip(): void { this.shownTime = NaN; this.tip.classList.add("hidden"); }
}

export type { Kind };
