// Light or dark: as the system has it, until the reader chooses.
import { button } from "./element";

const KEY = "ramify-theme";
const dark = matchMedia("(prefers-color-scheme: dark)");

// Frames in notebooks may have no storage; the choice lasts as long as the page then.
function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function store(theme: string): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    return;
  }
}

export function themeButton(): HTMLButtonElement {
  const root = document.documentElement;
  const isDark = (): boolean => (root.dataset.theme ?? (dark.matches ? "dark" : "light")) === "dark";
  const made = button("Dark colours", "◐", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    store(root.dataset.theme);
    tell();
  });
  const tell = (): void => made.setAttribute("aria-pressed", String(isDark()));
  const kept = stored();
  if (kept === "light" || kept === "dark") root.dataset.theme = kept;
  dark.addEventListener("change", tell);
  tell();
  return made;
}
