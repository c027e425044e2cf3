// A short-lived program with all of its output in memory: what src/git needs, and nothing more. Agents and gates, whose
// output has no bound, go through the supervisor instead.

import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { systemClock } from "../util/clock.ts";
import { turn, waitFor } from "./pause.ts";

/** One call: no shell, an environment that is complete as given. */
export type ProgramCall = {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly stdin?: string | Uint8Array;
  /** A file that is read as its input; used where there is no `stdin`. */
  readonly stdinFile?: string;
  /** It and all that it started are ended after that, and its stderr says so. */
  readonly timeoutMs?: number;
  /** Aborted, they are ended at once. */
  readonly signal?: AbortSignal;
};

/** How it ended, with everything it printed. */
export type ProgramEnd = {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
};

const MIB = 1024 * 1024;
/** How long nothing may come after the program's end until its pipes are closed. */
const SILENCE_MS = 500;
/** Between the request to end and the end by force: git takes its locks away. */
const GRACE_MS = 2_000;

/** Rejects only when the program cannot be started. What prints more than the cap is killed, and its stderr says so. */
export function createGitSpawn({
  maxOutputBytes = 256 * MIB,
} = {}): (call: ProgramCall) => Promise<ProgramEnd> {
  return ({ argv, cwd, env, stdin, stdinFile, timeoutMs, signal: abort }) =>
    new Promise((resolve, reject) => {
      const [program = "", ...args] = argv;
      const file = stdinFile === undefined ? null : openSync(stdinFile, "r");
      // A group of its own: Ctrl-C in the terminal is for plait to answer, not for a save that is half done.
      const child = spawn(program, args, {
        cwd,
        env,
        detached: true,
        stdio: [stdin === undefined ? (file ?? "ignore") : "pipe", "pipe", "pipe"],
      });
      if (file !== null) closeSync(file);
      const stdout: Buffer[] = [];
      const stderr: Buffer[] = [];
      let bytes = 0;
      const keep = (chunks: Buffer[]) => (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= maxOutputBytes) chunks.push(chunk);
        else child.kill("SIGKILL");
      };
      child.stdout?.on("data", keep(stdout));
      child.stderr?.on("data", keep(stderr));
      const limit = timeoutMs === undefined ? null : limitTime(child, timeoutMs);
      const onAbort = (): void => endGroup(child, "SIGTERM");
      abort?.addEventListener("abort", onAbort);
      if (abort?.aborted) onAbort();
      child.on("error", (error) => {
        limit?.cancel();
        abort?.removeEventListener("abort", onAbort);
        reject(error);
      });
      child.on("exit", () => void closeWhenSilent(child, () => bytes));
      child.on("close", (code, signal) => {
        limit?.cancel();
        abort?.removeEventListener("abort", onAbort);
        if (limit?.isOver()) stderr.push(Buffer.from(`\nended: took longer than ${timeoutMs} ms\n`));
        if (bytes > maxOutputBytes)
          stderr.push(Buffer.from(`\nkilled: printed more than ${maxOutputBytes} bytes\n`));
        resolve({ code, signal, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr) });
      });
      // A program that ends without reading its input breaks the pipe; its exit code says what there is to say.
      child.stdin?.on("error", () => undefined);
      child.stdin?.end(stdin);
    });
}

/** Ends the program's group when its time is over. */
function limitTime(child: ChildProcess, ms: number): { isOver(): boolean; cancel(): void } {
  let isOver = false;
  let timer = systemClock.setTimer(ms, () => {
    isOver = true;
    endGroup(child, "SIGTERM");
    timer = systemClock.setTimer(GRACE_MS, () => endGroup(child, "SIGKILL"));
  });
  return { isOver: () => isOver, cancel: () => timer.cancel() };
}

function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // nobody of the group is left
  }
}

/**
 * What the program left in the background (a hook's work) may hold its pipes for ever, and nobody waits for that. They are closed
 * when nothing came for a while, also in a whole turn of the event loop: if we were busy, what was printed still lies in them.
 */
async function closeWhenSilent(child: ChildProcess, bytes: () => number): Promise<void> {
  let isClosed = false;
  const closed = new Promise<void>((resolve) => {
    child.once("close", () => {
      isClosed = true;
      resolve();
    });
  });
  for (let before = -1; !isClosed && bytes() !== before; await turn(), await turn()) {
    before = bytes();
    await waitFor(closed, SILENCE_MS);
  }
  child.stdout?.destroy();
  child.stderr?.destroy();
}
