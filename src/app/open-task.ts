// A person takes a task over: its worktree is made ready for them, and they learn what they find there and how to go on. Or they
// give it up.

import { stat } from "node:fs/promises";
import { join } from "node:path";
import { workToOpen } from "../core/evolve/open.ts";
import type { RefName, RunId, TaskId } from "../core/ids.ts";
import { taskAt } from "../core/run-index.ts";
import type { RunState, TaskState } from "../core/run-state.ts";
import { taskState } from "../core/run-tasks.ts";
import { lastConversation, openTasks, type TheirTask } from "../core/select/task-lists.ts";
import { get } from "../core/sorted-map.ts";
import { forRun, plait } from "../core/text/command.ts";
import { command, fix, sentence } from "../core/text/sentence.ts";
import { runInTerminal, type TerminalEnd } from "../process/terminal.ts";
import { succeeds } from "../util/errno.ts";
import { askQuietly } from "./ask-quietly.ts";
import { agentsFor, type Host, type OrRefusal, type Refused, refuse } from "./host.ts";
import type { FoundRun } from "./runs.ts";

/** A task that is open, with all that a person wants to know before they go there. */
export type OpenedTask = TheirTask & {
  readonly run: RunId;
  readonly allowRoot: boolean;
  readonly worktree: string;
  /** Where its agent works: the worktree, or a folder in it. */
  readonly folder: string;
  /** Goes on with the agent's own conversation, in the worktree; null where there is none. */
  readonly resume: readonly string[] | null;
};

export type OpenInput = {
  readonly task: TaskId;
  readonly needsConversation: boolean;
  /** A failure that is being retried; each text is reported once. */
  readonly onTrouble: (detail: string) => void;
};

/** Returns the same again for a task that is already open. */
export async function openTask(
  host: Host,
  found: FoundRun,
  { task, needsConversation, onTrouble }: OpenInput,
): Promise<OrRefusal<{ opened: OpenedTask }>> {
  const { run, state } = found.known;
  if (needsConversation && resumeCommand(host, state, task) === null) {
    const message = `${task} has no conversation to continue`;
    return refuse("request", message, fix("open it without --start", plait("open", task, { run })));
  }
  const known = openedIn(host, state, task);
  if (known !== null) return (await ifGone(state, task)) ?? { ok: true, opened: known };
  const { open, started } = taskIn(state, task);
  const told = new Set<string>();
  const asked = await askQuietly(host, found, {
    commands: open === null ? [{ kind: "open", task }] : [], // a driver may have ended before it was done
    isDone: (now) => isReady(now, task) || isGivenUp(now, task) || taskIn(now, task).started > started,
    onFact: (fact) => {
      if (fact.type !== "effect.failed" || !fact.key.startsWith(`open ${task}/`)) return;
      if (!told.has(fact.detail)) onTrouble(fact.detail);
      told.add(fact.detail);
    },
  });
  if (!asked.ok) return asked;
  const opened = openedIn(host, asked.state, task);
  if (opened !== null) return { ok: true, opened };
  const why = asked.state.held ?? "the run ended before its worktree was ready";
  return refuse("environment", `cannot open ${task}: ${why}`, fix("try again", plait("open", task, { run })));
}

/** A removed worktree is not created again, and nothing is submitted from it; null where it exists. */
export async function ifGone(state: RunState, task: TaskId): Promise<Refused | null> {
  const { open } = taskIn(state, task);
  if (open === null || open.worktree === null) return null;
  const isThere = await succeeds(stat(open.worktree));
  if (isThere) return null;
  const { run } = state;
  const again = sentence`${command(plait("drop", task, { run }))} && ${command(plait("open", task, { run }))}`;
  return refuse("environment", `${open.worktree} is gone`, sentence`open the saved work again: ${again}`);
}

function taskIn(state: RunState, task: TaskId): TaskState {
  return taskState(state, state.index.indexOf.get(task) as number);
}

const isReady = (state: RunState, task: TaskId): boolean =>
  (taskIn(state, task).open?.worktree ?? null) !== null;

function isGivenUp(state: RunState, task: TaskId): boolean {
  const { open } = taskIn(state, task);
  return open !== null && (get(state.failing, `open ${open.attempt}`)?.isGivenUp ?? false);
}

function openedIn(host: Host, state: RunState, task: TaskId): OpenedTask | null {
  const theirs = openTasks(state).find((one) => one.task === task);
  if (theirs === undefined || theirs.worktree === null) return null;
  const { worktree } = theirs;
  const { dir } = taskAt(state.index, state.index.indexOf.get(task) as number);
  const folder = dir === null ? worktree : join(worktree, dir);
  const { run, allowRoot } = state;
  return { run, allowRoot, ...theirs, worktree, folder, resume: resumeCommand(host, state, task) };
}

function resumeCommand(host: Host, state: RunState, task: TaskId): readonly string[] | null {
  const { work } = taskAt(state.index, state.index.indexOf.get(task) as number);
  const of = taskIn(state, task);
  const after = of.open === null ? workToOpen(of)?.id : of.open.after?.attempt;
  const conversation = lastConversation(of, after ?? null);
  if (work.kind !== "agent" || conversation === null) return null;
  return agentsFor(host).get(work.agent.use)?.resumeCommand(conversation) ?? null;
}

export type DroppedTask = {
  readonly task: TaskId;
  /** Where all that was done is saved; null where nothing was. */
  readonly ref: RefName | null;
};

/** Drops tasks. Their worktrees are saved before they are removed (I2). */
export async function dropTasks(
  host: Host,
  found: FoundRun,
  tasks: readonly TaskId[],
): Promise<OrRefusal<{ dropped: readonly DroppedTask[] }>> {
  const isDropped = (state: RunState) =>
    tasks.every((task) => {
      const { phase, live } = taskIn(state, task);
      return phase.kind === "cancelled" && live.length === 0;
    });
  const commands = tasks.map((task) => ({ kind: "cancel", task }) as const);
  const asked = await askQuietly(host, found, { commands, isDone: isDropped });
  if (!asked.ok) return asked;
  if (!isDropped(asked.state)) {
    const { held, run } = asked.state;
    const save = fix("save it", forRun(asked.state, plait("resume", run)));
    return refuse("environment", `the work is not saved yet: ${held ?? "the run ended first"}`, save);
  }
  const dropped = tasks.map((task) => {
    return { task, ref: workToOpen(taskIn(asked.state, task))?.saved.ref ?? null };
  });
  return { ok: true, dropped };
}

export async function workInTerminal(
  { env }: Pick<Host, "env">,
  { folder, resume }: Pick<OpenedTask, "folder" | "resume">,
): Promise<TerminalEnd> {
  return runInTerminal({ argv: resume ?? [], cwd: folder, env });
}
