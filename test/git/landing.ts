// Landing in tests: a run whose integration ref holds some work, and what came of landing it.

import { cpSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Revision } from "../../src/core/facts.ts";
import { type RefName, refName } from "../../src/core/ids.ts";
import type { LandStyle } from "../../src/core/plan.ts";
import { type Fingerprint, recordFingerprint } from "../../src/git/fingerprint.ts";
import { type BuildInput, type Built, buildLanding } from "../../src/git/index.ts";
import { land } from "../../src/git/land.ts";
import type { LandInput, Landing } from "../../src/git/landing.ts";
import type { GitSpawn } from "../../src/git/run.ts";
import { AT } from "./saving.ts";
import { copyOf, type Place, placeIn, type Rig, revision, rig, sh, spawnGit, tempRepo } from "./support.ts";

export type LandRig = Rig & {
  readonly target: RefName;
  readonly to: Revision;
  readonly fingerprint: Fingerprint;
  readonly keptIn: string;
};

/** What the run did, unless a test says otherwise: an edit, a deletion, a file in a new folder. */
export const WORK = "echo landed > a.txt; git rm -q b.txt; mkdir new; echo n > new/n.txt";

/** The same by two tasks of an agent with a name of its own, merged one after the other. */
export const TASKS = `task() {
  git switch -q --detach; eval "$2"; git add -A
  git -c user.name=Agent -c user.email=agent@example.com commit -qm 'what the agent says'; git switch -q main
  git merge -q --no-ff -m "Do $1" -m "Plait-Run: r1
Plait-Task: $1
Plait-Attempt: 1" HEAD@{1}
}
task t1 'echo landed > a.txt; git rm -q b.txt'; task t2 'mkdir new; echo n > new/n.txt'`;

/** A run with its work on the integration ref, the user on main. */
export function landRig(given?: Place, work = WORK, spawn: GitSpawn = spawnGit): Promise<LandRig> {
  if (given !== undefined) makeWork(given, work);
  return startedRig(given ?? placeWith(work), spawn);
}

/** A place with the work on the integration ref: what is done to it now was there when the run started. */
export function placeWith(work: string): Place {
  return copyOf(`landing ${work}`, (root) => {
    cpSync(tempRepo().root, root, { recursive: true });
    makeWork(placeIn(root), work);
  });
}

export async function startedRig(place: Place, spawn: GitSpawn = spawnGit): Promise<LandRig> {
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

/** As plait lands when nobody says otherwise. */
export const MERGE: LandStyle = { as: "merge", sign: false, signoff: false, message: null, author: "kept" };

export function buildIt(it: LandRig, more: Partial<BuildInput> = {}): Promise<Built> {
  const { run, runDir, target, base, to, fingerprint, keptIn } = it;
  const place = { run, runDir, target, fingerprint, keptIn };
  const made = { onto: base.commit, tip: to.commit, base: base.commit, isReverted: false };
  const work = { ...made, plan: "plan", style: MERGE, at: AT };
  return buildLanding(it.shadow, { ...place, ...work, ...more });
}

export function addHook(place: Place, name: string, script: string, folder = ".git/hooks"): void {
  const write = `mkdir -p ${folder}; printf '#!/bin/sh\\n%s\\n' "$SCRIPT" > ${folder}/${name}; chmod +x ${folder}/${name}`;
  sh(place, write, place.repo, { SCRIPT: script });
}

export function status(place: Place, cwd = place.repo): string {
  return sh(place, "git status --porcelain", cwd);
}

export function expectNoTraces({ place, runDir }: Rig): void {
  expect(readdirSync(join(place.repo, ".git")).filter((name) => /lock|plait-/.test(name))).toEqual([]);
  expect(existsSync(join(runDir, "landing.json"))).toBe(false);
}
