// The user's index.lock, held by us while we land: it stops the user's own add, commit, switch, merge and stash, which is
// what makes a landing go to the branch that was looked at. git never reads the file, so it carries who we are.

import { link, readdir, readFile, readlink, rm, stat, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { RunId } from "../core/ids.ts";
import { errnoOf, ifMissing, onErrno } from "../util/errno.ts";
import { shellQuote } from "../util/shell-quote.ts";

export type IndexLock =
  | { readonly kind: "held"; readonly path: string }
  /** A landing of this run that was cut off holds it. */
  | { readonly kind: "left-by-us"; readonly path: string }
  | { readonly kind: "busy"; readonly detail: string };

const marker = (run: RunId): string => `plait ${run}\n`;

/** Where the lock is made before it is put in place. */
export const freshLock = (path: string, run: RunId): string => `${path}.plait-${run}`;

export async function lockIndex(gitDir: string, run: RunId, waitMs: number): Promise<IndexLock> {
  const path = join(gitDir, "index.lock");
  for (let waited = 0; ; waited += 100) {
    if (await create(path, run)) return { kind: "held", path };
    if (await isOurs(path, run)) return { kind: "left-by-us", path };
    if (waited >= waitMs) return { kind: "busy", detail: await describeLock(path) };
    await pause(100);
  }
}

export async function unlockIndex(path: string): Promise<void> {
  await unlink(path).catch(ifMissing(undefined));
}

/** Whole or not at all: a file that is there is complete, so that a lock of ours is never taken for somebody else's. */
async function create(path: string, run: RunId): Promise<boolean> {
  const [text, fresh] = [marker(run), freshLock(path, run)];
  await writeFile(fresh, text);
  try {
    await link(fresh, path);
    return true;
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    if (errnoOf(error) !== "EPERM" && errnoOf(error) !== "ENOTSUP") throw error;
    // A file system without hard links.
    return await writeFile(path, text, { flag: "wx" }).then(() => true, onErrno({ EEXIST: false }));
  } finally {
    await rm(fresh, { force: true });
  }
}

export async function isOurs(path: string, run: RunId): Promise<boolean> {
  return (await readFile(path, "utf8").catch(() => null)) === marker(run);
}

/** A lock names no owner: its age, and by /proc, where there is one, who has it open. git itself may hold one that it has closed. */
async function describeLock(path: string): Promise<string> {
  const found = await stat(path).catch(() => null);
  if (found === null) return `Other processes keep locking ${path}.`;
  const seconds = Math.max(0, Math.round((Date.now() - found.mtimeMs) / 1000));
  const holder = await holderOf(path);
  if (holder !== null) return `${holder} has held ${path} for ${seconds} s.`;
  return `${path} is ${seconds} s old, and no process has it open. If no git command is running in this repository, remove it: rm ${shellQuote(path)}.`;
}

/** The process that has a file open, as far as that can be seen; null where it cannot. */
export async function holderOf(path: string): Promise<string | null> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const pid of pids) {
    const fds = await readdir(`/proc/${pid}/fd`).catch(() => []); // ended, or somebody else's
    for (const fd of fds) {
      if ((await readlink(`/proc/${pid}/fd/${fd}`).catch(() => "")) !== path) continue;
      const name = await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "?");
      return `${name.trim()} (process ${pid})`;
    }
  }
  return null;
}
