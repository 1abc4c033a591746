// scenery3d.ts - what stands beside a road of several lanes: the other carriageway behind a barrier, signs with
// kilometres, gantries with the names of exits.
//
// Decoration, except for what the signs say: stations of the road and names of its ramps. Roads of one lane, circuits,
// tight bends and roads with a ramp on the left have no other carriageway.
import {
  BoxGeometry,
  BufferGeometry,
  CanvasTexture,
  DoubleSide,
  Float32BufferAttribute,
  Group,
  InstancedMesh,
  Mesh,
  MeshLambertMaterial,
  MeshStandardMaterial,
  Object3D,
  SRGBColorSpace,
} from "three";
import type { RoadPlan, Side } from "../scene/plan.ts";
import { newSpot, type Ground } from "./ground3d.ts";
import type { Lanes } from "./lanes3d.ts";
import type { BodyMaterial } from "./paintshader.ts";
import type { Step } from "./quality.ts";
import { EDGE, FIELD } from "./roadshader.ts";
import type { Strips } from "./strips.ts";

export const MEDIAN = 0.7; // m between the shoulders
export const SHARPEST = 0.2; // width of all it adds, of the radius of the sharpest bend
export const KILOMETRES = 200; // m between signs
export const BARRIER = [
  [-0.3, 0],
  [-0.3, 0.08],
  [-0.12, 0.33],
  [-0.08, 0.81],
  [0.08, 0.81],
  [0.12, 0.33],
  [0.3, 0.08],
  [0.3, 0],
] as const; // m: across, up
const SIGNS = 8; // boards at a time
const CELL = 128; // px of a board on the sheet
const BOXES = 32;
const BEHIND = 60;
const AHEAD = 800; // m about the focus

export interface Beyond {
  lanes: number; // of the other carriageway; 0: there is none
  width: number; // m, of one
  wide: number; // m, from the left shoulder of the road to its far side
}

const side: Side = { left: 0, right: 0 };

// crossings: x, y of the picture, on ramps.
export function otherSide(p: Lanes, ground: Ground, stations: number[], shoulder: number, crossings: number[]): Beyond {
  const none = { lanes: 0, width: 0, wide: 0 };
  if (Number.isFinite(p.lap) || stations.length < 2) return none;
  let lanes = 0;
  let width = 0;
  for (let k = 0; k < p.count; k++) {
    p.sides(k, stations[0]!, side);
    if (side.left !== side.left) continue;
    lanes++;
    width = Math.max(width, side.left - side.right);
  }
  const wide = MEDIAN + 2 * shoulder + lanes * width;
  if (lanes < 2) return none;
  const spot = newSpot();
  for (const s of stations) {
    p.edges(s, side);
    const bend = ground.plan ? ground.plan.main.curvature(s) : 0;
    if (!Number.isFinite(side.left) || Math.abs(bend) * wide >= SHARPEST) return none;
    const q = ground.spot(s + p.base, side.left + shoulder + 0.5 * wide, p.path, spot);
    for (let i = 0; i < crossings.length; i += 2)
      if (Math.hypot(crossings[i]! - q.x, crossings[i + 1]! - q.y) <= 0.5 * wide + 4) return none;
  }
  return { lanes, width, wide };
}

// From its right to its left: the inner shoulder, lanes, the outer one.
export function otherLanes(strips: Strips, p: Lanes, stations: number[], shoulder: number, v: Beyond): void {
  for (let k = 0; v.lanes && k < v.lanes + 2; k++) {
    const edge = k === 0 || k === v.lanes + 1;
    const from = shoulder + MEDIAN + (k ? shoulder + (k - 1) * v.width : 0);
    const of = {
      left: edge ? (k ? EDGE.none : EDGE.yellow) : k === v.lanes ? EDGE.solid : EDGE.dashed,
      right: edge ? (k ? EDGE.solid : EDGE.none) : k === 1 ? EDGE.yellow : EDGE.dashed,
      field: edge ? FIELD.shoulder : FIELD.lane,
    };
    strips.cut();
    for (const s of stations) {
      const y = p.edges(s, side).left + from;
      strips.row(s + p.base, s, p.path, y + (edge ? shoulder : v.width), y, of);
    }
  }
}

interface Board {
  s: number;
  y: number;
  z: number;
  size: readonly [number, number];
  words: readonly [string, string];
}

export class Scenery {
  group = new Group();
  private materials: { concrete: BodyMaterial[]; steel: BodyMaterial[]; board: BodyMaterial[] };
  private barrier: Mesh;
  private posts: InstancedMesh;
  private boards: Mesh;
  private sheet = document.createElement("canvas");
  private texture: CanvasTexture;
  private words = ""; // on the sheet
  private spot = newSpot();
  private dummy = new Object3D();

  constructor() {
    this.sheet.width = SIGNS * CELL;
    this.sheet.height = CELL;
    this.texture = new CanvasTexture(this.sheet as HTMLCanvasElement);
    this.texture.colorSpace = SRGBColorSpace;
    const pair = (colour: number, roughness: number, metalness: number, map: CanvasTexture | null = null) => {
      const standard = new MeshStandardMaterial({ color: colour, roughness, metalness, side: DoubleSide, map });
      return [new MeshLambertMaterial({ color: colour, side: DoubleSide, map }), standard, standard];
    };
    this.materials = {
      concrete: pair(0xa8a7a3, 0.9, 0),
      steel: pair(0x9ba0a4, 0.5, 0.6),
      board: pair(0xffffff, 0.6, 0, this.texture),
    };
    this.barrier = new Mesh(new BufferGeometry(), this.materials.concrete[0]);
    this.posts = new InstancedMesh(new BoxGeometry(1, 1, 1), this.materials.steel[0], BOXES);
    this.boards = new Mesh(new BufferGeometry(), this.materials.board[0]);
    for (const m of [this.barrier, this.posts, this.boards]) {
      m.frustumCulled = false;
      m.castShadow = true;
      this.group.add(m);
    }
    this.barrier.receiveShadow = true;
  }

  setStep(step: Step): void {
    this.barrier.material = this.materials.concrete[step.material]!;
    this.posts.material = this.materials.steel[step.material]!;
    this.boards.material = this.materials.board[step.material]!;
  }

  make(
    p: Lanes,
    plan: RoadPlan | null,
    ground: Ground,
    stations: number[],
    shoulder: number,
    v: Beyond,
    focus: number,
  ): void {
    this.group.visible = v.lanes > 0;
    if (!v.lanes) return;
    this.makeBarrier(p, ground, stations, shoulder);
    const boards: Board[] = [];
    const boxes: number[][] = []; // s, y, z, sizes
    const from = focus - p.base - BEHIND;
    const to = Math.min(focus - p.base + AHEAD, p.to);
    for (const r of plan?.ramps ?? []) {
      if (r.on || r.main !== 0 || !r.name || r.from < from || r.from > to || boards.length >= 3) continue;
      p.edges(r.from, side);
      const left = side.left + 0.5 * shoulder;
      const right = side.right - shoulder - 1;
      boxes.push([r.from, right, 3.5, 0.28, 0.28, 7], [r.from, left, 3.5, 0.28, 0.28, 7]);
      for (const z of [6.9, 6]) boxes.push([r.from, 0.5 * (left + right), z, 0.22, left - right, 0.22]);
      const words = [r.name, `EXIT  ${Math.max(0, r.nose - r.from).toFixed(0)} m`] as const;
      boards.push({ s: r.from - 0.16, y: side.right + 2.2, z: 6.45, size: [4.4, 1.9], words });
    }
    for (let s = Math.max(1, Math.ceil(from / KILOMETRES)) * KILOMETRES; s < to; s += KILOMETRES) {
      if (boards.length >= SIGNS) break;
      const y = p.edges(s, side).right - shoulder - 0.9;
      if (!Number.isFinite(y)) continue;
      boxes.push([s, y, 1.05, 0.07, 0.07, 2.3]);
      boards.push({ s: s - 0.05, y, z: 2.2, size: [0.7, 1], words: ["km", (s / 1000).toFixed(1)] });
    }
    this.makePosts(p, ground, boxes);
    this.makeBoards(p, ground, boards);
  }

  // Every face has corners of its own: its edges are sharp.
  private makeBarrier(p: Lanes, ground: Ground, stations: number[], shoulder: number): void {
    const position: number[] = [];
    const index: number[] = [];
    const n = 2 * (BARRIER.length - 1);
    stations.forEach((s, i) => {
      const middle = p.edges(s, side).left + shoulder + 0.5 * MEDIAN;
      for (let k = 0; k < n; k++) {
        const [across, up] = BARRIER[(k + 1) >> 1]!;
        const q = ground.spot(s + p.base, middle + across, p.path, this.spot);
        position.push(q.x, q.y, q.z + up);
      }
      const b = n * i;
      for (let k = 0; i && k < n; k += 2) index.push(b + k - n, b + k, b + k + 1, b + k - n, b + k + 1, b + k + 1 - n);
    });
    const g = new BufferGeometry();
    g.setAttribute("position", new Float32BufferAttribute(position, 3));
    g.setIndex(index);
    g.computeVertexNormals();
    this.barrier.geometry.dispose();
    this.barrier.geometry = g;
  }

  private makePosts(p: Lanes, ground: Ground, boxes: number[][]): void {
    const { dummy, posts } = this;
    posts.count = Math.min(BOXES, boxes.length);
    for (let k = 0; k < posts.count; k++) {
      const [s, y, z, ...size] = boxes[k] as [number, number, number, number, number, number];
      const q = ground.spot(s + p.base, y, p.path, this.spot);
      dummy.position.set(q.x, q.y, q.z + z);
      dummy.rotation.z = Math.atan2(q.s, q.c);
      dummy.scale.set(size[0]!, size[1]!, size[2]!);
      dummy.updateMatrix();
      posts.setMatrixAt(k, dummy.matrix);
    }
    posts.instanceMatrix.needsUpdate = true;
  }

  // Their faces look back along the road.
  private makeBoards(p: Lanes, ground: Ground, list: Board[]): void {
    const position: number[] = [];
    const normal: number[] = [];
    const uv: number[] = [];
    const index: number[] = [];
    list.forEach((b, k) => {
      const q = ground.spot(b.s + p.base, b.y, p.path, this.spot);
      for (const [u, w] of [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 1],
      ] as const) {
        const y = (0.5 - u) * b.size[0]; // its left is on the left of who drives towards it
        position.push(q.x - q.s * y, q.y + q.c * y, q.z + b.z + (w - 0.5) * b.size[1]);
        normal.push(-q.c, -q.s, 0);
        uv.push((k + u) / SIGNS, w);
      }
      index.push(4 * k, 4 * k + 1, 4 * k + 2, 4 * k, 4 * k + 2, 4 * k + 3);
    });
    const g = new BufferGeometry();
    g.setAttribute("position", new Float32BufferAttribute(position, 3));
    g.setAttribute("normal", new Float32BufferAttribute(normal, 3));
    g.setAttribute("uv", new Float32BufferAttribute(uv, 2));
    g.setIndex(index);
    this.boards.geometry.dispose();
    this.boards.geometry = g;
    const words = list.map((b) => b.words.join("\n")).join("\t");
    if (words !== this.words) this.paint(list);
    this.words = words;
  }

  private paint(list: Board[]): void {
    const c = this.sheet.getContext("2d")!;
    list.forEach((b, k) => {
      const wide = b.size[0] / b.size[1];
      c.setTransform(CELL / wide, 0, 0, CELL, k * CELL, 0); // the height is 1
      c.fillStyle = "#0e5c38";
      c.fillRect(0, 0, wide, 1);
      c.strokeStyle = c.fillStyle = "#f2f5f2";
      c.lineWidth = 0.035;
      c.strokeRect(0.05, 0.05, wide - 0.1, 0.9);
      c.textAlign = "center";
      c.textBaseline = "middle";
      b.words.forEach((word, line) => {
        // Letters of a canvas are whole pixels tall at least: drawn large, then made small.
        const tall = (line === 1) === wide > 1 ? 0.24 : 0.4;
        c.font = "bold 100px sans-serif";
        const scale = Math.min(tall / 100, (0.74 * wide) / Math.max(1, c.measureText(word).width));
        c.save();
        c.translate(0.5 * wide, line ? 0.68 : 0.3);
        c.scale(scale, scale);
        c.fillText(word, 0, 0);
        c.restore();
      });
    });
    this.texture.needsUpdate = true;
  }
}
