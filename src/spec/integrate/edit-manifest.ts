import type { Doc } from "../../formats/cpo/fields.ts";
import type { Entry } from "../../formats/yaml/tree.ts";
import type { IntegrationBlock } from "./report-json.ts";

const KEY = "integration";

/**
 * The manifest with this block, in its own line ends and indentation. All else stays as it is, byte by byte; all of it where the result is
 * the one that it has: the time is of the first such result, and a tracked file does not change with each look.
 */
export function withIntegration({ index, tree }: Doc, block: IntegrationBlock): string {
  const { text } = index;
  const entries = tree.kind === "map" ? [...tree.entries.values()] : [];
  const last = entries.at(-1);
  if (last === undefined) return text;
  const before = entries.find(({ key }) => key === KEY);
  if (before !== undefined && isSameResult(text.slice(before.value.start, before.value.end), block))
    return text;
  const blanks = blanksBefore(text, before ?? last);
  const value = valueText(block, blanks);
  if (before !== undefined) return text.slice(0, before.value.start) + value + text.slice(before.value.end);
  const colon = text.slice(last.keyEnd, last.value.start);
  const { end } = last.value;
  return `${text.slice(0, end)},${blanks}${JSON.stringify(KEY)}${colon}${value}${text.slice(end)}`;
}

/** But for the time. */
function isSameResult(before: string, block: IntegrationBlock): boolean {
  try {
    const { completed_at } = JSON.parse(before);
    const known = block.completed_at === undefined ? block : { ...block, completed_at };
    return JSON.stringify(JSON.parse(before)) === JSON.stringify(known);
  } catch {
    return false; // not an object, or with comments: it is written again
  }
}

/** Between the brace, or the comma before it, and the key. */
function blanksBefore(text: string, { keyStart }: Entry): string {
  const before = text.slice(0, keyStart);
  return before.slice(before.trimEnd().length);
}

/** Over several lines where the manifest is, else on one. */
function valueText(block: IntegrationBlock, blanks: string): string {
  const at = blanks.lastIndexOf("\n");
  if (at === -1) return JSON.stringify(block);
  const indent = blanks.slice(at + 1);
  const end = blanks.includes("\r\n") ? "\r\n" : "\n";
  return JSON.stringify(block, null, indent === "" ? 2 : indent).replaceAll("\n", `${end}${indent}`);
}
