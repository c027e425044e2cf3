import type { Key } from "../keys/read-keys.ts";
import type { Top } from "./ui.ts";

/** Lines, of which as many are seen as the screen is high, and the places that keys jump to. */
export type Scrolled = {
  readonly size: number;
  readonly height: number;
  readonly files: readonly number[];
  readonly hunks: readonly number[];
  /** Lines with what is looked for. */
  readonly hits: readonly number[];
};

/** The first line that is seen, as a number. */
export function topOf(top: Top, { size, height }: Pick<Scrolled, "size" | "height">): number {
  const last = Math.max(0, size - height);
  return top === "end" ? last : Math.max(0, Math.min(top, last));
}

/** Null for keys that do not scroll. */
export function scrolled(top: Top, key: Key, body: Scrolled): Top | null {
  const at = topOf(top, body);
  const page = Math.max(1, body.height - 1);
  switch (key) {
    case "up":
    case "k":
      return at - 1 < 0 ? 0 : at - 1;
    case "down":
    case "j":
      return goTo(at + 1, body);
    case "pageup":
    case "ctrl-u":
      return Math.max(0, at - page);
    case "pagedown":
    case "ctrl-d":
    case " ":
      return goTo(at + page, body);
    case "home":
    case "g":
      return 0;
    case "end":
    case "G":
    case "f":
      return "end";
    default:
      return null;
  }
}

/** The last line in view means: and what comes behind it. */
export function goTo(line: number, { size, height }: Pick<Scrolled, "size" | "height">): Top {
  return line >= size - height ? "end" : Math.max(0, line);
}

/** The next of these lines behind the one that is first, or the one before it. Null where there is none. */
export function nextOf(lines: readonly number[], at: number, step: 1 | -1): number | null {
  const found = step === 1 ? lines.find((line) => line > at) : lines.findLast((line) => line < at);
  return found ?? null;
}
