// What the tests of processes share: children that are told apart by markers, and an observer that asks /proc itself and never
// the code that is tested.

import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, onTestFinished } from "vitest";
import { type Exit, type SuperviseOptions, supervise } from "../../src/process/supervise.ts";
import { deferred } from "../../src/util/deferred.ts";
import { programs } from "./children.ts";

/** Real children on a machine that has other things to do: nothing here is judged by how long it takes. */
const NEVER_MS = 60_000;

const { PATH: pathOfTests } = process.env;
export const env: Record<string, string> = { PATH: pathOfTests ?? "/usr/bin:/bin" };

export async function tempFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "plait-process-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const ours = `test-${randomUUID()}`;

/** Unique; whatever still carries it when the test is over is killed. */
export function newMarker(): string {
  return `${ours}-${randomUUID()}`;
}

afterEach(() => {
  livingPids()
    .filter((pid) =>
      variablesOf(pid).some((one) => /^PLAIT_(?:RUN|ATTEMPT)=/.test(one) && one.includes(ours)),
    )
    .forEach(killQuietly);
});

export type Trial = {
  readonly marker: string;
  readonly pid: number;
  readonly startTime: string | null;
  readonly stop: (how: { kill: boolean }) => Promise<Exit>;
  readonly ended: Promise<Exit>;
  /** The next line that it prints; rejects if it ends first. */
  readonly next: () => Promise<string>;
  /** Those that nobody took. */
  readonly lines: string[];
};

export type TrialOptions = Partial<SuperviseOptions> & {
  readonly stdin?: string | null;
  readonly cwd?: string;
  readonly env?: Record<string, string>;
};

/** A supervised child: a line for sh, or an argv. */
export async function start(what: string | readonly string[], options: TrialOptions = {}): Promise<Trial> {
  const { stdin = null, cwd = "/", env: more = {}, ...rest } = options;
  const marker = newMarker();
  const argv = typeof what === "string" ? ["sh", "-c", what] : what;
  const lines: string[] = [];
  const waiting: ((line: string) => void)[] = [];
  const supervised = await supervise(
    { argv, cwd, env: { ...env, ...programs, ...more }, stdin },
    {
      marker,
      runMarker: marker,
      onLine: ({ text }) => {
        const taker = waiting.shift();
        if (taker) taker(text);
        else lines.push(text);
      },
      ...rest,
    },
  );
  if (!supervised.ok) throw new Error(supervised.failure.message);
  const { started, stop, ended } = supervised;
  const next = async (): Promise<string> => {
    const line = lines.shift();
    if (line !== undefined) return line;
    const later = deferred<string>();
    waiting.push(later.resolve);
    const tooLate = ended.then(() => Promise.reject(new Error("it ended without another line")));
    return Promise.race([later.promise, tooLate]);
  };
  return { marker, pid: started.pid, startTime: started.startTime, stop, ended, next, lines };
}

/** Living processes that were started with this variable. */
export function pidsWith(variable: string): number[] {
  return livingPids().filter((pid) => variablesOf(pid).includes(variable));
}

function variablesOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
  } catch {
    return []; // gone, or not ours
  }
}

export function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return !"ZX".includes(stat.slice(stat.lastIndexOf(")") + 2)[0] ?? "X");
  } catch {
    return false;
  }
}

function livingPids(): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter(isAlive);
}

export function killQuietly(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // it is gone
  }
}

/** For what gives no event: looks until it is so. How long that takes is nothing to judge by; only what never comes ends it. */
export async function until(isSo: () => boolean): Promise<void> {
  const start = performance.now();
  while (!isSo()) {
    if (performance.now() - start > NEVER_MS) throw new Error("it never came to be so");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
