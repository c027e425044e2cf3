// Programs that are run for what they print: each has a time limit and a limit on its output, and everything it started ends with
// it, also when plait is killed meanwhile (I5).

import { randomUUID } from "node:crypto";
import { startReaper } from "../process/reaper.ts";
import { endedOnAbort } from "../process/run-command.ts";
import type { Invocation, SpawnFailure } from "../process/spawn.ts";
import { type Exit, supervise } from "../process/supervise.ts";

export type ShortLimits = {
  readonly timeoutMs: number;
  readonly mostBytes: number;
  /** Asks for its end. */
  readonly signal?: AbortSignal;
};

export type ShortEnd =
  | { readonly kind: "not-started"; readonly failure: SpawnFailure }
  /** What is on stdout; null where it is more than the limit. */
  | { readonly kind: "ended"; readonly exit: Exit; readonly stdout: Buffer | null };

export type ShortPrograms = {
  readonly run: (invocation: Invocation, limits: ShortLimits) => Promise<ShortEnd>;
  readonly close: () => Promise<void>;
};

/** `what` is a word for the markers by which their processes are found. */
export async function openShortPrograms(
  what: string,
  env: Invocation["env"],
): Promise<
  { readonly ok: true; readonly programs: ShortPrograms } | { readonly ok: false; readonly message: string }
> {
  const runMarker = `${what}/${randomUUID()}`;
  const started = await startReaper({ runMarker, worktrees: null, env });
  if (!started.ok) return started;
  const { reaper } = started;
  const run: ShortPrograms["run"] = async (invocation, { timeoutMs, mostBytes, signal }) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const supervised = await supervise(invocation, {
      marker: `${what}-${randomUUID()}`,
      runMarker,
      lifeline: reaper,
      limits: { totalMs: timeoutMs },
      onStdout: (chunk) => {
        bytes += chunk.length;
        if (bytes <= mostBytes) chunks.push(Buffer.from(chunk));
      },
    });
    if (!supervised.ok) return { kind: "not-started", failure: supervised.failure };
    const exit = await endedOnAbort(supervised, signal);
    return { kind: "ended", exit, stdout: bytes > mostBytes ? null : Buffer.concat(chunks) };
  };
  return { ok: true, programs: { run, close: reaper.close } };
}
