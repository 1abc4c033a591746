// stands3d.spec.mjs - multibody cars in the scene graph: heave, pitch, roll and the wheels are those of the state.
import { assert, finish, test } from "./studio.mjs";

const LIFT = 0; // of the numbers of a wheel (wire/blocks.ts)
const KINDS = ["sedan", "compact", "van", "pickup", "offroader", "truck", "trailer"];

// Pose of the body next to the car in the scene graph, and its wheels' heights over the road.
const drawn = (s, id) =>
  s.app(
    (a, q) => {
      const p = a.space;
      p.draw();
      const f = a.frame(0);
      const car = f.index(q.id);
      const [x, y] = [f.x[car] - p.origin, f.field("y")[car]];
      for (const name of q.kinds)
        for (const level of [0, 1]) {
          const near = p.fleet.instances(name, level);
          for (let n = 0; near && n < near.count; n++) {
            const m = near.matrix.subarray(16 * n, 16 * n + 16);
            if (Math.hypot(m[12] - x, m[13] - y) > 1) continue;
            const size = (k) => Math.hypot(m[4 * k], m[4 * k + 1], m[4 * k + 2]);
            const axis = [0, 1, 2].map((k) => m[4 * k + 2] / size(k));
            const middle = a.worlds[0].vehicles.find((v) => v.id === q.id).height / 2;
            const w = p.fleet.instances(name, "wheels");
            const wheels = [];
            for (let k = 0; k < w.count; k++) {
              const at = w.matrix.subarray(16 * k, 16 * k + 16);
              if (Math.hypot(at[12] - x, at[13] - y) < 3) wheels.push(at[14]);
            }
            const kind = p.fleet.kind(name);
            return {
              pitch: Math.asin(-axis[0]),
              roll: Math.atan2(axis[1], axis[2]),
              heave: m[14] - middle + middle * axis[2],
              wheels,
              radius: kind.wheel.r * size(2),
              stand: {
                ...f.stands.find((o) => o.id === q.id),
                wheels: [...f.stands.find((o) => o.id === q.id).wheels],
              },
            };
          }
        }
      return null;
    },
    { id, kinds: KINDS },
  );

await test(
  "a multibody car heaves, pitches and rolls in the picture as its state says",
  { scenario: "wishbones.yaml", args: ["--paused"] },
  async (s) => {
    await s.app((a) => a.layout.set({ view: "3d" }));
    await s.until((a) => a.space && a.space.script > 0, "the 3-D view", undefined, 30000);
    await s.runTo(4);
    const id = await s.app((a) => {
      a.select(0, "wishbones");
      a.space.setCamera("chase");
      return a.worlds[0].vehicles.find((v) => v.name === "wishbones").id;
    });
    let leant = 0;
    let near = 0;
    for (const t of [0.6, 2, 3.6]) {
      await s.seek(t);
      await s.until((a) => !a.space.camera.moving, "the camera");
      const { channels } = await s.ask("card", { world: 0, vehicle: "wishbones", t });
      const is = (name) => channels.find((c) => c.name === name).value;
      const seen = await drawn(s, id);
      assert.ok(seen, `no body at ${t} s`);
      for (const what of ["pitch", "roll"])
        assert.ok(Math.abs(seen[what] - is(what)) < 1e-6, `${what} at ${t} s: ${seen[what]}, state ${is(what)}`);
      assert.ok(Math.abs(seen.heave - seen.stand.heave) < 1e-6, `heave ${seen.heave} ${seen.stand.heave}`);
      // Wheels are round and stand on the road, pressed in by what the state says.
      if (seen.wheels.length === 4)
        seen.wheels.forEach((z, k) => {
          const lift = seen.stand.wheels[(seen.stand.wheels.length / 4) * k + LIFT];
          assert.ok(Math.abs(z - seen.radius - lift) < 1e-6, `wheel ${k} at ${z}, state ${seen.radius + lift}`);
          near++;
        });
      leant = Math.max(leant, Math.abs(is("roll")), Math.abs(is("pitch")));
    }
    assert.ok(leant > 3e-3 && near >= 4, `it leans by ${leant}, ${near} wheels`);
  },
);

await finish();
