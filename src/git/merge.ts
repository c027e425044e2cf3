// Merging tasks on the integration ref, without a checkout: trees are merged in the object database, commits are made on
// them, and nothing points there until the ref is advanced. The user's files, index and config have no part in it: merge
// rules come from the tip's own .gitattributes and the configuration as it was at the start.

import type { SideLabels } from "../core/conflict-labels.ts";
import type { EpochMs, Revision, SharedMerge, TaskAttempt } from "../core/facts.ts";
import { type Oid, oid, type RunId, type TaskId } from "../core/ids.ts";
import { attributesFolder, keepAttributes } from "./attributes.ts";
import { writeCommit } from "./commit.ts";
import { labelConflicts } from "./conflict-markers.ts";
import { diffTrees } from "./diff.ts";
import { keepBothAdditions } from "./merge-additions.ts";
import { findTwins } from "./path-folding.ts";
import { type RawPath, rawFields, shown, splitEntry } from "./raw-path.ts";
import { trailers } from "./refs.ts";
import { linesOf } from "./run.ts";
import { callShadow, type Shadow } from "./shadow.ts";

/** Work to be merged: the result commit of an attempt. */
export type ToMerge = TaskAttempt & {
  readonly result: Oid;
  readonly title: string;
  readonly body?: string;
  /** Beside those that name run, task and attempt. */
  readonly trailers?: readonly string[];
};

/** With the commit that brings its work in. */
export type MergedTask = TaskAttempt & { readonly commit: Oid };

export type MergeInput = {
  readonly run: RunId;
  readonly runDir: string;
  readonly from: Oid;
  readonly tasks: readonly ToMerge[];
  /** From the journal, the same on each try. */
  readonly at: EpochMs;
  /** Whether the task declares the path as one that others add to as well; left out: none does. */
  readonly isShared?: (task: TaskId, path: string) => boolean;
};

export type Merged =
  /** As many of the tasks, from the first, as merge. */
  | {
      readonly kind: "built";
      readonly from: Oid;
      readonly result: Revision;
      readonly tasks: readonly MergedTask[];
      readonly shared: readonly SharedMerge[];
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
  const shared: SharedMerge[] = [];
  for (const task of input.tasks) {
    const onto: Oid = tip?.commit ?? input.from;
    const outcome = await mergeOne(shadow, input, { task, onto });
    if (outcome.kind === "merged") {
      tip = outcome.revision;
      shared.push(...outcome.shared);
      tasks.push({ task: task.task, attempt: task.attempt, commit: tip.commit });
    } else if (tip === null) {
      return { ...outcome, task: { task: task.task, attempt: task.attempt } };
    } else {
      break; // its turn comes again on top of these
    }
  }
  if (tip === null) throw new Error("nothing to merge");
  const changes = await diffTrees(shadow, input.from, tip.tree);
  if (!changes.some(({ path }) => path.endsWith(".gitattributes")))
    keepAttributes(shadow, input.from, tip.commit);
  return { kind: "built", from: input.from, result: tip, tasks, shared };
}

type OneMerge =
  | { readonly kind: "merged"; readonly revision: Revision; readonly shared: readonly SharedMerge[] }
  | ({ readonly kind: "conflict" } & Conflict);

async function mergeOne(
  shadow: Shadow,
  { run, runDir, at, isShared }: MergeInput,
  { task, onto }: { task: ToMerge; onto: Oid },
): Promise<OneMerge> {
  const plain = await mergeTrees(shadow, runDir, { ours: onto, theirs: task.result });
  const joined =
    plain.kind === "conflict" && isShared !== undefined
      ? await joinShared(shadow, plain, { task, onto, runDir, isShared })
      : null;
  const merged = joined ?? plain;
  if (merged.kind === "conflict") {
    const touched = await commitsThatTouched(shadow, { result: task.result, tip: onto, paths: merged.paths });
    const others = listTasks(touched).sort();
    const paths = merged.paths.map(shown);
    return { kind: "conflict", paths, types: merged.types, with: others };
  }
  const twins = shadow.repository.ignoresCase ? await findTwins(shadow, onto, merged.tree) : [];
  if (twins.length > 0)
    return { kind: "conflict", paths: twins, types: ["CONFLICT (case folding)"], with: [] };
  const { title, body = "", trailers: others = [] } = task;
  const text = body === "" ? title : `${title}\n\n${body}`;
  const message = `${text}\n\n${trailers(run, task.attempt)}${others.map((line) => `${line}\n`).join("")}`;
  const commit = await writeCommit(shadow, { tree: merged.tree, parents: [onto, task.result], message, at });
  const revision = { commit, tree: merged.tree };
  return { kind: "merged", revision, shared: joined === null ? [] : joined.shared };
}

type SharedInput = {
  readonly task: ToMerge;
  readonly onto: Oid;
  readonly runDir: string;
  readonly isShared: NonNullable<MergeInput["isShared"]>;
};

/** Null where a path is not declared shared by every task that touched it, or its conflict is not about additions. */
async function joinShared(
  shadow: Shadow,
  { tree, paths, types, stages }: TreeConflict,
  { task, onto, runDir, isShared }: SharedInput,
): Promise<{ readonly kind: "clean"; readonly tree: Oid; readonly shared: readonly SharedMerge[] } | null> {
  if (types.some((type) => type !== "CONFLICT (contents)")) return null;
  const shared: SharedMerge[] = [];
  for (const path of paths) {
    const name = shown(path);
    if (!isShared(task.task, name)) return null;
    const touched = await commitsThatTouched(shadow, { result: task.result, tip: onto, paths: [path] });
    const isDeclared = touched.length > 0 && touched.every((other) => isShared(other as TaskId, name));
    if (!isDeclared) return null; // a commit of a person declares nothing
    shared.push({ path: name, task: task.task, with: listTasks(touched).sort() });
  }
  const conflicts = paths.flatMap((path) => {
    const own = stages.get(path);
    return own === undefined ? [] : [{ path, stages: own }];
  });
  if (conflicts.length !== paths.length) return null;
  const joined = await keepBothAdditions(shadow, { runDir, tree, conflicts });
  return joined === null ? null : { kind: "clean", tree: joined, shared };
}

export type MergedTrees = { readonly kind: "clean"; readonly tree: Oid } | TreeConflict;

/** The tree has the conflicts marked in its files. */
export type TreeConflict = { readonly kind: "conflict" } & MergeTreeOutput;

/** Two commits of which no tree can be made. */
export function conflictWithoutTree(tree: Oid, ...types: readonly string[]): TreeConflict {
  return { kind: "conflict", tree, paths: [], types, stages: new Map() };
}

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
  if (parsed === null) throw new Error(`cannot merge ${theirs} into ${ours}: ${output.stderr.trim()}`);
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

/** The files of an attempt that has to fit `theirs` onto `ours`: both, with the conflicts marked and the sides labelled. */
export async function mergedFiles(
  shadow: Shadow,
  runDir: string,
  { labels, ...commits }: { ours: Oid; theirs: Oid; labels: SideLabels },
): Promise<{ readonly tree: Oid; readonly conflicts: readonly string[] }> {
  const merged = await mergeTrees(shadow, runDir, commits);
  if (merged.kind === "clean") return { tree: merged.tree, conflicts: [] };
  const tree = await labelConflicts(shadow, { runDir, tree: merged.tree, ...commits, labels });
  return { tree, conflicts: [...new Set(merged.paths.map(shown))] };
}

type TouchedInput = { readonly result: Oid; readonly tip: Oid; readonly paths: readonly RawPath[] };

/** Each once, of what `commitsThatTouched` gives. */
export function listTasks(touched: readonly string[]): TaskId[] {
  return [...new Set(touched)].filter((task) => task !== "") as TaskId[]; // written by us, from TaskIds
}

/** The merged work that changed one of the paths since this was begun: a commit each, as its task, or nothing where it has none. */
export async function commitsThatTouched(
  shadow: Shadow,
  { result, tip, paths }: TouchedInput,
): Promise<string[]> {
  // Named outright: with `result..tip` git 2.39 drops a merge whose first parent is excluded only by descent.
  const [base] = linesOf(await callShadow(shadow, { args: ["merge-base", tip, result], allow: [1] }));
  if (base === undefined || paths.length === 0) return [];
  const format = "--format=%(trailers:key=Plait-Task,valueonly,separator=%x20)";
  const names = paths.slice(0, 1000).map(shown); // an argv has its limits, and so has what people read
  const args = ["log", "-m", "--first-parent", format, tip, `^${base}`, "--", ...names];
  return (await callShadow(shadow, { args })).stdout.toString().split("\n").slice(0, -1);
}

type MergeTreeOutput = {
  readonly tree: Oid;
  /** In conflict, sorted. */
  readonly paths: readonly RawPath[];
  /** Without `Auto-merging`, which is none. */
  readonly types: readonly string[];
  /** By path: what each side has there. */
  readonly stages: ReadonlyMap<RawPath, ConflictStages>;
};

type StagedFile = { readonly mode: string; readonly oid: string };

/** Null: that side has no such file. */
export type ConflictStages = { readonly [S in "base" | "ours" | "theirs"]: StagedFile | null };

const STAGES: { readonly [stage: string]: keyof ConflictStages } = { 1: "base", 2: "ours", 3: "theirs" };

// The answer of `git merge-tree --write-tree -z --messages`:
//
//   <tree> NUL { <mode> <oid> <stage> TAB <path> NUL } NUL { <n> NUL <n paths, each NUL> <type> NUL <text> NUL }
//
// The types are the stable part, the texts are not. git 2.39 puts free text behind the groups when a submodule is in the
// way: reading stops at the first field that is not a number.

/** Null when there is no tree: the commits could not be merged at all. */
export function parseMergeTree(stdout: Buffer): MergeTreeOutput | null {
  const fields = rawFields(stdout);
  const [first = ""] = fields;
  if (!/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(first)) return null;
  const paths = new Set<RawPath>();
  const stages = new Map<RawPath, ConflictStages>();
  let at = 1;
  for (; at < fields.length && fields[at] !== ""; at += 1) {
    const { words, path } = splitEntry(fields[at] as RawPath);
    paths.add(path);
    const [mode = "", blob = "", stage = ""] = words;
    const side = STAGES[stage];
    const known = stages.get(path) ?? { base: null, ours: null, theirs: null };
    if (side !== undefined) stages.set(path, { ...known, [side]: { mode, oid: blob } });
  }
  const types = new Set<string>();
  for (at += 1; /^\d+$/.test(fields[at] ?? ""); ) {
    const count = Number(fields[at]);
    const type = fields[at + count + 1] ?? "";
    if (type.startsWith("CONFLICT")) {
      types.add(type);
      for (const path of fields.slice(at + 1, at + 1 + count)) paths.add(path);
    }
    at += count + 3;
  }
  return { tree: oid(first), paths: [...paths].sort(), types: [...types].sort(), stages };
}
