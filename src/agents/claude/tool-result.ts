import type { ToolResult } from "../event.ts";
import { amountAt, type JsonObject, objectAt, objectsAt, textAt, textsAt } from "../json.ts";

/**
 * What came of one tool. `block` is what the model was told; `told` is what Claude knows besides, which is another thing for every
 * tool: a command has its streams, an edit its patch, a file that was read its size. Null where one event tells of several.
 */
export function toolResult(block: JsonObject, told: JsonObject | null, isError: boolean): ToolResult {
  const file = objectAt(told, "file");
  const lines = amountAt(file, "numLines");
  const change = isError ? null : changeIn(told);
  // What goes on in the background has said nothing yet.
  const isCommand = textAt(told, "stdout") !== null && textAt(told, "backgroundTaskId") === null;
  return {
    ...(isError ? failureIn(saidIn(block)) : isCommand ? { output: saidIn(block), code: 0 } : {}),
    ...(change === null ? {} : { change }),
    ...(lines === null ? {} : { lines }),
  };
}

/** Whole, or in parts. */
function saidIn(block: JsonObject): string {
  const parts = objectsAt(block, "content").map((part) => textAt(part, "text") ?? "");
  return textAt(block, "content") ?? parts.join("\n");
}

/** A command that failed says its code on the first line. */
function failureIn(text: string): ToolResult {
  const [head, code] = /^(?:Error: )?Exit code (\d{1,3})(?:\n|$)/.exec(text) ?? [];
  if (head !== undefined) return { output: text.slice(head.length), code: Number(code) };
  return { output: text.replace(/^<tool_use_error>([\s\S]*)<\/tool_use_error>$/, "$1") };
}

function changeIn(told: JsonObject | null): NonNullable<ToolResult["change"]> | null {
  const patch = objectsAt(told, "structuredPatch").flatMap((hunk) => textsAt(hunk, "lines"));
  const count = (sign: string): number => patch.filter((line) => line.startsWith(sign)).length;
  if (patch.length > 0) return { added: count("+"), removed: count("-") };
  const created = textAt(told, "type") === "create" ? textAt(told, "content") : null;
  return created === null ? null : { added: lineCount(created), removed: 0 };
}

function lineCount(text: string): number {
  if (text === "") return 0;
  return text.split("\n").length - Number(text.endsWith("\n"));
}
