import type { EpochMs, Usage } from "../core/facts.ts";
import { cut, cutStart, oneLine } from "./text.ts";

/**
 * What an agent does, in the same words whatever the program: one line of an attempt's transcript. Plain JSON, and small,
 * because every text in it is cut by a function below.
 */
export type AgentEvent =
  | { readonly kind: "started"; readonly conversation: string | null; readonly model: string | null }
  | { readonly kind: "text"; readonly text: string; readonly by: Speaker }
  /** `call` pairs it with its end: agents use several tools at once. */
  | {
      readonly kind: "tool";
      readonly call: string | null;
      readonly name: string;
      /** The one thing that people want to know: the path, the command, the address. */
      readonly target: string | null;
      readonly by: Speaker;
    }
  | ({ readonly kind: "tool-ended"; readonly call: string | null; readonly ok: boolean } & ToolResult)
  /** The program itself tries again; null where it does not say. */
  | { readonly kind: "retry"; readonly status: number | null; readonly delayMs: number | null }
  | { readonly kind: "limit"; readonly resetsAt: EpochMs | null }
  | { readonly kind: "usage"; readonly usage: Usage }
  | { readonly kind: "denied"; readonly tool: string }
  /** The program speaks about itself. */
  | { readonly kind: "note"; readonly text: string }
  /** A line that is not of its protocol. */
  | { readonly kind: "noise"; readonly text: string };

/** What came of a tool, as far as its program says it; older transcripts have none of it. */
export type ToolResult = {
  /** The end of what a command printed, or why the tool failed. */
  readonly output?: string;
  readonly code?: number;
  readonly change?: { readonly added: number; readonly removed: number };
  /** How many lines of a file it read. */
  readonly lines?: number;
};

export type Speaker = "agent" | "sub-agent";

const MAX_EVENT_TEXT = 4_000;
const MAX_TARGET = 200;
const MAX_NAME = 128;
const MAX_NOISE = 500;
const MAX_OUTPUT = 2_000;

export function startedEvent(conversation: string | null, model: string | null): AgentEvent {
  return { kind: "started", conversation: nameOrNull(conversation), model: nameOrNull(model) };
}

export function textEvent(text: string, by: Speaker = "agent"): AgentEvent {
  return { kind: "text", text: cut(text, MAX_EVENT_TEXT), by };
}

export function toolEvent(tool: {
  call: string | null;
  name: string;
  target: string | null;
  by?: Speaker;
}): AgentEvent {
  return {
    kind: "tool",
    call: nameOrNull(tool.call),
    name: shortName(tool.name),
    target: tool.target === null ? null : oneLine(tool.target, MAX_TARGET),
    by: tool.by ?? "agent",
  };
}

export function toolEndedEvent(call: string | null, ok: boolean, result: ToolResult = {}): AgentEvent {
  const { output = "", ...rest } = result;
  const said = cutStart(output.trimEnd(), MAX_OUTPUT);
  const told = said.trim() === "" ? rest : { ...rest, output: said };
  return { kind: "tool-ended", call: nameOrNull(call), ok, ...told };
}

export function noteEvent(text: string): AgentEvent {
  return { kind: "note", text: oneLine(text, MAX_NOISE) };
}

/** Empty lines are no news. */
export function noiseEvents(line: string): AgentEvent[] {
  const text = oneLine(line, MAX_NOISE);
  return text === "" ? [] : [{ kind: "noise", text }];
}

/** Names of tools, models, kinds of failure: whatever a program prints where a word is expected. */
export const shortName = (name: string): string => oneLine(name, MAX_NAME);

const nameOrNull = (name: string | null): string | null => (name === null ? null : shortName(name));
