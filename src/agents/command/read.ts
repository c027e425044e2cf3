import type { AttemptFailure } from "../../core/failure.ts";
import { terminalText } from "../../util/terminal-text.ts";
import { type Conclusion, type Ending, NO_USAGE, type Reading } from "../adapter.ts";
import { textEvent } from "../event.ts";
import { exitText } from "../exit-text.ts";
import { readingOf, type Step } from "../reading.ts";
import { addLine, cutStart, lastLine } from "../text.ts";
import type { CommandAgent, ExitReason } from "./config.ts";

/** What a program without a protocol prints is its text, and the end of it its final message. */

type Memory = { readonly text: string };

const MAX_TEXT = 65_536;

export function commandReader(exits: CommandAgent["exits"], maxText = MAX_TEXT): Reading {
  return readingOf(
    { text: "" },
    {
      step: (memory, line) => step(memory, line, maxText),
      conclude: ({ text }, ending) => conclude(cutStart(text, maxText), ending, exits),
    },
  );
}

function step({ text }: Memory, line: string, maxText: number): Step<Memory> {
  const said = terminalText(cutStart(line, maxText));
  return {
    memory: { text: addLine(text, said, maxText) },
    events: said.trim() === "" ? [] : [textEvent(said)],
  };
}

function conclude(text: string, ending: Ending, exits: CommandAgent["exits"]): Conclusion {
  return {
    failure: failureOf(ending, exits),
    usage: NO_USAGE,
    conversation: null,
    text: text.trimEnd(),
    denials: [],
  };
}

function failureOf(ending: Ending, exits: CommandAgent["exits"]): AttemptFailure | null {
  if (ending.code === 0) return null;
  const said = lastLine(ending.stderr, 300);
  const detail = said === "" ? exitText(ending) : `${exitText(ending)}: ${said}`;
  if (ending.code === null) return { reason: "crash", detail };
  return withReason(exits[String(ending.code)] ?? "agent-error", detail);
}

function withReason(reason: ExitReason, detail: string): AttemptFailure {
  if (reason === "rate-limit") return { reason, retryAfterMs: null, detail };
  if (reason === "usage-limit") return { reason, resetsAt: null, detail };
  // A program that is not an agent has an exit code, not an "agent error".
  return { reason, detail, ...(reason === "agent-error" && { isClause: true }) };
}
