// A command of the plan whose lines are values. It is the plan's own program, so it is held like a gate: a time limit, a
// limit on what it prints, and everything it started ends with it, also when plait is killed meanwhile (I5).

import { randomUUID } from "node:crypto";
import type { Command, Env } from "../core/plan.ts";
import { startReaper } from "../process/reaper.ts";
import { supervise } from "../process/supervise.ts";

/** The lines, or why there are none, as the end of a sentence about the command, with what it printed last. */
export type CommandLines =
  | { readonly ok: true; readonly lines: readonly string[] }
  | { readonly ok: false; readonly problem: string; readonly said: string };

export type CommandPlace = { readonly root: string; readonly env: Env };

const TIMEOUT_MS = 60_000;
const MOST_BYTES = 4 * 1024 * 1024;

export async function linesOfCommand(command: Command, { root, env }: CommandPlace): Promise<CommandLines> {
  const id = randomUUID();
  const runMarker = `each/${id}`;
  const started = await startReaper({ runMarker, worktrees: null, env });
  if (!started.ok) return { ok: false, problem: "could not be started", said: started.message };
  const chunks: Buffer[] = [];
  let bytes = 0;
  const argv = command.kind === "shell" ? ["sh", "-c", command.line] : command.argv;
  try {
    const supervised = await supervise(
      { argv, cwd: root, env, stdin: null },
      {
        marker: `each-${id}`,
        runMarker,
        lifeline: started.reaper,
        limits: { totalMs: TIMEOUT_MS },
        onStdout: (chunk) => {
          bytes += chunk.length;
          if (bytes <= MOST_BYTES) chunks.push(Buffer.from(chunk));
        },
      },
    );
    if (!supervised.ok)
      return { ok: false, problem: "could not be started", said: supervised.failure.message };
    const { code, signal, why, stderrTail } = await supervised.ended;
    if (why !== null) return { ok: false, problem: "took more than a minute", said: stderrTail };
    if (code !== 0) {
      const how = code === null ? `was ended by ${signal}` : `ended with exit code ${code}`;
      return { ok: false, problem: how, said: stderrTail };
    }
  } finally {
    await started.reaper.close();
  }
  return bytes > MOST_BYTES
    ? { ok: false, problem: `printed more than ${MOST_BYTES} bytes`, said: "" }
    : readLines(Buffer.concat(chunks));
}

/** Blanks at the ends are kept, since names of files may have them; empty lines and repeated ones say nothing. */
function readLines(output: Buffer): CommandLines {
  const text = output.toString("utf8");
  if (!Buffer.from(text, "utf8").equals(output))
    return { ok: false, problem: "printed something that is not UTF-8", said: "" };
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  return { ok: true, lines: [...new Set(lines)] };
}
