import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Env } from "../core/plan.ts";

export type TerminalEnd =
  | { readonly ok: true; readonly code: number | null; readonly signal: NodeJS.Signals | null }
  | { readonly ok: false; readonly message: string };

/** Signals that a terminal sends to everybody in front of it: they are meant for the program. */
const OF_TERMINAL = ["SIGINT", "SIGQUIT"] as const;

/** Runs a program for the person at the terminal, who has it to themselves until it ends. */
export async function runInTerminal(call: {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Env;
}): Promise<TerminalEnd> {
  const [program = "", ...args] = call.argv;
  const ignore = (): void => undefined;
  for (const signal of OF_TERMINAL) process.on(signal, ignore);
  try {
    const child = spawn(program, args, { cwd: call.cwd, env: call.env, stdio: "inherit" });
    if (child.pid === undefined) {
      const [error] = await once(child, "error");
      return { ok: false, message: `cannot start ${program}: ${error.message}` };
    }
    const [code, signal] = await once(child, "exit");
    return { ok: true, code, signal };
  } finally {
    for (const signal of OF_TERMINAL) process.off(signal, ignore);
  }
}
