import type { LandingRefusal } from "../facts.ts";
import type { RunId, TaskId } from "../ids.ts";
import { outcomeOf } from "../outcome.ts";
import { taskAt } from "../run-index.ts";
import type { RunState, TaskPhase } from "../run-state.ts";
import { isSelected, taskState } from "../run-tasks.ts";
import { entries } from "../sorted-map.ts";
import { openTasks } from "./open-tasks.ts";
import { shellWord } from "./preview/commands.ts";
import { count } from "./preview/words.ts";
import { listed, shortOid, shortRef } from "./run-words.ts";

/** What to type now, and what that does. */
export type NextCommand = { readonly command: string; readonly says: string };

/** Where the last run may be another one with the same names of tasks, commands name their run. */
export type NextOptions = { readonly isNamed?: boolean };

/** Every end has a next step, the most likely first. */
export function nextCommands(state: RunState, { isNamed = false }: NextOptions = {}): NextCommand[] {
  const commands = commandsAfter(state);
  if (!isNamed) return commands;
  return commands.map((one) => ({ ...one, command: inRun(one.command, state.run) }));
}

/** Those that take a task look for it in the latest run, unless they are told. */
function inRun(command: string, run: RunId): string {
  return TAKES_TASK.test(command) ? `${command} --run ${run}` : command;
}

const TAKES_TASK = /^plait (?:logs|retry|open|accept|drop|approve) (?!--)/;

function commandsAfter(state: RunState): NextCommand[] {
  const outcome = state.ended?.outcome ?? outcomeOf(state);
  const landed = whatLanded(state);
  if (outcome === "complete") return [...landed, ...whatIsMerged(state), ...reports(state)];
  if (outcome === "red-base") return redBase(state);
  const failed = tasksIn(state, "failed");
  const inConflict = failed.filter((task) => isInConflict(state, task));
  const others = failed.filter((task) => !inConflict.includes(task) && isWriter(state, task));
  return [
    ...handIns(state),
    ...takeOver(inConflict, "resolve the conflict"),
    ...readWhy(failed),
    ...approvals(state),
    ...(outcome === "stopped" || outcome === "drained" || state.held !== null ? [resume(state)] : []),
    ...(outcome === "over-budget" ? [moreBudget(state)] : []),
    ...retry(state, failed),
    ...redo(state, failed),
    ...(state.workFolder === null ? takeOver(others, "finish it yourself") : []),
    ...landing(state),
    ...landed,
    ...reports(state),
  ];
}

function redBase({ run }: RunState): NextCommand[] {
  return [
    { command: `plait logs --run ${run}`, says: "read why" },
    { command: `plait resume ${run}`, says: "judge the same commit again" },
  ];
}

function readWhy([first]: readonly TaskId[]): NextCommand[] {
  return first === undefined ? [] : [{ command: `plait logs ${first}`, says: "read why" }];
}

/** More names than these make a command that nobody reads. */
const MOST_NAMES = 6;

function retry(state: RunState, failed: readonly TaskId[]): NextCommand[] {
  const named = failed.slice(0, MOST_NAMES);
  if (named.length === 0) return [];
  const followers = tasksIn(state, "skipped").length;
  const follow = followers === 0 ? "" : `, ${followersText(state, followers)}`;
  return [{ command: `plait retry ${named.join(" ")}`, says: `try again${follow}` }];
}

/** What a check found wrong is in work that is merged already: it is mended by those that made it. */
function redo(state: RunState, failed: readonly TaskId[]): NextCommand[] {
  const { tasks, source } = state.index.plan;
  const check = tasks.find(
    ({ id, access, work }) => failed.includes(id) && access === "read-only" && work.kind === "command",
  );
  const merged = check?.needs.filter((id) => {
    return taskState(state, state.index.indexOf.get(id) as number).phase.kind === "merged";
  });
  if (check === undefined || merged === undefined || merged.length === 0 || source.format === "prompts")
    return [];
  const command = `plait resume ${state.run} --plan ${shellWord(source.path)} --redo ${merged.slice(0, MOST_NAMES).join(",")}`;
  return [{ command, says: `do again what ${check.id} has judged` }];
}

function isWriter(state: RunState, task: TaskId): boolean {
  return taskAt(state.index, state.index.indexOf.get(task) as number).access === "write";
}

function followersText(state: RunState, n: number): string {
  const names = tasksIn(state, "skipped");
  return n <= 2 ? `${listed(names)} ${n === 1 ? "follows" : "follow"}` : `${count(n, "skipped task")} follow`;
}

/** What a person has goes on when they say so. */
export function handIns(state: RunState): NextCommand[] {
  return openTasks(state)
    .slice(0, MOST_REPORTS)
    .flatMap(({ task, worktree }) => [
      worktree === null
        ? { command: `plait open ${task}`, says: "make its worktree ready" }
        : { command: `plait accept ${task}`, says: "hand in what you have done" },
      { command: `plait drop ${task}`, says: "give it up; what is there is saved" },
    ]);
}

function takeOver([first]: readonly TaskId[], says: string): NextCommand[] {
  return first === undefined ? [] : [{ command: `plait open ${first}`, says }];
}

function isInConflict(state: RunState, task: TaskId): boolean {
  const { phase } = taskState(state, state.index.indexOf.get(task) as number);
  return phase.kind === "failed" && phase.failure.reason === "conflict";
}

function approvals(state: RunState): NextCommand[] {
  const theirs = new Set(openTasks(state).map(({ task }) => task));
  return tasksIn(state, "held")
    .filter((task) => !theirs.has(task))
    .slice(0, MOST_NAMES)
    .map((task) => ({ command: `plait approve ${task}`, says: `let ${task} go on` }));
}

/** How much more is theirs to say: twice as much is a number that can be typed as it stands. */
function moreBudget({ run, policy, spentUsd }: RunState): NextCommand {
  const usd = Math.ceil(2 * Math.max(policy.budgetUsd ?? 0, spentUsd));
  return { command: `plait resume ${run} --budget-usd ${usd}`, says: "go on with a larger budget" };
}

/** Of what was cut off nothing is lost: it is saved; but its agent begins anew. */
export const RESUMES = "go on with what is left";

function resume(state: RunState): NextCommand {
  return { command: `plait resume ${state.run}`, says: RESUMES };
}

/** What is merged can land, also when it is not all. */
function landing(state: RunState): NextCommand[] {
  const isOwed = state.published.kind === "refused";
  if (state.tip.commit === state.base.commit || state.target === null) return [];
  if (state.landing.kind === "landed" && !isOwed) return [];
  if (state.indices.phases.active + state.indices.phases.queued > 0) return [];
  const merged = state.indices.phases.merged;
  const says = isOwed
    ? "try again to bring it to the server"
    : state.landing.kind === "refused"
      ? LAND_AGAIN[state.landing.why]
      : `land the ${merged} that ${merged === 1 ? "is" : "are"} merged`;
  return says === null ? [] : [{ command: `plait land ${state.run}`, says }];
}

const LAND_AGAIN: { readonly [R in LandingRefusal]: string | null } = {
  "no-target": null,
  dirty: "once your own changes are committed or stashed",
  moved: "try again",
  conflict: "once the conflict is resolved",
  gate: "once the gate is green",
  hook: "once the hook agrees",
  busy: "once the other landing is over",
  sign: "once git can sign",
  identity: "once git knows who you are",
};

function whatLanded(state: RunState): NextCommand[] {
  if (state.landing.kind !== "landed") return [];
  const range = `${shortOid(state.landing.from)}..${shortRef(state.landing.target)}`;
  return [
    { command: `git log --graph ${range}`, says: "what landed" },
    { command: `plait undo ${state.run}`, says: "take it back" },
  ];
}

/** All is done, and it was to stay on the integration branch. */
function whatIsMerged(state: RunState): NextCommand[] {
  const { run, landing, tip, base, target, published } = state;
  if (landing.kind === "landed" || tip.commit === base.commit) return [];
  // What others look at already does not land here beside it.
  const canLand = target !== null && published.kind !== "published";
  return [
    ...(canLand ? [{ command: `plait land ${run}`, says: `land it on ${shortRef(target)}` }] : []),
    { command: `git merge plait/${run}/integration`, says: "merge it yourself" },
  ];
}

const MOST_REPORTS = 3;

/** Tasks that only looked, and have something to say. */
function reports(state: RunState): NextCommand[] {
  if (state.indices.phases.passed === 0) return [];
  return [...entries(state.tasks)]
    .filter(([, { phase }]) => phase.kind === "passed" && phase.report !== null)
    .slice(0, MOST_REPORTS)
    .map(([i]) => ({ command: `plait logs ${taskAt(state.index, i).id}`, says: "what it reports" }));
}

function tasksIn(state: RunState, kind: TaskPhase["kind"]): TaskId[] {
  if (state.indices.phases[kind] === 0) return [];
  const ids: TaskId[] = [];
  for (const [i, { phase }] of entries(state.tasks)) {
    const { id } = taskAt(state.index, i);
    if (phase.kind === kind && isSelected(state, id)) ids.push(id);
  }
  return ids;
}
