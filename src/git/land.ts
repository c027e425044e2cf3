// Landing: the target branch recorded at the start takes the run's work. The target only ever fast-forwards, and only it
// moves (I3). Where it is checked out its files follow, if nothing of the user's is in the way; otherwise nothing is
// touched and the work stays on the integration branch.

import type { Oid, RefName } from "../core/ids.ts";
import { landInWorktree } from "./land-in-worktree.ts";
import { findUses, type TargetUse } from "./land-place.ts";
import { repairLanding } from "./land-repair.ts";
import { type LandInput, type Landing, refused } from "./landing.ts";
import { findTwins } from "./path-folding.ts";
import { plantedSince } from "./planted.ts";
import { isAncestor, swapRef } from "./ref-updates.ts";
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
  const planted = await plantedSince(repository, input.fingerprint, input.keptIn);
  if (planted.length > 0) {
    const detail =
      "Hooks or config changed since the run started; plait runs git only under those that were there then.";
    const files = planted.map(({ file, change, restore }) => `${file} (${change}; to undo: ${restore})`);
    return refused(input, "hook", detail, { files });
  }
  for (let tries = 0; tries < TRIES; tries += 1) {
    const from = await readRef(repository, target);
    if (from === null)
      return refused(input, "moved", await goneDetail(shadow, target), { command: `git merge ${branch}` });
    if (from === to.commit) return { kind: "landed", from, to, notes: [] };
    if (!(await isAncestor(repository, from, to.commit))) return { kind: "moved", onto: from };
    const outcome = await landFrom(shadow, { ...input, target }, from);
    if (outcome !== "raced") return outcome;
  }
  return refused(input, "busy", `${shortName(target)} keeps moving while the run lands.`);
}

type WithTarget = LandInput & { readonly target: RefName };

/** One try, from the value that the target has now. */
async function landFrom(shadow: Shadow, input: WithTarget, from: Oid): Promise<Landing | "raced"> {
  const { repository } = shadow;
  const twins = repository.ignoresCase ? await findTwins(shadow, from, input.to.tree) : [];
  if (twins.length > 0) {
    return refused(input, "conflict", "Names that this file system takes for one.", { files: twins });
  }
  const uses = await findUses(repository, input.target);
  const [busy] = uses.filter((use) => use.kind === "in-progress");
  if (busy?.kind === "in-progress") {
    return refused(
      input,
      "busy",
      `A ${busy.operation} of ${shortName(input.target)} is under way in ${busy.path}.`,
    );
  }
  const places = uses.filter((use) => use.kind === "checked-out");
  const [place, second] = places;
  if (place !== undefined && second !== undefined) {
    const files = places.map(({ worktree }) => worktree.path);
    return refused(input, "busy", `${shortName(input.target)} is checked out more than once.`, { files });
  }
  return place === undefined
    ? landRef(shadow, input, { from, uses })
    : landInWorktree(shadow, { ...input, from }, place.worktree);
}

/** Checked out nowhere: only the ref moves. */
async function landRef(
  { repository }: Shadow,
  { run, target, to }: WithTarget,
  { from, uses }: { from: Oid; uses: readonly TargetUse[] },
): Promise<Landing | "raced"> {
  const swap = await swapRef(repository, { ref: target, from, to: to.commit, message: `plait: land ${run}` });
  if (swap.kind === "refused") return "raced";
  const missing = uses
    .filter((use) => use.kind === "missing")
    .map(({ path }) => `The worktree at ${path} is missing.`);
  const since = (await findUses(repository, target)).filter((use) => use.kind === "checked-out");
  const late = since.map(
    ({ worktree }) =>
      `${shortName(target)} was checked out in ${worktree.path} meanwhile. To bring its files along: git -C ${worktree.path} read-tree -m -u ${from} ${to.commit}`,
  );
  return { kind: "landed", from, to, notes: [...missing, ...late] };
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
