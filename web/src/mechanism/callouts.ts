// callouts.ts - words beside things in the picture of the bench, each with a line to its place; they do not cover each other.
import { h } from "../ui/dom.ts";

export interface Callout {
  x: number; // px, of its place
  y: number;
  words: string;
  small?: string;
  strong?: boolean; // what is chosen
}
const GAP = 5; // px between boxes, and to the edge
const HIGH = [22, 36]; // px, of one line and of two
// Where the middle of a box may be from its place, in px up and in its widths to the right; the first that is free is taken,
// and without one the words are left out.
const RISES = [30, 62, 98, 136, -44, -80];
const SIDES = [0, 0.7, -0.7, 1.3, -1.3];

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}
function spot(c: Callout, wide: number, high: number, width: number, height: number, taken: Box[]): Box | null {
  for (const side of SIDES)
    for (const rise of RISES) {
      const left = c.x + side * wide - wide / 2;
      const top = rise > 0 ? c.y - rise - high : c.y - rise - high / 2;
      const b = { left, right: left + wide, top, bottom: top + high };
      const inside = left >= GAP && b.right <= width - GAP && top >= GAP && b.bottom <= height - GAP;
      const clear = (q: Box) =>
        b.left > q.right + GAP || b.right < q.left - GAP || b.top > q.bottom + GAP || b.bottom < q.top - GAP;
      if (inside && taken.every(clear)) return b;
    }
  return null;
}

export class Callouts {
  readonly element = h("div", { class: "me-notes", "aria-hidden": "true" });
  private readonly boxes: {
    box: HTMLElement;
    line: HTMLElement;
    first: Text;
    small: HTMLElement;
    wide: number;
    text: string;
  }[] = [];

  show(list: Callout[], width: number, height: number): void {
    while (this.boxes.length < list.length) this.add();
    const taken: Box[] = list.map((c) => ({ left: c.x - 8, right: c.x + 8, top: c.y - 8, bottom: c.y + 8 }));
    this.boxes.forEach((b, k) => {
      const c = list[k];
      b.box.hidden = b.line.hidden = !c;
      if (!c) return;
      const text = `${c.words}\n${c.small ?? ""}`;
      if (text !== b.text) {
        b.first.textContent = c.words;
        b.small.textContent = c.small ?? "";
        // Digits that change do not move it.
        if (text.replace(/\d/g, "0") !== b.text.replace(/\d/g, "0")) b.wide = b.box.offsetWidth;
        b.text = text;
      }
      b.box.classList.toggle("me-strong", c.strong === true);
      const at = spot(c, b.wide, HIGH[c.small ? 1 : 0]!, width, height, taken);
      b.box.hidden = b.line.hidden = !at;
      if (!at) return;
      taken.push(at);
      b.box.style.transform = `translate(${at.left.toFixed(1)}px, ${at.top.toFixed(1)}px)`;
      const x = Math.max(at.left + 8, Math.min(at.right - 8, c.x));
      const y = at.top > c.y ? at.top : at.bottom;
      const [dx, dy] = [c.x - x, c.y - y];
      b.line.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) rotate(${Math.atan2(dy, dx).toFixed(4)}rad)`;
      b.line.style.width = `${Math.hypot(dx, dy).toFixed(1)}px`;
    });
  }
  private add(): void {
    const first = document.createTextNode("");
    const small = h("small");
    const box = h("div", { class: "me-note" }, h("b", null, first), small);
    const line = h("i", { class: "me-lead" });
    this.element.append(line, box);
    this.boxes.push({ box, line, first, small, wide: 0, text: "" });
  }
}
