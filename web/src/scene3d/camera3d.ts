// camera3d.ts - where the 3-D view looks from: behind a car, at a contact, from the driver's seat, or
// free. Drag turns, Shift-drag or the right button moves, wheel or pinch dollies, Home goes back.

import { PerspectiveCamera, Vector3 } from "three";
import { stillMotion } from "../draw/paint.ts";

export const CAMERAS = ["chase", "contact", "driver", "free"] as const;
export type CameraKind = (typeof CAMERAS)[number];

// Seen from the focus: azimuth from straight ahead (rad, left positive), height angle, distance m.
interface Orbit {
  azimuth: number;
  height: number;
  distance: number;
}
const HOME: Record<CameraKind, Orbit> = {
  chase: { azimuth: -Math.PI * 0.93, height: 0.26, distance: 17 },
  contact: { azimuth: -Math.PI * 0.62, height: 0.24, distance: 9 },
  driver: { azimuth: 0, height: 0, distance: 1 },
  free: { azimuth: -Math.PI * 0.6, height: 0.5, distance: 45 },
};

export class Camera3d {
  camera = new PerspectiveCamera(38, 2, 0.2, 3000);
  kind: CameraKind = "chase";
  private orbit: Orbit = { ...HOME.chase };
  private from: Orbit = { ...HOME.chase };
  private since = -Infinity;
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
    this.from = { ...this.orbit };
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
    return performance.now() - this.since < 200;
  }

  // The camera at the focus (picture's coordinates); psi: heading of the car it belongs to.
  place(focus: Vector3, psi: number, roadZ: number): void {
    const c = this.camera;
    if (this.kind === "driver") {
      this.sit(focus, psi);
      return;
    }
    const u = stillMotion() ? 1 : Math.min(1, (performance.now() - this.since) / 200);
    const k = 1 - (1 - u) ** 3;
    const o = this.orbit;
    const f = this.from;
    const azimuth = f.azimuth + (o.azimuth - f.azimuth) * k + (this.kind === "chase" ? psi : 0);
    const height = f.height + (o.height - f.height) * k;
    const distance = f.distance * (o.distance / f.distance) ** k;
    const flat = distance * Math.cos(height);
    this.eye.set(
      focus.x + this.shift.x + flat * Math.cos(azimuth),
      focus.y + this.shift.y + flat * Math.sin(azimuth),
      focus.z + distance * Math.sin(height) + (this.kind === "contact" ? 0.3 : 0.8),
    );
    if (this.eye.z < roadZ + 0.25) this.eye.z = roadZ + 0.25;
    c.position.copy(this.eye);
    c.lookAt(focus.x + this.shift.x, focus.y + this.shift.y, focus.z + (this.kind === "contact" ? 0.1 : 0.6));
    if (u >= 1) this.from = { ...o };
  }

  // In the driver's seat: a little left of the middle, eyes 1.25 m above the road; a drag turns the head.
  private sit(focus: Vector3, psi: number): void {
    const look = psi + this.orbit.azimuth;
    const c = this.camera;
    c.position.set(
      focus.x - 0.2 * Math.cos(psi) - 0.36 * Math.sin(psi),
      focus.y - 0.2 * Math.sin(psi) + 0.36 * Math.cos(psi),
      focus.z + 0.62,
    );
    c.lookAt(
      c.position.x + 10 * Math.cos(look),
      c.position.y + 10 * Math.sin(look),
      c.position.z - 0.5 + 6 * -this.orbit.height,
    );
  }
}
