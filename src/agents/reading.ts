import type { AttemptFailure } from "../core/failure.ts";
import type { Conclusion, Ending, Reading } from "./adapter.ts";
import type { AgentEvent } from "./event.ts";
import { oneLine } from "./text.ts";
import { verdictIn } from "./verdict.ts";

/** How one program's lines are folded; `Memory` is what must be remembered of them. */
export type Reader<Memory> = {
  readonly step: (memory: Memory, line: string) => Step<Memory>;
  /** What the program itself says; what holds for all programs is added here. */
  readonly conclude: (memory: Memory, ending: Ending) => Conclusion;
  /** It has said that the work is done, and done nothing since: a clock that runs out then ends only the program. */
  readonly isDone?: (memory: Memory) => boolean;
};

export type Step<Memory> = { readonly memory: Memory; readonly events: readonly AgentEvent[] };

export function readingOf<Memory>(memory: Memory, reader: Reader<Memory>): Reading {
  return {
    read: (line) => {
      const step = reader.step(memory, line);
      return { next: readingOf(step.memory, reader), events: step.events };
    },
    conclude: (ending) => {
      const wasDone = ending.endedBy?.reason === "timeout" && reader.isDone?.(memory) === true;
      return judged(reader.conclude(memory, ending), wasDone ? { ...ending, endedBy: null } : ending);
    },
  };
}

/** First what plait did, then what the program met, then what the agent says, then what it was not allowed to do. */
function judged(conclusion: Conclusion, ending: Ending): Conclusion {
  const failure =
    endedByPlait(ending) ?? conclusion.failure ?? saidNo(conclusion.text) ?? denied(conclusion, ending);
  return { ...conclusion, failure };
}

function endedByPlait({ endedBy }: Ending): AttemptFailure | null {
  if (endedBy === null) return null;
  return endedBy.reason === "timeout"
    ? { ...endedBy, detail: CLOCKS[endedBy.clock] }
    : { ...endedBy, detail: "stopped by plait" };
}

const CLOCKS = {
  start: "no output from the agent",
  idle: "the agent was silent for too long",
  total: "the agent exceeded its time limit",
};

function saidNo(text: string): AttemptFailure | null {
  const sentence = verdictIn(text);
  return sentence === null ? null : { reason: "agent-said-no", detail: sentence, isClause: true };
}

/** Gates see whether the work is good in spite of it. A read-only task is meant to be denied things. */
function denied({ denials }: Conclusion, { gated, access }: Ending): AttemptFailure | null {
  if (denials.length === 0 || gated || access === "read-only") return null;
  const tools = [...new Set(denials)].join(", ");
  return { reason: "denied", detail: oneLine(`not allowed to use ${tools}`, 300) };
}
