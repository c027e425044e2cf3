// The user's checkout as command lines of other systems know it: they write files there, at places that they document. A file that
// git tracks is the user's work and never written over, nor is one that is there already and says something else (I3).

import { constants } from "node:fs";
import { copyFile, lstat, mkdir, readFile, rm } from "node:fs/promises";
import { dirname, extname, join, relative, sep } from "node:path";
import type { RefName } from "../core/ids.ts";
import type { Sentence } from "../core/text/sentence.ts";
import { createGit, openRepository, type Repository, trackedIn } from "../git/index.ts";
import { createGitSpawn } from "../process/git-spawn.ts";
import { errnoOrThrow } from "../util/errno.ts";
import { isThere, makeFolders } from "./folders.ts";
import type { Host } from "./host.ts";
import { writeInto } from "./safe-file.ts";

export type Checkout = {
  /** Of the work tree; null without a repository, or in a bare one. */
  readonly root: string | null;
  readonly head: "branch" | "detached" | null;
  readonly branch: RefName | null;
  /** Why no run can write here; null where one can. */
  readonly problem: { readonly message: string; readonly hint: Sentence } | null;
  readonly repository: Repository | null;
  /** Which of these absolute paths git tracks. */
  readonly tracked: (paths: readonly string[]) => Promise<ReadonlySet<string>>;
};

/**
 * Where a command about the folder `to` acts, if that is in another checkout than the one around `from`: the root of it. Null
 * where both are in the same, or the folder is in none.
 */
export async function otherCheckout(way: {
  readonly from: string;
  readonly to: string;
  readonly env: Host["env"];
}): Promise<string | null> {
  const look = (cwd: string) => lookAtCheckout({ cwd, env: way.env });
  const [here, there] = await Promise.all([look(way.from), look(way.to)]);
  return here.root === there.root ? null : there.root;
}

export async function lookAtCheckout({ cwd, env }: Pick<Host, "cwd" | "env">): Promise<Checkout> {
  const opened = await openRepository(createGit({ spawn: createGitSpawn(), env }), cwd);
  if (!opened.ok) {
    const { message, hint } = opened.refusal;
    const nothing = { root: null, head: null, branch: null, repository: null };
    return { ...nothing, problem: { message, hint }, tracked: async () => new Set() };
  }
  const { repository } = opened;
  return {
    root: repository.workTree,
    head: repository.head.kind,
    branch: repository.head.kind === "branch" ? repository.head.ref : null,
    problem: null,
    repository,
    tracked: (paths) => trackedAmong(repository, paths),
  };
}

/** A folder counts where anything in it does. */
async function trackedAmong(repository: Repository, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const { workTree } = repository;
  if (workTree === null) return new Set();
  const inside = paths.filter((path) => path.startsWith(`${workTree}${sep}`));
  if (inside.length === 0) return new Set();
  const ways = inside.map((path) => relative(workTree, path));
  const listed = await trackedIn(repository, workTree, ways);
  return new Set(
    inside.filter((_, i) => listed.some((one) => one === ways[i] || one.startsWith(`${ways[i]}/`))),
  );
}

/** For its user alone, and so is a folder that is made for it. A link in its place is not followed. Gives why it failed, or null. */
export async function writePrivately(
  path: string,
  text: string,
  how: "anew" | "append",
): Promise<string | null> {
  try {
    await makeFolders(dirname(path), 0o700);
    await writeInto(path, [text], how);
    return null;
  } catch (error) {
    const code = errnoOrThrow(error);
    return code === "ELOOP" ? "it is a symbolic link" : `cannot write it (${code})`;
  }
}

const MOST_NAMES = 100;

/** Copies a file to a place, or beside it where something else is. Where it is now; null where it could not be written. */
export async function copyBeside(
  from: string,
  to: string,
  tracked: ReadonlySet<string>,
): Promise<string | null> {
  const end = extname(to);
  const name = to.slice(0, to.length - end.length);
  try {
    await mkdir(dirname(to), { recursive: true });
    for (let n = 1; n <= MOST_NAMES; n += 1) {
      const path = n === 1 ? to : `${name}.${n}${end}`;
      if (await isSame(from, path)) return path;
      if (tracked.has(path) || (await isThere(path))) continue;
      await copyFile(from, path, constants.COPYFILE_EXCL);
      return path;
    }
  } catch (error) {
    errnoOrThrow(error);
  }
  return null;
}

/** Copies what is below a folder, over what an earlier run had put there; gives how many files. Tracked ones stay. */
export async function copyAllInto(
  files: readonly { readonly folder: string; readonly path: string }[],
  to: string,
  tracked: ReadonlySet<string>,
): Promise<number> {
  let copied = 0;
  for (const { folder, path } of files) {
    const target = join(to, path);
    if (!tracked.has(target) && (await copyOver(join(folder, path), target))) copied += 1;
  }
  return copied;
}

/** A link in its place goes, and what it leads to stays. */
async function copyOver(from: string, to: string): Promise<boolean> {
  try {
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    await rm(to, { force: true });
    await copyFile(from, to, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    errnoOrThrow(error);
    return false;
  }
}

async function isSame(a: string, b: string): Promise<boolean> {
  const found = await lstat(b).catch(() => null); // nothing is there
  if (found === null || !found.isFile()) return false;
  const [one, other] = await Promise.all([readFile(a), readFile(b)]);
  return one.equals(other);
}
