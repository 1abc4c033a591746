// sceneview.ts - the scene as its parts see it (the bar above it, gestures, a car being placed), and exports.
import type { App } from "../core/app.ts";
import type { Colouring } from "./colour.ts";
import type { LaneChange } from "./lanechange.ts";
import type { Ruler } from "./ruler.ts";
import type { Strip } from "./strip.ts";
import type { TagKind } from "./tags.ts";
import type { View } from "./view.ts";

export interface SceneView {
  app: App;
  view: View;
  canvas: HTMLCanvasElement;
  strips: Strip[];
  ruler: Ruler;
  colouring: Colouring;
  change: LaneChange; // a car that is sent to another lane
  hover: { world: number; k: number }; // the car under the pointer; -1: none
  script: number; // ms the last drawing took
  factor(): number; // of errors now
  showCar(): void;
  showPlatoon(): void;
  showAll(): void;
  setReference(name: string | null, world?: number): void;
  cycleTags(): void;
  tagKind(): TagKind; // what is written beside cars now
  railOn(): boolean; // the error rail is shown
  ghostsOn(): boolean; // and the outlines of desired places
  trailTime(): number; // s, of the trails; 0: none
  free(): { left: number; top: number; width: number; height: number } | null; // its tallest empty band, px of the window
  retext(): void; // rebuilds texts at the next drawing
  png(): Promise<Blob | null>;
}

const scenes = new WeakMap<App, SceneView>();
export function keepScene(scene: SceneView): void {
  scenes.set(scene.app, scene);
}
// The scene of a page; null before it is mounted.
export function sceneView(app: App): SceneView | null {
  return scenes.get(app) ?? null;
}
