// A folder with files that appears all at once or not at all, and never over something that is there.

import { randomUUID } from "node:crypto";
import { lstat, mkdir, readdir, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errnoOf, ifMissing, succeeds } from "../util/errno.ts";
import { type OrRefusal, refuse } from "./host.ts";

/** Paths are below the folder. `folder` is absolute. */
export async function makeFolder(
  folder: string,
  files: readonly { readonly path: string; readonly text: string }[],
): Promise<OrRefusal<object>> {
  const taken = await takenBy(folder);
  if (taken !== null)
    return refuse("request", `${folder} ${taken}`, "choose a folder that does not exist yet");
  const parent = dirname(folder);
  // Short: the longest name that a folder may have leaves no room for more.
  const fresh = join(parent, `.plait-${randomUUID().slice(0, 8)}`);
  let made: string | undefined;
  try {
    made = await mkdir(parent, { recursive: true });
    await mkdir(fresh);
    for (const { path, text } of files) {
      await mkdir(dirname(join(fresh, path)), { recursive: true });
      await writeFile(join(fresh, path), text, { flag: "wx" });
    }
    // Over an empty folder this works, over one that somebody has filled meanwhile it does not.
    await rename(fresh, folder);
    return { ok: true };
  } catch (error) {
    await rm(fresh, { recursive: true, force: true }).catch(() => undefined); // the error is what is told
    if (made !== undefined) await removeEmpty(parent, made);
    return refuse("environment", `cannot create ${folder}: ${whyNot(error)}`, "choose another folder");
  }
}

/** Why nothing could be written there, as the end of a sentence; what is not the place's fault is thrown. */
export function whyNot(error: unknown): string {
  const reason = WHY[errnoOf(error) ?? ""];
  if (reason === undefined) throw error;
  return reason;
}

const WHY: { readonly [code: string]: string } = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk is full",
  ENOTDIR: "a part of its path is a file",
  ENAMETOOLONG: "its name is too long",
  ENOENT: "folders cannot be created there",
  EINVAL: "folders cannot be created there",
  ELOOP: "a part of its path is a link to itself",
  ENOTEMPTY: "it is no longer empty",
  EEXIST: "a part of its path is a file",
  EXDEV: "it is the root of a disk",
  EBUSY: "it is in use",
};

/** What is there already, as the end of a sentence; null where the place is free. */
export async function takenBy(folder: string): Promise<string | null> {
  const found = await lstat(folder).catch(ifMissing(null));
  if (found === null) return null;
  if (!found.isDirectory()) return found.isSymbolicLink() ? "is a link" : "is a file";
  return (await readdir(folder)).length === 0 ? null : "already exists and is not empty";
}

/** From the innermost to the first that was made, as long as nobody has put something there. */
async function removeEmpty(from: string, to: string): Promise<void> {
  for (let at = from; at.startsWith(to); at = dirname(at)) {
    const isGone = await succeeds(rmdir(at)); // somebody uses it by now
    if (!isGone) return;
  }
}
