// sky3d.ts - the light of the 3-D view, by day for the light theme and in the evening for the dark one: the sky, the
// environment that is made from that same sky, the sun with its shadow box, the haze.
import {
  ACESFilmicToneMapping,
  BackSide,
  Color,
  DirectionalLight,
  FogExp2,
  HemisphereLight,
  Mesh,
  NoToneMapping,
  PMREMGenerator,
  Scene,
  ShaderMaterial,
  SphereGeometry,
  Vector2,
  Vector3,
  type Texture,
  type WebGLRenderer,
  type WebGLRenderTarget,
} from "three";
import type { Anchor } from "./ground3d.ts";
import { fractal, textureFrom } from "./noise.ts";
import type { Step } from "./quality.ts";

export interface Look {
  zenith: number;
  mid: number;
  horizon: number;
  ground: number;
  glow: number;
  cloud: number;
  clouds: number;
  sun: [number, number, number]; // towards it, in the plane of the plan
  glowAt: [number, number];
  sunColour: number;
  sunPower: number;
  ambient: number; // of the environment
  hemisphere: number; // instead of it, where there is none
  wash: number; // colour taken out of the environment: shaded sides are grey, not blue
  exposure: number;
  fog: number; // 1/m
  stars: number;
  glowPower: number;
}
export const DAY: Look = {
  zenith: 0x6ea0d6,
  mid: 0xb4d0ea,
  horizon: 0xe2ebf2,
  ground: 0xa09c90,
  glow: 0xfff1d6,
  cloud: 0xffffff,
  clouds: 0.62,
  sun: [-0.52, 0.5, 0.66],
  glowAt: [-0.52, 0.5],
  sunColour: 0xffeeda,
  sunPower: 3.9,
  ambient: 0.8,
  hemisphere: 2,
  wash: 0.5,
  exposure: 0.95,
  fog: 0.00105,
  stars: 0,
  glowPower: 0.55,
};
export const EVENING: Look = {
  zenith: 0x0a1322,
  mid: 0x172840,
  horizon: 0x36455c,
  ground: 0x11151b,
  glow: 0xff9a5a,
  cloud: 0x273246,
  clouds: 0.6,
  sun: [-0.46, 0.42, 0.78],
  glowAt: [0.93, 0.36],
  sunColour: 0xdbe4f4,
  sunPower: 1,
  ambient: 3.1,
  hemisphere: 2.2,
  wash: 0.62,
  exposure: 1.05,
  fog: 0.0016,
  stars: 1,
  glowPower: 0.16,
};

// Display colours, not tone mapped: haze is applied after tone mapping, and both must meet at the horizon.
const SKY_COLOUR = /* glsl */ `
  uniform vec3 zenith, mid, horizon, ground, glow, cloud, sun;
  uniform vec2 glowAt;
  uniform float wash, clouds, stars, glowPower, lamp;
  uniform sampler2D noise;
  vec3 skyColour(vec3 d) {
    float h = d.z;
    vec3 c = mix(horizon, mid, smoothstep(0.0, 0.22, h));
    c = mix(c, zenith, smoothstep(0.12, 0.85, h));
    float s = max(dot(d, normalize(sun)), 0.0);
    float a = max(dot(normalize(d.xy + 1e-5), normalize(glowAt)), 0.0);
    c += glow * glowPower * (0.55 * pow(s, 24.0) + 0.10 * pow(s, 4.0)) * lamp * (1.0 - stars);
    c += glow * glowPower * stars * pow(a, 4.0) * exp(-max(h, 0.0) * 13.0);
    if (h > 0.015) {
      vec2 q = d.xy / (h + 0.12) * 0.055;
      float n = texture2D(noise, q + 0.13).r * 0.62 + texture2D(noise, q * vec2(2.3, 3.1)).r * 0.38;
      c = mix(c, cloud, smoothstep(0.47, 0.66, n) * smoothstep(0.015, 0.20, h) * clouds * 0.72);
    }
    c = mix(c, ground, smoothstep(0.0, -0.05, h));
    return mix(c, vec3(dot(c, vec3(0.25, 0.65, 0.10))), wash);
  }`;
const VERTEX = /* glsl */ `
  varying vec3 dir;
  #ifdef COARSE
    varying vec3 shade;
    ${SKY_COLOUR}
  #endif
  void main() {
    dir = position;
    #ifdef COARSE
      shade = skyColour(normalize(position));
    #endif
    vec4 p = projectionMatrix * mat4(mat3(modelViewMatrix)) * vec4(position, 1.0);
    gl_Position = p.xyww;
  }`;
const FRAGMENT = /* glsl */ `
  varying vec3 dir;
  #ifdef COARSE
    varying vec3 shade;
    void main() { gl_FragColor = vec4(shade, 1.0);
  #else
    ${SKY_COLOUR}
    void main() {
      vec3 d = normalize(dir);
      vec3 c = skyColour(d);
      if (stars > 0.5 && d.z > 0.05) {
        float r = fract(sin(dot(floor(d * 190.0), vec3(12.99, 78.23, 37.7))) * 43758.5);
        float spot = smoothstep(0.30, 0.0, length(fract(d * 190.0) - 0.5));
        c += vec3(0.75, 0.82, 1.0) * step(0.9965, r) * spot * smoothstep(0.05, 0.4, d.z) * 0.55;
      }
      gl_FragColor = vec4(c, 1.0);
  #endif
    #include <colorspace_fragment>
  }`;

let cloudNoise: Texture | null = null;

function dome(coarse: boolean): Mesh<SphereGeometry, ShaderMaterial> {
  if (!cloudNoise) {
    const f = fractal(5, 5, 5);
    cloudNoise = textureFrom(256, (u, v, p) => (p[0] = p[1] = p[2] = 255 * f(u, v)));
  }
  const colours = ["zenith", "mid", "horizon", "ground", "glow", "cloud"].map((k) => [k, { value: new Color() }]);
  const numbers = ["wash", "clouds", "stars", "glowPower"].map((k) => [k, { value: 0 }]);
  const material = new ShaderMaterial({
    side: BackSide,
    depthWrite: false,
    toneMapped: false,
    defines: coarse ? { COARSE: "" } : {},
    uniforms: {
      ...(Object.fromEntries([...colours, ...numbers]) as Record<string, { value: unknown }>),
      sun: { value: new Vector3() },
      glowAt: { value: new Vector2() },
      lamp: { value: 1 },
      noise: { value: cloudNoise },
    },
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
  });
  const g = new SphereGeometry(10, 64, 48);
  g.rotateX(Math.PI / 2); // poles along z
  const mesh = new Mesh(g, material);
  mesh.frustumCulled = false;
  mesh.renderOrder = 0.5; // behind all that is solid
  return mesh;
}

function paint(mesh: Mesh<SphereGeometry, ShaderMaterial>, look: Look, wash: number, lamp: number): void {
  const u = mesh.material.uniforms;
  for (const k of ["zenith", "mid", "horizon", "ground", "glow", "cloud"] as const) u[k].value.set(look[k]);
  for (const k of ["clouds", "stars", "glowPower"] as const) u[k].value = look[k];
  u.sun.value.set(...look.sun);
  u.glowAt.value.set(...look.glowAt);
  u.wash.value = wash;
  u.lamp.value = lamp;
}

const RADIUS = 50; // m, of the shadow box

export class Sky {
  readonly sun = new DirectionalLight();
  look = DAY;
  private fine = dome(false);
  private coarse = dome(true); // a colour for every vertex: costs a processor that draws nearly nothing
  private hemisphere = new HemisphereLight();
  private made: { look: Look; target: WebGLRenderTarget } | null = null;
  private environment = false;
  private towards = new Vector3();
  private right = new Vector3();
  private up = new Vector3();

  constructor(
    private renderer: WebGLRenderer,
    private scene: Scene,
  ) {
    renderer.toneMapping = ACESFilmicToneMapping;
    this.hemisphere.position.set(0, 0, 1);
    const s = this.sun.shadow;
    s.bias = -0.0004;
    s.normalBias = 0.02;
    s.radius = 2.2;
    s.camera.left = s.camera.bottom = -RADIUS;
    s.camera.right = s.camera.top = RADIUS;
    s.camera.near = 1;
    s.camera.far = 4 * RADIUS + 120;
    scene.add(this.fine, this.coarse, this.hemisphere, this.sun, this.sun.target);
  }

  set(look: Look, step: Step): void {
    this.look = look;
    const { renderer, scene, sun } = this;
    renderer.toneMappingExposure = look.exposure;
    scene.fog = new FogExp2(look.horizon, look.fog);
    for (const d of [this.fine, this.coarse]) paint(d, look, 0, 1);
    this.environment = step.material > 0;
    this.fine.visible = this.environment;
    this.coarse.visible = !this.environment;
    this.hemisphere.visible = !this.environment;
    this.hemisphere.color.set(look.mid);
    this.hemisphere.groundColor.set(look.ground);
    this.hemisphere.intensity = look.hemisphere;
    this.above.set(look.mid).multiplyScalar(look.hemisphere / Math.PI);
    this.below.set(look.ground).multiplyScalar(look.hemisphere / Math.PI);
    this.rays.set(look.sunColour).multiplyScalar(look.sunPower / Math.PI);
    sun.color.set(look.sunColour);
    sun.intensity = look.sunPower;
    sun.castShadow = step.shadow > 0;
    if (step.shadow && sun.shadow.mapSize.x !== step.shadow) {
      sun.shadow.mapSize.set(step.shadow, step.shadow);
      sun.shadow.map?.dispose();
      sun.shadow.map = null;
    }
    if (this.environment) this.makeEnvironment(look);
    scene.environment = this.environment ? this.made!.target.texture : null;
    scene.environmentIntensity = look.ambient;
  }

  // Light on a surface with a normal, as in the plain step: over pi, to be multiplied by its colour.
  light(nx: number, ny: number, nz: number, out: Color): Color {
    const { look, above, below, rays } = this;
    const [x, y, z] = look.sun;
    const facing = Math.max(0, (nx * x + ny * y + nz * z) / Math.hypot(x, y, z));
    const up = 0.5 + 0.5 * nz;
    return out.setRGB(
      below.r + up * (above.r - below.r) + facing * rays.r,
      below.g + up * (above.g - below.g) + facing * rays.g,
      below.b + up * (above.b - below.b) + facing * rays.b,
    );
  }
  private above = new Color();
  private below = new Color();
  private rays = new Color();

  // The same dome in a prefiltered cube, without the sun, which is a light.
  private makeEnvironment(look: Look): void {
    if (this.made?.look === look) return;
    this.made?.target.dispose();
    const probe = new Scene();
    const d = dome(false);
    paint(d, look, look.wash, 0.5);
    probe.add(d);
    const generator = new PMREMGenerator(this.renderer);
    const tone = this.renderer.toneMapping;
    this.renderer.toneMapping = NoToneMapping;
    this.made = { look, target: generator.fromScene(probe, 0, 0.1, 100) };
    this.renderer.toneMapping = tone;
    generator.dispose();
    d.geometry.dispose();
    d.material.dispose();
  }

  // Turns the sky with the picture and puts the shadow box about a point, on whole texels of the plan: edges of shadows do
  // not crawl as it moves.
  follow(anchor: Anchor, x: number, y: number, z: number): void {
    const turn = Math.atan2(anchor.s, anchor.c);
    this.fine.rotation.z = this.coarse.rotation.z = -turn;
    this.scene.environmentRotation.set(0, 0, turn);
    const [sx, sy, sz] = this.look.sun;
    this.towards.set(anchor.c * sx + anchor.s * sy, anchor.c * sy - anchor.s * sx, sz).normalize();
    this.right.set(-this.towards.y, this.towards.x, 0).normalize();
    this.up.crossVectors(this.towards, this.right);
    // The point in the plan, from where texels count.
    const px = anchor.x + anchor.c * x - anchor.s * y;
    const py = anchor.y + anchor.s * x + anchor.c * y;
    const pz = anchor.height + z;
    const qx = anchor.c * px + anchor.s * py;
    const qy = anchor.c * py - anchor.s * px;
    const texel = (2 * RADIUS) / this.sun.shadow.mapSize.x;
    const { target } = this.sun;
    target.position.set(x, y, z);
    for (const axis of [this.right, this.up]) {
      const u = axis.x * qx + axis.y * qy + axis.z * pz;
      target.position.addScaledVector(axis, Math.round(u / texel) * texel - u);
    }
    this.sun.position.copy(target.position).addScaledVector(this.towards, 2 * RADIUS + 40);
    target.updateMatrixWorld();
  }
}
