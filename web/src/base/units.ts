// units.ts - numbers as an engineer reads them: true minus sign, fixed figures, units; and back.
//
// text(18.224, "m/s") = "18.22 m/s", signed(-0.09) = "−0.09", parse("4055 lb", "kg") = 1839.3...
// Everything inside the page is SI; only the fields a person types into and reads from convert.

export const MINUS = "−";

// With `digits` figures after the point; NaN and null are an en dash. -0.00 is written 0.00.
export function fixed(value: number | null | undefined, digits = 2): string {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value < 0 ? MINUS + "∞" : "∞";
  const s = Math.abs(value).toFixed(digits);
  return value < 0 && Number(s) !== 0 ? MINUS + s : s;
}
// With a sign always, "0.00" at zero has a figure space so that columns stand.
export function signed(value: number | null | undefined, digits = 2): string {
  const s = fixed(value, digits);
  return s[0] === MINUS || s === "–" ? s : Number(s) === 0 ? s : "+" + s;
}
// As many figures as are needed for `figures` significant ones, never more than 6 after the point.
export function figures(value: number | null | undefined, count = 3): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return fixed(value);
  if (value === 0) return "0";
  const size = Math.floor(Math.log10(Math.abs(value)));
  if (size >= 7 || size < -6)
    return value
      .toExponential(count - 1)
      .replace(/-/g, MINUS)
      .replace("e+", "e");
  return fixed(value, Math.min(6, Math.max(0, count - 1 - size)));
}
export function text(value: number | null | undefined, unit = "", digits?: number): string {
  const s = digits === undefined ? figures(value) : fixed(value, digits);
  return unit && unit !== "-" && unit !== "1" ? `${s} ${unitText(unit)}` : s;
}

// "m/s^2" -> "m/s²", "1/s^3" -> "s⁻³", "-" -> "–".
const SUPER: Record<string, string> = {
  "0": "⁰",
  "1": "¹",
  "2": "²",
  "3": "³",
  "4": "⁴",
  "5": "⁵",
  "6": "⁶",
  "7": "⁷",
  "8": "⁸",
  "9": "⁹",
  "-": "⁻",
};
const up = (s: string) => [...s].map((c) => SUPER[c] ?? c).join("");
export function unitText(unit: string): string {
  if (!unit || unit === "-" || unit === "1") return "–";
  const one = /^1\/([a-zA-Z]+)(?:\^(\d))?$/.exec(unit);
  if (one && one[1] !== "min") return `${one[1]}⁻${up(one[2] ?? "1")}`;
  return unit
    .replace(/\^(-?\d+)/g, (_, n: string) => up(n))
    .replace(/\*/g, "·")
    .replace(/\bdeg\b/g, "°")
    .replace(/\bohm\b/g, "Ω");
}

// How many SI units one is. Offsets (degrees Celsius) are apart.
const FACTOR: Record<string, [string, number]> = {
  m: ["m", 1],
  mm: ["m", 1e-3],
  cm: ["m", 1e-2],
  km: ["m", 1e3],
  ft: ["m", 0.3048],
  in: ["m", 0.0254],
  mi: ["m", 1609.344],
  yd: ["m", 0.9144],
  s: ["s", 1],
  ms: ["s", 1e-3],
  min: ["s", 60],
  h: ["s", 3600],
  us: ["s", 1e-6],
  kg: ["kg", 1],
  g: ["kg", 1e-3],
  t: ["kg", 1e3],
  lb: ["kg", 0.45359237],
  lbs: ["kg", 0.45359237],
  slug: ["kg", 14.59390294],
  "m/s": ["m/s", 1],
  "km/h": ["m/s", 1 / 3.6],
  kph: ["m/s", 1 / 3.6],
  mph: ["m/s", 0.44704],
  "ft/s": ["m/s", 0.3048],
  kn: ["m/s", 0.514444],
  "m/s^2": ["m/s^2", 1],
  "ft/s^2": ["m/s^2", 0.3048],
  gee: ["m/s^2", 9.81],
  N: ["N", 1],
  kN: ["N", 1e3],
  lbf: ["N", 4.4482216],
  "N m": ["N m", 1],
  "ft lbf": ["N m", 1.3558179],
  Pa: ["Pa", 1],
  kPa: ["Pa", 1e3],
  bar: ["Pa", 1e5],
  psi: ["Pa", 6894.757],
  W: ["W", 1],
  kW: ["W", 1e3],
  hp: ["W", 745.699872],
  J: ["J", 1],
  kJ: ["J", 1e3],
  MJ: ["J", 1e6],
  rad: ["rad", 1],
  deg: ["rad", Math.PI / 180],
  "°": ["rad", Math.PI / 180],
  "rad/s": ["rad/s", 1],
  rpm: ["rad/s", Math.PI / 30],
  "1/min": ["1/min", 1],
  Hz: ["1/s", 1],
  "1/s": ["1/s", 1],
  "%": ["-", 0.01],
  "-": ["-", 1],
  "": ["-", 1],
  "m/l": ["m/l", 1],
  "km/l": ["m/l", 1000],
  mpg: ["m/l", 1609.344 / 3.785411784],
  l: ["m^3", 1e-3],
  gal: ["m^3", 3.785411784e-3],
};
function normal(unit: string): string {
  return unit
    .trim()
    .replace(/²/g, "^2")
    .replace(/³/g, "^3")
    .replace(/s2$/, "s^2")
    .replace(/s3$/, "s^3")
    .replace(/⁻¹/g, "^-1")
    .replace(/^m\/s\/s$/, "m/s^2");
}
// What one of `from` is in `to`; null: they do not measure the same.
export function factor(from: string, to: string): number | null {
  let f = normal(from);
  let t = normal(to);
  if (f === t) return 1;
  if (f === "g" && t === "m/s^2") f = "gee"; // of an acceleration a g is the program's 9.81 m/s^2, not a gram
  if (t === "g" && f === "m/s^2") t = "gee";
  const a = FACTOR[f];
  const b = FACTOR[t];
  return a && b && a[0] === b[0] ? a[1] / b[1] : null;
}
export function convert(value: number, from: string, to: string): number {
  const k = factor(from, to);
  return k === null ? NaN : value * k;
}

// What was typed, in `unit`: "4055 lb", "−3", "0,3", "60 mph", "1e-3". null: not a number, or a
// unit that does not measure the same.
export function parse(typed: string, unit: string): number | null {
  const m = /^\s*([+\-−]?(?:\d+[.,]?\d*|[.,]\d+)(?:[eE][+\-−]?\d+)?)\s*(.*?)\s*$/.exec(typed);
  if (!m) return null;
  const value = Number(m[1].replace(/−/g, "-").replace(",", "."));
  if (!Number.isFinite(value)) return null;
  if (!m[2]) return value;
  const k = factor(m[2], unit);
  return k === null ? null : value * k;
}

// 66.3 -> "01:06.300"; beyond an hour "1:00:12.500"; `digits` after the point.
export function clockText(t: number, digits = 3): string {
  const neg = t < 0;
  const scale = Math.pow(10, digits);
  const units = Math.round(Math.abs(t) * scale);
  const whole = Math.floor(units / scale);
  const rest = units - whole * scale;
  const hh = Math.floor(whole / 3600);
  const mm = Math.floor(whole / 60) % 60;
  const ss = whole % 60;
  const two = (n: number) => String(n).padStart(2, "0");
  return (
    (neg ? MINUS : "") +
    (hh ? `${hh}:` : "") +
    `${two(mm)}:${two(ss)}` +
    (digits ? "." + String(rest).padStart(digits, "0") : "")
  );
}
export function rateText(rate: number): string {
  const r = Math.abs(rate);
  const sign = rate < 0 ? MINUS : "";
  if (r >= 0.95 || r === 0) return `${sign}${r >= 10 ? Math.round(r) : Math.round(r * 10) / 10} ×`;
  return `${sign}1/${Math.round(1 / r)} ×`;
}
// 0.01 -> "10 ms", 0.00005 -> "0.05 ms", 2 -> "2 s".
export function stepText(s: number): string {
  return s >= 1 ? `${figures(s, 3).replace(/\.?0+$/, "")} s` : `${trim(s * 1000)} ms`;
}
function trim(v: number): string {
  const s = v >= 100 ? v.toFixed(0) : v >= 10 ? v.toFixed(1) : v.toFixed(2);
  return s.includes(".") ? s.replace(/0+$/, "").replace(/\.$/, "") : s;
}
export function bytesText(n: number): string {
  return n < 1e3
    ? `${n} B`
    : n < 1e6
      ? `${(n / 1e3).toFixed(0)} kB`
      : n < 1e9
        ? `${(n / 1e6).toFixed(1)} MB`
        : `${(n / 1e9).toFixed(2)} GB`;
}
