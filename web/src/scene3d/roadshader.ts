// roadshader.ts - asphalt, paint and grass, made in the fragment shader from places on the road in metres.
//
// A lane's surface carries (s, l, half, field): m along the road, m to the left of the lane's middle, half its width, what
// it is; and what is painted at its edges. Paint is anti-aliased by the size of a pixel on the road: no decals, right at any distance.
import { type Color, DoubleSide, MeshBasicMaterial, MeshStandardMaterial } from "three";
import { groundNoise } from "./noise.ts";
import type { BodyMaterial } from "./paintshader.ts";

export const EDGE = { none: 0, solid: 1, dashed: 2, yellow: 3 } as const;
export const FIELD = { lane: 0, shoulder: 0.6, marked: 1, gore: 2 } as const; // what a strip is; marked: with distances
export interface RoadPaint {
  spacing: { value: number }; // m between markers
  dash: { value: number }; // m
  light: { value: Color }; // on what lies flat, where it is not computed
}

const ROAD_HEAD = /* glsl */ `#include <common>
  varying vec4 vLane; varying vec2 vEdge;`;
const ROAD_PARS = /* glsl */ `
  uniform sampler2D noise; uniform float spacing, dash; uniform vec3 light;
  // Coverage of a line at distance d from its middle.
  float across(float d, float wide, float px) { return clamp((0.5 * wide - abs(d)) / px + 0.5, 0.0, 1.0) * min(1.0, wide / px); }
  float along(float s, float px) {
    float m = mod(s, spacing), d = dash * 0.5 - abs(m - dash * 0.5);
    return px > spacing ? dash / spacing : clamp(d / px + 0.5, 0.0, 1.0);
  }
  float edge(float kind, float d, vec2 q, vec2 px) {
    if (kind < 0.5) return 0.0;
    float c = across(d, kind > 1.5 && kind < 2.5 ? 0.12 : 0.15, px.y);
    return kind > 1.5 && kind < 2.5 ? c * along(q.x, px.x) : c;
  }`;
const ROAD_COLOUR = /* glsl */ `
  vec2 q = vLane.xy;
  vec2 px = max(fwidth(q), vec2(1e-4));
  #ifdef PLAIN
    float v = 0.47 + 0.02 * sin(0.31 * q.x + 2.0 * sin(1.1 * q.y + 0.07 * q.x)) + 0.01 * sin(2.9 * q.x + 5.0 * q.y);
  #else
    vec3 n0 = texture2D(noise, q * 0.82).rgb, n1 = texture2D(noise, q * vec2(0.021, 0.055)).rgb, n2 = texture2D(noise, q * vec2(0.0043, 0.019) + 0.37).rgb;
    float detail = clamp(1.4 - px.x * 4.0, 0.0, 1.0);
    float v = 0.50 + 0.30 * (n0.r - 0.5) * detail + 0.20 * (n1.g - 0.5) + 0.26 * (n2.b - 0.5);
    // Wheels polish two bands of a lane, oil darkens its middle.
    float used = vLane.w < 0.5 ? 1.0 : 0.0;
    float track = used * exp(-pow((abs(q.y) - 0.82) / 0.34, 2.0)), oil = used * exp(-pow(q.y / 0.26, 2.0));
    v -= 0.055 * track + 0.075 * oil * (0.6 + 0.8 * n1.g);
    float crack = smoothstep(0.012, 0.0, abs(texture2D(noise, q * vec2(0.011, 0.027) + 0.71).g - 0.5)) * smoothstep(0.56, 0.66, n2.g);
    v -= 0.16 * crack * detail;
    float gloss = 0.10 * track;
  #endif
  vec3 asphalt = mix(vec3(0.076, 0.076, 0.077), vec3(0.196, 0.193, 0.189), clamp(v, 0.0, 1.0));
  float left = edge(vEdge.x, vLane.z - q.y, q, px), right = edge(vEdge.y, vLane.z + q.y, q, px);
  float paint = max(left, right);
  vec3 ink = (vEdge.x > 2.5 && left > 0.0) || (vEdge.y > 2.5 && right > 0.0) ? vec3(0.78, 0.52, 0.06) : vec3(0.80);
  if (vLane.w > 0.8 && vLane.w < 1.5) {
    // Distance marks on the shoulder.
    float m = abs(mod(q.x + 0.5 * spacing, spacing) - 0.5 * spacing);
    paint = max(paint, clamp((0.06 - m) / px.x + 0.5, 0.0, 1.0) * min(1.0, 0.12 / px.x) * step(0.35, vLane.z - abs(q.y)));
  }
  if (vLane.w > 1.5) {
    float m = mod(q.x + abs(q.y), 6.0), w = max(px.x, px.y);
    paint = max(paint, w > 3.0 ? 0.2 : clamp((0.6 - abs(m - 3.0)) / w + 0.5, 0.0, 1.0));
  }
  #ifndef PLAIN
    paint *= mix(0.62, 0.97, smoothstep(0.30, 0.62, n0.r * 0.6 * detail + 0.2 * (1.0 - detail) + n1.g * 0.55 + 0.10));
  #else
    paint *= 0.92;
  #endif
  diffuseColor.rgb = mix(asphalt, ink, paint);
  #ifdef PLAIN
    diffuseColor.rgb *= light;
  #endif`;

export function roadMaterials(paint: RoadPaint): BodyMaterial[] {
  const standard = new MeshStandardMaterial({ roughness: 0.9, envMapIntensity: 0.85, side: DoubleSide });
  const plain = new MeshBasicMaterial({ side: DoubleSide });
  plain.defines = { PLAIN: "" };
  for (const m of [plain, standard]) {
    m.onBeforeCompile = (s) => {
      s.uniforms.noise = { value: groundNoise() };
      s.uniforms.spacing = paint.spacing;
      s.uniforms.dash = paint.dash;
      s.uniforms.light = paint.light;
      s.vertexShader = s.vertexShader
        .replace("#include <common>", `${ROAD_HEAD}\nattribute vec4 lane; attribute vec2 edge;`)
        .replace("#include <begin_vertex>", "#include <begin_vertex>\nvLane = lane; vEdge = edge;");
      s.fragmentShader = s.fragmentShader
        .replace("#include <common>", `${ROAD_HEAD}\n${ROAD_PARS}`)
        .replace("#include <color_fragment>", ROAD_COLOUR)
        .replace(
          "#include <roughnessmap_fragment>",
          "float roughnessFactor = mix(0.90 - gloss - 0.10 * n0.r, 0.62, paint);",
        );
    };
    m.customProgramCacheKey = () => "road";
  }
  return [plain, standard, standard];
}

const GRASS = /* glsl */ `
  vec3 b = texture2D(noise, vGround.xy * 0.037).rgb;
    vec3 a = texture2D(noise, vGround.xy * 0.46).rgb, c = texture2D(noise, vGround.xy * 0.0061 + 0.2).rgb;
    float fine = clamp(1.2 - 2.0 * max(fwidth(vGround.x), fwidth(vGround.y)), 0.0, 1.0);
  float g = 0.5 + (a.r - 0.5) * 0.55 * fine + (b.g - 0.5) * 0.8 + (c.b - 0.5) * 0.9;
  vec3 dry = vec3(0.270, 0.238, 0.130), green = vec3(0.118, 0.160, 0.058), deep = vec3(0.066, 0.104, 0.036);
  vec3 grass = mix(mix(deep, green, smoothstep(0.15, 0.55, g)), dry, smoothstep(0.48, 0.92, g + (c.g - 0.5) * 0.6));
  float stony = smoothstep(0.42, 0.62, vGround.z + (b.r - 0.5) * 0.20 + (a.g - 0.5) * 0.22);
  diffuseColor.rgb = mix(grass, vec3(0.215, 0.195, 0.16) * (0.75 + 0.5 * a.r), stony * 0.9);`;

// Vertices carry (place in the plan, share of gravel), and their colour in light for the plain material.
export function grassMaterials(): BodyMaterial[] {
  const m = new MeshStandardMaterial({ roughness: 1, envMapIntensity: 0.8 });
  m.onBeforeCompile = (s) => {
    s.uniforms.noise = { value: groundNoise() };
    s.vertexShader = s.vertexShader
      .replace("#include <common>", "#include <common>\nattribute vec3 place; varying vec3 vGround;")
      .replace("#include <begin_vertex>", "#include <begin_vertex>\nvGround = place;");
    s.fragmentShader = s.fragmentShader
      .replace("#include <common>", "#include <common>\nuniform sampler2D noise; varying vec3 vGround;")
      .replace("#include <color_fragment>", GRASS);
  };
  m.customProgramCacheKey = () => "grass";
  return [new MeshBasicMaterial({ vertexColors: true }), m, m];
}
