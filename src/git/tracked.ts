// Tracked files: those of the commit that a run would start from, and those of a work tree. All reading, and far less than opening a
// repository takes.

import { isGitFailure } from "./failure.ts";
import { type RawPath, rawFields, shown, splitEntry } from "./raw-path.ts";
import type { Repository } from "./repository.ts";
import { type Git, textOf } from "./run.ts";

export type Tracked = {
  /** The root of the checkout; null in a bare repository. */
  readonly root: string | null;
  /** From the root of the repository, in the order of git. Names that are not UTF-8 are told apart by their bytes. */
  readonly files: readonly { readonly path: string; readonly isUtf8: boolean }[];
};

/** Null where there is no repository, no commit in it, or no git. */
export async function listTracked(git: Git, folder: string, commit = "HEAD"): Promise<Tracked | null> {
  try {
    const [tree, isInside] = await Promise.all([
      git({ args: ["ls-tree", "-r", "-z", "--full-tree", commit], cwd: folder }),
      git({ args: ["rev-parse", "--is-inside-work-tree"], cwd: folder }),
    ]);
    const root =
      textOf(isInside) === "true"
        ? textOf(await git({ args: ["rev-parse", "--show-toplevel"], cwd: folder }))
        : null;
    return { root, files: rawFields(tree.stdout).flatMap(fileOf) };
  } catch (error) {
    if (isGitFailure(error, "no-git", "not-a-repository", "not-found")) return null;
    throw error;
  }
}

/** `<mode> <type> <object>\t<path>`. A submodule is a commit and no file of this repository. */
function fileOf(entry: RawPath): Tracked["files"] {
  const { words, path: raw } = splitEntry(entry);
  if (words[1] !== "blob") return [];
  const path = shown(raw);
  return [{ path, isUtf8: Buffer.from(path, "utf8").toString("latin1") === raw }];
}

/** How many tracked files of the checkout differ from HEAD: agents do not see that. */
export async function countUncommitted(repository: Repository): Promise<number> {
  return (await listUncommitted(repository)).length;
}

/** Those files, from the root of the work tree. */
export async function listUncommitted({ git, workTree }: Repository): Promise<string[]> {
  if (workTree === null) return [];
  const args = ["status", "--porcelain", "-z", "--untracked-files=no", "--no-renames", "--ignore-submodules"];
  return rawFields((await git({ args, cwd: workTree })).stdout).map((line) => shown(line).slice(3));
}

/** Which of these paths below a folder git tracks there, in whatever repository the folder is; a folder stands for what is in it. */
export async function trackedIn(
  { git }: Pick<Repository, "git">,
  folder: string,
  paths: readonly string[],
): Promise<string[]> {
  try {
    return rawFields(
      (await git({ args: ["--literal-pathspecs", "ls-files", "-z", "--", ...paths], cwd: folder })).stdout,
    ).map(shown);
  } catch (error) {
    if (isGitFailure(error, "not-a-repository")) return [];
    throw error;
  }
}

/** All files of a work tree that are tracked, or would be with the next `git add`; sorted. */
export async function listWorkTree({ git }: Pick<Repository, "git">, root: string): Promise<string[]> {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const { stdout } = await git({ args, cwd: root });
  return [...new Set(rawFields(stdout).map(shown))].sort();
}
