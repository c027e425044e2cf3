// Which files change together, from the history: what people touched in one go, they will touch in one go again.

import { GitError } from "./failure.ts";
import { type RawPath, rawFields, shown } from "./raw-path.ts";
import type { Git } from "./run.ts";
import { listTracked } from "./tracked.ts";

/** What one commit touched, by the names that the files have today. Files that are gone are in none. */
export type CommitFiles = {
  readonly changed: readonly string[];
  /** Those of them that came into being with it. */
  readonly added: readonly string[];
};

export type History = { readonly commits: readonly CommitFiles[] };

/** Older ones tell of another project. */
const MOST_COMMITS = 2_000;
/** More than this is a reformatting or an import, which says nothing about any two files. */
const MOST_FILES = 50;
/** Pairs of files that git compares for a rename with changes. */
const RENAME_LIMIT = 200;
const TIME_LIMIT_MS = 20_000;

/** Newest first. Null where there is no history that can be read: it is a forecast, and nobody waits or fails for it. */
export async function readHistory(git: Git, folder: string): Promise<History | null> {
  try {
    const tracked = await listTracked(git, folder);
    if (tracked === null) return null;
    const call = { cwd: folder, timeoutMs: TIME_LIMIT_MS, env: { GIT_NO_LAZY_FETCH: "1" } };
    const list = ["rev-list", "--no-merges", "-n", String(MOST_COMMITS), "HEAD"];
    const { stdout: stdin } = await git({ ...call, args: list });
    // Of a first commit nothing is told: it has everything, and so does the last one of a shallow clone.
    const diff = ["diff-tree", "--stdin", "-r", "-z", "-M", `-l${RENAME_LIMIT}`, "--name-status"];
    const { stdout } = await git({ ...call, args: diff, stdin });
    return { commits: commitsIn(rawFields(stdout), new Set(tracked.files.map(({ path }) => path))) };
  } catch (error) {
    if (error instanceof GitError) return null; // too slow, objects that are not here, a broken repository
    throw error;
  }
}

/**
 * Follows each file back in time. `names` has, at the time of the commit that is read, what a path is called today; null where
 * it was another file that is gone.
 */
function commitsIn(fields: readonly RawPath[], tracked: ReadonlySet<string>): CommitFiles[] {
  const commits: CommitFiles[] = [];
  const names = new Map<RawPath, string | null>();
  for (let at = 0; at < fields.length; ) {
    const changes: Change[] = [];
    at += 1; // the commit
    while (at < fields.length && !COMMIT.test(fields[at] as string)) {
      const status = (fields[at] as string).charAt(0);
      const [path, renamed] = [fields[at + 1] as RawPath, fields[at + 2] as RawPath];
      const isRename = status === "R";
      changes.push(isRename ? { status, path: renamed, from: path } : { status, path, from: null });
      at += isRename ? 3 : 2;
    }
    const files = filesOf(changes, names);
    if (changes.length > MOST_FILES) continue; // its renames count all the same
    const isAlive = (name: string) => tracked.has(name);
    const commit = { changed: files.changed.filter(isAlive), added: files.added.filter(isAlive) };
    if (commit.changed.length > 0) commits.push(commit);
  }
  return commits;
}

const COMMIT = /^[0-9a-f]{40,64}$/;

type Change = { readonly status: string; readonly path: RawPath; readonly from: RawPath | null };

function filesOf(changes: readonly Change[], names: Map<RawPath, string | null>): CommitFiles {
  const named = changes.map((change) => {
    const known = names.get(change.path);
    return { ...change, name: known === undefined ? shown(change.path) : known };
  });
  // Before this commit these were nothing, or other files; two may have swapped their names.
  for (const { status, path, from } of changes) {
    if (status === "A" || status === "D" || from !== null) names.set(path, null);
  }
  for (const { from, name } of named) if (from !== null) names.set(from, name);
  const of = (isMeant: (status: string) => boolean) =>
    named.flatMap(({ status, name }) => (name !== null && isMeant(status) ? [name] : []));
  return { changed: of((status) => status !== "D"), added: of((status) => status === "A") };
}
