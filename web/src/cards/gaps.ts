// gaps.ts - gaps: follower and leader in each lane, the gap with the desired one as a tick, closing speed, time to
// collision. Under the limit a row is red and hatched, and the shortest time is named in the card's head.
import type { App, Part } from "../core/app.ts";
import { Pace } from "../core/pace.ts";
import { rosterOf } from "../core/roster.ts";
import { plain, signed } from "../draw/paint.ts";
import { platoonColour } from "../scene/colour.ts";
import { planOf } from "../scene/plans.ts";
import { h } from "../ui/dom.ts";
import { pill, type CardFrame } from "./card.ts";
import { laneAt, looked } from "./lanedata.ts";

export const LIMIT = 4; // s, time to collision
const STEADY = 0.05; // m/s
const REACH = 400; // m from the car that is looked at

export interface Pair {
  follower: string;
  leader: string;
  back: number; // slots
  front: number;
  gap: number; // m
  desired: number; // m; NaN: none
  closing: number; // m/s, positive: the gap shrinks
  ttc: number; // s; Infinity: it does not
}

export function makeGaps(frame: CardFrame, app: App): Part {
  return new Gaps(frame, app);
}

class Gaps implements Part {
  private list = h("div", { class: "gp-list", role: "list", "aria-label": "Gaps" });
  private rows: HTMLElement[] = [];
  private pairs: Pair[] = [];
  private pace: Pace;
  private said = "";

  constructor(
    private frame: CardFrame,
    private app: App,
  ) {
    frame.body.append(
      h(
        "div",
        { class: "gp-head", "aria-hidden": "true" },
        h("span", null, "car"),
        h("span", null, "gap, m"),
        h("span", null, "closing"),
        h("span", null, "time to collision"),
      ),
      this.list,
      h(
        "div",
        { class: "gp-foot" },
        "❙ desired gap",
        h("span", { class: "grow" }),
        `closing in m/s, limit ${LIMIT}.0 s`,
      ),
    );
    this.pace = new Pace(app);
  }

  draw(): void {
    if (!this.list.clientHeight || !this.pace.due()) return;
    const room = Math.max(1, Math.floor(this.list.clientHeight / 23));
    this.pairs = pairsOf(this.app);
    this.head();
    const shown = this.most(room);
    while (this.rows.length < shown.length) this.rows.push(this.row(this.rows.length));
    this.rows.forEach((r, k) => {
      r.hidden = k >= shown.length;
      if (shown[k]) this.fill(r, shown[k]!);
    });
  }

  // All that fit, from the front; those under the limit are never left out.
  private most(room: number): Pair[] {
    if (this.pairs.length <= room) return this.pairs;
    const urgent = this.pairs.filter((p) => p.ttc < LIMIT).slice(0, room);
    const others = this.pairs.filter((p) => p.ttc >= LIMIT).slice(0, room - urgent.length);
    return this.pairs.filter((p) => urgent.includes(p) || others.includes(p));
  }

  private head(): void {
    let worst: Pair | null = null;
    for (const p of this.pairs) if (p.ttc < LIMIT && (!worst || p.ttc < worst.ttc)) worst = p;
    const text = worst ? `${worst.follower} to ${worst.leader} ${plain(worst.ttc, 1)} s` : "";
    if (text === this.said) return;
    this.said = text;
    this.frame.pills.replaceChildren(...(text ? [pill(text, "bad")] : []));
  }

  private row(k: number): HTMLElement {
    const r = h(
      "button",
      { class: "gp-row", type: "button", role: "listitem", "data-k": k },
      h("span", { class: "gp-cars" }, h("b"), h("span")),
      h("span", { class: "gp-bar" }, h("i"), h("u"), h("em")),
      h("span", { class: "gp-closing" }),
      h("span", { class: "gp-ttc" }),
    );
    r.addEventListener("click", () => {
      const w = this.app.current();
      const roster = w ? rosterOf(this.app, w) : null;
      const back = roster?.vehicles[Number(r.dataset["back"])];
      const front = roster?.vehicles[Number(r.dataset["front"])];
      if (!w || !back || !front) return;
      this.app.select(w.world, back.name);
      this.app.selectMore(w.world, front.name);
    });
    r.addEventListener("keydown", (e) => {
      const way = e.key === "ArrowDown" ? 1 : e.key === "ArrowUp" ? -1 : 0;
      const next = way ? this.rows[k + way] : null;
      if (!next || next.hidden) return;
      next.focus();
      e.preventDefault();
      e.stopPropagation();
    });
    this.list.append(r);
    return r;
  }

  private fill(r: HTMLElement, p: Pair): void {
    const w = this.app.current()!;
    const roster = rosterOf(this.app, w);
    const bad = p.ttc < LIMIT;
    const set = (q: string, t: string): void => {
      const e = r.querySelector(q)!;
      if (e.textContent !== t) e.textContent = t;
    };
    r.dataset["back"] = String(p.back);
    r.dataset["front"] = String(p.front);
    r.classList.toggle("gp-bad", bad);
    set(".gp-cars b", p.follower);
    set(".gp-cars span", ` → ${p.leader}`);
    const most = Math.max(25, 2 * (Number.isFinite(p.desired) ? p.desired : 12));
    const colour =
      roster.tagged[p.back] === 1 ? platoonColour(this.app, w.world, roster.platoon[p.back]!) : "var(--ink2)";
    const bar = r.querySelector<HTMLElement>(".gp-bar")!;
    const share = Math.max(0, Math.min(1, p.gap / most));
    const fill = r.querySelector<HTMLElement>(".gp-bar i")!;
    fill.style.width = `${100 * share}%`;
    fill.style.background = bad ? "" : colour;
    const tick = r.querySelector<HTMLElement>(".gp-bar u")!;
    tick.hidden = !Number.isFinite(p.desired);
    tick.style.left = `${100 * Math.min(1, Math.max(0, p.desired / most))}%`;
    bar.classList.toggle("gp-over", p.gap > most);
    set(".gp-bar em", plain(p.gap, 1));
    const inside = share > 0.7;
    r.querySelector<HTMLElement>(".gp-bar em")!.style.left = inside ? "" : `calc(${100 * share}% + 6px)`;
    r.querySelector<HTMLElement>(".gp-bar em")!.classList.toggle("gp-in", inside);
    set(".gp-closing", Math.abs(p.closing) < STEADY ? "0.0" : signed(p.closing, 1));
    const words =
      p.closing > STEADY ? `${plain(p.ttc, p.ttc < 100 ? 1 : 0)} s` : p.closing < -STEADY ? "opening" : "steady";
    set(".gp-ttc", words);
    r.setAttribute(
      "aria-label",
      `${p.follower} behind ${p.leader}: gap ${plain(p.gap, 1)} metres, ${words === "opening" || words === "steady" ? words : `time to collision ${words}`}`,
    );
  }
}

// Neighbours in each lane, from the front; near the car that is looked at.
export function pairsOf(app: App): Pair[] {
  const w = app.current();
  const f = w ? app.frame(w.world) : null;
  if (!w || !f || !f.n) return [];
  const plan = planOf(app, w);
  const roster = rosterOf(app, w);
  const y = f.field("y");
  const path = f.field("path");
  const v = f.field("v");
  const gap = f.field("gap");
  const middle = f.x[looked(app, w, f)]!;
  const cars: { i: number; lane: number; slot: number }[] = [];
  for (let i = 0; i < f.n; i++) {
    const slot = roster.slot(f.id[i]!);
    if (slot < 0 || Math.abs(f.x[i]! - middle) > REACH) continue;
    const on = path ? path[i]! : 0;
    cars.push({ i, slot, lane: on > 0 ? -on : laneAt(plan, w, f.x[i]!, y ? y[i]! : 0, 0) });
  }
  cars.sort((a, b) => f.x[b.i]! - f.x[a.i]!);
  const last = new Map<number, (typeof cars)[number]>();
  const out: Pair[] = [];
  for (const c of cars) {
    const front = last.get(c.lane);
    last.set(c.lane, c);
    if (!front) continue;
    const plainGap = f.x[front.i]! - f.x[c.i]! - 0.5 * (roster.length[c.slot]! + roster.length[front.slot]!);
    const known = gap ? gap[c.i]! : NaN;
    // The run's own gap is along the lane; it may be to another car where one is changing lanes.
    const d = Math.abs(known - plainGap) < 0.05 * Math.abs(plainGap) + 0.5 ? known : plainGap;
    const error = f.s[c.i]! - f.x[c.i]!;
    const closing = v ? v[c.i]! - v[front.i]! : NaN;
    out.push({
      follower: roster.labels[c.slot]!,
      leader: roster.labels[front.slot]!,
      back: c.slot,
      front: front.slot,
      gap: d,
      desired: Number.isFinite(error) ? Math.max(0, (Number.isFinite(known) ? known : d) - error) : NaN,
      closing,
      ttc: closing > STEADY ? Math.max(0, d) / closing : Infinity,
    });
  }
  return out;
}
