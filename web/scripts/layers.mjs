// Checks the imports of src against the table of folders in README.md.
//
// Each breach is reported as one line of text: an import from a folder the table does not allow, an allowance that is
// not used, a folder without a row, and a module that imports itself through others.
import { readFileSync, readdirSync } from "node:fs";
import { posix } from "node:path";

// {folder: [folders it may use]} in the order of the table.
export function readTable(text) {
  const rows = [...text.matchAll(/^\| `([\w.]+)` \|[^|]*\|([^|]*)\|$/gm)];
  return Object.fromEntries(
    rows.map(([, folder, uses]) => [folder, uses.trim() === "-" ? [] : uses.trim().split(/\s+/)]),
  );
}

// {module: [modules it imports]}, by path below src; types and import() count.
export function readImports(sources) {
  const imports = {};
  for (const [path, text] of Object.entries(sources)) {
    const found = [...text.matchAll(/(?:\bfrom|\bimport\(|^import)\s*"(\.[^"]+)"/gm)].map((m) => m[1]);
    imports[path] = found.filter((p) => !p.endsWith(".css")).map((p) => posix.join(posix.dirname(path), p));
  }
  return imports;
}

function tableBreaches(table) {
  const seen = [];
  const wrong = [];
  for (const [folder, uses] of Object.entries(table)) {
    for (const other of uses)
      if (!seen.includes(other)) wrong.push(`${folder} may use ${other}, which is not a row above it`);
    seen.push(folder);
  }
  return wrong;
}

function folderBreaches(table, imports) {
  const wrong = [];
  const used = new Set();
  for (const [path, all] of Object.entries(imports)) {
    const folder = posix.dirname(path);
    if (!table[folder]) wrong.push(`${path}: the table has no row for ${folder}`);
    for (const to of all) {
      const other = posix.dirname(to);
      used.add(`${folder} ${other}`);
      if (!imports[to]) wrong.push(`${path} imports ${to}, which does not exist`);
      else if (other !== folder && !table[folder]?.includes(other))
        wrong.push(`${path} imports ${to}: ${folder} may not use ${other}`);
    }
  }
  for (const [folder, uses] of Object.entries(table))
    for (const other of uses)
      if (!used.has(`${folder} ${other}`)) wrong.push(`${folder} may use ${other}, but does not`);
  return wrong;
}

function cycles(imports) {
  const wrong = [];
  const done = new Set();
  const way = [];
  const visit = (path) => {
    if (way.includes(path)) wrong.push([...way.slice(way.indexOf(path)), path].join(" imports "));
    if (done.has(path) || way.includes(path)) return;
    way.push(path);
    for (const to of imports[path] ?? []) visit(to);
    way.pop();
    done.add(path);
  };
  Object.keys(imports).sort().forEach(visit);
  return wrong;
}

export function breaches(table, imports) {
  return [...tableBreaches(table), ...folderBreaches(table, imports), ...cycles(imports)];
}

export function readSources(folder) {
  const paths = readdirSync(folder, { recursive: true }).filter((f) => f.endsWith(".ts") && !f.endsWith(".d.ts"));
  return Object.fromEntries(paths.sort().map((f) => [f, readFileSync(`${folder}/${f}`, "utf8")]));
}
