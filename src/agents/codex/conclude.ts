import { type Conclusion, type Ending, NO_USAGE } from "../adapter.ts";
import { usageSince } from "../usage.ts";
import { failureOf } from "./failures.ts";
import type { CodexMemory } from "./memory.ts";

export function concludeCodex(memory: CodexMemory, ending: Ending): Conclusion {
  const { turn, conversation, lastText } = memory;
  // A conversation that goes on is counted as a whole.
  const told = turn?.ok ? turn.usage : NO_USAGE;
  const usage = ending.before === null ? told : usageSince(ending.before, told);
  // It only waited when a clock ran out: its exit code is that of our signal.
  const wasDone = ending.endedBy?.reason === "timeout" && turn?.ok === true;
  return {
    failure: wasDone ? null : failureOf(turn, ending),
    usage,
    conversation,
    text: lastText,
    denials: [],
  };
}
