// pictures.mjs - the pictures of docs/studio: seven scenes, two sizes, light and dark; lanes on a telephone, too.
//
//     node tests/studio/pictures.mjs FOLDER [SCENE...]
//
// The scenes are made as a person would make them, on the shipped scenarios.
import { mkdirSync } from "node:fs";
import { finish, test } from "./studio.mjs";

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
const scenes = {
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
      await s.page.keyboard.press("t");
      await s.page.waitForTimeout(2000);
      await s.app((a) => a.run("camera_contact"));
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
      const file = `${folder}/${name}-${width}-${theme}.png`;
      if (named.length && !named.some((w) => file.includes(w))) continue;
      await test(file, { scenario: scene.scenario, width, height, theme }, async (s) => {
        await scene.make(s);
        await s.page.evaluate(() => document.querySelectorAll(".toast").forEach((toast) => toast.remove()));
        await s.page.waitForTimeout(1000);
        await s.shot(file);
      });
    }
await finish();
