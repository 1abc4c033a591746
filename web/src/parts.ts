// parts.ts - the parts of the page that main.ts mounts, and all style sheets.
import type { App, Part } from "./core/app.ts";
export { mountScene } from "./scene/scene.ts";
export { mountCards } from "./cards/cards.ts";
export { mountInspector } from "./inspector/inspector.ts";
export { mountPanel } from "./inspector/inspector.ts";
export { mountDrive } from "./scene/drive.ts";
export { mountBench } from "./bench/bench.ts";
export { mountTimeSpace } from "./cards/timespace.ts";
export async function loadScene3d(): Promise<(host: HTMLElement, app: App) => Part> {
  return (await import("./scene3d/scene3d.ts")).mountScene3d;
}
import "./style/base.css";
import "./style/shell.css";
import "./style/bench.css";
import "./style/cards.css";
import "./style/inspector.css";
import "./style/lateral.css";
import "./style/ersc.css";
import "./style/mechanism.css";
import "./style/concept.css";
import "./style/meters.css";
import "./style/scene.css";
import "./style/scene3d.css";
import "./style/timeline.css";
