// ledger.ts - the Ledger card: where the energy of a collision goes, over its milliseconds. Stacked
// areas: motion, elastic, damped, crushed, friction. The last collision before the playhead of the
// selected world (or the first world) is shown.
import { figures, fixed } from "../base/units.ts";
import type { App, Event, Part } from "../core/app.ts";
import { onChange } from "../core/trying.ts";
import { Axis, Face, TAG_FONT, colours, drawGrid, text, watch } from "../draw/chart.ts";
import { hatch } from "../draw/paint.ts";
import type { LedgerRow } from "../wire/protocol.ts";
import type { CardFrame } from "./card.ts";

const PARTS = ["kinetic", "elastic", "damped", "crushed", "friction"] as const;

export function makeLedger(frame: CardFrame, app: App): Part {
  return new Ledger(frame, app);
}

class Ledger implements Part {
  private readonly face: Face;
  private rows: LedgerRow[] = [];
  private shown = "";
  private reason = "no collision yet";
  private dirty = true;
  private readonly x = new Axis(0, 1, 0, 1);
  private readonly y = new Axis(0, 1, 0, 1);
  private readonly off: (() => void)[] = [];

  constructor(
    private readonly frame: CardFrame,
    private readonly app: App,
  ) {
    this.face = new Face(frame.body, "Energy ledger");
    this.off.push(
      watch(app, frame.body, () => {
        this.dirty = true;
      }),
      app.on("worlds", () => {
        this.shown = "";
      }),
      onChange(app, () => {
        this.shown = "";
      }),
    );
  }

  // The collision to show: world and its number among the world's collisions.
  private pick(t: number): { world: number; index: number; event: Event } | null {
    const order = this.app
      .shown()
      .map((w) => w.world)
      .sort((p, q) => Number(q === this.app.selection?.world) - Number(p === this.app.selection?.world));
    for (const world of order) {
      const hits = this.app.events(world).filter((e) => e.type === "collision");
      for (let i = hits.length - 1; i >= 0; i--)
        if (hits[i]!.t <= t + 1e-9 || i === 0) return { world, index: i, event: hits[i]! };
    }
    return null;
  }

  private ask(world: number, index: number, event: Event): void {
    this.app
      .ask("collision", { world, index })
      .then((a) => this.take(a.collision?.ledger ?? [], event))
      .catch((e: Error) => {
        this.rows = [];
        this.reason = e.message;
        this.dirty = true;
      });
  }

  private take(rows: LedgerRow[], event: Event): void {
    this.rows = rows;
    this.frame.note.textContent = `${event.vehicle} into ${event.other}, ${fixed(event.t, 3)} s`;
    this.reason = "no ledger of this collision";
    this.dirty = true;
    this.app.touch();
  }

  draw(t: number): void {
    if (!this.face.canvas.clientHeight) return;
    const pick = this.pick(t);
    const key = pick ? `${pick.world}/${pick.index}/${pick.event.t}` : "none";
    if (key !== this.shown) {
      this.shown = key;
      this.dirty = true;
      if (pick) this.ask(pick.world, pick.index, pick.event);
      else {
        this.rows = [];
        this.frame.note.textContent = "";
      }
    }
    if (!this.dirty || !this.face.fit()) return;
    this.dirty = false;
    this.paint();
  }

  private paint(): void {
    const g = this.face.g;
    const c = colours();
    const left = 46;
    const right = this.face.width - 96;
    const top = 14;
    const bottom = this.face.height - 24;
    const rows = this.rows;
    if (rows.length < 2)
      return text(g, this.reason, this.face.width / 2, this.face.height / 2, c.ink3, "center", TAG_FONT);
    let max = 0;
    for (const r of rows)
      max = Math.max(
        max,
        PARTS.reduce((sum, p) => sum + (r[p] ?? 0), 0),
      );
    const t0 = rows[0]!.t;
    const t1 = rows[rows.length - 1]!.t;
    this.x.set(0, (t1 - t0) * 1e3, left, right);
    this.y.set(0, (max * 1.05) / 1e3, bottom, top);
    const fills = [c.a, c.d, c.c, hatch(g, c.danger), c.ink3];
    const sum = new Float64Array(rows.length);
    PARTS.forEach((p, k) => this.band(rows, sum, p, fills[k]!, t0));
    drawGrid(g, this.x, this.y, "ms", 22, "kJ");
    const last = rows[rows.length - 1]!;
    PARTS.forEach((p, k) => {
      const y = top + 8 + k * 26;
      g.fillStyle = fills[k]!;
      g.fillRect(right + 10, y - 5, 9, 9);
      text(g, p, right + 24, y, c.ink2, "left", TAG_FONT);
      text(g, `${figures((last[p] ?? 0) / 1e3, 3)} kJ`, right + 24, y + 11, c.ink3);
    });
  }

  private band(
    rows: LedgerRow[],
    sum: Float64Array,
    part: (typeof PARTS)[number],
    style: string | CanvasPattern,
    t0: number,
  ): void {
    const g = this.face.g;
    g.beginPath();
    rows.forEach((r, k) => g.lineTo(this.x.pixel((r.t - t0) * 1e3), this.y.pixel(sum[k]! / 1e3)));
    for (let k = rows.length - 1; k >= 0; k--) {
      sum[k] = sum[k]! + (rows[k]![part] ?? 0);
      g.lineTo(this.x.pixel((rows[k]!.t - t0) * 1e3), this.y.pixel(sum[k]! / 1e3));
    }
    g.fillStyle = style;
    g.globalAlpha = 0.75;
    g.fill();
    g.globalAlpha = 1;
  }

  destroy(): void {
    for (const off of this.off) off();
  }
}
