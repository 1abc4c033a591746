// wire.ts - the WebSocket to the server: requests with answers, pushes, frames, coming back.
//
// ask() promises the answer with the same id, or rejects with Refused. Frames that answer a request
// (flag 8) are collected and the promise gets { kind: "done", frames } when the last one is in.
// A lost connection is tried again after 0.25 s, doubling to 4 s, with jitter; the resume key in
// sessionStorage brings the page back where it was.
import { Refused, type Answer } from "./app.ts";
import { ANSWER, LAST, decode, type Packed } from "./frame.ts";

export interface WireHandlers {
  frame(f: Packed): void;
  message(m: Answer): void;
  welcome(m: Answer): void;
  state(open: boolean, retry: number, reason: string): void; // retry: seconds until the next try
}
interface Waiting { resolve(a: Answer): void; reject(e: Error): void; frames: Packed[] | null; kind: string }

const KEY = "motorcade.resume";
const UNDER_WAY = 12; // requests at a time; others wait here
export const token = () => new URLSearchParams(location.search).get("token") ?? "";
export function withToken(path: string): string {
  const t = token();
  return t ? `${path}${path.includes("?") ? "&" : "?"}token=${encodeURIComponent(t)}` : path;
}

export class Wire {
  open = false;
  sent = 0; received = 0; // bytes, for those who look
  private socket: WebSocket | null = null;
  private next = 1;
  private waiting = new Map<number, Waiting>();
  private held: { id: number; text: object; waiting: Waiting }[] = []; // the server takes 16 at a time
  private delay = 0.25;
  private timer = 0;
  private why = "";
  private stopped = false;
  constructor(private readonly to: WireHandlers, private readonly address = defaultAddress()) {}

  connect(): void {
    clearTimeout(this.timer);
    this.stopped = false;
    const socket = new WebSocket(this.address, "motorcade.1");
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    socket.onopen = () => this.hello();
    socket.onmessage = (e) => this.take(e.data);
    socket.onclose = (e) => { if (this.socket === socket) this.lost(e.reason || this.why); };
  }
  close(): void { this.stopped = true; clearTimeout(this.timer); this.socket?.close(); }

  // Drops the connection and tries again: for tests and for "try now".
  retry(): void { clearTimeout(this.timer); this.delay = 0.25; if (this.socket && this.socket.readyState <= 1) this.socket.close(); else this.connect(); }

  ask(kind: string, args: object = {}): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (!this.open) { reject(new Refused({ kind: "refused", reason: "no connection to the server" })); return; }
      const id = this.next++;
      this.held.push({ id, text: { id, kind, ...args }, waiting: { resolve, reject, frames: null, kind } });
      this.sendHeld();
    });
  }
  tell(kind: string, args: object = {}): void { if (this.open) this.send({ kind, ...args }); }

  private sendHeld(): void {
    while (this.open && this.held.length && this.waiting.size < UNDER_WAY) {
      const next = this.held.shift()!;
      this.waiting.set(next.id, next.waiting);
      this.send(next.text);
    }
  }
  private send(m: object): void {
    const text = JSON.stringify(m);
    this.sent += text.length;
    this.socket!.send(text);
  }
  private hello(): void {
    const id = this.next++;
    this.waiting.set(id, {
      kind: "hello", frames: null, reject: () => this.socket?.close(),
      resolve: (m) => {
        this.open = true; this.delay = 0.25; this.why = "";
        if (m.key) try { sessionStorage.setItem(KEY, String(m.key)); } catch { /* private mode: no coming back after a reload */ }
        this.to.welcome(m);
        this.to.state(true, 0, "");
      },
    });
    let resume: string | null = null;
    try { resume = sessionStorage.getItem(KEY); } catch { /* as above */ }
    this.send({ id, kind: "hello", version: 1, name: pageName(), ...(resume ? { resume } : {}) });
  }
  private take(data: string | ArrayBuffer): void {
    if (typeof data === "string") { this.received += data.length; this.takeText(data); return; }
    this.received += data.byteLength;
    let frames: Packed[];
    try { frames = decode(data); } catch (e) { console.error("bad frame from the server:", e); return; }
    for (const f of frames) {
      if (!(f.flags & ANSWER)) { this.to.frame(f); continue; }
      const w = this.waiting.get(f.seq);
      if (!w) continue;
      (w.frames ??= []).push(f);
      if (f.flags & LAST) { this.waiting.delete(f.seq); this.sendHeld(); w.resolve({ kind: "done", frames: w.frames }); }
    }
  }
  private takeText(text: string): void {
    let m: Answer & { id?: number };
    try { m = JSON.parse(text); } catch { console.error("bad message from the server:", text.slice(0, 200)); return; }
    const w = m.id === undefined ? undefined : this.waiting.get(m.id);
    if (m.kind === "bye") this.why = String(m.reason ?? "");
    if (!w) { this.to.message(m); return; }
    this.waiting.delete(m.id!);
    this.sendHeld();
    if (m.kind === "refused") w.reject(new Refused(m));
    else w.resolve(m.frames || !w.frames ? m : { ...m, frames: w.frames });
  }
  private lost(reason: string): void {
    this.open = false;
    const all = [...this.waiting.values(), ...this.held.map((x) => x.waiting)];
    this.waiting.clear();
    this.held = [];
    for (const w of all) if (w.kind !== "hello") w.reject(new Refused({ kind: "refused", reason: "the connection was lost" }));
    if (this.stopped) return;
    const wait = this.delay * (0.75 + 0.5 * Math.random());
    this.delay = Math.min(4, this.delay * 2);
    this.to.state(false, wait, reason);
    this.timer = setTimeout(() => this.connect(), wait * 1000) as unknown as number;
  }
}

function defaultAddress(): string {
  return withToken(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`);
}
// The name the others see; "": the server gives one.
let ownName: string | null = null;
export function pageName(): string {
  if (ownName === null) try { ownName = localStorage.getItem("motorcade.name") ?? ""; } catch { ownName = ""; }
  return ownName;
}
export function keepPageName(name: string): void {
  ownName = name;
  try { localStorage.setItem("motorcade.name", name); } catch { /* for this visit only */ }
}
