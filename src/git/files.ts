// Small things done to files that several parts of git/ need: whole-file writes that are never half there, removal of what
// an agent made unremovable, and copies of an index that stay true.

import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { errnoOf, ifMissing } from "../util/errno.ts";

export async function readFileOrNull(path: string): Promise<Buffer | null> {
  return readFile(path).catch(ifMissing(null));
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
