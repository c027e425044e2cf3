import type { Usage } from "../../core/facts.ts";
import { shortName } from "../event.ts";
import {
  amountAt,
  isTrueAt,
  type JsonObject,
  numberAt,
  objectAt,
  objectsAt,
  textAt,
  textsAt,
} from "../json.ts";
import { cut, cutMiddle } from "../text.ts";
import type { ClaudeResult } from "./memory.ts";

export const MAX_FINAL_TEXT = 200_000;
const MAX_DENIALS = 100;
const MAX_ERRORS = 10;
const MAX_ERROR = 1_000;

/** Cost and tokens stand here and nowhere else; those of sub-agents are included. */
export function resultOf(event: JsonObject): ClaudeResult {
  return {
    subtype: shortName(textAt(event, "subtype") ?? ""),
    isError: isTrueAt(event, "is_error"),
    status: numberAt(event, "api_error_status"),
    terminalReason: shortName(textAt(event, "terminal_reason") ?? ""),
    text: cutMiddle(textAt(event, "result") ?? "", MAX_FINAL_TEXT),
    errors: textsAt(event, "errors")
      .slice(0, MAX_ERRORS)
      .map((error) => cut(error, MAX_ERROR)),
    usage: usageOf(event),
    denials: objectsAt(event, "permission_denials")
      .slice(0, MAX_DENIALS)
      .map((denial) => shortName(textAt(denial, "tool_name") ?? "a tool")),
  };
}

/** Claude counts what was cached apart from the rest; as in other agents, input is all that was sent. */
function usageOf(event: JsonObject): Usage {
  const usage = objectAt(event, "usage");
  const sent = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"]
    .map((key) => amountAt(usage, key))
    .filter((count) => count !== null);
  return {
    costUsd: amountAt(event, "total_cost_usd"),
    inputTokens: sent.length === 0 ? null : sent.reduce((sum, count) => sum + count, 0),
    outputTokens: amountAt(usage, "output_tokens"),
  };
}

/** Becomes an argument of a later command line, so it must look like a name. */
export function conversationOf(event: JsonObject): string | null {
  const id = textAt(event, "session_id");
  return id !== null && /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/.test(id) ? id : null;
}
