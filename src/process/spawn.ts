import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
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

/** Says nothing about the program, so no verdict may be made of it. */
export function throwIfNoRoom(failure: SpawnFailure): void {
  if (failure.reason === "no-room") throw new NoRoomError(failure);
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
export async function spawnChild(invocation: Invocation): Promise<Spawned> {
  for (const waitMs of NO_ROOM_WAITS_MS) {
    const spawned = await spawnOnce(invocation);
    if (spawned.ok || spawned.failure.reason !== "no-room") return spawned;
    await pause(waitMs);
  }
  return spawnOnce(invocation);
}

async function spawnOnce(invocation: Invocation): Promise<Spawned> {
  const { argv, cwd, env, stdin } = invocation;
  const [program = "", ...args] = argv;
  if (program === "") return failed(invocation, "bad-argument", "missing program");
  let child: ChildProcessByStdio<Writable | null, Readable, Readable>;
  try {
    child = spawn(program, args, {
      cwd,
      env,
      detached: true,
      stdio: [stdin === null ? "ignore" : "pipe", "pipe", "pipe"],
    }) as typeof child;
  } catch (error) {
    return failedWith(invocation, error);
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
  return { ok: true, child: child as Child, exited };
}

const live = new Set<number>();

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
