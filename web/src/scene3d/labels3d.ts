// labels3d.ts - words over the 3-D picture: boxes with a line to the thing they name, kept apart.
//
// Boxes are elements, made once and reused; positions are transforms, texts change ten times a second.

import { FONT } from "../draw/paint.ts";
import { h, svg } from "../ui/dom.ts";

const MAX_LABELS = 12;
const GAP = 6;
const HEIGHT = 42; // px
const LOW = 26; // with one line
const ROWS = [0, 1, 2, -1, 3];
const SIDES = [0, -1, 1, -2, 2];

interface Box {
  element: HTMLElement;
  head: HTMLElement;
  more: HTMLElement;
  line: SVGElement;
  w: number;
  h: number;
  text: string;
  left: number;
  top: number;
}

export class Labels {
  element: HTMLElement;
  private lines: SVGElement;
  private boxes: Box[] = [];
  private used = 0;

  constructor() {
    this.lines = svg("svg", { class: "s3-lines", "aria-hidden": "true" });
    this.element = h("div", { class: "s3-labels" }, this.lines as unknown as Node);
  }

  begin(width: number, height: number): void {
    this.used = 0;
    this.width = width;
    this.height = height;
  }
  keep = { left: Infinity, bottom: 0 }; // px: the corner at the top right that is taken
  private width = 0;
  private height = 0;
  private pen = document.createElement("canvas").getContext("2d")!;

  // (x, y): the thing, px. up: how far above it the box wants to stand. fresh: the text may change now.
  // Where no place is free the box is left out.
  put(x: number, y: number, up: number, head: string, more: string, danger: boolean, fresh: boolean): void {
    if (this.used >= MAX_LABELS) return;
    const b = (this.boxes[this.used] ??= this.make());
    const text = `${head}|${more}`;
    if ((fresh || b.text === "") && b.text !== text) {
      b.text = text;
      b.head.textContent = head;
      b.more.textContent = more;
      b.element.classList.toggle("bad", danger);
      b.h = more ? HEIGHT : LOW;
      b.more.hidden = !more;
      b.w = 24 + Math.max(this.wide(head, FONT.smallBold), this.wide(more, FONT.small)); // no layout is asked for
    }
    if (!this.settle(b, x, y, up)) return;
    this.used++;
    b.element.hidden = false;
    b.line.style.display = "";
    b.element.style.transform = `translate(${Math.round(b.left)}px, ${Math.round(b.top)}px)`;
    b.line.setAttribute("x1", x.toFixed(1));
    b.line.setAttribute("y1", y.toFixed(1));
    b.line.setAttribute("x2", (b.left + b.w / 2).toFixed(1));
    b.line.setAttribute("y2", (b.top + b.h).toFixed(1));
  }

  private wide(text: string, font: string): number {
    this.pen.font = font;
    return this.pen.measureText(text).width;
  }

  // The first free place among several above, beside and below the preferred one.
  private settle(b: Box, x: number, y: number, up: number): boolean {
    for (const row of ROWS)
      for (const side of SIDES) {
        b.left = Math.max(8, Math.min(this.width - b.w - 8, x - b.w / 2 + side * (b.w / 2 + 12)));
        b.top = y - up - b.h - row * (b.h + GAP);
        if (b.top >= 8 && b.top + b.h < this.height - 8 && !this.taken(b)) return true;
      }
    return false;
  }

  private taken(b: Box): boolean {
    if (b.left + b.w + GAP > this.keep.left && b.top < this.keep.bottom + GAP) return true;
    for (let k = 0; k < this.used; k++) {
      const o = this.boxes[k]!;
      if (
        b.left < o.left + o.w + GAP &&
        o.left < b.left + b.w + GAP &&
        b.top < o.top + o.h + GAP &&
        o.top < b.top + b.h + GAP
      )
        return true;
    }
    return false;
  }

  end(): void {
    for (let k = this.used; k < this.boxes.length; k++) {
      this.boxes[k]!.element.hidden = true;
      this.boxes[k]!.line.style.display = "none";
      this.boxes[k]!.text = "";
    }
  }

  private make(): Box {
    const head = h("b");
    const more = h("span");
    const element = h("div", { class: "s3-label" }, head, more);
    const line = svg("line");
    this.element.append(element);
    this.lines.append(line);
    return { element, head, more, line, w: 0, h: HEIGHT, text: "", left: 0, top: 0 };
  }
}
