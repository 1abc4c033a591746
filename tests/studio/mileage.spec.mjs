// The mileage bench: needles, averages and fuel are those of the run.
import { assert, finish, test } from "./studio.mjs";

const heavy = { scenario: "mileage_heavy.yaml" };
const open = (s) => s.page.getByRole("button", { name: "Mileage" }).click();
const label = (s) => s.page.locator(".mi-dials canvas").getAttribute("aria-label");
const means = (text) =>
  [...text.matchAll(/A (\w+) ([\d.]+|–) (mpg|L\/100 km|g\/km)/g)].map((m) => ({
    name: m[1],
    value: Number(m[2]),
    unit: m[3],
  }));
const read = (s, unit = "mpg") =>
  s.sees(async () => {
    const got = means(await label(s));
    assert.ok(got.length === 2 && got.every((g) => g.value === g.value && g.unit === unit), await label(s));
    return got;
  });

await test("the large dial is the mean of the cars' mileages in the frame", heavy, async (s) => {
  await s.runTo(60);
  await s.seek(50);
  await open(s);
  const want = await s.app((a) =>
    ["eager", "calm"].map((name) => {
      const f = a.frame(0);
      const m = f.field("mileage");
      const cars = a.world(0).vehicles.filter((v) => v.controller === name);
      return cars.reduce((p, v) => p + m[f.index(v.id)], 0) / cars.length;
    }),
  );
  await s.sees(async () => {
    const got = await read(s);
    assert.deepEqual(
      got.map((g) => g.name),
      ["eager", "calm"],
    );
    for (const [k, g] of got.entries())
      assert.ok(Math.abs(g.value - want[k]) < 0.02, `${g.name}: ${g.value} against ${want[k]} mpg`);
  });
});

await test("mpg, L/100 km and g/km are the same mileage", heavy, async (s) => {
  await s.runTo(60);
  await s.seek(50);
  await open(s);
  const [mpg] = await read(s);
  await s.page.getByRole("button", { name: "L/100 km" }).click();
  const [litres] = await read(s, "L/100 km");
  assert.ok(Math.abs(litres.value - 235.214583 / mpg.value) < 0.02, `${litres.value} from ${mpg.value}`);
  await s.page.getByRole("button", { name: "g/km" }).click();
  const [grams] = await read(s, "g/km");
  assert.ok(Math.abs(grams.value - litres.value * 7.45) < 0.1, `${grams.value} from ${litres.value}`);
});

await test("fuel burnt is the sum over the followers, and the platoon that uses less is marked", heavy, async (s) => {
  await s.runTo(70);
  await s.seek(60);
  await open(s);
  const want = await s.app((a) =>
    ["eager", "calm"].map((name) => {
      const f = a.frame(0);
      const m = f.field("fuel");
      return a
        .world(0)
        .vehicles.filter((v) => v.controller === name)
        .reduce((p, v) => p + 1e3 * m[f.index(v.id)], 0);
    }),
  );
  await s.sees(async () => {
    const rows = await s.page.locator(".mi-table tbody tr").allInnerTexts();
    assert.equal(rows.length, 2);
    for (const [k, r] of rows.entries()) {
      const fuel = Number(/([\d.]+)\s+(?:–|\+[\d.]+ %)$/.exec(r.trim())?.[1]);
      assert.ok(Math.abs(fuel - want[k]) < 0.012 * want[k], `${r} against ${want[k]} g`);
    }
    assert.ok(
      want[1] < want[0] && /▼/.test(rows[1]) && !/▼/.test(rows[0]),
      "the mark is not at the platoon that burnt less",
    );
  });
});

await test("another window changes the mileage as eq (13) says", heavy, async (s) => {
  await s.runTo(80);
  await s.seek(75);
  await open(s);
  const field = s.page.getByRole("textbox", { name: /^T0, / });
  await field.fill("10");
  await field.press("Enter");
  // The same recursion by hand, every 0.5 s from the start.
  const want = await s.app(async (a) => {
    const cars = a
      .world(0)
      .vehicles.filter((v) => v.controller === "calm")
      .map((v) => v.name);
    const r = await a.ask("series", {
      worlds: [0],
      vehicles: cars,
      fields: ["x", "fuel"],
      from: 0,
      to: 75,
      points: 2000,
    });
    const at = (y, t) => {
      let k = 0;
      while (k + 2 < r.t.length && r.t[k + 1] < t) k++;
      return y[k] + ((y[k + 1] - y[k]) * (t - r.t[k])) / (r.t[k + 1] - r.t[k]);
    };
    return (
      cars
        .map((n) => {
          const x = r.values[`0/${n}/x`];
          const f = r.values[`0/${n}/fuel`];
          let gm = 10;
          for (let k = 1; k <= 150; k++) {
            const k0 = Math.max(0, Math.ceil(((k - 1) * 0.5) / 10) - 1);
            const t0 = 10 * k0;
            const gallons = (at(f, 0.5 * k) - at(f, t0)) / 0.745 / 3.785411784;
            if (gallons >= 1e-3) gm = 0.95 * gm + (0.05 * (at(x, 0.5 * k) - at(x, t0))) / 1609.344 / gallons;
          }
          return gm;
        })
        .reduce((p, q) => p + q, 0) / cars.length
    );
  });
  await s.sees(async () => {
    const got = await read(s);
    assert.ok(Math.abs(got[1].value - want) < 0.3, `${got[1].value} against ${want} mpg`);
  });
});

await test("traffic and hysteresis are changed in the run", heavy, async (s) => {
  await s.live(1);
  await open(s);
  await s.page.getByRole("button", { name: "light", exact: true }).click();
  await s.until(
    (a) =>
      a
        .shown()
        .at(-1)
        .vehicles.filter((v) => v.leader)
        .every((v) => v.profile === "light"),
    "the profile of both leaders",
  );
  const field = s.page.getByRole("textbox", { name: /^A eager, / });
  // The form is rebuilt meanwhile, and may lose what is typed.
  await s.sees(async () => {
    await field.fill("0.3");
    await field.press("Enter");
    const value = await s.app(async (a) => {
      const w = a.shown().at(-1).world;
      const card = await a.ask("card", { world: w, vehicle: "eager1" });
      return card.groups.flatMap((g) => g.rows).find((r) => r.name === "hysteresis" || r.name.endsWith(".hysteresis"))
        ?.value;
    });
    assert.ok(Math.abs(value - 0.3) < 1e-9, `hysteresis is ${value}`);
  });
});

await test("a run without fuel offers those that have it", { scenario: "demo2.yaml" }, async (s) => {
  await s.live(1);
  await open(s);
  const burns = await s.app((a) => {
    const m = a.frame(0).field("mileage");
    return [...m].some((v) => v === v);
  });
  if (burns) return; // its cars have engines
  await s.page.locator(".mi-missing").getByRole("button", { name: "heavy" }).click();
  await s.until((a) => /mileage_heavy/.test(a.file), "the other run");
});

await finish();
