// paintshader.ts - the materials of vehicles, as additions to those of three.js.
//
// A body takes from its sheets what is paint, how rough it is and what is a lamp; its colour, the state of its lamps and
// the pattern on its roof are its instance's. Three materials of the same look: plain, standard, with a clear coat.
import {
  type MeshBasicMaterial,
  MeshLambertMaterial,
  MeshPhysicalMaterial,
  MeshStandardMaterial,
  type Texture,
  type WebGLProgramParametersWithUniforms,
} from "three";

export type Shader = Pick<WebGLProgramParametersWithUniforms, "uniforms" | "vertexShader" | "fragmentShader">;
export type BodyMaterial = MeshBasicMaterial | MeshLambertMaterial | MeshStandardMaterial;

const DULL = 0.18;
const HEAD = /* glsl */ `#include <common>
  varying vec4 vLamps; varying vec3 vRest; varying float vUp;`;

// lamps: red (tail or brake) 0 .. 1, head 0 .. 1, turn (1 left, -1 right, 2 both), pattern of the roof.
// Less light comes from the road than from the sky, and roofs are duller towards their edges: no face is of one colour.
const PAINT = /* glsl */ `
  vec4 info = texture2D(sheet, vMapUv);
  vec3 bare = diffuseColor.rgb;
  diffuseColor.rgb *= 1.0 - dull * (1.0 - vRest.z / tall + 0.4 * max(vUp, 0.0) * abs(vRest.y));
  #if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA )
    diffuseColor.rgb *= mix(vec3(1.0), vColor.rgb, info.r);
  #endif
  if (vLamps.w > 0.5 && info.r > 0.5 && vRest.z > roofLine) {
    float y = abs(vRest.y), mark;
    if (vLamps.w < 1.5) mark = smoothstep(0.085, 0.078, abs(y - 0.17));
    else if (vLamps.w < 2.5) mark = smoothstep(0.12, 0.10, abs(mod(vRest.x + y, 0.8) - 0.4));
    else mark = smoothstep(0.15, 0.13, length(vec2(mod(vRest.x, 0.6) - 0.3, mod(y, 0.6) - 0.3)));
    diffuseColor.rgb = mix(diffuseColor.rgb, vec3(0.80), mark * 0.8 * smoothstep(0.7, 0.8, vUp));
  }`;
const LAMPS = /* glsl */ `
  float red = step(bare.g * 2.5, bare.r);
  float lit = smoothstep(0.7, 0.9, info.b);
  float amber = smoothstep(0.3, 0.45, info.b) * (1.0 - smoothstep(0.55, 0.7, info.b));
  float side = vLamps.z > 1.5 ? 1.0 : step(0.5, vLamps.z * sign(vRest.y));
  totalEmissiveRadiance = lit * (vRest.x > 0.0 ? vec3(1.0, 0.95, 0.86) * vLamps.y * 3.2 * (1.0 - red) : vec3(1.0, 0.02, 0.015) * vLamps.x * 1.5 * red)
    + amber * step(0.5, abs(vLamps.z)) * side * vec3(1.0, 0.40, 0.02) * 2.2;`;

// dull: how much darker paint is at the road than at its top.
export function patchPaint(s: Shader, data: Texture, height: number, dull: number): void {
  s.uniforms.sheet = { value: data };
  s.uniforms.roofLine = { value: 0.86 * height };
  s.uniforms.tall = { value: height };
  s.uniforms.dull = { value: dull };
  s.vertexShader = s.vertexShader
    .replace("#include <common>", `${HEAD}\nattribute vec4 lamps;`)
    .replace("#include <begin_vertex>", "#include <begin_vertex>\nvLamps = lamps; vRest = position; vUp = normal.z;");
  s.fragmentShader = s.fragmentShader
    .replace("#include <common>", `${HEAD}\nuniform sampler2D sheet; uniform float roofLine, tall, dull;`)
    .replace("#include <color_fragment>", PAINT)
    .replace("#include <roughnessmap_fragment>", "float roughnessFactor = info.g;")
    .replace(
      "#include <metalnessmap_fragment>",
      "float metalnessFactor = 0.32 * info.r + ((info.r < 0.1 && info.g < 0.30 && info.g > 0.16) ? 0.85 : 0.0);",
    )
    .replace(
      "#include <lights_physical_fragment>",
      `#include <lights_physical_fragment>
      #ifdef USE_CLEARCOAT
        material.clearcoat *= smoothstep(0.58, 0.40, info.g) * (info.r < 0.5 ? 0.25 : 1.0);
      #endif`,
    )
    .replace("#include <emissivemap_fragment>", LAMPS);
}

// The three materials of a kind, by the step's `material`. more: what else is done to the shader.
export function bodyMaterials(
  map: Texture,
  data: Texture,
  height: number,
  more: ((s: Shader) => void) | null = null,
): BodyMaterial[] {
  const all: BodyMaterial[] = [
    new MeshLambertMaterial({ map }),
    new MeshStandardMaterial({ map, roughness: 0.4, envMapIntensity: 0.95 }),
    new MeshPhysicalMaterial({ map, roughness: 0.4, clearcoat: 1, clearcoatRoughness: 0.04, envMapIntensity: 0.95 }),
  ];
  for (const m of all) {
    m.onBeforeCompile = (s) => {
      patchPaint(s, data, height, more ? 0 : DULL);
      more?.(s);
    };
    m.customProgramCacheKey = () => (more ? "paint, more" : "paint");
  }
  return all;
}

// Tyres, rims, discs: grey, metalness and roughness are of the vertices.
export function wheelMaterials(): BodyMaterial[] {
  const standard = new MeshStandardMaterial();
  const all = [new MeshLambertMaterial(), standard, standard];
  for (const m of all) {
    m.onBeforeCompile = (s) => {
      s.vertexShader = s.vertexShader
        .replace("#include <common>", "#include <common>\nattribute vec4 extra; varying vec4 vExtra;")
        .replace("#include <begin_vertex>", "#include <begin_vertex>\nvExtra = extra;");
      s.fragmentShader = s.fragmentShader
        .replace("#include <common>", "#include <common>\nvarying vec4 vExtra;")
        .replace("#include <color_fragment>", "diffuseColor.rgb *= vExtra.x;")
        .replace("#include <roughnessmap_fragment>", "float roughnessFactor = vExtra.z;")
        .replace("#include <metalnessmap_fragment>", "float metalnessFactor = vExtra.y;");
    };
    m.customProgramCacheKey = () => "wheel";
  }
  return all;
}

// What is white gets the instance's colour; glass keeps its own.
export function paintWhite(shader: { vertexShader: string }): void {
  shader.vertexShader = shader.vertexShader.replace(
    "#include <color_vertex>",
    `vColor = vec4(color, 1.0);
    #ifdef USE_INSTANCING_COLOR
      if (min(color.r, min(color.g, color.b)) > 0.99) vColor.rgb = instanceColor.rgb;
    #endif`,
  );
}
