// app.ts - what every module of the page knows of the others: one App object, made by main.ts.
//
// A module exports one function that puts itself into a host element and listens:
//
//     export function mountDial(host: HTMLElement, app: App): Part
//
// Parts draw when app calls draw(t): once an animation frame, only while they are visible. Nothing
// else runs by itself. All numbers are SI; text(value, unit) of units.ts makes them readable.

import type { Frame } from "../wire/frame.ts";
import type {
  Ask,
  ChangeKind,
  Changed,
  EventKind,
  EventRow,
  Field,
  Figure,
  Kind,
  Law,
  PlaceOfOther,
  Push,
  Signal,
  Table,
  World,
  VehicleType,
} from "../wire/protocol.ts";
import type { Answer } from "../wire/wire.ts";

export interface Clock {
  t: number;
  playing: boolean;
  live: boolean;
  rate: number; // rate < 0: backwards
  loop: [number, number] | null;
  loopOn: boolean;
  loopOnce: boolean;
  pingPong: boolean; // loop is kept while loopOn is false
  until: number; // where the simulation is to rest, s; Infinity: nowhere
  ease: ((t: number, rate: number) => number) | null; // the rate at an instant that is played back; null: `rate`
  animationStep: number; // s of simulated time between drawn frames; 0: every screen frame
  end: number;
  start: number; // farthest and first instant of any world
  play(on?: boolean): void;
  seek(t: number): void;
  runTo(t: number): void;
  goLive(): void;
  step(frames: number): void;
  stepSim(steps: number): void;
  setRate(rate: number): void;
  shuttle(way: -1 | 0 | 1): void;
  setLoop(from: number, to: number): void;
}
export type View = "road" | "3d" | "timespace" | "bench";
export type Bench = "identify" | "mileage" | "sweep" | "mechanism";
export type Panel = "road" | "cars" | "control" | "vehicle" | "files";
// What is open. set() changes any of it, shows it and emits topic "layout".
export interface Layout {
  view: View;
  bench: Bench;
  panel: Panel | null; // panel: in the inspector's place; null: the inspector itself
  inspector: boolean;
  instruments: boolean;
  driving: boolean;
  short: boolean;
  narrow: boolean; // window lower than 820 px: cards fold to title bars; narrower than 1100 px: inspector is a drawer
  set(change: Partial<Omit<Layout, "set">>): void;
}
export interface Needs {
  fields?: Field[];
  bodies?: boolean;
  window?: [number, number] | null;
  rate?: number;
}
// What parts tell each other, and with which detail.
export interface Topics {
  frame: object; // something to draw has come
  worlds: { world?: number; reset?: boolean }; // one came or went, or another order; reset: another file
  world: { world: number };
  select: { event?: Event };
  clock: object;
  events: { world: number; fresh?: Event[] };
  theme: object;
  layout: { restore?: unknown; drop?: File[]; beside?: boolean };
  state: {
    connected?: boolean;
    was?: boolean; // connected before
    option?: string; // name of the one that changed
    load?: boolean; // only the server's figures
    pages?: number;
    place?: PlaceOfOther;
    find?: { name: string; table: string };
    zoom?: [number, number];
    track?: number;
  };
  changed: Push; // changed, rewritten, cells
  resize: object;
  try: Trial;
}
export type Topic = keyof Topics;
// Gains that are only being tried; null: no more.
export interface Trial {
  world: number;
  params: Record<string, number> | null;
  controller: string;
}
export interface Event extends EventRow {
  world: number;
}
export interface Part {
  draw?(t: number): void;
  show?(visible: boolean): void;
  destroy?(): void;
}

// The App by what it is asked for; a function takes the narrowest that serves it.
//
// What is open: the worlds, and the tables that came with them.
export interface Scenario {
  worlds: World[]; // in order of strips; hidden ones left out of shown()
  shown(): World[];
  current(): World | undefined; // of the selected car, or the newest branch, or the first
  world(n: number): World | undefined;
  colour(world: number): string; // CSS colour of that world now (theme)
  letter(world: number): string; // A, B, ...
  title: string;
  file: string;
  connected: boolean;
  readOnly: boolean;
  types: VehicleType[];
  tables: Table[];
  laws: Law[];
  signals: Signal[];
  figures: Figure[];
  eventKinds: EventKind[]; // what can happen to a car, such as faults
}
// What happened, and the instant that is looked at.
export interface Time {
  clock: Clock;
  frame(world: number, t?: number): Frame | null; // at the playhead, interpolated (Hermite by x and v)
  over(world: number): boolean; // it ended before the playhead: frame() is null
  history(world: number, vehicle: number, field: Field, from: number, to: number): { t: Float64Array; y: Float64Array }; // what the page has in its rings
  past(
    world: number,
    vehicle: number,
    field: Field,
    from: number,
    to: number,
    room: { t: Float64Array; y: Float64Array; grow(n: number): void },
  ): number; // the same without making arrays; how many samples
  events(world: number): Event[];
}
// The cars that are meant.
export interface Chosen {
  selection: { world: number; vehicle: string } | null;
  select(world: number, vehicle: string | null): void;
  also: string[]; // further cars of the selection's world, chosen with it
  selectMore(world: number, vehicle: string): void; // one more, or one less
  reference: string | null; // name of the fixed car; null: leader; "road": the road
}
// The server: questions and changes.
export interface Server {
  ask<K extends Kind>(kind: K, args: Ask<K>): Promise<Answer<K>>; // rejects with Rejected; shows nothing
  change<K extends ChangeKind>(kind: K, args: Ask<K>): Promise<Changed>; // adds world (selected) and `at`; shows rejections and branches as toasts; follows the branch
  tell<K extends Kind>(kind: K, args: Ask<K>): void; // expects no answer (time, drive, ack)
  want(who: string, needs: Needs | null): void; // fields, bodies and window of the frames a part needs; null: no more
}
// The page itself: its layout, its parts among each other, its user.
export interface Page {
  layout: Layout;
  on<K extends Topic>(topic: K, listener: (detail?: Topics[K]) => void): () => void;
  emit<K extends Topic>(topic: K, detail?: Topics[K]): void;
  touch(ms?: number): void; // parts draw for the next ms (400): something arrived
  option<T>(name: string, value?: T): T; // kept per scenario and in the link: error factor, markers, meters, ...
  opened(world: number): void; // a file became this world: it is looked at where it belongs
  toast(text: string, action?: { label: string; run: () => void }): void;
  speak(text: string): void; // live region
}
// Commands by name.
export interface Actions {
  command(c: Command): void; // registers an action: keys, Ctrl K, menus and help come from it
  run(name: string): void;
}
export interface App extends Scenario, Time, Chosen, Server, Page, Actions {}
// keys: "Space", "Shift+N", "Ctrl+K", "ArrowLeft", "+". A command without keys is found by Ctrl K only.
export interface Command {
  name: string;
  title: string;
  help: string;
  group?: string;
  keys?: string[];
  when?: () => boolean;
  run: () => void;
}
