import type { Usage } from "../../core/facts.ts";
import { type Conclusion, type Ending, NO_USAGE } from "../adapter.ts";
import { isVersionSince } from "../cli-program.ts";
import { usageSince } from "../usage.ts";
import { failureOf } from "./failures.ts";
import type { ClaudeMemory, ClaudeResult } from "./memory.ts";

export function concludeClaude(memory: ClaudeMemory, ending: Ending): Conclusion {
  const { result, done } = memory;
  // It only waited when a clock ran out: what it said then is its last word, and its exit code that of our signal.
  const wasDone = ending.endedBy?.reason === "timeout" && done !== null;
  return {
    failure: wasDone ? null : failureOf(memory, ending),
    usage: usageOf(memory, ending),
    conversation: isLost(result) ? null : memory.conversation,
    text: (wasDone ? done.text : result?.text) || memory.lastText,
    denials: result?.denials ?? [],
    ...(result?.answer === undefined ? {} : { answer: result.answer }),
  };
}

/** Up to 2.1.276 each process counts from zero, also when it goes on with a conversation. */
const FIRST_TO_COUNT_ON = [2, 1, 277];

function usageOf({ result, version }: ClaudeMemory, { before }: Ending): Usage {
  const told = result?.usage ?? NO_USAGE;
  return before !== null && countsOn(version) ? usageSince(before, told) : told;
}

/** A version that is not told is taken for an old one: what is counted twice is seen, what is not counted is not. */
function countsOn(version: string | null): boolean {
  return isVersionSince(version ?? "", FIRST_TO_COUNT_ON);
}

/** It names the conversation that it was asked to go on with and could not find: nobody should ask for it again. */
function isLost(result: ClaudeResult | null): boolean {
  return result?.errors.some((error) => error.startsWith("No conversation found")) ?? false;
}
