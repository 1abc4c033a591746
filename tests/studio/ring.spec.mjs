// Between two recorded instants a value is interpolated, and its tag says so by a small ring.
import { assert, finish, root, test } from "./studio.mjs";

// Rings that are drawn: arcs of radius 1.8.
const rings = (s) =>
  s.app((a) => {
    let n = 0;
    const c = a.scene.canvas.getContext("2d");
    const old = c.arc;
    c.arc = function (x, y, r) {
      if (Math.abs(r - 1.8) < 1e-9) n++;
      return old.apply(this, arguments);
    };
    return new Promise((done) => {
      a.emit("layout");
      window.drawn(3).then(() => {
        c.arc = old;
        done(n);
      });
    });
  });

await test(
  "a tag has a ring between two recorded instants, and none on one",
  { scenario: "dynavis/demo4.dat", args: ["--with", `${root}/scenarios/dynavis/demo4.par`] },
  async (s) => {
    await s.rows(3);
    await s.page.keyboard.press("."); // a recorded instant
    await s.frames();
    const at = await s.app((a) => a.clock.t);
    const next = await s.app((a) => {
      const w = a.shown()[0].world;
      a.clock.step(1);
      const t = a.clock.t;
      a.clock.step(-1);
      return { t, w };
    });
    await s.frames();
    assert.ok(next.t > at + 1e-4, `${at} s, then ${next.t} s`);
    assert.equal(await rings(s), 0, "on a recorded instant");
    await s.app((a, t) => a.clock.seek(t), 0.5 * (at + next.t));
    await s.until((a, w) => a.frame(w).interpolated, "a frame between two", next.w);
    assert.ok((await rings(s)) > 0, "no ring between two");
  },
);

await finish();
