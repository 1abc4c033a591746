// help.ts - help in place: cards from the tables, the list of keys, the first minute, three hints.
//
// An element with data-help="name" (or "table/name") gets a card after 0.6 s of hovering, or by F1
// when it has the focus: what it is, unit, range, default, equation, source. Elements without it are
// explained by their title.
import { text, unitText } from "../base/units.ts";
import type { Command } from "../core/app.ts";
import type { Core } from "../core/core.ts";
import { openDialog } from "../ui/dialog.ts";
import { h, placeOutside, type Child } from "../ui/dom.ts";
import { icon } from "../ui/icons.ts";
import type { Law, Row } from "../wire/protocol.ts";
import { keyName, keyText, type Keys } from "./keys.ts";

interface Topic {
  title: string;
  kind: string;
  row?: Row;
  law?: Law;
  doc: string;
  keys?: string[];
}

export function topicOf(app: Core, name: string): Topic | null {
  const [table, word] = name.includes("/")
    ? [name.slice(0, name.indexOf("/")), name.slice(name.indexOf("/") + 1)]
    : ["", name];
  for (const l of app.laws) {
    if (l.name === word && (!table || table === word))
      return { title: l.name, kind: "control law", law: l, doc: l.doc };
    const row = (!table || table === l.name) && l.rows.find((r) => r.name === word);
    if (row) return { title: row.name, kind: `gain of ${l.name}`, row, law: l, doc: row.doc };
  }
  for (const t of app.tables) {
    const row = (!table || table === t.name) && t.rows.find((r) => r.name === word);
    if (row) return { title: row.name, kind: `parameter of ${t.title}`, row, doc: row.doc };
  }
  const s = app.signals.find((o) => o.name === word) ?? app.figures.find((o) => o.name === word);
  if (s) return { title: s.name, kind: unitText(s.unit), doc: s.doc };
  const c = app.commands.get(word);
  return c ? { title: c.title, kind: c.group ?? "command", doc: c.help, keys: c.keys } : null;
}
function cardOf(t: Topic): HTMLElement {
  const r = t.row;
  const line = (name: string, value: Child) => [h("dt", null, name), h("dd", null, value)];
  return h(
    "div",
    null,
    h("h3", null, t.title, h("span", { class: "mut" }, ` ${t.kind}`)),
    h("p", null, t.doc),
    r &&
      h(
        "dl",
        null,
        line("Unit", unitText(r.unit)),
        line("Range", `${text(r.min)} to ${text(r.max)}`),
        r.default !== null && line("Default", text(r.default, r.unit)),
      ),
    t.law && [
      t.law.equation && h("pre", { class: "mono" }, t.law.equation),
      t.law.stability && h("p", null, t.law.stability),
      t.law.limits && h("p", { class: "mut" }, t.law.limits),
      t.law.source && h("p", { class: "mut" }, t.law.source),
    ],
    t.keys?.length
      ? h(
          "p",
          null,
          t.keys.map((k) => h("kbd", null, keyText(k))),
        )
      : null,
  );
}

const FORMS = ".aside, .id-side, .sw-side, .float"; // panels full of fields

export function startHelp(app: Core, keys: Keys): void {
  const card = h("div", { class: "float hc hidden", role: "tooltip", id: "help-card" });
  document.querySelector(".top")!.appendChild(card);
  let timer = 0;
  let on: Element | null = null;
  const hide = () => {
    clearTimeout(timer);
    card.classList.add("hidden");
    on?.removeAttribute("aria-describedby");
    on = null;
  };
  const show = (e: Element, content: HTMLElement) => {
    hide();
    card.replaceChildren(content);
    card.classList.remove("hidden");
    on = e;
    e.setAttribute("aria-describedby", "help-card");
    // Beside a form, not over the fields one works on next.
    const r = e.getBoundingClientRect();
    const form = e.closest(FORMS)?.getBoundingClientRect();
    placeOutside(card, form ?? r, form ? "beside" : "below", r.top);
  };
  const explain = (e: Element): HTMLElement | null => {
    const holder = e.closest("[data-help]");
    const t = holder && topicOf(app, holder.getAttribute("data-help")!);
    if (t) return cardOf(t);
    const named = e.closest("[title], [aria-label]");
    const words = named?.getAttribute("title") || named?.getAttribute("aria-label");
    return words ? h("p", null, words) : null;
  };
  document.addEventListener("pointerover", (e) => {
    const holder = (e.target as Element).closest?.("[data-help]");
    if (holder === on) return;
    hide();
    if (holder)
      timer = setTimeout(() => {
        const c = explain(holder);
        if (c) show(holder, c);
      }, 600) as unknown as number;
  });
  for (const type of ["pointerdown", "wheel", "keydown", "scroll"])
    document.addEventListener(type, hide, { capture: true, passive: true });
  app.command({
    name: "help",
    title: "Help for this",
    keys: ["F1"],
    group: "Help",
    help: "Explains what has the focus.",
    run: () => {
      const e = document.activeElement ?? document.body;
      const c = e === document.body ? null : explain(e);
      if (c) show(e, c);
      else app.run("keys");
    },
  });
  let found: { name: string; table: string } | null = null;
  app.on("state", (d) => {
    if (d?.find) found = d.find;
  });
  app.command({
    name: "help.found",
    title: "Explain the last result",
    group: "Help",
    help: "The card of the parameter that was found last.",
    when: () => found !== null,
    run: () => {
      const field = document.querySelector(`.aside [data-help$="${CSS.escape(found!.name)}"]`);
      const t =
        topicOf(app, found!.table === "signals" ? found!.name : `${found!.table}/${found!.name}`) ??
        topicOf(app, found!.name);
      if (t) show(field ?? document.querySelector(".tb-find")!, cardOf(t));
    },
  });
  startKeyList(app, keys);
  startMinute(app);
}

// The list of keys: every command with a key; a click on a key changes it ----------------------------
function startKeyList(app: Core, keys: Keys): void {
  let close: (() => void) | null = null;
  const open = () => {
    if (close) {
      close();
      return;
    }
    const body = h("div", { class: "kl-body", tabindex: 0, role: "group", "aria-label": "Keys" });
    const leaveTo = (command: string) =>
      h(
        "button",
        {
          class: "btn",
          onclick: () => {
            close?.();
            app.run(command);
          },
        },
        app.commands.get(command)!.title,
      );
    const show = () => {
      const groups = new Map<string, Command[]>();
      for (const c of app.commands.list())
        if ((c.keys?.length ?? 0) > 0 || keys.of(c).length) {
          const g = c.group ?? "More";
          groups.set(g, [...(groups.get(g) ?? []), c]);
        }
      body.replaceChildren(
        ...[...groups].map(([name, list]) =>
          h(
            "section",
            null,
            h("h3", null, name),
            ...list.map((c) => h("div", { class: "kl-row", title: c.help }, h("span", null, c.title), keyButton(c))),
          ),
        ),
      );
    };
    const keyButton = (c: Command) => {
      const b = h(
        "button",
        { class: "kl-key" },
        h("span", { class: "sr" }, `Change the key of ${c.title}: `),
        keys.of(c).length ? keys.of(c).map((k) => h("kbd", null, keyText(k))) : h("kbd", null, "off"),
      );
      b.addEventListener("click", () => {
        b.replaceChildren(h("kbd", { class: "kl-wait" }, "press a key"));
        keys.listen = false;
        const take = (e: KeyboardEvent) => {
          if (["Shift", "Control", "Alt", "Meta"].includes(e.key)) return;
          e.preventDefault();
          e.stopPropagation();
          removeEventListener("keydown", take, true);
          keys.listen = true;
          if (e.key === "Backspace") keys.set(c, []);
          else if (e.key !== "Escape") {
            const name = keyName(e);
            const others = keys.find(name).filter((o) => o.name !== c.name);
            for (const o of others)
              keys.set(
                o,
                keys.of(o).filter((k) => k !== name),
              );
            keys.set(c, [name]);
            if (others.length) app.toast(`${keyText(name)} was ${others[0].title}`);
          }
          show();
        };
        addEventListener("keydown", take, true);
      });
      return b;
    };
    show();
    close = openDialog(
      "Keys and help",
      [
        h("h2", null, "Keys"),
        h("span", { class: "mut" }, "click a key to change it, Backspace switches it off"),
        h("span", { class: "grow" }),
        leaveTo("help.topics"),
        leaveTo("about"),
        leaveTo("minute"),
        h(
          "button",
          {
            class: "btn",
            onclick: () => {
              keys.reset();
              show();
            },
          },
          "Reset all keys",
        ),
      ],
      body,
      () => {
        close = null;
        keys.listen = true;
      },
    );
  };
  app.command({
    name: "keys",
    title: "Keys and help",
    keys: ["?"],
    group: "Help",
    help: "All keys; each can be changed or switched off.",
    run: open,
  });
}

// The first minute: points at real controls and waits for the real action -----------------------------
interface Step {
  text: string;
  at: string;
  done(app: Core, start: Snapshot): boolean;
}
interface Snapshot {
  t: number;
  worlds: number;
  car: string;
  factor: unknown;
  commands: Set<string>;
}
const STEPS: Step[] = [
  {
    text: "This platoon is being simulated now. Stop time: press Space.",
    at: ".tp-play",
    done: (a) => !a.clock.playing,
  },
  {
    text: "Go back: drag to the left on the timeline, to a moment where the error is large.",
    at: ".tl-body",
    done: (a) => !a.clock.live && a.clock.t < a.clock.end - 1,
  },
  { text: "Choose a car: click one on the road.", at: ".view:not(.hidden)", done: (a) => a.selection !== null },
  {
    text: "Change one of its gains: drag a slider. A second world branches off here.",
    at: ".aside",
    done: (a, s) => a.worlds.length > s.worlds,
  },
  { text: "Run both: press Space, and watch them on one clock.", at: ".tp-play", done: (a) => a.clock.playing },
  {
    text: "Small errors are hard to see: press E, or drag Error ×.",
    at: ".view:not(.hidden)",
    done: (a, s) =>
      s.commands.has("error") ||
      [...s.commands].some((c) => /error/.test(c)) ||
      JSON.stringify(a.allOptions()) !== s.factor,
  },
  {
    text: "That is all. Press ? for the keys, Ctrl K for everything else.",
    at: ".tb-find",
    done: (_a, s) => s.commands.has("keys") || s.commands.has("find"),
  },
];
function startMinute(app: Core): void {
  let box: HTMLElement | null = null;
  let ring: HTMLElement | null = null;
  let timer = 0;
  let at = -1;
  let start: Snapshot;
  const ran = new Set<string>();
  app.commands.ran = (name) => {
    ran.add(name);
    if (start) start.commands.add(name);
  };
  const stop = () => {
    clearInterval(timer);
    box?.remove();
    ring?.remove();
    box = ring = null;
    at = -1;
  };
  const next = () => {
    at++;
    if (at >= STEPS.length) {
      stop();
      app.toast("The first minute is over");
      return;
    }
    start = {
      t: app.clock.t,
      worlds: app.worlds.length,
      car: app.selection?.vehicle ?? "",
      factor: JSON.stringify(app.allOptions()),
      commands: new Set(),
    };
    draw();
  };
  const draw = () => {
    const step = STEPS[at];
    const target = document.querySelector(step.at);
    const r = target?.getBoundingClientRect();
    box ??= document.body.appendChild(h("div", { class: "float fm", role: "status", "aria-label": "First minute" }));
    ring ??= document.body.appendChild(h("div", { class: "fm-ring", "aria-hidden": "true" }));
    box.replaceChildren(
      h("p", null, h("b", null, `${at + 1} of ${STEPS.length}  `), step.text),
      h(
        "div",
        { class: "fm-acts" },
        h("button", { class: "btn", onclick: next }, "Skip"),
        h("button", { class: "btn", onclick: stop }, "End"),
      ),
    );
    if (!r) return;
    ring.style.cssText = `left:${r.left - 3}px;top:${r.top - 3}px;width:${r.width + 6}px;height:${r.height + 6}px`;
    placeOutside(box, r); // what it asks for is done there
  };
  app.command({
    name: "minute",
    title: "First minute",
    group: "Help",
    help: "A guided minute: it points at the controls and waits until you have used them.",
    run: () => {
      stop();
      next();
      timer = setInterval(() => {
        if (at >= 0 && STEPS[at].done(app, start)) next();
      }, 200) as unknown as number;
    },
  });
}

// Three hints on the first visit, one after the other; each goes when it was followed or dismissed.
export function startHints(app: Core): void {
  const KEY = "motorcade.hints";
  let seen = 0;
  try {
    seen = Number(localStorage.getItem(KEY) ?? 0);
  } catch {
    seen = 3;
  }
  const hints: [string, () => boolean][] = [
    ["Space stops time", () => !app.clock.playing],
    ["Go back, drag k3", () => app.worlds.length > 1 && !app.clock.live],
    ["Press ? for keys", () => document.querySelector(".kl") !== null],
  ];
  if (seen >= hints.length) return;
  const label = h("span");
  const box = h(
    "div",
    { class: "hint", role: "note" },
    icon("help", 14),
    label,
    h(
      "button",
      { class: "toast-close", "aria-label": "Dismiss the hint", onclick: () => advance() },
      icon("close", 14),
    ),
  );
  const advance = () => {
    seen++;
    try {
      localStorage.setItem(KEY, String(seen));
    } catch {
      /* shown again next time */
    }
    if (seen >= hints.length) {
      box.remove();
      clearInterval(timer);
    } else label.textContent = hints[seen][0];
  };
  label.textContent = hints[seen][0];
  document.querySelector(".top .pill")!.after(box);
  const ready = performance.now() + 1500;
  const timer = setInterval(() => {
    box.classList.toggle("hidden", app.worldList.ground === "bench"); // they are of platoons
    if (app.worldList.ground === "road" && performance.now() > ready && hints[seen]?.[1]()) advance();
  }, 500);
}
