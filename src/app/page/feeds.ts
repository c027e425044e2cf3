import type { RunFeed } from "./run-feed.ts";

/** One following for all who look at the same run: begun by the first, ended with the last. */
export type Feeds = {
  /** By the folder of the run. Whoever looks says when it has seen enough. */
  readonly look: (run: string, open: () => RunFeed) => { readonly feed: RunFeed; readonly leave: () => void };
  readonly close: () => void;
};

export function createFeeds(): Feeds {
  const shared = new Map<string, { readonly feed: RunFeed; viewers: number }>();
  return {
    look: (run, open) => {
      let found = shared.get(run);
      // Who comes to one that could not go on gets another chance: the journal may have been mended.
      if (found === undefined || found.feed.unreadable() !== null) found = { feed: open(), viewers: 0 };
      const mine = found;
      shared.set(run, mine);
      mine.viewers += 1;
      let isHere = true;
      const leave = (): void => {
        if (!isHere) return;
        isHere = false;
        mine.viewers -= 1;
        if (mine.viewers > 0) return;
        mine.feed.close();
        if (shared.get(run) === mine) shared.delete(run);
      };
      return { feed: mine.feed, leave };
    },
    close: () => {
      for (const { feed } of shared.values()) feed.close();
      shared.clear();
    },
  };
}
