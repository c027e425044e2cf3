// The commits that an attempt made, wherever it left them: on its branch, on any other, on a detached HEAD, amended or reset
// away, in a stash, in the middle of a rebase. Candidates are many and cheap; what is reachable from another is dropped.

import { join } from "node:path";
import { type Oid, oid } from "../core/ids.ts";
import { readPlainFile } from "./files.ts";
import { hasOwnRepository, isOurs, type Lease, type RefsBefore, type Slot } from "./lease.ts";
import { type LogEntry, readLog, readLogEntries } from "./logs.ts";
import { listPlainFiles, readOwnLog, readOwnRefs } from "./own-refs.ts";
import { type RefTable, readRefs } from "./refs.ts";
import { linesOf } from "./run.ts";
import { callShadow, type Shadow } from "./shadow.ts";

/** A commit and where it was found. */
export type Tip = { readonly commit: Oid; readonly from: string };

/** A ref outside plait's own that is not where it was. */
export type MovedRef = { readonly ref: string; readonly from: Oid | null; readonly to: Oid | null };

export type OwnCommits = {
  /** Where HEAD of the worktree is; null when that cannot be told any more. */
  readonly head: Oid | null;
  readonly candidates: readonly Tip[];
  readonly moved: readonly MovedRef[];
};

export async function findOwnCommits(
  shadow: Shadow,
  lease: Lease,
  { before, now }: { before: RefsBefore; now: RefTable },
): Promise<OwnCommits> {
  const { repository } = shadow;
  const moved = movedRefs(before.refs, now);
  if (hasOwnRepository(lease.slot)) return { ...(await findInOwn(lease)), moved };
  const { metadata } = lease.slot;
  const [found, stash] = await Promise.all([
    findInGitDir(lease, now, await readLogEntries(repository, metadata, "HEAD")),
    readLog(repository, "refs/stash"),
  ]);
  const known = new Set(before.stash);
  const candidates: Tip[] = [
    ...found.candidates,
    // A ref that is gone takes its log with it: what it held is saved too.
    ...moved.flatMap(({ ref, from, to }) => (to === null ? named(`${ref}, deleted`, from) : named(ref, to))),
    // All worktrees share it.
    ...stash.flatMap((commit) => (known.has(commit) ? [] : named("stash", commit))),
  ];
  return { head: found.head, candidates: candidates.filter(isNoZero), moved };
}

const isNoZero = ({ commit }: Tip): boolean => !/^0+$/.test(commit);

/** In a repository of its own everything is the attempt's, the stash too; refs that it took over from the user's moved nowhere. */
async function findInOwn(lease: Lease): Promise<Pick<OwnCommits, "head" | "candidates">> {
  const { metadata } = lease.slot;
  const [refs, log, stash] = await Promise.all([
    readOwnRefs(metadata),
    readOwnLog(metadata, "HEAD"),
    readOwnLog(metadata, "refs/stash"),
  ]);
  const { head, candidates } = await findInGitDir(lease, refs, log);
  const stashed = stash.flatMap(({ to }) => named("stash", to));
  return { head, candidates: [...candidates, ...stashed].filter(isNoZero) };
}

async function findInGitDir(
  lease: Lease,
  refs: RefTable,
  log: readonly LogEntry[],
): Promise<Pick<OwnCommits, "head" | "candidates">> {
  const { metadata } = lease.slot;
  const [head, states, private_] = await Promise.all([
    readHead(lease, refs),
    readStates(metadata),
    readPrivateRefs(join(metadata, "refs")),
  ]);
  const own = lease.branch === null ? undefined : refs.get(lease.branch);
  const candidates = [
    ...named("HEAD", head),
    ...named("the attempt's branch", own ?? null),
    ...private_,
    ...log.flatMap(({ from, to }) => [from, to].flatMap((it) => named("HEAD, earlier", it))),
    ...states,
  ];
  return { head, candidates };
}

/**
 * Without what is no commit here, what the known commits have, and what another one has. No git is called when an agent
 * left its commits to plait.
 */
export async function independentTips(
  shadow: Shadow,
  known: readonly Oid[],
  candidates: readonly Tip[],
): Promise<Tip[]> {
  const found = byCommit(candidates);
  for (const commit of known) found.delete(commit);
  if (found.size === 0) return [];
  const asked = [...found.keys()].map((commit) => `${commit}^{commit}\n`).join("");
  const check = ["cat-file", "--batch-check=%(objectname)"];
  const answers = linesOf(await callShadow(shadow, { args: check, stdin: asked }));
  const peeled = [...found.values()].flatMap((tip, i): Tip[] => {
    const answer = answers[i] ?? "";
    return /^[0-9a-f]+$/.test(answer) ? [{ ...tip, commit: oid(answer) }] : []; // "… missing": a tree, or pruned
  });
  if (peeled.length === 0) return [];
  const args = ["merge-base", "--independent", ...known, ...new Set(peeled.map(({ commit }) => commit))];
  const independent = new Set(linesOf(await callShadow(shadow, { args })));
  const kept = byCommit(peeled.filter(({ commit }) => !known.includes(commit) && independent.has(commit)));
  return [...kept.values()].sort((a, b) => (a.commit < b.commit ? -1 : 1));
}

/** A commit that was found twice is known by the first place. */
function byCommit(tips: readonly Tip[]): Map<Oid, Tip> {
  return new Map(tips.toReversed().map((tip) => [tip.commit, tip]));
}

function movedRefs(before: RefTable, now: RefTable): MovedRef[] {
  const names = [...new Set([...before.keys(), ...now.keys()])].filter((ref) => !isOurs(ref)).sort();
  return names
    .map((ref) => ({ ref, from: before.get(ref) ?? null, to: now.get(ref) ?? null }))
    .filter(({ from, to }) => from !== to);
}

/** Where HEAD of the worktree is; null when that cannot be told, or is no commit yet. */
async function readHead({ slot, branch }: Lease, now: RefTable): Promise<Oid | null> {
  const text = await readText(join(slot.metadata, "HEAD"));
  const ref = text === null ? branch : /^ref: (.*)$/m.exec(text)?.[1];
  if (ref) return now.get(ref) ?? null;
  return oids(text ?? "")[0] ?? null;
}

/** Where the commits made so far end: HEAD, else the last attempt's branch, else the base; the first that is a commit. */
export async function findHead(shadow: Shadow, lease: Lease): Promise<Oid> {
  const refs = await readLeaseRefs(shadow, lease.slot);
  const own = lease.branch === null ? undefined : refs.get(lease.branch);
  const asked = [await readHead(lease, refs), own, lease.base.commit];
  const stdin = asked.flatMap((commit) => (commit ? [`${commit}^{commit}\n`] : [])).join("");
  const check = ["cat-file", "--batch-check=%(objectname)"];
  const answers = linesOf(await callShadow(shadow, { args: check, stdin }));
  return oid(answers.find((answer) => /^[0-9a-f]+$/.test(answer)) ?? lease.base.commit);
}

/** The refs that the agent's git knows. */
function readLeaseRefs({ repository }: Shadow, slot: Slot): Promise<RefTable> {
  return hasOwnRepository(slot) ? readOwnRefs(slot.metadata) : readRefs(repository);
}

/** What operations leave while they are under way, and what they keep of the time before. */
const STATES = [
  ...["ORIG_HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "MERGE_AUTOSTASH"],
  ...["orig-head", "onto", "stopped-sha", "autostash"].map((name) => `rebase-merge/${name}`),
  ...["orig-head", "onto", "autostash"].map((name) => `rebase-apply/${name}`),
];

async function readStates(metadata: string): Promise<Tip[]> {
  const texts = await Promise.all(STATES.map((name) => readText(join(metadata, name))));
  return texts.flatMap((text, i) => oids(text ?? "").map((commit) => ({ commit, from: STATES[i] ?? "" })));
}

/** Refs that only this worktree has: of a bisect, or of its own making. */
async function readPrivateRefs(folder: string): Promise<Tip[]> {
  const names = await listPlainFiles(folder);
  const texts = await Promise.all(names.map((name) => readText(join(folder, name))));
  return texts.flatMap((text, i) => oids(text ?? "").map((commit) => ({ commit, from: `refs/${names[i]}` })));
}

async function readText(path: string): Promise<string | null> {
  return (await readPlainFile(path))?.toString("utf8") ?? null;
}

function oids(text: string): Oid[] {
  return (text.match(/^[0-9a-f]{40}(?:[0-9a-f]{24})?(?=\s|$)/gm) ?? []).map(oid);
}

function named(from: string, commit: Oid | null): Tip[] {
  return commit === null ? [] : [{ commit, from }];
}
