// The end of a run in git (I8): what is left is what the report names.

import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { AttemptId, Oid, RefName, RunId } from "../core/ids.ts";
import { ifMissing } from "../util/errno.ts";
import { GUARD_FOLDER } from "./checkout-guard.ts";
import { isGitFailure } from "./failure.ts";
import { exists, removeFolder } from "./files.ts";
import { deleteRefs } from "./ref-updates.ts";
import { attemptBranch, integrationRef, parseSavedRef, type RefTable, readRefs, refCall } from "./refs.ts";
import type { Repository } from "./repository.ts";
import { retryGit } from "./retry-git.ts";
import { linesOf } from "./run.ts";
import { moduleRepository } from "./submodules.ts";

export type CleanInput = {
  readonly run: RunId;
  /** A run that landed needs its branch no more, nor the saved work that is in it. */
  readonly landed: boolean;
  readonly merged: readonly AttemptId[];
  /** What attempts put aside in repositories of their own is on no ref but these: such ones stay. */
  readonly keepAside?: boolean;
};

/** Deletes the refs of a run that nobody needs any more. Returns those that stay. */
export async function cleanRefs(
  repository: Repository,
  { run, landed, merged, keepAside = false }: CleanInput,
): Promise<RefName[]> {
  const saved = await readRefs(repository, `refs/plait/${run}`);
  const branches = await readRefs(repository, `refs/heads/plait/${run}`);
  const aside = keepAside && saved.size > 0 ? await findAside(repository, run) : new Set();
  const gone = new Set<string>();
  for (const ref of saved.keys()) {
    const attempt = parseSavedRef(ref)?.attempt;
    if (attempt === undefined || (landed && merged.includes(attempt) && !aside.has(ref))) gone.add(ref); // undefined: temporary
    // A branch goes when all that it held is saved, and never before (I2).
    if (attempt !== undefined) gone.add(attemptBranch(run, attempt));
  }
  if (landed) gone.add(integrationRef(run));
  const all: RefTable = new Map([...saved, ...branches]);
  await deleteRefs(
    repository,
    [...all].filter(([ref]) => gone.has(ref)),
  );
  return [...all.keys()].filter((ref) => !gone.has(ref)).sort() as RefName[];
}

/** Saved work with commits that the attempt had left on a branch or a stash, as its message says. */
async function findAside(repository: Repository, run: RunId): Promise<ReadonlySet<string>> {
  const args = ["for-each-ref", "--format=%(refname)%00%(contents)%00", `refs/plait/${run}`];
  const fields = (await refCall(repository, args)).stdout.toString("utf8").split("\0");
  const refs = fields.filter((_, i) => i % 2 === 0).map((ref) => ref.trim());
  return new Set(refs.filter((_, i) => /^[0-9a-f]+ {2}(?:refs\/|stash$)/m.test(fields[2 * i + 1] ?? "")));
}

/**
 * Locks of our own refs that a killed git left. For a driver that holds the run's lock, while no git of its own runs. The
 * lock of packed-refs is everybody's and never deleted.
 */
export async function removeStaleLocks({ commonDir, refStorage }: Repository, run: RunId): Promise<void> {
  if (refStorage !== "files") return;
  for (const folder of [join(commonDir, "refs/plait", run), join(commonDir, "refs/heads/plait", run)]) {
    const names = await readdir(folder, { recursive: true }).catch(ifMissing([]));
    for (const name of names) if (name.endsWith(".lock")) await rm(join(folder, name), { force: true });
  }
}

/**
 * What git/ keeps in the folder of a run, when there is nothing more to save, merge or land. Copies of hooks and config stay
 * where somebody may want them back.
 */
export async function cleanRunFolder(
  runDir: string,
  { keepStart }: { readonly keepStart: boolean },
): Promise<void> {
  const names = ["shadow.git", "attributes", "saves", "landing-message", GUARD_FOLDER];
  if (!keepStart) names.push("start");
  for (const name of names) await removeFolder(join(runDir, name));
}

/**
 * What attempts of a run left in the repositories of submodules goes with the run, except commits that were merged and
 * that nothing else there has: the branch that records them would lead nowhere.
 */
export async function cleanModuleRefs(
  repository: Repository,
  run: RunId,
  merged: ReadonlySet<AttemptId>,
): Promise<void> {
  const prefix = `refs/plait/${run}`;
  for (const folder of await listModules(join(repository.commonDir, "modules"))) {
    const module = await moduleRepository(repository, folder);
    const gone: [string, Oid][] = [];
    for (const [ref, commit] of await readRefs(module, prefix)) {
      const [task, n] = ref.slice(prefix.length + 1).split("/");
      const attempt = `${task}/${n}` as AttemptId;
      const isNeeded = merged.has(attempt) && ref.endsWith("/HEAD");
      if (!isNeeded || (await isHeldElsewhere(module, commit))) gone.push([ref, commit]);
    }
    await deleteRefs(module, gone);
  }
}

/** Names of submodules have slashes in them, and a submodule may have its own. */
async function listModules(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []); // none
  const found = entries.filter((entry) => entry.isDirectory()).map((entry) => join(folder, entry.name));
  const all = found.map(async (one) =>
    (await exists(join(one, "HEAD")))
      ? [one, ...(await listModules(join(one, "modules")))]
      : listModules(one),
  );
  return (await Promise.all(all)).flat();
}

/** By a ref: a HEAD that is detached there lets go of it with the next checkout. */
async function isHeldElsewhere(repository: Repository, commit: Oid): Promise<boolean> {
  const args = ["rev-list", "-1", commit, "--not", "--exclude=refs/plait/*", "--glob=refs/*"];
  const listed = await retryGit(() => refCall(repository, args)).catch((error: unknown) => {
    if (isGitFailure(error, "corrupt", "not-found")) return null; // it is not even here
    throw error;
  });
  return listed !== null && linesOf(listed).length === 0;
}
