import { groupBy } from "../group-by.ts";
import type { TaskId } from "../ids.ts";
import type { Plan, Task } from "../plan.ts";
import { countActors } from "./overview.ts";
import type { TaskRow } from "./task-rows.ts";
import type { NextActor } from "./task-status.ts";

/** Tasks that belong together, for whoever looks at too many of them. */
export type TaskGroup = {
  readonly name: string;
  readonly rows: readonly TaskRow[];
  readonly done: number;
  readonly actors: { readonly [B in NextActor]: number };
};

/** From here on a list of tasks is a list of groups. */
const MANY_TASKS = 60;

/** Whether they are looked at by groups: there are many, and one group of all of them would only hide them. */
export function isGrouped({ tasks }: Pick<Plan, "tasks">): boolean {
  return tasks.length >= MANY_TASKS && new Set(tasks.map(groupName)).size > 1;
}

/** Each task's group: what the plan says, else the first folder that it owns; null where neither is told. */
export function groupNames({ tasks }: Pick<Plan, "tasks">): ReadonlyMap<TaskId, string | null> {
  return new Map(tasks.map((task) => [task.id, groupName(task)]));
}

function groupName({ group, owns }: Task): string | null {
  if (group !== null) return group;
  const [first] = owns;
  const segment = first?.pattern.split("/", 1)[0] ?? "";
  const isFolder = first?.pattern.includes("/") === true && !/[*?[{]/.test(segment);
  return isFolder && segment !== "" ? segment : null;
}

const OTHERS = "others";

/** In the order in which the plan first names them; what belongs to none stands at the end. */
export function taskGroups(
  rows: readonly TaskRow[],
  names: ReadonlyMap<TaskId, string | null>,
): readonly TaskGroup[] {
  const findName = ({ task }: TaskRow): string | null => names.get(task) ?? null;
  const rest = rows.filter((row) => findName(row) === null);
  const groups = [...groupBy(rows, findName), ...(rest.length === 0 ? [] : [[OTHERS, rest] as const])];
  return groups.map(([name, members]) => {
    const actors = countActors(members);
    return { name, rows: members, done: actors.done, actors };
  });
}
