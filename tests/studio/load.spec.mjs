// The page under load: what is drawn, and that all script of a frame stays within what a slow machine
// does in a frame of 30 per second. load.mjs measures.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { assert, finish, test } from "./studio.mjs";
import { quantile, scenario, watch } from "./trace.mjs";

const folder = mkdtempSync(`${tmpdir()}/motorcade-load-`);
const GOAL = 33; // ms of processor time per frame, median
for (const cars of [300, 10000]) {
  writeFileSync(`${folder}/${cars}.yaml`, scenario(cars));
  await test(
    `${cars} cars: the page's script takes at most ${GOAL} ms per frame, in 2-D and in 3-D`,
    { scenario: `${folder}/${cars}.yaml`, patience: 300000 },
    async (s) => {
      for (const view of ["road", "all", "3d"]) {
        const { frames } = await watch(s, view, 4);
        const drawn = await s.app((a, v) => (v === "3d" ? a.space.fleet.drawn : a.scene.strips[0].visible), view);
        const cpu = quantile(
          frames.map((f) => f.cpu),
          0.5,
        );
        assert.ok(frames.length > 10, `${view}: only ${frames.length} frames`);
        assert.ok(view === "all" ? drawn === cars : drawn > (view === "3d" ? 80 : 2), `${view}: ${drawn} cars drawn`);
        assert.ok(cpu > 0.05, `${view}: ${cpu} ms: the browser reports no processor times`);
        assert.ok(cpu <= GOAL, `${view}: ${cpu.toFixed(1)} ms per frame`);
      }
    },
  );
}
rmSync(folder, { recursive: true, force: true });
await finish();
