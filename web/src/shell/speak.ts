// speak.ts - for screen readers: a live region that announces events, at most one in 2 s, and a table
// of all cars beside the scene's canvas. The table is seen while the focus is in it.
import { fixed, signed } from "../base/units.ts";
import type { Core } from "../core/core.ts";
import { eventWords } from "../core/eventwords.ts";
import { kindName } from "../time/marks.ts";
import { h } from "../ui/dom.ts";

const PAUSE = 2000;

export function startSpeaking(app: Core, scene: HTMLElement): void {
  const region = h("div", { class: "sr", role: "log", "aria-live": "polite", "aria-label": "Events" });
  document.body.appendChild(region);
  let last = -PAUSE;
  let waiting = "";
  let timer = 0;
  const say = () => {
    last = performance.now();
    region.textContent = waiting;
    waiting = "";
    timer = 0;
  };
  app.speak = (text) => {
    waiting = text; // the newest wins
    if (!timer) timer = setTimeout(say, Math.max(0, last + PAUSE - performance.now())) as unknown as number;
  };
  app.on("events", (d) => {
    const grave = (d?.fresh ?? []).filter((e) => ["collision", "failure", "warning", "fault"].includes(e.type)).pop();
    if (grave)
      app.speak(
        `${kindName(grave.type)}, ${eventWords(grave) || `${grave.vehicle}${grave.other ? ` into ${grave.other}` : ""}`}, ${fixed(grave.t, 2)} seconds`,
      );
  });
  carTable(app, scene);
}

function carTable(app: Core, scene: HTMLElement): void {
  const body = h("tbody");
  const HEAD = ["Car", "Speed, m/s", "Acceleration, m/s²", "Jerk, m/s³", "Spacing error, m", "Gap, m"];
  const box = h(
    "div",
    { class: "sp-cars float", "aria-label": "Cars", role: "region" },
    h(
      "table",
      { role: "grid", "aria-label": "Cars at the playhead. Up and Down move, Enter selects" },
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          HEAD.map((t) => h("th", { scope: "col" }, t)),
        ),
      ),
      body,
    ),
  );
  scene.before(box);
  let key = "";
  let inside = false;
  let next = 0;
  const rows = () => app.shown().flatMap((w) => w.vehicles.slice(0, 200).map((v) => ({ w, v })));
  const build = () => {
    const list = rows();
    const now = list.map(({ w, v }) => `${w.world}/${v.name}`).join();
    if (now === key) return;
    key = now;
    body.replaceChildren(
      ...list.map(({ w, v }, i) =>
        h(
          "tr",
          { tabindex: i ? -1 : 0, "data-world": w.world, "data-car": v.name, "data-id": v.id },
          h("th", { scope: "row" }, `${app.letter(w.world)} ${v.name}`),
          ...HEAD.slice(1).map(() => h("td")),
        ),
      ),
    );
  };
  const values = () => {
    for (const r of body.children as unknown as HTMLTableRowElement[]) {
      const f = app.frame(Number(r.dataset.world));
      const i = f ? f.index(Number(r.dataset.id)) : -1;
      const cell = (k: number, t: string) => {
        if (r.cells[k].textContent !== t) r.cells[k].textContent = t;
      };
      if (!f || i < 0) continue;
      const at = (n: "v" | "a" | "jerk" | "gap") => f.field(n)?.[i] ?? NaN;
      cell(1, fixed(at("v")));
      cell(2, signed(at("a")));
      cell(3, signed(at("jerk")));
      cell(4, signed(f.s[i] - f.x[i]));
      cell(5, fixed(at("gap")));
      r.setAttribute(
        "aria-selected",
        String(app.selection?.vehicle === r.dataset.car && app.selection?.world === Number(r.dataset.world)),
      );
    }
  };
  box.addEventListener("focusin", () => {
    inside = true;
    values();
  });
  box.addEventListener("focusout", () => {
    inside = false;
  });
  box.addEventListener("keydown", (e) => {
    const row = (e.target as HTMLElement).closest("tr");
    const d = e.key === "ArrowDown" ? 1 : e.key === "ArrowUp" ? -1 : 0;
    if (!row) return;
    if (e.key === "Enter" || e.key === " ") {
      app.select(Number(row.dataset.world), row.dataset.car!);
      app.speak(`${row.dataset.car} selected`);
      values();
      e.preventDefault();
      e.stopPropagation();
      return;
    }
    const to = d > 0 ? row.nextElementSibling : d < 0 ? row.previousElementSibling : null;
    if (!(to instanceof HTMLElement)) return;
    e.preventDefault();
    e.stopPropagation();
    row.tabIndex = -1;
    to.tabIndex = 0;
    to.focus();
  });
  for (const topic of ["worlds", "world"] as const) app.on(topic, build);
  setInterval(() => {
    const now = performance.now();
    if (inside && now > next) {
      next = now + 1000;
      values();
    }
  }, 250);
  build();
}
