import { lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { EpochMs } from "../../core/facts.ts";
import type { Repository } from "../../git/index.ts";
import { folderBytes } from "../folder-size.ts";
import { type Host, stateFolder } from "../host.ts";
import { isOfQuestion, talksFolder } from "./record.ts";

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
