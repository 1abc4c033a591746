// straincolour.ts - how much a body is deformed, as one number and as a colour.
//
// A body with three directors is deformed alike everywhere: F is one matrix, and so is E = (F^T F - 1)/2. The number is
// von Mises' equivalent strain, sqrt(2/3 E':E') of the deviator E'; a stretch of one axis by e with nothing across gives
// 2/3 e. It is 0 for the shape at rest, and for a body that is only larger or smaller.
import { h } from "../ui/dom.ts";
import type { Shader } from "./paintshader.ts";
import type { Matrix3 } from "./strain.ts";

export function equivalentStrain(f: Matrix3): number {
  const e: number[] = [];
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++) {
      let c = 0;
      for (let k = 0; k < 3; k++) c += f[3 * k + i]! * f[3 * k + j]!;
      e.push(0.5 * (c - (i === j ? 1 : 0)));
    }
  const mean = (e[0]! + e[4]! + e[8]!) / 3;
  for (const k of [0, 4, 8]) e[k]! -= mean;
  return Math.sqrt((2 / 3) * e.reduce((sum, v) => sum + v * v, 0));
}

// From none to the end of the scale, linear RGB; piecewise linear.
export const RAMP = [
  [0.95, 0.84, 0.5],
  [0.92, 0.42, 0.05],
  [0.75, 0.06, 0.03],
  [0.28, 0.005, 0.03],
];
const vec = (c: number[]): string => `vec3(${c.map((v) => v.toFixed(3)).join(", ")})`;

// Adds the colour to a body's shader: `strain` of the instance is a share of the scale, below 0: none is shown. The paint
// shows through where there is little.
export function patchStrain(s: Shader): void {
  s.vertexShader = s.vertexShader
    .replace("#include <common>", "#include <common>\nattribute float strain; varying float vStrain;")
    .replace("#include <begin_vertex>", "#include <begin_vertex>\nvStrain = strain;");
  s.fragmentShader = s.fragmentShader.replace("#include <common>", "#include <common>\nvarying float vStrain;").replace(
    "#include <alphamap_fragment>",
    `#include <alphamap_fragment>
    { float q = 3.0 * clamp(vStrain, 0.0, 1.0);
      vec3 c = mix(${vec(RAMP[0]!)}, ${vec(RAMP[1]!)}, min(q, 1.0));
      c = mix(c, ${vec(RAMP[2]!)}, clamp(q - 1.0, 0.0, 1.0));
      c = mix(c, ${vec(RAMP[3]!)}, clamp(q - 2.0, 0.0, 1.0));
      diffuseColor.rgb = mix(diffuseColor.rgb, c, 0.9 * smoothstep(0.03, 0.25, vStrain)); }`,
  );
}

const css = (c: number[]): string =>
  `rgb(${c.map((v) => Math.round(255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055))).join(" ")})`;

// What colours, lines and arrows mean, over the picture.
export class Legend {
  element: HTMLElement;
  private ticks: HTMLElement[];
  private lines = h("div", { class: "s3-legend-lines" });
  private strain: HTMLElement;
  private text = "";
  size = { w: 0, h: 0 }; // px from the corner of the picture; 0: it is hidden

  constructor() {
    const bar = h("i", { class: "s3-legend-bar" });
    bar.style.background = `linear-gradient(90deg, ${RAMP.map(css).join(", ")})`;
    this.ticks = [h("span"), h("span"), h("span")];
    this.strain = h(
      "div",
      { class: "s3-legend-strain" },
      h("b", null, "Equivalent strain"),
      h("span", { class: "mut" }, "of the body"),
      bar,
      h("div", { class: "s3-legend-ticks" }, ...this.ticks),
    );
    this.element = h("div", { class: "s3-legend", hidden: true }, this.strain, this.lines);
  }

  // scale: strain at its end, 0: no colours; perMetre: N s of an arrow, 0: none.
  show(scale: number, rest: boolean, ellipsoid: boolean, perMetre: number): void {
    const words = [
      rest ? "– –  rest" : "",
      ellipsoid ? "—  deformed ellipsoid" : "",
      perMetre > 0 ? `→  1 m is ${Number((perMetre / 1000).toPrecision(3))} kN s` : "",
    ].filter(Boolean);
    const text = `${scale}|${words.join("|")}`;
    if (text === this.text) return;
    this.text = text;
    this.element.hidden = !scale && !words.length;
    this.strain.hidden = !scale;
    this.ticks.forEach((t, k) => (t.textContent = `${Number((50 * k * scale).toPrecision(3))} %`));
    this.lines.replaceChildren(...words.map((w) => h("span", null, w)));
    const { hidden, offsetWidth: w, offsetHeight: height } = this.element; // asked for when it changes alone
    this.size = hidden ? { w: 0, h: 0 } : { w: w + 12, h: height + 12 };
  }
}

// A round number not below v and close to it, so that colours of the largest strain are the last ones.
export function closeAbove(v: number): number {
  const unit = 10 ** Math.floor(Math.log10(v));
  return unit * ([1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8].find((k) => k * unit >= v) ?? 10);
}

// The end of a scale: grows at once to a round number above what is shown, and stays until it is told to begin again.
export class Scale {
  end = 0;
  private key = "";
  constructor(
    private least: number,
    private nice: (v: number) => number,
  ) {}
  // key: what is looked at; another one begins again.
  hold(value: number, key: string): number {
    if (key !== this.key) this.end = 0;
    this.key = key;
    if (value > this.end) this.end = this.nice(value);
    return (this.end = Math.max(this.least, this.end));
  }
}
