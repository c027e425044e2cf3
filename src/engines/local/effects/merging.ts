// The merge queue: candidates are built in the object database, and the integration ref moves from a value that was verified
// to one that was gated (I7).

import type { TaskAttempt } from "../../../core/facts.ts";
import type { AttemptFailure } from "../../../core/failure.ts";
import type { TaskId } from "../../../core/ids.ts";
import { matcher } from "../../../core/ownership/match.ts";
import type { Plan } from "../../../core/plan.ts";
import type { RunState } from "../../../core/run-state.ts";
import {
  advance,
  integrationRef,
  type Merged,
  MovedBranch,
  mergeTasks,
  type ToMerge,
} from "../../../git/index.ts";
import { buildCommitMessage } from "../commit-message.ts";
import type { Effects } from "../driver.ts";
import { type RunContext, taskOf } from "../run-context.ts";

export function mergeEffects(site: RunContext): Pick<Effects, "merge" | "advance"> {
  const { shadow, run, folder } = site;
  return {
    merge: async ({ from, tasks }, hands) => {
      const queued = await Promise.all(tasks.map((task) => queuedWork(site, hands.state(), task)));
      // From the journal: the same commit whoever builds it, and however often.
      const at = Math.max(...queued.map(({ since }) => since));
      const isShared = findSharedPaths(hands.state().index.plan);
      const input = { run, runDir: folder.path, from, tasks: queued, at };
      const merged = await mergeTasks(shadow, { ...input, ...(isShared && { isShared }) });
      if (merged.kind === "built") {
        const { result, shared } = merged;
        const kept = shared.length === 0 ? {} : { shared };
        await hands.record({ type: "candidate.built", from, result, tasks: merged.tasks, ...kept });
        return;
      }
      await hands.record({ type: "candidate.refused", from, task: merged.task, failure: conflict(merged) });
    },
    advance: async ({ from, to, tasks }, hands) => {
      const advanced = await advance(shadow, { run, from, to: to.commit, tasks });
      if (advanced.kind === "moved")
        throw new MovedBranch({ ref: integrationRef(run), from, now: advanced.now });
      if (advanced.kind === "incomplete")
        throw new Error(`objects of ${to.commit} are missing from the repository`);
      await hands.record({ type: "integration.advanced", from, to, tasks });
    },
  };
}

/** Null where the plan declares no path as shared. */
function findSharedPaths({ tasks }: Plan): ((task: TaskId, path: string) => boolean) | null {
  const byTask = new Map(
    tasks.flatMap(({ id, owns }) => {
      const claims = owns.filter(({ mode }) => mode === "shared");
      return claims.length === 0 ? [] : [[id, claims.map(({ pattern }) => matcher(pattern))] as const];
    }),
  );
  if (byTask.size === 0) return null;
  return (task, path) => (byTask.get(task) ?? []).some((isMatch) => isMatch(path) === true);
}

async function queuedWork(
  site: RunContext,
  state: RunState,
  { task: id, attempt }: TaskAttempt,
): Promise<ToMerge & { readonly since: number }> {
  const { phase } = taskOf(state, id).now;
  if (phase.kind !== "queued" || phase.attempt !== attempt) throw new Error(`${attempt} is not queued`);
  return {
    task: id,
    attempt,
    result: phase.result.commit,
    ...(await buildCommitMessage(site, state, attempt)),
    since: phase.since,
  };
}

const MOST_PATHS = 20;

function conflict({ paths, types, with: others }: Extract<Merged, { kind: "conflict" }>): AttemptFailure {
  const shown = paths.slice(0, MOST_PATHS).join(", ");
  const more = paths.length > MOST_PATHS ? ` and ${paths.length - MOST_PATHS} more` : "";
  const whose = others.length === 0 ? "" : ` with ${others.join(", ")}`;
  const detail = `conflicts${whose}: ${shown === "" ? types.join(", ") : `${shown}${more}`}`;
  return { reason: "conflict", with: others, paths: paths.slice(0, 1_000), detail };
}
