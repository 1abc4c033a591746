// own3d.ts - a vehicle whose look is a file: the triangles that the server has read and checked.
import { BufferAttribute, BufferGeometry, MeshLambertMaterial, MeshStandardMaterial } from "three";
import type { LookMesh } from "../wire/protocol.ts";
import type { Kind } from "./kinds3d.ts";
import { paintWhite, type BodyMaterial } from "./paintshader.ts";

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let k = 0; k < text.length; k++) bytes[k] = text.charCodeAt(k);
  return bytes;
}

// Corners lie within the box `size`, which stands on the road and has its middle at x = y = 0. What is white takes the
// colour of the vehicle.
export function meshOf(look: LookMesh): BufferGeometry {
  const n = 3 * look.triangles;
  const raw = bytesOf(look.position);
  const turned = new Int8Array(bytesOf(look.normal).buffer);
  const paint = bytesOf(look.colour);
  const position = new Float32Array(3 * n);
  const normal = new Float32Array(3 * n);
  const colour = new Float32Array(3 * n);
  for (let i = 0; i < 3 * n; i++) {
    const share = (raw[2 * i]! + 256 * raw[2 * i + 1]!) / 65535;
    position[i] = look.size[i % 3]! * (share - (i % 3 < 2 ? 0.5 : 0));
    normal[i] = turned[i]! / 127;
    colour[i] = paint[3 * Math.floor(i / 9) + (i % 3)]! / 255;
  }
  const g = new BufferGeometry();
  g.setAttribute("position", new BufferAttribute(position, 3));
  g.setAttribute("normal", new BufferAttribute(normal, 3));
  g.setAttribute("color", new BufferAttribute(colour, 3));
  return g;
}

// One geometry for every level: the far ones are cut by the brick. Wheels and lamps are part of the body.
export function ownKind(name: string, look: LookMesh): Omit<Kind, "map" | "data"> {
  const g = meshOf(look);
  return {
    name,
    size: look.size,
    head: 0,
    tail: 0,
    wheel: { r: 0.3, w: 0.2, rim: 0.2, track: 1.5 },
    wheels: [],
    levels: [g, g, g],
    wheelShape: new BufferGeometry(),
  };
}

export function ownMaterials(): BodyMaterial[] {
  const plain = new MeshLambertMaterial({ vertexColors: true });
  const standard = new MeshStandardMaterial({ vertexColors: true, roughness: 0.45, metalness: 0.15 });
  plain.onBeforeCompile = standard.onBeforeCompile = paintWhite;
  plain.customProgramCacheKey = standard.customProgramCacheKey = () => "own";
  return [plain, standard, standard];
}
