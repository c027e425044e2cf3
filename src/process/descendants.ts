// Who belongs to a supervised process. Children of children are easily lost: they leave the group and the session (setsid),
// their parents end and they become children of process 1 (double fork), or they are started with an empty environment. So
// several signs are asked, each of which is enough:
//
//   group, session     of the supervised process, which began both
//   parent             a process that belongs, or belonged when we last looked
//   marker             in the environment, inherited by all who are not started with another one
//   pipe               is one of those that the supervised process was given
//   folder             an orphan without a terminal that works inside the worktree, or has a file there open for writing, and is
//                      younger than the supervised process
//
// What none of these finds (a daemon that began with an empty environment, changed its folder, closed its files, and whose
// parents ended before we looked) only the sandbox or the keeper does (process/sandbox): these signs are for where neither is.

import type { ProcessEntry, ProcessRef, Snapshot } from "./process-entry.ts";

/** By what a family of processes is known. */
export type Family = {
  /** The process that all began with; null if only the marker is known. */
  readonly root: ProcessRef | null;
  /** The marker, as `NAME=value` in the environment. */
  readonly variable: string;
  /** Names of the pipes that the root was given. */
  readonly pipes: ReadonlySet<string>;
  /** The worktree; null: the folder says nothing. */
  readonly folder: string | null;
  /** Seen before as members, by `keyOf`. */
  readonly known: ReadonlySet<string>;
};

/** The members that live, the root included. Never process 1, this process itself, or one that it comes from. */
export function findMembers(snapshot: Snapshot, family: Family): ProcessEntry[] {
  const { root, variable, pipes, folder, known } = family;
  const ours = new Set(ownLine(snapshot.entries).map((one) => one.pid));
  const candidates = snapshot.entries.filter(
    (one) => one.pid > 1 && one.pid !== process.pid && !ours.has(one.pid),
  );
  const members = new Map<number, ProcessEntry>();
  const add = (sign: (one: ProcessEntry) => boolean): void => {
    for (const one of candidates) if (!members.has(one.pid) && sign(one)) members.set(one.pid, one);
  };
  const isYoung = (one: ProcessEntry): boolean => !isOlder(one, root);
  const ownNumber = numberOfRoot(candidates, root);

  add((one) => known.has(keyOf(one)) || isSame(one, root));
  if (ownNumber !== null) add((one) => one.pgid === ownNumber || one.session === ownNumber);
  add((one) => isYoung(one) && (snapshot.carries(one, variable) || snapshot.holds(one, pipes)));
  if (folder !== null)
    add(
      (one) => isYoung(one) && isOrphan(one, snapshot.entries) && isAnyInside(snapshot.placesOf(one), folder),
    );
  addChildren(candidates, members);
  return [...members.values()];
}

/** This process and those it comes from: whoever ends one of them may end itself. */
export function ownLine(entries: readonly ProcessEntry[]): ProcessEntry[] {
  const byPid = new Map(entries.map((one) => [one.pid, one]));
  const line = new Set<ProcessEntry>();
  let one = byPid.get(process.pid);
  // A list that was made while pids came again may go round in a circle.
  while (one !== undefined && one.pid > 1 && !line.has(one)) {
    line.add(one);
    one = byPid.get(one.ppid);
  }
  return [...line];
}

/** Pid and start time as one word. */
export function keyOf({ pid, startTime }: ProcessRef): string {
  return `${pid} ${startTime}`;
}

function addChildren(candidates: readonly ProcessEntry[], members: Map<number, ProcessEntry>): void {
  const byParent = new Map<number, ProcessEntry[]>();
  for (const one of candidates) byParent.set(one.ppid, [...(byParent.get(one.ppid) ?? []), one]);
  const queue = [...members.keys()];
  for (const pid of queue) {
    for (const child of byParent.get(pid) ?? []) {
      if (members.has(child.pid)) continue;
      members.set(child.pid, child);
      queue.push(child.pid);
    }
  }
}

/** The root's group and session number, unless the pid is somebody else's by now: no pid comes again while its group lives. */
function numberOfRoot(entries: readonly ProcessEntry[], root: ProcessRef | null): number | null {
  if (root === null) return null;
  const holder = entries.find((one) => one.pid === root.pid);
  return holder === undefined || isSame(holder, root) ? root.pid : null;
}

function isSame(one: ProcessEntry, root: ProcessRef | null): boolean {
  return root !== null && one.pid === root.pid && one.startTime === root.startTime;
}

/** Began before the root, so it cannot come from it. Saves reading most environments. */
function isOlder({ startTime }: ProcessEntry, root: ProcessRef | null): boolean {
  const [theirs, ours] = [ticksOf(startTime), ticksOf(root?.startTime ?? null)];
  return theirs !== null && ours !== null && theirs < ours;
}

function ticksOf(startTime: string | null): number | null {
  return startTime?.startsWith("ticks:") ? Number(startTime.slice("ticks:".length)) : null;
}

/** Its parent ended, and nobody sits before it: not the shell or the editor of somebody who looks at the worktree. */
function isOrphan(one: ProcessEntry, entries: readonly ProcessEntry[]): boolean {
  if (one.hasTerminal) return false;
  // Under systemd orphans go to the user's instance of it, not to process 1.
  return one.ppid === 1 || entries.some(({ pid, name }) => pid === one.ppid && name === "systemd");
}

function isAnyInside(paths: readonly string[], folder: string): boolean {
  return paths.some((path) => {
    const where = path.replace(/ \(deleted\)$/, "");
    return where === folder || where.startsWith(`${folder}/`);
  });
}
