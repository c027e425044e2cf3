// What attempts of a run left in the repositories of submodules goes with the run, except commits that were merged and that
// nothing else there has: the branch that records them would lead nowhere.

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { AttemptId, Oid, RunId } from "../core/ids.ts";
import { deleteRefs } from "./ref-updates.ts";
import { readRefs } from "./refs.ts";
import type { Repository } from "./repository.ts";
import { exists } from "./repository-facts.ts";
import { linesOf } from "./run.ts";
import { moduleRepository } from "./submodules.ts";

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
      const attempt = ref
        .slice(prefix.length + 1)
        .split("/")
        .slice(0, 2)
        .join("/") as AttemptId;
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
async function isHeldElsewhere({ git, commonDir }: Repository, commit: Oid): Promise<boolean> {
  const others = ["--not", "--exclude=refs/plait/*", "--glob=refs/*"];
  const args = ["rev-list", "-1", commit, ...others];
  const listed = await git({ args, cwd: commonDir, env: { GIT_DIR: commonDir }, allow: [128] });
  return listed.code === 0 && linesOf(listed).length === 0;
}
