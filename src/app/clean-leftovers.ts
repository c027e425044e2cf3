// Folders outside of runs that `plait clean` removes: old copies of dependency folders, old questions to agents.

import { lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { EpochMs } from "../core/facts.ts";
import { preparedFolder } from "../engines/local/prepared/fast-copy.ts";
import { type Repository, removeFolder } from "../git/index.ts";
import { errnoOf } from "../util/errno.ts";
import { isOfQuestion, talksFolder } from "./ask/record.ts";
import { folderBytes } from "./folders.ts";
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

/** Records of questions that went, or would go. */
export type OldTalks = { readonly folders: readonly string[]; readonly bytes: number };

/** Those about tech specs that nobody has added to since then. One that goes on stays. */
export async function cleanTalks(
  host: Host,
  { commonDir }: Repository,
  { before, dryRun }: { readonly before: EpochMs; readonly dryRun: boolean },
): Promise<OldTalks> {
  const top = talksFolder(commonDir, "spec");
  const asked = await readdir(join(stateFolder(host), "questions")).catch(() => []); // nobody ever asked
  const folders: string[] = [];
  let bytes = 0;
  for (const name of (await readdir(top).catch(() => [])).sort()) {
    const folder = join(top, name);
    const found = await lstat(folder).catch(() => null); // gone meanwhile
    if (found === null || found.mtimeMs >= before || asked.some((one) => isOfQuestion(name, one))) continue;
    folders.push(folder);
    bytes += await folderBytes(folder);
    if (!dryRun) await rm(folder, { recursive: true, force: true });
  }
  return { folders, bytes };
}
