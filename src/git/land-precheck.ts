// Before a landing touches a file: everything of the user's that it would meet, all at once. git itself would overwrite an
// ignored file without a word and bring back one that the user has deleted, so it is not asked.
//
// What already is as it will be does not count: then there is nothing to lose, and it is taken into the new index.

import { createHash } from "node:crypto";
import { lstat, readdir, readlink } from "node:fs/promises";
import { configValue } from "./config.ts";
import { GITLINK, parseRaw, type RawChange } from "./diff.ts";
import { callUser, type UserWorktree } from "./landing.ts";
import { below, foldersAbove, type RawPath, rawFields, shown } from "./raw-path.ts";
import type { Repository } from "./repository.ts";
import { linesOf } from "./run.ts";

export type Precheck = {
  /** The user's, in the way: the landing is refused. */
  readonly inTheWay: readonly string[];
  /** The same content already: to be entered into the index. */
  readonly adopt: readonly RawPath[];
  /** The same content already, where the user has told git not to look: not to be entered. */
  readonly same: readonly RawPath[];
  readonly hasConflicts: boolean;
};

/** `changes`: what the landing changes. `index`: a refreshed copy of the user's. */
export async function precheck(
  repository: Repository,
  worktree: UserWorktree,
  { changes, index, from }: { changes: readonly RawChange[]; index: string; from: string },
): Promise<Precheck> {
  const ask = async (...args: string[]) => (await callUser(repository.git, worktree, index, { args })).stdout;
  const touched = changes.filter(({ from, to }) => from.mode !== GITLINK && to.mode !== GITLINK);
  const dirty = byPath(parseRaw(await ask("diff-files", "-z", "--raw", "--no-renames")));
  const staged = byPath(parseRaw(await ask("diff-index", "--cached", "-z", "--raw", "--no-renames", from)));
  const hidden = hiddenPaths(await ask("ls-files", "-v", "-z"));
  const hasConflicts = [...dirty.values(), ...staged.values()].some(({ status }) => status === "U");
  const deleted = new Set(changes.filter(({ status }) => status === "D").map(({ path }) => path));
  const suspects = touched.filter(
    ({ path, status }) => status === "A" || dirty.has(path) || staged.has(path) || hidden.has(path),
  );
  const states = await readFileStates(
    repository,
    worktree,
    suspects.map(({ path }) => path),
  );
  const inTheWay = new Set<string>();
  const adopt: RawPath[] = [];
  const same: RawPath[] = [];
  for (const change of suspects) {
    const { path } = change;
    const blocked = await blockedAbove(worktree.path, path, deleted);
    const verdict = blocked === null ? judge(repository, change, { staged, hidden, states }) : "in-the-way";
    if (verdict === "folder") {
      for (const file of await strangersIn(worktree.path, path, deleted)) inTheWay.add(shown(file));
    } else if (verdict === "in-the-way") inTheWay.add(shown(blocked ?? path));
    else if (verdict === "adopt") adopt.push(path);
    else if (verdict === "same") same.push(path);
  }
  return { inTheWay: [...inTheWay].sort(), adopt, same, hasConflicts };
}

type Verdict = "fine" | "adopt" | "same" | "in-the-way" | "folder";

type Findings = {
  readonly staged: ReadonlyMap<RawPath, RawChange>;
  readonly hidden: ReadonlySet<RawPath>;
  readonly states: FileStates;
};

function judge(repository: Repository, change: RawChange, { staged, hidden, states }: Findings): Verdict {
  const { path, status, from, to } = change;
  const state = states.get(path);
  const own = staged.get(path);
  const stagedElse = own !== undefined && !(own.to.oid === to.oid && own.to.mode === to.mode);
  if (stagedElse) return "in-the-way"; // staged content of the user's own is nowhere else
  if (state?.kind === "missing") {
    if (status === "D") return "adopt"; // the user deleted it too
    if (status === "A" && own === undefined) return "fine";
    return hidden.has(path) ? "fine" : "in-the-way"; // absent by sparse rules, or deleted by the user
  }
  if (state?.kind === "other")
    return state.isFolder && own === undefined && status === "A" ? "folder" : "in-the-way";
  if (status !== "D" && isBlob(repository, state, to)) return hidden.has(path) ? "same" : "adopt";
  return status !== "A" && isBlob(repository, state, from) ? "fine" : "in-the-way"; // only its times had changed
}

/** A file or link of the user's where a folder has to be; one that goes with the landing is none. */
async function blockedAbove(
  root: string,
  path: RawPath,
  deleted: ReadonlySet<RawPath>,
): Promise<RawPath | null> {
  for (const folder of foldersAbove(path)) {
    const found = await lstat(below(root, folder)).catch(() => null);
    if (found === null) return null; // nor is there anything below
    if (!found.isDirectory()) return deleted.has(folder) ? null : folder;
  }
  return null;
}

/** A folder where a file has to be: what is in it that does not go with the landing. An empty one is no obstacle. */
async function strangersIn(root: string, folder: RawPath, deleted: ReadonlySet<RawPath>): Promise<RawPath[]> {
  const entries = await readdir(below(root, folder), { withFileTypes: true, encoding: "buffer" });
  const found = entries.map(async (entry) => {
    const path = `${folder}/${entry.name.toString("latin1")}` as RawPath;
    if (entry.isDirectory()) return strangersIn(root, path, deleted);
    return deleted.has(path) ? [] : [path];
  });
  return (await Promise.all(found)).flat();
}

/** Marked skip-worktree (S) or assume-unchanged (a small letter): edits there are in no diff. */
export function hiddenPaths(stdout: Buffer): Set<RawPath> {
  const entries = rawFields(stdout).filter((entry) => /^[Sa-z] /.test(entry));
  return new Set(entries.map((entry) => entry.slice(2) as RawPath));
}

function byPath(changes: readonly RawChange[]): Map<RawPath, RawChange> {
  return new Map(changes.map((change) => [change.path, change]));
}

export type FileState =
  | { readonly kind: "missing" }
  | { readonly kind: "blob"; readonly mode: string; readonly oid: string }
  /** A folder, a pipe: nothing that a blob could be. */
  | { readonly kind: "other"; readonly isFolder: boolean };

type FileStates = ReadonlyMap<RawPath, FileState>;

/**
 * Files of the user's worktree as git would store them. The user's filters and line ends apply, as they would in `git
 * add`.
 */
export async function readFileStates(
  repository: Repository,
  worktree: UserWorktree,
  paths: readonly RawPath[],
): Promise<FileStates> {
  const states = new Map<RawPath, FileState>();
  const regular: { path: RawPath; mode: string }[] = [];
  for (const path of paths) {
    const file = below(worktree.path, path);
    const found = await lstat(file).catch(() => null); // also when a folder above it is a file
    if (found === null) states.set(path, { kind: "missing" });
    else if (found.isSymbolicLink()) {
      const target = await readlink(file, { encoding: "buffer" });
      states.set(path, { kind: "blob", mode: "120000", oid: hashBlob(repository, target) });
    } else if (found.isFile()) regular.push({ path, mode: (found.mode & 0o100) !== 0 ? "100755" : "100644" });
    else states.set(path, { kind: "other", isFolder: found.isDirectory() });
  }
  const hashes = await hashFiles(
    repository,
    worktree,
    regular.map(({ path }) => path),
  );
  for (const [i, { path, mode }] of regular.entries()) {
    const oid = hashes[i];
    states.set(path, oid === undefined ? { kind: "missing" } : { kind: "blob", mode, oid });
  }
  return states;
}

/** Whether a file is the blob of one side of a change. Where the user's git ignores executable bits, so do we. */
export function isBlob(repository: Repository, state: FileState | undefined, side: RawChange["to"]): boolean {
  if (state?.kind !== "blob" || state.oid !== side.oid) return false;
  const ignoresBits = configValue(repository.config, "core.filemode") === "false";
  return (
    state.mode === side.mode || (ignoresBits && state.mode.startsWith("100") && side.mode.startsWith("100"))
  );
}

async function hashFiles(
  repository: Repository,
  worktree: UserWorktree,
  paths: readonly RawPath[],
): Promise<string[]> {
  if (paths.length === 0) return [];
  const index = `${worktree.gitDir}/index`;
  const hash = (args: string[], stdin: Buffer) => callUser(repository.git, worktree, index, { args, stdin });
  // One path a line, and a quote at the start of one begins a quoted name: those go alone.
  if (!paths.some((path) => /^"|\n/.test(path))) {
    const stdin = Buffer.from(paths.map((path) => `${path}\n`).join(""), "latin1");
    return linesOf(await hash(["hash-object", "--stdin-paths"], stdin));
  }
  const alone = paths.map((path) =>
    hash(["hash-object", "--", Buffer.from(path, "latin1").toString("utf8")], Buffer.alloc(0)),
  );
  return (await Promise.all(alone)).flatMap(linesOf);
}

function hashBlob({ objectFormat }: Repository, content: Buffer): string {
  return createHash(objectFormat).update(`blob ${content.length}\0`).update(content).digest("hex");
}
