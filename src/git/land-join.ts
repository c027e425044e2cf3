// The integration tip and a target that moved, in one commit that an agent resolves their conflicts on. Where the two conflict, the
// commit has what the target has; the files to work in have both sides, marked. The result of the work has both as ancestors, so it
// merges on the tip as it is, and lands on the target.

import type { EpochMs, Revision } from "../core/facts.ts";
import { type Oid, oid, type RunId, type TaskId } from "../core/ids.ts";
import { writeCommit } from "./commit.ts";
import { commitsThatTouched, listTasks, mergeTrees, type TreeConflict } from "./merge.ts";
import type { RawPath } from "./raw-path.ts";
import { isAncestor } from "./ref-updates.ts";
import { replaceEntries } from "./replace-files.ts";
import { linesOf } from "./run.ts";
import { callShadow, type Shadow } from "./shadow.ts";

type JoinInput = {
  readonly run: RunId;
  readonly runDir: string;
  readonly tip: Oid;
  readonly onto: Oid;
  /** From the journal: the commit's name depends on it. */
  readonly at: EpochMs;
};

type JoinedTarget = {
  readonly result: Revision;
  /** Tasks that changed a path in conflict, last merged first. */
  readonly tasks: readonly TaskId[];
};

/** Null where an agent could not see both sides in the files: one of them is removed, renamed or not text. */
export async function joinTarget(shadow: Shadow, input: JoinInput): Promise<JoinedTarget | null> {
  const { run, runDir, tip, onto, at } = input;
  const bases = await callShadow(shadow, { args: ["merge-base", onto, tip], allow: [1] });
  if (linesOf(bases).length === 0) return null; // unrelated histories
  const merged = await mergeTrees(shadow, runDir, { ours: onto, theirs: tip });
  if (merged.kind !== "conflict") return null;
  const entries = listTargetSide(merged);
  if (entries === null) return null;
  const tree = await replaceEntries(shadow, { runDir, tree: merged.tree, entries });
  const message = `Join the run with its target\n\nPlait-Run: ${run}\n`;
  const commit = await writeCommit(shadow, { tree, parents: [tip, onto], message, at });
  const touched = await commitsThatTouched(shadow, { result: onto, tip, paths: merged.paths });
  return { result: { commit, tree }, tasks: listTasks(touched) };
}

/** As lines for an index; null where a path is not a text that both sides changed. */
function listTargetSide({ paths, types, stages }: TreeConflict): string[] | null {
  if (paths.length === 0 || types.some((type) => type !== "CONFLICT (contents)")) return null;
  const entries = paths.map((path) => formatEntry(path, stages));
  return entries.every((entry) => entry !== null) ? entries : null;
}

function formatEntry(path: RawPath, stages: TreeConflict["stages"]): string | null {
  const { ours = null, theirs = null } = stages.get(path) ?? {};
  const isText = (ours?.mode.startsWith("100") ?? false) && (theirs?.mode.startsWith("100") ?? false);
  return isText && ours !== null ? `${ours.mode} ${ours.oid}\t${path}` : null;
}

type Lines = { readonly base: Oid; readonly tip: Oid; readonly onto: Oid };

/** The last commit of the target that is joined with the work since `base`; null where none is. */
export async function findJoinedTarget(shadow: Shadow, { base, tip, onto }: Lines): Promise<Oid | null> {
  const [found] = linesOf(await callShadow(shadow, { args: ["merge-base", onto, tip], allow: [1] }));
  if (found === undefined || (await isAncestor(shadow.repository, oid(found), base))) return null;
  return oid(found);
}
