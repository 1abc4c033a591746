// core.ts - the App object: it holds the state all parts share and turns the server's messages into it.
import { openingOptions } from "../base/opening.ts";
import { fixed } from "../base/units.ts";
import type { Frame, Packed } from "../wire/frame.ts";
import {
  FIELDS,
  type Ask,
  type ChangeKind,
  type Changed,
  type EventRow,
  type Field,
  type Kind,
  type Opened,
  type OwnPlace,
  type Push,
  type Pushes,
  type World,
  type WorldNews,
} from "../wire/protocol.ts";
import { type Answer, Rejected, Wire } from "../wire/wire.ts";
import type { App, Command, Event, Layout, Needs, Topic, Topics } from "./app.ts";
import { Playhead } from "./clock.ts";
import { Commands } from "./commands.ts";
import { isOver } from "./facts.ts";
import { Store, type Past } from "./store.ts";
import { groundOf, Worlds, type Ground } from "./worlds.ts";

const ALL: Field[] = [...FIELDS];
const FEW: Field[] = ["middle", "y", "psi", "v", "a", "jerk", "target", "brake", "path"];
const MANY_CARS = 1000;
const LONG_CONTACT = 0.5; // s, that vehicles may be in contact after their first touch

export class Core implements App {
  worldList = new Worlds();
  page = 0; // number of this page
  resumed = false; // the server knew this page from before
  program = ""; // version of the program that serves the page
  title = "";
  file = "";
  connected = false;
  readOnly = false;
  lost = { since: 0, retry: 0, reason: "" };
  types: App["types"] = [];
  tables: App["tables"] = [];
  laws: App["laws"] = [];
  signals: App["signals"] = [];
  figures: App["figures"] = [];
  eventKinds: App["eventKinds"] = [];
  selection: App["selection"] = null;
  also: string[] = [];
  reference: string | null = null;
  layout!: Layout;
  load: Pushes["clock"] = { running: false, rate: 1, by: 0, live: 0, load: 0, worlds: [] };
  private dirtyUntil = 0;
  private undrawn = false; // since the last touch
  following: { page: number; name: string } | null = null; // follow.ts
  steered = false; // the playhead is being moved by another page
  byHand: (() => void) | null = null; // called when the user moves the playhead
  version = 0; // counts everything that can change a picture; parts may compare it
  readonly clock: Playhead;
  readonly store: Store;
  readonly wire: Wire;
  readonly commands = new Commands();
  toast: App["toast"] = () => undefined; // status.ts
  speak: App["speak"] = () => undefined; // speak.ts
  private listeners = new Map<Topic, Set<(detail?: never) => void>>();
  private happened = new Map<number, Event[]>();
  private needs = new Map<string, Needs>();
  private options: Record<string, unknown> = {};
  private lastChange = { key: "", world: -1, log: -1, at: NaN };
  private shownFrame = new Map<number, { t: number; version: number; frame: Frame | null }>();
  private settleAt = 0;
  private nextTime = 0;
  private welcomed = false;

  constructor() {
    this.clock = new Playhead({
      span: () => this.worldList.span(),
      newest: () => this.store.newest(),
      liveRate: () => this.liveRate(),
      canContinue: () => this.worlds.some((w) => w.kind === "run" && w.state === "running"),
      frameStep: () => this.current()?.row || 0.02,
      simStep: () => this.current()?.step || 0.01,
      neighbour: (t, way) => {
        const w = this.current();
        if (!w || w.kind === "mechanism") return null;
        return w.kind === "replay"
          ? this.store.neighbour(w.world, t, way)
          : this.store.instant(w.world, t, way, w.row || 0.02);
      },
      changed: (what) => {
        this.settleAt = performance.now() + (what === "seek" ? 40 : 0);
        this.nextTime = Math.min(this.nextTime, performance.now() + (what === "seek" ? 100 : 0));
        this.emit("clock");
        if (this.following && !this.steered && !this.clock.ticking) this.byHand?.();
      },
    });
    this.store = new Store({
      world: (n) => this.world(n),
      list: () => this.shown().filter((w) => w.kind !== "mechanism"), // whose rows come otherwise
      ask: (kind, args) => this.wire.ask(kind, args),
      fields: () => this.fields(),
      bodies: () => this.wantsBodies(),
      collided: (n, from, to) =>
        this.events(n).some((e) => e.type === "collision" && e.t > from - LONG_CONTACT && e.t < to),
      arrived: () => {
        this.version++;
        this.touch();
      },
    });
    this.wire = new Wire({
      frame: (f) => this.takeFrame(f),
      message: (m) => this.takeMessage(m),
      welcome: (m) => this.takeOpened(m, m.resumed, m.place.playing && (!this.welcomed || this.clock.playing)),
      state: (open, retry, reason) => this.takeState(open, retry, reason),
    });
  }

  // Worlds ---------------------------------------------------------------------------------------
  get worlds(): World[] {
    return this.worldList.list;
  }
  shown(): World[] {
    return this.worldList.shown();
  }
  world(n: number): World | undefined {
    return this.worldList.get(n);
  }
  colour(n: number): string {
    return this.worldList.colour(n);
  }
  letter(n: number): string {
    return this.worldList.letter(n);
  }
  attended = -1; // the world looked at while no car is selected: the newest branch
  current(): World | undefined {
    return (
      (this.selection && this.worlds.find((w) => w.world === this.selection!.world)) ||
      this.shown().find((w) => w.world === this.attended) ||
      this.shown()[0]
    );
  }
  events(world: number): Event[] {
    return this.happened.get(world) ?? [];
  }

  // The worlds of the road or those of the bench, each with its own playhead and selection.
  private kept: Partial<Record<Ground, Standing>> = {};
  stand(ground: Ground): void {
    const from = this.worldList.ground;
    if (ground === from) return;
    const c = this.clock;
    this.kept[from] = {
      t: c.t,
      playing: c.playing,
      live: c.live,
      rate: c.rate,
      loop: c.loop,
      loopOn: c.loopOn,
      selection: this.selection,
      attended: this.attended,
    };
    this.worldList.stand(ground);
    this.takeStanding(this.kept[ground] ?? null);
    this.emit("worlds", {});
    this.emit("select");
    this.emit("clock");
    this.nextTime = 0;
  }
  private takeStanding(s: Standing | null): void {
    const c = this.clock;
    const bench = this.worldList.ground === "bench";
    c.live = s?.live ?? !bench;
    c.playing = s?.playing ?? bench;
    c.rate = s?.rate ?? 1;
    c.loop = s?.loop ?? null;
    c.loopOn = s?.loopOn ?? false;
    c.t = s ? Math.min(Math.max(s.t, c.start), c.end) : bench ? c.start : c.end;
    this.selection = s?.selection ?? null;
    this.also = [];
    this.attended = s?.attended ?? -1;
    this.settleAt = performance.now();
  }
  // A file was opened as this world: a mechanism is looked at on the bench as soon as it is known.
  private expected = -1;
  opened(world: number): void {
    this.expected = world;
    const w = this.world(world);
    if (w) this.lookAt(w);
  }
  private lookAt(w: World): void {
    if (w.world !== this.expected) return;
    this.expected = -1;
    if (w.kind !== "mechanism") return;
    this.layout.set({ view: "bench", bench: "mechanism" });
    this.attended = w.world;
    this.clock.live = false;
    this.clock.t = this.clock.start;
    this.clock.play(true);
    this.emit("select");
  }

  frame(world: number, t?: number): Frame | null {
    if (t === undefined && this.over(world)) return null; // what was true at its end is not true now
    if (t !== undefined && t !== this.clock.t) return this.store.at(world, t, false);
    const now = this.clock.t;
    let kept = this.shownFrame.get(world);
    if (!kept) this.shownFrame.set(world, (kept = { t: NaN, version: -1, frame: null }));
    if (kept.t !== now || kept.version !== this.version) {
      kept.frame = this.store.at(world, now, true);
      kept.t = now;
      kept.version = this.version;
    }
    return kept.frame;
  }
  over(world: number): boolean {
    const w = this.world(world);
    return w !== undefined && isOver(w, this.clock.t);
  }
  past(world: number, vehicle: number, field: Field, from: number, to: number, room: Past): number {
    return this.store.past(world, vehicle, field, from, to, room);
  }
  history(world: number, vehicle: number, field: Field, from: number, to: number) {
    return this.store.history(world, vehicle, field, from, to);
  }

  select(world: number, vehicle: string | null): void {
    const next = vehicle === null ? null : { world, vehicle };
    if (next?.world === this.selection?.world && next?.vehicle === this.selection?.vehicle && !this.also.length) return;
    this.selection = next;
    this.also = [];
    this.emit("select");
    this.nextTime = 0;
  }

  selectMore(world: number, vehicle: string): void {
    const s = this.selection;
    if (!s || s.world !== world) {
      this.select(world, vehicle);
      return;
    }
    if (s.vehicle !== vehicle)
      this.also = this.also.includes(vehicle) ? this.also.filter((n) => n !== vehicle) : [...this.also, vehicle];
    else if (this.also.length) {
      this.selection = { world, vehicle: this.also[0]! };
      this.also = this.also.slice(1);
    }
    this.emit("select");
  }

  // Talking --------------------------------------------------------------------------------------
  ask<K extends Kind>(kind: K, args: Ask<K>): Promise<Answer<K>> {
    return this.wire.ask(kind, args);
  }
  tell<K extends Kind>(kind: K, args: Ask<K>): void {
    this.wire.tell(kind, args);
  }

  // At the live end a change has no `at`: it happens at the next step. Behind it the world branches;
  // the same thing changed again at the same instant changes that branch instead of making another.
  async change<K extends ChangeKind>(kind: K, args: Ask<K>): Promise<Changed> {
    const from = args.world ?? this.current()?.world ?? 0;
    const at = this.clock.live ? undefined : (args.at ?? this.clock.t);
    const key = at === undefined ? "" : whatChanges(kind, { ...args });
    try {
      const last = this.lastChange;
      const value = "value" in args ? args.value : undefined;
      if (
        key &&
        last.key === key &&
        last.world === from &&
        last.at === at &&
        last.log >= 0 &&
        typeof value === "number"
      ) {
        const done = await this.ask("log_change", { world: from, index: last.log, value });
        this.store.cut(from, at!);
        return done;
      }
      const done: Changed = await this.ask(kind, { ...args, world: from, ...(at === undefined ? {} : { at }) });
      const early = at !== undefined && at < done.at && !this.clock.playing; // between two steps
      if (early) this.clock.seek(done.at); // where it is changed: before that it is not
      this.lastChange = { key, world: done.world, log: done.log, at: early ? done.at : (at ?? NaN) };
      if (done.branched) this.followBranch(from, done.world, done.at);
      if (done.text) this.toast(sentence(done.text)); // such as: put elsewhere
      return done;
    } catch (e) {
      if (e instanceof Rejected) this.toast(sentence(e.answer.reason));
      throw e;
    }
  }
  private followBranch(from: number, world: number, at: number): void {
    this.attended = world;
    if (this.selection?.world === from) this.selection = { world, vehicle: this.selection.vehicle };
    this.emit("select");
    const born = this.world(world);
    const parent = this.world(born && born.parent >= 0 ? born.parent : from);
    const change = born?.change ? `, ${born.change.replace("->", "→")}` : "";
    this.toast(`Branched from ${parent?.name ?? "Main"} at ${fixed(at, 2)} s${change}`, {
      label: "Undo",
      run: () => this.run("undo"),
    });
    this.speak(`Branched at ${fixed(at, 2)} seconds`);
  }

  // Parts ----------------------------------------------------------------------------------------
  on<K extends Topic>(topic: K, listener: (detail?: Topics[K]) => void): () => void {
    let set = this.listeners.get(topic);
    if (!set) this.listeners.set(topic, (set = new Set()));
    set.add(listener);
    return () => set.delete(listener);
  }
  emit<K extends Topic>(topic: K, detail?: Topics[K]): void {
    this.version++;
    this.touch();
    for (const l of this.listeners.get(topic) ?? [])
      try {
        l(detail as never); // listeners of a topic were given with its detail
      } catch (e) {
        console.error(`listener of ${topic}:`, e);
      }
  }
  touch(ms = 400): void {
    this.dirtyUntil = Math.max(this.dirtyUntil, performance.now() + ms);
    this.undrawn = true;
  }
  // True: parts draw now. The last time is after the time of touch(), however late a busy machine comes to it.
  takeDirty(now: number): boolean {
    const draw = this.undrawn;
    this.undrawn = now <= this.dirtyUntil;
    return draw;
  }
  command(c: Command): void {
    this.commands.add(c);
  }
  run(name: string): void {
    this.commands.run(name);
  }
  option<T>(name: string, value?: T): T {
    if (value !== undefined && JSON.stringify(this.options[name]) !== JSON.stringify(value)) {
      this.options[name] = value;
      try {
        localStorage.setItem(`motorcade.options.${this.file}`, JSON.stringify(this.options));
      } catch {
        /* nothing is kept */
      }
      this.emit("state", { option: name });
    }
    return this.options[name] as T;
  }
  allOptions(): Record<string, unknown> {
    return this.options;
  }
  private opening = openingOptions(location.hash);
  private readOptions(): void {
    let kept: Record<string, unknown> = {};
    try {
      kept = JSON.parse(localStorage.getItem(`motorcade.options.${this.file}`) ?? "{}");
    } catch {
      /* broken or not kept */
    }
    this.options = { ...kept, ...this.opening, ...linkOptions() };
    this.opening = {}; // of the first file only
  }
  want(who: string, needs: Needs | null): void {
    if (needs) this.needs.set(who, needs);
    else this.needs.delete(who);
    this.subscribe();
  }
  private cars(): number {
    let n = 0;
    for (const w of this.worlds) n = Math.max(n, w.vehicles.length);
    return n;
  }
  fields(): Field[] {
    if (this.cars() <= MANY_CARS) return ALL;
    const all = new Set<Field>(FEW);
    for (const w of this.needs.values()) for (const f of w.fields ?? []) all.add(f);
    return ALL.filter((f) => all.has(f));
  }
  // Live frames per second. Between them the page interpolates; a frame of very many cars is large.
  liveRate(): number {
    return this.cars() > MANY_CARS ? 30 : 60;
  }
  wantsBodies(): boolean {
    for (const w of this.needs.values()) if (w.bodies) return true;
    return false;
  }
  private subscribe(): void {
    if (!this.wire.open) return;
    let window: [number, number] | null = null;
    let whole = this.needs.size === 0;
    for (const w of this.needs.values()) {
      if (w.window === undefined) continue;
      if (w.window === null) whole = true;
      else window = window ? [Math.min(window[0], w.window[0]), Math.max(window[1], w.window[1])] : w.window;
    }
    const max = this.liveRate();
    const rate = this.clock.animationStep > 0 ? Math.max(1, Math.min(max, 1 / this.clock.animationStep)) : max;
    this.ask("subscribe", {
      fields: this.fields(),
      rate,
      window: whole || !window ? null : window,
      bodies: this.wantsBodies(),
    }).catch(() => undefined);
  }
  resubscribe(): void {
    this.subscribe();
  }

  // The server's messages --------------------------------------------------------------------------
  private takeState(open: boolean, retry: number, reason: string): void {
    const was = this.connected;
    this.connected = open;
    if (!open)
      this.lost = { since: was ? performance.now() : this.lost.since, retry: performance.now() + retry * 1000, reason };
    this.emit("state", { connected: open, was });
  }
  // resumed: by hello, of a page that was here before. plays: a new page leaves at rest what rests; a file
  // that was opened starts.
  private takeOpened(m: Opened, resumed: boolean, plays: boolean): void {
    const again = this.welcomed && resumed;
    this.resumed = resumed;
    this.page = m.page;
    this.program = m.motorcade;
    this.title = m.title;
    this.file = m.file;
    this.types = m.types;
    this.tables = m.tables;
    this.laws = m.laws;
    this.signals = m.signals;
    this.figures = m.figures;
    this.eventKinds = m.events;
    this.readOnly = m.read_only;
    const hidden = new Set(again ? this.worldList.hidden : []);
    if (again) this.store.restart();
    else {
      this.store.clear();
      this.happened.clear();
      this.shownFrame.clear();
    }
    this.kept = {};
    this.worldList.reset(m.worlds);
    if (!again) this.worldList.stand(m.worlds.some((w) => groundOf(w) === "road") ? "road" : "bench");
    for (const n of hidden) this.worldList.hidden.add(n);
    if (!again) this.readOptions();
    if (!again) {
      this.selection = null;
      this.also = [];
      this.attended = -1;
      this.clock.live = true;
      this.clock.playing = plays;
      this.clock.rate = 1;
      this.clock.t = this.clock.end;
      this.clock.loop = null;
      if (resumed) this.comeBack(m.place);
      else if (!this.worlds.some((w) => w.kind === "run")) {
        this.clock.live = false;
        this.clock.t = this.clock.start;
      }
    }
    this.welcomed = true;
    this.subscribe();
    this.nextTime = 0;
    for (const w of this.worlds) this.askEvents(w.world);
    this.emit("worlds", { reset: !again });
    this.emit("select");
    this.emit("clock");
  }
  private comeBack(p: OwnPlace): void {
    this.clock.live = p.live;
    this.clock.playing = p.playing;
    if (p.rate !== 0) this.clock.rate = p.rate;
    this.clock.t = p.t;
    if (p.select && this.world(p.world)) this.selection = { world: p.world, vehicle: p.select };
    const ui = p.ui;
    if (Array.isArray(ui.loop)) {
      this.clock.loop = [ui.loop[0], ui.loop[1]];
      this.clock.loopOn = ui.loopOn === true;
    }
    if (Array.isArray(ui.hidden)) for (const n of ui.hidden) this.worldList.hidden.add(n);
    this.settleAt = performance.now();
    this.emit("layout", { restore: ui.layout });
  }
  private askEvents(world: number): void {
    this.ask("events", { world }).then(
      (a) => {
        this.happened.set(world, byTime(a.events.map((e) => ({ ...e, world }))));
        this.emit("events", { world });
      },
      () => undefined,
    );
  }
  private takeFrame(f: Packed): void {
    this.store.live(f);
    const w = this.world(f.world);
    if (w && f.time > w.end) w.end = f.time;
    this.version++;
    this.touch(100);
  }
  private takeMessage(m: Push): void {
    if (m.kind === "world") this.takeWorld(m.world);
    else if (m.kind === "gone") this.takeGone(m.world);
    else if (m.kind === "reset") this.takeOpened(m, false, true);
    else if (m.kind === "clock") this.takeClock(m);
    else if (m.kind === "events") this.takeEvents(m.world, m.events);
    else if (m.kind === "pages") this.emit("state", { pages: m.count });
    else if (m.kind === "place") this.emit("state", { place: m });
    else if (m.kind === "rewritten") {
      this.store.cut(m.world, m.from);
      this.askEvents(m.world);
      this.resettle();
      this.emit("changed", m);
    } else if (m.kind === "refused") this.toast(sentence(m.reason));
    else {
      if (m.kind === "changed" && !m.branched) {
        this.store.cut(m.world, m.at);
        this.askEvents(m.world);
      }
      this.emit("changed", m); // changed, cells, and what a part may know
    }
  }
  private takeWorld(news: WorldNews): void {
    const old = this.world(news.world);
    const w: World = Object.assign(news, { vehicles: news.vehicles ?? old?.vehicles ?? [] }); // sent only when they changed
    if (old) {
      const t = firstDifference(old, w);
      if (t < Infinity) {
        this.store.cut(w.world, t);
        this.askEvents(w.world);
      }
    }
    const born = this.worldList.update(w);
    if (born) this.lookAt(w);
    if (born) {
      this.askEvents(w.world);
      this.fold();
    }
    this.resettle();
    this.emit(born ? "worlds" : "world", { world: w.world });
  }
  // A world that was added, extended or simulated again must get the exact state at a resting playhead.
  private resettle(): void {
    if (!this.clock.playing && !this.settleAt) this.settleAt = performance.now() + 60;
  }
  // Two are shown by default and six at most; more are hidden, oldest branches first.
  private fold(): void {
    const branches = this.shown().slice(1, -1);
    while (this.shown().length > 6 && branches.length) this.worldList.hide(branches.shift()!.world, true);
  }
  private takeGone(n: number): void {
    this.worldList.remove(n);
    this.store.remove(n);
    this.happened.delete(n);
    this.shownFrame.delete(n);
    if (this.selection?.world === n) {
      const to = this.shown()[0];
      this.selection = to ? { world: to.world, vehicle: this.selection.vehicle } : null;
      this.emit("select");
    }
    this.clock.t = Math.min(this.clock.t, Math.max(this.clock.end, this.clock.start));
    this.emit("worlds", { world: n });
  }
  private takeClock(m: Pushes["clock"]): void {
    if (m.notice && m.notice !== this.load.notice && this.clock.playing && this.clock.live)
      this.toast("The scenario is over", { label: "Run on", run: () => this.run("run on") });
    this.load = m;
    this.clock.liveReaches(m.live);
    if (!m.running) this.clock.liveRests(m.live);
    else if (m.by !== this.page) this.clock.liveLeaves();
    for (const o of m.worlds) {
      const w = this.world(o.world);
      if (!w) continue;
      if (o.end < w.end - 1e-9) this.store.cut(w.world, o.end);
      w.end = o.end;
      w.state = o.state;
    }
    this.resettle();
    // A page behind another window draws nothing, but it plays on: the server hears from it here.
    const now = performance.now();
    if (m.running && now >= this.nextTime + 500) this.sendTime(now);
    this.emit("state", { load: true });
  }
  private takeEvents(world: number, list: EventRow[]): void {
    const fresh = list.map((e) => ({ ...e, world }));
    this.happened.set(world, byTime([...this.events(world), ...fresh]));
    this.emit("events", { world, fresh });
  }

  // Once an animation frame, before the parts draw.
  tick(now: number, dt: number): void {
    const t = this.clock.t;
    this.clock.tick(dt);
    if (this.clock.t !== t || (this.clock.playing && this.clock.live)) this.touch(100);
    if (!this.connected) return;
    this.store.fetch(now, this.clock.t, this.clock.rate, this.clock.playing, this.clock.live);
    if (!this.clock.playing && this.settleAt && now >= this.settleAt) {
      this.settleAt = 0;
      this.store.settle(this.clock.t);
    }
    if (this.clock.playing) this.settleAt = now + 1; // settle once it rests
    if (now >= this.nextTime) this.sendTime(now);
  }
  ackDrawn(): void {
    this.store.acks((world, seq) => this.tell("ack", { world, seq }));
  }
  private sendTime(now: number): void {
    this.nextTime = now + 1000;
    const c = this.clock;
    this.tell("time", {
      t: c.t,
      playing: c.playing,
      live: c.live,
      rate: c.rate,
      ...(c.until < Infinity ? { until: c.until } : {}),
      select: this.selection?.vehicle ?? "",
      world: this.current()?.world ?? 0,
      ui: { layout: this.layoutState?.() ?? {}, loop: c.loop, loopOn: c.loopOn, hidden: [...this.worldList.hidden] },
    });
  }
  layoutState: (() => object) | null = null;
}

// What is kept of a ground while the page looks at the other one.
interface Standing {
  t: number;
  playing: boolean;
  live: boolean;
  rate: number;
  loop: [number, number] | null;
  loopOn: boolean;
  selection: Core["selection"];
  attended: number;
}

function byTime(list: Event[]): Event[] {
  return list.sort((a, b) => a.t - b.t);
}
// What a change is about, to recognise the same one at the same instant.
function whatChanges(kind: ChangeKind, args: Record<string, unknown>): string {
  const who = args.vehicle ?? args.controller ?? "";
  return [kind, who, args.event ?? args.op ?? "", args.param ?? Object.keys(args).join()].join("|");
}
// From when on a world is not what it was. A change at the live end leaves the past alone; one that
// was made in the past says since when (`changed`, or the answer's `at`).
function firstDifference(old: World, now: World): number {
  return now.end < old.end - 1e-9 ? now.end : Infinity;
}
export function sentence(s: string): string {
  return s ? s[0].toUpperCase() + s.slice(1) : s;
}

// Options in the link: #o=<json>, written by Share.
function linkOptions(): Record<string, unknown> {
  const m = /[#&]o=([^&]+)/.exec(location.hash);
  if (!m) return {};
  try {
    const o = JSON.parse(decodeURIComponent(m[1]));
    return o && typeof o === "object" ? o : {};
  } catch {
    return {};
  }
}
