// stepcheck.ts - is the simulation step small enough? The last seconds are simulated again with half
// the step, and the maximum difference of any car is shown.
//
// The run with half the step is a branch like any other, hidden while it runs and removed
// afterwards, unless the user keeps it.
import { fixed, stepText } from "../base/units.ts";
import type { Core } from "../core/core.ts";
import type { World } from "../wire/protocol.ts";

const SPAN = 60;
const CARS = 30;
const PATIENCE = 60000; // s of the run; cars that are compared; ms

export interface StepError {
  world: number;
  from: number;
  to: number;
  step: number;
  x: number;
  v: number;
  car: string;
  t: number;
}

// The maximum |difference| of two curves at the same times.
export function worst(t: (number | null)[], a: (number | null)[], b: (number | null)[]): { value: number; t: number } {
  let value = 0;
  let at = NaN;
  for (let k = 0; k < t.length; k++) {
    const p = a[k];
    const q = b[k];
    if (p === null || q === null || p === undefined || q === undefined) continue;
    const d = Math.abs(p - q);
    if (d > value) {
      value = d;
      at = t[k] ?? NaN;
    }
  }
  return { value, t: at };
}

function sizeText(m: number): string {
  if (m < 1e-9) return "0";
  return m < 1e-3
    ? `${Number((m * 1e6).toPrecision(2))} µm`
    : m < 1
      ? `${Number((m * 1e3).toPrecision(2))} mm`
      : `${Number(m.toPrecision(3))} m`;
}

export function startStepCheck(app: Core): void {
  let busy = false;
  app.command({
    name: "check step",
    title: "Check the simulation step",
    group: "Time",
    help: "Simulates the last minute again with half the step and shows the maximum difference of any car.",
    run: () => {
      const w = app.current();
      if (busy || !w) return;
      if (w.kind === "replay") return app.toast("A recording has no simulation step");
      if (app.readOnly) return app.toast("This page is read-only");
      if (w.end - w.start < 5 * w.step) return app.toast("Let it run for a second first");
      busy = true;
      void check(app, w)
        .catch((e: Error) => app.toast(e.message))
        .finally(() => {
          busy = false;
        });
    },
  });
}

async function check(app: Core, w: World): Promise<void> {
  const to = w.end;
  const half = w.step / 2;
  const from = Math.max(w.start, w.fork > w.start ? w.fork : w.start, to - SPAN, await sinceStep(app, w));
  const made = await app.ask("step", { world: w.world, at: from, step: half });
  const n = made.world;
  if (!made.branched) throw new Error("The step changed at the live end instead of in a branch");
  app.worldList.hidden.add(n);
  app.emit("worlds");
  await simulated(app, n, to);
  const e = await compare(app, w, n, from, to);
  Object.assign(app, { stepError: e }); // for tests and the console
  const words =
    e.x > 0
      ? `Half the step (${stepText(half)}) moves no car by more than ${sizeText(e.x)} and ${Number(e.v.toPrecision(2))} m/s: ${e.car}, at ${fixed(e.t, 2)} s of ${fixed(from, 1)} to ${fixed(to, 1)} s`
      : `Half the step (${stepText(half)}) changes nothing`;
  await app.ask("undo", {}).catch(() => undefined);
  if (app.world(n)) await app.ask("worlds", { op: "remove", world: n }).catch(() => undefined);
  app.toast(words, {
    label: "Keep it beside",
    run: () => void app.change("step", { world: w.world, at: from, step: half }).catch(() => undefined),
  });
  app.speak(words);
}

// When its step was changed last: a branch repeats later commands, and with them the whole step.
async function sinceStep(app: Core, w: World): Promise<number> {
  const log = await app.ask("log", { world: w.world });
  const changes = (log.entries as { t: number; event: string; param: string }[]).filter(
    (e) => e.event !== "set" && /\bstep\b/.test(e.param),
  );
  return Math.max(w.start, ...changes.map((e) => e.t));
}

async function simulated(app: Core, n: number, to: number): Promise<void> {
  let end = -Infinity;
  for (
    let until = performance.now() + PATIENCE;
    performance.now() < until;
    await new Promise((go) => setTimeout(go, 50))
  ) {
    const w = app.world(n);
    if (w && (w.end >= to - 1e-6 || w.state !== "running")) return;
    if (w && w.end > end) until = performance.now() + PATIENCE; // it is getting on
    end = w?.end ?? end;
  }
  throw new Error("The run with half the step made no progress and was stopped");
}

async function compare(app: Core, w: World, n: number, from: number, to: number): Promise<StepError> {
  const every = Math.ceil(w.vehicles.length / CARS);
  const names = w.vehicles.filter((_, k) => k % every === 0 || k === w.vehicles.length - 1).map((v) => v.name);
  const out: StepError = { world: n, from, to, step: w.step / 2, x: 0, v: 0, car: "", t: NaN };
  for (let k = 0; k < names.length; k += 10) {
    const some = names.slice(k, k + 10);
    const a = await app.ask("series", {
      worlds: [w.world, n],
      vehicles: some,
      fields: ["x", "v"],
      from,
      to,
      points: 8000,
    });
    for (const name of some) {
      const of = (world: number, field: string): (number | null)[] => a.values[`${world}/${name}/${field}`] ?? [];
      const x = worst(a.t, of(w.world, "x"), of(n, "x"));
      const v = worst(a.t, of(w.world, "v"), of(n, "v"));
      if (x.value > out.x) {
        out.x = x.value;
        out.car = name;
        out.t = x.t;
      }
      out.v = Math.max(out.v, v.value);
    }
  }
  return out;
}
