// align.ts - a recording laid beside other worlds: moved in time by hand, by a number, or so that an
// event of it falls on the same event of another world.
import type { World } from "./app.ts";
import type { Core } from "./core.ts";
import type { Item } from "./dom.ts";
import { kindName, type Kind } from "./marks.ts";
import { figures, parse, signed } from "./units.ts";
import { ask, askText } from "./worldsmenu.ts";

const KINDS: Kind[] = ["brake", "throttle", "collision", "jerk"];

export const offsetText = (s: number): string => `${signed(s, Math.abs(s) < 10 ? 2 : 1)} s`;

export function shiftRecording(app: Core, w: World, offset: number): void {
  const rounded = Number(offset.toFixed(4));
  const words = rounded === 0 ? "at its own times" : `${figures(Math.abs(rounded), 4)} s ${rounded > 0 ? "later" : "earlier"} than recorded`;
  void ask(app, "worlds", { op: "shift", world: w.world, offset: rounded }, `${w.name} is shown ${words}`);
}

// The world it is laid against: the first other one that is shown.
function against(app: Core, w: World): World | undefined { return app.shown().find((o) => o.world !== w.world); }

// Kinds of events that both have, with the offset that puts the first of one on the first of the other.
export function alignments(app: Core, w: World): { kind: Kind; offset: number }[] {
  const other = against(app, w);
  if (!other) return [];
  return KINDS.flatMap((kind) => {
    const own = app.events(w.world).find((e) => e.type === kind), theirs = app.events(other.world).find((e) => e.type === kind);
    return own && theirs ? [{ kind, offset: (w.offset ?? 0) + theirs.t - own.t }] : [];
  });
}

export function alignItems(at: Element | { x: number; y: number }, app: Core, w: World): (Item | "-")[] {
  if (w.kind !== "replay") return [];
  const off = !app.connected || app.readOnly, now = w.offset ?? 0, other = against(app, w);
  return ["-",
    { label: "Align by time", title: "At the times of the file", checked: now === 0, disabled: off, run: () => shiftRecording(app, w, 0) },
    ...alignments(app, w).map(({ kind, offset }) => ({ label: `Align by first ${kindName(kind).toLowerCase()}`, title: `The first one of ${w.name} on the first one of ${other!.name}`, hint: offsetText(offset), checked: Math.abs(offset - now) < 1e-4, disabled: off, run: () => shiftRecording(app, w, offset) })),
    { label: `Offset ${offsetText(now)}…`, title: "Shown so much later than recorded; the handle at the start of its track does the same", disabled: off, run: () => askText(at, "Offset in time, s", String(now), (typed) => {
      const value = parse(typed, "s");
      if (value === null) app.toast(`'${typed}' is no time; 2.5, -0.3 and 250 ms are`); else shiftRecording(app, w, value);
    }) }];
}
