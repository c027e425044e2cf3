// The target goes from one commit to another: by its ref alone, or, where it is checked out, with index and files.

import { otherCommand } from "../core/text/command.ts";
import { command, plainText, sentence } from "../core/text/sentence.ts";
import { landInWorktree } from "./land-in-worktree.ts";
import { findUses, type TargetUse } from "./land-place.ts";
import { type Landed, type Refused, refused, type TargetMove } from "./landing.ts";
import { findTwins } from "./path-folding.ts";
import { swapRef } from "./ref-updates.ts";
import { shortName } from "./refs.ts";
import type { Shadow } from "./shadow.ts";

type Moved = Landed | Refused | "raced";

/** One try, from the value that the target is to have now. `raced`: it has another, and nothing was done. */
export async function moveTarget(shadow: Shadow, input: TargetMove): Promise<Moved> {
  const { repository } = shadow;
  const twins = repository.ignoresCase ? await findTwins(shadow, input.from, input.to.tree) : [];
  if (twins.length > 0) {
    return refused(
      input,
      "conflict",
      "File names differ only in case, which this file system cannot store.",
      { files: twins },
    );
  }
  const uses = await findUses(repository, input.target);
  const [busy] = uses.filter((use) => use.kind === "in-progress");
  if (busy?.kind === "in-progress") {
    return refused(
      input,
      "busy",
      `A ${busy.operation} of ${shortName(input.target)} is in progress in ${busy.path}.`,
    );
  }
  const places = uses.filter((use) => use.kind === "checked-out");
  const [place, second] = places;
  if (place !== undefined && second !== undefined) {
    const files = places.map(({ worktree }) => worktree.path);
    return refused(input, "busy", `${shortName(input.target)} is checked out more than once.`, { files });
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
