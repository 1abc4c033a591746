// terrain3d.ts - the land beside the road: verges that follow its height, rolling ground, hills on the horizon, trees.
//
// Decoration: the road's own height is the profile's, all around it is the same for every scenario. Heights and trees are
// functions of the place along the road, so that they stay where they are as the view moves.
import {
  BufferGeometry,
  CircleGeometry,
  Color,
  ConeGeometry,
  CylinderGeometry,
  Float32BufferAttribute,
  Group,
  IcosahedronGeometry,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  MeshStandardMaterial,
  Quaternion,
  Vector3,
} from "three";
import type { Side } from "../scene/plan.ts";
import { newSpot, type Ground } from "./ground3d.ts";
import { at, Mesher } from "./mesher.ts";
import { fractal, lerp, random, smooth } from "./noise.ts";
import type { BodyMaterial } from "./paintshader.ts";
import type { Step } from "./quality.ts";
import type { Lanes } from "./lanes3d.ts";
import { grassMaterials } from "./roadshader.ts";
import type { Sky } from "./sky3d.ts";

export const VERGE = 1.6; // m beside the shoulder's inner edge: where the ground begins
export const COLUMNS = [0, 1.5, 3.5, 7, 12, 18, 26, 36, 50, 70, 100, 140, 190, 260, 350, 470, 620]; // m from the verge
export const PERIOD = 900; // m, of the noise
export const CELL = 30; // m of road with a few places for trees
const TREES = 700;
const hill = fractal(19, 5, 4);
const roll = fractal(24, 9, 3);
const clump = fractal(59, 9, 3);
export const RINGS = [
  { radius: 1500, height: 105 },
  { radius: 2300, height: 210 },
];

const side: Side = { left: 0, right: 0 };

export class Terrain {
  group = new Group();
  private grass = grassMaterials();
  private leaves: BodyMaterial[];
  private land = new Mesh(new BufferGeometry(), this.grass[0]);
  private plain = new Mesh(new CircleGeometry(2900, 40), new MeshBasicMaterial());
  private rings: Mesh<BufferGeometry, MeshBasicMaterial>[];
  private trees: InstancedMesh[];
  private shapes: BufferGeometry[][]; // coarse, fine
  private sky: Sky | null = null;
  private spot = newSpot();
  private beyond = 0;
  private m = new Matrix4();
  private v = new Vector3();
  private q = new Quaternion();
  private size = new Vector3();

  constructor() {
    const standard = new MeshStandardMaterial({ roughness: 1, vertexColors: true, envMapIntensity: 0.8 });
    this.leaves = [new MeshLambertMaterial({ vertexColors: true }), standard, standard];
    this.shapes = [0, 1].map((fine) => [treeShape(1, fine), treeShape(2, fine), firShape()]);
    this.land.receiveShadow = true;
    this.rings = RINGS.map((r) => new Mesh(ringShape(r.radius, r.height), new MeshBasicMaterial()));
    this.trees = this.shapes[0].map((g) => new InstancedMesh(g, this.leaves[0], TREES));
    const c = new Color();
    for (const t of this.trees) {
      t.setColorAt(0, c);
      t.castShadow = true;
    }
    this.plain.renderOrder = 0.4; // what is nearer hides most of them
    for (const r of this.rings) r.renderOrder = 0.3;
    for (const m of [this.land, this.plain, ...this.rings, ...this.trees]) {
      m.frustumCulled = false;
      this.group.add(m);
    }
  }

  setStep(step: Step): void {
    this.land.material = this.grass[step.material];
    this.trees.forEach((t, k) => {
      t.material = this.leaves[step.material];
      t.geometry = this.shapes[step.material > 0 ? 1 : 0][k];
    });
  }

  repaint(sky: Sky, dark: boolean): void {
    this.sky = sky;
    const c = sky.light(0, 0, 1, this.plain.material.color);
    c.setRGB(0.14 * c.r, 0.165 * c.g, 0.068 * c.b); // the mean of the grass
    this.rings[0].material.color.set(dark ? 0x1c2530 : 0x8ba08f);
    this.rings[1].material.color.set(dark ? 0x222d3c : 0x9fb4c0);
  }

  // m above the road at distance d from the verge of a station, on the left (1) or right (-1).
  private height(s: number, d: number, sign: number): number {
    const u = s / PERIOD;
    const v = (sign * (d + 12)) / PERIOD + 0.5;
    const ditch = 0.7 * smooth(0, 4, d) * smooth(14, 5, d) + 0.4 * smooth(0, 10, d);
    const far = smooth(6, 170, d) * (hill(u, v) - 0.4) * 46;
    return -0.08 - ditch + far + smooth(3, 40, d) * (roll(u * 3, v * 3) - 0.5) * 2.6;
  }

  // crossings: x, y of ramps; own: x, y, station of a road that bends; beyond: m, what lies between the road and the land
  // on its left.
  make(p: Lanes, ground: Ground, stations: number[], crossings: number[], own: number[], beyond: number): void {
    this.beyond = beyond;
    const position: number[] = [];
    const place: number[] = [];
    const index: number[] = [];
    const n = 2 * COLUMNS.length;
    let low = Infinity;
    stations.forEach((s, i) => {
      p.edges(s, side);
      const left = Number.isFinite(side.left) ? side.left + VERGE + beyond : 4 + beyond;
      const right = Number.isFinite(side.right) ? side.right - VERGE : -8;
      const bend = ground.plan ? ground.plan.main.curvature(s) : 0;
      const limits = [1, -1].map((sign) => this.limit(s, sign > 0 ? left : right, sign, bend, p, ground, own));
      for (let k = 0; k < n; k++) {
        // From the far left to the far right.
        const sign = k < COLUMNS.length ? 1 : -1;
        const d0 = COLUMNS[sign > 0 ? COLUMNS.length - 1 - k : k - COLUMNS.length];
        const d = Math.min(d0, limits[sign > 0 ? 0 : 1]);
        const y = sign > 0 ? left + d : right - d;
        const q = ground.spot(s + p.base, y, p.path, this.spot);
        let z = this.height(s, d, sign);
        if (crossings.length) z = flattened(z, q.x, q.y, crossings);
        position.push(q.x, q.y, q.z + z);
        place.push(s, y, smooth(3.4, -0.4, d));
        low = Math.min(low, q.z + z);
        if (i && k && k !== COLUMNS.length) index.push(...quad((i - 1) * n + k, i * n + k));
      }
    });
    // Under the road, between the verges.
    for (let i = 1; i < stations.length; i++) index.push(...quad((i - 1) * n + COLUMNS.length, i * n + COLUMNS.length));
    const g = new BufferGeometry();
    g.setAttribute("position", new Float32BufferAttribute(position, 3));
    g.setAttribute("place", new Float32BufferAttribute(place, 3));
    g.setIndex(index);
    g.computeVertexNormals();
    g.setAttribute("color", this.shades(g, place));
    this.land.geometry.dispose();
    this.land.geometry = g;
    this.plain.position.z = low - (own.length ? 0.3 : 4);
    for (const r of this.rings) r.position.z = low - 4;
    this.plant(p, ground, stations, crossings);
  }

  // How far the land of a station reaches: not beyond the middle of a bend, nor to where another stretch is nearer.
  private limit(s: number, y: number, sign: number, bend: number, p: Lanes, ground: Ground, own: number[]): number {
    let most = bend * sign > 0 ? 0.8 / Math.abs(bend) : Infinity;
    if (!own.length) return most;
    for (let k = 1; k < COLUMNS.length && COLUMNS[k] < most; k++) {
      const q = ground.spot(s + p.base, y + sign * COLUMNS[k], p.path, this.spot);
      let near = Infinity;
      let at = s;
      for (let i = 0; i < own.length; i += 3) {
        const d = (own[i] - q.x) ** 2 + (own[i + 1] - q.y) ** 2;
        if (d < near) {
          near = d;
          at = own[i + 2];
        }
      }
      if (Math.abs(at - s) > 60 + 0.5 * COLUMNS[k]) most = COLUMNS[k - 1];
    }
    return most;
  }

  // Colours of the vertices in the sky's light, for the plain step.
  private shades(g: BufferGeometry, place: number[]): Float32BufferAttribute {
    const normal = g.getAttribute("normal");
    const out: number[] = [];
    const light = new Color();
    for (let i = 0; i < normal.count; i++) {
      const s = place[3 * i];
      const y = place[3 * i + 1];
      const k = smooth(0.3, 0.7, roll(s / 260, y / 260) * 0.6 + clump(s / 700, y / 700) * 0.4);
      const gravel = place[3 * i + 2] * 0.9;
      this.sky!.light(normal.getX(i), normal.getY(i), normal.getZ(i), light);
      out.push(
        light.r * lerp(lerp(0.098, 0.19, k), 0.215, gravel),
        light.g * lerp(lerp(0.135, 0.196, k), 0.195, gravel),
        light.b * lerp(lerp(0.048, 0.09, k), 0.16, gravel),
      );
    }
    return new Float32BufferAttribute(out, 3);
  }

  private plant(p: Lanes, ground: Ground, stations: number[], crossings: number[]): void {
    const counts = this.trees.map(() => 0);
    const c = new Color();
    const from = Math.ceil(stations[0] / CELL);
    const to = Math.floor(stations[stations.length - 1] / CELL);
    for (let cell = from; cell < to; cell++) {
      const r = random(cell * 2654435761);
      for (let k = 0; k < 9; k++) {
        const s = (cell + r()) * CELL;
        const sign = r() < 0.5 ? 1 : -1;
        const d = 12 + 230 * r() ** 1.6;
        const near = d < 38;
        const which = near ? (r() < 0.75 ? 0 : 1) : Math.floor(3 * r());
        const size = near ? 0.32 + 0.4 * r() : 0.8 + 0.75 * r();
        const wide = size * (0.9 + 0.3 * r());
        const turn = 6.28 * r();
        const hue = r();
        if (clump(s / PERIOD, (sign * d) / PERIOD + 0.5) < 0.47 + 0.07 * r() || counts[which] >= TREES) continue;
        const bend = ground.plan ? ground.plan.main.curvature(s) : 0;
        if (bend * sign > 0 && d > 0.7 / Math.abs(bend)) continue;
        p.edges(s, side);
        const y = sign > 0 ? side.left + VERGE + this.beyond + d : side.right - VERGE - d;
        if (!Number.isFinite(y)) continue;
        const q = ground.spot(s + p.base, y, p.path, this.spot);
        if (crossings.length && nearest(q.x, q.y, crossings) < 14) continue;
        let z = this.height(s, d, sign);
        if (crossings.length) z = flattened(z, q.x, q.y, crossings);
        this.v.set(q.x, q.y, q.z + z - 0.9 * size * (near ? 1.6 : 0.4));
        this.q.set(0, 0, Math.sin(turn / 2), Math.cos(turn / 2));
        this.m.compose(this.v, this.q, this.size.set(wide, wide, size));
        const t = this.trees[which];
        t.setMatrixAt(counts[which], this.m);
        t.setColorAt(
          counts[which]++,
          c.setHSL(0.225 + 0.07 * hue + (which === 2 ? 0.04 : 0), 0.4, which === 2 ? 0.17 : 0.2 + 0.09 * hue),
        );
      }
    }
    this.trees.forEach((t, k) => {
      t.count = counts[k];
      t.instanceMatrix.needsUpdate = true;
      t.instanceColor!.needsUpdate = true;
    });
  }
}

// Two triangles between columns k - 1 and k of two rows, the left column first.
function quad(a: number, b: number): number[] {
  return [a - 1, a, b, a - 1, b, b - 1];
}

function nearest(x: number, y: number, list: number[]): number {
  let min = Infinity;
  for (let i = 0; i < list.length; i += 2) {
    const dx = list[i] - x;
    const dy = list[i + 1] - y;
    min = Math.min(min, dx * dx + dy * dy);
  }
  return Math.sqrt(min);
}

// The ground is level with the road where a ramp, or another stretch of it, runs over it.
function flattened(z: number, x: number, y: number, crossings: number[]): number {
  const d = nearest(x, y, crossings);
  return -0.2 + (z + 0.2) * smooth(16, 80, d);
}

export function ringShape(radius: number, height: number): BufferGeometry {
  const m = new Mesher();
  const f = fractal(19 + radius, 7, 4);
  const n = 100;
  let before: number[][] | null = null;
  for (let i = 0; i <= n; i++) {
    const t = (2 * Math.PI * i) / n;
    const z = height * (0.25 + 1.1 * f(i / n, 0.3));
    const p = (r: number, up: number): number[] => [r * Math.cos(t), r * Math.sin(t), up];
    const row = [p(radius * 0.82, -5), p(radius * 0.92, z * 0.55), p(radius, z)];
    if (before) for (let k = 0; k < 2; k++) m.quad([row[k], before[k], before[k + 1], row[k + 1]]);
    before = row;
  }
  return m.build(80);
}

// Light above, dark below: as if a crown shaded itself.
function shaded(g: BufferGeometry, trunk: BufferGeometry): BufferGeometry {
  const p = g.getAttribute("position");
  const n = g.getAttribute("normal");
  const colours: number[] = [];
  for (let i = 0; i < p.count; i++) {
    const k = Math.min(1, Math.max(0, (p.getZ(i) - 1.2) / 4.6));
    const s = (0.45 + 0.75 * k) * (0.82 + 0.18 * n.getZ(i));
    colours.push(s, s, s);
  }
  const q = trunk.getAttribute("position");
  for (let i = 0; i < q.count; i++) colours.push(0.22, 0.2, 0.18);
  const out = new BufferGeometry();
  const both = (a: ArrayLike<number>, b: ArrayLike<number>): Float32BufferAttribute =>
    new Float32BufferAttribute([...Array.from(a), ...Array.from(b)], 3);
  out.setAttribute("position", both(p.array, q.array));
  out.setAttribute("normal", both(n.array, trunk.getAttribute("normal").array));
  out.setAttribute("color", new Float32BufferAttribute(colours, 3));
  out.setIndex([...Array.from(g.index!.array), ...Array.from(trunk.index!.array).map((i) => i + p.count)]);
  return out;
}

function trunkShape(): BufferGeometry {
  const m = new Mesher();
  m.add(new CylinderGeometry(0.12, 0.2, 2.6, 5, 1, true), at(0, 0, 1.1, Math.PI / 2, 0, 0));
  return m.build(60);
}

export function treeShape(seed: number, fine: number): BufferGeometry {
  const r = random(seed);
  const m = new Mesher();
  const blob = (x: number, y: number, z: number, radius: number): void => {
    const g = new IcosahedronGeometry(1, fine);
    const p = g.getAttribute("position");
    const lumps = new Map<string, number>();
    for (let i = 0; i < p.count; i++) {
      const key = [p.getX(i), p.getY(i), p.getZ(i)].map((v) => v.toFixed(2)).join();
      const k = radius * (lumps.get(key) ?? lumps.set(key, 0.82 + 0.36 * r()).get(key)!);
      p.setXYZ(i, x + k * p.getX(i), y + k * p.getY(i), z + 0.92 * k * p.getZ(i));
    }
    m.add(g, null);
  };
  blob(0, 0, 3.7, 1.75);
  for (let i = 0; i < (fine ? 5 : 1); i++) {
    const t = i * 1.26 + r();
    blob(1.15 * Math.cos(t), 1.15 * Math.sin(t), 2.7 + 1.3 * r(), 1 + 0.35 * r());
  }
  return shaded(m.build(180), trunkShape());
}

export function firShape(): BufferGeometry {
  const m = new Mesher();
  for (let i = 0; i < 4; i++)
    m.add(new ConeGeometry(1.5 - i * 0.32, 2.3, 7, 1, true), at(0, 0, 1.9 + i * 1.35, Math.PI / 2, 0, 0));
  return shaded(m.build(180), trunkShape());
}
