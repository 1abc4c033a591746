// dom.ts - making elements: h(tag, props, ...children), and the few helpers every part needs.
//
//     h("button", { class: "btn", title: "Branch here (B)", onclick: () => app.run("branch") }, icon("branch"), "Branch")
//
// Props: on* are listeners, class and style as text, data-* and aria-* as attributes, booleans as
// presence, everything else as an attribute. Children: nodes, text, numbers; null and false are left out.

export type Child = Node | string | number | null | undefined | false | Child[];
export type Props = Record<string, unknown>;

function put(parent: Node, child: Child): void {
  if (child === null || child === undefined || child === false) return;
  if (Array.isArray(child)) for (const c of child) put(parent, c);
  else parent.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
}

function setProps(e: Element, props: Props | null): void {
  for (const [key, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on") && typeof value === "function") e.addEventListener(key.slice(2), value as EventListener);
    else if (key === "style")
      (e as HTMLElement).style.cssText = String(value); // the page's content security policy would block an attribute
    else if (key === "value" && "value" in e) (e as HTMLInputElement).value = String(value);
    else e.setAttribute(key, value === true ? (key.startsWith("aria-") ? "true" : "") : String(value));
  }
}

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props?: Props | null,
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  setProps(e, props ?? null);
  put(e, children);
  // A select's value can only be set after its options.
  if (tag === "select" && props?.value !== undefined) (e as unknown as HTMLSelectElement).value = String(props.value);
  return e;
}

export function svg(tag: string, props?: Props | null, ...children: Child[]): SVGElement {
  const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
  setProps(e, props ?? null);
  put(e, children);
  return e;
}

export function fill(host: Element, ...children: Child[]): void {
  host.replaceChildren();
  put(host, children);
}

// A canvas that fills its host at the screen's resolution. fit() is cheap: call it before drawing;
// it returns true when the size changed. The context is scaled so that drawing is in CSS pixels.
export interface Surface {
  canvas: HTMLCanvasElement;
  c: CanvasRenderingContext2D;
  w: number;
  h: number;
  fit(): boolean;
}
export function surface(host: HTMLElement, props?: Props): Surface {
  const canvas = h("canvas", { style: "position:absolute;inset:0;width:100%;height:100%", ...props });
  if (getComputedStyle(host).position === "static") host.style.position = "relative";
  host.appendChild(canvas);
  const c = canvas.getContext("2d")!;
  let size = { w: host.clientWidth, h: host.clientHeight };
  new ResizeObserver(() => (size = { w: host.clientWidth, h: host.clientHeight })).observe(host);
  const s: Surface = {
    canvas,
    c,
    w: 0,
    h: 0,
    fit() {
      const k = window.devicePixelRatio || 1;
      const pw = Math.round(size.w * k);
      const ph = Math.round(size.h * k);
      if (canvas.width === pw && canvas.height === ph && s.w === size.w && s.h === size.h) return false;
      canvas.width = pw;
      canvas.height = ph;
      s.w = size.w;
      s.h = size.h;
      c.setTransform(k, 0, 0, k, 0, 0);
      return true;
    },
  };
  return s;
}

// A slider on a scale of its own: place 0 .. 1 <-> value. Keeps its filled rail up to date.
export interface Slider {
  input: HTMLInputElement;
  set(value: number): void;
}
export function slider(opts: {
  label: string;
  title?: string;
  min: number;
  max: number;
  log?: boolean;
  value: number;
  step?: number;
  text?: (v: number) => string;
  input: (value: number) => void;
  done?: (value: number) => void;
}): Slider {
  const { min, max, log } = opts;
  const to = (v: number) => (log ? Math.log(v / min) / Math.log(max / min) : (v - min) / (max - min));
  const from = (p: number) => (log ? min * Math.pow(max / min, p) : min + p * (max - min));
  const input = h("input", {
    type: "range",
    min: 0,
    max: 1000,
    step: opts.step ?? 1,
    "aria-label": opts.label,
    title: opts.title ?? opts.label,
  });
  const show = (v: number) => {
    const p = Math.min(1, Math.max(0, to(v)));
    input.style.setProperty("--v", `${p * 100}%`);
    input.setAttribute("aria-valuetext", opts.text ? opts.text(v) : String(v));
    return p;
  };
  const value = () => from(Number(input.value) / 1000);
  input.addEventListener("input", () => {
    show(value());
    opts.input(value());
  });
  input.addEventListener("change", () => opts.done?.(value()));
  const set = (v: number) => {
    input.value = String(Math.round(show(v) * 1000));
  };
  set(opts.value);
  return { input, set };
}

// A menu beside an element or at a point: closes on Escape, on choosing, and on a click outside.
// Arrow keys walk it; the focus goes back where it was.
export interface Item {
  label: Child;
  hint?: string;
  checked?: boolean;
  disabled?: boolean;
  title?: string;
  stay?: boolean;
  run(): void;
}
let closeMenu: (() => void) | null = null;
// Menus float in a region of their own, so that all of the page is in one.
let layer: HTMLElement | null = null;
function floats(): HTMLElement {
  return layer?.isConnected
    ? layer
    : (layer = document.body.appendChild(h("div", { role: "region", "aria-label": "Menu" })));
}
export function menu(at: Element | { x: number; y: number }, items: (Item | "-")[], label = "Menu"): () => void {
  closeMenu?.();
  const back = document.activeElement as HTMLElement | null;
  const box = h("div", { class: "float menu", role: "menu", "aria-label": label });
  for (const item of items) {
    if (item === "-") {
      box.appendChild(h("hr", { role: "separator" }));
      continue;
    }
    const check = item.checked !== undefined;
    box.appendChild(
      h(
        "button",
        {
          role: check ? "menuitemcheckbox" : "menuitem",
          "aria-checked": check ? String(item.checked) : null,
          disabled: item.disabled,
          title: item.title,
          tabindex: -1,
          onclick: () => {
            if (!item.stay) close();
            item.run();
          },
        },
        check && h("span", { style: "width:12px", "aria-hidden": "true" }, item.checked ? "✓" : ""),
        item.label,
        item.hint && h("kbd", null, item.hint),
      ),
    );
  }
  const close = () => {
    if (closeMenu !== close) return;
    closeMenu = null;
    const inside = box.contains(document.activeElement);
    box.remove();
    document.removeEventListener("pointerdown", outside, true);
    if (inside) back?.focus({ preventScroll: true });
  };
  const outside = (e: PointerEvent) => {
    if (!box.contains(e.target as Node)) close();
  };
  box.addEventListener("keydown", (e) => {
    const all = [...box.querySelectorAll<HTMLElement>("button:not(:disabled)")];
    const i = all.indexOf(document.activeElement as HTMLElement);
    if (e.key === "Escape" || e.key === "Tab") close();
    else if (e.key === "ArrowDown") all[(i + 1) % all.length]?.focus();
    else if (e.key === "ArrowUp") all[(i + all.length - 1) % all.length]?.focus();
    else if (e.key === "Home") all[0]?.focus();
    else if (e.key === "End") all[all.length - 1]?.focus();
    else if (e.key !== "Enter" && e.key !== " ") {
      return;
    }
    if (e.key !== "Enter" && e.key !== " ") e.preventDefault();
    e.stopPropagation();
  });
  floats().appendChild(box);
  const r = at instanceof Element ? at.getBoundingClientRect() : null;
  place(
    box,
    r ? r.left : (at as { x: number }).x,
    r ? r.bottom + 4 : (at as { y: number }).y,
    r ? r.top - 4 : undefined,
  );
  closeMenu = close;
  setTimeout(() => document.addEventListener("pointerdown", outside, true));
  box.querySelector<HTMLElement>("button:not(:disabled)")?.focus({ preventScroll: true });
  return close;
}

// Puts a floating box at (x, y), pushed back into the window; above `top` when it does not fit below.
export function place(box: HTMLElement, x: number, y: number, top?: number): void {
  const w = box.offsetWidth;
  const hgt = box.offsetHeight;
  box.style.left = `${Math.max(8, Math.min(x, innerWidth - w - 8))}px`;
  box.style.top = `${Math.max(8, y + hgt > innerHeight - 8 ? (top !== undefined ? top - hgt : innerHeight - hgt - 8) : y)}px`;
}

// Puts a floating box next to an area without covering it: below, above, left or right, where the window has room; if
// it has none, into the lower left corner. level: beside it, the box begins at this height.
export function placeOutside(
  box: HTMLElement,
  area: { left: number; top: number; right: number; bottom: number },
  first: "below" | "beside" = "below",
  level = area.top,
): void {
  const w = box.offsetWidth;
  const hgt = box.offsetHeight;
  const gap = 8;
  const x = Math.max(gap, Math.min(area.left, innerWidth - w - gap));
  const y = Math.max(gap, Math.min(level, innerHeight - hgt - gap));
  const upright: [number, number][] = [
    [x, area.bottom + gap],
    [x, area.top - gap - hgt],
  ];
  const beside: [number, number][] = [
    [area.left - gap - w, y],
    [area.right + gap, y],
  ];
  const places = first === "below" ? [...upright, ...beside] : [...beside, ...upright];
  const [left, top] = places.find(
    ([a, b]) => a >= gap && b >= gap && a + w <= innerWidth - gap && b + hgt <= innerHeight - gap,
  ) ?? [gap, innerHeight - hgt - gap];
  box.style.left = `${left}px`;
  box.style.top = `${top}px`;
}

export function typing(e: Event): boolean {
  const t = e.target as HTMLElement | null;
  if (!t || !t.tagName) return false;
  return (
    t.isContentEditable ||
    t.tagName === "TEXTAREA" ||
    t.tagName === "SELECT" ||
    (t.tagName === "INPUT" && !["range", "checkbox", "radio", "button"].includes((t as HTMLInputElement).type))
  );
}
