// lateral.ts - the selected car across the road: who steers, wheel angles and yaw rate against what the path
// needs, the place across the lanes, the force of each tyre in its friction circle, the plan of a lane change.
//
// Angles, yaw rate and place come with the frames; path, plan and wheels are asked for ten times a second.
import { fixed, signed } from "../base/units.ts";
import type { App } from "../core/app.ts";
import { laneRequest } from "../core/ersc.ts";
import { fixedWhy } from "../core/facts.ts";
import { handWheel, WHEEL_RATIO } from "../scene/handwheel.ts";
import { drivenHere } from "../scene/drive.ts";
import { h, svg } from "../ui/dom.ts";
import { fitLabels, type Field as FormField } from "../ui/form.ts";
import type { Card, CardRow, Field, Lateral, LanePlan, Vehicle, Wheel, World } from "../wire/protocol.ts";
import { asker, field } from "./carform.ts";

const EVERY = 100; // ms between two questions while time runs
const DEG = 180 / Math.PI;
const FIELDS: Field[] = ["y", "psi", "v", "steer", "yaw_rate", "side_slip", "a_y", "lane"];

export interface LateralForm {
  root: HTMLElement;
  draw(): void;
  end(): void;
}

export function lateralForm(app: App, world: World, vehicle: Vehicle): LateralForm {
  const steering = steeringPart();
  const place = placePart(world, vehicle);
  const motion = motionPart();
  const tyres = tyresPart();
  const plan = planPart(app, world, vehicle);
  const gains = gainsPart(app, world, vehicle);
  const root = h("div", { class: "la" }, steering.root, place.root, tyres.root, plan.root, motion.root, gains.root);
  app.want("lateral", { fields: FIELDS });

  let last: Lateral | null = null;
  let next = 0;
  let asking = false;
  let askedAt = NaN;
  let asked = -1;
  const ask = (): void => {
    const now = performance.now();
    const t = app.clock.t;
    const version = app.world(world.world)?.version ?? 0;
    if (world.kind !== "run" || !app.connected || document.hidden) return;
    if (t === askedAt && version === asked) return;
    if (now < next || asking) return app.touch(EVERY);
    next = now + EVERY;
    asking = true;
    askedAt = t;
    asked = version;
    app
      .ask("lateral", {
        world: world.world,
        vehicle: vehicle.name,
        ...(app.clock.live && app.clock.playing ? {} : { t }),
      })
      .then(
        (a) => {
          last = a;
          tyres.show(a.wheels);
          plan.show(a);
          app.touch(300);
        },
        () => undefined, // the car does not exist at that time
      )
      .finally(() => (asking = false));
  };
  return {
    root,
    draw() {
      ask();
      const frame = app.frame(world.world);
      const i = frame ? frame.index(vehicle.id) : -1;
      const value = (f: Field): number => (frame && i >= 0 ? (frame.field(f)?.[i] ?? NaN) : NaN);
      const mine = drivenHere(world.world, vehicle.name);
      const hand = mine || (frame !== null && i >= 0 && (frame.status[i]! & 2) !== 0);
      steering.show(value("steer"), value("yaw_rate"), last, hand, mine);
      place.show(value("y"), last);
      motion.show(value);
      gains.draw();
    },
    end: () => app.want("lateral", null),
  };
}

// ---- steering and yaw ----

interface Bar {
  root: HTMLElement;
  show(value: number, mark: number | null): void;
}
// A bar about zero whose range grows with what it shows; mark: what is asked for.
function bar(label: string, unit: string, ranges: number[]): Bar {
  const WIDE = 134;
  const filled = svg("rect", { y: 1, height: 6, rx: 1, class: "la-fill" });
  const mark = svg("path", { d: "M-4 13H4L0 7Z", class: "la-mark" });
  const value = h("b", {}, "–");
  const picture = svg(
    "svg",
    { viewBox: `0 0 ${WIDE} 13`, role: "img" },
    svg("rect", { y: 1, width: WIDE, height: 6, rx: 3, class: "la-rail" }),
    filled,
    svg("line", { x1: WIDE / 2, x2: WIDE / 2, y1: 0, y2: 9, class: "la-zero" }),
    mark,
  );
  let range = ranges[0]!;
  // Left is left.
  const x = (v: number): number => WIDE / 2 - (Math.max(-range, Math.min(range, v)) / range) * (WIDE / 2);
  return {
    root: h(
      "div",
      { class: "la-bar" },
      h("span", {}, label),
      h("span", {}, value, ` ${unit}`),
      picture as unknown as HTMLElement,
    ),
    show(v, asked) {
      const size = Math.max(Math.abs(v) || 0, Math.abs(asked ?? 0));
      while (size > range && range < ranges[ranges.length - 1]!) range = ranges[ranges.indexOf(range) + 1]!;
      const words = Number.isNaN(v) ? "–" : signed(v, Math.abs(v) < 10 ? 2 : 1);
      if (value.textContent !== words) value.textContent = words;
      const at = Number.isNaN(v) ? WIDE / 2 : x(v);
      filled.setAttribute("x", Math.min(at, WIDE / 2).toFixed(1));
      filled.setAttribute("width", Math.abs(at - WIDE / 2).toFixed(1));
      mark.setAttribute("visibility", asked === null ? "hidden" : "visible");
      if (asked !== null) mark.setAttribute("transform", `translate(${x(asked).toFixed(1)})`);
      const said = `${label} ${words} ${unit}${asked === null ? "" : `, asked for ${signed(asked, 2)}`}`;
      if (picture.getAttribute("aria-label") !== said) picture.setAttribute("aria-label", said);
    },
  };
}

function steeringPart() {
  const wheel = handWheel();
  const who = h("figcaption", { class: "la-who" }, "–");
  const hand = bar("Hand wheel", "°", [90, 180, 540]);
  const road = bar("Road wheels", "°", [4, 12, 40]);
  const yaw = bar("Yaw rate", "°/s", [10, 30, 90, 360]);
  const asked = h("span", {}, "▴ asked for");
  const turns = h("span", {});
  const figure = h("figure", { class: "la-wheel" }, wheel.root as unknown as HTMLElement, who);
  const root = h(
    "section",
    { class: "la-steer", "aria-label": "Steering" },
    figure,
    h("div", {}, hand.root, road.root, yaw.root, h("div", { class: "la-small" }, asked, turns)),
  );
  return {
    root,
    show(steer: number, rate: number, l: Lateral | null, byHand: boolean, mine: boolean) {
      wheel.turn(Number.isNaN(steer) ? 0 : steer);
      // Not while the wheel is turned under the scene.
      figure.classList.toggle("docked", mine);
      const law = l?.law ? `law steers: ${l.law}` : "law steers";
      const words = mine ? "you steer, below" : byHand ? "steered by hand" : l && !l.law ? "no law steers" : law;
      if (who.textContent !== words) who.textContent = words;
      root.dataset.hand = mine ? "you" : byHand ? "hand" : "law";
      hand.show(steer * WHEEL_RATIO * DEG, null);
      road.show(steer * DEG, null);
      const desired = l && !byHand ? l.yaw_desired : null;
      yaw.show(rate * DEG, desired === null ? null : desired * DEG);
      asked.style.visibility = desired === null ? "hidden" : "";
      const road_yaw = l ? `road ${signed(l.road_yaw * DEG, 1)} °/s` : "";
      if (turns.textContent !== road_yaw) turns.textContent = road_yaw;
    },
  };
}

// ---- place across the lanes ----

function placePart(world: World, vehicle: Vehicle) {
  const WIDE = 278;
  const lanes = svg("g", {});
  const car = svg("g", {}, svg("rect", { y: -9, height: 18, rx: 4, class: "la-car" }));
  const path = svg("line", { y1: 13, y2: 47, class: "la-path" });
  const picture = svg("svg", { viewBox: `0 0 ${WIDE} 50`, role: "img" }, lanes, path, car);
  const to_go = h("b", {});
  const behind = h("span", {});
  const root = h(
    "section",
    { "aria-label": "Place across the lanes" },
    h("h4", {}, "Offset across the lanes", h("span", {}, "left is left")),
    picture as unknown as HTMLElement,
    h("div", { class: "la-small la-row" }, to_go, behind),
  );
  let drawn = "";
  let lane = 0;
  // The lanes beside a car's own are as wide: the answer has the middle and width of its own.
  const band = (l: Lateral | null, k: number): { y: number; width: number } => {
    const width = l?.lane_width ?? world.road.lane_width;
    const y = l && l.lane_y !== null ? l.lane_y - (k - l.lane) * width : -(k - 1) * width;
    return { y, width };
  };
  return {
    root,
    show(y: number, l: Lateral | null) {
      const width = l?.lane_width ?? world.road.lane_width;
      if (l?.plan) lane = l.plan.to;
      else lane = l?.lane ?? (lane || vehicle.lane);
      const from = l?.plan?.from ?? lane;
      const between = (band(l, lane).y + band(l, from).y) / 2;
      const centre = Math.abs(y - between) > width ? y : between; // a car that left them is followed
      const scale = WIDE / (2.2 * width);
      const X = (v: number): number => WIDE / 2 - (v - centre) * scale;
      const key = [lane, from, width, world.road.lanes, centre.toFixed(3)].join();
      if (key !== drawn) {
        drawn = key;
        const parts: SVGElement[] = [];
        for (let k = 1; k <= world.road.lanes; k++) {
          const b = band(l, k);
          const left = X(b.y + b.width / 2);
          if (left > WIDE || left + b.width * scale < 0) continue;
          parts.push(
            svg("rect", {
              x: left.toFixed(1),
              y: 16,
              width: (b.width * scale).toFixed(1),
              height: 28,
              class: "la-lane",
            }),
            svg("line", { x1: X(b.y), x2: X(b.y), y1: 16, y2: 44, class: "la-middle" }),
            svg("text", { x: Math.max(24, Math.min(WIDE - 24, X(b.y))), y: 11, "text-anchor": "middle" }, `lane ${k}`),
          );
          if (k > 1) parts.push(svg("line", { x1: left, x2: left, y1: 16, y2: 44, class: "la-line" }));
        }
        lanes.replaceChildren(...parts);
      }
      const body = car.firstElementChild!;
      body.setAttribute("x", (-0.5 * vehicle.width * scale).toFixed(1));
      body.setAttribute("width", (vehicle.width * scale).toFixed(1));
      car.setAttribute("visibility", Number.isNaN(y) ? "hidden" : "visible");
      if (!Number.isNaN(y)) car.setAttribute("transform", `translate(${X(y).toFixed(1)} 30)`);
      const offset = Number.isNaN(y) ? null : (l?.offset ?? null);
      path.setAttribute("visibility", offset === null ? "hidden" : "visible");
      if (offset !== null) for (const k of ["x1", "x2"]) path.setAttribute(k, X(y - offset).toFixed(1));
      const go = l?.plan?.to_go ?? null;
      const first =
        go !== null
          ? `${fixed(Math.abs(go), 2)} m to go`
          : l?.waits_for
            ? `waits for room in lane ${l.waits_for}`
            : `${signed(y - band(l, lane).y, 2)} m off middle, lane ${lane}`;
      const second =
        offset === null ? "" : `${fixed(Math.abs(offset), 2)} m ${offset >= 0 ? "left" : "right"} of its path`;
      if (to_go.textContent !== first) to_go.textContent = first;
      if (behind.textContent !== second) behind.textContent = second;
      const said = `${first}${second ? `, ${second}` : ""}`;
      if (picture.getAttribute("aria-label") !== said) picture.setAttribute("aria-label", said);
    },
  };
}

// ---- motion ----

function motionPart() {
  const rows: [Field, string, number, string][] = [
    ["psi", "Heading, relative to the road", DEG, "°"],
    ["side_slip", "Slip angle at the mass centre", DEG, "°"],
    ["a_y", "Lateral acceleration", 1, "m/s²"],
  ];
  const cells = rows.map(() => h("b", {}, "–"));
  const root = h(
    "section",
    { "aria-label": "Lateral motion" },
    h(
      "dl",
      { class: "la-kv" },
      ...rows.flatMap(([, title, , unit], k) => [h("dt", {}, title), h("dd", {}, cells[k]!, ` ${unit}`)]),
    ),
  );
  return {
    root,
    show(value: (f: Field) => number) {
      rows.forEach(([field, , factor], k) => {
        const v = value(field) * factor;
        const words = Number.isNaN(v) ? "–" : signed(v, 2);
        if (cells[k]!.textContent !== words) cells[k]!.textContent = words;
      });
    },
  };
}

// ---- gains of the steering law ----

function gainsPart(app: App, world: World, vehicle: Vehicle) {
  const root = h("section", { "aria-label": "Steering law", hidden: true });
  let fields: FormField[] = [];
  const ask = asker(app, world, vehicle);
  const rows = (answer: Card): CardRow[] => answer.groups.find((g) => g.group === "steering")?.rows ?? [];
  if (world.kind === "run" && vehicle.controller && !vehicle.controller.startsWith("("))
    void ask.first(root).then((answer) => {
      fields = answer ? rows(answer).map((row) => field(app, world, vehicle, "steering", row)) : [];
      root.hidden = !fields.length;
      const form = fitLabels(
        h("div", {}, ...fields.map((f) => f.root)),
        fields.map((f) => f.row.name.replace(/_/g, " ")),
        6.6,
      );
      root.replaceChildren(h("h4", {}, "Steering law", h("span", {}, `of ${vehicle.name} alone`)), form);
    });
  const every = ask.every((answer) => {
    for (const row of rows(answer)) fields.find((f) => f.row.name === row.name)?.set(row.value ?? row.default ?? 0);
  });
  return { root, draw: () => fields.length && every() };
}

// ---- tyres ----

function wheelName(q: number, count: number): string {
  const side = q % 2 ? "right" : "left";
  return count === 4 ? `${q < 2 ? "front" : "rear"} ${side}` : `axle ${Math.floor(q / 2) + 1} ${side}`;
}

interface Circle {
  root: HTMLElement;
  show(wheel: Wheel, heaviest: number): void;
}
// Area of the circle: what friction holds at this load; the arrow, up is forward: what is used of it.
function circle(name: string): Circle {
  const rim = svg("circle", { class: "la-rim" });
  const half = svg("circle", { class: "la-half" });
  const cross = svg("path", { class: "la-half" });
  const arrow = svg("path", { class: "la-arrow" });
  const picture = svg("svg", { viewBox: "-30 -30 60 60", role: "img" }, rim, half, cross, arrow);
  const share = h("b", {}, "–");
  const of = h("small", {});
  const root = h(
    "div",
    { class: "la-tyre" },
    picture as unknown as HTMLElement,
    h("div", {}, h("span", {}, name), share, of),
  );
  return {
    root,
    show(w, heaviest) {
      const limit = w.mu * w.fz;
      const r = 27 * Math.sqrt(Math.max(0, limit) / heaviest);
      rim.setAttribute("r", r.toFixed(1));
      half.setAttribute("r", (r / 2).toFixed(1));
      cross.setAttribute("d", `M${-r} 0H${r}M0 ${-r}V${r}`);
      const size = Math.hypot(w.fx, w.fy);
      const reach = Math.min(w.use, 1.15) * r;
      const [ux, uy] = size > 0 ? [-w.fy / size, -w.fx / size] : [0, 0];
      const [x, y] = [ux * reach, uy * reach];
      const head = Math.min(6, reach);
      arrow.setAttribute(
        "d",
        reach < 0.3
          ? ""
          : `M0 0L${x.toFixed(1)} ${y.toFixed(1)}M${(x - head * (ux + 0.5 * uy)).toFixed(1)} ${(y - head * (uy - 0.5 * ux)).toFixed(1)}L${x.toFixed(1)} ${y.toFixed(1)}L${(x - head * (ux - 0.5 * uy)).toFixed(1)} ${(y - head * (uy + 0.5 * ux)).toFixed(1)}`,
      );
      const lifted = w.fz <= 0;
      root.dataset.state = lifted ? "air" : w.use > 0.95 ? "slides" : "holds";
      const words = lifted ? "in the air" : `${fixed(100 * w.use, 0)} %`;
      if (share.textContent !== words) share.textContent = words;
      of.textContent = `${w.use > 0.95 && !lifted ? "slides," : "of μFz"} ${fixed(limit / 1000, 1)} kN`;
      picture.setAttribute("aria-label", `${name}: ${words} ${of.textContent}`);
    },
  };
}

function tyresPart() {
  const about = h("span", {});
  const grid = h("div", { class: "la-tyres" });
  const none = h(
    "p",
    { class: "in-note", hidden: true },
    "Cars of this type have no wheels of their own: no tyre forces.",
  );
  const root = h("section", { "aria-label": "Tyres" }, h("h4", {}, "Tyres", about), grid, none);
  let circles: Circle[] = [];
  let heaviest = 1;
  return {
    root,
    show(wheels: Wheel[]) {
      none.hidden = wheels.length > 0;
      grid.hidden = !wheels.length;
      if (circles.length !== wheels.length) {
        circles = wheels.map((_, q) => circle(wheelName(q, wheels.length)));
        grid.replaceChildren(...circles.map((c) => c.root));
        heaviest = 1;
      }
      heaviest = Math.max(heaviest, ...wheels.map((w) => w.mu * w.fz));
      wheels.forEach((w, q) => circles[q]!.show(w, heaviest));
      const mu = wheels.length ? wheels.reduce((sum, w) => sum + w.mu, 0) / wheels.length : 1;
      about.textContent = wheels.length ? `force in its friction circle, μ ${fixed(mu, 2)}` : "";
    },
  };
}

// ---- the plan of a lane change ----

function planPart(app: App, world: World, vehicle: Vehicle) {
  const title = h("h4", {});
  const list = h("dl", { class: "la-kv" });
  const off = fixedWhy(app, world);
  const go = (lane: number): void => {
    app
      .change(laneRequest(app, world, vehicle), { world: world.world, vehicle: vehicle.name, lane })
      .catch(() => undefined);
  };
  const button = (run: () => void): HTMLButtonElement =>
    h("button", {
      type: "button",
      class: "in-action",
      disabled: off !== undefined,
      title: off ?? "",
      onclick: run,
    }) as HTMLButtonElement;
  let now: Lateral | null = null;
  const left = button(() => now && go(now.lane - 1));
  const right = button(() => now && go(now.lane + 1));
  const abort = button(() => now?.plan && go(now.plan.from));
  abort.textContent = "Abort";
  const root = h(
    "section",
    { "aria-label": "Lane change", class: "la-plan" },
    title,
    list,
    h("div", { class: "in-actions" }, left, abort, right),
  );
  const figures = (p: LanePlan): [string, string, string][] => [
    ["Largest lateral acceleration", fixed(p.max_acceleration, 2), "m/s²"],
    ["Largest lateral jerk", fixed(p.max_jerk, 2), "m/s³"],
    [
      `Gap at the end, ${p.front || "front"} / ${p.rear || "rear"}`,
      `${p.gap_front === null ? "free" : fixed(p.gap_front, 1)} / ${p.gap_rear === null ? "free" : fixed(p.gap_rear, 1)}`,
      "m",
    ],
  ];
  return {
    root,
    show(l: Lateral) {
      now = l;
      const p = l.plan;
      title.replaceChildren(
        p
          ? `Lane change ${p.from} → ${p.to}`
          : l.waits_for
            ? `Waits for room in lane ${l.waits_for}`
            : "No lane change",
        h("span", {}, p ? `${fixed(100 * p.share, 0)} % of ${fixed(p.duration, 2)} s` : ""),
      );
      list.replaceChildren(
        ...(p ? figures(p) : []).flatMap(([name, value, unit]) => [
          h("dt", {}, name),
          h("dd", {}, h("b", {}, value), ` ${unit}`),
        ]),
      );
      const lanes = app.world(world.world)?.road.lanes ?? 1;
      left.textContent = `◂ Lane ${l.lane - 1}`;
      left.hidden = l.lane <= 1 || !l.law;
      right.textContent = `Lane ${l.lane + 1} ▸`;
      right.hidden = l.lane >= lanes || !l.law;
      abort.hidden = !p;
    },
  };
}
