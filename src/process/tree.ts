import { systemClock } from "../util/clock.ts";
import { onErrno } from "../util/errno.ts";
import { type Family, findMembers, keyOf } from "./descendants.ts";
import { pause } from "./pause.ts";
import type { ProcessEntry, ProcessRef, ProcessTable } from "./process-entry.ts";
import { processTable } from "./process-table.ts";

export type Tree = ReturnType<typeof followTree>;

/** A process and everything that comes from it. */
export function followTree(of: Omit<Family, "known">, table: ProcessTable = processTable) {
  const known = new Set<string>();
  const find = async (): Promise<ProcessEntry[]> => {
    const members = await livingMembers(table, { ...of, known });
    for (const one of members) known.add(keyOf(one));
    return members;
  };
  return {
    /** Notes who belongs to it now. Later, when parents have ended, that cannot be told of everybody any more. */
    remember: async () => void (await find()),
    /** Ends all of it; gives back what could not be ended. `graceMs` lies between TERM and KILL. */
    end: (graceMs: () => number, deadlineMs: number): Promise<ProcessRef[]> =>
      endAll(find, { graceMs, deadlineMs }),
  };
}

const CALM_TRIES = 3;

/** Looks again while processes come and go: one that forked and ended in between hides its child. */
async function livingMembers(table: ProcessTable, family: Family): Promise<ProcessEntry[]> {
  for (let tries = 1; ; tries += 1) {
    const snapshot = await table();
    const members = findMembers(snapshot, family);
    if (members.length > 0 || snapshot.isCalm || tries === CALM_TRIES) return members;
  }
}

type EndOptions = {
  /** How long they may take after TERM before they are killed. Asked each time, so that somebody can lose patience. */
  readonly graceMs: () => number;
  /** How long they may take to be gone after the first KILL. */
  readonly deadlineMs: number;
};

const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 50;

/**
 * Ends all that are found and looks again until none is, because what is ended may have started something while the list was
 * made. Gives back what could not be ended: stuck in the kernel, or running as another user. Rejects if it cannot look at
 * all until its time is over (no file may be opened any more).
 */
export async function endAll(
  find: () => Promise<readonly ProcessEntry[]>,
  { graceMs, deadlineMs }: EndOptions,
): Promise<ProcessRef[]> {
  const start = systemClock.monotonic();
  const asked = new Set<string>();
  // Counted from the first KILL and not from the start: who slept through all of that time has not killed anybody yet.
  let killedAt: number | undefined;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    const isLast = killedAt !== undefined && systemClock.monotonic() - killedAt >= deadlineMs;
    const found = await (isLast ? find() : find().catch(() => undefined));
    if (found?.length === 0) return [];
    if (found && isLast) return found.map(({ pid, startTime }) => ({ pid, startTime }));
    const isKilling = systemClock.monotonic() - start >= graceMs();
    for (const one of found ?? []) {
      if (isKilling) send(one.pid, "SIGKILL");
      else if (!asked.has(keyOf(one))) send(one.pid, "SIGTERM");
      asked.add(keyOf(one));
    }
    if (isKilling) killedAt ??= systemClock.monotonic();
    await pause(pauseMs);
  }
}

/** Signals one process, or a group by its negative number. False if there is none, or it is not ours to signal. */
export function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    return onErrno({ ESRCH: false, EPERM: false })(error);
  }
}
