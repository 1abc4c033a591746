// collision.ts - the collision report in the inspector's place, and the cards of its energy and its
// force under the 3-D view. "Branch 2 s before" starts a world in which it can be avoided.

import { figures } from "../base/units.ts";
import type { App, Part } from "../core/app.ts";
import { rosterOf } from "../core/roster.ts";
import { alpha, fit, FONT, niceAbove, palette, plain, sheet, type Sheet } from "../draw/paint.ts";
import { fill, h } from "../ui/dom.ts";
import { icon } from "../ui/icons.ts";
import { LEDGER, LEDGER_WORDS, powerText, readCollision, type Collision, type LedgerPart } from "./collisiondata.ts";

export interface CollisionPart extends Part {
  show(visible: boolean): void;
  set(world: number, index: number): void;
}

const COLOUR: Record<LedgerPart, string> = {
  kinetic: "var(--a)",
  elastic: "var(--b)",
  damped: "var(--manual)",
  crushed: "var(--danger)",
  friction: "var(--d)",
};

// The report. set(world, index) chooses the collision; -1: none.
export function mountCollision(host: HTMLElement, app: App): CollisionPart {
  return new Report(host, app);
}

class Report implements CollisionPart {
  private key = "";
  private world = -1;
  private index = -1;
  private body: HTMLElement;
  data: Collision | null = null;

  constructor(
    host: HTMLElement,
    private app: App,
  ) {
    this.body = h("div", { class: "cr", role: "region", "aria-label": "Collision report", tabindex: -1 });
    host.append(this.body);
  }

  show(visible: boolean): void {
    this.body.hidden = !visible;
  }

  set(world: number, index: number): void {
    const w = this.app.world(world);
    const key = w ? `${world}/${index}/${w.version}` : "";
    if (key === this.key) return;
    this.key = key;
    this.world = world;
    this.index = index;
    if (!w || index < 0) {
      this.body.replaceChildren();
      return;
    }
    this.app.ask("collision", { world, index }).then(
      (a) => {
        if (this.key === key && a.collision) this.fill(readCollision(a.collision, w.road.lane_width));
      },
      (e: Error) => {
        if (this.key === key)
          this.body.replaceChildren(this.head("Collision report", ""), h("p", { class: "cr-none" }, e.message));
      },
    );
  }

  private head(title: string, note: string): HTMLElement {
    return h(
      "header",
      { class: "cr-head" },
      h("span", { class: "cr-mark", "aria-hidden": "true" }, icon("warn")),
      h("div", null, h("h2", null, title), h("span", { class: "mut" }, note)),
    );
  }

  // "car3" as "A3, town_car".
  private who(name: string): string {
    const w = this.app.world(this.world);
    const roster = w ? rosterOf(this.app, w) : null;
    const slot = roster ? roster.slotOf(name) : -1;
    return roster && slot >= 0 ? `${roster.labels[slot]}, ${roster.vehicles[slot]!.model}` : name;
  }

  private fill(c: Collision): void {
    this.data = c;
    const row = (name: string, value: string, unit = ""): HTMLElement =>
      h("div", null, h("dt", null, name), h("dd", null, h("b", null, value), h("i", null, unit)));
    const known = (v: number, element: HTMLElement): HTMLElement | null => (Number.isFinite(v) ? element : null);
    const kN = (v: number): string => figures(v / 1000, 3);
    fill(
      this.body,
      this.head("Collision report", `t = ${plain(c.t, 3)} s, lane ${c.lane}, s = ${plain(c.place, 0)} m`),
      list(
        row("Struck", this.who(c.struck)),
        row("Striking", this.who(c.striking)),
        row("Closing speed", plain(c.closing, 2), "m/s"),
        known(c.offset, row("Offset", plain(c.offset, 2), "m")),
        known(c.duration, row("Contact lasted", plain(c.duration * 1000, 1), "ms")),
        known(c.impacts, row("Micro-impacts", plain(c.impacts, 0))),
        known(c.separation, row("Separation speed", plain(c.separation, 2), "m/s")),
        known(c.restitution, row("Restitution", plain(c.restitution, 2), "–")),
      ),
      list(
        row("Impulse", kN(c.impulse), "kN s"),
        known(c.hardest, row("Hardest impact", kN(c.hardest), "kN s")),
        known(c.peak, row(`Peak force over ${plain(c.forceStep * 1000, 0)} ms`, kN(c.peak), "kN")),
        known(c.deltaStruck, row("Δv of the struck", plain(c.deltaStruck, 2), "m/s")),
        known(c.deltaStriking, row("Δv of the striking", plain(c.deltaStriking, 2), "m/s")),
      ),
      this.went(c),
      list(
        known(c.momentumError, row("Momentum error", powerText(c.momentumError), "–")),
        known(c.energyError, row("Energy error", powerText(c.energyError), "–")),
      ),
      h(
        "div",
        { class: "cr-acts" },
        h(
          "button",
          {
            type: "button",
            class: "btn",
            title: "A world from two seconds before the first touch",
            onclick: () => this.branch(c),
          },
          "Branch 2 s before",
        ),
        h(
          "button",
          { type: "button", class: "btn", title: "The report as a JSON file", onclick: () => this.save(c) },
          "Export",
        ),
      ),
    );
  }

  private went(c: Collision): HTMLElement | null {
    if (!c.went.length) return null;
    const bar = h("div", {
      class: "cr-bar",
      role: "img",
      "aria-label": c.went.map((p) => `${p.name} ${Math.round(100 * p.share)} %`).join(", "),
    });
    for (const p of c.went) {
      const i = h("i");
      i.style.flexGrow = String(p.share);
      i.style.background = COLOUR[p.part];
      bar.append(i);
    }
    const rows = c.went.map((p) => {
      const key = h("i", { class: "cr-key" });
      key.style.background = COLOUR[p.part];
      return h(
        "div",
        null,
        h("dt", null, key, p.name),
        h("dd", null, h("b", null, figures(p.energy / 1000, 3)), h("i", null, "kJ")),
      );
    });
    return h(
      "section",
      { class: "cr-list" },
      h("h3", null, `Where ${figures(c.before / 1000, 4)} kJ went`),
      bar,
      h("dl", null, ...rows),
    );
  }

  private branch(c: Collision): void {
    const app = this.app;
    const world = this.world;
    const at = Math.max(app.world(world)?.start ?? 0, c.t - 2);
    app.clock.play(false);
    app.clock.seek(at);
    app.change("branch", { world, at, name: "before the hit" }).then(
      () => app.layout.set({ view: "road" }),
      () => undefined,
    );
  }

  private save(c: Collision): void {
    const url = URL.createObjectURL(new Blob([JSON.stringify(c, null, 1)], { type: "application/json" }));
    const a = h("a", { href: url, download: `collision-${this.index + 1}.json` });
    document.body.append(a);
    a.click();
    a.remove();
    URL.revokeObjectURL(url);
  }
}

function list(...rows: (HTMLElement | null)[]): HTMLElement | null {
  const there = rows.filter((r): r is HTMLElement => r !== null);
  return there.length ? h("section", { class: "cr-list" }, h("dl", null, ...there)) : null;
}

// ---- the two cards below ----

// Energy ledger and contact force side by side, instead of the instruments.
export function mountCollisionCards(host: HTMLElement, app: App): CollisionPart {
  const ledger = card("Energy ledger", "kJ, relative motion of the pair");
  const force = card("Contact force", "kN");
  host.append(ledger.card, force.card);
  const one = new Chart(ledger.body, "Energy over time", drawLedger);
  const two = new Chart(force.body, "Contact force over time", drawForce);
  let key = "";
  return {
    draw(t) {
      one.draw(t);
      two.draw(t);
    },
    show(visible) {
      host.classList.toggle("hidden", !visible);
    },
    set(world, index) {
      const w = app.world(world);
      const next = w ? `${world}/${index}/${w.version}` : "";
      if (next === key || !w || index < 0) return;
      key = next;
      app.ask("collision", { world, index }).then(
        (a) => {
          if (key === next && a.collision) {
            one.set(readCollision(a.collision, w.road.lane_width), "");
            two.set(one.data, "");
            app.emit("frame");
          }
        },
        (e: Error) => {
          one.set(null, e.message);
          two.set(null, e.message);
        },
      );
    },
  };
}

function card(title: string, note: string): { card: HTMLElement; body: HTMLElement } {
  const body = h("div", { class: "cd-body" });
  return {
    card: h(
      "article",
      { class: "card cd-card", "aria-label": title },
      h("header", { class: "cd-head" }, h("h3", { class: "cd-title" }, title), h("span", { class: "cd-note" }, note)),
      body,
    ),
    body,
  };
}

// Scales of a chart in ms from the first touch, px.
interface Scales {
  from: number;
  to: number;
  x(ms: number): number;
  y(v: number): number;
  left: number;
  right: number;
  top: number;
  bottom: number;
  max: number;
}
type Painter = (c: CanvasRenderingContext2D, d: Collision, s: (max: number, right: number) => Scales) => void;

class Chart {
  data: Collision | null = null;
  private paper: Sheet;
  private why = "…";

  constructor(
    private body: HTMLElement,
    label: string,
    private paint: Painter,
  ) {
    const canvas = h("canvas", { role: "img", "aria-label": label });
    body.append(canvas);
    this.paper = sheet(canvas);
  }

  set(data: Collision | null, why: string): void {
    this.data = data;
    this.why = why;
  }

  draw(t: number): void {
    if (!fit(this.paper, this.body.clientWidth, this.body.clientHeight)) return;
    const c = this.paper.ctx;
    const p = palette();
    const { w, h: hgt } = this.paper;
    const d = this.data;
    c.clearRect(0, 0, w, hgt);
    if (!d || !d.ledger.length) {
      c.font = FONT.small;
      c.fillStyle = p.ink3;
      c.textAlign = "center";
      c.textBaseline = "middle";
      c.fillText(d ? "nothing is known of this collision's energy" : this.why, w / 2, hgt / 2);
      return;
    }
    const span = Math.max(5, d.duration * 1000);
    const from = -0.2 * span;
    const to = 1.25 * span;
    let made: Scales | null = null;
    this.paint(c, d, (max, right) => {
      const left = 44;
      const top = 10;
      const bottom = hgt - 22;
      const end = w - right;
      made = {
        from,
        to,
        left,
        right: end,
        top,
        bottom,
        max,
        x: (ms) => left + ((ms - from) / (to - from)) * (end - left),
        y: (v) => bottom - (v / max) * (bottom - top),
      };
      grid(c, made);
      return made;
    });
    const s = made as Scales | null;
    const now = (t - d.t) * 1000;
    if (s && now >= from && now <= to) {
      c.fillStyle = p.ink;
      c.fillRect(s.x(now) - 0.75, s.top, 1.5, s.bottom - s.top);
    }
  }
}

function grid(c: CanvasRenderingContext2D, s: Scales): void {
  const p = palette();
  c.font = FONT.axis;
  c.textBaseline = "middle";
  c.textAlign = "right";
  for (let k = 0; k <= 4; k++) {
    const v = (s.max * k) / 4;
    c.fillStyle = p.line;
    c.fillRect(s.left, Math.round(s.y(v)), s.right - s.left, 1);
    c.fillStyle = p.ink3;
    c.fillText(String(Number(v.toPrecision(3))), s.left - 6, s.y(v));
  }
  const step = niceAbove((s.to - s.from) / 6);
  c.textAlign = "center";
  for (let v = Math.ceil(s.from / step) * step; v <= s.to; v += step)
    c.fillText(Math.abs(v) < 1e-9 ? "0 ms" : String(Number(v.toPrecision(4))).replace("-", "−"), s.x(v), s.bottom + 12);
}

// Stacked from below: friction, crushing, damping, vibration, motion.
const drawLedger: Painter = (c, d, scales) => {
  const p = palette();
  const rows = d.ledger;
  const parts = [...LEDGER].reverse();
  const colour: Record<LedgerPart, string> = {
    kinetic: p.worlds[0]!,
    elastic: p.worlds[1]!,
    damped: p.manual,
    crushed: p.danger,
    friction: p.worlds[3]!,
  };
  let max = 0;
  for (const r of rows)
    max = Math.max(
      max,
      parts.reduce((sum, k) => sum + Math.max(0, r[k]), 0),
    );
  const s = scales(niceAbove(max / 1000), 150);
  const base = new Float64Array(rows.length + 2);
  const at = (k: number): number => (k === 0 ? s.from : k > rows.length ? s.to : (rows[k - 1]!.t - d.t) * 1000);
  const row = (k: number) => rows[Math.max(0, Math.min(rows.length - 1, k - 1))]!;
  for (const part of parts) {
    c.beginPath();
    for (let k = 0; k < base.length; k++) c.lineTo(s.x(at(k)), s.y(base[k]!));
    for (let k = base.length - 1; k >= 0; k--) {
      base[k] = base[k]! + Math.max(0, row(k)[part]) / 1000;
      c.lineTo(s.x(at(k)), s.y(base[k]!));
    }
    c.fillStyle = colour[part];
    c.fill();
  }
  const last = rows[rows.length - 1]!;
  [...parts]
    .reverse()
    .filter((k) => rows.some((r) => r[k] > 1e-6))
    .forEach((k, n) => {
      const y = s.top + 8 + n * 32;
      c.fillStyle = colour[k];
      c.fillRect(s.right + 12, y - 5, 9, 9);
      c.textAlign = "left";
      c.textBaseline = "middle";
      c.font = FONT.small;
      c.fillStyle = p.ink;
      c.fillText(LEDGER_WORDS[k], s.right + 27, y);
      c.fillStyle = p.ink3;
      c.fillText(`${figures(last[k] / 1000, 3)} kJ`, s.right + 27, y + 13);
    });
};

// Impulses have no duration: the force is their sum over a step, drawn as steps.
const drawForce: Painter = (c, d, scales) => {
  const p = palette();
  const half = Math.max(0.5, (d.forceStep || 1e-3) * 500);
  let max = 1;
  for (const r of d.force) max = Math.max(max, r.force / 1000);
  const s = scales(niceAbove(max), 14);
  c.beginPath();
  for (const r of d.force) {
    const ms = (r.t - d.t) * 1000;
    c.lineTo(s.x(ms - half), s.y(0));
    c.lineTo(s.x(ms - half), s.y(r.force / 1000));
    c.lineTo(s.x(ms + half), s.y(r.force / 1000));
    c.lineTo(s.x(ms + half), s.y(0));
  }
  c.fillStyle = alpha(p.danger, 0.2);
  c.fill();
  c.strokeStyle = p.danger;
  c.lineWidth = 1.8;
  c.stroke();
  c.font = FONT.smallBold;
  c.fillStyle = p.danger;
  c.textAlign = "right";
  c.textBaseline = "top";
  c.fillText(`impulse ${figures(d.impulse / 1000, 3)} kN s`, s.right, s.top + 2);
};
