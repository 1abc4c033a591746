// curve.ts - a table of parameters as a curve: points are dragged, or chosen and typed.
//
// A table is a run of parameters whose names end in the abscissa of a point: mda_3, mda_5 .. are the
// mixture at 3, 5 .. degrees. What is dragged or typed is sent as the parameter it is, so it enters
// the log, branches and is undone like any other. Tables that grow keep growing: a point stays
// between its neighbours.
import { h, svg } from "../ui/dom.ts";
import { makeField, plain, unitText, type Field } from "../ui/form.ts";
import type { CardRow } from "../wire/protocol.ts";

const MIN_POINTS = 4;
const WIDE = 268;
const TALL = 132; // px, of the drawing
const LEFT = 32;
const RIGHT = 8;
const TOP = 8;
const BOTTOM = 20;

export interface Table {
  name: string; // "mda"
  rows: CardRow[];
  at: number[]; // places of the points, growing
  unit: string; // of the places, as the rows' texts say; "": they do not
}

// Takes the tables out of the rows of a group.
export function tablesOf(rows: CardRow[]): { tables: Table[]; others: CardRow[] } {
  const runs = new Map<string, Table>();
  for (const row of rows) {
    const m = /^(.+)_(\d+(?:\.\d+)?)$/.exec(row.name);
    if (!m) continue;
    const t = runs.get(m[1]!) ?? { name: m[1]!, rows: [], at: [], unit: "" };
    t.rows.push(row);
    t.at.push(Number(m[2]));
    runs.set(m[1]!, t);
  }
  const tables = [...runs.values()].filter(
    (t) => t.rows.length >= MIN_POINTS && t.at.every((x, k) => k === 0 || x > t.at[k - 1]!),
  );
  for (const t of tables) t.unit = unitOf(t);
  const taken = new Set(tables.flatMap((t) => t.rows));
  return { tables, others: rows.filter((r) => !taken.has(r)) };
}
// "mixture at a throttle angle of 21 deg": deg.
function unitOf(t: Table): string {
  const words = t.rows.map((r, k) => new RegExp(`(?:^|\\s)${t.at[k]} ([^\\s();,]+)`).exec(r.doc)?.[1] ?? "");
  return words.every((w) => w === words[0]) ? words[0]! : "";
}

// Between what a point may be dragged or typed, given the others.
export function limitsOf(rows: { min: number; max: number }[], values: number[], k: number): [number, number] {
  const grows = values.every((v, i) => i === 0 || i === k || i - 1 === k || v > values[i - 1]!);
  const between = (values[k + 1] ?? Infinity) > (values[k - 1] ?? -Infinity);
  const { min, max } = rows[k]!;
  if (!grows || !between) return [min, max];
  const low = values[k - 1] ?? -Infinity;
  const high = values[k + 1] ?? Infinity;
  const gap = 1e-3 * Math.min(high - low, max - min);
  return [Math.max(min, low + gap), Math.min(max, high - gap)];
}

export interface Curve {
  root: HTMLElement;
  table: Table;
  set(name: string, value: number): void; // from outside: not while a point is dragged
}

export interface CurveOptions {
  colour: string;
  disabled?: string; // why it cannot be changed
  help(row: CardRow): string | undefined;
  send(row: CardRow, value: number): Promise<unknown>;
}

export function makeCurve(table: Table, o: CurveOptions): Curve {
  return new Editor(table, o);
}

class Editor implements Curve {
  readonly root: HTMLElement;
  private readonly values: number[];
  private chosen = 0;
  private dragged = -1;
  private under = 0; // changes on their way to the server
  private high = 1; // of the axis
  private field: Field | null = null;
  private readonly line = svg("path", { class: "cv-line" });
  private readonly points: SVGElement[];
  private readonly axis = svg("g", { class: "cv-axis" });
  private readonly picture: SVGElement;
  private readonly place = h("div", { class: "cv-place" });

  constructor(
    readonly table: Table,
    private readonly o: CurveOptions,
  ) {
    this.values = table.rows.map((r) => r.value ?? r.default ?? 0);
    this.points = table.at.map(() => svg("circle", { class: "cv-point", r: 3.2 }));
    this.picture = svg(
      "svg",
      {
        class: "cv-picture",
        viewBox: `0 0 ${WIDE} ${TALL}`,
        tabindex: 0,
        role: "group",
        "aria-label": `Curve ${table.name}: left and right choose a point, up and down change it`,
      },
      this.axis,
      this.line,
      ...this.points,
    );
    this.root = h(
      "div",
      { class: "cv", "data-table": table.name },
      h("div", { class: "cv-title" }, h("b", {}, table.name), h("span", { class: "mut" }, this.title())),
      this.picture as unknown as HTMLElement,
      this.place,
    );
    this.root.style.setProperty("--own", o.colour);
    if (o.disabled) this.root.title = o.disabled;
    else this.gestures();
    this.choose(0);
  }

  private title(): string {
    const unit = unitText(this.table.rows[0]!.unit);
    return ` ${unit}${this.table.unit ? ` over ${this.table.unit}` : ""}`;
  }

  set(name: string, value: number): void {
    const k = this.table.rows.findIndex((r) => r.name === name);
    if (k < 0 || this.dragged >= 0 || this.under > 0 || this.values[k] === value) return;
    this.values[k] = value;
    if (k === this.chosen) this.field?.set(value);
    this.draw();
  }

  // ---- drawing ----

  private px(x: number): number {
    const { at } = this.table;
    return LEFT + ((x - at[0]!) / (at[at.length - 1]! - at[0]!)) * (WIDE - LEFT - RIGHT);
  }
  private py(value: number): number {
    return TALL - BOTTOM - (value / this.high) * (TALL - BOTTOM - TOP);
  }

  private draw(): void {
    if (this.dragged < 0) this.high = 1.15 * Math.max(1e-9, ...this.values);
    const { at } = this.table;
    const path = at.map((x, k) => `${k ? "L" : "M"}${this.px(x).toFixed(1)} ${this.py(this.values[k]!).toFixed(1)}`);
    this.line.setAttribute("d", path.join(""));
    this.points.forEach((c, k) => {
      c.setAttribute("cx", this.px(at[k]!).toFixed(1));
      c.setAttribute("cy", this.py(this.values[k]!).toFixed(1));
      c.classList.toggle("on", k === this.chosen);
    });
    const label = (x: number, y: number, anchor: string, words: string) =>
      svg("text", { x, y, "text-anchor": anchor }, words);
    const foot = TALL - BOTTOM;
    this.axis.replaceChildren(
      svg("path", { d: `M${LEFT} ${TOP}V${foot}H${WIDE - RIGHT}` }),
      label(LEFT - 4, this.py(0) + 3, "end", "0"),
      label(LEFT - 4, TOP + 7, "end", plain(this.high, 2)),
      label(LEFT, foot + 13, "middle", plain(at[0], 3)),
      label(WIDE - RIGHT, foot + 13, "end", `${plain(at[at.length - 1], 3)} ${unitText(this.table.unit)}`),
    );
  }

  // ---- one point ----

  private choose(k: number): void {
    this.chosen = k;
    const row = this.table.rows[k]!;
    const where = `at ${plain(this.table.at[k])}${this.table.unit ? ` ${unitText(this.table.unit)}` : ""}`;
    this.field = makeField(row, {
      value: this.values[k]!,
      label: where,
      colour: this.o.colour,
      disabled: this.o.disabled,
      help: this.o.help(row),
      send: (value, done) => {
        const [low, high] = limitsOf(this.table.rows, this.values, k);
        if (value < low || value > high) {
          if (done) this.field?.fail(`${plain(low, 4)} to ${plain(high, 4)}: ${this.table.name} keeps growing`);
          return;
        }
        this.values[k] = value;
        this.draw();
        return done ? this.send(k) : undefined;
      },
    });
    this.place.replaceChildren(this.field.root);
    this.draw();
  }

  private send(k: number): Promise<unknown> {
    const row = this.table.rows[k]!;
    this.under++;
    return this.o
      .send(row, this.values[k]!)
      .then(
        () => (row.value = this.values[k]!),
        (e: Error) => {
          this.values[k] = row.value ?? row.default ?? 0;
          this.draw();
          throw e;
        },
      )
      .finally(() => this.under--);
  }

  // A press chooses the nearest point, a drag moves it by as much as the pointer.
  private gestures(): void {
    const picture = this.picture;
    const scale = (): number => picture.getBoundingClientRect().height / TALL;
    let from = { y: 0, value: 0 };
    let moved = false;
    picture.addEventListener("pointerdown", (e) => {
      const x = (e.clientX - picture.getBoundingClientRect().left) / scale();
      const far = this.table.at.map((p) => Math.abs(this.px(p) - x));
      this.choose(far.indexOf(Math.min(...far)));
      this.dragged = this.chosen;
      from = { y: e.clientY, value: this.values[this.chosen]! };
      moved = false;
      picture.setPointerCapture(e.pointerId);
    });
    picture.addEventListener("pointermove", (e) => {
      if (this.dragged < 0 || (!moved && Math.abs(e.clientY - from.y) < 3)) return;
      moved = true;
      const up = (from.y - e.clientY) / scale() / (TALL - BOTTOM - TOP);
      this.take(this.dragged, from.value + up * this.high);
    });
    const end = (keep: boolean): void => {
      const k = this.dragged;
      this.dragged = -1;
      if (k < 0 || !moved) return;
      if (!keep) this.values[k] = from.value;
      this.choose(k);
      if (keep) void this.send(k).catch(() => this.choose(k));
    };
    picture.addEventListener("pointerup", () => end(true));
    picture.addEventListener("pointercancel", () => end(false));
    picture.addEventListener("keydown", (e) => this.key(e, () => end(false)));
  }

  // Three figures, within what the point may be.
  private take(k: number, value: number): void {
    const [low, high] = limitsOf(this.table.rows, this.values, k);
    const round = Number(value.toPrecision(3));
    this.values[k] = Math.min(high, Math.max(low, round));
    this.field?.set(this.values[k]!);
    this.draw();
  }

  private key(e: KeyboardEvent, cancel: () => void): void {
    const along = { ArrowRight: 1, ArrowLeft: -1 }[e.key] ?? 0;
    const up = { ArrowUp: 1, ArrowDown: -1 }[e.key] ?? 0;
    if (e.key === "Escape") cancel();
    else if (along) this.choose(Math.max(0, Math.min(this.points.length - 1, this.chosen + along)));
    else if (up) {
      this.take(this.chosen, this.values[this.chosen]! + (up * this.high) / (e.shiftKey ? 20 : 100));
      void this.send(this.chosen).catch(() => this.choose(this.chosen));
    } else return;
    e.preventDefault();
    e.stopPropagation();
  }
}
