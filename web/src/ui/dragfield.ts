// dragfield.ts - names of quantities that can be taken by hand and dropped on a plot.

export const FIELD_TYPE = "application/x-motorcade-field";

// Makes an element something to drag a quantity by; `name` as the server's series knows it.
export function dragField(e: HTMLElement, name: string): void {
  e.draggable = true;
  e.classList.add("fd-drag");
  e.title = `${e.title ? `${e.title}. ` : ""}Drag onto a plot`;
  e.addEventListener("dragstart", (d) => {
    d.dataTransfer?.setData(FIELD_TYPE, name);
    d.dataTransfer?.setData("text/plain", name);
    if (d.dataTransfer) d.dataTransfer.effectAllowed = "copy";
  });
}

// The name of a dropped field; null: something else.
export function droppedField(e: DragEvent): string | null {
  const d = e.dataTransfer;
  if (!d) return null;
  const name = d.getData(FIELD_TYPE) || d.getData("text/plain");
  return name && /^[A-Za-z][A-Za-z0-9_.]*$/.test(name) ? name : null;
}
