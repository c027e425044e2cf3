// What an agent reported about its work: for commits, pull requests, reports and the tasks that build on it.

import { findSummary } from "../../agents/final-message.ts";
import { splitAttemptId } from "../../core/ids.ts";
import type { PastAttempt, RunState } from "../../core/run-state.ts";
import { pastAttempt } from "./run-context.ts";
import type { RunFolder } from "./run-folder.ts";

/**
 * The summary of the last attempt that reported one, of those that worked on the same changes. Where none did, its messages: the first
 * is about the task, the last about what was fixed. A person reports nothing. Messages are masked when they are stored (I13).
 */
export async function readAgentSummary(
  folder: Pick<RunFolder, "text">,
  state: RunState,
  attempt: PastAttempt,
): Promise<string> {
  if (attempt.author === "person") return "";
  const messages: string[] = [];
  for (let one: PastAttempt | null = attempt; one !== null; one = findContinued(state, one)) {
    const { said } = one.ended;
    const message = (said === null ? null : await folder.text(said)) ?? "";
    const summary = findSummary(message);
    if (summary !== null) return summary;
    messages.push(message.trim());
  }
  const [last = "", first = last] = [messages[0], messages.at(-1)];
  return [...new Set([first, last])].join("\n\n").trim();
}

/** The attempt whose work this one continues; null where it is the first, or the one before it is merged or a person's. */
function findContinued(state: RunState, { id, continues }: PastAttempt): PastAttempt | null {
  if (continues === null || splitAttemptId(continues).n >= splitAttemptId(id).n) return null;
  const before = pastAttempt(state, continues);
  return before === null || before.isMerged || before.author === "person" ? null : before;
}
