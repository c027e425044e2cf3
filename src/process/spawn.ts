import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readdirSync, readFileSync, statSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import type { Env } from "../core/plan.ts";
import { errnoOf, errorText } from "../util/errno.ts";
import { pause } from "./pause.ts";

/** What to start: no shell, and an environment that is complete as given. */
export type Invocation = {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Env;
  /** Written and closed; null: there is nothing to read. */
  readonly stdin: string | null;
  /** It is not closed: for a program that would end with it, before it has answered. */
  readonly staysOpen?: boolean;
};

/** Why a program could not be started. */
export type SpawnFailure = {
  readonly reason:
    | "not-found"
    | "no-folder"
    | "not-allowed"
    | "too-big"
    | "no-room"
    /** The sandbox around it could not be made: says nothing about the program. */
    | "no-walls"
    | "bad-argument"
    | "other";
  /** The system's word for it, where it has one. */
  readonly errno: string | null;
  readonly message: string;
};

/** The thrown form of a start that the system had no room for: it passes, so a step that needs it is retried. */
class NoRoomError extends Error {
  override readonly name = "NoRoomError";
  readonly code: string;

  constructor({ errno, message }: SpawnFailure) {
    super(message);
    this.code = errno ?? "EAGAIN";
  }
}

/** The thrown form of walls that could not be made. */
class NoWallsError extends Error {
  override readonly name = "NoWallsError";
}

/** Says nothing about the program, so no verdict may be made of it. */
export function throwIfNoRoom(failure: SpawnFailure): void {
  if (failure.reason === "no-room") throw new NoRoomError(failure);
  if (failure.reason === "no-walls") throw new NoWallsError(failure.message);
}

export type Child = ChildProcessByStdio<Writable | null, Readable, Readable> & { readonly pid: number };

/** Both null: it was not seen to end. */
export type ChildExit = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

export type Spawned =
  | { readonly ok: true; readonly child: Child; readonly exited: Promise<ChildExit> }
  | { readonly ok: false; readonly failure: SpawnFailure };

/** Waits before another start where the system had no room for a process or its pipes: nothing was started, so nothing is done twice. */
const NO_ROOM_WAITS_MS = [50, 150, 400];

/** Starts a program in a session and process group of its own, so that it and its children can be signalled together. */
export async function spawnChild(invocation: Invocation, pipes: Pipes = []): Promise<Spawned> {
  for (const waitMs of NO_ROOM_WAITS_MS) {
    const spawned = await spawnOnce(invocation, pipes);
    if (spawned.ok || spawned.failure.reason !== "no-room") return spawned;
    await pause(waitMs);
  }
  return spawnOnce(invocation, pipes);
}

/** Descriptors 3, 4, …: bytes that the program reads there, or null where it writes. */
type Pipes = readonly (Buffer | null)[];

async function spawnOnce(invocation: Invocation, pipes: Pipes): Promise<Spawned> {
  const { argv, cwd, env, stdin } = invocation;
  const [program = "", ...args] = argv;
  if (program === "") return failed(invocation, "bad-argument", "missing program");
  let child: ChildProcessByStdio<Writable | null, Readable, Readable>;
  const covered = pipes.length === 0 ? UNCOVERED : coverInherited(3 + pipes.length);
  try {
    child = spawn(program, args, {
      cwd,
      env,
      detached: true,
      stdio: [
        stdin === null ? "ignore" : "pipe",
        "pipe",
        "pipe",
        ...pipes.map(() => "pipe" as const),
        ...covered.stdio,
      ],
    }) as typeof child;
  } catch (error) {
    return failedWith(invocation, error);
  } finally {
    covered.close();
  }
  if (child.pid === undefined) {
    const [error] = await once(child, "error");
    return failedWith(invocation, error);
  }
  const { pid } = child;
  live.add(pid);
  const exited = new Promise<ChildExit>((resolve) => {
    child.once("exit", (code, signal) => {
      live.delete(pid);
      resolve({ code, signal });
    });
  });
  feed(child.stdin, invocation);
  pipes.forEach((bytes, i) => {
    const pipe = child.stdio[3 + i] as Writable | null | undefined;
    if (bytes === null) return;
    pipe?.on("error", () => undefined);
    pipe?.end(bytes);
  });
  return { ok: true, child: child as Child, exited };
}

const live = new Set<number>();

type Covered = { readonly stdio: readonly ("ignore" | number)[]; readonly close: () => void };
const UNCOVERED: Covered = { stdio: [], close: () => undefined };

/**
 * Descriptors that plait itself was started with (by a shell, an editor, a CI system) and that would go on to the program: Node
 * closes only those that it opened. For what is enclosed each is covered by one of /dev/null. Nothing is done where there is none, as nearly always.
 */
function coverInherited(first: number): Covered {
  const inherited = listInherited().filter((fd) => fd >= first);
  const highest = Math.max(...inherited, 0);
  if (inherited.length === 0 || highest > MOST_COVERED) return UNCOVERED;
  const nothing = openSync("/dev/null", "r");
  const stdio = Array.from({ length: highest - first + 1 }, (_, i) =>
    inherited.includes(first + i) ? nothing : ("ignore" as const),
  );
  return { stdio, close: () => closeSync(nothing) };
}

const MOST_COVERED = 1_023;
const CLOSE_ON_EXEC = 0o2000000;
let inheritedFds: readonly number[] | null = null;

/** Asked once: what Node opens later closes by itself. */
function listInherited(): readonly number[] {
  inheritedFds ??= readInherited();
  return inheritedFds;
}

function readInherited(): number[] {
  try {
    return readdirSync("/proc/self/fdinfo")
      .map(Number)
      .filter((fd) => fd > 2 && !isClosedOnExec(fd));
  } catch {
    return []; // no /proc: then it is not known
  }
}

function isClosedOnExec(fd: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "latin1"))?.[1] ?? "0";
    return (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) !== 0;
  } catch {
    return true; // it was the one of the list itself
  }
}

/** Kills whatever was started here and has not ended: for a process that is about to end, before there is a run and its reaper. */
export function killLive(): void {
  for (const pid of live) {
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // it has ended meanwhile
    }
  }
}

function feed(pipe: Writable | null, { stdin, staysOpen }: Invocation): void {
  // A program may end or close its input without reading it (EPIPE, ECONNRESET): its exit says what there is to say.
  pipe?.on("error", () => undefined);
  pipe?.write(stdin ?? "");
  if (staysOpen !== true) pipe?.end();
}

const reasons: { readonly [errno: string]: SpawnFailure["reason"] } = {
  ENOENT: "not-found",
  ENOTDIR: "not-found",
  EACCES: "not-allowed",
  EPERM: "not-allowed",
  ENOEXEC: "not-allowed",
  E2BIG: "too-big",
  EAGAIN: "no-room",
  EMFILE: "no-room",
  ENFILE: "no-room",
  ENOMEM: "no-room",
  ERR_INVALID_ARG_VALUE: "bad-argument",
};

function failedWith(invocation: Invocation, error: unknown): Spawned {
  const code = errnoOf(error);
  const reason = reasons[code ?? ""] ?? "other";
  const text = errorText(error);
  // The system says ENOENT for both.
  const isFolder = reason === "not-found" && !isDirectory(invocation.cwd);
  return failed(
    invocation,
    isFolder ? "no-folder" : reason,
    text,
    code?.startsWith("ERR_") ? null : (code ?? null),
  );
}

function failed(
  { argv, cwd }: Invocation,
  reason: SpawnFailure["reason"],
  text: string,
  errno: string | null = null,
): Spawned {
  const what = reason === "no-folder" ? `${cwd} does not exist` : text;
  return { ok: false, failure: { reason, errno, message: `cannot start ${argv[0] ?? "nothing"}: ${what}` } };
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false; // not there, or not for us to see: it cannot be worked in either way
  }
}
