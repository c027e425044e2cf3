import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import type { Env } from "../core/plan.ts";

export type Detached =
  | { readonly ok: true; readonly pid: number; readonly exited: Promise<number | null> }
  | { readonly ok: false; readonly message: string };

/** Starts a program that outlives this one: in a session of its own, what it prints goes to a file. */
export async function startDetached(call: {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Env;
  readonly log: string;
}): Promise<Detached> {
  const [program = "", ...args] = call.argv;
  const log = openSync(call.log, "a", 0o600);
  try {
    const child = spawn(program, args, {
      cwd: call.cwd,
      env: call.env,
      detached: true,
      stdio: ["ignore", log, log],
    });
    if (child.pid === undefined) {
      const [error] = await once(child, "error");
      return { ok: false, message: error.message };
    }
    const exited = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
    child.unref();
    return { ok: true, pid: child.pid, exited };
  } finally {
    closeSync(log);
  }
}
