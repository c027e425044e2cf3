// A look at a worktree while an attempt is at work: its own copy of the index, no lock shared with the agent. The tree may
// be of no single moment. It is for looking, and for what a crash of the machine would leave.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { EpochMs, Revision } from "../core/facts.ts";
import type { AttemptId, RunId } from "../core/ids.ts";
import { writeCommit } from "./commit.ts";
import { copyIndex, isRealFolder, removeFolder } from "./files.ts";
import type { Lease } from "./lease.ts";
import { liveRef, refCall, trailers } from "./refs.ts";
import { exists } from "./repository-facts.ts";
import type { Shadow } from "./shadow.ts";
import { scanWorkTree } from "./work-tree.ts";

/** Null when there is nothing to look at. */
export async function takeSnapshot(
  shadow: Shadow,
  { slot, base }: Lease,
  {
    run,
    runDir,
    attempt,
    at,
    maxBytes,
  }: { run: RunId; runDir: string; attempt: AttemptId; at: EpochMs; maxBytes: number },
): Promise<Revision | null> {
  if (!(await isRealFolder(slot.path)) || !(await exists(slot.index))) return null;
  const scratch = join(runDir, "saves", `${attempt.replace("/", "~")}-live`);
  const index = join(scratch, "index");
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  try {
    await copyIndex(slot.index, index);
    const { tree } = await scanWorkTree(shadow, { path: slot.path, index, maxBytes, absent: new Set() });
    const message = `live ${attempt}\n\n${trailers(run, attempt)}`;
    const commit = await writeCommit(shadow, { tree, parents: [base.commit], message, at });
    await refCall(shadow.repository, ["update-ref", "--no-deref", liveRef(run, attempt), commit]);
    return { commit, tree };
  } finally {
    await removeFolder(scratch);
  }
}
