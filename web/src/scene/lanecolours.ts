// lanecolours.ts - what a lane is used for, as colours, hatches and words.
import { palette } from "../draw/paint.ts";
import type { PlanRule } from "../wire/protocol.ts";

// Kinds of use that an editor paints. entry: automated, and cars may change into it.
export const USES = ["any", "automated", "entry", "manual", "closed"] as const;
export type Use = (typeof USES)[number];

export function useOf(rule: PlanRule | null): Use {
  if (!rule) return "any";
  if (rule.use !== "automated") return rule.use;
  return rule.enter === "closed" ? "automated" : "entry";
}

// What a section of a scenario says for a kind.
export function keysOf(use: Use): { use?: string; enter?: string } {
  if (use === "any") return {};
  if (use === "automated") return { use: "automated", enter: "closed" };
  if (use === "entry") return { use: "automated", enter: "automated" };
  return { use };
}

export const USE_WORDS: Record<Use, string> = {
  any: "any car",
  automated: "automated",
  entry: "automated, entry",
  manual: "manual",
  closed: "closed",
};

export function useColour(use: Use): string {
  const p = palette();
  if (use === "automated" || use === "entry") return p.dark ? "#15352F" : "#CFE9E4";
  if (use === "manual") return p.asphalt;
  if (use === "closed") return p.dark ? "#3A1420" : "#FBE3E8";
  return p.asphalt;
}

// Lines over the ground: entry in teal, closed in crimson; null: none.
export function useStripes(use: Use): string | null {
  const p = palette();
  if (use === "entry") return p.dark ? "#2E6B60" : "#8CC9BF";
  if (use === "closed") return p.danger;
  return null;
}
