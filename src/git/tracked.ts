// The files of the commit that a run would start from. All reading, and far less than opening a repository takes.

import { isGitFailure } from "./failure.ts";
import { type RawPath, rawFields, shown } from "./raw-path.ts";
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
  const tab = entry.indexOf("\t");
  if (!entry.slice(0, tab).includes(" blob ")) return [];
  const raw = entry.slice(tab + 1) as RawPath;
  const path = shown(raw);
  return [{ path, isUtf8: Buffer.from(path, "utf8").toString("latin1") === raw }];
}
