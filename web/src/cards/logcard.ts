// logcard.ts - the Log card: every command of every world, when and by whom; and what happened.
//
// A click on the time moves the playhead there. A command can be given another value or be removed:
// the world is simulated again from there, as with its flag on the timeline. Levels: commands, events,
// all.
import { figures, fixed, parse, unitText } from "../base/units.ts";
import type { App, Event, Part } from "../core/app.ts";
import { sentence } from "../core/core.ts";
import { eventWords } from "../core/eventwords.ts";
import { onChange } from "../core/trying.ts";
import { kindName } from "../time/marks.ts";
import { fill, h } from "../ui/dom.ts";
import { icon } from "../ui/icons.ts";
import type { Ask, LogEntry } from "../wire/protocol.ts";
import type { CardFrame } from "./card.ts";

interface Line {
  t: number;
  world: number;
  what: string;
  by: string;
  entry?: LogEntry;
  event?: Event;
}
const LEVELS: [string, string, string][] = [
  ["commands", "Commands", "commands from users, pages and scripts"],
  ["events", "Events", "what happened: brakes, warnings, collisions"],
  ["all", "All", "both"],
];
const COMMANDS = new Set(["command", "edit", "fault"]);
const MAX_LINES = 300;

export function makeLog(frame: CardFrame, app: App): Part {
  return new LogCard(frame, app);
}

class LogCard implements Part {
  private stale = true;
  private busy = false;
  private next = 0;
  private written = "";
  private readonly box = h("div", {
    class: "lg-box",
    tabindex: "0",
    role: "region",
    "aria-label": "Log of all worlds",
  });
  private readonly off: (() => void)[] = [];

  constructor(
    private readonly frame: CardFrame,
    private readonly app: App,
  ) {
    const pick = h(
      "select",
      { class: "pu-select lg-level", "aria-label": "What the log shows" },
      LEVELS.map(([name, title, doc]) => h("option", { value: name, title: doc }, title)),
    ) as HTMLSelectElement;
    pick.value = frame.kept.level ?? "commands";
    pick.addEventListener("change", () => {
      frame.kept.level = pick.value;
      frame.keep();
      this.stale = true;
      this.next = 0;
      app.touch();
    });
    frame.pills.append(pick);
    frame.body.append(this.box);
    const again = () => {
      this.stale = true;
    };
    this.off.push(
      app.on("worlds", again),
      app.on("world", again),
      app.on("events", again),
      onChange(app, again),
      app.on("theme", () => {
        this.written = "";
        this.stale = true;
      }),
    );
  }

  draw(): void {
    const now = performance.now();
    if (!this.stale || this.busy || now < this.next || !this.frame.body.clientHeight || !this.app.connected) {
      if (this.stale) this.app.touch(300);
      return;
    }
    this.stale = false;
    this.busy = true;
    this.next = now + 700;
    const worlds = this.app.shown().filter((w) => w.kind === "run");
    Promise.all(worlds.map((w) => this.app.ask("log", { world: w.world }).then((a) => ({ w, entries: a.entries }))))
      .then(
        (all) =>
          this.write(
            all.flatMap(({ w, entries }) => this.linesOf(w.world, w.parent >= 0 ? w.fork : -Infinity, entries)),
          ),
        (e: Error) => fill(this.box, h("p", { class: "mut fg-note" }, e.message)),
      )
      .finally(() => {
        this.busy = false;
      });
  }

  // Commands before the fork are the parent's.
  private linesOf(world: number, from: number, entries: LogEntry[]): Line[] {
    const level = this.frame.kept.level ?? "commands";
    const events = this.app.events(world);
    const out: Line[] = [];
    if (level !== "events")
      for (const entry of entries)
        if (entry.t >= from - 1e-6) out.push({ t: entry.t, world, what: wordsOf(entry, events), by: entry.by, entry });
    if (level !== "commands")
      for (const event of events)
        if (event.t >= from - 1e-6 && !COMMANDS.has(event.type))
          out.push({
            t: event.t,
            world,
            what: event.text ? plainWords(eventWords(event)) : `${kindName(event.type)} ${event.vehicle}`,
            by: "",
            event,
          });
    return out;
  }

  private write(lines: Line[]): void {
    lines.sort((p, q) => p.t - q.t || p.world - q.world);
    const left = Math.max(0, lines.length - MAX_LINES);
    const key = JSON.stringify(lines.map((l) => [l.t, l.world, l.what, l.by, l.entry?.index, l.entry?.value]));
    this.frame.note.textContent = `${lines.length} ${lines.length === 1 ? "entry" : "entries"}`;
    if (key === this.written || this.box.querySelector("input")) return; // nothing new, or a value is being typed
    this.written = key;
    const bottom = this.box.scrollTop + this.box.clientHeight >= this.box.scrollHeight - 4;
    fill(
      this.box,
      !lines.length &&
        h(
          "p",
          { class: "mut fg-note" },
          "No commands yet. Every change from every page is listed here, with its time and author.",
        ),
      left > 0 && h("p", { class: "mut fg-note" }, `${left} earlier ones not shown`),
      lines.length > 0 &&
        h(
          "table",
          { class: "fg-table lg-table" },
          h(
            "thead",
            null,
            h(
              "tr",
              null,
              ["time, s", "", "what", "value", "by", ""].map((t) =>
                h("th", { scope: "col" }, t || h("span", { class: "sr" }, "-")),
              ),
            ),
          ),
          h(
            "tbody",
            null,
            lines.slice(left).map((l) => this.row(l)),
          ),
        ),
    );
    if (bottom) this.box.scrollTop = this.box.scrollHeight;
  }

  private row(l: Line): HTMLElement {
    const app = this.app;
    const e = l.entry;
    const may = e && app.connected && !app.readOnly;
    const go = () => {
      app.clock.play(false);
      app.clock.seek(l.t);
      const car = l.event?.vehicle ?? e?.vehicle ?? "";
      if (app.world(l.world)?.vehicles.some((v) => v.name === car)) app.select(l.world, car);
    };
    const value = h("td");
    if (e && typeof e.value === "number")
      value.append(
        may
          ? h(
              "button",
              { class: "in-link", title: "Change it; simulates again from there", onclick: () => this.edit(value, l) },
              figures(e.value, 4),
            )
          : figures(e.value, 4),
        " ",
        h("span", { class: "fg-unit" }, unitText(this.unitOf(e)).replace("–", "")),
      );
    return h(
      "tr",
      null,
      h(
        "td",
        null,
        h(
          "button",
          { class: "in-link", title: "Go there", "aria-label": `Go to ${fixed(l.t, 2)} s`, onclick: go },
          fixed(l.t, 2),
        ),
      ),
      h("td", null, h("span", { class: "badge", style: `background:${app.colour(l.world)}` }, app.letter(l.world))),
      h("th", { scope: "row", title: l.what }, l.what),
      value,
      h("td", { class: "fg-unit" }, l.by),
      h(
        "td",
        null,
        may &&
          h(
            "button",
            {
              class: "in-icon",
              "aria-label": `Remove: ${l.what}`,
              title: "Remove it; simulates again without it",
              onclick: () => this.tell("log_remove", { world: l.world, index: e!.index }, `Removed: ${l.what}`),
            },
            icon("close", 14),
          ),
      ),
    );
  }

  // The value's cell becomes a field; Enter takes it.
  private edit(cell: HTMLElement, l: Line): void {
    const e = l.entry!;
    const input = h("input", {
      class: "field lg-value",
      value: String(e.value),
      "aria-label": `${l.what}, value`,
    }) as HTMLInputElement;
    let open = true;
    const close = () => {
      if (!open) return;
      open = false;
      input.remove();
      this.written = "";
      this.stale = true;
      this.next = 0;
      this.app.touch();
    };
    input.addEventListener("keydown", (k) => {
      k.stopPropagation();
      if (k.key === "Escape") close();
      if (k.key !== "Enter") return;
      const value = parse(input.value, this.unitOf(e) || "-");
      if (value === null) {
        this.app.toast(`'${input.value}' is not a number${this.unitOf(e) ? ` in ${unitText(this.unitOf(e))}` : ""}`);
        return;
      }
      close();
      this.tell(
        "log_change",
        { world: l.world, index: e.index, value },
        `${l.what.replace(/ .*->.*| = .*/, "")} is ${figures(value, 4)} from ${fixed(l.t, 2)} s on`,
      );
    });
    input.addEventListener("blur", close);
    cell.replaceChildren(input);
    input.focus();
    input.select();
  }
  private tell<K extends "log_remove" | "log_change">(kind: K, args: Ask<K>, said: string): void {
    this.app.ask(kind, args).then(
      () => {
        this.app.toast(said, { label: "Undo", run: () => this.app.run("undo") });
        this.stale = true;
        this.next = 0;
      },
      (e: Error) => this.app.toast(sentence(e.message)),
    );
  }
  private unitOf(e: LogEntry): string {
    const name = e.param.replace(/^.*\./, "");
    for (const t of [...this.app.tables, ...this.app.laws]) {
      const r = t.rows.find((o) => o.name === name);
      if (r) return r.unit;
    }
    return "";
  }
  destroy(): void {
    for (const off of this.off) off();
  }
}

const plainWords = (text: string): string =>
  text
    .replace("->", "→")
    .replace(/\^2\b/g, "²")
    .replace(/\b(model|desired|user|law)\.(?=[a-z])/g, "");

// As its event says it; a bare entry by its own words.
function wordsOf(e: LogEntry, events: Event[]): string {
  const told = events.find((o) => o.log === e.index && Math.abs(o.t - e.t) < 1e-6);
  if (told?.text) return plainWords(told.text);
  return e.event === "set" ? `${e.vehicle.replace("@", "")} ${e.param.replace(/^law\./, "")}` : e.text || e.event;
}
