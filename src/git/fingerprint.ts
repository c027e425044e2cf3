// What can make git run code or read another history: hooks, config files, attributes. Recorded at the start of a run; what
// differs later was put there by an agent (or by the user meanwhile), and plait does not run under it.

import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { findHooksFolder } from "./as-user.ts";
import { type UserEnvironment, userGitFiles } from "./frozen-config.ts";
import { rawFields } from "./raw-path.ts";
import { refCall } from "./refs.ts";
import type { Repository } from "./repository.ts";
import type { Shadow } from "./shadow.ts";

/** By absolute path: the hash of the file with an `x` behind it where it is executable, "none", or that it cannot be read. */
export type Fingerprint = { readonly [file: string]: string };

/** What was recorded at the start of a run, and where the copies are. */
export type Start = { readonly fingerprint: Fingerprint; readonly keptIn: string };

export type FingerprintChange = {
  readonly file: string;
  readonly change: "added" | "changed" | "removed";
  /** Its hashes, then and now, as a fingerprint has them. */
  readonly was: string;
  readonly is: string;
};

export const NONE = "none";
const UNREAD = "unread-";
/** A hook or a config file is text; what is larger is hashed, but no copy is kept. */
const MAX_COPY_BYTES = 1024 * 1024;
const MAX_READ_BYTES = 64 * MAX_COPY_BYTES;

export type ToRecord = {
  /** Where the user's own git files are looked for. */
  readonly env?: UserEnvironment;
  /** Further files. */
  readonly also?: readonly string[];
};

/** Takes the fingerprint and keeps a copy of every file in `keepIn`, to restore from. */
export async function recordFingerprint(
  repository: Repository,
  keepIn: string,
  { env = {}, also = [] }: ToRecord = {},
): Promise<Fingerprint> {
  const watched = await watchedFiles(repository, await findHooksFolder(repository));
  const users = [...userGitFiles(env), ...(await configFiles(repository, env))];
  return keepCopies([...watched, ...users, ...also], keepIn);
}

/** A copy of each file as it is now, by its hash. */
export async function keepCopies(files: readonly string[], keepIn: string): Promise<Fingerprint> {
  await mkdir(keepIn, { recursive: true, mode: 0o700 });
  return readHashes([...new Set(files)].sort(), async (hash, bytes) => {
    if (bytes.length <= MAX_COPY_BYTES) await writeFile(join(keepIn, hash), bytes, { mode: 0o600 });
  });
}

/** A pipe for one, or a file beyond all measure: nobody knows what is in it. */
export const isUnread = (hash: string): boolean => hash.startsWith(UNREAD);

/** The copy of a file as it was at the start; null where there was none. */
export function copyOf({ fingerprint, keptIn }: Start, file: string): string | null {
  const was = fingerprint[file] ?? NONE;
  return was === NONE ? null : join(keptIn, was);
}

/** What differs now. Hooks are looked for where they were at the start: plait runs no others. */
export async function changesSince(
  { repository, hooks, dir }: Pick<Shadow, "repository" | "hooks" | "dir">,
  { fingerprint: before }: Pick<Start, "fingerprint">,
): Promise<FingerprintChange[]> {
  // Of the shadow's own files each call takes care.
  const recorded = Object.keys(before).filter((file) => !file.startsWith(`${dir}/`));
  const files = [...new Set([...recorded, ...(await watchedFiles(repository, hooks))])].sort();
  const now = await readHashes(files);
  return files
    .filter((file) => (before[file] ?? NONE) !== now[file])
    .map((file) => {
      const [was = NONE, is = NONE] = [before[file], now[file]];
      const change = was === NONE ? "added" : is === NONE ? "removed" : "changed";
      return { file, change, was, is };
    });
}

async function watchedFiles({ commonDir }: Repository, hooks: string): Promise<string[]> {
  const hookFolders = new Set([join(commonDir, "hooks"), hooks]);
  const listed = await Promise.all([...hookFolders].map(filesIn));
  const info = ["attributes", "exclude", "grafts", "sparse-checkout"].map((name) => `info/${name}`);
  const names = ["config", "config.worktree", ...info, "objects/info/alternates", "shallow"];
  const others = names.map((name) => join(commonDir, name));
  const replaced = await filesIn(join(commonDir, "refs/replace"));
  return [...listed.flat(), ...others, ...replaced];
}

/** Every config file that git reads here, those of the user and those included, also those that do not exist yet. */
async function configFiles(repository: Repository, { HOME = "/" }: UserEnvironment): Promise<string[]> {
  const args = ["config", "-z", "--list", "--includes", "--show-origin"];
  const fields = rawFields((await refCall(repository, args)).stdout).map((field) =>
    Buffer.from(field, "latin1").toString("utf8"),
  );
  return fields.flatMap((origin, i): string[] => {
    if (i % 2 !== 0 || !origin.startsWith("file:")) return [];
    const file = resolve(repository.commonDir, origin.slice("file:".length));
    const [, included] = /^include(?:if\..*)?\.path\n(.*)$/s.exec(fields[i + 1] ?? "") ?? [];
    if (included === undefined) return [file];
    return [file, resolve(dirname(file), included.replace(/^~(?=\/)/, HOME))];
  });
}

export async function readHashes(
  files: readonly string[],
  keep: (hash: string, bytes: Buffer) => Promise<void> = async () => undefined,
): Promise<Fingerprint> {
  const hashes = files.map(async (file) => {
    const found = await stat(file).catch(() => null); // not there, or not readable: both mean that git reads nothing
    if (found === null) return [file, NONE] as const;
    // Read it is not: a pipe would wait for ever, and a script may be as large as it likes.
    if (!found.isFile() || found.size > MAX_READ_BYTES) return [file, `${UNREAD}${found.size}`] as const;
    const bytes = await readFile(file).catch(() => null); // as above
    if (bytes === null) return [file, NONE] as const;
    const isExecutable = (found.mode & 0o111) !== 0;
    const hash = `${hashBytes(bytes)}${isExecutable ? "x" : ""}`;
    await keep(hash, bytes);
    return [file, hash] as const;
  });
  return Object.fromEntries(await Promise.all(hashes));
}

export const hashBytes = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []); // no such folder: no such files
  return entries.filter((entry) => !entry.isDirectory()).map((entry) => join(folder, entry.name));
}
