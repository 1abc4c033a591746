// formula.ts - a law typed as formulas: checked while typing, errors shown in place; the old law
// keeps driving until the new one is valid.
//
// An editor belongs to a controller, not to the form it is in: the form is rebuilt when the law
// changes, the editor keeps its text, its cursor and its versions.
import { fixed } from "../base/units.ts";
import type { App, Event } from "../core/app.ts";
import { h } from "../ui/dom.ts";
import { plain, short, unitText } from "../ui/form.ts";
import type { Controller, Rejection, World } from "../wire/protocol.ts";
import { Rejected } from "../wire/wire.ts";

// A controller's law in the lines of the protocol: parameters, variables, states, acceleration.
export function lawText(c: Controller): string {
  const unit = (u: string | undefined): string => (u && u !== "-" && u !== "1" ? ` [${u}]` : "");
  const lines = Object.entries(c.gains).map(
    ([name, value]) => `${name} := ${plain(value, 9)}${unit(c.rows?.find((r) => r.name === name)?.unit)}`,
  );
  for (const line of c.lines) {
    if (line.kind === "variable") lines.push(`${line.name} = ${line.formula}`);
    else if (line.kind === "acceleration") lines.push(`a = ${line.formula}`);
    else {
      lines.push(`${line.name}' = ${line.formula}${unit(line.unit)}`);
      if (line.start) lines.push(`${line.name}(0) = ${line.start}`);
    }
  }
  return lines.join("\n");
}

// The word that ends at the cursor.
export function wordAt(text: string, at: number): string {
  return /[A-Za-z_][A-Za-z_0-9]*$/.exec(text.slice(0, at))?.[0] ?? "";
}

// Lines of two texts, marked: "+", "-" or " ". Longest common subsequence, small texts.
export function compareLines(before: string[], after: string[]): [string, string][] {
  const n = before.length;
  const m = after.length;
  const best = Array.from({ length: n + 1 }, () => new Uint16Array(m + 1));
  for (let i = n - 1; i >= 0; i--)
    for (let j = m - 1; j >= 0; j--)
      best[i]![j] = before[i] === after[j] ? best[i + 1]![j + 1]! + 1 : Math.max(best[i + 1]![j]!, best[i]![j + 1]!);
  const out: [string, string][] = [];
  for (let i = 0, j = 0; i < n || j < m;) {
    if (i < n && j < m && before[i] === after[j]) {
      out.push([" ", before[i]!]);
      i++;
      j++;
    } else if (i < n && (j >= m || best[i + 1]![j]! >= best[i]![j + 1]!)) out.push(["-", before[i++]!]);
    else out.push(["+", after[j++]!]);
  }
  return out;
}

interface Version {
  text: string;
  worlds: Set<number>;
} // worlds it drives in

class Editor {
  readonly root: HTMLElement;
  private readonly area: HTMLTextAreaElement;
  private readonly marks = h("pre", { class: "fm-marks", "aria-hidden": "true" });
  private readonly gutter = h("pre", { class: "fm-gutter", "aria-hidden": "true" });
  private readonly message = h("div", { class: "fm-message", role: "status" });
  private readonly list = h("ul", {
    class: "fm-names",
    role: "listbox",
    "aria-label": "names that can be used",
    hidden: true,
  });
  private readonly running = h("span", { class: "fm-running" });
  private readonly use = h("button", { type: "button", class: "fm-use", title: "Ctrl Enter" }, "Use this law");
  private readonly old = h("select", { class: "fo-choice", "aria-label": "versions of this law" });
  private readonly changes = h("pre", {
    class: "fm-changes",
    "aria-label": "lines changed",
    tabindex: "0",
    hidden: true,
  });
  private readonly kept: Version[];
  private timer = 0;
  private asked = 0;

  constructor(
    private readonly app: App,
    private world: World,
    private c: Controller,
    private close: () => void,
    private left: () => void, // another form shows the editor now
  ) {
    this.kept = [{ text: lawText(c), worlds: new Set([world.world]) }];
    this.area = h("textarea", {
      class: "fm-area",
      spellcheck: "false",
      autocapitalize: "off",
      autocomplete: "off",
      "aria-label": `law of ${c.name} as formulas`,
    });
    this.area.value = this.kept[0]!.text;
    const cancel = h("button", { type: "button" }, "Close");
    this.listen();
    this.use.addEventListener("click", () => this.run());
    cancel.addEventListener("click", () => this.close());
    this.root = h(
      "div",
      { class: "fm-editor" },
      h("div", { class: "fm-head" }, this.running, this.old),
      h("div", { class: "fm-text" }, this.gutter, h("div", { class: "fm-stack" }, this.marks, this.area)),
      this.list,
      this.message,
      this.changes,
      h(
        "div",
        { class: "fm-buttons" },
        this.use,
        cancel,
        h(
          "span",
          { class: "fm-hint" },
          "k := 0.5 [1/s] a gain · name = formula · z' = rate of a state · a = desired acceleration",
        ),
      ),
    );
    this.listVersions();
    this.mark(0, 0, "");
    this.fit();
    app.on("events", (d) => {
      for (const e of d?.fresh ?? []) if (e.type === "failure") void this.failed(e);
    });
  }

  // The law that was sent did not return a number: the previous version drives again from there,
  // time stops at that instant, and the text stays to be corrected.
  private async failed(e: Event): Promise<void> {
    const sent = this.sent;
    const car = /^(.+): its law "(.+)" gives no finite/.exec(e.text);
    if (!sent || !car || car[2] !== this.c.name || e.world !== sent.world || e.t < sent.at - 1e-6) return;
    this.sent = null;
    const inputs = this.inputs(e.world, car[1]!);
    this.app.clock.play(false);
    await this.app.ask("log_remove", { world: e.world, index: sent.log }).then(
      () => {
        this.kept[sent.version]!.worlds.delete(e.world);
        this.kept[sent.before]!.worlds.add(e.world);
        this.listVersions();
        this.app.clock.seek(e.t);
        const lines = this.area.value.split("\n");
        const line = Math.max(1, lines.findIndex((l) => /^\s*a\s*=/.test(l)) + 1);
        const column = (lines[line - 1] ?? "").indexOf("=") + 3;
        this.mark(
          line,
          column,
          `Line ${line}: no finite acceleration for ${car[1]} at ${fixed(e.t, 2)} s${inputs ? `, with ${inputs}` : ""}. Version ${sent.before + 1} drives again.`,
        );
        this.use.disabled = false; // at another instant it may do
        this.app.toast(
          `The law of ${this.c.name} did not return a number for ${car[1]} at ${fixed(e.t, 2)} s: version ${sent.before + 1} drives again`,
        );
      },
      () => undefined,
    ); // another page was faster: the world stays as it is
  }
  // Measurements that stand in the law, as they were.
  private inputs(world: number, car: string): string {
    const f = this.app.frame(world, this.app.world(world)?.end);
    const w = this.app.world(world);
    const v = w?.vehicles.find((o) => o.name === car);
    const front = v && w!.vehicles.find((o) => o.platoon === v.platoon && o.place === v.place - 1);
    const i = f && v ? f.index(v.id) : -1;
    const k = f && front ? f.index(front.id) : -1;
    if (!f || i < 0) return "";
    const known: [string, number, string][] = [
      ["x", f.x[i]!, "m"],
      ["v", f.field("v")?.[i] ?? NaN, "m/s"],
      ["a", f.field("a")?.[i] ?? NaN, "m/s²"],
      ["gap", f.field("gap")?.[i] ?? NaN, "m"],
      ["v_front", k < 0 ? NaN : (f.field("v")?.[k] ?? NaN), "m/s"],
      ["a_front", k < 0 ? NaN : (f.field("a")?.[k] ?? NaN), "m/s²"],
    ];
    const right = this.area.value.replace(/^\s*a\s*=/gm, "");
    return known
      .filter(([name, value]) => Number.isFinite(value) && new RegExp(`\\b${name}\\b`).test(right))
      .map(([name, value, unit]) => `${name} = ${short(value)} ${unit}`)
      .join(", ");
  }
  private sent: { world: number; log: number; at: number; version: number; before: number } | null = null;

  // The form around it was rebuilt; its world may be a new branch.
  take(world: World, c: Controller, close: () => void, left: () => void): void {
    this.left();
    this.world = world;
    this.c = c;
    this.close = close;
    this.left = left;
    this.listVersions();
    this.followGains();
  }
  follow(c: Controller): void {
    this.c = c;
    this.followGains();
  }
  // Sliders move the gains of the running version: its text says so.
  private followGains(): void {
    const now = this.kept[this.current()]!;
    const same = this.area.value === now.text;
    now.text = now.text.replace(/^([A-Za-z_]\w*)( := )([^\s[#]+)/gm, (line, name: string, sign: string) => {
      const value = this.c.gains[name];
      return value === undefined ? line : `${name}${sign}${plain(value, 9)}`;
    });
    if (same) this.area.value = now.text;
  }

  // The version that drives this world: the newest that was sent to it, or to the one it came from.
  private current(): number {
    for (let w: World | undefined = this.world, n = 0; w && n < 64; n++) {
      for (let i = this.kept.length - 1; i >= 0; i--) if (this.kept[i]!.worlds.has(w.world)) return i;
      w = w.parent >= 0 && w.parent !== w.world ? this.app.world(w.parent) : undefined;
    }
    return 0;
  }

  private listVersions(): void {
    const now = this.current();
    this.old.replaceChildren(
      ...this.kept.map((_, i) => h("option", { value: String(i) }, `version ${i + 1}${i === now ? ", running" : ""}`)),
    );
    this.old.value = String(now);
    this.running.textContent = `running: version ${now + 1}`;
  }

  private mark(line: number, column: number, text: string): void {
    const lines = this.area.value.split("\n");
    this.gutter.replaceChildren(...lines.flatMap((_, i) => [i + 1 === line ? h("b", {}, "▲") : String(i + 1), "\n"]));
    this.marks.replaceChildren();
    if (line > 0) {
      const at = lines[line - 1] ?? "";
      const from = Math.max(0, Math.min(column - 1, at.length));
      const word = /^[A-Za-z_0-9.]+/.exec(at.slice(from))?.[0] ?? at.slice(from, from + 1);
      this.marks.append(
        "\n".repeat(line - 1) + at.slice(0, from),
        h("span", { class: "fm-wavy", "data-line": line, "data-column": from + 1 }, word || " "),
      );
      this.area.setAttribute("aria-invalid", "true");
    } else this.area.removeAttribute("aria-invalid");
    this.message.textContent = text;
    this.message.classList.toggle("bad", line > 0);
    this.use.disabled = line > 0;
    this.scrolled();
  }
  private showRejection(e: unknown): void {
    const a: Rejection = e instanceof Rejected ? e.answer : { reason: String(e) };
    const line = Math.max(1, a.line ?? 1);
    this.mark(line, a.column ?? 1, `Line ${line}: ${a.reason}`);
  }
  private check(): void {
    const mine = ++this.asked;
    this.app.ask("law_check", { world: this.world.world, controller: this.c.name, text: this.area.value }).then(
      () =>
        mine === this.asked &&
        this.mark(0, 0, this.area.value === this.kept[this.current()]!.text ? "" : "Valid. Ctrl Enter runs it."),
      (e) => mine === this.asked && this.showRejection(e),
    );
  }
  private run(): void {
    const text = this.area.value;
    const from = this.world.world;
    const before = this.current();
    this.asked++;
    this.app.change("law", { world: from, controller: this.c.name, text }).then(
      (answer) => {
        const world = answer.world;
        let at = this.kept.findIndex((v) => v.text === text);
        if (at < 0) at = this.kept.push({ text, worlds: new Set() }) - 1;
        for (const v of this.kept) v.worlds.delete(world);
        this.kept[at]!.worlds.add(world);
        if (answer.log >= 0 && at !== before)
          this.sent = { world, log: answer.log, at: answer.at, version: at, before };
        this.listVersions();
        this.old.value = String(at);
        this.changes.hidden = true;
        this.mark(0, 0, `Version ${at + 1} drives from now on.`);
      },
      (e) => this.showRejection(e),
    );
  }

  // ---- names ----
  private names(): { name: string; unit: string; doc: string }[] {
    const own = [...this.area.value.matchAll(/^\s*([A-Za-z_]\w*)\s*(?::?=|'|\()/gm)].map((m) => ({
      name: m[1]!,
      unit: "",
      doc: "of this law",
    }));
    return [...own, ...this.app.signals].filter((s, i, all) => all.findIndex((o) => o.name === s.name) === i);
  }
  private complete(): void {
    const word = wordAt(this.area.value, this.area.selectionStart);
    const found =
      word.length < 1
        ? []
        : this.names()
            .filter((s) => s.name.startsWith(word) && s.name !== word)
            .slice(0, 6);
    this.list.hidden = found.length === 0;
    this.list.replaceChildren(
      ...found.map((s) => {
        const item = h(
          "li",
          { role: "option", tabindex: "-1", title: s.doc },
          h("b", {}, s.name),
          ` ${unitText(s.unit)}  ${s.doc}`,
        );
        item.addEventListener("mousedown", (e) => {
          e.preventDefault();
          this.insert(s.name.slice(word.length));
        });
        return item;
      }),
    );
  }
  private insert(text: string): void {
    this.area.setRangeText(text, this.area.selectionStart, this.area.selectionEnd, "end");
    this.list.hidden = true;
    this.changed(false);
  }

  // ---- typing ----
  private changed(names = true): void {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.check(), 150);
    if (names) this.complete();
    this.fit();
  }
  private fit(): void {
    this.area.rows = Math.min(20, Math.max(6, this.area.value.split("\n").length + 1));
  }
  private scrolled(): void {
    this.marks.scrollTop = this.gutter.scrollTop = this.area.scrollTop;
    this.marks.scrollLeft = this.area.scrollLeft;
  }
  private listen(): void {
    this.area.addEventListener("input", () => this.changed());
    this.area.addEventListener("scroll", () => this.scrolled());
    this.area.addEventListener("blur", () => (this.list.hidden = true));
    this.area.addEventListener("keydown", (e) => this.key(e));
    this.old.addEventListener("change", () => {
      const text = this.kept[Number(this.old.value)]!.text;
      const now = this.kept[this.current()]!.text;
      this.changes.hidden = text === now;
      this.changes.textContent = compareLines(now.split("\n"), text.split("\n"))
        .filter(([m]) => m !== " ")
        .map(([m, l]) => `${m} ${l}`)
        .join("\n");
      this.area.value = text;
      this.changed(false);
    });
  }
  private key(e: KeyboardEvent): void {
    e.stopPropagation();
    if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) {
      e.preventDefault();
      this.run();
    } else if (e.key === "Tab" && !this.list.hidden && !e.shiftKey) {
      e.preventDefault();
      this.list.firstElementChild?.dispatchEvent(new MouseEvent("mousedown", { cancelable: true }));
    } else if (e.key === "Escape") {
      if (!this.list.hidden) this.list.hidden = true;
      else this.close();
    }
  }
}

const open = new Map<string, Editor>(); // by name of the controller

// The controller has other numbers now.
export function followEditor(c: Controller): void {
  open.get(c.name)?.follow(c);
}
export function editorOf(controller: string): HTMLElement | undefined {
  return open.get(controller)?.root;
}
export function closeEditor(controller: string): void {
  shut.set(controller, open.get(controller)!);
  open.delete(controller);
}
const shut = new Map<string, Editor>(); // closed ones, with their versions

export function openEditor(app: App, world: World, c: Controller, close: () => void, left: () => void): HTMLElement {
  let editor = open.get(c.name) ?? shut.get(c.name);
  if (editor) editor.take(world, c, close, left);
  else editor = new Editor(app, world, c, close, left);
  open.set(c.name, editor);
  return editor.root;
}
// The controller got another law by name: what was typed belongs to the old one.
export function forgetEditor(controller: string): void {
  open.delete(controller);
  shut.delete(controller);
}
// Another scenario: nothing of the old laws stays.
export function forgetEditors(): void {
  open.clear();
  shut.clear();
}
