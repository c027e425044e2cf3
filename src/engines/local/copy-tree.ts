// Copies from the user's checkout into a worktree: by reflink where the file system can, else by the kernel, file by file;
// nothing goes through memory of ours. Links stay what they are, and times stay with the files, because Python, make and cargo
// tell by them what is up to date.

import { constants, type Dirent } from "node:fs";
import { copyFile, lstat, mkdir, readdir, readlink, stat, symlink, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ifMissing } from "../../util/errno.ts";

export type ToCopy = {
  readonly from: string;
  readonly to: string;
  readonly paths: readonly string[];
  /** Which of them lie elsewhere in `from`, and where. */
  readonly sources?: ReadonlyMap<string, string>;
  /** Brings a folder to a path where nothing is; left out, it is copied file by file. */
  readonly placeFolder?: PlaceFolder;
  readonly signal: AbortSignal;
};

export type PlaceFolder = (source: string, to: string) => Promise<void>;

export async function copyPaths({ from, to, paths, sources, signal, ...given }: ToCopy): Promise<void> {
  const { placeFolder = (source: string, folder: string) => copyFolder(source, folder, signal) } = given;
  for (const path of paths) {
    const there = await lstat(join(to, path)).catch(ifMissing(null));
    if (there !== null) continue; // what git has is what the task sees
    // A link above it leads out of the worktree, or to where nobody expects the copy: it would be merged, or written over.
    if (!(await isPlainWay(to, dirname(path)))) continue;
    const source = join(from, sources?.get(path) ?? path);
    const found = await lstat(source).catch(ifMissing(null));
    if (found === null) continue; // the user has removed it since the run began
    await mkdir(dirname(join(to, path)), { recursive: true });
    if (found.isDirectory()) await placeFolder(source, join(to, path));
    else if (found.isFile() || (await isLinkToFile(source))) await copyOneFile(source, join(to, path));
    else if (found.isSymbolicLink()) await symlink(await readlink(source), join(to, path));
  }
}

export async function copyFolder(from: string, to: string, signal: AbortSignal): Promise<void> {
  await throughFolders([""], async (folder) => {
    if (signal.aborted) return [];
    await mkdir(join(to, folder));
    const entries = await readdir(join(from, folder), { withFileTypes: true });
    for (const entry of entries) {
      if (signal.aborted) return [];
      await copyEntry(entry, { from: join(from, folder, entry.name), to: join(to, folder, entry.name) });
    }
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
  });
}

/** Sockets and pipes belong to programs that run, and stay with them. */
async function copyEntry(entry: Dirent, { from, to }: { readonly from: string; readonly to: string }) {
  if (entry.isFile()) await copyOneFile(from, to);
  else if (entry.isSymbolicLink()) await symlink(await readlink(from), to);
}

export async function copyOneFile(from: string, to: string): Promise<void> {
  const { atimeMs, mtimeMs } = await stat(from);
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  await utimes(to, atimeMs / 1000, mtimeMs / 1000); // as dates they would lose all below a millisecond
}

/** A file that the user shares by a link is copied: the link may be relative, and lead elsewhere from a worktree. */
async function isLinkToFile(path: string): Promise<boolean> {
  return (await stat(path).catch(ifMissing(null)))?.isFile() ?? false;
}

/** Whether every folder on the way is a folder, or not there yet. */
async function isPlainWay(root: string, way: string): Promise<boolean> {
  const parts = way === "." ? [] : way.split("/");
  for (let n = 1; n <= parts.length; n += 1) {
    const found = await lstat(join(root, ...parts.slice(0, n))).catch(ifMissing(null));
    if (found === null) return true;
    if (!found.isDirectory()) return false;
  }
  return true;
}

/** Enough to keep the four threads that Node has for files busy, and few enough for any limit on open files. */
const AT_ONCE = 8;

/** Goes through folders, several at once; `visit` says which lie in the one that it looked at. */
export async function throughFolders(
  start: readonly string[],
  visit: (folder: string) => Promise<readonly string[]>,
): Promise<void> {
  const waiting = [...start];
  const underWay = new Set<Promise<void>>();
  try {
    while (waiting.length + underWay.size > 0) {
      while (underWay.size < AT_ONCE) {
        const folder = waiting.pop();
        if (folder === undefined) break;
        const visited = visit(folder).then((inside) => {
          underWay.delete(visited);
          for (const one of inside) waiting.push(one);
        });
        underWay.add(visited);
      }
      await Promise.race(underWay);
    }
  } finally {
    await Promise.allSettled(underWay);
  }
}
