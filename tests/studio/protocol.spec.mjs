// Every kind of message of web/src/wire/protocol.ts, made by the real server: studio.mjs holds each to its description.
import { readFileSync } from "node:fs";
import { pushes, requests } from "./messages.mjs";
import { Studio, assert, finish, root, talks, test } from "./studio.mjs";

// What is asked, in this order, of the run of brake_loss.yaml with its collision. World 1 is the branch that `set` makes, 2
// that of `drive`, 3 that of `branch`.
const asked = [
  ["pages", {}],
  ["name", { name: "Ann" }],
  ["series", { worlds: [0], vehicles: ["car1"], fields: ["v", "spacing_error", "n"], from: 0, to: 20, points: 50 }],
  ["track", { world: 0, measure: "ttc", bins: 40 }],
  ["card", { world: 0, vehicle: "car2" }],
  ["card", { world: 0, vehicle: "leader", t: 5 }],
  ["pedals", { world: 0, vehicle: "car2" }],
  ["lateral", { world: 0, vehicle: "car2" }],
  ["lateral", { world: 0, vehicle: "leader", t: 5 }],
  ["string", { worlds: [0], controller: "follow", from: 0, to: 15 }],
  ["string", { worlds: [0], controller: "follow", try: { k: 0.5 } }],
  ["figures", { worlds: [0] }],
  ["spectrum", { worlds: [0], vehicle: "car1", field: "a", from: 0, to: 20 }],
  ["collision", { world: 0 }],
  ["collision", { world: 0, index: 0 }],
  ["identify", { params: { duration: 5 }, hands: [[0, -1, 0]] }],
  ["mileage", { worlds: [0] }],
  ["mechanism", { file: "models/pendulum.yaml", end: 1, rows: 10 }],
  ["modes", { file: "models/pendulum.yaml", mode: 1 }],
  ["sensitivity", { file: "models/pendulum.yaml", mode: 1 }],
  ["rest", { file: "models/quarter_car.yaml", hold: ["distance"] }],
  ["travel", { file: "models/four_bar.yaml", drive: "crank.angle", from: 0.5, to: 0.7 }],
  ["files", {}],
  ["preview", { file: "two_gains.yaml" }],
  ["export", { what: "scenario", world: 0 }],
  ["export", { what: "log", world: 0 }],
  ["law_check", { text: "k := 0.5 [1/s]\na = k*(v_front - v)" }],
  ["set", { world: 0, vehicle: "car4", param: "model.mass", value: 2000, at: 5 }],
  ["road", { world: 1, headway: 0.9 }],
  ["fault", { world: 1, vehicle: "car5", event: "push", value: 0.5, shape: "sine 0.2 Hz for 5 s" }],
  ["estimator", { world: 1, vehicle: "car5", estimator: "mass" }],
  ["lead", { world: 1, vehicle: "leader", platoon: 0 }],
  ["lane", { world: 1, vehicle: "car5", lane: 1 }],
  ["drive", { world: 0, vehicle: "leader", throttle: 0.2, brake: 0, steer: 0, at: 6 }], // answered when it branches
  ["car", { world: 1, op: "add", model: "town_car", controller: "follow", beside: "car5", where: "behind" }],
  ["car", { world: 1, op: "radio", controller: "follow", values: { delay: 0.1 } }],
  ["grades", { world: 1, grades: [{ from: 500, to: 900, grade: 0.02, transition: 50 }] }],
  ["law", { world: 1, controller: "follow", text: "k := 0.5 [1/s]\na = k*(v_front - v)" }],
  ["edit", { world: 1, edit: { road: { lanes: 2 } } }],
  ["step", { world: 1, step: 0.01 }],
  ["end", { world: 1, end: 45 }],
  ["row", { world: 1, row: 0.2 }],
  ["branch", { world: 0, at: 4, name: "Same" }],
  ["worlds", { op: "rename", world: 1, name: "Heavy" }],
  ["log", { world: 1 }],
  ["log_change", { world: 1, index: 1, value: 1.1 }],
  ["log_move", { world: 1, index: 1, t: 17 }],
  ["log_remove", { world: 1, index: 1 }],
  ["undo", {}],
  ["redo", {}],
  ["sweep", { world: 0, vary: ["follow.headway=0.8,1.2"], end: 3 }],
  ["sweep_open", { sweep: 1, i: [0] }],
  ["sweep_stop", { sweep: 1 }],
  ["worlds", { op: "remove", world: 3 }],
];
// And of scenarios with lanes, looks from files, and of a mechanism.
const lanes = {
  "ersc.yaml": [
    ["ersc", { level: 2 }],
    ["check_in", { vehicle: "ann" }],
    ["driver_lane", { vehicle: "ann", lane: 1 }],
    ["check_out", { vehicle: "dan" }],
    ["section", { lane: 3, from: 1000, to: 2000, speed: 20 }],
  ],
  "manoeuvres.yaml": [
    ["join", { vehicle: "behind", platoon: 1 }],
    ["split", { vehicle: "car3", gap: 50 }],
    ["merge", { vehicle: "car3" }],
    ["leave", { vehicle: "car2", lane: 2 }],
  ],
  "merge.yaml": [["plan", {}]],
  "looks.yaml": [["look", { model: "bus" }]],
  "wishbones.yaml": [["to_bench", { vehicle: "lumped" }]],
};
// What a page asks and tells by itself, at its start, while it draws, when it rests; and what is only told.
const own = ["hello", "subscribe", "time", "ack", "rows", "seek", "events", "release"];

// "" when it is done; else why it is not.
function ask(s, kind, args) {
  const wait = (a, [k, q]) =>
    Promise.race([
      a.ask(k, q).then(
        () => "",
        (e) => e.message,
      ),
      new Promise((late) => setTimeout(() => late("no answer within a minute"), 60000)),
    ]);
  return s.app(wait, [kind, args]);
}
const seen = (what) => talks.some((talk) => talk.seen.has(what));
async function heard(what) {
  for (const end = Date.now() + 60000; !seen(what) && Date.now() < end;) await new Promise((go) => setTimeout(go, 50));
}

await test(
  "every request is answered, and every push comes, as protocol.ts describes",
  { scenario: "brake_loss.yaml" },
  async (s) => {
    await s.app((a) => {
      a.clock.setRate(100);
      a.clock.goLive();
    });
    await s.until((a) => a.events(0).some((e) => e.type === "collision"), "the collision", null, 30000);
    const other = await Studio.open(s.server);
    await other.app((a) => a.ask("follow", { page: 1 }));
    for (const [kind, args] of asked) {
      const rejection = await ask(s, kind, args);
      assert.equal(rejection, "", `${kind} ${JSON.stringify(args)}`);
      if (kind === "sweep") await heard("cells");
    }
    await s.app((a) => a.tell("release", { world: 2, vehicle: "leader" }));
    await s.app((a) => a.clock.seek(3));
    await s.app((a) => a.ask("open", { file: "two_gains.yaml" }));
    await heard("reset");
    await s.app((a) => a.clock.play(false)); // what is asked depends on where the cars are
    for (const [file, questions] of Object.entries(lanes)) {
      const before = await s.app((a) => Math.max(...a.worlds.map((w) => w.world)));
      await s.app((a, f) => a.ask("open", { file: f }), file);
      await s.until((a, b) => a.worlds.length === 1 && a.worlds[0].world > b, `${file} to be open`, before);
      const world = await s.app((a) => a.worlds[0].world);
      for (const [kind, args] of questions)
        assert.equal(await ask(s, kind, { ...args, world }), "", `${kind} ${JSON.stringify(args)}`);
    }
    const { world } = await s.app((a) => a.ask("open", { file: "models/pendulum.yaml" }));
    assert.equal(await ask(s, "mechanism_change", { world, at: 0.5, values: { length: 1.2 } }), "");
    const text = readFileSync(`${root}/concepts/four_springs.yaml`, "utf8");
    const concept = (await s.app((a, q) => a.ask("open", { text: q, name: "four_springs.yaml" }), text)).world;
    const edit = [{ path: "name", value: "other" }];
    assert.equal(await ask(s, "concept", { world: concept, changes: edit }), "");
    assert.equal(await ask(s, "concept_change", { world: concept, changes: edit, again: true }), "");
    assert.equal(await ask(s, "analyse", { world: concept, name: "modes" }), "");
    assert.equal(await ask(s, "analyses", {}), "");
    const pickup = readFileSync(`${root}/concepts/pickup.yaml`, "utf8");
    assert.equal(await ask(s, "concept_rig", { text: pickup, axle: "rear", rows: 5 }), "");
    await other.page.context().close();
    const missing = Object.keys(requests).filter((kind) => !own.includes(kind) && !seen(`done of ${kind}`));
    assert.deepEqual(missing, [], "requests without an answer here");
    // A rejection or a branch for a message without an id needs a drive that fails; bye needs the server to stop.
    const silent = Object.keys(pushes).filter((kind) => !["refused", "done", "bye"].includes(kind) && !seen(kind));
    assert.deepEqual(silent, [], "pushes that did not come");
  },
);
await test.core("a message that is not as described is found", { scenario: "two_gains.yaml" }, async (s) => {
  await s.live(0.5);
  assert.deepEqual(
    talks.flatMap((talk) => talk.wrong),
    [],
  );
  const say = (text) => {
    talks[0].received(text);
    return talks[0].wrong.splice(0).join("; ");
  };
  assert.equal(say('{"kind": "gone", "world": 1}'), "");
  assert.match(say('{"kind": "gone"}'), /gone: world is missing/);
  assert.match(say('{"kind": "gone", "world": "1"}'), /gone: world is "1", expected number/);
  assert.match(say('{"kind": "gone", "world": 1, "why": ""}'), /gone: why is not described/);
  assert.match(say('{"kind": "went", "world": 1}'), /went: it is not described/);
  assert.match(
    say('{"kind": "events", "world": 0, "events": [{"t": 1, "type": "rain"}]}'),
    /events\[0\].type is "rain"/,
  );
});

await finish();
