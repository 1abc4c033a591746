// gestures.ts - what hands do on the timeline.
//
// Drag scrubs; Shift-drag draws a loop, its handles and bar move it; the wheel zooms at the pointer,
// Shift-wheel, a sideways wheel or dragging the ruler pans; a click on a mark goes there; a command's
// flag or a fork is dragged along its track (the world is simulated again), double-clicked to change
// its value, removed by Del.
import { fixed, parse, text, unitText } from "../base/units.ts";
import type { Event } from "../core/app.ts";
import { ask } from "../core/ask.ts";
import type { Core } from "../core/core.ts";
import { askText } from "../ui/asktext.ts";
import { h, menu } from "../ui/dom.ts";
import type { World } from "../wire/protocol.ts";
import { offsetText, shiftRecording } from "./align.ts";
import { kindName, tooltip, type Mark } from "./marks.ts";
import { thumb } from "./thumb.ts";
import { LEFT, MEASURES, RIGHT, RULER, Tracks } from "./tracks.ts";

type Drag = {
  kind: "scrub" | "pan" | "loop" | "loop-a" | "loop-b" | "loop-bar" | "move" | "shift";
  x: number;
  t: number;
  was: [number, number];
  moved: boolean;
  event?: Event;
  world?: number;
  playing: boolean;
};

export function goTo(app: Core, tracks: Tracks, e: Event): void {
  app.clock.seek(e.t);
  if (e.t < tracks.from || e.t > tracks.to) {
    const half = (tracks.to - tracks.from) / 2;
    tracks.show(e.t - half, e.t + half);
  }
  tracks.selected = e;
  if (e.vehicle && app.world(e.world)?.vehicles.some((v) => v.name === e.vehicle)) app.select(e.world, e.vehicle);
  app.emit("select", { event: e });
  app.speak(`${kindName(e.type)}, ${e.text || e.vehicle}, ${fixed(e.t, 2)} seconds`);
}

// The one command of a mark that can be moved; null: none, or several.
function movable(m: Mark): Event | null {
  const all = m.events.filter((e) => e.log >= 0);
  return all.length === 1 ? all[0] : null;
}

// Gestures -------------------------------------------------------------------------------------------
export class Gestures {
  private drag: Drag | null = null;
  constructor(
    private readonly app: Core,
    private readonly k: Tracks,
    private readonly canvas: HTMLCanvasElement,
    private readonly tip: HTMLElement,
  ) {
    canvas.addEventListener("pointerdown", (e) => this.down(e));
    canvas.addEventListener("pointermove", (e) => this.move(e));
    canvas.addEventListener("pointerup", (e) => this.up(e));
    canvas.addEventListener("pointercancel", () => {
      this.drag = null;
      this.k.moving = null;
    });
    canvas.addEventListener("pointerleave", () => {
      if (!this.drag) {
        this.k.hover = null;
        this.hideTip();
        this.app.touch();
      }
    });
    canvas.addEventListener("dblclick", (e) => this.double(e));
    canvas.addEventListener("wheel", (e) => this.wheel(e), { passive: false });
    canvas.addEventListener("keydown", (e) => this.key(e));
    canvas.addEventListener("contextmenu", (e) => this.context(e));
  }
  private at(e: MouseEvent): { x: number; y: number } {
    const r = this.canvas.getBoundingClientRect();
    return { x: e.clientX - r.left, y: e.clientY - r.top };
  }
  private markAt(x: number, y: number): { mark: Mark; world: number } | null {
    const track = this.k.trackAt(y);
    if (!track || y > track.y + 20) return null;
    for (const mark of this.k.marks.get(track.world.world) ?? [])
      if (Math.abs(mark.x - x) <= 8) return { mark, world: track.world.world };
    return null;
  }
  private forkAt(x: number, y: number): World | null {
    for (const { world, y: top, h: height } of this.k.tracks) {
      if (world.parent < 0 || world.parent === world.world) continue;
      const fx = this.k.x(world.fork);
      const parent = this.k.tracks.find((o) => o.world.world === world.parent);
      if (Math.abs(fx - x) <= 6 && y > (parent ? parent.y + parent.h - 6 : top) && y < top + height) return world;
    }
    return null;
  }
  // The handle at the start of a recording.
  private gripAt(x: number, y: number): World | null {
    const k = this.k.trackAt(y);
    return k &&
      k.world.kind === "replay" &&
      this.k.grips() &&
      x - this.k.x(k.world.start) > -4 &&
      x - this.k.x(k.world.start) < 14
      ? k.world
      : null;
  }
  private pick(x: number, y: number, e: PointerEvent): Pick<Drag, "kind" | "event" | "world"> {
    const loop = this.app.clock.loop;
    if (e.shiftKey) return { kind: "loop" };
    if (e.button === 1) return { kind: "pan" };
    if (loop && y > RULER - 10 && y < RULER + 6) {
      if (Math.abs(x - this.k.x(loop[0])) < 7) return { kind: "loop-a" };
      if (Math.abs(x - this.k.x(loop[1])) < 7) return { kind: "loop-b" };
      if (x > this.k.x(loop[0]) && x < this.k.x(loop[1]) && y > RULER - 6 && y < RULER + 2) return { kind: "loop-bar" };
    }
    const m = this.markAt(x, y);
    const command = m && movable(m.mark);
    if (m && command && this.may()) return { kind: "move", event: command, world: m.world };
    const grip = m ? null : this.gripAt(x, y);
    if (grip && this.may()) return { kind: "shift", world: grip.world };
    const fork = m ? null : this.forkAt(x, y);
    if (fork && this.may()) return { kind: "move", world: fork.world };
    if (y < RULER - 4 && !this.k.fit && Math.abs(x - this.k.x(this.app.clock.t)) > 24) return { kind: "pan" };
    return { kind: "scrub" };
  }
  private may(): boolean {
    return this.app.connected && !this.app.readOnly;
  }

  private down(e: PointerEvent): void {
    const { x, y } = this.at(e);
    if (e.button === 2 || x < LEFT - 12 || x > this.k.width - RIGHT + 40) return;
    this.canvas.setPointerCapture(e.pointerId);
    const c = this.app.clock;
    const hit = this.markAt(x, y);
    this.drag = {
      ...this.pick(x, y, e),
      x,
      t: this.k.t(x),
      was: c.loop ? [...c.loop] : [0, 0],
      moved: false,
      playing: c.playing,
    };
    if (this.drag.kind === "scrub") {
      if (hit) {
        this.drag.event = hit.mark.event;
        return;
      } // a click on a mark goes there; a drag scrubs
      if (c.playing) c.play(false);
      c.seek(this.k.t(x));
    }
  }
  private move(e: PointerEvent): void {
    const { x, y } = this.at(e);
    const d = this.drag;
    if (!d) {
      this.hoverAt(x, y, e);
      return;
    }
    if (Math.abs(x - d.x) > 3) d.moved = true;
    const c = this.app.clock;
    const t = this.bounded(this.k.t(x));
    if (d.kind === "scrub" && (d.moved || !d.event)) {
      if (c.playing) c.play(false);
      c.seek(t);
      this.k.hover = null;
      this.showTime(e, t);
    } else if (d.kind === "pan") {
      this.k.pan(d.t - this.k.t(x));
      this.app.touch();
    } else if (d.kind === "loop" && d.moved) c.setLoop(d.t, t);
    else if (d.kind === "loop-a") c.setLoop(Math.min(t, d.was[1] - 1e-3), d.was[1]);
    else if (d.kind === "loop-b") c.setLoop(d.was[0], Math.max(t, d.was[0] + 1e-3));
    else if (d.kind === "loop-bar" && d.moved) {
      const by = this.k.t(x) - d.t;
      c.setLoop(d.was[0] + by, d.was[1] + by);
    } else if (d.kind === "shift" && d.moved) {
      const w = this.app.world(d.world!)!;
      const by = this.k.t(x) - d.t;
      this.k.moving = { world: d.world!, t: w.start + by, end: w.end + by };
      this.showLines(e, [offsetText((w.offset ?? 0) + by), `${w.name} moves in time`]);
      this.app.touch();
    } else if (d.kind === "move" && d.moved) {
      this.k.moving = { world: d.world!, t };
      this.showTime(e, t);
      this.app.touch();
    }
  }
  private up(e: PointerEvent): void {
    const d = this.drag;
    const { x } = this.at(e);
    this.drag = null;
    this.hideTip();
    if (!d) return;
    if (d.kind === "scrub" && d.event && !d.moved) goTo(this.app, this.k, d.event);
    else if (d.kind === "pan" && !d.moved) this.app.clock.seek(this.k.t(x));
    else if (d.kind === "shift") {
      this.k.moving = null;
      const w = this.app.world(d.world!);
      if (d.moved && w) shiftRecording(this.app, w, (w.offset ?? 0) + this.k.t(x) - d.t);
    } else if (d.kind === "move") {
      this.k.moving = null;
      if (d.moved) void this.moveEntry(d.world!, d.event, this.bounded(this.k.t(x)));
      else if (d.event) goTo(this.app, this.k, d.event);
      else this.app.clock.seek(this.app.world(d.world!)!.fork);
    }
  }
  private bounded(t: number): number {
    return Math.min(this.app.clock.end, Math.max(this.app.clock.start, t));
  }

  // A command's entry, or the one that made the fork, at another instant.
  private async moveEntry(world: number, event: Event | undefined, t: number): Promise<void> {
    let index = event?.log ?? -1;
    if (!event) {
      const fork = this.app.world(world)?.fork ?? 0;
      const log = await ask(this.app, "log", { world });
      index =
        (log?.entries ?? []).find((o) => Math.abs(o.t - fork) < 0.5 * (this.app.world(world)?.step ?? 0.01) + 1e-6)
          ?.index ?? -1;
      if (index < 0) {
        this.app.toast("Nothing was changed at this fork, so there is nothing to move");
        return;
      }
    }
    const done = await ask(this.app, "log_move", { world, index, t });
    if (done) {
      this.app.store.cut(world, Math.min(t, event?.t ?? this.app.world(world)?.fork ?? 0));
      this.app.toast(`Moved to ${fixed(t, 2)} s`, { label: "Undo", run: () => this.app.run("undo") });
    }
  }
  private async editEntry(world: number, index: number, at: { x: number; y: number }): Promise<void> {
    const log = await ask(this.app, "log", { world });
    const entry = log?.entries.find((o) => o.index === index);
    if (!entry) return;
    if (typeof entry.value !== "number") {
      this.app.toast(`${entry.text || entry.event} has no value to change`);
      return;
    }
    const unit = this.unitOf(entry.param ?? "");
    askText(
      at,
      `${entry.param || entry.event}${unit ? `, ${unitText(unit)}` : ""} at ${fixed(entry.t, 2)} s`,
      String(entry.value),
      (typed) => {
        const value = parse(typed, unit || "-");
        if (value === null) {
          this.app.toast(`'${typed}' is not a number${unit ? ` in ${unit}` : ""}`);
          return;
        }
        void ask(
          this.app,
          "log_change",
          { world, index, value },
          `${entry.param || entry.event} is ${text(value, unit)} from ${fixed(entry.t, 2)} s on`,
        ).then(() => this.app.store.cut(world, entry.t));
      },
    );
  }
  private unitOf(param: string): string {
    for (const t of [...this.app.tables, ...this.app.laws]) {
      const r = t.rows.find((o) => o.name === param);
      if (r) return r.unit;
    }
    return "";
  }
  removeSelected(): boolean {
    const e = this.k.selected;
    if (!e || e.log < 0 || !this.may()) return false;
    void ask(this.app, "log_remove", { world: e.world, index: e.log }).then((done) => {
      if (!done) return;
      this.app.store.cut(e.world, e.t);
      this.k.selected = null;
      this.app.toast(`Removed: ${e.text}`, { label: "Undo", run: () => this.app.run("undo") });
    });
    return true;
  }
  private key(e: KeyboardEvent): void {
    if ((e.key === "Delete" || e.key === "Backspace") && this.removeSelected()) {
      e.preventDefault();
      e.stopPropagation();
    }
    if (e.key === "Enter" && this.k.selected && this.k.selected.log >= 0) {
      const r = this.canvas.getBoundingClientRect();
      void this.editEntry(this.k.selected.world, this.k.selected.log, {
        x: r.left + this.k.x(this.k.selected.t),
        y: r.top,
      });
      e.preventDefault();
    }
  }
  private double(e: MouseEvent): void {
    const { x, y } = this.at(e);
    const m = this.markAt(x, y);
    const fork = m ? null : this.forkAt(x, y);
    if (m && m.mark.count > 1) {
      const ts = m.mark.events.map((o) => o.t);
      const pad = Math.max(0.01, (Math.max(...ts) - Math.min(...ts)) * 0.5);
      this.k.show(Math.min(...ts) - pad, Math.max(...ts) + pad);
      this.app.touch();
      return;
    }
    if (m && m.mark.event.log >= 0) {
      void this.editEntry(m.world, m.mark.event.log, { x: e.clientX, y: e.clientY });
      return;
    }
    if (!fork) return;
    void ask(this.app, "log", { world: fork.world }).then((log) => {
      const entry = log?.entries.find((o) => Math.abs(o.t - fork.fork) < 0.5 * fork.step + 1e-6);
      if (entry) void this.editEntry(fork.world, entry.index, { x: e.clientX, y: e.clientY });
    });
  }
  private context(e: MouseEvent): void {
    const { x, y } = this.at(e);
    const m = this.markAt(x, y);
    const t = this.bounded(this.k.t(x));
    const app = this.app;
    e.preventDefault();
    const at = { x: e.clientX, y: e.clientY };
    menu(
      at,
      [
        ...(m && m.mark.event.log >= 0
          ? [
              {
                label: "Change the value…",
                disabled: !this.may(),
                run: () => void this.editEntry(m.world, m.mark.event.log, at),
              },
              {
                label: "Remove",
                hint: "Del",
                disabled: !this.may(),
                run: () => {
                  this.k.selected = m.mark.event;
                  this.removeSelected();
                },
              },
              "-" as const,
            ]
          : []),
        { label: `Go to ${fixed(t, 2)} s`, run: () => app.clock.seek(t) },
        {
          label: `Branch at ${fixed(t, 2)} s`,
          hint: "B",
          disabled: !this.may(),
          run: () => {
            app.clock.seek(t);
            app.run("branch");
          },
        },
        {
          label: "Loop from here",
          hint: "I",
          run: () => {
            app.clock.seek(t);
            app.run("loop.in");
          },
        },
        {
          label: "Loop to here",
          hint: "O",
          run: () => {
            app.clock.seek(t);
            app.run("loop.out");
          },
        },
        { label: "Fit the whole run", hint: "F", run: () => app.run("fit") },
      ],
      "Timeline",
    );
  }
  private wheel(e: WheelEvent): void {
    e.preventDefault();
    const { x } = this.at(e);
    const span = this.k.to - this.k.from;
    const unit = e.deltaMode === 1 ? 16 : 1;
    if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY))
      this.k.pan(
        ((e.shiftKey && !e.deltaX ? e.deltaY : e.deltaX) * unit * span) / Math.max(1, this.k.width - LEFT - RIGHT),
      );
    else this.k.zoom(this.bounded(this.k.t(x)), Math.exp(e.deltaY * unit * 0.002));
    this.app.touch();
  }

  // Hover: the time, what is at that place, and a small picture of the road at that time.
  private hoverAt(x: number, y: number, e: PointerEvent): void {
    const inside = x >= LEFT && x <= this.k.width - RIGHT;
    const m = this.markAt(x, y);
    const fork = this.forkAt(x, y);
    const loop = this.app.clock.loop;
    this.k.hover = inside ? { x, world: this.k.trackAt(y)?.world.world ?? -1, mark: m?.mark ?? null } : null;
    const handle =
      loop &&
      y > RULER - 10 &&
      y < RULER + 6 &&
      (Math.abs(x - this.k.x(loop[0])) < 7 || Math.abs(x - this.k.x(loop[1])) < 7);
    this.canvas.style.cursor =
      handle || fork || (!m && this.gripAt(x, y)) || (m && movable(m.mark))
        ? "ew-resize"
        : m
          ? "pointer"
          : inside
            ? "text"
            : "default";
    if (!inside) {
      this.hideTip();
      return;
    }
    if (m) this.showLines(e, tooltip(m.mark));
    else this.showTime(e, this.k.t(x));
  }
  private showLines(e: PointerEvent, lines: string[]): void {
    this.tip.replaceChildren(...lines.map((l, i) => h(i ? "div" : "b", null, l)));
    this.placeTip(e);
  }
  private shownTime = NaN; // s, of the tip
  private showTime(e: PointerEvent, t: number, again = false): void {
    if (again && this.shownTime !== t) return;
    this.shownTime = t;
    const { app, k } = this;
    const lines = [h("b", null, `${k.flagText(t)} s`)] as Node[];
    const m = MEASURES.find((o) => o.measure === k.measure)!;
    for (const { world } of k.tracks) {
      const v = k.value(world.world, t);
      if (t >= world.start && t <= world.end)
        lines.push(
          h(
            "div",
            { class: "tl-tiprow" },
            h(
              "span",
              { class: "badge", style: `background:var(${app.worldList.token(world.world)})` },
              app.letter(world.world),
            ),
            Number.isNaN(v) ? "–" : text(v, m.unit, m.measure === "energy" ? 0 : 2),
            thumb(app, world, t, () => {
              if (this.shownTime === t && !this.tip.classList.contains("hidden")) this.showTime(e, t, true);
            }),
          ),
        );
    }
    this.tip.replaceChildren(...lines);
    this.placeTip(e);
  }
  private placeTip(e: PointerEvent): void {
    this.tip.classList.remove("hidden");
    const r = this.canvas.getBoundingClientRect();
    const w = this.tip.offsetWidth;
    this.tip.style.left = `${Math.max(8, Math.min(innerWidth - w - 8, e.clientX - w / 2))}px`;
    this.tip.style.top = `${r.top - this.tip.offsetHeight - 8}px`;
  }
  private hideTip(): void {
    this.shownTime = NaN;
    this.tip.classList.add("hidden");
  }
}
