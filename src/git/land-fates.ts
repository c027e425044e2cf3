// What became of each path of a landing that was cut off.
//
// `read-tree -m -u` takes its steps in one order: first it deletes, then it writes, each by path, and last the index. So
// what is done, and not so any more, was undone by the user; and only the next step can be half done. A file that is
// missing anywhere else was deleted by the user, and stays deleted.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { GITLINK, parseRaw, type RawChange } from "./diff.ts";
import { exists } from "./files.ts";
import { type FileState, hiddenPaths, isBlob, readFileStates } from "./land-precheck.ts";
import { type BegunLanding, type LandRecord, temporaryIndex } from "./land-record.ts";
import { callUser } from "./landing.ts";
import { below, type RawPath, shown } from "./raw-path.ts";
import type { Shadow } from "./shadow.ts";

export type PathFate =
  | "before"
  | "after"
  /** Missing, or the beginning of what it was to be: git was writing it. */
  | "torn"
  /** Changed by the user. */
  | "users"
  /** As after, and so it was before: the user's own doing. */
  | "adopted"
  /** Not in the worktree, by sparse rules or because the user told git not to look. */
  | "hidden"
  /** A submodule: only the index knows it. */
  | "unseen";

export type Fates = ReadonlyMap<RawPath, PathFate>;

export function withFate(fates: Fates, ...wanted: readonly PathFate[]): RawPath[] {
  return [...fates].filter(([, fate]) => wanted.includes(fate)).map(([path]) => path);
}

export async function readFates(
  shadow: Shadow,
  record: BegunLanding,
  changes: readonly RawChange[],
): Promise<Fates> {
  const { git } = shadow.repository;
  const { worktree } = record;
  const listed = await callUser(git, worktree, join(worktree.gitDir, "index"), {
    args: ["ls-files", "-v", "-z"],
  });
  const hidden = hiddenPaths(listed.stdout);
  const states = await readFileStates(
    shadow.repository,
    worktree,
    changes.map(({ path }) => path),
  );
  const adopted = new Set(record.adopted);
  const fates = new Map<RawPath, PathFate>();
  for (const change of changes) {
    const { path, from, to } = change;
    const isLink = from.mode === GITLINK || to.mode === GITLINK;
    const fate = isLink
      ? "unseen"
      : hidden.has(path)
        ? "hidden"
        : await fateOf(shadow, record, change, states.get(path));
    fates.set(path, fate === "after" && adopted.has(path) ? "adopted" : fate);
  }
  return inOrder(shadow, record) ? inStep(fates, changes, await isWritten(shadow, record, changes)) : fates;
}

/** Whether git can only have stopped between two steps. A filter that is a process may write its files late. */
function inOrder({ repository }: Shadow, { torn }: BegunLanding): boolean {
  return torn === "one" && !repository.config.some(({ key }) => /^filter\..*\.process$/.test(key));
}

/** Tells what the user undid from what git had not come to. */
function inStep(fates: Fates, changes: readonly RawChange[], isDone: boolean): Fates {
  const deletions = changes.filter(({ status }) => status === "D");
  const steps = [...deletions, ...changes.filter(({ status }) => status !== "D")].map(({ path }) => path);
  const last = isDone ? steps.length : steps.findLastIndex((path) => fates.get(path) === "after");
  const open = (path: RawPath) => fates.get(path) === "before" || fates.get(path) === "torn";
  const next = steps.findIndex((path, i) => i > last && open(path));
  const users = steps.filter(
    (path, i) => open(path) && (i < last || (fates.get(path) === "torn" && i !== next)),
  );
  return new Map([...fates, ...users.map((path) => [path, "users"] as const)]);
}

/** Whether git had come to the end: the index is its last step. */
async function isWritten(
  shadow: Shadow,
  record: BegunLanding,
  changes: readonly RawChange[],
): Promise<boolean> {
  const index = temporaryIndex(record);
  if (await isIndexAfter(shadow, record, changes)) return true;
  if (!(await exists(index))) return false;
  const staged = await stagedIn(shadow, record, index);
  const adopted = new Set(record.adopted);
  const own = changes.filter(({ path }) => !adopted.has(path));
  // Each of them: a repair enters those that it finds written.
  return own.length > 0 && own.every(({ path, to }) => staged.get(path) === to.oid);
}

async function fateOf(
  shadow: Shadow,
  record: BegunLanding,
  change: RawChange,
  state: FileState | undefined,
): Promise<PathFate> {
  const { status, from, to } = change;
  const { repository } = shadow;
  // A folder in the place of a file belongs to the side that has no file there.
  const isNone = state?.kind === "missing" || (state?.kind === "other" && state.isFolder);
  if (status !== "D" && isBlob(repository, state, to)) return "after";
  if (status !== "A" && isBlob(repository, state, from)) return "before";
  if (isNone) return status === "D" ? "after" : status === "A" ? "before" : "torn";
  const sides = record.torn === "any" ? [from, to] : [to]; // an undoing writes the old content
  for (const side of sides) if (await isBeginning(shadow, record, { path: change.path, side })) return "torn";
  return "users";
}

/** The beginning of the content of one side, as filters and line ends would write it. */
async function isBeginning(
  shadow: Shadow,
  { worktree }: LandRecord,
  { path, side }: { path: RawPath; side: RawChange["to"] },
): Promise<boolean> {
  if (/^0+$/.test(side.oid)) return false; // that side has no such file
  const { git } = shadow.repository;
  const found = await readFile(below(worktree.path, path)).catch(() => null); // no file
  if (found === null) return false;
  const args = ["cat-file", "--filters", `--path=${shown(path)}`, side.oid];
  const { stdout } = await callUser(git, worktree, join(worktree.gitDir, "index"), { args });
  return found.length < stdout.length && stdout.subarray(0, found.length).equals(found);
}

/** Whether the new index was put in place. */
export async function isIndexAfter(
  shadow: Shadow,
  record: BegunLanding,
  changes: readonly RawChange[],
): Promise<boolean> {
  const staged = await stagedIn(shadow, record, join(record.worktree.gitDir, "index"));
  const adopted = new Set(record.adopted);
  return changes.some(({ path, to }) => !adopted.has(path) && staged.get(path) === to.oid);
}

/** What an index has that the commit before the landing has not. */
async function stagedIn(
  { repository }: Shadow,
  { worktree, from }: LandRecord,
  index: string,
): Promise<Map<RawPath, string>> {
  const args = ["diff-index", "--cached", "-z", "--raw", "--no-renames", from];
  const { stdout } = await callUser(repository.git, worktree, index, { args });
  return new Map(parseRaw(stdout).map((change) => [change.path, change.to.oid]));
}
