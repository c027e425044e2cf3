import { terminalText } from "../util/terminal-text.ts";
import type { Ending } from "./adapter.ts";

/** Texts of strangers, cut to a size. Lengths count UTF-16 units; no cut goes through a character. */

const ELLIPSIS = "…";

/** The beginning, with a mark where something was left out. */
export function cut(text: string, max: number): string {
  return text.length <= max ? text : whole(text.slice(0, max - 1)) + ELLIPSIS;
}

/** The end of it: what a program said last usually says why. */
export function cutStart(text: string, max: number): string {
  return text.length <= max ? text : ELLIPSIS + whole(text.slice(text.length - max + 1));
}

/** One more line of a text of which only the end is kept. It grows to twice the size, so that not every line costs a copy. */
export function addLine(text: string, line: string, max: number): string {
  const longer = `${text}${cutStart(line, max)}\n`;
  return longer.length > 2 * max ? cutStart(longer, max) : longer;
}

/** A quarter from the beginning, the rest from the end, and between them how much is missing. */
export function cutMiddle(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = whole(text.slice(0, Math.floor(max / 4)));
  const tail = whole(text.slice(text.length - (max - Math.floor(max / 4))));
  const left = text.length - head.length - tail.length;
  return `${head}\n[… ${left} characters left out …]\n${tail}`;
}

/** For a table or a sentence: blanks of all kinds become one, control characters vanish. */
export function oneLine(text: string, max: number): string {
  // Only so much is looked at: a line may have megabytes.
  const visible = text.slice(0, max * 8).replace(CONTROL_AND_BLANK, " ");
  return cut(visible.trim(), max);
}

/** The last line that says something; empty when none does. */
export function lastLine(text: string, max: number): string {
  const lines = text.slice(-max * 8).split("\n");
  return oneLine(lines.findLast((line) => line.trim() !== "") ?? "", max);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
const CONTROL_AND_BLANK = /[\s\u0000-\u001f\u007f-\u009f]+/g;

/** Without half a character at either end. */
function whole(text: string): string {
  const start = /^[\udc00-\udfff]/.test(text) ? 1 : 0;
  const end = /[\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length;
  return text.slice(start, end);
}

export function exitText({ code, signal }: Pick<Ending, "code" | "signal">): string {
  if (signal !== null) return `killed by ${signal}`;
  return code === null ? "no exit code" : `exit code ${code}`;
}

export const withReason = (end: string, reason: string): string =>
  reason === "" ? end : `${end}: ${reason}`;

/**
 * Text of strangers inside a prompt. Every line is marked and the fence is longer than any in the text, so nothing in it can end
 * the quotation, open a block of its own, or pass for a line of the prompt.
 */
export function quoted(text: string, max: number): string {
  // What a terminal must not be sent, an agent should not be told unseen either.
  const plain = cutMiddle(terminalText(text).trim(), max);
  const longest = Math.max(2, ...[...plain.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const lines = plain.split("\n").map((line) => `| ${line}`.trimEnd());
  return `${fence}text\n${lines.join("\n")}\n${fence}`;
}

export function listOf(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join("\n");
}

/** A path or a name, which may have any character in it. */
export function code(text: string): string {
  return `\`${oneLine(text, 500).replaceAll("`", "'")}\``;
}
