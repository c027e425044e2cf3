import type { Command, Env } from "../core/plan.ts";
import type { SpawnFailure } from "./spawn.ts";
import { type Exit, type Supervised, type SuperviseOptions, supervise } from "./supervise.ts";
import { createTail } from "./tail.ts";

/** A gate, a set-up, a hook: something short that is run for its exit code. */
export type CommandCall = {
  readonly command: Command;
  readonly cwd: string;
  readonly env: Env;
};

export type CommandOptions = Omit<SuperviseOptions, "limits" | "onStdout" | "onStderr"> & {
  readonly timeoutMs: number;
  /** Asks for a stop; aborting again changes nothing. */
  readonly signal?: AbortSignal;
  readonly outputTailBytes?: number;
  /** Keeps standard output apart, up to this size. */
  readonly stdoutBytes?: number;
};

export type CommandEnd =
  | { readonly kind: "not-started"; readonly failure: SpawnFailure }
  | {
      readonly kind: "ended";
      readonly exit: Exit;
      /** The end of what it printed, on both streams as they came, masked; and how much came before. */
      readonly output: string;
      readonly droppedBytes: number;
      /** Standard output alone, masked; null where nobody asked, or it is larger than that. */
      readonly stdout: string | null;
    };

const OUTPUT_TAIL_BYTES = 65_536;

export async function runCommand(call: CommandCall, options: CommandOptions): Promise<CommandEnd> {
  const { timeoutMs, signal, outputTailBytes = OUTPUT_TAIL_BYTES, stdoutBytes = 0, ...supervision } = options;
  const tail = createTail(outputTailBytes);
  const own = createTail(stdoutBytes);
  const invocation = { argv: argvOf(call.command), cwd: call.cwd, env: call.env, stdin: null };
  const supervised = await supervise(invocation, {
    ...supervision,
    limits: { totalMs: timeoutMs },
    onStdout: (chunk) => {
      tail.push(chunk);
      if (stdoutBytes > 0) own.push(chunk);
    },
    onStderr: tail.push,
  });
  if (!supervised.ok) return { kind: "not-started", failure: supervised.failure };
  const exit = await endedOnAbort(supervised, signal);
  if (exit.notRun !== null && exit.why === null) return { kind: "not-started", failure: exit.notRun };
  const stdout = stdoutBytes > 0 && own.droppedBytes() === 0 ? own.bytes().toString() : null;
  return { kind: "ended", exit, output: tail.bytes().toString(), droppedBytes: tail.droppedBytes(), stdout };
}

/** `sh` is looked for in the PATH of the call, as a terminal would. */
function argvOf(command: Command): readonly string[] {
  return command.kind === "shell" ? ["sh", "-c", command.line] : command.argv;
}

type Running = Extract<Supervised, { readonly ok: true }>;

/** How a program ended; once the signal is aborted, its end is asked for. */
export async function endedOnAbort(
  { stop, ended }: Pick<Running, "stop" | "ended">,
  signal: AbortSignal | undefined,
): Promise<Exit> {
  const onAbort = (): void => void stop({ kill: false });
  if (signal?.aborted) onAbort();
  signal?.addEventListener("abort", onAbort);
  try {
    return await ended;
  } finally {
    signal?.removeEventListener("abort", onAbort);
  }
}
