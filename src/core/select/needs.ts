import { decide } from "../decide.ts";
import type { AccountLimitReason } from "../facts.ts";
import type { AttemptFailure } from "../failure.ts";
import type { RunId, TaskId } from "../ids.ts";
import type { Task } from "../plan.ts";
import { accountOf } from "../queries.ts";
import type { RunState, TaskState } from "../run-state.ts";
import { isIncluded, isSettled, listTasks, taskState } from "../run-tasks.ts";
import { entries, values } from "../sorted-map.ts";
import { forRun, type NextStep, plait, withFlags } from "../text/command.ts";
import { count } from "../text/figures.ts";
import {
  commitId,
  listing,
  name,
  path,
  plainText,
  type Sentence,
  sentence,
  task as taskPart,
} from "../text/sentence.ts";
import { pickShownAttempt } from "./attempt-number.ts";
import { redBaseSteps } from "./base-steps.ts";
import { formatFailure, formatLimit } from "./failure-text.ts";
import {
  budgetStep,
  editedPlanSteps,
  landAgainSteps,
  landOntoStep,
  listNextSteps,
  mergeStep,
  resumeStep,
  submitOrDrop,
} from "./next-steps.ts";
import { progress } from "./progress.ts";
import { pushSteps } from "./push-steps.ts";
import { findRunStatus, findStatusObstacle, isEnded, type Obstacle, type RunStatus } from "./run-status.ts";
import { formatCounts, formatObstacle, formatObstacleShort, formatRunStatus } from "./run-status-text.ts";
import { taskRows } from "./task-rows.ts";

/** Something that only a person can move, and the one thing to do about it. */
export type Need = {
  readonly kind: NeedKind;
  /** Stays the same as long as it is the same thing. */
  readonly key: string;
  readonly task: TaskId | null;
  readonly text: Sentence;
  /** What helps to decide. */
  readonly details: readonly Sentence[];
  /** The first is what to do; the others help to decide, or do something else instead. */
  readonly steps: readonly [NextStep, ...NextStep[]];
};

/** In the order in which they are listed: the widest first. */
const KINDS = [
  ...["base", "landing", "step", "budget", "account", "approve", "submit", "conflict", "failed"],
  ...["hooks", "worktree", "resume"],
] as const;

export type NeedKind = (typeof KINDS)[number];

export type NeedOptions = {
  readonly isRunning: boolean;
  /** Hooks and git config that changed during the run: known to whoever looked at the repository. */
  readonly changedConfig?: readonly Sentence[];
};

/** `tax`, `budget`: a need where only its name has room. */
export const formatNeedName = ({ kind, task }: Need): string =>
  task === null || kind === "hooks" || kind === "worktree"
    ? `${NAMES[kind]}${task === null ? "" : ` of ${task}`}`
    : task;

const NAMES: { readonly [K in NeedKind]: string } = {
  base: "base commit",
  landing: "landing",
  step: "failed step",
  budget: "budget",
  account: "account",
  approve: "approval",
  submit: "open task",
  conflict: "conflict",
  failed: "failed task",
  hooks: "hooks",
  worktree: "worktree",
  resume: "resume",
};

/** Everything that needs a person: for the terminal, the web UI, reports, tools and notifications. */
export function listNeeds(state: RunState, { isRunning, changedConfig = [] }: NeedOptions): Need[] {
  const status = findRunStatus(state, state.clock, isRunning);
  const obstacle = findStatusObstacle(status);
  const found = [
    ...(obstacle === null ? [] : [obstacleNeed(state, obstacle, isRunning)]),
    ...accountNeeds(state, isRunning),
    ...taskNeeds(state, isRunning),
    ...configNeeds(state, changedConfig, isRunning),
    ...resumeNeeds(state, status),
  ];
  const rank = ({ kind }: Need): number => KINDS.indexOf(kind);
  return found
    .sort((a, b) => rank(a) - rank(b))
    .map((one) => ({ ...one, steps: forRunEach(state, one.steps) }));
}

const forRunEach = (state: RunState, steps: Need["steps"]): Need["steps"] =>
  steps.map((step) => ({ ...step, command: forRun(state, step.command) })) as unknown as Need["steps"];

const need = (one: Omit<Need, "details" | "task"> & Partial<Need>): Need => ({
  details: [],
  task: null,
  ...one,
});

function obstacleNeed(state: RunState, obstacle: Obstacle, isRunning: boolean): Need {
  const { run } = state;
  const why = formatObstacle(obstacle);
  switch (obstacle.kind) {
    case "red-base": {
      const gates = [...values(state.redOnBase)];
      const details = gates.map((gate) => sentence`${name(gate.name)}: ${gate.summary}`);
      return need({ kind: "base", key: "base", text: why, details, steps: redBaseSteps(state) });
    }
    case "refused": {
      const isTargetless = obstacle.why === "no-target";
      const steps = isTargetless
        ? ([landOntoStep(state), mergeStep(state)] as const)
        : landAgainSteps(state, obstacle.why);
      const text = `not landed: ${formatObstacleShort(obstacle)}`;
      return need({ kind: "landing", key: "landing", text, details: [why], steps });
    }
    case "not-pushed": {
      const printed = obstacle.output.split("\n").filter((line) => line.trim() !== "");
      const details = [why, ...printed];
      const steps = pushSteps(state);
      return need({ kind: "landing", key: "published", text: "not pushed", details, steps });
    }
    case "step": {
      const purpose = "continue after you fix this";
      const steps = untilEnd(run, isRunning, { command: plait("resume", run), purpose });
      const text = formatObstacleShort(obstacle);
      return need({ kind: "step", key: "held", text, details: [obstacle.detail], steps });
    }
    case "budget":
      return need({
        kind: "budget",
        key: "budget",
        text: sentence`over budget: ${why}`,
        steps: [budgetStep(state)],
      });
  }
}

/** These do not end by time alone. */
const FIXES: { readonly [R in AccountLimitReason]?: string } = {
  auth: "log in again",
  billing: "fix the account's billing",
};

/** Until an attempt has succeeded again: each vain attempt in between is the same need. */
function accountNeeds(state: RunState, isRunning: boolean): Need[] {
  return [...entries(state.accounts)].flatMap(([account, { why }]): Need[] => {
    const advice = FIXES[why];
    const tasks = state.index.plan.tasks.filter(
      (_, i) => accountOf(state, i) === account && !isSettled(taskState(state, i).phase),
    );
    const [first] = tasks;
    if (advice === undefined || first === undefined) return [];
    const agent = first.work.kind === "agent" ? first.work.agent.use : null;
    const text = sentence`${formatLimit(agent, why)}: ${count(tasks.length, "task")} paused`;
    const continues = "continue after that";
    const retry = { command: plait("retry", [], { now: true, run: state.run }), purpose: continues };
    const resume = { command: plait("resume", state.run), purpose: continues };
    const canRetry = decide(state, { kind: "retry-now" }, state.clock).ok;
    const steps: Need["steps"] = [!isRunning ? resume : canRetry ? retry : followStep(state.run)];
    return [need({ kind: "account", key: `account ${account}`, text, details: [advice], steps })];
  });
}

function taskNeeds(state: RunState, isRunning: boolean): Need[] {
  const skipped = countSkipped(state);
  const tasks = listTasks(state).filter(({ task }) => isIncluded(state, task.id));
  return tasks.flatMap(({ task, of }) => [
    ...heldNeed(state, task.id, of),
    ...(of.phase.kind === "failed"
      ? [failedNeed(state, { task, of, skipped: skipped.get(task.id) ?? 0 }, of.phase.failure)]
      : []),
    ...plantedNeeds(state, { task, of }, isRunning),
    ...worktreeNeeds(state, { task, of }, isRunning),
  ]);
}

/** By task: how many are skipped because of it. */
function countSkipped(state: RunState): ReadonlyMap<TaskId, number> {
  const found = new Map<TaskId, number>();
  if (state.indices.phases.skipped === 0) return found;
  for (const {
    of: { phase },
  } of listTasks(state))
    if (phase.kind === "skipped" && phase.because !== null)
      found.set(phase.because, (found.get(phase.because) ?? 0) + 1);
  return found;
}

const named = ({ run }: RunState, steps: readonly NextStep[]): Need["steps"] =>
  steps.map((step) => ({ ...step, command: withFlags(step.command, { run }) })) as unknown as Need["steps"];

function heldNeed(state: RunState, id: TaskId, { phase, open }: TaskState): Need[] {
  if (phase.kind !== "held") return [];
  const text = sentence`${taskPart(id)} needs you: ${phase.why}`;
  const key = `task ${id}`;
  const diff = { command: plait("diff", id), purpose: "see what it changed" };
  if (open === null) {
    const approve = { command: plait("approve", id), purpose: `approve ${id}` };
    const steps = named(state, phase.proven === null ? [approve] : [approve, diff]);
    return [need({ kind: "approve", key, task: id, text, steps })];
  }
  const conflicts = open.conflicts.map(path);
  const details = [
    ...(open.worktree === null ? [] : [sentence`its worktree is open at ${path(open.worktree)}`]),
    ...(conflicts.length === 0 ? [] : [sentence`conflicts in ${listing(conflicts, MOST_PATHS)}`]),
  ];
  const steps = named(state, submitOrDrop(id, open.worktree));
  return [need({ kind: "submit", key, task: id, text, details, steps })];
}

const MOST_PATHS = 20;

type NeedingTask = { readonly task: Task; readonly of: TaskState };
type FailedTask = NeedingTask & { readonly skipped: number };

function failedNeed(state: RunState, { task, of, skipped }: FailedTask, failure: AttemptFailure): Need {
  const { id, limits } = task;
  const isConflict = failure.reason === "conflict";
  const attempt = pickShownAttempt(of);
  const isSaved = attempt?.saved.changed === true;
  const canOpen = decide(state, { kind: "open", task: id }, state.clock).ok;
  const purpose = isConflict ? "resolve the conflict" : "finish the task yourself";
  const open = { command: plait("open", id), purpose };
  const logs = { command: plait("logs", id), purpose: "see what it did and why it failed" };
  const diff = { command: plait("diff", id), purpose: "see what it changed" };
  const others = isConflict ? failure.with.slice(0, 2) : [];
  const then =
    skipped === 0 ? "" : `; ${count(skipped, "skipped task")} ${skipped === 1 ? "follows" : "follow"}`;
  const retry = { command: plait("retry", id), purpose: `retry ${id}${then}` };
  return need({
    kind: isConflict ? "conflict" : "failed",
    key: `task ${id}`,
    task: id,
    text: sentence`${taskPart(id)} failed: ${formatFailure(failure, limits)}`,
    details: [
      ...(isConflict ? listSides(state, failure) : []),
      ...(isSaved ? [sentence`work saved at ${name(attempt.saved.ref)}`] : []),
      ...(skipped === 0 ? [] : [`${count(skipped, "task")} skipped`]),
    ],
    steps: [
      ...named(state, [
        ...(isConflict && canOpen ? [open] : []),
        logs,
        ...(isSaved ? [diff] : []),
        ...others.map((other) => ({ command: plait("diff", other), purpose: `see what ${other} changed` })),
        ...(decide(state, { kind: "retry", task: id }, state.clock).ok ? [retry] : []),
        ...(isConflict || !canOpen ? [] : [open]),
      ]),
      ...(state.ended === null ? [] : editedPlanSteps(state, [id])),
    ],
  });
}

/** Which merged work it conflicts with, and where. */
function listSides(
  state: RunState,
  { with: others, paths }: Extract<AttemptFailure, { reason: "conflict" }>,
): Sentence[] {
  const merged = listTasks(state).flatMap(({ task: { id }, of: { phase } }) => {
    if (phase.kind !== "merged" || !others.includes(id)) return [];
    return [sentence`${taskPart(id)} is merged as ${commitId(phase.commit)}`];
  });
  // The sentence above names the first two.
  return [...(paths.length <= 2 ? [] : [sentence`in ${listing(paths.map(path), MOST_PATHS)}`]), ...merged];
}

function plantedNeeds({ run }: RunState, { task: { id }, of }: NeedingTask, isRunning: boolean): Need[] {
  const findings = pickShownAttempt(of)?.saved.findings ?? [];
  const planted = findings.filter(({ kind, blocks }) => kind === "planted" && blocks);
  if (planted.length === 0) return [];
  const text = sentence`${taskPart(id)} changed the repository's hooks or git config`;
  const details = planted.map((one) => sentence`${path(one.path)}: ${one.detail}`);
  const command = plait("restore", run, { "dry-run": true });
  const steps = untilEnd(run, isRunning, { command, purpose: "see what would be restored" });
  return [need({ kind: "hooks", key: `hooks ${id}`, task: id, text, details, steps })];
}

function worktreeNeeds({ run }: RunState, { task: { id }, of }: NeedingTask, isRunning: boolean): Need[] {
  return of.past.flatMap(({ saved }): Need[] => {
    if (saved.kept === null) return [];
    const text = sentence`${taskPart(id)} left too much to save; its worktree was kept`;
    const purpose = "remove the worktree after you copy what you need";
    const steps = untilEnd(run, isRunning, { command: plait("clean", run), purpose });
    const about = { key: `worktree ${saved.kept}`, task: id, text, details: [[path(saved.kept)]], steps };
    return [need({ kind: "worktree", ...about })];
  });
}

function configNeeds({ run }: RunState, changed: readonly Sentence[], isRunning: boolean): Need[] {
  if (changed.length === 0) return [];
  const text = "the repository's hooks or git config changed during the run";
  const steps = untilEnd(run, isRunning, {
    command: plait("restore", run),
    purpose: "undo these changes, if they are not yours",
  });
  return [need({ kind: "hooks", key: "hooks", text, details: changed, steps })];
}

const followStep = (run: RunId): NextStep => ({
  command: plait("watch", run),
  purpose: "follow the run to its end",
});

/** Where only the end of the run allows it. */
const untilEnd = (run: RunId, isRunning: boolean, then: NextStep): Need["steps"] => [
  isRunning ? followStep(run) : then,
];

function resumeNeeds(state: RunState, status: RunStatus): Need[] {
  const isLeft = status.kind === "interrupted" || status.kind === "stopped";
  if (!isLeft || state.held !== null) return [];
  const text = sentence`the run was ${formatRunStatus(status)}`;
  return [need({ kind: "resume", key: "ended", text, steps: [resumeStep(state)] })];
}

/** Keys of the needs that a person was notified of. */
export type SentNeedKeys = readonly string[];

/** During a run, a failed task or a worktree that stays stops nothing else: the end names them. */
const QUIET = new Set<NeedKind>(["conflict", "failed", "hooks", "worktree", "budget", "resume"]);

function listNotifiedNeeds(state: RunState): readonly Pick<Need, "key" | "text">[] {
  const needs = listNeeds(state, { isRunning: state.ended === null }).filter(({ kind }) => !QUIET.has(kind));
  return [...endNeeds(state), ...needs];
}

/** Whoever stopped the run knows that it stopped; a hang-up or a machine that shuts down asked nobody. */
function endNeeds(state: RunState): readonly Pick<Need, "key" | "text">[] {
  const status = findRunStatus(state, state.clock, true);
  if (!isEnded(status) || status.exit === 0) return [];
  if (status.kind === "stopped" && status.by.kind === "person") return [];
  return [{ key: "ended", text: formatEnd(state, status) }];
}

/** `not landed; 3 of 5 tasks done, 2 failed; failed: tax and promo`. */
function formatEnd(state: RunState, status: RunStatus): Sentence {
  const rows = taskRows(state, state.clock, { isRunning: false });
  const failed = rows.filter((row) => row.status.kind === "failed").map((row) => taskPart(row.task));
  const names = failed.length === 0 ? "" : sentence`; failed: ${listing(failed, MOST_NAMED)}`;
  return sentence`${formatRunStatus(status)}; ${formatCounts(rows, progress(state), "tasks")}${names}`;
}

/**
 * Whether a person has become needed since the last notification. As long as one of the needs they know of stands, more of them are not
 * sent: who comes for the first sees the others too.
 */
export function findUnsentNeeds(
  state: RunState,
  sent: SentNeedKeys,
): { readonly isNew: boolean; readonly keys: SentNeedKeys } {
  const keys = listNotifiedNeeds(state).map(({ key }) => key);
  return { isNew: keys.length > 0 && !keys.some((key) => sent.includes(key)), keys };
}

export type Notification = {
  readonly run: RunId;
  readonly text: string;
  readonly needs: readonly string[];
  readonly next: readonly NextStep[];
};

const MOST_NAMED = 5;

/** One sentence with everything that is needed now, or how the run ended. */
export function buildNotification(state: RunState): Notification {
  const { run } = state;
  const needs = [...new Set(listNotifiedNeeds(state).map(({ text }) => plainText(text)))];
  const more = needs.length > MOST_NAMED ? [`${needs.length - MOST_NAMED} more`] : [];
  const status = findRunStatus(state, state.clock, true);
  const text =
    needs.length > 0
      ? `${run} needs you: ${[...needs.slice(0, MOST_NAMED), ...more].join("; ")}`
      : `${run} ${plainText(formatEnd(state, status))}`;
  const next = listNextSteps(state, { isRunning: state.ended === null });
  const see = { command: plait("status", run), purpose: "see the run" };
  return { run, text, needs, next: next.length > 0 ? next : [see] };
}
