import type { AccountLimitReason, EpochMs } from "../facts.ts";
import type { AccountKey } from "../ids.ts";
import type { AccountLimit, RunState } from "../run-state.ts";
import { changeTask, taskState } from "../run-tasks.ts";
import { entries, get, remove, set } from "../sorted-map.ts";

/** Limits that tasks share. A limit that has passed stays until a success, so that the next wait is longer. */

export function accountOf(state: RunState, i: number): AccountKey | null {
  return state.index.lanes[state.index.laneOf[i] as number]?.account ?? null;
}

export function limitOf(state: RunState, account: AccountKey | null): AccountLimit | null {
  return account === null ? null : (get(state.accounts, account as string) ?? null);
}

type NewLimit = { until: EpochMs; durationMs: number; why: AccountLimitReason; at: EpochMs };

/** The later end wins: two tasks that hit one limit must not shorten each other's wait. */
export function limitAccount(state: RunState, account: AccountKey, limit: NewLimit): RunState {
  const known = limitOf(state, account);
  if (known !== null && isNoNews(known, limit)) return state;
  const later = known !== null && known.until > limit.until ? known : limit;
  const next: AccountLimit = {
    since: limit.at,
    until: later.until,
    durationMs: later.durationMs,
    why: limit.why,
    probe: needsProbe(limit.why),
    times: (known?.times ?? 0) + 1,
  };
  return { ...state, accounts: set(state.accounts, account as string, next) };
}

/** An echo, or what another task of the account met at the same time. */
function isNoNews(known: AccountLimit, limit: NewLimit): boolean {
  return known.why === limit.why && known.until >= limit.until;
}

/** A success only speaks for now if it began after the limit was met. */
export function provesAccount(state: RunState, i: number, startedAt: EpochMs): AccountKey | null {
  const account = accountOf(state, i);
  const limit = limitOf(state, account);
  return limit !== null && startedAt >= limit.since ? account : null;
}

/** It works again: forget the limit, and let tasks that were parked for it go on at once. */
export function freeAccount(state: RunState, account: AccountKey, at: EpochMs): RunState {
  if (limitOf(state, account) === null) return state;
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

function needsProbe(why: AccountLimitReason): boolean {
  return why === "auth" || why === "billing" || why === "network";
}
