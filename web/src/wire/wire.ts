// wire.ts - the WebSocket to the server: requests with answers, pushes, frames, reconnection.
//
// ask() promises the answer with the same id, or rejects with Rejected. Frames that answer a request
// (flag 8) are collected and the promise gets { kind: "done", frames } when the last one is in.
// A lost connection is tried again after 0.25 s, doubling to 4 s, with jitter; the resume key in
// sessionStorage brings the page back where it was.
import { ANSWER, LAST, decode, type Packed } from "./frame.ts";
import type { Ask, Done, Kind, Push, Rejection, Welcome } from "./protocol.ts";

export class Rejected extends Error {
  constructor(public readonly answer: Rejection) {
    super(answer.reason);
  }
}
// What a request is answered with; rows and seek by frames.
export type Answer<K extends Kind> = Done<K> & (K extends "rows" | "seek" ? { frames?: Packed[] } : unknown);

export interface WireHandlers {
  frame(f: Packed): void;
  message(m: Push): void;
  welcome(m: Welcome): void;
  state(open: boolean, retry: number, reason: string): void; // retry: seconds until the next try
}
interface Waiting {
  resolve(a: object): void;
  reject(e: Error): void;
  frames: Packed[] | null;
  kind: Kind;
}

const KEY = "motorcade.resume";
const UNDER_WAY = 12; // requests at a time; others wait here
export const token = () => new URLSearchParams(location.search).get("token") ?? "";
export function withToken(path: string): string {
  const t = token();
  return t ? `${path}${path.includes("?") ? "&" : "?"}token=${encodeURIComponent(t)}` : path;
}

export class Wire {
  open = false;
  sent = 0;
  received = 0; // bytes, for those who look
  private socket: WebSocket | null = null;
  private next = 1;
  private waiting = new Map<number, Waiting>();
  private held: { id: number; text: object; waiting: Waiting }[] = []; // the server takes 16 at a time
  private delay = 0.25;
  private timer = 0;
  private why = "";
  private stopped = false;
  constructor(
    private readonly to: WireHandlers,
    private readonly address = defaultAddress(),
  ) {}

  connect(): void {
    clearTimeout(this.timer);
    this.stopped = false;
    const socket = new WebSocket(this.address, "motorcade.1");
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    socket.onopen = () => this.hello();
    socket.onmessage = (e) => this.take(e.data);
    socket.onclose = (e) => {
      if (this.socket === socket) this.lost(e.reason || this.why);
    };
  }
  close(): void {
    this.stopped = true;
    clearTimeout(this.timer);
    this.socket?.close();
  }

  // Drops the connection and tries again: for tests and for "try now".
  retry(): void {
    clearTimeout(this.timer);
    this.delay = 0.25;
    if (this.socket && this.socket.readyState <= 1) this.socket.close();
    else this.connect();
  }

  ask<K extends Kind>(kind: K, args: Ask<K>): Promise<Answer<K>> {
    return new Promise((resolve, reject) => {
      if (!this.open) {
        reject(new Rejected({ reason: "no connection to the server" }));
        return;
      }
      const id = this.next++;
      const waiting: Waiting = { resolve: (a) => resolve(a as Answer<K>), reject, frames: null, kind };
      this.held.push({ id, text: { id, kind, ...args }, waiting });
      this.sendHeld();
    });
  }
  tell<K extends Kind>(kind: K, args: Ask<K>): void {
    if (this.open) this.send({ kind, ...args });
  }

  // A drive is answered only when it branches off or is rejected: its answer may never come, and must not delay others.
  private underWay(): number {
    let n = 0;
    for (const w of this.waiting.values()) if (w.kind !== "drive") n++;
    return n;
  }
  private sendHeld(): void {
    while (this.open && this.held.length && this.underWay() < UNDER_WAY) {
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
      kind: "hello",
      frames: null,
      reject: () => this.socket?.close(),
      resolve: (m) => {
        const welcome = m as Welcome;
        this.open = true;
        this.delay = 0.25;
        this.why = "";
        try {
          sessionStorage.setItem(KEY, welcome.key);
        } catch {
          /* private mode: no coming back after a reload */
        }
        this.to.welcome(welcome);
        this.to.state(true, 0, "");
      },
    });
    let resume: string | null = null;
    try {
      resume = sessionStorage.getItem(KEY);
    } catch {
      /* as above */
    }
    const hello: Ask<"hello"> = { version: 1, name: pageName(), ...(resume ? { resume } : {}) };
    this.send({ id, kind: "hello", ...hello });
  }
  private take(data: string | ArrayBuffer): void {
    if (typeof data === "string") {
      this.received += data.length;
      this.takeText(data);
      return;
    }
    this.received += data.byteLength;
    let frames: Packed[];
    try {
      frames = decode(data);
    } catch (e) {
      console.error("bad frame from the server:", e);
      return;
    }
    for (const f of frames) {
      if (!(f.flags & ANSWER)) {
        this.to.frame(f);
        continue;
      }
      const w = this.waiting.get(f.seq);
      if (!w) continue;
      (w.frames ??= []).push(f);
      if (f.flags & LAST) {
        this.waiting.delete(f.seq);
        this.sendHeld();
        w.resolve({ frames: w.frames });
      }
    }
  }
  private takeText(text: string): void {
    let m: Push & { id?: number };
    try {
      m = JSON.parse(text);
    } catch {
      console.error("bad message from the server:", text.slice(0, 200));
      return;
    }
    const w = m.id === undefined ? undefined : this.waiting.get(m.id);
    if (!w) {
      if (m.kind === "bye") this.why = m.reason;
      this.to.message(m);
      return;
    }
    this.waiting.delete(m.id!);
    this.sendHeld();
    if (m.kind === "refused") w.reject(new Rejected(m));
    else w.resolve(w.frames ? { ...m, frames: w.frames } : m);
  }
  private lost(reason: string): void {
    this.open = false;
    const all = [...this.waiting.values(), ...this.held.map((x) => x.waiting)];
    this.waiting.clear();
    this.held = [];
    for (const w of all) if (w.kind !== "hello") w.reject(new Rejected({ reason: "the connection was lost" }));
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
  if (ownName === null)
    try {
      ownName = localStorage.getItem("motorcade.name") ?? "";
    } catch {
      ownName = "";
    }
  return ownName;
}
export function keepPageName(name: string): void {
  ownName = name;
  try {
    localStorage.setItem("motorcade.name", name);
  } catch {
    /* for this visit only */
  }
}
