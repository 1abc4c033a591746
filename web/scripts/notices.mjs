// The licences of what the page is made of: MIT and the OFL ask that their text goes wherever the code or the font goes.
//
// The list is taken from what esbuild put into its output, so a package that joins the bundle is named without being
// listed here, and one without a licence text stops the build.
import { readFileSync, readdirSync } from "node:fs";

const KNOWN = ["MIT", "OFL-1.1"]; // licences whose notice is all they ask for; another one needs to be read first

// The folders of the packages that gave bytes to the output, sorted.
export function packagesOf(metafile) {
  const folders = new Set();
  for (const output of Object.values(metafile.outputs))
    for (const [input, { bytesInOutput }] of Object.entries(output.inputs)) {
      const folder = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
      if (folder && bytesInOutput > 0) folders.add(folder);
    }
  return [...folders].sort();
}

// {name, version, licence, address, text} of the package in a folder.
export function noticeOf(folder) {
  const { name, version, license, homepage, repository } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  const file = readdirSync(folder).find((f) => /^(licen[cs]e|copying)(\.(md|txt))?$/i.test(f));
  if (!file) throw new Error(`${name} is part of the page, but ${folder} has no licence text`);
  if (!KNOWN.includes(license))
    throw new Error(`${name} is part of the page under ${license}; expected one of ${KNOWN.join(", ")}`);
  const address = homepage ?? (repository?.url ?? repository ?? "").replace(/^git\+|\.git$/g, "");
  const text = readFileSync(`${folder}/${file}`, "utf8")
    .replace(/\r\n/g, "\n")
    .replace(/[ \t]+$/gm, "")
    .trim();
  return { name, version, licence: license, address, text };
}

export function markdown(notices) {
  const parts = notices.map(
    (n) => `## ${n.name} ${n.version}\n\n${n.licence}, <${n.address}>\n\n\`\`\`text\n${n.text}\n\`\`\`\n`,
  );
  return `# Third-party notices

The program \`motorcade\` holds the studio's page, and the page holds the packages below. Written by \`scripts/page\`
from the packages themselves. Libraries that the program only links to are named in the README.

${parts.join("\n")}`;
}
