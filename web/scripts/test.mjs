// Bundles test/*.test.ts and *.test.mjs with esbuild and runs them with node's own runner.
import { build } from "esbuild";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";

const root = new URL("..", import.meta.url).pathname.replace(/\/$/, "");
process.chdir(root);
const named = process.argv.slice(2);
const tests = readdirSync("test")
  .filter((f) => /\.test\.(ts|mjs)$/.test(f) && (!named.length || named.some((w) => f.includes(w))))
  .sort();
if (!tests.length) {
  console.error("no test found");
  process.exit(1);
}
const out = mkdtempSync(`${tmpdir()}/motorcade-page-`);
await build({
  entryPoints: tests.map((f) => `test/${f}`),
  outdir: out,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  outExtension: { ".js": ".mjs" },
  external: ["node:*"],
  logLevel: "warning",
  loader: { ".css": "empty", ".woff2": "empty" },
});
const run = spawnSync(process.execPath, ["--test", ...tests.map((f) => `${out}/${f.replace(/\.(ts|mjs)$/, ".mjs")}`)], {
  stdio: "inherit",
});
rmSync(out, { recursive: true, force: true });
process.exit(run.status ?? 1);
