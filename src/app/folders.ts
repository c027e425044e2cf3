// Folders, paths and programs of the user's, by their names.

import { constants } from "node:fs";
import { access, lstat, mkdir, opendir, rmdir, stat } from "node:fs/promises";
import { delimiter, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { errnoOrThrow, ifMissing, onErrno, succeeds } from "../util/errno.ts";

/**
 * Makes the folders that are missing; throws as `mkdir` does. `mode` is that of the last. One by one: asked for all at once, Node never
 * comes back from a place where nothing can be made and that does not say so, as in /proc.
 */
export async function makeFolders(path: string, mode = 0o777): Promise<void> {
  for (const at of (await missingTo(path)).missing) {
    await mkdir(at, { mode: at === path ? mode : 0o777 }).catch(onErrno({ EEXIST: null })); // somebody was faster
  }
}

/** Why no file can be made in a folder that may be missing; null where one can. It is tried: not every place says the truth. */
export async function folderProblem(path: string): Promise<string | null> {
  const { missing, nearest } = await missingTo(path);
  const [first] = missing;
  if (nearest === null || !nearest.isFolder) return `${nearest?.path ?? path} is not a folder`;
  const mayWrite = await succeeds(access(nearest.path, constants.W_OK));
  if (!mayWrite) return `${nearest.path} is not writable`;
  if (first === undefined) return null;
  try {
    await mkdir(first);
    await rmdir(first);
    return null;
  } catch (error) {
    return `cannot create ${first} (${errnoOrThrow(error)})`;
  }
}

type Way = {
  /** The outermost first. */
  readonly missing: readonly string[];
  readonly nearest: { readonly path: string; readonly isFolder: boolean } | null;
};

async function missingTo(path: string): Promise<Way> {
  const missing: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    const found = await stat(at).catch(() => null); // to be made
    if (found !== null) return { missing, nearest: { path: at, isFolder: found.isDirectory() } };
    if (dirname(at) === at) return { missing, nearest: null };
    missing.unshift(at);
  }
}

/** Whether a path is this folder or lies below it, by their texts: links are for who asks. */
export function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== ".." && !/^\.\.[/\\]/.test(way) && !isAbsolute(way);
}

/** Whether anything has this name, be it a link that leads nowhere. */
export const isThere = (path: string): Promise<boolean> => lstat(path).then(() => true, ifMissing(false));

/** How many bytes the files below a folder have; 0 where there is none. Links are not followed. */
export async function folderBytes(folder: string): Promise<number> {
  const entries = await opendir(folder).catch(() => null); // gone meanwhile, or not for us to see: nothing of ours
  if (entries === null) return 0;
  let bytes = 0;
  for await (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += await folderBytes(path);
    else
      bytes += await lstat(path).then(
        ({ size }) => size,
        () => 0, // as above
      );
  }
  return bytes;
}

/** The program that a name leads to: by the path of the environment, or from the folder that the user is in. Null: nowhere. */
export async function findProgram(name: string, path: string): Promise<string | null> {
  if (name.includes("/")) return (await isProgram(resolve(name))) ? resolve(name) : null;
  for (const folder of path.split(delimiter)) {
    const program = resolve(join(folder === "" ? "." : folder, name));
    if (await isProgram(program)) return program;
  }
  return null;
}

async function isProgram(path: string): Promise<boolean> {
  const isFile = await stat(path).then(
    (found) => found.isFile(),
    () => false, // not there, or not to be reached
  );
  if (!isFile) return false;
  return succeeds(access(path, constants.X_OK));
}
