import { type KnownRun, listRuns, repositoryOfRuns } from "../../app/index.ts";
import { findLanded } from "../../core/select/landing-words.ts";
import { progress } from "../../core/select/progress.ts";
import { openTasks } from "../../core/select/task-lists.ts";
import { exitCodes } from "../exit-codes.ts";
import { createHost, granted } from "../host.ts";
import { dim } from "../render/line.ts";
import { runsTable } from "../render/runs.ts";
import type { RunCommand } from "../request.ts";

/** `plait runs`: the runs of this repository or folder, latest first. */
export const runs: RunCommand = async (request) => {
  const { output, options } = request;
  const { repository } = granted(await repositoryOfRuns(createHost(request, "plait runs")));
  const { runs: all, damaged } = await listRuns(repository);
  for (const { run, problem, hint } of damaged) output.warn(`${run}: ${problem}. ${hint}`);
  if (options.json === true) output.json({ v: 1, runs: all.map(documentOf), damaged });
  else if (all.length === 0) output.result([["no runs yet"], [dim("next  "), "plait run plan.yaml"]]);
  else output.result(runsTable(all, Date.now(), output.look));
  return exitCodes.ok;
};

function documentOf({ run, folder, driver, state }: KnownRun) {
  const { done, total } = progress(state);
  return {
    run,
    folder: folder.path,
    plan: { name: state.index.plan.name, path: state.index.plan.source.path },
    target: state.target,
    startedAt: state.startedAt,
    endedAt: state.ended?.at ?? null,
    outcome: state.ended?.outcome ?? null,
    landed: findLanded(state)?.to.commit ?? null,
    done,
    total,
    open: openTasks(state).map(({ task, worktree }) => ({ task, worktree })),
    spentUsd: state.spentUsd,
    driver: driver === null ? null : { pid: driver.pid, host: driver.host },
  };
}
