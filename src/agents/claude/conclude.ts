import { type Conclusion, type Ending, NO_USAGE } from "../adapter.ts";
import { failureOf } from "./failures.ts";
import type { ClaudeMemory, ClaudeResult } from "./memory.ts";

export function concludeClaude(memory: ClaudeMemory, ending: Ending): Conclusion {
  const { result } = memory;
  return {
    failure: failureOf(memory, ending),
    usage: result?.usage ?? NO_USAGE,
    conversation: isLost(result) ? null : memory.conversation,
    text: result?.text || memory.lastText,
    denials: result?.denials ?? [],
  };
}

/** It names the conversation that it was asked to go on with and could not find: nobody should ask for it again. */
function isLost(result: ClaudeResult | null): boolean {
  return result?.errors.some((error) => error.startsWith("No conversation found")) ?? false;
}
