import { existsSync } from "node:fs";
import { homedir, hostname, tmpdir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CommandAgent } from "../agents/command/config.ts";
import { withFinalExits } from "../agents/final-exits.ts";
import { type Agents, agentsOf } from "../agents/registry.ts";
import type { Traces } from "../config/merge.ts";
import type { Driver } from "../core/facts.ts";
import type { RunId } from "../core/ids.ts";
import type { Env } from "../core/plan.ts";
import { plait } from "../core/text/command.ts";
import type { UserRefusal } from "../core/text/refusal.ts";
import { fix, type Sentence } from "../core/text/sentence.ts";
import { createGit, type Git, openRepository, type Repository } from "../git/index.ts";
import { createGitSpawn } from "../process/git-spawn.ts";
import { RUN_VARIABLE } from "../process/markers.ts";
import { type Clock, systemClock } from "../util/clock.ts";

/** The caller's environment. The library reads neither argv nor the environment itself. */
export type Host = {
  /** The repository is the one around this folder. */
  readonly cwd: string;
  /** The whole environment, as agents are to inherit it. */
  readonly env: Env;
  readonly version: string;
  /** As the user typed it: shown to whoever finds the run's lock. */
  readonly command: string;
  readonly allowRoot: boolean;
  /** `--allow-root` was typed: the commands that plait suggests for the run have it too. */
  readonly hasRootFlag?: boolean;
  /** A run inside an agent of another run multiplies agents, so it must be allowed. */
  readonly allowNested: boolean;
  readonly agents?: readonly CommandAgent[];
  /** Replaces the Claude program on the PATH. */
  readonly claude?: string;
  /** Whether exit codes 2, 126 and 127 of an agent are final, that is, never retried. */
  readonly hasFinalExits?: boolean;
  readonly traces?: Traces;
  /** Bytes of copied dependency folders to keep for the next run of a repository. */
  readonly keptCopyBytes?: number;
  /** The file in which runs share usage limits (default: one for all runs of the user). */
  readonly accounts?: string;
  readonly clock?: Clock;
  /** Writes to the terminal that plait was started from; left out where there is none. */
  readonly terminal?: (text: string) => void;
};

/** Why a request cannot be carried out: the request itself, or the environment. What is wrong, and how to fix it. */
export type Refusal = {
  readonly kind: "request" | "environment";
  readonly message: string;
  readonly hint: Sentence;
};

export type OrRefusal<T> = ({ readonly ok: true } & T) | { readonly ok: false; readonly refusal: Refusal };

export type Refused = { readonly ok: false; readonly refusal: Refusal };

export function refuse(kind: Refusal["kind"], message: string, hint: Sentence): Refused {
  return { ok: false, refusal: { kind, message, hint } };
}

/** A run that refuses a request says what to do about it, or its status does. */
export function refuseByRun(run: RunId, { message, hint }: UserRefusal): Refused {
  return refuse("request", message, hint ?? fix("see the run", plait("status", run)));
}

export const gitFor = ({ env }: Host): Git => createGit({ spawn: createGitSpawn(), env });

type FoundRepository = OrRefusal<{ repository: Repository }>;

/** The repository around the folder. `outside` answers where there is none, and gets the refusal it replaces. */
export async function findRepository(
  host: Host,
  outside: (refusal: Refusal) => Promise<FoundRepository> = async (refusal) => ({ ok: false, refusal }),
): Promise<FoundRepository> {
  const opened = await openRepository(gitFor(host), host.cwd);
  if (opened.ok) return opened;
  const { reason, message, hint } = opened.refusal;
  const refusal: Refusal = { kind: "environment", message, hint };
  return reason === "not-a-repository" ? outside(refusal) : { ok: false, refusal };
}

/** Why no run can start in the repository here; null where one can. */
export async function repositoryRefusal(host: Host): Promise<Refusal | null> {
  const found = await findRepository(host);
  return found.ok ? null : found.refusal;
}

/** Whether this process belongs to an agent or a gate of a run. */
export function nestedRefusal({ env, allowNested }: Host): Refusal | null {
  const outer = env[RUN_VARIABLE];
  if (outer === undefined || allowNested) return null;
  return {
    kind: "environment",
    message: `cannot start a run inside run ${outer}`,
    hint: "to allow it: --allow-nested",
  };
}

/** Where the runs of a repository are; of a stand-in repository, those of all folders. */
export function runsFolder({ commonDir, standsInFor }: Repository): string {
  return standsInFor === null ? join(commonDir, "plait", "runs") : join(dirname(commonDir), "runs");
}

/** A file of the package, which is somewhere above this code, wherever it was bundled to; null where it is missing. */
export function findInPackage(file: string): string | null {
  for (let folder = HERE; ; folder = dirname(folder)) {
    const path = join(folder, file);
    if (existsSync(path)) return path;
    if (folder === dirname(folder)) return null;
  }
}

const HERE = dirname(fileURLToPath(import.meta.url));

const DEMO_AGENT = "dist/lib/programs/demo-agent.js";

export function agentsFor({ agents = [], claude, hasFinalExits = false }: Host): Agents {
  const demo = [process.execPath, findInPackage(DEMO_AGENT) ?? join(HERE, DEMO_AGENT)]; // its probe reports a missing one
  const all = agentsOf({ demo, commands: agents, claude });
  return hasFinalExits ? withFinalExits(all) : all;
}

export function describeDriver({ version, hasRootFlag = false }: Host): Driver {
  return { version, host: hostname(), pid: process.pid, ...(hasRootFlag && { allowRoot: true }) };
}

export const clockOf = ({ clock = systemClock }: Host): Clock => clock;

/** XDG: a relative path there is to be ignored. */
export function stateFolder({ env }: Host): string {
  const { XDG_STATE_HOME = "", HOME = homedir() } = env;
  return join(isAbsolute(XDG_STATE_HOME) ? XDG_STATE_HOME : join(HOME, ".local/state"), "plait");
}

/** Outside of all repositories: what is sealed with it is not beside it. */
export const valuesKey = (host: Host): string => join(stateFolder(host), "values.key");

export const portLocks = (host: Host): string => join(stateFolder(host), "ports");

export function temporaryFolder({ env }: Pick<Host, "env">): string {
  const { TMPDIR = "" } = env;
  return isAbsolute(TMPDIR) ? TMPDIR : tmpdir();
}

/** For sockets; null where the user's session has no such folder. */
export function runtimeFolder({ env }: Host): string | null {
  const { XDG_RUNTIME_DIR = "" } = env;
  return XDG_RUNTIME_DIR === "" ? null : XDG_RUNTIME_DIR;
}
