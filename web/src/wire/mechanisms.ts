// mechanisms.ts - what messages about mechanisms and concepts are made of: a part of protocol.ts, and described as that is.
// Numbers of rows are doubles in base64, lowest byte first.

export interface Shape {
  kind: "box" | "cylinder" | "beam" | "panel" | "wheel" | "mesh";
  finish: "paint" | "steel" | "dark" | "glass" | "rubber";
  round: boolean; // a beam with a circle as its section
  made: boolean; // from mass and inertia
  at: (number | null)[]; // m, its middle in the axes of the body
  turn: (number | null)[]; // quaternion w x y z, its axes to those of the body
  size: (number | null)[]; // m
  points?: (number | null)[]; // of a panel or mesh, three numbers each
  faces?: number[]; // three numbers of points each
}
export interface BodyPart {
  name: string;
  inboard: string | null; // null: the ground
  joint: string;
  at: (number | null)[]; // m, the joint in the axes of the inboard body
  frame: (number | null)[]; // quaternion, axes of the joint to those of the inboard body
  axis: (number | null)[]; // of a hinge or a prism, in the axes of the joint; 0: none
  stiffness: number | null;
  damping: number | null;
  mass: number | null;
  centre: (number | null)[];
  inertia: (number | null)[]; // xx yy zz xy xz yz
  round: number; // 0 .. 2: symmetric about its x, y or z, as a wheel is; -1: it is not
  shapes: Shape[];
}
export interface SpringPart {
  name: string;
  from: string;
  to: string;
  length: number | null;
  stiffness: number | null;
  damping: number | null;
  formula: boolean; // its force is a formula, too
}
export interface JointPart {
  name: string;
  kind: string;
  from: string | null;
  to: string | null;
  at: (number | null)[];
  to_at: (number | null)[];
  frame: (number | null)[];
  axis: (number | null)[];
}
export interface MechanismParts {
  name: string;
  bodies: BodyPart[];
  points: { name: string; body: string | null }[];
  springs: SpringPart[];
  joints: JointPart[];
}
export interface MechanismRows {
  rows: number;
  t: string | null;
  poses: string | null; // rows of bodies: x y z, quaternion w x y z
  places: string | null; // rows of points
}
export interface Settable {
  name: string;
  group: "parameter" | "input" | "start";
  unit: string;
  doc: string;
  value: number | null;
}
export interface MechanismEntry {
  t: number;
  name: string;
  value?: string; // what it was set to
  at?: (number | null)[]; // a push: where on the body, and the force in world axes
  force?: (number | null)[];
}
export interface MechanismRun extends MechanismParts, MechanismRows {
  file: string;
  end: number;
  freedoms: number;
  constraints: number;
  redundant: number;
  flops: number;
  derive: number; // s
  entries: MechanismEntry[];
  loads: string | null; // rows of bodies: force and torque of their joint; "": not known of what switches
  settable: Settable[];
  columns: { name: string; unit: string; doc: string }[];
  values: string | null; // rows of columns
  report: {
    method: string;
    steps: number;
    time: number;
    seconds: number;
    conserves: boolean;
    drift: number | null;
    stopped: boolean;
    recorded: boolean;
  };
  failed: string | null;
}
export interface Mode {
  number: number;
  real: number;
  imaginary: number;
  frequency: number;
  damping: number;
  rigid: boolean;
  moves: string; // what moves most
}
export interface Rest {
  rest: boolean; // an equilibrium: no acceleration above 0.01 g
  residual: number;
  worst: string; // the coordinate with the largest acceleration
  unheld: number; // directions in which it can be moved and stays at rest
  why: string | null; // none was found
  holdable: { name: string; body: string; free: boolean }[];
}
export interface ModesAnswer extends MechanismParts, MechanismRows, Rest {
  modes: Mode[];
  mode: number; // whose poses the rows are, over one period; 0: none
}
export interface SensitivityAnswer {
  mode: number;
  parameters: { name: string; value: number; real: number; imaginary: number }[]; // 1/s, for 10 % more
  left_out: number; // parameters for which there was no time
}
export interface RestAnswer extends MechanismRows, Rest {
  loads: { body: string; force: number }[]; // N, of the road on each wheel where it stands on them
  coordinates: { name: string; unit: string; value: number }[];
}
export interface TravelAnswer extends MechanismRows {
  columns: { name: string; unit: string; doc: string }[];
  values: string | null;
  failed: string | null;
}
export interface MechanismOf {
  world?: number;
  file?: string;
  end?: number;
  rows?: number;
  values?: Record<string, string | number>;
}
export interface MechanismPush {
  t?: number;
  body: string;
  at: number[];
  force: number[];
}

// Concepts: the architecture from which a mechanism is derived ------------------------------------------------

export interface ConceptEdit {
  path: string; // keys and numbers of list elements: axles.front.hardpoints.wheel.1
  value: string | null; // as in the file; null: removed
}
export interface ConceptMass {
  name: string;
  mass: number | null;
  centre: (number | null)[];
}
export interface ConceptPart extends ConceptMass {
  kind: string; // beam, panel, component, link or wheel
  group: string; // its assembly or axle
  body: number; // -1: none
  shape: number; // of the body in the mechanism; -1: none
}
export interface ConceptAnswer {
  name: string;
  file: string;
  text: string; // with the changes
  values: { path: string; text: string; line: number }[];
  whole: ConceptMass;
  assemblies: ConceptMass[];
  parts: ConceptPart[];
  bodies: ConceptMass[];
  edges: { name: string; kind: string; from: number; to: number; rigid: boolean }[]; // between bodies; -1: the ground
  axles: { name: string; x: number; track: number; radius: number; load: number | null }[];
  sizes: {
    length: number | null;
    width: number | null;
    height: number | null;
    wheelbase: number | null;
    clearance: number | null;
    ground: number | null;
  };
  road: {
    speed: number;
    bumps: { name: string; at: number; length: number; height: number; ramp: boolean; side: number }[];
  };
  templates: { name: string; doc: string; points: { name: string; doc: string; needed: boolean }[] }[];
  modes: Mode[];
  why: string | null; // no modes or no loads
  derived: boolean; // equations were derived for it
  lost: string[]; // what another template could not keep
}
export interface ConceptOf {
  world?: number;
  text?: string;
  changes?: ConceptEdit[];
  template?: { axle: string; to: string };
}
export interface AnalysisRow {
  name: string;
  doc: string;
  concepts: boolean; // for vehicle concepts only
  parameters: {
    name: string;
    form: "number" | "whole" | "text" | "texts";
    unit: string;
    fallback: string | null;
    doc: string;
    needed: boolean;
  }[];
}
export interface AnalysisTable {
  title: string;
  columns: { name: string; unit: string }[];
  rows: number;
  values: string | null; // doubles in base64, row by row
  labels: string[]; // of rows; none: []
  curves: boolean; // the first column is an axis for the others
  logarithmic: boolean;
}
