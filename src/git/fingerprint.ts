// What can make git run code or read another history: hooks, config files, attributes. Recorded at the start of a run; what
// differs later was put there by an agent (or by the user meanwhile), and plait does not run under it.

import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { isAbsolute, join, resolve } from "node:path";
import { findHooksFolder } from "./as-user.ts";
import { rawFields } from "./raw-path.ts";
import type { Repository } from "./repository.ts";

/** By absolute path: the hash of the file with an `x` behind it where it is executable, or "none". */
export type Fingerprint = { readonly [file: string]: string };

export type FingerprintChange = {
  readonly file: string;
  readonly change: "added" | "changed" | "removed";
  /** What puts it back, ready to paste. */
  readonly restore: string;
};

const NONE = "none";
/** A hook or a config file is text; what is larger is hashed, but no copy is kept. */
const MAX_COPY_BYTES = 1024 * 1024;

/** Takes the fingerprint and keeps a copy of every file in `keepIn`, to restore from. */
export async function recordFingerprint(repository: Repository, keepIn: string): Promise<Fingerprint> {
  const files = [...(await watchedFiles(repository)), ...(await configFiles(repository))];
  await mkdir(keepIn, { recursive: true, mode: 0o700 });
  return readHashes([...new Set(files)].sort(), async (hash, bytes) => {
    if (bytes.length <= MAX_COPY_BYTES) await writeFile(join(keepIn, hash), bytes, { mode: 0o600 });
  });
}

/** What differs now. `keptIn` is where the copies are. */
export async function changesSince(
  repository: Repository,
  before: Fingerprint,
  keptIn: string,
): Promise<FingerprintChange[]> {
  const files = [...new Set([...Object.keys(before), ...(await watchedFiles(repository))])].sort();
  const now = await readHashes(files);
  return files
    .filter((file) => (before[file] ?? NONE) !== now[file])
    .map((file) => {
      const [was = NONE, is = NONE] = [before[file], now[file]];
      const change = was === NONE ? "added" : is === NONE ? "removed" : "changed";
      return { file, change, restore: restoreCommand(file, was, keptIn) };
    });
}

function restoreCommand(file: string, was: string, keptIn: string): string {
  if (was === NONE) return `rm ${quote(file)}`;
  return `install -m ${was.endsWith("x") ? "755" : "644"} ${quote(join(keptIn, was))} ${quote(file)}`;
}

async function watchedFiles(repository: Repository): Promise<string[]> {
  const { commonDir } = repository;
  const hookFolders = new Set([join(commonDir, "hooks"), await findHooksFolder(repository)]);
  const listed = await Promise.all([...hookFolders].map(filesIn));
  const names = [
    "config",
    "config.worktree",
    "info/attributes",
    "info/exclude",
    "info/grafts",
    "info/sparse-checkout",
  ];
  const others = [...names, "objects/info/alternates", "shallow"].map((name) => join(commonDir, name));
  const replaced = await filesIn(join(commonDir, "refs/replace"));
  return [...listed.flat(), ...others, ...replaced];
}

/** Every config file that git reads here, those of the user and those included. */
async function configFiles({ git, commonDir }: Repository): Promise<string[]> {
  const args = ["config", "-z", "--list", "--includes", "--show-origin", "--name-only"];
  const { stdout } = await git({ args, cwd: commonDir, env: { GIT_DIR: commonDir } });
  const origins = rawFields(stdout).filter((_, i) => i % 2 === 0);
  const files = origins
    .filter((origin) => origin.startsWith("file:"))
    .map((origin) => decode(origin.slice(5)));
  return files.map((file) => (isAbsolute(file) ? file : resolve(commonDir, file)));
}

async function readHashes(
  files: readonly string[],
  keep: (hash: string, bytes: Buffer) => Promise<void> = async () => undefined,
): Promise<Fingerprint> {
  const hashes = files.map(async (file) => {
    const bytes = await readFile(file).catch(() => null); // not there, or not readable: both mean that git reads nothing
    if (bytes === null) return [file, NONE] as const;
    const isExecutable = ((await stat(file)).mode & 0o111) !== 0;
    const hash = `${createHash("sha256").update(bytes).digest("hex")}${isExecutable ? "x" : ""}`;
    await keep(hash, bytes);
    return [file, hash] as const;
  });
  return Object.fromEntries(await Promise.all(hashes));
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []); // no such folder: no such files
  return entries.filter((entry) => !entry.isDirectory()).map((entry) => join(folder, entry.name));
}

function decode(raw: string): string {
  return Buffer.from(raw, "latin1").toString("utf8");
}

/** As a shell word. */
function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
