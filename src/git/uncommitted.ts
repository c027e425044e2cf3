import { rawFields, shown } from "./raw-path.ts";
import type { Repository } from "./repository.ts";

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
