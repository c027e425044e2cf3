// Small things done to files that several parts of git/ need: whole-file writes that are never half there, removal of what
// an agent made unremovable, and copies of an index that stay true.

import {
  chmod,
  constants,
  copyFile,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { errnoOf, ifMissing, onErrno } from "../util/errno.ts";

export async function readFileOrNull(path: string): Promise<Buffer | null> {
  return readFile(path).catch(ifMissing(null));
}

const MAX_READ_BYTES = 64 * 1024 * 1024;

/**
 * A file where an agent may have put anything: null for what is no plain file, or too large to be what it should be. A link is not
 * followed, and a pipe keeps nobody waiting.
 */
export async function readPlainFile(path: string): Promise<Buffer | null> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const missing = { ENOENT: null, ENOTDIR: null, ELOOP: null, EACCES: null, ENXIO: null };
  const file = await open(path, flags).catch(onErrno(missing));
  if (file === null) return null;
  try {
    const found = await file.stat();
    return found.isFile() && found.size <= MAX_READ_BYTES ? await file.readFile() : null;
  } finally {
    await file.close();
  }
}

/** Other readers see the old text or the new one. */
export async function replaceFile(path: string, text: string | Uint8Array): Promise<void> {
  const fresh = `${path}.new`;
  await rm(fresh, { force: true, recursive: true });
  await writeFile(fresh, text, { mode: 0o600 });
  await rename(fresh, path);
}

/**
 * Copies an index with its time. git decides by it which entries it must look at again: with a younger time an edit in the
 * second of the checkout goes unseen. Rounded down, which only makes git look at more.
 */
export async function copyIndex(from: string, to: string): Promise<void> {
  await rm(to, { force: true, recursive: true });
  await copyFile(from, to);
  const seconds = Math.floor((await stat(from)).mtimeMs) / 1000;
  await utimes(to, seconds, seconds);
}

/** A link counts, wherever it points. */
export async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false, // unreadable is as good as not there for every caller
  );
}

/** A folder, and not a link to one: what an agent put in its place must not be followed. */
export async function isRealFolder(path: string): Promise<boolean> {
  return lstat(path).then(
    (found) => found.isDirectory(),
    () => false, // not there is not a folder
  );
}

/** Names of the folders in a folder; none where it is no folder, or a link to one. */
export async function listFolders(folder: string): Promise<string[]> {
  if (!(await isRealFolder(folder))) return [];
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}

/** Moves a folder away in one step; a missing one is fine. Says whether there was one. */
export async function moveAway(path: string, to: string): Promise<boolean> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  return rename(path, to).then(() => true, ifMissing(false));
}

/** Removes a folder with all in it, also where folders in it may not be written. */
export async function removeFolder(path: string): Promise<void> {
  const remove = () => rm(path, { recursive: true, force: true, maxRetries: 3 });
  try {
    await remove();
  } catch (error) {
    if (errnoOf(error) !== "EACCES" && errnoOf(error) !== "EPERM") throw error;
    await openFolders(path);
    await remove();
  }
}

/** A removal that has failed of one folder may still be busy with others: those go meanwhile. */
async function openFolders(folder: string): Promise<void> {
  const gone = await chmod(folder, 0o700).then(() => false, ifMissing(true));
  const entries = gone ? [] : await readdir(folder, { withFileTypes: true }).catch(ifMissing([]));
  for (const entry of entries) if (entry.isDirectory()) await openFolders(join(folder, entry.name));
}
