// The integration ref of a run: made at the base, and moved by compare-and-swap alone (I7).

import type { Oid, RunId } from "../core/ids.ts";
import { isWhole } from "./commit.ts";
import type { MergedTask } from "./merge.ts";
import { isAncestor, swapRef } from "./ref-updates.ts";
import { integrationRef, readRef } from "./refs.ts";
import type { Repository } from "./repository.ts";
import type { Shadow } from "./shadow.ts";

/** Makes the ref; one that an earlier driver made is as good, wherever it is by now. Returns where it is. */
export async function startIntegration(repository: Repository, run: RunId, base: Oid): Promise<Oid> {
  const ref = integrationRef(run);
  const swap = await swapRef(repository, { ref, from: null, to: base, message: `plait: start ${run}` });
  return swap.kind === "refused" && swap.now !== null ? swap.now : base;
}

/** To a commit that has all of its work. It may be there already, or somebody has moved it: then the next advance says so. */
export async function continueIntegration(
  repository: Repository,
  run: RunId,
  { from, to }: { readonly from: Oid; readonly to: Oid },
): Promise<void> {
  await swapRef(repository, { ref: integrationRef(run), from, to, message: `plait: continue ${run}` });
}

export function readIntegration(repository: Repository, run: RunId): Promise<Oid | null> {
  return readRef(repository, integrationRef(run));
}

export type Advanced =
  | { readonly kind: "advanced" }
  /** It is there, or beyond: an advance that was cut off had done it. */
  | { readonly kind: "already" }
  /** Somebody else moved it: the candidate has to be built anew. */
  | { readonly kind: "moved"; readonly now: Oid | null }
  /** Objects of the candidate were pruned: it has to be built anew. */
  | { readonly kind: "incomplete" };

export async function advance(
  shadow: Shadow,
  { run, from, to, tasks }: { run: RunId; from: Oid; to: Oid; tasks: readonly MergedTask[] },
): Promise<Advanced> {
  const { repository } = shadow;
  if (!(await isWhole(shadow, to, [from]))) return { kind: "incomplete" };
  const message = `plait: merge ${tasks.map(({ task }) => task).join(", ")}`;
  const swap = await swapRef(repository, { ref: integrationRef(run), from, to, message });
  if (swap.kind === "moved") return { kind: "advanced" };
  if (swap.kind === "already") return { kind: "already" };
  if (swap.now !== null && (await isAncestor(repository, to, swap.now))) return { kind: "already" };
  return { kind: "moved", now: swap.now };
}
