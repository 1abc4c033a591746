// Builds the page into dist (or the folder given): index.html, app.js, app.css, fonts, chunks and notices.json; the
// notices as ../THIRD_PARTY.md (or the file given); and look.bin (or the file given), what `motorcade picture` draws
// with. The output is a function of the sources and package-lock.json
// alone, so that it can be compared.
import { build } from "esbuild";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { markdown, noticeOf, packagesOf } from "./notices.mjs";

const root = new URL("..", import.meta.url).pathname.replace(/\/$/, "");
const out = process.argv[2] ?? `${root}/dist`;
const notices = process.argv[3] ?? `${root}/../THIRD_PARTY.md`;
const look = process.argv[4] ?? `${root}/look.bin`;
process.chdir(root);
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const { metafile } = await build({
  entryPoints: { app: "src/main.ts" },
  outdir: out,
  bundle: true,
  minify: true,
  metafile: true,
  splitting: true,
  format: "esm",
  target: "es2022",
  chunkNames: "chunks/[name]-[hash]",
  assetNames: "fonts/[name]",
  loader: { ".woff2": "file", ".woff": "empty", ".svg": "dataurl" },
  legalComments: "none", // a comment names a licence without its text: notices.json has the texts
  banner: { js: "/* licences: notices.json */", css: "/* licences: notices.json */" },
  logLevel: "warning",
  charset: "utf8",
});
cpSync("src/index.html", `${out}/index.html`);
const packages = packagesOf(metafile).map(noticeOf);
writeFileSync(
  `${out}/notices.json`,
  JSON.stringify({ motorcade: readFileSync("../LICENSE", "utf8").trim(), packages }),
);
writeFileSync(notices, markdown(packages));

const folder = mkdtempSync(`${tmpdir()}/motorcade-look-`);
await build({
  entryPoints: ["scripts/look.ts"],
  outfile: `${folder}/look.mjs`,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  loader: { ".css": "empty", ".woff2": "empty" },
  logLevel: "warning",
});
const made = spawnSync(process.execPath, [`${folder}/look.mjs`, look], { stdio: "inherit" });
rmSync(folder, { recursive: true, force: true });
process.exit(made.status ?? 1);
