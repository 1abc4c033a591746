// inspect.mjs - words for tests of the right column: choose a car, type into a field, read its card.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { root } from "./studio.mjs";

const program = process.env.MOTORCADE ?? `${root}/build/motorcade`;

// Chooses a car by its row of the cars table, a tab by its name.
export async function choose(s, car, tab) {
  await s.app((a, car) => a.select(a.shown()[0].world, car), car);
  await s.page.getByRole("tab", { name: tab, exact: true }).click();
  await s.page.locator("#in-panel .fo-field, #in-panel .in-table, #in-panel p").first().waitFor();
}
// Types a value into a field as a person does.
export async function type(field, text) {
  const box = field.locator("input.fo-number");
  await box.click();
  await box.fill(text);
  await box.press("Enter");
}
export async function card(s, car, group, param, world = 0) {
  const a = await s.ask("card", { world, vehicle: car });
  return a.groups.find((g) => g.group === group)?.rows.find((r) => r.name === param)?.value;
}
// Maximum difference of a field of a car between two worlds.
export async function difference(s, worlds, car, field, from, to) {
  const a = await s.ask("series", { worlds, vehicles: [car], fields: [field], from, to, points: 200 });
  const [p, q] = worlds.map((w) => a.values[`${w}/${car}/${field}`]);
  return Math.max(...p.map((v, i) => Math.abs((v ?? 0) - (q[i] ?? 0))));
}

// The run of a world repeated by the program alone: its scenario with the log the studio exports.
// Returns the maximum difference of speed of all cars at the world's end, m/s.
export async function replayed(s, world, scenario) {
  const folder = mkdtempSync(`${tmpdir()}/motorcade-replay-`);
  await s.rest();
  const end = await s.app((a, w) => a.world(w).end, world);
  await s.seek(end);
  const cars = await s.app((a, w) => {
    const f = a.frame(w);
    return a.world(w).vehicles.map((v) => ({ name: v.name, x: f.x[f.index(v.id)], v: f.field("v")[f.index(v.id)] }));
  }, world);
  writeFileSync(`${folder}/log.csv`, (await s.ask("export", { what: "log", world })).text);
  try {
    execFileSync(
      program,
      [
        "run",
        scenario.startsWith("/") ? scenario : `${root}/scenarios/${scenario}`,
        "--replay-log",
        `${folder}/log.csv`,
        "--end",
        String(end),
        "--csv",
        `${folder}/rows`,
        "-q",
      ],
      { cwd: folder },
    );
  } catch (e) {
    if (e.status !== 3) throw e;
  } // 3: what the scenario expects of an undisturbed run fails
  let worst = 0;
  let compared = 0;
  for (const car of cars) {
    const file = readdirSync(`${folder}/rows`).find((f) => f === `${car.name}.csv` || f.endsWith(`-${car.name}.csv`));
    if (!file) continue; // a car that came later
    compared++;
    const lines = readFileSync(`${folder}/rows/${file}`, "utf8")
      .trim()
      .split("\n")
      .filter((l) => !l.startsWith("#"));
    const names = lines[0].split(",").map((n) => n.trim().replace(/ .*/, ""));
    const last = lines[lines.length - 1].split(",").map(Number);
    const at = (n) => last[names.indexOf(n)];
    if (Math.abs(at("t") - end) > 0.011) throw new Error(`${file} ends at ${at("t")} s, not at ${end} s`);
    worst = Math.max(worst, Math.abs(at("v") - car.v));
  }
  if (compared < 2) throw new Error("nothing to compare");
  rmSync(folder, { recursive: true, force: true });
  return worst;
}
