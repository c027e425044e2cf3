// Taking a landing back. While nobody has built on it, the target goes back to where it was, by the same steps as a landing:
// index and files follow, what the user has changed stays or is named, and a kill at any moment is repaired (land-repair.ts).
// Once there is more on the target, a new commit takes the landing's changes out again.
//
// The integration branch is brought back first: the work stays reachable (I2), and can land again. Done twice it finds
// itself done.

import type { EpochMs, LandingRefusal, Revision } from "../core/facts.ts";
import type { Oid, RefName, RunId } from "../core/ids.ts";
import type { RefusedMove } from "../core/landing-types.ts";
import type { LandStyle } from "../core/plan.ts";
import { otherCommand } from "../core/text/command.ts";
import { isWhole, treeOfCommit } from "./commit.ts";
import { moveTarget } from "./land.ts";
import { identityProblem, isSigned, writeLandingCommit } from "./land-commit.ts";
import { withTrailers } from "./land-message.ts";
import { repairLanding } from "./land-repair.ts";
import { type Landed, type Refused, refused } from "./landing.ts";
import { mergeTreesFrom } from "./merge.ts";
import { shown } from "./raw-path.ts";
import { deleteRefs, isAncestor, swapRef } from "./ref-updates.ts";
import { integrationRef, readRef, refCall, shortName } from "./refs.ts";
import { linesOf } from "./run.ts";
import { callShadow, type Shadow } from "./shadow.ts";

export type UndoInput = {
  readonly run: RunId;
  readonly runDir: string;
  readonly target: RefName;
  /** What the landing to be undone moved, as run.landed says. Of several landings the last comes first. */
  readonly from: Oid;
  readonly to: Revision;
  /** The integration tip that had landed. */
  readonly tip: Oid;
  /** From the journal, the same on each try. */
  readonly at: EpochMs;
  /** Also where the target could go back: others have it already. */
  readonly revert?: boolean;
  /** For the commit that takes the changes out. No hook runs: what was there at the start is known to nobody by now. */
  readonly style?: Pick<LandStyle, "sign" | "signoff">;
  /** How long somebody else's index.lock is waited for. */
  readonly waitMs?: number;
};

export type Undoing =
  | {
      readonly kind: "undone";
      readonly how: "moved-back" | "reverted";
      /** What the undoing moved the target from, and to. */
      readonly from: Oid;
      readonly to: Revision;
      /** Where the integration branch is again. */
      readonly tip: Oid;
      /** What the user should know about it. */
      readonly notes: readonly string[];
    }
  | UndoRefused
  /** The target has nothing of the landing. */
  | { readonly kind: "not-landed"; readonly detail: string };

/** The target and the user's files are as they were. */
export type UndoRefused = Omit<Refused, "why"> & { readonly why: LandingRefusal | "sign" | "identity" };

const TRIES = 3;

/** For a driver that holds the run's lock. */
export async function undoLanding(shadow: Shadow, input: UndoInput): Promise<Undoing> {
  const { repository } = shadow;
  const repaired = await repairLanding(shadow, input);
  if (repaired.kind === "left") return refuse("busy", repaired.detail);
  const kept = await keepWork(shadow, input);
  if ("kind" in kept) return kept;
  let outcome: Undoing | "raced" = "raced";
  for (let tries = 0; outcome === "raced" && tries < TRIES; tries += 1)
    outcome = await undoFrom(shadow, input, kept.tip);
  if (outcome === "raced")
    outcome = refuse("busy", `${shortName(input.target)} keeps changing during the undo.`);
  if (outcome.kind !== "undone" && kept.isNew) {
    await deleteRefs(repository, [[integrationRef(input.run), kept.tip]]); // nothing moved: as it was (I8)
  }
  return outcome;
}

/** One try, from the value that the target has now. */
async function undoFrom(shadow: Shadow, input: UndoInput, tip: Oid): Promise<Undoing | "raced"> {
  const { repository } = shadow;
  const { target, from, to, revert = false } = input;
  const name = shortName(target);
  const now = await readRef(repository, target);
  if (now === null) return { kind: "not-landed", detail: `Branch ${name} no longer exists` };
  if (from === to.commit) return { kind: "not-landed", detail: `The landing did not move ${name}` };
  const before: Revision = { commit: from, tree: await treeOfCommit(shadow, from) };
  if (now === from) return { kind: "undone", how: "moved-back", from: to.commit, to: before, tip, notes: [] }; // by a driver that was killed
  if (now === to.commit && !revert) {
    const moved = await moveTarget(shadow, { verb: "undo", ...input, from: to.commit, to: before });
    return moved === "raced" ? moved : tell(moved, "moved-back", tip, await publishedNotes(shadow, input));
  }
  if (!(await isAncestor(repository, to.commit, now)))
    return { kind: "not-landed", detail: `${name} no longer has ${to.commit} in its history` };
  return revertOn(shadow, input, { now, before, tip });
}

/** A commit on the target that reverts the landing and keeps later changes. */
async function revertOn(
  shadow: Shadow,
  input: UndoInput,
  { now, before, tip }: { now: Oid; before: Revision; tip: Oid },
): Promise<Undoing | "raced"> {
  const { run, runDir, target, to, at } = input;
  const name = shortName(target);
  const ours = await treeOfCommit(shadow, now);
  const merged = await mergeTreesFrom(shadow, runDir, { base: to.tree, ours, theirs: before.tree });
  if (merged.kind === "conflict") {
    const detail = `Later changes on ${name} conflict with the undo`;
    const diff = otherCommand("git", "diff", ["--binary", to.commit, before.commit]);
    const commands = [diff, otherCommand("git", "apply", "--3way")];
    return refuse("conflict", detail, { files: merged.paths.map(shown), commands });
  }
  if (merged.tree === ours) return findRevert(shadow, input, { now, tip });
  const finish = {
    ...{ sign: isSigned(shadow.repository, { sign: input.style?.sign ?? null }) },
    ...{ signoff: input.style?.signoff ?? false, hooks: [], runDir },
  };
  const nobody = identityProblem(shadow.repository, finish);
  if (nobody !== null) return refuse(nobody.why, nobody.detail);
  const text = `Revert plait run ${run} on ${name}\n\nThis reverts ${before.commit}..${to.commit}.`;
  const message = withTrailers(text, [`${UNDO}: ${run}`]);
  const draft = { tree: merged.tree, parents: [now], message, at, source: "message" } as const;
  const written = await writeLandingCommit(shadow, draft, finish);
  if (written.kind === "refused") return refuse(written.why, written.detail);
  const result = { commit: written.commit, tree: merged.tree };
  const moved = await moveTarget(shadow, { verb: "undo", ...input, from: now, to: result });
  return moved === "raced" ? moved : tell(moved, "reverted", tip, []);
}

const UNDO = "Plait-Undo";

/** Nothing of the landing is left: reverted by a process that was killed before it could record it, or by the user. */
async function findRevert(
  shadow: Shadow,
  { run, target, to }: UndoInput,
  { now, tip }: { now: Oid; tip: Oid },
): Promise<Undoing> {
  const format = `--format=%H %T %P %(trailers:key=${UNDO},valueonly,separator=%x20)`;
  const args = ["log", "--first-parent", format, `${to.commit}..${now}`];
  const found = linesOf(await callShadow(shadow, { args })).map((line) => line.split(" "));
  const [commit, tree, from] = found.find((fields) => fields[3] === run) ?? [];
  if (commit === undefined)
    return { kind: "not-landed", detail: `${shortName(target)} has nothing left of the landing` };
  const result = { commit: commit as Oid, tree: tree as Oid }; // as git printed them
  return { kind: "undone", how: "reverted", from: from as Oid, to: result, tip, notes: [] };
}

/** The integration branch at the tip again. A tip that git has pruned (a squash needs it no more) is replaced by what landed. */
async function keepWork(
  shadow: Shadow,
  input: UndoInput,
): Promise<{ readonly tip: Oid; readonly isNew: boolean } | UndoRefused> {
  const { repository } = shadow;
  const { run, from, to } = input;
  const tip = (await isWhole(shadow, input.tip, [from])) ? input.tip : to.commit;
  const message = `plait: undo ${run}`;
  const swap = await swapRef(repository, { ref: integrationRef(run), from: null, to: tip, message });
  if (swap.kind !== "refused") return { tip, isNew: swap.kind === "moved" };
  if (swap.now !== null && (await isAncestor(repository, tip, swap.now)))
    return { tip: swap.now, isNew: false };
  const branch = shortName(integrationRef(run));
  const rename = otherCommand("git", "branch", ["-m", branch, `${run}-other`]);
  const detail = `Branch ${branch} has commits that plait did not make and must be renamed first`;
  return refuse("moved", detail, { commands: [rename] });
}

/** Others may have the undone landing: their next merge would land it again. */
async function publishedNotes({ repository }: Shadow, { to, target }: UndoInput): Promise<string[]> {
  const args = ["for-each-ref", "--format=%(refname:short)", "--contains", to.commit, "refs/remotes"];
  return linesOf(await refCall(repository, args)).map(
    (remote) => `${remote} already has the landing; ${shortName(target)} is now behind it.`,
  );
}

function tell(
  moved: Landed | Refused,
  how: "moved-back" | "reverted",
  tip: Oid,
  notes: readonly string[],
): Undoing {
  if (moved.kind === "refused") return moved;
  const { from, to } = moved;
  return { kind: "undone", how, from, to, tip, notes: [...moved.notes, ...notes] };
}

function refuse(
  why: UndoRefused["why"],
  detail: string,
  more: Omit<RefusedMove, "detail"> = {},
): UndoRefused {
  return { ...refused("busy", detail, more), why };
}
