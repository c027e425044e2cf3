import { openBase, workToOpen } from "./evolve/open.ts";
import { isChanged } from "./evolve/revise.ts";
import { HARDNESS } from "./evolve/stopping.ts";
import { type EpochMs, FACT_VERSION, type Fact, type FactBody, type Policy, type StopMode } from "./facts.ts";
import { type AccountKey, attemptId, type TaskId } from "./ids.ts";
import { lastLanding } from "./landing.ts";
import type { Plan } from "./plan.ts";
import { failedNeed, unreachable } from "./queries.ts";
import { decideRedo, type RedoAsked } from "./redo.ts";
import { taskAt } from "./run-index.ts";
import type { OpenTask, RunState, TaskPhase, TaskState } from "./run-state.ts";
import { isSatisfied, isSelected, isSettled, taskState } from "./run-tasks.ts";

/** What a person may ask of a run. */
export type RunCommand =
  | { readonly kind: "stop"; readonly mode: StopMode; readonly signal?: string }
  | { readonly kind: "pause" }
  | { readonly kind: "unpause" }
  | { readonly kind: "resize"; readonly slots: number }
  /** Leave worktrees where they are from now on. */
  | { readonly kind: "keep-worktrees" }
  | { readonly kind: "land" }
  | { readonly kind: "cancel"; readonly task: TaskId }
  | { readonly kind: "retry"; readonly task: TaskId }
  /** Keep a task from going on until somebody says so. */
  | { readonly kind: "hold"; readonly task: TaskId; readonly why: string }
  | { readonly kind: "approve"; readonly task: TaskId }
  /** Make the worktree of a task ready for a person, who goes on with it. */
  | { readonly kind: "open"; readonly task: TaskId }
  /** Take what the person left there through save, gates and merge. */
  | { readonly kind: "accept"; readonly task: TaskId }
  /** Send merged tasks back to their agents, each in its conversation and with a brief. */
  | ({ readonly kind: "redo" } & RedoAsked)
  /** How much may be spent from now on; null: no limit. */
  | { readonly kind: "budget"; readonly usd: number | null }
  /** Take what landed back. */
  | { readonly kind: "undo" }
  | {
      readonly kind: "revise";
      readonly plan: Plan;
      readonly accounts: { readonly [task: string]: AccountKey };
      readonly redo: readonly TaskId[];
      /** What the new plan, with flags and files, says about driving the run. */
      readonly policy: Policy;
    };

/** Only for who takes the run over: these come with strings that are written to its folder first, or belong to them. */
export type TakeOverKind = "revise" | "redo" | "budget";

export type Decision =
  | { readonly ok: true; readonly facts: readonly Fact[] }
  /** Why not, as a sentence for the person who asked. */
  | { readonly ok: false; readonly refusal: string };

const MAX_SLOTS = 256;

/**
 * Turns what a person asks into facts, or says why not. The same answer for terminal, page and tools.
 * The driver asks on a state that has folded every fact it has begun to write (a start in flight, a `finish` on its way),
 * and folds all facts of one decision before it asks `wants` again.
 */
export function decide(state: RunState, command: RunCommand, at: EpochMs): Decision {
  const answer = bodies(state, command);
  if (typeof answer === "string") return { ok: false, refusal: answer };
  return { ok: true, facts: answer.map((body) => ({ v: FACT_VERSION, at, ...body })) };
}

/** Fact bodies, or the refusal. */
type Answer = readonly FactBody[] | string;

function bodies(state: RunState, command: RunCommand): Answer {
  switch (command.kind) {
    case "stop":
      return stop(state, command);
    case "pause":
      return state.ended !== null
        ? ended(state)
        : state.paused
          ? "The run is paused already."
          : [{ type: "run.paused" }];
    case "unpause":
      return state.paused ? [{ type: "run.unpaused" }] : "The run is not paused.";
    case "resize":
      return resize(state, command.slots);
    case "keep-worktrees":
      return [{ type: "policy.changed", policy: { ...state.policy, keepWorktrees: true } }];
    case "land":
      return land(state);
    case "budget":
      return [
        { type: "policy.changed", policy: { ...state.policy, budgetUsd: budgetFromNow(state, command.usd) } },
      ];
    case "redo":
      return decideRedo(state, command, underWay(state));
    case "undo":
      return undo(state);
    case "revise":
      return revise(state, command);
    default: {
      const i = state.index.indexOf.get(command.task);
      return i === undefined
        ? `There is no task ${command.task} in this run.`
        : taskAnswer(state, taskState(state, i), command);
    }
  }
}

type TaskCommand = Extract<RunCommand, { task: TaskId }>;

function taskAnswer(state: RunState, task: TaskState, command: TaskCommand): Answer {
  if (!isSelected(state, command.task)) return `${command.task} is not part of this run.`;
  switch (command.kind) {
    case "cancel":
      return cancel(state, task, command.task);
    case "retry":
      return retry(state, task, command.task);
    case "hold":
      return isSettled(task.phase)
        ? `Cannot hold ${command.task}: it is ${task.phase.kind}.`
        : [{ type: "task.held", task: command.task, why: command.why }];
    case "approve":
      return task.phase.kind === "held" && task.open === null
        ? [{ type: "task.approved", task: command.task, attempt: task.phase.proven?.attempt ?? null }]
        : `Cannot approve ${command.task}: it is ${task.open === null ? `${task.phase.kind}, not held` : "with you"}.`;
    case "open":
      return open(state, task, command.task);
    case "accept":
      return accept(state, task, command.task);
    default:
      return unreachable(command);
  }
}

function stop(state: RunState, { mode, signal = null }: { mode: StopMode; signal?: string | null }): Answer {
  if (state.ended !== null) return ended(state);
  if (state.stopping !== null && HARDNESS[state.stopping] >= HARDNESS[mode]) {
    return `The run is stopping already (${state.stopping}).`;
  }
  return [{ type: "run.stopping", mode, signal }];
}

function resize({ policy }: RunState, slots: number): Answer {
  if (Number.isInteger(slots) && slots >= 1 && slots <= MAX_SLOTS) {
    return [{ type: "policy.changed", policy: { ...policy, slots } }];
  }
  return `The number of slots must be from 1 to ${MAX_SLOTS}, not ${slots}.`;
}

function land(state: RunState): Answer {
  const isOnServer = state.policy.publish === "no" || state.published.kind === "published";
  if (state.landing.kind === "landed" && isOnServer)
    return `The run has landed already, as ${state.landing.to.commit}.`;
  if (state.tip.commit === state.base.commit) return "Nothing is merged yet, so there is nothing to land.";
  if (state.tip.commit === state.landedTip && isOnServer)
    return "Everything that is merged has landed already.";
  const busy = underWay(state);
  if (busy !== null) return `${busy} Stop the run first.`;
  return [{ type: "landing.asked" }];
}

function undo(state: RunState): Answer {
  const { landing, run } = state;
  if (lastLanding(state) === null) {
    return landing.kind === "undone"
      ? "The landing was taken back already."
      : "The run has not landed, so there is nothing to take back.";
  }
  const busy = underWay(state);
  if (busy !== null) return `${busy} First: plait stop ${run}`;
  return [{ type: "undo.asked" }];
}

function underWay({ indices }: RunState): string | null {
  const busy = indices.phases.active + indices.phases.queued;
  if (busy === 0) return null;
  return `${busy === 1 ? "1 task is" : `${busy} tasks are`} still under way.`;
}

/** What a person has open is handed in first, so that it is saved before its worktree goes (I2). */
function cancel(state: RunState, of: TaskState, task: TaskId): Answer {
  const { phase } = of;
  if (isSatisfied(phase)) return `Cannot drop ${task}: it is ${phase.kind}.`;
  if (of.open !== null) return [personsAttempt(state, of.open), { type: "task.cancelled", task }];
  if (phase.kind === "cancelled") return `${task} is cancelled already.`;
  return [{ type: "task.cancelled", task }];
}

/** Everything that is over without success, or waits, may be tried again; what runs or is merged may not. */
function retry(state: RunState, { phase, live, open: theirs }: TaskState, task: TaskId): Answer {
  const [attempt] = live;
  if (theirs !== null) return `Cannot retry ${task}: you have it open. First: ${givesBack(task)}`;
  if (attempt !== undefined) return `Cannot retry ${task}: attempt ${attempt.id} is under way.`;
  const obstacle = failedNeed(state, state.index.indexOf.get(task) ?? -1);
  if (obstacle !== null) return `Cannot retry ${task}: it needs ${obstacle}. Retry that.`;
  if (!RETRIABLE.has(phase.kind)) return `Cannot retry ${task}: it is ${phase.kind}.`;
  return [{ type: "task.reopened", task }];
}

const RETRIABLE: ReadonlySet<TaskPhase["kind"]> = new Set<TaskPhase["kind"]>([
  "failed",
  "cancelled",
  "held",
  "backoff",
  "parked",
]);

const budgetFromNow = ({ spentUsd }: RunState, usd: number | null): number | null =>
  usd === null ? null : spentUsd + usd;

const givesBack = (task: TaskId): string => `plait accept ${task}, or plait drop ${task}`;

function open(state: RunState, task: TaskState, id: TaskId): Answer {
  const [live] = task.live;
  if (state.workFolder !== null)
    return `Cannot open ${id}: it works in ${state.workFolder}, which is in no repository, and has no worktree.`;
  if (task.open !== null) return `${id} is open already.`;
  if (live !== undefined) return `Cannot open ${id}: attempt ${live.id} is under way.`;
  if (isSatisfied(task.phase) || task.phase.kind === "queued")
    return `Cannot open ${id}: it is ${task.phase.kind}.`;
  if (task.unmet > 0) return `Cannot open ${id}: it needs ${unmetNeeds(state, id)}.`;
  // A hand-in would pass for what the task has not found, and what is changed there would be merged nowhere.
  if (taskAt(state.index, state.index.indexOf.get(id) as number).access === "read-only")
    return `Cannot open ${id}: it only looks, so there is nothing to hand in. To look again: plait retry ${id}`;
  const last = workToOpen(task);
  const attempt = attemptId(id, task.started + 1);
  const continues = last?.id ?? null;
  return [{ type: "task.opened", task: id, attempt, continues, base: openBase(state, last) }];
}

function unmetNeeds(state: RunState, id: TaskId): string {
  const needs = state.index.graph.needs[state.index.indexOf.get(id) ?? -1] ?? [];
  const unmet = needs.filter((need) => !isSatisfied(taskState(state, need).phase));
  return unmet.map((need) => taskAt(state.index, need).id).join(", ");
}

function accept(state: RunState, task: TaskState, id: TaskId): Answer {
  if (task.open === null) return `Cannot accept ${id}: it is not open. First: plait open ${id}`;
  if (task.open.worktree === null) return `Cannot accept ${id}: its worktree is not ready yet.`;
  if (task.unmet > 0) return `Cannot accept ${id}: it needs ${unmetNeeds(state, id)}.`;
  // Reopened first: dependents that were skipped wait again, and the person's work has its chances anew.
  return [{ type: "task.reopened", task: id }, personsAttempt(state, task.open)];
}

function personsAttempt({ run }: RunState, { attempt, after, base, worktree }: OpenTask): FactBody {
  return {
    type: "attempt.started",
    attempt,
    base,
    worktree: worktree ?? "",
    marker: `${run}.${attempt.replace("/", ".")}.person`, // no process of plait's has it
    author: "person",
    continues: after?.attempt ?? null,
    worker: null,
  };
}

/** Unchanged merged tasks stay; a changed one must be named for redoing. */
function revise(
  state: RunState,
  { plan, accounts, redo, policy }: Extract<RunCommand, { kind: "revise" }>,
): Answer {
  const refusal = refuseRevision(state, plan, redo);
  if (refusal !== null) return refusal;
  return [
    { type: "plan.revised", plan, accounts, redo },
    { type: "policy.changed", policy },
  ];
}

function refuseRevision(state: RunState, plan: Plan, redo: readonly TaskId[]): string | null {
  // What a person has in hand is not taken from them by an edited file (I2).
  for (const { id } of state.index.plan.tasks) {
    const i = state.index.indexOf.get(id);
    if (i === undefined || taskState(state, i).open === null) continue;
    const revised = plan.tasks.find((task) => task.id === id);
    if (revised === undefined || isChanged(state, revised))
      return `You have ${id}, and the new plan changes it. First: ${givesBack(id)}`;
  }
  for (const task of plan.tasks) {
    const phase = phaseOf(state, task.id);
    if (phase === null || !isSatisfied(phase) || redo.includes(task.id) || !isChanged(state, task)) continue;
    return `${task.id} is ${phase.kind} and the new plan changes it. Add --redo ${task.id}, or leave it as it was.`;
  }
  for (const id of redo) {
    const phase = phaseOf(state, id);
    if (phase === null || !isSatisfied(phase)) return `Cannot redo ${id}: it is not merged or passed.`;
  }
  return null;
}

function phaseOf(state: RunState, id: TaskId): TaskPhase | null {
  const i = state.index.indexOf.get(id);
  return i === undefined ? null : taskState(state, i).phase;
}

function ended(state: RunState): string {
  return `The run has ended (${state.ended?.outcome}). Go on with: plait resume ${state.run}`;
}
