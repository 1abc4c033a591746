// modes.ts - small motions: the table of modes, their eigenvalues, and what to hold where nothing is at rest.
import { figures, fixed } from "../base/units.ts";
import type { App } from "../core/app.ts";
import { Axis, colours, drawGrid, Face, line, text } from "../draw/chart.ts";
import { fill, h } from "../ui/dom.ts";
import type { Mode, ModesAnswer } from "../wire/protocol.ts";

const WEAK = 0.1; // damping ratio below which a mode is marked

// The modes that are listed: one of each pair, rigid ones last.
export function listed(a: ModesAnswer | undefined): Mode[] {
  const half = (a?.modes ?? []).filter((m) => m.imaginary >= 0);
  return [...half.filter((m) => !m.rigid), ...half.filter((m) => m.rigid)];
}

export interface ModeActions {
  show(number: number): void;
  hold(names: string[]): void;
  animate(on: boolean): void;
  amplitude(v: number): void;
}

export class ModesCard {
  readonly element: HTMLElement;
  private readonly table = h("table", { class: "fg-table me-modes" });
  private readonly word = h("div", { class: "me-rest" });
  private readonly now = h("div", { class: "me-mode-now hidden" });
  private readonly amplitude: HTMLInputElement;
  private readonly still = h("button", { class: "btn", "aria-pressed": "false" }, "Freeze");
  constructor(private readonly act: ModeActions) {
    this.amplitude = h("input", {
      type: "range",
      min: "0.01",
      max: "0.5",
      step: "0.01",
      value: "0.1",
      "aria-label": "Amplitude of the mode",
    });
    this.amplitude.addEventListener("input", () => this.act.amplitude(Number(this.amplitude.value)));
    this.still.addEventListener("click", () => {
      const frozen = this.still.getAttribute("aria-pressed") === "true";
      this.still.setAttribute("aria-pressed", String(!frozen));
      this.act.animate(frozen);
    });
    this.element = h(
      "section",
      { class: "card me-grow me-modes-card" },
      h("header", { class: "cd-head" }, h("h3", { class: "cd-title" }, "Modes")),
      h(
        "div",
        { class: "me-scroll", tabindex: "0", role: "group", "aria-label": "List of modes" },
        this.word,
        this.table,
      ),
      this.now,
    );
  }
  set(own: ModesAnswer | undefined, other: ModesAnswer | undefined, chosen: number, held: string[]): void {
    const others = new Map(listed(other).map((m) => [m.moves, m]));
    const head = h("tr", null, ...["no.", "moves", "Hz", "damping"].map((t) => h("th", { scope: "col" }, t)));
    const rows = listed(own).map((m) => this.row(m, others.get(m.moves), chosen));
    fill(this.table, h("thead", null, head), h("tbody", null, ...rows));
    fill(this.word, ...(own ? this.rest(own, held) : []));
    const mode = own?.modes.find((m) => m.number === chosen);
    this.now.classList.toggle("hidden", !mode);
    if (mode)
      fill(
        this.now,
        h("b", null, `Mode ${mode.number}`),
        h("span", null, `${figures(mode.frequency, 4)} Hz, damping ${figures(mode.damping, 3)}`),
        h("label", { class: "me-amp" }, "Amplitude", this.amplitude),
        this.still,
      );
  }
  private row(m: Mode, other: Mode | undefined, chosen: number): HTMLElement {
    const on = m.number === chosen;
    const weak = !m.rigid && m.damping < WEAK;
    const bar = h(
      "span",
      { class: "me-zeta", "aria-hidden": "true" },
      h("i", { style: `width:${Math.min(100, 100 * Math.max(0, m.damping))}%` }),
      other && !m.rigid && h("u", { style: `left:${Math.min(100, 100 * Math.max(0, other.damping))}%` }),
    );
    return h(
      "tr",
      { class: on ? "on" : "" },
      h(
        "td",
        null,
        h(
          "button",
          {
            class: "btn",
            title: `Show mode ${m.number}`,
            "aria-pressed": String(on),
            onclick: () => this.act.show(m.number),
          },
          String(m.number),
        ),
      ),
      h("td", { class: "me-name", title: m.moves }, m.moves.replace(".", " ").replace(/_rate$/, "")),
      h("td", null, m.rigid ? "rigid" : figures(m.frequency, 4)),
      h(
        "td",
        null,
        m.rigid
          ? ""
          : [weak && h("span", { class: "me-weak", title: "Weakly damped" }, "▲ "), figures(m.damping, 2), bar],
      ),
    );
  }
  // About which state they are, and what can be held where there is none at rest.
  private rest(a: ModesAnswer, held: string[]): (HTMLElement | string)[] {
    const words = a.rest
      ? held.length
        ? `About the equilibrium, ${held.length} held`
        : "About the equilibrium"
      : `Not about an equilibrium: ${a.worst} accelerates by ${figures(a.residual, 3)}${a.why ? "" : ", more than 0.01 g"}`;
    const free = [...new Set(a.holdable.filter((o) => o.free).map((o) => o.body))];
    const out: (HTMLElement | string)[] = [h("p", { class: a.rest ? "mut" : "me-warn" }, words)];
    if (a.rest && !held.length) return out;
    const all = (body: string) => a.holdable.filter((o) => o.body === body).map((o) => o.name);
    const boxes = a.holdable.filter((o) => o.free || !o.body || !free.length).slice(0, 30);
    out.push(
      h(
        "details",
        { class: "me-hold", ...(a.rest ? {} : { open: true }) },
        h("summary", null, "Hold"),
        ...free.map((body) =>
          h(
            "button",
            { class: "btn", onclick: () => this.act.hold([...new Set([...held, ...all(body)])]) },
            `all of ${body}`,
          ),
        ),
        held.length > 0 && h("button", { class: "btn", onclick: () => this.act.hold([]) }, "nothing"),
        ...boxes.map((o) => {
          const box = h("input", { type: "checkbox", ...(held.includes(o.name) ? { checked: true } : {}) });
          box.addEventListener("change", () =>
            this.act.hold(box.checked ? [...held, o.name] : held.filter((n) => n !== o.name)),
          );
          return h("label", null, box, o.name);
        }),
      ),
    );
    return out;
  }
}

// The upper half plane: poles of every world, the unstable side tinted, lines of equal damping.
export class EigenCard {
  readonly element: HTMLElement;
  private readonly face: Face;
  private readonly x = new Axis(0, 1, 0, 1);
  private readonly y = new Axis(0, 1, 0, 1);
  private poles: { x: number; y: number; number: number }[] = [];
  constructor(
    private readonly app: App,
    private readonly show: (number: number) => void,
    beside: HTMLElement,
  ) {
    const host = h("div", { class: "me-plot" });
    this.element = h(
      "section",
      { class: "card" },
      h(
        "header",
        { class: "cd-head" },
        h("h3", { class: "cd-title" }, "Eigenvalues"),
        h("span", { class: "mut" }, "1/s"),
      ),
      h("div", { class: "me-eigen" }, host, beside),
    );
    this.face = new Face(host, "Eigenvalues in the upper half plane");
    host.addEventListener("click", (e) => {
      const r = host.getBoundingClientRect();
      const near = this.poles
        .map((p) => ({ p, d: Math.hypot(p.x - (e.clientX - r.left), p.y - (e.clientY - r.top)) }))
        .sort((a, b) => a.d - b.d)[0];
      if (near && near.d < 14) this.show(near.p.number);
    });
  }
  draw(worlds: { world: number; modes: ModesAnswer }[], own: number, chosen: number): void {
    if (!this.face.fit()) return;
    const { g, width, height } = this.face;
    const c = colours();
    const all = worlds.flatMap((w) => listed(w.modes).filter((m) => !m.rigid));
    if (!all.length) {
      text(g, "No small motion that vibrates", width / 2, height / 2, c.ink3, "center");
      return;
    }
    // Fast decays would push everything else into a corner: what vibrates sets the scale.
    const shaking = all.filter((m) => m.imaginary > 0);
    const seen = shaking.length ? shaking : all;
    const left = Math.max(
      1.25 * Math.max(...seen.map((m) => Math.abs(m.real))),
      0.25 * Math.max(...seen.map((m) => m.imaginary)),
      1e-3,
    );
    const top = Math.max(1.12 * Math.max(...seen.map((m) => m.imaginary)), 0.5 * left);
    this.x.set(-left, 0.12 * left, 40, width - 10);
    this.y.set(0, top, height - 22, 10);
    const zero = this.x.pixel(0);
    g.fillStyle = c.danger;
    g.globalAlpha = 0.1;
    g.fillRect(zero, this.y.b, this.x.b - zero, this.y.a - this.y.b);
    g.globalAlpha = 1;
    drawGrid(g, this.x, this.y, "", 30);
    g.setLineDash([3, 3]);
    for (const zeta of [0.2, 0.4]) {
      const k = zeta / Math.sqrt(1 - zeta * zeta);
      const to = Math.min(top, left / k);
      line(g, zero, this.y.a, this.x.pixel(-k * to), this.y.pixel(to), c.line2);
      text(g, String(zeta), this.x.pixel(-k * to) + 8, this.y.pixel(to) + 8, c.ink3);
    }
    g.setLineDash([]);
    this.poles = [];
    for (const w of worlds) {
      for (const m of listed(w.modes)) {
        if (m.rigid || m.real < -left) continue;
        const [px, py] = [this.x.pixel(m.real), this.y.pixel(m.imaginary)];
        const colour = this.app.colour(w.world);
        line(g, px - 4, py - 4, px + 4, py + 4, colour, 2);
        line(g, px - 4, py + 4, px + 4, py - 4, colour, 2);
        if (w.world !== own) continue;
        this.poles.push({ x: px, y: py, number: m.number });
        if (m.number !== chosen) continue;
        g.strokeStyle = c.focus;
        g.lineWidth = 1.5;
        g.beginPath();
        g.arc(px, py, 9, 0, 2 * Math.PI);
        g.stroke();
      }
    }
    this.face.label(
      `Eigenvalues: ${all
        .slice(0, 12)
        .map((m) => `${fixed(m.real, 2)} ± ${fixed(m.imaginary, 2)}i`)
        .join(", ")} per second`,
    );
  }
}
