import type { Env, Gate } from "../core/plan.ts";
import { type CommandOptions, runCommand } from "../process/run-command.ts";
import { lastLines } from "../process/tail.ts";

/** What a check says about the tree that it was run on. */
export type Verdict = {
  readonly verdict: "green" | "red";
  readonly tries: number;
  readonly durationMs: number;
  /** One line for people. */
  readonly summary: string;
  /** The end of what it printed, masked. */
  readonly output: string;
};

export type GateCall = {
  readonly gate: Gate;
  /** The folder of the tree, or the one below it that the gate names. */
  readonly cwd: string;
  /** Complete, with the gate's own variables in it. */
  readonly env: Env;
};

/** Null when it was ended from outside: an unfinished check says nothing. */
export async function runGate(
  { gate, cwd, env }: GateCall,
  options: Omit<CommandOptions, "timeoutMs">,
): Promise<Verdict | null> {
  let durationMs = 0;
  for (let tries = 1; ; tries += 1) {
    const end = await runCommand({ command: gate.run, cwd, env }, { ...options, timeoutMs: gate.timeoutMs });
    if (options.signal?.aborted) return null;
    if (end.kind === "not-started") {
      const { message } = end.failure;
      return { verdict: "red", tries, durationMs, summary: message, output: message };
    }
    durationMs += Math.round(end.exit.durationMs);
    const isGreen = end.exit.code === 0 && end.exit.why === null;
    if (!isGreen && tries <= gate.retries) continue;
    const flaky = isGreen && tries > 1 ? `, green at try ${tries}` : "";
    const cut = end.droppedBytes === 0 ? "" : `[${end.droppedBytes} bytes before this are left out]\n`;
    return {
      verdict: isGreen ? "green" : "red",
      tries,
      durationMs,
      summary: `${isGreen ? "exit code 0" : howItEnded(gate, end.exit)}${flaky}${lastWord(isGreen, end.output)}`,
      output: `${cut}${end.output}`,
    };
  }
}

function howItEnded(
  { timeoutMs }: Gate,
  { why, code, signal }: { why: string | null; code: number | null; signal: string | null },
): string {
  if (why === "total") return `not done after ${Math.round(timeoutMs / 1000)} s`;
  return code === null ? `ended by ${signal ?? "a signal"}` : `exit code ${code}`;
}

const LONGEST_WORD = 160;

/** What people look for is mostly in the last line. */
function lastWord(isGreen: boolean, output: string): string {
  if (isGreen) return "";
  const [line = ""] = lastLines(output, 1);
  const shown = line.trim().slice(0, LONGEST_WORD);
  return shown === "" ? "" : `: ${shown}`;
}
