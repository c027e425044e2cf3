import { join, relative } from "node:path";
import { listUncommitted, type Repository } from "../../git/index.ts";

/**
 * Changes of the user that agents would not see, since they are not committed. The manifest of the artifact folder (absolute) is left
 * out: every judgement changes it.
 */
export async function listUnseen(repository: Repository, folder: string | null): Promise<string[]> {
  const own = folder === null ? null : relative(repository.workTree ?? folder, join(folder, "manifest.json"));
  return (await listUncommitted(repository)).filter((path) => path !== own);
}
