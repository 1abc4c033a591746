// road.ts - the road of a concept: its bumps, which can be dragged, and the vehicle where it is at the playhead.
import { figures, fixed } from "../base/units.ts";
import { fill, h, svg } from "../ui/dom.ts";
import type { ConceptAnswer } from "../wire/protocol.ts";
import type { FieldsDo } from "./fields.ts";

const TALL = 5; // heights are drawn so many times as large
const LONG = 50; // m
const X = (m: number) => 20 + ((m + 8) * 960) / (LONG + 8);
const PER = 960 / (LONG + 8); // px per m
const BASE = 78;

export class RoadCard {
  readonly element: HTMLElement;
  private readonly host = h("div", { class: "co-road" });
  private readonly vehicle = svg("g", null);
  private a: ConceptAnswer | null = null;
  constructor(private readonly doing: FieldsDo) {
    const add = h("button", { class: "btn", onclick: () => void this.add() }, "+ Bump");
    this.element = h(
      "section",
      { class: "card co-road-card" },
      h(
        "header",
        { class: "cd-head" },
        h("h3", { class: "cd-title" }, "Road"),
        h("span", { class: "me-sum" }, `height × ${TALL}`),
        add,
      ),
      this.host,
    );
  }
  private async add(): Promise<void> {
    const a = this.a;
    if (!a) return;
    const bump = "{at: 2, length: 1, height: 60 mm}";
    const has = a.values.some((v) => v.path.startsWith("road."));
    const some = a.road.bumps.length > 0;
    const names = new Set(a.road.bumps.map((b) => b.name));
    let k = 1;
    while (names.has(`bump_${k}`)) k++;
    const far = Math.max(2, ...a.road.bumps.map((b) => Math.ceil(b.at + b.length + 2)));
    await this.doing.commit(
      {
        changes: !has
          ? [{ path: "road", value: `{speed: 5 m/s, bumps: {bump_1: ${bump}}}` }]
          : some
            ? [{ path: `road.bumps.bump_${k}`, value: bump.replace("at: 2", `at: ${far}`) }]
            : [{ path: "road.bumps", value: `{bump_1: ${bump}}` }],
      },
      "a bump",
    );
  }
  private height(m: number): number {
    let z = 0;
    for (const b of this.a?.road.bumps ?? []) {
      const u = Math.min(Math.max((m - b.at) / b.length, 0), 1);
      z += (b.height / 2) * (1 - Math.cos((b.ramp ? 1 : 2) * Math.PI * u));
    }
    return z;
  }
  set(a: ConceptAnswer): void {
    this.a = a;
    const points: string[] = [];
    for (let m = -8; m <= LONG; m += 0.1)
      points.push(`${X(m).toFixed(1)},${(BASE - TALL * PER * this.height(m)).toFixed(1)}`);
    const ticks = [0, 10, 20, 30, 40, 50].map((m) =>
      svg("text", { x: X(m), y: 96, class: "co-tick", "text-anchor": "middle" }, m === 0 ? "0 m" : String(m)),
    );
    const first = new Map(a.road.bumps.map((b) => [b.name, b] as const).reverse());
    const handles = [...first.values()].map((b) => this.handle(b));
    fill(
      this.host,
      svg(
        "svg",
        {
          viewBox: "0 0 1000 100",
          role: "group",
          "aria-label": `Road with ${a.road.bumps.length} bumps at ${figures(a.road.speed, 3)} m/s`,
        },
        svg("polyline", { points: points.join(" "), class: "co-line" }),
        ...ticks,
        this.vehicle,
        ...handles,
      ),
    );
  }
  // A bump is dragged: sideways its place, up its height. Arrow keys do the same.
  private handle(b: ConceptAnswer["road"]["bumps"][number]): SVGElement {
    const top = (at: number, height: number) => ({ cx: X(at + b.length / 2), cy: BASE - TALL * PER * height });
    const dot = svg("circle", {
      ...top(b.at, b.height),
      r: 6,
      class: "co-handle",
      tabindex: 0,
      role: "slider",
      "aria-label": `${b.name}: ${figures(1000 * b.height, 3)} mm at ${figures(b.at, 4)} m`,
      "aria-valuenow": String(Math.round(1000 * b.height)),
      "aria-valuemin": "-1000",
      "aria-valuemax": "1000",
    });
    const edit = (at: number, height: number) => ({
      changes: [
        { path: `road.bumps.${b.name}.at`, value: String(Number(at.toFixed(2))) },
        { path: `road.bumps.${b.name}.height`, value: `${Math.round(1000 * height)} mm` },
      ],
    });
    let moved: { at: number; height: number } | null = null;
    dot.addEventListener("pointerdown", (e) => {
      dot.setPointerCapture((e as PointerEvent).pointerId);
      moved = { at: b.at, height: b.height };
    });
    dot.addEventListener("pointermove", (e) => {
      const box = this.host.querySelector("svg")?.getBoundingClientRect();
      if (!moved || !box) return;
      const k = 1000 / box.width;
      moved = {
        at: b.at + (((e as PointerEvent).clientX - box.left) * k - X(b.at + b.length / 2)) / PER,
        height: (BASE - ((e as PointerEvent).clientY - box.top) * k) / (TALL * PER),
      };
      const p = top(moved.at, moved.height);
      dot.setAttribute("cx", String(p.cx));
      dot.setAttribute("cy", String(p.cy));
    });
    dot.addEventListener("pointerup", () => {
      if (moved) void this.doing.commit(edit(moved.at, moved.height), b.name);
      moved = null;
    });
    dot.addEventListener("keydown", (e) => {
      const key = (e as KeyboardEvent).key;
      const dx = key === "ArrowRight" ? 0.1 : key === "ArrowLeft" ? -0.1 : 0;
      const dz = key === "ArrowUp" ? 0.005 : key === "ArrowDown" ? -0.005 : 0;
      if (!dx && !dz && key !== "Delete") return;
      e.preventDefault();
      e.stopPropagation();
      if (key === "Delete")
        void this.doing.commit({ changes: [{ path: `road.bumps.${b.name}`, value: null }] }, b.name);
      else void this.doing.commit(edit(b.at + dx, b.height + dz), b.name);
    });
    return dot;
  }
  // Wheels to scale with their loads as arrows, the centre of mass as a disc.
  draw(t: number): void {
    const a = this.a;
    if (!a) return;
    const x0 = a.axles[0]?.x;
    if (x0 === undefined) {
      fill(this.vehicle);
      return;
    }
    const s = a.road.speed * t;
    const ground = a.sizes.ground ?? 0;
    const most = Math.max(1, ...a.axles.map((x) => x.load ?? 0));
    fill(
      this.vehicle,
      svg("rect", {
        x: X(s - (x0 - Math.min(...a.axles.map((x) => x.x))) - 0.9),
        y: BASE - PER * (1.2 + 0.5),
        width: PER * ((a.sizes.wheelbase ?? 3) + 1.8),
        height: PER * 1.2,
        class: "co-body",
      }),
      ...a.axles.flatMap((x) => {
        const at = s + x.x - x0;
        const y = BASE - TALL * PER * this.height(at);
        const long = 14 * ((x.load ?? 0) / most);
        return [
          svg("circle", { cx: X(at), cy: y - PER * x.radius, r: PER * x.radius, class: "co-wheel" }),
          svg("path", { d: `M${X(at)} ${y + 4 + long}V${y + 4}m-3 4l3 -4l3 4`, class: "co-arrow" }),
          svg(
            "text",
            { x: X(at) + 5, y: 92, class: "co-load" },
            x.load === null ? "" : `${fixed(x.load / 1000, 1)} kN`,
          ),
        ];
      }),
      svg("circle", {
        cx: X(s + (a.whole.centre[0] ?? 0) - x0),
        cy: BASE - PER * ((a.whole.centre[2] ?? 0) - ground),
        r: 4,
        class: "co-centre",
      }),
    );
  }
}
