import type { Brief, EpochMs, TypedFact } from "../facts.ts";
import { topologicalOrder } from "../graph.ts";
import type { TaskId } from "../ids.ts";
import type { Plan, Task } from "../plan.ts";
import { failedNeed, isTargetFix } from "../queries.ts";
import { indexPlan, type RunIndex, taskAt } from "../run-index.ts";
import {
  freshTask,
  type LiveAttempt,
  NOTHING_USED,
  type RunState,
  type TaskPhase,
  type TaskState,
} from "../run-state.ts";
import {
  changeTask,
  findTask,
  findUnmetNeeds,
  isSatisfied,
  isSelected,
  isSettled,
  listMissingChecks,
  rebuildIndices,
  taskState,
} from "../run-tasks.ts";
import { type SortedMap, set } from "../sorted-map.ts";
import { proveAttempt } from "./attempts.ts";
import { unsatisfyDependents, unskipDependents } from "./dependents.ts";
import { endAttempts, putLive } from "./live.ts";

/**
 * A new plan in a running run. Tasks keep their state by id: what is merged stays merged, what is new waits, what was
 * changed while it ran is ended and tried again. A task that left the plan stays where it is merged, and counts: its work lands with
 * the rest. One that has begun stays as cancelled, so that its processes are ended and its work is saved; it no longer counts.
 * Indices change, so all are built anew.
 */
export function revisePlan(
  state: RunState,
  { plan: asked, accounts, redo, at }: TypedFact<"plan.revised">,
): RunState {
  const left = state.index.plan.tasks.filter((task) => hasLeft(state, asked, task));
  const merged = left.filter(({ id }) => findTask(state, id)?.phase.kind === "merged");
  const gone = left.filter((task) => !merged.includes(task));
  const plan = {
    ...asked,
    tasks: [...asked.tasks, ...left.map((task) => withoutLostNeeds(task, asked, left))],
  };
  const index = indexPlan(plan, accounts);
  if (isEcho(state, { index, gone, redo })) return state;
  let tasks: SortedMap<number, TaskState> = null;
  plan.tasks.forEach((task, i) => {
    tasks = set(tasks, i, findTask(state, task.id) ?? freshTask());
  });
  const changed = asked.tasks.filter((task) => isChanged(state, task)).map(({ id }) => id);
  const revised = rebuildIndices({
    ...state,
    index,
    tasks,
    selected: selectedIn(state, [...asked.tasks, ...merged], gone),
    gone: new Set(gone.map(({ id }) => id)),
    candidates: [],
    targetFix: isReplaced(state, changed, gone) ? null : state.targetFix,
    ended: null,
  });
  const back = asked.tasks.map(({ id }) => id).filter((id) => state.gone.has(id));
  const ended = cancelGone(
    restartChanged(bringBack(revised, back), { before: state, changed, at }),
    gone,
    at,
  );
  // `decide` asks for a changed merged task to be named; here it is one that merged while the person asked.
  return recount(redoTasks(ended, [...redo, ...changed]));
}

/** The task that fits the run to its target is another one now, or none. */
function isReplaced({ targetFix }: RunState, changed: readonly TaskId[], gone: readonly Task[]): boolean {
  if (targetFix === null) return false;
  return changed.includes(targetFix.task) || gone.some(({ id }) => id === targetFix.task);
}

/** Whether a plan asks for other work under the id of a task that the run already knows. */
export function isChanged(state: RunState, task: Task): boolean {
  const known = state.index.plan.tasks[state.index.indexOf.get(task.id) ?? -1];
  if (known === undefined) return false;
  const phase = findTask(state, task.id)?.phase;
  const isDone = phase !== undefined && isSatisfied(phase);
  return whatIsAsked(known, isDone) !== whatIsAsked(task, isDone);
}

/**
 * How it is scheduled, retried and shown may change without doing the work again. What is done stays done also where another
 * agent would do it now, or would be checked otherwise: it was proven as merged, and all that lands is gated once more.
 */
function whatIsAsked(task: Task, isDone: boolean): string {
  const { work, access, gates, prepare, env, needs, title } = task;
  const words = work.kind === "agent" ? work.prompt.hash : work.run;
  if (isDone) return JSON.stringify([words, access, needs, title]);
  return JSON.stringify([listWork(task), gates, prepare, env]);
}

/** All that the result of an attempt depends on, besides how it is prepared and checked. */
const listWork = ({ work, access, owns, boundary, needs, title, allowEmpty }: Task): string =>
  JSON.stringify([work, access, owns, boundary, needs, title, allowEmpty]);

function hasLeft(state: RunState, plan: Plan, { id }: Task): boolean {
  const known = findTask(state, id);
  const isBegun = known !== undefined && (known.started > 0 || known.open !== null);
  return isBegun && !plan.tasks.some((task) => task.id === id);
}

/** A task that stays only for its history needs nothing that is no longer there. */
function withoutLostNeeds(task: Task, plan: Plan, gone: readonly Task[]): Task {
  const stays = (id: TaskId) => [...plan.tasks, ...gone].some((other) => other.id === id);
  return { ...task, needs: task.needs.filter(stays) };
}

type Change = {
  readonly index: RunIndex;
  readonly gone: readonly Task[];
  readonly redo: readonly TaskId[];
};

function isEcho(state: RunState, { index, gone, redo }: Change): boolean {
  const isDone = (id: TaskId) => isSatisfied(findTask(state, id)?.phase ?? { kind: "waiting" });
  if (redo.some(isDone)) return false;
  if (gone.length !== state.gone.size || !gone.every(({ id }) => state.gone.has(id))) return false;
  const facets = ({ plan, lanes, laneOf }: RunIndex) => JSON.stringify([plan, lanes, laneOf]);
  return facets(index) === facets(state.index);
}

/** `--only` chose among the old tasks; what the user adds now is wanted too. */
function selectedIn(
  state: RunState,
  tasks: readonly Task[],
  gone: readonly Task[],
): ReadonlySet<TaskId> | null {
  if (state.selected === null && gone.length === 0) return null;
  const ids = tasks.map(({ id }) => id);
  return new Set(
    ids.filter((id) => !state.index.indexOf.has(id) || state.gone.has(id) || isSelected(state, id)),
  );
}

/** What was taken out of the plan and is in it again is as good as new; only its attempts go on counting. */
function bringBack(state: RunState, back: readonly TaskId[]): RunState {
  let next = state;
  for (const id of back) {
    const i = next.index.indexOf.get(id) as number;
    if (taskState(next, i).phase.kind !== "cancelled") continue;
    next = changeTask(next, i, { phase: { kind: "waiting" }, used: NOTHING_USED });
  }
  return next;
}

/**
 * Work made for the old words is not merged for the new ones. Where the words are the same, saved work stays and is checked as the
 * new plan asks for it. What a person cancelled stays cancelled.
 */
function restartChanged(
  state: RunState,
  { before, changed, at }: { before: RunState; changed: readonly TaskId[]; at: EpochMs },
): RunState {
  let next = state;
  for (const id of changed) {
    const i = next.index.indexOf.get(id) as number;
    const { phase, started } = taskState(next, i);
    const isOver = isSatisfied(phase) || phase.kind === "cancelled";
    const known = taskAt(before.index, before.index.indexOf.get(id) as number);
    if (!isOver && listWork(known) === listWork(taskAt(next.index, i))) {
      next = checkAgain(next, i, at);
      continue;
    }
    next = changeTask(next, i, { stale: started, fix: null, brief: null, used: NOTHING_USED });
    if (isOver) continue;
    next = endAttempts(next, i, "superseded", at);
    // While an attempt still has to be saved the task stays active; its end brings the task back to waiting.
    if (phase.kind === "active" && taskState(next, i).live.length > 0) continue;
    next = changeTask(next, i, { phase: { kind: "waiting" }, volley: 0 });
  }
  return next;
}

/** Gates, preparation or environment are other ones: a process that began with the old ones ends, saved work does not start again. */
function checkAgain(state: RunState, i: number, at: EpochMs): RunState {
  const isSaved = ({ stage, stop }: LiveAttempt) => stage.kind === "gate" && stop === null;
  const saved = taskState(state, i).live.filter(isSaved);
  const others = taskState(state, i).live.filter((one) => !isSaved(one));
  const ended = endAttempts(changeTask(state, i, { live: others, used: NOTHING_USED }), i, "superseded", at);
  let next = changeTask(ended, i, { live: [...saved, ...taskState(ended, i).live] });
  const { phase, live } = taskState(next, i);
  const isWaiting = phase.kind === "active" ? live.length === 0 : !KEPT_PHASES.has(phase.kind);
  if (isWaiting) next = changeTask(next, i, { phase: { kind: "waiting" }, volley: 0 });
  return saved.reduce((checked, attempt) => checkSaved(checked, i, { attempt, at }), next);
}

/** Green work is checked again on the merged tree; what a person has is theirs. */
const KEPT_PHASES: ReadonlySet<TaskPhase["kind"]> = new Set(["queued", "held", "waiting"]);

function checkSaved(
  state: RunState,
  i: number,
  { attempt, at }: { attempt: LiveAttempt; at: EpochMs },
): RunState {
  if (attempt.stage.kind !== "gate") return state;
  const { tree } = attempt.stage.saved.result;
  const missing = listMissingChecks(state, tree, state.index.checks[i] ?? []);
  const next = putLive(state, i, { ...attempt, stage: { ...attempt.stage, missing } });
  return missing.length === 0 ? proveAttempt(next, i, attempt.id, at) : next;
}

function cancelGone(state: RunState, gone: readonly Task[], at: EpochMs): RunState {
  let next = state;
  for (const { id } of gone) {
    const i = next.index.indexOf.get(id) as number;
    if (isSatisfied(taskState(next, i).phase)) continue;
    next = changeTask(next, i, { phase: { kind: "cancelled" }, volley: 0, fix: null });
    next = endAttempts(next, i, "cancel", at);
  }
  return next;
}

function redoTasks(state: RunState, redo: readonly TaskId[]): RunState {
  let next = state;
  for (const id of redo) {
    const i = next.index.indexOf.get(id);
    if (i !== undefined && isSatisfied(taskState(next, i).phase)) next = reopen(next, i);
  }
  return next;
}

/** Every count of needs and every skip from the phases as they are. Needs come first, so that one pass is enough. */
export function recount(state: RunState): RunState {
  let next = state;
  for (const i of topologicalOrder(state.index.graph)) {
    next = changeTask(next, i, { unmet: findUnmetNeeds(next, i).length });
    next = isSelected(next, taskAt(next.index, i).id) ? skipOrWait(next, i) : skipUnselected(next, i);
  }
  return next;
}

function skipOrWait(state: RunState, i: number): RunState {
  const { phase } = taskState(state, i);
  if (phase.kind !== "waiting" && phase.kind !== "skipped") return state;
  const because = failedNeed(state, i);
  return changeTask(state, i, {
    phase: because === null ? { kind: "waiting" } : { kind: "skipped", because },
  });
}

function skipUnselected(state: RunState, i: number): RunState {
  if (isSettled(taskState(state, i).phase)) return state;
  return changeTask(state, i, { phase: { kind: "skipped", because: null } });
}

/**
 * A fresh set of chances; what was skipped for its sake waits again, and a run that had ended goes on. Merged work that comes with a
 * brief is continued in its conversation. What landed is on the target still: it is the next merge that makes another landing.
 */
export function reopen(state: RunState, i: number, brief: Brief | null = null): RunState {
  const { phase, brief: known, fix } = taskState(state, i);
  if (phase.kind === "waiting" || phase.kind === "active" || phase.kind === "queued") return state;
  const obstacle = failedNeed(state, i);
  const continues = brief?.continues ?? null;
  const kept = isTargetFix(state, taskAt(state.index, i).id) ? fix : null;
  const changed = changeTask(state, i, {
    phase: obstacle === null ? { kind: "waiting" } : { kind: "skipped", because: obstacle },
    volley: 0,
    fix: continues === null ? kept : { attempt: continues, because: null },
    brief: brief?.text ?? known,
    used: NOTHING_USED,
  });
  const again = isSatisfied(phase) ? unsatisfyDependents(changed, i) : changed;
  return { ...unskipDependents(again, i), ...landingAgain(again), ended: null, landingAsked: false };
}

function landingAgain({ landing, published }: RunState): Pick<RunState, "landing" | "published"> {
  return landing.kind === "landed"
    ? { landing, published }
    : { landing: { kind: "none" }, published: { kind: "no" } };
}
