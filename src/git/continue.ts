// A fix round: the next attempt of a task goes on where the last one stopped, in the same worktree. Nothing is set back.
// What changes is the branch below HEAD, so that each attempt's commits are on a branch of its own.

import { join } from "node:path";
import { type Oid, oid, type RefName, type RunId } from "../core/ids.ts";
import { indexAt } from "./checkout.ts";
import type { Lease } from "./lease.ts";
import { createBranch, deleteRefs } from "./ref-updates.ts";
import { readRefs } from "./refs.ts";
import { exists } from "./repository-facts.ts";
import { linesOf } from "./run.ts";
import { callShadow, type Shadow } from "./shadow.ts";
import { readHead } from "./tips.ts";
import { repairWorktreeMetadata, switchHead } from "./worktree-metadata.ts";

type Onward = { readonly branch: RefName; readonly run: RunId; readonly scratch: string };

/** HEAD comes last: until then a failure leaves the worktree to the attempt that it was of. */
export async function continueInWorktree(
  shadow: Shadow,
  lease: Lease,
  { branch, run, scratch }: Onward,
): Promise<void> {
  const { repository } = shadow;
  const { slot } = lease;
  const head = await findHead(shadow, lease);
  await createBranch(repository, branch, head);
  try {
    await repairWorktreeMetadata(repository, { ...slot, run }, { branch }, scratch);
    // Without an index git takes every file for deleted.
    if (!(await exists(join(slot.metadata, "index")))) await indexAt(shadow, slot, head);
    await switchHead(repository, slot.id, branch);
  } catch (error) {
    if (lease.branch !== branch) await deleteRefs(repository, [[branch, head]]); // nobody has worked there
    throw error;
  }
}

/** Where the commits made so far end: HEAD, else the last attempt's branch, else the base; the first that is a commit. */
async function findHead(shadow: Shadow, lease: Lease): Promise<Oid> {
  const refs = await readRefs(shadow.repository);
  const own = lease.branch === null ? undefined : refs.get(lease.branch);
  const asked = [await readHead(lease, refs), own, lease.base.commit];
  const stdin = asked.flatMap((commit) => (commit ? [`${commit}^{commit}\n`] : [])).join("");
  const check = ["cat-file", "--batch-check=%(objectname)"];
  const answers = linesOf(await callShadow(shadow, { args: check, stdin }));
  return oid(answers.find((answer) => /^[0-9a-f]+$/.test(answer)) ?? lease.base.commit);
}
