import assert from "node:assert/strict";
import { test } from "node:test";
import type { Kind } from "../src/wire/protocol.ts";
import { Rejected, Wire } from "../src/wire/wire.ts";

interface Sent {
  id: number;
  kind: Kind;
}
// A socket that keeps what is sent, and a wire that was welcomed on it.
function setUp() {
  const sent: Sent[] = [];
  class Socket {
    readyState = 1;
    onopen: (() => void) | null = null;
    onmessage: ((e: { data: string }) => void) | null = null;
    onclose: (() => void) | null = null;
    send(text: string) {
      sent.push(JSON.parse(text));
    }
    close() {}
  }
  let socket!: Socket;
  Object.assign(globalThis, {
    WebSocket: class extends Socket {
      constructor() {
        super();
        socket = this;
      }
    },
    sessionStorage: { getItem: () => null, setItem: () => undefined },
    localStorage: { getItem: () => null },
  });
  const wire = new Wire(
    { frame: () => undefined, message: () => undefined, welcome: () => undefined, state: () => undefined },
    "ws://test",
  );
  wire.connect();
  socket.onopen!();
  const say = (m: object) => socket.onmessage!({ data: JSON.stringify(m) });
  say({ id: sent[0]!.id, kind: "welcome" });
  return { wire, sent, say };
}

test("an answer goes to its request, a rejection rejects it", async () => {
  const { wire, sent, say } = setUp();
  const log = wire.ask("log", { world: 0 });
  const files = wire.ask("files", {});
  say({ id: sent[2]!.id, kind: "done", folders: [] });
  say({ id: sent[1]!.id, kind: "refused", reason: "there is no world 0", place: "world" });
  assert.deepEqual((await files).folders, []);
  await assert.rejects(log, (e) => e instanceof Rejected && e.answer.place === "world");
});

test("twelve requests are under way at a time; the next is sent when one is answered", () => {
  const { wire, sent, say } = setUp();
  for (let i = 0; i < 13; i++) void wire.ask("log", { world: i });
  assert.equal(sent.length, 1 + 12);
  say({ id: sent[1]!.id, kind: "done", entries: [] });
  assert.equal(sent.length, 1 + 13);
});

test("drives that are never answered do not hold up other requests", () => {
  const { wire, sent } = setUp();
  for (let i = 0; i < 20; i++) void wire.ask("drive", { world: 0, vehicle: "leader", throttle: 0.1 });
  void wire.ask("files", {});
  assert.equal(sent.at(-1)!.kind, "files");
});
