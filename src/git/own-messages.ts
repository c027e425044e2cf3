// Messages of the commits that a person made in a task's worktree. Commits that plait made there name the task.

import type { Oid } from "../core/ids.ts";
import { readFields } from "./land-chain.ts";
import { type SplitMessage, splitMessage } from "./land-message.ts";
import type { Shadow } from "./shadow.ts";

export type OwnMessagesInput = {
  /** Results of hand-ins. */
  readonly of: readonly Oid[];
  /** What they began from, and what agents did before. */
  readonly without: readonly Oid[];
};

/** Oldest first, each once. */
export async function readOwnMessages(
  shadow: Shadow,
  { of, without }: OwnMessagesInput,
): Promise<SplitMessage[]> {
  const format = "--format=%(trailers:key=Plait-Task,valueonly,separator=%x20)%x00%B";
  const order = ["--reverse", "--topo-order", "--first-parent", "--no-merges"];
  const fields = await readFields(shadow, ["log", "-z", ...order, format, ...of, "--not", ...without]);
  const messages = new Set<string>();
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [task = "", message = ""] = fields.slice(i, i + 2);
    if (task.trim() === "" && message.trim() !== "") messages.add(message.trim());
  }
  return [...messages].map(splitMessage);
}
