import type { AttemptFailure } from "../../core/failure.ts";
import { terminalText } from "../../util/terminal-text.ts";
import { type Ending, NO_USAGE, type Reading } from "../adapter.ts";
import { textEvent } from "../event.ts";
import { readingOf } from "../reading.ts";
import { addLine, cutStart, exitText, lastLine, withReason } from "../text.ts";
import type { CommandAgent } from "./config.ts";

const MAX_TEXT = 65_536;

/** What a program without a protocol prints is its text, and the end of it its final message. */
export function commandReader(exits: CommandAgent["exits"], maxText = MAX_TEXT): Reading {
  return readingOf("", {
    step: (text, line) => {
      const said = terminalText(cutStart(line, maxText));
      return { memory: addLine(text, said, maxText), events: said.trim() === "" ? [] : [textEvent(said)] };
    },
    conclude: (text, ending) => ({
      failure: findFailure(ending, exits),
      usage: NO_USAGE,
      conversation: null,
      text: cutStart(text, maxText).trimEnd(),
      denials: [],
    }),
  });
}

function findFailure(ending: Ending, exits: CommandAgent["exits"]): AttemptFailure | null {
  if (ending.code === 0) return null;
  const detail = withReason(exitText(ending), lastLine(ending.stderr, 300));
  if (ending.code === null) return { reason: "crash", detail };
  const reason = exits[String(ending.code)] ?? "agent-error";
  if (reason === "rate-limit") return { reason, retryAfterMs: null, detail };
  if (reason === "usage-limit") return { reason, resetsAt: null, detail };
  // A program that is not an agent has an exit code, not an "agent error".
  return { reason, detail, ...(reason === "agent-error" && { isClause: true }) };
}
