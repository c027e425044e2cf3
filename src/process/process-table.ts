import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { uptime } from "node:os";
import { turn } from "./pause.ts";
import { bootIdByProc, identifyByProc, linuxTable } from "./proc-files.ts";
import type { ProcessEntry, ProcessTable, Snapshot, StartedProcess } from "./process-entry.ts";

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

const COLUMNS = "pid=,ppid=,pgid=,stat=,tty=,lstart=,command=";
const MAX_OUTPUT = 64 * 1024 * 1024;

/**
 * Where there is no /proc (macOS, the BSDs). The environment of a process is part of its command there, if it is told at
 * all: macOS tells it (-E) for programs that are not the system's own.
 */
async function psTable(): Promise<Snapshot> {
  const output = (await ps(["-axEww", "-o", COLUMNS])) || (await ps(["-axww", "-o", COLUMNS]));
  return snapshotOf(output);
}

async function psStartTime(pid: number): Promise<string | null> {
  const start = await ps(["-o", "lstart=", "-p", String(pid)]);
  return start.trim() === "" ? null : startTimeOf(start);
}

/** Exported for its test: this system's ps need not be one of those. Throws if there is nobody: ps itself would be there. */
export function snapshotOf(output: string): Snapshot {
  const lines = output
    .split("\n")
    .map(parsePsLine)
    .filter((line) => line !== undefined);
  // Nobody would be taken for nobody left.
  if (lines.length === 0) throw new Error("ps printed no processes");
  const commands = new Map(lines.map(({ entry, command }) => [entry.pid, command]));
  return {
    entries: lines.filter(({ state }) => !state.startsWith("Z")).map(({ entry }) => entry),
    isCalm: true, // ps does not tell
    // Values are not quoted, so a blank is the only end of one that can be told.
    carries: ({ pid }, variable) => ` ${commands.get(pid) ?? ""} `.includes(` ${variable} `),
    holds: () => false,
    placesOf: () => [],
  };
}

type PsLine = { readonly state: string; readonly command: string; readonly entry: ProcessEntry };

/** Five numbers and words, the start as five words (Sat Nov 15 04:37:29 2026), and the rest of the line. */
export function parsePsLine(line: string): PsLine | undefined {
  const words = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+((?:\S+\s+){4}\d{4})\s+(.*)$/.exec(line);
  if (!words) return undefined;
  const [, pid, ppid, pgid, state = "", tty = "", start = "", command = ""] = words;
  const entry = {
    pid: Number(pid),
    ppid: Number(ppid),
    pgid: Number(pgid),
    session: null,
    startTime: startTimeOf(start),
    hasTerminal: !/^\?+$|^-$/.test(tty),
    name: command.split(" ")[0]?.split("/").at(-1) ?? "",
  };
  return { state, command, entry };
}

function startTimeOf(lstart: string): string {
  return `lstart:${lstart.trim().split(/\s+/).join(" ")}`;
}

/** Its output, or nothing if this ps does not know these options or is not there. */
function ps(args: readonly string[]): Promise<string> {
  const env = { PATH: "/bin:/usr/bin", LC_ALL: "C" };
  return new Promise((resolve) => {
    execFile("ps", args, { env, maxBuffer: MAX_OUTPUT, timeout: 5_000 }, (error, stdout) => {
      resolve(error ? "" : stdout);
    });
  });
}
