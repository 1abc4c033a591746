// save.ts - saving: bytes and text as a file of the browser, and a world as the server writes it.
import type { Page, Server } from "../core/app.ts";
import { sentence } from "../core/core.ts";
import { h } from "../ui/dom.ts";
import type { Ask } from "../wire/protocol.ts";
import { Rejected } from "../wire/wire.ts";

export function saveBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const a = h("a", { href: url, download: name });
  document.body.appendChild(a);
  a.click();
  a.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
export function saveText(name: string, text: string, type = "text/plain"): void {
  saveBlob(name, new Blob([text], { type }));
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
}

// Rows of a long run come in pieces; a file that belongs to it is saved, too. Gives the names.
export async function saveWorld(app: Server, args: Ask<"export">): Promise<string> {
  const first = await app.ask("export", args);
  if (first.encoding === "base64") {
    saveBlob(first.name, new Blob([bytesOf(first.text)], { type: first.type }));
    return first.name;
  }
  const pieces = [first.text];
  for (let next = first.next; typeof next === "number";) {
    const a = await app.ask("export", { ...args, from: next });
    pieces.push(a.text);
    next = a.next;
  }
  saveBlob(first.name, new Blob(pieces, { type: first.type }));
  if (first.with) saveText(first.with.name, first.with.text);
  return first.with ? `${first.name} and ${first.with.name}` : first.name;
}
export async function exportWorld(
  app: Server & Page,
  what: Ask<"export">["what"],
  world: number,
  vehicle?: string,
): Promise<void> {
  await saveWorld(app, { what, world, ...(vehicle ? { vehicle } : {}) }).then(
    (names) => app.toast(`${names} saved`),
    (e) => app.toast(e instanceof Rejected ? sentence(e.answer.reason) : String(e)),
  );
}
