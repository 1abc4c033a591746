// sections.ts - lane use as an editor sees it: segments of a lane, and the lists of a scenario they become.
//
// A scenario has sections (docs/scenarios.md): stretches of one lane with a use, a width, commands. The editor paints
// uses; everything else a section says is kept. All functions return new lists.
import { keysOf, useOf, type Use } from "./lanecolours.ts";
import type { PlanRule } from "../wire/protocol.ts";

export type Written = Record<string, unknown>;
export interface Segment {
  lane: number; // from 1
  from: number;
  to: number; // m
  use: Use;
  rule: PlanRule | null;
}

const MIN = 1; // m, of a segment

// The segments of a lane from `start` to `end`, divided where its use changes and at `cuts`.
export function segments(lane: number, rules: PlanRule[], start: number, end: number, cuts: number[]): Segment[] {
  const out: Segment[] = [];
  const put = (from: number, to: number, rule: PlanRule | null): void => {
    let at = from;
    for (const c of [...cuts.filter((c) => c > from + MIN && c < to - MIN).sort((a, b) => a - b), to]) {
      const last = out[out.length - 1];
      const use = useOf(rule);
      const joins = last && last.to === at && last.use === use && !cuts.includes(at) && sameCommands(last.rule, rule);
      if (joins) last.to = c;
      else out.push({ lane, from: at, to: c, use, rule });
      at = c;
    }
  };
  let at = start;
  for (const r of rules) {
    const from = Math.max(r.from, start);
    const to = Math.min(r.to, end);
    if (to - from < 1e-6) continue;
    if (from > at + 1e-6) put(at, from, null);
    put(Math.max(at, from), to, r);
    at = to;
  }
  if (at < end - 1e-6) put(at, end, rules.length ? rules[rules.length - 1]! : null);
  return out;
}

function sameCommands(a: PlanRule | null, b: PlanRule | null): boolean {
  return a?.speed === b?.speed && a?.headway === b?.headway && a?.separation === b?.separation;
}

const num = (v: unknown): number => (typeof v === "number" ? v : Number.parseFloat(String(v)));
const OTHERS = ["width", "taper", "speed", "headway", "separation"];

// The sections after lane `lane` is painted with a use from `from` to `to`.
export function paint(sections: Written[], lane: number, from: number, to: number, use: Use): Written[] {
  const out: Written[] = [];
  const painted: Written[] = [];
  for (const s of sections) {
    const a = num(s["from"]);
    const b = num(s["to"]);
    const uses = s["use"] !== undefined || s["enter"] !== undefined;
    if (num(s["lane"]) !== lane || !uses || b <= from || a >= to) {
      out.push(s);
      continue;
    }
    const { use: was, enter, ...rest } = s;
    const keys = { ...(was === undefined ? {} : { use: was }), ...(enter === undefined ? {} : { enter }) };
    if (OTHERS.some((k) => s[k] !== undefined)) out.push(rest);
    if (a < from - 1e-9) painted.push({ lane, from: a, to: from, ...keys });
    if (b > to + 1e-9) painted.push({ lane, from: to, to: b, ...keys });
  }
  if (use !== "any") painted.push({ lane, from, to, ...keysOf(use) });
  return merged([...out, ...painted]);
}

// Neighbours that say the same, and nothing but a use, become one.
function merged(list: Written[]): Written[] {
  const key = (s: Written): string =>
    OTHERS.some((k) => s[k] !== undefined) ? "" : `${num(s["lane"])}|${s["use"] ?? ""}|${s["enter"] ?? ""}`;
  const out: Written[] = [];
  for (const s of list) {
    const k = key(s);
    const mate = k
      ? out.findIndex(
          (o) =>
            key(o) === k &&
            (Math.abs(num(o["to"]) - num(s["from"])) < 1e-6 || Math.abs(num(s["to"]) - num(o["from"])) < 1e-6),
        )
      : -1;
    if (mate < 0) {
      out.push(s);
      continue;
    }
    const o = out[mate]!;
    out[mate] = { ...o, from: Math.min(num(o["from"]), num(s["from"])), to: Math.max(num(o["to"]), num(s["to"])) };
  }
  return out.length === list.length ? out : merged(out);
}

// The sections after one end of a segment is moved: it grows over its neighbour, or the neighbour over it.
export function moveEnd(sections: Written[], all: Segment[], k: number, end: "from" | "to", at: number): Written[] {
  const s = all[k]!;
  const other = all[end === "to" ? k + 1 : k - 1];
  const x = Math.round(at);
  if (end === "to")
    return x > s.to
      ? paint(sections, s.lane, s.to, x, s.use)
      : x < s.to
        ? paint(sections, s.lane, Math.max(s.from, x), s.to, other?.use ?? "any")
        : sections;
  return x < s.from
    ? paint(sections, s.lane, x, s.from, s.use)
    : x > s.from
      ? paint(sections, s.lane, s.from, Math.min(s.to, x), other?.use ?? "any")
      : sections;
}

// Ramps ------------------------------------------------------------------------------------------------

// The shape of a new ramp: it turns by 15 degrees, a connector by 95, with a design speed.
export function newRamp(name: string, on: boolean, connector: boolean, at: number): Written {
  const turn = connector
    ? [{ clothoid: 50, to_radius: -120 }, { arc: 150, radius: -120 }, { clothoid: 50 }]
    : [{ clothoid: 40, to_radius: -150 }, { clothoid: 40 }];
  const straight = { straight: connector ? 50 : 80 };
  return {
    name,
    kind: on ? "on" : "off",
    at: Math.round(at),
    length: 200,
    taper: 60,
    speed: connector ? 18 : 20,
    ...(connector ? { connector: true } : {}),
    line: on ? [straight, ...turn] : [...turn, straight],
  };
}

export function rampNames(ramps: Written[]): string[] {
  return ramps.map((r) => String(r["name"]));
}

// A name that no ramp has.
export function freeName(ramps: Written[]): string {
  const taken = new Set(rampNames(ramps));
  for (let k = ramps.length + 1; ; k++) if (!taken.has(`Ramp ${k}`)) return `Ramp ${k}`;
}
