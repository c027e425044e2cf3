// What one run learns of an account's limits holds for all runs of the user: it goes to a small file, and what others put
// there, or remove, enters this run as a fact.

import type { Fact, FactBody } from "../../core/facts.ts";
import type { AccountKey } from "../../core/ids.ts";
import type { RunState } from "../../core/run-state.ts";
import type { RunView } from "../../core/run-view.ts";
import { entries, get } from "../../core/sorted-map.ts";
import type { Accounts } from "./accounts-file.ts";

type Recorder = (body: FactBody) => Promise<void>;

/** What is known already is recorded before it resolves, so that no attempt starts on a limited account. Gives what ends it. */
export async function shareLimits(accounts: Accounts, view: RunView, record: Recorder): Promise<() => void> {
  const used = () => new Set(view.state().index.lanes.flatMap(({ account }) => account ?? []));
  const shared = await accounts.limits();
  for (const account of removedLimits(view.state(), new Set(shared.keys()), view.now()))
    await record(skippedFor(account));
  for (const [account, limit] of shared) {
    if (used().has(account)) await record({ type: "account.limited", account, ...limit });
  }
  // A journal that cannot be written ends the driver by itself.
  const note = (body: FactBody) => void record(body).catch(() => undefined);
  const stopWatching = accounts.watch({
    limited: ({ account, until, durationMs, why }) => {
      const { ended, accounts: known } = view.state();
      if (!used().has(account) || ended !== null || (get(known, account as string)?.until ?? 0) >= until)
        return;
      note({ type: "account.limited", account, until, durationMs, why });
    },
    removed: (account) => {
      const { ended, accounts: known } = view.state();
      if (ended === null && get(known, account as string) !== undefined) note(skippedFor(account));
    },
  });
  const stopTelling = view.subscribe({
    fact: (fact, after, before) => {
      if (after.accounts === before.accounts) return;
      for (const account of freed(fact, after, before)) void accounts.release(account);
      if (fact.type !== "attempt.ended") return;
      for (const limit of newLimits(after, before)) void accounts.report(limit);
    },
  });
  return () => {
    stopWatching();
    stopTelling();
  };
}

const skippedFor = (account: AccountKey): FactBody => ({
  type: "waits.skipped",
  accounts: [account],
  tasks: [],
  because: "record",
});

/** What this run knows of limits that hold, and which are no longer shared. */
function removedLimits({ accounts }: RunState, shared: ReadonlySet<AccountKey>, now: number): AccountKey[] {
  return [...entries(accounts)].flatMap(([key, { until, why, probe }]) => {
    const isRemoved = until > now && !shared.has(key as AccountKey) && why !== "network" && !probe;
    return isRemoved ? [key as AccountKey] : [];
  });
}

/** An attempt showed that they work again. */
function freed(fact: Fact, after: RunState, before: RunState): AccountKey[] {
  if (fact.type !== "attempt.ended" && fact.type !== "account.probed") return [];
  return [...entries(before.accounts)].flatMap(([key]) =>
    get(after.accounts, key) === undefined ? [key as AccountKey] : [],
  );
}

/** Without those of the network: that is this machine's, and over when it is over. */
function newLimits(after: RunState, before: RunState) {
  return [...entries(after.accounts)].flatMap(([key, { until, durationMs, why }]) => {
    const isNew = get(before.accounts, key)?.until !== until && why !== "network";
    return isNew ? [{ account: key as AccountKey, until, durationMs, why }] : [];
  });
}
