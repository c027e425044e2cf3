import { decide, type RunCommand } from "../decide.ts";
import { evolve } from "../evolve.ts";
import type { StopMode } from "../facts.ts";
import type { TaskId } from "../ids.ts";
import { isOverBudget } from "../landing.ts";
import { unreachable } from "../queries.ts";
import type { RunAction } from "../run-action.ts";
import { taskAt } from "../run-index.ts";
import type { RunState, TaskState } from "../run-state.ts";
import { taskState } from "../run-tasks.ts";
import { entries } from "../sorted-map.ts";
import type { OfferOptions } from "./offers.ts";
import { count } from "./preview/words.ts";
import { dollars, listed, ordinal, shortRef } from "./run-words.ts";
import { agentsAtWork } from "./task-rows.ts";

/** What a person is asked before something is done, once. What is typed stands between backticks. */
export type ActionWords = {
  /** `Retry tax?` */
  readonly question: string;
  /** What starts, what stops, what is kept, about what it costs. */
  readonly effect: string;
  /** `Retry`: does it. */
  readonly verb: string;
  /** Said when it was asked for: `Retry of tax asked for.` */
  readonly asked: string;
  /** Whether it ends, drops or takes back something. */
  readonly isGrave: boolean;
};

export function actionWords(state: RunState, action: RunAction, { isDriven }: OfferOptions): ActionWords {
  const words = "task" in action ? ofTask(state, action) : ofRun(state, action, isDriven);
  const needsDriver = !isDriven && action.kind !== "undo" && action.kind !== "resume";
  const driver = needsDriver ? " Nobody drives the run, so plait goes on with it in the background." : "";
  return { isGrave: GRAVE.has(action.kind), ...words, effect: `${words.effect}${driver}` };
}

type Words = Omit<ActionWords, "isGrave">;

const GRAVE: ReadonlySet<RunAction["kind"]> = new Set(["stop", "cancel", "undo"]);

type TaskAction = Extract<RunAction, { task: TaskId }>;

function ofTask(state: RunState, action: TaskAction): Words {
  const { kind, task } = action;
  const i = state.index.indexOf.get(task);
  if (i === undefined) return { ...TASK_WORDS[kind](task), effect: "There is no such task in this run." };
  return { ...TASK_WORDS[kind](task), effect: EFFECTS[kind](state, taskState(state, i), action) };
}

const TASK_WORDS: {
  readonly [K in TaskAction["kind"]]: (task: TaskId) => Omit<Words, "effect">;
} = {
  retry: (task) => ({ question: `Retry ${task}?`, verb: "Retry", asked: `Retry of ${task} asked for.` }),
  approve: (task) => ({ question: `Approve ${task}?`, verb: "Approve", asked: `${task} is approved.` }),
  accept: (task) => ({ question: `Accept ${task}?`, verb: "Accept", asked: `${task} is handed in.` }),
  open: (task) => ({
    question: `Open ${task}?`,
    verb: "Open worktree",
    asked: `${task} is made ready for you.`,
  }),
  hold: (task) => ({ question: `Hold ${task}?`, verb: "Hold", asked: `${task} is held.` }),
  cancel: (task) => ({ question: `Drop ${task}?`, verb: "Drop", asked: `${task} is dropped.` }),
};

type Effect = (state: RunState, task: TaskState, action: TaskAction) => string;

const EFFECTS: { readonly [K in TaskAction["kind"]]: Effect } = {
  retry: (state, task, action) =>
    sentences([
      `${attemptName(task.started + 1)} starts from the present tip${whenever(state)}.`,
      followers(state, action),
      pastCosts(task),
    ]),
  approve: (state, { phase, started }, action) =>
    sentences([
      phase.kind === "held" && phase.proven !== null
        ? `The work of attempt \`${phase.proven.attempt}\` goes to the merge queue.`
        : `${attemptName(started + 1)} starts when its turn comes${whenever(state)}.`,
      followers(state, action),
    ]),
  accept: (state, { open }, action) =>
    sentences([
      `What is in \`${open?.worktree ?? "its worktree"}\` is saved, judged by its gates and ${needsApproval(state, action) ? "waits for approval" : "merged"}. Nothing of it is lost if a gate is red: then you have it again.`,
      followers(state, action),
    ]),
  open: (state, { past }, action) => {
    const last = past.findLast(({ saved }) => saved.changed);
    const what = last === undefined ? "" : `, with the work of attempt \`${last.id}\` in it`;
    return sentences([
      `Its worktree is made ready for you${what}.`,
      `The task waits until you hand it in with \`plait accept ${action.task}\`.`,
      followers(state, action),
    ]);
  },
  hold: (_state, { live, phase }, { task }) =>
    sentences([
      live.length > 0 ? `${liveAttempts(live.length)} and what was written is saved.` : "",
      phase.kind === "queued" ? "It leaves the merge queue; its proven work is kept." : "",
      `It waits until you say \`plait approve ${task}\`.`,
    ]),
  cancel: (state, { live, open, past }, action) =>
    sentences([
      live.length > 0 ? `${liveAttempts(live.length)} and what was written is saved.` : "",
      open === null ? "" : "What you have there is saved.",
      live.length === 0 && open === null && past.length > 0 ? "What was saved is kept." : "",
      skippedThen(state, action),
    ]) || "It is not done in this run.",
};

const needsApproval = ({ index }: RunState, { task }: TaskAction): boolean =>
  taskAt(index, index.indexOf.get(task) as number).approve;

const attemptName = (n: number): string =>
  n === 1 ? "The first attempt" : `A${anVowel(n)} ${ordinal(n)} attempt`;

/** An eighth, an eleventh, an eighteenth. */
const anVowel = (n: number): string => (n === 11 || n === 18 || String(n).startsWith("8") ? "n" : "");

const liveAttempts = (n: number): string =>
  n === 1 ? "Its attempt is interrupted," : `Its ${n} attempts are interrupted,`;

/** What keeps an attempt from starting at once. */
function whenever(state: RunState): string {
  const { paused, stopping, indices, policy } = state;
  if (isOverBudget(state)) return " when the budget is larger";
  if (stopping !== null) return " when the run goes on";
  if (paused) return " when the run is no longer paused";
  return indices.liveAttempts >= policy.slots ? " when a slot is free" : "";
}

function pastCosts({ past }: TaskState): string {
  const told = past.map(({ ended }) => ended.usage.costUsd).filter((usd) => usd !== null);
  if (told.length === 0) return "";
  const mean = told.reduce((sum, usd) => sum + usd, 0) / told.length;
  return told.length === 1
    ? `The last attempt cost ${dollars(mean)}.`
    : `Past attempts cost ${dollars(mean)} each.`;
}

/** Tasks that were skipped and are not any more, if this is done: the fold itself says so. */
function followers(state: RunState, action: TaskAction): string {
  const then = after(state, action);
  const names = tasksThat(state, (before, i) => before === "skipped" && phaseAt(then, i) !== "skipped");
  return named(names, "skipped tasks", ["goes back to waiting", "go back to waiting"]);
}

function skippedThen(state: RunState, action: TaskAction): string {
  const then = after(state, action);
  const names = tasksThat(state, (before, i) => before !== "skipped" && phaseAt(then, i) === "skipped");
  return named(names, "tasks that need it", ["is skipped", "are skipped"]);
}

function after(state: RunState, command: RunCommand): RunState {
  const decision = decide(state, command, state.clock);
  return decision.ok ? decision.facts.reduce((now, fact) => evolve(now, fact) ?? now, state) : state;
}

const phaseAt = (state: RunState, i: number): string => taskState(state, i).phase.kind;

function tasksThat(state: RunState, is: (phase: string, i: number) => boolean): TaskId[] {
  return [...entries(state.tasks)].flatMap(([i, { phase }]) =>
    is(phase.kind, i) ? [taskAt(state.index, i).id] : [],
  );
}

const MOST_NAMED = 2;

/** `a and b`, or how many. */
function named(names: readonly TaskId[], many: string, [one, more]: readonly [string, string]): string {
  if (names.length === 0) return "";
  const who = names.length <= MOST_NAMED ? listed(names.map((id) => `\`${id}\``)) : `${names.length} ${many}`;
  return `${who} ${names.length === 1 ? one : more}.`;
}

type WholeAction = Exclude<RunAction, TaskAction>;

function ofRun(state: RunState, action: WholeAction, isDriven: boolean): Words {
  const { run } = state;
  switch (action.kind) {
    case "stop":
      return stopWords(state, action.mode);
    case "pause":
      return {
        question: `Pause ${run}?`,
        effect: `${running(state.indices.liveAttempts)}, and none starts until you unpause. What is proven is still merged.`,
        verb: "Pause",
        asked: "The run is paused.",
      };
    case "unpause":
      return {
        question: `Unpause ${run}?`,
        effect: `What is ready starts again, on up to ${count(state.policy.slots, "slot")}.`,
        verb: "Unpause",
        asked: "The run goes on.",
      };
    case "resize":
      return {
        question: `Use ${count(action.slots, "slot")}?`,
        effect: `At most ${count(action.slots, "attempt")} at a time from now on; those that run go on to their end.`,
        verb: "Change",
        asked: `${count(action.slots, "slot")} from now on.`,
      };
    case "keep-worktrees":
      return {
        question: "Keep worktrees?",
        effect: "The worktrees of attempts stay where they are from now on, also when their work is saved.",
        verb: "Keep",
        asked: "Worktrees stay from now on.",
      };
    case "land":
      return landWords(state);
    case "undo":
      return undoWords(state, isDriven);
    case "resume":
      return resumeWords(state);
    default:
      return unreachable(action);
  }
}

function running(n: number): string {
  if (n === 0) return "Nothing runs";
  return n === 1 ? "1 attempt goes on to its end" : `${n} attempts go on to their end`;
}

function stopWords(state: RunState, mode: StopMode): Words {
  const { run, indices } = state;
  const resume = `\`plait resume ${run}\` goes on from there.`;
  const agents = agentsAtWork(state);
  if (mode === "drain") {
    const n = indices.liveAttempts;
    const effect = `${count(n, "attempt")} may end, none starts, nothing lands. ${resume}`;
    return { question: `Drain ${run}?`, effect, verb: "Drain", asked: "The run drains." };
  }
  if (mode === "kill") {
    const effect = `${who(agents)} ended at once. What was written is saved by \`plait resume ${run}\`.`;
    return { question: "Kill at once?", effect, verb: "Kill", asked: "The run is killed." };
  }
  const saved = `What ${agents === 1 ? "it" : "they"} wrote is saved, and ${resume}`;
  const effect =
    agents === 0 ? `No agent runs. ${resume}` : `${who(agents)} interrupted, gone within 5 s. ${saved}`;
  return { question: "Stop now?", effect, verb: "Stop now", asked: "The run is stopping." };
}

const who = (agents: number): string => `${count(agents, "agent")} ${agents === 1 ? "is" : "are"}`;

function landWords(state: RunState): Words {
  const { merged } = state.indices.phases;
  const target = shortRef(state.target ?? "its branch");
  const left = tasksLeft(state);
  const gates = state.index.landingChecks.length;
  const proof = gates === 0 ? "" : `, once the ${gates === 1 ? "gate" : `${gates} gates`} of the plan agree`;
  const effect = sentences([
    state.landing.kind === "landed"
      ? `What landed on \`${target}\` is brought to the server.`
      : `The work of ${count(merged, "task")} goes to \`${target}\`${proof}.`,
    left === 0
      ? ""
      : `${count(left, "task")} that ${left === 1 ? "is" : "are"} not done ${left === 1 ? "stays" : "stay"} out, and nothing more starts.`,
    `\`plait undo ${state.run}\` takes it back.`,
  ]);
  return { question: `Land on ${target}?`, effect, verb: "Land", asked: "The run lands." };
}

const tasksLeft = ({ selected, index, indices }: RunState): number =>
  (selected?.size ?? index.plan.tasks.length) - indices.done;

function undoWords({ run, target }: RunState, isDriven: boolean): Words {
  const branch = shortRef(target ?? "the branch");
  const effect = `\`${branch}\` goes back to where it was; if others have committed there since, a commit takes the changes out. All work stays on \`plait/${run}/integration\`.`;
  return {
    question: "Take the landing back?",
    effect,
    verb: "Take back",
    // A driver does it beside the rest, and may find that it cannot; without one it is waited for.
    asked: isDriven ? "The landing is to be taken back." : "The landing is taken back.",
  };
}

function resumeWords(state: RunState): Words {
  const left = tasksLeft(state);
  const isTriedAgain = state.ended !== null && state.indices.phases.failed > 0;
  const effect = sentences([
    `plait goes on in the background with the ${count(left, "task")} that ${left === 1 ? "is" : "are"} left.`,
    isTriedAgain ? "What failed is tried again." : "What was cut off starts again.",
  ]);
  return { question: `Resume ${state.run}?`, effect, verb: "Resume", asked: "The run goes on." };
}

const sentences = (parts: readonly string[]): string => parts.filter((part) => part !== "").join(" ");
