import { useMemo, useRef } from "preact/hooks";
import type { Fact } from "../../core/facts.ts";
import { type AttemptId, attemptId, type TaskId } from "../../core/ids.ts";
import type { Task } from "../../core/plan.ts";
import { taskAt } from "../../core/run-index.ts";
import type { LiveAttempt, RunState } from "../../core/run-state.ts";
import { advanceClock, taskState } from "../../core/run-tasks.ts";
import { factLog, type LoggedFact, logOfAttempt } from "../../core/select/run-log.ts";
import type { TaskRow } from "../../core/select/task-rows.ts";
import type { AttemptReport, TaskReport } from "../../report/model.ts";
import type { DiffDocument, TaskAttemptRef } from "../../report/page/wire.ts";
import { type Beside, taskReport } from "../../report/task-report.ts";
import { type AllJudged, foldJudged, verdictOf } from "../../report/verdicts.ts";
import type { Loaded } from "../parts/use-loaded.ts";
import type { TaskRoute } from "../route.ts";
import type { Moment } from "../run/run-store.ts";

/** A task as its page shows it, at the moment that is shown. */
export type ShownTask = {
  readonly state: RunState;
  readonly row: TaskRow;
  readonly task: Task;
  readonly i: number;
  readonly report: TaskReport;
  readonly judged: AllJudged;
  /** The one that is looked at; null before the first, and where it has not begun yet at this moment. */
  readonly attempt: ShownAttempt | null;
};

export type ShownAttempt = AttemptReport & {
  /** Null when it is over. */
  readonly live: LiveAttempt | null;
  /** What it began with, the agent's work left out, and what followed. */
  readonly facts: readonly LoggedFact[];
};

/** Null where the run has no such task. */
export function useTask(moment: Moment, id: TaskId, n: number | null): ShownTask | null {
  const { facts, upTo } = moment;
  const logged = useFactLog(facts);
  const judged = useMemo(() => foldJudged(facts.slice(0, upTo)), [facts, upTo]);
  const row = moment.rows.find((one) => one.task === id);
  const i = moment.state.index.indexOf.get(id);
  const wanted = i === undefined ? null : wantedAttempt(moment.state, { i, id, n });
  const ofAttempt = useMemo(
    () => (wanted === null ? [] : logOfAttempt(logged.slice(0, upTo), wanted)),
    [logged, upTo, wanted],
  );
  if (row === undefined || i === undefined) return null;
  const state = advanceClock(moment.state, moment.now);
  const verdicts = { of: (attempt: AttemptId) => judged.of(attempt).map(verdictOf) };
  const needing = new Set(moment.needs.map(({ task }) => task));
  const report = taskReport({ state, row, verdicts, needing, beside: NOTHING_BESIDE, most: MOST_ATTEMPTS });
  const found = report.attempts.find(({ attempt }) => attempt === wanted) ?? null;
  const live = taskState(state, i).live.find((one) => one.id === wanted) ?? null;
  const attempt = found === null ? null : { ...found, live, facts: ofAttempt };
  return { state, row, task: taskAt(state.index, i), i, report, judged, attempt };
}

const MOST_ATTEMPTS = 200;

/** Everything that is not in the facts is asked for when it is looked at. */
const NOTHING_BESIDE: Beside = {
  said: new Map(),
  summaries: new Map(),
  outputs: new Map(),
  diffs: new Map(),
  artifacts: new Map(),
  reports: new Map(),
  files: () => ({ log: "", transcript: "", prompt: "" }),
  changed: [],
};

/** That of the number, else the last. */
function wantedAttempt(
  state: RunState,
  { i, id, n }: { readonly i: number; readonly id: TaskId; readonly n: number | null },
): AttemptId | null {
  const { past, live, started } = taskState(state, i);
  if (n !== null) return n <= started ? attemptId(id, n) : null;
  return live.at(-1)?.id ?? past.at(-1)?.id ?? null;
}

/** All facts with what followed from each. They only ever grow, so each is folded once. */
function useFactLog(facts: readonly Fact[]): readonly LoggedFact[] {
  const kept = useRef({ facts, log: factLog(), logged: [] as LoggedFact[] });
  if (kept.current.facts !== facts) kept.current = { facts, log: factLog(), logged: [] };
  const { log, logged } = kept.current;
  for (let n = logged.length; n < facts.length; n += 1) logged.push(log(facts[n] as Fact));
  return logged;
}

/** What every tab is given. */
export type TabProps = {
  readonly shown: ShownTask;
  readonly attempt: ShownAttempt;
  readonly route: TaskRoute;
  /** What the attempt changed against its base. */
  readonly base: Loaded<DiffDocument>;
};

export const toAttemptRef = ({ run, task }: TaskRoute, n: number): TaskAttemptRef => ({ run, task, n });
