import { decide, type RunAction, type RunCommand } from "../decide.ts";
import { evolve } from "../evolve.ts";
import type { StopMode } from "../facts.ts";
import type { TaskId } from "../ids.ts";
import type { LandRequest } from "../land-request.ts";
import { isOverBudget } from "../landing.ts";
import { isProposed } from "../plan.ts";
import { unreachable } from "../queries.ts";
import { taskAt } from "../run-index.ts";
import type { RunState, TaskState } from "../run-state.ts";
import { findTask, listTasks, taskState } from "../run-tasks.ts";
import { plait } from "../text/command.ts";
import { count, shortRef } from "../text/figures.ts";
import {
  command,
  isEmpty,
  listing,
  money,
  name,
  paragraph,
  path,
  type Sentence,
  sentence,
  sentenceForRun,
  task as taskPart,
} from "../text/sentence.ts";
import { formatAttemptId } from "./attempt-number.ts";
import type { OfferOptions } from "./offers.ts";
import { countRunningAgents } from "./task-rows.ts";

/** What a person is asked before something is done, once. */
export type ActionText = {
  /** `Retry tax?` */
  readonly question: string;
  /** What starts, what stops, what is saved, about what it costs. */
  readonly effect: Sentence;
  /** On the button: `Retry`. */
  readonly verb: string;
  /** When it was accepted: `Retrying tax.` */
  readonly accepted: string;
  /** Whether it stops, drops or undoes something. */
  readonly isGrave: boolean;
};

export function formatAction(state: RunState, action: RunAction, { isRunning }: OfferOptions): ActionText {
  const text = "task" in action ? formatTaskAction(state, action) : formatRunAction(state, action, isRunning);
  const isResumed = !isRunning && action.kind !== "undo" && action.kind !== "resume";
  const resumes = isResumed ? "plait will resume the run in the background." : "";
  return {
    isGrave: GRAVE.has(action.kind),
    ...text,
    effect: sentenceForRun(state, paragraph([resumes, text.effect])),
  };
}

type Text = Omit<ActionText, "isGrave">;

const GRAVE: ReadonlySet<RunAction["kind"]> = new Set(["stop", "cancel", "undo"]);

type TaskAction = Extract<RunAction, { task: TaskId }>;

function formatTaskAction(state: RunState, action: TaskAction): Text {
  const { kind, task } = action;
  const known = findTask(state, task);
  const now = kind === "retry" && action.now ? " now" : "";
  const { verb, doing } = TASK_VERBS[kind];
  const text = {
    question: `${verb} ${task}${now}?`,
    verb: `${BUTTONS[kind] ?? verb}${now}`,
    accepted: `${doing} ${task}${now}.`,
  };
  if (known === undefined) return { ...text, effect: sentence`${taskPart(task)} is not a task of this run.` };
  return { ...text, effect: EFFECTS[kind](state, known, action) };
}

const TASK_VERBS: { readonly [K in TaskAction["kind"]]: { readonly verb: string; readonly doing: string } } =
  {
    retry: { verb: "Retry", doing: "Retrying" },
    approve: { verb: "Approve", doing: "Approved" },
    accept: { verb: "Submit", doing: "Submitted" },
    open: { verb: "Open", doing: "Opening" },
    hold: { verb: "Hold", doing: "Holding" },
    cancel: { verb: "Drop", doing: "Dropped" },
  };

const BUTTONS: { readonly [K in TaskAction["kind"]]?: string } = { open: "Open worktree" };

type Effect = (state: RunState, task: TaskState, action: TaskAction) => Sentence;

const EFFECTS: { readonly [K in TaskAction["kind"]]: Effect } = {
  retry: (state, task, action) =>
    paragraph([
      sentence`Attempt ${name(`#${task.started + 1}`)} starts from the current integration branch${formatStartDelay(state)}.`,
      formatUnskipped(state, action),
      formatPastCosts(task),
    ]),
  approve: (state, { phase, started }, action) =>
    paragraph([
      phase.kind === "held" && phase.proven !== null
        ? sentence`The work of attempt ${name(formatAttemptId(phase.proven.attempt))} joins the merge queue.`
        : sentence`Attempt ${name(`#${started + 1}`)} starts${formatStartDelay(state)}.`,
      formatUnskipped(state, action),
    ]),
  accept: (state, { open }, action) =>
    paragraph([
      sentence`Your changes in ${open?.worktree == null ? "its worktree" : path(open.worktree)} are saved and checked, then ${isApproved(state, action) ? "held for approval" : "merged"}.`,
      "If a gate is red, the task stays open.",
      formatUnskipped(state, action),
    ]),
  open: (state, { past }, { task, ...action }) => {
    const last = past.findLast(({ saved }) => saved.changed);
    const work =
      last === undefined ? "" : sentence` with the work of attempt ${name(formatAttemptId(last.id))}`;
    return paragraph([
      sentence`plait prepares its worktree${work}.`,
      sentence`The task is held until you submit it: ${command(plait("submit", task, { run: state.run }))}`,
      formatUnskipped(state, { task, ...action } as TaskAction),
    ]);
  },
  hold: ({ run }, { live, phase }, { task }) =>
    paragraph([
      formatInterrupted(live.length),
      phase.kind === "queued" ? "The task leaves the merge queue; its work stays saved." : "",
      sentence`The task is held until you approve it: ${command(plait("approve", task, { run }))}`,
    ]),
  cancel: (state, { live, open, past }, action) => {
    const effect = paragraph([
      formatInterrupted(live.length),
      open === null ? "" : "Your changes are saved.",
      live.length === 0 && open === null && past.length > 0 ? "Its work stays saved." : "",
      formatSkipped(state, action),
    ]);
    return isEmpty(effect) ? "The task does not run." : effect;
  },
};

const isApproved = ({ index }: RunState, { task }: TaskAction): boolean =>
  taskAt(index, index.indexOf.get(task) as number).approve;

function formatInterrupted(n: number): string {
  if (n === 0) return "";
  return n === 1
    ? "Its attempt is interrupted and its work saved."
    : `Its ${n} attempts are interrupted and their work saved.`;
}

/** What keeps an attempt from starting at once. */
function formatStartDelay(state: RunState): string {
  const { paused, stopping, indices, policy } = state;
  if (isOverBudget(state)) return " once the budget is larger";
  if (stopping !== null) return " once the run is resumed";
  if (paused) return " once the run is no longer paused";
  return indices.liveAttempts >= policy.slots ? " once a slot is free" : "";
}

function formatPastCosts({ past }: TaskState): Sentence {
  const costs = past.map(({ ended }) => ended.usage.costUsd).filter((usd) => usd !== null);
  if (costs.length === 0) return "";
  const mean = money(costs.reduce((sum, usd) => sum + usd, 0) / costs.length);
  return costs.length === 1
    ? sentence`The last attempt cost ${mean}.`
    : sentence`Past attempts cost ${mean} each.`;
}

/** Tasks that are skipped and would not be any more. */
function formatUnskipped(state: RunState, action: TaskAction): Sentence {
  const ids = listOnlySkippedIn(state, evolveWith(state, action));
  return formatTasks(ids, "skipped tasks", ["waits again", "wait again"]);
}

function formatSkipped(state: RunState, action: TaskAction): Sentence {
  const ids = listOnlySkippedIn(evolveWith(state, action), state);
  return formatTasks(ids, "dependents", ["is skipped", "are skipped"]);
}

/** The fold itself decides. */
function evolveWith(state: RunState, asked: RunCommand): RunState {
  const decision = decide(state, asked, state.clock);
  return decision.ok ? decision.facts.reduce((now, fact) => evolve(now, fact) ?? now, state) : state;
}

function listOnlySkippedIn(one: RunState, other: RunState): TaskId[] {
  const isSkipped = (state: RunState, i: number): boolean => taskState(state, i).phase.kind === "skipped";
  const tasks = listTasks(one).filter(({ i }) => isSkipped(one, i) && !isSkipped(other, i));
  return tasks.map(({ task }) => task.id);
}

/** `a and b`, or how many. */
function formatTasks(ids: readonly TaskId[], many: string, [one, more]: readonly [string, string]): Sentence {
  if (ids.length === 0) return "";
  const who = ids.length <= 2 ? listing(ids.map(taskPart)) : `${ids.length} ${many}`;
  return sentence`${who} ${ids.length === 1 ? one : more}.`;
}

type WholeAction = Exclude<RunAction, TaskAction>;

function formatRunAction(state: RunState, action: WholeAction, isRunning: boolean): Text {
  const { run, policy, indices } = state;
  switch (action.kind) {
    case "stop":
      return formatStop(state, action.mode);
    case "pause": {
      const effect = `${formatAttemptsLeft(indices.liveAttempts)}, and no new ones will start until you unpause. Green work will still be merged.`;
      return { question: `Pause ${run}?`, effect, verb: "Pause", accepted: "Paused the run." };
    }
    case "unpause": {
      const effect = `Ready tasks will start again, ${policy.slots === 1 ? "one at a time" : `up to ${policy.slots} in parallel`}.`;
      return { question: `Unpause ${run}?`, effect, verb: "Unpause", accepted: "Unpaused the run." };
    }
    case "retry-now": {
      const effect =
        "Tasks that are retrying will start now. Each limited account gets one test attempt; if the account is still limited, its tasks stay paused.";
      return { question: `Retry ${run} now?`, effect, verb: "Retry now", accepted: "Retrying now." };
    }
    case "resize": {
      const slots = count(action.slots, "slot");
      const effect = `At most ${count(action.slots, "attempt")} run in parallel from now on; running attempts continue.`;
      return { question: `Use ${slots}?`, effect, verb: "Change", accepted: `Using ${slots}.` };
    }
    case "keep-worktrees": {
      const effect = "Worktrees are kept from now on, even when their work is saved.";
      return { question: "Keep worktrees?", effect, verb: "Keep", accepted: "Keeping worktrees." };
    }
    case "allow-red-base": {
      const effect = "Tasks start and merge even if a gate is red on the base commit.";
      return {
        question: "Continue on a red base commit?",
        effect,
        verb: "Continue",
        accepted: "Allowed a red base commit.",
      };
    }
    case "land":
      return formatLand(state, action);
    case "undo":
      return formatUndo(state, isRunning);
    case "resume":
      return formatResume(state);
    default:
      return unreachable(action);
  }
}

const formatAttemptsLeft = (n: number): string =>
  n === 0 ? "No attempts are running" : `${count(n, "running attempt")} will finish`;

function formatStop(state: RunState, mode: StopMode): Text {
  const { run, indices } = state;
  const resume = sentence`To continue later: ${command(plait("resume", run))}`;
  const agents = countRunningAgents(state);
  if (mode === "drain") {
    const effect = paragraph([
      `${formatAttemptsLeft(indices.liveAttempts)}, no new ones will start, and nothing will land.`,
      resume,
    ]);
    return { question: `Stop ${run}?`, effect, verb: "Stop", accepted: "Stopping the run." };
  }
  if (mode === "kill") {
    const left =
      agents === 1 ? "Its work stays in its worktree and is" : "Their work stays in their worktrees and is";
    const killed = sentence`${count(agents, "agent")} will be killed. ${left} saved when you resume: ${command(plait("resume", run))}`;
    const effect = agents === 0 ? paragraph(["No agents are running.", resume]) : killed;
    return { question: "Kill at once?", effect, verb: "Kill", accepted: "Killing the run." };
  }
  const interrupted = `${count(agents, "agent")} will be interrupted within 5 seconds, and ${agents === 1 ? "its" : "their"} work will be saved.`;
  const effect = paragraph([agents === 0 ? "No agents are running." : interrupted, resume]);
  return { question: "Stop now?", effect, verb: "Stop now", accepted: "Stopping the run now." };
}

function formatLand(state: RunState, request: LandRequest): Text {
  const { policy, landing, run } = state;
  const target = shortRef(request.target ?? state.target ?? "its branch");
  const publish = request.publish ?? policy.publish;
  const left = countLeft(state);
  const gates = state.index.landingChecks.length;
  const green = gates === 0 ? "" : ` once ${GATES[gates] ?? `all ${gates} gates are`} green`;
  const work = `Work from ${count(state.indices.phases.merged, "task")}`;
  const rest =
    left === 0 ? "" : `${count(left, "unfinished task")} will be left out, and no new attempts will start.`;
  if (isProposed(publish)) {
    const what = publish === "pull-request-per-task" ? "pull requests" : "a pull request";
    const effect = paragraph([sentence`${work} will be proposed for ${name(target)}${green}.`, rest]);
    const verb = `Open ${publish === "pull-request-per-task" ? "pull requests" : "pull request"}`;
    return { question: `Open ${what} into ${target}?`, effect, verb, accepted: `Opening ${what}.` };
  }
  const pushed = publish === "push" ? sentence`, and ${name(target)} will be pushed` : "";
  const effect = paragraph([
    landing.kind === "landed"
      ? sentence`${name(target)} will be pushed.`
      : sentence`${work} will land on ${name(target)}${green}${pushed}.`,
    rest,
    sentence`To undo it later: ${command(plait("undo", run))}`,
  ]);
  return { question: `Land on ${target}?`, effect, verb: "Land", accepted: "Landing the run." };
}

const GATES: { readonly [n: number]: string } = { 1: "the gate is", 2: "both gates are" };

const countLeft = ({ selected, index, indices }: RunState): number =>
  (selected?.size ?? index.plan.tasks.length) - indices.done;

function formatUndo({ run, target }: RunState, isRunning: boolean): Text {
  const branch = name(shortRef(target ?? "the branch"));
  const effect = paragraph([
    sentence`${branch} will move back to the commit before this landing. If other commits followed, plait will add a revert commit instead.`,
    sentence`All work stays on ${name(`plait/${run}/integration`)}.`,
  ]);
  // A running run undoes it beside the rest, and may find that it cannot; without one the answer is waited for.
  const accepted = isRunning ? "Undoing the landing." : "Undid the landing.";
  return { question: "Undo the landing?", effect, verb: "Undo", accepted };
}

function formatResume(state: RunState): Text {
  const left = countLeft(state);
  const isRetried = state.ended !== null && state.indices.phases.failed > 0;
  const effect = `plait will resume the run in the background: ${count(left, "task")} left. ${isRetried ? "Failed tasks will run again." : "Interrupted tasks will restart."}`;
  return { question: `Resume ${state.run}?`, effect, verb: "Resume", accepted: "Resuming the run." };
}
