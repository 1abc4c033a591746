// theme.ts - light, dark or as the system says; kept in localStorage.
import { useFont } from "../base/opening.ts";
import type { Page } from "../core/app.ts";

export type Theme = "light" | "dark" | "auto";
const KEY = "motorcade.theme";
const dark = () => matchMedia("(prefers-color-scheme: dark)").matches;

export function readTheme(): Theme {
  const asked = new URLSearchParams(location.search).get("theme");
  if (asked === "light" || asked === "dark") return asked;
  try {
    const t = localStorage.getItem(KEY);
    if (t === "light" || t === "dark") return t;
  } catch {
    /* nothing is kept */
  }
  return "auto";
}
export function startTheme(app: Page): { get(): Theme; set(t: Theme): void; next(): void } {
  let theme = readTheme();
  useFont(document.documentElement);
  const apply = () => {
    const name = theme === "auto" ? (dark() ? "dark" : "light") : theme;
    if (document.documentElement.dataset.theme !== name) {
      document.documentElement.dataset.theme = name;
      app.emit("theme");
    }
  };
  const set = (t: Theme) => {
    theme = t;
    try {
      if (t === "auto") localStorage.removeItem(KEY);
      else localStorage.setItem(KEY, t);
    } catch {
      /* nothing is kept */
    }
    apply();
  };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", apply);
  apply();
  return {
    get: () => theme,
    set,
    next: () => set(document.documentElement.dataset.theme === "dark" ? "light" : "dark"),
  };
}
