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
} from "../json.ts";
import { readingOf, type Step } from "../reading.ts";
import { cutMiddle } from "../text.ts";
import { concludeClaude } from "./conclude.ts";
import { type ClaudeMemory, NOTHING_READ } from "./memory.ts";
import { conversationOf, isGood, MAX_DENIALS, MAX_FINAL_TEXT, resultOf } from "./result.ts";
import { targetOf } from "./target.ts";
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
      const told = status === 429 ? toldWait(delayMs) : null;
      const retryAfterMs = told ?? memory.retryAfterMs;
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

/**
 * Claude waits as long as the server asks, which is in whole seconds, or longer: what it makes up has a random part, grows from try
 * to try, and is far too short for all who share a limit.
 */
function toldWait(delayMs: number | null): number | null {
  return delayMs !== null && delayMs % 1_000 === 0 ? delayMs : null;
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
