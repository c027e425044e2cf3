import type { AccountLimitReason, EpochMs, Revision } from "./facts.ts";
import { FAILURE_RULES, type FailureRule } from "./failure.ts";
import type { AccountKey, Oid, TaskId } from "./ids.ts";
import type { Task } from "./plan.ts";
import { taskAt } from "./run-index.ts";
import type { AccountLimit, AttemptCount, LiveAttempt, RunState, TaskPhase, TaskState } from "./run-state.ts";
import { taskState } from "./run-tasks.ts";
import { get } from "./sorted-map.ts";

/** Questions about a state that more than one of evolve, wants, decide and select ask. */

export function accountOf(state: RunState, i: number): AccountKey | null {
  return state.index.lanes[state.index.laneOf[i] as number]?.account ?? null;
}

export function limitOfAccount(state: RunState, account: AccountKey | null): AccountLimit | null {
  return account === null ? null : (get(state.accounts, account as string) ?? null);
}

/** Whether tasks of the account have to wait: for a time, or for somebody to look. */
export function isLimited(limit: AccountLimit | null, now: EpochMs): limit is AccountLimit {
  return limit !== null && (limit.until > now || limit.probe);
}

/** The limit of its account that a task waits for; null where it waits because of what it did itself, or not at all. */
export function findLimitReason(phase: TaskPhase): AccountLimitReason | null {
  if (phase.kind === "parked") return phase.why;
  if (phase.kind !== "backoff") return null;
  const rule: FailureRule = FAILURE_RULES[phase.failure.reason];
  return rule.kind === "retry" ? rule.account : null;
}

/** Where the next candidate is to be built. */
export function chainEnd(state: RunState): Oid {
  return state.candidates.at(-1)?.result.commit ?? state.tip.commit;
}

/** Whether another candidate may stand on the last one. */
export function mayBuildOn({ candidates, stalledAt }: RunState): boolean {
  const last = candidates.at(-1);
  return last === undefined || (last.red === null && last.result.commit !== stalledAt);
}

export function isInCandidate(state: RunState, task: TaskId): boolean {
  return state.candidates.some((candidate) => candidate.tasks.some((entry) => entry.task === task));
}

export const hasProcess = ({ stage }: LiveAttempt): boolean =>
  stage.kind === "prepare" || stage.kind === "run";

/** A need that will not come, or null. */
export function failedNeed(state: RunState, i: number): TaskId | null {
  for (const need of state.index.graph.needs[i] ?? []) {
    const { kind } = taskState(state, need).phase;
    if (kind === "failed" || kind === "cancelled" || kind === "skipped") return taskAt(state.index, need).id;
  }
  return null;
}

/** For switches over unions: a member that nobody thought of is a bug. */
export function unreachable(value: never): never {
  throw new Error(`not thought of: ${JSON.stringify(value)}`);
}

/**
 * What an attempt that starts now counts against. One that continues work which was interrupted, not found wrong, repairs nothing: it
 * counts as the attempt before it did. A plan that was revised may allow less than was used before.
 */
export function countAttempt(
  { retries, fixRounds }: Pick<Task, "retries" | "fixRounds">,
  { used }: Pick<TaskState, "used">,
  isContinued: boolean,
): AttemptCount {
  const isFix = isContinued && used.fixRounds > 0;
  if (!isFix && used.retries === 0) return { kind: "first" };
  const n = isFix ? used.fixRounds : used.retries;
  return { kind: isFix ? "fix" : "retry", n, of: Math.max(n, isFix ? fixRounds : retries) };
}

/** Whether the task fits the run's work to a target that moved: its own work is merged already. */
export function isTargetFix({ targetFix }: RunState, task: TaskId): boolean {
  return targetFix?.task === task;
}

/** The branch as people name it. */
export function formatTargetName({ target }: RunState): string {
  return target?.replace(/^refs\/heads\//, "") ?? "the target branch";
}

/** Where that work begins: the join of the tip and the target. Null once the tip is another one. */
export function findTargetBase({ targetFix, tip }: RunState, task: TaskId): Revision | null {
  return targetFix?.task === task && targetFix.tip === tip.commit ? targetFix.join.result : null;
}
