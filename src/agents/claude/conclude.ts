import { type Conclusion, type Ending, NO_USAGE } from "../adapter.ts";
import { failureOf } from "./failures.ts";
import type { ClaudeMemory } from "./memory.ts";

export function concludeClaude(memory: ClaudeMemory, ending: Ending): Conclusion {
  const { result } = memory;
  return {
    failure: failureOf(memory, ending),
    usage: result?.usage ?? NO_USAGE,
    conversation: memory.conversation,
    text: result?.text || memory.lastText,
    denials: result?.denials ?? [],
  };
}
