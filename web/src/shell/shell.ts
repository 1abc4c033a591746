// shell.ts - the shell's own commands and what happens by itself: layout, lost connection,
// collisions, failures, the link.
import { fixed } from "../base/units.ts";
import type { Event } from "../core/app.ts";
import type { Core } from "../core/core.ts";
import { readLink, startDrop, startSharing } from "../files/files.ts";
import { startMedusa } from "../files/medusa.ts";
import { startStart } from "../files/start.ts";
import { startStepCheck } from "../time/stepcheck.ts";
import { h } from "../ui/dom.ts";
import { startAbout } from "./about.ts";
import { startFinder } from "./finder.ts";
import { startHelp, startHints } from "./help.ts";
import { Keys } from "./keys.ts";
import type { Regions } from "./layout.ts";
import { startLayouts } from "./layouts.ts";
import { startSound } from "./sound.ts";
import { startSpeaking } from "./speak.ts";
import type { Theme } from "./theme.ts";
import { startTopics } from "./topics.ts";
import { startUndo } from "./undo.ts";

export function startShell(
  app: Core,
  regions: Regions,
  stage: { draw(t: number): void },
  theme: { next(): void; set(t: Theme): void },
): Keys {
  const keys = new Keys(app);
  pageCommands(app, theme);
  startUndo(app);
  startStepCheck(app);
  startFinder(app, keys);
  startAbout(app);
  startTopics(app);
  startLayouts(app);
  startHelp(app, keys);
  startDrop(app);
  startStart(app, regions.main);
  startMedusa(app);
  startSharing(app, stage, () => document.getElementById("share")!);
  startSpeaking(app, regions.road);
  startSound(app);
  startLost(app, regions);
  startIncidents(app);
  let first = true;
  app.on("worlds", (d) => {
    if (d?.reset && first) {
      first = false;
      followLink(app);
      startHints(app);
    }
  });
  return keys;
}

function pageCommands(app: Core, theme: { next(): void; set(t: Theme): void }): void {
  const lay = () => app.layout;
  const page = (name: string, title: string, keys: string[], help: string, run: () => void) =>
    app.command({ name, title, keys, help, group: "Page", run });
  app.command({
    name: "play",
    title: "Play or pause",
    help: "Stops and starts time on this page.",
    group: "Time",
    keys: ["Space"],
    run: () => app.clock.play(),
  });
  page("inspector", "Inspector", ["H"], "Shows or hides the inspector.", () =>
    lay().set({ inspector: !lay().inspector }),
  );
  page("instruments", "Instruments", ["Shift+I"], "Shows or hides the instruments.", () =>
    lay().set({ instruments: !lay().instruments }),
  );
  page("view.3d", "3-D view", ["T"], "Between the top view and the three-dimensional one.", () =>
    lay().set({ view: lay().view === "3d" ? "road" : "3d" }),
  );
  page("view.road", "Road view", [], "The top view.", () => lay().set({ view: "road" }));
  page("view.timespace", "Time-space diagram", [], "Paths of all cars over time.", () =>
    lay().set({ view: "timespace" }),
  );
  page("theme", "Light or dark", [], "Changes the colours.", () => theme.next());
  page("theme.auto", "Colours as set by the system", [], "Light or dark, as the system is set.", () =>
    theme.set("auto"),
  );
  page("collision.stop", "Stop at a collision, or not", [], "Whether time stops at the first touch.", () => {
    const on = !(app.option<boolean>("stopAtCollision") ?? true);
    app.option("stopAtCollision", on);
    app.toast(on ? "Time stops at a collision" : "Time continues through collisions");
  });
  page("friction", "Friction and lanes of the road", [], "Slippery patches, the number of lanes: the Road panel.", () =>
    lay().set({ panel: "road" }),
  );
  page("reconnect", "Try the connection now", [], "Does not wait for the next try.", () => app.wire.retry());
}

// Without a connection nothing can be changed; what the page has can still be watched.
function startLost(app: Core, r: Regions): void {
  const note = h(
    "p",
    { class: "lost-note hidden", role: "status" },
    "No connection to the server: nothing can be changed until it is back. The playhead can still be moved over what this page has received.",
  );
  r.aside.prepend(note);
  let was = false;
  app.on("state", (d) => {
    if (d?.connected === undefined) return;
    note.classList.toggle("hidden", app.connected || !was);
    for (const e of [r.inspector, r.panel, r.drive]) e.toggleAttribute("inert", !app.connected && was);
    if (app.connected && was && d.was === false)
      app.toast(
        app.resumed
          ? "Connected again, at the same place"
          : "The server was restarted: this is a new run from its start; worlds and changes of the old one are gone",
      );
    if (app.connected) was = true;
    else if (d.was) {
      app.clock.live = false;
      app.speak("Connection lost");
    }
  });
}

function startIncidents(app: Core): void {
  app.on("events", (d) => {
    for (const e of d?.fresh ?? []) {
      if (e.type === "collision") collided(app, e);
      if (e.type === "failure")
        app.toast(`${app.world(e.world)?.name ?? "A world"} stopped at ${fixed(e.t, 3)} s: ${e.text}`, {
          label: "Branch before it",
          run: () => {
            app.clock.seek(e.t - 1);
            app.run("branch");
          },
        });
    }
  });
}
let lastCollision = -Infinity;
function collided(app: Core, e: Event): void {
  if (Math.abs(e.t - lastCollision) < 2) return; // one pile-up, one message
  lastCollision = e.t;
  const letter = app.worlds.length > 1 ? `${app.letter(e.world)} ` : "";
  app.toast(`${letter}${e.vehicle} hit ${e.other || "something"} at ${fixed(e.t, 3)} s`, {
    label: "Watch in 3-D",
    run: () => {
      app.layout.set({ view: "3d" });
      app.emit("state", { zoom: [e.t - 0.1, e.t + 0.4] });
      app.clock.seek(e.t - 0.02);
      app.clock.setRate(0.02);
      app.clock.play(true);
    },
  });
  const w = app.world(e.world);
  if (w && w.end < e.t) w.end = e.t; // the event is faster than the frames
  if (
    (app.option<boolean>("stopAtCollision") ?? true) &&
    app.clock.live &&
    app.clock.playing &&
    !app.following &&
    app.world(e.world) &&
    !app.worldList.hidden.has(e.world)
  ) {
    app.clock.play(false);
    app.clock.seek(e.t);
    app.emit("clock");
  }
}

function followLink(app: Core): void {
  const link = readLink(location.hash);
  if (link.layout) app.emit("layout", { restore: link.layout });
  if (link.car) app.select(link.car[0], link.car[1]);
  if (link.t !== undefined && link.t <= app.clock.end) {
    app.clock.play(false);
    app.clock.seek(link.t);
  }
}
