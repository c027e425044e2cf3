import type { RunState } from "../../../app/index.ts";
import type { Fact } from "../../../core/facts.ts";
import type { AttemptId } from "../../../core/ids.ts";
import { pastAttempts } from "../../../core/select/task-lists.ts";
import { shortRef } from "../../../core/text/figures.ts";
import { taskIn, titleOf } from "./stream-names.ts";
import type { Talk } from "./talk.ts";

/** `flush` prints lines that are held back and come before. */
type MergeTalk = Pick<Talk, "info" | "success" | "warn"> & { readonly flush: () => void };

/**
 * The lines about the merging, each when it is so. Streams are merged in the order in which they end, the later into the
 * earlier; that all of them have ended is when the results begin to come together.
 */
export function tellMerging(
  streams: readonly string[],
  { flush, ...talk }: MergeTalk,
): (fact: Fact, after: RunState) => void {
  const changed = new Map<string, boolean>();
  const merged: string[] = [];
  return (fact, after) => {
    if (fact.type === "attempt.saved" && isDone(after, fact.attempt)) {
      changed.set(taskIn(fact.attempt), fact.changed);
      if (changed.size === streams.length && [...changed.values()].includes(true)) {
        flush();
        talk.info("Merging results...");
      }
    }
    if (fact.type === "integration.advanced")
      for (const { task } of fact.tasks) {
        const [earlier] = merged;
        merged.push(task);
        if (earlier !== undefined) talk.success(`Merged ${titleOf(task)} into ${titleOf(earlier)}.`);
      }
    if (fact.type === "run.landed") {
      const what = merged.length === 1 ? titleOf(merged[0] ?? "") : "combined result";
      talk.success(`Merged ${what} into ${shortRef(fact.target)}.`);
      for (const note of fact.notes) talk.warn(note);
      talk.info("Cleaning up worktrees...");
    }
  };
}

function isDone(state: RunState, id: AttemptId): boolean {
  return pastAttempts(state).some(({ attempt }) => attempt.id === id && attempt.ended.failure === null);
}
