import { readFileSync } from "node:fs";
import { uptime } from "node:os";
import { identifyByProc, linuxTable } from "./proc-files.ts";
import type { ProcessTable, StartedProcess } from "./process-entry.ts";
import { psStartTime, psTable } from "./ps.ts";

/** The processes of this machine. */
export const processTable: ProcessTable = () => (hasOwnProc() ? linuxTable() : psTable());

/** Who a child is, for the journal: asked while it is there for certain, because nobody waited for it yet. */
export async function identify(pid: number): Promise<StartedProcess> {
  if (hasOwnProc()) return identifyByProc(pid);
  const bootTime = Math.round(Date.now() / 1000 - uptime());
  return { pid, startTime: await psStartTime(pid), bootId: `boottime:${bootTime}` };
}

/** In some sandboxes /proc is the host's and counts other pids: no use to us. */
function hasOwnProc(): boolean {
  try {
    return Number.parseInt(readFileSync("/proc/self/stat", "latin1"), 10) === process.pid;
  } catch {
    return false; // no /proc at all
  }
}
