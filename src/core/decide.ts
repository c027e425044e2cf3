import { HARDNESS } from "./evolve/live.ts";
import { openBase, workToOpen } from "./evolve/open.ts";
import { type EpochMs, FACT_VERSION, type Fact, type FactBody, type Policy, type StopMode } from "./facts.ts";
import { type AccountKey, attemptId, type TaskId } from "./ids.ts";
import { decideLanding, type LandRequest } from "./land-request.ts";
import { isComplete, lastLanding } from "./landing.ts";
import type { Plan } from "./plan.ts";
import { failedNeed, unreachable } from "./queries.ts";
import { decideRedo, type RedoAsked } from "./redo.ts";
import { limitedAccounts, retryNow } from "./retry-now.ts";
import { refuseRevision, suggestRelease } from "./revise-request.ts";
import { taskAt } from "./run-index.ts";
import type { OpenTask, RunState, TaskPhase, TaskState } from "./run-state.ts";
import { findTask, findUnmetNeeds, isSatisfied, isSelected, isSettled } from "./run-tasks.ts";
import { listPullRequests } from "./select/landing-text.ts";
import { findStatusIn, type SeenRun } from "./select/task-status.ts";
import { otherCommand, plait } from "./text/command.ts";
import { quoted } from "./text/figures.ts";
import { refuseCommand, refuseEnded, type UserRefusal } from "./text/refusal.ts";
import { fix, type Sentence, sentenceForRun } from "./text/sentence.ts";

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
  /** Land at the end, with agents that resolve conflicts: the run was to stay on its branch until a person asked for a landing. */
  | { readonly kind: "land-at-end" }
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
  | { readonly kind: "budget"; readonly usd: number }
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
export type TakeOverKind = "revise" | "redo" | "budget" | "accounts" | "land-at-end";

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
export function decide(
  state: RunState,
  asked: RunCommand,
  at: EpochMs,
  /** What the person sees of the run, where that is not a running one in this state: refusals use its words. */
  seen: SeenRun = { state, isRunning: true },
): Decision {
  const answer = bodies(state, asked, seen);
  if (!("hint" in answer))
    return { ok: true, facts: answer.map((body) => ({ v: FACT_VERSION, at, ...body })) };
  const { message, hint } = "message" in answer ? answer : refuseByStatus(state, answer, seen);
  return { ok: false, refusal: { message, hint: hint === null ? null : sentenceForRun(state, hint) } };
}

const suggestResume = ({ run }: RunState): Sentence => fix("resume the run", plait("resume", run));

/** Fact bodies, or the refusal. */
type Answer = readonly FactBody[] | UserRefusal | StatusRefusal;

/** Refused because of the status of a task, which is worded as everywhere else. */
type StatusRefusal = {
  /** `cannot open`. */
  readonly cannot: string;
  readonly task: TaskId;
  /** What it would have to be. */
  readonly not?: "held";
  readonly hint: Sentence | null;
};

const OVER: ReadonlySet<string> = new Set(["merged", "passed", "failed", "skipped", "dropped"]);

function refuseByStatus(
  state: RunState,
  { cannot, task, not, hint }: StatusRefusal,
  seen: SeenRun,
): UserRefusal {
  // What the run has learned since the person looked counts where the task is over.
  const now = findStatusIn({ state, isRunning: true }, task)?.kind;
  const word = now !== undefined && OVER.has(now) ? now : (findStatusIn(seen, task)?.kind ?? "unknown");
  const isResumable = word === "stopped" || word === "interrupted";
  return refuseCommand(
    `${cannot} ${quoted(task)}: it is ${word}${not === undefined ? "" : `, not ${not}`}`,
    isResumable ? suggestResume(seen.state) : hint,
  );
}

function bodies(state: RunState, command: RunCommand, seen: SeenRun): Answer {
  switch (command.kind) {
    case "stop":
      return stop(state, command);
    case "pause":
      return state.ended !== null
        ? refuseEnded(state)
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
      return decideLanding(state, command, findUnfinished(state, seen));
    case "land-at-end": {
      const land = isComplete(state) ? "end" : "partial"; // merged work was to land without the rest
      return [{ type: "policy.changed", policy: { ...state.policy, land } }];
    }
    case "budget":
      return [{ type: "policy.changed", policy: { ...state.policy, ...grantBudget(state, command.usd) } }];
    case "accounts":
      return [{ type: "accounts.changed", accounts: command.accounts }];
    case "redo":
      return decideRedo(state, command, { busy: findUnfinished(state, seen), seen });
    case "undo":
      return undo(state, findUnfinished(state, seen));
    case "revise": {
      const { plan, accounts, redo, policy } = command;
      const revised = { type: "plan.revised", plan, accounts, redo } as const;
      return refuseRevision(state, command) ?? [revised, { type: "policy.changed", policy }];
    }
    default: {
      const task = findTask(state, command.task);
      return task === undefined
        ? refuseCommand(
            `unknown task ${quoted(command.task)}`,
            fix("list the tasks", plait("status", state.run)),
          )
        : taskAnswer(state, task, command);
    }
  }
}

type TaskCommand = Extract<RunCommand, { task: TaskId }>;

function taskAnswer(state: RunState, task: TaskState, command: TaskCommand): Answer {
  if (!isSelected(state, command.task))
    return refuseCommand(`${quoted(command.task)} is not part of ${state.run}`);
  switch (command.kind) {
    case "cancel":
      return cancel(state, task, command.task);
    case "retry":
      return retry(state, task, command);
    case "hold":
      return isSettled(task.phase)
        ? { cannot: "cannot hold", task: command.task, hint: null }
        : [{ type: "task.held", task: command.task, why: command.why }];
    case "approve":
      return task.phase.kind === "held" && task.open === null
        ? [{ type: "task.approved", task: command.task, attempt: task.phase.proven?.attempt ?? null }]
        : refuseApproval(state, task, command.task);
    case "open":
      return open(state, task, command.task);
    case "accept":
      return submit(state, task, command.task);
    default:
      return unreachable(command);
  }
}

function stop(state: RunState, { mode, signal = null }: { mode: StopMode; signal?: string | null }): Answer {
  if (state.ended !== null) return refuseEnded(state);
  if (state.stopping !== null && HARDNESS[state.stopping] >= HARDNESS[mode]) {
    return refuseCommand("the run is already stopping", fix("watch it", plait("watch", state.run)));
  }
  return [{ type: "run.stopping", mode, signal }];
}

/** A budget that a resume gives counts from there on. */
export function grantBudget({ spentUsd }: RunState, usd: number): Pick<Policy, "budgetUsd" | "grantedUsd"> {
  return { budgetUsd: spentUsd + usd, grantedUsd: usd };
}

function resize({ policy }: RunState, slots: number): Answer {
  if (Number.isInteger(slots) && slots >= 1 && slots <= MAX_SLOTS) {
    return [{ type: "policy.changed", policy: { ...policy, slots } }];
  }
  return refuseCommand(`the number of slots must be 1 to ${MAX_SLOTS}, not ${slots}`);
}

function undo(state: RunState, busy: UserRefusal | null): Answer {
  const { landing, run } = state;
  if (lastLanding(state) === null)
    return landing.kind === "undone"
      ? refuseCommand("the landing was already undone")
      : refuseNotLanded(state);
  if (busy !== null)
    return { ...busy, hint: busy.hint ?? fix("stop the run first", plait("stop", run, { now: true })) };
  return [{ type: "undo.asked" }];
}

/** Work in a pull request is taken back where it is. */
function refuseNotLanded(state: RunState): UserRefusal {
  const [pull] = listPullRequests(state);
  if (pull === undefined) return refuseCommand("the run has not landed");
  return refuseCommand(
    `${state.run} has not landed; its work is in a pull request`,
    fix("close it", otherCommand("gh", "pr close", pull.url)),
  );
}

/** Why the run is not at rest, null where it is; with a hint where only a new process brings it there. */
function findUnfinished(state: RunState, { isRunning }: SeenRun): UserRefusal | null {
  const { active, queued: merging } = state.indices.phases;
  const n = active + merging;
  if (n === 0) return null;
  return refuseCommand(
    `${n === 1 ? "1 task is" : `${n} tasks are`} not finished`,
    isRunning ? null : suggestResume(state),
  );
}

/** A task that a person has open is submitted first, so that it is saved before its worktree is removed (I2). */
function cancel(state: RunState, of: TaskState, task: TaskId): Answer {
  const { phase } = of;
  if (isSatisfied(phase)) return { cannot: "cannot drop", task, hint: null };
  if (of.open !== null) return [personsAttempt(state, of.open), { type: "task.cancelled", task }];
  if (phase.kind === "cancelled") return refuseCommand(`${quoted(task)} is already dropped`);
  return [{ type: "task.cancelled", task }];
}

/** Failed, dropped and waiting tasks may be retried; running and merged ones may not. */
function retry(
  state: RunState,
  { phase, live, open: theirs }: TaskState,
  { task, now = false }: { readonly task: TaskId; readonly now?: boolean },
): Answer {
  const [attempt] = live;
  if (theirs !== null)
    return refuseCommand(`cannot retry ${quoted(task)}: you have it open`, suggestRelease(state, task));
  if (attempt !== undefined) return refuseLive(state, "cannot retry", task);
  const i = state.index.indexOf.get(task) ?? -1;
  const obstacle = failedNeed(state, i);
  if (obstacle !== null)
    return refuseCommand(
      `cannot retry ${quoted(task)}: it needs ${quoted(obstacle)}`,
      suggestFirst(state, { kind: "retry", task: obstacle }, `retry ${quoted(obstacle)} first`),
    );
  const limited = limitedAccounts(state, (one) => one === i);
  // A retry that still waits would look like one that has begun.
  if (!now && limited.length > 0 && !isSettled(phase) && phase.kind !== "held")
    return refuseCommand(
      `${quoted(task)} is paused by its account's usage limit`,
      fix("retry it now", plait("retry", task, { now: true, run: state.run })),
    );
  const accounts = now ? limited : [];
  const skipped: FactBody[] =
    accounts.length === 0 ? [] : [{ type: "waits.skipped", accounts, tasks: [task], because: "person" }];
  if (RETRIABLE.has(phase.kind)) return [{ type: "task.reopened", task }, ...skipped];
  return skipped.length > 0 ? skipped : { cannot: "cannot retry", task, hint: null };
}

const RETRIABLE = new Set<TaskPhase["kind"]>(["failed", "cancelled", "held", "backoff", "parked"]);

/** Work that waits to be saved or checked keeps its attempt alive, also in a run that has ended. */
const refuseLive = ({ run }: RunState, cannot: string, task: TaskId): StatusRefusal => ({
  ...{ cannot, task },
  hint: fix("see the run", plait("status", run)),
});

/** What helps, where the run would do it; else what helps with that. */
function suggestFirst(
  state: RunState,
  asked: { readonly kind: "retry" | "open"; readonly task: TaskId },
  purpose: string,
): Sentence | null {
  const answer = bodies(state, asked, { state, isRunning: true });
  if ("hint" in answer) return answer.hint;
  return fix(purpose, plait(asked.kind, asked.task, { run: state.run }));
}

function refuseApproval(state: RunState, { open: theirs }: TaskState, task: TaskId): Answer {
  if (theirs === null) return { cannot: "cannot approve", task, not: "held", hint: null };
  return refuseCommand(`cannot approve ${quoted(task)}: you have it open`, suggestRelease(state, task));
}

function open(state: RunState, task: TaskState, id: TaskId): Answer {
  const [live] = task.live;
  if (state.workFolder !== null)
    return refuseCommand(
      `cannot open ${quoted(id)}: ${state.workFolder} is not in a repository, so there is no worktree`,
    );
  if (task.open !== null)
    return refuseCommand(
      `${quoted(id)} is already open`,
      fix("submit it when done", plait("submit", id, { run: state.run })),
    );
  if (live !== undefined) return refuseLive(state, "cannot open", id);
  if (isSatisfied(task.phase) || task.phase.kind === "queued")
    return { cannot: "cannot open", task: id, hint: null };
  if (task.unmet > 0)
    return refuseCommand(`cannot open ${quoted(id)}: it needs ${formatUnmetNeeds(state, id)}`);
  // A submission would stand in for the missing report, and its changes would be merged nowhere.
  if (taskAt(state.index, state.index.indexOf.get(id) as number).access === "read-only")
    return refuseCommand(
      `cannot open ${quoted(id)}: it is read-only`,
      suggestFirst(state, { kind: "retry", task: id }, "run it again"),
    );
  const last = workToOpen(task);
  const attempt = attemptId(id, task.started + 1);
  const continues = last?.id ?? null;
  return [{ type: "task.opened", task: id, attempt, continues, base: openBase(state, last) }];
}

function formatUnmetNeeds(state: RunState, id: TaskId): string {
  const unmet = findUnmetNeeds(state, state.index.indexOf.get(id) ?? -1);
  return unmet.map((need) => quoted(taskAt(state.index, need).id)).join(", ");
}

function submit(state: RunState, task: TaskState, id: TaskId): Answer {
  if (task.open === null)
    return refuseCommand(
      `cannot submit ${quoted(id)}: it is not open`,
      suggestFirst(state, { kind: "open", task: id }, "open it first"),
    );
  if (task.open.worktree === null)
    return refuseCommand(`cannot submit ${quoted(id)}: its worktree is not ready yet`);
  if (task.unmet > 0)
    return refuseCommand(`cannot submit ${quoted(id)}: it needs ${formatUnmetNeeds(state, id)}`);
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

/** Everything that may be asked of a run from outside, but a new plan; `resume` is for one that nobody drives. */
export type RunAction = Exclude<RunCommand, { kind: TakeOverKind }> | { readonly kind: "resume" };
