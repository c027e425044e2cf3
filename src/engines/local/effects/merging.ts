// The merge queue: candidates are built in the object database, and the integration ref moves from a value that was verified
// to one that was gated (I7).

import type { TaskAttempt } from "../../../core/facts.ts";
import type { AttemptFailure } from "../../../core/failure.ts";
import type { RunState } from "../../../core/run-state.ts";
import { advance, type Merged, mergeTasks, type ToMerge } from "../../../git/index.ts";
import { formatCommitTitle } from "../commit-title.ts";
import type { Effects } from "../driver.ts";
import { type Site, taskOf } from "../site.ts";

export function mergeEffects({ shadow, run, folder }: Site): Pick<Effects, "merge" | "advance"> {
  return {
    merge: async ({ from, tasks }, hands) => {
      const queued = tasks.map((task) => queuedWork(hands.state(), task));
      // From the journal: the same commit whoever builds it, and however often.
      const at = Math.max(...queued.map(({ since }) => since));
      const merged = await mergeTasks(shadow, { run, runDir: folder.path, from, tasks: queued, at });
      if (merged.kind === "built") {
        const { result } = merged;
        await hands.record({ type: "candidate.built", from, result, tasks: merged.tasks });
        return;
      }
      await hands.record({ type: "candidate.refused", from, task: merged.task, failure: conflict(merged) });
    },
    advance: async ({ from, to, tasks }, hands) => {
      const advanced = await advance(shadow, { run, from, to: to.commit, tasks });
      if (advanced.kind === "moved") {
        throw new Error(
          `the integration branch of ${run} was moved by somebody else, to ${advanced.now ?? "nowhere"}`,
        );
      }
      if (advanced.kind === "incomplete")
        throw new Error(`objects of ${to.commit} are missing from the repository`);
      await hands.record({ type: "integration.advanced", from, to, tasks });
    },
  };
}

function queuedWork(
  state: RunState,
  { task: id, attempt }: TaskAttempt,
): ToMerge & { readonly since: number } {
  const { task, now } = taskOf(state, id);
  const { phase } = now;
  if (phase.kind !== "queued" || phase.attempt !== attempt) throw new Error(`${attempt} is not queued`);
  return {
    task: id,
    attempt,
    result: phase.result.commit,
    title: formatCommitTitle(state.index.plan.mergeMessage, task),
    since: phase.since,
  };
}

const MOST_PATHS = 20;

function conflict({ paths, types, with: others }: Extract<Merged, { kind: "conflict" }>): AttemptFailure {
  const shown = paths.slice(0, MOST_PATHS).join(", ");
  const more = paths.length > MOST_PATHS ? ` and ${paths.length - MOST_PATHS} more` : "";
  const whose = others.length === 0 ? "" : ` with ${others.join(", ")}`;
  const detail = `it does not merge${whose}: ${shown === "" ? types.join(", ") : `${shown}${more}`}`;
  return { reason: "conflict", with: others, paths: paths.slice(0, 1_000), detail };
}
