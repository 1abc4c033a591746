// pictures.mjs - the pictures of docs/studio: two sizes, light and dark; lanes on a telephone, too.
//
//     node tests/studio/pictures.mjs FOLDER [SCENE...]
//
// The scenes are made as a person would make them, on the shipped files. 3-D is drawn as a graphics card would: at the
// highest quality and with twice the points, which a processor takes some seconds for.
import { mkdirSync } from "node:fs";
import { finish, root, test } from "./studio.mjs";

const [folder = "docs/studio", ...named] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });

async function setGain(s, name, value) {
  const field = s.page.locator(`.fo-field[data-param="${name}"] .fo-number`).first();
  await field.fill(String(value));
  await field.press("Enter");
}
async function branched(s) {
  await s.until(
    (a) => a.worlds.length === 2 && a.worlds[1].end >= a.worlds[0].end - 0.1,
    "the branch at the live end",
    null,
    60000,
  );
}
const models = { args: ["--folder", `${root}/models`, "--folder", `${root}/concepts`] };
// The 3-D view in full, with the camera where it goes.
async function space(s, camera) {
  await s.app((a) => a.layout.set({ view: "3d" }));
  await s.until((a) => a.space && a.space.script > 0 && !a.space.fleet.building, "the vehicles", null, 120000);
  await s.app((a, c) => {
    a.space.setQuality(3);
    a.space.setCamera(c);
  }, camera);
  await s.until((a) => !a.space.camera.moving, "the camera", null, 120000);
  await s.frames();
}
async function bench(s) {
  await s.until((a) => a.benchPart?.run && a.benchPart.stage?.calls > 0, "the mechanism", null, 60000);
  await s.app((a) => {
    a.clock.play(false);
    a.benchPart.stage.setQuality(3);
  });
}
const scenes = {
  platoon: {
    scenario: "motorway.yaml",
    sharp: true,
    two: true,
    async make(s) {
      await s.runTo(3);
      await s.seek(2);
      await s.app((a) => a.select(0, "B1"));
      await space(s, "platoon");
    },
  },
  bench: {
    scenario: `${root}/models/hmmwv_loops.yaml`,
    sharp: true,
    two: true,
    ...models,
    async make(s) {
      await bench(s);
      // It stands: begins there, and is asked for its wheel loads.
      await s.page.getByRole("button", { name: "Equilibrium" }).click();
      await s.page.getByRole("button", { name: "Start from it" }).click();
      await s.until((a) => a.worlds.length === 2 && a.benchPart.run.world === a.worlds[1].world, "it", null, 60000);
      await s.app((a) => a.clock.seek(0));
      await s.page.getByRole("button", { name: "Equilibrium" }).click();
      await s.until((a) => a.benchPart.restLoads.length === 4, "its wheel loads", null, 60000);
      await s.page.getByRole("button", { name: "Run", exact: true }).click();
      await s.app((a) => a.benchPart.choose({ kind: "joint", name: "lower_fr" }));
      await s.page.waitForTimeout(3000);
    },
  },
  mode: {
    scenario: `${root}/models/iltis.yaml`,
    sharp: true,
    two: true,
    ...models,
    async make(s) {
      await bench(s);
      await s.until((a) => a.benchPart.modesOf(a.benchPart.world()), "the modes", null, 60000);
      await s.app(async (a) => {
        const b = a.benchPart;
        const all = b.modesOf(b.world()).modes.filter((m) => m.imaginary > 0 && m.frequency > 1);
        b.amplitude = 0.5;
        await b.showMode(all.sort((p, q) => p.frequency - q.frequency)[1].number);
        b.modeMoves = false;
        a.touch();
      });
      await s.page.waitForTimeout(3000);
    },
  },
  concept: {
    scenario: `${root}/concepts/truck_11t.yaml`,
    sharp: true,
    two: true,
    ...models,
    async make(s) {
      await bench(s);
      await s.until((a) => a.benchPart.concept.answer, "the concept", null, 60000);
      await s.page.waitForTimeout(6000);
    },
  },
  main: {
    scenario: "two_gains.yaml",
    async make(s) {
      await s.runTo(60);
      await s.seek(47);
      await s.app((a) => a.select(0, "car5"));
    },
  },
  comparison: {
    scenario: "two_gains.yaml",
    async make(s) {
      await s.runTo(84);
      await s.seek(38);
      await setGain(s, "k3", 1.6);
      await branched(s);
      await s.seek(66.3);
      await s.app((a) => a.select(1, "car5"));
      await s.page.waitForTimeout(2500);
    },
  },
  collision: {
    scenario: "demo.yaml",
    sharp: true,
    async make(s) {
      await s.app((a) => {
        a.clock.setRate(100);
        a.clock.goLive();
      });
      await s.until((a) => a.events(0).some((e) => e.type === "collision"), "the collision", null, 120000);
      await s.app((a) => {
        a.clock.setRate(1);
        a.clock.play(false);
      });
      const t = await s.app((a) => a.events(0).find((e) => e.type === "collision").t);
      await s.seek(t + 0.03);
      await space(s, "contact");
      await s.page.waitForTimeout(4000);
    },
  },
  identification: {
    scenario: "two_gains.yaml",
    async make(s) {
      await s.page.locator("nav.rail").getByText("Identify", { exact: true }).click();
      await s.page.waitForTimeout(12000);
    },
  },
  mileage: {
    scenario: "mileage_moderate.yaml",
    async make(s) {
      await s.runTo(150);
      await s.seek(140);
      await s.page.locator("nav.rail").getByText("Mileage", { exact: true }).click();
      await s.page.waitForTimeout(2500);
    },
  },
  lanes: {
    scenario: "merge.yaml",
    phone: true,
    async make(s) {
      await s.runTo(30);
      await s.seek(21.5);
      await s.until((a) => a.scene.strips[0].curved, "the plan of the road");
      await s.app((a) => {
        a.select(0, "guest");
        a.scene.setReference("road", 0);
        a.scene.view.show(0, 690, 850);
      });
      await s.page.waitForTimeout(2500);
    },
  },
  hill: {
    scenario: "two_gains.yaml",
    async make(s) {
      await s.runTo(70);
      await s.seek(62);
      await s.page.locator("nav.rail").getByText("Road", { exact: true }).click();
      await s.page.waitForTimeout(1000);
    },
  },
};

for (const [name, scene] of Object.entries(scenes))
  for (const [width, height] of [[1440, 900], [1280, 720], ...(scene.phone ? [[390, 844]] : [])])
    for (const theme of ["light", "dark"]) {
      if (scene.two && (width === 1440) !== (theme === "light")) continue; // 1440 light, 1280 dark
      const file = `${folder}/${name}-${width}-${theme}.png`;
      if (named.length && !named.some((w) => file.includes(w))) continue;
      const { scenario, args, sharp } = scene;
      const context = sharp ? { deviceScaleFactor: 2 } : {};
      await test(file, { scenario, args, width, height, theme, context, patience: 60000 }, async (s) => {
        await scene.make(s);
        await s.page.evaluate(() => document.querySelectorAll(".toast").forEach((toast) => toast.remove()));
        await s.page.waitForTimeout(1000);
        await s.page.screenshot({ path: file, scale: "css", timeout: 300000 });
      });
    }
await finish();
