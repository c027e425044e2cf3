// Landing in tests: a run whose integration ref holds some work, and what came of landing it.

import { join } from "node:path";
import type { Revision } from "../../src/core/facts.ts";
import { type RefName, refName } from "../../src/core/ids.ts";
import { type Fingerprint, recordFingerprint } from "../../src/git/fingerprint.ts";
import { land } from "../../src/git/land.ts";
import type { LandInput, Landing } from "../../src/git/landing.ts";
import { type Place, type Rig, revision, rig, sh, tempRepo } from "./support.ts";

export type LandRig = Rig & {
  readonly target: RefName;
  readonly to: Revision;
  readonly fingerprint: Fingerprint;
  readonly keptIn: string;
};

/** What the run did, unless a test says otherwise: an edit, a deletion, a file in a new folder. */
export const WORK = "echo landed > a.txt; git rm -q b.txt; mkdir new; echo n > new/n.txt";

/** A run with its work on the integration ref, the user on main. */
export async function landRig(place: Place = tempRepo(), work = WORK): Promise<LandRig> {
  const it = await rig(place);
  const folder = join(place.root, "maker");
  const ref = "refs/heads/plait/r1/integration";
  // In a clone: the user's sparse rules, ignored files and signing have no part in it.
  sh(
    place,
    `git clone -q . '${folder}'; cd '${folder}'; ${work}; git add -A; git commit -q --allow-empty -m work`,
  );
  sh(place, `git fetch -q --no-write-fetch-head '${folder}' HEAD:${ref}; rm -rf '${folder}'`);
  const keptIn = join(it.runDir, "start");
  const fingerprint = await recordFingerprint(it.repository, keptIn);
  const to = revision(place, "refs/heads/plait/r1/integration");
  return { ...it, target: refName("refs/heads/main"), to, fingerprint, keptIn };
}

export function landIt(it: LandRig, more: Partial<LandInput> = {}): Promise<Landing> {
  const { run, runDir, target, to, fingerprint, keptIn } = it;
  return land(it.shadow, { run, runDir, target, to, fingerprint, keptIn, waitMs: 200, ...more });
}

export function status(place: Place, cwd = place.repo): string {
  return sh(place, "git status --porcelain", cwd);
}
