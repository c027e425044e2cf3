import type { Usage } from "../../core/facts.ts";
import type { AttemptFailure } from "../../core/failure.ts";
import { type Conclusion, type Ending, NO_USAGE, PLAIN_REASONS, type Reading } from "../adapter.ts";
import {
  type AgentEvent,
  noiseEvents,
  shortName,
  startedEvent,
  textEvent,
  toolEndedEvent,
  toolEvent,
} from "../event.ts";
import { amountAt, isTrueAt, type JsonObject, numberAt, objectAt, parseObject, textAt } from "../json.ts";
import { readingOf, type Step } from "../reading.ts";
import { cutMiddle, exitText, lastLine, oneLine, withReason } from "../text.ts";

/**
 * What the demo agent prints, one object a line:
 *
 *     started{conversation, model}  text{text}  tool{call, name, target}  tool-ended{call, ok}
 *     retry{status, delayMs}  limit{resetsAt}  denied{tool}  usage{usage}
 *     result{ok, text, usage, failure{reason, detail, retryAfterMs, resetsAt} | null}
 */
type Memory = {
  readonly conversation: string | null;
  readonly lastText: string;
  readonly denials: readonly string[];
  readonly result: Result | null;
};

type Result = { readonly text: string; readonly usage: Usage; readonly failure: AttemptFailure | null };

const NOTHING: Memory = { conversation: null, lastText: "", denials: [], result: null };
const MAX_FINAL_TEXT = 200_000;

export function demoReader(maxText = MAX_FINAL_TEXT): Reading {
  return readingOf(NOTHING, { step: (memory, line) => step(memory, line, maxText), conclude });
}

function step(memory: Memory, line: string, maxText: number): Step<Memory> {
  const event = parseObject(line);
  if (event === null) return { memory, events: noiseEvents(line) };
  return { memory: remember(memory, event, maxText), events: eventsOf(event) };
}

function remember(memory: Memory, event: JsonObject, maxText: number): Memory {
  switch (textAt(event, "type")) {
    case "started":
      return { ...memory, conversation: shortName(textAt(event, "conversation") ?? "") || null };
    case "text":
      return { ...memory, lastText: cutMiddle(textAt(event, "text") ?? "", maxText) };
    case "denied":
      return {
        ...memory,
        denials: [...memory.denials, shortName(textAt(event, "tool") ?? "a tool")].slice(0, 100),
      };
    case "result":
      return { ...memory, result: resultOf(event, maxText) };
    default:
      return memory;
  }
}

function eventsOf(event: JsonObject): AgentEvent[] {
  const call = textAt(event, "call");
  switch (textAt(event, "type")) {
    case "started":
      return [startedEvent(textAt(event, "conversation"), textAt(event, "model"))];
    case "text":
      return [textEvent(textAt(event, "text") ?? "")];
    case "tool":
      return [toolEvent({ call, name: textAt(event, "name") ?? "tool", target: textAt(event, "target") })];
    case "tool-ended":
      return [toolEndedEvent(call, isTrueAt(event, "ok"))];
    case "retry":
      return [{ kind: "retry", status: numberAt(event, "status"), delayMs: amountAt(event, "delayMs") }];
    case "limit":
      return [{ kind: "limit", resetsAt: amountAt(event, "resetsAt") }];
    case "denied":
      return [{ kind: "denied", tool: shortName(textAt(event, "tool") ?? "a tool") }];
    case "usage":
      return [{ kind: "usage", usage: usageOf(objectAt(event, "usage")) }];
    default:
      return [];
  }
}

function conclude({ result, lastText, conversation, denials }: Memory, ending: Ending): Conclusion {
  return {
    failure: result?.failure ?? (result !== null && ending.code === 0 ? null : crash(result, ending)),
    usage: result?.usage ?? NO_USAGE,
    conversation,
    text: result?.text || lastText,
    denials,
  };
}

function crash(result: Result | null, ending: Ending): AttemptFailure {
  const end = `${exitText(ending)} ${result === null ? "without" : "after"} its result`;
  return { reason: "crash", detail: withReason(end, lastLine(ending.stderr, 300)) };
}

function resultOf(event: JsonObject, maxText: number): Result {
  return {
    text: cutMiddle(textAt(event, "text") ?? "", maxText),
    usage: usageOf(objectAt(event, "usage")),
    failure: isTrueAt(event, "ok") ? null : failureOf(objectAt(event, "failure")),
  };
}

function failureOf(failure: JsonObject | null): AttemptFailure {
  const reason = textAt(failure, "reason");
  const detail = oneLine(textAt(failure, "detail") ?? "", 300) || "the script says so";
  if (reason === "rate-limit") return { reason, retryAfterMs: amountAt(failure, "retryAfterMs"), detail };
  if (reason === "usage-limit") return { reason, resetsAt: amountAt(failure, "resetsAt"), detail };
  return { reason: PLAIN_REASONS.find((known) => known === reason) ?? "agent-error", detail };
}

function usageOf(usage: JsonObject | null): Usage {
  return {
    costUsd: amountAt(usage, "costUsd"),
    inputTokens: amountAt(usage, "inputTokens"),
    outputTokens: amountAt(usage, "outputTokens"),
  };
}
