// What the journal's tests share: temporary folders, facts, child programs, and files of locks left by the dead.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { onTestFinished } from "vitest";
import { acquireLock, type HeldLock } from "../../src/journal/lock.ts";
import { type Journal, openJournal } from "../../src/journal/open.ts";

export type Fact = {
  readonly v: number;
  readonly type: string;
  readonly i?: number;
  readonly half?: string;
  readonly data?: unknown;
};

export const parse = (value: unknown): Fact => {
  if (typeof value === "object" && value !== null && "type" in value) return value as Fact;
  throw new Error("a fact has a type");
};

export const fact = (i: number, more: object = {}): Fact => ({ v: 1, type: "test.counted", i, ...more });
export const facts = (count: number): Fact[] => Array.from({ length: count }, (_, i) => fact(i + 1));

/** A folder that is gone after the test. */
export async function tempFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "plait-journal-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** The lock of a folder, which must be free. */
export async function lockOf(folder: string): Promise<HeldLock> {
  const taken = await acquireLock(join(folder, "driver.lock"), { command: "test" });
  if (!taken.ok) throw new Error(taken.refusal.message);
  return taken.lock;
}

/** Opens the journal of a folder, does something with it, and closes it. */
export async function writing<T>(folder: string, work: (journal: Journal<Fact>) => Promise<T>): Promise<T> {
  const lock = await lockOf(folder);
  const journal = await openJournal(join(folder, "journal.ndjson"), { lock, parse });
  try {
    return await work(journal);
  } finally {
    await journal.close();
    await lock.release();
  }
}

export async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).sort();
}

/** Bundles a program of test/journal/programs, since Node 20 does not run TypeScript; gives its path. */
export async function buildProgram(name: string, outDir: string): Promise<string> {
  const entry = fileURLToPath(new URL(`./programs/${name}.ts`, import.meta.url));
  const output = { entryFileNames: `${name}.mjs` };
  await build({
    configFile: false,
    logLevel: "error",
    build: { ssr: entry, outDir, emptyOutDir: false, target: "node20", rollupOptions: { output } },
  });
  return join(outDir, `${name}.mjs`);
}

/** A running program that is told things line by line, and answers so. */
export type Program = {
  readonly pid: number;
  /** The next line that it prints; rejects if it ends first. */
  readonly next: () => Promise<string>;
  /** All lines that it printed and nobody took, once it has ended. */
  readonly rest: () => Promise<string[]>;
  readonly say: (line: string) => void;
  readonly kill: (signal?: NodeJS.Signals) => Promise<void>;
};

export function start(program: string, args: readonly string[], env: Record<string, string> = {}): Program {
  const child: ChildProcess = spawn(process.execPath, [program, ...args], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, ...env },
  });
  const ended = once(child, "close");
  if (!child.pid || !child.stdout || !child.stdin) throw new Error("the program did not start");
  child.stdin.on("error", () => undefined); // EPIPE: it was killed before it read all
  const lines = createInterface({ input: child.stdout });
  const printed: string[] = [];
  const waiting: ((line: string) => void)[] = [];
  lines.on("line", (line) => {
    const taker = waiting.shift();
    if (taker) taker(line);
    else printed.push(line);
  });
  const kill = async (signal: NodeJS.Signals = "SIGKILL"): Promise<void> => {
    child.kill(signal);
    await ended;
  };
  const { pid, stdin } = child;
  return {
    pid,
    kill,
    say: (line) => void stdin.write(`${line}\n`),
    rest: async () => {
      await ended;
      return printed.splice(0);
    },
    next: async () => {
      const line = printed.shift();
      if (line !== undefined) return line;
      const later = new Promise<string>((resolve) => waiting.push(resolve));
      const tooLate = ended.then(() => Promise.reject(new Error(`process ${pid} ended without a word`)));
      return Promise.race([later, tooLate]);
    },
  };
}
