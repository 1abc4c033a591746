// eventwords.ts - events of lanes, the ERSC and platoons in words. Their text is "car3: checked_in", with the reason
// behind it where there is one.
import type { EventRow } from "../wire/protocol.ts";

// "checked_in" of "car3: checked_in"; what a page asked for has its own words.
export function eventName(e: EventRow): string {
  const text = e.vehicle && e.text.startsWith(`${e.vehicle}: `) ? e.text.slice(e.vehicle.length + 2) : e.text;
  if (text.startsWith("ERSC level ")) return "ersc";
  if (e.vehicle && text === `${e.vehicle} checks in`) return "check_in";
  if (e.vehicle && text === `${e.vehicle} checks out`) return "check_out";
  const end = text.indexOf(": ");
  return end < 0 ? text : text.slice(0, end);
}

// The reason, as the server says it; "": none.
export function eventReason(e: EventRow): string {
  const at = e.text.indexOf(`${eventName(e)}: `);
  return at < 0 ? "" : e.text.slice(at + eventName(e).length + 2);
}

const WORDS: Record<string, (car: string, n: number, why: string) => string> = {
  ersc: (_, n) => (n > 0 ? `ERSC level ${n}` : "ERSC off"),
  check_in: (car) => `${car} asks to check in`,
  check_out: (car) => `${car} asks to check out`,
  checked_in: (car, n) => `${car} is checked in, in lane ${n}`,
  checked_out: (car, n) => `${car} is checked out, in lane ${n}`,
  check_in_refused: (car, _, why) => `${car} is not checked in: ${why}`, // old name
  check_out_refused: (car, _, why) => `${car} is not checked out: ${why}`, // old name
  not_checked_in: (car, n) => `${car} is in automated lane ${n} without check-in`,
  wrong_lane: (car, n) => `${car} is in lane ${n}, which it may not use`,
  lane_allowed: (car) => `${car} is in a lane that it may use again`,
  blind_spot: (car) => `${car} moves towards a car in its blind spot`,
  lane_begins: (car, n) => `${car} sets out to lane ${n}`,
  driver_lane: (car, n) => `${car} is steered to lane ${n} by its driver`,
  joined: (car, n) => `${car} has joined platoon ${n}`,
  left: (car, n) => `${car} has left platoon ${n}`,
};

export function eventWords(e: EventRow): string {
  const words = WORDS[eventName(e)];
  return words ? words(e.vehicle, e.value ?? 0, eventReason(e)) : e.text;
}
