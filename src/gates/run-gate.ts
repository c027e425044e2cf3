import type { Env, Gate } from "../core/plan.ts";
import type { Line } from "../process/lines.ts";
import { type CommandOptions, runCommand } from "../process/run-command.ts";
import { throwIfNoRoom } from "../process/spawn.ts";
import { lastLines } from "../process/tail.ts";
import { terminalText } from "../util/terminal-text.ts";
import { findTapFailure, junitFailures, readTap, removeReports } from "./failed-checks.ts";

/** What a check says about the tree that it was run on. */
export type Verdict = {
  readonly verdict: "green" | "red";
  readonly tries: number;
  readonly durationMs: number;
  /** One line for people. */
  readonly summary: string;
  /** The end of what it printed, masked. */
  readonly output: string;
  /** Of a gate that is known to be red: which of its checks failed; null where it does not say. */
  readonly failed: readonly string[] | null;
  /** It ran, and ended by itself: neither killed nor out of time. */
  readonly isWhole: boolean;
  /** It did not run, because its tree could not be prepared. */
  readonly isUnprepared?: true;
};

export type GateCall = {
  readonly gate: Gate;
  /** The folder of the tree, or the one below it that the gate names. */
  readonly cwd: string;
  /** Complete, with the gate's own variables in it. */
  readonly env: Env;
  /** The root of the tree. */
  readonly root: string;
};

/** Null when it was ended from outside: an unfinished check says nothing. */
export async function runGate(
  { gate, cwd, env, root }: GateCall,
  options: Omit<CommandOptions, "timeoutMs" | "onLine">,
): Promise<Verdict | null> {
  let durationMs = 0;
  for (let tries = 1; ; tries += 1) {
    const checks = await listenForChecks(gate, root);
    const heard = { ...options, ...checks.heard, timeoutMs: gate.timeoutMs };
    const end = await runCommand({ command: gate.run, cwd, env }, heard);
    if (options.signal?.aborted) return null;
    if (end.kind === "not-started") {
      throwIfNoRoom(end.failure);
      const { message } = end.failure;
      const nothing = { failed: null, isWhole: false };
      return { verdict: "red", tries, durationMs, summary: message, output: message, ...nothing };
    }
    durationMs += Math.round(end.exit.durationMs);
    const isGreen = end.exit.code === 0 && end.exit.why === null;
    if (!isGreen && tries <= gate.retries) continue;
    const flaky = isGreen && tries > 1 ? `, flaky: green on run ${tries}` : "";
    const cut = end.droppedBytes === 0 ? "" : `[${end.droppedBytes} bytes before this left out]\n`;
    return {
      verdict: isGreen ? "green" : "red",
      tries,
      durationMs,
      summary: `${isGreen ? "exit code 0" : howItEnded(gate, end.exit)}${flaky}${lastWord(isGreen, end.output)}`,
      output: `${cut}${end.output}`,
      failed: await checks.failed(),
      isWhole: end.exit.code !== null && end.exit.why === null,
    };
  }
}

/** Only where somebody compares them: to listen costs something. */
async function listenForChecks({ knownRed, results }: Gate, root: string) {
  if (!knownRed) return { heard: {}, failed: async () => null };
  if (results !== null) {
    await removeReports(root, results); // what lies there says nothing about this time
    return { heard: {}, failed: () => junitFailures(root, results) };
  }
  const tap = readTap();
  return { heard: { onLine: ({ text }: Line) => tap.line(text) }, failed: async () => tap.failed() };
}

function howItEnded(
  { timeoutMs }: Gate,
  { why, code, signal }: { why: string | null; code: number | null; signal: string | null },
): string {
  if (why === "total") return `timed out after ${Math.round(timeoutMs / 1000)} s`;
  return code === null ? `killed by ${signal ?? "a signal"}` : `exit code ${code}`;
}

const LONGEST_WORD = 160;

/** What people look for is mostly in the last line; in TAP it is where the first check fails. Sentences continue after it. */
function lastWord(isGreen: boolean, output: string): string {
  if (isGreen) return "";
  const text = terminalText(output);
  const line = findTapFailure(text) ?? lastLines(text, 1)[0] ?? "";
  const shown = line
    .trim()
    .slice(0, LONGEST_WORD)
    .replace(/[;,\s]+$/, "");
  return shown === "" ? "" : `: ${shown}`;
}
