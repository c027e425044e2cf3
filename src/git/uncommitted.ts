import { rawFields } from "./raw-path.ts";
import type { Repository } from "./repository.ts";

/** How many tracked files of the checkout differ from HEAD: agents do not see that. */
export async function countUncommitted({ git, workTree }: Repository): Promise<number> {
  if (workTree === null) return 0;
  const args = ["status", "--porcelain", "-z", "--untracked-files=no", "--no-renames", "--ignore-submodules"];
  return rawFields((await git({ args, cwd: workTree })).stdout).length;
}
