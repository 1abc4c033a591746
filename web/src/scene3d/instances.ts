// instances.ts - instanced meshes that grow with what is put in them; only what is used goes to the graphics card.
import { InstancedBufferAttribute, InstancedMesh, type BufferGeometry, type Material, type Object3D } from "three";

const FIRST = 64;

export class Instances {
  readonly mesh: InstancedMesh;
  count = 0;
  matrix: Float32Array;
  colour: Float32Array;
  lamps: Float32Array;
  private room = FIRST;

  // lamps: with the four numbers of paintshader.ts for each.
  constructor(parent: Object3D, geometry: BufferGeometry, material: Material, coloured: boolean, lamps: boolean) {
    const g = geometry.clone();
    this.mesh = new InstancedMesh(g, material, FIRST);
    this.mesh.count = 0;
    this.mesh.visible = false;
    this.mesh.frustumCulled = false;
    this.matrix = this.mesh.instanceMatrix.array as Float32Array;
    this.colour = new Float32Array(coloured ? 3 * FIRST : 0);
    this.lamps = new Float32Array(lamps ? 4 * FIRST : 0);
    if (coloured) this.mesh.instanceColor = new InstancedBufferAttribute(this.colour, 3);
    if (lamps) g.setAttribute("lamps", new InstancedBufferAttribute(this.lamps, 4));
    parent.add(this.mesh);
  }

  // The place of one more.
  next(): number {
    if (this.count === this.room) this.grow();
    return this.count++;
  }

  private grow(): void {
    const more = (a: Float32Array): Float32Array<ArrayBuffer> => {
      const b = new Float32Array(2 * a.length);
      b.set(a);
      return b;
    };
    this.room *= 2;
    this.matrix = more(this.matrix);
    this.mesh.instanceMatrix = new InstancedBufferAttribute(this.matrix, 16);
    if (this.colour.length) {
      this.colour = more(this.colour);
      this.mesh.instanceColor = new InstancedBufferAttribute(this.colour, 3);
    }
    if (this.lamps.length) {
      this.lamps = more(this.lamps);
      this.mesh.geometry.setAttribute("lamps", new InstancedBufferAttribute(this.lamps, 4));
    }
  }

  show(): void {
    const m = this.mesh;
    m.count = this.count;
    m.visible = this.count > 0;
    if (!this.count) return;
    part(m.instanceMatrix, 16 * this.count);
    if (this.colour.length) part(m.instanceColor!, 3 * this.count);
    if (this.lamps.length) part(m.geometry.getAttribute("lamps") as InstancedBufferAttribute, 4 * this.count);
  }
}

function part(a: InstancedBufferAttribute, n: number): void {
  a.clearUpdateRanges();
  a.addUpdateRange(0, n);
  a.needsUpdate = true;
}
