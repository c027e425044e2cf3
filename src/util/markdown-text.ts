import { terminalText } from "./terminal-text.ts";

/**
 * Text of agents, plans and tools inside Markdown. It is data: it can begin no heading, list, table, link or HTML, and
 * it can end no fence. Escape sequences and invisible characters are spelled out, as on a terminal.
 */

/** In the middle of a line, in a table too. */
export function inline(text: string): string {
  const line = oneLine(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replace(/[\\`*[\]|~]/g, "\\$&")
    // Inside a word an underscore is nothing else: most names have one.
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\_");
  return line.replace(/^([#>+=-])/, "\\$1").replace(/^(\d+)([.)])/, "$1\\$2");
}

/** A name, a path or a command, as it is typed. */
export function code(text: string): string {
  const line = oneLine(text);
  if (line === "") return "";
  const fence = "`".repeat(longestRun(line, "`") + 1);
  const pad = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** The same in a cell: there a bar ends the cell even in code. */
export const codeCell = (text: string): string => code(text).replaceAll("|", "\\|");

const LINE_CHARS = 110;

/** Words as they were said: a block of their own, long lines broken between words. */
export function quoted(text: string): string[] {
  return block(
    clean(text)
      .split("\n")
      .flatMap((line) => wrapped(line)),
  );
}

/** What a program printed, line by line. */
export const printed = (text: string): string[] => block(clean(text).split("\n"));

function block(lines: readonly string[]): string[] {
  const fence = "`".repeat(Math.max(3, ...lines.map((line) => longestRun(line, "`") + 1)));
  return [`${fence}text`, ...lines, fence];
}

const clean = (text: string): string => terminalText(text).replaceAll("\t", "    ").trimEnd();

const oneLine = (text: string): string =>
  clean(text)
    .replace(/\s*\n\s*/g, " ")
    .trim();

function longestRun(text: string, char: string): number {
  let [longest, run] = [0, 0];
  for (const one of text) {
    run = one === char ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}

function wrapped(line: string): string[] {
  const lines: string[] = [];
  let rest = line;
  while (rest.length > LINE_CHARS) {
    const blank = rest.lastIndexOf(" ", LINE_CHARS);
    if (blank <= 0) break;
    lines.push(rest.slice(0, blank));
    rest = rest.slice(blank + 1);
  }
  return [...lines, rest];
}
