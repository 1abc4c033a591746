// drive.ts - driving by hand: throttle, brake and steering wheel of one car by mouse, touch, keys, gamepad.
//
// Opening the dock takes nothing: the car is taken, and time started, by the first pedal that moves.
// Driving happens at the live end. Keys and triggers move the pedals at the speed of a foot, so that
// a key press is not a step input; bars and wheel follow the finger at once. Samples are sent 30
// times a second while anything moves and twice a second otherwise: after two seconds of silence the
// server returns the car to its law.
import type { App } from "../core/app.ts";
import { modelOf } from "../core/facts.ts";
import { handWheel, WHEEL_RATIO } from "./handwheel.ts";
import { h } from "../ui/dom.ts";
import type { Vehicle } from "../wire/protocol.ts";

export const FOOT = 1.6; // 1/s, throttle and brake by key
export const LIFT = 3.0; // 1/s, back by itself
export const HAND = 0.35; // rad/s, steering by key
export const MAX_STEER = 0.35; // rad, of the wheels at full lock here

// The car that this page has in its hands.
const hands: { world: number; vehicle: string } = { world: -1, vehicle: "" };
export function drivenHere(world: number, vehicle: string): boolean {
  return hands.world === world && hands.vehicle === vehicle;
}

export interface Pedals {
  throttle: number;
  brake: number;
  steer: number;
}
export interface Held {
  up: boolean;
  down: boolean;
  left: boolean;
  right: boolean;
}

function towards(value: number, goal: number, step: number): number {
  return value < goal ? Math.min(goal, value + step) : Math.max(goal, value - step);
}

// How far a key turns the wheels at a speed: a fast car would leave the road at full lock, so about 12 m/s² over a
// wheelbase of 2.8 m. The wheel itself, a stick and fingers reach full lock at any speed.
export function keyLock(v: number): number {
  return Math.max(0.02, Math.min(MAX_STEER, (12 * 2.8) / Math.max(v * v, 1e-3)));
}

// Pedals after dt seconds with keys held as they are.
export function footwork(p: Pedals, held: Held, dt: number, lock = MAX_STEER): Pedals {
  const steerTo = held.left === held.right ? 0 : held.left ? lock : -lock;
  const hand = steerTo === 0 ? 2 * HAND : HAND * Math.max(0.25, lock / MAX_STEER);
  return {
    throttle: held.up && !held.down ? towards(p.throttle, 1, FOOT * dt) : towards(p.throttle, 0, LIFT * dt),
    brake: held.down ? towards(p.brake, 1, FOOT * dt) : towards(p.brake, 0, LIFT * dt),
    steer: towards(p.steer, steerTo, hand * dt),
  };
}

export function mountDrive(host: HTMLElement, app: App) {
  const pedals: Pedals = { throttle: 0, brake: 0, steer: 0 };
  const held: Held = { up: false, down: false, left: false, right: false };
  const finger = { throttle: false, brake: false, steer: false };
  let car: { world: number; vehicle: Vehicle } | null = null;
  let taken = false; // else the dock waits for the first pedal
  let sent = { throttle: -1, brake: -1, steer: -9, at: 0 };
  let hasPedals = true; // else throttle and brake are shares of the acceleration it can do
  let last = 0;
  let timer = 0;

  const bar = (name: "throttle" | "brake", label: string): { root: HTMLElement; paint(): void } => {
    const input = h("input", {
      type: "range",
      min: "0",
      max: "100",
      step: "1",
      class: `dr-bar dr-${name}`,
      "aria-label": label,
      "aria-orientation": "vertical",
    }) as HTMLInputElement;
    const value = h("output", { class: "dr-value" });
    input.addEventListener("input", () => {
      finger[name] = true;
      pedals[name] = Number(input.value) / 100;
      if (car && !taken && pedals[name] > 0) take(); // a short tap counts whole
    });
    for (const end of ["pointerup", "pointercancel", "blur", "touchend"])
      input.addEventListener(end, () => (finger[name] = false));
    return {
      root: h("label", { class: "dr-pedal" }, h("span", {}, label), input, value),
      paint() {
        if (!finger[name]) input.value = String(Math.round(100 * pedals[name]));
        input.style.setProperty("--v", `${100 * pedals[name]}%`);
        const text =
          name === "throttle"
            ? `${Math.round(100 * pedals.throttle)} %${hasPedals ? `  ${(7 + 78 * pedals.throttle).toFixed(0)}°` : ""}`
            : `${Math.round(100 * pedals.brake)} %`;
        if (value.textContent !== text) value.textContent = text;
      },
    };
  };
  const throttle = bar("throttle", "Throttle");
  const brake = bar("brake", "Brake");
  const rim = h("div", {
    class: "dr-wheel",
    role: "slider",
    tabindex: "0",
    "aria-label": "Steering wheel",
    "aria-valuemin": "-20",
    "aria-valuemax": "20",
    "aria-valuenow": "0",
  });
  const wheel = handWheel();
  rim.append(wheel.root);
  const steers = h("strong", { class: "dr-hands" });
  const angle = h("output", { class: "dr-value" });
  const title = h("strong", { class: "dr-title" });
  const speed = h("output", { class: "dr-speed" });
  const out = h("button", { type: "button", class: "dr-out" }, "Let go") as HTMLButtonElement;
  const without = h(
    "span",
    { class: "dr-keys dr-without", hidden: true },
    "No pedals: throttle and brake are shares of its maximum acceleration and braking.",
  );
  const dock = h(
    "div",
    { class: "dr-dock" },
    h(
      "div",
      { class: "dr-who" },
      title,
      speed,
      out,
      h("span", { class: "dr-keys" }, "↑ throttle  ↓ brake  ← → steer, or a gamepad"),
      without,
    ),
    h("div", { class: "dr-pedals" }, throttle.root, brake.root),
    h("div", { class: "dr-steer" }, rim, h("div", {}, steers, angle)),
  );
  host.append(dock);

  // ---- steering wheel: turned by one pointer about its hub, or by two fingers about each other ----
  const pointers = new Map<number, { x: number; y: number }>();
  let from = 0;
  const angleNow = (): number => {
    const [p, q] = [...pointers.values()];
    const box = rim.getBoundingClientRect();
    const [x, y] = q ? [q.x, q.y] : [box.left + box.width / 2, box.top + box.height / 2];
    return Math.atan2(p!.y - y, p!.x - x);
  };
  rim.addEventListener("pointerdown", (e) => {
    rim.setPointerCapture(e.pointerId);
    pointers.set(e.pointerId, { x: e.clientX, y: e.clientY });
    finger.steer = true;
    from = angleNow();
  });
  rim.addEventListener("pointermove", (e) => {
    const at = pointers.get(e.pointerId);
    if (!at) return;
    at.x = e.clientX;
    at.y = e.clientY;
    let turn = angleNow() - from;
    if (turn > Math.PI) turn -= 2 * Math.PI;
    if (turn < -Math.PI) turn += 2 * Math.PI;
    from += turn;
    pedals.steer = Math.max(-MAX_STEER, Math.min(MAX_STEER, pedals.steer - turn / WHEEL_RATIO));
  });
  for (const end of ["pointerup", "pointercancel"])
    rim.addEventListener(end, (e) => {
      pointers.delete((e as PointerEvent).pointerId);
      finger.steer = pointers.size > 0;
      if (finger.steer) from = angleNow();
    });

  // ---- keys ----
  const key = (e: KeyboardEvent, on: boolean): void => {
    if (
      !car ||
      (e.target instanceof HTMLElement && e.target.closest("input[type=text],input[type=search],textarea,select"))
    )
      return;
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const which = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right" }[e.key] as
      keyof Held | undefined;
    if (on && e.key === "Escape") return release();
    if (!which || e.shiftKey) return;
    e.preventDefault();
    e.stopImmediatePropagation();
    held[which] = on;
  };
  window.addEventListener("keydown", (e) => key(e, true), true);
  window.addEventListener("keyup", (e) => key(e, false), true);
  window.addEventListener("blur", () => Object.assign(held, { up: false, down: false, left: false, right: false }));

  // ---- gamepad: right trigger throttle, left trigger brake, left stick steers ----
  const gamepad = (): boolean => {
    const pad = navigator.getGamepads?.().find((g) => g && g.connected);
    if (!pad) return false;
    const go = pad.buttons[7]?.value ?? 0;
    const stop = pad.buttons[6]?.value ?? 0;
    const turn = pad.axes[0] ?? 0;
    if (go < 0.02 && stop < 0.02 && Math.abs(turn) < 0.06) return false;
    pedals.throttle = go;
    pedals.brake = stop;
    pedals.steer = -turn * Math.abs(turn) * MAX_STEER;
    return true;
  };

  const send = (now: number): void => {
    if (!car) return;
    const moved =
      Math.abs(sent.throttle - pedals.throttle) +
        Math.abs(sent.brake - pedals.brake) +
        Math.abs(sent.steer - pedals.steer) >
      1e-4;
    if (!moved && now - sent.at < 500) return;
    sent = { ...pedals, at: now };
    app.tell("drive", { world: car.world, vehicle: car.vehicle.name, ...round(pedals) });
  };
  const speedNow = (): number => {
    const frame = car ? app.frame(car.world) : null;
    const i = frame ? frame.index(car!.vehicle.id) : -1;
    return frame && i >= 0 ? (frame.field("v")?.[i] ?? 0) : 0;
  };
  const beat = (): void => {
    const now = performance.now();
    const dt = Math.min(0.1, (now - last) / 1000);
    last = now;
    if (!gamepad()) {
      const next = footwork(pedals, held, dt, keyLock(speedNow()));
      for (const k of ["throttle", "brake", "steer"] as const) if (!finger[k]) pedals[k] = next[k];
    }
    if (taken) send(now);
    else if (pedals.throttle + pedals.brake + Math.abs(pedals.steer) > 0.004) take();
    paint();
  };
  const paint = (): void => {
    throttle.paint();
    brake.paint();
    const degrees = Math.round((pedals.steer * 1800) / Math.PI) / 10;
    wheel.turn(pedals.steer);
    rim.setAttribute("aria-valuenow", String(-degrees));
    rim.setAttribute(
      "aria-valuetext",
      degrees === 0 ? "straight" : `${Math.abs(degrees)} degrees ${degrees > 0 ? "left" : "right"}`,
    );
    angle.textContent = `${degrees > 0 ? "←" : degrees < 0 ? "→" : ""} ${Math.abs(degrees).toFixed(1)}°`;
  };

  const offer = (world: number, vehicle: Vehicle): void => {
    release();
    if (vehicle.driven) {
      app.toast(`${vehicle.name} is driven by ${vehicle.driven}`);
      if (app.layout.driving) app.layout.set({ driving: false });
      return;
    }
    car = { world, vehicle };
    Object.assign(pedals, { throttle: 0, brake: 0, steer: 0 });
    title.textContent = `Ready to drive ${vehicle.name}`;
    steers.textContent = "law steers";
    const at = app.world(world);
    hasPedals = !at || modelOf(at, vehicle)?.pedals !== false;
    without.hidden = hasPedals;
    last = performance.now();
    timer = window.setInterval(beat, 33);
    app.layout.set({ driving: true });
    app.speak(`${vehicle.name}: arrow up throttle, arrow down brake, arrow left and right steer`);
  };
  // The first sample is a request: the server rejects it if another page drives the car.
  const take = (): void => {
    const mine = car!;
    taken = true;
    Object.assign(hands, { world: mine.world, vehicle: mine.vehicle.name });
    steers.textContent = "you steer";
    app.clock.goLive();
    sent = { ...pedals, at: performance.now() };
    app.ask("drive", { world: mine.world, vehicle: mine.vehicle.name, ...round(pedals) }).catch((e: Error) => {
      if (car !== mine) return;
      stop();
      app.toast(`${e.message[0]?.toUpperCase()}${e.message.slice(1)}`);
    });
    title.textContent = `Driving ${mine.vehicle.name}`;
  };
  function stop(): void {
    car = null;
    taken = false;
    hands.world = -1;
    pointers.clear();
    finger.steer = false;
    window.clearInterval(timer);
    Object.assign(held, { up: false, down: false, left: false, right: false });
    app.layout.set({ driving: false });
  }
  function release(): void {
    if (!car) return;
    if (taken) app.tell("release", { world: car.world, vehicle: car.vehicle.name });
    stop();
  }
  out.addEventListener("click", release);
  app.on("state", (d) => {
    if (d?.connected === false && car) stop();
  });
  app.on("worlds", () => {
    if (car && !app.world(car.world)?.vehicles.some((v) => v.name === car?.vehicle.name)) stop();
  });
  app.on("world", () => {
    if (car && !app.world(car.world)?.vehicles.some((v) => v.name === car?.vehicle.name)) stop();
  });
  app.on("layout", () => {
    if (app.layout.driving && !car) toggle();
    else if (!app.layout.driving && car) release();
  });
  app.on("select", () => {
    // another car is chosen: the hands go over to it
    const s = app.selection;
    if (!car || !s || (s.world === car.world && s.vehicle === car.vehicle.name)) return;
    const v = app.world(s.world)?.vehicles.find((o) => o.name === s.vehicle);
    if (v && app.world(s.world)?.kind === "run") offer(s.world, v);
  });
  const toggle = (): void => {
    if (car) return release();
    const world = app.current();
    const why = !world
      ? "There is no car to drive."
      : world.kind === "replay"
        ? "A recording cannot be driven: select a car of a simulation."
        : app.readOnly
          ? "This page is read-only."
          : world.state !== "running"
            ? `${world.name} has ended: it cannot be driven any further.`
            : "";
    if (!world || why) {
      app.toast(why);
      return app.layout.driving ? app.layout.set({ driving: false }) : undefined;
    }
    const vehicle =
      world.vehicles.find((v) => v.name === app.selection?.vehicle) ??
      world.vehicles.find((v) => v.leader) ??
      world.vehicles[0];
    if (vehicle) offer(world.world, vehicle);
  };
  app.command({
    name: "drive",
    title: "Drive the selected car (or the leader)",
    group: "Cars",
    help: "Throttle, brake and steering by arrow keys, mouse, touch or gamepad. The first pedal takes the car. Again, or Esc: let go.",
    keys: ["D"],
    run: toggle,
  });
  return {
    draw() {
      if (!car) return;
      const text = `${speedNow().toFixed(2)} m/s`;
      if (speed.textContent !== text) speed.textContent = text;
    },
  };
}

function round(p: Pedals): Pedals {
  const r = (x: number): number => Math.round(x * 1e4) / 1e4;
  return { throttle: r(p.throttle), brake: r(p.brake), steer: r(p.steer) };
}
