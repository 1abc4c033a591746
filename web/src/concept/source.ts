// source.ts - the file of a concept as text: typed, applied, saved.
import { saveText } from "../files/save.ts";
import { h } from "../ui/dom.ts";
import type { ConceptAnswer } from "../wire/protocol.ts";
import type { FieldsDo } from "./fields.ts";

export class SourceCard {
  readonly element: HTMLElement;
  private readonly area = h("textarea", { class: "co-source", "aria-label": "File", spellcheck: "false", wrap: "off" });
  private readonly wrong = h("p", { class: "co-wrong", role: "alert" });
  private last = "";
  private file = "concept.yaml";
  constructor(private readonly doing: FieldsDo) {
    this.element = h(
      "section",
      { class: "card co-file" },
      h(
        "header",
        { class: "cd-head" },
        h("h3", { class: "cd-title" }, "File"),
        h("button", { class: "btn", title: "Run this text (Ctrl Enter)", onclick: () => void this.apply() }, "Apply"),
        h(
          "button",
          { class: "btn", title: "Save the file", onclick: () => saveText(this.file, this.last, "text/yaml") },
          "Save",
        ),
      ),
      this.area,
      this.wrong,
    );
    this.area.addEventListener("keydown", (e) => {
      if (e.key === "Enter" && e.ctrlKey) {
        e.preventDefault();
        void this.apply();
      }
      e.stopPropagation(); // keys of the page are letters here
    });
  }
  async apply(): Promise<void> {
    this.wrong.textContent = await this.doing.commit({ text: this.area.value }, "the file");
  }
  set(a: ConceptAnswer): void {
    if (this.area.value === this.last || this.last === "") this.area.value = a.text;
    this.last = a.text;
    this.file = a.file || "concept.yaml";
    if (this.area.value === a.text) this.wrong.textContent = "";
  }
}
