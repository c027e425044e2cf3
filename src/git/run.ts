// The one way to call git. An argv and never a shell, the environment of environment.ts, stderr kept, failures typed, and
// a retry only where a lock was held or no process could be started: then nothing was done.

import { stat } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import type { ProgramCall, ProgramEnd } from "../process/git-spawn.ts";
import { errnoOf, errorText } from "../util/errno.ts";
import {
  asOptions,
  DURABLE_BATCH_OPTIONS,
  DURABLE_OPTIONS,
  type Environment,
  gitEnvironment,
  SAFE_OPTIONS,
} from "./environment.ts";
import { GitError, type GitFailure, type GitFailureReason, reasonOf } from "./failure.ts";

/** Starts a program and waits for its end; rejects only when it cannot be started. */
export type GitSpawn = (call: ProgramCall) => Promise<ProgramEnd>;

/** One call of git. */
export type GitCall = {
  readonly args: readonly string[];
  readonly cwd: string;
  /** Which repository, index and work tree: GIT_DIR and the like. */
  readonly env?: Environment;
  readonly stdin?: string | Uint8Array;
  /** A file that is read as its input, however large it is. */
  readonly stdinFile?: string;
  /** Further settings, as `key=value`. */
  readonly config?: readonly string[];
  /** Exit codes other than 0 that are an answer. */
  readonly allow?: readonly number[];
  /** Synced to the disk before it counts; `batch` where there are many objects. */
  readonly durable?: boolean | "batch";
  /** As the user would call it: the user's hooks and signing are on. */
  readonly asUser?: boolean;
  /** For what may wait for somebody else: a hook, a key, a server. Without it there is no limit. */
  readonly timeoutMs?: number;
  /** Aborted, git is ended, and that is a failure like any other. */
  readonly signal?: AbortSignal;
};

export type GitOutput = { readonly code: number; readonly stdout: Buffer; readonly stderr: string };

/** Throws a GitError for every exit code that the call does not allow. */
export type Git = (call: GitCall) => Promise<GitOutput>;

export type GitOptions = {
  readonly spawn: GitSpawn;
  /** The environment plait was started with. */
  readonly env: Environment;
  /** The waits before another try at a lock; a test makes them short. */
  readonly retryAfterMs?: readonly number[];
};

const RETRY_AFTER_MS = [20, 50, 100, 200, 400, 800];

export function createGit({ spawn, env, retryAfterMs = RETRY_AFTER_MS }: GitOptions): Git {
  const base = gitEnvironment(env);
  let version: Promise<string> | undefined;

  async function run(call: GitCall): Promise<GitOutput> {
    const hooks = call.asUser ? [] : await namedHooks(call);
    for (let tries = 0; ; tries += 1) {
      const answer = await once(call, hooks);
      if (answer.ok) return answer.output;
      const wait = retryAfterMs[tries];
      if (answer.failure.reason !== "lock-contention" || wait === undefined)
        throw new GitError(answer.failure);
      await pause(wait);
    }
  }

  async function once(call: GitCall, hooks: readonly string[]) {
    const end = await start([...optionsOf(call), ...asOptions(hooks), ...call.args], call);
    const stderr = end.stderr.toString("utf8");
    if (end.code === 0 || (end.code !== null && call.allow?.includes(end.code))) {
      return { ok: true, output: { code: end.code, stdout: end.stdout, stderr } } as const;
    }
    const { code, signal } = end;
    return {
      ok: false,
      failure: failure(call, { code, signal, stderr, reason: reasonOf(stderr, code) }),
    } as const;
  }

  function start(args: readonly string[], call: GitCall) {
    const { cwd, stdin, stdinFile, timeoutMs, signal } = call;
    const input = {
      ...(stdinFile === undefined ? {} : { stdinFile }),
      ...(stdin === undefined ? {} : { stdin }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(signal === undefined ? {} : { signal }),
    };
    const spawned = () => spawn({ argv: ["git", ...args], cwd, env: { ...base, ...call.env }, ...input });
    return retryStart(call, spawned, retryAfterMs);
  }

  /** git 2.54 alone knows hooks in the config and no way to switch an event off: each one is switched off by its name. */
  async function namedHooks(call: GitCall): Promise<string[]> {
    const ask = async (args: readonly string[]) => readAnswer(args, await start(args, call));
    version ??= ask(["version"]).catch((error: unknown) => {
      version = undefined; // the next call asks again
      throw error;
    });
    if (!(await version).startsWith("git version 2.54.")) return [];
    const list = ["config", "--name-only", "--get-regexp", "^hook\\."];
    const names = (await ask(list)).match(/^hook\..+(?=\.[^.]+$)/gm) ?? [];
    return [...new Set(names)].map((name) => `${name}.enabled=false`);
  }

  return run;
}

/** 1 is none. Without an answer hooks of the config might run: then the call fails. */
function readAnswer(args: readonly string[], { code, signal, stdout, stderr }: ProgramEnd): string {
  if (code === 0 || code === 1) return stdout.toString("utf8");
  const text = stderr.toString("utf8");
  throw new GitError({ args, code, signal, stderr: text, reason: reasonOf(text, code) });
}

/** Where the system has no room for a process nothing was started, so nothing is done twice. */
async function retryStart<T>(
  call: GitCall,
  spawned: () => Promise<T>,
  waitsMs: readonly number[],
): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await spawned();
    } catch (cause) {
      const reason = await reasonNotStarted(cause, call.cwd);
      const wait = waitsMs[tries];
      if (reason !== "busy" || wait === undefined) {
        const stderr = errorText(cause);
        throw new GitError(failure(call, { code: null, signal: null, stderr, reason }), cause);
      }
      await pause(wait);
    }
  }
}

function optionsOf({ durable, config = [], asUser }: GitCall): string[] {
  const sync = durable === "batch" ? DURABLE_BATCH_OPTIONS : durable ? DURABLE_OPTIONS : [];
  return [...(asUser ? [] : SAFE_OPTIONS), ...sync, ...asOptions(config)];
}

function failure({ args }: GitCall, rest: Omit<GitFailure, "args">): GitFailure {
  return { args, ...rest };
}

async function reasonNotStarted(cause: unknown, cwd: string): Promise<GitFailureReason> {
  if (NO_ROOM.has(errnoOf(cause) ?? "")) return "busy";
  // The same ENOENT for a missing program and for a missing folder to start it in.
  return (await isFolder(cwd)) ? "no-git" : "other";
}

const NO_ROOM: ReadonlySet<string> = new Set(["EAGAIN", "EMFILE", "ENFILE", "ENOMEM"]);

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false, // whatever is wrong with it, nothing can be started there
  );
}

/** The text that git printed, without the last line end. */
export function textOf({ stdout }: Pick<GitOutput, "stdout">): string {
  return stdout.toString("utf8").replace(/\n$/, "");
}

export function linesOf(output: Pick<GitOutput, "stdout">): string[] {
  const text = textOf(output);
  return text === "" ? [] : text.split("\n");
}
