// align.ts - a recording next to other worlds: moved in time by hand, by a number, or so that one of
// its events coincides with the same event of another world.
import { figures, parse, signed } from "../base/units.ts";
import { ask } from "../core/ask.ts";
import type { Core } from "../core/core.ts";
import { askText } from "../ui/asktext.ts";
import type { Item } from "../ui/dom.ts";
import type { World } from "../wire/protocol.ts";
import { kindName, type Kind } from "./marks.ts";

const KINDS: Kind[] = ["brake", "throttle", "collision", "jerk"];

export const offsetText = (s: number): string => `${signed(s, Math.abs(s) < 10 ? 2 : 1)} s`;

export function shiftRecording(app: Core, w: World, offset: number): void {
  const rounded = Number(offset.toFixed(4));
  const words =
    rounded === 0
      ? "at its own times"
      : `${figures(Math.abs(rounded), 4)} s ${rounded > 0 ? "later" : "earlier"} than recorded`;
  void ask(app, "worlds", { op: "shift", world: w.world, offset: rounded }, `${w.name} is shown ${words}`);
}

// The world it is laid against: the first other one that is shown.
function against(app: Core, w: World): World | undefined {
  return app.shown().find((o) => o.world !== w.world);
}

// Kinds of events that both have, with the offset that puts the first of one on the first of the other.
export function alignments(app: Core, w: World): { kind: Kind; offset: number }[] {
  const other = against(app, w);
  if (!other) return [];
  return KINDS.flatMap((kind) => {
    const own = app.events(w.world).find((e) => e.type === kind);
    const theirs = app.events(other.world).find((e) => e.type === kind);
    return own && theirs ? [{ kind, offset: (w.offset ?? 0) + theirs.t - own.t }] : [];
  });
}

export function alignItems(at: Element | { x: number; y: number }, app: Core, w: World): (Item | "-")[] {
  if (w.kind !== "replay") return [];
  const off = !app.connected || app.readOnly;
  const now = w.offset ?? 0;
  const other = against(app, w);
  return [
    "-",
    {
      label: "Align by time",
      title: "At the times of the file",
      checked: now === 0,
      disabled: off,
      run: () => shiftRecording(app, w, 0),
    },
    ...alignments(app, w).map(({ kind, offset }) => ({
      label: `Align by first ${kindName(kind).toLowerCase()}`,
      title: `The first one of ${w.name} on the first one of ${other!.name}`,
      hint: offsetText(offset),
      checked: Math.abs(offset - now) < 1e-4,
      disabled: off,
      run: () => shiftRecording(app, w, offset),
    })),
    {
      label: `Offset ${offsetText(now)}…`,
      title: "How much later than recorded it is shown; the handle at the start of its track does the same",
      disabled: off,
      run: () =>
        askText(at, "Offset in time, s", String(now), (typed) => {
          const value = parse(typed, "s");
          if (value === null) app.toast(`'${typed}' is not a time; expected for example 2.5, -0.3 or 250 ms`);
          else shiftRecording(app, w, value);
        }),
    },
  ];
}
