import type { AccountLimitReason, EpochMs } from "../facts.ts";
import {
  type AttemptFailure,
  backoffMs,
  FAILURE_RULES,
  type FailureRule,
  PROBED,
  SHARED_CAUSE,
  SHARED_CAUSE_WINDOW_MS,
} from "../failure.ts";
import type { AccountKey, AttemptId } from "../ids.ts";
import { accountOf, limitOfAccount } from "../queries.ts";
import type { AccountLimit, RunState } from "../run-state.ts";
import { changeTask, taskState } from "../run-tasks.ts";
import { entries, remove, set } from "../sorted-map.ts";

/** Limits that tasks share. One that has passed stays until a success, so that the next wait is longer. */

type Met = { readonly attempt: AttemptId; readonly failure: AttemptFailure; readonly at: EpochMs };

/** An attempt met a limit: it holds for every task of the account from this moment, also before the work is saved. */
export function meetLimit(state: RunState, i: number, met: Met): RunState {
  if (met.failure.reason === "network") return meetOutage(state, i, met);
  const rule = FAILURE_RULES[met.failure.reason];
  const account = accountOf(state, i);
  if (account === null || (rule.kind !== "park" && rule.kind !== "retry")) return state;
  return limitByRule(state, account, rule, met);
}

/** Another task lost the network a moment ago: that is the line, not the task, whatever accounts they use. */
function meetOutage(state: RunState, i: number, met: Met): RunState {
  const last = state.lastOutage;
  let next: RunState = { ...state, lastOutage: { at: met.at, task: i } };
  if (last === null || last.task === i || met.at - last.at > SHARED_CAUSE_WINDOW_MS) return next;
  for (const task of [i, last.task]) {
    const account = accountOf(next, task);
    if (account !== null) next = limitByRule(next, account, SHARED_CAUSE, met);
  }
  return next;
}

type LimitRule = Extract<FailureRule, { kind: "park" | "retry" }>;

function limitByRule(
  state: RunState,
  account: AccountKey,
  { account: why, backoff }: LimitRule,
  met: Met,
): RunState {
  if (why === null) return state;
  const times = (limitOfAccount(state, account)?.times ?? 0) + 1;
  const durationMs = askedWait(met) ?? backoffMs(backoff, times, met.attempt);
  return limitAccount(state, account, { until: met.at + durationMs, durationMs, why, at: met.at });
}

/** What the vendor asks for, unless it lies in the past: then its clock is not ours. */
function askedWait({ failure, at }: Met): number | null {
  if (failure.reason === "usage-limit" && failure.resetsAt !== null && failure.resetsAt > at) {
    return failure.resetsAt - at;
  }
  return failure.reason === "rate-limit" ? failure.retryAfterMs : null;
}

type NewLimit = { until: EpochMs; durationMs: number; why: AccountLimitReason; at: EpochMs };

/** The later end wins, with its reason. What does not last longer is no news, but a probe that is due stays due. */
export function limitAccount(state: RunState, account: AccountKey, limit: NewLimit): RunState {
  const known = limitOfAccount(state, account);
  const probe = PROBED.has(limit.why) || (known?.probe ?? false);
  if (known !== null && known.until >= limit.until) {
    return probe === known.probe ? state : putLimit(state, account, { ...known, probe });
  }
  const { until, durationMs, why, at: since } = limit;
  return putLimit(state, account, { since, until, durationMs, why, probe, times: (known?.times ?? 0) + 1 });
}

function putLimit(state: RunState, account: AccountKey, limit: AccountLimit): RunState {
  return { ...state, accounts: set(state.accounts, account as string, limit) };
}

/** Somebody looked. If it still does not work, they look again after a longer wait. */
export function onProbed(
  state: RunState,
  account: AccountKey,
  { ok, at }: { ok: boolean; at: EpochMs },
): RunState {
  const limit = limitOfAccount(state, account);
  if (limit === null) return state;
  if (ok) return freeAccount(state, account, at);
  if (limit.until > at) return state;
  const { backoff } =
    limit.why === "auth" || limit.why === "billing" ? FAILURE_RULES[limit.why] : SHARED_CAUSE;
  const durationMs = backoffMs(backoff, limit.times + 1, account);
  return limitAccount(state, account, { until: at + durationMs, durationMs, why: limit.why, at });
}

/** A success only speaks for now if it began after the limit was met. */
export function provesAccount(state: RunState, i: number, startedAt: EpochMs): AccountKey | null {
  const account = accountOf(state, i);
  const limit = limitOfAccount(state, account);
  return limit !== null && startedAt >= limit.since ? account : null;
}

/** It works again: forget the limit, and let tasks that were parked for it go on at once. */
export function freeAccount(state: RunState, account: AccountKey, at: EpochMs): RunState {
  let next: RunState = { ...state, accounts: remove(state.accounts, account as string) };
  for (const [until, tasks] of entries(state.indices.waits)) {
    for (const [i] of entries(tasks)) {
      const { phase } = taskState(next, i);
      if (phase.kind !== "parked" || until <= at || accountOf(state, i) !== account) continue;
      next = changeTask(next, i, { phase: { ...phase, until: at } });
    }
  }
  return next;
}
