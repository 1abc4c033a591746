// outline.ts - edges of bodies as one set of lines that is moved to a pose: a mode, an equilibrium, what is chosen.
import {
  BufferGeometry,
  Float32BufferAttribute,
  LineBasicMaterial,
  LineDashedMaterial,
  LineSegments,
  Matrix4,
  Quaternion,
  Vector3,
} from "three";
import type { BodyPart } from "../wire/protocol.ts";
import { POSE } from "./poses.ts";
import { edgesOf } from "./shapes.ts";

export class Outline {
  readonly lines: LineSegments;
  private readonly local: Float32Array[];
  constructor(
    bodies: BodyPart[],
    private readonly dashed: boolean,
  ) {
    this.local = bodies.map(edgesOf);
    const count = this.local.reduce((n, e) => n + e.length, 0);
    const g = new BufferGeometry();
    g.setAttribute("position", new Float32BufferAttribute(new Float32Array(count), 3));
    this.lines = new LineSegments(
      g,
      dashed
        ? new LineDashedMaterial({ dashSize: 0.05, gapSize: 0.03, toneMapped: false })
        : new LineBasicMaterial({ depthTest: false, toneMapped: false }),
    );
    this.lines.frustumCulled = false;
    this.lines.visible = false;
  }
  colour(c: string): void {
    (this.lines.material as LineBasicMaterial).color.set(c);
  }
  // only: of this body alone. null: nothing.
  set(pose: Float64Array | null, origin: Vector3, only = -1): void {
    this.lines.visible = pose !== null;
    if (!pose) return;
    const at = this.lines.geometry.getAttribute("position");
    const out = at.array as Float32Array;
    const m = new Matrix4();
    const v = new Vector3();
    let n = 0;
    this.local.forEach((edge, b) => {
      if (only >= 0 && b !== only) return;
      const o = b * POSE;
      m.compose(
        v.set(pose[o]!, pose[o + 1]!, pose[o + 2]!).sub(origin),
        new Quaternion(pose[o + 4], pose[o + 5], pose[o + 6], pose[o + 3]),
        new Vector3(1, 1, 1),
      );
      for (let k = 0; k < edge.length; k += 3) {
        v.set(edge[k]!, edge[k + 1]!, edge[k + 2]!).applyMatrix4(m);
        out[n++] = v.x;
        out[n++] = v.y;
        out[n++] = v.z;
      }
    });
    this.lines.geometry.setDrawRange(0, n / 3);
    at.needsUpdate = true;
    if (this.dashed) this.lines.computeLineDistances();
  }
}
