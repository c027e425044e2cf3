// Save: everything that an attempt left becomes reachable from one ref, before its worktree is used again (I2).
//
//   refs/plait/<run>/<task>/<n> ──► V   tree: the files as they were left
//                                   ├── R, the result: one commit on the base, or the agent's own commits
//                                   └── every other tip: branches, detached and amended commits, stashes, the index,
//                                       repositories inside
//
// All of it goes by the shadow and a copy of the private index, so it works with `.git`, metadata or the worktree itself
// deleted, and runs nothing that an agent planted. Dates come from the caller: cut off anywhere, doing it again gives the
// same names.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { EpochMs, Revision } from "../core/facts.ts";
import { type AttemptId, type Oid, oid, type RefName, type RunId, refName } from "../core/ids.ts";
import { type IndexWork, saveAgentIndex, sparsePaths } from "./agent-index.ts";
import { isWhole, makeResult, treeOfCommit, writeCommit } from "./commit.ts";
import { type ChangedPath, changedPath, diffTrees } from "./diff.ts";
import { isGitFailure } from "./failure.ts";
import { copyIndex, exists, isRealFolder, removeFolder } from "./files.ts";
import { importLargeFiles } from "./large-files.ts";
import { hasOwnRepository, type Lease, leaseFiles, type Slot } from "./lease.ts";
import { importCommits, openQuarantine } from "./quarantine.ts";
import { rawFields, shown } from "./raw-path.ts";
import { deleteRefs, swapRef } from "./ref-updates.ts";
import {
  integrationRef,
  parseSavedRef,
  readRef,
  readRefs,
  refCall,
  savedRef,
  temporaryRefs,
  trailers,
} from "./refs.ts";
import type { Repository } from "./repository.ts";
import { linesOf } from "./run.ts";
import { type SavedSubmodule, saveInnerRepositories } from "./save-submodules.ts";
import { callShadow, type Shadow } from "./shadow.ts";
import { findOwnCommits, independentTips, type MovedRef, type Tip } from "./tips.ts";
import { type LeftBehind, type ScannedTree, scanWorkTree } from "./work-tree.ts";

export type SaveInput = {
  readonly run: RunId;
  readonly runDir: string;
  readonly attempt: AttemptId;
  /** From the journal, the same on each try. */
  readonly at: EpochMs;
  /** The first line of the result commit. */
  readonly title: string;
  readonly history: "keep" | "squash";
  readonly maxBytes: number;
  /** Whether an ignored path was put there before the attempt began: it is not the attempt's. Left out: none was. */
  readonly isGiven?: (path: string) => boolean;
};

/** What was saved, and what could not be. */
export type Saved = {
  readonly ref: RefName;
  /** The commit that `ref` points to: V. */
  readonly saved: Oid;
  readonly result: Revision;
  /** What `paths` are measured against. */
  readonly since: Revision;
  /** Whether the tree differs from that. */
  readonly changed: boolean;
  readonly paths: readonly ChangedPath[];
  /** Commits that are no part of the result. */
  readonly tips: readonly Tip[];
  /** Refs outside plait's own that moved while the attempt ran; others may have moved them too. */
  readonly moved: readonly MovedRef[];
  /** How many files are ignored; a folder that is ignored as a whole counts as one. */
  readonly ignored: number;
  /** Not saved: while there is any, the worktree must be kept. */
  readonly leftBehind: readonly LeftBehind[];
  /** Submodules that are not as they were. */
  readonly submodules: readonly SavedSubmodule[];
};

export async function saveAttempt(shadow: Shadow, lease: Lease, input: SaveInput): Promise<Saved> {
  const scratch = join(input.runDir, "saves", input.attempt.replace("/", "~"));
  await removeFolder(scratch);
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  try {
    const gather = () => gatherAndWrite(shadow, lease, { ...input, scratch });
    // Something that nothing held yet was pruned meanwhile: it is still in the files, so once more.
    const saved = (await gather().catch(prunedIsNull)) ?? (await gather());
    if (saved === null)
      throw new Error(`objects of ${input.attempt} disappear from the repository while they are saved`);
    return saved;
  } finally {
    await removeFolder(scratch);
  }
}

function prunedIsNull(error: unknown): null {
  if (isGitFailure(error, "corrupt", "not-found")) return null;
  throw error;
}

export type SaveWork = SaveInput & { readonly scratch: string };

/** Null when the repository does not have all of it at the end. */
async function gatherAndWrite(shadow: Shadow, lease: Lease, work: SaveWork): Promise<Saved | null> {
  const { repository } = shadow;
  const { base } = lease;
  const [now, before, ignored, files] = await Promise.all([
    readRefs(repository),
    leaseFiles(work.runDir).readRefs(lease.before),
    countIgnored(shadow, lease.slot, work.isGiven ?? (() => false)),
    scanLease(shadow, lease, work),
  ]);
  const own = await findOwnCommits(shadow, lease, { before, now });
  const scan = files ?? (await withoutFiles(shadow, lease, own.head));
  const into = temporaryRefs(work.run, work.attempt);
  const inner = await saveInnerRepositories(shadow, lease, { ...work, nested: scan.nested, into });
  const indexed = {
    ...{ base: base.commit, head: own.head, known: [scan.tree, base.tree], at: work.at },
    index: join(work.scratch, "agent.index"),
  };
  const index = await saveFromGitDir(shadow, lease, { scratch: work.scratch, indexed });
  const made = await makeResult(shadow, {
    ...{ tree: scan.tree, base, head: own.head, history: work.history, at: work.at },
    integration: now.get(integrationRef(work.run)) ?? null,
    message: `${work.title}\n\n${trailers(work.run, work.attempt)}`,
  });
  const candidates = [...own.candidates, ...index.commits, ...inner.tips, ...index.tips];
  const [tips, changes] = await Promise.all([
    independentTips(shadow, [made.result.commit, base.commit], candidates),
    diffTrees(shadow, made.since.tree, made.result.tree),
  ]);
  const saved = await writeSaved(shadow, lease, { ...work, result: made.result, tips });
  if (saved === null) return null;
  if (inner.tips.length > 0) await deleteRefs(repository, [...(await readRefs(repository, into))]);
  return {
    ...{ ref: savedRef(work.run, work.attempt), saved, ...made, tips },
    ...{ changed: changes.length > 0, paths: changes.map(changedPath) },
    ...{ moved: own.moved, ignored },
    leftBehind: [...scan.leftBehind, ...inner.leftBehind, ...index.leftBehind],
    submodules: inner.submodules,
  };
}

type FromGitDir = {
  readonly tips: readonly Tip[];
  /** That no ref of it need name. */
  readonly commits: readonly Tip[];
  readonly leftBehind: readonly LeftBehind[];
};

/** What the attempt's git dir has beside refs: its index, and where the repository is its own, every commit that was made there. */
async function saveFromGitDir(
  shadow: Shadow,
  { slot, base }: Lease,
  { scratch, indexed }: { readonly scratch: string; readonly indexed: IndexWork },
): Promise<FromGitDir> {
  const nothing = { tips: [], commits: [], leftBehind: [] };
  if (!hasOwnRepository(slot)) return { ...nothing, tips: await saveAgentIndex(shadow, slot, indexed) };
  if (!(await isRealFolder(slot.metadata))) return nothing;
  if (shadow.repository.largeFiles !== "none") await importLargeFiles(shadow.repository, slot.metadata);
  const found = await openQuarantine(shadow, slot.metadata, join(scratch, "objects"));
  if (found === null) return { ...nothing, tips: await saveAgentIndex(shadow, slot, indexed) };
  const tips = await saveAgentIndex({ ...shadow, objects: found.folder }, slot, indexed);
  const commits = found.commits.map((commit) => ({ commit, from: "a commit without a ref" }));
  const wanted = [...found.commits, ...tips.map(({ commit }) => commit)];
  const refused = await importCommits(shadow, found, { commits: wanted, base: base.commit });
  if (refused === null) return { tips, commits, leftBehind: [] };
  return { ...nothing, leftBehind: [{ path: `.git (${refused})`, why: "nested-history", bytes: 0 }] };
}

/** Null when there are no files to look at. */
async function scanLease(shadow: Shadow, lease: Lease, work: SaveWork): Promise<ScannedTree | null> {
  const { slot, base } = lease;
  if (!(await isRealFolder(slot.path))) return null;
  const index = join(work.scratch, "work.index");
  if (await exists(slot.index)) await copyIndex(slot.index, index);
  else await callShadow(shadow, { args: ["read-tree", base.tree], workTree: slot.path, index });
  const absent = await sparsePaths(shadow, slot, join(work.scratch, "sparse.index"));
  return scanWorkTree(shadow, { path: slot.path, index, maxBytes: work.maxBytes, absent });
}

/** The worktree is gone: what the attempt committed is all there is, and without that nothing was changed. */
async function withoutFiles(shadow: Shadow, { base }: Lease, head: Oid | null): Promise<ScannedTree> {
  const tree = head === null ? base.tree : await treeOfCommit(shadow, head);
  return { tree, leftBehind: [], nested: [] };
}

type ToWrite = SaveWork & { readonly result: Revision; readonly tips: readonly Tip[] };

/** Makes V and its ref. A ref that is there already is an earlier try: V takes it in, so that nothing is dropped. */
async function writeSaved(shadow: Shadow, { base }: Lease, work: ToWrite): Promise<Oid | null> {
  const { run, attempt, at, result, tips } = work;
  const list = tips.map(({ commit, from }) => `${commit}  ${from.replaceAll("\n", "?")}\n`).join("");
  const message = `saved ${attempt}\n\n${list === "" ? "" : `${list}\n`}${trailers(run, attempt)}`;
  const parents = [result.commit, ...tips.map(({ commit }) => commit)];
  const write = (more: readonly Oid[]) =>
    writeCommit(shadow, { tree: result.tree, parents: [...parents, ...more], message, at });
  const ref = savedRef(run, attempt);
  let saved = await write([]);
  if (!(await isWhole(shadow, saved, [base.commit]))) return null;
  for (let from: Oid | null = null, tries = 0; tries < 5; tries += 1) {
    const move = { ref, from, to: saved, message: `plait: save ${attempt}` };
    const swap = await swapRef(shadow.repository, move);
    if (swap.kind !== "refused") return saved;
    from = swap.now;
    if (from === null) continue;
    if (await holds(shadow, from, parents)) return from;
    saved = await write([from]);
  }
  throw new Error(`${ref} keeps changing while it is written`);
}

/** Whether an earlier save has the same result and all of the tips. */
async function holds(shadow: Shadow, saved: Oid, parents: readonly Oid[]): Promise<boolean> {
  const found = linesOf(await callShadow(shadow, { args: ["rev-parse", `${saved}^@`] }));
  return found[0] === parents[0] && parents.every((parent) => found.includes(parent));
}

/** Without those that the worktree was given. */
async function countIgnored(
  shadow: Shadow,
  { path, index }: Slot,
  isGiven: (path: string) => boolean,
): Promise<number> {
  if (!(await isRealFolder(path)) || !(await exists(index))) return 0;
  const args = ["ls-files", "-z", "-o", "-i", "--exclude-standard", "--directory"];
  const listed = rawFields((await callShadow(shadow, { args, workTree: path, index })).stdout).map(shown);
  return listed.filter((one) => !isGiven(one.replace(/\/$/, ""))).length;
}

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
  const below = run === undefined ? "refs/plait" : `refs/plait/${run}`;
  const args = ["for-each-ref", "--sort=committerdate", format, below];
  return linesOf(await refCall(repository, args)).flatMap((line): SavedWork[] => {
    const [ref = "", saved = "", seconds = "", result = ""] = line.split(" ");
    const parsed = parseSavedRef(ref);
    if (parsed === null) return [];
    return [
      { ...parsed, ref: refName(ref), saved: oid(saved), result: oid(result), at: Number(seconds) * 1000 },
    ];
  });
}

type Restored =
  | { readonly kind: "restored"; readonly branch: RefName; readonly at: Oid }
  | { readonly kind: "taken"; readonly branch: RefName; readonly at: Oid }
  | { readonly kind: "unknown"; readonly ref: RefName };

/** A branch at the result of saved work. Nothing is checked out, nothing is overwritten. */
export async function restoreSaved(repository: Repository, ref: RefName, name: string): Promise<Restored> {
  const result = await readRef(repository, `${ref}^1`);
  if (result === null) return { kind: "unknown", ref };
  const branch = refName(`refs/heads/${name}`);
  const move = { ref: branch, from: null, to: result, message: `plait: restore ${ref}` };
  const swap = await swapRef(repository, move);
  if (swap.kind === "refused" && swap.now !== null) return { kind: "taken", branch, at: swap.now };
  return { kind: "restored", branch, at: result };
}
