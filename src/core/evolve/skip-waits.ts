import type { AccountFact, EpochMs } from "../facts.ts";
import { indexPlan } from "../run-index.ts";
import type { RunState } from "../run-state.ts";
import { changeTask, rebuildIndices, taskState } from "../run-tasks.ts";
import { entries, set } from "../sorted-map.ts";
import { retryAccount } from "./accounts.ts";

/** Waits that end before their time, and accounts that are not the ones that a run started with. */

type SkippedWaits = Extract<AccountFact, { type: "waits.skipped" }> & { readonly at: EpochMs };

export function skipWaits(state: RunState, { accounts, tasks, at }: SkippedWaits): RunState {
  const failing = endFailing(state, at);
  let next: RunState = failing === state.failing ? state : { ...state, failing };
  for (const task of tasks) {
    const i = state.index.indexOf.get(task);
    if (i === undefined) continue;
    const { phase } = taskState(next, i);
    if ((phase.kind !== "parked" && phase.kind !== "backoff") || phase.until <= at) continue;
    next = changeTask(next, i, { phase: { ...phase, until: at } });
  }
  return accounts.reduce((now, account) => retryAccount(now, account, at), next);
}

/** Steps of plait's own that failed are due, too. */
function endFailing({ failing }: RunState, at: EpochMs): RunState["failing"] {
  let next = failing;
  for (const [key, one] of entries(failing)) if (one.until > at) next = set(next, key, { ...one, until: at });
  return next;
}

type ChangedAccounts = Extract<AccountFact, { type: "accounts.changed" }> & { readonly at: EpochMs };

/** Nothing is known about the new accounts, so tasks that waited for the old ones are ready. */
export function changeAccounts(state: RunState, { accounts, at }: ChangedAccounts): RunState {
  const index = indexPlan(state.index.plan, accounts);
  const accountIn = ({ lanes, laneOf }: RunState["index"], i: number) =>
    lanes[laneOf[i] ?? -1]?.account ?? null;
  const tasks = [...entries(state.tasks)];
  if (tasks.every(([i]) => accountIn(state.index, i) === accountIn(index, i))) return state;
  let next: RunState = state;
  for (const [i, { phase }] of tasks) {
    if ((phase.kind !== "parked" && phase.kind !== "backoff") || phase.until <= at) continue;
    if (accountIn(state.index, i) === accountIn(index, i)) continue;
    next = changeTask(next, i, { phase: { ...phase, until: at } });
  }
  return rebuildIndices({ ...next, index });
}
