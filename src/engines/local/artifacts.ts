// Files that a failed attempt left and that its plan wants to see (`artifacts`): a test report, a screenshot, a log. They are
// copied into the run folder before the worktree goes, from the worktree itself and from the tree where a gate was red.

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { AttemptId } from "../../core/ids.ts";
import {
  attemptFolder,
  type CollectCaps,
  type Collected,
  collectedIn,
  collectFiles,
  MIB,
  missing,
  type ToCollect,
} from "./collect-files.ts";

/** Where they come from: the worktree of the attempt, or the tree that a gate judged. */
export type ArtifactPlace = "work" | "gate";

/** What was copied of one place, and what was not. */
export type Artifacts = Collected & { readonly place: ArtifactPlace };

const CAPS: CollectCaps = { files: 200, bytes: 50 * MIB, runBytes: 1024 * MIB, looks: 100_000 };

export type ToKeep = Pick<ToCollect, "from" | "patterns"> & {
  readonly attempt: AttemptId;
  readonly place: ArtifactPlace;
};

/** Copies what matches; what was copied of the same place before goes. Null where nothing matches. */
export async function keepArtifacts(
  runDir: string,
  { attempt, place, from, patterns }: ToKeep,
  caps: CollectCaps = CAPS,
): Promise<Artifacts | null> {
  if (patterns.length === 0) return null;
  const folder = join(attemptFolder(runDir, "artifacts", attempt), place);
  const used = async () => {
    const files = (await allArtifacts(runDir)).flatMap((one) => one.files);
    return files.reduce((total, { bytes }) => total + bytes, 0);
  };
  const kept = await collectFiles({ from, patterns, folder, used }, caps);
  return kept && { place, ...kept };
}

/** What was kept of an attempt. */
export async function artifactsOf(runDir: string, attempt: AttemptId): Promise<Artifacts[]> {
  const found: Artifacts[] = [];
  for (const place of ["work", "gate"] as const) {
    const kept = await collectedIn(join(attemptFolder(runDir, "artifacts", attempt), place));
    if (kept !== null) found.push({ place, ...kept });
  }
  return found;
}

async function allArtifacts(runDir: string): Promise<Artifacts[]> {
  const top = join(runDir, "artifacts");
  const found: Artifacts[] = [];
  for (const task of await readdir(top).catch(missing([]))) {
    for (const n of await readdir(join(top, task))) {
      found.push(...(await artifactsOf(runDir, `${task}/${n}` as AttemptId)));
    }
  }
  return found;
}
