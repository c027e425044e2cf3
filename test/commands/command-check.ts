import { parseCommandLine } from "../../src/cli/program.ts";
import { decide, type RunCommand } from "../../src/core/decide.ts";
import type { RefName, TaskId } from "../../src/core/ids.ts";
import type { RunState } from "../../src/core/run-state.ts";
import { taskState } from "../../src/core/run-tasks.ts";
import { formatAction } from "../../src/core/select/action-text.ts";
import { listNeeds } from "../../src/core/select/needs.ts";
import { listNextSteps } from "../../src/core/select/next-steps.ts";
import { offers } from "../../src/core/select/offers.ts";
import { overview } from "../../src/core/select/overview.ts";
import { listBanners } from "../../src/core/select/run-banner.ts";
import { type Command, formatCommand } from "../../src/core/text/command.ts";
import { listParts, type Sentence } from "../../src/core/text/sentence.ts";

/** Every command that plait would tell a person to type in this state. `isLater`: it follows something else first. */
export type PrintedCommand = {
  readonly command: Command;
  readonly from: string;
  readonly isLater: boolean;
};

export function listPrintedCommands(state: RunState, isRunning: boolean): PrintedCommand[] {
  const isAlive = isRunning && state.ended === null;
  const steps = listNextSteps(state, { isRunning: isAlive, isNamed: true, allowRoot: true });
  const needs = listNeeds(state, { isRunning: isAlive, changedConfig: ["a hook changed"] });
  const look = { ...overview(state, state.clock, { isRunning: isAlive }), isRunning: isAlive };
  const acts = [null, ...state.index.plan.tasks.map(({ id }) => id)].flatMap((task) =>
    offers(state, task, { isRunning: isAlive }),
  );
  return [
    ...steps.map(({ command }) => ({ command, from: "next steps", isLater: false })),
    ...needs.flatMap(({ kind, steps: own }) =>
      own.map(({ command }) => ({ command, from: `need ${kind}`, isLater: false })),
    ),
    ...listBanners(state, look).flatMap(({ text }) => findCommands(text, "banner")),
    ...acts.flatMap((act) =>
      findCommands(formatAction(state, act, { isRunning: isAlive }).effect, `action ${act.kind}`),
    ),
  ];
}

const findCommands = (text: Sentence, from: string): PrintedCommand[] =>
  listParts(text).flatMap((part) =>
    typeof part !== "string" && part.kind === "command"
      ? [{ command: part.command, from, isLater: true }]
      : [],
  );

/** As a shell would split it, with something typed for what is left to the person. */
export function listWords(command: Command): string[] {
  const filled: Command = {
    ...command,
    args: command.args.map(fill),
    flags: Object.fromEntries(Object.entries(command.flags).map(([flag, value]) => [flag, fill(value)])),
  };
  const words = formatCommand(filled).match(/\$?'(?:[^'\\]|\\.)*'|\S+/g) ?? [];
  return words.map((word) => word.replace(/^'(.*)'$/s, "$1"));
}

const fill = <T>(word: T): T | string =>
  typeof word === "object" && word !== null && "placeholder" in word ? "main" : word;

/** Null where the command line accepts it; else why not. */
export async function findParseProblem(words: readonly string[]): Promise<string | null> {
  if (words[0] !== "plait") return null;
  return parseCommandLine(words.slice(1)).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

/** Null where the run would do it; else its refusal. */
export function findRefusal(state: RunState, command: Command, isRunning: boolean): string | null {
  if (command.program !== "plait") return null;
  const isAlive = isRunning && state.ended === null;
  const alone = NEEDS_PROCESS.has(command.verb) ? isAlive : NEEDS_REST.has(command.verb) ? !isAlive : true;
  if (!alone) return `${command.verb} of a run that is ${isAlive ? "running" : "not running"}`;
  for (const asked of listAsked(command)) {
    // `plait open` finishes an opening that was interrupted: the run is not asked again.
    if (asked.kind === "open" && isBeingOpened(state, asked.task)) continue;
    const decision = decide(state, asked, state.clock);
    if (!decision.ok) return JSON.stringify(decision.refusal);
  }
  const isComplete = state.ended?.outcome === "complete";
  return command.verb === "resume" && isComplete ? "the run is complete" : null;
}

function isBeingOpened(state: RunState, task: TaskId): boolean {
  const i = state.index.indexOf.get(task);
  const open = i === undefined ? null : taskState(state, i).open;
  return open !== null && open.worktree === null;
}

const NEEDS_PROCESS: ReadonlySet<string> = new Set(["watch", "stop"]);
const NEEDS_REST: ReadonlySet<string> = new Set(["resume", "clean", "restore"]);

function listAsked({ verb, args, flags }: Command): RunCommand[] {
  const tasks = args.filter((word) => typeof word === "string") as TaskId[];
  switch (verb) {
    case "retry":
      if (tasks.length === 0) return [{ kind: "retry-now" }];
      return tasks.map((task) => ({ kind: "retry", task, ...(flags["now"] === true && { now: true }) }));
    case "approve":
      return tasks.map((task) => ({ kind: "approve", task }));
    case "submit":
      return tasks.map((task) => ({ kind: "accept", task }));
    case "drop":
      return tasks.map((task) => ({ kind: "cancel", task }));
    case "open":
      return tasks.map((task) => ({ kind: "open", task }));
    case "land":
      return [{ kind: "land", ...(flags["onto"] !== undefined && { target: "refs/heads/main" as RefName }) }];
    case "undo":
      return [{ kind: "undo" }];
    case "stop":
      return [{ kind: "stop", mode: flags["now"] === true ? "stop" : "drain" }];
    case "resume":
      return typeof flags["budget-usd"] === "number" ? [{ kind: "budget", usd: flags["budget-usd"] }] : [];
    default:
      return [];
  }
}
