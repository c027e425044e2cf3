// A person takes a task over: its worktree is made ready for them, and they learn what they find there and how to go on. Or they
// give it up.

import { stat } from "node:fs/promises";
import { join } from "node:path";
import { workToOpen } from "../core/evolve/open.ts";
import { EFFECT_TRIES } from "../core/failure.ts";
import type { RefName, RunId, TaskId } from "../core/ids.ts";
import { taskAt } from "../core/run-index.ts";
import type { RunState, TaskState } from "../core/run-state.ts";
import { taskState } from "../core/run-tasks.ts";
import { lastConversation, openTasks, type TheirTask } from "../core/select/open-tasks.ts";
import { get } from "../core/sorted-map.ts";
import { askQuietly } from "./ask-quietly.ts";
import { agentsFor, type Host, type OrRefusal, refuse } from "./host.ts";
import type { FoundRun } from "./runs.ts";

/** A task that is open, with all that a person wants to know before they go there. */
export type OpenedTask = TheirTask & {
  readonly run: RunId;
  readonly worktree: string;
  /** Where its agent works: the worktree, or a folder in it. */
  readonly folder: string;
  /** Goes on with the agent's own conversation, in the worktree; null where there is none. */
  readonly resume: readonly string[] | null;
};

export type OpenInput = {
  readonly task: TaskId;
  /** The conversation is to be gone on with: without one nothing is opened. */
  readonly needsConversation: boolean;
  /** What could not be done, and is tried again; the same is told once. */
  readonly onTrouble: (detail: string) => void;
};

/** Gives the same again for a task that is open already. */
export async function openTask(
  host: Host,
  found: FoundRun,
  { task, needsConversation, onTrouble }: OpenInput,
): Promise<OrRefusal<{ opened: OpenedTask }>> {
  const { run, state } = found.known;
  if (needsConversation && resumeCommand(host, state, task) === null) {
    const message = `${task} has no conversation that can be gone on with`;
    return refuse("request", message, `leave --start out: plait open ${task}`);
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
  return refuse("environment", `${task} is not open: ${why}`, `then again: plait open ${task} --run ${run}`);
}

/** A worktree that somebody removed is not made anew, and nothing is handed in from there; null where it is there. */
export async function ifGone(state: RunState, task: TaskId): Promise<ReturnType<typeof refuse> | null> {
  const { open } = taskIn(state, task);
  if (open === null || open.worktree === null) return null;
  const isThere = await stat(open.worktree).then(
    () => true,
    () => false,
  );
  const again = `plait drop ${task} && plait open ${task}`;
  return isThere
    ? null
    : refuse("environment", `${open.worktree} is gone`, `to begin with what is saved: ${again}`);
}

function taskIn(state: RunState, task: TaskId): TaskState {
  return taskState(state, state.index.indexOf.get(task) as number);
}

const isReady = (state: RunState, task: TaskId): boolean =>
  (taskIn(state, task).open?.worktree ?? null) !== null;

function isGivenUp(state: RunState, task: TaskId): boolean {
  const { open } = taskIn(state, task);
  return open !== null && (get(state.failing, `open ${open.attempt}`)?.times ?? 0) >= EFFECT_TRIES;
}

function openedIn(host: Host, state: RunState, task: TaskId): OpenedTask | null {
  const theirs = openTasks(state).find((one) => one.task === task);
  if (theirs === undefined || theirs.worktree === null) return null;
  const { worktree } = theirs;
  const { dir } = taskAt(state.index, state.index.indexOf.get(task) as number);
  const folder = dir === null ? worktree : join(worktree, dir);
  return { run: state.run, ...theirs, worktree, folder, resume: resumeCommand(host, state, task) };
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

/** Gives tasks up. What is in their worktrees is saved before it goes (I2). */
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
    const why = held ?? "the run ended before";
    return refuse("environment", `what was done is not saved yet: ${why}`, `save it: plait resume ${run}`);
  }
  const dropped = tasks.map((task) => {
    return { task, ref: workToOpen(taskIn(asked.state, task))?.saved.ref ?? null };
  });
  return { ok: true, dropped };
}
