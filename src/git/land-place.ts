// Where the target branch is in use: the worktrees that have it checked out, and those in the middle of something with it
// whose HEAD is detached meanwhile (a rebase, a bisect), which git's own list does not show.

import { readdir, readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { RefName } from "../core/ids.ts";
import { ifMissing } from "../util/errno.ts";
import { isRealFolder } from "./files.ts";
import type { UserWorktree } from "./landing.ts";
import { refCall, shortName } from "./refs.ts";
import type { Repository } from "./repository.ts";

export type TargetUse =
  | { readonly kind: "checked-out"; readonly worktree: UserWorktree }
  /** In git's books, but its folder is gone. */
  | { readonly kind: "missing"; readonly path: string }
  | { readonly kind: "in-progress"; readonly path: string; readonly operation: "rebase" | "bisect" | "move" };

/** Slots of plait are left out, whatever an agent checked out there. */
export async function findUses(repository: Repository, target: RefName): Promise<TargetUse[]> {
  const [listed, gitDirs] = await Promise.all([listWorktrees(repository), findGitDirs(repository)]);
  const uses: TargetUse[] = [];
  for (const { path, branch, isOurs, isMain } of listed) {
    const gitDir = isMain ? repository.commonDir : gitDirs.get(path);
    if (isOurs) continue;
    // Listed and then not found: somebody moves or removes it just now.
    const operation =
      gitDir === undefined ? (branch === target ? "move" : null) : await operationOn(gitDir, target);
    if (operation !== null) uses.push({ kind: "in-progress", path, operation });
    else if (branch !== target || gitDir === undefined) continue;
    else if (await isRealFolder(path)) uses.push({ kind: "checked-out", worktree: { path, gitDir } });
    else uses.push({ kind: "missing", path });
  }
  return uses;
}

type Listed = {
  readonly path: string;
  readonly branch: string | null;
  readonly isOurs: boolean;
  /** git lists it first. */
  readonly isMain: boolean;
};

/** A bare repository itself is no worktree. */
async function listWorktrees(repository: Repository): Promise<Listed[]> {
  const { stdout } = await refCall(repository, ["worktree", "list", "--porcelain", "-z"]);
  const records = stdout
    .toString("utf8")
    .split("\0\0")
    .filter((record) => record !== "");
  return records.flatMap((record, i): Listed[] => {
    const lines = record.split("\0").filter((line) => line !== "");
    const field = (key: string) =>
      lines.find((line) => line.startsWith(`${key} `))?.slice(key.length + 1) ?? null;
    if (lines.includes("bare")) return [];
    const isOurs = /^plait /.test(field("locked") ?? "");
    return [{ path: field("worktree") ?? "", branch: field("branch"), isOurs, isMain: i === 0 }];
  });
}

/** The git dir of each linked worktree, by its path. */
async function findGitDirs({ commonDir }: Repository): Promise<Map<string, string>> {
  const folder = join(commonDir, "worktrees");
  const ids = await readdir(folder).catch(ifMissing([]));
  const pairs = ids.map(async (id) => {
    const pointer = await readFile(join(folder, id, "gitdir"), "utf8").catch(() => ""); // being made or removed
    return [dirname(resolve(folder, id, pointer.trim())), join(folder, id)] as const;
  });
  return new Map(await Promise.all(pairs));
}

async function operationOn(gitDir: string, target: RefName): Promise<"rebase" | "bisect" | null> {
  const read = (name: string) =>
    readFile(join(gitDir, name), "utf8").then(
      (text) => text.trim(),
      () => "",
    ); // none under way
  const [merge, apply, bisect] = await Promise.all(
    ["rebase-merge/head-name", "rebase-apply/head-name", "BISECT_START"].map(read),
  );
  if (merge === target || apply === target) return "rebase";
  return bisect === shortName(target) || bisect === target ? "bisect" : null;
}
