import { relative } from "node:path";
import type { Usage } from "../../core/facts.ts";
import type { Reading } from "../adapter.ts";
import {
  type AgentEvent,
  noiseEvents,
  noteEvent,
  shortName,
  startedEvent,
  textEvent,
  toolEndedEvent,
  toolEvent,
} from "../event.ts";
import {
  amountAt,
  isTrueAt,
  type JsonObject,
  numberAt,
  objectAt,
  objectsAt,
  parseObject,
  textAt,
  textsAt,
} from "../json.ts";
import { readingOf, type Step } from "../reading.ts";
import { cut, cutMiddle } from "../text.ts";
import { type ClaudeMemory, type ClaudeResult, concludeClaude, isGood, NOTHING_READ } from "./conclude.ts";
import { toolResult } from "./tool-result.ts";

/** One JSON object a line, on stdout. Types that are not named here tell nothing new, and each release brings more. */
export function claudeReader(): Reading {
  return readingOf(NOTHING_READ, { step, conclude: concludeClaude, isDone: ({ done }) => done !== null });
}

function step(memory: ClaudeMemory, line: string): Step<ClaudeMemory> {
  const event = parseObject(line);
  if (event === null) return { memory, events: noiseEvents(line) };
  switch (textAt(event, "type")) {
    case "system":
      return system(memory, event);
    case "assistant":
      return assistant(memory, event);
    case "user":
      return { memory, events: toolEnds(event) };
    case "rate_limit_event":
      return rateLimit(memory, event);
    case "result":
      return result(memory, event);
    default:
      return { memory, events: [] };
  }
}

/** `task_*` events of sub-agents and background commands come here too, also after the result. */
function system(memory: ClaudeMemory, event: JsonObject): Step<ClaudeMemory> {
  switch (textAt(event, "subtype")) {
    case "init": {
      const conversation = conversationOf(event) ?? memory.conversation;
      // It comes again when something in the background has ended and Claude goes on.
      const events = memory.cwd === null ? [startedEvent(conversation, textAt(event, "model"))] : [];
      const version = shortName(textAt(event, "claude_code_version") ?? "") || memory.version;
      const cwd = textAt(event, "cwd") ?? "";
      return { memory: { ...memory, conversation, cwd, version, done: null }, events };
    }
    case "api_retry": {
      const status = numberAt(event, "error_status");
      const delayMs = amountAt(event, "retry_delay_ms");
      // Claude waits as long as the server asks, which is in whole seconds, or longer: what it makes up has a random part, grows
      // from try to try, and is far too short for all who share a limit.
      const isTold = status === 429 && delayMs !== null && delayMs % 1_000 === 0;
      const retryAfterMs = isTold ? delayMs : memory.retryAfterMs;
      return { memory: { ...memory, retryAfterMs }, events: [{ kind: "retry", status, delayMs }] };
    }
    case "model_fallback": {
      const from = textAt(event, "original_model") ?? "its own";
      const to = textAt(event, "fallback_model") ?? "another model";
      return { memory, events: [noteEvent(`continues with ${to} instead of ${from}`)] };
    }
    default:
      return { memory, events: [] };
  }
}

/** Its `usage` is the figure at the start of the message (1 token of output): only the result's counts. */
function assistant(memory: ClaudeMemory, event: JsonObject): Step<ClaudeMemory> {
  const isInner = textAt(event, "parent_tool_use_id") !== null;
  const blocks = objectsAt(objectAt(event, "message"), "content");
  const events = blocks.flatMap((block): AgentEvent[] => {
    const by = isInner ? "sub-agent" : "agent";
    const text = saidIn(block);
    if (text.trim() !== "") return [textEvent(text, by)];
    if (textAt(block, "type") !== "tool_use") return [];
    const target = targetOf(objectAt(block, "input"), memory.cwd);
    return [toolEvent({ call: textAt(block, "id"), name: textAt(block, "name") ?? "tool", target, by })];
  });
  // What a sub-agent says or meets is an affair of the agent that called it.
  if (isInner) return { memory: { ...memory, done: null }, events };
  const lastText = cutMiddle(blocks.map(saidIn).join(""), MAX_FINAL_TEXT) || memory.lastText;
  const error = shortName(textAt(event, "error") ?? "");
  // An answer ends the waiting, whatever was asked before.
  const retryAfterMs = error === "" ? null : memory.retryAfterMs;
  return { memory: { ...memory, lastText, error, retryAfterMs, done: null }, events };
}

function saidIn(block: JsonObject): string {
  return textAt(block, "type") === "text" ? (textAt(block, "text") ?? "") : "";
}

function toolEnds(event: JsonObject): AgentEvent[] {
  const blocks = objectsAt(objectAt(event, "message"), "content").filter(
    (block) => textAt(block, "type") === "tool_result",
  );
  const told = blocks.length === 1 ? objectAt(event, "tool_use_result") : null;
  return blocks.map((block) => {
    const isError = isTrueAt(block, "is_error");
    return toolEndedEvent(textAt(block, "tool_use_id"), !isError, toolResult(block, told, isError));
  });
}

const THROTTLED = "throttled by the server for a moment; the usage limit is not reached";

/** Only with a subscription. `resetsAt` counts seconds; without it the request was throttled, and no limit is used up. */
function rateLimit(memory: ClaudeMemory, event: JsonObject): Step<ClaudeMemory> {
  const info = objectAt(event, "rate_limit_info");
  const status = textAt(info, "status");
  if (status === "allowed") return { memory: { ...memory, rejected: null }, events: [] };
  if (status !== "rejected") return { memory, events: [] };
  const seconds = amountAt(info, "resetsAt");
  const resetsAt = seconds === null ? null : seconds * 1000;
  const limit: AgentEvent = resetsAt === null ? noteEvent(THROTTLED) : { kind: "limit", resetsAt };
  return { memory: { ...memory, rejected: { resetsAt } }, events: [limit] };
}

function result(memory: ClaudeMemory, event: JsonObject): Step<ClaudeMemory> {
  const read = resultOf(event);
  const conversation = conversationOf(event) ?? memory.conversation;
  const denied = read.denials.map((tool): AgentEvent => ({ kind: "denied", tool }));
  const denials = [...(memory.result?.denials ?? []), ...read.denials].slice(0, MAX_DENIALS);
  const next = { ...read, denials };
  return {
    // Ended while it waits, it may write another result, which says that it was interrupted.
    memory: { ...memory, conversation, result: next, done: isGood(next) ? next : memory.done },
    events: [...denied, { kind: "usage", usage: read.usage }],
  };
}

/** Of a tool's input the one thing that people want to see, the most telling first. */
const PATHS = ["file_path", "notebook_path", "path"];
const OTHERS = ["command", "pattern", "url", "query", "description"];

function targetOf(input: JsonObject | null, cwd: string | null): string | null {
  if (input === null) return null;
  const path = firstText(input, PATHS);
  // A search has a pattern and perhaps a path: the pattern says more.
  if (path === null || textAt(input, "pattern") !== null) return firstText(input, OTHERS) ?? path;
  return insideOf(path, cwd);
}

function firstText(input: JsonObject, keys: readonly string[]): string | null {
  for (const key of keys) {
    const text = textAt(input, key);
    if (text !== null && text !== "") return text;
  }
  return null;
}

/** Claude names files by absolute paths; people know them by their place in the repository. */
function insideOf(path: string, cwd: string | null): string {
  if (cwd === null || !path.startsWith(`${cwd}/`)) return path;
  return relative(cwd, path);
}

const MAX_FINAL_TEXT = 200_000;
const MAX_DENIALS = 100;
const MAX_ANSWER = 1_000_000;
const MAX_ERRORS = 10;
const MAX_ERROR = 1_000;

/**
 * Cost and tokens stand here and nowhere else. With work in the background there are several results: cost and tokens are
 * those of the whole process, text and denials those of the turns since the result before. From 2.1.277 on, when a
 * conversation goes on, cost and tokens are those of the whole conversation: `conclude` takes off what earlier attempts told.
 */
function resultOf(event: JsonObject): ClaudeResult {
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
function conversationOf(event: JsonObject): string | null {
  const id = textAt(event, "session_id");
  return id !== null && /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/.test(id) ? id : null;
}
