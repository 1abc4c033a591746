// The Log card: commands of all pages with time and author, changed and removed where they stand.
import { Studio, assert, finish, test } from "./studio.mjs";

const two = { scenario: "two_gains.yaml" };
const add = async (s) => {
  await s.page.getByRole("button", { name: "Add an instrument" }).click();
  await s.page.getByRole("menuitem", { name: "Log" }).click();
  await s.page.locator(".lg-box").waitFor();
};
const rows = (s) => s.page.locator(".lg-table tbody tr");
const gain = (s) => s.app((a) => a.world(0).controllers.find((c) => c.name === "follow").gains.k3);

await test("commands of two pages stand in the log with time and author; changed and removed there", two, async (s) => {
  await s.runTo(4);
  await add(s);
  await s.sees(async () => assert.match(await s.page.locator(".lg-box").innerText(), /No commands yet/));
  const other = await Studio.open(s.server);
  await other.app((a) => a.ask("name", { name: "Ben" }));
  await other.app((a) => a.ask("set", { world: 0, controller: "follow", param: "k3", value: 2 }));
  await s.runTo(9);
  await s.app((a) => a.ask("set", { world: 0, vehicle: "car3", param: "model.mass", value: 2000 }));
  await s.runTo(14);
  await s.until(() => document.querySelectorAll(".lg-table tbody tr").length === 2, "two entries");
  await s.sees(async () => {
    const text = await rows(s).allInnerTexts();
    assert.match(text[0], /k3[\s\S]*2[\s\S]*Ben/);
    assert.match(text[1], /car3[\s\S]*mass[\s\S]*2000[\s\S]*kg/);
  });
  await other.page.context().close();

  const t = await s.app((a) => a.events(0).find((e) => e.type === "command").t);
  await rows(s).nth(0).getByRole("button", { name: /Go to/ }).click();
  await s.until((a, at) => Math.abs(a.clock.t - at) < 1e-6, `the playhead at ${t} s`, t);
  await rows(s).nth(0).locator("button[title^=Change]").click();
  await s.page.locator(".lg-value").fill("3.5");
  await s.page.keyboard.press("Enter");
  await s.until(
    (a) => a.world(0).controllers.find((c) => c.name === "follow").gains.k3 === 3.5,
    "the world with the other value",
  );
  await s.until(() => /3\.5/.test(document.querySelector(".lg-table").textContent), "the new value in the log");
  await rows(s)
    .nth(0)
    .getByRole("button", { name: /Remove/ })
    .click();
  await s.until(() => document.querySelectorAll(".lg-table tbody tr").length === 1, "one entry left");
  await s.until(
    (a) => a.world(0).controllers.find((c) => c.name === "follow").gains.k3 === 4,
    "the gain of the scenario",
  );
  await s.page.locator(".toast", { hasText: "Removed" }).getByRole("button", { name: "Undo" }).click();
  await s.until((a) => a.world(0).controllers.find((c) => c.name === "follow").gains.k3 === 3.5, "it again");
  assert.equal(await gain(s), 3.5);
});

await test("events are a level of it; a branch adds its own entries, not its parent's again", two, async (s) => {
  await s.runTo(5);
  await s.app((a) => a.ask("set", { world: 0, controller: "follow", param: "k1", value: 0.9 }));
  const end = await s.app((a) => a.clock.end); // the run is fast: it may be well beyond 5 s
  await s.runTo(end + 15);
  await add(s);
  await s.seek(end + 8);
  await s.app((a) => a.change("set", { world: 0, controller: "follow", param: "k3", value: 1.6 }));
  await s.until((a) => a.worlds.length === 2, "the branch");
  await s.until(() => document.querySelectorAll(".lg-table tbody tr").length === 2, "two entries");
  await s.sees(async () => assert.deepEqual(await s.page.locator(".lg-table .badge").allInnerTexts(), ["A", "B"]));
  await s.page.getByLabel("What the log shows").selectOption("events");
  await s.until(() => /brakes/.test(document.querySelector(".lg-table")?.textContent ?? ""), "brakes in the log");
  const brake = await s.app((a) => a.events(0).find((e) => e.type === "brake"));
  await s.page
    .locator(".lg-table tr", { hasText: brake.text.replace("^2", "²") })
    .first()
    .getByRole("button", { name: /Go to/ })
    .click();
  await s.until(
    (a, e) => Math.abs(a.clock.t - e.t) < 1e-6 && a.selection.vehicle === e.vehicle,
    "its instant and its car",
    brake,
  );
});

await finish();
