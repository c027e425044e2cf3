import { relative } from "node:path";
import type { Usage } from "../../core/facts.ts";
import type { Reading } from "../adapter.ts";
import { type AgentEvent, noiseEvents, noteEvent, shortName, startedEvent, textEvent } from "../event.ts";
import { amountAt, type JsonObject, objectAt, parseObject, textAt } from "../json.ts";
import { readingOf, type Step } from "../reading.ts";
import { cut, cutMiddle } from "../text.ts";
import { type CodexMemory, concludeCodex, isUsageLimit, NOTHING_READ, statusIn } from "./conclude.ts";
import { toolEnded, toolOf, toolStarted } from "./tools.ts";

/** One JSON object a line, on stdout. Types that are not named here tell nothing new. */
export function codexReader(worktree = "", maxText = MAX_FINAL_TEXT): Reading {
  const take: Take = { nameFile: (path) => insideOf(path, worktree), maxText };
  return readingOf(NOTHING_READ, {
    step: (memory, line) => step(memory, line, take),
    conclude: concludeCodex,
    isDone: ({ turn }) => turn?.ok === true,
  });
}

const MAX_FINAL_TEXT = 200_000;
const MAX_MESSAGE = 2_000;

type Take = { readonly nameFile: (path: string) => string; readonly maxText: number };

function step(memory: CodexMemory, line: string, take: Take): Step<CodexMemory> {
  const event = parseObject(line);
  if (event === null) return { memory, events: noiseEvents(line) };
  switch (textAt(event, "type")) {
    case "thread.started": {
      const conversation = conversationOf(event);
      return { memory: { ...memory, conversation }, events: [startedEvent(conversation, null)] };
    }
    case "turn.started":
      return { memory: { ...memory, turn: null }, events: [] };
    case "item.started":
    case "item.completed":
      return item(memory, event, take);
    case "error":
      return { memory, events: retries(textAt(event, "message") ?? "") };
    case "turn.completed": {
      const usage = usageOf(objectAt(event, "usage"));
      return { memory: { ...memory, turn: { ok: true, usage } }, events: [{ kind: "usage", usage }] };
    }
    case "turn.failed": {
      const message = cut(textAt(objectAt(event, "error"), "message") ?? "", MAX_MESSAGE);
      const limit: AgentEvent[] = isUsageLimit(message) ? [{ kind: "limit", resetsAt: null }] : [];
      return { memory: { ...memory, turn: { ok: false, message } }, events: limit };
    }
    default:
      return { memory, events: [] };
  }
}

function item(memory: CodexMemory, event: JsonObject, { nameFile, maxText }: Take): Step<CodexMemory> {
  const isEnd = textAt(event, "type") === "item.completed";
  const one = objectAt(event, "item");
  const tool = toolOf(one, nameFile);
  if (tool !== null) return isEnd ? toolEnded(memory, tool) : toolStarted(memory, tool);
  if (!isEnd) return { memory, events: [] };
  switch (textAt(one, "type")) {
    case "agent_message": {
      const text = textAt(one, "text") ?? "";
      const lastText = cutMiddle(text, maxText) || memory.lastText;
      return { memory: { ...memory, lastText }, events: text.trim() === "" ? [] : [textEvent(text)] };
    }
    case "error": // what it finds worth saying and goes on from
      return { memory, events: [noteEvent(textAt(one, "message") ?? "")] };
    default:
      return { memory, events: [] };
  }
}

/** Any other error is told again by the turn that fails of it. */
function retries(message: string): AgentEvent[] {
  const said = /^Reconnecting\.\.\. \d+\/\d+ \(?(.*)/s.exec(message)?.[1];
  return said === undefined ? [] : [{ kind: "retry", status: statusIn(said), delayMs: null }];
}

/** Input holds what was cached, and output what was thought. There is no cost. */
function usageOf(usage: JsonObject | null): Usage {
  const [inputTokens, outputTokens] = [amountAt(usage, "input_tokens"), amountAt(usage, "output_tokens")];
  return { costUsd: null, inputTokens, outputTokens };
}

/** Becomes an argument of a later command line, so it must look like a name. */
function conversationOf(event: JsonObject): string | null {
  const id = shortName(textAt(event, "thread_id") ?? "");
  return /^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(id) ? id : null;
}

/** Codex names files by absolute paths; people know them by their place in the repository. */
function insideOf(path: string, worktree: string): string {
  return worktree !== "" && path.startsWith(`${worktree}/`) ? relative(worktree, path) : path;
}
