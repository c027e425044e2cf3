// The process table of Linux, from /proc. Files there are read in one go and without waiting: a read takes microseconds, and a
// list that takes long is an old list.

import { closeSync, lstatSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from "node:fs";
import { onErrno } from "../util/errno.ts";
import type { ProcessEntry, Snapshot, StartedProcess } from "./process-entry.ts";

export async function linuxTable(): Promise<Snapshot> {
  const entries: ProcessEntry[] = [];
  let isCalm = true;
  for (const name of readdirSync("/proc")) {
    if (!/^\d/.test(name)) continue;
    const stat = readSmall(`/proc/${name}/stat`);
    if (stat === undefined) isCalm = false;
    const parsed = stat === undefined ? undefined : parseStat(stat);
    if (parsed && !"ZX".includes(parsed.state)) entries.push(parsed.entry);
  }
  return { entries, isCalm, ...askingOnce() };
}

/** Never throws: the process is there, and must be supervised even if no file can be opened any more. */
export function identifyByProc(pid: number): StartedProcess {
  const stat = ifReadable(() => readSmall(`/proc/${pid}/stat`)) ?? "";
  return { pid, startTime: parseStat(stat)?.entry.startTime ?? null, bootId: bootIdByProc() };
}

export function bootIdByProc(): string | null {
  return ifReadable(() => readSmall("/proc/sys/kernel/random/boot_id"))?.trim() ?? null;
}

/** The children of a process, as this system counts them. Asked seldom: every process is looked at. */
export function childrenByProc(parent: number): ProcessEntry[] {
  const names = ifReadable(() => readdirSync("/proc")) ?? [];
  return names.flatMap((name) => {
    const stat = /^\d/.test(name) ? ifReadable(() => readSmall(`/proc/${name}/stat`)) : undefined;
    const entry = stat === undefined ? undefined : parseStat(stat)?.entry;
    return entry?.ppid === parent ? [entry] : [];
  });
}

/** proc(5). The program's name may hold blanks and brackets, so fields are counted from its last bracket. */
export function parseStat(text: string): { state: string; entry: ProcessEntry } | undefined {
  const open = text.indexOf("(");
  const close = text.lastIndexOf(")");
  const fields = text.slice(close + 2).split(" ");
  const [state, ppid, pgid, session, tty] = fields;
  const ticks = fields[19];
  if (open === -1 || close === -1 || !state || !ticks) return undefined;
  const entry = {
    pid: Number(text.slice(0, open)),
    ppid: Number(ppid),
    pgid: Number(pgid),
    session: Number(session),
    startTime: `ticks:${ticks}`,
    hasTerminal: tty !== "0",
    name: text.slice(open + 1, close),
  };
  return { state, entry };
}

/** Whether a block of NUL-ended variables holds exactly this one. */
export function environHolds(environ: Buffer, variable: string): boolean {
  const entry = Buffer.from(`\0${variable}\0`);
  if (environ.includes(entry)) return true;
  return environ.subarray(0, entry.length - 1).equals(entry.subarray(1)); // the first one
}

/** What may be asked about the processes of one list. Each file is read once, however many families are looked for in it. */
function askingOnce(): Omit<Snapshot, "entries" | "isCalm"> {
  const environOf = once((pid) => unlessGone(() => readFileSync(`/proc/${pid}/environ`)));
  const filesOf = once(standardFiles);
  const placesOf = once(readPlaces);
  return {
    carries: ({ pid }, variable) => {
      const environ = environOf(pid);
      return environ !== undefined && environHolds(environ, variable);
    },
    holds: ({ pid }, files) => files.size > 0 && filesOf(pid).some((name) => files.has(name)),
    placesOf: ({ pid }) => placesOf(pid),
  };
}

function once<T>(read: (pid: number) => T): (pid: number) => T {
  const answers = new Map<number, { readonly answer: T }>();
  return (pid) => {
    const known = answers.get(pid) ?? { answer: read(pid) };
    answers.set(pid, known);
    return known.answer;
  };
}

/** The pipes and sockets that a process was started with: their names tell one from all others, also in its children. */
export function pipesOf(pid: number): Set<string> {
  const names = ifReadable(() => standardFiles(pid)) ?? [];
  return new Set(names.filter((name) => /^(?:pipe|socket):/.test(name)));
}

function standardFiles(pid: number): string[] {
  return [0, 1, 2].flatMap((fd) => unlessGone(() => readlinkSync(`/proc/${pid}/fd/${fd}`)) ?? []);
}

function readPlaces(pid: number): string[] {
  const files = unlessGone(() => readdirSync(`/proc/${pid}/fd`)) ?? [];
  const written = files.map((fd) => `fd/${fd}`).filter((name) => isWritten(`/proc/${pid}/${name}`));
  return ["cwd", ...written].flatMap((name) => unlessGone(() => readlinkSync(`/proc/${pid}/${name}`)) ?? []);
}

/** The mode of the link says how the file was opened. */
function isWritten(link: string): boolean {
  const found = unlessGone(() => lstatSync(link));
  return found !== undefined && (found.mode & 0o200) !== 0;
}

const small = Buffer.allocUnsafe(4096);

/** Three calls to the system and no memory: this is done for every process there is. */
function readSmall(path: string): string | undefined {
  return unlessGone(() => {
    const file = openSync(path, "r");
    try {
      return small.toString("latin1", 0, readSync(file, small, 0, small.length, 0));
    } finally {
      closeSync(file);
    }
  });
}

function ifReadable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined; // then it is not known, which all who ask are ready for
  }
}

function unlessGone<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    // Ended since, somebody else's, or a system without /proc.
    return onErrno({
      ENOENT: undefined,
      ESRCH: undefined,
      EACCES: undefined,
      EPERM: undefined,
      EINVAL: undefined,
    })(error);
  }
}
