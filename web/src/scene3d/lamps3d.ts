// lamps3d.ts - light about vehicles that is not theirs alone: the dark where they stand on the road, glows of lamps, pools
// of light in front of them.
import {
  AdditiveBlending,
  InstancedBufferAttribute,
  MeshBasicMaterial,
  PlaneGeometry,
  ShaderMaterial,
  type Object3D,
} from "three";
import { Instances } from "./instances.ts";
import { clamp, textureFrom } from "./noise.ts";

const GLOW_VERTEX = /* glsl */ `
  attribute vec3 tint; varying vec2 q; varying vec3 c; varying float far;
  void main() {
    q = position.xy;
    vec4 p = modelViewMatrix * instanceMatrix * vec4(0.0, 0.0, 0.0, 1.0);
    far = -p.z;
    // Column 1 is where the lamp shines to: it is seen from there.
    vec3 axis = normalize((modelViewMatrix * vec4(instanceMatrix[1].xyz, 0.0)).xyz);
    c = tint * smoothstep(0.0, 0.55, dot(axis, normalize(-p.xyz)));
    p.xyz += normalize(-p.xyz) * 0.25;
    p.xy += position.xy * length(instanceMatrix[0].xyz) * (1.0 + far * 0.004);
    gl_Position = projectionMatrix * p;
  }`;
const GLOW_FRAGMENT = /* glsl */ `
  varying vec2 q; varying vec3 c; varying float far;
  void main() {
    float r = length(q);
    float a = exp(-9.0 * r * r) * max(0.0, 1.0 - r) * 0.8 + exp(-90.0 * r * r) * 0.6;
    gl_FragColor = vec4(c * a * exp(-far * 0.0012), 1.0);
    #include <tonemapping_fragment>
    #include <colorspace_fragment>
  }`;

export class Lamps {
  evening = false;
  private contact: Instances;
  private glow: Instances;
  private pool: Instances;
  private tint = new Float32Array(3 * 256);

  constructor(parent: Object3D) {
    const plane = new PlaneGeometry(2, 2);
    const soft = textureFrom(
      64,
      (u, v, p) => {
        const d = Math.hypot(Math.max(Math.abs(2 * u - 1) - 0.62, 0), Math.max(Math.abs(2 * v - 1) - 0.52, 0)) / 0.38;
        const a = clamp(1 - d);
        p[0] = p[1] = p[2] = 0;
        p[3] = 255 * a * a * (3 - 2 * a);
      },
      false,
      false,
    );
    const cone = textureFrom(
      64,
      (u, v, p) => {
        const y = Math.abs(2 * v - 1);
        const lobe = Math.exp(-(((y - 0.13) / (0.16 + 0.62 * u)) ** 2) * 2.2);
        const a = lobe * Math.min(1, u * 9) * Math.exp(-u * 2.6) * (1 - u) ** 0.6;
        p[0] = 255 * a;
        p[1] = 243 * a;
        p[2] = 218 * a;
      },
      true,
      false,
    );
    const over = { transparent: true, depthWrite: false, polygonOffset: true };
    const dark = new MeshBasicMaterial({
      ...over,
      map: soft,
      color: 0x000000,
      opacity: 0.62,
      polygonOffsetFactor: -4,
      polygonOffsetUnits: -4,
    });
    const light = new MeshBasicMaterial({
      ...over,
      map: cone,
      opacity: 0.62,
      blending: AdditiveBlending,
      polygonOffsetFactor: -6,
      polygonOffsetUnits: -6,
      fog: false,
    });
    const spark = new ShaderMaterial({
      transparent: true,
      depthWrite: false,
      blending: AdditiveBlending,
      toneMapped: false,
      vertexShader: GLOW_VERTEX,
      fragmentShader: GLOW_FRAGMENT,
    });
    this.contact = new Instances(parent, plane, dark, false, false);
    this.glow = new Instances(parent, plane, spark, false, false);
    this.pool = new Instances(parent, plane, light, false, false);
    this.contact.mesh.renderOrder = 2;
    this.pool.mesh.renderOrder = 3;
    this.glow.mesh.renderOrder = 9;
    this.glow.mesh.geometry.setAttribute("tint", new InstancedBufferAttribute(this.tint, 3));
  }

  begin(): void {
    this.contact.count = this.glow.count = this.pool.count = 0;
  }

  // The dark under a vehicle: m is its matrix, without scale, at `from`; l, w its size.
  shade(m: Float32Array, from: number, l: number, w: number): void {
    const at = 16 * this.contact.next();
    scaled(this.contact.matrix, at, m, from, l * 0.585, w * 0.76, 0, 0.02);
  }

  // Light on the road in front of it.
  shine(m: Float32Array, from: number, l: number): void {
    const at = 16 * this.pool.next();
    scaled(this.pool.matrix, at, m, from, 13.5, 5.2, l / 2 + 13, 0.03);
  }

  // A lamp at (x, y, z) of the vehicle that shines forward (1) or backward (-1).
  lamp(
    m: Float32Array,
    from: number,
    x: number,
    y: number,
    z: number,
    size: number,
    forward: number,
    r: number,
    g: number,
    b: number,
  ): void {
    const i = this.glow.next();
    if (3 * i >= this.tint.length) {
      const more = new Float32Array(2 * this.tint.length);
      more.set(this.tint);
      this.tint = more;
      this.glow.mesh.geometry.setAttribute("tint", new InstancedBufferAttribute(more, 3));
    }
    const o = this.glow.matrix;
    const at = 16 * i;
    o.fill(0, at, at + 16);
    o[at] = size;
    o[at + 10] = o[at + 15] = 1;
    for (let k = 0; k < 3; k++) {
      o[at + 4 + k] = m[from + k] * forward;
      o[at + 12 + k] = m[from + 12 + k] + m[from + k] * x + m[from + 4 + k] * y + m[from + 8 + k] * z;
    }
    this.tint[3 * i] = r;
    this.tint[3 * i + 1] = g;
    this.tint[3 * i + 2] = b;
  }

  show(): void {
    for (const i of [this.contact, this.glow, this.pool]) i.show();
    const t = this.glow.mesh.geometry.getAttribute("tint") as InstancedBufferAttribute;
    t.clearUpdateRanges();
    t.addUpdateRange(0, 3 * this.glow.count);
    t.needsUpdate = true;
  }
}

// A plane lying in the vehicle's frame, `ahead` of its middle and `over` the road.
function scaled(
  o: Float32Array,
  at: number,
  m: Float32Array,
  from: number,
  l: number,
  w: number,
  ahead: number,
  over: number,
): void {
  for (let k = 0; k < 3; k++) {
    o[at + k] = m[from + k] * l;
    o[at + 4 + k] = m[from + 4 + k] * w;
    o[at + 8 + k] = m[from + 8 + k];
    o[at + 12 + k] = m[from + 12 + k] + m[from + k] * ahead + m[from + 8 + k] * over;
  }
  o[at + 3] = o[at + 7] = o[at + 11] = 0;
  o[at + 15] = 1;
}
