import { type ParsedCommand, parseCommandLine } from "../../src/cli/program.ts";
import { decide, type RunCommand } from "../../src/core/decide.ts";
import type { RefName, TaskId } from "../../src/core/ids.ts";
import type { RunState } from "../../src/core/run-state.ts";
import { taskState } from "../../src/core/run-tasks.ts";
import type { Words } from "./find-commands.ts";

/** A run at one moment, as whoever reads a command finds it. */
export type Moment = { readonly state: RunState; readonly isRunning: boolean };

type Parsed = ParsedCommand | { readonly problem: string };

const parsed = new Map<string, Promise<Parsed>>();

/** What the command line makes of it, or why it does not accept it. */
export function parse(words: Words): Promise<Parsed> {
  const key = words.join("\0");
  const known = parsed.get(key) ?? parseCommandLine(words.slice(1)).catch(toProblem);
  parsed.set(key, known);
  return known;
}

const toProblem = (error: unknown) => ({ problem: error instanceof Error ? error.message : String(error) });

/** Null where the command line accepts it; else why not. */
export async function findParseProblem(words: Words): Promise<string | null> {
  const found = await parse(words);
  return "problem" in found ? found.problem : null;
}

/** Null where the run would do it; else its refusal. */
export function findRefusal({ state, isRunning }: Moment, command: ParsedCommand): string | null {
  const { verb, options } = command;
  const isAlive = isRunning && state.ended === null;
  const isIdle = NEEDS_REST.has(verb) && isAlive;
  if (isIdle || (NEEDS_PROCESS.has(verb) && !isAlive))
    return `${verb} of a run that is ${isAlive ? "running" : "not running"}`;
  const named = TAKES_RUN.has(verb) ? command.args[0] : TAKES_TASKS.has(verb) ? options.run : undefined;
  if (named !== undefined && named !== state.run) return `${verb} of another run: ${named}`;
  if (state.allowRoot && STARTS_AGENTS.has(verb) && options.allowRoot !== true)
    return `${verb} without --allow-root`;
  for (const asked of listAsked(command)) {
    // `plait open` finishes an opening that was interrupted: the run is not asked again.
    if (asked.kind === "open" && isBeingOpened(state, asked.task)) continue;
    const decision = decide(state, asked, state.clock);
    if (!decision.ok) return decision.refusal.message;
  }
  const isComplete = state.ended?.outcome === "complete";
  return verb === "resume" && isComplete ? "the run is complete" : null;
}

function isBeingOpened(state: RunState, task: TaskId): boolean {
  const i = state.index.indexOf.get(task);
  const open = i === undefined ? null : taskState(state, i).open;
  return open !== null && open.worktree === null;
}

const NEEDS_PROCESS: ReadonlySet<string> = new Set(["watch", "stop"]);
const NEEDS_REST: ReadonlySet<string> = new Set(["resume", "clean", "restore"]);
const TAKES_RUN: ReadonlySet<string> = new Set([
  ...["resume", "stop", "status", "watch", "report", "land", "undo", "clean", "restore"],
]);
const TAKES_TASKS: ReadonlySet<string> = new Set([
  ...["retry", "approve", "open", "submit", "drop", "logs", "diff"],
]);
const STARTS_AGENTS: ReadonlySet<string> = new Set(["run", "resume", "retry", "approve", "submit"]);

function listAsked({ verb, args, options }: ParsedCommand): RunCommand[] {
  const tasks = args as readonly TaskId[];
  switch (verb) {
    case "retry":
      if (tasks.length === 0) return [{ kind: "retry-now" }];
      return tasks.map((task) => ({ kind: "retry", task, ...(options.now === true && { now: true }) }));
    case "approve":
      return tasks.map((task) => ({ kind: "approve", task }));
    case "submit":
      return tasks.map((task) => ({ kind: "accept", task }));
    case "drop":
      return tasks.map((task) => ({ kind: "cancel", task }));
    case "open":
      return tasks.map((task) => ({ kind: "open", task }));
    case "land":
      return [{ kind: "land", ...(options.onto !== undefined && { target: "refs/heads/main" as RefName }) }];
    case "undo":
      return [{ kind: "undo" }];
    case "stop":
      return [{ kind: "stop", mode: options.now === true ? "stop" : "drain" }];
    case "resume":
      return options.budgetUsd === undefined ? [] : [{ kind: "budget", usd: options.budgetUsd }];
    default:
      return [];
  }
}
