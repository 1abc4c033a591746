// Builds the page into dist (or the folder given): index.html, app.js, app.css, fonts and chunks.
// The output is a function of the sources and package-lock.json alone, so that it can be compared.
import { build } from "esbuild";
import { cpSync, mkdirSync, rmSync } from "node:fs";

const root = new URL("..", import.meta.url).pathname.replace(/\/$/, "");
const out = process.argv[2] ?? `${root}/dist`;
process.chdir(root);
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
await build({
  entryPoints: { app: "src/main.ts" },
  outdir: out,
  bundle: true,
  minify: true,
  splitting: true,
  format: "esm",
  target: "es2022",
  chunkNames: "chunks/[name]-[hash]",
  assetNames: "fonts/[name]",
  loader: { ".woff2": "file", ".woff": "empty", ".svg": "dataurl" },
  legalComments: "none",
  logLevel: "warning",
  charset: "utf8",
});
cpSync("src/index.html", `${out}/index.html`);
