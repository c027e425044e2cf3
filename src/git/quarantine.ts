// The way back of what an attempt committed in a repository of its own. Its objects are taken out of its reach as plain files, packed
// from there, and every one of them is checked before it enters the user's repository: its name, its form, and that all it refers to
// is there. Its git dir is never a git dir of ours: what is planted in its config or in its place runs nowhere.

import { copyFile, link, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Oid, oid } from "../core/ids.ts";
import { errnoOf } from "../util/errno.ts";
import { GitError, type GitFailure } from "./failure.ts";
import { listFolders } from "./files.ts";
import { retryGit } from "./retry-git.ts";
import { linesOf } from "./run.ts";
import { callShadow, type Shadow } from "./shadow.ts";

export type Quarantine = {
  readonly folder: string;
  /** All commits that were made there, or brought there. */
  readonly commits: readonly Oid[];
  /** How many objects there are. */
  readonly size: number;
};

/** Null: nothing was made there. */
export async function openQuarantine(
  shadow: Shadow,
  gitDir: string,
  folder: string,
): Promise<Quarantine | null> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (!(await takeObjects(join(gitDir, "objects"), folder))) return null;
  const args = [
    "cat-file",
    "--batch-all-objects",
    "--unordered",
    "--batch-check=%(objecttype) %(objectname)",
  ];
  const listed = linesOf(await callShadow({ ...shadow, objects: folder }, { args, timeoutMs: LIMIT_MS }));
  const commits = listed.flatMap((line) => (line.startsWith("commit ") ? [oid(line.slice(7))] : []));
  // Only now: what is listed with them is what the user has.
  await mkdir(join(folder, "info"), { recursive: true });
  await writeFile(join(folder, "info", "alternates"), `${join(shadow.repository.commonDir, "objects")}\n`);
  return { folder, commits, size: listed.length };
}

/** An object that never ends to be read must not hold a save. */
const LIMIT_MS = 5 * 60_000;
/** As git fetches: a few objects are written one by one, more stay together in a pack. */
const UNPACKED = 100;

/** Brings the commits and what they need into the repository. Answers with why that was refused, or null. */
export async function importCommits(
  shadow: Shadow,
  { folder, size }: Quarantine,
  { commits, base }: { readonly commits: readonly Oid[]; readonly base: Oid },
): Promise<string | null> {
  if (commits.length === 0) return null;
  const packs = join(folder, "out");
  await mkdir(packs, { recursive: true });
  const packCommits = async (): Promise<void> => {
    const stdin = `${commits.join("\n")}\n--not\n${base}\n`;
    const args = ["pack-objects", "-q", "--revs", "--local", "--delta-base-offset", join(packs, "pack")];
    await callShadow({ ...shadow, objects: folder }, { args, stdin, timeoutMs: LIMIT_MS });
  };
  const takePack = async (name: string): Promise<void> => {
    const path = join(packs, name);
    const input = { stdinFile: path, timeoutMs: LIMIT_MS, durable: "batch" } as const;
    if (size > UNPACKED) await callShadow(shadow, { args: ["index-pack", "--strict", "--stdin"], ...input });
    else {
      // All is checked before any of it is written, and against what the user has: not against what lies beside it.
      const check = ["index-pack", "--strict", "-o", `${path}.checked.idx`, path];
      await callShadow(shadow, { args: check, timeoutMs: LIMIT_MS });
      await callShadow(shadow, { args: ["unpack-objects", "-q"], ...input });
    }
  };
  try {
    // What it says of a bad object is no other than what a git says that fails once; and all of it may be repeated.
    await retryGit(packCommits);
    const names = (await readdir(packs)).filter((name) => name.endsWith(".pack"));
    for (const name of names) await retryGit(() => takePack(name));
    return null;
  } catch (error) {
    if (!(error instanceof GitError) || IS_OURS.has(error.failure.reason)) throw error;
    return error.failure.stderr.trim().split("\n").at(-1) ?? "";
  }
}

/** Nothing that an object can be to blame for. */
const IS_OURS: ReadonlySet<GitFailure["reason"]> = new Set(["no-git", "no-space", "busy", "lock-contention"]);

/** Links, pipes and whatever else is no object stays where it is. Says whether there was any. */
async function takeObjects(from: string, to: string): Promise<boolean> {
  let count = 0;
  for (const name of await listFolders(from)) {
    const pattern = name === "pack" ? PACK : /^[0-9a-f]{2}$/.test(name) ? LOOSE : null;
    if (pattern === null) continue;
    const files = (await readdir(join(from, name), { withFileTypes: true })).filter(
      (entry) => entry.isFile() && pattern.test(entry.name),
    );
    if (files.length > 0) await mkdir(join(to, name), { recursive: true });
    for (const file of files) await takeFile(join(from, name, file.name), join(to, name, file.name));
    count += files.length;
  }
  return count > 0;
}

const PACK = /^pack-[0-9a-f]{40}(?:[0-9a-f]{24})?\.(?:pack|idx)$/;
const LOOSE = /^[0-9a-f]{38}(?:[0-9a-f]{24})?$/;

/** Worktrees may lie on another disk than the repository. */
async function takeFile(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return;
    if (errnoOf(error) !== "EXDEV" && errnoOf(error) !== "EPERM" && errnoOf(error) !== "EMLINK") throw error;
    await copyFile(from, to);
  }
}
