import type { FactBody } from "./facts.ts";
import type { AccountKey } from "./ids.ts";
import { accountOf, isLimited, limitOfAccount } from "./queries.ts";
import type { RunState } from "./run-state.ts";
import { isSettled, listTasks, taskState } from "./run-tasks.ts";
import { entries, values } from "./sorted-map.ts";
import { plait } from "./text/command.ts";
import { refuseCommand, refuseEnded, type UserRefusal } from "./text/refusal.ts";
import { fix } from "./text/sentence.ts";

/** Ends every wait of a run. */
export function retryNow(state: RunState): readonly FactBody[] | UserRefusal {
  if (state.ended !== null) return refuseEnded(state);
  if (state.stopping !== null) return refuseCommand("the run is stopping and starts no attempts");
  const accounts = limitedAccounts(state, (i) => !isSettled(taskState(state, i).phase));
  const tasks = listTasks(state).filter(({ of: { phase } }) => "until" in phase && phase.until > state.clock);
  const isFailing = [...values(state.failing)].some(({ until }) => until > state.clock);
  if (accounts.length + tasks.length === 0 && !isFailing) return refuseNothingWaits(state);
  return [{ type: "waits.skipped", accounts, tasks: tasks.map(({ task }) => task.id), because: "person" }];
}

/** plait cannot hurry an agent that waits within its attempt. */
function refuseNothingWaits({ indices, run }: RunState): UserRefusal {
  const isRunning = indices.liveAttempts > 0;
  const hint = fix("see whether a running agent is retrying on its own", plait("status", run));
  return refuseCommand("no task is paused or retrying", isRunning ? hint : null);
}

/** Accounts of tasks that are limited now, and that no attempt is testing already. */
export function limitedAccounts(state: RunState, isMeant: (i: number) => boolean): AccountKey[] {
  const found = new Set<AccountKey>();
  for (const [i] of entries(state.tasks)) {
    const account = accountOf(state, i);
    const limit = limitOfAccount(state, account);
    if (account === null || !isMeant(i) || !isLimited(limit, state.clock)) continue;
    if (limit.trial === undefined) found.add(account);
  }
  return [...found];
}
