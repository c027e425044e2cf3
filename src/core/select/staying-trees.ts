import type { EpochMs } from "../facts.ts";
import type { TaskId } from "../ids.ts";
import { taskAt } from "../run-index.ts";
import type { RunState } from "../run-state.ts";
import { entries } from "../sorted-map.ts";

/** `at` is when its work was saved last. */
export type StayingTree = { readonly task: TaskId; readonly path: string; readonly at: EpochMs };

/** Worktrees that the user wanted to stay, each once: fix rounds share one. */
export function stayingTrees(state: RunState): StayingTree[] {
  const found = new Map<string, StayingTree>();
  for (const [i, { past }] of entries(state.tasks)) {
    const { id } = taskAt(state.index, i);
    for (const { saved } of past) {
      if (saved.stays !== null) found.set(saved.stays, { task: id, path: saved.stays, at: saved.at });
    }
  }
  return [...found.values()];
}
