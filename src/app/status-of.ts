import type { EpochMs } from "../core/facts.ts";
import type { RunState } from "../core/run-state.ts";
import { listPullRequests } from "../core/select/landing-text.ts";
import { listNeeds } from "../core/select/needs.ts";
import { listNextSteps } from "../core/select/next-steps.ts";
import { countStatuses, progress, timeShown } from "../core/select/progress.ts";
import { findRunStatus } from "../core/select/run-status.ts";
import { type Activities, listUnmetNeeds, type TaskRow, taskRows } from "../core/select/task-rows.ts";
import { formatTaskNote } from "../core/select/task-status-text.ts";
import { cost, times } from "../core/select/totals.ts";
import { listWaits } from "../core/select/waits.ts";
import { formatCommand } from "../core/text/command.ts";
import { plainText } from "../core/text/sentence.ts";
import type { Holder } from "../journal/holder.ts";
import { followRun } from "./follow-run.ts";
import type { RunFiles } from "./run-files.ts";
import type { KnownRun } from "./runs.ts";

export type SeenRun = {
  readonly state: RunState;
  readonly now: EpochMs;
  readonly activity: Activities;
  readonly driver: Holder | null;
};

/** A driver knows more than its journal: what its agents are doing. Time stands still where nobody drives. */
export async function readRunStatus(known: KnownRun): Promise<SeenRun> {
  const { state, driver } = known;
  if (driver === null) return { state, driver, now: state.clock, activity: new Map() };
  const { view, close } = await followRun(known);
  close();
  const now = view.state();
  // Time stands still after the end, also while the driver still puts the run away.
  return {
    state: now,
    driver,
    now: timeShown(now, view.now(), now.ended === null),
    activity: view.activity(),
  };
}

/** The same for programs, as docs/guide/json.md describes it. */
export function statusDocument({ run, folder }: KnownRun, seen: SeenRun, files: RunFiles) {
  const { state, now, driver, activity } = seen;
  const { ended, target, startedAt, landing, index } = state;
  const isRunning = driver !== null;
  const rows = taskRows(state, now, { activity, isRunning });
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
    status: findRunStatus(state, now, isRunning),
    process: driver === null ? null : { pid: driver.pid, host: driver.host },
    landing,
    pullRequests: listPullRequests(state),
    waits: listWaits(state, now, { activity, isRunning }).map((wait) => ({
      ...wait,
      reason: plainText(wait.reason),
    })),
    progress: { ...progress(state, { isRunning }), counts: countStatuses(rows) },
    times: times(state, now),
    cost: cost(state),
    tasks: rows.map(writeRow),
    needsYou: listNeeds(state, { isRunning: isRunning && ended === null }).map(
      ({ kind, task, text, steps: [step] }) => ({
        ...{ kind, task, text: plainText(text), next: formatCommand(step.command) },
      }),
    ),
    next: listNextSteps(state, { isRunning }).map(({ command }) => formatCommand(command)),
  };
}

/** With the status as its word, and the rest of its sentence beside it. */
const writeRow = ({ status, ...row }: TaskRow) => ({
  ...row,
  status: status.kind,
  note: plainText(formatTaskNote(status)) || null,
  after: listUnmetNeeds({ status }),
  openAt: status.kind === "held" ? (status.open?.worktree ?? null) : null,
});
