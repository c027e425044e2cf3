// Sub-agents that a plan names and that are not installed: which tasks name them, and who decides how those tasks run.

import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Adapter, AgentWork } from "../agents/adapter.ts";
import type { Policy } from "../core/facts.ts";
import type { TaskId } from "../core/ids.ts";
import type { Plan, Preparation, Task } from "../core/plan.ts";
import { nearest } from "../core/suggest.ts";
import { listSubAgents, type ProbePlace } from "../engines/local/probe-agent.ts";

export type MissingSubAgent = {
  readonly name: string;
  readonly agent: Pick<Adapter, "name" | "title">;
  readonly tasks: readonly TaskId[];
  /** Those that it has where these tasks start. */
  readonly known: readonly string[];
};

/** Who decides about missing sub-agents; all of them at once. */
export type SubAgentChoice = {
  /** Whether their tasks run with the plain agent. */
  readonly mayReplace: (missing: readonly MissingSubAgent[]) => Promise<boolean>;
  /** How the user can decide otherwise, a line each. */
  readonly help: (missing: readonly MissingSubAgent[]) => readonly string[];
};

/** What of a task decides where its agent finds sub-agents. */
export type SubAgentPlace = Pick<Task, "dir"> & { readonly prepare: Pick<Preparation, "copy"> };

type NamingTask = {
  readonly task: Pick<Task, "id"> & SubAgentPlace;
  readonly work: AgentWork;
  readonly adapter: Adapter;
};

/** Asked once a program and folder, and only where a task names one: programs look for sub-agents from where they start. */
export async function findMissingSubAgents(
  tasks: readonly NamingTask[],
  asking: ProbePlace,
): Promise<MissingSubAgent[]> {
  const listed = new Map<string, Promise<readonly string[] | null>>();
  const missing = new Map<string, MissingSubAgent>();
  for (const { task, work, adapter } of tasks) {
    const { name } = work.agent;
    if (name === null || adapter.subAgents === null) continue;
    const cwd = await nearestFolder(asking.cwd, folderToAskIn(task, adapter.subAgents.folder));
    const place = JSON.stringify([adapter.name, cwd]);
    const answer = listed.get(place) ?? listSubAgents(adapter.subAgents, { ...asking, cwd });
    listed.set(place, answer);
    const known = await answer;
    if (known === null || known.includes(name)) continue;
    const key = JSON.stringify([adapter.name, name]);
    const before = missing.get(key);
    missing.set(key, {
      ...{ name, agent: adapter, tasks: [...(before?.tasks ?? []), task.id] },
      known: [...new Set([...(before?.known ?? []), ...known])],
    });
  }
  return [...missing.values()];
}

/** From the root: where a task starts; or the folder whose sub-agents are copied to where it starts. */
function folderToAskIn({ dir, prepare }: SubAgentPlace, name: string): string {
  const start = dir === null ? "" : `${dir}/`;
  for (const copy of prepare.copy) {
    if (typeof copy === "string" || !`${copy.to}/`.startsWith(`${start}${name}/`)) continue;
    const way = copy.to.slice(start.length);
    if (copy.from.endsWith(`/${way}`)) return copy.from.slice(0, -way.length - 1);
  }
  return dir ?? "";
}

/** A folder that an earlier task will make is not there yet: what lies above it is, and is looked through as well. */
async function nearestFolder(root: string, dir: string): Promise<string> {
  for (let way = dir; way !== "" && way !== "."; way = dirname(way)) {
    const found = await stat(join(root, way)).catch(() => null); // whatever the reason, nothing can start there
    if (found?.isDirectory() === true) return join(root, way);
  }
  return root;
}

/** `Claude Code has no sub-agent "a" (api, docs), "b" (tax) or "c" (db)`. */
export function missingText(missing: readonly MissingSubAgent[]): string {
  const titles = [...new Set(missing.map(({ agent }) => agent.title))];
  return titles
    .map((title) => {
      const names = missing.filter(({ agent }) => agent.title === title).map(nameText);
      const all = [names.slice(0, -1).join(", "), ...names.slice(-1)].filter((text) => text !== "");
      return `${title} has no sub-agent ${all.join(" or ")}`;
    })
    .join("; ");
}

function nameText({ name, tasks, known }: MissingSubAgent): string {
  const meant = nearest(name, known);
  return `${JSON.stringify(name)} (${tasksText(tasks)}${meant === null ? "" : `; did you mean ${meant}?`})`;
}

const TASKS_NAMED = 3;

export function tasksText(tasks: readonly TaskId[]): string {
  const more = tasks.length > TASKS_NAMED ? ` and ${tasks.length - TASKS_NAMED} more` : "";
  return `${tasks.slice(0, TASKS_NAMED).join(", ")}${more}`;
}

export function installedText(missing: readonly MissingSubAgent[]): string {
  return [...new Set(missing.flatMap(({ known }) => known))].sort().join(", ");
}

export function replacedText({ name, tasks, agent }: MissingSubAgent): string {
  return `${tasksText(tasks)}: sub-agent ${JSON.stringify(name)} is not installed; running with plain ${agent.title}`;
}

type Choosing = { readonly policy: Policy; readonly subAgents?: SubAgentChoice };

/** A decision that was made for the run holds. */
export function choiceFor({ policy, subAgents }: Choosing): { readonly subAgents?: SubAgentChoice } {
  if (policy.withoutSubAgents === true)
    return { subAgents: { mayReplace: async () => true, help: () => [] } };
  return subAgents === undefined ? {} : { subAgents };
}

type Deciding = { readonly plan: Plan; readonly policy: Policy };

/** The decision is part of the run, so that it holds for its next driver and for an edited plan. */
export function withoutMissing({ plan, policy }: Deciding, missing: readonly MissingSubAgent[]): Deciding {
  if (missing.length === 0) return { plan, policy };
  const replaced = new Set(missing.flatMap(({ tasks }) => tasks));
  const tasks = plan.tasks.map((task) => (replaced.has(task.id) ? plainTask(task) : task));
  return { plan: { ...plan, tasks }, policy: { ...policy, withoutSubAgents: true } };
}

function plainTask(task: Task): Task {
  if (task.work.kind !== "agent") return task;
  return { ...task, work: { ...task.work, agent: { ...task.work.agent, name: null } } };
}
