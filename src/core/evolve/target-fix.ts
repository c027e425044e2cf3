import type { TypedFact } from "../facts.ts";
import type { AttemptFailure } from "../failure.ts";
import type { TaskId } from "../ids.ts";
import { mayStartMore } from "../landing.ts";
import type { RefusedMove, TargetJoin } from "../landing-types.ts";
import { formatTargetName, isTargetFix } from "../queries.ts";
import { taskAt } from "../run-index.ts";
import type { Landing, RunState, TargetFix } from "../run-state.ts";
import { changeTask, isIncluded, taskState } from "../run-tasks.ts";
import { satisfyDependents, unsatisfyDependents } from "./dependents.ts";

/**
 * A target that moved does not merge with the run. As between tasks, it goes to an agent first: a merged task that changed the same
 * paths gets a fix round, on a commit that joins both sides. When its work is merged, the run lands as usual. When it fails, the
 * task is merged as before, and the landing is refused, for a person.
 */

/** Null where it goes to a person at once. */
export function beginTargetFix(state: RunState, fact: TypedFact<"landing.refused">): RunState | null {
  const { join, paths = [], at } = fact;
  const isOpen = state.landing.kind === "none" || state.landing.kind === "built";
  if (join === undefined || !isOpen || state.targetFix !== null) return null;
  if (state.stopping !== null || !mayStartMore(state)) return null;
  const task = findTargetFixer(state, join);
  if (task === undefined) return null;
  const i = state.index.indexOf.get(task) as number;
  const { phase, used } = taskState(state, i);
  if (phase.kind !== "merged") return null;
  const failure = conflictWithTarget(state, paths);
  const begun = changeTask(state, i, {
    phase: { kind: "backoff", until: at, durationMs: 0, failure },
    fix: { attempt: phase.attempt, because: failure },
    volley: 0,
    used: { ...used, fixRounds: used.fixRounds + 1 },
  });
  const targetFix: TargetFix = {
    task,
    merged: phase,
    tip: fact.tip,
    join,
    paths,
    refused: pickRefusal(fact),
  };
  return { ...unsatisfyDependents(begun, i), landing: { kind: "none" }, targetFix };
}

/** Of the tasks that changed the paths, the one whose agent resolves the conflict. */
export function findTargetFixer(state: RunState, { tasks }: TargetJoin): TaskId | undefined {
  return tasks.find((one) => mayFixTarget(state, one));
}

/** What people are told of it. */
export function pickRefusal({ detail, files, worktree, commands }: RefusedMove): RefusedMove {
  return { detail, ...(files && { files }), ...(worktree && { worktree }), ...(commands && { commands }) };
}

/** Its work is merged, an agent did it, and it has a fix round left. */
function mayFixTarget(state: RunState, id: TaskId): boolean {
  const i = state.index.indexOf.get(id);
  if (i === undefined || !isIncluded(state, id)) return false;
  const { work, fixRounds } = taskAt(state.index, i);
  const { phase, used, open, live } = taskState(state, i);
  const isFree = phase.kind === "merged" && open === null && live.length === 0;
  return work.kind === "agent" && isFree && used.fixRounds < fixRounds;
}

function conflictWithTarget(state: RunState, paths: readonly string[]): AttemptFailure {
  const target = formatTargetName(state);
  const detail = `${target} moved, and conflicts with the run: ${paths.join(", ")}`;
  return { reason: "conflict", with: [], paths, target, detail };
}

/** The task is merged as before. Null where it does not fit anything to the target. */
export function giveUpTargetFix(state: RunState, i: number): RunState | null {
  const { targetFix } = state;
  if (targetFix === null || !isTargetFix(state, taskAt(state.index, i).id)) return null;
  const { merged, tip, refused: why, paths, join } = targetFix;
  const back = changeTask(state, i, { phase: merged, volley: 0, fix: null });
  const refused: Landing = { kind: "refused", why: "conflict", ...why, paths, join };
  // Work that was merged meanwhile has not been refused.
  const landing = tip === state.tip.commit ? refused : state.landing;
  return { ...satisfyDependents(back, i), landing, targetFix: null };
}
