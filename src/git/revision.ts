import type { Revision } from "../core/facts.ts";
import { type Oid, oid } from "../core/ids.ts";
import type { Repository } from "./repository.ts";
import { linesOf } from "./run.ts";

/** A commit of the repository with its tree. */
export async function readRevision({ git, commonDir }: Repository, commit: Oid): Promise<Revision> {
  const args = ["rev-parse", "--verify", "--end-of-options", `${commit}^{tree}`];
  const [tree = ""] = linesOf(await git({ args, cwd: commonDir, env: { GIT_DIR: commonDir } }));
  return { commit, tree: oid(tree) };
}
