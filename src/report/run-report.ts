import type { Fact } from "../core/facts.ts";
import type { RunId } from "../core/ids.ts";
import { holdsOnlyCopy, isResultLanded } from "../core/landing.ts";
import type { Diffstat } from "../core/landing-types.ts";
import { taskAt } from "../core/run-index.ts";
import type { PastAttempt, RunState, TaskPhase } from "../core/run-state.ts";
import { advanceClock, taskState } from "../core/run-tasks.ts";
import { pickShownAttempt } from "../core/select/attempt-number.ts";
import { listPullRequests } from "../core/select/landing-text.ts";
import { listNeeds, type Need as RunNeed } from "../core/select/needs.ts";
import { listNextSteps } from "../core/select/next-steps.ts";
import { progress } from "../core/select/progress.ts";
import { remarks } from "../core/select/remarks.ts";
import { countRedGates, runEnd } from "../core/select/run-end.ts";
import { findRunStatus, isEnded } from "../core/select/run-status.ts";
import { formatCounts, formatRunStatus } from "../core/select/run-status-text.ts";
import { taskRows } from "../core/select/task-rows.ts";
import { cost, times } from "../core/select/totals.ts";
import { listWaits } from "../core/select/waits.ts";
import { entries } from "../core/sorted-map.ts";
import { formatCommand, type NextStep, plait } from "../core/text/command.ts";
import { command, plainText, sentence } from "../core/text/sentence.ts";
import {
  cutText,
  endOf,
  MOST_ATTEMPTS,
  MOST_MOMENTS,
  MOST_NEEDS,
  MOST_OUTPUT,
  MOST_REFS,
  MOST_SAID,
  MOST_TEXT,
} from "./caps.ts";
import { summarizeMessage } from "./change-summary.ts";
import {
  type Moment,
  type Need,
  REPORT_VERSION,
  type RunReport,
  type SavedWork,
  type Step,
  type TaskReport,
} from "./model.ts";
import { buildTimeline } from "./moments.ts";
import { changedText } from "./report-text.ts";
import { checkResult } from "./result-checks.ts";
import { type Beside, taskReport } from "./task-report.ts";
import { foldVerdicts } from "./verdicts.ts";

export type ReportInput = {
  /** All facts of the run, and the state that they fold to. */
  readonly facts: readonly Fact[];
  readonly state: RunState;
  readonly now: number;
  readonly isRunning: boolean;
  readonly folder: string;
  readonly beside: Beside;
  /** What landed, or is on the integration branch, against the base. */
  readonly landed: Diffstat | null;
};

/** The report of a run at one moment. The same input gives the same report. */
export function runReport(input: ReportInput): RunReport {
  const { facts, now, isRunning, folder, beside, landed } = input;
  // For an interrupted run, time stands still since then.
  const goesOn = isRunning && input.state.ended === null;
  const state = advanceClock(input.state, goesOn ? now : input.state.clock);
  const rows = taskRows(state, state.clock, { isRunning });
  const end = runEnd(state);
  const status = findRunStatus(state, state.clock, goesOn);
  const verdicts = foldVerdicts(facts, countRedGates(state));
  const loud = beside.changed.filter(({ weight }) => weight !== "quiet");
  const needs = listNeeds(state, { isRunning: goesOn, changedConfig: loud.map(changedText) });
  const needing = new Set(needs.map(({ task }) => task));
  const bare = rows.map((row) => taskReport({ state, row, verdicts, needing, beside }));
  const texts = withTexts(state, bare, beside);
  const waits = listWaits(state, state.clock, { isRunning: goesOn }).map((wait) => ({
    ...wait,
    reason: plainText(wait.reason),
  }));
  const moments = buildTimeline(facts);
  const saved = listSavedWork(state, folder);
  const { plan } = state.index;
  const over = state.ended !== null;
  return {
    v: REPORT_VERSION,
    run: state.run,
    plan: { name: plan.name, path: plan.source.path, format: plan.source.format, tasks: plan.tasks.length },
    status,
    hasEnded: over,
    isRunning: goesOn,
    exit: isEnded(status) ? status.exit : null,
    text: sentence`${formatRunStatus(status)}, ${formatCounts(rows, progress(state, { isRunning }))}`,
    ...{ base: state.base, target: state.target, workFolder: state.workFolder },
    ...{ landing: state.landing, landings: state.landings.map(({ landing }) => landing), landed },
    pullRequests: listPullRequests(state),
    ...{ startedAt: state.startedAt, endedAt: state.ended?.at ?? null, at: state.clock },
    times: times(state, state.clock),
    cost: { ...cost(state), budgetUsd: state.policy.budgetUsd, byAgent: end.byAgent },
    needsYou: needs.slice(0, MOST_NEEDS).map(writeNeed),
    waits: waits.slice(0, MOST_NEEDS),
    tasks: texts.tasks,
    gates: verdicts.figures,
    checks: checkResult(state, facts),
    baseGates: verdicts.base,
    landingGates: verdicts.landing,
    timeline: shortened(moments),
    remarks: listRemarks(state, beside, saved),
    saved: { ...saved, refs: saved.refs.slice(0, MOST_REFS) },
    next: listNextSteps(state, { isRunning: goesOn }).map(writeStep),
    leftOut: listLeftOut(state.run, { needs, waits, cut: texts.cut, rows, moments, saved }),
  };
}

type Listed = {
  readonly needs: readonly unknown[];
  readonly waits: readonly unknown[];
  readonly cut: number;
  readonly rows: readonly { readonly attempts: number }[];
  readonly moments: readonly unknown[];
  readonly saved: Pick<SavedWork, "refs">;
};

function listLeftOut(run: RunId, { needs, waits, cut, rows, moments, saved }: Listed): string[] {
  const logs = formatCommand(plait("logs", [], { run }));
  return [
    ...more(needs.length - MOST_NEEDS, "more need you: see the failed and held tasks"),
    ...more(waits.length - MOST_NEEDS, `waits: see ${formatCommand(plait("status", run, { json: true }))}`),
    ...more(cut, `messages of agents and gates: see ${logs}`),
    ...more(
      rows.filter(({ attempts }) => attempts > MOST_ATTEMPTS).length,
      "lists of attempts: only the last attempts are here",
    ),
    ...more(moments.length - MOST_MOMENTS, `events in the middle of the timeline: see ${logs}`),
    ...more(saved.refs.length - MOST_REFS, `refs with saved work: see ${formatCommand(plait("rescue"))}`),
  ];
}

/** A worktree that stays is listed among the needs instead. */
function listRemarks(
  state: RunState,
  { changed }: ReportInput["beside"],
  { worktrees }: ReturnType<typeof listSavedWork>,
): string[] {
  const quiet = changed.filter(({ weight }) => weight === "quiet");
  return [
    ...remarks(state, worktrees),
    ...quiet.map((one) =>
      plainText(sentence`${changedText(one)}; restore it: ${command(plait("restore", state.run))}`),
    ),
  ];
}

const writeStep = ({ command, purpose }: NextStep): Step => ({ command: formatCommand(command), purpose });

function writeNeed({ kind, task, text, details, steps }: RunNeed): Need {
  return {
    kind,
    task,
    text: plainText(text),
    details: details.map((one) => plainText(one)),
    steps: steps.map(writeStep),
  };
}

const more = (n: number, what: string): string[] => (n > 0 ? [`${n} ${what}`] : []);

/** Texts share one allowance; who needs a person comes first. */
function withTexts(state: RunState, tasks: readonly TaskReport[], { said, summaries, outputs }: Beside) {
  let left = MOST_TEXT;
  let cut = 0;
  const take = (text: string | null): string | null => {
    if (text === null || text === "") return null;
    if (text.length > left) {
      cut += 1;
      return null;
    }
    left -= text.length;
    return text;
  };
  const filled = new Map<string, TaskReport>();
  for (const task of [...tasks].sort((a, b) => Number(b.needsYou) - Number(a.needsYou))) {
    const told = pickShownAttempt(taskState(state, state.index.indexOf.get(task.task) as number));
    const words = told === null ? undefined : said.get(told.id);
    const reported = told === null ? undefined : (summaries.get(told.id) ?? words);
    const output = told === null ? undefined : outputs.get(told.id);
    filled.set(task.task, {
      ...task,
      summary: take(task.agent === null || reported === undefined ? null : summarizeMessage(reported)),
      message: take(words === undefined ? null : cutText(words.trim(), MOST_SAID)),
      output: take(output === undefined ? null : endOf(output.trimEnd(), MOST_OUTPUT)),
    });
  }
  return { tasks: tasks.map((task) => filled.get(task.task) ?? task), cut };
}

/** The beginning and the end. */
function shortened(moments: readonly Moment[]): readonly Moment[] {
  if (moments.length <= MOST_MOMENTS) return moments;
  return [...moments.slice(0, MOST_MOMENTS / 2), ...moments.slice(-MOST_MOMENTS / 2)];
}

function listSavedWork(state: RunState, folder: string): SavedWork {
  const { run } = state;
  const isLanded = isResultLanded(state);
  const all = [...entries(state.tasks)].flatMap(([i, { phase, past }]) =>
    past.map((attempt) => ({ task: taskAt(state.index, i).id, phase, attempt })),
  );
  const saved = state.workFolder === null ? all : [];
  const refs = saved.filter(({ phase, attempt }) => !(isLanded && isDone(phase, attempt)));
  const changed = refs.filter(({ attempt }) => attempt.saved.changed);
  return {
    folder,
    integration: isLanded ? null : `plait/${run}/integration`,
    refs: changed.map(({ task, attempt }) => ({ task, ref: attempt.saved.ref })),
    unchanged: refs.length - changed.length,
    worktrees: [
      ...new Set([
        ...all.flatMap(({ attempt: { saved } }) => saved.kept ?? saved.stays ?? []),
        ...[...entries(state.tasks)].flatMap(([, { open }]) => open?.worktree ?? []),
      ]),
    ],
    steps: [
      ...(changed.length === 0
        ? []
        : [{ command: plait("rescue"), purpose: "list saved work, or turn it into a branch" }]),
      {
        command: plait("clean", run, { force: holdsOnlyCopy(state) }),
        purpose: "remove all of it, with this report",
      },
    ].map(writeStep),
  };
}

/** Its work is on the target, or there was none: then its ref went at the end. */
function isDone(phase: TaskPhase, { id, saved, isMerged }: PastAttempt): boolean {
  if (isMerged) return true;
  return phase.kind === "passed" && phase.attempt === id && !saved.changed;
}
