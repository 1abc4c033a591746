// The folders of src against the table in README.md, and the checker against planted breaches.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { breaches, readImports, readSources, readTable } from "../scripts/layers.mjs";

test("modules import only what the table of README.md allows, and none imports itself through others", () => {
  const table = readTable(readFileSync("README.md", "utf8"));
  const sources = readSources("src");
  assert.ok(
    Object.keys(table).length > 10 && Object.keys(sources).length > 100,
    "the table or the sources were not read",
  );
  assert.deepEqual(breaches(table, readImports(sources)), []);
});

const table = () => ({ low: [], high: ["low"] });
const sources = () => ({
  "low/a.ts": 'import { x } from "./b.ts";\n',
  "low/b.ts": "export const x = 1;\n",
  "high/c.ts": 'import type { X } from "../low/a.ts";\nimport "./c.css";\nconst d = await import("./d.ts");\n',
  "high/d.ts": 'import {\n  x,\n} from "../low/b.ts";\nimport uPlot from "uplot";\n',
});
const found = (t, s) => breaches(t, readImports(s)).join("; ");

test("a sound tree has no breach", () => assert.equal(found(table(), sources()), ""));
test("planted breaches are found", () => {
  const planted = (path, line) => found(table(), { ...sources(), [path]: sources()[path] + line });
  assert.match(
    planted("low/b.ts", 'import { d } from "../high/d.ts";\n'),
    /low\/b.ts imports high\/d.ts: low may not use high/,
  );
  assert.match(
    planted("low/b.ts", 'import type { A } from "./a.ts";\n'),
    /low\/a.ts imports low\/b.ts imports low\/a.ts/,
  );
  assert.match(
    planted("high/d.ts", 'export { c } from "./c.ts";\n'),
    /high\/c.ts imports high\/d.ts imports high\/c.ts/,
  );
  assert.match(planted("low/a.ts", 'import { n } from "./none.ts";\n'), /low\/none.ts, which does not exist/);
  assert.match(
    found({ ...table(), other: [] }, { ...sources(), "odd/e.ts": "" }),
    /odd\/e.ts: the table has no row for odd/,
  );
  assert.match(found({ low: ["high"], high: ["low"] }, sources()), /low may use high, which is not a row above it/);
  assert.match(found({ ...table(), more: ["low"] }, sources()), /more may use low, but does not/);
});
