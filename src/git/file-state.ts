// Files of the user's worktree as git would store them: to tell whether what is there is what is to come.

import { createHash } from "node:crypto";
import { lstat, readlink } from "node:fs/promises";
import { configValue } from "./config.ts";
import type { RawChange } from "./diff.ts";
import { callUser, type UserWorktree } from "./landing.ts";
import { below, type RawPath } from "./raw-path.ts";
import type { Repository } from "./repository.ts";
import { linesOf } from "./run.ts";

export type FileState =
  | { readonly kind: "missing" }
  | { readonly kind: "blob"; readonly mode: string; readonly oid: string }
  /** A folder, a pipe: nothing that a blob could be. */
  | { readonly kind: "other"; readonly isFolder: boolean };

export type FileStates = ReadonlyMap<RawPath, FileState>;

/** The user's filters and line ends apply, as they would in `git add`. */
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
