import { type KnownRun, listRuns, repositoryOfRuns } from "../../app/index.ts";
import type { EpochMs } from "../../core/facts.ts";
import { findLanded } from "../../core/select/landing-text.ts";
import { progress } from "../../core/select/progress.ts";
import { findRunStatus } from "../../core/select/run-status.ts";
import { openTasks } from "../../core/select/task-lists.ts";
import { plait } from "../../core/text/command.ts";
import { exitCodes } from "../exit-codes.ts";
import { createHost, granted } from "../host.ts";
import { nextCommand } from "../render/diagnostics.ts";
import { runsTable } from "../render/runs.ts";
import type { RunCommand } from "../request.ts";

/** `plait runs`: the runs of this repository or folder, latest first. */
export const runs: RunCommand = async (request) => {
  const { output, options } = request;
  const { repository } = granted(await repositoryOfRuns(createHost(request, plait("runs"))));
  const { runs: all, damaged } = await listRuns(repository);
  for (const { run, problem, hint } of damaged) output.warn(`${run}: ${problem}. ${hint}`);
  const now = Date.now();
  if (options.json === true) output.json({ v: 1, runs: all.map((one) => describeRun(one, now)), damaged });
  else if (all.length === 0) output.result([["no runs yet"], nextCommand(plait("run", "plan.yaml"))]);
  else output.result(runsTable(all, now, output.look));
  return exitCodes.ok;
};

function describeRun({ run, folder, driver, state }: KnownRun, now: EpochMs) {
  const { done, total } = progress(state);
  return {
    run,
    folder: folder.path,
    plan: { name: state.index.plan.name, path: state.index.plan.source.path },
    target: state.target,
    startedAt: state.startedAt,
    endedAt: state.ended?.at ?? null,
    status: findRunStatus(state, driver === null ? state.clock : now, driver !== null),
    landed: findLanded(state)?.to.commit ?? null,
    done,
    total,
    open: openTasks(state).map(({ task, worktree }) => ({ task, worktree })),
    spentUsd: state.spentUsd,
    process: driver === null ? null : { pid: driver.pid, host: driver.host },
  };
}
