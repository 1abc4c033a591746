// protocol.ts - the messages between page and server, with the names and meanings of docs/protocol.md.
//
// This and mechanisms.ts are the one description of them: the page is compiled against it, and the browser tests hold
// every message of the server to it, key by key (tests/studio/messages.mjs). So types here are only of those that reader knows:
// interfaces, object types, unions, literals, arrays, tuples, Record and Partial. All numbers are SI; a number that is
// none is null.

import type {
  AnalysisRow,
  AnalysisTable,
  ConceptAnswer,
  ConceptOf,
  MechanismOf,
  MechanismPush,
  MechanismRun,
  ModesAnswer,
  RestAnswer,
  SensitivityAnswer,
  TravelAnswer,
} from "./mechanisms.ts";

export type * from "./mechanisms.ts";

// What a scenario is made of -------------------------------------------------------------------------

export interface Row {
  name: string;
  unit: string;
  default: number | null; // null: none
  min: number;
  max: number;
  doc: string;
}
export interface VehicleType {
  name: string;
  doc: string;
}
export interface Table {
  name: string;
  group: string; // of cards that have its rows; "": none
  title: string;
  rows: Row[];
}
export interface Signal {
  name: string;
  unit: string;
  doc: string;
}
export interface Figure extends Signal {
  better: number; // -1: less is better, 1: more, 0: neither
}
export interface LawLine {
  kind: "variable" | "state" | "acceleration";
  name: string;
  unit: string;
  formula: string;
  start: string;
}
export interface Law {
  name: string;
  doc: string;
  equation: string;
  source: string;
  stability: string;
  limits: string;
  rows: Row[];
  lines: LawLine[];
}
export interface EventKind {
  name: string;
  label: string;
  fault: boolean;
  shaped: boolean;
  rows: Row[];
}

// Worlds ---------------------------------------------------------------------------------------------

export interface Vehicle {
  id: number;
  name: string;
  platoon: number;
  place: number;
  lane: number;
  kind: string;
  model: string;
  controller: string;
  law: string;
  profile: string;
  length: number;
  width: number;
  height: number;
  mass: number | null; // null: recorded, not known
  leader: boolean;
  deformable: boolean;
  driven: string; // by whom; "": not driven by hand
  checked_in: boolean; // the ERSC drives it
  mechanism: boolean; // it can be put on the bench
}
export interface Controller {
  name: string;
  law: string;
  own: boolean; // a law of formulas, not one of the table
  gains: Record<string, number>;
  rows: Row[];
  headway: number | null;
  distance: number | null;
  radio: Record<string, number>;
  listen: (string | number)[];
  lines: LawLine[];
}
export interface Grade {
  from: number;
  to: number;
  grade: number; // rad
  transition: number;
}
export interface Friction {
  from: number;
  to: number;
  mu: number;
  transition: number;
  mu_right?: number | null; // to the right of `divide`, where the two sides differ
  divide?: number; // m, left of the reference line
  seam?: number; // m, its width
}
export interface Road {
  lanes: number;
  lane_width: number;
  headway: number | null;
  distance: number | null;
  speed: number | null;
  commanded: string[];
  grades: Grade[];
  friction: Friction[];
  profile: { from: number; step: number; z: number[] };
  formula: string | null; // that gives the height or the slope; null: grades do
  plan: number; // counts changes of its plan (the request `plan`), from 1; 0: it has none
  ersc: number; // level at the live end, 0: off
  ersc_start: number; // that of the scenario, before the first event that switches it
  sections: Section[]; // of the scenario, then of commands; later ones hold
}
// The road from above.
export interface Plan {
  world: number;
  plan: number; // as in Road
  curved: boolean; // it has bends or ramps
  paths: PlanPath[]; // 0: the main road
  ramps: PlanRamp[];
  written: { sections: Record<string, unknown>[]; ramps: Record<string, unknown>[] } | null; // as in the scenario; null: cannot be edited
}
export interface PlanPath {
  name: string;
  length: number | null; // m; null: without an end
  closed: boolean;
  base: number; // m: x of a car on it is its station plus this
  line: { s: number[]; x: number[]; y: number[]; heading: number[] }; // cubics between them are the line
  lanes: PlanLane[];
}
export interface PlanLane {
  s: number[]; // m, stations
  centre: (number | null)[]; // m, left of the line; null: there is no such lane there
  width: number[]; // m
  rules: PlanRule[];
}
export interface PlanRule {
  from: number;
  to: number;
  use: "any" | "automated" | "manual" | "closed";
  enter: "any" | "automated" | "manual" | "closed";
  speed: number | null;
  headway: number | null;
  separation: number | null;
}
export interface PlanRamp {
  name: string;
  on: boolean;
  connector: boolean;
  path: number;
  main: number; // path that it joins or leaves
  lane: number; // of that path, from 1
  from: number;
  to: number; // m, of that lane
  at: number;
  nose: number;
  ramp_nose: number; // m, of the gore: stations of main and ramp
  speed: number | null;
}
export type LaneUse = "any" | "automated" | "manual" | "closed";
export interface Section {
  lane: number; // from 1, the leftmost
  from: number; // m
  to: number;
  use: LaneUse | ""; // "": as before
  enter: LaneUse | "";
  speed: number | null; // m/s; null: as before
  headway: number | null; // s
  separation: number | null; // m, between platoons
  commanded: boolean; // by a request section
}
export interface Platoon {
  platoon: number;
  name: string;
  leader: string;
  leads_as: number; // its leader is driven as that of this platoon, from 1; 0: by itself
}
export interface Model {
  name: string;
  kind: string; // its vehicle type
  look: string; // a word of the key `look`; "file": its own mesh, by the request look
  pedals: boolean; // driven by throttle and brake, else by an acceleration
  length: number;
  width: number;
  height: number;
  mass: number | null;
}
// The triangles of a model whose look is a file. A corner is position / 65535 of the box `size`; numbers in base64.
export interface LookMesh {
  triangles: number;
  size: [number, number, number]; // m, along x, y, z
  position: string; // u16, lowest byte first, 9 per triangle
  normal: string; // i8, 127 is 1, 9 per triangle
  colour: string; // u8, linear, 3 per triangle; all 255: the paint of the vehicle
}
// A world in a message: vehicles only when they changed.
export interface WorldNews {
  world: number;
  name: string;
  parent: number; // -1: none
  fork: number;
  change: string;
  same: boolean;
  differs: number | null; // s, since when it is not as its parent
  kind: "run" | "replay" | "mechanism";
  file?: string; // of a mechanism
  concept?: boolean; // the mechanism is derived from one
  recorded?: boolean; // its motion was read from results
  source?: { world: number; vehicle: string; t: number }; // of a mechanism that was made from a car
  format?: string; // of a recording
  start: number;
  end: number;
  limit: number;
  step: number;
  row: number;
  offset: number; // s, of a recording: how much later than recorded it is shown
  state: "running" | "ended" | "failed";
  message: string;
  version: number;
  versions: { version: number; t: number; text: string }[];
  memory: number;
  road: Road;
  platoons: Platoon[];
  models: string[];
  catalogue: Model[]; // what the models look like
  profiles: string[];
  controllers: Controller[];
  vehicles?: Vehicle[];
}
export interface World extends WorldNews {
  vehicles: Vehicle[];
}
export interface EventRow {
  t: number;
  type: "brake" | "throttle" | "command" | "edit" | "fault" | "warning" | "jerk" | "collision" | "failure";
  vehicle: string;
  other: string;
  text: string;
  value: number | null;
  log: number; // number of its entry in the log; -1: none
}

// Pages ----------------------------------------------------------------------------------------------

export interface Place {
  t: number;
  playing: boolean;
  live: boolean;
  rate: number;
  select: string;
  world: number;
}
export interface OwnPlace extends Place {
  ui: Record<string, unknown>; // what the page needs to restore itself
  until?: number; // s, where the simulation is to rest
}
export interface OtherPage extends Place {
  page: number;
  name: string;
  read_only: boolean;
}
export interface PlaceOfOther extends OtherPage {
  gone: boolean;
}
// What the server sends when a page connects and when another file was opened.
export interface Opened {
  version: 1;
  motorcade: string; // version of the program
  key: string;
  page: number;
  read_only: boolean;
  place: OwnPlace;
  title: string;
  file: string;
  worlds: World[];
  types: VehicleType[];
  tables: Table[];
  laws: Law[];
  signals: Signal[];
  figures: Figure[];
  events: EventKind[];
  log: number;
  limits: { command_bytes: number; commands_per_second: number; commands_under_way: number };
}
export interface Welcome extends Opened {
  resumed: boolean;
}

// Frames: the bits of the mask in order; the bytes are read in frame.ts ------------------------------

// Fields of frames in their order: names and units of mc_field_table (src/record/quantity.c), with which tests/docs.py
// compares them.
export const FIELDS = [
  "middle",
  "y",
  "psi",
  "v",
  "a",
  "jerk",
  "target",
  "throttle",
  "brake",
  "steer",
  "n",
  "fuel",
  "energy",
  "gap",
  "a_desired",
  "mileage",
  "estimate",
  "yaw_rate",
  "side_slip",
  "a_y",
  "lane",
  "path",
  "blind_spot",
] as const;
export type Field = (typeof FIELDS)[number];

// Changes --------------------------------------------------------------------------------------------

// What every change may say: the world, and the playhead's time where it is not at the live end.
export interface Where {
  world?: number;
  at?: number;
}
export interface Changed {
  world: number;
  at: number;
  log: number;
  branched: boolean;
  vehicle?: string; // a car that came
  text?: string; // what happened otherwise than asked
}
export interface SetRequest extends Where {
  controller?: string;
  vehicle?: string;
  vehicles?: string[];
  param?: string;
  value?: number | null; // null: clears a value of this car alone
  values?: Record<string, number>; // instead of the last two: several of one vehicle
}
export interface RoadRequest extends Where {
  headway?: number;
  distance?: number;
  speed?: number;
}
export interface FaultRequest extends Where {
  vehicle: string;
  event: string;
  value: number;
  shape?: string;
}
export interface LeadRequest extends Where {
  vehicle: string;
  platoon: number;
}
export interface LaneRequest extends Where {
  vehicle: string;
  lane: number; // from 1, the leftmost
}
export interface CheckRequest extends Where {
  vehicle: string; // rejected: an event "warning" check_in_refused or check_out_refused, with the reason
}
export interface ErscRequest extends Where {
  level: number; // 0: off, 1 .. 4
}
export interface SectionRequest extends Where {
  lane: number; // from 1, the leftmost
  from: number; // m
  to: number;
  use?: LaneUse;
  enter?: LaneUse;
  speed?: number; // m/s
  headway?: number; // s
  separation?: number; // m, between platoons
}
export interface JoinRequest extends Where {
  vehicle: string;
  platoon: number; // from 1
}
export interface SplitRequest extends Where {
  vehicle: string; // leads those behind it
  gap?: number; // m
}
export interface MergeRequest extends Where {
  vehicle: string; // the leader of the platoon behind
}
export interface EstimatorRequest extends Where {
  vehicle: string;
  estimator: string; // "none": off
}
export interface DriveRequest extends Where {
  vehicle: string;
  throttle?: number;
  brake?: number;
  steer?: number;
  acceleration?: number;
}
export interface Linear {
  inputs: string[];
  A: number[][];
  B: number[][];
  C: number[];
  D: number[];
}
export interface CarRequest extends Where {
  op:
    | "add"
    | "remove"
    | "model"
    | "controller"
    | "profile"
    | "own"
    | "law"
    | "linear"
    | "listen"
    | "inner"
    | "radio"
    | "sensor"
    | "avoid"
    | "fallback";
  model?: string;
  define?: object; // the model, where the scenario does not know it
  controller?: string;
  profile?: string;
  beside?: string;
  where?: "front" | "behind";
  vehicle?: string;
  vehicles?: string[];
  name?: string;
  linear?: Linear;
  listen?: (string | number)[];
  values?: Record<string, number>;
}
export interface EditRequest extends Where {
  edit: object; // as in docs/scenarios.md
}
export interface LawRequest extends Where {
  controller?: string;
  text: string;
}
export interface GradesRequest extends Where {
  grades: Grade[];
}
export interface StepRequest extends Where {
  step: number;
}
export interface EndRequest extends Where {
  end: number;
}
export interface BranchRequest extends Where {
  name?: string;
}
export interface LogEntry {
  index: number;
  t: number;
  event: string;
  vehicle: string;
  param: string;
  value: number | null;
  text: string;
  by: string;
}
export interface Undone {
  world: number;
  text: string;
  by: string;
  at: number;
  undo: number;
  redo: number;
}

// Analysis -------------------------------------------------------------------------------------------

export interface CardRow extends Row {
  value: number | null;
  live: boolean; // takes a value while it runs
  own?: boolean; // set for this car alone, not by its controller or the roadway
}
export interface CardGroup {
  group: string;
  rows: CardRow[];
}
export interface Channel extends Signal {
  value: number | null;
}
// text instead of curves says why there are none.
export interface Dynamics {
  input: string;
  input_unit?: string;
  output: string;
  output_unit?: string;
  about?: { u: number; v: number };
  delay?: number;
  states?: { name: string; unit: string; value: number | null }[];
  poles?: [number, number][];
  w?: number[];
  gain?: number[];
  phase?: number[];
  text?: string;
}
export interface Estimate {
  name: string;
  parameter: string; // that it estimates; "": none of the car's
  unit: string;
  value: number | null;
  band: number | null;
  on: boolean; // else the value is held
  active: boolean; // at work now
  claimed: boolean; // the value can be trusted
}
export interface Card {
  world: number;
  vehicle: string;
  t: number;
  groups: CardGroup[];
  channels: Channel[];
  estimate?: Estimate; // missing: the car has no estimator
  estimators: string[]; // that can be switched on
  estimator: string; // that is on; "none"
  dynamics: Dynamics;
  brake_dynamics?: Dynamics;
  follow_dynamics?: Dynamics;
}
export interface Pedals {
  pedal?: "throttle" | "brake"; // missing, with the others: no pedals, or no law
  asked?: number;
  coast?: number;
  hysteresis?: number;
}
// What a car does across the road. Lanes count from 1, the leftmost; left is positive.
export interface Lateral {
  t: number;
  by_hand: boolean;
  law: string; // that steers otherwise; "": none
  lane: number;
  lane_y: number | null; // m, middle of its lane, as y counts
  lane_width: number;
  offset: number | null; // m, to the left of its path
  yaw_desired: number | null; // rad/s, that keeps it on its path
  road_yaw: number; // rad/s, of the road at its speed
  waits_for?: number; // lane it was sent to
  plan?: LanePlan;
  wheels: Wheel[]; // left before right, from the front; none: a type without wheels
}
export interface LanePlan {
  from: number;
  to: number;
  start: number; // s
  duration: number;
  share: number; // 0 .. 1, of the duration
  to_go: number | null; // m, to the middle of the new lane
  max_acceleration: number; // m/s^2
  max_jerk: number;
  front: string; // cars around it in the new lane; "": none
  rear: string;
  gap_front: number | null; // m, at the end of the change
  gap_rear: number | null;
}
export interface Wheel {
  x: number; // m, from the mass centre
  y: number;
  steer: number; // rad
  fx: number; // N, in the wheel's axes
  fy: number;
  fz: number;
  mu: number; // of the road
  use: number; // share of the friction
}
export interface StringRequest {
  worlds: number[];
  vehicle?: string;
  controller?: string;
  from?: number;
  to?: number;
  t?: number;
  try?: Record<string, number>;
}
export interface StringResult {
  world: number;
  vehicle?: string; // these three are missing where no car has a controller
  law?: string;
  controller?: string;
  verdict: "stable" | "unstable" | "car unstable" | "unknown";
  text: string;
  w?: number[];
  gain?: (number | null)[];
  peak?: number | null;
  peak_w?: number | null;
  l_inf?: number | null;
  l_inf_verdict?: string;
  leader_peak?: number | null;
  window?: [number, number];
  measured?: { vehicle: string; l2: number | null; l_inf: number | null }[];
  head_to_tail?: number | null;
  head_to_tail_inf?: number | null;
  signal?: string;
  excitation?: number | null;
  enough?: boolean;
}
export interface FigureRow extends Figure {
  values: (number | null)[]; // one per world
}
export interface CarFigures {
  vehicle: string;
  values: Record<string, number | null>;
}
export interface CollisionRow {
  index: number;
  vehicle: string;
  other: string;
  t: number;
  duration: number;
  impacts: number;
  first: number;
  last: number;
  closing: number | null;
  relative_before: number | null;
  relative_after: number | null;
  restitution: number | null;
  impulse: number | null;
  impulse_largest: number | null;
  normal_x: number | null;
  normal_y: number | null;
  normal_z: number | null;
  point_x: number | null;
  point_y: number | null;
  point_z: number | null;
  kinetic_a_before: number | null;
  kinetic_b_before: number | null;
  kinetic_a_after: number | null;
  kinetic_b_after: number | null;
  energy_before: number | null;
  energy_after: number | null;
  vibration: number | null;
  damped: number | null;
  slipped: number | null;
  crushed: number | null;
  tangential: number | null;
  tangential_x: number | null;
  tangential_y: number | null;
  tangential_z: number | null;
  friction_loss: number | null;
  restitution_loss: number | null;
}
export interface LedgerRow {
  common: number; // J, the part of `kinetic` in the motion of the mass centre of the two
  t: number;
  kinetic: number;
  elastic: number;
  damped: number;
  crushed: number;
  friction: number;
}
export interface CollisionReport extends CollisionRow {
  offset: number | null; // m across the road
  momentum_error: number | null;
  energy_error: number | null;
  cars: { vehicle: string; delta_v: number; mass: number }[];
  ledger: LedgerRow[];
  points: {
    t: number;
    point: [number, number, number];
    normal: [number, number, number];
    impulse: number;
    closing: number;
  }[];
  peak_force: number;
  force_step: number;
  force: { t: number; force: number }[];
}
export interface IdentifyRequest {
  params?: Record<string, number>;
  hands?: { t: number; acceleration: number; mass: number }[];
  seed?: number;
}
export interface Identified {
  table: Row[];
  params: Record<string, number>;
  rows: Record<string, (number | null)[]>; // one list per column
  end: Record<string, number | null>;
  bounds: { ratio: number; safe: number; convergent: number };
  force_band: number;
  limited: boolean;
}
export interface MileageWorld {
  world: number;
  t: number;
  cars: {
    vehicle: string;
    v: number | null;
    a: number | null;
    mileage: number | null;
    mean: number | null;
    fuel: number | null;
  }[];
  mileage: number | null;
  mean: number | null;
  unit: string;
}
export interface SweepAxisValues {
  name: string;
  unit: string;
  values: number[];
}
export interface SweepCell {
  i: number[];
  run: number;
  ended: string; // why: end, collision, failure ...
  failed: number | null;
  values: Record<string, number | null>;
}

// Files ----------------------------------------------------------------------------------------------

export interface FileEntry {
  file: string;
  kind: string;
  title: string;
  doc: string;
  size: number;
}
export interface Preview {
  count: number;
  cars: [number, number, number, number, number][]; // x, y, length, width, platoon
  lanes?: number;
  lane_width?: number;
  grades: [number, number, number][]; // from, to, grade
}
export interface OpenRequest {
  file?: string;
  upload?: string;
  text?: string;
  name?: string;
  with?: string | string[];
  beside?: boolean;
  scheme?: string; // of a platoon of MEDUSA, as the next two
  contact?: string;
  equilibrium?: string;
}
export interface Exported {
  name: string;
  type: string;
  text: string;
  encoding?: "base64"; // of bytes
  with?: { name: string; text: string };
  next?: number | null; // rows: the instant from which the following piece is asked for; null: this is the last
}

// All messages ---------------------------------------------------------------------------------------

export interface Rejection {
  reason: string;
  place?: string;
  file?: string;
  line?: number;
  column?: number;
  text?: string;
}

// By kind: what a page asks, and what `done` answers. (The answer to hello is called welcome; the frames that answer
// rows and seek are bytes.) A message also has `kind` and, if it expects an answer, `id`.
export interface Requests {
  hello: { ask: { version: 1; name: string; resume?: string }; done: Welcome };
  subscribe: { ask: { fields: Field[]; rate: number; window: [number, number] | null; bodies: boolean }; done: {} };
  time: { ask: OwnPlace; done: {} };
  ack: { ask: { world: number; seq: number }; done: {} };
  pages: { ask: {}; done: { pages: OtherPage[] } };
  name: { ask: { name: string }; done: {} };
  follow: { ask: { page: number }; done: Partial<OtherPage> };
  rows: {
    ask: { world: number; from: number; to: number; most: number; fields: Field[]; bodies?: boolean };
    done: { rows?: number };
  };
  seek: { ask: { world: number; t: number; fields: Field[] }; done: {} };
  series: {
    ask: { worlds: number[]; vehicles: string[]; fields: string[]; from: number; to: number; points: number };
    done: { t: number[]; values: Record<string, (number | null)[]>; thinned: boolean };
  };
  track: {
    ask: { world: number; measure: string; bins: number };
    done: { world: number; measure: string; from: number; to: number; values: (number | null)[] };
  };
  events: { ask: { world: number }; done: { world: number; events: EventRow[] } };
  plan: { ask: { world: number }; done: Plan };

  set: { ask: SetRequest; done: Changed };
  road: { ask: RoadRequest; done: Changed };
  fault: { ask: FaultRequest; done: Changed };
  lead: { ask: LeadRequest; done: Changed };
  lane: { ask: LaneRequest; done: Changed };
  driver_lane: { ask: LaneRequest; done: Changed };
  ersc: { ask: ErscRequest; done: Changed };
  check_in: { ask: CheckRequest; done: Changed };
  check_out: { ask: CheckRequest; done: Changed };
  section: { ask: SectionRequest; done: Changed };
  join: { ask: JoinRequest; done: Changed };
  leave: { ask: LaneRequest; done: Changed };
  split: { ask: SplitRequest; done: Changed };
  merge: { ask: MergeRequest; done: Changed };
  estimator: { ask: EstimatorRequest; done: Changed };
  drive: { ask: DriveRequest; done: Changed };
  release: { ask: { world: number; vehicle: string }; done: {} };
  car: { ask: CarRequest; done: Changed };
  grades: { ask: GradesRequest; done: Changed };
  law: { ask: LawRequest; done: Changed };
  law_check: {
    ask: LawRequest;
    done: { parameters: { name: string; value: string; unit: string }[]; signals: string[] };
  };
  edit: { ask: EditRequest; done: Changed };
  step: { ask: StepRequest; done: Changed };
  end: { ask: EndRequest; done: Changed };
  row: { ask: { world?: number; row: number }; done: { row: number } };
  branch: { ask: BranchRequest; done: Changed };
  worlds: {
    ask: { op: "rename" | "remove" | "discard" | "main" | "shift"; world: number; name?: string; offset?: number };
    done: { offset?: number };
  };
  log: { ask: { world: number }; done: { entries: LogEntry[] } };
  log_remove: { ask: { world: number; index: number }; done: Changed };
  log_move: { ask: { world: number; index: number; t: number }; done: Changed };
  log_change: { ask: { world: number; index: number; value: number }; done: Changed };
  undo: { ask: {}; done: Undone };
  redo: { ask: {}; done: Undone };

  card: { ask: { world: number; vehicle: string; t?: number }; done: Card };
  pedals: { ask: { world: number; vehicle: string; t?: number }; done: Pedals };
  lateral: { ask: { world: number; vehicle: string; t?: number }; done: Lateral };
  string: { ask: StringRequest; done: { worlds: StringResult[] } };
  figures: {
    ask: { worlds: number[]; from?: number; to?: number };
    done: { worlds: number[]; rows: FigureRow[]; cars: CarFigures[][] };
  };
  spectrum: {
    ask: { worlds: number[]; vehicle: string; field: string; from: number; to: number };
    done: {
      f: number[];
      density: (number | null)[][];
      worlds: number[];
      window: string;
      averages: number;
      step: number;
    };
  };
  collision: {
    ask: { world: number; index?: number };
    done: { collisions: CollisionRow[]; collision?: CollisionReport };
  };
  identify: { ask: IdentifyRequest; done: Identified };
  mileage: { ask: { worlds: number[]; t?: number }; done: { worlds: MileageWorld[] } };
  look: { ask: { world: number; model: string }; done: LookMesh };
  mechanism: { ask: MechanismOf; done: MechanismRun };
  to_bench: { ask: { world: number; vehicle: string; t?: number }; done: { world: number } };
  mechanism_change: {
    ask: {
      world: number;
      at?: number;
      values?: Record<string, string | number>;
      pushes?: MechanismPush[];
      end?: number;
      again?: boolean;
      name?: string;
    };
    done: Changed;
  };
  concept: { ask: ConceptOf; done: ConceptAnswer };
  concept_change: {
    ask: ConceptOf & { world: number; end?: number; again?: boolean; name?: string; words?: string };
    done: Changed;
  };
  concept_rig: {
    ask: ConceptOf & {
      axle?: string;
      motion?: "parallel" | "opposite" | "steer";
      from?: number;
      to?: number;
      rows?: number;
    };
    done: {
      axle: string;
      template: string;
      columns: { name: string; unit: string; doc: string }[];
      rows: number;
      values: (number | null)[];
    };
  };
  analyses: { ask: {}; done: { rows: AnalysisRow[] } };
  analyse: {
    ask: { world: number; name: string; values?: Record<string, string | string[]> };
    done: { tables: AnalysisTable[]; notes: string[] };
  };
  rest: { ask: MechanismOf & { at?: number; hold?: string[]; stand?: boolean }; done: RestAnswer };
  modes: {
    ask: MechanismOf & { at?: number; hold?: string[]; mode?: number; amplitude?: number };
    done: ModesAnswer;
  };
  sensitivity: { ask: MechanismOf & { at?: number; hold?: string[]; mode: number }; done: SensitivityAnswer };
  travel: {
    ask: MechanismOf & {
      drive: string;
      from: number;
      to: number;
      at?: number;
      hold?: string[];
      geometry?: boolean;
    };
    done: TravelAnswer;
  };
  sweep: {
    ask: { world?: number; vary: string[]; end: number };
    done: { sweep: number; runs: number; axes: SweepAxisValues[] };
  };
  sweep_stop: { ask: { sweep: number }; done: {} };
  sweep_open: { ask: { sweep: number; i: number[] }; done: { world: number } };

  files: { ask: {}; done: { folders: { name: string; files: FileEntry[] }[] } };
  preview: { ask: { file: string }; done: Preview };
  open: { ask: OpenRequest; done: { world: number } };
  export: {
    ask: {
      what: "scenario" | "log" | "state" | "results" | "csv" | "dynavis";
      world?: number;
      vehicle?: string;
      from?: number;
    };
    done: Exported;
  };
}
// By kind: what the server sends without a request.
export interface Pushes {
  world: { world: WorldNews };
  gone: { world: number };
  rewritten: { world: number; from: number };
  reset: Opened;
  clock: {
    running: boolean;
    rate: number;
    by: number; // page at whose rate it runs; 0: none
    live: number;
    load: number;
    worlds: { world: number; end: number; headroom: number | null; state: "running" | "ended" | "failed" }[];
    notice?: string;
  };
  events: { world: number; events: EventRow[] };
  pages: { count: number };
  place: PlaceOfOther;
  changed: { world: number; text: string; by: string; at: number; branched: boolean };
  cells: {
    sweep: number;
    done: number;
    runs: number;
    left: number;
    over: boolean;
    reason?: string;
    cells: SweepCell[];
  };
  refused: Rejection; // a message without an id, such as a drive
  done: Changed; // the same, where it branched off
  bye: { reason: string };
}
export type Kind = keyof Requests;
export type Ask<K extends Kind> = Requests[K]["ask"];
export type Done<K extends Kind> = Requests[K]["done"];
export type Push = { [K in keyof Pushes]: { kind: K } & Pushes[K] }[keyof Pushes];
// Requests that change a world and may make a branch.
export type ChangeKind =
  | "set"
  | "road"
  | "fault"
  | "lead"
  | "lane"
  | "driver_lane"
  | "ersc"
  | "check_in"
  | "check_out"
  | "section"
  | "join"
  | "leave"
  | "split"
  | "merge"
  | "estimator"
  | "car"
  | "grades"
  | "law"
  | "edit"
  | "step"
  | "end"
  | "branch";
