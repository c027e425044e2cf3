import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { Writable } from "node:stream";
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

/**
 * Whether this process may talk with its terminal. A job in the background (`plait run plan.yaml &`) that reads from it or
 * changes its settings is stopped by the system.
 */
export async function isInForeground(): Promise<boolean> {
  if (process.platform !== "linux") return isInFrontByPs();
  const stat = readFileSync("/proc/self/stat", "latin1");
  const [, , group, , , front] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return group === front;
}

/** A plus in the state is how ps tells it. */
function isInFrontByPs(): Promise<boolean> {
  return new Promise((resolve) => {
    execFile("ps", ["-o", "stat=", "-p", String(process.pid)], (_, printed) =>
      resolve(printed.includes("+")),
    );
  });
}

/** Like the reaper it is a text, does nothing until the pipe ends, and ignores what ends others at a terminal. */
const SCRIPT = String.raw`
trap '' HUP INT QUIT TERM PIPE TSTP TTIN TTOU
screen=main
while IFS= read -r word; do
  case $word in
    bye) exit 0 ;;
    *) screen=$word ;;
  esac
done
leave=
if [ "$screen" = alternate ]; then leave='\033[?1049l'; fi
printf "$leave"'\033[?2026l\033[?25h' >&3
`;

export type TerminalGuard = NonNullable<ReturnType<typeof guardTerminal>>;

/**
 * Puts the terminal behind this file descriptor right when this process is gone without having done so: killed, or out of memory.
 * Its cursor is shown again, and the screen is the one before. The settings of the line are left to the shell, which takes the
 * terminal back at that moment. Null where no process can be started: then it is as it is.
 */
export function guardTerminal(fd: number, env: Env) {
  const input = inputOf(fd, env);
  if (input === null) return null;
  return {
    /** Which screen is in use. */
    show: (screen: "main" | "alternate"): void => {
      if (input.writable) input.write(`${screen}\n`);
    },
    /** All is well. */
    close: (): void => {
      if (input.writable) input.end("bye\n");
    },
  };
}

function inputOf(fd: number, { PATH = "/usr/bin:/bin" }: Env): Writable | null {
  try {
    const child: ChildProcess = spawn("/bin/sh", ["-c", SCRIPT, "plait-terminal"], {
      ...{ cwd: "/", env: { PATH, LC_ALL: "C" }, detached: true },
      stdio: ["pipe", "ignore", "ignore", fd],
    });
    child.on("error", () => undefined); // told by its pid, which is missing
    const input = child.stdin ?? null;
    input?.on("error", () => undefined); // it was killed
    child.unref();
    if (input !== null && "unref" in input && typeof input.unref === "function") input.unref();
    return child.pid === undefined ? null : input;
  } catch {
    return null; // no memory, or no file may be opened any more
  }
}
