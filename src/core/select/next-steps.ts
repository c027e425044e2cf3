import { decide } from "../decide.ts";
import { findTargetFixer } from "../evolve/target-fix.ts";
import type { LandingRefusal } from "../facts.ts";
import type { FailureReason } from "../failure.ts";
import type { TaskId } from "../ids.ts";
import { hasUnlanded, isOverBudget, isResultLanded, lastLanding } from "../landing.ts";
import { isProposed } from "../plan.ts";
import { limitedAccounts } from "../retry-now.ts";
import type { RunState, TargetMoves, TaskPhase } from "../run-state.ts";
import { findTask, isSelected, isSettled, listTasks, taskState } from "../run-tasks.ts";
import { entries } from "../sorted-map.ts";
import { type Command, forRun, type NextStep, otherCommand, plait, withFlags } from "../text/command.ts";
import { count, listed, shortOid, shortRef } from "../text/figures.ts";
import { redBaseSteps } from "./base-steps.ts";
import { listPullRequests } from "./landing-text.ts";
import { pushSteps } from "./push-steps.ts";
import { findEndStatus, findResumeReason, findStatusObstacle, type ResumeReason } from "./run-status.ts";
import { openTasks } from "./task-lists.ts";

/** Every status has a next step. Each is something that the command parser and `decide` accept now (test/commands). */

export type NextOptions = {
  /** A plait process runs it: it can be watched and stopped, not resumed. */
  readonly isRunning: boolean;
};

/** The most likely first. */
export function listNextSteps(state: RunState, options: NextOptions): NextStep[] {
  const steps = options.isRunning && state.ended === null ? listRunningSteps(state) : listEndSteps(state);
  return steps.map(({ command, purpose }) => ({ command: addFlags(command, state), purpose }));
}

const TAKES_TASK = new Set<string>(["logs", "diff", "retry", "open", "submit", "drop", "approve"]);

/** What takes a task looks for it in the latest run, which may be another one by the time it is typed: it names its run. */
function addFlags(command: Command, state: RunState): Command {
  const takesTask = command.program === "plait" && TAKES_TASK.has(command.verb) && command.args.length > 0;
  return forRun(state, takesTask ? withFlags(command, { run: state.run }) : command);
}

function listRunningSteps(state: RunState): NextStep[] {
  const { run, stopping } = state;
  return [
    ...submitSteps(state),
    ...approveSteps(state),
    ...retryNowSteps(state),
    { command: plait("watch", run), purpose: "follow the run live" },
    ...(stopping === null
      ? [{ command: plait("stop", run), purpose: "stop once running attempts finish" }]
      : []),
    ...(stopping === "drain" ? [{ command: plait("stop", run, { now: true }), purpose: INTERRUPT }] : []),
  ];
}

const INTERRUPT = "interrupt running attempts and save their work";

/** After what a person has to do first; failed tasks are retried by name. */
const RESUMED_LATER: ReadonlySet<ResumeReason> = new Set(["stopped", "step", "tasks-left"]);

function listEndSteps(state: RunState): NextStep[] {
  const status = findEndStatus(state);
  if (status.exit === 0) return [...landedSteps(state), ...mergedSteps(state), ...reportSteps(state)];
  const obstacle = findStatusObstacle(status);
  if (obstacle?.kind === "red-base") return redBaseSteps(state);
  const reason = findResumeReason(state);
  const failed = tasksIn(state, "failed");
  const inConflict = failed.filter((task) => failedBy(state, task) === "conflict");
  const writers = new Set(
    state.index.plan.tasks.filter(({ access }) => access === "write").map(({ id }) => id),
  );
  const others = failed.filter((task) => !inConflict.includes(task) && writers.has(task));
  return [
    ...(reason === "interrupted" ? [resumeStep(state)] : []),
    ...submitSteps(state),
    ...openStep(inConflict, "resolve the conflict"),
    ...logsStep(failed),
    ...approveSteps(state),
    ...(reason !== null && RESUMED_LATER.has(reason) ? [resumeStep(state)] : []),
    ...(obstacle?.kind === "budget" ? [budgetStep(state)] : []),
    ...editedPlanSteps(state, failed),
    ...dropSteps(state, failed),
    ...retrySteps(state, failed),
    ...redoSteps(state, failed),
    ...(state.workFolder === null ? openStep(others, "finish the task yourself") : []),
    ...landSteps(state),
    ...landedSteps(state),
    ...reportSteps(state),
  ];
}

export const resumeStep = ({ run, ended }: Pick<RunState, "run" | "ended">): NextStep => ({
  command: plait("resume", run),
  purpose: ended === null ? "continue the interrupted run" : "continue the run",
});

/** What was granted last, again: it counts from the resume on. */
export function budgetStep({ run, policy }: RunState): NextStep {
  const usd = Math.max(policy.grantedUsd ?? policy.budgetUsd ?? 0, 0.01);
  const command = plait("resume", run, { "budget-usd": usd });
  return { command, purpose: `continue and spend up to $${usd.toFixed(2)} more` };
}

const logsStep = ([first]: readonly TaskId[]): NextStep[] =>
  first === undefined ? [] : [{ command: plait("logs", first), purpose: `see why ${first} failed` }];

/** More names make a command that is hard to read. */
const MOST_NAMES = 6;

function retrySteps(state: RunState, failed: readonly TaskId[]): NextStep[] {
  const named = failed.slice(0, MOST_NAMES);
  if (named.length === 0) return [];
  const skipped = tasksIn(state, "skipped");
  const which = skipped.length <= 2 ? listed(skipped) : count(skipped.length, "skipped task");
  const then = skipped.length === 0 ? "" : `; ${which} ${skipped.length === 1 ? "follows" : "follow"}`;
  const what = named.length === 1 ? `retry ${named[0]}` : `retry ${count(named.length, "failed task")}`;
  return [{ command: plait("retry", named), purpose: `${what}${then}` }];
}

/** A task that may change nothing: its failure names the key of the plan, which counts once the plan is read again. */
export function editedPlanSteps(state: RunState, failed: readonly TaskId[]): NextStep[] {
  const { format, path } = state.index.plan.source;
  if (format === "prompts" || !failed.some((task) => failedBy(state, task) === "nothing-done")) return [];
  return [
    { command: plait("resume", state.run, { plan: path }), purpose: "continue after you edit the plan" },
  ];
}

/** Where there was nothing to do, the rest of the run lands without it. */
function dropSteps(state: RunState, failed: readonly TaskId[]): NextStep[] {
  const [task] = failed.filter((id) => failedBy(state, id) === "nothing-done");
  return task === undefined
    ? []
    : [{ command: plait("drop", task), purpose: `drop ${task}, which had nothing to do` }];
}

/** A check found merged work wrong: the agents that made it fix it. */
function redoSteps(state: RunState, failed: readonly TaskId[]): NextStep[] {
  const { tasks, source } = state.index.plan;
  const check = tasks.find(
    ({ id, access, work }) => failed.includes(id) && access === "read-only" && work.kind === "command",
  );
  const merged = (check?.needs ?? []).filter((id) => findTask(state, id)?.phase.kind === "merged");
  if (check === undefined || merged.length === 0 || source.format === "prompts") return [];
  const flags = { plan: source.path, redo: merged.slice(0, MOST_NAMES).join(",") };
  return [{ command: plait("resume", state.run, flags), purpose: `redo the tasks that ${check.id} checks` }];
}

function failedBy(state: RunState, id: TaskId): FailureReason | null {
  const phase = findTask(state, id)?.phase;
  return phase?.kind === "failed" ? phase.failure.reason : null;
}

const MOST_TASKS = 3;

function submitSteps(state: RunState): NextStep[] {
  return openTasks(state)
    .slice(0, MOST_TASKS)
    .flatMap(({ task, worktree }) => submitOrDrop(task, worktree));
}

export function submitOrDrop(task: TaskId, worktree: string | null): NextStep[] {
  const submit = { command: plait("submit", task), purpose: `submit your changes to ${task}` };
  const drop = { command: plait("drop", task), purpose: `drop ${task} and keep its work saved` };
  // An opening that was interrupted continues with the same command.
  return worktree === null ? [...openStep([task], `finish opening ${task}`), drop] : [submit, drop];
}

const openStep = ([first]: readonly TaskId[], purpose: string): NextStep[] =>
  first === undefined ? [] : [{ command: plait("open", first), purpose }];

function approveSteps(state: RunState): NextStep[] {
  const open = new Set(openTasks(state).map(({ task }) => task));
  return tasksIn(state, "held")
    .filter((task) => !open.has(task))
    .slice(0, MOST_NAMES)
    .map((task) => ({ command: plait("approve", task), purpose: `approve ${task}` }));
}

/** Tasks that a limit pauses can test it before its end; a lost login is tested after a new one. */
function retryNowSteps(state: RunState): NextStep[] {
  const paused = limitedAccounts(state, (i) => !isSettled(taskState(state, i).phase));
  if (paused.length === 0 || !decide(state, { kind: "retry-now" }, state.clock).ok) return [];
  const isLogin = [...entries(state.accounts)].some(
    ([account, { why }]) => why === "auth" && (paused as readonly string[]).includes(account),
  );
  const purpose = isLogin ? "continue after you have logged in" : "test the limit now";
  return [{ command: plait("retry", [], { now: true, run: state.run }), purpose }];
}

/** Merged work can land, also when more is left. */
function landSteps(state: RunState): NextStep[] {
  const { landing, target, published, indices } = state;
  const isOwed = published.kind === "refused";
  if (!hasUnlanded(state) && !isOwed) return [];
  if (target === null) return landing.kind === "refused" ? [landOntoStep(state)] : [];
  if (!decide(state, { kind: "land" }, state.clock).ok) return [];
  if (isOwed) return pushSteps(state);
  if (landing.kind === "refused") return landAgainSteps(state, landing.why);
  const purpose =
    state.landedTip === null ? `land ${count(indices.phases.merged, "merged task")}` : "land the rest";
  return landFirstSteps(state, purpose);
}

/** In this order. */
export function landAgainSteps(state: RunState, why: LandingRefusal): [NextStep, ...NextStep[]] {
  const { run, landing } = state;
  // A conflict of file names has no paths: no merge resolves it.
  if (why === "conflict" && landing.kind === "refused" && landing.paths !== undefined) {
    const [first, ...rest] = mergeByHandSteps(state);
    const canAsk = landing.join !== undefined && findTargetFixer(state, landing.join) !== undefined;
    if (!canAsk || isOverBudget(state)) return [first, ...rest];
    const purpose = "ask an agent to resolve the conflict, then land";
    return [{ command: plait("resume", run), purpose }, first, ...rest];
  }
  const land = { command: plait("land", run), purpose: `land ${AFTER[why]}` };
  if (why === "moved") return [landOntoStep(state)];
  const restore = { command: plait("restore", run), purpose: "restore hooks and git config" };
  if (why === "config") return [restore, land];
  return state.unexplained === null ? [land] : [reviewMoves(state.unexplained), land];
}

const reviewMoves = ({ from, to }: TargetMoves): NextStep => ({
  command: otherCommand("git", "log", ["-p", `${shortOid(from)}..${shortOid(to)}`]),
  purpose: "review the commits that the run did not make",
});

/** The next landing finds the merge on the branch. A branch that the run did not start on may not be checked out. */
function mergeByHandSteps({ run, target, landingDefaults, policy }: RunState): [NextStep, ...NextStep[]] {
  const branch = shortRef(target ?? "");
  const isOther = target !== landingDefaults.target || policy.landStyle.onto !== undefined;
  const [first, ...rest]: [NextStep, ...NextStep[]] = [
    {
      command: otherCommand("git", "merge", `plait/${run}/integration`),
      purpose: `merge the run into ${branch}, which shows the conflicts`,
    },
    // Without --all: git then refuses files that nobody has resolved.
    {
      command: otherCommand("git", "commit", ["--no-edit"]),
      purpose: "commit, after you resolve and `git add` each file",
    },
    {
      command: plait("land", run, { onto: isOther ? branch : undefined }),
      purpose: "check the merge and finish the landing",
    },
  ];
  const check = { command: otherCommand("git", "switch", branch), purpose: `check out ${branch}` };
  return isOther ? [check, first, ...rest] : [first, ...rest];
}

/** A run from a detached HEAD has no branch of its own. */
export const landOntoStep = ({ run }: Pick<RunState, "run">): NextStep => ({
  command: plait("land", run, { onto: { placeholder: "branch" } }),
  purpose: "land on a branch of your choice",
});

const AFTER: { readonly [R in LandingRefusal]: string } = {
  "no-target": "on a branch",
  dirty: "after you commit, stash or move these files",
  moved: "on a branch",
  conflict: "after you resolve the conflict",
  gate: "after the gate is green",
  hook: "after the hook passes",
  config: "after that",
  unexplained: "on top of these commits, after you review them",
  busy: "after the other git command has finished",
  sign: "after git can sign",
  identity: "after you set user.name and user.email",
};

function landedSteps(state: RunState): NextStep[] {
  const last = lastLanding(state)?.landing;
  if (last === undefined || last.from === last.to.commit) return []; // the branch had it already: nothing moved
  const range = `${shortOid(last.from)}..${shortRef(last.target)}`;
  const steps = [{ command: otherCommand("git", "log", ["--graph", range]), purpose: "see what landed" }];
  const canUndo = decide(state, { kind: "undo" }, state.clock).ok;
  return canUndo ? [...steps, { command: plait("undo", state.run), purpose: "undo the landing" }] : steps;
}

/** All is done, and was to stay on the integration branch. */
function mergedSteps(state: RunState): NextStep[] {
  const { landing, target, published } = state;
  const pulls = listPullRequests(state);
  const [pull] = pulls;
  if (landing.kind === "landed" && pull !== undefined) {
    const purpose = `close the pull request: its work landed on ${shortRef(landing.target)}`;
    return pulls
      .slice(0, MOST_TASKS)
      .map(({ url }) => ({ command: otherCommand("gh", "pr close", url), purpose }));
  }
  if (pull !== undefined)
    return [{ command: otherCommand("gh", "pr view", pull.url), purpose: "review the pull request" }];
  if (isResultLanded(state)) return [];
  // Reviewers see it already: it does not land here beside it.
  const canLand = target !== null && published.kind !== "published";
  return [...(canLand ? landFirstSteps(state, `land on ${shortRef(target)}`) : []), mergeStep(state)];
}

/** A run that opens pull requests does so when it lands; `--no-pr` lands here. */
function landFirstSteps({ run, policy: { publish } }: RunState, landing: string): NextStep[] {
  const land = plait("land", run);
  if (publish === "push") return [{ command: land, purpose: `${landing} and push` }];
  if (!isProposed(publish)) return [{ command: land, purpose: landing }];
  const purpose = publish === "pull-request" ? "open a pull request" : "open pull requests";
  return [
    { command: land, purpose },
    { command: plait("land", run, { "no-pr": true }), purpose: landing },
  ];
}

export const mergeStep = ({ run }: Pick<RunState, "run">): NextStep => ({
  command: otherCommand("git", "merge", `plait/${run}/integration`),
  purpose: "merge the work yourself",
});

/** Read-only tasks with a report. */
function reportSteps(state: RunState): NextStep[] {
  return listTasks(state)
    .filter(({ of: { phase } }) => phase.kind === "passed" && phase.report !== null)
    .slice(0, MOST_TASKS)
    .map(({ task: { id } }) => ({ command: plait("logs", id), purpose: `read ${id}'s report` }));
}

function tasksIn(state: RunState, kind: TaskPhase["kind"]): TaskId[] {
  if (state.indices.phases[kind] === 0) return [];
  const tasks = listTasks(state).filter(
    ({ task, of }) => of.phase.kind === kind && isSelected(state, task.id),
  );
  return tasks.map(({ task }) => task.id);
}
