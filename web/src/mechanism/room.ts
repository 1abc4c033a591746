// room.ts - the room of the bench: its lamp and soft light, the floor that fades into the haze, the dark under wheels.
//
// The soft light is an environment that is made here once, of a dome and three bright panels; where a processor draws, a
// light from above stands for it. The dark under wheels is there on every step of quality: nothing floats.
import {
  BackSide,
  BoxGeometry,
  CircleGeometry,
  Color,
  DirectionalLight,
  DoubleSide,
  Float32BufferAttribute,
  Fog,
  GridHelper,
  HemisphereLight,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  NoToneMapping,
  PlaneGeometry,
  PMREMGenerator,
  Scene,
  ShadowMaterial,
  SphereGeometry,
  Texture,
  Vector3,
  type Group,
  type WebGLRenderer,
  type WebGLRenderTarget,
} from "three";
import { textureFrom } from "../scene3d/noise.ts";
import type { Step } from "../scene3d/quality.ts";

const LIGHT = { back: 0xdfe4eb, floor: 0xf7f9fb, line: 0xc3cbd5, haze: 0xdfe4eb };
const DARK = { back: 0x161c24, floor: 0x232b36, line: 0x3a4655, haze: 0x161c24 };
const FADE = 6; // sizes from the middle to where the floor ends

export class Room {
  private readonly lamp = new DirectionalLight(0xfff4e6, 2.6);
  private readonly fill = new DirectionalLight(0xbcd2ff, 0.6);
  private readonly above = new HemisphereLight(0xe6eef8, 0x8f897e, 1.9);
  private readonly haze = new Fog(LIGHT.haze, 1, 10);
  private made: WebGLRenderTarget | null = null;
  private floor: Mesh | null = null;
  private shade: Mesh | null = null;
  private grid: GridHelper[] = [];
  private patches: InstancedMesh | null = null;
  private soft: Texture | null = null;
  private spacing = 1;
  private size = 1;
  private dark = false;
  private height = 0; // m, of the floor
  private readonly s = new Vector3();
  private readonly m = new Matrix4();

  constructor(
    private readonly renderer: WebGLRenderer,
    private readonly scene: Scene,
  ) {
    this.above.position.set(0, 0, 1);
    const { shadow } = this.lamp;
    shadow.normalBias = 0.02;
    shadow.bias = -0.0004;
    shadow.radius = 2.5;
    scene.fog = this.haze;
    scene.add(this.lamp, this.lamp.target, this.fill, this.above);
  }

  // A floor for a mechanism of this size with so many wheels.
  lay(size: number, wheels: number): void {
    this.clear();
    this.size = size;
    const power = 10 ** Math.round(Math.log10(size / 4));
    this.spacing = power * (size / power > 8 ? 2 : size / power < 3 ? 0.5 : 1);
    this.floor = new Mesh(
      fading(FADE * size),
      new MeshBasicMaterial({
        transparent: true,
        vertexColors: true,
        depthWrite: false,
        fog: false,
        toneMapped: false,
      }),
    );
    this.floor.renderOrder = -3;
    this.shade = new Mesh(
      new PlaneGeometry(8 * size, 8 * size),
      new ShadowMaterial({ opacity: 0.3, side: DoubleSide, depthWrite: false }),
    );
    this.shade.receiveShadow = true;
    this.shade.renderOrder = -1;
    this.grid = [1, 5].map((step) => {
      const n = 2 * Math.ceil((FADE * size) / (step * this.spacing));
      const g = new GridHelper(n * step * this.spacing, n, 0xffffff, 0xffffff);
      g.rotateX(Math.PI / 2);
      g.material.transparent = true;
      g.material.toneMapped = false;
      g.material.depthWrite = false;
      g.renderOrder = -2;
      return g;
    });
    if (wheels) {
      this.soft ??= softness();
      this.patches = new InstancedMesh(
        new PlaneGeometry(2, 2),
        new MeshBasicMaterial({ map: this.soft, transparent: true, depthWrite: false, fog: false, toneMapped: false }),
        wheels + 1,
      );
      this.patches.frustumCulled = false;
      this.scene.add(this.patches);
    }
    this.scene.add(this.floor, this.shade, ...this.grid);
    this.theme(this.dark);
  }
  clear(): void {
    for (const part of [this.floor, this.shade, this.patches, ...this.grid]) {
      if (!part) continue;
      this.scene.remove(part);
      part.geometry.dispose();
      (part.material as MeshBasicMaterial).dispose();
      if (part instanceof InstancedMesh) part.dispose();
    }
    this.floor = this.shade = this.patches = null;
    this.grid = [];
  }
  close(): void {
    this.clear();
    this.made?.dispose();
    this.soft?.dispose();
  }

  theme(dark: boolean): void {
    this.dark = dark;
    const c = dark ? DARK : LIGHT;
    this.scene.background = new Color(c.back);
    this.haze.color.set(c.haze);
    if (this.floor) (this.floor.material as MeshBasicMaterial).color.set(c.floor);
    this.grid.forEach((g, k) => {
      g.material.color.set(c.line);
      g.material.opacity = k ? 0.9 : 0.45;
    });
    this.lamp.intensity = dark ? 2.8 : 2.9;
    this.above.intensity = dark ? 1.7 : 2.1;
    this.scene.environmentIntensity = dark ? 1.1 : 0.95;
    if (this.shade) (this.shade.material as ShadowMaterial).opacity = dark ? 0.45 : 0.3;
    if (this.patches) (this.patches.material as MeshBasicMaterial).opacity = dark ? 0.75 : 0.55;
  }

  // A step changes what a picture costs, not what it shows.
  setStep(step: Step): void {
    const rich = step.material > 0;
    if (rich) this.made ??= environment(this.renderer);
    this.scene.environment = rich ? this.made!.texture : null;
    this.above.visible = !rich;
    this.fill.visible = !rich;
    this.lamp.castShadow = step.shadow > 0;
    this.renderer.shadowMap.enabled = step.shadow > 0;
    if (step.shadow && this.lamp.shadow.mapSize.x !== step.shadow) {
      this.lamp.shadow.mapSize.set(step.shadow, step.shadow);
      this.lamp.shadow.map?.dispose();
      this.lamp.shadow.map = null;
    }
  }

  // Floor at this height below a place, m in the world.
  stand(x: number, y: number, z: number): void {
    this.height = z;
    const at = (v: number, step: number) => Math.round(v / step) * step;
    this.floor?.position.set(x, y, z);
    this.shade?.position.set(x, y, z);
    for (const g of this.grid) g.position.set(at(x, 5 * this.spacing), at(y, 5 * this.spacing), z);
  }
  // The dark under wheels: unit wheels about z in the axes of the group.
  darken(root: Group, wheels: Matrix4[]): void {
    const { patches } = this;
    if (!patches) return;
    const p = new Vector3();
    const axis = new Vector3();
    const [low, high] = [new Vector3(Infinity, Infinity, 0), new Vector3(-Infinity, -Infinity, 0)];
    const z = this.height + 0.002 * this.size;
    wheels.forEach((w, k) => {
      p.setFromMatrixPosition(w).add(root.position);
      axis.setFromMatrixColumn(w, 2);
      const wide = axis.length();
      const radius = this.s.setFromMatrixColumn(w, 0).length() / 2;
      const up = Math.max(0, p.z - radius - this.height) / radius; // above the floor
      const spread = 1 + 0.6 * up;
      low.min(p);
      high.max(p);
      axis.setZ(0).normalize();
      // Along the wheel, across it.
      this.m.makeBasis(
        new Vector3(axis.y, -axis.x, 0).multiplyScalar(1.25 * radius * spread),
        axis.clone().multiplyScalar(0.85 * wide * spread),
        new Vector3(0, 0, 1),
      );
      patches.setMatrixAt(k, up > 2.5 ? this.m.makeScale(0, 0, 0) : this.m.setPosition(p.x, p.y, z));
    });
    const [x, y] = [(high.x - low.x) / 2, (high.y - low.y) / 2];
    this.m.makeScale(1.25 * x + 0.02 * this.size, 1.15 * y + 0.02 * this.size, 1);
    patches.setMatrixAt(wheels.length, this.m.setPosition((low.x + high.x) / 2, (low.y + high.y) / 2, z));
    patches.instanceMatrix.needsUpdate = true;
  }

  // The lamp and the haze for a camera at this distance from what it looks at.
  light(centre: Vector3, distance: number): void {
    const reach = 2 * this.size;
    this.lamp.target.position.copy(centre);
    this.lamp.position.copy(centre).add(this.s.set(-0.55 * reach, 0.75 * reach, 1.9 * reach));
    this.fill.position.copy(centre).add(this.s.set(reach, -reach, 0.4 * reach));
    const { camera } = this.lamp.shadow;
    camera.left = camera.bottom = -1.3 * this.size;
    camera.right = camera.top = 1.3 * this.size;
    camera.near = 0.1 * this.size;
    camera.far = 9 * this.size;
    camera.updateProjectionMatrix();
    this.haze.near = distance + 0.5 * this.size;
    this.haze.far = distance + 0.85 * FADE * this.size;
  }
}

// A disc that is clear at its edge.
function fading(radius: number): CircleGeometry {
  const g = new CircleGeometry(radius, 64, 0, 2 * Math.PI);
  const n = g.getAttribute("position").count;
  const colour = new Float32Array(4 * n);
  for (let k = 0; k < n; k++) colour.set([1, 1, 1, k === 0 ? 1 : 0], 4 * k);
  g.setAttribute("color", new Float32BufferAttribute(colour, 4));
  return g;
}
function softness(): Texture {
  return textureFrom(
    64,
    (u, v, p) => {
      const a = Math.max(0, 1 - Math.hypot(2 * u - 1, 2 * v - 1));
      p[0] = p[1] = p[2] = 0;
      p[3] = 255 * a * a * (3 - 2 * a);
    },
    false,
    false,
  );
}

// A bright room: light from above, darker below, three panels that shine in paint and steel.
function environment(renderer: WebGLRenderer): WebGLRenderTarget {
  const probe = new Scene();
  const dome = new SphereGeometry(10, 32, 24).rotateX(Math.PI / 2);
  const at = dome.getAttribute("position");
  const colours: number[] = [];
  const [high, middle, low, c] = [new Color(0xf4f7fb), new Color(0xc9d2dd), new Color(0x8b8a86), new Color()];
  for (let k = 0; k < at.count; k++) {
    const h = at.getZ(k) / 10;
    c.lerpColors(middle, h > 0 ? high : low, Math.min(1, Math.abs(h) * 1.6));
    colours.push(c.r, c.g, c.b);
  }
  dome.setAttribute("color", new Float32BufferAttribute(colours, 3));
  probe.add(new Mesh(dome, new MeshBasicMaterial({ vertexColors: true, side: BackSide })));
  const panel = (x: number, y: number, z: number, w: number, h: number, power: number) => {
    const m = new Mesh(new BoxGeometry(w, h, 0.1), new MeshBasicMaterial({ color: new Color(power, power, power) }));
    m.position.set(x, y, z);
    m.lookAt(0, 0, 0);
    probe.add(m);
  };
  panel(-3, 5, 6, 5, 2.4, 5);
  panel(6, 2, 4, 3, 2, 3);
  panel(1, -7, 4, 6, 1.4, 3);
  const generator = new PMREMGenerator(renderer);
  const tone = renderer.toneMapping;
  renderer.toneMapping = NoToneMapping;
  const target = generator.fromScene(probe, 0.02, 0.1, 100);
  renderer.toneMapping = tone;
  generator.dispose();
  probe.traverse((o) => {
    if (!(o instanceof Mesh)) return;
    o.geometry.dispose();
    (o.material as MeshBasicMaterial).dispose();
  });
  return target;
}
