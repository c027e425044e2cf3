// Continues a run: after a stop or a crash, or because a person wants tasks retried or merged work landed.

import { isDeepStrictEqual } from "node:util";
import type { RunCommand } from "../core/decide.ts";
import { taskAt } from "../core/run-index.ts";
import type { RunState, TaskPhase } from "../core/run-state.ts";
import { isSelected } from "../core/run-tasks.ts";
import { hasSucceeded } from "../core/select/run-status.ts";
import { entries } from "../core/sorted-map.ts";
import { plait } from "../core/text/command.ts";
import { fix } from "../core/text/sentence.ts";
import {
  findChangedAccounts,
  listAccounts,
  listChangedAccounts,
  listChangedAgents,
} from "../engines/local/find-accounts.ts";
import {
  type AcquireRunInput,
  type Asked,
  acquireRun,
  type LocalRun,
  type Surroundings,
} from "../engines/local/local-run.ts";
import { inheritable } from "../engines/local/run-context.ts";
import { tryStarts } from "./check-agents.ts";
import { checkSandbox } from "./check-sandbox.ts";
import { type Host, nestedRefusal, type OrRefusal, type Refused, refuse, refuseByRun } from "./host.ts";
import { refuseInsideRun } from "./refuse-inside-run.ts";
import type { FoundRun, KnownRun } from "./runs.ts";
import { surroundings } from "./start-run.ts";

/** A complete run cannot be resumed; null for every other one. */
export function completeRefusal({ run, state }: KnownRun): Refused | null {
  if (!hasSucceeded(state)) return null;
  return refuse("request", `${run} is complete`, fix("see the run", plait("status", run)));
}

export type ResumedRun = {
  readonly run: LocalRun;
  /** Agents and logins that are not those of the start, one line each. */
  readonly changes: readonly string[];
};

/** Acquires the run and gives it these commands. A refusal changes nothing. */
export async function resumeRun(
  host: Host,
  { repository, known }: FoundRun,
  asked: Asked,
  besides: Omit<AcquireRunInput, "asked"> = {},
): Promise<OrRefusal<ResumedRun>> {
  const inside = await refuseInsideRun(known);
  if (inside !== null) return inside;
  const nested = nestedRefusal(host);
  if (nested !== null) return { ok: false, refusal: nested };
  const { path } = known.folder;
  const walls = await checkSandbox(host, besides.revision?.plan ?? known.state.index.plan);
  if (!walls.ok) return walls;
  const around = await surroundings(host, repository, { run: known.run, path, sandbox: walls.sandbox });
  const refusal = refuseStarts(around, known.state, asked(known.state, known.state));
  if (refusal !== null) return refusal;
  const accounts = await findChangedAccounts(known.state, {
    agents: around.agents,
    env: inheritable(host.env),
  });
  const changed: RunCommand[] = accounts === null ? [] : [{ kind: "accounts", accounts }];
  // A new plan comes with its accounts; one that only prepares otherwise has those of the run.
  const { revision = null } = besides;
  const isOther = revision !== null && !isDeepStrictEqual(revision.accounts, listAccounts(known.state));
  const askedHere: Asked = isOther ? asked : (left, now) => [...changed, ...asked(left, now)];
  const taken = await acquireRun(around, path, { asked: askedHere, ...besides });
  if (taken.ok) {
    const changes = [
      ...(walls.warning === null ? [] : [walls.warning]),
      ...listChangedAgents(known, around.agents),
      ...listChangedAccounts(known.state, accounts),
    ];
    return { ok: true, run: taken.run, changes };
  }
  if (taken.why === "decided") return refuseByRun(known.run, taken.refusal);
  if (taken.refusal.reason !== "held")
    return refuse("environment", taken.refusal.message, taken.refusal.hint);
  const { holder } = taken.refusal;
  const stop = fix("stop it first", plait("stop", known.run, { now: true }));
  return refuse(
    "environment",
    `${known.run} is already running: process ${holder.pid} on ${holder.host}`,
    stop,
  );
}

/** These start no agent. */
const WITHOUT_AGENTS: ReadonlySet<RunCommand["kind"]> = new Set(["land", "undo", "stop", "cancel", "open"]);

/** As `run` refuses: no attempt is spent on an agent that cannot be started with these rights. */
function refuseStarts(
  { agents, rights }: Pick<Surroundings, "agents" | "rights">,
  state: RunState,
  commands: readonly RunCommand[],
): Refused | null {
  if (!rights.isRoot || rights.allowRoot || commands.some(({ kind }) => WITHOUT_AGENTS.has(kind)))
    return null;
  const named = new Set(commands.flatMap((one) => (one.kind === "retry" ? [one.task] : [])));
  const tasks = [...entries(state.tasks)].flatMap(([i, { phase }]) => {
    const task = taskAt(state.index, i);
    const starts = named.has(task.id) || (isSelected(state, task.id) && UNFINISHED.has(phase.kind));
    return starts ? [task] : [];
  });
  const tried = tryStarts(tasks, { agents, ...rights });
  // Anything else that is wrong with an agent is reported when its task starts.
  return tried.ok || tried.refusal.kind !== "environment" ? null : tried;
}

const UNFINISHED: ReadonlySet<TaskPhase["kind"]> = new Set<TaskPhase["kind"]>([
  ...(["waiting", "active", "queued", "backoff", "parked"] as const),
]);

/**
 * What `resume` retries: a run that ended retries its failed tasks; in an interrupted one they stay failed. So with a landing that a
 * person asked for and that conflicts with the target: agents may resolve it now.
 */
export function retryFailed(left: RunState, now: RunState): RunCommand[] {
  if (left.ended === null) return [];
  const { landing, policy } = left;
  const wasAsked = policy.land === "never" && landing.kind === "refused" && landing.why === "conflict";
  return [...(wasAsked ? [{ kind: "land-at-end" } as const] : []), ...retryAllFailed(left, now)];
}

/** For callers who ask for failed tasks by name. */
export function retryAllFailed(_left: RunState, now: RunState): RunCommand[] {
  const commands: RunCommand[] = [];
  for (const [i, { phase }] of entries(now.tasks)) {
    if (phase.kind === "failed") commands.push({ kind: "retry", task: taskAt(now.index, i).id });
  }
  return commands;
}
