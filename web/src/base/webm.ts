// webm.ts - a WebM file from encoded video frames: one track, a cluster a key frame, cues to seek by.
//
// Matroska is elements: an id, a length, and either bytes or further elements. Lengths are written in
// eight bytes, so that nothing has to be known before it is written. Times are milliseconds.

export interface VideoChunk {
  bytes: Uint8Array;
  ms: number;
  key: boolean;
}
export interface VideoTrack {
  codec: "V_VP9" | "V_VP8";
  width: number;
  height: number;
  rate: number;
}

type Part = Uint8Array | Part[];

function size(p: Part): number {
  return p instanceof Uint8Array ? p.length : p.reduce((n, q) => n + size(q), 0);
}
function idBytes(id: number): Uint8Array {
  const out: number[] = [];
  for (let v = id; v > 0; v = Math.floor(v / 256)) out.unshift(v % 256);
  return Uint8Array.from(out);
}
function lengthBytes(n: number): Uint8Array {
  const out = new Uint8Array(8);
  const view = new DataView(out.buffer);
  view.setUint32(0, 0x01000000 + Math.floor(n / 2 ** 32));
  view.setUint32(4, n % 2 ** 32);
  return out;
}
function element(id: number, ...parts: Part[]): Part {
  return [idBytes(id), lengthBytes(size(parts)), parts];
}
function whole(id: number, value: number): Part {
  const out: number[] = [];
  for (let v = Math.round(value); v > 0; v = Math.floor(v / 256)) out.unshift(v % 256);
  return element(id, Uint8Array.from(out.length ? out : [0]));
}
function real(id: number, value: number): Part {
  const out = new Uint8Array(8);
  new DataView(out.buffer).setFloat64(0, value);
  return element(id, out);
}
function words(id: number, text: string): Part {
  return element(id, new TextEncoder().encode(text));
}

function block(c: VideoChunk, start: number): Part {
  const head = new Uint8Array(4);
  const at = Math.round(c.ms) - start;
  head[0] = 0x81; // track 1
  new DataView(head.buffer).setInt16(1, at);
  head[3] = c.key ? 0x80 : 0;
  return element(0xa3, head, c.bytes);
}

// The file. duration: ms. The first frame must be a key frame, and key frames at most 30 s apart.
export function webm(track: VideoTrack, chunks: VideoChunk[], duration: number): Uint8Array<ArrayBuffer> {
  const head = element(
    0x1a45dfa3,
    whole(0x4286, 1),
    whole(0x42f7, 1),
    whole(0x42f2, 4),
    whole(0x42f3, 8),
    words(0x4282, "webm"),
    whole(0x4287, 4),
    whole(0x4285, 2),
  );
  const info = element(
    0x1549a966,
    whole(0x2ad7b1, 1e6),
    real(0x4489, duration),
    words(0x4d80, "Motorcade"),
    words(0x5741, "Motorcade"),
  );
  const tracks = element(
    0x1654ae6b,
    element(
      0xae,
      whole(0xd7, 1),
      whole(0x73c5, 1),
      whole(0x83, 1),
      whole(0x9c, 0),
      words(0x86, track.codec),
      whole(0x23e383, 1e9 / track.rate),
      element(0xe0, whole(0xb0, track.width), whole(0xba, track.height)),
    ),
  );
  const clusters: Part[] = [];
  const cues: Part[] = [];
  let at = size(info) + size(tracks);
  for (let i = 0; i < chunks.length;) {
    let end = i + 1;
    while (end < chunks.length && !chunks[end]!.key) end++;
    const start = Math.round(chunks[i]!.ms);
    const cluster = element(
      0x1f43b675,
      whole(0xe7, start),
      chunks.slice(i, end).map((c) => block(c, start)),
    );
    cues.push(element(0xbb, whole(0xb3, start), element(0xb7, whole(0xf7, 1), whole(0xf1, at))));
    clusters.push(cluster);
    at += size(cluster);
    i = end;
  }
  return flat([head, element(0x18538067, info, tracks, clusters, element(0x1c53bb6b, cues))]);
}
function flat(p: Part): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(size(p));
  let at = 0;
  const put = (q: Part): void => {
    if (q instanceof Uint8Array) {
      out.set(q, at);
      at += q.length;
    } else for (const r of q) put(r);
  };
  put(p);
  return out;
}
