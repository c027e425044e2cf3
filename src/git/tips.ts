// The commits that an attempt made, wherever it left them: on its branch, on any other, on a detached HEAD, amended or reset
// away, in a stash, in the middle of a rebase. Candidates are many and cheap; what is reachable from another is dropped.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Oid, oid } from "../core/ids.ts";
import { ifMissing, onErrno } from "../util/errno.ts";
import { isOurs, type Lease, type RefsBefore } from "./lease.ts";
import { readLogEntries } from "./logs.ts";
import type { RefTable } from "./refs.ts";
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
  /** New on the stash, which all worktrees share, oldest first. */
  readonly stashed: readonly { readonly commit: Oid; readonly message: string }[];
};

export async function findOwnCommits(
  shadow: Shadow,
  lease: Lease,
  { before, now }: { before: RefsBefore; now: RefTable },
): Promise<OwnCommits> {
  const { metadata } = lease.slot;
  const [head, log, states, private_, stash] = await Promise.all([
    readHead(lease, now),
    readLogEntries(shadow.repository, metadata, "HEAD"),
    readStates(metadata),
    readPrivateRefs(join(metadata, "refs")),
    readLogEntries(shadow.repository, shadow.repository.commonDir, "refs/stash"),
  ]);
  const moved = movedRefs(before.refs, now);
  const known = new Set(before.stash);
  const stashed = stash
    .filter(({ to }) => !known.has(to))
    .map(({ to, message }) => ({ commit: to, message }));
  const own = lease.branch === null ? undefined : now.get(lease.branch);
  const candidates: Tip[] = [
    ...named("HEAD", head),
    ...named("the attempt's branch", own ?? null),
    ...log.flatMap(({ from, to }) => [from, to].flatMap((it) => named("HEAD, earlier", it))),
    ...states,
    ...private_,
    // A ref that is gone takes its log with it: what it held is saved too.
    ...moved.flatMap(({ ref, from, to }) => (to === null ? named(`${ref}, deleted`, from) : named(ref, to))),
    ...stashed.flatMap(({ commit }) => named("stash", commit)),
  ];
  return { head, candidates: candidates.filter(({ commit }) => !/^0+$/.test(commit)), moved, stashed };
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
export async function readHead({ slot, branch }: Lease, now: RefTable): Promise<Oid | null> {
  const text = await readText(join(slot.metadata, "HEAD"));
  const ref = text === null ? branch : /^ref: (.*)$/m.exec(text)?.[1];
  if (ref) return now.get(ref) ?? null;
  return oids(text ?? "")[0] ?? null;
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
  const names = await readdir(folder, { recursive: true }).catch(ifMissing([]));
  const texts = await Promise.all(names.map((name) => readText(join(folder, name))));
  return texts.flatMap((text, i) => oids(text ?? "").map((commit) => ({ commit, from: `refs/${names[i]}` })));
}

async function readText(path: string): Promise<string | null> {
  // A folder, not there, or closed to us: nothing to read. With any other error a commit could go unseen.
  return readFile(path, "utf8").catch(onErrno({ ENOENT: null, ENOTDIR: null, EISDIR: null, EACCES: null }));
}

function oids(text: string): Oid[] {
  return (text.match(/^[0-9a-f]{40}(?:[0-9a-f]{24})?(?=\s|$)/gm) ?? []).map(oid);
}

function named(from: string, commit: Oid | null): Tip[] {
  return commit === null ? [] : [{ commit, from }];
}
