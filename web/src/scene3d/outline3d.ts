// outline3d.ts - outlines of deformable bodies: the ellipsoid at rest, dashed, and as it is now.
import { BufferAttribute, BufferGeometry, Group, LineBasicMaterial, LineDashedMaterial, LineSegments } from "three";

const BODIES = 24;
const RING = 64;
const POINTS = 2 * RING * 2; // of a body: two rings of segments

// Two rings of an ellipsoid: from the side and from above, just outside the skin.
class Rings {
  readonly lines: LineSegments;
  count = 0;
  private position = new Float32Array(BODIES * POINTS * 3);
  private run = new Float32Array(BODIES * POINTS);

  constructor(material: LineBasicMaterial | LineDashedMaterial) {
    const g = new BufferGeometry();
    g.setAttribute("position", new BufferAttribute(this.position, 3));
    g.setAttribute("lineDistance", new BufferAttribute(this.run, 1));
    this.lines = new LineSegments(g, material);
    this.lines.frustumCulled = false;
  }

  // Columns of a (row major): the semi-axes.
  put(a: Float64Array, x: number, y: number, z: number, stretch: number): void {
    if (this.count >= BODIES) return;
    const long = Math.hypot(a[0]!, a[3]!, a[6]!);
    for (let ring = 0; ring < 2; ring++) {
      const w = ring ? 1 : 2;
      for (let m = 0; m < RING; m++)
        for (let end = 0; end < 2; end++) {
          const angle = (2 * Math.PI * (m + end)) / RING;
          const u = stretch * Math.cos(angle);
          const q = stretch * Math.sin(angle);
          const at = ((this.count * 2 + ring) * RING + m) * 2 + end;
          this.position[3 * at] = x + a[0]! * u + a[w]! * q;
          this.position[3 * at + 1] = y + a[3]! * u + a[3 + w]! * q;
          this.position[3 * at + 2] = z + a[6]! * u + a[6 + w]! * q;
          this.run[at] = (m + end) * ((2 * Math.PI * long) / RING) * 0.75;
        }
    }
    this.count++;
  }

  show(): void {
    const g = this.lines.geometry;
    this.lines.visible = this.count > 0;
    g.setDrawRange(0, this.count * POINTS);
    for (const name of ["position", "lineDistance"]) {
      const a = g.getAttribute(name) as BufferAttribute;
      a.clearUpdateRanges();
      a.addUpdateRange(0, this.count * POINTS * a.itemSize);
      a.needsUpdate = this.count > 0;
    }
  }
}

export class Outlines {
  group = new Group();
  rest = true;
  ellipsoid = false;
  private dashed = new LineDashedMaterial({ dashSize: 0.14, gapSize: 0.1 });
  private whole = new LineBasicMaterial();
  private resting = new Rings(this.dashed);
  private deformed = new Rings(this.whole);
  private r = new Float64Array(9);

  constructor() {
    this.group.add(this.resting.lines, this.deformed.lines);
  }

  repaint(dark: boolean): void {
    for (const m of [this.dashed, this.whole]) m.color.set(dark ? "#ffffff" : "#161a20");
  }
  begin(): void {
    this.resting.count = this.deformed.count = 0;
  }
  // turned: the rotation of the body; axes: its semi-axes as they are drawn; (x, y, z): its middle.
  put(turned: Float64Array, semi: readonly number[], axes: Float64Array, x: number, y: number, z: number): void {
    if (this.rest) {
      for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) this.r[3 * i + j] = turned[3 * i + j]! * semi[j]!;
      this.resting.put(this.r, x, y, z, 1.02);
    }
    if (this.ellipsoid) this.deformed.put(axes, x, y, z, 1.005);
  }
  show(): void {
    this.resting.show();
    this.deformed.show();
  }
}
