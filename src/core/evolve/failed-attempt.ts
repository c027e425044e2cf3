import type { EpochMs } from "../facts.ts";
import {
  type AttemptFailure,
  backoffMs,
  FAILURE_RULES,
  type FailureRule,
  SHARED_CAUSE_RULE,
  SHARED_CAUSE_WINDOW_MS,
  SHARED_CAUSES,
} from "../failure.ts";
import type { AttemptId } from "../ids.ts";
import { taskAt } from "../run-index.ts";
import type { RunState, TaskState } from "../run-state.ts";
import { changeTask, taskState } from "../run-tasks.ts";
import { get, set } from "../sorted-map.ts";
import { accountOf, limitAccount, limitOf } from "./accounts.ts";
import { skipDependents, skipIfHopeless } from "./dependents.ts";
import { beginStop } from "./stopping.ts";

/** What becomes of a task when its attempts are over and none succeeded: the failure table, applied. */

export type Failed = {
  readonly attempt: AttemptId;
  readonly author: "agent" | "person";
  readonly failure: AttemptFailure;
  /** When the failure was met; by the same clock as the times in it. */
  readonly metAt: EpochMs;
  readonly at: EpochMs;
};

export function settleFailure(state: RunState, i: number, failed: Failed): RunState {
  return skipIfHopeless(followRule(state, i, failed), i);
}

function followRule(state: RunState, i: number, failed: Failed): RunState {
  const rule = FAILURE_RULES[failed.failure.reason];
  switch (rule.kind) {
    case "again":
      return goBack(state, i, failed);
    case "park":
      return park(state, i, failed, rule);
    case "retry":
      return retry(state, i, failed, rule);
    case "fail":
      return failTask(state, i, failed);
    default:
      return unreachable(rule);
  }
}

function failTask(state: RunState, i: number, { failure, at }: Failed): RunState {
  const failed = changeTask(state, i, { phase: { kind: "failed", failure, at }, volley: 0, fix: null });
  const skipped = skipDependents(failed, i);
  return state.policy.failFast ? beginStop(skipped, "stop", "fail-fast") : skipped;
}

/** Ended from outside: the task is as it was. A second orphan in one task is taken for a crash of its own making. */
function goBack(state: RunState, i: number, failed: Failed): RunState {
  const { used } = taskState(state, i);
  if (failed.failure.reason !== "orphaned")
    return changeTask(state, i, { phase: { kind: "waiting" }, volley: 0 });
  if (used.orphans === 0) {
    return changeTask(state, i, { phase: { kind: "waiting" }, volley: 0, used: { ...used, orphans: 1 } });
  }
  const crash: AttemptFailure = { reason: "crash", detail: "plait found it dead twice" };
  return followRule(state, i, { ...failed, failure: crash });
}

function park(
  state: RunState,
  i: number,
  failed: Failed,
  rule: Extract<FailureRule, { kind: "park" }>,
): RunState {
  const { failure, at, metAt } = failed;
  const times = (limitOf(state, accountOf(state, i))?.times ?? 0) + 1;
  const resetsAt = failure.reason === "usage-limit" ? failure.resetsAt : null;
  const durationMs =
    resetsAt === null ? backoffMs(rule.backoff, times, failed.attempt) : Math.max(0, resetsAt - metAt);
  // A clock that was set back in between makes nobody wait longer than was asked for.
  const until = Math.min(resetsAt ?? Number.POSITIVE_INFINITY, at + durationMs);
  return parkUntil(state, i, { until, durationMs, why: rule.account, at });
}

type Park = Parameters<typeof limitAccount>[2];

function parkUntil(state: RunState, i: number, wait: Park): RunState {
  const account = accountOf(state, i);
  const limited = account === null ? state : limitAccount(state, account, wait);
  const { until, durationMs, why } = wait;
  return changeTask(limited, i, { phase: { kind: "parked", until, durationMs, why }, volley: 0 });
}

function retry(
  state: RunState,
  i: number,
  failed: Failed,
  rule: Extract<FailureRule, { kind: "retry" }>,
): RunState {
  if (rule.fixable && mayFix(state, i, failed)) return fix(state, i, failed);
  if (SHARED_CAUSES.has(failed.failure.reason)) {
    const shared = seenElsewhere(state, i, failed);
    if (shared) return parkForSharedCause(state, i, failed);
  }
  const seen = noteCause(state, i, failed);
  const task = taskState(seen, i);
  const allowance = useUp(task, taskAt(seen.index, i).retries, rule);
  if (allowance === null) return failTask(seen, i, failed);
  const account = rule.account === null ? null : accountOf(seen, i);
  const durationMs = waitFor(failed, rule, (limitOf(seen, account)?.times ?? triesSoFar(task)) + 1);
  const until = failed.at + durationMs;
  const limited =
    account === null || rule.account === null
      ? seen
      : limitAccount(seen, account, { until, durationMs, why: rule.account, at: failed.at });
  const phase = { kind: "backoff", until, durationMs, failure: failed.failure } as const;
  return changeTask(limited, i, { phase, volley: 0, ...allowance });
}

/** Free tries first; then one retry, which is a fresh conversation with its own fix rounds. */
function useUp(
  task: TaskState,
  retries: number,
  rule: Extract<FailureRule, { kind: "retry" }>,
): Partial<TaskState> | null {
  const { used } = task;
  if (used.free < rule.free) return { used: { ...used, free: used.free + 1 } };
  if (used.retries >= retries) return null;
  return { used: { ...used, retries: used.retries + 1, fixRounds: 0 }, fix: null };
}

function waitFor(
  { failure, attempt }: Failed,
  rule: Extract<FailureRule, { kind: "retry" }>,
  n: number,
): number {
  const own = backoffMs(rule.backoff, n, attempt);
  return failure.reason === "rate-limit" && failure.retryAfterMs !== null
    ? Math.max(own, failure.retryAfterMs)
    : own;
}

const triesSoFar = ({ used }: TaskState): number => used.retries + used.free;

/** Only an agent has a conversation to go on with. */
function mayFix(state: RunState, i: number, { author }: Failed): boolean {
  const task = taskAt(state.index, i);
  return (
    author === "agent" && task.work.kind === "agent" && taskState(state, i).used.fixRounds < task.fixRounds
  );
}

function fix(state: RunState, i: number, { attempt, failure, at }: Failed): RunState {
  const { used } = taskState(state, i);
  return changeTask(state, i, {
    phase: { kind: "backoff", until: at, durationMs: 0, failure },
    fix: { attempt, because: failure },
    volley: 0,
    used: { ...used, fixRounds: used.fixRounds + 1 },
  });
}

/** Another task saw the same a moment ago: that is the line or the login, not the task. */
function seenElsewhere(state: RunState, i: number, failed: Failed): boolean {
  const last = get(state.sightings, sightingKey(state, i, failed));
  return last !== undefined && last.task !== i && failed.at - last.at <= SHARED_CAUSE_WINDOW_MS;
}

function noteCause(state: RunState, i: number, failed: Failed): RunState {
  if (!SHARED_CAUSES.has(failed.failure.reason)) return state;
  const sightings = set(state.sightings, sightingKey(state, i, failed), { at: failed.at, task: i });
  return { ...state, sightings };
}

function parkForSharedCause(state: RunState, i: number, failed: Failed): RunState {
  const noted = noteCause(state, i, failed);
  const times = (limitOf(noted, accountOf(noted, i))?.times ?? 0) + 1;
  const durationMs = backoffMs(SHARED_CAUSE_RULE.backoff, times, failed.attempt);
  return parkUntil(noted, i, {
    until: failed.at + durationMs,
    durationMs,
    why: SHARED_CAUSE_RULE.account,
    at: failed.at,
  });
}

function sightingKey(state: RunState, i: number, { failure }: Failed): string {
  return `${failure.reason} ${accountOf(state, i) ?? ""}`;
}

function unreachable(rule: never): never {
  throw new Error(`unknown rule ${JSON.stringify(rule)}`);
}
