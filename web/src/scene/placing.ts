// placing.ts - dragging a new car: possible places glow, and it is added where it is dropped.
//
// Over a car it replaces that car's type; between cars, before the first and behind the last it joins
// them; on an empty stretch of a lane it stands just there. By keyboard the arrows go from place to
// place along the road, Enter puts it, Escape lets it go. Nothing changes before it is put.

import type { App } from "../core/app.ts";
import { fixedWhy, given } from "../core/facts.ts";
import { alpha, palette } from "../draw/paint.ts";
import { h } from "../ui/dom.ts";
import type { World } from "../wire/protocol.ts";
import { drawPortrait } from "./cars.ts";
import { picture, sizeText, type CarType } from "./cartypes.ts";
import type { SceneView } from "./sceneview.ts";
import type { Spot, Strip } from "./strip.ts";
import { GLYPH_SCALE, type View } from "./view.ts";

const NEAR = 60; // m from the next car up to which a place is beside it
type Where = "replace" | "front" | "behind" | "spot";
interface Place {
  strip: Strip;
  where: Where;
  vehicle: string;
  x: number;
  y: number;
  room: boolean;
} // x, y: m, its middle

const known = new WeakMap<App, Placing>();
export function placingOf(app: App): Placing | undefined {
  return known.get(app);
}

export class Placing {
  type: CarType | null = null; // being placed
  at: Place | null = null;
  coming: { place: Place; type: CarType; vehicle: string } | null = null; // placed while time stands still: drawn until a frame includes it
  private dragged = false;
  private chip = h("div", { class: "sc-carry", "aria-hidden": "true" });
  private last = new Int32Array(64); // the car met last in each lane, while gaps are drawn

  constructor(private scene: SceneView) {
    known.set(scene.app, this);
    this.chip.hidden = true;
    document.body.append(this.chip);
  }

  get on(): boolean {
    return this.type !== null;
  }

  begin(type: CarType, dragged = false): void {
    const app = this.scene.app;
    const w = app.current();
    const why = w ? fixedWhy(app, w) : "nothing is open";
    if (why) {
      app.toast(`No car can be added: ${why}`);
      return;
    }
    if (app.layout.view !== "road") app.layout.set({ view: "road" });
    this.type = type;
    this.dragged = dragged;
    this.at = null;
    this.chip.replaceChildren(
      picture(type, 84 / Math.max(5, type.length), 92, 38, app.colour(w!.world)),
      h("span", null, h("b", null, type.title), h("span", null, "")),
    );
    this.chip.hidden = true;
    if (!dragged) {
      this.scene.canvas.focus({ preventScroll: true });
      this.step(0);
    }
    app.speak(
      `${type.title}, ${sizeText(type)}. ${dragged ? "" : "Arrow keys choose the place, Enter puts it, Escape lets it go."}`,
    );
    app.emit("layout");
    app.touch(1000);
  }

  end(): void {
    this.type = this.at = null;
    this.chip.hidden = true;
    this.scene.canvas.style.cursor = "";
    this.scene.app.touch();
    this.scene.app.emit("layout");
  }

  // ---- where ----

  over(clientX: number, clientY: number): void {
    if (!this.type) return;
    const r = this.scene.canvas.getBoundingClientRect();
    const x = clientX - r.left;
    const y = clientY - r.top;
    const top = document.elementFromPoint(clientX, clientY);
    const inside = top === this.scene.canvas || (top?.closest(".sc-heads") ?? null) !== null;
    const strip = inside ? this.scene.strips.find((s) => s.contains(y)) : undefined;
    this.at = strip ? this.placeAt(strip, x, y) : null;
    this.chip.hidden = false;
    this.chip.style.transform = `translate(${Math.min(clientX + 14, innerWidth - 250)}px, ${Math.min(clientY + 16, innerHeight - 60)}px)`;
    this.label();
    this.scene.app.touch(200);
  }

  private label(): void {
    const text = this.chip.querySelector("span > span");
    const words = this.words();
    if (text && text.textContent !== words) text.textContent = words;
  }

  private words(): string {
    const p = this.at;
    if (!p) return this.dragged ? "onto the road, or onto a car" : "click where to place it";
    if (p.where === "replace") return `in place of ${p.vehicle}`;
    if (p.where === "spot") return `at ${Math.round(p.x)} m, lane ${laneOf(p.strip, p.y) + 1}`;
    return `${p.where === "front" ? "in front of" : "behind"} ${p.vehicle}${p.room ? "" : ": little room"}`;
  }

  private placeAt(s: Strip, px: number, py: number): Place | null {
    const view = this.scene.view;
    const f = s.frame;
    if (!f || py < s.roadTop - 20 || py > s.roadTop + s.roadHeight + 20) return null;
    const k = s.hit(view, px, py);
    if (k >= 0 && s.slot[k]! >= 0) return this.replacing(s, k);
    let lane = Math.max(0, Math.min(s.laneCount() - 1, Math.floor((py - s.py(0.5 * s.laneWidth())) / s.laneHeight)));
    let x = view.metres(s.world.world, px);
    if (s.curved) {
      s.road(view, px, py, under);
      if (under.lane < 0) return null;
      lane = under.lane;
      x = under.x;
    }
    let ahead = -1;
    let back = -1;
    for (let m = 0; m < s.visible; m++) {
      const q = s.visible > 2000 ? m : s.order[m]!;
      if (s.slot[q]! < 0 || laneOfCar(s, q) !== lane) continue;
      const there = f.x[s.index[q]!]!;
      if (there > x) {
        if (ahead < 0 || there < f.x[s.index[ahead]!]!) ahead = q;
      } else if (back < 0 || there > f.x[s.index[back]!]!) back = q;
    }
    const y = -lane * s.laneWidth();
    const toAhead = ahead >= 0 ? f.x[s.index[ahead]!]! - x : Infinity;
    const toBack = back >= 0 ? x - f.x[s.index[back]!]! : Infinity;
    if (ahead >= 0 && toAhead <= Math.max(NEAR, toBack < NEAR ? Infinity : 0))
      return this.beside(s, ahead, "behind", back);
    if (back >= 0 && toBack <= NEAR) return this.beside(s, back, "front", -1);
    return { strip: s, where: "spot", vehicle: "", x, y, room: true };
  }

  private replacing(s: Strip, k: number): Place {
    const i = s.index[k]!;
    return {
      strip: s,
      where: "replace",
      vehicle: s.vehicle(k),
      x: s.frame!.x[i]!,
      y: s.frame!.field("y")?.[i] ?? 0,
      room: true,
    };
  }

  // Where it would be placed: at the distance its headway requires, in the middle where that is too far.
  private beside(s: Strip, k: number, where: "front" | "behind", other: number): Place {
    const f = s.frame!;
    const i = s.index[k]!;
    const own = this.type!.length;
    const half = 0.5 * (own + s.roster.length[s.slot[k]!]!);
    const want = this.desiredGap(s, f.field("v")?.[i] ?? 0);
    let x = f.x[i]! + (where === "front" ? 1 : -1) * (half + want);
    let room = true;
    if (other >= 0) {
      const free =
        f.x[i]! - f.x[s.index[other]!]! - 0.5 * (s.roster.length[s.slot[k]!]! + s.roster.length[s.slot[other]!]!);
      room = free >= want + own + 0.5;
      if (!room) x = f.x[i]! - 0.5 * s.roster.length[s.slot[k]!]! - 0.5 * free;
    }
    return { strip: s, where, vehicle: s.vehicle(k), x, y: f.field("y")?.[i] ?? 0, room };
  }

  private desiredGap(s: Strip, v: number): number {
    const c = given(s.world)[0];
    const road = s.world.road;
    return (c?.distance ?? road.distance ?? 0) + (c?.headway ?? road.headway ?? 0) * Math.max(0, v);
  }

  // ---- by keyboard ----

  key(e: KeyboardEvent): boolean {
    const side = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0;
    const level = e.key === "ArrowDown" ? 1 : e.key === "ArrowUp" ? -1 : 0;
    if (side) this.step(side);
    else if (level) this.step(0, level);
    else if (e.key === "Enter" || e.key === " ") this.put();
    else if (e.key === "Escape") {
      this.end();
      this.scene.app.speak("let go");
    } else return false;
    e.preventDefault();
    e.stopPropagation();
    return true;
  }

  // Along the road: behind the last car, the last car itself, the place before it, and so on.
  private step(side: number, level = 0): void {
    const scene = this.scene;
    const sel = scene.app.selection;
    const now = this.at?.strip.world.world ?? sel?.world ?? scene.strips[0]?.world.world;
    const at = Math.max(
      0,
      scene.strips.findIndex((q) => q.world.world === now),
    );
    const s = scene.strips[Math.max(0, Math.min(scene.strips.length - 1, at + level))];
    if (!s?.frame || s.visible === 0 || s.visible > 2000) return;
    const lane = this.at
      ? laneOf(this.at.strip, this.at.y)
      : laneOfCar(s, Math.max(0, sel ? s.visibleOf(sel.vehicle) : s.order[0]!));
    const cars = [...s.order.subarray(0, s.visible)].filter((k) => s.slot[k]! >= 0 && laneOfCar(s, k) === lane);
    if (!cars.length) return;
    const places: Place[] = cars.flatMap((k, m) => [
      this.beside(s, k, "behind", m > 0 ? cars[m - 1]! : -1),
      this.replacing(s, k),
    ]);
    places.push(this.beside(s, cars[cars.length - 1]!, "front", -1));
    let n = places.findIndex((p) => p.where === this.at?.where && p.vehicle === this.at.vehicle);
    if (n < 0)
      n = Math.max(
        0,
        places.findIndex((p) => p.where === "behind" && p.vehicle === sel?.vehicle),
      );
    else n = Math.max(0, Math.min(places.length - 1, n + side));
    this.at = places[n]!;
    const px = scene.view.px(s.world.world, this.at.x);
    if (px < 20 || px > scene.view.width - 20) scene.view.pan(scene.view.width / 2 - px);
    this.label();
    if (side || level) scene.app.speak(this.words());
    scene.app.touch(400);
  }

  // ---- doing it ----

  put(): void {
    const type = this.type;
    const p = this.at;
    const app = this.scene.app;
    this.end();
    if (!type || !p) return;
    const world = p.strip.world;
    const known = world.models.includes(type.name);
    const define = known ? undefined : (type.define ?? undefined);
    const names = given(world).map((c) => c.name);
    const chosen = app.option<string | undefined>("cars.controller");
    const beside = world.vehicles.find((v) => v.name === p.vehicle);
    const controller =
      chosen && names.includes(chosen)
        ? chosen
        : names.includes(beside?.controller ?? "")
          ? beside!.controller
          : names[0];
    const sent =
      p.where === "replace"
        ? app.change("car", { world: world.world, op: "model", vehicle: p.vehicle, name: type.name, define })
        : p.where === "spot"
          ? app.change("edit", {
              world: world.world,
              edit: {
                ...(define ? { models: { [type.name]: define } } : {}),
                add: {
                  model: type.name,
                  controller,
                  lane: laneOf(p.strip, p.y) + 1,
                  x: Number(p.x.toFixed(2)),
                  v: Number(this.speed(p).toFixed(2)),
                },
              },
            })
          : app.change("car", {
              world: world.world,
              op: "add",
              model: type.name,
              controller,
              beside: p.vehicle,
              where: p.where,
              define,
            });
    void sent.then(
      (a) => {
        const name = p.where === "replace" ? p.vehicle : (a.vehicle ?? null);
        if (name) app.select(a.world ?? world.world, name);
        if (name && p.where !== "replace" && !a.branched) this.coming = { place: p, type, vehicle: name };
        app.speak(p.where === "replace" ? `${p.vehicle} is ${type.title} now` : `${name ?? "a car"} added`);
      },
      () => undefined,
    );
  }

  // Of a car alone on its stretch: as fast as the car nearest to it, in whatever lane.
  private speed(p: Place): number {
    const f = p.strip.frame;
    const v = f?.field("v");
    let best = -1;
    for (let i = 0; f && i < f.n; i++) if (best < 0 || Math.abs(f.x[i]! - p.x) < Math.abs(f.x[best]! - p.x)) best = i;
    return best >= 0 && v ? Math.max(0, v[best]!) : (p.strip.world.road.speed ?? 0);
  }

  // ---- drawing ----

  draw(c: CanvasRenderingContext2D, s: Strip, view: View): void {
    if (this.coming) this.drawComing(c, s, view);
    if (!this.type || !s.frame || s.visible > 400) return;
    this.drawGaps(c, s, view);
    const p = this.at;
    if (!p || p.strip.world.world !== s.world.world) return;
    const type = this.type;
    const { px, py } = s.at(view, p.x, p.y, 0, spot);
    const pal = palette();
    box(c, px, py, type, s, 4);
    c.fillStyle = alpha(pal.focus, 0.22);
    c.fill();
    c.strokeStyle = p.room ? pal.focus : pal.danger;
    c.lineWidth = 2;
    c.stroke();
    if (p.where !== "replace") pale(c, s, type, px, py);
  }

  private drawComing(c: CanvasRenderingContext2D, s: Strip, view: View): void {
    const { place: p, type, vehicle } = this.coming!;
    if (p.strip.world.world !== s.world.world) return;
    const slot = s.roster.slotOf(vehicle);
    const { px, py } = s.at(view, p.x, p.y, 0, spot);
    if (
      !s.frame ||
      s.frame.time !== p.strip.frame?.time ||
      (slot >= 0 && s.frame.index(s.roster.vehicles[slot]!.id) >= 0)
    ) {
      this.coming = null;
      return;
    }
    pale(c, s, type, px, py);
    box(c, px, py, type, s, 1);
    c.setLineDash(DASH);
    c.strokeStyle = palette().focus;
    c.lineWidth = 1;
    c.stroke();
    c.setLineDash(SOLID);
  }

  // From left to right: the place behind a car, where the next car of its lane leaves room for it.
  private drawGaps(c: CanvasRenderingContext2D, s: Strip, view: View): void {
    const f = s.frame!;
    const lanes = Math.min(this.last.length, s.laneCount());
    const v = f.field("v");
    const y = f.field("y");
    const pal = palette();
    const own = this.type!.length;
    this.last.fill(-1);
    c.beginPath();
    for (let m = 0; m < s.visible; m++) {
      const k = s.order[m]!;
      const slot = s.slot[k]!;
      const lane = laneOfCar(s, k);
      if (slot < 0 || lane < 0 || lane >= lanes) continue;
      const i = s.index[k]!;
      const back = this.last[lane]!;
      const want = this.desiredGap(s, v ? v[i]! : 0);
      const rear = f.x[i]! - 0.5 * s.roster.length[slot]!;
      const limit = back >= 0 ? f.x[s.index[back]!]! + 0.5 * s.roster.length[s.slot[back]!]! : -Infinity;
      if (rear - limit >= want + own + 0.5) {
        s.at(view, rear - want - 0.5 * own, y ? y[i]! : 0, 0, spot);
        box(c, spot.px, s.curved ? spot.py : s.cy[k]!, this.type!, s, 0, true);
      }
      this.last[lane] = k;
    }
    for (let lane = 0; lane < lanes; lane++) {
      const k = this.last[lane]!;
      if (k < 0) continue;
      const i = s.index[k]!;
      const nose = f.x[i]! + 0.5 * s.roster.length[s.slot[k]!]! + this.desiredGap(s, v ? v[i]! : 0);
      s.at(view, nose + 0.5 * own, y ? y[i]! : 0, 0, spot);
      box(c, spot.px, s.curved ? spot.py : s.cy[k]!, this.type!, s, 0, true);
    }
    c.fillStyle = alpha(pal.focus, pal.dark ? 0.22 : 0.13);
    c.fill();
    c.setLineDash(DASH);
    c.strokeStyle = pal.focus;
    c.lineWidth = 1;
    c.stroke();
    c.setLineDash(SOLID);
  }
}

const spot: Spot = { px: 0, py: 0, angle: 0 };
const under = { x: 0, y: 0, lane: 0 };
const DASH = [4, 3];
const SOLID: number[] = [];
const portrait = {
  length: 5,
  width: 2,
  leader: false,
  braking: false,
  steer: 0,
  colour: "",
  pattern: 0,
  driver: 0,
  passenger: 0,
};

// The car itself, pale: it is not on the road yet.
function pale(c: CanvasRenderingContext2D, s: Strip, type: CarType, px: number, py: number): void {
  if (s.scale < GLYPH_SCALE) return;
  c.globalAlpha = 0.6;
  portrait.length = type.length;
  portrait.width = type.width;
  portrait.colour = s.app.colour(s.world.world);
  drawPortrait(c, portrait, s.scale, px, py);
  c.globalAlpha = 1;
}

function box(
  c: CanvasRenderingContext2D,
  px: number,
  py: number,
  m: CarType,
  s: Strip,
  grow: number,
  more = false,
): void {
  const glyph = s.scale < GLYPH_SCALE;
  const hl = (glyph ? 3 : 0.5 * m.length * s.scale) + grow;
  const hw = (glyph ? 2 : 0.5 * m.width * s.scale) + grow;
  if (!more) c.beginPath();
  c.roundRect(px - hl, py - hw, 2 * hl, 2 * hw, Math.min(6, hw));
}

function laneOf(s: Strip, y: number): number {
  return Math.max(0, Math.round(-y / s.laneWidth()));
}
function laneOfCar(s: Strip, k: number): number {
  return k < 0 ? 0 : laneOf(s, s.frame!.field("y")?.[s.index[k]!] ?? 0);
}

// The type the next car is to have: chosen in the Cars panel, else that of the selected car.
export function startPlacing(app: App, typeNow: (world: World) => CarType | undefined): void {
  app.command({
    name: "add car",
    title: "Put a car on the road",
    group: "Cars",
    help: "Places a car of the chosen type: click where it should go, or use arrow keys and Enter. On a car it replaces that car.",
    keys: ["+"],
    run: () => {
      const w = app.current();
      const type = w ? typeNow(w) : undefined;
      const p = placingOf(app);
      if (!type || !p) return;
      if (p.on) p.end();
      else p.begin(type);
    },
  });
}
