// Merging tasks on the integration ref, without a checkout: trees are merged in the object database, commits are made on
// them, and nothing points there until the ref is advanced. The user's files, index and config have no part in it: merge
// rules come from the tip's own .gitattributes and the configuration as it was at the start.

import type { EpochMs, Revision, TaskAttempt } from "../core/facts.ts";
import type { Oid, RunId, TaskId } from "../core/ids.ts";
import { attributesFolder, keepAttributes } from "./attributes.ts";
import { writeCommit } from "./commit.ts";
import { diffTrees } from "./diff.ts";
import { parseMergeTree } from "./merge-output.ts";
import { findTwins, foldedTwins } from "./path-folding.ts";
import { type RawPath, shown } from "./raw-path.ts";
import { trailers } from "./refs.ts";
import { linesOf } from "./run.ts";
import { callShadow, type Shadow } from "./shadow.ts";

/** Work to be merged: the result commit of an attempt. */
export type ToMerge = TaskAttempt & { readonly result: Oid; readonly title: string };

/** With the commit that brings its work in. */
export type MergedTask = TaskAttempt & { readonly commit: Oid };

export type MergeInput = {
  readonly run: RunId;
  readonly runDir: string;
  readonly from: Oid;
  readonly tasks: readonly ToMerge[];
  /** From the journal, the same on each try. */
  readonly at: EpochMs;
};

export type Merged =
  /** As many of the tasks, from the first, as merge. `warnings`: names that a file system may take for one. */
  | {
      readonly kind: "built";
      readonly from: Oid;
      readonly result: Revision;
      readonly tasks: readonly MergedTask[];
      readonly warnings: readonly string[];
    }
  /** The first one cannot be merged. */
  | ({ readonly kind: "conflict"; readonly task: TaskAttempt } & Conflict);

export type Conflict = {
  readonly paths: readonly string[];
  /** What git calls each, such as `CONFLICT (contents)`. */
  readonly types: readonly string[];
  /** Tasks merged since the work's base that touched the same paths. */
  readonly with: readonly TaskId[];
};

export async function mergeTasks(shadow: Shadow, input: MergeInput): Promise<Merged> {
  let tip: Revision | null = null;
  const tasks: MergedTask[] = [];
  for (const task of input.tasks) {
    const onto: Oid = tip?.commit ?? input.from;
    const outcome = await mergeOne(shadow, input, { task, onto });
    if (outcome.kind === "merged") {
      tip = outcome.revision;
      tasks.push({ task: task.task, attempt: task.attempt, commit: tip.commit });
    } else if (tip === null) {
      return { kind: "conflict", task: { task: task.task, attempt: task.attempt }, ...outcome.conflict };
    } else {
      break; // its turn comes again on top of these
    }
  }
  if (tip === null) throw new Error("nothing to merge");
  const changes = await diffTrees(shadow, input.from, tip.tree);
  if (!changes.some(({ path }) => path.endsWith(".gitattributes")))
    keepAttributes(shadow, input.from, tip.commit);
  const warnings = await foldedTwins(shadow, { from: input.from, to: tip.tree, changes });
  return { kind: "built", from: input.from, result: tip, tasks, warnings };
}

type OneMerge =
  | { readonly kind: "merged"; readonly revision: Revision }
  | { readonly kind: "conflict"; readonly conflict: Conflict };

async function mergeOne(
  shadow: Shadow,
  { run, runDir, at }: MergeInput,
  { task, onto }: { task: ToMerge; onto: Oid },
): Promise<OneMerge> {
  const merged = await mergeTrees(shadow, runDir, { ours: onto, theirs: task.result });
  if (merged.kind === "conflict") {
    const others = await tasksThatTouched(shadow, { result: task.result, tip: onto, paths: merged.paths });
    const paths = merged.paths.map(shown);
    return { kind: "conflict", conflict: { paths, types: merged.types, with: others } };
  }
  const twins = shadow.repository.ignoresCase ? await findTwins(shadow, onto, merged.tree) : [];
  if (twins.length > 0) {
    return { kind: "conflict", conflict: { paths: twins, types: ["CONFLICT (case folding)"], with: [] } };
  }
  const message = `${task.title}\n\n${trailers(run, task.attempt)}`;
  const commit = await writeCommit(shadow, { tree: merged.tree, parents: [onto, task.result], message, at });
  return { kind: "merged", revision: { commit, tree: merged.tree } };
}

export type MergedTrees =
  | { readonly kind: "clean"; readonly tree: Oid }
  /** The tree has the conflicts marked in its files. */
  | {
      readonly kind: "conflict";
      readonly tree: Oid;
      readonly paths: readonly RawPath[];
      readonly types: readonly string[];
    };

/** Merges two commits. */
export async function mergeTrees(
  shadow: Shadow,
  runDir: string,
  { ours, theirs }: { ours: Oid; theirs: Oid },
): Promise<MergedTrees> {
  const workTree = await attributesFolder(shadow, runDir, ours);
  const args = ["merge-tree", "--write-tree", "-z", "--messages", ours, theirs];
  const output = await callShadow(shadow, { args, workTree, allow: [1], durable: "batch" });
  const parsed = parseMergeTree(output.stdout);
  if (output.code === 0 && parsed !== null) return { kind: "clean", tree: parsed.tree };
  // 1 is a conflict, but also "not something we can merge": only a tree in the first field tells them apart.
  if (parsed === null) throw new Error(`${theirs} cannot be merged on ${ours}: ${output.stderr.trim()}`);
  return { kind: "conflict", ...parsed };
}

/**
 * Merges two trees as if both had come from `base`, whatever their histories say: a change picked, or taken back. The commits
 * are for git alone, which takes no base from us before 2.40, and nothing ever points to them.
 */
export async function mergeTreesFrom(
  shadow: Shadow,
  runDir: string,
  { base, ours, theirs }: { base: Oid; ours: Oid; theirs: Oid },
): Promise<MergedTrees> {
  if (base === ours || ours === theirs) return { kind: "clean", tree: theirs };
  if (base === theirs) return { kind: "clean", tree: ours };
  const commit = (tree: Oid, parents: Oid[]) => writeCommit(shadow, { tree, parents, message: "", at: 0 });
  const root = await commit(base, []);
  const [one, other] = [await commit(ours, [root]), await commit(theirs, [root])];
  return mergeTrees(shadow, runDir, { ours: one, theirs: other });
}

/** What somebody starts from who has to fit `theirs` onto `ours`: both, with the conflicts marked. */
export async function mergedFiles(
  shadow: Shadow,
  runDir: string,
  commits: { ours: Oid; theirs: Oid },
): Promise<{ readonly tree: Oid; readonly conflicts: readonly string[] }> {
  const merged = await mergeTrees(shadow, runDir, commits);
  const conflicts = merged.kind === "conflict" ? [...new Set(merged.paths.map(shown))] : [];
  return { tree: merged.tree, conflicts };
}

/** Which merged tasks changed one of the paths since the work was begun. */
async function tasksThatTouched(
  shadow: Shadow,
  { result, tip, paths }: { result: Oid; tip: Oid; paths: readonly RawPath[] },
): Promise<TaskId[]> {
  // Named outright: with `result..tip` git 2.39 drops a merge whose first parent is excluded only by descent.
  const [base] = linesOf(await callShadow(shadow, { args: ["merge-base", tip, result], allow: [1] }));
  if (base === undefined || paths.length === 0) return [];
  const format = "--format=%(trailers:key=Plait-Task,valueonly,separator=%x20)";
  const names = paths.slice(0, 1000).map(shown); // an argv has its limits, and so has what people read
  const args = ["log", "-m", "--first-parent", format, tip, `^${base}`, "--", ...names];
  const tasks = linesOf(await callShadow(shadow, { args })).filter((line) => line !== "");
  return [...new Set(tasks)].sort() as TaskId[]; // written by us, from TaskIds
}
