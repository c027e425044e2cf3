import { Icon } from "../parts/icon.tsx";
import type { Theme } from "./theme.ts";

type ThemeButtonProps = { readonly theme: Theme; readonly onNext: () => void };

export function ThemeButton({ theme, onNext }: ThemeButtonProps) {
  const name = `Theme: ${theme}`;
  return (
    <button
      type="button"
      class="bar-icon lights quiet bar-theme"
      aria-label={name}
      title={`${name} (T)`}
      onClick={onNext}
    >
      <Icon sign={theme === "light" ? "sun" : "theme"} />
    </button>
  );
}
