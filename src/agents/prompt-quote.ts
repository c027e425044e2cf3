import { terminalText } from "../util/terminal-text.ts";
import { cutMiddle, oneLine } from "./text.ts";

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
