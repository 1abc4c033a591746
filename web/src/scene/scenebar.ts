// scenebar.ts - the line above the road: length, markers, error magnification, reference, meters,
// colour. Every value is also a field: type "120 m" and Enter.

import type { Actions, App, Chosen, Page, Part } from "../core/app.ts";
import { Pace } from "../core/pace.ts";
import { h, menu, slider, type Item } from "../ui/dom.ts";
import { COLOURS, COLOUR_TITLES, type Legend } from "./colour.ts";
import { TRAIL_MAX } from "./cars.ts";
import { openLimits } from "./limits.ts";
import { choice, choose } from "./options.ts";
import type { SceneView } from "./sceneview.ts";
import { TAG_KINDS } from "./tags.ts";
import { lengthText, lengthTyped, SHORTEST, trimmed } from "./view.ts";

const SPACINGS = [1, 2, 5, 10, 20, 50, 100];

export function mountSceneBar(host: HTMLElement, app: App, scene: SceneView): Part {
  const length = lengthField(app, scene);
  const markers = markerField(app);
  const error = errorField(app, scene);
  const trails = trailField(app, scene);
  const bend = h("span", { class: "sc-bend" });
  const reference = menuField("Reference", "The car that stands still on the screen", () => referenceItems(app, scene));
  const meters = menuField("Meters", "What is drawn around the cars and below", () =>
    meterItems(app, scene, meters.box),
  );
  const colour = menuField("Colour", "What the colour of a car shows", () => colourItems(app));
  const legend = h("span", { class: "sc-legend" });
  host.append(
    h("h2", null, "Road"),
    length.box,
    markers.box,
    error.box,
    trails.box,
    reference.box,
    bend,
    h("span", { class: "grow" }),
    legend,
    meters.box,
    colour.box,
  );
  let shown = "";
  let seen = NaN;
  const pace = new Pace(app);
  return {
    draw() {
      if (scene.view.length === seen && !pace.due()) return;
      seen = scene.view.length;
      length.show();
      error.show();
      markers.show();
      trails.show();
      error.box.hidden = !scene.railOn() && !scene.ghostsOn() && scene.strips.some((s) => s.curved);
      const strip = scene.strips.find((s) => s.curved);
      const words = strip ? bendText(strip.plan!.main.curvature(strip.camera.station)) : "";
      if (bend.textContent !== words) bend.textContent = words;
      reference.set(app.reference === "road" ? "road" : (app.reference ?? "leader"));
      meters.set(scene.tagKind());
      colour.set(COLOUR_TITLES[choice(app, "colour")]);
      const l = scene.colouring.legend();
      const key = `${l.kind}${l.from}${l.to}${l.colours[0]}`;
      if (key !== shown) {
        shown = key;
        showLegend(legend, l);
        host.classList.toggle("sc-tight", l.kind === "list");
      }
    },
  };
}

// A label, a value that can be edited, and optionally a slider.
function field(
  name: string,
  title: string,
  cls: string,
  apply: (text: string) => boolean,
): { box: HTMLElement; input: HTMLInputElement; set(text: string): void } {
  const input = h("input", {
    class: "sc-value",
    "aria-label": name,
    title,
    size: 6,
    autocomplete: "off",
    spellcheck: "false",
  });
  let now = "";
  const done = (): void => {
    const ok = input.value === now || apply(input.value);
    input.classList.toggle("bad", !ok);
    if (ok) now = "";
  };
  input.addEventListener("change", done);
  input.addEventListener("focus", () => input.select());
  input.addEventListener("blur", () => {
    if (!input.classList.contains("bad") && pending) set(pending);
  });
  input.addEventListener("keydown", (e) => {
    if (e.key === "Enter") {
      done();
      input.blur();
    }
    if (e.key === "Escape") {
      input.value = now;
      input.classList.remove("bad");
      input.blur();
    }
    e.stopPropagation();
  });
  let pending = ""; // what it would say were it not being typed into
  const set = (text: string): void => {
    pending = text;
    if (text === now || document.activeElement === input || input.classList.contains("bad")) return;
    now = input.value = text;
    input.style.width = `${Math.max(3, text.length) + 0.8}ch`;
  };
  return { box: h("label", { class: `sc-field ${cls}` }, h("span", null, name), input), input, set };
}

function lengthField(app: Page, scene: SceneView): { box: HTMLElement; show(): void } {
  const keep = (v: number): void => {
    scene.view.setLength(v);
    choose(app, "length", Number(scene.view.length.toPrecision(3)));
  };
  const f = field(
    "Length",
    "Metres of road on the screen: type 120 m, or turn the wheel over the road",
    "sc-length",
    (text) => {
      const v = lengthTyped(text);
      if (!(v >= SHORTEST)) return false;
      keep(v);
      return true;
    },
  );
  let longest = 0;
  let shown = NaN;
  let s = slider({
    label: "Length of road on the screen",
    min: SHORTEST,
    max: 4000,
    log: true,
    value: 124,
    text: lengthText,
    input: keep,
  });
  f.box.append(s.input);
  return {
    box: f.box,
    show() {
      if (scene.view.longest !== longest) {
        // the slider's end is the whole road
        longest = scene.view.longest;
        const next = slider({
          label: "Length of road on the screen",
          min: SHORTEST,
          max: longest,
          log: true,
          value: scene.view.length,
          text: lengthText,
          input: keep,
        });
        s.input.replaceWith(next.input);
        s = next;
        shown = NaN;
      }
      if (scene.view.length === shown) return; // styles are touched only when something changed
      shown = scene.view.length;
      f.set(lengthText(shown));
      if (document.activeElement !== s.input) s.set(shown);
    },
  };
}

function markerField(app: Page): { box: HTMLElement; show(): void } {
  const f = field(
    "Markers",
    "Spacing of posts and dashes: 1, 2, 5, 10, 20, 50, 100 m, or any typed value",
    "sc-markers",
    (text) => {
      const v = lengthTyped(text);
      if (!(v >= 0.1 && v <= 10000)) return false;
      choose(app, "markers", v);
      return true;
    },
  );
  const more = h(
    "button",
    {
      type: "button",
      class: "sc-more",
      title: "Choose the distance of markers",
      "aria-label": "Choose the distance of markers",
      "aria-haspopup": "menu",
      onclick: (e: MouseEvent) => {
        e.preventDefault();
        menu(
          more,
          SPACINGS.map((v) => ({
            label: `${v} m`,
            checked: choice(app, "markers") === v,
            run: () => choose(app, "markers", v),
          })),
          "Markers",
        );
      },
    },
    "▾",
  );
  f.box.append(more);
  return { box: f.box, show: () => f.set(lengthText(choice(app, "markers"))) };
}

// Seconds of the trails: on roads with bends, where one looks at what cars do sideways, and where trails are on.
function trailField(app: Page, scene: SceneView): { box: HTMLElement; show(): void } {
  const keep = (v: number): void => {
    const time = Math.round(10 * v) / 10;
    if (time > 0) choose(app, "trailTime", time);
    choose(app, "trails", time > 0);
  };
  const f = field("Trails", "Seconds of the way behind the cars, 0 to 3: type 1.8", "sc-trails", (text) => {
    const v = Number(text.replace(",", ".").replace(/\s*s$/, ""));
    if (!(v >= 0 && v <= TRAIL_MAX)) return false;
    keep(v);
    return true;
  });
  const s = slider({
    label: "Trails, seconds",
    min: 0,
    max: TRAIL_MAX,
    value: 0,
    text: (v) => `${v.toFixed(1)} s`,
    input: keep,
  });
  f.box.append(s.input);
  f.box.hidden = true;
  return {
    box: f.box,
    show() {
      const curved = scene.strips.some((q) => q.curved);
      if (f.box.hidden === curved) f.box.hidden = !curved;
      if (!curved) return;
      f.set(`${scene.trailTime().toFixed(1)} s`);
      if (document.activeElement !== s.input) s.set(scene.trailTime());
    },
  };
}

// "Bend R 400 m, left".
export function bendText(curvature: number): string {
  const r = 1 / Math.abs(curvature);
  if (!(r < 20000)) return "straight";
  return `Bend R ${r < 1000 ? Math.round(r) : `${(r / 1000).toFixed(1)} k`} m, ${curvature > 0 ? "left" : "right"}`;
}

function errorField(app: Page, scene: SceneView): { box: HTMLElement; show(): void } {
  const keep = (v: number): void => {
    choose(app, "autoFactor", false);
    choose(app, "factor", v);
  };
  const f = field(
    "Error",
    "How many times errors are magnified in ghosts and rails, 1 to 200; numbers are never scaled. auto: the largest error reaches half a gap",
    "sc-error",
    (text) => {
      if (/^\s*auto\s*$/i.test(text)) {
        choose(app, "autoFactor", true);
        return true;
      }
      const v = Number(text.replace(/[×x*\s]/gi, "").replace(",", "."));
      if (!(v >= 1 && v <= 200)) return false;
      keep(v);
      return true;
    },
  );
  const s = slider({
    label: "Error magnification",
    min: 1,
    max: 200,
    log: true,
    value: 5,
    text: (v) => `${trimmed(v)} times`,
    input: (v) => keep(Number(v.toPrecision(2))),
  });
  s.input.classList.add("sc-focus");
  let shown = NaN;
  const auto = h(
    "button",
    {
      type: "button",
      class: "sc-auto",
      "aria-pressed": "false",
      title: "Fit the largest error to half a gap",
      onclick: (e: MouseEvent) => {
        e.preventDefault();
        choose(app, "autoFactor", !choice(app, "autoFactor"));
      },
    },
    "Auto",
  );
  f.box.append(s.input, auto);
  return {
    box: f.box,
    show() {
      if (scene.factor() !== shown) {
        shown = scene.factor();
        f.set(`× ${trimmed(shown)}`);
        if (document.activeElement !== s.input) s.set(shown);
      }
      const on = String(choice(app, "autoFactor"));
      if (auto.getAttribute("aria-pressed") !== on) auto.setAttribute("aria-pressed", on);
    },
  };
}

function menuField(
  name: string,
  title: string,
  items: () => (Item | "-")[],
): { box: HTMLElement; set(text: string): void } {
  const value = h("b");
  const box = h(
    "button",
    { type: "button", class: "sc-field sc-menu", title, "aria-haspopup": "menu" },
    h("span", null, name),
    value,
  );
  box.addEventListener("click", () => menu(box, items(), name));
  return {
    box,
    set(text) {
      if (value.textContent !== text) value.textContent = text;
    },
  };
}

function referenceItems(app: Chosen, scene: SceneView): (Item | "-")[] {
  const sel = app.selection?.vehicle;
  const items: (Item | "-")[] = [
    { label: "Leader", hint: "Esc", checked: app.reference === null, run: () => scene.setReference(null) },
    { label: "Road: the cars pass by", checked: app.reference === "road", run: () => scene.setReference("road") },
  ];
  if (sel)
    items.push({
      label: `Selected car: ${sel}`,
      hint: "R",
      checked: app.reference === sel,
      run: () => scene.setReference(sel, app.selection?.world),
    });
  return items;
}

function meterItems(app: Page & Actions, scene: SceneView, box: HTMLElement): (Item | "-")[] {
  const flip = (name: "ghosts" | "rail" | "trails", label: string, hint?: string): Item => {
    const on = name === "rail" ? scene.railOn() : name === "trails" ? scene.trailTime() > 0 : scene.ghostsOn();
    return { label, hint, checked: on, stay: false, run: () => choose(app, name, !on) };
  };
  return [
    ...TAG_KINDS.map((k): Item => ({
      label: k === "off" ? "No tags" : `Tags: ${k}`,
      hint: k === "v" ? "V" : undefined,
      checked: scene.tagKind() === k,
      run: () => choose(app, "tags", k),
    })),
    "-",
    flip("ghosts", "Ghosts", "G"),
    flip("rail", "Error rail"),
    flip("trails", "Trails", "Y"),
    ...[1, 2, 5, 10].map((k): Item => ({
      label: `Sideways × ${k}`,
      checked: choice(app, "lateral") === k,
      run: () => choose(app, "lateral", k),
    })),
    "-",
    { label: "Tags of all cars", disabled: choice(app, "noTags").length === 0, run: () => choose(app, "noTags", []) },
    { label: "Ruler", hint: "Q", checked: scene.ruler.on, run: () => app.run("ruler") },
    {
      label: "Limits and heads…",
      title: "Limits for highlighting; how the heads swing",
      run: () => openLimits(app, box),
    },
  ];
}

function colourItems(app: Page): Item[] {
  return COLOURS.map((k) => ({
    label: COLOUR_TITLES[k],
    checked: choice(app, "colour") === k,
    run: () => choose(app, "colour", k),
  }));
}

function showLegend(host: HTMLElement, l: Legend): void {
  if (l.kind === "none") {
    host.replaceChildren();
    return;
  }
  if (l.kind === "list") {
    host.replaceChildren(
      ...l.names.map((n, k) => h("span", { class: "sc-key" }, h("i", { style: `background:${l.colours[k]}` }), n)),
    );
    return;
  }
  const bar = h("i", {
    class: "sc-ramp",
    style: `background:linear-gradient(90deg,${l.colours.filter((_, k) => k % 4 === 0).join()})`,
  });
  host.replaceChildren(h("span", null, l.from), bar, h("span", null, `${l.to} ${l.unit}`));
}
