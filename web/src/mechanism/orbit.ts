// orbit.ts - the camera of the bench, and the hands that move it, pick a body or push one.
import { PerspectiveCamera, Raycaster, Vector2, Vector3 } from "three";

const FOV = 32; // degrees
const FILL = [0.84, 0.8]; // of the picture, across and up, that the mechanism fills

export interface Doing {
  changed(): void;
  home(): void;
  // A pointer goes down, drags on and up; true: it has taken hold of something, and the camera stays.
  hold(e: PointerEvent, push: boolean): boolean;
  drag(e: PointerEvent): void;
  drop(e: PointerEvent): void;
  pick(e: PointerEvent): void;
}

export class Orbit {
  readonly camera = new PerspectiveCamera(FOV, 2, 0.01, 2000);
  pushing = false; // a drag pushes the body under it
  readonly target = new Vector3();
  private azimuth = -0.9;
  private height = 0.3;
  private distance = 3;
  private size = 1;
  private box: Vector3[] | null = null; // to be brought into the picture when its shape is known

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly doing: Doing,
  ) {
    this.camera.up.set(0, 0, 1);
    this.listen();
  }
  // Looks at all of a box, half its size along each axis, about a place.
  home(size: number, target: Vector3, half: Vector3): void {
    this.size = size;
    this.azimuth = -0.9;
    this.height = 0.26;
    this.target.copy(target);
    this.box = [0, 1, 2, 3, 4, 5, 6, 7].map((k) =>
      half.clone().multiply(new Vector3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1)),
    );
    this.doing.changed();
  }
  // The nearest distance from which all corners are in the picture.
  private fit(aspect: number, box: Vector3[]): number {
    const [c, s] = [Math.cos(this.height), Math.sin(this.height)];
    const back = new Vector3(c * Math.cos(this.azimuth), c * Math.sin(this.azimuth), s);
    const right = new Vector3(-Math.sin(this.azimuth), Math.cos(this.azimuth), 0);
    const up = new Vector3().crossVectors(back, right);
    const tan = Math.tan((FOV * Math.PI) / 360);
    return Math.max(
      ...box.map((p) =>
        Math.max(
          Math.abs(p.dot(right)) / (tan * aspect * FILL[0]!) + p.dot(back),
          Math.abs(p.dot(up)) / (tan * FILL[1]!) + p.dot(back),
        ),
      ),
      0.1,
    );
  }
  resize(size: number): void {
    this.size = size;
  }
  // Looks at the target, moved by what the mechanism has travelled; gives the place that is looked at.
  look(aspect: number, moved: Vector3, out: Vector3): Vector3 {
    if (this.box) this.distance = this.fit(aspect, this.box);
    this.box = null;
    const c = Math.cos(this.height) * this.distance;
    this.camera.aspect = aspect;
    this.camera.near = 0.01 * this.size;
    this.camera.far = 100 * this.size + 10;
    this.camera.updateProjectionMatrix();
    out.copy(this.target).add(moved);
    this.camera.position
      .set(c * Math.cos(this.azimuth), c * Math.sin(this.azimuth), Math.sin(this.height) * this.distance)
      .add(out);
    this.camera.lookAt(out);
    return out;
  }
  // px of a length at the target, in a picture of this height.
  pixels(length: number, height: number): number {
    return (length * height) / (2 * Math.tan((FOV * Math.PI) / 360) * this.distance);
  }
  // Directions of x, y, z on the screen, for the little axes.
  axes(): { x: number; y: number }[] {
    const q = this.camera.quaternion.clone().invert();
    return [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)].map((v) => {
      v.applyQuaternion(q);
      return { x: v.x, y: -v.y };
    });
  }
  ray(e: { clientX: number; clientY: number }): Raycaster {
    const r = this.canvas.getBoundingClientRect();
    const caster = new Raycaster();
    caster.setFromCamera(
      new Vector2((2 * (e.clientX - r.left)) / r.width - 1, 1 - (2 * (e.clientY - r.top)) / r.height),
      this.camera,
    );
    return caster;
  }
  // From a point to the pointer, in the plane of the screen through the point.
  reach(e: { clientX: number; clientY: number }, point: Vector3): Vector3 {
    const { ray } = this.ray(e);
    const normal = this.camera.getWorldDirection(new Vector3());
    const d = point.clone().sub(ray.origin).dot(normal) / ray.direction.dot(normal);
    return ray.origin.clone().addScaledVector(ray.direction, d).sub(point);
  }

  private listen(): void {
    const c = this.canvas;
    const fingers = new Map<number, { x: number; y: number }>();
    let moved = 0;
    let held = false;
    c.addEventListener("pointerdown", (e) => {
      c.setPointerCapture(e.pointerId);
      fingers.set(e.pointerId, { x: e.clientX, y: e.clientY });
      moved = 0;
      held ||= this.doing.hold(e, this.pushing || e.shiftKey);
    });
    c.addEventListener("pointermove", (e) => {
      const from = fingers.get(e.pointerId);
      if (!from) return;
      const dx = e.clientX - from.x;
      const dy = e.clientY - from.y;
      moved += Math.abs(dx) + Math.abs(dy);
      if (held) this.doing.drag(e);
      else if (fingers.size === 2) {
        const [a, b] = [...fingers.values()] as [{ x: number; y: number }, { x: number; y: number }];
        const before = Math.hypot(a.x - b.x, a.y - b.y);
        fingers.set(e.pointerId, { x: e.clientX, y: e.clientY });
        const [p, q] = [...fingers.values()] as [{ x: number; y: number }, { x: number; y: number }];
        this.dolly(before / Math.max(Math.hypot(p.x - q.x, p.y - q.y), 1));
        this.pan(dx / 2, dy / 2);
      } else if (e.buttons & 4 || e.ctrlKey) this.pan(dx, dy);
      else this.turn(-dx * 0.006, dy * 0.005);
      fingers.set(e.pointerId, { x: e.clientX, y: e.clientY });
    });
    const end = (e: PointerEvent, click: boolean) => {
      fingers.delete(e.pointerId);
      if (held) {
        held = false;
        this.doing.drop(e);
      } else if (click && moved < 4) this.doing.pick(e);
    };
    c.addEventListener("pointerup", (e) => end(e, true));
    c.addEventListener("pointercancel", (e) => end(e, false));
    c.addEventListener(
      "wheel",
      (e) => {
        e.preventDefault();
        this.dolly(Math.exp(e.deltaY * 0.0012));
      },
      { passive: false },
    );
    c.addEventListener("keydown", (e) => {
      const way = { ArrowLeft: [0.08, 0], ArrowRight: [-0.08, 0], ArrowUp: [0, 0.05], ArrowDown: [0, -0.05] }[e.key];
      if (way) this.turn(way[0]!, way[1]!);
      else if (e.key === "+" || e.key === "=") this.dolly(0.85);
      else if (e.key === "-") this.dolly(1 / 0.85);
      else if (e.key === "Home") this.doing.home();
      else return;
      e.preventDefault();
      e.stopPropagation();
    });
  }

  turn(azimuth: number, height: number): void {
    this.azimuth += azimuth;
    this.height = Math.max(-0.3, Math.min(1.5, this.height + height));
    this.doing.changed();
  }
  private pan(dx: number, dy: number): void {
    const k = (0.57 * this.distance) / Math.max(this.canvas.clientHeight, 1);
    this.target.addScaledVector(new Vector3(1, 0, 0).applyQuaternion(this.camera.quaternion), -dx * k);
    this.target.addScaledVector(new Vector3(0, 1, 0).applyQuaternion(this.camera.quaternion), dy * k);
    this.doing.changed();
  }
  dolly(f: number): void {
    this.distance = Math.max(0.4 * this.size, Math.min(40 * this.size, this.distance * f));
    this.doing.changed();
  }
}
