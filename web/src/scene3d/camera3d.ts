// camera3d.ts - where the 3-D view looks from: at a platoon from behind its last car, behind a car, at a contact, from the
// driver's seat, from above, or free. Drag turns, Shift-drag or the right button moves, wheel or pinch dollies, Home
// goes back.

import { PerspectiveCamera, Quaternion, Vector3 } from "three";
import { stillMotion } from "../draw/paint.ts";

export const CAMERAS = ["platoon", "chase", "contact", "driver", "top", "free"] as const;
export type CameraKind = (typeof CAMERAS)[number];

// Seen from the focus: azimuth from straight ahead (rad, left positive), height angle, distance m.
interface Orbit {
  azimuth: number;
  height: number;
  distance: number;
}
export const HOME: Record<CameraKind, Orbit> = {
  platoon: { azimuth: -Math.PI * 0.86, height: 0.16, distance: 14 },
  chase: { azimuth: -Math.PI * 0.93, height: 0.26, distance: 17 },
  contact: { azimuth: -Math.PI * 0.62, height: 0.24, distance: 9 },
  driver: { azimuth: 0, height: 0, distance: 1 },
  top: { azimuth: -Math.PI, height: 1.5, distance: 70 },
  free: { azimuth: -Math.PI * 0.6, height: 0.5, distance: 45 },
};

const MOVE = 350; // ms from one place to the next

export class Camera3d {
  camera = new PerspectiveCamera(38, 2, 0.2, 3000);
  kind: CameraKind = "chase";
  private orbit: Orbit = { ...HOME.chase };
  private left = { position: new Vector3(), quaternion: new Quaternion() }; // where it was before it was set
  private since = -Infinity;
  private far = 1; // times the orbit's distance, so that a platoon is in the picture
  eyes = 1.2; // m, of a driver above the road
  private shift = new Vector3(); // by hand, m
  private touches = new Map<number, { x: number; y: number }>();
  private eye = new Vector3();

  constructor(
    surface: HTMLElement,
    private changed: () => void,
  ) {
    this.camera.up.set(0, 0, 1);
    surface.addEventListener("pointerdown", (e) => {
      surface.setPointerCapture(e.pointerId);
      this.touches.set(e.pointerId, { x: e.clientX, y: e.clientY });
    });
    surface.addEventListener("pointermove", (e) => this.move(e));
    for (const end of ["pointerup", "pointercancel"] as const)
      surface.addEventListener(end, (e) => this.touches.delete((e as PointerEvent).pointerId));
    surface.addEventListener("contextmenu", (e) => e.preventDefault());
    surface.addEventListener(
      "wheel",
      (e) => {
        e.preventDefault();
        this.dolly(Math.exp(e.deltaY * (e.deltaMode === 1 ? 0.05 : 0.0012)));
      },
      { passive: false },
    );
    surface.addEventListener("keydown", (e) => this.key(e));
  }

  set(kind: CameraKind): void {
    this.left.position.copy(this.camera.position);
    this.left.quaternion.copy(this.camera.quaternion);
    this.far = 1;
    this.kind = kind;
    this.orbit = { ...HOME[kind] };
    this.shift.set(0, 0, 0);
    this.since = performance.now();
    this.changed();
  }
  home(): void {
    this.set(this.kind);
  }

  private move(e: PointerEvent): void {
    const t = this.touches.get(e.pointerId);
    if (!t) return;
    const spread = this.spread();
    const dx = e.clientX - t.x;
    const dy = e.clientY - t.y;
    t.x = e.clientX;
    t.y = e.clientY;
    if (this.touches.size === 2) {
      const now = this.spread();
      if (spread > 8 && now > 8) this.dolly(spread / now);
      return;
    }
    if (e.shiftKey || e.buttons & 6) this.pan(dx, dy);
    else {
      this.orbit.azimuth -= dx * 0.006;
      this.orbit.height = Math.max(-0.02, Math.min(1.55, this.orbit.height + dy * 0.005));
    }
    this.since = -Infinity;
    this.changed();
  }

  private spread(): number {
    const [a, b] = [...this.touches.values()];
    return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
  }

  private pan(dx: number, dy: number): void {
    const k = this.orbit.distance * 0.0012;
    const a = this.orbit.azimuth;
    this.shift.x += k * (dx * Math.sin(a) + dy * Math.cos(a) * -1);
    this.shift.y += k * (-dx * Math.cos(a) - dy * Math.sin(a));
  }

  private dolly(f: number): void {
    this.orbit.distance = Math.max(1.5, Math.min(900, this.orbit.distance * f));
    this.since = -Infinity;
    this.changed();
  }

  private key(e: KeyboardEvent): void {
    const turn = e.key === "ArrowLeft" ? 1 : e.key === "ArrowRight" ? -1 : 0;
    const tilt = e.key === "ArrowUp" ? 1 : e.key === "ArrowDown" ? -1 : 0;
    if (e.key === "Home") this.home();
    else if (e.key === "+" || e.key === "=") this.dolly(0.85);
    else if (e.key === "-") this.dolly(1 / 0.85);
    else if (turn || tilt) {
      this.orbit.azimuth += 0.08 * turn;
      this.orbit.height = Math.max(-0.02, Math.min(1.55, this.orbit.height + 0.05 * tilt));
      this.since = -Infinity;
    } else return;
    e.preventDefault();
    e.stopPropagation();
    this.changed();
  }

  get moving(): boolean {
    return performance.now() - this.since < MOVE;
  }

  // The camera at the focus (picture's coordinates); psi: heading of the car it belongs to; roadZ: height of the road at
  // a place; others: what a platoon's picture has to hold; free: moves a place out of the bodies.
  place(
    focus: Vector3,
    psi: number,
    roadZ: (x: number) => number,
    others: Vector3[],
    free: (eye: Vector3) => void,
  ): void {
    const c = this.camera;
    const near = this.kind === "driver" ? 0.08 : 0.3;
    if (c.near !== near) {
      c.near = near;
      c.fov = this.kind === "driver" ? 58 : 38;
      c.updateProjectionMatrix();
    }
    if (this.kind === "driver") this.sit(focus, psi);
    else {
      this.stand(focus, psi, roadZ, others);
      free(c.position);
    }
    const u = stillMotion() ? 1 : Math.min(1, (performance.now() - this.since) / MOVE);
    if (u >= 1) return;
    const k = u * u * (3 - 2 * u);
    c.position.lerpVectors(this.left.position, c.position, k);
    c.quaternion.slerpQuaternions(this.left.quaternion, c.quaternion.clone(), k);
    c.updateMatrixWorld();
  }

  private stand(focus: Vector3, psi: number, roadZ: (x: number) => number, others: Vector3[]): void {
    const c = this.camera;
    const o = this.orbit;
    const turns = this.kind === "chase" || this.kind === "platoon" || this.kind === "top";
    const azimuth = o.azimuth + (turns ? psi : 0);
    const platoon = this.kind === "platoon" && others.length > 0;
    // A platoon is looked at a third of the way to its first car; the camera goes back until all of it is in sight.
    const at = this.at.copy(focus).add(this.shift);
    if (platoon) at.addScaledVector(this.eye.copy(others[others.length - 1]!).sub(focus), 0.12);
    at.z += this.kind === "contact" ? 0.1 : 0.6;
    let far = platoon ? Math.max(1, this.far * 0.98) : 1;
    for (let k = 0; k < 24; k++) {
      const distance = o.distance * far;
      const flat = distance * Math.cos(o.height);
      this.eye.set(
        focus.x + this.shift.x + flat * Math.cos(azimuth),
        focus.y + this.shift.y + flat * Math.sin(azimuth),
        focus.z + distance * Math.sin(o.height) + (this.kind === "contact" ? 0.3 : 0.8),
      );
      this.eye.z = Math.max(this.eye.z, roadZ(this.eye.x) + 0.25);
      c.position.copy(this.eye);
      c.lookAt(at);
      c.updateMatrixWorld();
      if (!platoon || this.holds(others)) break;
      far *= 1.04;
    }
    this.far = far;
  }
  private at = new Vector3();

  private holds(points: Vector3[]): boolean {
    for (const p of points) {
      const q = this.seen.copy(p).project(this.camera);
      if (q.z > 1 || Math.abs(q.x) > 0.88 || Math.abs(q.y) > 0.82) return false;
    }
    return true;
  }
  private seen = new Vector3();

  // In the driver's seat: a little left of the middle; a drag turns the head.
  private sit(focus: Vector3, psi: number): void {
    const look = psi + this.orbit.azimuth;
    const c = this.camera;
    c.position.set(
      focus.x - 0.2 * Math.cos(psi) - 0.36 * Math.sin(psi),
      focus.y - 0.2 * Math.sin(psi) + 0.36 * Math.cos(psi),
      focus.z - 0.7 + this.eyes,
    );
    c.lookAt(
      c.position.x + 10 * Math.cos(look),
      c.position.y + 10 * Math.sin(look),
      c.position.z - 1.3 + 6 * -this.orbit.height,
    );
  }
}
