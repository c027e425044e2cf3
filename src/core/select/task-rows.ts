import type { Activity } from "../activity.ts";
import { attemptTimes, sinceMs } from "../attempt-times.ts";
import type { EpochMs, Usage } from "../facts.ts";
import type { AttemptId, Oid, TaskId } from "../ids.ts";
import { isOverBudget } from "../landing.ts";
import type { AgentChoice, Task } from "../plan.ts";
import { taskAt } from "../run-index.ts";
import type { LiveAttempt, RunState, TaskPhase, TaskState } from "../run-state.ts";
import { advanceClock, isSelected, taskState } from "../run-tasks.ts";
import { entries } from "../sorted-map.ts";
import { blockOf } from "./blocking.ts";
import { failureText, limitText } from "./failure-text.ts";
import { blockText, gateNote, mergeNote, openNote, queueNote } from "./row-notes.ts";
import { ballOf } from "./state-words.ts";
import { criticalPath, workMs } from "./totals.ts";
import { lastTurn, nextTurn, type Turn } from "./turns.ts";

/**
 * The phase as people see it: `active` by the stage of its attempt, and `merging` for the one whose turn it is. What waits
 * for a resume is `stopped`, and `cut-off` where nobody drives the run and nobody has ended it.
 */
export type ShownState =
  | Exclude<TaskPhase["kind"], "active">
  | "preparing"
  | "running"
  | "fixing"
  | "saving"
  | "gating"
  | "merging"
  | "stopped"
  | "cut-off";

/** Who moves next: an agent, plait, time, a person, other tasks, or nobody. */
export type Ball = "agents" | "plait" | "clock" | "you" | "later" | "done";

/** A task on one line. */
export type TaskRow = {
  readonly task: TaskId;
  readonly title: string;
  readonly shown: ShownState;
  readonly ball: Ball;
  /** Null for a command. */
  readonly agent: AgentChoice | null;
  readonly isCritical: boolean;
  /** Attempts ever started, fix rounds too. */
  readonly attempts: number;
  /** Those that began afresh. */
  readonly tries: number;
  /** Which chance the live attempt is, else the last; in a back-off the one that comes. */
  readonly chance: Turn | null;
  /** The one that the row is about: live, queued, merged, else the last. */
  readonly attempt: AttemptId | null;
  /** How long all its attempts worked. */
  readonly workMs: number;
  /** How long it has been in the state that is shown; null where that is not told. */
  readonly lastsMs: number | null;
  /** End of its wait. */
  readonly until: EpochMs | null;
  /** Of all its attempts, as far as they have said it. */
  readonly usage: Usage;
  readonly commit: Oid | null;
  /** Its number in the queue; the lowest merges first. */
  readonly turn: number | null;
  /** What it does, waits for or failed with; null where state and `after` say it all. */
  readonly note: string | null;
  /** Needs that are neither merged nor passed. */
  readonly after: readonly TaskId[];
  /** Where a person has it; null where nobody does. */
  readonly openAt: string | null;
};

export type Activities = ReadonlyMap<AttemptId, Activity>;

/** What a journal does not tell. */
export type Beside = {
  readonly activity?: Activities;
  /** Whether somebody drives the run; a run that has ended needs nobody. */
  readonly isDriven?: boolean;
};

/** One row a task that was selected, in the order of the plan. */
export function taskRows(state: RunState, now: EpochMs, beside: Beside = {}): TaskRow[] {
  const { activity = new Map(), isDriven = true } = beside;
  const current = advanceClock(state, now);
  const critical = new Set(criticalPath(current));
  const next = tasksToMergeNow(current);
  return current.index.plan.tasks.flatMap((task, i): TaskRow[] => {
    if (!isSelected(current, task.id) || current.gone.has(task.id)) return [];
    const isTurn = next.has(task.id);
    return [rowOf({ state: current, i, task, isTurn, activity, isDriven }, critical.has(task.id))];
  });
}

/** The same for one task; null when it is not in the plan. */
export function taskRow(state: RunState, id: TaskId, now: EpochMs): TaskRow | null {
  const i = state.index.indexOf.get(id);
  if (i === undefined) return null;
  const current = advanceClock(state, now);
  const isTurn = tasksToMergeNow(current).has(id);
  const task = taskAt(current.index, i);
  const source = { state: current, i, task, isTurn, activity: new Map(), isDriven: true };
  return rowOf(source, criticalPath(current).includes(id));
}

/** How many agents are at work just now. */
export function agentsAtWork(state: RunState): number {
  let n = 0;
  for (const [i] of entries(state.indices.live)) {
    n += taskState(state, i).live.filter(({ stage }) => stage.kind === "run").length;
  }
  return n;
}

/** Everything that a row is made from. The clock of the state is the time that is shown. */
type RowSource = {
  readonly state: RunState;
  readonly i: number;
  readonly task: Task;
  readonly isTurn: boolean;
  readonly activity: Activities;
  readonly isDriven: boolean;
};

function rowOf(source: RowSource, isCritical: boolean): TaskRow {
  const { state, i, task, activity } = source;
  const of = taskState(state, i);
  const live = leading(of);
  const shown = shownState(source, of, live);
  return {
    task: task.id,
    title: task.title,
    shown,
    ball: ballOf[shown],
    agent: task.work.kind === "agent" ? task.work.agent : null,
    isCritical,
    attempts: of.started,
    tries: [...of.past, ...of.live].filter(({ continues }) => continues === null).length,
    chance: of.phase.kind === "backoff" ? nextTurn(task, of) : lastTurn(task, of),
    attempt: attemptOf(of, live),
    workMs: workMs(of, state.clock),
    lastsMs: lastsMs(source, of.phase, live),
    until: shown === "backoff" || shown === "parked" ? untilOf(of.phase) : null,
    usage: usageOf(of, activity),
    commit: of.phase.kind === "merged" ? of.phase.commit : null,
    turn: of.phase.kind === "queued" ? of.phase.turn : null,
    note: GOES_ON.has(shown) ? goesOn(state, of.phase) : noteOf(source, of, live),
    after: of.phase.kind === "waiting" ? unmetNeeds(source) : [],
    openAt: of.open?.worktree ?? null,
  };
}

const untilOf = (phase: TaskPhase): EpochMs | null => ("until" in phase ? phase.until : null);

function goesOn(state: RunState, { kind }: TaskPhase): string {
  if (kind === "queued") return "goes on in the queue with resume";
  return isOverBudget(state) ? "goes on with a larger budget" : "goes on with resume";
}

const GOES_ON: ReadonlySet<ShownState> = new Set(["stopped", "cut-off"]);

/** Of several that race, the first that nobody has called off. */
const leading = ({ live }: TaskState): LiveAttempt | null =>
  live.find(({ stop }) => stop === null) ?? live[0] ?? null;

function shownState(source: RowSource, of: TaskState, live: LiveAttempt | null): ShownState {
  const { state, isTurn, isDriven } = source;
  const { phase } = of;
  if (isStopped(state, of)) return "stopped";
  if (!isDriven && state.ended === null && hasBegun(of)) return "cut-off";
  if (phase.kind === "queued") return isTurn ? "merging" : "queued";
  if (phase.kind !== "active") return phase.kind;
  switch (live?.stage.kind) {
    case "run":
      return live.continues === null ? "running" : "fixing";
    case "save":
      return "saving";
    case "gate":
      return "gating";
    default:
      return "preparing";
  }
}

/** Nobody looks at the clock of a run that has ended, or at its queue. A run that drains merges what is in the queue. */
function isStopped({ stopping, ended }: RunState, of: TaskState): boolean {
  if (of.phase.kind === "queued") return ended !== null;
  return (stopping !== null || ended !== null) && of.live.length === 0 && hasBegun(of);
}

/** It is neither over nor with a person, and what it has done waits for somebody who drives the run. */
function hasBegun({ phase, unmet, past }: TaskState): boolean {
  if (phase.kind === "active" || phase.kind === "queued") return true;
  return WAITS.has(phase.kind) && unmet === 0 && past.length > 0;
}

const WAITS: ReadonlySet<TaskPhase["kind"]> = new Set(["waiting", "backoff", "parked"]);

function attemptOf({ phase, past }: TaskState, live: LiveAttempt | null): AttemptId | null {
  if (phase.kind === "merged" || phase.kind === "passed" || phase.kind === "queued") return phase.attempt;
  return live?.id ?? past.at(-1)?.id ?? null;
}

function lastsMs({ state, task }: RowSource, phase: TaskPhase, live: LiveAttempt | null): number | null {
  if (phase.kind === "queued")
    return sinceMs(candidateOf(state, task.id) ?? { ...phase, at: phase.since }, state);
  if (phase.kind !== "active" || live === null) return null;
  const { agentMs, gatesMs } = attemptTimes(live, state.clock);
  return live.stage.kind === "save" || live.stage.kind === "gate" ? gatesMs : agentMs;
}

function noteOf(source: RowSource, of: TaskState, live: LiveAttempt | null): string | null {
  const { state, i, task, isTurn, isDriven } = source;
  const { phase } = of;
  switch (phase.kind) {
    case "active":
      return live?.stop == null ? gateNote(state, i, live) : "stopping";
    case "queued": {
      const candidate = candidateOf(state, task.id);
      return isTurn ? mergeNote(candidate) : queueNote(blockOf(state, task.id, state.clock), candidate);
    }
    case "backoff":
    case "failed":
      return failureText(phase.failure, task.limits);
    case "parked":
      return limitText(task.work.kind === "agent" ? task.work.agent.use : null, phase.why);
    case "held":
      return of.open === null ? phase.why : openNote(of.open, task.limits);
    case "skipped":
      return phase.because === null ? "not selected" : `needs ${phase.because}`;
    case "waiting":
      // Where nobody drives the run, nobody takes its slots.
      return of.unmet > 0 || !isDriven ? null : blockText(blockOf(state, task.id, state.clock));
    default:
      return null;
  }
}

function unmetNeeds({ state, task }: RowSource): readonly TaskId[] {
  const block = blockOf(state, task.id, state.clock);
  return block?.kind === "needs" ? block.tasks : [];
}

const candidateOf = (state: RunState, task: TaskId) =>
  state.candidates.find(({ tasks }) => tasks.some((entry) => entry.task === task));

/** What the first candidate carries; before it is built, the head of the queue. */
function tasksToMergeNow({ candidates, indices, index }: RunState): ReadonlySet<TaskId> {
  const [head] = candidates;
  if (head !== undefined) return new Set(head.tasks.map(({ task }) => task));
  let first = indices.queue;
  while (first !== null && first.left !== null) first = first.left;
  return new Set(first === null ? [] : [taskAt(index, first.value).id]);
}

/** The measure of `times` in totals.ts: the rows add up to its serial time. */
function usageOf({ past, live }: TaskState, activity: Activities): Usage {
  const usages = [
    ...past.map(({ ended }) => ended.usage),
    ...live.map(({ id, stage }) =>
      stage.kind === "save" || stage.kind === "gate" ? stage.ended.usage : activity.get(id)?.usage,
    ),
  ];
  const sum = (of: keyof Usage): number | null => {
    const said = usages.map((usage) => usage?.[of] ?? null).filter((value) => value !== null);
    return said.length === 0 ? null : said.reduce((total, value) => total + value, 0);
  };
  return {
    costUsd: sum("costUsd"),
    inputTokens: sum("inputTokens"),
    outputTokens: sum("outputTokens"),
  };
}
