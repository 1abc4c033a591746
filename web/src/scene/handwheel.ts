// handwheel.ts - the steering wheel as a picture: in the inspector it shows what the law does, under
// the scene it is turned by hand.
import { svg } from "../ui/dom.ts";

export const WHEEL_RATIO = 16; // angle of the hand wheel over that of the road wheels, as drawn and turned here

const R = 42;
const SPOKES = `M${-R + 3} -4Q0 -14 ${R - 3} -4L${R - 4} 5Q14 2 6 12L4 ${R - 3}H-4L-6 12Q-14 2 ${-R + 4} 5Z`;

export interface HandWheel {
  root: SVGElement;
  turn(steer: number): void; // rad, of the road wheels, left positive
}

export function handWheel(): HandWheel {
  const turning = svg(
    "g",
    { class: "hw-turning" },
    svg("circle", { r: R, class: "hw-rim" }),
    svg("path", { d: SPOKES, class: "hw-spokes" }),
    svg("circle", { r: 8, cy: 1, class: "hw-hub" }),
    svg("rect", { x: -2.5, y: -R - 4.5, width: 5, height: 9, rx: 1.5, class: "hw-top" }),
  );
  const ticks = [-90, -60, -30, 0, 30, 60, 90].map((a) => {
    const q = ((a - 90) * Math.PI) / 180;
    const at = (r: number) => [Math.cos(q) * r, Math.sin(q) * r].map((x) => x.toFixed(1));
    const [x1, y1] = at(R + 6);
    const [x2, y2] = at(R + 11);
    return svg("line", { x1, y1, x2, y2, class: a ? "hw-tick" : "hw-tick hw-zero" });
  });
  const root = svg("svg", { viewBox: "-55 -55 110 110", class: "hw", "aria-hidden": "true" }, ...ticks, turning);
  let shown = NaN;
  return {
    root,
    turn(steer) {
      const degrees = Math.round((-steer * WHEEL_RATIO * 1800) / Math.PI) / 10;
      if (degrees === shown) return;
      shown = degrees;
      turning.setAttribute("transform", `rotate(${degrees})`);
    },
  };
}
