// Files of a worktree that match patterns, copied into the run folder, also when git ignores them. Links are never followed, so
// nothing from outside comes along. What is too much is left out, and said (I10).

import { constants } from "node:fs";
import { type FileHandle, mkdir, open, opendir, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type AttemptId, splitAttemptId } from "../../core/ids.ts";
import { compile } from "../../core/ownership/compile.ts";
import { matcher } from "../../core/ownership/match.ts";
import type { PathPattern } from "../../core/ownership/pattern.ts";
import { onErrno } from "../../util/errno.ts";
import { writeWhole } from "./run-folder.ts";

/** What was copied, and what was not. */
export type Collected = {
  /** The folder that holds them. */
  readonly folder: string;
  readonly files: readonly CollectedFile[];
  /** Files that match and are not here, and why, one sentence each. */
  readonly leftOut: { readonly files: number; readonly why: readonly string[] };
};

export type CollectedFile = { readonly path: string; readonly bytes: number };

export type CollectCaps = {
  /** Of one folder. */
  readonly files: number;
  readonly bytes: number;
  /** Of all folders of the run. */
  readonly runBytes: number;
  /** Files and folders that are looked at. */
  readonly looks: number;
};

export const MIB = 1024 * 1024;

export type ToCollect = {
  /** The root of the worktree. */
  readonly from: string;
  readonly patterns: readonly PathPattern[];
  /** Where they are copied to; what was copied there before goes. */
  readonly folder: string;
  /** Of those that match, which are meant. */
  readonly meant?: (paths: readonly string[]) => Promise<readonly string[]>;
  /** What the run has kept so far, in bytes, without this folder. */
  readonly used: () => Promise<number>;
};

/** Null where nothing matches. */
export async function collectFiles(
  { from, patterns, folder, meant, used }: ToCollect,
  caps: CollectCaps,
): Promise<Collected | null> {
  await rm(folder, { recursive: true, force: true });
  await rm(`${folder}.json`, { force: true });
  const found = await findFiles(from, patterns, caps.looks);
  const paths = meant === undefined ? found.paths : await meant(found.paths);
  if (paths.length === 0) return null;
  const runBytes = caps.runBytes - (await used());
  const copied = await copyAll({ from, folder, paths }, { ...caps, runBytes });
  const cut = found.isCut ? [`only the first ${caps.looks} files were checked`] : [];
  const leftOut = { files: paths.length - copied.files.length, why: [...new Set([...copied.why, ...cut])] };
  await makeFolder(dirname(folder));
  await writeWhole(`${folder}.json`, `${JSON.stringify({ files: copied.files, leftOut })}\n`);
  return { folder, files: copied.files, leftOut };
}

/** Where what is kept of an attempt is, of one kind. */
export function attemptFolder(runDir: string, kind: "artifacts" | "reports", attempt: AttemptId): string {
  const { task, n } = splitAttemptId(attempt);
  return join(runDir, kind, task, String(n));
}

/** For its user alone. */
export async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
}

/** What was copied to a folder; null where nothing was. */
export async function collectedIn(folder: string): Promise<Collected | null> {
  const text = await readFile(`${folder}.json`, "utf8").catch(missing(null));
  return text === null ? null : { folder, ...(JSON.parse(text) as Omit<Collected, "folder">) }; // written whole, above
}

type Found = { readonly paths: readonly string[]; readonly isCut: boolean };

/** Regular files below the root that a pattern covers, in the order of their names. */
export async function findFiles(
  root: string,
  patterns: readonly PathPattern[],
  looks: number,
): Promise<Found> {
  const isMeant = patterns.map((pattern) => matcher(pattern));
  const prefixes = patterns.flatMap((pattern) => compile(pattern).map(({ prefix }) => prefix));
  const paths: string[] = [];
  let left = looks;
  const walk = async (folder: string): Promise<void> => {
    const below: string[] = [];
    const entries = await opendir(join(root, folder)).catch(missing(null));
    if (entries === null) return;
    for await (const entry of entries) {
      left -= 1;
      if (left < 0) break;
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      // A link is neither a folder nor a file here, wherever it leads.
      if (entry.isDirectory() && mayHold(path, prefixes)) below.push(path);
      else if (entry.isFile() && isMeant.some((matches) => matches(path) === true)) paths.push(path);
    }
    for (const path of below.sort()) if (left > 0) await walk(path);
  };
  await walk("");
  return { paths: paths.sort(), isCut: left <= 0 };
}

const LARGE = new Set(["node_modules", ".git"]);

/** Whether a pattern can cover something below the folder; installed packages only where the pattern names their folder. */
function mayHold(folder: string, prefixes: readonly string[]): boolean {
  const top = `${folder}/`;
  const name = folder.slice(folder.lastIndexOf("/") + 1);
  return prefixes.some(
    (prefix) =>
      prefix.startsWith(top) || (top.startsWith(prefix) && (!LARGE.has(name) || prefix.includes(name))),
  );
}

type Copied = { readonly files: readonly CollectedFile[]; readonly why: readonly string[] };
type ToCopy = { readonly from: string; readonly folder: string; readonly paths: readonly string[] };

async function copyAll({ from, folder, paths }: ToCopy, caps: CollectCaps): Promise<Copied> {
  const files: CollectedFile[] = [];
  const why: string[] = [];
  let room = Math.min(caps.bytes, caps.runBytes);
  for (const path of paths) {
    if (files.length >= caps.files) {
      why.push(`more than ${caps.files} files`);
      break;
    }
    const bytes = await copyOne(join(from, path), join(folder, path), room);
    if (bytes === "too-large")
      why.push(room < caps.bytes && room === caps.runBytes ? RUN_FULL : tooLarge(caps));
    if (bytes === "unreadable") why.push("some are unreadable");
    if (typeof bytes === "string") continue;
    files.push({ path, bytes });
    room -= bytes;
  }
  return { files, why: [...new Set(why)] };
}

const RUN_FULL = "the limit of the run is reached";
const tooLarge = ({ bytes }: CollectCaps): string => `more than ${Math.round(bytes / MIB)} MiB together`;

/** Opened without following a link, in case one took the place of the file since it was found. */
async function copyOne(from: string, to: string, room: number): Promise<number | "too-large" | "unreadable"> {
  const source = await open(from, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => null,
  );
  if (source === null) return "unreadable";
  try {
    const { size, isFile } = await source.stat().then((stat) => ({ size: stat.size, isFile: stat.isFile() }));
    if (!isFile) return "unreadable";
    if (size > room) return "too-large";
    await makeFolder(dirname(to));
    const target = await open(to, "wx", 0o600);
    try {
      await copyBytes(source, target, size);
    } finally {
      await target.close();
    }
    return size;
  } finally {
    await source.close();
  }
}

const CHUNK_BYTES = 256 * 1024;

async function copyBytes(source: FileHandle, target: FileHandle, size: number): Promise<void> {
  const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, size));
  for (let at = 0; at < size; ) {
    const { bytesRead } = await source.read(chunk, 0, Math.min(chunk.length, size - at), at);
    if (bytesRead === 0) return;
    await target.write(chunk, 0, bytesRead);
    at += bytesRead;
  }
}

/** What is not there, or not for us to see. */
export function missing<T>(nothing: T): (error: unknown) => T {
  return onErrno({ ENOENT: nothing, ENOTDIR: nothing, EACCES: nothing });
}
