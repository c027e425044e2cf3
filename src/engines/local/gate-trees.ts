// Trees to judge, prepared. The gates of one tree go one after another; where the preparation takes something (a set-up, copies),
// they share one prepared folder: set back between two gates, except for what git does not know, such as what a set-up installed.

import type { Revision } from "../../core/facts.ts";
import { type Env, type Preparation, preparationKey } from "../../core/plan.ts";
import type { RunState } from "../../core/run-state.ts";
import type { Lease } from "../../git/index.ts";
import { giveBack, onGiveBack } from "./give-back.ts";
import { type Prepared, prepareTree, tearDown } from "./prepare.ts";
import type { Site } from "./site.ts";

export type ToOpen = {
  readonly at: Revision;
  readonly prepare: Preparation;
  readonly env: Env;
  readonly marker: string;
  readonly signal: AbortSignal;
};

export type OpenTree = { readonly lease: Lease; readonly prepared: Prepared };

export type GateTrees = {
  readonly open: (asked: ToOpen) => Promise<OpenTree>;
  /** Stays prepared for the next gate of the tree. False where a fresh one costs no more. */
  readonly leave: (asked: ToOpen, lease: Lease) => boolean;
  /** No further gate of the tree is to come; one that has come already has taken it. */
  readonly clear: (asked: ToOpen, lease: Lease, state: RunState) => Promise<void>;
};

export function gateTrees(site: Site): GateTrees {
  const left = new Map<string, Lease>();

  async function fresh({ at, prepare, env, marker, signal }: ToOpen): Promise<OpenTree> {
    const lease = await site.pool.acquireScratch(at);
    const folder = lease.slot.path;
    onGiveBack(lease, () => tearDown(site, { prepare, folder, env, marker }));
    return { lease, prepared: await prepareTree(site, { prepare, folder, env, marker, signal }) };
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
      if (!isWorthIt(asked.prepare)) return false;
      left.set(keyOf(asked), lease);
      return true;
    },
    clear: async (asked, lease, state) => {
      if (left.get(keyOf(asked)) !== lease) return;
      left.delete(keyOf(asked));
      await giveBack(site, state, lease);
    },
  };
}

const isWorthIt = ({ copy, setup }: Preparation): boolean => copy.length + setup.length > 0;

const keyOf = ({ at, prepare }: ToOpen): string => `${at.tree} ${preparationKey(prepare)}`;
