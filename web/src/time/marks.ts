// marks.ts - events as marks: their shapes, which of them stand too close, the next and the last one.
import { SANS } from "../base/opening.ts";
import { fixed } from "../base/units.ts";
import type { Event } from "../core/app.ts";
import { eventName, eventWords } from "../core/eventwords.ts";

export type Kind = Event["type"];
export const KINDS: { kind: Kind; name: string; shape: string }[] = [
  { kind: "brake", name: "Brake", shape: "triangle down" },
  { kind: "throttle", name: "Throttle", shape: "circle" },
  { kind: "command", name: "Command", shape: "flag" },
  { kind: "edit", name: "Edit", shape: "flag" },
  { kind: "fault", name: "Fault", shape: "square" },
  { kind: "warning", name: "Warning", shape: "hollow triangle" },
  { kind: "jerk", name: "Peak jerk", shape: "diamond" },
  { kind: "collision", name: "Collision", shape: "star" },
  { kind: "failure", name: "Numerical failure", shape: "star" },
];
export const kindName = (k: Kind) => KINDS.find((o) => o.kind === k)?.name ?? k;
const WEIGHT: Record<Kind, number> = {
  failure: 9,
  collision: 8,
  fault: 7,
  jerk: 6,
  warning: 5,
  command: 4,
  edit: 4,
  brake: 2,
  throttle: 1,
};
export const dangerous = (k: Kind) => k === "collision" || k === "failure" || k === "jerk" || k === "fault";

export interface Mark {
  x: number;
  event: Event;
  count: number;
  events: Event[];
}

// Marks of one track: events nearer than `near` pixels to the first of a group become one with a
// count, shown as the weightiest of them. A command that can be moved stays alone if it can.
export function merge(events: Event[], place: (t: number) => number, from: number, to: number, near = 6): Mark[] {
  const marks: Mark[] = [];
  let last: Mark | null = null;
  for (const e of events) {
    const x = place(e.t);
    if (x < from - near || x > to + near) {
      if (x > to) break;
      continue;
    }
    if (last && last.count === 1 && isAnswer(last.event, e)) last.event = last.events[0] = e;
    else if (last && x - place(last.events[0].t) < near) {
      last.events.push(e);
      last.count++;
      if (WEIGHT[e.type] > WEIGHT[last.event.type]) {
        last.event = e;
        last.x = x;
      }
    } else marks.push((last = { x, event: e, count: 1, events: [e] }));
  }
  return marks;
}

// A command to a car and what it led to at once are one mark. One that can be moved stays.
function isAnswer(to: Event, e: Event): boolean {
  if (to.t !== e.t || to.vehicle !== e.vehicle || !e.vehicle || to.log >= 0) return false;
  const asked = eventName(to);
  const name = eventName(e);
  return (
    (asked === "check_in" && (name === "checked_in" || name === "check_in_refused")) ||
    (asked === "check_out" && (name === "checked_out" || name === "check_out_refused")) ||
    ((asked === "lane" || asked === "driver_lane") && name === "lane_begins")
  );
}

// The first event after t (way 1) or the last before it (way -1) of the chosen kinds, in any list.
export function nextEvent(lists: Event[][], t: number, way: 1 | -1, isChosen: (k: Kind) => boolean): Event | null {
  let best: Event | null = null;
  for (const list of lists)
    for (const e of list) {
      if (!isChosen(e.type)) continue;
      if (way > 0 ? e.t > t + 1e-6 && (!best || e.t < best.t) : e.t < t - 1e-6 && (!best || e.t > best.t)) best = e;
    }
  return best;
}

export function tooltip(m: Mark): string[] {
  if (m.count === 1)
    return [`${fixed(m.event.t, 2)} s  ${kindName(m.event.type)}`, eventWords(m.event) || m.event.vehicle];
  const lines = m.events
    .slice(0, 5)
    .map((e) => `${fixed(e.t, 2)} s  ${eventWords(e) || `${kindName(e.type)} ${e.vehicle}`}`);
  if (m.count > 5) lines.push(`and ${m.count - 5} more`);
  return lines;
}

export interface Ink {
  ink: string;
  ink2: string;
  danger: string;
  surface: string;
  focus: string;
  ok: string;
}

export function drawMark(
  c: CanvasRenderingContext2D,
  x: number,
  y: number,
  kind: Kind,
  k: Ink,
  selected: boolean,
  name = "", // of the event: check-in and lane changes have marks of their own
): void {
  if (name === "checked_in" || name === "checked_out") return drawRing(c, x, y, name === "checked_in", k, selected);
  if (name === "lane_begins") return drawChevron(c, x, y, k, selected);
  c.fillStyle = dangerous(kind) ? k.danger : k.ink2;
  c.strokeStyle = selected ? k.focus : k.surface;
  c.lineWidth = selected ? 2 : 1.2;
  c.beginPath();
  if (kind === "brake") {
    c.moveTo(x - 5, y - 4);
    c.lineTo(x + 5, y - 4);
    c.lineTo(x, y + 5);
  } else if (kind === "throttle") c.arc(x, y, 4, 0, 7);
  else if (kind === "jerk") {
    c.moveTo(x, y - 6);
    c.lineTo(x + 6, y);
    c.lineTo(x, y + 6);
    c.lineTo(x - 6, y);
  } else if (kind === "collision" || kind === "failure") star(c, x, y, 8, 3.4);
  else if (kind === "fault") c.rect(x - 4.5, y - 4.5, 9, 9);
  else if (kind === "warning") {
    c.moveTo(x, y - 6);
    c.lineTo(x + 6, y + 5);
    c.lineTo(x - 6, y + 5);
  } else {
    c.moveTo(x, y - 6);
    c.lineTo(x + 8, y - 3);
    c.lineTo(x + 1.4, y);
    c.lineTo(x + 1.4, y + 7);
    c.lineTo(x, y + 7);
  } // flag
  c.closePath();
  if (kind === "warning") {
    c.fillStyle = k.surface;
    c.strokeStyle = selected ? k.focus : k.danger;
    c.lineWidth = 1.6;
    c.fill();
    c.stroke();
    return;
  }
  c.stroke();
  c.fill();
}
// Check-in is a ring with a dot, check-out an empty one.
function drawRing(c: CanvasRenderingContext2D, x: number, y: number, dot: boolean, k: Ink, selected: boolean): void {
  c.fillStyle = k.surface;
  c.strokeStyle = selected ? k.focus : k.ok;
  c.lineWidth = 1.8;
  c.beginPath();
  c.arc(x, y, 5, 0, 7);
  c.fill();
  c.stroke();
  if (!dot) return;
  c.fillStyle = k.ok;
  c.beginPath();
  c.arc(x, y, 2, 0, 7);
  c.fill();
}
function drawChevron(c: CanvasRenderingContext2D, x: number, y: number, k: Ink, selected: boolean): void {
  c.beginPath();
  c.moveTo(x - 3, y - 5);
  c.lineTo(x + 3, y);
  c.lineTo(x - 3, y + 5);
  c.lineWidth = 4.6;
  c.strokeStyle = k.surface;
  c.stroke();
  c.lineWidth = 2.2;
  c.strokeStyle = selected ? k.focus : k.ink2;
  c.stroke();
}
function star(c: CanvasRenderingContext2D, x: number, y: number, outer: number, inner: number): void {
  for (let i = 0; i < 16; i++) {
    const r = i % 2 ? inner : outer;
    const a = (i * Math.PI) / 8;
    c.lineTo(x + Math.cos(a) * r, y + Math.sin(a) * r);
  }
}
export function drawCount(
  c: CanvasRenderingContext2D,
  x: number,
  y: number,
  count: number,
  danger: boolean,
  k: Ink,
): void {
  const text = count > 99 ? "99+" : String(count);
  const w = text.length * 6 + 8;
  c.fillStyle = danger ? k.danger : k.ink2;
  c.strokeStyle = k.surface;
  c.lineWidth = 1.2;
  c.beginPath();
  c.roundRect(x - w / 2, y - 6.5, w, 13, 6.5);
  c.stroke();
  c.fill();
  c.fillStyle = k.surface;
  c.font = `600 9.5px ${SANS}`;
  c.textAlign = "center";
  c.textBaseline = "middle";
  c.fillText(text, x, y + 0.5);
}
