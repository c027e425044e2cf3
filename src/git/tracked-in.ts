import { isGitFailure } from "./failure.ts";
import { rawFields, shown } from "./raw-path.ts";
import type { Repository } from "./repository.ts";

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
