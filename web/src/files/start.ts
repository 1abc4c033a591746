// start.ts - the start screen: examples as pictures, a place to drop files, what was open last.
//
// It covers the middle of the page and stops nothing; it appears by itself when nothing is open.
// A picture is drawn from the file itself: its cars in their initial positions, its hills.
import type { Core } from "../core/core.ts";
import { colours } from "../draw/chart.ts";
import { h, surface } from "../ui/dom.ts";
import { icon } from "../ui/icons.ts";
import type { FileEntry, Preview } from "../wire/protocol.ts";
import { Rejected } from "../wire/wire.ts";
import { showFileError } from "./fileerror.ts";
import { openMechanism } from "./mechanism.ts";
import { rememberPlatoon } from "./medusa.ts";

const RECENT = "motorcade.recent";
const KEEP = 6;
const known = new Map<string, Preview | null>(); // null: the server cannot say

function recent(): string[] {
  try {
    const list = JSON.parse(localStorage.getItem(RECENT) ?? "[]");
    return Array.isArray(list) ? list.filter((f) => typeof f === "string") : [];
  } catch {
    return [];
  }
}
function remember(file: string): void {
  try {
    localStorage.setItem(RECENT, JSON.stringify([file, ...recent().filter((f) => f !== file)].slice(0, 24)));
  } catch {
    /* for this visit only */
  }
}

export function startStart(app: Core, host: HTMLElement): void {
  let box: HTMLElement | null = null;
  let back: HTMLElement | null = null;
  const close = () => {
    if (!box) return;
    box.remove();
    box = null;
    back?.focus({ preventScroll: true });
  };
  const open = () => {
    if (box) {
      close();
      return;
    }
    back = document.activeElement as HTMLElement | null;
    box = screen(app, close);
    host.append(box);
    box.querySelector<HTMLElement>("button")?.focus({ preventScroll: true });
  };
  app.command({
    name: "start screen",
    title: "Examples and files…",
    group: "Files",
    keys: ["Ctrl+O"],
    help: "Examples as pictures, a place to drop files, and recent files.",
    run: open,
  });
  app.on("worlds", (d) => {
    if (!d?.reset) return;
    close();
    if (app.file) remember(app.file);
    if (!app.worlds.length) open();
  });
}

function screen(app: Core, close: () => void): HTMLElement {
  const off = app.readOnly || !app.connected;
  const examples = h("div", { class: "st-grid" });
  const last = h("div", { class: "st-grid" });
  const choose = h(
    "button",
    { class: "btn primary", disabled: off, onclick: () => app.run("open.file") },
    "Choose files…",
  );
  const recentPart = h("section", { class: "hidden", "aria-label": "Open last" }, h("h3", null, "Open last"), last);
  const box = h(
    "div",
    {
      class: "st",
      role: "region",
      "aria-label": "Examples and files",
      onkeydown: (e: KeyboardEvent) => {
        if (e.key === "Escape") {
          e.stopPropagation();
          close();
        }
      },
    },
    h(
      "header",
      null,
      h("h2", null, "Examples and files"),
      h(
        "span",
        { class: "mut" },
        app.worlds.length ? "the current run continues until another file is opened" : "nothing is open yet",
      ),
      h("span", { class: "grow" }),
      h("button", { class: "iconbtn", "aria-label": "Close", title: "Close (Esc)", onclick: close }, icon("close")),
    ),
    h(
      "div",
      { class: "st-body", tabindex: 0, role: "group", "aria-label": "Files" },
      h(
        "div",
        { class: "st-drop" },
        icon("download", 22),
        h(
          "span",
          null,
          h("b", null, "Drop files here"),
          h("br"),
          "scenario, MEDUSA platoon with its models, HDF5 results, data.asc, DYNAVIS data with its parameters, CSV",
        ),
        choose,
      ),
      recentPart,
      h("section", { "aria-label": "Examples" }, h("h3", null, "Examples"), examples),
    ),
  );
  app.ask("files", {}).then(
    async (a) => {
      const all = a.folders.flatMap((f) => f.files);
      const cards: [FileEntry, HTMLElement][] = [];
      const put = (e: FileEntry, where: HTMLElement) => {
        const c = card(app, e, off, close);
        where.append(c);
        cards.push([e, c]);
      };
      const before = recent()
        .flatMap((file) => all.find((e) => e.file === file && file !== app.file) ?? [])
        .slice(0, KEEP);
      recentPart.classList.toggle("hidden", !before.length);
      for (const e of before) put(e, last);
      for (const e of all) put(e, examples);
      if (!all.length) examples.append(h("p", { class: "mut" }, "No folders were given at start (--folder)."));
      for (const [e, c] of cards) {
        if (!box.isConnected) return;
        await picture(app, e, c);
      }
    },
    (e: Error) => examples.append(h("p", { class: "mut" }, e.message)),
  );
  return box;
}

function card(app: Core, e: FileEntry, off: boolean, close: () => void): HTMLElement {
  const mechanism = e.kind === "mechanism";
  const go = (beside: boolean) => {
    if (mechanism) {
      close();
      openMechanism(app, e.file, beside).catch((err) => {
        if (err instanceof Rejected) showFileError(e.file, err.answer);
      });
      return;
    }
    void app.ask("open", { file: e.file, beside }).then(
      (done) => {
        if (!beside)
          rememberPlatoon(e.kind === "medusa" ? (choice) => app.ask("open", { file: e.file, ...choice }) : null);
        close();
        app.opened(done.world);
        app.toast(beside ? `${e.file} runs beside` : `${e.file} is open`);
      },
      (err) => {
        if (err instanceof Rejected) showFileError(e.file, err.answer);
      },
    );
  };
  const title = e.title || e.file;
  return h(
    "div",
    { class: "st-card" },
    h(
      "button",
      { class: "st-open", disabled: off, title: e.doc || `${e.file}, ${e.kind}`, onclick: () => go(false) },
      h("span", { class: "st-picture", "aria-hidden": "true" }),
      h("b", null, title),
      h("span", { class: "st-note" }, e.kind === "scenario" ? e.file : `${e.file} · ${e.kind}`),
    ),
    h(
      "button",
      {
        class: "iconbtn st-beside",
        disabled: off,
        "aria-label": `Open ${title} beside`,
        title: "Open beside, on the same clock",
        onclick: () => go(true),
      },
      icon("branch", 16),
    ),
  );
}

async function picture(app: Core, e: FileEntry, at: HTMLElement): Promise<void> {
  if (e.kind === "mechanism") {
    at.querySelector(".st-picture")!.append(icon("mechanism", 30));
    return;
  }
  if (!known.has(e.file))
    known.set(
      e.file,
      await app.ask("preview", { file: e.file }).then(
        (a): Preview | null => a,
        () => null,
      ),
    );
  const p = known.get(e.file);
  const host = at.querySelector<HTMLElement>(".st-picture")!;
  if (!p || !p.cars.length) {
    host.append(icon("files", 22));
    return;
  }
  const s = surface(host);
  s.fit();
  drawPreview(s.c, s.w, s.h, p);
  const count = h("span", { class: "st-count" }, `${p.count} ${p.count === 1 ? "car" : "cars"}`);
  host.append(count);
}

// Cars to scale from above, at most 90 m of the foremost ones; hills as a line below.
function drawPreview(c: CanvasRenderingContext2D, w: number, hgt: number, p: Preview): void {
  const k = colours();
  const worlds = [k.a, k.b, k.c, k.d];
  const hills = p.grades.length > 0;
  const xs = p.cars.map((o) => o[0]);
  const front = Math.max(...xs) + 6;
  const span = Math.min(90, Math.max(36, front - Math.min(...xs) + 6));
  const scale = w / span;
  const ys = p.cars.map((o) => o[1]);
  const low = Math.min(...ys) - 2.4;
  const high = Math.max(...ys) + 2.4;
  const lane = p.lane_width ?? 3.5;
  const band = (hgt - (hills ? 22 : 0)) * 0.62;
  const across = Math.min(scale, band / (high - low));
  const mid = (hgt - (hills ? 22 : 0)) / 2;
  const y0 = mid + ((high + low) / 2) * across;
  c.clearRect(0, 0, w, hgt);
  c.fillStyle = k.sunk;
  c.fillRect(0, y0 - high * across, w, (high - low) * across);
  c.strokeStyle = k.line2;
  c.setLineDash([8, 8]);
  for (let y = Math.ceil(low / lane) * lane; y < high; y += lane) {
    c.beginPath();
    c.moveTo(0, y0 - (y + lane / 2) * across);
    c.lineTo(w, y0 - (y + lane / 2) * across);
    c.stroke();
  }
  c.setLineDash([]);
  for (const [x, y, length, width, platoon] of p.cars) {
    if (x < front - span - 5) continue;
    const long = Math.max(3, (length || 5) * scale);
    const wide = Math.max(2, (width || 1.9) * across);
    const px = w - (front - x) * scale;
    const py = y0 - y * across;
    c.fillStyle = platoon < 0 ? k.manual : worlds[platoon % 4]!;
    c.beginPath();
    c.roundRect(px - long / 2, py - wide / 2, long, wide, Math.min(3, wide / 3));
    c.fill();
  }
  if (hills) drawHills(c, w, hgt, p.grades, k.ink3);
}
function drawHills(
  c: CanvasRenderingContext2D,
  w: number,
  hgt: number,
  grades: [number, number, number][],
  colour: string,
): void {
  const end = Math.max(...grades.map((g) => g[1]));
  const start = Math.min(0, ...grades.map((g) => g[0]));
  const z: number[] = [0];
  const n = 120;
  for (let i = 1; i <= n; i++) {
    const x = start + ((end - start) * (i - 0.5)) / n;
    z.push(z[i - 1]! + (grades.find((g) => x >= g[0] && x < g[1])?.[2] ?? 0));
  }
  const top = Math.max(...z);
  const low = Math.min(...z);
  const up = 14 / Math.max(top - low, 1e-9);
  c.strokeStyle = colour;
  c.lineWidth = 1.4;
  c.beginPath();
  z.forEach((v, i) => c.lineTo((w * i) / n, hgt - 5 - (v - low) * up));
  c.stroke();
  c.lineWidth = 1;
}
