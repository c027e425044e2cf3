import { HARDNESS } from "./evolve/live.ts";
import { openBase, workToOpen } from "./evolve/open.ts";
import { isChanged } from "./evolve/revise.ts";
import { type EpochMs, FACT_VERSION, type Fact, type FactBody, type Policy, type StopMode } from "./facts.ts";
import { type AccountKey, type AttemptId, attemptId, type TaskId } from "./ids.ts";
import { decideLanding, type LandRequest } from "./land-request.ts";
import { lastLanding } from "./landing.ts";
import type { Plan } from "./plan.ts";
import { failedNeed, unreachable } from "./queries.ts";
import { decideRedo, type RedoAsked } from "./redo.ts";
import { limitedAccounts, retryNow } from "./retry-now.ts";
import { taskAt } from "./run-index.ts";
import type { OpenTask, RunState, TaskPhase, TaskState } from "./run-state.ts";
import { findTask, findUnmetNeeds, isSatisfied, isSelected, isSettled, listTasks } from "./run-tasks.ts";
import { plait } from "./text/command.ts";
import { formatPhase, refuseCommand, refuseEnded, type UserRefusal } from "./text/refusal.ts";
import { command, fix, type Sentence, sentence } from "./text/sentence.ts";

/** What a person may ask of a run. */
export type RunCommand =
  | { readonly kind: "stop"; readonly mode: StopMode; readonly signal?: string }
  | { readonly kind: "pause" }
  | { readonly kind: "unpause" }
  | { readonly kind: "resize"; readonly slots: number }
  /** Leave worktrees where they are from now on. */
  | { readonly kind: "keep-worktrees" }
  /** Continue although a gate is red on the base. */
  | { readonly kind: "allow-red-base" }
  | ({ readonly kind: "land" } & LandRequest)
  | { readonly kind: "cancel"; readonly task: TaskId }
  /** With `now`: at once, also where it waits for a limit to pass. */
  | { readonly kind: "retry"; readonly task: TaskId; readonly now?: true }
  /** End every wait: tasks that are retrying start, and of each limited account one attempt is let through. */
  | { readonly kind: "retry-now" }
  /** Hold a task until a person approves it. */
  | { readonly kind: "hold"; readonly task: TaskId; readonly why: string }
  | { readonly kind: "approve"; readonly task: TaskId }
  /** Prepare the worktree of a task for a person to finish it. */
  | { readonly kind: "open"; readonly task: TaskId }
  /** Save, check and merge what the person did there. */
  | { readonly kind: "accept"; readonly task: TaskId }
  /** Send merged tasks back to their agents, each in its conversation and with a brief. */
  | ({ readonly kind: "redo" } & RedoAsked)
  /** Agents are logged in with another account. */
  | { readonly kind: "accounts"; readonly accounts: { readonly [task: string]: AccountKey } }
  /** How much may be spent from now on; null: no limit. */
  | { readonly kind: "budget"; readonly usd: number | null }
  /** Undo the landing. */
  | { readonly kind: "undo" }
  | {
      readonly kind: "revise";
      readonly plan: Plan;
      readonly accounts: { readonly [task: string]: AccountKey };
      readonly redo: readonly TaskId[];
      /** From the new plan with flags and configuration. */
      readonly policy: Policy;
    };

/** Only for a process that acquires the run: these come with texts that are written to its folder first, or belong to them. */
export type TakeOverKind = "revise" | "redo" | "budget" | "accounts";

export type Decision =
  | { readonly ok: true; readonly facts: readonly Fact[] }
  /** `isEnding`: the run's process is about to exit, and a later one may say yes. */
  | { readonly ok: false; readonly refusal: UserRefusal; readonly isEnding?: true };

const MAX_SLOTS = 256;

/**
 * Turns a request into facts, or refuses it. The same answer for terminal, web UI and tools.
 * The driver asks on a state that has folded every fact it has begun to write (a start in flight, a `finish` on its way),
 * and folds all facts of one decision before it asks `wants` again.
 */
export function decide(state: RunState, asked: RunCommand, at: EpochMs): Decision {
  const answer = bodies(state, asked);
  if ("message" in answer) return { ok: false, refusal: answer };
  return { ok: true, facts: answer.map((body) => ({ v: FACT_VERSION, at, ...body })) };
}

/** Fact bodies, or the refusal. */
type Answer = readonly FactBody[] | UserRefusal;

function bodies(state: RunState, command: RunCommand): Answer {
  switch (command.kind) {
    case "stop":
      return stop(state, command);
    case "pause":
      return state.ended !== null
        ? refuseEnded(state.run)
        : state.paused
          ? refuseCommand("the run is already paused")
          : [{ type: "run.paused" }];
    case "unpause":
      return state.paused ? [{ type: "run.unpaused" }] : refuseCommand("the run is not paused");
    case "resize":
      return resize(state, command.slots);
    case "retry-now":
      return retryNow(state);
    case "keep-worktrees":
      return [{ type: "policy.changed", policy: { ...state.policy, keepWorktrees: true } }];
    case "allow-red-base":
      return [{ type: "policy.changed", policy: { ...state.policy, redBase: "allow" } }];
    case "land":
      return decideLanding(state, command, underWay(state));
    case "budget": {
      const budgetUsd = command.usd === null ? null : state.spentUsd + command.usd;
      return [{ type: "policy.changed", policy: { ...state.policy, budgetUsd } }];
    }
    case "accounts":
      return [{ type: "accounts.changed", accounts: command.accounts }];
    case "redo":
      return decideRedo(state, command, underWay(state));
    case "undo":
      return undo(state);
    case "revise": {
      const { plan, accounts, redo, policy } = command;
      const revised = { type: "plan.revised", plan, accounts, redo } as const;
      return refuseRevision(state, command) ?? [revised, { type: "policy.changed", policy }];
    }
    default: {
      const task = findTask(state, command.task);
      return task === undefined
        ? refuseCommand(`unknown task ${command.task}`, fix("list the tasks", plait("status", state.run)))
        : taskAnswer(state, task, command);
    }
  }
}

type TaskCommand = Extract<RunCommand, { task: TaskId }>;

function taskAnswer(state: RunState, task: TaskState, command: TaskCommand): Answer {
  if (!isSelected(state, command.task)) return refuseCommand(`${command.task} is not part of this run`);
  switch (command.kind) {
    case "cancel":
      return cancel(state, task, command.task);
    case "retry":
      return retry(state, task, command);
    case "hold":
      return isSettled(task.phase)
        ? refuseCommand(`cannot hold ${command.task}: it is ${formatPhase(task.phase.kind)}`)
        : [{ type: "task.held", task: command.task, why: command.why }];
    case "approve":
      return task.phase.kind === "held" && task.open === null
        ? [{ type: "task.approved", task: command.task, attempt: task.phase.proven?.attempt ?? null }]
        : refuseApproval(task, command.task);
    case "open":
      return open(state, task, command.task);
    case "accept":
      return submit(state, task, command.task);
    default:
      return unreachable(command);
  }
}

function stop(state: RunState, { mode, signal = null }: { mode: StopMode; signal?: string | null }): Answer {
  if (state.ended !== null) return refuseEnded(state.run);
  if (state.stopping !== null && HARDNESS[state.stopping] >= HARDNESS[mode]) {
    return refuseCommand("the run is already stopping", fix("watch it", plait("watch", state.run)));
  }
  return [{ type: "run.stopping", mode, signal }];
}

function resize({ policy }: RunState, slots: number): Answer {
  if (Number.isInteger(slots) && slots >= 1 && slots <= MAX_SLOTS) {
    return [{ type: "policy.changed", policy: { ...policy, slots } }];
  }
  return refuseCommand(`the number of slots must be 1 to ${MAX_SLOTS}, not ${slots}`);
}

function undo(state: RunState): Answer {
  const { landing, run } = state;
  if (lastLanding(state) === null)
    return refuseCommand(
      landing.kind === "undone" ? "the landing was already undone" : "the run has not landed",
    );
  const busy = underWay(state);
  if (busy !== null) return refuseCommand(busy, fix("stop the run first", plait("stop", run, { now: true })));
  return [{ type: "undo.asked" }];
}

function underWay({ indices }: RunState): string | null {
  const busy = indices.phases.active + indices.phases.queued;
  if (busy === 0) return null;
  return `${busy === 1 ? "1 task is" : `${busy} tasks are`} not finished`;
}

/** A task that a person has open is submitted first, so that it is saved before its worktree is removed (I2). */
function cancel(state: RunState, of: TaskState, task: TaskId): Answer {
  const { phase } = of;
  if (isSatisfied(phase)) return refuseCommand(`cannot drop ${task}: it is ${formatPhase(phase.kind)}`);
  if (of.open !== null) return [personsAttempt(state, of.open), { type: "task.cancelled", task }];
  if (phase.kind === "cancelled") return refuseCommand(`${task} is already dropped`);
  return [{ type: "task.cancelled", task }];
}

/** Failed, dropped and waiting tasks may be retried; running and merged ones may not. */
function retry(
  state: RunState,
  { phase, live, open: theirs }: TaskState,
  { task, now = false }: { readonly task: TaskId; readonly now?: boolean },
): Answer {
  const [attempt] = live;
  if (theirs !== null) return refuseCommand(`cannot retry ${task}: you have it open`, suggestRelease(task));
  if (attempt !== undefined) return refuseLive(state, attempt.id, `cannot retry ${task}`);
  const i = state.index.indexOf.get(task) ?? -1;
  const obstacle = failedNeed(state, i);
  if (obstacle !== null)
    return refuseCommand(
      `cannot retry ${task}: it needs ${obstacle}`,
      fix(`retry ${obstacle} first`, plait("retry", obstacle)),
    );
  const limited = limitedAccounts(state, (one) => one === i);
  // A retry that still waits would look like one that has begun.
  if (!now && limited.length > 0 && !isSettled(phase) && phase.kind !== "held")
    return refuseCommand(
      `${task} is paused by its account's usage limit`,
      fix("retry it now", plait("retry", task, { now: true })),
    );
  const accounts = now ? limited : [];
  const skipped: FactBody[] =
    accounts.length === 0 ? [] : [{ type: "waits.skipped", accounts, tasks: [task], because: "person" }];
  if (RETRIABLE.has(phase.kind)) return [{ type: "task.reopened", task }, ...skipped];
  return skipped.length > 0
    ? skipped
    : refuseCommand(`cannot retry ${task}: it is ${formatPhase(phase.kind)}`);
}

const RETRIABLE = new Set<TaskPhase["kind"]>(["failed", "cancelled", "held", "backoff", "parked"]);

/** Work that waits to be saved or checked keeps its attempt alive, also in a run that has ended. */
function refuseLive({ run, ended }: RunState, attempt: AttemptId, cannot: string): UserRefusal {
  const [is, hint] =
    ended === null
      ? ["running", fix("see the run", plait("status", run))]
      : ["not checked yet", fix("resume the run", plait("resume", run))];
  return refuseCommand(`${cannot}: attempt ${attempt} is ${is}`, hint);
}

const suggestRelease = (task: TaskId): Sentence =>
  sentence`submit or drop it first: ${command(plait("submit", task))}, or ${command(plait("drop", task))}`;

function refuseApproval({ phase, open: theirs }: TaskState, task: TaskId): UserRefusal {
  if (theirs === null)
    return refuseCommand(`cannot approve ${task}: it is ${formatPhase(phase.kind)}, not held`);
  return refuseCommand(`cannot approve ${task}: you have it open`, suggestRelease(task));
}

function open(state: RunState, task: TaskState, id: TaskId): Answer {
  const [live] = task.live;
  if (state.workFolder !== null)
    return refuseCommand(
      `cannot open ${id}: ${state.workFolder} is not in a repository, so ${id} has no worktree`,
    );
  if (task.open !== null)
    return refuseCommand(`${id} is already open`, fix("submit it when done", plait("submit", id)));
  if (live !== undefined) return refuseLive(state, live.id, `cannot open ${id}`);
  if (isSatisfied(task.phase) || task.phase.kind === "queued")
    return refuseCommand(`cannot open ${id}: it is ${formatPhase(task.phase.kind)}`);
  if (task.unmet > 0) return refuseCommand(`cannot open ${id}: it needs ${formatUnmetNeeds(state, id)}`);
  // A submission would stand in for the missing report, and its changes would be merged nowhere.
  if (taskAt(state.index, state.index.indexOf.get(id) as number).access === "read-only")
    return refuseCommand(`cannot open ${id}: it is read-only`, fix("run it again", plait("retry", id)));
  const last = workToOpen(task);
  const attempt = attemptId(id, task.started + 1);
  const continues = last?.id ?? null;
  return [{ type: "task.opened", task: id, attempt, continues, base: openBase(state, last) }];
}

function formatUnmetNeeds(state: RunState, id: TaskId): string {
  const unmet = findUnmetNeeds(state, state.index.indexOf.get(id) ?? -1);
  return unmet.map((need) => taskAt(state.index, need).id).join(", ");
}

function submit(state: RunState, task: TaskState, id: TaskId): Answer {
  if (task.open === null)
    return refuseCommand(`cannot submit ${id}: it is not open`, fix("open it first", plait("open", id)));
  if (task.open.worktree === null) return refuseCommand(`cannot submit ${id}: its worktree is not ready yet`);
  if (task.unmet > 0) return refuseCommand(`cannot submit ${id}: it needs ${formatUnmetNeeds(state, id)}`);
  // Reopened first: skipped dependents wait again, and the submitted work starts with fresh retries.
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

type Revision = Pick<Extract<RunCommand, { kind: "revise" }>, "plan" | "redo">;

/** Unchanged merged tasks stay; a changed one must be named in `redo`. */
function refuseRevision(state: RunState, { plan, redo }: Revision): UserRefusal | null {
  // Editing a file does not take an open task away from its person (I2).
  for (const {
    of,
    task: { id },
  } of listTasks(state)) {
    if (of.open === null) continue;
    const revised = plan.tasks.find((task) => task.id === id);
    if (revised === undefined || isChanged(state, revised))
      return refuseCommand(`the new plan changes ${id}, which you have open`, suggestRelease(id));
  }
  for (const task of plan.tasks) {
    const phase = findTask(state, task.id)?.phase;
    if (phase === undefined || !isSatisfied(phase) || redo.includes(task.id) || !isChanged(state, task))
      continue;
    return refuseCommand(
      `the new plan changes ${task.id}, which is ${formatPhase(phase.kind)}`,
      `restore the task in the plan, or run it again: --redo ${task.id}`,
    );
  }
  for (const id of redo) {
    const phase = findTask(state, id)?.phase;
    if (phase === undefined || !isSatisfied(phase)) return refuseCommand(`cannot redo ${id}: it is not done`);
  }
  return null;
}

/** Everything that may be asked of a run from outside, but a new plan; `resume` is for one that nobody drives. */
export type RunAction = Exclude<RunCommand, { kind: TakeOverKind }> | { readonly kind: "resume" };
