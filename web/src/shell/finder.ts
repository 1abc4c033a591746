// finder.ts - "Do anything" (Ctrl K): finds commands, cars, parameters, laws and help by their names.
import { fixed, unitText } from "../base/units.ts";
import type { Core } from "../core/core.ts";
import { parseTime } from "../time/transport.ts";
import { rosterOf } from "../core/roster.ts";
import { h } from "../ui/dom.ts";
import { icon } from "../ui/icons.ts";
import { keyText, type Keys } from "./keys.ts";

export interface Found {
  title: string;
  also?: string; // another name for it
  kind: string;
  note: string;
  keys?: string[];
  off?: boolean;
  run(): void;
}

// The letters of q in s, in order: beginnings of words and runs of letters count more. starts: a letter
// is looked for at the beginnings of words first. 0: not at all, also when they are scattered.
function along(q: string, s: string, starts: boolean, whole: boolean): number {
  const begins = (i: number): boolean => i === 0 || /[\s._-]/.test(s[i - 1]!);
  let points = 0;
  let at = 0;
  let run = 0;
  let scattered = 0;
  for (const ch of q) {
    const near = s.indexOf(ch, at);
    let i = near;
    while (starts && near !== at && i >= 0 && !begins(i)) i = s.indexOf(ch, i + 1);
    if (i < 0) i = near;
    if (i < 0) return 0;
    run = i === at && at > 0 ? run + 1 : 0;
    if (run === 0 && !begins(i)) scattered++;
    points += 1 + (begins(i) ? 6 : 0) + 3 * run - Math.min(3, (i - at) * 0.2);
    at = i + 1;
  }
  return !whole && scattered > q.length / 4 ? 0 : Math.max(0.1, points);
}

// How well `text` answers `query`: every letter of it in order; long texts count less. 0: not at all.
export function score(query: string, text: string): number {
  const q = query.toLowerCase().replace(/\s+/g, "");
  const s = text.toLowerCase();
  if (!q) return 1;
  const at = s.indexOf(query.toLowerCase().trim());
  const points = Math.max(along(q, s, false, at >= 0), along(q, s, true, at >= 0));
  if (points === 0) return 0;
  const whole = at === 0 ? 60 : at > 0 ? (/[\s._-]/.test(s[at - 1]!) ? 45 : 25) : 0;
  return Math.max(0.1, whole + points - s.length * 0.05);
}

export function candidates(app: Core, keys: Keys): Found[] {
  const list: Found[] = [];
  for (const c of app.commands.list())
    if (c.name !== "find")
      list.push({
        title: c.title,
        kind: c.group ?? "Command",
        note: c.help,
        keys: keys.of(c),
        off: !app.commands.enabled(c),
        run: () => app.run(c.name),
      });
  for (const w of app.shown()) {
    const { labels } = rosterOf(app, w);
    for (const [i, v] of w.vehicles.slice(0, 2000).entries())
      list.push({
        title: `${v.name}, ${w.name}`,
        also: labels[i], // its tag
        kind: "Car",
        note: [v.model, v.controller].filter(Boolean).join(", "),
        run: () => app.select(w.world, v.name),
      });
  }
  for (const t of app.tables)
    for (const r of t.rows)
      list.push({
        title: r.name,
        kind: `Parameter of ${t.title}`,
        note: r.doc + (r.unit && r.unit !== "-" ? `, ${unitText(r.unit)}` : ""),
        run: () => openHelp(app, r.name, t.name),
      });
  for (const l of app.laws) {
    list.push({ title: `Law: ${l.name}`, kind: "Help", note: l.doc, run: () => openHelp(app, l.name, l.name) });
    for (const r of l.rows)
      list.push({ title: r.name, kind: `Gain of ${l.name}`, note: r.doc, run: () => openHelp(app, r.name, l.name) });
  }
  for (const s of app.signals)
    list.push({
      title: s.name,
      kind: "Signal",
      note: `${s.doc}${s.unit ? `, ${unitText(s.unit)}` : ""}`,
      run: () => openHelp(app, s.name, "signals"),
    });
  return list;
}
// A part that has a field of this name shows it (topic "state", detail.find); help shows its card.
function openHelp(app: Core, name: string, table: string): void {
  app.layout.set({ inspector: true });
  app.emit("state", { find: { name, table } });
  app.run("help.found");
}
export function search(list: Found[], query: string, max = 40): Found[] {
  const rank = (f: Found) => {
    const a = Math.max(score(query, f.title), f.also?.toLowerCase() === query.trim().toLowerCase() ? 200 : 0);
    const b = score(query, `${f.title} ${f.kind}`) * 0.7;
    const c = query.trim().length > 2 && f.note.toLowerCase().includes(query.trim().toLowerCase()) ? 8 : 0;
    return Math.max(a, b, c) * (f.off ? 0.3 : 1) * (f.kind === "Car" || f.kind.startsWith("Parameter") ? 0.9 : 1);
  };
  return list
    .map((f) => ({ f, r: rank(f) }))
    .filter((o) => o.r > 0)
    .sort((a, b) => b.r - a.r)
    .slice(0, max)
    .map((o) => o.f);
}

export function startFinder(app: Core, keys: Keys): void {
  let close: (() => void) | null = null;
  const open = () => {
    if (close) {
      close();
      return;
    }
    const back = document.activeElement as HTMLElement | null;
    const all = candidates(app, keys);
    let found: Found[] = [];
    let at = 0;
    const input = h("input", {
      class: "fi-input",
      type: "text",
      role: "combobox",
      "aria-expanded": "true",
      "aria-controls": "fi-list",
      "aria-autocomplete": "list",
      "aria-label": "Do anything",
      placeholder: "Command, car, parameter, time…",
      spellcheck: "false",
      autocomplete: "off",
    });
    const list = h("ul", { class: "fi-list", id: "fi-list", role: "listbox", "aria-label": "Found" });
    const box = h(
      "div",
      { class: "float fi", role: "dialog", "aria-label": "Do anything" },
      h("div", { class: "fi-head" }, icon("search", 16), input, h("kbd", null, "Esc")),
      list,
    );
    const veil = h("div", { class: "veil", onpointerdown: () => close?.() });
    const mark = () => {
      [...list.children].forEach((e, i) => e.setAttribute("aria-selected", String(i === at)));
      const on = list.children[at];
      if (on) {
        input.setAttribute("aria-activedescendant", on.id);
        on.scrollIntoView({ block: "nearest" });
      } else input.removeAttribute("aria-activedescendant");
    };
    const show = () => {
      const t = parseTime(input.value);
      found =
        t !== null && input.value.trim()
          ? [
              {
                title: `Go to ${fixed(t, 3)} s`,
                kind: "Time",
                note: "",
                run: () => {
                  app.clock.play(false);
                  app.clock.seek(t);
                },
              },
            ]
          : [];
      found.push(...search(all, input.value));
      at = 0;
      list.replaceChildren(
        ...found.map((f, i) =>
          h(
            "li",
            {
              id: `fi-${i}`,
              role: "option",
              class: f.off ? "off" : "",
              "aria-disabled": f.off ? "true" : null,
              onpointerdown: (e: Event) => {
                e.preventDefault();
                at = i;
                take();
              },
            },
            h("span", { class: "fi-title" }, f.title),
            h("span", { class: "fi-note" }, f.note),
            h("span", { class: "fi-kind" }, f.kind),
            (f.keys ?? []).slice(0, 2).map((k) => h("kbd", null, keyText(k))),
          ),
        ),
      );
      if (!found.length)
        list.replaceChildren(
          h("li", { class: "mut", role: "option", "aria-disabled": "true" }, `Nothing is called '${input.value}'`),
        );
      mark();
    };
    const take = () => {
      const f = found[at];
      if (!f || f.off) return;
      close?.();
      f.run();
    };
    close = () => {
      close = null;
      box.remove();
      veil.remove();
      back?.focus({ preventScroll: true });
    };
    input.addEventListener("input", show);
    input.addEventListener("keydown", (e) => {
      if (e.key === "Escape" || (e.key.toLowerCase() === "k" && (e.ctrlKey || e.metaKey))) close?.();
      else if (e.key === "ArrowDown") at = Math.min(found.length - 1, at + 1);
      else if (e.key === "ArrowUp") at = Math.max(0, at - 1);
      else if (e.key === "Enter") take();
      else if (e.key !== "Tab") {
        e.stopPropagation();
        return;
      }
      e.preventDefault();
      e.stopPropagation();
      mark();
    });
    document.body.append(veil, box);
    input.focus();
    show();
  };
  app.command({
    name: "find",
    title: "Do anything",
    keys: ["Ctrl+K"],
    group: "Page",
    help: "Finds every command, car, parameter and help by name.",
    run: open,
  });
}
