// handles.ts - places of a concept in the picture, dragged with the mouse or a finger. The fields of the inspector are the
// same numbers for the keyboard.
//
// A place moves in the plane of two axes of the vehicle that faces the eye most. While it is dragged the server answers
// with masses, loads and modes; where it is dropped the run is made again.
import { fill, h } from "../ui/dom.ts";
import type { FieldsDo } from "./fields.ts";
import { moved, type Place, type Triple } from "./places.ts";

// What the handles need of the picture: a place of a body on the screen, 0 .. 1, and back.
export interface Projection {
  screenOf(body: number, at: Triple): { x: number; y: number } | null;
  underPointer(body: number, at: Triple, e: { clientX: number; clientY: number }): Triple | null;
}

export class Handles {
  readonly element = h("div", { class: "co-grips", "aria-hidden": "true" });
  private places: Place[] = [];
  private grips: HTMLElement[] = [];
  private body = -1;
  private picture: Projection | null = null;
  private held: { index: number; to: Triple } | null = null;
  private key = "";
  constructor(
    private readonly doing: FieldsDo,
    private readonly say: (words: string) => void,
  ) {}
  set(places: Place[]): void {
    if (this.held) return;
    this.places = places;
    const key = places.map((p) => p.path).join();
    if (key !== this.key) {
      this.key = key;
      this.grips = places.map((_, k) => this.grip(k));
      fill(this.element, ...this.grips);
    }
    places.forEach((p, k) => this.label(k, p.at));
  }
  private label(k: number, at: Triple): void {
    if (this.grips[k]) this.grips[k]!.title = `${this.places[k]!.name}: ${at.map((x) => x.toFixed(3)).join(", ")} m`;
  }
  // body: that the axes of the vehicle are fixed to; -1: none is shown.
  draw(picture: Projection, body: number): void {
    this.picture = picture;
    this.body = body;
    this.grips.forEach((g, k) => {
      const at = this.held?.index === k ? this.held.to : this.places[k]!.at;
      const on = body >= 0 ? picture.screenOf(body, at) : null;
      g.hidden = !on || on.x < 0 || on.x > 1 || on.y < 0 || on.y > 1;
      if (on) g.style.translate = `calc(${100 * on.x}cqw - 50%) calc(${100 * on.y}cqh - 50%)`;
    });
  }
  private grip(k: number): HTMLElement {
    const g = h("span", { class: "co-grip" });
    g.addEventListener("pointerdown", (e) => {
      g.setPointerCapture(e.pointerId);
      this.held = { index: k, to: this.places[k]!.at };
    });
    g.addEventListener("pointermove", (e) => {
      const to = this.held?.index === k ? this.picture?.underPointer(this.body, this.places[k]!.at, e) : null;
      if (!to) return;
      this.held = { index: k, to };
      this.label(k, to);
      const changes = moved(this.places[k]!, to);
      if (changes.length) void this.doing.attempt({ changes });
      if (this.picture) this.draw(this.picture, this.body);
    });
    const drop = (keep: boolean) => {
      const held = this.held;
      this.held = null;
      if (!held || held.index !== k) return;
      const changes = keep ? moved(this.places[k]!, held.to) : [];
      if (changes.length) this.commit(k, changes);
      else this.label(k, this.places[k]!.at);
    };
    g.addEventListener("pointerup", () => drop(true));
    g.addEventListener("pointercancel", () => drop(false));
    return g;
  }
  private commit(k: number, changes: { path: string; value: string }[]): void {
    void this.doing.commit({ changes }, this.places[k]!.name).then((why) => why && this.say(why));
  }
}
