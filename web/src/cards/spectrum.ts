// spectrum.ts - the Spectrum card: power density of a car's motion over frequency, all worlds.
// The server computes it (Welch); window, averages and interval are written below.
import { figures, fixed, unitText } from "../base/units.ts";
import type { App, Part } from "../core/app.ts";
import { onChange } from "../core/trying.ts";
import { Axis, BOLD_FONT, Face, TAG_FONT, colours, drawGrid, text, watch } from "../draw/chart.ts";
import { h } from "../ui/dom.ts";
import { openPopup, selectRow } from "../ui/popup.ts";
import type { Answer } from "../wire/wire.ts";
import type { CardFrame } from "./card.ts";
import { QUANTITIES, carLabel, quantity } from "./fields.ts";

export function makeSpectrum(frame: CardFrame, app: App): Part {
  return new Spectrum(frame, app);
}

class Spectrum implements Part {
  private readonly face: Face;
  private f: number[] = [];
  private density: (number | null)[][] = [];
  private worlds: number[] = [];
  private words = "";
  private reason = "";
  private busy = false;
  private dirty = true;
  private askedEnd = -1;
  private askedAt = -1e4;
  private readonly x = new Axis(0.01, 10, 0, 1, true);
  private readonly y = new Axis(1e-6, 1, 0, 1, true);
  private readonly title: HTMLButtonElement;
  private readonly off: (() => void)[] = [];

  constructor(
    private readonly frame: CardFrame,
    private readonly app: App,
  ) {
    this.face = new Face(frame.body, "Spectrum");
    this.title = h("button", { class: "cd-choice", type: "button", "aria-haspopup": "dialog", title: "Quantity, car" });
    frame.title.replaceChildren(this.title);
    this.title.addEventListener("click", () => this.settings());
    const fresh = () => {
      this.askedEnd = -1;
      this.dirty = true;
    };
    this.off.push(
      watch(app, frame.body, () => {
        this.dirty = true;
      }),
      app.on("worlds", fresh),
      app.on("world", fresh),
      app.on("select", fresh),
      onChange(app, fresh),
    );
  }

  private get field(): string {
    return (this.frame.kept.field as string | undefined) ?? "a";
  }
  private get vehicle(): string {
    const kept = this.frame.kept.car as string | undefined;
    if (kept && kept !== "selected") return kept;
    const cars = this.app.shown()[0]?.vehicles ?? [];
    return this.app.selection?.vehicle ?? cars[cars.length - 1]?.name ?? "";
  }

  private settings(): void {
    const set = (name: string) => (value: string) => {
      this.frame.kept[name] = value;
      this.frame.keep();
      this.askedEnd = -1;
    };
    const cars = this.app.shown()[0]?.vehicles.map((v): [string, string] => [v.name, v.name]) ?? [];
    openPopup(
      this.title,
      "Spectrum",
      selectRow(
        "Quantity",
        this.field,
        QUANTITIES.map((q): [string, string] => [q.name, q.title]),
        set("field"),
      ),
      selectRow(
        "Car",
        (this.frame.kept.car as string | undefined) ?? "selected",
        [["selected", "the selected one"], ...cars],
        set("car"),
      ),
    );
  }

  private ask(): void {
    const clock = this.app.clock;
    const worlds = this.app.shown().map((w) => w.world);
    if (this.busy || !worlds.length || !this.vehicle) return;
    const from = clock.loop && clock.loopOn ? clock.loop[0] : Math.max(clock.start, clock.end - 60);
    const to = clock.loop && clock.loopOn ? clock.loop[1] : clock.end;
    this.busy = true;
    this.askedEnd = to;
    this.askedAt = performance.now();
    this.app
      .ask("spectrum", { worlds, vehicle: this.vehicle, field: this.field, from, to })
      .then((a) => this.take(a, from, to))
      .catch((e: Error) => {
        this.reason = e.message;
        this.f = [];
      })
      .finally(() => {
        this.busy = false;
        this.dirty = true;
        this.app.touch();
      });
  }

  private take(a: Answer<"spectrum">, from: number, to: number): void {
    this.f = a.f;
    this.density = a.density;
    this.worlds = a.worlds;
    this.reason = "";
    this.words = `${a.window}, ${a.averages} average${a.averages === 1 ? "" : "s"}, ${fixed(from, 1)} to ${fixed(to, 1)} s`;
  }

  draw(_t: number): void {
    if (!this.face.canvas.clientHeight) return;
    const clock = this.app.clock;
    const end = clock.loop && clock.loopOn ? clock.loop[1] : clock.end;
    if (Math.abs(end - this.askedEnd) > 0.5) {
      if (performance.now() - this.askedAt > 1500) this.ask();
      else this.app.touch(1600);
    }
    if (!this.dirty || !this.face.fit()) return;
    this.dirty = false;
    const q = quantity(this.field);
    this.title.textContent = `Spectrum of ${q.title.toLowerCase()}`;
    this.frame.note.textContent = this.vehicle ? `${this.vehicle}, (${unitText(q.unit)})\u00b2/Hz` : "";
    this.paint();
  }

  private paint(): void {
    const g = this.face.g;
    const c = colours();
    const left = 46;
    const right = this.face.width - 16;
    const top = 12;
    const bottom = this.face.height - 38;
    let low = Infinity;
    let high = 0;
    let from = Infinity;
    let to = 0;
    this.f.forEach((f, k) => {
      if (!(f > 0)) return;
      from = Math.min(from, f);
      to = Math.max(to, f);
      for (const row of this.density) {
        const v = row[k] ?? 0;
        if (v > 0) {
          low = Math.min(low, v);
          high = Math.max(high, v);
        }
      }
    });
    if (!(high > 0) || !(to > from))
      return text(g, this.reason || "no data yet", (left + right) / 2, (top + bottom) / 2, c.ink3, "center", TAG_FONT);
    this.x.set(from, to, left, right);
    this.y.set(
      10 ** Math.floor(Math.log10(Math.max(low, high * 1e-8))),
      10 ** Math.ceil(Math.log10(high)),
      bottom,
      top,
    );
    drawGrid(g, this.x, this.y, "Hz");
    this.worlds.forEach((world, i) => this.paintCurve(world, this.density[i] ?? []));
    this.paintPeaks(right, top);
    text(g, this.words, 12, this.face.height - 12, c.ink3);
  }

  private paintCurve(world: number, row: (number | null)[]): void {
    const g = this.face.g;
    g.save();
    g.beginPath();
    g.rect(this.x.a, this.y.b, this.x.b - this.x.a, this.y.a - this.y.b);
    g.clip();
    g.strokeStyle = this.app.colour(world);
    g.lineWidth = 1.4;
    g.beginPath();
    this.f.forEach((f, k) => {
      const v = row[k];
      if (f > 0 && v && v > 0) g.lineTo(this.x.pixel(f), this.y.pixel(v));
    });
    g.stroke();
    g.restore();
  }

  // The highest peak of each world, as text at the top right.
  private paintPeaks(right: number, top: number): void {
    this.worlds.forEach((world, i) => {
      let at = -1;
      let max = 0;
      (this.density[i] ?? []).forEach((v, k) => {
        if (this.f[k]! > 0 && (v ?? 0) > max) {
          max = v!;
          at = k;
        }
      });
      if (at >= 0)
        text(
          this.face.g,
          `${carLabel(this.app, world, this.vehicle)} most at ${figures(this.f[at]!, 3)} Hz`,
          right - 4,
          top + 8 + 13 * i,
          this.app.colour(world),
          "right",
          BOLD_FONT,
        );
    });
  }

  destroy(): void {
    for (const off of this.off) off();
  }
}
