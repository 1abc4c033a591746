// card.ts - what a card of the row under the scene is: a head, a body, and settings that are kept.
import type { App, Part } from "../core/app.ts";

export interface CardFrame {
  body: HTMLElement;
  title: HTMLElement; // the name; a card may turn it into a button with a menu
  note: HTMLElement; // muted text at the right of the head
  pills: HTMLElement; // verdicts; they stay readable when the row is folded
  kept: Record<string, any>;
  keep(): void; // stores kept with the layout
}
export interface CardKind {
  kind: string;
  title: string;
  doc: string;
  weight: number; // share of the row's width
  make(frame: CardFrame, app: App): Part;
}

export function pill(words: string, state: "ok" | "bad" | "plain"): HTMLElement {
  const p = document.createElement("span");
  p.className = "cd-pill cd-" + state;
  if (state === "bad") {
    const mark = document.createElement("i");
    mark.className = "cd-warn";
    mark.setAttribute("aria-hidden", "true");
    p.append(mark);
  }
  const [first, long, ...rest] = words.split("|"); // "A |peak |1.15": the middle goes where there is no room
  const line = document.createElement("span");
  line.append(first ?? "");
  if (long) {
    const s = document.createElement("span");
    s.className = "cd-long";
    s.textContent = long;
    line.append(s, ...rest);
  }
  p.append(line);
  return p;
}
