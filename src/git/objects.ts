// Commits, trees and texts, looked at when a run is over: what its tasks changed, and what a tree holds now. By git without any
// configuration, since that may be an agent's work by then. What is not here (pruned, cut off by a shallow clone, never fetched) is
// null and no failure.

import { type Oid, oid } from "../core/ids.ts";
import { blobSizes, readBlobs } from "./blobs.ts";
import { type ChangedPath, changedPath, parseRaw } from "./diff.ts";
import { isGitFailure } from "./failure.ts";
import { type PlainGit, withPlainGit } from "./plain.ts";
import { rawFields, shown, splitEntry } from "./raw-path.ts";
import type { Repository } from "./repository.ts";
import { linesOf } from "./run.ts";

/** A file of a tree: neither a link nor a repository inside. */
export type TreeFile = { readonly path: string; readonly oid: string; readonly bytes: number };

/** What stands at a path, links and repositories inside too: its mode and its object. Two that are equal are the same. */
export type TreeEntry = string;

/** A path that differs between two commits, with the object on each side; null where there is no plain file. */
export type TreeChange = ChangedPath & {
  readonly before: string | null;
  readonly after: string | null;
  /** What stood there before, whatever it was; null: nothing. */
  readonly was: TreeEntry | null;
};

export type Tree = {
  /** Sorted. */
  readonly files: readonly TreeFile[];
  /** By path, all of them. */
  readonly entries: ReadonlyMap<string, TreeEntry>;
};

export type LoggedCommit = {
  readonly commit: Oid;
  /** Empty also where a shallow clone is cut off. */
  readonly parents: readonly Oid[];
  readonly subject: string;
  /** As its message says; a squash has several. */
  readonly named: readonly NamedTask[];
  /** A commit of a pull request that became part of this one names no task. */
  readonly hasUnnamedPart: boolean;
};

/** Commits that `to` has, and none of `not` has. */
export type CommitRange = { readonly to: Oid; readonly not: readonly Oid[] };

export type LogOptions = {
  readonly firstParent?: boolean;
  /** Only those whose message names a task. */
  readonly naming?: boolean;
  /** Only those that changed this file, or something in this folder. */
  readonly path?: string;
};

export type Objects = ReturnType<typeof objectsOf>;

export function withObjects<T>(repository: Repository, work: (objects: Objects) => Promise<T>): Promise<T> {
  return withPlainGit(repository, (git) => work(objectsOf(git)));
}

function objectsOf(git: PlainGit) {
  return {
    /** All of it, or `only` these paths where they are given. */
    tree: (commit: Oid, only: readonly string[] = []): Promise<Tree | null> =>
      orNull(() => treeOf(git, commit, only)),
    /** By name; what is not here is left out. All are in memory at once: ask for few. */
    blobs: (names: readonly string[]): Promise<ReadonlyMap<string, Buffer>> => readBlobs(git, names),
    /** Null: it is not here, or has more bytes. */
    blob: async (name: string, maxBytes: number): Promise<Buffer | null> => {
      const bytes = (await blobSizes(git, [name])).get(name) ?? Number.POSITIVE_INFINITY;
      return bytes > maxBytes ? null : ((await readBlobs(git, [name])).get(name) ?? null);
    },
    changes: (from: Oid, to: Oid): Promise<readonly TreeChange[] | null> =>
      orNull(() => treeChanges(git, from, to)),
    isAncestor: async (ancestor: Oid, of: Oid): Promise<boolean> =>
      (await mergeBases(git, ancestor, of)).includes(ancestor),
    /** Null where there is none, or more than one. */
    mergeBase: async (a: Oid, b: Oid): Promise<Oid | null> => {
      const [base, ...others] = await mergeBases(git, a, b);
      return base === undefined || others.length > 0 ? null : base;
    },
    /** Newest first. */
    log: (range: CommitRange, options: LogOptions = {}): Promise<readonly LoggedCommit[] | null> =>
      orNull(() => logged(git, range, options)),
    commit: async (name: Oid): Promise<LoggedCommit | null> =>
      (await orNull(() => logOf(git, ["--no-walk", name, "--"])))?.[0] ?? null,
  };
}

async function orNull<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (isGitFailure(error, "not-found", "corrupt")) return null;
    throw error;
  }
}

async function treeOf(git: PlainGit, commit: Oid, only: readonly string[]): Promise<Tree> {
  const args = ["ls-tree", "-r", "-z", "--long", "--full-tree", commit, "--", ...only];
  const { stdout } = await git({ args });
  const files: TreeFile[] = [];
  const entries = new Map<string, TreeEntry>();
  for (const line of rawFields(stdout)) {
    const { words, path: raw } = splitEntry(line);
    const [mode = "", , name = "", size = ""] = words;
    const path = shown(raw);
    entries.set(path, entry(mode, name));
    if (isFile(mode)) files.push({ path, oid: name, bytes: Number(size) });
  }
  return { files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), entries };
}

const entry = (mode: string, name: string): TreeEntry => `${mode} ${name}`;

const isFile = (mode: string): boolean => mode.startsWith("100");

/** Renames are off: the question is which paths were touched. */
async function treeChanges(git: PlainGit, from: Oid, to: Oid): Promise<TreeChange[]> {
  const { stdout } = await git({ args: ["diff-tree", "-r", "-z", "--raw", "--no-renames", from, to] });
  return parseRaw(stdout).map((change) => ({
    ...changedPath(change),
    before: isFile(change.from.mode) ? change.from.oid : null,
    after: isFile(change.to.mode) ? change.to.oid : null,
    was: change.status === "A" ? null : entry(change.from.mode, change.from.oid),
  }));
}

async function mergeBases(git: PlainGit, a: Oid, b: Oid): Promise<Oid[]> {
  if (a === b) return [a];
  const found = await orNull(() => git({ args: ["merge-base", "--all", a, b], allow: [1] }));
  return found === null ? [] : linesOf(found).map(oid);
}

/** More than any run has, and less than memory. */
const MOST_COMMITS = 20_000;

function logged(
  git: PlainGit,
  { to, not }: CommitRange,
  { firstParent = false, naming = false, path }: LogOptions,
): Promise<LoggedCommit[]> {
  return logOf(git, [
    ...(firstParent ? ["--first-parent"] : []),
    ...(naming ? ["--extended-regexp", `--grep=^${TASK_LINE}`] : []),
    ...["-n", String(MOST_COMMITS), to, ...not.map((name) => `^${name}`)],
    ...["--", ...(path === undefined ? [] : [path])],
  ]);
}

const FORMAT = ["%H", "%P", "%s", "%B"].join("%x00");
const FIELDS = 4;

async function logOf(git: PlainGit, args: readonly string[]): Promise<LoggedCommit[]> {
  const config = ["i18n.logOutputEncoding=UTF-8"];
  const { stdout } = await git({ args: ["log", "-z", `--format=${FORMAT}`, ...args], config });
  const fields = stdout.toString("utf8").split("\0");
  return Array.from({ length: Math.floor(fields.length / FIELDS) }, (_, i) => {
    const at = i * FIELDS;
    const [commit = "", parents = "", subject = "", message = ""] = fields.slice(at, at + FIELDS);
    return {
      commit: oid(commit),
      parents: parents.split(" ").filter(Boolean).map(oid),
      subject,
      named: namedTasks(message),
      hasUnnamedPart: hasUnnamedPart(message),
    };
  });
}

type NamedTask = {
  readonly task: string;
  /** As the same paragraph says; null: a person wrote it. */
  readonly run: string | null;
};

/** What a line that names a task begins with, for `git log --grep`. */
const TASK_LINE = "[[:space:]>*-]*Plait-Task:[[:space:]]";

const LINE = /^[\s>*-]*Plait-(Task|Run):[ \t]+(\S+)\s*$/;

/**
 * Which tasks a commit is of, by its message. plait writes trailers; servers that make one commit of many put all
 * messages one after another, in lists or indented, so lines count wherever they stand. Each once for each run, in their
 * order.
 */
export function namedTasks(message: string): NamedTask[] {
  const found = new Map<string, NamedTask>();
  for (const paragraph of message.split(/\n[\s>]*\n/)) {
    const lines = paragraph.split("\n").flatMap((line) => {
      const [, key, value] = LINE.exec(line) ?? [];
      return key === undefined || value === undefined ? [] : [{ key, value }];
    });
    let run = lines.find(({ key }) => key === "Run")?.value ?? null;
    for (const { key, value } of lines) {
      if (key === "Run") run = value;
      else found.set(`${value} ${run}`, { task: value, run });
    }
  }
  return [...found.values()];
}

/**
 * A server lists the commits of a pull request as `* subject`, each with its body below. One without a task was made by a person, and what it
 * changed is in the same commit as the work of tasks. A list inside of a body has its lines together.
 */
export function hasUnnamedPart(message: string): boolean {
  const [, ...parts] = message.replaceAll("\r", "").split(/\n[ \t]*\n\* (?=[^\n]*(?:\n[ \t]*\n|\s*$))/);
  return parts.some((part) => namedTasks(part).length === 0);
}
