// What became of each path of a landing that was cut off.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { GITLINK, parseRaw, type RawChange } from "./diff.ts";
import { type FileState, isBlob, readFileStates } from "./file-state.ts";
import { hiddenPaths } from "./land-precheck.ts";
import type { BegunLanding, LandRecord } from "./land-record.ts";
import { callUser } from "./landing.ts";
import { below, type RawPath, shown } from "./raw-path.ts";
import type { Shadow } from "./shadow.ts";

export type PathFate =
  | "before"
  | "after"
  /** Missing, or the beginning of the new content: git was writing it. */
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
  return fates;
}

async function fateOf(
  shadow: Shadow,
  record: LandRecord,
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
  return status !== "D" && (await isBeginning(shadow, record, change)) ? "torn" : "users";
}

/** The beginning of the new content, as filters and line ends would write it. */
async function isBeginning(
  shadow: Shadow,
  { worktree }: LandRecord,
  { path, to }: RawChange,
): Promise<boolean> {
  const { git } = shadow.repository;
  const found = await readFile(below(worktree.path, path)).catch(() => null); // no file
  if (found === null) return false;
  const args = ["cat-file", "--filters", `--path=${shown(path)}`, to.oid];
  const { stdout } = await callUser(git, worktree, join(worktree.gitDir, "index"), { args });
  return found.length < stdout.length && stdout.subarray(0, found.length).equals(found);
}

/** Whether the new index was put in place. */
export async function isIndexAfter(
  shadow: Shadow,
  record: BegunLanding,
  changes: readonly RawChange[],
): Promise<boolean> {
  const { worktree, from } = record;
  const args = ["diff-index", "--cached", "-z", "--raw", "--no-renames", from];
  const call = await callUser(shadow.repository.git, worktree, join(worktree.gitDir, "index"), { args });
  const staged = new Map(parseRaw(call.stdout).map((change) => [change.path, change.to.oid]));
  const adopted = new Set(record.adopted);
  return changes.some(({ path, to }) => !adopted.has(path) && staged.get(path) === to.oid);
}
