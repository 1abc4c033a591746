// device.ts - what draws in three dimensions: a graphics card, the processor in place of one, or nothing.

// Its name; null: nothing does.
export function deviceName(): string | null {
  const gl = document.createElement("canvas").getContext("webgl2");
  if (!gl) return null;
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  const name = info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "";
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return name;
}

// Whether a device of that name is the processor: it is slow.
export function isProcessor(name: string | null): boolean {
  return /swiftshader|llvmpipe|software|basic render/i.test(name ?? "");
}
