// app.ts - what every module of the page knows of the others: one App object, made by main.ts.
//
// A module exports one function that puts itself into a host element and listens:
//
//     export function mountDial(host: HTMLElement, app: App): Part
//
// Parts draw when app calls draw(t): once an animation frame, only while they are visible. Nothing
// else runs by itself. All numbers are SI; text(value, unit) of units.ts makes them readable.

export interface Row { name: string; unit: string; default: number | null; min: number; max: number; doc: string; value?: number; live?: boolean; own?: boolean } // own: a wish of this car, not as its controller or the roadway has it
export interface Vehicle {
  id: number; name: string; platoon: number; place: number; lane: number; kind: string; model: string;
  controller: string; law: string; profile: string; length: number; width: number; height: number; mass: number;
  leader: boolean; deformable: boolean; driven: string;
}
export interface LawLine { kind: "variable" | "state" | "acceleration"; name: string; unit: string; formula: string; start: string }
export interface Controller {
  name: string; law: string; own: boolean; gains: Record<string, number>; headway: number | null; distance: number | null;
  radio: Record<string, number>; listen: (string | number)[]; lines: LawLine[]; rows?: Row[];
}
export interface Grade { from: number; to: number; grade: number; transition: number }
export interface Road {
  lanes: number; lane_width: number; headway: number; distance: number; speed: number; commanded: string[];
  grades: Grade[]; friction: { from: number; to: number; mu: number; transition: number }[];
  profile: { from: number; step: number; z: number[] };
}
export interface World {
  world: number; name: string; parent: number; fork: number; change: string; same: boolean; differs: number | null;
  kind: "run" | "replay"; start: number; end: number; limit: number; step: number; row: number;
  state: "running" | "ended" | "failed"; message: string; version: number; memory: number;
  offset?: number; // s, of a recording: shown so much later than it was recorded
  road: Road; platoons: { platoon: number; name: string; leader: string }[]; models: string[]; profiles: string[];
  catalogue: { name: string; kind: string; length: number; width: number; height: number; mass: number | null }[]; // what the models look like
  controllers: Controller[]; vehicles: Vehicle[];
}
export interface Event {
  t: number; type: "brake" | "throttle" | "command" | "edit" | "fault" | "warning" | "jerk" | "collision" | "failure";
  vehicle: string; other: string; text: string; value: number | null; log: number; world: number;
}
export interface Law { name: string; doc: string; equation: string; source: string; stability: string; limits: string; rows: Row[]; lines: LawLine[] }

export const FIELDS = ["x", "y", "psi", "v", "a", "jerk", "s", "throttle", "brake", "steer", "rpm", "fuel", "energy", "gap", "wanted", "mileage"] as const;
export type Field = (typeof FIELDS)[number];

// One instant of one world. Arrays are by index; index(id) finds a vehicle. x and s are absolute
// (origin added, f64).
export interface Frame {
  world: number; time: number; exact: boolean; hash: bigint; interpolated: boolean; n: number;
  id: Uint32Array; status: Uint32Array; x: Float64Array; s: Float64Array;
  field(name: Field): Float32Array | Float64Array | null; // null: not subscribed
  index(id: number): number; // -1: not there
  bodies: Body[]; contacts: Contact[];
}
export interface Body { id: number; centre: [number, number, number]; axes: Float32Array; rest: [number, number, number] }
export interface Contact { id: number; id2: number; point: [number, number, number]; normal: [number, number, number]; impulse: number; closing: number; age: number }

export interface Clock {
  t: number; playing: boolean; live: boolean; rate: number; // rate < 0: backwards
  loop: [number, number] | null; loopOn: boolean; loopOnce: boolean; pingPong: boolean; // loop is kept while loopOn is false
  animationStep: number; // s of simulated time between drawn frames; 0: every screen frame
  end: number; start: number; // farthest and first instant of any world
  play(on?: boolean): void; seek(t: number): void; goLive(): void; step(frames: number): void;
  stepSim(steps: number): void; setRate(rate: number): void; shuttle(way: -1 | 0 | 1): void; setLoop(from: number, to: number): void;
}
export type View = "road" | "3d" | "timespace" | "bench";
export type Bench = "identify" | "mileage" | "sweep";
export type Panel = "road" | "cars" | "control" | "vehicle" | "files";
// What is open. set() changes any of it, shows it and tells topic "layout".
export interface Layout {
  view: View; bench: Bench; panel: Panel | null; // panel: in the inspector's place; null: the inspector itself
  inspector: boolean; instruments: boolean; driving: boolean;
  short: boolean; narrow: boolean; // window lower than 820 px: cards fold to title bars; narrower than 1100 px: inspector is a drawer
  set(change: Partial<Omit<Layout, "set">>): void;
}
export interface Wish { fields?: Field[]; bodies?: boolean; window?: [number, number] | null; rate?: number }
export interface Answer { kind: string; [key: string]: any }
export class Refused extends Error { constructor(public answer: Answer) { super(answer.reason); } }

export type Topic = "frame" | "worlds" | "world" | "select" | "clock" | "events" | "theme" | "layout" | "state" | "changed" | "resize" | "try";
export interface Part { draw?(t: number): void; show?(visible: boolean): void; destroy?(): void }

export interface App {
  worlds: World[];                       // in order of strips; hidden ones left out of shown()
  shown(): World[];
  current(): World | undefined;          // of the selected car, or the newest branch, or the first
  world(n: number): World | undefined;
  colour(world: number): string;         // CSS colour of that world now (theme)
  letter(world: number): string;         // A, B, ...
  title: string; file: string;
  connected: boolean; readOnly: boolean;
  layout: Layout;
  tables: { name: string; title: string; rows: Row[] }[];
  laws: Law[]; signals: { name: string; unit: string; doc: string }[];
  figures: { name: string; unit: string; doc: string; better: number }[];
  clock: Clock;
  frame(world: number, t?: number): Frame | null; // at the playhead, interpolated (Hermite by x and v)
  history(world: number, vehicle: number, field: Field, from: number, to: number): { t: Float64Array; y: Float64Array }; // what the page has in its rings
  past(world: number, vehicle: number, field: Field, from: number, to: number, room: { t: Float64Array; y: Float64Array; grow(n: number): void }): number; // the same without making arrays; how many samples
  events(world: number): Event[];
  selection: { world: number; vehicle: string } | null;
  select(world: number, vehicle: string | null): void;
  also: string[];                        // further cars of the selection's world, chosen with it
  selectMore(world: number, vehicle: string): void; // one more, or one less
  reference: string | null;              // name of the fixed car; null: leader; "road": the road
  ask(kind: string, args?: object): Promise<Answer>;   // rejects with Refused; shows nothing
  change(kind: string, args: object): Promise<Answer>; // adds world (selected) and `at`; toasts refusals and branches; follows the branch
  tell(kind: string, args?: object): void;             // no answer wanted (time, drive, ack)
  want(who: string, wish: Wish | null): void;          // fields, bodies and window of the frames a part needs; null: no more
  on(topic: Topic, listener: (detail?: any) => void): () => void;
  emit(topic: Topic, detail?: any): void;
  touch(ms?: number): void;              // parts draw for the next ms (400): something arrived
  option<T>(name: string, value?: T): T; // kept per scenario and in the link: error factor, markers, meters, ...
  toast(text: string, action?: { label: string; run: () => void }): void;
  speak(text: string): void;             // live region
  command(c: Command): void;             // registers an action: keys, Ctrl K, menus and help come from it
  run(name: string): void;
}
// keys: "Space", "Shift+N", "Ctrl+K", "ArrowLeft", "+". A command without keys is found by Ctrl K only.
export interface Command { name: string; title: string; help: string; group?: string; keys?: string[]; when?: () => boolean; run: () => void }
