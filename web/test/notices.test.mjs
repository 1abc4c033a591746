import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { markdown, noticeOf, packagesOf } from "../scripts/notices.mjs";

function withPackage(about, files, use) {
  const root = mkdtempSync(`${tmpdir()}/motorcade-notices-`);
  const folder = `${root}/node_modules/${about.name}`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/package.json`, JSON.stringify(about));
  for (const [name, text] of Object.entries(files)) writeFileSync(`${folder}/${name}`, text);
  try {
    use(folder);
  } finally {
    rmSync(root, { recursive: true });
  }
}
const about = {
  name: "wheel",
  version: "1.2.3",
  license: "MIT",
  repository: { url: "git+https://example.org/wheel.git" },
};

test("packages are those that gave bytes to the output, scoped or not", () => {
  const inputs = {
    "src/main.ts": { bytesInOutput: 10 },
    "node_modules/three/build/three.core.js": { bytesInOutput: 10 },
    "node_modules/three/build/three.module.js": { bytesInOutput: 10 },
    "node_modules/@fontsource/inter/files/inter.woff2": { bytesInOutput: 10 },
    "node_modules/unused/index.js": { bytesInOutput: 0 },
    "node_modules/outer/node_modules/inner/index.js": { bytesInOutput: 10 },
  };
  assert.deepEqual(packagesOf({ outputs: { "app.js": { inputs } } }), [
    "node_modules/@fontsource/inter",
    "node_modules/outer/node_modules/inner",
    "node_modules/three",
  ]);
});

test("a notice has name, version, address and the whole licence text", () => {
  withPackage(about, { LICENSE: "Copyright A\r\n\r\nPermission  \n" }, (folder) => {
    const notice = noticeOf(folder);
    assert.deepEqual(notice, {
      name: "wheel",
      version: "1.2.3",
      licence: "MIT",
      address: "https://example.org/wheel",
      text: "Copyright A\n\nPermission",
    });
    assert.ok(
      markdown([notice]).includes(
        "## wheel 1.2.3\n\nMIT, <https://example.org/wheel>\n\n```text\nCopyright A\n\nPermission\n```\n",
      ),
    );
  });
});

test("a package without a licence text, or under an unknown licence, stops the build", () => {
  withPackage(about, { "README.md": "MIT" }, (folder) =>
    assert.throws(() => noticeOf(folder), /wheel is part of the page.*no licence text/),
  );
  withPackage({ ...about, license: "GPL-3.0" }, { LICENSE: "GPL" }, (folder) =>
    assert.throws(() => noticeOf(folder), /under GPL-3.0; expected one of MIT, OFL-1.1/),
  );
});
