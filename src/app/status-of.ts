import type { EpochMs } from "../core/facts.ts";
import type { RunState } from "../core/run-state.ts";
import { progress } from "../core/select/progress.ts";
import { statusCommands } from "../core/select/status-commands.ts";
import { type Activities, taskRows } from "../core/select/task-rows.ts";
import { cost, times } from "../core/select/totals.ts";
import type { Holder } from "../journal/holder.ts";
import { followRun } from "./follow-run.ts";
import type { RunFiles } from "./run-files.ts";
import type { KnownRun } from "./runs.ts";

/** A run at the moment when somebody asked. */
export type SeenRun = {
  readonly state: RunState;
  readonly now: EpochMs;
  readonly activity: Activities;
  readonly driver: Holder | null;
};

/** A driver knows more than its journal: what its agents are doing. Time stands still where nobody drives. */
export async function statusOf(known: KnownRun): Promise<SeenRun> {
  const { state, driver } = known;
  if (driver === null) return { state, driver, now: state.clock, activity: new Map() };
  const { view, close } = await followRun(known);
  close();
  return { state: view.state(), driver, now: view.now(), activity: view.activity() };
}

/** The same for programs, as docs/guide/json.md describes it. */
export function statusDocument({ run, folder }: KnownRun, seen: SeenRun, files: RunFiles) {
  const { state, now, driver, activity } = seen;
  const { ended, target, startedAt, landing, index } = state;
  const isDriven = driver !== null;
  return {
    v: 1,
    run,
    folder: folder.path,
    report: ended === null ? null : files.report,
    artifacts: files.artifacts?.folder ?? null,
    reports: files.reports,
    changed: files.changed,
    plan: { name: index.plan.name, path: index.plan.source.path },
    target,
    startedAt,
    endedAt: ended?.at ?? null,
    outcome: ended?.outcome ?? null,
    driver: driver === null ? null : { pid: driver.pid, host: driver.host },
    landing,
    progress: progress(state, { isDriven }),
    times: times(state, now),
    cost: cost(state),
    tasks: taskRows(state, now, { activity, isDriven }),
    next: statusCommands(state, { isDriven }).map(({ command }) => command),
  };
}
