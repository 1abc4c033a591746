// cards.ts - the row of instruments under the scene.
//
// Cards stand side by side, share the width by weight, scroll when there are many. Drag a head to
// reorder, or use Alt + Left/Right on it; the menu of a card moves and closes it; + adds. In low
// windows the row folds to its heads (verdicts stay readable) and a click opens one card over the
// scene. Which cards are shown, their order and their settings are an option of the page.
import type { App, Part } from "../core/app.ts";
import { planOf } from "../scene/plans.ts";
import { h, menu } from "../ui/dom.ts";
import { icon } from "../ui/icons.ts";
import type { CardFrame, CardKind } from "./card.ts";
import { inDifference, makeFigures, toggleDifference } from "./compare.ts";
import { makeGaps } from "./gaps.ts";
import { makeLaneSpace } from "./lanespace.ts";
import { makeLedger } from "./ledger.ts";
import { makeLog } from "./logcard.ts";
import { mountMeters } from "./meters.ts";
import { makeOffset } from "./offset.ts";
import { makePlot } from "./plot.ts";
import { makeSpectrum } from "./spectrum.ts";
import { makeString } from "./string.ts";
import { makeTimeSpace } from "./timespace.ts";

export const KINDS: CardKind[] = [
  {
    kind: "meters",
    title: "Meters",
    doc: "analog meters, one needle per world",
    weight: 0.9,
    make: (frame, app) => mountMeters(frame.body, app),
  },
  { kind: "plot", title: "Plot", doc: "any quantity against time or against another", weight: 1, make: makePlot },
  {
    kind: "string",
    title: "String stability",
    doc: "does a disturbance grow from car to car?",
    weight: 1.12,
    make: makeString,
  },
  { kind: "timespace", title: "Time\u2013space", doc: "where every car was, and when", weight: 1, make: makeTimeSpace },
  {
    kind: "lanespace",
    title: "Time\u2013space, by lane",
    doc: "where every car was, and when, a panel per lane",
    weight: 1.3,
    make: makeLaneSpace,
  },
  { kind: "offset", title: "Lateral offset", doc: "where cars are across the lanes", weight: 1, make: makeOffset },
  {
    kind: "gaps",
    title: "Gaps",
    doc: "gap, closing speed, time to collision of each pair",
    weight: 1.12,
    make: makeGaps,
  },
  {
    kind: "spectrum",
    title: "Spectrum",
    doc: "how a car's motion is spread over frequency",
    weight: 1,
    make: makeSpectrum,
  },
  { kind: "ledger", title: "Ledger", doc: "where the energy of a collision goes", weight: 1, make: makeLedger },
  {
    kind: "figures",
    title: "Figures",
    doc: "errors, jerk, gains, fuel: world against world",
    weight: 1,
    make: makeFigures,
  },
  { kind: "log", title: "Log", doc: "every command, when and by whom; what happened", weight: 1, make: makeLog },
];
const DEFAULT: Kept[] = [{ kind: "meters" }, { kind: "plot" }, { kind: "string" }];
const LANES: Kept[] = [{ kind: "lanespace" }, { kind: "offset" }, { kind: "gaps" }]; // of a road with bends or ramps

interface Kept {
  kind: string;
  set?: Record<string, any>;
}
interface Shown {
  kept: Kept;
  card: HTMLElement;
  body: HTMLElement;
  part: Part;
  name: string;
  next: number;
} // next: ms, its turn
const TURN_MS = 95;
const MIN_CARD = 240; // px
const GAP = 8; // px between cards, as in cards.css

export function mountCards(host: HTMLElement, app: App): Part {
  return new Row(host, app);
}

class Row implements Part {
  private list: Shown[] = [];
  private opened: Shown | null = null; // over the scene, in a folded row
  private readonly row = h("div", { class: "cd-row" });
  private readonly off: (() => void)[] = [];

  constructor(
    private readonly host: HTMLElement,
    private readonly app: App,
  ) {
    host.setAttribute("role", "region");
    host.setAttribute("aria-label", "Instruments");
    host.append(this.row);
    const add = h(
      "button",
      {
        class: "cd-add",
        type: "button",
        "aria-label": "Add an instrument",
        title: "Add an instrument",
        "aria-haspopup": "menu",
      },
      icon("plus"),
    );
    add.addEventListener("click", () =>
      menu(
        add,
        KINDS.map((k) => ({ label: k.title, title: k.doc, run: () => this.add(k.kind) })),
        "Add an instrument",
      ),
    );
    host.append(add);
    host.classList.add("cd-host");
    for (const kept of this.stored()) this.put(kept);
    const outside = (e: Event) => {
      if (this.opened && !this.opened.card.contains(e.target as Node) && !(e.target as Element).closest?.(".float"))
        this.open(null);
    };
    document.addEventListener("pointerdown", outside);
    this.off.push(
      () => document.removeEventListener("pointerdown", outside),
      app.on("resize", () => this.fold()),
    );
    this.off.push(
      app.on("worlds", (d) => {
        if (d?.reset) this.reread();
      }),
    ); // options of another file
    const sizer = new ResizeObserver(() => this.share());
    sizer.observe(this.row);
    this.off.push(() => sizer.disconnect());
    this.fold();
    this.register();
  }

  // ---- keeping -----------------------------------------------------------------------------------

  private stored(): Kept[] {
    const kept = this.app.option<Kept[]>("cards");
    const good = Array.isArray(kept) ? kept.filter((k) => KINDS.some((kind) => kind.kind === k?.kind)) : [];
    if (good.length) return good;
    const w = this.app.current();
    const lanes = w !== undefined && (planOf(this.app, w)?.shaped ?? false);
    return (lanes ? LANES : DEFAULT).map((k) => ({ ...k }));
  }
  private keep(): void {
    this.app.option(
      "cards",
      this.list.map((s) => s.kept),
    );
  }

  // The plan of the road comes after the file: until a card is moved or added, they are those that suit the road.
  private suit(): void {
    const w = this.app.current();
    const lanes = w !== undefined && (planOf(this.app, w)?.shaped ?? false);
    if (lanes === this.suited) return;
    this.suited = lanes;
    if (!Array.isArray(this.app.option("cards"))) this.reread();
  }
  private suited = false;

  // Another layout was opened (a link, a file): the same cards stay.
  private reread(): void {
    const want = this.stored();
    if (JSON.stringify(want) === JSON.stringify(this.list.map((s) => s.kept))) return;
    for (const s of this.list.splice(0)) {
      s.part.destroy?.();
      s.card.remove();
    }
    for (const kept of want) this.put(kept);
    this.fold();
  }

  // ---- cards -------------------------------------------------------------------------------------

  private put(kept: Kept): Shown {
    const kind = KINDS.find((k) => k.kind === kept.kind)!;
    const frame: CardFrame = {
      body: h("div", { class: "cd-body" }),
      title: h("h3", { class: "cd-title" }, kind.title),
      note: h("span", { class: "cd-note" }),
      pills: h("span", { class: "cd-pills" }),
      kept: (kept.set ??= {}),
      keep: () => this.keep(),
    };
    const more = h(
      "button",
      {
        class: "iconbtn cd-more",
        type: "button",
        "aria-label": `${kind.title}: menu`,
        title: "Move, close",
        "aria-haspopup": "menu",
      },
      icon("more"),
    );
    const fold = h("button", { class: "iconbtn cd-fold", type: "button", "aria-expanded": "false" }, icon("down"));
    fold.setAttribute("aria-label", `Show ${kind.title}`);
    const head = h(
      "header",
      {
        class: "cd-head",
        tabindex: "0",
        role: "group",
        "aria-label": `${kind.title}. Alt and arrow keys move the card`,
      },
      frame.title,
      frame.note,
      frame.pills,
      more,
      fold,
    );
    const card = h(
      "article",
      { class: `card cd-card cd-is-${kind.kind}`, style: `--weight:${kind.weight}`, "aria-label": kind.title },
      head,
      frame.body,
    );
    this.row.append(card);
    const shown: Shown = { kept, card, body: frame.body, part: {}, name: kind.title, next: 0 };
    this.list.push(shown);
    shown.part = kind.make(frame, this.app);
    more.addEventListener("click", () => this.more(more, shown));
    fold.addEventListener("click", () => this.open(this.opened === shown ? null : shown));
    head.addEventListener("keydown", (e) => this.key(e, shown));
    head.addEventListener("click", (e) => {
      if (this.folded && !(e.target as Element).closest("button")) this.open(this.opened === shown ? null : shown);
    });
    this.takeDrag(head, shown);
    return shown;
  }

  private add(kind: string): void {
    const shown = this.put({ kind });
    this.keep();
    this.fold();
    if (this.folded) this.open(shown);
    shown.card.scrollIntoView({ block: "nearest", inline: "nearest" });
    shown.card.querySelector<HTMLElement>(".cd-head")?.focus({ preventScroll: true });
    this.app.speak(`${shown.name} added`);
  }

  private close(shown: Shown): void {
    if (this.opened === shown) this.open(null);
    const at = this.list.indexOf(shown);
    this.list.splice(at, 1);
    shown.part.destroy?.();
    shown.card.remove();
    this.keep();
    (
      this.list[Math.min(at, this.list.length - 1)]?.card.querySelector<HTMLElement>(".cd-head") ??
      this.host.querySelector<HTMLElement>(".cd-add")
    )?.focus();
    this.app.speak(`${shown.name} closed`);
  }

  private more(button: HTMLElement, shown: Shown): void {
    const at = this.list.indexOf(shown);
    menu(
      button,
      [
        { label: "Move left", hint: "Alt \u2190", disabled: at === 0, run: () => this.move(shown, at - 1) },
        {
          label: "Move right",
          hint: "Alt \u2192",
          disabled: at === this.list.length - 1,
          run: () => this.move(shown, at + 1),
        },
        "-",
        { label: "Close", run: () => this.close(shown) },
      ],
      shown.name,
    );
  }

  private move(shown: Shown, to: number): void {
    const from = this.list.indexOf(shown);
    if (to < 0 || to >= this.list.length || to === from) return;
    this.list.splice(from, 1);
    this.list.splice(to, 0, shown);
    const focused = document.activeElement as HTMLElement | null;
    for (const s of this.list) this.row.append(s.card);
    if (focused && this.row.contains(focused)) focused.focus({ preventScroll: true });
    this.keep();
    this.app.speak(`${shown.name}, ${to + 1} of ${this.list.length}`);
  }

  private key(e: KeyboardEvent, shown: Shown): void {
    if (e.target !== e.currentTarget) return;
    const way = e.key === "ArrowLeft" ? -1 : e.key === "ArrowRight" ? 1 : 0;
    if (e.altKey && way) {
      e.preventDefault();
      e.stopPropagation();
      this.move(shown, this.list.indexOf(shown) + way);
      (e.currentTarget as HTMLElement).focus();
    } else if (this.folded && (e.key === "Enter" || e.key === " ")) {
      e.preventDefault();
      e.stopPropagation();
      this.open(this.opened === shown ? null : shown);
    } else if (e.key === "Escape" && this.opened) {
      e.stopPropagation();
      this.open(null);
    }
  }

  // A head that is pulled sideways takes the place of the card under the pointer.
  private takeDrag(head: HTMLElement, shown: Shown): void {
    head.addEventListener("pointerdown", (e) => {
      if (e.button !== 0 || (e.target as Element).closest("button")) return;
      const start = e.clientX;
      let dragging = false;
      const move = (m: PointerEvent) => {
        if (!dragging && Math.abs(m.clientX - start) < 8) return;
        if (!dragging) {
          dragging = true;
          shown.card.classList.add("cd-dragged");
        }
        const over = this.list.findIndex((s) => {
          const r = s.card.getBoundingClientRect();
          return m.clientX >= r.left && m.clientX <= r.right;
        });
        if (over >= 0) this.move(shown, over);
      };
      const up = () => {
        for (const type of ["pointerup", "pointercancel"]) window.removeEventListener(type, up);
        window.removeEventListener("pointermove", move);
        shown.card.classList.remove("cd-dragged");
      };
      window.addEventListener("pointermove", move); // the head itself moves in the document
      for (const type of ["pointerup", "pointercancel"]) window.addEventListener(type, up);
    });
  }

  // ---- folding -----------------------------------------------------------------------------------

  private get folded(): boolean {
    return this.app.layout.short;
  }

  // As many whole cards as the row holds; the others are a scroll away, none is cut.
  private share(): void {
    const fit = Math.max(1, Math.floor((this.row.clientWidth + GAP) / (MIN_CARD + GAP)));
    this.row.style.setProperty("--least", `calc((100% - ${(fit - 1) * GAP}px) / ${fit})`);
  }

  private fold(): void {
    this.host.classList.toggle("cd-folded", this.folded);
    if (!this.folded) this.open(null);
    for (const s of this.list) {
      s.card.querySelector(".cd-fold")!.setAttribute("aria-expanded", String(s === this.opened));
      s.part.show?.(!this.folded || s === this.opened);
    }
  }

  private open(shown: Shown | null): void {
    if (this.opened === shown) return;
    this.opened?.card.classList.remove("cd-open");
    this.opened = shown;
    if (shown) {
      const room = this.host.getBoundingClientRect();
      const head = shown.card.getBoundingClientRect();
      const wide = Math.min(440, room.width);
      shown.card.style.setProperty("--left", Math.max(0, Math.min(head.left - room.left, room.width - wide)) + "px");
      shown.card.style.setProperty("--wide", wide + "px");
      shown.card.classList.add("cd-open");
    }
    this.fold();
  }

  private register(): void {
    this.app.command({
      name: "difference",
      title: "Difference mode",
      group: "Compare",
      help: "plots show B \u2212 A, the scene shows A's cars as outlines, a table compares the figures",
      keys: ["X"],
      run: () => this.difference(),
    });
    for (const k of KINDS)
      this.app.command({
        name: `card-${k.kind}`,
        title: `Add instrument: ${k.title}`,
        group: "Instruments",
        help: k.doc,
        run: () => this.add(k.kind),
      });
  }

  private difference(): void {
    toggleDifference(this.app);
    if (inDifference(this.app) && !this.list.some((s) => s.kept.kind === "figures")) this.add("figures");
  }

  // While time runs each card has its turn ten times a second, one in a frame; at rest all are drawn.
  draw(t: number): void {
    this.suit();
    const now = performance.now();
    const n = this.list.length;
    if (!this.app.clock.playing) {
      for (const s of this.list) s.part.draw?.(t);
      return;
    }
    for (let k = 0; k < n; k++) {
      const s = this.list[(this.turn = (this.turn + 1) % n)]!;
      if (now < s.next) continue;
      s.next = now + TURN_MS;
      s.part.draw?.(t);
      return;
    }
  }
  private turn = 0;
  show(visible: boolean): void {
    for (const s of this.list) s.part.show?.(visible && (!this.folded || s === this.opened));
  }
  destroy(): void {
    for (const off of this.off) off();
    for (const s of this.list) s.part.destroy?.();
  }
}
