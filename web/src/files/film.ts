// film.ts - the view as pictures: one of now, numbered ones, or a video of the loop.
//
// Pictures of a video are not taken while time runs by: time is put to every instant, the exact state
// is waited for and drawn, so no frame is late or missing however slow the machine is. Hands off the
// playhead meanwhile; it goes back to where it was.
import { SANS } from "../base/opening.ts";
import { fixed } from "../base/units.ts";
import { webm, type VideoChunk } from "../base/webm.ts";
import { zip } from "../base/zip.ts";
import type { Core } from "../core/core.ts";
import { sceneView } from "../scene/sceneview.ts";
import { h } from "../ui/dom.ts";
import { saveBlob } from "./save.ts";

export interface Drawer {
  draw(t: number): void;
}
const FOOT = 24;
const RATE = 30;
const MAX_PICTURES = 5400; // px, pictures per second, pictures
const NOT_DRAWN = ".sc-bar, .sr, .hidden, [hidden], button, input, select, [role=toolbar], .sc-tip";

// All canvases of the view as one picture with the words that stand over them, title and time below.
export function compose(app: Core, stage: Drawer, into?: HTMLCanvasElement): HTMLCanvasElement {
  sceneView(app)?.retext();
  stage.draw(app.clock.t);
  const host = [...document.querySelectorAll<HTMLElement>(".view")].find((v) => !v.classList.contains("hidden"))!;
  const r = host.getBoundingClientRect();
  const k = window.devicePixelRatio || 1;
  const even = (v: number) => 2 * Math.round(v / 2); // for video
  const out = into ?? h("canvas");
  const w = even(r.width * k);
  const hh = even((r.height + FOOT) * k);
  const css = getComputedStyle(document.documentElement);
  if (out.width !== w || out.height !== hh) {
    out.width = w;
    out.height = hh;
  }
  const c = out.getContext("2d")!;
  c.setTransform(k, 0, 0, k, 0, 0);
  c.fillStyle = css.getPropertyValue("--surface");
  c.fillRect(0, 0, r.width + 2, r.height + FOOT + 2);
  for (const e of host.querySelectorAll("canvas")) {
    const q = e.getBoundingClientRect();
    if (q.width && q.height) c.drawImage(e, q.left - r.left, q.top - r.top, q.width, q.height);
  }
  drawWords(c, host, r);
  c.fillStyle = css.getPropertyValue("--ink2");
  c.font = `12px ${SANS}`;
  c.textBaseline = "middle";
  c.textAlign = "left";
  c.fillText(
    `${app.title}   ${fixed(app.clock.t, 3)} s   ${app
      .shown()
      .map((o) => `${app.letter(o.world)} ${o.name}${o.change ? ` (${o.change.replace("->", "→")})` : ""}`)
      .join("   ")}`,
    12,
    r.height + FOOT / 2,
  );
  return out;
}
// Words that are elements: names of worlds and their letters, labels.
function drawWords(c: CanvasRenderingContext2D, host: HTMLElement, r: DOMRect): void {
  const walk = document.createTreeWalker(host, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  c.textAlign = "left";
  c.textBaseline = "alphabetic";
  for (let n = walk.nextNode(); n; n = walk.nextNode()) {
    const e = n.parentElement!;
    const text = n.textContent!.trim();
    if (!text || e.closest(NOT_DRAWN)) continue;
    range.selectNodeContents(n);
    const q = range.getBoundingClientRect();
    if (q.width < 1 || q.bottom < r.top || q.top > r.bottom || q.right < r.left || q.left > r.right) continue;
    const s = getComputedStyle(e);
    const back = s.backgroundColor;
    const box = e.getBoundingClientRect();
    if (s.visibility === "hidden" || Number(s.opacity) === 0) continue;
    if (!/rgba\(.*, 0\)|transparent/.test(back)) {
      c.fillStyle = back;
      c.beginPath();
      c.roundRect(box.left - r.left, box.top - r.top, box.width, box.height, parseFloat(s.borderRadius) || 0);
      c.fill();
    }
    c.font = `${s.fontWeight} ${s.fontSize} ${s.fontFamily}`;
    c.fillStyle = s.color;
    c.fillText(text, q.left - r.left, q.top - r.top + q.height * 0.78, q.width + 1);
  }
}
const blobOf = (canvas: HTMLCanvasElement) =>
  new Promise<Blob>((yes, no) => canvas.toBlob((b) => (b ? yes(b) : no(new Error("no picture"))), "image/png"));
const base = (app: Core) => (app.file || "motorcade").replace(/^.*\//, "").replace(/\.[^.]*$/, "") || "motorcade";

export async function savePicture(app: Core, stage: Drawer): Promise<void> {
  saveBlob(`${base(app)}-${app.clock.t.toFixed(3)}s.png`, await blobOf(compose(app, stage)));
}

// What is filmed: the loop, or the last 5 s.
function interval(app: Core): [number, number] {
  const c = app.clock;
  return c.loop ?? [Math.max(c.start, c.t - 5), Math.min(c.end, Math.max(c.t, c.start + 5))];
}

// A bar above the timeline with how far it is, and Stop.
function progress(label: string): { at(i: number, n: number): void; stopped(): boolean; end(): void } {
  let stop = false;
  const bar = h("progress", { max: 1, value: 0, "aria-label": label });
  const text = h("span", null, label);
  const box = h(
    "div",
    { class: "film", role: "group", "aria-label": label },
    text,
    bar,
    h(
      "button",
      {
        class: "toast-act",
        onclick: () => {
          stop = true;
        },
      },
      "Stop",
    ),
  );
  document.body.append(box);
  return {
    at: (i, n) => {
      bar.value = i / n;
      text.textContent = `${label} ${i} of ${n}`;
    },
    stopped: () => stop,
    end: () => box.remove(),
  };
}

let filming = false;
// Draws n pictures, `apart` s of simulated time from each other; how many were taken before Stop.
async function film(
  app: Core,
  stage: Drawer,
  label: string,
  apart: number,
  take: (canvas: HTMLCanvasElement, i: number) => Promise<void>,
): Promise<number> {
  if (filming) {
    app.toast("A video is already being made");
    return 0;
  }
  const c = app.clock;
  const back = { t: c.t, live: c.live, playing: c.playing, loopOn: c.loopOn };
  const [from, to] = interval(app);
  const all = Math.max(1, Math.floor((to - from) / apart + 1e-9) + 1);
  const n = Math.min(MAX_PICTURES, all);
  const bar = progress(label);
  let i = 0;
  let known = -Infinity;
  filming = true;
  try {
    c.play(false);
    c.loopOn = false;
    const canvas = h("canvas");
    for (; i < n && !bar.stopped(); i++) {
      bar.at(i, n);
      const t = from + i * apart;
      if (t > known) {
        // heads move by what was before: all rows of the last seconds must be here
        known = t + 8;
        await Promise.all(
          app.shown().map((w) => app.store.overview(w.world, Math.max(w.start, t - 3), Math.min(w.end, known), 2000)),
        );
      }
      c.seek(t);
      await app.store.ready(c.t);
      await take(compose(app, stage, canvas), i);
    }
    if (i < all)
      app.toast(
        bar.stopped()
          ? `Stopped: ${i} of ${all} frames`
          : `The first ${n} of ${all} frames; use a shorter loop to get all`,
      );
  } finally {
    filming = false;
    bar.end();
    c.loopOn = back.loopOn;
    if (back.live) c.goLive();
    else c.seek(back.t);
    c.play(back.playing);
  }
  return i;
}

// The loop (or the last 5 s) as numbered pictures, every one from the exact state.
export async function saveFrames(app: Core, stage: Drawer): Promise<number> {
  const files: { name: string; bytes: Uint8Array }[] = [];
  const n = await film(app, stage, "Picture", 1 / RATE, async (canvas, i) => {
    files.push({
      name: `${base(app)}-${String(i).padStart(4, "0")}.png`,
      bytes: new Uint8Array(await (await blobOf(canvas)).arrayBuffer()),
    });
  });
  if (!n) return 0;
  saveBlob(`${base(app)}-frames.zip`, new Blob([zip(files)], { type: "application/zip" }));
  app.toast(`${n} pictures, ${fixed(1 / RATE, 4)} s apart`);
  return n;
}

// The same at the page's speed as a video: 30 frames per second.
export async function saveVideo(app: Core, stage: Drawer): Promise<void> {
  if (typeof VideoEncoder === "undefined") {
    app.toast(
      "This browser cannot encode video here (open the page as 127.0.0.1 or by https); save the frames instead",
    );
    return;
  }
  const chunks: VideoChunk[] = [];
  const apart = Math.abs(app.clock.rate) / RATE;
  let encoder: VideoEncoder | null = null;
  let failed = "";
  let width = 0;
  let height = 0;
  let vp9 = true;
  const begin = async (canvas: HTMLCanvasElement) => {
    width = canvas.width;
    height = canvas.height;
    const config = (codec: string): VideoEncoderConfig => ({
      codec,
      width,
      height,
      bitrate: 8e6,
      framerate: RATE,
      latencyMode: "quality",
    });
    vp9 = (await VideoEncoder.isConfigSupported(config("vp09.00.51.08"))).supported === true;
    encoder = new VideoEncoder({
      output: (chunk) => {
        const bytes = new Uint8Array(chunk.byteLength);
        chunk.copyTo(bytes);
        chunks.push({ bytes, ms: chunk.timestamp / 1000, key: chunk.type === "key" });
      },
      error: (e) => {
        failed = e.message;
      },
    });
    encoder.configure(config(vp9 ? "vp09.00.51.08" : "vp8"));
  };
  const n = await film(app, stage, "Frame", apart, async (canvas, i) => {
    if (!encoder) await begin(canvas);
    if (failed) throw new Error(failed);
    const frame = new VideoFrame(canvas, { timestamp: Math.round((i * 1e6) / RATE), duration: Math.round(1e6 / RATE) });
    encoder!.encode(frame, { keyFrame: i % (2 * RATE) === 0 });
    frame.close();
    while (encoder!.encodeQueueSize > 8) await new Promise((go) => setTimeout(go, 2));
  }).catch((e: Error) => {
    app.toast(`No video: ${e.message}`);
    return 0;
  });
  const done = encoder as VideoEncoder | null;
  if (done && done.state === "configured") await done.flush();
  done?.close();
  if (!n || !chunks.length) return;
  saveBlob(
    `${base(app)}.webm`,
    new Blob([webm({ codec: vp9 ? "V_VP9" : "V_VP8", width, height, rate: RATE }, chunks, (n * 1000) / RATE)], {
      type: "video/webm",
    }),
  );
  app.toast(`${fixed(n / RATE, 1)} s of video, ${n} frames`);
}
