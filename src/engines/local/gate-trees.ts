// Trees to judge, prepared. The gates of one tree go one after another; where the preparation takes something (a set-up, copies),
// they share one prepared folder: set back between two gates, except for what git does not know, such as what a set-up installed.

import type { Revision } from "../../core/facts.ts";
import { type Preparation, preparationKey } from "../../core/plan.ts";
import type { Lease } from "../../git/index.ts";
import type { Prepared } from "./make-ready.ts";
import { prepareTree, type SetUpEnv, takesPreparing } from "./prepare.ts";
import { releaseWorktree } from "./release-worktree.ts";
import type { RunContext } from "./run-context.ts";

export type ToOpen = {
  readonly at: Revision;
  readonly prepare: Preparation;
  readonly env: SetUpEnv;
  readonly marker: string;
  readonly signal: AbortSignal;
};

export type OpenTree = { readonly lease: Lease; readonly prepared: Prepared };

export type GateTrees = {
  readonly open: (asked: ToOpen) => Promise<OpenTree>;
  /** Stays prepared for the next gate of the tree. False where a fresh one costs no more. */
  readonly leave: (asked: ToOpen, lease: Lease) => boolean;
  /** No further gate of the tree is to come; one that has come already has taken it. */
  readonly clear: (asked: ToOpen, lease: Lease) => Promise<void>;
};

export function gateTrees(site: RunContext): GateTrees {
  const left = new Map<string, Lease>();

  async function fresh({ at, ...asked }: ToOpen): Promise<OpenTree> {
    const lease = await site.pool.acquireScratch(at);
    return { lease, prepared: await prepareTree(site, { ...asked, lease }) };
  }

  return {
    open: async (asked) => {
      const lease = left.get(keyOf(asked));
      if (lease === undefined) return fresh(asked);
      left.delete(keyOf(asked));
      await site.pool.setBack(lease);
      return { lease, prepared: { ok: true } };
    },
    leave: (asked, lease) => {
      if (!takesPreparing(site, asked.prepare)) return false;
      left.set(keyOf(asked), lease);
      return true;
    },
    clear: async (asked, lease) => {
      if (left.get(keyOf(asked)) !== lease) return;
      left.delete(keyOf(asked));
      await releaseWorktree(site, lease, null);
    },
  };
}

const keyOf = ({ at, prepare }: ToOpen): string => `${at.tree} ${preparationKey(prepare)}`;
