import type { RunCommand } from "../app/index.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";

const CODES = {
  SIGINT: exitCodes.interrupted,
  SIGTERM: exitCodes.terminated,
  SIGHUP: exitCodes.hungUp,
} as const satisfies { readonly [signal: string]: ExitCode };

type Signal = keyof typeof CODES;

export type SignalWatch = {
  /** The exit code of the first signal that came; null when none did. */
  readonly code: () => ExitCode | null;
  readonly end: () => void;
};

/**
 * Before a run has begun there is nothing to save: a signal ends what was asked of agents, and the program. Gives the function
 * that ends it.
 */
export function leaveOnSignals(leave: (code: ExitCode, signal: Signal) => void): () => void {
  const handlers = (Object.keys(CODES) as Signal[]).map((signal) => {
    const handler = (): void => leave(CODES[signal], signal);
    process.on(signal, handler);
    return [signal, handler] as const;
  });
  return () => {
    for (const [signal, handler] of handlers) process.off(signal, handler);
  };
}

/** A signal ends what goes on, and is told by `code`; another one ends the program, whatever is left to do. */
export function abortOnSignals(
  leave: (code: ExitCode) => void,
): SignalWatch & { readonly signal: AbortSignal } {
  const abort = new AbortController();
  let first: ExitCode | null = null;
  const end = leaveOnSignals((code) => {
    if (first !== null) return leave(code);
    first = code;
    abort.abort();
  });
  return { signal: abort.signal, code: () => first, end };
}

/**
 * The first signal stops the run and saves what there is; a second interrupt kills, and leaves the saving to resume. A hang-up
 * means that nobody reads what we print: the run stops all the same, since who started it is gone. `--detach` outlives that.
 */
export function stopOnSignals(ask: (command: RunCommand) => Promise<unknown>): SignalWatch {
  let first: ExitCode | null = null;
  const end = leaveOnSignals((code, signal) => {
    const mode = first === null ? "stop" : "kill";
    first ??= code;
    // Refused where it stops already: that is what was asked for.
    void ask({ kind: "stop", mode, signal }).catch(() => undefined);
  });
  return { code: () => first, end };
}

/** For a command that only shows something: a signal, or `leave`, ends it. */
export type Leaving = { readonly left: Promise<void>; readonly leave: () => void; readonly end: () => void };

export function awaitLeaving(): Leaving {
  let leave: () => void = () => undefined;
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  return { left, leave, end: leaveOnSignals(leave) };
}
