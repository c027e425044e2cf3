// Files that a failed attempt left and that its plan wants to see (`artifacts`): a test report, a screenshot, a log. They are
// copied into the run folder before the worktree goes, from the worktree itself and from the tree where a gate was red, also
// when git ignores them. Links are never followed, so nothing from outside comes along. What is too much is left out, and said.

import { constants } from "node:fs";
import { type FileHandle, mkdir, open, opendir, readdir, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type AttemptId, splitAttemptId } from "../../core/ids.ts";
import { compile } from "../../core/ownership/compile.ts";
import { matcher } from "../../core/ownership/match.ts";
import type { PathPattern } from "../../core/ownership/pattern.ts";
import { errnoOf } from "../../util/errno.ts";
import { writeWhole } from "./run-folder.ts";

/** Where they come from: the worktree of the attempt, or the tree that a gate judged. */
export type ArtifactPlace = "work" | "gate";

/** What was copied of one place, and what was not. */
export type Artifacts = {
  readonly place: ArtifactPlace;
  /** The folder that holds them. */
  readonly folder: string;
  readonly files: readonly ArtifactFile[];
  /** Files that match and are not here, and why, one sentence each. */
  readonly leftOut: { readonly files: number; readonly why: readonly string[] };
};

export type ArtifactFile = { readonly path: string; readonly bytes: number };

export type ArtifactCaps = {
  /** Of one place of one attempt. */
  readonly files: number;
  readonly bytes: number;
  /** Of all attempts of the run. */
  readonly runBytes: number;
  /** Files and folders that are looked at. */
  readonly looks: number;
};

const MIB = 1024 * 1024;
const CAPS: ArtifactCaps = { files: 200, bytes: 50 * MIB, runBytes: 1024 * MIB, looks: 100_000 };

export type ToKeep = {
  readonly attempt: AttemptId;
  readonly place: ArtifactPlace;
  /** The root of the worktree. */
  readonly from: string;
  readonly patterns: readonly PathPattern[];
};

/** Copies what matches; what was copied of the same place before goes. Null where nothing matches. */
export async function keepArtifacts(
  runDir: string,
  { attempt, place, from, patterns }: ToKeep,
  caps: ArtifactCaps = CAPS,
): Promise<Artifacts | null> {
  if (patterns.length === 0) return null;
  const folder = join(attemptFolder(runDir, attempt), place);
  await rm(folder, { recursive: true, force: true });
  await rm(`${folder}.json`, { force: true });
  const found = await find(from, patterns, caps.looks);
  if (found.paths.length === 0) return null;
  const used = sum((await allArtifacts(runDir)).flatMap(({ files }) => files.map(({ bytes }) => bytes)));
  const copied = await copyAll(
    { from, folder, paths: found.paths },
    { ...caps, runBytes: caps.runBytes - used },
  );
  const why = [
    ...new Set([
      ...copied.why,
      ...(found.isCut ? [`only the first ${caps.looks} files were looked at`] : []),
    ]),
  ];
  const leftOut = { files: found.paths.length - copied.files.length, why };
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
  await writeWhole(`${folder}.json`, `${JSON.stringify({ files: copied.files, leftOut })}\n`);
  return { place, folder, files: copied.files, leftOut };
}

/** What was kept of an attempt. */
export async function artifactsOf(runDir: string, attempt: AttemptId): Promise<Artifacts[]> {
  const found: Artifacts[] = [];
  for (const place of ["work", "gate"] as const) {
    const folder = join(attemptFolder(runDir, attempt), place);
    const text = await readFile(`${folder}.json`, "utf8").catch(missing(null));
    // Written whole by this file.
    if (text !== null)
      found.push({ place, folder, ...(JSON.parse(text) as Omit<Artifacts, "place" | "folder">) });
  }
  return found;
}

async function allArtifacts(runDir: string): Promise<Artifacts[]> {
  const top = join(runDir, "artifacts");
  const found: Artifacts[] = [];
  for (const task of await readdir(top).catch(missing([]))) {
    for (const n of await readdir(join(top, task))) {
      found.push(...(await artifactsOf(runDir, `${task}/${n}` as AttemptId)));
    }
  }
  return found;
}

function attemptFolder(runDir: string, attempt: AttemptId): string {
  const { task, n } = splitAttemptId(attempt);
  return join(runDir, "artifacts", task, String(n));
}

type Found = { readonly paths: readonly string[]; readonly isCut: boolean };

/** Regular files below the root that a pattern covers, in the order of their names. */
async function find(root: string, patterns: readonly PathPattern[], looks: number): Promise<Found> {
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

type Copied = { readonly files: readonly ArtifactFile[]; readonly why: readonly string[] };
type ToCopy = { readonly from: string; readonly folder: string; readonly paths: readonly string[] };

async function copyAll({ from, folder, paths }: ToCopy, caps: ArtifactCaps): Promise<Copied> {
  const files: ArtifactFile[] = [];
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
    if (bytes === "unreadable") why.push("some cannot be read");
    if (typeof bytes === "string") continue;
    files.push({ path, bytes });
    room -= bytes;
  }
  return { files, why: [...new Set(why)] };
}

const RUN_FULL = "the run has kept as much as it may";
const tooLarge = ({ bytes }: ArtifactCaps): string => `more than ${Math.round(bytes / MIB)} MiB together`;

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
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
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

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0);

function missing<T>(nothing: T): (error: unknown) => T {
  return (error) => {
    if (["ENOENT", "ENOTDIR", "EACCES"].includes(errnoOf(error) ?? "")) return nothing;
    throw error;
  };
}
