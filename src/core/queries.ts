import type { AccountLimitReason, EpochMs } from "./facts.ts";
import { FAILURE_RULES, type FailureRule } from "./failure.ts";
import type { AccountKey, Oid, TaskId } from "./ids.ts";
import { taskAt } from "./run-index.ts";
import type { AccountLimit, LiveAttempt, RunState, TaskPhase } from "./run-state.ts";
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
