// checkin.ts - commands of the ERSC: its level, and check-in and check-out of a car. What the server answers to a
// check-in comes with the events of the next step, and a rejection is told then.
import type { App } from "../core/app.ts";
import { sentence } from "../core/core.ts";
import { CHECKED_IN, hasErsc, LEVELS, statusOf } from "../core/ersc.ts";
import { eventName, eventWords } from "../core/eventwords.ts";
import { fixedWhy } from "../core/facts.ts";
import type { Vehicle, World } from "../wire/protocol.ts";

export const MIN_LANES = 2; // the server says that it needs more

export function sendLevel(app: App, world: World, level: number): void {
  app.change("ersc", { world: world.world, level }).then(
    () => app.speak(level ? `ERSC level ${level}` : "ERSC off"),
    () => undefined,
  );
}

interface Asked {
  world: number;
  vehicle: string;
  t: number;
}
const waiting = new WeakMap<App, Asked[]>();

// out: check-out.
export function checkIn(app: App, world: World, vehicle: string, out: boolean): void {
  app.change(out ? "check_out" : "check_in", { world: world.world, vehicle }).then(
    (done) => {
      waiting.get(app)?.push({ world: done.world, vehicle, t: done.at });
      tell(app);
    },
    () => undefined,
  );
}

function tell(app: App): void {
  const list = waiting.get(app) ?? [];
  for (const asked of [...list]) {
    const answer = app
      .events(asked.world)
      .find((e) => e.vehicle === asked.vehicle && e.t > asked.t - 1e-6 && ANSWERS.includes(eventName(e)));
    if (!answer) continue;
    list.splice(list.indexOf(asked), 1);
    if (answer.type === "warning") app.toast(sentence(eventWords(answer)));
    else app.speak(eventWords(answer));
  }
}
const ANSWERS = ["checked_in", "checked_out", "check_in_refused", "check_out_refused"];

// The selected car of a road with the ERSC.
function target(app: App): { world: World; vehicle: Vehicle } | null {
  const s = app.selection;
  const world = s ? app.world(s.world) : undefined;
  const vehicle = world?.vehicles.find((v) => v.name === s?.vehicle);
  return world && vehicle && hasErsc(app, world) && !fixedWhy(app, world) ? { world, vehicle } : null;
}

export function startErsc(app: App): void {
  waiting.set(app, []);
  app.on("events", () => tell(app));
  app.on("worlds", (d) => {
    if (d?.reset) waiting.set(app, []);
  });
  const road = (): World | null => {
    const w = app.current();
    return w && w.kind === "run" && w.road.lanes >= MIN_LANES && !fixedWhy(app, w) ? w : null;
  };
  for (const level of [...LEVELS, 0])
    app.command({
      name: `ersc.${level}`,
      title: level ? `ERSC level ${level}` : "ERSC off",
      group: "ERSC",
      help: level
        ? "Switches the automated lanes to this level."
        : "Switches the automated lanes off; every car is checked out.",
      keys: level ? [`Alt+${level}`] : undefined,
      when: () => road() !== null,
      run: () => {
        const w = road();
        if (w) sendLevel(app, w, level);
      },
    });
  app.command({
    name: "check in",
    title: "Check the selected car in or out",
    group: "ERSC",
    help: "The ERSC takes the car over, or its driver does; a rejection says why.",
    keys: ["C"],
    when: () => target(app) !== null,
    run: () => {
      const t = target(app);
      if (!t) return;
      checkIn(app, t.world, t.vehicle.name, (statusOf(app.frame(t.world.world), t.vehicle) & CHECKED_IN) !== 0);
    },
  });
}
