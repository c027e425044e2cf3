// A command of the plan whose lines are values. It is the plan's own program, so it is held like a gate.

import type { Command, Env } from "../core/plan.ts";
import { openShortPrograms } from "./short-programs.ts";

/** The lines, or why there are none, as the end of a sentence about the command, with what it printed last. */
export type CommandLines =
  | { readonly ok: true; readonly lines: readonly string[] }
  | { readonly ok: false; readonly problem: string; readonly said: string };

export type CommandPlace = { readonly root: string; readonly env: Env };

const TIMEOUT_MS = 60_000;
const MOST_BYTES = 4 * 1024 * 1024;

export async function linesOfCommand(command: Command, { root, env }: CommandPlace): Promise<CommandLines> {
  const opened = await openShortPrograms("each", env);
  if (!opened.ok) return { ok: false, problem: "could not be started", said: opened.message };
  const argv = command.kind === "shell" ? ["sh", "-c", command.line] : command.argv;
  const invocation = { argv, cwd: root, env, stdin: null };
  const ended = await opened.programs
    .run(invocation, { timeoutMs: TIMEOUT_MS, mostBytes: MOST_BYTES })
    .finally(opened.programs.close);
  if (ended.kind === "not-started")
    return { ok: false, problem: "could not be started", said: ended.failure.message };
  const { code, signal, why, stderrTail } = ended.exit;
  if (why !== null) return { ok: false, problem: "took more than a minute", said: stderrTail };
  if (code !== 0) {
    const how = code === null ? `was killed by ${signal}` : `exited with code ${code}`;
    return { ok: false, problem: how, said: stderrTail };
  }
  return ended.stdout === null
    ? { ok: false, problem: `printed more than ${MOST_BYTES} bytes`, said: "" }
    : readLines(ended.stdout);
}

/** Blanks at the ends are kept, since names of files may have them; empty lines and repeated ones say nothing. */
function readLines(output: Buffer): CommandLines {
  const text = output.toString("utf8");
  if (!Buffer.from(text, "utf8").equals(output))
    return { ok: false, problem: "printed something that is not UTF-8", said: "" };
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  return { ok: true, lines: [...new Set(lines)] };
}
