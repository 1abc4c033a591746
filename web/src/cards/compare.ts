// compare.ts - worlds against each other: the difference mode (X) and the Figures card.
//
// In the difference mode plots show B - A and the scene A's cars as outlines; both read the option
// "difference" and listen to "state". The table names what is better by weight and an arrow.
import { figures, fixed, signed, unitText } from "../base/units.ts";
import type { App, Page, Part, Scenario } from "../core/app.ts";
import { onChange } from "../core/trying.ts";
import { fill, h } from "../ui/dom.ts";
import type { FigureRow } from "../wire/protocol.ts";
import type { CardFrame } from "./card.ts";

export function inDifference(app: Scenario & Page): boolean {
  return app.option<boolean>("difference") === true && app.shown().length > 1;
}

export function toggleDifference(app: Scenario & Page): void {
  const on = app.option<boolean>("difference") !== true;
  if (on && app.shown().length < 2)
    return app.toast("The difference needs two worlds: branch here (B) or open a run beside this one");
  app.option("difference", on);
  const [a, b] = app.shown();
  app.speak(on && a && b ? `Difference: ${app.letter(b.world)} minus ${app.letter(a.world)}` : "Difference off");
}

export function makeFigures(frame: CardFrame, app: App): Part {
  return new Figures(frame, app);
}

class Figures implements Part {
  private busy = false;
  private askedEnd = -1;
  private askedAt = -1e4;
  private readonly box = h("div", {
    class: "fg-box",
    tabindex: "0",
    role: "region",
    "aria-label": "Figures of all worlds",
  });
  private readonly off: (() => void)[] = [];

  constructor(
    private readonly frame: CardFrame,
    private readonly app: App,
  ) {
    frame.body.append(this.box);
    const button = h(
      "button",
      {
        class: "btn fg-diff",
        type: "button",
        title: "Difference mode (X)",
        "aria-pressed": "false",
        onclick: () => toggleDifference(app),
      },
      "B \u2212 A",
    );
    frame.pills.append(button);
    const fresh = () => {
      this.askedEnd = -1;
    };
    const press = () => {
      button.setAttribute("aria-pressed", String(inDifference(app)));
      fresh();
    };
    this.off.push(
      app.on("worlds", fresh),
      app.on("world", fresh),
      onChange(app, fresh),
      app.on("state", (d) => {
        if (d?.option === "difference") press();
      }),
      app.on("theme", fresh),
    );
    press();
  }

  draw(_t: number): void {
    const clock = this.app.clock;
    const end = clock.loop && clock.loopOn ? clock.loop[1] : clock.end;
    if (this.busy || (Math.abs(end - this.askedEnd) < 0.5 && this.askedEnd >= 0) || !this.frame.body.clientHeight)
      return;
    if (performance.now() - this.askedAt < 1000) return this.app.touch(1100); // soon
    const worlds = this.app.shown().map((w) => w.world);
    const from = clock.loop && clock.loopOn ? clock.loop[0] : clock.start;
    if (!worlds.length) return;
    this.busy = true;
    this.askedEnd = end;
    this.askedAt = performance.now();
    this.app
      .ask("figures", { worlds, from, to: end })
      .then((answer) => this.write(answer.rows, worlds, from, end))
      .catch((e: Error) => fill(this.box, h("p", { class: "mut fg-note" }, e.message)))
      .finally(() => {
        this.busy = false;
        this.app.touch(); // what it shows may have changed meanwhile
      });
  }

  private write(rows: FigureRow[], worlds: number[], from: number, to: number): void {
    const difference = inDifference(this.app);
    this.frame.note.textContent = `${fixed(from, 1)} to ${fixed(to, 1)} s`;
    const head = h(
      "tr",
      null,
      h("th", { scope: "col" }, "figure"),
      worlds.map((w) => h("th", { scope: "col", style: `color:${this.app.colour(w)}` }, this.app.letter(w))),
      difference && h("th", { scope: "col" }, `${this.app.letter(worlds[1]!)} \u2212 ${this.app.letter(worlds[0]!)}`),
      h("th", { scope: "col" }, "unit"),
    );
    fill(
      this.box,
      h(
        "table",
        { class: "fg-table" },
        h("thead", null, head),
        h(
          "tbody",
          null,
          rows.map((r) => this.row(r, worlds, difference)),
        ),
      ),
    );
  }

  private row(r: FigureRow, worlds: number[], difference: boolean): HTMLElement {
    const best = bestOf(r);
    const cells = worlds.map((w, i) => {
      const better = best === i && worlds.length > 1;
      return h(
        "td",
        { class: better ? "fg-best" : "", style: `color:${this.app.colour(w)}` },
        better &&
          h(
            "span",
            { class: "fg-arrow", "aria-label": "better", title: "better" },
            r.better > 0 ? "\u25b2 " : "\u25bc ",
          ),
        figures(r.values[i], 4),
      );
    });
    const minus = difference && r.values[0] !== null && r.values[1] !== null ? r.values[1]! - r.values[0]! : NaN;
    const digits =
      minus === 0 ? 0 : Math.max(0, Math.min(6, 3 - Math.floor(Math.log10(Math.max(Math.abs(minus), 1e-9)))));
    return h(
      "tr",
      null,
      h("th", { scope: "row", title: r.doc ?? "" }, r.name.replace(/[._]/g, " ")),
      cells,
      difference && h("td", { class: "fg-minus" }, minus === minus ? signed(minus, digits) : "\u2013"),
      h("td", { class: "fg-unit" }, unitText(r.unit)),
    );
  }

  destroy(): void {
    for (const off of this.off) off();
  }
}

// Which world is better; -1: none, or all alike.
export function bestOf(r: { values: (number | null)[]; better: number }): number {
  if (!r.better) return -1;
  let best = -1;
  r.values.forEach((v, i) => {
    if (v !== null && v === v && (best < 0 || (v - r.values[best]!) * r.better > 0)) best = i;
  });
  const value = best < 0 ? NaN : r.values[best]!;
  const alike = r.values.every((v) => v === null || Math.abs(v - value) <= 1e-9 * Math.max(1, Math.abs(value)));
  return alike ? -1 : best;
}
