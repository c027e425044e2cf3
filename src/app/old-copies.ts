// Copies of dependency folders that runs keep for the next one. No worktree uses them while they are there, so they may go any time.

import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { EpochMs } from "../core/facts.ts";
import { preparedFolder } from "../engines/local/prepared/fast-copy.ts";
import { type Repository, removeFolder } from "../git/index.ts";
import { errnoOf } from "../util/errno.ts";
import { folderBytes } from "./folder-size.ts";
import { type Host, stateFolder } from "./host.ts";

export type OldCopies = { readonly folders: readonly string[]; readonly bytes: number };

/** Those that no run has used since a moment. */
export async function cleanCopies(
  host: Host,
  repository: Repository,
  { before, dryRun }: { readonly before: EpochMs; readonly dryRun: boolean },
): Promise<OldCopies> {
  const top = preparedFolder(join(stateFolder(host), "worktrees"), repository);
  const names = await readdir(top).catch((error: unknown) => {
    if (errnoOf(error) === "ENOENT") return [];
    throw error;
  });
  const folders: string[] = [];
  let bytes = 0;
  for (const folder of names.map((name) => join(top, name))) {
    const found = await lstat(folder).catch(() => null); // removed by a run meanwhile
    if (found === null || found.mtimeMs >= before) continue;
    folders.push(folder);
    bytes += await folderBytes(folder);
    if (!dryRun) await removeFolder(folder);
  }
  return { folders, bytes };
}
