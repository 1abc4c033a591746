// pack.ts - writes frames for tests, by the table of docs/protocol.md.
import { FIELDS, type Field } from "../src/wire/protocol.ts";

// A frame written by hand from the table of docs/protocol.md.
export function pack(o: {
  world?: number;
  seq?: number;
  flags?: number;
  time: number;
  origin?: number;
  hash?: bigint;
  id: number[];
  values: Partial<Record<Field, number[]>>;
  bodies?: { id: number; centre: number[]; axes: number[]; rest: number[] }[];
}): Uint8Array<ArrayBuffer> {
  const n = o.id.length;
  const lane = (4 * n + 7) & ~7;
  const fields = FIELDS.filter((f) => o.values[f]);
  const blocks = o.bodies ?? [];
  const head = 64 + lane * (2 + fields.length);
  const size = head + blocks.length * 80;
  const b = new ArrayBuffer(size);
  const v = new DataView(b);
  "MCF1".split("").forEach((ch, i) => v.setUint8(i, ch.charCodeAt(0)));
  v.setUint32(4, size, true);
  v.setUint32(8, o.seq ?? 1, true);
  v.setUint16(12, o.world ?? 0, true);
  v.setUint16(14, o.flags ?? 1, true);
  v.setFloat64(16, o.time, true);
  v.setFloat64(24, 0.01, true);
  v.setFloat64(32, o.origin ?? 0, true);
  v.setBigUint64(40, o.hash ?? 0n, true);
  v.setUint32(
    48,
    fields.reduce((m, f) => m | (1 << FIELDS.indexOf(f)), 0),
    true,
  );
  v.setUint32(52, n, true);
  if (blocks.length) {
    v.setUint32(56, head, true);
    v.setUint32(60, blocks.length, true);
  }
  let p = 64;
  o.id.forEach((id, i) => v.setUint32(p + 4 * i, id, true));
  p += lane;
  p += lane;
  for (const f of fields) {
    o.values[f]!.forEach((x, i) => v.setFloat32(p + 4 * i, x, true));
    p += lane;
  }
  for (const k of blocks) {
    v.setUint32(p, 1, true);
    v.setUint32(p + 4, 80, true);
    v.setUint32(p + 8, k.id, true);
    [...k.centre, ...k.axes, ...k.rest, 0].forEach((x, i) => v.setFloat32(p + 16 + 4 * i, x, true));
    p += 80;
  }
  return new Uint8Array(b);
}
