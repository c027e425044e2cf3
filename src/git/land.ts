// Landing: the target branch recorded at the start takes the run's work. The target only ever fast-forwards, and only it
// moves (I3). Where it is checked out its files follow, if nothing of the user's is in the way; otherwise nothing is
// touched and the work stays on the integration branch.

import type { Oid, RefName } from "../core/ids.ts";
import { moveTarget } from "./land-move.ts";
import { repairLanding } from "./land-repair.ts";
import { type LandInput, type Landing, refused } from "./landing.ts";
import { readLogEntries } from "./logs.ts";
import { PLANTED, plantedFiles } from "./planted.ts";
import { isAncestor } from "./ref-updates.ts";
import { integrationRef, readRef, shortName } from "./refs.ts";
import { linesOf } from "./run.ts";
import type { Shadow } from "./shadow.ts";

const TRIES = 3;

export async function land(shadow: Shadow, input: LandInput): Promise<Landing> {
  const { repository } = shadow;
  const { target, to } = input;
  const branch = shortName(integrationRef(input.run));
  if (target === null) {
    const detail = "There was no branch to land on when the run started.";
    return refused(input, "no-target", detail, { command: `git merge ${branch}` });
  }
  const repaired = await repairLanding(shadow, input);
  if (repaired.kind === "landed" && repaired.to.commit === to.commit) return repaired;
  if (repaired.kind === "left") return refused(input, "busy", repaired.detail);
  const planted = await plantedFiles(shadow, input);
  if (planted.length > 0) return refused(input, "hook", PLANTED, { files: planted });
  for (let tries = 0; tries < TRIES; tries += 1) {
    const from = await readRef(repository, target);
    if (from === null)
      return refused(input, "moved", await goneDetail(shadow, target), { command: `git merge ${branch}` });
    if (from === to.commit)
      return { kind: "landed", from: await cameFrom(shadow, target, from), to, notes: [] };
    if (!(await isAncestor(repository, from, to.commit))) return { kind: "moved", onto: from };
    const outcome = await moveTarget(shadow, { verb: "land", ...input, target, from });
    if (outcome !== "raced") return outcome;
  }
  return refused(input, "busy", `${shortName(target)} keeps moving while the run lands.`);
}

/** Where the target was before: a driver that was killed may have moved it, and told nobody. */
async function cameFrom({ repository }: Shadow, target: RefName, at: Oid): Promise<Oid> {
  const log = await readLogEntries(repository, repository.commonDir, target);
  return log.findLast(({ from, to }) => to === at && from !== at)?.from ?? at;
}

/** A branch that was renamed leaves word in the log of its new name. */
async function goneDetail(shadow: Shadow, target: RefName): Promise<string> {
  const { git, commonDir } = shadow.repository;
  const name = shortName(target);
  const args = ["log", "--walk-reflogs", "--branches", "--format=%gD %gs"];
  const log = await git({ args, cwd: commonDir, env: { GIT_DIR: commonDir }, allow: [128] });
  const renamed = linesOf(log).find((line) => line.includes(`Branch: renamed ${target} to `));
  const hint =
    renamed === undefined ? "" : ` It was renamed to ${shortName(renamed.split(" to ").at(-1) ?? "")}.`;
  return `The branch ${name} is gone.${hint}`;
}
