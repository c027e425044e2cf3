// The process table where there is no /proc (macOS, the BSDs): from ps. The environment of a process is part of its command
// there, if it is told at all: macOS tells it (-E) for programs that are not the system's own.

import { execFile } from "node:child_process";
import type { ProcessEntry, Snapshot } from "./process-entry.ts";

const COLUMNS = "pid=,ppid=,pgid=,stat=,tty=,lstart=,command=";
const MAX_OUTPUT = 64 * 1024 * 1024;

export async function psTable(): Promise<Snapshot> {
  const output = (await ps(["-axEww", "-o", COLUMNS])) || (await ps(["-axww", "-o", COLUMNS]));
  return snapshotOf(output);
}

export async function psStartTime(pid: number): Promise<string | null> {
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
  if (lines.length === 0) throw new Error("ps lists no processes");
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
