// Landing: the target branch recorded at the start takes the run's work. The target only ever fast-forwards, and only it
// moves (I3). Where it is checked out its files follow, if nothing of the user's is in the way; otherwise nothing is
// touched and the work stays on the integration branch.

import type { RefName } from "../core/ids.ts";
import { otherCommand } from "../core/text/command.ts";
import { command, plainText, sentence } from "../core/text/sentence.ts";
import { landInWorktree } from "./land-in-worktree.ts";
import { findUses, type TargetUse } from "./land-place.ts";
import { repairLanding } from "./land-repair.ts";
import {
  type Landed,
  type LandInput,
  type Landing,
  type Refused,
  refused,
  type TargetMove,
} from "./landing.ts";
import { type LogEntry, readLogEntries } from "./logs.ts";
import { findTwins } from "./path-folding.ts";
import { describePlanted } from "./planted.ts";
import { isAncestor, swapRef } from "./ref-updates.ts";
import { readRef, refCall, shortName } from "./refs.ts";
import { linesOf } from "./run.ts";
import type { Shadow } from "./shadow.ts";

const TRIES = 3;

export async function land(shadow: Shadow, input: LandInput): Promise<Landing> {
  const { repository } = shadow;
  const { target, to } = input;
  if (target === null) {
    const detail = "HEAD was detached when the run started, so there is no branch to land on";
    return refused("no-target", detail);
  }
  const repaired = await repairLanding(shadow, input);
  if (repaired.kind === "landed" && repaired.to.commit === to.commit) return repaired;
  if (repaired.kind === "left") return refused("busy", repaired.detail);
  const planted = await describePlanted(shadow, input);
  if (planted !== null) return refused("config", planted);
  for (let tries = 0; tries < TRIES; tries += 1) {
    const from = await readRef(repository, target);
    if (from === null) return refused("moved", await describeMissing(shadow, target));
    if (from === to.commit) return findEarlierLanding(shadow, input, target);
    if (!(await isAncestor(repository, from, to.commit))) return { kind: "moved", onto: from };
    const outcome = await moveTarget(shadow, { verb: "land", ...input, target, from });
    if (outcome !== "raced") return outcome;
  }
  return refused("busy", `${shortName(target)} keeps changing while the run lands`);
}

/**
 * The target is where it should be: moved by a driver of this run that was killed before it could record it, or by the user. Only a
 * move of the run's own may be undone, so a target that the user moved counts as not moved.
 */
async function findEarlierLanding(
  { repository }: Shadow,
  { run, to }: LandInput,
  target: RefName,
): Promise<Landing> {
  const log = await readLogEntries(repository, repository.commonDir, target);
  const isOwn = ({ message }: LogEntry) => message === `plait: land ${run}`;
  const own = log.findLast((entry) => entry.to === to.commit && entry.from !== to.commit && isOwn(entry));
  if (own !== undefined) return { kind: "landed", from: own.from, to, notes: [] };
  const notes = [`${shortName(target)} already had this work.`];
  return { kind: "landed", from: to.commit, to, notes };
}

/** A branch that was renamed leaves word in the log of its new name. */
async function describeMissing(shadow: Shadow, target: RefName): Promise<string> {
  const name = shortName(target);
  const args = ["log", "--walk-reflogs", "--branches", "--format=%gD %gs"];
  const log = await refCall(shadow.repository, args, { allow: [128] });
  const renamed = linesOf(log).find((line) => line.includes(`Branch: renamed ${target} to `));
  return renamed === undefined
    ? `Branch ${name} no longer exists`
    : `Branch ${name} was renamed to ${shortName(renamed.split(" to ").at(-1) ?? "")}`;
}

type Moved = Landed | Refused | "raced";

/** One try, from the value that the target is to have now. `raced`: it has another, and nothing was done. */
export async function moveTarget(shadow: Shadow, input: TargetMove): Promise<Moved> {
  const { repository } = shadow;
  const twins = repository.ignoresCase ? await findTwins(shadow, input.from, input.to.tree) : [];
  if (twins.length > 0) {
    const detail = "File names differ only in case, which this file system cannot store";
    return refused("conflict", detail, { files: twins });
  }
  const uses = await findUses(repository, input.target);
  const busy = uses.find((use) => use.kind === "in-progress");
  if (busy !== undefined) {
    const detail = `A ${busy.operation} of ${shortName(input.target)} is in progress in ${busy.path}`;
    return refused("busy", detail);
  }
  const places = uses.filter((use) => use.kind === "checked-out");
  const [place, second] = places;
  if (place !== undefined && second !== undefined) {
    const files = places.map(({ worktree }) => worktree.path);
    return refused("busy", `${shortName(input.target)} is checked out in more than one worktree`, {
      files,
    });
  }
  return place === undefined ? moveRef(shadow, input, uses) : landInWorktree(shadow, input, place.worktree);
}

/** Checked out nowhere: only the ref moves. */
async function moveRef(
  { repository }: Shadow,
  { verb, run, target, from, to }: TargetMove,
  uses: readonly TargetUse[],
): Promise<Moved> {
  const message = `plait: ${verb} ${run}`;
  const swap = await swapRef(repository, { ref: target, from, to: to.commit, message });
  if (swap.kind === "refused") return "raced";
  const missing = uses
    .filter((use) => use.kind === "missing")
    .map(({ path }) => `The worktree at ${path} is missing.`);
  const since = (await findUses(repository, target)).filter((use) => use.kind === "checked-out");
  const late = since.map(({ worktree }) =>
    plainText(
      sentence`${shortName(target)} was checked out in ${worktree.path} meanwhile. To update its files: ${command(
        otherCommand("git", "-C", [worktree.path, "read-tree", "-m", "-u", from, to.commit]),
      )}`,
    ),
  );
  return { kind: "landed", from, to, notes: [...missing, ...late] };
}
