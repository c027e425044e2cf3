import type { Activity } from "../activity.ts";
import { attemptTimes, sinceMs } from "../attempt-times.ts";
import type { EpochMs, MergedAttempt, Usage } from "../facts.ts";
import type { AttemptId, Oid, TaskId } from "../ids.ts";
import type { AgentChoice } from "../plan.ts";
import { taskAt } from "../run-index.ts";
import type { LiveAttempt, RunState, TaskPhase, TaskState } from "../run-state.ts";
import { advanceClock, findTask, isIncluded, taskState } from "../run-tasks.ts";
import { entries } from "../sorted-map.ts";
import { type AttemptNumber, countAttempts, numberLastAttempt, numberNextAttempt } from "./attempt-number.ts";
import {
  findCandidate,
  findTaskStatus,
  isToContinue,
  listTasksToMergeNow,
  type NextActor,
  nextActorByKind,
  pickLeading,
  type TaskContext,
  type TaskStatus,
} from "./task-status.ts";
import { criticalPath, workMs } from "./totals.ts";

/** A task on one line. */
export type TaskRow = {
  readonly task: TaskId;
  readonly title: string;
  readonly status: TaskStatus;
  readonly actor: NextActor;
  /** Null for a command. */
  readonly agent: AgentChoice | null;
  readonly isCritical: boolean;
  /** Attempts ever started, fixes too. */
  readonly attempts: number;
  /** Of the live attempt, else the last; while retrying, of the next one. */
  readonly number: AttemptNumber | null;
  /** The one that the row is about: live, queued, merged, else the last. */
  readonly attempt: AttemptId | null;
  /** How long all its attempts took together. */
  readonly workMs: number;
  /** How long it has had its status; null where that says nothing. */
  readonly lastsMs: number | null;
  /** End of its wait. */
  readonly until: EpochMs | null;
  /** Of all its attempts, as far as they reported it. */
  readonly usage: Usage;
  readonly commit: Oid | null;
  /** Its number in the queue; the lowest merges first. */
  readonly turn: number | null;
};

export type Activities = ReadonlyMap<AttemptId, Activity>;

/** What a journal does not say. */
export type Beside = {
  readonly activity?: Activities;
  /** Whether a plait process runs it; a run that has ended needs none. */
  readonly isRunning?: boolean;
};

/** One row for each selected task, in the order of the plan. */
export function taskRows(state: RunState, now: EpochMs, beside: Beside = {}): TaskRow[] {
  const { activity = new Map(), isRunning = true } = beside;
  const current = advanceClock(state, now);
  const critical = new Set(criticalPath(current));
  const next = listTasksToMergeNow(current);
  return current.index.plan.tasks.flatMap((task, i): TaskRow[] => {
    if (!isIncluded(current, task.id)) return [];
    const context = { state: current, i, task, activity, isRunning };
    return [buildRow(context, { isTurn: next.has(task.id), isCritical: critical.has(task.id) })];
  });
}

/** The same for one task; null when it is not in the plan. */
export function taskRow(state: RunState, id: TaskId, now: EpochMs, beside: Beside = {}): TaskRow | null {
  const { activity = new Map(), isRunning = true } = beside;
  const i = state.index.indexOf.get(id);
  if (i === undefined) return null;
  const current = advanceClock(state, now);
  const isTurn = listTasksToMergeNow(current).has(id);
  const context = { state: current, i, task: taskAt(current.index, i), activity, isRunning };
  return buildRow(context, { isTurn, isCritical: criticalPath(current).includes(id) });
}

/** How many agents are running now. */
export function countRunningAgents(state: RunState): number {
  let n = 0;
  for (const [i] of entries(state.indices.live)) {
    n += taskState(state, i).live.filter(({ stage }) => stage.kind === "run").length;
  }
  return n;
}

/** Tasks that it needs and that are not done. */
export const listUnmetNeeds = ({ status }: Pick<TaskRow, "status">): readonly TaskId[] =>
  status.kind === "waiting" && status.block?.kind === "needs" ? status.block.tasks : [];

type RowPlace = { readonly isTurn: boolean; readonly isCritical: boolean };

function buildRow(context: TaskContext, { isTurn, isCritical }: RowPlace): TaskRow {
  const { state, i, task, activity } = context;
  const of = taskState(state, i);
  const live = pickLeading(of);
  const status = findTaskStatus(context, isTurn);
  return {
    task: task.id,
    title: task.title,
    status,
    actor: nextActorByKind[status.kind],
    agent: task.work.kind === "agent" ? task.work.agent : null,
    isCritical,
    attempts: countAttempts(of),
    number: of.phase.kind === "backoff" ? numberNextAttempt(task, of) : numberLastAttempt(of),
    attempt: findShownAttempt(of, live),
    workMs: workMs(of, state.clock),
    lastsMs: isToContinue(status) ? null : findDuration(context, of.phase, live),
    until: findEnd(context, status),
    usage: sumUsage(of, activity),
    commit: findTaskCommit(state, task.id),
    turn: of.phase.kind === "queued" ? of.phase.turn : null,
  };
}

function findEnd({ state, isRunning }: TaskContext, status: TaskStatus): EpochMs | null {
  const ends = status.kind === "waiting" ? status.block : status;
  const until = ends !== null && "until" in ends ? ends.until : null;
  return isRunning && until !== null && until > state.clock ? until : null;
}

function findShownAttempt({ phase, past }: TaskState, live: LiveAttempt | null): AttemptId | null {
  if (phase.kind === "merged" || phase.kind === "passed" || phase.kind === "queued") return phase.attempt;
  return live?.id ?? past.at(-1)?.id ?? null;
}

function findDuration(
  { state, task }: TaskContext,
  phase: TaskPhase,
  live: LiveAttempt | null,
): number | null {
  if (phase.kind === "queued")
    return sinceMs(findCandidate(state, task.id) ?? { ...phase, at: phase.since }, state);
  if (phase.kind !== "active" || live === null) return null;
  const { agentMs, gatesMs } = attemptTimes(live, state.clock);
  return live.stage.kind === "save" || live.stage.kind === "gate" ? gatesMs : agentMs;
}

/** The measure of `times` in totals.ts: the rows add up to its serial time. */
function sumUsage({ past, live }: TaskState, activity: Activities): Usage {
  const usages = [
    ...past.map(({ ended }) => ended.usage),
    ...live.map(({ id, stage }) =>
      stage.kind === "save" || stage.kind === "gate" ? stage.ended.usage : activity.get(id)?.usage,
    ),
  ];
  const sum = (of: keyof Usage): number | null => {
    const reported = usages.map((usage) => usage?.[of] ?? null).filter((value) => value !== null);
    return reported.length === 0 ? null : reported.reduce((total, value) => total + value, 0);
  };
  return {
    costUsd: sum("costUsd"),
    inputTokens: sum("inputTokens"),
    outputTokens: sum("outputTokens"),
  };
}

/**
 * The commit of a merged task that a person can find: on the branch that it landed on, else on that of a pull request, else on the
 * integration branch.
 */
export function findTaskCommit(state: RunState, task: TaskId): Oid | null {
  const phase = findTask(state, task)?.phase;
  if (phase?.kind !== "merged") return null;
  const found = listVisible(state).find((one) => one.attempt === phase.attempt);
  return found?.commit ?? phase.commit;
}

/** Commits that stand for those of the integration branch, the last first. */
function listVisible({ landing, landings, published }: RunState): MergedAttempt[] {
  const earlier = landings.toReversed().flatMap((one) => one.landing.commits ?? []);
  if (landing.kind === "landed") return [...(landing.commits ?? []), ...earlier];
  return [...earlier, ...(published.kind === "published" ? published.commits : [])];
}
