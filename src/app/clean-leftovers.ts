// Folders outside of runs that `plait clean` removes: old copies of dependency folders, old questions to agents.

import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { EpochMs } from "../core/facts.ts";
import { preparedFolder } from "../engines/local/prepared/fast-copy.ts";
import { type Repository, removeFolder } from "../git/index.ts";
import { ifMissing } from "../util/errno.ts";
import { isOfQuestion, talksFolder } from "./ask/record.ts";
import { folderBytes } from "./folders.ts";
import { type Host, stateFolder } from "./host.ts";

export type Leftovers = { readonly folders: readonly string[]; readonly bytes: number };

type Cleaning = { readonly before: EpochMs; readonly dryRun: boolean };

/** Copies of dependency folders that no run has used since a moment. No worktree uses them while they are there. */
export async function cleanCopies(
  host: Host,
  repository: Repository,
  cleaning: Cleaning,
): Promise<Leftovers> {
  const top = preparedFolder(join(stateFolder(host), "worktrees"), repository);
  const names = await readdir(top).catch(ifMissing([]));
  return removeOld(top, names, cleaning);
}

/** Records of questions about tech specs that nobody has added to since a moment. One that goes on stays. */
export async function cleanTalks(
  host: Host,
  { commonDir }: Repository,
  cleaning: Cleaning,
): Promise<Leftovers> {
  const top = talksFolder(commonDir, "spec");
  const asked = await readdir(join(stateFolder(host), "questions")).catch(() => []); // nobody ever asked
  const names = (await readdir(top).catch(() => [])).sort();
  const isOver = (name: string) => !asked.some((one) => isOfQuestion(name, one));
  return removeOld(top, names.filter(isOver), cleaning);
}

async function removeOld(
  top: string,
  names: readonly string[],
  { before, dryRun }: Cleaning,
): Promise<Leftovers> {
  const folders: string[] = [];
  let bytes = 0;
  for (const folder of names.map((name) => join(top, name))) {
    const found = await lstat(folder).catch(() => null); // gone meanwhile
    if (found === null || found.mtimeMs >= before) continue;
    folders.push(folder);
    bytes += await folderBytes(folder);
    if (!dryRun) await removeFolder(folder);
  }
  return { folders, bytes };
}
