import {
  completeRefusal,
  type FoundRun,
  findRun,
  type LocalRun,
  resumeRun,
  retryFailed,
  reviseRun,
  staysDriven,
  type WantedRun,
} from "../../app/index.ts";
import type { RunCommand as Asking } from "../../core/decide.ts";
import { detach } from "../detach.ts";
import { driveHere } from "../drive.ts";
import { exitCodes } from "../exit-codes.ts";
import { drivingHost, granted } from "../host.ts";
import { refuseHiddenPage } from "../page-flags.ts";
import { readPlan, tellFindings } from "../plan-file.ts";
import { policyFor } from "../policy.ts";
import { warn } from "../render/warning.ts";
import type { Request, RunCommand } from "../request.ts";
import { UsageError } from "../request-error.ts";
import { subAgentChoice } from "../sub-agents.ts";

const UNDONE: WantedRun = {
  fits: ({ state }) => state.ended?.outcome !== "complete",
  none: { message: "every run of this repository is complete", hint: "start another: plait run plan.yaml" },
};

/** Without a plan to read they would be taken and mean nothing. */
const WITH_PLAN = {
  ...{ redo: "redo", agent: "agent", withoutSubAgents: "without-sub-agents" },
  ...{ model: "model", concurrency: "concurrency", budgetUsd: "budget-usd" },
} as const;

/** `plait resume [run]`: goes on with a run that was stopped or cut off, or that ended with something undone. */
export const resume: RunCommand = async (request) => {
  const [name = null] = request.args;
  const { options, output } = request;
  refuseHiddenPage(options, "plait resume --detach");
  const names = Object.keys(WITH_PLAN) as (keyof typeof WITH_PLAN)[];
  const lone = options.plan === undefined ? names.find((flag) => options[flag] !== undefined) : undefined;
  if (lone !== undefined) {
    const flag = WITH_PLAN[lone];
    throw new UsageError(
      `--${flag} goes with --plan`,
      `name the plan: plait resume --plan plan.yaml --${flag} …`,
    );
  }
  const host = await drivingHost(request, "plait resume");
  const found = granted(await findRun(host, name, UNDONE));
  const complete = options.plan === undefined ? completeRefusal(found.known) : null;
  if (complete !== null) granted(complete);
  // Where it is driven after all, whoever takes it is told by whom.
  await staysDriven(found.known, ({ pid }) => {
    if (options.quiet === true) return;
    output.say([[`${found.known.run} has ended; waits for process ${pid}, which still puts it away`]]);
  });
  const resumed =
    options.plan === undefined
      ? granted(await resumeRun(host, found, (left, now) => [...keeping(request), ...retryFailed(left, now)]))
          .run
      : await withPlan(request, found, options.plan);
  if (resumed === null) return exitCodes.badRequest;
  return options.detach === true ? detach(resumed, request) : driveHere(resumed, request);
};

function keeping({ options, env }: Request): readonly Asking[] {
  return (options.keepWorktrees ?? env.keepWorktrees) ? [{ kind: "keep-worktrees" }] : [];
}

/** Null where the plan is wrong, which was told. */
async function withPlan(request: Request, found: FoundRun, path: string): Promise<LocalRun | null> {
  const { options, output } = request;
  const asked = { ...request, args: [path] };
  // Tasks that were made of files are made of the same ones again, whatever has landed since.
  const { commit } = found.known.state.base;
  const loaded = await readPlan(asked, { runCommands: true, commit });
  tellFindings(loaded, asked);
  const { plan, texts, agents } = loaded;
  if (plan === null) {
    const exit = exitCodes.badRequest;
    if (options.json === true) output.json({ v: 1, ok: false, exit, findings: loaded.diagnostics });
    return null;
  }
  const host = { ...(await drivingHost(request, `plait resume --plan ${path}`)), agents };
  const { policy: before } = found.known.state;
  const { failFast, redBase, withoutSubAgents } = before;
  const asks = policyFor(plan, request);
  const keepWorktrees = asks.keepWorktrees || before.keepWorktrees;
  // Whoever said that nothing lands, on the command line of the run or in the plan as it is now, is heeded.
  const land = before.land === "never" ? "never" : asks.land;
  const kept = { failFast, redBase, ...(withoutSubAgents && { withoutSubAgents }) };
  const policy = { ...asks, ...kept, keepWorktrees, land };
  const subAgents = subAgentChoice(request, { words: process.argv.slice(2), takesAgent: true });
  if (land !== asks.land) {
    const then = `when it is done: plait land ${found.known.run}`;
    output.say(warn(`the run was started to land nothing, and that holds; ${then}`, output));
  }
  const revised = granted(
    await reviseRun(host, found, { plan, texts, policy, subAgents, redo: options.redo ?? [] }),
  );
  for (const warning of revised.warnings) output.say(warn(warning, output));
  return revised.run;
}
