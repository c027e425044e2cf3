// What one run learns of an account's limits holds for all runs of the user: it goes to a small file, and what others put
// there enters this run as a fact.

import type { FactBody } from "../../core/facts.ts";
import type { AccountKey } from "../../core/ids.ts";
import type { RunState } from "../../core/run-state.ts";
import type { RunView } from "../../core/run-view.ts";
import { entries, get } from "../../core/sorted-map.ts";
import type { Accounts } from "./accounts-file.ts";

/** What is known already is recorded before it resolves, so that no attempt starts on a limited account. Gives what ends it. */
export async function shareLimits(
  accounts: Accounts,
  view: RunView,
  record: (body: FactBody) => Promise<void>,
): Promise<() => void> {
  const used = new Set(view.state().index.lanes.flatMap(({ account }) => account ?? []));
  for (const [account, limit] of await accounts.limits()) {
    if (used.has(account)) await record({ type: "account.limited", account, ...limit });
  }
  const stopWatching = accounts.watch(({ account, until, durationMs, why }) => {
    const { ended, accounts: known } = view.state();
    if (!used.has(account) || ended !== null || (get(known, account as string)?.until ?? 0) >= until) return;
    // A journal that cannot be written ends the driver by itself.
    record({ type: "account.limited", account, until, durationMs, why }).catch(() => undefined);
  });
  const stopTelling = view.subscribe({
    fact: (fact, after, before) => {
      if (fact.type !== "attempt.ended" || after.accounts === before.accounts) return;
      for (const limit of newLimits(after, before)) void accounts.report(limit);
    },
  });
  return () => {
    stopWatching();
    stopTelling();
  };
}

/** Without those of the network: that is this machine's, and over when it is over. */
function newLimits(after: RunState, before: RunState) {
  return [...entries(after.accounts)].flatMap(([key, { until, durationMs, why }]) => {
    const isNew = get(before.accounts, key)?.until !== until && why !== "network";
    return isNew ? [{ account: key as AccountKey, until, durationMs, why }] : [];
  });
}
