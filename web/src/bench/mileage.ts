// mileage.ts - the mileage bench: what a controller costs in fuel (report, section 3.4).
//
// One row of dials per quantity (speed, acceleration, mileage), one column per position, one needle
// per platoon: two controllers are compared on one dial. A larger dial shows the platoons' averages.
// Below are the fuel burnt so far and the hysteresis of each controller's switch from throttle to brake.
import { figures, fixed, signed } from "../base/units.ts";
import type { App, Part } from "../core/app.ts";
import { Axis, BOLD_FONT, Face, TAG_FONT, colours, drawGrid, spread, text, watch } from "../draw/chart.ts";
import { drawDial, type DialKind, type Needle } from "../draw/dial.ts";
import { fill, h } from "../ui/dom.ts";
import type { Frame } from "../wire/frame.ts";
import { knob, rowOf, type Knob } from "./benchform.ts";
import {
  STEP,
  UNITS,
  USUAL,
  groupsOf,
  inUnit,
  pastAt,
  pastOf,
  type Filter,
  type Group,
  type Past,
  type Unit,
} from "./mileagedata.ts";

const TRAFFIC = ["light", "moderate", "heavy", "local"];
const NAME_WIDE = 74;
const MIN_DIAL = 96;
const SMALL_DIAL = 52;
const SCALES: Record<Unit, [number, number]> = { mpg: [0, 60], "L/100 km": [0, 30], "g/km": [0, 200] };

function dialKind(
  kind: string,
  title: string,
  unit: string,
  low: number,
  high: number,
  digits: number,
  sign = false,
): DialKind {
  return { kind, title, unit, low, high, digits, sign, danger: [], doc: title };
}

export function mountMileage(host: HTMLElement, app: App): Part {
  return new Mileage(host, app);
}

class Mileage implements Part {
  private groups: Group[] = [];
  private past = new Map<string, Past>();
  private unit: Unit;
  private filter: Filter;
  private asking = false;
  private askedEnd = -1;
  private askedAt = -1e9;
  private dirty = true;
  private drawnT = NaN;
  private drawnAt = 0;
  private readonly needles: Needle[] = [0, 1, 2, 3].map(() => ({ value: NaN, colour: "", peak: NaN }));
  private readonly dials: Face;
  private readonly fuel: Face;
  private readonly x = new Axis(0, 1, 0, 1);
  private readonly y = new Axis(0, 1, 0, 1);
  private readonly bands = h("div", { class: "mi-bands" });
  private readonly table = h("table", { class: "fg-table mi-table" });
  private readonly traffic = h("div", { class: "seg", role: "group", "aria-label": "Traffic" });
  private readonly missing = h("div", { class: "mi-missing hidden", role: "status" });
  private readonly off: (() => void)[] = [];

  constructor(
    private readonly host: HTMLElement,
    private readonly app: App,
  ) {
    const kept = app.option<{ unit?: Unit; window?: number; alpha?: number }>("mileage") ?? {};
    this.unit = kept.unit ?? "mpg";
    this.filter = { window: kept.window ?? USUAL.window, alpha: kept.alpha ?? USUAL.alpha };
    const dialsHost = h("div", { class: "mi-dials" });
    const fuelHost = h("div", { class: "mi-fuel" });
    host.append(
      h(
        "div",
        { class: "mi-bench" },
        h("div", { class: "card mi-top" }, this.bar(), dialsHost, this.missing),
        h(
          "div",
          { class: "card" },
          h(
            "header",
            { class: "cd-head mi-head" },
            h("h3", { class: "cd-title" }, "Fuel burnt"),
            h("span", { class: "cd-note" }, "sum over the followers, g"),
          ),
          fuelHost,
        ),
        h(
          "div",
          { class: "card mi-right" },
          h("header", { class: "cd-head mi-head" }, h("h3", { class: "cd-title" }, "Switch from throttle to brake")),
          this.bands,
          this.table,
        ),
      ),
    );
    this.dials = new Face(dialsHost, "Dials of speed, acceleration and mileage");
    this.fuel = new Face(fuelHost, "Fuel burnt over time");
    for (const place of [dialsHost, fuelHost])
      this.off.push(
        watch(app, place, () => {
          this.dirty = true;
        }),
      );
    this.off.push(
      app.on("worlds", () => this.gather()),
      app.on("world", () => this.gather()),
      app.on("theme", () => this.gather()),
      app.on("select", () => {
        this.dirty = true;
      }),
    );
    this.gather();
  }

  // ---- controls ----------------------------------------------------------------------------------

  private bar(): HTMLElement {
    const units = h("div", { class: "seg", role: "group", "aria-label": "Unit of the mileage" });
    for (const unit of UNITS)
      units.append(
        h(
          "button",
          {
            type: "button",
            "aria-pressed": String(unit === this.unit),
            onclick: (e: Event) => {
              this.unit = unit;
              for (const b of units.children) b.setAttribute("aria-pressed", String(b === e.currentTarget));
              this.keep();
            },
          },
          unit,
        ),
      );
    const rows = this.app.tables.find((t) => t.name === "mileage")?.rows;
    const window = rowOf(rows, "window", "s", USUAL.window);
    const alpha = rowOf(rows, "alpha", "1/s", USUAL.alpha);
    return h(
      "header",
      { class: "id-bar mi-bar" },
      h("h2", null, "Gas mileage"),
      this.traffic,
      h("span", { class: "grow" }),
      this.number(
        { ...window, doc: window.doc || "time over which mileage is averaged" },
        "T0",
        5,
        400,
        this.filter.window,
        (v) => {
          this.filter.window = v;
        },
      ),
      this.number({ ...alpha, doc: alpha.doc || "rate of the filter" }, "filter", 0.005, 1, this.filter.alpha, (v) => {
        this.filter.alpha = v;
      }),
      units,
    );
  }
  private number(
    row: Parameters<typeof knob>[0],
    title: string,
    from: number,
    to: number,
    value: number,
    set: (v: number) => void,
  ): HTMLElement {
    const k: Knob = knob(row, { title, from, to, log: true, value }, (v) => {
      set(v);
      this.askedEnd = -1;
      this.keep();
    });
    k.root.classList.add("mi-knob");
    return k.root;
  }
  private keep(): void {
    this.app.option("mileage", { unit: this.unit, ...this.filter });
    this.dirty = true;
  }

  // The leaders of all platoons take the chosen profile, or a person's hands.
  private writeTraffic(): void {
    const w = this.app.shown()[0];
    const leaders = w?.vehicles.filter((v) => v.leader) ?? [];
    const now = leaders[0]?.driven ? "hands" : (leaders[0]?.profile ?? "");
    fill(
      this.traffic,
      TRAFFIC.map((name) =>
        h(
          "button",
          {
            type: "button",
            "aria-pressed": String(name === now),
            title: `The leaders drive the profile "${name}"`,
            onclick: () => this.setProfile(name),
          },
          name,
        ),
      ),
      h(
        "button",
        {
          type: "button",
          "aria-pressed": String(now === "hands"),
          title: "Throttle and brake of the leader by hand",
          onclick: () => this.drive(),
        },
        "drive it yourself",
      ),
    );
  }
  private setProfile(name: string): void {
    for (const w of this.app.shown()) {
      const vehicles = w.vehicles.filter((v) => v.leader).map((v) => v.name);
      void this.app
        .change("car", { world: w.world, op: "profile", vehicles, vehicle: vehicles[0], name })
        .catch(() => undefined);
    }
  }
  private drive(): void {
    const w = this.app.shown()[0];
    const leader = w?.vehicles.find((v) => v.leader);
    if (!w || !leader) return;
    this.app.select(w.world, leader.name);
    this.app.layout.set({ driving: true });
  }

  // ---- what there is -----------------------------------------------------------------------------

  private gather(): void {
    this.groups = groupsOf(this.app);
    this.askedEnd = -1;
    this.dirty = true;
    this.writeTraffic();
    this.writeBands();
  }

  private async writeBands(): Promise<void> {
    const groups = this.groups;
    const cards = await Promise.all(
      groups.map((g) =>
        this.app.ask("card", { world: g.world, vehicle: g.cars.find((c) => !c.leader)!.name }).catch(() => null),
      ),
    );
    if (groups !== this.groups) return;
    const rows = groups.map((g, k) => {
      const row = (cards[k]?.groups ?? [])
        .flatMap((q) => q.rows)
        .find((r) => r.name === "hysteresis" || r.name.endsWith(".hysteresis"));
      if (!row)
        return h(
          "p",
          { class: "mi-band" },
          h("b", { style: `color:${g.colour}` }, g.name),
          " no switch with hysteresis",
        );
      const made = knob(row, { title: g.name, from: 0, to: 1.5, value: row.value ?? undefined }, (value, done) => {
        if (done)
          void this.app
            .change("car", { world: g.world, op: "inner", controller: g.controller, values: { [row.name]: value } })
            .catch(() => undefined);
      });
      made.root.querySelector<HTMLElement>(".bf-name")!.style.color = g.colour;
      return made.root;
    });
    fill(
      this.bands,
      rows,
      h(
        "p",
        { class: "mi-note" },
        "Hysteresis: how far the desired acceleration must fall below that of the coasting car before the brake is used. If it is too narrow, the brake wastes what the throttle has spent.",
      ),
    );
  }

  private load(): void {
    const clock = this.app.clock;
    if (this.asking || !this.groups.length || (Math.abs(clock.end - this.askedEnd) < 0.9 && this.askedEnd >= 0)) return;
    if (performance.now() - this.askedAt < 900) return this.app.touch(1000); // soon
    this.asking = true;
    this.askedEnd = clock.end;
    this.askedAt = performance.now();
    pastOf(this.app, this.groups, this.filter)
      .then((past) => {
        this.past = past;
        this.dirty = true;
        this.app.touch();
      })
      .catch(() => undefined)
      .finally(() => {
        this.asking = false;
      });
  }

  // mpg of a car at t: the server's where the window is the usual one.
  private mileage(g: Group, i: number, frame: Frame | null, t: number): number {
    const car = g.cars[i];
    if (!car) return NaN;
    if (frame && this.filter.window === USUAL.window && this.filter.alpha === USUAL.alpha) {
      const at = frame.index(car.id);
      const m = frame.field("mileage");
      if (at >= 0 && m && m[at] === m[at]) return m[at]!;
    }
    const past = this.past.get(`${g.world}/${car.name}`);
    return past ? pastAt(past.mileage, this.app.clock.start, t) : NaN;
  }

  // ---- drawing -----------------------------------------------------------------------------------

  draw(t: number): void {
    this.load();
    const now = performance.now();
    if (!this.dirty && (t === this.drawnT || now - this.drawnAt < 100)) return;
    this.dirty = false;
    this.drawnT = t;
    this.drawnAt = now;
    if (this.dials.fit()) this.drawDials(t);
    if (this.fuel.fit()) this.drawFuel(t);
    this.writeTable(t);
  }

  private drawDials(t: number): void {
    const face = this.dials;
    const g = face.g;
    const c = colours();
    const groups = this.groups;
    const places = Math.max(0, ...groups.map((q) => q.cars.length));
    const big = Math.min(230, face.height * 0.62, face.width * 0.24);
    const room = face.width - NAME_WIDE - big - 24;
    // A platoon of ten is shown whole, with smaller dials; of a longer one some positions, evenly.
    const columns = Math.min(places, Math.max(1, Math.floor(room / (places <= 10 ? SMALL_DIAL : MIN_DIAL))));
    const wide = room / Math.max(columns, 1);
    const tall = (face.height - 18) / 3;
    const r = Math.min(wide * 0.42, tall * 0.36);
    const frames = groups.map((q) => this.app.frame(q.world));
    const [low, high] = SCALES[this.unit];
    const kinds = [
      dialKind("v", "Speed", "m/s", 0, 40, 1),
      dialKind("a", "Acceleration", "m/s\u00b2", -4, 4, 2, true),
      dialKind("m", "Mileage", this.unit, low, high, 1),
    ];
    for (let col = 0; col < columns; col++) {
      const place = columns === places ? col : Math.round((col * (places - 1)) / Math.max(columns - 1, 1));
      const x = NAME_WIDE + (columns - 1 - col + 0.5) * wide; // cars drive to the right: the first is rightmost
      text(
        g,
        place === 0 ? "leader" : `${wide < MIN_DIAL ? "" : "position "}${place}`,
        x,
        9,
        c.ink3,
        "center",
        TAG_FONT,
      );
      kinds.forEach((kind, row) => {
        groups.forEach((q, k) => {
          this.needles[k]!.value = this.read(row, q, place, frames[k] ?? null, t);
          this.needles[k]!.colour = q.colour;
        });
        this.dial(kind, x, 18 + row * tall + 0.46 * tall, r, groups.length);
      });
    }
    kinds.forEach((kind, row) => {
      text(g, kind.title, 10, 18 + row * tall + 0.42 * tall, c.ink, "left", BOLD_FONT);
      text(g, kind.unit, 10, 18 + row * tall + 0.42 * tall + 14, c.ink3, "left", TAG_FONT);
    });
    // The large dial with its title above, its unit and the names below, in the middle of the height.
    const above = 26;
    const below = 54 + 14 * (groups.length - 1);
    const rBig = Math.max(24, Math.min(big / 2 - 8, (face.height - above - below) / 1.86));
    this.drawAverage(
      kinds[2]!,
      frames,
      t,
      face.width - big / 2 - 12,
      rBig + above + Math.max(0, face.height - above - below - 1.86 * rBig) / 2,
      rBig,
    );
    let any = false;
    groups.forEach((q, k) =>
      q.cars.forEach((_, i) => {
        if (this.mileage(q, i, frames[k] ?? null, t) === this.mileage(q, i, frames[k] ?? null, t)) any = true;
      }),
    );
    this.tellMissing(any);
  }

  private read(row: number, q: Group, place: number, frame: Frame | null, t: number): number {
    const car = q.cars[place];
    const i = car && frame ? frame.index(car.id) : -1;
    if (row === 2) return inUnit(this.mileage(q, place, frame, t), this.unit);
    const values = frame?.field(row === 0 ? "v" : "a");
    return i >= 0 && values ? values[i]! : NaN;
  }

  private dial(kind: DialKind, x: number, y: number, r: number, n: number): void {
    const g = this.dials.g;
    drawDial(g, kind, x, y, r, this.needles, n);
    const step = Math.max(46, r * 0.9);
    for (let k = 0; k < n; k++) {
      const v = this.needles[k]!.value;
      text(
        g,
        kind.sign ? signed(v, kind.digits) : fixed(v, kind.digits),
        x + (k - (n - 1) / 2) * step,
        y + 0.86 * r + 12,
        this.needles[k]!.colour,
        "center",
        BOLD_FONT,
      );
    }
  }

  private drawAverage(kind: DialKind, frames: (Frame | null)[], t: number, x: number, y: number, r: number): void {
    const g = this.dials.g;
    const c = colours();
    this.groups.forEach((q, k) => {
      this.needles[k]!.value = this.average(q, frames[k] ?? null, t);
      this.needles[k]!.colour = q.colour;
    });
    text(g, "Platoons, mean", x, y - r - 18, c.ink, "center", BOLD_FONT);
    this.dial({ ...kind, digits: 2 }, x, y, r, this.groups.length);
    text(g, this.unit, x, y + 0.86 * r + 28, c.ink3, "center", TAG_FONT);
    this.groups.forEach((q, k) => text(g, q.name, x, y + 0.86 * r + 46 + 14 * k, q.colour, "center", BOLD_FONT));
    this.dials.label(
      `Mileage, mean of the platoons: ${this.groups.map((q, k) => `${q.name} ${fixed(this.needles[k]!.value, 2)} ${this.unit}`).join(", ")}`,
    );
  }

  // Mean over the cars that follow, in mpg, then in the unit.
  private average(q: Group, frame: Frame | null, t: number): number {
    let sum = 0;
    let n = 0;
    q.cars.forEach((car, i) => {
      if (!car.leader) {
        sum += this.mileage(q, i, frame, t);
        n++;
      }
    });
    return n ? inUnit(sum / n, this.unit) : NaN;
  }

  private tellMissing(any: boolean): void {
    this.missing.classList.toggle("hidden", any);
    if (any || this.missing.childElementCount) return;
    fill(
      this.missing,
      h("p", null, "The cars of this run have no engine that burns fuel. Open a run that has:"),
      TRAFFIC.map((name) =>
        h(
          "button",
          {
            class: "btn",
            type: "button",
            onclick: () =>
              void this.app
                .ask("open", { file: `mileage_${name}.yaml`, name: `mileage_${name}.yaml`, beside: false })
                .catch((e: Error) => this.app.toast(e.message)),
          },
          name,
        ),
      ),
    );
  }

  private fuelOf(q: Group, t: number): number {
    let sum = 0;
    for (const car of q.cars) {
      const past = this.past.get(`${q.world}/${car.name}`);
      if (!car.leader) sum += past ? pastAt(past.fuel, this.app.clock.start, t) : NaN;
    }
    return sum;
  }

  private drawFuel(t: number): void {
    const face = this.fuel;
    const g = face.g;
    const c = colours();
    const clock = this.app.clock;
    const right = face.width - 116;
    const end = Math.max(clock.end, clock.start + 10);
    let max = 1;
    for (const q of this.groups) {
      const f = this.fuelOf(q, end);
      if (f > max) max = f;
    }
    this.x.set(clock.start, end, 46, right);
    this.y.set(0, max * 1.05, face.height - 22, 8);
    drawGrid(g, this.x, this.y, "s");
    const heights: number[] = [];
    for (const q of this.groups) {
      g.strokeStyle = q.colour;
      g.lineWidth = 1.8;
      g.beginPath();
      const known = clock.start + STEP * ((this.past.get(`${q.world}/${q.cars[0]?.name}`)?.n ?? 1) - 1);
      for (let at = clock.start; at <= known; at += Math.max(STEP, (known - clock.start) / 300)) {
        const f = this.fuelOf(q, at);
        if (f === f) g.lineTo(this.x.pixel(at), this.y.pixel(f));
      }
      g.stroke();
      heights.push(this.y.pixel(this.fuelOf(q, known)));
    }
    const order = heights.map((_, k) => k);
    spread(heights, order, 14, 12, face.height - 26);
    this.groups.forEach((q, k) => {
      if (heights[k] === heights[k])
        text(g, `${q.name} ${figures(this.fuelOf(q, t), 3)} g`, right + 6, heights[k]!, q.colour, "left", BOLD_FONT);
    });
    g.fillStyle = c.ink;
    g.fillRect(this.x.pixel(t) - 0.8, 8, 1.6, face.height - 30);
  }

  // The same numbers to read, and what one controller saves against the other.
  private writeTable(t: number): void {
    const values = this.groups.map((q) => ({
      q,
      fuel: this.fuelOf(q, t),
      mean: this.average(q, this.app.frame(q.world), t),
    }));
    const min = Math.min(...values.map((v) => v.fuel).filter((f) => f > 0));
    const best = values.find((v) => v.fuel === min);
    const key = values.map((v) => `${v.q.name}${figures(v.fuel, 4)}${fixed(v.mean, 2)}`).join() + this.unit;
    if (key === this.written) return;
    this.written = key;
    fill(
      this.table,
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          h("th", { scope: "col" }, "platoon"),
          h("th", { scope: "col" }, "mean, " + this.unit),
          h("th", { scope: "col" }, "fuel, g"),
          h("th", { scope: "col" }, "more"),
        ),
      ),
      h(
        "tbody",
        null,
        values.map((v) =>
          h(
            "tr",
            null,
            h("th", { scope: "row", style: `color:${v.q.colour}` }, v.q.name),
            h("td", { class: v === best ? "fg-best" : "" }, fixed(v.mean, 2)),
            h(
              "td",
              { class: v === best ? "fg-best" : "" },
              v === best && values.length > 1 ? "\u25bc " : "",
              figures(v.fuel, 4),
            ),
            h("td", null, v === best || !(v.fuel > 0) ? "\u2013" : `+${fixed(100 * (v.fuel / min - 1), 1)} %`),
          ),
        ),
      ),
    );
  }
  private written = "";

  show(visible: boolean): void {
    if (visible) this.dirty = true;
  }
  destroy(): void {
    for (const off of this.off) off();
    this.host.replaceChildren();
  }
}
