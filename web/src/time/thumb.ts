// thumb.ts - the road at another instant, small: shown beside the pointer on the timeline.
//
// From the frames the page has; where it has none near, two rows are asked for and `again` is called
// when they are here. One question at a time; the newest one is asked next, those between are not.
import type { Core } from "../core/core.ts";
import { rosterOf } from "../core/roster.ts";
import { colours } from "../draw/chart.ts";
import { choice } from "../scene/options.ts";
import { h } from "../ui/dom.ts";
import type { Frame } from "../wire/frame.ts";
import type { World } from "../wire/protocol.ts";

const WIDE = 176;
const HIGH = 26;
const NEAR = 0.3; // px, px, s
const canvases = new Map<number, HTMLCanvasElement>();
let asking = false;
let next: (() => void) | null = null; // shows the instant that was pointed at meanwhile

export function thumb(app: Core, w: World, t: number, again: () => void): Node | null {
  const f = app.frame(w.world, t);
  const of = historyOf(app, w, t);
  const at = f !== null && near(app, of, t);
  if (!at) fetchRows(app, of, t, again);
  if (!f || !f.n) return null;
  let canvas = canvases.get(w.world);
  if (!canvas)
    canvases.set(
      w.world,
      (canvas = h("canvas", { class: "tl-thumb", width: 2 * WIDE, height: 2 * HIGH, "aria-hidden": "true" })),
    );
  canvas.classList.toggle("waiting", !at);
  draw(app, w, f, canvas.getContext("2d")!);
  return canvas;
}

// The world whose history it is at t: before its fork a branch is its parent.
function historyOf(app: Core, w: World, t: number): World {
  let of = w;
  for (let n = 0; n < 64 && t < of.fork && of.parent >= 0 && of.parent !== of.world; n++) {
    const p = app.world(of.parent);
    if (!p) break;
    of = p;
  }
  return of;
}
// A stored frame is near, so that interpolation between two of them is accurate.
function near(app: Core, of: World, t: number): boolean {
  const before = app.store.neighbour(of.world, t + 1e-7, -1);
  const after = app.store.neighbour(of.world, t - 1e-7, 1);
  return (
    Math.min(before === null ? Infinity : t - before, after === null ? Infinity : after - t) <= Math.max(NEAR, of.row)
  );
}

function fetchRows(app: Core, of: World, t: number, again: () => void): void {
  if (!app.connected) return;
  if (asking) {
    next = again;
    return;
  }
  asking = true;
  const row = of.row || 0.02;
  void app.store.overview(of.world, Math.max(of.start, t - row), Math.min(of.end, t + row), 3).finally(() => {
    asking = false;
    const show = next ?? again;
    next = null;
    show();
  });
}

// The whole platoon, front at the right; cars beyond the error limit in the danger colour, a tick where
// each should be.
function draw(app: Core, w: World, f: Frame, c: CanvasRenderingContext2D): void {
  const k = colours();
  const roster = rosterOf(app, w);
  const limit = choice(app, "errorLimit");
  let low = Infinity;
  let high = -Infinity;
  let right = Infinity;
  let left = -Infinity;
  const y = f.field("y");
  for (let i = 0; i < f.n; i++) {
    low = Math.min(low, f.x[i]!);
    high = Math.max(high, f.x[i]!);
    const side = y ? y[i]! : 0;
    right = Math.min(right, side);
    left = Math.max(left, side);
  }
  const scale = (WIDE - 4) / Math.max(60, high - low + 10);
  const across = Math.min(scale, (HIGH - 8) / Math.max(2, left - right + 2));
  c.setTransform(2, 0, 0, 2, 0, 0);
  c.clearRect(0, 0, WIDE, HIGH);
  c.fillStyle = k.sunk;
  c.beginPath();
  c.roundRect(0, 2, WIDE, HIGH - 4, 3);
  c.fill();
  const own = app.colour(w.world);
  for (let i = 0; i < f.n; i++) {
    const slot = roster.slot(f.id[i]!);
    const long = Math.max(3, (slot < 0 ? 5 : roster.length[slot]!) * scale);
    const wide = Math.max(4, (slot < 0 ? 2 : roster.width[slot]!) * across);
    const x = WIDE - 4 - (high - f.x[i]!) * scale - long / 2;
    const side = HIGH / 2 - ((y ? y[i]! : 0) - (left + right) / 2) * across;
    const error = f.s[i]! - f.x[i]!;
    c.fillStyle = Math.abs(error) > limit ? k.danger : own;
    c.fillRect(x - long / 2, side - wide / 2, long, wide);
    if (error === error) {
      c.fillStyle = k.ink2;
      c.fillRect(x + long / 2 + error * scale - 0.5, side - wide / 2 - 2.5, 1, wide + 5);
    }
  }
}
