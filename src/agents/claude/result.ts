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
export const MAX_DENIALS = 100;
const MAX_ANSWER = 1_000_000;
const MAX_ERRORS = 10;
const MAX_ERROR = 1_000;

/** The subtype "success" says nothing by itself: API errors have it as well. */
export function isGood({ subtype, isError }: Pick<ClaudeResult, "subtype" | "isError">): boolean {
  return !isError && subtype === "success";
}

/**
 * Cost and tokens stand here and nowhere else. With work in the background there are several results: cost and tokens are
 * those of the whole process, text and denials those of the turns since the result before. From 2.1.277 on, when a
 * conversation goes on, cost and tokens are those of the whole conversation: `conclude` takes off what earlier attempts told.
 */
export function resultOf(event: JsonObject): ClaudeResult {
  return {
    subtype: shortName(textAt(event, "subtype") ?? ""),
    isError: isTrueAt(event, "is_error"),
    status: numberAt(event, "api_error_status"),
    terminalReason: shortName(textAt(event, "terminal_reason") ?? ""),
    text: cutMiddle(textAt(event, "result") ?? "", MAX_FINAL_TEXT),
    errors: textsAt(event, "errors")
      .filter((error) => !error.startsWith("[ede_diagnostic]")) // for its makers: it says nothing to anybody else
      .slice(0, MAX_ERRORS)
      .map((error) => cut(error, MAX_ERROR)),
    usage: usageOf(event),
    denials: objectsAt(event, "permission_denials")
      .slice(0, MAX_DENIALS)
      .map((denial) => shortName(textAt(denial, "tool_name") ?? "a tool")),
    ...answerIn(event),
  };
}

function answerIn({ structured_output: answer }: JsonObject): Pick<ClaudeResult, "answer"> {
  const isKept = answer !== undefined && answer !== null && JSON.stringify(answer).length <= MAX_ANSWER;
  return isKept ? { answer } : {};
}

/**
 * Claude counts what was cached apart from the rest; as in other agents, input is all that was sent. `usage` leaves out
 * sub-agents, repeated requests and, when the budget is spent, everything: only `modelUsage` agrees with the cost.
 */
function usageOf(event: JsonObject): Usage {
  const models = objectAt(event, "modelUsage") ?? {};
  const counts = Object.keys(models).map((model) => objectAt(models, model));
  const usage = [objectAt(event, "usage")];
  const [input, output] =
    counts.length > 0
      ? [sumOf(counts, MODEL_INPUT), sumOf(counts, ["outputTokens"])]
      : [sumOf(usage, INPUT), sumOf(usage, ["output_tokens"])];
  return { costUsd: amountAt(event, "total_cost_usd"), inputTokens: input, outputTokens: output };
}

const INPUT = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];
const MODEL_INPUT = ["inputTokens", "cacheCreationInputTokens", "cacheReadInputTokens"];

/** Null where none is told. */
function sumOf(counts: readonly (JsonObject | null)[], keys: readonly string[]): number | null {
  const amounts = counts
    .flatMap((count) => keys.map((key) => amountAt(count, key)))
    .filter((amount) => amount !== null);
  return amounts.length === 0 ? null : amounts.reduce((sum, amount) => sum + amount, 0);
}

/** Becomes an argument of a later command line, so it must look like a name. */
export function conversationOf(event: JsonObject): string | null {
  const id = textAt(event, "session_id");
  return id !== null && /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/.test(id) ? id : null;
}
