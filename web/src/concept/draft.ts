// draft.ts - the text of a concept while it is edited: what follows from it, and the way back.
//
// A change is tried by the server, which answers with masses, loads and modes; while one is under way only the latest of
// those that follow is kept. A change that is kept is then run, in place of what the world ran before.
import type { Core } from "../core/core.ts";
import type { ConceptAnswer, ConceptEdit } from "../wire/protocol.ts";

export interface Edit {
  changes?: ConceptEdit[];
  template?: { axle: string; to: string };
  text?: string;
}
export class Draft {
  now: ConceptAnswer | null = null;
  world = -1;
  took = 0; // ms, from the last change to its answer
  private readonly undone: string[] = [];
  private readonly done: string[] = [];
  private busy = false;
  private next: Edit | null = null;
  private waiting: ((why: string) => void)[] = [];

  constructor(
    private readonly app: Core,
    private readonly changed: () => void,
    private readonly failed: (why: string) => void,
  ) {}
  get canUndo(): boolean {
    return this.done.length > 0;
  }
  get canRedo(): boolean {
    return this.undone.length > 0;
  }
  async open(world: number): Promise<void> {
    this.world = world;
    try {
      this.now = await this.app.ask("concept", { world });
      this.changed();
    } catch (e) {
      this.failed(reason(e));
    }
  }
  // Tries a change without keeping it: what is dragged. "" or why not.
  async attempt(edit: Edit): Promise<string> {
    if (this.busy) {
      this.next = edit;
      return new Promise((tell) => this.waiting.push(tell));
    }
    this.busy = true;
    const begun = performance.now();
    let why = "";
    try {
      const text = edit.text ?? this.base ?? this.now?.text ?? "";
      this.base ??= text;
      this.now = await this.app.ask("concept", { text, ...(edit.text ? {} : edit) });
      this.took = performance.now() - begun;
      this.changed();
    } catch (e) {
      why = reason(e);
    }
    this.busy = false;
    if (this.next) {
      const next = this.next;
      const tell = this.waiting;
      this.next = null;
      this.waiting = [];
      const said = await this.attempt(next);
      for (const t of tell) t(said);
    }
    return why;
  }
  private base: string | null = null; // before what is being dragged
  // Tries a change, keeps it and runs it.
  async commit(edit: Edit, words: string): Promise<string> {
    const before = this.base ?? this.now?.text ?? "";
    const why = await this.attempt(edit);
    this.base = null;
    if (why) {
      if (this.now && this.now.text !== before) await this.attempt({ text: before });
      this.base = null;
      return why;
    }
    if (before && this.now && before !== this.now.text) {
      this.done.push(before);
      this.undone.length = 0;
    }
    return this.run(words);
  }
  async back(): Promise<void> {
    await this.step(this.done, this.undone, "undone");
  }
  async forth(): Promise<void> {
    await this.step(this.undone, this.done, "done again");
  }
  private async step(from: string[], to: string[], words: string): Promise<void> {
    const text = from.pop();
    if (text === undefined || !this.now) return;
    to.push(this.now.text);
    this.base = null;
    await this.attempt({ text });
    this.base = null;
    await this.run(words);
  }
  private async run(words: string): Promise<string> {
    if (!this.now || this.world < 0) return "";
    try {
      await this.app.ask("concept_change", { world: this.world, text: this.now.text, again: true, words });
      this.changed();
      return "";
    } catch (e) {
      return reason(e);
    }
  }
}
export function reason(e: unknown): string {
  const text = e instanceof Error ? e.message : String(e);
  return text ? text[0]!.toUpperCase() + text.slice(1) : text;
}
