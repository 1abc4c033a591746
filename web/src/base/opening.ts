// opening.ts - what an address says about how the page opens: #NAME&font=FONT.
//
// The programs of the DYNAVIS report open the same page on different instruments, and their option
// -t names a font; both are words of the address, so that a reload opens the same.

// Options of the page, by the word that the programs write (src/cli/dynavis_calls.c).
const OPENINGS: Record<string, Record<string, unknown>> = {
  // Version 1: a bank of analog meters, the rightmost for the rightmost car; none at the cars.
  dynavis1: {
    "scene.tags": "off",
    cards: [{ kind: "meters" }],
    meters: { kinds: ["v", "a", "jerk"], layout: "wall", analog: true },
    layout: { view: "road" },
  },
  // Version 2: digital meters that travel with the cars.
  dynavis2: { "scene.tags": "v a j", layout: { view: "road" } },
  identify: { layout: { view: "bench", bench: "identify" } },
  mileage: { layout: { view: "bench", bench: "mileage" } },
};

export function openingOptions(hash: string): Record<string, unknown> {
  const name = /^#([a-z0-9]+)(?=&|$)/.exec(hash)?.[1] ?? "";
  return Object.hasOwn(OPENINGS, name) ? OPENINGS[name]! : {};
}

// The font of the address as a CSS family, "" for none. Names of the X Window System are
// understood: of "-adobe-courier-medium-r-..." the family; "fixed" and "9x15" are monospaced.
export function openingFont(hash: string): string {
  const word = /[#&]font=([^&]+)/.exec(hash)?.[1];
  if (!word) return "";
  let name: string;
  try {
    name = decodeURIComponent(word);
  } catch {
    return "";
  }
  const family = (/^-[^-]*-([^-]+)-/.exec(name)?.[1] ?? name).replace(/["\\;{}]|[^\x20-\uffff]/g, "").trim();
  return /^(fixed|monospace|\d+x\d+b?)$/.test(family) ? "monospace" : family ? `"${family}"` : "";
}

// The page's fonts for canvases, behind the one that the address asks for.
const asked = typeof location === "undefined" ? "" : openingFont(location.hash);
export const SANS = `${asked ? `${asked}, ` : ""}Inter, "Segoe UI", system-ui, sans-serif`;
export function useFont(root: HTMLElement): void {
  if (asked) root.style.setProperty("--ui", SANS);
}
