import { type AnsiLine, plainLine } from "../../parts/ansi.ts";

/** The lines that stand for the middle of a long log: of what was kept (process/attempt-log.ts), and of what the page is cut (app/page/cut-text.ts). */
const LEFT_OUT = /^\[(?:plait: +(\d{1,15}) bytes are left out here|(\d[\d,]{0,19}) bytes are left out)\]$/;

/** How much such a line stands for; null for all others. */
export function cutBytes(line: AnsiLine): number | null {
  if (line.length !== 1 || line[0]?.text.startsWith("[") !== true) return null;
  const [, kept, cut] = LEFT_OUT.exec(plainLine(line)) ?? [];
  const bytes = kept ?? cut;
  return bytes === undefined ? null : Number(bytes.replaceAll(",", ""));
}

/** The place of the first of them, behind all lines where nothing is left out. */
export function cutPlace(lines: readonly AnsiLine[]): number {
  const at = lines.findIndex((line) => cutBytes(line) !== null);
  return at < 0 ? lines.length : at;
}
