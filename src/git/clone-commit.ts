// A commit with its history in a repository of its own, for who only looks or tries: the objects are the user's, borrowed and never
// written; files, index, refs and config are its own. So nothing that is done there is seen in the user's repository (I3).

import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Oid } from "../core/ids.ts";
import { configFlag, configValue } from "./config.ts";
import { ignoreLine } from "./excludes.ts";
import type { Repository } from "./repository.ts";

export type ToClone = {
  readonly commit: Oid;
  readonly signal?: AbortSignal;
  /** Files in Git LFS are there where the user has them. Else they stay pointers: their server is not asked for what is only looked at. */
  readonly largeFiles?: boolean;
};

/**
 * Fills an empty folder; throws a GitError where the files cannot be had, or when it is not wanted any more. It has no remote, so
 * of a partial clone there is what its user has: the sparse rules hold in the copy too.
 */
export async function cloneCommit(repository: Repository, folder: string, wanted: ToClone): Promise<void> {
  const { git, commonDir, gitDir, objectFormat, isShallow, head } = repository;
  const { commit, signal, largeFiles = false } = wanted;
  const branch = head.kind === "branch" ? head.ref.replace(/^refs\/heads\//, "") : "main";
  const init = ["init", "-q", "--template=", `--object-format=${objectFormat}`, "-b", branch];
  const place = { cwd: folder, ...(signal && { signal }) };
  await git({ ...place, args: init });
  const own = join(folder, ".git");
  await mkdir(join(own, "objects", "info"), { recursive: true });
  await writeFile(join(own, "objects", "info", "alternates"), `${join(commonDir, "objects")}\n`);
  if (isShallow) await copyFile(join(commonDir, "shallow"), join(own, "shallow"));
  await git({ ...place, args: ["update-ref", "HEAD", commit] });
  if (isSparse(repository)) {
    await mkdir(join(own, "info"), { recursive: true });
    await copyFile(join(gitDir, "info", "sparse-checkout"), join(own, "info", "sparse-checkout"));
  }
  await git({ ...place, args: ["reset", "-q", "--hard"], ...checkoutSettings(repository, largeFiles) });
}

/** The files of the commit as they were, whatever was done to them; what git does not know stays. */
export async function setCloneBack(repository: Repository, folder: string, wanted: ToClone): Promise<void> {
  const { commit, signal, largeFiles = false } = wanted;
  const args = ["reset", "-q", "--hard", commit];
  const settings = checkoutSettings(repository, largeFiles);
  await repository.git({ cwd: folder, args, ...settings, ...(signal && { signal }) });
}

/** Copies that were put there are none of its work. */
export async function hideInClone(folder: string, paths: readonly string[]): Promise<void> {
  const info = join(folder, ".git", "info");
  await mkdir(info, { recursive: true });
  await writeFile(join(info, "exclude"), paths.map((path) => `${ignoreLine(path)}\n`).join(""));
}

/** A large file that the user does not have stays a pointer in any case. */
function checkoutSettings(repository: Repository, largeFiles: boolean) {
  const { config, commonDir } = repository;
  const cone = `core.sparseCheckoutCone=${configFlag(config, "core.sparsecheckoutcone")}`;
  const sparse = isSparse(repository) ? ["core.sparseCheckout=true", cone] : [];
  if (!largeFiles) return { config: sparse, env: { GIT_LFS_SKIP_SMUDGE: "1" } };
  const storage = resolve(commonDir, configValue(config, "lfs.storage") ?? "lfs");
  return { config: [...sparse, `lfs.storage=${storage}`], env: { GIT_LFS_SKIP_DOWNLOAD_ERRORS: "1" } };
}

/** Objects may be missing, and are fetched when somebody needs them. */
export function isPartial({ config }: Pick<Repository, "config">): boolean {
  return config.some(({ key }) => key === "extensions.partialclone" || /^remote\..*\.promisor$/.test(key));
}

/** Then only those files are checked out that are checked out in the user's work tree. */
function isSparse(repository: Repository): boolean {
  return isPartial(repository) && configFlag(repository.config, "core.sparsecheckout");
}
