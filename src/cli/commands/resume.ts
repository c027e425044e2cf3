import { realpath } from "node:fs/promises";
import {
  completeRefusal,
  describeMovedBranch,
  type FoundRun,
  findRun,
  grantBudget,
  type Host,
  type LocalRun,
  type Refreshed,
  refreshSettings,
  resumeRun,
  retryFailed,
  reviseRun,
  staysDriven,
  type WantedRun,
} from "../../app/index.ts";
import type { RunCommand as Asking } from "../../core/decide.ts";
import type { Oid } from "../../core/ids.ts";
import type { Plan, Task } from "../../core/plan.ts";
import { listRevision } from "../../core/select/plan-changes.ts";
import { hasSucceeded } from "../../core/select/run-status.ts";
import { formatCommand, forRun, plait } from "../../core/text/command.ts";
import { command, fix, plainText, sentence } from "../../core/text/sentence.ts";
import { requireAgreed } from "../agree.ts";
import { buildPolicy, readConfigFiles } from "../config.ts";
import { detach, driveHere, refuseHiddenPage } from "../drive.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import type { Options } from "../flags.ts";
import { drivingHost, granted } from "../host.ts";
import { printFindings, readPlan } from "../plan-file.ts";
import type { Request, RunCommand } from "../request.ts";
import { RequestError, UsageError } from "../request-error.ts";
import { subAgentChoice } from "../sub-agents.ts";

const INCOMPLETE: WantedRun = {
  fits: ({ state }) => !hasSucceeded(state),
  none: {
    message: "no incomplete run in this repository",
    hint: fix("start a run", plait("run", "plan.yaml")),
  },
};

/** Without a name, a plan is only for runs that it began: another run would drop its own tasks for those of the plan. */
async function pickWanted(path: string | undefined): Promise<WantedRun> {
  const absolute = path === undefined ? null : await realpath(path).catch(() => null);
  if (path === undefined || absolute === null) return INCOMPLETE; // reading the plan says what is wrong with the path
  const named = plait("resume", { placeholder: "run" }, { plan: path });
  return {
    fits: (known) => {
      const { source } = known.state.index.plan;
      return INCOMPLETE.fits(known) && (source.absolute === absolute || source.path === path);
    },
    none: {
      message: `no incomplete run of ${path} in this repository`,
      hint: sentence`${fix("start a run", plait("run", path))}; or ${fix("name one", named)}`,
    },
  };
}

/** Flags that have no effect without a plan. */
const WITH_PLAN = { redo: "redo", agent: "agent", withoutSubAgents: "without-sub-agents", model: "model" };

/** `plait resume [run]`: continues a stopped, interrupted or incomplete run. */
export const resume: RunCommand = Object.assign(resumeRequest, { checkFlags });

function checkFlags(options: Options): void {
  refuseHiddenPage(options, plait("resume", [], { detach: true }));
  const names = Object.keys(WITH_PLAN) as (keyof typeof WITH_PLAN)[];
  const lone = options.plan === undefined ? names.find((flag) => options[flag] !== undefined) : undefined;
  if (lone === undefined) return;
  const flag = WITH_PLAN[lone];
  throw new UsageError(
    `--${flag} needs --plan`,
    fix("add the plan", plait("resume", [], { plan: "plan.yaml", [flag]: { placeholder: "tasks" } })),
  );
}

async function resumeRequest(request: Request): Promise<ExitCode> {
  const [name = null] = request.args;
  const { options, output } = request;
  const host = await drivingHost(request, plait("resume"));
  const found = granted(await findRun(host, name, await pickWanted(options.plan)));
  const complete = options.plan === undefined ? completeRefusal(found.known) : null;
  if (complete !== null) granted(complete);
  // If another process runs it after all, resuming reports which one.
  await staysDriven(found.known, ({ pid }) => {
    if (options.quiet === true) return;
    output.say([[`Waiting for process ${pid}, which is finishing ${found.known.run}`]]);
  });
  const resumed =
    options.plan === undefined
      ? await asItIs(request, found, host)
      : await withPlan(request, found, options.plan);
  if (resumed === null) return exitCodes.badRequest;
  return options.detach === true ? detach(resumed, request) : driveHere(resumed, request);
}

/** With the plan of the run, and preparation as set now in its file and the configuration. */
async function asItIs(request: Request, found: FoundRun, host: Host): Promise<LocalRun> {
  const moved = await describeMovedBranch(found.repository, found.known.state);
  if (moved !== null) request.output.warn(moved);
  const { revision, changes } = await readAgain(request, found, host);
  const { project } = await readConfigFiles(process.cwd(), request.options);
  await requireAgreed(request, { plan: revision?.plan ?? null, project });
  const besides = revision === null ? {} : { revision };
  const { run, changes: others } = granted(
    await resumeRun(host, found, (left, now) => [...asides(request), ...retryFailed(left, now)], besides),
  );
  sayChanges(request, [...others.map(markChanged), ...changes]);
  return run;
}

const UNCHANGED: Refreshed = { revision: null, changes: [], hasOtherChanges: false };

/** Settings that may have been corrected after the start. A missing or invalid plan file changes nothing. */
async function readAgain(request: Request, found: FoundRun, host: Host): Promise<Refreshed> {
  const { known } = found;
  const { plan: old } = known.state.index;
  if (known.state.workFolder !== null) return UNCHANGED;
  const plan = await readPlanAgain(request, old, known.state.base.commit).catch((error: unknown) => {
    if (error instanceof RequestError || error instanceof UsageError) return null;
    throw error;
  });
  if (plan === null) return UNCHANGED;
  const { path } = old.source;
  const refreshed = await refreshSettings(host, found, plan);
  const changes = refreshed.changes.map(markChanged);
  if (!refreshed.hasOtherChanges) return { ...refreshed, changes };
  const again = command(forRun(known.state, plait("resume", known.run, { plan: path })));
  const edited = sentence`${path} was edited after the start; to use all of it: ${again}`;
  return { ...refreshed, changes: [...changes, plainText(edited)] };
}

/** The plan file, or the same prompts with their preparation flags and the current configuration. */
async function readPlanAgain(request: Request, old: Plan, commit: Oid): Promise<Plan | null> {
  const { source, prepare } = old;
  const read = { runCommands: false, commit, withoutPrompts: true, flags: source.flags ?? {} };
  if (source.typed !== undefined) {
    const { noCopy, ...typed } = source.typed;
    const options = { ...request.options, ...(noCopy && { copy: false as const }) };
    const prompts = { prompts: [ANY_PROMPT], gates: [], ...typed };
    const { plan } = await readPlan({ ...request, options, args: [] }, { ...read, prompts });
    if (plan === null) return null;
    const { prepare: now, slots, budgetUsd, land, publish, landStyle } = plan;
    const [{ retries, fixRounds, limits }] = plan.tasks as readonly [Task];
    const tasks = old.tasks.map((task) => ({ ...task, prepare: now, retries, fixRounds, limits }));
    return { ...old, prepare: now, tasks, slots, budgetUsd, land, publish, landStyle };
  }
  if (source.absolute === undefined) return null;
  const leavesCopies = prepare.automatic === true || prepare.copy.length + prepare.setup.length > 0;
  const options = leavesCopies ? request.options : { ...request.options, copy: false as const };
  return (await readPlan({ ...request, options, args: [source.absolute] }, read)).plan;
}

/** Prompts do not change: only the settings around them are read. */
const ANY_PROMPT = { flag: "-p", source: { kind: "inline", text: "resume" } } as const;

const markChanged = (change: string): string => `changed after the start: ${change}`;

function sayChanges({ options, output }: Request, changes: readonly string[]): void {
  if (options.quiet === true) return;
  for (const change of changes) output.say([[change]]);
}

function asides({ options, env }: Request): readonly Asking[] {
  return [
    ...((options.keepWorktrees ?? env.keepWorktrees) ? [{ kind: "keep-worktrees" } as const] : []),
    ...(options.allowRedBase === true ? [{ kind: "allow-red-base" } as const] : []),
    ...(options.budgetUsd === undefined ? [] : [{ kind: "budget", usd: options.budgetUsd } as const]),
    ...(options.concurrency === undefined ? [] : [{ kind: "resize", slots: options.concurrency } as const]),
  ];
}

/** Null if the plan is invalid, after printing its findings. */
async function withPlan(request: Request, found: FoundRun, path: string): Promise<LocalRun | null> {
  const { options, output } = request;
  const asked = { ...request, args: [path] };
  // Tasks made from files are made from the same files again, whatever has landed meanwhile.
  const { commit } = found.known.state.base;
  const loaded = await readPlan(asked, { runCommands: true, commit });
  printFindings(loaded, asked);
  const { plan, texts, agents, each } = loaded;
  if (plan === null) {
    const exit = exitCodes.badRequest;
    if (options.json === true) output.json({ v: 1, ok: false, exit, findings: loaded.diagnostics });
    return null;
  }
  await requireAgreed(request, { plan, project: loaded.project });
  const host = { ...(await drivingHost(request, plait("resume", [], { plan: path }))), agents };
  const { policy: before } = found.known.state;
  const { failFast, withoutSubAgents } = before;
  const redBase = options.allowRedBase === true ? "allow" : before.redBase;
  const asks = buildPolicy(plan, request);
  const keepWorktrees = asks.keepWorktrees || before.keepWorktrees;
  // `never` wins, whether from the command line of the run or from the plan now.
  const land = before.land === "never" ? "never" : asks.land;
  const kept = { failFast, redBase, ...(withoutSubAgents && { withoutSubAgents }) };
  const budget = options.budgetUsd === undefined ? {} : grantBudget(found.known.state, options.budgetUsd);
  const policy = { ...asks, ...budget, ...kept, keepWorktrees, land };
  const subAgents = subAgentChoice(request);
  if (land !== asks.land) {
    const land = formatCommand(plait("land", found.known.run));
    output.warn(`the run was started with --land never, which still applies; land it at the end: ${land}`);
  }
  const revised = granted(
    await reviseRun(host, found, { plan, texts, policy, subAgents, each, redo: options.redo ?? [] }),
  );
  output.warn(...revised.warnings);
  sayChanges(request, listPlanChanges(found, revised.run, plan, options.redo ?? []));
  return revised.run;
}

/** Compared with the plan as the run has it now: values that it seals and fills in are not changes. */
function listPlanChanges({ known }: FoundRun, run: LocalRun, asked: Plan, redo: readonly string[]): string[] {
  const { plan: now } = run.view.state().index;
  const ids = new Set(asked.tasks.map(({ id }) => id));
  const land = known.state.policy.land === "never" ? known.state.index.plan.land : now.land; // see withPlan
  const plan = { ...now, land, tasks: now.tasks.filter(({ id }) => ids.has(id)) };
  const redone = plan.tasks.map(({ id }) => id).filter((id) => redo.includes(id));
  return listRevision(known.state, plan, redone);
}
