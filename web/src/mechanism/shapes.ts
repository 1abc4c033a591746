// shapes.ts - the geometry of what bodies look like: unit parts for instances, meshes, edges.
import {
  BoxGeometry,
  BufferGeometry,
  Color,
  CylinderGeometry,
  DoubleSide,
  EdgesGeometry,
  Float32BufferAttribute,
  InstancedMesh,
  Matrix4,
  MeshStandardMaterial,
  Quaternion,
  Vector3,
  type Group,
  type Material,
} from "three";
import type { BodyPart, Shape } from "../wire/protocol.ts";
import { wheelGeometry } from "../scene3d/wheel3d.ts";
import { number3 } from "./data.ts";

export const FINISHES = ["paint", "steel", "dark", "glass", "rubber"] as const;
export type Finish = (typeof FINISHES)[number];
export const PAINTS = ["#3E7CB1", "#C4703A", "#4E9B6F", "#8A5FA8", "#B5A33C", "#5C8CA8", "#A85F6B"].map(
  (c) => new Color(c),
);

export function finishMaterial(f: Finish, dark: boolean): MeshStandardMaterial {
  switch (f) {
    case "paint":
      return new MeshStandardMaterial({ color: 0xffffff, roughness: 0.42, metalness: 0.05 });
    case "steel":
      return new MeshStandardMaterial({ color: dark ? 0xa9b3bf : 0x9aa4b0, roughness: 0.35, metalness: 0.15 });
    case "dark":
      return new MeshStandardMaterial({ color: dark ? 0x5a6a7e : 0x2f3a48, roughness: 0.5, metalness: 0.1 });
    case "glass":
      return new MeshStandardMaterial({
        color: dark ? 0x6f9ac6 : 0x8fb2d2,
        roughness: 0.15,
        metalness: 0.05,
        transparent: true,
        opacity: dark ? 0.13 : 0.22,
        depthWrite: false,
        side: DoubleSide,
      });
    default:
      return new MeshStandardMaterial({ color: dark ? 0x363d47 : 0x20262d, roughness: 0.85, metalness: 0 });
  }
}

// Room for instances of a part; they are never culled, since they move.
export function instances(root: Group, geometry: BufferGeometry, material: Material, count: number): InstancedMesh {
  const mesh = new InstancedMesh(geometry, material, Math.max(count, 1));
  mesh.count = count;
  mesh.frustumCulled = false;
  mesh.castShadow = mesh.receiveShadow = true;
  root.add(mesh);
  return mesh;
}

const UP = new Vector3(0, 0, 1);
// The matrix that lays a part of length 1 along z between two points; wide: its scale across.
export function between(from: Vector3, to: Vector3, wide: number, out: Matrix4): Matrix4 {
  const way = new Vector3().subVectors(to, from);
  const length = way.length();
  if (!(length > 1e-9)) return out.makeScale(0, 0, 0);
  const turn = new Quaternion().setFromUnitVectors(UP, way.divideScalar(length));
  return out.compose(from, turn, new Vector3(wide, wide, length));
}

// Parts of size 1 along x, y and z, round about z.
export const unitBox = () => new BoxGeometry(1, 1, 1);
export const unitCylinder = () => new CylinderGeometry(0.5, 0.5, 1, 28).rotateX(Math.PI / 2);
// A wheel about z, its face towards +z; rough: an off-road tyre with its blocks. Grey in its colours, as the wheels on the
// road have it.
export function unitWheel(rough: boolean): BufferGeometry {
  const wheel = { ...(rough ? ROUGH : ROAD), track: 0 };
  const g = wheelGeometry(wheel);
  const extra = g.getAttribute("extra");
  const colour = new Float32Array(3 * extra.count);
  for (let k = 0; k < extra.count; k++) colour.fill(extra.getX(k), 3 * k, 3 * k + 3);
  g.deleteAttribute("extra");
  g.deleteAttribute("uv");
  g.setAttribute("color", new Float32BufferAttribute(colour, 3));
  return g.scale(0.5 / wheel.r, 1 / wheel.w, 0.5 / wheel.r).rotateX(Math.PI / 2);
}
const ROUGH = { r: 0.47, w: 0.32, rim: 0.235, offroad: true };
const ROAD = { r: 0.5, w: 0.29, rim: 0.285, steel: true };
export const wheelMaterial = () =>
  new MeshStandardMaterial({ color: 0xffffff, vertexColors: true, roughness: 0.7, metalness: 0.1 });
export function merge(parts: BufferGeometry[]): BufferGeometry {
  const position: number[] = [];
  const normal: number[] = [];
  for (const part of parts) {
    const p = part.index ? part.toNonIndexed() : part;
    position.push(...p.getAttribute("position").array);
    normal.push(...p.getAttribute("normal").array);
    part.dispose();
  }
  const g = new BufferGeometry();
  g.setAttribute("position", new Float32BufferAttribute(position, 3));
  g.setAttribute("normal", new Float32BufferAttribute(normal, 3));
  return g;
}

// Where a shape is on its body, scaled to its size.
export function shapeMatrix(s: Shape, out = new Matrix4()): Matrix4 {
  const q = new Quaternion(s.turn[1] ?? 0, s.turn[2] ?? 0, s.turn[3] ?? 0, s.turn[0] ?? 1);
  const size = s.points ? [1, 1, 1] : number3(s.size);
  return out.compose(new Vector3(...number3(s.at)), q, new Vector3(...size));
}

// A panel with its thickness, or the triangles of a mesh, in the axes of the body.
export function meshOf(s: Shape): BufferGeometry {
  const at = new Matrix4().compose(
    new Vector3(...number3(s.at)),
    new Quaternion(s.turn[1] ?? 0, s.turn[2] ?? 0, s.turn[3] ?? 0, s.turn[0] ?? 1),
    new Vector3(1, 1, 1),
  );
  const points = s.points ?? [];
  const corner = (k: number) => new Vector3(points[3 * k] ?? 0, points[3 * k + 1] ?? 0, points[3 * k + 2] ?? 0);
  const position: number[] = [];
  const triangle = (...p: Vector3[]) => {
    for (const v of p) position.push(v.x, v.y, v.z);
  };
  const faces = s.faces ?? [];
  if (s.kind === "panel") {
    const n = points.length / 3;
    const normal = new Vector3()
      .subVectors(corner(1), corner(0))
      .cross(new Vector3().subVectors(corner(2), corner(0)))
      .setLength((s.size[2] ?? 0.01) / 2);
    const side = (k: number, way: number) => corner(k).addScaledVector(normal, way);
    for (let f = 0; f < faces.length; f += 3) {
      triangle(side(faces[f]!, 1), side(faces[f + 1]!, 1), side(faces[f + 2]!, 1));
      triangle(side(faces[f]!, -1), side(faces[f + 2]!, -1), side(faces[f + 1]!, -1));
    }
    for (let k = 0; k < n; k++) {
      const j = (k + 1) % n;
      triangle(side(k, -1), side(j, -1), side(j, 1));
      triangle(side(k, -1), side(j, 1), side(k, 1));
    }
  } else
    for (let f = 0; f < faces.length; f += 3) triangle(corner(faces[f]!), corner(faces[f + 1]!), corner(faces[f + 2]!));
  const g = new BufferGeometry();
  g.setAttribute("position", new Float32BufferAttribute(position, 3));
  g.computeVertexNormals();
  return g.applyMatrix4(at);
}

// Edges of a body in its axes: pairs of points. What outlines are drawn of.
export function edgesOf(b: BodyPart): Float32Array {
  const out: number[] = [];
  for (const s of b.shapes) {
    const g = s.points ? meshOf(s) : s.kind === "box" || (s.kind === "beam" && !s.round) ? unitBox() : ring();
    const e = s.points || s.kind === "box" || (s.kind === "beam" && !s.round) ? new EdgesGeometry(g, 20) : g;
    if (!s.points) e.applyMatrix4(shapeMatrix(s));
    out.push(...e.getAttribute("position").array);
    g.dispose();
    e.dispose();
  }
  return new Float32Array(out);
}
// Two circles and four lines between them: the edges of something round.
function ring(): BufferGeometry {
  const n = 28;
  const position: number[] = [];
  const at = (k: number, z: number) => [
    0.5 * Math.cos((2 * Math.PI * k) / n),
    0.5 * Math.sin((2 * Math.PI * k) / n),
    z,
  ];
  for (const z of [-0.5, 0.5]) for (let k = 0; k < n; k++) position.push(...at(k, z), ...at(k + 1, z));
  for (let k = 0; k < n; k += n / 4) position.push(...at(k, -0.5), ...at(k, 0.5));
  const g = new BufferGeometry();
  g.setAttribute("position", new Float32BufferAttribute(position, 3));
  return g;
}
