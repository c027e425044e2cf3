import type { Fact, RunOutcome } from "../core/facts.ts";
import { taskAt } from "../core/run-index.ts";
import type { PastAttempt, RunState, TaskPhase } from "../core/run-state.ts";
import { advanceClock, taskState } from "../core/run-tasks.ts";
import { countsText, endWords } from "../core/select/end-words.ts";
import { nextCommands } from "../core/select/next-commands.ts";
import { progress } from "../core/select/progress.ts";
import { remarks } from "../core/select/remarks.ts";
import { runEnd } from "../core/select/run-end.ts";
import { type TaskRow, taskRows } from "../core/select/task-rows.ts";
import { cost, times } from "../core/select/totals.ts";
import { entries } from "../core/sorted-map.ts";
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
import {
  type Diffstat,
  type Moment,
  REPORT_VERSION,
  type RunReport,
  type Stays,
  type TaskReport,
} from "./model.ts";
import { momentsOf } from "./moments.ts";
import { needsOf } from "./needs-you.ts";
import { changedText } from "./report-words.ts";
import { type Beside, taskReport, toldAttempt } from "./task-report.ts";
import { foldVerdicts } from "./verdicts.ts";

export type ReportInput = {
  /** All facts of the run, and the state that they fold to. */
  readonly facts: readonly Fact[];
  readonly state: RunState;
  readonly now: number;
  readonly isDriven: boolean;
  readonly folder: string;
  readonly beside: Beside;
  /** What landed, or is on the integration branch, against the base. */
  readonly landed: Diffstat | null;
};

/** The report of a run at one moment. The same input gives the same report. */
export function runReport(input: ReportInput): RunReport {
  const { facts, now, isDriven, folder, beside, landed } = input;
  // One that was cut off stands still since then.
  const goesOn = isDriven && input.state.ended === null;
  const state = advanceClock(input.state, goesOn ? now : input.state.clock);
  const rows = taskRows(state, state.clock, { isDriven });
  const end = runEnd(state);
  const verdicts = foldVerdicts(facts);
  const bare = rows.map((row) => taskReport({ state, row, verdicts, beside }));
  const texts = withTexts(state, bare, beside);
  const needs = needsOf(state, { isDriven: goesOn, changed: beside.changed });
  const moments = momentsOf(facts);
  const stays = staysOf(state, folder);
  const { plan } = state.index;
  const over = state.ended !== null;
  return {
    v: REPORT_VERSION,
    run: state.run,
    plan: { name: plan.name, path: plan.source.path, format: plan.source.format, tasks: plan.tasks.length },
    outcome: end.outcome,
    hasEnded: over,
    isDriven: goesOn,
    exit: over ? exitOf(end.outcome) : null,
    says: sentence(state, rows, isDriven),
    ...{ base: state.base, target: state.target, workFolder: state.workFolder },
    landing: state.landing,
    landed,
    startedAt: state.startedAt,
    endedAt: state.ended?.at ?? null,
    at: state.clock,
    times: times(state, state.clock),
    cost: { ...cost(state), budgetUsd: state.policy.budgetUsd, byAgent: end.byAgent },
    needsYou: needs.slice(0, MOST_NEEDS),
    tasks: texts.tasks,
    gates: verdicts.figures,
    baseGates: verdicts.base,
    landingGates: verdicts.landing,
    timeline: shortened(moments),
    // A worktree that stays needs somebody, and is told there.
    remarks: [
      ...remarks(state).filter((text) => !stays.worktrees.some((path) => text.endsWith(path))),
      ...beside.changed
        .filter(({ weight }) => weight === "quiet")
        .map((one) => `${changedText(one)}; to put it back: plait restore ${state.run}`),
    ],
    stays: { ...stays, refs: stays.refs.slice(0, MOST_REFS) },
    next: nextCommands(state),
    leftOut: [
      ...more(needs.length - MOST_NEEDS, "things that need you: see the tasks that failed or are held"),
      ...more(texts.cut, "texts of agents and gates: plait logs shows them"),
      ...more(
        rows.filter(({ attempts }) => attempts > MOST_ATTEMPTS).length,
        "lists of attempts: only the last ones are here",
      ),
      ...more(moments.length - MOST_MOMENTS, "moments in the middle of the timeline: plait logs shows them"),
      ...more(stays.refs.length - MOST_REFS, "refs with saved work: plait rescue lists them"),
    ],
  };
}

function exitOf(outcome: RunOutcome): 0 | 1 | 3 {
  if (outcome === "complete") return 0;
  return outcome === "red-base" ? 3 : 1;
}

const more = (n: number, what: string): string[] => (n > 0 ? [`${n} ${what}`] : []);

/** `not landed: 21 of 24 merged, 2 failed, 1 skipped`. */
function sentence(state: RunState, rows: readonly TaskRow[], isDriven: boolean): string {
  if (state.ended === null) {
    const counts = countsText(rows, progress(state, { isDriven }));
    return isDriven ? `under way: ${counts}` : `cut off: ${counts}`;
  }
  const { verdict, text } = endWords(state, rows, state.ended);
  return state.landing.kind === "landed" ? `${verdict}${text}` : `${verdict}: ${text.trim()}`;
}

/** Texts share one allowance; who needs a person comes first. */
function withTexts(state: RunState, tasks: readonly TaskReport[], { said, outputs }: Beside) {
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
    const told = toldAttempt(taskState(state, state.index.indexOf.get(task.task) as number));
    const words = told === null ? undefined : said.get(told.id);
    const output = told === null ? undefined : outputs.get(told.id);
    filled.set(task.task, {
      ...task,
      said: take(words === undefined ? null : cutText(words.trim(), MOST_SAID)),
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

function staysOf(state: RunState, folder: string): Stays {
  const { run, landing, tip, base } = state;
  const isEmpty = tip.commit === base.commit;
  const isLanded = landing.kind === "landed" || isEmpty;
  const all = [...entries(state.tasks)].flatMap(([i, { phase, past }]) =>
    past.map((attempt) => ({ task: taskAt(state.index, i).id, phase, attempt })),
  );
  const saved = state.workFolder === null ? all : [];
  const refs = saved.filter(({ phase, attempt }) => !(isLanded && isDone(phase, attempt)));
  return {
    folder,
    integration: isLanded ? null : `plait/${run}/integration`,
    refs: refs.map(({ task, attempt }) => ({ task, ref: attempt.saved.ref })),
    worktrees: [
      ...new Set([
        ...all.flatMap(({ attempt: { saved } }) => saved.kept ?? saved.stays ?? []),
        ...[...entries(state.tasks)].flatMap(([, { open }]) => open?.worktree ?? []),
      ]),
    ],
    commands: [
      ...(refs.length === 0
        ? []
        : [{ command: "plait rescue", says: "list saved work, or make a branch of it" }]),
      { command: `plait clean ${run}`, says: "remove all of it, with this report" },
    ],
  };
}

/** Its work is on the target, or there was none: then its ref went at the end. */
function isDone(phase: TaskPhase, { id, saved, isMerged }: PastAttempt): boolean {
  if (isMerged) return true;
  return phase.kind === "passed" && phase.attempt === id && !saved.changed;
}
