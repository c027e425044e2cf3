import { readFileSync } from "node:fs";
import { uptime } from "node:os";
import { turn } from "./pause.ts";
import { bootIdByProc, identifyByProc, linuxTable } from "./proc-files.ts";
import type { ProcessTable, Snapshot, StartedProcess } from "./process-entry.ts";
import { psStartTime, psTable } from "./ps.ts";

/**
 * The processes of this machine. Those who ask in one turn of the event loop get the same list, which is begun after all of
 * them asked: a hundred children that end together would else make a hundred lists of hundreds, and nothing else meanwhile.
 */
export const processTable: ProcessTable = () => {
  coming ??= turn().then(() => {
    coming = null;
    return hasOwnProc() ? linuxTable() : psTable();
  });
  return coming;
};

let coming: Promise<Snapshot> | null = null;

/** Who a child is, for the journal: asked while it is there for certain, because nobody waited for it yet. */
export async function identify(pid: number): Promise<StartedProcess> {
  if (hasOwnProc()) return identifyByProc(pid);
  return { pid, startTime: await psStartTime(pid), bootId: thisBoot() };
}

/** What tells this start of the machine from others; null where the system does not tell. */
export function thisBoot(): string | null {
  if (hasOwnProc()) return bootIdByProc();
  return `boottime:${Math.round(Date.now() / 1000 - uptime())}`;
}

/** Whether a process of that boot can live in this one. Not if either is not known: then a pid says nothing. */
export function isThisBoot(bootId: string | null): boolean {
  const ours = thisBoot();
  if (!bootId || ours === null) return false;
  const [then, now] = [bootTimeOf(bootId), bootTimeOf(ours)];
  if (then === null || now === null) return bootId === ours;
  return Math.abs(then - now) <= BOOT_TIME_ERROR_S;
}

/** It is reckoned from a clock that is set now and then. */
const BOOT_TIME_ERROR_S = 10;

function bootTimeOf(bootId: string): number | null {
  return bootId.startsWith("boottime:") ? Number(bootId.slice("boottime:".length)) : null;
}

/** In some sandboxes /proc is the host's and counts other pids: no use to us. */
function hasOwnProc(): boolean {
  try {
    return Number.parseInt(readFileSync("/proc/self/stat", "latin1"), 10) === process.pid;
  } catch {
    return false; // no /proc at all
  }
}
