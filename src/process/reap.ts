// What is left of a run or an attempt whose driver was killed, and whose reaper was killed too or never began.

import { lstat, readFile, realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { errnoOf } from "../util/errno.ts";
import { type Family, ownLine } from "./descendants.ts";
import { ATTEMPT_VARIABLE, RUN_VARIABLE, variableOf } from "./markers.ts";
import type { ProcessRef, ProcessTable, StartedProcess } from "./process-entry.ts";
import { isThisBoot, processTable } from "./process-table.ts";
import { followTree } from "./tree.ts";

/** By what it is known: an attempt by its marker, everything of a run by the run's. */
export type Reaping = ({ readonly marker: string } | { readonly runMarker: string }) & {
  /** Orphans that work in it belong to the attempt. Believed only of a worktree that plait made (`plaitWorktree`). */
  readonly worktree?: string | null;
  /** What `attempt.spawned` recorded. Believed only with its start time, and only in the boot that it was of. */
  readonly process?: StartedProcess | null;
  readonly times?: Partial<ReapTimes>;
  readonly table?: ProcessTable;
};

export type ReapTimes = {
  /** From TERM to KILL. */
  readonly graceMs: number;
  /** From KILL to giving up. */
  readonly killMs: number;
};

/** Short: nobody reads what they would still say, and resume waits for it. */
const DEFAULT_REAP_TIMES: ReapTimes = { graceMs: 300, killMs: 2_000 };

/**
 * Ends every process that belongs to it, and gives back what could not be ended. This process and those it comes from are
 * spared: plait may have been called by the very agent that is looked for, which then is among those given back.
 */
export async function reapMarked(reaping: Reaping): Promise<ProcessRef[]> {
  const { table = processTable, times = {} } = reaping;
  const { graceMs, killMs } = { ...DEFAULT_REAP_TIMES, ...times };
  const family = await familyOf(reaping);
  const left = await followTree(family, table).end(() => graceMs, killMs);
  const snapshot = await table();
  const spared = ownLine(snapshot.entries).filter(
    (one) => one.pid !== process.pid && snapshot.carries(one, family.variable),
  );
  return [...left, ...spared.map(({ pid, startTime }) => ({ pid, startTime }))];
}

/** The folder as the system names it, if it is a worktree that plait made; null for all else: the user's own tree for one. */
export async function plaitWorktree(folder: string): Promise<string | null> {
  try {
    const path = await realpath(folder);
    const git = `${path}/.git`;
    const found = await lstat(git);
    if (!found.isFile() && !found.isDirectory()) return null; // a pipe would keep us waiting
    const pointer = found.isDirectory() ? git : /^gitdir: (.+)\n?$/.exec(await readFile(git, "utf8"))?.[1];
    if (pointer === undefined) return null;
    // A user's own linked worktree has such a pointer as well, but is not locked with the reason that src/git gives to ours.
    const locked = resolve(path, pointer, "locked");
    if (!(await lstat(locked)).isFile()) return null;
    const reason = await readFile(locked, "utf8");
    return reason.startsWith("plait ") ? path : null;
  } catch (error) {
    // Gone, or the agent made a repository of its own there: then the other signs have to do.
    if (["ENOENT", "ENOTDIR", "EISDIR", "EACCES", "ELOOP"].includes(errnoOf(error) ?? "")) return null;
    throw error;
  }
}

async function familyOf(reaping: Reaping): Promise<Omit<Family, "known">> {
  const { process: recorded = null, worktree = null } = reaping;
  const isSameBoot = recorded !== null && isThisBoot(recorded.bootId);
  // After a restart of the machine nobody of the attempt lives, and who works in its folder is somebody else.
  const isFromBefore = Boolean(recorded?.bootId) && !isSameBoot;
  return {
    root: isSameBoot && recorded.startTime ? recorded : null,
    variable:
      "marker" in reaping
        ? variableOf(ATTEMPT_VARIABLE, reaping.marker)
        : variableOf(RUN_VARIABLE, reaping.runMarker),
    pipes: new Set<string>(),
    folder: worktree === null || isFromBefore ? null : await plaitWorktree(worktree),
  };
}
