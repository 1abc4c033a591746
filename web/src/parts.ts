// parts.ts - the parts of the page that main.ts mounts, and all style sheets.
import type { App, Part } from "./app.ts";
export { mountScene } from "./scene.ts";
export { mountCards } from "./cards.ts";
export { mountInspector } from "./inspector.ts";
export { mountPanel } from "./inspector.ts";
export { mountDrive } from "./drive.ts";
export { mountBench } from "./bench.ts";
export { mountTimeSpace } from "./timespace.ts";
export async function loadScene3d(): Promise<(host: HTMLElement, app: App) => Part> {
  return (await import("./scene3d.ts")).mountScene3d;
}
import "./style/base.css";
import "./style/shell.css";
import "./style/bench.css";
import "./style/cards.css";
import "./style/inspector.css";
import "./style/meters.css";
import "./style/scene.css";
import "./style/scene3d.css";
import "./style/timeline.css";
