import { realpath } from "node:fs/promises";
import { isGitFailure } from "./failure.ts";
import { NOWHERE } from "./repository.ts";
import { retryGit } from "./retry-git.ts";
import { type Git, textOf } from "./run.ts";

/**
 * What is around a folder, for those who only want to know where files belong: a repository without a commit, which no run can
 * start in, is one here.
 */
export type Around =
  | { readonly kind: "work-tree"; readonly root: string }
  /** In no repository, or git is not there to say. */
  | { readonly kind: "outside" }
  /** In a repository that has no files here: a bare one, or inside of .git. */
  | { readonly kind: "no-files" }
  /** There is one, and git does not read it. */
  | { readonly kind: "unusable"; readonly said: string };

export async function probeRepository(git: Git, folder: string): Promise<Around> {
  try {
    return await retryGit(() => findWorkTree(git, folder));
  } catch (error) {
    if (isGitFailure(error, "no-git")) return { kind: "outside" };
    if (!isGitFailure(error, "not-a-repository")) throw error;
    const said = error.failure.stderr.trim();
    return NOWHERE.test(said) ? { kind: "outside" } : { kind: "unusable", said };
  }
}

async function findWorkTree(git: Git, folder: string): Promise<Around> {
  const inside = textOf(await git({ args: ["rev-parse", "--is-inside-work-tree"], cwd: folder }));
  if (inside !== "true") return { kind: "no-files" };
  const root = textOf(await git({ args: ["rev-parse", "--show-toplevel"], cwd: folder }));
  return { kind: "work-tree", root: await realpath(root) };
}

/** The name that git would put on a commit; null where it has not been told one. */
export async function userName(git: Git, folder: string): Promise<string | null> {
  try {
    const name = textOf(await git({ args: ["config", "user.name"], cwd: folder, allow: [1] }));
    return name.trim() === "" ? null : name;
  } catch (error) {
    if (isGitFailure(error, "no-git")) return null;
    throw error;
  }
}
