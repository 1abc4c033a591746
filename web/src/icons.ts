// icons.ts - line icons, 24 x 24 units, drawn for this page. Solid ones are filled (transport).
import { svg } from "./dom.ts";

const line: Record<string, string> = {
  road: "M8 4 5 20M16 4l3 16M12 4v2.5M12 10.5v3M12 17.5V20",
  cars: "M4 15.5v-3.2l2-4.6A2 2 0 0 1 7.8 6.5h8.4A2 2 0 0 1 18 7.7l2 4.6v3.2a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1zM4.5 12h15M6.5 16.5v2M17.5 16.5v2M7 14.2h1.5M15.5 14.2H17",
  control: "M4 8h9M17 8h3M4 16h3M11 16h9M15 6v4M9 14v4",
  drive: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 10a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM4 10.5c2.6-.8 5-.8 6.3.2M20 10.5c-2.600-.8-5-.8-6.300.2M12 14v6",
  identify: "M3 17c3 0 3.500-9 7-9s3.500 6 6 6 2.500-3 5-3M3 20.500h18",
  mileage: "M5 20V6a2 2 0 0 1 2-2h5a2 2 0 0 1 2 2v14M4 20h11M7.500 7.500h4V11h-4zM14 12h1.500a1.500 1.500 0 0 1 1.500 1.500V17a1.500 1.500 0 0 0 3 0V9l-3-3",
  sweep: "M4 4h6.500v6.500H4zM13.500 4H20v6.500h-6.500zM4 13.500h6.500V20H4zM13.500 13.500H20V20h-6.500z",
  vehicle: "M2.500 15.500V8h10v7.500M12.500 10.500h4.500l3.500 3v2h-1.500M2.500 15.500h1.500M9 15.500h5.500M6.500 13.800a1.900 1.900 0 1 0 0 3.800 1.900 1.900 0 0 0 0-3.800zM16.800 13.800a1.900 1.900 0 1 0 0 3.800 1.900 1.900 0 0 0 0-3.800z",
  files: "M6.500 3.500h7l4.500 4.500v12.500h-11.500zM13.500 3.500V8H18",
  theme: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16z",
  help: "M12 3.500a8.500 8.500 0 1 0 0 17 8.500 8.500 0 0 0 0-17zM9.600 9.700a2.500 2.500 0 1 1 3.500 2.300c-.800.400-1.100.900-1.100 1.800M12 16.800v.1",
  search: "M10.500 4.500a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM15 15l5 5",
  share: "M12 14V4M8.500 7.500 12 4l3.500 3.500M6 11.500H5V20h14v-8.500h-1",
  loop: "M5 11V9.500A2.500 2.500 0 0 1 7.500 7H19M16 4l3 3-3 3M19 13v1.500a2.500 2.500 0 0 1-2.500 2.500H5M8 20l-3-3 3-3",
  pingpong: "M4 12h16M7 9l-3 3 3 3M17 9l3 3-3 3",
  branch: "M7 5v14M7 12c5 0 4-5 10-5M14.500 4.500 17 7l-2.500 2.500",
  eye: "M3 12s3.500-6 9-6 9 6 9 6-3.500 6-9 6-9-6-9-6zM12 9.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5z",
  eyeoff: "M3 12s3.500-6 9-6 9 6 9 6-3.500 6-9 6-9-6-9-6zM5 19 19 5",
  more: "M6 12h.1M12 12h.1M18 12h.1",
  close: "M6 6l12 12M18 6 6 18",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  undo: "M8 5 4 9l4 4M4 9h10a5 5 0 0 1 0 10h-4",
  redo: "M16 5l4 4-4 4M20 9H10a5 5 0 0 0 0 10h4",
  filter: "M4 6h16M7 12h10M10 18h4",
  fit: "M4 8V4h4M20 8V4h-4M4 16v4h4M20 16v4h-4",
  lock: "M6.500 11h11v8.500h-11zM9 11V8a3 3 0 0 1 6 0v3",
  down: "M7 10l5 5 5-5",
  up: "M7 14l5-5 5 5",
  left: "M14 7l-5 5 5 5",
  right: "M10 7l5 5-5 5",
  pin: "M12 3.500a5 5 0 0 1 5 5c0 4-5 10-5 10s-5-6-5-10a5 5 0 0 1 5-5zM12 7v3",
  ruler: "M3 15 15 3l6 6L9 21zM7 11l2 2M10 8l2 2M13 5l2 2",
  camera: "M4 7.500h3.500L9 5.500h6l1.500 2H20v11H4zM12 10a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
  download: "M12 4v11M8 11.500l4 4 4-4M5 20h14",
  trash: "M5 7h14M9 7V4.500h6V7M7 7l.800 13h8.400L17 7",
  edit: "M4 20l1-4.500L16 4.500l3.500 3.500L8.500 19z",
  inspector: "M4 5h16v14H4zM15 5v14",
  instruments: "M4 5h16v14H4zM4 14h16M10 14v5M15 14v5",
  warning: "M12 4 2.800 20h18.400zM12 10v4.500M12 17.300v.1",
  gear: "M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM12 3v3M12 18v3M3 12h3M18 12h3M5.600 5.600l2.100 2.100M16.300 16.300l2.100 2.100M18.400 5.600l-2.100 2.100M7.700 16.300l-2.100 2.100",
  menu: "M4 7h16M4 12h16M4 17h16",
  drag: "M9 6h.1M15 6h.1M9 12h.1M15 12h.1M9 18h.1M15 18h.1",
  fold: "M7 14l5-5 5 5",
};
const solid: Record<string, string> = {
  play: "M7.500 4.800v14.400a.800.800 0 0 0 1.200.700l11-7.200a.800.800 0 0 0 0-1.400l-11-7.200a.800.800 0 0 0-1.200.700z",
  pause: "M7 5h3.600v14H7zM13.400 5H17v14h-3.600z",
  first: "M5 5h2.400v14H5zM19 5.500v13a.600.600 0 0 1-.900.500L9 12.500a.600.600 0 0 1 0-1l9.100-6.500a.600.600 0 0 1 .900.500z",
  last: "M16.600 5H19v14h-2.400zM5 5.500v13a.600.600 0 0 0 .900.500l9.100-6.500a.600.600 0 0 0 0-1L5.900 5a.600.600 0 0 0-.900.500z",
  back: "M17 5h2v14h-2zM14.500 6v12a.600.600 0 0 1-.900.500L5 12.500a.600.600 0 0 1 0-1l8.600-6a.600.600 0 0 1 .900.500z",
  on: "M5 5h2v14H5zM9.500 6v12a.600.600 0 0 0 .900.500l8.600-6a.600.600 0 0 0 0-1l-8.600-6a.600.600 0 0 0-.900.500z",
  half: "M12 4a8 8 0 0 1 0 16z",
  warn: "M12 3.500a1 1 0 0 1 .9.500l8.500 15a1 1 0 0 1-.9 1.500H3.500a1 1 0 0 1-.9-1.500l8.500-15a1 1 0 0 1 .9-.5z",
};

export function icon(name: string, size?: number): SVGElement {
  const filled = name in solid && !(name in line);
  const e = svg("svg", { class: filled ? "icon solid" : "icon", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" });
  if (size) e.style.cssText = `width:${size}px;height:${size}px`;
  const d = line[name] ?? solid[name];
  if (!d) throw new Error(`no icon '${name}'`);
  e.appendChild(svg("path", { d }));
  if (name === "theme") e.appendChild(svg("path", { d: solid.half, fill: "currentColor", stroke: "none" }));
  return e;
}
