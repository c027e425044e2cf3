import type { EpochMs, PersonFact } from "../facts.ts";
import { topologicalOrder } from "../graph.ts";
import type { TaskId } from "../ids.ts";
import type { Task } from "../plan.ts";
import { indexPlan } from "../run-index.ts";
import { freshTask, type RunState, type TaskState } from "../run-state.ts";
import { changeTask, isSatisfied, isSettled, rebuildIndices, taskState } from "../run-tasks.ts";
import { get, type SortedMap, set } from "../sorted-map.ts";
import { countUnmet, failedNeed } from "./dependents.ts";
import { endAttempts } from "./live.ts";
import { reopen } from "./reopen.ts";

type Revised = Extract<PersonFact, { type: "plan.revised" }> & { at: EpochMs };

/**
 * A new plan in a running run. Tasks keep their state by id: what is merged stays merged, what is new waits, what was
 * changed while it ran is ended and tried again, what was removed is cancelled. Indices change, so all are built anew.
 */
export function revisePlan(state: RunState, { plan, accounts, redo, removed, at }: Revised): RunState {
  const index = indexPlan(plan, accounts);
  let tasks: SortedMap<number, TaskState> = null;
  plan.tasks.forEach((task, i) => {
    tasks = set(tasks, i, carriedOver(state, task.id) ?? freshTask());
  });
  const revised = rebuildIndices({
    ...state,
    index,
    tasks,
    selected: state.selected === null ? null : withNewTasks(state, plan.tasks),
    candidates: [],
    ended: null,
    landing: state.landing.kind === "landed" ? state.landing : { kind: "none" },
  });
  const changed = plan.tasks.filter((task) => isChanged(state, task)).map((task) => task.id);
  return settle(restartChanged(revised, changed, at), { redo, removed, at });
}

/** Whether a plan says something else about a task that the run already knows. */
export function isChanged(state: RunState, task: Task): boolean {
  const i = state.index.indexOf.get(task.id);
  return i !== undefined && JSON.stringify(state.index.plan.tasks[i]) !== JSON.stringify(task);
}

function carriedOver(state: RunState, id: TaskId): TaskState | undefined {
  const i = state.index.indexOf.get(id);
  return i === undefined ? undefined : get(state.tasks, i);
}

/** `--only` chose among the old tasks; what the user adds now is wanted too. */
function withNewTasks(state: RunState, tasks: readonly Task[]): ReadonlySet<TaskId> {
  const kept = tasks.filter(({ id }) => state.selected?.has(id) || !state.index.indexOf.has(id));
  return new Set(kept.map(({ id }) => id));
}

/** Work made for the old words is not merged for the new ones. */
function restartChanged(state: RunState, changed: readonly TaskId[], at: EpochMs): RunState {
  let next = state;
  for (const id of changed) {
    const i = next.index.indexOf.get(id) as number;
    const { phase } = taskState(next, i);
    if (isSatisfied(phase)) continue;
    next = endAttempts(next, i, "superseded", at);
    // While an attempt still has to be saved the task stays active; its end brings the task back to waiting.
    if (phase.kind === "active" && taskState(next, i).live.length > 0) continue;
    next = changeTask(next, i, { phase: { kind: "waiting" }, volley: 0, fix: null });
  }
  return next;
}

/** Redo and removal, then every count of needs and every skip from the phases as they now are. */
function settle(state: RunState, { redo, removed, at }: Pick<Revised, "redo" | "removed" | "at">): RunState {
  let next = state;
  for (const id of redo) {
    const i = next.index.indexOf.get(id);
    if (i !== undefined) next = reopen(next, i);
  }
  for (const id of removed) {
    const i = next.index.indexOf.get(id);
    if (i === undefined || isSatisfied(taskState(next, i).phase)) continue;
    next = changeTask(next, i, { phase: { kind: "cancelled" }, volley: 0, fix: null });
    next = endAttempts(next, i, "cancel", at);
  }
  return recount(next);
}

/** In an order where needs come first, so that one pass is enough. */
export function recount(state: RunState): RunState {
  let next = state;
  for (const i of topologicalOrder(state.index.graph)) {
    const { phase } = taskState(next, i);
    next = changeTask(next, i, { unmet: countUnmet(next, i) });
    const selected = next.selected === null || next.selected.has(next.index.plan.tasks[i]?.id as TaskId);
    if (!selected) {
      if (!isSettled(phase)) next = changeTask(next, i, { phase: { kind: "skipped", because: null } });
      continue;
    }
    const obstacle = failedNeed(next, i);
    if (phase.kind === "skipped" && obstacle === null)
      next = changeTask(next, i, { phase: { kind: "waiting" } });
    if ((phase.kind === "waiting" || phase.kind === "skipped") && obstacle !== null) {
      next = changeTask(next, i, { phase: { kind: "skipped", because: obstacle } });
    }
  }
  return next;
}
