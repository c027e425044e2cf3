import type { AccountLimitReason, EpochMs, TypedFact } from "../facts.ts";
import {
  type AttemptFailure,
  backoffMs,
  FAILURE_RULES,
  type FailureRule,
  LOOK_AGAIN,
  PROBED,
} from "../failure.ts";
import type { AccountKey, AttemptId } from "../ids.ts";
import { accountOf, findLimitReason, limitOfAccount } from "../queries.ts";
import { indexPlan } from "../run-index.ts";
import type { AccountLimit, RunState } from "../run-state.ts";
import { changeTask, rebuildIndices, taskState } from "../run-tasks.ts";
import { entries, remove, set } from "../sorted-map.ts";

/** Limits that tasks share. One that has passed stays until a success, so that the next wait is longer. */

type Met = {
  readonly attempt: AttemptId;
  readonly startedAt: EpochMs;
  readonly failure: AttemptFailure;
  readonly at: EpochMs;
};

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
  const known = limitOfAccount(state, account);
  if (known?.trial === met.attempt) return limitAgain(state, account, { known, why, backoff, met });
  // Attempts that ran when the limit was met meet it too: that is the same limit, and no reason to wait longer.
  const isNew = known === null || met.startedAt >= known.since;
  const times = (known?.times ?? 0) + (isNew ? 1 : 0);
  const durationMs = askedWait(met) ?? backoffMs(backoff, times, met.attempt);
  return limitAccount(state, account, { until: met.at + durationMs, durationMs, why, at: met.at, times });
}

type Again = Pick<LimitRule, "backoff"> & {
  readonly known: AccountLimit;
  readonly why: AccountLimitReason;
  readonly met: Met;
};

/** The attempt that was let through met a limit: the pause continues, with the end that is known now. */
function limitAgain(state: RunState, account: AccountKey, { known, why, backoff, met }: Again): RunState {
  const { trial: _trial, ...limit } = known;
  const asked = askedWait(met);
  const isKnown = asked === null && why === known.why && known.until > met.at;
  if (isKnown) return putLimit(state, account, limit); // nothing was said about its end: it stays
  const times = known.times + 1;
  const durationMs = asked ?? backoffMs(backoff, times, met.attempt);
  const { at: since } = met;
  const until = since + durationMs;
  return putLimit(state, account, { since, until, durationMs, why, probe: PROBED.has(why), times });
}

/** The next attempt on the account is the one that is let through. */
export function beginTrial(state: RunState, i: number, attempt: AttemptId): RunState {
  const account = accountOf(state, i);
  const limit = limitOfAccount(state, account);
  if (account === null || limit?.trial !== "due") return state;
  return putLimit(state, account, { ...limit, trial: attempt });
}

/** It ended without an answer, and not because of a limit: nothing is known, and the limit holds as before. */
export function endTrial(state: RunState, i: number, attempt: AttemptId): RunState {
  const account = accountOf(state, i);
  const limit = limitOfAccount(state, account);
  if (account === null || limit === null || limit.trial !== attempt) return state;
  const { trial: _trial, ...rest } = limit;
  return putLimit(state, account, rest);
}

/** What the vendor asks for, unless it lies in the past: then its clock is not ours. */
function askedWait({ failure, at }: Met): number | null {
  if (failure.reason === "usage-limit" && failure.resetsAt !== null && failure.resetsAt > at) {
    return failure.resetsAt - at;
  }
  return failure.reason === "rate-limit" ? failure.retryAfterMs : null;
}

/** Left out, `times` is one more. */
type NewLimit = Pick<AccountLimit, "until" | "durationMs" | "why"> & {
  readonly at: EpochMs;
  readonly times?: number;
};

/** The later end wins, with its reason. What does not last longer is no news, but a probe that is due stays due. */
export function limitAccount(state: RunState, account: AccountKey, limit: NewLimit): RunState {
  const known = limitOfAccount(state, account);
  const probe = PROBED.has(limit.why) || (known?.probe ?? false);
  if (known !== null && known.until >= limit.until) {
    return probe === known.probe ? state : putLimit(state, account, { ...known, probe });
  }
  const { until, durationMs, why, at: since, times = (known?.times ?? 0) + 1 } = limit;
  return putLimit(state, account, { since, until, durationMs, why, probe, times });
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
  { ok, at }: TypedFact<"account.probed">,
): RunState {
  const limit = limitOfAccount(state, account);
  if (limit === null) return state;
  if (ok && limit.trial !== undefined && limit.trial !== "due") return freeAccount(state, account, at);
  if (!limit.probe) return state;
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

/** A person wants an attempt now: plait probes, or lets the next attempt through. */
function retryAccount(state: RunState, account: AccountKey, at: EpochMs): RunState {
  const limit = limitOfAccount(state, account);
  // Where an attempt is let through already, its answer decides.
  if (limit === null || limit.until <= at || limit.trial !== undefined) return state;
  if (limit.probe) return putLimit(state, account, { ...limit, until: at });
  return endWaits(putLimit(state, account, { ...limit, trial: "due" }), account, at);
}

function endWaits(state: RunState, account: AccountKey, at: EpochMs): RunState {
  let next = state;
  for (const [, tasks] of entries(state.indices.waits)) {
    for (const [i] of entries(tasks)) {
      const isMeant = findLimitReason(taskState(next, i).phase) !== null && accountOf(state, i) === account;
      if (isMeant) next = endWait(next, i, at);
    }
  }
  return next;
}

function endWait(state: RunState, i: number, at: EpochMs): RunState {
  const { phase } = taskState(state, i);
  if ((phase.kind !== "parked" && phase.kind !== "backoff") || phase.until <= at) return state;
  return changeTask(state, i, { phase: { ...phase, until: at } });
}

/** Waits that end before their time, and accounts that are not the ones that a run started with. */

export function skipWaits(state: RunState, { accounts, tasks, at }: TypedFact<"waits.skipped">): RunState {
  const failing = endFailing(state, at);
  let next: RunState = failing === state.failing ? state : { ...state, failing };
  for (const task of tasks) {
    const i = state.index.indexOf.get(task);
    if (i !== undefined) next = endWait(next, i, at);
  }
  return accounts.reduce((now, account) => retryAccount(now, account, at), next);
}

/** Steps of plait's own that failed are due, too. */
function endFailing({ failing }: RunState, at: EpochMs): RunState["failing"] {
  let next = failing;
  for (const [key, one] of entries(failing)) if (one.until > at) next = set(next, key, { ...one, until: at });
  return next;
}

/** Nothing is known about the new accounts, so tasks that waited for the old ones are ready. */
export function changeAccounts(state: RunState, { accounts, at }: TypedFact<"accounts.changed">): RunState {
  const index = indexPlan(state.index.plan, accounts);
  const accountIn = ({ lanes, laneOf }: RunState["index"], i: number) =>
    lanes[laneOf[i] ?? -1]?.account ?? null;
  const tasks = [...entries(state.tasks)];
  if (tasks.every(([i]) => accountIn(state.index, i) === accountIn(index, i))) return state;
  let next: RunState = state;
  for (const [i] of tasks) if (accountIn(state.index, i) !== accountIn(index, i)) next = endWait(next, i, at);
  return rebuildIndices({ ...next, index });
}
