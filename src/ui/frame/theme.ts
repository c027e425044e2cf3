import { useEffect, useState } from "preact/hooks";

export const themes = ["system", "dark", "light"] as const;
export type Theme = (typeof themes)[number];

const KEY = "plait-theme";
const system = matchMedia("(prefers-color-scheme: light)");

/** What the person chose, and how to choose the next; whatever they chose is there when they come back. */
export function useTheme(): readonly [Theme, () => void] {
  const [theme, setTheme] = useState<Theme>(stored);
  useEffect(() => {
    const follow = (): void => applyTheme(theme);
    follow();
    system.addEventListener("change", follow);
    return () => system.removeEventListener("change", follow);
  }, [theme]);
  return [theme, () => setTheme(keep(themes[(themes.indexOf(theme) + 1) % themes.length] ?? "system"))];
}

/** Before anything is drawn, so that nothing flashes. */
export function applyTheme(theme: Theme = stored()): void {
  const isLight = theme === "system" ? system.matches : theme === "light";
  document.documentElement.setAttribute("data-theme", isLight ? "light" : "dark");
}

// A page from a disk, or in a private window, may be refused a store: then the choice holds as long as the page.

function stored(): Theme {
  try {
    const value = localStorage.getItem(KEY);
    return themes.find((theme) => theme === value) ?? "system";
  } catch {
    return "system";
  }
}

function keep(theme: Theme): Theme {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // see above
  }
  return theme;
}
