// numbers.ts - arrays of numbers inside messages of text.

// Numbers of a text in base64: doubles, lowest byte first.
export function numbers(base64: string | null | undefined): Float64Array {
  const text = atob(base64 ?? "");
  const bytes = new Uint8Array(text.length);
  for (let k = 0; k < text.length; k++) bytes[k] = text.charCodeAt(k);
  return new Float64Array(bytes.buffer, 0, Math.floor(bytes.length / 8));
}
