// centres.ts - mass centres as quartered discs of the same size on the screen, drawn over everything.
import {
  BufferGeometry,
  CanvasTexture,
  Float32BufferAttribute,
  Points,
  PointsMaterial,
  SRGBColorSpace,
  Vector3,
  type Group,
} from "three";

const MOST = 64;

export class Centres {
  private readonly points: Points[] = []; // assemblies, the whole
  private places: { at: Vector3; whole: boolean }[] = [];

  constructor(root: Group) {
    for (const [px, ink] of [
      [15, "#11161d"],
      [22, "#c0143c"],
    ] as const) {
      const g = new BufferGeometry();
      g.setAttribute("position", new Float32BufferAttribute(new Float32Array(3 * MOST), 3));
      g.setDrawRange(0, 0);
      const map = disc(ink);
      const m = new PointsMaterial({ size: px, sizeAttenuation: false, map, transparent: true });
      m.depthTest = m.fog = m.toneMapped = false;
      m.addEventListener("dispose", () => map.dispose());
      const p = new Points(g, m);
      p.frustumCulled = p.visible = false;
      p.renderOrder = 5;
      root.add(p);
      this.points.push(p);
    }
  }
  // Places in the world.
  set(list: { at: Vector3; whole: boolean }[]): void {
    this.places = list;
  }
  update(origin: Vector3): void {
    this.points.forEach((p, k) => {
      const own = this.places.filter((c) => c.whole === (k === 1)).slice(0, MOST);
      const at = p.geometry.getAttribute("position");
      own.forEach((c, i) => at.setXYZ(i, c.at.x - origin.x, c.at.y - origin.y, c.at.z - origin.z));
      at.needsUpdate = true;
      p.geometry.setDrawRange(0, own.length);
      p.visible = own.length > 0;
    });
  }
}

function disc(ink: string): CanvasTexture {
  const c = document.createElement("canvas");
  c.width = c.height = 64;
  const g = c.getContext("2d")!;
  g.translate(32, 32);
  for (let k = 0; k < 4; k++) {
    g.fillStyle = k % 2 ? ink : "#ffffff";
    g.beginPath();
    g.moveTo(0, 0);
    g.arc(0, 0, 28, (k * Math.PI) / 2, ((k + 1) * Math.PI) / 2);
    g.fill();
  }
  g.lineWidth = 5;
  g.strokeStyle = ink;
  g.beginPath();
  g.arc(0, 0, 28, 0, 2 * Math.PI);
  g.stroke();
  const t = new CanvasTexture(c);
  t.colorSpace = SRGBColorSpace;
  return t;
}
