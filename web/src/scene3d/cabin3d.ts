// cabin3d.ts - what a driver sees of the car: dashboard, steering wheel, pillars, roof edge, mirror, bonnet.
//
// Metres about the eyes: x forward, y left, z up. It turns with the car, the head turns in it.
import {
  BufferGeometry,
  Color,
  Float32BufferAttribute,
  Group,
  Mesh,
  MeshLambertMaterial,
  MeshStandardMaterial,
  TorusGeometry,
  type Vector3,
} from "three";
import { at, block, Mesher } from "./mesher.ts";
import type { BodyMaterial } from "./paintshader.ts";
import type { Step } from "./quality.ts";

export const RATIO = 15; // of the steering
const DARK = [0.045, 0, 0, 0];
const SOFT = [0.08, 0, 0, 0];
const LINING = [0.2, 0, 0, 0];
const DIAL = [0.5, 0, 0, 0];

export class Cabin {
  group = new Group();
  private trim: BodyMaterial[];
  private paint: BodyMaterial[];
  private inside: Mesh;
  private wheel: Mesh;
  private bonnet: Mesh;

  constructor() {
    const standard = (roughness: number): MeshStandardMaterial =>
      new MeshStandardMaterial({ vertexColors: true, roughness });
    const dull = standard(0.75);
    const gloss = new MeshStandardMaterial({ roughness: 0.3, metalness: 0.3 });
    this.trim = [new MeshLambertMaterial({ vertexColors: true }), dull, dull];
    this.paint = [new MeshLambertMaterial(), gloss, gloss];
    this.inside = new Mesh(insideShape(), this.trim[0]);
    this.wheel = new Mesh(wheelShape(), this.trim[0]);
    this.wheel.position.set(0.47, 0, -0.34);
    this.bonnet = new Mesh(bonnetShape(), this.paint[0]);
    for (const m of [this.inside, this.wheel, this.bonnet]) {
      m.frustumCulled = false;
      this.group.add(m);
    }
    this.group.visible = false;
  }

  setStep(step: Step): void {
    this.inside.material = this.wheel.material = this.trim[step.material];
    this.bonnet.material = this.paint[step.material];
  }

  // eye: in the picture; heading of the car; steer: angle of its wheels, rad.
  update(eye: Vector3, heading: number, steer: number, colour: Color): void {
    this.group.position.copy(eye);
    this.group.rotation.z = heading;
    this.wheel.rotation.set(-RATIO * steer, 0, 0);
    this.wheel.rotation.order = "YXZ";
    this.wheel.rotation.y = -0.42;
    for (const m of this.paint) m.color.copy(colour);
  }
}

// The shade of a vertex is its first extra number.
function shaded(m: Mesher): BufferGeometry {
  const g = m.build(35);
  const e = g.getAttribute("extra");
  const colours: number[] = [];
  for (let i = 0; i < e.count; i++) colours.push(e.getX(i), e.getX(i), 1.04 * e.getX(i));
  g.setAttribute("color", new Float32BufferAttribute(colours, 3));
  return g;
}

export function insideShape(): BufferGeometry {
  const m = new Mesher();
  const add = (x: number, y: number, z: number, l: number, w: number, h: number, e: number[], ry = 0, rx = 0): void =>
    m.add(block(l, w, h, 0.03), at(x, y, z, rx, ry, 0), undefined, e);
  add(0.8, -0.36, -0.47, 0.55, 1.9, 0.2, DARK, 0.06);
  add(0.7, 0, -0.33, 0.3, 0.42, 0.09, SOFT, 0.08); // hood of the instruments
  for (const y of [-0.07, 0.07]) add(0.555, y, -0.345, 0.02, 0.1, 0.055, DIAL, 0.3);
  add(0.6, -0.38, -0.42, 0.05, 0.26, 0.12, SOFT, 0.3); // middle
  add(0.54, -0.38, -0.41, 0.01, 0.2, 0.06, DIAL, 0.3);
  add(0.62, 0.6, -0.06, 0.05, 0.05, 0.98, DARK, -0.9, -0.08); // pillars
  add(0.62, -1.3, -0.06, 0.05, 0.05, 0.98, DARK, -0.9, 0.08);
  add(0.16, -0.36, 0.36, 0.5, 1.8, 0.06, LINING, 0.08); // roof
  add(0.44, -0.36, 0.2, 0.03, 0.24, 0.065, DARK); // mirror
  add(0.44, -0.36, 0.27, 0.02, 0.02, 0.1, DARK);
  for (const y of [0.56, -1.28]) add(-0.1, y, -0.42, 1.7, 0.06, 0.3, DARK); // doors
  return shaded(m);
}

export function wheelShape(): BufferGeometry {
  const m = new Mesher();
  m.add(new TorusGeometry(0.185, 0.014, 8, 28), at(0, 0, 0, 0, Math.PI / 2, 0), undefined, DARK);
  m.add(block(0.03, 0.1, 0.09, 0.02), null, undefined, SOFT);
  m.add(block(0.012, 0.35, 0.03, 0.013), null, undefined, SOFT);
  m.add(block(0.012, 0.03, 0.18, 0.013), at(0, 0, -0.09), undefined, SOFT);
  return shaded(m);
}

// Crowned, falling to the front and to the sides.
export function bonnetShape(): BufferGeometry {
  const m = new Mesher();
  const p = (i: number, j: number): number[] => {
    const u = i / 8;
    const v = j / 5 - 1;
    const x = 1.02 + 1.15 * u - 0.16 * v * v;
    return [x, -0.36 + 0.86 * v * (1 - 0.1 * u), -0.36 - 0.17 * u * u - 0.07 * v * v];
  };
  for (let i = 0; i < 8; i++) for (let j = 0; j < 10; j++) m.quad([p(i, j + 1), p(i, j), p(i + 1, j), p(i + 1, j + 1)]);
  return m.build(80);
}
