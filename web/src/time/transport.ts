// transport.ts - the upper row of the timeline: buttons, clock, speed, the two steps, Branch here.
import { clockText, fixed, rateText, stepText } from "../base/units.ts";
import type { Part } from "../core/app.ts";
import { FASTEST, SLOWEST } from "../core/clock.ts";
import type { Core } from "../core/core.ts";
import { h, menu, slider } from "../ui/dom.ts";
import { icon } from "../ui/icons.ts";

// "66.3", "1:06.3", "1:00:12", "66300 ms" -> seconds; null: not a time.
export function parseTime(typed: string): number | null {
  const ms = /^\s*([\d.,]+)\s*ms\s*$/.exec(typed);
  if (ms) return Number(ms[1].replace(",", ".")) / 1000;
  const parts = typed.trim().replace(/\s*s$/, "").replace(",", ".").split(":");
  if (!parts.length || parts.length > 3 || parts.some((p) => !/^\d+(\.\d*)?$|^\.\d+$/.test(p))) return null;
  return parts.reduce((t, p) => t * 60 + Number(p), 0);
}

export function mountTransport(host: HTMLElement, app: Core): Part {
  const c = app.clock;
  const button = (name: string, label: string, keys: string, command: string) =>
    h(
      "button",
      { class: "iconbtn", "aria-label": label, title: `${label} (${keys})`, onclick: () => app.run(command) },
      icon(name, 16),
    );
  const play = h("button", { class: "iconbtn tp-play", onclick: () => app.run("play") }, icon("pause", 16));
  const loop = h(
    "button",
    {
      class: "iconbtn",
      "aria-label": "Loop",
      title: "Loop the interval (I and O set it, Shift-drag draws it; right-click for more)",
      onclick: () => app.run("loop"),
      oncontextmenu: (e: Event) => {
        e.preventDefault();
        loopMenu();
      },
    },
    icon("loop", 16),
  );
  const loopMenu = () =>
    menu(
      loop,
      [
        {
          label: "Loop once",
          checked: c.loopOnce && !c.pingPong,
          run: () => {
            c.loopOnce = true;
            c.pingPong = false;
            app.emit("clock");
          },
        },
        {
          label: "Loop",
          checked: !c.loopOnce && !c.pingPong,
          run: () => {
            c.loopOnce = false;
            c.pingPong = false;
            app.emit("clock");
          },
        },
        {
          label: "Ping-pong",
          checked: c.pingPong,
          hint: "P",
          run: () => {
            c.pingPong = true;
            app.emit("clock");
          },
        },
        "-",
        {
          label: "Clear the interval",
          disabled: !c.loop,
          run: () => {
            c.loop = null;
            c.loopOn = false;
            app.emit("clock");
          },
        },
      ],
      "Loop",
    );
  const time = clockField(app);

  const rateLabel = h("b");
  const stepLabel = h("b");
  const animLabel = h("b");
  const rate = slider({
    label: "Speed",
    title: "Speed of time ([ and ], \\ is 1 ×)",
    min: SLOWEST,
    max: FASTEST,
    log: true,
    value: 1,
    text: rateText,
    input: (v) => c.setRate((c.rate < 0 ? -1 : 1) * snap(v, [0.001, 0.01, 0.1, 0.5, 1, 2, 5, 10, 100])),
  });
  const step = slider({
    label: "Simulation step",
    title: "Step of the simulation. Changing it is an entry in the log",
    min: 5e-5,
    max: 0.1,
    log: true,
    value: 0.01,
    text: stepText,
    input: (v) => {
      stepLabel.textContent = stepText(round(v));
      stepHeld = true;
    },
    done: (v) => {
      stepHeld = false;
      app
        .change("step", { step: round(v) })
        .catch(() => undefined)
        .finally(show);
    },
  });
  const anim = slider({
    label: "Animation step",
    title: "Simulated time between frames",
    min: 1e-3,
    max: 1,
    log: true,
    value: 1 / 60,
    text: stepText,
    input: (v) => {
      c.animationStep = Math.abs(Math.log(v * 60)) < 0.08 ? 0 : round(v);
      app.resubscribe();
      show();
    },
  });
  let stepHeld = false;
  const check = h(
    "button",
    {
      class: "tp-check",
      title: "Simulate the last minute again with half the step and show the maximum difference",
      onclick: () => app.run("check step"),
    },
    "Check",
  );
  const behind = h("span", { class: "tp-behind mut" });
  const branch = h(
    "button",
    { class: "btn tp-branch", title: "A world from this instant, to be changed (B)", onclick: () => app.run("branch") },
    "Branch here",
    h("kbd", null, "B"),
  );
  host.append(
    button("first", "To the start", "Home", "start"),
    button("back", "One frame back", ", or Left", "frame.back"),
    play,
    button("on", "One frame forward", ". or Right", "frame.on"),
    button("last", "To the live end", "End", "live"),
    loop,
    time.element,
    h("label", { class: "tp-field" }, "Speed", rateLabel, rate.input),
    h("label", { class: "tp-field" }, "Simulation step", stepLabel, step.input),
    check,
    h("label", { class: "tp-field" }, "Animation step", animLabel, anim.input),
    h("span", { class: "grow" }),
    behind,
    branch,
  );

  let shownPlay: boolean | null = null;
  const show = () => {
    if (shownPlay !== c.playing) {
      shownPlay = c.playing;
      play.replaceChildren(icon(c.playing ? "pause" : "play", 16));
      play.setAttribute("aria-label", c.playing ? "Pause" : "Play");
      play.title = c.playing ? "Pause (Space)" : "Play (Space)";
    }
    loop.setAttribute("aria-pressed", String(c.loopOn && c.loop !== null));
    const glyph = c.pingPong ? "pingpong" : "loop";
    if (loop.dataset.glyph !== glyph) {
      loop.dataset.glyph = glyph;
      loop.replaceChildren(icon(glyph, 16));
    }
    rateLabel.textContent = rateText(c.rate);
    rate.set(Math.abs(c.rate));
    const w = app.current();
    if (w && !stepHeld) {
      stepLabel.textContent = stepText(w.step);
      step.set(w.step);
    }
    step.input.disabled = !app.connected || app.readOnly || w?.kind !== "run";
    const a = c.animationStep || 1 / 60;
    animLabel.textContent = stepText(a);
    anim.set(a);
    const why = !app.connected
      ? "No connection to the server"
      : app.readOnly
        ? "This page is read-only"
        : w?.kind === "replay"
          ? "A recording can be watched, not branched"
          : "";
    branch.disabled = why !== "";
    branch.title = why || "A world from this instant, to be changed (B)";
  };
  for (const topic of ["clock", "world", "worlds", "select", "state"] as const)
    app.on(topic, (d) => {
      if (!(d && "load" in d)) show();
    });
  show();
  let nextText = 0;
  let nextTime = 0;
  let last = "";
  return {
    draw(t) {
      const now = performance.now();
      if (now >= nextTime || !app.clock.playing) {
        time.show(t);
        nextTime = now + 50;
      } // the eye reads no more
      if (now < nextText) return;
      nextText = now + 100;
      const text = behindText(app);
      if (text !== last) behind.textContent = last = text;
    },
  };
}

function behindText(app: Core): string {
  const c = app.clock;
  if (c.live && c.playing) return "at the live end";
  const d = c.end - c.t;
  if (!app.worlds.some((w) => w.kind === "run")) return `${fixed(c.end - c.start, 1)} s recorded`;
  return d < 0.05 ? "at the live end" : `${fixed(d, d < 10 ? 2 : 1)} s behind live`;
}
// The clock: click and type a time.
function clockField(app: Core): { element: HTMLElement; show(t: number): void } {
  const face = h("button", {
    class: "tp-clock mono",
    title: "Click and type a time; the simulation runs to one that is ahead",
  });
  const input = h("input", { class: "tp-clock mono field hidden", "aria-label": "Go to time", spellcheck: "false" });
  const box = h("span", { class: "tp-clockbox" }, face, input);
  let last = "";
  face.addEventListener("click", () => {
    input.value = face.textContent ?? "";
    face.classList.add("hidden");
    input.classList.remove("hidden");
    input.focus();
    input.select();
  });
  const close = (take: boolean) => {
    if (input.classList.contains("hidden")) return;
    const t = parseTime(input.value);
    if (take && t === null) {
      input.setAttribute("aria-invalid", "true");
      app.toast(`'${input.value}' is not a time; expected for example 66.3, 1:06.3 or 66300 ms`);
      return;
    }
    input.removeAttribute("aria-invalid");
    input.classList.add("hidden");
    face.classList.remove("hidden");
    if (!take || t === null) return;
    app.clock.runTo(t);
    if (app.clock.until < Infinity) app.toast(`Runs to ${clockText(t, 3)} and pauses there`);
  };
  input.addEventListener("keydown", (e) => {
    e.stopPropagation();
    if (e.key === "Enter") close(true);
    if (e.key === "Escape") close(false);
  });
  input.addEventListener("blur", () => close(false));
  return {
    element: box,
    show(t) {
      const step = app.current()?.step ?? 0.01;
      const text = clockText(t, step < 9.9e-4 ? 4 : 3);
      if (text === last) return;
      face.textContent = last = text;
    },
  };
}
function snap(v: number, to: number[]): number {
  for (const s of to) if (Math.abs(Math.log(v / s)) < 0.09) return s;
  return Number(v.toPrecision(3));
}
const round = (v: number) => Number(v.toPrecision(2));
