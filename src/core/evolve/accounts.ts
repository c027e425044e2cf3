import type { AccountLimitReason, EpochMs } from "../facts.ts";
import {
  type AttemptFailure,
  backoffMs,
  FAILURE_RULES,
  type FailureRule,
  LOOK_AGAIN,
  PROBED,
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
  const rule = FAILURE_RULES[met.failure.reason];
  const account = accountOf(state, i);
  if (account === null || (rule.kind !== "park" && rule.kind !== "retry")) return state;
  return limitByRule(state, account, rule, met);
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

/**
 * Somebody looked. If it works, attempts may start, and one that succeeds is the proof: until then the next wait is a longer
 * one. If not, somebody looks again soon, and what was lost to a network that is down is held against nobody.
 */
export function onProbed(
  state: RunState,
  account: AccountKey,
  { ok, at }: { ok: boolean; at: EpochMs },
): RunState {
  const limit = limitOfAccount(state, account);
  if (limit === null || !limit.probe) return state;
  if (ok) {
    const isOver = PROBED.has(limit.why);
    const until = isOver ? Math.min(limit.until, at) : limit.until;
    const seen = putLimit(state, account, { ...limit, probe: false, until });
    return isOver ? endWaits(seen, account, at) : seen;
  }
  if (limit.until > at) return state;
  const durationMs = backoffMs(LOOK_AGAIN, 1, account);
  const next = putLimit(state, account, { ...limit, until: at + durationMs, durationMs });
  return limit.why === "network" ? giveTriesBack(next, account) : next;
}

function giveTriesBack(state: RunState, account: AccountKey): RunState {
  let next = state;
  for (const [i, { phase, used }] of entries(state.tasks)) {
    if (phase.kind !== "parked" || used.free?.reason !== "network" || accountOf(state, i) !== account)
      continue;
    next = changeTask(next, i, { used: { ...used, free: null } });
  }
  return next;
}

/** A success only speaks for now if it began after the limit was met. */
export function provesAccount(state: RunState, i: number, startedAt: EpochMs): AccountKey | null {
  const account = accountOf(state, i);
  const limit = limitOfAccount(state, account);
  return limit !== null && startedAt >= limit.since ? account : null;
}

/** It works again: forget the limit, and let tasks that were parked for it go on at once. */
export function freeAccount(state: RunState, account: AccountKey, at: EpochMs): RunState {
  return endWaits({ ...state, accounts: remove(state.accounts, account as string) }, account, at);
}

function endWaits(state: RunState, account: AccountKey, at: EpochMs): RunState {
  let next = state;
  for (const [until, tasks] of entries(state.indices.waits)) {
    for (const [i] of entries(tasks)) {
      const { phase } = taskState(next, i);
      if (phase.kind !== "parked" || until <= at || accountOf(state, i) !== account) continue;
      next = changeTask(next, i, { phase: { ...phase, until: at } });
    }
  }
  return next;
}
