import type { AccountLimitReason, EpochMs } from "../facts.ts";
import { type AttemptFailure, backoffMs, FAILURE_RULES, type FailureRule, PROBED } from "../failure.ts";
import type { AttemptId } from "../ids.ts";
import { accountOf, isTargetFix, limitOfAccount, unreachable } from "../queries.ts";
import { taskAt } from "../run-index.ts";
import type { FixAsked, RunState, TaskState } from "../run-state.ts";
import { changeTask, taskState } from "../run-tasks.ts";
import { skipDependents, skipIfHopeless } from "./dependents.ts";
import { beginStop } from "./live.ts";
import { openAgain } from "./open.ts";
import { giveUpTargetFix } from "./target-fix.ts";

/** What becomes of a task when its attempts are over and none succeeded: the failure table, applied. */

export type Failed = {
  readonly attempt: AttemptId;
  readonly author: "agent" | "person";
  readonly failure: AttemptFailure;
  readonly at: EpochMs;
};

export function settleFailure(state: RunState, i: number, failed: Failed): RunState {
  return skipIfHopeless(followRule(state, i, failed), i);
}

function followRule(state: RunState, i: number, failed: Failed): RunState {
  const rule: FailureRule = FAILURE_RULES[failed.failure.reason];
  if (failed.author === "person" && rule.kind !== "again") return openAgain(state, i, failed); // not for an agent

  switch (rule.kind) {
    case "again":
      return goBack(state, i, failed);
    case "park":
      return park(state, i, { ...waitOf(state, i, failed, rule), why: rule.account });
    case "retry":
      return retry(state, i, failed, rule);
    case "fail":
      return failTask(state, i, failed);
    default:
      return unreachable(rule);
  }
}

function failTask(state: RunState, i: number, { failure, at }: Failed): RunState {
  const merged = giveUpTargetFix(state, i);
  if (merged !== null) return merged;
  const failed = changeTask(state, i, { phase: { kind: "failed", failure, at }, volley: 0, fix: null });
  const skipped = skipDependents(failed, i);
  if (!state.policy.failFast || state.stopping !== null) return skipped;
  return beginStop({ ...skipped, failedFast: true }, "stop", "fail-fast");
}

/** Ended from outside: the task is as it was. A second orphan in one task is taken for a crash of its own making. */
function goBack(state: RunState, i: number, failed: Failed): RunState {
  const { used } = taskState(state, i);
  if (failed.failure.reason !== "orphaned") {
    const fix = unfinishedWork(state, i, failed);
    return changeTask(state, i, { phase: { kind: "waiting" }, volley: 0, ...(fix !== null && { fix }) });
  }
  if (used.orphans === 0) {
    return changeTask(state, i, { phase: { kind: "waiting" }, volley: 0, used: { ...used, orphans: 1 } });
  }
  const crash: AttemptFailure = { reason: "crash", detail: "it died twice without a result" };
  return followRule(state, i, { ...failed, failure: crash });
}

/** A red base interrupts work that is good as far as it goes: once the base is accepted, the agent continues there. */
function unfinishedWork(state: RunState, i: number, { attempt, failure }: Failed): FixAsked | null {
  if (failure.reason !== "cancelled" || failure.because !== "red-base") return null;
  const past = taskState(state, i).past.find(({ id }) => id === attempt);
  const isAgent = taskAt(state.index, i).work.kind === "agent";
  return isAgent && past?.saved.changed === true ? { attempt, because: failure } : null;
}

type RetryRule = Extract<FailureRule, { kind: "retry" }>;
type Wait = { readonly until: EpochMs; readonly durationMs: number };

function retry(state: RunState, i: number, failed: Failed, rule: RetryRule): RunState {
  if (rule.fixable && mayFix(state, i)) return fix(state, i, failed);
  const task = taskState(state, i);
  if (isConversationLost(task, failed)) return startAnew(state, i, failed);
  const { id, retries } = taskAt(state.index, i);
  // A retry starts afresh, and what it would do is merged already.
  const allowed = isTargetFix(state, id) ? 0 : retries;
  const allowance = useUp(task, allowed, { rule, failed });
  if (allowance === null) return failTask(state, i, failed);
  const wait = waitOf(state, i, failed, rule);
  // What somebody has to look at is waited for like a limit, not like a back-off of the task.
  if (rule.account !== null && PROBED.has(rule.account))
    return changeTask(park(state, i, { ...wait, why: rule.account }), i, allowance);
  return changeTask(state, i, {
    phase: { kind: "backoff", failure: failed.failure, ...wait },
    volley: 0,
    ...allowance,
  });
}

/** The one that a brief was sent to: who continued it could not say its name. */
function isConversationLost({ fix: asked, past }: TaskState, { attempt, failure }: Failed): boolean {
  if (asked === null || asked.because !== null) return false;
  if (failure.reason !== "agent-error" && failure.reason !== "crash") return false;
  return past.find(({ id }) => id === attempt)?.ended.conversation === null;
}

/** The brief goes to a new conversation, at once: nobody has worked on it yet. */
function startAnew(state: RunState, i: number, { failure, at }: Failed): RunState {
  const phase = { kind: "backoff", until: at, durationMs: 0, failure } as const;
  return changeTask(state, i, { phase, fix: null, volley: 0 });
}

function park(state: RunState, i: number, wait: Wait & { why: AccountLimitReason }): RunState {
  const { until, durationMs, why } = wait;
  return changeTask(state, i, { phase: { kind: "parked", until, durationMs, why }, volley: 0 });
}

/** As long as the account is limited; without an account the task waits by itself. */
function waitOf(
  state: RunState,
  i: number,
  failed: Failed,
  rule: Extract<FailureRule, { kind: "park" | "retry" }>,
): Wait {
  const limit = rule.account === null ? null : limitOfAccount(state, accountOf(state, i));
  if (limit !== null) return { until: limit.until, durationMs: limit.durationMs };
  const durationMs = backoffMs(rule.backoff, triesSoFar(taskState(state, i)) + 1, failed.attempt);
  return { until: failed.at + durationMs, durationMs };
}

const triesSoFar = ({ used }: TaskState): number => used.retries + (used.free?.times ?? 0);

/** Free tries first; then one retry, which is a fresh conversation with its own fix rounds. */
function useUp(
  { used }: TaskState,
  retries: number,
  { rule, failed }: { rule: RetryRule; failed: Failed },
): Partial<TaskState> | null {
  const { reason } = failed.failure;
  const times = used.free?.reason === reason ? used.free.times : 0;
  if (times < rule.free) return { used: { ...used, free: { reason, times: times + 1 } } };
  if (used.retries >= retries) return null;
  return { used: { ...used, retries: used.retries + 1, free: null, fixRounds: 0 }, fix: null };
}

/** Only an agent has a conversation to go on with. */
function mayFix(state: RunState, i: number): boolean {
  const task = taskAt(state.index, i);
  return task.work.kind === "agent" && taskState(state, i).used.fixRounds < task.fixRounds;
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
