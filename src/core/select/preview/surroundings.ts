import { groupBy } from "../../group-by.ts";
import type { TaskId } from "../../ids.ts";
import {
  type Copy,
  type Env,
  formatGrant,
  type Plan,
  type SandboxSettings,
  type Task,
  type TimeLimits,
} from "../../plan.ts";

/** What attempts find around them: files, names of variables, and how often and how long they may try. */
export type SurroundingNotes = {
  /** Files put in front of every prompt; null is a text written in the plan. */
  readonly context: readonly { readonly file: string | null; readonly bytes: number }[];
  /** What the plan and .worktreeinclude name to be copied into fresh worktrees, with the tasks that get exactly this. */
  readonly copy: readonly { readonly paths: readonly string[]; readonly tasks: readonly TaskId[] }[];
  /** Variables of tasks and of gates. */
  readonly env: {
    readonly tasks: readonly (VariableNotes & { readonly tasks: readonly TaskId[] })[];
    readonly gates: readonly (VariableNotes & { readonly gates: readonly string[] })[];
  };
  /** Alike for these tasks; those that most tasks have come first. */
  readonly patience: readonly (Patience & { readonly tasks: readonly TaskId[] })[];
};

/** The same names; `values` has each name's different values as they may be shown, or nothing where the caller shows none. */
export type VariableNotes = {
  readonly names: readonly string[];
  readonly values: { readonly [name: string]: readonly string[] };
};

/** How the value of a variable is shown: secrets masked. */
export type ShowValue = (name: string, value: string) => string;

/** How often a task is tried again and how long one attempt may take. */
export type Patience = {
  readonly retries: number;
  readonly fixRounds: number;
  readonly limits: TimeLimits;
};

export function surroundingNotes(plan: Plan, showValue: ShowValue | null): SurroundingNotes {
  return {
    context: plan.context.map(({ file, bytes }) => ({ file, bytes })),
    copy: tasksBy(plan.tasks, ({ prepare }) => [...prepare.copy.map(copyText), ...prepare.include])
      .filter(({ value }) => value.length > 0)
      .map(({ value, tasks }) => ({ paths: value, tasks })),
    env: {
      tasks: tasksBy(plan.tasks, ({ env }) => namesOf(env))
        .filter(({ value }) => value.length > 0)
        .map(({ value, tasks, alike }) => ({ ...notesOn(value, alike, showValue), tasks })),
      gates: gateVariables(plan, showValue),
    },
    patience: tasksBy(plan.tasks, patienceOf)
      .sort((a, b) => b.tasks.length - a.tasks.length)
      .map(({ value, tasks }) => ({ ...value, tasks })),
  };
}

const copyText = (copy: Copy): string => (typeof copy === "string" ? copy : `${copy.from} to ${copy.to}`);

function patienceOf({ retries, fixRounds, limits }: Task): Patience {
  return { retries, fixRounds, limits };
}

function gateVariables(plan: Plan, showValue: ShowValue | null): SurroundingNotes["env"]["gates"] {
  const all = [...plan.gates, ...plan.tasks.flatMap((task) => task.gates)];
  const groups = groupBy(all, ({ env }) => namesOf(env).join(" ") || null);
  return [...groups].map(([names, gates]) => ({
    ...notesOn(names.split(" "), gates, showValue),
    gates: [...new Set(gates.map(({ name }) => name))],
  }));
}

function notesOn(
  names: readonly string[],
  setters: readonly { readonly env: Env }[],
  showValue: ShowValue | null,
): VariableNotes {
  if (showValue === null) return { names, values: {} };
  const valuesFor = (name: string) => [
    ...new Set(setters.map(({ env }) => showValue(name, env[name] ?? ""))),
  ];
  return { names, values: Object.fromEntries(names.map((name) => [name, valuesFor(name)])) };
}

function namesOf(env: Env): string[] {
  return Object.keys(env).sort();
}

/** Tasks by what they have in common, in the order of the file. */
function tasksBy<T>(
  tasks: readonly Task[],
  common: (task: Task) => T,
): { value: T; tasks: TaskId[]; alike: readonly Task[] }[] {
  const groups = groupBy(tasks, (task) => JSON.stringify(common(task)));
  return [...groups.values()].map((alike) => ({
    value: common(alike[0] as Task),
    tasks: alike.map(({ id }) => id),
    alike,
  }));
}

/** What agents are allowed to do, and what runs as the user without any agent. */
export type AccessNotes = {
  /** Agents that may change the tree: they run with their permission prompts bypassed. */
  readonly bypassed: readonly TaskId[];
  /** Agents whose tools the plan narrows. */
  readonly narrowed: readonly {
    readonly task: TaskId;
    readonly allow: readonly string[];
    readonly deny: readonly string[];
  }[];
  /** Agents that may only read. */
  readonly readOnly: readonly TaskId[];
  /** Tasks that are commands. */
  readonly commands: readonly TaskId[];
  /** The walls that the plan asks for, and what it lets through them; left out where it asks for none. */
  readonly sandbox?: { readonly mode: SandboxSettings["mode"]; readonly grants: readonly string[] };
};

export function accessNotes({ tasks, sandbox }: Pick<Plan, "tasks" | "sandbox">): AccessNotes {
  const agents = tasks.filter(({ work }) => work.kind === "agent");
  return {
    bypassed: agents.filter(({ access }) => access === "write").map(({ id }) => id),
    narrowed: agents.flatMap(({ id, work }) => {
      if (work.kind !== "agent" || work.tools.allow.length + work.tools.deny.length === 0) return [];
      return [{ task: id, ...work.tools }];
    }),
    readOnly: agents.filter(({ access }) => access === "read-only").map(({ id }) => id),
    commands: tasks.filter(({ work }) => work.kind === "command").map(({ id }) => id),
    ...(sandbox !== undefined && {
      sandbox: { mode: sandbox.mode, grants: sandbox.grants.map(formatGrant) },
    }),
  };
}
