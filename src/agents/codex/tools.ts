import { type AgentEvent, shortName, type ToolResult, toolEndedEvent, toolEvent } from "../event.ts";
import { type JsonObject, numberAt, objectAt, objectsAt, textAt } from "../json.ts";
import type { Step } from "../reading.ts";
import { oneLine } from "../text.ts";
import type { CodexMemory } from "./conclude.ts";

type Tool = {
  readonly call: string;
  readonly name: string;
  readonly target: string | null;
  readonly ok: boolean;
  readonly result: ToolResult;
};

/** Null for an item that is no use of a tool. */
export function toolOf(item: JsonObject | null, nameFile: (path: string) => string): Tool | null {
  const named = namedTool(item, nameFile);
  if (named === null) return null;
  // A search has no status, and cannot fail.
  const ok = (textAt(item, "status") ?? "completed") === "completed";
  return { call: shortName(textAt(item, "id") ?? ""), ...named, ok, result: resultOf(item, ok) };
}

/** Of an edit nothing is told but the files. */
function resultOf(item: JsonObject | null, ok: boolean): ToolResult {
  const code = numberAt(item, "exit_code");
  const said = textAt(item, "aggregated_output");
  const error = ok ? null : textAt(objectAt(item, "error"), "message");
  const output = said ?? error;
  return { ...(output === null ? {} : { output }), ...(code === null ? {} : { code }) };
}

function namedTool(
  item: JsonObject | null,
  nameFile: (path: string) => string,
): Pick<Tool, "name" | "target"> | null {
  switch (textAt(item, "type")) {
    case "command_execution":
      return { name: "shell", target: commandIn(textAt(item, "command") ?? "") };
    case "file_change": {
      const paths = objectsAt(item, "changes").map((change) => nameFile(textAt(change, "path") ?? ""));
      return { name: "edit", target: paths.slice(0, MAX_PATHS).join(", ") };
    }
    case "mcp_tool_call":
      return { name: `${textAt(item, "server") ?? "mcp"}.${textAt(item, "tool") ?? "tool"}`, target: null };
    case "web_search":
      return { name: "web search", target: textAt(item, "query") };
    default:
      return null;
  }
}

const MAX_PATHS = 10;
const MAX_COMMAND = 1_000;

/** `/bin/bash -lc 'npm test'` is `npm test` to people. */
function commandIn(command: string): string {
  const line = oneLine(command, MAX_COMMAND);
  const inner = /^\S*sh -l?c (.+)$/.exec(line)?.[1] ?? line;
  const [, quote, quoted = ""] = /^(['"])(.*)\1$/.exec(inner) ?? [];
  if (quote === undefined) return inner;
  return quote === "'" ? quoted : quoted.replace(/\\(["\\$`])/g, "$1");
}

/** More than this at once are not told apart. */
const MAX_OPEN = 100;

export function toolStarted(memory: CodexMemory, tool: Tool): Step<CodexMemory> {
  const open = [...memory.open, tool.call].slice(-MAX_OPEN);
  return { memory: { ...memory, open }, events: [begun(tool)] };
}

/** Some are told only when they have ended. */
export function toolEnded(memory: CodexMemory, tool: Tool): Step<CodexMemory> {
  const isOpen = memory.open.includes(tool.call);
  const open = memory.open.filter((call) => call !== tool.call);
  const ended = toolEndedEvent(tool.call, tool.ok, tool.result);
  return { memory: { ...memory, open }, events: isOpen ? [ended] : [begun(tool), ended] };
}

function begun({ call, name, target }: Tool): AgentEvent {
  return toolEvent({ call, name, target });
}
