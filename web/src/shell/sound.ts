// sound.ts - a click at a contact, two tones at a warning. Off by default, and always with a caption,
// so that no information is in the sound alone.
import type { Event } from "../core/app.ts";
import type { Core } from "../core/core.ts";
import { eventWords } from "../core/eventwords.ts";
import { h } from "../ui/dom.ts";

const SHOWN = 2500; // ms a caption stays
const KEY = "motorcade.sound"; // of the person, not of the scenario

export function startSound(app: Core): void {
  const caption = h("div", { class: "so-caption", "aria-hidden": "true", hidden: true }); // events are spoken by speak.ts
  document.body.append(caption);
  let on = read();
  let context: AudioContext | null = null;
  let timer = 0;
  let last = -Infinity;
  const tone = (at: number, hertz: number, seconds: number, loud: number, kind: OscillatorType): void => {
    const o = context!.createOscillator();
    const g = context!.createGain();
    o.type = kind;
    o.frequency.value = hertz;
    g.gain.setValueAtTime(loud, at);
    g.gain.exponentialRampToValueAtTime(0.001, at + seconds);
    o.connect(g).connect(context!.destination);
    o.start(at);
    o.stop(at + seconds);
  };
  const play = (e: Event): void => {
    const now = performance.now();
    if (now - last < 150) return; // a pile-up is one click after the other, not a hum
    last = now;
    context ??= new AudioContext();
    const t = context.currentTime;
    const contact = e.type === "collision";
    if (contact) {
      tone(t, 90, 0.12, 0.5, "triangle");
      tone(t, 1400, 0.025, 0.3, "square");
    } else {
      tone(t, 660, 0.12, 0.15, "sine");
      tone(t + 0.16, 520, 0.16, 0.15, "sine");
    }
    caption.textContent = `♪ ${contact ? "contact" : "warning"}: ${eventWords(e) || e.vehicle}`;
    caption.hidden = false;
    clearTimeout(timer);
    timer = setTimeout(() => {
      caption.hidden = true;
    }, SHOWN) as unknown as number;
  };
  // Only what the playhead reaches: the past read again makes no noise.
  app.on("events", (d) => {
    if (!on || !app.clock.playing) return;
    const heard = (d?.fresh ?? [])
      .filter(
        (e) =>
          (e.type === "collision" || e.type === "warning" || e.type === "failure") && Math.abs(e.t - app.clock.t) < 2,
      )
      .pop();
    if (heard) play(heard);
  });
  app.command({
    name: "sound",
    title: "Sound",
    help: "A click at a contact, two tones at a warning, each with a caption. Off by default.",
    group: "Page",
    run: () => {
      on = !on;
      try {
        localStorage.setItem(KEY, on ? "1" : "0");
      } catch {
        /* not kept */
      }
      if (on) {
        context ??= new AudioContext();
        void context.resume?.();
      }
      app.toast(on ? "Sound is on: contacts and warnings" : "Sound is off");
    },
  });
}

function read(): boolean {
  try {
    return localStorage.getItem(KEY) === "1";
  } catch {
    return false;
  }
}
