import { homedir, hostname, tmpdir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import type { CommandAgent } from "../agents/command/config.ts";
import { withFinalExits } from "../agents/final-exits.ts";
import { type Agents, agentsOf } from "../agents/registry.ts";
import type { Driver } from "../core/facts.ts";
import type { Env } from "../core/plan.ts";
import { createGit, type Git, openRepository, type Repository } from "../git/index.ts";
import { createGitSpawn } from "../process/git-spawn.ts";
import { RUN_VARIABLE } from "../process/markers.ts";
import { type Clock, systemClock } from "../util/clock.ts";
import { demoAgentProgram } from "./demo-agent.ts";
import type { TraceSettings } from "./tracing.ts";

/** Who asks, and from where. The library reads neither argv nor the environment: it is told. */
export type Host = {
  /** The folder that it is asked in: the repository is the one around it. */
  readonly cwd: string;
  /** The whole environment, as agents are to inherit it. */
  readonly env: Env;
  /** Of this plait. */
  readonly version: string;
  /** As the user typed it: shown to whoever finds the run's lock. */
  readonly command: string;
  readonly allowRoot: boolean;
  /** A run inside an agent of another run multiplies agents: it must be meant. */
  readonly allowNested: boolean;
  /** Programs that the user made agents of. */
  readonly agents?: readonly CommandAgent[];
  /** The program that stands for Claude; left out where it is the one on the path. */
  readonly claude?: string;
  /** Whether exit codes 2, 126 and 127 of an agent are final: never retried. Left out where they are not. */
  readonly hasFinalExits?: boolean;
  /** Whether runs become traces; left out where nobody says. */
  readonly traces?: TraceSettings;
  /** The file by which its runs hear of limits that others met; left out where it is that of all runs of the user. */
  readonly accounts?: string;
  readonly clock?: Clock;
  /** Writes to the terminal that plait was started from; left out where nobody sits there. */
  readonly terminal?: (text: string) => void;
};

/** Why something cannot be done: the request's own fault, or that of the place. What happened, and what to type next. */
export type Refusal = {
  readonly kind: "request" | "environment";
  readonly message: string;
  readonly hint: string;
};

export type OrRefusal<T> = ({ readonly ok: true } & T) | { readonly ok: false; readonly refusal: Refusal };

export type Refused = { readonly ok: false; readonly refusal: Refusal };

export function refuse(
  kind: Refusal["kind"],
  message: string,
  hint: string,
): { ok: false; refusal: Refusal } {
  return { ok: false, refusal: { kind, message, hint } };
}

export function gitFor({ env }: Host): Git {
  return createGit({ spawn: createGitSpawn(), env });
}

type FoundRepository = OrRefusal<{ repository: Repository }>;

/** The one around the folder. `outside` answers where there is none; it is told what would be said without it. */
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

/** Why no run can take place in the repository here; null where one can. */
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
    message: `this is inside the run ${outer}: an agent of a run does not start another one`,
    hint: "if it is meant: --allow-nested",
  };
}

/** Where the runs of a repository lie; of one that stands in, those of all folders. */
export function runsFolder({ commonDir, standsInFor }: Repository): string {
  return standsInFor === null ? join(commonDir, "plait", "runs") : join(dirname(commonDir), "runs");
}

export function agentsFor({ agents = [], claude, hasFinalExits = false }: Host): Agents {
  const all = agentsOf({ demo: demoAgentProgram(), commands: agents, claude });
  return hasFinalExits ? withFinalExits(all) : all;
}

export function driverOf({ version }: Host): Driver {
  return { version, host: hostname(), pid: process.pid };
}

export const clockOf = ({ clock = systemClock }: Host): Clock => clock;

/** XDG: a relative path there is to be ignored. */
export function stateFolder({ env }: Host): string {
  const { XDG_STATE_HOME = "", HOME = homedir() } = env;
  return join(isAbsolute(XDG_STATE_HOME) ? XDG_STATE_HOME : join(HOME, ".local/state"), "plait");
}

/** Where runs tell each other which ports they use. */
export function portLocks(host: Host): string {
  return join(stateFolder(host), "ports");
}

export function temporaryFolder({ env }: Pick<Host, "env">): string {
  const { TMPDIR = "" } = env;
  return isAbsolute(TMPDIR) ? TMPDIR : tmpdir();
}

/** Where sockets belong, if the user's session has such a place. */
export function runtimeFolder({ env }: Host): string | null {
  const { XDG_RUNTIME_DIR = "" } = env;
  return XDG_RUNTIME_DIR === "" ? null : XDG_RUNTIME_DIR;
}
