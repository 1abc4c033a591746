// zip.ts - a zip archive that only stores: for pictures, which are packed already.

const TABLE = (() => {
  const t = new Uint32Array(256);
  for (let n = 0; n < 256; n++) {
    let c = n;
    for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
    t[n] = c >>> 0;
  }
  return t;
})();
export function crc32(bytes: Uint8Array): number {
  let c = 0xffffffff;
  for (let i = 0; i < bytes.length; i++) c = TABLE[(c ^ bytes[i]) & 255] ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}

// Names are UTF-8, dates the first of January 1980, so that the same files give the same bytes.
export function zip(files: { name: string; bytes: Uint8Array }[]): Uint8Array<ArrayBuffer> {
  const coded = files.map((f) => ({ name: new TextEncoder().encode(f.name), bytes: f.bytes, crc: crc32(f.bytes) }));
  let size = 22;
  for (const f of coded) size += 30 + 46 + 2 * f.name.length + f.bytes.length;
  const out = new Uint8Array(size);
  const view = new DataView(out.buffer);
  const offsets: number[] = [];
  let p = 0;
  const u16 = (v: number) => {
    view.setUint16(p, v, true);
    p += 2;
  };
  const u32 = (v: number) => {
    view.setUint32(p, v, true);
    p += 4;
  };
  const put = (b: Uint8Array) => {
    out.set(b, p);
    p += b.length;
  };
  const common = (f: (typeof coded)[number]) => {
    u16(20);
    u16(0x800);
    u16(0);
    u16(0);
    u16(0x21);
    u32(f.crc);
    u32(f.bytes.length);
    u32(f.bytes.length);
    u16(f.name.length);
    u16(0);
  };
  for (const f of coded) {
    offsets.push(p);
    u32(0x04034b50);
    common(f);
    put(f.name);
    put(f.bytes);
  }
  const start = p;
  coded.forEach((f, i) => {
    u32(0x02014b50);
    u16(20);
    common(f);
    u16(0);
    u16(0);
    u16(0);
    u32(0);
    u32(offsets[i]);
    put(f.name);
  });
  const length = p - start;
  u32(0x06054b50);
  u16(0);
  u16(0);
  u16(coded.length);
  u16(coded.length);
  u32(length);
  u32(start);
  u16(0);
  return out;
}
