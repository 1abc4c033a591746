// messages.mjs - holds what the server sends to web/src/wire/protocol.ts and its part mechanisms.ts, the one description
// of it.
//
//     const c = new Conversation();
//     ws.on("framesent", (d) => c.sent(d.payload));
//     ws.on("framereceived", (d) => c.received(d.payload));
//     c.wrong;                          // ["done of card: groups[0].rows[2].live is missing", ...]
//     c.seen;                           // kinds of answers ("done of card") and of pushes ("clock")
//
// Every key must be described and every described key without a question mark must be there. The types are read by
// prettier's TypeScript parser: TypeScript itself leaves nothing of them behind.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const web = resolve(dirname(fileURLToPath(import.meta.url)), "../../web");
const { parsers } = createRequire(`${web}/package.json`)("prettier/plugins/typescript");

export class Description {
  constructor(source) {
    this.source = source;
    this.types = new Map(); // interfaces and aliases by name
    for (const { declaration: d } of parsers.typescript.parse(source, { filepath: "protocol.ts" }).body)
      if (d?.type === "TSInterfaceDeclaration" || d?.type === "TSTypeAliasDeclaration") this.types.set(d.id.name, d);
  }
  // {name: {type, optional}} of an interface with those it extends, or of an object type.
  keys(node) {
    if (node.type === "TSTypeReference") return this.keys(this.named(node.typeName.name));
    const all = {};
    for (const parent of node.extends ?? []) Object.assign(all, this.keys(this.named(parent.expression.name)));
    for (const m of node.body?.body ?? node.members)
      all[m.key.name ?? m.key.value] = { type: m.typeAnnotation.typeAnnotation, optional: m.optional === true };
    return all;
  }
  named(name) {
    const found = this.types.get(name);
    if (!found) throw new Error(`protocol.ts describes no ${name}`);
    return found;
  }
  text(node) {
    return this.source.slice(...node.range).replace(/\s+/g, " ");
  }
  // What is wrong with a value, one line per place.
  wrong(node, value, path = "") {
    const is = (ok) =>
      ok ? [] : [`${path || "it"} is ${JSON.stringify(value)?.slice(0, 60)}, expected ${this.text(node)}`];
    const each = (list, types) => list.flatMap((v, i) => this.wrong(types(i), v, `${path}[${i}]`));
    switch (node.type) {
      case "TSStringKeyword":
        return is(typeof value === "string");
      case "TSNumberKeyword":
        return is(typeof value === "number");
      case "TSBooleanKeyword":
        return is(typeof value === "boolean");
      case "TSNullKeyword":
        return is(value === null);
      case "TSUnknownKeyword":
        return [];
      case "TSLiteralType":
        return is(value === node.literal.value);
      case "TSUnionType":
        return is(node.types.some((t) => this.wrong(t, value).length === 0));
      case "TSArrayType":
        return Array.isArray(value) ? each(value, () => node.elementType) : is(false);
      case "TSTupleType":
        if (!Array.isArray(value) || value.length !== node.elementTypes.length) return is(false);
        return each(value, (i) => node.elementTypes[i]);
      case "TSTypeReference":
        return this.wrongReference(node, value, path);
      case "TSInterfaceDeclaration":
      case "TSTypeLiteral":
        return this.wrongObject(this.keys(node), value, path);
      default:
        throw new Error(`protocol.ts: ${this.text(node)} is a ${node.type}, which messages.mjs cannot read`);
    }
  }
  wrongReference(node, value, path) {
    const name = node.typeName.name;
    const [first, second] = node.typeArguments?.params ?? [];
    if (name === "Record")
      return Object.entries(value ?? {}).flatMap(([k, v]) => this.wrong(second, v, `${path}.${k}`));
    if (name === "Partial") return this.wrongObject(this.keys(first), value, path, true);
    const found = this.named(name);
    return this.wrong(found.type === "TSTypeAliasDeclaration" ? found.typeAnnotation : found, value, path);
  }
  wrongObject(keys, value, path, partial = false) {
    if (value === null || typeof value !== "object" || Array.isArray(value))
      return [`${path || "it"} is ${JSON.stringify(value)?.slice(0, 60)}, expected an object`];
    const at = (k) => (path ? `${path}.${k}` : k);
    const out = Object.keys(value).flatMap((k) => (keys[k] ? [] : [`${at(k)} is not described`]));
    for (const [k, { type, optional }] of Object.entries(keys))
      if (k in value) out.push(...this.wrong(type, value[k], at(k)));
      else if (!optional && !partial) out.push(`${at(k)} is missing`);
    return out;
  }
}

export const description = new Description(
  ["mechanisms", "protocol"].map((name) => readFileSync(`${web}/src/wire/${name}.ts`, "utf8")).join("\n"),
);
export const requests = description.keys(description.named("Requests"));
export const pushes = description.keys(description.named("Pushes"));

export class Conversation {
  wrong = [];
  seen = new Set();
  #asked = new Map(); // kinds by id
  sent(text) {
    if (typeof text !== "string") return; // bytes
    const { id, kind } = JSON.parse(text);
    if (id !== undefined) this.#asked.set(id, kind);
  }
  received(text) {
    if (typeof text !== "string") return; // frames: frame.ts reads them, and throws
    const { id, kind, ...rest } = JSON.parse(text);
    const asked = this.#asked.get(id);
    const what = asked ? `${kind} of ${asked}` : kind;
    const type = asked ? this.#answer(kind, asked) : pushes[kind]?.type;
    this.seen.add(what);
    const wrong = type ? description.wrong(type, rest) : ["it is not described"];
    this.wrong.push(...wrong.map((w) => `${what}: ${w}`));
  }
  #answer(kind, asked) {
    if (kind === "refused") return description.named("Rejection");
    if (kind !== (asked === "hello" ? "welcome" : "done") || !requests[asked]) return undefined;
    return description.keys(requests[asked].type).done.type;
  }
}
