// Tasks as typed: an id, or a unique prefix of one. Every command that takes tasks finds them here.

import type { EachNote } from "../core/each/expand.ts";
import type { TaskId } from "../core/ids.ts";
import { formatSuggestion } from "../core/select/suggestion.ts";
import type { Sentence } from "../core/text/sentence.ts";
import { type OrRefusal, refuse } from "./host.ts";

export type TaskNames = {
  readonly ids: readonly TaskId[];
  /** As the end of "unknown task x in". */
  readonly place: string;
  /** The hint where nothing is near to what was typed. */
  readonly list: Sentence;
  /** Tasks of the file that stand for many: such a name means all of them. */
  readonly each?: readonly EachNote[];
};

/** Longer lists are not read. */
const MAX_LISTED = 10;

export function matchTask(typed: string, names: TaskNames): OrRefusal<{ readonly task: TaskId }> {
  const matched = matchTasks([typed], { ...names, each: [] });
  const [task] = matched.ok ? matched.tasks : [];
  if (!matched.ok) return matched;
  if (task === undefined) throw new Error("a name that matched has a task");
  return { ok: true, task };
}

/** Each once, in the order in which they were typed. */
export function matchTasks(
  typed: readonly string[],
  names: TaskNames,
): OrRefusal<{ readonly tasks: readonly TaskId[] }> {
  const tasks = new Set<TaskId>();
  for (const name of typed) {
    const matched = matchName(name, names);
    if (!matched.ok) return matched;
    for (const task of matched.tasks) tasks.add(task);
  }
  return { ok: true, tasks: [...tasks] };
}

function matchName(typed: string, names: TaskNames): OrRefusal<{ readonly tasks: readonly TaskId[] }> {
  const { ids, each = [] } = names;
  const group = each.find(({ id }) => id === typed);
  if (group !== undefined) return { ok: true, tasks: group.tasks as readonly TaskId[] }; // ids of the loaded plan
  const same = ids.find((id) => id === typed);
  if (same !== undefined) return { ok: true, tasks: [same] };
  const begun = typed === "" ? [] : listMatches(typed, ids, each);
  const [first, ...others] = begun;
  if (first === undefined) return refuseUnknown(typed, names);
  if (others.length > 0) return refuseAmbiguous(typed, begun, names);
  const meant = each.find(({ id }) => id === first);
  return { ok: true, tasks: (meant?.tasks ?? [first]) as readonly TaskId[] };
}

/** A group that begins so stands for the tasks that were made of it. */
function listMatches(typed: string, ids: readonly TaskId[], each: readonly EachNote[]): readonly string[] {
  const groups = each.filter(({ id }) => id.startsWith(typed));
  const made = new Set(groups.flatMap(({ tasks }) => tasks));
  const single = ids.filter((id) => id.startsWith(typed) && !made.has(id));
  return [...groups.map(({ id }) => id), ...single];
}

function refuseAmbiguous(typed: string, begun: readonly string[], { place }: TaskNames) {
  const more = begun.length - MAX_LISTED;
  const listed = begun.slice(0, MAX_LISTED).join(", ") + (more > 0 ? ` and ${more} more` : "");
  const hint = "type more of the id";
  return refuse("request", `task ${JSON.stringify(typed)} in ${place} is ambiguous: ${listed}`, hint);
}

function refuseUnknown(typed: string, { ids, place, list, each = [] }: TaskNames) {
  const hint = formatSuggestion(typed, [...ids, ...each.map(({ id }) => id)]) ?? list;
  return refuse("request", `unknown task ${JSON.stringify(typed)} in ${place}`, hint);
}

/** The names of a plan that is not run yet. */
export function planTaskNames(ids: readonly TaskId[], each: readonly EachNote[] = []): TaskNames {
  return { ids, each, place: "the plan", list: `use one of: ${ids.slice(0, 20).join(", ")}` };
}
