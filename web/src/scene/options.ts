// options.ts - the scene's choices with their defaults. The page keeps them per scenario and in the
// link.

import type { Page } from "../core/app.ts";
import type { ColourBy } from "./colour.ts";
import { HEAD_LAW, type HeadLaw } from "./heads.ts";
import type { TagKind } from "./tags.ts";

export interface SceneOptions {
  length: number; // m on the screen; 0: the platoon at the start
  markers: number; // m
  factor: number; // error magnification
  autoFactor: boolean;
  colour: ColourBy;
  tags: TagKind;
  ghosts: boolean;
  rail: boolean;
  trails: boolean;
  trailTime: number; // s, 0 .. 3
  lateral: number; // magnification of y
  map: "auto" | "on" | "off"; // the strip of the whole road
  mapPage: "lanes" | "grade";
  mapUnit: "km" | "mi";
  errorLimit: number; // m
  jerkLimit: number; // m/s^3
  difference: boolean;
  noTags: string[]; // cars without a tag
  head: HeadLaw;
}

export const SCENE_DEFAULTS: SceneOptions = {
  length: 0,
  markers: 10,
  factor: 5,
  autoFactor: false,
  colour: "platoon",
  tags: "v a j",
  ghosts: true,
  rail: true,
  trails: false,
  trailTime: 3,
  lateral: 1,
  map: "auto",
  mapPage: "lanes",
  mapUnit: "km",
  errorLimit: 0.5,
  jerkLimit: 2.5,
  difference: false,
  noTags: [],
  head: HEAD_LAW,
};

export function choice<K extends keyof SceneOptions>(app: Page, name: K): SceneOptions[K] {
  const v = app.option<SceneOptions[K] | undefined>(key(name));
  return v === undefined || v === null ? SCENE_DEFAULTS[name] : v;
}

export function choose<K extends keyof SceneOptions>(app: Page, name: K, value: SceneOptions[K]): void {
  app.option(key(name), value);
}

// Difference mode belongs to the whole page; the rest has a prefix of its own.
function key(name: keyof SceneOptions): string {
  return name === "difference" ? name : `scene.${name}`;
}
