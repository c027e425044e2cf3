// Saved work, for people: what there is, and how to get it back.

import type { EpochMs } from "../core/facts.ts";
import { type AttemptId, type Oid, oid, type RefName, type RunId, refName } from "../core/ids.ts";
import { swapRef } from "./ref-updates.ts";
import { parseSavedRef, readRef, refCall } from "./refs.ts";
import type { Repository } from "./repository.ts";
import { linesOf } from "./run.ts";

export type SavedWork = {
  readonly run: RunId;
  readonly attempt: AttemptId;
  readonly ref: RefName;
  readonly saved: Oid;
  /** The result commit, on its base. */
  readonly result: Oid;
  readonly at: EpochMs;
};

/** Oldest first; of one run, or of all. */
export async function listSaved(repository: Repository, run?: RunId): Promise<SavedWork[]> {
  const format = "--format=%(refname) %(objectname) %(committerdate:unix) %(parent)";
  const args = [
    "for-each-ref",
    "--sort=committerdate",
    format,
    run === undefined ? "refs/plait" : `refs/plait/${run}`,
  ];
  return linesOf(await refCall(repository, args)).flatMap((line): SavedWork[] => {
    const [ref = "", saved = "", seconds = "", result = ""] = line.split(" ");
    const parsed = parseSavedRef(ref);
    if (parsed === null) return [];
    return [
      { ...parsed, ref: refName(ref), saved: oid(saved), result: oid(result), at: Number(seconds) * 1000 },
    ];
  });
}

export type Restored =
  | { readonly kind: "restored"; readonly branch: RefName; readonly at: Oid }
  | { readonly kind: "taken"; readonly branch: RefName; readonly at: Oid }
  | { readonly kind: "unknown"; readonly ref: RefName };

/** A branch at the result of saved work. Nothing is checked out, nothing is overwritten. */
export async function restoreSaved(repository: Repository, ref: RefName, name: string): Promise<Restored> {
  const result = await readRef(repository, `${ref}^1`);
  if (result === null) return { kind: "unknown", ref };
  const branch = refName(`refs/heads/${name}`);
  const swap = await swapRef(repository, {
    ref: branch,
    from: null,
    to: result,
    message: `plait: restore ${ref}`,
  });
  if (swap.kind === "refused" && swap.now !== null) return { kind: "taken", branch, at: swap.now };
  return { kind: "restored", branch, at: result };
}
