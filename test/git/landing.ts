// Landing in tests: a run whose integration ref holds some work, and what came of landing it.

import { cpSync } from "node:fs";
import { join } from "node:path";
import type { Revision } from "../../src/core/facts.ts";
import { type RefName, refName } from "../../src/core/ids.ts";
import { type Fingerprint, recordFingerprint } from "../../src/git/fingerprint.ts";
import { land } from "../../src/git/land.ts";
import type { LandInput, Landing } from "../../src/git/landing.ts";
import type { GitSpawn } from "../../src/git/run.ts";
import { copyOf, type Place, placeIn, type Rig, revision, rig, sh, spawnGit, tempRepo } from "./support.ts";

export type LandRig = Rig & {
  readonly target: RefName;
  readonly to: Revision;
  readonly fingerprint: Fingerprint;
  readonly keptIn: string;
};

/** What the run did, unless a test says otherwise: an edit, a deletion, a file in a new folder. */
export const WORK = "echo landed > a.txt; git rm -q b.txt; mkdir new; echo n > new/n.txt";

/** A run with its work on the integration ref, the user on main. */
export async function landRig(given?: Place, work = WORK, spawn: GitSpawn = spawnGit): Promise<LandRig> {
  const place =
    given ??
    copyOf(`landing ${work}`, (root) => {
      cpSync(tempRepo().root, root, { recursive: true });
      makeWork(placeIn(root), work);
    });
  if (given !== undefined) makeWork(given, work);
  const it = await rig(place, "r1", spawn);
  const keptIn = join(it.runDir, "start");
  const fingerprint = await recordFingerprint(it.repository, keptIn);
  const to = revision(place, "refs/heads/plait/r1/integration");
  return { ...it, target: refName("refs/heads/main"), to, fingerprint, keptIn };
}

/** In a clone: the user's sparse rules, ignored files and signing have no part in it. */
function makeWork(place: Place, work: string): void {
  const folder = join(place.root, "maker");
  const make = `git clone -q . '${folder}'; cd '${folder}'; ${work}; git add -A; git commit -q --allow-empty -m work`;
  const ref = "refs/heads/plait/r1/integration";
  sh(place, `(${make}); git fetch -q --no-write-fetch-head '${folder}' HEAD:${ref}; rm -rf '${folder}'`);
}

export function landIt(it: LandRig, more: Partial<LandInput> = {}): Promise<Landing> {
  const { run, runDir, target, to, fingerprint, keptIn } = it;
  return land(it.shadow, { run, runDir, target, to, fingerprint, keptIn, waitMs: 200, ...more });
}

export function status(place: Place, cwd = place.repo): string {
  return sh(place, "git status --porcelain", cwd);
}
