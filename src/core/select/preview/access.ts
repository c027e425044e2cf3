import type { TaskId } from "../../ids.ts";
import type { Task } from "../../plan.ts";

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
};

export function accessNotes(tasks: readonly Task[]): AccessNotes {
  const agents = tasks.filter(({ work }) => work.kind === "agent");
  return {
    bypassed: agents.filter(({ access }) => access === "write").map(({ id }) => id),
    narrowed: agents.flatMap(({ id, work }) => {
      if (work.kind !== "agent" || work.tools.allow.length + work.tools.deny.length === 0) return [];
      return [{ task: id, ...work.tools }];
    }),
    readOnly: agents.filter(({ access }) => access === "read-only").map(({ id }) => id),
    commands: tasks.filter(({ work }) => work.kind === "command").map(({ id }) => id),
  };
}
